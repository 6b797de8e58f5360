//! Abstract reachability trees (Definition 2 of the paper): paths of the graph
//! from the entry, each with a label that over-approximates what is reachable
//! along it, and covers between a path and a prefix of it that ends at the same
//! vertex.

use cairn_graph::reach::{Node, ReachGraph};
use cairn_graph::waitlist::Waiting;
use cairn_summary::Vertex;
use cairn_term::{Pool, TermId};

pub use cairn_graph::NodeId;

/// What is kept of a path.
#[derive(Clone, Debug)]
pub struct Prefix {
    /// The last step; the root has none.
    pub step: Option<usize>,
    pub vertex: Vertex,
    /// Those of its label.
    pub conjuncts: Vec<TermId>,
    /// Its label excludes that the target is reached from here.
    pub pruned: bool,
    /// It must not cover: some longer path is a dead end for reasons that its label does not give.
    pub stiff: bool,
    /// The values of the last step's unknowns when a test last took it.
    pub values: Vec<i128>,
    /// The number of the test that first came here.
    pub test: Option<u32>,
}

/// Children of a node are one for each step that leaves its vertex, once it is expanded.
#[derive(Default)]
pub struct Art {
    graph: ReachGraph<Prefix>,
}

impl Art {
    pub const ROOT: NodeId = NodeId::FIRST;

    pub fn new(entry: Vertex) -> Art {
        let mut art = Art::default();
        art.add(None, None, entry);
        art
    }

    fn add(&mut self, parent: Option<NodeId>, step: Option<usize>, vertex: Vertex) -> NodeId {
        let (conjuncts, values) = (Vec::new(), Vec::new());
        let prefix = Prefix { step, vertex, conjuncts, pruned: false, stiff: false, values, test: None };
        self.graph.add(parent, prefix)
    }

    pub fn size(&self) -> usize {
        self.graph.size()
    }

    pub fn get(&self, n: NodeId) -> &Node<Prefix> {
        self.graph.get(n)
    }

    pub fn get_mut(&mut self, n: NodeId) -> &mut Prefix {
        self.graph.get_mut(n)
    }

    pub fn ids(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.graph.ids()
    }

    pub fn child(&mut self, parent: NodeId, step: usize, vertex: Vertex) -> NodeId {
        self.add(Some(parent), Some(step), vertex)
    }

    /// A leaf is covered by a prefix of it. (Leaves cover nothing, so nothing is reopened.)
    pub fn cover(&mut self, n: NodeId, by: NodeId) {
        self.graph.cover(n, by);
    }

    pub fn uncover(&mut self, n: NodeId) {
        self.graph.uncover(n);
    }

    /// A node covers nothing any more; says what it covered.
    pub fn uncover_all(&mut self, by: NodeId) -> Vec<NodeId> {
        self.graph.uncover_all(by)
    }

    /// A leaf that is neither pruned nor covered.
    pub fn is_frontier(&self, n: NodeId) -> bool {
        let node = self.get(n);
        node.children.is_empty() && !node.pruned && node.cover.is_none()
    }

    /// Lies behind a path that no execution takes.
    pub fn is_cut_off(&self, n: NodeId) -> bool {
        self.graph.ancestors(n).any(|a| self.get(a).pruned)
    }

    pub fn label(&self, pool: &mut Pool, n: NodeId) -> TermId {
        pool.and(&self.get(n).conjuncts)
    }

    /// The nodes from behind `from` (the root if there is none) to `n`, each with its last step.
    pub fn path(&self, from: Option<NodeId>, n: NodeId) -> Vec<(NodeId, usize)> {
        let with_step = |n: NodeId| Some((n, self.get(n).step?));
        self.graph.path(from, n).into_iter().filter_map(with_step).collect()
    }

    /// The prefixes that end at the same vertex, the longest first.
    pub fn twins(&self, n: NodeId) -> Vec<NodeId> {
        let vertex = self.get(n).vertex;
        self.graph.ancestors(n).filter(|&a| self.get(a).vertex == vertex).collect()
    }
}

impl Waiting for Art {
    fn is_waiting(&self, n: NodeId) -> bool {
        self.is_frontier(n) && !self.is_cut_off(n)
    }
}
