//! Interrupting solvers that run in this process.
//!
//! One thread, started when first needed, watches all running queries: when a
//! query's budget is used up it calls the query's interrupt again and again
//! until the query is over (an interrupt that comes before the solver listens
//! is lost). It sleeps while nothing runs.

use std::sync::{Condvar, Mutex, Once, PoisonError};
use std::time::Duration;

use cairn_base::Budget;

const PERIOD: Duration = Duration::from_millis(5);

struct Watched {
    id: u64,
    budget: Budget,
    interrupt: Box<dyn Fn() + Send>,
}

struct Watchdog {
    watched: Mutex<(u64, Vec<Watched>)>,
    more: Condvar,
}

static WATCHDOG: Watchdog = Watchdog { watched: Mutex::new((0, Vec::new())), more: Condvar::new() };
static START: Once = Once::new();

/// While it lives, the interrupt is called as soon as the budget is used up. The interrupt is not
/// running, and will not be called again, once the guard has been dropped.
#[must_use]
pub struct Guard(u64);

/// Watches a query. The interrupt must be quick and must not panic.
pub fn guard(budget: &Budget, interrupt: impl Fn() + Send + 'static) -> Guard {
    START.call_once(|| {
        let spawned = std::thread::Builder::new().name("watchdog".into()).spawn(watch);
        spawned.expect("the system refuses to start a thread");
    });
    let mut watched = lock();
    watched.0 += 1;
    let id = watched.0;
    watched.1.push(Watched { id, budget: budget.clone(), interrupt: Box::new(interrupt) });
    WATCHDOG.more.notify_one();
    Guard(id)
}

impl Drop for Guard {
    fn drop(&mut self) {
        lock().1.retain(|w| w.id != self.0);
    }
}

fn lock() -> std::sync::MutexGuard<'static, (u64, Vec<Watched>)> {
    WATCHDOG.watched.lock().unwrap_or_else(PoisonError::into_inner)
}

fn watch() {
    let mut watched = lock();
    loop {
        if watched.1.is_empty() {
            watched = WATCHDOG.more.wait(watched).unwrap_or_else(PoisonError::into_inner);
            continue;
        }
        for w in &watched.1 {
            if w.budget.over().is_some() {
                (w.interrupt)();
            }
        }
        drop(watched);
        std::thread::sleep(PERIOD);
        watched = lock();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn interrupts_when_time_is_up_or_on_request_and_never_after() {
        let count = Arc::new(AtomicUsize::new(0));
        let counting = |count: &Arc<AtomicUsize>| {
            let count = count.clone();
            move || {
                count.fetch_add(1, Ordering::SeqCst);
            }
        };
        let budget = Budget::default();
        let first = guard(&budget, counting(&count));
        std::thread::sleep(4 * PERIOD);
        assert_eq!(count.load(Ordering::SeqCst), 0);
        budget.cancel.raise();
        while count.load(Ordering::SeqCst) == 0 {
            std::thread::yield_now();
        }
        drop(first);
        let after = count.load(Ordering::SeqCst);
        std::thread::sleep(4 * PERIOD);
        assert_eq!(count.load(Ordering::SeqCst), after);
        let _second = guard(&Budget::default().with_time(PERIOD), counting(&count));
        while count.load(Ordering::SeqCst) == after {
            std::thread::yield_now();
        }
    }
}
