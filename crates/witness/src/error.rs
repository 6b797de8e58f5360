//! Why a file is no evidence.

use std::fmt;

/// One message for the user.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WitnessError {
    /// The text breaks its format.
    Malformed { line: Option<u64>, message: String },
    /// A format or feature that is not handled.
    Unsupported(String),
    /// It belongs to another program, or to none.
    WrongTask(String),
    /// It names a place where the program has nothing of the kind.
    NoSuchPlace(String),
    /// The program itself cannot be read.
    Program(String),
    /// The system did not do what was asked (files, the compiler).
    System(String),
}

impl WitnessError {
    pub fn malformed(message: impl Into<String>) -> WitnessError {
        WitnessError::Malformed { line: None, message: message.into() }
    }

    pub fn at_line(line: u64, message: impl Into<String>) -> WitnessError {
        WitnessError::Malformed { line: Some(line), message: message.into() }
    }
}

impl fmt::Display for WitnessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WitnessError::Malformed { line: Some(line), message } => write!(f, "line {line}: {message}"),
            WitnessError::Malformed { line: None, message } => f.write_str(message),
            WitnessError::Unsupported(m)
            | WitnessError::WrongTask(m)
            | WitnessError::NoSuchPlace(m)
            | WitnessError::Program(m)
            | WitnessError::System(m) => f.write_str(m),
        }
    }
}

impl std::error::Error for WitnessError {}
