//! Invariants of loops from interpolants.
//!
//! An interpolant at the head of a loop says when nothing below goes wrong, and what
//! is below is much the same in every turn: its parts are good guesses of what the
//! loop keeps true (as in lazy annotation, McMillan 2010). Where the whole tree has
//! been explored, the interpolants of a head together cover every visit of it, and
//! each leads only to others: their disjunction is an invariant, and a proof that
//! does not repeat the search.
//!
//! Nothing said here is believed: who uses it has to prove it.

use std::collections::BTreeMap;

use cairn_ir::{BinOp, ExprId, ExprPool, LocId};
use cairn_term::TermId;

use crate::explore::Explorer;
use crate::express::Express;

/// Conditions by head.
pub type Candidates = BTreeMap<LocId, Vec<ExprId>>;

/// Conditions per head, at most.
const MOST: usize = 24;
/// Interpolants in one disjunction, at most.
const CASES: usize = 4096;

/// An interpolant at the head of a loop.
pub struct Known {
    pub at: LocId,
    /// Callers on the stack.
    pub depth: u32,
    pub interpolant: Vec<TermId>,
}

/// Parts of interpolants, of sub-trees that are done and of others, as far as they are.
pub fn parts(explorer: &mut Explorer<'_, '_, '_>, exprs: &mut ExprPool) -> Candidates {
    let mut found = Candidates::new();
    let mut known = explorer.partial();
    known.extend(explorer.known());
    for k in known {
        let facts = found.entry(k.at).or_default();
        let (machine, symbols) = (&mut explorer.machine, &mut explorer.symbols);
        let mut say = Express::new(machine.program, exprs, symbols, k.depth);
        for part in k.interpolant {
            if facts.len() < MOST
                && let Some(fact) = say.condition(machine.unroller.pool(), part)
                && !facts.contains(&fact)
            {
                facts.push(fact);
            }
        }
    }
    found
}

/// One disjunction of interpolants for each head. `None` if one of them cannot be said.
pub fn cases(explorer: &mut Explorer<'_, '_, '_>, exprs: &mut ExprPool) -> Option<Candidates> {
    let mut cases: BTreeMap<LocId, Vec<ExprId>> = BTreeMap::new();
    let known = explorer.known();
    if known.len() > CASES {
        return None;
    }
    for k in known {
        let (machine, symbols) = (&mut explorer.machine, &mut explorer.symbols);
        let mut say = Express::new(machine.program, exprs, symbols, k.depth);
        let mut all = Vec::new();
        for part in k.interpolant {
            all.push(say.condition(machine.unroller.pool(), part)?);
        }
        let case = all.into_iter().reduce(|a, b| exprs.binary(BinOp::And, a, b));
        let case = case.unwrap_or_else(|| exprs.bool(true));
        let list = cases.entry(k.at).or_default();
        if !list.contains(&case) {
            list.push(case);
        }
    }
    let mut found = Candidates::new();
    for (at, list) in cases {
        found.insert(at, vec![balanced(exprs, &list)]);
    }
    Some(found)
}

/// A disjunction that is not deeper than necessary.
fn balanced(exprs: &mut ExprPool, list: &[ExprId]) -> ExprId {
    match list {
        [] => exprs.bool(false),
        [one] => *one,
        _ => {
            let (a, b) = list.split_at(list.len() / 2);
            let (a, b) = (balanced(exprs, a), balanced(exprs, b));
            exprs.binary(BinOp::Or, a, b)
        }
    }
}
