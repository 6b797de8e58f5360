// Mathematics, in the three precisions. A section that starts with `//@*` is a
// template: REAL is the type, @S the suffix of the C names and @P that of the vocabulary.

//@* fabs
REAL __cairn_fabs@P(REAL x);
REAL fabs@S(REAL x) {
    return __cairn_fabs@P(x);
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

//@* roundeven
// To nearest in every mode.
REAL __cairn_floor@P(REAL x);
REAL __cairn_copysign@P(REAL x, REAL y);
REAL roundeven@S(REAL x) {
    REAL low = __cairn_floor@P(x), rest = x - low, half = __cairn_floor@P(low / 2);
    if (!(low - low == 0))
        return x + x;
    return __cairn_copysign@P(rest > 0.5f || (rest == 0.5f && half + half != low) ? low + 1 : low, x);
}

//@ __cairn_math_error
int *__errno_location(void);
// Domain errors are EDOM (33), range errors ERANGE (34).
void __cairn_math_error(int error) {
    *__errno_location() = error;
}

//@* sqrt
REAL __cairn_sqrt@P(REAL x);
void __cairn_math_error(int error);
REAL sqrt@S(REAL x) {
    if (x < 0)
        __cairn_math_error(33);
    return __cairn_sqrt@P(x);
}

//@* lround
// What does not fit is what x86 makes of it.
REAL __cairn_round@P(REAL x);
long lround@S(REAL x) {
    long least = sizeof(long) == 4 ? -0x7fffffffL - 1 : -0x7fffffffffffffffLL - 1;
    REAL r = __cairn_round@P(x);
    return r >= least && r < -(REAL)least ? (long)r : least;
}

//@* llround
REAL __cairn_round@P(REAL x);
long long llround@S(REAL x) {
    long long least = -0x7fffffffffffffffLL - 1;
    REAL r = __cairn_round@P(x);
    return r >= least && r < -(REAL)least ? (long long)r : least;
}

//@* lrint
REAL __cairn_rint@P(REAL x);
long lrint@S(REAL x) {
    long least = sizeof(long) == 4 ? -0x7fffffffL - 1 : -0x7fffffffffffffffLL - 1;
    REAL r = __cairn_rint@P(x);
    return r >= least && r < -(REAL)least ? (long)r : least;
}

//@* llrint
REAL __cairn_rint@P(REAL x);
long long llrint@S(REAL x) {
    long long least = -0x7fffffffffffffffLL - 1;
    REAL r = __cairn_rint@P(x);
    return r >= least && r < -(REAL)least ? (long long)r : least;
}

//@* fmod
REAL __cairn_fmod@P(REAL x, REAL y);
int __cairn_isnan@P(REAL x);
int __cairn_isinf@P(REAL x);
void __cairn_math_error(int error);
REAL fmod@S(REAL x, REAL y) {
    if ((__cairn_isinf@P(x) && !__cairn_isnan@P(y)) || (y == 0 && !__cairn_isnan@P(x)))
        __cairn_math_error(33);
    return __cairn_fmod@P(x, y);
}

//@* __cairn_near_remainder
// The remainder of finite numbers, of which the divisor is positive, with the quotient rounded to
// nearest, and the last bits of the quotient. All differences are exact.
REAL __cairn_fmod@P(REAL x, REAL y);
REAL __cairn_fabs@P(REAL x);
REAL __cairn_copysign@P(REAL x, REAL y);
REAL __cairn_near_remainder@S(REAL x, REAL y, int *quotient) {
    REAL largest = sizeof(REAL) == 4 ? 0x1p126L : sizeof(REAL) == 8 ? 0x1p1022L : 0x1p16382L;
    REAL least = sizeof(REAL) == 4 ? 0x1p-125L : sizeof(REAL) == 8 ? 0x1p-1021L : 0x1p-16381L;
    REAL r = __cairn_fabs@P(x);
    int q = 0;
    // Modulo eight times the divisor, as far as that is a number.
    if (y < largest / 4) {
        r = __cairn_fmod@P(r, 8 * y);
        if (r >= 4 * y) {
            r -= 4 * y;
            q += 4;
        }
    }
    if (y < largest && r >= 2 * y) {
        r -= 2 * y;
        q += 2;
    }
    // Now less than twice the divisor, or the divisor is more than half of all numbers.
    int up = 0;
    if (y < least) {
        if (r + r > y) {
            r -= y;
            q++;
            up = r + r >= y;
        }
    } else {
        REAL half = y / 2;
        if (r > half) {
            r -= y;
            q++;
            up = r >= half;
        }
    }
    // A tie goes to the even quotient.
    if (up) {
        r -= y;
        q++;
    } else if (q % 2 == 1 && (y < least ? r + r == -y : r == -(y / 2))) {
        r += y;
        q--;
    }
    *quotient = q;
    return r == 0 ? __cairn_copysign@P(0, x) : x < 0 ? -r : r;
}

//@* remainder
REAL __cairn_near_remainder@S(REAL x, REAL y, int *quotient);
int __cairn_isnan@P(REAL x);
int __cairn_isinf@P(REAL x);
REAL __cairn_fabs@P(REAL x);
void __cairn_math_error(int error);
REAL remainder@S(REAL x, REAL y) {
    int q;
    if (__cairn_isnan@P(x) || __cairn_isnan@P(y))
        return x + y;
    if (__cairn_isinf@P(x) || y == 0) {
        __cairn_math_error(33);
        return (x * y) / (x * y);
    }
    if (__cairn_isinf@P(y))
        return x;
    return __cairn_near_remainder@S(x, __cairn_fabs@P(y), &q);
}

//@* drem
REAL __model_remainder@S(REAL x, REAL y);
REAL drem@S(REAL x, REAL y) {
    return __model_remainder@S(x, y);
}

//@* remquo
REAL __cairn_near_remainder@S(REAL x, REAL y, int *quotient);
int __cairn_isnan@P(REAL x);
int __cairn_isinf@P(REAL x);
int __cairn_signbit@P(REAL x);
REAL __cairn_fabs@P(REAL x);
REAL remquo@S(REAL x, REAL y, int *quotient) {
    int q;
    // What is stored then is not specified; glibc stores nothing.
    if (__cairn_isnan@P(x) || __cairn_isnan@P(y) || __cairn_isinf@P(x) || y == 0)
        return (x * y) / (x * y);
    if (__cairn_isinf@P(y)) {
        *quotient = 0;
        return x;
    }
    REAL r = __cairn_near_remainder@S(x, __cairn_fabs@P(y), &q);
    *quotient = __cairn_signbit@P(x) != __cairn_signbit@P(y) ? -q : q;
    return r;
}

//@* fdim
int __cairn_isnan@P(REAL x);
int __cairn_isinf@P(REAL x);
void __cairn_math_error(int error);
REAL fdim@S(REAL x, REAL y) {
    if (x <= y)
        return 0;
    REAL r = x - y;
    if (__cairn_isinf@P(r) && !__cairn_isinf@P(x) && !__cairn_isinf@P(y))
        __cairn_math_error(34);
    return r;
}

//@ __cairn_fieldf
// The exponent as it is stored, and a number with another one.
int __cairn_fieldf(float x) {
    union { float x; unsigned bits; } w;
    w.x = x;
    return w.bits >> 23 & 0xff;
}

//@ __cairn_field
int __cairn_field(double x) {
    union { double x; unsigned long long bits; } w;
    w.x = x;
    return (int)(w.bits >> 52) & 0x7ff;
}

//@ __cairn_fieldl
int __cairn_fieldl(long double x) {
    union { long double x; struct { unsigned long long significand; unsigned short exponent; } s; } w;
    w.x = x;
    return w.s.exponent & 0x7fff;
}

//@ __cairn_with_fieldf
float __cairn_with_fieldf(float x, int field) {
    union { float x; unsigned bits; } w;
    w.x = x;
    w.bits = (w.bits & 0x807fffff) | (unsigned)field << 23;
    return w.x;
}

//@ __cairn_with_field
double __cairn_with_field(double x, int field) {
    union { double x; unsigned long long bits; } w;
    w.x = x;
    w.bits = (w.bits & 0x800fffffffffffff) | (unsigned long long)field << 52;
    return w.x;
}

//@ __cairn_with_fieldl
long double __cairn_with_fieldl(long double x, int field) {
    union { long double x; struct { unsigned long long significand; unsigned short exponent; } s; } w;
    w.x = x;
    w.s.exponent = (w.s.exponent & 0x8000) | field;
    return w.x;
}

//@ __cairn_stepf
// The next number away from zero or towards it; not from zero towards it.
float __cairn_stepf(float x, int away) {
    union { float x; unsigned bits; } w;
    w.x = x;
    w.bits += away ? 1 : -1;
    return w.x;
}

//@ __cairn_step
double __cairn_step(double x, int away) {
    union { double x; unsigned long long bits; } w;
    w.x = x;
    w.bits += away ? 1 : -1;
    return w.x;
}

//@ __cairn_stepl
// The leading bit of the significand is stored. It is set if and only if the exponent is not zero.
long double __cairn_stepl(long double x, int away) {
    union { long double x; struct { unsigned long long significand; unsigned short exponent; } s; } w;
    const unsigned long long lead = 0x8000000000000000;
    w.x = x;
    if (away) {
        w.s.significand++;
        if (w.s.significand == 0) {
            w.s.significand = lead;
            w.s.exponent++;
        } else if (w.s.significand == lead)
            w.s.exponent |= 1; // the least normal number
    } else {
        int normal = w.s.significand >= lead;
        w.s.significand--;
        if (normal && w.s.significand < lead) {
            w.s.exponent--;
            if (w.s.exponent & 0x7fff)
                w.s.significand |= lead;
        }
    }
    return w.x;
}

//@* frexp
int __cairn_field@S(REAL x);
REAL __cairn_with_field@S(REAL x, int field);
REAL frexp@S(REAL x, int *exponent) {
    int top = sizeof(REAL) == 4 ? 0xff : sizeof(REAL) == 8 ? 0x7ff : 0x7fff;
    int field = __cairn_field@S(x), low = 0;
    *exponent = 0;
    if (x == 0)
        return x;
    if (field == top)
        return x + x;
    if (field == 0) {
        // Exact, and normal then.
        x *= 0x1p64f;
        low = 64;
        field = __cairn_field@S(x);
    }
    *exponent = field - low - (top / 2 - 1);
    return __cairn_with_field@S(x, top / 2 - 1);
}

//@* __cairn_scale
int __cairn_field@S(REAL x);
REAL __cairn_with_field@S(REAL x, int field);
REAL __cairn_copysign@P(REAL x, REAL y);
void __cairn_math_error(int error);
// x * 2^n, rounded once.
REAL __cairn_scale@S(REAL x, long n) {
    int top = sizeof(REAL) == 4 ? 0xff : sizeof(REAL) == 8 ? 0x7ff : 0x7fff;
    int field = __cairn_field@S(x), low = 0;
    if (x == 0)
        return x;
    if (field == top)
        return x + x;
    if (field == 0) {
        x *= 0x1p64f;
        low = 64;
        field = __cairn_field@S(x);
    }
    n = n > 100000 ? 100000 : n < -100000 ? -100000 : n;
    n += field - low;
    REAL r;
    if (n >= top) {
        REAL large = __cairn_with_field@S(1, top - 1);
        r = __cairn_copysign@P(large, x) * large;
        __cairn_math_error(34);
    } else if (n >= 1) {
        r = __cairn_with_field@S(x, (int)n);
    } else {
        if (n < -118)
            n = -118;
        r = __cairn_with_field@S(x, (int)n + 120) * 0x1p-120f;
        if (r == 0)
            __cairn_math_error(34);
    }
    return r;
}

//@* scalbn
REAL __cairn_scale@S(REAL x, long n);
REAL scalbn@S(REAL x, int n) {
    return __cairn_scale@S(x, n);
}

//@* scalbln
REAL __cairn_scale@S(REAL x, long n);
REAL scalbln@S(REAL x, long n) {
    return __cairn_scale@S(x, n);
}

//@* ldexp
REAL __cairn_scale@S(REAL x, long n);
REAL ldexp@S(REAL x, int n) {
    return __cairn_scale@S(x, n);
}

//@* __cairn_logarithm
// The exponent of a number that is neither zero nor infinite nor a NaN.
int __cairn_field@S(REAL x);
int __cairn_logarithm@S(REAL x) {
    int bias = sizeof(REAL) == 4 ? 0x7f : sizeof(REAL) == 8 ? 0x3ff : 0x3fff;
    int field = __cairn_field@S(x);
    if (field == 0)
        return __cairn_field@S(x * 0x1p64f) - 64 - bias;
    return field - bias;
}

//@* logb
int __cairn_isnan@P(REAL x);
int __cairn_isinf@P(REAL x);
int __cairn_logarithm@S(REAL x);
// As in glibc, the pole is not reported in errno.
REAL logb@S(REAL x) {
    if (__cairn_isnan@P(x) || __cairn_isinf@P(x))
        return x * x;
    if (x == 0)
        return -1 / (x * x);
    return __cairn_logarithm@S(x);
}

//@* ilogb
int __cairn_isnan@P(REAL x);
int __cairn_isinf@P(REAL x);
int __cairn_logarithm@S(REAL x);
void __cairn_math_error(int error);
int ilogb@S(REAL x) {
    if (x == 0 || __cairn_isnan@P(x) || __cairn_isinf@P(x)) {
        __cairn_math_error(33);
        return __cairn_isinf@P(x) ? 0x7fffffff : -0x7fffffff - 1;
    }
    return __cairn_logarithm@S(x);
}

//@* modf
REAL __cairn_trunc@P(REAL x);
REAL __cairn_copysign@P(REAL x, REAL y);
int __cairn_isinf@P(REAL x);
REAL modf@S(REAL x, REAL *whole) {
    REAL w = __cairn_trunc@P(x);
    *whole = w;
    return __cairn_copysign@P(__cairn_isinf@P(x) ? 0 : x - w, x);
}

//@* __cairn_next
// The neighbour of a number that is not zero.
REAL __cairn_step@S(REAL x, int away);
int __cairn_field@S(REAL x);
void __cairn_math_error(int error);
REAL __cairn_next@S(REAL x, int up) {
    int top = sizeof(REAL) == 4 ? 0xff : sizeof(REAL) == 8 ? 0x7ff : 0x7fff;
    REAL r = __cairn_step@S(x, up == (x > 0));
    int field = __cairn_field@S(r);
    if (field == top || field == 0)
        __cairn_math_error(34);
    return r;
}

//@* nextafter
REAL __cairn_next@S(REAL x, int up);
REAL __cairn_step@S(REAL x, int away);
int __cairn_isnan@P(REAL x);
REAL __cairn_copysign@P(REAL x, REAL y);
REAL nextafter@S(REAL x, REAL y) {
    if (__cairn_isnan@P(x) || __cairn_isnan@P(y))
        return x + y;
    if (x == y)
        return y;
    if (x == 0)
        return __cairn_copysign@P(__cairn_step@S(0, 1), y);
    return __cairn_next@S(x, x < y);
}

//@* nexttoward
REAL __cairn_next@S(REAL x, int up);
REAL __cairn_step@S(REAL x, int away);
int __cairn_isnan@P(REAL x);
int __cairn_isnan_l(long double x);
REAL __cairn_copysign@P(REAL x, REAL y);
REAL nexttoward@S(REAL x, long double y) {
    if (__cairn_isnan@P(x) || __cairn_isnan_l(y))
        return x + y;
    if (x == y)
        return y;
    if (x == 0)
        return __cairn_copysign@P(__cairn_step@S(0, 1), y > 0 ? 1 : -1);
    return __cairn_next@S(x, x < y);
}

//@ fmaf
// The product of two floats is exact as a double; the sum is rounded to odd there, so that
// the second rounding sees what was lost (Boldo and Melquiond, "Emulation of FMA"). Rounding
// twice in one direction loses nothing.
int __cairn_rounding_mode(void);
float fmaf(float x, float y, float z) {
    union { double x; unsigned long long bits; } s;
    double p = (double)x * y;
    s.x = p + z;
    double t = s.x - p;
    double lost = (p - (s.x - t)) + (z - t);
    if (__cairn_rounding_mode() == 0 && s.x - s.x == 0 && lost != 0 && s.bits % 2 == 0)
        s.bits += (lost > 0) == (s.x > 0) ? 1 : -1;
    return (float)s.x;
}

//@ fma
int __cairn_rounding_mode(void);
double fma(double x, double y, double z) {
    union { _Float128 x; struct { unsigned long long low, high; } bits; } s;
    _Float128 p = (_Float128)x * y;
    s.x = p + z;
    _Float128 t = s.x - p;
    _Float128 lost = (p - (s.x - t)) + (z - t);
    if (__cairn_rounding_mode() == 0 && s.x - s.x == 0 && lost != 0 && s.bits.low % 2 == 0) {
        if ((lost > 0) == (s.x > 0))
            s.bits.low++;
        else {
            s.bits.high -= s.bits.low == 0;
            s.bits.low--;
        }
    }
    return (double)s.x;
}

//@ fmal
long double __cairn_fma_l(long double x, long double y, long double z);
long double fmal(long double x, long double y, long double z) {
    return __cairn_fma_l(x, y, z);
}

//@ __cairn_payload
// What `nan` makes of its argument: a number in C's notation, or nothing.
unsigned long long __cairn_payload(const char *tag) {
    unsigned long long value = 0;
    int base = 10;
    if (tag[0] == '0') {
        base = tag[1] == 'x' || tag[1] == 'X' ? 16 : 8;
        tag += base == 16 ? 2 : 1;
    }
    for (; *tag; tag++) {
        int d = *tag;
        d = d >= '0' && d <= '9' ? d - '0' : d >= 'a' && d <= 'f' ? d - 'a' + 10 : d >= 'A' && d <= 'F' ? d - 'A' + 10 : 99;
        if (d >= base)
            return 0;
        value = value * base + d;
    }
    return value;
}

//@ nan
unsigned long long __cairn_payload(const char *tag);
double nan(const char *tag) {
    union { unsigned long long bits; double x; } w;
    w.bits = (__cairn_payload(tag) & 0x7ffffffffffff) | 0x7ff8000000000000;
    return w.x;
}

//@ nanf
unsigned long long __cairn_payload(const char *tag);
float nanf(const char *tag) {
    union { unsigned bits; float x; } w;
    w.bits = (__cairn_payload(tag) & 0x3fffff) | 0x7fc00000;
    return w.x;
}

//@ nanl
unsigned long long __cairn_payload(const char *tag);
long double nanl(const char *tag) {
    union { struct { unsigned long long significand; unsigned short exponent; } s; long double x; } w;
    w.s.significand = (__cairn_payload(tag) & 0x3fffffffffffffff) | 0xc000000000000000;
    w.s.exponent = 0x7fff;
    return w.x;
}
