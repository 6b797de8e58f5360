//! No proof is accepted for a program that has an error: neither one that says
//! nothing, nor one that bounds everything, nor one with facts made up at random.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use cairn_base::{Budget, DataModel};
use cairn_cfront::{Input, Options, compile};
use cairn_checker::{Rejection, check};
use cairn_core::{Case, CutPoint, Cuts, LoopProof, Proof, Property, Task};
use cairn_ir::dom::Dominators;
use cairn_ir::graph::Graph;
use cairn_ir::loops::Loops;
use cairn_ir::{BinOp, Callee, EdgeId, ExprId, ExprPool, FuncId, LocId, Op, Program, Ty, VarId};
use fastrand::Rng;

fn programs() -> Vec<PathBuf> {
    let dir = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").expect("cargo says where the crate is"))
        .join("../../tests/programs/verify");
    let all = std::fs::read_dir(dir).expect("the directory of verification tasks");
    let mut found: Vec<PathBuf> = all.map(|f| f.expect("an entry").path()).collect();
    found.retain(|f| f.to_str().is_some_and(|f| f.ends_with("_unsafe.c")));
    found.sort();
    found
}

fn heads(p: &Program) -> Vec<LocId> {
    let graphs = p.funcs.keys().filter_map(|f| Graph::new(p, f));
    graphs
        .flat_map(|g| {
            let dom = Dominators::forward(&g);
            Loops::new(p, &g, &dom).loops.values().map(|l| l.header).collect::<Vec<_>>()
        })
        .collect()
}

/// A comparison between two integers of a function.
fn fact(p: &Program, x: &mut ExprPool, head: LocId, rng: &mut Rng) -> Option<ExprId> {
    let f = p.locs[head].func;
    let visible = |v: &VarId| p.vars[*v].owner.is_none_or(|o| o == f) && p.vars[*v].ty.int().is_some();
    let vars: Vec<VarId> = p.vars.keys().filter(visible).collect();
    let a = *vars.get(rng.usize(..vars.len().max(1)))?;
    let like: Vec<VarId> = vars.iter().copied().filter(|&v| p.vars[v].ty == p.vars[a].ty).collect();
    let Ty::Int(ty) = p.vars[a].ty else { return None };
    let b = match rng.bool() {
        true => x.int(ty, rng.i8(..).into()),
        false => x.var(like[rng.usize(..like.len())]),
    };
    let a = x.var(a);
    let op = [BinOp::Le, BinOp::Lt, BinOp::Eq, BinOp::Ne][rng.usize(..4)];
    Some(x.binary(op, a, b))
}

/// The calls that can be open, without recursion.
fn stacks(p: &Program, entry: FuncId) -> Vec<(Vec<EdgeId>, FuncId)> {
    let mut found = vec![(Vec::new(), entry)];
    let mut at = 0;
    while let Some((calls, f)) = found.get(at).cloned() {
        at += 1;
        for (e, edge) in p.edges.iter().filter(|(_, edge)| p.locs[edge.src].func == f) {
            let Op::Call { callee: Callee::Func(g), .. } = edge.op else { continue };
            let open = |e: &EdgeId| p.locs[p.edges[*e].src].func == g;
            if p.funcs[g].body.is_some() && g != f && !calls.iter().any(open) && found.len() < 20 {
                found.push((calls.iter().copied().chain([e]).collect(), g));
            }
        }
    }
    found
}

/// Cases made up at random at some locations.
fn cuts(t: &Task, exprs: &mut ExprPool, rng: &mut Rng) -> Cuts {
    let p = &t.program;
    let mut cuts = Cuts::default();
    for (calls, f) in stacks(p, t.entry) {
        let locs: Vec<LocId> = p.funcs[f].body.iter().flat_map(|b| b.locs.iter().copied()).collect();
        for at in locs {
            let several = p.locs[at].inn.len() > 1;
            if !several && rng.u32(..6) > 0 {
                continue;
            }
            for _ in 0..rng.usize(1..4) {
                let n = rng.usize(1..3);
                let facts = (0..n).filter_map(|_| fact(p, exprs, at, rng)).collect();
                let point = CutPoint { calls: calls.clone(), at };
                cuts.cases.entry(point).or_default().push(Case { facts });
            }
        }
    }
    cuts
}

#[test]
fn are_never_proved_by_cases() {
    let mut rng = Rng::with_seed(5);
    let (mut checks, mut wrong) = (0, 0);
    for file in programs() {
        let Ok(c) = compile(&[Input::File(file.clone())], &Options::default(), None) else {
            panic!("{} does not compile", file.display())
        };
        let Ok(t) = Task::new(c.program, Property::default(), cairn_core::Options::default()) else {
            panic!("{} is no task", file.display())
        };
        let p = &t.program;
        for round in 0..2 {
            let mut exprs = p.exprs.clone();
            let loops = heads(p).into_iter().map(|h| (h, LoopProof::Bound(11))).collect();
            let recursion = p.funcs.keys().map(|f| (f, 1 + 3 * round)).collect();
            let cuts = cuts(&t, &mut exprs, &mut rng);
            let proof = Proof { exprs, loops, recursion, contracts: BTreeMap::new(), cuts, sole: None };
            let budget = Budget::default().with_time(Duration::from_millis(300));
            checks += 1;
            match check(p, t.entry, &proof, &|| cairn_smt::standard(), &budget) {
                Ok(_) => panic!("{}: accepted {:?}", file.display(), proof.cuts),
                Err(Rejection::Wrong { .. }) => wrong += 1,
                Err(Rejection::Layout | Rejection::Unknown(_)) => {}
            }
        }
    }
    assert!(checks > 40 && wrong * 4 > checks, "{wrong} of {checks} are found wrong");
}

#[test]
fn are_never_proved() {
    let mut rng = Rng::with_seed(3);
    let (mut checks, mut wrong) = (0, 0);
    for file in programs() {
        for model in [DataModel::Lp64, DataModel::Ilp32] {
            let Ok(c) = compile(&[Input::File(file.clone())], &Options::with_model(model), None) else {
                panic!("{} does not compile", file.display())
            };
            let Ok(t) = Task::new(c.program, Property::default(), cairn_core::Options::default()) else {
                panic!("{} is no task", file.display())
            };
            let p = &t.program;
            for round in 0..7 {
                let mut exprs = p.exprs.clone();
                let mut loops = BTreeMap::new();
                for head in heads(p) {
                    let proof = match round {
                        0 => LoopProof::Bound(3),
                        1 => LoopProof::Bound(11),
                        2 | 3 => LoopProof::Invariant { k: round - 1, facts: vec![] },
                        _ => {
                            let n = rng.usize(..3);
                            let facts = (0..n).filter_map(|_| fact(p, &mut exprs, head, &mut rng)).collect();
                            LoopProof::Invariant { k: rng.u32(1..4), facts }
                        }
                    };
                    loops.insert(head, proof);
                }
                let recursion = p.funcs.keys().map(|f| (f, 1 + 3 * (round % 3))).collect();
                let proof = Proof {
                    exprs,
                    loops,
                    recursion,
                    contracts: BTreeMap::new(),
                    cuts: Default::default(),
                    sole: None,
                };
                let budget = Budget::default().with_time(Duration::from_millis(1000));
                checks += 1;
                match check(p, t.entry, &proof, &|| cairn_smt::standard(), &budget) {
                    Ok(_) => panic!("{} in {model}: accepted {:?}", file.display(), proof.loops),
                    // Where a layout decides, the refusal is to be asked again with addresses as inputs.
                    Err(Rejection::Wrong { .. } | Rejection::Layout) => wrong += 1,
                    Err(Rejection::Unknown(_)) => {}
                }
            }
        }
    }
    assert!(checks > 300 && wrong * 10 > checks * 8, "{wrong} of {checks} are found wrong");
}
