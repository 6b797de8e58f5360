// Numbers, characters and words, and the bytes between them.
#include <stdio.h>
#include <string.h>
extern void reach_error(void);
int main(void) {
    unsigned n;
    char c, word[4];
    long long wide;
    if (scanf("%u%c%2s,%lld", &n, &c, word, &wide) != 4)
        return 1;
    int next = getchar();
    if (n == 5 && c == ':' && !strcmp(word, "ab") && wide == -10000000000 && next == '!')
        reach_error();
    printf("%u %d %s %lld %d\n", n, c, word, wide, next);
    return 0;
}
