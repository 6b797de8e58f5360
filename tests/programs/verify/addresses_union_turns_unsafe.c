// A union shows what an address is as a number, wherever it was stored.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

union u {
    int *p;
    __SIZE_TYPE__ v;
} u;
int x;

int main(void) {
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++)
        u.p = &x;
    if (u.v % 3 == 1)
        reach_error();
    return 0;
}
