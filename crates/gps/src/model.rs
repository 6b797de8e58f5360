//! The program as a weighted graph over integers: what the search works on.
//!
//! Calls are expanded in place, each with variables of its own, as far as there is
//! room; beyond that a call is *skipped*: it changes whatever its callee may
//! change, to anything that is in range, and may end in an error. Every operation
//! on integers becomes a transition formula by the integer reading of
//! `encode::integer`. What has no such reading (memory, floats, pointers) is
//! *inexact*: its result is any number of its type. So the graph has every
//! execution of the program, and a path without inexact steps is one.
//!
//! Whether an operation that may leave its type is read as that of the integers
//! or with wrap-around is the caller's choice; see [`Reading`].

use std::collections::{BTreeMap, VecDeque};

use cairn_absint::{Analysis, Mods, PointsTo};
use cairn_base::{Budget, Pace, Place, Symbol};
use cairn_core::Why;
use cairn_encode::integer::{IntegerReading, Mode, Reader};
use cairn_ir::{Builtin, Callee, EdgeId, Expr, ExprId, FuncId, LocId, Op, Program, Ty, VarId, VarKind};
use cairn_summary::{Space, Transition, Vertex};
use cairn_term::{Pool, SortId, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

/// Locations between two looks at the budget.
const LOCATIONS_PER_BUDGET_CHECK: u32 = 64;
/// Vertices that a model may have, and those beyond which calls are no longer expanded.
const MOST_VERTICES: usize = 50_000;
const EXPANDED: usize = 20_000;
/// Activations of a function that calls itself, one inside the other, and of all such functions.
const DEEPEST: usize = 24;
const ACTIVATIONS: usize = 200;

/// How operations that may leave their type are read.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Reading {
    /// As operations of the integers, and variables are any integers. Quick, and usually right;
    /// what it says has to be confirmed by other means.
    Ideal,
    /// With wrap-around wherever ranges do not exclude it. Right.
    Exact,
}

/// An activation of a function, by its call.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Context(pub u32);

/// Something a step takes from outside.
#[derive(Clone, PartialEq, Debug)]
pub struct Input {
    /// The unknown of the step; `None` for what is no integer.
    pub term: Option<TermId>,
    pub name: Symbol,
    pub ty: Ty,
    pub place: Place,
}

/// An edge of the graph, with what a trace needs.
#[derive(Clone, Debug)]
pub struct Step {
    pub src: Vertex,
    pub dst: Vertex,
    pub weight: Transition,
    /// In the order in which they are taken.
    pub inputs: Vec<Input>,
    /// The program's edges it stands for.
    pub edges: Vec<EdgeId>,
    /// It is just what the program does.
    pub exact: bool,
    /// It skips a call, whose edges are not among its own.
    pub skips: bool,
}

/// What a variable of the space stands for.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// A variable of the program; of an activation if it is not global.
    Var(Context, VarId),
    /// The result that an activation is about to return.
    Result(Context),
    /// The gas of Section 5.3.
    Gas,
}

pub struct Model {
    pub reading: Reading,
    pub space: Space,
    pub meanings: BTreeMap<TermId, Meaning>,
    /// Vertices are `0..places.len()`; a vertex is a location in an activation. The target has none.
    pub places: Vec<Option<(Context, LocId)>>,
    pub steps: Vec<Step>,
    /// By vertex: when an operation behind it, before the next vertex, leaves its type although it
    /// is read as one of the integers. Unknowns of steps may occur.
    pub wraps: Vec<TermId>,
    pub entry: Vertex,
    pub target: Vertex,
}

/// What analyses know of a program.
pub struct Known<'a> {
    pub ranges: &'a Analysis,
    pub pointers: &'a PointsTo,
    pub effects: &'a Mods<'a>,
}

impl Known<'_> {
    /// Does an operation at a location stay in its type, whatever the execution?
    fn fits(&self, program: &Program, at: LocId, op: ExprId) -> bool {
        self.ranges.stays(program, at, op)
    }
}

struct Frame {
    func: FuncId,
    /// Where the caller goes on, and what gets the result.
    back: Option<(Context, LocId, Option<VarId>)>,
    result: Option<TermId>,
    /// The activations of the same function that are open, this one included.
    depth: usize,
}

struct Builder<'a> {
    program: &'a Program,
    pool: &'a mut Pool,
    reading: Reading,
    known: &'a Known<'a>,
    frames: Vec<Frame>,
    by_call: FxHashMap<(Context, EdgeId, FuncId), Context>,
    /// Functions from which an error may be reached.
    dangerous: FxHashSet<FuncId>,
    vars: FxHashMap<(Option<Context>, VarId), TermId>,
    space: Vec<TermId>,
    meanings: BTreeMap<TermId, Meaning>,
    vertices: FxHashMap<(Context, LocId), Vertex>,
    places: Vec<Option<(Context, LocId)>>,
    work: VecDeque<(Context, LocId)>,
    steps: Vec<Step>,
    wraps: Vec<TermId>,
}

/// The model of all executions from `entry`. All that stays in its type by what is known is read as
/// operations of the integers in any case. `Err` says why there is none.
pub fn build(
    program: &Program,
    entry: FuncId,
    pool: &mut Pool,
    reading: Reading,
    known: &Known<'_>,
    budget: &Budget,
) -> Result<Model, Why> {
    let builder = Builder {
        program,
        pool,
        reading,
        known,
        dangerous: dangerous(program, known.pointers),
        frames: Vec::new(),
        by_call: FxHashMap::default(),
        vars: FxHashMap::default(),
        space: Vec::new(),
        meanings: BTreeMap::new(),
        vertices: FxHashMap::default(),
        places: Vec::new(),
        work: VecDeque::new(),
        steps: Vec::new(),
        wraps: Vec::new(),
    };
    builder.run(entry, &mut Pace::new(budget, LOCATIONS_PER_BUDGET_CHECK))
}

impl Builder<'_> {
    fn run(mut self, entry: FuncId, pace: &mut Pace<'_>) -> Result<Model, Why> {
        let func = &self.program.funcs[entry];
        let Some(body) = &func.body else {
            return Err(self.unsupported("the entry function has no body", func.place));
        };
        let main = self.frame(Frame { func: entry, back: None, result: None, depth: 1 });
        let target = self.new_vertex(None);
        let first = self.new_vertex(None);
        let start = self.vertex(main, body.entry)?;
        let weight = self.initial(main, entry);
        self.steps.push(Step {
            src: first,
            dst: start,
            weight,
            inputs: Vec::new(),
            edges: Vec::new(),
            exact: true,
            skips: false,
        });
        while let Some((context, at)) = self.work.pop_front() {
            pace.step().map_err(Why::limit)?;
            if self.places.len() > MOST_VERTICES {
                return Err(self.unsupported("the program is too large with its calls expanded", Place::NONE));
            }
            let program = self.program;
            let frame = &self.frames[context.0 as usize];
            if program.funcs[frame.func].body.as_ref().is_some_and(|b| b.exit == at) {
                self.leave(context, at)?;
            }
            for &e in &program.locs[at].out {
                self.edge(context, e)?;
            }
        }
        Ok(Model {
            reading: self.reading,
            space: Space::new(self.space),
            meanings: self.meanings,
            places: self.places,
            steps: self.steps,
            wraps: self.wraps,
            entry: first,
            target,
        })
    }

    fn unsupported(&self, what: impl Into<String>, place: Place) -> Why {
        Why::new("unsupported operation", what).at(place)
    }

    fn frame(&mut self, frame: Frame) -> Context {
        self.frames.push(frame);
        Context(self.frames.len() as u32 - 1)
    }

    /// Activations of a function that are open in one.
    fn open(&self, context: Context, func: FuncId) -> usize {
        let mut at = Some(context);
        while let Some(c) = at {
            let frame = &self.frames[c.0 as usize];
            if frame.func == func {
                return frame.depth;
            }
            at = frame.back.map(|(caller, ..)| caller);
        }
        0
    }

    fn new_vertex(&mut self, place: Option<(Context, LocId)>) -> Vertex {
        self.places.push(place);
        self.wraps.push(Pool::FALSE);
        self.places.len() as Vertex - 1
    }

    fn vertex(&mut self, context: Context, at: LocId) -> Result<Vertex, Why> {
        if let Some(&v) = self.vertices.get(&(context, at)) {
            return Ok(v);
        }
        let v = self.new_vertex(Some((context, at)));
        self.vertices.insert((context, at), v);
        self.work.push_back((context, at));
        Ok(v)
    }

    /// The globals' values, and the arguments of `main` without any.
    fn initial(&mut self, main: Context, entry: FuncId) -> Transition {
        let mut weight = Transition::identity();
        let program = self.program;
        for (v, var) in program.vars.iter() {
            if let VarKind::Global { init } = var.kind
                && let Some(bits) = program.exprs.const_bits(init)
                && let Some(x) = self.variable(main, v)
            {
                let n = match var.ty {
                    Ty::Int(i) => self.pool.int(cairn_encode::integer::number(i, bits)),
                    _ => self.pool.int(bits),
                };
                weight.assign.insert(x, n);
            }
        }
        if let Some(&v) = program.funcs[entry].params.first()
            && let Some(x) = self.variable(main, v)
        {
            let one = self.pool.int(1);
            weight.assign.insert(x, one);
        }
        weight
    }

    /// The term of a variable that is an integer or a truth value (then 0 or 1).
    fn variable(&mut self, context: Context, v: VarId) -> Option<TermId> {
        let var = &self.program.vars[v];
        if !matches!(var.ty, Ty::Int(_) | Ty::Bool) {
            return None;
        }
        let of = var.owner.map(|_| context);
        if let Some(&x) = self.vars.get(&(of, v)) {
            return Some(x);
        }
        let name = match of {
            Some(c) if c.0 > 0 => format!("{}@{}", var.name, c.0),
            _ => var.name.to_string(),
        };
        let x = self.pool.fresh(&name, SortId::INT);
        self.vars.insert((of, v), x);
        self.space.push(x);
        self.meanings.insert(x, Meaning::Var(context, v));
        Some(x)
    }

    /// An unknown of an integer type, and its range.
    fn unknown(&mut self, hint: &str, ty: Ty) -> Option<(TermId, TermId)> {
        let (lo, hi) = match ty {
            Ty::Int(i) => (self.pool.int(i.min()), self.pool.int(i.max_bits())),
            Ty::Bool => (self.pool.int(0), self.pool.int(1)),
            _ => return None,
        };
        let u = self.pool.fresh(hint, SortId::INT);
        let (above, below) = (self.pool.int_le(lo, u), self.pool.int_le(u, hi));
        Some((u, self.pool.and(&[above, below])))
    }

    /// `dst` gets some number of its type.
    fn havoc(&mut self, context: Context, dst: VarId, hint: &str) -> (Transition, Option<TermId>) {
        let Some(x) = self.variable(context, dst) else { return (Transition::identity(), None) };
        match self.unknown(hint, self.program.vars[dst].ty) {
            Some((u, range)) => (Transition { guard: range, assign: BTreeMap::from([(x, u)]) }, Some(u)),
            None => (Transition::identity(), None),
        }
    }

    /// The reading of an expression at a location: its term (truth values as such), the condition
    /// under which it is evaluated to that, and whether that is exact.
    fn read(&mut self, context: Context, at: LocId, e: ExprId) -> Option<(TermId, TermId, bool)> {
        // The reader needs the variables' terms while it holds the pool.
        let mut mentioned = cairn_ir::visit::VarsOf::new(&self.program.exprs);
        let vars: Vec<VarId> = mentioned.expr(e).to_vec();
        let mut terms: FxHashMap<VarId, TermId> = FxHashMap::default();
        for v in vars {
            if let Some(x) = self.variable(context, v) {
                terms.insert(v, x);
            }
        }
        let program = self.program;
        let (reading, known) = (self.reading, self.known);
        let policy = move |op: ExprId| match reading {
            _ if known.fits(program, at, op) => Mode::Plain,
            // That a cast keeps its number is a worse guess than that a sum does.
            Reading::Ideal if !matches!(program.exprs.get(op), Expr::Cast(..)) => Mode::Plain,
            _ => Mode::Exact,
        };
        let mut lookup = |pool: &mut Pool, v: VarId| {
            let x = terms[&v];
            if program.vars[v].ty == Ty::Bool {
                let one = pool.int(1);
                pool.eq(x, one)
            } else {
                x
            }
        };
        let read = Reader::new(program, self.pool, &mut lookup, &policy).read(e)?;
        let mut wraps: Vec<TermId> =
            read.obligations.iter().filter(|o| !known.fits(program, at, o.at)).map(|o| o.violated).collect();
        let (term, guard, exact) = self.conditions(read, &terms);
        if !wraps.is_empty()
            && let Some(&v) = self.vertices.get(&(context, at))
        {
            let any = self.pool.or(&wraps);
            let known = &mut self.wraps[v as usize];
            wraps = vec![*known, self.pool.and(&[guard, any])];
            *known = self.pool.or(&wraps);
        }
        Some((term, guard, exact))
    }

    fn conditions(
        &mut self,
        read: IntegerReading,
        terms: &FxHashMap<VarId, TermId>,
    ) -> (TermId, TermId, bool) {
        let mut guard = Vec::new();
        // In the ideal reading variables are any integers.
        let dropped: Vec<TermId> = if self.reading == Reading::Ideal {
            let mut ranges: Vec<TermId> = Vec::new();
            for (&v, &x) in terms {
                if let Ty::Int(i) = self.program.vars[v].ty {
                    let (lo, hi) = (self.pool.int(i.min()), self.pool.int(i.max_bits()));
                    let (above, below) = (self.pool.int_le(lo, x), self.pool.int_le(x, hi));
                    ranges.push(self.pool.and(&[above, below]));
                }
            }
            ranges
        } else {
            Vec::new()
        };
        guard.extend(read.side.iter().copied().filter(|t| !dropped.contains(t)));
        for &(_, when) in &read.hazards {
            guard.push(self.pool.not(when));
        }
        (read.term, self.pool.and(&guard), read.exact())
    }

    /// As a number, also if it is a truth value.
    fn numeric(&mut self, t: TermId) -> TermId {
        if self.pool.sort(t) == cairn_term::Sort::Bool {
            let (one, zero) = (self.pool.int(1), self.pool.int(0));
            self.pool.ite(t, one, zero)
        } else {
            t
        }
    }

    /// `x := e`; exact or not.
    fn assign(&mut self, context: Context, at: LocId, x: TermId, e: ExprId) -> (Transition, bool) {
        match self.read(context, at, e) {
            Some((t, guard, exact)) => {
                let t = self.numeric(t);
                (Transition { guard, assign: BTreeMap::from([(x, t)]) }, exact)
            }
            None => (Transition::identity(), false),
        }
    }

    fn step(
        &mut self,
        src: Vertex,
        dst: Vertex,
        e: EdgeId,
        weight: Transition,
        inputs: Vec<Input>,
        exact: bool,
    ) {
        if !weight.is_never() {
            self.steps.push(Step { src, dst, weight, inputs, edges: vec![e], exact, skips: false });
        }
    }

    fn edge(&mut self, context: Context, e: EdgeId) -> Result<(), Why> {
        let program = self.program;
        let edge = &program.edges[e];
        let src = self.vertices[&(context, edge.src)];
        let (mut inputs, mut exact) = (Vec::new(), true);
        let weight = match &edge.op {
            Op::Nop | Op::Begin { .. } | Op::End { .. } => Transition::identity(),
            Op::Assign { dst, value } => match self.variable(context, *dst) {
                Some(x) => {
                    let (t, sure) = self.assign(context, edge.src, x, *value);
                    exact = sure;
                    t
                }
                None => {
                    exact = false;
                    Transition::identity()
                }
            },
            Op::Assume { cond, holds } => match self.read(context, edge.src, *cond) {
                Some((t, guard, sure)) => {
                    exact = sure;
                    let t = if *holds { t } else { self.pool.not(t) };
                    Transition::assume(self.pool.and(&[guard, t]))
                }
                None => {
                    exact = false;
                    Transition::identity()
                }
            },
            Op::Load { dst, .. } | Op::LoadBits { dst, .. } => {
                exact = false;
                self.havoc(context, *dst, "memory").0
            }
            Op::Store { .. }
            | Op::StoreBits { .. }
            | Op::Copy { .. }
            | Op::Fill { .. }
            | Op::Alloc { .. }
            | Op::Free { .. } => {
                exact = false;
                Transition::identity()
            }
            Op::Input { dst, name } => {
                let ty = program.vars[*dst].ty;
                let (t, term) = self.havoc(context, *dst, "input");
                exact = term.is_some();
                inputs.push(Input { term, name: *name, ty, place: edge.place });
                t
            }
            Op::Return { value } => {
                let mut t = Transition::identity();
                if let Some(value) = value
                    && matches!(program.ty(*value), Ty::Int(_) | Ty::Bool)
                {
                    let x = self.result(context);
                    let (assigned, sure) = self.assign(context, edge.src, x, *value);
                    exact = sure;
                    t = assigned;
                }
                t
            }
            Op::Trap(_) => return Ok(()),
            Op::Call { dst, callee, args } => {
                return self.call(context, e, *dst, callee, args);
            }
        };
        let dst = self.vertex(context, edge.dst)?;
        self.step(src, dst, e, weight, inputs, exact);
        Ok(())
    }

    /// The variable for what an activation returns.
    fn result(&mut self, context: Context) -> TermId {
        let frame = &self.frames[context.0 as usize];
        if let Some(x) = frame.result {
            return x;
        }
        let name = format!("{}@{}", self.program.funcs[frame.func].name, context.0);
        let x = self.pool.fresh(&name, SortId::INT);
        self.frames[context.0 as usize].result = Some(x);
        self.space.push(x);
        self.meanings.insert(x, Meaning::Result(context));
        x
    }

    fn call(
        &mut self,
        context: Context,
        e: EdgeId,
        dst: Option<VarId>,
        callee: &Callee,
        args: &[ExprId],
    ) -> Result<(), Why> {
        let program = self.program;
        let edge = &program.edges[e];
        let src = self.vertices[&(context, edge.src)];
        let funcs = match callee {
            Callee::Func(f) => vec![*f],
            Callee::Ptr { target, .. } => match program.exprs.get(*target) {
                Expr::Func(f) => vec![f],
                _ => self.known.pointers.callees(program, e),
            },
            Callee::Builtin(b) => {
                match b {
                    Builtin::Error | Builtin::AssertFail => {
                        self.step(src, 0, e, Transition::identity(), Vec::new(), true);
                    }
                    Builtin::Exit | Builtin::Abort => {}
                    _ => {
                        let weight = match dst {
                            Some(dst) => self.havoc(context, dst, "library").0,
                            None => Transition::identity(),
                        };
                        let next = self.vertex(context, edge.dst)?;
                        self.step(src, next, e, weight, Vec::new(), false);
                    }
                }
                return Ok(());
            }
        };
        for &func in &funcs {
            self.call_of(context, e, dst, func, args, funcs.len() == 1)?;
        }
        Ok(())
    }

    /// A call of a function; `alone` if it can be no other one.
    fn call_of(
        &mut self,
        context: Context,
        e: EdgeId,
        dst: Option<VarId>,
        func: FuncId,
        args: &[ExprId],
        alone: bool,
    ) -> Result<(), Why> {
        let program = self.program;
        let edge = &program.edges[e];
        let src = self.vertices[&(context, edge.src)];
        let callee = &program.funcs[func];
        let Some(body) = &callee.body else {
            // An unknown function yields an unknown value, which is an input.
            let (mut weight, mut inputs) = (Transition::identity(), Vec::new());
            if let Some(dst) = dst {
                let (t, term) = self.havoc(context, dst, "input");
                inputs.push(Input { term, name: callee.name, ty: program.vars[dst].ty, place: edge.place });
                weight = t;
            }
            let exact = alone && inputs.iter().all(|i| i.term.is_some());
            let next = self.vertex(context, edge.dst)?;
            self.step(src, next, e, weight, inputs, exact);
            return Ok(());
        };
        let depth = self.open(context, func) + 1;
        let recursive = depth > 1;
        if depth > DEEPEST || recursive && self.frames.len() > ACTIVATIONS || self.places.len() > EXPANDED {
            return self.skip(context, e, dst, func);
        }
        let inner = match self.by_call.get(&(context, e, func)) {
            Some(&c) => c,
            None => {
                let back = Some((context, edge.dst, dst));
                let c = self.frame(Frame { func, back, result: None, depth });
                self.by_call.insert((context, e, func), c);
                c
            }
        };
        let mut weight = Transition::identity();
        let mut exact = alone;
        for (&p, &a) in callee.params.iter().zip(args) {
            match self.variable(inner, p) {
                Some(x) => {
                    let (t, sure) = self.assign(context, edge.src, x, a);
                    exact &= sure;
                    weight.guard = self.pool.and(&[weight.guard, t.guard]);
                    weight.assign.extend(t.assign);
                }
                None => exact = false,
            }
        }
        let start = self.vertex(inner, body.entry)?;
        self.step(src, start, e, weight, Vec::new(), exact);
        Ok(())
    }

    /// Skips a call: whatever the callee may change is anything in its range, or there is an error.
    fn skip(&mut self, context: Context, e: EdgeId, dst: Option<VarId>, func: FuncId) -> Result<(), Why> {
        let program = self.program;
        let edge = &program.edges[e];
        let src = self.vertices[&(context, edge.src)];
        let skipped = |dst, weight| Step {
            src,
            dst,
            weight,
            inputs: Vec::new(),
            edges: vec![e],
            exact: false,
            skips: true,
        };
        if self.dangerous.contains(&func) {
            self.steps.push(skipped(0, Transition::identity()));
        }
        let mut weight = Transition::identity();
        let globals = self.known.effects.function(func).vars.iter().copied();
        let changed: Vec<VarId> = globals.filter(|&v| program.vars[v].owner.is_none()).chain(dst).collect();
        for v in changed {
            let (t, u) = self.havoc(context, v, "result");
            let mut guard = vec![weight.guard, t.guard];
            if let (Some(u), Some(range)) = (u, self.known.ranges.at(edge.dst, v)) {
                let (low, high) = (self.pool.int(range.lo), self.pool.int(range.hi));
                guard.extend([self.pool.int_le(low, u), self.pool.int_le(u, high)]);
            }
            weight.guard = self.pool.and(&guard);
            weight.assign.extend(t.assign);
        }
        let next = self.vertex(context, edge.dst)?;
        self.steps.push(skipped(next, weight));
        Ok(())
    }

    /// From the exit of an activation back to its caller.
    fn leave(&mut self, context: Context, exit: LocId) -> Result<(), Why> {
        let Some((caller, next, dst)) = self.frames[context.0 as usize].back else { return Ok(()) };
        let src = self.vertices[&(context, exit)];
        let (mut weight, mut exact) = (Transition::identity(), true);
        if let Some(dst) = dst {
            match (self.variable(caller, dst), self.frames[context.0 as usize].result) {
                (Some(x), Some(result)) => {
                    weight.assign.insert(x, result);
                }
                (Some(_), None) => {
                    exact = false;
                    weight = self.havoc(caller, dst, "result").0;
                }
                (None, _) => exact = false,
            }
        }
        let to = self.vertex(caller, next)?;
        if !weight.is_never() {
            self.steps.push(Step {
                src,
                dst: to,
                weight,
                inputs: Vec::new(),
                edges: Vec::new(),
                exact,
                skips: false,
            });
        }
        Ok(())
    }
}

/// The functions from which an error may be reached, by any number of calls.
fn dangerous(program: &Program, pointers: &PointsTo) -> FxHashSet<FuncId> {
    let mut found = FxHashSet::default();
    loop {
        let before = found.len();
        for (e, edge) in program.edges.iter() {
            let bad = match &edge.op {
                Op::Call { callee: Callee::Builtin(Builtin::Error | Builtin::AssertFail), .. } => true,
                Op::Call { .. } => pointers.callees(program, e).iter().any(|f| found.contains(f)),
                _ => false,
            };
            if bad {
                found.insert(program.locs[edge.src].func);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}
