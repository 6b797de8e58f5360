// A harness for KLEE, as KLEE takes it: zero has no sign, and a word may have three vowels.
#include <klee/klee.h>

static int sign(int x) {
    if (x == 0) return 0;
    return x < 0 ? -1 : 1;
}

int main(void) {
    int a;
    char word[3];
    klee_make_symbolic(&a, sizeof a, "a");
    klee_make_symbolic(word, sizeof word, "word");
    klee_assume(-100 < a);
    klee_assume(a < 100);
    int vowels = 0;
    for (int i = 0; i < 3; i++)
        if (word[i] == 'a' || word[i] == 'e') vowels++;
    klee_assert(sign(a) * a > 0 || vowels < 3);
    return 0;
}
