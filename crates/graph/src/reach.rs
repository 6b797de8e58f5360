//! A reachability graph: a tree of states that a search has reached, with covers.
//!
//! Each node carries what the analysis keeps there (its *label*: a formula, an
//! abstract state, a symbolic one). A node that is *covered* by another need not be
//! explored: whatever can happen from it can happen from the other (McMillan, "Lazy
//! abstraction with interpolants", 2006; a reachability graph with such edges is
//! what lazy abstraction unwinds). Any node may cover that does not lie below the
//! node it covers. A *hidden* node is one that is covered or below a covered one.
//!
//! The graph sees to it that covers stay meaningful: a node that is neither covered
//! nor below a covered one never relies on a hidden one. So whenever a node becomes
//! hidden, or is removed, the covers that it held are undone, and the nodes that
//! are open again are told to the caller, who puts them back on the waitlist.
//! Whether the label of the one includes that of the other is the caller's affair,
//! who undoes covers that no longer hold when labels change.
//!
//! Numbers of nodes are never used twice; parents have smaller numbers than their
//! children.

use std::ops::Deref;

use cairn_base::{PrimaryMap, entity_impl};

/// A node of a reachability graph.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);
entity_impl!(NodeId, "n");

impl NodeId {
    /// The node that is added first.
    pub const FIRST: NodeId = NodeId(0);
}

/// Where a node lies, and what the analysis keeps there (to which it dereferences).
#[derive(Clone, Debug)]
pub struct Node<L> {
    pub parent: Option<NodeId>,
    pub depth: u32,
    /// Ascending.
    pub children: Vec<NodeId>,
    /// The node that covers it.
    pub cover: Option<NodeId>,
    /// The nodes that it covers, in the order in which they were covered.
    pub covers: Vec<NodeId>,
    pub label: L,
}

impl<L> Deref for Node<L> {
    type Target = L;

    fn deref(&self) -> &L {
        &self.label
    }
}

#[derive(Clone, Debug)]
pub struct ReachGraph<L> {
    /// `None` where a node was removed.
    nodes: PrimaryMap<NodeId, Option<Node<L>>>,
}

impl<L> Default for ReachGraph<L> {
    fn default() -> ReachGraph<L> {
        ReachGraph { nodes: PrimaryMap::new() }
    }
}

/// What the removal of a sub-tree did.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Removed {
    /// The nodes that are no more, ascending.
    pub nodes: Vec<NodeId>,
    /// Those that were covered by them and are not any more, ascending.
    pub reopened: Vec<NodeId>,
}

impl<L> ReachGraph<L> {
    /// Adds a node, a root if it has no parent.
    pub fn add(&mut self, parent: Option<NodeId>, label: L) -> NodeId {
        let depth = parent.map_or(0, |p| self.get(p).depth + 1);
        let node = Node { parent, depth, children: Vec::new(), cover: None, covers: Vec::new(), label };
        let id = self.nodes.push(Some(node));
        if let Some(parent) = parent {
            self.node(parent).children.push(id);
        }
        id
    }

    /// The number of nodes so far, removed ones included.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// The nodes, ascending.
    pub fn ids(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.nodes.iter().filter(|(_, node)| node.is_some()).map(|(id, _)| id)
    }

    /// Is it a node that was not removed?
    pub fn contains(&self, n: NodeId) -> bool {
        self.nodes.get(n).is_some_and(Option::is_some)
    }

    /// A node, which must not be removed.
    pub fn get(&self, n: NodeId) -> &Node<L> {
        self.nodes[n].as_ref().expect("a node that was not removed")
    }

    /// The label of a node, which must not be removed.
    pub fn get_mut(&mut self, n: NodeId) -> &mut L {
        &mut self.node(n).label
    }

    fn node(&mut self, n: NodeId) -> &mut Node<L> {
        self.nodes[n].as_mut().expect("a node that was not removed")
    }

    /// The nodes above a node, nearest first.
    pub fn ancestors(&self, n: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        std::iter::successors(self.get(n).parent, |&p| self.get(p).parent)
    }

    /// Is the first node above the second, or the same?
    pub fn is_above(&self, above: NodeId, n: NodeId) -> bool {
        above == n || self.ancestors(n).take_while(|&a| a >= above).any(|a| a == above)
    }

    /// The nodes from behind `from` (or the root, if there is none) to `n`.
    pub fn path(&self, from: Option<NodeId>, n: NodeId) -> Vec<NodeId> {
        let mut path = Vec::new();
        let mut at = n;
        while Some(at) != from {
            let Some(parent) = self.get(at).parent else { break };
            path.push(at);
            at = parent;
        }
        path.reverse();
        path
    }

    /// A node and all below it, ascending.
    pub fn subtree(&self, n: NodeId) -> Vec<NodeId> {
        let mut found = vec![n];
        let mut next = 0;
        while let Some(&at) = found.get(next) {
            found.extend(&self.get(at).children);
            next += 1;
        }
        found.sort_unstable();
        found
    }

    /// The end of a walk from `from` that takes one of `n` children by `choose(n)` as long as there
    /// are any in question, and only such; `None` if `from` is not in question itself.
    pub fn walk(
        &self,
        from: NodeId,
        in_question: impl Fn(&Node<L>) -> bool,
        mut choose: impl FnMut(usize) -> usize,
    ) -> Option<NodeId> {
        let is_open = |n: &NodeId| self.contains(*n) && in_question(self.get(*n));
        let mut at = Some(from).filter(is_open)?;
        loop {
            let ways: Vec<NodeId> = self.get(at).children.iter().copied().filter(is_open).collect();
            if ways.is_empty() {
                return Some(at);
            }
            at = ways[choose(ways.len())];
        }
    }

    /// Is a node covered, or below a covered one?
    pub fn is_hidden(&self, n: NodeId) -> bool {
        std::iter::once(n).chain(self.ancestors(n)).any(|a| self.get(a).cover.is_some())
    }

    /// May a node be covered by another, as far as the shape of the graph goes?
    pub fn may_cover(&self, by: NodeId, n: NodeId) -> bool {
        self.get(n).cover.is_none() && !self.is_hidden(by) && !self.is_above(n, by)
    }

    /// A node is covered by another, which [may](Self::may_cover) cover it. What nodes hidden by that
    /// covered elsewhere is open again: these nodes, ascending.
    pub fn cover(&mut self, n: NodeId, by: NodeId) -> Vec<NodeId> {
        debug_assert!(self.may_cover(by, n), "{by} may not cover {n}");
        let hidden = self.subtree(n);
        let reopened = self.undo_covers(&hidden);
        self.node(n).cover = Some(by);
        self.node(by).covers.push(n);
        reopened
    }

    /// A node is not covered any more; says by which it was.
    pub fn uncover(&mut self, n: NodeId) -> Option<NodeId> {
        let by = self.node(n).cover.take()?;
        self.node(by).covers.retain(|&c| c != n);
        Some(by)
    }

    /// A node covers no other any more; says which it did.
    pub fn uncover_all(&mut self, by: NodeId) -> Vec<NodeId> {
        let covered = std::mem::take(&mut self.node(by).covers);
        for &n in &covered {
            self.node(n).cover = None;
        }
        covered
    }

    /// Undoes the covers of other nodes by some (ascending).
    fn undo_covers(&mut self, by: &[NodeId]) -> Vec<NodeId> {
        let mut reopened = Vec::new();
        for &m in by {
            let outside = |c: &NodeId| by.binary_search(c).is_err();
            let undone: Vec<NodeId> = self.get(m).covers.iter().copied().filter(outside).collect();
            for n in undone {
                self.uncover(n);
                reopened.push(n);
            }
        }
        reopened.sort_unstable();
        reopened
    }

    /// Removes a node with all below it.
    pub fn remove(&mut self, n: NodeId) -> Removed {
        let nodes = self.subtree(n);
        let reopened = self.undo_covers(&nodes);
        if let Some(parent) = self.get(n).parent {
            self.node(parent).children.retain(|&c| c != n);
        }
        for &m in &nodes {
            self.uncover(m);
        }
        for &m in &nodes {
            self.nodes[m] = None;
        }
        Removed { nodes, reopened }
    }

    /// Removes all below a node, for instance the pivot from which an abstraction is refined.
    pub fn remove_below(&mut self, n: NodeId) -> Removed {
        let mut all = Removed::default();
        for child in self.get(n).children.clone() {
            let Removed { nodes, reopened } = self.remove(child);
            all.nodes.extend(nodes);
            all.reopened.extend(reopened);
        }
        // A child may have covered something below the next one.
        all.reopened.retain(|&n| self.contains(n));
        all.nodes.sort_unstable();
        all.reopened.sort_unstable();
        all
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    /// The same by brute force: who is whose child, and who is covered by whom.
    #[derive(Default)]
    struct Naive {
        parent: BTreeMap<NodeId, Option<NodeId>>,
        cover: BTreeMap<NodeId, NodeId>,
    }

    impl Naive {
        fn below(&self, n: NodeId) -> BTreeSet<NodeId> {
            let is_below = |&&m: &&NodeId| {
                let mut at = Some(m);
                while at.is_some() && at != Some(n) {
                    at = at.and_then(|a| self.parent[&a]);
                }
                at.is_some()
            };
            self.parent.keys().filter(is_below).copied().collect()
        }

        fn hidden(&self, n: NodeId) -> bool {
            self.cover.keys().any(|&c| self.below(c).contains(&n))
        }

        fn remove(&mut self, gone: &BTreeSet<NodeId>) -> Removed {
            let reopened = self.undo(gone);
            self.parent.retain(|n, _| !gone.contains(n));
            self.cover.retain(|n, _| !gone.contains(n));
            Removed { nodes: gone.iter().copied().collect(), reopened }
        }

        /// Undoes the covers of others by these.
        fn undo(&mut self, by: &BTreeSet<NodeId>) -> Vec<NodeId> {
            let undone: Vec<NodeId> = self
                .cover
                .iter()
                .filter(|(n, m)| by.contains(m) && !by.contains(n))
                .map(|(n, _)| *n)
                .collect();
            self.cover.retain(|n, _| !undone.contains(n));
            undone
        }
    }

    fn compare(g: &ReachGraph<u32>, naive: &Naive, what: &str) {
        let ids: Vec<NodeId> = g.ids().collect();
        assert_eq!(ids, naive.parent.keys().copied().collect::<Vec<_>>(), "{what}");
        for n in ids {
            let node = g.get(n);
            assert_eq!(node.parent, naive.parent[&n], "{what}");
            let children: Vec<NodeId> =
                naive.parent.iter().filter(|(_, p)| **p == Some(n)).map(|(c, _)| *c).collect();
            assert_eq!(node.children, children, "{what}");
            assert_eq!(node.cover, naive.cover.get(&n).copied(), "{what}");
            let mut covers = node.covers.clone();
            covers.sort_unstable();
            let expected: Vec<NodeId> =
                naive.cover.iter().filter(|(_, by)| **by == n).map(|(c, _)| *c).collect();
            assert_eq!(covers, expected, "{what}");
            assert_eq!(g.is_hidden(n), naive.hidden(n), "{what}");
            assert_eq!(g.subtree(n), naive.below(n).into_iter().collect::<Vec<_>>(), "{what}");
            assert_eq!(node.depth as usize, g.ancestors(n).count(), "{what}");
            assert_eq!(node.label, n.as_u32(), "{what}");
            // What is not hidden relies on nothing hidden: no circle of covers.
            if let Some(by) = node.cover
                && g.ancestors(n).all(|a| g.get(a).cover.is_none())
            {
                assert!(!g.is_hidden(by), "{what}: {n} relies on {by}");
            }
        }
    }

    #[test]
    fn random_operations_agree_with_a_naive_model() {
        let mut rng = fastrand::Rng::with_seed(1);
        let (mut covered, mut reopened, mut removed) = (0, 0, 0);
        for round in 0..400 {
            let mut g: ReachGraph<u32> = ReachGraph::default();
            let mut naive = Naive::default();
            let root = g.add(None, 0);
            naive.parent.insert(root, None);
            for step in 0..60 {
                let what = format!("round {round}, step {step}");
                let ids: Vec<NodeId> = g.ids().collect();
                let [a, b] = [0, 1].map(|_| ids[rng.usize(0..ids.len())]);
                match rng.u32(0..10) {
                    0..5 => {
                        let n = g.add(Some(a), g.size() as u32);
                        assert_eq!(n.as_u32() as usize + 1, g.size());
                        naive.parent.insert(n, Some(a));
                    }
                    5..8 => {
                        let may =
                            !naive.cover.contains_key(&a) && !naive.hidden(b) && !naive.below(a).contains(&b);
                        assert_eq!(g.may_cover(b, a), may, "{what}");
                        assert_eq!(g.is_above(a, b), naive.below(a).contains(&b), "{what}");
                        if may {
                            let below = naive.below(a);
                            let expected = naive.undo(&below);
                            naive.cover.insert(a, b);
                            let found = g.cover(a, b);
                            assert_eq!(found, expected, "{what}");
                            (covered, reopened) = (covered + 1, reopened + found.len());
                        }
                    }
                    8 => match rng.bool() {
                        true => assert_eq!(g.uncover(a), naive.cover.remove(&a), "{what}"),
                        false => {
                            let mut found = g.uncover_all(a);
                            found.sort_unstable();
                            let mut expected = Vec::new();
                            naive.cover.retain(|&n, &mut by| {
                                if by == a {
                                    expected.push(n);
                                }
                                by != a
                            });
                            assert_eq!(found, expected, "{what}");
                        }
                    },
                    _ => {
                        let mut gone = naive.below(a);
                        let found = if a == root || rng.bool() {
                            gone.remove(&a);
                            g.remove_below(a)
                        } else {
                            g.remove(a)
                        };
                        assert_eq!(found, naive.remove(&gone), "{what}");
                        removed += found.nodes.len();
                        reopened += found.reopened.len();
                        assert!(found.nodes.iter().all(|&n| !g.contains(n)), "{what}");
                    }
                }
                compare(&g, &naive, &what);
            }
        }
        assert!(covered > 1000 && reopened > 300 && removed > 1000, "{covered} {reopened} {removed}");
    }

    #[test]
    fn paths_and_walks() {
        let mut g = ReachGraph::default();
        let root = g.add(None, "root");
        let [a, b] = ["a", "b"].map(|l| g.add(Some(root), l));
        let [c, d] = ["c", "d"].map(|l| g.add(Some(a), l));
        assert_eq!(g.path(None, c), [a, c]);
        assert_eq!(g.path(Some(a), c), [c]);
        assert_eq!(g.path(None, root), []);
        assert_eq!(g.walk(root, |_| true, |n| n - 1), Some(b));
        assert_eq!(g.walk(root, |_| true, |_| 0), Some(c));
        assert_eq!(g.walk(root, |n| n.label != "c", |_| 0), Some(d));
        assert_eq!(g.walk(root, |n| n.label != "root", |_| 0), None);
    }
}
