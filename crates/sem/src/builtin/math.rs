//! Functions of the host's libm, so that results agree with compiled programs.
//!
//! `long double` and `_Float128` have no Rust type: functions that IEEE 754
//! does not define exactly are computed in double precision for them (the
//! result carries a note), the exact ones on the values themselves.

use cairn_ir::{BinOp, Bits, DataModel, FloatTy, MathFn, Ty};
use cairn_value::eval;
use cairn_value::float::{fma as fused, from_f64, to_f64};

macro_rules! libm {
    ($($unary:ident $unary_f:ident),*; $($binary:ident $binary_f:ident),*; $($ternary:ident $ternary_f:ident),*) => {
        #[link(name = "m")]
        unsafe extern "C" {
            $(safe fn $unary(x: f64) -> f64; safe fn $unary_f(x: f32) -> f32;)*
            $(safe fn $binary(x: f64, y: f64) -> f64; safe fn $binary_f(x: f32, y: f32) -> f32;)*
            $(safe fn $ternary(x: f64, y: f64, z: f64) -> f64; safe fn $ternary_f(x: f32, y: f32, z: f32) -> f32;)*
        }
    };
}

libm! {
    sin sinf, cos cosf, tan tanf, asin asinf, acos acosf, atan atanf, sinh sinhf, cosh coshf, tanh tanhf,
    asinh asinhf, acosh acoshf, atanh atanhf, exp expf, exp2 exp2f, expm1 expm1f, log logf, log2 log2f,
    log10 log10f, log1p log1pf, cbrt cbrtf, erf erff, erfc erfcf, tgamma tgammaf, lgamma lgammaf;
    atan2 atan2f, pow powf, hypot hypotf, remainder remainderf, fdim fdimf, nextafter nextafterf;
    fma fmaf
}

/// Is the function computed exactly for the wide formats?
pub(super) fn is_exact(f: MathFn) -> bool {
    matches!(f, MathFn::Fdim | MathFn::NextAfter | MathFn::Fma)
}

/// Applies a function of up to three arguments.
pub(super) fn apply(f: MathFn, ty: FloatTy, args: [Bits; 3]) -> Bits {
    match ty {
        FloatTy::F32 => single(f, args.map(|a| f32::from_bits(a as u32))).to_bits().into(),
        FloatTy::F64 => double(f, args.map(|a| f64::from_bits(a as u64))).to_bits().into(),
        _ if f == MathFn::Fma => fused(ty, args[0], args[1], args[2]),
        _ if is_exact(f) => exact(f, ty, args[0], args[1]),
        _ => from_f64(ty, double(f, args.map(|a| to_f64(ty, a)))),
    }
}

macro_rules! dispatch {
    ($f:expr, $a:expr, $($case:ident $name:ident $n:tt),*) => {
        match $f { $(MathFn::$case => dispatch!(@ $name $n $a)),* }
    };
    (@ $name:ident 1 $a:expr) => { $name($a[0]) };
    (@ $name:ident 2 $a:expr) => { $name($a[0], $a[1]) };
    (@ $name:ident 3 $a:expr) => { $name($a[0], $a[1], $a[2]) };
}

fn double(f: MathFn, a: [f64; 3]) -> f64 {
    dispatch!(
        f, a, Sin sin 1, Cos cos 1, Tan tan 1, Asin asin 1, Acos acos 1, Atan atan 1, Atan2 atan2 2,
        Sinh sinh 1, Cosh cosh 1, Tanh tanh 1, Asinh asinh 1, Acosh acosh 1, Atanh atanh 1, Exp exp 1,
        Exp2 exp2 1, Expm1 expm1 1, Log log 1, Log2 log2 1, Log10 log10 1, Log1p log1p 1, Pow pow 2,
        Cbrt cbrt 1, Hypot hypot 2, Remainder remainder 2, Fdim fdim 2, Fma fma 3, Erf erf 1, Erfc erfc 1,
        Tgamma tgamma 1, Lgamma lgamma 1, NextAfter nextafter 2
    )
}

fn single(f: MathFn, a: [f32; 3]) -> f32 {
    dispatch!(
        f, a, Sin sinf 1, Cos cosf 1, Tan tanf 1, Asin asinf 1, Acos acosf 1, Atan atanf 1, Atan2 atan2f 2,
        Sinh sinhf 1, Cosh coshf 1, Tanh tanhf 1, Asinh asinhf 1, Acosh acoshf 1, Atanh atanhf 1, Exp expf 1,
        Exp2 exp2f 1, Expm1 expm1f 1, Log logf 1, Log2 log2f 1, Log10 log10f 1, Log1p log1pf 1, Pow powf 2,
        Cbrt cbrtf 1, Hypot hypotf 2, Remainder remainderf 2, Fdim fdimf 2, Fma fmaf 3, Erf erff 1, Erfc erfcf 1,
        Tgamma tgammaf 1, Lgamma lgammaf 1, NextAfter nextafterf 2
    )
}

fn exact(f: MathFn, ty: FloatTy, x: Bits, y: Bits) -> Bits {
    let t = Ty::Float(ty);
    let op = |op, a, b| eval::binary(op, t, t, a, b, DataModel::HOST).unwrap_or(0);
    let nan = |a: Bits| op(BinOp::Eq, a, a) == 0;
    if nan(x) || nan(y) {
        return op(BinOp::Add, x, y);
    }
    if f == MathFn::Fdim {
        return if op(BinOp::Le, x, y) != 0 { 0 } else { op(BinOp::Sub, x, y) };
    }
    if op(BinOp::Eq, x, y) != 0 {
        return y;
    }
    let sign = 1u128 << (ty.bits() - 1);
    let up = op(BinOp::Lt, x, y) != 0;
    if x & !sign == 0 {
        // From zero to the least number on that side.
        return if up { 1 } else { sign | 1 };
    }
    let grows = up == (x & sign == 0);
    let magnitude = x & !sign;
    let next = if grows { magnitude + 1 } else { magnitude - 1 };
    (x & sign) | if ty == FloatTy::X80 { with_integer_bit(magnitude, next) } else { next }
}

/// The x87 format stores the leading bit of the significand: it is set exactly when the exponent
/// is not zero, and a carry out of the fraction moves to the next exponent.
fn with_integer_bit(from: Bits, to: Bits) -> Bits {
    const LEAD: Bits = 1 << 63;
    let (exponent, fraction) = (to >> 64, to & (LEAD - 1));
    let old = from >> 64;
    match (from & (LEAD - 1) == LEAD - 1 && to > from, from & (LEAD - 1) == 0 && to < from) {
        (true, _) => (old + 1) << 64 | LEAD,
        (_, true) if old <= 1 => LEAD - 1,
        (_, true) => (old - 1) << 64 | LEAD | (LEAD - 1),
        _ => exponent << 64 | (if exponent == 0 { 0 } else { LEAD }) | fraction,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_and_floats_agree_with_the_host() {
        let at = |x: f64| Bits::from(x.to_bits());
        assert_eq!(apply(MathFn::Sin, FloatTy::F64, [at(1.0), 0, 0]), at(1f64.sin()));
        assert_eq!(apply(MathFn::Pow, FloatTy::F64, [at(2.0), at(0.5), 0]), at(2f64.sqrt()));
        assert_eq!(apply(MathFn::Fma, FloatTy::F64, [at(3.0), at(4.0), at(5.0)]), at(17.0));
        assert_eq!(apply(MathFn::Exp, FloatTy::F32, [0, 0, 0]), Bits::from(1f32.to_bits()));
    }

    #[test]
    fn neighbours_of_long_doubles() {
        let one = from_f64(FloatTy::X80, 1.0);
        let two = from_f64(FloatTy::X80, 2.0);
        let zero = 0;
        let next = |x, y| apply(MathFn::NextAfter, FloatTy::X80, [x, y, 0]);
        assert_eq!(next(one, two), one + 1);
        assert_eq!(next(next(one, two), one), one);
        assert_eq!(next(next(one, zero), two), one);
        assert_eq!(next(zero, one), 1);
        let least_normal = 1 << 64 | 1 << 63;
        assert_eq!(next(least_normal, zero), (1 << 63) - 1);
        assert_eq!(next((1 << 63) - 1, one), least_normal);
    }
}
