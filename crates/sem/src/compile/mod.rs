//! From a function's automaton to compact code.
//!
//! Blocks are laid out in reverse post-order; each edge becomes a few
//! instructions. Counting of steps is described in [`crate::code`].

mod expr;
mod track;

use cairn_ir::graph::{Block, Blocks, Graph};
use cairn_ir::{Builtin, Callee, EdgeId, ExprId, FuncId, Function, IntTy, LocId, Op, Program, Ty, VarId};
use rustc_hash::FxHashMap;

use crate::Options;
use crate::SignedOverflow;
use crate::code::{
    Aux, FuncCode, HotSpot, INIT, Insn, Layout, LocalObject, NO_SLOT, Slot, is_wide, slots_of,
};
use crate::statics::Statics;

/// The most edges one segment may have.
const MAX_SEGMENT: u16 = 1 << 12;

/// Code for a function that has a body. With `hot`, entries and loop heads are counted.
pub fn function(
    program: &Program,
    statics: &Statics,
    options: &Options,
    hot: bool,
    func: FuncId,
) -> FuncCode {
    let graph = Graph::new(program, func).expect("only functions with bodies are compiled");
    let blocks = Blocks::new(program, &graph);
    let layout = lay_out(program, statics, &graph, &blocks);
    let mut g = Gen {
        program,
        statics,
        options,
        check_overflow: options.signed_overflow == SignedOverflow::Undefined,
        flat: statics.flat,
        function: &program.funcs[func],
        next_temp: layout.temps,
        code: FuncCode {
            func,
            insns: Vec::new(),
            edges: Vec::new(),
            upto: Vec::new(),
            aux: Vec::new(),
            layout: Layout::default(),
            slots: layout.temps,
            wide_result: program.funcs[func].sig.ret.is_some_and(is_wide),
            longest: 1,
            hot: Vec::new(),
            edge_pc: FxHashMap::default(),
            loc_pc: FxHashMap::default(),
        },
        layout,
        edge: program.funcs[func].body.as_ref().and_then(|b| b.edges.first().copied()),
        count: 0,
        cache: FxHashMap::default(),
        trail: Vec::new(),
        fixups: Vec::new(),
    };
    g.body(&graph, &blocks, hot);
    g.code.layout = g.layout;
    g.code
}

/// Gives every variable and local object its slots.
fn lay_out(program: &Program, statics: &Statics, graph: &Graph, blocks: &Blocks) -> Layout {
    let f = &program.funcs[graph.func];
    let mut layout = Layout::default();
    let next = std::cell::Cell::new(0);
    let take = |ty: Ty| next.replace(next.get() + slots_of(ty));
    for &v in &f.params {
        layout.vars.insert(v, take(program.vars[v].ty));
    }
    let Some(body) = &f.body else { return layout };
    layout.params = next.get();
    let private = track::private_objects(program, blocks);
    let word = Ty::Int(IntTy::U64);
    for &obj in &body.objects {
        let (addr, alive) = (take(word), take(word));
        layout.object_index.insert(obj, layout.objects.len() as u32);
        layout.objects.push(LocalObject { obj, addr, alive, private: private.contains(&obj) });
    }
    let mut tracked: Vec<VarId> = track::tracked(program, statics, graph, blocks).into_iter().collect();
    tracked.sort_unstable();
    for v in tracked {
        layout.shadows.insert(v, take(word));
    }
    layout.zeroed = next.get();
    for &v in &body.vars {
        layout.vars.entry(v).or_insert_with(|| take(program.vars[v].ty));
    }
    layout.temps = next.get();
    layout
}

struct Gen<'a> {
    program: &'a Program,
    statics: &'a Statics,
    options: &'a Options,
    check_overflow: bool,
    /// The register form of a pointer is not its address.
    flat: bool,
    function: &'a Function,
    layout: Layout,
    code: FuncCode,
    next_temp: Slot,
    /// The edge being compiled, and how many edges of the segment have begun.
    edge: Option<EdgeId>,
    count: u16,
    /// Slots of the subexpressions evaluated so far in this edge, and the order they came in.
    cache: FxHashMap<ExprId, Slot>,
    trail: Vec<ExprId>,
    /// Jumps to blocks that are to be filled in.
    fixups: Vec<(u32, u32)>,
}

impl Gen<'_> {
    fn body(&mut self, graph: &Graph, blocks: &Blocks, hot: bool) {
        let heads = graph.heads();
        let reachable: Vec<u32> = (0..blocks.blocks.len() as u32)
            .filter(|&b| graph.is_reachable(graph.node(blocks.blocks[b as usize].locs[0])))
            .collect();
        let mut start = vec![0u32; blocks.blocks.len()];
        for (i, &b) in reachable.iter().enumerate() {
            let block = &blocks.blocks[b as usize];
            let loc = block.locs[0];
            self.edge = block.edges.first().or(block.out.first().map(|o| &o.0)).copied().or(self.edge);
            if i == 0 {
                self.prologue(loc, hot);
            }
            start[b as usize] = self.pc();
            self.code.loc_pc.insert(loc, self.pc());
            if hot && heads.binary_search(&loc).is_ok() {
                self.hot_spot(loc);
            }
            for &e in &block.edges {
                self.one_edge(e);
            }
            self.leave(block, reachable.get(i + 1).copied());
            self.count = 0;
        }
        for (pc, block) in std::mem::take(&mut self.fixups) {
            self.set_target(pc, start[block as usize]);
        }
    }

    /// What comes before the first block: parameters that may come to hold uninitialised data
    /// are initialised at first.
    fn prologue(&mut self, loc: LocId, hot: bool) {
        if hot {
            self.hot_spot(loc);
        }
        for v in &self.function.params {
            if let Some(&d) = self.layout.shadows.get(v) {
                self.emit(Insn::Const { d, v: INIT });
            }
        }
    }

    fn hot_spot(&mut self, loc: LocId) {
        let k = self.code.hot.len() as u32;
        self.code.hot.push(HotSpot { loc, visits: 0, pc: self.pc() });
        self.emit(Insn::Hot { k });
    }

    /// The ways out of a block; `next` is the block that is laid out after it.
    fn leave(&mut self, block: &Block, next: Option<u32>) {
        match block.out[..] {
            [(e, to)] => {
                self.one_edge(e);
                if !matches!(self.program.edges[e].op, Op::Return { .. } | Op::Trap(_)) {
                    let n = self.flush();
                    let pc = self.emit_counted(Insn::Jump { n, t: 0 }, n);
                    self.fixups.push((pc, to));
                }
            }
            [(e, to_e), (other, to_other)] => {
                let (Op::Assume { cond, holds }, Op::Assume { cond: c, holds: h }) =
                    (&self.program.edges[e].op, &self.program.edges[other].op)
                else {
                    self.emit(Insn::Stuck);
                    return;
                };
                debug_assert!(cond == c && holds != h);
                self.begin_edge(e);
                // Fall through to the block that comes next, if it is one of the two.
                let (take, to, rest) =
                    if next == Some(to_e) { (!holds, to_other, to_e) } else { (*holds, to_e, to_other) };
                let pc = self.branch(*cond, take);
                self.fixups.push((pc, to));
                if next != Some(rest) {
                    let pc = self.emit(Insn::Jump { n: 0, t: 0 });
                    self.fixups.push((pc, rest));
                }
                self.end_edge();
            }
            _ => {
                self.emit(Insn::Stuck);
            }
        }
    }

    fn begin_edge(&mut self, e: EdgeId) {
        if self.count == MAX_SEGMENT {
            let n = self.flush();
            let t = self.pc() + 1;
            self.emit_counted(Insn::Jump { n, t }, n);
        }
        self.edge = Some(e);
        self.count += 1;
        self.code.longest = self.code.longest.max(self.count);
        self.code.edge_pc.insert(e, self.pc());
    }

    fn end_edge(&mut self) {
        self.forget(0);
        self.next_temp = self.layout.temps;
    }

    fn one_edge(&mut self, e: EdgeId) {
        self.begin_edge(e);
        self.operation_of(&self.program.edges[e].op);
        self.end_edge();
    }

    fn operation_of(&mut self, op: &Op) {
        match *op {
            Op::Nop => {}
            Op::Assign { dst, value } => self.assign(dst, value),
            Op::Assume { cond, holds } => {
                let a = self.value(cond);
                self.emit(Insn::Assume { holds, a });
            }
            Op::Load { dst, addr } => self.load(dst, addr),
            Op::Store { addr, value } => self.store(addr, value),
            Op::LoadBits { dst, addr, bit, width } => {
                let a = self.value(addr);
                let k = self.aux(Aux::Bits { bit, width, ty: self.program.vars[dst].ty });
                let d = self.dest(dst);
                self.emit(Insn::LoadBits { k, d, a });
                self.assigned(dst, d);
            }
            Op::StoreBits { addr, bit, width, value } => {
                let (a, b) = (self.value(addr), self.value(value));
                let k = self.aux(Aux::Bits { bit, width, ty: self.program.ty(value) });
                self.emit(Insn::StoreBits { k, a, b });
            }
            Op::Copy { dst, src, size, may_overlap } => {
                let (a, b, size) = (self.value(dst), self.value(src), self.value(size));
                self.emit(Insn::Copy { may_overlap, a, b, size });
            }
            Op::Fill { dst, byte, size } => {
                let (a, b, size) = (self.value(dst), self.value(byte), self.value(size));
                self.emit(Insn::Fill { a, b, size });
            }
            Op::Begin { obj } => {
                if let Some(&o) = self.layout.object_index.get(&obj) {
                    self.emit(Insn::Begin { o });
                }
            }
            Op::End { obj } => {
                if let Some(&o) = self.layout.object_index.get(&obj) {
                    self.emit(Insn::End { o });
                }
            }
            Op::Alloc { dst, size, kind, zeroed } => {
                let a = self.value(size);
                let k = self.aux(Aux::Alloc { kind, zeroed });
                let d = self.dest(dst);
                self.emit(Insn::Alloc { k, d, a });
                self.assigned(dst, d);
            }
            Op::Free { ptr, kind } => {
                let a = self.value(ptr);
                self.emit(Insn::Free { kind, a });
            }
            Op::Input { dst, name } => {
                let k = self.aux(Aux::Input { name, ty: self.program.vars[dst].ty });
                let d = self.dest(dst);
                self.emit(Insn::Input { k, d });
                self.assigned(dst, d);
            }
            Op::Call { dst, ref callee, ref args } => self.call(dst, callee, args),
            Op::Return { value } => {
                let a = value.map(|v| self.value(v));
                let n = self.flush();
                let insn = match a {
                    Some(a) => Insn::Ret { n, a },
                    None if self.function.sig.ret.is_some() => Insn::RetNone { n },
                    None => Insn::RetVoid { n },
                };
                self.emit_counted(insn, n);
            }
            Op::Trap(trap) => {
                self.emit(Insn::Trap { trap });
            }
        }
    }

    /// The slot to compute a new value of `v` in. [`Self::assigned`] puts it into place.
    fn dest(&mut self, v: VarId) -> Slot {
        match self.layout.vars.get(&v) {
            Some(&slot) => slot,
            None => self.temp(self.program.vars[v].ty),
        }
    }

    fn assigned(&mut self, v: VarId, d: Slot) {
        if let Some(&shadow) = self.layout.shadows.get(&v) {
            self.emit(Insn::Const { d: shadow, v: INIT });
        }
        self.set_global(v, d);
    }

    fn set_global(&mut self, v: VarId, a: Slot) {
        if self.layout.vars.contains_key(&v) {
            return;
        }
        let g = self.statics.globals[v];
        self.emit(Insn::SetGlobal { g, a });
        if is_wide(self.program.vars[v].ty) {
            self.emit(Insn::SetGlobal { g: g + 1, a: a + 1 });
        }
    }

    /// If `e` is a plain copy of a variable with a shadow, lets it be read unchecked.
    fn unchecked(&mut self, e: ExprId) -> Option<Slot> {
        let source = track::plain_source(self.program, e)?;
        let shadow = *self.layout.shadows.get(&source)?;
        let mut x = e;
        while let Some(&inner) = self.program.exprs.children(x).first() {
            x = inner;
        }
        self.remember(x, self.layout.vars[&source]);
        Some(shadow)
    }

    fn assign(&mut self, dst: VarId, value: ExprId) {
        let Some(&d) = self.layout.vars.get(&dst) else {
            let a = self.value(value);
            return self.set_global(dst, a);
        };
        let Some(&shadow) = self.layout.shadows.get(&dst) else { return self.value_to(value, d) };
        let source = self.unchecked(value);
        self.value_to(value, d);
        self.emit(match source {
            Some(a) => Insn::Mov { d: shadow, a },
            None => Insn::Const { d: shadow, v: INIT },
        });
    }

    fn load(&mut self, dst: VarId, addr: ExprId) {
        let ty = self.program.vars[dst].ty;
        let (a, v) = self.address(addr);
        let d = self.dest(dst);
        if track::is_byte(ty)
            && let Some(&shadow) = self.layout.shadows.get(&dst)
        {
            let signed = ty == Ty::Int(IntTy::I8);
            self.emit(Insn::LoadByte { signed, d, a, v });
            self.emit(Insn::TakeMask { d: shadow });
            return;
        }
        let any = |g: &mut Self| Insn::LoadAny { k: g.aux(Aux::Type(ty)) as u16, d, a, v };
        let insn = match ty {
            Ty::Int(IntTy::I8) => Insn::LoadI8 { d, a, v },
            Ty::Int(IntTy::U8) => Insn::LoadU8 { d, a, v },
            Ty::Int(IntTy::I16) => Insn::LoadI16 { d, a, v },
            Ty::Int(IntTy::U16) => Insn::LoadU16 { d, a, v },
            Ty::Int(IntTy::I32) => Insn::LoadI32 { d, a, v },
            Ty::Int(IntTy::U32) => Insn::LoadU32 { d, a, v },
            Ty::Int(i) if i.bits == 64 => Insn::Load64 { d, a, v },
            Ty::Ptr if !self.flat => Insn::Load64 { d, a, v },
            Ty::Float(f) if f.bits() == 32 => Insn::LoadU32 { d, a, v },
            Ty::Float(f) if f.bits() == 64 => Insn::Load64 { d, a, v },
            _ => any(self),
        };
        self.emit(insn);
        self.assigned(dst, d);
    }

    fn store(&mut self, addr: ExprId, value: ExprId) {
        let ty = self.program.ty(value);
        let (a, v) = self.address(addr);
        let shadow = if track::is_byte(ty) { self.unchecked(value) } else { None };
        let b = self.value(value);
        if let Some(shadow) = shadow {
            self.emit(Insn::PutMask { a: shadow });
            self.emit(Insn::StoreByte { a, b, v });
            return;
        }
        let insn = match ty {
            Ty::Ptr if !self.flat => Insn::Store64 { a, b, v },
            Ty::Int(IntTy { bits: 8, .. }) => Insn::Store8 { a, b, v },
            Ty::Int(IntTy { bits: 16, .. }) => Insn::Store16 { a, b, v },
            Ty::Int(IntTy { bits: 32, .. }) => Insn::Store32 { a, b, v },
            Ty::Int(IntTy { bits: 64, .. }) => Insn::Store64 { a, b, v },
            Ty::Float(f) if f.bits() == 32 => Insn::Store32 { a, b, v },
            Ty::Float(f) if f.bits() == 64 => Insn::Store64 { a, b, v },
            _ => Insn::StoreAny { k: self.aux(Aux::Type(ty)) as u16, a, b, v },
        };
        self.emit(insn);
    }

    fn call(&mut self, dst: Option<VarId>, callee: &Callee, args: &[ExprId]) {
        let target = match callee {
            Callee::Ptr { target, .. } => self.value(*target),
            _ => NO_SLOT,
        };
        let types: Vec<Ty> = args.iter().map(|&e| self.program.ty(e)).collect();
        let first = self.next_temp;
        let mut at = first;
        self.reserve(types.iter().map(|&t| slots_of(t)).sum());
        for (&e, &ty) in args.iter().zip(&types) {
            self.value_to(e, at);
            at += slots_of(ty);
        }
        let d = dst.map_or(NO_SLOT, |v| self.dest(v));
        match callee {
            Callee::Func(f) => self.direct_call(*f, &types, first, d),
            Callee::Ptr { sig, .. } => {
                let k = self.aux(Aux::CallPtr { target, sig: (**sig).clone() });
                let n = self.flush();
                self.emit_counted(Insn::CallPtr { n, k, args: first, d }, n);
            }
            Callee::Builtin(builtin) => return self.builtin(*builtin, types, first, dst, d),
        }
        let Some(v) = dst else { return };
        if let Some(&shadow) = self.layout.shadows.get(&v) {
            self.emit(Insn::TakeMask { d: shadow });
        } else if track::may_be_silent(self.statics, callee) {
            self.emit(Insn::CheckReturned);
        }
        self.set_global(v, d);
    }

    fn direct_call(&mut self, f: FuncId, types: &[Ty], args: Slot, d: Slot) {
        let callee = &self.program.funcs[f];
        let index = f.as_u32();
        if self.options.targets.contains(&callee.name) {
            self.emit(Insn::CallError { f: index });
        } else if callee.sig.params != types {
            self.emit(Insn::CallMismatch { f: index });
        } else if callee.body.is_none() {
            self.emit(Insn::CallUnknown { f: index, d });
        } else {
            let n = self.flush();
            self.emit_counted(Insn::Call { n, f: index, args, d }, n);
        }
    }

    fn builtin(&mut self, builtin: Builtin, types: Vec<Ty>, args: Slot, dst: Option<VarId>, d: Slot) {
        let k = self.aux(Aux::Builtin { builtin, args: types }) as u16;
        self.emit(Insn::CallBuiltin { k, args, d });
        if let Some(v) = dst {
            self.assigned(v, d);
        }
    }

    // Emission.

    fn pc(&self) -> u32 {
        self.code.insns.len() as u32
    }

    fn emit(&mut self, insn: Insn) -> u32 {
        self.emit_counted(insn, self.count)
    }

    /// Emits an instruction before which `upto` edges of its segment have begun.
    fn emit_counted(&mut self, insn: Insn, upto: u16) -> u32 {
        self.code.insns.push(insn);
        self.code.edges.push(self.edge.unwrap_or(EdgeId::from_u32(0)));
        self.code.upto.push(upto);
        self.pc() - 1
    }

    /// Ends the segment: the number of its edges.
    fn flush(&mut self) -> u16 {
        std::mem::take(&mut self.count)
    }

    /// Makes a jump lead to the next instruction.
    fn patch(&mut self, pc: u32) {
        let here = self.pc();
        self.set_target(pc, here);
    }

    fn set_target(&mut self, pc: u32, target: u32) {
        match &mut self.code.insns[pc as usize] {
            Insn::Jump { t, .. }
            | Insn::Br { t, .. }
            | Insn::BrNot { t, .. }
            | Insn::BrEq { t, .. }
            | Insn::BrNe { t, .. }
            | Insn::BrLtS { t, .. }
            | Insn::BrLeS { t, .. }
            | Insn::BrLtU { t, .. }
            | Insn::BrLeU { t, .. }
            | Insn::BrEqImm { t, .. }
            | Insn::BrNeImm { t, .. }
            | Insn::BrLtSImm { t, .. }
            | Insn::BrLeSImm { t, .. }
            | Insn::BrGtSImm { t, .. }
            | Insn::BrGeSImm { t, .. } => *t = target,
            other => unreachable!("{other:?} does not jump"),
        }
    }

    fn aux(&mut self, aux: Aux) -> u32 {
        let found = self.code.aux.iter().rposition(|a| *a == aux);
        found.unwrap_or_else(|| {
            self.code.aux.push(aux);
            self.code.aux.len() - 1
        }) as u32
    }

    fn temp(&mut self, ty: Ty) -> Slot {
        let slot = self.next_temp;
        self.reserve(slots_of(ty));
        slot
    }

    fn reserve(&mut self, slots: u32) {
        self.next_temp += slots;
        self.code.slots = self.code.slots.max(self.next_temp);
    }
}
