//! Calls, inputs, ends of runs, and the exact counting of steps.

mod common;

use std::time::Duration;

use cairn_base::{Budget, Limit};
use cairn_ir::*;
use cairn_sem::{End, Given, Options, UbKind};
use common::*;

fn sig(params: &[Ty], ret: Option<Ty>) -> Box<Signature> {
    Box::new(Signature { params: params.to_vec(), ret, variadic: false })
}

/// `main` that calls `fib(n)`, which calls itself.
fn fibonacci(n: i128) -> Build {
    let mut b = Build::new(DataModel::Lp64);
    let (main, at) = (b.f, b.at);
    let n_param = b.func("fib", &[I32], Some(I32))[0];
    let fib = b.f;
    let (small, big) = (b.loc(), b.loc());
    let (e, one, two) = (b.var(n_param), b.int(1), b.int(2));
    let cond = b.bin(BinOp::Lt, e, two);
    b.branch(cond, small, big);
    b.at = small;
    b.ret(Some(e));
    b.at = big;
    let (x, y) = (b.bin(BinOp::Sub, e, one), b.bin(BinOp::Sub, e, two));
    let x = b.call(Callee::Func(fib), &[x], Some(I32)).unwrap();
    let y = b.call(Callee::Func(fib), &[y], Some(I32)).unwrap();
    let sum = b.bin(BinOp::Add, x, y);
    b.ret(Some(sum));
    (b.f, b.at) = (main, at);
    let n = b.int(n);
    let r = b.call(Callee::Func(fib), &[n], Some(I32)).unwrap();
    b.ret(Some(r));
    b
}

#[test]
fn recursion_and_exact_steps() {
    fibonacci(20).exits_with(6765);
    // A small call takes 2 edges (branch, return), a large one 4 more than its two callees.
    let steps = |n: u32| {
        fn calls(n: u32) -> u64 {
            if n < 2 { 2 } else { 4 + calls(n - 1) + calls(n - 2) }
        }
        2 + calls(n)
    };
    for n in [1, 2, 10] {
        assert_eq!(fibonacci(n.into()).run().steps, steps(n));
    }
}

#[test]
fn the_step_limit_is_exact_everywhere() {
    let b = fibonacci(10);
    let all = b.run().steps;
    for max_steps in (0..all).step_by(7).chain([all - 1]) {
        let budget = Budget { max_steps, ..Budget::default() };
        let (outcome, _) = b.run_with(Options::default(), budget);
        assert!(matches!(outcome.end, End::Limit(Limit::Steps, _)), "{max_steps}: {:?}", outcome.end);
        assert_eq!(outcome.steps, max_steps);
    }
    let budget = Budget { max_steps: all, ..Budget::default() };
    assert_eq!(b.run_with(Options::default(), budget).0.end, End::Exit(55));
}

/// `for (i = 0; i < n; i++) g = g + i;` with a global `g`.
fn summing(n: i128) -> Build {
    let mut b = Build::new(DataModel::Lp64);
    let (zero, one, n) = (b.int(0), b.int(1), b.int(n));
    let g = b.global("g", I32, zero);
    let i = b.local("i", I32);
    b.assign(i, zero);
    let (head, body, done) = (b.loc(), b.loc(), b.loc());
    b.op_to(Op::Nop, head);
    let (e, total) = (b.var(i), b.var(g));
    let cond = b.bin(BinOp::Lt, e, n);
    b.branch(cond, body, done);
    b.at = body;
    let sum = b.bin(BinOp::Add, total, e);
    b.assign(g, sum);
    let next = b.bin(BinOp::Add, e, one);
    b.op_to(Op::Assign { dst: i, value: next }, head);
    b.at = done;
    b.ret(Some(total));
    b
}

#[test]
fn loops_count_their_steps() {
    let outcome = summing(1000).run();
    assert_eq!(outcome.end, End::Exit(499_500));
    assert_eq!(outcome.steps, 2 + 3 * 1000 + 1 + 1);
    // The step limit beyond the fast loop's patience.
    for max_steps in [1_000_000, 1_000_001, 1_000_002] {
        let budget = Budget { max_steps, ..Budget::default() };
        let (outcome, _) = summing(1 << 30).run_with(Options::default(), budget);
        assert_eq!(outcome.steps, max_steps);
    }
}

#[test]
fn time_and_cancellation_end_a_run() {
    let b = summing(i32::MAX.into());
    let budget = Budget::default().with_time(Duration::from_millis(30));
    let (outcome, _) = b.run_with(Options::default(), budget);
    assert!(matches!(outcome.end, End::Limit(Limit::Time, _)), "{:?}", outcome.end);
    let budget = Budget::default();
    budget.cancel.raise();
    let (outcome, _) = b.run_with(Options::default(), budget);
    assert!(matches!(outcome.end, End::Limit(Limit::Cancelled, _)));
    assert_eq!(outcome.steps, 0);
}

#[test]
fn endless_recursion_is_a_limit() {
    let mut b = Build::new(DataModel::Lp64);
    let main = b.f;
    let r = b.call(Callee::Func(main), &[], Some(I32)).unwrap();
    b.ret(Some(r));
    assert!(matches!(b.run().end, End::Limit(Limit::Depth, _)));
}

#[test]
fn calls_through_pointers() {
    for model in MODELS {
        let make = |assumed: &[Ty], ret: Option<Ty>, offset: i64| {
            let mut b = Build::new(model);
            let (main, at) = (b.f, b.at);
            let p = b.func("twice", &[I32], Some(I32))[0];
            let f = b.f;
            let (e, two) = (b.var(p), b.int(2));
            let r = b.bin(BinOp::Mul, e, two);
            b.ret(Some(r));
            (b.f, b.at) = (main, at);
            let cell = b.malloc(16);
            let target = b.p.exprs.func(f);
            b.store(cell, target);
            let target = b.load(Ty::Ptr, cell);
            let target = b.plus(target, offset);
            let args: Vec<ExprId> = assumed.iter().map(|&ty| b.p.exprs.constant(ty, 21)).collect();
            let r = b.call(Callee::Ptr { target, sig: sig(assumed, ret) }, &args, ret);
            b.ret(r);
            if ret.is_none() {
                b.at = b.p.funcs[main].body.as_ref().unwrap().exit;
            }
            b
        };
        make(&[I32], Some(I32), 0).exits_with(42);
        make(&[I64], Some(I32), 0)
            .undefined_is(UbKind::BadCall, "call of 'twice' through a pointer to another");
        make(&[I32, I32], Some(I32), 0).undefined_is(UbKind::BadCall, "another function type");
        make(&[I32], None, 0).undefined_is(UbKind::BadCall, "another function type");
        make(&[I32], Some(I32), 1)
            .undefined_is(UbKind::BadCall, "offset 1 of function 'twice', which is not");
    }
    let mut b = Build::new(DataModel::Lp64);
    let target = b.p.exprs.ptr(0);
    b.call(Callee::Ptr { target, sig: sig(&[], None) }, &[], None);
    b.ret_int(0);
    b.undefined_is(UbKind::BadCall, "call through a null pointer");
}

#[test]
fn wide_values_are_passed_and_returned() {
    for ty in [Ty::Int(IntTy::I128), X80] {
        let mut b = Build::new(DataModel::Lp64);
        let (main, at) = (b.f, b.at);
        let params = b.func("pick", &[I32, ty, I32, ty], Some(ty));
        let f = b.f;
        let (x, y) = (b.var(params[1]), b.var(params[3]));
        let sum = b.bin(BinOp::Add, x, y);
        b.ret(Some(sum));
        (b.f, b.at) = (main, at);
        let bits = |v: f64, n: u128| match ty {
            Ty::Float(f) => cairn_value::float::from_f64(f, v),
            _ => n << 70 | 3,
        };
        let (x, y) = (b.p.exprs.constant(ty, bits(1.5, 1)), b.p.exprs.constant(ty, bits(0.25, 2)));
        let one = b.int(1);
        let r = b.call(Callee::Func(f), &[one, x, one, y], Some(ty)).unwrap();
        let want = match ty {
            Ty::Float(f) => cairn_value::float::from_f64(f, 1.75),
            _ => (3 << 70) + 6,
        };
        let want = b.p.exprs.constant(ty, want);
        let same = b.bin(BinOp::Eq, r, want);
        b.expect(same, 1);
        b.ret_int(0);
        b.exits_with(0);
    }
}

#[test]
fn functions_that_forget_their_value() {
    let make = |used: bool, into_global: bool| {
        let mut b = Build::new(DataModel::Lp64);
        let (main, at) = (b.f, b.at);
        b.func("silent", &[], Some(I32));
        let f = b.f;
        b.ret(None);
        (b.f, b.at) = (main, at);
        let zero = b.int(0);
        let dst = if into_global { b.global("g", I32, zero) } else { b.local("r", I32) };
        b.op(Op::Call { dst: Some(dst), callee: Callee::Func(f), args: [].into() });
        if used {
            let e = b.var(dst);
            let same = b.bin(BinOp::Eq, e, zero);
            b.expect(same, 1);
        }
        b.ret_int(0);
        b
    };
    make(false, false).exits_with(0);
    make(true, false).undefined_is(UbKind::Uninitialised, "variable 'r'");
    make(false, true).undefined_is(UbKind::NoReturnValue, "returned none");
}

#[test]
fn inputs_are_taken_and_recorded() {
    let mut b = Build::new(DataModel::Lp64);
    let (x, y) = (b.local("x", I32), b.local("y", U8));
    b.op(Op::Input { dst: x, name: sym("__VERIFIER_nondet_int") });
    b.op(Op::Input { dst: y, name: sym("__VERIFIER_nondet_uchar") });
    let (e, f) = (b.var(x), b.var(y));
    let f = b.p.exprs.cast(I32, f);
    let sum = b.bin(BinOp::Add, e, f);
    b.ret(Some(sum));
    let options = Options { inputs: vec![Given::Int(-7), Given::Int(257)], ..Options::default() };
    let (outcome, _) = b.run_with(options, Budget::default());
    assert_eq!(outcome.end, End::Exit(-6));
    let seen: Vec<_> = outcome.inputs.iter().map(|r| (r.name.as_str(), r.bits, r.place.line)).collect();
    assert_eq!(seen, [("__VERIFIER_nondet_int", 0xffff_fff9, 4), ("__VERIFIER_nondet_uchar", 1, 5)]);
    assert_eq!(outcome.notes.len(), 1);
    // A random run is repeated by giving its records.
    let (first, _) = b.run_with(Options { seed: 99, ..Options::default() }, Budget::default());
    let inputs = first.inputs.iter().map(|r| Given::Bits(r.bits)).collect();
    let (second, _) = b.run_with(Options { inputs, ..Options::default() }, Budget::default());
    assert_eq!(first.end, second.end);
}

#[test]
fn unmodelled_functions_are_listed() {
    let mut b = Build::new(DataModel::Lp64);
    let f = b.declare("mystery", &[I32], Some(I32));
    let one = b.int(1);
    let r = b.call(Callee::Func(f), &[one], Some(I32)).unwrap();
    b.call(Callee::Func(f), &[one], None);
    b.ret(Some(r));
    let options = Options { inputs: vec![Given::Int(5)], ..Options::default() };
    let (outcome, _) = b.run_with(options, Budget::default());
    assert_eq!(outcome.end, End::Exit(5));
    assert_eq!(outcome.unmodelled.len(), 1);
    let call = &outcome.unmodelled[0];
    assert_eq!((call.name.as_str(), call.place.line, call.count), ("mystery", 4, 2));
    assert_eq!(outcome.inputs.len(), 2);
    b.p.funcs[f].noreturn = true;
    assert!(matches!(b.run().end, End::NoReturn(_)));
}

#[test]
fn errors_are_reached_with_a_stack() {
    let mut b = Build::new(DataModel::Lp64);
    let (main, at) = (b.f, b.at);
    b.func("reach_error", &[], None);
    let error = b.f;
    b.ret(None);
    b.func("check", &[], None);
    let check = b.f;
    b.call(Callee::Func(error), &[], None);
    b.ret(None);
    (b.f, b.at) = (main, at);
    b.call(Callee::Func(check), &[], None);
    b.ret_int(0);
    let End::ErrorReached(report) = b.run().end else { panic!() };
    assert_eq!(report.message, "call of reach_error");
    assert_eq!(
        report.render(&b.p),
        "t.c:5:1: call of reach_error\n  in check at t.c:5:1\n  called from main at t.c:7:1"
    );
    let options = Options { targets: vec![], ..Options::default() };
    assert_eq!(b.run_with(options, Budget::default()).0.end, End::Exit(0));
}

#[test]
fn models_are_marked_in_stacks() {
    let mut b = Build::new(DataModel::Lp64);
    let (main, at) = (b.f, b.at);
    let p = b.func("strlen", &[Ty::Ptr], Some(I32))[0];
    let strlen = b.f;
    b.p.funcs[strlen].is_model = true;
    let e = b.var(p);
    b.load(U8, e);
    b.ret_int(0);
    (b.f, b.at) = (main, at);
    let null = b.p.exprs.ptr(0);
    b.call(Callee::Func(strlen), &[null], None);
    b.ret_int(0);
    let report = b.undefined();
    assert_eq!(
        report.render(&b.p),
        "t.c:7:1: read of 1 byte through a null pointer [null-access]\n  in strlen (library model)\n  called from main at t.c:7:1"
    );
}

#[test]
fn ways_to_end() {
    let end = |make: &dyn Fn(&mut Build)| {
        let mut b = Build::new(DataModel::Lp64);
        make(&mut b);
        b.run().end
    };
    assert_eq!(
        end(&|b| {
            let c = b.int(3);
            b.builtin(Builtin::Exit, &[c], None);
        }),
        End::Exit(3)
    );
    assert!(matches!(
        end(&|b| {
            b.builtin(Builtin::Abort, &[], None);
        }),
        End::Abort(_)
    ));
    assert!(matches!(
        end(&|b| {
            b.builtin(Builtin::Error, &[], None);
        }),
        End::ErrorReached(_)
    ));
    let End::ErrorReached(r) = end(&|b| {
        let (text, file, function) = (b.string(b"x > 0"), b.string(b"t.c"), b.string(b"main"));
        let line = b.p.exprs.int(IntTy::U32, 5);
        b.builtin(Builtin::AssertFail, &[text, file, line, function], None);
    }) else {
        panic!()
    };
    assert_eq!(r.message, "assertion 'x > 0' failed");
    let assume = |holds: bool| {
        end(&|b| {
            let x = b.local("x", I32);
            let one = b.int(1);
            b.assign(x, one);
            let e = b.var(x);
            let cond = b.bin(BinOp::Eq, e, one);
            b.op(Op::Assume { cond, holds });
            b.ret_int(0);
        })
    };
    assert_eq!(assume(true), End::Exit(0));
    assert!(matches!(assume(false), End::AssumptionFailed(_)));
    for (trap, kind) in [
        (Trap::Unreachable, UbKind::Unreachable),
        (Trap::BadGoto, UbKind::BadGoto),
        (Trap::BadVla, UbKind::BadVla),
        (Trap::NoReturnValue, UbKind::NoReturnValue),
    ] {
        let End::Undefined(r) = end(&|b| {
            b.op(Op::Trap(trap));
        }) else {
            panic!()
        };
        assert_eq!(r.kind, Some(kind));
    }
    let End::Undefined(r) = end(&|b| {
        b.op(Op::Nop);
    }) else {
        panic!()
    };
    assert_eq!(r.kind, Some(UbKind::NoReturn));
}

#[test]
fn arguments_of_the_program() {
    for model in MODELS {
        let mut b = Build::new(model);
        let params = b.func("start", &[I32, Ty::Ptr], Some(I32));
        b.p.entry = Some(b.f);
        let (argc, argv) = (b.var(params[0]), b.var(params[1]));
        let two = b.int(2);
        let same = b.bin(BinOp::Eq, argc, two);
        b.expect(same, 1);
        let word = model.ptr_bytes() as i64;
        let (second, third) = (b.plus(argv, word), b.plus(argv, 2 * word));
        let null = b.p.exprs.ptr(0);
        let end = b.load(Ty::Ptr, third);
        let same = b.bin(BinOp::Eq, end, null);
        b.expect(same, 2);
        let s = b.load(Ty::Ptr, second);
        let c = b.load(U8, s);
        let c = b.p.exprs.cast(I32, c);
        b.ret(Some(c));
        let options = Options { args: vec![b"prog".to_vec(), b"xyz".to_vec()], ..Options::default() };
        assert_eq!(b.run_with(options, Budget::default()).0.end, End::Exit('x' as i32));
    }
    let mut b = Build::new(DataModel::Lp64);
    b.p.entry = None;
    b.ret_int(0);
    assert!(matches!(b.run().end, End::NoEntry(_)));
}

#[test]
fn objects_remember_where_the_user_made_them() {
    let mut b = Build::new(DataModel::Lp64);
    let (main, at) = (b.f, b.at);
    b.func("malloc", &[], Some(Ty::Ptr));
    let malloc = b.f;
    b.p.funcs[malloc].is_model = true;
    let p = b.malloc(8);
    b.ret(Some(p));
    (b.f, b.at) = (main, at);
    let p = b.call(Callee::Func(malloc), &[], Some(Ty::Ptr)).unwrap();
    let line = b.p.edges.last().unwrap().1.place.line;
    let got = b.load(I32, p);
    b.decide(I32, got);
    b.ret_int(0);
    b.undefined_is(UbKind::Uninitialised, &format!("heap object (8 bytes, allocated at t.c:{line}:1)"));
}
