//! Engines and the checker mean the same locations by *loop head* (see
//! [`cairn_core::LoopProof`]), which each finds by its own code: on random programs
//! as they are, irreducible ones among them, and as engines get them.

use std::collections::BTreeSet;

use cairn_encode::wto::{Wto, order};
use cairn_ir::dom::Dominators;
use cairn_ir::graph::Graph;
use cairn_ir::loops::Loops;
use cairn_ir::reducible::make_reducible;
use cairn_ir::testing::random_program;
use cairn_ir::{FuncId, LocId, Program};
use cairn_path::shape::ProgramShape;

/// The heads at which the unroller counts turns: `bmc`, `kinduction`, the attack, and `gps` through them.
fn unrolled(elements: &[Wto], found: &mut BTreeSet<LocId>) {
    for e in elements {
        if let Wto::Loop(head, body) = e {
            found.insert(*head);
            unrolled(body, found);
        }
    }
}

/// The heads of a function by the names of the engines.
fn by_engines(p: &Program, f: FuncId, shape: &ProgramShape) -> [(&'static str, Vec<LocId>); 3] {
    let mut heads = BTreeSet::new();
    unrolled(&order(p, f), &mut heads);
    let body = p.funcs[f].body.as_ref().expect("a body");
    let mut paths: Vec<LocId> = body.locs.iter().copied().filter(|&l| shape.is_head(l)).collect();
    paths.sort_unstable();
    let graph = Graph::new(p, f).expect("a body");
    [
        ("the unroller", heads.into_iter().collect()),
        ("ranges and executor", graph.heads()),
        ("symbolic execution", paths),
    ]
}

fn is_irreducible(p: &Program, f: FuncId) -> bool {
    let g = Graph::new(p, f).expect("a body");
    !Loops::new(p, &g, &Dominators::forward(&g)).irreducible.is_empty()
}

#[test]
fn engines_and_checker_mean_the_same_heads() {
    let (mut loops, mut refused, mut split) = (0, 0, 0);
    for seed in 0..400 {
        let mut p = random_program(seed, 5 + seed as usize % 40);
        for reducible in [false, true] {
            if reducible {
                make_reducible(&mut p);
            }
            let shape = ProgramShape::new(&p);
            for f in p.funcs.keys().filter(|&f| p.funcs[f].body.is_some()) {
                let found = cairn_checker::loop_heads(&p, f).expect("a body");
                assert_eq!(found.is_err(), is_irreducible(&p, f), "seed {seed}, {f}");
                match found {
                    Ok(heads) => {
                        for (which, named) in by_engines(&p, f, &shape) {
                            assert_eq!(named, heads, "{which}, seed {seed}, {f}");
                        }
                        loops += heads.len();
                        split += usize::from(reducible);
                    }
                    Err(at) => {
                        assert!(!reducible, "seed {seed}, {f}: a cycle entered twice at {at} is left");
                        refused += 1;
                    }
                }
            }
        }
    }
    assert!(loops > 500 && refused > 30 && split > 400, "{loops} {refused} {split}");
}
