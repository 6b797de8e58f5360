//! All readings of a term agree: our evaluator, the bit-blaster, Z3 as a
//! library and Z3 through text.

mod common;

use cairn_base::Budget;
use cairn_smt::sat::Sat;
use cairn_smt::z3::Z3;
use cairn_smt::{Answer, Solver};
use cairn_term::random::{Flavour, assignment};
use cairn_term::{Evaluator, Pool};
use common::{bit_solvers, budget, pinned, term};
use fastrand::Rng;

/// Random terms at random points, built as drawn so that the solver sees every operation.
fn at_points(solvers: &mut [Box<dyn Solver>], flavour: Flavour, widths: &[u8], rounds: u32, seed: u64) {
    let mut pool = Pool::new();
    let mut rng = Rng::with_seed(seed);
    for round in 0..rounds {
        let t = term(&mut pool, &mut rng, flavour, widths, 3, false);
        let point = assignment(&mut rng, &pool, &[t]);
        let holds = Evaluator::new(&pool, &point).holds(t);
        let expected = if holds { (Answer::Sat, Answer::Unsat) } else { (Answer::Unsat, Answer::Sat) };
        for solver in solvers.iter_mut() {
            let answers = pinned(solver.as_mut(), &mut pool, t, &point);
            assert_eq!(
                answers,
                expected,
                "{} in round {round} of seed {seed}: {}\nat {point:?}",
                solver.name(),
                pool.text(t)
            );
        }
    }
}

#[test]
fn bit_vectors_at_points() {
    at_points(&mut bit_solvers(), Flavour::BITS, &[1, 2, 3, 8, 32], 400, 1);
}

#[test]
fn wide_bit_vectors_at_points() {
    at_points(&mut bit_solvers()[..2], Flavour::BITS, &[64, 127, 128], 60, 2);
}

#[test]
fn every_sort_at_points() {
    let mut solvers: Vec<Box<dyn Solver>> = vec![Box::new(Z3::new())];
    at_points(&mut solvers, Flavour::ALL, &[4, 8, 32], 200, 3);
}

#[test]
fn every_sort_through_text() {
    let mut solvers = bit_solvers().split_off(2);
    at_points(&mut solvers, Flavour::ALL, &[4, 8, 32], 60, 4);
}

/// Satisfiability itself: the solvers agree and their models hold.
#[test]
fn satisfiability_of_bit_vectors() {
    let mut rng = Rng::with_seed(5);
    let mut pool = Pool::new();
    let (mut sat, mut z3) = (Sat::new(), Z3::new());
    let mut counts = (0, 0);
    for _ in 0..300 {
        let parts: Vec<_> =
            (0..4).map(|_| term(&mut pool, &mut rng, Flavour::BITS, &[3, 4, 8], 3, true)).collect();
        let answers = [&mut sat as &mut dyn Solver, &mut z3].map(|solver| {
            solver.push();
            for &t in &parts {
                solver.assert(&pool, t);
            }
            let answer = solver.check(&pool, &[], &budget());
            if answer == Answer::Sat {
                let model = solver.model(&pool, &pool.free_vars(&parts)).unwrap();
                let mut evaluator = Evaluator::new(&pool, &model);
                assert!(parts.iter().all(|&t| evaluator.holds(t)), "{}", solver.name());
            }
            solver.pop();
            answer
        });
        assert_eq!(answers[0], answers[1]);
        match answers[0] {
            Answer::Sat => counts.0 += 1,
            _ => counts.1 += 1,
        }
    }
    assert!(counts.0 > 50 && counts.1 > 50, "{counts:?}");
}

/// Simplification is sound for Z3 too: a term and what it becomes never differ.
#[test]
fn simplification_is_equivalence() {
    let mut rng = Rng::with_seed(6);
    let mut pool = Pool::new();
    let mut sat = Sat::new();
    for _ in 0..400 {
        let raw = term(&mut pool, &mut rng, Flavour::BITS, &[1, 2, 4, 5], 3, false);
        let simple = pool.simplify(raw);
        let (not_raw, not_simple) = (pool.not(raw), pool.not(simple));
        for pair in [[raw, not_simple], [not_raw, simple]] {
            assert_eq!(sat.check(&pool, &pair, &Budget::default()), Answer::Unsat, "{}", pool.text(raw));
        }
    }
}
