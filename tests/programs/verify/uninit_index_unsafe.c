// Any element of a large array that nobody has written, at an index from outside.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int a[100];
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i >= 100) return 0;
    a[5] = 7;
    if (a[i] == 99 && i != 5 && a[(i + 1) % 100] == 55) reach_error();
    return 0;
}
