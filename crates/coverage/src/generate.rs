//! Finding tests. Random inputs come first: they are cheap and cover what is easy.
//! The rest is left to symbolic execution, which knows a way to each goal or that
//! there is none.
//!
//! A test is kept if the executor, run on the values of the test case, comes to a
//! goal that no test before it came to.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use cairn_base::Budget;
use cairn_core::{Target, Task};
use cairn_sem::{End, Given, InputRecord};
use cairn_symex::{Control, Limits, Options, Report, Why, explore};
use cairn_witness::testcase::{TestValues, aligned, is_call};
use fixedbitset::FixedBitSet;

use crate::goals::Goal;
use crate::meter::{Hits, Meter, Run};

/// Random runs, how many of them in a row may be in vain, and steps of each.
const RANDOM: u64 = 40;
const IN_VAIN: u64 = 12;
const RANDOM_STEPS: u64 = 200_000;
/// Steps of a run on inputs that were found, and its time.
const MAX_RUN_STEPS: u64 = 50_000_000;
const RUNNING: Duration = Duration::from_secs(5);
/// Inputs of the run that is given nothing but zeros.
const ZEROS: usize = 64;
/// A run that does not end is kept with no more inputs than this beyond those that count.
const MOST_INPUTS: usize = 100_000;

/// A test that was run.
#[derive(Clone, Debug)]
pub struct TestCase {
    /// Counted from 1, in the order in which they were found.
    pub number: usize,
    pub inputs: Vec<InputRecord>,
    /// How its execution ends.
    pub end: End,
    /// Goals that its execution comes to, by number.
    pub covers: FixedBitSet,
    pub hits: Hits,
}

/// Takes each test as it is found. `Err` ends the search.
pub type Sink<'s> = Box<dyn FnMut(&TestCase) -> Result<(), String> + Send + 's>;

pub struct Generator<'a> {
    task: &'a Task,
    goals: &'a [Goal],
    meter: Meter<'a>,
    budget: Budget,
    sink: Sink<'a>,
    pub tests: Vec<TestCase>,
    pub covered: FixedBitSet,
    /// Goals that are known to be unreachable.
    pub closed: FixedBitSet,
}

impl<'a> Generator<'a> {
    pub fn new(task: &'a Task, goals: &'a [Goal], budget: &Budget, sink: Sink<'a>) -> Generator<'a> {
        Generator {
            task,
            goals,
            meter: Meter::new(task),
            budget: budget.clone(),
            sink,
            tests: Vec::new(),
            covered: FixedBitSet::with_capacity(goals.len()),
            closed: FixedBitSet::with_capacity(goals.len()),
        }
    }

    /// Goals of which nothing is known yet.
    pub fn open(&self) -> Vec<usize> {
        (0..self.goals.len()).filter(|n| !self.covered.contains(*n) && !self.closed.contains(*n)).collect()
    }

    pub fn is_done(&self) -> bool {
        self.covered.union_count(&self.closed) == self.goals.len()
    }

    /// Zeros, then random values that like the boundaries of their types.
    pub fn random(&mut self) -> Result<(), String> {
        let mut in_vain = 0;
        for seed in 0..RANDOM {
            if self.is_done() || in_vain >= IN_VAIN || self.budget.exceeded().is_some() {
                break;
            }
            // The first run may be long: what takes no inputs has no other.
            let (values, steps) = match seed {
                0 => (vec![Given::Int(0); ZEROS], MAX_RUN_STEPS),
                _ => (Vec::new(), RANDOM_STEPS),
            };
            let found = self.attempt(&values, seed, steps)?;
            in_vain = if found { 0 } else { in_vain + 1 };
        }
        Ok(())
    }

    /// The same for the results of calls, in order, whatever other inputs there are.
    pub fn attempt_calls(&mut self, calls: &[Given]) -> Result<bool, String> {
        let budget = Budget { max_steps: MAX_RUN_STEPS, ..self.budget.clone() };
        let values = aligned(&TestValues::of(calls), |values| self.meter.run(values, 0, &budget).inputs);
        self.attempt(&values, 0, MAX_RUN_STEPS)
    }

    /// Runs the program on some values; keeps them if they cover something new.
    pub fn attempt(&mut self, values: &[Given], seed: u64, steps: u64) -> Result<bool, String> {
        let run = self.measured(values, seed, steps);
        let covers = covers(self.goals, &run.hits);
        if covers.is_subset(&self.covered) {
            return Ok(false);
        }
        self.covered.union_with(&covers);
        let ends = !matches!(run.end, End::Limit(..));
        let mut inputs = run.inputs;
        if !ends || inputs.len() > MOST_INPUTS {
            inputs.truncate(run.needed);
        }
        let number = self.tests.len() + 1;
        let test = TestCase { number, inputs, end: run.end, covers, hits: run.hits };
        let written = (self.sink)(&test);
        self.tests.push(test);
        written.map(|()| true)
    }

    /// What the test case on disk will do: it has the results of calls only, other inputs (variables
    /// that are read before they are assigned) are zero.
    fn measured(&self, values: &[Given], seed: u64, steps: u64) -> Run {
        let budget = Budget { max_steps: steps, ..self.budget.clone().within(RUNNING) };
        let run = self.meter.run(values, seed, &budget);
        if run.inputs.iter().all(|i| is_call(i) || i.bits == 0) {
            return run;
        }
        let calls: Vec<Given> =
            run.inputs.iter().filter(|i| is_call(i)).map(|i| Given::Bits(i.bits)).collect();
        let values = aligned(&TestValues::of(&calls), |values| self.meter.run(values, seed, &budget).inputs);
        self.meter.run(&values, seed, &budget)
    }
}

/// Symbolic execution, as far as the limits go, for what is not covered yet. The generator is locked
/// only while the executor runs what was found, so that others may go on with it while the exploration is
/// parked (`cairn_base::turn`).
pub fn search(
    shared: &Mutex<Generator<'_>>,
    options: Options,
    limits: &Limits<'_>,
) -> Result<Report, String> {
    let lock = || shared.lock().unwrap_or_else(PoisonError::into_inner);
    let (task, goals, open) = {
        let generator = lock();
        (generator.task, generator.goals, generator.open())
    };
    let targets: BTreeSet<Target> = open.iter().flat_map(|n| goals[*n].targets.iter().copied()).collect();
    let mut failure = None;
    let report = explore(&task.program, task.entry, &targets, options, limits, &mut |test| {
        let Why::Reaches(target) = test.why else { return Control::Continue };
        let asks = |n: &usize| goals[*n].targets.contains(&target);
        let mut generator = lock();
        if !(0..goals.len()).any(|n| asks(&n) && !generator.covered.contains(n)) {
            return Control::Continue;
        }
        let values: Vec<Given> = test.inputs.iter().map(|i| Given::Bits(i.bits)).collect();
        if let Err(error) = generator.attempt(&values, 0, MAX_RUN_STEPS) {
            failure = Some(error);
            return Control::Stop;
        }
        let reached = (0..goals.len()).any(|n| asks(&n) && generator.covered.contains(n));
        match reached {
            _ if generator.is_done() => Control::Stop,
            true => Control::Continue,
            false => Control::Doubt,
        }
    });
    failure.map_or(Ok(report), Err)
}

fn covers(goals: &[Goal], hits: &Hits) -> FixedBitSet {
    let mut covers = FixedBitSet::with_capacity(goals.len());
    for (n, goal) in goals.iter().enumerate() {
        covers.set(n, goal.targets.iter().any(|t| hits.reaches(*t)));
    }
    covers
}
