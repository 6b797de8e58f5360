//! The body of a loop in the form its analysis wants: a list of conjuncts
//! without what makes them larger or harder than they are.
//!
//! Unknowns that an equation defines are replaced, conjuncts that all branches
//! of a choice share are pulled out, and what is not linear gets a name (that is
//! the only step that loses something: the name may stand for any number).

use cairn_term::{Op, Pool, Sort, SortId, TermId};
use num_bigint::BigInt;
use num_integer::Integer;
use rustc_hash::FxHashMap;

use crate::{Space, Transition};

/// A choice with more branches is left as it is.
const BRANCHES: usize = 64;

/// Rounds of replacement.
const ROUNDS: usize = 200;

/// An equivalent transition (but for what is not linear), and its conjuncts.
pub fn normalise(pool: &mut Pool, space: &Space, step: &Transition) -> (Transition, Vec<TermId>) {
    let mut step = linearise(pool, step);
    let mut parts = conjuncts(pool, step.guard);
    for _ in 0..ROUNDS {
        let Some((unknown, value)) = parts.iter().find_map(|&p| definition(pool, space, p)) else { break };
        let mut map = FxHashMap::from_iter([(unknown, value)]);
        let guard = pool.and(&parts);
        let guard = pool.substitute_memo(guard, &mut map);
        for t in step.assign.values_mut() {
            *t = pool.substitute_memo(*t, &mut map);
        }
        parts = conjuncts(pool, guard);
    }
    step.assign.retain(|v, t| v != t);
    step.guard = pool.and(&parts);
    (step, parts)
}

/// What a formula says one by one, with choices factored.
pub fn conjuncts(pool: &mut Pool, formula: TermId) -> Vec<TermId> {
    let mut out = Vec::new();
    let mut work = vec![formula];
    while let Some(t) = work.pop() {
        match pool.op(t) {
            Op::And => work.extend(pool.args(t)),
            Op::Or => match factor(pool, t) {
                Some(factored) => work.push(factored),
                None => out.push(t),
            },
            Op::Bool(true) => {}
            _ => out.push(t),
        }
    }
    out.sort_unstable();
    out.dedup();
    out
}

fn flat(pool: &Pool, op: Op, t: TermId) -> Vec<TermId> {
    let mut out = Vec::new();
    let mut work = vec![t];
    while let Some(t) = work.pop() {
        if pool.op(t) == op {
            work.extend(pool.args(t));
        } else {
            out.push(t);
        }
    }
    out
}

/// `(a & b) | (a & c)` as `a & (b | c)`, if there is such an `a`.
fn factor(pool: &mut Pool, choice: TermId) -> Option<TermId> {
    let branches = flat(pool, Op::Or, choice);
    if branches.len() > BRANCHES {
        return None;
    }
    let mut branches: Vec<Vec<TermId>> = branches.into_iter().map(|b| flat(pool, Op::And, b)).collect();
    let (first, others) = branches.split_first()?;
    let mut common: Vec<TermId> =
        first.iter().copied().filter(|t| others.iter().all(|b| b.contains(t))).collect();
    if common.is_empty() {
        return None;
    }
    for b in &mut branches {
        b.retain(|t| !common.contains(t));
    }
    let rest: Vec<TermId> = branches.iter().map(|b| pool.and(b)).collect();
    common.push(pool.or(&rest));
    Some(pool.and(&common))
}

/// An unknown that a conjunct defines, and its value.
fn definition(pool: &mut Pool, space: &Space, conjunct: TermId) -> Option<(TermId, TermId)> {
    if pool.op(conjunct) != Op::Eq {
        return match pool.op(conjunct) {
            Op::Var(_) if !space.has(conjunct) => Some((conjunct, Pool::TRUE)),
            Op::Not if pool.is_var(pool.arg(conjunct, 0)) => Some((pool.arg(conjunct, 0), Pool::FALSE)),
            _ => None,
        };
    }
    let (a, b) = (pool.arg(conjunct, 0), pool.arg(conjunct, 1));
    if pool.sort(a) != Sort::Int {
        return None;
    }
    let difference = pool.int_sub(a, b);
    let linear = pool.linear(difference);
    let one = BigInt::from(1);
    for (n, (u, factor)) in linear.terms.iter().enumerate() {
        if !pool.is_var(*u) || space.has(*u) || !(*factor == one || *factor == -&one) {
            continue;
        }
        let mut rest = linear.clone();
        rest.terms.remove(n);
        let value = pool.linear_term(&rest);
        if pool.free_vars(&[value]).contains(u) {
            continue;
        }
        let value = if *factor == one { pool.int_neg(value) } else { value };
        return Some((*u, value));
    }
    None
}

/// Products of variables and divisions by them get a name.
fn linearise(pool: &mut Pool, step: &Transition) -> Transition {
    let mut roots = vec![step.guard];
    roots.extend(step.assign.values());
    let mut map = FxHashMap::default();
    for t in pool.reachable(&roots) {
        let linear = match pool.op(t) {
            Op::Mul => pool.args(t).iter().any(|&a| pool.as_int(a).is_some()),
            Op::Div | Op::Mod => pool.as_int(pool.arg(t, 1)).is_some(),
            Op::BitsToInt => false,
            _ => true,
        };
        if !linear {
            map.insert(t, pool.fresh("u", SortId::INT));
        }
    }
    if map.is_empty() {
        return step.clone();
    }
    let guard = pool.substitute_memo(step.guard, &mut map);
    let assign = step.assign.iter().map(|(&v, &t)| (v, pool.substitute_memo(t, &mut map))).collect();
    Transition { guard, assign }
}

/// The comparisons of integers in formulas, without negations; an equation as its two inequations.
/// Only those of which `wanted` says so.
pub fn atoms(pool: &mut Pool, roots: &[TermId], wanted: impl Fn(&Pool, TermId) -> bool) -> Vec<TermId> {
    let mut out = Vec::new();
    for t in pool.reachable(roots) {
        if !wanted(pool, t) {
            continue;
        }
        match pool.op(t) {
            Op::Le => out.push(t),
            Op::Eq if pool.sort(pool.arg(t, 0)) == Sort::Int => {
                let (a, b) = (pool.arg(t, 0), pool.arg(t, 1));
                out.push(pool.int_le(a, b));
                out.push(pool.int_le(b, a));
            }
            _ => {}
        }
    }
    let mut seen = rustc_hash::FxHashSet::default();
    out.retain(|&t| seen.insert(t));
    out
}

/// The factors of a comparison's variables, if it is linear in them: those of `left - right`,
/// divided by what they have in common.
pub fn normal_of(pool: &mut Pool, atom: TermId) -> Option<Vec<(TermId, BigInt)>> {
    let (a, b) = (pool.arg(atom, 0), pool.arg(atom, 1));
    let difference = pool.int_sub(a, b);
    let linear = pool.linear(difference);
    if linear.terms.iter().any(|&(t, _)| !pool.is_var(t)) {
        return None;
    }
    let gcd = linear.terms.iter().fold(BigInt::ZERO, |g, (_, k)| g.gcd(k));
    Some(linear.terms.iter().map(|(t, k)| (*t, k / &gcd)).collect())
}
