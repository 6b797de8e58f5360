// Plain char is signed; character arithmetic, arrays of each, and sign extension.
#include <stdio.h>

int main(void) {
    char c = 200;
    signed char s = 200;
    unsigned char u = 200;
    printf("%d %d %d %d %d\n", c, s, u, c == s, c == u);
    printf("%d %d\n", '\xff' == -1, (unsigned char)'\xff');
    char text[] = "\xe9t\xe9";
    int sum = 0;
    for (char *p = text; *p; p++) sum += *p;
    printf("%d\n", sum);
    unsigned hist[256] = {0};
    for (const char *p = "mississippi"; *p; p++) hist[(unsigned char)*p]++;
    printf("%u %u %u %u\n", hist['i'], hist['s'], hist['p'], hist['m']);
    c = 'a' + 25;
    printf("%c %d %c\n", c, c - 'a', c & ~0x20);
    for (c = 'a'; c <= 'e'; c++) putchar(c);
    putchar('\n');
    u = c = 0x80;
    printf("%d %d %x\n", u, c, c);
    return 0;
}
