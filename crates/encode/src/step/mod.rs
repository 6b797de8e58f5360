//! The meaning of one operation on a symbolic state.
//!
//! A [`Stepper`] executes operations of a program on states: it knows the objects
//! there are, the inputs that were taken, and what was met on the way (obligations).
//! It does not know control: which edge comes next, how often a loop goes round and
//! whether a call is followed is decided by its clients. These are
//! [`crate::block`], which follows all executions between cut points at once,
//! [`crate::unroll`] on top of it, and `cairn_path`, which follows single paths.
//!
//! | module | what it is |
//! |---|---|
//! | `start` | the state in which executions start; instances of objects |
//! | `operation` | what an edge does, but for calls of functions |
//! | `call` | functions entered and left, callees of a pointer, builtins |
//! | `memory`, `bulk` | accesses, copies, lifetimes |
//! | `text` | library primitives on constants |
//! | `lives` | births, instances and pieces of memory, for clients that name them themselves |
//! | `generic` | the state in which every value is a symbol, and havoc |
//! | `obligation` | what is met on the way |

use cairn_base::{Budget, Symbol};
use cairn_ir::{EdgeId, ExprId, FuncId, LabelId, ObjId, Program, RelocTarget, Ty, VarId};
use cairn_term::{Pool, TermId};
use cairn_value::Undefined;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::birth::{BirthId, Births};
use crate::brake::Brake;
use crate::expr::{Env, Translate, sort};
use crate::guard::Guard;
use crate::pointer::{Instance, Pointers};
use crate::state::{Info, Merge, State};

mod bulk;
mod call;
pub mod generic;
mod lives;
mod memory;
mod obligation;
mod operation;
mod start;
mod text;

pub use call::Caller;
pub use obligation::{BaseVar, BirthVar, InputVar, Obligation, ObligationKind};

/// Executes operations on symbolic states.
pub struct Stepper<'a, 'p> {
    pub(crate) program: &'p Program,
    pub(crate) pool: &'a mut Pool,
    /// Ends long steps. Clients that follow executions one by one need none: they ask the budget
    /// between steps.
    pub(crate) brake: Brake,
    pointers: Pointers,
    /// Instances of which the program has said where they lie.
    located: FxHashSet<Instance>,
    infos: Vec<Info>,
    funcs: FxHashMap<FuncId, Instance>,
    labels: FxHashMap<LabelId, Instance>,
    objects: FxHashMap<ObjId, Instance>,
    /// How often each edge has taken an input or brought an object to life.
    taken: FxHashMap<EdgeId, u32>,
    /// First contents of objects.
    pub(crate) births: Births,
    /// What has come to life so far, under which condition and with which size.
    pub(crate) born: Vec<(BirthId, Guard, TermId)>,
    /// What IEEE 754 leaves open, as far as it was asked for.
    leeway: crate::float::Open,
    /// What addresses and sizes are known to be; see [`Stepper::place`].
    placed: FxHashMap<TermId, TermId>,
    /// While executions are only assumed (and not claimed) to go well, nothing is obliged.
    pub(crate) assuming: u32,
    pub(crate) obligations: Vec<Obligation>,
    pub(crate) inputs: Vec<InputVar>,
    pub(crate) bases: Vec<BaseVar>,
}

/// What the expressions of a state refer to.
struct Names<'x> {
    program: &'x Program,
    state: &'x mut State,
    funcs: &'x FxHashMap<FuncId, Instance>,
    labels: &'x FxHashMap<LabelId, Instance>,
    objects: &'x FxHashMap<ObjId, Instance>,
}

impl Env for Names<'_> {
    fn var(&mut self, pool: &mut Pool, v: VarId) -> TermId {
        let map = if self.program.vars[v].owner.is_none() {
            &mut self.state.globals
        } else {
            &mut self.state.locals
        };
        if let Some(&t) = map.get(&v) {
            return t;
        }
        // Never assigned: any value, but the same one until it is.
        let s = sort(pool, self.program.vars[v].ty);
        let t = pool.fresh("indeterminate", s);
        map.insert(v, t);
        t
    }

    fn object(&mut self, pool: &mut Pool, o: ObjId) -> TermId {
        match self.state.frame.get(&o) {
            Some(&address) => address,
            // An object whose life has not begun: the address of nothing.
            None => match self.objects.get(&o) {
                Some(i) => i.address(pool),
                None => pool.bits(64, 0),
            },
        }
    }

    fn func(&mut self, pool: &mut Pool, f: FuncId) -> TermId {
        self.funcs[&f].address(pool)
    }

    fn label(&mut self, pool: &mut Pool, l: LabelId) -> TermId {
        self.labels[&l].address(pool)
    }
}

impl<'a, 'p> Stepper<'a, 'p> {
    pub fn new(program: &'p Program, pool: &'a mut Pool) -> Self {
        let nothing = Info::code(pool, "nothing", cairn_base::Place::NONE);
        Stepper {
            program,
            pool,
            brake: Brake::default(),
            pointers: Pointers::new(program.model, program.places_objects()),
            located: FxHashSet::default(),
            infos: vec![nothing],
            funcs: FxHashMap::default(),
            labels: FxHashMap::default(),
            objects: FxHashMap::default(),
            taken: FxHashMap::default(),
            births: Births::default(),
            born: Vec::new(),
            leeway: Default::default(),
            placed: FxHashMap::default(),
            assuming: 0,
            obligations: Vec::new(),
            inputs: Vec::new(),
            bases: Vec::new(),
        }
    }

    /// The same with a brake: a long step ends when the budget is used up, and what it made means
    /// nothing then.
    pub fn braked(mut self, budget: Budget) -> Self {
        self.brake = Brake::new(budget);
        self
    }

    pub fn pool(&mut self) -> &mut Pool {
        self.pool
    }

    pub fn terms(&self) -> &Pool {
        self.pool
    }

    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// The obligations met since the last time.
    pub fn take_obligations(&mut self) -> Vec<Obligation> {
        std::mem::take(&mut self.obligations)
    }

    /// One state for all executions: the merge of these. The latest are merged first: those that
    /// left a loop late share the most of their conditions, so that each merge is small.
    pub fn merge(&mut self, states: Vec<State>) -> Option<State> {
        let (funcs, labels, objects) = (&self.funcs, &self.labels, &self.objects);
        let statics = |t: RelocTarget| lookup(t, funcs, labels, objects);
        let mut merge = Merge {
            program: self.program,
            pool: self.pool,
            pointers: &self.pointers,
            births: &mut self.births,
            statics: &statics,
            infos: &self.infos,
            brake: &self.brake,
        };
        states.into_iter().rev().fold(None, |whole, state| match whole {
            Some(whole) => merge.merge(whole, state),
            None => Some(state),
        })
    }

    /// Notes that something happens if `guard` holds, unless executions are only assumed.
    pub fn oblige(&mut self, kind: ObligationKind, guard: &Guard, edge: EdgeId) {
        if self.assuming > 0 {
            return;
        }
        let when = guard.term(self.pool);
        if self.pool.as_bool(when) != Some(false) {
            let place = self.program.edges[edge].place;
            self.obligations.push(Obligation { kind, when, edge, place });
        }
    }

    /// Something without a symbolic reading: executions end there.
    pub fn gap(&mut self, what: impl Into<String>, state: &State, edge: EdgeId) -> Option<State> {
        self.oblige(ObligationKind::Gap(what.into()), &state.guard, edge);
        None
    }

    /// Ends the executions for which `bad` holds; `None` if that is all.
    pub fn forbid(
        &mut self,
        kind: ObligationKind,
        bad: TermId,
        state: &mut State,
        edge: EdgeId,
    ) -> Option<()> {
        if self.pool.as_bool(bad) == Some(false) {
            return Some(());
        }
        if let Some(g) = state.guard.and(self.pool, bad) {
            self.oblige(kind, &g, edge);
        }
        let good = self.pool.not(bad);
        state.guard = state.guard.and(self.pool, good)?;
        Some(())
    }

    /// A constant expression, which has no hazards.
    fn pure(&mut self, e: ExprId, state: &mut State) -> TermId {
        self.translate(e, state).0
    }

    /// The value of an expression, and the conditions under which it is undefined.
    pub fn translate(&mut self, e: ExprId, state: &mut State) -> (TermId, Vec<(Undefined, TermId)>) {
        let mut t = Translate::new(self.program, self.pool, &self.pointers, &mut self.leeway);
        let mut names = Names {
            program: self.program,
            state,
            funcs: &self.funcs,
            labels: &self.labels,
            objects: &self.objects,
        };
        let term = t.expr(e, &mut names);
        (term, t.hazards)
    }

    /// The value of an expression at an edge; executions for which it is undefined end.
    pub fn value(&mut self, e: ExprId, state: &mut State, edge: EdgeId) -> Option<TermId> {
        let (term, hazards) = self.translate(e, state);
        for (why, when) in hazards {
            let kind = match why {
                Undefined::DivisionByZero => ObligationKind::DivisionByZero,
                Undefined::DivisionOverflow => ObligationKind::Undefined("division overflow"),
                Undefined::BadShift => ObligationKind::Undefined("shift by a bad count"),
                Undefined::FloatToInt => ObligationKind::Undefined("conversion of a float out of range"),
                Undefined::CountOfZero => ObligationKind::Undefined("counting the bits of zero"),
            };
            self.forbid(kind, when, state, edge)?;
        }
        Some(term)
    }

    /// A condition as one that holds and is defined.
    pub fn holds(&mut self, condition: ExprId, state: &mut State) -> TermId {
        let (term, hazards) = self.translate(condition, state);
        let mut all = vec![term];
        for (_, when) in hazards {
            all.push(self.pool.not(when));
        }
        self.pool.and(&all)
    }

    /// The value of an expression that decides what is accessed.
    fn address(&mut self, e: ExprId, state: &mut State, edge: EdgeId) -> Option<TermId> {
        let p = self.value(e, state, edge)?;
        Some(self.fixed(p))
    }

    pub fn assign(&mut self, v: VarId, value: TermId, state: &mut State) {
        if self.program.vars[v].owner.is_none() {
            state.globals.insert(v, value);
        } else {
            state.locals.insert(v, value);
        }
    }

    /// A value of which nothing is known.
    fn indeterminate(&mut self, ty: Ty) -> TermId {
        let s = sort(self.pool, ty);
        self.pool.fresh("indeterminate", s)
    }

    /// The variable is named after the edge and how often it was executed before, so that another
    /// unrolling in the same pool, which asks another question, has terms in common with this one.
    fn input(&mut self, name: Symbol, ty: Ty, s: &State, e: EdgeId) -> TermId {
        let count = self.taken.entry(e).or_default();
        let term = crate::expr::any(self.pool, &format!("input {e} {count}"), ty);
        *count += 1;
        let when = s.guard.term(self.pool);
        self.inputs.push(InputVar { term, ty, name, place: self.program.edges[e].place, when });
        term
    }
}

/// The instance of what static data refers to.
fn lookup(
    t: RelocTarget,
    funcs: &FxHashMap<FuncId, Instance>,
    labels: &FxHashMap<LabelId, Instance>,
    objects: &FxHashMap<ObjId, Instance>,
) -> Instance {
    match t {
        RelocTarget::Object(o) => objects.get(&o).copied().unwrap_or(Instance(0)),
        RelocTarget::Func(f) => funcs.get(&f).copied().unwrap_or(Instance(0)),
        RelocTarget::Label(l) => labels.get(&l).copied().unwrap_or(Instance(0)),
    }
}
