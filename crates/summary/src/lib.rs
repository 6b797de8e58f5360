//! Path summaries by algebraic program analysis.
//!
//! A program is a weighted graph whose edges carry transition formulas over
//! integer variables. From it come, for every vertex, a formula that
//! over-approximates all paths from there to the target, and one for all paths
//! from the entry to it (Kincaid, Reps and others; Section 6 of the GPS paper).

mod affine;
mod conditional;
mod congruence;
pub mod graph;
mod guards;
pub mod hull;
pub mod interpolant;
mod normal;
mod phase;
mod probe;
mod sample;
pub mod solve;
pub mod star;
mod template;
pub mod transition;
mod trim;

pub use graph::{Edge, Graph, Vertex};
pub use solve::{Options, Summaries, summarise};
pub use transition::{Space, Transition};
