//! Working through a plan: every case with every configuration, several at once.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread;

use cairn_base::Cancel;

use crate::process::{self, Limits, Stop};
use crate::results::{Results, Row};
use crate::rule::Rule;
use crate::score::Status;
use crate::set::Case;
use crate::template::Template;

/// A way to decide tasks: a command and how to read what it says.
#[derive(Clone, Debug)]
pub struct Config {
    pub name: String,
    pub template: Template,
    pub rule: Rule,
}

/// What is to be run, and where the results go.
#[derive(Clone, Debug)]
pub struct Plan {
    pub cases: Vec<Case>,
    pub configs: Vec<Config>,
    pub limits: Limits,
    /// Runs at the same time.
    pub jobs: usize,
    /// The folder of the results.
    pub out: PathBuf,
}

/// Why a benchmark cannot be run or go on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BenchError {
    /// The plan makes no sense, or does not go with the results that are there.
    Plan(String),
    /// A file cannot be written.
    Output(String),
}

impl fmt::Display for BenchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BenchError::Plan(what) | BenchError::Output(what) => f.write_str(what),
        }
    }
}

/// Who wants to know how it goes. Called by several threads.
pub trait Observer: Sync {
    /// The plan is ready: so many runs, of which some are done already.
    fn planned(&self, _total: usize, _done: usize) {}
    fn finished(&self, _row: &Row) {}
}

impl Plan {
    pub fn results_file(&self) -> PathBuf {
        self.out.join("results.tsv")
    }

    /// The log of one run, relative to the results.
    pub fn log_of(row: &Row) -> PathBuf {
        let name = file_name(&format!("{}.{}", row.task, row.property));
        PathBuf::from("logs").join(file_name(&row.config)).join(name + ".log")
    }
}

/// A task's path as one file name; long ones keep their end, where they differ, and a sum of the rest.
pub fn file_name(text: &str) -> String {
    let plain: String =
        text.chars().map(|c| if c.is_ascii_alphanumeric() || "._-+".contains(c) { c } else { '_' }).collect();
    let plain = plain.trim_start_matches(['.', '_']);
    // FNV-1a: two paths that look the same once flattened get different names.
    let sum =
        text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3));
    match plain == text {
        true if plain.len() <= 120 => plain.to_owned(),
        _ => format!("{}-{:08x}", &plain[plain.len().saturating_sub(120)..], sum as u32),
    }
}

/// Runs what is left of the plan. The rows are those of this plan, in its order, finished ones only:
/// after Ctrl-C (`cancel`) there are fewer.
pub fn run(
    plan: &Plan,
    resume: bool,
    cancel: &Cancel,
    observer: &dyn Observer,
) -> Result<Vec<Row>, BenchError> {
    let mut names = BTreeSet::new();
    if let Some(twice) = plan.configs.iter().find(|c| !names.insert(&c.name)) {
        return Err(BenchError::Plan(format!("two configurations are named `{}`", twice.name)));
    }
    let mut results = open(plan, resume)?;
    let mut finished: BTreeMap<Key, Row> = results.rows.drain(..).map(|r| (key_of(&r), r)).collect();
    let pairs = || plan.cases.iter().flat_map(|case| plan.configs.iter().map(move |config| (case, config)));
    let left: Vec<_> = pairs().filter(|(case, config)| !finished.contains_key(&key(case, config))).collect();
    let total = pairs().count();
    observer.planned(total, total - left.len());

    let queue = Mutex::new(left.into_iter());
    let shared = Mutex::new((results, Vec::new(), None::<BenchError>));
    // Raised by Ctrl-C, and by the first error.
    let halt = AnyOf(cancel.clone(), Cancel::default());
    let worker = || {
        while let Some((case, config)) = next(&queue) {
            if halt.raised() {
                return;
            }
            let row = one(plan, case, config, &halt);
            let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
            let appended = row.and_then(|row| match row {
                None => Ok(()),
                Some(row) => {
                    shared.0.append(&row).map_err(|e| cannot_write(&plan.results_file(), &e))?;
                    observer.finished(&row);
                    shared.1.push(row);
                    Ok(())
                }
            });
            if let Err(error) = appended {
                shared.2.get_or_insert(error);
                halt.1.raise();
                return;
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..plan.jobs.max(1) {
            scope.spawn(worker);
        }
    });
    let (_, rows, error) = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some(error) = error {
        return Err(error);
    }
    finished.extend(rows.into_iter().map(|r| (key_of(&r), r)));
    Ok(pairs().filter_map(|(case, config)| finished.remove(&key(case, config))).collect())
}

struct AnyOf(Cancel, Cancel);

impl AnyOf {
    fn raised(&self) -> bool {
        self.0.raised() || self.1.raised()
    }
}

fn next<T>(queue: &Mutex<impl Iterator<Item = T>>) -> Option<T> {
    queue.lock().unwrap_or_else(PoisonError::into_inner).next()
}

type Key = (String, String, String);

fn key(case: &Case, config: &Config) -> Key {
    (case.name(), case.property.name().to_owned(), config.name.clone())
}

fn key_of(row: &Row) -> Key {
    (row.task.clone(), row.property.clone(), row.config.clone())
}

pub fn cannot_write(path: &Path, error: &std::io::Error) -> BenchError {
    BenchError::Output(format!("cannot write {}: {error}", path.display()))
}

fn open(plan: &Plan, resume: bool) -> Result<Results, BenchError> {
    fs::create_dir_all(&plan.out).map_err(|e| cannot_write(&plan.out, &e))?;
    let path = plan.results_file();
    let mut results = if resume {
        Results::resume(&path).map_err(BenchError::Plan)?
    } else if path.exists() {
        return Err(BenchError::Plan(format!(
            "{} is there already: go on with --resume, or name another folder with --out",
            path.display()
        )));
    } else {
        Results::create(&path).map_err(|e| cannot_write(&path, &e))?
    };
    for config in &plan.configs {
        let manner = format!("{} [{}]", config.template.text(), limits(&plan.limits));
        let declared = results.declare(&config.name, &manner).map_err(BenchError::Plan)?;
        declared.map_err(|e| cannot_write(&path, &e))?;
        let logs = plan.out.join("logs").join(file_name(&config.name));
        fs::create_dir_all(&logs).map_err(|e| cannot_write(&logs, &e))?;
    }
    Ok(results)
}

/// The limits in words, for the results file.
pub fn limits(limits: &Limits) -> String {
    let seconds =
        |t: Option<std::time::Duration>| t.map_or("no".to_owned(), |t| format!("{} s", t.as_secs_f64()));
    let memory = limits.memory.map_or("no".to_owned(), |m| format!("{} MB", m >> 20));
    format!("{} CPU, {} wall, {memory} memory", seconds(limits.cpu), seconds(limits.wall))
}

/// One run; none if it was interrupted.
fn one(plan: &Plan, case: &Case, config: &Config, halt: &AnyOf) -> Result<Option<Row>, BenchError> {
    let expected = match (case.property.expected, &case.property.subproperty) {
        (None, _) => String::new(),
        (Some(false), Some(sub)) => format!("false({sub})"),
        (Some(expected), _) => expected.to_string(),
    };
    let mut row = Row {
        task: case.name(),
        property: case.property.name().to_owned(),
        config: config.name.clone(),
        verdict: String::new(),
        expected,
        status: Status::Error,
        cpu: Default::default(),
        wall: Default::default(),
        memory: 0,
        exit: String::new(),
    };
    let path = plan.out.join(Plan::log_of(&row));
    let failed = |e: &std::io::Error| cannot_write(&path, e);
    let tmp = path.with_extension("tmp");
    if config.template.wants_tmp() {
        fs::create_dir_all(&tmp).map_err(|e| cannot_write(&tmp, &e))?;
    }
    let arguments = config.template.fill(case, &plan.limits, &tmp);
    let mut log = File::options().append(true).read(true).create(true).open(&path).map_err(|e| failed(&e))?;
    log.set_len(0).map_err(|e| failed(&e))?;
    let shown = shlex::try_join(arguments.iter().map(String::as_str)).unwrap_or_else(|_| arguments.join(" "));
    writeln!(log, "$ {shown}\n").map_err(|e| failed(&e))?;
    let ran = process::run(&arguments, &log, &plan.limits, &|| halt.raised());
    if config.template.wants_tmp() {
        // What cannot be removed is only litter.
        let _ = fs::remove_dir_all(&tmp);
    }
    let ran = match ran {
        Ok(ran) => ran,
        Err(error) => {
            let what = format!("cannot run {}: {error}", arguments.first().map_or("", String::as_str));
            return Err(BenchError::Plan(format!("{}: {what}", config.name)));
        }
    };
    (row.cpu, row.wall, row.memory, row.exit) = (ran.cpu, ran.wall, ran.memory, ran.end.to_string());
    match ran.stopped {
        Some(Stop::Cancelled) => return Ok(None),
        Some(Stop::Cpu) => (row.verdict, row.status) = ("timeout".into(), Status::Timeout),
        Some(Stop::Wall) => (row.verdict, row.status) = ("timeout (wall)".into(), Status::Timeout),
        Some(Stop::Memory) => (row.verdict, row.status) = ("out of memory".into(), Status::OutOfMemory),
        None => {
            let answer = config.rule.read(&output(&mut log).map_err(|e| failed(&e))?, ran.end);
            (row.verdict, row.status) = (answer.to_string(), Status::of(&answer, &case.property));
        }
    }
    Ok(Some(row))
}

/// Longer outputs are read from here to their end only.
const READ: u64 = 64 << 20;

/// What the tool wrote: all but our own first line.
fn output(log: &mut File) -> std::io::Result<String> {
    let length = log.seek(SeekFrom::End(0))?;
    log.seek(SeekFrom::Start(length.saturating_sub(READ)))?;
    let mut bytes = Vec::new();
    log.read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    Ok(match text.split_once("\n\n") {
        Some((first, rest)) if first.starts_with("$ ") && length <= READ => rest.to_owned(),
        _ => text,
    })
}
