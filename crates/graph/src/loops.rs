//! Loops: natural loops with their nesting, and the cycles that are none.
//!
//! A back edge is an edge whose target dominates its source; the natural loop
//! of a target is what reaches its back edges without passing it. Loops are
//! found innermost first, walking backwards and stepping over loops found
//! already, so that a node is visited once per level of nesting. Cycles that
//! remain when all back edges are taken away are entered in more than one place
//! (`goto` into a loop); they are reported as irreducible regions.

use fixedbitset::FixedBitSet;

use crate::{Digraph, Dominators};

pub struct Loops {
    /// Inner loops come before the loops around them.
    pub loops: Vec<Loop>,
    /// Cycles with several entries.
    pub irreducible: Vec<Region>,
    /// The innermost loop of each node, by its number in `loops`.
    pub innermost: Vec<Option<usize>>,
}

#[derive(Clone, Debug)]
pub struct Loop {
    pub head: u32,
    /// The loop around it, by its number.
    pub parent: Option<usize>,
    /// 1 for an outermost loop.
    pub depth: u32,
    /// Nodes whose innermost loop is this one, the head among them, ascending.
    pub own: Vec<u32>,
}

/// A cycle without a single head.
#[derive(Clone, Debug)]
pub struct Region {
    /// Ascending.
    pub nodes: Vec<u32>,
    /// Where it is entered from outside.
    pub entries: Vec<u32>,
}

impl Loops {
    /// The loops of what is reachable from `entry`; `dom` are the dominators from there.
    pub fn new(g: &Digraph, entry: u32, dom: &Dominators) -> Loops {
        let is_back = |from: u32, to: u32| dom.dominates(to, from);
        let mut loops = Loops { loops: Vec::new(), irreducible: Vec::new(), innermost: vec![None; g.len()] };
        let order = g.reverse_post_order(entry);
        let mut reachable = FixedBitSet::with_capacity(g.len());
        order.iter().for_each(|&n| reachable.insert(n as usize));
        // A head comes after the heads inside its loop in post-order of any depth-first search.
        for &head in order.iter().rev() {
            let latches: Vec<u32> = g.preds(head).iter().copied().filter(|&n| is_back(n, head)).collect();
            if !latches.is_empty() {
                loops.loops.push(Loop { head, parent: None, depth: 0, own: Vec::new() });
                loops.fill(g, &reachable, loops.loops.len() - 1, latches);
            }
        }
        loops.nest();
        loops.find_irreducible(g, &reachable, is_back);
        loops
    }

    /// Walks backwards from the latches to find what belongs to the loop.
    fn fill(&mut self, g: &Digraph, reachable: &FixedBitSet, id: usize, latches: Vec<u32>) {
        let preds = |n: u32| g.preds(n).iter().copied().filter(|&m| reachable.contains(m as usize));
        let head = self.loops[id].head;
        let mut work = latches;
        while let Some(n) = work.pop() {
            match self.outermost(n) {
                None => {
                    self.innermost[n as usize] = Some(id);
                    if n != head {
                        work.extend(preds(n));
                    }
                }
                Some(inner) if inner != id => {
                    self.loops[inner].parent = Some(id);
                    work.extend(preds(self.loops[inner].head));
                }
                Some(_) => {}
            }
        }
        // The head itself, if it was not met on the way (it is when it is its own latch).
        self.innermost[head as usize].get_or_insert(id);
    }

    /// The outermost loop found so far around a node.
    fn outermost(&self, n: u32) -> Option<usize> {
        let mut at = self.innermost[n as usize]?;
        while let Some(parent) = self.loops[at].parent {
            at = parent;
        }
        Some(at)
    }

    fn nest(&mut self) {
        for l in (0..self.loops.len()).rev() {
            self.loops[l].depth = 1 + self.loops[l].parent.map_or(0, |q| self.loops[q].depth);
        }
        for (n, l) in self.innermost.iter().enumerate() {
            if let Some(l) = *l {
                self.loops[l].own.push(n as u32);
            }
        }
    }

    fn find_irreducible(&mut self, g: &Digraph, reachable: &FixedBitSet, is_back: impl Fn(u32, u32) -> bool) {
        let remains = g.filtered(|a, b| reachable.contains(a as usize) && !is_back(a, b));
        for mut nodes in remains.components() {
            if nodes.len() < 2 {
                continue;
            }
            nodes.sort_unstable();
            let outside = |&n: &u32| remains.preds(n).iter().any(|m| nodes.binary_search(m).is_err());
            let entries = nodes.iter().copied().filter(outside).collect();
            self.irreducible.push(Region { nodes, entries });
        }
    }

    /// The loops around a node, innermost first.
    pub fn around(&self, n: u32) -> impl Iterator<Item = &Loop> + '_ {
        let parent = |l: &usize| self.loops[*l].parent;
        std::iter::successors(self.innermost[n as usize], parent).map(|l| &self.loops[l])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::random;
    use crate::wto;

    /// Heads dominate their loops, inner loops come first; heads of natural loops are heads of the
    /// weak topological order, and where nothing is irreducible there are no others.
    #[test]
    fn random_graphs() {
        let mut rng = fastrand::Rng::with_seed(5);
        let (mut natural, mut reducible, mut irreducible) = (0, 0, 0);
        for round in 0..3000 {
            let (g, edges) = random(&mut rng, 14);
            let dom = Dominators::forward(&g, 0);
            let loops = Loops::new(&g, 0, &dom);
            for (id, l) in loops.loops.iter().enumerate() {
                assert!(l.own.iter().all(|&x| dom.dominates(l.head, x)), "round {round}");
                if let Some(parent) = l.parent {
                    let around = &loops.loops[parent];
                    assert!(parent > id && around.depth + 1 == l.depth, "round {round}");
                    assert!(dom.dominates(around.head, l.head) && around.head != l.head, "round {round}");
                }
            }
            // By definition: the nodes that reach a back edge of the head without passing the head.
            for l in &loops.loops {
                let without = g.filtered(|a, b| a != l.head && b != l.head);
                let latches = g.preds(l.head).iter().copied().filter(|&n| dom.dominates(l.head, n));
                let mut body = without.reaching(latches);
                body.insert(l.head as usize);
                for n in g.nodes().filter(|&n| dom.dominates(0, n)) {
                    let inside = loops.around(n).any(|k| k.head == l.head);
                    assert_eq!(inside, body.contains(n as usize), "round {round}: {n} in {edges:?}");
                }
            }
            let heads = wto::heads(&g, 0);
            let mut found = FixedBitSet::with_capacity(g.len());
            loops.loops.iter().for_each(|l| found.insert(l.head as usize));
            assert!(found.is_subset(&heads), "round {round}: {edges:?}");
            assert!(found == heads || !loops.irreducible.is_empty(), "round {round}: {edges:?}");
            natural += loops.loops.len();
            match loops.irreducible.is_empty() {
                true => reducible += 1,
                false => irreducible += 1,
            }
        }
        assert!(
            natural > 1000 && reducible > 1000 && irreducible > 100,
            "{natural} {reducible} {irreducible}"
        );
    }
}
