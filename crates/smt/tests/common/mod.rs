//! What the tests share.
#![allow(dead_code)]

use std::time::Duration;

use cairn_base::Budget;
use cairn_smt::pipe::{Pipe, Program};
use cairn_smt::sat::Sat;
use cairn_smt::z3::{Z3, library};
use cairn_smt::{Answer, Solver};
use cairn_term::random::{Flavour, Maker};
use cairn_term::{Pool, TermId};
use cairn_value::FloatTy;
use fastrand::Rng;

/// Formats drawn when 79 is among the widths.
const WIDE: [FloatTy; 4] = [FloatTy::F32, FloatTy::F64, FloatTy::X80, FloatTy::F128];

pub fn budget() -> Budget {
    Budget::default().with_time(Duration::from_secs(60))
}

pub fn z3_program() -> Option<Program> {
    library::program().map(|path| Program::z3(&path.to_string_lossy()))
}

/// The solvers for booleans and bit-vectors.
pub fn bit_solvers() -> Vec<Box<dyn Solver>> {
    let mut all: Vec<Box<dyn Solver>> = vec![Box::new(Sat::new()), Box::new(Z3::new())];
    all.extend(z3_program().map(|p| Box::new(Pipe::new(p)) as Box<dyn Solver>));
    all
}

pub fn term(
    pool: &mut Pool,
    rng: &mut Rng,
    flavour: Flavour,
    widths: &[u8],
    depth: u32,
    simplify: bool,
) -> TermId {
    let seed = rng.u64(..);
    let formats: &[FloatTy] = if widths.contains(&79) { &WIDE } else { &[FloatTy::F32] };
    let mut maker = Maker { pool, rng: Rng::with_seed(seed), flavour, simplify, widths, formats };
    maker.boolean(depth)
}

/// Does the solver find that `t` is true (or false) where the variables have these values?
pub fn pinned(
    solver: &mut dyn Solver,
    pool: &mut Pool,
    t: TermId,
    assignment: &cairn_term::Assignment,
) -> (Answer, Answer) {
    let mut equations: Vec<TermId> = Vec::new();
    let mut vars: Vec<_> = assignment.iter().collect();
    vars.sort();
    for (&v, value) in vars {
        let value = pool.value(value);
        equations.push(pool.eq(v, value));
    }
    let not_t = pool.not(t);
    solver.push();
    for &e in &equations {
        solver.assert(pool, e);
    }
    let soon = || Budget::default().with_time(Duration::from_secs(20));
    let answers = (solver.check(pool, &[t], &soon()), solver.check(pool, &[not_t], &soon()));
    solver.pop();
    answers
}

/// A product of two primes of about `bits` bits each, to be taken apart: hard for every solver.
pub fn factoring(pool: &mut Pool, product: u128, bits: u8) -> Vec<TermId> {
    let sort = pool.bits_sort(bits);
    let (x, y) = (pool.var("x", sort), pool.var("y", sort));
    let (wide_x, wide_y) = (pool.zero_ext(bits, x), pool.zero_ext(bits, y));
    let xy = pool.bv_mul(wide_x, wide_y);
    let (n, one) = (pool.bits(2 * bits, product), pool.bits(bits, 1));
    vec![pool.eq(xy, n), pool.bv_ult(one, x), pool.bv_ult(one, y)]
}
