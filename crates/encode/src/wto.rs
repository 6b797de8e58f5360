//! Weak topological order (Bourdoncle 1993): the locations of a function as a
//! nested sequence in which each cycle is a component with a head, so that
//! following it executes every location after all that lead to it within one
//! turn of the loops around it.

use cairn_ir::{FuncId, LocId, Program};
use rustc_hash::FxHashMap;

#[derive(Clone, Debug)]
pub enum Wto {
    Location(LocId),
    /// A cycle: its head, then what else lies in it.
    Loop(LocId, Vec<Wto>),
}

/// The order of a function with a body; locations that nothing reaches are left out.
pub fn order(p: &Program, f: FuncId) -> Vec<Wto> {
    let Some(body) = &p.funcs[f].body else { return Vec::new() };
    let mut b = Bourdoncle { p, number: FxHashMap::default(), next: 0, stack: Vec::new() };
    let mut out = Vec::new();
    b.visit(body.entry, &mut out);
    out.reverse();
    out
}

/// The head of a finished vertex: it is behind us.
const DONE: u32 = u32::MAX;

struct Bourdoncle<'p> {
    p: &'p Program,
    number: FxHashMap<LocId, u32>,
    next: u32,
    stack: Vec<LocId>,
}

struct Visit {
    loc: LocId,
    edge: usize,
    head: u32,
    is_loop: bool,
}

impl Bourdoncle<'_> {
    /// The recursive procedure of the paper with an explicit stack; elements are pushed in
    /// reverse order.
    fn visit(&mut self, root: LocId, out: &mut Vec<Wto>) {
        let mut open = vec![self.open(root)];
        while let Some(v) = open.last_mut() {
            let edges = &self.p.locs[v.loc].out;
            if let Some(&e) = edges.get(v.edge) {
                v.edge += 1;
                let next = self.p.edges[e].dst;
                match self.number.get(&next).copied().unwrap_or(0) {
                    0 => {
                        let visit = self.open(next);
                        open.push(visit);
                    }
                    n => v.note(n),
                }
                continue;
            }
            let Some(v) = open.pop() else { break };
            let own = self.number[&v.loc];
            if v.head == own {
                self.number.insert(v.loc, DONE);
                let mut top = self.stack.pop();
                if v.is_loop {
                    while let Some(t) = top
                        && t != v.loc
                    {
                        self.number.insert(t, 0);
                        top = self.stack.pop();
                    }
                    let body = self.component(v.loc);
                    out.push(Wto::Loop(v.loc, body));
                } else {
                    out.push(Wto::Location(v.loc));
                }
            }
            if let Some(parent) = open.last_mut() {
                parent.note(v.head);
            }
        }
    }

    fn open(&mut self, loc: LocId) -> Visit {
        self.next += 1;
        self.number.insert(loc, self.next);
        self.stack.push(loc);
        Visit { loc, edge: 0, head: self.next, is_loop: false }
    }

    fn component(&mut self, head: LocId) -> Vec<Wto> {
        let mut out = Vec::new();
        for i in 0..self.p.locs[head].out.len() {
            let next = self.p.edges[self.p.locs[head].out[i]].dst;
            if self.number.get(&next).copied().unwrap_or(0) == 0 {
                self.visit(next, &mut out);
            }
        }
        out.reverse();
        out
    }
}

impl Visit {
    /// A successor whose component reaches back to vertex number `n`.
    fn note(&mut self, n: u32) {
        if n <= self.head {
            self.head = n;
            self.is_loop = true;
        }
    }
}
