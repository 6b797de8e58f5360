//! The solver for all questions: bit-blasting where it can, in turns with integers
//! where that takes long, Z3 for the rest.
//!
//! Everything is told to both, which costs little, because Z3 writes down what
//! it is told until it is asked. The moment a formula has integers or equations
//! between arrays in it, Z3 is asked instead. Its models are checked: before
//! version 4.16 it finds arrays equal that are not (constant ones over short
//! indices).

use cairn_base::Budget;
use cairn_term::{Assignment, Pool, TermId};

use crate::intblast::IntBlast;
use crate::sat::Sat;
use crate::shield::Shield;
use crate::z3::Z3;
use crate::{Answer, Solver, Why};

/// How many conflicts bits may have before integers are tried, and how many steps of Z3's these may
/// take then. (Counts and no times, so that answers do not depend on how busy the machine is.)
const TURN: Turn = Turn { conflicts: 4_000, steps: 10_000 };
/// The same where sums are what it is about.
const SUMS: Turn = Turn { conflicts: 250, steps: 1_000_000 };
/// Steps of Z3 that a limit on conflicts allows for each of them.
const STEPS_PER_CONFLICT: u64 = 250;
/// How both grow from turn to turn.
const GROWTH: u64 = 4;

#[derive(Copy, Clone)]
struct Turn {
    conflicts: u64,
    steps: u64,
}

pub struct Auto {
    sat: Sat,
    integers: Shield<IntBlast>,
    z3: Shield<Z3>,
    /// Who gave the last answer.
    by: By,
    first: Turn,
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
            first: TURN,
        }
    }

    /// For questions about sums rather than bits: integers are given a good try.
    pub fn for_sums() -> Auto {
        Auto { first: SUMS, ..Auto::new() }
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
        let Turn { mut conflicts, mut steps } = self.first;
        loop {
            self.by = By::Sat;
            let quick = Budget { max_steps: budget.max_steps.min(conflicts), ..budget.clone() };
            match self.sat.check(pool, assumptions, &quick) {
                Answer::Unknown(Why::Unsupported(_)) => {
                    self.by = By::Z3;
                    return self.z3.check(pool, assumptions, budget);
                }
                Answer::Unknown(Why::Limit(_))
                    if conflicts < budget.max_steps && budget.exceeded().is_none() => {}
                answer => return answer,
            }
            self.by = By::Integers;
            let most = budget.max_steps.saturating_mul(STEPS_PER_CONFLICT);
            let quick = Budget { max_steps: most.min(steps), ..budget.clone() };
            match self.integers.check(pool, assumptions, &quick) {
                Answer::Unknown(why) if budget.exceeded().is_none() => {
                    // Without a limit that was reached, a longer try would end as this one did.
                    let again = matches!(why, Why::Limit(_));
                    conflicts = if again { conflicts.saturating_mul(GROWTH) } else { u64::MAX };
                    steps = steps.saturating_mul(GROWTH);
                }
                answer => return answer,
            }
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
