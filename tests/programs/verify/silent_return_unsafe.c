// A function that returns no value where one is used: it is any value.
extern void reach_error(void);

int f(int c) {
    if (c) return 3;
}

int main(void) {
    int x = f(0);
    if (x == 77) reach_error();
    return 0;
}
