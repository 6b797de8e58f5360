// Switch: fall-through, default in the middle, ranges, negative and wide labels, no body.
#include <stdio.h>

static int classify(long long v) {
    int r = 0;
    switch (v) {
    case -5 ... -1: r += 1;
    case 0: r += 2; break;
    default: r += 100;
    case 1 ... 9: r += 10;
    case 10: r += 20; break;
    case 0x100000000LL: r = 7; break;
    case 'a' ... 'z': return -1;
    }
    return r;
}

static int nested(int a, int b) {
    switch (a) {
    case 1:
        switch (b) {
        case 1: return 11;
        case 2: break;
        default: return 19;
        }
        return 12;
    case 2: {
        int x = b;
        if (x > 3) {
        case 3: return 30 + b;
        }
        return 20;
    }
    }
    return 0;
}

int main(void) {
    long long tests[] = {-6, -5, -1, 0, 1, 9, 10, 11, 97, 122, 123, 0x100000000LL, 0x100000001LL};
    for (unsigned i = 0; i < sizeof tests / sizeof *tests; i++) printf("%d ", classify(tests[i]));
    printf("\n");
    for (int a = 0; a < 4; a++)
        for (int b = 1; b < 5; b++) printf("%d ", nested(a, b));
    printf("\n");
    switch (3);
    switch (1) printf("not reached\n");
    switch ((unsigned char)300) { case 44: printf("wrapped\n"); }
    return 0;
}
