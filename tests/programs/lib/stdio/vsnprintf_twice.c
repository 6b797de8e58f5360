// A list of arguments used twice.
#include <stdio.h>
#include <stdarg.h>

extern int __VERIFIER_nondet_int(void);

static void show(const char *format, ...) {
    va_list a, b;
    char text[80];
    va_start(a, format);
    va_copy(b, a);
    int n = vsnprintf(0, 0, format, a);
    int m = vsprintf(text, format, b);
    printf("%d %d %s\n", n, m, text);
    va_end(a);
    va_end(b);
}

int main(void) {
    show("%d %s %c %ld", __VERIFIER_nondet_int(), "text", 65, 7L);
    show("%5.1f %x", 2.25, __VERIFIER_nondet_int());
    return 0;
}
