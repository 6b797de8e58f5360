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

use cairn_induct::Candidates;
use cairn_ir::{BinOp, ExprId, ExprPool, IntTy, LocId, Ty};
use cairn_path::express::writer;
use cairn_path::symbols::Symbol;
use cairn_smt::ranges::signed_bounds;
use cairn_term::TermId;

use crate::explore::Explorer;

/// Conditions per head, at most.
const MAX_CONDITIONS: usize = 24;
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
        let mut say = writer(&machine.program.vars, exprs, symbols, k.depth);
        for part in k.interpolant {
            if facts.len() < MAX_CONDITIONS
                && let Some(fact) = say.condition(machine.stepper.pool(), part)
                && !facts.contains(&fact)
            {
                facts.push(fact);
            }
        }
    }
    found
}

/// Bounds that change from interpolant to interpolant of a head as a linear function of a variable
/// that each of them makes constant: what `i = 3 and -3 <= s <= 3`, `i = 4 and -4 <= s <= 4`, ... are
/// cases of.
pub fn trends(explorer: &mut Explorer<'_, '_, '_>, exprs: &mut ExprPool) -> Candidates {
    let mut by_head: BTreeMap<LocId, Vec<Known>> = BTreeMap::new();
    for k in explorer.known() {
        by_head.entry(k.at).or_default().push(k);
    }
    let mut found = Candidates::new();
    for (at, known) in by_head {
        let pool = explorer.machine.stepper.pool();
        let bounds: Vec<_> = known.iter().map(|k| signed_bounds(pool, &k.interpolant)).collect();
        // Most of them: where a loop ends, its counter is merely large enough.
        let constant = |x: &TermId| {
            let fixed = bounds.iter().filter(|b| b.get(x).is_some_and(|r| r.0 == r.1)).count();
            fixed > 2 && 2 * fixed > bounds.len()
        };
        let Some(middle) = bounds.get(bounds.len() / 2) else { continue };
        for &x in middle.keys().filter(|x| constant(x)) {
            for &y in middle.keys().filter(|y| **y != x) {
                let point = |b: &BTreeMap<TermId, (i128, i128)>| {
                    let x = b.get(&x).filter(|r| r.0 == r.1)?;
                    Some((x.0, *b.get(&y)?))
                };
                let points: Vec<(i128, (i128, i128))> = bounds.iter().filter_map(point).collect();
                let low = line(points.iter().map(|(x, (lo, _))| (*x, *lo)));
                let high = line(points.iter().map(|(x, (_, hi))| (*x, *hi)));
                let (program, pool) = (explorer.machine.program, explorer.machine.stepper.pool());
                let depth = known[0].depth;
                let mut wide = |t: TermId| {
                    let v = match explorer.symbols.meaning(pool, t)? {
                        Symbol::Global(v) => v,
                        Symbol::Local(d, v) if d == depth => v,
                        _ => return None,
                    };
                    matches!(program.vars[v].ty, Ty::Int(i) if i.signed && i.bits <= 32).then_some(v)
                };
                let (Some(x), Some(y)) = (wide(x), wide(y)) else { continue };
                let facts = found.entry(at).or_default();
                for (line, is_low) in [(low, true), (high, false)] {
                    let Some((slope, offset)) = line else { continue };
                    let ty = IntTy { bits: 64, signed: true };
                    let mut number = |v| {
                        let e = exprs.var(v);
                        exprs.cast(Ty::Int(ty), e)
                    };
                    let (x, y) = (number(x), number(y));
                    let (slope, offset) = (exprs.int(ty, slope), exprs.int(ty, offset));
                    let product = exprs.binary(BinOp::Mul, slope, x);
                    let bound = exprs.binary(BinOp::Add, product, offset);
                    let (a, b) = if is_low { (bound, y) } else { (y, bound) };
                    facts.push(exprs.binary(BinOp::Le, a, b));
                }
            }
        }
    }
    found
}

/// The line through all points, as slope and offset.
fn line(points: impl Iterator<Item = (i128, i128)>) -> Option<(i128, i128)> {
    let points: Vec<(i128, i128)> = points.collect();
    let (x, y) = *points.first()?;
    let &(x2, y2) = points.iter().find(|p| p.0 != x)?;
    let slope = (y2 - y) / (x2 - x);
    let offset = y - slope * x;
    points.iter().all(|(x, y)| *y == slope * x + offset).then_some((slope, offset))
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
        let mut say = writer(&machine.program.vars, exprs, symbols, k.depth);
        let mut all = Vec::new();
        for part in k.interpolant {
            all.push(say.condition(machine.stepper.pool(), part)?);
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
