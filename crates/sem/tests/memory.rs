//! Memory operations and what is undefined about them, in both data models.

mod common;

use cairn_base::{Budget, Limit};
use cairn_ir::*;
use cairn_sem::{End, Options, UbKind};
use common::*;

fn both(make: impl Fn(&mut Build), check: impl Fn(&Build)) {
    for model in MODELS {
        let mut b = Build::new(model);
        make(&mut b);
        check(&b);
    }
}

/// A program that is undefined in this way.
#[track_caller]
fn undefined(kind: UbKind, text: &str, make: impl Fn(&mut Build)) {
    both(
        |b| {
            make(b);
            b.ret_int(0);
        },
        |b| b.undefined_is(kind, text),
    );
}

#[track_caller]
fn defined(make: impl Fn(&mut Build)) {
    both(
        |b| {
            make(b);
            b.ret_int(0);
        },
        |b| b.exits_with(0),
    );
}

#[test]
fn values_of_all_types_survive_memory() {
    let types: Vec<Ty> = [1, 7, 8, 16, 24, 32, 40, 64, 100, 128]
        .into_iter()
        .flat_map(|bits| [true, false].map(|signed| Ty::Int(IntTy { bits, signed })))
        .chain([FloatTy::F32, FloatTy::F64, FloatTy::X80, FloatTy::F128].map(Ty::Float))
        .collect();
    for ty in types {
        defined(|b| {
            let a = b.array("a", 32);
            let p = b.plus(a, 3);
            let v = b.local("v", ty);
            let bits = match ty {
                Ty::Float(f) => cairn_value::float::from_f64(f, -1.25),
                _ => u128::MAX / 3,
            };
            let c = b.p.exprs.constant(ty, bits);
            b.assign(v, c);
            let e = b.var(v);
            b.store(p, e);
            let back = b.load(ty, p);
            let same = b.bin(BinOp::Eq, back, e);
            b.expect(same, 1);
        });
    }
}

#[test]
fn bounds() {
    undefined(
        UbKind::OutOfBounds,
        "write of 4 bytes at offset 40 of object 'a' (40 bytes, declared at t.c:",
        |b| {
            let a = b.array("a", 40);
            let (p, one) = (b.plus(a, 40), b.int(1));
            b.store(p, one);
        },
    );
    undefined(UbKind::OutOfBounds, "read of 4 bytes at offset -4 of object 'a'", |b| {
        let a = b.array("a", 40);
        let p = b.plus(a, -4);
        b.load(I32, p);
    });
    undefined(UbKind::OutOfBounds, "read of 4 bytes at offset 38 of", |b| {
        let a = b.array("a", 40);
        let p = b.plus(a, 38);
        b.load(I32, p);
    });
    // Going below and back is fine; so is one past the end and back.
    defined(|b| {
        let (a, p) = (b.array("a", 8), b.local("p", Ty::Ptr));
        for n in [-4, 4, 8, -8] {
            let from = if n == -4 { a } else { b.var(p) };
            let moved = b.plus(from, n);
            b.assign(p, moved);
        }
        let (q, one) = (b.var(p), b.int(1));
        b.store(q, one);
    });
}

#[test]
fn null_and_wild_pointers() {
    undefined(UbKind::NullAccess, "read of 4 bytes through a null pointer", |b| {
        let p = b.p.exprs.ptr(0);
        b.load(I32, p);
    });
    undefined(UbKind::NullAccess, "write of 1 byte through a null pointer plus 8", |b| {
        let p = b.local("p", Ty::Ptr);
        let null = b.p.exprs.ptr(0);
        b.assign(p, null);
        let p = b.var(p);
        let p = b.plus(p, 8);
        let v = b.p.exprs.int(IntTy::U8, 1);
        b.store(p, v);
    });
    undefined(UbKind::InvalidPointer, "at address 0xdeadbeef, where no object is", |b| {
        let p = b.p.exprs.ptr(0xdead_beef);
        b.load(I32, p);
    });
    undefined(UbKind::InvalidPointer, "of function 'main'", |b| {
        let p = b.p.exprs.func(b.f);
        b.load(U8, p);
    });
}

#[test]
fn far_pointer_arithmetic_is_caught() {
    let mut b = Build::new(DataModel::Lp64);
    let a = b.array("a", 40);
    let _ = b.array("b", 40);
    let i = b.local("i", I64);
    let big = b.p.exprs.int(IntTy::I64, -(1 << 33));
    b.assign(i, big);
    let i = b.var(i);
    let p = b.bin(BinOp::PtrAdd, a, i);
    b.load(I32, p);
    b.ret_int(0);
    b.undefined_is(UbKind::PointerOverflow, "moves -8589934592 bytes from object 'a'");
}

#[test]
fn lifetimes() {
    undefined(
        UbKind::Dangling,
        "of object 'a' (4 bytes, declared at t.c:2:1, its lifetime ended at t.c:",
        |b| {
            let obj = b.object("a", 4, ObjKind::Local, Init::Uninit);
            b.op(Op::Begin { obj });
            let p = b.local("p", Ty::Ptr);
            let a = b.p.exprs.addr(obj);
            b.assign(p, a);
            b.op(Op::End { obj });
            let p = b.var(p);
            let one = b.int(1);
            b.store(p, one);
        },
    );
    undefined(UbKind::Dangling, "lifetime", |b| {
        let obj = b.object("a", 4, ObjKind::Local, Init::Uninit);
        b.op(Op::Begin { obj });
        b.op(Op::End { obj });
        b.op(Op::End { obj });
        let a = b.p.exprs.addr(obj);
        b.load(I32, a);
    });
    undefined(UbKind::Dangling, "heap object (8 bytes, allocated at t.c:3:1, freed at t.c:4:1)", |b| {
        let ptr = b.malloc(8);
        b.op(Op::Free { ptr, kind: AllocKind::Heap });
        b.load(I32, ptr);
    });
    // A second Begin makes a fresh, uninitialised instance.
    undefined(
        UbKind::Uninitialised,
        "use of uninitialised data: read of 4 bytes at offset 0 of object 'a'",
        |b| {
            let obj = b.object("a", 4, ObjKind::Local, Init::Uninit);
            let (a, one) = (b.p.exprs.addr(obj), b.int(1));
            b.op(Op::Begin { obj });
            b.store(a, one);
            b.op(Op::Begin { obj });
            let got = b.load(I32, a);
            b.decide(I32, got);
        },
    );
}

#[test]
fn locals_die_with_their_function() {
    both(
        |b| {
            let main = b.f;
            let at = b.at;
            b.func("f", &[], Some(Ty::Ptr));
            let f = b.f;
            let a = b.array("a", 4);
            let one = b.int(1);
            b.store(a, one);
            b.ret(Some(a));
            (b.f, b.at) = (main, at);
            let p = b.call(Callee::Func(f), &[], Some(Ty::Ptr)).unwrap();
            b.load(I32, p);
            b.ret_int(0);
        },
        |b| b.undefined_is(UbKind::Dangling, "of object 'a'"),
    );
}

#[test]
fn alloca_dies_with_its_function() {
    both(
        |b| {
            let (main, at) = (b.f, b.at);
            b.func("f", &[], Some(Ty::Ptr));
            let f = b.f;
            let size = b.size(4);
            let dst = b.temp(Ty::Ptr);
            b.op(Op::Alloc { dst, size, kind: AllocKind::Alloca, zeroed: false });
            let p = b.var(dst);
            b.ret(Some(p));
            (b.f, b.at) = (main, at);
            let p = b.call(Callee::Func(f), &[], Some(Ty::Ptr)).unwrap();
            let one = b.int(1);
            b.store(p, one);
            b.ret_int(0);
        },
        |b| b.undefined_is(UbKind::Dangling, "alloca object"),
    );
    undefined(UbKind::Dangling, "variable-length array", |b| {
        let size = b.size(4);
        let dst = b.temp(Ty::Ptr);
        b.op(Op::Alloc { dst, size, kind: AllocKind::Vla, zeroed: false });
        let (ptr, one) = (b.var(dst), b.int(1));
        b.store(ptr, one);
        b.op(Op::Free { ptr, kind: AllocKind::Vla });
        b.store(ptr, one);
    });
}

#[test]
fn frees() {
    defined(|b| {
        let null = b.p.exprs.ptr(0);
        b.op(Op::Free { ptr: null, kind: AllocKind::Heap });
        let ptr = b.malloc(0);
        b.op(Op::Free { ptr, kind: AllocKind::Heap });
    });
    undefined(UbKind::DoubleFree, "free of heap object (8 bytes", |b| {
        let ptr = b.malloc(8);
        b.op(Op::Free { ptr, kind: AllocKind::Heap });
        b.op(Op::Free { ptr, kind: AllocKind::Heap });
    });
    undefined(UbKind::BadFree, "free of a pointer to offset 4 of heap object", |b| {
        let p = b.malloc(8);
        let ptr = b.plus(p, 4);
        b.op(Op::Free { ptr, kind: AllocKind::Heap });
    });
    undefined(
        UbKind::BadFree,
        "free of object 'a' (8 bytes, declared at t.c:2:1), which is not on the heap",
        |b| {
            let ptr = b.array("a", 8);
            b.op(Op::Free { ptr, kind: AllocKind::Heap });
        },
    );
    undefined(UbKind::OutOfBounds, "offset 0 of heap object (0 bytes", |b| {
        let p = b.malloc(0);
        b.load(U8, p);
    });
}

#[test]
fn huge_requests_give_null_like_glibc() {
    both(
        |b| {
            let most = if b.p.model == DataModel::Lp64 { u64::MAX } else { 0xffff_ffff };
            let p = b.malloc(most - 10);
            let null = b.p.exprs.ptr(0);
            let same = b.bin(BinOp::Eq, p, null);
            b.expect(same, 1);
            b.ret_int(0);
        },
        |b| b.exits_with(0),
    );
}

#[test]
fn uninitialised_data() {
    undefined(UbKind::Uninitialised, "use of uninitialised variable 'x'", |b| {
        let (x, y) = (b.local("x", I32), b.local("y", I32));
        let (e, one) = (b.var(x), b.int(1));
        let sum = b.bin(BinOp::Add, e, one);
        b.assign(y, sum);
        let got = b.var(y);
        b.decide(I32, got);
    });
    // To copy it or to compute with it is allowed, a use that decides something is not.
    defined(|b| {
        let (x, y) = (b.local("x", I32), b.local("y", I32));
        let (e, one) = (b.var(x), b.int(1));
        b.assign(y, e);
        let e = b.var(y);
        let sum = b.bin(BinOp::Add, e, one);
        b.assign(x, sum);
    });
    undefined(UbKind::Uninitialised, "variable 'y'", |b| {
        let (x, y) = (b.local("x", I32), b.local("y", I32));
        let e = b.var(x);
        b.assign(y, e);
        let (e, one) = (b.var(y), b.int(1));
        let cond = b.bin(BinOp::Lt, e, one);
        b.expect(cond, 1);
    });
    undefined(
        UbKind::Uninitialised,
        "offset 0 of heap object (8 bytes, allocated at t.c:3:1) (byte 2 of them)",
        |b| {
            let p = b.malloc(8);
            let half = b.p.exprs.int(IntTy::I16, 1);
            b.store(p, half);
            let got = b.load(I32, p);
            b.decide(I32, got);
        },
    );
}

#[test]
fn bytes_may_be_copied_uninitialised() {
    let copy = |b: &mut Build, use_it: bool| {
        let (a, c) = (b.malloc(2), b.malloc(2));
        let v = b.p.exprs.int(IntTy::I8, -3);
        b.store(a, v);
        for i in 0..2 {
            let (from, to) = (b.plus(a, i), b.plus(c, i));
            let byte = b.load(I8, from);
            let through = b.local("through", I8);
            b.assign(through, byte);
            let e = b.var(through);
            let e = b.p.exprs.cast(U8, e);
            b.store(to, e);
        }
        let got = b.load(I8, c);
        let same = b.bin(BinOp::Eq, got, v);
        b.expect(same, 1);
        if use_it {
            let second = b.plus(c, 1);
            let got = b.load(I8, second);
            let same = b.bin(BinOp::Eq, got, v);
            b.expect(same, 1);
        }
    };
    defined(|b| copy(b, false));
    undefined(UbKind::Uninitialised, "read of 1 byte at offset 1 of heap object", |b| copy(b, true));
}

#[test]
fn parameters_start_initialised_even_if_bytes_pass_through_them() {
    both(
        |b| {
            let (main, at) = (b.f, b.at);
            let params = b.func("f", &[U8, Ty::Ptr], Some(I32));
            let f = b.f;
            let (c, p) = (b.var(params[0]), b.var(params[1]));
            let five = b.p.exprs.int(IntTy::U8, 5);
            let same = b.bin(BinOp::Eq, c, five);
            b.expect(same, 1);
            // The second byte is not initialised: it may pass through the parameter.
            b.op(Op::Load { dst: params[0], addr: p });
            let other = b.plus(p, 1);
            b.store(other, c);
            b.ret_int(0);
            (b.f, b.at) = (main, at);
            let p = b.malloc(2);
            let five = b.p.exprs.int(IntTy::U8, 5);
            b.call(Callee::Func(f), &[five, p], None);
            b.ret_int(0);
        },
        |b| b.exits_with(0),
    );
}

#[test]
fn copies_and_fills() {
    defined(|b| {
        let (a, c) = (b.array("a", 16), b.malloc(16));
        let (byte, n) = (b.int(0x1ab), b.size(8));
        b.op(Op::Fill { dst: a, byte, size: n });
        let all = b.size(16);
        b.op(Op::Copy { dst: c, src: a, size: all, may_overlap: false });
        let got = b.load(I32, c);
        let want = b.int(0xabab_abab);
        let same = b.bin(BinOp::Eq, got, want);
        b.expect(same, 1);
        // Overlap is fine if it is allowed, and if nothing is copied.
        let shifted = b.plus(c, 2);
        let four = b.size(4);
        b.op(Op::Copy { dst: shifted, src: c, size: four, may_overlap: true });
        b.op(Op::Copy { dst: c, src: c, size: four, may_overlap: false });
        let (null, none) = (b.p.exprs.ptr(0), b.size(0));
        b.op(Op::Copy { dst: null, src: null, size: none, may_overlap: false });
    });
    undefined(UbKind::Uninitialised, "offset 8 of heap object", |b| {
        let (a, c) = (b.array("a", 16), b.malloc(16));
        let (zero, half, all) = (b.int(0), b.size(8), b.size(16));
        b.op(Op::Fill { dst: a, byte: zero, size: half });
        b.op(Op::Copy { dst: c, src: a, size: all, may_overlap: false });
        let p = b.plus(c, 8);
        let got = b.load(I32, p);
        b.decide(I32, got);
    });
    undefined(UbKind::Overlap, "copy of 8 bytes", |b| {
        let a = b.array("a", 16);
        let (p, n) = (b.plus(a, 4), b.size(8));
        b.op(Op::Copy { dst: p, src: a, size: n, may_overlap: false });
    });
    undefined(UbKind::OutOfBounds, "read of 20 bytes at offset 0 of object 'a'", |b| {
        let (a, c) = (b.array("a", 16), b.malloc(32));
        let n = b.size(20);
        b.op(Op::Copy { dst: c, src: a, size: n, may_overlap: false });
    });
    undefined(UbKind::OutOfBounds, "write of 20 bytes at offset 0 of object 'a'", |b| {
        let a = b.array("a", 16);
        let (zero, n) = (b.int(0), b.size(20));
        b.op(Op::Fill { dst: a, byte: zero, size: n });
    });
}

#[test]
fn constants_cannot_be_written() {
    undefined(UbKind::ReadOnly, "write of 1 byte at offset 0 of", |b| {
        let s = b.string(b"text");
        let v = b.p.exprs.int(IntTy::U8, 1);
        b.store(s, v);
    });
}

#[test]
fn bit_fields() {
    for (bit, width, signed) in
        [(0, 1, false), (3, 5, true), (7, 30, true), (1, 64, false), (4, 64, true), (0, 32, false)]
    {
        defined(|b| {
            let a = b.array("a", 16);
            let (zero, n) = (b.int(0), b.size(16));
            b.op(Op::Fill { dst: a, byte: zero, size: n });
            let ty = IntTy { bits: 64, signed };
            let field = IntTy { bits: width, signed };
            for v in [-1i128, 0, 1, 0x5555_5555_5555_5555] {
                let value = b.p.exprs.int(ty, v);
                b.op(Op::StoreBits { addr: a, bit, width, value });
                let dst = b.temp(Ty::Int(ty));
                b.op(Op::LoadBits { dst, addr: a, bit, width });
                let got = b.var(dst);
                let want = b.p.exprs.int(ty, field.number(field.wrap(v)));
                let same = b.bin(BinOp::Eq, got, want);
                b.expect(same, 1);
            }
            // The neighbours were left alone.
            let value = b.p.exprs.int(ty, 0);
            b.op(Op::StoreBits { addr: a, bit, width, value });
            let whole = b.load(Ty::Int(IntTy::U128), a);
            let none = b.p.exprs.int(IntTy::U128, 0);
            let same = b.bin(BinOp::Eq, whole, none);
            b.expect(same, 2);
        });
    }
    // Only the bits that were stored are initialised.
    let part = |b: &mut Build, bit| {
        let addr = b.array("a", 4);
        let value = b.int(5);
        b.op(Op::StoreBits { addr, bit: 0, width: 3, value });
        let dst = b.temp(I32);
        b.op(Op::LoadBits { dst, addr, bit, width: 3 });
        let got = b.var(dst);
        b.decide(I32, got);
    };
    defined(|b| part(b, 0));
    undefined(UbKind::Uninitialised, "object 'a'", |b| part(b, 1));
}

#[test]
fn pointers_in_memory_and_as_integers() {
    both(
        |b| {
            let (a, c) = (b.array("a", 40), b.malloc(16));
            let inside = b.plus(a, 36);
            b.store(c, inside);
            let got = b.load(Ty::Ptr, c);
            let v = b.int(77);
            b.store(got, v);
            let back = b.load(I32, inside);
            let same = b.bin(BinOp::Eq, back, v);
            b.expect(same, 1);
            // Through an integer, byte by byte, and back.
            let int = Ty::Int(IntTy::size(b.p.model));
            let address = b.p.exprs.cast(int, got);
            let n = b.local("n", int);
            b.assign(n, address);
            let n = b.var(n);
            let four = b.size(4);
            let lower = b.bin(BinOp::Sub, n, four);
            let p = b.p.exprs.cast(Ty::Ptr, lower);
            let q = b.plus(a, 32);
            let same = b.bin(BinOp::Eq, p, q);
            b.expect(same, 2);
            b.store(p, v);
            let diff = b.bin(BinOp::PtrSub, p, a);
            let want = b.p.exprs.int(IntTy::diff(b.p.model), 32);
            let same = b.bin(BinOp::Eq, diff, want);
            b.expect(same, 3);
            let less = b.bin(BinOp::Lt, a, p);
            b.expect(less, 4);
            b.ret_int(0);
        },
        |b| b.exits_with(0),
    );
}

#[test]
fn dangling_pointers_are_seen_through_memory() {
    undefined(UbKind::Dangling, "heap object (4 bytes", |b| {
        let (a, c) = (b.malloc(4), b.malloc(16));
        b.store(c, a);
        b.op(Op::Free { ptr: a, kind: AllocKind::Heap });
        let _ = b.malloc(4);
        let p = b.load(Ty::Ptr, c);
        b.load(I32, p);
    });
}

#[test]
fn static_data_with_addresses() {
    both(
        |b| {
            let word = b.p.model.ptr_bytes();
            let target = b.object(
                "target",
                8,
                ObjKind::Global,
                Init::Static(Data { bytes: vec![(4, vec![1, 2, 3, 4].into())], relocs: vec![] }),
            );
            let reloc = |offset, target, addend| Reloc { offset, bytes: word as u8, target, addend };
            let relocs =
                vec![reloc(0, RelocTarget::Object(target), 4), reloc(word, RelocTarget::Func(b.f), 0)];
            let table =
                b.object("table", 4 * word, ObjKind::Global, Init::Static(Data { bytes: vec![], relocs }));
            let table = b.p.exprs.addr(table);
            let p = b.load(Ty::Ptr, table);
            let got = b.load(I32, p);
            let want = b.int(0x0403_0201);
            let same = b.bin(BinOp::Eq, got, want);
            b.expect(same, 1);
            let second = b.plus(table, word as i64);
            let p = b.load(Ty::Ptr, second);
            let main = b.p.exprs.func(b.f);
            let same = b.bin(BinOp::Eq, p, main);
            b.expect(same, 2);
            let third = b.plus(table, 2 * word as i64);
            let p = b.load(Ty::Ptr, third);
            let null = b.p.exprs.ptr(0);
            let same = b.bin(BinOp::Eq, p, null);
            b.expect(same, 3);
            b.ret_int(0);
        },
        |b| b.exits_with(0),
    );
}

#[test]
fn huge_zero_statics_cost_nothing() {
    let mut b = Build::new(DataModel::Lp64);
    let big = b.object("big", 3 << 30, ObjKind::Global, Init::Static(Data::default()));
    let a = b.p.exprs.addr(big);
    let end = b.plus(a, 3 << 30);
    let last = b.plus(end, -4);
    let got = b.load(I32, last);
    b.ret(Some(got));
    b.exits_with(0);
    let mut b = Build::new(DataModel::Lp64);
    b.object("big", 5 << 30, ObjKind::Global, Init::Static(Data::default()));
    b.ret_int(0);
    assert!(matches!(b.run().end, End::Limit(Limit::Memory, _)));
}

#[test]
fn memory_limit_and_leaks() {
    both(
        |b| {
            let head = b.loc();
            b.op_to(Op::Nop, head);
            b.malloc(1000);
            b.op_to(Op::Nop, head);
        },
        |b| {
            let budget = Budget { max_memory: 1 << 20, ..Budget::default() };
            let (outcome, _) = b.run_with(Options::default(), budget);
            assert!(matches!(outcome.end, End::Limit(Limit::Memory, _)), "{:?}", outcome.end);
        },
    );
    both(
        |b| {
            b.malloc(10);
            let ptr = b.malloc(20);
            b.op(Op::Free { ptr, kind: AllocKind::Heap });
            b.ret_int(0);
        },
        |b| {
            b.exits_with(0);
            let options = Options { check_leaks: true, ..Options::default() };
            let End::Undefined(report) = b.run_with(options, Budget::default()).0.end else { panic!() };
            assert_eq!(report.kind, Some(UbKind::Leak));
            assert_eq!(report.message, "heap object (10 bytes, allocated at t.c:3:1) is never freed");
        },
    );
}

#[test]
fn many_locals_in_a_loop() {
    // Private and escaping locals, three million of each: ids and addresses are used again.
    for model in MODELS {
        let mut b = Build::new(model);
        let keep = b.object("keep", 8, ObjKind::Global, Init::Static(Data::default()));
        let private = b.object("private", 24, ObjKind::Local, Init::Uninit);
        let escaping = b.object("escaping", 24, ObjKind::Local, Init::Uninit);
        let i = b.local("i", I32);
        let (zero, one) = (b.int(0), b.int(1));
        b.assign(i, zero);
        let (head, body, done) = (b.loc(), b.loc(), b.loc());
        b.op_to(Op::Nop, head);
        let e = b.var(i);
        let end = b.int(3_000_000);
        let cond = b.bin(BinOp::Lt, e, end);
        b.branch(cond, body, done);
        b.at = body;
        b.op(Op::Begin { obj: private });
        b.op(Op::Begin { obj: escaping });
        let (p, q, k) = (b.p.exprs.addr(private), b.p.exprs.addr(escaping), b.p.exprs.addr(keep));
        b.store(p, e);
        b.store(q, e);
        b.store(k, q);
        let through = b.load(Ty::Ptr, k);
        let x = b.load(I32, through);
        let same = b.bin(BinOp::Eq, x, e);
        b.expect(same, 1);
        b.op(Op::End { obj: escaping });
        b.op(Op::End { obj: private });
        let next = b.bin(BinOp::Add, e, one);
        b.op_to(Op::Assign { dst: i, value: next }, head);
        b.at = done;
        b.ret_int(0);
        b.exits_with(0);
    }
}
