// What is uninitialised is masked, shifted and compared away: nothing depends on it.
#include <stdio.h>

struct flags { unsigned a : 3, b : 5, c : 8; signed d : 4; };

int main(void) {
    union { unsigned w; unsigned char c[4]; } u;
    u.c[0] = 0x5a;
    unsigned low = u.w & 0xff, high = (u.w | 0xffffff00u) >> 8;
    struct flags f, g;
    f.a = 5;
    f.d = -3;
    g = f;
    int n = 0;
    if ((u.w & 0xf0) == 0x50) n++;
    if ((u.w << 24) == 0x5a000000u) n++;
    unsigned char byte;
    unsigned wide = byte;
    // A byte is a byte, whatever it is.
    if (wide < 256) n++;
    printf("%x %x %u %d %d\n", low, high, g.a, g.d, n);
    return 0;
}
