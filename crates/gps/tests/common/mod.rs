//! Searches of small programs, and the paper's examples.

// Not every test uses all of it.
#![allow(dead_code)]

use std::sync::Mutex;

use cairn_base::Budget;
use cairn_cfront::{Input, compile};
use cairn_core::{Cx, Event, Facts, Property, Task, Verdict};
use cairn_explain::Shown;
use cairn_gps::{Options, Prover};

pub const EX_1: &str = "int n = __VERIFIER_nondet_int(), i = 0, least = 0;
    while (i < n) { least++; i++; }
    if (least < 1000) return 0;
    reach_error();";

pub const EX_2: &str = "int n = __VERIFIER_nondet_int(), r = 0;
    if (n > 1000) return 0;
    while (n > 0) { r = r + n; n--; }
    if (r == 2) reach_error();";

pub const EX_3: &str = "int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int(), x = 2;
    while (n-- > 0) x = 2 * x;
    while (m-- > 0) x = x - 2;
    if (x == 1) reach_error();";

pub struct Found {
    pub came: &'static str,
    /// The statistics of the first reading.
    pub statistics: String,
    pub explanations: Vec<Shown>,
}

/// What a search of a main function comes to. Its proofs count even if induction over bits does not
/// confirm them, as in the paper.
pub fn search(body: &str, options: Options) -> Found {
    let text = format!(
        "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void)\n{{\n{body}\n}}\n"
    );
    let input = Input::Text { name: "example.c".into(), text };
    let Ok(compiled) = compile(&[input], &Default::default(), None) else { panic!("the example is no C") };
    let property = Property::named("unreach-call").expect("a property");
    let task = Task::new(compiled.program, property, Default::default()).expect("a task");
    let told = Mutex::new((Vec::new(), Vec::new()));
    let events = |event: Event| {
        let mut told = told.lock().expect("no panic");
        match event {
            Event::Status(text) => told.0.push(text),
            Event::Explained(explanation) => told.1.push(cairn_explain::show(&explanation)),
            _ => {}
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
    let verdict = cairn_gps::run(&task, &cx, options, &Prover { task: &task, summarised: None });
    let (statuses, explanations) = told.into_inner().expect("no panic");
    let claimed = statuses.iter().any(|t| t == "gps: confirming invariants");
    let came = match verdict {
        Verdict::Unsafe(_) => "unsafe",
        Verdict::Safe(_) => "safe",
        Verdict::Unknown(_) if claimed => "safe",
        Verdict::Unknown(_) => "unknown",
    };
    let statistics = statuses.into_iter().find(|t| t.contains(" tests, ")).unwrap_or_default();
    Found { came, statistics, explanations }
}
