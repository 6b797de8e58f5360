//! The definitions in `cairn_value` against what gcc makes of the same C:
//! operators, conversions, literals and printing at the boundaries of every
//! type. All cases of a data model are one C program, compiled once at `-O0`.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::Command;

use cairn_base::DataModel;
use cairn_value::float::{self, Conversion};
use cairn_value::{BinOp, Bits, FloatTy, IntTy, Ty, UnOp, eval};

/// A fixed stream of pseudo-random numbers (splitmix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn bits(&mut self) -> u128 {
        u128::from(self.next()) << 64 | u128::from(self.next())
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    fn int(&mut self, i: IntTy) -> Bits {
        let near = |at: i128, r: &mut Random| i.wrap(at.wrapping_add(r.below(5) as i128 - 2));
        match self.below(8) {
            0 => near(0, self),
            1 => near(i.min(), self),
            2 => near(i.max_bits() as i128, self),
            3 | 4 => {
                let at = 1i128 << self.below(usize::from(i.bits).min(127));
                near(if self.below(2) == 0 { at } else { -at }, self)
            }
            5 => i.wrap(self.below(100) as i128 - 50),
            _ => self.bits() & i.mask(),
        }
    }

    fn float(&mut self, f: FloatTy) -> Bits {
        let v = match self.below(10) {
            0 => self.pick(&["0", "1", "0.5", "1.5", "2.5", "0.1", "3", "1e9", "0x1p31", "0x1p63", "0x1p24"]),
            1 => self.pick(&[
                "16777217",
                "0x1.fffffep127",
                "0x1p-126",
                "0x1p-149",
                "0x1p-1074",
                "1e4000",
                "0x1p-16445",
            ]),
            2 => "",
            3 => return self.small(f, 40, 80),
            4 => return self.small(f, 8, 12),
            5 => return self.small(f, 64, 128),
            _ => return self.pattern(f),
        };
        let magnitude = match v {
            "" => self.pick(&[0, 1, 2, float::infinity(f, false), float::infinity(f, false) - 1]),
            text => float::parse(f, text).unwrap(),
        };
        let magnitude = if f == FloatTy::X80 { valid_x80(magnitude) } else { magnitude };
        if self.below(2) == 0 { magnitude } else { eval::unary(UnOp::Neg, Ty::Float(f), magnitude).unwrap() }
    }

    /// A number of about `spread` bits around 1.
    fn small(&mut self, f: FloatTy, digits: usize, spread: usize) -> Bits {
        let significand = self.bits() >> (128 - 1 - self.below(digits));
        float::round_pack(f, self.below(2) == 0, significand, self.below(spread) as i32 - spread as i32 / 2)
    }

    fn pattern(&mut self, f: FloatTy) -> Bits {
        let v = self.bits() >> (128 - u32::from(f.bits()));
        if f == FloatTy::X80 { valid_x80(v) } else { v }
    }
}

/// The nearest proper pattern: the leading bit follows from the exponent.
fn valid_x80(v: Bits) -> Bits {
    if v >> 64 & 0x7fff == 0 { v & !(1 << 63) } else { v | 1 << 63 }
}

fn c_type(ty: Ty) -> String {
    match ty {
        Ty::Int(IntTy { bits: 128, signed }) => {
            if signed { "__int128" } else { "unsigned __int128" }.to_owned()
        }
        Ty::Int(i) => format!("__{}INT{}_TYPE__", if i.signed { "" } else { "U" }, i.bits),
        Ty::Bool => "_Bool".to_owned(),
        Ty::Float(FloatTy::F32) => "float".to_owned(),
        Ty::Float(FloatTy::F64) => "double".to_owned(),
        Ty::Float(FloatTy::X80) => "long double".to_owned(),
        Ty::Float(FloatTy::F128) => "_Float128".to_owned(),
        Ty::Ptr => "char *".to_owned(),
    }
}

/// The suffix of libm's names and of literals.
fn suffix(f: FloatTy) -> &'static str {
    match f {
        FloatTy::F32 => "f",
        FloatTy::F64 => "",
        FloatTy::X80 => "l",
        FloatTy::F128 => "f128",
    }
}

const LP64_INTS: [IntTy; 10] = [
    IntTy::I8,
    IntTy::U8,
    IntTy::I16,
    IntTy::U16,
    IntTy::I32,
    IntTy::U32,
    IntTy::I64,
    IntTy::U64,
    IntTy::I128,
    IntTy::U128,
];
const FLOATS: [FloatTy; 4] = [FloatTy::F32, FloatTy::F64, FloatTy::X80, FloatTy::F128];

struct Suite {
    model: DataModel,
    random: Random,
    body: String,
    /// Per output line: what it shows, the expected text, and whether it is a float (NaNs are
    /// compared only in being NaNs).
    expected: Vec<(String, String, Option<FloatTy>)>,
    functions: usize,
}

fn hex(ty: Ty, v: Bits, model: DataModel) -> String {
    v.to_le_bytes()[..ty.bytes(model) as usize].iter().map(|b| format!("{b:02x}")).collect()
}

impl Suite {
    fn ints(&self) -> &'static [IntTy] {
        if self.model == DataModel::Lp64 { &LP64_INTS } else { &LP64_INTS[..8] }
    }

    /// One C function that applies `expr` (over `a` and `b`) to all the operands.
    fn group(&mut self, ty: Ty, rty: Ty, result: Ty, expr: &str, cases: Vec<(Bits, Bits, Bits)>) {
        if cases.is_empty() {
            return;
        }
        let n = self.functions;
        self.functions += 1;
        let bytes = |v: Bits| v.to_le_bytes().iter().map(|b| b.to_string()).collect::<Vec<_>>().join(",");
        let _ = writeln!(self.body, "static const unsigned char in{n}[][2][16] = {{");
        for &(a, b, r) in &cases {
            let _ = writeln!(self.body, "{{{{{}}},{{{}}}}},", bytes(a), bytes(b));
            let what = format!("{}: {expr} at a={a:#x} ({ty}) b={b:#x} ({rty})", self.model);
            let float = if let Ty::Float(f) = result { Some(f) } else { None };
            self.expected.push((what, hex(result, r, self.model), float));
        }
        let (t, u, r) = (c_type(ty), c_type(rty), c_type(result));
        let (ta, tb, tr) = (ty.bytes(self.model), rty.bytes(self.model), result.bytes(self.model));
        let _ = writeln!(
            self.body,
            "}};\nstatic void f{n}(void) {{ for (unsigned i = 0; i < sizeof in{n} / 32; i++) {{\n\
             {t} a; {u} b; {r} r; memset(&a, 0, sizeof a); memset(&b, 0, sizeof b);\n\
             memcpy(&a, in{n}[i][0], {ta}); memcpy(&b, in{n}[i][1], {tb});\n\
             r = ({r})({expr}); dump(&r, {tr}); }} }}"
        );
    }

    fn binary(&mut self, op: BinOp, ty: Ty, rty: Ty, expr: &str, count: usize) {
        let result = op.result(ty, rty, self.model).unwrap();
        let mut cases = Vec::new();
        for _ in 0..count {
            let a = self.value(ty);
            let b = match (op, ty) {
                (BinOp::Shl | BinOp::Shr, Ty::Int(i)) => self.random.below(usize::from(i.bits)) as u128,
                _ => self.value(rty),
            };
            if let Ok(r) = eval::binary(op, ty, rty, a, b, self.model) {
                cases.push((a, b, r));
            }
        }
        self.group(ty, rty, result, expr, cases);
    }

    fn unary(&mut self, op: UnOp, ty: Ty, expr: &str, count: usize) {
        let result = op.result(ty).unwrap();
        let cases = (0..count).filter_map(|_| {
            let a = self.value(ty);
            eval::unary(op, ty, a).ok().map(|r| (a, 0, r))
        });
        let cases = cases.collect();
        self.group(ty, ty, result, expr, cases);
    }

    fn value(&mut self, ty: Ty) -> Bits {
        match ty {
            Ty::Int(i) => self.random.int(i),
            Ty::Float(f) => self.random.float(f),
            Ty::Bool => self.random.below(2) as u128,
            Ty::Ptr => 0,
        }
    }

    fn integers(&mut self) {
        use BinOp::*;
        for &i in self.ints() {
            let t = Ty::Int(i);
            for (op, c) in [
                (Add, "+"),
                (Sub, "-"),
                (Mul, "*"),
                (Div, "/"),
                (Rem, "%"),
                (And, "&"),
                (Or, "|"),
                (Xor, "^"),
            ] {
                self.binary(op, t, t, &format!("a {c} b"), 25);
            }
            for (op, c) in [(Eq, "=="), (Ne, "!="), (Lt, "<"), (Le, "<=")] {
                self.binary(op, t, t, &format!("a {c} b"), 20);
            }
            let counts = [Ty::Int(IntTy::U8), Ty::I32, Ty::Int(IntTy::I64)];
            for (op, c) in [(Shl, "<<"), (Shr, ">>")] {
                for rty in counts {
                    self.binary(op, t, rty, &format!("a {c} b"), 10);
                }
            }
            for (op, c) in [(AddOvf, "add"), (SubOvf, "sub"), (MulOvf, "mul")] {
                let ty = c_type(t);
                self.binary(op, t, t, &format!("({{ {ty} x; __builtin_{c}_overflow(a, b, &x); }})"), 30);
            }
            self.unary(UnOp::Neg, t, "-a", 15);
            self.unary(UnOp::BitNot, t, "~a", 15);
            if matches!(i.bits, 32 | 64) {
                let ll = if i.bits == 64 { "ll" } else { "" };
                for (op, c) in [(UnOp::Clz, "clz"), (UnOp::Ctz, "ctz"), (UnOp::Popcount, "popcount")] {
                    self.unary(op, t, &format!("__builtin_{c}{ll}(a)"), 15);
                }
            }
            if matches!(i.bits, 16 | 32 | 64 | 128) && (i.bits < 128 || self.model == DataModel::Lp64) {
                self.unary(UnOp::Bswap, t, &format!("__builtin_bswap{}(a)", i.bits), 10);
            }
        }
    }

    fn floats(&mut self) {
        use BinOp::*;
        for f in FLOATS {
            let (t, s) = (Ty::Float(f), suffix(f));
            for (op, c) in [(Add, "+"), (Sub, "-"), (Mul, "*"), (Div, "/")] {
                self.binary(op, t, t, &format!("a {c} b"), 120);
            }
            for (op, c) in [(Eq, "=="), (Ne, "!="), (Lt, "<"), (Le, "<=")] {
                self.binary(op, t, t, &format!("a {c} b"), 40);
            }
            for (op, c) in [(Rem, "fmod"), (CopySign, "copysign")] {
                self.binary(op, t, t, &format!("{c}{s}(a, b)"), 60);
            }
            // C leaves the sign of the smaller zero open: adding zero hides it.
            let hide = |r: Bits| eval::binary(Add, t, t, r, 0, DataModel::Lp64).unwrap();
            for (op, c) in [(Fmin, "fmin"), (Fmax, "fmax")] {
                let mut cases = Vec::new();
                for _ in 0..40 {
                    let (a, b) = (self.value(t), self.value(t));
                    cases.push((a, b, hide(float::binary(op, f, a, b))));
                }
                self.group(t, t, t, &format!("{c}{s}(a, b) + 0"), cases);
            }
            let unary = [
                (UnOp::Sqrt, "sqrt"),
                (UnOp::Floor, "floor"),
                (UnOp::Ceil, "ceil"),
                (UnOp::Trunc, "trunc"),
                (UnOp::RoundEven, "rint"),
                (UnOp::RoundAway, "round"),
                (UnOp::Fabs, "fabs"),
            ];
            for (op, c) in unary {
                self.unary(op, t, &format!("{c}{s}(a)"), 80);
            }
            self.unary(UnOp::Neg, t, "-a", 20);
            self.unary(UnOp::IsNan, t, "__builtin_isnan(a)", 30);
            self.unary(UnOp::IsInf, t, "!!__builtin_isinf(a)", 30);
            self.unary(UnOp::SignBit, t, "!!__builtin_signbit(a)", 30);
        }
    }

    fn casts(&mut self) {
        let ints = self.ints().iter().map(|&i| Ty::Int(i));
        let types: Vec<Ty> = ints.chain(FLOATS.map(Ty::Float)).collect();
        for &from in &types {
            for &to in &types {
                let mut cases = Vec::new();
                for _ in 0..24 {
                    let a = self.value(from);
                    if let Ok(r) = eval::cast(from, to, a, self.model) {
                        cases.push((a, 0, r));
                    }
                }
                self.group(from, from, to, "a", cases);
            }
        }
    }

    fn literals(&mut self) {
        let mut texts: Vec<String> = [
            "0.0",
            "1.",
            ".5",
            "0.1",
            "1e0",
            "1e22",
            "1e23",
            "9007199254740993.0",
            "1e-400",
            "1e400",
            "0x1p0",
            "0x.8p1",
            "0x1.fffffffffffff8p0",
            "0x1.ffffffp0",
            "0x1.0000010000000000000000000000000001p0",
            "4.9406564584124654e-324",
            "2.4703282292062327e-324",
            "2.4703282292062328e-324",
            "3.4028235677973366e38",
            "1.7976931348623159e308",
            "3.6451995318824746025e-4951",
            "1.18973149535723176502e+4932",
            "1.19e4932",
            "6.4751751194380251109e-4966",
            "0x1p-16494",
            "0x1.8p-16494",
            "0x1p-16495",
            "1e99999999999999999999",
            "0x1p-99999999999999999999",
        ]
        .map(str::to_owned)
        .to_vec();
        for _ in 0..60 {
            let digits = self.random.bits() % 10u128.pow(self.random.below(37) as u32 + 1);
            let range = self.random.pick(&[40, 9000]);
            let exponent = self.random.below(range) as i64;
            texts.push(format!(
                "{digits}.{}e{}",
                self.random.next(),
                exponent / 2 * if digits.is_multiple_of(2) { 1 } else { -1 }
            ));
            texts.push(format!("0x{:x}.{:x}p{}", digits, self.random.next(), exponent / 4 - 20));
        }
        for text in texts {
            for f in FLOATS {
                let name = c_type(Ty::Float(f));
                let bytes = Ty::Float(f).bytes(self.model);
                let s = if f == FloatTy::F128 { "f128" } else { suffix(f) };
                let n = self.functions;
                self.functions += 1;
                let _ = writeln!(
                    self.body,
                    "static void f{n}(void) {{ static const {name} x = {text}{s}; dump(&x, {bytes}); }}"
                );
                let bits = float::parse(f, &text).unwrap();
                self.expected.push((
                    format!("literal {text} as {f}"),
                    hex(Ty::Float(f), bits, self.model),
                    None,
                ));
            }
        }
    }

    fn printing(&mut self) {
        use Conversion::*;
        for (f, length) in [(FloatTy::F64, ""), (FloatTy::X80, "L")] {
            for (conversion, letter) in [(Fixed, "f"), (Exponent, "e"), (General, "g"), (Hex, "a")] {
                for i in 0..60 {
                    let a = self.random.float(f);
                    let alternate = i % 5 == 4;
                    let precision = (i % 3 != 0).then(|| self.random.below(if i % 2 == 0 { 8 } else { 40 }));
                    let mut text = float::print(f, a, conversion, precision, alternate);
                    if float::unary(UnOp::SignBit, f, a) == 1 {
                        text.insert(0, '-');
                    }
                    let dot = precision.map_or(String::new(), |p| format!(".{p}"));
                    let format = format!("%{}{dot}{length}{letter}", if alternate { "#" } else { "" });
                    let n = self.functions;
                    self.functions += 1;
                    let (name, size) = (c_type(Ty::Float(f)), Ty::Float(f).bytes(self.model));
                    let bytes = a.to_le_bytes().map(|b| b.to_string()).join(",");
                    let _ = writeln!(
                        self.body,
                        "static void f{n}(void) {{ static const unsigned char in[16] = {{{bytes}}}; {name} x;\n\
                         memset(&x, 0, sizeof x); memcpy(&x, in, {size}); printf(\"{format}\\n\", x); }}"
                    );
                    self.expected.push((format!("{format} of {a:#x}"), text, None));
                }
            }
        }
    }

    fn program(&self) -> String {
        let calls: String = (0..self.functions).map(|n| format!("f{n}();\n")).collect();
        format!(
            "#define _GNU_SOURCE\n#define __STDC_WANT_IEC_60559_TYPES_EXT__ 1\n\
             #include <math.h>\n#include <stdio.h>\n#include <string.h>\n\
             static void dump(const void *p, int n) {{ const unsigned char *b = p;\n\
             for (int i = 0; i < n; i++) printf(\"%02x\", b[i]); printf(\"\\n\"); }}\n\
             {}int main(void) {{\n{calls}return 0; }}\n",
            self.body
        )
    }
}

fn directory() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
}

fn compile(name: &str, program: &str, flag: &str) -> Option<String> {
    let source = directory().join(format!("{name}.c"));
    let binary = directory().join(name);
    std::fs::write(&source, program).unwrap();
    let gcc = Command::new("gcc")
        .args([
            "-O0",
            "-fwrapv",
            "-ffp-contract=off",
            "-w",
            "-std=gnu11",
            "-msse2",
            "-mfpmath=sse",
            flag,
            "-o",
        ])
        .arg(&binary)
        .arg(&source)
        .arg("-lm")
        .output()
        .unwrap();
    if !gcc.status.success() {
        eprintln!("{}", String::from_utf8_lossy(&gcc.stderr));
        return None;
    }
    let run = Command::new(&binary).output().unwrap();
    assert!(run.status.success(), "{name} ended with {}", run.status);
    Some(String::from_utf8(run.stdout).unwrap())
}

fn check(model: DataModel, flag: &str) {
    let mut suite =
        Suite { model, random: Random(2024), body: String::new(), expected: Vec::new(), functions: 0 };
    suite.integers();
    suite.floats();
    suite.casts();
    suite.literals();
    suite.printing();
    let output =
        compile(&format!("boundaries{flag}"), &suite.program(), flag).expect("gcc accepts the program");
    let lines: Vec<&str> = output.lines().collect();
    assert_eq!(lines.len(), suite.expected.len());
    assert!(lines.len() > 5000);
    let mut wrong = Vec::new();
    for (line, (what, expected, float)) in lines.iter().zip(&suite.expected) {
        let same = line == expected
            || float.is_some_and(|f| {
                let number = |text: &str| {
                    let digits = (0..text.len() / 2)
                        .map(|i| u128::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap());
                    digits.enumerate().fold(0, |v, (i, d)| v | d << (8 * i))
                };
                [line, expected.as_str()]
                    .iter()
                    .all(|text| float::classify(f, number(text)) == float::Class::Nan)
            });
        if !same {
            wrong.push(format!("{what}\n  gcc   {line}\n  cairn {expected}"));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {} differ:\n{}",
        wrong.len(),
        lines.len(),
        wrong[..wrong.len().min(30)].join("\n")
    );
}

#[test]
fn agrees_with_gcc_in_lp64() {
    check(DataModel::Lp64, "-m64");
}

#[test]
fn agrees_with_gcc_in_ilp32() {
    if compile("m32-works", "#include <stdio.h>\nint main(void) { return 0; }", "-m32").is_none() {
        eprintln!("gcc -m32 does not work here: nothing to compare with");
        return;
    }
    check(DataModel::Ilp32, "-m32");
}
