//! The names and typing rules of the pure operations.

use cairn_base::DataModel;

use crate::{FloatTy, IntTy, Ty};

/// The direction in which a result is rounded that does not go to the nearest number.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Toward {
    Zero,
    Down,
    Up,
}

impl Toward {
    pub const ALL: [Toward; 3] = [Toward::Zero, Toward::Down, Toward::Up];
}

#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum UnOp {
    /// Two's-complement or IEEE negation.
    Neg,
    /// Bitwise complement of an integer.
    BitNot,
    /// Negation of a `bool`.
    Not,
    /// Leading zero bits of an integer; undefined at 0. Result has the operand's type, as for
    /// `Ctz`, `Popcount` and `Bswap` (whole bytes reversed).
    Clz,
    Ctz,
    Popcount,
    Bswap,
    /// Float operations that IEEE 754 defines exactly.
    Fabs,
    Sqrt,
    Floor,
    Ceil,
    Trunc,
    /// To an integral value, ties to even (`rint` in the default mode).
    RoundEven,
    /// To an integral value, ties away from zero (`round`).
    RoundAway,
    /// `float -> bool`
    IsNan,
    IsInf,
    /// `float -> bool`: the sign bit.
    SignBit,
    /// The square root, and an integer or float as a float of this type, rounded in a direction.
    SqrtTo(Toward),
    ConvertTo(FloatTy, Toward),
}

#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum BinOp {
    /// Integers (wrapping; overflow of a signed type is flagged by `eval::overflows`) and floats.
    Add,
    Sub,
    Mul,
    /// C division: truncates; undefined for divisor 0 and for `MIN / -1` of a signed type.
    Div,
    /// Remainder with the sign of the dividend; undefined as `Div` is. Floats: `fmod`.
    Rem,
    /// Shifts: the count may have any integer type; undefined unless `0 <= count < width`.
    Shl,
    /// Arithmetic for signed, logical for unsigned types.
    Shr,
    /// Integers and `bool`. Both sides are evaluated.
    And,
    Or,
    Xor,
    /// Both operands of one type; result `bool`. Floats: IEEE (NaN differs from itself).
    Eq,
    Ne,
    /// Integers by their type's order, floats IEEE, pointers by address.
    Lt,
    Le,
    /// `ptr, ptrdiff -> ptr`, in bytes; address wraps.
    PtrAdd,
    /// `ptr, ptr -> ptrdiff`, in bytes.
    PtrSub,
    /// Does the operation leave the range of the operands' integer type? Result `bool`.
    AddOvf,
    SubOvf,
    MulOvf,
    /// IEEE `fmin`/`fmax` (a NaN operand gives the other one) and `copysign`.
    Fmin,
    Fmax,
    CopySign,
    /// Arithmetic on floats, rounded in a direction.
    AddTo(Toward),
    SubTo(Toward),
    MulTo(Toward),
    DivTo(Toward),
}

impl UnOp {
    /// The type of the result, or `None` if the operand's type does not fit.
    pub fn result(self, a: Ty) -> Option<Ty> {
        use UnOp::*;
        match (self, a) {
            (Neg, Ty::Int(_) | Ty::Float(_)) => Some(a),
            (BitNot | Clz | Ctz | Popcount | Bswap, Ty::Int(_)) => Some(a),
            (Not, Ty::Bool) => Some(a),
            (Fabs | Sqrt | Floor | Ceil | Trunc | RoundEven | RoundAway, Ty::Float(_)) => Some(a),
            (SqrtTo(_), Ty::Float(_)) => Some(a),
            (ConvertTo(f, _), Ty::Int(_) | Ty::Float(_)) => Some(Ty::Float(f)),
            (IsNan | IsInf | SignBit, Ty::Float(_)) => Some(Ty::Bool),
            _ => None,
        }
    }
}

impl BinOp {
    /// The type of the result, or `None` if the operands' types do not fit.
    pub fn result(self, a: Ty, b: Ty, model: DataModel) -> Option<Ty> {
        use BinOp::*;
        let diff = Ty::Int(IntTy::diff(model));
        match self {
            Add | Sub | Mul | Div | Rem if a == b && matches!(a, Ty::Int(_) | Ty::Float(_)) => Some(a),
            Shl | Shr if matches!((a, b), (Ty::Int(_), Ty::Int(_))) => Some(a),
            And | Or | Xor if a == b && matches!(a, Ty::Int(_) | Ty::Bool) => Some(a),
            Eq | Ne if a == b => Some(Ty::Bool),
            Lt | Le if a == b && a != Ty::Bool => Some(Ty::Bool),
            PtrAdd if a == Ty::Ptr && b == diff => Some(Ty::Ptr),
            PtrSub if a == Ty::Ptr && b == Ty::Ptr => Some(diff),
            AddOvf | SubOvf | MulOvf if a == b && matches!(a, Ty::Int(_)) => Some(Ty::Bool),
            Fmin | Fmax | CopySign | AddTo(_) | SubTo(_) | MulTo(_) | DivTo(_)
                if a == b && matches!(a, Ty::Float(_)) =>
            {
                Some(a)
            }
            _ => None,
        }
    }
}

/// May a value of type `from` be cast to `to`? There is no cast to `bool` (compare with zero
/// instead), none between floats and pointers, and none between `bool` and pointers or floats.
pub fn can_cast(from: Ty, to: Ty) -> bool {
    matches!(
        (from, to),
        (Ty::Bool | Ty::Int(_) | Ty::Ptr | Ty::Float(_), Ty::Int(_))
            | (Ty::Int(_) | Ty::Float(_), Ty::Float(_))
            | (Ty::Int(_) | Ty::Ptr, Ty::Ptr)
    )
}
