//! Questions about one formula: what it implies, how large a term may be, which
//! equalities hold between terms.
//!
//! One incremental solver answers them all. Every model it shows is kept as a
//! sample, which settles many later questions without it.

use cairn_base::Budget;
use cairn_smt::z3::Z3;
use cairn_smt::{Answer, Solver};
use cairn_term::{Assignment, Evaluator, Pool, TermId};
use num_bigint::BigInt;

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

pub struct Probe<'a> {
    pub pool: &'a mut Pool,
    solver: &'a mut Z3,
    budget: Budget,
    /// Questions asked, and the largest number of them.
    asked: &'a mut u64,
    last: u64,
    /// What models must have values for: the variables of everything assumed or asked about.
    vars: Vec<TermId>,
    samples: Vec<Assignment>,
}

/// What is larger than this is taken for unbounded: more than any 32-bit number.
fn huge() -> BigInt {
    BigInt::from(1u64 << 33)
}

/// How often a bound is moved before it has to do.
const MOVES: usize = 40;

impl<'a> Probe<'a> {
    /// Assumes a formula. `vars` are the variables of all terms that will be asked about.
    pub fn new(
        pool: &'a mut Pool,
        solver: &'a mut Z3,
        asked: &'a mut u64,
        last: u64,
        budget: Budget,
        formula: TermId,
        vars: Vec<TermId>,
    ) -> Probe<'a> {
        solver.push();
        solver.assert(pool, formula);
        Probe { pool, solver, budget, asked, last, vars, samples: Vec::new() }
    }

    /// Are there questions left?
    pub fn exhausted(&self) -> bool {
        *self.asked >= self.last || self.budget.exceeded().is_some()
    }

    /// Is the formula satisfiable together with another one? `None` if the solver does not know or
    /// may not be asked. A model becomes the last sample.
    pub fn possible(&mut self, extra: TermId) -> Option<bool> {
        if extra == Pool::FALSE {
            return Some(false);
        }
        if self.exhausted() {
            return None;
        }
        *self.asked += 1;
        self.solver.push();
        self.solver.assert(self.pool, extra);
        let answer = self.solver.check(self.pool, &[], &self.budget);
        let result = match answer {
            Answer::Sat => match self.solver.model(self.pool, &self.vars) {
                Ok(model) => {
                    self.samples.push(model);
                    Some(true)
                }
                Err(_) => None,
            },
            Answer::Unsat => Some(false),
            Answer::Unknown(_) => None,
        };
        self.solver.pop();
        result
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
        let mut best = self.best(t)?;
        if best > huge() || self.at_least(t, &(huge() + 1u32))? {
            return None;
        }
        // The bound lies above `best`, and not above `bound` once there is one.
        let mut bound: Option<BigInt> = None;
        let mut step = BigInt::from(1);
        for _ in 0..MOVES {
            let ask = match &bound {
                None => &best + &step,
                Some(bound) => (&best + bound + 1u32) / 2u32,
            };
            if self.at_least(t, &ask)? {
                best = self.samples.last().map_or(ask.clone(), |s| self.value(s, t)).max(ask);
                step *= 4u32;
            } else {
                bound = Some(ask - 1u32);
            }
            if bound.as_ref() == Some(&best) {
                break;
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
        self.solver.push();
        self.solver.assert(self.pool, formula);
        let result = questions(self);
        self.solver.pop();
        let inside = std::mem::replace(&mut self.samples, outside);
        // New samples are samples of the weaker formula, too.
        let known = self.samples.len();
        self.samples
            .extend(inside.into_iter().filter(|s| !self.samples[..known].contains(s)).collect::<Vec<_>>());
        result
    }
}

impl Drop for Probe<'_> {
    fn drop(&mut self) {
        self.solver.pop();
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
