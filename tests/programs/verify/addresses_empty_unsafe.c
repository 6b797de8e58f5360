// Objects without bytes may lie in one place: gcc puts them there.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

struct empty {};

int main(void) {
    struct empty a, b;
    struct empty *p = &a, *q = &b;
    if (__VERIFIER_nondet_int() && p == q)
        reach_error();
    return 0;
}
