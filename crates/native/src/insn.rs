//! One instruction of compact code at a time.

use cairn_base::EntityRef;
use cairn_ir::{BinOp, FloatTy, FuncId, IntTy, Ty, UnOp};
use cairn_sem::code::{Aux, INIT, Insn, Slot};
use cairn_sem::machine::Context;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Type, Value, types};
use std::mem::offset_of;

use crate::generate::{Gen, I64, own};

const I32: Type = types::I32;
const F32: Type = types::F32;
const F64: Type = types::F64;

/// A value of the width of a float, as an integer.
fn word_of(ty: Type) -> Type {
    if ty == F64 { I64 } else { I32 }
}

impl Gen<'_, '_> {
    pub fn insn(&mut self, insn: Insn) {
        use IntCC::*;
        match insn {
            Insn::Const { d, v } => {
                let value = self.int(v as i64);
                self.set(d, value);
                self.note_constant(d, v);
            }
            Insn::Mov { d, a } => {
                let (v, target) = (self.get(a), self.known.get(a));
                self.set(d, v);
                self.known.note(d, target);
            }
            Insn::Mov2 { d, a } => {
                let (low, high) = (self.get(a), self.get(a + 1));
                self.set(d, low);
                self.set(d + 1, high);
            }
            Insn::GetGlobal { d, g } => {
                let v = self.b.ins().load(I64, own(), self.globals, g as i32 * 8);
                self.set(d, v);
            }
            Insn::SetGlobal { g, a } => {
                let v = self.get(a);
                self.b.ins().store(own(), v, self.globals, g as i32 * 8);
            }

            Insn::AddI32 { d, a, b } => self.int32(d, a, b, true, |g, x, y| g.b.ins().iadd(x, y)),
            Insn::AddU32 { d, a, b } => self.int32(d, a, b, false, |g, x, y| g.b.ins().iadd(x, y)),
            Insn::SubI32 { d, a, b } => self.int32(d, a, b, true, |g, x, y| g.b.ins().isub(x, y)),
            Insn::SubU32 { d, a, b } => self.int32(d, a, b, false, |g, x, y| g.b.ins().isub(x, y)),
            Insn::MulI32 { d, a, b } => self.int32(d, a, b, true, |g, x, y| g.b.ins().imul(x, y)),
            Insn::MulU32 { d, a, b } => self.int32(d, a, b, false, |g, x, y| g.b.ins().imul(x, y)),
            Insn::AddI32Imm { d, a, v } => self.int32_imm(d, a, v, true, |g, x, y| g.b.ins().iadd(x, y)),
            Insn::AddU32Imm { d, a, v } => self.int32_imm(d, a, v, false, |g, x, y| g.b.ins().iadd(x, y)),
            Insn::MulI32Imm { d, a, v } => self.int32_imm(d, a, v, true, |g, x, y| g.b.ins().imul(x, y)),
            Insn::Add64 { d, a, b } => self.int64(d, a, b, |g, x, y| g.b.ins().iadd(x, y)),
            Insn::Sub64 { d, a, b } => self.int64(d, a, b, |g, x, y| g.b.ins().isub(x, y)),
            Insn::Mul64 { d, a, b } => self.int64(d, a, b, |g, x, y| g.b.ins().imul(x, y)),
            Insn::And { d, a, b } => self.int64(d, a, b, |g, x, y| g.b.ins().band(x, y)),
            Insn::Or { d, a, b } => self.int64(d, a, b, |g, x, y| g.b.ins().bor(x, y)),
            Insn::Xor { d, a, b } => self.int64(d, a, b, |g, x, y| g.b.ins().bxor(x, y)),
            Insn::Add64Imm { d, a, v } => self.int64_imm(d, a, v, |g, x, y| g.b.ins().iadd(x, y)),
            Insn::Mul64Imm { d, a, v } => self.int64_imm(d, a, v, |g, x, y| g.b.ins().imul(x, y)),
            Insn::AndImm { d, a, v } => self.int64_imm(d, a, v, |g, x, y| g.b.ins().band(x, y)),
            Insn::OrImm { d, a, v } => self.int64_imm(d, a, v, |g, x, y| g.b.ins().bor(x, y)),
            Insn::XorImm { d, a, v } => self.int64_imm(d, a, v, |g, x, y| g.b.ins().bxor(x, y)),

            Insn::DivS { w, d, a, b } => {
                let (x, y) = self.divisible(w, a, b);
                let q = self.b.ins().sdiv(x, y);
                self.set_extended(d, q);
            }
            Insn::RemS { w, d, a, b } => {
                let (x, y) = self.divisible(w, a, b);
                let r = self.b.ins().srem(x, y);
                self.set_extended(d, r);
            }
            Insn::DivU { d, a, b } => {
                let (x, y) = (self.get(a), self.get(b));
                let zero = self.b.ins().icmp_imm_s(Equal, y, 0);
                self.check_not(zero);
                let q = self.b.ins().udiv(x, y);
                self.set(d, q);
            }
            Insn::RemU { d, a, b } => {
                let (x, y) = (self.get(a), self.get(b));
                let zero = self.b.ins().icmp_imm_s(Equal, y, 0);
                self.check_not(zero);
                let r = self.b.ins().urem(x, y);
                self.set(d, r);
            }
            Insn::ShlS { w, d, a, b } => {
                let (x, n) = self.shiftable(w, a, b);
                let v = self.b.ins().ishl(x, n);
                let v = self.extend(v, w, true);
                self.set(d, v);
            }
            Insn::ShlU { w, d, a, b } => {
                let (x, n) = self.shiftable(w, a, b);
                let v = self.b.ins().ishl(x, n);
                let v = self.extend(v, w, false);
                self.set(d, v);
            }
            Insn::ShrS { w, d, a, b } => {
                let (x, n) = self.shiftable(w, a, b);
                let v = self.b.ins().sshr(x, n);
                self.set(d, v);
            }
            Insn::ShrU { w, d, a, b } => {
                let (x, n) = self.shiftable(w, a, b);
                let v = self.b.ins().ushr(x, n);
                self.set(d, v);
            }
            Insn::ShlSImm { w, d, a, v } => {
                let x = self.get(a);
                let x = self.b.ins().ishl_imm_u(x, i64::from(v));
                let x = self.extend(x, w, true);
                self.set(d, x);
            }
            Insn::ShlUImm { w, d, a, v } => {
                let x = self.get(a);
                let x = self.b.ins().ishl_imm_u(x, i64::from(v));
                let x = self.extend(x, w, false);
                self.set(d, x);
            }
            Insn::ShrSImm { d, a, v } => {
                let x = self.get(a);
                let x = self.b.ins().sshr_imm_u(x, i64::from(v));
                self.set(d, x);
            }
            Insn::ShrUImm { d, a, v } => {
                let x = self.get(a);
                let x = self.b.ins().ushr_imm_u(x, i64::from(v));
                self.set(d, x);
            }
            Insn::ExtS { w, d, a } => {
                let x = self.get(a);
                let x = self.extend(x, w, true);
                self.set(d, x);
            }
            Insn::ExtU { w, d, a } => {
                let x = self.get(a);
                let x = self.extend(x, w, false);
                self.set(d, x);
            }
            Insn::AddChecked { w, d, a, b } => {
                let (x, y) = (self.get(a), self.get(b));
                let (v, out) = self.b.ins().sadd_overflow(x, y);
                self.in_range(w, d, v, out);
            }
            Insn::SubChecked { w, d, a, b } => {
                let (x, y) = (self.get(a), self.get(b));
                let (v, out) = self.b.ins().ssub_overflow(x, y);
                self.in_range(w, d, v, out);
            }
            Insn::MulChecked { w, d, a, b } => {
                let (x, y) = (self.get(a), self.get(b));
                let (v, out) = self.b.ins().smul_overflow(x, y);
                self.in_range(w, d, v, out);
            }
            Insn::ShlChecked { w, d, a, b } => {
                let (x, n) = self.shiftable(w, a, b);
                let v = self.b.ins().ishl(x, n);
                let v = self.extend(v, w, true);
                let back = self.b.ins().sshr(v, n);
                let out = self.b.ins().icmp(NotEqual, back, x);
                self.check_not(out);
                self.set(d, v);
            }

            Insn::Eq { d, a, b } => self.compare(Equal, d, a, b),
            Insn::Ne { d, a, b } => self.compare(NotEqual, d, a, b),
            Insn::LtS { d, a, b } => self.compare(SignedLessThan, d, a, b),
            Insn::LeS { d, a, b } => self.compare(SignedLessThanOrEqual, d, a, b),
            Insn::LtU { d, a, b } => self.compare(UnsignedLessThan, d, a, b),
            Insn::LeU { d, a, b } => self.compare(UnsignedLessThanOrEqual, d, a, b),
            Insn::EqImm { d, a, v } => self.compare_imm(Equal, d, a, v),
            Insn::NeImm { d, a, v } => self.compare_imm(NotEqual, d, a, v),
            Insn::LtSImm { d, a, v } => self.compare_imm(SignedLessThan, d, a, v),
            Insn::LeSImm { d, a, v } => self.compare_imm(SignedLessThanOrEqual, d, a, v),
            Insn::GtSImm { d, a, v } => self.compare_imm(SignedGreaterThan, d, a, v),
            Insn::GeSImm { d, a, v } => self.compare_imm(SignedGreaterThanOrEqual, d, a, v),

            Insn::FAdd64 { d, a, b } => self.float(F64, d, a, b, |g, x, y| g.b.ins().fadd(x, y)),
            Insn::FSub64 { d, a, b } => self.float(F64, d, a, b, |g, x, y| g.b.ins().fsub(x, y)),
            Insn::FMul64 { d, a, b } => self.float(F64, d, a, b, |g, x, y| g.b.ins().fmul(x, y)),
            Insn::FDiv64 { d, a, b } => self.float(F64, d, a, b, |g, x, y| g.b.ins().fdiv(x, y)),
            Insn::FAdd32 { d, a, b } => self.float(F32, d, a, b, |g, x, y| g.b.ins().fadd(x, y)),
            Insn::FSub32 { d, a, b } => self.float(F32, d, a, b, |g, x, y| g.b.ins().fsub(x, y)),
            Insn::FMul32 { d, a, b } => self.float(F32, d, a, b, |g, x, y| g.b.ins().fmul(x, y)),
            Insn::FDiv32 { d, a, b } => self.float(F32, d, a, b, |g, x, y| g.b.ins().fdiv(x, y)),
            Insn::FEq64 { d, a, b } => self.float_compare(FloatCC::Equal, F64, d, a, b),
            Insn::FNe64 { d, a, b } => self.float_compare(FloatCC::NotEqual, F64, d, a, b),
            Insn::FLt64 { d, a, b } => self.float_compare(FloatCC::LessThan, F64, d, a, b),
            Insn::FLe64 { d, a, b } => self.float_compare(FloatCC::LessThanOrEqual, F64, d, a, b),
            Insn::SToF64 { d, a } => {
                let x = self.get(a);
                let x = self.b.ins().fcvt_from_sint(F64, x);
                self.set_float(F64, d, x);
            }
            Insn::F32To64 { d, a } => {
                let x = self.get_float(F32, a);
                let x = self.b.ins().fpromote(F64, x);
                self.set_number(F64, d, x);
            }
            Insn::Unary { k, d, a } => self.unary(k, d, a),
            Insn::Binary { k, d, a, b } => self.binary(k, d, a, b),
            Insn::Cast { k, d, a } => self.cast(k, d, a),

            Insn::PtrAdd { d, a, b } => {
                let by = self.get(b);
                self.move_pointer(d, a, by);
            }
            Insn::PtrAddImm { d, a, v } => {
                let by = self.int(i64::from(v));
                self.move_near(d, a, by);
            }
            Insn::PtrIndex { scale, d, a, b } => {
                let index = self.get(b);
                let by = self.b.ins().imul_imm_s(index, i64::from(scale));
                self.move_pointer(d, a, by);
            }
            Insn::PtrSub32 { d, a, b } => self.flat_difference(d, a, b),
            Insn::PtrEq32 { d, a, b } => self.flat_compare(Equal, d, a, b),
            Insn::PtrLt32 { d, a, b } => self.flat_compare(UnsignedLessThan, d, a, b),
            Insn::PtrLe32 { d, a, b } => self.flat_compare(UnsignedLessThanOrEqual, d, a, b),

            Insn::LoadI8 { d, a, v } => self.load(types::I8, true, d, a, v),
            Insn::LoadU8 { d, a, v } => self.load(types::I8, false, d, a, v),
            Insn::LoadI16 { d, a, v } => self.load(types::I16, true, d, a, v),
            Insn::LoadU16 { d, a, v } => self.load(types::I16, false, d, a, v),
            Insn::LoadI32 { d, a, v } => self.load(I32, true, d, a, v),
            Insn::LoadU32 { d, a, v } => self.load(I32, false, d, a, v),
            Insn::Load64 { d, a, v } => self.load(I64, false, d, a, v),
            Insn::Store8 { a, b, v } => self.store(types::I8, a, b, v),
            Insn::Store16 { a, b, v } => self.store(types::I16, a, b, v),
            Insn::Store32 { a, b, v } => self.store(I32, a, b, v),
            Insn::Store64 { a, b, v } => self.store(I64, a, b, v),
            Insn::LoadByte { signed, d, a, v } => self.load_byte(signed, d, a, v),
            Insn::PutMask { a } => {
                let v = self.get(a);
                self.set_context(offset_of!(Context, mask), v);
            }
            Insn::TakeMask { d } => {
                let v = self.context(offset_of!(Context, mask));
                self.set(d, v);
            }

            Insn::Call { n, f, args, d } => self.call(n, FuncId::new(f as usize), args, d),
            Insn::CheckReturned => {
                let mask = self.context(offset_of!(Context, mask));
                let silent = self.b.ins().icmp_imm_s(NotEqual, mask, INIT as i64);
                self.check_not(silent);
            }
            Insn::Ret { n, a } => self.ret(n, Some(a), INIT),
            Insn::RetVoid { n } => self.ret(n, None, INIT),
            Insn::RetNone { n } => self.ret(n, None, 0),

            Insn::Jump { n, t } => self.goto(n, t),
            Insn::Br { n, a, t } => self.branch_imm(n, NotEqual, a, 0, t),
            Insn::BrNot { n, a, t } => self.branch_imm(n, Equal, a, 0, t),
            Insn::BrEq { n, a, b, t } => self.branch_on(n, Equal, a, b, t),
            Insn::BrNe { n, a, b, t } => self.branch_on(n, NotEqual, a, b, t),
            Insn::BrLtS { n, a, b, t } => self.branch_on(n, SignedLessThan, a, b, t),
            Insn::BrLeS { n, a, b, t } => self.branch_on(n, SignedLessThanOrEqual, a, b, t),
            Insn::BrLtU { n, a, b, t } => self.branch_on(n, UnsignedLessThan, a, b, t),
            Insn::BrLeU { n, a, b, t } => self.branch_on(n, UnsignedLessThanOrEqual, a, b, t),
            Insn::BrEqImm { n, a, v, t } => self.branch_imm(n, Equal, a, v, t),
            Insn::BrNeImm { n, a, v, t } => self.branch_imm(n, NotEqual, a, v, t),
            Insn::BrLtSImm { n, a, v, t } => self.branch_imm(n, SignedLessThan, a, v, t),
            Insn::BrLeSImm { n, a, v, t } => self.branch_imm(n, SignedLessThanOrEqual, a, v, t),
            Insn::BrGtSImm { n, a, v, t } => self.branch_imm(n, SignedGreaterThan, a, v, t),
            Insn::BrGeSImm { n, a, v, t } => self.branch_imm(n, SignedGreaterThanOrEqual, a, v, t),

            Insn::Assume { holds, a } => {
                let x = self.get(a);
                let fails = if holds { Equal } else { NotEqual };
                let fails = self.b.ins().icmp_imm_s(fails, x, 0);
                self.check_not(fails);
            }
            Insn::CheckInit { a, .. } => {
                let x = self.get(a);
                let uninit = self.b.ins().icmp_imm_s(NotEqual, x, INIT as i64);
                self.check_not(uninit);
            }
            Insn::Hot { .. } | Insn::Native { .. } => {}

            Insn::PtrToInt32 { d, a } => self.pointer_to_int(d, a),
            Insn::IntToPtr32 { d, a } => self.int_to_pointer(d, a),
            Insn::LoadAny { k, d, a, v } if self.is_pointer(k) => self.load_pointer(d, a, v),
            Insn::StoreAny { k, a, b, v } if self.is_pointer(k) => self.store_pointer(a, b, v),

            Insn::BinaryChecked { .. }
            | Insn::LoadAny { .. }
            | Insn::StoreAny { .. }
            | Insn::StoreByte { .. }
            | Insn::LoadBits { .. }
            | Insn::StoreBits { .. }
            | Insn::Copy { .. }
            | Insn::Fill { .. }
            | Insn::Begin { .. }
            | Insn::End { .. }
            | Insn::Alloc { .. }
            | Insn::Free { .. }
            | Insn::Input { .. }
            | Insn::CallUnknown { .. } => self.ask_machine(),
            Insn::CallBuiltin { k, .. } => match &self.code.aux[k as usize] {
                Aux::Builtin { builtin, .. } if builtin.returns() => self.ask_machine(),
                _ => self.give_up(),
            },
            Insn::CallPtr { n, k, args, d } => self.call_pointer(n, k, args, d),
            Insn::CallError { .. } | Insn::CallMismatch { .. } | Insn::Trap { .. } | Insn::Stuck => {
                self.give_up()
            }
        }
    }

    fn is_pointer(&self, k: u16) -> bool {
        self.code.aux[usize::from(k)] == Aux::Type(Ty::Ptr)
    }

    // Integers.

    fn low(&mut self, s: Slot) -> Value {
        let v = self.get(s);
        self.b.ins().ireduce(I32, v)
    }

    fn int32(&mut self, d: Slot, a: Slot, b: Slot, signed: bool, op: fn(&mut Self, Value, Value) -> Value) {
        let (x, y) = (self.low(a), self.low(b));
        let v = op(self, x, y);
        self.set_from32(d, v, signed);
    }

    fn int32_imm(
        &mut self,
        d: Slot,
        a: Slot,
        v: i32,
        signed: bool,
        op: fn(&mut Self, Value, Value) -> Value,
    ) {
        let x = self.low(a);
        let y = self.b.ins().iconst(I32, i64::from(v as u32));
        let v = op(self, x, y);
        self.set_from32(d, v, signed);
    }

    fn set_from32(&mut self, d: Slot, v: Value, signed: bool) {
        let v = if signed { self.b.ins().sextend(I64, v) } else { self.b.ins().uextend(I64, v) };
        self.set(d, v);
    }

    fn int64(&mut self, d: Slot, a: Slot, b: Slot, op: fn(&mut Self, Value, Value) -> Value) {
        let (x, y) = (self.get(a), self.get(b));
        let v = op(self, x, y);
        self.set(d, v);
    }

    fn int64_imm(&mut self, d: Slot, a: Slot, v: i32, op: fn(&mut Self, Value, Value) -> Value) {
        let x = self.get(a);
        let y = self.int(i64::from(v));
        let v = op(self, x, y);
        self.set(d, v);
    }

    /// The low `w` bits of a value, extended.
    pub fn extend(&mut self, v: Value, w: u16, signed: bool) -> Value {
        let narrow = match w {
            64.. => return v,
            8 => types::I8,
            16 => types::I16,
            32 => I32,
            _ => {
                let n = 64 - i64::from(w);
                let v = self.b.ins().ishl_imm_u(v, n);
                return if signed { self.b.ins().sshr_imm_u(v, n) } else { self.b.ins().ushr_imm_u(v, n) };
            }
        };
        let v = self.b.ins().ireduce(narrow, v);
        if signed { self.b.ins().sextend(I64, v) } else { self.b.ins().uextend(I64, v) }
    }

    /// The operands of a signed division that is defined, of 32 bits if that is enough.
    fn divisible(&mut self, w: u16, a: Slot, b: Slot) -> (Value, Value) {
        let (x, y) = (self.get(a), self.get(b));
        let zero = self.b.ins().icmp_imm_s(IntCC::Equal, y, 0);
        self.check_not(zero);
        let minus_one = self.b.ins().icmp_imm_s(IntCC::Equal, y, -1);
        let smallest = self.b.ins().icmp_imm_s(IntCC::Equal, x, i64::MIN >> (64 - w));
        let out = self.b.ins().band(minus_one, smallest);
        self.check_not(out);
        if w > 32 {
            return (x, y);
        }
        (self.b.ins().ireduce(I32, x), self.b.ins().ireduce(I32, y))
    }

    fn set_extended(&mut self, d: Slot, v: Value) {
        if self.b.func.dfg.value_type(v) == I32 {
            self.set_from32(d, v, true);
        } else {
            self.set(d, v);
        }
    }

    /// The operands of a shift whose count is defined.
    fn shiftable(&mut self, w: u16, a: Slot, b: Slot) -> (Value, Value) {
        let (x, n) = (self.get(a), self.get(b));
        let bad = self.b.ins().icmp_imm_u(IntCC::UnsignedGreaterThanOrEqual, n, i64::from(w));
        self.check_not(bad);
        (x, n)
    }

    /// Sets `d` to a 64-bit result that must be a value of a signed type of `w` bits; `out` says
    /// that it left 64 bits.
    fn in_range(&mut self, w: u16, d: Slot, v: Value, out: Value) {
        self.check_not(out);
        if w < 64 {
            let back = self.extend(v, w, true);
            let out = self.b.ins().icmp(IntCC::NotEqual, back, v);
            self.check_not(out);
        }
        self.set(d, v);
    }

    pub fn set_bool(&mut self, d: Slot, v: Value) {
        let v = self.b.ins().uextend(I64, v);
        self.set(d, v);
    }

    fn compare(&mut self, cc: IntCC, d: Slot, a: Slot, b: Slot) {
        let (x, y) = (self.get(a), self.get(b));
        let v = self.b.ins().icmp(cc, x, y);
        self.set_bool(d, v);
    }

    fn compare_imm(&mut self, cc: IntCC, d: Slot, a: Slot, v: i32) {
        let x = self.get(a);
        let v = self.b.ins().icmp_imm_s(cc, x, i64::from(v));
        self.set_bool(d, v);
    }

    fn branch_on(&mut self, n: u16, cc: IntCC, a: Slot, b: Slot, t: u32) {
        let (x, y) = (self.get(a), self.get(b));
        let cond = self.b.ins().icmp(cc, x, y);
        self.branch(n, cond, t);
    }

    fn branch_imm(&mut self, n: u16, cc: IntCC, a: Slot, v: i32, t: u32) {
        let x = self.get(a);
        let cond = self.b.ins().icmp_imm_s(cc, x, i64::from(v));
        self.branch(n, cond, t);
    }

    // Floats.

    fn get_float(&mut self, ty: Type, s: Slot) -> Value {
        let v = self.get(s);
        let v = if ty == F32 { self.b.ins().ireduce(I32, v) } else { v };
        self.b.ins().bitcast(ty, MemFlagsData::new(), v)
    }

    fn set_float(&mut self, ty: Type, d: Slot, v: Value) {
        let v = self.b.ins().bitcast(word_of(ty), MemFlagsData::new(), v);
        let v = if ty == F32 { self.b.ins().uextend(I64, v) } else { v };
        self.set(d, v);
    }

    /// Sets `d` unless the result is a NaN, whose bits are for the interpreter to choose.
    fn set_number(&mut self, ty: Type, d: Slot, v: Value) {
        let nan = self.b.ins().fcmp(FloatCC::Unordered, v, v);
        self.check_not(nan);
        self.set_float(ty, d, v);
    }

    fn float(&mut self, ty: Type, d: Slot, a: Slot, b: Slot, op: fn(&mut Self, Value, Value) -> Value) {
        let (x, y) = (self.get_float(ty, a), self.get_float(ty, b));
        let v = op(self, x, y);
        self.set_number(ty, d, v);
    }

    fn float_compare(&mut self, cc: FloatCC, ty: Type, d: Slot, a: Slot, b: Slot) {
        let (x, y) = (self.get_float(ty, a), self.get_float(ty, b));
        let v = self.b.ins().fcmp(cc, x, y);
        self.set_bool(d, v);
    }

    fn unary(&mut self, k: u32, d: Slot, a: Slot) {
        let Aux::Unary(op, Ty::Float(f)) = self.code.aux[k as usize] else { return self.ask_machine() };
        let (ty, sign) = match f {
            FloatTy::F32 => (F32, 1i64 << 31),
            FloatTy::F64 => (F64, i64::MIN),
            FloatTy::X80 | FloatTy::F128 => return self.ask_machine(),
        };
        match op {
            UnOp::Neg => {
                let (x, sign) = (self.get(a), self.int(sign));
                let v = self.b.ins().bxor(x, sign);
                self.set(d, v);
            }
            UnOp::Fabs => {
                let (x, rest) = (self.get(a), self.int(!sign));
                let v = self.b.ins().band(x, rest);
                self.set(d, v);
            }
            UnOp::Sqrt => {
                let x = self.get_float(ty, a);
                let v = self.b.ins().sqrt(x);
                self.set_number(ty, d, v);
            }
            UnOp::IsNan => {
                let x = self.get_float(ty, a);
                let v = self.b.ins().fcmp(FloatCC::Unordered, x, x);
                self.set_bool(d, v);
            }
            _ => self.ask_machine(),
        }
    }

    fn binary(&mut self, k: u16, d: Slot, a: Slot, b: Slot) {
        let cc = match self.code.aux[usize::from(k)] {
            Aux::Binary(BinOp::Eq, Ty::Float(FloatTy::F32), _) => FloatCC::Equal,
            Aux::Binary(BinOp::Ne, Ty::Float(FloatTy::F32), _) => FloatCC::NotEqual,
            Aux::Binary(BinOp::Lt, Ty::Float(FloatTy::F32), _) => FloatCC::LessThan,
            Aux::Binary(BinOp::Le, Ty::Float(FloatTy::F32), _) => FloatCC::LessThanOrEqual,
            _ => return self.ask_machine(),
        };
        self.float_compare(cc, F32, d, a, b);
    }

    fn cast(&mut self, k: u32, d: Slot, a: Slot) {
        let Aux::Cast(from, to) = self.code.aux[k as usize] else { return self.ask_machine() };
        let host = |ty| match ty {
            Ty::Float(FloatTy::F32) => Some(F32),
            Ty::Float(FloatTy::F64) => Some(F64),
            _ => None,
        };
        match (from, to, host(from), host(to)) {
            (Ty::Int(i), _, _, Some(ty)) if i.bits <= 64 => {
                let x = self.get(a);
                let v = if i.bits == 64 && !i.signed {
                    self.b.ins().fcvt_from_uint(ty, x)
                } else {
                    self.b.ins().fcvt_from_sint(ty, x)
                };
                self.set_float(ty, d, v);
            }
            (_, Ty::Int(i), Some(ty), _) if i.bits <= 64 => {
                let x = self.get_float(ty, a);
                let x = if ty == F32 { self.b.ins().fpromote(F64, x) } else { x };
                self.float_to_int(i, d, x);
            }
            (_, _, Some(F64), Some(F32)) => {
                let x = self.get_float(F64, a);
                let v = self.b.ins().fdemote(F32, x);
                self.set_number(F32, d, v);
            }
            _ => self.ask_machine(),
        }
    }

    /// Truncation of an `f64`, where that is a value of the type.
    fn float_to_int(&mut self, i: IntTy, d: Slot, x: Value) {
        let power = |n: u8| 2f64.powi(i32::from(n));
        // Both bounds are exact, except that `-2^63 - 1` is not: there the bound itself is good.
        let (low, high) =
            if i.signed { (-power(i.bits - 1), power(i.bits - 1)) } else { (0.0, power(i.bits)) };
        let (cc, low) = if low - 1.0 == low {
            (FloatCC::GreaterThanOrEqual, low)
        } else {
            (FloatCC::GreaterThan, low - 1.0)
        };
        let (low, high) = (self.b.ins().f64const(low), self.b.ins().f64const(high));
        let above = self.b.ins().fcmp(cc, x, low);
        let below = self.b.ins().fcmp(FloatCC::LessThan, x, high);
        let inside = self.b.ins().band(above, below);
        let outside = self.b.ins().icmp_imm_s(IntCC::Equal, inside, 0);
        self.check_not(outside);
        let v = if i.bits == 64 && !i.signed {
            self.b.ins().fcvt_to_uint_sat(I64, x)
        } else {
            self.b.ins().fcvt_to_sint_sat(I64, x)
        };
        self.set(d, v);
    }
}
