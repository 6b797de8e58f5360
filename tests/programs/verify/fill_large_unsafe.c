// A megabyte is filled and copied at once, and then looked at in one place.
#include <stdlib.h>
#include <string.h>
void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);

static char a[1 << 20], b[1 << 20];

int main(void) {
    memset(a, 7, sizeof a);
    memcpy(b, a, sizeof b);
    a[5] = 1;
    memset(a + 16, 0, sizeof a - 24);
    unsigned i = __VERIFIER_nondet_uint();
    if (i >= sizeof a)
        return 0;
    if (b[i] != 7)
        reach_error();
    if (i >= 16 && i < sizeof a - 8 && a[i])
        reach_error();
    if ((i < 16 || i >= sizeof a - 8) && a[i] != 7)
        reach_error();
    char *p = malloc(1 << 20);
    if (!p)
        return 0;
    memset(p, 0x5a, 1 << 20);
    memmove(a, p, 1 << 20);
    if (p[i] != 0x5a || a[i] != 0x5a)
        reach_error();
    return 0;
}
