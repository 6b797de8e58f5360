// The vote of Boyer and Moore finds a majority: a minority is taken for one.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

#define N 9

int main(void) {
    unsigned char a[N];
    for (int i = 0; i < N; i++) a[i] = __VERIFIER_nondet_uchar();
    unsigned char candidate = 0;
    int balance = 0;
    for (int i = 0; i < N; i++) {
        if (balance == 0) candidate = a[i];
        balance += a[i] == candidate ? 1 : -1;
    }
    unsigned char any = __VERIFIER_nondet_uchar();
    int votes = 0;
    for (int i = 0; i < N; i++) votes += a[i] == any;
    if (2 * votes >= N - 1 && any != candidate) reach_error();
    return 0;
}
