// Duff's device: switch into the middle of a loop.
#include <stdio.h>

static void copy(char *to, const char *from, int count) {
    int n = (count + 7) / 8;
    switch (count % 8) {
    case 0: do { *to++ = *from++;
    case 7:      *to++ = *from++;
    case 6:      *to++ = *from++;
    case 5:      *to++ = *from++;
    case 4:      *to++ = *from++;
    case 3:      *to++ = *from++;
    case 2:      *to++ = *from++;
    case 1:      *to++ = *from++;
            } while (--n > 0);
    }
}

int main(void) {
    const char *text = "the quick brown fox jumps over the lazy dog";
    for (int n = 1; n < 44; n += 6) {
        char out[64] = {0};
        copy(out, text, n);
        printf("%s|\n", out);
    }
    int i = 0, seen = 0;
    switch (2) {
        for (; i < 5; i++) {
        case 2: seen += 10;
        case 1: seen += 1;
        }
    }
    printf("%d %d\n", i, seen);
    return 0;
}
