//! Every program below `tests/programs`, in both tiers and both data models,
//! against its expectation file; most expectations are "as gcc's build does".

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use cairn_base::DataModel;
use cairn_dev::cairn::{Cairn, Verdict, shown, verdict};
use cairn_dev::process::{Ran, Status};
use cairn_dev::task::{self, Expect, Run, Task};
use cairn_dev::{oracle, pool};

const LIMIT: Duration = Duration::from_secs(60);

#[test]
fn programs_behave_as_expected() {
    let tasks = task::all(&oracle::root().join("tests/programs")).expect("readable expectations");
    let only = std::env::var("CAIRN_PROGRAMS").unwrap_or_default();
    let tasks: Vec<Task> = tasks.into_iter().filter(|t| shown(&t.path).contains(&only)).collect();
    assert!(!tasks.is_empty(), "no program's path contains `{only}`");
    for model in oracle::MODELS {
        if !oracle::available(model) {
            eprintln!("gcc cannot build {model} programs here: that model is compared with nothing");
        }
    }
    let cairn = Cairn { exe: env!("CARGO_BIN_EXE_cairn").into() };
    let failures: Vec<String> = pool::map(&tasks, 2, |task| check(&cairn, task)).concat();
    assert!(
        failures.is_empty(),
        "{} of the runs of {} programs failed:\n\n{}",
        failures.len(),
        tasks.len(),
        failures.join("\n")
    );
}

/// The failures of one program.
fn check(cairn: &Cairn, task: &Task) -> Vec<String> {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let mut failures = Vec::new();
    for model in oracle::MODELS {
        let gcc = Oracle::build(task, model, dir.path());
        for run in task.cairn.run.iter().filter(|r| r.models().contains(&model)) {
            let wanted = match gcc.wanted(run) {
                Ok(Some(wanted)) => wanted,
                Ok(None) => continue,
                Err(message) => {
                    failures.push(format!("{} ({model}): {message}", shown(&task.path)));
                    continue;
                }
            };
            for tier in ["interp", "native"] {
                if let Err(message) = compare(cairn, task, run, model, tier, &wanted) {
                    failures.push(message);
                }
            }
        }
    }
    failures
}

/// How a run must end, and what it must print (`None`: anything).
struct Wanted {
    end: End,
    stdout: Option<Vec<u8>>,
}

#[derive(PartialEq, Debug)]
enum End {
    Verdict(Verdict),
    Rejected,
}

/// gcc's build of a program, if it is needed and possible.
struct Oracle {
    exe: Option<Result<PathBuf, String>>,
}

impl Oracle {
    fn build(task: &Task, model: DataModel, dir: &Path) -> Oracle {
        let needed = task.cairn.run.iter().any(|r| r.expect == Expect::Gcc && r.models().contains(&model));
        let exe = (needed && oracle::available(model)).then(|| {
            let mut files = task.files();
            files.push(oracle::root().join("tests/support/verifier.c"));
            oracle::build(&files, model, &task.cairn.gcc_flags, &dir.join(model.to_string()))
        });
        Oracle { exe }
    }

    /// What is expected of a run; `None` if gcc cannot tell here.
    fn wanted(&self, run: &Run) -> Result<Option<Wanted>, String> {
        let end = match &run.expect {
            Expect::Error => End::Verdict(Verdict::Error),
            Expect::Abort => End::Verdict(Verdict::Abort),
            Expect::Assumption => End::Verdict(Verdict::Assumption),
            Expect::Undefined(kind) => End::Verdict(Verdict::Undefined(kind.clone())),
            Expect::Unsupported => End::Rejected,
            Expect::Gcc => return self.ask(run),
        };
        Ok(Some(Wanted { end, stdout: run.stdout.clone().map(String::into_bytes) }))
    }

    fn ask(&self, run: &Run) -> Result<Option<Wanted>, String> {
        let Some(exe) = &self.exe else { return Ok(None) };
        let exe = exe.as_ref().map_err(|e| format!("gcc rejects it: {e}"))?;
        let ran = oracle::execute(exe, &run.args, &run.inputs, run.stdin.as_bytes(), LIMIT)
            .map_err(|e| format!("cannot run gcc's build: {e}"))?;
        let end = match ran.status {
            Status::Exit(oracle::ERROR_REACHED) => Verdict::Error,
            Status::Exit(oracle::ASSUMPTION_FAILED) => Verdict::Assumption,
            Status::Exit(oracle::NO_INPUT) => return Err("gcc's build wants more inputs".to_owned()),
            Status::Exit(value) => Verdict::Exit(value),
            Status::Signal(6) => Verdict::Abort,
            status => return Err(format!("gcc's build ends with {status:?}")),
        };
        Ok(Some(Wanted { end: End::Verdict(end), stdout: Some(ran.stdout) }))
    }
}

fn compare(
    cairn: &Cairn,
    task: &Task,
    run: &Run,
    model: DataModel,
    tier: &str,
    wanted: &Wanted,
) -> Result<(), String> {
    let mut options = vec!["--tier".to_owned(), tier.to_owned()];
    options.extend(run.options.iter().cloned());
    if !run.inputs.is_empty() {
        options.extend(["--input".to_owned(), run.inputs.join(",")]);
    }
    if !run.args.is_empty() {
        options.push("--".to_owned());
        options.extend(run.args.iter().cloned());
    }
    let ran = cairn
        .run(&task.files(), model, &options, run.stdin.as_bytes(), LIMIT)
        .map_err(|e| format!("cannot run cairn: {e}"))?;
    let problem = difference(&ran, wanted);
    problem.map_or(Ok(()), |problem| {
        let files: Vec<String> = task.files().iter().map(|f| shown(f)).collect();
        Err(format!("cairn run --data-model {model} {} {}\n{problem}", files.join(" "), options.join(" ")))
    })
}

/// What is wrong with a run, if anything.
fn difference(ran: &Ran, wanted: &Wanted) -> Option<String> {
    let mut problem = String::new();
    let found = match ran.status {
        Status::Exit(2) => End::Rejected,
        _ => match verdict(ran) {
            // Only the low byte of the exit value leaves a process.
            Verdict::Exit(value) => End::Verdict(Verdict::Exit(value & 0xff)),
            other => End::Verdict(other),
        },
    };
    let code = match &found {
        End::Verdict(Verdict::Error) => 10,
        End::Verdict(Verdict::Undefined(_)) => 11,
        End::Verdict(Verdict::Limit(_)) => 5,
        End::Verdict(_) => 0,
        End::Rejected => 2,
    };
    if found != wanted.end {
        let _ = writeln!(problem, "  expected {:?}\n  found    {found:?}", wanted.end);
    } else if ran.status != Status::Exit(code) {
        let _ = writeln!(problem, "  the exit status {:?} does not fit {found:?}", ran.status);
    }
    if let Some(stdout) = &wanted.stdout
        && *stdout != ran.stdout
    {
        let (wanted, found) = (String::from_utf8_lossy(stdout), ran.stdout_text());
        let diff = similar::TextDiff::from_lines(wanted.as_ref(), found.as_str());
        let _ = writeln!(problem, "{}", diff.unified_diff().context_radius(1).header("gcc", "cairn"));
    }
    if problem.is_empty() {
        return None;
    }
    let stderr = ran.stderr_text();
    for line in stderr.lines().take(12) {
        let _ = writeln!(problem, "  | {line}");
    }
    Some(problem)
}
