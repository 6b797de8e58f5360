/* Sieve of Eratosthenes over an array on the heap. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    int n = 5000000, count = 0;
    char *composite = malloc(n + 1);
    if (!composite) return 1;
    for (int round = 0; round < 4; round++) {
        memset(composite, 0, n + 1);
        count = 0;
        for (int i = 2; i <= n; i++) {
            if (composite[i]) continue;
            count++;
            if (i > n / i) continue;
            for (int j = i * i; j <= n; j += i) composite[j] = 1;
        }
    }
    free(composite);
    printf("%d\n", count);
    return 0;
}
