//! From the command line to a program whose places can be asked for.
//!
//! Loops of several entries are split before anything is numbered, so that goals mean
//! the same in the program that is searched and in those that proofs are about.

use cairn_base::{Budget, Cancel};
use cairn_cfront::Compiled;
use cairn_core::{Property, Target, Task, TaskError};

use super::args::SearchArgs;
use crate::args::FrontArgs;
use crate::check::request;
use crate::exit::Exit;
use crate::front::{self, Refusal, Setup};
use crate::guard::{self, Limits, word};

/// What the command line says, whichever command it is.
pub struct Asked<'a> {
    pub command: &'static str,
    /// Without task files.
    pub front: &'a FrontArgs,
    pub entry: &'a str,
    pub search: &'a SearchArgs,
}

pub struct Subject {
    pub setup: Setup,
    /// Without the program, which is the task's.
    pub compiled: Compiled,
    /// Nothing is an error in it.
    pub task: Task,
    pub budget: Budget,
}

/// Says that the input is not accepted.
pub fn rejected(message: &str, what: &str, command: &'static str, json: bool) -> Exit {
    let line = format!("Result: rejected ({what})");
    Refusal { line: &line, message, exit: Exit::Rejected }.say(command, json)
}

/// Reads and compiles what is asked for. `Err`: it was said why there is nothing to search.
pub fn prepare(asked: &Asked<'_>, cancel: &Cancel) -> Result<Subject, Exit> {
    let SearchArgs { signed_overflow, time, memory, json, quiet } = *asked.search;
    let deadline = guard::deadline_of(time);
    word::prepare_least();
    guard::arm(&Limits { deadline, cpu: None, memory });
    let budget = Budget { cancel: cancel.clone(), deadline, ..Budget::default() };
    let setup = front::setup(asked.front, asked.entry).map(|mut setup| {
        setup.options.keep_decisions = true;
        setup
    });
    let (setup, mut compiled) = setup
        .and_then(|s| s.compile().map(|c| (s, c)))
        .map_err(|why| front::reject(&why, asked.command, json))?;
    if !quiet && !json {
        front::warn(&compiled.map, &compiled.warnings);
    }
    let empty = cairn_ir::Program::new(asked.front.model());
    let mut original = std::mem::replace(&mut compiled.program, empty);
    cairn_ir::reducible::make_reducible(&mut original);
    let options = asked.front.options(signed_overflow.into());
    let task = Task::new(original, Property::UnreachTargets(Vec::new()), options);
    let task = task.map_err(|error| match error {
        TaskError::Internal(what) => {
            let line = "Result: internal error";
            Refusal { line, message: &what, exit: Exit::Internal }.say(asked.command, json)
        }
        TaskError::NoEntry => {
            let message = format!("there is no function `{}` to start in", asked.entry);
            rejected(&message, "no entry", asked.command, json)
        }
        error => rejected(&error.to_string(), "entry", asked.command, json),
    })?;
    Ok(Subject { setup, compiled, task, budget })
}

/// The same from the command line alone, with the name of the function to start in.
pub fn open(
    command: &'static str,
    front: &FrontArgs,
    search: &SearchArgs,
    cancel: &Cancel,
) -> Result<(Subject, String), Exit> {
    let (front, _) =
        request::open(front).map_err(|message| rejected(&message, "input", command, search.json))?;
    let entry = front.function.clone().unwrap_or_else(|| "main".to_owned());
    let subject = prepare(&Asked { command, front: &front, entry: &entry, search }, cancel)?;
    Ok((subject, entry))
}

impl Subject {
    /// The question whether any of these places is reached.
    pub fn question(&self, targets: Vec<Target>) -> Result<Task, TaskError> {
        let property = Property::UnreachTargets(targets);
        Task::new(self.task.original.clone(), property, self.task.options.clone())
    }
}
