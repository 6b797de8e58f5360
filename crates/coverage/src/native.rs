//! A suite, executed natively: the user's files are compiled by gcc with `--coverage`,
//! linked with a driver that takes the place of the environment, and run once per test;
//! then gcov is asked what was executed.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use cairn_base::{Budget, DataModel};
use cairn_csyntax::preprocess::CppOptions;
use cairn_witness::harness::{ASSUMPTION, NO_INPUT, REACHED, SIGNALS, driver_values};
use cairn_witness::reproduce::{compiler, run, stand_in_headers};
use serde::Deserialize;

use crate::suite::Stored;

/// Compiling a file takes no longer.
const COMPILING: Duration = Duration::from_secs(120);
/// How much longer than its limit a test may take, to write out its coverage.
const GRACE: Duration = Duration::from_secs(2);

/// From gcc 12 on.
const ZEROED: &str = "-ftrivial-auto-var-init=zero";

/// What to build.
pub struct Build<'a> {
    pub files: &'a [PathBuf],
    pub cpp: &'a CppOptions,
    /// See `cairn_witness::harness::driver_c`.
    pub driver: &'a str,
    pub entry: &'a str,
}

/// How tests end.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Ended {
    Normally,
    ErrorReached,
    Aborted,
    Crashed,
    AssumptionFails,
    /// It reads more inputs than the test has.
    InputsUsedUp,
    TimedOut,
}

impl Ended {
    pub fn text(self) -> &'static str {
        match self {
            Ended::Normally => "ended normally",
            Ended::ErrorReached => "reached an error",
            Ended::Aborted => "aborted",
            Ended::Crashed => "crashed",
            Ended::AssumptionFails => "failed an assumption",
            Ended::InputsUsedUp => "used up their inputs",
            Ended::TimedOut => "timed out",
        }
    }
}

/// A line of a source file as gcov sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    pub number: u32,
    pub count: u64,
    /// Executions of each branch out of it.
    pub branches: Vec<u64>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct File {
    pub name: String,
    pub lines: Vec<Line>,
}

/// What the suite did.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Measured {
    pub ends: BTreeMap<Ended, usize>,
    /// Tests that were not run: the time was over.
    pub skipped: usize,
    pub files: Vec<File>,
}

impl Measured {
    /// Lines that were executed, and all.
    pub fn lines(&self) -> (usize, usize) {
        let all = self.files.iter().flat_map(|f| &f.lines);
        (all.clone().filter(|l| l.count > 0).count(), all.count())
    }

    /// Branches that were taken, and all.
    pub fn branches(&self) -> (usize, usize) {
        let all = self.files.iter().flat_map(|f| &f.lines).flat_map(|l| &l.branches);
        (all.clone().filter(|n| **n > 0).count(), all.count())
    }
}

/// Builds, runs every test for at most `limit`, and measures. `each` is told before each test.
pub fn measure(
    build: &Build<'_>,
    tests: &[Stored],
    limit: Duration,
    budget: &Budget,
    each: &mut dyn FnMut(usize),
) -> Result<Measured, String> {
    let dir = tempfile::tempdir().map_err(|e| format!("no temporary directory: {e}"))?;
    let units = compile(build, dir.path())?;
    let mut measured = Measured::default();
    let binary = dir.path().join("program");
    let values = dir.path().join("inputs");
    for (n, test) in tests.iter().enumerate() {
        if budget.exceeded().is_some() {
            measured.skipped = tests.len() - n;
            break;
        }
        each(n);
        std::fs::write(&values, driver_values(&test.calls)).map_err(|e| e.to_string())?;
        // What the program writes into its directory is gone afterwards.
        let work = dir.path().join("work");
        let _ = std::fs::remove_dir_all(&work);
        std::fs::create_dir_all(&work).map_err(|e| e.to_string())?;
        let mut command = Command::new(&binary);
        command.current_dir(&work).env("CAIRN_INPUTS", &values);
        command.env("CAIRN_SECONDS", limit.as_secs_f64().to_string());
        let (status, _) = run(command, dir.path(), limit + GRACE)?;
        *measured.ends.entry(ended(status.and_then(|s| s.code()))).or_insert(0) += 1;
    }
    measured.files = gcov(dir.path(), &units)?;
    Ok(measured)
}

/// The signal handler of the driver ends the process with 128 and the signal's number.
fn ended(code: Option<i32>) -> Ended {
    match code {
        Some(REACHED) => Ended::ErrorReached,
        Some(NO_INPUT) => Ended::InputsUsedUp,
        Some(ASSUMPTION) => Ended::AssumptionFails,
        Some(134) => Ended::Aborted,
        Some(142) | None => Ended::TimedOut,
        Some(132 | 135 | 136 | 139) => Ended::Crashed,
        Some(_) => Ended::Normally,
    }
}

/// Compiles everything; gives the names of the units.
fn compile(build: &Build<'_>, dir: &Path) -> Result<Vec<String>, String> {
    let headers = stand_in_headers(dir)?;
    let model = if build.cpp.model == DataModel::Ilp32 { "-m32" } else { "-m64" };
    let compiler = compiler();
    let words: Vec<&str> = compiler.split_whitespace().collect();
    let gcc = || {
        let mut command = Command::new(words.first().copied().unwrap_or("gcc"));
        command.args(words.iter().skip(1)).args([model, "-w", "-O0", "-g", "-fwrapv"]).env("LC_ALL", "C");
        command
    };
    // Variables that are read before they are assigned are zero, as when the tests were made.
    let mut probe = gcc();
    probe.args([ZEROED, "-E", "-x", "c", "/dev/null"]);
    let zeroed = succeed(probe, dir).is_ok().then_some(ZEROED);
    let mut units = Vec::new();
    for (n, file) in build.files.iter().enumerate() {
        let unit = format!("unit-{n}");
        let mut command = gcc();
        command.arg(format!("-std={}", build.cpp.std)).arg("--coverage").args(zeroed).args(&build.cpp.flags);
        if build.entry != "main" {
            command.arg("-Dmain=cairn_other_main");
        }
        command.arg("-idirafter").arg(&headers).arg("-c");
        command.arg(std::path::absolute(file).unwrap_or_else(|_| file.clone()));
        command.arg("-o").arg(dir.join(format!("{unit}.o")));
        if let Some(directory) = &build.cpp.directory {
            command.current_dir(directory);
        }
        succeed(command, dir)?;
        units.push(unit);
    }
    let mut link = gcc();
    for (name, text) in [("driver.c", build.driver), ("signals.c", SIGNALS)] {
        let path = dir.join(name);
        std::fs::write(&path, text).map_err(|e| format!("cannot write {}: {e}", path.display()))?;
        let mut command = gcc();
        command.args(["-std=gnu11", "-c"]).arg(&path).arg("-o").arg(path.with_extension("o"));
        succeed(command, dir)?;
        link.arg(path.with_extension("o"));
    }
    link.args(units.iter().map(|u| dir.join(format!("{u}.o"))));
    link.args(["--coverage", "-lm", "-o"]).arg(dir.join("program"));
    succeed(link, dir)?;
    Ok(units)
}

fn succeed(command: Command, dir: &Path) -> Result<(), String> {
    match run(command, dir, COMPILING)? {
        (Some(status), _) if status.success() => Ok(()),
        (Some(_), errors) => {
            let first = errors.lines().find(|l| l.contains("error") || l.contains("undefined"));
            Err(format!("the compiler refuses: {}", first.unwrap_or("no message").trim()))
        }
        (None, _) => Err("the compiler takes too long".into()),
    }
}

#[derive(Deserialize)]
struct GcovData {
    files: Vec<GcovFile>,
}

#[derive(Deserialize)]
struct GcovFile {
    file: String,
    lines: Vec<GcovLine>,
}

#[derive(Deserialize)]
struct GcovLine {
    line_number: u32,
    count: u64,
    branches: Vec<GcovBranch>,
}

#[derive(Deserialize)]
struct GcovBranch {
    count: u64,
}

/// Asks gcov. Lines of several functions (or units) are counted once.
fn gcov(dir: &Path, units: &[String]) -> Result<Vec<File>, String> {
    let mut command = Command::new("gcov");
    command.args(["--json-format", "--stdout", "--branch-probabilities"]).current_dir(dir);
    command.args(units.iter().map(|u| format!("{u}.gcno"))).stdin(Stdio::null()).env("LC_ALL", "C");
    let output = command.output().map_err(|e| format!("cannot run 'gcov': {e}"))?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        return Err(format!("gcov fails: {}", errors.lines().next().unwrap_or("no message")));
    }
    read_gcov(&String::from_utf8_lossy(&output.stdout))
}

fn read_gcov(text: &str) -> Result<Vec<File>, String> {
    let mut files: BTreeMap<String, BTreeMap<u32, Line>> = BTreeMap::new();
    for line in text.lines().filter(|l| !l.trim().is_empty()) {
        let data: GcovData = serde_json::from_str(line).map_err(|e| format!("gcov's answer: {e}"))?;
        for file in data.files.into_iter().filter(|f| !f.file.starts_with("/usr/")) {
            let lines = files.entry(file.file).or_default();
            for l in file.lines {
                let branches: Vec<u64> = l.branches.iter().map(|b| b.count).collect();
                let new = Line { number: l.line_number, count: l.count, branches };
                match lines.get_mut(&l.line_number) {
                    None => {
                        lines.insert(l.line_number, new);
                    }
                    Some(old) => {
                        old.count = old.count.saturating_add(new.count);
                        old.branches.extend(new.branches);
                    }
                }
            }
        }
    }
    let file =
        |(name, lines): (String, BTreeMap<u32, Line>)| File { name, lines: lines.into_values().collect() };
    Ok(files.into_iter().map(file).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_of_gcov_are_read() {
        let text = r#"{"format_version":"1","files":[{"file":"a.c","functions":[],"lines":[
            {"line_number":3,"count":2,"unexecuted_block":false,"branches":[{"count":2,"throw":false,"fallthrough":true},{"count":0,"throw":false,"fallthrough":false}]},
            {"line_number":4,"count":0,"branches":[]}]},{"file":"/usr/include/x.h","lines":[]}]}"#;
        let files = read_gcov(&text.replace('\n', "")).expect("read");
        let measured = Measured { files, ..Measured::default() };
        assert_eq!((measured.lines(), measured.branches()), ((1, 2), (1, 2)));
        assert!(read_gcov("{").is_err());
        assert_eq!(
            (ended(Some(134)), ended(Some(3)), ended(None)),
            (Ended::Aborted, Ended::Normally, Ended::TimedOut)
        );
    }
}
