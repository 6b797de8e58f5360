//! Operators: unary, binary, assignment, conditional.

use cairn_base::Span;
use cairn_csyntax::ast::{self, BinaryOp, UnaryOp};
use cairn_value::{BinOp, UnOp};

use crate::check::{Checker, Res, error, unsupported};
use crate::convert::{Into, Operand};
use crate::hir::{Expr, ExprKind, LValue, LValueKind, Size};
use crate::types::{QType, Type, TypeId};

impl Checker {
    pub(crate) fn unary(&mut self, op: UnaryOp, arg: &ast::Expr, span: Span) -> Res<Operand> {
        match op {
            UnaryOp::AddrOf => {
                let operand = self.expr(arg)?;
                self.address_of(operand, span).map(Operand::Value)
            }
            UnaryOp::Deref => self.dereference(arg, span),
            UnaryOp::PreInc | UnaryOp::PreDec | UnaryOp::PostInc | UnaryOp::PostDec => {
                self.increment(op, arg, span).map(Operand::Value)
            }
            UnaryOp::Extension => self.expr(arg),
            UnaryOp::Not => {
                let e = self.rvalue(arg)?;
                if !self.is_scalar(e.ty) {
                    return self.wrong_unary("exclamation mark", arg.span);
                }
                let kind = ExprKind::LogNot(Box::new(e));
                Ok(Operand::Value(Expr { kind, ty: self.common.int, span }))
            }
            UnaryOp::Plus | UnaryOp::Minus => {
                let e = self.rvalue(arg)?;
                if let Some(shape) = self.vector(e.ty) {
                    return Ok(Operand::Value(match op {
                        UnaryOp::Plus => e,
                        _ => self.vector_unary(UnOp::Neg, e, shape, span)?,
                    }));
                }
                if !self.is_arithmetic(e.ty) {
                    return self.wrong_unary(if op == UnaryOp::Plus { "plus" } else { "minus" }, arg.span);
                }
                let e = self.promote(e);
                Ok(Operand::Value(if op == UnaryOp::Plus {
                    Expr { span, ..e }
                } else {
                    unary(UnOp::Neg, e, span)
                }))
            }
            UnaryOp::BitNot => {
                let e = self.rvalue(arg)?;
                if let Some(shape) = self.vector(e.ty) {
                    return self.vector_unary(UnOp::BitNot, e, shape, span).map(Operand::Value);
                }
                if !self.is_integer(e.ty) {
                    return self.wrong_unary("bit-complement", arg.span);
                }
                let e = self.promote(e);
                Ok(Operand::Value(unary(UnOp::BitNot, e, span)))
            }
        }
    }

    fn wrong_unary<T>(&self, what: &str, span: Span) -> Res<T> {
        error(span, format!("wrong type argument to unary {what}"))
    }

    pub(crate) fn address_of(&mut self, operand: Operand, span: Span) -> Res<Expr> {
        if operand.bit_field().is_some() {
            return error(span, "cannot take address of bit-field");
        }
        match operand {
            Operand::Func(..) => self.value(operand).map(|e| Expr { span, ..e }),
            Operand::Value(_) => error(span, "lvalue required as unary '&' operand"),
            Operand::Place(lv) => {
                let ty = self.pointer_to(lv.ty);
                if let LValueKind::Deref(pointer) = lv.kind {
                    // `&*p` is `p`.
                    return Ok(Expr { span, ..self.cast_to(*pointer, ty) });
                }
                if is_temporary(&lv) {
                    return error(span, "lvalue required as unary '&' operand");
                }
                self.mark_address(&lv);
                Ok(Expr { kind: ExprKind::AddrOf(lv), ty, span })
            }
        }
    }

    fn dereference(&mut self, arg: &ast::Expr, span: Span) -> Res<Operand> {
        let operand = self.expr(arg)?;
        if let Operand::Func(..) = operand {
            return Ok(operand.with_span(span));
        }
        let pointer = self.value(operand)?;
        self.pointed_place(pointer, span)
    }

    pub(crate) fn pointed_place(&mut self, pointer: Expr, span: Span) -> Res<Operand> {
        let Some(to) = self.pointee(pointer.ty) else {
            let have = self.plain_name(pointer.ty);
            return error(span, format!("invalid type argument of unary '*' (have '{have}')"));
        };
        if let (ExprKind::FuncAddr(f), Type::Function(_)) = (&pointer.kind, self.types.get(to.id)) {
            return Ok(Operand::Func(*f, to.id, span));
        }
        Ok(Operand::Place(LValue { kind: LValueKind::Deref(Box::new(pointer)), ty: to, span }))
    }

    /// The place an assignment or increment changes.
    fn modifiable(&mut self, operand: Operand, what: &str, span: Span) -> Res<LValue> {
        let Operand::Place(lv) = operand else {
            return error(span, format!("lvalue required as {what}"));
        };
        self.require_supported(lv.ty.id, lv.span)?;
        match self.types.get(lv.ty.id) {
            Type::Array { .. } => return error(span, "assignment to expression with array type"),
            Type::Function(_) => return error(span, format!("lvalue required as {what}")),
            Type::Void => return error(span, "invalid use of void expression"),
            Type::Record(r) if self.types.records[*r].layout.is_none() => {
                return error(span, format!("invalid use of undefined type '{}'", self.plain_name(lv.ty.id)));
            }
            _ => {}
        }
        if is_temporary(&lv) {
            return error(span, format!("lvalue required as {what}"));
        }
        if lv.ty.is_const {
            let kind = match &lv.kind {
                LValueKind::Local(l) => {
                    let name = self.fun.as_ref().map(|f| f.locals[*l].name);
                    name.map_or("location".to_string(), |n| format!("variable '{n}'"))
                }
                LValueKind::Global(g) => format!("variable '{}'", self.globals[*g].name),
                LValueKind::Member { .. } => "member".to_string(),
                _ => "location".to_string(),
            };
            return error(span, format!("assignment of read-only {kind}"));
        }
        Ok(lv)
    }

    fn increment(&mut self, op: UnaryOp, arg: &ast::Expr, span: Span) -> Res<Expr> {
        let decrement = matches!(op, UnaryOp::PreDec | UnaryOp::PostDec);
        let postfix = matches!(op, UnaryOp::PostInc | UnaryOp::PostDec);
        let what = if decrement { "decrement operand" } else { "increment operand" };
        let operand = self.expr(arg)?;
        let width = operand.bit_field();
        let dst = self.modifiable(operand, what, span)?;
        let ty = dst.ty.id;
        let (size, compute) = match self.pointee(ty) {
            Some(to) => (Some(self.arithmetic_size(to, span)?), ty),
            None if self.is_arithmetic(ty) => {
                let promoted = self.promoted(ty, width);
                (None, self.common_type(promoted, self.common.int))
            }
            None => {
                return error(
                    span,
                    format!("wrong type argument to {}", if decrement { "decrement" } else { "increment" }),
                );
            }
        };
        Ok(Expr { kind: ExprKind::IncDec { dst, decrement, postfix, size, compute }, ty, span })
    }

    pub(crate) fn binary(&mut self, op: BinaryOp, lhs: &ast::Expr, rhs: &ast::Expr, span: Span) -> Res<Expr> {
        let a = self.rvalue(lhs)?;
        let b = self.rvalue(rhs)?;
        self.binary_values(op, a, b, span)
    }

    pub(crate) fn binary_values(&mut self, op: BinaryOp, a: Expr, b: Expr, span: Span) -> Res<Expr> {
        use BinaryOp::*;
        if !matches!(op, LogAnd | LogOr) && (self.vector(a.ty).is_some() || self.vector(b.ty).is_some()) {
            return self.vector_binary(op, a, b, span);
        }
        match op {
            LogAnd | LogOr => {
                let (a, b) = (Box::new(self.condition(a)?), Box::new(self.condition(b)?));
                let kind = if op == LogAnd { ExprKind::LogAnd(a, b) } else { ExprKind::LogOr(a, b) };
                Ok(Expr { kind, ty: self.common.int, span })
            }
            Eq | Ne | Lt | Gt | Le | Ge => self.comparison(op, a, b, span),
            Add | Sub if self.pointee(a.ty).is_some() || self.pointee(b.ty).is_some() => {
                self.pointer_arithmetic(op, a, b, span)
            }
            Shl | Shr if self.is_integer(a.ty) && self.is_integer(b.ty) => {
                let (a, b) = (self.promote(a), self.promote(b));
                let ty = a.ty;
                Ok(binary(arithmetic_op(op), a, b, ty, span))
            }
            Rem | BitAnd | BitOr | BitXor if self.is_integer(a.ty) && self.is_integer(b.ty) => {
                let (a, b) = self.arithmetic(a, b);
                let ty = a.ty;
                Ok(binary(arithmetic_op(op), a, b, ty, span))
            }
            Add | Sub | Mul | Div if self.is_arithmetic(a.ty) && self.is_arithmetic(b.ty) => {
                let (a, b) = self.arithmetic(a, b);
                let ty = a.ty;
                Ok(binary(arithmetic_op(op), a, b, ty, span))
            }
            _ => self.invalid_operands(op, a.ty, b.ty, span),
        }
    }

    pub(crate) fn invalid_operands<T>(&self, op: BinaryOp, a: TypeId, b: TypeId, span: Span) -> Res<T> {
        for ty in [a, b] {
            if ty == self.common.void {
                return error(span, "void value not ignored as it ought to be");
            }
        }
        let (a, b) = (self.plain_name(a), self.plain_name(b));
        error(span, format!("invalid operands to binary {} (have '{a}' and '{b}')", spelling(op)))
    }

    fn pointer_arithmetic(&mut self, op: BinaryOp, a: Expr, b: Expr, span: Span) -> Res<Expr> {
        match (op, self.pointee(a.ty), self.pointee(b.ty)) {
            (BinaryOp::Add, Some(_), None) if self.is_integer(b.ty) => self.pointer_add(a, b, false, span),
            (BinaryOp::Sub, Some(_), None) if self.is_integer(b.ty) => self.pointer_add(a, b, true, span),
            (BinaryOp::Add, None, Some(_)) if self.is_integer(a.ty) => self.pointer_add(b, a, false, span),
            (BinaryOp::Sub, Some(s), Some(t)) if self.types.compatible(s.id, t.id) => {
                let size = self.arithmetic_size(s, span)?;
                if matches!(size, Size::Const(0)) {
                    return unsupported(span, "difference of pointers to objects of size zero");
                }
                let kind = ExprKind::PtrDiff { lhs: Box::new(a), rhs: Box::new(b), size };
                Ok(Expr { kind, ty: self.common.ptrdiff, span })
            }
            _ => self.invalid_operands(op, a.ty, b.ty, span),
        }
    }

    /// `ptr + index` or `ptr - index`, counted in elements.
    pub(crate) fn pointer_add(&mut self, ptr: Expr, index: Expr, negative: bool, span: Span) -> Res<Expr> {
        let Some(to) = self.pointee(ptr.ty) else { return error(span, "not a pointer") };
        let size = self.arithmetic_size(to, span)?;
        let index = Box::new(self.promote(index));
        let ty = ptr.ty;
        Ok(Expr { kind: ExprKind::PtrAdd { ptr: Box::new(ptr), index, size, negative }, ty, span })
    }

    fn comparison(&mut self, op: BinaryOp, a: Expr, b: Expr, span: Span) -> Res<Expr> {
        let (a, b) = match (self.pointee(a.ty), self.pointee(b.ty)) {
            (None, None) if self.is_arithmetic(a.ty) && self.is_arithmetic(b.ty) => self.arithmetic(a, b),
            (Some(_), Some(_)) => {
                let ty = a.ty;
                let b = self.cast_to(b, ty);
                (a, b)
            }
            (Some(_), None) if self.is_integer(b.ty) => {
                let ty = a.ty;
                let b = self.cast_to(b, ty);
                (a, b)
            }
            (None, Some(_)) if self.is_integer(a.ty) => {
                let ty = b.ty;
                (self.cast_to(a, ty), b)
            }
            _ => return self.invalid_operands(op, a.ty, b.ty, span),
        };
        let (op, swap) = match op {
            BinaryOp::Eq => (BinOp::Eq, false),
            BinaryOp::Ne => (BinOp::Ne, false),
            BinaryOp::Lt => (BinOp::Lt, false),
            BinaryOp::Le => (BinOp::Le, false),
            BinaryOp::Gt => (BinOp::Lt, true),
            _ => (BinOp::Le, true),
        };
        let kind = ExprKind::Binary { op, lhs: Box::new(a), rhs: Box::new(b), swap };
        Ok(Expr { kind, ty: self.common.int, span })
    }

    pub(crate) fn assign(
        &mut self,
        op: Option<BinaryOp>,
        lhs: &ast::Expr,
        rhs: &ast::Expr,
        span: Span,
    ) -> Res<Expr> {
        let operand = self.expr(lhs)?;
        let dst = self.modifiable(operand, "left operand of assignment", span)?;
        let value = self.rvalue(rhs)?;
        match op {
            None => {
                let ty = dst.ty.id;
                let value = self.assign_to(value, ty, Into::Assign)?;
                Ok(Expr { kind: ExprKind::Assign { dst, value: Box::new(value) }, ty, span })
            }
            Some(op) => self.assign_op(op, dst, value, span),
        }
    }

    pub(crate) fn assign_op(&mut self, op: BinaryOp, dst: LValue, value: Expr, span: Span) -> Res<Expr> {
        let ty = dst.ty.id;
        if self.vector(ty).is_some() {
            return self.vector_assign(op, dst, value, span);
        }
        if let Some(to) = self.pointee(ty) {
            if !matches!(op, BinaryOp::Add | BinaryOp::Sub) || !self.is_integer(value.ty) {
                return self.invalid_operands(op, ty, value.ty, span);
            }
            let size = self.arithmetic_size(to, span)?;
            let index = Box::new(self.promote(value));
            let kind = ExprKind::AssignPtr { dst, index, size, negative: op == BinaryOp::Sub };
            return Ok(Expr { kind, ty, span });
        }
        let integers = self.is_integer(ty) && self.is_integer(value.ty);
        let fits = match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div => {
                self.is_arithmetic(ty) && self.is_arithmetic(value.ty)
            }
            _ => integers,
        };
        if !fits {
            return self.invalid_operands(op, ty, value.ty, span);
        }
        let width = match &dst.kind {
            LValueKind::Member { bits: Some(b), .. } => Some(b.width),
            _ => None,
        };
        let left = self.promoted(ty, width);
        let value = self.promote(value);
        let (compute, rhs) = match op {
            BinaryOp::Shl | BinaryOp::Shr => (left, value),
            _ => {
                let compute = self.common_type(left, value.ty);
                (compute, self.cast_to(value, compute))
            }
        };
        let kind = ExprKind::AssignOp { dst, op: arithmetic_op(op), rhs: Box::new(rhs), compute };
        Ok(Expr { kind, ty, span })
    }

    pub(crate) fn conditional(
        &mut self,
        cond: &ast::Expr,
        then: Option<&ast::Expr>,
        other: &ast::Expr,
        span: Span,
    ) -> Res<Expr> {
        let test = self.rvalue(cond)?;
        let test = self.condition(test)?;
        let Some(then) = then else {
            let other = self.rvalue(other)?;
            // The condition's value is the result; a stand-in of its type and nullness gives the rules.
            let (constant, ty) = (self.is_null_constant(&test), test.ty);
            let ty = self.conditional_type((ty, constant), &other, span)?;
            let other = self.converted(other, ty);
            let kind = ExprKind::Cond { cond: Box::new(test), then: None, other: Box::new(other) };
            return Ok(Expr { kind, ty, span });
        };
        let then = self.rvalue(then)?;
        let other = self.rvalue(other)?;
        let null = self.pointee(other.ty).is_some() && self.is_null_constant(&then);
        let ty = self.conditional_type((then.ty, null), &other, span)?;
        let (then, other) = (self.converted(then, ty), self.converted(other, ty));
        let kind =
            ExprKind::Cond { cond: Box::new(test), then: Some(Box::new(then)), other: Box::new(other) };
        Ok(Expr { kind, ty, span })
    }

    fn converted(&mut self, e: Expr, ty: TypeId) -> Expr {
        if e.ty != ty && self.is_arithmetic(e.ty) {
            let e = self.promote(e);
            return self.cast_to(e, ty);
        }
        self.cast_to(e, ty)
    }

    /// The type of `c ? a : b`; of `a`, its type and whether it is a null pointer constant.
    fn conditional_type(&mut self, a: (TypeId, bool), b: &Expr, span: Span) -> Res<TypeId> {
        let (a, a_null) = a;
        if self.is_arithmetic(a) && self.is_arithmetic(b.ty) {
            let (pa, pb) = (self.promoted(a, None), self.promoted(b.ty, None));
            return Ok(self.common_type(pa, pb));
        }
        if a == self.common.void || b.ty == self.common.void {
            return Ok(self.common.void);
        }
        match (self.pointee(a), self.pointee(b.ty)) {
            (Some(s), Some(t)) => {
                let (is_const, is_volatile) = (s.is_const | t.is_const, s.is_volatile | t.is_volatile);
                if a_null && !self.is_void_like(t) {
                    return Ok(b.ty);
                }
                if self.is_null_constant(b) && !self.is_void_like(s) {
                    return Ok(a);
                }
                let target = if self.types.compatible(s.id, t.id) {
                    self.types.composite(s.id, t.id)
                } else {
                    // One is `void *`, or gcc warns and takes `void *`.
                    self.common.void
                };
                let to = self.qualify(QType::plain(target), is_const, is_volatile);
                Ok(self.pointer_to(to))
            }
            (Some(_), None) if self.is_integer(b.ty) => Ok(a),
            (None, Some(_)) if self.is_integer(a) => Ok(b.ty),
            (None, None) if a == b.ty && matches!(self.types.get(a), Type::Record(_)) => Ok(a),
            _ => {
                let (a, b) = (self.plain_name(a), self.plain_name(b.ty));
                error(span, format!("type mismatch in conditional expression (have '{a}' and '{b}')"))
            }
        }
    }

    fn is_void_like(&self, to: QType) -> bool {
        to.id == self.common.void && !to.is_const && !to.is_volatile
    }
}

pub(crate) fn unary(op: UnOp, e: Expr, span: Span) -> Expr {
    let ty = e.ty;
    Expr { kind: ExprKind::Unary(op, Box::new(e)), ty, span }
}

pub(crate) fn binary(op: BinOp, a: Expr, b: Expr, ty: TypeId, span: Span) -> Expr {
    Expr { kind: ExprKind::Binary { op, lhs: Box::new(a), rhs: Box::new(b), swap: false }, ty, span }
}

/// A part of a record value that is no lvalue (`f().x`).
fn is_temporary(lv: &LValue) -> bool {
    match &lv.kind {
        LValueKind::Temp(_) => true,
        LValueKind::Member { base, .. } => is_temporary(base),
        _ => false,
    }
}

fn arithmetic_op(op: BinaryOp) -> BinOp {
    match op {
        BinaryOp::Add => BinOp::Add,
        BinaryOp::Sub => BinOp::Sub,
        BinaryOp::Mul => BinOp::Mul,
        BinaryOp::Div => BinOp::Div,
        BinaryOp::Rem => BinOp::Rem,
        BinaryOp::Shl => BinOp::Shl,
        BinaryOp::Shr => BinOp::Shr,
        BinaryOp::BitAnd => BinOp::And,
        BinaryOp::BitOr => BinOp::Or,
        BinaryOp::BitXor => BinOp::Xor,
        BinaryOp::Eq => BinOp::Eq,
        BinaryOp::Ne => BinOp::Ne,
        BinaryOp::Lt | BinaryOp::Gt => BinOp::Lt,
        BinaryOp::Le | BinaryOp::Ge => BinOp::Le,
        BinaryOp::LogAnd => BinOp::And,
        BinaryOp::LogOr => BinOp::Or,
    }
}

fn spelling(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
        BinaryOp::LogAnd => "&&",
        BinaryOp::LogOr => "||",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::Lt => "<",
        BinaryOp::Gt => ">",
        BinaryOp::Le => "<=",
        BinaryOp::Ge => ">=",
    }
}
