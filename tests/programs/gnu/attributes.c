// Attributes in all positions that real headers use; none changes the meaning here.
#include <stdio.h>

__attribute__((noreturn)) static void die(int) __attribute__((cold));
static int __attribute__((noinline, unused)) twice(int x) { return x * 2; }
int exported __attribute__((visibility("default"))) = 4;
extern int other __attribute__((weak));
typedef int word __attribute__((mode(SI)));
struct __attribute__((packed)) a { char c; int i; } __attribute__((aligned(2)));
static int sum(int n, ...) __attribute__((sentinel(0), nonnull(1)));
static void fmt(const char *f, ...) __attribute__((format(printf, 1, 2)));
static void fmt(const char *f, ...) { (void)f; }
__extension__ typedef long long extended;
int renamed(int) __asm__("twice_plus_one");
int renamed(int x) { return 2 * x + 1; }
static const char name[] __attribute__((nonstring)) = {'a', 'b'};

int main(void) {
    int unused __attribute__((unused)) = 3;
    word w = -1;
    extended e = 1LL << 40;
    switch (w) {
    case -1: w = 5; __attribute__((fallthrough));
    case 2: w++;
    }
l: __attribute__((unused));
    printf("%d %d %zu %d %lld %d %c\n", twice(4), exported, sizeof(struct a), w, e, renamed(3), name[1]);
    printf("%d\n", __alignof__(struct a) + __alignof__ w);
    fmt("%d", 1);
    if (w != 6) die(1);
    return 0;
}

#include <stdlib.h>
static void die(int code) { exit(code); }
