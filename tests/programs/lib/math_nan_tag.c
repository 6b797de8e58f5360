// NaNs with payloads.
#include <errno.h>
#include <math.h>
#include <stdio.h>

extern double __VERIFIER_nondet_double(void);

static void show(long double x) {
    if (isnan(x))
        printf(" nan");
    else
        printf(" %La", x);
    printf("/%d", errno);
    errno = 0;
}

int main(void) {
    double x = __VERIFIER_nondet_double(), y = __VERIFIER_nondet_double(), z = __VERIFIER_nondet_double();
    float fx = (float)x, fy = (float)y, fz = (float)z;
    long double lx = (long double)x * 1.5L, ly = (long double)y * 0.75L;
    int n = 0;
    errno = 0;
    union { double d; unsigned long long u; } w;
    const char *tags[] = {"", "1", "0x7f", "017", "x", "99"};
    for (n = 0; n < 6; n++) {
        w.d = nan(tags[n]);
        printf(" %llx", w.u);
    }
    union { float f; unsigned u; } v;
    v.f = nanf("0x1234");
    printf(" %x", v.u);
    show(nanl("5"));
    return 0;
}
