// atoi, strtol, strtoul, strtoll, strtod and the abs and div families.
#include <stdio.h>
#include <stdlib.h>
#include <errno.h>
#include <limits.h>

int main(void) {
    printf("%d %d %d %ld %lld\n", atoi("42"), atoi("  -17xyz"), atoi("none"), atol("123456"), atoll("-9000000000"));
    char *end;
    const char *texts[] = {"0x1fz", "077", "  +12 ", "-0", "zz", "", "0x", "1010", "99999999999999999999", "-99999999999999999999"};
    int bases[] = {0, 0, 10, 10, 36, 10, 16, 2, 10, 10};
    for (int i = 0; i < 10; i++) {
        errno = 0;
        long v = strtol(texts[i], &end, bases[i]);
        printf("%d %td %d ", v == LONG_MAX ? 1 : v == LONG_MIN ? -1 : (int)v, end - texts[i], errno == ERANGE);
        errno = 0;
        unsigned long long u = strtoull(texts[i], &end, bases[i]);
        printf("%llu %td %d\n", u, end - texts[i], errno == ERANGE);
    }
    printf("%g %g %g\n", strtod("3.25e2x", &end), atof("-.5"), strtod("0x1p4", 0));
    printf("%s\n", end);
    printf("%g %g\n", strtod("inf", 0), strtod("1e400", 0));
    printf("%d %ld %lld\n", abs(-5), labs(-6L), llabs(-7000000000LL));
    div_t d = div(-17, 5);
    ldiv_t l = ldiv(17, -5);
    lldiv_t ll = lldiv(-17000000000LL, 7);
    printf("%d %d %ld %ld %lld %lld\n", d.quot, d.rem, l.quot, l.rem, ll.quot, ll.rem);
    return 0;
}
