//! A directed graph that does not change: nodes `0..len`, and the edges in the
//! order in which they were given, sorted by their ends (compressed sparse rows).
//!
//! The graph can be handed to algorithms of `petgraph`, which supplies strongly
//! connected components (Kosaraju's algorithm, as the library's Tarjan recurses
//! and a function may be a chain of a hundred thousand locations).

use std::iter::{Copied, Rev};
use std::ops::Range;
use std::slice::Iter;

use fixedbitset::FixedBitSet;
use petgraph::Direction;
use petgraph::algo::kosaraju_scc;
use petgraph::visit::{GraphBase, IntoNeighbors, IntoNeighborsDirected, IntoNodeIdentifiers, Visitable};

#[derive(Clone, Debug)]
pub struct Digraph {
    out: Rows,
    inn: Rows,
}

/// For each node the other ends of some edges, and the numbers of these edges.
#[derive(Clone, Debug)]
struct Rows {
    start: Vec<u32>,
    ends: Vec<u32>,
    edges: Vec<u32>,
}

impl Rows {
    /// Edges sorted by their first end, otherwise in order.
    fn new(nodes: usize, edges: impl Iterator<Item = (u32, u32)> + Clone) -> Rows {
        let mut start = vec![0u32; nodes + 1];
        let mut count = 0;
        for (a, _) in edges.clone() {
            start[a as usize + 1] += 1;
            count += 1;
        }
        for n in 0..nodes {
            start[n + 1] += start[n];
        }
        let mut next = start.clone();
        let mut rows = Rows { start, ends: vec![0; count], edges: vec![0; count] };
        for (number, (a, b)) in edges.enumerate() {
            let slot = &mut next[a as usize];
            rows.ends[*slot as usize] = b;
            rows.edges[*slot as usize] = number as u32;
            *slot += 1;
        }
        rows
    }

    fn range(&self, n: u32) -> Range<usize> {
        self.start[n as usize] as usize..self.start[n as usize + 1] as usize
    }
}

impl Digraph {
    pub fn new(nodes: usize, edges: &[(u32, u32)]) -> Digraph {
        Digraph {
            out: Rows::new(nodes, edges.iter().copied()),
            inn: Rows::new(nodes, edges.iter().map(|&(a, b)| (b, a))),
        }
    }

    /// The number of nodes.
    pub fn len(&self) -> usize {
        self.out.start.len() - 1
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn nodes(&self) -> Range<u32> {
        0..self.len() as u32
    }

    /// The ends of the edges that leave a node, in order.
    pub fn succs(&self, n: u32) -> &[u32] {
        &self.out.ends[self.out.range(n)]
    }

    /// The beginnings of the edges that lead to a node, in order.
    pub fn preds(&self, n: u32) -> &[u32] {
        &self.inn.ends[self.inn.range(n)]
    }

    /// The edges that leave a node: their numbers, and where they lead.
    pub fn leaving(&self, n: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        let range = self.out.range(n);
        self.out.edges[range.clone()].iter().copied().zip(self.out.ends[range].iter().copied())
    }

    /// The edges that lead to a node: their numbers, and where they begin.
    pub fn entering(&self, n: u32) -> impl Iterator<Item = (u32, u32)> + '_ {
        let range = self.inn.range(n);
        self.inn.edges[range.clone()].iter().copied().zip(self.inn.ends[range].iter().copied())
    }

    /// The nodes reachable from `root`, in reverse post-order of a depth-first search: each before
    /// its successors except along retreating edges.
    pub fn reverse_post_order(&self, root: u32) -> Vec<u32> {
        let mut seen = FixedBitSet::with_capacity(self.len());
        let mut order = Vec::new();
        let mut stack = vec![(root, self.succs(root).iter())];
        seen.insert(root as usize);
        while let Some((node, next)) = stack.last_mut() {
            match next.next() {
                Some(&m) if !seen.put(m as usize) => stack.push((m, self.succs(m).iter())),
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

    /// The nodes with a way from one of `roots`, these among them.
    pub fn reachable(&self, roots: impl IntoIterator<Item = u32>) -> FixedBitSet {
        let mut seen = FixedBitSet::with_capacity(self.len());
        close(&mut seen, roots, |n| self.succs(n));
        seen
    }

    /// The nodes with a way to one of `targets`, these among them.
    pub fn reaching(&self, targets: impl IntoIterator<Item = u32>) -> FixedBitSet {
        let mut seen = FixedBitSet::with_capacity(self.len());
        self.add_reaching(&mut seen, targets);
        seen
    }

    /// Adds the nodes with a way to one of `targets` to a set that is closed in this sense.
    pub fn add_reaching(&self, seen: &mut FixedBitSet, targets: impl IntoIterator<Item = u32>) {
        close(seen, targets, |n| self.preds(n));
    }

    /// The strongly connected components, each after those that it leads to.
    pub fn components(&self) -> Vec<Vec<u32>> {
        kosaraju_scc(self)
    }

    /// The same nodes with some of the edges.
    pub fn filtered(&self, keep: impl Fn(u32, u32) -> bool) -> Digraph {
        let edges: Vec<(u32, u32)> = self
            .nodes()
            .flat_map(|n| self.succs(n).iter().map(move |&m| (n, m)))
            .filter(|&(n, m)| keep(n, m))
            .collect();
        Digraph::new(self.len(), &edges)
    }
}

/// Adds nodes to a set, and what follows them.
fn close<'g>(seen: &mut FixedBitSet, from: impl IntoIterator<Item = u32>, next: impl Fn(u32) -> &'g [u32]) {
    let mut work: Vec<u32> = from.into_iter().collect();
    work.retain(|&n| !seen.put(n as usize));
    while let Some(n) = work.pop() {
        work.extend(next(n).iter().copied().filter(|&m| !seen.put(m as usize)));
    }
}

// The library's own graphs give neighbours last edge first; so does this one to the library.

impl GraphBase for Digraph {
    type NodeId = u32;
    type EdgeId = u32;
}

impl Visitable for Digraph {
    type Map = FixedBitSet;

    fn visit_map(&self) -> FixedBitSet {
        FixedBitSet::with_capacity(self.len())
    }

    fn reset_map(&self, map: &mut FixedBitSet) {
        map.clear();
        map.grow(self.len());
    }
}

impl IntoNodeIdentifiers for &Digraph {
    type NodeIdentifiers = Range<u32>;

    fn node_identifiers(self) -> Range<u32> {
        self.nodes()
    }
}

impl<'g> IntoNeighbors for &'g Digraph {
    type Neighbors = Rev<Copied<Iter<'g, u32>>>;

    fn neighbors(self, n: u32) -> Self::Neighbors {
        self.succs(n).iter().copied().rev()
    }
}

impl<'g> IntoNeighborsDirected for &'g Digraph {
    type NeighborsDirected = Rev<Copied<Iter<'g, u32>>>;

    fn neighbors_directed(self, n: u32, direction: Direction) -> Self::NeighborsDirected {
        match direction {
            Direction::Outgoing => self.neighbors(n),
            Direction::Incoming => self.preds(n).iter().copied().rev(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::random;

    #[test]
    fn components_are_nodes_that_reach_each_other_targets_first() {
        let mut rng = fastrand::Rng::with_seed(3);
        for round in 0..300 {
            let (g, _) = random(&mut rng, 14);
            let components = g.components();
            let mut position = vec![usize::MAX; g.len()];
            for (i, c) in components.iter().enumerate() {
                c.iter().for_each(|&n| position[n as usize] = i);
            }
            for a in g.nodes() {
                let from = g.reachable([a]);
                for b in g.nodes() {
                    let both = from.contains(b as usize) && g.reachable([b]).contains(a as usize);
                    assert_eq!(position[a as usize] == position[b as usize], both, "round {round}");
                    if from.contains(b as usize) {
                        assert!(position[b as usize] <= position[a as usize], "round {round}");
                    }
                    assert_eq!(from.contains(b as usize), g.reaching([b]).contains(a as usize));
                }
            }
        }
    }

    #[test]
    fn edges_keep_their_order_and_numbers() {
        let g = Digraph::new(3, &[(0, 2), (1, 2), (0, 1), (0, 2), (2, 2)]);
        assert_eq!(g.succs(0), [2, 1, 2]);
        assert_eq!(g.preds(2), [0, 1, 0, 2]);
        assert_eq!(g.leaving(0).collect::<Vec<_>>(), [(0, 2), (2, 1), (3, 2)]);
        assert_eq!(g.entering(2).collect::<Vec<_>>(), [(0, 0), (1, 1), (3, 0), (4, 2)]);
        assert_eq!(g.reverse_post_order(0), [0, 1, 2]);
    }

    #[test]
    fn a_chain_of_many_nodes_needs_no_stack() {
        let edges: Vec<(u32, u32)> = (0..300_000).map(|n| (n, n + 1)).collect();
        let g = Digraph::new(300_001, &edges);
        assert_eq!(g.reverse_post_order(0).len(), 300_001);
        assert_eq!(g.components().len(), 300_001);
    }
}
