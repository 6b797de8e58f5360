//! Following all executions at once.
//!
//! A function is executed in its weak topological order: a location once all
//! executions of the turn have arrived there, merged into one state; a loop turn
//! by turn until no execution stays in it or its bound is reached. A turn is a
//! block from the head of the loop (see [`crate::block`]). Calls are executed in place,
//! recursion up to its bound.

use std::collections::BTreeMap;
use std::rc::Rc;

use cairn_base::Budget;
use cairn_ir::{EdgeId, ExprId, FuncId, LocId, Program};
use cairn_term::{Pool, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::birth::Births;
use crate::block::{self, Walker};
use crate::state::State;
use crate::step::{BaseVar, BirthVar, InputVar, Obligation, ObligationKind, Stepper};
use crate::wto::{Wto, order};

mod induct;
mod log;

pub use log::{Log, Step, StepKind, Visit};

/// The price of a term, in units of effort.
const TERM: usize = 1;

/// How far to follow.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// Turns of each loop (per entry) beyond which executions are cut off. Turns in which the end
    /// of the loop was decided by constants do not count, see [`Unroller::turns`].
    pub turns: u32,
    /// Other bounds for some loops, by head.
    pub of: FxHashMap<LocId, u32>,
    /// Turns that do not count, at most, for loops that take inputs.
    pub free: u32,
    /// The same for loops that take none, and so just compute.
    pub computed: u32,
    /// Loops that are not followed turn by turn but by induction.
    pub inductive: FxHashMap<LocId, Induction>,
    /// Activations of one function on the stack.
    pub recursion: u32,
    /// Terms to build at most.
    pub terms: usize,
}

/// How to treat a loop by induction; see `cairn_core::LoopProof::Invariant` for the meaning.
#[derive(Clone, Debug)]
pub struct Induction {
    pub k: u32,
    pub facts: Vec<ExprId>,
}

impl Bounds {
    pub fn turns(turns: u32) -> Bounds {
        Bounds {
            turns,
            of: FxHashMap::default(),
            free: 64 * turns,
            computed: u32::MAX,
            inductive: FxHashMap::default(),
            recursion: turns,
            terms: usize::MAX,
        }
    }
}

#[derive(Default)]
pub struct Unrolled {
    pub obligations: Vec<Obligation>,
    pub inputs: Vec<InputVar>,
    /// Objects born at edges where the content of at least one of them is looked at.
    pub births: Vec<BirthVar>,
    /// What these hold.
    pub contents: Births,
    /// Where instances lie, as the program says.
    pub bases: Vec<BaseVar>,
    /// The loops that were entered.
    pub loops: BTreeMap<LocId, LoopRecord>,
    /// Activations of the functions that were open at once, at most.
    pub depths: BTreeMap<FuncId, u32>,
    /// The budget ended the unrolling; everything not executed is missing.
    pub stopped: bool,
    /// What was done, if that was asked for: see [`Unroller::logged`].
    pub log: Option<Log>,
}

/// What became of a loop.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct LoopRecord {
    /// Visits of its head, at most, in one stay in the loop.
    pub visits: u32,
    /// Some executions were cut off by the bound.
    pub cut: bool,
    /// Followed by induction.
    pub inductive: bool,
    /// By induction it could not be followed: a turn begins or ends the life of objects.
    pub refused: bool,
}

/// A loop that is being executed, to see how its turns end.
struct Turn {
    inside: Rc<FxHashSet<LocId>>,
    /// An execution left the loop, or might have.
    left: bool,
    /// A condition of leaving was decided by constants: no execution leaves there.
    stayed: bool,
}

/// Follows all executions of a program up to bounds.
pub struct Unroller<'a, 'p> {
    stepper: Stepper<'a, 'p>,
    bounds: Bounds,
    budget: Budget,
    orders: FxHashMap<FuncId, Rc<Vec<Wto>>>,
    bodies: FxHashMap<LocId, Rc<FxHashSet<LocId>>>,
    depth: FxHashMap<FuncId, u32>,
    /// The loops of the running function that are being executed, outermost first.
    turning: Vec<Turn>,
    /// Where executions have a future: leaving a loop for an error is not leaving it.
    returning: FxHashSet<LocId>,
    /// Terms that were charged for.
    charged: usize,
    out: Unrolled,
}

type Pending = crate::walk::Pending<LocId, State>;

impl<'a, 'p> Unroller<'a, 'p> {
    pub fn new(program: &'p Program, pool: &'a mut Pool, bounds: Bounds, budget: Budget) -> Self {
        let charged = pool.len();
        Unroller {
            stepper: Stepper::new(program, pool).braked(budget.clone()),
            bounds,
            budget,
            orders: FxHashMap::default(),
            bodies: FxHashMap::default(),
            depth: FxHashMap::default(),
            turning: Vec::new(),
            returning: crate::returns::returning(program),
            charged,
            out: Unrolled::default(),
        }
    }

    /// Follows the program from its entry.
    pub fn run(self, entry: FuncId) -> Unrolled {
        self.run_all(&[entry])
    }

    /// Follows the program from each of these functions: executions start in one of them.
    pub fn run_all(mut self, entries: &[FuncId]) -> Unrolled {
        for &entry in entries {
            let state = self.stepper.start(entry);
            self.function(entry, state);
        }
        let Stepper { pool, births, born, brake, obligations, inputs, bases, .. } = self.stepper;
        let looked_at: FxHashSet<EdgeId> = born
            .iter()
            .map(|(id, ..)| births.get(*id))
            .filter(|b| b.terms().next().is_some())
            .map(|b| b.edge)
            .collect();
        let born = born
            .into_iter()
            .filter(|(id, ..)| looked_at.contains(&births.get(*id).edge))
            .map(|(id, guard, size)| BirthVar { id, when: guard.term(pool), size })
            .collect();
        let stopped = self.out.stopped || brake.is_pulled();
        Unrolled { obligations, inputs, births: born, contents: births, bases, stopped, ..self.out }
    }

    /// Executes a function body; the state behind its return, if it returns.
    fn function(&mut self, f: FuncId, state: State) -> Option<State> {
        let p = self.stepper.program;
        let body = p.funcs[f].body.as_ref()?;
        let wto = match self.orders.get(&f) {
            Some(o) => o.clone(),
            None => {
                let o = Rc::new(order(p, f));
                self.orders.insert(f, o.clone());
                o
            }
        };
        let depth = self.depth.entry(f).or_default();
        *depth += 1;
        let most = self.out.depths.entry(f).or_default();
        *most = (*most).max(*depth);
        let turning = std::mem::take(&mut self.turning);
        let mut pending: Pending = FxHashMap::default();
        pending.insert(body.entry, vec![state]);
        self.sequence(&wto, &mut pending);
        self.turning = turning;
        if let Some(d) = self.depth.get_mut(&f) {
            *d -= 1;
        }
        let states = pending.remove(&body.exit)?;
        self.stepper.merge(states)
    }

    fn sequence(&mut self, elements: &[Wto], pending: &mut Pending) {
        for element in elements {
            if self.out.stopped {
                return;
            }
            match element {
                Wto::Location(l) => block::visit(self, *l, pending),
                Wto::Loop(head, body) if self.bounds.inductive.contains_key(head) => {
                    self.induct(*head, body, pending);
                }
                Wto::Loop(head, body) => self.turns(*head, body, pending),
            }
        }
    }

    /// Executes a loop turn by turn. A turn counts towards the bound only if an execution could
    /// leave the loop in it, or if there was nothing to decide: where constants decide that the
    /// loop goes on, as in `for (i = 0; i < 100; i++)`, a bound has no purpose.
    fn turns(&mut self, head: LocId, body: &[Wto], pending: &mut Pending) {
        let limit = self.bounds.of.get(&head).copied().unwrap_or(self.bounds.turns);
        let (mut visits, mut counted, mut free) = (0, 0, 0);
        let mut cut = false;
        while pending.contains_key(&head) && !self.out.stopped {
            if counted >= limit {
                let states = pending.remove(&head).unwrap_or_default();
                let edge = self.stepper.program.locs[head].out.first().copied();
                if let (Some(s), Some(edge)) = (self.stepper.merge(states), edge) {
                    self.stepper.oblige(ObligationKind::Unwind { head }, &s.guard, edge);
                }
                cut = true;
                break;
            }
            visits += 1;
            let inputs = self.stepper.inputs.len();
            let turn = self.turn(head, body, pending);
            let takes_inputs = self.stepper.inputs.len() > inputs;
            let most = if takes_inputs { self.bounds.free } else { self.bounds.computed };
            if turn.stayed && !turn.left && free < most {
                free += 1;
            } else {
                counted += 1;
            }
        }
        let record = self.out.loops.entry(head).or_default();
        record.visits = record.visits.max(visits);
        record.cut |= cut;
    }

    /// One turn of a loop: its head and everything else in it.
    fn turn(&mut self, head: LocId, body: &[Wto], pending: &mut Pending) -> Turn {
        let inside = match self.bodies.get(&head) {
            Some(b) => b.clone(),
            None => {
                let mut all = FxHashSet::default();
                all.insert(head);
                collect(body, &mut all);
                let all = Rc::new(all);
                self.bodies.insert(head, all.clone());
                all
            }
        };
        self.turning.push(Turn { inside: inside.clone(), left: false, stayed: false });
        block::visit(self, head, pending);
        self.sequence(body, pending);
        self.turning.pop().unwrap_or(Turn { inside, left: true, stayed: false })
    }

    /// Are there budget and terms for another location? Otherwise the unrolling is stopped.
    fn goes_on(&mut self) -> bool {
        let terms = self.stepper.pool.len();
        self.budget.effort.charge((terms.saturating_sub(self.charged) * TERM) as u64 + 1);
        self.charged = terms;
        let over =
            self.stepper.brake.is_pulled() || self.budget.exceeded().is_some() || terms > self.bounds.terms;
        self.out.stopped |= over;
        !over
    }
}

impl<'a, 'p> Walker<'a, 'p> for Unroller<'a, 'p> {
    fn stepper(&mut self) -> &mut Stepper<'a, 'p> {
        &mut self.stepper
    }

    fn program(&self) -> &'p Program {
        self.stepper.program
    }

    /// Follows the call in place, if the bound of recursion allows it.
    fn call(&mut self, f: FuncId, args: &[TermId], mut s: State, e: EdgeId) -> Option<State> {
        if self.depth.get(&f).copied().unwrap_or(0) >= self.bounds.recursion {
            self.stepper.oblige(ObligationKind::Recursion { func: f }, &s.guard, e);
            return None;
        }
        let caller = self.stepper.enter(f, args, &mut s);
        let mut s = self.function(f, s)?;
        self.stepper.leave(caller, e, &mut s);
        Some(s)
    }

    /// Executes an edge, and notes whether loops are left by it.
    fn edge(&mut self, e: EdgeId, s: State) -> Option<State> {
        let next = match self.out.log {
            None => block::execute(self, e, s),
            Some(_) => self.logged_edge(e, s),
        };
        let dst = self.stepper.program.edges[e].dst;
        for turn in &mut self.turning {
            if !turn.inside.contains(&dst) && self.returning.contains(&dst) {
                turn.left |= next.is_some();
                turn.stayed |= next.is_none();
            }
        }
        next
    }

    fn join(&mut self, at: LocId, states: Vec<State>) -> Option<State> {
        if !self.goes_on() {
            return None;
        }
        let state = self.stepper.merge(states)?;
        if let Some(log) = &mut self.out.log {
            log.visit(at, &state.guard);
        }
        Some(state)
    }
}

/// All locations of a nest.
fn collect(elements: &[Wto], out: &mut FxHashSet<LocId>) {
    for element in elements {
        match element {
            Wto::Location(l) => {
                out.insert(*l);
            }
            Wto::Loop(head, body) => {
                out.insert(*head);
                collect(body, out);
            }
        }
    }
}
