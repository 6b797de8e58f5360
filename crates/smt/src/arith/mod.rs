//! Linear integer arithmetic beyond satisfiability: projection and elimination of
//! quantifiers.
//!
//! Everything here rests on one operation, [`project`]: from a formula and a
//! model of it, a conjunction over fewer variables that the model satisfies and
//! that implies the formula for some value of the others (model-based
//! projection: Komuravelli, Gurfinkel and Chaki, "SMT-based model checking for
//! recursive programs", 2014; Bjørner and Janota, "Playing with quantified
//! satisfaction", 2015). Solvers are only asked plain questions, so any
//! [`crate::Solver`] will do.

mod cube;
mod eliminate;
mod project;

pub use eliminate::{conjuncts, eliminate};
pub use project::project;
