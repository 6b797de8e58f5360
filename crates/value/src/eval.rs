//! The definition of every pure operation on bit patterns.

use cairn_base::DataModel;

use crate::{BinOp, Bits, Ty, UnOp};

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
    let _ = (op, ty, a);
    todo!()
}

/// Applies `op` to values of types `ty` (left) and `rty` (right).
pub fn binary(op: BinOp, ty: Ty, rty: Ty, a: Bits, b: Bits, model: DataModel) -> Result<Bits, Undefined> {
    let _ = (op, ty, rty, a, b, model);
    todo!()
}

/// Converts a value. Integers wrap, `bool` becomes 0 or 1, pointers are their addresses; an
/// integer becomes a pointer by extension according to its own signedness, then truncation.
pub fn cast(from: Ty, to: Ty, a: Bits, model: DataModel) -> Result<Bits, Undefined> {
    let _ = (from, to, a, model);
    todo!()
}

/// Does a *signed* arithmetic operation (Add, Sub, Mul, Neg as `0 - b`, Shl, Div) on integers
/// leave its type? This is what `no-overflow` and `--signed-overflow` ask; the value itself wraps.
pub fn overflows(op: BinOp, ty: Ty, a: Bits, b: Bits) -> bool {
    let _ = (op, ty, a, b);
    todo!()
}
