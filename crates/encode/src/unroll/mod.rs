//! Following all executions at once.
//!
//! A function is executed in its weak topological order: a location once all
//! executions of the turn have arrived there, merged into one state; a loop turn
//! by turn until no execution stays in it or its bound is reached. Calls are
//! executed in place, recursion up to its bound.

use cairn_base::{Budget, Place, Symbol};
use cairn_ir::{
    AllocKind, EdgeId, ExprId, FuncId, Init, LabelId, LocId, ObjId, ObjKind, Op, Program, RelocTarget, Trap,
    Ty, VarId, VarKind,
};
use cairn_term::{Pool, TermId};
use cairn_value::Undefined;
use std::collections::BTreeMap;
use std::rc::Rc;

use imbl::OrdMap;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::birth::{BirthId, Births};
use crate::brake::Brake;
use crate::expr::{Env, Translate, sort};
use crate::guard::Guard;
use crate::object::{Content, Ground};
use crate::pointer::{Instance, Pointers};
use crate::state::{Info, Merge, Object, State};
use crate::wto::{Wto, order};

mod bulk;
mod call;
mod induct;
mod log;
mod memory;
mod step;
mod text;

/// What the addresses of allocated memory are multiples of.
const ALLOCATED: u32 = 16;
/// The price of a term, in units of effort.
const TERM: usize = 1;
pub use log::{Log, Step, StepKind, Visit};

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

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ObligationKind {
    /// A target function is called, or an assertion fails.
    Error(String),
    /// A loop would go on beyond its bound.
    Unwind {
        head: LocId,
    },
    /// A recursion would.
    Recursion {
        func: FuncId,
    },
    /// A fact of an inductive loop does not hold where it should: its number, and whether that is
    /// so when the loop is entered (or after some turns of any execution).
    Fact {
        head: LocId,
        number: usize,
        entry: bool,
    },
    /// Undefined behaviour; the executions that meet it end there.
    Undefined(&'static str),
    DivisionByZero,
    /// An operation without a symbolic reading; executions end there.
    Gap(String),
}

/// Something that happens exactly if `when` holds.
#[derive(Clone, Debug)]
pub struct Obligation {
    pub kind: ObligationKind,
    pub when: TermId,
    pub edge: EdgeId,
    pub place: Place,
}

/// A nondeterministic input, in the order executions take them.
#[derive(Clone, Debug)]
pub struct InputVar {
    pub term: TermId,
    pub ty: Ty,
    pub name: Symbol,
    pub place: Place,
    /// Under which condition it is taken.
    pub when: TermId,
}

/// An object that comes to life and that nothing initialises, in the order in which that happens.
#[derive(Clone, Debug)]
pub struct BirthVar {
    pub id: BirthId,
    /// Under which condition.
    pub when: TermId,
    /// A 64-bit term.
    pub size: TermId,
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

/// The base of an instance of which the program says where it lies.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct BaseVar {
    /// The variable: the base without its low bits that are zero.
    pub upper: TermId,
    pub low: u8,
    /// The address that the program names.
    pub said: TermId,
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
    /// A condition of leaving was decided by constants: nobody leaves there.
    stayed: bool,
}

pub struct Unroller<'a, 'p> {
    program: &'p Program,
    pool: &'a mut Pool,
    bounds: Bounds,
    budget: Budget,
    /// For executions that are followed all at once: whoever follows them one by one asks the budget
    /// between steps.
    brake: Brake,
    /// Functions whose call is the error.
    targets: FxHashSet<FuncId>,
    pointers: Pointers,
    /// Instances of which the program has said where they lie.
    located: FxHashSet<Instance>,
    infos: Vec<Info>,
    funcs: FxHashMap<FuncId, Instance>,
    labels: FxHashMap<LabelId, Instance>,
    objects: FxHashMap<ObjId, Instance>,
    orders: FxHashMap<FuncId, Rc<Vec<Wto>>>,
    bodies: FxHashMap<LocId, Rc<FxHashSet<LocId>>>,
    depth: FxHashMap<FuncId, u32>,
    /// The loops of the running function that are being executed, outermost first.
    turning: Vec<Turn>,
    /// Where executions have a future: leaving a loop for an error is not leaving it.
    returning: FxHashSet<LocId>,
    /// How often each edge has taken an input or brought an object to life.
    taken: FxHashMap<EdgeId, u32>,
    /// First contents of objects.
    births: Births,
    /// What has come to life so far, under which condition and with which size.
    born: Vec<(BirthId, Guard, TermId)>,
    /// What IEEE 754 leaves open, as far as it was asked for.
    leeway: crate::float::Open,
    /// What addresses and sizes are known to be, for whoever executes single steps.
    placed: FxHashMap<TermId, TermId>,
    /// While executions are only assumed (and not claimed) to go well, nothing is obliged.
    assuming: u32,
    /// Terms that were charged for.
    charged: usize,
    out: Unrolled,
}

type Pending = FxHashMap<LocId, Vec<State>>;

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

impl<'a, 'p> Unroller<'a, 'p> {
    pub fn new(
        program: &'p Program,
        pool: &'a mut Pool,
        targets: FxHashSet<FuncId>,
        bounds: Bounds,
        budget: Budget,
    ) -> Self {
        let charged = pool.len();
        let zero = pool.bits(64, 0);
        let nothing = Info {
            name: "nothing".into(),
            place: Place::NONE,
            size: zero,
            constant_size: Some(0),
            align: 1,
            is_heap: false,
            writable: false,
            is_code: true,
        };
        Unroller {
            program,
            pool,
            bounds,
            budget,
            brake: Brake::default(),
            targets,
            pointers: Pointers::new(program.model, program.places_objects()),
            located: FxHashSet::default(),
            infos: vec![nothing],
            funcs: FxHashMap::default(),
            labels: FxHashMap::default(),
            objects: FxHashMap::default(),
            orders: FxHashMap::default(),
            bodies: FxHashMap::default(),
            depth: FxHashMap::default(),
            turning: Vec::new(),
            returning: crate::returns::returning(program),
            taken: FxHashMap::default(),
            births: Births::default(),
            born: Vec::new(),
            leeway: Default::default(),
            placed: FxHashMap::default(),
            assuming: 0,
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
        self.brake = Brake::new(self.budget.clone());
        for &entry in entries {
            let state = self.start(entry);
            self.function(entry, state);
        }
        self.out.stopped |= self.brake.is_pulled();
        let looked_at: FxHashSet<EdgeId> = self
            .born
            .iter()
            .map(|(id, ..)| self.births.get(*id))
            .filter(|b| b.terms().next().is_some())
            .map(|b| b.edge)
            .collect();
        for (id, guard, size) in std::mem::take(&mut self.born) {
            if looked_at.contains(&self.births.get(id).edge) {
                let when = guard.term(self.pool);
                self.out.births.push(BirthVar { id, when, size });
            }
        }
        self.out.contents = self.births;
        self.out
    }

    /// The content of an object that comes to life at an edge and that nothing initialises.
    fn birth(&mut self, e: EdgeId, size: TermId, s: &State) -> Ground {
        let count = self.taken.entry(e).or_default();
        let id = self.births.add(e, *count);
        *count += 1;
        self.born.push((id, s.guard.clone(), size));
        Ground::Born(id)
    }

    /// The state in which executions start.
    pub fn start(&mut self, entry: FuncId) -> State {
        let mut state = State {
            guard: Guard::default(),
            globals: OrdMap::new(),
            locals: OrdMap::new(),
            memory: OrdMap::new(),
            frame: OrdMap::new(),
            result: None,
        };
        self.statics(&mut state);
        self.entry_arguments(entry, &mut state);
        state
    }

    fn instance(&mut self, info: Info) -> Instance {
        let i = Instance(self.infos.len() as u32);
        self.pointers.place(self.pool, i, &info);
        self.infos.push(info);
        i
    }

    fn statics(&mut self, state: &mut State) {
        let p = self.program;
        let code = |pool: &mut Pool, name: &str, place| Info {
            name: name.to_string(),
            place,
            size: pool.bits(64, 0),
            constant_size: Some(0),
            align: 1,
            is_heap: false,
            writable: false,
            is_code: true,
        };
        for (f, func) in p.funcs.iter() {
            let info = code(self.pool, func.name.as_str(), func.place);
            let i = self.instance(info);
            self.funcs.insert(f, i);
        }
        for (l, label) in p.labels.iter() {
            let info = code(self.pool, label.name.as_str(), Place::NONE);
            let i = self.instance(info);
            self.labels.insert(l, i);
        }
        for (o, object) in p.objects.iter() {
            if object.kind == ObjKind::Local {
                continue;
            }
            let info = self.info_of(o);
            let i = self.instance(info);
            self.objects.insert(o, i);
            let ground = match &object.init {
                Init::Static(d) if d.bytes.is_empty() && d.relocs.is_empty() => Ground::Zero,
                Init::Static(_) => Ground::Data(o),
                Init::Uninit | Init::Unknown => Ground::Indeterminate,
            };
            state.memory.insert(i, Object { live: Pool::TRUE, content: Content::new(ground) });
        }
        for (v, var) in p.vars.iter() {
            if let VarKind::Global { init } = var.kind {
                let t = self.pure(init, state);
                state.globals.insert(v, t);
            }
        }
    }

    fn info_of(&mut self, o: ObjId) -> Info {
        let object = &self.program.objects[o];
        Info {
            name: object.name.to_string(),
            place: object.place,
            size: self.pool.bits(64, object.size.into()),
            constant_size: Some(object.size),
            align: object.align,
            is_heap: false,
            writable: object.kind != ObjKind::Const,
            is_code: false,
        }
    }

    /// `main(argc, argv)`: one argument, the program's name.
    fn entry_arguments(&mut self, entry: FuncId, state: &mut State) {
        let params = self.program.funcs[entry].params.clone();
        for (n, v) in params.into_iter().enumerate() {
            let value = match (n, self.program.vars[v].ty) {
                (0, Ty::Int(i)) => self.pool.bits(i.bits, 1),
                (_, Ty::Ptr) => {
                    let word = self.program.model.ptr_bytes();
                    let name = self.fresh_zero(state, "program name", 16);
                    let vector = self.fresh_zero(state, "argv", 2 * word);
                    if n == 1 {
                        let address = name.address(self.pool);
                        let zero = self.pool.bits(64, 0);
                        self.write_instance(state, vector, zero, Ty::Ptr, address);
                    }
                    vector.address(self.pool)
                }
                (_, ty) => {
                    let s = sort(self.pool, ty);
                    self.pool.fresh("argument", s)
                }
            };
            state.locals.insert(v, value);
        }
    }

    fn fresh_zero(&mut self, state: &mut State, name: &str, size: u64) -> Instance {
        let term = self.pool.bits(64, size.into());
        let i = self.instance(Info {
            name: name.into(),
            place: Place::NONE,
            size: term,
            constant_size: Some(size),
            align: ALLOCATED,
            is_heap: false,
            writable: true,
            is_code: false,
        });
        state.memory.insert(i, Object { live: Pool::TRUE, content: Content::new(Ground::Zero) });
        i
    }

    // Control.

    /// Executes a function body; the state behind its return, if it returns.
    fn function(&mut self, f: FuncId, state: State) -> Option<State> {
        let p = self.program;
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
        self.merge_all(states)
    }

    fn sequence(&mut self, elements: &[Wto], pending: &mut Pending) {
        for element in elements {
            if self.out.stopped {
                return;
            }
            match element {
                Wto::Location(l) => self.location(*l, pending),
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
                let edge = self.program.locs[head].out.first().copied();
                if let (Some(s), Some(edge)) = (self.merge_all(states), edge) {
                    self.oblige(ObligationKind::Unwind { head }, &s.guard, edge);
                }
                cut = true;
                break;
            }
            visits += 1;
            let inputs = self.out.inputs.len();
            let turn = self.turn(head, body, pending);
            let takes_inputs = self.out.inputs.len() > inputs;
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
        self.location(head, pending);
        self.sequence(body, pending);
        self.turning.pop().unwrap_or(Turn { inside, left: true, stayed: false })
    }

    fn location(&mut self, l: LocId, pending: &mut Pending) {
        let program = self.program;
        if program.locs[l].out.is_empty() {
            return;
        }
        let Some(states) = pending.remove(&l) else { return };
        let terms = self.pool.len();
        self.budget.effort.charge((terms.saturating_sub(self.charged) * TERM) as u64 + 1);
        self.charged = terms;
        if self.brake.is_pulled() || self.budget.exceeded().is_some() || terms > self.bounds.terms {
            self.out.stopped = true;
            return;
        }
        let Some(state) = self.merge_all(states) else { return };
        let out = &program.locs[l].out;
        if let Some(log) = &mut self.out.log {
            log.visit(l, &state.guard);
        }
        let mut state = Some(state);
        for (n, &e) in out.iter().enumerate() {
            let s = if n + 1 == out.len() { state.take() } else { state.clone() };
            let Some(s) = s else { continue };
            let next = match self.out.log {
                None => self.edge(e, s),
                Some(_) => self.logged_edge(e, s),
            };
            let dst = program.edges[e].dst;
            for turn in &mut self.turning {
                if !turn.inside.contains(&dst) && self.returning.contains(&dst) {
                    turn.left |= next.is_some();
                    turn.stayed |= next.is_none();
                }
            }
            if let Some(next) = next {
                pending.entry(dst).or_default().push(next);
            }
        }
    }

    /// One state for all. The latest are merged first: those that left a loop late share the most
    /// of their conditions, so that each merge is small.
    fn merge_all(&mut self, states: Vec<State>) -> Option<State> {
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

    fn oblige(&mut self, kind: ObligationKind, guard: &Guard, edge: EdgeId) {
        if self.assuming > 0 {
            return;
        }
        let when = guard.term(self.pool);
        if self.pool.as_bool(when) != Some(false) {
            let place = self.program.edges[edge].place;
            self.out.obligations.push(Obligation { kind, when, edge, place });
        }
    }

    fn gap(&mut self, what: impl Into<String>, state: &State, edge: EdgeId) -> Option<State> {
        self.oblige(ObligationKind::Gap(what.into()), &state.guard, edge);
        None
    }

    /// Ends the executions for which `bad` holds; `None` if that is all.
    fn forbid(&mut self, kind: ObligationKind, bad: TermId, state: &mut State, edge: EdgeId) -> Option<()> {
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

    // Expressions.

    /// A constant expression, which has no hazards.
    fn pure(&mut self, e: ExprId, state: &mut State) -> TermId {
        self.translate(e, state).0
    }

    fn translate(&mut self, e: ExprId, state: &mut State) -> (TermId, Vec<(Undefined, TermId)>) {
        let mut t = Translate {
            program: self.program,
            pool: self.pool,
            pointers: &self.pointers,
            hazards: Vec::new(),
            under: Pool::TRUE,
            open: &mut self.leeway,
        };
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

    /// The value of an expression; executions for which it is undefined end.
    fn value(&mut self, e: ExprId, state: &mut State, edge: EdgeId) -> Option<TermId> {
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

    /// The value of an expression that decides what is accessed.
    fn address(&mut self, e: ExprId, state: &mut State, edge: EdgeId) -> Option<TermId> {
        let p = self.value(e, state, edge)?;
        Some(self.fixed(p))
    }

    fn assign(&mut self, v: VarId, value: TermId, state: &mut State) {
        if self.program.vars[v].owner.is_none() {
            state.globals.insert(v, value);
        } else {
            state.locals.insert(v, value);
        }
    }

    // Operations.

    fn edge(&mut self, e: EdgeId, mut s: State) -> Option<State> {
        let program = self.program;
        match &program.edges[e].op {
            Op::Nop => {}
            Op::Assign { dst, value } => {
                let v = self.value(*value, &mut s, e)?;
                self.assign(*dst, v, &mut s);
            }
            Op::Assume { cond, holds } => {
                let c = self.value(*cond, &mut s, e)?;
                let c = if *holds { c } else { self.pool.not(c) };
                s.guard = s.guard.and(self.pool, c)?;
            }
            Op::Load { dst, addr } => {
                let p = self.address(*addr, &mut s, e)?;
                let ty = program.vars[*dst].ty;
                let v = self.load(p, ty, &mut s, e)?;
                self.assign(*dst, v, &mut s);
            }
            Op::Store { addr, value } => {
                let p = self.address(*addr, &mut s, e)?;
                let v = self.value(*value, &mut s, e)?;
                self.store(p, program.ty(*value), v, &mut s, e)?;
            }
            Op::LoadBits { dst, addr, bit, width } => {
                let p = self.address(*addr, &mut s, e)?;
                let ty = field_ty(*bit, *width);
                let bits = self.load(p, ty, &mut s, e)?;
                let field = self.pool.extract(bit + width - 1, *bit, bits);
                let Ty::Int(i) = program.vars[*dst].ty else { unreachable!("bit-fields are integers") };
                let v = self.pool.resize(i.bits, i.signed, field);
                self.assign(*dst, v, &mut s);
            }
            Op::StoreBits { addr, bit, width, value } => {
                let p = self.address(*addr, &mut s, e)?;
                let v = self.value(*value, &mut s, e)?;
                let ty = field_ty(*bit, *width);
                let old = self.load(p, ty, &mut s, e)?;
                let whole = self.pool.width(old);
                let mut new = self.pool.extract(width - 1, 0, v);
                if *bit > 0 {
                    let low = self.pool.extract(bit - 1, 0, old);
                    new = self.pool.concat(new, low);
                }
                if bit + width < whole {
                    let high = self.pool.extract(whole - 1, bit + width, old);
                    new = self.pool.concat(high, new);
                }
                self.store(p, ty, new, &mut s, e)?;
            }
            Op::Copy { dst, src, size, .. } => {
                let (d, r) = (self.address(*dst, &mut s, e)?, self.address(*src, &mut s, e)?);
                let n = self.address(*size, &mut s, e)?;
                return self.copy(d, r, n, s, e);
            }
            Op::Fill { dst, byte, size } => {
                let d = self.address(*dst, &mut s, e)?;
                let b = self.value(*byte, &mut s, e)?;
                let n = self.address(*size, &mut s, e)?;
                return self.fill(d, b, n, s, e);
            }
            Op::Begin { obj } => {
                self.end(*obj, &mut s);
                let info = self.info_of(*obj);
                let ground = self.birth(e, info.size, &s);
                let i = self.instance(info);
                s.memory.insert(i, Object { live: Pool::TRUE, content: Content::new(ground) });
                let address = i.address(self.pool);
                s.frame.insert(*obj, address);
            }
            Op::End { obj } => self.end(*obj, &mut s),
            Op::Alloc { dst, size, kind, zeroed } => {
                let n = self.value(*size, &mut s, e)?;
                let n64 = self.pool.resize(64, false, n);
                let constant = self.pool.as_bits(n64).map(|b| b as u64);
                let i = self.instance(Info {
                    name: "allocated memory".into(),
                    place: program.edges[e].place,
                    size: n64,
                    constant_size: constant,
                    align: ALLOCATED,
                    is_heap: *kind == AllocKind::Heap,
                    writable: true,
                    is_code: false,
                });
                let ground = if *zeroed { Ground::Zero } else { self.birth(e, n64, &s) };
                s.memory.insert(i, Object { live: Pool::TRUE, content: Content::new(ground) });
                let address = i.address(self.pool);
                if *kind != AllocKind::Heap {
                    s.frame.insert(i.scoped(), address);
                }
                self.assign(*dst, address, &mut s);
            }
            Op::Free { ptr, kind } => {
                let p = self.address(*ptr, &mut s, e)?;
                self.free(p, *kind, &mut s, e)?;
            }
            Op::Input { dst, name } => {
                let ty = program.vars[*dst].ty;
                let v = self.input(*name, ty, &s, e);
                self.assign(*dst, v, &mut s);
            }
            Op::Call { dst, callee, args } => return self.call(*dst, callee, args, s, e),
            Op::Return { value } => {
                s.result = match value {
                    Some(v) => Some(self.value(*v, &mut s, e)?),
                    None => None,
                };
            }
            Op::Trap(t) => {
                let why = match t {
                    Trap::Unreachable => "reaching what was declared unreachable",
                    Trap::BadGoto => "a jump to no label",
                    Trap::BadVla => "an array of no positive size",
                    Trap::NoReturnValue => "using the value of a function that returned none",
                };
                self.oblige(ObligationKind::Undefined(why), &s.guard, e);
                return None;
            }
        }
        Some(s)
    }

    /// The variable is named after the edge and how often it was executed before, so that another
    /// unrolling in the same pool, which asks another question, has terms in common with this one.
    fn input(&mut self, name: Symbol, ty: Ty, s: &State, e: EdgeId) -> TermId {
        let count = self.taken.entry(e).or_default();
        let term = crate::expr::any(self.pool, &format!("input {e} {count}"), ty);
        *count += 1;
        let when = s.guard.term(self.pool);
        self.out.inputs.push(InputVar { term, ty, name, place: self.program.edges[e].place, when });
        term
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

fn field_ty(bit: u8, width: u8) -> Ty {
    Ty::Int(cairn_ir::IntTy { bits: (bit + width).div_ceil(8) * 8, signed: false })
}

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
