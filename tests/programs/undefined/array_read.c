// The loop reads one element too many.
#include <stdio.h>

int main(void) {
    int a[10], s = 0;
    for (int i = 0; i < 10; i++) a[i] = i;
    for (int i = 0; i <= 10; i++) s += a[i];
    printf("%d\n", s);
    return 0;
}
