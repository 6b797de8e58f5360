//! Budgets and cancellation are arguments, never globals: whoever runs for long
//! is handed a [`Budget`] and asks it now and then whether to go on.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A flag that another thread (or a signal handler) raises to ask for an end.
#[derive(Clone, Default, Debug)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub fn raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The flag itself, for signal handlers and compiled code.
    pub fn flag(&self) -> &Arc<AtomicBool> {
        &self.0
    }
}

/// Which limit ended the work.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Limit {
    Steps,
    Time,
    Memory,
    Depth,
    Cancelled,
}

#[derive(Clone, Debug)]
pub struct Budget {
    pub deadline: Option<Instant>,
    /// Steps (executed edges, for the executor).
    pub max_steps: u64,
    /// Bytes the subject program may hold at once.
    pub max_memory: u64,
    pub cancel: Cancel,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget { deadline: None, max_steps: u64::MAX, max_memory: 4 << 30, cancel: Cancel::default() }
    }
}

impl Budget {
    pub fn with_time(mut self, time: Duration) -> Budget {
        self.deadline = Instant::now().checked_add(time);
        self
    }

    /// The limit that has been hit by the clock or by request, if any.
    pub fn exceeded(&self) -> Option<Limit> {
        if self.cancel.raised() {
            return Some(Limit::Cancelled);
        }
        match self.deadline {
            Some(d) if Instant::now() >= d => Some(Limit::Time),
            _ => None,
        }
    }
}
