//! Ends the steps of an unrolling that take long: an access through a pointer to
//! any of a thousand objects, or the merge of states that differ in as many cells.
//! What such a step makes after that means nothing; the unrolling that pulls
//! the brake says that it was stopped.

use std::cell::Cell;

use cairn_base::Budget;

/// Steps between two looks at the budget.
const STEPS_PER_BUDGET_CHECK: u32 = 4;

/// Asks the budget now and then, and remembers that it is used up.
#[derive(Default)]
pub struct Brake {
    /// Without one it is never pulled.
    budget: Option<Budget>,
    steps: Cell<u32>,
    pulled: Cell<bool>,
}

impl Brake {
    pub fn new(budget: Budget) -> Brake {
        Brake { budget: Some(budget), ..Brake::default() }
    }

    /// Counts a step: is the work to end?
    pub fn pulled(&self) -> bool {
        let steps = self.steps.get() + 1;
        self.steps.set(steps % STEPS_PER_BUDGET_CHECK);
        if steps == STEPS_PER_BUDGET_CHECK && self.budget.as_ref().is_some_and(|b| b.exceeded().is_some()) {
            self.pulled.set(true);
        }
        self.pulled.get()
    }

    /// Has it been pulled before?
    pub fn is_pulled(&self) -> bool {
        self.pulled.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_pulled_once_and_for_all() {
        let budget = Budget::default();
        let brake = Brake::new(budget.clone());
        assert!((0..2 * STEPS_PER_BUDGET_CHECK).all(|_| !brake.pulled()));
        budget.cancel.raise();
        assert!((0..STEPS_PER_BUDGET_CHECK).any(|_| brake.pulled()));
        assert!(brake.is_pulled() && brake.pulled());
        assert!((0..2 * STEPS_PER_BUDGET_CHECK).all(|_| !Brake::default().pulled()));
    }
}
