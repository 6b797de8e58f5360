//! Path summaries by algebraic program analysis.
//!
//! A program is a weighted graph whose edges carry transition formulas over
//! integer variables. From it come, for every vertex, a formula that
//! over-approximates all paths from there to the target, and one for all paths
//! from the entry to it (Kincaid, Reps and others; Section 6 of the GPS paper).

pub mod graph;
pub mod transition;

pub use graph::{Edge, Graph, Vertex};
pub use transition::{Space, Transition};
