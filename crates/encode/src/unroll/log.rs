//! What an unrolling did, step by step, to be compared with an
//! execution.
//!
//! Locations are executed in an order in which every execution passes them, so
//! the steps of one execution are those whose condition holds for its inputs,
//! in the order of the log.

use cairn_ir::{EdgeId, LocId, Op, Program};
use cairn_term::TermId;
use rustc_hash::FxHashSet;

use super::Unroller;
use crate::guard::Guard;
use crate::state::State;

/// The steps of all executions.
#[derive(Default)]
pub struct Log {
    pub steps: Vec<Step>,
    /// The visits of watched locations.
    pub visits: Vec<Visit>,
    watched: FxHashSet<LocId>,
    most: usize,
    /// The open calls, innermost last.
    calls: Vec<EdgeId>,
}

/// An edge that was executed.
pub struct Step {
    pub edge: EdgeId,
    /// By which executions.
    pub guard: Guard,
    pub kind: StepKind,
}

pub enum StepKind {
    /// It was executed to its end, and its variable has this value.
    Done(Option<TermId>),
    /// Executions part here, or some end; the condition under which some go on.
    Parted(Guard),
}

/// Executions come to a location.
pub struct Visit {
    pub at: LocId,
    /// The call that entered the function.
    pub call: Option<EdgeId>,
    pub guard: Guard,
}

impl Log {
    /// A log of so many steps at most, which also says when these locations are visited.
    pub fn new(watched: FxHashSet<LocId>, most: usize) -> Log {
        Log { watched, most, ..Log::default() }
    }

    pub(super) fn is_full(&self) -> bool {
        self.steps.len() >= self.most
    }

    pub(super) fn visit(&mut self, at: LocId, guard: &Guard) {
        if self.watched.contains(&at) {
            self.visits.push(Visit { at, call: self.calls.last().copied(), guard: guard.clone() });
        }
    }

    /// An edge is about to be executed.
    pub(super) fn begin(&mut self, program: &Program, edge: EdgeId) {
        if let Op::Call { .. } = program.edges[edge].op {
            self.calls.push(edge);
        }
    }

    /// An edge was executed; `before` is the condition of its source, `after` what became of the state.
    pub(super) fn end(&mut self, program: &Program, edge: EdgeId, before: &Guard, after: Option<&State>) {
        let op = &program.edges[edge].op;
        if let Op::Call { .. } = op {
            self.calls.pop();
        }
        let Some(after) = after else { return };
        let (guard, kind) = match op {
            Op::Assume { .. } => (before.clone(), StepKind::Parted(after.guard.clone())),
            _ => {
                let value = op.def().and_then(|v| {
                    let of = if program.vars[v].owner.is_none() { &after.globals } else { &after.locals };
                    of.get(&v).copied()
                });
                (after.guard.clone(), StepKind::Done(value))
            }
        };
        self.steps.push(Step { edge, guard, kind });
    }
}

impl Unroller<'_, '_> {
    /// The same, and a log is kept; the unrolling ends when it is full.
    pub fn logged(mut self, log: Log) -> Self {
        self.out.log = Some(log);
        self
    }

    /// Executes an edge and keeps a log of it.
    pub(super) fn logged_edge(&mut self, e: EdgeId, s: State) -> Option<State> {
        let before = s.guard.clone();
        if let Some(log) = &mut self.out.log {
            log.begin(self.stepper.program, e);
        }
        let next = crate::block::execute(self, e, s);
        if let Some(log) = &mut self.out.log {
            log.end(self.stepper.program, e, &before, next.as_ref());
            self.out.stopped |= log.is_full();
        }
        next
    }
}
