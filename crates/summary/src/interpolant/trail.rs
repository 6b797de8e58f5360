//! A path in a solver, one scope for each step.
//!
//! The state after each step is kept as terms over the initial state and the
//! unknowns (symbolic execution), so that only guards are asserted.

use cairn_base::Budget;
use cairn_smt::z3::Z3;
use cairn_smt::{Answer, Solver, Why};
use cairn_term::{Assignment, Pool, TermId};
use rustc_hash::FxHashMap;

use super::{AFTER, Instances, RENEW, settle};
use crate::{Space, Transition};

#[derive(Default)]
pub struct Trail {
    solver: Z3,
    initial: Option<TermId>,
    steps: Vec<Step>,
    /// How many steps it has had to read.
    read: usize,
}

struct Step {
    transition: Transition,
    /// Variables that the steps so far have changed, with their values after this one.
    state: FxHashMap<TermId, TermId>,
}

impl Trail {
    /// How much of the path is there already.
    pub fn shared(&self, initial: TermId, path: &[&Transition]) -> usize {
        if self.initial != Some(initial) {
            return 0;
        }
        1 + self.steps.iter().zip(path).take_while(|(a, b)| a.transition == ***b).count()
    }

    /// Makes the path the one that is held.
    pub fn enter(
        &mut self,
        pool: &mut Pool,
        space: &Space,
        instances: &mut Instances,
        initial: TermId,
        path: &[&Transition],
    ) {
        if self.read > RENEW {
            *self = Trail::default();
        }
        let shared = self.shared(initial, path);
        while self.steps.len() + 1 > shared.max(1) {
            self.steps.pop();
            self.solver.pop();
        }
        if shared == 0 {
            if self.initial.replace(initial).is_some() {
                self.solver.pop();
            }
            self.solver.push();
            self.solver.assert(pool, initial);
        }
        for step in &path[self.steps.len()..] {
            let mut state = self.steps.last().map(|s| s.state.clone()).unwrap_or_default();
            let mut map = state.clone();
            for u in step.unknowns(pool, space) {
                map.insert(u, instances.get(pool, self.steps.len(), u));
            }
            self.read += 1;
            self.solver.push();
            let guard = pool.substitute_memo(step.guard, &mut map);
            if guard != Pool::TRUE {
                self.solver.assert(pool, guard);
            }
            for (&v, &t) in &step.assign {
                let value = pool.substitute_memo(t, &mut map);
                let (value, equation) = settle(pool, instances, self.steps.len(), v, value);
                equation.into_iter().for_each(|e| self.solver.assert(pool, e));
                state.insert(v, value);
            }
            self.steps.push(Step { transition: (*step).clone(), state });
        }
    }

    /// Values for the initial state and all unknowns under which the path ends where `last` holds.
    pub fn solve(
        &mut self,
        pool: &mut Pool,
        space: &Space,
        instances: &mut Instances,
        last: TermId,
        budget: &Budget,
    ) -> Result<Option<Assignment>, Why> {
        let mut vars = space.vars().to_vec();
        for (n, step) in self.steps.iter().enumerate() {
            for u in step.transition.unknowns(pool, space) {
                vars.push(instances.get(pool, n, u));
            }
        }
        let mut map = self.steps.last().map(|s| s.state.clone()).unwrap_or_default();
        for u in Transition::assume(last).unknowns(pool, space) {
            let instance = instances.get(pool, AFTER, u);
            map.insert(u, instance);
            vars.push(instance);
        }
        let end = pool.substitute_memo(last, &mut map);
        self.solver.push();
        self.solver.assert(pool, end);
        let found = match self.solver.check(pool, &[], budget) {
            Answer::Sat => self.solver.model(pool, &vars).map(Some),
            Answer::Unsat => Ok(None),
            Answer::Unknown(why) => Err(why),
        };
        self.solver.pop();
        found
    }
}
