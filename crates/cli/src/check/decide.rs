//! The way to an answer: the steps of a strategy one after another, until an
//! engine has evidence that stands its check. A claimed error is replayed by the
//! executor, a claimed proof is followed by the independent checker.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use cairn_attack::Attack;
use cairn_base::{Budget, Limit};
use cairn_core::replay::{Confirmed, replay};
use cairn_core::{
    Cx, Engine, Event, Explanation, Facts, LoopProof, LoopReport, Proof, Task, Trace, Verdict, Why, Workshop,
};
use cairn_engines::Settings;
use cairn_native::Native;

use super::{opinion, race, strategy};
use crate::guard::{self, fault, memory_words};
use crate::progress::Progress;

/// What came out, checked.
pub enum Answer {
    Safe(Proof),
    Unsafe(Trace, Confirmed),
    Unknown(Why),
}

/// The reason for an answer that would depend on the layout of memory: to be asked again with addresses
/// as inputs.
pub const LAYOUT: &str = "memory layout";

/// The reason for an error that the executor does not meet: engines may have supposed another layout.
pub const UNCONFIRMED: &str = "unconfirmed error";

/// How a task is to be decided.
pub struct Plan<'a> {
    /// An engine, a race or a strategy.
    pub engine: &'a str,
    pub unwind: Option<u32>,
    /// Ask engines to explain what they do.
    pub explain: bool,
    /// Claims to begin with.
    pub facts: Facts,
    /// What has been heard, for whoever has to report before the end.
    pub sofar: Sofar,
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

/// What engines have said up to now, whichever of them is at work.
#[derive(Clone, Default)]
pub struct Sofar(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    heard: Heard,
    engine: Option<&'static str>,
}

impl Sofar {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(&self, engine: &'static str) {
        self.state().engine = Some(engine);
    }

    /// The question is asked anew.
    pub fn forget(&self) {
        *self.state() = State::default();
    }

    /// The report if nobody decides any more.
    pub fn decided(&self, task: &Task, why: Why) -> Decided {
        let state = self.state();
        let engine = state.engine.unwrap_or("none");
        state.heard.clone().decided(task, Answer::Unknown(why), engine, Duration::ZERO)
    }
}

/// What an engine said on the way.
#[derive(Clone, Default)]
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

    pub fn note(&mut self, note: String) {
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

    fn take(&mut self, event: Event) {
        match event {
            Event::Status(_) => {}
            Event::Note(note) => self.note(note),
            Event::Loop(report) => self.table(report),
            Event::Explained(explanation) => self.explanations.push(*explanation),
        }
    }

    /// All that there is to report.
    fn decided(self, task: &Task, answer: Answer, engine: &'static str, checking: Duration) -> Decided {
        let Heard { mut loops, mut notes, explanations } = self;
        notes.splice(0..0, task.notes.iter().cloned());
        if let Answer::Unknown(Why { limit: Some(Limit::Memory), .. }) = &answer
            && let Some(words) = memory_words()
        {
            notes.push(words);
        }
        loops.sort_by_key(|l| (l.place.file, l.place.line, l.head));
        Decided { answer, engine, loops, notes, explanations, checking, attack: None }
    }
}

/// One engine's try, its evidence checked.
pub struct Attempt {
    pub answer: Answer,
    pub engine: &'static str,
    pub heard: Heard,
    pub checking: Duration,
    /// It panicked, or the check of its evidence did.
    pub failed: bool,
    pub attack: Option<Attack>,
}

/// Makes an engine by its name.
pub type Maker = fn(&str, &Settings) -> Option<Box<dyn Engine>>;

/// What all tries have in common.
#[derive(Copy, Clone)]
pub struct Tries<'a> {
    pub task: &'a Task,
    pub settings: &'a Settings,
    pub progress: &'a Progress,
    pub sofar: &'a Sofar,
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
                return self.progress.say(text);
            }
            self.sofar.state().heard.take(event.clone());
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
        let workshop = cx.workshop.take();
        let mut of_proof = None;
        let answer = verdict.map_err(|what| (format!("engine {name} failed"), what)).and_then(|verdict| {
            if let Verdict::Safe(proof) = &verdict {
                of_proof = Some(proof.loop_table(&self.task.program, self.task.entry));
            }
            fault::caught(|| confirm(self.task, verdict, workshop, whole, self.progress))
                .map_err(|what| (format!("the check of what {name} found failed"), what))
        });
        // A third opinion: runs of the program against the proof.
        let mut attack = None;
        let answer = answer.and_then(|answer| {
            let Answer::Safe(proof) = &answer else { return Ok(answer) };
            self.progress.say("running the program against the proof");
            let found = fault::caught(|| opinion::attack(self.task, proof, whole))
                .map_err(|what| (format!("the attack on the proof of {name} failed"), what))?;
            let contradicted = found.contradiction.as_ref().map(opinion::why);
            attack = Some(found);
            Ok(contradicted.map_or(answer, Answer::Unknown))
        });
        let mut heard = heard.into_inner().unwrap_or_else(PoisonError::into_inner);
        heard.loops = of_proof.unwrap_or(heard.loops);
        let failed = answer.is_err();
        let answer = answer.unwrap_or_else(|(who, what)| {
            let note = format!("{who}: internal error: {what}; please report it together with the input");
            self.sofar.state().heard.note(note.clone());
            heard.note(note);
            Answer::Unknown(Why::new("internal error", format!("{who}: {what}")).internal())
        });
        Some(Attempt { answer, engine: name, heard, checking: begin.elapsed(), failed, attack })
    }
}

/// Runs the engines until one has an answer that stands its check.
pub fn decide(plan: &Plan<'_>, task: &Task, budget: Budget) -> Decided {
    decide_by(cairn_engines::named, plan, task, budget)
}

/// The same with engines from elsewhere. One that panics is out, and the others go on without it; if
/// nobody decides, that is the reason.
fn decide_by(maker: Maker, plan: &Plan<'_>, task: &Task, budget: Budget) -> Decided {
    let progress = Progress::start("checking");
    let settings = Settings { unwind: plan.unwind, explain: plan.explain };
    let tries = Tries { task, settings: &settings, progress: &progress, sofar: &plan.sofar, maker };
    let mut heard = Heard::default();
    let mut checking = Duration::ZERO;
    let mut last = Why::new("nothing was tried", "no engine ran");
    let mut engine = "none";
    let mut answer = None;
    let mut attack = None;
    let mut known = plan.facts.len();
    let mut failed: Vec<(&'static str, Why)> = Vec::new();
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
        let is_last = n + 1 == steps.len();
        let mut part = step.budget(&budget, is_last);
        if !is_last {
            part.cancel = guard::share(&budget.cancel);
        }
        let attempt = match step.engines[..] {
            [only] if failed.iter().any(|(name, _)| *name == only) => continue,
            [only] => tries.run(only, plan.facts.clone(), part, &budget),
            _ => race::race(tries, &step.engines, &plan.facts, &part),
        };
        let Some(mut attempt) = attempt else { continue };
        if let Answer::Unknown(Why { limit: Some(Limit::Memory), .. }) = attempt.answer
            && budget.exceeded().is_none()
        {
            let note = format!("{} reached its share of the memory", attempt.engine);
            plan.sofar.state().heard.note(note.clone());
            attempt.heard.note(note);
            guard::give_back();
        }
        if let Answer::Safe(_) = attempt.answer {
            // What others said of loops is settled by the proof.
            heard.loops.clear();
        }
        heard.extend(attempt.heard);
        checking += attempt.checking;
        attack = attempt.attack;
        match attempt.answer {
            Answer::Unknown(why) if attempt.failed => failed.push((attempt.engine, why)),
            Answer::Unknown(why) => {
                // The concrete runs have nothing to say about why a proof fails.
                if attempt.engine != "concrete" || steps.len() == 1 || why.internal {
                    last = why;
                    engine = attempt.engine;
                }
                // No engine will do better.
                if last.internal || last.reason == LAYOUT {
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
    let answer = answer.unwrap_or_else(|| {
        Answer::Unknown(match failed.into_iter().next() {
            Some((name, why)) if !last.internal => {
                engine = name;
                why
            }
            _ => last,
        })
    });
    Decided { attack, ..heard.decided(task, answer, engine, checking) }
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
                        UNCONFIRMED,
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
                Err(cairn_checker::Rejection::Layout) => Answer::Unknown(Why::new(
                    LAYOUT,
                    "a proof was found, but it holds for one layout of memory only: the program looks at \
                     where its objects lie",
                )),
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

#[cfg(test)]
mod tests {
    use cairn_cfront::{Input, Options, compile};
    use cairn_core::Property;

    use super::*;

    /// An engine that fails.
    struct Broken(&'static str);

    impl Engine for Broken {
        fn name(&self) -> &'static str {
            self.0
        }

        fn run(&mut self, _: &Task, cx: &mut Cx<'_>) -> Verdict {
            cx.note(format!("{} was here", self.0));
            panic!("{} has lost its way", self.0)
        }
    }

    fn task(text: &str) -> Task {
        let input = Input::Text { name: "test.c".into(), text: text.into() };
        let compiled = compile(&[input], &Options::default(), None).unwrap_or_else(|_| panic!("{text}"));
        Task::new(compiled.program, Property::default(), Default::default()).expect("a task")
    }

    const SAFE: &str = "extern int __VERIFIER_nondet_int(void); void reach_error(void);\n\
        int main(void) { int x = __VERIFIER_nondet_int(); if (x > 5 && x < 4) reach_error(); return 0; }\n";

    fn decided(maker: Maker, engine: &str) -> Decided {
        fault::listen();
        let plan =
            Plan { engine, unwind: None, explain: false, facts: Facts::default(), sofar: Sofar::default() };
        decide_by(maker, &plan, &task(SAFE), Budget::default().with_time(Duration::from_secs(60)))
    }

    #[test]
    fn an_engine_that_panics_is_out_and_the_others_go_on() {
        let decided = decided(
            |name, settings| match name {
                "concrete" => Some(Box::new(Broken("concrete"))),
                "bmc" => Some(Box::new(Broken("bmc"))),
                _ => cairn_engines::named(name, settings),
            },
            "auto",
        );
        assert!(matches!(decided.answer, Answer::Safe(_)), "{:?}", decided.notes);
        for who in ["concrete", "bmc"] {
            let told = format!("engine {who} failed: internal error: {who} has lost its way (");
            assert_eq!(
                decided.notes.iter().filter(|n| n.starts_with(&told)).count(),
                1,
                "{:?}",
                decided.notes
            );
            assert!(decided.notes.contains(&format!("{who} was here")));
        }
    }

    #[test]
    fn a_racer_that_panics_is_out_and_the_report_says_so() {
        let decided = decided(
            |name, settings| match name {
                "gps" => Some(Box::new(Broken("gps"))),
                _ => cairn_engines::named(name, settings),
            },
            "race:gps,bmc",
        );
        assert!(matches!(decided.answer, Answer::Safe(_)), "{:?}", decided.notes);
        assert!(decided.notes.iter().any(|n| n.starts_with("engine gps failed")), "{:?}", decided.notes);
    }

    /// An engine that has no idea.
    struct Idle;

    impl Engine for Idle {
        fn name(&self) -> &'static str {
            "idle"
        }

        fn run(&mut self, _: &Task, _: &mut Cx<'_>) -> Verdict {
            Verdict::Unknown(Why::new("no idea", "nothing was tried"))
        }
    }

    /// An engine that takes memory until it is told to end.
    struct Greedy;

    impl Engine for Greedy {
        fn name(&self) -> &'static str {
            "gps"
        }

        fn run(&mut self, _: &Task, cx: &mut Cx<'_>) -> Verdict {
            let mut taken: Vec<Vec<u8>> = Vec::new();
            while cx.budget.exceeded().is_none() {
                taken.push(vec![taken.len() as u8 | 1; 1 << 18]);
                std::thread::sleep(Duration::from_micros(500));
            }
            assert!(taken.iter().all(|t| t[0] != 0));
            Verdict::Unknown(Why::limit(cx.budget.exceeded().unwrap_or(Limit::Cancelled)))
        }
    }

    #[test]
    fn an_engine_that_takes_too_much_memory_ends_and_the_others_go_on() {
        let megabytes = guard::resident_now().expect("a process file system") >> 20;
        let whole = Budget::default().with_time(Duration::from_secs(60));
        guard::start(&whole.cancel);
        guard::arm(&guard::Limits { memory: Some(megabytes + 600), ..Default::default() });
        let maker: Maker = |name, settings| match name {
            "bmc" | "symex" => Some(Box::new(Idle)),
            "gps" => Some(Box::new(Greedy)),
            _ => cairn_engines::named(name, settings),
        };
        let (facts, sofar) = (Facts::default(), Sofar::default());
        let plan = Plan { engine: "auto", unwind: None, explain: false, facts, sofar };
        let decided = decide_by(maker, &plan, &task(SAFE), whole.clone());
        assert!(matches!(decided.answer, Answer::Safe(_)), "{:?}", decided.notes);
        guard::disarm();
        let note = "gps reached its share of the memory";
        assert!(decided.notes.iter().any(|n| n == note), "{:?}", decided.notes);
        assert!(!whole.cancel.raised());
    }

    #[test]
    fn if_nobody_decides_the_fault_is_the_reason() {
        let decided = decided(|_, _| Some(Box::new(Broken("bmc"))), "bmc");
        let Answer::Unknown(why) = decided.answer else { panic!("nobody decided") };
        assert!(why.internal && why.reason == "internal error", "{why:?}");
        assert!(why.detail.contains("decide.rs:"), "{why:?}");
    }
}
