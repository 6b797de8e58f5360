//! What IEEE 754 and C leave open about floats, as terms.
//!
//! The sign and the payload of a NaN that an operation computes are any value, another one each
//! time it is evaluated; only that it is quiet is known. Likewise which zero is the larger one.
//! So that what solvers choose is what processors do if nothing speaks against it, the choice begins
//! with a bit which says that all is as usual (solvers try true first).

use cairn_ir::FloatTy;
use cairn_term::{Op, Pool, SortId, TermId};
use rustc_hash::FxHashMap;

/// Names what is left open. A name consists of the term in question and how often it was asked for,
/// so that two clients that follow the same execution in the same pool have the same terms.
#[derive(Default, Debug)]
pub struct Open {
    asked: FxHashMap<TermId, u32>,
    /// How often anything was asked for.
    draws: u64,
}

/// Does the variable say that something left open is as it is on common machines?
pub fn is_usual(pool: &Pool, t: TermId) -> bool {
    matches!(pool.op(t), Op::Var(v) if pool.var_name(v).starts_with("usual "))
}

impl Open {
    pub(crate) fn draws(&self) -> u64 {
        self.draws
    }

    pub(crate) fn count(&mut self, t: TermId) -> u32 {
        self.draws += 1;
        let count = self.asked.entry(t).or_default();
        *count += 1;
        *count
    }

    /// The pattern of the result of an operation. If that is a NaN, processors give the first NaN
    /// among the operands (patterns of that type), made quiet, or else a negative one.
    pub fn computed(&mut self, pool: &mut Pool, ty: FloatTy, number: TermId, operands: &[TermId]) -> TermId {
        let width = ty.bits();
        let is_nan = pool.fp_is_nan(number);
        if pool.as_bool(is_nan) == Some(false) {
            let none = pool.bits(width, 0);
            return pool.fp_to_bits(number, none);
        }
        let sort = pool.bits_sort(width);
        let n = self.count(number);
        let other = pool.var(&format!("nan {number} {n}"), sort);
        let quiet = pool.quiet_nan(ty);
        let other = pool.bv_or(other, quiet);
        let usual = pool.var(&format!("usual nan {number} {n}"), SortId::BOOL);
        let sign = pool.bits(width, 1 << (width - 1));
        let mut pattern = pool.bv_or(quiet, sign);
        for &a in operands.iter().rev() {
            let x = pool.fp_from_bits(ty, a);
            let is_nan = pool.fp_is_nan(x);
            let quieted = pool.bv_or(a, quiet);
            pattern = pool.ite(is_nan, quieted, pattern);
        }
        let nan = pool.ite(usual, pattern, other);
        pool.fp_to_bits(number, nan)
    }

    /// C's `fmin` or `fmax` of two patterns: a NaN gives way to a number. Of a positive and a negative
    /// zero it may be either.
    pub fn extreme(&mut self, pool: &mut Pool, ty: FloatTy, least: bool, a: TermId, b: TermId) -> TermId {
        let (x, y) = (pool.fp_from_bits(ty, a), pool.fp_from_bits(ty, b));
        let (nan_x, nan_y) = (pool.fp_is_nan(x), pool.fp_is_nan(y));
        let (less, equal) = (pool.fp_lt(x, y), pool.fp_eq(x, y));
        // Of equal numbers only zeroes have different patterns.
        let differ = pool.ne(a, b);
        let tie = pool.and(&[equal, differ]);
        let a_is_less = if pool.as_bool(tie) == Some(false) {
            less
        } else {
            let n = self.count(tie);
            let usual = pool.var(&format!("usual zero {tie} {n}"), SortId::BOOL);
            let negative = pool.bit(a, ty.bits() - 1);
            let usual = pool.eq(usual, negative);
            let tie = pool.and(&[tie, usual]);
            pool.or(&[less, tie])
        };
        let chosen = if least { pool.ite(a_is_less, a, b) } else { pool.ite(a_is_less, b, a) };
        let chosen = pool.ite(nan_y, a, chosen);
        let both = pool.and(&[nan_x, nan_y]);
        let chosen = pool.ite(nan_x, b, chosen);
        if pool.as_bool(both) == Some(false) {
            return chosen;
        }
        let nan = pool.fp_nan(ty);
        let nan = self.computed(pool, ty, nan, &[a, b]);
        pool.ite(both, nan, chosen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn computed_numbers_read_as_what_was_computed() {
        let (mut pool, mut open) = (Pool::new(), Open::default());
        for ty in [FloatTy::F32, FloatTy::F64, FloatTy::X80, FloatTy::F128] {
            let sort = pool.bits_sort(ty.bits());
            let a = pool.var(&format!("a_{ty}"), sort);
            let b = pool.var(&format!("b_{ty}"), sort);
            let (x, y) = (pool.fp_from_bits(ty, a), pool.fp_from_bits(ty, b));
            let sum = pool.fp_add(x, y);
            let (p, q) =
                (open.computed(&mut pool, ty, sum, &[a, b]), open.computed(&mut pool, ty, sum, &[a, b]));
            assert_ne!(p, q, "another NaN each time");
            assert_eq!(pool.fp_from_bits(ty, p), sum);
            let minus = pool.bits_neg(ty, p);
            let negated = pool.fp_neg(sum);
            assert_eq!(pool.fp_from_bits(ty, minus), negated);
            let plain = pool.bits_neg(ty, a);
            let negated = pool.fp_neg(x);
            assert_eq!(pool.fp_from_bits(ty, plain), negated);
            let plain = pool.bits_abs(ty, a);
            let magnitude = pool.fp_abs(x);
            assert_eq!(pool.fp_from_bits(ty, plain), magnitude);
            let c = pool.var("c", SortId::BOOL);
            let either = pool.ite(c, p, a);
            let choice = pool.ite(c, sum, x);
            assert_eq!(pool.fp_from_bits(ty, either), choice);
        }
    }
}
