//! A race: several engines on one task at the same time, each in its own thread.
//! The first answer that stands its check ends the others.
//!
//! The verdict does not depend on the winner, because every answer is checked. If
//! several arrive before they are told to end, the engine that is named first has
//! the word. Racers exchange no facts, so that each does what it would do alone.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use cairn_base::stack::spawn_big;
use cairn_base::{Budget, Cancel};
use cairn_core::Facts;

use crate::attempt::{Attempt, Tries};
use crate::confirm::Decision;

/// Time between two looks at whether the whole run is to end.
const PERIOD: Duration = Duration::from_millis(10);

/// The winner's attempt; without a winner, that of the engine named last, or of one that failed
/// by a fault of ours.
pub fn race(tries: Tries<'_>, engines: &[&'static str], facts: &Facts, budget: &Budget) -> Option<Attempt> {
    let stop = Cancel::default();
    let mut attempts: Vec<Option<Attempt>> = engines.iter().map(|_| None).collect();
    thread::scope(|scope| {
        let (finished, results) = channel();
        for (n, &engine) in engines.iter().enumerate() {
            let (finished, facts) = (finished.clone(), facts.copy());
            let budget = Budget { cancel: stop.clone(), ..budget.clone() };
            let run = move || {
                let attempt = tries.run(engine, facts, budget.clone(), &budget);
                // The receiver is gone only if the race is over.
                let _ = finished.send((n, attempt));
            };
            // Without a thread to be had it does not take part.
            let _ = spawn_big(scope, run);
        }
        drop(finished);
        loop {
            match results.recv_timeout(PERIOD) {
                Ok((n, attempt)) => {
                    if attempt.as_ref().is_some_and(|a| !matches!(a.decision, Decision::Unknown(_))) {
                        stop.raise();
                    }
                    attempts[n] = attempt;
                }
                Err(RecvTimeoutError::Timeout) if budget.cancel.raised() => {
                    stop.raise_for(budget.cancel.reason());
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
    });
    let all: Vec<Attempt> = attempts.into_iter().flatten().collect();
    let decided = all.iter().position(|a| !matches!(a.decision, Decision::Unknown(_)));
    let internal = |a: &Attempt| matches!(&a.decision, Decision::Unknown(why) if why.internal);
    let shown = decided.or_else(|| all.iter().position(internal)).or(all.len().checked_sub(1))?;
    let failures = all.iter().filter(|a| a.failed).flat_map(|a| a.heard.notes().to_vec());
    let failures: Vec<String> = failures.collect();
    let mut shown = all.into_iter().nth(shown)?;
    failures.into_iter().for_each(|note| shown.heard.note(note));
    Some(shown)
}
