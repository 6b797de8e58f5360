// A permutation followed far enough comes back: the longest cycle is given up.
extern unsigned int __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

#define N 5

int main(void) {
    unsigned next[N];
    _Bool used[N] = {0};
    for (int i = 0; i < N; i++) {
        next[i] = __VERIFIER_nondet_uint();
        __VERIFIER_assume(next[i] < N && !used[next[i]]);
        used[next[i]] = 1;
    }
    unsigned start = __VERIFIER_nondet_uint();
    __VERIFIER_assume(start < N);
    unsigned at = start;
    int steps = 0;
    do {
        at = next[at];
        steps++;
    } while (at != start && steps < N - 1);
    if (at != start) reach_error();
    return 0;
}
