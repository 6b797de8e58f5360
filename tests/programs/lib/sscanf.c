// sscanf of integers, words, characters, sets, widths and suppressed fields.
#include <stdio.h>

int main(void) {
    int a = 0, b = 0, c = 0, n;
    char word[16] = "", ch = 0;
    double d = 0;
    unsigned u = 0;
    long long ll = 0;
    n = sscanf("12 -34 0x1f", "%d %d %i", &a, &b, &c);
    printf("%d %d %d %d\n", n, a, b, c);
    n = sscanf("hello world", "%5s %c", word, &ch);
    printf("%d %s %c\n", n, word, ch);
    n = sscanf("3.5e1,abc", "%lf,%15s", &d, word);
    printf("%d %g %s\n", n, d, word);
    n = sscanf("123456", "%3d%x", &a, &u);
    printf("%d %d %x\n", n, a, u);
    n = sscanf("skip 9000000000", "%*s %lld", &ll);
    printf("%d %lld\n", n, ll);
    n = sscanf("x", "%d", &a);
    printf("%d\n", n);
    n = sscanf("", "%d", &a);
    printf("%d\n", n);
    n = sscanf("key=value;", "%[a-z]=%[^;]", word, word + 8);
    printf("%d %s %s\n", n, word, word + 8);
    short h;
    n = sscanf("70000 5%", "%hd %d%%%n", &h, &a, &b);
    printf("%d %d %d %d\n", n, h, a, b);
    return 0;
}
