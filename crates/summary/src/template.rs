//! Inequations between changes: the least and the greatest change per turn in
//! directions that are likely to matter.

use num_bigint::BigInt;
use num_integer::Integer;
use rustc_hash::FxHashSet;

use cairn_term::{Pool, TermId};

use crate::Space;
use crate::normal::{atoms, normal_of};
use crate::probe::{Probe, Range, combine};
use crate::star::{Closure, Turn};

/// At most so many directions of several variables.
const DIRECTIONS: usize = 24;

/// Of more variables no pairs are formed.
const PAIRED: usize = 5;

/// Bounds the changes of the variables that no equation determines.
pub fn bound(probe: &mut Probe, space: &Space, turn: &Turn, hints: &[TermId], closure: &mut Closure) {
    let loose: Vec<usize> =
        (0..turn.changed.len()).filter(|&n| closure.ranges[n].value().is_none()).collect();
    for &n in &loose {
        let range = probe.range(turn.deltas[n]);
        let total = closure.total(probe.pool, turn.changed[n]);
        closure.always.extend(closure.within(probe.pool, total, &range));
        closure.ranges[n] = range;
    }
    for direction in directions(probe.pool, space, turn, hints, &loose) {
        let coefficients: Vec<BigInt> = direction.iter().map(|(_, a)| a.clone()).collect();
        let deltas: Vec<TermId> = direction.iter().map(|&(n, _)| turn.deltas[n]).collect();
        let delta = combine(probe.pool, &coefficients, &deltas);
        let mut range = probe.range(delta);
        // What the single variables say already is not repeated.
        let single = sum(&direction, &closure.ranges);
        if range.low == single.low {
            range.low = None;
        }
        if range.high == single.high {
            range.high = None;
        }
        let totals: Vec<TermId> =
            direction.iter().map(|&(n, _)| closure.total(probe.pool, turn.changed[n])).collect();
        let total = combine(probe.pool, &coefficients, &totals);
        closure.always.extend(closure.within(probe.pool, total, &range));
    }
}

/// What ranges of single terms say of a combination.
fn sum(direction: &[(usize, BigInt)], ranges: &[Range]) -> Range {
    let zero = BigInt::ZERO;
    let side = |upper: bool| {
        direction.iter().try_fold(zero.clone(), |sum, (n, a)| {
            let high = upper == (*a > zero);
            let bound = if high { &ranges[*n].high } else { &ranges[*n].low };
            bound.as_ref().map(|b| sum + a * b)
        })
    };
    Range { low: side(false), high: side(true) }
}

/// Combinations of several changes: normals of what the guard and the caller compare, and pairs.
fn directions(
    pool: &mut Pool,
    space: &Space,
    turn: &Turn,
    hints: &[TermId],
    loose: &[usize],
) -> Vec<Vec<(usize, BigInt)>> {
    let mut out: Vec<Vec<(usize, BigInt)>> = Vec::new();
    if loose.len() < 2 {
        return out;
    }
    let mut roots = turn.roots();
    roots.extend(hints);
    for atom in atoms(pool, &roots, |_, _| true) {
        let Some(normal) = normal_of(pool, atom) else { continue };
        if normal.iter().any(|(v, _)| !space.has(*v)) {
            continue;
        }
        let direction = normal.into_iter().filter_map(|(v, a)| {
            let n = turn.changed.iter().position(|&w| w == v)?;
            loose.contains(&n).then_some((n, a))
        });
        out.push(direction.collect());
    }
    if loose.len() <= PAIRED {
        for (at, &a) in loose.iter().enumerate() {
            for &b in &loose[at + 1..] {
                out.push(vec![(a, BigInt::from(1)), (b, BigInt::from(-1))]);
                out.push(vec![(a, BigInt::from(1)), (b, BigInt::from(1))]);
            }
        }
    }
    let mut seen = FxHashSet::default();
    for d in &mut out {
        d.sort_by_key(|&(n, _)| n);
        let Some((_, first)) = d.first() else { continue };
        let mut gcd = d.iter().fold(BigInt::ZERO, |g, (_, a)| g.gcd(a));
        if *first < BigInt::ZERO {
            gcd = -gcd;
        }
        d.iter_mut().for_each(|(_, a)| *a = &*a / &gcd);
    }
    out.retain(|d| d.len() > 1 && seen.insert(d.clone()));
    out.truncate(DIRECTIONS);
    out
}
