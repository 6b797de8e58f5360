//! The paper's examples take the course that the paper narrates.

use std::sync::Mutex;

use cairn_base::Budget;
use cairn_cfront::{Input, compile};
use cairn_core::{Cx, Event, Facts, Property, Task};
use cairn_gps::{Answer, Options};

/// What a search came to, and the statistics of its first reading, which it told.
fn search(body: &str, options: Options) -> (&'static str, String) {
    let text = format!(
        "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void)\n{{\n{body}\n}}\n"
    );
    let input = Input::Text { name: "example.c".into(), text };
    let Ok(compiled) = compile(&[input], &Default::default(), None) else { panic!("the example is no C") };
    let property = Property::named("unreach-call").expect("a property");
    let task = Task::new(compiled.program, property, Default::default()).expect("a task");
    let told = Mutex::new(Vec::new());
    let events = |event: Event| {
        if let Event::Status(text) = event {
            told.lock().expect("no panic").push(text);
        }
    };
    let budget = Budget::default().with_time(std::time::Duration::from_secs(120));
    let solver = || cairn_smt::standard();
    let cx = Cx {
        whole: budget.clone(),
        budget,
        solver: &solver,
        events: &events,
        facts: Facts::default(),
        workshop: None,
    };
    // The paper believes its proofs.
    let answer = cairn_gps::run(&task, &cx, options, &mut |_, _, _| Some(()));
    let came = match answer {
        Answer::Unsafe(_) => "unsafe",
        Answer::Safe(()) => "safe",
        Answer::Unknown(_) => "unknown",
    };
    let told = told.into_inner().expect("no panic");
    let statistics = told.into_iter().find(|t| t.contains(" tests, ")).unwrap_or_default();
    (came, statistics)
}

/// Section 2.1: the first test reaches the error.
#[test]
fn ex_1_needs_one_test() {
    let (came, statistics) = search(
        "int n = __VERIFIER_nondet_int(), i = 0, least = 0;
         while (i < n) { least++; i++; }
         if (least < 1000) return 0;
         reach_error();",
        Options::default(),
    );
    assert_eq!(came, "unsafe");
    assert!(statistics.starts_with("gps: 1 tests, 0 dead ends, 0 covers"), "{statistics}");
}

/// Section 2.2: dead ends alone prove it, without any refinement.
#[test]
fn ex_2_is_safe_by_dead_ends() {
    let body = "int n = __VERIFIER_nondet_int(), r = 0;
         if (n > 1000) return 0;
         while (n > 0) { r = r + n; n--; }
         if (r == 2) reach_error();";
    let (came, statistics) = search(body, Options { refine: false, ..Options::default() });
    assert_eq!(came, "safe", "{statistics}");
    assert!(statistics.contains(", 0 covers"), "{statistics}");
}

/// Section 2.3: safe by a label that covers, which no summary has.
#[test]
fn ex_3_is_safe_by_dead_end_interpolants() {
    let (came, statistics) = search(
        "int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int(), x = 2;
         while (n-- > 0) x = 2 * x;
         while (m-- > 0) x = x - 2;
         if (x == 1) reach_error();",
        Options::default(),
    );
    assert_eq!(came, "safe", "{statistics}");
}

/// Figure 9: gas makes tests choose inputs that lead somewhere.
#[test]
fn figure_9_is_found_with_gas() {
    let (came, statistics) = search(
        "int state = 0;
         while (1) {
             int c = __VERIFIER_nondet_int(), s0 = __VERIFIER_nondet_int();
             int s1 = __VERIFIER_nondet_int(), s2 = __VERIFIER_nondet_int();
             if (c == 68 && state == 0) state = 1;
             if (c == 79 && state == 1) state = 2;
             if (c == 71 && state == 2) state = 3;
             if (state == 3 && s0 == 67 && s1 == 65 && s2 == 84) reach_error();
         }",
        Options::default(),
    );
    assert_eq!(came, "unsafe", "{statistics}");
}
