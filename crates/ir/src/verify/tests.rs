//! One broken program per rule, and the sound program they are made from.

use super::verify;
use crate::program::DField;
use crate::text::parse;
use crate::*;

const SOUND: &str = r#"program LP64
entry main.0
branches 1
file 0 "a.c"
type 0 scalar "int" i32
type 1 array 0 x 4
global g.0: i32 = 7i32 @0:1:1-1:2
object table.0: global size 16 align 4 static { 0: b"\x01\x02", 8: &table.0 + 4 bytes 8 } type 1
label L.0 at l3 in main.0
func main.0 (i32) -> i32 {
  entry l0 exit l1
  params n.1
  param n.1: i32
  local x.2: i32
  temp t.3: bool
  temp p.4: ptr
  object buf.1: local size 4 align 4 uninit
  l0:
    e0 -> l2: t.3 := n.1 < 3i32
  l1:
  l2:
    e1 -> l3: when t.3 branch 0 true
    e2 -> l4: unless t.3 branch 0 false
  l3:
    e3 -> l5: begin buf.1
  l4:
    e4 -> l6: call builtin exit(1i32)
  l5:
    e5 -> l7: store &buf.1, n.1
  l6:
  l7:
    e6 -> l8: x.2 := load &buf.1
  l8:
    e7 -> l9: end buf.1
  l9:
    e8 -> l10: x.2 := call helper.1(x.2, &table.0)
  l10:
    e9 -> l11: p.4 := alloc heap 4u64
  l11:
    e10 -> l12: free heap p.4
  l12:
    e11 -> l13: x.2 := loadbits 3 4, &table.0
  l13:
    e12 -> l14: fill &table.0, 0i32, 16u64
  l14:
    e13 -> l1: return x.2
}
func helper.1 (i32, ptr, ...) -> i32
func other.2 () {
  entry l15 exit l16
  local y.5: i32
  object mine.2: local size 8 align 8 uninit
  l15:
    e14 -> l16: return
  l16:
}
"#;

fn v(i: u32) -> VarId {
    VarId::from_u32(i)
}
fn o(i: u32) -> ObjId {
    ObjId::from_u32(i)
}
fn f(i: u32) -> FuncId {
    FuncId::from_u32(i)
}
fn l(i: u32) -> LocId {
    LocId::from_u32(i)
}
fn e(i: u32) -> EdgeId {
    EdgeId::from_u32(i)
}
fn body(p: &mut Program, func: u32) -> &mut Body {
    p.funcs[f(func)].body.as_mut().expect("has a body")
}
fn data(p: &mut Program) -> &mut Data {
    match &mut p.objects[o(0)].init {
        Init::Static(data) => data,
        _ => unreachable!("static in the sound program"),
    }
}
/// Replaces the operation of an edge.
fn op(p: &mut Program, edge: u32, make: impl FnOnce(&mut ExprPool) -> Op) {
    let op = make(&mut p.exprs);
    p.edges[e(edge)].op = op;
}

#[test]
fn the_sound_program_verifies() {
    let p = parse(SOUND).expect("parses");
    assert_eq!(verify(&p), Ok(()));
}

type Break = fn(&mut Program);

/// Each breaks the rule of the given number and no other.
const BROKEN: &[(u8, &str, Break)] = &[
    (1, "expression", |p| _ = p.exprs.addr(o(99))),
    (1, "edge", |p| p.edges[e(3)].op = Op::Begin { obj: o(99) }),
    (1, "reloc", |p| data(p).relocs[0].target = RelocTarget::Func(f(99))),
    (1, "entry", |p| p.entry = Some(f(99))),
    (2, "var", |p| p.vars[v(0)].place.file = FileId::from_u32(5)),
    (2, "edge", |p| {
        p.edges[e(3)].place = Place { file: FileId::from_u32(1), line: 1, col: 1, end_line: 1, end_col: 1 }
    }),
    (3, "missing edge", |p| _ = body(p, 0).edges.pop()),
    (3, "missing var", |p| _ = body(p, 2).vars.pop()),
    (3, "var twice", |p| body(p, 2).vars.push(v(5))),
    (3, "foreign object", |p| {
        body(p, 2).objects.clear();
        body(p, 0).objects.push(o(2));
    }),
    (4, "no way in", |p| p.locs[l(3)].inn.clear()),
    (4, "no such source", |p| p.edges[e(3)].src = l(5)),
    (5, "type", |p| {
        let t = DTypeId::from_u32(1);
        let field = DField { name: sym("x"), offset: 0, bits: None, ty: t };
        let record = DType::Record { name: sym("s"), size: 4, is_union: false, fields: vec![field] };
        let r = p.dtypes.push(record);
        p.dtypes[t] = DType::Array { elem: r, len: 1 };
    }),
    (6, "type", |p| {
        let init = p.exprs.int(IntTy::I64, 7);
        p.vars[v(0)].kind = VarKind::Global { init };
    }),
    (6, "not constant", |p| {
        let init = p.exprs.var(v(0));
        p.vars[v(0)].kind = VarKind::Global { init };
    }),
    (6, "undefined", |p| {
        let zero = p.exprs.int(IntTy::I32, 0);
        let init = p.exprs.binary(BinOp::Div, zero, zero);
        p.vars[v(0)].kind = VarKind::Global { init };
    }),
    (6, "owned", |p| {
        let init = p.exprs.int(IntTy::I32, 0);
        p.vars[v(5)].kind = VarKind::Global { init };
    }),
    (7, "align", |p| p.objects[o(0)].align = 3),
    (7, "contents", |p| p.objects[o(0)].init = Init::Uninit),
    (7, "kind", |p| p.objects[o(2)].kind = ObjKind::Global),
    (8, "size", |p| p.objects[o(0)].size = 15),
    (8, "order", |p| data(p).bytes.push((0, [1].into()))),
    (8, "overlap", |p| data(p).relocs[0].offset = 1),
    (8, "empty", |p| data(p).bytes.push((4, [].into()))),
    (8, "width", |p| data(p).relocs[0].bytes = 0),
    (8, "wrap", |p| data(p).bytes.push((u64::MAX, [1].into()))),
    (9, "constant", |p| _ = p.exprs.float(FloatTy::F32, 1 << 40)),
    (9, "variable", |p| {
        p.exprs.var(v(5));
        p.vars[v(5)].ty = Ty::Int(IntTy::I64);
    }),
    (10, "type", |p| p.funcs[f(0)].sig.params[0] = Ty::Ptr),
    (10, "missing", |p| p.funcs[f(0)].params.clear()),
    (10, "kind", |p| p.vars[v(5)].kind = VarKind::Param),
    (10, "no body", |p| p.funcs[f(1)].params.push(v(1))),
    (10, "variadic", |p| p.funcs[f(2)].sig.variadic = true),
    (11, "return elsewhere", |p| {
        op(p, 12, |_| Op::Return { value: None });
    }),
    (11, "exit without return", |p| op(p, 14, |_| Op::Nop)),
    (11, "same ends", |p| {
        let exit = body(p, 0).exit;
        body(p, 0).entry = exit;
    }),
    (11, "goes on", |p| {
        p.new_edge(l(16), l(15), Op::Nop, Place::NONE);
    }),
    (12, "label", |p| p.labels[LabelId::from_u32(0)].func = f(2)),
    (12, "entry", |p| p.entry = Some(f(1))),
    (13, "two edges", |p| {
        p.new_edge(l(12), l(11), Op::Nop, Place::NONE);
    }),
    (13, "three edges", |p| {
        p.new_edge(l(2), l(4), Op::Nop, Place::NONE);
    }),
    (13, "same outcome", |p| {
        let Op::Assume { holds, .. } = &mut p.edges[e(2)].op else { return };
        *holds = true;
    }),
    (13, "dead end", |p| op(p, 4, |_| Op::Nop)),
    (14, "same outcome", |p| {
        p.edges[e(2)].branch = p.edges[e(1)].branch;
    }),
    (14, "one only", |p| p.edges[e(2)].branch = None),
    (14, "too large", |p| p.branches = 0),
    (14, "no branch", |p| p.edges[e(3)].branch = p.edges[e(1)].branch),
    (15, "variable", |p| {
        op(p, 12, |x| Op::Assign { dst: v(2), value: x.var(v(5)) });
    }),
    (15, "target", |p| {
        op(p, 12, |x| Op::Assign { dst: v(5), value: x.int(IntTy::I32, 1) });
    }),
    (15, "address", |p| {
        op(p, 12, |x| Op::Store { addr: x.addr(o(2)), value: x.int(IntTy::I32, 1) });
    }),
    (15, "begin", |p| op(p, 3, |_| Op::Begin { obj: o(2) })),
    (16, "assign", |p| op(p, 12, |x| Op::Assign { dst: v(2), value: x.bool(true) })),
    (16, "assume", |p| op(p, 12, |x| Op::Assume { cond: x.int(IntTy::I32, 1), holds: true })),
    (16, "load", |p| op(p, 12, |x| Op::Load { dst: v(3), addr: x.addr(o(0)) })),
    (16, "store", |p| op(p, 12, |x| Op::Store { addr: x.int(IntTy::I32, 1), value: x.int(IntTy::I32, 1) })),
    (16, "store bool", |p| op(p, 12, |x| Op::Store { addr: x.addr(o(0)), value: x.bool(true) })),
    (16, "bit", |p| op(p, 12, |x| Op::LoadBits { dst: v(2), addr: x.addr(o(0)), bit: 8, width: 1 })),
    (16, "width", |p| {
        op(p, 12, |x| Op::StoreBits { addr: x.addr(o(0)), bit: 0, width: 9, value: x.int(IntTy::I8, 1) })
    }),
    (16, "copy", |p| {
        op(p, 12, |x| Op::Copy {
            dst: x.addr(o(0)),
            src: x.addr(o(0)),
            size: x.int(IntTy::I32, 1),
            may_overlap: true,
        })
    }),
    (16, "fill", |p| {
        op(p, 12, |x| Op::Fill { dst: x.addr(o(0)), byte: x.bool(true), size: x.int(IntTy::U64, 1) })
    }),
    (16, "alloc", |p| {
        op(p, 9, |x| Op::Alloc {
            dst: v(4),
            size: x.int(IntTy::U32, 1),
            kind: AllocKind::Heap,
            zeroed: false,
        })
    }),
    (16, "free", |p| op(p, 10, |x| Op::Free { ptr: x.var(v(4)), kind: AllocKind::Alloca })),
    (16, "return", |p| op(p, 14, |x| Op::Return { value: Some(x.int(IntTy::I32, 1)) })),
    (17, "arguments", |p| {
        op(p, 8, |x| Op::Call { dst: None, callee: Callee::Func(f(1)), args: [x.int(IntTy::I32, 1)].into() })
    }),
    (17, "result", |p| {
        op(p, 8, |_| Op::Call { dst: Some(v(2)), callee: Callee::Func(f(2)), args: [].into() })
    }),
    (17, "builtin", |p| {
        op(p, 8, |_| Op::Call { dst: None, callee: Callee::Builtin(Builtin::Exit), args: [].into() })
    }),
    (17, "pointer", |p| {
        let sig = Box::new(Signature { params: vec![], ret: None, variadic: false });
        op(p, 8, |x| Op::Call {
            dst: None,
            callee: Callee::Ptr { target: x.int(IntTy::I32, 1), sig },
            args: [].into(),
        })
    }),
    (18, "begin", |p| op(p, 3, |_| Op::Begin { obj: o(0) })),
    (19, "temporary", |p| op(p, 0, |_| Op::Nop)),
    (19, "on one path", |p| op(p, 9, |x| Op::Assume { cond: x.bool(true), holds: true })),
];

#[test]
fn each_rule_is_checked() {
    for (rule, what, break_it) in BROKEN {
        let mut p = parse(SOUND).expect("parses");
        break_it(&mut p);
        let found = verify(&p).expect_err(what);
        assert!(found.iter().any(|x| x.rule == *rule), "rule {rule} ({what}): {found:?}");
        assert!(found.iter().all(|x| x.rule == *rule), "rule {rule} ({what}) and others: {found:?}");
    }
    let rules: std::collections::BTreeSet<u8> = BROKEN.iter().map(|b| b.0).collect();
    assert_eq!(rules, (1..=19).collect(), "a rule has no test");
}
