// The floating-point environment. The rounding mode is a variable that lowering knows: a program that
// has it rounds accordingly. Which exceptions arithmetic raises is not followed: besides those that
// were raised explicitly, any may be raised whenever somebody asks.

//@ __cairn_rounding
int __cairn_rounding;

//@ __cairn_exceptions
int __cairn_exceptions;

//@ fegetround
extern int __cairn_rounding;
int fegetround(void) {
    return __cairn_rounding;
}

//@ fesetround
extern int __cairn_rounding;
int fesetround(int mode) {
    if (mode != 0 && mode != 0x400 && mode != 0x800 && mode != 0xc00)
        return 1;
    __cairn_rounding = mode;
    return 0;
}

//@ feclearexcept
extern int __cairn_exceptions;
int feclearexcept(int exceptions) {
    __cairn_exceptions &= ~exceptions;
    return 0;
}

//@ feraiseexcept
extern int __cairn_exceptions;
int feraiseexcept(int exceptions) {
    __cairn_exceptions |= exceptions & 0x3d;
    return 0;
}

//@ fetestexcept
extern int __cairn_exceptions;
int __cairn_input_fetestexcept(void);
int fetestexcept(int exceptions) {
    return (__cairn_exceptions | __cairn_input_fetestexcept()) & exceptions & 0x3d;
}

//@ fegetexceptflag
int __model_fetestexcept(int exceptions);
int fegetexceptflag(unsigned short *flags, int exceptions) {
    *flags = __model_fetestexcept(exceptions);
    return 0;
}

//@ fesetexceptflag
extern int __cairn_exceptions;
int fesetexceptflag(const unsigned short *flags, int exceptions) {
    __cairn_exceptions = (__cairn_exceptions & ~exceptions) | (*flags & exceptions & 0x3d);
    return 0;
}

//@ fegetenv
// The object has room for more than the mode and the exceptions.
extern int __cairn_rounding;
int __model_fetestexcept(int exceptions);
int fegetenv(void *environment) {
    ((int *)environment)[0] = __cairn_rounding;
    ((int *)environment)[1] = __model_fetestexcept(0x3d);
    return 0;
}

//@ fesetenv
// FE_DFL_ENV is an address that no object has.
extern int __cairn_rounding, __cairn_exceptions;
int fesetenv(const void *environment) {
    if (environment == (const void *)-1) {
        __cairn_rounding = 0;
        __cairn_exceptions = 0;
    } else {
        __cairn_rounding = ((const int *)environment)[0];
        __cairn_exceptions = ((const int *)environment)[1];
    }
    return 0;
}

//@ feholdexcept
extern int __cairn_exceptions;
int __model_fegetenv(void *environment);
int feholdexcept(void *environment) {
    __model_fegetenv(environment);
    __cairn_exceptions = 0;
    return 0;
}

//@ feupdateenv
extern int __cairn_exceptions;
int __model_fetestexcept(int exceptions);
int __model_fesetenv(const void *environment);
int feupdateenv(const void *environment) {
    int raised = __model_fetestexcept(0x3d);
    __model_fesetenv(environment);
    __cairn_exceptions |= raised;
    return 0;
}
