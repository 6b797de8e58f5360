//! `cairn test --run`: a suite executed natively, its coverage measured by gcov.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;

use anstyle::{AnsiColor, Style};
use cairn_base::Cancel;
use cairn_coverage::native::{Build, Measured, measure};
use cairn_coverage::suite;
use cairn_coverage::summary::percent;
use cairn_witness::harness::driver_c;
use serde::Serialize;

use super::args::TestArgs;
use super::subject::{open, rejected};
use crate::exit::Exit;
use crate::progress::Progress;
use crate::terminal;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default().bold();
const UNSURE: Style = AnsiColor::Yellow.on_default().bold();

pub fn run(args: &TestArgs, suite: &Path, cancel: &Cancel) -> Exit {
    let start = Instant::now();
    let refuse = |message: &str, what: &str| rejected(message, what, "test", args.search.json);
    let tests = match suite::read(suite) {
        Ok(tests) => tests,
        Err(message) => return refuse(&message, "suite"),
    };
    let (subject, entry) = match open("test", &args.front, &args.search, cancel) {
        Ok(opened) => opened,
        Err(exit) => return exit,
    };
    let Some(cpp) = subject.setup.cpp() else {
        return refuse("the files have different options in the compilation database", "input");
    };
    let progress = Progress::start("compiling");
    let driver = driver_c(&subject.task.original);
    let build = Build { files: &subject.setup.files(), cpp: &cpp, driver: &driver, entry: &entry };
    let all = tests.len();
    let measured = measure(&build, &tests, args.test_time, &subject.budget, &mut |n| {
        progress.say(&format!("running test {} of {all}", n + 1));
    });
    progress.hide();
    let measured = match measured {
        Ok(measured) => measured,
        Err(message) => return refuse(&message, "native build"),
    };
    let exit = if measured.skipped == 0 { Exit::Normal } else { Exit::Limit };
    let seconds = start.elapsed().as_secs_f64();
    if args.search.json {
        terminal::output(&(json(&measured, suite, all, seconds, exit) + "\n"));
    } else {
        terminal::say(&text(&measured, args, all, seconds));
    }
    exit
}

fn result_line(m: &Measured) -> String {
    let ((lines, all_lines), (taken, branches)) = (m.lines(), m.branches());
    let mut line = format!(
        "{lines} of {all_lines} lines executed ({:.1} %), {taken} of {branches} branches taken ({:.1} %)",
        percent(lines, all_lines),
        percent(taken, branches)
    );
    if m.skipped > 0 {
        let _ = write!(line, "; {} tests were not run", m.skipped);
    }
    line
}

fn text(m: &Measured, args: &TestArgs, all: usize, seconds: f64) -> String {
    let mut text = String::new();
    if !args.search.quiet {
        let ends: Vec<String> = m.ends.iter().map(|(how, n)| format!("{n} {}", how.text())).collect();
        let _ = writeln!(text, "{BOLD}Tests:{BOLD:#} {all} ({})", ends.join(", "));
        for file in m.files.iter().filter(|_| m.files.len() > 1) {
            let executed = file.lines.iter().filter(|l| l.count > 0).count();
            let _ = writeln!(text, "  {}: {executed} of {} lines", file.name, file.lines.len());
        }
        let _ =
            writeln!(text, "{DIM}Compiled by gcc -O0 --coverage, measured by gcov; {seconds:.3} s{DIM:#}");
    }
    let style = if m.skipped == 0 { GOOD } else { UNSURE };
    let _ = writeln!(text, "{BOLD}Result:{BOLD:#} {style}{}{style:#}", result_line(m));
    text
}

#[derive(Serialize)]
struct Json<'a> {
    cairn: &'static str,
    command: &'static str,
    result: String,
    exit_code: u8,
    suite: String,
    tests: usize,
    skipped: usize,
    ends: Vec<JsonEnd>,
    lines: JsonCount,
    branches: JsonCount,
    files: Vec<JsonFile<'a>>,
    seconds: f64,
}

#[derive(Serialize)]
struct JsonEnd {
    how: &'static str,
    tests: usize,
}

#[derive(Serialize)]
struct JsonCount {
    covered: usize,
    all: usize,
    percent: f64,
}

#[derive(Serialize)]
struct JsonFile<'a> {
    name: &'a str,
    lines: Vec<JsonLine<'a>>,
}

#[derive(Serialize)]
struct JsonLine<'a> {
    line: u32,
    count: u64,
    branches: &'a [u64],
}

fn json(m: &Measured, suite: &Path, all: usize, seconds: f64, exit: Exit) -> String {
    let count = |(covered, all): (usize, usize)| JsonCount { covered, all, percent: percent(covered, all) };
    let json = Json {
        cairn: env!("CARGO_PKG_VERSION"),
        command: "test --run",
        result: result_line(m),
        exit_code: exit as u8,
        suite: suite.display().to_string(),
        tests: all,
        skipped: m.skipped,
        ends: m.ends.iter().map(|(how, n)| JsonEnd { how: how.text(), tests: *n }).collect(),
        lines: count(m.lines()),
        branches: count(m.branches()),
        files: m
            .files
            .iter()
            .map(|f| JsonFile {
                name: &f.name,
                lines: f
                    .lines
                    .iter()
                    .map(|l| JsonLine { line: l.number, count: l.count, branches: &l.branches })
                    .collect(),
            })
            .collect(),
        seconds,
    };
    // Plain structs of text and numbers always serialise.
    serde_json::to_string_pretty(&json).unwrap_or_default()
}
