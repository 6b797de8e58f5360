//! Bounds of terms, against all points of a small box.

mod common;

use cairn_smt::arith::{Bound, maximise};
use cairn_smt::z3::Z3;
use cairn_term::{Assignment, Evaluator, Pool, TermId, Value, parse};
use fastrand::Rng;
use num_bigint::BigInt;

fn bounds(formula: &str, terms: &[&str]) -> Vec<Bound> {
    let mut pool = Pool::new();
    for name in ["x", "y"] {
        pool.int_var(name);
    }
    let formula = parse::term(&mut pool, formula).expect("a formula");
    let terms: Vec<TermId> = terms.iter().map(|t| parse::term(&mut pool, t).expect("a term")).collect();
    maximise(&mut pool, &mut Z3::new(), formula, &terms, &common::budget())
}

#[test]
fn each_term_has_its_own_bound() {
    let formula = "(and (<= (* 2 x) 7) (<= (+ x y) 5) (<= 0 y))";
    let finite = |n: i32| Bound::Finite(n.into());
    assert_eq!(
        bounds(formula, &["x", "y", "(+ x y)", "(- x)", "(+ x (* 2 y))", "7"]),
        [finite(3), Bound::Unbounded, finite(5), Bound::Unbounded, Bound::Unbounded, finite(7)]
    );
    assert_eq!(bounds("(and (<= x 0) (<= 1 x))", &["x", "y"]), vec![Bound::Infeasible; 2]);
    assert_eq!(bounds("(= (mod x 3) 2)", &["(mod x 3)"]), [finite(2)]);
}

#[test]
fn bounds_are_those_of_a_small_box() {
    const RANGE: std::ops::RangeInclusive<i32> = -3..=3;
    let mut rng = Rng::with_seed(7);
    let mut pool = Pool::new();
    let vars = ["x", "y", "z"].map(|n| pool.int_var(n));
    let mut solver = Z3::new();
    let linear = |pool: &mut Pool, rng: &mut Rng| {
        let mut sum = pool.int(rng.i32(-4..=4));
        for v in vars {
            let k = pool.int(rng.i32(-2..=2));
            let part = pool.int_mul(v, k);
            sum = pool.int_add(sum, part);
        }
        sum
    };
    for _ in 0..60 {
        let mut parts = Vec::new();
        for v in vars {
            let (low, high) = (pool.int(-3), pool.int(3));
            parts.extend([pool.int_le(low, v), pool.int_le(v, high)]);
        }
        for _ in 0..rng.usize(1..4) {
            let (a, b) = (linear(&mut pool, &mut rng), linear(&mut pool, &mut rng));
            let zero = pool.int(0);
            let sides = [pool.int_le(a, zero), pool.eq(b, zero)];
            parts.push(pool.or(&sides));
        }
        let formula = pool.and(&parts);
        let terms = [linear(&mut pool, &mut rng), linear(&mut pool, &mut rng)];
        let mut best: [Option<BigInt>; 2] = [None, None];
        for x in RANGE {
            for y in RANGE {
                for z in RANGE {
                    let at: Assignment =
                        vars.into_iter().zip([x, y, z]).map(|(v, n)| (v, Value::Int(n.into()))).collect();
                    let mut eval = Evaluator::new(&pool, &at);
                    if eval.holds(formula) {
                        for (best, &t) in best.iter_mut().zip(&terms) {
                            *best = best.take().max(eval.eval(t).as_int().cloned());
                        }
                    }
                }
            }
        }
        let expected = best.map(|b| b.map_or(Bound::Infeasible, Bound::Finite));
        assert_eq!(maximise(&mut pool, &mut solver, formula, &terms, &common::budget()), expected);
    }
}
