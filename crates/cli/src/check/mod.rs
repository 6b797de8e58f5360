//! `cairn check`: decide a property of a program, with evidence.
//!
//! The way of an answer: the strategy's engines run one after another; a
//! claimed error is replayed by the executor, a claimed proof is checked by the
//! independent checker, and only what stands its check is printed.

mod evidence;
pub mod limits;
mod output;
pub mod request;
mod strategy;

use std::sync::Mutex;
use std::time::{Duration, Instant};

use cairn_base::{Budget, Cancel};
use cairn_cfront::Compiled;
use cairn_core::replay::{Confirmed, replay};
use cairn_core::story::{Story, tell};
use cairn_core::{Cx, Event, Facts, LoopProof, LoopReport, Proof, Task, TaskError, Trace, Verdict, Why};
use cairn_engines::Settings;
use cairn_native::Native;

use crate::args::{CheckArgs, TraceDetail};
use crate::command::{self, Repeat};
use crate::exit::Exit;
use crate::front::Setup;
use crate::progress::Progress;
use crate::{front, terminal};

use request::Request;

pub use strategy::names as engines;

/// Following the error once more for its story takes no longer, nor does making the evidence.
const TELLING: Duration = Duration::from_secs(20);

/// What came out, checked.
pub enum Answer {
    Safe(Proof),
    Unsafe(Trace, Confirmed),
    Unknown(Why),
}

/// Everything a report needs.
pub struct Finished<'a> {
    pub args: &'a CheckArgs,
    pub request: &'a Request,
    pub setup: &'a Setup,
    pub compiled: &'a Compiled,
    pub task: &'a Task,
    pub answer: Answer,
    /// The way to the error.
    pub story: Option<Story>,
    /// The command that repeats it.
    pub repeat: Option<String>,
    /// The engine that answered.
    pub engine: &'static str,
    pub loops: Vec<LoopReport>,
    pub notes: Vec<String>,
    pub time: Duration,
    /// Time of the check of the evidence.
    pub checking: Duration,
}

pub fn check(args: &CheckArgs, cancel: &Cancel) -> Exit {
    let start = Instant::now();
    if args.evidence.to_stdout() + usize::from(args.json) > 1 {
        terminal::usage_error("only one of --json and the files `-` can go to standard output");
        return Exit::Usage;
    }
    let request = match request::read(&args.front, args.property.as_deref()) {
        Ok(request) => request,
        Err(message) => {
            terminal::usage_error(&message);
            terminal::output("Verdict: ERROR (input)\n");
            return Exit::Rejected;
        }
    };
    limits::watch(cancel, args.cpu_time, args.memory);
    let budget = Budget { cancel: cancel.clone(), ..Budget::default() }.with_time(args.time);
    let setup = front::setup(&request.front, &request.entry);
    let (setup, mut compiled) = match setup.and_then(|s| s.compile().map(|c| (s, c))) {
        Ok(both) => both,
        Err(rejected) => return front::reject_check(&rejected, args.json),
    };
    let original = std::mem::replace(&mut compiled.program, cairn_ir::Program::new(request.model()));
    let options = cairn_core::Options { signed_overflow: args.signed_overflow.into() };
    let task = match Task::new(original, request.property.clone(), options) {
        Ok(task) => task,
        Err(error) => return no_task(&error, &request),
    };
    if !args.quiet && !args.json {
        front::warn(&compiled.map, &compiled.warnings);
    }
    let plan = Plan { engine: &args.engine, unwind: args.unwind, facts: Facts::default() };
    let decided = decide(&plan, &task, budget.clone());
    let (answer, engine) = (decided.answer, decided.engine);
    let (story, repeat) = match &answer {
        Answer::Unsafe(trace, confirmed) => {
            let wanted = args.trace != TraceDetail::None || args.json || args.evidence.sarif.is_some();
            let budget = budget.clone().within(TELLING);
            let story = wanted.then(|| tell(&task, trace, confirmed, &budget)).flatten();
            (story, repeat(args, &request, &task, confirmed))
        }
        _ => (None, None),
    };
    let mut finished = Finished {
        args,
        request: &request,
        setup: &setup,
        compiled: &compiled,
        task: &task,
        answer,
        story,
        repeat,
        engine,
        loops: decided.loops,
        notes: decided.notes,
        time: start.elapsed(),
        checking: decided.checking,
    };
    let evidence = evidence::prepare(&finished, &budget.within(TELLING));
    finished.notes.extend(evidence.notes.iter().cloned());
    let exit = output::write(&finished, &evidence.missing);
    evidence::write(&evidence).unwrap_or(exit)
}

fn repeat(args: &CheckArgs, request: &Request, task: &Task, confirmed: &Confirmed) -> Option<String> {
    let file = request.property_file.as_deref().map(|f| f.to_string_lossy());
    command::replay(&Repeat {
        front: &request.front,
        entry: &request.entry,
        model: task.program.model,
        property: args.property.as_deref().or(file.as_deref()),
        signed_overflow: task.options.signed_overflow,
        inputs: &confirmed.inputs,
        test: args.evidence.test.as_deref(),
    })
}

/// Says why the program and the property are no task.
pub fn no_task(error: &TaskError, request: &Request) -> Exit {
    match error {
        TaskError::Unsupported(name) => {
            terminal::output(&format!(
                "The property {name} is not supported yet; known are {}.\nVerdict: UNKNOWN (unsupported property)\n",
                cairn_core::Property::NAMES
            ));
            Exit::Limit
        }
        TaskError::NoEntry => {
            terminal::usage_error(&format!("there is no function `{}` to start in", request.entry));
            terminal::output("Verdict: ERROR (no entry)\n");
            Exit::Rejected
        }
        TaskError::NoFunction(_) | TaskError::NoLabel(_) => {
            terminal::usage_error(&error.to_string());
            terminal::output("Verdict: ERROR (property)\n");
            Exit::Rejected
        }
        TaskError::Internal(_) => {
            terminal::report(&format!("{error}\n"));
            terminal::output("Verdict: UNKNOWN (internal error)\n");
            Exit::Internal
        }
    }
}

/// How a task is to be decided.
pub struct Plan<'a> {
    /// An engine or a strategy.
    pub engine: &'a str,
    pub unwind: Option<u32>,
    /// Claims to begin with.
    pub facts: Facts,
}

pub struct Decided {
    pub answer: Answer,
    pub engine: &'static str,
    pub loops: Vec<LoopReport>,
    pub notes: Vec<String>,
    pub checking: Duration,
}

/// What the engines said on the way.
#[derive(Default)]
struct Heard {
    loops: Vec<LoopReport>,
    notes: Vec<String>,
}

/// Runs the engines until one has an answer that stands its check.
pub fn decide(plan: &Plan<'_>, task: &Task, budget: Budget) -> Decided {
    let progress = Progress::start("checking");
    let heard = Mutex::new(Heard::default());
    let events = |event: Event| {
        let Ok(mut heard) = heard.lock() else { return };
        match event {
            Event::Status(text) => progress.say(&text),
            Event::Note(note) if !heard.notes.contains(&note) => heard.notes.push(note),
            Event::Note(_) => {}
            Event::Loop(report) => match heard.loops.iter_mut().find(|l| l.head == report.head) {
                Some(old) => *old = report,
                None => heard.loops.push(report),
            },
        }
    };
    let solver = cairn_smt::standard;
    let mut cx = Cx { budget: budget.clone(), solver: &solver, events: &events, facts: plan.facts.clone() };
    let settings = Settings { unwind: plan.unwind };
    let mut checking = Duration::ZERO;
    let mut last = Why::new("nothing was tried", "no engine ran");
    let mut engine = "none";
    let mut answer = None;
    let steps = strategy::steps(plan.engine);
    for (n, step) in steps.iter().enumerate() {
        if let Some(limit) = budget.exceeded() {
            if n == 0 || last.limit.is_none() {
                last = Why { limit: Some(limit), reason: Why::limit(limit).reason, ..last };
            }
            break;
        }
        let Some(mut tool) = cairn_engines::named(step.engine, &settings) else { continue };
        cx.budget = step.budget(&budget, n + 1 == steps.len());
        let verdict = tool.run(task, &mut cx);
        let begin = Instant::now();
        let checked = confirm(task, verdict, &budget, &progress);
        checking += begin.elapsed();
        match checked {
            Answer::Unknown(why) => {
                // The concrete runs have nothing to say about why a proof fails.
                if step.engine != "concrete" || steps.len() == 1 {
                    last = why;
                    engine = tool.name();
                }
                if last.internal {
                    break;
                }
            }
            decided => {
                engine = tool.name();
                answer = Some(decided);
                break;
            }
        }
    }
    progress.hide();
    let Heard { mut loops, mut notes } = heard.into_inner().unwrap_or_default();
    loops.sort_by_key(|l| (l.place.file, l.place.line, l.head));
    notes.splice(0..0, task.notes.iter().cloned());
    Decided { answer: answer.unwrap_or(Answer::Unknown(last)), engine, loops, notes, checking }
}

/// Lets the evidence be checked by code that no engine shares.
fn confirm(task: &Task, verdict: Verdict, budget: &Budget, progress: &Progress) -> Answer {
    match verdict {
        Verdict::Unknown(why) => Answer::Unknown(why),
        Verdict::Unsafe(trace) => {
            progress.say("replaying the error");
            let mut native = Native::new(&task.program);
            let tier = native.as_mut().map(|n| n as &mut dyn cairn_sem::Tier);
            match replay(task, &trace, budget, tier) {
                Ok(confirmed) => Answer::Unsafe(trace, confirmed),
                Err(how) => Answer::Unknown(
                    Why::new(
                        "unconfirmed error",
                        format!("an error was found, but running it does not show it: {how}"),
                    )
                    .advice(
                        "look at the reads of uninitialised memory and the calls of functions without a body",
                    ),
                ),
            }
        }
        Verdict::Safe(proof) => {
            progress.say("checking the proof");
            match cairn_checker::check(&task.program, task.entry, &proof, &cairn_smt::standard, budget) {
                Ok(_) => Answer::Safe(proof),
                Err(cairn_checker::Rejection::Wrong { what, place }) => {
                    let why =
                        Why::new("proof rejected", format!("the checker does not accept the proof: {what}"))
                            .at(place);
                    // The checker supposes that loops change more than engines do, so that it may
                    // refuse an induction that holds. Bounds leave no room for that.
                    let bounds = proof.loops.values().all(|l| matches!(l, LoopProof::Bound(_)));
                    Answer::Unknown(if bounds { why.internal() } else { why })
                }
                Err(cairn_checker::Rejection::Unknown(what)) => Answer::Unknown(match budget.exceeded() {
                    Some(limit) => Why {
                        detail: format!("a proof was found but not checked in time: {what}"),
                        ..Why::limit(limit)
                    },
                    None => Why::new(
                        "proof not checked",
                        format!("a proof was found, but the checker cannot follow it: {what}"),
                    ),
                }),
            }
        }
    }
}
