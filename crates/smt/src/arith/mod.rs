//! Linear integer arithmetic beyond satisfiability: projection,
//! elimination of quantifiers, bounds.
//!
//! Everything here rests on one operation, [`project`]: from a formula and a
//! model of it, a conjunction over fewer variables that the model satisfies and
//! that implies the formula for some value of the others (model-based
//! projection: Komuravelli, Gurfinkel and Chaki, "SMT-based model checking for
//! recursive programs", 2014; Bjørner and Janota, "Playing with quantified
//! satisfaction", 2015). Solvers are only asked plain questions, so any
//! [`crate::Solver`] will do. Z3's own optimiser was tried and runs forever on
//! some formulas of three bounded variables.

mod cube;
mod eliminate;
mod optimise;
mod project;

pub use eliminate::{conjuncts, eliminate};
pub use optimise::{Bound, maximise};
pub use project::project;
