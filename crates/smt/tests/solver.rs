//! The contract of [`Solver`], for every back end: scopes, assumptions, cores,
//! models, limits.

mod common;

use std::time::{Duration, Instant};

use cairn_base::{Budget, Limit};
use cairn_smt::auto::Auto;
use cairn_smt::sat::Sat;
use cairn_smt::shield::Shield;
use cairn_smt::z3::{Kind, Z3};
use cairn_smt::{Answer, Solver, Why};
use cairn_term::{Evaluator, Pool, SortId, TermId, Value};
use common::{bit_solvers, budget, factoring};

fn all() -> Vec<Box<dyn Solver>> {
    let mut all = bit_solvers();
    all.push(Box::new(Auto::new()));
    all.push(Box::new(Shield::new(Auto::new())));
    all.push(Box::new(Z3::with_kind(Kind::Combined)));
    all
}

#[test]
fn scopes() {
    for mut s in all() {
        let mut p = Pool::new();
        let sort = p.bits_sort(8);
        let (x, three, five) = (p.var("x", sort), p.bits(8, 3), p.bits(8, 5));
        let (below, above) = (p.bv_ult(x, five), p.bv_ult(three, x));
        let four = p.bits(8, 4);
        let is_four = p.eq(x, four);
        let other = p.not(is_four);
        s.assert(&p, below);
        s.push();
        s.assert(&p, above);
        assert_eq!(s.check(&p, &[], &budget()), Answer::Sat, "{}", s.name());
        assert_eq!(s.value(&p, x), Ok(Value::Bits(8, 4)));
        assert_eq!(s.check(&p, &[other], &budget()), Answer::Unsat);
        s.push();
        s.assert(&p, other);
        assert_eq!(s.check(&p, &[], &budget()), Answer::Unsat);
        s.pop();
        assert_eq!(s.check(&p, &[], &budget()), Answer::Sat);
        s.pop();
        s.assert(&p, other);
        assert_eq!(s.check(&p, &[above], &budget()), Answer::Unsat);
        assert_eq!(s.core(), [above]);
        assert_eq!(s.check(&p, &[], &budget()), Answer::Sat, "{}", s.name());
        s.pop();
        assert_eq!(s.check(&p, &[above], &budget()), Answer::Unsat, "a pop too many does nothing");
    }
}

#[test]
fn cores_are_unsatisfiable_subsets() {
    for mut s in all() {
        let mut p = Pool::new();
        let sort = p.bits_sort(16);
        let vars: Vec<TermId> = (0..6).map(|n| p.var(&format!("x{n}"), sort)).collect();
        let mut assumptions: Vec<TermId> = vars.windows(2).map(|w| p.bv_ult(w[0], w[1])).collect();
        // A cycle through x1, x2, x3; the rest is innocent.
        assumptions.push(p.bv_ult(vars[3], vars[1]));
        let flag = p.var("flag", SortId::BOOL);
        let not_flag = p.not(flag);
        assumptions.push(not_flag);
        assert_eq!(s.check(&p, &assumptions, &budget()), Answer::Unsat);
        let core = s.core().to_vec();
        assert!(core.iter().all(|t| assumptions.contains(t)), "{}", s.name());
        assert!(core.len() < assumptions.len(), "{}: {core:?}", s.name());
        assert_eq!(s.check(&p, &core, &budget()), Answer::Unsat, "{}", s.name());
        assert_eq!(s.check(&p, &assumptions[..5], &budget()), Answer::Sat);
    }
}

#[test]
fn models_make_assertions_true() {
    for mut s in all() {
        let mut p = Pool::new();
        let assertions = factoring(&mut p, 251 * 241, 8);
        for &t in &assertions {
            s.assert(&p, t);
        }
        assert_eq!(s.check(&p, &[], &budget()), Answer::Sat);
        let unused = p.var("unused", SortId::BOOL);
        let mut vars = p.free_vars(&assertions);
        vars.push(unused);
        let model = s.model(&p, &vars).unwrap();
        let mut e = Evaluator::new(&p, &model);
        assert!(assertions.iter().all(|&t| e.holds(t)), "{}", s.name());
    }
}

/// Time limits end a query soon, with every solver, and the solver remains usable.
#[test]
fn time_limits_are_honoured() {
    for mut s in all() {
        let mut p = Pool::new();
        let hard = factoring(&mut p, 3_037_000_493 * 2_654_435_761, 32);
        s.push();
        for &t in &hard {
            s.assert(&p, t);
        }
        let start = Instant::now();
        let answer = s.check(&p, &[], &Budget::default().with_time(Duration::from_millis(300)));
        let elapsed = start.elapsed();
        assert_eq!(answer, Answer::Unknown(Why::Limit(Limit::Time)), "{}", s.name());
        assert!(elapsed < Duration::from_secs(3), "{} took {elapsed:?}", s.name());
        s.pop();
        assert_eq!(s.check(&p, &[hard[1]], &budget()), Answer::Sat, "{}", s.name());
    }
}

#[test]
fn cancellation_is_honoured() {
    for mut s in all() {
        let mut p = Pool::new();
        for t in factoring(&mut p, 3_037_000_493 * 2_654_435_761, 32) {
            s.assert(&p, t);
        }
        let budget = Budget::default();
        let cancel = budget.cancel.clone();
        let canceller = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(200));
            cancel.raise();
        });
        let start = Instant::now();
        let answer = s.check(&p, &[], &budget);
        assert_eq!(answer, Answer::Unknown(Why::Limit(Limit::Cancelled)), "{}", s.name());
        assert!(start.elapsed() < Duration::from_secs(3), "{}", s.name());
        canceller.join().unwrap();
    }
}

#[test]
fn sorts_beyond_bits_go_to_z3() {
    let mut p = Pool::new();
    let x = p.int_var("x");
    let (two, seven) = (p.int(2), p.int(7));
    let x2 = p.int_mul(x, x);
    let (low, high) = (p.int_lt(two, x), p.int_le(x2, seven));
    let mut s = Auto::new();
    s.assert(&p, low);
    s.push();
    s.assert(&p, high);
    assert_eq!(s.check(&p, &[], &budget()), Answer::Unsat);
    s.pop();
    assert_eq!(s.check(&p, &[], &budget()), Answer::Sat);
    let value = s.value(&p, x).unwrap();
    assert!(value.as_int().is_some_and(|n| *n > 2.into()));
    assert_eq!(s.name(), "z3");
}

#[test]
fn arrays_and_floats_have_models() {
    let mut p = Pool::new();
    let (index, element) = (p.bits_sort(32), p.bits_sort(8));
    let sort = p.array_sort(index, element);
    let (a, b, i) = (p.var("a", sort), p.var("b", sort), p.var("i", index));
    let (seven, nine) = (p.bits(8, 7), p.bits(8, 9));
    let stored = p.store(a, i, seven);
    let same = p.eq(stored, b);
    let zero = p.bits(32, 0);
    let first = p.select(b, zero);
    let is_nine = p.eq(first, nine);
    let float = p.float_sort(cairn_value::FloatTy::F64);
    let f = p.var("f", float);
    let sum = p.fp_add(f, f);
    let half = p.fp_eq(sum, f);
    let zero = p.fp_is_zero(f);
    let not_zero = p.not(zero);
    let assertions = [same, is_nine, half, not_zero];
    let mut s = Shield::new(Z3::new());
    for t in assertions {
        s.assert(&p, t);
    }
    assert_eq!(s.check(&p, &[], &budget()), Answer::Sat);
    let inf = p.fp_is_inf(f);
    assert_eq!(s.value(&p, inf), Ok(Value::Bool(true)));
}

/// What arrays mean, by lemmas on demand and by Z3.
#[test]
fn arrays_remember() {
    let all: [Box<dyn Solver>; 2] = [Box::new(Sat::new()), Box::new(Z3::new())];
    for mut s in all {
        let mut p = Pool::new();
        let (index, element) = (p.bits_sort(32), p.bits_sort(8));
        let sort = p.array_sort(index, element);
        let (a, b) = (p.var("a", sort), p.var("b", sort));
        let [i, j, k] = ["i", "j", "k"].map(|n| p.var(n, index));
        let [v, w] = ["v", "w"].map(|n| p.var(n, element));
        let c = p.var("c", SortId::BOOL);
        let mut unsat = |p: &mut Pool, parts: &[TermId], what: &str| {
            assert_eq!(s.check(p, parts, &budget()), Answer::Unsat, "{}: {what}", s.name());
            // Each part is needed.
            for n in 0..parts.len() {
                let mut fewer = parts.to_vec();
                fewer.remove(n);
                assert_eq!(s.check(p, &fewer, &budget()), Answer::Sat, "{}: {what} without {n}", s.name());
            }
        };
        // A function of the index.
        let (ai, aj) = (p.select(a, i), p.select(a, j));
        let (same, differ) = (p.eq(i, j), p.ne(ai, aj));
        unsat(&mut p, &[same, differ], "one index, two values");
        // A write elsewhere leaves an element alone, whichever array is chosen.
        let written = p.store(a, i, v);
        let chosen = p.ite(c, written, b);
        let written = p.store(chosen, j, w);
        let read = p.select(written, k);
        let (ak, bk) = (p.select(a, k), p.select(b, k));
        let (not_i, not_j) = (p.ne(k, i), p.ne(k, j));
        let old = p.ne(read, ak);
        unsat(&mut p, &[c, not_i, not_j, old], "reading past two writes");
        let (not_c, old) = (p.not(c), p.ne(read, bk));
        unsat(&mut p, &[not_c, not_j, old], "reading the other array");
        // Swapping twice is nothing.
        let swap = |p: &mut Pool, m: TermId| {
            let (x, y) = (p.select(m, i), p.select(m, j));
            let m = p.store(m, i, y);
            p.store(m, j, x)
        };
        let once = swap(&mut p, a);
        let twice = swap(&mut p, once);
        let now = p.select(twice, k);
        let changed = p.ne(now, ak);
        assert_eq!(s.check(&p, &[changed], &budget()), Answer::Unsat, "{}", s.name());
        let now = p.select(once, k);
        let changed = p.ne(now, ak);
        assert_eq!(s.check(&p, &[changed], &budget()), Answer::Sat, "{}", s.name());
        // An array that is the same everywhere, but for one place.
        let zero = p.bits(8, 0);
        let zeroes = p.const_array(sort, zero);
        let one_place = p.store(zeroes, i, v);
        let (x, y) = (p.select(one_place, j), p.select(one_place, k));
        let (x, y) = (p.ne(x, zero), p.ne(y, zero));
        let apart = p.ne(j, k);
        let parts = [x, y, apart];
        assert_eq!(s.check(&p, &parts, &budget()), Answer::Unsat, "{}", s.name());
        assert_eq!(s.check(&p, &parts[..2], &budget()), Answer::Sat, "{}", s.name());
    }
}

/// Z3 before 4.16 finds these two arrays of sixteen elements equal; its model gives it away.
#[test]
fn a_wrong_answer_of_z3_is_found_out() {
    let mut p = Pool::new();
    let (index, element) = (p.bits_sort(4), p.bits_sort(8));
    let sort = p.array_sort(index, element);
    let (x, y, i) = (p.var("x", element), p.var("y", element), p.var("i", index));
    let (ones, twos) = (p.bits(8, 1), p.bits(8, 2));
    let (left, right) = (p.const_array(sort, x), p.const_array(sort, y));
    let right = p.store(right, i, x);
    let assertions = [p.eq(x, ones), p.eq(y, twos), p.eq(left, right)];
    let mut s = Auto::new();
    for t in assertions {
        s.assert(&p, t);
    }
    let answer = s.check(&p, &[], &budget());
    assert!(matches!(answer, Answer::Unsat | Answer::Unknown(Why::Failed(_))), "{answer:?}");
}

/// A question with more scopes than there is time for is put off, and no scope is lost: the next one,
/// with time enough, has them all.
#[test]
fn scopes_that_were_not_opened_in_time_are_opened_later() {
    let mut p = Pool::new();
    let mut solver = Z3::new();
    let x: Vec<TermId> = (0..400).map(|i| p.var(&format!("x{i}"), SortId::INT)).collect();
    for pair in x.windows(2) {
        solver.push();
        let less = p.int_lt(pair[0], pair[1]);
        solver.assert(&p, less);
    }
    solver.push();
    let back = p.int_le(x[x.len() - 1], x[0]);
    solver.assert(&p, back);
    let hurried = solver.check(&p, &[], &Budget::default().with_time(Duration::from_micros(500)));
    assert_ne!(hurried, Answer::Sat);
    assert_eq!(solver.check(&p, &[], &Budget::default()), Answer::Unsat);
    solver.pop();
    assert_eq!(solver.check(&p, &[], &Budget::default()), Answer::Sat);
}

/// A chain of so many products: a formula that takes long to translate.
fn products(p: &mut Pool, count: usize) -> TermId {
    let sort = p.bits_sort(64);
    let mut product = p.var("x", sort);
    for n in 0..count {
        let y = p.var(&format!("y{n}"), sort);
        product = p.bv_mul(product, y);
    }
    let zero = p.bits(64, 0);
    p.eq(product, zero)
}

#[test]
fn a_limit_in_the_middle_of_a_translation_loses_nothing() {
    let mut p = Pool::new();
    let is_zero = products(&mut p, 40);
    let mut sat = Sat::new();
    sat.assert(&p, is_zero);
    let cancelled = Budget::default();
    cancelled.cancel.raise();
    let before = sat.variables();
    let stopped = Answer::Unknown(Why::Limit(Limit::Cancelled));
    assert_eq!(sat.check(&p, &[], &cancelled), stopped);
    let part = sat.variables();
    assert_eq!(sat.check(&p, &[], &budget()), Answer::Sat);
    let whole = sat.variables();
    assert!(before < part && part < whole / 4, "{before} {part} {whole}");
    // What was asserted is not forgotten, and nothing is left of a scope that was closed.
    let not_zero = p.not(is_zero);
    assert_eq!(sat.check(&p, &[not_zero], &budget()), Answer::Unsat);
    sat.push();
    sat.assert(&p, not_zero);
    assert_eq!(sat.check(&p, &[], &budget()), Answer::Unsat);
    sat.pop();
    assert_eq!(sat.check(&p, &[], &budget()), Answer::Sat);
}

#[test]
fn z3_goes_on_after_a_limit_in_the_middle_of_a_translation() {
    let mut p = Pool::new();
    let zero = p.int(0);
    let mut last = p.var("x", SortId::INT);
    for n in 0..3000 {
        let (y, choice) = (p.var(&format!("y{n}"), SortId::INT), p.var(&format!("c{n}"), SortId::BOOL));
        last = p.ite(choice, y, last);
    }
    let is_zero = p.eq(last, zero);
    let not_zero = p.not(is_zero);
    let mut z3 = Z3::new();
    z3.assert(&p, is_zero);
    let nearly = Budget::default().with_time(Duration::from_micros(100));
    assert!(matches!(z3.check(&p, &[], &nearly), Answer::Unknown(Why::Limit(_))));
    assert_eq!(z3.check(&p, &[not_zero], &budget()), Answer::Unsat);
}
