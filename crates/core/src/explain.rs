//! The course of a search, for people: the tree of paths with its labels and
//! covers, and what happened in order. An engine records it if it is asked to;
//! it is plain data, and others draw it and put it into words. Nothing rests on it.

use std::collections::BTreeMap;

use cairn_base::PrimaryMap;
use cairn_term::{Op, Pool, TermId};
use rustc_hash::FxHashMap;

/// A path of the tree, by its last node.
pub use cairn_graph::NodeId;

/// A search that is over.
#[derive(Clone, Debug)]
pub struct Explanation {
    pub numbers: Numbers,
    /// The root comes first, and a child after its parent.
    pub nodes: PrimaryMap<NodeId, Node>,
    /// The vertices of the program's graph; nodes name them by index.
    pub vertices: Vec<Vertex>,
    /// The steps of that graph that the tree has, by number.
    pub steps: BTreeMap<usize, Step>,
    /// What happened, in order.
    pub entries: Vec<Entry>,
    /// Entries that were not recorded.
    pub left_out: usize,
    pub figures: Figures,
    /// How it ended, in a sentence.
    pub outcome: String,
    pub formulas: Formulas,
}

/// The formulas of labels, and how variables in them are shown.
#[derive(Clone, Default, Debug)]
pub struct Formulas {
    pub pool: Pool,
    /// Names of variables of the search.
    pub names: FxHashMap<TermId, String>,
}

impl Formulas {
    /// The name of a variable of the search, or what an unknown was made for.
    pub fn name(&self, t: TermId) -> Option<String> {
        if let Some(name) = self.names.get(&t) {
            return Some(name.clone());
        }
        match self.pool.op(t) {
            Op::Var(v) => {
                let name = self.pool.var_name(v);
                Some(name.split_once('!').map_or(name.as_str(), |(hint, _)| hint).to_owned())
            }
            _ => None,
        }
    }
}

/// How a search reads arithmetic.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Numbers {
    Integers,
    WrapAround,
}

#[derive(Clone, Debug)]
pub struct Node {
    /// The path without its last step, and that step.
    pub parent: Option<(NodeId, usize)>,
    pub vertex: u32,
    pub depth: u32,
    pub children: Vec<NodeId>,
    /// Conjuncts of the label.
    pub label: Vec<TermId>,
    /// The node that covers it.
    pub cover: Option<NodeId>,
    /// The error is not reached from here.
    pub is_dead_end: bool,
    /// The number of the test that first came here.
    pub test: Option<u32>,
}

/// A place of the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Vertex {
    /// Where it is: `line 7 in f`.
    pub place: String,
    pub is_head: bool,
    /// It is the error.
    pub is_target: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// What it does, in the style of C.
    pub text: String,
    /// Names of the values that a test chooses when it takes the step.
    pub unknowns: Vec<String>,
}

#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Figures {
    pub tests: u32,
    pub dead_ends: u32,
    pub covers: u32,
    pub uncovers: u32,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Entry {
    Test(Test),
    /// The target cannot be reached behind this path; the labels along it say why, or do not.
    DeadEnd {
        node: NodeId,
        explained: bool,
    },
    /// A label got stronger by a condition.
    Refined {
        node: NodeId,
        by: TermId,
    },
    Covered {
        node: NodeId,
        by: NodeId,
    },
    Uncovered {
        node: NodeId,
        by: NodeId,
    },
}

/// The execution of a test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Test {
    /// The path that it extends.
    pub from: NodeId,
    /// Values of the unknowns of the last step of a path, in the order in which they were chosen.
    pub choices: Vec<(NodeId, Vec<i128>)>,
    /// The path on which it reached the target, or on which the program itself was run and did.
    pub reached: Option<NodeId>,
}

impl Explanation {
    pub const ROOT: NodeId = NodeId::FIRST;

    /// The nodes from the root to `n`, both included.
    pub fn path(&self, n: NodeId) -> Vec<NodeId> {
        let mut path = vec![n];
        let mut at = n;
        while let Some((parent, _)) = self.nodes[at].parent {
            path.push(parent);
            at = parent;
        }
        path.reverse();
        path
    }
}

impl Node {
    /// A leaf that is neither a dead end nor covered.
    pub fn is_frontier(&self) -> bool {
        self.children.is_empty() && !self.is_dead_end && self.cover.is_none()
    }
}
