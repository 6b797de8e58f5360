// __builtin_va_arg_pack hands the variable arguments on, as glibc's fortified functions do.
#include <stdio.h>

extern inline __attribute__((always_inline, gnu_inline)) int print(const char *format, ...) {
    int n = printf("[");
    n += printf(format, __builtin_va_arg_pack());
    return n + printf("]\n");
}

extern inline __attribute__((always_inline, gnu_inline)) int put(char *to, size_t size, const char *format, ...) {
    return snprintf(to, size, format, __builtin_va_arg_pack());
}

// The number of variable arguments decides, as in glibc's fortified open.
extern inline __attribute__((always_inline, gnu_inline)) int count(int base, ...) {
    if (__builtin_va_arg_pack_len() > 1)
        return printf("%d %s\n", __builtin_va_arg_pack()) + __builtin_va_arg_pack_len();
    return base + __builtin_va_arg_pack_len();
}

int main(void) {
    char text[20];
    printf("%d\n", print("%d %s %.1f", 3, "x", 2.5));
    print("none");
    printf("%d %s\n", put(text, sizeof text, "%c%lld", 'a', 5ll), text);
    printf("%d %d %d\n", count(10), count(20, 1), count(30, 7, "seven"));
    return 0;
}
