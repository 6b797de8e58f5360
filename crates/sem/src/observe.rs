//! Watching a run, edge by edge.
//!
//! Only runs started with [`Executor::run_observed`] are watched: the loop of
//! the interpreter is compiled once more for them, so that all others pay
//! nothing. Instructions know their edges, which is all it takes: an edge is
//! over when an instruction of another one (or of the same one again) is next.
//!
//! A long run need not be watched from beginning to end, see [`Window`].

use cairn_ir::{Bits, DataModel, EdgeId, FuncId, LocId, ObjId, Op, Program, Ty, VarId};

use crate::code::{FuncCode, INIT, Insn, is_wide};
use crate::machine::Machine;
use crate::memory::{Kind, id_of};
use crate::slot::to_bits;

/// Sees what a run does. Operations that never finish (the last one of a run that fails) are not
/// reported; edges without an effect may be left out.
pub trait Observer {
    /// A function was entered; its parameters have their values.
    fn enter(&mut self, view: &View<'_, '_>, func: FuncId);

    /// A function is about to return.
    fn leave(&mut self, view: &View<'_, '_>, edge: EdgeId, result: Option<Bits>);

    /// The head of a loop is visited.
    fn head(&mut self, view: &View<'_, '_>, loc: LocId);

    /// An edge was executed; `written` is the memory it wrote to. Calls are reported when they
    /// have returned and their result is in place.
    fn edge(&mut self, view: &View<'_, '_>, edge: EdgeId, written: Option<Written>);

    /// This memory is about to be loaded from, by an edge that is not over.
    fn loads(&mut self, _view: &View<'_, '_>, _from: Written) {}

    /// So many steps were not watched; the run may be anywhere now.
    fn skipped(&mut self, view: &View<'_, '_>, steps: u64);
}

/// A stretch of memory, by a pointer in register form.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Written {
    pub pointer: u64,
    pub size: u64,
}

/// The part of a run that is watched: its first steps, and those from some step on.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Window {
    pub first: u64,
    pub from: u64,
}

impl Window {
    pub const ALL: Window = Window { first: u64::MAX, from: 0 };

    fn contains(self, step: u64) -> bool {
        step < self.first || step >= self.from
    }

    /// The next step at which watching begins or ends.
    pub(crate) fn border(self, step: u64) -> u64 {
        let later = |border: u64| if step < border { border } else { u64::MAX };
        later(self.first).min(later(self.from))
    }
}

/// What a pointer points to.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Pointee {
    pub kind: Kind,
    pub object: Option<ObjId>,
    /// Tells apart objects that were made one after the other.
    pub serial: u64,
    pub size: u64,
    pub offset: i64,
    pub live: bool,
}

/// The state of the machine, for reading.
pub struct View<'m, 'r> {
    machine: &'m Machine<'r>,
}

impl View<'_, '_> {
    pub fn program(&self) -> &Program {
        self.machine.program
    }

    /// Has the run computed with something uninitialised?
    pub fn met_uninitialised(&self) -> bool {
        self.machine.spread.ever
    }

    /// The value of a variable of the running function or of a global one. `None` if it has none.
    pub fn var(&self, v: VarId) -> Option<Bits> {
        let m = self.machine;
        let ty = m.program.vars[v].ty;
        // SAFETY: slots of the running frame, or of the globals, laid out by the same tables.
        unsafe {
            let frame = &*m.ctx.frame;
            let code = frame.code.as_ref()?;
            let at = match code.layout.vars.get(&v) {
                Some(&slot) => {
                    if let Some(&shadow) = code.layout.shadows.get(&v)
                        && *frame.base.add(shadow as usize) != INIT
                    {
                        return None;
                    }
                    frame.base.add(slot as usize)
                }
                None if m.program.vars[v].owner.is_none() => m.ctx.globals.add(m.statics.globals[v] as usize),
                None => return None,
            };
            if m.is_marked(at) {
                return None;
            }
            Some(to_bits(ty, *at, if is_wide(ty) { *at.add(1) } else { 0 }))
        }
    }

    /// An initialised value in memory; pointers come in register form.
    pub fn read(&self, pointer: u64, ty: Ty) -> Option<Bits> {
        self.machine.read_value(pointer, ty).ok()
    }

    /// The object that a pointer in register form points to. `None` for null and plain numbers.
    pub fn pointee(&self, pointer: u64) -> Option<Pointee> {
        let (id, offset) = self.machine.locate(pointer);
        let cold = self.machine.memory.cold(id).filter(|c| c.kind != Kind::Nothing)?;
        Some(Pointee {
            kind: cold.kind,
            object: cold.obj,
            serial: cold.serial,
            size: cold.size.into(),
            offset,
            live: self.machine.memory.is_live(id),
        })
    }

    /// The open functions, innermost first, each with the edge it is executing.
    pub fn frames(&self) -> impl Iterator<Item = (FuncId, EdgeId)> {
        self.machine.open_frames().enumerate().map(|(i, frame)| {
            // SAFETY: code of open frames is alive.
            let code = unsafe { &*frame.code };
            (code.func, code.edge(if i == 0 { frame.pc } else { frame.pc.saturating_sub(1) }))
        })
    }
}

/// Where watching stands.
pub(crate) struct Watch<'r> {
    observer: &'r mut dyn Observer,
    pub(crate) window: Window,
    /// The edge that the running frame is executing, and its last instruction that was seen.
    pending: Option<EdgeId>,
    pc: u32,
    depth: u32,
    written: Option<Written>,
    /// The step since which the observer was away.
    away: Option<u64>,
}

impl<'r> Watch<'r> {
    pub fn new(observer: &'r mut dyn Observer, window: Window) -> Watch<'r> {
        Watch { observer, window, pending: None, pc: 0, depth: 0, written: None, away: None }
    }
}

impl Machine<'_> {
    /// Is the step that comes next to be watched?
    pub(crate) fn watched(&mut self) -> bool {
        let steps = self.ctx.steps;
        let Some(mut watch) = self.watch.take() else { return false };
        let wanted = watch.window.contains(steps);
        if !wanted {
            watch.away.get_or_insert(steps);
        } else if let Some(since) = watch.away.take() {
            (watch.pending, watch.written, watch.depth) = (None, None, self.depth());
            watch.observer.skipped(&View { machine: self }, steps - since);
        }
        self.watch = Some(watch);
        wanted
    }

    /// The instruction at `pc` of the running frame is next.
    pub(crate) fn observe(&mut self, pc: u32) {
        let Some(mut watch) = self.watch.take() else { return };
        // SAFETY: code of the running frame is alive.
        let code = unsafe {
            (*self.ctx.frame).pc = pc;
            &*(*self.ctx.frame).code
        };
        self.observed(&mut watch, code, pc);
        self.watch = Some(watch);
    }

    fn observed(&self, watch: &mut Watch<'_>, code: &FuncCode, pc: u32) {
        let view = View { machine: self };
        let depth = self.depth();
        if depth > watch.depth {
            watch.pending = None;
            watch.observer.enter(&view, code.func);
        } else if depth < watch.depth {
            // Behind a call.
            watch.pc = pc.saturating_sub(1);
            watch.pending = Some(code.edge(watch.pc));
        }
        watch.depth = depth;
        let edge = code.edge(pc);
        if watch.pending != Some(edge) || pc <= watch.pc {
            if let Some(done) = watch.pending {
                let done = self.taken(code, done, pc);
                watch.observer.edge(&view, done, watch.written.take());
            }
            watch.pending = Some(edge);
        }
        watch.pc = pc;
        match code.insns[pc as usize] {
            // The first one counts calls of the function.
            Insn::Hot { k } if pc != 0 => watch.observer.head(&view, code.hot[k as usize].loc),
            Insn::Ret { a, .. } => {
                let ty = self.program.funcs[code.func].sig.ret;
                let result =
                    ty.map(|ty| to_bits(ty, self.slot(a), if is_wide(ty) { self.slot(a + 1) } else { 0 }));
                watch.observer.leave(&view, edge, result);
                watch.pending = None;
            }
            Insn::RetVoid { .. } | Insn::RetNone { .. } => {
                watch.observer.leave(&view, edge, None);
                watch.pending = None;
            }
            insn => {
                watch.written = self.destination(code, insn).or(watch.written);
                if let Some(from) = self.source(code, insn) {
                    watch.observer.loads(&view, from);
                }
            }
        }
    }

    /// Of the two edges of a branch, the one that led to `pc`.
    fn taken(&self, code: &FuncCode, edge: EdgeId, pc: u32) -> EdgeId {
        let e = &self.program.edges[edge];
        if !matches!(e.op, Op::Assume { .. }) {
            return edge;
        }
        let leads = |&&x: &&EdgeId| code.loc_pc.get(&self.program.edges[x].dst) == Some(&pc);
        self.program.locs[e.src].out.iter().find(leads).copied().unwrap_or(edge)
    }

    fn slot(&self, slot: u32) -> u64 {
        // SAFETY: slots named by instructions lie in the running frame.
        unsafe { *(*self.ctx.frame).base.add(slot as usize) }
    }

    /// The pointer in a slot, moved by a constant.
    fn moved(&self, a: u32, v: i32) -> u64 {
        let p = self.slot(a);
        match self.program.model {
            DataModel::Lp64 => p.wrapping_add(i64::from(v) as u64),
            DataModel::Ilp32 => u64::from(id_of(p)) << 32 | u64::from((p as u32).wrapping_add(v as u32)),
        }
    }

    /// The memory that an instruction is about to load from.
    fn source(&self, code: &FuncCode, insn: Insn) -> Option<Written> {
        let at = |pointer, size| Some(Written { pointer, size });
        match insn {
            Insn::LoadI8 { a, v, .. } | Insn::LoadU8 { a, v, .. } | Insn::LoadByte { a, v, .. } => {
                at(self.moved(a, v), 1)
            }
            Insn::LoadI16 { a, v, .. } | Insn::LoadU16 { a, v, .. } => at(self.moved(a, v), 2),
            Insn::LoadI32 { a, v, .. } | Insn::LoadU32 { a, v, .. } => at(self.moved(a, v), 4),
            Insn::Load64 { a, v, .. } => at(self.moved(a, v), 8),
            Insn::LoadAny { k, a, v, .. } => match code.aux[k as usize] {
                crate::code::Aux::Type(ty) => at(self.moved(a, v), ty.bytes(self.program.model)),
                _ => None,
            },
            Insn::LoadBits { k, a, .. } => match code.aux[k as usize] {
                crate::code::Aux::Bits { bit, width, .. } => {
                    at(self.slot(a), u64::from(bit + width).div_ceil(8))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The memory that an instruction is about to write to.
    fn destination(&self, code: &FuncCode, insn: Insn) -> Option<Written> {
        let moved = |a: u32, v: i32| self.moved(a, v);
        let at = |pointer, size| Some(Written { pointer, size });
        match insn {
            Insn::Store8 { a, v, .. } | Insn::StoreByte { a, v, .. } => at(moved(a, v), 1),
            Insn::Store16 { a, v, .. } => at(moved(a, v), 2),
            Insn::Store32 { a, v, .. } => at(moved(a, v), 4),
            Insn::Store64 { a, v, .. } => at(moved(a, v), 8),
            Insn::StoreAny { k, a, v, .. } => match code.aux[k as usize] {
                crate::code::Aux::Type(ty) => at(moved(a, v), ty.bytes(self.program.model)),
                _ => None,
            },
            Insn::StoreBits { a, .. } => at(self.slot(a), 1),
            Insn::Copy { a, size, .. } | Insn::Fill { a, size, .. } => at(self.slot(a), self.slot(size)),
            _ => None,
        }
    }
}
