//! `cairn test`: a suite that covers the program.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use cairn_base::Cancel;
use cairn_core::Property;
use cairn_coverage::suite::{self, Folder};
use cairn_coverage::{Coverage, Criterion, Goal, Hits, TestCase, goals, html, lcov};
use cairn_witness::TaskInfo;
use cairn_witness::task::PRODUCER;
use cairn_witness::testcase::metadata;
use time::OffsetDateTime;

use super::args::TestArgs;
use super::search::{Decided, Sofar, decide};
use super::subject::{Asked, Subject, prepare, rejected};
use super::{native, output};
use crate::args::FrontArgs;
use crate::check::request;
use crate::exit::Exit;
use crate::guard::word;
use crate::terminal;

/// Everything a report needs.
pub struct Finished<'a> {
    pub args: &'a TestArgs,
    pub subject: &'a Subject,
    pub criterion: &'a Criterion,
    pub coverage: Coverage<'a>,
    /// The tests that were kept.
    pub tests: Vec<&'a TestCase>,
    pub found: usize,
    /// What limits the result.
    pub notes: Vec<String>,
    pub time: Duration,
}

pub fn test(args: &'static TestArgs, cancel: &Cancel) -> Exit {
    if let Some(suite) = &args.run {
        return native::run(args, suite, cancel);
    }
    let start = Instant::now();
    let refuse = |message: &str| rejected(message, "input", "test", args.search.json);
    let (front, criterion, entry) = match asked(args) {
        Ok(asked) => asked,
        Err(message) => return refuse(&message),
    };
    let asked = Asked { command: "test", front: &front, entry: &entry, search: &args.search };
    // They are used to the end of the process, whoever prints the report.
    let subject: &'static Subject = match prepare(&asked, cancel) {
        Ok(subject) => Box::leak(Box::new(subject)),
        Err(exit) => return exit,
    };
    let criterion: &'static Criterion = Box::leak(Box::new(criterion));
    let (all, counted) = all_goals(subject, criterion);
    let all: &'static [Goal] = Vec::leak(all);
    let case = Case { args, subject, criterion, all, counted, start };
    let folder = info(subject, criterion, &entry)
        .and_then(|info| Folder::create(&args.suite, &metadata(&info, &entry), PRODUCER));
    let folder = match folder {
        Ok(folder) => folder,
        Err(message) => return unwritable(&message),
    };
    let sofar = Sofar::default();
    let early = sofar.clone();
    word::prepare(move |stop| {
        let (tests, decided) = (early.tests(), early.decided(all, stop));
        case.print(&tests.iter().collect::<Vec<_>>(), tests.len(), &decided)
    });
    let covers_error = matches!(criterion, Criterion::Error { .. });
    let write = |test: &TestCase| folder.write(test, covers_error);
    let (found, decided) = match decide(subject, all, &sofar, write) {
        Ok(decided) => decided,
        Err(message) => return unwritable(&message),
    };
    // From here on the suite changes.
    word::take();
    let keep = match args.keep_all {
        true => vec![true; found.len()],
        false => suite::minimise(&found),
    };
    let mut tests = Vec::new();
    for (test, keep) in found.iter().zip(&keep) {
        if *keep {
            tests.push(test);
        } else if let Err(message) = folder.remove(test.number) {
            return unwritable(&message);
        }
    }
    case.print(&tests, found.len(), &decided)
}

fn unwritable(message: &str) -> Exit {
    terminal::usage_error(message);
    Exit::Usage
}

/// What is asked, and since when.
#[derive(Copy, Clone)]
struct Case {
    args: &'static TestArgs,
    subject: &'static Subject,
    criterion: &'static Criterion,
    all: &'static [Goal],
    counted: usize,
    start: Instant,
}

impl Case {
    /// Prints the report and writes the pages.
    fn print(self, tests: &[&TestCase], found: usize, decided: &Decided) -> Exit {
        let Case { args, subject, criterion, all, counted, start } = self;
        let mut hits = Hits::default();
        tests.iter().for_each(|test| hits.add(&test.hits));
        let coverage = Coverage {
            program: &subject.task.original,
            decisions: &subject.compiled.decisions,
            goals: all,
            counted,
            fates: &decided.fates,
            hits: &hits,
        };
        let finished = Finished {
            args,
            subject,
            criterion,
            coverage,
            tests: tests.to_vec(),
            found,
            notes: notes(&subject.task.notes, &decided.notes),
            time: start.elapsed(),
        };
        let exit = output::write(&finished);
        match pages(&finished) {
            Ok(()) => exit,
            Err(message) => unwritable(&message),
        }
    }
}

/// Remarks, each once.
pub fn notes(of_task: &[String], of_proofs: &[String]) -> Vec<String> {
    let mut notes = of_task.to_vec();
    notes.extend(of_proofs.iter().filter(|n| !of_task.contains(n)).cloned());
    notes
}

/// Files, criterion and entry function.
fn asked(args: &TestArgs) -> Result<(FrontArgs, Criterion, String), String> {
    let (front, task) = request::open(&args.front)?;
    let listed = task.iter().flat_map(|t| &t.properties).map(|p| p.property_file.clone());
    let named = args.cover.as_deref().or(args.property.as_deref());
    let (criterion, entry) = match named {
        Some(name) => match (Criterion::named(name), &args.cover) {
            (Some(criterion), _) => (criterion, None),
            (None, Some(_)) => {
                return Err(format!("`{name}` is no criterion; there are {}", Criterion::NAMES));
            }
            (None, None) => read_property(Path::new(name))?,
        },
        None => {
            let found = listed.map(|file| read_property(&file)).find(Result::is_ok);
            found.unwrap_or(Ok((Criterion::Branches, None)))?
        }
    };
    let entry = front.function.clone().or(entry).unwrap_or_else(|| "main".to_owned());
    Ok((front, criterion, entry))
}

fn read_property(file: &Path) -> Result<(Criterion, Option<String>), String> {
    let shown = file.display();
    let text = std::fs::read_to_string(file).map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => {
            format!("`{shown}` is neither a criterion nor a file; there are {}", Criterion::NAMES)
        }
        _ => format!("the property file {shown} cannot be read: {e}"),
    })?;
    let (criterion, entry) = Criterion::parse(&text).map_err(|e| format!("{shown}: {e}"))?;
    Ok((criterion, Some(entry)))
}

/// The criterion's goals, and how many they are; behind them, for branches, the outcomes of the
/// conditions that decisions are made of, because that is what gcov counts.
fn all_goals(subject: &Subject, criterion: &Criterion) -> (Vec<Goal>, usize) {
    let of = |c: &Criterion| goals(&subject.task.original, &subject.compiled.decisions, c);
    let mut all = of(criterion);
    let counted = all.len();
    if *criterion == Criterion::Branches {
        let more: Vec<Goal> = of(&Criterion::Conditions);
        let new = more.into_iter().filter(|g| !all.iter().any(|a| a.targets == g.targets));
        let new: Vec<Goal> = new.collect();
        all.extend(new);
    }
    (all, counted)
}

/// What the suite says of itself.
pub fn info(subject: &Subject, criterion: &Criterion, entry: &str) -> Result<TaskInfo, String> {
    let files = subject.setup.files();
    let files: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
    let (model, version) = (subject.task.program.model, env!("CARGO_PKG_VERSION"));
    let now = OffsetDateTime::now_utc();
    let info = TaskInfo::new(&files, &Property::default(), entry, model, now, version);
    let info = info.map_err(|e| e.to_string())?;
    Ok(TaskInfo { specification: criterion.specification(entry), ..info })
}

/// The reports that were asked for.
fn pages(f: &Finished<'_>) -> Result<(), String> {
    let write = |path: &Path, text: String| match path == Path::new("-") {
        true => {
            terminal::output(&text);
            Ok(())
        }
        false => std::fs::write(path, text).map_err(|e| format!("cannot write {}: {e}", path.display())),
    };
    if let Some(path) = &f.args.lcov {
        let absolute = |name: &str| {
            let path = std::path::absolute(name).unwrap_or_else(|_| name.into());
            path.to_string_lossy().into_owned()
        };
        write(path, lcov::tracefile(&f.coverage, absolute))?;
    }
    if let Some(path) = &f.args.html {
        let files: Vec<String> = f.subject.setup.files().iter().map(|p| p.display().to_string()).collect();
        let heading = html::Heading {
            title: &files.join(", "),
            noun: f.criterion.noun(),
            tests: f.tests.len(),
            ledger: &output::ledger(f),
        };
        write(path, html::page(&f.coverage, &f.subject.compiled.map, &heading))?;
    }
    Ok(())
}
