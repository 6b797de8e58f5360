//! Which variables may still be read before they are written again, per location.
//!
//! Only a function's own variables are considered; global variables are always
//! live. The solution is kept per basic block (see [`crate::bitflow`]); sets for
//! single locations are derived by walking their block backwards.

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashSet;

use crate::bitflow::{Exposed, block_edges, solve};
use crate::graph::{Blocks, Graph};
use crate::visit::VarsOf;
use crate::{EdgeId, LocId, Program, VarId};

pub struct Liveness<'p> {
    p: &'p Program,
    g: &'p Graph,
    blocks: &'p Blocks,
    exposed: Exposed,
    /// Live where a block has been left.
    live_out: Vec<FixedBitSet>,
}

impl<'p> Liveness<'p> {
    pub fn new(p: &'p Program, g: &'p Graph, blocks: &'p Blocks) -> Liveness<'p> {
        let exposed = Exposed::new(p, blocks, &mut VarsOf::new(&p.exprs));
        let n = blocks.blocks.len();
        let empty = vec![FixedBitSet::with_capacity(exposed.vars.len()); n];
        let order: Vec<u32> = (0..n as u32).rev().collect();
        let succs = |b: u32| blocks.blocks[b as usize].out.iter().map(|o| o.1);
        let live_out = solve(&order, empty, &exposed.read, &exposed.written, succs);
        Liveness { p, g, blocks, exposed, live_out }
    }

    /// The variables that are live at a location, ascending.
    pub fn at(&self, l: LocId) -> Vec<VarId> {
        let (b, position) = self.blocks.position(self.g.node(l));
        let mut found = Vec::new();
        self.walk_block(b, |i, live| {
            if i == position {
                found = live.iter().copied().collect();
            }
        });
        found.sort_unstable();
        found
    }

    /// Calls `f` on every location with its live variables.
    pub fn each(&self, mut f: impl FnMut(LocId, &FxHashSet<VarId>)) {
        for b in 0..self.blocks.blocks.len() as u32 {
            self.walk_block(b, |i, live| f(self.blocks.blocks[b as usize].locs[i as usize], live));
        }
    }

    /// Calls `f` on the positions of a block, last first, with what is live there.
    fn walk_block(&self, b: u32, mut f: impl FnMut(u32, &FxHashSet<VarId>)) {
        let block = &self.blocks.blocks[b as usize];
        let numbers = self.live_out[b as usize].ones();
        let mut live: FxHashSet<VarId> = numbers.map(|i| self.exposed.vars[i]).collect();
        let mut vars_of = VarsOf::new(&self.p.exprs);
        let mut step = |live: &mut FxHashSet<VarId>, e: EdgeId, kills: bool| {
            let op = &self.p.edges[e].op;
            if let Some(v) = op.def().filter(|_| kills) {
                live.remove(&v);
            }
            vars_of.op(op, |v| {
                if self.p.vars[v].owner.is_some() {
                    live.insert(v);
                }
            });
        };
        let inside = block.edges.len();
        for e in block_edges(block).skip(inside) {
            step(&mut live, e, block.out.len() == 1);
        }
        f(inside as u32, &live);
        for (i, &e) in block.edges.iter().enumerate().rev() {
            step(&mut live, e, true);
            f(i as u32, &live);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use cairn_base::SecondaryMap;

    use super::*;
    use crate::assigned::unassigned_reads;
    use crate::testing::random_program;
    use crate::{FuncId, Op, VarKind};

    fn reads(p: &Program, op: &Op) -> BTreeSet<VarId> {
        let mut found = BTreeSet::new();
        VarsOf::new(&p.exprs).op(op, |v| {
            found.insert(v);
        });
        found.retain(|&v| p.vars[v].owner.is_some());
        found
    }

    /// Liveness by its equations, location by location.
    fn live(p: &Program, f: FuncId) -> SecondaryMap<LocId, BTreeSet<VarId>> {
        let body = p.funcs[f].body.as_ref().expect("has a body");
        let mut live: SecondaryMap<LocId, BTreeSet<VarId>> = SecondaryMap::new();
        let mut changed = true;
        while changed {
            changed = false;
            for &e in &body.edges {
                let edge = &p.edges[e];
                let mut here = live[edge.dst].clone();
                if let Some(v) = edge.op.def() {
                    here.remove(&v);
                }
                here.extend(reads(p, &edge.op));
                let before = live[edge.src].len();
                live[edge.src].extend(here);
                changed |= live[edge.src].len() > before;
            }
        }
        live
    }

    /// Reads of what may be unassigned, likewise.
    fn unassigned(p: &Program, f: FuncId) -> Vec<(EdgeId, VarId)> {
        let body = p.funcs[f].body.as_ref().expect("has a body");
        let mut may: SecondaryMap<LocId, BTreeSet<VarId>> = SecondaryMap::new();
        let starts = |v: &VarId| matches!(p.vars[*v].kind, VarKind::Local | VarKind::Temp);
        may[body.entry] = body.vars.iter().copied().filter(starts).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for &e in &body.edges {
                let edge = &p.edges[e];
                let mut there = may[edge.src].clone();
                if let Some(v) = edge.op.def() {
                    there.remove(&v);
                }
                let before = may[edge.dst].len();
                may[edge.dst].extend(there);
                changed |= may[edge.dst].len() > before;
            }
        }
        let at = |&e: &EdgeId| {
            let found = reads(p, &p.edges[e].op).into_iter().filter(|v| may[p.edges[e].src].contains(v));
            found.map(move |v| (e, v)).collect::<Vec<_>>()
        };
        let mut all: Vec<(EdgeId, VarId)> = body.edges.iter().flat_map(at).collect();
        all.sort();
        all
    }

    #[test]
    fn agree_with_their_equations_on_random_programs() {
        for seed in 0..80 {
            let p = random_program(seed, 5 + seed as usize % 20);
            for f in p.funcs.keys() {
                let Some(g) = Graph::new(&p, f) else { continue };
                let blocks = Blocks::new(&p, &g);
                let expected = live(&p, f);
                let liveness = Liveness::new(&p, &g, &blocks);
                liveness.each(|l, vars| {
                    let vars: BTreeSet<VarId> = vars.iter().copied().collect();
                    assert_eq!(vars, expected[l], "seed {seed}, {l}");
                });
                assert_eq!(unassigned_reads(&p, &g, &blocks), unassigned(&p, f), "seed {seed}");
            }
        }
    }
}
