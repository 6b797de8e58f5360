//! Questions about one formula: what it implies, how large a term may be, which
//! equalities hold between terms.
//!
//! One incremental solver answers them all. Every model it shows is kept as a
//! sample, which settles many later questions without it.

use cairn_base::Budget;
use cairn_smt::z3::Z3;
use cairn_smt::{Answer, Solver};
use cairn_term::{Pool, SortId, TermId};
use num_bigint::BigInt;
use num_integer::Integer;

use crate::affine::{Equality, Hull};
use crate::sample::Sample;

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
    samples: Vec<Sample>,
    /// Those in which everything holds that is assumed at the moment.
    active: Vec<usize>,
    /// What is assumed.
    formulas: Vec<TermId>,
}

/// What is larger than this is taken for unbounded: more than any 32-bit number.
const HUGE: i64 = 1 << 33;

/// How often a bound is moved before it has to do.
const MOVES: usize = 40;

/// With more samples, no variations of them are sought.
const VARIED: usize = 100;

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
        let (samples, active) = (Vec::new(), Vec::new());
        Probe { pool, desk, vars, names, samples, active, formulas: vec![formula] }
    }

    /// Is the formula satisfiable together with another one? `None` if the solver does not know or
    /// may not be asked. A model becomes the last sample.
    pub fn possible(&mut self, extra: TermId) -> Option<bool> {
        if extra == Pool::FALSE {
            return Some(false);
        }
        let answer = self.desk.ask(self.pool, &[extra])?;
        if answer {
            let model = self.desk.solver.model(self.pool, &self.vars).ok()?;
            let mut sample = Sample::new(&model);
            self.name(&mut sample);
            self.vary(&sample);
            self.add(sample);
        }
        Some(answer)
    }

    /// Samples of a formula that this one may be part of: those that fit are kept.
    pub fn seed(&mut self, samples: &[Sample]) {
        for sample in samples {
            let mut sample = sample.anew();
            for &v in &self.vars {
                if sample.get(v).is_none() {
                    sample.set(v, 0);
                }
            }
            self.name(&mut sample);
            if self.formulas.iter().all(|&f| sample.holds(self.pool, f)) {
                self.add(sample);
            }
        }
    }

    /// The samples so far.
    pub fn samples(&self) -> &[Sample] {
        &self.samples
    }

    fn add(&mut self, sample: Sample) {
        self.active.push(self.samples.len());
        self.samples.push(sample);
    }

    /// Gives names the values of their terms.
    fn name(&self, sample: &mut Sample) {
        for &(name, t) in &self.names {
            if let Some(value) = sample.eval(self.pool, t) {
                sample.set(name, value);
            }
        }
    }

    /// More samples from one: other values of single variables, near and far.
    fn vary(&mut self, sample: &Sample) {
        if self.samples.len() > VARIED {
            return;
        }
        for v in self.vars.clone() {
            let Some(value) = sample.get(v) else { continue };
            if self.pool.sort_id_of(v) != SortId::INT {
                continue;
            }
            for sign in [1, -1] {
                for step in [sign, sign * 2 * i128::from(HUGE)] {
                    let Some(value) = value.checked_add(step) else { break };
                    let mut other = sample.with(v, value);
                    self.name(&mut other);
                    if !self.formulas.iter().all(|&f| other.holds(self.pool, f)) {
                        break;
                    }
                    self.add(other);
                }
            }
        }
    }

    /// Does this hold in the last sample?
    pub fn last_holds(&mut self, formula: TermId) -> bool {
        self.samples.last_mut().is_some_and(|s| s.holds(self.pool, formula))
    }

    /// Is there a sample of all that is assumed?
    pub fn known(&self) -> bool {
        !self.active.is_empty()
    }

    /// Is there a sample in which this holds?
    pub fn seen(&mut self, formula: TermId) -> bool {
        self.find(formula).is_some()
    }

    fn find(&mut self, formula: TermId) -> Option<usize> {
        let holds = |&n: &usize| self.samples[n].holds(self.pool, formula);
        self.active.iter().copied().find(holds)
    }

    /// The value of a term in a sample with a formula.
    pub fn value_in(&mut self, formula: TermId, t: TermId) -> Option<BigInt> {
        let n = self.find(formula)?;
        self.samples[n].eval(self.pool, t).map(BigInt::from)
    }

    /// Is it certain that this holds?
    pub fn implied(&mut self, formula: TermId) -> bool {
        if formula == Pool::TRUE {
            return true;
        }
        // Without questions left, nothing is certain; to look at samples would be for nothing.
        if self.desk.exhausted() {
            return false;
        }
        let not = self.pool.not(formula);
        !self.seen(not) && self.possible(not) == Some(false)
    }

    /// Is it certain that this never holds?
    pub fn excluded(&mut self, formula: TermId) -> bool {
        let not = self.pool.not(formula);
        self.implied(not)
    }

    /// The values of a term in the samples.
    pub fn values(&mut self, t: TermId) -> Vec<BigInt> {
        let value = |&n: &usize| self.samples[n].eval(self.pool, t).map(BigInt::from);
        self.active.iter().filter_map(value).collect()
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
        if self.desk.exhausted() || self.active.is_empty() && self.possible(Pool::TRUE) != Some(true) {
            return None;
        }
        // The bound lies not below `best`, and not above `bound` once there is one.
        let huge = BigInt::from(HUGE);
        let mut best = self.values(t).into_iter().max()?;
        let mut bound: Option<BigInt> = None;
        let mut step = BigInt::from(1);
        for n in 0..MOVES {
            if best > huge || bound.as_ref() == Some(&best) {
                break;
            }
            let ask = match &bound {
                None if n == 1 => &huge + 1u32,
                None => &best + &step,
                Some(bound) => (&best + &step).min((&best + bound + 1u32).div_floor(&2.into())),
            };
            let number = self.pool.int(ask.clone());
            let more = self.pool.int_le(number, t);
            if self.possible(more)? {
                let value = self.samples.last_mut().and_then(|s| s.eval(self.pool, t));
                best = value.map_or(ask.clone(), BigInt::from).max(ask);
                step *= 4u32;
            } else {
                bound = Some(ask - 1u32);
                step = BigInt::from(1).max(step / 4u32);
            }
        }
        bound
    }

    /// All linear equalities between terms. None if the solver gets stuck.
    pub fn equalities(&mut self, terms: &[TermId]) -> Vec<Equality> {
        self.hull(terms).unwrap_or_default()
    }

    fn hull(&mut self, terms: &[TermId]) -> Option<Vec<Equality>> {
        if terms.is_empty()
            || self.desk.exhausted()
            || self.active.is_empty() && self.possible(Pool::TRUE) != Some(true)
        {
            return None;
        }
        let mut hull: Option<Hull> = None;
        for n in self.active.clone() {
            let Some(point) = self.point(n, terms) else { continue };
            match &mut hull {
                Some(hull) => {
                    hull.add(&point);
                }
                None => hull = Some(Hull::new(point)),
            }
        }
        let mut hull = hull?;
        loop {
            let equalities = hull.equalities();
            let holds: Vec<TermId> = equalities.iter().map(|e| e.holds(self.pool, terms)).collect();
            let all = self.pool.and(&holds);
            let not = self.pool.not(all);
            if !self.possible(not)? {
                return Some(equalities);
            }
            // The model is outside.
            let point = self.point(self.samples.len() - 1, terms)?;
            if !hull.add(&point) {
                return None;
            }
        }
    }

    /// The values of terms in a sample.
    fn point(&mut self, n: usize, terms: &[TermId]) -> Option<Vec<BigInt>> {
        let sample = &mut self.samples[n];
        terms.iter().map(|&t| sample.eval(self.pool, t).map(BigInt::from)).collect()
    }

    /// The answers of `questions` if also this holds.
    pub fn assuming<T>(&mut self, formula: TermId, questions: impl FnOnce(&mut Self) -> T) -> T {
        let known = self.samples.len();
        let holds = |n: &usize| self.samples[*n].holds(self.pool, formula);
        let inside = self.active.iter().copied().filter(holds).collect();
        let outside = std::mem::replace(&mut self.active, inside);
        self.desk.solver.push();
        self.desk.solver.assert(self.pool, formula);
        self.formulas.push(formula);
        let result = questions(self);
        self.formulas.pop();
        self.desk.solver.pop();
        // New samples are samples of the weaker formula, too.
        self.active = outside;
        self.active.extend(known..self.samples.len());
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
