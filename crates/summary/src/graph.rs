//! Weighted graphs: control flow with transition formulas on the edges.

use crate::{Space, Transition};

/// A vertex, by its number.
pub type Vertex = u32;

#[derive(Clone, Debug)]
pub struct Edge {
    pub src: Vertex,
    pub dst: Vertex,
    pub weight: Transition,
}

/// A weighted graph `(V, E, w, s, t)` over the variables of a space (Section 3 of the paper).
/// Vertices are `0..vertices`.
#[derive(Clone, Debug)]
pub struct Graph {
    pub space: Space,
    pub vertices: u32,
    pub edges: Vec<Edge>,
    /// `s`.
    pub entry: Vertex,
    /// `t`: no edge leaves it.
    pub target: Vertex,
}
