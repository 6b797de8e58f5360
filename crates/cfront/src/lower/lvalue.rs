//! Places: where an lvalue is, and reading and writing it.

use cairn_base::Span;
use cairn_ctyped::hir::{LValue, LValueKind, LocalId, LocalInit};
use cairn_ctyped::types::BitField;
use cairn_ir::{BinOp, ExprId, IntTy, Op, Ty, UnOp, VarId};

use super::Storage;
use super::func::Fun;

#[derive(Copy, Clone)]
pub(super) enum Spot {
    Var(VarId),
    Memory(ExprId),
    Bits(ExprId, BitField),
}

impl Fun<'_, '_> {
    /// Evaluates an lvalue to its place, once.
    pub fn spot(&mut self, lv: &LValue) -> Spot {
        match &lv.kind {
            LValueKind::Member { base, offset, bits } => {
                let base = self.address(base);
                let addr = self.offset(base, *offset);
                bits.map_or(Spot::Memory(addr), |b| Spot::Bits(addr, b))
            }
            LValueKind::Local(local) => self.local_spot(*local, lv.span),
            LValueKind::Global(global) => {
                let storage = self.cx.global(*global, lv.span);
                self.storage_spot(storage)
            }
            LValueKind::Deref(p) => Spot::Memory(self.value(p)),
            LValueKind::Temp(e) => Spot::Memory(self.aggregate(e)),
            LValueKind::Compound { local, init } => self.compound(*local, init, lv.span),
        }
    }

    fn local_spot(&mut self, local: LocalId, span: Span) -> Spot {
        match self.locals[local] {
            Some(storage) => self.storage_spot(storage),
            None => Spot::Memory(self.refused(Ty::Ptr, span, "a variable outside of its block")),
        }
    }

    fn storage_spot(&mut self, storage: Storage) -> Spot {
        match storage {
            Storage::Var(v) => Spot::Var(v),
            Storage::Object(o) => Spot::Memory(self.cx.prog.exprs.addr(o)),
            Storage::Vla(v) => Spot::Memory(self.cx.prog.exprs.var(v)),
        }
    }

    /// A compound literal gets its value each time it is evaluated.
    fn compound(&mut self, local: LocalId, init: &LocalInit, span: Span) -> Spot {
        let spot = self.local_spot(local, span);
        match spot {
            Spot::Var(dst) => self.init_var(dst, local, init, span),
            Spot::Memory(addr) | Spot::Bits(addr, _) => {
                let size = self.cx.size_of(self.body.locals[local].ty.id);
                self.init_memory(addr, size, init, span);
            }
        }
        spot
    }

    /// The address of an lvalue.
    pub fn address(&mut self, lv: &LValue) -> ExprId {
        match self.spot(lv) {
            Spot::Memory(addr) => addr,
            Spot::Var(_) | Spot::Bits(..) => {
                self.refused(Ty::Ptr, lv.span, "the address of what is not in memory")
            }
        }
    }

    pub fn offset(&mut self, base: ExprId, offset: u64) -> ExprId {
        let diff = IntTy::diff(self.cx.prog.model);
        let offset = self.cx.prog.exprs.int(diff, i128::from(offset));
        self.cx.prog.exprs.binary(BinOp::PtrAdd, base, offset)
    }

    /// The value of an lvalue; `into` names a variable of its type to load it to.
    pub fn read(&mut self, lv: &LValue, into: Option<VarId>) -> ExprId {
        let spot = self.spot(lv);
        let ty = self.cx.scalar(lv.ty.id, lv.span);
        self.read_spot(spot, ty, into, lv.span)
    }

    pub fn read_spot(&mut self, spot: Spot, ty: Ty, into: Option<VarId>, span: Span) -> ExprId {
        if let Spot::Var(v) = spot {
            return self.cx.prog.exprs.var(v);
        }
        let dst = match into {
            Some(dst) => dst,
            None => self.temp(ty, span),
        };
        match spot {
            Spot::Memory(addr) => self.emit(Op::Load { dst, addr }, span),
            Spot::Bits(addr, b) => self.emit(Op::LoadBits { dst, addr, bit: b.bit, width: b.width }, span),
            Spot::Var(_) => {}
        }
        self.cx.prog.exprs.var(dst)
    }

    pub fn write_spot(&mut self, spot: Spot, value: ExprId, span: Span) {
        match spot {
            Spot::Var(dst) => self.emit(Op::Assign { dst, value }, span),
            Spot::Memory(addr) => self.emit(Op::Store { addr, value }, span),
            Spot::Bits(addr, b) => self.emit(Op::StoreBits { addr, bit: b.bit, width: b.width, value }, span),
        }
    }

    /// What a bit-field of type `ty` holds after `value` was stored in it.
    pub fn read_back(&mut self, value: ExprId, ty: Ty, field: BitField) -> ExprId {
        let Ty::Int(int) = ty else { return value };
        if field.width >= int.bits {
            return value;
        }
        let x = &mut self.cx.prog.exprs;
        if !int.signed {
            let mask = x.int(int, (1i128 << field.width) - 1);
            return x.binary(BinOp::And, value, mask);
        }
        // Through the unsigned type: shifting a value out of a signed one would be an overflow.
        let count = x.int(IntTy::I32, i128::from(int.bits - field.width));
        let raw = x.cast(Ty::Int(int.as_unsigned()), value);
        let raised = x.binary(BinOp::Shl, raw, count);
        let raised = x.cast(ty, raised);
        x.binary(BinOp::Shr, raised, count)
    }

    /// `base` rounded up to a multiple of `align` (a power of two).
    pub fn align_up(&mut self, base: ExprId, align: u64) -> ExprId {
        let model = self.cx.prog.model;
        let (size, diff) = (IntTy::size(model), IntTy::diff(model));
        let x = &mut self.cx.prog.exprs;
        let address = x.cast(Ty::Int(size), base);
        let back = x.unary(UnOp::Neg, address);
        let mask = x.int(size, i128::from(align) - 1);
        let missing = x.binary(BinOp::And, back, mask);
        let missing = x.cast(Ty::Int(diff), missing);
        x.binary(BinOp::PtrAdd, base, missing)
    }
}
