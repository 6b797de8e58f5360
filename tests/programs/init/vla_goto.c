// Leaving the scope of a VLA by goto, break and continue, many times.
#include <stdio.h>

int main(void) {
    int total = 0;
    for (int i = 0; i < 2000; i++) {
        int n = i % 7 + 1;
    again:;
        int a[n * 50];
        a[0] = i;
        a[n * 50 - 1] = n;
        total += a[0] % 3 + a[n * 50 - 1];
        if (n-- > 5) goto again;
        if (i % 3 == 0) continue;
        {
            char b[n + 1];
            b[n] = 1;
            total += b[n];
            if (i == 1999) break;
        }
    }
    printf("%d\n", total);
    return 0;
}
