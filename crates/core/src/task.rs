//! A program and one question about it.

use std::fmt;
use std::sync::Mutex;

use cairn_ir::verify::debug_verify;
use cairn_ir::{FuncId, Program};
use cairn_sem::SignedOverflow;

use crate::addresses;
use crate::arguments::{self, Arguments};
use crate::entry;
use crate::instrument::instrument;
use crate::ledger;
use crate::property::Property;
use crate::replay::Confirmed;

/// How to read the program.
#[derive(Clone, Default, Debug)]
pub struct Options {
    /// `Undefined`: executions end silently where signed arithmetic overflows.
    pub signed_overflow: SignedOverflow,
    /// The program is known to look at addresses as numbers, even if its text does not show it.
    pub looks_at_addresses: bool,
    /// What `main` may be called with.
    pub arguments: Arguments,
}

pub struct Task {
    /// The program as it was compiled; what it does is what users mean.
    pub original: Program,
    /// The program with the property built in: the only errors left are calls of
    /// `Builtin::Error` and `Builtin::AssertFail`. Ids of the original mean the same here.
    pub program: Program,
    pub property: Property,
    /// Where executions start.
    pub entry: FuncId,
    /// So many inputs of every execution are the arguments of the entry function; they come first.
    pub arguments: usize,
    pub options: Options,
    /// What the verdict TRUE rests on: suppositions about the world outside that the standard does
    /// not make, and that an execution may come to.
    pub conditions: Vec<String>,
    /// Where the reading of this program is a choice, for the ledger.
    pub notes: Vec<String>,
    /// What the reading of any program takes for granted and matters for this one.
    pub conventions: Vec<String>,
    /// The last run that was confirmed, by the patterns of its inputs and what memory held: see
    /// [`crate::replay`].
    pub(crate) confirmed: Mutex<Option<(crate::replay::Claim, Confirmed)>>,
}

/// Why a program and a property are no task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TaskError {
    /// There is no function of that kind to start in.
    NoEntry,
    /// A label that the property names is nowhere.
    NoLabel(String),
    /// A function that the property names is nowhere.
    NoFunction(String),
    /// A property that is known but not decided yet.
    Unsupported(String),
    /// The function to start in has a parameter that no value can be chosen for.
    Parameter { function: String, parameter: String },
    /// The instrumented program breaks the rules of the IR.
    Internal(String),
}

impl fmt::Display for TaskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TaskError::NoEntry => f.write_str("there is no function to start in"),
            TaskError::NoLabel(l) => write!(f, "the program has no label `{l}`"),
            TaskError::NoFunction(n) => write!(f, "the program has no function `{n}`"),
            TaskError::Unsupported(p) => write!(f, "the property {p} is not supported yet"),
            TaskError::Parameter { function, parameter } => write!(
                f,
                "`{function}` cannot be started in: its parameter `{parameter}` is no number; write a function \
                 without it that makes the argument and calls `{function}`"
            ),
            TaskError::Internal(what) => write!(f, "internal error: {what}"),
        }
    }
}

impl Task {
    pub fn new(original: Program, property: Property, options: Options) -> Result<Task, TaskError> {
        if original.entry.is_none() {
            return Err(TaskError::NoEntry);
        }
        let mut program = original.clone();
        arguments::supply(&mut program, &options.arguments);
        let arguments = entry::supply_arguments(&mut program)?;
        let entry = program.entry.ok_or(TaskError::NoEntry)?;
        let notes = instrument(&mut program, &property, &options)?;
        if options.looks_at_addresses || addresses::looks(&original) {
            addresses::place_objects(&mut program, arguments);
        }
        if let Err(violations) = cairn_ir::verify(&program) {
            let first = violations.first().map_or_else(String::new, ToString::to_string);
            return Err(TaskError::Internal(format!("the instrumented program breaks its rules: {first}")));
        }
        let conditions = program.assumptions_from(entry);
        let conventions = ledger::conventions(&original, &options);
        let confirmed = Mutex::new(None);
        Ok(Task {
            original,
            program,
            property,
            entry,
            arguments,
            options,
            conditions,
            notes,
            conventions,
            confirmed,
        })
    }

    /// The same question about the same program, read in another way.
    pub fn read_with(&self, options: Options) -> Result<Task, TaskError> {
        Task::new(self.original.clone(), self.property.clone(), options)
    }

    /// The same question, with the addresses of objects as inputs.
    pub fn looking_at_addresses(&self) -> Result<Task, TaskError> {
        self.read_with(Options { looks_at_addresses: true, ..self.options.clone() })
    }

    /// The same question about another program, with the same ids: one that does more.
    pub fn about(&self, program: Program) -> Task {
        debug_verify(&program, "an edit for another task");
        Task {
            original: self.original.clone(),
            program,
            property: self.property.clone(),
            entry: self.entry,
            arguments: self.arguments,
            options: self.options.clone(),
            conditions: self.conditions.clone(),
            notes: self.notes.clone(),
            conventions: self.conventions.clone(),
            confirmed: Mutex::new(None),
        }
    }
}
