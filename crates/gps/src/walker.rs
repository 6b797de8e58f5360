//! Questions of a test on its way: from this state, is there a step behind which
//! the target may be reached?

use cairn_base::Budget;
use cairn_smt::z3::Z3;
use cairn_smt::{Answer, Solver, Why};
use cairn_term::{Assignment, Pool, TermId};

#[derive(Default)]
pub struct Walker {
    solver: Z3,
}

impl Walker {
    /// Values of the unknowns of a formula that make it true in a state, if there are any.
    pub fn model(
        &mut self,
        pool: &mut Pool,
        vars: &[TermId],
        state: &[i128],
        formula: TermId,
        budget: &Budget,
    ) -> Result<Option<Assignment>, Why> {
        // Values are put in here: what is left is often decided, and mostly small.
        let map = vars.iter().zip(state).map(|(&x, &n)| (x, pool.int(n))).collect();
        let formula = pool.substitute(formula, &map);
        match pool.as_bool(formula) {
            Some(true) => return Ok(Some(Assignment::default())),
            Some(false) => return Ok(None),
            None => {}
        }
        let free = pool.free_vars(&[formula]);
        self.solver.push();
        self.solver.assert(pool, formula);
        let found = match self.solver.check(pool, &[], budget) {
            Answer::Unsat => Ok(None),
            Answer::Unknown(why) => Err(why),
            Answer::Sat => self.solver.model(pool, &free).map(Some),
        };
        self.solver.pop();
        found
    }
}
