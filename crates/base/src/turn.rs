//! Turns: several workers, each in a thread of its own, take turns on one
//! processor. A worker that asks its budget whether to go on is parked there when
//! its slice is over, with everything it has built up, and goes on from that
//! point when it gets the next turn. So every engine can be resumed without a
//! line of code of its own, and what it has learned is kept between turns.
//!
//! Time stands still for a parked worker: its budget's clock does not count it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;

/// A worker's turnstile. Its budget and the scheduler share it.
#[derive(Clone, Debug)]
pub struct Turn(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    made: Instant,
    phase: Mutex<Phase>,
    changed: Condvar,
    /// When the slice is over, in nanoseconds since the turnstile was made; `NEVER` if it is not limited.
    /// No earlier than `cpu_ends` of the process's own time, so that a busy machine does not shorten it.
    ends: AtomicU64,
    cpu_ends: AtomicU64,
    /// Nanoseconds that the worker was parked.
    parked: AtomicU64,
    /// What is left of the work is known, and ends in an answer.
    near: AtomicBool,
}

/// Where a worker is.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Phase {
    /// It waits for its turn.
    Parked,
    Running,
    /// It has ended.
    Done,
}

const NEVER: u64 = u64::MAX;
/// Time in which a worker whose slice is over comes to ask its budget.
const GRACE: Duration = Duration::from_millis(30);

/// The processor time that the process has had: only one worker runs at a time.
fn cpu() -> u64 {
    ProcessTime::try_now().map_or(NEVER - 1, |time| nanos(time.as_duration()))
}

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(NEVER - 1)
}

impl Default for Turn {
    fn default() -> Turn {
        Turn::new()
    }
}

impl Turn {
    /// A turnstile that is closed.
    pub fn new() -> Turn {
        Turn(Arc::new(Shared {
            made: Instant::now(),
            phase: Mutex::new(Phase::Parked),
            changed: Condvar::new(),
            ends: AtomicU64::new(NEVER),
            cpu_ends: AtomicU64::new(0),
            parked: AtomicU64::new(0),
            near: AtomicBool::new(false),
        }))
    }

    fn phase(&self) -> MutexGuard<'_, Phase> {
        self.0.phase.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn enter(&self, phase: Phase) {
        *self.phase() = phase;
        self.0.changed.notify_all();
    }

    /// Waits for the first turn.
    pub fn begin(&self) {
        self.wait_in(self.phase());
    }

    /// The worker has ended.
    pub fn end(&self) {
        self.enter(Phase::Done);
    }

    fn wait_in(&self, mut phase: MutexGuard<'_, Phase>) {
        let from = Instant::now();
        while *phase == Phase::Parked {
            phase = self.0.changed.wait(phase).unwrap_or_else(PoisonError::into_inner);
        }
        drop(phase);
        self.0.parked.fetch_add(nanos(from.elapsed()), Ordering::Relaxed);
    }

    /// Parks the worker if its slice is over.
    pub(crate) fn pass(&self) {
        let ends = self.0.ends.load(Ordering::Relaxed);
        if ends == NEVER
            || nanos(self.0.made.elapsed()) < ends
            || cpu() < self.0.cpu_ends.load(Ordering::Relaxed)
        {
            return;
        }
        let mut phase = self.phase();
        // A new turn may have been granted meanwhile.
        if self.0.ends.swap(NEVER, Ordering::Relaxed) != NEVER {
            *phase = Phase::Parked;
            self.0.changed.notify_all();
            self.wait_in(phase);
        }
    }

    /// The worker's own time.
    pub(crate) fn now(&self) -> Instant {
        let parked = Duration::from_nanos(self.0.parked.load(Ordering::Relaxed));
        Instant::now().checked_sub(parked).unwrap_or(self.0.made)
    }

    /// The worker says that it is near: what is left ends in an answer, however long it takes.
    pub fn promise(&self) {
        self.0.near.store(true, Ordering::Relaxed);
    }

    /// Has the worker said that it is near?
    pub fn promised(&self) -> bool {
        self.0.near.load(Ordering::Relaxed)
    }

    /// Gives the worker a turn, limited by a slice if there is one.
    pub fn grant(&self, slice: Option<Duration>) {
        let mut phase = self.phase();
        if *phase == Phase::Done {
            return;
        }
        let ends = slice.map_or(NEVER, |slice| nanos(self.0.made.elapsed() + slice));
        self.0.ends.store(ends, Ordering::Relaxed);
        self.0.cpu_ends.store(slice.map_or(0, |slice| cpu().saturating_add(nanos(slice))), Ordering::Relaxed);
        *phase = Phase::Running;
        self.0.changed.notify_all();
    }

    /// Has the worker gone on for much longer than its slice, without asking its budget?
    pub fn overrun(&self) -> bool {
        let ends = self.0.cpu_ends.load(Ordering::Relaxed);
        ends != 0 && cpu() > ends.saturating_add(nanos(GRACE))
    }

    /// Waits until the worker is parked or has ended, at most for `time`, and says where it is.
    pub fn watch(&self, time: Duration) -> Phase {
        let waited = self.0.changed.wait_timeout_while(self.phase(), time, |p| *p == Phase::Running);
        *waited.unwrap_or_else(PoisonError::into_inner).0
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;
    use crate::{Budget, Limit};

    const LONG: Duration = Duration::from_secs(60);

    #[test]
    fn a_worker_goes_on_where_it_was_parked() {
        let turn = Turn::new();
        let budget = Budget { turn: Some(turn.clone()), ..Budget::default() };
        let count = AtomicU64::new(0);
        thread::scope(|scope| {
            let (own, count) = (budget.clone(), &count);
            scope.spawn(move || {
                turn.begin();
                while own.exceeded().is_none() {
                    count.fetch_add(1, Ordering::Relaxed);
                }
                turn.end();
            });
            let turn = budget.turn.clone().expect("a turnstile");
            assert_eq!(turn.watch(LONG), Phase::Parked);
            assert_eq!(count.load(Ordering::Relaxed), 0, "no work before the first turn");
            let mut before = 0;
            for _ in 0..3 {
                turn.grant(Some(Duration::from_millis(5)));
                assert_eq!(turn.watch(LONG), Phase::Parked);
                let now = count.load(Ordering::Relaxed);
                assert!(now > before, "work goes on in each turn");
                before = now;
            }
            thread::sleep(Duration::from_millis(5));
            assert_eq!(count.load(Ordering::Relaxed), before, "none between turns");
            budget.cancel.raise();
            turn.grant(None);
            assert_eq!(turn.watch(LONG), Phase::Done);
        });
    }

    #[test]
    fn the_clock_of_a_parked_worker_stands_still() {
        let turn = Turn::new();
        thread::scope(|scope| {
            let own = turn.clone();
            let worker = scope.spawn(move || {
                own.begin();
                let budget = Budget { turn: Some(own.clone()), ..Budget::default() }.within(LONG / 60);
                let first = budget.exceeded();
                own.0.ends.store(0, Ordering::Relaxed);
                let second = budget.exceeded();
                own.end();
                (first, second)
            });
            turn.grant(None);
            // It parks itself at its second question.
            while turn.watch(LONG) != Phase::Parked {}
            thread::sleep(LONG / 40);
            turn.grant(None);
            assert_eq!(worker.join().expect("no panic"), (None, None::<Limit>));
        });
    }
}
