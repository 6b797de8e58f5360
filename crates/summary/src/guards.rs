//! What holds before the first and after the last turn of a loop.
//!
//! A small guard is simply repeated: once for the first turn, whose results are
//! forgotten, and once for the last, whose start is the end less the change (so
//! that a guarded translation with a convex guard is closed exactly). Of a large
//! one only a convex part is taken: comparisons that occur in it and that it
//! implies, equations, and bounds in the directions of those comparisons.

use cairn_term::{Pool, TermId};
use num_bigint::BigInt;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Space;
use crate::normal::{atoms, normal_of};
use crate::probe::{Probe, combine};
use crate::star::{Closure, Turn};

/// A guard, or a turn, with more terms is not repeated.
const SMALL: usize = 90;

/// A conjunct with more terms is not repeated.
const SMALL_PART: usize = 25;

/// At most so many directions are tried for a large guard.
const DIRECTIONS: usize = 24;

/// Equations are sought between at most so many variables.
const EQUATED: usize = 16;

pub fn add(probe: &mut Probe, space: &Space, turn: &Turn, hints: &[TermId], closure: &mut Closure) {
    for &p in &turn.stays {
        closure.moved.push(p);
        let later = closure.primed(probe.pool, p);
        closure.moved.push(later);
    }
    let guard = probe.pool.reachable(&turn.parts).len();
    let whole = probe.pool.reachable(&turn.roots()).len();
    let (mut before, mut after) = (Vec::new(), Vec::new());
    if whole > SMALL {
        (before, after) = convex(probe, space, turn, hints);
    }
    if guard <= SMALL {
        before = first_turn(probe.pool, space, turn);
    }
    let after = if whole <= SMALL {
        last_turn(probe.pool, space, turn, closure)
    } else {
        after.into_iter().map(|p| closure.primed(probe.pool, p)).collect()
    };
    closure.moved.extend(before);
    closure.moved.extend(after);
}

/// The guard, with other unknowns.
fn first_turn(pool: &mut Pool, space: &Space, turn: &Turn) -> Vec<TermId> {
    let mut map = FxHashMap::default();
    for u in pool.free_vars(&turn.parts) {
        if !space.has(u) {
            let sort = pool.sort_id_of(u);
            map.insert(u, pool.fresh("u", sort));
        }
    }
    turn.parts.iter().map(|&p| pool.substitute_memo(p, &mut map)).collect()
}

/// The last turn, as seen from its end. An unknown that is a variable's new value is the value at
/// the end; the old value of a variable with a known change can be computed from the end; other
/// old values are unknown.
fn last_turn(pool: &mut Pool, space: &Space, turn: &Turn, closure: &Closure) -> Vec<TermId> {
    let mut old: FxHashMap<TermId, TermId> = FxHashMap::default();
    let mut out = Vec::new();
    let mut loose = Vec::new();
    for (n, &v) in turn.changed.iter().enumerate() {
        match closure.ranges[n].value() {
            Some(c) => {
                let c = pool.int(c.clone());
                old.insert(v, pool.int_sub(closure.after[&v], c));
            }
            None => loose.push(v),
        }
    }
    let (mut shifted, mut computed) = (Vec::new(), Vec::new());
    for &v in &loose {
        let (value, end) = (turn.step.assign[&v], closure.after[&v]);
        if pool.is_var(value) && !space.has(value) {
            match old.get(&value) {
                Some(&other) => out.push(pool.eq(other, end)),
                None => {
                    old.insert(value, end);
                }
            }
            continue;
        }
        let change = pool.int_sub(value, v);
        if pool.free_vars(&[change]).iter().any(|w| loose.contains(w)) {
            computed.push(v);
        } else {
            shifted.push((v, change));
        }
    }
    for w in pool.free_vars(&turn.roots()) {
        let open = !space.has(w) || loose.contains(&w) && shifted.iter().all(|&(v, _)| v != w);
        if open && !old.contains_key(&w) {
            let sort = pool.sort_id_of(w);
            old.insert(w, pool.fresh("u", sort));
        }
    }
    for (v, change) in shifted {
        let change = pool.substitute(change, &old);
        old.insert(v, pool.int_sub(closure.after[&v], change));
    }
    for &p in &turn.parts {
        out.push(pool.substitute(p, &old));
    }
    for v in computed {
        let value = pool.substitute(turn.step.assign[&v], &old);
        out.push(pool.eq(closure.after[&v], value));
    }
    out
}

/// A convex part of a large guard: what it says of the state before a turn and of the one after it,
/// both as formulas over the state.
fn convex(probe: &mut Probe, space: &Space, turn: &Turn, hints: &[TermId]) -> (Vec<TermId>, Vec<TermId>) {
    let of_state = |pool: &Pool, t: TermId| pool.free_vars(&[t]).iter().all(|&v| space.has(v));
    // Formulas about the state after a turn, as ones about the state.
    let ends: FxHashMap<TermId, TermId> = turn
        .step
        .assign
        .iter()
        .filter(|(_, t)| probe.pool.is_var(**t) && !space.has(**t))
        .map(|(&v, &t)| (t, v))
        .collect();
    let of_end = |pool: &Pool, t: TermId| {
        let end = |v: &TermId| ends.contains_key(v) || space.has(*v) && !turn.changed.contains(v);
        pool.free_vars(&[t]).iter().all(end)
    };
    let mut before = Vec::new();
    let mut after = Vec::new();
    for &p in &turn.parts {
        if probe.pool.size(p) > SMALL_PART {
            continue;
        }
        if of_state(probe.pool, p) {
            before.push(p);
        } else if of_end(probe.pool, p) {
            after.push(probe.pool.substitute(p, &ends));
        }
    }
    let mut roots = turn.roots();
    roots.extend(hints);
    let state_atoms = atoms(probe.pool, &roots, of_state);
    let mut end_atoms = state_atoms.clone();
    for atom in atoms(probe.pool, &turn.roots(), of_end) {
        end_atoms.push(probe.pool.substitute(atom, &ends));
    }
    end_atoms.sort_unstable();
    end_atoms.dedup();
    for &atom in &state_atoms {
        if before.contains(&atom) {
            continue;
        }
        let not = probe.pool.not(atom);
        before.extend([atom, not].into_iter().find(|&p| probe.implied(p)));
    }
    for &atom in &end_atoms {
        if !touches(probe.pool, turn, atom) {
            continue;
        }
        let not = probe.pool.not(atom);
        let holds = |p: &TermId| {
            let primed = turn.primed(probe.pool, *p);
            probe.implied(primed)
        };
        after.extend([atom, not].into_iter().find(holds));
    }
    // Bounds in the directions of comparisons, then of single variables.
    let mut directions: Vec<TermId> = Vec::new();
    for atom in state_atoms.into_iter().chain(end_atoms) {
        if let Some(normal) = normal_of(probe.pool, atom) {
            let (vars, factors): (Vec<TermId>, Vec<BigInt>) = normal.into_iter().unzip();
            directions.push(combine(probe.pool, &factors, &vars));
        }
    }
    directions.retain(|&d| touches(probe.pool, turn, d));
    directions.extend(&turn.changed);
    let mut seen = FxHashSet::default();
    directions.retain(|&d| seen.insert(d));
    directions.truncate(DIRECTIONS);
    for d in directions {
        let range = probe.range(d);
        before.extend(range.of(probe.pool, d));
        let primed = turn.primed(probe.pool, d);
        let range = probe.range(primed);
        after.extend(range.of(probe.pool, d));
    }
    let mut state: Vec<TermId> = turn.vars(probe.pool).into_iter().filter(|&v| space.has(v)).collect();
    state.truncate(EQUATED);
    for e in probe.equalities(&state) {
        before.push(e.holds(probe.pool, &state));
    }
    let primed: Vec<TermId> = state.iter().map(|&v| turn.end(v)).collect();
    for e in probe.equalities(&primed) {
        after.push(e.holds(probe.pool, &state));
    }
    (before, after)
}

/// Does it speak of something that the turn changes?
fn touches(pool: &Pool, turn: &Turn, t: TermId) -> bool {
    pool.free_vars(&[t]).iter().any(|v| turn.changed.contains(v))
}
