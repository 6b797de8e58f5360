// The start value is wrong for negative arrays.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define N 20

int main(void) {
    int a[N], max = 0;
    for (int i = 0; i < N; i++) a[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < N; i++)
        if (a[i] > max) max = a[i];
    int found = 0;
    for (int i = 0; i < N; i++) {
        if (a[i] > max) reach_error();
        found |= a[i] == max;
    }
    if (!found) reach_error();
    return 0;
}
