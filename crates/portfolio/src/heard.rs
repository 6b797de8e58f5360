//! What engines say while they work: loop reports, notes for the ledger,
//! explanations. It is kept apart from the engine, so that a report can be made
//! at any time, also by a watchdog while an engine is still at work.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cairn_core::{Event, Explanation, LoopReport};

/// What was said up to now by all engines of a strategy, shared with the watchdog.
#[derive(Clone, Default)]
pub struct Sofar(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    heard: Heard,
    engine: Option<&'static str>,
}

impl Sofar {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An engine has its turn.
    pub(crate) fn begin(&self, engine: &'static str) {
        self.state().engine = Some(engine);
    }

    /// The question is asked anew.
    pub fn forget(&self) {
        *self.state() = State::default();
    }

    pub(crate) fn take(&self, event: Event) {
        self.state().heard.take(event);
    }

    pub(crate) fn note(&self, note: String) {
        self.state().heard.note(note);
    }

    /// The engine at work, and what was said until now.
    pub(crate) fn snapshot(&self) -> (&'static str, Heard) {
        let state = self.state();
        (state.engine.unwrap_or("none"), state.heard.clone())
    }
}

/// What an engine said on the way.
#[derive(Clone, Default)]
pub struct Heard {
    pub(crate) loops: Vec<LoopReport>,
    pub(crate) notes: Vec<String>,
    pub(crate) explanations: Vec<Explanation>,
}

impl Heard {
    /// Remarks that limit the verdict, for the ledger.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    pub(crate) fn note(&mut self, note: String) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    fn table(&mut self, report: LoopReport) {
        match self.loops.iter_mut().find(|l| l.head == report.head) {
            Some(old) => *old = report,
            None => self.loops.push(report),
        }
    }

    /// Adds what was said later; of two reports on a loop the later one counts.
    pub(crate) fn extend(&mut self, later: Heard) {
        later.loops.into_iter().for_each(|l| self.table(l));
        later.notes.into_iter().for_each(|n| self.note(n));
        self.explanations.extend(later.explanations);
    }

    pub(crate) fn take(&mut self, event: Event) {
        match event {
            Event::Status(_) => {}
            Event::Note(note) => self.note(note),
            Event::Loop(report) => self.table(report),
            Event::Explained(explanation) => self.explanations.push(*explanation),
        }
    }
}
