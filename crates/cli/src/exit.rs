//! The exit codes of all commands. They tell every outcome apart, so that a
//! script need not read any text; README.md and `--help` list the same table.

use std::process::ExitCode;

/// How a command ended.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Exit {
    /// The program ended by itself (whatever value it returned), or the work is done.
    Normal = 0,
    /// The command line makes no sense, or an output file cannot be written.
    Usage = 1,
    /// The input is missing, is not C, or uses what Cairn does not support.
    Rejected = 2,
    /// A limit (time, steps, memory, depth, Ctrl-C) came before an answer.
    Limit = 5,
    /// Cairn itself is at fault.
    Internal = 6,
    /// An error location was reached.
    Error = 10,
    /// The run met undefined behaviour.
    Undefined = 11,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// The table as `--help` shows it.
pub const TABLE: &str = "\
Exit codes:
   0  normal end (run: the program's own exit value is reported, not returned); TRUE (check,
      validate); not reproduced (replay); every goal is covered or unreachable (test, reach)
   1  wrong usage, or an output file cannot be written
   2  input rejected: missing, not C, or unsupported; a malformed witness, or one of another program
   5  a limit was reached: time, steps, memory, depth, Ctrl-C; UNKNOWN (check, validate); goals
      are left (test, reach)
   6  internal error
  10  an error location was reached; FALSE (check, validate); reproduced (replay)
  11  undefined behaviour was met";
