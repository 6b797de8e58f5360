//! What the search left open, and what it says is unreachable, put to the engines as a
//! property: these places are never reached. A proof counts once the independent
//! checker accepts it; an execution that comes to one of the places becomes a test.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use cairn_base::Budget;
use cairn_core::{Target, Task};
use cairn_coverage::{Generator, Goal};
use cairn_portfolio::anywhere::in_any_layout;
use cairn_portfolio::{Decided, Decision, Plan, decide};
use cairn_sem::Given;
use cairn_witness::testcase::is_call;

use super::subject::Subject;
use crate::guard;
use crate::progress::Progress;

pub struct Settler<'a> {
    pub subject: &'a Subject,
    pub goals: &'a [Goal],
    pub progress: &'a Progress,
    /// What the proofs take for granted.
    pub notes: Vec<String>,
}

pub fn lock<'g, 'a>(generator: &'g Mutex<Generator<'a>>) -> MutexGuard<'g, Generator<'a>> {
    generator.lock().unwrap_or_else(PoisonError::into_inner)
}

enum Told {
    /// No execution comes there.
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
        generator: &Mutex<Generator<'_>>,
        budget: &Budget,
    ) -> Result<Vec<usize>, String> {
        let mut open = open.to_vec();
        while !open.is_empty() && budget.exceeded().is_none() {
            let share = if open.len() == 1 { 1.0 } else { 0.5 };
            match self.ask(&open, generator, &budget.part(share, Duration::MAX))? {
                Told::Never => return Ok(open),
                Told::Reached => open.retain(|n| !lock(generator).covered.contains(*n)),
                Told::Unknown => break,
            }
        }
        let mut proved = Vec::new();
        let all = open.len();
        for (done, &n) in open.iter().enumerate().filter(|_| all > 1) {
            if budget.exceeded().is_some() {
                break;
            }
            if lock(generator).covered.contains(n) {
                continue;
            }
            let share = 1.0 / (all - done) as f64;
            if let Told::Never = self.ask(&[n], generator, &budget.part(share, Duration::MAX))? {
                proved.push(n);
            }
        }
        Ok(proved)
    }

    /// Can any of the goals be reached?
    fn ask(
        &mut self,
        open: &[usize],
        generator: &Mutex<Generator<'_>>,
        budget: &Budget,
    ) -> Result<Told, String> {
        let mut targets: Vec<Target> =
            open.iter().flat_map(|n| self.goals[*n].targets.iter().copied()).collect();
        targets.sort_unstable();
        targets.dedup();
        let Ok(task) = self.subject.question(targets) else { return Ok(Told::Unknown) };
        let again = |options| task.read_with(options).ok();
        let (told, _) = in_any_layout(&task, again, |task| self.decided(task, budget));
        Ok(match told.decision {
            Decision::Safe(_) => {
                let notes = told.notes.into_iter();
                let new: Vec<String> = notes.filter(|n| !self.notes.contains(n)).collect();
                self.notes.extend(new);
                Told::Never
            }
            Decision::Unsafe(_, confirmed) => {
                let inputs = confirmed.inputs.iter().filter(|i| is_call(i));
                let calls: Vec<Given> = inputs.map(|i| Given::Bits(i.bits)).collect();
                lock(generator).attempt_calls(&calls)?;
                let reached = open.iter().any(|n| lock(generator).covered.contains(*n));
                if reached { Told::Reached } else { Told::Unknown }
            }
            Decision::Unknown(_) => Told::Unknown,
        })
    }

    /// The verdict of the default strategy.
    fn decided(&self, task: &Task, budget: &Budget) -> Decided {
        let status = |text: &str| self.progress.say(text);
        decide(&Plan { status: &status, memory: &guard::Shares, ..Plan::new("auto") }, task, budget.clone())
    }
}
