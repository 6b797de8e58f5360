//! The engine that ARCHITECTURE.md shows as an example of how to add one: it has to compile, to pass the
//! gate, and to be what the text says.

use std::path::Path;
use std::time::Duration;

use cairn_base::Budget;
use cairn_cfront::{Input, Options, compile};
use cairn_core::{Property, Task};
use cairn_portfolio::{Decision, Maker, Plan, decide_by};

// begin
use cairn_core::replay::replay;
use cairn_core::{Cx, Engine, Trace, Verdict, Why};

/// One run, with inputs that the executor picks.
struct Once;

impl Engine for Once {
    fn name(&self) -> &'static str {
        "once"
    }

    fn run(&mut self, task: &Task, cx: &mut Cx<'_>) -> Verdict {
        cx.status("once: running");
        let trace = Trace::default(); // an input that a trace does not have is picked, always the same
        match replay(task, &trace, &cx.budget, None) {
            Ok(_) => Verdict::Unsafe(trace),
            Err(why) => Verdict::Unknown(Why::new("no error", why)),
        }
    }
}
// end

fn decision(text: &str) -> Decision {
    let input = Input::Text { name: "toy.c".into(), text: text.into() };
    let compiled = compile(&[input], &Options::default(), None).unwrap_or_else(|_| panic!("{text}"));
    let task = Task::new(compiled.program, Property::default(), Default::default()).expect("a task");
    let once: Maker = |_, _| Some(Box::new(Once));
    decide_by(once, &Plan::new("bmc"), &task, Budget::default().with_time(Duration::from_secs(60))).decision
}

fn text(decision: &Decision) -> String {
    match decision {
        Decision::Unknown(why) => format!("unknown: {}; {}", why.reason, why.detail),
        Decision::Safe(..) => "safe".into(),
        Decision::Unsafe(..) => "unsafe".into(),
    }
}

#[test]
fn the_toy_engine_decides() {
    let program = |bad: &str| {
        format!(
            "extern int __VERIFIER_nondet_int(void); void reach_error(void);\n\
             int main(void) {{ if (__VERIFIER_nondet_int() {bad}) reach_error(); return 0; }}\n"
        )
    };
    let found = decision(&program("!= 77"));
    assert!(matches!(found, Decision::Unsafe(..)), "{}", text(&found));
    let none = decision(&program("== 77"));
    assert!(matches!(&none, Decision::Unknown(why) if why.reason == "no error"), "{}", text(&none));
}

#[test]
fn the_architecture_shows_it() {
    let here = std::env::var("CARGO_MANIFEST_DIR").expect("cargo says where the crate is");
    let read = |name: &str| std::fs::read_to_string(Path::new(&here).join(name)).expect(name);
    let own = read("tests/toy.rs");
    let engine = own.split("// begin\n").nth(1).and_then(|rest| rest.split("// end\n").next());
    assert!(
        read("../../ARCHITECTURE.md").contains(engine.expect("marks").trim()),
        "ARCHITECTURE.md shows another engine"
    );
}
