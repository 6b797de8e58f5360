//! What stands between the search and the solver, as in KLEE (Cadar, Dunbar and
//! Engler 2008): queries are sets of literals; answers are remembered; a set that
//! contains one known to be contradictory is contradictory; values that satisfied
//! a set lately may satisfy this one. What reaches the solver is small, so that it
//! is made anew when it has seen much more than it is asked.

use std::rc::Rc;

use crate::{Answer, Solver, Why};
use cairn_base::Budget;
use cairn_term::{Assignment, Evaluator, Pool, TermId, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ranges::{Decided, decide};

/// Terms a solver has seen, and how many times as many as it is asked about, when it is made anew:
/// it decides all it has seen each time.
const FULL: usize = 1_000;
const TIMES: usize = 6;
/// Models that are tried before the solver is asked.
const RECENT: usize = 4;

/// Values of the variables of a query.
pub type Model = Rc<Vec<(TermId, Value)>>;

#[derive(Clone, Debug)]
pub enum Found {
    Sat(Model),
    Unsat,
    Unknown(Why),
}

#[derive(Copy, Clone, Default, Debug)]
pub struct Stats {
    /// Questions, and those that reached the solver.
    pub asked: u64,
    pub solved: u64,
}

pub struct Chain<'c> {
    make: &'c (dyn Fn() -> Box<dyn Solver> + Sync),
    solver: Box<dyn Solver>,
    seen: FxHashSet<TermId>,
    load: usize,
    sizes: FxHashMap<TermId, usize>,
    budget: Budget,
    answers: FxHashMap<Box<[TermId]>, Found>,
    /// Contradictory sets, by their greatest literal.
    cores: FxHashMap<TermId, Vec<Box<[TermId]>>>,
    recent: Vec<Model>,
    /// By term.
    vars: Vec<Option<Rc<[TermId]>>>,
    pub stats: Stats,
}

impl<'c> Chain<'c> {
    pub fn new(make: &'c (dyn Fn() -> Box<dyn Solver> + Sync), budget: Budget) -> Chain<'c> {
        Chain {
            make,
            solver: make(),
            seen: FxHashSet::default(),
            load: 0,
            sizes: FxHashMap::default(),
            budget,
            answers: FxHashMap::default(),
            cores: FxHashMap::default(),
            recent: Vec::new(),
            vars: Vec::new(),
            stats: Stats::default(),
        }
    }

    /// Is the time for questions over?
    pub fn is_late(&self) -> bool {
        self.budget.exceeded().is_some()
    }

    /// The variables of a term, remembered.
    pub fn vars(&mut self, pool: &Pool, t: TermId) -> Rc<[TermId]> {
        let n = t.as_u32() as usize;
        if n >= self.vars.len() {
            self.vars.resize(pool.len().max(n + 1), None);
        }
        self.vars[n].get_or_insert_with(|| pool.free_vars(&[t]).into()).clone()
    }

    /// Can the literals hold together?
    pub fn check(&mut self, pool: &Pool, literals: &[TermId]) -> Found {
        self.stats.asked += 1;
        let mut key: Vec<TermId> = literals.iter().copied().filter(|&t| t != Pool::TRUE).collect();
        key.sort_unstable();
        key.dedup();
        if key.first() == Some(&Pool::FALSE) {
            return Found::Unsat;
        }
        if let Some(found) = self.answers.get(&key[..]) {
            return found.clone();
        }
        if self.contains_core(&key) {
            return Found::Unsat;
        }
        match decide(pool, &key) {
            Some(Decided::No) => return Found::Unsat,
            Some(Decided::Value(v, value)) => return Found::Sat(Rc::new(vec![(v, value)])),
            None => {}
        }
        let mut vars: Vec<TermId> = Vec::new();
        for &t in &key {
            vars.extend(self.vars(pool, t).iter());
        }
        vars.sort_unstable();
        vars.dedup();
        let found = match self.by_recent(pool, &key, &vars) {
            Some(model) => Found::Sat(model),
            None => self.solve(pool, &key, &vars),
        };
        if !matches!(found, Found::Unknown(_)) {
            self.answers.insert(key.into(), found.clone());
        }
        found
    }

    /// Some of the literals that contradict each other; `None` if they may not.
    pub fn core(&mut self, pool: &Pool, literals: &[TermId]) -> Option<Vec<TermId>> {
        self.stats.asked += 1;
        self.stats.solved += 1;
        if literals.contains(&Pool::FALSE) {
            return Some(vec![Pool::FALSE]);
        }
        self.make_room(pool, literals);
        match self.solver.check(pool, literals, &self.budget) {
            Answer::Unsat => Some(self.solver.core().to_vec()),
            _ => None,
        }
    }

    fn contains_core(&self, key: &[TermId]) -> bool {
        let has = |core: &[TermId]| core.iter().all(|t| key.binary_search(t).is_ok());
        key.iter().any(|t| self.cores.get(t).is_some_and(|cores| cores.iter().any(|c| has(c))))
    }

    fn by_recent(&self, pool: &Pool, key: &[TermId], vars: &[TermId]) -> Option<Model> {
        for model in self.recent.iter().rev() {
            let assignment: Assignment = model.iter().cloned().collect();
            let mut eval = Evaluator::new(pool, &assignment);
            if key.iter().all(|&t| eval.holds(t)) {
                let values = vars.iter().map(|&v| (v, eval.eval(v))).collect();
                return Some(Rc::new(values));
            }
        }
        None
    }

    fn make_room(&mut self, pool: &Pool, literals: &[TermId]) {
        let mut asked = 0;
        for &t in literals {
            let size = match self.sizes.get(&t) {
                Some(&size) => size,
                None => {
                    let size = pool.size(t);
                    self.sizes.insert(t, size);
                    size
                }
            };
            asked += size;
            if self.seen.insert(t) {
                self.load += size;
            }
        }
        if self.load > FULL + TIMES * asked {
            self.solver = (self.make)();
            self.seen = literals.iter().copied().collect();
            self.load = asked;
        }
    }

    fn solve(&mut self, pool: &Pool, key: &[TermId], vars: &[TermId]) -> Found {
        self.stats.solved += 1;
        self.make_room(pool, key);
        match self.solver.check(pool, key, &self.budget) {
            Answer::Unsat => {
                let mut core: Vec<TermId> = self.solver.core().to_vec();
                core.sort_unstable();
                if let Some(&last) = core.last() {
                    self.cores.entry(last).or_default().push(core.into());
                }
                Found::Unsat
            }
            Answer::Unknown(why) => Found::Unknown(why),
            Answer::Sat => match self.solver.model(pool, vars) {
                Ok(model) => {
                    let value = |&v: &TermId| {
                        let default = || Value::default_of(pool, pool.sort_id_of(v));
                        (v, model.get(&v).cloned().unwrap_or_else(default))
                    };
                    let model: Model = Rc::new(vars.iter().map(value).collect());
                    if self.recent.len() == RECENT {
                        self.recent.remove(0);
                    }
                    self.recent.push(model.clone());
                    Found::Sat(model)
                }
                Err(why) => Found::Unknown(why),
            },
        }
    }
}
