//! A strategy applied to a task, until an engine has evidence that passed the gate.

use std::time::Duration;

use cairn_attack::Attack;
use cairn_base::{Budget, Place};
use cairn_core::{Explanation, Facts, LoopReport, Task, Why};

use crate::attempt::{Attempt, Tries};
use crate::confirm::Decision;
use crate::heard::{Heard, Sofar};
use crate::memory::{Memory, Unlimited};
use crate::race;
use crate::strategy::{self, Strategy};
use crate::table::{self, Maker, Settings};
use crate::turns::take_turns;

/// How a task is to be decided.
pub struct Plan<'a> {
    /// An engine, a race or a strategy.
    pub engine: &'a str,
    pub settings: Settings,
    /// Claims to begin with.
    pub facts: Facts,
    /// What has been heard, for a report before the end.
    pub sofar: Sofar,
    /// Told what is being done, in a few words.
    pub status: &'a (dyn Fn(&str) + Sync),
    pub memory: &'a dyn Memory,
}

impl<'a> Plan<'a> {
    /// Without settings, claims or listeners.
    pub fn new(engine: &'a str) -> Plan<'a> {
        Plan {
            engine,
            settings: Settings::default(),
            facts: Facts::default(),
            sofar: Sofar::default(),
            status: &|_| (),
            memory: &Unlimited,
        }
    }
}

/// What came out, and what was said on the way.
pub struct Decided {
    pub decision: Decision,
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

impl Decided {
    fn new(
        task: &Task,
        decision: Decision,
        engine: &'static str,
        heard: Heard,
        checking: Duration,
    ) -> Decided {
        let Heard { mut loops, mut notes, explanations } = heard;
        notes.splice(0..0, task.notes.iter().cloned());
        loops.sort_by_key(|l| (l.place.file, l.place.line, l.head));
        Decided { decision, engine, loops, notes, explanations, checking, attack: None }
    }

    /// The report if the work has to end now, undecided.
    pub fn interrupted(task: &Task, sofar: &Sofar, why: Why) -> Decided {
        let (engine, heard) = sofar.snapshot();
        Decided::new(task, Decision::Unknown(why), engine, heard, Duration::ZERO)
    }
}

/// Runs the engines until one has an answer that passes the gate.
pub fn decide(plan: &Plan<'_>, task: &Task, budget: Budget) -> Decided {
    decide_by(table::named, plan, task, budget)
}

/// The same with engines from elsewhere. One that panics is out, and the others go on without it; if
/// none decides, that is the reason.
pub fn decide_by(maker: Maker, plan: &Plan<'_>, task: &Task, budget: Budget) -> Decided {
    let tries = Tries { task, settings: &plan.settings, status: plan.status, sofar: &plan.sofar, maker };
    let attempts: Vec<Attempt> = match strategy::named(plan.engine) {
        _ if budget.exceeded().is_some() => Vec::new(),
        Err(_) => Vec::new(),
        Ok(Strategy::One(engine)) => {
            tries.run(engine, plan.facts.clone(), budget.clone(), &budget).into_iter().collect()
        }
        Ok(Strategy::Race(engines)) => {
            race::race(tries, &engines, &plan.facts, &budget).into_iter().collect()
        }
        Ok(Strategy::Auto) => take_turns(tries, &strategy::lanes(task), &plan.facts, &budget, plan.memory),
    };
    let mut heard = Heard::default();
    let mut checking = Duration::ZERO;
    let mut unknown: Vec<(&'static str, Why, bool)> = Vec::new();
    let mut decided = None;
    for attempt in attempts {
        if let Decision::Safe(_) = attempt.decision {
            // What others said of loops is settled by the proof.
            heard.loops.clear();
        }
        heard.extend(attempt.heard);
        checking += attempt.checking;
        match attempt.decision {
            Decision::Unknown(why) => {
                // A contradiction found by an attack is told, though nothing is decided.
                decided = attempt.attack.map(|a| (Decision::Unknown(why.clone()), attempt.engine, Some(a)));
                unknown.push((attempt.engine, why, attempt.failed));
            }
            decision => decided = Some((decision, attempt.engine, attempt.attack)),
        }
    }
    let (decision, engine, attack) = decided.unwrap_or_else(|| {
        let (engine, why) = reason(unknown, &budget);
        (Decision::Unknown(why), engine, None)
    });
    Decided { attack, ..Decided::new(task, decision, engine, heard, checking) }
}

/// The reason to give, of those that engines gave: a fault of ours; else, if a limit was reached, what
/// stood in the way when it was; else what was said last. Concrete runs have nothing to say about why
/// a proof fails.
fn reason(mut unknown: Vec<(&'static str, Why, bool)>, budget: &Budget) -> (&'static str, Why) {
    if unknown.len() > 1 {
        unknown.retain(|(engine, why, failed)| *engine != "concrete" || *failed || why.internal);
    }
    let fault = unknown.iter().position(|(_, why, failed)| *failed || why.internal);
    let limited = |with_place: bool| {
        unknown
            .iter()
            .rposition(|(_, why, _)| why.limit.is_some() && (!with_place || why.place != Place::NONE))
    };
    let chosen = fault.or_else(|| limited(true)).or_else(|| limited(false)).or(unknown.len().checked_sub(1));
    match chosen.map(|n| unknown.swap_remove(n)) {
        Some((engine, why, _)) => (engine, why),
        None => (
            "none",
            budget.exceeded().map_or_else(|| Why::new("nothing was tried", "no engine ran"), Why::limit),
        ),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use cairn_base::{Cancel, Limit};
    use cairn_cfront::{Input, Options, compile};
    use cairn_core::Property;

    use cairn_core::{Cx, Engine, Verdict};

    use super::*;
    use crate::fault;

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
        decide_by(
            maker,
            &Plan::new(engine),
            &task(SAFE),
            Budget::default().with_time(Duration::from_secs(60)),
        )
    }

    #[test]
    fn an_engine_that_panics_is_out_and_the_others_go_on() {
        let decided = decided(
            |name, settings| match name {
                "concrete" => Some(Box::new(Broken("concrete"))),
                "bmc" => Some(Box::new(Broken("bmc"))),
                _ => table::named(name, settings),
            },
            "auto",
        );
        assert!(matches!(decided.decision, Decision::Safe(_)), "{:?}", decided.notes);
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
                _ => table::named(name, settings),
            },
            "race:gps,bmc",
        );
        assert!(matches!(decided.decision, Decision::Safe(_)), "{:?}", decided.notes);
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

    /// An engine that goes on until it is told to end.
    struct Endless;

    impl Engine for Endless {
        fn name(&self) -> &'static str {
            "gps"
        }

        fn run(&mut self, _: &Task, cx: &mut Cx<'_>) -> Verdict {
            loop {
                if let Some(limit) = cx.budget.exceeded() {
                    return Verdict::Unknown(Why::limit(limit));
                }
            }
        }
    }

    /// Memory that is scarce in the fourth turn, which is that of `gps`.
    #[derive(Default)]
    struct Scarce(AtomicUsize);

    impl Memory for Scarce {
        fn watch(&self, engine: &Cancel) {
            if self.0.fetch_add(1, Ordering::Relaxed) == 3 {
                engine.raise_for(Limit::Memory);
            }
        }

        fn give_back(&self) {}
    }

    #[test]
    fn an_engine_that_takes_too_much_memory_ends_and_the_others_go_on() {
        let maker: Maker = |name, settings| match name {
            "bmc" | "symex" => Some(Box::new(Idle)),
            "gps" => Some(Box::new(Endless)),
            _ => table::named(name, settings),
        };
        let plan = Plan { memory: &Scarce::default(), ..Plan::new("auto") };
        let whole = Budget::default().with_time(Duration::from_secs(60));
        let decided = decide_by(maker, &plan, &task(SAFE), whole.clone());
        assert!(matches!(decided.decision, Decision::Safe(_)), "{:?}", decided.notes);
        let note = "gps reached its share of the memory";
        assert!(decided.notes.iter().any(|n| n == note), "{:?}", decided.notes);
        assert!(!whole.cancel.raised());
    }

    #[test]
    fn engines_take_turns_and_none_keeps_the_others_waiting() {
        let maker: Maker = |name, settings| match name {
            "gps" | "symex" | "bmc" => Some(Box::new(Endless)),
            _ => table::named(name, settings),
        };
        let decided = decided(maker, "auto");
        assert!(matches!(decided.decision, Decision::Safe(_)), "{:?}", decided.notes);
        assert_eq!(decided.engine, "kinduction");
    }

    #[test]
    fn if_nobody_decides_the_fault_is_the_reason() {
        let decided = decided(|_, _| Some(Box::new(Broken("bmc"))), "bmc");
        let Decision::Unknown(why) = decided.decision else { panic!("nobody decided") };
        assert!(why.internal && why.reason == "internal error", "{why:?}");
        assert!(why.detail.contains("decide.rs:"), "{why:?}");
    }
}
