//! Cutting, gluing and extending bit-vectors.
//!
//! Normal forms: a constant shift is an extraction glued to zeroes; zeroes on
//! top are a `ZeroExt`; gluing associates to the right.

use cairn_value::Bits;

use crate::value::mask;
use crate::{Op, Pool, TermId};

impl Pool {
    /// Bits `hi` down to `lo`.
    pub fn extract(&mut self, hi: u8, lo: u8, a: TermId) -> TermId {
        let width = self.width(a);
        debug_assert!(lo <= hi && hi < width, "bits {hi} to {lo} of {width}");
        if lo == 0 && hi == width - 1 {
            return a;
        }
        if let Some(v) = self.as_bits(a) {
            return self.bits(hi - lo + 1, v >> lo);
        }
        match (self.op(a), self.args(a)) {
            (Op::Extract(_, low), &[x]) => self.extract(hi + low, lo + low, x),
            (Op::Concat, &[high, low]) => {
                let split = self.width(low);
                if lo >= split {
                    self.extract(hi - split, lo - split, high)
                } else if hi < split {
                    self.extract(hi, lo, low)
                } else {
                    let high = self.extract(hi - split, 0, high);
                    let low = self.extract(split - 1, lo, low);
                    self.concat(high, low)
                }
            }
            (Op::ZeroExt(_), &[x]) => {
                let inner = self.width(x);
                if lo >= inner {
                    self.bits(hi - lo + 1, 0)
                } else if hi < inner {
                    self.extract(hi, lo, x)
                } else {
                    let x = self.extract(inner - 1, lo, x);
                    self.zero_ext(hi - inner + 1, x)
                }
            }
            (Op::SignExt(_), &[x]) => {
                let inner = self.width(x);
                if hi < inner {
                    self.extract(hi, lo, x)
                } else {
                    let from = lo.min(inner - 1);
                    let x = self.extract(inner - 1, from, x);
                    let have = inner - from;
                    self.sign_ext(hi - lo + 1 - have, x)
                }
            }
            // One level only, for such operations may follow one another without end.
            (op @ (Op::BvAnd | Op::BvOr | Op::BvXor), &[x, c])
                if self.is_constant(c) && !matches!(self.op(x), Op::BvAnd | Op::BvOr | Op::BvXor) =>
            {
                let (x, c) = (self.extract(hi, lo, x), self.extract(hi, lo, c));
                self.apply(op, &[x, c])
            }
            // The low bits of a sum or product of promoted numbers do not need the promotion.
            (op @ (Op::BvAdd | Op::BvMul), &[x, y])
                if lo == 0 && self.extends(x, hi + 1) && self.extends(y, hi + 1) =>
            {
                let (x, y) = (self.extract(hi, 0, x), self.extract(hi, 0, y));
                self.apply(op, &[x, y])
            }
            (op @ (Op::BvNeg | Op::BvNot), &[x]) if lo == 0 && self.extends(x, hi + 1) => {
                let x = self.extract(hi, 0, x);
                self.apply(op, &[x])
            }
            (Op::Ite, &[c, x, y]) if self.extends(x, hi + 1) && self.extends(y, hi + 1) => {
                let (x, y) = (self.extract(hi, lo, x), self.extract(hi, lo, y));
                self.ite(c, x, y)
            }
            _ => self.finish(Op::Extract(hi, lo), &[a]),
        }
    }

    /// Is it a constant, or extended from at most `width` bits? Cutting it then costs nothing.
    fn extends(&self, a: TermId, width: u8) -> bool {
        match self.op(a) {
            Op::Word(..) => true,
            Op::ZeroExt(_) | Op::SignExt(_) => self.width(self.arg(a, 0)) <= width,
            _ => false,
        }
    }

    /// `high` above `low`.
    pub fn concat(&mut self, high: TermId, low: TermId) -> TermId {
        if let (Some(h), Some(l)) = (self.as_bits(high), self.as_bits(low)) {
            let (v, w) = (self.width(high), self.width(low));
            return self.bits(v + w, h << w | l);
        }
        if self.as_bits(high) == Some(0) {
            return self.zero_ext(self.width(high), low);
        }
        match (self.op(high), self.args(high)) {
            (Op::Concat, &[a, b]) => {
                let low = self.concat(b, low);
                return self.concat(a, low);
            }
            (Op::ZeroExt(n), &[x]) => {
                let low = self.concat(x, low);
                return self.zero_ext(n, low);
            }
            _ => {}
        }
        // Neighbours cut from one term, or constants, merge.
        if let Some(merged) = self.merge(high, low) {
            return merged;
        }
        match (self.op(low), self.args(low)) {
            (Op::Concat, &[a, b]) => {
                if let Some(merged) = self.merge(high, a) {
                    return self.concat(merged, b);
                }
            }
            // Zeroes in the middle are constants again.
            (Op::ZeroExt(n), &[x]) if self.is_constant(high) => {
                let zeroes = self.bits(n, 0);
                let high = self.concat(high, zeroes);
                return self.concat(high, x);
            }
            _ => {}
        }
        self.raw(Op::Concat, &[high, low])
    }

    fn merge(&mut self, high: TermId, low: TermId) -> Option<TermId> {
        match (self.op(high), self.op(low)) {
            (Op::Word(..), Op::Word(..)) => Some(self.concat(high, low)),
            (Op::Extract(hi, mid), Op::Extract(below, lo))
                if mid == below + 1 && self.arg(high, 0) == self.arg(low, 0) =>
            {
                Some(self.extract(hi, lo, self.arg(high, 0)))
            }
            _ => None,
        }
    }

    /// So many zeroes on top.
    pub fn zero_ext(&mut self, n: u8, a: TermId) -> TermId {
        if n == 0 {
            return a;
        }
        match self.op(a) {
            Op::ZeroExt(m) => self.zero_ext(n + m, self.arg(a, 0)),
            _ => self.finish(Op::ZeroExt(n), &[a]),
        }
    }

    /// So many copies of the sign bit on top.
    pub fn sign_ext(&mut self, n: u8, a: TermId) -> TermId {
        if n == 0 {
            return a;
        }
        match self.op(a) {
            Op::SignExt(m) => self.sign_ext(n + m, self.arg(a, 0)),
            Op::ZeroExt(m) => self.zero_ext(n + m, self.arg(a, 0)),
            _ => self.finish(Op::SignExt(n), &[a]),
        }
    }

    /// To a width, by extension or by cutting.
    pub fn resize(&mut self, width: u8, signed: bool, a: TermId) -> TermId {
        let from = self.width(a);
        if width <= from {
            self.extract(width - 1, 0, a)
        } else if signed {
            self.sign_ext(width - from, a)
        } else {
            self.zero_ext(width - from, a)
        }
    }

    /// How many bits on top are surely zero.
    pub(crate) fn leading_zeros(&self, a: TermId) -> u8 {
        let width = self.width(a);
        match self.op(a) {
            Op::Word(..) => {
                let v = self.as_bits(a).unwrap_or(Bits::MAX);
                (v.leading_zeros() as u8) - (128 - width)
            }
            Op::ZeroExt(n) => n,
            _ => 0,
        }
    }

    /// How many bits on top surely equal the sign bit, which counts.
    pub(crate) fn sign_bits(&self, a: TermId) -> u8 {
        match self.op(a) {
            Op::Word(..) => {
                let width = self.width(a);
                let v = self.as_bits(a).unwrap_or(0);
                let ones = (!v & mask(width)).leading_zeros() as u8 - (128 - width);
                self.leading_zeros(a).max(ones)
            }
            Op::SignExt(n) => n + 1,
            Op::ZeroExt(n) => n,
            _ => 1,
        }
    }

    /// `a` shifted left by a constant below the width.
    pub(crate) fn shift_left(&mut self, a: TermId, n: u8) -> TermId {
        let width = self.width(a);
        if n == 0 {
            return a;
        }
        let kept = self.extract(width - 1 - n, 0, a);
        let zeroes = self.bits(n, 0);
        self.concat(kept, zeroes)
    }

    /// Two operands of which at most one has a one at any position, as one glued term: how C
    /// programs put bytes together (`hi << 8 | lo`).
    pub(crate) fn disjoint(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        self.disjoint_ordered(a, b).or_else(|| self.disjoint_ordered(b, a))
    }

    fn disjoint_ordered(&mut self, above: TermId, below: TermId) -> Option<TermId> {
        let width = self.width(above);
        // `above` is something glued to zeroes, perhaps with zeroes on top.
        let (top, core) = match self.op(above) {
            Op::ZeroExt(n) => (n, self.arg(above, 0)),
            _ => (0, above),
        };
        let (high, low) = self.as_binary(Op::Concat, core)?;
        let room = self.width(low);
        if self.as_bits(low) != Some(0) || self.leading_zeros(below) < width - room {
            return None;
        }
        let below = self.extract(room - 1, 0, below);
        let glued = self.concat(high, below);
        Some(self.zero_ext(top, glued))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_glued_together_are_the_word_they_came_from() {
        let mut p = Pool::new();
        let s = p.bits_sort(32);
        let x = p.var("x", s);
        let bytes: Vec<TermId> = (0..4).map(|i| p.extract(8 * i + 7, 8 * i, x)).collect();
        // As C would do it: promoted, shifted, or-ed.
        let mut word = p.bits(32, 0);
        for (i, &b) in bytes.iter().enumerate() {
            let wide = p.zero_ext(24, b);
            let count = p.bits(32, 8 * i as u128);
            let shifted = p.bv_shl(wide, count);
            word = p.bv_or(word, shifted);
        }
        assert_eq!(word, x);
    }

    #[test]
    fn promotion_is_undone() {
        let mut p = Pool::new();
        let s = p.bits_sort(8);
        let (a, b) = (p.var("a", s), p.var("b", s));
        let (wide_a, wide_b) = (p.sign_ext(24, a), p.zero_ext(24, b));
        let sum = p.bv_add(wide_a, wide_b);
        assert_eq!(p.extract(7, 0, sum), p.bv_add(a, b));
    }
}
