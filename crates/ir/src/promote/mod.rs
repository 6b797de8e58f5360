//! Promotion of memory objects to variables.
//!
//! An object whose address goes nowhere but into loads, stores, fills and copies
//! at constant offsets is a bundle of scalars: each (offset, type) that is
//! accessed, a cell, becomes a variable of its own ("scalar replacement of
//! aggregates"; Muchnick, *Advanced Compiler Design*, 12.2). Variables are far
//! cheaper to reason about than memory.
//!
//! A variable cannot express what memory can: accesses outside a lifetime and
//! reads of what was never written. So a local object is promoted only if
//! neither can happen along any path: wherever it is accessed it has begun and
//! not ended, and wherever a cell is read it was written since `Begin`. Then
//! `Begin` and `End` have nothing left to say. Any other use of the address, or
//! cells that overlap, keep the object in memory.

mod cells;
mod lifetime;
mod rewrite;
#[cfg(test)]
mod tests;

use cairn_base::EntityRef;
use rustc_hash::FxHashSet;

use crate::verify::debug_verify;
use crate::{ObjId, Program};

/// Promotes what can be; the number of objects that became variables.
pub fn promote(p: &mut Program) -> usize {
    let mut candidates = cells::Candidates::collect(p);
    for f in p.funcs.keys() {
        let unfit = lifetime::unfit(p, f, &candidates);
        candidates.reject(unfit);
    }
    let promoted = candidates.promotable();
    if !promoted.is_empty() {
        rewrite::rewrite(p, &candidates);
        debug_verify(p, "promote");
    }
    promoted.len()
}

/// A set of objects that falls apart into groups, each promoted as a whole or not at all.
#[derive(Default)]
struct Groups {
    parent: Vec<u32>,
}

impl Groups {
    fn new(len: usize) -> Groups {
        Groups { parent: (0..len as u32).collect() }
    }

    fn root(&mut self, o: ObjId) -> u32 {
        let mut x = o.as_u32();
        while self.parent[x as usize] != x {
            let up = self.parent[x as usize];
            self.parent[x as usize] = self.parent[up as usize];
            x = up;
        }
        x
    }

    fn join(&mut self, a: ObjId, b: ObjId) {
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a as usize] = b;
    }

    /// The members of all groups that have a member in `some`.
    fn with_members(&mut self, some: &FxHashSet<ObjId>) -> FxHashSet<ObjId> {
        let roots: FxHashSet<u32> = some.iter().map(|&o| self.root(o)).collect();
        let all = (0..self.parent.len()).map(ObjId::new);
        all.filter(|&o| roots.contains(&self.root(o))).collect()
    }
}
