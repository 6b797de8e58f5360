//! The attack on a proof: a third opinion before TRUE is said.
//!
//! Engines and checker follow programs by code of their own, but they share the
//! reading of pure expressions as terms, the terms and the solvers. What is wrong
//! there is wrong in both, and a proof passes. The executor shares none of it. So
//! inputs are chosen, some at the boundaries of their types, some by a solver so
//! that they lead to a check, and the program is run on them:
//!
//! * a check that fails contradicts the proof;
//! * so does a step of the run that is not the step, or does not give the value,
//!   that the symbolic reading has for these inputs.
//!
//! The second makes it strong: a wrong reading is seen where it first matters
//! ([`compare`]), whether or not the check at the end depends on it. What the
//! reading leaves open (the results of the mathematical library, uninitialised
//! bytes, and where objects lie unless the program says that) is not compared, nor is anything after a decision
//! that depends on it.
//!
//! A check that nothing reaches says nothing about the program; which ones these
//! are is reported, too.
//!
//! (The comparison of a symbolic reading with runs of the machine is an old test of
//! binary lifters; here it is done for the very program and the very paths whose
//! proof is about to be believed.)
//!
//! | module | what it is |
//! |---|---|
//! | [`checks`] | where the program decides whether there is an error |
//! | [`pick`] | values of inputs at which mistakes like to show |
//! | [`predict`] | what the symbolic reading says an execution does |
//! | [`observe`] | what the executor does |
//! | [`compare`] | the first difference |
//!
//! # Why so
//!
//! *A proof is attacked before it is believed* (`attack`). Engines and checker share the reading of pure
//! expressions, terms and solvers; the executor shares none of it. On inputs at boundaries, and on those that
//! a solver finds to reach a check, the run is compared step by step with what the symbolic reading says of
//! it: the edges, and the value of every variable that is assigned. So a wrong reading shows where it first
//! matters, and not only if the check depends on it. What the reading leaves open (variables that are no
//! inputs, where objects lie unless the program says so) is not compared, nor anything behind a decision on
//! it. Base addresses are inputs like others: the run gets those of the prediction. Counts limit the effort,
//! not the clock. Wrong readings planted on the symbolic side only (`crates/attack/tests`) show what it
//! finds.

pub mod checks;
pub mod compare;
pub mod observe;
pub mod pick;
pub mod predict;
mod search;

use cairn_base::{Budget, Place};
use cairn_core::{InputValue, Proof, Task};
use cairn_ir::Program;

/// What came of an attack.
#[derive(Default, Debug)]
pub struct Attack {
    /// Executions that were compared with the reading.
    pub runs: u32,
    /// What contradicts the proof; there should be nothing.
    pub contradiction: Option<Contradiction>,
    /// The checks of the program, in the order of their places.
    pub checks: Vec<CheckReport>,
}

/// A run that is not as the proof, or the reading it rests on, says.
#[derive(Clone, PartialEq, Debug)]
pub struct Contradiction {
    /// A sentence.
    pub what: String,
    pub place: Place,
    /// The inputs of the run.
    pub inputs: Vec<InputValue>,
}

/// What is known of a check.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct CheckReport {
    pub place: Place,
    pub status: Reach,
}

/// Do executions come to a check?
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Reach {
    /// One did.
    Reached,
    /// None does, within bounds that are complete.
    Never,
    /// None was found.
    NotFound,
}

/// How much is done; counts decide, so that the same is done on any machine.
#[derive(Clone, Debug)]
pub struct Effort {
    /// Executions to compare, at most.
    pub runs: u32,
    /// Steps of the program of all of them together.
    pub steps: u64,
    /// Questions to the solver, and conflicts of each.
    pub questions: u32,
    pub conflicts: u64,
    /// Terms to build.
    pub terms: usize,
    /// Terms to evaluate, all executions together.
    pub evaluations: usize,
    /// Turns of a loop to follow.
    pub turns: u32,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort {
            runs: 48,
            steps: 600_000,
            questions: 24,
            conflicts: 300,
            terms: 60_000,
            evaluations: 600_000,
            turns: 4,
        }
    }
}

/// Attacks a proof that was accepted.
pub fn attack(task: &Task, proof: &Proof, effort: &Effort, budget: &Budget) -> Attack {
    attack_reading(task, &task.program, proof, effort, budget)
}

/// Attacks a proof about another reading of the task's program, one in which single operations may
/// mean something else but locations, edges and variables are the same: so that it can be tried
/// what an attack finds.
pub fn attack_reading(
    task: &Task,
    reading: &Program,
    proof: &Proof,
    effort: &Effort,
    budget: &Budget,
) -> Attack {
    search::search(task, reading, proof, effort, budget)
}
