// Literals that do not end alike are two objects.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    const char *p = "abc", *q = "bd";
    if (__VERIFIER_nondet_int() && p + 1 == q)
        reach_error();
    return 0;
}
