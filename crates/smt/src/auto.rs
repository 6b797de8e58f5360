//! The solver for all questions: bit-blasting where it can, integers where that
//! takes long, Z3 for the rest.
//!
//! Everything is told to both, which costs little, because Z3 writes down what
//! it is told until it is asked. The moment a formula has integers or equations
//! between arrays in it, Z3 is asked instead. Its models are checked: before
//! version 4.16 it finds arrays equal that are not (constant ones over short
//! indices).

use std::time::Duration;

use cairn_base::Budget;
use cairn_term::{Assignment, Pool, TermId};

use crate::intblast::IntBlast;
use crate::sat::Sat;
use crate::shield::Shield;
use crate::z3::Z3;
use crate::{Answer, Solver, Why};

/// How many conflicts to try bits before integers, and how long integers before bits again.
const BITS: u64 = 4_000;
const INTEGERS: Duration = Duration::from_secs(10);

pub struct Auto {
    sat: Sat,
    integers: Shield<IntBlast>,
    z3: Shield<Z3>,
    /// Who gave the last answer.
    by: By,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum By {
    Sat,
    Integers,
    Z3,
}

impl Default for Auto {
    fn default() -> Auto {
        Auto::new()
    }
}

impl Auto {
    pub fn new() -> Auto {
        Auto {
            sat: Sat::new(),
            integers: Shield::new(IntBlast::default()),
            z3: Shield::new(Z3::new()),
            by: By::Sat,
        }
    }

    fn current(&mut self) -> &mut dyn Solver {
        match self.by {
            By::Sat => &mut self.sat,
            By::Integers => &mut self.integers,
            By::Z3 => &mut self.z3,
        }
    }
}

impl Solver for Auto {
    fn name(&self) -> &str {
        match self.by {
            By::Sat => self.sat.name(),
            By::Integers => self.integers.name(),
            By::Z3 => self.z3.name(),
        }
    }

    fn push(&mut self) {
        self.sat.push();
        self.integers.push();
        self.z3.push();
    }

    fn pop(&mut self) {
        self.sat.pop();
        self.integers.pop();
        self.z3.pop();
    }

    fn assert(&mut self, pool: &Pool, t: TermId) {
        self.sat.assert(pool, t);
        self.integers.assert(pool, t);
        self.z3.assert(pool, t);
    }

    fn check(&mut self, pool: &Pool, assumptions: &[TermId], budget: &Budget) -> Answer {
        self.by = By::Sat;
        let quick = Budget { max_steps: budget.max_steps.min(BITS), ..budget.clone() };
        match self.sat.check(pool, assumptions, &quick) {
            Answer::Unknown(Why::Unsupported(_)) => {
                self.by = By::Z3;
                self.z3.check(pool, assumptions, budget)
            }
            Answer::Unknown(Why::Limit(_)) if budget.exceeded().is_none() => {
                self.by = By::Integers;
                match self.integers.check(pool, assumptions, &budget.clone().within(INTEGERS)) {
                    Answer::Unknown(_) if budget.exceeded().is_none() => {
                        self.by = By::Sat;
                        self.sat.check(pool, assumptions, budget)
                    }
                    answer => answer,
                }
            }
            answer => answer,
        }
    }

    fn model(&mut self, pool: &Pool, vars: &[TermId]) -> Result<Assignment, Why> {
        self.current().model(pool, vars)
    }

    fn core(&self) -> &[TermId] {
        match self.by {
            By::Sat => self.sat.core(),
            By::Integers => self.integers.core(),
            By::Z3 => self.z3.core(),
        }
    }
}
