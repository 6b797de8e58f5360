/* 64-bit arithmetic and branches in registers only. */
#include <stdio.h>

int main(void) {
    unsigned long long longest = 0, at = 0;
    for (unsigned long long n = 1; n < 1000000; n++) {
        unsigned long long x = n, steps = 0;
        while (x != 1) {
            x = x % 2 == 0 ? x / 2 : 3 * x + 1;
            steps++;
        }
        if (steps > longest) {
            longest = steps;
            at = n;
        }
    }
    printf("%llu %llu\n", at, longest);
    return 0;
}
