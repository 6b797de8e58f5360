//! What the search left open, and what it says is unreachable, put to the engines as a
//! property: these places are never reached. A proof counts once the independent
//! checker accepts it; an execution that comes to one of the places becomes a test.

use std::time::Duration;

use cairn_base::Budget;
use cairn_core::Target;
use cairn_coverage::generate::Sink;
use cairn_coverage::{Generator, Goal};
use cairn_portfolio::{Decision, Plan, decide};
use cairn_sem::Given;
use cairn_witness::testcase::is_call;

use super::subject::Subject;
use crate::progress::Progress;

pub struct Settler<'a> {
    pub subject: &'a Subject,
    pub goals: &'a [Goal],
    pub progress: &'a Progress,
    /// What the proofs take for granted.
    pub notes: Vec<String>,
}

enum Told {
    /// Nobody comes there.
    Never,
    /// Something new was covered.
    Reached,
    Unknown,
}

impl Settler<'_> {
    /// Settles goals, by number: all at once, then one by one. Gives those that are proved
    /// unreachable.
    pub fn settle(
        &mut self,
        open: &[usize],
        generator: &mut Generator<'_>,
        budget: &Budget,
        sink: Sink<'_>,
    ) -> Result<Vec<usize>, String> {
        let mut open = open.to_vec();
        while !open.is_empty() && budget.exceeded().is_none() {
            let share = if open.len() == 1 { 1.0 } else { 0.5 };
            match self.ask(&open, generator, &budget.part(share, Duration::MAX), sink)? {
                Told::Never => return Ok(open),
                Told::Reached => open.retain(|n| !generator.covered.contains(*n)),
                Told::Unknown => break,
            }
        }
        let mut proved = Vec::new();
        let all = open.len();
        for (done, &n) in open.iter().enumerate().filter(|_| all > 1) {
            if budget.exceeded().is_some() {
                break;
            }
            if generator.covered.contains(n) {
                continue;
            }
            let share = 1.0 / (all - done) as f64;
            if let Told::Never = self.ask(&[n], generator, &budget.part(share, Duration::MAX), sink)? {
                proved.push(n);
            }
        }
        Ok(proved)
    }

    /// Can any of the goals be reached?
    fn ask(
        &mut self,
        open: &[usize],
        generator: &mut Generator<'_>,
        budget: &Budget,
        sink: Sink<'_>,
    ) -> Result<Told, String> {
        let mut targets: Vec<Target> =
            open.iter().flat_map(|n| self.goals[*n].targets.iter().copied()).collect();
        targets.sort_unstable();
        targets.dedup();
        let Ok(task) = self.subject.question(targets) else { return Ok(Told::Unknown) };
        let status = |text: &str| self.progress.say(text);
        let decided = decide(&Plan { status: &status, ..Plan::new("auto") }, &task, budget.clone());
        match decided.decision {
            Decision::Safe(_) => {
                let notes = decided.notes.into_iter();
                let new: Vec<String> = notes.filter(|n| !self.notes.contains(n)).collect();
                self.notes.extend(new);
                Ok(Told::Never)
            }
            Decision::Unsafe(_, confirmed) => {
                let inputs = confirmed.inputs.iter().filter(|i| is_call(i));
                let calls: Vec<Given> = inputs.map(|i| Given::Bits(i.bits)).collect();
                generator.attempt_calls(&calls, sink)?;
                let reached = open.iter().any(|n| generator.covered.contains(*n));
                Ok(if reached { Told::Reached } else { Told::Unknown })
            }
            Decision::Unknown(_) => Ok(Told::Unknown),
        }
    }
}
