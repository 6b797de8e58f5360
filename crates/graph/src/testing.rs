//! Random graphs for the tests of this crate.

use crate::Digraph;

/// A graph with up to `most` nodes, of which some have no way from node 0; loops on one node and
/// parallel edges occur.
pub fn random(rng: &mut fastrand::Rng, most: usize) -> (Digraph, Vec<(u32, u32)>) {
    let nodes = rng.usize(1..=most);
    let count = rng.usize(0..=2 * nodes);
    let edges: Vec<(u32, u32)> =
        (0..count).map(|_| (rng.u32(0..nodes as u32), rng.u32(0..nodes as u32))).collect();
    (Digraph::new(nodes, &edges), edges)
}
