//! Are all accesses to a local object within its lifetime, and all reads after writes?

use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

use super::cells::{Access, At, Candidates, access};
use crate::bitflow::{block_edges, solve};
use crate::graph::{Block, Blocks, Graph};
use crate::{EdgeId, FuncId, ObjId, Program};

/// A fact per local candidate, "may not be alive", and per cell, "may not be written".
struct Facts<'a> {
    candidates: &'a Candidates,
    alive: FxHashMap<ObjId, usize>,
    written: FxHashMap<At, usize>,
    len: usize,
}

/// The local objects of a function that must stay in memory.
pub fn unfit(p: &Program, f: FuncId, candidates: &Candidates) -> FxHashSet<ObjId> {
    let mut found = FxHashSet::default();
    let Some(body) = &p.funcs[f].body else { return found };
    let mut facts = Facts { candidates, alive: FxHashMap::default(), written: FxHashMap::default(), len: 0 };
    for &o in &body.objects {
        let Some(cells) = candidates.of(o) else { continue };
        facts.alive.insert(o, facts.len);
        for &offset in cells.keys() {
            facts.len += 1;
            facts.written.insert((o, offset), facts.len);
        }
        facts.len += 1;
    }
    let Some(g) = Graph::new(p, f).filter(|_| facts.len > 0) else { return found };
    let blocks = Blocks::new(p, &g);
    let none = FixedBitSet::with_capacity(facts.len);
    let all = {
        let mut all = none.clone();
        all.insert_range(..);
        all
    };
    let n = blocks.blocks.len();
    // What a block does to no facts shows what it makes, to all facts what it lets through.
    let through = |start: &FixedBitSet| -> Vec<FixedBitSet> {
        let run = |b: &Block| {
            let mut now = start.clone();
            block_edges(b).for_each(|e| facts.step(p, e, &mut now, &mut |_| {}));
            now
        };
        blocks.blocks.iter().map(run).collect()
    };
    let made = through(&none);
    let mut gone = through(&all);
    gone.iter_mut().for_each(|kept| kept.toggle_range(..));
    let mut start = vec![none; n];
    start[blocks.position(g.entry).0 as usize] = all;
    let order: Vec<u32> = (0..n as u32).collect();
    let before = solve(&order, start, &made, &gone, |b| blocks.blocks[b as usize].preds.iter().copied());
    for (block, mut now) in blocks.blocks.iter().zip(before) {
        for e in block_edges(block) {
            facts.step(p, e, &mut now, &mut |o| {
                found.insert(o);
            });
        }
    }
    found
}

impl Facts<'_> {
    /// Takes the facts over an edge and reports objects that are accessed as they must not be.
    fn step(&self, p: &Program, edge: EdgeId, now: &mut FixedBitSet, report: &mut dyn FnMut(ObjId)) {
        let Some(access) = access(p, &p.edges[edge].op) else { return };
        let used = |o: ObjId, now: &FixedBitSet, report: &mut dyn FnMut(ObjId)| {
            if self.alive.get(&o).is_some_and(|&i| now.contains(i)) {
                report(o);
            }
        };
        let read = |at: At, now: &FixedBitSet, report: &mut dyn FnMut(ObjId)| {
            if self.written.get(&at).is_some_and(|&i| now.contains(i)) {
                report(at.0);
            }
        };
        let write = |at: At, now: &mut FixedBitSet| {
            if let Some(&i) = self.written.get(&at) {
                now.set(i, false);
            }
        };
        match access {
            Access::Begin(o) | Access::End(o) => {
                if let Some(&i) = self.alive.get(&o) {
                    let cells = self.candidates.of(o).map_or(0, |c| c.len());
                    now.insert_range(i..i + 1 + cells);
                    now.set(i, matches!(access, Access::End(_)));
                }
            }
            Access::Load(at, _) => {
                used(at.0, now, report);
                read(at, now, report);
            }
            Access::Store(at, _) => {
                used(at.0, now, report);
                write(at, now);
            }
            Access::Fill { at, size, .. } => {
                used(at.0, now, report);
                for (offset, _) in self.candidates.cells_in(at, size) {
                    write((at.0, offset), now);
                }
            }
            Access::Copy { dst, src, size } => {
                used(dst.0, now, report);
                used(src.0, now, report);
                for (offset, _) in self.candidates.cells_in(src, size) {
                    read((src.0, offset), now, report);
                }
                for (offset, _) in self.candidates.cells_in(dst, size) {
                    write((dst.0, offset), now);
                }
            }
        }
    }
}
