// Arithmetic wraps at every width (the program is built with wrapping signed arithmetic).
#include <stdio.h>
#include <limits.h>

int main(void) {
    int i = INT_MAX;
    i++;
    printf("%d\n", i);
    i--;
    printf("%d\n", i);
    i = INT_MIN;
    i = -i;
    printf("%d\n", i);
    long long l = LLONG_MAX;
    l += 2;
    printf("%lld\n", l);
    l = LLONG_MIN;
    l *= -1;
    printf("%lld\n", l);
    unsigned u = 0;
    u -= 3;
    printf("%u\n", u);
    unsigned short s = 65535;
    s++;
    printf("%d\n", s);
    signed char c = 127;
    c++;
    printf("%d\n", c);
    printf("%d\n", INT_MAX * INT_MAX);
    printf("%u\n", 65536u * 65537u);
    printf("%lld\n", LLONG_MAX * 3);
    unsigned long ul = ULONG_MAX;
    printf("%d\n", ul + 2 == 1);
    return 0;
}
