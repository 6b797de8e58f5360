//! Facts about turns in which a predicate stays true.
//!
//! If a turn never makes `p` false, then `p` at the start means that every turn
//! has it: what holds of a turn with `p` holds of all, and `p` holds at the end.
//! And if `p` is false at the end it was false all the time. So `x' = 2x` grows by
//! at least one in each turn, if `x >= 1` at the start. A predicate may also be
//! stable only together with others that are. This is the cheap half of taking a
//! loop apart into phases.

use cairn_term::{Pool, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Space;
use crate::normal::atoms;
use crate::probe::{Probe, Range};
use crate::star::{Closure, Turn};

/// At most so many predicates are tried.
const PREDICATES: usize = 32;

/// At most so many are tried with the help of others, and of at most so many others.
const HELPED: usize = 12;
const HELPERS: usize = 3;

/// So many sets of stable predicates are kept.
const SETS: usize = 24;

pub fn add(probe: &mut Probe, space: &Space, turn: &Turn, hints: &[TermId], closure: &mut Closure) {
    let loose: Vec<usize> =
        (0..turn.changed.len()).filter(|&n| closure.ranges[n].value().is_none()).collect();
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
    // Those that hold their own may help others, and these again others, as long as it serves the
    // caller's.
    if !unstable.iter().any(|p| wanted.contains(p)) {
        return;
    }
    let mut sets: Vec<Vec<TermId>> = stable.iter().map(|&p| vec![p]).collect();
    let (last, mut first): (Vec<TermId>, Vec<TermId>) =
        unstable.into_iter().partition(|p| wanted.contains(p));
    first.truncate(HELPED);
    let mut unstable: Vec<TermId> = first.into_iter().chain(last.into_iter().take(HELPED)).collect();
    for _ in 0..HELPERS {
        let before = unstable.len();
        unstable.retain(|&p| {
            let found = helped(probe, turn, &sets, p);
            for all in &found {
                if wanted.contains(&p) {
                    start_with(probe, turn, closure, &loose, all);
                }
            }
            let none = found.is_empty();
            sets.extend(found);
            sets.truncate(SETS);
            none
        });
        if unstable.len() == before || !unstable.iter().any(|p| wanted.contains(p)) {
            break;
        }
    }
}

/// With predicates from the start, they hold at the end, and what turns with them do.
fn start_with(probe: &mut Probe, turn: &Turn, closure: &mut Closure, loose: &[usize], all: &[TermId]) {
    let p = probe.pool.and(all);
    let not = probe.pool.not(p);
    let mut facts = gained(probe, turn, closure, loose, p);
    let end = closure.primed(probe.pool, p);
    if end != p {
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

/// A predicate with sets of others, each stable as a whole, that make it stable: all single ones,
/// or else some that do it together.
fn helped(probe: &mut Probe, turn: &Turn, sets: &[Vec<TermId>], p: TermId) -> Vec<Vec<TermId>> {
    let later = turn.primed(probe.pool, p);
    let not_later = probe.pool.not(later);
    let mut out = Vec::new();
    for set in sets {
        let all: Vec<TermId> = [p].iter().chain(set).copied().collect();
        let start = probe.pool.and(&all);
        let falls = probe.pool.and(&[start, not_later]);
        if probe.excluded(falls) && (probe.seen(start) || probe.possible(start) == Some(true)) {
            out.push(all);
        }
    }
    if out.is_empty() {
        out.extend(helped_together(probe, not_later, sets, p));
    }
    out
}

fn helped_together(
    probe: &mut Probe,
    not_later: TermId,
    sets: &[Vec<TermId>],
    p: TermId,
) -> Option<Vec<TermId>> {
    let mut all = vec![p];
    for _ in 0..=HELPERS {
        let start = probe.pool.and(&all);
        let falls = probe.pool.and(&[start, not_later]);
        if !probe.possible(falls)? {
            return Some(all);
        }
        // One that excludes this, but not everything.
        let mut help = Vec::new();
        for set in sets {
            let formula = probe.pool.and(set);
            if !probe.last_holds(formula) {
                help.push((set, formula));
            }
        }
        let (help, _) = help.into_iter().find(|&(_, formula)| {
            let both = probe.pool.and(&[formula, start]);
            probe.seen(both) || probe.possible(both) == Some(true)
        })?;
        all.extend(help);
    }
    None
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
        if !probe.known() && probe.possible(Pool::TRUE) != Some(true) {
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
    let mut guarded = atoms(pool, &turn.roots(), of_state);
    // What is compared after a variable has moved is a comparison of the new state.
    let moved: FxHashMap<TermId, TermId> = turn
        .changed
        .iter()
        .zip(&turn.deltas)
        .filter(|&(_, &d)| pool.as_int(d).is_some())
        .map(|(&v, &d)| (v, d))
        .collect();
    let moved = moved.into_iter().map(|(v, d)| (v, pool.int_sub(v, d))).collect();
    let after: Vec<TermId> = guarded.iter().map(|&atom| pool.substitute(atom, &moved)).collect();
    guarded.extend(after.into_iter().filter(|t| !pool.is_constant(*t)));
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
