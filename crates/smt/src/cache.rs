//! A decorator that remembers answers.
//!
//! Queries are the same if they have the same set of assertions and assumptions.
//! A query that is not known may still be answered by one that is: the model
//! of the last satisfiable query is tried on it first.

use std::rc::Rc;

use cairn_base::Budget;
use cairn_term::{Assignment, Evaluator, Pool, TermId};
use rustc_hash::FxHashMap;

use crate::stack::Stack;
use crate::{Answer, Solver, Why};

/// Assertions and assumptions, each sorted.
type Query = (Vec<TermId>, Vec<TermId>);

#[derive(Clone)]
enum Known {
    Sat(Rc<Assignment>),
    Unsat(Rc<[TermId]>),
}

pub struct Cache<S> {
    inner: S,
    stack: Stack,
    known: FxHashMap<Query, Known>,
    last_model: Rc<Assignment>,
    core: Vec<TermId>,
    pub hits: u64,
    pub misses: u64,
}

impl<S: Solver> Cache<S> {
    pub fn new(inner: S) -> Cache<S> {
        Cache {
            inner,
            stack: Stack::default(),
            known: FxHashMap::default(),
            last_model: Rc::default(),
            core: Vec::new(),
            hits: 0,
            misses: 0,
        }
    }

    fn query(&self, assumptions: &[TermId]) -> Query {
        let sorted = |terms: &[TermId]| {
            let mut terms = terms.to_vec();
            terms.sort_unstable();
            terms.dedup();
            terms
        };
        (sorted(self.stack.assertions()), sorted(assumptions))
    }

    fn recall(&mut self, pool: &Pool, query: &Query) -> Option<Known> {
        if let Some(known) = self.known.get(query) {
            return Some(known.clone());
        }
        let mut evaluator = Evaluator::new(pool, &self.last_model);
        let holds = query.0.iter().chain(&query.1).all(|&t| evaluator.holds(t));
        holds.then(|| Known::Sat(self.last_model.clone()))
    }
}

impl<S: Solver> Solver for Cache<S> {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn push(&mut self) {
        self.stack.push();
        self.inner.push();
    }

    fn pop(&mut self) {
        self.stack.pop();
        self.inner.pop();
    }

    fn assert(&mut self, pool: &Pool, t: TermId) {
        self.stack.assert(t);
        self.inner.assert(pool, t);
    }

    fn check(&mut self, pool: &Pool, assumptions: &[TermId], budget: &Budget) -> Answer {
        self.core.clear();
        let query = self.query(assumptions);
        if let Some(known) = self.recall(pool, &query) {
            self.hits += 1;
            return match known {
                Known::Sat(model) => {
                    self.last_model = model;
                    Answer::Sat
                }
                Known::Unsat(core) => {
                    self.core = core.to_vec();
                    Answer::Unsat
                }
            };
        }
        self.misses += 1;
        let answer = self.inner.check(pool, assumptions, budget);
        match &answer {
            Answer::Sat => {
                let mut all = query.0.clone();
                all.extend(&query.1);
                let vars = pool.free_vars(&all);
                match self.inner.model(pool, &vars) {
                    Ok(model) => self.last_model = Rc::new(model),
                    Err(why) => return Answer::Unknown(why),
                }
                self.known.insert(query, Known::Sat(self.last_model.clone()));
            }
            Answer::Unsat => {
                self.core = self.inner.core().to_vec();
                self.known.insert(query, Known::Unsat(self.core.as_slice().into()));
            }
            Answer::Unknown(_) => {}
        }
        answer
    }

    fn model(&mut self, _: &Pool, vars: &[TermId]) -> Result<Assignment, Why> {
        let known = |&v: &TermId| self.last_model.get(&v).map(|value| (v, value.clone()));
        Ok(vars.iter().filter_map(known).collect())
    }

    fn core(&self) -> &[TermId] {
        &self.core
    }
}
