//! In which order the tree is explored: strategies, made of the searchers of
//! [`cairn_graph::waitlist`].

use cairn_core::Target;
use cairn_graph::waitlist::{DepthFirst, Interleaved, Least, Order, RandomPath, Searcher, Waiting, Walk};
use cairn_ir::distance::{Distances, Supergraph};
use cairn_ir::{EdgeId, Program};
use rustc_hash::FxHashSet;

use crate::explore::is_wanted;
use crate::tree::{NodeId, Tree};

/// What searchers may look at.
pub struct View<'v> {
    pub program: &'v Program,
    pub supergraph: &'v Supergraph,
    pub tree: &'v Tree,
    /// Edges that were executed.
    pub covered: &'v FxHashSet<EdgeId>,
    /// What is still to be reached.
    pub targets: &'v FxHashSet<Target>,
    /// States that were subsumed.
    pub subsumed: u64,
}

impl Waiting for View<'_> {
    fn is_waiting(&self, leaf: NodeId) -> bool {
        self.tree.is_leaf(leaf)
    }
}

impl Walk for View<'_> {
    fn walk(&self, choose: &mut dyn FnMut(usize) -> usize) -> Option<NodeId> {
        self.tree.walk(choose)
    }
}

/// A searcher for leaves of the tree.
pub type LeafSearcher = dyn for<'v> Searcher<View<'v>>;

/// Strategies by name.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub enum Strategy {
    /// Depth first, and after a while now and then as others would.
    #[default]
    Adaptive,
    Dfs,
    /// Random walks from the root, which favour what is near it.
    RandomPath,
    /// Nearest to code that was not executed yet.
    Coverage,
    /// Nearest to a target.
    Distance,
    /// All but the first in turns.
    Interleaved,
}

impl Strategy {
    pub fn searcher(self) -> Box<LeafSearcher> {
        let in_turns = |all: &[Strategy]| Interleaved::new(all.iter().map(|s| s.searcher()).collect());
        match self {
            Strategy::Adaptive => Box::new(Adaptive {
                depth: DepthFirst::default(),
                breadth: in_turns(&[Strategy::Coverage, Strategy::RandomPath]),
                count: 0,
                subsumed: 0,
                aside: false,
            }),
            Strategy::Dfs => Box::new(DepthFirst::default()),
            Strategy::RandomPath => Box::new(RandomPath::new(1)),
            Strategy::Coverage => Box::new(Least::new(Nearest::new(Aim::Uncovered))),
            Strategy::Distance => Box::new(Least::new(Nearest::new(Aim::Targets))),
            Strategy::Interleaved => Box::new(in_turns(&[
                Strategy::Dfs,
                Strategy::RandomPath,
                Strategy::Coverage,
                Strategy::Distance,
            ])),
        }
    }
}

#[derive(Copy, Clone, PartialEq, Eq)]
enum Aim {
    Uncovered,
    Targets,
}

/// Fewest edges to one of those aimed at, calls and returns included.
struct Nearest {
    aim: Aim,
    distances: Option<Distances>,
    /// How many edges were covered, or are left, when the distances were computed.
    state: Option<usize>,
}

impl Nearest {
    fn new(aim: Aim) -> Nearest {
        Nearest { aim, distances: None, state: None }
    }
}

impl Order<View<'_>> for Nearest {
    type Key = u64;

    fn update(&mut self, view: &View<'_>) -> bool {
        let state = match self.aim {
            Aim::Uncovered => view.covered.len(),
            Aim::Targets => view.targets.len(),
        };
        if self.state.replace(state) == Some(state) {
            return false;
        }
        let wanted = |e: EdgeId| match self.aim {
            Aim::Uncovered => !view.covered.contains(&e),
            Aim::Targets => is_wanted(view.program, view.targets, &e),
        };
        self.distances = Some(view.supergraph.to_nearest(view.program, wanted, |_| 1));
        true
    }

    fn key(&self, view: &View<'_>, leaf: NodeId) -> u64 {
        let at = view.tree.get(leaf).at;
        self.distances.as_ref().and_then(|d| d.at(at)).unwrap_or(u64::MAX)
    }
}

/// Leaves that are executed depth first before anything else is tried, and between tries.
const DEEP: u64 = 400;
const OFTEN: u64 = 4;

/// Depth first is best where the tree is finite, and finds nothing where its first branch is not.
/// (The paper's random strategy likewise takes turns with one that finishes sub-trees.) As long as
/// states are subsumed, depth first is on a good way.
struct Adaptive {
    depth: DepthFirst,
    breadth: Interleaved<LeafSearcher>,
    /// Leaves since the last state was subsumed.
    count: u64,
    subsumed: u64,
    /// The last leaf was not chosen depth first.
    aside: bool,
}

impl<'v> Searcher<View<'v>> for Adaptive {
    fn push(&mut self, leaf: NodeId) {
        // What lies aside must not keep the sub-tree at hand from being finished.
        match self.aside {
            true => self.depth.push_aside(leaf),
            false => Searcher::<View<'v>>::push(&mut self.depth, leaf),
        }
        Searcher::<View<'v>>::push(&mut self.breadth, leaf);
    }

    fn pop(&mut self, view: &View<'v>) -> Option<NodeId> {
        self.count += 1;
        if view.subsumed > self.subsumed {
            (self.count, self.subsumed) = (0, view.subsumed);
        }
        self.aside = self.count > DEEP && self.count.is_multiple_of(OFTEN);
        match self.aside {
            true => self.breadth.pop(view),
            false => self.depth.pop(view),
        }
    }
}
