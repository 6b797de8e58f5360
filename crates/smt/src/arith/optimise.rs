//! Least upper bounds of integer terms under a formula.
//!
//! A model's projection to the value of the term alone is an interval: the next
//! model must lie above it, until there is none (the idea of Li, Albarghouthi,
//! Kincaid, Gurfinkel and Chechik, "Symbolic optimization with SMT solvers",
//! 2014). That the bound holds is thus the solver's last answer.

use cairn_base::Budget;
use cairn_term::{Assignment, Evaluator, Op, Pool, SortId, TermId, Value};
use num_bigint::{BigInt, Sign};
use num_integer::Integer;

use super::conjuncts;
use super::project;
use crate::{Answer, Solver, Why};

/// How many models are asked for.
const STEPS: usize = 200;

/// How far below a limit a value is sought that divisibility allows.
const PERIOD: u32 = 1000;

/// The supremum of a term.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Bound {
    /// Attained, as everything is an integer.
    Finite(BigInt),
    Unbounded,
    /// The formula has no model.
    Infeasible,
    Unknown(Why),
}

/// The bounds of integer terms under one formula, in the order of the terms. The solver must hold
/// no assertions; one solver is best used for many calls.
pub fn maximise(
    pool: &mut Pool,
    solver: &mut dyn Solver,
    formula: TermId,
    terms: &[TermId],
    budget: &Budget,
) -> Vec<Bound> {
    solver.push();
    solver.assert(pool, formula);
    let bounds = match solver.check(pool, &[], budget) {
        Answer::Unsat => vec![Bound::Infeasible; terms.len()],
        Answer::Unknown(why) => vec![Bound::Unknown(why); terms.len()],
        Answer::Sat => {
            let mut bounds = Vec::new();
            for &t in terms {
                solver.push();
                bounds.push(climb(pool, solver, formula, t, budget).unwrap_or_else(Bound::Unknown));
                solver.pop();
            }
            bounds
        }
    };
    solver.pop();
    bounds
}

/// The solver holds the formula, which has a model.
fn climb(
    pool: &mut Pool,
    solver: &mut dyn Solver,
    formula: TermId,
    term: TermId,
    budget: &Budget,
) -> Result<Bound, Why> {
    if let Some(n) = pool.as_int(term) {
        return Ok(Bound::Finite(n.clone()));
    }
    let level = pool.fresh("level", SortId::INT);
    let is_level = pool.eq(level, term);
    solver.assert(pool, is_level);
    let whole = pool.and(&[formula, is_level]);
    let vars = pool.free_vars(&[whole]);
    let others: Vec<TermId> = vars.iter().copied().filter(|&v| v != level).collect();
    let mut best: Option<BigInt> = None;
    for _ in 0..STEPS {
        match solver.check(pool, &[], budget) {
            Answer::Unsat => return Ok(best.map_or(Bound::Infeasible, Bound::Finite)),
            Answer::Unknown(why) => return Err(why),
            Answer::Sat => {}
        }
        let model = solver.model(pool, &vars)?;
        let cube = project(pool, &model, &others, whole)?;
        let here = model.get(&level).and_then(Value::as_int).cloned().unwrap_or_default();
        let Some(top) = top(pool, level, &cube, &here) else { return Ok(Bound::Unbounded) };
        let limit = pool.int(top.clone());
        let above = pool.int_lt(limit, level);
        solver.assert(pool, above);
        best = Some(top);
    }
    Err(Why::Incomplete("too many steps towards a bound".into()))
}

/// The greatest value the constraints allow, or (if divisibility makes that hard to find) a value
/// not below `here`, which they allow. Nothing if there is no greatest.
fn top(pool: &mut Pool, level: TermId, cube: &[TermId], here: &BigInt) -> Option<BigInt> {
    let whole = pool.and(cube);
    let mut limit: Option<BigInt> = None;
    let mut other = false;
    for part in conjuncts(pool, whole) {
        let (atom, truth) = if pool.op(part) == Op::Not { (pool.arg(part, 0), false) } else { (part, true) };
        let (op, &[a, b]) = (pool.op(atom), pool.args(atom)) else { return Some(here.clone()) };
        if !matches!(op, Op::Le | Op::Eq) {
            return Some(here.clone());
        }
        let difference = pool.int_sub(a, b);
        let linear = pool.linear(difference);
        let [(t, k)] = linear.terms.as_slice() else { return Some(here.clone()) };
        if *t != level {
            // A remainder: periodic, so it bounds nothing.
            other = true;
            continue;
        }
        // k * level + c <= 0, or > 0, or = 0
        let c = &linear.constant;
        let bound = match (op, truth, k.sign()) {
            (Op::Eq, true, _) => -c / k,
            (Op::Le, true, Sign::Plus) => (-c).div_floor(k),
            (Op::Le, false, Sign::Minus) => (c - BigInt::from(1)).div_floor(&-k),
            (Op::Eq, false, _) => return Some(here.clone()),
            _ => continue,
        };
        limit = Some(limit.map_or(bound.clone(), |l| l.min(bound)));
    }
    let limit = limit?;
    if !other {
        return Some(limit);
    }
    let allowed = |n: &BigInt| {
        let at = Assignment::from_iter([(level, Value::Int(n.clone()))]);
        Evaluator::new(pool, &at).holds(whole)
    };
    let candidates = (0..PERIOD).map(|d| &limit - d).take_while(|n| n > here);
    Some(candidates.into_iter().find(allowed).unwrap_or_else(|| here.clone()))
}
