//! ILP32: pointers as flat addresses of 32 bits.
//!
//! The usual case, an object that has its address already and pages of its own,
//! is handled in place; the machine does the rest.

use std::mem::offset_of;

use cairn_sem::code::Slot;
use cairn_sem::machine::Context;
use cairn_sem::memory::Entry;
use cairn_sem::memory::flat::{PAGE, SLAB};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use crate::generate::{Gen, I64, own};

impl Gen<'_, '_> {
    /// Compares the addresses of two pointers.
    pub fn flat_compare(&mut self, cc: IntCC, d: Slot, a: Slot, b: Slot) {
        self.flat_binary(d, a, b, |g, x, y| {
            let v = g.b.ins().icmp(cc, x, y);
            g.b.ins().uextend(I64, v)
        });
    }

    /// The distance of two pointers.
    pub fn flat_difference(&mut self, d: Slot, a: Slot, b: Slot) {
        self.flat_binary(d, a, b, |g, x, y| {
            let v = g.b.ins().isub(x, y);
            g.extend(v, 32, true)
        });
    }

    fn flat_binary(&mut self, d: Slot, a: Slot, b: Slot, op: impl FnOnce(&mut Self, Value, Value) -> Value) {
        let (p, q) = (self.get(a), self.get(b));
        let ((x, x_known), (y, y_known)) = (self.address(p), self.address(q));
        let known = self.b.ins().band(x_known, y_known);
        self.usually(known, Some(d), |g| {
            let v = op(g, x, y);
            g.set(d, v);
        });
    }

    pub fn pointer_to_int(&mut self, d: Slot, a: Slot) {
        let p = self.get(a);
        let (address, known) = self.address(p);
        self.usually(known, Some(d), |g| g.set(d, address));
    }

    pub fn store_pointer(&mut self, a: Slot, b: Slot, v: i32) {
        let p = self.get(b);
        let (address, known) = self.address(p);
        self.usually(known, None, |g| {
            let address = g.b.ins().ireduce(types::I32, address);
            g.store_value(types::I32, a, v, address);
        });
    }

    pub fn int_to_pointer(&mut self, d: Slot, a: Slot) {
        let address = self.get(a);
        let address = self.extend(address, 32, false);
        self.resolve(d, address);
    }

    pub fn load_pointer(&mut self, d: Slot, a: Slot, v: i32) {
        let address = self.loaded(types::I32, a, v);
        let address = self.b.ins().uextend(I64, address);
        self.resolve(d, address);
    }

    /// Does `fast` if `good` is not zero, and lets the machine execute the instruction, which
    /// sets `d`, otherwise.
    fn usually(&mut self, good: Value, d: Option<Slot>, fast: impl FnOnce(&mut Self)) {
        let (quick, slow, done) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(slow);
        self.b.ins().brif(good, quick, &[], slow, &[]);
        // What one way has found out is not known on the other, nor behind both.
        let cached = self.cached.clone();
        self.b.switch_to_block(quick);
        fast(self);
        self.b.ins().jump(done, &[]);
        self.cached.clone_from(&cached);
        self.b.switch_to_block(slow);
        self.ask_machine();
        self.b.ins().jump(done, &[]);
        self.cached = cached;
        self.b.switch_to_block(done);
        if let Some(d) = d {
            self.joined(d);
        }
    }

    /// The address of a pointer, and whether it has one already.
    fn address(&mut self, p: Value) -> (Value, Value) {
        let entry = self.entry_of(p);
        let flat = self.b.ins().uload32(own(), entry, offset_of!(Entry, flat) as i32);
        let sum = self.b.ins().iadd(flat, p);
        let address = self.extend(sum, 32, false);
        // Without an object the offset is the address.
        let assigned = self.b.ins().icmp_imm_s(IntCC::NotEqual, flat, 0);
        let plain = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, p, 1 << 32);
        (address, self.b.ins().bor(assigned, plain))
    }

    /// `d` := the pointer that an address stands for.
    fn resolve(&mut self, d: Slot, address: Value) {
        let pages = self.context(offset_of!(Context, pages));
        let page = self.b.ins().ushr_imm_u(address, i64::from(PAGE));
        let at = self.b.ins().ishl_imm_u(page, 2);
        let at = self.b.ins().iadd(pages, at);
        let id = self.b.ins().uload32(own(), at, 0);
        let single = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, id, i64::from(SLAB));
        self.usually(single, Some(d), |g| {
            let shift = i64::from(size_of::<Entry>().trailing_zeros());
            let at = g.b.ins().ishl_imm_u(id, shift);
            let table = g.b.use_var(g.table);
            let entry = g.b.ins().iadd(table, at);
            let flat = g.b.ins().uload32(own(), entry, offset_of!(Entry, flat) as i32);
            let offset = g.b.ins().isub(address, flat);
            let offset = g.extend(offset, 32, false);
            let high = g.b.ins().ishl_imm_u(id, 32);
            let p = g.b.ins().bor(high, offset);
            g.set(d, p);
        });
    }
}
