//! `F*`: a transition that has any number of turns of a loop `F`.
//!
//! This is compositional recurrence analysis (Farzan and Kincaid, 2015): from the
//! formula of one turn come recurrences of terms, by questions to a solver, and
//! from those their closed forms in the number of turns `k`, an unknown.
//!
//! | fact of one turn | fact of `k` turns |
//! |---|---|
//! | `a·x' = a·x + c` | `a·x' = a·x + c·k` |
//! | `a·x + l <= a·x' <= a·x + h` | `a·x + l·k <= a·x' <= a·x + h·k` |
//! | `a·x' = a·x + r (mod m)` | `a·x' = a·x + r·k (mod m)` |
//! | `P(x)` before, `Q(x')` after | `P(x)` and `Q(x')`, if `k >= 1` |
//! | `p` stays true | if `p(x)`, then `p(x')` and what holds of turns with `p` |
//!
//! The result contains the identity and `F`, and is closed under one more turn at
//! either end: each fact of `k` turns follows for `k + 1`. It does so over the
//! integers whatever the solver fails to answer, as then a fact is missing.
//!
//! Loops whose turns fall into phases are taken apart first, see [`crate::phase`].

use std::collections::BTreeMap;

use cairn_base::Budget;
use cairn_smt::Solver;
use cairn_smt::z3::Z3;
use cairn_term::{Op, Pool, SortId, TermId};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use crate::affine::Equality;
use crate::normal::normalise;
use crate::probe::{Desk, Probe, Range, combine};
use crate::sample::Sample;
use crate::solve::Options;
use crate::trim::trim;
use crate::{Space, Transition, conditional, congruence, guards, phase, template};

/// New values with more terms are named in questions.
const NAMED: usize = 8;

/// Computes stars, with one solver for all.
pub struct Stars<'a> {
    pub(crate) space: &'a Space,
    options: &'a Options,
    /// Formulas whose atoms matter.
    hints: Vec<TermId>,
    budget: &'a Budget,
    solver: Z3,
    asked: u64,
}

/// One turn of a loop.
pub struct Turn {
    /// The transition, normalised.
    pub step: Transition,
    /// The conjuncts of its guard.
    pub parts: Vec<TermId>,
    /// The variables it changes, and by what, in the same order.
    pub changed: Vec<TermId>,
    pub deltas: Vec<TermId>,
    /// The new values for questions: large ones by a name.
    ends: FxHashMap<TermId, TermId>,
    /// What the names stand for.
    names: Vec<(TermId, TermId)>,
    /// Predicates that hold before and after each turn.
    pub stays: Vec<TermId>,
}

/// The star of a turn as it grows.
pub struct Closure {
    /// The number of turns.
    pub turns: TermId,
    /// The values afterwards.
    pub after: BTreeMap<TermId, TermId>,
    /// Per changed variable, how much it changes in one turn.
    pub ranges: Vec<Range>,
    /// Holds for any number of turns.
    pub always: Vec<TermId>,
    /// Holds if there is at least one turn.
    pub moved: Vec<TermId>,
}

impl Turn {
    pub fn new(pool: &mut Pool, space: &Space, step: &Transition, stays: &[TermId]) -> Turn {
        let (step, parts) = normalise(pool, space, step);
        let changed: Vec<TermId> = step.assign.keys().copied().collect();
        let mut ends = FxHashMap::default();
        let mut names = Vec::new();
        for (&v, &t) in &step.assign {
            if pool.size(t) <= NAMED {
                ends.insert(v, t);
                continue;
            }
            let name = pool.fresh("end", SortId::INT);
            names.push((name, t));
            ends.insert(v, name);
        }
        let deltas = changed.iter().map(|&v| pool.int_sub(ends[&v], v)).collect();
        Turn { step, parts, changed, deltas, ends, names, stays: stays.to_vec() }
    }

    /// The value of a variable after the turn.
    pub fn end(&self, v: TermId) -> TermId {
        self.ends.get(&v).copied().unwrap_or(v)
    }

    /// A formula over the state, after the turn.
    pub fn primed(&self, pool: &mut Pool, formula: TermId) -> TermId {
        pool.substitute(formula, &self.ends)
    }

    /// Everything it says: conjuncts and new values.
    pub fn roots(&self) -> Vec<TermId> {
        let mut roots = self.parts.clone();
        roots.extend(self.step.assign.values());
        roots
    }

    /// Everything that occurs in it.
    pub fn vars(&self, pool: &Pool) -> Vec<TermId> {
        let mut roots = self.roots();
        roots.extend(&self.changed);
        pool.free_vars(&roots)
    }
}

impl Closure {
    /// The change of a variable over all turns.
    pub fn total(&self, pool: &mut Pool, v: TermId) -> TermId {
        pool.int_sub(self.after[&v], v)
    }

    /// A formula over the state, after all turns.
    pub fn primed(&self, pool: &mut Pool, formula: TermId) -> TermId {
        let map: FxHashMap<TermId, TermId> = self.after.iter().map(|(&v, &t)| (v, t)).collect();
        pool.substitute(formula, &map)
    }

    /// That the change of a term over all turns is in a range per turn.
    pub fn within(&self, pool: &mut Pool, total: TermId, range: &Range) -> Vec<TermId> {
        let mut out = Vec::new();
        if let Some(low) = &range.low {
            let factor = pool.int(low.clone());
            let low = pool.int_mul(self.turns, factor);
            out.push(pool.int_le(low, total));
        }
        if let Some(high) = &range.high {
            let factor = pool.int(high.clone());
            let high = pool.int_mul(self.turns, factor);
            out.push(pool.int_le(total, high));
        }
        out
    }

    /// The star, without facts that follow from others.
    fn finish(mut self, pool: &mut Pool, desk: &mut Desk) -> Transition {
        let (zero, one) = (pool.int(0), pool.int(1));
        desk.solver.push();
        trim(pool, desk, &[], &mut self.always);
        let mut known = self.always.clone();
        known.push(pool.int_le(one, self.turns));
        trim(pool, desk, &known, &mut self.moved);
        desk.solver.pop();
        let mut still = vec![pool.eq(self.turns, zero)];
        for (&v, &t) in &self.after {
            // The closed form says so itself if it is one of `k` alone.
            if pool.is_var(t) {
                still.push(pool.eq(t, v));
            }
        }
        self.moved.push(pool.int_le(one, self.turns));
        let branches = [pool.and(&still), pool.and(&self.moved)];
        self.always.push(pool.or(&branches));
        Transition { guard: pool.and(&self.always), assign: self.after }
    }
}

impl<'a> Stars<'a> {
    pub fn new(space: &'a Space, options: &'a Options, hints: Vec<TermId>, budget: &'a Budget) -> Stars<'a> {
        Stars { space, options, hints, budget, solver: Z3::new(), asked: 0 }
    }

    /// How many questions were put to the solver.
    pub fn asked(&self) -> u64 {
        self.asked
    }

    pub fn star(&mut self, pool: &mut Pool, body: &Transition) -> Transition {
        let budget = Budget { max_steps: self.options.steps, ..self.budget.clone() };
        let last = self.asked + u64::from(self.options.queries);
        self.close(pool, body, &[], &[], phase::DEPTH, &budget, last)
    }

    /// The star of a turn before and after which the predicates hold. Turns that were seen before
    /// may be some of it.
    #[allow(clippy::too_many_arguments)]
    pub(crate) fn close(
        &mut self,
        pool: &mut Pool,
        body: &Transition,
        stays: &[TermId],
        seen: &[Sample],
        depth: usize,
        budget: &Budget,
        last: u64,
    ) -> Transition {
        let turn = Turn::new(pool, self.space, body, stays);
        if turn.step.is_never() || turn.changed.is_empty() {
            return Transition::identity();
        }
        let mut vars = turn.vars(pool);
        vars.extend(self.space.vars().iter().copied());
        vars.sort_unstable();
        vars.dedup();
        let mut desk =
            Desk { solver: &mut self.solver, asked: &mut self.asked, last, budget: budget.clone() };
        let mut probe = Probe::new(pool, &mut desk, turn.step.guard, vars, turn.names.clone());
        probe.seed(seen);
        if !probe.known() && probe.possible(Pool::TRUE) == Some(false) {
            return Transition::identity();
        }
        if depth > 0
            && let Some(p) = phase::predicate(&mut probe, self.space, &turn)
        {
            let seen = probe.samples().to_vec();
            drop(probe);
            return phase::split(self, pool, &turn, p, &seen, depth, budget, last);
        }
        let closure = analyse(&mut probe, self.space, &turn, &self.hints);
        drop(probe);
        closure.finish(pool, &mut desk)
    }
}

/// All recurrences of a turn.
fn analyse(probe: &mut Probe, space: &Space, turn: &Turn, hints: &[TermId]) -> Closure {
    let mut closure = equations(probe, space, turn);
    template::bound(probe, space, turn, hints, &mut closure);
    guards::add(probe, space, turn, hints, &mut closure);
    // A translation is exact already.
    if closure.ranges.iter().any(|r| r.value().is_none()) {
        conditional::add(probe, space, turn, hints, &mut closure);
        congruence::add(probe, turn, &mut closure);
    }
    closure
}

/// Closed forms by the equations between changes. A variable that no equation determines gets an
/// unknown value. Quotients that the turn computes count as variables: `n` that grows in every
/// second turn goes with `i / 2`.
fn equations(probe: &mut Probe, space: &Space, turn: &Turn) -> Closure {
    let turns = probe.pool.fresh("k", SortId::INT);
    let zero = probe.pool.int(0);
    let mut closure = Closure {
        turns,
        after: BTreeMap::new(),
        ranges: Vec::new(),
        always: vec![probe.pool.int_le(zero, turns)],
        moved: Vec::new(),
    };
    let constant = |pool: &Pool, n: usize| pool.as_int(turn.deltas[n]).cloned();
    let loose: Vec<usize> = (0..turn.changed.len()).filter(|&n| constant(probe.pool, n).is_none()).collect();
    let mut deltas: Vec<TermId> = loose.iter().map(|&n| turn.deltas[n]).collect();
    let quotients = if loose.is_empty() { Vec::new() } else { quotients(probe.pool, space, turn) };
    for &q in &quotients {
        let later = turn.primed(probe.pool, q);
        deltas.push(probe.pool.int_sub(later, q));
    }
    let equalities = probe.equalities(&deltas);
    for n in 0..turn.changed.len() {
        let range = constant(probe.pool, n).map_or_else(Range::default, Range::point);
        closure.ranges.push(range);
    }
    let pool = &mut *probe.pool;
    let none = |a: &BigInt| *a == BigInt::ZERO;
    let solved = |e: &Equality| {
        let own = &e.coefficients[e.own];
        let unit = *own == BigInt::from(1) || *own == BigInt::from(-1);
        unit && e.own < loose.len() && e.coefficients[loose.len()..].iter().all(none)
    };
    let mut pending = Vec::new();
    for (column, &n) in loose.iter().enumerate() {
        match equalities.iter().find(|e| e.own == column && solved(e)) {
            Some(e) => pending.push((n, column, e)),
            None => {
                let u = pool.fresh("u", SortId::INT);
                closure.after.insert(turn.changed[n], u);
            }
        }
    }
    for (n, &v) in turn.changed.iter().enumerate() {
        if let Some(c) = constant(pool, n) {
            let c = pool.int(c);
            let change = pool.int_mul(turns, c);
            closure.after.insert(v, pool.int_add(v, change));
        }
    }
    for (n, column, e) in pending {
        // own·d + rest = constant·k, where own is 1 or -1.
        let mut rest = e.coefficients[..loose.len()].to_vec();
        rest[column] = BigInt::ZERO;
        let total = |(&m, a): (&usize, &BigInt)| {
            if none(a) { zero } else { closure.total(pool, turn.changed[m]) }
        };
        let totals: Vec<TermId> = loose.iter().zip(&rest).map(total).collect();
        let alone = rest.iter().all(none);
        let rest = combine(pool, &rest, &totals);
        let constant = pool.int(e.constant.clone());
        let all = pool.int_mul(turns, constant);
        let others = pool.int_sub(all, rest);
        let own = pool.int(e.coefficients[column].clone());
        let change = pool.int_mul(others, own);
        let v = turn.changed[n];
        closure.after.insert(v, pool.int_add(v, change));
        if alone {
            closure.ranges[n] = Range::point(&e.constant * &e.coefficients[column]);
        }
    }
    for e in equalities.iter().filter(|e| !solved(e)) {
        let mut totals: Vec<TermId> = Vec::new();
        for &n in &loose {
            totals.push(closure.total(pool, turn.changed[n]));
        }
        for &q in &quotients {
            let later = closure.primed(pool, q);
            totals.push(pool.int_sub(later, q));
        }
        let sum = combine(pool, &e.coefficients, &totals);
        let constant = pool.int(e.constant.clone());
        let all = pool.int_mul(turns, constant);
        closure.always.push(pool.eq(sum, all));
    }
    closure
}

/// At most so many quotients are looked at.
const QUOTIENTS: usize = 4;

/// Quotients of the state that a turn computes and changes.
fn quotients(pool: &Pool, space: &Space, turn: &Turn) -> Vec<TermId> {
    let state = |t: TermId| {
        let vars = pool.free_vars(&[t]);
        vars.iter().all(|&v| space.has(v)) && vars.iter().any(|v| turn.changed.contains(v))
    };
    let all = pool.reachable(&turn.roots()).into_iter();
    all.filter(|&t| pool.op(t) == Op::Div && state(t)).take(QUOTIENTS).collect()
}
