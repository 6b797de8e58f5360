//! The symbolic execution tree. A node is a state at a place where ways part or
//! meet; it is a leaf until it is executed, and done when its whole sub-tree is.

use std::rc::Rc;

use cairn_ir::LocId;
use cairn_term::TermId;

use crate::table::PlaceKey;
use cairn_path::machine::Stay;
use cairn_path::path::{Hop, Path};

#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub u32);

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Status {
    /// To be executed.
    Leaf,
    Inner,
    Done,
}

pub struct Node {
    pub status: Status,
    pub parent: Option<NodeId>,
    pub children: Vec<NodeId>,
    /// Children that are not done.
    pub open: u32,
    pub at: LocId,
    pub depth: u32,
    /// The state; dropped when the node is done.
    pub path: Option<Rc<Path>>,
    /// The steps from the parent's state, and the stays in loops that ended on the way.
    pub hops: Vec<Hop>,
    pub ended: Vec<Stay>,
    /// The interpolant so far; `None` if there is none.
    pub parts: Option<Vec<TermId>>,
    /// Of the loops around: visits of the head so far, and at most below, so far.
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
    nodes: Vec<Node>,
}

impl Tree {
    pub fn get(&self, n: NodeId) -> &Node {
        &self.nodes[n.0 as usize]
    }

    pub fn get_mut(&mut self, n: NodeId) -> &mut Node {
        &mut self.nodes[n.0 as usize]
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    pub fn is_leaf(&self, n: NodeId) -> bool {
        self.get(n).status == Status::Leaf
    }

    pub fn add(&mut self, node: Node) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        if let Some(p) = node.parent {
            let parent = self.get_mut(p);
            parent.children.push(id);
            parent.open += 1;
        }
        self.nodes.push(node);
        id
    }

    /// Is the first node above the second?
    pub fn is_above(&self, above: NodeId, n: NodeId) -> bool {
        let mut at = n;
        while at > above {
            match self.get(at).parent {
                Some(p) => at = p,
                None => return false,
            }
        }
        at == above
    }

    /// The leaf that a walk from the root comes to which chooses by `choose(n)` among `n` ways.
    pub fn walk(&self, mut choose: impl FnMut(usize) -> usize) -> Option<NodeId> {
        let mut at = NodeId(0);
        loop {
            let node = self.nodes.get(at.0 as usize)?;
            match node.status {
                Status::Leaf => return Some(at),
                Status::Done => return None,
                Status::Inner => {
                    let open: Vec<NodeId> = node
                        .children
                        .iter()
                        .copied()
                        .filter(|&c| self.get(c).status != Status::Done)
                        .collect();
                    if open.is_empty() {
                        return None;
                    }
                    at = open[choose(open.len())];
                }
            }
        }
    }
}
