//! Dominators and post-dominators of a function's locations.

use crate::LocId;
use crate::graph::Graph;

/// The dominator tree of the nodes of a [`Graph`].
pub struct Dominators(pub(crate) cairn_graph::Dominators);

impl Dominators {
    /// Which locations lie on every path from the entry?
    pub fn forward(g: &Graph) -> Dominators {
        Dominators(cairn_graph::Dominators::forward(&g.flow, g.entry))
    }

    /// Which locations lie on every path to the end? The root is one more node, numbered
    /// `g.len()`, see [`cairn_graph::Dominators::backward`].
    pub fn backward(g: &Graph) -> Dominators {
        Dominators(cairn_graph::Dominators::backward(&g.flow, g.entry, g.exit))
    }

    /// Does `a` dominate `b` (or equal it)? False if either cannot be reached from the root.
    pub fn dominates(&self, a: u32, b: u32) -> bool {
        self.0.dominates(a, b)
    }

    /// The immediate dominator in terms of locations (`None` also for the added end node).
    pub fn immediate_loc(&self, g: &Graph, l: LocId) -> Option<LocId> {
        self.0.immediate(g.node(l)).filter(|&n| (n as usize) < g.len()).map(|n| g.loc(n))
    }
}
