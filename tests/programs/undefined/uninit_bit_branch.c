// One bit that was never set is looked at; its neighbours were.
int main(void) {
    union { unsigned w; unsigned char c[4]; } u;
    u.c[0] = u.c[1] = u.c[3] = 0;
    if (u.w & 0x00010001u) return 1;
    return 0;
}
