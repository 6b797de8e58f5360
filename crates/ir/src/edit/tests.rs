//! Edits by their text, and random edits of random programs: they verify, and no row changes its number.

use cairn_base::Place;

use super::{Before, Havoc};
use crate::compact::{Drops, compact};
use crate::testing::{Rng, random_program};
use crate::text::{parse, print};
use crate::{Callee, EdgeId, Expr, FuncId, LocId, ObjId, Op, Program, VarId, verify};

const HEAD: &str = "program LP64\nbranches 1\n";

/// Edits a program given as text.
fn check(before: &str, edit: impl FnOnce(&mut Program), after: &str) {
    let mut p = parse(&format!("{HEAD}{before}")).expect("parses");
    verify(&p).expect("verifies");
    edit(&mut p);
    let text = print(&p);
    let text = text.strip_prefix(HEAD).expect("the same head");
    assert!(text == after, "got\n{text}\nexpected\n{after}");
    verify(&p).expect("verifies still");
}

const LOOP: &str = r#"func f.0 (i32) -> i32 {
  entry l0 exit l1
  params a.0
  param a.0: i32
  l0:
    e0 -> l2: when a.0 == 0i32 branch 0 true
    e1 -> l3: unless a.0 == 0i32 branch 0 false
  l1:
  l2:
    e2 -> l1: return a.0
  l3:
    e3 -> l0: a.0 := a.0 - 1i32
}
"#;

fn edge(n: u32) -> EdgeId {
    EdgeId::from_u32(n)
}

fn loc(n: u32) -> LocId {
    LocId::from_u32(n)
}

#[test]
fn insertions() {
    let f = FuncId::from_u32(0);
    check(
        LOOP,
        |p| {
            let dst = VarId::from_u32(0);
            let value = p.exprs.int(crate::IntTy::I32, 7);
            p.insert_at(loc(0), Op::Nop, Place::NONE);
            p.insert_before(edge(3), Op::Assign { dst, value });
            p.insert_behind(edge(3), Op::Nop);
            p.insert_at_entry(f, Op::Nop, Place::NONE);
        },
        r#"func f.0 (i32) -> i32 {
  entry l7 exit l1
  params a.0
  param a.0: i32
  l0:
    e4 -> l4: nop
  l1:
  l2:
    e2 -> l1: return a.0
  l3:
    e5 -> l5: a.0 := 7i32
  l4:
    e0 -> l2: when a.0 == 0i32 branch 0 true
    e1 -> l3: unless a.0 == 0i32 branch 0 false
  l5:
    e3 -> l6: a.0 := a.0 - 1i32
  l6:
    e6 -> l0: nop
  l7:
    e7 -> l0: nop
}
"#,
    );
}

/// Of a branch one side stays; what was behind the other is a hole, which has no operations.
#[test]
fn removals() {
    let f = FuncId::from_u32(0);
    check(
        LOOP,
        |p| {
            p.remove_edge(edge(1));
            p.forget_unreachable(f);
        },
        r#"func f.0 (i32) -> i32 {
  entry l0 exit l1
  params a.0
  param a.0: i32
  l0:
    e0 -> l2: when a.0 == 0i32
  l1:
  l2:
    e2 -> l1: return a.0
  l3:
    e3 -> l0: nop
  l4:
    e1 -> l3: unless true
}
"#,
    );
    check(
        LOOP,
        |p| {
            p.skip(loc(0), loc(2), &[Havoc::Var(VarId::from_u32(0))], "loop", Place::NONE);
            p.forget_unreachable(f);
        },
        r#"func f.0 (i32) -> i32 {
  entry l0 exit l1
  params a.0
  param a.0: i32
  l0:
    e4 -> l5: a.0 := input "loop"
  l1:
  l2:
    e2 -> l1: return a.0
  l3:
    e3 -> l0: nop
  l4:
    e0 -> l2: when true branch 0 true
    e1 -> l3: unless true branch 0 false
  l5:
    e5 -> l2: nop
}
"#,
    );
}

#[test]
fn a_stand_in_for_a_body() {
    let text = format!("object g.0: global size 12 align 4 static {{ }}\n{LOOP}");
    check(
        &text,
        |p| p.replace_body(FuncId::from_u32(0), &[Havoc::Object(ObjId::from_u32(0))]),
        r#"object g.0: global size 12 align 4 static { }
func f.0 (i32) -> i32 {
  entry l4 exit l1
  params a.0
  param a.0: i32
  temp tmp.1: ptr
  temp tmp.2: i32
  object f_.1 "f:": local size 12 align 4 uninit
  l0:
    e0 -> l2: when true branch 0 true
    e1 -> l3: unless true branch 0 false
  l1:
  l2:
    e2 -> l1: return
  l3:
    e3 -> l0: nop
  l4:
    e4 -> l5: begin f_.1
  l5:
    e5 -> l6: tmp.1 := input "f:"
  l6:
    e6 -> l7: store &f_.1, tmp.1
  l7:
    e7 -> l8: copy &g.0, &f_.1, 12u64
  l8:
    e8 -> l9: end f_.1
  l9:
    e9 -> l10: tmp.2 := input "f"
  l10:
    e10 -> l1: return tmp.2
}
"#,
    );
}

/// One random edit.
fn edit(p: &mut Program, rng: &mut Rng) {
    let e = edge(rng.below(p.edges.len()) as u32);
    let l = loc(rng.below(p.locs.len()) as u32);
    let f = FuncId::from_u32(rng.below(p.funcs.len()) as u32);
    let at = p.locs[l].func;
    let exit = |p: &Program, f: FuncId| p.funcs[f].body.as_ref().map(|b| b.exit);
    let is_exit = exit(p, at) == Some(l);
    let things = |p: &mut Program, rng: &mut Rng, f: FuncId| -> Vec<Havoc> {
        let own = |owner: Option<FuncId>| owner.is_none_or(|o| o == f);
        let mut all: Vec<Havoc> =
            p.vars.iter().filter(|(_, v)| own(v.owner)).map(|(v, _)| Havoc::Var(v)).collect();
        all.extend(p.objects.iter().filter(|(_, o)| own(o.owner)).map(|(o, _)| Havoc::Object(o)));
        let pointers: Vec<VarId> = p
            .vars
            .iter()
            .filter(|(_, v)| own(v.owner) && v.ty == crate::Ty::Ptr && v.kind != crate::VarKind::Temp)
            .map(|(v, _)| v)
            .collect();
        all.extend(pointers.into_iter().map(|v| Havoc::Behind(p.exprs.var(v))));
        all.retain(|_| rng.one_in(3));
        all
    };
    match rng.below(8) {
        0 if !is_exit && !p.locs[l].out.is_empty() => {
            p.insert_at(l, Op::Nop, Place::NONE);
        }
        1 if p.locs[p.edges[e].src].out.len() == 1 => {
            p.insert_before(e, Op::Nop);
        }
        // Behind what does not return nothing may follow from elsewhere, but it may.
        2 if !matches!(p.edges[e].op, Op::Return { .. }) && !p.locs[p.edges[e].dst].out.is_empty() => {
            p.insert_behind(e, Op::Nop);
        }
        3 if p.funcs[f].body.is_some() => p.insert_at_entry(f, Op::Nop, Place::NONE),
        4 if p.locs[p.edges[e].src].out.len() == 2 => {
            p.remove_edge(e);
            p.forget_unreachable(p.locs[p.edges[e].src].func);
        }
        5 if p.funcs[f].body.is_some() => {
            let any = things(p, rng, f);
            p.replace_body(f, &any);
        }
        6 if !is_exit && !p.locs[l].out.is_empty() => {
            // To where control comes from there anyway, so that temporaries are assigned.
            let out = p.locs[l].out.clone();
            let to = p.edges[out[0]].dst;
            if Some(to) != exit(p, at) && !p.locs[to].out.is_empty() && p.edges[out[0]].op.def().is_none() {
                let any = things(p, rng, at);
                p.skip(l, to, &any, "left out", Place::NONE);
                p.forget_unreachable(at);
            }
        }
        7 => {
            let sig = p.funcs[f].sig.clone();
            let other = p.new_function(p.funcs[f].name, sig, Place::NONE);
            p.redirect_calls(|g| (g == f).then_some(Callee::Func(other)));
        }
        _ => {}
    }
}

#[test]
fn random_edits_verify_and_keep_ids() {
    let mut holes = 0;
    for seed in 0..150 {
        let mut p = random_program(seed, 20);
        verify(&p).unwrap_or_else(|v| panic!("seed {seed}: {}", v[0]));
        let (old, before) = (p.clone(), Before::of(&p));
        let mut rng = Rng::new(seed);
        for n in 0..12 {
            edit(&mut p, &mut rng);
            verify(&p).unwrap_or_else(|v| panic!("seed {seed}, edit {n}: {}\n{}", v[0], print(&p)));
        }
        for (l, loc) in &old.locs {
            assert!(before.has_loc(l) && loc.func == p.locs[l].func && loc.labels == p.locs[l].labels);
        }
        for (e, edge) in &old.edges {
            assert!(before.has_edge(e) && edge.place == p.edges[e].place, "seed {seed}: {e}");
        }
        for (v, var) in &old.vars {
            assert!(before.has_var(v) && *var == p.vars[v]);
        }
        assert!(p.locs.keys().any(|l| !before.has_loc(l)), "seed {seed}: nothing was edited");
        // What is printed is read back, and simplification drops the holes.
        assert_eq!(print(&parse(&print(&p)).expect("parses")), print(&p), "seed {seed}");
        let locs = p.locs.len();
        crate::simplify(&mut p);
        holes += locs - p.locs.len();
    }
    assert!(holes > 1000, "{holes}");
}

#[test]
fn compaction_gives_a_map_back() {
    let text =
        format!("{HEAD}global g.0: i32 = 0i32\nglobal h.1: i32 = 5i32\n{}", LOOP.replace("a.0", "a.2"));
    let mut p = parse(&text).expect("parses");
    let old = p.clone();
    let mut drops = Drops::none(&p);
    drops.vars.insert(0);
    let map = compact(&mut p, &drops);
    verify(&p).expect("verifies");
    let (a, h) = (VarId::from_u32(2), VarId::from_u32(1));
    assert_eq!(map.vars.get(VarId::from_u32(0)), None);
    assert_eq!((map.vars.get(h), map.vars.get(a)), (Some(VarId::from_u32(0)), Some(h)));
    assert_eq!(map.vars.old(h), a);
    let Op::Assume { cond, .. } = p.edges[edge(0)].op else { panic!("a branch") };
    let mut pool = old.exprs.clone();
    let back = map.old_expr(&p.exprs, &mut pool, cond);
    let Op::Assume { cond, .. } = old.edges[edge(0)].op else { panic!("a branch") };
    assert_eq!(back, cond);
    assert!(matches!(pool.get(back), Expr::Binary(..)));
}
