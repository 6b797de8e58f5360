//! The contract with every engine.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use cairn_base::Budget;
use cairn_ir::{ExprId, ExprPool, LocId, visit};
use cairn_smt::Solver;
use cairn_term::Pool;

use crate::explain::Explanation;
use crate::task::Task;
use crate::verdict::{LoopReport, Verdict};

/// A technique that decides tasks.
pub trait Engine {
    fn name(&self) -> &'static str;

    fn run(&mut self, task: &Task, cx: &mut Cx<'_>) -> Verdict;
}

/// Something worth showing while an engine works.
#[derive(Clone, Debug)]
pub enum Event {
    /// What it does right now, in a few words (`bmc: 12 turns`).
    Status(String),
    /// What is known of a loop so far; later ones replace earlier ones.
    Loop(LoopReport),
    /// A remark that limits what the verdict means, for the ledger.
    Note(String),
    /// A course that is over, if the engine was asked to explain.
    Explained(Box<Explanation>),
}

/// What an engine works with.
pub struct Cx<'a> {
    pub budget: Budget,
    /// What is left for the task as a whole: for an engine's last question, whose answer decides.
    pub whole: Budget,
    /// Makes a fresh solver.
    pub solver: &'a (dyn Fn() -> Box<dyn Solver> + Sync),
    pub events: &'a (dyn Fn(Event) + Sync),
    pub facts: Facts,
    /// Left by an engine with its proof, for the checker to go on with.
    pub workshop: Option<Workshop>,
}

/// Terms and a solver for them. Whatever is asserted in the solver follows from nothing, that is,
/// holds for all values of the variables: then what was learned from one question about the terms
/// is true of any other, whoever asks it.
pub struct Workshop {
    pub pool: Pool,
    pub solver: Box<dyn Solver>,
}

impl Workshop {
    pub fn new(solver: Box<dyn Solver>) -> Workshop {
        Workshop { pool: Pool::new(), solver }
    }
}

impl Cx<'_> {
    pub fn status(&self, text: impl Into<String>) {
        (self.events)(Event::Status(text.into()));
    }

    /// Says that what is left ends in an answer, however long it takes: such work gets more of the time
    /// that engines share.
    pub fn near(&self) {
        if let Some(turn) = &self.budget.turn {
            turn.promise();
        }
    }

    pub fn note(&self, text: impl Into<String>) {
        (self.events)(Event::Note(text.into()));
    }

    /// Drops something large. If the whole run is over it is left to the system instead, which takes
    /// memory back at once, where to free the clauses of a large formula one by one takes a second.
    pub fn discard<T>(&self, large: T) {
        match self.whole.exceeded() {
            Some(_) => std::mem::forget(large),
            None => drop(large),
        }
    }
}

/// Something that holds whenever a location is visited, found by one engine and useful to others.
#[derive(Clone, PartialEq, Debug)]
pub struct Fact {
    pub at: LocId,
    pub holds: ExprId,
    /// Who found it.
    pub by: &'static str,
}

/// The exchange of facts between engines. Facts are claims: whoever builds a proof on one must
/// prove it again.
#[derive(Clone, Default, Debug)]
pub struct Facts(Arc<Mutex<Board>>);

/// Facts, in expressions that belong to none of those who wrote them.
#[derive(Clone, Default, Debug)]
struct Board {
    exprs: Option<ExprPool>,
    facts: Vec<Fact>,
}

impl Facts {
    fn board(&self) -> MutexGuard<'_, Board> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a fact whose expression is in this pool, over variables of the task's program.
    pub fn publish(&self, fact: Fact, exprs: &ExprPool) {
        let mut board = self.board();
        let own = board.exprs.get_or_insert_with(|| exprs.clone());
        let fact = Fact { holds: visit::copy(exprs, own, fact.holds), ..fact };
        if !board.facts.iter().any(|f| f.at == fact.at && f.holds == fact.holds) {
            board.facts.push(fact);
        }
    }

    /// The same facts, apart from what is published later.
    pub fn copy(&self) -> Facts {
        Facts(Arc::new(Mutex::new(self.board().clone())))
    }

    /// All facts, with their expressions in this pool.
    pub fn all(&self, exprs: &mut ExprPool) -> Vec<Fact> {
        let board = self.board();
        let Some(own) = &board.exprs else { return Vec::new() };
        let copy = |f: &Fact| Fact { holds: visit::copy(own, exprs, f.holds), ..f.clone() };
        board.facts.iter().map(copy).collect()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.board().facts.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
