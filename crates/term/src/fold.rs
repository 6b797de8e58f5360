//! The meaning of every operation on concrete values, written once.
//!
//! Constant folding in the constructors and [`crate::Evaluator`] both come
//! here, and wherever an operation is one of C's it is the definition in
//! [`cairn_value::eval`] that answers; SMT-LIB only adds values where C has
//! undefined behaviour (division by zero, shifts beyond the width).

use cairn_base::DataModel;
use cairn_value::{BinOp, Bits, FloatTy, IntTy, Toward, Ty, UnOp, eval, float};
use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use rustc_apfloat::Float;
use rustc_apfloat::ieee::{Double, Quad, Single, X87DoubleExtended};

use crate::op::Rounded;
use crate::value::{canonical_float, from_ieee, made_nan, mask, nan, signed, to_ieee};
use crate::{Op, Round, Value};

/// Applies a scalar operation. `None` if the operation is no function of scalars (variables,
/// arrays) or the arguments do not fit it.
pub fn fold(op: Op, args: &[&Value]) -> Option<Value> {
    use Value as V;
    Some(match (op, args) {
        (Op::Not, [V::Bool(a)]) => V::Bool(!a),
        (Op::And, _) => V::Bool(all_bool(args)?.all(|b| b)),
        (Op::Or, _) => V::Bool(all_bool(args)?.any(|b| b)),
        (Op::Eq, [a, b]) => V::Bool(a == b),
        (Op::Ite, [V::Bool(c), a, b]) => (*if *c { a } else { b }).clone(),
        (Op::Add, _) => V::Int(all_int(args)?.sum()),
        (Op::Mul, [V::Int(a), V::Int(b)]) => V::Int(a * b),
        (Op::Div, [V::Int(a), V::Int(b)]) => V::Int(euclid(a, b).0),
        (Op::Mod, [V::Int(a), V::Int(b)]) => V::Int(euclid(a, b).1),
        (Op::Le, [V::Int(a), V::Int(b)]) => V::Bool(a <= b),
        (Op::BitsToInt, [V::Bits(_, a)]) => V::Int(BigInt::from(*a)),
        (Op::IntToBits(w), [V::Int(a)]) => V::bits(w, low_bits(a)),
        (Op::BvUlt | Op::BvSlt | Op::BvUmulO | Op::BvSmulO, [V::Bits(w, a), V::Bits(_, b)]) => {
            V::Bool(predicate(op, *w, *a, *b)?)
        }
        (Op::Concat, [V::Bits(v, a), V::Bits(w, b)]) => V::Bits(v + w, shl(*a, *w) | b),
        (Op::Extract(hi, lo), [V::Bits(_, a)]) => V::bits(hi - lo + 1, a >> lo),
        (Op::ZeroExt(n), [V::Bits(w, a)]) => V::Bits(w + n, *a),
        (Op::SignExt(n), [V::Bits(w, a)]) => V::bits(w + n, signed(*w, *a) as Bits),
        (_, [V::Bits(w, a)]) if !from_bits_to_float(op) => V::Bits(*w, unary(op, *w, *a)?),
        (_, [V::Bits(w, a), V::Bits(_, b)]) => V::Bits(*w, binary(op, *w, *a, *b)?),
        (_, _) => return fold_float(op, args),
    })
}

fn all_bool<'a>(args: &'a [&Value]) -> Option<impl Iterator<Item = bool> + 'a> {
    args.iter().all(|v| v.as_bool().is_some()).then(|| args.iter().filter_map(|v| v.as_bool()))
}

fn all_int<'a>(args: &'a [&Value]) -> Option<impl Iterator<Item = &'a BigInt> + 'a> {
    args.iter().all(|v| v.as_int().is_some()).then(|| args.iter().filter_map(|v| v.as_int()))
}

fn shl(a: Bits, n: u8) -> Bits {
    a.checked_shl(u32::from(n)).unwrap_or(0)
}

/// Quotient and remainder with `0 <= remainder < |b|`.
pub(crate) fn euclid(a: &BigInt, b: &BigInt) -> (BigInt, BigInt) {
    if b.sign() == Sign::NoSign {
        return (BigInt::ZERO, a.clone());
    }
    let (q, r) = a.div_mod_floor(b);
    // The floored remainder has the sign of the divisor.
    if r.sign() == Sign::Minus { (q + 1, r - b) } else { (q, r) }
}

/// The 128 lowest bits of a number in two's complement.
pub(crate) fn low_bits(n: &BigInt) -> Bits {
    let (_, r) = euclid(n, &(BigInt::from(1) << 128));
    u128::try_from(r).unwrap_or(0)
}

const MODEL: DataModel = DataModel::Lp64;

pub(crate) fn unary(op: Op, width: u8, a: Bits) -> Option<Bits> {
    let ty = Ty::Int(IntTy { bits: width, signed: false });
    let op = match op {
        Op::BvNot => UnOp::BitNot,
        Op::BvNeg => UnOp::Neg,
        _ => return None,
    };
    eval::unary(op, ty, a).ok()
}

/// Bit-vector operations of two arguments of one width that yield that width.
pub(crate) fn binary(op: Op, width: u8, a: Bits, b: Bits) -> Option<Bits> {
    let (c_op, is_signed) = match op {
        Op::BvAdd => (BinOp::Add, false),
        Op::BvMul => (BinOp::Mul, false),
        Op::BvUdiv => (BinOp::Div, false),
        Op::BvUrem => (BinOp::Rem, false),
        Op::BvSdiv => (BinOp::Div, true),
        Op::BvSrem => (BinOp::Rem, true),
        Op::BvShl => (BinOp::Shl, false),
        Op::BvLshr => (BinOp::Shr, false),
        Op::BvAshr => (BinOp::Shr, true),
        Op::BvAnd => (BinOp::And, false),
        Op::BvOr => (BinOp::Or, false),
        Op::BvXor => (BinOp::Xor, false),
        _ => return None,
    };
    let ty = Ty::Int(IntTy { bits: width, signed: is_signed });
    // The count of a shift is unsigned here.
    let rty = Ty::Int(IntTy { bits: width, signed: is_signed && op != Op::BvAshr });
    if let Ok(v) = eval::binary(c_op, ty, rty, a, b, MODEL) {
        return Some(v);
    }
    let negative = signed(width, a) < 0;
    Some(match op {
        Op::BvUdiv => mask(width),
        Op::BvSdiv if b == 0 => {
            if negative {
                1
            } else {
                mask(width)
            }
        }
        Op::BvSdiv => a,
        Op::BvUrem => a,
        Op::BvSrem if b == 0 => a,
        Op::BvAshr if negative => mask(width),
        _ => 0,
    })
}

/// Bit-vector operations that yield a boolean.
pub(crate) fn predicate(op: Op, width: u8, a: Bits, b: Bits) -> Option<bool> {
    let (c_op, is_signed) = match op {
        Op::BvUlt => (BinOp::Lt, false),
        Op::BvSlt => (BinOp::Lt, true),
        Op::BvUmulO => (BinOp::MulOvf, false),
        Op::BvSmulO => (BinOp::MulOvf, true),
        _ => return None,
    };
    let ty = Ty::Int(IntTy { bits: width, signed: is_signed });
    eval::binary(c_op, ty, ty, a, b, MODEL).ok().map(|v| v != 0)
}

fn from_bits_to_float(op: Op) -> bool {
    matches!(op, Op::FpFromIeee(_) | Op::FpFromSbv(_) | Op::FpFromUbv(_) | Op::FpDirected(..))
}

fn fold_float(op: Op, args: &[&Value]) -> Option<Value> {
    use Value as V;
    Some(match (op, args) {
        (Op::FpFromIeee(ty), [V::Bits(_, a)]) => V::float(ty, from_ieee(ty, *a)),
        (Op::FpFromSbv(ty), [V::Bits(w, a)]) => {
            V::float(ty, float::from_int(IntTy { bits: *w, signed: true }, ty, *a))
        }
        (Op::FpFromUbv(ty), [V::Bits(w, a)]) => {
            V::float(ty, float::from_int(IntTy { bits: *w, signed: false }, ty, *a))
        }
        (Op::FpDirected(Rounded::FromSbv(ty), mode), [V::Bits(w, a)]) => {
            V::float(ty, float::from_int_to(IntTy { bits: *w, signed: true }, ty, *a, toward(mode)))
        }
        (Op::FpDirected(Rounded::FromUbv(ty), mode), [V::Bits(w, a)]) => {
            V::float(ty, float::from_int_to(IntTy { bits: *w, signed: false }, ty, *a, toward(mode)))
        }
        (Op::FpDirected(Rounded::ToFp(to), mode), [V::Float(from, a)]) => {
            V::float(to, float::unary(UnOp::ConvertTo(to, toward(mode)?), *from, *a))
        }
        (Op::FpToSbv(w), [V::Float(ty, a)]) => {
            V::Bits(w, float::to_int(*ty, IntTy { bits: w, signed: true }, *a).unwrap_or(0))
        }
        (Op::FpToUbv(w), [V::Float(ty, a)]) => {
            V::Bits(w, float::to_int(*ty, IntTy { bits: w, signed: false }, *a).unwrap_or(0))
        }
        (Op::FpToIeee, [V::Float(ty, a)]) => {
            V::Bits(crate::sort::ieee_width(*ty), to_ieee(*ty, canonical_float(*ty, *a)))
        }
        (Op::FpToBits, [V::Float(ty, a), V::Bits(w, n)]) => {
            let is_nan = float::classify(*ty, *a) == float::Class::Nan;
            V::Bits(*w, if is_nan { made_nan(*ty, *n) } else { *a })
        }
        (Op::FpToFp(to), [V::Float(from, a)]) => V::float(to, float::convert(*from, to, *a)),
        (_, [V::Float(ty, a)]) => match float_predicate(op, *ty, *a) {
            Some(b) => V::Bool(b),
            None => V::float(*ty, float_unary(op, *ty, *a)?),
        },
        (_, [V::Float(ty, a), V::Float(_, b)]) => match float_compare(op, *ty, *a, *b) {
            Some(b) => V::Bool(b),
            None => V::float(*ty, float_binary(op, *ty, *a, *b)?),
        },
        _ => return None,
    })
}

/// The direction, if it is one.
fn toward(mode: Round) -> Option<Toward> {
    match mode {
        Round::Up => Some(Toward::Up),
        Round::Down => Some(Toward::Down),
        Round::ToZero => Some(Toward::Zero),
        Round::NearestEven | Round::NearestAway => None,
    }
}

fn float_unary(op: Op, ty: FloatTy, a: Bits) -> Option<Bits> {
    let op = match op {
        Op::FpDirected(Rounded::Sqrt, mode) => UnOp::SqrtTo(toward(mode)?),
        Op::FpSqrt => UnOp::Sqrt,
        Op::FpNeg => UnOp::Neg,
        Op::FpAbs => UnOp::Fabs,
        Op::FpRound(Round::Down) => UnOp::Floor,
        Op::FpRound(Round::Up) => UnOp::Ceil,
        Op::FpRound(Round::ToZero) => UnOp::Trunc,
        Op::FpRound(Round::NearestEven) => UnOp::RoundEven,
        Op::FpRound(Round::NearestAway) => UnOp::RoundAway,
        _ => return None,
    };
    Some(float::unary(op, ty, a))
}

fn float_binary(op: Op, ty: FloatTy, a: Bits, b: Bits) -> Option<Bits> {
    let op = match op {
        Op::FpAdd => BinOp::Add,
        Op::FpSub => BinOp::Sub,
        Op::FpMul => BinOp::Mul,
        Op::FpDiv => BinOp::Div,
        Op::FpDirected(Rounded::Add, mode) => BinOp::AddTo(toward(mode)?),
        Op::FpDirected(Rounded::Sub, mode) => BinOp::SubTo(toward(mode)?),
        Op::FpDirected(Rounded::Mul, mode) => BinOp::MulTo(toward(mode)?),
        Op::FpDirected(Rounded::Div, mode) => BinOp::DivTo(toward(mode)?),
        Op::FpRem => return Some(remainder(ty, a, b)),
        _ => return None,
    };
    Some(float::binary(op, ty, a, b))
}

fn remainder(ty: FloatTy, a: Bits, b: Bits) -> Bits {
    fn of<F: Float>(a: Bits, b: Bits) -> Bits {
        F::from_bits(a).ieee_rem(F::from_bits(b)).value.to_bits()
    }
    match ty {
        FloatTy::F32 => of::<Single>(a, b),
        FloatTy::F64 => of::<Double>(a, b),
        FloatTy::X80 => of::<X87DoubleExtended>(a, b),
        FloatTy::F128 => of::<Quad>(a, b),
    }
}

fn float_compare(op: Op, ty: FloatTy, a: Bits, b: Bits) -> Option<bool> {
    let order = float::compare(ty, a, b);
    Some(match op {
        Op::FpLt => order.is_some_and(|o| o.is_lt()),
        Op::FpLe => order.is_some_and(|o| o.is_le()),
        Op::FpEq => order.is_some_and(|o| o.is_eq()),
        _ => return None,
    })
}

fn float_predicate(op: Op, ty: FloatTy, a: Bits) -> Option<bool> {
    use float::Class;
    let class = float::classify(ty, a);
    let normal_from = crate::sort::float_format(ty).1;
    let is_normal = |significand: u128| 128 - significand.leading_zeros() == normal_from;
    Some(match (op, class) {
        (Op::FpIsNan, _) => class == Class::Nan,
        (Op::FpIsInf, _) => class == Class::Infinite,
        (Op::FpIsZero, _) => class == Class::Zero,
        (Op::FpIsNormal, Class::Finite { significand, .. }) => is_normal(significand),
        (Op::FpIsSubnormal, Class::Finite { significand, .. }) => !is_normal(significand),
        (Op::FpIsNormal | Op::FpIsSubnormal, _) => false,
        (Op::FpIsNegative, _) => {
            class != Class::Nan && a != nan(ty) && float::unary(UnOp::SignBit, ty, a) == 1
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_c_is_undefined_smt_lib_has_a_value() {
        for w in [1, 8, 32, 128] {
            let m = mask(w);
            assert_eq!(binary(Op::BvUdiv, w, 1, 0), Some(m));
            assert_eq!(binary(Op::BvUrem, w, 1, 0), Some(1));
            assert_eq!(binary(Op::BvSdiv, w, m, 0), Some(1));
            assert_eq!(binary(Op::BvSrem, w, m, 0), Some(m));
            let min = 1 << (w - 1);
            assert_eq!(binary(Op::BvSdiv, w, min, m), Some(min));
            assert_eq!(binary(Op::BvSrem, w, min, m), Some(0));
            assert_eq!(binary(Op::BvAshr, w, min, m), Some(if w == 1 { 1 } else { m }));
            assert_eq!(binary(Op::BvShl, 8, 1, 8), Some(0));
        }
    }

    #[test]
    fn division_of_integers_leaves_no_negative_remainder() {
        for (a, b, q, r) in [(7, 2, 3, 1), (-7, 2, -4, 1), (7, -2, -3, 1), (-7, -2, 4, 1), (7, 0, 0, 7)] {
            assert_eq!(euclid(&a.into(), &b.into()), (q.into(), r.into()), "{a} / {b}");
        }
        assert_eq!(low_bits(&BigInt::from(-1)), u128::MAX);
    }
}
