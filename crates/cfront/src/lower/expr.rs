//! Scalar values.

use cairn_base::Span;
use cairn_ctyped::hir::{Block, Expr, ExprKind, Size};
use cairn_ctyped::types::{ArrayLen, Type, TypeId, VlaId};
use cairn_ir::{
    AllocKind, BinOp, Builtin, Callee, Expr as Node, ExprId, IntTy, Op, Trap, Ty, UnOp, VarId, sym,
};
use cairn_value::ops;

use super::call::Dest;
use super::cursor::Target;
use super::func::Fun;

impl Fun<'_, '_> {
    /// The value of a scalar expression, in the IR type of its C type.
    pub fn value(&mut self, e: &Expr) -> ExprId {
        let span = e.span;
        match &e.kind {
            ExprKind::Const(bits) => {
                let ty = self.cx.scalar(e.ty, span);
                self.cx.prog.exprs.constant(ty, *bits)
            }
            ExprKind::Read(lv) => self.read(lv, None),
            ExprKind::AddrOf(lv) => self.address(lv),
            ExprKind::FuncAddr(f) => {
                self.cx.note_if_undefined(*f, span);
                let f = self.cx.func(*f);
                self.cx.prog.exprs.func(f)
            }
            ExprKind::LabelAddr(l) => match self.cx.labels.get(&(self.hir_id, *l)) {
                Some(&label) => self.cx.prog.exprs.label(label),
                None => self.refused(Ty::Ptr, span, "the address of this label"),
            },
            ExprKind::Unary(UnOp::IsNan | UnOp::IsInf | UnOp::SignBit, _)
            | ExprKind::LogNot(_)
            | ExprKind::LogAnd(..)
            | ExprKind::LogOr(..)
            | ExprKind::Overflow { .. }
            | ExprKind::Binary { op: BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le, .. } => {
                let truth = self.truth(e);
                let ty = self.cx.scalar(e.ty, span);
                self.cx.prog.exprs.cast(ty, truth)
            }
            ExprKind::Unary(op, a) => {
                let a = self.value(a);
                self.unary_rounded(*op, a, span)
            }
            ExprKind::Binary { op, lhs, rhs, swap } => {
                let (l, r) = self.operands(lhs, rhs);
                let (l, r) = if *swap { (r, l) } else { (l, r) };
                self.binary_rounded(*op, l, r, span)
            }
            ExprKind::PtrAdd { ptr, index, size, negative } => {
                let (p, i) = self.operands(ptr, index);
                let offset = self.scaled(i, size, *negative);
                self.cx.prog.exprs.binary(BinOp::PtrAdd, p, offset)
            }
            ExprKind::PtrDiff { lhs, rhs, size } => {
                let (l, r) = self.operands(lhs, rhs);
                let bytes = self.cx.prog.exprs.binary(BinOp::PtrSub, l, r);
                let size = self.size(size);
                let diff = Ty::Int(IntTy::diff(self.cx.prog.model));
                let size = self.cx.prog.exprs.cast(diff, size);
                self.cx.prog.exprs.binary(BinOp::Div, bytes, size)
            }
            ExprKind::Cond { cond, then, other } => self.conditional(cond, then.as_deref(), other, e),
            ExprKind::Cast(a) => self.cast(a, e.ty, span),
            ExprKind::Assign { dst, value } => self.assign(dst, value, true, span),
            ExprKind::AssignOp { dst, op, rhs, compute } => {
                self.assign_op(dst, *op, rhs, *compute, true, span)
            }
            ExprKind::AssignPtr { dst, index, size, negative } => {
                self.assign_ptr(dst, index, size, *negative, true, span)
            }
            ExprKind::IncDec { dst, decrement, postfix, size, compute } => {
                self.inc_dec(dst, *decrement, *postfix, size.as_ref(), *compute, true, span)
            }
            ExprKind::Call { callee, args } => match self.call(callee, args, e, Dest::Value) {
                Some(v) => v,
                None => self.nothing(e.ty),
            },
            ExprKind::Comma(a, b) => {
                self.effect(a);
                self.value(b)
            }
            ExprKind::StmtExpr { block, value } => self.statement_expr(block, value.as_deref(), e.ty),
            ExprKind::VaStart { .. } | ExprKind::VaCopy { .. } | ExprKind::VaEnd { .. } => {
                self.effect(e);
                self.nothing(e.ty)
            }
            ExprKind::VaArg { list } => self.va_arg(list, e.ty, span),
            ExprKind::VaArgPack => {
                self.refused(Ty::I32, span, "'__builtin_va_arg_pack' that is no argument of a call")
            }
            ExprKind::VaArgPackLen => self.argument_count(span),
            ExprKind::Unknown => match self.input(sym("asm"), &[], e, Dest::Value) {
                Some(v) => v,
                None => self.nothing(e.ty),
            },
            ExprKind::VlaLen(vla) => {
                let v = self.vla_len(*vla, span);
                self.cx.prog.exprs.var(v)
            }
            ExprKind::WithVla { vla, len, value } => {
                self.set_vla(*vla, len);
                self.value(value)
            }
            ExprKind::Unreachable | ExprKind::Trap => {
                self.effect(e);
                self.nothing(e.ty)
            }
            ExprKind::Alloca(size) => {
                let size = self.value(size);
                let size_ty = Ty::Int(IntTy::size(self.cx.prog.model));
                let size = self.cx.prog.exprs.cast(size_ty, size);
                let dst = self.temp(Ty::Ptr, span);
                self.emit(Op::Alloc { dst, size, kind: AllocKind::Alloca, zeroed: false }, span);
                self.cx.prog.exprs.var(dst)
            }
        }
    }

    /// Evaluates for the effects only.
    pub fn effect(&mut self, e: &Expr) {
        let span = e.span;
        match &e.kind {
            ExprKind::Assign { dst, value } => {
                self.assign(dst, value, false, span);
            }
            ExprKind::AssignOp { dst, op, rhs, compute } => {
                self.assign_op(dst, *op, rhs, *compute, false, span);
            }
            ExprKind::AssignPtr { dst, index, size, negative } => {
                self.assign_ptr(dst, index, size, *negative, false, span);
            }
            ExprKind::IncDec { dst, decrement, postfix, size, compute } => {
                self.inc_dec(dst, *decrement, *postfix, size.as_ref(), *compute, false, span);
            }
            ExprKind::Call { callee, args } => {
                self.call(callee, args, e, Dest::Nowhere);
            }
            ExprKind::Comma(a, b) => {
                self.effect(a);
                self.effect(b);
            }
            ExprKind::Cast(a) => self.effect(a),
            ExprKind::LogAnd(a, b) => {
                let (mut yes, mut no) = (Target::default(), Target::default());
                self.branch(a, &mut yes, &mut no);
                self.bind(yes);
                self.effect(b);
                self.jump(&mut no);
                self.bind(no);
            }
            ExprKind::LogOr(a, b) => {
                let (mut yes, mut no) = (Target::default(), Target::default());
                self.branch(a, &mut yes, &mut no);
                self.bind(no);
                self.effect(b);
                self.jump(&mut yes);
                self.bind(yes);
            }
            ExprKind::Cond { cond, then, other } => {
                let (mut yes, mut no, mut end) = (Target::default(), Target::default(), Target::default());
                self.branch(cond, &mut yes, &mut no);
                self.bind(yes);
                if let Some(then) = then {
                    self.effect(then);
                }
                self.jump(&mut end);
                self.bind(no);
                self.effect(other);
                self.jump(&mut end);
                self.bind(end);
            }
            ExprKind::StmtExpr { block, value } => {
                self.block(block);
                if let Some(value) = value {
                    self.effect(value);
                }
                self.leave();
            }
            ExprKind::VaStart { list } => self.va_start(list, span),
            ExprKind::VaCopy { dst, src } => self.va_copy(dst, src, span),
            ExprKind::VaEnd { list } => self.effect(list),
            ExprKind::WithVla { vla, len, value } => {
                self.set_vla(*vla, len);
                self.effect(value);
            }
            ExprKind::Unreachable => self.emit_end(Op::Trap(Trap::Unreachable), span),
            ExprKind::Trap => {
                let callee = Callee::Builtin(Builtin::Abort);
                self.emit_end(Op::Call { dst: None, callee, args: Box::new([]) }, span);
            }
            // Reading a known object has no effect; reading through a pointer may be undefined.
            ExprKind::Read(lv) if self.variable(lv).is_some() || self.is_static_place(lv) => {}
            _ if self.cx.is_aggregate(e.ty) => {
                self.aggregate(e);
            }
            _ => {
                let v = self.value(e);
                self.discard(v, span);
            }
        }
    }

    /// Evaluates a pure value nobody wants if that might be undefined or overflow.
    fn discard(&mut self, v: ExprId, span: Span) {
        let mut v = v;
        while let Node::Cast(_, inner) = self.cx.prog.exprs.get(v)
            && self.cx.prog.exprs.is_total(v)
        {
            v = inner;
        }
        if matches!(
            self.cx.prog.exprs.get(v),
            Node::Unary(..) | Node::Binary(..) | Node::Cast(..) | Node::Select(..)
        ) {
            self.save(v, span);
        }
    }

    /// Two operands, the left one first.
    pub fn operands(&mut self, lhs: &Expr, rhs: &Expr) -> (ExprId, ExprId) {
        let l = self.value(lhs);
        let l = if self.cx.prog.exprs.const_bits(l).is_some() || is_quiet(rhs) {
            l
        } else {
            let next = self.effects(rhs);
            self.protect(l, &next, lhs.span)
        };
        (l, self.value(rhs))
    }

    /// An element size, as `size_t`.
    fn size(&mut self, size: &Size) -> ExprId {
        let ty = IntTy::size(self.cx.prog.model);
        match size {
            Size::Const(n) => self.cx.prog.exprs.int(ty, i128::from(*n)),
            Size::Dyn(e) => {
                let v = self.value(e);
                self.cx.prog.exprs.cast(Ty::Int(ty), v)
            }
        }
    }

    /// `index * size` in bytes, as the `ptrdiff_t` that `PtrAdd` takes. Computed in `size_t`,
    /// which wraps: pointer arithmetic is no signed arithmetic of the source.
    pub fn scaled(&mut self, index: ExprId, size: &Size, negative: bool) -> ExprId {
        let model = self.cx.prog.model;
        let (size_ty, diff) = (Ty::Int(IntTy::size(model)), Ty::Int(IntTy::diff(model)));
        if matches!(size, Size::Const(1)) && !negative {
            return self.cx.prog.exprs.cast(diff, index);
        }
        let size = self.size(size);
        let x = &mut self.cx.prog.exprs;
        let index = x.cast(size_ty, index);
        let bytes = x.binary(BinOp::Mul, index, size);
        let bytes = if negative { x.unary(UnOp::Neg, bytes) } else { bytes };
        x.cast(diff, bytes)
    }

    fn cast(&mut self, a: &Expr, to: TypeId, span: Span) -> ExprId {
        if matches!(self.cx.types.get(to), Type::Void) {
            self.effect(a);
            return self.nothing(to);
        }
        if matches!(self.cx.types.get(to), Type::Bool) {
            let truth = self.truth(a);
            return self.cx.prog.exprs.cast(Ty::Int(IntTy::U8), truth);
        }
        let v = self.value(a);
        self.convert(v, to, span)
    }

    /// Converts a value to a scalar C type.
    pub fn convert(&mut self, v: ExprId, to: TypeId, span: Span) -> ExprId {
        if matches!(self.cx.types.get(to), Type::Bool) {
            let truth = self.nonzero(v);
            return self.cx.prog.exprs.cast(Ty::Int(IntTy::U8), truth);
        }
        let ty = self.cx.scalar(to, span);
        let from = self.cx.prog.ty(v);
        if from == ty || ops::can_cast(from, ty) {
            self.cast_rounded(v, ty, span)
        } else {
            self.refused(ty, span, "this conversion")
        }
    }

    /// The value in another IR type, if there is a conversion.
    pub fn coerce(&mut self, v: ExprId, ty: Ty) -> Option<ExprId> {
        let from = self.cx.prog.ty(v);
        (from == ty || ops::can_cast(from, ty)).then(|| self.cx.prog.exprs.cast(ty, v))
    }

    /// `cond ? then : other` as a value.
    fn conditional(&mut self, cond: &Expr, then: Option<&Expr>, other: &Expr, e: &Expr) -> ExprId {
        let span = e.span;
        if matches!(self.cx.types.get(e.ty), Type::Void) {
            self.effect(e);
            return self.nothing(e.ty);
        }
        let Some(then) = then else {
            let v = self.value(cond);
            let v = self.atom(v, span);
            let c = self.nonzero(v);
            let kept = self.convert(v, e.ty, span);
            if self.is_select(other) {
                let other = self.value(other);
                return self.cx.prog.exprs.select(c, kept, other);
            }
            let ty = self.cx.prog.ty(kept);
            let dst = self.temp(ty, span);
            let (mut yes, mut no, mut end) = (Target::default(), Target::default(), Target::default());
            let decision = self.cx.new_decision(cond.span);
            self.split(c, &mut yes, &mut no, cond.span, Some(decision));
            self.bind(yes);
            self.emit(Op::Assign { dst, value: kept }, span);
            self.jump(&mut end);
            self.bind(no);
            self.value_into(dst, other, span);
            self.jump(&mut end);
            self.bind(end);
            return self.cx.prog.exprs.var(dst);
        };
        if self.is_select(then) && self.is_select(other) {
            let c = self.truth(cond);
            let (t, o) = (self.value(then), self.value(other));
            return self.cx.prog.exprs.select(c, t, o);
        }
        let ty = self.cx.scalar(e.ty, span);
        let dst = self.temp(ty, span);
        let (mut yes, mut no, mut end) = (Target::default(), Target::default(), Target::default());
        self.branch(cond, &mut yes, &mut no);
        for (side, e) in [(yes, then), (no, other)] {
            self.bind(side);
            self.value_into(dst, e, e.span);
            self.jump(&mut end);
        }
        self.bind(end);
        self.cx.prog.exprs.var(dst)
    }

    /// `dst := e`, without a detour for what has an edge anyway.
    pub fn value_into(&mut self, dst: VarId, e: &Expr, span: Span) {
        let ty = self.cx.prog.vars[dst].ty;
        if self.cx.types.scalar(e.ty) == Some(ty) {
            match &e.kind {
                ExprKind::Call { callee, args } => {
                    let result = self.call(callee, args, e, Dest::Var(dst));
                    debug_assert!(result.is_none());
                    return;
                }
                ExprKind::Read(lv) if self.variable(lv).is_none() => {
                    self.read(lv, Some(dst));
                    return;
                }
                _ => {}
            }
        }
        let value = self.value(e);
        match self.coerce(value, ty) {
            Some(value) => self.emit(Op::Assign { dst, value }, span),
            None => self.cx.unsupported(span, "a value of this type here"),
        }
    }

    fn statement_expr(&mut self, block: &Block, value: Option<&Expr>, ty: TypeId) -> ExprId {
        self.block(block);
        let v = match value {
            Some(v) => self.value(v),
            None => self.nothing(ty),
        };
        self.leave();
        v
    }

    /// A variable or constant with the value, so that using it twice costs nothing.
    pub fn atom(&mut self, v: ExprId, span: Span) -> ExprId {
        match self.cx.prog.exprs.get(v) {
            Node::Unary(..) | Node::Binary(..) | Node::Cast(..) | Node::Select(..) => self.save(v, span),
            _ => v,
        }
    }

    /// Stands for the value of what has none (`void`, or behind the end of control flow).
    fn nothing(&mut self, ty: TypeId) -> ExprId {
        let ty = self.cx.types.scalar(ty).unwrap_or(Ty::I32);
        self.cx.prog.exprs.constant(ty, 0)
    }

    pub fn refused(&mut self, ty: Ty, span: Span, what: &str) -> ExprId {
        self.cx.unsupported(span, what);
        self.cx.prog.exprs.constant(ty, 0)
    }

    /// The variable that holds the length of a variable-length array type.
    pub fn vla_len(&mut self, vla: VlaId, span: Span) -> VarId {
        if let Some(&v) = self.vlas.get(&vla) {
            return v;
        }
        let v = self.hidden_local("length", Ty::Int(IntTy::size(self.cx.prog.model)), span);
        self.vlas.insert(vla, v);
        v
    }

    /// The size of a type that may contain variable lengths.
    pub fn dynamic_size(&mut self, ty: TypeId, span: Span) -> ExprId {
        let size_ty = IntTy::size(self.cx.prog.model);
        match *self.cx.types.get(ty) {
            Type::Array { elem, len } if self.cx.is_vla(ty) => {
                let elem = self.dynamic_size(elem.id, span);
                let len = match len {
                    ArrayLen::Vla(vla) => {
                        let v = self.vla_len(vla, span);
                        self.cx.prog.exprs.var(v)
                    }
                    ArrayLen::Fixed(n) => self.cx.prog.exprs.int(size_ty, i128::from(n)),
                    ArrayLen::Unknown => self.refused(Ty::Int(size_ty), span, "an array of unknown size"),
                };
                self.cx.prog.exprs.binary(BinOp::Mul, len, elem)
            }
            _ => {
                let n = self.cx.size_of(ty);
                self.cx.prog.exprs.int(size_ty, i128::from(n))
            }
        }
    }

    /// `__builtin_*_overflow`: stores the wrapped result and gives whether the exact one differs.
    pub fn overflow(
        &mut self,
        op: BinOp,
        lhs: &Expr,
        rhs: &Expr,
        result: Option<&Expr>,
        res_ty: TypeId,
        span: Span,
    ) -> ExprId {
        let (mut l, mut r) = self.operands(lhs, rhs);
        let mut dst = None;
        if let Some(result) = result {
            let next = self.effects(result);
            l = self.protect(l, &next, span);
            r = self.protect(r, &next, span);
            dst = Some(self.value(result));
        }
        let Ty::Int(res) = self.cx.scalar(res_ty, span) else {
            return self.refused(Ty::Bool, span, "an overflow builtin on this type");
        };
        let Some((value, overflows)) = self.exact(op, l, r, res) else {
            return self.refused(Ty::Bool, span, "an overflow builtin on mixed 128-bit types");
        };
        let overflows = self.atom(overflows, span);
        if let Some(addr) = dst {
            self.emit(Op::Store { addr, value }, span);
        }
        overflows
    }

    /// The result wrapped to `res` and whether the mathematical result differs from it.
    fn exact(&mut self, op: BinOp, l: ExprId, r: ExprId, res: IntTy) -> Option<(ExprId, ExprId)> {
        let (plain, check) = match op {
            BinOp::Add | BinOp::AddOvf => (BinOp::Add, BinOp::AddOvf),
            BinOp::Sub | BinOp::SubOvf => (BinOp::Sub, BinOp::SubOvf),
            BinOp::Mul | BinOp::MulOvf => (BinOp::Mul, BinOp::MulOvf),
            _ => return None,
        };
        let (l_fits, r_fits) = (self.fits(l, res)?, self.fits(r, res)?);
        let x = &mut self.cx.prog.exprs;
        if l_fits && r_fits {
            let (l, r) = (x.cast(Ty::Int(res), l), x.cast(Ty::Int(res), r));
            let overflows = x.binary(check, l, r);
            let wrapping = Ty::Int(res.as_unsigned());
            let (l, r) = (x.cast(wrapping, l), x.cast(wrapping, r));
            let value = x.binary(plain, l, r);
            return Some((x.cast(Ty::Int(res), value), overflows));
        }
        // In 128 bits nothing of at most 64 overflows, but for the product of unsigned operands.
        let (Ty::Int(lt), Ty::Int(rt)) = (x.ty(l), x.ty(r)) else { return None };
        if lt.bits.max(rt.bits).max(res.bits) > 64 {
            return None;
        }
        let unsigned = plain == BinOp::Mul && !lt.signed && !rt.signed;
        let wide = Ty::Int(if unsigned { IntTy::U128 } else { IntTy::I128 });
        let (l, r) = (x.cast(wide, l), x.cast(wide, r));
        let exact = x.binary(plain, l, r);
        let value = x.cast(Ty::Int(res), exact);
        let back = x.cast(wide, value);
        let overflows = x.binary(BinOp::Ne, back, exact);
        Some((value, overflows))
    }

    /// Is every value the operand can have a value of `res`? `None` if it is no integer.
    fn fits(&self, v: ExprId, res: IntTy) -> Option<bool> {
        let Ty::Int(ty) = self.cx.prog.ty(v) else { return None };
        if let Some(bits) = self.cx.prog.exprs.const_bits(v)
            && ty.bits <= 64
            && res.bits <= 64
        {
            let n = ty.number(bits);
            return Some(res.min() <= n && n <= res.max_bits() as i128);
        }
        Some(match (ty.signed, res.signed) {
            (a, b) if a == b => ty.bits <= res.bits,
            (false, true) => ty.bits < res.bits,
            _ => false,
        })
    }
}

/// Nothing that could change a variable, at a glance.
fn is_quiet(e: &Expr) -> bool {
    use cairn_ctyped::hir::LValueKind;
    match &e.kind {
        ExprKind::Const(_) | ExprKind::FuncAddr(_) => true,
        ExprKind::Read(lv) | ExprKind::AddrOf(lv) => {
            matches!(lv.kind, LValueKind::Local(_) | LValueKind::Global(_))
        }
        _ => false,
    }
}
