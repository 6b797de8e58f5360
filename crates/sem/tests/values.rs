//! Every operation on values, as the instructions execute it, against the one
//! definition in `cairn_value`.

mod common;

use cairn_ir::*;
use cairn_sem::{End, Options, SignedOverflow, UbKind};
use cairn_value::eval;
use common::*;

fn int_types() -> Vec<Ty> {
    let odd = [
        IntTy { bits: 24, signed: true },
        IntTy { bits: 40, signed: false },
        IntTy { bits: 100, signed: true },
    ];
    [8, 16, 32, 64, 128]
        .into_iter()
        .flat_map(|bits| [true, false].map(|signed| IntTy { bits, signed }))
        .chain(odd)
        .map(Ty::Int)
        .collect()
}

fn float_types() -> [Ty; 4] {
    [FloatTy::F32, FloatTy::F64, FloatTy::X80, FloatTy::F128].map(Ty::Float)
}

/// Values at the boundaries of a type, and some others.
fn samples(ty: Ty) -> Vec<Bits> {
    match ty {
        Ty::Bool => vec![0, 1],
        Ty::Int(i) => [0, 1, 2, 7, 31, -1, -2, 100, 0x1234_5678_9abc, i.min(), i.max_bits() as i128]
            .into_iter()
            .map(|v| i.wrap(v))
            .collect(),
        Ty::Float(f) => [0.0, -0.0, 1.0, -1.5, 3.75, 1e10, -2.5e-3, f64::INFINITY, f64::NAN, 127.0, 1e30]
            .into_iter()
            .map(|v| cairn_value::float::from_f64(f, v))
            .collect(),
        Ty::Ptr => vec![0, 4096, 0xdead_0000],
    }
}

/// `e` has the bit pattern `bits`, NaN or not: compared as an integer in memory.
fn check(b: &mut Build, e: ExprId, bits: Bits, code: i32) {
    let ty = b.p.ty(e);
    let Ty::Float(f) = ty else {
        let want = b.p.exprs.constant(ty, bits);
        let same = b.bin(BinOp::Eq, e, want);
        return b.expect(same, code);
    };
    let int = Ty::Int(IntTy { bits: f.bits(), signed: false });
    let memory = b.array("bits", 16);
    b.store(memory, e);
    let got = b.load(int, memory);
    let want = b.p.exprs.constant(int, bits);
    let same = b.bin(BinOp::Eq, got, want);
    b.expect(same, code);
}

/// Runs `op` on all samples: both operands variable, and each of them constant in turn.
fn sweep_binary(op: BinOp, ta: Ty, tb: Ty, model: DataModel) {
    if op.result(ta, tb, model).is_none() {
        return;
    }
    let mut b = Build::new(model);
    let (va, vb) = (b.local("a", ta), b.local("b", tb));
    let mut code = 0;
    let mut cases = Vec::new();
    for x in samples(ta) {
        for y in samples(tb) {
            // Raw addresses have no object to be compared with.
            let Ok(want) = eval::binary(op, ta, tb, x, y, model) else { continue };
            let (cx, cy) = (b.p.exprs.constant(ta, x), b.p.exprs.constant(tb, y));
            let (ex, ey) = (b.var(va), b.var(vb));
            b.assign(va, cx);
            b.assign(vb, cy);
            for (l, r) in [(ex, ey), (ex, cy), (cx, ey)] {
                let e = b.bin(op, l, r);
                code += 1;
                check(&mut b, e, want, code);
                cases.push((x, y, want));
                if b.p.ty(e) == Ty::Bool {
                    // As a branch, and as its negation.
                    let e = if want == 0 { b.p.exprs.not(e) } else { e };
                    b.expect(e, code);
                }
            }
        }
    }
    b.ret_int(0);
    match b.run().end {
        End::Exit(0) => {}
        End::Exit(n) => panic!("{op:?} of {ta} and {tb} ({model}): {:x?}", cases[n as usize - 1]),
        other => panic!("{op:?} of {ta} and {tb} ({model}): {other:?}"),
    }
}

const BINARY: [BinOp; 22] = {
    use BinOp::*;
    [
        Add, Sub, Mul, Div, Rem, Shl, Shr, And, Or, Xor, Eq, Ne, Lt, Le, PtrAdd, PtrSub, AddOvf, SubOvf,
        MulOvf, Fmin, Fmax, CopySign,
    ]
};

#[test]
fn binary_operations() {
    for model in MODELS {
        for op in BINARY {
            for ty in int_types().into_iter().chain(float_types()).chain([Ty::Bool, Ty::Ptr]) {
                sweep_binary(op, ty, ty, model);
            }
            sweep_binary(op, Ty::Ptr, Ty::Int(IntTy::diff(model)), model);
        }
    }
}

#[test]
fn shifts_with_counts_of_other_types() {
    for op in [BinOp::Shl, BinOp::Shr] {
        for ta in int_types() {
            for tb in int_types() {
                sweep_binary(op, ta, tb, DataModel::Lp64);
            }
        }
    }
}

#[test]
fn unary_operations() {
    use UnOp::*;
    let ops = [
        Neg, BitNot, Not, Clz, Ctz, Popcount, Bswap, Fabs, Sqrt, Floor, Ceil, Trunc, RoundEven, RoundAway,
        IsNan, IsInf, SignBit,
    ];
    for op in ops {
        for ty in int_types().into_iter().chain(float_types()).chain([Ty::Bool]) {
            let whole_bytes = ty.int().is_none_or(|i| i.bits % 8 == 0);
            if op.result(ty).is_none() || (op == Bswap && !whole_bytes) {
                continue;
            }
            let mut b = Build::new(DataModel::Lp64);
            let v = b.local("a", ty);
            for (i, x) in samples(ty).into_iter().enumerate() {
                let Ok(want) = eval::unary(op, ty, x) else { continue };
                let c = b.p.exprs.constant(ty, x);
                b.assign(v, c);
                let e = b.var(v);
                let e = b.p.exprs.unary(op, e);
                check(&mut b, e, want, i as i32 + 1);
            }
            b.ret_int(0);
            assert_eq!(b.run().end, End::Exit(0), "{op:?} of {ty}");
        }
    }
}

#[test]
fn casts() {
    for model in MODELS {
        let types: Vec<Ty> =
            int_types().into_iter().chain(float_types()).chain([Ty::Bool, Ty::Ptr]).collect();
        for &from in &types {
            for &to in &types {
                if !cairn_value::ops::can_cast(from, to) || from == to {
                    continue;
                }
                let mut b = Build::new(model);
                let v = b.local("a", from);
                for (i, x) in samples(from).into_iter().enumerate() {
                    let Ok(want) = eval::cast(from, to, x, model) else { continue };
                    let c = b.p.exprs.constant(from, x);
                    b.assign(v, c);
                    let e = b.var(v);
                    let e = b.p.exprs.cast(to, e);
                    check(&mut b, e, want, i as i32 + 1);
                }
                b.ret_int(0);
                assert_eq!(b.run().end, End::Exit(0), "cast of {from} to {to} ({model})");
            }
        }
    }
}

#[test]
fn undefined_operations_are_reported() {
    let cases: [(BinOp, i128, i128, UbKind); 6] = [
        (BinOp::Div, 1, 0, UbKind::DivisionByZero),
        (BinOp::Rem, 1, 0, UbKind::DivisionByZero),
        (BinOp::Div, i32::MIN as i128, -1, UbKind::DivisionOverflow),
        (BinOp::Rem, i32::MIN as i128, -1, UbKind::DivisionOverflow),
        (BinOp::Shl, 1, 32, UbKind::BadShift),
        (BinOp::Shr, 1, -1, UbKind::BadShift),
    ];
    for (op, x, y, kind) in cases {
        for ty in [IntTy::I32, IntTy::I128] {
            let mut b = Build::new(DataModel::Lp64);
            let (va, vb) = (b.local("a", Ty::Int(ty)), b.local("b", Ty::Int(ty)));
            let x = if x == i32::MIN as i128 { ty.min() } else { x };
            let y = if y == 32 { i128::from(ty.bits) } else { y };
            let (cx, cy) = (b.p.exprs.int(ty, x), b.p.exprs.int(ty, y));
            b.assign(va, cx);
            b.assign(vb, cy);
            let (l, r) = (b.var(va), b.var(vb));
            let e = b.bin(op, l, r);
            b.assign(va, e);
            b.ret_int(0);
            let report = b.undefined();
            assert_eq!(report.kind, Some(kind), "{op:?} of {ty}");
            assert_eq!(report.place.line, 6, "the line of the assignment");
        }
    }
}

#[test]
fn float_to_int_out_of_range_is_undefined() {
    for (value, bad) in
        [(2147483647.5, false), (2147483648.0, true), (-2147483648.9, false), (f64::NAN, true)]
    {
        let mut b = Build::new(DataModel::Lp64);
        let (x, n) = (b.local("x", F64), b.local("n", I32));
        let c = b.p.exprs.float(FloatTy::F64, u128::from(value.to_bits()));
        b.assign(x, c);
        let e = b.var(x);
        let e = b.p.exprs.cast(I32, e);
        b.assign(n, e);
        b.ret_int(3);
        match b.run().end {
            End::Exit(3) => assert!(!bad, "{value}"),
            End::Undefined(r) => assert!(bad && r.kind == Some(UbKind::FloatToInt), "{value}"),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn signed_overflow_wraps_or_is_reported() {
    let cases = [
        (BinOp::Add, i32::MAX, 1),
        (BinOp::Sub, i32::MIN, 1),
        (BinOp::Mul, 65536, 65536),
        (BinOp::Add, i32::MAX, 0),
        (BinOp::Mul, -46341, 46340),
        (BinOp::Shl, 1, 30),
    ];
    for (op, x, y) in cases {
        for ty in [IntTy::I32, IntTy::I64, IntTy::I128] {
            let scale = |v: i32| match (op, v) {
                (_, i32::MAX) => ty.max_bits() as i128,
                (_, i32::MIN) => ty.min(),
                (BinOp::Mul, 65536) => 1i128 << (ty.bits / 2),
                (_, v) => v.into(),
            };
            let (x, y) = (ty.wrap(scale(x)), ty.wrap(scale(y)));
            let ty = Ty::Int(ty);
            let mut b = Build::new(DataModel::Lp64);
            let (va, vb) = (b.local("a", ty), b.local("b", ty));
            let (cx, cy) = (b.p.exprs.constant(ty, x), b.p.exprs.constant(ty, y));
            b.assign(va, cx);
            b.assign(vb, cy);
            let (l, r) = (b.var(va), b.var(vb));
            let e = b.bin(op, l, r);
            let want = eval::binary(op, ty, ty, x, y, DataModel::Lp64).unwrap();
            check(&mut b, e, want, 1);
            b.ret_int(0);
            b.exits_with(0);
            let options = Options { signed_overflow: SignedOverflow::Undefined, ..Options::default() };
            match b.run_with(options, Default::default()).0.end {
                End::Exit(0) => assert!(!eval::overflows(op, ty, x, y)),
                End::Undefined(r) => {
                    assert!(eval::overflows(op, ty, x, y), "{op:?} {ty}");
                    assert_eq!(r.kind, Some(UbKind::SignedOverflow));
                }
                other => panic!("{other:?}"),
            }
        }
    }
}

#[test]
fn only_the_chosen_side_of_a_selection_is_evaluated() {
    let mut b = Build::new(DataModel::Lp64);
    let (n, r) = (b.local("n", I32), b.local("r", I32));
    let zero = b.int(0);
    b.assign(n, zero);
    let e = b.var(n);
    let hundred = b.int(100);
    let quotient = b.bin(BinOp::Div, hundred, e);
    let is_zero = b.bin(BinOp::Eq, e, zero);
    let seven = b.int(7);
    let safe = b.p.exprs.select(is_zero, seven, quotient);
    // The quotient occurs on both sides of a second selection, too.
    let again = b.p.exprs.select(is_zero, safe, quotient);
    let sum = b.bin(BinOp::Add, safe, again);
    b.assign(r, sum);
    let r = b.var(r);
    b.ret(Some(r));
    b.exits_with(14);
}

#[test]
fn expressions_may_be_very_deep() {
    let mut b = Build::new(DataModel::Lp64);
    let n = b.local("n", I32);
    let one = b.int(1);
    b.assign(n, one);
    let v = b.var(n);
    let mut e = v;
    for i in 0..50_000 {
        let not_one = b.bin(BinOp::Ne, v, one);
        e = if i % 2 == 0 { b.bin(BinOp::Add, v, e) } else { b.p.exprs.select(not_one, v, e) };
    }
    b.assign(n, e);
    let want = b.int(25_001);
    let same = b.bin(BinOp::Eq, v, want);
    b.expect(same, 1);
    b.ret_int(0);
    b.exits_with(0);
}

#[test]
fn selections_nested_in_the_chosen_side() {
    let mut b = Build::new(DataModel::Lp64);
    let n = b.local("n", I32);
    let start = b.int(5);
    b.assign(n, start);
    let v = b.var(n);
    let mut e = v;
    for i in 0..20_000 {
        let c = b.int(i);
        let cond = b.bin(BinOp::Lt, v, c);
        e = b.p.exprs.select(cond, c, e);
    }
    b.assign(n, e);
    let r = b.var(n);
    let want = b.int(19_999);
    let same = b.bin(BinOp::Eq, r, want);
    b.expect(same, 1);
    b.ret_int(0);
    b.exits_with(0);
}
