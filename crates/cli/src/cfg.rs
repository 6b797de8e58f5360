//! `cairn cfg`: show the control-flow automata of a program.

use std::fmt::Write as _;
use std::path::Path;

use cairn_ir::features::Features;
use cairn_ir::{FuncId, Program, promote, simplify, text};

use crate::args::CfgArgs;
use crate::exit::Exit;
use crate::guard::{self, Limits, word};
use crate::{front, terminal};

pub fn cfg(args: &CfgArgs) -> Exit {
    word::prepare_least();
    guard::arm(&Limits::default());
    let mut compiled = match front::program(&args.front, "main") {
        Ok(compiled) => compiled,
        Err(rejected) => return front::reject(&rejected, "cfg", false),
    };
    if !args.no_simplify {
        promote(&mut compiled.program);
        simplify(&mut compiled.program);
    }
    match show(args, &compiled.program) {
        Ok(()) => Exit::Normal,
        Err(message) => {
            terminal::usage_error(&message);
            Exit::Usage
        }
    }
}

/// Writes everything that was asked for; DOT if nothing was.
fn show(args: &CfgArgs, program: &Program) -> Result<(), String> {
    let function = args.front.function.as_deref().map(|name| find(program, name)).transpose()?;
    if let Some(path) = &args.dot {
        write(path, &cairn_draw::dot(program, function))?;
    }
    if let Some(path) = &args.svg {
        write(path, &cairn_draw::svg(program, function))?;
    }
    if args.text {
        terminal::output(&text::print(program));
    }
    if args.features {
        terminal::output(&features(program));
    }
    if args.dot.is_none() && args.svg.is_none() && !args.text && !args.features {
        terminal::output(&cairn_draw::dot(program, function));
    }
    Ok(())
}

fn find(program: &Program, name: &str) -> Result<FuncId, String> {
    let found = program.func_named(name).filter(|f| program.funcs[*f].body.is_some());
    found.ok_or_else(|| {
        let known: Vec<&str> = program
            .funcs
            .values()
            .filter(|f| f.body.is_some() && !f.is_model)
            .map(|f| f.name.as_str())
            .take(10)
            .collect();
        format!("no function `{name}` has a body (there are: {})", known.join(", "))
    })
}

fn features(program: &Program) -> String {
    let mut text = format!("data model           {}\n", program.model);
    for (name, value) in Features::new(program).pairs() {
        let _ = writeln!(text, "{:<20} {value}", name.replace('_', " "));
    }
    text
}

/// `-` is standard output.
fn write(path: &Path, content: &str) -> Result<(), String> {
    if path == Path::new("-") {
        terminal::output(content);
        return Ok(());
    }
    std::fs::write(path, content).map_err(|e| format!("cannot write {}: {e}", path.display()))
}
