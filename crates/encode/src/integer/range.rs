//! Intervals of numbers, to know from the types alone that an operation stays
//! in its range. They are never empty.

use cairn_ir::IntTy;
use cairn_term::{Pool, TermId};
use num_bigint::{BigInt, Sign};

use super::{Number, Reader};

/// The numbers from `lo` to `hi`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Range {
    pub lo: BigInt,
    pub hi: BigInt,
}

/// The number that a bit pattern of a type stands for.
pub fn number(ty: IntTy, bits: u128) -> BigInt {
    if ty.signed { ty.number(bits).into() } else { bits.into() }
}

impl Range {
    pub fn new(lo: impl Into<BigInt>, hi: impl Into<BigInt>) -> Range {
        let range = Range { lo: lo.into(), hi: hi.into() };
        debug_assert!(range.lo <= range.hi);
        range
    }

    /// All numbers of a type.
    pub fn of(ty: IntTy) -> Range {
        Range::new(ty.min(), ty.max_bits())
    }

    pub fn only(n: BigInt) -> Range {
        Range { lo: n.clone(), hi: n }
    }

    /// From the least to the greatest of some numbers.
    pub fn spanning<const N: usize>(numbers: [BigInt; N]) -> Range {
        let mut numbers = numbers.into_iter();
        let mut range = Range::only(numbers.next().unwrap_or_default());
        for n in numbers {
            if n < range.lo {
                range.lo = n;
            } else if n > range.hi {
                range.hi = n;
            }
        }
        range
    }

    pub fn contains(&self, other: &Range) -> bool {
        self.lo <= other.lo && other.hi <= self.hi
    }

    pub fn has(&self, n: &BigInt) -> bool {
        self.lo <= *n && *n <= self.hi
    }

    pub fn hull(&self, other: &Range) -> Range {
        Range { lo: (&self.lo).min(&other.lo).clone(), hi: (&self.hi).max(&other.hi).clone() }
    }

    /// What both have; all of `self` if that is nothing.
    pub fn clip(&self, other: &Range) -> Range {
        let (lo, hi) = ((&self.lo).max(&other.lo), (&self.hi).min(&other.hi));
        if lo <= hi { Range { lo: lo.clone(), hi: hi.clone() } } else { self.clone() }
    }

    pub fn add(&self, other: &Range) -> Range {
        Range { lo: &self.lo + &other.lo, hi: &self.hi + &other.hi }
    }

    pub fn sub(&self, other: &Range) -> Range {
        Range { lo: &self.lo - &other.hi, hi: &self.hi - &other.lo }
    }

    pub fn mul(&self, other: &Range) -> Range {
        Range::spanning([
            &self.lo * &other.lo,
            &self.lo * &other.hi,
            &self.hi * &other.lo,
            &self.hi * &other.hi,
        ])
    }

    /// Divided by `2^k`, rounding down.
    pub fn shr(&self, k: u32) -> Range {
        Range { lo: &self.lo >> k, hi: &self.hi >> k }
    }

    pub fn is_natural(&self) -> bool {
        self.lo.sign() != Sign::Minus
    }

    /// The greatest absolute value.
    pub fn magnitude(&self) -> BigInt {
        let (lo, hi) = (self.lo.magnitude(), self.hi.magnitude());
        lo.max(hi).clone().into()
    }
}

impl Reader<'_> {
    pub(super) fn int(&mut self, n: impl Into<BigInt>) -> TermId {
        self.pool.int(n)
    }

    pub(super) fn constant(&mut self, n: BigInt) -> Number {
        let term = self.pool.int(n.clone());
        Number { term, range: Range::only(n), sure: true }
    }

    pub(super) fn within(&mut self, t: TermId, range: &Range) -> TermId {
        let (lo, hi) = (self.int(range.lo.clone()), self.int(range.hi.clone()));
        let (above, below) = (self.pool.int_le(lo, t), self.pool.int_le(t, hi));
        self.pool.and(&[above, below])
    }

    pub(super) fn without(&mut self, t: TermId, range: &Range) -> TermId {
        let within = self.within(t, range);
        self.pool.not(within)
    }

    /// `n >= 0`, decided where the range is sure.
    pub(super) fn is_natural(&mut self, n: &Number) -> TermId {
        if n.sure && n.range.is_natural() {
            return Pool::TRUE;
        }
        if n.sure && n.range.hi.sign() == Sign::Minus {
            return Pool::FALSE;
        }
        let zero = self.int(0);
        self.pool.int_le(zero, n.term)
    }
}
