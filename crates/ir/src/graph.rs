//! A function as a graph: its locations numbered densely, its edges in
//! `petgraph`'s adjacency form, and its straight-line chains as basic blocks.
//!
//! `petgraph` supplies the graph type and strongly connected components
//! (Kosaraju's algorithm, as the library's Tarjan recurses and a function may be
//! a chain of a hundred thousand locations). Dominators are our own, see
//! [`crate::dom`].

use petgraph::Direction;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;

use crate::{Body, EdgeId, FuncId, LocId, Program};

/// The control-flow graph of one function.
pub struct Graph {
    pub func: FuncId,
    pub entry: u32,
    pub exit: u32,
    /// Node `i` is `locs()[i]`.
    pub flow: DiGraph<LocId, EdgeId>,
    index: FxHashMap<LocId, u32>,
    /// Nodes reachable from the entry, in reverse post-order of a depth-first search.
    rpo: Vec<u32>,
    /// Position in `rpo`, or `u32::MAX` for unreachable nodes.
    order: Vec<u32>,
}

impl Graph {
    /// The graph of a function, or `None` if it has no body.
    pub fn new(p: &Program, func: FuncId) -> Option<Graph> {
        let body: &Body = p.funcs[func].body.as_ref()?;
        let mut flow = DiGraph::with_capacity(body.locs.len(), body.edges.len());
        let mut index = FxHashMap::with_capacity_and_hasher(body.locs.len(), Default::default());
        for &l in &body.locs {
            index.insert(l, flow.add_node(l).index() as u32);
        }
        for &l in &body.locs {
            for &e in &p.locs[l].out {
                let dst = index[&p.edges[e].dst];
                flow.add_edge(NodeIndex::new(index[&l] as usize), NodeIndex::new(dst as usize), e);
            }
        }
        let (entry, exit) = (index[&body.entry], index[&body.exit]);
        let rpo = reverse_post_order(flow.node_count(), entry, |n| successors(&flow, n));
        let mut order = vec![u32::MAX; flow.node_count()];
        for (i, &n) in rpo.iter().enumerate() {
            order[n as usize] = i as u32;
        }
        Some(Graph { func, entry, exit, flow, index, rpo, order })
    }

    pub fn len(&self) -> usize {
        self.flow.node_count()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of a location of this function.
    pub fn node(&self, l: LocId) -> u32 {
        self.index[&l]
    }

    pub fn loc(&self, node: u32) -> LocId {
        self.flow[NodeIndex::new(node as usize)]
    }

    /// Successors in the order of the location's edges.
    pub fn succs(&self, node: u32) -> Vec<u32> {
        successors(&self.flow, node)
    }

    pub fn preds(&self, node: u32) -> impl Iterator<Item = u32> + '_ {
        let n = NodeIndex::new(node as usize);
        self.flow.neighbors_directed(n, Direction::Incoming).map(|m| m.index() as u32)
    }

    /// The nodes reachable from the entry, each before its successors except along retreating edges.
    pub fn reverse_post_order(&self) -> &[u32] {
        &self.rpo
    }

    pub fn is_reachable(&self, node: u32) -> bool {
        self.order[node as usize] != u32::MAX
    }

    /// Does an edge between these (reachable) nodes go backwards in the depth-first order?
    pub fn is_retreating(&self, from: u32, to: u32) -> bool {
        self.order[to as usize] <= self.order[from as usize]
    }
}

/// The neighbours of a node, first edge first (the library keeps the last edge first).
fn successors(flow: &DiGraph<LocId, EdgeId>, node: u32) -> Vec<u32> {
    let mut next: Vec<u32> =
        flow.neighbors(NodeIndex::new(node as usize)).map(|n| n.index() as u32).collect();
    next.reverse();
    next
}

/// The nodes reachable from `root` in reverse post-order. Iterative.
pub fn reverse_post_order<I: IntoIterator<Item = u32>>(
    nodes: usize,
    root: u32,
    mut succs: impl FnMut(u32) -> I,
) -> Vec<u32> {
    let mut seen = vec![false; nodes];
    let mut order = Vec::new();
    let mut stack = vec![(root, succs(root).into_iter())];
    seen[root as usize] = true;
    while let Some((node, next)) = stack.last_mut() {
        match next.next() {
            Some(m) if !seen[m as usize] => {
                seen[m as usize] = true;
                let successors = succs(m).into_iter();
                stack.push((m, successors));
            }
            Some(_) => {}
            None => {
                order.push(*node);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

/// Straight-line chains of edges. A block starts at a location where control meets or parts, or
/// at the entry, and runs through locations with one way in and one way out.
pub struct Blocks {
    pub blocks: Vec<Block>,
    /// For each node of the graph: its block, and its position in [`Block::locs`].
    position: Vec<(u32, u32)>,
}

#[derive(Clone, Debug)]
pub struct Block {
    /// At least one. Only the last may have any number of ways out but one.
    pub locs: Vec<LocId>,
    /// The edges between consecutive locations (one fewer than `locs`).
    pub edges: Vec<EdgeId>,
    /// The edges that leave the last location, and the blocks they lead to.
    pub out: Vec<(EdgeId, u32)>,
    pub preds: Vec<u32>,
}

impl Blocks {
    /// All blocks, those reachable from the entry first, in reverse post-order.
    pub fn new(p: &Program, g: &Graph) -> Blocks {
        let only_out = |l: LocId| match p.locs[l].out[..] {
            [e] => Some(e),
            _ => None,
        };
        // A location continues a chain if its only way in is the only way out of another one.
        let continues = |l: LocId| {
            g.node(l) != g.entry
                && match p.locs[l].inn[..] {
                    [e] => p.edges[e].src != l && only_out(p.edges[e].src).is_some(),
                    _ => false,
                }
        };
        let mut blocks = Blocks { blocks: Vec::new(), position: vec![(u32::MAX, 0); g.len()] };
        let unreachable = (0..g.len() as u32).filter(|&n| !g.is_reachable(n));
        let nodes: Vec<u32> = g.rpo.iter().copied().chain(unreachable).collect();
        // Unreachable cycles may consist of chain locations only: the second round breaks them.
        for round in 0..2 {
            for &n in &nodes {
                let start = g.loc(n);
                if blocks.position[n as usize].0 != u32::MAX || (round == 0 && continues(start)) {
                    continue;
                }
                blocks.grow(p, g, start, continues);
            }
        }
        for b in 0..blocks.blocks.len() {
            let last = *blocks.blocks[b].locs.last().expect("a block has a location");
            for &e in &p.locs[last].out {
                let to = blocks.position[g.node(p.edges[e].dst) as usize].0;
                blocks.blocks[b].out.push((e, to));
                blocks.blocks[to as usize].preds.push(b as u32);
            }
        }
        blocks
    }

    fn grow(&mut self, p: &Program, g: &Graph, start: LocId, continues: impl Fn(LocId) -> bool) {
        let id = self.blocks.len() as u32;
        let mut block = Block { locs: vec![start], edges: Vec::new(), out: Vec::new(), preds: Vec::new() };
        self.position[g.node(start) as usize] = (id, 0);
        let mut last = start;
        while let [e] = p.locs[last].out[..] {
            let next = p.edges[e].dst;
            let slot = &mut self.position[g.node(next) as usize];
            if !continues(next) || slot.0 != u32::MAX {
                break;
            }
            *slot = (id, block.locs.len() as u32);
            block.edges.push(e);
            block.locs.push(next);
            last = next;
        }
        self.blocks.push(block);
    }

    /// The block of a node and the node's position in it.
    pub fn position(&self, node: u32) -> (u32, u32) {
        self.position[node as usize]
    }
}
