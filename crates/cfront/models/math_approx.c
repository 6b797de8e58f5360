// Functions whose values IEEE 754 does not fix. The executor gives what the host's library gives; what
// is stated here besides holds of every library that keeps to the standard (Annex F): special values,
// domains, signs, bounds, and how glibc reports errors in errno.
// How errors are told: 33 is EDOM, 34 is ERANGE.
int __cairn_isnan@P(REAL x);
int __cairn_isinf@P(REAL x);
int __cairn_signbit@P(REAL x);
REAL __cairn_fabs@P(REAL x);
REAL __cairn_trunc@P(REAL x);
void __cairn_math_error(int error);
REAL __cairn_invalid@P(REAL x);

//@* __cairn_invalid@P
// The result of a domain error: a NaN that is computed from x, so that it comes with the exception.
REAL __cairn_invalid@P(REAL x) {
    __cairn_math_error(33);
    return (x - x) / (x - x);
}

//@* sin
REAL __cairn_sin@P(REAL x);
REAL sin@S(REAL x) {
    if (__cairn_isnan@P(x))
        return x + x;
    if (__cairn_isinf@P(x))
        return __cairn_invalid@P(x);
    if (x == 0)
        return x;
    REAL r = __cairn_sin@P(x);
    __cairn_assume(r >= -1 && r <= 1);
    return r;
}

//@* cos
REAL __cairn_cos@P(REAL x);
REAL cos@S(REAL x) {
    if (__cairn_isnan@P(x))
        return x + x;
    if (__cairn_isinf@P(x))
        return __cairn_invalid@P(x);
    if (x == 0)
        return 1;
    REAL r = __cairn_cos@P(x);
    __cairn_assume(r >= -1 && r <= 1);
    return r;
}

//@* tan
REAL __cairn_tan@P(REAL x);
REAL tan@S(REAL x) {
    if (__cairn_isnan@P(x))
        return x + x;
    if (__cairn_isinf@P(x))
        return __cairn_invalid@P(x);
    if (x == 0)
        return x;
    REAL r = __cairn_tan@P(x);
    __cairn_assume(!__cairn_isnan@P(r) && !__cairn_isinf@P(r));
    return r;
}

//@* asin
REAL __cairn_asin@P(REAL x);
REAL asin@S(REAL x) {
    if (__cairn_isnan@P(x))
        return x + x;
    if (x > 1 || x < -1)
        return __cairn_invalid@P(x);
    if (x == 0)
        return x;
    REAL r = __cairn_asin@P(x);
    __cairn_assume(r >= -(REAL)1.57079632679489661923132169163975144L && r <= (REAL)1.57079632679489661923132169163975144L && __cairn_signbit@P(r) == __cairn_signbit@P(x));
    return r;
}

//@* acos
REAL __cairn_acos@P(REAL x);
REAL acos@S(REAL x) {
    if (__cairn_isnan@P(x))
        return x + x;
    if (x > 1 || x < -1)
        return __cairn_invalid@P(x);
    if (x == 1)
        return 0;
    REAL r = __cairn_acos@P(x);
    __cairn_assume(r >= 0 && r <= (REAL)3.14159265358979323846264338327950288L);
    return r;
}

//@* atan
REAL __cairn_atan@P(REAL x);
REAL atan@S(REAL x) {
    if (__cairn_isnan@P(x))
        return x + x;
    if (x == 0)
        return x;
    REAL r = __cairn_atan@P(x);
    __cairn_assume(r >= -(REAL)1.57079632679489661923132169163975144L && r <= (REAL)1.57079632679489661923132169163975144L && __cairn_signbit@P(r) == __cairn_signbit@P(x));
    return r;
}

//@* sinh
REAL __cairn_sinh@P(REAL x);
REAL sinh@S(REAL x) {
    if (__cairn_isnan@P(x))
        return x + x;
    if (x == 0)
        return x;
    if (__cairn_isinf@P(x))
        return x;
    REAL r = __cairn_sinh@P(x);
    __cairn_assume(!__cairn_isnan@P(r) && __cairn_signbit@P(r) == __cairn_signbit@P(x));
    if (__cairn_isinf@P(r))
        __cairn_math_error(34);
    return r;
}

//@* cosh
REAL __cairn_cosh@P(REAL x);
REAL cosh@S(REAL x) {
    if (__cairn_isnan@P(x))
        return x + x;
    if (x == 0)
        return 1;
    if (__cairn_isinf@P(x))
        return x * x;
    REAL r = __cairn_cosh@P(x);
    __cairn_assume(r >= 1);
    if (__cairn_isinf@P(r))
        __cairn_math_error(34);
    return r;
}

//@* tanh
REAL __cairn_tanh@P(REAL x);
REAL tanh@S(REAL x) {
    if (__cairn_isnan@P(x))
        return x + x;
    if (x == 0)
        return x;
    REAL r = __cairn_tanh@P(x);
    __cairn_assume(r >= -1 && r <= 1 && __cairn_signbit@P(r) == __cairn_signbit@P(x));
    return r;
}

//@* asinh
REAL __cairn_asinh@P(REAL x);
REAL asinh@S(REAL x) {
    if (__cairn_isnan@P(x))
        return x + x;
    if (x == 0)
        return x;
    if (__cairn_isinf@P(x))
        return x;
    REAL r = __cairn_asinh@P(x);
    __cairn_assume(!__cairn_isnan@P(r) && !__cairn_isinf@P(r) && __cairn_signbit@P(r) == __cairn_signbit@P(x) && __cairn_fabs@P(r) <= __cairn_fabs@P(x));
    return r;
}

//@* acosh
REAL __cairn_acosh@P(REAL x);
REAL acosh@S(REAL x) {
    if (__cairn_isnan@P(x))
        return x + x;
    if (x < 1)
        return __cairn_invalid@P(x);
    if (x == 1)
        return 0;
    if (__cairn_isinf@P(x))
        return x;
    REAL r = __cairn_acosh@P(x);
    __cairn_assume(r >= 0 && !__cairn_isinf@P(r));
    return r;
}

//@* atanh
REAL __cairn_atanh@P(REAL x);
REAL atanh@S(REAL x) {
    if (__cairn_isnan@P(x))
        return x + x;
    if (x > 1 || x < -1)
        return __cairn_invalid@P(x);
    if (x == 0)
        return x;
    if (x == 1 || x == -1) {
        __cairn_math_error(34);
        return x / 0;
    }
    REAL r = __cairn_atanh@P(x);
    __cairn_assume(!__cairn_isnan@P(r) && !__cairn_isinf@P(r) && __cairn_signbit@P(r) == __cairn_signbit@P(x));
    return r;
}

//@* exp exp2
REAL __cairn_@N@P(REAL x);
REAL @N@S(REAL x) {
    if (__cairn_isnan@P(x))
        return x + x;
    if (x == 0)
        return 1;
    if (__cairn_isinf@P(x))
        return x > 0 ? x : 0;
    REAL r = __cairn_@N@P(x);
    __cairn_assume(r >= 0 && (x > 0 ? r >= 1 : r <= 1));
    if (__cairn_isinf@P(r))
        __cairn_math_error(34);
    if (r == 0)
        __cairn_math_error(34);
    return r;
}

//@* expm1
REAL __cairn_expm1@P(REAL x);
REAL expm1@S(REAL x) {
    if (__cairn_isnan@P(x))
        return x + x;
    if (x == 0)
        return x;
    if (__cairn_isinf@P(x))
        return x > 0 ? x : -1;
    REAL r = __cairn_expm1@P(x);
    __cairn_assume(r >= -1 && __cairn_signbit@P(r) == __cairn_signbit@P(x));
    if (__cairn_isinf@P(r))
        __cairn_math_error(34);
    return r;
}

//@* log log2 log10
REAL __cairn_@N@P(REAL x);
REAL @N@S(REAL x) {
    if (__cairn_isnan@P(x))
        return x + x;
    if (x == 0) {
        __cairn_math_error(34);
        return -1 / (x * x);
    }
    if (x < 0)
        return __cairn_invalid@P(x);
    if (x == 1)
        return 0;
    if (__cairn_isinf@P(x))
        return x;
    REAL r = __cairn_@N@P(x);
    __cairn_assume(!__cairn_isnan@P(r) && !__cairn_isinf@P(r) && (x >= 1 ? r >= 0 : r <= 0));
    return r;
}

//@* log1p
REAL __cairn_log1p@P(REAL x);
REAL log1p@S(REAL x) {
    if (__cairn_isnan@P(x))
        return x + x;
    if (x == 0)
        return x;
    if (x == -1) {
        __cairn_math_error(34);
        return -1 / (x + 1);
    }
    if (x < -1)
        return __cairn_invalid@P(x);
    if (__cairn_isinf@P(x))
        return x;
    REAL r = __cairn_log1p@P(x);
    __cairn_assume(!__cairn_isnan@P(r) && !__cairn_isinf@P(r) && __cairn_signbit@P(r) == __cairn_signbit@P(x));
    return r;
}

//@* cbrt
REAL __cairn_cbrt@P(REAL x);
REAL cbrt@S(REAL x) {
    if (__cairn_isnan@P(x))
        return x + x;
    if (x == 0)
        return x;
    if (__cairn_isinf@P(x))
        return x;
    REAL r = __cairn_cbrt@P(x);
    __cairn_assume(!__cairn_isnan@P(r) && !__cairn_isinf@P(r) && __cairn_signbit@P(r) == __cairn_signbit@P(x) && r != 0);
    return r;
}

//@* erf
REAL __cairn_erf@P(REAL x);
REAL erf@S(REAL x) {
    if (__cairn_isnan@P(x))
        return x + x;
    if (x == 0)
        return x;
    if (__cairn_isinf@P(x))
        return x > 0 ? 1 : -1;
    REAL r = __cairn_erf@P(x);
    __cairn_assume(r >= -1 && r <= 1 && __cairn_signbit@P(r) == __cairn_signbit@P(x));
    return r;
}

//@* erfc
REAL __cairn_erfc@P(REAL x);
REAL erfc@S(REAL x) {
    if (__cairn_isnan@P(x))
        return x + x;
    if (__cairn_isinf@P(x))
        return x > 0 ? 0 : 2;
    REAL r = __cairn_erfc@P(x);
    __cairn_assume(r >= 0 && r <= 2);
    if (r == 0)
        __cairn_math_error(34);
    return r;
}

//@* tgamma
REAL __cairn_tgamma@P(REAL x);
REAL tgamma@S(REAL x) {
    if (__cairn_isnan@P(x))
        return x + x;
    if (x == 0) {
        __cairn_math_error(34);
        return 1 / x;
    }
    if (x < 0 && (__cairn_isinf@P(x) || __cairn_trunc@P(x) == x))
        return __cairn_invalid@P(x);
    if (__cairn_isinf@P(x))
        return x;
    REAL r = __cairn_tgamma@P(x);
    __cairn_assume(!__cairn_isnan@P(r) && (x < 0 || r > 0));
    if (__cairn_isinf@P(r) || r == 0)
        __cairn_math_error(34);
    return r;
}

//@* lgamma
REAL __cairn_lgamma@P(REAL x);
REAL lgamma@S(REAL x) {
    if (__cairn_isnan@P(x))
        return x + x;
    if (__cairn_isinf@P(x))
        return x * x;
    if (x <= 0 && __cairn_trunc@P(x) == x) {
        __cairn_math_error(34);
        return 1 / (x - x);
    }
    if (x == 1 || x == 2)
        return 0;
    REAL r = __cairn_lgamma@P(x);
    __cairn_assume(!__cairn_isnan@P(r));
    if (__cairn_isinf@P(r))
        __cairn_math_error(34);
    return r;
}

//@* hypot
REAL __cairn_hypot@P(REAL x, REAL y);
REAL hypot@S(REAL x, REAL y) {
    if (__cairn_isinf@P(x) || __cairn_isinf@P(y))
        return __cairn_fabs@P(__cairn_isinf@P(x) ? x : y);
    if (__cairn_isnan@P(x) || __cairn_isnan@P(y))
        return x + y;
    if (x == 0 || y == 0)
        return __cairn_fabs@P(x == 0 ? y : x);
    REAL r = __cairn_hypot@P(x, y);
    __cairn_assume(r >= __cairn_fabs@P(x) && r >= __cairn_fabs@P(y));
    if (__cairn_isinf@P(r))
        __cairn_math_error(34);
    return r;
}

//@* atan2
REAL __cairn_atan2@P(REAL y, REAL x);
REAL atan2@S(REAL y, REAL x) {
    if (__cairn_isnan@P(y) || __cairn_isnan@P(x))
        return y + x;
    if (y == 0 && !__cairn_signbit@P(x))
        return y;
    REAL r = __cairn_atan2@P(y, x);
    __cairn_assume(r >= -(REAL)3.14159265358979323846264338327950288L && r <= (REAL)3.14159265358979323846264338327950288L && __cairn_signbit@P(r) == __cairn_signbit@P(y) && (x < 0 || (r >= -(REAL)1.57079632679489661923132169163975144L && r <= (REAL)1.57079632679489661923132169163975144L) || x == 0));
    return r;
}

//@* pow
REAL __cairn_pow@P(REAL x, REAL y);
REAL pow@S(REAL x, REAL y) {
    if (y == 0 || x == 1)
        return 1;
    if (__cairn_isnan@P(x) || __cairn_isnan@P(y))
        return x + y;
    int whole = __cairn_trunc@P(y) == y;
    int odd = whole && !__cairn_isinf@P(y) && __cairn_trunc@P(y / 2) != y / 2;
    if (x == 0) {
        if (y > 0)
            return odd ? x : 0;
        if (!__cairn_isinf@P(y))
            __cairn_math_error(34);
        return odd ? 1 / x : 1 / (x * x);
    }
    if (__cairn_isinf@P(y)) {
        REAL m = __cairn_fabs@P(x);
        return m == 1 ? 1 : (m > 1) == (y > 0) ? y * y : 0;
    }
    if (__cairn_isinf@P(x)) {
        REAL r = y > 0 ? x * x : 0;
        return x < 0 && odd ? -r : r;
    }
    if (x < 0 && !whole)
        return __cairn_invalid@P(x);
    REAL r = __cairn_pow@P(x, y);
    __cairn_assume(!__cairn_isnan@P(r) && __cairn_signbit@P(r) == (x < 0 && odd));
    __cairn_assume(__cairn_fabs@P(x) == 1 || ((__cairn_fabs@P(x) > 1) == (y > 0) ? __cairn_fabs@P(r) >= 1 : __cairn_fabs@P(r) <= 1));
    if (__cairn_isinf@P(r) || r == 0)
        __cairn_math_error(34);
    return r;
}

//@* gamma
REAL __model_lgamma@S(REAL x);
REAL gamma@S(REAL x) {
    return __model_lgamma@S(x);
}
