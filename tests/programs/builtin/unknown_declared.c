// A built-in function that Cairn does not know is refused, declared or not; it is no function of the outside.
extern int __builtin_ia32_pause_of_cairn(int);

int main(void) {
    return __builtin_ia32_pause_of_cairn(1);
}
