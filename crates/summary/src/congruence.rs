//! Remainders: changes that are always congruent modulo a small number, and
//! multiples that stay multiples.

use cairn_term::{Op, Pool, SortId, TermId};
use num_bigint::BigInt;
use num_integer::Integer;

use crate::probe::Probe;
use crate::star::{Closure, Turn};

/// Larger moduli are of no interest.
const LARGEST: u32 = 1024;

/// How often a guess is corrected by a counterexample.
const GUESSES: usize = 6;

pub fn add(probe: &mut Probe, turn: &Turn, closure: &mut Closure) {
    for (n, &v) in turn.changed.iter().enumerate() {
        // What is a closed form of other changes has nothing of its own to say.
        if closure.ranges[n].value().is_some() || !probe.pool.is_var(closure.after[&v]) {
            continue;
        }
        let modulus = constant_change(probe, turn.deltas[n]);
        if let Some((modulus, remainder)) = &modulus {
            let remainder = probe.pool.int(remainder.clone());
            let offset = probe.pool.int_mul(closure.turns, remainder);
            let total = closure.total(probe.pool, v);
            let rest = probe.pool.int_sub(total, offset);
            closure.always.push(multiple(probe.pool, rest, modulus));
        }
        for m in moduli(probe.pool, turn) {
            // A change by multiples keeps multiples anyway.
            if modulus.as_ref().is_some_and(|(k, r)| k.is_multiple_of(&m) && r.is_multiple_of(&m)) {
                continue;
            }
            let before = divides(probe.pool, &m, v);
            let after = divides(probe.pool, &m, turn.end(v));
            let stable = probe.pool.implies(before, after);
            if probe.implied(stable) {
                let end = multiple(probe.pool, closure.after[&v], &m);
                let fact = probe.pool.implies(before, end);
                closure.always.push(fact);
            }
        }
    }
}

/// A modulus above 1 and what a term always leaves.
fn constant_change(probe: &mut Probe, t: TermId) -> Option<(BigInt, BigInt)> {
    for _ in 0..GUESSES {
        let values = probe.values(t);
        let first = values.first()?;
        let modulus = values.iter().fold(BigInt::ZERO, |g, v| g.gcd(&(v - first)));
        if modulus == BigInt::from(1) {
            return None;
        }
        if modulus == BigInt::ZERO || modulus > BigInt::from(LARGEST) {
            // Too few samples: any other value will do.
            let first = probe.pool.int(first.clone());
            let other = probe.pool.ne(t, first);
            let step = probe.pool.int(1);
            let next = probe.pool.int_add(first, step);
            let near = probe.pool.eq(t, next);
            if probe.possible(near) != Some(true) && probe.possible(other) != Some(true) {
                return None;
            }
            continue;
        }
        let remainder = first.mod_floor(&modulus);
        let r = probe.pool.int(remainder.clone());
        let rest = probe.pool.int_sub(t, r);
        let always = divides(probe.pool, &modulus, rest);
        if probe.implied(always) {
            return Some((modulus, remainder));
        }
    }
    None
}

/// The factors in the turn.
fn moduli(pool: &Pool, turn: &Turn) -> Vec<BigInt> {
    let mut out: Vec<BigInt> = Vec::new();
    for t in pool.reachable(&turn.roots()) {
        if pool.op(t) == Op::Mul {
            let factor = pool.args(t).iter().find_map(|&a| pool.as_int(a));
            out.extend(factor.map(|f| f.magnitude().clone().into()));
        }
    }
    out.sort();
    out.dedup();
    out.retain(|m: &BigInt| *m >= BigInt::from(2) && *m <= BigInt::from(LARGEST));
    out.truncate(3);
    out
}

fn divides(pool: &mut Pool, m: &BigInt, t: TermId) -> TermId {
    let (m, zero) = (pool.int(m.clone()), pool.int(0));
    let rest = pool.int_mod(t, m);
    pool.eq(rest, zero)
}

/// The same with an unknown quotient, which solvers like better.
fn multiple(pool: &mut Pool, t: TermId, m: &BigInt) -> TermId {
    let m = pool.int(m.clone());
    let q = pool.fresh("q", SortId::INT);
    let product = pool.int_mul(q, m);
    pool.eq(t, product)
}
