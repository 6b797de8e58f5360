//! What becomes of goals: random inputs, then symbolic execution, then proofs (or
//! inputs) by the other engines for what is left.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use cairn_coverage::generate::Sink;
use cairn_coverage::{Fate, Generator, Goal, TestCase};
use cairn_portfolio::fault;
use cairn_symex::{Ending, Options};

use super::settle::Settler;
use super::subject::Subject;
use crate::guard::Stop;
use crate::progress::Progress;
use crate::report::limit_name;

/// The rounds: parts of the time that is left for a search, and for proofs of what it did not reach.
/// A short round first, because each of the two may be in vain where the other is quick.
const ROUNDS: [(f64, f64); 2] = [(0.08, 0.15), (0.75, 1.0)];

/// What has been found up to now, for whoever has to report before the end.
#[derive(Clone, Default)]
pub struct Sofar(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    tests: Vec<TestCase>,
    /// Goals that are proved unreachable, by number.
    closed: Vec<usize>,
}

impl Sofar {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn tests(&self) -> Vec<TestCase> {
        self.state().tests.clone()
    }

    /// What became of the goals if this is the end.
    pub fn decided(&self, goals: &[Goal], stop: &Stop) -> Decided {
        let state = self.state();
        let fate = |n: usize| match () {
            () if state.tests.iter().any(|t| t.covers.contains(n)) => Fate::Covered,
            () if state.closed.contains(&n) => Fate::Unreachable { checked: true },
            () => Fate::Left(stop.result()),
        };
        Decided { fates: (0..goals.len()).map(fate).collect(), notes: Vec::new() }
    }
}

/// What became of the goals.
pub struct Decided {
    /// One for each.
    pub fates: Vec<Fate>,
    /// What proofs take for granted.
    pub notes: Vec<String>,
}

/// Finds tests, gives them to `sink`, and says what became of each goal.
pub fn decide(
    subject: &Subject,
    goals: &[Goal],
    generator: &mut Generator<'_>,
    sofar: &Sofar,
    sink: Sink<'_>,
) -> Result<Decided, String> {
    let progress = Progress::start("running random inputs");
    let (shown, mut count) = (progress.clone(), 0);
    let mut sink = |test: &TestCase| {
        count += 1;
        shown.say(&format!("{count} tests found"));
        sink(test)?;
        sofar.state().tests.push(test.clone());
        Ok(())
    };
    generator.random(&mut sink)?;
    let mut settler = Settler { subject, goals, progress: &progress, notes: Vec::new() };
    let mut why = String::new();
    let mut complete = false;
    for (search, prove) in ROUNDS {
        if complete || generator.is_done() {
            break;
        }
        progress.say(&format!("{} tests found; exploring", generator.tests.len()));
        let part = subject.budget.part(search, Duration::MAX);
        let ending = match fault::caught(|| generator.search(Options::default(), &part, &mut sink)) {
            Ok(report) => report?.ending,
            Err(what) => {
                settler.notes.push(format!(
                    "the search failed: internal error: {what}; please report it together with the input"
                ));
                Ending::Stopped
            }
        };
        complete = matches!(ending, Ending::Complete);
        why = match ending {
            Ending::Complete | Ending::Stopped => String::new(),
            Ending::Limit(limit) => format!("limit reached ({})", limit_name(limit)),
            Ending::Gap { what, .. } => format!("some executions cannot be followed: {what}"),
        };
        progress.say("proving that the rest is unreachable");
        let time = if complete { subject.budget.clone() } else { subject.budget.part(prove, Duration::MAX) };
        for n in settler.settle(&generator.open(), generator, &time, &mut sink)? {
            generator.closed.insert(n);
            sofar.state().closed.push(n);
        }
    }
    progress.hide();
    let fate = |n: usize| match () {
        () if generator.covered.contains(n) => Fate::Covered,
        () if generator.closed.contains(n) => Fate::Unreachable { checked: true },
        () if complete => Fate::Unreachable { checked: false },
        () => Fate::Left(why.clone()),
    };
    let fates = (0..goals.len()).map(fate).collect();
    Ok(Decided { fates, notes: settler.notes })
}
