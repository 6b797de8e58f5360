//! Bitwise operations as arithmetic.
//!
//! Numbers are two's-complement strings without end, so that
//! `a | b = a + b - (a & b)` and `a ^ b = a + b - 2 (a & b)` hold for all
//! integers, and only the conjunction has to be understood. With a constant it
//! is a sum over the runs of ones in the constant: `a & (2^h - 2^l)` is the
//! difference of `a` modulo `2^h` and `a` modulo `2^l`; and `a & ~d` is
//! `a - (a & d)`.

use cairn_ir::{BinOp, IntTy};
use cairn_term::TermId;
use num_bigint::{BigInt, Sign};

use super::{Number, Range, Reader};

impl Reader<'_> {
    pub(super) fn bitwise(&mut self, op: BinOp, ty: IntTy, a: &Number, b: &Number) -> Number {
        let both = self.conjunction(ty, a, b);
        let twice = match op {
            BinOp::And => return both,
            BinOp::Or => 1,
            _ => 2,
        };
        let twice = self.int(twice);
        let off = self.pool.int_mul(twice, both.term);
        let sum = self.pool.int_add(a.term, b.term);
        let term = self.pool.int_sub(sum, off);
        let range = if a.range.is_natural() && b.range.is_natural() {
            let bits = a.range.hi.bits().max(b.range.hi.bits());
            let lo = if op == BinOp::Or { (&a.range.lo).max(&b.range.lo).clone() } else { BigInt::ZERO };
            Range::new(lo, (BigInt::from(1) << bits) - 1)
        } else {
            Range::of(ty)
        };
        if self.notes.opaque.is_some() {
            let fact = self.within(term, &range);
            self.if_right(a, b, fact);
        }
        Number { term, range, sure: a.sure && b.sure }
    }

    fn conjunction(&mut self, ty: IntTy, a: &Number, b: &Number) -> Number {
        for (n, mask) in [(a, b), (b, a)] {
            if let Some(bits) = self.known(mask) {
                // The constant of an operation that has left its type is no number of it either.
                let both = self.masked(ty, n, &bits);
                return Number {
                    term: both.term,
                    range: Range::of(ty).clip(&both.range),
                    sure: n.sure && mask.sure,
                };
            }
        }
        let truth = Range::new(0, 1);
        if truth.contains(&a.range) && truth.contains(&b.range) {
            let (zero, one) = (self.int(0), self.int(1));
            let (x, y) = (self.pool.eq(a.term, one), self.pool.eq(b.term, one));
            let both = self.pool.and(&[x, y]);
            let term = self.pool.ite(both, one, zero);
            let range = Range::new(0, (&a.range.hi).min(&b.range.hi).clone());
            return Number { term, range, sure: a.sure && b.sure };
        }
        let range = match (a.range.is_natural(), b.range.is_natural()) {
            (true, true) => Range::new(0, (&a.range.hi).min(&b.range.hi).clone()),
            (true, false) => Range::new(0, a.range.hi.clone()),
            (false, true) => Range::new(0, b.range.hi.clone()),
            (false, false) => Range::of(ty),
        };
        let both = self.opaque(range);
        // Clearing bits below the sign makes a number smaller.
        let zero = self.int(0);
        let naturals = [self.is_natural(a), self.is_natural(b)];
        for (n, natural) in [(a, naturals[0]), (b, naturals[1])] {
            let fact = self.ordered(&[zero, both.term, n.term]);
            let fact = self.pool.implies(natural, fact);
            self.if_right(a, b, fact);
        }
        let negative = naturals.map(|n| self.pool.not(n));
        let facts = [
            self.pool.int_lt(both.term, zero),
            self.pool.int_le(both.term, a.term),
            self.pool.int_le(both.term, b.term),
        ];
        let (holds, fact) = (self.pool.and(&negative), self.pool.and(&facts));
        let fact = self.pool.implies(holds, fact);
        self.if_right(a, b, fact);
        both
    }

    /// Notes a fact that holds if the operands have the numbers that they can have in the machine.
    fn if_right(&mut self, a: &Number, b: &Number, mut fact: TermId) {
        for n in [a, b] {
            if !n.sure {
                let right = self.within(n.term, &n.range);
                fact = self.pool.implies(right, fact);
            }
        }
        self.notes.side.push(fact);
    }

    fn masked(&mut self, ty: IntTy, a: &Number, mask: &BigInt) -> Number {
        if mask.sign() == Sign::Minus {
            let cleared = self.masked(ty, a, &!mask);
            let term = self.pool.int_sub(a.term, cleared.term);
            let range = if a.range.is_natural() { Range::new(0, a.range.hi.clone()) } else { Range::of(ty) };
            return Number { term, range, sure: a.sure };
        }
        let mut parts = Vec::new();
        let mut at: u64 = 0;
        while at < mask.bits() {
            if !mask.bit(at) {
                at += 1;
                continue;
            }
            let low = at;
            while mask.bit(at) {
                at += 1;
            }
            parts.push(self.low_bits(a, at as u32).term);
            if low > 0 {
                let below = self.low_bits(a, low as u32);
                parts.push(self.pool.int_neg(below.term));
            }
        }
        let term = self.pool.int_sum(&parts);
        let mut range = Range::new(0, mask.clone());
        if a.range.is_natural() && a.range.hi < range.hi {
            range.hi = a.range.hi.clone();
        }
        Number { term, range, sure: a.sure }
    }
}
