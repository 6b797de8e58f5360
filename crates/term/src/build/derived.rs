//! Bit tricks of C's builtins in terms of the operations there are.

use cairn_value::Bits;

use crate::{Pool, TermId};

impl Pool {
    /// How many bits are set, in the width of the argument: a tree of ever wider sums.
    pub fn bv_popcount(&mut self, a: TermId) -> TermId {
        let width = self.width(a);
        let count = self.count_ones(a);
        self.resize(width, false, count)
    }

    fn count_ones(&mut self, a: TermId) -> TermId {
        let width = self.width(a);
        if width == 1 {
            return a;
        }
        let half = width / 2;
        let (low, high) = (self.extract(half - 1, 0, a), self.extract(width - 1, half, a));
        let (low, high) = (self.count_ones(low), self.count_ones(high));
        // Wide enough for the number `width`.
        let room = (8 - width.leading_zeros()) as u8;
        let (low, high) = (self.resize(room, false, low), self.resize(room, false, high));
        self.bv_add(low, high)
    }

    /// Leading zeroes, in the width of the argument (wrapped, if it is too narrow for its own
    /// number of bits); of zero, the width.
    pub fn bv_clz(&mut self, a: TermId) -> TermId {
        let width = self.width(a);
        let mut result = self.bits(width, Bits::from(width));
        for n in 0..width {
            let count = self.bits(width, Bits::from(width - 1 - n));
            let bit = self.bit(a, n);
            result = self.ite(bit, count, result);
        }
        result
    }

    /// Trailing zeroes; of zero, the width.
    pub fn bv_ctz(&mut self, a: TermId) -> TermId {
        let width = self.width(a);
        let mut result = self.bits(width, Bits::from(width));
        for n in (0..width).rev() {
            let count = self.bits(width, Bits::from(n));
            let bit = self.bit(a, n);
            result = self.ite(bit, count, result);
        }
        result
    }

    /// The bytes in opposite order. The width must be a multiple of 8.
    pub fn bv_bswap(&mut self, a: TermId) -> TermId {
        let width = self.width(a);
        debug_assert!(width.is_multiple_of(8));
        let mut result = self.extract(7, 0, a);
        for lo in (8..width).step_by(8) {
            let byte = self.extract(lo + 7, lo, a);
            result = self.concat(result, byte);
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use cairn_value::{IntTy, Ty, UnOp, eval};

    use super::*;
    use crate::{Assignment, Evaluator, Value};

    #[test]
    fn counting_agrees_with_value() {
        let mut p = Pool::new();
        let mut rng = fastrand::Rng::with_seed(1);
        for width in [1, 2, 3, 8, 16, 32, 64, 128] {
            let sort = p.bits_sort(width);
            let x = p.var(&format!("x{width}"), sort);
            let mut terms =
                vec![(UnOp::Popcount, p.bv_popcount(x)), (UnOp::Clz, p.bv_clz(x)), (UnOp::Ctz, p.bv_ctz(x))];
            if width % 8 == 0 {
                terms.push((UnOp::Bswap, p.bv_bswap(x)));
            }
            let ty = IntTy { bits: width, signed: false };
            for _ in 0..50 {
                let shift = rng.u8(0..width);
                let v = (rng.u128(..) & ty.mask()) >> shift;
                let assignment = Assignment::from_iter([(x, Value::Bits(width, v))]);
                for &(op, t) in &terms {
                    if let Ok(expected) = eval::unary(op, Ty::Int(ty), v) {
                        let got = Evaluator::new(&p, &assignment).eval(t);
                        assert_eq!(got, Value::Bits(width, expected), "{op:?} {v:x}");
                    }
                }
            }
        }
    }
}
