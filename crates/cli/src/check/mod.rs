//! `cairn check`: decide a property of a program, with evidence.
//!
//! The engines of a strategy run one after another or race; only what stands
//! its check is printed.

pub mod decide;
mod evidence;
mod explain;
pub mod limits;
mod opinion;
mod output;
pub mod prepare;
mod race;
pub mod request;
pub mod strategy;

use std::path::Path;
use std::time::{Duration, Instant};

use cairn_attack::Attack;
use cairn_base::Cancel;
use cairn_cfront::Compiled;
use cairn_core::story::{Story, tell};
use cairn_core::{Explanation, Facts, LoopReport, Task};
use cairn_sem::InputRecord;

use crate::args::{CheckArgs, TraceDetail};
use crate::command::{self, Repeat};
use crate::exit::Exit;
use crate::front::Setup;
use crate::{front, terminal};

use decide::{Answer, Plan, decide};
use opinion::Reproduction;
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
    /// What runs of the program say to a proof that was accepted.
    pub attack: Option<Attack>,
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
    let decided = decide(&plan, &task, budget.clone());
    let (mut answer, engine, attack) = (decided.answer, decided.engine, decided.attack);
    let mut notes = decided.notes;
    let (story, repeat) = match &answer {
        Answer::Unsafe(trace, confirmed) => {
            let wanted = args.trace != TraceDetail::None || args.json || args.evidence.sarif.is_some();
            let budget = budget.clone().within(TELLING);
            let story = wanted.then(|| tell(&task, trace, confirmed, &budget)).flatten();
            (story, command_for(args, &request, &task, &confirmed.inputs))
        }
        _ => (None, None),
    };
    match &attack {
        Some(Attack { contradiction: Some(found), .. }) => {
            let repeat = command_for(args, &request, &task, &opinion::inputs(found));
            let (repeat, files) = (repeat.as_deref(), &request.front.files[..]);
            let case = Reproduction { task: &task, engine, found, repeat, files };
            let saved = case.save(Path::new(".")).or_else(|| case.save(&std::env::temp_dir()));
            if let (Answer::Unknown(why), Some(path)) = (&mut answer, saved) {
                why.next_step = Some(format!("report this fault of Cairn with {}", path.display()));
            }
        }
        Some(attack) => notes.extend(opinion::notes(&task, attack)),
        None => {}
    }
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
        notes,
        explanations: decided.explanations,
        time: start.elapsed(),
        checking: decided.checking,
        attack,
    };
    let evidence = evidence::prepare(&finished, &budget.within(TELLING));
    finished.notes.extend(evidence.notes.iter().cloned());
    let exit = output::write(&finished, &evidence.missing);
    evidence::write(&evidence).unwrap_or(exit)
}

fn command_for(args: &CheckArgs, request: &Request, task: &Task, inputs: &[InputRecord]) -> Option<String> {
    let file = request.property_file.as_deref().map(|f| f.to_string_lossy());
    command::replay(&Repeat {
        front: &request.front,
        entry: &request.entry,
        model: task.program.model,
        property: args.property.as_deref().or(file.as_deref()),
        signed_overflow: task.options.signed_overflow,
        inputs,
        test: args.evidence.test.as_deref(),
    })
}
