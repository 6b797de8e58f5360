// A byte from 128 on is no character.
#include <stdlib.h>

extern void reach_error(void);

int main(void) {
    wchar_t w = 0;
    int a = mbtowc(&w, "x", 1), b = mbtowc(0, "\xff", 1);
    if (a == 1 && b == -1)
        reach_error();
    return 0;
}
