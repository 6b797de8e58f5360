//! From compact code to Cranelift IR: the frame of the translation.
//!
//! Every slot becomes a variable of 64 bits, for which the front end of
//! Cranelift builds SSA form; nothing is written back to the slots until the
//! interpreter takes over. Where that may happen, a cold block stores the live
//! slots, says at which instruction to go on, and returns. Compiled code
//! reports nothing itself: an instruction whose check fails is simply left to
//! the interpreter, which meets the same failure and knows what to say.
//!
//! Steps are counted in a variable. They are compared with the machine's pause
//! only where a path could otherwise be unbounded: on entry, at backward jumps
//! and after calls. Between two such places no instruction runs
//! twice, so `bound`, the sum of all counts of the function, is never exceeded,
//! and compiled code stops early enough for the interpreter to meet the step
//! limit exactly.

use std::collections::BTreeMap;
use std::mem::offset_of;

use cairn_base::EntityRef;
use cairn_ir::{AllocKind, DataModel, FuncId, Program};
use cairn_sem::code::{Aux, FuncCode, Insn, NO_SLOT, Slot, is_wide};
use cairn_sem::machine::{Context, Frame};
use cairn_sem::memory::pointer;
use cairn_sem::statics::Statics;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    AbiParam, Block, InstBuilder, MemFlagsData, SigRef, Signature, Type, Value, types,
};
use cranelift_codegen::isa::{CallConv, TargetFrontendConfig};
use cranelift_frontend::{FunctionBuilder, Variable};
use rustc_hash::FxHashMap;

use crate::Shared;
use crate::known::Known;
use crate::live::Region;

pub(crate) const I64: Type = types::I64;

/// A compiled function that returns gives the steps counted so far; otherwise one of these.
/// The interpreter goes on in the frame that is on top now.
pub(crate) const PAUSED: i64 = -1;
/// Nothing was done: no room, or too few steps left.
pub(crate) const REFUSED: i64 = -2;

/// Host stack that compiled code may use before it hands calls to the interpreter.
pub(crate) const STACK: i64 = 512 << 10;

/// Flags of accesses to the machine's own data.
pub(crate) fn own() -> MemFlagsData {
    MemFlagsData::trusted()
}

/// Flags of accesses to the program's data.
pub(crate) fn data() -> MemFlagsData {
    MemFlagsData::new().with_notrap()
}

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

/// Is the code entered by calls of compiled code, or by the interpreter?
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Mode {
    /// The whole function, with the signature of [`call_signature`].
    Function,
    /// From a hot spot on, with the signature of [`entry_signature`].
    Spot,
}

/// What is to be compiled.
pub(crate) struct Unit<'a> {
    pub program: &'a Program,
    pub statics: &'a Statics,
    pub code: &'a FuncCode,
    pub shared: &'a Shared,
    pub region: &'a Region,
    pub mode: Mode,
    pub config: TargetFrontendConfig,
    /// Where it is entered.
    pub entry: u32,
    /// The most steps between two looks at the pause.
    pub bound: i64,
}

pub(crate) struct Gen<'a, 'b> {
    pub b: FunctionBuilder<'b>,
    pub program: &'a Program,
    pub code: &'a FuncCode,
    pub shared: &'a Shared,
    region: &'a Region,
    mode: Mode,
    conv: CallConv,
    bound: i64,
    blocks: BTreeMap<u32, Block>,
    exits: BTreeMap<u32, Block>,
    slots: Vec<Variable>,
    pub ctx: Value,
    /// The record of the running frame, and its slot 0.
    pub fp: Value,
    pub base: Value,
    pub globals: Value,
    steps: Variable,
    /// The table of objects and its length, which calls may change.
    pub table: Variable,
    pub table_len: Variable,
    /// If slots are kept in memory: the values that are known in this block.
    cached: FxHashMap<Slot, Value>,
    /// Which objects the pointers computed in this block point into.
    pub known: Known,
    /// The instruction being translated.
    pub pc: u32,
    stopped: Option<Block>,
    /// The current block has its last instruction.
    ended: bool,
}

/// The steps that an instruction adds to the count.
pub(crate) fn count_of(insn: Insn) -> u16 {
    use Insn::*;
    match insn {
        Call { n, .. }
        | CallPtr { n, .. }
        | Ret { n, .. }
        | RetVoid { n }
        | RetNone { n }
        | Jump { n, .. }
        | Br { n, .. }
        | BrNot { n, .. }
        | BrEq { n, .. }
        | BrNe { n, .. }
        | BrLtS { n, .. }
        | BrLeS { n, .. }
        | BrLtU { n, .. }
        | BrLeU { n, .. }
        | BrEqImm { n, .. }
        | BrNeImm { n, .. }
        | BrLtSImm { n, .. }
        | BrLeSImm { n, .. }
        | BrGtSImm { n, .. }
        | BrGeSImm { n, .. } => n,
        _ => 0,
    }
}

impl<'a, 'b> Gen<'a, 'b> {
    /// Fills in the function, whose signature is that of the unit's mode.
    pub fn translate(mut b: FunctionBuilder<'b>, unit: Unit<'a>) {
        let Unit { program, statics, code, shared, region, mode, config, entry, bound } = unit;
        let start = b.create_block();
        b.append_block_params_for_function_params(start);
        b.switch_to_block(start);
        let params = b.block_params(start).to_vec();
        let ctx = params[0];
        let mut load = |p: Value, offset: usize| b.ins().load(I64, own(), p, offset as i32);
        let (fp, base) = match mode {
            Mode::Function => (params[1], params[2]),
            Mode::Spot => {
                let fp = load(ctx, offset_of!(Context, frame));
                (fp, load(fp, offset_of!(Frame, base)))
            }
        };
        let globals = load(ctx, offset_of!(Context, globals));
        let registers = if region.in_memory() { 0 } else { code.slots };
        let slots = (0..registers).map(|_| b.declare_var(I64)).collect();
        let (steps, table, table_len) = (b.declare_var(I64), b.declare_var(I64), b.declare_var(I64));
        let mut g = Gen {
            b,
            program,
            code,
            shared,
            region,
            mode,
            conv: config.default_call_conv,
            bound,
            blocks: BTreeMap::new(),
            exits: BTreeMap::new(),
            slots,
            ctx,
            fp,
            base,
            globals,
            steps,
            table,
            table_len,
            cached: FxHashMap::default(),
            known: Known::new(program, statics, code),
            pc: entry,
            stopped: None,
            ended: false,
        };
        g.reload_table();
        for &pc in region.leaders.iter().filter(|&&pc| region.is_inside(pc)) {
            let block = g.b.create_block();
            g.blocks.insert(pc, block);
        }
        match mode {
            Mode::Function => {
                g.b.def_var(steps, params[3]);
                g.open_frame(&params[4..]);
            }
            Mode::Spot => {
                let count = g.context(offset_of!(Context, steps));
                g.b.def_var(steps, count);
                let refuse = g.b.create_block();
                g.b.set_cold_block(refuse);
                let late = g.is_late();
                let start = g.b.create_block();
                g.b.ins().brif(late, refuse, &[], start, &[]);
                g.b.switch_to_block(refuse);
                g.b.ins().return_(&[]);
                g.b.switch_to_block(start);
                g.note_stack();
                for &s in region.live(entry) {
                    g.reload(s);
                }
                // Accesses to local objects look at these, whether they count as live or not.
                for o in &code.layout.objects {
                    g.reload(o.addr);
                    g.reload(o.alive);
                }
            }
        }
        let first = g.blocks[&entry];
        g.b.ins().jump(first, &[]);
        for &pc in region.leaders.iter().filter(|&&pc| region.is_inside(pc)) {
            g.block(pc);
        }
        g.exit_blocks();
        g.b.seal_all_blocks();
        g.b.finalize(config);
    }

    /// Remembers how deep the host's stack may grow from here.
    fn note_stack(&mut self) {
        let sp = self.b.ins().get_stack_pointer(I64);
        let limit = self.b.ins().iadd_imm_s(sp, -STACK);
        let at = self.int(self.shared.stack_limit_address());
        self.b.ins().store(own(), limit, at, 0);
    }

    /// The prologue of a function that compiled code calls: room for all it needs, then its frame.
    fn open_frame(&mut self, params: &[Value]) {
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

    /// All instructions from a leader to the end of its block.
    fn block(&mut self, leader: u32) {
        let block = self.blocks[&leader];
        self.b.switch_to_block(block);
        self.known.clear();
        self.cached.clear();
        self.ended = false;
        self.pc = leader;
        loop {
            self.insn(self.code.insns[self.pc as usize]);
            if self.ended {
                return;
            }
            self.pc += 1;
            if !self.region.is_inside(self.pc) {
                self.leave_to(self.pc);
                return;
            }
            if let Some(&next) = self.blocks.get(&self.pc) {
                self.b.ins().jump(next, &[]);
                return;
            }
        }
    }

    // Values.

    pub fn int(&mut self, v: i64) -> Value {
        self.b.ins().iconst(I64, v)
    }

    pub fn get(&mut self, s: Slot) -> Value {
        if !self.region.in_memory() {
            return self.b.use_var(self.slots[s as usize]);
        }
        if let Some(&v) = self.cached.get(&s) {
            return v;
        }
        let v = self.b.ins().load(I64, own(), self.base, s as i32 * 8);
        self.cached.insert(s, v);
        v
    }

    pub fn set(&mut self, s: Slot, v: Value) {
        if s == NO_SLOT {
            return;
        }
        self.known.forget(s);
        if self.region.in_memory() {
            self.b.ins().store(own(), v, self.base, s as i32 * 8);
            self.cached.insert(s, v);
        } else {
            self.b.def_var(self.slots[s as usize], v);
        }
    }

    /// Two ways that set `s` differently have met.
    pub fn joined(&mut self, s: Slot) {
        self.known.forget(s);
        self.cached.remove(&s);
    }

    /// Stores a slot's value in the frame.
    pub fn spill(&mut self, s: Slot) {
        if !self.region.in_memory() {
            let v = self.get(s);
            self.b.ins().store(own(), v, self.base, s as i32 * 8);
        }
    }

    /// Fetches a slot's value from the frame.
    pub fn reload(&mut self, s: Slot) {
        if self.region.in_memory() {
            return self.joined(s);
        }
        let v = self.b.ins().load(I64, own(), self.base, s as i32 * 8);
        self.set(s, v);
    }

    pub fn context(&mut self, offset: usize) -> Value {
        self.b.ins().load(I64, own(), self.ctx, offset as i32)
    }

    pub fn set_context(&mut self, offset: usize, v: Value) {
        self.b.ins().store(own(), v, self.ctx, offset as i32);
    }

    pub fn reload_table(&mut self) {
        if !self.region.uses_memory() {
            return;
        }
        let table = self.context(offset_of!(Context, table));
        let len = self.context(offset_of!(Context, table_len));
        self.b.def_var(self.table, table);
        self.b.def_var(self.table_len, len);
    }

    pub fn is_flat(&self) -> bool {
        self.program.model == DataModel::Ilp32
    }

    // Control.

    /// Goes on in `block` if `cond` (an integer) is not zero.
    pub fn branch_off(&mut self, cond: Value, block: Block) {
        let next = self.b.create_block();
        self.b.ins().brif(cond, block, &[], next, &[]);
        self.b.switch_to_block(next);
    }

    /// Leaves the current instruction to the interpreter if `cond` is not zero.
    pub fn check_not(&mut self, cond: Value) {
        let exit = self.exit(self.pc);
        self.branch_off(cond, exit);
    }

    /// The block that lets the interpreter go on at `pc`.
    fn exit(&mut self, pc: u32) -> Block {
        if let Some(&block) = self.exits.get(&pc) {
            return block;
        }
        let block = self.b.create_block();
        self.b.set_cold_block(block);
        self.exits.insert(pc, block);
        block
    }

    /// Ends the block: the interpreter goes on at `pc`.
    fn leave_to(&mut self, pc: u32) {
        let exit = self.exit(pc);
        self.b.ins().jump(exit, &[]);
        self.ended = true;
    }

    /// Ends the block: the interpreter executes this instruction.
    pub fn give_up(&mut self) {
        self.leave_to(self.pc);
    }

    fn exit_blocks(&mut self) {
        for (pc, block) in std::mem::take(&mut self.exits) {
            self.b.switch_to_block(block);
            for &s in self.region.live(pc) {
                self.spill(s);
            }
            self.store_pc(pc);
            let steps = self.b.use_var(self.steps);
            self.set_context(offset_of!(Context, steps), steps);
            self.finish(PAUSED);
        }
        if let Some(block) = self.stopped {
            self.b.switch_to_block(block);
            let steps = self.b.use_var(self.steps);
            self.set_context(offset_of!(Context, steps), steps);
            self.finish(PAUSED);
        }
    }

    /// The block that lets the interpreter execute this instruction.
    pub fn exit_here(&mut self) -> Block {
        self.exit(self.pc)
    }

    fn store_pc(&mut self, pc: u32) {
        let pc = self.b.ins().iconst(types::I32, i64::from(pc));
        self.b.ins().store(own(), pc, self.fp, offset_of!(Frame, pc) as i32);
    }

    /// Returns with a status and no value.
    fn finish(&mut self, status: i64) {
        match self.mode {
            Mode::Function => {
                let status = self.int(status);
                let zero = self.int(0);
                self.b.ins().return_(&[status, zero]);
            }
            Mode::Spot => {
                self.b.ins().return_(&[]);
            }
        }
        self.ended = true;
    }

    fn add_steps(&mut self, n: u16) {
        if n != 0 {
            let steps = self.b.use_var(self.steps);
            let steps = self.b.ins().iadd_imm_s(steps, i64::from(n));
            self.b.def_var(self.steps, steps);
        }
    }

    /// Could the pause come before the next look at it?
    fn is_late(&mut self) -> Value {
        let pause = self.context(offset_of!(Context, pause));
        let steps = self.b.use_var(self.steps);
        let latest = self.b.ins().iadd_imm_s(steps, self.bound);
        self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, latest, pause)
    }

    /// A jump to `t`, looking at the pause if it goes backward.
    fn jump(&mut self, t: u32) {
        self.ended = true;
        let target = self.destination(t);
        if t > self.pc || !self.region.is_inside(t) {
            self.b.ins().jump(target, &[]);
            return;
        }
        let late = self.is_late();
        let exit = self.exit(self.behind_spot(t));
        self.b.ins().brif(late, exit, &[], target, &[]);
    }

    /// The block to jump to for `t`.
    fn destination(&mut self, t: u32) -> Block {
        match self.blocks.get(&t) {
            Some(&block) => block,
            None => self.exit(t),
        }
    }

    /// `pc`, or what follows if compiled code begins there (so that the interpreter gets on).
    fn behind_spot(&self, pc: u32) -> u32 {
        match self.code.insns[pc as usize] {
            Insn::Hot { .. } | Insn::Native { .. } => pc + 1,
            _ => pc,
        }
    }

    /// A branch to `t` if `cond` is not zero.
    pub fn branch(&mut self, n: u16, cond: Value, t: u32) {
        self.add_steps(n);
        let other = self.destination(self.pc + 1);
        self.ended = true;
        if t > self.pc {
            let target = self.destination(t);
            self.b.ins().brif(cond, target, &[], other, &[]);
            return;
        }
        let back = self.b.create_block();
        self.b.ins().brif(cond, back, &[], other, &[]);
        self.b.switch_to_block(back);
        self.jump(t);
    }

    pub fn goto(&mut self, n: u16, t: u32) {
        self.add_steps(n);
        self.jump(t);
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
        // The machine may look through the open frames.
        self.store_pc(pc + 1);
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
