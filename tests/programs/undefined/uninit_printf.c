// Output of what nobody has set.
#include <stdio.h>
int main(void) {
    long a[2];
    a[0] = 1;
    long b = a[1];
    printf("%ld\n", b);
    return 0;
}
