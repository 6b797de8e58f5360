//! Executions at one place of the program, and what operations do to them.
//!
//! A [`Config`] is a location, a call stack, variables and memory. Whether its
//! values are terms over inputs (a state of the search) or constants that stand
//! for the state itself (the generic state, from which weakest preconditions are
//! computed, see `backprop`) makes no difference here: both are executed by the same
//! operations of `cairn_encode`.
//!
//! Instances of objects and inputs are named after where and when on its way an
//! execution makes them, so that executions that came on other ways to the same
//! place can be compared.

use std::rc::Rc;

use cairn_encode::birth::BirthId;
use cairn_encode::pointer::Instance;
use cairn_encode::state::State;
use cairn_encode::{Caller, Obligation, Stepper};
use cairn_ir::{AllocKind, Callee, EdgeId, FuncId, LocId, ObjId, Op, Program, Ty, VarId};
use cairn_smt::arith::conjuncts;
use cairn_term::{Pool, TermId};
use imbl::OrdMap;
use rustc_hash::FxHashMap;

use crate::shape::ProgramShape;

/// A call stack, by number: equal stacks have equal numbers.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StackId(u32);

/// Something that is made on the way and named after how often it was made before.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Site {
    Input(EdgeId),
    Alloc(EdgeId),
    /// An object that nothing initialises.
    Birth(EdgeId),
    Local(StackId, ObjId),
}

#[derive(Clone, Debug)]
pub struct Config {
    pub at: LocId,
    pub func: FuncId,
    pub state: State,
    pub callers: Option<Rc<Frame>>,
    pub stack: StackId,
    /// Callers.
    pub depth: u32,
    /// Visits of the heads of loops of the running function, in the current stay in each loop.
    pub visits: OrdMap<LocId, u32>,
    pub counts: OrdMap<Site, u32>,
}

/// A function that waits for one it has called.
#[derive(Clone, Debug)]
pub struct Frame {
    pub func: FuncId,
    /// Its part of the state.
    pub caller: Caller,
    pub visits: OrdMap<LocId, u32>,
    pub stack: StackId,
    /// The call.
    pub call: EdgeId,
    pub up: Option<Rc<Frame>>,
}

impl Config {
    /// The frames of the callers, innermost first, with their depths.
    pub fn frames(&self) -> impl Iterator<Item = (u32, &Frame)> {
        let mut at = self.callers.as_deref();
        let mut depth = self.depth;
        std::iter::from_fn(move || {
            let frame = at?;
            at = frame.up.as_deref();
            depth -= 1;
            Some((depth, frame))
        })
    }

    /// Activations of a function, the running one included.
    pub fn activations(&self, f: FuncId) -> u32 {
        u32::from(self.func == f) + self.frames().filter(|(_, frame)| frame.func == f).count() as u32
    }

    fn count(&mut self, site: Site) -> u32 {
        let n = self.counts.entry(site).or_insert(0);
        *n += 1;
        *n - 1
    }
}

/// A stay in a loop that has ended: the depth of the function, the head, and its visits.
pub type Stay = (u32, LocId, u32);

pub struct Machine<'a, 'p> {
    pub stepper: Stepper<'a, 'p>,
    pub program: &'p Program,
    pub shape: Rc<ProgramShape>,
    stacks: FxHashMap<(StackId, EdgeId), StackId>,
    /// The same by number, from 1 on.
    entered: Vec<(StackId, EdgeId)>,
    locals: FxHashMap<(StackId, ObjId, u32), Instance>,
    allocations: FxHashMap<(StackId, EdgeId, u32, TermId), Instance>,
    births: FxHashMap<(EdgeId, u32), BirthId>,
    /// The object that the last operation brought to life, if nothing initialises it, and its size.
    pub born: Option<(BirthId, TermId)>,
    /// Stays in loops that ended since it was last emptied.
    pub ended: Vec<Stay>,
}

impl<'a, 'p> Machine<'a, 'p> {
    pub fn new(program: &'p Program, pool: &'a mut Pool) -> Machine<'a, 'p> {
        Machine {
            stepper: Stepper::new(program, pool),
            program,
            shape: Rc::new(ProgramShape::new(program)),
            stacks: FxHashMap::default(),
            entered: Vec::new(),
            locals: FxHashMap::default(),
            allocations: FxHashMap::default(),
            births: FxHashMap::default(),
            born: None,
            ended: Vec::new(),
        }
    }

    pub fn pool(&mut self) -> &mut Pool {
        self.stepper.pool()
    }

    /// Where executions start. `None` if the function has no body.
    pub fn start(&mut self, entry: FuncId) -> Option<Config> {
        let at = self.program.funcs[entry].body.as_ref()?.entry;
        let state = self.stepper.start(entry);
        let mut config = Config {
            at,
            func: entry,
            state,
            callers: None,
            stack: StackId(0),
            depth: 0,
            visits: OrdMap::new(),
            counts: OrdMap::new(),
        };
        self.arrive(&mut config, None);
        Some(config)
    }

    pub fn obligations(&mut self) -> Vec<Obligation> {
        self.stepper.take_obligations()
    }

    /// The literals assumed since the guard was last emptied.
    pub fn take_guard(&mut self, c: &mut Config) -> Vec<TermId> {
        let guard = std::mem::take(&mut c.state.guard);
        let term = guard.term(self.stepper.pool());
        conjuncts(self.stepper.pool(), term)
    }

    /// Executes the edge, which is neither a branch nor a call of a function with a body, and goes on
    /// behind it. `None`: no execution gets past it.
    pub fn execute(&mut self, c: &mut Config, e: EdgeId) -> Option<()> {
        let program = self.program;
        self.born = None;
        match &program.edges[e].op {
            Op::Begin { obj } => {
                let count = if self.shape.escapes(*obj) { c.count(Site::Local(c.stack, *obj)) } else { 0 };
                let key = (c.stack, *obj, count);
                let i = match self.locals.get(&key) {
                    Some(&i) => i,
                    None => {
                        let i = self.stepper.local(*obj);
                        self.locals.insert(key, i);
                        i
                    }
                };
                let size = self.pool().bits(64, program.objects[*obj].size.into());
                let first = self.birth(c, e, size);
                self.stepper.begin(*obj, i, first, &mut c.state);
            }
            Op::Alloc { dst, size, kind, zeroed } => {
                let n = self.stepper.value(*size, &mut c.state, e)?;
                let n = self.stepper.fixed(n);
                let n = self.pool().resize(64, false, n);
                let i = self.allocation(c, e, n, *kind);
                let first = if *zeroed { None } else { Some(self.birth(c, e, n)) };
                self.stepper.allocate(*dst, i, *kind, first, &mut c.state);
            }
            Op::Input { dst, .. } => {
                let value = self.input(c, e, program.vars[*dst].ty);
                self.stepper.assign(*dst, value, &mut c.state);
            }
            Op::Call { dst, callee: Callee::Func(_), .. } => {
                // Without a body: its result is an input.
                self.stepper.arguments(e, &mut c.state)?;
                if let Some(dst) = dst {
                    let value = self.input(c, e, program.vars[*dst].ty);
                    self.stepper.assign(*dst, value, &mut c.state);
                }
            }
            _ => c.state = self.stepper.step(e, c.state.clone())?,
        }
        self.go(c, e);
        Some(())
    }

    /// What an object of this size holds at first that nothing initialises.
    fn birth(&mut self, c: &mut Config, e: EdgeId, size: TermId) -> BirthId {
        let count = c.count(Site::Birth(e));
        let id = *self.births.entry((e, count)).or_insert_with(|| self.stepper.new_birth(e, count));
        self.born = Some((id, size));
        id
    }

    fn allocation(&mut self, c: &mut Config, e: EdgeId, n: TermId, kind: AllocKind) -> Instance {
        let count = c.count(Site::Alloc(e));
        let key = (c.stack, e, count, n);
        if let Some(&i) = self.allocations.get(&key) {
            return i;
        }
        let i = self.stepper.allocation(n, kind, self.program.edges[e].place);
        self.allocations.insert(key, i);
        i
    }

    fn input(&mut self, c: &mut Config, e: EdgeId, ty: Ty) -> TermId {
        let count = c.count(Site::Input(e));
        let pool = self.stepper.pool();
        cairn_encode::expr::any(pool, &format!("input {e} {count}"), ty)
    }

    /// The input that an edge takes and that was just taken.
    pub fn taken(&self, e: EdgeId) -> Option<VarId> {
        match &self.program.edges[e].op {
            Op::Input { dst, .. } => Some(*dst),
            Op::Call { dst, callee: Callee::Func(f), .. } if self.program.funcs[*f].body.is_none() => *dst,
            _ => None,
        }
    }

    /// Goes on behind an edge that was executed.
    pub fn go(&mut self, c: &mut Config, e: EdgeId) {
        let from = c.at;
        c.at = self.program.edges[e].dst;
        self.arrive(c, Some(from));
    }

    fn arrive(&mut self, c: &mut Config, from: Option<LocId>) {
        let shape = self.shape.clone();
        if let Some(from) = from {
            for &head in shape.around(from) {
                if !shape.is_in(c.at, head)
                    && let Some(n) = c.visits.remove(&head)
                {
                    self.ended.push((c.depth, head, n));
                }
            }
        }
        if shape.is_head(c.at) {
            let again = from.is_some_and(|from| shape.is_in(from, c.at));
            let n = c.visits.entry(c.at).or_insert(0);
            *n = if again { *n + 1 } else { 1 };
        }
    }

    /// The calls of a stack, the first one first.
    pub fn calls(&self, stack: StackId) -> Vec<EdgeId> {
        let mut calls = Vec::new();
        let mut at = stack;
        while let Some(n) = (at.0 as usize).checked_sub(1) {
            let (up, e) = self.entered[n];
            calls.push(e);
            at = up;
        }
        calls.reverse();
        calls
    }

    /// Enters a function with a body.
    pub fn enter(&mut self, c: &mut Config, e: EdgeId, f: FuncId) -> Option<()> {
        let program = self.program;
        let at = program.funcs[f].body.as_ref()?.entry;
        let values = self.stepper.arguments(e, &mut c.state)?;
        let next = StackId(self.stacks.len() as u32 + 1);
        let stack = *self.stacks.entry((c.stack, e)).or_insert_with(|| {
            self.entered.push((c.stack, e));
            next
        });
        let frame = Frame {
            func: c.func,
            caller: self.stepper.enter(f, &values, &mut c.state),
            visits: std::mem::take(&mut c.visits),
            stack: c.stack,
            call: e,
            up: c.callers.take(),
        };
        c.callers = Some(Rc::new(frame));
        (c.func, c.stack, c.at) = (f, stack, at);
        c.depth += 1;
        self.arrive(c, None);
        Some(())
    }

    /// Returns to the caller. `None`: there is none.
    pub fn leave(&mut self, c: &mut Config) -> Option<()> {
        let frame = c.callers.take()?;
        for (&head, &n) in &c.visits {
            self.ended.push((c.depth, head, n));
        }
        self.stepper.leave(frame.caller.clone(), frame.call, &mut c.state);
        c.visits = frame.visits.clone();
        c.callers = frame.up.clone();
        (c.func, c.stack) = (frame.func, frame.stack);
        c.depth -= 1;
        c.at = self.program.edges[frame.call].src;
        self.go(c, frame.call);
        Some(())
    }

    /// Is the function's exit reached?
    pub fn at_exit(&self, c: &Config) -> bool {
        self.program.funcs[c.func].body.as_ref().is_some_and(|b| b.exit == c.at)
    }
}
