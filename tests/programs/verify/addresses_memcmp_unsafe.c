// Which of two pointers has the greater bytes.
#include <string.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int x, y;

int main(void) {
    if (!__VERIFIER_nondet_int())
        return 0;
    int *p = &x, *q = &y;
    if (memcmp(&p, &q, sizeof p) > 0)
        reach_error();
    return 0;
}
