//! Random expressions at the boundaries of all types, as one C program that
//! prints every result. Operations that C leaves undefined are guarded, so any
//! compiler must print the same.

use std::fmt::Write;

use oorandom::Rand64;

const INTEGERS: &[(&str, &[&str])] = &[
    ("signed char", &["-128", "-1", "0", "127", "85"]),
    ("unsigned char", &["0", "1", "128", "255"]),
    ("char", &["-128", "-2", "126"]),
    ("short", &["-32768", "-1", "32767", "256"]),
    ("unsigned short", &["0", "32768", "65535", "255"]),
    ("int", &["(-2147483647 - 1)", "-1", "0", "1", "2147483647", "65536", "-40000"]),
    ("unsigned", &["0", "1", "2147483648u", "4294967295u", "65535u"]),
    ("long", &["(-2147483647L - 1)", "-1L", "2147483647L", "77L"]),
    ("unsigned long", &["0", "4294967295ul", "2147483648ul", "3ul"]),
    (
        "long long",
        &["(-9223372036854775807LL - 1)", "-1", "9223372036854775807LL", "4294967296LL", "-2147483649LL"],
    ),
    ("unsigned long long", &["0", "18446744073709551615ull", "9223372036854775808ull", "4294967295ull"]),
    ("_Bool", &["0", "1"]),
    ("enum e", &["E_MINUS", "E_ZERO", "E_BIG"]),
];

/// Only where the data model has 128-bit integers.
const WIDE: &[(&str, &[&str])] = &[
    ("__int128", &["-1", "((__int128)1 << 100)", "(-((__int128)1 << 126) * 2)", "12345678901234567LL"]),
    ("unsigned __int128", &["0", "~(unsigned __int128)0", "((unsigned __int128)1 << 64)"]),
];

const FLOATS: &[(&str, &[&str])] = &[
    ("float", &["0.0f", "-0.0f", "1.5f", "16777217.0f", "3.4e38f", "1e-45f", "-2147483648.0f", "0.1f"]),
    ("double", &["0.0", "-1.5", "1e308", "4.9e-324", "9007199254740993.0", "0.1", "18446744073709551615.0"]),
    ("long double", &["0.0L", "-0.1L", "1e4900L", "18446744073709551615.0L", "3.75L"]),
];

/// Bit-fields that take part, with the values they start from.
const BIT_FIELDS: &[(&str, &str)] = &[
    ("s.a", "-3"),
    ("s.b", "5"),
    ("s.c", "0x7fffffff"),
    ("s.d", "-1"),
    ("s.e", "0x1ffffffffull"),
    ("s.f", "1"),
];

const PRELUDE: &str = r#"#include <stdio.h>

enum e { E_MINUS = -1, E_ZERO, E_BIG = 2147483647 };
struct bits { int a : 3; unsigned b : 3; unsigned c : 31; long long d : 40; unsigned long long e : 33; _Bool f : 1; };

/* Undefined operations are replaced by one of their operands. */
#define DIV(x, y) ({ __auto_type x_ = (x); __auto_type y_ = (y); y_ == 0 || y_ == -1 ? x_ : x_ / y_; })
#define REM(x, y) ({ __auto_type x_ = (x); __auto_type y_ = (y); y_ == 0 || y_ == -1 ? x_ : x_ % y_; })
#define SHL(x, y) ({ __auto_type x_ = (x) + 0; x_ << ((y) & (sizeof x_ * 8 - 1)); })
#define SHR(x, y) ({ __auto_type x_ = (x) + 0; x_ >> ((y) & (sizeof x_ * 8 - 1)); })
/* A float as an integer, where it fits into every signed type of 64 bits. */
#define INT(t, x) ({ __auto_type f_ = (x); f_ > -100 && f_ < 100 ? (t)(f_ < 0 && (t)-1 > 0 ? -f_ : f_) : (t)1; })

static int line;

static void show_int(unsigned long long v, unsigned size, int is_signed) {
    printf("%d: %llx %u %d\n", line++, v, size, is_signed);
}

static void show_float(long double v, unsigned size) {
    if (v != v) printf("%d: nan %u\n", line++, size);
    else printf("%d: %La %u\n", line++, v, size);
}

#define INTEGER(x) ({ __auto_type r_ = (x); \
    show_int((unsigned long long)r_, sizeof(x), (__typeof__(+(x)))-1 < 0); \
    if (sizeof r_ > 8) show_int((unsigned long long)(r_ >> (sizeof r_ > 8 ? 64 : 0)), 16, 0); })
#define FLOAT(x) show_float((x), sizeof(x))
"#;

#[derive(Copy, Clone, PartialEq)]
enum Class {
    Int,
    Float,
}

struct Gen {
    random: Rand64,
    integers: Vec<(&'static str, &'static [&'static str])>,
    /// Variables in scope: name, and the class of the value.
    vars: Vec<(String, Class)>,
}

/// A program of `functions` functions with `each` expressions each.
pub fn program(seed: u64, functions: usize, each: usize, wide: bool) -> String {
    let mut integers = INTEGERS.to_vec();
    if wide {
        integers.extend_from_slice(WIDE);
    }
    let mut r#gen = Gen { random: Rand64::new(seed.into()), integers, vars: Vec::new() };
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

    fn function(&mut self, text: &mut String, index: usize, each: usize) {
        let _ = writeln!(text, "\nstatic void f{index}(void) {{");
        self.vars.clear();
        let integers = self.integers.clone();
        for (i, (ty, values)) in integers.iter().chain(FLOATS).enumerate() {
            let class = if i < integers.len() { Class::Int } else { Class::Float };
            for copy in 0..2 {
                let value = self.pick(values);
                let name = format!("v{i}_{copy}");
                let _ = writeln!(text, "    {ty} {name} = {value};");
                self.vars.push((name, class));
            }
        }
        text.push_str("    struct bits s;\n");
        for (field, value) in BIT_FIELDS {
            let _ = writeln!(text, "    {field} = {value};");
            self.vars.push(((*field).to_owned(), Class::Int));
        }
        for _ in 0..each {
            if self.below(5) == 0 {
                self.assignment(text);
            }
            let (expr, class) = self.expr(4);
            let show = if class == Class::Int { "INTEGER" } else { "FLOAT" };
            let _ = writeln!(text, "    {show}({expr});");
        }
        text.push_str("}\n");
    }

    /// A compound assignment or an increment, then the new value.
    fn assignment(&mut self, text: &mut String) {
        let at = self.below(self.vars.len());
        let (name, class) = self.vars[at].clone();
        let statement = match (class, self.below(4)) {
            (_, 0) => format!("{name}{}", self.pick(&["++", "--"])),
            (_, 1) => format!("{}{name}", self.pick(&["++", "--"])),
            (Class::Int, 2) => {
                let shift = self.below(8);
                format!("{name} {} {shift}", self.pick(&["<<=", ">>="]))
            }
            (class, _) => {
                let value = self.of_class(class, 2);
                let ops: &[&str] = match class {
                    Class::Int => &["=", "+=", "-=", "*=", "&=", "|=", "^="],
                    Class::Float => &["=", "+=", "-=", "*=", "/="],
                };
                format!("{name} {} {value}", self.pick(ops))
            }
        };
        // The value of the assignment itself (of a bit-field, sizeof is not allowed).
        let _ = writeln!(text, "    {statement};");
        let show = if class == Class::Int { "INTEGER" } else { "FLOAT" };
        let _ = writeln!(text, "    {show}({name} + 0);");
    }

    fn of_class(&mut self, class: Class, depth: usize) -> String {
        let (text, found) = self.expr(depth);
        match (class, found) {
            (Class::Int, Class::Float) => {
                let ty = self.pick(&[
                    "int",
                    "signed char",
                    "unsigned short",
                    "long long",
                    "unsigned",
                    "unsigned long",
                ]);
                format!("INT({ty}, {text})")
            }
            (Class::Float, Class::Int) => format!("({})({text})", self.pick(FLOATS).0),
            _ => text,
        }
    }

    fn int(&mut self, depth: usize) -> String {
        self.of_class(Class::Int, depth)
    }

    /// An expression and whether its value is an integer.
    fn expr(&mut self, depth: usize) -> (String, Class) {
        if depth == 0 || self.below(8) == 0 {
            return self.leaf();
        }
        match self.below(16) {
            0..5 => {
                let ((x, a), (y, b)) = (self.expr(depth - 1), self.expr(depth - 1));
                let class = if a == Class::Int && b == Class::Int { Class::Int } else { Class::Float };
                let op =
                    self.pick(if class == Class::Int { &["+", "-", "*"] } else { &["+", "-", "*", "/"] });
                (format!("({x} {op} {y})"), class)
            }
            5 | 6 => {
                let (x, y) = (self.int(depth - 1), self.int(depth - 1));
                (format!("({x} {} {y})", self.pick(&["&", "|", "^"])), Class::Int)
            }
            7 => {
                let (x, y) = (self.int(depth - 1), self.int(depth - 1));
                (format!("{}({x}, {y})", self.pick(&["DIV", "REM"])), Class::Int)
            }
            8 => {
                let (x, y) = (self.int(depth - 1), self.int(depth - 1));
                (format!("{}({x}, {y})", self.pick(&["SHL", "SHR"])), Class::Int)
            }
            9 | 10 => {
                let ((x, _), (y, _)) = (self.expr(depth - 1), self.expr(depth - 1));
                let op = self.pick(&["<", ">", "<=", ">=", "==", "!=", "&&", "||"]);
                (format!("({x} {op} {y})"), Class::Int)
            }
            11 => {
                let (c, _) = self.expr(depth - 1);
                let class = self.pick(&[Class::Int, Class::Float]);
                let (x, y) = (self.of_class(class, depth - 1), self.of_class(class, depth - 1));
                (format!("({c} ? {x} : {y})"), class)
            }
            12 => {
                let (x, class) = self.expr(depth - 1);
                (format!("({} {x})", self.pick(&["-", "+"])), class)
            }
            13 => {
                let x = self.int(depth - 1);
                (format!("({} {x})", self.pick(&["~", "!"])), Class::Int)
            }
            _ => {
                let x = self.int(depth - 1);
                let integers = self.integers.clone();
                let all: Vec<_> = integers.iter().map(|t| (t.0, Class::Int)).collect();
                let floats: Vec<_> = FLOATS.iter().map(|t| (t.0, Class::Float)).collect();
                let (ty, class) = self.pick(&[all, floats].concat());
                (format!("(({ty}){x})"), class)
            }
        }
    }

    fn leaf(&mut self) -> (String, Class) {
        if self.below(3) == 0 {
            let float = self.below(4) == 0;
            let integers = self.integers.clone();
            let (ty, values) = self.pick(if float { FLOATS } else { &integers });
            let value = self.pick(values);
            (format!("(({ty}){value})"), if float { Class::Float } else { Class::Int })
        } else {
            let at = self.below(self.vars.len());
            let (name, class) = self.vars[at].clone();
            // Neither typeof nor sizeof takes a bit-field, and arithmetic on one that is wider than
            // int happens in its own odd width, for which shift counts cannot be guarded.
            let text = match name.as_str() {
                "s.d" => "((long long)s.d)".to_owned(),
                "s.e" => "((unsigned long long)s.e)".to_owned(),
                _ if name.starts_with("s.") => format!("({name} + 0)"),
                _ => name,
            };
            (text, class)
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn programs_are_deterministic() {
        assert_eq!(super::program(1, 2, 3, true), super::program(1, 2, 3, true));
        assert_ne!(super::program(1, 2, 3, true), super::program(2, 2, 3, true));
    }
}
