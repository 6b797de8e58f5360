//! Budgets and cancellation are arguments, never globals: work that may take long
//! is handed a [`Budget`] and asks it now and then whether to go on.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use crate::Effort;
use crate::turn::Turn;

/// A flag that another thread (or a signal handler) raises to ask for an end.
#[derive(Clone, Default, Debug)]
pub struct Cancel {
    flag: Arc<AtomicBool>,
    /// The limit it was raised for, if a watcher of limits raised it.
    reason: Arc<OnceLock<Limit>>,
    /// The flag of the work that this one's work is a part of.
    above: Option<Arc<Cancel>>,
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
        self.flag.load(Ordering::Relaxed) || self.above.as_ref().is_some_and(|c| c.raised())
    }

    /// Why it was raised.
    pub fn reason(&self) -> Limit {
        match &self.above {
            Some(above) if above.raised() => above.reason(),
            _ => self.reason.get().copied().unwrap_or(Limit::Cancelled),
        }
    }

    /// A flag for a part of the work: it is raised by itself, or with this one.
    pub fn part(&self) -> Cancel {
        Cancel { above: Some(Arc::new(self.clone())), ..Cancel::default() }
    }

    /// The flag itself, for signal handlers and compiled code. Those see that the work above is to end
    /// only when [`Cancel::pass_on`] has been called.
    pub fn flag(&self) -> &Arc<AtomicBool> {
        &self.flag
    }

    /// Raises the flag if the one above is raised.
    pub fn pass_on(&self) {
        if self.raised() {
            self.raise();
        }
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
    /// Work that is counted.
    pub effort: Effort,
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
            effort: Effort::default(),
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

    /// The same budget for so much work at most, in units of [`effort`](crate::effort).
    pub fn with_effort(&self, units: u64) -> Budget {
        Budget { effort: self.effort.part(units), ..self.clone() }
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

    /// The time that is left, if it is limited.
    pub fn left(&self) -> Option<Duration> {
        self.deadline.map(|d| d.saturating_duration_since(self.now()))
    }

    /// The same budget with a part of the time that is left, but no more than `most`.
    pub fn part(&self, part: f64, most: Duration) -> Budget {
        let left = self.left().map(|left| left.mul_f64(part));
        self.clone().within(left.map_or(most, |left| left.min(most)))
    }

    /// The limit that has been hit by the clock, by counting or by request, if any. This is where work
    /// is parked that shares the processor.
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
            _ if self.effort.is_used_up() => Some(Limit::Steps),
            _ => None,
        }
    }
}

/// Asks a budget now and then: for loops whose steps are so short that to look at the clock in each
/// of them would take longer than the steps.
pub struct Pace<'a> {
    budget: &'a Budget,
    steps: u32,
    every: u32,
}

impl<'a> Pace<'a> {
    /// Asks once in `every` steps.
    pub fn new(budget: &'a Budget, every: u32) -> Pace<'a> {
        Pace { budget, steps: 0, every: every.max(1) }
    }

    /// Counts a step; `Err` if the budget was asked and is used up.
    pub fn step(&mut self) -> Result<(), Limit> {
        self.steps += 1;
        if self.steps < self.every {
            return Ok(());
        }
        self.steps = 0;
        self.budget.exceeded().map_or(Ok(()), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_ends_by_itself_or_with_the_whole() {
        let whole = Cancel::default();
        let (one, other) = (whole.part(), whole.part());
        one.raise_for(Limit::Memory);
        assert!(one.raised() && !other.raised() && !whole.raised());
        assert_eq!(one.reason(), Limit::Memory);
        whole.raise_for(Limit::Time);
        assert!(other.raised() && !other.flag().load(Ordering::Relaxed));
        assert_eq!((one.reason(), other.reason()), (Limit::Time, Limit::Time));
        other.pass_on();
        assert!(other.flag().load(Ordering::Relaxed));
    }

    #[test]
    fn a_pace_asks_now_and_then() {
        let budget = Budget::default();
        budget.cancel.raise();
        let mut pace = Pace::new(&budget, 3);
        let asked: Vec<bool> = (0..6).map(|_| pace.step().is_err()).collect();
        assert_eq!(asked, [false, false, true, false, false, true]);
    }
}
