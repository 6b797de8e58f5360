//! Every program below `tests/programs`, by every engine: what is claimed must be
//! so. An engine may say UNKNOWN only where the expectation file records it.

use std::process::Command;
use std::time::Duration;

use cairn_base::DataModel;
use cairn_dev::cairn::shown;
use cairn_dev::process::{Status, run};
use cairn_dev::task::{self, Expect, Task};
use cairn_dev::{oracle, pool};

const ENGINES: [&str; 5] = [CONCRETE, "bmc", "kinduction", "gps", "symex"];
/// Must decide only programs that take no inputs.
const CONCRETE: &str = "concrete";
/// For verdicts that must come, and for those that need not.
const PATIENT: &str = "120";
const HASTY: &str = "1";

#[test]
fn no_engine_is_wrong() {
    let tasks = task::all(&oracle::root().join("tests/programs")).expect("readable expectations");
    let only = std::env::var("CAIRN_PROGRAMS").unwrap_or_default();
    let tasks: Vec<Task> =
        tasks.into_iter().filter(|t| t.cairn.verify && shown(&t.path).contains(&only)).collect();
    assert!(!tasks.is_empty(), "no program's path contains `{only}`");
    let failures: Vec<String> = pool::map(&tasks, 2, failures).concat();
    assert!(
        failures.is_empty(),
        "{} verdicts are not as they should be:\n{}",
        failures.len(),
        failures.join("\n")
    );
}

/// What must come out, and for which property.
struct Wanted {
    property: String,
    /// `None`: nothing is known.
    holds: Option<bool>,
}

fn wanted(task: &Task) -> Vec<Wanted> {
    let dir = task.path.parent().expect("a file in a folder");
    let mut all: Vec<Wanted> = Vec::new();
    for p in &task.properties {
        let file = dir.join(&p.property_file);
        all.push(Wanted { property: file.display().to_string(), holds: Some(p.expected_verdict) });
    }
    if all.is_empty() {
        // A run that reaches the error is all that is known.
        let fails = task.cairn.run.iter().any(|r| r.expect == Expect::Error);
        all.push(Wanted { property: "unreach-call".to_owned(), holds: fails.then_some(false) });
    }
    all
}

fn failures(task: &Task) -> Vec<String> {
    let mut failures = Vec::new();
    for wanted in wanted(task) {
        for engine in ENGINES {
            // Memory safety is not decided yet.
            let must = wanted.holds.is_some()
                && !wanted.property.contains("valid-")
                && !task.properties.is_empty()
                && (engine != CONCRETE || task.cairn.sole)
                && !task.cairn.unknown.iter().any(|e| e == engine);
            let model: DataModel = task.options.data_model.into();
            let mut command = Command::new(env!("CARGO_BIN_EXE_cairn"));
            command.arg("check").args(task.files()).args([
                "--property",
                &wanted.property,
                "--engine",
                engine,
            ]);
            command.args(&task.cairn.check);
            command.args(["--data-model", &model.to_string(), "--quiet"]);
            command.args(["--time", if must { PATIENT } else { HASTY }]);
            let ran = run(&mut command, b"", Duration::from_secs(300)).expect("cairn starts");
            let text = ran.stdout_text();
            let last = text.lines().last().unwrap_or_default();
            let fine = match (&ran.status, wanted.holds) {
                (Status::Exit(0), Some(true) | None) => {
                    let named = task.cairn.condition.as_ref().is_none_or(|c| last.contains(c.as_str()));
                    named && (last == "Verdict: TRUE" || last.starts_with("Verdict: TRUE (if "))
                }
                (Status::Exit(10), Some(false) | None) => last.starts_with("Verdict: FALSE ("),
                (Status::Exit(5), _) => last.starts_with("Verdict: UNKNOWN (") && !must,
                // Programs that are refused have no verdict.
                (Status::Exit(2), None) => task.cairn.run.iter().any(|r| r.expect == Expect::Unsupported),
                _ => false,
            };
            if !fine {
                let expected = wanted.holds.map_or("anything", |h| if h { "TRUE" } else { "FALSE" });
                failures.push(format!(
                    "{} by {engine} for {}: {last} ({:?}), expected {expected}\n{}",
                    shown(&task.path),
                    wanted.property,
                    ran.status,
                    ran.stderr_text()
                ));
            }
        }
    }
    failures
}
