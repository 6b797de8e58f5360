//! What a summary says in simple words: equations, bounds of variables and of
//! their sums and differences, remainders, and which of some comparisons hold.

use cairn_base::Budget;
use cairn_smt::z3::Z3;
use cairn_term::{Pool, SortId, TermId};
use num_bigint::BigInt;
use num_integer::Integer;
use rustc_hash::FxHashMap;

use crate::Transition;
use crate::normal::atoms;
use crate::probe::{Desk, Probe};

/// With more variables, pairs of them are not looked at.
const PAIRED: usize = 6;
/// Greater moduli are of no interest.
const MODULUS: u32 = 64;

/// Which conditions are sought.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Part {
    /// Equations, bounds of single variables, remainders, comparisons.
    Single,
    /// Bounds of sums and differences.
    Pairs,
}

/// Conditions over `vars` that hold after a transition, if it starts anywhere. Comparisons that
/// occur in `hints` are tried, too. At most so many questions are asked.
pub fn hull(
    pool: &mut Pool,
    way: &Transition,
    vars: &[TermId],
    hints: &[TermId],
    part: Part,
    questions: u64,
    budget: &Budget,
) -> Vec<TermId> {
    if part == Part::Pairs && vars.len() > PAIRED {
        return Vec::new();
    }
    let mut solver = Z3::new();
    let mut asked = 0;
    let mut desk = Desk { solver: &mut solver, asked: &mut asked, last: questions, budget: budget.clone() };
    let now: FxHashMap<TermId, TermId> = vars.iter().map(|&v| (v, pool.fresh("now", SortId::INT))).collect();
    let names: Vec<(TermId, TermId)> = vars.iter().map(|v| (now[v], way.after(*v))).collect();
    let mut roots = vec![way.guard];
    roots.extend(names.iter().map(|&(_, t)| t));
    let free = pool.free_vars(&roots);
    let wanted = |_: &Pool, _: TermId| true;
    let comparisons: Vec<TermId> = atoms(pool, hints, wanted)
        .into_iter()
        .filter(|&p| pool.free_vars(&[p]).iter().all(|v| now.contains_key(v)))
        .collect();
    let mut probe = Probe::new(pool, &mut desk, way.guard, free, names);
    let mut found = Vec::new();
    if probe.possible(Pool::TRUE) != Some(true) {
        return found;
    }
    let terms: Vec<TermId> = vars.iter().map(|v| now[v]).collect();
    if part == Part::Pairs {
        for (n, (&v, &t)) in vars.iter().zip(&terms).enumerate() {
            for (&w, &u) in vars.iter().zip(&terms).skip(n + 1) {
                let (difference, sum) = (probe.pool.int_sub(t, u), probe.pool.int_add(t, u));
                let range = probe.range(difference);
                let total = probe.pool.int_sub(v, w);
                found.extend(range.of(probe.pool, total));
                let range = probe.range(sum);
                let total = probe.pool.int_add(v, w);
                found.extend(range.of(probe.pool, total));
            }
        }
        found.retain(|&t| t != Pool::TRUE);
        return found;
    }
    for equality in probe.equalities(&terms) {
        found.push(equality.holds(probe.pool, vars));
    }
    for (&v, &t) in vars.iter().zip(&terms) {
        let range = probe.range(t);
        found.extend(range.of(probe.pool, v));
        found.extend(remainder(&mut probe, v, t));
    }
    for p in comparisons {
        let here = probe.pool.substitute(p, &now);
        if probe.implied(here) {
            found.push(p);
        } else if probe.excluded(here) {
            found.push(probe.pool.not(p));
        }
    }
    found.retain(|&t| t != Pool::TRUE);
    found
}

/// `v` modulo what the samples have in common.
fn remainder(probe: &mut Probe<'_, '_>, v: TermId, t: TermId) -> Option<TermId> {
    let values = probe.values(t);
    let first = values.first()?.clone();
    let m = values.iter().fold(BigInt::ZERO, |g, n| g.gcd(&(n - &first)));
    if m <= BigInt::from(1) || m > BigInt::from(MODULUS) {
        return None;
    }
    let rest = probe.pool.int(first.mod_floor(&m));
    let m = probe.pool.int(m);
    let (here, there) = (probe.pool.int_mod(t, m), probe.pool.int_mod(v, m));
    let here = probe.pool.eq(here, rest);
    probe.implied(here).then(|| probe.pool.eq(there, rest))
}
