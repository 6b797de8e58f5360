//! Expressions into instructions.
//!
//! An expression is walked with an explicit stack (a program may nest
//! thousands deep). Subexpressions that occur twice in one operation are
//! evaluated once, except that what one side of a selection computed is not
//! available outside it.

use cairn_ir::{BinOp, Expr, ExprId, FloatTy, IntTy, Ty, UnOp, VarId};
use smallvec::{SmallVec, smallvec};

use super::Gen;
use crate::code::{Aux, Insn, Slot, is_wide, slots_of};
use crate::memory::pointer;
use crate::slot::{from_bits, narrow};

enum Task {
    Eval(ExprId, Option<Slot>),
    Emit(ExprId, Option<Slot>),
    Then { e: ExprId, d: Slot, keep: bool },
    Else { e: ExprId, d: Slot, keep: bool, skip: u32, mark: usize },
    Join { e: ExprId, d: Slot, keep: bool, skip: u32, mark: usize },
}

impl Gen<'_> {
    /// A slot that holds the value of `e`.
    pub(super) fn value(&mut self, e: ExprId) -> Slot {
        self.eval(e, None)
    }

    /// Puts the value of `e` into `d`.
    pub(super) fn value_to(&mut self, e: ExprId, d: Slot) {
        self.eval(e, Some(d));
    }

    /// An address as a slot and a displacement.
    pub(super) fn address(&mut self, e: ExprId) -> (Slot, i32) {
        if let Expr::Binary(BinOp::PtrAdd, p, n) = self.program.exprs.get(e)
            && let Some(v) = self.imm(n)
            && !self.cache.contains_key(&e)
        {
            return (self.value(p), v);
        }
        (self.value(e), 0)
    }

    /// The value of a constant that fits an immediate operand.
    pub(super) fn imm(&self, e: ExprId) -> Option<i32> {
        let ty = self.program.ty(e);
        match ty {
            Ty::Int(i) if i.bits <= 64 => {
                i32::try_from(narrow(ty, self.program.exprs.const_bits(e)?) as i64).ok()
            }
            Ty::Ptr => (self.program.exprs.const_bits(e)? == 0).then_some(0),
            Ty::Bool => Some(self.program.exprs.const_bits(e)? as i32),
            _ => None,
        }
    }

    pub(super) fn remember(&mut self, e: ExprId, slot: Slot) {
        if self.cache.insert(e, slot).is_none() {
            self.trail.push(e);
        }
    }

    pub(super) fn forget(&mut self, mark: usize) {
        for e in self.trail.drain(mark..) {
            self.cache.remove(&e);
        }
    }

    fn eval(&mut self, root: ExprId, dst: Option<Slot>) -> Slot {
        let mut tasks = vec![Task::Eval(root, dst)];
        let mut results: Vec<Slot> = Vec::new();
        let pop = |results: &mut Vec<Slot>| results.pop().expect("every evaluation leaves one slot");
        while let Some(task) = tasks.pop() {
            match task {
                Task::Eval(e, dst) => {
                    if let Some(&slot) = self.cache.get(&e) {
                        results.push(self.place(e, slot, dst));
                    } else if let Some(slot) = self.leaf(e, dst) {
                        results.push(slot);
                    } else if let Expr::Select(c, ..) = self.program.exprs.get(e) {
                        let d = dst.unwrap_or_else(|| self.temp(self.program.ty(e)));
                        tasks.push(Task::Then { e, d, keep: dst.is_none() });
                        tasks.push(Task::Eval(c, None));
                    } else {
                        tasks.push(Task::Emit(e, dst));
                        tasks.extend(self.operands(e).into_iter().rev().map(|a| Task::Eval(a, None)));
                    }
                }
                Task::Emit(e, dst) => {
                    let n = self.operands(e).len();
                    let b = if n == 2 { pop(&mut results) } else { 0 };
                    let a = pop(&mut results);
                    let slot = self.operation(e, a, b, dst);
                    if dst.is_none() {
                        self.remember(e, slot);
                    }
                    results.push(slot);
                }
                Task::Then { e, d, keep } => {
                    let a = pop(&mut results);
                    let Expr::Select(_, t, _) = self.program.exprs.get(e) else { continue };
                    let skip = self.emit(Insn::BrNot { n: 0, a, t: 0 });
                    let mark = self.trail.len();
                    tasks.push(Task::Else { e, d, keep, skip, mark });
                    tasks.push(Task::Eval(t, Some(d)));
                }
                Task::Else { e, d, keep, skip, mark } => {
                    pop(&mut results);
                    let Expr::Select(_, _, f) = self.program.exprs.get(e) else { continue };
                    let end = self.emit(Insn::Jump { n: 0, t: 0 });
                    self.patch(skip);
                    self.forget(mark);
                    tasks.push(Task::Join { e, d, keep, skip: end, mark });
                    tasks.push(Task::Eval(f, Some(d)));
                }
                Task::Join { e, d, keep, skip, mark } => {
                    pop(&mut results);
                    self.patch(skip);
                    self.forget(mark);
                    if keep {
                        self.remember(e, d);
                    }
                    results.push(d);
                }
            }
        }
        pop(&mut results)
    }

    /// The operands that must be in slots: those that instruction selection does not fold away.
    fn operands(&self, e: ExprId) -> SmallVec<[ExprId; 2]> {
        match self.program.exprs.get(e) {
            Expr::Unary(_, a) | Expr::Cast(_, a) => smallvec![a],
            Expr::Binary(op, a, b) => match self.folded(op, a, b) {
                Folded::Right(_) => smallvec![a],
                Folded::Left(_) => smallvec![b],
                Folded::Index(x, _) => smallvec![a, x],
                Folded::No => smallvec![a, b],
            },
            _ => SmallVec::new(),
        }
    }

    /// Which operand of a binary operation becomes part of the instruction.
    fn folded(&self, op: BinOp, a: ExprId, b: ExprId) -> Folded {
        let ty = self.program.ty(a);
        let narrow_int = matches!(ty, Ty::Int(i) if i.bits <= 64);
        let signed = matches!(ty, Ty::Int(i) if i.signed);
        let bits = ty.int().map_or(0, |i| i.bits);
        let checked = self.checked(ty);
        match op {
            BinOp::Add | BinOp::Sub | BinOp::Mul if narrow_int && !checked => match (self.imm(b), op) {
                (Some(v), BinOp::Sub) if v != i32::MIN => Folded::Right(-v),
                (Some(v), BinOp::Add) => Folded::Right(v),
                (Some(v), BinOp::Mul) if bits == 64 || (bits == 32 && signed) => Folded::Right(v),
                _ => Folded::No,
            },
            BinOp::And | BinOp::Or | BinOp::Xor if narrow_int || ty == Ty::Bool => {
                self.imm(b).map_or(Folded::No, Folded::Right)
            }
            BinOp::Shl | BinOp::Shr if narrow_int && !(checked && op == BinOp::Shl) => match self.imm(b) {
                Some(v) if 0 <= v && v < i32::from(bits) => Folded::Right(v),
                _ => Folded::No,
            },
            BinOp::Eq | BinOp::Ne if narrow_int || matches!(ty, Ty::Bool | Ty::Ptr) => {
                self.imm(b).map_or(Folded::No, Folded::Right)
            }
            BinOp::Lt | BinOp::Le if narrow_int && signed => match (self.imm(a), self.imm(b)) {
                (_, Some(v)) => Folded::Right(v),
                (Some(v), _) => Folded::Left(v),
                _ => Folded::No,
            },
            BinOp::PtrAdd => match (self.imm(b), self.program.exprs.get(b)) {
                (Some(v), _) => Folded::Right(v),
                (None, Expr::Binary(BinOp::Mul, x, c)) if !self.checked(self.program.ty(b)) => {
                    match self.imm(c).map(u16::try_from) {
                        Some(Ok(scale)) => Folded::Index(x, scale),
                        _ => Folded::No,
                    }
                }
                _ => Folded::No,
            },
            _ => Folded::No,
        }
    }

    /// Must arithmetic of this type be checked for overflow?
    fn checked(&self, ty: Ty) -> bool {
        self.check_overflow && matches!(ty, Ty::Int(i) if i.signed)
    }

    /// A value that already is in `slot`, in `dst` if that is asked for.
    fn place(&mut self, e: ExprId, slot: Slot, dst: Option<Slot>) -> Slot {
        match dst {
            Some(d) if d != slot => {
                self.mov(self.program.ty(e), d, slot);
                d
            }
            _ => slot,
        }
    }

    pub(super) fn mov(&mut self, ty: Ty, d: Slot, a: Slot) {
        self.emit(if is_wide(ty) { Insn::Mov2 { d, a } } else { Insn::Mov { d, a } });
    }

    fn leaf(&mut self, e: ExprId, dst: Option<Slot>) -> Option<Slot> {
        let ty = self.program.ty(e);
        let node = self.program.exprs.get(e);
        let (low, high) = match node {
            Expr::Int(_, b) | Expr::Float(_, b) => from_bits(ty, b),
            Expr::Bool(b) => (b.into(), 0),
            Expr::Ptr(p) => {
                let d = dst.unwrap_or_else(|| self.temp(ty));
                self.emit(Insn::Const { d, v: p });
                if self.flat && p != 0 {
                    self.emit(Insn::IntToPtr32 { d, a: d });
                }
                return Some(d);
            }
            Expr::Func(f) => (pointer(self.statics.funcs[f], 0), 0),
            Expr::Label(l) => (pointer(self.statics.labels[l], 0), 0),
            Expr::Addr(o) => match self.layout.object_index.get(&o) {
                Some(&i) => {
                    let slot = self.layout.objects[i as usize].addr;
                    return Some(self.place(e, slot, dst));
                }
                None => (pointer(self.statics.objects[o], 0), 0),
            },
            Expr::Var(v) => return Some(self.variable(e, v, dst)),
            _ => return None,
        };
        let d = dst.unwrap_or_else(|| self.temp(ty));
        self.emit(Insn::Const { d, v: low });
        if slots_of(ty) == 2 {
            self.emit(Insn::Const { d: d + 1, v: high });
        }
        if dst.is_none() {
            self.remember(e, d);
        }
        Some(d)
    }

    fn variable(&mut self, e: ExprId, v: VarId, dst: Option<Slot>) -> Slot {
        let ty = self.program.vars[v].ty;
        if let Some(&slot) = self.layout.vars.get(&v) {
            if let Some(&a) = self.layout.shadows.get(&v) {
                self.emit(Insn::CheckInit { a, v });
                self.remember(e, slot);
            }
            return self.place(e, slot, dst);
        }
        let g = self.statics.globals[v];
        let d = dst.unwrap_or_else(|| self.temp(ty));
        self.emit(Insn::GetGlobal { d, g });
        if is_wide(ty) {
            self.emit(Insn::GetGlobal { d: d + 1, g: g + 1 });
        }
        if dst.is_none() {
            self.remember(e, d);
        }
        d
    }

    /// Emits the operation at the root of `e` on operands in slots.
    fn operation(&mut self, e: ExprId, a: Slot, b: Slot, dst: Option<Slot>) -> Slot {
        let ty = self.program.ty(e);
        match self.program.exprs.get(e) {
            Expr::Unary(op, x) => {
                let d = dst.unwrap_or_else(|| self.temp(ty));
                self.unary(op, self.program.ty(x), d, a);
                d
            }
            Expr::Cast(to, x) => self.cast(self.program.ty(x), to, a, dst),
            Expr::Binary(op, x, y) => {
                let d = dst.unwrap_or_else(|| self.temp(ty));
                match self.folded(op, x, y) {
                    Folded::Right(v) => self.binary_imm(op, self.program.ty(x), d, a, v),
                    Folded::Left(v) => {
                        let gt = op == BinOp::Lt;
                        self.emit(if gt { Insn::GtSImm { d, a, v } } else { Insn::GeSImm { d, a, v } });
                    }
                    Folded::Index(_, scale) => {
                        self.emit(Insn::PtrIndex { scale, d, a, b });
                    }
                    Folded::No => self.binary(op, self.program.ty(x), self.program.ty(y), d, a, b),
                }
                d
            }
            _ => unreachable!("leaves and selections are handled before"),
        }
    }

    fn unary(&mut self, op: UnOp, ty: Ty, d: Slot, a: Slot) {
        match (op, ty) {
            (UnOp::Not, _) => {
                self.emit(Insn::XorImm { d, a, v: 1 });
            }
            (UnOp::BitNot, Ty::Int(i)) if i.bits <= 64 => {
                self.emit(Insn::XorImm { d, a, v: -1 });
                if !i.signed && i.bits < 64 {
                    self.emit(Insn::ExtU { w: i.bits.into(), d, a: d });
                }
            }
            (UnOp::Neg, Ty::Int(i)) if i.bits <= 64 => {
                let zero = self.temp(ty);
                self.emit(Insn::Const { d: zero, v: 0 });
                self.binary(BinOp::Sub, ty, ty, d, zero, a);
            }
            _ => {
                let k = self.aux(Aux::Unary(op, ty));
                self.emit(Insn::Unary { k, d, a });
            }
        }
    }

    fn binary_imm(&mut self, op: BinOp, ty: Ty, d: Slot, a: Slot, v: i32) {
        let int = ty.int().unwrap_or(IntTy::U64);
        let (w, n) = (u16::from(int.bits), v as u32);
        match op {
            // A subtraction comes with its operand negated.
            BinOp::Add | BinOp::Sub => match (int.bits, int.signed) {
                (32, true) => self.emit(Insn::AddI32Imm { d, a, v }),
                (32, false) => self.emit(Insn::AddU32Imm { d, a, v }),
                _ => {
                    self.emit(Insn::Add64Imm { d, a, v });
                    self.normalise(int, d)
                }
            },
            BinOp::Mul if int.bits == 32 => self.emit(Insn::MulI32Imm { d, a, v }),
            BinOp::Mul => self.emit(Insn::Mul64Imm { d, a, v }),
            BinOp::And => self.emit(Insn::AndImm { d, a, v }),
            BinOp::Or => self.emit(Insn::OrImm { d, a, v }),
            BinOp::Xor => self.emit(Insn::XorImm { d, a, v }),
            BinOp::Shl if int.signed => self.emit(Insn::ShlSImm { w, d, a, v: n }),
            BinOp::Shl => self.emit(Insn::ShlUImm { w, d, a, v: n }),
            BinOp::Shr if int.signed => self.emit(Insn::ShrSImm { d, a, v: n }),
            BinOp::Shr => self.emit(Insn::ShrUImm { d, a, v: n }),
            BinOp::Eq => self.emit(Insn::EqImm { d, a, v }),
            BinOp::Ne => self.emit(Insn::NeImm { d, a, v }),
            BinOp::Lt => self.emit(Insn::LtSImm { d, a, v }),
            BinOp::Le => self.emit(Insn::LeSImm { d, a, v }),
            BinOp::PtrAdd => self.emit(Insn::PtrAddImm { d, a, v }),
            _ => unreachable!("{op:?} takes no immediate operand"),
        };
    }

    /// Brings a 64-bit result into the range of a type; returns the last instruction.
    fn normalise(&mut self, int: IntTy, d: Slot) -> u32 {
        let w = u16::from(int.bits);
        match (int.bits < 64, int.signed) {
            (false, _) => self.pc() - 1,
            (true, true) => self.emit(Insn::ExtS { w, d, a: d }),
            (true, false) => self.emit(Insn::ExtU { w, d, a: d }),
        }
    }

    fn binary(&mut self, op: BinOp, ty: Ty, rty: Ty, d: Slot, a: Slot, b: Slot) {
        let fits = !is_wide(ty) && !is_wide(rty);
        match ty {
            Ty::Int(i) if fits && self.int_binary(op, i, d, a, b) => return,
            Ty::Bool => {
                let insn = match op {
                    BinOp::And => Insn::And { d, a, b },
                    BinOp::Or => Insn::Or { d, a, b },
                    BinOp::Xor | BinOp::Ne => Insn::Xor { d, a, b },
                    _ => Insn::Eq { d, a, b },
                };
                self.emit(insn);
                return;
            }
            Ty::Ptr => return self.ptr_binary(op, d, a, b),
            Ty::Float(f) if self.float_binary(op, f, d, a, b) => return,
            _ => {}
        }
        let k = self.aux(Aux::Binary(op, ty, rty)) as u16;
        if self.checked(ty) && matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Shl) {
            self.emit(Insn::BinaryChecked { k, d, a, b });
            return;
        }
        self.emit(Insn::Binary { k, d, a, b });
    }

    /// Integer operations of at most 64 bits that have instructions of their own.
    fn int_binary(&mut self, op: BinOp, int: IntTy, d: Slot, a: Slot, b: Slot) -> bool {
        use BinOp::*;
        let w = u16::from(int.bits);
        if self.check_overflow && int.signed {
            let insn = match op {
                Add => Some(Insn::AddChecked { w, d, a, b }),
                Sub => Some(Insn::SubChecked { w, d, a, b }),
                Mul => Some(Insn::MulChecked { w, d, a, b }),
                Shl => Some(Insn::ShlChecked { w, d, a, b }),
                _ => None,
            };
            if let Some(insn) = insn {
                self.emit(insn);
                return true;
            }
        }
        let insn = match (op, int.bits, int.signed) {
            (Add, 32, true) => Insn::AddI32 { d, a, b },
            (Add, 32, false) => Insn::AddU32 { d, a, b },
            (Sub, 32, true) => Insn::SubI32 { d, a, b },
            (Sub, 32, false) => Insn::SubU32 { d, a, b },
            (Mul, 32, true) => Insn::MulI32 { d, a, b },
            (Mul, 32, false) => Insn::MulU32 { d, a, b },
            (Add | Sub | Mul, ..) => {
                self.emit(match op {
                    Add => Insn::Add64 { d, a, b },
                    Sub => Insn::Sub64 { d, a, b },
                    _ => Insn::Mul64 { d, a, b },
                });
                self.normalise(int, d);
                return true;
            }
            (Div, _, true) => Insn::DivS { w, d, a, b },
            (Div, _, false) => Insn::DivU { d, a, b },
            (Rem, _, true) => Insn::RemS { w, d, a, b },
            (Rem, _, false) => Insn::RemU { d, a, b },
            (Shl, _, true) => Insn::ShlS { w, d, a, b },
            (Shl, _, false) => Insn::ShlU { w, d, a, b },
            (Shr, _, true) => Insn::ShrS { w, d, a, b },
            (Shr, _, false) => Insn::ShrU { w, d, a, b },
            (And, ..) => Insn::And { d, a, b },
            (Or, ..) => Insn::Or { d, a, b },
            (Xor, ..) => Insn::Xor { d, a, b },
            (Eq, ..) => Insn::Eq { d, a, b },
            (Ne, ..) => Insn::Ne { d, a, b },
            (Lt, _, true) => Insn::LtS { d, a, b },
            (Le, _, true) => Insn::LeS { d, a, b },
            (Lt, _, false) => Insn::LtU { d, a, b },
            (Le, _, false) => Insn::LeU { d, a, b },
            _ => return false,
        };
        self.emit(insn);
        true
    }

    fn ptr_binary(&mut self, op: BinOp, d: Slot, a: Slot, b: Slot) {
        let flat = self.flat;
        let insn = match (op, flat) {
            (BinOp::PtrAdd, _) => Insn::PtrAdd { d, a, b },
            (BinOp::PtrSub, false) => Insn::Sub64 { d, a, b },
            (BinOp::PtrSub, true) => Insn::PtrSub32 { d, a, b },
            (BinOp::Eq, false) => Insn::Eq { d, a, b },
            (BinOp::Ne, false) => Insn::Ne { d, a, b },
            (BinOp::Lt, false) => Insn::LtU { d, a, b },
            (_, false) => Insn::LeU { d, a, b },
            (BinOp::Eq | BinOp::Ne, true) => Insn::PtrEq32 { d, a, b },
            (BinOp::Lt, true) => Insn::PtrLt32 { d, a, b },
            (_, true) => Insn::PtrLe32 { d, a, b },
        };
        self.emit(insn);
        if flat && op == BinOp::Ne {
            self.emit(Insn::XorImm { d, a: d, v: 1 });
        }
    }

    fn float_binary(&mut self, op: BinOp, ty: FloatTy, d: Slot, a: Slot, b: Slot) -> bool {
        let insn = match (ty, op) {
            (FloatTy::F64, BinOp::Add) => Insn::FAdd64 { d, a, b },
            (FloatTy::F64, BinOp::Sub) => Insn::FSub64 { d, a, b },
            (FloatTy::F64, BinOp::Mul) => Insn::FMul64 { d, a, b },
            (FloatTy::F64, BinOp::Div) => Insn::FDiv64 { d, a, b },
            (FloatTy::F64, BinOp::Eq) => Insn::FEq64 { d, a, b },
            (FloatTy::F64, BinOp::Ne) => Insn::FNe64 { d, a, b },
            (FloatTy::F64, BinOp::Lt) => Insn::FLt64 { d, a, b },
            (FloatTy::F64, BinOp::Le) => Insn::FLe64 { d, a, b },
            (FloatTy::F32, BinOp::Add) => Insn::FAdd32 { d, a, b },
            (FloatTy::F32, BinOp::Sub) => Insn::FSub32 { d, a, b },
            (FloatTy::F32, BinOp::Mul) => Insn::FMul32 { d, a, b },
            (FloatTy::F32, BinOp::Div) => Insn::FDiv32 { d, a, b },
            _ => return false,
        };
        self.emit(insn);
        true
    }

    fn cast(&mut self, from: Ty, to: Ty, a: Slot, dst: Option<Slot>) -> Slot {
        let target = |g: &mut Self| dst.unwrap_or_else(|| g.temp(to));
        let flat = self.flat;
        match (from, to) {
            (Ty::Ptr, Ty::Int(i)) => {
                let address = IntTy::size(self.program.model);
                if !flat {
                    return self.cast(Ty::Int(address), Ty::Int(i), a, dst);
                }
                let d = self.temp(Ty::Int(address));
                self.emit(Insn::PtrToInt32 { d, a });
                self.cast(Ty::Int(address), Ty::Int(i), d, dst)
            }
            // The low slot of an integer holds the address, extended by its signedness.
            (Ty::Int(_), Ty::Ptr) => {
                if !flat {
                    return self.alias(to, a, dst);
                }
                let d = target(self);
                self.emit(Insn::IntToPtr32 { d, a });
                d
            }
            (Ty::Bool, Ty::Int(i)) if i.bits > 1 && i.bits <= 64 => self.alias(to, a, dst),
            (Ty::Int(x), Ty::Int(y)) if x.bits <= 64 && y.bits <= 64 => {
                let same = y.bits == 64
                    || (x.signed == y.signed && x.bits <= y.bits)
                    || (!x.signed && y.signed && x.bits < y.bits);
                if same {
                    return self.alias(to, a, dst);
                }
                let (d, w) = (target(self), u16::from(y.bits));
                self.emit(if y.signed { Insn::ExtS { w, d, a } } else { Insn::ExtU { w, d, a } });
                d
            }
            (Ty::Int(i), Ty::Float(FloatTy::F64)) if i.bits < 64 || (i.bits == 64 && i.signed) => {
                let d = target(self);
                self.emit(Insn::SToF64 { d, a });
                d
            }
            (Ty::Float(FloatTy::F32), Ty::Float(FloatTy::F64)) => {
                let d = target(self);
                self.emit(Insn::F32To64 { d, a });
                d
            }
            _ => {
                let d = target(self);
                let k = self.aux(Aux::Cast(from, to));
                self.emit(Insn::Cast { k, d, a });
                d
            }
        }
    }

    /// A cast that changes nothing in the slot.
    fn alias(&mut self, ty: Ty, a: Slot, dst: Option<Slot>) -> Slot {
        match dst {
            Some(d) if d != a => {
                self.mov(ty, d, a);
                d
            }
            _ => a,
        }
    }

    /// A branch on `e` being `holds`, counting the segment; returns the instruction to patch.
    pub(super) fn branch(&mut self, e: ExprId, holds: bool) -> u32 {
        if let Expr::Binary(op, x, y) = self.program.exprs.get(e)
            && !self.cache.contains_key(&e)
        {
            let (tx, ty) = (self.program.ty(x), self.program.ty(y));
            let signed = matches!(tx, Ty::Int(i) if i.signed);
            let plain = match tx {
                Ty::Int(i) => i.bits <= 64,
                Ty::Ptr => !self.flat || self.imm(y).is_some(),
                _ => false,
            };
            let order = matches!(op, BinOp::Lt | BinOp::Le);
            if plain && !is_wide(ty) && (order || matches!(op, BinOp::Eq | BinOp::Ne)) {
                return self.compare_branch(op, x, y, signed, holds);
            }
        }
        let a = self.value(e);
        let (n, t) = (self.flush(), 0);
        self.emit_counted(if holds { Insn::Br { n, a, t } } else { Insn::BrNot { n, a, t } }, n)
    }

    fn compare_branch(&mut self, op: BinOp, x: ExprId, y: ExprId, signed: bool, holds: bool) -> u32 {
        let t = 0;
        match self.folded(op, x, y) {
            Folded::Right(v) => {
                let a = self.value(x);
                let n = self.flush();
                let insn = match (op, holds) {
                    (BinOp::Eq, true) | (BinOp::Ne, false) => Insn::BrEqImm { n, a, v, t },
                    (BinOp::Eq | BinOp::Ne, _) => Insn::BrNeImm { n, a, v, t },
                    (BinOp::Lt, true) => Insn::BrLtSImm { n, a, v, t },
                    (BinOp::Lt, false) => Insn::BrGeSImm { n, a, v, t },
                    (_, true) => Insn::BrLeSImm { n, a, v, t },
                    (_, false) => Insn::BrGtSImm { n, a, v, t },
                };
                self.emit_counted(insn, n)
            }
            Folded::Left(v) => {
                let a = self.value(y);
                let n = self.flush();
                let insn = match (op, holds) {
                    (BinOp::Lt, true) => Insn::BrGtSImm { n, a, v, t },
                    (BinOp::Lt, false) => Insn::BrLeSImm { n, a, v, t },
                    (_, true) => Insn::BrGeSImm { n, a, v, t },
                    (_, false) => Insn::BrLtSImm { n, a, v, t },
                };
                self.emit_counted(insn, n)
            }
            _ => {
                let (a, b) = (self.value(x), self.value(y));
                let n = self.flush();
                let insn = match (op, signed, holds) {
                    (BinOp::Eq, _, true) | (BinOp::Ne, _, false) => Insn::BrEq { n, a, b, t },
                    (BinOp::Eq | BinOp::Ne, ..) => Insn::BrNe { n, a, b, t },
                    (BinOp::Lt, true, true) => Insn::BrLtS { n, a, b, t },
                    (BinOp::Lt, true, false) => Insn::BrLeS { n, a: b, b: a, t },
                    (BinOp::Lt, false, true) => Insn::BrLtU { n, a, b, t },
                    (BinOp::Lt, false, false) => Insn::BrLeU { n, a: b, b: a, t },
                    (_, true, true) => Insn::BrLeS { n, a, b, t },
                    (_, true, false) => Insn::BrLtS { n, a: b, b: a, t },
                    (_, false, true) => Insn::BrLeU { n, a, b, t },
                    (_, false, false) => Insn::BrLtU { n, a: b, b: a, t },
                };
                self.emit_counted(insn, n)
            }
        }
    }
}

enum Folded {
    No,
    Right(i32),
    Left(i32),
    /// Pointer plus scaled index.
    Index(ExprId, u16),
}
