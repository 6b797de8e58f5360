//! The words of the text form, each written down once for printer and parser.

use cairn_value::{BinOp, FloatTy, IntTy, Toward, Ty, UnOp};

use crate::{AllocKind, Builtin, MathFn, Trap};

/// Finds the word for `x` in a table. A new operation needs its word below.
pub fn word<T: PartialEq>(table: &[(T, &'static str)], x: &T) -> &'static str {
    let found = table.iter().find(|(y, _)| y == x);
    debug_assert!(found.is_some(), "an operation has no word in the text form");
    found.map_or("?", |(_, w)| w)
}

/// Finds what `word` stands for.
pub fn lookup<T: Copy>(table: &[(T, &'static str)], word: &str) -> Option<T> {
    table.iter().find(|(_, w)| *w == word).map(|(x, _)| *x)
}

pub const PREFIX: &[(UnOp, &str)] = &[(UnOp::Neg, "-"), (UnOp::BitNot, "~"), (UnOp::Not, "!")];

pub const UNARY_CALLS: &[(UnOp, &str)] = &[
    (UnOp::Clz, "clz"),
    (UnOp::Ctz, "ctz"),
    (UnOp::Popcount, "popcount"),
    (UnOp::Bswap, "bswap"),
    (UnOp::Fabs, "fabs"),
    (UnOp::Sqrt, "sqrt"),
    (UnOp::Floor, "floor"),
    (UnOp::Ceil, "ceil"),
    (UnOp::Trunc, "trunc"),
    (UnOp::RoundEven, "rint"),
    (UnOp::RoundAway, "round"),
    (UnOp::IsNan, "isnan"),
    (UnOp::IsInf, "isinf"),
    (UnOp::SignBit, "signbit"),
    (UnOp::SqrtTo(Toward::Zero), "sqrt_zero"),
    (UnOp::SqrtTo(Toward::Down), "sqrt_down"),
    (UnOp::SqrtTo(Toward::Up), "sqrt_up"),
    (UnOp::ConvertTo(FloatTy::F32, Toward::Zero), "f32_zero"),
    (UnOp::ConvertTo(FloatTy::F32, Toward::Down), "f32_down"),
    (UnOp::ConvertTo(FloatTy::F32, Toward::Up), "f32_up"),
    (UnOp::ConvertTo(FloatTy::F64, Toward::Zero), "f64_zero"),
    (UnOp::ConvertTo(FloatTy::F64, Toward::Down), "f64_down"),
    (UnOp::ConvertTo(FloatTy::F64, Toward::Up), "f64_up"),
    (UnOp::ConvertTo(FloatTy::X80, Toward::Zero), "x80_zero"),
    (UnOp::ConvertTo(FloatTy::X80, Toward::Down), "x80_down"),
    (UnOp::ConvertTo(FloatTy::X80, Toward::Up), "x80_up"),
    (UnOp::ConvertTo(FloatTy::F128, Toward::Zero), "f128_zero"),
    (UnOp::ConvertTo(FloatTy::F128, Toward::Down), "f128_down"),
    (UnOp::ConvertTo(FloatTy::F128, Toward::Up), "f128_up"),
];

/// `+` and `-` stand for `PtrAdd` and `PtrSub` where the left operand is a pointer.
pub const INFIX: &[(BinOp, &str)] = &[
    (BinOp::Add, "+"),
    (BinOp::PtrAdd, "+"),
    (BinOp::Sub, "-"),
    (BinOp::PtrSub, "-"),
    (BinOp::Mul, "*"),
    (BinOp::Div, "/"),
    (BinOp::Rem, "%"),
    (BinOp::Shl, "<<"),
    (BinOp::Shr, ">>"),
    (BinOp::And, "&"),
    (BinOp::Or, "|"),
    (BinOp::Xor, "^"),
    (BinOp::Eq, "=="),
    (BinOp::Ne, "!="),
    (BinOp::Lt, "<"),
    (BinOp::Le, "<="),
];

pub const BINARY_CALLS: &[(BinOp, &str)] = &[
    (BinOp::AddOvf, "addovf"),
    (BinOp::SubOvf, "subovf"),
    (BinOp::MulOvf, "mulovf"),
    (BinOp::Fmin, "fmin"),
    (BinOp::Fmax, "fmax"),
    (BinOp::CopySign, "copysign"),
    (BinOp::AddTo(Toward::Zero), "add_zero"),
    (BinOp::AddTo(Toward::Down), "add_down"),
    (BinOp::AddTo(Toward::Up), "add_up"),
    (BinOp::SubTo(Toward::Zero), "sub_zero"),
    (BinOp::SubTo(Toward::Down), "sub_down"),
    (BinOp::SubTo(Toward::Up), "sub_up"),
    (BinOp::MulTo(Toward::Zero), "mul_zero"),
    (BinOp::MulTo(Toward::Down), "mul_down"),
    (BinOp::MulTo(Toward::Up), "mul_up"),
    (BinOp::DivTo(Toward::Zero), "div_zero"),
    (BinOp::DivTo(Toward::Down), "div_down"),
    (BinOp::DivTo(Toward::Up), "div_up"),
];

pub const ALLOCS: &[(AllocKind, &str)] =
    &[(AllocKind::Heap, "heap"), (AllocKind::Alloca, "alloca"), (AllocKind::Vla, "vla")];

pub const TRAPS: &[(Trap, &str)] = &[
    (Trap::Unreachable, "unreachable"),
    (Trap::BadGoto, "badgoto"),
    (Trap::BadVla, "badvla"),
    (Trap::NoReturnValue, "noreturnvalue"),
];

/// All but [`Builtin::Math`], which is written `math NAME TYPE`.
pub const BUILTINS: &[(Builtin, &str)] = &[
    (Builtin::Exit, "exit"),
    (Builtin::Abort, "abort"),
    (Builtin::AssertFail, "assertfail"),
    (Builtin::Error, "error"),
    (Builtin::Printf, "printf"),
    (Builtin::Snprintf, "snprintf"),
    (Builtin::Write, "write"),
    (Builtin::ReadByte, "readbyte"),
    (Builtin::ObjectSize, "objectsize"),
    (Builtin::Place, "place"),
    (Builtin::Strtod(FloatTy::F32), "strtof"),
    (Builtin::Strtod(FloatTy::F64), "strtod"),
    (Builtin::Strtod(FloatTy::X80), "strtold"),
    (Builtin::Strtod(FloatTy::F128), "strtof128"),
];

pub const MATH: &[(MathFn, &str)] = &[
    (MathFn::Sin, "sin"),
    (MathFn::Cos, "cos"),
    (MathFn::Tan, "tan"),
    (MathFn::Asin, "asin"),
    (MathFn::Acos, "acos"),
    (MathFn::Atan, "atan"),
    (MathFn::Atan2, "atan2"),
    (MathFn::Sinh, "sinh"),
    (MathFn::Cosh, "cosh"),
    (MathFn::Tanh, "tanh"),
    (MathFn::Asinh, "asinh"),
    (MathFn::Acosh, "acosh"),
    (MathFn::Atanh, "atanh"),
    (MathFn::Exp, "exp"),
    (MathFn::Exp2, "exp2"),
    (MathFn::Expm1, "expm1"),
    (MathFn::Log, "log"),
    (MathFn::Log2, "log2"),
    (MathFn::Log10, "log10"),
    (MathFn::Log1p, "log1p"),
    (MathFn::Pow, "pow"),
    (MathFn::Cbrt, "cbrt"),
    (MathFn::Hypot, "hypot"),
    (MathFn::Remainder, "remainder"),
    (MathFn::Fdim, "fdim"),
    (MathFn::Fma, "fma"),
    (MathFn::Erf, "erf"),
    (MathFn::Erfc, "erfc"),
    (MathFn::Tgamma, "tgamma"),
    (MathFn::Lgamma, "lgamma"),
    (MathFn::NextAfter, "nextafter"),
];

/// The type a word names: `bool`, `ptr`, `f64`, `i17`.
pub fn ty(word: &str) -> Option<Ty> {
    let simple = match word {
        "bool" => Some(Ty::Bool),
        "ptr" => Some(Ty::Ptr),
        "f32" => Some(Ty::Float(FloatTy::F32)),
        "f64" => Some(Ty::Float(FloatTy::F64)),
        "x80" => Some(Ty::Float(FloatTy::X80)),
        "f128" => Some(Ty::Float(FloatTy::F128)),
        _ => None,
    };
    simple.or_else(|| {
        let signed = word.starts_with('i');
        let digits = word.strip_prefix(['i', 'u'])?;
        let bits: u8 = digits.parse().ok()?;
        let canonical = !digits.starts_with(['0', '+']) && (1..=128).contains(&bits);
        canonical.then_some(Ty::Int(IntTy { bits, signed }))
    })
}

/// Is `shown` what [`show_name`] makes of `name`?
pub fn shows(name: &str, shown: &str) -> bool {
    shown_chars(name).eq(shown.chars())
}

/// `name` as a word: other characters than letters, digits and `_` become `_`.
pub fn show_name(name: &str) -> String {
    shown_chars(name).collect()
}

fn shown_chars(name: &str) -> impl Iterator<Item = char> + '_ {
    let lead = name.chars().next().is_none_or(|c| c.is_ascii_digit()).then_some('_');
    lead.into_iter().chain(name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }))
}
