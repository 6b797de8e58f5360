// Hidden parameters, variable arguments, pointers to functions, old style.
int printf(const char *, ...);
int sum(int n, ...) {
    __builtin_va_list ap, bp;
    __builtin_va_start(ap, n);
    __builtin_va_copy(bp, ap);
    int s = __builtin_va_arg(ap, int);
    long double l = __builtin_va_arg(bp, long double);
    __builtin_va_end(ap);
    return s + l;
}
old(a, f) char a; float f; { return a + f; }
struct s { char c[24]; };
_Noreturn void stop(void);
_Noreturn void die(int x) { while (x); stop(); }
int calls(int (*p)(int, ...), int (*q)(), struct s *s) {
    sum(2, 1, 2.5f, *s);
    int x = p(1, 'a');
    x += q(1, 2.5f);
    x += old('a', 1.0f);
    unknown(x, 1.0);
    printf("%d\n", x);
    if (x)
        die(x);
    return x;
}
