//! The sorts of terms.

use std::fmt;

use cairn_base::entity_impl;
use cairn_value::FloatTy;

/// The widest bit-vector. Constants are [`cairn_value::Bits`], and no C scalar is wider.
pub const MAX_WIDTH: u8 = 128;

/// An interned sort of a [`crate::Pool`].
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SortId(u32);
entity_impl!(SortId, "sort");

impl SortId {
    pub const BOOL: SortId = SortId(0);
    pub const INT: SortId = SortId(1);
}

#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sort {
    Bool,
    /// The mathematical integers.
    Int,
    /// Bit-vectors of 1 to [`MAX_WIDTH`] bits.
    Bits(u8),
    /// IEEE floats. There is one NaN; a C value's payload lives in its bit pattern, outside this sort.
    Float(FloatTy),
    /// Total maps from the first sort to the second.
    Array(SortId, SortId),
}

/// Exponent and significand bits (the leading one counted) as SMT-LIB gives them.
pub fn float_format(ty: FloatTy) -> (u32, u32) {
    match ty {
        FloatTy::F32 => (8, 24),
        FloatTy::F64 => (11, 53),
        FloatTy::X80 => (15, 64),
        FloatTy::F128 => (15, 113),
    }
}

/// The float type of an SMT-LIB format, if it is one of ours.
pub fn float_of_format(exponent: u32, significand: u32) -> Option<FloatTy> {
    [FloatTy::F32, FloatTy::F64, FloatTy::X80, FloatTy::F128]
        .into_iter()
        .find(|&ty| float_format(ty) == (exponent, significand))
}

/// Bits of the interchange encoding in which SMT-LIB reads a float: the IEEE one. For x87 values
/// that is one bit less than in memory, because the leading bit of the significand is not stored.
pub fn ieee_width(ty: FloatTy) -> u8 {
    let (exponent, significand) = float_format(ty);
    (exponent + significand) as u8
}

impl fmt::Display for Sort {
    /// Arrays show the ids of their parts; [`crate::print`] writes them out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => f.write_str("Bool"),
            Sort::Int => f.write_str("Int"),
            Sort::Bits(w) => write!(f, "(_ BitVec {w})"),
            Sort::Float(ty) => {
                let (e, s) = float_format(*ty);
                write!(f, "(_ FloatingPoint {e} {s})")
            }
            Sort::Array(i, e) => write!(f, "(Array {i} {e})"),
        }
    }
}
