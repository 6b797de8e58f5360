//! `cairn validate`: is a witness right? The witness is built into the program
//! (see `cairn_witness::validate`), and what is left is a task like any other,
//! whose answer is checked like any other: a correctness witness is confirmed by
//! a proof that passes the checker, a violation witness by an execution of the
//! user's own program.

mod correctness;
mod output;
pub mod violation;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use cairn_base::{Budget, Cancel};
use cairn_cfront::Compiled;
use cairn_core::replay::Confirmed;
use cairn_core::{Task, Trace, Why};
use cairn_formats::property::{self, specification};
use cairn_sem::spelled;
use cairn_story::Story;
use cairn_witness::{Claim, Sources, TaskInfo, Witness, WitnessError};

use crate::args::ValidateArgs;
use crate::check::prepare::{Asked, Prepared, prepare};
use crate::check::request::Request;
use crate::exit::Exit;
use crate::follow::Unfit;
use crate::front::Setup;
use crate::guard::word;
use crate::rerun;

/// What is known of a witness.
pub enum Judged {
    /// Why we believe it, for people.
    Correct(String),
    Violated(Box<Confirmed>, Option<Box<Story>>),
    /// It is wrong, or it is not a witness of this program at all (`Exit::Rejected`).
    Rejected(String, Exit),
    Unknown(Why),
}

/// The program that the witness is about.
pub struct Subject<'a> {
    pub setup: &'a Setup,
    pub sources: &'a Sources,
    pub compiled: &'a Compiled,
    pub task: &'a Task,
}

pub struct Finished<'a> {
    pub args: &'a ValidateArgs,
    pub compiled: &'a Compiled,
    /// In the reading that the judgement is about.
    pub task: &'a Task,
    /// `violation` or `correctness`.
    pub kind: &'static str,
    pub judged: Judged,
    pub notes: Vec<String>,
    pub time: Duration,
}

pub fn validate(args: &'static ValidateArgs, cancel: &Cancel) -> Exit {
    let start = Instant::now();
    let witness = match read(&args.witness) {
        Ok(witness) => witness,
        Err(judged) => return output::without_program(args, judged),
    };
    let asked = Asked {
        command: "validate",
        front: &args.front,
        property: args.property.as_deref(),
        signed_overflow: args.signed_overflow.into(),
        time: args.time,
        cpu_time: None,
        memory: args.memory,
        json: args.json,
    };
    let prepared = prepare(&asked, cancel, |request| choose_property(args, request, &witness));
    // It is used to the end of the process, whoever prints the report.
    let prepared: &'static Prepared = match prepared {
        Ok(prepared) => Box::leak(Box::new(prepared)),
        Err(exit) => return exit,
    };
    let Prepared { request, setup, compiled, task, budget } = prepared;
    let kind = match witness.claim {
        Claim::Violation(_) => "violation",
        Claim::Correctness(_) => "correctness",
    };
    let print = move |task: &Task, judged: Judged, notes: Vec<String>| {
        output::write(&Finished { args, compiled, task, kind, judged, notes, time: start.elapsed() })
    };
    word::prepare(move |stop| print(task, Judged::Unknown(stop.why()), Vec::new()));
    let mut notes = Vec::new();
    let (judged, looking) = match belongs(&witness, setup, request) {
        Err(judged) => (judged, None),
        Ok(more) => {
            notes.extend(more);
            match setup.sources() {
                Err(error) => (rejected(&error.into()), None),
                Ok(sources) => {
                    let subject = Subject { setup, sources: &sources, compiled, task };
                    match &witness.claim {
                        Claim::Violation(segments) => violation::judge(&subject, segments, budget),
                        Claim::Correctness(invariants) => correctness::judge(&subject, invariants, budget),
                    }
                }
            }
        }
    };
    print(looking.as_ref().unwrap_or(task), judged, notes)
}

fn read(path: &Path) -> Result<Witness, Judged> {
    let bytes = std::fs::read(path)
        .map_err(|e| Judged::Rejected(format!("{} cannot be read: {e}", path.display()), Exit::Rejected))?;
    let text = String::from_utf8(bytes)
        .map_err(|_| Judged::Rejected(format!("{} is not a text", path.display()), Exit::Rejected))?;
    cairn_witness::read(&text).map_err(|e| rejected(&e.into()))
}

/// Without a word of the user, the property is the witness's own.
fn choose_property(args: &ValidateArgs, mut request: Request, witness: &Witness) -> Result<Request, String> {
    let theirs = squeezed(&witness.task.specification);
    let stated = args.property.is_some() || request.property_file.is_some();
    if stated || theirs.is_empty() || squeezed(&specification(&request.property, &request.entry)) == theirs {
        return Ok(request);
    }
    let (property, entry) = property::parse(&witness.task.specification)
        .map_err(|e| format!("{}: the specification cannot be read: {e}", args.witness.display()))?;
    if args.front.function.is_none() {
        request.entry = entry;
    }
    request.property = property;
    Ok(request)
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect()
}

/// Is the witness about this program, read in this way, and this property?
fn belongs(witness: &Witness, setup: &Setup, request: &Request) -> Result<Vec<String>, Judged> {
    let foreign = |why: String| Judged::Rejected(why, Exit::Rejected);
    let files = setup.files();
    let files: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
    let (now, version) = (time::OffsetDateTime::now_utc(), env!("CARGO_PKG_VERSION"));
    let info = TaskInfo::new(&files, &request.property, &request.entry, request.model(), now, version)
        .map_err(|e| rejected(&e.into()))?;
    let notes = witness.task.belongs_to(&info).map_err(|e| rejected(&e.into()))?;
    if let Some(model) = witness.task.model.filter(|m| *m != request.model()) {
        return Err(foreign(format!(
            "it is about the data model {model}, this run about {}",
            request.model()
        )));
    }
    let (theirs, ours) = (squeezed(&witness.task.specification), squeezed(&info.specification));
    if !ours.contains(&theirs) {
        let theirs = witness.task.specification.trim();
        return Err(foreign(format!("it is about another property: {theirs}")));
    }
    Ok(notes)
}

/// A witness that cannot be built into the program.
fn rejected(unfit: &Unfit) -> Judged {
    let what = unfit.text();
    match unfit {
        Unfit::Witness(WitnessError::Unsupported(_)) => {
            Judged::Unknown(Why::new("unsupported witness", what))
        }
        Unfit::Witness(WitnessError::Malformed { .. } | WitnessError::WrongTask(_)) => {
            Judged::Rejected(what, Exit::Rejected)
        }
        _ if unfit.internal() => Judged::Unknown(Why::new("internal error", what).internal()),
        _ => Judged::Rejected(what, Exit::Limit),
    }
}

/// The inputs of an execution in a few words.
fn inputs(task: &Task, confirmed: &Confirmed) -> String {
    const SHOWN: usize = 20;
    let text = |i| crate::report::value_text(i, task.program.model);
    let mut values: Vec<String> = confirmed.inputs.iter().take(SHOWN).map(text).collect();
    if confirmed.inputs.len() > SHOWN {
        values.push("…".to_owned());
    }
    if values.is_empty() { String::new() } else { format!(", with the inputs {}", values.join(",")) }
}

/// Shows a failure of another program, with the same inputs and objects, in the program as the user wrote it.
fn in_the_original(
    task: &Task,
    other: &Task,
    trace: &Trace,
    confirmed: &Confirmed,
    budget: &Budget,
) -> Result<(Trace, Confirmed), String> {
    let values: Vec<_> = confirmed.inputs.iter().map(|i| cairn_sem::Given::Bits(i.bits)).collect();
    // Lines are the same in both, so that most objects have the same text.
    let births = spelled::births(&task.program, &spelled::spell(&other.program, &trace.births));
    rerun::violates(task, &values, &births.unwrap_or_default(), budget)
}
