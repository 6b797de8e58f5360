//! Inclusion constraints between sets of abstract objects, solved by a worklist
//! (Andersen 1994) that passes on only what is new, with cycles of inclusions
//! collapsed into one node now and then (Hardekopf and Lin 2007 do so lazily).

use cairn_base::{Limit, Pace};
use cairn_graph::Digraph;
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashSet;

pub type Node = u32;
/// The number of an abstract object.
pub type Token = u32;

/// What depends on the set of a node: an index into the constraints of the solver's client.
pub type Trigger = u32;

/// The triggers of a set that has grown, and its new members.
pub type Growth = (Vec<Trigger>, Vec<Token>);

#[derive(Default)]
struct Data {
    /// Ascending; has been passed on.
    set: Vec<Token>,
    /// Arrived, not yet passed on; unordered, may repeat and lie in `set`.
    fresh: Vec<Token>,
    succs: Vec<Node>,
    triggers: Vec<Trigger>,
    /// Passes on nothing as long as it holds a single known object.
    plural: bool,
    queued: bool,
}

#[derive(Default)]
pub struct Solver {
    nodes: Vec<Data>,
    /// The node that stands for each node since cycles were collapsed.
    rep: Vec<Node>,
    edges: FxHashSet<(Node, Node)>,
    work: Vec<Node>,
    steps: usize,
    /// Steps at which to look for cycles again.
    collapse_at: usize,
}

impl Solver {
    pub fn node(&mut self) -> Node {
        self.nodes.push(Data::default());
        self.rep.push(self.rep.len() as Node);
        self.nodes.len() as Node - 1
    }

    pub fn plural(&mut self) -> Node {
        let n = self.node();
        self.nodes[n as usize].plural = true;
        n
    }

    fn find(&self, mut n: Node) -> Node {
        while self.rep[n as usize] != n {
            n = self.rep[n as usize];
        }
        n
    }

    fn queue(&mut self, n: Node) {
        let d = &mut self.nodes[n as usize];
        if !d.queued && !d.fresh.is_empty() {
            d.queued = true;
            self.work.push(n);
        }
    }

    pub fn add(&mut self, n: Node, t: Token) {
        let n = self.find(n);
        self.nodes[n as usize].fresh.push(t);
        self.queue(n);
    }

    /// `to` includes `from`.
    pub fn include(&mut self, from: Node, to: Node) {
        let (from, to) = (self.find(from), self.find(to));
        if from == to || !self.edges.insert((from, to)) {
            return;
        }
        self.nodes[from as usize].succs.push(to);
        let d = &self.nodes[from as usize];
        if !d.set.is_empty() && !d.is_held_back() {
            let set = d.set.clone();
            self.nodes[to as usize].fresh.extend(set);
            self.queue(to);
        }
    }

    /// Reports every token that `n` gets.
    pub fn watch(&mut self, n: Node, t: Trigger) -> Vec<Token> {
        let n = self.find(n);
        self.nodes[n as usize].triggers.push(t);
        self.nodes[n as usize].set.clone()
    }

    pub fn set(&self, n: Node) -> &[Token] {
        &self.nodes[self.find(n) as usize].set
    }

    pub fn steps(&self) -> usize {
        self.steps
    }

    /// Passes on until something that is watched grows or nothing is left. `None`: done. At a limit
    /// the sets are too small.
    pub fn next(&mut self, pace: &mut Pace<'_>) -> Result<Option<Growth>, Limit> {
        loop {
            pace.step()?;
            if self.steps >= self.collapse_at {
                self.collapse();
            }
            let Some(n) = self.work.pop() else { return Ok(None) };
            self.steps += 1;
            let d = &mut self.nodes[n as usize];
            d.queued = false;
            let mut fresh = std::mem::take(&mut d.fresh);
            fresh.sort_unstable();
            fresh.dedup();
            let held = d.is_held_back();
            fresh.retain(|t| d.set.binary_search(t).is_err());
            if fresh.is_empty() {
                continue;
            }
            d.set = merge(&d.set, &fresh);
            if d.is_held_back() {
                continue;
            }
            // What was held back so far goes along.
            if held {
                fresh.clone_from(&d.set);
            }
            self.steps += fresh.len() / 16;
            for i in 0..self.nodes[n as usize].succs.len() {
                let to = self.find(self.nodes[n as usize].succs[i]);
                if to != n {
                    self.nodes[to as usize].fresh.extend_from_slice(&fresh);
                    self.queue(to);
                }
            }
            let triggers = self.nodes[n as usize].triggers.clone();
            if !triggers.is_empty() {
                return Ok(Some((triggers, fresh)));
            }
        }
    }

    /// Makes one node of every cycle.
    pub fn collapse(&mut self) {
        self.collapse_at = self.steps + 4 * self.nodes.len().max(1000);
        let mut edges = Vec::with_capacity(self.edges.len());
        for (i, d) in self.nodes.iter().enumerate() {
            if self.rep[i] != i as Node || d.plural {
                continue;
            }
            for &s in &d.succs {
                let s = self.find(s);
                if !self.nodes[s as usize].plural {
                    edges.push((i as Node, s));
                }
            }
        }
        let mut into = FixedBitSet::with_capacity(self.nodes.len());
        for scc in Digraph::new(self.nodes.len(), &edges).components() {
            let Some((first, rest)) = scc.split_first() else { continue };
            let head = *first as usize;
            for &n in rest {
                let d = std::mem::take(&mut self.nodes[n as usize]);
                self.rep[n as usize] = head as Node;
                let h = &mut self.nodes[head];
                h.fresh.extend(d.fresh);
                h.fresh.extend(d.set);
                h.succs.extend(d.succs);
                h.triggers.extend(d.triggers);
                into.insert(head);
            }
            if into.contains(head) {
                // The members of the cycle had different sets: each element is new to some of them.
                let h = &mut self.nodes[head];
                let set = std::mem::take(&mut h.set);
                h.fresh.extend(set);
                h.queued = false;
            }
        }
        self.work.clear();
        for n in 0..self.nodes.len() {
            self.nodes[n].queued = false;
            let succs = std::mem::take(&mut self.nodes[n].succs);
            let mut succs: Vec<Node> = succs.into_iter().map(|s| self.find(s)).collect();
            succs.sort_unstable();
            succs.dedup();
            succs.retain(|&s| s != n as Node);
            self.nodes[n].succs = succs;
            self.queue(n as Node);
        }
    }
}

impl Data {
    fn is_held_back(&self) -> bool {
        self.plural && self.set.len() <= 1 && self.set != [super::UNKNOWN]
    }
}

fn merge(a: &[Token], b: &[Token]) -> Vec<Token> {
    let mut out = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() && j < b.len() {
        if a[i] < b[j] {
            out.push(a[i]);
            i += 1;
        } else {
            out.push(b[j]);
            j += 1;
        }
    }
    out.extend_from_slice(&a[i..]);
    out.extend_from_slice(&b[j..]);
    out
}

#[cfg(test)]
mod tests {
    use cairn_base::Budget;

    use super::*;

    fn solve(s: &mut Solver) {
        let budget = Budget::default();
        while s.next(&mut Pace::new(&budget, 1)).expect("no limit").is_some() {}
    }

    #[test]
    fn sets_flow_along_inclusions_and_cycles() {
        let mut s = Solver::default();
        let (a, b, c) = (s.node(), s.node(), s.node());
        s.add(a, 5);
        s.include(a, b);
        s.include(b, c);
        s.include(c, a);
        solve(&mut s);
        s.collapse();
        s.add(c, 7);
        solve(&mut s);
        for n in [a, b, c] {
            assert_eq!(s.set(n), [5, 7]);
        }
    }

    #[test]
    fn a_single_object_is_held_back() {
        let mut s = Solver::default();
        let (a, b, c) = (s.node(), s.plural(), s.node());
        s.include(a, b);
        s.include(b, c);
        s.add(a, 3);
        solve(&mut s);
        assert!(s.set(c).is_empty());
        s.add(a, 4);
        solve(&mut s);
        assert_eq!(s.set(c), [3, 4]);
    }
}
