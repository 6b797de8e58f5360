// A number in text.
#include <stdio.h>
#include <string.h>

extern void reach_error(void);

int main(void) {
    char b[16];
    int n = snprintf(b, sizeof b, "%d-%s", 42, "abc");
    if (n == 6 && b[3] == 97)
        reach_error();
    return 0;
}
