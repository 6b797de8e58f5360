// Which way a copy goes is not known.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int upwards(char *to, const char *from) {
    return to < from;
}

int main(void) {
    if (!__VERIFIER_nondet_int())
        return 0;
    char a[4], b[4];
    if (upwards(b, a))
        reach_error();
    return 0;
}
