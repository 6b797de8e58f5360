//! Arithmetic and logic on bit-vectors.

use cairn_value::Bits;

use crate::value::{mask, signed};
use crate::{Op, Pool, TermId};

impl Pool {
    pub fn bv_not(&mut self, a: TermId) -> TermId {
        match self.op(a) {
            Op::BvNot => self.arg(a, 0),
            _ => self.finish(Op::BvNot, &[a]),
        }
    }

    pub fn bv_neg(&mut self, a: TermId) -> TermId {
        let width = self.width(a);
        if let Some(x) = self.as_unary(Op::BvNeg, a) {
            return x;
        }
        if let Some((x, c)) = self.with_constant(Op::BvAdd, a) {
            let (x, c) = (self.bv_neg(x), self.bits(width, c.wrapping_neg()));
            return self.bv_add(x, c);
        }
        if let Some((x, c)) = self.with_constant(Op::BvMul, a) {
            let c = self.bits(width, c.wrapping_neg());
            return self.bv_mul(x, c);
        }
        self.finish(Op::BvNeg, &[a])
    }

    /// Sums keep their constant outermost, so that constants meet.
    pub fn bv_add(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        let (a, b) = self.ordered(a, b);
        if let Some(c) = self.as_bits(b) {
            if c == 0 {
                return a;
            }
            if let Some(d) = self.as_bits(a) {
                return self.bits(width, c.wrapping_add(d));
            }
            if let Some((x, d)) = self.with_constant(Op::BvAdd, a) {
                let sum = self.bits(width, c.wrapping_add(d));
                return self.bv_add(x, sum);
            }
            return match self.disjoint(a, b) {
                Some(t) => t,
                None => self.finish(Op::BvAdd, &[a, b]),
            };
        }
        if let Some((x, c)) = self.with_constant(Op::BvAdd, a) {
            let sum = self.bv_add(x, b);
            let c = self.bits(width, c);
            return self.bv_add(sum, c);
        }
        if let Some((y, c)) = self.with_constant(Op::BvAdd, b) {
            let sum = self.bv_add(a, y);
            let c = self.bits(width, c);
            return self.bv_add(sum, c);
        }
        if a == b && width > 1 {
            return self.shift_left(a, 1);
        }
        if self.negations(a, b) {
            return self.bits(width, 0);
        }
        for (sum, other) in [(a, b), (b, a)] {
            if let Some((x, y)) = self.as_binary(Op::BvAdd, sum) {
                if self.negations(x, other) {
                    return y;
                }
                if self.negations(y, other) {
                    return x;
                }
            }
        }
        match self.disjoint(a, b) {
            Some(t) => t,
            None => self.finish(Op::BvAdd, &[a, b]),
        }
    }

    fn negations(&self, a: TermId, b: TermId) -> bool {
        self.as_unary(Op::BvNeg, a) == Some(b) || self.as_unary(Op::BvNeg, b) == Some(a)
    }

    pub fn bv_sub(&mut self, a: TermId, b: TermId) -> TermId {
        if a == b {
            return self.bits(self.width(a), 0);
        }
        let b = self.bv_neg(b);
        self.bv_add(a, b)
    }

    pub fn bv_mul(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        let (a, b) = self.ordered(a, b);
        if let Some(c) = self.as_bits(b) {
            if c == 0 {
                return b;
            }
            if c.is_power_of_two() {
                return self.shift_left(a, c.trailing_zeros() as u8);
            }
            if c == mask(width) {
                return self.bv_neg(a);
            }
            if let Some((x, d)) = self.with_constant(Op::BvMul, a) {
                let product = self.bits(width, c.wrapping_mul(d));
                return self.bv_mul(x, product);
            }
            if let Some(x) = self.as_unary(Op::BvNeg, a) {
                let c = self.bits(width, c.wrapping_neg());
                return self.bv_mul(x, c);
            }
            return self.finish(Op::BvMul, &[a, b]);
        }
        match (self.as_unary(Op::BvNeg, a), self.as_unary(Op::BvNeg, b)) {
            (Some(x), Some(y)) => self.bv_mul(x, y),
            (Some(x), None) => {
                let product = self.bv_mul(x, b);
                self.bv_neg(product)
            }
            (None, Some(y)) => {
                let product = self.bv_mul(a, y);
                self.bv_neg(product)
            }
            (None, None) => self.finish(Op::BvMul, &[a, b]),
        }
    }

    pub fn bv_udiv(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        if let Some(c) = self.as_bits(b) {
            if c == 0 {
                return self.bits(width, mask(width));
            }
            if c.is_power_of_two() {
                return self.shift_right(a, c.trailing_zeros() as u8);
            }
            let zeros = self.leading_zeros(a);
            if (1..width).contains(&zeros) && !self.is_constant(a) {
                // The quotient of the bits that matter.
                if c > mask(width - zeros) {
                    return self.bits(width, 0);
                }
                let (x, c) = self.narrowed(a, b, zeros);
                let quotient = self.bv_udiv(x, c);
                return self.zero_ext(zeros, quotient);
            }
        }
        self.finish(Op::BvUdiv, &[a, b])
    }

    pub fn bv_urem(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        if a == b {
            return self.bits(width, 0);
        }
        if let Some(c) = self.as_bits(b) {
            if c == 0 {
                return a;
            }
            if c.is_power_of_two() {
                return self.low_bits(a, c.trailing_zeros() as u8);
            }
            if c > mask(width - self.leading_zeros(a).min(width - 1)) {
                return a;
            }
        }
        let zeros = self.leading_zeros(a).min(self.leading_zeros(b)).min(width - 1);
        if zeros > 0 && !(self.is_constant(a) && self.is_constant(b)) {
            let (x, y) = self.narrowed(a, b, zeros);
            let remainder = self.bv_urem(x, y);
            return self.zero_ext(zeros, remainder);
        }
        self.finish(Op::BvUrem, &[a, b])
    }

    fn narrowed(&mut self, a: TermId, b: TermId, by: u8) -> (TermId, TermId) {
        let top = self.width(a) - by - 1;
        (self.extract(top, 0, a), self.extract(top, 0, b))
    }

    pub fn bv_sdiv(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        // In one bit, 1 is -1.
        if self.as_bits(b) == Some(mask(width)) {
            return self.bv_neg(a);
        }
        if self.as_bits(b) == Some(1) {
            return a;
        }
        if self.leading_zeros(a) > 0 && self.leading_zeros(b) > 0 {
            return self.bv_udiv(a, b);
        }
        self.finish(Op::BvSdiv, &[a, b])
    }

    pub fn bv_srem(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        let c = self.as_bits(b);
        if a == b || c == Some(1) || c == Some(mask(width)) {
            return self.bits(width, 0);
        }
        if self.leading_zeros(a) > 0 && self.leading_zeros(b) > 0 {
            return self.bv_urem(a, b);
        }
        self.finish(Op::BvSrem, &[a, b])
    }

    pub fn bv_shl(&mut self, a: TermId, count: TermId) -> TermId {
        let width = self.width(a);
        match self.as_bits(count) {
            Some(n) if n >= Bits::from(width) => self.bits(width, 0),
            Some(n) => self.shift_left(a, n as u8),
            None => self.finish(Op::BvShl, &[a, count]),
        }
    }

    pub fn bv_lshr(&mut self, a: TermId, count: TermId) -> TermId {
        let width = self.width(a);
        match self.as_bits(count) {
            Some(n) if n >= Bits::from(width) => self.bits(width, 0),
            Some(n) => self.shift_right(a, n as u8),
            None => self.finish(Op::BvLshr, &[a, count]),
        }
    }

    pub fn bv_ashr(&mut self, a: TermId, count: TermId) -> TermId {
        let width = self.width(a);
        if self.leading_zeros(a) > 0 {
            return self.bv_lshr(a, count);
        }
        match self.as_bits(count) {
            Some(n) => {
                let n = n.min(Bits::from(width - 1)) as u8;
                let kept = self.extract(width - 1, n, a);
                self.sign_ext(n, kept)
            }
            None => self.finish(Op::BvAshr, &[a, count]),
        }
    }

    /// `a` shifted right by a constant below the width, zeroes coming in.
    fn shift_right(&mut self, a: TermId, n: u8) -> TermId {
        let kept = self.extract(self.width(a) - 1, n, a);
        self.zero_ext(n, kept)
    }

    /// The `n` lowest bits, in the width of `a`.
    fn low_bits(&mut self, a: TermId, n: u8) -> TermId {
        let width = self.width(a);
        if n == 0 {
            return self.bits(width, 0);
        }
        let kept = self.extract(n - 1, 0, a);
        self.zero_ext(width - n, kept)
    }

    pub fn bv_and(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        let (a, b) = self.ordered(a, b);
        if a == b {
            return a;
        }
        if let Some(c) = self.as_bits(b) {
            if c == 0 {
                return b;
            }
            if c == mask(width) {
                return a;
            }
            if let Some((x, d)) = self.with_constant(Op::BvAnd, a) {
                let both = self.bits(width, c & d);
                return self.bv_and(x, both);
            }
            if let Some(t) = self.run_of_bits(a, c) {
                return t;
            }
        }
        if self.complements(a, b) {
            return self.bits(width, 0);
        }
        self.narrow_logic(Op::BvAnd, a, b)
    }

    /// `a & c` for a constant with one run of ones: these bits, between zeroes.
    fn run_of_bits(&mut self, a: TermId, c: Bits) -> Option<TermId> {
        let (lo, ones) = (c.trailing_zeros() as u8, c.count_ones() as u8);
        if c >> lo != mask(ones) || self.is_constant(a) {
            return None;
        }
        let hi = lo + ones - 1;
        let mut t = self.extract(hi, lo, a);
        if lo > 0 {
            let zeroes = self.bits(lo, 0);
            t = self.concat(t, zeroes);
        }
        Some(self.zero_ext(self.width(a) - 1 - hi, t))
    }

    pub fn bv_or(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        let (a, b) = self.ordered(a, b);
        if a == b {
            return a;
        }
        if let Some(c) = self.as_bits(b) {
            if c == 0 {
                return a;
            }
            if c == mask(width) {
                return b;
            }
            if let Some((x, d)) = self.with_constant(Op::BvOr, a) {
                let both = self.bits(width, c | d);
                return self.bv_or(x, both);
            }
        }
        if self.complements(a, b) {
            return self.bits(width, mask(width));
        }
        match self.disjoint(a, b) {
            Some(t) => t,
            None => self.narrow_logic(Op::BvOr, a, b),
        }
    }

    pub fn bv_xor(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        let (a, b) = self.ordered(a, b);
        if a == b {
            return self.bits(width, 0);
        }
        if let Some(c) = self.as_bits(b) {
            if c == 0 {
                return a;
            }
            if c == mask(width) {
                return self.bv_not(a);
            }
            if let Some((x, d)) = self.with_constant(Op::BvXor, a) {
                let both = self.bits(width, c ^ d);
                return self.bv_xor(x, both);
            }
        }
        if self.complements(a, b) {
            return self.bits(width, mask(width));
        }
        for (pair, other) in [(a, b), (b, a)] {
            match self.as_binary(Op::BvXor, pair) {
                Some((x, y)) if x == other => return y,
                Some((x, y)) if y == other => return x,
                _ => {}
            }
        }
        match self.disjoint(a, b) {
            Some(t) => t,
            None => self.narrow_logic(Op::BvXor, a, b),
        }
    }

    fn complements(&self, a: TermId, b: TermId) -> bool {
        self.as_unary(Op::BvNot, a) == Some(b) || self.as_unary(Op::BvNot, b) == Some(a)
    }

    /// Bits that are zero on both sides (for `and`, on either side) are zero.
    fn narrow_logic(&mut self, op: Op, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        let (za, zb) = (self.leading_zeros(a), self.leading_zeros(b));
        let zeros = if op == Op::BvAnd { za.max(zb) } else { za.min(zb) };
        // Cutting must not cost anything on the side that is no extension.
        if (1..width).contains(&zeros) && !(self.is_constant(a) && self.is_constant(b)) {
            let (x, y) = self.narrowed(a, b, zeros);
            let narrow = self.apply(op, &[x, y]);
            return self.zero_ext(zeros, narrow);
        }
        self.finish(op, &[a, b])
    }

    // Overflow: does the exact result not fit the width?

    pub fn bv_uaddo(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        if self.leading_zeros(a) > 0 && self.leading_zeros(b) > 0 {
            return Pool::FALSE;
        }
        if width == crate::sort::MAX_WIDTH {
            let sum = self.bv_add(a, b);
            return self.bv_ult(sum, a);
        }
        let (a, b) = (self.zero_ext(1, a), self.zero_ext(1, b));
        let sum = self.bv_add(a, b);
        self.bit(sum, width)
    }

    pub fn bv_saddo(&mut self, a: TermId, b: TermId) -> TermId {
        if self.sign_bits(a) > 1 && self.sign_bits(b) > 1 {
            return Pool::FALSE;
        }
        // The operands agree in a sign that the sum does not have.
        let sum = self.bv_add(a, b);
        let (x, y) = (self.bv_xor(a, sum), self.bv_xor(b, sum));
        let both = self.bv_and(x, y);
        self.is_negative(both)
    }

    pub fn bv_usubo(&mut self, a: TermId, b: TermId) -> TermId {
        self.bv_ult(a, b)
    }

    pub fn bv_ssubo(&mut self, a: TermId, b: TermId) -> TermId {
        if self.sign_bits(a) > 1 && self.sign_bits(b) > 1 {
            return Pool::FALSE;
        }
        let difference = self.bv_sub(a, b);
        let (x, y) = (self.bv_xor(a, b), self.bv_xor(a, difference));
        let both = self.bv_and(x, y);
        self.is_negative(both)
    }

    /// The negation of the smallest number.
    pub fn bv_nego(&mut self, a: TermId) -> TermId {
        let width = self.width(a);
        let min = self.bits(width, 1 << (width - 1));
        self.eq(a, min)
    }

    pub fn bv_sdivo(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        let minus_one = self.bits(width, mask(width));
        let (x, y) = (self.bv_nego(a), self.eq(b, minus_one));
        self.and(&[x, y])
    }

    /// `a * 2^count` is no signed number of the width. (The count is below the width.)
    pub fn bv_sshlo(&mut self, a: TermId, count: TermId) -> TermId {
        let shifted = self.bv_shl(a, count);
        let back = self.bv_ashr(shifted, count);
        self.ne(back, a)
    }

    pub fn bv_umulo(&mut self, a: TermId, b: TermId) -> TermId {
        let width = u32::from(self.width(a));
        if u32::from(self.leading_zeros(a)) + u32::from(self.leading_zeros(b)) >= width {
            return Pool::FALSE;
        }
        let (a, b) = self.ordered(a, b);
        if let Some(c) = self.as_bits(b)
            && !self.is_constant(a)
        {
            // Too large iff above the quotient of the largest number.
            let most = self.bits(width as u8, mask(width as u8).checked_div(c).unwrap_or(Bits::MAX));
            return self.bv_ult(most, a);
        }
        self.finish(Op::BvUmulO, &[a, b])
    }

    pub fn bv_smulo(&mut self, a: TermId, b: TermId) -> TermId {
        let width = self.width(a);
        // Numbers of m and n significant bits, the sign counted, have a product of m + n - 1 (one
        // more for the smallest times the smallest).
        let significant = |p: &Pool, t| u32::from(width - p.sign_bits(t) + 1);
        if significant(self, a) + significant(self, b) <= u32::from(width) {
            return Pool::FALSE;
        }
        let (a, b) = self.ordered(a, b);
        if let Some(c) = self.as_bits(b)
            && !self.is_constant(a)
        {
            return self.smulo_constant(a, width, c);
        }
        self.finish(Op::BvSmulO, &[a, b])
    }

    /// The product with a constant overflows outside an interval.
    fn smulo_constant(&mut self, a: TermId, width: u8, c: Bits) -> TermId {
        let c = signed(width, c);
        let (min, max) = (signed(width, 1 << (width - 1)), signed(width, mask(width) >> 1));
        match c {
            0 => Pool::FALSE,
            1 => Pool::FALSE,
            -1 => self.bv_nego(a),
            _ => {
                // Truncation rounds towards the inside of the interval.
                let (low, high) = if c > 0 { (min / c, max / c) } else { (max / c, min / c) };
                let (low, high) = (self.bits(width, low as Bits), self.bits(width, high as Bits));
                let (below, above) = (self.bv_slt(a, low), self.bv_slt(high, a));
                self.or(&[below, above])
            }
        }
    }

    /// One bit as a boolean.
    pub fn bit(&mut self, a: TermId, n: u8) -> TermId {
        let bit = self.extract(n, n, a);
        let one = self.bits(1, 1);
        self.eq(bit, one)
    }

    pub fn is_negative(&mut self, a: TermId) -> TermId {
        self.bit(a, self.width(a) - 1)
    }

    /// A boolean as a number of the width.
    pub fn bool_to_bits(&mut self, width: u8, c: TermId) -> TermId {
        let (one, zero) = (self.bits(width, 1), self.bits(width, 0));
        self.ite(c, one, zero)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Assignment, Evaluator, Value};
    use cairn_base::DataModel;
    use cairn_value::{BinOp, IntTy, Ty, eval};

    type Build = fn(&mut Pool, TermId, TermId) -> TermId;

    /// An operand of four bits made of fewer, so that rules for extended operands apply.
    fn operands(p: &mut Pool, name: &str) -> Vec<(TermId, TermId)> {
        let mut all = Vec::new();
        for width in 1..=4u8 {
            let sort = p.bits_sort(width);
            let x = p.var(&format!("{name}{width}"), sort);
            all.push((x, p.zero_ext(4 - width, x)));
            all.push((x, p.sign_ext(4 - width, x)));
        }
        all
    }

    #[test]
    fn overflow_is_what_it_is_in_value() {
        let cases: [(Build, BinOp, bool); 6] = [
            (Pool::bv_uaddo, BinOp::AddOvf, false),
            (Pool::bv_saddo, BinOp::AddOvf, true),
            (Pool::bv_usubo, BinOp::SubOvf, false),
            (Pool::bv_ssubo, BinOp::SubOvf, true),
            (Pool::bv_umulo, BinOp::MulOvf, false),
            (Pool::bv_smulo, BinOp::MulOvf, true),
        ];
        let mut p = Pool::new();
        let (left, right) = (operands(&mut p, "a"), operands(&mut p, "b"));
        let constants: Vec<(TermId, TermId)> = (0..16).map(|c| p.bits(4, c)).map(|c| (c, c)).collect();
        for (build, op, signed) in cases {
            let ty = Ty::Int(IntTy { bits: 4, signed });
            for &(x, wide_x) in &left {
                for &(y, wide_y) in right.iter().chain(&constants) {
                    let t = build(&mut p, wide_x, wide_y);
                    for v in 0..1u128 << p.width(x) {
                        for w in 0..1u128 << p.width(y) {
                            let at = Assignment::from_iter([
                                (x, Value::Bits(p.width(x), v)),
                                (y, Value::Bits(p.width(y), w)),
                            ]);
                            let mut e = Evaluator::new(&p, &at);
                            let a = e.eval(wide_x).as_bits().unwrap();
                            let b = e.eval(wide_y).as_bits().unwrap();
                            let expected = eval::binary(op, ty, ty, a, b, DataModel::Lp64) == Ok(1);
                            assert_eq!(e.holds(t), expected, "{op:?} {a} {b} signed {signed}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn overflow_of_division_negation_and_shift() {
        let mut p = Pool::new();
        let sort = p.bits_sort(5);
        let (x, y) = (p.var("x", sort), p.var("y", sort));
        let zero = p.bits(5, 0);
        let terms = [
            (BinOp::Div, p.bv_sdivo(x, y)),
            (BinOp::Shl, p.bv_sshlo(x, y)),
            (BinOp::Sub, p.bv_ssubo(zero, y)),
        ];
        let negated = p.bv_nego(y);
        let ty = Ty::Int(IntTy { bits: 5, signed: true });
        for v in 0..32 {
            for w in 0..32 {
                let at = Assignment::from_iter([(x, Value::Bits(5, v)), (y, Value::Bits(5, w))]);
                let mut e = Evaluator::new(&p, &at);
                for (op, t) in terms {
                    if op == BinOp::Shl && w >= 5 {
                        continue;
                    }
                    let a = if op == BinOp::Sub { 0 } else { v };
                    assert_eq!(e.holds(t), eval::overflows(op, ty, a, w), "{op:?} {a} {w}");
                }
                assert_eq!(e.holds(negated), w == 16);
            }
        }
    }
}
