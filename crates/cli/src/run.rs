//! `cairn run`: execute a program and say how it ended.

use std::path::Path;
use std::time::Instant;

use cairn_base::{Budget, Cancel, DataModel};
use cairn_cfront::Compiled;
use cairn_native::Native;
use cairn_sem::{Executor, Options, Outcome, Outside, Tier as FastTier};

use crate::args::{Overflow, RunArgs, Tier};
use crate::exit::Exit;
use crate::front::Refusal;
use crate::guard::{self, Limits, word};
use crate::input::{self, Value};
use crate::progress::Progress;
use crate::report::{Finished, exit_of};
use crate::world::{Recorder, Streams};
use crate::{front, terminal};

pub fn run(args: &RunArgs, cancel: &Cancel) -> Exit {
    let start = Instant::now();
    let stated = match args.input.as_deref().map(input::read).transpose() {
        Ok(stated) => stated.unwrap_or_default(),
        Err(message) => {
            terminal::usage_error(&message);
            return Exit::Usage;
        }
    };
    if !stated.memory.is_empty() || stated.has_addresses() {
        terminal::usage_error(
            "addresses and the content of uninitialised memory are inputs of `cairn replay`",
        );
        return Exit::Usage;
    }
    let values = stated.values;
    let mut budget = Budget { max_memory: args.memory << 20, cancel: cancel.clone(), ..Budget::default() };
    budget.max_steps = args.max_steps.unwrap_or(budget.max_steps);
    budget.deadline = args.time.and_then(guard::deadline_of);
    let json = args.json;
    word::prepare(move |stop| {
        let line = format!("Result: {}", stop.result());
        let message = stop.why().detail;
        if json {
            return Refusal { line: &line, message: &message, exit: stop.exit() }.say("run", json);
        }
        word::take();
        terminal::report(&format!("{message}\n{line}\n"));
        stop.exit()
    });
    // What the program may hold is the executor's business; the limit on the process is the machine's.
    guard::arm(&Limits { deadline: budget.deadline, ..Limits::default() });
    let entry = args.front.function.as_deref().unwrap_or("main");
    let compiled = match front::program(&args.front, entry) {
        Ok(compiled) => compiled,
        Err(rejected) => return front::reject(&rejected, "run", args.json),
    };
    if compiled.program.entry.is_none() {
        terminal::usage_error(&format!("there is no function `{entry}` to start in"));
        terminal::report("Result: rejected (no entry)\n");
        return Exit::Rejected;
    }
    if !args.quiet && !args.json {
        front::warn(&compiled.map, &compiled.warnings);
    }
    let executor = Executor::new(&compiled.program, options(args, &values), budget);
    let session = Session { args, compiled: &compiled, executor, values: &values, start };
    if args.json { session.recorded() } else { session.live(cancel) }
}

/// What the executor is asked.
fn options(args: &RunArgs, values: &[Value]) -> Options {
    let plain = Options::default();
    let program_name =
        args.front.files.first().map_or("program".into(), |f| f.to_string_lossy().into_owned());
    let words = std::iter::once(&program_name).chain(&args.args);
    Options {
        signed_overflow: args.signed_overflow.into(),
        check_leaks: args.check_leaks,
        args: words.map(|a| a.clone().into_bytes()).collect(),
        inputs: values.iter().map(|v| v.given).collect(),
        outside: Outside::World,
        seed: args.seed,
        ..plain
    }
}

struct Session<'a> {
    args: &'a RunArgs,
    compiled: &'a Compiled,
    executor: Executor<'a>,
    values: &'a [Value],
    start: Instant,
}

impl Session<'_> {
    /// The program talks to our own streams; the report goes to standard error.
    fn live(&self, cancel: &Cancel) -> Exit {
        let progress = Progress::start("running");
        let mut streams = Streams::new(progress.clone(), cancel.clone());
        let mut tier = self.tier();
        let outcome = self.executor.run_with(&mut streams, as_tier(&mut tier));
        streams.flush();
        progress.hide();
        let mut finished = self.finished(&outcome);
        if streams.closed() {
            finished.remarks.push("nobody reads the program's output any more".to_owned());
        }
        word::take();
        terminal::report(&finished.text(self.args.quiet, terminal::colour()));
        exit_of(&outcome.end)
    }

    /// The program's output becomes part of the JSON result.
    fn recorded(&self) -> Exit {
        let mut recorder = Recorder::default();
        let mut tier = self.tier();
        let outcome = self.executor.run_with(&mut recorder, as_tier(&mut tier));
        let mut finished = self.finished(&outcome);
        finished.remarks.extend(recorder.remark());
        terminal::output(&(finished.json(&recorder.out, &recorder.err) + "\n"));
        exit_of(&outcome.end)
    }

    fn tier(&self) -> Option<Native> {
        let native = || Native::new(&self.compiled.program);
        match self.args.tier {
            Tier::Interp => None,
            Tier::Auto => native(),
            Tier::Native => native().map(|n| n.with_threshold(1)),
        }
    }

    fn finished<'s>(&'s self, outcome: &'s Outcome) -> Finished<'s> {
        Finished {
            program: &self.compiled.program,
            map: &self.compiled.map,
            outcome,
            time: self.start.elapsed(),
            command: self.command(),
            seed: self.args.seed,
            remarks: input::remarks(self.values, &outcome.inputs),
        }
    }

    /// The command that repeats this run, but for the inputs.
    fn command(&self) -> String {
        let mut words = vec!["cairn run".to_owned()];
        words.extend(self.args.front.files.iter().map(|f| quoted(f)));
        let model = self.compiled.program.model;
        words.push(if model == DataModel::Ilp32 { "--32" } else { "--64" }.to_owned());
        if let Some(function) = &self.args.front.function {
            words.push(format!("--function {function}"));
        }
        if self.args.signed_overflow == Overflow::Undefined {
            words.push("--signed-overflow undefined".to_owned());
        }
        words.join(" ")
    }
}

fn as_tier(native: &mut Option<Native>) -> Option<&mut dyn FastTier> {
    native.as_mut().map(|n| n as &mut dyn FastTier)
}

/// A path as a shell reads it.
pub fn quoted(path: &Path) -> String {
    let text = path.to_string_lossy();
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+,:@".contains(c);
    if text.chars().all(plain) { text.into_owned() } else { format!("'{}'", text.replace('\'', r"'\''")) }
}
