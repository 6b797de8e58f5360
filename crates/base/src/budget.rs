//! Budgets and cancellation are arguments, never globals: work that may take long
//! is handed a [`Budget`] and asks it now and then whether to go on.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use crate::turn::Turn;

/// A flag that another thread (or a signal handler) raises to ask for an end.
#[derive(Clone, Default, Debug)]
pub struct Cancel {
    flag: Arc<AtomicBool>,
    /// The limit it was raised for, if a watcher of limits raised it.
    reason: Arc<OnceLock<Limit>>,
}

impl Cancel {
    pub fn raise(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }

    /// Asks for an end because a limit is reached that only the raiser watches.
    pub fn raise_for(&self, limit: Limit) {
        let _ = self.reason.set(limit);
        self.raise();
    }

    pub fn raised(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
    }

    /// Why it was raised.
    pub fn reason(&self) -> Limit {
        self.reason.get().copied().unwrap_or(Limit::Cancelled)
    }

    /// The flag itself, for signal handlers and compiled code.
    pub fn flag(&self) -> &Arc<AtomicBool> {
        &self.flag
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
    /// Where the work is parked while others have their turn, if it shares the processor.
    pub turn: Option<Turn>,
}

impl Default for Budget {
    fn default() -> Budget {
        Budget {
            deadline: None,
            max_steps: u64::MAX,
            max_memory: 4 << 30,
            cancel: Cancel::default(),
            turn: None,
        }
    }
}

impl Budget {
    /// The time that deadlines are compared with: time in which the work was parked does not count.
    fn now(&self) -> Instant {
        self.turn.as_ref().map_or_else(Instant::now, Turn::now)
    }

    pub fn with_time(mut self, time: Duration) -> Budget {
        self.deadline = self.now().checked_add(time);
        self
    }

    /// The same budget, with a deadline not later than `time` from now.
    pub fn within(mut self, time: Duration) -> Budget {
        let end = self.now().checked_add(time);
        self.deadline = match (self.deadline, end) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        self
    }

    /// The same budget with a part of the time that is left, but no more than `most`.
    pub fn part(&self, part: f64, most: Duration) -> Budget {
        let left = self.deadline.map(|d| d.saturating_duration_since(self.now()).mul_f64(part));
        self.clone().within(left.map_or(most, |left| left.min(most)))
    }

    /// The limit that has been hit by the clock or by request, if any. This is where work is parked
    /// that shares the processor.
    pub fn exceeded(&self) -> Option<Limit> {
        if let Some(turn) = &self.turn {
            turn.pass();
        }
        self.over()
    }

    /// The same for a thread that only watches the work, and is never parked.
    pub fn over(&self) -> Option<Limit> {
        if self.cancel.raised() {
            return Some(self.cancel.reason());
        }
        match self.deadline {
            Some(d) if self.now() >= d => Some(Limit::Time),
            _ => None,
        }
    }
}
