//! A function as a graph: its locations numbered densely, for the algorithms of
//! [`cairn_graph`], and its straight-line chains as basic blocks.

use cairn_graph::{Digraph, Wto, wto};
use rustc_hash::FxHashMap;

use crate::{Body, EdgeId, FuncId, LocId, Program};

/// The control-flow graph of one function.
pub struct Graph {
    pub func: FuncId,
    pub entry: u32,
    pub exit: u32,
    /// Successors in the order of the locations' edges.
    pub flow: Digraph,
    /// The location of each node.
    locs: Vec<LocId>,
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
        let locs = body.locs.clone();
        let index: FxHashMap<LocId, u32> = locs.iter().copied().zip(0..).collect();
        let mut edges = Vec::with_capacity(body.edges.len());
        for (&l, n) in locs.iter().zip(0..) {
            edges.extend(p.locs[l].out.iter().map(|&e| (n, index[&p.edges[e].dst])));
        }
        let flow = Digraph::new(locs.len(), &edges);
        let (entry, exit) = (index[&body.entry], index[&body.exit]);
        let rpo = flow.reverse_post_order(entry);
        let mut order = vec![u32::MAX; locs.len()];
        for (i, &n) in rpo.iter().enumerate() {
            order[n as usize] = i as u32;
        }
        Some(Graph { func, entry, exit, flow, locs, index, rpo, order })
    }

    pub fn len(&self) -> usize {
        self.locs.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of a location of this function.
    pub fn node(&self, l: LocId) -> u32 {
        self.index[&l]
    }

    pub fn loc(&self, node: u32) -> LocId {
        self.locs[node as usize]
    }

    /// The nodes reachable from the entry, each before its successors except along retreating edges.
    pub fn reverse_post_order(&self) -> &[u32] {
        &self.rpo
    }

    pub fn is_reachable(&self, node: u32) -> bool {
        self.order[node as usize] != u32::MAX
    }

    /// The weak topological order of the locations that are reachable from the entry.
    pub fn wto(&self) -> Vec<Wto<LocId>> {
        wto::order(&self.flow, self.entry).iter().map(|e| e.map(&|n| self.loc(n))).collect()
    }

    /// The loop heads of the function, ascending: the heads of its weak topological order, see
    /// [`cairn_graph::wto`]. Together they lie on every cycle.
    pub fn heads(&self) -> Vec<LocId> {
        let heads = wto::heads(&self.flow, self.entry);
        let mut heads: Vec<LocId> = heads.ones().map(|n| self.locs[n]).collect();
        heads.sort_unstable();
        heads
    }
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
