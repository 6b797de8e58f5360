//! `cairn reach`: code penetration. Each target is reached, by inputs that were run;
//! or it is unreachable, by a proof that was checked (or, said apart, by the word of
//! the search); or it is hard.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use anstyle::{AnsiColor, Style};
use cairn_base::Cancel;
use cairn_coverage::suite::Folder;
use cairn_coverage::{Asked, Criterion, Fate, Goal, TestCase};
use cairn_csyntax::render::position;
use cairn_witness::task::PRODUCER;
use cairn_witness::testcase::metadata;
use serde::Serialize;

use super::args::ReachArgs;
use super::generate::{info, notes};
use super::output::{end_text, remarks};
use super::search::{Decided, Sofar, decide};
use super::subject::{Subject, open, rejected};
use crate::exit::Exit;
use crate::guard::word;
use crate::report::{JsonInput, JsonPlace, json_inputs, value_text};
use crate::terminal;

const BOLD: Style = Style::new().bold();
const DIM: Style = Style::new().dimmed();
const GOOD: Style = AnsiColor::Green.on_default().bold();
const UNSURE: Style = AnsiColor::Yellow.on_default().bold();

/// Targets of each kind, and inputs of each, that the text shows; the JSON has all of them.
const SHOWN: usize = 40;
const SHOWN_INPUTS: usize = 12;

struct Finished<'a> {
    args: &'a ReachArgs,
    subject: &'a Subject,
    goals: &'a [Goal],
    fates: &'a [Fate],
    notes: Vec<String>,
    tests: &'a [TestCase],
    time: Duration,
}

pub fn reach(args: &'static ReachArgs, cancel: &Cancel) -> Exit {
    let start = Instant::now();
    let refuse = |message: &str, what: &str| rejected(message, what, "reach", args.search.json);
    let (subject, entry) = match open("reach", &args.front, &args.search, cancel) {
        Ok(opened) => opened,
        Err(exit) => return exit,
    };
    // They are used to the end of the process, whoever prints the report.
    let subject: &'static Subject = Box::leak(Box::new(subject));
    let goals: &'static [Goal] = match targets(args, subject) {
        Ok(goals) => Vec::leak(goals),
        Err(message) => return refuse(&message, "target"),
    };
    let unwritable = |message: &str| {
        terminal::usage_error(message);
        Exit::Usage
    };
    let folder = args.suite.as_ref().map(|path| {
        let info = info(subject, &Criterion::Statements, &entry)?;
        Folder::create(path, &metadata(&info, &entry), PRODUCER)
    });
    let folder = match folder.transpose() {
        Ok(folder) => folder,
        Err(message) => return unwritable(&message),
    };
    let print = move |tests: &[TestCase], decided: &Decided| {
        let notes = notes(&subject.task.notes, &decided.notes);
        let (fates, time) = (&decided.fates[..], start.elapsed());
        Finished { args, subject, goals, fates, notes, tests, time }.print()
    };
    let sofar = Sofar::default();
    let found = sofar.clone();
    word::prepare(move |stop| print(&found.tests(), &found.decided(goals, stop)));
    let write = |test: &TestCase| folder.as_ref().map_or(Ok(()), |f| f.write(test, false));
    match decide(subject, goals, &sofar, write) {
        Ok((tests, decided)) => print(&tests, &decided),
        Err(message) => unwritable(&message),
    }
}

/// The places that are asked for. One that the program does not have is a mistake.
fn targets(args: &ReachArgs, subject: &Subject) -> Result<Vec<Goal>, String> {
    let blocks = [Asked::Blocks];
    let asked = if args.target.is_empty() { &blocks[..] } else { &args.target[..] };
    let p = &subject.task.original;
    let mut all: Vec<Goal> = Vec::new();
    for goal in asked {
        let found = goal.goals(p, &subject.compiled.decisions);
        if found.is_empty() {
            return Err(match goal {
                Asked::Line { file: None, line } => format!("there is no code on line {line}"),
                Asked::Line { file: Some(file), line } => {
                    format!("there is no code on line {line} of {file}")
                }
                Asked::Label(name) => format!("the program has no label `{name}`"),
                Asked::Function(name) => format!("the program has no function `{name}` with a body"),
                Asked::Asserts => "the program has no assertion and no error function".to_owned(),
                Asked::Blocks => "the program has no code".to_owned(),
                Asked::Branches => "the program has no branch".to_owned(),
            });
        }
        all.extend(found.into_iter().filter(|g| !all.contains(g)).collect::<Vec<_>>());
    }
    Ok(all)
}

/// A fate in a word.
fn status(fate: &Fate) -> &'static str {
    match fate {
        Fate::Covered => "reachable",
        Fate::Unreachable { checked: true } => "unreachable",
        Fate::Unreachable { checked: false } => "unreachable-unchecked",
        Fate::Left(_) => "hard",
    }
}

impl Finished<'_> {
    fn print(&self) -> Exit {
        let exit =
            if self.fates.iter().any(|f| matches!(f, Fate::Left(_))) { Exit::Limit } else { Exit::Normal };
        if self.args.search.json {
            terminal::output(&(self.json(exit) + "\n"));
        } else {
            terminal::say(&self.text());
        }
        exit
    }

    fn count(&self, wanted: fn(&Fate) -> bool) -> usize {
        self.fates.iter().filter(|f| wanted(f)).count()
    }

    fn result_line(&self) -> (Style, String) {
        let unchecked = self.count(|f| matches!(f, Fate::Unreachable { checked: false }));
        let hard = self.count(|f| matches!(f, Fate::Left(_)));
        let mut line = format!(
            "{} reachable, {} unreachable",
            self.count(|f| *f == Fate::Covered),
            self.count(|f| matches!(f, Fate::Unreachable { checked: true }))
        );
        if unchecked > 0 {
            let _ = write!(line, ", {unchecked} explored completely, not re-checked");
        }
        let _ = write!(line, ", {hard} hard");
        (if hard == 0 { GOOD } else { UNSURE }, line)
    }

    /// The first test that comes to a goal.
    fn test_of(&self, n: usize) -> Option<&TestCase> {
        self.tests.iter().find(|t| t.covers.contains(n))
    }

    fn text(&self) -> String {
        let mut text = String::new();
        if !self.args.search.quiet {
            self.list(&mut text, "Reachable:", |f| *f == Fate::Covered);
            self.list(&mut text, "Dead code (unreachable; proved, and the proof was checked):", |f| {
                matches!(f, Fate::Unreachable { checked: true })
            });
            self.list(&mut text, "Dead code (explored completely, not re-checked):", |f| {
                matches!(f, Fate::Unreachable { checked: false })
            });
            self.list(&mut text, "Hard (neither reached nor proved unreachable):", |f| {
                matches!(f, Fate::Left(_))
            });
            for name in &self.subject.compiled.unmodelled {
                let at = position(&self.subject.compiled.map, name.place);
                let _ = writeln!(text, "{UNSURE}No body and no model:{UNSURE:#} {} at {at}", name.name);
            }
            for note in remarks(self.subject, &self.notes) {
                let _ = writeln!(text, "{DIM}{note}{DIM:#}");
            }
            let (model, time) = (self.subject.task.program.model, self.time.as_secs_f64());
            let _ = writeln!(
                text,
                "{DIM}Data model {model}; inputs were run by the executor; {time:.3} s{DIM:#}"
            );
        }
        let (style, line) = self.result_line();
        let _ = writeln!(text, "{BOLD}Result:{BOLD:#} {style}{line}{style:#}");
        text
    }

    fn list(&self, text: &mut String, heading: &str, wanted: fn(&Fate) -> bool) {
        let found: Vec<usize> = (0..self.goals.len()).filter(|n| wanted(&self.fates[*n])).collect();
        if found.is_empty() {
            return;
        }
        let _ = writeln!(text, "{BOLD}{heading}{BOLD:#}");
        let (map, model) = (&self.subject.compiled.map, self.subject.task.program.model);
        for &n in found.iter().take(SHOWN) {
            let goal = &self.goals[n];
            let _ = write!(text, "  {}: {}", position(map, goal.place), goal.what);
            if let Some(test) = self.test_of(n) {
                let mut values: Vec<String> =
                    test.inputs.iter().take(SHOWN_INPUTS).map(|i| value_text(i, model)).collect();
                if test.inputs.len() > SHOWN_INPUTS {
                    values.push(format!("… {} more", test.inputs.len() - SHOWN_INPUTS));
                }
                let inputs = if values.is_empty() { "any input".to_owned() } else { values.join(", ") };
                let _ = write!(text, "  {DIM}with {inputs}{DIM:#}");
            }
            if let Fate::Left(why) = &self.fates[n]
                && !why.is_empty()
            {
                let _ = write!(text, "  {DIM}{why}{DIM:#}");
            }
            text.push('\n');
        }
        if found.len() > SHOWN {
            let _ = writeln!(text, "  … {} more (--json has all)", found.len() - SHOWN);
        }
    }

    fn json(&self, exit: Exit) -> String {
        let (map, model) = (&self.subject.compiled.map, self.subject.task.program.model);
        let target = |n: usize| {
            let (goal, fate) = (&self.goals[n], &self.fates[n]);
            let test = self.test_of(n);
            JsonTarget {
                what: &goal.what,
                function: self.subject.task.original.funcs[goal.function].name.as_str(),
                place: (!goal.place.is_none()).then(|| JsonPlace::new(map, goal.place)),
                status: status(fate),
                reason: match fate {
                    Fate::Left(why) => Some(why),
                    _ => None,
                },
                inputs: test.map(|t| json_inputs(&t.inputs, model, map)),
                end: test.map(|t| end_text(&t.end)),
                test: test
                    .filter(|_| self.args.suite.is_some())
                    .map(|t| format!("testcase-{}.xml", t.number)),
            }
        };
        let json = Json {
            cairn: env!("CARGO_PKG_VERSION"),
            command: "reach",
            result: self.result_line().1,
            exit_code: exit as u8,
            data_model: model.to_string(),
            targets: (0..self.goals.len()).map(target).collect(),
            unmodelled: self.subject.compiled.unmodelled.iter().map(|u| u.name.as_str()).collect(),
            notes: &self.notes,
            conventions: &self.subject.task.conventions,
            seconds: self.time.as_secs_f64(),
        };
        // Plain structs of text and numbers always serialise.
        serde_json::to_string_pretty(&json).unwrap_or_default()
    }
}

#[derive(Serialize)]
struct Json<'a> {
    cairn: &'static str,
    command: &'static str,
    result: String,
    exit_code: u8,
    data_model: String,
    targets: Vec<JsonTarget<'a>>,
    unmodelled: Vec<&'a str>,
    notes: &'a [String],
    conventions: &'a [String],
    seconds: f64,
}

#[derive(Serialize)]
struct JsonTarget<'a> {
    what: &'a str,
    function: &'a str,
    place: Option<JsonPlace<'a>>,
    /// `reachable`, `unreachable`, `unreachable-unchecked` or `hard`.
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    inputs: Option<Vec<JsonInput<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    test: Option<String>,
}
