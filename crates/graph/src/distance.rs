//! Shortest distances to the nearest of some nodes, with weights on the edges
//! (Dijkstra's algorithm against the edges).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::Digraph;

/// The distance of what has no way.
pub const NONE: u64 = u64::MAX;

/// For each node the least sum of weights on a way to one of the targets, which have the distances
/// given with them; [`NONE`] if there is no way. `weight` knows edges by their numbers; an edge of
/// weight [`NONE`] cannot be taken.
pub fn to_nearest(
    g: &Digraph,
    targets: impl IntoIterator<Item = (u32, u64)>,
    weight: impl Fn(u32) -> u64,
) -> Vec<u64> {
    let mut found = vec![NONE; g.len()];
    let mut work = BinaryHeap::new();
    for (n, distance) in targets {
        if distance < found[n as usize] {
            found[n as usize] = distance;
            work.push(Reverse((distance, n)));
        }
    }
    while let Some(Reverse((distance, n))) = work.pop() {
        if distance > found[n as usize] {
            continue;
        }
        for (edge, before) in g.entering(n) {
            let Some(longer) = distance.checked_add(weight(edge)) else { continue };
            if longer < found[before as usize] {
                found[before as usize] = longer;
                work.push(Reverse((longer, before)));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::random;

    /// Against relaxing all edges until nothing changes (Bellman and Ford).
    #[test]
    fn random_graphs() {
        let mut rng = fastrand::Rng::with_seed(2);
        for round in 0..500 {
            let (g, edges) = random(&mut rng, 14);
            let weights: Vec<u64> =
                edges.iter().map(|_| if rng.u8(..) < 20 { NONE } else { rng.u64(0..5) }).collect();
            let targets: Vec<(u32, u64)> =
                (0..rng.usize(0..3)).map(|_| (rng.u32(0..g.len() as u32), rng.u64(0..4))).collect();
            let mut expected = vec![NONE; g.len()];
            for &(n, d) in &targets {
                expected[n as usize] = expected[n as usize].min(d);
            }
            for _ in 0..=g.len() {
                for (&(a, b), &w) in edges.iter().zip(&weights) {
                    let along = expected[b as usize].checked_add(w).unwrap_or(NONE);
                    expected[a as usize] = expected[a as usize].min(along);
                }
            }
            assert_eq!(to_nearest(&g, targets, |e| weights[e as usize]), expected, "round {round}");
        }
    }
}
