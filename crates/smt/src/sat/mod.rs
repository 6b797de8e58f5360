//! Booleans, bit-vectors, floats and arrays of them by bit-blasting to CaDiCaL, incrementally.
//!
//! The circuit of a term is defined once and stays; an assertion in a scope
//! holds as long as the scope's own literal is assumed, and closing the scope
//! drops that literal for good. Learned clauses survive everything.
//!
//! Assertions are only written down until something is asked: large ones take
//! seconds to translate, and only a question has a budget.
//!
//! Why this and not Z3 for all that has no integers: of the 180 queries of
//! `examples/compare.rs` (sorting, division, bit tricks, state machines, memory,
//! floats, random terms; 5 s each on a busy machine) it solves 176 in 38 s of CPU
//! time, Z3's incremental core 152 in 86 s; and it has no start-up cost, where
//! loading Z3 and making a context take 18 ms and a first query 2 to 60 ms more.

mod arrays;
mod blast;
mod float;
mod gates;
mod words;

use cadical_sys::{Status, Terminator};
use cairn_base::{Budget, Limit};
use cairn_term::{Assignment, Pool, TermId};

use crate::{Answer, Solver, Why, limit_of};
use blast::Blaster;
use gates::Lit;

/// Prices of work, in thousandths of units of effort: a gate, and a tick of CaDiCaL, which is about an
/// access to memory that misses the cache.
const GATE: u64 = 700;
const TICK: u64 = 20;
/// What a round of lemmas about arrays counts, in conflicts.
const REFINEMENT: u64 = 20;

pub struct Sat {
    blaster: Blaster,
    /// Gates that were charged for.
    charged: usize,
    /// The outermost one first, which is never closed.
    scopes: Vec<Scope>,
    core: Vec<TermId>,
}

struct Scope {
    /// Assumed while the scope is open.
    active: Lit,
    /// Assertions that are not translated yet.
    pending: Vec<TermId>,
    /// What could not be translated.
    unsupported: Option<String>,
}

impl Scope {
    fn new(active: Lit) -> Scope {
        Scope { active, pending: Vec::new(), unsupported: None }
    }
}

impl Default for Sat {
    fn default() -> Sat {
        Sat::new()
    }
}

impl Sat {
    pub fn new() -> Sat {
        Sat { blaster: Blaster::new(), charged: 0, scopes: vec![Scope::new(Lit::TRUE)], core: Vec::new() }
    }

    /// Variables of the SAT problem so far.
    pub fn variables(&self) -> usize {
        self.blaster.gates.len()
    }

    /// Translates what was asserted. `Err`: a limit was reached, or something is not for this solver.
    fn carry_out(&mut self, pool: &Pool, budget: &Budget) -> Result<(), Why> {
        for scope in &mut self.scopes {
            for (done, &t) in scope.pending.iter().enumerate() {
                match self.blaster.boolean(pool, t, budget) {
                    Ok(lit) if scope.active == Lit::TRUE => self.blaster.gates.clause(&[lit]),
                    Ok(lit) => self.blaster.gates.clause(&[!scope.active, lit]),
                    Err(Why::Unsupported(what)) => {
                        scope.unsupported.get_or_insert(what);
                    }
                    Err(limit) => {
                        scope.pending.drain(..done);
                        return Err(limit);
                    }
                }
            }
            scope.pending.clear();
        }
        match self.scopes.iter().find_map(|s| s.unsupported.clone()) {
            Some(what) => Err(Why::Unsupported(what)),
            None => Ok(()),
        }
    }
}

/// Asks the clock only now and then: CaDiCaL asks here often.
struct Deadline {
    budget: Budget,
    calls: u32,
}

impl Terminator for Deadline {
    fn terminated(&mut self) -> bool {
        self.calls = self.calls.wrapping_add(1);
        self.calls.is_multiple_of(4) && self.budget.exceeded().is_some()
    }
}

impl Solver for Sat {
    fn name(&self) -> &str {
        "cadical"
    }

    fn push(&mut self) {
        let active = self.blaster.gates.fresh();
        self.scopes.push(Scope::new(active));
    }

    fn pop(&mut self) {
        if self.scopes.len() > 1
            && let Some(scope) = self.scopes.pop()
        {
            self.blaster.gates.clause(&[!scope.active]);
        }
    }

    fn assert(&mut self, _: &Pool, t: TermId) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.pending.push(t);
        }
    }

    fn check(&mut self, pool: &Pool, assumptions: &[TermId], budget: &Budget) -> Answer {
        self.core.clear();
        if let Err(why) = self.carry_out(pool, budget) {
            return Answer::Unknown(why);
        }
        let mut assumed = Vec::with_capacity(assumptions.len());
        for &t in assumptions {
            match self.blaster.boolean(pool, t, budget) {
                Ok(lit) => assumed.push(lit),
                Err(why) => return Answer::Unknown(why),
            }
        }
        if budget.exceeded().is_some() {
            return Answer::Unknown(limit_of(budget));
        }
        let mut refinements = 0;
        loop {
            let sat = &mut self.blaster.gates.sat;
            for lit in self.scopes[1..].iter().map(|s| s.active).chain(assumed.iter().copied()) {
                sat.assume(lit.number());
            }
            if let Ok(conflicts) = i32::try_from(budget.max_steps) {
                sat.limit("conflicts", conflicts);
            }
            sat.connect_terminator(Deadline { budget: budget.clone(), calls: 0 });
            let before = sat.get_statistic_value("ticks");
            let most = budget.effort.left().map(|left| left.saturating_mul(1000) / TICK + 1);
            if let Some(Ok(ticks)) = most.map(i32::try_from) {
                sat.limit("ticks", ticks);
            }
            let status = sat.solve();
            sat.disconnect_terminator();
            let ticks = u64::try_from(sat.get_statistic_value("ticks") - before).unwrap_or(0);
            let gates = self.blaster.gates.len().saturating_sub(self.charged);
            self.charged += gates;
            budget.effort.charge((ticks * TICK + gates as u64 * GATE) / 1000 + 1);
            match status {
                Status::SATISFIABLE if self.blaster.refine(pool) => {
                    // Each lemma rules out an assignment, so that this ends; but perhaps not soon.
                    if budget.exceeded().is_some() {
                        return Answer::Unknown(limit_of(budget));
                    }
                    refinements += 1;
                    if refinements * REFINEMENT > budget.max_steps {
                        return Answer::Unknown(Why::Limit(Limit::Steps));
                    }
                }
                Status::SATISFIABLE => return Answer::Sat,
                Status::UNSATISFIABLE => {
                    for (&t, lit) in assumptions.iter().zip(assumed) {
                        if self.blaster.gates.sat.failed(lit.number()) {
                            self.core.push(t);
                        }
                    }
                    return Answer::Unsat;
                }
                Status::UNKNOWN => {
                    return Answer::Unknown(Why::Limit(budget.exceeded().unwrap_or(Limit::Steps)));
                }
            }
        }
    }

    fn model(&mut self, pool: &Pool, vars: &[TermId]) -> Result<Assignment, Why> {
        if self.blaster.gates.sat.status() != Status::SATISFIABLE {
            return Err(Why::Failed("there is no model".into()));
        }
        let mut model = Assignment::default();
        for &v in vars {
            // A variable that is in no circuit does not matter.
            if let Some(value) = self.blaster.value_in_model(pool, v) {
                model.insert(v, value);
            }
        }
        Ok(model)
    }

    fn core(&self) -> &[TermId] {
        &self.core
    }
}
