//! Random expressions over floats at boundaries, as one C program that prints the bits of every result.
//!
//! Operands come from tables of bit patterns: zeroes of both signs, subnormals, the smallest and largest
//! numbers, the limits of integers, infinities, NaNs with payloads. Which NaN an operation computes is not
//! defined, and is printed as `nan`; what only copies a value, or acts on its bits, must keep all of them.

use std::fmt::Write;

use oorandom::Rand64;

/// A type, its suffix in the functions of C, and patterns.
struct Float {
    ty: &'static str,
    suffix: &'static str,
    patterns: &'static [&'static str],
}

/// Patterns are arguments of `F`, `D` and `L`, which make floats of bits.
const FLOATS: [Float; 3] = [
    Float {
        ty: "float",
        suffix: "f",
        patterns: &[
            "F(0)",
            "F(0x80000000)",
            "F(1)",
            "F(0x80000003)",
            "F(0x7fffff)",
            "F(0x800000)",
            "F(0x3f800000)",
            "F(0xbf800001)",
            "F(0x4b800001)",
            "F(0xcf000000)",
            "F(0x4effffff)",
            "F(0x4f800000)",
            "F(0x5f000000)",
            "F(0x7f7fffff)",
            "F(0x7f800000)",
            "F(0xff800000)",
            "F(0x7fc00000)",
            "F(0xffc12345)",
            "F(0x3dcccccd)",
        ],
    },
    Float {
        ty: "double",
        suffix: "",
        patterns: &[
            "D(0)",
            "D(0x8000000000000000)",
            "D(1)",
            "D(0x800fffffffffffff)",
            "D(0x10000000000000)",
            "D(0x3ff0000000000000)",
            "D(0xbff8000000000000)",
            "D(0x3fb999999999999a)",
            "D(0x41dfffffffc00000)",
            "D(0xc1e0000000000000)",
            "D(0x41f0000000000000)",
            "D(0x43dfffffffffffff)",
            "D(0xc3e0000000000000)",
            "D(0x43f0000000000000)",
            "D(0x47efffffe0000000)",
            "D(0x47efffffefffffff)",
            "D(0x36a0000000000001)",
            "D(0x7fefffffffffffff)",
            "D(0xfff0000000000000)",
            "D(0x7ff0000000000000)",
            "D(0xfff8000000000000)",
            "D(0x7ffc0000deadbeef)",
            "D(0x4340000000000001)",
        ],
    },
    Float {
        ty: "long double",
        suffix: "l",
        patterns: &[
            "L(0, 0)",
            "L(0, 0x8000)",
            "L(1, 0)",
            "L(0x7fffffffffffffff, 0x8000)",
            "L(0x8000000000000000, 1)",
            "L(0x8000000000000000, 0x3fff)",
            "L(0xc000000000000001, 0xbfff)",
            "L(0xffffffffffffffff, 0x403d)",
            "L(0x8000000000000000, 0xc03e)",
            "L(0xffffffffffffffff, 0x403e)",
            "L(0xffffffffffffffff, 0x7ffe)",
            "L(0x8000000000000000, 0x7fff)",
            "L(0x8000000000000000, 0xffff)",
            "L(0xc000000000001234, 0xffff)",
            "L(0xcccccccccccccccd, 0x3ffb)",
            "L(0xfffffffffffffc00, 0x43fe)",
            "L(0xfffffffffffffbff, 0x3bcd)",
        ],
    },
];

/// A type, what a float must lie above and below to fit into it, and values.
const INTEGERS: [(&str, &str, &str, &[&str]); 8] = [
    ("signed char", "-129", "128", &["-128", "127", "-1"]),
    ("unsigned char", "-1", "256", &["0", "255"]),
    ("short", "-32769", "32768", &["-32768", "32767"]),
    ("int", "-2147483649.0", "2147483648.0", &["(-2147483647 - 1)", "2147483647", "16777217", "-33554435"]),
    ("unsigned", "-1", "4294967296.0", &["4294967295u", "2147483649u", "16777219u"]),
    (
        "long long",
        "-9223372036854775809.0L",
        "9223372036854775808.0",
        &[
            "(-9223372036854775807LL - 1)",
            "9223372036854775807LL",
            "9007199254740993LL",
            "-36028797018963971LL",
        ],
    ),
    (
        "unsigned long long",
        "-1",
        "18446744073709551616.0",
        &["18446744073709551615ull", "9223372036854775809ull", "18446744073709550591ull", "1ull"],
    ),
    ("_Bool", "-1e400L", "1e400L", &["0", "1"]),
];

const PRELUDE: &str = r#"#include <stdio.h>
#include <string.h>

typedef long double real;

/* Floats of bits, and their bits again; nothing on the way is a float in a register. */
#define F(b) ({ unsigned b_ = (b); float f_; memcpy(&f_, &b_, sizeof f_); f_; })
#define D(b) ({ unsigned long long b_ = (b); double f_; memcpy(&f_, &b_, sizeof f_); f_; })
#define L(m, e) ({ unsigned long long m_ = (m); unsigned short e_ = (e); real f_; \
    memset(&f_, 0, sizeof f_); memcpy(&f_, &m_, 8); memcpy((char *)&f_ + 8, &e_, 2); f_; })

static int line;

static void show(const void *bytes, unsigned size) {
    unsigned long long low = 0;
    unsigned short high = 0;
    memcpy(&low, bytes, size < 8 ? size : 8);
    if (size > 8)
        memcpy(&high, (const char *)bytes + 8, 2);
    printf("%d: %u %llx %x\n", line++, size, low, high);
}

static void show_int(unsigned long long v) {
    printf("%d: %llx\n", line++, v);
}

/* All bits of a value; of a computed one that is no NaN. */
#define BITS(x) ({ __typeof__(x) r_ = (x); show(&r_, sizeof r_); })
#define COMPUTED(x) ({ __typeof__(x) r_ = (x); if (r_ != r_) printf("%d: nan\n", line++); else show(&r_, sizeof r_); })
#define INTEGER(x) show_int((unsigned long long)(x))
/* A float as an integer, where it fits. */
#define INT(t, low, high, x) ({ __auto_type f_ = (x); f_ > (low) && f_ < (high) ? (t)f_ : (t)7; })

/* Ways of a value through memory. */
#define THROUGH(t, x) ({ struct { char c; t v[2]; } a_, b_; a_.v[1] = (x); b_ = a_; b_.v[1]; })
#define COPIED(t, x) ({ t a_ = (x), b_; memcpy(&b_, &a_, sizeof b_); b_; })
#define JOINED(t, x) ({ union { t v; unsigned char bytes[sizeof(t)]; } a_, b_; a_.v = (x); \
    for (unsigned i_ = 0; i_ < sizeof(t); i_++) b_.bytes[i_] = a_.bytes[i_]; b_.v; })
"#;

struct Gen {
    random: Rand64,
}

/// A program of `functions` functions with `each` lines of output each.
pub fn program(seed: u64, functions: usize, each: usize) -> String {
    let mut r#gen = Gen { random: Rand64::new(seed.into()) };
    let mut text = PRELUDE.to_owned();
    for f in 0..functions {
        r#gen.function(&mut text, f, each);
    }
    text.push_str("\nint main(void) {\n");
    for f in 0..functions {
        let _ = writeln!(text, "    f{f}();");
    }
    text.push_str("    return 0;\n}\n");
    text
}

impl Gen {
    fn below(&mut self, n: usize) -> usize {
        self.random.rand_range(0..n as u64) as usize
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// Variables `x0_0` to `x2_2` of the floating types and `n0` to `n7` of the integers, then lines.
    fn function(&mut self, text: &mut String, index: usize, each: usize) {
        let _ = writeln!(text, "\nstatic void f{index}(void) {{");
        for (k, float) in FLOATS.iter().enumerate() {
            for n in 0..3 {
                let _ = writeln!(text, "    {} x{k}_{n} = {};", float.ty, self.pick(float.patterns));
            }
        }
        for (k, (ty, _, _, values)) in INTEGERS.iter().enumerate() {
            let _ = writeln!(text, "    {ty} n{k} = {};", self.pick(values));
        }
        for _ in 0..each {
            let line = self.line();
            let _ = writeln!(text, "    {line};");
        }
        text.push_str("}\n");
    }

    fn line(&mut self) -> String {
        let k = self.below(3);
        match self.below(6) {
            0 => format!("BITS({})", self.kept(k, 2)),
            1 => format!("INTEGER({})", self.truth(2)),
            2 => format!("INTEGER({})", self.integer(2)),
            _ => format!("COMPUTED({})", self.computed(k, 3)),
        }
    }

    fn var(&mut self, k: usize) -> String {
        format!("x{k}_{}", self.below(3))
    }

    /// A value whose bits are those of a variable, or changed in a way that is defined.
    fn kept(&mut self, k: usize, depth: usize) -> String {
        if depth == 0 {
            return self.var(k);
        }
        let Float { ty, suffix, .. } = FLOATS[k];
        let value = self.kept(k, depth - 1);
        match self.below(8) {
            0 => format!("-({value})"),
            1 => format!("__builtin_fabs{suffix}({value})"),
            2 => format!("__builtin_copysign{suffix}({value}, {})", self.var(k)),
            3 => format!("THROUGH({ty}, {value})"),
            4 => format!("COPIED({ty}, {value})"),
            5 => format!("JOINED({ty}, {value})"),
            6 => format!("({} ? {value} : {})", self.truth(1), self.var(k)),
            _ => value,
        }
    }

    fn computed(&mut self, k: usize, depth: usize) -> String {
        if depth == 0 {
            return self.kept(k, 1);
        }
        let ty = FLOATS[k].ty;
        match self.below(9) {
            0..=3 => {
                let op = self.pick(&["+", "-", "*", "/"]);
                format!("({} {op} {})", self.computed(k, depth - 1), self.computed(k, depth - 1))
            }
            4 => {
                let from = self.below(3);
                format!("({ty})({})", self.computed(from, depth - 1))
            }
            5 => format!("({ty})({})", self.integer(depth - 1)),
            // The result of an operation with a wider type, narrowed by an assignment.
            6 => {
                let (wider, op) = (self.below(3), self.pick(&["+=", "-=", "*=", "/="]));
                format!("({{ {ty} t_ = {}; t_ {op} {}; t_; }})", self.var(k), self.computed(wider, depth - 1))
            }
            7 => format!("({} ? {} : {})", self.truth(1), self.computed(k, depth - 1), self.var(k)),
            _ => self.kept(k, depth),
        }
    }

    fn integer(&mut self, depth: usize) -> String {
        let n = self.below(INTEGERS.len());
        let (ty, low, high, _) = INTEGERS[n];
        if depth == 0 || self.below(3) == 0 {
            return format!("n{n}");
        }
        let k = self.below(3);
        format!("INT({ty}, {low}, {high}, {})", self.computed(k, depth - 1))
    }

    fn truth(&mut self, depth: usize) -> String {
        let (k, other) = (self.below(3), self.below(3));
        let (a, b) = (self.computed(k, depth - 1), self.computed(other, depth - 1));
        match self.below(9) {
            0 => format!("!({a})"),
            1 => format!("!!__builtin_isnan({a})"),
            2 => format!("!!__builtin_isinf({a})"),
            3 => format!("!!__builtin_signbit({})", self.kept(k, 1)),
            n => format!("({a} {} {b})", ["<", "<=", "==", "!=", ">="][n - 4]),
        }
    }
}
