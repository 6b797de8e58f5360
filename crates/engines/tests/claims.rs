//! What engines claim, put to the checker without the command line in between.

use std::time::Duration;

use cairn_base::Budget;
use cairn_checker::check;
use cairn_core::{Cx, Event, Facts, Options, Property, Task, Verdict};

fn task(source: &str) -> Task {
    let input = cairn_cfront::Input::Text { name: "p.c".into(), text: source.to_owned() };
    let Ok(compiled) = cairn_cfront::compile(&[input], &cairn_cfront::Options::default(), None) else {
        panic!("the program is not C");
    };
    let property = Property::named("unreach-call").expect("a property");
    Task::new(compiled.program, property, Options::default()).expect("a task")
}

fn cx(budget: &Budget, facts: &Facts) -> Cx<'static> {
    Cx {
        whole: budget.clone(),
        budget: budget.clone(),
        solver: &cairn_smt::standard,
        events: &|_: Event| {},
        facts: facts.clone(),
        workshop: None,
    }
}

/// The verdict of an engine on a program, and whether its proof stands.
fn verdict(engine: &str, source: &str) -> Verdict {
    verdict_with(engine, &task(source), &Facts::default())
}

fn verdict_with(engine: &str, task: &Task, facts: &Facts) -> Verdict {
    let budget = Budget::default().with_time(Duration::from_secs(60));
    let mut engine = cairn_engines::named(engine, &Default::default()).expect("an engine");
    let verdict = engine.run(task, &mut cx(&budget, facts));
    if let Verdict::Safe(proof) = &verdict
        && let Err(why) = check(&task.program, task.entry, proof, &cairn_smt::standard, &budget)
    {
        panic!("the proof does not stand: {why:?}");
    }
    verdict
}

/// With an odd `y` the loop is left after one turn, or in a later one from states that are not
/// reached but not excluded either. Once the engine merged the two and lost the second.
#[test]
fn leaving_early_and_late() {
    let source = "
        extern unsigned __VERIFIER_nondet_uint(void);
        extern void reach_error(void);
        int main(void) {
            unsigned x = __VERIFIER_nondet_uint() % 2 * 2, y = __VERIFIER_nondet_uint();
            while (x < 99) {
                if (y % 2 == 0) x = 200;
                else x -= 5;
            }
            if (x % 2 != y % 2) reach_error();
        }";
    assert!(!matches!(verdict("kinduction", source), Verdict::Unsafe(_)));
}

/// What symbolic execution has learned, and cannot use itself, makes a proof by induction possible.
#[test]
fn interpolants_are_handed_on() {
    let task = task(
        "extern int __VERIFIER_nondet_int(void);
        extern void reach_error(void);
        int main(void) {
            unsigned a = 0, b = 0, c = 0;
            while (__VERIFIER_nondet_int()) {
                if (__VERIFIER_nondet_int()) { a += 1; b += 1; c += 2; }
                else { a += 2; b += 5; c += 1; }
            }
            if (3 * a != b + c) reach_error();
        }",
    );
    let facts = Facts::default();
    assert!(matches!(verdict_with("kinduction", &task, &facts), Verdict::Unknown(_)));
    let budget = Budget::default();
    let nobody = &mut |_: &_, _: &_, _| {
        budget.cancel.raise();
        None
    };
    let (answer, _) = cairn_symex::run(&task, &cx(&budget, &facts), Default::default(), nobody);
    assert!(matches!(answer, cairn_symex::Answer::Unknown(_)));
    assert!(!facts.is_empty());
    assert!(matches!(verdict_with("kinduction", &task, &facts), Verdict::Safe(_)));
}

/// KLEE's primitives make inputs and assumptions for every engine.
#[test]
fn harnesses_for_klee() {
    let source = |bound: u32| {
        format!(
            "extern void klee_make_symbolic(void *, unsigned long, const char *);
            extern void klee_assume(unsigned long);
            extern void reach_error(void);
            int main(void) {{
                int a;
                char word[3];
                klee_make_symbolic(&a, sizeof a, \"a\");
                klee_make_symbolic(word, sizeof word, \"word\");
                klee_assume(-100 < a);
                klee_assume(a < {bound});
                if (a == 42 && word[0] == 'x' && word[2] == 'y') reach_error();
                return 0;
            }}"
        )
    };
    for engine in ["bmc", "kinduction", "gps", "symex"] {
        assert!(matches!(verdict(engine, &source(43)), Verdict::Unsafe(_)), "{engine}");
        assert!(matches!(verdict(engine, &source(42)), Verdict::Safe(_)), "{engine}");
    }
}
