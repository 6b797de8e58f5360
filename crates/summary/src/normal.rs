//! The body of a loop in the form its analysis wants: a list of conjuncts
//! without what makes them larger or harder than they are.
//!
//! Unknowns that an equation defines are replaced, conjuncts that all branches
//! of a choice share are pulled out, and what is not linear gets a name (that is
//! the only step that loses something: the name may stand for any number).
//! Quotients, which are unknowns with a range of remainders, become divisions.

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
        let defined = parts.iter().find_map(|&p| definition(pool, space, p));
        let Some((unknown, value)) = defined.or_else(|| quotient(pool, space, &mut parts)) else { break };
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
            Op::Or => match factor(pool, t).or_else(|| choose(pool, t)) {
                Some(simpler) => work.push(simpler),
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

/// `(c & u = a) | (!c & u = b)` as `u = (c ? a : b)`, for the variables that all branches give a
/// value by an equation, if no two branches can hold at once. (`u` need not be an unknown.)
fn choose(pool: &mut Pool, choice: TermId) -> Option<TermId> {
    let branches = flat(pool, Op::Or, choice);
    if branches.len() > BRANCHES {
        return None;
    }
    let branches: Vec<Vec<TermId>> = branches.into_iter().map(|b| flat(pool, Op::And, b)).collect();
    let value = |pool: &Pool, branch: &[TermId], u: TermId| {
        branch.iter().copied().find_map(|t| match (pool.op(t), pool.args(t)) {
            (Op::Eq, &[a, b]) if a == u => Some((t, b)),
            (Op::Eq, &[a, b]) if b == u => Some((t, a)),
            _ => None,
        })
    };
    let mut found = None;
    for &t in &branches[0] {
        if pool.op(t) != Op::Eq || pool.sort(pool.arg(t, 0)) != Sort::Int {
            continue;
        }
        // The youngest first: those are the unknowns of choices.
        let mut sides = pool.args(t).to_vec();
        sides.sort_unstable_by(|a, b| b.cmp(a));
        for u in sides {
            let values: Option<Vec<(TermId, TermId)>> = branches.iter().map(|b| value(pool, b, u)).collect();
            let plain = |v: &Vec<(TermId, TermId)>| {
                v.iter().all(|&(_, value)| !pool.free_vars(&[value]).contains(&u))
            };
            if let Some(values) = values.filter(|v| pool.is_var(u) && plain(v)) {
                found = Some((u, values));
                break;
            }
        }
        if found.is_some() {
            break;
        }
    }
    let (u, values) = found?;
    let rest: Vec<Vec<TermId>> = branches
        .iter()
        .zip(&values)
        .map(|(b, &(equation, _))| b.iter().copied().filter(|&t| t != equation).collect())
        .collect();
    for (n, a) in rest.iter().enumerate() {
        if rest[n + 1..].iter().any(|b| !exclusive(pool, a, b)) {
            return None;
        }
    }
    let conditions: Vec<TermId> = rest.iter().map(|b| pool.and(b)).collect();
    let mut chosen = values.last()?.1;
    for (&c, &(_, value)) in conditions.iter().zip(&values).rev().skip(1) {
        chosen = pool.ite(c, value, chosen);
    }
    let some = pool.or(&conditions);
    let equation = pool.eq(u, chosen);
    Some(pool.and(&[some, equation]))
}

/// Do two lists of conjuncts contradict each other in an obvious way?
fn exclusive(pool: &Pool, a: &[TermId], b: &[TermId]) -> bool {
    let denied = |a: &[TermId], b: &[TermId]| {
        b.iter().any(|&t| {
            pool.op(t) == Op::Not && {
                let inner = pool.arg(t, 0);
                a.contains(&inner) || {
                    let parts = flat(pool, Op::And, inner);
                    parts.iter().all(|p| a.contains(p))
                }
            }
        })
    };
    // A negated conjunction may also appear as a choice of negations.
    let refuted = |a: &[TermId], b: &[TermId]| {
        b.iter().any(|&t| {
            pool.op(t) == Op::Or
                && flat(pool, Op::Or, t).iter().all(|&p| match pool.op(p) {
                    Op::Not => a.contains(&pool.arg(p, 0)),
                    _ => a.iter().any(|&q| pool.op(q) == Op::Not && pool.arg(q, 0) == p),
                })
        })
    };
    let constant = |t: TermId| match (pool.op(t), pool.args(t)) {
        (Op::Eq, &[x, k]) if pool.is_constant(k) => Some((x, k)),
        (Op::Eq, &[k, x]) if pool.is_constant(k) => Some((x, k)),
        _ => None,
    };
    let differ = || {
        let values: Vec<(TermId, TermId)> = a.iter().filter_map(|&t| constant(t)).collect();
        b.iter().filter_map(|&t| constant(t)).any(|(x, k)| values.iter().any(|&(y, l)| x == y && k != l))
    };
    denied(a, b) || denied(b, a) || refuted(a, b) || refuted(b, a) || differ()
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

/// An unknown that is a quotient by a constant, as `encode::integer` says it: by the range of the
/// remainder `t - m·q`, and for one with the sign of the dividend, by two implications. What says
/// so is taken out.
fn quotient(pool: &mut Pool, space: &Space, parts: &mut Vec<TermId>) -> Option<(TermId, TermId)> {
    // Each comparison as `0 <= form`.
    let mut forms = Vec::new();
    for &p in parts.iter() {
        let (inner, negated) = match pool.op(p) {
            Op::Not => (pool.arg(p, 0), true),
            _ => (p, false),
        };
        if pool.op(inner) == Op::Le {
            let (a, b) = (pool.arg(inner, 0), pool.arg(inner, 1));
            // not (a <= b) is 0 <= a - b - 1.
            let form = if negated {
                let minus = pool.int(-1);
                let form = pool.int_sub(a, b);
                pool.int_add(form, minus)
            } else {
                pool.int_sub(b, a)
            };
            forms.push((p, form));
        }
    }
    for &(low_part, low) in &forms {
        for (q, factor) in pool.linear(low).terms.to_vec() {
            if !pool.is_var(q) || space.has(q) || factor > BigInt::from(-2) {
                continue;
            }
            let modulus = -factor;
            for &(high_part, high) in &forms {
                let sum = pool.int_add(low, high);
                let Some(width) = pool.as_int(sum).cloned() else { continue };
                let m = pool.int(modulus.clone());
                let turns = pool.int_mul(m, q);
                let zero = pool.int(0);
                if width == &modulus - 1 {
                    // 0 <= t - m·q <= m - 1
                    let t = pool.int_add(low, turns);
                    if pool.free_vars(&[t]).contains(&q) {
                        continue;
                    }
                    parts.retain(|&p| p != low_part && p != high_part);
                    return Some((q, pool.int_div(t, m)));
                }
                if width == (&modulus - 1) * 2 {
                    // 1 - m <= t - m·q <= m - 1
                    let most = pool.int(&modulus - 1);
                    let rest = pool.int_sub(low, most);
                    let t = pool.int_add(rest, turns);
                    if pool.free_vars(&[t]).contains(&q) {
                        continue;
                    }
                    let natural = pool.int_le(zero, t);
                    let negative = pool.not(natural);
                    let (above, below) = (pool.int_le(zero, rest), pool.int_le(rest, zero));
                    let signs = [pool.implies(natural, above), pool.implies(negative, below)];
                    if signs.iter().all(|s| parts.contains(s)) {
                        parts.retain(|&p| p != low_part && p != high_part && !signs.contains(&p));
                        let opposite = pool.int_neg(t);
                        let (down, up) = (pool.int_div(t, m), pool.int_div(opposite, m));
                        let up = pool.int_neg(up);
                        return Some((q, pool.ite(natural, down, up)));
                    }
                }
            }
        }
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn normal(pool: &mut Pool, guard: &str, value: &str) -> (Vec<TermId>, TermId) {
        let [x, y] = ["x", "y"].map(|v| pool.int_var(v));
        for unknown in ["u", "w", "q"] {
            pool.int_var(unknown);
        }
        let space = Space::new(vec![x, y]);
        let [guard, value] = [guard, value].map(|t| cairn_term::parse::term(pool, t).expect("a term"));
        let step = Transition { guard, assign: BTreeMap::from([(x, value)]) };
        let (step, parts) = normalise(pool, &space, &step);
        (parts, step.after(x))
    }

    fn term(pool: &mut Pool, text: &str) -> TermId {
        cairn_term::parse::term(pool, text).expect("a term")
    }

    #[test]
    fn defined_unknowns_are_replaced() {
        let mut pool = Pool::new();
        let (parts, value) = normal(&mut pool, "(and (= u (+ x w)) (= w 3) (<= u y))", "(+ u 1)");
        assert_eq!(value, term(&mut pool, "(+ x 4)"));
        assert_eq!(parts, [term(&mut pool, "(<= (+ x 3) y)")]);
    }

    #[test]
    fn what_branches_share_is_pulled_out() {
        let mut pool = Pool::new();
        let guard = "(or (and (<= x y) (<= 0 u)) (and (<= x y) (<= w 0)))";
        let (parts, _) = normal(&mut pool, guard, "x");
        assert_eq!(parts.len(), 2);
        assert!(parts.contains(&term(&mut pool, "(<= x y)")));
    }

    #[test]
    fn values_of_exclusive_branches_are_a_choice() {
        let mut pool = Pool::new();
        let branches = "(or (and (<= x 5) (= x 3) (= u (+ x 1))) (and (not (and (<= x 5) (= x 3))) (= u x)))";
        let (parts, value) = normal(&mut pool, branches, "u");
        assert!(parts.is_empty());
        assert_eq!(value, term(&mut pool, "(ite (and (<= x 5) (= x 3)) (+ x 1) x)"));
        // Not if both may hold.
        let (parts, _) = normal(&mut pool, "(or (and (<= x 5) (= u 1)) (and (<= 3 x) (= u 2)))", "u");
        assert_eq!(parts.len(), 1);
    }

    #[test]
    fn quotients_are_divisions() {
        let mut pool = Pool::new();
        let down = "(and (<= 0 (- x (* 4 q))) (<= (- x (* 4 q)) 3))";
        let (parts, value) = normal(&mut pool, down, "q");
        assert!(parts.is_empty());
        assert_eq!(value, term(&mut pool, "(div x 4)"));
        let to_zero = "(and (<= (- 3) (- x (* 4 q))) (<= (- x (* 4 q)) 3)
            (or (not (<= 0 x)) (<= 0 (- x (* 4 q)))) (or (<= 0 x) (<= (- x (* 4 q)) 0)))";
        let (parts, value) = normal(&mut pool, to_zero, "q");
        assert!(parts.is_empty());
        assert_eq!(value, term(&mut pool, "(ite (<= 0 x) (div x 4) (- (div (- x) 4)))"));
        // A range that is too narrow says more, one that is too wide less.
        for most in [2, 4] {
            let other = format!("(and (<= 0 (- x (* 4 q))) (<= (- x (* 4 q)) {most}))");
            assert_eq!(normal(&mut pool, &other, "q").0.len(), 2);
        }
    }

    #[test]
    fn products_of_variables_are_any_number() {
        let mut pool = Pool::new();
        let (parts, value) = normal(&mut pool, "(<= 0 (* x y))", "(+ 1 (* x y))");
        let vars = pool.free_vars(&[value]);
        assert_eq!(vars.len(), 1);
        assert_eq!(pool.free_vars(&parts), vars);
    }
}
