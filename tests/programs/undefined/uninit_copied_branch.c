// Data that was copied three times is still uninitialised where it decides.
#include <string.h>
struct part { char tag; int number; };

int main(void) {
    struct part a, b, c[2];
    a.tag = 1;
    b = a;
    memcpy(&c[1], &b, sizeof b);
    if (c[1].number > 3) return 1;
    return 0;
}
