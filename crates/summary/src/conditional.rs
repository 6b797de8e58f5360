//! Facts about turns in which a predicate stays true.
//!
//! If a turn never makes `p` false, then `p` at the start means that every turn
//! has it: what holds of a turn with `p` holds of all, and `p` holds at the end.
//! And if `p` is false at the end it was false all the time. So `x' = 2x` grows by
//! at least one in each turn, if `x >= 1` at the start. This is the cheap half of
//! taking a loop apart into phases.

use cairn_term::{Pool, TermId};
use rustc_hash::FxHashSet;

use crate::Space;
use crate::normal::atoms;
use crate::probe::{Probe, Range};
use crate::star::{Closure, Turn};

/// At most so many predicates are tried.
const PREDICATES: usize = 24;

pub fn add(probe: &mut Probe, space: &Space, turn: &Turn, closure: &mut Closure) {
    let loose: Vec<usize> = (0..turn.changed.len())
        .filter(|&n| closure.ranges[n].low.is_none() || closure.ranges[n].high.is_none())
        .collect();
    if loose.is_empty() {
        return;
    }
    for p in candidates(probe.pool, space, turn, &loose) {
        let later = turn.primed(probe.pool, p);
        let stable = probe.pool.implies(p, later);
        if probe.implied(p) || !probe.implied(stable) {
            continue;
        }
        let end = closure.primed(probe.pool, p);
        let (not, not_later) = (probe.pool.not(p), probe.pool.not(later));
        // With `p` from the start, and without it to the end.
        let mut facts = gained(probe, turn, closure, &loose, p);
        if end != p {
            facts.push(end);
        }
        let facts = probe.pool.and(&facts);
        closure.always.push(probe.pool.or(&[not, facts]));
        let facts = gained(probe, turn, closure, &loose, not_later);
        let facts = probe.pool.and(&facts);
        closure.always.push(probe.pool.or(&[end, facts]));
    }
}

/// What changes per turn if a formula holds, as far as it is news.
fn gained(
    probe: &mut Probe,
    turn: &Turn,
    closure: &Closure,
    loose: &[usize],
    formula: TermId,
) -> Vec<TermId> {
    let news: Vec<Range> = probe.assuming(formula, |probe| {
        if probe.possible(Pool::TRUE) != Some(true) {
            return Vec::new();
        }
        let range = |&n: &usize| probe.range(turn.deltas[n]).beyond(&closure.ranges[n]);
        loose.iter().map(range).collect()
    });
    let mut out = Vec::new();
    for (&n, range) in loose.iter().zip(&news) {
        let total = closure.total(probe.pool, turn.changed[n]);
        out.extend(closure.within(probe.pool, total, range));
    }
    out
}

/// Signs of what the unbounded changes are made of, and comparisons of the guard.
fn candidates(pool: &mut Pool, space: &Space, turn: &Turn, loose: &[usize]) -> Vec<TermId> {
    let mut out = Vec::new();
    let deltas: Vec<TermId> = loose.iter().map(|&n| turn.deltas[n]).collect();
    let (one, zero, minus) = (pool.int(1), pool.int(0), pool.int(-1));
    for v in pool.free_vars(&deltas) {
        if space.has(v) {
            out.extend([
                pool.int_le(one, v),
                pool.int_le(zero, v),
                pool.int_le(v, minus),
                pool.int_le(v, zero),
            ]);
        }
    }
    let of_state = |pool: &Pool, t: TermId| pool.free_vars(&[t]).iter().all(|&v| space.has(v));
    for atom in atoms(pool, &turn.parts, of_state) {
        out.push(atom);
        out.push(pool.not(atom));
    }
    let mut seen = FxHashSet::default();
    out.retain(|&t| seen.insert(t));
    out.truncate(PREDICATES);
    out
}
