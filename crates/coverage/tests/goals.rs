//! Which goals a program has, and what an execution covers of them.

use std::collections::BTreeSet;

use cairn_base::Budget;
use cairn_cfront::{Compiled, Input, Options, compile};
use cairn_core::{Property, Task};
use cairn_coverage::{Criterion, Goal, Meter, goals};
use cairn_sem::Given;

fn compiled(text: &str) -> Compiled {
    let input = Input::Text { name: "t.c".into(), text: text.into() };
    let options = Options { keep_decisions: true, ..Options::default() };
    match compile(&[input], &options, None) {
        Ok(compiled) => compiled,
        Err(_) => panic!("rejected: {text}"),
    }
}

fn of(c: &Compiled, criterion: &str) -> Vec<Goal> {
    goals(&c.program, &c.decisions, &Criterion::named(criterion).expect("a criterion"))
}

/// `line:column what`, in order.
fn shown(goals: &[Goal]) -> Vec<String> {
    goals.iter().map(|g| format!("{}:{} {}", g.place.line, g.place.col, g.what)).collect()
}

const INPUT: &str = "int __VERIFIER_nondet_int(void);\n";

#[test]
fn a_decision_has_two_outcomes_however_many_conditions_it_has() {
    let c = compiled(&format!(
        "{INPUT}int main(void) {{\n  int a = __VERIFIER_nondet_int();\n  if (!(a > 1 && (a < 5 || a == 9)))\n    return 1;\n  return 0;\n}}\n"
    ));
    assert_eq!(shown(&of(&c, "branches")), ["4:7 condition false", "4:7 condition true"]);
    assert_eq!(
        shown(&of(&c, "conditions")),
        [
            "4:9 condition false",
            "4:9 condition true",
            "4:19 condition false",
            "4:19 condition true",
            "4:28 condition false",
            "4:28 condition true"
        ]
    );
    let outcomes = of(&c, "branches");
    // `!` is true if the first condition fails, or the third does.
    assert_eq!((outcomes[0].targets.len(), outcomes[1].targets.len()), (2, 2));
    assert_eq!(c.decisions.len(), c.program.branches as usize);
}

#[test]
fn a_switch_has_its_cases_and_a_default() {
    for cases in [&[1, 2][..], &[1, 2, 3, 5, 8, 13]] {
        let arms: String = cases.iter().map(|n| format!("case {n}: return {n};\n")).collect();
        let c = compiled(&format!(
            "{INPUT}int main(void) {{\n  switch (__VERIFIER_nondet_int()) {{\n{arms}}}\n  return 0;\n}}\n"
        ));
        let expected: BTreeSet<String> = cases
            .iter()
            .map(|n| format!("3:11 case {n}"))
            .chain(std::iter::once("3:11 default".to_owned()))
            .collect();
        for criterion in ["branches", "conditions"] {
            assert_eq!(shown(&of(&c, criterion)).into_iter().collect::<BTreeSet<_>>(), expected);
        }
    }
}

#[test]
fn values_that_are_chosen_are_decisions_too() {
    let text = format!(
        "{INPUT}int main(void) {{\n  int a = __VERIFIER_nondet_int();\n  int b = a ? 1 : 2;\n  return a == 3 || b;\n}}\n"
    );
    assert_eq!(of(&compiled(&text), "branches").len(), 4);
    let input = Input::Text { name: "t.c".into(), text };
    let Ok(plain) = compile(&[input], &Options::default(), None) else { panic!("rejected") };
    assert_eq!(plain.program.branches, 0, "for verdicts they are values");
}

#[test]
fn errors_are_calls_in_the_users_code() {
    let c = compiled(&format!(
        "{INPUT}extern void __assert_fail(const char *, const char *, unsigned, const char *);\n\
         void reach_error(void) {{ __assert_fail(\"0\", \"t.c\", 3, \"reach_error\"); }}\n\
         int main(void) {{\n  if (__VERIFIER_nondet_int())\n    reach_error();\n  \
         if (__VERIFIER_nondet_int())\n    __assert_fail(\"1\", \"t.c\", 8, \"main\");\n  return 0;\n}}\n"
    ));
    assert_eq!(shown(&of(&c, "error")), ["6:5 call of reach_error", "8:5 failing assertion"]);
}

/// Sides of a branch are told apart even if they lead to the same place.
#[test]
fn what_runs_cover_is_exact() {
    let c = compiled(&format!(
        "{INPUT}int main(void) {{\n  int a = __VERIFIER_nondet_int();\n  if (a > 5) {{\n  }}\n  while (a < 3)\n    a++;\n  return 0;\n}}\n"
    ));
    let all = of(&c, "branches");
    let task = Task::new(c.program, Property::UnreachTargets(vec![]), Default::default()).expect("a task");
    let meter = Meter::new(&task);
    let covered = |input: i128| -> Vec<String> {
        let run = meter.run(&[Given::Int(input)], 0, &Budget::default());
        let reached = |g: &&Goal| g.targets.iter().any(|t| run.hits.reaches(*t));
        shown(&all.iter().filter(reached).cloned().collect::<Vec<_>>())
    };
    assert_eq!(covered(6), ["4:7 condition true", "6:10 condition false"]);
    assert_eq!(covered(5), ["4:7 condition false", "6:10 condition false"]);
    assert_eq!(covered(1), ["4:7 condition false", "6:10 condition false", "6:10 condition true"]);
}
