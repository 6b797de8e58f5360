//! Which candidates are invariants of a loop together?
//!
//! Candidates that a counterexample violates are dropped until there is none
//! (Flanagan and Leino, "Houdini, an annotation assistant for ESC/Java", 2001).

use std::borrow::Borrow;

use cairn_base::Budget;
use cairn_smt::Why;
use cairn_smt::arith::conjuncts;
use cairn_term::{Evaluator, Pool, TermId};

use super::Checker;
use crate::Transition;

impl Checker {
    /// The most of the candidates that hold in every state of `initial` and, where all of them hold,
    /// after every one of the steps again (each from the head of the loop to it). Conjunctions are
    /// taken apart.
    pub fn inductive<T: Borrow<Transition>>(
        &mut self,
        pool: &mut Pool,
        initial: TermId,
        steps: &[T],
        candidates: &[TermId],
        budget: &Budget,
    ) -> Result<Vec<TermId>, Why> {
        let all = pool.and(candidates);
        let mut kept = conjuncts(pool, all);
        let stay = Transition::identity();
        self.drop_violated(pool, initial, &stay, &mut kept, budget)?;
        loop {
            let before = kept.len();
            for step in steps {
                let together = pool.and(&kept);
                self.drop_violated(pool, together, step.borrow(), &mut kept, budget)?;
            }
            if kept.len() == before {
                return Ok(kept);
            }
        }
    }

    /// Drops candidates until all hold after every step from a state of `from`.
    fn drop_violated(
        &mut self,
        pool: &mut Pool,
        from: TermId,
        step: &Transition,
        kept: &mut Vec<TermId>,
        budget: &Budget,
    ) -> Result<(), Why> {
        let map = step.assign.iter().map(|(&v, &t)| (v, t)).collect();
        let mut after: Vec<TermId> = kept.iter().map(|&t| pool.substitute(t, &map)).collect();
        loop {
            let all = pool.and(&after);
            let wrong = pool.not(all);
            let whole = pool.and(&[from, step.guard, wrong]);
            let Some(model) = self.satisfiable(pool, whole, budget)? else { return Ok(()) };
            let mut evaluator = Evaluator::new(pool, &model);
            let holds: Vec<bool> = after.iter().map(|&t| evaluator.holds(t)).collect();
            let mut hold = holds.iter();
            after.retain(|_| hold.next() == Some(&true));
            let mut hold = holds.iter();
            kept.retain(|_| hold.next() == Some(&true));
        }
    }
}
