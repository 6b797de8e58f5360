//! `cairn check`: decide a property of a program, with evidence.
//!
//! The engines of a strategy run one after another or race; only what stands
//! its check is printed.

mod evidence;
mod explain;
mod opinion;
mod output;
pub mod prepare;
pub mod request;

use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use cairn_attack::Attack;
use cairn_base::{Cancel, Limit};
use cairn_cfront::Compiled;
use cairn_core::{Explanation, Facts, LoopReport, Task, Why};
use cairn_portfolio::anywhere::in_any_layout;
use cairn_portfolio::{Decided, Decision, Plan, Settings, Sofar, decide, fault};
use cairn_sem::spelled::spell;
use cairn_sem::{Birth, InputRecord};
use cairn_story::{Story, tell};

use crate::args::{CheckArgs, TraceDetail};
use crate::command::{self, Repeat};
use crate::exit::Exit;
use crate::front::Setup;
use crate::guard::{self, memory_words, word};
use crate::progress::Progress;
use crate::{front, terminal};

use evidence::Evidence;
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
    pub decision: Decision,
    /// The way to the error, once it is told.
    pub story: OnceLock<Story>,
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

pub fn check(args: &'static CheckArgs, cancel: &Cancel) -> Exit {
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
    // It is used to the end of the process, whoever prints the report.
    let prepared: &'static Prepared = match prepare(&asked, cancel, Ok) {
        Ok(prepared) => Box::leak(Box::new(prepared)),
        Err(exit) => return exit,
    };
    let Prepared { compiled, task, budget, .. } = prepared;
    let mut case = Case { args, prepared, task, start };
    let sofar = case.listen();
    if !args.quiet && !args.json {
        front::warn(&compiled.map, &compiled.warnings);
    }
    let settings = Settings { unwind: args.unwind, explain: args.evidence.explain.is_some() };
    let progress = Progress::start("checking");
    let status = |text: &str| progress.say(text);
    let (engine, facts) = (args.engine.as_str(), Facts::default());
    let plan = Plan { engine, settings, facts, sofar, status: &status, memory: &guard::Shares };
    let again = |options| task.read_with(options).ok();
    let (decided, looking) = in_any_layout(task, again, |task| {
        plan.sofar.forget();
        decide(&plan, task, budget.clone())
    });
    if let Some(looking) = looking {
        case.task = Box::leak(Box::new(looking));
    }
    progress.hide();
    let finished = Arc::new(case.finished(decided));
    if let Decision::Unsafe(trace, confirmed) = &finished.decision {
        // Whatever comes now, the verdict is known.
        let known = finished.clone();
        word::prepare(move |_| case.print_without_evidence(&known));
        let wanted = args.trace != TraceDetail::None || args.json || args.evidence.sarif.is_some();
        let budget = budget.clone().within(TELLING);
        let told =
            wanted.then(|| fault::caught(|| tell(case.task, trace, confirmed, &budget)).ok().flatten());
        if let Some(story) = told.flatten() {
            let _ = finished.story.set(story);
        }
    }
    if let Decision::Safe(_) = &finished.decision {
        let known = finished.clone();
        word::prepare(move |_| case.print_without_evidence(&known));
    }
    case.print(&finished)
}

/// What is asked, and since when.
#[derive(Copy, Clone)]
struct Case {
    args: &'static CheckArgs,
    prepared: &'static Prepared,
    /// The task to decide: the one that was prepared, or its reading with addresses as inputs.
    task: &'static Task,
    start: Instant,
}

impl Case {
    /// From now on a limit ends in a report of what is heard so far.
    fn listen(self) -> Sofar {
        let sofar = Sofar::default();
        let heard = sofar.clone();
        word::prepare(move |stop| {
            let mut decided = Decided::interrupted(self.task, &heard, stop.why());
            decided.notes.push(format!("{} did not end by itself; the watchdog reports", decided.engine));
            self.print(&self.finished(decided))
        });
        sofar
    }

    fn finished(self, decided: Decided) -> Finished<'static> {
        let Prepared { request, setup, compiled, .. } = self.prepared;
        let task = self.task;
        let repeat = match &decided.decision {
            Decision::Unsafe(trace, confirmed) => {
                command_for(self.args, request, task, &confirmed.inputs, &trace.births)
            }
            _ => None,
        };
        let (mut decision, mut notes) = (decided.decision, decided.notes);
        if let Decision::Unknown(Why { limit: Some(Limit::Memory), .. }) = &decision
            && let Some(words) = memory_words()
        {
            notes.push(words);
        }
        match &decided.attack {
            Some(Attack { contradiction: Some(found), .. }) => {
                let repeat = command_for(self.args, request, task, &opinion::inputs(found), &[]);
                let (repeat, files) = (repeat.as_deref(), &request.front.files[..]);
                let case = Reproduction { task, engine: decided.engine, found, repeat, files };
                let saved = case.save(Path::new(".")).or_else(|| case.save(&std::env::temp_dir()));
                if let (Decision::Unknown(why), Some(path)) = (&mut decision, saved) {
                    why.next_step = Some(format!("report this fault of Cairn with {}", path.display()));
                }
            }
            Some(attack) => notes.extend(opinion::notes(task, attack)),
            None => {}
        }
        Finished {
            args: self.args,
            request,
            setup,
            compiled,
            task,
            decision,
            story: OnceLock::new(),
            repeat,
            engine: decided.engine,
            loops: decided.loops,
            notes,
            explanations: decided.explanations,
            time: self.start.elapsed(),
            checking: decided.checking,
            attack: decided.attack,
        }
    }

    /// Makes the evidence, prints the report, and writes the files.
    fn print(self, finished: &Finished<'_>) -> Exit {
        let budget = self.prepared.budget.clone().within(TELLING);
        let evidence = fault::caught(|| evidence::prepare(finished, &budget)).unwrap_or_else(|what| {
            Evidence::none(finished, &format!("internal error: {what}; please report it with the input"))
        });
        let exit = output::write(finished, &evidence);
        evidence::write(&evidence).unwrap_or(exit)
    }

    /// Prints the report where there is no time for evidence.
    fn print_without_evidence(self, finished: &Finished<'_>) -> Exit {
        output::write(finished, &Evidence::none(finished, "a limit was reached before it was made"))
    }
}

fn command_for(
    args: &CheckArgs,
    request: &Request,
    task: &Task,
    inputs: &[InputRecord],
    births: &[Birth],
) -> Option<String> {
    let file = request.property_file.as_deref().map(|f| f.to_string_lossy());
    command::replay(&Repeat {
        front: &request.front,
        entry: &request.entry,
        model: task.program.model,
        property: args.property.as_deref().or(file.as_deref()),
        signed_overflow: task.options.signed_overflow,
        inputs,
        memory: &spell(&task.program, births),
        test: args.evidence.test.as_deref(),
    })
}
