// memcpy, memmove, memset, memcmp, memchr on all overlaps and contents.
#include <stdio.h>
#include <string.h>

int main(void) {
    char a[16] = "0123456789abcde", b[16];
    memcpy(b, a, sizeof a);
    memmove(b + 3, b, 8);
    printf("%s\n", b);
    memcpy(b, a, sizeof a);
    memmove(b, b + 3, 8);
    printf("%s\n", b);
    memset(b + 4, '#', 3);
    printf("%s %d\n", b, memcmp(a, b, 3) < 0);
    printf("%d %d %d\n", memcmp("\x80", "\x7f", 1) > 0, memcmp("abc", "abc", 4), memcmp("a", "b", 0));
    printf("%td %d\n", (char *)memchr(a, '9', 16) - a, memchr(a, 'z', 15) == 0);
    int v[5] = {1, 2, 3, 4, 5};
    memmove(v + 1, v, 4 * sizeof *v);
    for (int i = 0; i < 5; i++) printf("%d ", v[i]);
    memset(v, 0xff, 2 * sizeof *v);
    printf("%d %d %d\n", v[0], v[1], v[2]);
    struct { char c; int i; double d; } s, t;
    memset(&s, 0, sizeof s);
    s.c = 'x';
    s.d = 1.5;
    memcpy(&t, &s, sizeof s);
    printf("%d %c %g\n", memcmp(&s, &t, sizeof s), t.c, t.d);
    unsigned bits;
    float f = 1.0f;
    memcpy(&bits, &f, 4);
    printf("%x\n", bits);
    return 0;
}
