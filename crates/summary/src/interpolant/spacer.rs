//! Interpolants by Spacer, for paths that are too much for the other method.
//!
//! It is a process, which costs tens of milliseconds at the least.

use cairn_base::Budget;
use cairn_base::effort::SECOND;
use cairn_smt::interpolate;
use cairn_smt::pipe::Program;
use cairn_smt::z3::{Z3, library};
use cairn_smt::{Solver, Why};
use cairn_term::{Pool, TermId};
use rustc_hash::FxHashMap;

use super::newton::{PathPiece, Placed};
use super::{Instances, OPEN};
use crate::Transition;

/// Steps of Spacer, in all. Whether it needs them it does not say.
const MAX_SPACER_STEPS: u64 = 10 * SECOND;

/// Formulas for the end of each step of a path that is given in pieces.
pub fn interpolants(
    pool: &mut Pool,
    instances: &mut Instances,
    path: &[&Transition],
    pieces: &[Placed],
    budget: &Budget,
) -> Result<Vec<TermId>, Why> {
    let Some(program) = library::program() else {
        return Err(Why::Unsupported("there is no Spacer".into()));
    };
    let mut parts: Vec<Vec<TermId>> = vec![Vec::new(); path.len() + 1];
    for placed in pieces {
        let n = match placed.piece {
            PathPiece::Initial => 0,
            PathPiece::Guard(n, _) | PathPiece::Assign(n, ..) => n,
            PathPiece::Last(_) => path.len(),
        };
        parts[n].push(placed.formula);
    }
    let parts: Vec<TermId> = parts.into_iter().map(|p| pool.and(&p)).collect();
    let mut program = Program::z3(&program.to_string_lossy());
    program.args.push(format!("rlimit={MAX_SPACER_STEPS}"));
    let budget = &budget.with_effort(MAX_SPACER_STEPS);
    let mut solver: Box<dyn Solver> = Box::new(Z3::new());
    let found = interpolate::sequence(pool, &parts, &program, &mut solver, budget)?;
    // Back from the names of the variables at each place to the variables.
    let mut back: FxHashMap<TermId, TermId> = FxHashMap::default();
    let mut names: FxHashMap<TermId, TermId> = FxHashMap::default();
    let mut results = Vec::new();
    for (n, (step, formula)) in path.iter().zip(found).enumerate() {
        for &v in step.assign.keys() {
            let name = instances.get(pool, n + 1, v);
            if let Some(old) = names.insert(v, name) {
                back.remove(&old);
            }
            // The initial value, which has the variable's own name, is out of sight.
            back.insert(v, instances.get(pool, OPEN, v));
            back.insert(name, v);
        }
        results.push(pool.substitute(formula, &back));
    }
    Ok(results)
}

#[cfg(test)]
mod tests {
    use super::super::newton::Unrolled;
    use super::super::{Checker, Instances};
    use super::*;
    use crate::Space;
    use std::collections::BTreeMap;

    #[test]
    fn names_become_variables_again() {
        let mut pool = Pool::new();
        let [x, y, _] = ["x", "y", "u"].map(|n| pool.int_var(n));
        let space = Space::new(vec![x, y]);
        let mut term = |text| cairn_term::parse::term(&mut pool, text).expect("a term");
        let initial = term("(= y 1)");
        let first = Transition { guard: Pool::TRUE, assign: BTreeMap::from([(x, term("0"))]) };
        let second = Transition {
            guard: term("(<= 0 u)"),
            assign: BTreeMap::from([(x, term("(+ x u y)")), (y, term("(+ y u)"))]),
        };
        let last = term("(not (= x y))");
        let path = [&first, &second, &second];
        let mut instances = Instances::default();
        let budget = Budget::default().with_time(std::time::Duration::from_secs(60));
        for (length, ends) in [(2, true), (3, false)] {
            let path = &path[..length];
            let unrolled = Unrolled::new(&mut pool, &space, &mut instances, initial, path, last);
            let found = interpolants(&mut pool, &mut instances, path, &unrolled.pieces, &budget);
            let mut checker = Checker::new(&space);
            match found {
                Ok(found) => {
                    assert!(ends);
                    assert!(pool.free_vars(&found).iter().all(|&v| space.has(v)));
                    assert_eq!(checker.verify(&mut pool, initial, path, last, &found, &budget), Ok(()));
                }
                Err(Why::Unsupported(_)) => return,
                // After two rounds x and y differ: there is nothing to find.
                Err(_) => assert!(!ends),
            }
        }
    }
}
