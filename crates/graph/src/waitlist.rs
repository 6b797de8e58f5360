//! Waitlists: in which order the open nodes of a reachability graph are taken. A
//! searcher is told of each node that is to be explored, and asked for the next one;
//! nodes that need not be explored any more (others have taken them, they are
//! covered or removed) it passes over. (The interface is KLEE's, in small.)
//!
//! What a searcher may look at is the view `V`, which the search brings: the graph
//! and whatever else the order depends on.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use oorandom::Rand64;

use crate::NodeId;

pub trait Searcher<V: ?Sized> {
    /// A node is to be explored.
    fn push(&mut self, n: NodeId);

    /// The next node; `None` if it knows of none.
    fn pop(&mut self, view: &V) -> Option<NodeId>;
}

/// What every searcher must be able to ask.
pub trait Waiting {
    /// Is a node, which was pushed, still to be explored?
    fn is_waiting(&self, n: NodeId) -> bool;
}

/// What random paths need.
pub trait Walk {
    /// The node to be explored that a walk from the root comes to which chooses by `choose(n)` among
    /// `n` ways.
    fn walk(&self, choose: &mut dyn FnMut(usize) -> usize) -> Option<NodeId>;
}

/// The youngest node first: sub-trees are finished one after the other.
#[derive(Default)]
pub struct DepthFirst(VecDeque<NodeId>);

impl DepthFirst {
    /// A node that is to be taken after all others.
    pub fn push_aside(&mut self, n: NodeId) {
        self.0.push_front(n);
    }
}

impl<V: Waiting + ?Sized> Searcher<V> for DepthFirst {
    fn push(&mut self, n: NodeId) {
        self.0.push_back(n);
    }

    fn pop(&mut self, view: &V) -> Option<NodeId> {
        std::iter::from_fn(|| self.0.pop_back()).find(|&n| view.is_waiting(n))
    }
}

/// The oldest node first.
#[derive(Default)]
pub struct BreadthFirst(VecDeque<NodeId>);

impl<V: Waiting + ?Sized> Searcher<V> for BreadthFirst {
    fn push(&mut self, n: NodeId) {
        self.0.push_back(n);
    }

    fn pop(&mut self, view: &V) -> Option<NodeId> {
        std::iter::from_fn(|| self.0.pop_front()).find(|&n| view.is_waiting(n))
    }
}

/// Random walks from the root, which favour what is near it.
pub struct RandomPath(Rand64);

impl RandomPath {
    pub fn new(seed: u128) -> RandomPath {
        RandomPath(Rand64::new(seed))
    }
}

impl<V: Walk + ?Sized> Searcher<V> for RandomPath {
    fn push(&mut self, _: NodeId) {}

    fn pop(&mut self, view: &V) -> Option<NodeId> {
        view.walk(&mut |n| self.0.rand_range(0..n as u64) as usize)
    }
}

/// An order of nodes by keys: a distance, several of them, or anything else that can be compared.
pub trait Order<V: ?Sized> {
    type Key: Ord;

    /// Prepares for keys in this view; `true` if they may be others than before.
    fn update(&mut self, view: &V) -> bool;

    fn key(&self, view: &V, n: NodeId) -> Self::Key;
}

/// The node with the least key first; the oldest of those.
pub struct Least<O, K> {
    order: O,
    heap: BinaryHeap<Reverse<(K, NodeId)>>,
    /// Nodes that have no key yet.
    fresh: Vec<NodeId>,
}

impl<O, K: Ord> Least<O, K> {
    pub fn new(order: O) -> Least<O, K> {
        Least { order, heap: BinaryHeap::new(), fresh: Vec::new() }
    }
}

impl<V: Waiting + ?Sized, K: Ord, O: Order<V, Key = K>> Searcher<V> for Least<O, K> {
    fn push(&mut self, n: NodeId) {
        self.fresh.push(n);
    }

    fn pop(&mut self, view: &V) -> Option<NodeId> {
        if self.order.update(view) {
            let all = std::mem::take(&mut self.heap).into_vec();
            self.fresh.extend(all.into_iter().map(|Reverse((_, n))| n));
            self.fresh.retain(|&n| view.is_waiting(n));
        }
        for n in self.fresh.drain(..) {
            self.heap.push(Reverse((self.order.key(view, n), n)));
        }
        std::iter::from_fn(|| self.heap.pop()).map(|Reverse((_, n))| n).find(|&n| view.is_waiting(n))
    }
}

/// Several searchers in turns. Each is told of every node.
pub struct Interleaved<S: ?Sized> {
    all: Vec<Box<S>>,
    next: usize,
}

impl<S: ?Sized> Interleaved<S> {
    pub fn new(all: Vec<Box<S>>) -> Interleaved<S> {
        Interleaved { all, next: 0 }
    }
}

impl<V: ?Sized, S: Searcher<V> + ?Sized> Searcher<V> for Interleaved<S> {
    fn push(&mut self, n: NodeId) {
        for s in &mut self.all {
            s.push(n);
        }
    }

    fn pop(&mut self, view: &V) -> Option<NodeId> {
        let count = self.all.len();
        for i in 0..count {
            let at = (self.next + i) % count;
            if let Some(n) = self.all[at].pop(view) {
                self.next = at + 1;
                return Some(n);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::ReachGraph;

    /// A tree whose leaves are labelled with what is left to do there.
    struct View {
        tree: ReachGraph<u64>,
        open: BTreeSet<NodeId>,
        /// Keys are labels times this.
        sign: i64,
    }

    impl Waiting for View {
        fn is_waiting(&self, n: NodeId) -> bool {
            self.open.contains(&n)
        }
    }

    impl Walk for View {
        fn walk(&self, choose: &mut dyn FnMut(usize) -> usize) -> Option<NodeId> {
            let root = self.tree.ids().next()?;
            let below = |n: NodeId| self.tree.subtree(n).iter().any(|m| self.open.contains(m));
            let open: BTreeSet<NodeId> = self.tree.ids().filter(|&n| below(n)).collect();
            let number = |l: &u64| open.iter().any(|&n| self.tree.get(n).label == *l);
            self.tree.walk(root, |node| number(&node.label), choose)
        }
    }

    #[derive(Default)]
    struct ByLabel(Option<i64>);

    impl Order<View> for ByLabel {
        type Key = (i64, Reverse<u64>);

        fn update(&mut self, view: &View) -> bool {
            self.0.replace(view.sign) != Some(view.sign)
        }

        fn key(&self, view: &View, n: NodeId) -> Self::Key {
            let label = view.tree.get(n).label;
            (view.sign * (label / 2) as i64, Reverse(label))
        }
    }

    /// A root with leaves; labels are distinct.
    fn star(leaves: u64) -> (View, Vec<NodeId>) {
        let mut tree = ReachGraph::default();
        let root = tree.add(None, 1000);
        let all: Vec<NodeId> = (0..leaves).map(|l| tree.add(Some(root), (l * 7) % leaves)).collect();
        (View { tree, open: all.iter().copied().collect(), sign: 1 }, all)
    }

    fn take(s: &mut dyn Searcher<View>, view: &mut View) -> Option<u64> {
        let n = s.pop(view)?;
        assert!(view.open.remove(&n), "it was waiting");
        Some(view.tree.get(n).label)
    }

    #[test]
    fn depth_and_breadth() {
        let (mut view, all) = star(5);
        let (mut depth, mut breadth) = (DepthFirst::default(), BreadthFirst::default());
        for &n in &all {
            Searcher::<View>::push(&mut depth, n);
            Searcher::<View>::push(&mut breadth, n);
        }
        assert_eq!(take(&mut depth, &mut view), Some(3));
        assert_eq!(take(&mut breadth, &mut view), Some(0));
        assert_eq!(take(&mut depth, &mut view), Some(1));
        // Others have taken the rest meanwhile.
        view.open.clear();
        assert_eq!(take(&mut depth, &mut view), None);
        assert_eq!(take(&mut breadth, &mut view), None);
    }

    #[test]
    fn the_least_key_comes_first_also_when_keys_change() {
        let (mut view, all) = star(6);
        let mut least = Least::new(ByLabel::default());
        all.iter().for_each(|&n| least.push(n));
        assert_eq!(take(&mut least, &mut view), Some(1));
        assert_eq!(take(&mut least, &mut view), Some(0));
        view.sign = -1;
        assert_eq!(take(&mut least, &mut view), Some(5));
        let again = view.tree.add(None, 9);
        view.open.insert(again);
        least.push(again);
        assert_eq!(take(&mut least, &mut view), Some(9));
        assert_eq!(take(&mut least, &mut view), Some(4));
        assert_eq!(take(&mut least, &mut view), Some(3));
        assert_eq!(take(&mut least, &mut view), Some(2));
        assert_eq!(take(&mut least, &mut view), None);
    }

    /// Every searcher takes each node once, whatever is pushed in between.
    #[test]
    fn nothing_is_lost_and_nothing_taken_twice() {
        for seed in 0..20 {
            let all: Vec<Box<dyn Searcher<View>>> = vec![
                Box::new(DepthFirst::default()),
                Box::new(RandomPath::new(seed)),
                Box::new(Least::new(ByLabel::default())),
                Box::new(BreadthFirst::default()),
            ];
            let mut s = Interleaved::new(all);
            let (mut view, all) = star(9);
            all.iter().for_each(|&n| Searcher::<View>::push(&mut s, n));
            let mut rng = fastrand::Rng::with_seed(seed as u64);
            let mut taken = BTreeSet::new();
            while let Some(n) = s.pop(&view) {
                assert!(view.open.remove(&n) && taken.insert(n));
                if view.tree.size() < 60 {
                    for _ in 0..rng.u32(0..3) {
                        let child = view.tree.add(Some(n), 2000 + view.tree.size() as u64);
                        view.open.insert(child);
                        Searcher::<View>::push(&mut s, child);
                    }
                }
                view.sign = if rng.bool() { 1 } else { -1 };
            }
            assert_eq!(taken.len(), view.tree.size() - 1);
            assert!(view.open.is_empty());
        }
    }
}
