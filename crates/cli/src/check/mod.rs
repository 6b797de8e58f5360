//! `cairn check`: decide a property of a program, with evidence.
//!
//! The engines of a strategy run one after another or race; only what stands
//! its check is printed.

pub mod decide;
mod evidence;
mod explain;
pub mod limits;
mod output;
pub mod prepare;
mod race;
pub mod request;
pub mod strategy;

use std::time::{Duration, Instant};

use cairn_base::Cancel;
use cairn_cfront::Compiled;
use cairn_core::replay::Confirmed;
use cairn_core::story::{Story, tell};
use cairn_core::{Explanation, Facts, LoopReport, Task};

use crate::args::{CheckArgs, TraceDetail};
use crate::command::{self, Repeat};
use crate::exit::Exit;
use crate::front::Setup;
use crate::{front, terminal};

use decide::{Answer, LAYOUT, Plan, decide};
use prepare::{Asked, Prepared, prepare};
use request::Request;

/// Following the error once more for its story takes no longer, nor does making the evidence.
const TELLING: Duration = Duration::from_secs(20);

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
    pub explanations: Vec<Explanation>,
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
    if let Some(path) = &args.evidence.explain
        && let Err(message) = explain::format(path).and_then(|_| explain::possible(&args.engine))
    {
        terminal::usage_error(&message);
        return Exit::Usage;
    }
    let asked = Asked {
        command: "check",
        front: &args.front,
        property: args.property.as_deref(),
        signed_overflow: args.signed_overflow.into(),
        time: args.time,
        cpu_time: args.cpu_time,
        memory: args.memory,
        json: args.json,
    };
    let Prepared { request, setup, compiled, task, budget } = match prepare(&asked, cancel, Ok) {
        Ok(prepared) => prepared,
        Err(exit) => return exit,
    };
    if !args.quiet && !args.json {
        front::warn(&compiled.map, &compiled.warnings);
    }
    let explain = args.evidence.explain.is_some();
    let plan = Plan { engine: &args.engine, unwind: args.unwind, explain, facts: Facts::default() };
    let mut task = task;
    let mut decided = decide(&plan, &task, budget.clone());
    if matches!(&decided.answer, Answer::Unknown(why) if why.reason == LAYOUT)
        && let Ok(looking) = task.looking_at_addresses()
    {
        task = looking;
        decided = decide(&plan, &task, budget.clone());
    }
    let (answer, engine) = (decided.answer, decided.engine);
    let (story, repeat) = match &answer {
        Answer::Unsafe(trace, confirmed) => {
            let wanted = args.trace != TraceDetail::None || args.json || args.evidence.sarif.is_some();
            let budget = budget.clone().within(TELLING);
            let story = wanted.then(|| tell(&task, trace, confirmed, &budget)).flatten();
            // No command can say what memory holds that nobody has written.
            let repeat = || repeat(args, &request, &task, confirmed);
            (story, if trace.births.is_empty() { repeat() } else { None })
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
        explanations: decided.explanations,
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
