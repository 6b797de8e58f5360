//! Large blocks: all executions from a location to the next cut points, as one
//! formula for each cut point that is reached.
//!
//! Every location between cut points is executed once, merged with all that arrived,
//! so that a block is linear in the text of the program however many paths it has:
//! the large-block encoding of Beyer, Cimatti, Griggio, Keremoglu and Sebastiani
//! ("Software model checking via large-block encoding", FMCAD 2009). Cut points are any
//! set of locations that leaves no cycle: heads of loops, and what else a client
//! wishes to look at (calls, targets). From the generic state of a place
//! ([`Stepper::generic`]) a block is a transition formula: the guard of an end says
//! when executions get there, its variables and memory what they hold then, as
//! terms over the start. From any other state it is a step of an unrolling.
//!
//! Calls are left to the client: [`crate::unroll`] follows them in place, an engine
//! that summarises functions makes them cut points.

use std::collections::BTreeMap;

use cairn_ir::{Callee, EdgeId, FuncId, LocId, Op, Program};
use cairn_term::TermId;

use crate::state::State;
use crate::step::{InputVar, Obligation, Stepper};
use crate::walk::{self, Cycle, Pending, Walk};

/// Walks through blocks: owns the stepper, and says what becomes of calls.
pub trait Walker<'a, 'p> {
    fn stepper(&mut self) -> &mut Stepper<'a, 'p>;

    fn program(&self) -> &'p Program;

    /// A call of a function with a body, with the values of its arguments: the state behind it.
    fn call(&mut self, f: FuncId, args: &[TermId], s: State, e: EdgeId) -> Option<State> {
        let _ = args;
        let what = format!("a call of {} within a block", self.program().funcs[f].name);
        self.stepper().gap(what, &s, e)
    }

    /// Executes an edge.
    fn edge(&mut self, e: EdgeId, s: State) -> Option<State> {
        execute(self, e, s)
    }

    /// One state for all executions that are at a location.
    fn join(&mut self, at: LocId, states: Vec<State>) -> Option<State> {
        let _ = at;
        self.stepper().merge(states)
    }
}

/// A stepper alone follows no calls.
impl<'a, 'p> Walker<'a, 'p> for Stepper<'a, 'p> {
    fn stepper(&mut self) -> &mut Stepper<'a, 'p> {
        self
    }

    fn program(&self) -> &'p Program {
        self.program
    }
}

/// Executes an edge, calls by way of [`Walker::call`].
pub fn execute<'a, 'p, W: Walker<'a, 'p> + ?Sized>(w: &mut W, e: EdgeId, mut s: State) -> Option<State> {
    let program = w.program();
    match &program.edges[e].op {
        Op::Call { callee: Callee::Func(f), .. } if program.funcs[*f].body.is_some() => {
            let args = w.stepper().arguments(e, &mut s)?;
            w.call(*f, &args, s, e)
        }
        Op::Call { callee: Callee::Ptr { target, sig }, .. } => {
            let args = w.stepper().arguments(e, &mut s)?;
            let stepper = w.stepper();
            let p = stepper.value(*target, &mut s, e)?;
            let callees = stepper.callees(p, sig, &s);
            stepper.oblige_callee(&callees, &s, e);
            let mut ends = Vec::new();
            for (when, f) in callees {
                let mut here = s.clone();
                let Some(guard) = here.guard.and(w.stepper().pool, when) else { continue };
                here.guard = guard;
                if program.funcs[f].body.is_some() {
                    ends.extend(w.call(f, &args, here, e));
                } else {
                    ends.push(w.stepper().outside(f, e, here));
                }
            }
            w.stepper().merge(ends)
        }
        _ => w.stepper().step(e, s),
    }
}

/// The locations of a program as a graph to walk over.
struct Locations<'x, 'p, W: ?Sized> {
    walker: &'x mut W,
    program: &'p Program,
}

impl<'a, 'p, W: Walker<'a, 'p> + ?Sized> Walk for Locations<'_, 'p, W> {
    type Vertex = LocId;
    type Edge = EdgeId;
    type State = State;

    fn out(&self, l: LocId, number: usize) -> Option<(EdgeId, LocId)> {
        let &e = self.program.locs[l].out.get(number)?;
        Some((e, self.program.edges[e].dst))
    }

    fn edge(&mut self, e: EdgeId, s: State) -> Option<State> {
        self.walker.edge(e, s)
    }

    fn join(&mut self, at: LocId, states: Vec<State>) -> Option<State> {
        self.walker.join(at, states)
    }
}

/// Visits one location, see [`walk::visit`]; for walkers that have an order of their own.
pub fn visit<'a, 'p, W: Walker<'a, 'p>>(w: &mut W, l: LocId, pending: &mut Pending<LocId, State>) {
    let program = w.program();
    walk::visit(&mut Locations { walker: w, program }, l, pending);
}

/// A large block.
#[derive(Debug)]
pub struct Block {
    /// The states at the cut points that are reached, and at the exit of the function. Executions that
    /// get to no cut point (they fail an assumption, exit, or meet an obligation) are in none.
    pub ends: BTreeMap<LocId, State>,
    /// What executions meet on the way.
    pub obligations: Vec<Obligation>,
    /// The inputs they take, in order.
    pub inputs: Vec<InputVar>,
}

/// The block of all executions that start in a state at a location. If that is a cut point,
/// they leave it first. Fails if a cycle has no cut point.
pub fn block<'a, 'p, W: Walker<'a, 'p>>(
    w: &mut W,
    from: LocId,
    start: State,
    is_cut: &dyn Fn(LocId) -> bool,
) -> Result<Block, Cycle<LocId>> {
    let program = w.program();
    let stepper = w.stepper();
    let (obligations, inputs) = (stepper.obligations.len(), stepper.inputs.len());
    let reached = walk::walk(&mut Locations { walker: w, program }, from, start, is_cut)?;
    let exit = |l: LocId| program.funcs.values().any(|f| f.body.as_ref().is_some_and(|b| b.exit == l));
    let stepper = w.stepper();
    Ok(Block {
        ends: reached.into_iter().filter(|&(l, _)| is_cut(l) || exit(l)).collect(),
        obligations: stepper.obligations.split_off(obligations),
        inputs: stepper.inputs.split_off(inputs),
    })
}
