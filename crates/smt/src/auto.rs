//! The solver for all questions: bit-blasting where it can, Z3 for the rest.
//!
//! Everything is told to both, which costs little, because Z3 writes down what
//! it is told until it is asked. The moment a formula has integers or equations
//! between arrays in it, Z3 is asked instead. Its models are checked: before
//! version 4.16 it finds arrays equal that are not (constant ones over short
//! indices).

use cairn_base::Budget;
use cairn_term::{Assignment, Pool, TermId};

use crate::sat::Sat;
use crate::shield::Shield;
use crate::z3::Z3;
use crate::{Answer, Solver, Why};

pub struct Auto {
    sat: Sat,
    z3: Shield<Z3>,
    /// Who gave the last answer.
    by_z3: bool,
}

impl Default for Auto {
    fn default() -> Auto {
        Auto::new()
    }
}

impl Auto {
    pub fn new() -> Auto {
        Auto { sat: Sat::new(), z3: Shield::new(Z3::new()), by_z3: false }
    }
}

impl Solver for Auto {
    fn name(&self) -> &str {
        if self.by_z3 { self.z3.name() } else { self.sat.name() }
    }

    fn push(&mut self) {
        self.sat.push();
        self.z3.push();
    }

    fn pop(&mut self) {
        self.sat.pop();
        self.z3.pop();
    }

    fn assert(&mut self, pool: &Pool, t: TermId) {
        self.sat.assert(pool, t);
        self.z3.assert(pool, t);
    }

    fn check(&mut self, pool: &Pool, assumptions: &[TermId], budget: &Budget) -> Answer {
        let answer = self.sat.check(pool, assumptions, budget);
        self.by_z3 = matches!(answer, Answer::Unknown(Why::Unsupported(_)));
        if self.by_z3 { self.z3.check(pool, assumptions, budget) } else { answer }
    }

    fn model(&mut self, pool: &Pool, vars: &[TermId]) -> Result<Assignment, Why> {
        if self.by_z3 { self.z3.model(pool, vars) } else { self.sat.model(pool, vars) }
    }

    fn core(&self) -> &[TermId] {
        if self.by_z3 { self.z3.core() } else { self.sat.core() }
    }
}
