//! What `cairn test` came to, for people and for tools.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use cairn_coverage::summary::{Tally, percent};
use cairn_coverage::{Fate, Goal};
use cairn_csyntax::render::position;
use cairn_sem::End;
use serde::Serialize;

use super::generate::Finished;
use super::subject::Subject;
use crate::exit::Exit;
use crate::report::{JsonInput, JsonPlace, json_inputs, limit_name};
use crate::terminal;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default().bold();
const UNSURE: Style = AnsiColor::Yellow.on_default().bold();

/// Goals listed in the text; the JSON has all of them.
const SHOWN: usize = 20;

pub fn write(f: &Finished<'_>) -> Exit {
    let tally = f.coverage.tally();
    let exit = if tally.left == 0 { Exit::Normal } else { Exit::Limit };
    if f.args.search.json {
        terminal::output(&(json(f, &tally, exit) + "\n"));
    } else if [&f.args.lcov, &f.args.html].into_iter().flatten().any(|p| p.as_os_str() == "-") {
        terminal::report(&text(f, &tally));
    } else {
        terminal::say(&text(f, &tally));
    }
    exit
}

/// `10 of 12 outcomes of decisions covered (83.3 %), 2 unreachable, 0 left`.
fn result_line(f: &Finished<'_>, tally: &Tally) -> (Style, String) {
    let line = format!(
        "{} of {} {} covered ({:.1} %), {} unreachable, {} left",
        tally.covered,
        tally.goals,
        f.criterion.noun(),
        tally.percent(),
        tally.proved + tally.explored,
        tally.left
    );
    (if tally.left == 0 { GOOD } else { UNSURE }, line)
}

fn text(f: &Finished<'_>, tally: &Tally) -> String {
    let mut text = String::new();
    if !f.args.search.quiet {
        functions(f, &mut text);
        listed(f, &mut text);
        let (lines, hit) = lines(f);
        let _ =
            writeln!(text, "{BOLD}Lines:{BOLD:#} {hit} of {lines} executed ({:.1} %)", percent(hit, lines));
        let dropped = f.found - f.tests.len();
        let _ = write!(text, "{BOLD}Tests:{BOLD:#} {} in {}", f.tests.len(), f.args.suite.display());
        if dropped > 0 {
            let _ = write!(text, " ({dropped} more were found and add nothing)");
        }
        text.push('\n');
        for name in &f.subject.compiled.unmodelled {
            let at = position(&f.subject.compiled.map, name.place);
            let _ = writeln!(text, "{UNSURE}No body and no model:{UNSURE:#} {} at {at}", name.name);
        }
        for note in ledger(f) {
            let _ = writeln!(text, "{DIM}{note}{DIM:#}");
        }
    }
    let (style, line) = result_line(f, tally);
    let _ = writeln!(text, "{BOLD}Result:{BOLD:#} {style}{line}{style:#}");
    text
}

fn functions(f: &Finished<'_>, text: &mut String) {
    let rows = f.coverage.functions();
    let width = rows.iter().map(|r| r.name.chars().count()).max().unwrap_or(0).max("function".len());
    let _ = writeln!(
        text,
        "{BOLD}{:width$}  {:>6}  {:>7}  {:>11}  {:>5}{BOLD:#}",
        "function", "goals", "covered", "unreachable", "left"
    );
    for r in &rows {
        let _ = writeln!(
            text,
            "{:width$}  {:>6}  {:>7}  {:>11}  {:>5}",
            r.name,
            r.tally.goals,
            r.tally.covered,
            r.tally.proved + r.tally.explored,
            r.tally.left
        );
    }
}

/// Goals that no test covers.
fn listed(f: &Finished<'_>, text: &mut String) {
    let map = &f.subject.compiled.map;
    let mut list = |heading: String, goals: Vec<(&Goal, &str)>| {
        if goals.is_empty() {
            return;
        }
        let _ = writeln!(text, "{BOLD}{heading}{BOLD:#}");
        for (goal, why) in goals.iter().take(SHOWN) {
            let _ = writeln!(text, "  {}: {}{why}", position(map, goal.place), goal.what);
        }
        if goals.len() > SHOWN {
            let _ = writeln!(text, "  … {} more (--json has all)", goals.len() - SHOWN);
        }
    };
    let of = |wanted: fn(&Fate) -> bool| -> Vec<(&Goal, &str)> {
        f.coverage.counted().filter(|(_, fate)| wanted(fate)).map(|(g, _)| (g, "")).collect()
    };
    list(
        "Dead code (no execution comes here; proved, and the proof was checked):".to_owned(),
        of(|fate| matches!(fate, Fate::Unreachable { checked: true })),
    );
    list(
        "Dead code (explored completely, not re-checked):".to_owned(),
        of(|fate| matches!(fate, Fate::Unreachable { checked: false })),
    );
    let why = f.coverage.fates.iter().find_map(|fate| match fate {
        Fate::Left(why) if !why.is_empty() => Some(why.as_str()),
        _ => None,
    });
    let why = why.map_or_else(String::new, |w| format!(" ({w})"));
    list(format!("Left{why}:"), of(|fate| matches!(fate, Fate::Left(_))));
}

fn lines(f: &Finished<'_>) -> (usize, usize) {
    let files = f.coverage.lines();
    let all = files.values().flat_map(|lines| lines.values());
    (all.clone().count(), all.filter(|l| l.count > 0).count())
}

/// How the program is read.
pub fn remarks(subject: &Subject, notes: &[String]) -> Vec<String> {
    let mut notes: Vec<String> = notes.iter().map(|n| format!("Note: {n}")).collect();
    if !subject.task.conditions.is_empty() {
        notes.push(format!("What is unreachable is so if {}", subject.task.conditions.join("; ")));
    }
    if !subject.task.conventions.is_empty() {
        notes.push(format!("Taken for granted: {}", subject.task.conventions.join("; ")));
    }
    notes
}

/// What the result rests on.
pub fn ledger(f: &Finished<'_>) -> Vec<String> {
    let mut ledger = remarks(f.subject, &f.notes);
    ledger.push(format!(
        "Data model {}; coverage as measured by the executor on the tests that are kept; {:.3} s",
        f.subject.task.program.model,
        f.time.as_secs_f64()
    ));
    ledger
}

#[derive(Serialize)]
struct Json<'a> {
    cairn: &'static str,
    command: &'static str,
    criterion: &'a str,
    result: String,
    exit_code: u8,
    data_model: String,
    suite: String,
    tests: Vec<JsonTest<'a>>,
    tests_found: usize,
    coverage: JsonTally,
    lines: JsonLines,
    functions: Vec<JsonFunction>,
    goals: Vec<JsonGoal<'a>>,
    unmodelled: Vec<&'a str>,
    notes: &'a [String],
    conventions: &'a [String],
    seconds: f64,
}

#[derive(Serialize)]
struct JsonTest<'a> {
    file: String,
    end: String,
    covers: usize,
    inputs: Vec<JsonInput<'a>>,
}

#[derive(Serialize)]
pub struct JsonTally {
    goals: usize,
    covered: usize,
    unreachable_proved: usize,
    unreachable_explored: usize,
    left: usize,
    percent: f64,
}

impl JsonTally {
    pub fn new(t: &Tally) -> JsonTally {
        JsonTally {
            goals: t.goals,
            covered: t.covered,
            unreachable_proved: t.proved,
            unreachable_explored: t.explored,
            left: t.left,
            percent: t.percent(),
        }
    }
}

#[derive(Serialize)]
struct JsonLines {
    lines: usize,
    executed: usize,
}

#[derive(Serialize)]
struct JsonFunction {
    name: String,
    calls: u64,
    #[serde(flatten)]
    coverage: JsonTally,
}

#[derive(Serialize)]
struct JsonGoal<'a> {
    what: &'a str,
    function: &'a str,
    place: JsonPlace<'a>,
    status: &'static str,
    /// The first test that covers it.
    #[serde(skip_serializing_if = "Option::is_none")]
    test: Option<String>,
}

/// A goal's fate in a word.
pub fn status(fate: &Fate) -> &'static str {
    match fate {
        Fate::Covered => "covered",
        Fate::Unreachable { checked: true } => "unreachable",
        Fate::Unreachable { checked: false } => "unreachable-unchecked",
        Fate::Left(_) => "left",
    }
}

/// How an execution ends, in a few words.
pub fn end_text(end: &End) -> String {
    match end {
        End::Exit(code) => format!("exit {code}"),
        End::Abort(_) => "abort".to_owned(),
        End::ErrorReached(_) => "error".to_owned(),
        End::Undefined(r) => format!("undefined behaviour: {}", r.message),
        End::AssumptionFailed(_) => "assumption fails".to_owned(),
        End::NoReturn(_) => "function without a body".to_owned(),
        End::Limit(limit, _) => format!("limit ({})", limit_name(*limit)),
        End::NoEntry(why) => why.clone(),
    }
}

fn json(f: &Finished<'_>, tally: &Tally, exit: Exit) -> String {
    let (map, model) = (&f.subject.compiled.map, f.subject.task.program.model);
    let file = |number: usize| format!("testcase-{number}.xml");
    let (lines, executed) = lines(f);
    let goals = f.coverage.counted().enumerate().map(|(n, (goal, fate))| JsonGoal {
        what: &goal.what,
        function: f.coverage.program.funcs[goal.function].name.as_str(),
        place: JsonPlace::new(map, goal.place),
        status: status(fate),
        test: f.tests.iter().find(|t| t.covers.contains(n)).map(|t| file(t.number)),
    });
    let json = Json {
        cairn: env!("CARGO_PKG_VERSION"),
        command: "test",
        criterion: f.criterion.name(),
        result: result_line(f, tally).1,
        exit_code: exit as u8,
        data_model: model.to_string(),
        suite: f.args.suite.display().to_string(),
        tests: f
            .tests
            .iter()
            .map(|t| JsonTest {
                file: file(t.number),
                end: end_text(&t.end),
                covers: t.covers.ones().filter(|n| *n < f.coverage.counted).count(),
                inputs: json_inputs(&t.inputs, model, map),
            })
            .collect(),
        tests_found: f.found,
        coverage: JsonTally::new(tally),
        lines: JsonLines { lines, executed },
        functions: f
            .coverage
            .functions()
            .into_iter()
            .map(|r| JsonFunction { name: r.name, calls: r.calls, coverage: JsonTally::new(&r.tally) })
            .collect(),
        goals: goals.collect(),
        unmodelled: f.subject.compiled.unmodelled.iter().map(|u| u.name.as_str()).collect(),
        notes: &f.notes,
        conventions: &f.subject.task.conventions,
        seconds: f.time.as_secs_f64(),
    };
    // Plain structs of text and numbers always serialise.
    serde_json::to_string_pretty(&json).unwrap_or_default()
}
