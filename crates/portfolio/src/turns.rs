//! Engines in turns on one processor. Each has a lane: a thread in which it runs
//! until its slice is over, and is parked with all it has learned (see
//! `cairn_base::turn`). Slices begin small and grow from round to round, so that an
//! engine that would answer at once is not kept waiting by the others, and no
//! engine repeats its work.
//!
//! The verdict does not depend on who answers, because every answer is checked.
//!
//! # Why so
//!
//! *Strategies are data* (`portfolio::strategy`). `auto` chooses an order of engines from the features of the
//! program and lets them take turns (`portfolio::turns`): each runs in a thread of its own and is parked,
//! with all it has learned, where it next asks its budget after its slice (`base::turn`), so that engines are
//! resumed without code of their own. The most promising engine gets most of the first seconds, the others
//! catch up. Slices are of processor time. An engine that says it is near an answer (`Cx::near`) gets as much
//! as the first; one that does not ask its budget is not waited for. Nothing but the time to a verdict
//! depends on slices, since each answer is checked before it counts.

use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use cairn_base::stack::spawn_big;
use cairn_base::turn::{Phase, Turn};
use cairn_base::{Budget, Cancel, Limit};
use cairn_core::{Facts, Task, Why};

use crate::attempt::{Attempt, Tries};
use crate::confirm::{Decision, LAYOUT, UNCONFIRMED};
use crate::memory::Memory;
use crate::strategy::Lane;

/// Time between two looks at whether the whole run is to end.
const PERIOD: Duration = Duration::from_millis(10);

/// An engine that has begun.
struct Worker {
    turn: Turn,
    cancel: Cancel,
    /// Facts that were known when it began.
    known: usize,
    ended: bool,
}

/// Runs the engines of the lanes in turns until one has decided, all have given up, or the budget
/// is used up. Gives all attempts in the order in which they ended; one that has decided is the last.
pub(crate) fn take_turns(
    tries: Tries<'_>,
    lanes: &[Lane],
    facts: &Facts,
    budget: &Budget,
    memory: &dyn Memory,
) -> Vec<Attempt> {
    let attempts: Mutex<Vec<Attempt>> = Mutex::default();
    let ended = || attempts.lock().unwrap_or_else(PoisonError::into_inner);
    thread::scope(|scope| {
        let start = |lane: &Lane| -> Worker {
            let (turn, cancel) = (Turn::new(), budget.cancel.part());
            let own = Budget { cancel: cancel.clone(), turn: Some(turn.clone()), ..budget.clone() };
            let (engine, own_turn, board, attempts) = (lane.engine, turn.clone(), facts.clone(), &attempts);
            let run = move || {
                own_turn.begin();
                let mut attempt = tries.run(engine, board, own.clone(), &own);
                if let Some(attempt) = &mut attempt
                    && let Decision::Unknown(Why { limit: Some(Limit::Memory), .. }) = attempt.decision
                    && own.over() == Some(Limit::Memory)
                {
                    let note = format!("{engine} reached its share of the memory");
                    tries.sofar.note(note.clone());
                    attempt.heard.note(note);
                    memory.give_back();
                }
                attempts.lock().unwrap_or_else(PoisonError::into_inner).extend(attempt);
                own_turn.end();
            };
            // An engine for which there is no thread to be had does not take part.
            let ended = spawn_big(scope, run).is_err();
            Worker { turn, cancel, known: facts.len(), ended }
        };
        let mut workers: Vec<Option<Worker>> = lanes.iter().map(|_| None).collect();
        let decided = || ended().iter().any(|a| settles(tries.task, a));
        let mut round = 0;
        let limit = loop {
            let (mut active, mut granted, mut over) = (false, false, None);
            for (n, lane) in lanes.iter().enumerate() {
                // An engine that has given up begins again if others have found facts since.
                if workers[n].as_ref().is_some_and(|w| w.ended && lane.again && facts.len() > w.known) {
                    workers[n] = None;
                }
                let alone = (0..lanes.len()).all(|m| m == n || workers[m].as_ref().is_some_and(|w| w.ended));
                let worker = workers[n].get_or_insert_with(|| start(lane));
                worker.ended |= worker.turn.watch(Duration::ZERO) == Phase::Done;
                if worker.ended {
                    continue;
                }
                active = true;
                // A worker that does not ask its budget is not waited for: the others go on beside it.
                if worker.turn.watch(Duration::ZERO) == Phase::Running {
                    continue;
                }
                granted = true;
                tries.sofar.begin(lane.engine);
                // Work that is near its end gets as much time as the most promising engine.
                let slice = if worker.turn.promised() { longest(lanes, round) } else { lane.slice(round) };
                if !alone {
                    memory.watch(&worker.cancel);
                }
                worker.turn.grant((!alone).then_some(slice));
                while over.is_none()
                    && !decided()
                    && !worker.turn.overrun()
                    && worker.turn.watch(PERIOD) == Phase::Running
                {
                    over = budget.over();
                }
                if over.is_some() || decided() {
                    break;
                }
            }
            if over.is_some() || !active || decided() {
                break over;
            }
            if granted {
                round += 1;
            } else {
                thread::sleep(PERIOD);
                if let Some(limit) = budget.over() {
                    break Some(limit);
                }
            }
        };
        for worker in workers.iter().flatten().filter(|w| !w.ended) {
            match limit {
                Some(limit) => worker.cancel.raise_for(limit),
                None => worker.cancel.raise(),
            }
            worker.turn.grant(None);
        }
    });
    let mut attempts = attempts.into_inner().unwrap_or_else(PoisonError::into_inner);
    // Engines that were ended because another has decided have nothing to say.
    if let Some(decided) = attempts.iter().position(|a| settles(tries.task, a)) {
        attempts.truncate(decided + 1);
    }
    attempts
}

/// The longest slice of a round.
fn longest(lanes: &[Lane], round: u32) -> Duration {
    lanes.iter().map(|lane| lane.slice(round)).max().unwrap_or(PERIOD)
}

/// No engine will do better. An error that the executor does not meet may be one of another layout of
/// memory: then the question is asked again with addresses as inputs, once.
fn settles(task: &Task, attempt: &Attempt) -> bool {
    match &attempt.decision {
        Decision::Safe(_) | Decision::Unsafe(..) => true,
        Decision::Unknown(why) => {
            let layout = why.reason == UNCONFIRMED && !task.options.looks_at_addresses;
            !attempt.failed && (why.internal || why.reason == LAYOUT || layout)
        }
    }
}
