//! Calling the `cairn` command and reading its result line.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use cairn_base::DataModel;

use crate::process::{Ran, run};

/// A way to call Cairn.
#[derive(Clone, Debug)]
pub struct Cairn {
    pub exe: PathBuf,
}

/// What the last line of the report says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    Exit(i32),
    Error,
    Abort,
    Assumption,
    Undefined(String),
    Limit(String),
    /// Anything else, with all of standard error.
    Other(String),
}

impl Cairn {
    /// The command beside the running development tool.
    pub fn beside_this_tool() -> Result<Cairn, String> {
        let here = std::env::current_exe().map_err(|e| e.to_string())?;
        let exe = here.with_file_name("cairn");
        if exe.exists() {
            Ok(Cairn { exe })
        } else {
            Err(format!("{} does not exist: build it with `cargo build --release -p cairn`", exe.display()))
        }
    }

    /// `cairn run FILES…` in a data model.
    pub fn run(
        &self,
        files: &[PathBuf],
        model: DataModel,
        options: &[String],
        stdin: &[u8],
        limit: Duration,
    ) -> std::io::Result<Ran> {
        let mut command = self.command(model);
        command.args(files).args(options);
        run(&mut command, stdin, limit)
    }

    fn command(&self, model: DataModel) -> Command {
        let mut command = Command::new(&self.exe);
        command.args(["run", "--data-model", &model.to_string()]);
        command
    }
}

/// Reads the line `Result: …`.
pub fn verdict(ran: &Ran) -> Verdict {
    let text = ran.stderr_text();
    let line = text.lines().rev().find_map(|l| l.strip_prefix("Result: "));
    let Some(line) = line else { return Verdict::Other(text) };
    let words = line.split(' ').collect::<Vec<_>>();
    match words.as_slice() {
        ["exit", value, ..] => value.parse().map_or(Verdict::Other(text), Verdict::Exit),
        ["error", "reached", ..] => Verdict::Error,
        ["abort", ..] => Verdict::Abort,
        ["assumption", ..] => Verdict::Assumption,
        ["undefined", "behaviour", kind, ..] => Verdict::Undefined(kind.trim_matches(['(', ')']).to_owned()),
        ["limit", ..] => Verdict::Limit(line.to_owned()),
        _ => Verdict::Other(text),
    }
}

/// The name of a file for messages, relative to the repository where possible.
pub fn shown(path: &Path) -> String {
    path.strip_prefix(crate::oracle::root()).unwrap_or(path).display().to_string()
}
