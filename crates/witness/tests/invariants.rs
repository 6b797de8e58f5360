//! Invariants at every kind of loop: built into the program, where they hold
//! exactly as long as they are true, and found again in the automata.

use cairn_base::{Budget, DataModel};
use cairn_cfront::{Input, Options, compile};
use cairn_core::{LoopProof, Proof, Property, Task};
use cairn_ir::{BinOp, Program, VarKind};
use cairn_sem::{End, Executor};
use cairn_witness::witness::{Invariant, Position};
use cairn_witness::{Sources, WitnessError, evidence, validate};

const LOOPS: &str = "\
int n = 3;
int main(void) {
    int i = 0, total = 0;
    while (i < n) { i++; }
    for (int j = 0; j < n; j++) total++;
    for (i = 0;; i++) { if (i == n) break; }
    for (;;) { if (--i == 0) break; }
    do i++; while (i < n);
    do { int i = 7; total += i; } while (total < 20);
    if (total) while (total) total--;
    switch (total) { case 0: i = 1; default: i = 2; }
    return 0;
}
";

fn input(text: &str) -> Vec<Input> {
    vec![Input::Text { name: "loops.c".into(), text: text.into() }]
}

fn options() -> Options {
    Options::with_model(DataModel::Lp64)
}

fn invariant(line: u32, column: u32, is_loop: bool, value: &str) -> Invariant {
    let at = Position { file: "loops.c".into(), line, column: Some(column), function: None };
    Invariant { at, is_loop, value: value.into() }
}

fn build(invariants: &[Invariant]) -> Result<Program, String> {
    let sources = Sources::load(&input(LOOPS), &options(), None).map_err(|e| e.to_string())?;
    let inputs = validate::with_invariants(&sources, invariants).map_err(|e| e.to_string())?;
    let compiled = compile(&inputs, &options(), None);
    compiled.map(|c| c.program).map_err(|r| r.diagnostics[0].message.clone())
}

/// Do the invariants hold in the one execution there is?
fn holds(invariants: &[Invariant]) -> bool {
    let program = build(invariants).unwrap_or_else(|e| panic!("{e}"));
    let broken = Property::UnreachCall { functions: vec![validate::BROKEN.into()], assertions: false };
    let task = Task::new(program, broken, Default::default()).unwrap();
    let mut io = cairn_sem::Captured::default();
    let options = cairn_sem::Options { targets: vec![], ..Default::default() };
    match Executor::new(&task.program, options, Budget::default()).run_with(&mut io, None).end {
        End::Exit(0) => true,
        End::ErrorReached(_) => false,
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_kind_of_loop() {
    let cases = [
        (4, 5, "i <= n", "i < n"),
        (5, 5, "j <= n && total == j", "j < n"),
        (6, 5, "0 <= i && i <= n", "i < n"),
        (7, 5, "i > 0", "i > 1"),
        (8, 5, "i < n", "i > 0"),
        (9, 5, "i == 3 && total < 20", "i == 7"),
        (10, 16, "total >= 0", "total > 0"),
    ];
    for (line, column, good, bad) in cases {
        assert!(holds(&[invariant(line, column, true, good)]), "{line}: {good}");
        assert!(!holds(&[invariant(line, column, true, bad)]), "{line}: {bad}");
        // A column that is not quite right does no harm.
        assert!(holds(&[invariant(line, column + 1, true, good)]), "{line}");
        assert!(holds(&[invariant(line, column, true, good), invariant(line, column, true, "n == 3")]));
    }
    assert!(holds(&[invariant(5, 33, false, "total == j")]));
    assert!(!holds(&[invariant(5, 33, false, "total > j")]));
    assert!(holds(&[invariant(11, 30, false, "total == 0")]));
    assert!(!holds(&[invariant(12, 5, false, "i == 1")]));
}

#[test]
fn what_does_not_fit_is_refused() {
    let message = |i: Invariant| build(&[i]).unwrap_err();
    assert!(message(invariant(3, 5, true, "1")).contains("no loop at loops.c:3:5"));
    assert!(message(invariant(99, 5, false, "1")).contains("no statement"));
    assert!(message(invariant(4, 5, true, "unknown > 1")).contains("unknown"));
    assert!(message(invariant(4, 5, true, "i +")).contains("expected"));
    assert!(message(invariant(4, 5, true, "i = 5")).contains("side effect"));
    let bad = Sources::load(&input("int x"), &options(), None);
    assert!(matches!(bad, Err(WitnessError::Program(_))));
}

#[test]
fn invariants_are_found_in_the_automata() {
    let mut program = build(&[
        invariant(4, 5, true, "i <= n && i >= 0"),
        invariant(4, 5, true, "i < 100"),
        invariant(8, 5, true, "i != 77"),
        invariant(5, 5, true, "j >= 0"),
    ])
    .unwrap();
    let facts = validate::facts(&mut program);
    assert_eq!(facts.len(), 4, "{facts:?}");
    let lines: Vec<u32> = facts.iter().map(|f| program.locs[f.at].loop_stmt.unwrap().line).collect();
    assert_eq!(lines.iter().filter(|&&l| l == 4).count(), 2, "{lines:?}");
}

/// Facts over all variables of a program, at all its loops: what can be said in C is accepted
/// by the compiler and means the same variable.
#[test]
fn facts_become_c_where_names_are_visible() {
    let compiled = compile(&input(LOOPS), &options(), None).map_err(|_| ()).unwrap();
    let mut program = compiled.program;
    let sources = Sources::load(&input(LOOPS), &options(), None).unwrap();
    let heads: Vec<_> = program.locs.iter().filter(|(_, l)| l.loop_stmt.is_some()).map(|(l, _)| l).collect();
    let vars: Vec<_> = program.vars.iter().filter(|(_, v)| v.kind != VarKind::Temp).map(|(v, _)| v).collect();
    let mut loops = std::collections::BTreeMap::new();
    let mut total = 0;
    for &head in &heads {
        let mut facts = Vec::new();
        for &v in &vars {
            let ty = program.vars[v].ty.int().unwrap();
            let (x, five) = (program.exprs.var(v), program.exprs.int(ty, 5));
            let sum = program.exprs.binary(BinOp::Add, x, five);
            facts.push(program.exprs.binary(BinOp::Le, x, sum));
        }
        total += facts.len();
        loops.insert(head, LoopProof::Invariant { k: 1, facts });
    }
    let proof = Proof {
        exprs: program.exprs.clone(),
        loops,
        recursion: Default::default(),
        contracts: Default::default(),
        cuts: Default::default(),
        sole: None,
    };
    let (invariants, left_out) = evidence::invariants(&program, &sources, &proof);
    assert_eq!(invariants.len() + left_out, total);
    let at = |line: u32| {
        let mut names: Vec<&str> = invariants
            .iter()
            .filter(|i| i.at.line == line)
            .map(|i| i.value.split(' ').next().unwrap())
            .collect();
        names.sort_unstable();
        names
    };
    assert_eq!(at(4), ["i", "n", "total"], "{invariants:?}");
    assert_eq!(at(5), ["i", "j", "n", "total"]);
    // The inner `i` of line 9 is not visible at the loop.
    assert_eq!(at(9), ["i", "n", "total"]);
    assert!(invariants[0].value.contains("(int)((unsigned int)"), "{}", invariants[0].value);
    assert!(holds(&invariants));
}
