//! The operations terms are made of.
//!
//! The set is small on purpose: what SMT-LIB has in several spellings is kept
//! in one. There is no subtraction (add the negation), no `<=` on bit-vectors
//! (negate `<` with the sides swapped), no `<` on integers (negate `<=`), no
//! implication, no exclusive or on booleans (negate `=`), no overflow
//! predicate for sums. [`crate::Pool`] has constructors for all of those.

use cairn_base::entity_impl;
use cairn_value::FloatTy;

use crate::SortId;

/// An uninterpreted constant of a [`crate::Pool`].
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VarId(u32);
entity_impl!(VarId, "var");

/// A bit pattern stored by a [`crate::Pool`].
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WordId(u32);
entity_impl!(WordId, "word");

/// An integer stored by a [`crate::Pool`].
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NumberId(u32);
entity_impl!(NumberId, "number");

/// How a result is rounded.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Round {
    NearestEven,
    NearestAway,
    Up,
    Down,
    ToZero,
}

/// An operation on floats that rounds its result.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rounded {
    Add,
    Sub,
    Mul,
    Div,
    Sqrt,
    ToFp(FloatTy),
    FromSbv(FloatTy),
    FromUbv(FloatTy),
}

/// What a term does with its arguments. `a`, `b`, `c` are the arguments in order.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Op {
    Var(VarId),
    Bool(bool),
    Number(NumberId),
    /// A bit-vector constant.
    Word(WordId, u8),
    /// A float constant, as the bit pattern of [`cairn_value`].
    Float(WordId, FloatTy),

    Not,
    /// Two or more arguments, in the order of their ids.
    And,
    Or,
    /// Equality of any sort but float arithmetic's `==`: the NaN equals itself, the zeroes differ.
    Eq,
    Ite,

    /// Two or more integers.
    Add,
    Mul,
    /// Division that rounds so that the remainder is not negative, as in SMT-LIB. By zero it gives
    /// 0, and `Mod` gives its first argument. (SMT-LIB leaves both open; back ends say so to solvers.)
    Div,
    Mod,
    /// `a <= b` of integers.
    Le,
    /// The unsigned number a bit-vector stands for.
    BitsToInt,
    /// The bit-vector of this width congruent to an integer.
    IntToBits(u8),

    BvNot,
    BvNeg,
    BvAdd,
    BvMul,
    /// By zero: all ones.
    BvUdiv,
    /// By zero: `a`.
    BvUrem,
    /// Truncating. By zero: 1 for negative `a`, else -1. `MIN / -1` is `MIN`.
    BvSdiv,
    /// Has the sign of `a`. By zero: `a`.
    BvSrem,
    /// A count of at least the width shifts everything out. It has the width of `a`.
    BvShl,
    BvLshr,
    BvAshr,
    BvAnd,
    BvOr,
    BvXor,
    BvUlt,
    BvSlt,
    /// The product does not fit the width, read as unsigned or as signed numbers.
    BvUmulO,
    BvSmulO,
    /// `a` above `b`.
    Concat,
    /// Bits `hi` down to `lo`.
    Extract(u8, u8),
    /// So many zeroes above.
    ZeroExt(u8),
    /// So many copies of the sign bit above.
    SignExt(u8),

    Select,
    /// `a` with `b` mapped to `c`.
    Store,
    /// Everything mapped to `a`; the id names the array sort.
    ConstArray(SortId),

    /// Arithmetic rounds to nearest, ties to even: C's default mode.
    FpAdd,
    FpSub,
    FpMul,
    FpDiv,
    /// IEEE remainder (C's `remainder`; for `fmod` see [`crate::Pool::fp_fmod`]).
    FpRem,
    FpSqrt,
    FpNeg,
    FpAbs,
    FpRound(Round),
    FpLt,
    FpLe,
    /// `==`: the zeroes are equal, the NaN differs from itself.
    FpEq,
    FpIsNan,
    FpIsInf,
    FpIsZero,
    FpIsNormal,
    FpIsSubnormal,
    /// Negative zero and infinity included; the NaN is not negative.
    FpIsNegative,
    /// The float with this IEEE encoding (see [`crate::sort::ieee_width`]).
    FpFromIeee(FloatTy),
    /// The IEEE encoding; that of the NaN is the positive quiet one without payload.
    FpToIeee,
    /// The bit pattern of C (see [`cairn_value`]) of the first argument. That of the NaN, of which
    /// this sort has only one, is the second argument, made a NaN if it is none: its exponent is
    /// all ones, and it is quiet if it would be an infinity.
    FpToBits,
    /// To another format, to nearest.
    FpToFp(FloatTy),
    FpFromSbv(FloatTy),
    FpFromUbv(FloatTy),
    /// Truncated to a signed or unsigned number of this width; 0 if it does not fit. (SMT-LIB
    /// leaves that open, so constructors only build it under the guard that it fits.)
    FpToSbv(u8),
    FpToUbv(u8),
    /// An operation that is rounded up, down or to zero. The operations above are to nearest.
    FpDirected(Rounded, Round),
}

impl Op {
    /// Is it a constant or a variable?
    pub fn is_leaf(self) -> bool {
        matches!(self, Op::Var(_)) || self.is_constant()
    }

    pub fn is_constant(self) -> bool {
        matches!(self, Op::Bool(_) | Op::Number(_) | Op::Word(..) | Op::Float(..))
    }

    /// May the arguments be given in any order?
    pub fn is_commutative(self) -> bool {
        use Op::*;
        matches!(
            self,
            And | Or
                | Eq
                | Add
                | Mul
                | BvAdd
                | BvMul
                | BvAnd
                | BvOr
                | BvXor
                | BvUmulO
                | BvSmulO
                | FpAdd
                | FpMul
                | FpEq
                | FpDirected(Rounded::Add | Rounded::Mul, _)
        )
    }
}
