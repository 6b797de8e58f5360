//! Questions about one formula: what it implies, how large a term may be, which
//! equalities hold between terms.
//!
//! One incremental solver answers them all. Every model it shows is kept as a
//! sample, which settles many later questions without it.

use cairn_base::Budget;
use cairn_smt::z3::Z3;
use cairn_smt::{Answer, Solver};
use cairn_term::{Assignment, Evaluator, Pool, TermId, Value};
use num_bigint::BigInt;
use num_integer::Integer;

use crate::affine::{Equality, Hull};

/// What a formula makes of a term.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Range {
    pub low: Option<BigInt>,
    pub high: Option<BigInt>,
}

impl Range {
    pub fn point(value: BigInt) -> Range {
        Range { low: Some(value.clone()), high: Some(value) }
    }

    /// That a term lies in it.
    pub fn of(&self, pool: &mut Pool, t: TermId) -> Vec<TermId> {
        let mut out = Vec::new();
        if let Some(low) = &self.low {
            let low = pool.int(low.clone());
            out.push(pool.int_le(low, t));
        }
        if let Some(high) = &self.high {
            let high = pool.int(high.clone());
            out.push(pool.int_le(t, high));
        }
        out
    }

    /// This range where it says more than another one.
    pub fn beyond(&self, other: &Range) -> Range {
        let low = self.low.clone().filter(|l| other.low.as_ref().is_none_or(|o| l > o));
        let high = self.high.clone().filter(|h| other.high.as_ref().is_none_or(|o| h < o));
        Range { low, high }
    }

    /// The only value, if there is one.
    pub fn value(&self) -> Option<&BigInt> {
        self.low.as_ref().filter(|low| Some(*low) == self.high.as_ref())
    }
}

/// Where questions are answered.
pub struct Desk<'a> {
    pub solver: &'a mut Z3,
    /// Questions asked, and the largest number of them.
    pub asked: &'a mut u64,
    pub last: u64,
    pub budget: Budget,
}

impl Desk<'_> {
    /// Are there no questions left?
    fn exhausted(&self) -> bool {
        *self.asked >= self.last || self.budget.exceeded().is_some()
    }

    fn ask(&mut self, pool: &Pool, formulas: &[TermId]) -> Option<bool> {
        if self.exhausted() {
            return None;
        }
        *self.asked += 1;
        match self.solver.check(pool, formulas, &self.budget) {
            Answer::Sat => Some(true),
            Answer::Unsat => Some(false),
            Answer::Unknown(_) => None,
        }
    }

    /// Is it certain that these cannot hold together?
    pub fn unsatisfiable(&mut self, pool: &Pool, formulas: &[TermId]) -> bool {
        self.ask(pool, formulas) == Some(false)
    }
}

pub struct Probe<'a, 'd> {
    pub pool: &'a mut Pool,
    desk: &'a mut Desk<'d>,
    /// What models must have values for: the variables of everything assumed or asked about.
    vars: Vec<TermId>,
    names: Vec<(TermId, TermId)>,
    samples: Vec<Assignment>,
    /// What is assumed.
    formulas: Vec<TermId>,
}

/// What is larger than this is taken for unbounded: more than any 32-bit number.
fn huge() -> BigInt {
    BigInt::from(1u64 << 33)
}

/// How often a bound is moved before it has to do.
const MOVES: usize = 40;

/// With more samples, no variations of them are sought.
const VARIED: usize = 150;

impl<'a, 'd> Probe<'a, 'd> {
    /// Assumes a formula. `vars` are the variables of all terms that will be asked about, but for
    /// names of terms.
    pub fn new(
        pool: &'a mut Pool,
        desk: &'a mut Desk<'d>,
        formula: TermId,
        vars: Vec<TermId>,
        names: Vec<(TermId, TermId)>,
    ) -> Probe<'a, 'd> {
        desk.solver.push();
        desk.solver.assert(pool, formula);
        for &(name, t) in &names {
            let defined = pool.eq(name, t);
            desk.solver.assert(pool, defined);
        }
        Probe { pool, desk, vars, names, samples: Vec::new(), formulas: vec![formula] }
    }

    /// Is the formula satisfiable together with another one? `None` if the solver does not know or
    /// may not be asked. A model becomes the last sample.
    pub fn possible(&mut self, extra: TermId) -> Option<bool> {
        if extra == Pool::FALSE {
            return Some(false);
        }
        let answer = self.desk.ask(self.pool, &[extra])?;
        if answer {
            let mut model = self.desk.solver.model(self.pool, &self.vars).ok()?;
            self.name(&mut model);
            self.vary(&model);
            self.samples.push(model);
        }
        Some(answer)
    }

    /// Does this hold in the last sample?
    pub fn last_holds(&self, formula: TermId) -> bool {
        self.samples.last().is_some_and(|s| Evaluator::new(self.pool, s).holds(formula))
    }

    /// Gives names the values of their terms.
    fn name(&self, model: &mut Assignment) {
        if self.names.is_empty() {
            return;
        }
        let mut e = Evaluator::new(self.pool, model);
        let values: Vec<Value> = self.names.iter().map(|&(_, t)| e.eval(t)).collect();
        for (&(name, _), value) in self.names.iter().zip(values) {
            model.insert(name, value);
        }
    }

    /// More samples from one: other values of single variables, near and far.
    fn vary(&mut self, model: &Assignment) {
        if self.samples.len() > VARIED {
            return;
        }
        let mut found = Vec::new();
        for &v in &self.vars {
            let Some(value) = model.get(&v).and_then(|n| n.as_int()) else { continue };
            for sign in [1, -1] {
                for step in [BigInt::from(sign), huge() * (2 * sign)] {
                    let mut other = model.clone();
                    other.insert(v, Value::Int(value + step));
                    self.name(&mut other);
                    let mut e = Evaluator::new(self.pool, &other);
                    if !self.formulas.iter().all(|&f| e.holds(f)) {
                        break;
                    }
                    found.push(other);
                }
            }
        }
        self.samples.extend(found);
    }

    /// Is there a sample in which this holds?
    pub fn seen(&self, formula: TermId) -> bool {
        self.samples.iter().any(|s| Evaluator::new(self.pool, s).holds(formula))
    }

    /// Is it certain that this holds?
    pub fn implied(&mut self, formula: TermId) -> bool {
        if formula == Pool::TRUE {
            return true;
        }
        let not = self.pool.not(formula);
        !self.seen(not) && self.possible(not) == Some(false)
    }

    /// Is it certain that this never holds?
    pub fn excluded(&mut self, formula: TermId) -> bool {
        let not = self.pool.not(formula);
        self.implied(not)
    }

    /// The value of a term in a sample with a formula.
    pub fn value_in(&self, formula: TermId, t: TermId) -> Option<BigInt> {
        let sample = self.samples.iter().find(|s| Evaluator::new(self.pool, s).holds(formula))?;
        Some(self.value(sample, t))
    }

    fn value(&self, sample: &Assignment, t: TermId) -> BigInt {
        let value = Evaluator::new(self.pool, sample).eval(t);
        value.as_int().cloned().unwrap_or_default()
    }

    pub fn values(&self, t: TermId) -> Vec<BigInt> {
        self.samples.iter().map(|s| self.value(s, t)).collect()
    }

    pub fn range(&mut self, t: TermId) -> Range {
        let minus = self.pool.int_neg(t);
        let high = self.upper(t);
        Range { low: self.upper(minus).map(|n| -n), high }
    }

    /// The largest value of a term, or something above it that the solver has confirmed.
    pub fn upper(&mut self, t: TermId) -> Option<BigInt> {
        if let Some(n) = self.pool.as_int(t) {
            return Some(n.clone());
        }
        // The bound lies not below `best`, and not above `bound` once there is one.
        let mut best = self.best(t)?;
        let mut bound: Option<BigInt> = None;
        let mut step = BigInt::from(1);
        for n in 0..MOVES {
            if best > huge() || bound.as_ref() == Some(&best) {
                break;
            }
            let ask = match &bound {
                None if n == 1 => huge() + 1u32,
                None => &best + &step,
                Some(bound) => (&best + &step).min((&best + bound + 1u32).div_floor(&2.into())),
            };
            if self.at_least(t, &ask)? {
                best = self.samples.last().map_or(ask.clone(), |s| self.value(s, t)).max(ask);
                step *= 4u32;
            } else {
                bound = Some(ask - 1u32);
                step = BigInt::from(1).max(step / 4u32);
            }
        }
        bound
    }

    /// The largest value of a term in any sample.
    fn best(&mut self, t: TermId) -> Option<BigInt> {
        if self.samples.is_empty() && self.possible(Pool::TRUE) != Some(true) {
            return None;
        }
        self.values(t).into_iter().max()
    }

    fn at_least(&mut self, t: TermId, n: &BigInt) -> Option<bool> {
        let n = self.pool.int(n.clone());
        let ask = self.pool.int_le(n, t);
        self.possible(ask)
    }

    /// All linear equalities between terms. None if the solver gets stuck.
    pub fn equalities(&mut self, terms: &[TermId]) -> Vec<Equality> {
        if terms.is_empty() || self.samples.is_empty() && self.possible(Pool::TRUE) != Some(true) {
            return Vec::new();
        }
        let point = |s: &Assignment, this: &Self| -> Vec<BigInt> {
            let mut e = Evaluator::new(this.pool, s);
            terms.iter().map(|&t| e.eval(t).as_int().cloned().unwrap_or_default()).collect()
        };
        let mut hull = Hull::new(point(&self.samples[0], self));
        for s in &self.samples[1..] {
            hull.add(&point(s, self));
        }
        loop {
            let equalities = hull.equalities();
            if equalities.is_empty() {
                return equalities;
            }
            let holds: Vec<TermId> = equalities.iter().map(|e| e.holds(self.pool, terms)).collect();
            let all = self.pool.and(&holds);
            let not = self.pool.not(all);
            match self.possible(not) {
                Some(false) => return equalities,
                Some(true) => {
                    let sample = self.samples.last().map(|s| point(s, self)).unwrap_or_default();
                    if !hull.add(&sample) {
                        return Vec::new();
                    }
                }
                None => return Vec::new(),
            }
        }
    }

    /// The answers of `questions` if also this holds.
    pub fn assuming<T>(&mut self, formula: TermId, questions: impl FnOnce(&mut Self) -> T) -> T {
        let fits = |s: &Assignment| Evaluator::new(self.pool, s).holds(formula);
        let inside: Vec<Assignment> = self.samples.iter().filter(|s| fits(s)).cloned().collect();
        let outside = std::mem::replace(&mut self.samples, inside);
        self.desk.solver.push();
        self.desk.solver.assert(self.pool, formula);
        self.formulas.push(formula);
        let result = questions(self);
        self.formulas.pop();
        self.desk.solver.pop();
        let inside = std::mem::replace(&mut self.samples, outside);
        // New samples are samples of the weaker formula, too.
        let known = self.samples.len();
        self.samples
            .extend(inside.into_iter().filter(|s| !self.samples[..known].contains(s)).collect::<Vec<_>>());
        result
    }
}

impl Drop for Probe<'_, '_> {
    fn drop(&mut self) {
        self.desk.solver.pop();
    }
}

impl Equality {
    /// The equality between terms.
    pub fn holds(&self, pool: &mut Pool, terms: &[TermId]) -> TermId {
        let sum = combine(pool, &self.coefficients, terms);
        let constant = pool.int(self.constant.clone());
        pool.eq(sum, constant)
    }
}

/// The linear combination of terms.
pub fn combine(pool: &mut Pool, coefficients: &[BigInt], terms: &[TermId]) -> TermId {
    let mut parts = Vec::new();
    for (a, &t) in coefficients.iter().zip(terms) {
        if *a != BigInt::ZERO {
            let factor = pool.int(a.clone());
            parts.push(pool.int_mul(t, factor));
        }
    }
    pool.int_sum(&parts)
}
