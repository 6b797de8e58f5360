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

use std::collections::BTreeMap;

use cairn_base::EntityRef;
use cairn_ir::graph::{Blocks, Graph};
use cairn_ir::liveness::Liveness;
use cairn_ir::{BinOp, EdgeId, FuncId, IntTy, LocId, Ty, UnOp, VarId};
use rustc_hash::FxHashMap;

use super::scalars::{field_bytes, place_of, set};
use crate::code::{Aux, FuncCode, INIT, Insn, Layout, NO_SLOT, Slot, is_wide, slots_of};
use crate::machine::{Frame, Machine};
use crate::memory::{Fault, Kind, id_of, offset_of};
use crate::slot::{ext_s, ext_u};
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
    /// Something uninitialised was met where nobody was looking out for it.
    pub wanted: bool,
    /// Something uninitialised was computed with since the run began.
    pub ever: bool,
    /// By the host's address of the slot.
    marks: BTreeMap<usize, Mark>,
    /// By function and location, the slots of variables that may still be read.
    live: FxHashMap<FuncId, FxHashMap<LocId, Vec<Slot>>>,
}

/// The operands of a comparison or an operation: a value and its uninitialised bits.
#[derive(Copy, Clone)]
struct Operand {
    value: u64,
    bits: u64,
}

impl Operand {
    fn least(self, signed: bool) -> u64 {
        let top = if signed { self.bits & SIGN } else { 0 };
        (self.value & !self.bits) | top
    }

    fn greatest(self, signed: bool) -> u64 {
        let top = if signed { self.bits & SIGN } else { 0 };
        (self.value | self.bits) & !top
    }
}

const SIGN: u64 = 1 << 63;

#[derive(Copy, Clone, PartialEq, Eq)]
enum Relation {
    Eq,
    LtS,
    LeS,
    LtU,
    LeU,
}

/// Is the outcome the same whatever the uninitialised bits are?
fn is_decided(how: Relation, a: Operand, b: Operand) -> bool {
    let signed = matches!(how, Relation::LtS | Relation::LeS);
    let below = |x: u64, y: u64, or_equal: bool| match (signed, or_equal) {
        (true, true) => x as i64 <= y as i64,
        (true, false) => (x as i64) < y as i64,
        (false, true) => x <= y,
        (false, false) => x < y,
    };
    match how {
        Relation::Eq => (a.value ^ b.value) & !(a.bits | b.bits) != 0,
        _ => {
            let strict = matches!(how, Relation::LtS | Relation::LtU);
            below(a.greatest(signed), b.least(signed), !strict)
                || below(b.greatest(signed), a.least(signed), strict)
        }
    }
}

/// All bits from the lowest that is set on.
fn upward(bits: u64) -> u64 {
    bits | bits.wrapping_neg()
}

/// All bits up to the highest that is set.
fn downward(bits: u64) -> u64 {
    if bits == 0 { 0 } else { u64::MAX >> bits.leading_zeros() }
}

/// All bits of a value of the type, in its slots.
fn whole(ty: Ty) -> (u64, u64) {
    match ty {
        Ty::Bool => (1, 0),
        Ty::Int(IntTy { bits, signed: false }) if bits < 64 => ((1 << bits) - 1, 0),
        Ty::Float(f) if f.bits() < 64 => ((1 << f.bits()) - 1, 0),
        _ => (u64::MAX, if is_wide(ty) { u64::MAX } else { 0 }),
    }
}

/// Uninitialised bits of memory as those of a value of the type, in its slots.
fn extended(ty: Ty, bits: u128) -> (u64, u64) {
    let bits = match ty {
        Ty::Int(i) => {
            let own = bits & i.mask();
            let negative = i.signed && i.bits < 128 && own >> (i.bits - 1) & 1 != 0;
            if negative { own | u128::MAX << i.bits } else { own }
        }
        Ty::Bool => bits & 1,
        _ => bits,
    };
    (bits as u64, if is_wide(ty) { (bits >> 64) as u64 } else { 0 })
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

    /// Looks at an instruction before it is executed. `true`: it has been executed here.
    ///
    /// # Safety
    /// The instruction is that of the running frame, with these slots.
    pub(super) unsafe fn spread(
        &mut self,
        insn: Insn,
        code: *const FuncCode,
        frame: *const Frame,
        s: *mut u64,
    ) -> Result<bool, Stop> {
        use Insn::*;
        let mark = |m: &Self, a: Slot| {
            // SAFETY: a slot of the frame.
            m.spread.marks.get(&unsafe { s.add(a as usize) as usize }).copied()
        };
        let bits = |m: &Self, a: Slot| mark(m, a).map_or(0, |k| k.bits);
        let origin = |m: &Self, slots: &[Slot]| slots.iter().find_map(|&a| mark(m, a)).map(|k| k.origin);
        // SAFETY: slots of the frame.
        let operand = |m: &Self, a: Slot| Operand { value: unsafe { *s.add(a as usize) }, bits: bits(m, a) };
        let number = |v: i32| Operand { value: i64::from(v) as u64, bits: 0 };
        // SAFETY: code of the running frame.
        let aux = |k: u32| unsafe { (&(*code).aux)[k as usize].clone() };
        macro_rules! put {
            ($d:expr, $bits:expr, $($from:expr),*) => {{
                let (bits, from) = ($bits, origin(self, &[$($from),*]));
                // SAFETY: a slot of the frame.
                self.set_mark(unsafe { s.add($d as usize) }, bits, from);
                return Ok(false);
            }};
        }
        // A use that decides something.
        macro_rules! decides {
            ($($a:expr),*) => {
                if let Some(from) = origin(self, &[$($a),*]) {
                    return Err(self.blame(from));
                }
            };
        }
        macro_rules! clean {
            ($d:expr) => {{
                if $d != NO_SLOT {
                    // SAFETY: a slot of the frame.
                    self.set_mark(unsafe { s.add($d as usize) }, 0, None);
                }
                return Ok(false);
            }};
        }
        macro_rules! compare {
            ($d:expr, $how:expr, $a:expr, $b:expr, $($from:expr),*) => {
                put!($d, if is_decided($how, $a, $b) { 0 } else { 1 }, $($from),*)
            };
        }
        macro_rules! branch {
            ($how:expr, $a:expr, $b:expr, $($from:expr),*) => {{
                if !is_decided($how, $a, $b) {
                    decides!($($from),*);
                }
                return Ok(false);
            }};
        }
        // What an operation yields that is uninitialised as a whole if an operand is in part; it is
        // not executed then, since it may mind some values.
        macro_rules! all {
            ($d:expr, $ty:expr, $($from:expr),*) => {{
                let Some(from) = origin(self, &[$($from),*]) else {
                    self.clear($d, $ty, s);
                    return Ok(false);
                };
                self.unknown($d, $ty, from, s);
                return Ok(true);
            }};
        }
        let pointer = |a: Slot, v: i32| {
            // SAFETY: a slot of the frame.
            let p = unsafe { *s.add(a as usize) };
            let by = i64::from(v) as u64;
            match self.program.model {
                cairn_ir::DataModel::Lp64 => p.wrapping_add(by),
                cairn_ir::DataModel::Ilp32 => (p.wrapping_add(by) & 0xffff_ffff) | (p & !0xffff_ffff),
            }
        };
        let (f64, f32) = (Ty::Float(cairn_ir::FloatTy::F64), Ty::Float(cairn_ir::FloatTy::F32));
        match insn {
            Const { d, .. } => clean!(d),
            Mov { d, a } => put!(d, bits(self, a), a),
            Mov2 { d, a } => {
                let (low, high, from) = (bits(self, a), bits(self, a + 1), origin(self, &[a, a + 1]));
                // SAFETY: slots of the frame.
                unsafe {
                    self.set_mark(s.add(d as usize), low, from);
                    self.set_mark(s.add(d as usize + 1), high, from);
                }
                Ok(false)
            }
            GetGlobal { d, g } => {
                // SAFETY: within the slots of global variables.
                let at = unsafe { self.ctx.globals.add(g as usize) } as usize;
                let found = self.spread.marks.get(&at).copied();
                // SAFETY: a slot of the frame.
                let to = unsafe { s.add(d as usize) };
                self.set_mark(to, found.map_or(0, |k| k.bits), found.map(|k| k.origin));
                Ok(false)
            }
            SetGlobal { g, a } => {
                let (bits, from) = (bits(self, a), origin(self, &[a]));
                // SAFETY: within the slots of global variables.
                let to = unsafe { self.ctx.globals.add(g as usize) };
                self.set_mark(to, bits, from);
                Ok(false)
            }

            AddI32 { d, a, b } | SubI32 { d, a, b } | MulI32 { d, a, b } => {
                put!(d, ext_s(upward(bits(self, a) | bits(self, b)), 32), a, b)
            }
            AddU32 { d, a, b } | SubU32 { d, a, b } | MulU32 { d, a, b } => {
                put!(d, ext_u(upward(bits(self, a) | bits(self, b)), 32), a, b)
            }
            Add64 { d, a, b } | Sub64 { d, a, b } | Mul64 { d, a, b } => {
                put!(d, upward(bits(self, a) | bits(self, b)), a, b)
            }
            AddI32Imm { d, a, .. } | MulI32Imm { d, a, .. } => put!(d, ext_s(upward(bits(self, a)), 32), a),
            AddU32Imm { d, a, .. } => put!(d, ext_u(upward(bits(self, a)), 32), a),
            Add64Imm { d, a, .. } | Mul64Imm { d, a, .. } => put!(d, upward(bits(self, a)), a),
            DivS { d, a, b, .. } | RemS { d, a, b, .. } => {
                decides!(b);
                // SAFETY: a slot of the frame.
                if unsafe { *s.add(b as usize) } == u64::MAX {
                    decides!(a);
                }
                put!(d, if bits(self, a) == 0 { 0 } else { u64::MAX }, a)
            }
            DivU { d, a, b } | RemU { d, a, b } => {
                decides!(b);
                let x = operand(self, a);
                put!(d, if x.bits == 0 { 0 } else { downward(x.value | x.bits) }, a)
            }
            ShlS { w, d, a, b } => {
                decides!(b);
                put!(d, ext_s(bits(self, a) << (operand(self, b).value & 63), w), a)
            }
            ShlU { w, d, a, b } => {
                decides!(b);
                put!(d, ext_u(bits(self, a) << (operand(self, b).value & 63), w), a)
            }
            ShrS { d, a, b, .. } => {
                decides!(b);
                put!(d, (bits(self, a) as i64 >> (operand(self, b).value & 63)) as u64, a)
            }
            ShrU { d, a, b, .. } => {
                decides!(b);
                put!(d, bits(self, a) >> (operand(self, b).value & 63), a)
            }
            ShlSImm { w, d, a, v } => put!(d, ext_s(bits(self, a) << v, w), a),
            ShlUImm { w, d, a, v } => put!(d, ext_u(bits(self, a) << v, w), a),
            ShrSImm { d, a, v } => put!(d, (bits(self, a) as i64 >> v) as u64, a),
            ShrUImm { d, a, v } => put!(d, bits(self, a) >> v, a),
            And { d, a, b } => {
                let (x, y) = (operand(self, a), operand(self, b));
                put!(d, (x.bits & y.bits) | (x.bits & y.value) | (x.value & y.bits), a, b)
            }
            Or { d, a, b } => {
                let (x, y) = (operand(self, a), operand(self, b));
                put!(d, (x.bits & y.bits) | (x.bits & !y.value) | (!x.value & y.bits), a, b)
            }
            Xor { d, a, b } => put!(d, bits(self, a) | bits(self, b), a, b),
            AndImm { d, a, v } => put!(d, bits(self, a) & i64::from(v) as u64, a),
            OrImm { d, a, v } => put!(d, bits(self, a) & !(i64::from(v) as u64), a),
            XorImm { d, a, .. } => put!(d, bits(self, a), a),
            ExtS { w, d, a } => put!(d, ext_s(bits(self, a), w), a),
            ExtU { w, d, a } => put!(d, ext_u(bits(self, a), w), a),
            // Whether the result fits depends on it.
            AddChecked { d, a, b, .. }
            | SubChecked { d, a, b, .. }
            | MulChecked { d, a, b, .. }
            | ShlChecked { d, a, b, .. } => {
                decides!(a, b);
                clean!(d)
            }

            Eq { d, a, b } | Ne { d, a, b } => {
                compare!(d, Relation::Eq, operand(self, a), operand(self, b), a, b)
            }
            LtS { d, a, b } => compare!(d, Relation::LtS, operand(self, a), operand(self, b), a, b),
            LeS { d, a, b } => compare!(d, Relation::LeS, operand(self, a), operand(self, b), a, b),
            LtU { d, a, b } => compare!(d, Relation::LtU, operand(self, a), operand(self, b), a, b),
            LeU { d, a, b } => compare!(d, Relation::LeU, operand(self, a), operand(self, b), a, b),
            EqImm { d, a, v } | NeImm { d, a, v } => {
                compare!(d, Relation::Eq, operand(self, a), number(v), a)
            }
            LtSImm { d, a, v } | GeSImm { d, a, v } => {
                compare!(d, Relation::LtS, operand(self, a), number(v), a)
            }
            LeSImm { d, a, v } | GtSImm { d, a, v } => {
                compare!(d, Relation::LeS, operand(self, a), number(v), a)
            }

            FAdd64 { d, a, b } | FSub64 { d, a, b } | FMul64 { d, a, b } | FDiv64 { d, a, b } => {
                all!(d, f64, a, b)
            }
            FEq64 { d, a, b } | FNe64 { d, a, b } | FLt64 { d, a, b } | FLe64 { d, a, b } => {
                all!(d, Ty::Bool, a, b)
            }
            FAdd32 { d, a, b } | FSub32 { d, a, b } | FMul32 { d, a, b } | FDiv32 { d, a, b } => {
                all!(d, f32, a, b)
            }
            SToF64 { d, a } | F32To64 { d, a } => all!(d, f64, a),

            Unary { k, d, a } => {
                let Aux::Unary(op, ty) = aux(k) else { return Ok(false) };
                let second = if is_wide(ty) { a + 1 } else { a };
                if matches!(op, UnOp::Clz | UnOp::Ctz) {
                    decides!(a, second);
                }
                all!(d, op.result(ty).unwrap_or(ty), a, second)
            }
            Binary { k, d, a, b } | BinaryChecked { k, d, a, b } => {
                let Aux::Binary(op, ta, tb) = aux(k.into()) else { return Ok(false) };
                let (a2, b2) = (a + u32::from(is_wide(ta)), b + u32::from(is_wide(tb)));
                let integers = matches!(ta, Ty::Int(_));
                if integers && matches!(op, BinOp::Div | BinOp::Rem | BinOp::Shl | BinOp::Shr) {
                    decides!(b, b2);
                }
                if matches!(insn, BinaryChecked { .. }) || (integers && op == BinOp::Div) {
                    decides!(a, a2, b, b2);
                }
                all!(d, op.result(ta, tb, self.program.model).unwrap_or(ta), a, a2, b, b2)
            }
            Cast { k, d, a } => {
                let Aux::Cast(from, to) = aux(k) else { return Ok(false) };
                let second = if is_wide(from) { a + 1 } else { a };
                // A float that does not fit is undefined.
                if matches!((from, to), (Ty::Float(_), Ty::Int(_))) {
                    decides!(a, second);
                }
                all!(d, to, a, second)
            }

            PtrAdd { d, a, b } | PtrIndex { d, a, b, .. } => all!(d, Ty::Ptr, a, b),
            PtrAddImm { d, a, .. } => all!(d, Ty::Ptr, a),
            PtrSub32 { d, a, b } => all!(d, Ty::I32, a, b),
            PtrEq32 { d, a, b } | PtrLt32 { d, a, b } | PtrLe32 { d, a, b } => all!(d, Ty::Bool, a, b),
            PtrToInt32 { d, a } | IntToPtr32 { d, a } => put!(d, bits(self, a) & 0xffff_ffff, a),

            LoadI8 { d, a, v } => {
                decides!(a);
                self.spread_load(Ty::Int(IntTy::I8), d, pointer(a, v), s)
            }
            LoadU8 { d, a, v } => {
                decides!(a);
                self.spread_load(Ty::Int(IntTy::U8), d, pointer(a, v), s)
            }
            LoadI16 { d, a, v } => {
                decides!(a);
                self.spread_load(Ty::Int(IntTy::I16), d, pointer(a, v), s)
            }
            LoadU16 { d, a, v } => {
                decides!(a);
                self.spread_load(Ty::Int(IntTy::U16), d, pointer(a, v), s)
            }
            LoadI32 { d, a, v } => {
                decides!(a);
                self.spread_load(Ty::Int(IntTy::I32), d, pointer(a, v), s)
            }
            LoadU32 { d, a, v } => {
                decides!(a);
                self.spread_load(Ty::Int(IntTy::U32), d, pointer(a, v), s)
            }
            Load64 { d, a, v } => {
                decides!(a);
                self.spread_load(Ty::Int(IntTy::U64), d, pointer(a, v), s)
            }
            LoadAny { k, d, a, v } => {
                decides!(a);
                let Aux::Type(ty) = aux(k.into()) else { return Ok(false) };
                self.spread_load(ty, d, pointer(a, v), s)
            }
            LoadByte { d, a, .. } => {
                decides!(a);
                clean!(d)
            }
            Store8 { a, b, v } => {
                decides!(a);
                self.spread_store(Ty::Int(IntTy::U8), b, pointer(a, v), s)
            }
            Store16 { a, b, v } => {
                decides!(a);
                self.spread_store(Ty::Int(IntTy::U16), b, pointer(a, v), s)
            }
            Store32 { a, b, v } => {
                decides!(a);
                self.spread_store(Ty::Int(IntTy::U32), b, pointer(a, v), s)
            }
            Store64 { a, b, v } => {
                decides!(a);
                self.spread_store(Ty::Int(IntTy::U64), b, pointer(a, v), s)
            }
            StoreAny { k, a, b, v } => {
                decides!(a);
                let Aux::Type(ty) = aux(k.into()) else { return Ok(false) };
                self.spread_store(ty, b, pointer(a, v), s)
            }
            StoreByte { a, b, .. } => {
                decides!(a);
                self.ctx.mask &= !bits(self, b);
                Ok(false)
            }
            PutMask { .. } | CheckReturned => Ok(false),
            TakeMask { d } => clean!(d),
            LoadBits { k, d, a } => {
                decides!(a);
                // SAFETY: a slot of the frame.
                let p = unsafe { *s.add(a as usize) };
                self.spread_load_bits(&aux(k), d, p, s)
            }
            StoreBits { k, a, b } => {
                decides!(a);
                let unset = bits(self, b);
                if unset == 0 {
                    return Ok(false);
                }
                let Aux::Bits { bit, width, .. } = aux(k) else { return Ok(false) };
                // SAFETY: slots of the frame.
                let p = unsafe {
                    let p = *s.add(a as usize);
                    self.store_bits(&aux(k), s, b, p)?;
                    p
                };
                for i in (0..u32::from(width)).filter(|i| unset >> (*i).min(63) & 1 != 0) {
                    let (byte, one) = place_of(bit, i);
                    let at = p + byte as u64;
                    let old = self.memory.shadow(at, 1).map_or(0xff, |m| m[0]);
                    self.memory.set_shadow(at, old & !one);
                }
                Ok(true)
            }
            Copy { a, b, size, .. } => {
                decides!(a, b, size);
                Ok(false)
            }
            Fill { a, b, size } => {
                decides!(a, size);
                let unset = bits(self, b) as u8;
                if unset == 0 {
                    return Ok(false);
                }
                // SAFETY: slots of the frame.
                let (p, byte, n) =
                    unsafe { (*s.add(a as usize), *s.add(b as usize) as u8, *s.add(size as usize)) };
                self.fill(p, byte, n)?;
                for i in 0..n {
                    self.memory.set_shadow(p + i, !unset);
                }
                Ok(true)
            }

            Begin { .. } | End { .. } => Ok(false),
            Alloc { d, a, .. } => {
                decides!(a);
                clean!(d)
            }
            Free { a, .. } => {
                decides!(a);
                Ok(false)
            }
            Input { k, d } => {
                if let Aux::Input { ty, .. } = aux(k) {
                    self.clear(d, ty, s);
                }
                Ok(false)
            }

            Call { f, args, .. } => {
                let callee = self.code(FuncId::new(f as usize));
                // SAFETY: code lives as long as the machine.
                let params = unsafe { (*callee).layout.params };
                self.pass(code, s, args, params);
                Ok(false)
            }
            CallPtr { k, args, d, .. } => {
                let Aux::CallPtr { target, sig } = aux(k) else { return Ok(false) };
                decides!(target);
                // SAFETY: a slot of the frame.
                let p = unsafe { *s.add(target as usize) };
                match self.memory.cold(id_of(p)).map(|c| c.kind) {
                    Some(Kind::Func(f)) if offset_of(p) == 0 && self.program.funcs[f].body.is_some() => {
                        self.pass(code, s, args, sig.params.iter().map(|&t| slots_of(t)).sum());
                        Ok(false)
                    }
                    _ => clean!(d),
                }
            }
            CallBuiltin { k, args, d } => {
                let Aux::Builtin { args: types, .. } = aux(k.into()) else { return Ok(false) };
                let n: u32 = types.iter().map(|&t| slots_of(t)).sum();
                let slots: Vec<Slot> = (args..args + n).collect();
                if let Some(from) = origin(self, &slots) {
                    return Err(self.blame(from));
                }
                clean!(d)
            }
            CallUnknown { d, .. } => clean!(d),
            CallError { .. } | CallMismatch { .. } => Ok(false),
            Ret { a, .. } => {
                // SAFETY: code of the running frame.
                let wide = unsafe { (*code).wide_result };
                let second = if wide { a + 1 } else { a };
                let (low, high) = (bits(self, a), bits(self, second));
                let from = origin(self, &[a, second]);
                // SAFETY: there is always a frame below.
                let below = unsafe { &*frame.sub(1) };
                // The exit code is for the world outside.
                if below.code.is_null() {
                    decides!(a, second);
                }
                // SAFETY: the running frame and its code.
                let (dst, slots) = unsafe { ((*frame).dst, (*code).slots) };
                self.forget(s as usize, s as usize + 8 * slots as usize);
                if dst != NO_SLOT {
                    // SAFETY: slots of the frame below.
                    unsafe {
                        self.set_mark(below.base.add(dst as usize), low, from);
                        if wide {
                            self.set_mark(below.base.add(dst as usize + 1), high, from);
                        }
                    }
                }
                Ok(false)
            }
            RetVoid { .. } | RetNone { .. } => {
                // SAFETY: the running frame and its code.
                let slots = unsafe { (*code).slots };
                self.forget(s as usize, s as usize + 8 * slots as usize);
                Ok(false)
            }

            Br { a, .. } | BrNot { a, .. } => branch!(Relation::Eq, operand(self, a), number(0), a),
            BrEq { a, b, .. } | BrNe { a, b, .. } => {
                branch!(Relation::Eq, operand(self, a), operand(self, b), a, b)
            }
            BrLtS { a, b, .. } => branch!(Relation::LtS, operand(self, a), operand(self, b), a, b),
            BrLeS { a, b, .. } => branch!(Relation::LeS, operand(self, a), operand(self, b), a, b),
            BrLtU { a, b, .. } => branch!(Relation::LtU, operand(self, a), operand(self, b), a, b),
            BrLeU { a, b, .. } => branch!(Relation::LeU, operand(self, a), operand(self, b), a, b),
            BrEqImm { a, v, .. } | BrNeImm { a, v, .. } => {
                branch!(Relation::Eq, operand(self, a), number(v), a)
            }
            BrLtSImm { a, v, .. } | BrGeSImm { a, v, .. } => {
                branch!(Relation::LtS, operand(self, a), number(v), a)
            }
            BrLeSImm { a, v, .. } | BrGtSImm { a, v, .. } => {
                branch!(Relation::LeS, operand(self, a), number(v), a)
            }
            Assume { a, .. } => {
                decides!(a);
                Ok(false)
            }
            CheckInit { a, v } => {
                // SAFETY: a slot of the frame.
                let shadow = unsafe { s.add(a as usize) };
                // SAFETY: as above; code of the running frame.
                let (unset, at) = unsafe { (!*shadow, (*code).layout.vars.get(&v).copied()) };
                if unset != 0
                    && let Some(at) = at
                {
                    let ty = self.program.vars[v].ty;
                    let (low, high) = match ty {
                        _ if is_wide(ty) => (u64::MAX, u64::MAX),
                        Ty::Ptr => (unset, 0),
                        _ => extended(ty, unset.into()),
                    };
                    // SAFETY: slots of the frame.
                    unsafe {
                        *shadow = INIT;
                        self.set_mark(s.add(at as usize), low, Some(Origin::Variable(v)));
                        if is_wide(ty) {
                            self.set_mark(s.add(at as usize + 1), high, Some(Origin::Variable(v)));
                        }
                    }
                }
                Ok(true)
            }
            Jump { .. } | Trap { .. } | Stuck | Hot { .. } | Native { .. } => Ok(false),
        }
    }

    /// The arguments of a call as the parameters of the frame that it opens.
    fn pass(&mut self, code: *const FuncCode, s: *mut u64, args: Slot, params: u32) {
        // SAFETY: the next frame begins where the slots of this one end.
        let next = unsafe { s.add((*code).slots as usize) };
        for i in 0..params {
            // SAFETY: slots of both frames.
            let (from, to) = unsafe { (s.add((args + i) as usize), next.add(i as usize)) };
            let mark = self.spread.marks.get(&(from as usize)).copied();
            self.set_mark(to, mark.map_or(0, |k| k.bits), mark.map(|k| k.origin));
        }
    }

    /// A value of the type is set that is initialised.
    fn clear(&mut self, d: Slot, ty: Ty, s: *mut u64) {
        for i in (0..slots_of(ty)).filter(|_| d != NO_SLOT) {
            // SAFETY: slots of the frame.
            self.set_mark(unsafe { s.add((d + i) as usize) }, 0, None);
        }
    }

    /// A value of the type is set that is not initialised at all.
    fn unknown(&mut self, d: Slot, ty: Ty, from: Origin, s: *mut u64) {
        let (low, high) = whole(ty);
        // SAFETY: slots of the frame.
        unsafe {
            set(s, d, ty, 0);
            self.set_mark(s.add(d as usize), low, Some(from));
            if is_wide(ty) {
                self.set_mark(s.add(d as usize + 1), high, Some(from));
            }
        }
    }

    /// Loads a value of which some bits are not initialised.
    fn spread_load(&mut self, ty: Ty, d: Slot, p: u64, s: *mut u64) -> Result<bool, Stop> {
        let n = ty.bytes(self.program.model) as u32;
        let mut unset = 0u128;
        for (i, &mask) in self.memory.shadow(p, n).unwrap_or(&[]).iter().take(16).enumerate() {
            unset |= u128::from(!mask) << (8 * i);
        }
        // Bytes of padding in the value count for nothing.
        unset &= u128::MAX >> (128 - u32::from(ty.bits(self.program.model)));
        if unset == 0 {
            self.clear(d, ty, s);
            // Padding is all that may be uninitialised, and other modes mind it.
            if self.memory.first_uninit(p, n).is_none() {
                return Ok(false);
            }
        }
        let Ok(bytes) = self.memory.bytes(p, n) else { return Ok(false) };
        let mut all = [0; 16];
        all[..bytes.len()].copy_from_slice(bytes);
        let bits = u128::from_le_bytes(all) & (u128::MAX >> (128 - u32::from(ty.bits(self.program.model))));
        let bits = if ty == Ty::Ptr { self.memory.resolve(bits as u64).into() } else { bits };
        let (low, high) = extended(ty, unset);
        let at = self.memory.first_uninit(p, n).unwrap_or(0);
        let from = Some(Origin::Memory { ptr: p, size: n, at });
        // SAFETY: slots of the frame.
        unsafe {
            set(s, d, ty, bits);
            self.set_mark(s.add(d as usize), low, from);
            if is_wide(ty) {
                self.set_mark(s.add(d as usize + 1), high, from);
            }
        }
        Ok(true)
    }

    /// Stores a value of which some bits are not initialised.
    fn spread_store(&mut self, ty: Ty, b: Slot, p: u64, s: *mut u64) -> Result<bool, Stop> {
        // SAFETY: slots of the frame.
        let at = |i: u32| unsafe { s.add((b + i) as usize) };
        let mark = |m: &Self, i: u32| m.spread.marks.get(&(at(i) as usize)).map_or(0, |k| k.bits);
        let high = if is_wide(ty) { mark(self, 1) } else { 0 };
        let unset = u128::from(mark(self, 0)) | u128::from(high) << 64;
        let n = ty.bytes(self.program.model);
        if unset == 0 || self.memory.writing(p, n as u32).is_none() {
            return Ok(false);
        }
        // SAFETY: slots of the frame.
        let value = unsafe { super::scalars::get(s, b, ty) };
        self.write_value(p, ty, value)?;
        for i in 0..n.min(16) {
            let byte = (unset >> (8 * i)) as u8;
            if byte != 0 {
                self.memory.set_shadow(p + i, !byte);
            }
        }
        Ok(true)
    }

    /// Loads a bit-field of which some bits are not initialised.
    fn spread_load_bits(&mut self, aux: &Aux, d: Slot, p: u64, s: *mut u64) -> Result<bool, Stop> {
        let Aux::Bits { bit, width, ty } = *aux else { return Ok(false) };
        let n = field_bytes(bit, width);
        let mut unset = 0u128;
        let mut first = None;
        if let Some(shadow) = self.memory.shadow(p, n) {
            for i in 0..u32::from(width) {
                let (byte, one) = place_of(bit, i);
                if shadow[byte] & one == 0 {
                    unset |= 1 << i;
                    first.get_or_insert(byte as u32);
                }
            }
        }
        let Some(at) = first else {
            self.clear(d, ty, s);
            return Ok(false);
        };
        let Ok(bytes) = self.memory.bytes(p, n) else { return Ok(false) };
        let mut value = 0u128;
        for i in 0..u32::from(width) {
            let (byte, one) = place_of(bit, i);
            if bytes[byte] & one != 0 {
                value |= 1 << i;
            }
        }
        let field = Ty::Int(IntTy { bits: width.max(1), signed: matches!(ty, Ty::Int(i) if i.signed) });
        if let (Ty::Int(i), Ty::Int(narrow)) = (ty, field) {
            value = narrow.number(value) as u128 & i.mask();
        }
        let (low, high) = {
            let (low, high) = extended(field, unset);
            // The sign of a field reaches to the end of the type.
            extended(ty, u128::from(low) | u128::from(if low >> 63 != 0 { u64::MAX } else { high }) << 64)
        };
        let from = Some(Origin::Memory { ptr: p, size: n, at });
        // SAFETY: slots of the frame.
        unsafe {
            set(s, d, ty, value);
            self.set_mark(s.add(d as usize), low, from);
            if is_wide(ty) {
                self.set_mark(s.add(d as usize + 1), high, from);
            }
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some(value: u64, bits: u64) -> Operand {
        Operand { value, bits }
    }

    #[test]
    fn comparisons_are_decided_by_what_is_known() {
        let any = some(0, u64::MAX);
        assert!(!is_decided(Relation::Eq, any, some(3, 0)));
        // A known bit differs.
        assert!(is_decided(Relation::Eq, some(0, 0xfe), some(1, 0)));
        assert!(!is_decided(Relation::Eq, some(0, 0xff), some(1, 0)));
        // A byte is less than 256 whatever it is.
        assert!(is_decided(Relation::LtU, some(0, 0xff), some(256, 0)));
        assert!(is_decided(Relation::LtS, some(0, 0xff), some(256, 0)));
        assert!(!is_decided(Relation::LtS, some(0, 0xff), some(255, 0)));
        assert!(is_decided(Relation::LeS, some(0, 0xff), some(255, 0)));
        // The sign alone decides.
        assert!(is_decided(Relation::LtS, some(SIGN, 0xff), some(0, 0)));
        assert!(!is_decided(Relation::LtS, some(0, SIGN), some(0, 0)));
    }

    #[test]
    fn bits_reach_as_far_as_carries_and_signs_do() {
        assert_eq!(upward(0b1000), !0b111);
        assert_eq!(upward(0), 0);
        assert_eq!(downward(0b100), 0b111);
        assert_eq!(extended(Ty::Int(IntTy::I8), 0x80), (!0x7f, 0));
        assert_eq!(extended(Ty::Int(IntTy::U8), 0x80), (0x80, 0));
        assert_eq!(whole(Ty::Int(IntTy::U32)), (0xffff_ffff, 0));
    }
}
