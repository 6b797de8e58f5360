// printf of integers: every conversion, length, flag, width and precision.
#include <stdio.h>
#include <stdint.h>
#include <inttypes.h>
#include <stddef.h>
#include <limits.h>

int main(void) {
    int v[] = {0, 1, -1, 42, -42, INT_MAX, INT_MIN};
    for (int i = 0; i < 7; i++) {
        int x = v[i];
        printf("[%d] [%i] [%u] [%x] [%X] [%o] [%5d] [%-5d] [%05d] [%+d] [% d] [%.3d] [%8.3d] [%#x] [%#o] [%-8.2x]\n", x, x, x,
               x, x, x, x, x, x, x, x, x, x, x, x, x);
        printf("[%hhd] [%hhu] [%hd] [%hu] [%hx]\n", x, x, x, x, x);
    }
    printf("%ld %lu %lx %lld %llu %llx\n", LONG_MIN, 3000000000UL, 255L, LLONG_MIN, ULLONG_MAX, ULLONG_MAX);
    printf("%zu %zd %td %jd %ju\n", (size_t)5, (ssize_t)-5, (ptrdiff_t)-6, (intmax_t)-7, (uintmax_t)8);
    printf("%" PRId64 " %" PRIu32 " %" PRIx8 " %" PRIuPTR "\n", INT64_MIN, UINT32_MAX, (uint8_t)200, (uintptr_t)77);
    printf("%*d|%-*d|%.*d|%*.*d\n", 6, 42, 6, 42, 4, 42, 8, 3, -7);
    printf("%*d|%.*d\n", -6, 42, -1, 42);
    printf("%.0d|%.d|%5.0d|%x\n", 0, 0, 0, 0);
    printf("%c%c%c|%5c|%-5c|\n", 'a', 'b' + 256, 67, 'x', 'y');
    printf("%s|%10s|%-10s|%.2s|%8.3s|%.0s|\n", "text", "right", "left", "cut", "both", "none");
    printf("%%|%5%|\n");
    int n = 0;
    printf("12345%n67\n", &n);
    printf("%d %d\n", n, printf("abc\n"));
    printf("%p\n", (void *)0);
    printf("%1$d %2$s %1$d\n", 5, "pos");
    return 0;
}
