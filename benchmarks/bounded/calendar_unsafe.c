// The day of the year and back: February counts too many days.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

static const unsigned short before[13] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365};

int main(void) {
    unsigned month = __VERIFIER_nondet_uchar(), day = __VERIFIER_nondet_uchar();
    _Bool leap = __VERIFIER_nondet_bool();
    __VERIFIER_assume(month >= 1 && month <= 12 && day >= 1);
    __VERIFIER_assume(day <= before[month] - before[month - 1] + (unsigned)(leap && month == 2));
    unsigned number = before[month - 1] + day + (leap && month >= 2);
    unsigned m = 1, rest = number;
    for (;;) {
        unsigned length = before[m] - before[m - 1] + (leap && m == 2);
        if (rest <= length) break;
        rest -= length;
        m++;
    }
    if (m != month || rest != day) reach_error();
    return 0;
}
