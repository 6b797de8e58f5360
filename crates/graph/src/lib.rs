//! The graph kit: what engines and analyses need of graphs, independent of what
//! the nodes are. Nodes are numbers from 0; edges are pairs of them.
//!
//! | module | what it is |
//! |---|---|
//! | `digraph` | a graph as it stands: successors, predecessors, reverse post-order, strongly connected components |
//! | `dominators` | dominator trees |
//! | `loops` | natural loops with their nesting, irreducible regions |
//! | `wto` | weak topological orders, and what a *loop head* is |
//! | `distance` | shortest distances to a set of nodes, with weights |
//! | `reach` | a reachability graph that grows: labels, covers, removal of sub-trees |
//! | `waitlist` | in which order its open nodes are taken: searchers |
//!
//! The nodes of a program's graphs are its locations; the views are in `cairn_ir`.

pub mod digraph;
pub mod distance;
pub mod dominators;
pub mod loops;
pub mod reach;
#[cfg(test)]
mod testing;
pub mod waitlist;
pub mod wto;

pub use digraph::Digraph;
pub use dominators::Dominators;
pub use reach::{NodeId, ReachGraph};
pub use wto::Wto;
