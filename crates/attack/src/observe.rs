//! What the executor does: the steps of a run, and the checks it comes to.
//!
//! How a pointer looks in memory differs between readings. Where a run reads one as
//! something else, byte by byte for instance, what follows cannot be compared;
//! so it is kept in mind where pointers were stored.

use cairn_base::Budget;
use cairn_core::{InputValue, Task, Trace, replay};
use cairn_ir::{Bits, EdgeId, Expr, FuncId, Init, LocId, Op, Program, Ty};
use cairn_sem::{Captured, End, Executor, InputRecord, Observer, View, Window, Written};

use rustc_hash::FxHashSet;

use crate::checks::Checks;

/// Bytes of a copy that are looked at.
const COPIED: u64 = 4096;

/// A run that is over.
pub struct Observed {
    /// The edges that were executed to their end, with the value of the variable they assign.
    pub steps: Vec<(EdgeId, Option<Bits>)>,
    pub end: End,
    pub inputs: Vec<InputValue>,
    /// How many edges were executed.
    pub count: u64,
    /// Behind the last of the steps the run depends on where objects lie.
    pub layout: bool,
}

/// Can every run be expected to report this edge? Edges without an effect are left out by some.
pub fn is_telling(op: &Op, program: &Program) -> bool {
    match op {
        Op::Assign { dst, value } => program.exprs.get(*value) != Expr::Var(*dst),
        Op::Load { .. }
        | Op::Store { .. }
        | Op::LoadBits { .. }
        | Op::StoreBits { .. }
        | Op::Copy { .. }
        | Op::Fill { .. }
        | Op::Alloc { .. }
        | Op::Free { .. }
        | Op::Input { .. }
        | Op::Call { .. } => true,
        _ => false,
    }
}

struct Recorder<'a> {
    program: &'a Program,
    checks: &'a Checks,
    reached: &'a mut [bool],
    most: usize,
    /// The program says where its objects lie, and so how pointers look in memory.
    placed: bool,
    steps: Vec<(EdgeId, Option<Bits>)>,
    /// Where pointers were stored: the object and the offset.
    pointers: FxHashSet<(u64, i64)>,
    /// A pointer is being read: is that what is expected there?
    touched: bool,
    layout: bool,
}

impl Recorder<'_> {
    /// Keeps in mind that a pointer may be in memory.
    fn stored(&mut self, view: &View<'_, '_>, at: u64) {
        if let Some(to) = view.pointee(at) {
            self.pointers.insert((to.serial, to.offset));
        }
    }

    /// May the memory have a part of a pointer in it?
    fn has_pointer(&self, view: &View<'_, '_>, from: Written) -> bool {
        let Some(to) = view.pointee(from.pointer) else { return false };
        let word = self.program.model.ptr_bytes() as i64;
        let around = to.offset - word + 1..to.offset + from.size as i64;
        let data = to.object.map(|o| &self.program.objects[o].init);
        let is_static = |at: i64| match data {
            Some(Init::Static(d)) => d.relocs.iter().any(|r| r.offset as i64 == at),
            _ => false,
        };
        around.into_iter().any(|at| self.pointers.contains(&(to.serial, at)) || is_static(at))
    }

    /// Looks for pointers in memory that was copied to.
    fn copied(&mut self, view: &View<'_, '_>, to: Written) {
        let word = self.program.model.ptr_bytes();
        let mut at = 0;
        while at + word <= to.size.min(COPIED) {
            let pointer = to.pointer.wrapping_add(at);
            if let Some(bits) = view.read(pointer, Ty::Ptr)
                && view.pointee(bits as u64).is_some()
            {
                self.stored(view, pointer);
            }
            at += word;
        }
    }
}

impl Observer for Recorder<'_> {
    fn enter(&mut self, _: &View<'_, '_>, _: FuncId) {}

    fn leave(&mut self, _: &View<'_, '_>, _: EdgeId, _: Option<Bits>) {}

    fn head(&mut self, _: &View<'_, '_>, _: LocId) {}

    fn loads(&mut self, view: &View<'_, '_>, from: Written) {
        self.touched = !self.layout && !self.placed && self.has_pointer(view, from);
    }

    fn edge(&mut self, view: &View<'_, '_>, edge: EdgeId, written: Option<Written>) {
        let e = &self.program.edges[edge];
        match (&e.op, written) {
            (Op::Store { value, .. }, Some(to)) if self.program.ty(*value) == Ty::Ptr => {
                self.stored(view, to.pointer);
            }
            (Op::Store { .. }, Some(to)) => {
                if let Some(to) = view.pointee(to.pointer) {
                    self.pointers.remove(&(to.serial, to.offset));
                }
            }
            (Op::Copy { .. }, Some(to)) => self.copied(view, to),
            _ => {}
        }
        let touched = std::mem::take(&mut self.touched);
        if touched && e.op.def().is_some_and(|v| self.program.vars[v].ty != Ty::Ptr) {
            self.layout = true;
        }
        if let Op::Assume { .. } = e.op {
            let call = view.frames().nth(1).map(|f| f.1);
            if let Some(n) = self.checks.find(e.src, call) {
                self.reached[n] = true;
            }
        } else if !self.layout && self.steps.len() < self.most && is_telling(&e.op, self.program) {
            self.steps.push((edge, e.op.def().and_then(|v| view.var(v))));
        }
    }

    fn skipped(&mut self, _: &View<'_, '_>, _: u64) {}
}

/// Runs the task's program on a trace, keeping so many steps at most.
pub fn run(
    task: &Task,
    trace: &Trace,
    checks: &Checks,
    reached: &mut [bool],
    most: usize,
    budget: Budget,
) -> Observed {
    let program = &task.program;
    let mut recorder = Recorder {
        program,
        checks,
        reached,
        most,
        placed: program.places_objects(),
        steps: Vec::new(),
        pointers: FxHashSet::default(),
        touched: false,
        layout: false,
    };
    let executor = Executor::new(program, replay::options(task, trace), budget);
    let outcome = executor.run_observed(&mut Captured::default(), Window::ALL, &mut recorder);
    Observed {
        steps: recorder.steps,
        end: outcome.end,
        inputs: outcome.inputs.into_iter().map(input).collect(),
        count: outcome.steps,
        layout: recorder.layout,
    }
}

fn input(i: InputRecord) -> InputValue {
    InputValue { name: i.name, ty: i.ty, bits: i.bits, place: i.place }
}
