//! The way to an answer: the steps of a strategy one after another, until an
//! engine has evidence that stands its check. A claimed error is replayed by the
//! executor, a claimed proof is followed by the independent checker.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use cairn_attack::Attack;
use cairn_base::Budget;
use cairn_core::replay::{Confirmed, replay};
use cairn_core::{
    Cx, Event, Explanation, Facts, LoopProof, LoopReport, Proof, Task, Trace, Verdict, Why, Workshop,
};
use cairn_engines::Settings;
use cairn_native::Native;

use super::{opinion, race, strategy};
use crate::progress::Progress;

/// What came out, checked.
pub enum Answer {
    Safe(Proof),
    Unsafe(Trace, Confirmed),
    Unknown(Why),
}

/// How a task is to be decided.
pub struct Plan<'a> {
    /// An engine, a race or a strategy.
    pub engine: &'a str,
    pub unwind: Option<u32>,
    /// Ask engines to explain what they do.
    pub explain: bool,
    /// Claims to begin with.
    pub facts: Facts,
}

pub struct Decided {
    pub answer: Answer,
    /// The engine that answered, or whose reason is given.
    pub engine: &'static str,
    pub loops: Vec<LoopReport>,
    pub notes: Vec<String>,
    pub explanations: Vec<Explanation>,
    /// Time of the check of the evidence.
    pub checking: Duration,
    /// What runs of the program say to a proof that was accepted.
    pub attack: Option<Attack>,
}

/// What an engine said on the way.
#[derive(Default)]
pub struct Heard {
    loops: Vec<LoopReport>,
    notes: Vec<String>,
    explanations: Vec<Explanation>,
}

impl Heard {
    /// What limits the verdict.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    fn note(&mut self, note: String) {
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

    /// Later words replace earlier ones.
    fn extend(&mut self, later: Heard) {
        later.loops.into_iter().for_each(|l| self.table(l));
        later.notes.into_iter().for_each(|n| self.note(n));
        self.explanations.extend(later.explanations);
    }
}

/// One engine's try, its evidence checked.
pub struct Attempt {
    pub answer: Answer,
    pub engine: &'static str,
    pub heard: Heard,
    pub checking: Duration,
    pub attack: Option<Attack>,
}

/// What all tries have in common.
#[derive(Copy, Clone)]
pub struct Tries<'a> {
    pub task: &'a Task,
    pub settings: &'a Settings,
    pub progress: &'a Progress,
}

impl Tries<'_> {
    /// Lets an engine try for as long as `budget` has it; the check of its evidence may take all
    /// that is left of `whole`. `None` if there is no such engine.
    pub fn run(self, engine: &str, facts: Facts, budget: Budget, whole: &Budget) -> Option<Attempt> {
        let mut tool = cairn_engines::named(engine, self.settings)?;
        let heard = Mutex::new(Heard::default());
        let events = |event: Event| {
            let Ok(mut heard) = heard.lock() else { return };
            match event {
                Event::Status(text) => self.progress.say(&text),
                Event::Note(note) => heard.note(note),
                Event::Loop(report) => heard.table(report),
                Event::Explained(explanation) => heard.explanations.push(*explanation),
            }
        };
        let mut cx = Cx {
            budget,
            whole: whole.clone(),
            solver: &cairn_smt::standard,
            events: &events,
            facts,
            workshop: None,
        };
        let verdict = tool.run(self.task, &mut cx);
        if let Verdict::Safe(proof) = &verdict
            && let Ok(mut heard) = heard.lock()
        {
            heard.loops = proof.loop_table(&self.task.program, self.task.entry);
        }
        let begin = Instant::now();
        let mut answer = confirm(self.task, verdict, cx.workshop.take(), whole, self.progress);
        let attack = match &answer {
            Answer::Safe(proof) => {
                self.progress.say("running the program against the proof");
                Some(opinion::attack(self.task, proof, whole))
            }
            _ => None,
        };
        if let Some(found) = attack.as_ref().and_then(|a| a.contradiction.as_ref()) {
            answer = Answer::Unknown(opinion::why(found));
        }
        let (engine, checking) = (tool.name(), begin.elapsed());
        let heard = heard.into_inner().unwrap_or_default();
        Some(Attempt { answer, engine, heard, checking, attack })
    }
}

/// Runs the engines until one has an answer that stands its check.
pub fn decide(plan: &Plan<'_>, task: &Task, budget: Budget) -> Decided {
    let progress = Progress::start("checking");
    let settings = Settings { unwind: plan.unwind, explain: plan.explain };
    let tries = Tries { task, settings: &settings, progress: &progress };
    let mut heard = Heard::default();
    let mut checking = Duration::ZERO;
    let mut last = Why::new("nothing was tried", "no engine ran");
    let mut engine = "none";
    let mut answer = None;
    let mut attack = None;
    let mut known = plan.facts.len();
    let steps = strategy::steps(plan.engine).unwrap_or_default();
    for (n, step) in steps.iter().enumerate() {
        if let Some(limit) = budget.exceeded() {
            if n == 0 || last.limit.is_none() {
                last = Why { limit: Some(limit), reason: Why::limit(limit).reason, ..last };
            }
            break;
        }
        let news = plan.facts.len() > std::mem::replace(&mut known, plan.facts.len());
        if step.with_news && !news {
            continue;
        }
        let part = step.budget(&budget, n + 1 == steps.len());
        let attempt = match step.engines[..] {
            [only] => tries.run(only, plan.facts.clone(), part, &budget),
            _ => race::race(tries, &step.engines, &plan.facts, &part),
        };
        let Some(attempt) = attempt else { continue };
        if let Answer::Safe(_) = attempt.answer {
            // What others said of loops is settled by the proof.
            heard.loops.clear();
        }
        heard.extend(attempt.heard);
        checking += attempt.checking;
        attack = attempt.attack;
        match attempt.answer {
            Answer::Unknown(why) => {
                // The concrete runs have nothing to say about why a proof fails.
                if attempt.engine != "concrete" || steps.len() == 1 {
                    last = why;
                    engine = attempt.engine;
                }
                if last.internal {
                    break;
                }
            }
            decided => {
                engine = attempt.engine;
                answer = Some(decided);
                break;
            }
        }
    }
    progress.hide();
    let Heard { mut loops, mut notes, explanations } = heard;
    notes.splice(0..0, task.notes.iter().cloned());
    let answer = answer.unwrap_or(Answer::Unknown(last));
    loops.sort_by_key(|l| (l.place.file, l.place.line, l.head));
    Decided { answer, engine, loops, notes, explanations, checking, attack }
}

/// Lets the evidence be checked by code that no engine shares.
fn confirm(
    task: &Task,
    verdict: Verdict,
    workshop: Option<Workshop>,
    budget: &Budget,
    progress: &Progress,
) -> Answer {
    match verdict {
        Verdict::Unknown(why) => Answer::Unknown(why),
        Verdict::Unsafe(trace) => {
            progress.say("replaying the error");
            let mut native = Native::new(&task.program);
            let tier = native.as_mut().map(|n| n as &mut dyn cairn_sem::Tier);
            match replay(task, &trace, budget, tier) {
                Ok(confirmed) => Answer::Unsafe(trace, confirmed),
                Err(how) => Answer::Unknown(
                    Why::new(
                        "unconfirmed error",
                        format!("an error was found, but running it does not show it: {how}"),
                    )
                    .advice(
                        "look at the reads of uninitialised memory and the calls of functions without a body",
                    ),
                ),
            }
        }
        Verdict::Safe(proof) => {
            progress.say("checking the proof");
            let workshop = workshop.unwrap_or_else(|| Workshop::new(cairn_smt::standard()));
            match cairn_checker::check_in(workshop, &task.program, task.entry, &proof, budget) {
                Ok(_) => Answer::Safe(proof),
                Err(cairn_checker::Rejection::Wrong { what, place }) => {
                    let why =
                        Why::new("proof rejected", format!("the checker does not accept the proof: {what}"))
                            .at(place);
                    // The checker supposes that loops change more than engines do, so that it may
                    // refuse an induction that holds. Bounds leave no room for that.
                    let bounds = proof.cuts.cases.is_empty()
                        && proof.loops.values().all(|l| matches!(l, LoopProof::Bound(_)));
                    Answer::Unknown(if bounds { why.internal() } else { why })
                }
                Err(cairn_checker::Rejection::Unknown(what)) => Answer::Unknown(match budget.exceeded() {
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
    }
}
