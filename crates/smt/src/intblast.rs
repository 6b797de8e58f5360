//! Bit-vectors as integers: for questions about sums, comparisons and divisions,
//! which bit-blasting turns into circuits that no SAT solver sees through.
//!
//! Every bit-vector becomes a number that it stands for modulo `2^w`, together with
//! bounds of that number. Sums stay sums; only where a comparison, a division or an
//! extension needs the signed or the unsigned value is the number brought into that
//! range, if its bounds do not show that it lies there: by a case distinction, or by
//! taking off an integer multiple of `2^w` (as cvc5's `solve-bv-as-int` does for
//! every operation: Zohar and others, "Bit-precise reasoning via int-blasting",
//! 2022). A variable is its signed or its unsigned value, whichever is asked for
//! more often. This is exact. Bitwise operations and shifts are read by quotients and
//! remainders if one operand is a constant; products of variables, arrays and floats
//! are left to others.
//!
//! # Why so
//!
//! *Sums are hard for SAT, so bit-vectors can be read as integers* (`smt::intblast`): each by a number modulo
//! 2^w with bounds, brought into the range of its type only where that matters and the bounds do not show it
//! to be there. The standard solver takes turns: conflicts for bits, then steps of Z3 for integers, both by
//! count, so that how busy a machine is decides nothing; proofs by `gps` give integers a good try.

use cairn_base::{Budget, Pace};
use cairn_term::value::signed;
use cairn_term::{Assignment, Op, Pool, Sort, SortId, TermId, Value};
use num_bigint::BigInt;
use num_integer::Integer;
use rustc_hash::FxHashMap;

use crate::stack::Stack;
use crate::z3::Z3;
use crate::{Answer, Solver, Why};

/// Terms that are worth the trouble.
const LARGEST: usize = 20_000;
/// Terms between two looks at the budget.
const TERMS_PER_BUDGET_CHECK: u32 = 256;
/// Sums whose bounds have so many bits more than their type are brought back into it.
const SLACK: u64 = 40;

#[derive(Default)]
pub struct IntBlast {
    stack: Stack,
    model: Assignment,
    core: Vec<TermId>,
}

impl IntBlast {
    fn ask(&mut self, pool: &Pool, assumptions: &[TermId], budget: &Budget) -> Result<Answer, Why> {
        let mut roots = self.stack.assertions().to_vec();
        roots.extend_from_slice(assumptions);
        let terms = pool.reachable(&roots);
        if terms.len() > LARGEST {
            return Err(Why::Unsupported("a formula of that size as integers".into()));
        }
        let mut blaster = Blaster::new(pool, &terms);
        let mut pace = Pace::new(budget, TERMS_PER_BUDGET_CHECK);
        for &t in &terms {
            pace.step().map_err(Why::Limit)?;
            blaster.term(pool, t)?;
        }
        let Blaster { ints, made, raw, sides, .. } = blaster;
        let mut z3 = Z3::new();
        for side in sides.iter().chain(self.stack.assertions().iter().map(|t| &made[t])) {
            z3.assert(&ints, *side);
        }
        let wanted: Vec<TermId> = assumptions.iter().map(|t| made[t]).collect();
        let answer = z3.check(&ints, &wanted, budget);
        match &answer {
            Answer::Sat => {
                let vars: Vec<TermId> = terms.iter().copied().filter(|&t| pool.is_var(t)).collect();
                let images: Vec<TermId> =
                    vars.iter().map(|v| raw.get(v).map_or_else(|| made[v], |n| n.term)).collect();
                let found = z3.model(&ints, &images)?;
                self.model = Assignment::default();
                for (&v, image) in vars.iter().zip(&images) {
                    let value = match (pool.sort(v), found.get(image)) {
                        (Sort::Bits(w), Some(Value::Int(n))) => {
                            let natural = n.mod_floor(&power(w));
                            Some(Value::bits(w, u128::try_from(natural).unwrap_or(0)))
                        }
                        (_, value) => value.cloned(),
                    };
                    if let Some(value) = value {
                        self.model.insert(v, value);
                    }
                }
            }
            Answer::Unsat => {
                let used = z3.core();
                self.core = assumptions.iter().copied().filter(|t| used.contains(&made[t])).collect();
            }
            Answer::Unknown(_) => {}
        }
        Ok(answer)
    }
}

impl Solver for IntBlast {
    fn name(&self) -> &str {
        "intblast"
    }

    fn push(&mut self) {
        self.stack.push();
    }

    fn pop(&mut self) {
        self.stack.pop();
    }

    fn assert(&mut self, _: &Pool, t: TermId) {
        self.stack.assert(t);
    }

    fn check(&mut self, pool: &Pool, assumptions: &[TermId], budget: &Budget) -> Answer {
        self.core.clear();
        self.ask(pool, assumptions, budget).unwrap_or_else(Answer::Unknown)
    }

    fn model(&mut self, _: &Pool, _: &[TermId]) -> Result<Assignment, Why> {
        Ok(self.model.clone())
    }

    fn core(&self) -> &[TermId] {
        &self.core
    }
}

/// A number, and bounds that hold of it.
#[derive(Clone, Debug)]
struct Number {
    term: TermId,
    low: BigInt,
    high: BigInt,
}

/// Which value of a bit-vector is meant.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
enum Reading {
    Signed,
    Unsigned,
}

impl Reading {
    fn range(self, w: u8) -> (BigInt, BigInt) {
        match self {
            Reading::Signed => (-power(w - 1), power(w - 1) - 1),
            Reading::Unsigned => (BigInt::ZERO, power(w) - 1),
        }
    }
}

struct Blaster {
    ints: Pool,
    /// Truth values and integers.
    made: FxHashMap<TermId, TermId>,
    /// Bit-vectors, each by a number that is congruent to it.
    raw: FxHashMap<TermId, Number>,
    /// The values of bit-vectors that were asked for.
    fitted: FxHashMap<(TermId, Reading), Number>,
    sides: Vec<TermId>,
    /// How much more often the signed value of a term is asked for than the unsigned one.
    signs: FxHashMap<TermId, i64>,
    /// Where both serve.
    usual: Reading,
}

fn power(bits: u8) -> BigInt {
    BigInt::from(1) << bits
}

fn unsupported(op: Op) -> Why {
    Why::Unsupported(format!("{op:?} as integers"))
}

/// Which of a term's arguments' values its own meaning rests on, if it is one of them.
fn demand(pool: &Pool, t: TermId) -> Option<Reading> {
    match pool.op(t) {
        Op::BvSlt | Op::BvSdiv | Op::BvSrem | Op::BvAshr | Op::SignExt(_) | Op::BvSmulO => {
            Some(Reading::Signed)
        }
        Op::BvUlt
        | Op::BvUdiv
        | Op::BvUrem
        | Op::BvLshr
        | Op::ZeroExt(_)
        | Op::BvUmulO
        | Op::Concat
        | Op::BvAnd
        | Op::BvOr
        | Op::BvXor
        | Op::BitsToInt => Some(Reading::Unsigned),
        Op::Extract(_, low) if low > 0 => Some(Reading::Unsigned),
        _ => None,
    }
}

impl Blaster {
    /// For terms in the order of their making.
    fn new(pool: &Pool, terms: &[TermId]) -> Blaster {
        let mut signs: FxHashMap<TermId, i64> = FxHashMap::default();
        let mut all = 0;
        for &t in terms.iter().rev() {
            let sign = match demand(pool, t) {
                Some(Reading::Signed) => 1,
                Some(Reading::Unsigned) => -1,
                None => signs.get(&t).copied().unwrap_or(0).signum(),
            };
            all += sign;
            for &a in pool.args(t) {
                *signs.entry(a).or_default() += sign;
            }
        }
        Blaster {
            ints: Pool::new(),
            made: FxHashMap::default(),
            raw: FxHashMap::default(),
            fitted: FxHashMap::default(),
            sides: Vec::new(),
            signs,
            usual: if all < 0 { Reading::Unsigned } else { Reading::Signed },
        }
    }

    fn int(&mut self, n: impl Into<BigInt>) -> TermId {
        self.ints.int(n)
    }

    fn number(&mut self, n: BigInt) -> Number {
        Number { term: self.ints.int(n.clone()), low: n.clone(), high: n }
    }

    /// It lies between its bounds, from now on.
    fn bound(&mut self, n: &Number) {
        let (low, high) = (self.int(n.low.clone()), self.int(n.high.clone()));
        let (above, below) = (self.ints.int_le(low, n.term), self.ints.int_le(n.term, high));
        self.sides.extend([above, below]);
    }

    /// The number of a reading's range that is congruent to another one.
    fn fit(&mut self, n: &Number, w: u8, reading: Reading) -> Number {
        let (low, high) = reading.range(w);
        if n.low >= low && n.high <= high {
            return n.clone();
        }
        let all = power(w);
        if n.low == n.high {
            return self.number((&n.low - &low).mod_floor(&all) + low);
        }
        if n.low >= &low - &all && n.high <= &high + &all {
            let m = self.int(all);
            let mut term = n.term;
            if n.low < low {
                let (least, up) = (self.int(low.clone()), self.ints.int_add(n.term, m));
                let inside = self.ints.int_le(least, n.term);
                term = self.ints.ite(inside, term, up);
            }
            if n.high > high {
                let (most, down) = (self.int(high.clone()), self.ints.int_sub(n.term, m));
                let inside = self.ints.int_le(n.term, most);
                term = self.ints.ite(inside, term, down);
            }
            return Number { term, low, high };
        }
        self.wrap(n.term, w, reading)
    }

    /// The same for any integer.
    fn wrap(&mut self, t: TermId, w: u8, reading: Reading) -> Number {
        let (low, high) = reading.range(w);
        if let Some(n) = self.ints.as_int(t) {
            let rest = (n - &low).mod_floor(&power(w)) + low;
            return self.number(rest);
        }
        let q = self.ints.fresh("q", SortId::INT);
        let m = self.int(power(w));
        let off = self.ints.int_mul(m, q);
        let fitted = Number { term: self.ints.int_sub(t, off), low, high };
        self.bound(&fitted);
        fitted
    }

    /// The value of a bit-vector.
    fn value(&mut self, pool: &Pool, t: TermId, reading: Reading) -> Number {
        if let Some(known) = self.fitted.get(&(t, reading)) {
            return known.clone();
        }
        let n = self.raw[&t].clone();
        let fitted = self.fit(&n, pool.width(t), reading);
        self.fitted.insert((t, reading), fitted.clone());
        fitted
    }

    fn unsigned(&mut self, pool: &Pool, t: TermId) -> Number {
        self.value(pool, t, Reading::Unsigned)
    }

    fn signed(&mut self, pool: &Pool, t: TermId) -> Number {
        self.value(pool, t, Reading::Signed)
    }

    fn times(&mut self, n: &Number, factor: &BigInt) -> Number {
        let (a, b) = (&n.low * factor, &n.high * factor);
        let factor = self.int(factor.clone());
        let term = self.ints.int_mul(factor, n.term);
        if a <= b { Number { term, low: a, high: b } } else { Number { term, low: b, high: a } }
    }

    fn plus(&mut self, a: &Number, b: &Number) -> Number {
        Number { term: self.ints.int_add(a.term, b.term), low: &a.low + &b.low, high: &a.high + &b.high }
    }

    /// Rounded down, by a positive number.
    fn quotient(&mut self, n: &Number, by: &BigInt) -> Number {
        let divisor = self.int(by.clone());
        let term = self.ints.int_div(n.term, divisor);
        Number { term, low: n.low.div_floor(by), high: n.high.div_floor(by) }
    }

    /// What is left of that.
    fn remainder(&mut self, n: &Number, by: &BigInt) -> Number {
        if n.low >= BigInt::ZERO && n.high < *by {
            return n.clone();
        }
        let divisor = self.int(by.clone());
        Number { term: self.ints.int_mod(n.term, divisor), low: BigInt::ZERO, high: by - 1 }
    }

    /// `n & mask` of a constant mask: the runs of ones, each by a quotient and a remainder.
    fn masked(&mut self, n: &Number, mask: u128, w: u8) -> Number {
        let mut sum = self.number(BigInt::ZERO);
        let mut at = 0u8;
        while at < w {
            if mask >> at & 1 == 0 {
                at += 1;
                continue;
            }
            let from = at;
            while at < w && mask >> at & 1 == 1 {
                at += 1;
            }
            let field = self.field(n, from, at);
            let part = self.times(&field, &power(from));
            sum = self.plus(&sum, &part);
        }
        sum
    }

    /// Bits `from` to below `to` of an unsigned number.
    fn field(&mut self, n: &Number, from: u8, to: u8) -> Number {
        let shifted = if from > 0 { self.quotient(n, &power(from)) } else { n.clone() };
        self.remainder(&shifted, &power(to - from))
    }

    /// A constant operand of an operation with two, and the other one.
    fn constant(&self, pool: &Pool, t: TermId) -> Option<(u128, TermId)> {
        let &[a, b] = pool.args(t) else { return None };
        match (pool.as_bits(a), pool.as_bits(b)) {
            (_, Some(c)) => Some((c, a)),
            (Some(c), None) => Some((c, b)),
            _ => None,
        }
    }

    fn term(&mut self, pool: &Pool, t: TermId) -> Result<(), Why> {
        match pool.sort(t) {
            Sort::Bits(w) => {
                let mut n = self.bits(pool, t, w)?;
                if n.low.bits().max(n.high.bits()) > u64::from(w) + SLACK {
                    n = self.fit(&n, w, self.usual);
                }
                self.raw.insert(t, n);
            }
            Sort::Bool | Sort::Int => {
                let made = self.plain(pool, t)?;
                self.made.insert(t, made);
            }
            _ => return Err(unsupported(pool.op(t))),
        }
        Ok(())
    }

    /// A truth value or an integer.
    fn plain(&mut self, pool: &Pool, t: TermId) -> Result<TermId, Why> {
        let (op, args) = (pool.op(t), pool.args(t));
        let made = |blaster: &Self| -> Vec<TermId> { args.iter().map(|a| blaster.made[a]).collect() };
        let of_bits = args.first().is_some_and(|&a| matches!(pool.sort(a), Sort::Bits(_)));
        Ok(match op {
            Op::Var(_) => {
                let sort = pool.sort_id_of(t);
                self.ints.fresh("v", sort)
            }
            Op::Bool(b) => self.ints.bool(b),
            Op::Number(_) => {
                let n = pool.as_int(t).cloned().unwrap_or_default();
                self.int(n)
            }
            Op::Not => self.ints.not(self.made[&args[0]]),
            Op::And => {
                let args = made(self);
                self.ints.and(&args)
            }
            Op::Or => {
                let args = made(self);
                self.ints.or(&args)
            }
            Op::Eq if of_bits => self.equal(pool, args[0], args[1]),
            Op::Eq => self.ints.eq(self.made[&args[0]], self.made[&args[1]]),
            Op::Ite => self.ints.ite(self.made[&args[0]], self.made[&args[1]], self.made[&args[2]]),
            Op::Add => {
                let args = made(self);
                self.ints.int_sum(&args)
            }
            Op::Le => self.ints.int_le(self.made[&args[0]], self.made[&args[1]]),
            Op::BitsToInt => self.unsigned(pool, args[0]).term,
            Op::BvUlt => {
                let (a, b) = (self.unsigned(pool, args[0]), self.unsigned(pool, args[1]));
                self.ints.int_lt(a.term, b.term)
            }
            Op::BvSlt => {
                let (a, b) = (self.signed(pool, args[0]), self.signed(pool, args[1]));
                self.ints.int_lt(a.term, b.term)
            }
            Op::BvUmulO | Op::BvSmulO => {
                let (c, other) = self.constant(pool, t).ok_or_else(|| unsupported(op))?;
                let w = pool.width(other);
                let (reading, c) = match op {
                    Op::BvUmulO => (Reading::Unsigned, BigInt::from(c)),
                    _ => (Reading::Signed, BigInt::from(signed(w, c))),
                };
                let a = self.value(pool, other, reading);
                let product = self.times(&a, &c).term;
                let (least, most) = reading.range(w);
                let (least, most) = (self.int(least), self.int(most));
                let (above, below) = (self.ints.int_le(least, product), self.ints.int_le(product, most));
                let fits = self.ints.and(&[above, below]);
                self.ints.not(fits)
            }
            _ => return Err(unsupported(op)),
        })
    }

    /// Two bit-vectors are equal if their numbers differ by a multiple of `2^w`.
    fn equal(&mut self, pool: &Pool, a: TermId, b: TermId) -> TermId {
        let all = power(pool.width(a));
        let (n, m) = (self.raw[&a].clone(), self.raw[&b].clone());
        let minus = self.times(&m, &BigInt::from(-1));
        let difference = self.plus(&n, &minus);
        let (first, last) = (difference.low.div_ceil(&all), difference.high.div_floor(&all));
        if &last - &first > BigInt::from(2) {
            let (n, m) = (self.value(pool, a, self.usual), self.value(pool, b, self.usual));
            return self.ints.eq(n.term, m.term);
        }
        let mut cases = Vec::new();
        let mut multiple = first;
        while multiple <= last {
            let off = self.int(&multiple * &all);
            let other = self.ints.int_add(m.term, off);
            cases.push(self.ints.eq(n.term, other));
            multiple += 1;
        }
        self.ints.or(&cases)
    }

    /// A bit-vector.
    fn bits(&mut self, pool: &Pool, t: TermId, w: u8) -> Result<Number, Why> {
        let (op, args) = (pool.op(t), pool.args(t));
        Ok(match op {
            Op::Var(_) => {
                let sign = self.signs.get(&t).copied().unwrap_or(0);
                let reading = match sign.signum() {
                    1 => Reading::Signed,
                    -1 => Reading::Unsigned,
                    _ => self.usual,
                };
                let (low, high) = reading.range(w);
                let n = Number { term: self.ints.fresh("v", SortId::INT), low, high };
                self.bound(&n);
                n
            }
            Op::Word(..) => self.number(signed(w, pool.as_bits(t).unwrap_or(0)).into()),
            Op::Ite => {
                let (yes, no) = (self.raw[&args[1]].clone(), self.raw[&args[2]].clone());
                let term = self.ints.ite(self.made[&args[0]], yes.term, no.term);
                Number { term, low: yes.low.min(no.low), high: yes.high.max(no.high) }
            }
            Op::IntToBits(w) => self.wrap(self.made[&args[0]], w, self.usual),
            Op::BvNot => {
                let (minus, one) =
                    (self.times(&self.raw[&args[0]].clone(), &BigInt::from(-1)), BigInt::from(-1));
                let one = self.number(one);
                self.plus(&minus, &one)
            }
            Op::BvNeg => self.times(&self.raw[&args[0]].clone(), &BigInt::from(-1)),
            Op::BvAdd => self.plus(&self.raw[&args[0]].clone(), &self.raw[&args[1]].clone()),
            Op::BvMul => {
                let (c, other) = self.constant(pool, t).ok_or_else(|| unsupported(op))?;
                self.times(&self.raw[&other].clone(), &signed(w, c).into())
            }
            Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem => self.division(pool, t, op, w)?,
            Op::BvShl | Op::BvLshr | Op::BvAshr => {
                let count = pool.as_bits(args[1]).ok_or_else(|| unsupported(op))?;
                let by = power(u8::try_from(count).unwrap_or(u8::MAX).min(w));
                match op {
                    Op::BvShl if by == power(w) => self.number(BigInt::ZERO),
                    Op::BvShl => self.times(&self.raw[&args[0]].clone(), &by),
                    Op::BvLshr => {
                        let a = self.unsigned(pool, args[0]);
                        self.quotient(&a, &by)
                    }
                    _ => {
                        let a = self.signed(pool, args[0]);
                        self.quotient(&a, &by)
                    }
                }
            }
            Op::BvAnd | Op::BvOr | Op::BvXor => {
                let (c, other) = self.constant(pool, t).ok_or_else(|| unsupported(op))?;
                let a = self.unsigned(pool, other);
                let common = self.masked(&a, c, w);
                if op == Op::BvAnd {
                    return Ok(common);
                }
                let c = self.number(c.into());
                let sum = self.plus(&a, &c);
                let off = self.times(&common, &BigInt::from(if op == Op::BvOr { -1 } else { -2 }));
                let (low, high) = Reading::Unsigned.range(w);
                Number { term: self.plus(&sum, &off).term, low, high }
            }
            Op::Concat => {
                let (a, b) = (self.unsigned(pool, args[0]), self.unsigned(pool, args[1]));
                let high = self.times(&a, &power(pool.width(args[1])));
                self.plus(&high, &b)
            }
            Op::Extract(_, 0) => self.raw[&args[0]].clone(),
            Op::Extract(hi, lo) => {
                let a = self.unsigned(pool, args[0]);
                self.field(&a, lo, hi + 1)
            }
            Op::ZeroExt(_) => self.unsigned(pool, args[0]),
            Op::SignExt(_) => self.signed(pool, args[0]),
            _ => return Err(unsupported(op)),
        })
    }

    /// Division by a constant that is not zero.
    fn division(&mut self, pool: &Pool, t: TermId, op: Op, w: u8) -> Result<Number, Why> {
        let args = pool.args(t);
        let c = pool.as_bits(args[1]).filter(|&c| c != 0).ok_or_else(|| unsupported(op))?;
        if matches!(op, Op::BvUdiv | Op::BvUrem) {
            let (a, c) = (self.unsigned(pool, args[0]), BigInt::from(c));
            return Ok(if op == Op::BvUdiv { self.quotient(&a, &c) } else { self.remainder(&a, &c) });
        }
        // Truncating: by magnitudes.
        let c = signed(w, c);
        let size = BigInt::from(c.unsigned_abs());
        let a = self.signed(pool, args[0]);
        let mut quotient = self.quotient(&a, &size);
        if a.low < BigInt::ZERO {
            let minus = self.times(&a, &BigInt::from(-1));
            let down = self.quotient(&minus, &size);
            let down = self.times(&down, &BigInt::from(-1));
            let zero = self.int(0);
            let natural = self.ints.int_le(zero, a.term);
            let term = self.ints.ite(natural, quotient.term, down.term);
            quotient = Number { term, low: down.low.min(quotient.low), high: down.high.max(quotient.high) };
        }
        if op == Op::BvSrem {
            let whole = self.times(&quotient, &-&size);
            let rest = self.plus(&a, &whole).term;
            return Ok(Number { term: rest, low: 1 - &size, high: size - 1 });
        }
        // The least number by minus one leaves the type, as its bounds say.
        Ok(if c < 0 { self.times(&quotient, &BigInt::from(-1)) } else { quotient })
    }
}
