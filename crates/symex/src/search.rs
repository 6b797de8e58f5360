//! In which order the tree is explored. A searcher is told of each new leaf and
//! asked for the next one to execute; leaves that others have taken in the
//! meantime it passes over. (The interface is KLEE's, in small.)

use std::collections::VecDeque;
use std::collections::hash_map::Entry;

use cairn_core::Target;
use cairn_ir::{Callee, EdgeId, LocId, Op, Program};
use oorandom::Rand64;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::explore::is_wanted;
use crate::tree::{NodeId, Tree};

/// What searchers may look at.
pub struct View<'v> {
    pub program: &'v Program,
    pub tree: &'v Tree,
    /// Edges that were executed.
    pub covered: &'v FxHashSet<EdgeId>,
    /// What is still to be reached.
    pub targets: &'v FxHashSet<Target>,
    /// States that were subsumed.
    pub subsumed: u64,
}

pub trait Searcher {
    fn push(&mut self, leaf: NodeId);

    /// The next leaf; `None` if it knows of none.
    fn pop(&mut self, view: &View<'_>) -> Option<NodeId>;
}

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
    pub fn searcher(self) -> Box<dyn Searcher> {
        match self {
            Strategy::Adaptive => Box::new(Adaptive {
                depth: Dfs::default(),
                breadth: Interleaved {
                    all: [Strategy::Coverage, Strategy::RandomPath].map(Strategy::searcher).into(),
                    next: 0,
                },
                count: 0,
                subsumed: 0,
                aside: false,
            }),
            Strategy::Dfs => Box::new(Dfs::default()),
            Strategy::RandomPath => Box::new(RandomPath(Rand64::new(1))),
            Strategy::Coverage => Box::new(Nearest::new(Aim::Uncovered)),
            Strategy::Distance => Box::new(Nearest::new(Aim::Targets)),
            Strategy::Interleaved => Box::new(Interleaved {
                all: [Strategy::Dfs, Strategy::RandomPath, Strategy::Coverage, Strategy::Distance]
                    .map(Strategy::searcher)
                    .into(),
                next: 0,
            }),
        }
    }
}

/// Depth first: sub-trees are finished one after the other, which makes interpolants soonest.
#[derive(Default)]
struct Dfs(VecDeque<NodeId>);

impl Searcher for Dfs {
    fn push(&mut self, leaf: NodeId) {
        self.0.push_back(leaf);
    }

    fn pop(&mut self, view: &View<'_>) -> Option<NodeId> {
        while let Some(leaf) = self.0.pop_back() {
            if view.tree.is_leaf(leaf) {
                return Some(leaf);
            }
        }
        None
    }
}

struct RandomPath(Rand64);

impl Searcher for RandomPath {
    fn push(&mut self, _: NodeId) {}

    fn pop(&mut self, view: &View<'_>) -> Option<NodeId> {
        view.tree.walk(|n| self.0.rand_range(0..n as u64) as usize)
    }
}

#[derive(Copy, Clone, PartialEq, Eq)]
enum Aim {
    Uncovered,
    Targets,
}

/// The leaf with the fewest edges to one of those aimed at; the oldest of those.
struct Nearest {
    aim: Aim,
    leaves: Vec<NodeId>,
    distances: FxHashMap<LocId, u32>,
    /// How many edges were covered, or are left, when the distances were computed.
    state: Option<usize>,
}

impl Nearest {
    fn new(aim: Aim) -> Nearest {
        Nearest { aim, leaves: Vec::new(), distances: FxHashMap::default(), state: None }
    }

    fn update(&mut self, view: &View<'_>) {
        let state = match self.aim {
            Aim::Uncovered => view.covered.len(),
            Aim::Targets => view.targets.len(),
        };
        if self.state == Some(state) {
            return;
        }
        self.state = Some(state);
        let wanted = |e: &EdgeId| match self.aim {
            Aim::Uncovered => !view.covered.contains(e),
            Aim::Targets => is_wanted(view.program, view.targets, e),
        };
        self.distances = distances(view.program, wanted);
    }
}

impl Searcher for Nearest {
    fn push(&mut self, leaf: NodeId) {
        self.leaves.push(leaf);
    }

    fn pop(&mut self, view: &View<'_>) -> Option<NodeId> {
        self.update(view);
        self.leaves.retain(|&n| view.tree.is_leaf(n));
        let distance = |n: NodeId| self.distances.get(&view.tree.get(n).at).copied().unwrap_or(u32::MAX);
        let best = (0..self.leaves.len()).min_by_key(|&i| (distance(self.leaves[i]), self.leaves[i]))?;
        Some(self.leaves.swap_remove(best))
    }
}

struct Interleaved {
    all: Vec<Box<dyn Searcher>>,
    next: usize,
}

impl Searcher for Interleaved {
    fn push(&mut self, leaf: NodeId) {
        for s in &mut self.all {
            s.push(leaf);
        }
    }

    fn pop(&mut self, view: &View<'_>) -> Option<NodeId> {
        let n = self.all.len();
        for i in 0..n {
            let at = (self.next + i) % n;
            if let Some(leaf) = self.all[at].pop(view) {
                self.next = at + 1;
                return Some(leaf);
            }
        }
        None
    }
}

/// Leaves that are executed depth first before anything else is tried, and between tries.
const DEEP: u64 = 400;
const OFTEN: u64 = 4;

/// Depth first is best where the tree is finite, and finds nothing where its first branch is not.
/// (The paper's random strategy likewise takes turns with one that finishes sub-trees.) As long as
/// states are subsumed, depth first is on a good way.
struct Adaptive {
    depth: Dfs,
    breadth: Interleaved,
    /// Leaves since the last state was subsumed.
    count: u64,
    subsumed: u64,
    /// The last leaf was not chosen depth first.
    aside: bool,
}

impl Searcher for Adaptive {
    fn push(&mut self, leaf: NodeId) {
        // What lies aside must not keep the sub-tree at hand from being finished.
        match self.aside {
            true => self.depth.0.push_front(leaf),
            false => self.depth.push(leaf),
        }
        self.breadth.push(leaf);
    }

    fn pop(&mut self, view: &View<'_>) -> Option<NodeId> {
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

/// For each location the number of edges to the nearest one that is wanted, calls and returns
/// included (a function returns wherever it may be called).
pub fn distances(p: &Program, wanted: impl Fn(&EdgeId) -> bool) -> FxHashMap<LocId, u32> {
    let mut before: FxHashMap<LocId, Vec<LocId>> = FxHashMap::default();
    let mut found = FxHashMap::default();
    let mut work = VecDeque::new();
    for (e, edge) in p.edges.iter() {
        before.entry(edge.dst).or_default().push(edge.src);
        if let Op::Call { callee: Callee::Func(f), .. } = &edge.op
            && let Some(body) = &p.funcs[*f].body
        {
            before.entry(body.entry).or_default().push(edge.src);
            before.entry(edge.dst).or_default().push(body.exit);
        }
        if wanted(&e) && found.insert(edge.src, 0).is_none() {
            work.push_back(edge.src);
        }
    }
    while let Some(l) = work.pop_front() {
        let next = found[&l] + 1;
        for &b in before.get(&l).into_iter().flatten() {
            if let Entry::Vacant(entry) = found.entry(b) {
                entry.insert(next);
                work.push_back(b);
            }
        }
    }
    found
}
