//! The way to an error, told in terms of the source: which lines were
//! executed, what they assigned, which way decisions went, what came from
//! outside; with calls entered and left, and loops folded.
//!
//! The run is the one of [`cairn_core::replay`], repeated and watched. However long
//! it is, the memory of a [`Story`] is bounded, and of a run longer than
//! [`WATCHED`] steps only the beginning and the end are watched (of one that is
//! longer by far, only the beginning).

mod outline;
mod record;
mod tree;
mod value;

use cairn_base::{Budget, Place, Symbol};
use cairn_core::replay::{self, Confirmed};
use cairn_core::{Property, Task, Trace};
use cairn_ir::Program;
use cairn_sem::{Captured, Executor, Report, Window};

pub use value::Source;

/// Steps of a run that is watched from beginning to end.
pub const WATCHED: u64 = 12_000_000;
/// Steps watched at the beginning and at the end of a longer one.
const BEGINNING: u64 = 1_000_000;
const ENDING: u64 = 4_000_000;
/// Of a run longer than this nothing but the very beginning is watched: to come to its end takes too
/// long.
const FAR: u64 = 150_000_000;
const GLIMPSE: u64 = 100_000;

/// How much is told.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Detail {
    /// At most so many entries.
    Entries(usize),
    /// All that was kept.
    Full,
}

/// What leads to an error.
pub struct Story {
    root: tree::Call,
    /// What is wrong in the end.
    pub report: Report,
    pub steps: u64,
}

/// One line of a story.
#[derive(Clone, PartialEq, Debug)]
pub struct Entry {
    /// Calls open around it, the function the run starts in not counted.
    pub depth: usize,
    /// The function whose line it is.
    pub function: Symbol,
    pub place: Place,
    pub event: Event,
}

#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// Something happened on the line.
    Line {
        effects: Vec<Effect>,
        /// Further effects that are not listed.
        more: u64,
    },
    /// A function is called.
    Enter {
        function: Symbol,
        arguments: Vec<(String, String)>,
        /// Set if the call has returned and what it did is not told: so many lines.
        inside: Option<u64>,
    },
    /// A call has returned; `depth` is that of the callee.
    Leave { function: Symbol, result: Option<String> },
    /// Turns of the loop at the place that are not told, and what variables became in them.
    Turns { count: u64, changes: Vec<Change> },
    /// Calls inside each other that are not told.
    Calls { count: u64 },
    /// Steps of the executor that were not watched.
    Steps { count: u64 },
    /// Lines that are not told.
    Lines { count: u64 },
}

#[derive(Clone, PartialEq, Debug)]
pub enum Effect {
    Assigned {
        name: String,
        value: String,
    },
    /// A value from outside, and what it was assigned to if that has a name.
    Input {
        name: Option<String>,
        function: Symbol,
        value: String,
    },
    /// A decision, and the values it read.
    Decided {
        place: Place,
        condition: Option<String>,
        holds: bool,
        reads: Vec<(String, String)>,
    },
}

#[derive(Clone, PartialEq, Debug)]
pub struct Change {
    pub name: String,
    pub first: String,
    pub last: String,
}

/// Repeats a confirmed run and watches it. `None` if a limit of the budget came in between.
pub fn tell(task: &Task, trace: &Trace, confirmed: &Confirmed, budget: &Budget) -> Option<Story> {
    let mut budget = budget.clone();
    let far = confirmed.steps > FAR;
    let window = if confirmed.steps <= WATCHED {
        Window::ALL
    } else if far {
        budget.max_steps = budget.max_steps.min(GLIMPSE);
        Window::ALL
    } else {
        Window { first: BEGINNING, from: confirmed.steps - ENDING }
    };
    let mut io = Captured::default();
    let mut recorder = record::Recorder::new(&task.program);
    let executor = Executor::new(&task.program, replay::options(task, trace), budget);
    let outcome = executor.run_observed(&mut io, window, &mut recorder);
    if outcome.steps != if far { GLIMPSE } else { confirmed.steps } {
        return None;
    }
    let mut root = recorder.finish()?;
    if far {
        root.body.keep(tree::Item::Away(confirmed.steps - outcome.steps));
    }
    let mut report = confirmed.report.clone();
    // Checks that were built into the program end in the same error, whatever they look for.
    match &task.property {
        Property::NoOverflow if report.kind.is_none() => report.message = "signed overflow".to_owned(),
        Property::NoDivisionByZero if report.kind.is_none() => {
            report.message = "division by zero".to_owned();
        }
        Property::UnreachLabel(label) => report.message = format!("label {label} is reached"),
        _ => {}
    }
    Some(Story { root, report, steps: confirmed.steps })
}

impl Story {
    /// The entries in order. `source` gives the text at a place.
    pub fn entries(&self, program: &Program, source: &Source<'_>, detail: Detail) -> Vec<Entry> {
        outline::entries(&self.root, program, source, detail)
    }

    /// Calls open at the error, that of the first function not counted.
    pub fn depth(&self) -> usize {
        self.report.stack.iter().filter(|f| !f.is_model).count().saturating_sub(1)
    }
}
