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

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use cairn_base::Cancel;
use cairn_base::stack::with_big_stack;
use clap::Parser;
use clap::error::ErrorKind;

use crate::args::{Cli, Command};
use crate::exit::Exit;

/// Compiling makes very many small objects: a third less time than with the system's allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let cli = match Cli::try_parse_from(args::normalise(std::env::args_os())) {
        Ok(cli) => cli,
        Err(error) => return explain(&error).into(),
    };
    let cancel = Cancel::default();
    interrupt::watch(&cancel);
    guarded(|| match &cli.command {
        Command::Run(args) => run::run(args, &cancel),
        Command::Check(args) => check::check(args, &cancel),
        Command::Replay(args) => replay::replay(args, &cancel),
        Command::Validate(args) => validate::validate(args, &cancel),
        Command::Cfg(args) => cfg::cfg(args),
        Command::Test(args) => cover::test(args, &cancel),
        Command::Reach(args) => cover::reach(args, &cancel),
        Command::Bench(args) => bench::bench(args, &cancel),
    })
    .into()
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
    static PANIC: Mutex<Option<String>> = Mutex::new(None);
    std::panic::set_hook(Box::new(|info| {
        *PANIC.lock().unwrap_or_else(PoisonError::into_inner) = Some(info.to_string());
    }));
    match catch_unwind(AssertUnwindSafe(|| with_big_stack(command))) {
        Ok(exit) => exit,
        Err(_) => {
            let what = PANIC.lock().unwrap_or_else(PoisonError::into_inner).take().unwrap_or_default();
            terminal::report(&format!(
                "internal error: {what}\nThis is a fault of Cairn, not of the program it reads. \
                 Please report it together with the input and the command line.\nResult: internal error\n"
            ));
            Exit::Internal
        }
    }
}
