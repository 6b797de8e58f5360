//! The readings compared for all inputs, by a solver. This also shows that the side
//! constraints determine the fresh variables.

use std::time::Duration;

use cairn_base::Budget;
use cairn_encode::expr::Env;
use cairn_encode::integer::{Mode, Reader};
use cairn_ir::{BinOp, ExprId, IntTy, Program, Ty, UnOp, VarId};
use cairn_smt::{Answer, Solver};
use cairn_term::Pool;

use crate::{Bits, MODEL, add_var, as_number, bit_reading, render};

/// Expressions that a solver decides for all inputs of a type of eight bits: over one variable, or
/// predicates.
fn small_expressions(p: &mut Program, i: IntTy) -> Vec<ExprId> {
    use BinOp::*;
    let ty = Ty::Int(i);
    let (x, y) = (add_var(p, "x", ty), add_var(p, "y", ty));
    let e = &mut p.exprs;
    let mut all = Vec::new();
    for op in [AddOvf, SubOvf, Lt, Le, Eq, Ne] {
        all.push(e.binary(op, x, y));
    }
    for op in [Add, Sub, Mul, And, AddOvf, SubOvf, MulOvf, Lt, Le, Eq, Ne] {
        let c = e.int(i, 12);
        all.push(e.binary(op, x, c));
    }
    for (op, n) in [(Div, 10), (Rem, 10), (Div, -3), (Rem, 7), (Shl, 3), (Shr, 2), (Or, 0x41), (Xor, 0x1c)] {
        let c = e.int(i, n);
        all.push(e.binary(op, x, c));
    }
    all.extend([e.unary(UnOp::Neg, x), e.unary(UnOp::BitNot, x), e.unary(UnOp::Clz, y)]);
    for to in [IntTy { signed: !i.signed, ..i }, IntTy { bits: 5, signed: true }, IntTy::I16, IntTy::U16] {
        let there = e.cast(Ty::Int(to), x);
        let sum = e.binary(Add, there, there);
        all.extend([there, e.cast(ty, sum)]);
    }
    // Digits put together again, the absolute value, rounding up to a multiple.
    let (ten, zero) = (e.int(i, 10), e.int(i, 0));
    let (tens, rest) = (e.binary(Div, x, ten), e.binary(Rem, x, ten));
    let back = e.binary(Mul, tens, ten);
    all.push(e.binary(Add, back, rest));
    let (below, opposite) = (e.binary(Lt, x, zero), e.unary(UnOp::Neg, x));
    all.push(e.select(below, opposite, x));
    let (seven, clear) = (e.int(i, 7), e.int(i, -8));
    let up = e.binary(Add, x, seven);
    all.push(e.binary(And, up, clear));
    all
}

/// Expressions over two variables, which take a solver long at eight bits.
fn pair_expressions(p: &mut Program, i: IntTy) -> Vec<ExprId> {
    use BinOp::*;
    let ty = Ty::Int(i);
    let (x, y) = (add_var(p, "x", ty), add_var(p, "y", ty));
    let e = &mut p.exprs;
    let (one, two) = (e.int(i, 1), e.int(i, 2));
    let (sum, difference) = (e.binary(Add, x, y), e.binary(Sub, y, x));
    let mean = e.binary(Div, sum, two);
    let (half, other) = (e.binary(Shr, x, one), e.binary(Shr, y, one));
    let less = e.binary(Lt, x, y);
    let chosen = e.select(less, difference, one);
    let mut all = vec![sum, difference, mean, e.binary(Add, half, other), chosen];
    all.extend([Mul, Div, Rem, Shl, Shr].map(|op| e.binary(op, x, y)));
    all
}

/// Shows that there is no input for which the two readings differ; says whether there were obligations.
fn agree(p: &Program, e: ExprId, mode: Mode) -> bool {
    let mut pool = Pool::new();
    let (bits, undefined) = bit_reading(p, &mut pool, e);
    // The variables of the integer reading are the numbers of the bit-vectors.
    let mut vars = |pool: &mut Pool, v: VarId| {
        let term = Bits(p).var(pool, v);
        as_number(p.vars[v].ty, pool, term)
    };
    let policy = |_| mode;
    let reading = Reader::new(p, &mut pool, &mut vars, &policy).read(e).expect("an integer or bool");
    assert!(reading.exact(), "{}", render(p, e));
    let mut solver = cairn_smt::z3::Z3::new();
    let (defined, differ) = (pool.not(undefined), pool.ne(reading.term, bits));
    let mut assertions = reading.side.clone();
    assertions.extend([defined, differ]);
    assertions.extend(reading.obligations.iter().map(|o| pool.not(o.violated)));
    for a in assertions {
        solver.assert(&pool, a);
    }
    let budget = Budget::default().with_time(Duration::from_secs(60));
    let answer = solver.check(&pool, &[], &budget);
    assert_eq!(answer, Answer::Unsat, "{mode:?} {}", render(p, e));
    !reading.obligations.is_empty()
}

#[test]
fn a_solver_finds_no_difference_between_the_readings() {
    for signed in [false, true] {
        let mut small = Program::new(MODEL);
        let mut pair = Program::new(MODEL);
        let smalls = small_expressions(&mut small, IntTy { bits: 8, signed });
        let pairs = pair_expressions(&mut pair, IntTy { bits: 3, signed });
        assert!(smalls.len() + pairs.len() > 40);
        for (p, all) in [(&small, smalls), (&pair, pairs)] {
            for e in all {
                // Without obligations the modes are one.
                if agree(p, e, Mode::Plain) {
                    assert!(!agree(p, e, Mode::Exact));
                }
            }
        }
    }
}
