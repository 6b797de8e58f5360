//! Programs with stand-ins for functions (`cairn_ir::edit`), in every reading: engines find what havoc
//! makes possible, the executor replays it, and the checker follows proofs of what it leaves alone.

use std::time::Duration;

use cairn_base::Budget;
use cairn_core::{Options, Property, Task};
use cairn_ir::edit::Havoc;
use cairn_ir::{FuncId, Program};
use cairn_portfolio::{Decision, Plan, decide};

const ENGINES: [&str; 4] = ["bmc", "kinduction", "symex", "gps"];

/// A function `f` changes something, and `main` asks for something else.
fn task(globals: &str, f: &str, main: &str) -> Task {
    let text = format!(
        "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n{globals}\n{f}\n\
         int main(void) {{ {main} }}\n"
    );
    let input = cairn_cfront::Input::Text { name: "p.c".into(), text: text.clone() };
    let Ok(compiled) = cairn_cfront::compile(&[input], &cairn_cfront::Options::default(), None) else {
        panic!("not C: {text}");
    };
    let property = Property::named("unreach-call").expect("a property");
    Task::new(compiled.program, property, Options::default()).expect("a task")
}

/// The verdicts of the engines on the task with a stand-in for `f`.
fn decided(task: &Task, any: impl Fn(&mut Program, FuncId) -> Vec<Havoc>) -> Vec<(&'static str, Decision)> {
    let mut program = task.program.clone();
    let f = program.func_named("f").expect("a function f");
    let any = any(&mut program, f);
    program.replace_body(f, &any);
    let edited = task.about(program);
    let budget = || Budget::default().with_time(Duration::from_secs(60));
    ENGINES.iter().map(|e| (*e, decide(&Plan::new(e), &edited, budget()).decision)).collect()
}

fn object(p: &Program, name: &str) -> Havoc {
    let object = p.objects.iter().find(|(_, o)| o.name.as_str() == name);
    Havoc::Object(object.unwrap_or_else(|| panic!("no object {name}")).0)
}

fn var(p: &Program, name: &str) -> Havoc {
    Havoc::Var(p.vars.iter().find(|(_, v)| v.name.as_str() == name).expect("a variable").0)
}

/// Errors are found by `bmc` and `symex` at least, and none is missed.
fn all_fail(verdicts: Vec<(&str, Decision)>) {
    for (engine, decision) in verdicts {
        match decision {
            Decision::Unsafe(..) => {}
            Decision::Safe(_) => panic!("{engine} misses an error"),
            Decision::Unknown(why) => {
                assert!(!["bmc", "symex"].contains(&engine), "{engine}: {why:?}");
            }
        }
    }
}

/// No engine is wrong, and `bmc` has a proof that the checker accepts.
fn all_hold(verdicts: Vec<(&str, Decision)>) {
    for (engine, decision) in verdicts {
        match decision {
            Decision::Safe(_) => {}
            Decision::Unsafe(..) => panic!("{engine} finds an error that is none"),
            Decision::Unknown(why) => assert!(engine != "bmc", "{engine}: {why:?}"),
        }
    }
}

const ARRAY: &str = "int g[5]; int h = 4;";
const WRITES: &str = "void f(void) { g[2] = 7; }";

#[test]
fn an_object_becomes_any_value() {
    let reads = task(ARRAY, WRITES, "f(); if (g[2] == 5 && g[4] == -1) reach_error(); return 0;");
    all_hold(decided(&reads, |_, _| Vec::new()));
    all_fail(decided(&reads, |p, _| vec![object(p, "g")]));
}

#[test]
fn what_is_not_named_keeps_its_value() {
    let other = task(ARRAY, WRITES, "f(); if (h != 4) reach_error(); return 0;");
    all_hold(decided(&other, |p, _| vec![object(p, "g")]));
    all_fail(decided(&other, |p, _| vec![object(p, "g"), var(p, "h")]));
}

/// Each call chooses anew.
#[test]
fn another_value_each_time() {
    let twice =
        task(ARRAY, WRITES, "f(); int x = g[3]; f(); if (x == 1 && g[3] == 2) reach_error(); return 0;");
    all_fail(decided(&twice, |p, _| vec![object(p, "g")]));
    let once = task(ARRAY, WRITES, "f(); int x = g[3]; if (x != g[3]) reach_error(); return 0;");
    all_hold(decided(&once, |p, _| vec![object(p, "g")]));
}

#[test]
fn a_result_is_any_value() {
    let result = task("", "int f(int x) { return x / 2; }", "if (f(8) == 17) reach_error(); return 0;");
    all_fail(decided(&result, |_, _| Vec::new()));
}

/// Up to the end of the object, from where the pointer points to.
#[test]
fn what_a_pointer_refers_to_becomes_any_value() {
    let behind = |p: &mut Program, f: FuncId| {
        let pointer = p.funcs[f].params[0];
        vec![Havoc::Behind(p.exprs.var(pointer))]
    };
    let f = "void f(int *p) { *p = 0; }";
    for wanted in ["a[1] == 9", "a[2] == 9"] {
        let main = format!("int a[3] = {{1, 2, 3}}; f(a + 1); if ({wanted}) reach_error(); return 0;");
        all_fail(decided(&task("", f, &main), behind));
    }
    let before = "int a[3] = {1, 2, 3}; f(a + 1); if (a[0] != 1) reach_error(); return 0;";
    all_hold(decided(&task("", f, before), behind));
    let none = "int a[3] = {1, 2, 3}; f(0); if (a[0] != 1) reach_error(); return 0;";
    all_hold(decided(&task("", f, none), behind));
}

/// An object that holds pointers is changed as well; one that is read afterwards may be any.
#[test]
fn pointers_become_any_pointers() {
    let t = task(
        "int x = 1, y = 2; struct { int n; int *p; int k; } s = {3, &x, 4};",
        "void f(void) { s.p = &y; }",
        "f(); if (s.p == &y && *s.p == 2) reach_error(); return 0;",
    );
    for (engine, decision) in decided(&t, |p, _| vec![object(p, "s")]) {
        assert!(!matches!(decision, Decision::Safe(_)), "{engine} misses an error");
    }
}

/// A block in the place of a body: what the loop does is left out, and its variables are any.
#[test]
fn a_loop_is_skipped() {
    let t = task(
        "",
        "void f(void) {}",
        "int n = 0; for (int i = 0; i < 1000000; i++) n += i; f(); if (n < 0) reach_error(); return 0;",
    );
    let mut program = t.program.clone();
    let head = program.locs.iter().find(|(_, l)| l.loop_stmt.is_some()).expect("a loop").0;
    let out = program.locs[head].out.clone();
    let leaves =
        |e: &&cairn_ir::EdgeId| matches!(program.edges[**e].op, cairn_ir::Op::Assume { holds: false, .. });
    let behind = program.edges[*out.iter().find(leaves).expect("an end")].dst;
    let n = var(&program, "n");
    program.skip(head, behind, &[n], "loop", cairn_base::Place::NONE);
    program.forget_unreachable(t.entry);
    let budget = Budget::default().with_time(Duration::from_secs(60));
    let decided = decide(&Plan::new("bmc"), &t.about(program), budget);
    assert!(matches!(decided.decision, Decision::Unsafe(..)));
}
