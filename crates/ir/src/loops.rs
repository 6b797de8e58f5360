//! The natural loops of a function and its irreducible regions, in terms of
//! locations and edges; see [`cairn_graph::loops`]. What a loop *head* is for
//! engines is [`Graph::heads`]: the headers of natural loops are among them, and
//! in a reducible function there are no others.

use cairn_base::{EntityRef, PrimaryMap, entity_impl};

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
    /// Ascending.
    pub locs: Vec<LocId>,
    /// Where it is entered from outside.
    pub entries: Vec<LocId>,
}

impl Loops {
    pub fn new(p: &Program, g: &Graph, dom: &Dominators) -> Loops {
        let found = cairn_graph::loops::Loops::new(&g.flow, g.entry, &dom.0);
        let locs = |nodes: &[u32]| {
            let mut locs: Vec<LocId> = nodes.iter().map(|&n| g.loc(n)).collect();
            locs.sort_unstable();
            locs
        };
        let mut loops = PrimaryMap::new();
        for l in &found.loops {
            let header = g.loc(l.head);
            let back = |e: &EdgeId| dom.dominates(l.head, g.node(p.edges[*e].src));
            loops.push(Loop {
                header,
                parent: l.parent.map(LoopId::new),
                depth: l.depth,
                back_edges: p.locs[header].inn.iter().copied().filter(back).collect(),
                own: locs(&l.own),
            });
        }
        let mut irreducible: Vec<Region> = found
            .irreducible
            .iter()
            .map(|r| Region { locs: locs(&r.nodes), entries: locs(&r.entries) })
            .collect();
        irreducible.sort_by_key(|r| r.locs[0]);
        let innermost = found.innermost.iter().map(|l| l.map(LoopId::new)).collect();
        Loops { loops, irreducible, innermost }
    }

    /// The innermost loop around a location.
    pub fn innermost(&self, g: &Graph, l: LocId) -> Option<LoopId> {
        self.innermost[g.node(l) as usize]
    }

    /// The loops around a location, innermost first.
    pub fn around(&self, g: &Graph, l: LocId) -> impl Iterator<Item = LoopId> + '_ {
        std::iter::successors(self.innermost(g, l), |&id| self.loops[id].parent)
    }

    /// The number of natural loops around a location.
    pub fn depth(&self, g: &Graph, l: LocId) -> u32 {
        self.innermost(g, l).map_or(0, |id| self.loops[id].depth)
    }

    pub fn is_header(&self, g: &Graph, l: LocId) -> bool {
        self.innermost(g, l).is_some_and(|id| self.loops[id].header == l)
    }
}
