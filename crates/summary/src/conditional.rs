//! Facts about turns in which a predicate stays true.
//!
//! If a turn never makes `p` false, then `p` at the start means that every turn
//! has it: what holds of a turn with `p` holds of all, and `p` holds at the end.
//! And if `p` is false at the end it was false all the time. So `x' = 2x` grows by
//! at least one in each turn, if `x >= 1` at the start. A predicate may also be
//! stable only together with others that are. This is the cheap half of taking a
//! loop apart into phases.

use cairn_term::{Pool, TermId};
use rustc_hash::FxHashSet;

use crate::Space;
use crate::normal::atoms;
use crate::probe::{Probe, Range};
use crate::star::{Closure, Turn};

/// At most so many predicates are tried.
const PREDICATES: usize = 32;

/// At most so many are tried with the help of others, and of at most so many others.
const HELPED: usize = 8;
const HELPERS: usize = 3;

pub fn add(probe: &mut Probe, space: &Space, turn: &Turn, hints: &[TermId], closure: &mut Closure) {
    let loose: Vec<usize> = (0..turn.changed.len())
        .filter(|&n| closure.ranges[n].low.is_none() || closure.ranges[n].high.is_none())
        .collect();
    if loose.is_empty() {
        return;
    }
    let (mut stable, mut unstable) = (Vec::new(), Vec::new());
    let (candidates, wanted) = candidates(probe.pool, space, turn, hints, &loose);
    for p in candidates {
        let later = turn.primed(probe.pool, p);
        let stays = probe.pool.implies(p, later);
        if probe.implied(p) || probe.excluded(p) {
            continue;
        } else if probe.implied(stays) {
            stable.push(p);
        } else {
            unstable.push(p);
        }
    }
    for &p in &stable {
        start_with(probe, turn, closure, &loose, &[p]);
        // What is false at the end was false before, unless that is no news.
        let not = probe.pool.not(p);
        if !stable.contains(&not) {
            end_without(probe, turn, closure, &loose, p);
        }
    }
    let hinted = unstable.into_iter().filter(|p| wanted.contains(p));
    for p in hinted.take(HELPED).collect::<Vec<_>>() {
        if let Some(all) = helped(probe, turn, &stable, p) {
            start_with(probe, turn, closure, &loose, &all);
        }
    }
}

/// With predicates from the start, they hold at the end, and what turns with them do.
fn start_with(probe: &mut Probe, turn: &Turn, closure: &mut Closure, loose: &[usize], all: &[TermId]) {
    let p = probe.pool.and(all);
    let not = probe.pool.not(p);
    let mut facts = gained(probe, turn, closure, loose, p);
    // The others' own facts say the same of them.
    let end = closure.primed(probe.pool, all[0]);
    if end != all[0] {
        facts.push(end);
    }
    let facts = probe.pool.and(&facts);
    closure.always.push(probe.pool.or(&[not, facts]));
}

/// Without a predicate at the end, what turns do that end without it.
fn end_without(probe: &mut Probe, turn: &Turn, closure: &mut Closure, loose: &[usize], p: TermId) {
    let (end, later) = (closure.primed(probe.pool, p), turn.primed(probe.pool, p));
    let not_later = probe.pool.not(later);
    let facts = gained(probe, turn, closure, loose, not_later);
    let facts = probe.pool.and(&facts);
    closure.always.push(probe.pool.or(&[end, facts]));
}

/// A predicate with some stable ones that make it stable.
fn helped(probe: &mut Probe, turn: &Turn, stable: &[TermId], p: TermId) -> Option<Vec<TermId>> {
    let later = turn.primed(probe.pool, p);
    let not_later = probe.pool.not(later);
    let mut all = vec![p];
    loop {
        let mut falls = all.clone();
        falls.push(not_later);
        let falls = probe.pool.and(&falls);
        match probe.possible(falls) {
            Some(false) => break,
            Some(true) if all.len() <= HELPERS => {
                // One that excludes this, but not everything.
                let help = stable.iter().copied().find(|&s| {
                    let both = probe.pool.and(&[p, s]);
                    !all.contains(&s) && !probe.last_holds(s) && probe.seen(both)
                })?;
                all.push(help);
            }
            _ => return None,
        }
    }
    let start = probe.pool.and(&all);
    (probe.seen(start) || probe.possible(start) == Some(true)).then_some(all)
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

/// Comparisons that the caller asks for, signs of what the unbounded changes are made of, and
/// comparisons of the guard; and the first kind alone.
fn candidates(
    pool: &mut Pool,
    space: &Space,
    turn: &Turn,
    hints: &[TermId],
    loose: &[usize],
) -> (Vec<TermId>, Vec<TermId>) {
    let vars = turn.vars(pool);
    let of_state = |pool: &Pool, t: TermId| {
        let mentioned = pool.free_vars(&[t]);
        mentioned.iter().all(|&v| space.has(v)) && mentioned.iter().any(|v| vars.contains(v))
    };
    let hinted = atoms(pool, hints, of_state);
    let wanted: Vec<TermId> = hinted.iter().flat_map(|&atom| [atom, pool.not(atom)]).collect();
    let mut out = wanted.clone();
    let deltas: Vec<TermId> =
        loose.iter().map(|&n| pool.int_sub(turn.step.assign[&turn.changed[n]], turn.changed[n])).collect();
    let mut signed: Vec<TermId> = pool.free_vars(&deltas);
    let guarded = atoms(pool, &turn.roots(), of_state);
    signed.extend(vars);
    let (one, zero, minus) = (pool.int(1), pool.int(0), pool.int(-1));
    for v in signed.into_iter().filter(|&v| space.has(v)) {
        out.extend([pool.int_le(zero, v), pool.int_le(one, v)]);
        out.extend([pool.int_le(v, zero), pool.int_le(v, minus)]);
    }
    // Half of the places are for comparisons of the guard.
    let comparisons: Vec<TermId> = guarded.iter().flat_map(|&atom| [atom, pool.not(atom)]).collect();
    let mut seen = FxHashSet::default();
    out.retain(|&t| seen.insert(t));
    out.truncate(PREDICATES - comparisons.len().min(PREDICATES / 2));
    out.extend(comparisons.into_iter().filter(|&t| seen.insert(t)));
    out.truncate(PREDICATES);
    (out, wanted)
}
