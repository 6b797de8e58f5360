//! Integers: sums are kept as linear combinations in a normal form.

use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use smallvec::SmallVec;

use crate::{Op, Pool, SortId, TermId, fold};

/// A longer sum inside another is not merged with it.
const FLAT: usize = 32;

/// `sum of factor * term, plus constant`; the terms are different, ascending, and no factor is 0.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Linear {
    pub terms: SmallVec<[(TermId, BigInt); 4]>,
    pub constant: BigInt,
}

impl Linear {
    fn add(&mut self, other: Linear, factor: &BigInt) {
        self.constant += other.constant * factor;
        self.terms.extend(other.terms.into_iter().map(|(t, k)| (t, k * factor)));
        self.terms.sort_by_key(|&(t, _)| t);
        let mut merged: SmallVec<[(TermId, BigInt); 4]> = SmallVec::new();
        for (t, k) in self.terms.drain(..) {
            match merged.last_mut() {
                Some((last, sum)) if *last == t => *sum += k,
                _ => merged.push((t, k)),
            }
        }
        merged.retain(|(_, k)| k.sign() != Sign::NoSign);
        self.terms = merged;
    }

    /// The greatest common divisor of the factors; 0 if there are none.
    fn gcd(&self) -> BigInt {
        self.terms.iter().fold(BigInt::ZERO, |g, (_, k)| g.gcd(k))
    }

    fn divide(&mut self, by: &BigInt) {
        for (_, k) in &mut self.terms {
            *k = &*k / by;
        }
    }
}

impl Pool {
    /// An integer term as a linear combination.
    pub fn linear(&self, t: TermId) -> Linear {
        let mut linear = Linear::default();
        match self.op(t) {
            Op::Add if self.args(t).len() <= FLAT => {
                for &a in self.args(t) {
                    match self.as_int(a) {
                        Some(n) => linear.constant += n,
                        None => linear.terms.push(self.scaled(a)),
                    }
                }
                linear.terms.sort_by_key(|&(t, _)| t);
            }
            Op::Number(_) => linear.constant += self.as_int(t).into_iter().sum::<BigInt>(),
            _ => linear.terms.push(self.scaled(t)),
        }
        // Sums made by `raw` may hold a term twice.
        let mut normal = Linear::default();
        normal.add(linear, &BigInt::from(1));
        normal
    }

    fn scaled(&self, t: TermId) -> (TermId, BigInt) {
        if let Some((a, b)) = self.as_binary(Op::Mul, t) {
            if let Some(k) = self.as_int(b) {
                return (a, k.clone());
            }
            if let Some(k) = self.as_int(a) {
                return (b, k.clone());
            }
        }
        (t, BigInt::from(1))
    }

    /// The term of a linear combination.
    pub fn linear_term(&mut self, linear: &Linear) -> TermId {
        let mut args: SmallVec<[TermId; 8]> = SmallVec::new();
        for (t, k) in &linear.terms {
            if *k == BigInt::from(1) {
                args.push(*t);
            } else {
                let factor = self.int(k.clone());
                args.push(self.raw(Op::Mul, &[*t, factor]));
            }
        }
        if linear.constant.sign() != Sign::NoSign || args.is_empty() {
            args.push(self.int(linear.constant.clone()));
        }
        match args.as_slice() {
            &[only] => only,
            _ => self.raw(Op::Add, &args),
        }
    }

    /// `a - b`, if it is a constant.
    pub(crate) fn int_constant_difference(&self, a: TermId, b: TermId) -> Option<BigInt> {
        let difference = self.difference(a, b);
        difference.terms.is_empty().then_some(difference.constant)
    }

    fn difference(&self, a: TermId, b: TermId) -> Linear {
        let mut difference = self.linear(a);
        difference.add(self.linear(b), &BigInt::from(-1));
        difference
    }

    pub fn int_sum(&mut self, args: &[TermId]) -> TermId {
        let mut sum = Linear::default();
        for &a in args {
            sum.add(self.linear(a), &BigInt::from(1));
        }
        self.linear_term(&sum)
    }

    pub fn int_add(&mut self, a: TermId, b: TermId) -> TermId {
        self.int_sum(&[a, b])
    }

    pub fn int_sub(&mut self, a: TermId, b: TermId) -> TermId {
        let difference = self.difference(a, b);
        self.linear_term(&difference)
    }

    pub fn int_neg(&mut self, a: TermId) -> TermId {
        let minus_one = self.int(-1);
        self.int_mul(a, minus_one)
    }

    pub fn int_mul(&mut self, a: TermId, b: TermId) -> TermId {
        let (a, b) = self.ordered(a, b);
        if let Some(k) = self.as_int(b).cloned() {
            let mut product = Linear::default();
            product.add(self.linear(a), &k);
            return self.linear_term(&product);
        }
        self.raw(Op::Mul, &[a, b])
    }

    /// Euclidean division; by zero it is 0.
    pub fn int_div(&mut self, a: TermId, b: TermId) -> TermId {
        let Some(k) = self.as_int(b).cloned() else {
            return self.guarded_division(Op::Div, a, b);
        };
        if k.sign() == Sign::NoSign {
            return self.int(0);
        }
        let mut linear = self.linear(a);
        if linear.gcd().is_multiple_of(&k) {
            // An integer part plus the quotient of the constant.
            linear.divide(&k);
            linear.constant = fold::euclid(&linear.constant, &k).0;
            return self.linear_term(&linear);
        }
        self.raw(Op::Div, &[a, b])
    }

    /// The remainder of [`Pool::int_div`], never negative; by zero it is `a`.
    pub fn int_mod(&mut self, a: TermId, b: TermId) -> TermId {
        let Some(k) = self.as_int(b).cloned() else {
            return self.guarded_division(Op::Mod, a, b);
        };
        if k.sign() == Sign::NoSign {
            return a;
        }
        let linear = self.linear(a);
        if linear.gcd().is_multiple_of(&k) {
            return self.int(fold::euclid(&linear.constant, &k).1);
        }
        self.raw(Op::Mod, &[a, b])
    }

    /// Solvers are free in the value of a division by zero; the guard takes that freedom away.
    fn guarded_division(&mut self, op: Op, a: TermId, b: TermId) -> TermId {
        let zero = self.int(0);
        let by_zero = self.eq(b, zero);
        let result = self.raw(op, &[a, b]);
        let otherwise = if op == Op::Div { zero } else { a };
        self.ite(by_zero, otherwise, result)
    }

    pub fn int_le(&mut self, a: TermId, b: TermId) -> TermId {
        let mut difference = self.difference(b, a);
        let gcd = difference.gcd();
        if gcd.sign() == Sign::NoSign {
            return self.bool(difference.constant.sign() != Sign::Minus);
        }
        // 0 <= g * s + k  iff  0 <= s + floor(k / g)
        difference.divide(&gcd);
        difference.constant = difference.constant.div_floor(&gcd);
        let (b, a) = self.sides(&difference);
        self.raw(Op::Le, &[a, b])
    }

    pub fn int_lt(&mut self, a: TermId, b: TermId) -> TermId {
        let not = self.int_le(b, a);
        self.not(not)
    }

    /// Equality of integers.
    pub(crate) fn int_eq(&mut self, a: TermId, b: TermId) -> TermId {
        let mut difference = self.difference(a, b);
        let mut gcd = difference.gcd();
        if gcd.sign() == Sign::NoSign {
            return self.bool(difference.constant.sign() == Sign::NoSign);
        }
        if !difference.constant.is_multiple_of(&gcd) {
            return Pool::FALSE;
        }
        if difference.terms[0].1.sign() == Sign::Minus {
            gcd = -gcd;
        }
        difference.divide(&gcd);
        difference.constant = &difference.constant / &gcd;
        let (a, b) = self.sides(&difference);
        self.raw(Op::Eq, &[a, b])
    }

    /// Two sums whose difference is the given one, without negative factors; a constant on the side
    /// where it is positive, but alone on the right if all terms are on the left.
    fn sides(&mut self, difference: &Linear) -> (TermId, TermId) {
        let (mut left, mut right) = (Linear::default(), Linear::default());
        for (t, k) in &difference.terms {
            if k.sign() == Sign::Minus {
                right.terms.push((*t, -k));
            } else {
                left.terms.push((*t, k.clone()));
            }
        }
        if left.terms.is_empty() || difference.constant.sign() == Sign::Plus && !right.terms.is_empty() {
            left.constant = difference.constant.clone();
        } else {
            right.constant = -&difference.constant;
        }
        (self.linear_term(&left), self.linear_term(&right))
    }

    /// The unsigned number a bit-vector stands for.
    pub fn bits_to_int(&mut self, a: TermId) -> TermId {
        match self.op(a) {
            Op::ZeroExt(_) => self.bits_to_int(self.arg(a, 0)),
            _ => self.finish(Op::BitsToInt, &[a]),
        }
    }

    /// The signed number a bit-vector stands for.
    pub fn signed_bits_to_int(&mut self, a: TermId) -> TermId {
        match self.op(a) {
            Op::SignExt(_) => self.signed_bits_to_int(self.arg(a, 0)),
            Op::ZeroExt(n) if n > 0 => self.bits_to_int(a),
            _ => {
                let width = self.width(a);
                let zero = self.bits(width, 0);
                let negative = self.bv_slt(a, zero);
                let unsigned = self.bits_to_int(a);
                let modulus = self.int(BigInt::from(1) << width);
                let below = self.int_sub(unsigned, modulus);
                self.ite(negative, below, unsigned)
            }
        }
    }

    pub fn int_to_bits(&mut self, width: u8, a: TermId) -> TermId {
        if let Some(bits) = self.as_unary(Op::BitsToInt, a) {
            let from = self.width(bits);
            return if width <= from {
                self.extract(width - 1, 0, bits)
            } else {
                self.zero_ext(width - from, bits)
            };
        }
        self.finish(Op::IntToBits(width), &[a])
    }

    pub fn int_var(&mut self, name: &str) -> TermId {
        self.var(name, SortId::INT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_have_one_form() {
        let mut p = Pool::new();
        let [x, y] = ["x", "y"].map(|n| p.int_var(n));
        let (two, three) = (p.int(2), p.int(3));
        let x2 = p.int_mul(x, two);
        let a = p.int_sum(&[x2, three, y]);
        let b = p.int_sum(&[y, x, three, x]);
        assert_eq!(a, b);
        assert_eq!(p.int_sub(a, b), p.int(0));
        let c = p.int_sum(&[x2, y]);
        assert!(p.surely_differ(a, c));
    }

    #[test]
    fn inequalities_are_tightened() {
        let mut p = Pool::new();
        let x = p.int_var("x");
        let (two, five, six) = (p.int(2), p.int(5), p.int(6));
        let x2 = p.int_mul(x, two);
        let le = p.int_le(x2, five);
        assert_eq!(le, p.int_le(x, two));
        assert_eq!(p.eq(x2, five), Pool::FALSE);
        let three = p.int(3);
        assert_eq!(p.eq(x2, six), p.eq(x, three));
        let lt = p.int_lt(x, three);
        let ge = p.int_le(three, x);
        assert_eq!(p.not(lt), ge);
        let seven = p.int(7);
        let sum = p.int_add(x2, seven);
        let half = p.int_div(sum, two);
        assert_eq!(half, p.int_add(x, three));
        assert_eq!(p.int_mod(sum, two), p.int(1));
    }

    #[test]
    fn normal_forms_keep_their_meaning() {
        use crate::{Assignment, Evaluator, Value};
        let mut p = Pool::new();
        let x = p.int_var("x");
        for k in [-6, -4, -3, -1, 2, 3, 4] {
            for c in -9..10 {
                let (factor, constant, offset) = (p.int(k), p.int(c), p.int(c * 2 + 1));
                let kx = p.int_mul(x, factor);
                let shifted = p.int_add(kx, offset);
                let two = p.int(if c % 2 == 0 { 2 } else { -2 });
                let terms = [
                    p.int_le(kx, constant),
                    p.int_le(constant, shifted),
                    p.eq(shifted, constant),
                    p.int_div(shifted, two),
                    p.int_mod(shifted, two),
                ];
                for v in -8..9i32 {
                    let at = Assignment::from_iter([(x, Value::Int(v.into()))]);
                    let mut e = Evaluator::new(&p, &at);
                    let (kv, sv) = (k * v, k * v + 2 * c + 1);
                    let by = if c % 2 == 0 { 2 } else { -2 };
                    assert_eq!(e.eval(terms[0]), Value::Bool(kv <= c), "{k} * {v} <= {c}");
                    assert_eq!(e.eval(terms[1]), Value::Bool(c <= sv), "{c} <= {sv}");
                    assert_eq!(e.eval(terms[2]), Value::Bool(sv == c), "{sv} = {c}");
                    assert_eq!(e.eval(terms[3]), Value::Int(sv.div_euclid(by).into()), "{sv} / {by}");
                    assert_eq!(e.eval(terms[4]), Value::Int(sv.rem_euclid(by).into()), "{sv} % {by}");
                }
            }
        }
    }
}
