//! The gate of soundness: what an engine claims is confirmed by code that no
//! engine uses. A trace is replayed by the executor. A proof is followed by the
//! independent checker and then attacked with runs of the program: engines and
//! checker share the reading of pure expressions, the executor does not (see
//! `cairn_attack`).

use std::time::Duration;

use cairn_attack::{Attack, Effort};
use cairn_base::Budget;
use cairn_checker::Rejection;
use cairn_core::replay::{Confirmed, replay};
use cairn_core::{LoopProof, Proof, Task, Trace, Verdict, Why, Workshop};
use cairn_native::Native;

/// A verdict whose evidence was confirmed.
pub enum Decision {
    Safe(Proof),
    Unsafe(Trace, Confirmed),
    Unknown(Why),
}

/// The reason for an answer that would depend on the layout of memory: to be asked again with addresses
/// as inputs.
pub const LAYOUT: &str = "memory layout";

/// The reason for an error that the executor does not meet: engines may have supposed another layout.
pub const UNCONFIRMED: &str = "unconfirmed error";

/// The part of the time left that an attack may take, and the most; counts end most of them before.
const ATTACK_SHARE: f64 = 0.05;
const ATTACK_TIME: Duration = Duration::from_millis(500);

/// Confirms the evidence of a verdict, all but the attack.
pub(crate) fn confirm(
    task: &Task,
    verdict: Verdict,
    workshop: Option<Workshop>,
    budget: &Budget,
    status: &(dyn Fn(&str) + Sync),
) -> Decision {
    match verdict {
        Verdict::Unknown(why) => Decision::Unknown(why),
        Verdict::Unsafe(trace) => {
            status("replaying the error");
            replayed(task, trace, budget)
        }
        Verdict::Safe(proof) => {
            status("checking the proof");
            checked(task, proof, workshop, budget)
        }
    }
}

fn replayed(task: &Task, trace: Trace, budget: &Budget) -> Decision {
    let mut native = Native::new(&task.program);
    let tier = native.as_mut().map(|n| n as &mut dyn cairn_sem::Tier);
    match replay(task, &trace, budget, tier) {
        Ok(confirmed) => Decision::Unsafe(trace, confirmed),
        Err(how) => Decision::Unknown(
            Why::new(UNCONFIRMED, format!("an error was found, but running it does not show it: {how}"))
                .advice(
                    "look at the reads of uninitialised memory and the calls of functions without a body",
                ),
        ),
    }
}

fn checked(task: &Task, proof: Proof, workshop: Option<Workshop>, budget: &Budget) -> Decision {
    let workshop = workshop.unwrap_or_else(|| Workshop::new(cairn_smt::standard()));
    match cairn_checker::check_in(workshop, &task.program, task.entry, &proof, budget) {
        Ok(_) => Decision::Safe(proof),
        Err(Rejection::Wrong { what, place }) => {
            let detail = format!("the checker does not accept the proof: {what}");
            let why = Why::new("proof rejected", detail).at(place);
            // The checker supposes that loops change more than engines do, so that it may refuse an
            // induction that holds. Bounds leave no room for that.
            let bounds =
                proof.cuts.cases.is_empty() && proof.loops.values().all(|l| matches!(l, LoopProof::Bound(_)));
            Decision::Unknown(if bounds { why.internal() } else { why })
        }
        Err(Rejection::Layout) => Decision::Unknown(Why::new(
            LAYOUT,
            "a proof was found, but it holds for one layout of memory only: the program looks at where its \
             objects lie",
        )),
        Err(Rejection::Unknown(what)) => Decision::Unknown(match budget.exceeded() {
            Some(limit) => Why {
                detail: format!("a proof was found but not checked in time: {what}"),
                ..Why::limit(limit)
            },
            None => Why::new(
                "proof not checked",
                format!("a proof was found, but the checker cannot follow it: {what}"),
            ),
        }),
    }
}

/// Attacks a proof that the checker has accepted. A run that contradicts it leaves no verdict: two
/// readings of the program differ, which is a fault of Cairn.
pub(crate) fn attacked(task: &Task, proof: Proof, budget: &Budget) -> (Decision, Attack) {
    let attack =
        cairn_attack::attack(task, &proof, &Effort::default(), &budget.part(ATTACK_SHARE, ATTACK_TIME));
    let decision = match &attack.contradiction {
        None => Decision::Safe(proof),
        Some(found) => Decision::Unknown(
            Why::new("internal error", format!("a proof was found and checked, but {}", found.what))
                .at(found.place)
                .internal(),
        ),
    };
    (decision, attack)
}
