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

use cairn_ir::{DataModel, Program};
use cairn_sem::code::{FuncCode, Insn, NO_SLOT, Slot};
use cairn_sem::machine::{Context, Frame};
use cairn_sem::statics::Statics;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, MemFlagsData, Type, Value, types};
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
    pub region: &'a Region,
    pub mode: Mode,
    pub conv: CallConv,
    bound: i64,
    blocks: BTreeMap<u32, Block>,
    exits: BTreeMap<u32, Block>,
    slots: Vec<Variable>,
    pub ctx: Value,
    /// The record of the running frame, and its slot 0.
    pub fp: Value,
    pub base: Value,
    pub globals: Value,
    pub steps: Variable,
    /// The table of objects and its length, which calls may change.
    pub table: Variable,
    pub table_len: Variable,
    /// If slots are kept in memory: the values that are known in this block.
    pub cached: FxHashMap<Slot, Value>,
    /// Which objects the pointers computed in this block point into.
    pub known: Known,
    /// The instruction being translated.
    pub pc: u32,
    pub stopped: Option<Block>,
    /// The current block has its last instruction.
    pub ended: bool,
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
    pub fn note_stack(&mut self) {
        let sp = self.b.ins().get_stack_pointer(I64);
        let limit = self.b.ins().iadd_imm_s(sp, -STACK);
        let at = self.int(self.shared.stack_limit_address());
        self.b.ins().store(own(), limit, at, 0);
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
    pub fn exit(&mut self, pc: u32) -> Block {
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

    pub fn store_pc(&mut self, pc: u32) {
        let pc = self.b.ins().iconst(types::I32, i64::from(pc));
        self.b.ins().store(own(), pc, self.fp, offset_of!(Frame, pc) as i32);
    }

    /// Returns with a status and no value.
    pub fn finish(&mut self, status: i64) {
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

    pub fn add_steps(&mut self, n: u16) {
        if n != 0 {
            let steps = self.b.use_var(self.steps);
            let steps = self.b.ins().iadd_imm_s(steps, i64::from(n));
            self.b.def_var(self.steps, steps);
        }
    }

    /// Could the pause come before the next look at it?
    pub fn is_late(&mut self) -> Value {
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
}
