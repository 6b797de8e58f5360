//! One engine's attempt at a task: it runs within its budget, its panics are
//! caught, and what it claims passes the gate of [`crate::confirm`].

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use cairn_attack::Attack;
use cairn_base::Budget;
use cairn_core::{Cx, Event, Facts, Task, Verdict, Why};

use crate::confirm::{Decision, attacked, confirm};
use crate::fault;
use crate::heard::{Heard, Sofar};
use crate::table::{Maker, Settings};

/// One engine's attempt, its evidence confirmed.
pub struct Attempt {
    pub decision: Decision,
    pub engine: &'static str,
    pub heard: Heard,
    /// Time of the check of the evidence.
    pub checking: Duration,
    /// The engine panicked, or the check of its evidence did.
    pub failed: bool,
    /// What runs of the program say to a proof that was accepted.
    pub attack: Option<Attack>,
}

/// What the attempts at one task have in common.
#[derive(Copy, Clone)]
pub struct Tries<'a> {
    pub task: &'a Task,
    pub settings: &'a Settings,
    /// Told what is being done, in a few words.
    pub status: &'a (dyn Fn(&str) + Sync),
    pub sofar: &'a Sofar,
    /// Makes an engine by its name.
    pub maker: Maker,
}

impl Tries<'_> {
    /// Lets an engine try for as long as `budget` has it; the check of its evidence may take all
    /// that is left of `whole`. `None` if there is no such engine.
    pub fn run(self, engine: &str, facts: Facts, budget: Budget, whole: &Budget) -> Option<Attempt> {
        let mut tool = (self.maker)(engine, self.settings)?;
        let name = tool.name();
        self.sofar.begin(name);
        let heard = Mutex::new(Heard::default());
        let events = |event: Event| {
            if let Event::Status(text) = &event {
                return (self.status)(text);
            }
            self.sofar.take(event.clone());
            heard.lock().unwrap_or_else(PoisonError::into_inner).take(event);
        };
        let mut cx = Cx {
            budget,
            whole: whole.clone(),
            solver: &cairn_smt::standard,
            events: &events,
            facts,
            workshop: None,
        };
        let verdict = fault::caught(|| tool.run(self.task, &mut cx));
        let begin = Instant::now();
        if let Ok(Verdict::Safe(_) | Verdict::Unsafe(_)) = &verdict {
            cx.near();
        }
        let workshop = cx.workshop.take();
        let mut of_proof = None;
        let decision = verdict.map_err(|what| (format!("engine {name} failed"), what)).and_then(|verdict| {
            if let Verdict::Safe(proof) = &verdict {
                of_proof = Some(proof.loop_table(&self.task.program, self.task.entry));
            }
            fault::caught(|| confirm(self.task, verdict, workshop, whole, self.status))
                .map_err(|what| (format!("the check of what {name} found failed"), what))
        });
        let mut attack = None;
        let decision = decision.and_then(|decision| {
            let Decision::Safe(proof) = decision else { return Ok(decision) };
            (self.status)("running the program against the proof");
            let (decision, found) = fault::caught(|| attacked(self.task, proof, whole))
                .map_err(|what| (format!("the attack on the proof of {name} failed"), what))?;
            attack = Some(found);
            Ok(decision)
        });
        let mut heard = heard.into_inner().unwrap_or_else(PoisonError::into_inner);
        heard.loops = of_proof.unwrap_or(heard.loops);
        let failed = decision.is_err();
        let decision = decision.unwrap_or_else(|(who, what)| {
            let note = format!("{who}: internal error: {what}; please report it together with the input");
            self.sofar.note(note.clone());
            heard.note(note);
            Decision::Unknown(Why::new("internal error", format!("{who}: {what}")).internal())
        });
        Some(Attempt { decision, engine: name, heard, checking: begin.elapsed(), failed, attack })
    }
}
