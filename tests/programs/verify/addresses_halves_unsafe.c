// Parts of two addresses need not be equal, even if both objects begin at offset 0.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void *memcpy(void *, const void *, __SIZE_TYPE__);

int x, y;

int main(void) {
    if (!__VERIFIER_nondet_int())
        return 0;
    int *p = &x, *q = &y;
    unsigned short v, w;
    memcpy(&v, &p, sizeof v);
    memcpy(&w, &q, sizeof w);
    if (v != w)
        reach_error();
    return 0;
}
