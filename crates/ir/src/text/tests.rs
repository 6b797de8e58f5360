//! Round trips of hand-written and random programs, and bad texts.

use super::{parse, print};
use crate::testing::{Rng, random_program};
use crate::*;

/// Checks that two programs are equal up to the ids of expressions and the order of lists that
/// have none.
fn assert_same(p: &Program, q: &Program) {
    fn same_expr(p: &Program, q: &Program, a: ExprId, b: ExprId) -> bool {
        let node = match (p.exprs.get(a), q.exprs.get(b)) {
            (Expr::Unary(x, _), Expr::Unary(y, _)) => x == y,
            (Expr::Binary(x, ..), Expr::Binary(y, ..)) => x == y,
            (Expr::Cast(x, _), Expr::Cast(y, _)) => x == y,
            (Expr::Select(..), Expr::Select(..)) => true,
            (x, y) => x == y,
        };
        let (x, y) = (p.exprs.children(a), q.exprs.children(b));
        node && p.ty(a) == q.ty(b)
            && p.exprs.is_total(a) == q.exprs.is_total(b)
            && x.len() == y.len()
            && x.into_iter().zip(y).all(|(x, y)| same_expr(p, q, x, y))
    }
    assert_eq!(
        (p.model, p.branches, p.entry, &p.assumptions),
        (q.model, q.branches, q.entry, &q.assumptions)
    );
    assert_eq!(p.files, q.files);
    assert_eq!(p.objects, q.objects);
    assert_eq!(p.labels, q.labels);
    assert_eq!(p.dtypes, q.dtypes);
    assert_eq!(p.vars.len(), q.vars.len());
    for (v, x) in &p.vars {
        let mut y = q.vars[v].clone();
        if let (VarKind::Global { init: a }, VarKind::Global { init: b }) = (x.kind, y.kind) {
            assert!(same_expr(p, q, a, b));
            y.kind = x.kind;
        }
        assert_eq!(*x, y);
    }
    let sorted = |p: &Program| {
        let mut locs = p.locs.clone();
        locs.values_mut().for_each(|l| l.inn.sort());
        let mut funcs = p.funcs.clone();
        funcs.values_mut().filter_map(|f| f.body.as_mut()).for_each(|b| b.edges.sort());
        (locs, funcs)
    };
    assert_eq!(sorted(p), sorted(q));
    assert_eq!(p.edges.len(), q.edges.len());
    for (e, x) in &p.edges {
        let mut y = q.edges[e].clone();
        let (mut a, mut b) = (Vec::new(), Vec::new());
        x.op.each_expr(|e| a.push(e));
        y.op.each_expr(|e| b.push(e));
        assert_eq!(a.len(), b.len());
        assert!(a.iter().zip(&b).all(|(&a, &b)| same_expr(p, q, a, b)), "{e}");
        let mut next = a.into_iter();
        y.op.map_exprs(|_| next.next().expect("as many"));
        assert_eq!(*x, y);
    }
}

#[test]
fn random_programs_round_trip() {
    for seed in 0..200 {
        let p = random_program(seed, 4 + seed as usize % 20);
        let text = print(&p);
        let q = parse(&text).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
        assert_eq!(print(&q), text, "seed {seed}");
        assert_same(&p, &q);
        verify(&p).unwrap_or_else(|v| panic!("seed {seed}: {v:#?}\n{text}"));
    }
}

#[test]
fn shared_and_deep_expressions_stay_small() {
    let mut p = parse(
        "program LP64\nfunc f.0 () -> i32 {\n  entry l0 exit l1\n  local x.0: i32\n  l0:\n    e0 -> l1: return 1i32\n  l1:\n}\n",
    )
    .expect("parses");
    let mut e = p.exprs.var(VarId::from_u32(0));
    for i in 0..200_000 {
        let one = p.exprs.int(IntTy::I32, i % 7);
        let more = p.exprs.raw(Expr::Binary(BinOp::Xor, e, one)).expect("well typed");
        e = p.exprs.raw(Expr::Binary(BinOp::Mul, e, more)).expect("well typed");
    }
    p.edges[EdgeId::from_u32(0)].op = Op::Return { value: Some(e) };
    let text = print(&p);
    assert!(text.len() < 20_000_000, "{}", text.len());
    let q = parse(&text).expect("parses");
    assert_eq!(print(&q), text);
}

#[test]
fn written_forms() {
    let text = r#"program ILP32
entry main.0
branches 1
file 0 "a \"b\".c"
type 0 scalar "int" i32
type 1 array 0 x 3
type 2 union "union u" size 4 { "x": 0 at 0, "y": 0 at 0 bits 3 2 }
global g_h.0 "g h": i32 = -5i32 @0:1:2-3:4 scope 0:5:6-7:8 type 0
global f.1: f64 = 1e-7f64
global n.2: f32 = f32:0x7fc00000
object s.0: const size 4 align 1 static { 0: b"a\"\x00\n", 4: &s.0 - 9 bytes 4 }
label L.0 at l0 in main.0
func main.0 (i32, ptr, ...) -> i32 model noreturn @0:1:1-9:9 {
  entry l0 exit l3
  params a.3 b.4
  param a.3: i32
  param b.4: ptr
  temp c.5: bool
  l0: loop @0:2:2-2:3 label "L" label "M"
    e0 -> l1: c.5 := a.3 < (-(5i32))
  l1:
    e1 -> l2: when c.5 branch 0 true
    e2 -> l2: unless c.5 branch 0 false
  l2:
    e3 -> l3: return c.5 ? (a.3 + clz(a.3)) : i32(b.4 - (b.4 + 4i32)) @0:4:1-4:2
  l3:
}
func g.1 ()
"#;
    let p = parse(text).expect("parses");
    assert_eq!(print(&p), text);
}

#[test]
fn errors_have_positions() {
    let body = |line: &str| {
        format!(
            "program LP64\nfunc f.0 () -> i32 {{\n  entry l0 exit l1\n  local x.0: i32\n  l0:\n{line}\n  l1:\n}}\n"
        )
    };
    let cases = [
        ("", 1, 1),
        ("program LP63\n", 1, 9),
        ("program LP64\nfunc f.1 ()\n", 2, 1),
        ("program LP64\nbogus 3\n", 2, 1),
        ("program LP64\nfunc f.0 () {\n", 3, 1),
        (&body("    e0 -> l1: return y.0"), 6, 22),
        (&body("    e0 -> l1: return x.1"), 6, 22),
        (&body("    e0 -> l7: return x.0"), 6, 11),
        (&body("    e0 -> l1: return x.0 + 1i64"), 6, 26),
        (&body("    e0 -> l1: return 300i8"), 6, 22),
        (&body("    e0 -> l1: return \"unfinished"), 6, 22),
        (&body("    e1 -> l1: return"), 6, 5),
        (&body("    e0 -> l1: return x.0 branch 0 true"), 6, 35),
        (&body(&format!("    e0 -> l1: return {}x.0{}", "(".repeat(9999), ")".repeat(9999))), 6, 223),
    ];
    for (text, line, col) in cases {
        let error = parse(text).expect_err(text);
        assert_eq!((error.line, error.col), (line, col), "{error} in\n{}", &text[..text.len().min(300)]);
    }
}

#[test]
fn damaged_texts_never_panic() {
    let mut rng = Rng::new(11);
    let mut rejected = 0;
    for seed in 0..60 {
        let text = print(&random_program(seed, 6)).into_bytes();
        for _ in 0..30 {
            let mut bytes = text.clone();
            for _ in 0..1 + rng.below(4) {
                let at = rng.below(bytes.len());
                match rng.below(4) {
                    0 => drop(bytes.remove(at)),
                    1 => bytes[at] = rng.pick(b"0123456789.:()[]{}$&@-+ \n\"xlefiu\xff"),
                    2 => bytes.truncate(at + 1),
                    _ => {
                        let from = rng.below(bytes.len());
                        let piece: Vec<u8> = bytes[from..(from + 20).min(bytes.len())].to_vec();
                        bytes.splice(at..at, piece);
                    }
                }
            }
            // Whatever still parses must survive the verifier and another round trip.
            match parse(&String::from_utf8_lossy(&bytes)) {
                Ok(p) => {
                    if verify(&p).is_ok() {
                        let again = print(&p);
                        assert_eq!(print(&parse(&again).expect("verified programs round-trip")), again);
                    }
                }
                Err(_) => rejected += 1,
            }
        }
    }
    assert!(rejected > 500, "{rejected}");
}
