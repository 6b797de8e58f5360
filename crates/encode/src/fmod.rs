//! `fmod` as a term.
//!
//! The remainder is exact in IEEE 754, but a circuit for all of it has a stage for each bit in which
//! the exponents may differ: two thousand for doubles. Here there are as many as programs need that
//! reduce an angle or a counter: where the dividend is not more than 2^64 times the
//! divisor, the result is computed by shifting and subtracting. Beyond that it is any number with the
//! sign of the dividend that is less than the divisor, which is more than can happen and leaves
//! nothing out.
//!
//! # Why so
//!
//! *`fmod` is exact where dividend and divisor are within 2^64* (`encode::fmod`), else any number in its
//! bounds.

use cairn_ir::FloatTy;
use cairn_term::sort::{float_format, ieee_width};
use cairn_term::{Pool, TermId};

use crate::float::Open;

/// How much the exponents may differ for the result to be exact.
const NEAR: u32 = 64;

/// A pattern taken apart: the stored exponent, and the significand of a normal number.
fn fields(pool: &mut Pool, ty: FloatTy, bits: TermId) -> (TermId, TermId) {
    let (_, precision) = float_format(ty);
    let (width, p) = (ty.bits(), precision as u8);
    if ty == FloatTy::X80 {
        return (pool.extract(width - 2, p, bits), pool.extract(p - 1, 0, bits));
    }
    let one = pool.bits(1, 1);
    let fraction = pool.extract(p - 2, 0, bits);
    (pool.extract(width - 2, p - 1, bits), pool.concat(one, fraction))
}

/// The magnitude of the remainder of normal numbers, the first not less than the second, whose
/// exponents differ by at most [`NEAR`]: all bits of the pattern but the sign.
fn near(pool: &mut Pool, ty: FloatTy, a: TermId, b: TermId) -> TermId {
    let p = float_format(ty).1 as u8;
    let ((fa, ma), (fb, mb)) = (fields(pool, ty, a), fields(pool, ty, b));
    let difference = pool.bv_sub(fa, fb);
    let exponent_bits = pool.width(fa);
    let (mut rest, divisor) = (pool.zero_ext(1, ma), pool.zero_ext(1, mb));
    let one = pool.bits(p + 1, 1);
    for step in 0..=NEAR {
        // Less than twice the divisor.
        if step > 0 {
            let at = pool.bits(exponent_bits, step.into());
            let more = pool.bv_ule(at, difference);
            let doubled = pool.bv_shl(rest, one);
            rest = pool.ite(more, doubled, rest);
        }
        let less = pool.bv_sub(rest, divisor);
        let below = pool.bv_ult(rest, divisor);
        rest = pool.ite(below, rest, less);
    }
    // Normalised, but not beyond the least exponent.
    let rest = pool.extract(p - 1, 0, rest);
    let zeros = pool.bv_clz(rest);
    let room = pool.resize(p, false, fb);
    let one = pool.bits(p, 1);
    let room = pool.bv_sub(room, one);
    let fits = pool.bv_ult(zeros, room);
    let shift = pool.ite(fits, zeros, room);
    let significand = pool.bv_shl(rest, shift);
    let normal = pool.bit(significand, p - 1);
    let shift = pool.resize(exponent_bits, false, shift);
    let exponent = pool.bv_sub(fb, shift);
    let none = pool.bits(exponent_bits, 0);
    let exponent = pool.ite(normal, exponent, none);
    let shown = if ty == FloatTy::X80 { significand } else { pool.extract(p - 2, 0, significand) };
    pool.concat(exponent, shown)
}

impl Open {
    /// C's `fmod` of two patterns.
    pub fn fmod(&mut self, pool: &mut Pool, ty: FloatTy, a: TermId, b: TermId) -> TermId {
        let (x, y) = (pool.fp_from_bits(ty, a), pool.fp_from_bits(ty, b));
        if pool.is_constant(x) && pool.is_constant(y) {
            let number = pool.fp_fmod(x, y);
            return self.computed(pool, ty, number, &[a, b]);
        }
        let width = ty.bits();
        let (size, limit) = (pool.fp_abs(x), pool.fp_abs(y));
        let whole = pool.fp_lt(size, limit);
        // Numbers that are normal, and not far from each other.
        let ((fa, _), (fb, _)) = (fields(pool, ty, a), fields(pool, ty, b));
        let none = pool.bits(pool.width(fb), 0);
        let normal = pool.ne(fb, none);
        let difference = pool.bv_sub(fa, fb);
        let most = pool.bits(pool.width(fa), NEAR.into());
        let is_near = pool.bv_ule(difference, most);
        let is_near = pool.and(&[normal, is_near]);
        let exact = near(pool, ty, a, b);
        // Or any number in bounds.
        let n = self.count(whole);
        let encoding = pool.bits_sort(ieee_width(ty));
        let encoding = pool.var(&format!("remainder {whole} {n}"), encoding);
        let any = pool.bits_of_ieee(ty, encoding);
        let any = pool.bits_abs(ty, any);
        let number = pool.fp_from_bits(ty, any);
        let fits = pool.fp_lt(number, limit);
        let nothing = pool.bits(width, 0);
        let any = pool.ite(fits, any, nothing);
        let any = pool.extract(width - 2, 0, any);
        let magnitude = pool.ite(is_near, exact, any);
        let sign = pool.extract(width - 1, width - 1, a);
        let result = pool.concat(sign, magnitude);
        let result = pool.ite(whole, a, result);
        let invalid = [pool.fp_is_nan(x), pool.fp_is_nan(y), pool.fp_is_inf(x), pool.fp_is_zero(y)];
        let invalid = pool.or(&invalid);
        let nan = pool.fp_nan(ty);
        let nan = self.computed(pool, ty, nan, &[a, b]);
        pool.ite(invalid, nan, result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn_term::{Assignment, Evaluator, Value};
    use cairn_value::{BinOp, float};

    #[test]
    fn remainders_are_exact_where_numbers_are_near() {
        let (mut pool, mut open) = (Pool::new(), Open::default());
        for ty in [FloatTy::F32, FloatTy::F64, FloatTy::X80, FloatTy::F128] {
            let sort = pool.bits_sort(ty.bits());
            let a = pool.var(&format!("a_{ty}"), sort);
            let b = pool.var(&format!("b_{ty}"), sort);
            let r = open.fmod(&mut pool, ty, a, b);
            let mut numbers = vec![0, float::infinity(ty, false), float::infinity(ty, false) | 1 << 20];
            for text in
                ["1", "3", "0.7", "360", "1e9", "6.2831853", "12345.678", "0x1p-120", "0x1.8p-126", "0x1p60"]
            {
                numbers.push(float::parse(ty, text).unwrap());
            }
            for &x in &numbers {
                for &y in &numbers {
                    for x in [x, x | 1 << (ty.bits() - 1)] {
                        let at = Assignment::from_iter([
                            (a, Value::Bits(ty.bits(), x)),
                            (b, Value::Bits(ty.bits(), y)),
                        ]);
                        let got = Evaluator::new(&pool, &at).eval(r).as_bits().unwrap();
                        let expected = float::binary(BinOp::Rem, ty, x, y);
                        let nan = |v| float::classify(ty, v) == float::Class::Nan;
                        let far = float::to_f64(ty, x).abs() > float::to_f64(ty, y).abs() * 1e19;
                        if nan(expected) || (far && !nan(got)) {
                            assert_eq!(nan(expected), nan(got), "{x:x} {y:x} of {ty}");
                        } else {
                            assert_eq!(got, expected, "{x:x} {y:x} of {ty}");
                        }
                    }
                }
            }
        }
    }
}
