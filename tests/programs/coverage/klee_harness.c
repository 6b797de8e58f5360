// A harness for KLEE: symbolic memory in every size of piece.
#include <klee/klee.h>

struct pair {
    short kind;
    char name[3];
};

int main(void) {
    int a;
    unsigned long long wide;
    struct pair p;
    klee_make_symbolic(&a, sizeof a, "a");
    klee_make_symbolic(&wide, sizeof wide, "wide");
    klee_make_symbolic(p.name, sizeof p.name, "name");
    klee_make_symbolic(&p.kind, sizeof p.kind, "kind");
    klee_assume(a > 0);
    if (a > 100 && wide == 0x123456789aULL)
        return 1;
    if (p.kind == -2 && p.name[2] == 'x')
        return klee_range(0, 3, "choice") == 2 ? 2 : 3;
    return 0;
}
