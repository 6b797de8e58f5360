// __builtin_clz of one.
int main(void) {
    unsigned x = 1;
    return __builtin_clz(x);
}
