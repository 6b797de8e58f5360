//! A decorator that has one solver checked by another.
//!
//! Both are asked. If one says yes and the other no, that is a failure and no
//! answer. What the second does not know is left to the first.

use cairn_base::Budget;
use cairn_term::{Assignment, Pool, TermId};

use crate::{Answer, Solver, Why};

pub struct Cross<A, B> {
    first: A,
    second: B,
    name: String,
    /// Which solver's model and core to show.
    by_second: bool,
}

impl<A: Solver, B: Solver> Cross<A, B> {
    pub fn new(first: A, second: B) -> Cross<A, B> {
        let name = format!("{}+{}", first.name(), second.name());
        Cross { first, second, name, by_second: false }
    }
}

impl<A: Solver, B: Solver> Solver for Cross<A, B> {
    fn name(&self) -> &str {
        &self.name
    }

    fn push(&mut self) {
        self.first.push();
        self.second.push();
    }

    fn pop(&mut self) {
        self.first.pop();
        self.second.pop();
    }

    fn assert(&mut self, pool: &Pool, t: TermId) {
        self.first.assert(pool, t);
        self.second.assert(pool, t);
    }

    fn check(&mut self, pool: &Pool, assumptions: &[TermId], budget: &Budget) -> Answer {
        let one = self.first.check(pool, assumptions, budget);
        let two = self.second.check(pool, assumptions, budget);
        self.by_second = false;
        match (one, two) {
            (Answer::Sat, Answer::Unsat) | (Answer::Unsat, Answer::Sat) => {
                let (one, two) = (self.first.name(), self.second.name());
                Answer::Unknown(Why::Failed(format!("{one} and {two} contradict each other")))
            }
            (Answer::Unknown(_), two @ (Answer::Sat | Answer::Unsat)) => {
                self.by_second = true;
                two
            }
            (one, _) => one,
        }
    }

    fn model(&mut self, pool: &Pool, vars: &[TermId]) -> Result<Assignment, Why> {
        if self.by_second { self.second.model(pool, vars) } else { self.first.model(pool, vars) }
    }

    fn core(&self) -> &[TermId] {
        if self.by_second { self.second.core() } else { self.first.core() }
    }
}
