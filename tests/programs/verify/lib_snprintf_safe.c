// A number in text.
#include <stdio.h>
#include <string.h>

extern void reach_error(void);

int main(void) {
    char b[16];
    int n = snprintf(b, sizeof b, "%d-%s", 42, "abc");
    if (n != 6 || strcmp(b, "42-abc") != 0)
        reach_error();
    return 0;
}
