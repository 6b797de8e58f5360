// String literals: escapes, concatenation, embedded zeros, wide and UTF strings.
#include <stdio.h>
#include <string.h>
#include <stddef.h>

int main(void) {
    const char *e = "\a\b\f\n\r\t\v\\\'\"\?\0after";
    for (int i = 0; i < 17; i++) printf("%d ", e[i]);
    printf("\n%zu %zu\n", sizeof "ab\0cd", strlen("ab\0cd"));
    printf("%s\n", "one " "two" " " "three");
    const char *o = "\101\x42\7x\x7f\377";
    for (int i = 0; o[i]; i++) printf("%d ", o[i]);
    printf("\n");
    const wchar_t *w = L"wide \x1234" L"\u00e9";
    for (int i = 0; w[i]; i++) printf("%lx ", (unsigned long)w[i]);
    printf("\n");
    const char *u = u8"\u00e9\u20ac\U0001f600";
    for (int i = 0; u[i]; i++) printf("%02x ", (unsigned char)u[i]);
    printf("\n");
    printf("%d %d %d %d\n", 'a', '\n', '\377', 'ab');
    printf("%ld %d\n", (long)L'\u20ac', u'\u20ac');
    printf("%zu %zu %zu\n", sizeof u"ab", sizeof U"ab", sizeof L"ab");
    printf("%c%c\n", "index"[2], 3["index"]);
    return 0;
}
