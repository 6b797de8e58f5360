// One literal may be the end of another: gcc does so when it optimises.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    const char *all = "abc", *end = "bc";
    if (__VERIFIER_nondet_int() && all + 1 == end)
        reach_error();
    return 0;
}
