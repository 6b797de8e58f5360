//! Deciding formulas: one small trait, several solvers behind it, and
//! decorators around them.
//!
//! A solver holds assertions in a stack of scopes and answers whether they can
//! hold together, perhaps with further assumptions. `Unsat` and `Sat` are
//! claims; whatever goes wrong (a limit, a crash, an unsupported operation, a
//! nonsensical reply) is [`Answer::Unknown`] with the reason, never a claim.
//!
//! | module | what it is |
//! |---|---|
//! | [`sat`] | bit-blasting to CaDiCaL: booleans, bit-vectors, floats, arrays of them |
//! | [`z3`] | Z3, loaded when first asked: every sort |
//! | [`pipe`] | any SMT-LIB 2 solver as a process |
//! | [`auto`] | the first for what it can do, the second for the rest |
//! | [`log`], [`shield`] | decorators |
//! | [`chain`] | what stands before a solver that is asked about sets of literals very often |
//! | [`houdini`] | which of many candidates hold together |
//! | [`interpolate`] | sequence interpolants |
//! | [`ranges`] | comparisons with constants, decided and put in order without a solver |
//! | [`arith`] | projection and elimination of quantifiers for integers |
//!
//! This crate knows nothing of programs.

pub mod arith;
pub mod auto;
pub mod chain;
pub mod houdini;
pub mod intblast;
pub mod interpolate;
pub mod log;
pub mod pipe;
pub mod ranges;
pub mod sat;
pub mod shield;
mod stack;
pub mod watch;
pub mod z3;

use std::fmt;

use cairn_base::{Budget, Limit};
use cairn_term::{Assignment, Evaluator, Pool, TermId, Value};

/// What a solver says of its assertions and the assumptions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// They can hold together: [`Solver::model`] has values.
    Sat,
    /// They cannot: [`Solver::core`] has assumptions that suffice.
    Unsat,
    Unknown(Why),
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// A limit of the budget.
    Limit(Limit),
    /// The solver gave up; its own words.
    Incomplete(String),
    /// The back end cannot handle the formula.
    Unsupported(String),
    /// The solver failed: it crashed, talked nonsense, is missing, or was caught contradicting
    /// another one or itself.
    Failed(String),
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::Limit(Limit::Time) => f.write_str("out of time"),
            Why::Limit(Limit::Cancelled) => f.write_str("cancelled"),
            Why::Limit(limit) => write!(f, "limit reached: {limit:?}"),
            Why::Incomplete(why) => write!(f, "the solver gave up: {why}"),
            Why::Unsupported(what) => write!(f, "not supported by the solver: {what}"),
            Why::Failed(why) => write!(f, "the solver failed: {why}"),
        }
    }
}

/// A solver over the terms of one pool (the same one in every call).
pub trait Solver {
    fn name(&self) -> &str;

    /// Opens a scope.
    fn push(&mut self);

    /// Closes the innermost scope; its assertions are gone. Without an open scope it does nothing.
    fn pop(&mut self);

    /// Adds an assertion to the innermost scope.
    fn assert(&mut self, pool: &Pool, t: TermId);

    /// Can the assertions and the assumptions hold together? A step of the budget is a conflict, for
    /// solvers that can count them.
    fn check(&mut self, pool: &Pool, assumptions: &[TermId], budget: &Budget) -> Answer;

    /// Values of variables that make everything true, after [`Answer::Sat`] and before anything
    /// else is called. Variables that do not matter may be missing: any value will do for them.
    fn model(&mut self, pool: &Pool, vars: &[TermId]) -> Result<Assignment, Why>;

    /// After [`Answer::Unsat`]: some of the assumptions that contradict the assertions already.
    fn core(&self) -> &[TermId];

    /// The value of any term in the model.
    fn value(&mut self, pool: &Pool, t: TermId) -> Result<Value, Why> {
        let vars = pool.free_vars(&[t]);
        let model = self.model(pool, &vars)?;
        Ok(Evaluator::new(pool, &model).eval(t))
    }
}

impl<S: Solver + ?Sized> Solver for Box<S> {
    fn name(&self) -> &str {
        (**self).name()
    }

    fn push(&mut self) {
        (**self).push();
    }

    fn pop(&mut self) {
        (**self).pop();
    }

    fn assert(&mut self, pool: &Pool, t: TermId) {
        (**self).assert(pool, t);
    }

    fn check(&mut self, pool: &Pool, assumptions: &[TermId], budget: &Budget) -> Answer {
        (**self).check(pool, assumptions, budget)
    }

    fn model(&mut self, pool: &Pool, vars: &[TermId]) -> Result<Assignment, Why> {
        (**self).model(pool, vars)
    }

    fn core(&self) -> &[TermId] {
        (**self).core()
    }
}

/// The solver to use when there is no reason for another: bit-blasting or Z3 as the formula has it,
/// with every model checked before it is passed on.
pub fn standard() -> Box<dyn Solver> {
    Box::new(shield::Shield::new(auto::Auto::new()))
}

/// The same for questions about sums rather than bits, as proofs by induction ask them.
pub fn for_sums() -> Box<dyn Solver> {
    Box::new(shield::Shield::new(auto::Auto::for_sums()))
}

/// The reason for stopping when a budget is used up, for a solver that was interrupted.
fn limit_of(budget: &Budget) -> Why {
    Why::Limit(budget.exceeded().unwrap_or(Limit::Time))
}
