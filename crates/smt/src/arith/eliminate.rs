//! Elimination of quantifiers.
//!
//! First what costs nothing: definitions are put in and parts that share no
//! variable are taken apart. Then models are projected until every model is
//! covered, which ends because a formula has finitely many projections.

use cairn_base::Budget;
use cairn_term::{Op, Pool, Sort, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::project;
use crate::{Answer, Solver, Why};

/// How many projections are tried.
const CUBES: usize = 100;

/// A formula without `vars` that is equivalent to the given one with `vars` existentially
/// quantified. The solver must hold no assertions.
pub fn eliminate(
    pool: &mut Pool,
    solver: &mut dyn Solver,
    vars: &[TermId],
    formula: TermId,
    budget: &Budget,
) -> Result<TermId, Why> {
    let vars: FxHashSet<TermId> = vars.iter().copied().collect();
    let mut parts = conjuncts(pool, formula);
    while let Some((x, value)) = definition(pool, &vars, &parts) {
        let mut map = FxHashMap::from_iter([(x, value)]);
        let new: Vec<TermId> = parts.iter().map(|&t| pool.substitute_memo(t, &mut map)).collect();
        let whole = pool.and(&new);
        parts = conjuncts(pool, whole);
    }
    let mut result = Vec::new();
    for (group, formulas) in components(pool, &vars, &parts) {
        let whole = pool.and(&formulas);
        result.push(if group.is_empty() {
            whole
        } else if pool.op(whole) == Op::Or {
            let cases = pool.args(whole).to_vec();
            let cases = cases
                .into_iter()
                .map(|case| eliminate(pool, solver, &group, case, budget))
                .collect::<Result<Vec<_>, Why>>()?;
            pool.or(&cases)
        } else {
            cover(pool, solver, &group, whole, budget)?
        });
    }
    Ok(pool.and(&result))
}

/// The parts of a conjunction, however it nests.
pub fn conjuncts(pool: &mut Pool, formula: TermId) -> Vec<TermId> {
    let mut parts = Vec::new();
    let mut todo = vec![(formula, true)];
    let mut seen = FxHashSet::default();
    while let Some((t, truth)) = todo.pop() {
        if !seen.insert((t, truth)) {
            continue;
        }
        match pool.op(t) {
            Op::Not => todo.push((pool.arg(t, 0), !truth)),
            Op::And if truth => todo.extend(pool.args(t).iter().map(|&a| (a, true))),
            Op::Or if !truth => todo.extend(pool.args(t).iter().map(|&a| (a, false))),
            _ => parts.push(if truth { t } else { pool.not(t) }),
        }
    }
    parts.retain(|&t| t != Pool::TRUE);
    parts.sort_unstable();
    parts
}

/// A variable that one of the parts makes equal to something without it.
fn definition(pool: &mut Pool, vars: &FxHashSet<TermId>, parts: &[TermId]) -> Option<(TermId, TermId)> {
    for &part in parts {
        if vars.contains(&part) {
            return Some((part, Pool::TRUE));
        }
        let &[a, b] = pool.args(part) else {
            if pool.op(part) == Op::Not && vars.contains(&pool.arg(part, 0)) {
                return Some((pool.arg(part, 0), Pool::FALSE));
            }
            continue;
        };
        if pool.op(part) != Op::Eq {
            continue;
        }
        if pool.sort(a) != Sort::Int {
            for (x, t) in [(a, b), (b, a)] {
                if vars.contains(&x) && !pool.free_vars(&[t]).contains(&x) {
                    return Some((x, t));
                }
            }
            continue;
        }
        let difference = pool.int_sub(a, b);
        let linear = pool.linear(difference);
        for (n, (x, k)) in linear.terms.iter().enumerate() {
            if !vars.contains(x) || *k.magnitude() != 1u32.into() {
                continue;
            }
            let mut rest = linear.clone();
            rest.terms.remove(n);
            let rest = pool.linear_term(&rest);
            if pool.free_vars(&[rest]).contains(x) {
                continue;
            }
            let factor = pool.int(-k);
            return Some((*x, pool.int_mul(rest, factor)));
        }
    }
    None
}

/// The parts in groups that share no variable, with the variables of each. Those without
/// variables come as one group.
fn components(pool: &Pool, vars: &FxHashSet<TermId>, parts: &[TermId]) -> Vec<(Vec<TermId>, Vec<TermId>)> {
    let mut groups: Vec<(Vec<TermId>, Vec<TermId>)> = Vec::new();
    for &part in parts {
        let mut mine = pool.free_vars(&[part]);
        mine.retain(|v| vars.contains(v));
        let joins = |g: &(Vec<TermId>, Vec<TermId>)| {
            g.0.iter().any(|v| mine.contains(v)) || g.0.is_empty() && mine.is_empty()
        };
        let (joined, others): (Vec<_>, Vec<_>) = groups.into_iter().partition(joins);
        groups = others;
        let mut formulas = vec![part];
        for (v, f) in joined {
            mine.extend(v);
            formulas.extend(f);
        }
        mine.sort_unstable();
        mine.dedup();
        groups.push((mine, formulas));
    }
    groups
}

/// Projections until there is no model outside of them.
fn cover(
    pool: &mut Pool,
    solver: &mut dyn Solver,
    vars: &[TermId],
    formula: TermId,
    budget: &Budget,
) -> Result<TermId, Why> {
    let all = pool.free_vars(&[formula]);
    let mut cubes: Vec<Vec<TermId>> = Vec::new();
    solver.push();
    solver.assert(pool, formula);
    let covered = loop {
        match solver.check(pool, &[], budget) {
            Answer::Unsat => break Ok(()),
            Answer::Unknown(why) => break Err(why),
            Answer::Sat if cubes.len() == CUBES => {
                break Err(Why::Incomplete("too many cases to eliminate a quantifier".into()));
            }
            Answer::Sat => {}
        }
        let cube = match solver.model(pool, &all).and_then(|model| project(pool, &model, vars, formula)) {
            Ok(cube) => cube,
            Err(why) => break Err(why),
        };
        let whole = pool.and(&cube);
        let outside = pool.not(whole);
        solver.assert(pool, outside);
        cubes.push(cube);
    };
    solver.pop();
    covered?;
    Ok(union(pool, &cubes))
}

/// The disjunction of conjunctions, with what they share written once.
fn union(pool: &mut Pool, cubes: &[Vec<TermId>]) -> TermId {
    let Some((first, others)) = cubes.split_first() else { return Pool::FALSE };
    let shared: Vec<TermId> =
        first.iter().copied().filter(|t| others.iter().all(|c| c.contains(t))).collect();
    let cases: Vec<TermId> = cubes
        .iter()
        .map(|cube| {
            let own: Vec<TermId> = cube.iter().copied().filter(|t| !shared.contains(t)).collect();
            pool.and(&own)
        })
        .collect();
    let cases = pool.or(&cases);
    let mut parts = shared;
    parts.push(cases);
    pool.and(&parts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::z3::Z3;
    use cairn_term::parse;

    fn without(vars: &[&str], text: &str) -> String {
        let mut pool = Pool::new();
        for name in ["x", "y", "k", "m"] {
            pool.int_var(name);
        }
        let formula = parse::term(&mut pool, text).expect("a formula");
        let vars: Vec<TermId> = vars.iter().map(|v| pool.int_var(v)).collect();
        let result = eliminate(&mut pool, &mut Z3::new(), &vars, formula, &Budget::default());
        pool.text(result.expect("a formula without the variables"))
    }

    #[test]
    fn results_are_small_where_they_can_be() {
        assert_eq!(without(&["k"], "(and (= x (+ y k)) (<= 0 k))"), "(<= y x)");
        assert_eq!(without(&["k"], "(= x (+ 1 (* 2 k)))"), "(= (mod x 2) 1)");
        assert_eq!(without(&["k", "m"], "(and (<= x k) (<= m 3) (<= y m))"), "(<= y 3)");
        assert_eq!(without(&["k"], "(= (* 2 k) 5)"), "false");
    }
}
