//! Effort ends queries by count, wherever and whenever they are asked.

use cairn_base::effort::SECOND;
use cairn_base::{Budget, Limit};
use cairn_smt::sat::Sat;
use cairn_smt::z3::Z3;
use cairn_smt::{Answer, Solver, Why};
use cairn_term::{Pool, TermId};

/// The factors of a large prime: there are none, but that takes long to see.
fn factors(pool: &mut Pool) -> TermId {
    let sort = pool.bits_sort(64);
    let (x, y) = (pool.var("x", sort), pool.var("y", sort));
    let (least, most) = (pool.bits(64, 2), pool.bits(64, 1 << 32));
    let product = pool.bits(64, (1 << 61) - 1);
    let times = pool.bv_mul(x, y);
    let parts = [
        pool.eq(times, product),
        pool.bv_ule(least, x),
        pool.bv_ule(x, y),
        pool.bv_ult(x, most),
        pool.bv_ult(y, most),
    ];
    pool.and(&parts)
}

/// What a query takes of so much effort, and of an effort that this one is a part of.
fn spent(solver: &mut dyn Solver, units: u64) -> (u64, u64) {
    let mut pool = Pool::new();
    let hard = factors(&mut pool);
    solver.assert(&pool, hard);
    let whole = Budget::default().with_effort(100 * SECOND);
    let budget = whole.with_effort(units);
    let answer = solver.check(&pool, &[], &budget);
    assert_eq!(answer, Answer::Unknown(Why::Limit(Limit::Steps)));
    assert_eq!(budget.exceeded(), Some(Limit::Steps));
    assert_eq!(whole.exceeded(), None);
    (budget.effort.spent(), whole.effort.spent())
}

#[test]
fn bits_are_given_up_after_the_same_work() {
    let units = SECOND / 5;
    let first = spent(&mut Sat::new(), units);
    assert!(first.0 >= units && first.0 < 3 * units, "{first:?}");
    assert_eq!(first.0, first.1);
    assert_eq!(spent(&mut Sat::new(), units), first);
}

#[test]
fn z3_is_given_up() {
    let units = SECOND / 10;
    let (own, whole) = spent(&mut Z3::new(), units);
    assert!(own >= units && own < 10 * units, "{own}");
    assert_eq!(own, whole);
}
