//! Bit-vector dataflow over the basic blocks of a function: the one solver
//! behind liveness and definite assignment.
//!
//! Both problems need facts only about variables that some block reads before
//! writing them ("global names" in the pruned-SSA papers of Briggs and others).
//! Temporaries rarely qualify, which keeps the vectors short: the cost follows
//! blocks times exposed variables rather than locations times variables.

use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::graph::{Block, Blocks};
use crate::visit::VarsOf;
use crate::{EdgeId, Program, VarId};

/// The edges of a block in order: inside it, then out of it.
pub fn block_edges(b: &Block) -> impl DoubleEndedIterator<Item = EdgeId> + '_ {
    b.edges.iter().copied().chain(b.out.iter().map(|o| o.0))
}

/// What the blocks of a function read from before and write.
pub struct Exposed {
    /// The variables with a number, that is, those exposed in some block.
    pub vars: Vec<VarId>,
    pub number: FxHashMap<VarId, u32>,
    /// Per block: numbers read before being written, and numbers written.
    pub read: Vec<FixedBitSet>,
    pub written: Vec<FixedBitSet>,
}

impl Exposed {
    /// Considers the function's own variables only.
    pub fn new(p: &Program, blocks: &Blocks, vars_of: &mut VarsOf) -> Exposed {
        let mut vars = Vec::new();
        let mut number: FxHashMap<VarId, u32> = FxHashMap::default();
        let mut reads: Vec<Vec<u32>> = Vec::with_capacity(blocks.blocks.len());
        let mut defined: FxHashSet<VarId> = FxHashSet::default();
        for block in &blocks.blocks {
            defined.clear();
            let mut read = Vec::new();
            for e in block_edges(block) {
                let op = &p.edges[e].op;
                vars_of.op(op, |v| {
                    if p.vars[v].owner.is_some() && !defined.contains(&v) {
                        read.push(*number.entry(v).or_insert_with(|| {
                            vars.push(v);
                            vars.len() as u32 - 1
                        }));
                    }
                });
                // A definition on one of several ways out does not hold on the others.
                if block.out.len() <= 1 || block.out.iter().all(|o| o.0 != e) {
                    defined.extend(op.def());
                }
            }
            reads.push(read);
        }
        let bits = |numbers: &mut dyn Iterator<Item = u32>| {
            let mut set = FixedBitSet::with_capacity(vars.len());
            numbers.for_each(|i| set.insert(i as usize));
            set
        };
        let read = reads.iter().map(|r| bits(&mut r.iter().copied())).collect();
        let written = blocks.blocks.iter().map(|b| {
            let several = b.out.len() > 1;
            let edges = b.edges.iter().copied().chain(b.out.iter().filter(|_| !several).map(|o| o.0));
            bits(&mut edges.filter_map(|e| number.get(&p.edges[e].op.def()?).copied()))
        });
        let written = written.collect();
        Exposed { vars, number, read, written }
    }
}

/// The least solution of `after[b] = made[b] | (before[b] - gone[b])`, where `before[b]` is the
/// union of `after` over `sources(b)` together with `start[b]`. Returns `before`. `order` should
/// list blocks after their sources as far as cycles allow.
pub fn solve<'b, I: Iterator<Item = u32> + 'b>(
    order: &[u32],
    start: Vec<FixedBitSet>,
    made: &[FixedBitSet],
    gone: &[FixedBitSet],
    sources: impl Fn(u32) -> I,
) -> Vec<FixedBitSet> {
    let mut before = start;
    let mut after: Vec<FixedBitSet> = made.to_vec();
    let mut changed = true;
    while changed {
        changed = false;
        for &b in order {
            let i = b as usize;
            for s in sources(b) {
                before[i].union_with(&after[s as usize]);
            }
            let mut now = before[i].clone();
            now.difference_with(&gone[i]);
            now.union_with(&made[i]);
            if now != after[i] {
                after[i] = now;
                changed = true;
            }
        }
    }
    before
}
