//! Quotients and remainders: fresh variables that linear constraints determine.
//!
//! The constraints can be met whatever integer the dividend is, also one that no
//! machine would have there: they never exclude an execution.

use cairn_ir::{BinOp, IntTy};
use cairn_term::{Op, Pool, SortId, TermId};
use cairn_value::Undefined;
use num_bigint::{BigInt, Sign};
use rustc_hash::FxHashMap;

use super::{Definition, Number, Range, Reader};

#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Rounding {
    Down,
    ToZero,
}

#[derive(Clone, Debug)]
pub(super) struct Quotient {
    quotient: TermId,
    remainder: TermId,
    definitions: Vec<Definition>,
    side: Vec<TermId>,
}

/// What has been divided by what already: `x / 10` and `x % 10` are one division.
pub(super) type Cache = FxHashMap<(TermId, TermId, Rounding), Quotient>;

fn power(k: u32) -> BigInt {
    BigInt::from(1) << k
}

impl Reader<'_> {
    /// `n` divided by `2^k`, rounding down.
    pub(super) fn shifted_down(&mut self, n: &Number, k: u32) -> Number {
        let range = n.range.shr(k);
        if range.lo == range.hi {
            return self.constant(range.lo);
        }
        let divisor = self.int(power(k));
        let term = self.division(n, divisor, Rounding::Down).quotient;
        Number { term, range, sure: n.sure }
    }

    /// `n` modulo `2^k`, from 0 on.
    pub(super) fn low_bits(&mut self, n: &Number, k: u32) -> Number {
        let quotient = self.shifted_down(n, k);
        self.reduced(n, &quotient, k, Range::new(0, power(k) - 1))
    }

    /// `n` wrapped into a type.
    pub(super) fn wrapped(&mut self, n: &Number, ty: IntTy) -> Number {
        let k = u32::from(ty.bits);
        let least = self.constant(ty.min().into());
        let term = self.pool.int_sub(n.term, least.term);
        let above = Number { term, range: n.range.sub(&least.range), sure: n.sure };
        let turns = self.shifted_down(&above, k);
        self.reduced(n, &turns, k, Range::of(ty))
    }

    /// `n - 2^k * quotient`, which is in a range of that size by the constraints of the quotient.
    fn reduced(&mut self, n: &Number, quotient: &Number, k: u32, range: Range) -> Number {
        let factor = self.int(power(k));
        let off = self.pool.int_mul(factor, quotient.term);
        let term = self.pool.int_sub(n.term, off);
        if quotient.range.lo == quotient.range.hi {
            // Nothing was constrained.
            let off = Range::only(&quotient.range.lo << k);
            return Number { term, range: n.range.sub(&off), sure: n.sure };
        }
        Number { term, range, sure: true }
    }

    /// C's `/` and `%`.
    pub(super) fn divided(&mut self, op: BinOp, ty: IntTy, a: &Number, b: &Number) -> Number {
        let zero = self.int(0);
        if b.range.has(&BigInt::ZERO) {
            let when = self.pool.eq(b.term, zero);
            self.hazard(Undefined::DivisionByZero, when);
        }
        let (least, minus_one) = (BigInt::from(ty.min()), BigInt::from(-1));
        let overflows = ty.signed && a.range.has(&least) && b.range.has(&minus_one);
        if overflows {
            let (least, minus_one) = (self.int(least), self.int(minus_one));
            let (x, y) = (self.pool.eq(a.term, least), self.pool.eq(b.term, minus_one));
            let when = self.pool.and(&[x, y]);
            self.hazard(Undefined::DivisionOverflow, when);
        }
        match self.known(b) {
            Some(c) if c.sign() == Sign::NoSign => return self.constant(c),
            Some(c) if c.magnitude() == BigInt::from(1).magnitude() => {
                if op == BinOp::Rem {
                    return self.constant(BigInt::ZERO);
                }
                let term = self.pool.int_mul(a.term, b.term);
                return Number {
                    term,
                    range: Range::of(ty).clip(&a.range.mul(&b.range)),
                    sure: a.sure && b.sure && !overflows,
                };
            }
            _ => {}
        }
        // If `b` is 0, the quotient is 0.
        let Quotient { quotient, remainder, .. } = self.division(a, b.term, Rounding::ToZero);
        let size = a.range.magnitude();
        let natural = a.range.is_natural();
        if op == BinOp::Div {
            let lo = if natural && b.range.is_natural() { BigInt::ZERO } else { -&size };
            let range = match self.known(b) {
                Some(c) => Range::spanning([&a.range.lo / &c, &a.range.hi / &c]),
                None => Range::new(lo, size),
            };
            return Number {
                term: quotient,
                range: Range::of(ty).clip(&range),
                sure: a.sure && b.sure && !overflows,
            };
        }
        let size = size.min(b.range.magnitude() - 1).max(BigInt::ZERO);
        let lo = if natural { BigInt::ZERO } else { -&size };
        let hi = if a.range.hi.sign() == Sign::Plus { size } else { BigInt::ZERO };
        let sure = a.sure && b.sure && !b.range.has(&BigInt::ZERO);
        Number { term: remainder, range: Range::new(lo, hi), sure }
    }

    /// Rounding down, for a divisor that is never less than 1.
    pub(super) fn divided_down(&mut self, a: &Number, divisor: TermId) -> Number {
        let term = self.division(a, divisor, Rounding::Down).quotient;
        let zero = BigInt::ZERO;
        let range = Range::spanning([a.range.lo.clone(), a.range.hi.clone(), zero]);
        let range = if a.range.hi.sign() == Sign::Minus { Range::new(range.lo, -1) } else { range };
        Number { term, range, sure: a.sure }
    }

    fn division(&mut self, a: &Number, divisor: TermId, rounding: Rounding) -> Quotient {
        let key = (a.term, divisor, rounding);
        if !self.quotients.contains_key(&key) {
            let made = match self.pool.as_int(divisor).cloned() {
                Some(c) => self.by_constant(a, &c, rounding),
                None => self.by_variable(a, divisor, rounding),
            };
            self.quotients.insert(key, made);
        }
        let found = self.quotients[&key].clone();
        self.notes.side.extend(&found.side);
        self.notes.definitions.extend(&found.definitions);
        found
    }

    /// The quotient by its definition.
    fn quotient_value(&mut self, a: &Number, divisor: TermId, rounding: Rounding) -> TermId {
        let down = self.pool.int_div(a.term, divisor);
        if rounding == Rounding::Down {
            return down;
        }
        let natural = self.is_natural(a);
        let opposite = self.pool.int_neg(a.term);
        let up = self.pool.int_div(opposite, divisor);
        let up = self.pool.int_neg(up);
        self.pool.ite(natural, down, up)
    }

    fn by_constant(&mut self, a: &Number, c: &BigInt, rounding: Rounding) -> Quotient {
        let divisor = self.int(c.clone());
        let value = self.quotient_value(a, divisor, rounding);
        let down = self.pool.int_div(a.term, divisor);
        if self.pool.op(down) != Op::Div {
            // All factors of the dividend are multiples of the divisor, and so nothing was divided.
            let product = self.pool.int_mul(divisor, value);
            let remainder = self.pool.int_sub(a.term, product);
            return Quotient { quotient: value, remainder, definitions: Vec::new(), side: Vec::new() };
        }
        let quotient = self.pool.fresh("quotient", SortId::INT);
        let definitions = vec![Definition { var: quotient, value }];
        let product = self.pool.int_mul(divisor, quotient);
        let remainder = self.pool.int_sub(a.term, product);
        let most: BigInt = BigInt::from(c.magnitude().clone()) - 1;
        let mut side = Vec::new();
        if rounding == Rounding::Down {
            side.push(self.within(remainder, &Range::new(0, most)));
        } else {
            let natural = self.is_natural(a);
            let least = if natural == Pool::TRUE { BigInt::ZERO } else { -&most };
            side.push(self.within(remainder, &Range::new(least, most)));
            side.extend(self.signs_agree(natural, remainder));
        }
        Quotient { quotient, remainder, definitions, side }
    }

    /// The remainder is no negative number for a natural dividend, and no positive one otherwise.
    fn signs_agree(&mut self, natural: TermId, remainder: TermId) -> [TermId; 2] {
        let zero = self.int(0);
        let (above, below) = (self.pool.int_le(zero, remainder), self.pool.int_le(remainder, zero));
        let negative = self.pool.not(natural);
        [self.pool.implies(natural, above), self.pool.implies(negative, below)]
    }

    /// With a product of variables, and linear facts for engines that drop it.
    fn by_variable(&mut self, a: &Number, divisor: TermId, rounding: Rounding) -> Quotient {
        let value = self.quotient_value(a, divisor, rounding);
        let quotient = self.pool.fresh("quotient", SortId::INT);
        let product = self.pool.int_mul(divisor, value);
        let rest = self.pool.int_sub(a.term, product);
        let remainder = self.pool.fresh("remainder", SortId::INT);
        let definitions =
            vec![Definition { var: quotient, value }, Definition { var: remainder, value: rest }];

        let product = self.pool.int_mul(divisor, quotient);
        let sum = self.pool.int_add(product, remainder);
        let mut side = vec![self.pool.eq(a.term, sum)];
        let zero = self.int(0);
        let natural = self.is_natural(a);
        let negative = self.pool.not(natural);
        let opposite = self.pool.int_neg(a.term);
        let opposite_divisor = self.pool.int_neg(divisor);
        if rounding == Rounding::Down {
            side.push(self.pool.int_le(zero, remainder));
            side.push(self.pool.int_lt(remainder, divisor));
            let fact = self.ordered(&[zero, quotient, a.term]);
            side.push(self.pool.implies(natural, fact));
            let minus_one = self.int(-1);
            let fact = self.ordered(&[a.term, quotient, minus_one]);
            side.push(self.pool.implies(negative, fact));
        } else {
            for (low, high) in [(opposite_divisor, divisor), (divisor, opposite_divisor)] {
                let holds = self.pool.int_lt(zero, high);
                let (above, below) = (self.pool.int_lt(low, remainder), self.pool.int_lt(remainder, high));
                let bounded = self.pool.and(&[above, below]);
                side.push(self.pool.implies(holds, bounded));
            }
            for (holds, low, high) in [(natural, opposite, a.term), (negative, a.term, opposite)] {
                let facts = [self.ordered(&[low, quotient, high]), self.ordered(&[low, remainder, high])];
                let both = self.pool.and(&facts);
                side.push(self.pool.implies(holds, both));
            }
            side.extend(self.signs_agree(natural, remainder));
        }
        Quotient { quotient, remainder, definitions, side }
    }

    /// `first <= second <= ...`
    pub(super) fn ordered(&mut self, terms: &[TermId]) -> TermId {
        let steps: Vec<TermId> = terms.windows(2).map(|w| self.pool.int_le(w[0], w[1])).collect();
        self.pool.and(&steps)
    }
}
