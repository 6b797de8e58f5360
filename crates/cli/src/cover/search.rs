//! What becomes of goals: random inputs, then symbolic execution, then proofs (or
//! inputs) by the other engines for what is left.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Scope};
use std::time::Duration;

use cairn_base::stack::spawn_big;
use cairn_base::turn::{Phase, Turn};
use cairn_base::{Budget, Limit};
use cairn_coverage::generate::search;
use cairn_coverage::{Fate, Generator, Goal, TestCase};
use cairn_portfolio::fault;
use cairn_symex::{Ending, Limits, Options, Unreachable};

use super::settle::{Settler, lock};
use super::subject::Subject;
use crate::guard::Stop;
use crate::progress::Progress;
use crate::report::limit_name;

/// The rounds: parts of the time that is left for a search, and for proofs of what it did not reach.
/// A short round first, because each of the two may be in vain where the other is quick.
const ROUNDS: [(f64, f64); 2] = [(0.08, 0.15), (0.75, 1.0)];

/// Time between two looks at whether the exploration is parked.
const PERIOD: Duration = Duration::from_millis(10);

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

/// Finds tests, gives them to `write`, and says what became of each goal.
pub fn decide<'a>(
    subject: &'a Subject,
    goals: &'a [Goal],
    sofar: &'a Sofar,
    mut write: impl FnMut(&TestCase) -> Result<(), String> + Send + 'a,
) -> Result<(Vec<TestCase>, Decided), String> {
    let progress = Progress::start("running random inputs");
    let (shown, mut count) = (progress.clone(), 0);
    let sink = Box::new(move |test: &TestCase| {
        count += 1;
        shown.say(&format!("{count} tests found"));
        write(test)?;
        sofar.state().tests.push(test.clone());
        Ok(())
    });
    let mut generator = Generator::new(&subject.task, goals, &subject.budget, sink);
    generator.random()?;
    let mut settler = Settler { subject, goals, progress: &progress, notes: Vec::new() };
    let mut explored = Explored::default();
    let generator = Mutex::new(generator);
    if !lock(&generator).is_done() {
        explored = thread::scope(|scope| in_rounds(scope, &generator, &mut settler, sofar))?;
    }
    progress.hide();
    let generator = generator.into_inner().unwrap_or_else(PoisonError::into_inner);
    let fate = |n: usize| match () {
        () if generator.covered.contains(n) => Fate::Covered,
        () if generator.closed.contains(n) => Fate::Unreachable { checked: true },
        () if explored.complete => Fate::Unreachable { checked: false },
        () => Fate::Left(explored.why.clone()),
    };
    let fates = (0..goals.len()).map(fate).collect();
    Ok((generator.tests, Decided { fates, notes: settler.notes }))
}

/// What came of the exploration.
#[derive(Default)]
struct Explored {
    /// It has followed everything.
    complete: bool,
    /// Otherwise, the reason.
    why: String,
}

impl Explored {
    fn of(ending: &Ending) -> Explored {
        Explored {
            complete: matches!(ending, Ending::Complete),
            why: match ending {
                Ending::Complete | Ending::Stopped => String::new(),
                Ending::Limit(limit) => out_of(*limit),
                Ending::Gap { what, .. } => format!("some executions cannot be followed: {what}"),
            },
        }
    }
}

fn out_of(limit: Limit) -> String {
    format!("limit reached ({})", limit_name(limit))
}

/// Exploration and proofs in turns. There is one exploration: it is parked, with the tree that it has built,
/// while the engines try to prove that the rest is unreachable, and goes on from there.
fn in_rounds<'scope, 'env: 'scope, 'g: 'env>(
    scope: &'scope Scope<'scope, 'env>,
    generator: &'env Mutex<Generator<'g>>,
    settler: &mut Settler<'_>,
    sofar: &Sofar,
) -> Result<Explored, String> {
    let (subject, progress) = (settler.subject, settler.progress);
    let (turn, cancel, unreachable) = (Turn::new(), subject.budget.cancel.part(), Unreachable::default());
    let budget = Budget { cancel: cancel.clone(), turn: Some(turn.clone()), ..subject.budget.clone() };
    let (own, known) = (turn.clone(), unreachable.clone());
    let explore = move || {
        own.begin();
        let limits = Limits { budget, solver: &cairn_smt::standard, unreachable: known };
        let found = fault::caught(|| search(generator, Options::default(), &limits));
        own.end();
        found
    };
    let Ok(explorer) = spawn_big(scope, explore) else { return Err("no thread can be started".into()) };
    let mut explorer = Some(explorer);
    let mut explored = Explored { why: out_of(Limit::Time), ..Explored::default() };
    let mut failure = None;
    for (part, prove) in ROUNDS {
        if explorer.is_some() {
            progress.say(&format!("{} tests found; exploring", lock(generator).tests.len()));
            turn.grant(subject.budget.left().map(|left| left.mul_f64(part)));
            while turn.watch(PERIOD) == Phase::Running && !turn.overrun() {}
        }
        if let Some(ended) = explorer.take_if(|_| turn.watch(Duration::ZERO) == Phase::Done) {
            match ended.join() {
                Ok(Ok(Ok(report))) => explored = Explored::of(&report.ending),
                Ok(Ok(Err(message))) => failure = Some(message),
                Ok(Err(what)) => settler.notes.push(failed(&what)),
                Err(_) => settler.notes.push(failed("the thread ended")),
            }
        }
        if failure.is_some() || lock(generator).is_done() {
            break;
        }
        progress.say("proving that the rest is unreachable");
        let whole = explored.complete;
        let time = if whole { subject.budget.clone() } else { subject.budget.part(prove, Duration::MAX) };
        let open = lock(generator).open();
        match settler.settle(&open, generator, &time) {
            Ok(proved) => {
                for n in proved {
                    lock(generator).closed.insert(n);
                    sofar.state().closed.push(n);
                    unreachable.add(settler.goals[n].targets.iter().copied());
                }
            }
            Err(message) => failure = Some(message),
        }
        if failure.is_some() || whole || lock(generator).is_done() {
            break;
        }
    }
    // What is still parked ends here.
    cancel.raise();
    turn.grant(None);
    failure.map_or(Ok(explored), Err)
}

fn failed(what: &str) -> String {
    format!("the search failed: internal error: {what}; please report it together with the input")
}
