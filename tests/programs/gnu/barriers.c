// Empty assembly is only a compiler barrier: values stay, or are the inputs tied to them.
#include <stdio.h>

#define HIDE(x) __asm__ volatile("" : "+r"(x))

static int source(void) {
    static int calls;
    return ++calls * 10;
}

int main(void) {
    int x = 1, y, a[3] = {1, 2, 3};
    long long wide = 1ll << 40;
    __asm__ volatile("" ::: "memory");
    x++;
    HIDE(x);
    printf("%d\n", x);
    __asm__("" : "=r"(y) : "0"(x + 5));
    printf("%d\n", y);
    __asm__("" : [out] "=r"(y) : "[out]"(source()));
    printf("%d\n", y);
    __asm__ volatile("" : "+m"(a[1]), "+m"(wide) : "r"(source()), "m"(a[2]) : "memory");
    printf("%d %lld %d\n", a[1], wide, source());
    __asm__ goto("" : : : : out);
    printf("on\n");
out:
    return 0;
}
