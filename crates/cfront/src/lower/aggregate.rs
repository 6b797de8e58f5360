//! Records as values. A record-valued expression is a place in memory that holds
//! it: the object itself if it is an lvalue, else an object made for it.

use cairn_base::Span;
use cairn_ctyped::hir::{Expr, ExprKind, LValue};
use cairn_ctyped::types::TypeId;
use cairn_ir::{ExprId, IntTy, Op};

use super::call::Dest;
use super::cursor::Target;
use super::func::Fun;

impl super::Cx<'_> {
    /// The size of a complete type (0 for what has none, such as functions).
    pub fn size_of(&self, ty: TypeId) -> u64 {
        self.types.size_of(ty).unwrap_or(0)
    }

    pub fn align_of(&self, ty: TypeId) -> u64 {
        self.types.align_of(ty).unwrap_or(1)
    }
}

impl Fun<'_, '_> {
    pub fn copy(&mut self, dst: ExprId, src: ExprId, size: u64, may_overlap: bool, span: Span) {
        if size == 0 || dst == src {
            return;
        }
        let size = self.cx.prog.exprs.int(IntTy::size(self.cx.prog.model), i128::from(size));
        self.emit(Op::Copy { dst, src, size, may_overlap }, span);
    }

    /// The address of a place that holds the value of a record-typed expression.
    pub fn aggregate(&mut self, e: &Expr) -> ExprId {
        match &e.kind {
            ExprKind::Read(lv) => self.address(lv),
            ExprKind::Cast(a) if self.cx.is_aggregate(a.ty) => self.aggregate(a),
            ExprKind::Assign { dst, value } => self.assign_aggregate(dst, value, e.span),
            ExprKind::Comma(a, b) => {
                self.effect(a);
                self.aggregate(b)
            }
            ExprKind::WithVla { vla, len, value } => {
                self.set_vla(*vla, len);
                self.aggregate(value)
            }
            ExprKind::VaArg { list } => self.va_arg_aggregate(list, e.ty, e.span),
            _ => {
                let obj = self.temp_object(self.cx.size_of(e.ty), self.cx.align_of(e.ty), e.span);
                let addr = self.cx.prog.exprs.addr(obj);
                self.aggregate_into(e, addr);
                addr
            }
        }
    }

    /// Evaluates a record-typed expression into a place it may name itself.
    pub fn aggregate_into(&mut self, e: &Expr, dst: ExprId) {
        match &e.kind {
            ExprKind::Call { callee, args } => {
                self.call(callee, args, e, Dest::Memory(dst));
            }
            ExprKind::Cond { cond, then: Some(then), other } => {
                let (mut yes, mut no, mut end) = (Target::default(), Target::default(), Target::default());
                self.branch(cond, &mut yes, &mut no);
                for (side, e) in [(yes, then), (no, other)] {
                    self.bind(side);
                    self.aggregate_into(e, dst);
                    self.jump(&mut end);
                }
                self.bind(end);
            }
            ExprKind::StmtExpr { block, value: Some(value) } => {
                self.block(block);
                self.aggregate_into(value, dst);
                self.leave();
            }
            ExprKind::Read(_)
            | ExprKind::Cast(_)
            | ExprKind::Assign { .. }
            | ExprKind::Comma(..)
            | ExprKind::WithVla { .. }
            | ExprKind::VaArg { .. } => {
                let src = self.aggregate(e);
                self.copy(dst, src, self.cx.size_of(e.ty), false, e.span);
            }
            _ => self.cx.unsupported(e.span, "a record-valued expression of this form"),
        }
    }

    /// `dst = value` for records; gives the address of `dst`.
    pub fn assign_aggregate(&mut self, dst: &LValue, value: &Expr, span: Span) -> ExprId {
        let next = self.effects(value);
        let addr = self.address(dst);
        let addr = self.protect(addr, &next, dst.span);
        match &value.kind {
            ExprKind::Read(lv) => {
                let src = self.address(lv);
                self.copy(addr, src, self.cx.size_of(dst.ty.id), false, span);
            }
            _ => self.aggregate_into(value, addr),
        }
        addr
    }
}
