//! gcc's vector types. A vector is a record with its elements in an array, so
//! that copying, passing, initialising and unions need nothing of their own;
//! operators are spelt out element by element here.

use cairn_base::{Span, Symbol, sym};
use cairn_csyntax::ast::{self, BinaryOp};
use cairn_value::UnOp;

use crate::check::{Checker, Res, error, unsupported};
use crate::convert::Operand;
use crate::hir::{Expr, ExprKind, InitItem, LValue, LValueKind, LocalId, LocalInit, Stmt};
use crate::ops::unary;
use crate::types::{ArrayLen, Field, IntKind, Layout, QType, Record, Type, TypeId};

/// The element type and the number of elements of a vector type.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub(crate) struct VectorShape {
    pub elem: TypeId,
    pub count: u64,
}

/// An operand put into a local; a scalar (no shape) stands for all elements.
struct Held {
    local: LocalId,
    ty: TypeId,
    shape: Option<VectorShape>,
}

/// Larger ones would be spelt out into too much code.
const MAX_ELEMENTS: u64 = 256;

impl Checker {
    /// The vector type of `size` bytes.
    pub(crate) fn vector_type(&mut self, elem: TypeId, size: u64, span: Span) -> Res<TypeId> {
        let Some(width) = self.types.size_of(elem).filter(|_| self.is_arithmetic(elem)) else {
            self.require_supported(elem, span)?;
            return error(span, "invalid vector type");
        };
        if !size.is_power_of_two() || size < width || size / width > MAX_ELEMENTS {
            return error(span, "vector size is not a suitable multiple of the component size");
        }
        let shape = VectorShape { elem, count: size / width };
        if let Some(&(_, id)) = self.vectors.iter().find(|(s, _)| *s == shape) {
            return Ok(self.types.intern(Type::Record(id)));
        }
        let tag = sym(&format!("__vector({}) {}", shape.count, self.plain_name(elem)));
        let elems = Type::Array { elem: QType::plain(elem), len: ArrayLen::Fixed(shape.count) };
        let ty = QType::plain(self.types.intern(elems));
        let field = Field { name: Some(sym("<elements>")), ty, offset: 0, bits: None };
        let layout = Some(Layout { size, align: size, fields: vec![field], flexible: false });
        let id = self.types.records.push(Record { is_union: false, tag: Some(tag), span, layout });
        self.vectors.push((shape, id));
        Ok(self.types.intern(Type::Record(id)))
    }

    pub(crate) fn vector(&self, ty: TypeId) -> Option<VectorShape> {
        let Type::Record(r) = *self.types.get(ty) else { return None };
        self.vectors.iter().find(|(_, id)| *id == r).map(|(shape, _)| *shape)
    }

    fn element(&self, local: LocalId, ty: TypeId, shape: VectorShape, i: u64, span: Span) -> Expr {
        let width = self.types.size_of(shape.elem).unwrap_or(1);
        let base = Box::new(LValue { kind: LValueKind::Local(local), ty: QType::plain(ty), span });
        let kind = LValueKind::Member { base, offset: i * width, bits: None };
        let lv = LValue { kind, ty: QType::plain(shape.elem), span };
        Expr { kind: ExprKind::Read(lv), ty: shape.elem, span }
    }

    /// A vector made of its elements, after the statements that compute what they use.
    fn assemble(&mut self, ty: TypeId, stmts: Vec<Stmt>, elements: Vec<Expr>, span: Span) -> Res<Expr> {
        let width = self.vector(ty).and_then(|s| self.types.size_of(s.elem)).unwrap_or(1);
        let items = (0..)
            .zip(elements)
            .map(|(i, value)| InitItem { offset: i * width, bits: None, value, len: width })
            .collect();
        let local = self.temp(ty, span)?;
        let kind = LValueKind::Compound { local, init: LocalInit { zero_fill: false, items } };
        let lv = LValue { kind, ty: QType::plain(ty), span };
        Ok(self.with_statements(stmts, Expr { kind: ExprKind::Read(lv), ty, span }))
    }

    pub(crate) fn vector_unary(&mut self, op: UnOp, e: Expr, shape: VectorShape, span: Span) -> Res<Expr> {
        if op == UnOp::BitNot && !self.is_integer(shape.elem) {
            return error(span, "wrong type argument to bit-complement");
        }
        let ty = e.ty;
        let (x, init) = self.hold(e)?;
        let mut elements = Vec::new();
        for i in 0..shape.count {
            let promoted = self.promote(self.element(x, ty, shape, i, span));
            elements.push(self.cast_to(unary(op, promoted, span), shape.elem));
        }
        self.assemble(ty, vec![init], elements, span)
    }

    /// `a op b` where at least one is a vector; a scalar stands for a vector of copies of it.
    pub(crate) fn vector_binary(&mut self, op: BinaryOp, a: Expr, b: Expr, span: Span) -> Res<Expr> {
        let (ty, shape) = match (self.vector(a.ty), self.vector(b.ty)) {
            (Some(s), None) => (a.ty, s),
            (None, Some(s)) => (b.ty, s),
            (Some(s), Some(t))
                if s.count == t.count && self.types.size_of(s.elem) == self.types.size_of(t.elem) =>
            {
                (a.ty, s)
            }
            _ => return self.invalid_operands(op, a.ty, b.ty, span),
        };
        let (result_ty, result_elem) = if is_comparison(op) {
            let elem = self.mask_element(shape.elem, span)?;
            let size = self.types.size_of(ty).unwrap_or(0);
            (self.vector_type(elem, size, span)?, elem)
        } else {
            (ty, shape.elem)
        };
        let (a, init_a) = self.hold_operand(a, shape)?;
        let (b, init_b) = self.hold_operand(b, shape)?;
        let mut elements = Vec::new();
        for i in 0..shape.count {
            let (x, y) = (self.operand_element(&a, i, span), self.operand_element(&b, i, span));
            let value = self.binary_values(op, x, y, span)?;
            let value = if is_comparison(op) { unary(UnOp::Neg, value, span) } else { value };
            elements.push(self.cast_to(value, result_elem));
        }
        self.assemble(result_ty, vec![init_a, init_b], elements, span)
    }

    fn hold_operand(&mut self, e: Expr, shape: VectorShape) -> Res<(Held, Stmt)> {
        let own = self.vector(e.ty);
        let e = if own.is_none() && self.is_scalar(e.ty) { self.cast_to(e, shape.elem) } else { e };
        let ty = e.ty;
        let (local, init) = self.hold(e)?;
        Ok((Held { local, ty, shape: own }, init))
    }

    fn operand_element(&self, held: &Held, i: u64, span: Span) -> Expr {
        match held.shape {
            Some(shape) => self.element(held.local, held.ty, shape, i, span),
            None => self.read_local(held.local, held.ty, span),
        }
    }

    /// Comparisons give vectors of signed integers as wide as the elements.
    fn mask_element(&mut self, elem: TypeId, span: Span) -> Res<TypeId> {
        let kind = match (self.types.size_of(elem), self.types.model) {
            (Some(1), _) => IntKind::SChar,
            (Some(2), _) => IntKind::Short,
            (Some(4), _) => IntKind::Int,
            (Some(8), cairn_base::DataModel::Lp64) => IntKind::Long,
            (Some(8), _) => IntKind::LongLong,
            _ => return unsupported(span, "comparison of vectors with such elements"),
        };
        Ok(self.types.intern(Type::Int(kind)))
    }

    /// `v op= e`
    pub(crate) fn vector_assign(&mut self, op: BinaryOp, dst: LValue, value: Expr, span: Span) -> Res<Expr> {
        let ty = dst.ty.id;
        let address = self.address_of(Operand::Place(dst), span)?;
        let pointer_ty = address.ty;
        let (p, init) = self.hold(address)?;
        let place = |this: &Checker| {
            let pointer = this.read_local(p, pointer_ty, span);
            LValue { kind: LValueKind::Deref(Box::new(pointer)), ty: QType::plain(ty), span }
        };
        let old = Expr { kind: ExprKind::Read(place(self)), ty, span };
        let new = self.vector_binary(op, old, value, span)?;
        if new.ty != ty {
            return self.invalid_operands(op, ty, new.ty, span);
        }
        let kind = ExprKind::Assign { dst: place(self), value: Box::new(new) };
        Ok(self.with_statements(vec![init], Expr { kind, ty, span }))
    }

    /// `v[i]`
    pub(crate) fn vector_index(
        &mut self,
        base: Operand,
        shape: VectorShape,
        index: Expr,
        span: Span,
    ) -> Res<Operand> {
        let ty = self.operand_type(&base);
        let elem = self.qualify(QType::plain(shape.elem), ty.is_const, ty.is_volatile);
        let pointer_ty = self.pointer_to(elem);
        let address = match base {
            Operand::Place(_) => self.address_of(base, span)?,
            _ => {
                let value = self.value(base)?;
                let ty = value.ty;
                let (local, init) = self.hold(value)?;
                let lv = LValue { kind: LValueKind::Local(local), ty: QType::plain(ty), span };
                let address = self.address_of(Operand::Place(lv), span)?;
                self.with_statements(vec![init], address)
            }
        };
        let pointer = self.cast_to(address, pointer_ty);
        let sum = self.pointer_add(pointer, index, false, span)?;
        Ok(Operand::Place(LValue { kind: LValueKind::Deref(Box::new(sum)), ty: elem, span }))
    }

    /// A vector's bytes read as another type of the same size.
    pub(crate) fn vector_cast(&mut self, e: Expr, to: TypeId, span: Span) -> Res<Expr> {
        if self.types.size_of(e.ty) != self.types.size_of(to) {
            return error(
                span,
                format!(
                    "cannot convert a value of type '{}' to '{}'",
                    self.plain_name(e.ty),
                    self.plain_name(to)
                ),
            );
        }
        let from = e.ty;
        let (local, init) = self.hold(e)?;
        let lv = LValue { kind: LValueKind::Local(local), ty: QType::plain(from), span };
        let address = self.address_of(Operand::Place(lv), span)?;
        let pointer_ty = self.pointer_to(QType::plain(to));
        let pointer = self.cast_to(address, pointer_ty);
        let lv = LValue { kind: LValueKind::Deref(Box::new(pointer)), ty: QType::plain(to), span };
        Ok(self.with_statements(vec![init], Expr { kind: ExprKind::Read(lv), ty: to, span }))
    }

    /// `__builtin_convertvector`: each element converted.
    pub(crate) fn convert_vector(&mut self, value: &ast::Expr, ty: &ast::TypeName, span: Span) -> Res<Expr> {
        let value = self.rvalue(value)?;
        let from = value.ty;
        let (to, _) = self.type_name_of(ty)?;
        let (Some(s), Some(t)) = (self.vector(from), self.vector(to.id)) else {
            return error(
                span,
                "arguments of '__builtin_convertvector' must be a vector and a type of vectors",
            );
        };
        if s.count != t.count {
            return error(span, "number of elements of the arguments of '__builtin_convertvector' differs");
        }
        let (x, init) = self.hold(value)?;
        let convert = |i| self.cast_to(self.element(x, from, s, i, span), t.elem);
        let elements = (0..s.count).map(convert).collect();
        self.assemble(to.id, vec![init], elements, span)
    }

    /// `__builtin_shuffle` and `__builtin_shufflevector`.
    pub(crate) fn shuffle(&mut self, name: Symbol, args: &[ast::Expr], span: Span) -> Res<Expr> {
        if name.as_str() == "__builtin_shufflevector" {
            return self.shuffle_constant(name, args, span);
        }
        let (a, b, mask) = match args {
            [a, mask] => (a, None, mask),
            [a, b, mask] => (a, Some(b), mask),
            _ => return self.wrong_count(name, span),
        };
        let a = self.rvalue(a)?;
        let ty = a.ty;
        let b = match b {
            Some(b) => Some(self.rvalue(b)?),
            None => None,
        };
        let mask = self.rvalue(mask)?;
        let (Some(shape), Some(mask_shape)) = (self.vector(ty), self.vector(mask.ty)) else {
            return error(span, format!("arguments of '{name}' must be vectors"));
        };
        if b.as_ref().is_some_and(|b| b.ty != ty)
            || mask_shape.count != shape.count
            || !self.is_integer(mask_shape.elem)
        {
            return error(span, format!("arguments of '{name}' have different types"));
        }
        let total = if b.is_some() { 2 * shape.count } else { shape.count };
        let mask_ty = mask.ty;
        let (x, init_x) = self.hold(a)?;
        let mut stmts = vec![init_x];
        let y = match b {
            Some(b) => {
                let (y, init) = self.hold(b)?;
                stmts.push(init);
                y
            }
            None => x,
        };
        let (m, init_m) = self.hold(mask)?;
        stmts.push(init_m);
        let mut elements = Vec::new();
        for i in 0..shape.count {
            // The index counts modulo the number of elements: a chain of choices.
            let mut chosen = self.element(x, ty, shape, 0, span);
            for k in (1..total).rev() {
                let index = self.promote(self.element(m, mask_ty, mask_shape, i, span));
                let index_ty = index.ty;
                let low = self.constant(u128::from(total - 1), index_ty, span);
                let masked = crate::ops::binary(cairn_value::BinOp::And, index, low, index_ty, span);
                let wanted = self.constant(u128::from(k), index_ty, span);
                let test = crate::ops::binary(cairn_value::BinOp::Eq, masked, wanted, self.common.int, span);
                let source = if k < shape.count { x } else { y };
                let then = self.element(source, ty, shape, k % shape.count, span);
                let kind = ExprKind::Cond {
                    cond: Box::new(test),
                    then: Some(Box::new(then)),
                    other: Box::new(chosen),
                };
                chosen = Expr { kind, ty: shape.elem, span };
            }
            elements.push(chosen);
        }
        self.assemble(ty, stmts, elements, span)
    }

    fn shuffle_constant(&mut self, name: Symbol, args: &[ast::Expr], span: Span) -> Res<Expr> {
        let [a, b, indices @ ..] = args else { return self.wrong_count(name, span) };
        let (a, b) = (self.rvalue(a)?, self.rvalue(b)?);
        let (Some(s), Some(t)) = (self.vector(a.ty), self.vector(b.ty)) else {
            return error(span, format!("arguments of '{name}' must be vectors"));
        };
        if s.elem != t.elem || !indices.len().is_power_of_two() {
            return error(span, format!("invalid arguments of '{name}'"));
        }
        let (a_ty, b_ty) = (a.ty, b.ty);
        let ((x, init_x), (y, init_y)) = (self.hold(a)?, self.hold(b)?);
        let width = self.types.size_of(s.elem).unwrap_or(1);
        let ty = self.vector_type(s.elem, width * indices.len() as u64, span)?;
        let mut elements = Vec::new();
        for index in indices {
            let (n, negative) =
                self.integer_constant(index, "index of '__builtin_shufflevector' is not constant")?;
            let n = n as u64;
            elements.push(match () {
                // Don't care; zero is as good as anything.
                () if negative => {
                    let zero = self.int_constant(0, span);
                    self.cast_to(zero, s.elem)
                }
                () if n < s.count => self.element(x, a_ty, s, n, span),
                () if n - s.count < t.count => self.element(y, b_ty, t, n - s.count, span),
                () => return error(index.span, "index of '__builtin_shufflevector' is out of range"),
            });
        }
        self.assemble(ty, vec![init_x, init_y], elements, span)
    }
}

fn is_comparison(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Eq | BinaryOp::Ne | BinaryOp::Lt | BinaryOp::Gt | BinaryOp::Le | BinaryOp::Ge)
}
