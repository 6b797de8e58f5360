// As the safe twin: the copy is a copy, so the error is reached.
typedef __SIZE_TYPE__ size_t;
extern void *__builtin_memcpy(void *, const void *, size_t);
extern void *__builtin_memset(void *, int, size_t);
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
    int n = __VERIFIER_nondet_int(), m = 7;
    __builtin_memcpy(&m, &n, sizeof m);
    if (m == 1234567)
        reach_error();
    return 0;
}
