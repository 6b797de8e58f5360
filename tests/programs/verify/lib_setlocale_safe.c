// The C locale is the one a program starts in.
#include <locale.h>

extern void reach_error(void);

int main(void) {
    struct lconv *l = localeconv();
    if (l->decimal_point[0] != '.')
        reach_error();
    return 0;
}
