//! Definite assignment: which reads may see a variable that nothing has assigned?
//!
//! Locals of the source start indeterminate, so such a read may be undefined
//! behaviour and must stay in the program to be met; temporaries must have none,
//! which the verifier checks.

use fixedbitset::FixedBitSet;
use rustc_hash::FxHashSet;

use crate::bitflow::{Exposed, block_edges, solve};
use crate::graph::{Blocks, Graph};
use crate::visit::VarsOf;
use crate::{EdgeId, Program, VarId, VarKind};

/// The reads, on some path from the entry, of locals and temporaries that may not have been
/// assigned. In order of edges, each pair once.
pub fn unassigned_reads(p: &Program, g: &Graph, blocks: &Blocks) -> Vec<(EdgeId, VarId)> {
    let mut vars_of = VarsOf::new(&p.exprs);
    let exposed = Exposed::new(p, blocks, &mut vars_of);
    let n = blocks.blocks.len();
    let none = FixedBitSet::with_capacity(exposed.vars.len());
    let mut start = vec![none.clone(); n];
    let entry = blocks.position(g.entry).0 as usize;
    for (i, &v) in exposed.vars.iter().enumerate() {
        start[entry].set(i, matches!(p.vars[v].kind, VarKind::Local | VarKind::Temp));
    }
    let order: Vec<u32> = (0..n as u32).collect();
    let made = vec![none; n];
    let preds = |b: u32| blocks.blocks[b as usize].preds.iter().copied();
    let before = solve(&order, start, &made, &exposed.written, preds);
    let mut found = Vec::new();
    let mut written: FxHashSet<VarId> = FxHashSet::default();
    for (block, before) in blocks.blocks.iter().zip(&before) {
        if before.is_clear() {
            continue;
        }
        written.clear();
        for e in block_edges(block) {
            let op = &p.edges[e].op;
            vars_of.op(op, |v| {
                let number = exposed.number.get(&v);
                if number.is_some_and(|&i| before.contains(i as usize)) && !written.contains(&v) {
                    found.push((e, v));
                }
            });
            written.extend(op.def());
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}
