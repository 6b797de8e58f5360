//! Loops: natural loops with their nesting, and the cycles that are none.
//!
//! A back edge is an edge whose target dominates its source; the natural loop
//! of a target is what reaches its back edges without passing it. Loops are
//! found innermost first, walking backwards and stepping over loops found
//! already, so that a location is visited once per level of nesting. Cycles that
//! remain when all back edges are taken away are entered in more than one place
//! (`goto` into a loop); they are reported as irreducible regions.

use cairn_base::{PrimaryMap, entity_impl};
use petgraph::algo::kosaraju_scc;

use crate::dom::Dominators;
use crate::graph::Graph;
use crate::{EdgeId, LocId, Program};

#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LoopId(u32);
entity_impl!(LoopId, "loop");

pub struct Loops {
    /// Inner loops come before the loops around them.
    pub loops: PrimaryMap<LoopId, Loop>,
    /// Cycles with several entries, in order of their first location.
    pub irreducible: Vec<Region>,
    /// The innermost loop of each node of the graph.
    innermost: Vec<Option<LoopId>>,
}

#[derive(Clone, Debug)]
pub struct Loop {
    pub header: LocId,
    pub parent: Option<LoopId>,
    /// 1 for an outermost loop.
    pub depth: u32,
    /// The edges from inside the loop to its header.
    pub back_edges: Vec<EdgeId>,
    /// Locations whose innermost loop is this one, the header among them, ascending.
    pub own: Vec<LocId>,
}

/// A cycle without a single head.
#[derive(Clone, Debug)]
pub struct Region {
    pub locs: Vec<LocId>,
    /// Where it is entered from outside.
    pub entries: Vec<LocId>,
}

impl Loops {
    pub fn new(p: &Program, g: &Graph, dom: &Dominators) -> Loops {
        let is_back = |from: u32, to: u32| dom.dominates(to, from);
        let mut loops =
            Loops { loops: PrimaryMap::new(), irreducible: Vec::new(), innermost: vec![None; g.len()] };
        // A header comes after the headers inside its loop in post-order of any depth-first search.
        for &h in g.reverse_post_order().iter().rev() {
            let latches: Vec<u32> = g.preds(h).filter(|&n| is_back(n, h)).collect();
            if !latches.is_empty() {
                let header = g.loc(h);
                let back = |e: &EdgeId| is_back(g.node(p.edges[*e].src), h);
                let back_edges = p.locs[header].inn.iter().copied().filter(back).collect();
                let id =
                    loops.loops.push(Loop { header, parent: None, depth: 0, back_edges, own: Vec::new() });
                loops.fill(g, id, h, latches);
            }
        }
        loops.nest(g);
        loops.find_irreducible(g, is_back);
        loops
    }

    /// Walks backwards from the latches to find what belongs to the loop.
    fn fill(&mut self, g: &Graph, id: LoopId, h: u32, latches: Vec<u32>) {
        let mut work = latches;
        while let Some(n) = work.pop() {
            match self.outermost(n) {
                None => {
                    self.innermost[n as usize] = Some(id);
                    if n != h {
                        work.extend(g.preds(n).filter(|&m| g.is_reachable(m)));
                    }
                }
                Some(inner) if inner != id => {
                    self.loops[inner].parent = Some(id);
                    let head = g.node(self.loops[inner].header);
                    work.extend(g.preds(head).filter(|&m| g.is_reachable(m)));
                }
                Some(_) => {}
            }
        }
        // The header itself, if it was not met on the way (it is when it is its own latch).
        self.innermost[h as usize].get_or_insert(id);
    }

    /// The outermost loop found so far around a node.
    fn outermost(&self, n: u32) -> Option<LoopId> {
        let mut at = self.innermost[n as usize]?;
        while let Some(parent) = self.loops[at].parent {
            at = parent;
        }
        Some(at)
    }

    fn nest(&mut self, g: &Graph) {
        let ids: Vec<LoopId> = self.loops.keys().collect();
        for &l in ids.iter().rev() {
            self.loops[l].depth = 1 + self.loops[l].parent.map_or(0, |q| self.loops[q].depth);
        }
        for n in 0..g.len() {
            if let Some(l) = self.innermost[n] {
                self.loops[l].own.push(g.loc(n as u32));
            }
        }
        for l in self.loops.values_mut() {
            l.own.sort_unstable();
        }
    }

    fn find_irreducible(&mut self, g: &Graph, is_back: impl Fn(u32, u32) -> bool) {
        let remains = g.flow.filter_map(
            |n, &l| g.is_reachable(n.index() as u32).then_some(l),
            |e, &edge| {
                let (from, to) = g.flow.edge_endpoints(e).expect("an edge of this graph");
                (!is_back(from.index() as u32, to.index() as u32)).then_some(edge)
            },
        );
        for scc in kosaraju_scc(&remains) {
            if scc.len() < 2 {
                continue;
            }
            let mut locs: Vec<LocId> = scc.iter().map(|&n| remains[n]).collect();
            locs.sort_unstable();
            let outside = |&l: &LocId| {
                let n = g.node(l);
                g.preds(n)
                    .any(|m| g.is_reachable(m) && !is_back(m, n) && locs.binary_search(&g.loc(m)).is_err())
            };
            let entries = locs.iter().copied().filter(outside).collect();
            self.irreducible.push(Region { locs, entries });
        }
        self.irreducible.sort_by_key(|r| r.locs[0]);
    }

    /// The innermost loop around a location.
    pub fn innermost(&self, g: &Graph, l: LocId) -> Option<LoopId> {
        self.innermost[g.node(l) as usize]
    }

    /// The number of natural loops around a location.
    pub fn depth(&self, g: &Graph, l: LocId) -> u32 {
        self.innermost(g, l).map_or(0, |id| self.loops[id].depth)
    }

    pub fn is_header(&self, g: &Graph, l: LocId) -> bool {
        self.innermost(g, l).is_some_and(|id| self.loops[id].header == l)
    }

    /// Locations that together lie on every cycle of the function: the headers, and in irreducible
    /// regions the targets of retreating edges. Ascending.
    pub fn cut_points(&self, g: &Graph) -> Vec<LocId> {
        let mut cuts: Vec<LocId> = self.loops.values().map(|l| l.header).collect();
        for region in &self.irreducible {
            let retreats = |&l: &LocId| {
                let n = g.node(l);
                g.preds(n).any(|m| {
                    g.is_reachable(m) && g.is_retreating(m, n) && region.locs.binary_search(&g.loc(m)).is_ok()
                })
            };
            cuts.extend(region.locs.iter().copied().filter(retreats));
        }
        cuts.sort_unstable();
        cuts.dedup();
        cuts
    }
}

#[cfg(test)]
mod tests {
    use petgraph::algo::is_cyclic_directed;

    use super::*;
    use crate::testing::random_program;

    /// Without the cut points nothing goes round; headers dominate their loops; parents contain
    /// the headers of their children.
    #[test]
    fn random_programs() {
        let (mut natural, mut irreducible) = (0, 0);
        for seed in 0..120 {
            let p = random_program(seed, 6 + seed as usize % 20);
            for f in p.funcs.keys() {
                let Some(g) = Graph::new(&p, f) else { continue };
                let dom = Dominators::forward(&g);
                let loops = Loops::new(&p, &g, &dom);
                let cuts = loops.cut_points(&g);
                let rest = g.flow.filter_map(
                    |n, &l| {
                        (g.is_reachable(n.index() as u32) && cuts.binary_search(&l).is_err()).then_some(l)
                    },
                    |_, &e| Some(e),
                );
                assert!(!is_cyclic_directed(&rest), "seed {seed}");
                for (id, l) in &loops.loops {
                    assert!(!l.back_edges.is_empty());
                    assert!(l.own.iter().all(|&x| dom.dominates(g.node(l.header), g.node(x))));
                    if let Some(parent) = l.parent {
                        assert!(parent > id && loops.loops[parent].depth + 1 == l.depth);
                        let around = loops.loops[parent].header;
                        assert!(dom.dominates(g.node(around), g.node(l.header)) && around != l.header);
                    }
                }
                natural += loops.loops.len();
                irreducible += loops.irreducible.len();
            }
        }
        assert!(natural > 100 && irreducible > 0, "{natural} and {irreducible}");
    }
}
