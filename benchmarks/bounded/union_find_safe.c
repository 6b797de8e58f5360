// Union and find agree with labels.
extern unsigned int __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

#define N 4
#define STEPS 3

int main(void) {
    unsigned parent[N], label[N];
    for (unsigned i = 0; i < N; i++) parent[i] = label[i] = i;
    for (int step = 0; step < STEPS; step++) {
        unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
        __VERIFIER_assume(a < N && b < N);
        unsigned x = a, y = b;
        while (parent[x] != x) x = parent[x];
        while (parent[y] != y) y = parent[y];
        if ((x == y) != (label[a] == label[b])) reach_error();
        parent[x] = y;
        unsigned from = label[a], to = label[b];
        for (unsigned i = 0; i < N; i++)
            if (label[i] == from) label[i] = to;
    }
    return 0;
}
