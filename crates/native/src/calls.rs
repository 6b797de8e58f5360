//! Calls and returns of compiled code, and requests to the machine.
//!
//! Compiled functions call each other directly, values in registers. The callee
//! opens its frame record itself, so that the interpreter finds all frames if
//! it has to take over; a callee that cannot start leaves the call to it.

use std::mem::offset_of;

use cairn_base::EntityRef;
use cairn_ir::{AllocKind, FuncId, Program};
use cairn_sem::code::{Aux, Insn, Slot, is_wide};
use cairn_sem::machine::{Context, Frame};
use cairn_sem::memory::pointer;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{AbiParam, Block, InstBuilder, SigRef, Signature, Value, types};
use cranelift_codegen::isa::CallConv;

use crate::generate::{Gen, I64, Mode, PAUSED, REFUSED, own};

/// Can the function be called by compiled code? All values then pass through registers.
pub(crate) fn is_callable(program: &Program, func: FuncId) -> bool {
    let sig = &program.funcs[func].sig;
    !sig.params.iter().copied().chain(sig.ret).any(is_wide)
}

/// `(context, frame, base, steps, parameters…) -> (steps or status, result)`
pub(crate) fn call_signature(conv: CallConv, params: usize) -> Signature {
    let mut sig = Signature::new(conv);
    sig.params.extend(vec![AbiParam::new(I64); 4 + params]);
    sig.returns.extend([AbiParam::new(I64); 2]);
    sig
}

/// `(context)`: called by the interpreter.
pub(crate) fn entry_signature(conv: CallConv) -> Signature {
    let mut sig = Signature::new(conv);
    sig.params.push(AbiParam::new(I64));
    sig
}

impl Gen<'_, '_> {
    /// The prologue of a function that compiled code calls: room for all it needs, then its frame.
    pub fn open_frame(&mut self, params: &[Value]) {
        let refuse = self.b.create_block();
        self.b.set_cold_block(refuse);
        let at = self.int(self.shared.stack_limit_address());
        let limit = self.b.ins().load(I64, own(), at, 0);
        let sp = self.b.ins().get_stack_pointer(I64);
        let deep = self.b.ins().icmp(IntCC::UnsignedLessThan, sp, limit);
        self.branch_off(deep, refuse);
        let end = self.context(offset_of!(Context, slots_end));
        let mine = self.b.ins().iadd_imm_s(self.base, i64::from(self.code.slots) * 8);
        let full = self.b.ins().icmp(IntCC::UnsignedGreaterThan, mine, end);
        self.branch_off(full, refuse);
        let late = self.is_late();
        self.branch_off(late, refuse);

        let code = self.int(std::ptr::from_ref(self.code) as i64);
        self.b.ins().store(own(), code, self.fp, offset_of!(Frame, code) as i32);
        self.b.ins().store(own(), self.base, self.fp, offset_of!(Frame, base) as i32);
        self.set_context(offset_of!(Context, frame), self.fp);
        for (s, &value) in params.iter().enumerate() {
            self.set(s as Slot, value);
        }
        let zero = self.int(0);
        for s in self.code.layout.params..self.code.layout.zeroed {
            self.set(s, zero);
        }
        // Operations on local objects look at these slots in memory.
        for o in &self.code.layout.objects {
            self.spill(o.addr);
            self.spill(o.alive);
        }
        let first = self.b.create_block();
        self.b.ins().jump(first, &[]);
        self.b.switch_to_block(refuse);
        self.finish(REFUSED);
        self.b.switch_to_block(first);
    }

    /// A direct call. If the callee is not compiled, the interpreter makes the call.
    pub fn call(&mut self, n: u16, f: FuncId, args: Slot, d: Slot) {
        if !is_callable(self.program, f) {
            return self.give_up();
        }
        // An object made by a model remembers where the user called the model.
        if self.program.funcs[f].is_model {
            self.store_pc(self.pc + 1);
        }
        let params = self.program.funcs[f].sig.params.len();
        let at = self.int(self.shared.callee_address(f));
        let entry = self.b.ins().load(I64, own(), at, 0);
        let missing = self.b.ins().icmp_imm_s(IntCC::Equal, entry, 0);
        self.check_not(missing);
        let sig = call_signature(self.conv, params);
        let sig = self.b.import_signature(sig);
        self.call_entry(n, entry, sig, args, params as u32, d);
    }

    /// A call through a pointer to a function of the right type.
    pub fn call_pointer(&mut self, n: u16, k: u32, args: Slot, d: Slot) {
        let Aux::CallPtr { target, sig } = &self.code.aux[k as usize] else { return self.give_up() };
        let wide = sig.params.iter().copied().chain(sig.ret).any(is_wide);
        let Some((functions, class)) = self.shared.functions(sig).filter(|_| !wide) else {
            return self.give_up();
        };
        // The distance from the first function's pointer, halves exchanged: its number, or a
        // large number if the pointer is none of a function.
        let p = self.get(*target);
        let first = self.int(pointer(functions.first_id, 0) as i64);
        let number = self.b.ins().isub(p, first);
        let number = self.b.ins().rotl_imm_u(number, 32);
        let count = functions.classes.len() as i64;
        let none = self.b.ins().icmp_imm_u(IntCC::UnsignedGreaterThanOrEqual, number, count);
        self.check_not(none);
        let classes = self.int(functions.classes.as_ptr() as i64);
        let at = self.b.ins().ishl_imm_u(number, 2);
        let at = self.b.ins().iadd(classes, at);
        let actual = self.b.ins().uload32(own(), at, 0);
        let wrong = self.b.ins().icmp_imm_u(IntCC::NotEqual, actual, i64::from(class));
        self.check_not(wrong);
        let callees = self.int(self.shared.callee_address(FuncId::new(0)));
        let at = self.b.ins().ishl_imm_u(number, 3);
        let at = self.b.ins().iadd(callees, at);
        let entry = self.b.ins().load(I64, own(), at, 0);
        let missing = self.b.ins().icmp_imm_s(IntCC::Equal, entry, 0);
        self.check_not(missing);
        self.store_pc(self.pc + 1);
        let sig = call_signature(self.conv, sig.params.len());
        let params = sig.params.len() as u32 - 4;
        let sig = self.b.import_signature(sig);
        self.call_entry(n, entry, sig, args, params, d);
    }

    fn call_entry(&mut self, n: u16, entry: Value, sig: SigRef, args: Slot, params: u32, d: Slot) {
        let pc = self.pc;
        let fp = self.b.ins().iadd_imm_s(self.fp, size_of::<Frame>() as i64);
        let base = self.b.ins().iadd_imm_s(self.base, i64::from(self.code.slots) * 8);
        let end = self.context(offset_of!(Context, frames_end));
        let full = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, fp, end);
        self.check_not(full);
        let dst = self.b.ins().iconst(types::I32, i64::from(d));
        self.b.ins().store(own(), dst, fp, offset_of!(Frame, dst) as i32);
        let steps = self.b.use_var(self.steps);
        let steps = self.b.ins().iadd_imm_s(steps, i64::from(n));
        let mut values = vec![self.ctx, fp, base, steps];
        for s in args..args + params {
            values.push(self.get(s));
        }
        let call = self.b.ins().call_indirect(sig, entry, &values);
        let results = self.b.inst_results(call);
        let (steps, value) = (results[0], results[1]);
        let (done, odd) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(odd);
        let is_odd = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, steps, 0);
        self.b.ins().brif(is_odd, odd, &[], done, &[]);

        self.b.switch_to_block(odd);
        let paused = self.b.create_block();
        self.b.set_cold_block(paused);
        let refused = self.b.ins().icmp_imm_s(IntCC::Equal, steps, REFUSED);
        let exit = self.exit(pc);
        self.b.ins().brif(refused, exit, &[], paused, &[]);

        // The callee's frame and those above it stay open; this one waits for its result.
        self.b.switch_to_block(paused);
        for &s in self.region.live(pc + 1) {
            if s != d {
                self.spill(s);
            }
        }
        self.store_pc(pc + 1);
        self.finish(PAUSED);
        self.ended = false;

        self.b.switch_to_block(done);
        self.b.def_var(self.steps, steps);
        self.reload_table();
        self.set(d, value);
        let late = self.is_late();
        let exit = self.exit(pc + 1);
        self.branch_off(late, exit);
    }

    /// The end of a call: of compiled code, or of the interpreter, which then finishes it.
    pub fn ret(&mut self, n: u16, value: Option<Slot>, mask: u64) {
        if self.mode == Mode::Spot {
            return self.give_up();
        }
        if self.owns_objects() {
            // Their slots are in memory; the machine ends them and closes the frame.
            self.store_pc(self.pc);
            let close = self.shared.close_frame();
            self.call_host(close, &[self.ctx]);
        }
        self.add_steps(n);
        let caller = self.b.ins().iadd_imm_s(self.fp, -(size_of::<Frame>() as i64));
        self.set_context(offset_of!(Context, frame), caller);
        let mask = self.int(mask as i64);
        self.set_context(offset_of!(Context, mask), mask);
        let steps = self.b.use_var(self.steps);
        let value = match value {
            Some(s) => self.get(s),
            None => self.int(0),
        };
        self.b.ins().return_(&[steps, value]);
        self.ended = true;
    }

    /// Lets the machine execute this instruction on the slots in the frame.
    pub fn ask_machine(&mut self) {
        let shape = self.region.shapes[self.pc as usize].clone().expect("a reachable instruction");
        for s in shape.uses.iter().flat_map(|s| s.iter()) {
            self.spill(s);
        }
        let run = self.shared.run_insn();
        let pc = self.int(i64::from(self.pc));
        let status = self.call_host(run, &[self.ctx, pc]);
        let left = self.b.ins().icmp_imm_s(IntCC::Equal, status, 2);
        self.check_not(left);
        let stopped = self.stopped();
        self.branch_off(status, stopped);
        for s in shape.defs.iter().flat_map(|s| s.iter()) {
            self.reload(s);
        }
        self.reload_table();
    }

    /// Calls a function of the host; its result is an integer.
    fn call_host(&mut self, address: i64, args: &[Value]) -> Value {
        let mut sig = Signature::new(self.conv);
        sig.params.extend(vec![AbiParam::new(I64); args.len()]);
        sig.returns.push(AbiParam::new(I64));
        let sig = self.b.import_signature(sig);
        let address = self.int(address);
        let call = self.b.ins().call_indirect(sig, address, args);
        self.b.inst_results(call)[0]
    }

    /// The block for the end of the run: the machine knows why.
    fn stopped(&mut self) -> Block {
        if let Some(block) = self.stopped {
            return block;
        }
        let block = self.b.create_block();
        self.b.set_cold_block(block);
        self.stopped = Some(block);
        block
    }

    /// Must objects be ended when the function returns?
    fn owns_objects(&self) -> bool {
        !self.code.layout.objects.is_empty()
            || self.code.insns.iter().any(|insn| match insn {
                Insn::Alloc { k, .. } => {
                    !matches!(self.code.aux[*k as usize], Aux::Alloc { kind: AllocKind::Heap, .. })
                }
                _ => false,
            })
    }
}
