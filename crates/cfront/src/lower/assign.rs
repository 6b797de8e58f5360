//! Assignments in all their forms. The place on the left is evaluated once, then
//! the right side, then the old value is read (as gcc does), then it is written.

use cairn_base::Span;
use cairn_ctyped::hir::{Expr, LValue, Size};
use cairn_ctyped::types::{Type, TypeId};
use cairn_ir::{BinOp, ExprId, IntTy, Ty};

use super::effects::Effects;
use super::func::Fun;
use super::lvalue::Spot;

impl Fun<'_, '_> {
    /// `dst = value`. The result is the value of the expression if it is `wanted`.
    pub fn assign(&mut self, dst: &LValue, value: &Expr, wanted: bool, span: Span) -> ExprId {
        if self.cx.is_aggregate(dst.ty.id) {
            return self.assign_aggregate(dst, value, span);
        }
        if let Some(v) = self.variable(dst) {
            self.value_into(v, value, span);
            return self.cx.prog.exprs.var(v);
        }
        let next = self.effects(value);
        let spot = self.protected_spot(dst, &next);
        let v = self.value(value);
        self.write(spot, v, dst, wanted, span)
    }

    fn protected_spot(&mut self, dst: &LValue, next: &Effects) -> Spot {
        match self.spot(dst) {
            Spot::Var(v) => Spot::Var(v),
            Spot::Memory(addr) => Spot::Memory(self.protect(addr, next, dst.span)),
            Spot::Bits(addr, b) => Spot::Bits(self.protect(addr, next, dst.span), b),
        }
    }

    /// Writes a value of the place's type; gives the value of the assignment expression.
    fn write(&mut self, spot: Spot, v: ExprId, dst: &LValue, wanted: bool, span: Span) -> ExprId {
        let v = if wanted && !matches!(spot, Spot::Var(_)) { self.atom(v, span) } else { v };
        self.write_spot(spot, v, span);
        match spot {
            Spot::Var(var) => self.cx.prog.exprs.var(var),
            Spot::Memory(_) => v,
            Spot::Bits(_, field) => {
                let ty = self.cx.scalar(dst.ty.id, span);
                self.read_back(v, ty, field)
            }
        }
    }

    /// `dst op= rhs`, computed in the type `compute`.
    pub fn assign_op(
        &mut self,
        dst: &LValue,
        op: BinOp,
        rhs: &Expr,
        compute: TypeId,
        wanted: bool,
        span: Span,
    ) -> ExprId {
        let next = self.effects(rhs);
        let spot = self.protected_spot(dst, &next);
        let r = self.value(rhs);
        let ty = self.cx.scalar(dst.ty.id, span);
        let old = self.read_spot(spot, ty, None, dst.span);
        let old = self.convert(old, compute, span);
        let new = self.binary_rounded(op, old, r, span);
        let new = self.convert(new, dst.ty.id, span);
        self.write(spot, new, dst, wanted, span)
    }

    /// `dst += index` on a pointer.
    pub fn assign_ptr(
        &mut self,
        dst: &LValue,
        index: &Expr,
        size: &Size,
        negative: bool,
        wanted: bool,
        span: Span,
    ) -> ExprId {
        let next = self.effects(index);
        let spot = self.protected_spot(dst, &next);
        let index = self.value(index);
        let offset = self.scaled(index, size, negative);
        let old = self.read_spot(spot, Ty::Ptr, None, dst.span);
        let new = self.cx.prog.exprs.binary(BinOp::PtrAdd, old, offset);
        self.write(spot, new, dst, wanted, span)
    }

    /// `++` and `--`.
    #[allow(clippy::too_many_arguments)]
    pub fn inc_dec(
        &mut self,
        dst: &LValue,
        decrement: bool,
        postfix: bool,
        size: Option<&Size>,
        compute: TypeId,
        wanted: bool,
        span: Span,
    ) -> ExprId {
        let spot = self.spot(dst);
        let ty = self.cx.scalar(dst.ty.id, span);
        let old = self.read_spot(spot, ty, None, dst.span);
        // A variable is about to change; what was loaded from memory sits in a temporary already.
        let keep = wanted && postfix && matches!(spot, Spot::Var(_));
        let result = if keep { self.save(old, span) } else { old };
        let new = match size {
            Some(size) => {
                let one = self.cx.prog.exprs.int(IntTy::diff(self.cx.prog.model), 1);
                let offset = self.scaled(one, size, decrement);
                self.cx.prog.exprs.binary(BinOp::PtrAdd, old, offset)
            }
            None => self.successor(old, decrement, compute, dst.ty.id, span),
        };
        let value = self.write(spot, new, dst, wanted && !postfix, span);
        if postfix { result } else { value }
    }

    fn successor(&mut self, old: ExprId, decrement: bool, compute: TypeId, ty: TypeId, span: Span) -> ExprId {
        let op = if decrement { BinOp::Sub } else { BinOp::Add };
        let wide = if matches!(self.cx.types.get(compute), Type::Bool) {
            self.cx.prog.exprs.cast(Ty::I32, old)
        } else {
            self.convert(old, compute, span)
        };
        let one = self.cx.prog.exprs.int(IntTy::I32, 1);
        let wide_ty = self.cx.prog.ty(wide);
        let Some(one) = self.coerce(one, wide_ty).filter(|_| wide_ty != Ty::Ptr) else {
            return self.refused(wide_ty, span, "`++` or `--` on this type");
        };
        let new = self.binary_rounded(op, wide, one, span);
        self.convert(new, ty, span)
    }
}
