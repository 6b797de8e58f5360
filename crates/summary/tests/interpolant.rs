//! Paths: executions and dead-end interpolants.

use cairn_base::Budget;
use cairn_summary::interpolant::{Checker, Outcome};
use cairn_summary::{Space, Transition};
use cairn_term::{Assignment, Evaluator, Pool, TermId, Value, parse};
use fastrand::Rng;

/// A pool with a space of the named variables; other names are unknowns.
struct World {
    pool: Pool,
    space: Space,
    checker: Checker,
}

impl World {
    fn new(vars: &[&str], unknowns: &[&str]) -> World {
        let mut pool = Pool::new();
        let space = Space::new(vars.iter().map(|v| pool.int_var(v)).collect());
        unknowns.iter().for_each(|u| {
            pool.int_var(u);
        });
        let checker = Checker::new(&space);
        World { pool, space, checker }
    }

    fn term(&mut self, text: &str) -> TermId {
        parse::term(&mut self.pool, text).expect("a term")
    }

    fn step(&mut self, guard: &str, assign: &[(&str, &str)]) -> Transition {
        let guard = self.term(guard);
        let assign = assign.iter().map(|(v, t)| (self.pool.int_var(v), self.term(t))).collect();
        Transition { guard, assign }
    }

    fn check(&mut self, path: &[Transition], last: TermId) -> Outcome {
        let budget = Budget::default().with_time(std::time::Duration::from_secs(20));
        self.checker.check(&mut self.pool, Pool::TRUE, path, last, &budget)
    }

    fn interpolants(&mut self, path: &[Transition], last: &str) -> Vec<String> {
        let last = self.term(last);
        match self.check(path, last) {
            Outcome::Unsat(found) => found.into_iter().map(|t| self.pool.text(t)).collect(),
            other => panic!("{other:?}"),
        }
    }
}

/// EX-3 of the paper: `x = 2; while (N-- > 0) x = 2 * x; while (M-- > 0) x -= 2; assert(x != 1)`.
#[test]
fn doubling_keeps_a_number_even() {
    let mut w = World::new(&["x", "N", "M"], &["k"]);
    let start = w.step("true", &[("x", "2")]);
    let double = w.step("(< 0 N)", &[("x", "(* 2 x)"), ("N", "(- N 1)")]);
    let leave = w.step("(<= N 0)", &[]);
    // From the second loop to the error, exactly.
    let summary = "(and (<= 0 k) (= (- x (* 2 k)) 1) (or (= k 0) (<= k M)) (<= M k))";
    let even = "(= (mod x 2) 0)";
    let found = w.interpolants(&[start.clone(), leave.clone()], summary);
    assert_eq!(found, [even, even]);
    let found = w.interpolants(&[start, double, leave], summary);
    assert_eq!(found, ["true", even, even]);
}

/// EX-2 of the paper: `r = 0; while (N > 0) r += N--; assert(r != 2)`.
#[test]
fn a_sum_beyond_two_stays_there() {
    let mut w = World::new(&["r", "N"], &["k", "s"]);
    let start = w.step("true", &[("r", "0")]);
    let add = w.step("(< 0 N)", &[("r", "(+ r N)"), ("N", "(- N 1)")]);
    let leave = w.step("(<= N 0)", &[]);
    let summary = "(and (<= 0 k) (or (and (= k 0) (= s r)) (and (<= 1 k) (< 0 N) (<= 0 (- N k))))
        (<= (+ r k) s) (= s 2) (<= (- N k) 0))";
    let found = w.interpolants(&[start.clone(), leave.clone()], "(= r 2)");
    assert_eq!(found, ["(<= r 1)", "(<= r 1)"]);
    let found = w.interpolants(&[start.clone(), add.clone(), add.clone()], summary);
    assert_eq!(found[2], "(<= 3 r)");
    let found = w.interpolants(&[start, add, leave], "(= r 2)");
    assert_eq!(found[2], "(<= r 1)");
}

/// Unknown inputs are quantified away, and an execution tells their values.
#[test]
fn inputs() {
    let mut w = World::new(&["x", "y"], &["in", "k"]);
    let read = w.step("(and (<= 0 in) (<= in 9))", &[("x", "in")]);
    let add = w.step("true", &[("y", "(+ x y)"), ("x", "in")]);
    let zero = w.step("true", &[("y", "0")]);
    let path = [zero, read, add];
    let found = w.interpolants(&path, "(<= 10 y)");
    assert_eq!(found, ["(<= y 0)", "(<= (+ x y) 9)", "(<= y 9)"]);
    let last = w.term("(and (= y (* 4 k)) (= x 77) (<= 7 y))");
    let Outcome::Sat(run) = w.check(&path, last) else { panic!("there is an execution") };
    assert_eq!(run.states.len(), 4);
    assert_eq!(run.end(), [77.into(), 8.into()]);
    assert_eq!(run.unknowns.len(), 4);
}

/// All small executions, as a yardstick.
struct Brute<'a> {
    pool: &'a Pool,
    space: &'a Space,
}

impl Brute<'_> {
    fn reaches(&self, state: &[i64], path: &[Transition], last: TermId) -> bool {
        let (guard, assign) = match path.first() {
            Some(step) => (step.guard, Some(&step.assign)),
            None => (last, None),
        };
        let mut roots = vec![guard];
        roots.extend(assign.into_iter().flat_map(|a| a.values().copied()));
        let unknowns: Vec<TermId> =
            self.pool.free_vars(&roots).into_iter().filter(|&v| !self.space.has(v)).collect();
        assert!(unknowns.len() <= 1);
        let range = if unknowns.is_empty() { 0..=0 } else { -4..=4 };
        range.into_iter().any(|u: i64| {
            let mut at: Assignment =
                self.space.vars().iter().zip(state).map(|(&v, &n)| (v, Value::Int(n.into()))).collect();
            at.extend(unknowns.iter().map(|&v| (v, Value::Int(u.into()))));
            let mut eval = Evaluator::new(self.pool, &at);
            if !eval.holds(guard) {
                return false;
            }
            let Some(assign) = assign else { return true };
            let mut next = state.to_vec();
            for (v, n) in self.space.vars().iter().zip(&mut next) {
                if let Some(&t) = assign.get(v) {
                    *n = eval.eval(t).as_int().and_then(|n| n.try_into().ok()).expect("small");
                }
            }
            self.reaches(&next, &path[1..], last)
        })
    }
}

fn linear(w: &mut World, rng: &mut Rng, unknown: bool) -> TermId {
    let mut sum = w.pool.int(rng.i32(-3..=3));
    let names = ["x", "y", "z", "u"];
    for _ in 0..rng.usize(1..=2) {
        let v = w.pool.int_var(names[rng.usize(..if unknown { 4 } else { 3 })]);
        let k = w.pool.int(*rng.choice(&[-1, 1, 1, 2]).expect("not empty"));
        let part = w.pool.int_mul(v, k);
        sum = w.pool.int_add(sum, part);
    }
    sum
}

fn guard(w: &mut World, rng: &mut Rng, unknown: bool) -> TermId {
    let mut parts = Vec::new();
    for _ in 0..rng.usize(0..=2) {
        let (a, b) = (linear(w, rng, unknown), linear(w, rng, unknown));
        let three = w.pool.int(3);
        parts.push(match rng.u32(..8) {
            0 => w.pool.eq(a, b),
            1 => w.pool.ne(a, b),
            2 => {
                let rest = w.pool.int_mod(a, three);
                let zero = w.pool.int(0);
                w.pool.eq(rest, zero)
            }
            3 => {
                let either = [w.pool.int_le(a, b), w.pool.eq(a, three)];
                w.pool.or(&either)
            }
            _ => w.pool.int_le(a, b),
        });
    }
    w.pool.and(&parts)
}

/// Whatever the checker says of random paths from a small box is so. (It checks interpolants
/// itself, so that a wrong one would show as `Unknown`.)
#[test]
fn random_paths() {
    let mut rng = Rng::with_seed(2024);
    let mut w = World::new(&["x", "y", "z"], &["u"]);
    let [mut feasible, mut infeasible] = [0, 0];
    let u_is_small = w.term("(and (<= (- 4) u) (<= u 4))");
    let initial = w.term("(and (<= (- 2) x) (<= x 2) (<= (- 2) y) (<= y 2) (<= (- 2) z) (<= z 2))");
    for round in 0..150 {
        let mut path = Vec::new();
        for _ in 0..rng.usize(1..=4) {
            let unknown = rng.u32(..3) == 0;
            let g = guard(&mut w, &mut rng, unknown);
            let g = w.pool.and(&[g, if unknown { u_is_small } else { Pool::TRUE }]);
            let mut step = Transition::assume(g);
            for v in ["x", "y", "z"] {
                if rng.u32(..3) == 0 {
                    let t = linear(&mut w, &mut rng, unknown);
                    step.assign.insert(w.pool.int_var(v), t);
                }
            }
            path.push(step);
        }
        let last = [guard(&mut w, &mut rng, true), guard(&mut w, &mut rng, true), u_is_small];
        let last = w.pool.and(&last);
        let budget = Budget::default().with_time(std::time::Duration::from_secs(20));
        let outcome = w.checker.check(&mut w.pool, initial, &path, last, &budget);
        let brute = Brute { pool: &w.pool, space: &w.space };
        let is = (-2..=2).any(|x| (-2..=2).any(|y| (-2..=2).any(|z| brute.reaches(&[x, y, z], &path, last))));
        match outcome {
            Outcome::Sat(_) => {
                assert!(is, "round {round}");
                feasible += 1;
            }
            Outcome::Unsat(found) => {
                assert!(!is, "round {round}");
                assert_eq!(found.len(), path.len());
                assert!(w.pool.free_vars(&found).iter().all(|&v| w.space.has(v)));
                infeasible += 1;
            }
            Outcome::Unknown(why) => panic!("round {round}: {why}"),
        }
    }
    assert!(feasible > 20 && infeasible > 20, "{feasible} and {infeasible}");
}

/// Paths of hundreds of steps, each a little longer than the one before.
#[test]
fn long_paths() {
    let mut w = World::new(&["i", "n", "s", "t"], &["in"]);
    let start = w.step("(and (<= 0 in) (<= in 1000000))", &[("i", "0"), ("n", "in"), ("s", "0"), ("t", "5")]);
    let head = w.step("(not (<= n i))", &[]);
    let body = w.step(
        "(and (<= (- 2147483648) (+ s in)) (<= (+ s in) 2147483647) (<= 0 in) (<= in 7))",
        &[("s", "(+ s in)"), ("t", "(ite (= in 3) t (+ t 1))")],
    );
    let count = w.step("(<= (+ i 1) 2147483647)", &[("i", "(+ i 1)")]);
    let leave = w.step("(<= n i)", &[]);
    let mut path = vec![start];
    for round in 0..60 {
        path.extend([head.clone(), body.clone(), count.clone()]);
        let feasible = w.term("(and (<= i n) (<= 5 s))");
        let outcome = w.check(&path, feasible);
        assert!(matches!(outcome, Outcome::Sat(_)), "round {round}: {outcome:?}");
        let mut whole = path.clone();
        whole.push(leave.clone());
        let wrong = w.term("(not (<= s (* 7 i)))");
        let outcome = w.check(&whole, wrong);
        let Outcome::Unsat(found) = outcome else { panic!("round {round}: {outcome:?}") };
        // What is needed is the same in every round, and an invariant.
        let invariant = w.term("(<= s (* 7 i))");
        assert_eq!(found.len(), path.len() + 1);
        assert!((0..found.len()).all(|n| n % 3 == 2 || found[n] == invariant), "round {round}");
    }
}

/// Wrapping sums, products and choices.
#[test]
fn what_is_not_linear() {
    let mut w = World::new(&["x", "y", "z"], &["in"]);
    let wrap = w.step("true", &[("x", "(mod (+ x in) 4294967296)")]);
    let square = w.step("(<= 0 z)", &[("y", "(* z z)")]);
    let choose = w.step("true", &[("z", "(ite (<= x in) (- in x) (+ 1 (- x in)))")]);
    w.interpolants(&[wrap.clone(), wrap.clone()], "(<= 4294967296 x)");
    w.interpolants(&[wrap.clone(), choose.clone(), wrap.clone()], "(not (<= 0 z))");
    w.interpolants(&[choose.clone(), square.clone(), wrap.clone()], "(not (<= 0 y))");
    let last = w.term("(and (= y 49) (= x 7))");
    let outcome = w.check(&[wrap, choose, square], last);
    assert!(matches!(outcome, Outcome::Sat(_)), "{outcome:?}");
}
