// Character classification over all of ASCII, and case conversion.
#include <stdio.h>
#include <ctype.h>

int main(void) {
    for (int c = 0; c < 128; c++) {
        int mask = !!isalpha(c) | !!isdigit(c) << 1 | !!isalnum(c) << 2 | !!isspace(c) << 3 | !!isupper(c) << 4 |
                   !!islower(c) << 5 | !!ispunct(c) << 6 | !!isprint(c) << 7 | !!iscntrl(c) << 8 |
                   !!isxdigit(c) << 9 | !!isgraph(c) << 10 | !!isblank(c) << 11;
        printf("%x%s", mask, c % 16 == 15 ? "\n" : " ");
    }
    for (const char *p = "Hello, World 42!"; *p; p++) printf("%c%c", toupper(*p), tolower(*p));
    printf("\n%d %d\n", isalpha(EOF), toupper(EOF));
    return 0;
}
