//! What each instruction does with uninitialised bits: carries them on, or decides something by them.

use cairn_base::EntityRef;
use cairn_ir::{BinOp, FuncId, IntTy, Ty, UnOp};

use super::super::scalars::place_of;
use super::Origin;
use super::bits::{Operand, Relation, downward, extended, is_decided, upward};
use crate::code::{Aux, FuncCode, INIT, Insn, NO_SLOT, Slot, is_wide, slots_of};
use crate::machine::{Frame, Machine};
use crate::memory::{Kind, id_of, offset_of};
use crate::slot::{ext_s, ext_u};
use crate::stop::Stop;

impl Machine<'_> {
    /// Looks at an instruction before it is executed. `true`: it has been executed here.
    ///
    /// # Safety
    /// The instruction is that of the running frame, with these slots.
    pub(in crate::interp) unsafe fn spread(
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
}
