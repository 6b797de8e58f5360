//! A decorator that believes nothing: panics become failures, and a model is
//! only passed on after every assertion has been evaluated under it.

use std::panic::{AssertUnwindSafe, catch_unwind};

use cairn_base::Budget;
use cairn_term::{Assignment, Evaluator, Pool, TermId};

use crate::stack::Stack;
use crate::{Answer, Solver, Why};

pub struct Shield<S> {
    inner: S,
    stack: Stack,
    model: Assignment,
    core: Vec<TermId>,
    /// What went wrong. After a panic the solver is not touched any more.
    broken: Option<String>,
}

impl<S: Solver> Shield<S> {
    pub fn new(inner: S) -> Shield<S> {
        Shield {
            inner,
            stack: Stack::default(),
            model: Assignment::default(),
            core: Vec::new(),
            broken: None,
        }
    }

    /// Runs something with the solver, unless it is broken or breaks now.
    fn guarded<R>(&mut self, f: impl FnOnce(&mut S) -> R) -> Result<R, Why> {
        if let Some(why) = &self.broken {
            return Err(Why::Failed(why.clone()));
        }
        let inner = &mut self.inner;
        catch_unwind(AssertUnwindSafe(|| f(inner))).map_err(|panic| {
            let text = panic
                .downcast_ref::<String>()
                .map(String::as_str)
                .or_else(|| panic.downcast_ref::<&str>().copied());
            let why = format!("it panicked: {}", text.unwrap_or("without a word"));
            self.broken = Some(why.clone());
            Why::Failed(why)
        })
    }

    /// Takes the model if it makes everything true.
    fn validate(&mut self, pool: &Pool, assumptions: &[TermId]) -> Result<(), Why> {
        let mut all = self.stack.assertions().to_vec();
        all.extend_from_slice(assumptions);
        let vars = pool.free_vars(&all);
        let model = self.guarded(|s| s.model(pool, &vars))??;
        let mut evaluator = Evaluator::new(pool, &model);
        if let Some(&wrong) = all.iter().find(|&&t| !evaluator.holds(t)) {
            return Err(Why::Failed(format!("its model violates assertion {wrong}")));
        }
        self.model = model;
        Ok(())
    }
}

impl<S: Solver> Solver for Shield<S> {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn push(&mut self) {
        self.stack.push();
        // A failure is reported by the next check.
        let _ = self.guarded(S::push);
    }

    fn pop(&mut self) {
        self.stack.pop();
        let _ = self.guarded(S::pop);
    }

    fn assert(&mut self, pool: &Pool, t: TermId) {
        self.stack.assert(t);
        let _ = self.guarded(|s| s.assert(pool, t));
    }

    fn check(&mut self, pool: &Pool, assumptions: &[TermId], budget: &Budget) -> Answer {
        self.model.clear();
        self.core.clear();
        let answer = match self.guarded(|s| s.check(pool, assumptions, budget)) {
            Ok(answer) => answer,
            Err(why) => return Answer::Unknown(why),
        };
        match answer {
            Answer::Sat => match self.validate(pool, assumptions) {
                Ok(()) => Answer::Sat,
                Err(why) => Answer::Unknown(why),
            },
            Answer::Unsat => match self.guarded(|s| s.core().to_vec()) {
                Ok(core) => {
                    self.core = core;
                    Answer::Unsat
                }
                Err(why) => Answer::Unknown(why),
            },
            unknown => unknown,
        }
    }

    fn model(&mut self, _: &Pool, vars: &[TermId]) -> Result<Assignment, Why> {
        let known = |&v: &TermId| self.model.get(&v).map(|value| (v, value.clone()));
        Ok(vars.iter().filter_map(known).collect())
    }

    fn core(&self) -> &[TermId] {
        &self.core
    }
}
