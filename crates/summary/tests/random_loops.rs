//! Stars of random loops contain every number of turns and are closed under one
//! more.

mod lab;

use std::collections::BTreeMap;

use cairn_summary::Transition;
use cairn_term::{Pool, TermId};
use fastrand::Rng;
use lab::Lab;

/// A small linear term.
fn linear(pool: &mut Pool, vars: &[TermId], rng: &mut Rng) -> TermId {
    let constant = pool.int(rng.i64(-4..5));
    let mut parts = vec![constant];
    for _ in 0..rng.usize(1..3) {
        let factor = pool.int([1, 1, 1, -1, 2, -3][rng.usize(0..6)]);
        let v = vars[rng.usize(0..vars.len())];
        parts.push(pool.int_mul(v, factor));
    }
    pool.int_sum(&parts)
}

fn guard(pool: &mut Pool, vars: &[TermId], rng: &mut Rng, depth: usize) -> TermId {
    if depth == 0 || rng.u8(0..3) == 0 {
        let (a, b) = (linear(pool, vars, rng), linear(pool, vars, rng));
        return match rng.u8(0..5) {
            0 => pool.eq(a, b),
            1 => pool.ne(a, b),
            _ => pool.int_le(a, b),
        };
    }
    let parts: Vec<TermId> = (0..rng.usize(2..4)).map(|_| guard(pool, vars, rng, depth - 1)).collect();
    if rng.bool() { pool.and(&parts) } else { pool.or(&parts) }
}

fn body(lab: &mut Lab, unknowns: &[TermId], rng: &mut Rng, depth: usize) -> Transition {
    let mut all = lab.space.vars().to_vec();
    all.extend(unknowns);
    let mut one = |pool: &mut Pool, space: &[TermId]| {
        let mut assign = BTreeMap::new();
        for &v in space {
            let t = match rng.u8(0..8) {
                0..3 => continue,
                3..6 => {
                    let c = pool.int(rng.i64(-2..4));
                    pool.int_add(v, c)
                }
                6 => all[rng.usize(0..all.len())],
                _ => linear(pool, &all, rng),
            };
            assign.insert(v, t);
        }
        Transition { guard: guard(pool, &all, rng, depth), assign }
    };
    let space = lab.space.vars().to_vec();
    let first = one(&mut lab.pool, &space);
    let second = one(&mut lab.pool, &space);
    let whole = lab.space.clone();
    match second.guard.as_u32() % 3 {
        0 => first,
        1 => first.or(&second, &mut lab.pool),
        _ => first.then(&second, &mut lab.pool, &whole),
    }
}

fn check(seed: u64, loops: usize, depth: usize, queries: Option<u32>) {
    let mut rng = Rng::with_seed(seed);
    for n in 0..loops {
        let mut lab = Lab::new("x y z");
        if let Some(queries) = queries {
            lab.options.queries = queries;
        }
        let unknowns = [lab.pool.int_var("u"), lab.pool.int_var("w")];
        let body = body(&mut lab, &unknowns, &mut rng, depth);
        let star = lab.star(&body);
        let text = format!("seed {seed}, loop {n}: {} {:?}", lab.pool.text(body.guard), body.assign);
        lab.check_sound(&body, &star, &text);
    }
}

#[test]
fn stars_of_random_loops_are_right() {
    check(7, 40, 2, None);
}

#[test]
fn stars_of_random_loops_with_large_guards_are_right() {
    check(5, 12, 5, None);
}

#[test]
fn stars_that_run_out_of_questions_are_right() {
    for queries in [3, 9, 27] {
        check(11, 10, 2, Some(queries));
    }
}

#[test]
#[ignore = "takes minutes"]
fn stars_of_many_random_loops_are_right() {
    for seed in 100..110 {
        check(seed, 50, 2, None);
        check(seed, 10, 5, None);
    }
}
