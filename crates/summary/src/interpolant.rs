//! Is a path feasible, and if not, why not?
//!
//! This is the primitive `Check` of the GPS paper (Section 5.2): for a path of
//! transitions and a formula about what follows it, either the states of one
//! execution, or *dead-end interpolants*: formulas along the path that no
//! execution leaves and the last of which contradicts what follows. A
//! [`Checker`] keeps its solvers, so that queries about paths with a common
//! beginning only pay for what differs.

mod newton;
mod spacer;
mod trail;

use std::borrow::Borrow;

use cairn_base::Budget;
use cairn_smt::arith::conjuncts;
use cairn_smt::z3::Z3;
use cairn_smt::{Answer, Solver, Why};
use cairn_term::{Assignment, Evaluator, Op, Pool, TermId, Value};
use num_bigint::BigInt;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{Space, Transition};
use newton::Newton;
use trail::Trail;

/// What is known of a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// There is an execution.
    Sat(Run),
    /// There is none: a formula over the variables of the space for the end of each step. The first
    /// holds after the first step from a state of the initial formula, each holds after its step
    /// from a state of the one before, and the last contradicts what follows.
    Unsat(Vec<TermId>),
    Unknown(Why),
}

/// One execution of a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Run {
    /// Before the first step, and after each one: values in the order of the space.
    pub states: Vec<Vec<BigInt>>,
    /// The values of the unknowns of each step, and of what follows as the last.
    pub unknowns: Vec<Assignment>,
}

impl Run {
    /// The state after the last step.
    pub fn end(&self) -> &[BigInt] {
        self.states.last().map_or(&[], Vec::as_slice)
    }
}

/// Variables by the place on a path where they stand for something: made once.
#[derive(Default)]
struct Instances(FxHashMap<(usize, TermId), TermId>);

/// Where the unknowns of what follows the path are.
const AFTER: usize = usize::MAX;
/// Where the values are that a step leaves open.
const OPEN: usize = usize::MAX - 1;

impl Instances {
    fn get(&mut self, pool: &mut Pool, place: usize, v: TermId) -> TermId {
        *self.0.entry((place, v)).or_insert_with(|| {
            let name = match pool.op(v) {
                Op::Var(id) => pool.var_name(id).to_string(),
                _ => "v".to_owned(),
            };
            let sort = pool.sort_id_of(v);
            pool.fresh(&name, sort)
        })
    }
}

/// Steps (or single formulas) after which a solver is made anew: what it has once read it keeps.
const RENEW: usize = 20_000;

/// Sums of more terms than this get a name.
const WIDE: usize = 12;

/// What stands for the value that step `n` gives to `v`: the value, or if that is a long sum (every
/// later formula would repeat it) a name, with the equation that makes it one.
fn settle(
    pool: &mut Pool,
    instances: &mut Instances,
    n: usize,
    v: TermId,
    value: TermId,
) -> (TermId, Option<TermId>) {
    if pool.op(value) != Op::Add || pool.args(value).len() <= WIDE {
        return (value, None);
    }
    let name = instances.get(pool, n + 1, v);
    (name, Some(pool.eq(name, value)))
}

/// Answers questions about paths and formulas over one space and one pool.
pub struct Checker {
    space: Space,
    instances: Instances,
    /// Two, because queries from the entry and queries between a vertex and itself alternate.
    trails: [Trail; 2],
    /// When each was last used.
    used: [u64; 2],
    queries: u64,
    newton: Newton,
    /// For single formulas.
    plain: Z3,
    /// How many it has answered.
    answered: usize,
    entailed: FxHashMap<(TermId, TermId), bool>,
}

impl Checker {
    pub fn new(space: &Space) -> Checker {
        Checker {
            space: space.clone(),
            instances: Instances::default(),
            trails: Default::default(),
            used: [0; 2],
            queries: 0,
            newton: Newton::default(),
            plain: Z3::new(),
            answered: 0,
            entailed: FxHashMap::default(),
        }
    }

    /// Is there an execution of the path from a state of `initial` to a state where `last` holds
    /// for some values of its unknowns (its variables that are not of the space)?
    pub fn check<T: Borrow<Transition>>(
        &mut self,
        pool: &mut Pool,
        initial: TermId,
        path: &[T],
        last: TermId,
        budget: &Budget,
    ) -> Outcome {
        let path: Vec<&Transition> = path.iter().map(Borrow::borrow).collect();
        match self.feasible(pool, initial, &path, last, budget) {
            Ok(Some(run)) => Outcome::Sat(run),
            Ok(None) => match self.explain(pool, initial, &path, last, budget) {
                Ok(interpolants) => Outcome::Unsat(interpolants),
                Err(why) => Outcome::Unknown(why),
            },
            Err(why) => Outcome::Unknown(why),
        }
    }

    /// The first half of [`Checker::check`]: an execution, if there is one.
    pub fn feasible(
        &mut self,
        pool: &mut Pool,
        initial: TermId,
        path: &[&Transition],
        last: TermId,
        budget: &Budget,
    ) -> Result<Option<Run>, Why> {
        let shared = [0, 1].map(|n| self.trails[n].shared(initial, path));
        let best = match shared[0].cmp(&shared[1]) {
            std::cmp::Ordering::Greater => 0,
            std::cmp::Ordering::Less => 1,
            std::cmp::Ordering::Equal => usize::from(self.used[1] < self.used[0]),
        };
        self.queries += 1;
        self.used[best] = self.queries;
        let trail = &mut self.trails[best];
        trail.enter(pool, &self.space, &mut self.instances, initial, path);
        let found = trail.solve(pool, &self.space, &mut self.instances, last, budget);
        if matches!(found, Err(Why::Failed(_))) {
            *trail = Trail::default();
        }
        let Some(model) = found? else { return Ok(None) };
        self.run(pool, initial, path, last, &model).map(Some)
    }

    /// The second half: interpolants of a path that has no execution.
    fn explain(
        &mut self,
        pool: &mut Pool,
        initial: TermId,
        path: &[&Transition],
        last: TermId,
        budget: &Budget,
    ) -> Result<Vec<TermId>, Why> {
        let Checker { space, instances, newton, .. } = self;
        let found = newton.interpolants(pool, space, instances, initial, path, last, budget)?;
        self.verify(pool, initial, path, last, &found, budget)?;
        Ok(found)
    }

    /// Does each formula follow from the one before, and the last contradict what follows?
    fn verify(
        &mut self,
        pool: &mut Pool,
        initial: TermId,
        path: &[&Transition],
        last: TermId,
        interpolants: &[TermId],
        budget: &Budget,
    ) -> Result<(), Why> {
        let mut before = initial;
        for (n, (step, &after)) in path.iter().zip(interpolants).enumerate() {
            if !self.triple(pool, before, step, after, budget)? {
                return Err(Why::Failed(format!("interpolant {} does not follow", n + 1)));
            }
            before = after;
        }
        let both = pool.and(&[before, last]);
        match self.satisfiable(pool, both, budget)? {
            None => Ok(()),
            Some(_) => Err(Why::Failed("the last interpolant contradicts nothing".into())),
        }
    }

    /// Does `after` hold after every step from a state of `before`?
    pub fn triple(
        &mut self,
        pool: &mut Pool,
        before: TermId,
        step: &Transition,
        after: TermId,
        budget: &Budget,
    ) -> Result<bool, Why> {
        if after == Pool::TRUE {
            return Ok(true);
        }
        let wrong = pool.not(after);
        let step = step.before(pool, wrong);
        let whole = pool.and(&[before, step]);
        Ok(self.satisfiable(pool, whole, budget)?.is_none())
    }

    /// Does every state of `a` satisfy `b`?
    pub fn entails(&mut self, pool: &mut Pool, a: TermId, b: TermId, budget: &Budget) -> Result<bool, Why> {
        if a == b || a == Pool::FALSE || b == Pool::TRUE {
            return Ok(true);
        }
        if let Some(&known) = self.entailed.get(&(a, b)) {
            return Ok(known);
        }
        let known: FxHashSet<TermId> = conjuncts(pool, a).into_iter().collect();
        let mut open = conjuncts(pool, b);
        open.retain(|t| !known.contains(t));
        let open = pool.and(&open);
        let not = pool.not(open);
        let both = pool.and(&[a, not]);
        let answer = self.satisfiable(pool, both, budget)?.is_none();
        self.entailed.insert((a, b), answer);
        Ok(answer)
    }

    /// Values of the variables that make a formula true, if there are any.
    pub fn satisfiable(
        &mut self,
        pool: &Pool,
        formula: TermId,
        budget: &Budget,
    ) -> Result<Option<Assignment>, Why> {
        match formula {
            Pool::FALSE => return Ok(None),
            Pool::TRUE => return Ok(Some(Assignment::default())),
            _ => {}
        }
        if self.answered > RENEW {
            (self.plain, self.answered) = (Z3::new(), 0);
        }
        self.answered += 1;
        self.plain.push();
        self.plain.assert(pool, formula);
        let answer = self.plain.check(pool, &[], budget);
        let model = match &answer {
            Answer::Sat => self.plain.model(pool, &pool.free_vars(&[formula])).map(Some),
            Answer::Unsat => Ok(None),
            Answer::Unknown(why) => Err(why.clone()),
        };
        self.plain.pop();
        match model {
            Ok(Some(model)) if !Evaluator::new(pool, &model).holds(formula) => {
                Err(Why::Failed("a model violates its formula".into()))
            }
            Err(Why::Failed(why)) => {
                self.plain = Z3::new();
                Err(Why::Failed(why))
            }
            other => other,
        }
    }

    /// The execution a model of the whole path stands for, step by step.
    fn run(
        &mut self,
        pool: &mut Pool,
        initial: TermId,
        path: &[&Transition],
        last: TermId,
        model: &Assignment,
    ) -> Result<Run, Why> {
        let violated = || Why::Failed("a model of a path violates it".into());
        let mut state: Vec<BigInt> = self
            .space
            .vars()
            .iter()
            .map(|v| model.get(v).and_then(Value::as_int).cloned().unwrap_or_default())
            .collect();
        let mut run = Run { states: vec![state.clone()], unknowns: Vec::new() };
        let end = Transition::assume(last);
        for (n, step) in path.iter().copied().chain([&end]).enumerate() {
            let place = if n == path.len() { AFTER } else { n };
            let mut unknowns = Assignment::default();
            for u in step.unknowns(pool, &self.space) {
                let instance = self.instances.get(pool, place, u);
                let default = || Value::default_of(pool, pool.sort_id_of(u));
                unknowns.insert(u, model.get(&instance).cloned().unwrap_or_else(default));
            }
            let mut values = unknowns.clone();
            values.extend(
                self.space.vars().iter().zip(&state).map(|(&v, value)| (v, Value::Int(value.clone()))),
            );
            let mut evaluator = Evaluator::new(pool, &values);
            if !evaluator.holds(step.guard) || n == 0 && !evaluator.holds(initial) {
                return Err(violated());
            }
            run.unknowns.push(unknowns);
            if place != AFTER {
                for (v, value) in self.space.vars().iter().zip(&mut state) {
                    if let Some(&t) = step.assign.get(v) {
                        *value = evaluator.eval(t).as_int().cloned().ok_or_else(violated)?;
                    }
                }
                run.states.push(state.clone());
            }
        }
        Ok(run)
    }
}
