// Mathematics, in the three precisions. A section that starts with `//@*` is a
// template: REAL is the type, @S the suffix of the C names and @P that of the vocabulary.

//@* fabs
REAL __cairn_fabs@P(REAL x);
REAL fabs@S(REAL x) {
    return __cairn_fabs@P(x);
}

//@* sqrt
REAL __cairn_sqrt@P(REAL x);
REAL sqrt@S(REAL x) {
    return __cairn_sqrt@P(x);
}

//@* floor
REAL __cairn_floor@P(REAL x);
REAL floor@S(REAL x) {
    return __cairn_floor@P(x);
}

//@* ceil
REAL __cairn_ceil@P(REAL x);
REAL ceil@S(REAL x) {
    return __cairn_ceil@P(x);
}

//@* trunc
REAL __cairn_trunc@P(REAL x);
REAL trunc@S(REAL x) {
    return __cairn_trunc@P(x);
}

//@* round
REAL __cairn_round@P(REAL x);
REAL round@S(REAL x) {
    return __cairn_round@P(x);
}

//@* rint
REAL __cairn_rint@P(REAL x);
REAL rint@S(REAL x) {
    return __cairn_rint@P(x);
}

//@* nearbyint
REAL __cairn_rint@P(REAL x);
REAL nearbyint@S(REAL x) {
    return __cairn_rint@P(x);
}

//@* lround
REAL __cairn_round@P(REAL x);
long lround@S(REAL x) {
    return (long)__cairn_round@P(x);
}

//@* llround
REAL __cairn_round@P(REAL x);
long long llround@S(REAL x) {
    return (long long)__cairn_round@P(x);
}

//@* lrint
REAL __cairn_rint@P(REAL x);
long lrint@S(REAL x) {
    return (long)__cairn_rint@P(x);
}

//@* llrint
REAL __cairn_rint@P(REAL x);
long long llrint@S(REAL x) {
    return (long long)__cairn_rint@P(x);
}

//@* fmin
REAL __cairn_fmin@P(REAL x, REAL y);
REAL fmin@S(REAL x, REAL y) {
    return __cairn_fmin@P(x, y);
}

//@* fmax
REAL __cairn_fmax@P(REAL x, REAL y);
REAL fmax@S(REAL x, REAL y) {
    return __cairn_fmax@P(x, y);
}

//@* copysign
REAL __cairn_copysign@P(REAL x, REAL y);
REAL copysign@S(REAL x, REAL y) {
    return __cairn_copysign@P(x, y);
}

//@* fmod
REAL __cairn_fmod@P(REAL x, REAL y);
REAL fmod@S(REAL x, REAL y) {
    return __cairn_fmod@P(x, y);
}

//@* isnan
int __cairn_isnan@P(REAL x);
int isnan@S(REAL x) {
    return __cairn_isnan@P(x);
}

//@* __isnan
int __cairn_isnan@P(REAL x);
int __isnan@S(REAL x) {
    return __cairn_isnan@P(x);
}

//@* isinf
// As in glibc, the sign tells which infinity.
int __cairn_isinf@P(REAL x);
int isinf@S(REAL x) {
    return __cairn_isinf@P(x) ? (x > 0 ? 1 : -1) : 0;
}

//@* __isinf
int __cairn_isinf@P(REAL x);
int __isinf@S(REAL x) {
    return __cairn_isinf@P(x) ? (x > 0 ? 1 : -1) : 0;
}

//@* finite
int __cairn_isnan@P(REAL x);
int __cairn_isinf@P(REAL x);
int finite@S(REAL x) {
    return !__cairn_isnan@P(x) && !__cairn_isinf@P(x);
}

//@* __finite
int __cairn_isnan@P(REAL x);
int __cairn_isinf@P(REAL x);
int __finite@S(REAL x) {
    return !__cairn_isnan@P(x) && !__cairn_isinf@P(x);
}

//@* __signbit
int __cairn_signbit@P(REAL x);
int __signbit@S(REAL x) {
    return __cairn_signbit@P(x);
}

//@* __fpclassify
// FP_NAN 0, FP_INFINITE 1, FP_ZERO 2, FP_SUBNORMAL 3, FP_NORMAL 4
int __cairn_isnan@P(REAL x);
int __cairn_isinf@P(REAL x);
REAL __cairn_fabs@P(REAL x);
int __fpclassify@S(REAL x) {
    if (__cairn_isnan@P(x))
        return 0;
    if (__cairn_isinf@P(x))
        return 1;
    if (x == 0)
        return 2;
    REAL smallest = sizeof(REAL) == 4 ? 0x1p-126L : sizeof(REAL) == 8 ? 0x1p-1022L : 0x1p-16382L;
    return __cairn_fabs@P(x) < smallest ? 3 : 4;
}

//@* modf
REAL __cairn_trunc@P(REAL x);
REAL __cairn_copysign@P(REAL x, REAL y);
int __cairn_isinf@P(REAL x);
REAL modf@S(REAL x, REAL *whole) {
    *whole = __cairn_trunc@P(x);
    return __cairn_copysign@P(__cairn_isinf@P(x) ? 0 : x - *whole, x);
}

//@* frexp
// Steps by powers of two are exact.
int __cairn_isnan@P(REAL x);
int __cairn_isinf@P(REAL x);
REAL __cairn_fabs@P(REAL x);
REAL frexp@S(REAL x, int *exponent) {
    *exponent = 0;
    if (x == 0 || __cairn_isnan@P(x) || __cairn_isinf@P(x))
        return x;
    int e = 0;
    for (; __cairn_fabs@P(x) >= 0x1p64f; e += 64)
        x *= 0x1p-64f;
    for (; __cairn_fabs@P(x) < 0x1p-64f; e -= 64)
        x *= 0x1p64f;
    for (; __cairn_fabs@P(x) >= 1; e++)
        x *= 0.5f;
    for (; __cairn_fabs@P(x) < 0.5f; e--)
        x *= 2;
    *exponent = e;
    return x;
}

//@* scalbn
// Only the last step may round, so going down stops short of the subnormal range first.
REAL __model_frexp@S(REAL x, int *exponent);
int __cairn_isnan@P(REAL x);
int __cairn_isinf@P(REAL x);
REAL scalbn@S(REAL x, int n) {
    if (x == 0 || __cairn_isnan@P(x) || __cairn_isinf@P(x))
        return x;
    int e;
    x = __model_frexp@S(x, &e);
    n = n > 100000 ? 100000 : n < -100000 ? -100000 : n;
    n += e;
    // The result is x * 2^n with 0.5 <= |x| < 1. `low` is the least exponent of a normal result.
    int low = sizeof(REAL) == 4 ? -125 : sizeof(REAL) == 8 ? -1021 : -16381;
    int high = 3 - low;
    if (n > high + 1)
        n = high + 1;
    if (n < low - 200)
        n = low - 200;
    int rest = n < low ? low - n : 0;
    n += rest;
    for (; n >= 32; n -= 32)
        x *= 0x1p32f;
    for (; n > 0; n--)
        x *= 2;
    for (; n <= -32; n += 32)
        x *= 0x1p-32f;
    for (; n < 0; n++)
        x *= 0.5f;
    REAL last = 1;
    for (; rest > 0 && last > (sizeof(REAL) == 4 ? 0x1p-120L : 0x1p-200L); rest--)
        last *= 0.5f;
    return x * last;
}

//@* scalbln
REAL __model_scalbn@S(REAL x, int n);
REAL scalbln@S(REAL x, long n) {
    return __model_scalbn@S(x, n > 100000 ? 100000 : n < -100000 ? -100000 : (int)n);
}

//@* ldexp
REAL __model_scalbn@S(REAL x, int n);
REAL ldexp@S(REAL x, int n) {
    return __model_scalbn@S(x, n);
}

//@* logb
int __cairn_isnan@P(REAL x);
int __cairn_isinf@P(REAL x);
REAL __model_frexp@S(REAL x, int *exponent);
REAL logb@S(REAL x) {
    int e;
    if (__cairn_isnan@P(x))
        return x;
    if (__cairn_isinf@P(x))
        return x * x;
    if (x == 0)
        return -1 / (x * x);
    __model_frexp@S(x, &e);
    return e - 1;
}

//@* ilogb
int __cairn_isnan@P(REAL x);
int __cairn_isinf@P(REAL x);
REAL __model_frexp@S(REAL x, int *exponent);
int ilogb@S(REAL x) {
    int e;
    if (x == 0 || __cairn_isnan@P(x))
        return -0x7fffffff - 1;
    if (__cairn_isinf@P(x))
        return 0x7fffffff;
    __model_frexp@S(x, &e);
    return e - 1;
}

//@* sin
REAL __cairn_sin@P(REAL x);
REAL sin@S(REAL x) {
    return __cairn_sin@P(x);
}

//@* cos
REAL __cairn_cos@P(REAL x);
REAL cos@S(REAL x) {
    return __cairn_cos@P(x);
}

//@* tan
REAL __cairn_tan@P(REAL x);
REAL tan@S(REAL x) {
    return __cairn_tan@P(x);
}

//@* asin
REAL __cairn_asin@P(REAL x);
REAL asin@S(REAL x) {
    return __cairn_asin@P(x);
}

//@* acos
REAL __cairn_acos@P(REAL x);
REAL acos@S(REAL x) {
    return __cairn_acos@P(x);
}

//@* atan
REAL __cairn_atan@P(REAL x);
REAL atan@S(REAL x) {
    return __cairn_atan@P(x);
}

//@* sinh
REAL __cairn_sinh@P(REAL x);
REAL sinh@S(REAL x) {
    return __cairn_sinh@P(x);
}

//@* cosh
REAL __cairn_cosh@P(REAL x);
REAL cosh@S(REAL x) {
    return __cairn_cosh@P(x);
}

//@* tanh
REAL __cairn_tanh@P(REAL x);
REAL tanh@S(REAL x) {
    return __cairn_tanh@P(x);
}

//@* asinh
REAL __cairn_asinh@P(REAL x);
REAL asinh@S(REAL x) {
    return __cairn_asinh@P(x);
}

//@* acosh
REAL __cairn_acosh@P(REAL x);
REAL acosh@S(REAL x) {
    return __cairn_acosh@P(x);
}

//@* atanh
REAL __cairn_atanh@P(REAL x);
REAL atanh@S(REAL x) {
    return __cairn_atanh@P(x);
}

//@* exp
REAL __cairn_exp@P(REAL x);
REAL exp@S(REAL x) {
    return __cairn_exp@P(x);
}

//@* exp2
REAL __cairn_exp2@P(REAL x);
REAL exp2@S(REAL x) {
    return __cairn_exp2@P(x);
}

//@* expm1
REAL __cairn_expm1@P(REAL x);
REAL expm1@S(REAL x) {
    return __cairn_expm1@P(x);
}

//@* log
REAL __cairn_log@P(REAL x);
REAL log@S(REAL x) {
    return __cairn_log@P(x);
}

//@* log2
REAL __cairn_log2@P(REAL x);
REAL log2@S(REAL x) {
    return __cairn_log2@P(x);
}

//@* log10
REAL __cairn_log10@P(REAL x);
REAL log10@S(REAL x) {
    return __cairn_log10@P(x);
}

//@* log1p
REAL __cairn_log1p@P(REAL x);
REAL log1p@S(REAL x) {
    return __cairn_log1p@P(x);
}

//@* cbrt
REAL __cairn_cbrt@P(REAL x);
REAL cbrt@S(REAL x) {
    return __cairn_cbrt@P(x);
}

//@* erf
REAL __cairn_erf@P(REAL x);
REAL erf@S(REAL x) {
    return __cairn_erf@P(x);
}

//@* erfc
REAL __cairn_erfc@P(REAL x);
REAL erfc@S(REAL x) {
    return __cairn_erfc@P(x);
}

//@* tgamma
REAL __cairn_tgamma@P(REAL x);
REAL tgamma@S(REAL x) {
    return __cairn_tgamma@P(x);
}

//@* lgamma
REAL __cairn_lgamma@P(REAL x);
REAL lgamma@S(REAL x) {
    return __cairn_lgamma@P(x);
}

//@* atan2
REAL __cairn_atan2@P(REAL x, REAL y);
REAL atan2@S(REAL x, REAL y) {
    return __cairn_atan2@P(x, y);
}

//@* pow
REAL __cairn_pow@P(REAL x, REAL y);
REAL pow@S(REAL x, REAL y) {
    return __cairn_pow@P(x, y);
}

//@* hypot
REAL __cairn_hypot@P(REAL x, REAL y);
REAL hypot@S(REAL x, REAL y) {
    return __cairn_hypot@P(x, y);
}

//@* remainder
REAL __cairn_remainder@P(REAL x, REAL y);
REAL remainder@S(REAL x, REAL y) {
    return __cairn_remainder@P(x, y);
}

//@* fdim
REAL __cairn_fdim@P(REAL x, REAL y);
REAL fdim@S(REAL x, REAL y) {
    return __cairn_fdim@P(x, y);
}

//@* nextafter
REAL __cairn_nextafter@P(REAL x, REAL y);
REAL nextafter@S(REAL x, REAL y) {
    return __cairn_nextafter@P(x, y);
}

//@* fma
REAL __cairn_fma@P(REAL x, REAL y, REAL z);
REAL fma@S(REAL x, REAL y, REAL z) {
    return __cairn_fma@P(x, y, z);
}
