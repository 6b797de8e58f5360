//! The symbolic execution tree. A node is a state at a place where ways part or
//! meet; it is a leaf until it is executed, and done when its whole sub-tree is.

use std::rc::Rc;

use cairn_graph::reach::{Node, ReachGraph};
use cairn_ir::LocId;
use cairn_term::TermId;

use crate::table::PlaceKey;
use cairn_path::machine::Stay;
use cairn_path::path::{Hop, Path};

pub use cairn_graph::NodeId;

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Status {
    /// To be executed.
    Leaf,
    Inner,
    Done,
}

/// What is kept of a state.
pub struct Visit {
    pub status: Status,
    /// Children that are not done.
    pub open: u32,
    pub at: LocId,
    /// The state; dropped when the node is done.
    pub path: Option<Rc<Path>>,
    /// The steps from the parent's state, and the stays in loops that ended on the way.
    pub hops: Vec<Hop>,
    pub ended: Vec<Stay>,
    /// The interpolant so far; `None` if there is none.
    pub parts: Option<Vec<TermId>>,
    /// For each loop around the state: how often its head was visited in this stay on the way here,
    /// and the most visits known on any way through the sub-tree.
    pub stays: Vec<Stay>,
    pub peaks: Vec<Stay>,
    /// Ways have parted since the head of a loop was a node.
    pub turned: bool,
    /// Where its interpolant goes, if it is of use to others.
    pub key: Option<PlaceKey>,
    /// All that matters of the state is constant.
    pub exact: bool,
}

#[derive(Default)]
pub struct Tree {
    graph: ReachGraph<Visit>,
}

impl Tree {
    pub fn get(&self, n: NodeId) -> &Node<Visit> {
        self.graph.get(n)
    }

    pub fn get_mut(&mut self, n: NodeId) -> &mut Visit {
        self.graph.get_mut(n)
    }

    pub fn len(&self) -> usize {
        self.graph.size()
    }

    pub fn ids(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.graph.ids()
    }

    pub fn is_leaf(&self, n: NodeId) -> bool {
        self.get(n).status == Status::Leaf
    }

    pub fn add(&mut self, parent: Option<NodeId>, visit: Visit) -> NodeId {
        if let Some(p) = parent {
            self.get_mut(p).open += 1;
        }
        self.graph.add(parent, visit)
    }

    /// Is the first node above the second, or the same?
    pub fn is_above(&self, above: NodeId, n: NodeId) -> bool {
        self.graph.is_above(above, n)
    }

    /// The leaf that a walk from the root comes to which chooses by `choose(n)` among `n` ways.
    pub fn walk(&self, choose: impl FnMut(usize) -> usize) -> Option<NodeId> {
        let end = self.graph.walk(NodeId::FIRST, |node| node.status != Status::Done, choose)?;
        self.is_leaf(end).then_some(end)
    }
}
