//! Hash-consed terms: the formulas every solver back end reads.
//!
//! A [`Pool`] owns all terms; a [`TermId`] is an index into it, equal ids mean
//! equal terms, and the arguments of a term have smaller ids than the term, so
//! that a plain ascending pass over the reachable ids visits arguments first.
//! Constructors simplify locally; what they may assume about the operations is
//! written down once, in [`fold`]. This crate knows no solver and no program.

mod build;
mod check;
pub mod eval;
pub mod fold;
pub mod op;
pub mod parse;
mod pool;
pub mod print;
pub mod random;
pub mod sexp;
pub mod sort;
pub mod traverse;
pub mod value;

pub use eval::{Assignment, Evaluator};
pub use op::{Op, Round, Rounded, VarId};
pub use pool::{Pool, TermId};
pub use sort::{Sort, SortId};
pub use value::{ArrayValue, Value};
