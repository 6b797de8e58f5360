//! Operands and their conversions: lvalue conversion, decay, promotions, the
//! usual arithmetic conversions, conversion as if by assignment, casts.

use cairn_base::{Span, Symbol};
use cairn_csyntax::ast;
use cairn_value::{Bits, IntTy, Ty, eval};

use crate::check::{Checker, Res, error, unsupported};
use crate::hir::{Expr, ExprKind, FuncId, InitItem, LValue, LValueKind, LocalInit, Size};
use crate::types::{ArrayLen, BitField, Field, FloatKind, IntKind, QType, Type, TypeId, Types};

/// An expression before it is used: a place, a value, or a function's name.
pub(crate) enum Operand {
    Place(LValue),
    Value(Expr),
    Func(FuncId, TypeId, Span),
}

impl Operand {
    pub fn span(&self) -> Span {
        match self {
            Operand::Place(lv) => lv.span,
            Operand::Value(e) => e.span,
            Operand::Func(_, _, span) => *span,
        }
    }

    /// The same operand as part of a larger stretch of source (parentheses).
    pub fn with_span(mut self, new: Span) -> Operand {
        match &mut self {
            Operand::Place(lv) => lv.span = new,
            Operand::Value(e) => e.span = new,
            Operand::Func(_, _, span) => *span = new,
        }
        self
    }

    pub fn bit_field(&self) -> Option<u8> {
        match self {
            Operand::Place(lv) => bits_of(lv),
            _ => None,
        }
    }

    /// Bytes of the type gcc gives the value of an assignment to a bit-field.
    pub fn bit_field_bytes(&self) -> Option<u64> {
        match self {
            Operand::Value(e) => bit_field_value(e).map(|w| u64::from(w).div_ceil(8).next_power_of_two()),
            _ => None,
        }
    }
}

fn bits_of(lv: &LValue) -> Option<u8> {
    match lv.kind {
        LValueKind::Member { bits: Some(BitField { width, .. }), .. } => Some(width),
        _ => None,
    }
}

/// The width of the bit-field whose value an expression is (then its type promotes by width).
fn bit_field_value(e: &Expr) -> Option<u8> {
    match &e.kind {
        ExprKind::Read(lv) => bits_of(lv),
        ExprKind::Assign { dst, .. } | ExprKind::AssignOp { dst, .. } | ExprKind::IncDec { dst, .. } => {
            bits_of(dst)
        }
        ExprKind::Comma(_, last) => bit_field_value(last),
        ExprKind::StmtExpr { value: Some(value), .. } => bit_field_value(value),
        _ => None,
    }
}

/// Where a value is converted as if by assignment, for the message.
#[derive(Copy, Clone)]
pub(crate) enum Into {
    Assign,
    Init,
    Return,
    Argument(usize, Option<Symbol>),
}

/// Could evaluating it be noticed?
pub(crate) fn has_effects(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Const(_) | ExprKind::FuncAddr(_) | ExprKind::LabelAddr(_) | ExprKind::VlaLen(_) => false,
        ExprKind::Read(lv) => lv.ty.is_volatile || place_has_effects(lv),
        ExprKind::AddrOf(lv) => place_has_effects(lv),
        ExprKind::Unary(_, a) | ExprKind::LogNot(a) | ExprKind::Cast(a) => has_effects(a),
        ExprKind::Binary { lhs, rhs, .. } | ExprKind::LogAnd(lhs, rhs) | ExprKind::LogOr(lhs, rhs) => {
            has_effects(lhs) || has_effects(rhs)
        }
        ExprKind::PtrAdd { ptr, index, .. } => has_effects(ptr) || has_effects(index),
        ExprKind::PtrDiff { lhs, rhs, .. } => has_effects(lhs) || has_effects(rhs),
        ExprKind::Cond { cond, then, other } => {
            has_effects(cond) || then.as_ref().is_some_and(|t| has_effects(t)) || has_effects(other)
        }
        _ => true,
    }
}

pub(crate) fn place_has_effects(lv: &LValue) -> bool {
    match &lv.kind {
        LValueKind::Local(_) | LValueKind::Global(_) => false,
        LValueKind::Deref(e) => has_effects(e),
        LValueKind::Member { base, .. } => place_has_effects(base),
        LValueKind::Temp(_) | LValueKind::Compound { .. } => true,
    }
}

impl Types {
    pub(crate) fn integer_of(&self, id: TypeId) -> Option<IntTy> {
        match self.get(id) {
            Type::Bool => Some(IntTy::U8),
            Type::Int(_) | Type::Enum(_) | Type::BitField { .. } => self.scalar(id).and_then(Ty::int),
            _ => None,
        }
    }
}

impl Checker {
    pub(crate) fn operand_type(&self, o: &Operand) -> QType {
        match o {
            Operand::Place(lv) => lv.ty,
            Operand::Value(e) => QType::plain(e.ty),
            Operand::Func(_, ty, _) => QType::plain(*ty),
        }
    }

    pub(crate) fn is_integer(&self, id: TypeId) -> bool {
        matches!(self.types.get(id), Type::Bool | Type::Int(_) | Type::Enum(_) | Type::BitField { .. })
    }

    pub(crate) fn is_float(&self, id: TypeId) -> bool {
        matches!(self.types.get(id), Type::Float(_))
    }

    pub(crate) fn is_arithmetic(&self, id: TypeId) -> bool {
        self.is_integer(id) || self.is_float(id)
    }

    pub(crate) fn pointee(&self, id: TypeId) -> Option<QType> {
        match self.types.get(id) {
            Type::Pointer(to) => Some(*to),
            _ => None,
        }
    }

    pub(crate) fn is_scalar(&self, id: TypeId) -> bool {
        self.is_arithmetic(id) || self.pointee(id).is_some()
    }

    /// The value of an expression: lvalues are read, arrays and functions decay.
    pub(crate) fn rvalue(&mut self, e: &ast::Expr) -> Res<Expr> {
        let operand = self.expr(e)?;
        self.value(operand)
    }

    pub(crate) fn value(&mut self, operand: Operand) -> Res<Expr> {
        match operand {
            Operand::Value(e) => Ok(e),
            Operand::Func(id, ty, span) => {
                self.use_func(id);
                let ty = self.pointer_to(QType::plain(ty));
                Ok(Expr { kind: ExprKind::FuncAddr(id), ty, span })
            }
            Operand::Place(lv) => {
                let span = lv.span;
                match *self.types.get(lv.ty.id) {
                    Type::Array { elem, .. } => {
                        self.mark_address(&lv);
                        let ty = self.pointer_to(elem);
                        Ok(Expr { kind: ExprKind::AddrOf(lv), ty, span })
                    }
                    Type::Function(_) => match lv.kind {
                        LValueKind::Deref(e) => Ok(*e),
                        _ => error(span, "invalid use of a function"),
                    },
                    Type::Void => match lv.kind {
                        LValueKind::Deref(e) => {
                            Ok(Expr { kind: ExprKind::Cast(e), ty: self.common.void, span })
                        }
                        _ => error(span, "void value not ignored as it ought to be"),
                    },
                    Type::Unsupported { what, .. } => unsupported(span, format!("'{what}' is not supported")),
                    Type::Record(r) if self.variable_records.contains_key(&r) => {
                        unsupported(span, "value of a record with a member of variable length")
                    }
                    Type::Record(r) if self.types.records[r].layout.is_none() => {
                        error(span, format!("invalid use of undefined type '{}'", self.plain_name(lv.ty.id)))
                    }
                    Type::Enum(e) if self.types.enums[e].repr.is_none() => {
                        error(span, format!("invalid use of undefined type '{}'", self.plain_name(lv.ty.id)))
                    }
                    _ => {
                        let ty = lv.ty.id;
                        Ok(Expr { kind: ExprKind::Read(lv), ty, span })
                    }
                }
            }
        }
    }

    /// The object behind a place must stay in memory.
    pub(crate) fn mark_address(&mut self, lv: &LValue) {
        match &lv.kind {
            LValueKind::Local(l) => {
                if let Some(fun) = &mut self.fun {
                    fun.locals[*l].in_memory = true;
                }
            }
            LValueKind::Global(g) => self.globals[*g].addr_taken = true,
            LValueKind::Member { base, .. } => self.mark_address(base),
            LValueKind::Compound { local, .. } => {
                if let Some(fun) = &mut self.fun {
                    fun.locals[*local].in_memory = true;
                }
            }
            LValueKind::Deref(_) | LValueKind::Temp(_) => {}
        }
    }

    pub(crate) fn constant(&self, bits: Bits, ty: TypeId, span: Span) -> Expr {
        Expr { kind: ExprKind::Const(bits), ty, span }
    }

    pub(crate) fn int_constant(&self, n: i32, span: Span) -> Expr {
        self.constant(IntTy::I32.wrap(i128::from(n)), self.common.int, span)
    }

    pub(crate) fn size_constant(&self, n: u64, span: Span) -> Expr {
        self.constant(Bits::from(n) & IntTy::size(self.types.model).mask(), self.common.size, span)
    }

    /// Conversion that is known to be allowed. Integer constants are converted at once, which is
    /// always defined; all else becomes a `Cast`.
    pub(crate) fn cast_to(&self, e: Expr, ty: TypeId) -> Expr {
        if e.ty == ty {
            return e;
        }
        let span = e.span;
        if let ExprKind::Const(bits) = e.kind
            && let Some(from) = self.types.integer_of(e.ty)
        {
            if ty == self.common.bool {
                return self.constant(Bits::from(bits != 0), ty, span);
            }
            if let Some(to) = self.types.integer_of(ty)
                && let Ok(bits) = eval::cast(Ty::Int(from), Ty::Int(to), bits, self.types.model)
            {
                return self.constant(bits, ty, span);
            }
        }
        Expr { kind: ExprKind::Cast(Box::new(e)), ty, span }
    }

    /// The type integer promotion gives; `width` if the value is a bit-field's.
    pub(crate) fn promoted(&mut self, ty: TypeId, width: Option<u8>) -> TypeId {
        let Some(int) = self.types.integer_of(ty) else { return ty };
        let c = self.common;
        if let Some(width) = width {
            if width < 32 {
                return c.int;
            }
            if width < int.bits {
                return self.types.intern(Type::BitField { bits: width, signed: int.signed });
            }
        }
        self.promoted_type(ty)
    }

    fn promoted_type(&self, ty: TypeId) -> TypeId {
        let c = &self.common;
        match self.types.get(ty) {
            Type::Bool => c.int,
            Type::Int(IntKind::Char | IntKind::SChar | IntKind::UChar | IntKind::Short | IntKind::UShort) => {
                c.int
            }
            Type::Enum(e) => match self.types.enums[*e].repr {
                Some(IntKind::UInt) => c.uint,
                Some(IntKind::Long) => c.long,
                Some(IntKind::ULong) => c.ulong,
                Some(IntKind::LongLong) => c.llong,
                Some(IntKind::ULongLong) => c.ullong,
                _ => c.int,
            },
            _ => ty,
        }
    }

    /// What the default argument promotions make of a type.
    pub(crate) fn default_promoted(&self, ty: TypeId) -> TypeId {
        match self.types.get(ty) {
            Type::Float(FloatKind::Float) => self.common.double,
            Type::BitField { signed, .. } => {
                if *signed {
                    self.common.llong
                } else {
                    self.common.ullong
                }
            }
            _ => self.promoted_type(ty),
        }
    }

    pub(crate) fn promote(&mut self, e: Expr) -> Expr {
        let width = bit_field_value(&e);
        let ty = self.promoted(e.ty, width);
        self.cast_to(e, ty)
    }

    pub(crate) fn default_promote(&mut self, e: Expr) -> Expr {
        let e = self.promote(e);
        let ty = self.default_promoted(e.ty);
        self.cast_to(e, ty)
    }

    /// The common type of two promoted arithmetic types.
    pub(crate) fn common_type(&self, a: TypeId, b: TypeId) -> TypeId {
        if a == b {
            return a;
        }
        match (self.types.get(a), self.types.get(b)) {
            (Type::Float(x), Type::Float(y)) => {
                if float_rank(*x) >= float_rank(*y) {
                    a
                } else {
                    b
                }
            }
            (Type::Float(_), _) => a,
            (_, Type::Float(_)) => b,
            _ => {
                let (Some(x), Some(y)) = (self.types.integer_of(a), self.types.integer_of(b)) else {
                    return a;
                };
                if x.bits != y.bits {
                    return if x.bits > y.bits { a } else { b };
                }
                let (ra, rb) = (self.int_rank(a), self.int_rank(b));
                let (high, low) = if ra >= rb { (a, b) } else { (b, a) };
                let low_unsigned = !if ra >= rb { y } else { x }.signed;
                match self.types.get(high) {
                    _ if !low_unsigned => high,
                    Type::Int(IntKind::Int) => self.common.uint,
                    Type::Int(IntKind::Long) => self.common.ulong,
                    Type::Int(IntKind::LongLong) => self.common.ullong,
                    Type::Int(IntKind::Int128) => low,
                    Type::BitField { signed: true, .. } => low,
                    _ => high,
                }
            }
        }
    }

    fn int_rank(&self, id: TypeId) -> u8 {
        match self.types.get(id) {
            Type::Int(IntKind::Int | IntKind::UInt) => 2,
            Type::Int(IntKind::Long | IntKind::ULong) => 3,
            Type::Int(IntKind::LongLong | IntKind::ULongLong) => 4,
            Type::Int(IntKind::Int128 | IntKind::UInt128) => 5,
            _ => 1,
        }
    }

    /// Promotes two arithmetic operands and brings them to their common type.
    pub(crate) fn arithmetic(&mut self, a: Expr, b: Expr) -> (Expr, Expr) {
        let (a, b) = (self.promote(a), self.promote(b));
        let ty = self.common_type(a.ty, b.ty);
        (self.cast_to(a, ty), self.cast_to(b, ty))
    }

    /// Checks that a value can be asked for being zero.
    pub(crate) fn condition(&self, e: Expr) -> Res<Expr> {
        if self.is_scalar(e.ty) {
            return Ok(e);
        }
        match self.types.get(e.ty) {
            Type::Void => error(e.span, "void value not ignored as it ought to be"),
            Type::Record(r) => {
                let what = if self.types.records[*r].is_union { "union" } else { "struct" };
                error(e.span, format!("used {what} type value where scalar is required"))
            }
            _ => error(e.span, "used value where scalar is required"),
        }
    }

    /// Is it an integer constant expression of value 0, or such a one cast to `void *`?
    pub(crate) fn is_null_constant(&self, e: &Expr) -> bool {
        if self.is_integer(e.ty) {
            return matches!(self.eval_integer(e), Some((0, _)));
        }
        match &e.kind {
            ExprKind::Cast(inner) if e.ty == self.common.void_ptr && self.is_integer(inner.ty) => {
                matches!(self.eval_integer(inner), Some((0, _)))
            }
            _ => false,
        }
    }

    /// Conversion as if by assignment, as liberal as gcc is without `-pedantic-errors`.
    pub(crate) fn assign_to(&mut self, e: Expr, to: TypeId, into: Into) -> Res<Expr> {
        if e.ty == to && self.is_scalar(to) {
            return Ok(e);
        }
        if e.ty == self.common.void {
            return error(e.span, "void value not ignored as it ought to be");
        }
        self.require_supported(to, e.span)?;
        let allowed = match (self.types.get(e.ty), self.types.get(to)) {
            (Type::Record(a), Type::Record(b)) if a == b => return Ok(e),
            (Type::Float(_), Type::Pointer(_)) | (Type::Pointer(_), Type::Float(_)) => false,
            (_, Type::Record(r)) if self.transparent.contains(r) && matches!(into, Into::Argument(..)) => {
                return self.transparent_argument(e, to);
            }
            _ => self.is_scalar(e.ty) && self.is_scalar(to),
        };
        if allowed { Ok(self.cast_to(e, to)) } else { self.mismatch(&e, to, into) }
    }

    fn mismatch(&self, e: &Expr, to: TypeId, into: Into) -> Res<Expr> {
        let (from, to) = (self.plain_name(e.ty), self.plain_name(to));
        let message = match into {
            Into::Assign => format!("incompatible types when assigning to type '{to}' from type '{from}'"),
            Into::Init => format!("incompatible types when initializing type '{to}' using type '{from}'"),
            Into::Return => {
                format!("incompatible types when returning type '{from}' but '{to}' was expected")
            }
            Into::Argument(n, Some(f)) => {
                format!(
                    "incompatible type for argument {n} of '{f}': expected '{to}' but argument is of type '{from}'"
                )
            }
            Into::Argument(n, None) => {
                format!(
                    "incompatible type for argument {n}: expected '{to}' but argument is of type '{from}'"
                )
            }
        };
        error(e.span, message)
    }

    /// The union that holds an argument given as one of its members.
    fn transparent_argument(&mut self, e: Expr, to: TypeId) -> Res<Expr> {
        let null: fn(&Checker, TypeId, TypeId) -> bool =
            |this, from, member| this.types.compatible(from, member) || this.pointee(member).is_some();
        let pointer: fn(&Checker, TypeId, TypeId) -> bool = |this, from, member| {
            this.types.compatible(from, member)
                || (this.pointee(from).is_some() && this.pointee(member).is_some())
        };
        let fits = if self.is_null_constant(&e) { null } else { pointer };
        self.union_of(e, to, fits)
    }

    /// A union value whose first member that `fits` holds `e`.
    fn union_of(&mut self, e: Expr, to: TypeId, fits: fn(&Checker, TypeId, TypeId) -> bool) -> Res<Expr> {
        let span = e.span;
        let Type::Record(r) = *self.types.get(to) else { return error(span, "not a union") };
        let layout = self.types.records[r].layout.as_ref();
        // The type of a bit-field narrower than its declared type is one of its own.
        let narrow = |ty: TypeId, width: Option<u8>| {
            width.filter(|&w| self.types.integer_of(ty).is_some_and(|int| w < int.bits))
        };
        let width = narrow(e.ty, bit_field_value(&e));
        let mut fields = layout.map_or(&[][..], |l| &l.fields[..]).iter();
        let field =
            fields.find(|f| fits(self, e.ty, f.ty.id) && narrow(f.ty.id, f.bits.map(|b| b.width)) == width);
        let Some(&Field { ty: QType { id: member, .. }, offset, bits, .. }) = field else {
            return error(span, "cast to union type from type not present in union");
        };
        let len = self.types.size_of(member).unwrap_or(0);
        let value = if self.is_scalar(member) { self.cast_to(e, member) } else { e };
        let local = self.temp(to, span)?;
        let init = LocalInit { zero_fill: true, items: vec![InitItem { offset, bits, value, len }] };
        let kind = LValueKind::Compound { local, init };
        let lv = LValue { kind, ty: QType::plain(to), span };
        Ok(Expr { kind: ExprKind::Read(lv), ty: to, span })
    }

    /// `(to) e`
    pub(crate) fn explicit_cast(&mut self, e: Expr, to: TypeId, span: Span) -> Res<Expr> {
        self.require_supported(to, span)?;
        match (self.types.get(e.ty), self.types.get(to)) {
            (_, Type::Void) => {
                Ok(if e.ty == to { e } else { Expr { kind: ExprKind::Cast(Box::new(e)), ty: to, span } })
            }
            (Type::Void, _) => error(span, "void value not ignored as it ought to be"),
            (Type::Record(a), Type::Record(b)) if a == b => Ok(e),
            _ if self.vector(e.ty).is_some() || self.vector(to).is_some() => self.vector_cast(e, to, span),
            (_, Type::Record(r)) if self.types.records[*r].is_union => {
                self.union_of(e, to, |this, from, member| this.types.compatible(from, member))
            }
            (_, Type::Record(_) | Type::Array { .. } | Type::Function(_)) => {
                error(span, "conversion to non-scalar type requested")
            }
            (Type::Record(_), _) => error(
                span,
                format!(
                    "cannot convert a value of type '{}' to '{}'",
                    self.plain_name(e.ty),
                    self.plain_name(to)
                ),
            ),
            (Type::Float(_), Type::Pointer(_)) => error(span, "cannot convert to a pointer type"),
            (Type::Pointer(_), Type::Float(_)) => {
                error(span, "pointer value used where a floating-point was expected")
            }
            _ => Ok(Expr { span, ..self.explicit_scalar_cast(e, to) }),
        }
    }

    /// Keeps `(int)x` of an `int` a value of its own: a cast is no lvalue and no bit-field.
    fn explicit_scalar_cast(&self, e: Expr, to: TypeId) -> Expr {
        if e.ty == to && bit_field_value(&e).is_some() {
            let span = e.span;
            return Expr { kind: ExprKind::Cast(Box::new(e)), ty: to, span };
        }
        self.cast_to(e, to)
    }

    /// The size of a type as pointer arithmetic needs it; GNU C gives `void` and functions size 1.
    pub(crate) fn arithmetic_size(&mut self, to: QType, span: Span) -> Res<Size> {
        if matches!(self.types.get(to.id), Type::Void | Type::Function(_)) {
            return Ok(Size::Const(1));
        }
        self.size_of_type(to.id, span)
    }

    pub(crate) fn size_of_type(&mut self, id: TypeId, span: Span) -> Res<Size> {
        if let Some(size) = self.types.size_of(id) {
            return Ok(Size::Const(size));
        }
        if let Type::Record(r) = *self.types.get(id)
            && self.variable_records.contains_key(&r)
        {
            return self.variable_record_size(r, span);
        }
        if self.is_variable_size(id) {
            return Ok(Size::Dyn(Box::new(self.dynamic_size(id, span)?)));
        }
        match self.types.get(id) {
            Type::Record(_) | Type::Enum(_) => {
                error(span, format!("invalid use of undefined type '{}'", self.plain_name(id)))
            }
            _ => error(span, format!("invalid use of incomplete type '{}'", self.plain_name(id))),
        }
    }

    /// `n * sizeof(element)` of a variable-length array, as `size_t`.
    fn dynamic_size(&mut self, id: TypeId, span: Span) -> Res<Expr> {
        let Type::Array { elem, len } = *self.types.get(id) else { return error(span, "not an array") };
        let size = self.common.size;
        let len = match len {
            ArrayLen::Vla(vla) => Expr { kind: ExprKind::VlaLen(vla), ty: size, span },
            ArrayLen::Fixed(n) => self.size_constant(n, span),
            ArrayLen::Unknown => return error(span, "invalid use of an incomplete array type"),
        };
        let elem = match self.size_of_type(elem.id, span)? {
            Size::Const(1) => return Ok(len),
            Size::Const(n) => self.size_constant(n, span),
            Size::Dyn(e) => *e,
        };
        let kind = ExprKind::Binary {
            op: cairn_value::BinOp::Mul,
            lhs: Box::new(len),
            rhs: Box::new(elem),
            swap: false,
        };
        Ok(Expr { kind, ty: size, span })
    }
}

fn float_rank(kind: FloatKind) -> u8 {
    match kind {
        FloatKind::Float => 0,
        FloatKind::Float32 => 1,
        FloatKind::Double => 2,
        FloatKind::Float32x => 3,
        FloatKind::Float64 => 4,
        FloatKind::LongDouble => 5,
        FloatKind::Float64x => 6,
        FloatKind::Float128 => 7,
    }
}
