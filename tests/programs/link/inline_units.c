// Inline functions in two units: static ones are separate, the external one is shared.
#include <stdio.h>

static inline int bump(void) {
    static int n = 10;
    return n++;
}
inline int twice(int x) { return 2 * x; }
int from_b(void);
extern int limit;
typedef struct { int a; } local_type;

int main(void) {
    local_type t = {bump()};
    printf("%d %d %d %d %d\n", t.a, bump(), from_b(), twice(4), limit);
    return 0;
}
