//! Weak topological orders (Bourdoncle, "Efficient chaotic iteration strategies
//! with widenings", 1993): the nodes of a graph as a nested sequence in which each
//! cycle is a component with a head, such that every edge goes forward in the
//! sequence or to the head of a component around it.
//!
//! **Loop heads** are the heads of the weak topological order from the entry, with
//! successors visited in the order of the edges. This is the notion that all
//! engines share:
//!
//! - Every cycle that can be reached has a head, also in irreducible graphs (a cycle
//!   that is entered in several places gets the one that the search meets first).
//! - Heads of natural loops ([`crate::loops`]) are heads, and in a reducible graph
//!   there are no others: the entry of a strongly connected part dominates it, so
//!   any depth-first search meets it first, and it has a back edge.

use fixedbitset::FixedBitSet;

use crate::Digraph;

/// An element of a weak topological order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wto<V> {
    Location(V),
    /// A cycle: its head, then what else lies in it.
    Loop(V, Vec<Wto<V>>),
}

impl<V: Copy> Wto<V> {
    /// The same order of other names.
    pub fn map<W>(&self, name: &impl Fn(V) -> W) -> Wto<W> {
        match self {
            Wto::Location(v) => Wto::Location(name(*v)),
            Wto::Loop(head, body) => Wto::Loop(name(*head), body.iter().map(|e| e.map(name)).collect()),
        }
    }

    /// All its nodes, in order.
    pub fn each(&self, f: &mut impl FnMut(V)) {
        match self {
            Wto::Location(v) => f(*v),
            Wto::Loop(head, body) => {
                f(*head);
                body.iter().for_each(|e| e.each(f));
            }
        }
    }
}

/// The order of what can be reached from the entry.
pub fn order(g: &Digraph, entry: u32) -> Vec<Wto<u32>> {
    order_from(g, [entry])
}

/// The order of what can be reached from some nodes, which are tried in turn.
pub fn order_from(g: &Digraph, roots: impl IntoIterator<Item = u32>) -> Vec<Wto<u32>> {
    let mut b = Bourdoncle { g, number: vec![0; g.len()], next: 0, stack: Vec::new() };
    let mut out = Vec::new();
    for root in roots {
        if b.number[root as usize] == 0 {
            b.visit(root, &mut out);
        }
    }
    out.reverse();
    out
}

/// The loop heads of what can be reached from the entry.
pub fn heads(g: &Digraph, entry: u32) -> FixedBitSet {
    fn add(elements: &[Wto<u32>], heads: &mut FixedBitSet) {
        for e in elements {
            if let Wto::Loop(head, body) = e {
                heads.insert(*head as usize);
                add(body, heads);
            }
        }
    }
    let mut heads = FixedBitSet::with_capacity(g.len());
    add(&order(g, entry), &mut heads);
    heads
}

/// The number of a finished node: it is behind us.
const DONE: u32 = u32::MAX;

struct Bourdoncle<'g> {
    g: &'g Digraph,
    /// In which order nodes were met; 0 for those that were not, or are to be visited again.
    number: Vec<u32>,
    next: u32,
    stack: Vec<u32>,
}

struct Visit {
    node: u32,
    edge: usize,
    head: u32,
    is_loop: bool,
}

impl Bourdoncle<'_> {
    /// The recursive procedure of the paper with an explicit stack (it recurses into components
    /// only); elements are pushed in reverse order.
    fn visit(&mut self, root: u32, out: &mut Vec<Wto<u32>>) {
        let mut open = vec![self.open(root)];
        while let Some(v) = open.last_mut() {
            if let Some(&next) = self.g.succs(v.node).get(v.edge) {
                v.edge += 1;
                match self.number[next as usize] {
                    0 => {
                        let visit = self.open(next);
                        open.push(visit);
                    }
                    n => v.note(n),
                }
                continue;
            }
            let Some(v) = open.pop() else { break };
            if v.head == self.number[v.node as usize] {
                self.number[v.node as usize] = DONE;
                let mut top = self.stack.pop();
                if v.is_loop {
                    while let Some(t) = top
                        && t != v.node
                    {
                        self.number[t as usize] = 0;
                        top = self.stack.pop();
                    }
                    let body = self.component(v.node);
                    out.push(Wto::Loop(v.node, body));
                } else {
                    out.push(Wto::Location(v.node));
                }
            }
            if let Some(parent) = open.last_mut() {
                parent.note(v.head);
            }
        }
    }

    fn open(&mut self, node: u32) -> Visit {
        self.next += 1;
        self.number[node as usize] = self.next;
        self.stack.push(node);
        Visit { node, edge: 0, head: self.next, is_loop: false }
    }

    fn component(&mut self, head: u32) -> Vec<Wto<u32>> {
        let mut out = Vec::new();
        for &next in self.g.succs(head) {
            if self.number[next as usize] == 0 {
                self.visit(next, &mut out);
            }
        }
        out.reverse();
        out
    }
}

impl Visit {
    /// A successor whose component reaches back to the node with number `n`.
    fn note(&mut self, n: u32) {
        if n <= self.head {
            self.head = n;
            self.is_loop = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::random;
    use Wto::{Location, Loop};

    #[test]
    fn nested_loops_nest() {
        let g = Digraph::new(5, &[(0, 1), (1, 2), (2, 3), (3, 2), (3, 1), (1, 4)]);
        let inner = Loop(2, vec![Location(3)]);
        assert_eq!(order(&g, 0), [Location(0), Loop(1, vec![inner]), Location(4)]);
    }

    #[test]
    fn a_loop_with_two_entries_has_one_head() {
        let g = Digraph::new(4, &[(0, 1), (0, 2), (1, 2), (2, 1), (2, 3)]);
        assert_eq!(order(&g, 0), [Location(0), Loop(1, vec![Location(2)]), Location(3)]);
    }

    #[test]
    fn further_roots_come_before_what_they_lead_to() {
        let g = Digraph::new(3, &[(0, 1), (2, 1)]);
        assert_eq!(order_from(&g, g.nodes()), [Location(2), Location(0), Location(1)]);
    }

    /// For each node its position, and the heads of the components around it (its own among them).
    fn places(elements: &[Wto<u32>], around: &mut Vec<u32>, out: &mut Vec<(u32, Vec<u32>)>) {
        for e in elements {
            match e {
                Location(v) => out.push((*v, around.clone())),
                Loop(head, body) => {
                    around.push(*head);
                    out.push((*head, around.clone()));
                    places(body, around, out);
                    around.pop();
                }
            }
        }
    }

    /// The definition: every node once, every edge forward or to a head around it. And without the
    /// heads nothing goes round.
    #[test]
    fn random_graphs_are_ordered_weakly() {
        let mut rng = fastrand::Rng::with_seed(11);
        let mut loops = 0;
        for round in 0..2000 {
            let (g, edges) = random(&mut rng, 16);
            let order = order(&g, 0);
            let mut found = Vec::new();
            places(&order, &mut Vec::new(), &mut found);
            let mut position = vec![usize::MAX; g.len()];
            for (i, (n, _)) in found.iter().enumerate() {
                assert_eq!(std::mem::replace(&mut position[*n as usize], i), usize::MAX);
            }
            let reachable = g.reachable([0]);
            for n in g.nodes() {
                assert_eq!(position[n as usize] != usize::MAX, reachable.contains(n as usize));
            }
            for &(a, b) in edges.iter().filter(|e| reachable.contains(e.0 as usize)) {
                let (at, to) = (position[a as usize], position[b as usize]);
                assert!(at < to || found[at].1.contains(&b), "round {round}: {a} -> {b} in {edges:?}");
            }
            let heads = heads(&g, 0);
            loops += heads.count_ones(..);
            let rest = g.filtered(|a, b| {
                reachable.contains(a as usize) && !heads.contains(a as usize) && !heads.contains(b as usize)
            });
            let acyclic = rest.components().iter().all(|c| c.len() == 1 && !rest.succs(c[0]).contains(&c[0]));
            assert!(acyclic, "round {round}: {heads} in {edges:?}");
        }
        assert!(loops > 1000, "{loops}");
    }
}
