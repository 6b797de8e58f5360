// The C locale and its conventions.
#include <stdio.h>
#include <locale.h>
#include <string.h>

int main(void) {
    printf("%s %s\n", setlocale(LC_ALL, 0), setlocale(LC_NUMERIC, "C"));
    printf("%d\n", setlocale(LC_ALL, "no such locale") == 0);
    struct lconv *l = localeconv();
    printf("[%s] [%s] [%s] %d\n", l->decimal_point, l->thousands_sep, l->currency_symbol, l->frac_digits == 127);
    printf("%d\n", setlocale(999, "C") == 0);
    return 0;
}
