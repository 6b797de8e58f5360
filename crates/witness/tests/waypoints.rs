//! Every kind of waypoint, at every form of statement that has one: executions
//! along the witness fail, all others do not.

use cairn_base::{Budget, DataModel};
use cairn_cfront::{Input, Options, compile};
use cairn_core::{Property, Task};
use cairn_sem::{End, Executor, Given};
use cairn_witness::witness::{Choice, Position, Segment, Waypoint, WaypointKind};
use cairn_witness::{Sources, validate};

const PROGRAM: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int twice(int x) { return 2 * x; }
void nothing(int x) { if (x == 5) x = 0; }
int main(void) {
    int a = __VERIFIER_nondet_int();
    int b = twice(__VERIFIER_nondet_int());
    if (a > 3) b++;
    while (a > 10) a--;
    for (;;) { if (b < 4) break; b--; }
    switch (a) { case 1: b = 1; break; case 2 ... 4: b = 2; break; default: b = 3; }
    nothing(twice(a));
    int c = a > 2 ? 7 : 8;
    do c--; while (c > 7);
    if (a >= 0) reach_error();
    return c;
}
";

fn options() -> Options {
    Options::with_model(DataModel::Lp64)
}

fn at(line: u32, column: u32) -> Position {
    Position { file: "p.c".into(), line, column: Some(column), function: None }
}

fn go(kind: WaypointKind, line: u32, column: u32) -> Segment {
    Segment::follow(kind, at(line, column))
}

fn target() -> Segment {
    go(WaypointKind::Target, 15, 17)
}

fn fails(segments: &[Segment], inputs: [i128; 2]) -> Result<bool, String> {
    let unit = [Input::Text { name: "p.c".into(), text: PROGRAM.into() }];
    let sources = Sources::load(&unit, &options(), None).map_err(|e| e.to_string())?;
    let followed = validate::with_segments(&sources, segments).map_err(|e| e.to_string())?;
    let lines = |i: &Input| match i {
        Input::Text { text, .. } => text.lines().count(),
        Input::File(_) => 0,
    };
    assert_eq!(lines(&followed.inputs[0]), PROGRAM.lines().count() + 3);
    let compiled =
        compile(&followed.inputs, &options(), None).map_err(|r| r.diagnostics[0].message.clone())?;
    let mut task = Task::new(compiled.program, Property::default(), Default::default()).unwrap();
    assert!(validate::guard_errors(&mut task.program, followed.armed));
    cairn_ir::verify(&task.program).unwrap_or_else(|v| panic!("{}", v[0]));
    let options = cairn_sem::Options {
        inputs: inputs.iter().map(|&n| Given::Int(n)).collect(),
        targets: vec![],
        ..Default::default()
    };
    let mut io = cairn_sem::Captured::default();
    match Executor::new(&task.program, options, Budget::default()).run_with(&mut io, None).end {
        End::ErrorReached(_) => Ok(true),
        End::Exit(_) | End::AssumptionFailed(_) => Ok(false),
        other => Err(format!("{other:?}")),
    }
}

/// `yes` fails along the witness, `no` does not.
#[track_caller]
fn along(mut segments: Vec<Segment>, yes: [i128; 2], no: [i128; 2]) {
    segments.push(target());
    assert_eq!(fails(&segments, yes), Ok(true), "{segments:?}");
    assert_eq!(fails(&segments, no), Ok(false), "{segments:?}");
}

fn branch(choice: Choice) -> WaypointKind {
    WaypointKind::Branching(choice)
}

fn result(constraint: &str) -> WaypointKind {
    WaypointKind::FunctionReturn { constraint: Some(constraint.into()), function: None }
}

#[test]
fn the_target_alone() {
    along(vec![], [0, 0], [-1, 0]);
}

#[test]
fn assumptions_before_statements() {
    along(vec![go(WaypointKind::Assumption("a == 7 && b == 2".into()), 8, 5)], [7, 1], [7, 2]);
    // As the body of an `if`.
    along(vec![go(WaypointKind::Assumption("b == 2".into()), 8, 16)], [7, 1], [3, 1]);
    // In a loop: at some visit.
    along(vec![go(WaypointKind::Assumption("a == 12".into()), 9, 20)], [20, 1], [11, 1]);
}

#[test]
fn assumptions_after_statements() {
    along(
        vec![go(WaypointKind::AssumptionAfter(vec!["a == 7".into(), "undeclared == 1".into()]), 6, 5)],
        [7, 1],
        [8, 1],
    );
    along(
        vec![go(WaypointKind::AssumptionAfter(vec!["b == 3".into(), "undeclared == 1".into()]), 8, 16)],
        [7, 1],
        [7, 2],
    );
}

#[test]
fn decisions() {
    along(vec![go(branch(Choice::True), 8, 5)], [4, 0], [3, 0]);
    along(vec![go(branch(Choice::False), 8, 5)], [3, 0], [4, 0]);
    along(vec![go(branch(Choice::True), 9, 5), go(branch(Choice::True), 9, 5)], [12, 0], [11, 0]);
    along(vec![go(branch(Choice::False), 10, 16), go(branch(Choice::True), 10, 16)], [1, 2], [1, 0]);
    along(vec![go(branch(Choice::Case("3".into())), 11, 5)], [3, 0], [4, 0]);
    along(vec![go(branch(Choice::Default), 11, 5)], [5, 0], [4, 0]);
    // The question mark, and the condition of a `do`.
    along(vec![go(branch(Choice::False), 13, 19)], [2, 0], [3, 0]);
    along(vec![go(branch(Choice::False), 14, 5)], [2, 0], [-2, 0]);
}

#[test]
fn calls() {
    along(vec![go(result("\\result == 6"), 6, 35)], [6, 0], [7, 0]);
    along(vec![go(result("\\result > 2"), 7, 41), go(result("\\result > 6"), 7, 42)], [1, 4], [1, 3]);
    let enter = || WaypointKind::FunctionEnter(None);
    // The argument's call comes first.
    along(vec![go(result("\\result == 2"), 12, 20), go(enter(), 12, 21)], [1, 0], [2, 0]);
    along(
        vec![
            go(enter(), 12, 21),
            go(WaypointKind::FunctionReturn { constraint: None, function: None }, 12, 21),
            go(WaypointKind::Assumption("a == 1".into()), 13, 5),
        ],
        [1, 0],
        [2, 0],
    );
}

#[test]
fn avoided_waypoints_end_the_execution() {
    let mut last = target();
    last.avoid.push(Waypoint { kind: branch(Choice::True), at: at(8, 5) });
    assert_eq!(fails(&[last.clone()], [3, 0]), Ok(true));
    assert_eq!(fails(&[last], [4, 0]), Ok(false));
}

#[test]
fn without_columns_and_without_a_target() {
    let line = |n| Position { file: "elsewhere/p.c".into(), line: n, column: None, function: None };
    let taken = Segment::follow(branch(Choice::True), line(8));
    let anywhere = Segment::follow(WaypointKind::Target, Position::default());
    assert_eq!(fails(&[taken.clone(), anywhere.clone()], [4, 0]), Ok(true));
    assert_eq!(fails(&[taken, anywhere], [3, 0]), Ok(false));
}

#[test]
fn what_does_not_fit_is_refused() {
    let fail = |s: Segment| fails(&[s, target()], [0, 0]).unwrap_err();
    assert!(fail(go(branch(Choice::True), 6, 5)).contains("no decision at p.c:6:5"));
    assert!(fail(go(branch(Choice::Default), 8, 5)).contains("does not have this outcome"));
    assert!(fail(go(result("\\result == f(1)"), 6, 35)).contains("calls a function"));
    assert!(fail(go(WaypointKind::Assumption("zzz".into()), 8, 5)).contains("zzz"));
    assert!(fail(go(WaypointKind::Target, 99, 1)).contains("no statement"));
}

/// Two units share the counter; text inserted into one of them does not disturb the other.
#[test]
fn several_units() {
    let main = "extern int get(void); extern void reach_error(void);\n\
                int main(void) {\nif (get() > 3)\nreach_error();\nreturn 0; }\n";
    let other = "extern int __VERIFIER_nondet_int(void);\nint get(void) {\n\
                 int x = __VERIFIER_nondet_int();\nreturn x; }\n";
    let unit = |name: &str, text: &str| Input::Text { name: name.into(), text: text.into() };
    let sources = Sources::load(&[unit("m.c", main), unit("o.c", other)], &options(), None).unwrap();
    let place =
        |file: &str, line, column| Position { file: file.into(), line, column: Some(column), function: None };
    let segments = [
        Segment::follow(WaypointKind::AssumptionAfter(vec!["x == 5".into()]), place("o.c", 3, 1)),
        Segment::follow(WaypointKind::Target, place("m.c", 4, 1)),
    ];
    let followed = validate::with_segments(&sources, &segments).unwrap();
    let program = compile(&followed.inputs, &options(), None).map_err(|_| ()).unwrap().program;
    let mut task = Task::new(program, Property::default(), Default::default()).unwrap();
    assert!(validate::guard_errors(&mut task.program, followed.armed));
    for (n, fails) in [(5, true), (6, false), (0, false)] {
        let options =
            cairn_sem::Options { inputs: vec![Given::Int(n)], targets: vec![], ..Default::default() };
        let mut io = cairn_sem::Captured::default();
        let end = Executor::new(&task.program, options, Budget::default()).run_with(&mut io, None).end;
        assert_eq!(matches!(end, End::ErrorReached(_)), fails, "{n}: {end:?}");
    }
}
