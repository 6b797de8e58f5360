//! The definition of every pure operation on bit patterns.
//!
//! All functions are total: any bit pattern and any operator give a value or
//! say which undefined behaviour it is. Operands that do not fit the operator
//! (which [`crate::UnOp::result`] and [`crate::BinOp::result`] reject, so that
//! no well-formed program holds them) give 0.

use std::cmp::Ordering;

use cairn_base::DataModel;

use crate::{BinOp, Bits, FloatTy, IntTy, Ty, UnOp, float};

/// Why an operation has no value.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Undefined {
    DivisionByZero,
    /// `MIN / -1` or `MIN % -1`.
    DivisionOverflow,
    /// Shift by a negative count or by at least the width.
    BadShift,
    /// A float outside the integer type it is converted to.
    FloatToInt,
    /// `__builtin_clz(0)` and its kin.
    CountOfZero,
}

/// Applies `op` to a value of type `ty`.
pub fn unary(op: UnOp, ty: Ty, a: Bits) -> Result<Bits, Undefined> {
    match ty {
        Ty::Int(i) => int_unary(op, i, a),
        Ty::Float(f) => Ok(float::unary(op, f, a)),
        Ty::Bool => Ok(if op == UnOp::Not { a ^ 1 } else { 0 }),
        Ty::Ptr => Ok(0),
    }
}

/// Applies `op` to values of types `ty` (left) and `rty` (right).
pub fn binary(op: BinOp, ty: Ty, rty: Ty, a: Bits, b: Bits, model: DataModel) -> Result<Bits, Undefined> {
    match ty {
        Ty::Int(i) => int_binary(op, i, rty, a, b),
        Ty::Float(f) => Ok(float_binary(op, f, a, b)),
        Ty::Bool => Ok(match op {
            BinOp::And => a & b,
            BinOp::Or => a | b,
            BinOp::Xor | BinOp::Ne => a ^ b,
            BinOp::Eq => a ^ b ^ 1,
            _ => 0,
        }),
        Ty::Ptr => Ok(pointer_binary(op, a, b, model)),
    }
}

/// Converts a value. Integers wrap, `bool` becomes 0 or 1, pointers are their addresses; an
/// integer becomes a pointer by extension according to its own signedness, then truncation.
pub fn cast(from: Ty, to: Ty, a: Bits, model: DataModel) -> Result<Bits, Undefined> {
    Ok(match (from, to) {
        (Ty::Int(from), Ty::Int(to)) => to.wrap(from.number(a)),
        (Ty::Bool | Ty::Ptr, Ty::Int(to)) => a & to.mask(),
        (Ty::Float(from), Ty::Int(to)) => return float::to_int(from, to, a).ok_or(Undefined::FloatToInt),
        (Ty::Int(from), Ty::Float(to)) => float::from_int(from, to, a),
        (Ty::Float(from), Ty::Float(to)) => float::convert(from, to, a),
        (Ty::Int(from), Ty::Ptr) => IntTy::size(model).wrap(from.number(a)),
        (Ty::Ptr, Ty::Ptr) | (Ty::Bool, Ty::Bool) => a,
        _ => 0,
    })
}

/// Is `result` only one of several that IEEE 754 allows, that is, a NaN that was computed? Constant
/// folding leaves such an operation in the program.
pub fn unary_is_open(op: UnOp, ty: Ty, result: Bits) -> bool {
    matches!(ty, Ty::Float(f) if float::classify(f, result) == float::Class::Nan)
        && !matches!(op, UnOp::Neg | UnOp::Fabs)
}

/// The same for two operands. Also, C does not say which zero `fmin` and `fmax` prefer.
pub fn binary_is_open(op: BinOp, ty: Ty, a: Bits, b: Bits, result: Bits) -> bool {
    let Ty::Float(f) = ty else { return false };
    match float::classify(f, result) {
        float::Class::Nan => op != BinOp::CopySign,
        float::Class::Zero => matches!(op, BinOp::Fmin | BinOp::Fmax) && a != b,
        _ => false,
    }
}

/// Does a *signed* arithmetic operation (Add, Sub, Mul, Neg as `0 - b`, Shl, Div) on integers
/// leave its type? This is what `no-overflow` and `--signed-overflow` ask; the value itself wraps.
///
/// A left shift leaves its type if `a * 2^b` is no value of it (gcc defines the shift of a
/// negative number, so that alone is no overflow). An undefined count is `BadShift`, not overflow.
pub fn overflows(op: BinOp, ty: Ty, a: Bits, b: Bits) -> bool {
    let Ty::Int(i) = ty else { return false };
    if !i.signed {
        return false;
    }
    match op {
        BinOp::Add | BinOp::Sub | BinOp::Mul => leaves_range(op, i, a, b),
        BinOp::Div => divides_out(i, a, b),
        BinOp::Shl if b < u128::from(i.bits) => {
            let shifted = i.number((a << b) & i.mask());
            (shifted >> b) != i.number(a)
        }
        _ => false,
    }
}

fn int_unary(op: UnOp, i: IntTy, a: Bits) -> Result<Bits, Undefined> {
    Ok(match op {
        UnOp::Neg => a.wrapping_neg() & i.mask(),
        UnOp::BitNot => !a & i.mask(),
        UnOp::Clz | UnOp::Ctz if a == 0 => return Err(Undefined::CountOfZero),
        // The counts of narrow signed types wrap like any other value: `-1` of a 2-bit type has 2 bits.
        UnOp::Clz => u128::from((a << (128 - u32::from(i.bits))).leading_zeros()) & i.mask(),
        UnOp::Ctz => u128::from(a.trailing_zeros()) & i.mask(),
        UnOp::Popcount => u128::from(a.count_ones()) & i.mask(),
        UnOp::ConvertTo(f, toward) => float::from_int_to(i, f, a, Some(toward)),
        UnOp::Bswap => (a.swap_bytes() >> (128 - 8 * u32::from(i.bits.div_ceil(8)))) & i.mask(),
        _ => 0,
    })
}

fn int_binary(op: BinOp, i: IntTy, rty: Ty, a: Bits, b: Bits) -> Result<Bits, Undefined> {
    let bool = |v: bool| u128::from(v);
    Ok(match op {
        BinOp::Add => a.wrapping_add(b) & i.mask(),
        BinOp::Sub => a.wrapping_sub(b) & i.mask(),
        BinOp::Mul => a.wrapping_mul(b) & i.mask(),
        BinOp::Div | BinOp::Rem => {
            if b == 0 {
                return Err(Undefined::DivisionByZero);
            }
            if divides_out(i, a, b) {
                return Err(Undefined::DivisionOverflow);
            }
            let (x, y) = (i.number(a), i.number(b));
            match (i.signed, op) {
                (true, BinOp::Div) => i.wrap(x.wrapping_div(y)),
                (true, _) => i.wrap(x.wrapping_rem(y)),
                (false, BinOp::Div) => a / b,
                (false, _) => a % b,
            }
        }
        BinOp::Shl | BinOp::Shr => {
            let count = match rty {
                Ty::Int(r) if r.signed && r.number(b) < 0 => None,
                _ if b >= u128::from(i.bits) => None,
                _ => Some(b as u32),
            };
            let count = count.ok_or(Undefined::BadShift)?;
            match (op, i.signed) {
                (BinOp::Shl, _) => (a << count) & i.mask(),
                (_, true) => i.wrap(i.number(a) >> count),
                (_, false) => a >> count,
            }
        }
        BinOp::And => a & b,
        BinOp::Or => a | b,
        BinOp::Xor => a ^ b,
        BinOp::Eq => bool(a == b),
        BinOp::Ne => bool(a != b),
        BinOp::Lt => bool(order(i, a, b).is_lt()),
        BinOp::Le => bool(order(i, a, b).is_le()),
        BinOp::AddOvf => bool(leaves_range(BinOp::Add, i, a, b)),
        BinOp::SubOvf => bool(leaves_range(BinOp::Sub, i, a, b)),
        BinOp::MulOvf => bool(leaves_range(BinOp::Mul, i, a, b)),
        _ => 0,
    })
}

fn order(i: IntTy, a: Bits, b: Bits) -> Ordering {
    if i.signed { i.number(a).cmp(&i.number(b)) } else { a.cmp(&b) }
}

/// `MIN / -1`, the one quotient that is no value of its type.
fn divides_out(i: IntTy, a: Bits, b: Bits) -> bool {
    i.signed && i.number(a) == i.min() && b == i.mask()
}

/// Is the exact sum, difference or product no value of the type?
fn leaves_range(op: BinOp, i: IntTy, a: Bits, b: Bits) -> bool {
    if i.signed {
        let (x, y) = (i.number(a), i.number(b));
        let exact = match op {
            BinOp::Add => x.checked_add(y),
            BinOp::Sub => x.checked_sub(y),
            _ => x.checked_mul(y),
        };
        exact.is_none_or(|v| i.number(i.wrap(v)) != v)
    } else {
        let exact = match op {
            BinOp::Add => a.checked_add(b),
            BinOp::Sub => a.checked_sub(b),
            _ => a.checked_mul(b),
        };
        exact.is_none_or(|v| v > i.mask())
    }
}

fn float_binary(op: BinOp, f: FloatTy, a: Bits, b: Bits) -> Bits {
    let holds = |accept: fn(Ordering) -> bool| u128::from(float::compare(f, a, b).is_some_and(accept));
    match op {
        BinOp::Eq => holds(Ordering::is_eq),
        BinOp::Ne => holds(Ordering::is_eq) ^ 1,
        BinOp::Lt => holds(Ordering::is_lt),
        BinOp::Le => holds(Ordering::is_le),
        _ => float::binary(op, f, a, b),
    }
}

fn pointer_binary(op: BinOp, a: Bits, b: Bits, model: DataModel) -> Bits {
    let address = IntTy::size(model);
    match op {
        BinOp::Eq => u128::from(a == b),
        BinOp::Ne => u128::from(a != b),
        BinOp::Lt => u128::from(a < b),
        BinOp::Le => u128::from(a <= b),
        BinOp::PtrAdd => a.wrapping_add(b) & address.mask(),
        BinOp::PtrSub => a.wrapping_sub(b) & address.mask(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LP64: DataModel = DataModel::Lp64;

    fn bin(op: BinOp, i: IntTy, a: i128, b: i128) -> Result<i128, Undefined> {
        let t = Ty::Int(i);
        binary(op, t, t, i.wrap(a), i.wrap(b), LP64).map(|v| i.number(v))
    }

    #[test]
    fn arithmetic_wraps_at_every_width() {
        for bits in 1..=128 {
            for signed in [false, true] {
                let i = IntTy { bits, signed };
                let t = Ty::Int(i);
                let max = i.max_bits();
                let min = i.wrap(i.min());
                assert_eq!(
                    binary(BinOp::Add, t, t, max, i.wrap(1), LP64),
                    Ok(if bits == 1 && signed { 1 } else { min }),
                    "{i}"
                );
                assert_eq!(unary(UnOp::Neg, t, min), Ok(min), "{i}");
                assert_eq!(unary(UnOp::BitNot, t, max), Ok(min), "{i}");
            }
        }
    }

    #[test]
    fn division_and_its_undefined_cases() {
        use Undefined::*;
        for i in [IntTy::I8, IntTy::I16, IntTy::I32, IntTy::I64, IntTy::I128] {
            assert_eq!(bin(BinOp::Div, i, -7, 2), Ok(-3));
            assert_eq!(bin(BinOp::Rem, i, -7, 2), Ok(-1));
            assert_eq!(bin(BinOp::Rem, i, 7, -2), Ok(1));
            assert_eq!(bin(BinOp::Div, i, 1, 0), Err(DivisionByZero));
            assert_eq!(bin(BinOp::Rem, i, 1, 0), Err(DivisionByZero));
            assert_eq!(bin(BinOp::Div, i, i.min(), -1), Err(DivisionOverflow));
            assert_eq!(bin(BinOp::Rem, i, i.min(), -1), Err(DivisionOverflow));
            assert_eq!(bin(BinOp::Div, i, i.min() + 1, -1), Ok(i.max_bits() as i128));
        }
        let u = Ty::Int(IntTy::U128);
        assert_eq!(binary(BinOp::Div, u, u, u128::MAX, u128::MAX, LP64), Ok(1));
        assert_eq!(binary(BinOp::Rem, u, u, u128::MAX, 1 << 127, LP64), Ok((1 << 127) - 1));
    }

    #[test]
    fn shifts() {
        use Undefined::BadShift;
        assert_eq!(bin(BinOp::Shr, IntTy::I32, -8, 1), Ok(-4));
        assert_eq!(bin(BinOp::Shr, IntTy::U32, 0x8000_0000, 31), Ok(1));
        assert_eq!(bin(BinOp::Shl, IntTy::I32, 1, 31), Ok(i128::from(i32::MIN)));
        assert_eq!(bin(BinOp::Shl, IntTy::I32, 1, 32), Err(BadShift));
        assert_eq!(bin(BinOp::Shl, IntTy::I32, 1, -1), Err(BadShift));
        assert_eq!(bin(BinOp::Shr, IntTy::U128, 1, 127), Ok(0));
        // The count's own type decides whether it is negative.
        let (wide, narrow) = (Ty::Int(IntTy::U128), Ty::Int(IntTy { bits: 5, signed: true }));
        assert_eq!(binary(BinOp::Shl, wide, narrow, 1, 0b10000, LP64), Err(BadShift));
        assert_eq!(binary(BinOp::Shl, wide, Ty::Int(IntTy::U8), 1, 0b10000, LP64), Ok(1 << 16));
    }

    #[test]
    fn overflow_is_the_mathematical_one() {
        for bits in [2u8, 7, 8, 16, 32, 63, 64, 127, 128] {
            let i = IntTy { bits, signed: true };
            let t = Ty::Int(i);
            let (min, max, one) = (i.wrap(i.min()), i.max_bits(), 1u128);
            assert!(overflows(BinOp::Add, t, max, one));
            assert!(!overflows(BinOp::Add, t, max, i.mask()));
            assert!(overflows(BinOp::Sub, t, min, one));
            assert!(overflows(BinOp::Sub, t, 0, min));
            assert!(overflows(BinOp::Mul, t, min, i.mask()));
            assert!(!overflows(BinOp::Mul, t, max, i.mask()));
            assert!(overflows(BinOp::Div, t, min, i.mask()));
            assert!(overflows(BinOp::Shl, t, one, u128::from(bits) - 1));
            assert!(!overflows(BinOp::Shl, t, i.mask(), u128::from(bits) - 1));
            assert!(!overflows(BinOp::Shl, t, one, u128::from(bits)));
            let u = i.as_unsigned();
            assert!(!overflows(BinOp::Add, Ty::Int(u), u.mask(), 1));
            assert_eq!(binary(BinOp::AddOvf, Ty::Int(u), Ty::Int(u), u.mask(), 1, LP64), Ok(1));
            assert_eq!(binary(BinOp::SubOvf, Ty::Int(u), Ty::Int(u), 0, 1, LP64), Ok(1));
            assert_eq!(binary(BinOp::MulOvf, Ty::Int(u), Ty::Int(u), u.mask(), 1, LP64), Ok(0));
        }
    }

    #[test]
    fn counting_bits() {
        for i in [IntTy::I8, IntTy::U16, IntTy::I32, IntTy::U64, IntTy::U128] {
            let t = Ty::Int(i);
            assert_eq!(unary(UnOp::Clz, t, 1), Ok(u128::from(i.bits) - 1));
            assert_eq!(unary(UnOp::Ctz, t, 1u128 << (i.bits - 1)), Ok(u128::from(i.bits) - 1));
            assert_eq!(unary(UnOp::Popcount, t, i.mask()), Ok(u128::from(i.bits)));
            assert_eq!(unary(UnOp::Clz, t, 0), Err(Undefined::CountOfZero));
            assert_eq!(unary(UnOp::Bswap, t, 1), Ok(1u128 << (i.bits - 8)));
        }
    }

    #[test]
    fn pointers_are_flat_addresses() {
        for model in [DataModel::Ilp32, DataModel::Lp64] {
            let diff = IntTy::diff(model);
            let (p, d) = (Ty::Ptr, Ty::Int(diff));
            let top = IntTy::size(model).mask();
            assert_eq!(binary(BinOp::PtrAdd, p, d, 8, diff.wrap(-4), model), Ok(4));
            assert_eq!(binary(BinOp::PtrAdd, p, d, top, 1, model), Ok(0));
            assert_eq!(binary(BinOp::PtrSub, p, p, 4, 8, model), Ok(diff.wrap(-4)));
            assert_eq!(cast(Ty::Int(IntTy::I8), p, 0xff, model), Ok(top));
            assert_eq!(cast(Ty::Int(IntTy::U8), p, 0xff, model), Ok(0xff));
            assert_eq!(cast(p, Ty::Int(IntTy::U16), 0x12345, model), Ok(0x2345));
        }
    }

    #[test]
    fn ill_typed_operands_do_not_panic() {
        let types = [Ty::Bool, Ty::Ptr, Ty::Int(IntTy::U8), Ty::Int(IntTy::I128), Ty::Float(FloatTy::X80)];
        for ty in types {
            for rty in types {
                for op in [BinOp::Add, BinOp::Shl, BinOp::PtrAdd, BinOp::Fmin, BinOp::MulOvf, BinOp::Lt] {
                    let _ = binary(op, ty, rty, 1, 1, LP64);
                }
                let _ = cast(ty, rty, 1, LP64);
            }
        }
    }
}
