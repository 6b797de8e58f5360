//! The `cairn` command.

mod args;
mod bench;
mod cfg;
mod check;
mod command;
mod conditions;
mod cover;
mod exit;
mod follow;
mod front;
mod guard;
mod input;
mod interrupt;
mod progress;
mod replay;
mod report;
mod rerun;
mod run;
mod sarif;
mod terminal;
mod trace;
mod validate;
mod world;

use std::process::ExitCode;

use cairn_base::Cancel;
use cairn_base::stack::with_big_stack;
use clap::Parser;
use clap::error::ErrorKind;

use crate::args::{Cli, Command};
use crate::exit::Exit;
use cairn_portfolio::fault;

use crate::guard::{Stop, Voice, word};

#[global_allocator]
static ALLOCATOR: guard::Allocator = guard::Allocator;

fn main() -> ExitCode {
    let cli = match Cli::try_parse_from(args::normalise(std::env::args_os())) {
        Ok(cli) => cli,
        Err(error) => return explain(&error).into(),
    };
    // Whoever prints the last word may still need it.
    let cli: &'static Cli = Box::leak(Box::new(cli));
    let cancel = Cancel::default();
    guard::start(&cancel);
    interrupt::watch(&cancel);
    word::introduce(voice(&cli.command));
    let exit = guarded(|| match &cli.command {
        Command::Run(args) => run::run(args, &cancel),
        Command::Check(args) => check::check(args, &cancel),
        Command::Replay(args) => replay::replay(args, &cancel),
        Command::Validate(args) => validate::validate(args, &cancel),
        Command::Cfg(args) => cfg::cfg(args),
        Command::Test(args) => cover::test(args, &cancel),
        Command::Reach(args) => cover::reach(args, &cancel),
        Command::Bench(args) => bench::bench(args, &cancel),
    });
    word::take();
    word::end(exit)
}

/// How a command speaks if it has nothing else to say.
fn voice(command: &Command) -> Voice {
    let (command, verdict, json) = match command {
        Command::Run(args) => ("run", false, args.json),
        Command::Check(args) => ("check", true, args.json),
        Command::Replay(args) => ("replay", false, args.json),
        Command::Validate(args) => ("validate", true, args.json),
        Command::Cfg(_) => ("cfg", false, false),
        Command::Test(args) => ("test", false, args.search.json),
        Command::Reach(args) => ("reach", false, args.search.json),
        Command::Bench(_) => ("bench", false, false),
    };
    Voice { command, verdict, json }
}

/// Help and version are asked for; everything else is wrong usage.
fn explain(error: &clap::Error) -> Exit {
    // A closed stream is no reason to fail.
    let _ = error.print();
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Exit::Normal,
        _ => Exit::Usage,
    }
}

/// Runs a command with room for deep recursion. A panic is a fault of Cairn and is said to be one.
fn guarded(command: impl FnOnce() -> Exit + Send) -> Exit {
    fault::caught(|| with_big_stack(command)).unwrap_or_else(|what| {
        terminal::report(&format!(
            "internal error: {what}\nThis is a fault of Cairn, not of the program it reads. \
             Please report it together with the input and the command line.\nResult: internal error\n"
        ));
        word::confess(&Stop::Fault(what))
    })
}
