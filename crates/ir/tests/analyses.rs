//! The analyses on small functions whose answers are plain to see, and on a
//! large one whose answer must come fast.

use std::time::{Duration, Instant};

use cairn_ir::assigned::unassigned_reads;
use cairn_ir::callgraph::CallGraph;
use cairn_ir::dom::Dominators;
use cairn_ir::features::Features;
use cairn_ir::graph::{Blocks, Graph};
use cairn_ir::liveness::Liveness;
use cairn_ir::loops::Loops;
use cairn_ir::text::parse;
use cairn_ir::*;

fn l(i: u32) -> LocId {
    LocId::from_u32(i)
}

fn program(text: &str) -> Program {
    let p = parse(text).unwrap_or_else(|e| panic!("{e}"));
    verify(&p).unwrap_or_else(|v| panic!("{v:#?}"));
    p
}

/// Two nested loops, the inner one left from the middle:
/// `for (i..) { for (j..) { if (j == 3) goto out; } } out: return i;`
const NEST: &str = r#"program LP64
entry main.0
branches 3
func main.0 (i32) -> i32 {
  entry l0 exit l1
  params n.0
  param n.0: i32
  local i.1: i32
  local j.2: i32
  local unset.3: i32
  l0:
    e0 -> l2: i.1 := 0i32
  l1:
  l2: loop
    e1 -> l3: when i.1 < n.0 branch 0 true
    e2 -> l8: unless i.1 < n.0 branch 0 false
  l3:
    e3 -> l4: j.2 := 0i32
  l4: loop
    e4 -> l5: when j.2 < n.0 branch 1 true
    e5 -> l7: unless j.2 < n.0 branch 1 false
  l5:
    e6 -> l8: when j.2 == 3i32 branch 2 true
    e7 -> l6: unless j.2 == 3i32 branch 2 false
  l6:
    e8 -> l4: j.2 := j.2 + unset.3
  l7:
    e9 -> l2: i.1 := i.1 + 1i32
  l8:
    e10 -> l1: return i.1
}
"#;

#[test]
fn dominators_of_nested_loops() {
    let p = program(NEST);
    let g = Graph::new(&p, p.entry.unwrap()).unwrap();
    let dom = Dominators::forward(&g);
    let expected =
        [(2, Some(0)), (3, Some(2)), (4, Some(3)), (5, Some(4)), (8, Some(2)), (1, Some(8)), (0, None)];
    for (of, is) in expected {
        assert_eq!(dom.immediate_loc(&g, l(of)), is.map(l), "l{of}");
    }
    let post = Dominators::backward(&g);
    let expected =
        [(0, Some(2)), (2, Some(8)), (3, Some(4)), (5, Some(8)), (6, Some(4)), (8, Some(1)), (1, None)];
    for (of, is) in expected {
        assert_eq!(post.immediate_loc(&g, l(of)), is.map(l), "l{of}");
    }
}

#[test]
fn nested_loops() {
    let p = program(NEST);
    let g = Graph::new(&p, p.entry.unwrap()).unwrap();
    let loops = Loops::new(&p, &g, &Dominators::forward(&g));
    let found: Vec<_> = loops.loops.values().map(|x| (x.header, x.depth, x.own.clone())).collect();
    assert_eq!(found, [(l(4), 2, vec![l(4), l(5), l(6)]), (l(2), 1, vec![l(2), l(3), l(7)])]);
    assert!(loops.irreducible.is_empty());
    assert_eq!(g.heads(), [l(2), l(4)]);
    assert_eq!(loops.depth(&g, l(6)), 2);
    assert_eq!(loops.depth(&g, l(8)), 0);
    assert!(loops.is_header(&g, l(4)) && !loops.is_header(&g, l(5)));
}

#[test]
fn jumps_into_a_loop_are_irreducible() {
    let p = program(
        r#"program LP64
branches 0
func f.0 (i32) {
  entry l0 exit l1
  params a.0
  param a.0: i32
  l0:
    e0 -> l2: when a.0 == 0i32
    e1 -> l3: unless a.0 == 0i32
  l1:
  l2:
    e2 -> l3: nop
  l3:
    e3 -> l2: when a.0 == 1i32
    e4 -> l4: unless a.0 == 1i32
  l4:
    e5 -> l1: return
}
"#,
    );
    let g = Graph::new(&p, FuncId::from_u32(0)).unwrap();
    let loops = Loops::new(&p, &g, &Dominators::forward(&g));
    assert_eq!(loops.loops.len(), 0);
    assert_eq!(loops.irreducible.len(), 1);
    assert_eq!(loops.irreducible[0].locs, [l(2), l(3)]);
    assert_eq!(loops.irreducible[0].entries, [l(2), l(3)]);
    assert_eq!(g.heads(), [l(2)]);
}

#[test]
fn live_variables() {
    let p = program(NEST);
    let g = Graph::new(&p, p.entry.unwrap()).unwrap();
    let blocks = Blocks::new(&p, &g);
    let live = Liveness::new(&p, &g, &blocks);
    let at = |i: u32| live.at(l(i)).iter().map(|&v| p.vars[v].name.to_string()).collect::<Vec<_>>();
    assert_eq!(at(0), ["n", "unset"]);
    assert_eq!(at(2), ["n", "i", "unset"]);
    assert_eq!(at(4), ["n", "i", "j", "unset"]);
    assert_eq!(at(7), ["n", "i", "unset"]);
    assert_eq!(at(8), ["i"]);
    assert!(at(1).is_empty());
    let reads = unassigned_reads(&p, &g, &blocks);
    assert_eq!(reads, [(EdgeId::from_u32(8), VarId::from_u32(3))]);
}

#[test]
fn call_graph() {
    let p = program(
        r#"program LP64
entry main.0
branches 0
object table.0: global size 8 align 8 static { 0: fn b.2 + 0 bytes 8 }
func main.0 () {
  entry l0 exit l1
  local p.0: ptr
  l0:
    e0 -> l2: p.0 := load &table.0
  l1:
  l2:
    e1 -> l3: call [p.0] (i32) with(1i32)
  l3:
    e2 -> l1: return
}
func a.1 (i32) {
  entry l4 exit l5
  params x.1
  param x.1: i32
  l4:
    e3 -> l6: call c.3(x.1)
  l5:
  l6:
    e4 -> l5: return
}
func b.2 (i32) {
  entry l7 exit l8
  params y.2
  param y.2: i32
  l7:
    e5 -> l9: call a.1(y.2)
  l8:
  l9:
    e6 -> l8: return
}
func c.3 (i32) {
  entry l10 exit l11
  params z.3
  param z.3: i32
  local q.4: ptr
  l10:
    e7 -> l12: call a.1(z.3)
  l11:
  l12:
    e8 -> l13: q.4 := fn d.4
  l13:
    e9 -> l11: return
}
func d.4 (i64)
func e.5 ()
"#,
    );
    let f = FuncId::from_u32;
    let calls = CallGraph::new(&p);
    assert_eq!(calls.address_taken, [f(2), f(4)]);
    assert_eq!(calls.callees(f(0)), [f(2)], "by signature, of those whose address is taken");
    assert!(calls.calls(f(0))[0].indirect);
    assert!(calls.is_recursive(f(1)) && calls.is_recursive(f(3)));
    assert!(!calls.is_recursive(f(0)) && !calls.is_recursive(f(2)));
    assert!(calls.same_component(f(1), f(3)) && !calls.same_component(f(1), f(2)));
    assert_eq!(calls.reachable(f(0)), [f(0), f(1), f(2), f(3)]);
    let order: Vec<FuncId> = calls.bottom_up().collect();
    let position = |x: FuncId| order.iter().position(|&y| y == x).unwrap();
    assert!(position(f(1)) < position(f(2)) && position(f(2)) < position(f(0)));
}

#[test]
fn program_features() {
    let p = program(NEST);
    let features = Features::new(&p);
    let get = |name: &str| features.pairs().into_iter().find(|x| x.0 == name).unwrap().1;
    assert_eq!(get("functions"), 1);
    assert_eq!(get("loops"), 2);
    assert_eq!(get("max_loop_depth"), 2);
    assert_eq!(get("branches"), 3);
    assert_eq!(get("cyclomatic"), 4);
    assert_eq!(get("recursive_functions"), 0);
}

/// A function of many thousand early returns and loops, the shape that makes naive dominators and
/// liveness quadratic.
#[test]
fn large_functions_are_fast() {
    let rounds = 25_000;
    let mut p = program(NEST);
    let f = p.entry.unwrap();
    let exit = p.funcs[f].body.as_ref().unwrap().exit;
    let mut at = p.new_loc(f);
    let start = l(0);
    let first = p.locs[start].out[0];
    // The new part comes first.
    let old = p.edges[first].dst;
    p.locs[old].inn.retain(|e| *e != first);
    p.edges[first].dst = at;
    p.locs[at].inn.push(first);
    let param = VarId::from_u32(0);
    for i in 0..rounds {
        let n = p.exprs.var(param);
        let k = p.exprs.int(IntTy::I32, i);
        let cond = p.exprs.binary(BinOp::Eq, n, k);
        let (ret, next) = (p.new_loc(f), p.new_loc(f));
        p.new_branch(at, cond, ret, next, Place::NONE, true);
        p.new_edge(ret, exit, Op::Return { value: Some(k) }, Place::NONE);
        let ty = Ty::I32;
        let temp = p.new_var(Var {
            name: sym("t"),
            ty,
            owner: Some(f),
            kind: VarKind::Temp,
            place: Place::NONE,
            scope: Place::NONE,
            dtype: None,
        });
        let after = p.new_loc(f);
        p.new_edge(next, after, Op::Assign { dst: temp, value: k }, Place::NONE);
        at = after;
    }
    p.new_edge(at, old, Op::Nop, Place::NONE);
    let begin = Instant::now();
    verify(&p).expect("verifies");
    let g = Graph::new(&p, f).unwrap();
    let dom = Dominators::forward(&g);
    let _ = Dominators::backward(&g);
    let loops = Loops::new(&p, &g, &dom);
    assert_eq!(loops.loops.len(), 2);
    let blocks = Blocks::new(&p, &g);
    let live = Liveness::new(&p, &g, &blocks);
    assert_eq!(live.at(l(8)).len(), 1);
    let text = text::print(&p);
    assert_eq!(text::print(&parse(&text).unwrap()), text);
    promote(&mut p);
    simplify(&mut p);
    assert!(p.edges.len() < 100_000);
    // Generous, as other work may share the machine: quadratic behaviour takes minutes.
    assert!(begin.elapsed() < Duration::from_secs(20), "{:?}", begin.elapsed());
}
