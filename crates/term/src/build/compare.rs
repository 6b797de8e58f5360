//! Equality and order.

use cairn_value::Bits;
use smallvec::SmallVec;

use crate::value::{canonical_float, mask, nan, signed};
use crate::{Op, Pool, Sort, TermId};

/// How many choices an equality with a constant looks through.
const CHAIN: usize = 16;

impl Pool {
    pub fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        if a == b {
            return Pool::TRUE;
        }
        match self.sort(a) {
            Sort::Bool => self.iff(a, b),
            Sort::Int => self.int_eq(a, b),
            Sort::Bits(_) => self.bits_eq(a, b),
            Sort::Float(ty) => {
                let (a, b) = self.ordered(a, b);
                if self.as_float(b) == Some(canonical_float(ty, nan(ty))) {
                    return self.fp_is_nan(a);
                }
                self.finish(Op::Eq, &[a, b])
            }
            Sort::Array(..) => self.finish(Op::Eq, &[a, b]),
        }
    }

    fn bits_eq(&mut self, a: TermId, b: TermId) -> TermId {
        let (mut a, mut b) = self.ordered(a, b);
        // Solve for the left side as far as its operations can be undone.
        while let Some(c) = self.as_bits(b) {
            let width = self.width(a);
            let (x, rest) = match (self.op(a), self.args(a)) {
                (Op::BvNot, &[x]) => (x, !c),
                (Op::BvNeg, &[x]) => (x, c.wrapping_neg()),
                (Op::BvAdd, &[x, d]) => match self.as_bits(d) {
                    Some(d) => (x, c.wrapping_sub(d)),
                    None => break,
                },
                (Op::BvXor, &[x, d]) => match self.as_bits(d) {
                    Some(d) => (x, c ^ d),
                    None => break,
                },
                (Op::BvMul, &[x, d]) => match self.as_bits(d) {
                    Some(d) if d & 1 == 1 => (x, c.wrapping_mul(inverse(d))),
                    _ => break,
                },
                (Op::ZeroExt(n), &[x]) => {
                    let inner = width - n;
                    if c > mask(inner) {
                        return Pool::FALSE;
                    }
                    a = x;
                    b = self.bits(inner, c);
                    continue;
                }
                (Op::SignExt(n), &[x]) => {
                    let inner = width - n;
                    if signed(inner, c & mask(inner)) as Bits & mask(width) != c {
                        return Pool::FALSE;
                    }
                    a = x;
                    b = self.bits(inner, c);
                    continue;
                }
                (Op::Concat, &[high, low]) => {
                    let split = self.width(low);
                    let (h, l) = (self.bits(width - split, c >> split), self.bits(split, c));
                    let (x, y) = (self.eq(high, h), self.eq(low, l));
                    return self.and(&[x, y]);
                }
                (Op::Ite, _) => match self.chosen_constant(a, b) {
                    Some(t) => return t,
                    None => break,
                },
                _ => break,
            };
            a = x;
            b = self.bits(width, rest);
        }
        if let (Some(c), Some(d)) = (self.as_bits(a), self.as_bits(b)) {
            return self.bool(c == d);
        }
        if let Some(t) = self.split_eq(a, b) {
            return t;
        }
        self.finish(Op::Eq, &[a, b])
    }

    /// `(c ? 1 : d ? 2 : ... ) = k` where all choices are constants, as a condition.
    fn chosen_constant(&mut self, t: TermId, k: TermId) -> Option<TermId> {
        let mut steps: SmallVec<[(TermId, TermId, bool); CHAIN]> = SmallVec::new();
        let mut at = t;
        while let Some((c, x, y)) = self.as_ite(at) {
            if steps.len() == CHAIN {
                return None;
            }
            if self.is_constant(x) {
                steps.push((c, x, true));
                at = y;
            } else if self.is_constant(y) {
                steps.push((c, y, false));
                at = x;
            } else {
                return None;
            }
        }
        if !self.is_constant(at) {
            return None;
        }
        let mut result = self.bool(at == k);
        for &(c, value, when) in steps.iter().rev() {
            let value = self.bool(value == k);
            result = if when { self.ite(c, value, result) } else { self.ite(c, result, value) };
        }
        Some(result)
    }

    /// Equalities of two terms that fall apart.
    fn split_eq(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        match (self.op(a), self.args(a), self.op(b), self.args(b)) {
            (Op::Concat, &[h, l], Op::Concat, &[i, m]) if self.width(l) == self.width(m) => {
                let (x, y) = (self.eq(h, i), self.eq(l, m));
                Some(self.and(&[x, y]))
            }
            (Op::ZeroExt(m), &[x], Op::ZeroExt(n), &[y]) | (Op::SignExt(m), &[x], Op::SignExt(n), &[y]) => {
                // The narrower one is extended to the other.
                let grow = |p: &mut Pool, t, by| match p.op(a) {
                    Op::ZeroExt(_) => p.zero_ext(by, t),
                    _ => p.sign_ext(by, t),
                };
                let (x, y) = (grow(self, x, m.saturating_sub(n)), grow(self, y, n.saturating_sub(m)));
                Some(self.eq(x, y))
            }
            (Op::BvNot, &[x], Op::BvNot, &[y]) | (Op::BvNeg, &[x], Op::BvNeg, &[y]) => Some(self.eq(x, y)),
            (Op::BvAdd, &[p, q], _, _) if p == b || q == b => {
                let (rest, zero) = (if p == b { q } else { p }, self.bits(self.width(a), 0));
                Some(self.eq(rest, zero))
            }
            (_, _, Op::BvAdd, &[p, q]) if p == a || q == a => {
                let (rest, zero) = (if p == a { q } else { p }, self.bits(self.width(a), 0));
                Some(self.eq(rest, zero))
            }
            (Op::BvAdd, &[p, q], Op::BvAdd, &[r, s]) => {
                let pair = if p == r {
                    (q, s)
                } else if p == s {
                    (q, r)
                } else if q == r {
                    (p, s)
                } else if q == s {
                    (p, r)
                } else {
                    return None;
                };
                Some(self.eq(pair.0, pair.1))
            }
            _ => None,
        }
    }

    pub fn bv_ult(&mut self, a: TermId, b: TermId) -> TermId {
        if a == b {
            return Pool::FALSE;
        }
        let width = self.width(a);
        match (self.as_bits(a), self.as_bits(b)) {
            (Some(x), Some(y)) => return self.bool(x < y),
            (None, Some(0)) => return Pool::FALSE,
            (None, Some(1)) => {
                let zero = self.bits(width, 0);
                return self.eq(a, zero);
            }
            (None, Some(y)) if y == mask(width) => return self.ne(a, b),
            (Some(x), None) if x == mask(width) => return Pool::FALSE,
            (Some(0), None) => return self.ne(b, a),
            (Some(x), None) if x == mask(width) - 1 => {
                let max = self.bits(width, mask(width));
                return self.eq(b, max);
            }
            _ => {}
        }
        let (za, zb) = (self.leading_zeros(a), self.leading_zeros(b));
        let zeros = za.min(zb).min(width - 1);
        if zeros > 0 {
            let top = width - zeros - 1;
            let (x, y) = (self.extract(top, 0, a), self.extract(top, 0, b));
            return self.bv_ult(x, y);
        }
        // One side is small and the other a larger constant.
        if za > 0 && self.as_bits(b).is_some_and(|c| c > mask_or_zero(width - za)) {
            return Pool::TRUE;
        }
        if zb > 0 && self.as_bits(a).is_some_and(|c| c >= mask_or_zero(width - zb)) {
            return Pool::FALSE;
        }
        self.finish(Op::BvUlt, &[a, b])
    }

    pub fn bv_ule(&mut self, a: TermId, b: TermId) -> TermId {
        let not = self.bv_ult(b, a);
        self.not(not)
    }

    pub fn bv_slt(&mut self, a: TermId, b: TermId) -> TermId {
        if a == b {
            return Pool::FALSE;
        }
        let width = self.width(a);
        let (min, max) = (1 << (width - 1), mask(width) >> 1);
        match (self.as_bits(a), self.as_bits(b)) {
            (Some(x), Some(y)) => return self.bool(signed(width, x) < signed(width, y)),
            (_, Some(y)) if y == min => return Pool::FALSE,
            (Some(x), _) if x == max => return Pool::FALSE,
            (_, Some(y)) if y == max => return self.ne(a, b),
            (Some(x), _) if x == min => return self.ne(b, a),
            _ => {}
        }
        if self.leading_zeros(a) > 0 && self.leading_zeros(b) > 0 {
            return self.bv_ult(a, b);
        }
        let surplus = self.sign_bits(a).min(self.sign_bits(b)) - 1;
        if surplus > 0 {
            let top = width - surplus - 1;
            let (x, y) = (self.extract(top, 0, a), self.extract(top, 0, b));
            return self.bv_slt(x, y);
        }
        if let Some(t) = self.slt_out_of_reach(a, b) {
            return t;
        }
        self.finish(Op::BvSlt, &[a, b])
    }

    /// A constant outside the range of an extended number.
    fn slt_out_of_reach(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let width = self.width(a);
        let range = |p: &Pool, t| {
            let significant = width - p.sign_bits(t) + 1;
            let high = (1i128 << (significant - 1)) - 1;
            if p.leading_zeros(t) > 0 { (0, high) } else { (-high - 1, high) }
        };
        if let Some(c) = self.as_bits(b)
            && self.sign_bits(a) > 1
        {
            let (c, (low, high)) = (signed(width, c), range(self, a));
            return if c > high {
                Some(Pool::TRUE)
            } else if c <= low {
                Some(Pool::FALSE)
            } else {
                None
            };
        }
        if let Some(c) = self.as_bits(a)
            && self.sign_bits(b) > 1
        {
            let (c, (low, high)) = (signed(width, c), range(self, b));
            return if c < low {
                Some(Pool::TRUE)
            } else if c >= high {
                Some(Pool::FALSE)
            } else {
                None
            };
        }
        None
    }

    pub fn bv_sle(&mut self, a: TermId, b: TermId) -> TermId {
        let not = self.bv_slt(b, a);
        self.not(not)
    }
}

fn mask_or_zero(width: u8) -> Bits {
    if width == 0 { 0 } else { mask(width) }
}

/// The inverse of an odd number modulo 2^128 (and so modulo every smaller power), by Newton.
fn inverse(d: Bits) -> Bits {
    let mut x = d;
    for _ in 0..7 {
        x = x.wrapping_mul(2u128.wrapping_sub(d.wrapping_mul(x)));
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SortId;

    #[test]
    fn odd_numbers_have_inverses() {
        for d in [1, 3, 5, 0xdead_beef, u128::MAX, (1 << 127) | 1] {
            assert_eq!(d.wrapping_mul(inverse(d)), 1);
        }
    }

    #[test]
    fn conditions_as_integers_are_conditions_again() {
        let mut p = Pool::new();
        let c = p.var("c", SortId::BOOL);
        let as_int = p.bool_to_bits(32, c);
        let zero = p.bits(32, 0);
        assert_eq!(p.ne(as_int, zero), c);
        let wide = p.sign_ext(32, as_int);
        let one = p.bits(64, 1);
        assert_eq!(p.eq(wide, one), c);
    }

    #[test]
    fn equations_are_solved() {
        let mut p = Pool::new();
        let s = p.bits_sort(8);
        let x = p.var("x", s);
        let (three, five, k) = (p.bits(8, 3), p.bits(8, 5), p.bits(8, 20));
        let t = p.bv_mul(x, three);
        let t = p.bv_add(t, five);
        assert_eq!(p.eq(t, k), p.eq(x, five));
        let wide = p.zero_ext(24, x);
        let big = p.bits(32, 256);
        assert_eq!(p.eq(wide, big), Pool::FALSE);
        assert_eq!(p.bv_slt(wide, big), Pool::TRUE);
    }
}
