//! The check of a proof by the sole execution ([`cairn_core::Sole`]).
//!
//! A program that takes nothing from outside has one execution. An engine that has
//! run it claims where that ends; here it is followed once more, by an interpreter
//! of its own: it walks over the automaton and its expressions as they are, and has
//! another memory than the executor. Both share what operations on values mean
//! (`cairn_value`), the models of the library, and that is all. So a fault of the
//! executor's code, of its memory or of its compiler is not taken for a proof.
//!
//! *That there is no other execution* is checked on the way. The walk is refused
//! where it comes to anything that another execution could have otherwise:
//!
//! * an input, a function without a body, the arguments of `main`;
//! * the value of a variable or of memory that was never assigned, unless it is
//!   only copied;
//! * where objects lie: an address as a number, the order of pointers into
//!   different objects, a pointer read as other bytes;
//! * the bits of a NaN that is computed, and functions of the mathematical library
//!   whose results no standard fixes.
//!
//! Undefined behaviour ends an execution, as in every proof.
//!
//! | module | what it is |
//! |---|---|
//! | `memory` | objects, bytes, and which of them hold pointers or nothing |
//! | `eval` | expressions |
//! | `library` | primitives of the library |
//!
//! # Why so
//!
//! *A program that takes nothing from outside is decided by running it* (`engines::concrete`, natively). Its
//! proof (`core::Sole`) says how many steps the sole execution has and how it ends. The checker follows it
//! with an interpreter of its own (`checker::sole`): automaton and expressions as they stand, another memory,
//! some 40 million steps a second. Independent of the executor are control, memory, compilation and the
//! native tier; shared are `cairn_value`, the models in C, the front end and the instrumentation. That there
//! is no other execution is checked step by step, and refused where there may be one: inputs, functions
//! without a body, values that nobody has assigned unless they are only copied, addresses (numbers, order,
//! ends, bytes of pointers), NaNs that are computed, mathematical functions without an exact result. Steps
//! and end must be the same; a difference is a fault of Cairn. The attack compares the run with the symbolic
//! reading as far as that goes. The check has 0.4 of the time that is left; others go on if it does not
//! suffice.

mod eval;
mod library;
mod memory;

use cairn_base::stack::with_big_stack;
use cairn_base::{Budget, EntityRef, Limit, Place};
use cairn_core::{Sole, SoleEnd};
use cairn_ir::{
    AllocKind, Callee, EdgeId, ExprId, FuncId, Init, LocId, ObjId, ObjKind, Op, Program, RelocTarget, Ty,
    VarId, VarKind,
};

use rustc_hash::FxHashSet;

use self::memory::{Code, Memory, Pointer};
use crate::{Checked, Rejection};

/// Edges between two looks at the budget.
const EDGES_PER_BUDGET_CHECK: u64 = 1 << 14;

/// Calls that may be open at once.
const CALLS: usize = 1 << 20;

/// A value of a variable or an expression.
#[derive(Copy, Clone, PartialEq, Debug)]
enum Value {
    Bits(cairn_ir::Bits),
    Pointer(Pointer),
    /// Not the same in all executions. It may be copied, and nothing else.
    Open,
}

/// Why the walk does not go on.
enum Stop {
    /// The execution is over.
    End(SoleEnd),
    /// There may be other executions, or the walk cannot go on.
    Refused(Rejection),
}

type Flow<T> = Result<T, Stop>;

/// Something that other executions may have otherwise, or that is beyond this walk.
fn open(what: impl Into<String>) -> Stop {
    Stop::Refused(Rejection::Unknown(what.into()))
}

/// The execution looks at where objects lie.
fn layout() -> Stop {
    Stop::Refused(Rejection::Layout)
}

fn undefined() -> Stop {
    Stop::End(SoleEnd::Undefined)
}

/// Follows the program from its entry. It must end as the proof says.
pub fn check(program: &Program, entry: FuncId, sole: &Sole, budget: &Budget) -> Result<Checked, Rejection> {
    with_big_stack(|| {
        let mut walk = Walk::new(program, budget);
        let place = |walk: &Walk<'_>| walk.edge.map_or(Place::NONE, |e| program.edges[e].place);
        match walk.run(entry) {
            Stop::Refused(Rejection::Wrong { what, .. }) => {
                Err(Rejection::Wrong { what, place: place(&walk) })
            }
            Stop::Refused(why) => Err(why),
            Stop::End(end) if (end, walk.steps) == (sole.end, sole.steps) => {
                Ok(Checked { conditions: 0, terms: 0 })
            }
            Stop::End(end) => Err(Rejection::Wrong {
                what: format!(
                    "the execution is said to end after {} steps ({}), but it does after {} ({})",
                    sole.steps,
                    sole.end.words(),
                    walk.steps,
                    end.words()
                ),
                place: place(&walk),
            }),
        }
    })
}

/// An open call.
struct Frame {
    func: FuncId,
    /// Where its variables and its objects begin.
    vars: usize,
    objects: usize,
    /// What `alloca` and arrays of variable length have made.
    scoped: Vec<u32>,
    /// The call in the caller; `None` for the entry function.
    call: Option<EdgeId>,
}

struct Walk<'p> {
    program: &'p Program,
    budget: &'p Budget,
    memory: Memory,
    globals: Vec<Value>,
    /// Variables and objects of all open calls.
    locals: Vec<Value>,
    objects: Vec<Option<u32>>,
    frames: Vec<Frame>,
    /// The number of each variable and object among those of its function.
    slots: Vec<u32>,
    /// How many variables each function has.
    rooms: Vec<u32>,
    object_slots: Vec<u32>,
    /// Numbers of static objects, functions and labels.
    statics: Vec<u32>,
    funcs: Vec<u32>,
    labels: Vec<u32>,
    /// In formatted output: have addresses been shown?
    shown: Option<bool>,
    steps: u64,
    edge: Option<EdgeId>,
}

impl<'p> Walk<'p> {
    fn new(program: &'p Program, budget: &'p Budget) -> Walk<'p> {
        let mut slots = vec![0; program.vars.len()];
        let mut rooms = vec![0; program.funcs.len()];
        let mut object_slots = vec![0; program.objects.len()];
        for (id, f) in program.funcs.iter() {
            let Some(body) = &f.body else { continue };
            let params: FxHashSet<VarId> = f.params.iter().copied().collect();
            for v in f.params.iter().chain(body.vars.iter().filter(|v| !params.contains(v))) {
                slots[v.index()] = rooms[id.index()];
                rooms[id.index()] += 1;
            }
            body.objects.iter().enumerate().for_each(|(n, o)| object_slots[o.index()] = n as u32);
        }
        Walk {
            program,
            budget,
            memory: Memory::new(program.model, budget.max_memory / 4),
            globals: vec![Value::Open; program.vars.len()],
            locals: Vec::new(),
            objects: Vec::new(),
            frames: Vec::new(),
            slots,
            rooms,
            object_slots,
            statics: vec![0; program.objects.len()],
            funcs: Vec::new(),
            labels: Vec::new(),
            shown: None,
            steps: 0,
            edge: None,
        }
    }

    fn run(&mut self, entry: FuncId) -> Stop {
        match self.begin(entry).and_then(|at| self.follow(at)) {
            Err(stop) => stop,
            Ok(never) => match never {},
        }
    }

    /// What is there before the first step.
    fn begin(&mut self, entry: FuncId) -> Flow<LocId> {
        let p = self.program;
        for f in p.funcs.keys() {
            self.funcs.push(self.memory.code(Code::Func(f)));
        }
        for l in p.labels.keys() {
            self.labels.push(self.memory.code(Code::Label(l)));
        }
        let is_static = |o: &&ObjId| p.objects[**o].kind != ObjKind::Local;
        let statics: Vec<ObjId> = p.objects.keys().collect();
        for &o in statics.iter().filter(is_static) {
            let object = &p.objects[o];
            if object.init == Init::Unknown {
                return Err(open(format!("'{}' is defined elsewhere", object.name)));
            }
            self.statics[o.index()] = self.memory.create(object.size, object.init != Init::Uninit)?;
        }
        for &o in statics.iter().filter(is_static) {
            self.initialise(o, self.statics[o.index()])?;
            if p.objects[o].kind == ObjKind::Const {
                self.memory.protect(self.statics[o.index()]);
            }
        }
        for (v, var) in p.vars.iter() {
            if let VarKind::Global { init } = var.kind {
                self.globals[v.index()] = self.value(init)?;
            }
        }
        self.enter(entry, None, None)
    }

    /// Puts the data of an object into an instance of it.
    fn initialise(&mut self, o: ObjId, instance: u32) -> Flow<()> {
        let Init::Static(data) = &self.program.objects[o].init else { return Ok(()) };
        for (at, bytes) in &data.bytes {
            self.memory.write(Pointer::to(instance, *at as i64), bytes)?;
        }
        for r in &data.relocs {
            let target = match r.target {
                RelocTarget::Object(o) => self.statics[o.index()],
                RelocTarget::Func(f) => self.funcs[f.index()],
                RelocTarget::Label(l) => self.labels[l.index()],
            };
            if u64::from(r.bytes) != self.program.model.ptr_bytes() {
                return Err(layout());
            }
            let at = Pointer::to(instance, r.offset as i64);
            self.memory.write_pointer(at, Pointer::to(target, r.addend))?;
        }
        Ok(())
    }

    /// Opens a call; `args` is missing for the entry function, whose arguments are inputs.
    fn enter(&mut self, f: FuncId, args: Option<&[Value]>, call: Option<EdgeId>) -> Flow<LocId> {
        let func = &self.program.funcs[f];
        let Some(body) = &func.body else {
            return Err(open(format!("{} has no body", func.name)));
        };
        if self.frames.len() >= CALLS {
            return Err(open("too many calls are open at once"));
        }
        let (vars, objects) = (self.locals.len(), self.objects.len());
        self.locals.resize(vars + self.rooms[f.index()] as usize, Value::Open);
        self.objects.resize(objects + body.objects.len(), None);
        if let Some(args) = args {
            if args.len() != func.params.len() {
                return Err(undefined());
            }
            self.locals[vars..vars + args.len()].copy_from_slice(args);
        }
        self.frames.push(Frame { func: f, vars, objects, scoped: Vec::new(), call });
        Ok(body.entry)
    }

    fn frame(&mut self) -> Flow<&mut Frame> {
        self.frames.last_mut().ok_or_else(|| open("no call is open"))
    }

    /// Closes the running call.
    fn leave(&mut self, result: Value) -> Flow<LocId> {
        let Some(frame) = self.frames.pop() else { return Err(open("no call is open")) };
        let ended: Vec<u32> = self.objects[frame.objects..].iter().copied().flatten().collect();
        ended.into_iter().chain(frame.scoped).for_each(|i| self.memory.end(i));
        self.locals.truncate(frame.vars);
        self.objects.truncate(frame.objects);
        let Some(call) = frame.call else { return Err(Stop::End(SoleEnd::Exit)) };
        self.edge = Some(call);
        let edge = &self.program.edges[call];
        if let Op::Call { dst: Some(dst), .. } = edge.op {
            self.assign(dst, result);
        }
        Ok(edge.dst)
    }

    fn assign(&mut self, v: VarId, value: Value) {
        let slot = match (self.program.vars[v].owner, self.frames.last()) {
            (Some(_), Some(frame)) => &mut self.locals[frame.vars + self.slots[v.index()] as usize],
            _ => &mut self.globals[v.index()],
        };
        *slot = value;
    }

    fn follow(&mut self, mut at: LocId) -> Flow<std::convert::Infallible> {
        loop {
            if self.steps.is_multiple_of(EDGES_PER_BUDGET_CHECK)
                && let Some(limit) = self.budget.exceeded()
            {
                return Err(open(match limit {
                    Limit::Memory => "the memory limit was reached",
                    _ => "the execution takes too long to be followed again",
                }));
            }
            at = self.step(at)?;
        }
    }

    /// One edge.
    fn step(&mut self, at: LocId) -> Flow<LocId> {
        let program = self.program;
        let out = &program.locs[at].out;
        let Some(&first) = out.first() else { return Err(open("an execution cannot go on")) };
        self.edge = Some(first);
        self.steps += 1;
        let edge = &program.edges[first];
        if let Op::Assume { cond, holds } = edge.op {
            let outcome = self.bits(cond)? != 0;
            return match out.get(1) {
                _ if outcome == holds => Ok(edge.dst),
                Some(&other) => Ok(program.edges[other].dst),
                None => Err(Stop::End(SoleEnd::Assumption)),
            };
        }
        self.operation(first)
    }

    fn operation(&mut self, e: EdgeId) -> Flow<LocId> {
        let program = self.program;
        let edge = &program.edges[e];
        match &edge.op {
            Op::Nop => {}
            Op::Assign { dst, value } => {
                let v = self.value(*value)?;
                self.assign(*dst, v);
            }
            Op::Assume { .. } => return Err(open("an assumption stands in the wrong place")),
            Op::Load { dst, addr } => {
                let p = self.pointer(*addr)?;
                let v = self.load(p, program.vars[*dst].ty)?;
                self.assign(*dst, v);
            }
            Op::Store { addr, value } => {
                let p = self.pointer(*addr)?;
                let v = self.value(*value)?;
                self.store(p, program.ty(*value), v)?;
            }
            Op::LoadBits { dst, addr, bit, width } => {
                let p = self.pointer(*addr)?;
                let v = self.load_field(p, *bit, *width, program.vars[*dst].ty)?;
                self.assign(*dst, v);
            }
            Op::StoreBits { addr, bit, width, value } => {
                let p = self.pointer(*addr)?;
                let v = self.bits(*value)?;
                self.memory.write_field(p, *bit, *width, v)?;
            }
            Op::Copy { dst, src, size, may_overlap } => {
                let (d, s) = (self.pointer(*dst)?, self.pointer(*src)?);
                let n = self.bits(*size)? as u64;
                self.memory.copy(d, s, n, *may_overlap)?;
            }
            Op::Fill { dst, byte, size } => {
                let d = self.pointer(*dst)?;
                let (byte, n) = (self.bits(*byte)? as u8, self.bits(*size)? as u64);
                self.memory.fill(d, byte, n)?;
            }
            Op::Begin { obj } => {
                self.end_object(*obj)?;
                let object = &program.objects[*obj];
                let i = self.memory.create(object.size, object.init != Init::Uninit)?;
                self.initialise(*obj, i)?;
                *self.object_slot(*obj)? = Some(i);
            }
            Op::End { obj } => self.end_object(*obj)?,
            Op::Alloc { dst, size, kind, zeroed } => {
                let n = self.bits(*size)? as u64;
                let v = self.allocate(n, *kind, *zeroed)?;
                self.assign(*dst, Value::Pointer(v));
            }
            Op::Free { ptr, kind } => {
                let p = self.pointer(*ptr)?;
                self.free(p, *kind)?;
            }
            Op::Input { name, .. } => {
                let what = format!("the execution takes an input ({name})");
                return Err(Stop::Refused(Rejection::Wrong { what, place: edge.place }));
            }
            Op::Call { dst, callee, args } => return self.call(*dst, callee, args, e),
            Op::Return { value } => {
                let v = match value {
                    Some(v) => self.value(*v)?,
                    None => Value::Open,
                };
                return self.leave(v);
            }
            Op::Trap(_) => return Err(undefined()),
        }
        Ok(edge.dst)
    }

    fn call(&mut self, dst: Option<VarId>, callee: &Callee, args: &[ExprId], e: EdgeId) -> Flow<LocId> {
        let mut values = Vec::with_capacity(args.len());
        for &a in args {
            values.push(self.value(a)?);
        }
        match callee {
            Callee::Func(f) => self.enter(*f, Some(&values), Some(e)),
            Callee::Ptr { target, sig } => {
                let p = self.pointer(*target)?;
                match self.memory.code_at(p) {
                    Some(Code::Func(f)) if self.program.funcs[f].sig == **sig => {
                        self.enter(f, Some(&values), Some(e))
                    }
                    _ => Err(undefined()),
                }
            }
            Callee::Builtin(b) => {
                let result = self.builtin(*b, &values)?;
                if let Some(dst) = dst {
                    self.assign(dst, result);
                }
                Ok(self.program.edges[e].dst)
            }
        }
    }

    // Lives of objects.

    fn object_slot(&mut self, o: ObjId) -> Flow<&mut Option<u32>> {
        let at = self.frame()?.objects + self.object_slots[o.index()] as usize;
        Ok(&mut self.objects[at])
    }

    fn end_object(&mut self, o: ObjId) -> Flow<()> {
        if let Some(i) = *self.object_slot(o)? {
            self.memory.end(i);
        }
        Ok(())
    }

    fn allocate(&mut self, n: u64, kind: AllocKind, zeroed: bool) -> Flow<Pointer> {
        if kind == AllocKind::Heap && n >> (self.program.model.ptr_bits() - 1) != 0 {
            return Ok(Pointer::NULL);
        }
        let i = self.memory.create(n, zeroed)?;
        if kind == AllocKind::Heap {
            self.memory.allocated(i);
        } else {
            self.frame()?.scoped.push(i);
        }
        Ok(Pointer::to(i, 0))
    }

    fn free(&mut self, p: Pointer, kind: AllocKind) -> Flow<()> {
        if p == Pointer::NULL {
            return Ok(());
        }
        if kind != AllocKind::Heap {
            let scoped = &mut self.frame()?.scoped;
            let known = scoped.iter().rposition(|&i| i == p.object).map(|at| scoped.remove(at));
            known.into_iter().for_each(|i| self.memory.end(i));
            return Ok(());
        }
        if p.object == 0 {
            return Err(layout());
        }
        if p.offset != 0 || !self.memory.may_be_freed(p.object) {
            return Err(undefined());
        }
        self.memory.end(p.object);
        Ok(())
    }

    // Memory as values.

    fn load(&mut self, p: Pointer, ty: Ty) -> Flow<Value> {
        if ty == Ty::Ptr {
            return Ok(Value::Pointer(self.memory.read_pointer(p)?));
        }
        let n = ty.bytes(self.program.model);
        let word = self.memory.read_word(p, n)?;
        let mask = u128::MAX >> (128 - u32::from(ty.bits(self.program.model)));
        Ok(Value::Bits(word & mask))
    }

    fn store(&mut self, p: Pointer, ty: Ty, value: Value) -> Flow<()> {
        match value {
            Value::Pointer(q) => self.memory.write_pointer(p, q),
            Value::Bits(bits) => {
                let n = ty.bytes(self.program.model) as usize;
                self.memory.write(p, &bits.to_le_bytes()[..n])
            }
            Value::Open => Err(open("a value that was never assigned is stored")),
        }
    }

    fn load_field(&mut self, p: Pointer, bit: u8, width: u8, ty: Ty) -> Flow<Value> {
        let mut value = self.memory.read_field(p, bit, width)?;
        if let Ty::Int(i) = ty
            && i.signed
            && width > 0
            && width < 128
            && value >> (width - 1) & 1 != 0
        {
            value = (value | u128::MAX << width) & i.mask();
        }
        Ok(Value::Bits(value))
    }
}
