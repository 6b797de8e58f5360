//! From the command line to a task, with the limits set: what `check` and
//! `validate` begin with. What goes wrong on the way is said here, in words or as
//! JSON.

use std::time::Duration;

use cairn_base::{Budget, Cancel};
use cairn_cfront::Compiled;
use cairn_core::{Task, TaskError};
use cairn_sem::SignedOverflow;

use super::request::{self, Request};
use crate::args::FrontArgs;
use crate::exit::Exit;
use crate::front::{self, Refusal, Setup};
use crate::guard::{self, Limits, word};

/// What the command line says, whichever command it is.
pub struct Asked<'a> {
    pub command: &'static str,
    pub front: &'a FrontArgs,
    pub property: Option<&'a str>,
    pub signed_overflow: SignedOverflow,
    pub time: Duration,
    pub cpu_time: Option<Duration>,
    pub memory: Option<u64>,
    pub json: bool,
}

/// A question ready to be answered.
pub struct Prepared {
    pub request: Request,
    pub setup: Setup,
    /// Without the program, which is the task's.
    pub compiled: Compiled,
    pub task: Task,
    pub budget: Budget,
}

/// Reads and compiles what is asked for. `adjust` has the last word on the request. `Err`: it was
/// said why there is no task.
pub fn prepare(
    asked: &Asked<'_>,
    cancel: &Cancel,
    adjust: impl FnOnce(Request) -> Result<Request, String>,
) -> Result<Prepared, Exit> {
    let refuse = |refusal: Refusal<'_>| refusal.say(asked.command, asked.json);
    let deadline = guard::deadline_of(asked.time);
    word::prepare_least();
    guard::arm(&Limits { deadline, cpu: asked.cpu_time, memory: asked.memory });
    let request = request::read(asked.front, asked.property).and_then(adjust).map_err(|message| {
        refuse(Refusal { line: "Verdict: ERROR (input)", message: &message, exit: Exit::Rejected })
    })?;
    let budget = Budget { cancel: cancel.clone(), deadline, ..Budget::default() };
    let (setup, mut compiled) = front::setup(&request.front, &request.entry)
        .and_then(|s| s.compile().map(|c| (s, c)))
        .map_err(|rejected| front::reject_check(&rejected, asked.command, asked.json))?;
    if let Some(name) = request.missing_function(&compiled) {
        return Err(refuse(no_task(&TaskError::NoFunction(name), &request, &mut String::new())));
    }
    let original = std::mem::replace(&mut compiled.program, cairn_ir::Program::new(request.model()));
    let options = request.front.options(asked.signed_overflow);
    match Task::new(original, request.property.clone(), options) {
        Ok(mut task) => {
            task.conditions.extend(request.missing_error(&compiled));
            Ok(Prepared { request, setup, compiled, task, budget })
        }
        Err(error) => Err(refuse(no_task(&error, &request, &mut String::new()))),
    }
}

/// Why the program and the property are no task.
fn no_task<'m>(error: &TaskError, request: &Request, message: &'m mut String) -> Refusal<'m> {
    *message = match error {
        TaskError::Unsupported(_) => format!("{error}; known are {}", cairn_core::Property::NAMES),
        TaskError::NoEntry => format!("there is no function `{}` to start in", request.entry),
        _ => error.to_string(),
    };
    let (line, exit) = match error {
        TaskError::Unsupported(_) => ("Verdict: UNKNOWN (unsupported property)", Exit::Limit),
        TaskError::NoEntry => ("Verdict: ERROR (no entry)", Exit::Rejected),
        TaskError::Parameter { .. } => ("Verdict: ERROR (entry)", Exit::Rejected),
        TaskError::NoFunction(_) | TaskError::NoLabel(_) => ("Verdict: ERROR (property)", Exit::Rejected),
        TaskError::Internal(_) => ("Verdict: UNKNOWN (internal error)", Exit::Internal),
    };
    Refusal { line, message, exit }
}
