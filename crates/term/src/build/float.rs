//! Floats: SMT-LIB's operations, and C's where they differ.

use cairn_value::{Bits, FloatTy, IntTy, float};

use crate::op::Rounded;
use crate::sort::{float_format, ieee_width};
use crate::value::{mask, nan};
use crate::{Op, Pool, Round, Sort, TermId};

impl Pool {
    /// The format of a float.
    ///
    /// # Panics
    /// If the term is none.
    pub fn float_ty(&self, t: TermId) -> FloatTy {
        match self.sort(t) {
            Sort::Float(ty) => ty,
            other => panic!("{t} is no float but {other}"),
        }
    }

    pub fn fp_nan(&mut self, ty: FloatTy) -> TermId {
        self.float(ty, nan(ty))
    }

    pub fn fp_add(&mut self, a: TermId, b: TermId) -> TermId {
        self.fp_arithmetic(Op::FpAdd, a, b)
    }

    pub fn fp_sub(&mut self, a: TermId, b: TermId) -> TermId {
        self.fp_arithmetic(Op::FpSub, a, b)
    }

    pub fn fp_mul(&mut self, a: TermId, b: TermId) -> TermId {
        self.fp_arithmetic(Op::FpMul, a, b)
    }

    pub fn fp_div(&mut self, a: TermId, b: TermId) -> TermId {
        self.fp_arithmetic(Op::FpDiv, a, b)
    }

    /// IEEE remainder.
    pub fn fp_rem(&mut self, a: TermId, b: TermId) -> TermId {
        self.fp_arithmetic(Op::FpRem, a, b)
    }

    pub(crate) fn fp_arithmetic(&mut self, op: Op, a: TermId, b: TermId) -> TermId {
        let ty = self.float_ty(a);
        let one = float::from_f64(ty, 1.0);
        match op {
            Op::FpMul | Op::FpDiv if self.as_float(b) == Some(one) => a,
            Op::FpMul if self.as_float(a) == Some(one) => b,
            // Only this zero leaves both zeroes as they are.
            Op::FpSub if self.as_float(b) == Some(0) => a,
            _ => self.finish(op, &[a, b]),
        }
    }

    /// An operation that is not rounded to nearest.
    pub fn fp_directed(&mut self, op: Rounded, mode: Round, args: &[TermId]) -> TermId {
        self.finish(Op::FpDirected(op, mode), args)
    }

    pub fn fp_sqrt(&mut self, a: TermId) -> TermId {
        self.finish(Op::FpSqrt, &[a])
    }

    pub fn fp_round(&mut self, mode: Round, a: TermId) -> TermId {
        self.finish(Op::FpRound(mode), &[a])
    }

    pub fn fp_neg(&mut self, a: TermId) -> TermId {
        match self.as_unary(Op::FpNeg, a) {
            Some(x) => x,
            None => self.finish(Op::FpNeg, &[a]),
        }
    }

    pub fn fp_abs(&mut self, a: TermId) -> TermId {
        match self.op(a) {
            Op::FpAbs => a,
            Op::FpNeg => self.fp_abs(self.arg(a, 0)),
            _ => self.finish(Op::FpAbs, &[a]),
        }
    }

    pub fn fp_lt(&mut self, a: TermId, b: TermId) -> TermId {
        self.fp_compare(Op::FpLt, a, b)
    }

    pub fn fp_le(&mut self, a: TermId, b: TermId) -> TermId {
        self.fp_compare(Op::FpLe, a, b)
    }

    /// C's `==`.
    pub fn fp_eq(&mut self, a: TermId, b: TermId) -> TermId {
        self.fp_compare(Op::FpEq, a, b)
    }

    pub(crate) fn fp_compare(&mut self, op: Op, a: TermId, b: TermId) -> TermId {
        let ty = self.float_ty(a);
        if self.as_float(a) == Some(nan(ty)) || self.as_float(b) == Some(nan(ty)) {
            return Pool::FALSE;
        }
        if a == b {
            if op == Op::FpLt {
                return Pool::FALSE;
            }
            let is_nan = self.fp_is_nan(a);
            return self.not(is_nan);
        }
        self.finish(op, &[a, b])
    }

    pub fn fp_is_nan(&mut self, a: TermId) -> TermId {
        match self.op(a) {
            Op::FpNeg | Op::FpAbs | Op::FpRound(_) | Op::FpToFp(_) => self.fp_is_nan(self.arg(a, 0)),
            Op::FpFromSbv(_) | Op::FpFromUbv(_) => Pool::FALSE,
            Op::FpDirected(Rounded::FromSbv(_) | Rounded::FromUbv(_), _) => Pool::FALSE,
            _ => self.finish(Op::FpIsNan, &[a]),
        }
    }

    pub fn fp_is_inf(&mut self, a: TermId) -> TermId {
        self.finish(Op::FpIsInf, &[a])
    }

    pub fn fp_is_zero(&mut self, a: TermId) -> TermId {
        self.finish(Op::FpIsZero, &[a])
    }

    pub fn fp_is_normal(&mut self, a: TermId) -> TermId {
        self.finish(Op::FpIsNormal, &[a])
    }

    pub fn fp_is_subnormal(&mut self, a: TermId) -> TermId {
        self.finish(Op::FpIsSubnormal, &[a])
    }

    /// The sign bit of anything but the NaN, which has none here.
    pub fn fp_is_negative(&mut self, a: TermId) -> TermId {
        self.finish(Op::FpIsNegative, &[a])
    }

    pub fn fp_from_ieee(&mut self, ty: FloatTy, bits: TermId) -> TermId {
        match self.op(bits) {
            // The NaN of a known encoding is still the NaN.
            Op::FpToIeee if self.float_ty(self.arg(bits, 0)) == ty => self.arg(bits, 0),
            _ => self.finish(Op::FpFromIeee(ty), &[bits]),
        }
    }

    /// The IEEE encoding; the NaN has one encoding (see [`Op::FpToIeee`]).
    pub fn fp_to_ieee(&mut self, a: TermId) -> TermId {
        let ty = self.float_ty(a);
        if let Some(bits) = self.as_unary(Op::FpFromIeee(ty), a) {
            let is_nan = self.fp_is_nan(a);
            let one_nan = self.fp_nan(ty);
            let pattern = self.finish(Op::FpToIeee, &[one_nan]);
            return self.ite(is_nan, pattern, bits);
        }
        self.finish(Op::FpToIeee, &[a])
    }

    /// A float from the bit pattern C programs see in memory. For the x87 format that is not the
    /// IEEE encoding: a pattern with a cleared leading bit where it ought to be set is a NaN, and
    /// one with a denormal exponent and a set leading bit is the normal number it looks like.
    pub fn fp_from_bits(&mut self, ty: FloatTy, bits: TermId) -> TermId {
        if let Some(v) = self.as_bits(bits) {
            return self.float(ty, v);
        }
        let sign = ty.bits() - 1;
        match (self.op(bits), self.args(bits)) {
            (Op::FpToBits, &[x, _]) if self.float_ty(x) == ty => return x,
            // C's negation and absolute value act on the sign bit alone.
            (Op::BvXor, &[x, c]) if self.as_bits(c) == Some(1 << sign) => {
                let x = self.fp_from_bits(ty, x);
                return self.fp_neg(x);
            }
            (Op::ZeroExt(1), &[rest]) => {
                if let Some(x) = self.as_unary(Op::Extract(sign - 1, 0), rest)
                    && self.width(x) == ty.bits()
                {
                    let x = self.fp_from_bits(ty, x);
                    return self.fp_abs(x);
                }
            }
            (Op::Ite, _) => {
                if let Some(float) = self.fp_from_choice(ty, bits) {
                    return float;
                }
            }
            _ => {}
        }
        if ty != FloatTy::X80 {
            return self.fp_from_ieee(ty, bits);
        }
        let sign = self.extract(79, 79, bits);
        let exponent = self.extract(78, 64, bits);
        let leading = self.bit(bits, 63);
        let fraction = self.extract(62, 0, bits);
        let (zero, one) = (self.bits(15, 0), self.bits(15, 1));
        let denormal = self.eq(exponent, zero);
        let pseudo_denormal = self.and(&[denormal, leading]);
        let invalid = self.or(&[denormal, leading]);
        let invalid = self.not(invalid);
        let exponent = self.ite(pseudo_denormal, one, exponent);
        let ieee = self.concat(exponent, fraction);
        let ieee = self.concat(sign, ieee);
        let number = self.fp_from_ieee(ty, ieee);
        let nan = self.fp_nan(ty);
        self.ite(invalid, nan, number)
    }

    /// A choice between patterns of floats is a choice between floats. Each term is looked at once, so
    /// that values which many executions have assigned stay cheap to read.
    fn fp_from_choice(&mut self, ty: FloatTy, bits: TermId) -> Option<TermId> {
        let mut work = vec![bits];
        while let Some(&t) = work.last() {
            if self.float_choices.contains_key(&t) {
                work.pop();
                continue;
            }
            let found = match (self.op(t), self.args(t)) {
                (Op::FpToBits, &[x, _]) => Some(x),
                (Op::Ite, &[c, a, b]) => {
                    let sides = [a, b].map(|s| self.float_choices.get(&s).copied());
                    if let [Some(x), Some(y)] = sides {
                        work.pop();
                        let float = match (x, y) {
                            (None, None) => None,
                            _ => {
                                let [x, y] = [(a, x), (b, y)].map(|(s, known)| match known {
                                    Some(x) => x,
                                    None => self.fp_from_bits(ty, s),
                                });
                                Some(self.ite(c, x, y))
                            }
                        };
                        self.float_choices.insert(t, float);
                        continue;
                    }
                    work.extend(
                        [a, b].iter().zip(sides).filter(|(_, known)| known.is_none()).map(|(s, _)| s),
                    );
                    continue;
                }
                // Constants go with either side.
                _ => None,
            };
            self.float_choices.insert(t, found);
            work.pop();
        }
        self.float_choices[&bits]
    }

    /// The pattern of C; that of the NaN is `nan` (see [`Op::FpToBits`]).
    pub fn fp_to_bits(&mut self, a: TermId, nan: TermId) -> TermId {
        let ty = self.float_ty(a);
        match self.as_float(a) {
            Some(v) if v != crate::value::nan(ty) => self.bits(ty.bits(), v),
            _ => self.finish(Op::FpToBits, &[a, nan]),
        }
    }

    /// C's unary minus on a pattern: the sign bit is inverted.
    pub fn bits_neg(&mut self, ty: FloatTy, bits: TermId) -> TermId {
        let sign = self.bits(ty.bits(), 1 << (ty.bits() - 1));
        match (self.op(bits), self.args(bits)) {
            (Op::FpToBits, &[x, nan]) => {
                let (x, nan) = (self.fp_neg(x), self.bv_xor(nan, sign));
                self.fp_to_bits(x, nan)
            }
            _ => self.bv_xor(bits, sign),
        }
    }

    /// C's `fabs` on a pattern: the sign bit is cleared.
    pub fn bits_abs(&mut self, ty: FloatTy, bits: TermId) -> TermId {
        let rest = self.bits(ty.bits(), mask(ty.bits() - 1));
        match (self.op(bits), self.args(bits)) {
            (Op::FpToBits, &[x, nan]) => {
                let (x, nan) = (self.fp_abs(x), self.bv_and(nan, rest));
                self.fp_to_bits(x, nan)
            }
            _ => self.bv_and(bits, rest),
        }
    }

    /// The pattern of the positive quiet NaN without payload.
    pub fn quiet_nan(&mut self, ty: FloatTy) -> TermId {
        self.bits(ty.bits(), nan(ty))
    }

    /// The pattern of a NaN as processors convert it: sign and leading bits of the payload stay.
    pub fn bits_convert(&mut self, from: FloatTy, to: FloatTy, bits: TermId) -> TermId {
        let (have, want) = (float_format(from).1 as u8 - 1, float_format(to).1 as u8 - 1);
        let mut fraction = self.extract(have - 1, 0, bits);
        if want > have {
            let zeroes = self.bits(want - have, 0);
            fraction = self.concat(fraction, zeroes);
        } else if want < have {
            fraction = self.extract(have - 1, have - want, fraction);
        }
        let sign = self.extract(from.bits() - 1, from.bits() - 1, bits);
        let rest = to.bits() - 1 - want;
        let ones = self.bits(rest, mask(rest));
        let low = self.concat(ones, fraction);
        self.concat(sign, low)
    }

    /// A pattern of any float from an IEEE encoding, NaNs with their payloads. It is the encoding
    /// itself, but for the x87 format, whose patterns show the leading bit of the significand.
    pub fn bits_of_ieee(&mut self, ty: FloatTy, ieee: TermId) -> TermId {
        if ty != FloatTy::X80 {
            return ieee;
        }
        let top = self.extract(78, 63, ieee);
        let exponent = self.extract(77, 63, ieee);
        let fraction = self.extract(62, 0, ieee);
        let zero = self.bits(15, 0);
        let normal = self.ne(exponent, zero);
        let leading = self.bool_to_bits(1, normal);
        let rest = self.concat(leading, fraction);
        self.concat(top, rest)
    }

    pub fn fp_to_fp(&mut self, to: FloatTy, a: TermId) -> TermId {
        let from = self.float_ty(a);
        if from == to {
            return a;
        }
        // There and back through a wider format.
        if let Op::FpToFp(_) = self.op(a) {
            let x = self.arg(a, 0);
            if self.float_ty(x) == to && float_format(from) >= float_format(to) {
                return x;
            }
        }
        self.finish(Op::FpToFp(to), &[a])
    }

    pub fn fp_from_int(&mut self, to: FloatTy, signed: bool, a: TermId) -> TermId {
        self.finish(if signed { Op::FpFromSbv(to) } else { Op::FpFromUbv(to) }, &[a])
    }

    /// C's conversion to an integer: truncated, and 0 where C leaves it undefined (see
    /// [`Pool::fp_fits_int`]).
    pub fn fp_to_int(&mut self, to: IntTy, a: TermId) -> TermId {
        let fits = self.fp_fits_int(to, a);
        let op = if to.signed { Op::FpToSbv(to.bits) } else { Op::FpToUbv(to.bits) };
        let number = self.finish(op, &[a]);
        let zero = self.bits(to.bits, 0);
        self.ite(fits, number, zero)
    }

    /// Is the float, truncated, a value of the integer type?
    pub fn fp_fits_int(&mut self, to: IntTy, a: TermId) -> TermId {
        let ty = self.float_ty(a);
        // Below the power of two above the largest number, or at least finite.
        let (exponent, precision) = float_format(ty);
        let power = u32::from(to.bits) - u32::from(to.signed);
        let overflows = power >= 1 << (exponent - 1);
        let below = if overflows {
            let (inf, nan) = (self.fp_is_inf(a), self.fp_is_nan(a));
            let neither = self.or(&[inf, nan]);
            self.not(neither)
        } else {
            let limit = self.float(ty, float::round_pack(ty, false, 1, power as i32));
            self.fp_lt(a, limit)
        };
        // Above the smallest number minus one; where that is no float, there is none in between.
        let above = if !to.signed {
            let limit = self.float(ty, float::from_f64(ty, -1.0));
            self.fp_lt(limit, a)
        } else if overflows {
            Pool::TRUE
        } else if u32::from(to.bits) <= precision {
            let limit = (1u128 << power) + 1;
            let limit = self.float(ty, float::round_pack(ty, true, limit, 0));
            self.fp_lt(limit, a)
        } else {
            let limit = self.float(ty, float::round_pack(ty, true, 1, power as i32));
            self.fp_le(limit, a)
        };
        self.and(&[below, above])
    }

    /// C's `fmod`, exactly: the IEEE remainder of the magnitudes, brought above zero, with the sign
    /// of the dividend.
    pub fn fp_fmod(&mut self, a: TermId, b: TermId) -> TermId {
        let ty = self.float_ty(a);
        let (x, y) = (self.fp_abs(a), self.fp_abs(b));
        let remainder = self.fp_rem(x, y);
        let zero = self.float(ty, 0);
        let below = self.fp_lt(remainder, zero);
        let up = self.fp_add(remainder, y);
        let magnitude = self.ite(below, up, remainder);
        let magnitude = self.fp_abs(magnitude);
        let negative = self.fp_is_negative(a);
        let minus = self.fp_neg(magnitude);
        self.ite(negative, minus, magnitude)
    }

    /// C's `fmin` and `fmax`: a NaN gives way to a number, and -0 is below +0.
    pub fn fp_min(&mut self, a: TermId, b: TermId) -> TermId {
        self.fp_extreme(a, b, true)
    }

    pub fn fp_max(&mut self, a: TermId, b: TermId) -> TermId {
        self.fp_extreme(a, b, false)
    }

    fn fp_extreme(&mut self, a: TermId, b: TermId, least: bool) -> TermId {
        let (nan_a, nan_b) = (self.fp_is_nan(a), self.fp_is_nan(b));
        let (less, equal) = (self.fp_lt(a, b), self.fp_eq(a, b));
        let negative = self.fp_is_negative(a);
        let tie = self.and(&[equal, negative]);
        let a_is_less = self.or(&[less, tie]);
        let chosen = if least { self.ite(a_is_less, a, b) } else { self.ite(a_is_less, b, a) };
        let chosen = self.ite(nan_b, a, chosen);
        self.ite(nan_a, b, chosen)
    }

    /// The encoding of a float constant as a bit-vector of [`ieee_width`] bits.
    pub fn float_ieee_bits(&self, t: TermId) -> Option<Bits> {
        match self.op(t) {
            Op::Float(_, ty) => Some(crate::value::to_ieee(ty, self.as_float(t)?) & mask(ieee_width(ty))),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Assignment, Evaluator, Value};
    use cairn_value::{BinOp, UnOp};

    const ALL: [FloatTy; 4] = [FloatTy::F32, FloatTy::F64, FloatTy::X80, FloatTy::F128];

    fn samples(ty: FloatTy) -> Vec<Bits> {
        let mut all = vec![0, float::infinity(ty, false), nan(ty)];
        for text in [
            "1",
            "0.5",
            "1.5",
            "2.5",
            "127.99",
            "128",
            "128.5",
            "129",
            "255.5",
            "256",
            "0x1p31",
            "0x1p32",
            "0x1p63",
            "0x1p64",
            "0x1p-140",
            "3e38",
            "1e300",
            "0x1.fffffep30",
            "2147483648.5",
            "7.25",
        ] {
            all.push(float::parse(ty, text).unwrap());
        }
        let negative: Vec<Bits> = all.iter().map(|&b| float::unary(UnOp::Neg, ty, b)).collect();
        all.extend(negative);
        all
    }

    /// The value of a term over one float variable.
    fn value_at(p: &Pool, t: TermId, vars: &[(TermId, FloatTy, Bits)]) -> Value {
        let assignment: Assignment = vars.iter().map(|&(v, ty, bits)| (v, Value::float(ty, bits))).collect();
        Evaluator::new(p, &assignment).eval(t)
    }

    #[test]
    fn what_fits_an_integer_is_what_converts() {
        let mut p = Pool::new();
        for ty in ALL {
            let sort = p.float_sort(ty);
            let x = p.var(&format!("x_{ty}"), sort);
            for bits in [1u8, 8, 24, 25, 32, 53, 54, 64, 127, 128] {
                for signed in [false, true] {
                    let to = IntTy { bits, signed };
                    let (fits, number) = (p.fp_fits_int(to, x), p.fp_to_int(to, x));
                    for v in samples(ty) {
                        let expected = float::to_int(ty, to, v);
                        let at = [(x, ty, v)];
                        assert_eq!(
                            value_at(&p, fits, &at),
                            Value::Bool(expected.is_some()),
                            "{v:x} of {ty} to {to}"
                        );
                        assert_eq!(value_at(&p, number, &at), Value::Bits(bits, expected.unwrap_or(0)));
                    }
                }
            }
        }
    }

    #[test]
    fn the_functions_of_c_are_those_of_value() {
        let mut p = Pool::new();
        for ty in ALL {
            let sort = p.float_sort(ty);
            let (x, y) = (p.var(&format!("x_{ty}"), sort), p.var(&format!("y_{ty}"), sort));
            let terms =
                [(BinOp::Rem, p.fp_fmod(x, y)), (BinOp::Fmin, p.fp_min(x, y)), (BinOp::Fmax, p.fp_max(x, y))];
            for a in samples(ty) {
                for b in samples(ty) {
                    for (op, t) in terms {
                        let expected = Value::float(ty, float::binary(op, ty, a, b));
                        let got = value_at(&p, t, &[(x, ty, a), (y, ty, b)]);
                        assert_eq!(got, expected, "{op:?} {a:x} {b:x} of {ty}");
                    }
                }
            }
        }
    }

    #[test]
    fn bit_patterns_of_x87_values() {
        let mut p = Pool::new();
        let s = p.bits_sort(80);
        let b = p.var("b", s);
        let x = p.fp_from_bits(FloatTy::X80, b);
        let zero = p.bits(80, 0);
        let back = p.fp_to_bits(x, zero);
        let mut patterns = samples(FloatTy::X80);
        patterns.extend([1 << 63, 1 << 64, 0x7fff << 64, 0x7fff << 64 | 1, 0x4000 << 64 | 1, 5]);
        for v in patterns {
            let assignment = Assignment::from_iter([(b, Value::Bits(80, v))]);
            let mut e = Evaluator::new(&p, &assignment);
            let expected = Value::float(FloatTy::X80, v);
            assert_eq!(e.eval(x), expected, "{v:x}");
            assert_eq!(e.eval(back), Value::Bits(80, expected.as_bits().unwrap()));
        }
    }
}
