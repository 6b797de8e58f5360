int a = 10;
int b __attribute__((weak)) = 2;
int e = 50;
int zero __attribute__((weak)) = 6;
int f(void) {
    return 2;
}
int g(void) {
    return 7;
}
int h(void) {
    return 8;
}
