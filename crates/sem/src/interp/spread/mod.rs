//! How uninitialised data spreads through values, as in MemorySanitizer
//! (Stepanov and Serebryany 2015): copying it and computing with it is allowed, and
//! what depends on it is uninitialised in turn, bit by bit where that is cheap;
//! a use that decides something is undefined.
//!
//! The code of a function says nothing of this, and both tiers run it as if all
//! data were initialised. Where a load or a variable turns out not to be, the
//! interpreter goes on in the mode that is defined here, which looks at each
//! instruction before it is executed. Slots that hold uninitialised bits have
//! a [`Mark`]. When the running frame has none that matters, the other modes
//! take over again; they come back here when they return to a frame with marks.
//!
//! [`bits`] says what becomes of uninitialised bits in values, [`rules`] what each instruction does with
//! them, [`transfer`] how they get from memory into slots and back.
//!
//! # Why so
//!
//! *Uninitialised data spreads in a mode of its own* (`sem::interp::spread`, the rules of MemorySanitizer).
//! Code of both tiers only notices that something is uninitialised; the interpreter then looks at each
//! instruction, with marks on slots, until the frame holds no marked slot that is live. Programs that never
//! meet such data pay nothing.

mod bits;
mod rules;
mod transfer;

use std::collections::BTreeMap;

use cairn_ir::graph::{Blocks, Graph};
use cairn_ir::liveness::Liveness;
use cairn_ir::{EdgeId, FuncId, LocId, VarId};
use rustc_hash::FxHashMap;

use crate::code::{FuncCode, Layout, Slot, is_wide, slots_of};
use crate::machine::Machine;
use crate::memory::Fault;
use crate::stop::{Cause, Stop};

/// Where uninitialised bits come from.
#[derive(Copy, Clone, Debug)]
enum Origin {
    /// A read of so many bytes, of which this one was the first.
    Memory {
        ptr: u64,
        size: u32,
        at: u32,
    },
    Variable(VarId),
}

/// A slot that holds uninitialised bits: those that are set. (A pointer of ILP32 counts by the
/// bits of its address.)
#[derive(Copy, Clone, Debug)]
struct Mark {
    bits: u64,
    origin: Origin,
}

#[derive(Default)]
pub(crate) struct Spread {
    /// Something uninitialised was met by code that keeps no marks.
    pub wanted: bool,
    /// Something uninitialised was computed with since the run began.
    pub ever: bool,
    /// By the host's address of the slot.
    marks: BTreeMap<usize, Mark>,
    /// By function and location, the slots of variables that may still be read.
    live: FxHashMap<FuncId, FxHashMap<LocId, Vec<Slot>>>,
}

impl Machine<'_> {
    /// Must the running frame be executed in this mode?
    pub(crate) fn is_spreading(&self) -> bool {
        self.spread.wanted || (!self.spread.marks.is_empty() && self.has_marks())
    }

    /// Is the slot at this address marked as uninitialised, in part at least?
    pub(crate) fn is_marked(&self, slot: *const u64) -> bool {
        self.spread.marks.contains_key(&(slot as usize))
    }

    /// Has the running frame a mark, or a global variable?
    #[cold]
    pub(crate) fn has_marks(&self) -> bool {
        // SAFETY: the running frame is valid.
        let (base, slots) = unsafe {
            let frame = &*self.ctx.frame;
            (frame.base as usize, frame.code.as_ref().map_or(0, |c| c.slots))
        };
        let any = |from: usize, n: usize| self.spread.marks.range(from..from + 8 * n).next().is_some();
        any(base, slots as usize) || any(self.ctx.globals as usize, self.global_slots())
    }

    /// Before an instruction of another edge: forgets what no longer matters. Is nothing left?
    pub(super) unsafe fn settle(&mut self, code: *const FuncCode, s: *mut u64, edge: EdgeId) -> bool {
        if self.spread.marks.is_empty() {
            return true;
        }
        // SAFETY: code of the running frame.
        let code = unsafe { &*code };
        let layout = &code.layout;
        let slot = |n: u32| s as usize + 8 * n as usize;
        // Temporaries live no longer than their edge.
        self.forget(slot(layout.temps), slot(code.slots));
        let marked: Vec<Slot> = (self.spread.marks.range(slot(0)..slot(layout.temps)))
            .map(|(&at, _)| ((at - slot(0)) / 8) as Slot)
            .collect();
        if !marked.is_empty() {
            self.learn_liveness(code.func);
            let loc = self.program.edges[edge].src;
            let live = self.spread.live.get(&code.func).and_then(|f| f.get(&loc));
            let dead: Vec<Slot> =
                marked.iter().copied().filter(|m| live.is_some_and(|l| !l.contains(m))).collect();
            for d in dead {
                self.spread.marks.remove(&slot(d));
            }
            // What has a shadow of its own is left to it.
            for (v, &shadow) in &layout.shadows {
                if let Some(&at) = layout.vars.get(v)
                    && !is_wide(self.program.vars[*v].ty)
                    && let Some(mark) = self.spread.marks.remove(&slot(at))
                {
                    // SAFETY: a slot of the frame.
                    unsafe { *s.add(shadow as usize) = !mark.bits };
                }
            }
        }
        !self.has_marks()
    }

    fn learn_liveness(&mut self, func: FuncId) {
        if self.spread.live.contains_key(&func) {
            return;
        }
        let mut found = FxHashMap::default();
        // SAFETY: the running frame is valid, and its code alive.
        let layout: &Layout = unsafe { &(*(*self.ctx.frame).code).layout };
        if let Some(graph) = Graph::new(self.program, func) {
            let blocks = Blocks::new(self.program, &graph);
            Liveness::new(self.program, &graph, &blocks).each(|loc, live| {
                let mut slots: Vec<Slot> = Vec::new();
                for v in live {
                    if let Some(&at) = layout.vars.get(v) {
                        slots.extend(at..at + slots_of(self.program.vars[*v].ty));
                    }
                }
                found.insert(loc, slots);
            });
        }
        self.spread.live.insert(func, found);
    }

    fn forget(&mut self, from: usize, to: usize) {
        while let Some((&at, _)) = self.spread.marks.range(from..to).next() {
            self.spread.marks.remove(&at);
        }
    }

    fn set_mark(&mut self, at: *const u64, bits: u64, origin: Option<Origin>) {
        match origin {
            Some(origin) if bits != 0 => {
                self.spread.ever = true;
                self.spread.marks.insert(at as usize, Mark { bits, origin });
            }
            _ => {
                self.spread.marks.remove(&(at as usize));
            }
        }
    }

    fn blame(&self, origin: Origin) -> Stop {
        match origin {
            Origin::Variable(v) => Cause::UninitVar(v).into(),
            Origin::Memory { ptr, size, at } => {
                Cause::Access { fault: Fault::Uninit(at), ptr, size: size.into(), write: false }.into()
            }
        }
    }
}
