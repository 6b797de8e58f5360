//! Answers and their evidence.

use std::collections::{BTreeMap, BTreeSet};

use cairn_base::{Limit, Place, Symbol};
use cairn_ir::{Bits, Callee, EdgeId, ExprId, ExprPool, FuncId, LocId, ObjId, Op, Program, Ty, VarId};
use cairn_sem::Birth;

/// What an engine says of a task.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// No execution reaches an error.
    Safe(Proof),
    /// This one does.
    Unsafe(Trace),
    Unknown(Why),
}

/// An execution, by what it takes from outside.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// The values of the inputs in the order in which they are taken.
    pub inputs: Vec<InputValue>,
    /// What memory holds that nobody has written, in the order in which objects come to life;
    /// where nothing is said it holds zeroes.
    pub births: Vec<Birth>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct InputValue {
    /// The function that stands for the input (`__VERIFIER_nondet_int`).
    pub name: Symbol,
    pub ty: Ty,
    pub bits: Bits,
    pub place: Place,
}

/// Why no execution reaches an error: how each loop and each recursion is dealt with. Whoever
/// follows the program with calls executed in place, and the loops treated as it says here, meets
/// finitely many conditions, all of which hold.
#[derive(Clone, Debug)]
pub struct Proof {
    /// The expressions of the program, and those of the invariants.
    pub exprs: ExprPool,
    /// By loop head. A loop that is not listed is never entered.
    pub loops: BTreeMap<LocId, LoopProof>,
    /// Activations of a function that are open at once, at most; 1 for those not listed.
    pub recursion: BTreeMap<FuncId, u32>,
    /// Functions whose calls are not executed in place: whoever calls one shows what it requires and
    /// may rely on what it ensures; and that is shown once, for any call.
    pub contracts: BTreeMap<FuncId, Contract>,
    /// What takes the place of loops in the entry function, if there are cases.
    pub cuts: Cuts,
    /// If it is there, it is the whole proof.
    pub sole: Option<Sole>,
}

/// The sole execution: the program takes nothing from outside, so that there is no other, and this one
/// ends without an error. To be shown: by following it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Sole {
    /// Edges that are executed.
    pub steps: u64,
    pub end: SoleEnd,
}

/// How the sole execution ends.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum SoleEnd {
    /// The entry function returns, or `exit` is called.
    Exit,
    Abort,
    /// An assumption of the program does not hold.
    Assumption,
    /// Undefined behaviour.
    Undefined,
}

impl SoleEnd {
    pub fn words(self) -> &'static str {
        match self {
            SoleEnd::Exit => "it exits",
            SoleEnd::Abort => "it aborts",
            SoleEnd::Assumption => "an assumption fails",
            SoleEnd::Undefined => "undefined behaviour",
        }
    }
}

/// What a function asks of its callers, and what it promises them (Hoare 1971). To be shown: from any
/// state in which `requires` holds, no execution of the function meets an error, and those that return
/// leave `ensures`. Calls in its body count by their contracts, so this is an induction over the
/// number of open calls.
#[derive(Clone, Default, Debug)]
pub struct Contract {
    /// Stands for the value returned: a variable beyond those of the program, one for each contract,
    /// in the order of the functions.
    pub result: Option<VarId>,
    /// Over parameters, and global variables, when the function is called.
    pub requires: Vec<ExprId>,
    /// Over parameters as they were when it was called, the result, and global variables when it returns.
    pub ensures: Vec<ExprId>,
}

/// A proof by cases: a list of them at some cut points.
///
/// If there are any, the executions of the entry function, and of the calls on the way to a cut point,
/// are followed one by one and not together, from the beginning and from every case, and loops of
/// these activations need no entry in [`Proof::loops`]. A case stands for every state in which an
/// execution may be at its cut point and in which its facts hold, whatever else is the case: of what
/// the functions that are open there, or what they call, may change, only the facts are known. To be
/// shown: each execution that is followed comes, step by step, to its end without an error, or to a
/// cut point in a state that is in one of the cases there; beyond that it need not be followed.
/// (Executions may also pass a cut point in a state that is in none of its cases.) By induction over
/// their lengths, no execution meets an error.
///
/// So each part is small, and repeats what an engine has found out about that part alone.
#[derive(Clone, Debug, Default)]
pub struct Cuts {
    /// Names for what memory holds. Facts of cases mention the nth of these by the nth variable behind
    /// those of the program and of contracts.
    pub pieces: Vec<Piece>,
    pub cases: BTreeMap<CutPoint, Vec<Case>>,
}

/// A location and the calls that are open there: the first leaves the entry function, the last has
/// entered the function of the location. No function is open twice, and none is called by contract or
/// through a pointer.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct CutPoint {
    pub calls: Vec<EdgeId>,
    pub at: LocId,
}

impl From<LocId> for CutPoint {
    /// In the entry function.
    fn from(at: LocId) -> CutPoint {
        CutPoint { calls: Vec::new(), at }
    }
}

/// What lies in an object of the program, a static one or one of a function that is open.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Piece {
    pub object: ObjId,
    pub offset: u64,
    pub ty: Ty,
}

/// All states at a location in which these conditions hold. They are defined in every state.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Case {
    pub facts: Vec<ExprId>,
}

/// How a loop is dealt with, which is named by its head.
///
/// **Heads.** Engines and the checker mean the same locations by *head*. Engines name the heads of the weak
/// topological order of the function (`cairn_graph::wto`, through `cairn_ir::graph::Graph::heads`); the
/// checker finds them by its own code (`cairn_checker::loop_heads`): the targets of edges that lead back
/// in a depth-first order. In a function whose cycles are each entered in one place only, both are the
/// headers of natural loops, whatever the order of the search. `instrument` makes functions so
/// (`cairn_ir::reducible`); where copies would become too many a function stays as it is, and the checker
/// refuses it. `crates/checker/tests/heads.rs` compares the two on random programs.
#[derive(Clone, Debug)]
pub enum LoopProof {
    /// Its head is visited at most so often each time the loop is entered. Beyond that nobody
    /// arrives at the head.
    Bound(u32),
    /// `k`-induction: all `facts` hold whenever the head is visited. To be shown: they hold at the
    /// first `k` visits, and no error is met in between; and if they hold at `k` successive visits
    /// of any execution, with no error in between, then they hold at the next one and no error is
    /// met on the way to it. `k` is at least 1. What the loop does not assign it does not change.
    Invariant { k: u32, facts: Vec<ExprId> },
}

/// Why there is no verdict, and what to try next.
#[derive(Clone, PartialEq, Debug)]
pub struct Why {
    /// A few words, for the last line.
    pub reason: String,
    /// What stood in the way, if it is a place of the program.
    pub place: Place,
    /// A sentence or two.
    pub detail: String,
    /// What the user might do, if we know.
    pub next_step: Option<String>,
    /// Set if a limit ended the work.
    pub limit: Option<Limit>,
    /// A fault of Cairn: evidence that did not stand its check.
    pub internal: bool,
}

impl Why {
    pub fn new(reason: impl Into<String>, detail: impl Into<String>) -> Why {
        Why {
            reason: reason.into(),
            place: Place::NONE,
            detail: detail.into(),
            next_step: None,
            limit: None,
            internal: false,
        }
    }

    pub fn at(mut self, place: Place) -> Why {
        self.place = place;
        self
    }

    pub fn advice(mut self, step: impl Into<String>) -> Why {
        self.next_step = Some(step.into());
        self
    }

    pub fn internal(mut self) -> Why {
        self.internal = true;
        self
    }

    pub fn limit(limit: Limit) -> Why {
        let (reason, detail) = match limit {
            Limit::Time => ("time limit", "the time limit was reached"),
            Limit::Steps => ("step limit", "the step limit was reached"),
            Limit::Memory => ("memory limit", "the memory limit was reached"),
            Limit::Depth => ("call depth", "too many calls are open at once"),
            Limit::Cancelled => ("interrupted", "the work was interrupted"),
        };
        Why { limit: Some(limit), ..Why::new(reason, detail) }
    }
}

/// What became of a loop, for the loop table.
#[derive(Clone, PartialEq, Debug)]
pub struct LoopReport {
    pub head: LocId,
    /// The loop statement.
    pub place: Place,
    pub function: Symbol,
    pub status: LoopStatus,
}

#[derive(Clone, PartialEq, Debug)]
pub enum LoopStatus {
    /// The head is visited at most so often.
    Bounded(u32),
    /// Facts that hold whenever the head is visited, as C expressions, and the `k` of induction.
    Invariant { k: u32, facts: Vec<String> },
    /// In a proof by cases: how many there are.
    Cases(usize),
    /// Followed for so many visits without an end.
    GaveUp(u32),
}

impl LoopReport {
    pub fn new(program: &Program, head: LocId, status: LoopStatus) -> LoopReport {
        LoopReport {
            head,
            place: loop_place(program, head),
            function: program.funcs[program.locs[head].func].name,
            status,
        }
    }
}

/// The loop statement of a head, or what else stands there.
pub fn loop_place(program: &Program, head: LocId) -> Place {
    let location = &program.locs[head];
    let place = location.loop_stmt.or_else(|| location.out.first().map(|&e| program.edges[e].place));
    place.unwrap_or(Place::NONE)
}

impl Proof {
    /// A proof by the sole execution of a program.
    pub fn by_sole_execution(program: &Program, sole: Sole) -> Proof {
        Proof {
            exprs: program.exprs.clone(),
            loops: BTreeMap::new(),
            recursion: BTreeMap::new(),
            contracts: BTreeMap::new(),
            cuts: Cuts::default(),
            sole: Some(sole),
        }
    }

    /// The loop table of a program that is proved.
    pub fn loop_table(&self, program: &Program, entry: FuncId) -> Vec<LoopReport> {
        // Facts may have expressions of their own.
        let program = Program { exprs: self.exprs.clone(), ..program.clone() };
        let cases = self.cuts.cases.values().map(Vec::len).sum();
        let calls = self.cuts.cases.keys().flat_map(|point| &point.calls);
        let single: BTreeSet<FuncId> = calls
            .filter_map(|&e| match program.edges[e].op {
                Op::Call { callee: Callee::Func(f), .. } => Some(f),
                _ => None,
            })
            .chain([entry])
            .collect();
        let status = |head: LocId, how: &LoopProof| match how {
            _ if cases > 0 && single.contains(&program.locs[head].func) => LoopStatus::Cases(cases),
            LoopProof::Bound(n) => LoopStatus::Bounded(*n),
            LoopProof::Invariant { k, facts } => {
                LoopStatus::Invariant { k: *k, facts: facts.iter().map(|f| program.show_expr(*f)).collect() }
            }
        };
        self.loops.iter().map(|(&head, how)| LoopReport::new(&program, head, status(head, how))).collect()
    }
}
