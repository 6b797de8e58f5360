//! Pointers and memory.
//!
//! An access looks its object up in the table, compares the end of the access
//! with the object's size (0 if it is dead), and checks or sets the shadow if
//! the object has one. Everything that is not plainly good is left to the
//! interpreter.

use std::mem::offset_of;

use cairn_sem::code::{INIT, Slot};
use cairn_sem::machine::Context;
use cairn_sem::memory::{Entry, id_of, offset_of as pointer_offset};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Type, Value, types};

use crate::generate::{Gen, I64, data, own};
use crate::known::{KnownObject, KnownPointer};

/// An access that is in bounds.
struct Place {
    entry: Value,
    offset: Value,
}

impl Gen<'_, '_> {
    /// A pointer displaced by a constant.
    fn moved_by(&mut self, p: Value, v: i32) -> Value {
        if v == 0 {
            return p;
        }
        let by = self.int(i64::from(v));
        self.moved(p, by)
    }

    /// A pointer displaced: in ILP32 only its offset moves.
    fn moved(&mut self, p: Value, by: Value) -> Value {
        let sum = self.b.ins().iadd(p, by);
        if !self.is_flat() {
            return sum;
        }
        let offset = self.extend(sum, 32, false);
        let high = self.int(-1 << 32);
        let id = self.b.ins().band(p, high);
        self.b.ins().bor(id, offset)
    }

    /// `d := a + by`. LP64: a displacement beyond 2 GiB is for the interpreter to judge.
    pub fn move_pointer(&mut self, d: Slot, a: Slot, by: Value) {
        if !self.is_flat() {
            let near = self.extend(by, 32, true);
            let far = self.b.ins().icmp(IntCC::NotEqual, near, by);
            self.check_not(far);
        }
        self.move_near(d, a, by);
    }

    pub fn move_near(&mut self, d: Slot, a: Slot, by: Value) {
        let (p, target) = (self.get(a), self.target(a));
        let p = self.moved(p, by);
        self.set(d, p);
        if let Some(target) = target {
            let offset = self.moved_offset(target.offset, by);
            self.known.note(d, Some(KnownPointer { offset, ..target }));
        }
    }

    /// An offset displaced; it is out of bounds, as an unsigned number, if it left the object.
    fn moved_offset(&mut self, offset: Value, by: Value) -> Value {
        let sum = self.b.ins().iadd(offset, by);
        if self.is_flat() { self.extend(sum, 32, false) } else { sum }
    }

    /// Remembers that the constant in `d` may be the address of a static object.
    pub fn note_constant(&mut self, d: Slot, v: u64) {
        if let Some(object) = self.known.static_object(id_of(v)) {
            let offset = self.int(i64::from(pointer_offset(v)));
            self.known.note(d, Some(KnownPointer { object, offset }));
        }
    }

    fn size_field(write: bool) -> usize {
        if write { offset_of!(Entry, wsize) } else { offset_of!(Entry, size) }
    }

    /// The entry of the object that `p` names.
    pub fn entry_of(&mut self, p: Value) -> Value {
        let id = self.b.ins().ushr_imm_u(p, 32);
        let len = self.b.use_var(self.table_len);
        let unknown = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, id, len);
        self.check_not(unknown);
        let at = self.b.ins().ishl_imm_u(id, i64::from(size_of::<Entry>().trailing_zeros()));
        let table = self.b.use_var(self.table);
        self.b.ins().iadd(table, at)
    }

    /// Checks the bounds of an access to `n` bytes at `a + v`.
    fn place(&mut self, a: Slot, v: i32, n: u32, write: bool) -> Place {
        if let Some(target) = self.target(a)
            && !(write && target.object.is_readonly())
            && let Some(last) = target.object.size().checked_sub(u64::from(n))
        {
            return self.known_place(target, v, last);
        }
        let p = self.get(a);
        let p = self.moved_by(p, v);
        let entry = self.entry_of(p);
        let offset = self.extend(p, 32, false);
        let size = self.b.ins().uload32(own(), entry, Self::size_field(write) as i32);
        let end = self.b.ins().iadd_imm_s(offset, i64::from(n));
        let outside = self.b.ins().icmp(IntCC::UnsignedGreaterThan, end, size);
        self.check_not(outside);
        Place { entry, offset }
    }

    /// What the pointer in `a` is known to point into.
    fn target(&mut self, a: Slot) -> Option<KnownPointer> {
        match self.known.get(a) {
            Some(target) => Some(target),
            None => {
                let object = self.known.local_object(a)?;
                Some(KnownPointer { object, offset: self.int(0) })
            }
        }
    }

    /// The place of an access whose object is known: the offset is compared with a constant.
    fn known_place(&mut self, target: KnownPointer, v: i32, last: u64) -> Place {
        let mut offset = target.offset;
        if v != 0 {
            let by = self.int(i64::from(v));
            offset = self.moved_offset(offset, by);
        }
        let last = self.int(last as i64);
        let outside = self.b.ins().icmp(IntCC::UnsignedGreaterThan, offset, last);
        self.check_not(outside);
        let table = self.b.use_var(self.table);
        let shift = i64::from(size_of::<Entry>().trailing_zeros());
        let entry = match target.object {
            KnownObject::Static { id, .. } => self.b.ins().iadd_imm_s(table, i64::from(id) << shift),
            KnownObject::Local { addr, alive, .. } => {
                let alive = self.get(alive);
                let dead = self.b.ins().icmp_imm_s(IntCC::Equal, alive, 0);
                self.check_not(dead);
                let p = self.get(addr);
                let id = self.b.ins().ushr_imm_u(p, 32);
                let at = self.b.ins().ishl_imm_u(id, shift);
                self.b.ins().iadd(table, at)
            }
        };
        Place { entry, offset }
    }

    fn bytes(&mut self, place: &Place) -> Value {
        let base = self.b.ins().load(I64, own(), place.entry, offset_of!(Entry, base) as i32);
        self.b.ins().iadd(base, place.offset)
    }

    fn shadow(&mut self, place: &Place) -> Value {
        self.b.ins().load(I64, own(), place.entry, offset_of!(Entry, shadow) as i32)
    }

    /// The initialised value of a type at `a + v`.
    pub fn loaded(&mut self, ty: Type, a: Slot, v: i32) -> Value {
        let place = self.place(a, v, ty.bytes(), false);
        let shadow = self.shadow(&place);
        let (look, good) = (self.b.create_block(), self.b.create_block());
        self.b.ins().brif(shadow, look, &[], good, &[]);
        self.b.switch_to_block(look);
        let at = self.b.ins().iadd(shadow, place.offset);
        let mask = self.b.ins().load(ty, data(), at, 0);
        let partial = self.b.ins().icmp_imm_s(IntCC::NotEqual, mask, -1);
        let exit = self.exit_here();
        self.b.ins().brif(partial, exit, &[], good, &[]);
        self.b.switch_to_block(good);
        let at = self.bytes(&place);
        self.b.ins().load(ty, data(), at, 0)
    }

    pub fn load(&mut self, ty: Type, signed: bool, d: Slot, a: Slot, v: i32) {
        let value = self.loaded(ty, a, v);
        let value = match (ty == I64, signed) {
            (true, _) => value,
            (false, true) => self.b.ins().sextend(I64, value),
            (false, false) => self.b.ins().uextend(I64, value),
        };
        self.set(d, value);
    }

    pub fn store(&mut self, ty: Type, a: Slot, b: Slot, v: i32) {
        let value = self.get(b);
        let value = if ty == I64 { value } else { self.b.ins().ireduce(ty, value) };
        self.store_value(ty, a, v, value);
    }

    /// Writes a value of the type at `a + v`.
    pub fn store_value(&mut self, ty: Type, a: Slot, v: i32, value: Value) {
        let place = self.place(a, v, ty.bytes(), true);
        let shadow = self.shadow(&place);
        let (mark, good) = (self.b.create_block(), self.b.create_block());
        self.b.ins().brif(shadow, mark, &[], good, &[]);
        self.b.switch_to_block(mark);
        let at = self.b.ins().iadd(shadow, place.offset);
        let ones = self.b.ins().iconst(ty, if ty == I64 { -1 } else { (1i64 << ty.bits()) - 1 });
        self.b.ins().store(data(), ones, at, 0);
        self.b.ins().jump(good, &[]);
        self.b.switch_to_block(good);
        let at = self.bytes(&place);
        self.b.ins().store(data(), value, at, 0);
    }

    /// A byte that may be uninitialised, with its mask.
    pub fn load_byte(&mut self, signed: bool, d: Slot, a: Slot, v: i32) {
        let place = self.place(a, v, 1, false);
        let shadow = self.shadow(&place);
        let (look, good) = (self.b.create_block(), self.b.create_block());
        let mask = self.b.append_block_param(good, I64);
        let all = self.int(INIT as i64);
        self.b.ins().brif(shadow, look, &[], good, &[all.into()]);
        self.b.switch_to_block(look);
        let at = self.b.ins().iadd(shadow, place.offset);
        let bits = self.b.ins().uload8(I64, data(), at, 0);
        let full = self.b.ins().icmp_imm_s(IntCC::Equal, bits, 0xff);
        let bits = self.b.ins().select(full, all, bits);
        self.b.ins().jump(good, &[bits.into()]);
        self.b.switch_to_block(good);
        self.set_context(offset_of!(Context, mask), mask);
        let at = self.bytes(&place);
        let value = self.b.ins().load(types::I8, data(), at, 0);
        let value = if signed { self.b.ins().sextend(I64, value) } else { self.b.ins().uextend(I64, value) };
        self.set(d, value);
    }
}
