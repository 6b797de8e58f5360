//! Loops in phases: a predicate that can become true, but not false again, parts
//! the turns into those before, at most one at the change, and those after it
//! (Sharma and others, 2011; duet does it for its loops).

use cairn_base::Budget;
use cairn_term::{Op, Pool, TermId};
use rustc_hash::FxHashMap;

use crate::normal::atoms;
use crate::probe::Probe;
use crate::sample::Sample;
use crate::star::{Stars, Turn};
use crate::{Space, Transition};

/// How many predicates a loop is split by, one inside the other.
pub const DEPTH: usize = 2;

/// A turn with more terms is not split.
const SMALL: usize = 120;

/// At most so many predicates are tried.
const PREDICATES: usize = 16;

/// A predicate that stays true once it is, for which there are turns both with and without it, and
/// by which something is won: a change is constant in one of the phases only, or it is on one
/// side of what the guard excludes.
pub fn predicate(probe: &mut Probe, space: &Space, turn: &Turn) -> Option<TermId> {
    if probe.pool.reachable(&turn.roots()).len() > SMALL {
        return None;
    }
    let wanted = |pool: &Pool, t: TermId| pool.free_vars(&[t]).iter().all(|&v| space.has(v));
    let variable = |&&d: &&TermId| probe.pool.as_int(d).is_none();
    let loose: Vec<TermId> = turn.deltas.iter().filter(variable).copied().collect();
    let mut candidates = atoms(probe.pool, &turn.roots(), wanted);
    candidates.truncate(PREDICATES);
    for atom in candidates {
        let not = probe.pool.not(atom);
        for p in [atom, not] {
            let (later, not) = (turn.primed(probe.pool, p), probe.pool.not(p));
            let not_later = probe.pool.not(later);
            let falls = probe.pool.and(&[p, not_later]);
            if !probe.excluded(falls) {
                continue;
            }
            let (with, without) = (p, probe.pool.and(&[not, not_later]));
            let possible = |probe: &mut Probe, f| probe.seen(f) || probe.possible(f) == Some(true);
            if possible(probe, with)
                && possible(probe, without)
                && (one_side(probe, atom)
                    || constant(probe, &loose, with)
                    || constant(probe, &loose, without))
            {
                return Some(p);
            }
        }
    }
    None
}

/// Are the two sides of a comparison never equal?
fn one_side(probe: &mut Probe, atom: TermId) -> bool {
    // Of `x != n` there is `x <= n` or `n <= x`, of `x < n` there is `n <= x`.
    let (a, b) = (probe.pool.arg(atom, 0), probe.pool.arg(atom, 1));
    let equal = probe.pool.eq(a, b);
    probe.excluded(equal)
}

/// Has one of the terms a single value if a formula holds, and otherwise more?
fn constant(probe: &mut Probe, terms: &[TermId], formula: TermId) -> bool {
    terms.iter().any(|&t| {
        let Some(value) = probe.value_in(formula, t) else { return false };
        let value = probe.pool.int(value);
        let same = probe.pool.eq(t, value);
        let other = probe.pool.not(same);
        let differs = probe.pool.and(&[formula, other]);
        !probe.implied(same) && probe.excluded(differs)
    })
}

/// `F*` as turns without the predicate, perhaps one that makes it true, and turns with it. The
/// parts begin and end as they should even for no turn at all, so that one more turn at either
/// end fits in.
#[allow(clippy::too_many_arguments)]
pub fn split(
    stars: &mut Stars,
    pool: &mut Pool,
    turn: &Turn,
    p: TermId,
    seen: &[Sample],
    depth: usize,
    budget: &Budget,
    last: u64,
) -> Transition {
    let values = turn.step.assign.iter().map(|(&v, &t)| (v, t)).collect();
    let later = pool.substitute(p, &values);
    let (not, not_later) = (pool.not(p), pool.not(later));
    // Below, the predicate is known.
    let with = |pool: &mut Pool, a: TermId, b: TermId| {
        let (atom, truth) = match pool.op(a) {
            Op::Not => (pool.arg(a, 0), Pool::FALSE),
            _ => (a, Pool::TRUE),
        };
        let mut map = FxHashMap::from_iter([(atom, truth)]);
        let mut known = |pool: &mut Pool, t: TermId| pool.substitute_memo(t, &mut map);
        let mut parts: Vec<TermId> = turn.parts.iter().map(|&t| known(pool, t)).collect();
        let assign = turn.step.assign.iter().map(|(&v, &t)| (v, known(pool, t))).collect();
        parts.extend([a, b]);
        Transition { guard: pool.and(&parts), assign }
    };
    let (early, change, late) = (with(pool, not, not_later), with(pool, not, later), with(pool, p, later));
    let stays = |q: TermId| turn.stays.iter().copied().chain([q]).collect::<Vec<_>>();
    let early = stars.close(pool, &early, &stays(not), seen, depth - 1, budget, last);
    let late = stars.close(pool, &late, &stays(p), seen, depth - 1, budget, last);
    let change = change.or(&Transition::identity(), pool);
    let space = stars.space;
    early.then(&change, pool, space).then(&late, pool, space)
}
