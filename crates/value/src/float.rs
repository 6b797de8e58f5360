//! Floating-point arithmetic on bit patterns: host arithmetic for `f32` and `f64`, `rustc_apfloat` for the rest.
//!
//! Rounding is to nearest, ties to even, throughout. What IEEE 754 leaves open
//! about NaNs is settled as x86 settles it, so that results agree with compiled
//! code and do not depend on how Cairn was compiled: an operation on a NaN
//! yields that NaN made quiet (the first of two), an invalid operation yields
//! the default NaN, whose sign is set. The x87 patterns that are no numbers
//! (unnormals, pseudo-infinities, pseudo-NaNs) act as NaNs.

use std::cmp::Ordering;

use num_bigint::BigUint;
use rustc_apfloat::Float;
use rustc_apfloat::ieee::{Double, Quad, Single, X87DoubleExtended};

use crate::{BinOp, Bits, FloatTy, IntTy, Toward, UnOp};

mod encoding;
mod text;

pub use encoding::{Class, classify, infinity, round_pack};
pub use text::{Conversion, Decimal, parse, print, to_decimal};

use encoding::{default_nan, format_of, is_nan, quiet, round_pack_to, zero};

/// Applies a unary operator. Predicates yield 0 or 1.
pub fn unary(op: UnOp, ty: FloatTy, a: Bits) -> Bits {
    let sign = format_of(ty).sign_bit();
    match op {
        UnOp::Neg => a ^ sign,
        UnOp::Fabs => a & !sign,
        UnOp::SignBit => u128::from(a & sign != 0),
        UnOp::IsNan => u128::from(is_nan(ty, a)),
        UnOp::IsInf => u128::from(matches!(classify(ty, a), Class::Infinite)),
        UnOp::ConvertTo(to, toward) => convert_to(ty, to, a, Some(toward)),
        _ if is_nan(ty, a) => quiet(ty, a),
        UnOp::Sqrt => sqrt(ty, a),
        UnOp::SqrtTo(toward) => exact_sqrt(ty, a, Some(toward)),
        UnOp::Floor | UnOp::Ceil | UnOp::Trunc | UnOp::RoundEven | UnOp::RoundAway => round(op, ty, a),
        _ => 0,
    }
}

/// Applies a binary operator that yields a float.
pub fn binary(op: BinOp, ty: FloatTy, a: Bits, b: Bits) -> Bits {
    match op {
        BinOp::CopySign => {
            let sign = format_of(ty).sign_bit();
            return a & !sign | b & sign;
        }
        BinOp::Fmin | BinOp::Fmax => return extreme(op, ty, a, b),
        _ => {}
    }
    if is_nan(ty, a) {
        return quiet(ty, a);
    }
    if is_nan(ty, b) {
        return quiet(ty, b);
    }
    let directed = matches!(op, BinOp::AddTo(_) | BinOp::SubTo(_) | BinOp::MulTo(_) | BinOp::DivTo(_));
    let result = match ty {
        FloatTy::F32 if directed => soft::<Single>(op, a, b),
        FloatTy::F64 if directed => soft::<Double>(op, a, b),
        FloatTy::F32 => {
            let (x, y) = (f32::from_bits(a as u32), f32::from_bits(b as u32));
            u128::from(host(op, x, y).to_bits())
        }
        FloatTy::F64 => {
            let (x, y) = (f64::from_bits(a as u64), f64::from_bits(b as u64));
            u128::from(host(op, x, y).to_bits())
        }
        FloatTy::X80 => soft::<X87DoubleExtended>(op, a, b),
        FloatTy::F128 => soft::<Quad>(op, a, b),
    };
    if is_nan(ty, result) { default_nan(ty) } else { result }
}

fn host<F>(op: BinOp, x: F, y: F) -> F
where
    F: std::ops::Add<Output = F>
        + std::ops::Sub<Output = F>
        + std::ops::Mul<Output = F>
        + std::ops::Div<Output = F>
        + std::ops::Rem<Output = F>
        + Default,
{
    match op {
        BinOp::Add => x + y,
        BinOp::Sub => x - y,
        BinOp::Mul => x * y,
        BinOp::Div => x / y,
        // `%` of the host is C's `fmod`.
        BinOp::Rem => x % y,
        _ => F::default(),
    }
}

fn soft<F: Float>(op: BinOp, a: Bits, b: Bits) -> Bits {
    let (x, y) = (F::from_bits(a), F::from_bits(b));
    let result = match op {
        BinOp::Add => x + y,
        BinOp::Sub => x - y,
        BinOp::Mul => x * y,
        BinOp::Div => x / y,
        BinOp::Rem => x.c_fmod(y),
        BinOp::AddTo(t) => x.add_r(y, direction(t)),
        BinOp::SubTo(t) => x.sub_r(y, direction(t)),
        BinOp::MulTo(t) => x.mul_r(y, direction(t)),
        BinOp::DivTo(t) => x.div_r(y, direction(t)),
        _ => return 0,
    };
    result.value.to_bits()
}

fn direction(toward: Toward) -> rustc_apfloat::Round {
    match toward {
        Toward::Zero => rustc_apfloat::Round::TowardZero,
        Toward::Down => rustc_apfloat::Round::TowardNegative,
        Toward::Up => rustc_apfloat::Round::TowardPositive,
    }
}

/// `a * b + c` with one rounding.
pub fn fma(ty: FloatTy, a: Bits, b: Bits, c: Bits) -> Bits {
    fn of<F: Float>(a: Bits, b: Bits, c: Bits) -> Bits {
        F::from_bits(a).mul_add(F::from_bits(b), F::from_bits(c)).value.to_bits()
    }
    if let Some(&nan) = [a, b, c].iter().find(|&&v| is_nan(ty, v)) {
        return quiet(ty, nan);
    }
    let result = match ty {
        FloatTy::F32 => of::<Single>(a, b, c),
        FloatTy::F64 => of::<Double>(a, b, c),
        FloatTy::X80 => of::<X87DoubleExtended>(a, b, c),
        FloatTy::F128 => of::<Quad>(a, b, c),
    };
    if is_nan(ty, result) { default_nan(ty) } else { result }
}

/// How two floats compare; `None` if either is a NaN. Zeroes are equal.
pub fn compare(ty: FloatTy, a: Bits, b: Bits) -> Option<Ordering> {
    match ty {
        FloatTy::F32 => f32::from_bits(a as u32).partial_cmp(&f32::from_bits(b as u32)),
        FloatTy::F64 => f64::from_bits(a as u64).partial_cmp(&f64::from_bits(b as u64)),
        FloatTy::X80 => X87DoubleExtended::from_bits(a).partial_cmp(&X87DoubleExtended::from_bits(b)),
        FloatTy::F128 => Quad::from_bits(a).partial_cmp(&Quad::from_bits(b)),
    }
}

/// `fmin` and `fmax`: a NaN gives way to a number. C leaves open which zero is
/// the smaller one; here `-0` is.
fn extreme(op: BinOp, ty: FloatTy, a: Bits, b: Bits) -> Bits {
    let negative = |v: Bits| v & format_of(ty).sign_bit() != 0;
    match (is_nan(ty, a), is_nan(ty, b)) {
        (true, true) => return quiet(ty, a),
        (true, false) => return b,
        (false, true) => return a,
        (false, false) => {}
    }
    let a_is_less = match compare(ty, a, b) {
        Some(Ordering::Less) => true,
        Some(Ordering::Equal) => negative(a),
        _ => false,
    };
    if a_is_less == (op == BinOp::Fmin) { a } else { b }
}

/// The correctly rounded square root. For the wide types it is the integer
/// square root of the significand, scaled to carry two bits more than the
/// result, with a sticky bit for the remainder.
fn sqrt(ty: FloatTy, a: Bits) -> Bits {
    let negative = a & format_of(ty).sign_bit() != 0;
    match ty {
        FloatTy::F32 if !negative => u128::from(f32::from_bits(a as u32).sqrt().to_bits()),
        FloatTy::F64 if !negative => u128::from(f64::from_bits(a as u64).sqrt().to_bits()),
        _ => exact_sqrt(ty, a, None),
    }
}

fn exact_sqrt(ty: FloatTy, a: Bits, toward: Option<Toward>) -> Bits {
    let negative = a & format_of(ty).sign_bit() != 0;
    match classify(ty, a) {
        Class::Zero => a,
        _ if negative => default_nan(ty),
        Class::Infinite | Class::Nan => a,
        Class::Finite { significand, exponent } => {
            // Room for 2 * (precision + 2) bits under the root, at an even exponent.
            let wanted = 2 * (format_of(ty).precision + 2);
            let mut shift = wanted.saturating_sub(128 - significand.leading_zeros());
            if (exponent - shift as i32) % 2 != 0 {
                shift += 1;
            }
            let radicand = BigUint::from(significand) << shift;
            let root = radicand.sqrt();
            let inexact = &root * &root != radicand;
            let root = u128::try_from(root).unwrap_or(u128::MAX);
            round_pack_to(
                ty,
                false,
                root << 1 | u128::from(inexact),
                (exponent - shift as i32) / 2 - 1,
                toward,
            )
        }
    }
}

/// To an integral value in the direction `op` asks for.
fn round(op: UnOp, ty: FloatTy, a: Bits) -> Bits {
    use rustc_apfloat::Round;
    match ty {
        FloatTy::F32 => {
            let x = f32::from_bits(a as u32);
            let r = match op {
                UnOp::Floor => x.floor(),
                UnOp::Ceil => x.ceil(),
                UnOp::Trunc => x.trunc(),
                UnOp::RoundEven => x.round_ties_even(),
                _ => x.round(),
            };
            u128::from(r.to_bits())
        }
        FloatTy::F64 => {
            let x = f64::from_bits(a as u64);
            let r = match op {
                UnOp::Floor => x.floor(),
                UnOp::Ceil => x.ceil(),
                UnOp::Trunc => x.trunc(),
                UnOp::RoundEven => x.round_ties_even(),
                _ => x.round(),
            };
            u128::from(r.to_bits())
        }
        FloatTy::X80 | FloatTy::F128 => {
            let direction = match op {
                UnOp::Floor => Round::TowardNegative,
                UnOp::Ceil => Round::TowardPositive,
                UnOp::Trunc => Round::TowardZero,
                UnOp::RoundEven => Round::NearestTiesToEven,
                _ => Round::NearestTiesToAway,
            };
            if ty == FloatTy::X80 {
                X87DoubleExtended::from_bits(a).round_to_integral(direction).value.to_bits()
            } else {
                Quad::from_bits(a).round_to_integral(direction).value.to_bits()
            }
        }
    }
}

/// An integer as a float, rounded to nearest.
pub fn from_int(from: IntTy, to: FloatTy, a: Bits) -> Bits {
    from_int_to(from, to, a, None)
}

/// The same, perhaps rounded in a direction.
pub fn from_int_to(from: IntTy, to: FloatTy, a: Bits, toward: Option<Toward>) -> Bits {
    let negative = from.signed && from.number(a) < 0;
    let magnitude = if negative { from.number(a).unsigned_abs() } else { a };
    round_pack_to(to, negative, magnitude, 0, toward)
}

/// A float as an integer, truncated; `None` if that is no value of the type.
pub fn to_int(from: FloatTy, to: IntTy, a: Bits) -> Option<Bits> {
    match classify(from, a) {
        Class::Zero => Some(0),
        Class::Nan | Class::Infinite => None,
        Class::Finite { significand, exponent } => {
            let magnitude = if exponent >= 0 {
                if exponent as u32 > significand.leading_zeros() {
                    return None;
                }
                significand << exponent
            } else {
                significand.checked_shr(exponent.unsigned_abs()).unwrap_or(0)
            };
            let negative = a & format_of(from).sign_bit() != 0;
            let limit = if negative { to.min().unsigned_abs() } else { to.max_bits() };
            let value = if negative { magnitude.wrapping_neg() } else { magnitude };
            (magnitude <= limit).then_some(value & to.mask())
        }
    }
}

/// A float in another format, rounded to nearest. A NaN keeps its sign and the
/// leading bits of its payload and becomes quiet.
pub fn convert(from: FloatTy, to: FloatTy, a: Bits) -> Bits {
    convert_to(from, to, a, None)
}

fn convert_to(from: FloatTy, to: FloatTy, a: Bits, toward: Option<Toward>) -> Bits {
    if from == to {
        return a;
    }
    let negative = a & format_of(from).sign_bit() != 0;
    match classify(from, a) {
        Class::Zero => zero(to, negative),
        Class::Infinite => infinity(to, negative),
        Class::Nan => encoding::convert_nan(from, to, a),
        Class::Finite { significand, exponent } => round_pack_to(to, negative, significand, exponent, toward),
    }
}

/// The nearest `f64`.
pub fn to_f64(ty: FloatTy, a: Bits) -> f64 {
    f64::from_bits(convert(ty, FloatTy::F64, a) as u64)
}

/// The nearest float of the type.
pub fn from_f64(ty: FloatTy, x: f64) -> Bits {
    convert(FloatTy::F64, ty, u128::from(x.to_bits()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [FloatTy; 4] = [FloatTy::F32, FloatTy::F64, FloatTy::X80, FloatTy::F128];

    fn lit(ty: FloatTy, text: &str) -> Bits {
        parse(ty, text).unwrap()
    }

    #[test]
    fn invalid_operations_yield_the_default_nan() {
        for ty in ALL {
            let (inf, nan) = (infinity(ty, false), default_nan(ty));
            assert_eq!(binary(BinOp::Sub, ty, inf, inf), nan, "{ty}");
            assert_eq!(binary(BinOp::Div, ty, 0, 0), nan, "{ty}");
            assert_eq!(binary(BinOp::Rem, ty, lit(ty, "1"), 0), nan, "{ty}");
            assert_eq!(unary(UnOp::Sqrt, ty, unary(UnOp::Neg, ty, lit(ty, "1"))), nan, "{ty}");
            assert_eq!(unary(UnOp::SignBit, ty, nan), 1);
            assert_eq!(compare(ty, nan, nan), None);
        }
        assert_eq!(default_nan(FloatTy::F64), 0xfff8_0000_0000_0000);
        assert_eq!(default_nan(FloatTy::X80), 0xffff_c000_0000_0000_0000);
    }

    #[test]
    fn nans_keep_their_payload() {
        let signalling = 0x7ff0_0000_0000_0123;
        let quieted = 0x7ff8_0000_0000_0123;
        assert_eq!(binary(BinOp::Add, FloatTy::F64, signalling, 0), quieted);
        assert_eq!(binary(BinOp::Add, FloatTy::F64, 0, signalling), quieted);
        for ty in [FloatTy::X80, FloatTy::F128] {
            assert_eq!(convert(ty, FloatTy::F64, convert(FloatTy::F64, ty, signalling)), quieted);
        }
    }

    #[test]
    fn x87_patterns_that_are_no_numbers() {
        let (unnormal, pseudo_infinity) = (0x4000_0000_0000_0000_0001, 0x7fff_0000_0000_0000_0000);
        for a in [unnormal, pseudo_infinity, pseudo_infinity | 1] {
            assert_eq!(unary(UnOp::IsNan, FloatTy::X80, a), 1);
            assert_eq!(binary(BinOp::Add, FloatTy::X80, a, 0), default_nan(FloatTy::X80));
            assert_eq!(to_int(FloatTy::X80, IntTy::I64, a), None);
            assert_eq!(compare(FloatTy::X80, a, a), None);
        }
        // A pseudo-denormal is a number: the one with exponent 1.
        let pseudo_denormal = 1 << 63;
        assert_eq!(compare(FloatTy::X80, pseudo_denormal, 1 << 64 | 1 << 63), Some(Ordering::Equal));
    }

    #[test]
    fn integers_at_the_edge_of_their_range() {
        for ty in ALL {
            assert_eq!(to_int(ty, IntTy::U8, lit(ty, "255.5")), Some(255), "{ty}");
            assert_eq!(to_int(ty, IntTy::U8, lit(ty, "256")), None, "{ty}");
            let neg = |text| unary(UnOp::Neg, ty, lit(ty, text));
            assert_eq!(to_int(ty, IntTy::U8, neg("0.9")), Some(0), "{ty}");
            assert_eq!(to_int(ty, IntTy::U8, neg("1")), None, "{ty}");
            assert_eq!(to_int(ty, IntTy::I8, neg("128.75")), Some(0x80), "{ty}");
            assert_eq!(to_int(ty, IntTy::I8, neg("129")), None, "{ty}");
            assert_eq!(to_int(ty, IntTy::I64, lit(ty, "0x1p63")), None, "{ty}");
            assert_eq!(to_int(ty, IntTy::I64, neg("0x1p63")), Some(1 << 63), "{ty}");
            assert_eq!(to_int(ty, IntTy::U128, lit(ty, "0x1p127")), Some(1 << 127), "{ty}");
            assert_eq!(to_int(ty, IntTy::U128, infinity(ty, false)), None, "{ty}");
        }
        assert_eq!(to_int(FloatTy::F64, IntTy::U128, lit(FloatTy::F64, "0x1p128")), None);
        assert_eq!(from_int(IntTy::U128, FloatTy::F32, u128::MAX), infinity(FloatTy::F32, false));
        assert_eq!(from_int(IntTy::I128, FloatTy::F64, 1 << 127), lit(FloatTy::F64, "0x1p127") | 1 << 63);
    }

    #[test]
    fn what_is_no_literal() {
        for text in
            ["", ".", "e5", "1e", "1e+", "0x", "0x.p1", "1.2.3", "inf", "nan", "-1", "1f", "0x1p", "1 "]
        {
            for ty in ALL {
                assert_eq!(parse(ty, text), None, "{text:?} as {ty}");
            }
        }
    }

    #[test]
    fn long_literals() {
        let zeros = "0".repeat(20_000);
        for ty in ALL {
            assert_eq!(lit(ty, &format!("1.{zeros}")), lit(ty, "1"));
            assert_eq!(lit(ty, &format!("{zeros}1")), lit(ty, "1"));
            assert_eq!(lit(ty, &format!("0.{zeros}1e20001")), lit(ty, "1"));
        }
        // Just above the point half-way between 1 and its successor, by a digit far away.
        let half = to_decimal(FloatTy::F128, lit(FloatTy::F128, "0x1.0000000000000001p0")).unwrap();
        let digits: String = half.digits.iter().map(|d| char::from(b'0' + d)).collect();
        let tie = format!("1.{}", &digits[1..]);
        assert_eq!(lit(FloatTy::X80, &tie), lit(FloatTy::X80, "1"));
        let above = format!("{tie}{zeros}1");
        assert_eq!(lit(FloatTy::X80, &above), lit(FloatTy::X80, "1") + 1);
    }

    #[test]
    fn zeroes_have_an_order_in_fmin() {
        for ty in ALL {
            let minus = unary(UnOp::Neg, ty, 0);
            for (a, b) in [(0, minus), (minus, 0)] {
                assert_eq!(binary(BinOp::Fmin, ty, a, b), minus);
                assert_eq!(binary(BinOp::Fmax, ty, a, b), 0);
            }
            assert_eq!(binary(BinOp::Fmin, ty, default_nan(ty), 0), 0);
            assert_eq!(binary(BinOp::Fmax, ty, 0, default_nan(ty)), 0);
        }
    }
}
