// Inputs of every integer type, in order.
#include <stdio.h>

extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern long __VERIFIER_nondet_long(void);
extern long long __VERIFIER_nondet_longlong(void);
extern unsigned short __VERIFIER_nondet_ushort(void);

int main(void) {
    int i = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_bool();
    int c = __VERIFIER_nondet_char();
    int uc = __VERIFIER_nondet_uchar();
    unsigned u = __VERIFIER_nondet_uint();
    long l = __VERIFIER_nondet_long();
    long long ll = __VERIFIER_nondet_longlong();
    unsigned us = __VERIFIER_nondet_ushort();
    printf("%d %d %d %d %u %ld %lld %u\n", i, b, c, uc, u, l, ll, us);
    return 0;
}
