//! The faults that are planted, each with a program in which it makes a check hold
//! that can fail: without the attack, the verdict would be a wrong TRUE.

use super::misread::{self as m, Fault};

/// A fault and the program it spoils. `check(c)` is the check; `i` to `n` are inputs.
pub struct Planted {
    pub name: &'static str,
    pub fault: Fault,
    pub body: &'static str,
}

macro_rules! planted {
    ($($name:literal, $fault:expr, $body:literal;)*) => {
        &[$(Planted { name: $name, fault: $fault, body: $body }),*]
    };
}

use Fault::{Expr, Initialisers, Model, Op, Result};

pub const FAULTS: &[Planted] = planted! {
    "signed division rounds down", Expr(m::sdiv_floors), "int x = in(); check(x / 2 * 2 <= x);";
    "the remainder is never negative", Expr(m::srem_not_negative), "int x = in(); check(x % 8 >= 0);";
    "unsigned division is signed", Expr(m::udiv_signed),
        "unsigned x = in(), q = x / 2u; check(q <= 0x3fffffffu || q >= 0xc0000000u);";
    "unsigned remainder is signed", Expr(m::urem_signed),
        "unsigned x = in(); if (x == 4000000000u) check(x % 10u != 0);";
    "a shift of negative numbers shifts in zeros", Expr(m::ashr_logical), "int x = in(); check((x >> 1) >= 0);";
    "an unsigned shift shifts in signs", Expr(m::lshr_arithmetic),
        "unsigned x = in(), y = x >> 1; check(y <= 0x3fffffffu || y >= 0xc0000000u);";
    "the count of a shift is masked", Expr(m::shift_count_masked),
        "unsigned n = in(); check(n > 31 || (1u << n) <= 0x8000u);";
    "sign extension puts in zeros", Expr(m::sign_extension_of_zeros),
        "signed char c = in(); int y = c; check(y >= 0);";
    "zero extension puts in signs", Expr(m::zero_extension_of_signs),
        "unsigned char c = in(); int y = c; check(y <= 127);";
    "truncation loses a bit", Expr(m::truncation_loses_a_bit),
        "int x = in(); unsigned char c = (unsigned char)x; check(c <= 127);";
    "signed < is unsigned", Expr(m::less_unsigned), "int x = in(); int below = x < 0; check(below == 0);";
    "unsigned < is signed", Expr(m::less_signed),
        "unsigned x = in(); int below = x < 10u; if (x == 0xfffffff0u) check(below == 1);";
    "< is <=", Expr(m::less_or_equal), "int x = in(); int below = x < 100; if (x == 100) check(below == 1);";
    "a sum never overflows", Expr(m::sum_never_overflows),
        "int x = in(), r; check(__builtin_add_overflow(x, 1, &r) == 0);";
    "a signed product overflows as an unsigned one", Expr(m::mul_overflow_unsigned),
        "int x = in(), r; int o = __builtin_mul_overflow(x, 2, &r); if (x == -1) check(o == 1);";
    "a difference is swapped", Expr(m::difference_swapped),
        "int a = in(), b = in(); if (a == 5 && b == 3) check(a - b == -2);";
    "an unsigned product loses its highest bit", Expr(m::product_loses_the_top),
        "unsigned a = in(); check(a * 3u <= 0x7fffffffu);";
    "exclusive or is or", Expr(m::xor_as_or), "unsigned a = in(), b = in(); check((a ^ b) >= (a & b));";
    "the complement is minus", Expr(m::complement_as_minus), "int x = in(); check(~x == -x);";
    "leading zeros are trailing zeros", Expr(m::clz_as_ctz),
        "unsigned x = in(); if (x == 1) check(__builtin_clz(x) == 0);";
    "the highest bit is not counted", Expr(m::popcount_misses_the_top),
        "unsigned x = in(); check(__builtin_popcount(x) <= 31);";
    "bytes are not swapped", Expr(m::bswap_does_nothing), "unsigned x = in(); check(__builtin_bswap32(x) == x);";
    "the sides of ?: are swapped", Expr(m::selection_swapped),
        "int x = in(); int y = x > 0 ? 1 : 2; check(x <= 0 || y == 2);";
    "doubles are added as floats", Expr(m::double_sum_in_float),
        "double x = ind(), y = x + 1.0; if (x == 16777216.0) check(y == 16777216.0);";
    "NaN is less than anything", Expr(m::nan_is_less), "double x = ind(); if (x != x) check(x < 1.0);";
    "NaN equals itself", Expr(m::nan_equals_itself), "double x = ind(); check(!(x != x));";
    "minus is a difference from zero", Expr(m::minus_as_difference),
        "double x = ind(), y = -x; if (x == 0.0) check(1.0 / y > 0.0);";
    "the copied sign is lost", Expr(m::copysign_forgets_the_sign),
        "double y = ind(); if (y < 0.0) check(__builtin_copysign(2.0, y) > 0.0);";
    "a conversion to an integer rounds", Expr(m::conversion_to_int_rounds),
        "double x = ind(); if (x == 2.75) check((int)x == 3);";
    "an unsigned number is converted as a signed one", Expr(m::conversion_of_unsigned_is_signed),
        "unsigned u = in(); check((double)u < 2147483648.0);";
    "a float is as exact as a double", Expr(m::float_keeps_what_double_has),
        "double d = ind(); if (d == d) check((double)(float)d == d);";
    "the absolute value keeps the sign", Expr(m::fabs_does_nothing),
        "double x = ind(); if (x == -1.5) check(__builtin_fabs(x) < 0.0);";
    "floor cuts off", Expr(m::floor_as_trunc), "double x = ind(); if (x == -1.5) check(__builtin_floor(x) == -1.0);";
    "a difference of pointers is swapped", Expr(m::pointer_difference_swapped),
        "static int a[8]; unsigned k = in(); int *p = a + (k & 7); check(p - a <= 0);";
    "a bit-field is read short", Op(m::field_read_short),
        "static struct { unsigned f : 4; unsigned g : 4; } s; s.f = in(); check(s.f <= 7);";
    "a bit-field is written short", Op(m::field_written_short),
        "static struct { unsigned f : 4; unsigned g : 4; } s; s.f = in(); check(s.f <= 7);";
    "a copy is short", Op(m::copy_short),
        "static struct s { int a; char b[4]; } s, t; s.b[3] = in(); t = s; check(t.b[3] == 0);";
    "a fill is short", Op(m::fill_short),
        "static char b[4]; __builtin_memset(b, in(), 4); check(b[3] == 0);";
    "arguments are swapped", Op(m::arguments_swapped),
        "int a = in(), b = in(); if (a == 7 && b == 2) check(minus(a, b) == -5);";
    "initialisers are read backwards", Initialisers,
        "static unsigned char t[4] = {1, 2, 3, 4}; unsigned k = in(); if (k == 0) check(t[k] == 4);";
    "strlen counts the end", Result("strlen", m::one_more),
        "char s[3] = {in(), in(), 0}; check(strlen(s) >= 1);";
    "strcmp is swapped", Model("strcmp", m::difference_swapped),
        "char s[2] = {in(), 0}; if (s[0] == 'a') check(strcmp(s, \"b\") > 0);";
    "memcmp compares signed bytes", Model("memcmp", m::zero_extension_of_signs),
        "unsigned char a = in(), b = 1; if (a == 0x80) check(memcmp(&a, &b, 1) < 0);";
    "isalpha does not know Z", Model("isalpha", m::z_as_y), "int c = in(); if (c == 'Z') check(isalpha(c) == 0);";
    "isdigit does not know 9", Model("isdigit", m::nine_as_eight),
        "int c = in(); if (c == '9') check(isdigit(c) == 0);";
    "toupper is one beside", Model("toupper", m::distance_of_cases),
        "int c = in(); if (c == 'a') check(toupper(c) == 'B');";
    "abs keeps the sign", Model("abs", m::no_minus), "int x = in(); if (x == -5) check(abs(x) == -5);";
    "atoi knows no minus", Model("__cairn_parse_integer", m::no_plus),
        "char s[3] = {in(), '5', 0}; if (s[0] == '-') check(atoi(s) == 0);";
    "strncmp is swapped", Model("strncmp", m::difference_swapped),
        "char s[2] = {in(), 0}; if (s[0] == 'a') check(strncmp(s, \"b\", 1) > 0);";
    "memchr misses the last byte", Model("memchr", m::less_one_short),
        "char s[3] = {1, 1, in()}; if (s[2] == 9) check(memchr(s, 9, 3) == 0);";
    // In programs that look at addresses, which are inputs there.
    "truncation of an address loses a bit", Expr(m::truncation_loses_a_bit),
        "static int z; unsigned char c = (unsigned char)((unsigned long)&z >> 4); check(c <= 127);";
    "the complement of an address is minus", Expr(m::complement_as_minus),
        "static int z; unsigned long a = (unsigned long)&z; check(~a == -a);";
    "a difference of addresses is swapped", Expr(m::difference_swapped),
        "static int z[4]; long d = (long)&z[2] - (long)z; check(d == -8);";
    "exclusive or of addresses is or", Expr(m::xor_as_or),
        "static int y, z; unsigned long a = (unsigned long)&y, b = (unsigned long)&z; check((a ^ b) >= (a & b));";
    "division rounds down beside an address", Expr(m::sdiv_floors),
        "static int z; int x = in(); if ((unsigned long)&z > 64) check(x / 2 * 2 <= x);";
    "< is <= beside an address", Expr(m::less_or_equal),
        "static int z; int x = in(); int b = x < 100; if ((unsigned long)&z % 4 == 0 && x == 100) check(b == 1);";
    "a byte of an address is extended by signs", Expr(m::zero_extension_of_signs),
        "static int z, *p; p = &z; int v = ((unsigned char *)&p)[1]; if ((unsigned long)p > 64) check(v <= 127);";
};
