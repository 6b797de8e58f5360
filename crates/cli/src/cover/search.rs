//! What becomes of goals: random inputs, then symbolic execution, then proofs (or
//! inputs) by the other engines for what is left.

use std::time::Duration;

use cairn_coverage::generate::Sink;
use cairn_coverage::{Fate, Generator, Goal, TestCase};
use cairn_symex::{Ending, Options};

use super::settle::Settler;
use super::subject::Subject;
use crate::progress::Progress;
use crate::report::limit_name;

/// The rounds: parts of the time that is left for a search, and for proofs of what it did not reach.
/// A short round first, because each of the two may be in vain where the other is quick.
const ROUNDS: [(f64, f64); 2] = [(0.08, 0.15), (0.75, 1.0)];

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
    sink: Sink<'_>,
) -> Result<Decided, String> {
    let progress = Progress::start("running random inputs");
    let (shown, mut count) = (progress.clone(), 0);
    let mut sink = |test: &TestCase| {
        count += 1;
        shown.say(&format!("{count} tests found"));
        sink(test)
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
        let report =
            generator.search(Options::default(), &subject.budget.part(search, Duration::MAX), &mut sink)?;
        complete = matches!(report.ending, Ending::Complete);
        why = match report.ending {
            Ending::Complete | Ending::Stopped => String::new(),
            Ending::Limit(limit) => format!("limit reached ({})", limit_name(limit)),
            Ending::Gap { what, .. } => format!("some executions cannot be followed: {what}"),
        };
        progress.say("proving that the rest is unreachable");
        let time = if complete { subject.budget.clone() } else { subject.budget.part(prove, Duration::MAX) };
        for n in settler.settle(&generator.open(), generator, &time, &mut sink)? {
            generator.closed.insert(n);
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
