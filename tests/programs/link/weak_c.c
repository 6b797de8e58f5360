int b = 20;
int h(void) __attribute__((weak));
int h(void) {
    return 9;
}
