//! Abstract reachability trees (Definition 2 of the paper): paths of the graph
//! from the entry, each with a label that over-approximates what is reachable
//! along it, and covers between a path and a prefix of it that ends at the same
//! vertex.

use cairn_base::entity_impl;
use cairn_summary::Vertex;
use cairn_term::{Pool, TermId};

/// A path of the tree.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);
entity_impl!(NodeId, "n");

#[derive(Clone, Debug)]
pub struct Node {
    /// The path without its last step, and that step.
    pub parent: Option<(NodeId, usize)>,
    pub vertex: Vertex,
    pub depth: u32,
    /// One for each step that leaves the vertex, once it is expanded.
    pub children: Vec<NodeId>,
    /// Conjuncts of the label.
    pub label: Vec<TermId>,
    /// The prefix that covers it.
    pub cover: Option<NodeId>,
    /// The paths that it covers.
    pub covers: Vec<NodeId>,
    /// Its label excludes that the target is reached from here.
    pub pruned: bool,
    /// It must not cover: some longer path is a dead end for reasons that its label does not give.
    pub stiff: bool,
    /// The values of the last step's unknowns when a test last took it.
    pub values: Vec<i128>,
    /// The number of the test that first came here.
    pub test: Option<u32>,
}

#[derive(Default)]
pub struct Art {
    nodes: Vec<Node>,
}

impl Art {
    pub const ROOT: NodeId = NodeId(0);

    pub fn new(entry: Vertex) -> Art {
        let mut art = Art::default();
        art.add(None, entry, 0);
        art
    }

    fn add(&mut self, parent: Option<(NodeId, usize)>, vertex: Vertex, depth: u32) -> NodeId {
        self.nodes.push(Node {
            parent,
            vertex,
            depth,
            children: Vec::new(),
            label: Vec::new(),
            cover: None,
            covers: Vec::new(),
            pruned: false,
            stiff: false,
            values: Vec::new(),
            test: None,
        });
        NodeId(self.nodes.len() as u32 - 1)
    }

    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    pub fn get(&self, n: NodeId) -> &Node {
        &self.nodes[n.0 as usize]
    }

    pub fn get_mut(&mut self, n: NodeId) -> &mut Node {
        &mut self.nodes[n.0 as usize]
    }

    pub fn ids(&self) -> impl Iterator<Item = NodeId> + use<> {
        (0..self.nodes.len() as u32).map(NodeId)
    }

    pub fn child(&mut self, parent: NodeId, step: usize, vertex: Vertex) -> NodeId {
        let depth = self.get(parent).depth + 1;
        let n = self.add(Some((parent, step)), vertex, depth);
        self.get_mut(parent).children.push(n);
        n
    }

    /// A leaf that is neither pruned nor covered.
    pub fn is_frontier(&self, n: NodeId) -> bool {
        let node = self.get(n);
        node.children.is_empty() && !node.pruned && node.cover.is_none()
    }

    /// Lies behind a path that nobody takes.
    pub fn is_cut_off(&self, n: NodeId) -> bool {
        let mut at = n;
        while let Some((parent, _)) = self.get(at).parent {
            at = parent;
            if self.get(at).pruned {
                return true;
            }
        }
        false
    }

    pub fn label(&self, pool: &mut Pool, n: NodeId) -> TermId {
        pool.and(&self.get(n).label)
    }

    /// The nodes from behind `from` (the root if there is none) to `n`, each with its last step.
    pub fn path(&self, from: Option<NodeId>, n: NodeId) -> Vec<(NodeId, usize)> {
        let mut path = Vec::new();
        let mut at = n;
        while Some(at) != from {
            let Some((parent, step)) = self.get(at).parent else { break };
            path.push((at, step));
            at = parent;
        }
        path.reverse();
        path
    }

    /// The prefixes that end at the same vertex, the longest first.
    pub fn twins(&self, n: NodeId) -> Vec<NodeId> {
        let vertex = self.get(n).vertex;
        let mut twins = Vec::new();
        let mut at = n;
        while let Some((parent, _)) = self.get(at).parent {
            at = parent;
            if self.get(at).vertex == vertex {
                twins.push(at);
            }
        }
        twins
    }
}
