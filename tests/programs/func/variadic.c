// Variadic functions: every promoted type, va_copy, passing the list on.
#include <stdarg.h>
#include <stdio.h>

struct pair { int a, b; };
struct big { double d[3]; char c; };

static double sum(const char *types, ...) {
    va_list ap, again;
    va_start(ap, types);
    va_copy(again, ap);
    double total = 0;
    for (int pass = 0; pass < 2; pass++) {
        va_list *list = pass ? &again : &ap;
        for (const char *t = types; *t; t++) {
            switch (*t) {
            case 'i': total += va_arg(*list, int); break;
            case 'l': total += va_arg(*list, long); break;
            case 'L': total += va_arg(*list, long long); break;
            case 'd': total += va_arg(*list, double); break;
            case 'D': total += va_arg(*list, long double); break;
            case 's': total += va_arg(*list, char *)[0]; break;
            case 'p': { struct pair p = va_arg(*list, struct pair); total += p.a * 100 + p.b; break; }
            case 'b': { struct big b = va_arg(*list, struct big); total += b.d[2] + b.c; break; }
            }
        }
    }
    va_end(ap);
    va_end(again);
    return total;
}

static int out(const char *f, ...) {
    char buf[64];
    va_list ap;
    va_start(ap, f);
    int n = vsnprintf(buf, sizeof buf, f, ap);
    va_end(ap);
    printf("[%s] ", buf);
    return n;
}

static int nth(va_list ap, int n) {
    int v = 0;
    while (n--) v = va_arg(ap, int);
    return v;
}

static int pick(int n, ...) {
    va_list ap;
    va_start(ap, n);
    int v = nth(ap, n);
    va_end(ap);
    return v;
}

int main(void) {
    printf("%g\n", sum("iiLd", 1, -2, 30000000000LL, 0.5));
    printf("%g\n", sum("ciDsi", 1, 2.5L, "A", 7));
    printf("%g\n", sum("ipibl", 1, (struct pair){2, 3}, 4, (struct big){{1, 2, 3.5}, 'c'}, 5L));
    printf("%g\n", sum("ididididididididid", 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 5.5, 6, 6.5, 7, 7.5, 8, 8.5, 9, 9.5));
    printf("%g\n", sum("iiddi", (char)-1, (short)-2, 1.5f, 2.5f, (_Bool)1));
    printf("%d\n", out("%d-%s-%c", 5, "x", 'y'));
    printf("%d %d\n", pick(1, 10, 20, 30), pick(3, 10, 20, 30));
    return 0;
}
