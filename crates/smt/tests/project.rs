//! Projection and elimination, against all points of a small box.

mod common;

use cairn_smt::Solver;
use cairn_smt::arith::{eliminate, project};
use cairn_smt::z3::Z3;
use cairn_term::{Assignment, Evaluator, Pool, TermId, Value};
use fastrand::Rng;

const RANGE: std::ops::RangeInclusive<i32> = -3..=3;

/// Random formulas over four variables.
struct Maker {
    pool: Pool,
    vars: [TermId; 4],
    rng: Rng,
    products: bool,
}

impl Maker {
    fn new(seed: u64, products: bool) -> Maker {
        let mut pool = Pool::new();
        let vars = ["x", "y", "z", "w"].map(|n| pool.int_var(n));
        Maker { pool, vars, rng: Rng::with_seed(seed), products }
    }

    fn int(&mut self, depth: u32) -> TermId {
        let mut sum = self.pool.int(self.rng.i32(-4..=4));
        for _ in 0..self.rng.usize(1..=2) {
            let k = self.pool.int(*self.rng.choice(&[-3, -2, -1, 1, 1, 2]).expect("not empty"));
            let part = match self.rng.u32(..12) {
                0 if depth > 0 => {
                    let (c, a, b) = (self.boolean(depth - 1), self.int(depth - 1), self.int(depth - 1));
                    self.pool.ite(c, a, b)
                }
                n @ (1 | 2) if depth > 0 => {
                    let a = self.int(depth - 1);
                    let by = self.pool.int(*self.rng.choice(&[-3, 2, 3, 100]).expect("not empty"));
                    if n == 1 { self.pool.int_mod(a, by) } else { self.pool.int_div(a, by) }
                }
                3 if depth > 0 && self.products => {
                    let (a, b) = (self.int(0), self.int(0));
                    self.pool.int_mul(a, b)
                }
                _ => self.vars[self.rng.usize(..4)],
            };
            let part = self.pool.int_mul(part, k);
            sum = self.pool.int_add(sum, part);
        }
        sum
    }

    fn boolean(&mut self, depth: u32) -> TermId {
        let kind = if depth == 0 { 0 } else { self.rng.u32(..6) };
        match kind {
            1 => {
                let (a, b) = (self.boolean(depth - 1), self.boolean(depth - 1));
                self.pool.and(&[a, b])
            }
            2 => {
                let (a, b) = (self.boolean(depth - 1), self.boolean(depth - 1));
                self.pool.or(&[a, b])
            }
            3 => {
                let a = self.boolean(depth - 1);
                self.pool.not(a)
            }
            4 => {
                let (a, b) = (self.boolean(depth - 1), self.boolean(depth - 1));
                self.pool.eq(a, b)
            }
            _ => {
                let (a, b) = (self.int(depth), self.int(depth));
                if self.rng.u32(..3) == 0 { self.pool.eq(a, b) } else { self.pool.int_le(a, b) }
            }
        }
    }

    fn boxed(&mut self, vars: &[TermId]) -> TermId {
        let (low, high) = (self.pool.int(*RANGE.start()), self.pool.int(*RANGE.end()));
        let mut parts = Vec::new();
        for &v in vars {
            parts.extend([self.pool.int_le(low, v), self.pool.int_le(v, high)]);
        }
        self.pool.and(&parts)
    }

    fn points(&self, vars: &[TermId]) -> Vec<Assignment> {
        let mut all = vec![Assignment::default()];
        for &v in vars {
            let with = |a: &Assignment| {
                RANGE
                    .map(|n| {
                        let mut a = a.clone();
                        a.insert(v, Value::Int(n.into()));
                        a
                    })
                    .collect::<Vec<_>>()
            };
            all = all.iter().flat_map(with).collect();
        }
        all
    }
}

/// Elimination of bounded variables is exact: at every point of the others the result says
/// whether the variables have values.
#[test]
fn eliminated_variables_have_values_exactly_where_the_result_says() {
    let mut maker = Maker::new(11, false);
    let mut solver = Z3::new();
    let (mut done, mut failed) = (0, 0);
    for _ in 0..150 {
        let [x, y, z, w] = maker.vars;
        let inner = maker.boolean(2);
        let inside = maker.boxed(&[x, y]);
        let formula = maker.pool.and(&[inner, inside]);
        let short = common::budget().within(std::time::Duration::from_secs(2));
        let result = eliminate(&mut maker.pool, &mut solver, &[x, y], formula, &short);
        let Ok(result) = result else {
            failed += 1;
            continue;
        };
        done += 1;
        let pool = &maker.pool;
        assert!(pool.free_vars(&[result]).iter().all(|v| [z, w].contains(v)));
        for at in maker.points(&[z, w]) {
            let says = Evaluator::new(pool, &at).holds(result);
            let is = maker.points(&[x, y]).into_iter().any(|mut p| {
                p.extend(at.iter().map(|(&v, n)| (v, n.clone())));
                Evaluator::new(pool, &p).holds(formula)
            });
            assert_eq!(says, is, "{} without x and y is not {}", pool.text(formula), pool.text(result));
        }
    }
    assert!(done > 10 * failed, "{failed} of {} were too hard", done + failed);
}

/// What is projected holds in the model, and wherever it holds the variables have values.
#[test]
fn projections_are_below_the_quantifier_and_hold_in_the_model() {
    let mut maker = Maker::new(5, true);
    let mut solver = Z3::new();
    for _ in 0..150 {
        let [x, y, z, w] = maker.vars;
        // The variables are not bounded here.
        let formula = maker.boolean(2);
        let points = maker.points(&[x, y, z, w]);
        let pool = &mut maker.pool;
        let Some(model) = points.iter().find(|p| Evaluator::new(pool, p).holds(formula)) else { continue };
        let cube = project(pool, model, &[x, y], formula).expect("a projection");
        let whole = pool.and(&cube);
        assert!(Evaluator::new(pool, model).holds(whole));
        assert!(pool.free_vars(&[whole]).iter().all(|v| [z, w].contains(v)));
        for at in maker.points(&[z, w]) {
            if !Evaluator::new(&maker.pool, &at).holds(whole) {
                continue;
            }
            solver.push();
            solver.assert(&maker.pool, formula);
            for (&v, n) in &at {
                let n = maker.pool.value(n);
                let is = maker.pool.eq(v, n);
                solver.assert(&maker.pool, is);
            }
            let short = common::budget().within(std::time::Duration::from_millis(500));
            let answer = solver.check(&maker.pool, &[], &short);
            assert_ne!(answer, cairn_smt::Answer::Unsat, "{} at {at:?}", maker.pool.text(formula));
            solver.pop();
        }
    }
}

/// Regression: sums too long for a normal form were taken for one term, again and again.
#[test]
fn long_sums_are_sums() {
    let mut pool = Pool::new();
    let x = pool.int_var("x");
    let mut sum = x;
    let mut parts = Vec::new();
    let mut model = Assignment::default();
    for n in 0..50 {
        let v = pool.int_var(&format!("v{n}"));
        sum = pool.int_add(sum, v);
        let zero = pool.int(0);
        parts.push(pool.int_le(zero, v));
        model.insert(v, Value::Int(1.into()));
    }
    let hundred = pool.int(100);
    parts.push(pool.int_le(sum, hundred));
    let formula = pool.and(&parts);
    let vars: Vec<TermId> = model.keys().copied().collect();
    let cube = project(&mut pool, &model, &vars, formula).expect("a projection");
    assert_eq!(cube, [pool.int_le(x, hundred)]);
}
