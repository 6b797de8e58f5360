//! Declaration specifiers and declarators: from syntax to types.

use cairn_base::{DataModel, Span, Symbol, sym};
use cairn_csyntax::ast::{
    AlignSpec, ArraySize, Basic, DeclSpecs, Declarator, Derived, Param, Params, Quals, TypeName, TypeSpec,
};

use crate::attrs::Attrs;
use crate::check::{Checker, Res, error, unsupported};
use crate::hir::{self, ExprKind};
use crate::scope::{Name, NameKind};
use crate::types::{ArrayLen, FloatKind, FuncType, IntKind, QType, Type, TypeId};

/// What the specifiers of a declaration say.
pub(crate) struct Spec {
    pub ty: QType,
    /// Alignment that a typedef gives the type.
    pub type_align: Option<u64>,
    pub attrs: Attrs,
    /// `__auto_type`: the type is that of the initialiser.
    pub is_auto: bool,
}

impl Checker {
    /// `standalone`: no declarator follows, so `struct s;` declares a new tag.
    pub(crate) fn specs(&mut self, specs: &DeclSpecs, standalone: bool) -> Res<Spec> {
        let mut type_align = None;
        let mut is_auto = false;
        let ty = match &specs.ty {
            TypeSpec::Basic(basic) => QType::plain(self.basic_type(*basic, specs.span)?),
            TypeSpec::Missing => QType::plain(self.common.int),
            TypeSpec::Complex(basic) => QType::plain(self.complex_type(*basic)),
            TypeSpec::Record(record) => QType::plain(self.record_spec(record, standalone)?),
            TypeSpec::Enum(spec) => QType::plain(self.enum_spec(spec, standalone)?),
            TypeSpec::Typedef(name) => match self.scopes.name(*name) {
                Some(Name { kind: NameKind::Typedef, ty, align, .. }) => {
                    type_align = *align;
                    *ty
                }
                Some(Name { kind: NameKind::Broken, .. }) => return Err(crate::check::Fail::reported()),
                _ => return error(specs.span, format!("unknown type name '{name}'")),
            },
            TypeSpec::TypeofExpr(e) => self.typeof_expr(e)?,
            TypeSpec::TypeofType(t) | TypeSpec::Atomic(t) => {
                let (ty, align) = self.type_name_of(t)?;
                type_align = align;
                ty
            }
            TypeSpec::Auto => {
                is_auto = true;
                QType::plain(self.common.int)
            }
            TypeSpec::VaList => QType::plain(self.common.va_list),
            TypeSpec::Size => QType::plain(self.common.size),
            TypeSpec::SignedSize => QType::plain(self.common.ptrdiff),
        };
        if specs.quals.is_atomic || matches!(specs.ty, TypeSpec::Atomic(_)) {
            type_align = self.atomic_align(ty.id, type_align);
        }
        let ty = self.qualify(ty, specs.quals.is_const, specs.quals.is_volatile);
        let mut attrs = if specs.attrs.is_empty() { Attrs::default() } else { self.attrs(&[&specs.attrs])? };
        for align in &specs.align {
            let n = match align {
                AlignSpec::Expr(e) => self.alignment(e)?,
                AlignSpec::Type(t) => {
                    let (ty, align) = self.type_name_of(t)?;
                    align.or(self.types.member_align(ty.id)).unwrap_or(1)
                }
            };
            attrs.align = Some(attrs.align.unwrap_or(1).max(n));
        }
        let ty = self.apply_type_attrs(ty, &attrs, specs.span)?;
        Ok(Spec { ty, type_align, attrs, is_auto })
    }

    /// The alignment of `_Atomic` and a type: where the machine has an atomic access of that size, the
    /// object is aligned for it.
    fn atomic_align(&self, ty: TypeId, own: Option<u64>) -> Option<u64> {
        let size = self.types.size_of(ty).filter(|size| matches!(size, 1 | 2 | 4 | 8 | 16));
        let natural = own.or_else(|| self.types.member_align(ty));
        match size {
            Some(size) if natural.is_some_and(|align| align < size) => Some(size),
            _ => own,
        }
    }

    /// Adds qualifiers; those of an array belong to its elements.
    pub(crate) fn qualify(&mut self, ty: QType, is_const: bool, is_volatile: bool) -> QType {
        if !is_const && !is_volatile {
            return ty;
        }
        if let Type::Array { elem, len } = *self.types.get(ty.id) {
            let elem = self.qualify(elem, is_const, is_volatile);
            return QType::plain(self.types.intern(Type::Array { elem, len }));
        }
        QType { id: ty.id, is_const: ty.is_const | is_const, is_volatile: ty.is_volatile | is_volatile }
    }

    fn basic_type(&mut self, basic: Basic, span: Span) -> Res<TypeId> {
        let int = |k| Type::Int(k);
        let float = |k| Type::Float(k);
        let ty = match basic {
            Basic::Void => return Ok(self.common.void),
            Basic::Bool => return Ok(self.common.bool),
            Basic::Char => return Ok(self.common.char),
            Basic::Int => return Ok(self.common.int),
            Basic::UInt => return Ok(self.common.uint),
            Basic::SChar => int(IntKind::SChar),
            Basic::UChar => int(IntKind::UChar),
            Basic::Short => int(IntKind::Short),
            Basic::UShort => int(IntKind::UShort),
            Basic::Long => int(IntKind::Long),
            Basic::ULong => int(IntKind::ULong),
            Basic::LongLong => int(IntKind::LongLong),
            Basic::ULongLong => int(IntKind::ULongLong),
            Basic::Int128 | Basic::UInt128 if self.types.model == DataModel::Ilp32 => {
                return error(span, "'__int128' is not supported on this target");
            }
            Basic::Int128 => int(IntKind::Int128),
            Basic::UInt128 => int(IntKind::UInt128),
            Basic::Float => float(FloatKind::Float),
            Basic::Double => float(FloatKind::Double),
            Basic::LongDouble => float(FloatKind::LongDouble),
            Basic::Float32 => float(FloatKind::Float32),
            Basic::Float64 => float(FloatKind::Float64),
            Basic::Float128 => float(FloatKind::Float128),
            Basic::Float32x => float(FloatKind::Float32x),
            Basic::Float64x => float(FloatKind::Float64x),
            Basic::Float16 => Type::Unsupported { what: sym("_Float16"), size: 2, align: 2 },
            Basic::Bf16 => Type::Unsupported { what: sym("__bf16"), size: 2, align: 2 },
            Basic::Decimal32 => Type::Unsupported { what: sym("_Decimal32"), size: 4, align: 4 },
            Basic::Decimal64 => Type::Unsupported { what: sym("_Decimal64"), size: 8, align: 8 },
            Basic::Decimal128 => Type::Unsupported { what: sym("_Decimal128"), size: 16, align: 16 },
        };
        Ok(self.types.intern(ty))
    }

    fn complex_type(&mut self, basic: Basic) -> TypeId {
        let part = self.basic_type(basic, Span::new(cairn_base::entity::EntityRef::new(0), 0, 0)).ok();
        let part = part.unwrap_or(self.common.double);
        let (size, align) = (self.types.size_of(part).unwrap_or(8), self.types.align_of(part).unwrap_or(8));
        let what = sym(&format!("_Complex {}", self.plain_name(part)));
        self.types.intern(Type::Unsupported { what, size: 2 * size, align })
    }

    fn typeof_expr(&mut self, e: &cairn_csyntax::ast::Expr) -> Res<QType> {
        self.unevaluated += 1;
        let operand = self.expr(e);
        self.unevaluated -= 1;
        let mut operand = operand?;
        if operand.bit_field().is_some() {
            return error(e.span, "'typeof' applied to a bit-field");
        }
        // The lengths of variable-length types written inside belong to the declaration.
        while let crate::convert::Operand::Value(hir::Expr {
            kind: ExprKind::WithVla { vla, len, value },
            ..
        }) = operand
        {
            self.pending_vlas.push((vla, *len));
            operand = crate::convert::Operand::Value(*value);
        }
        Ok(self.operand_type(&operand))
    }

    /// The type a type name stands for and the alignment a typedef in it asks for. Lengths of
    /// variable-length types are left in `pending_vlas`.
    pub(crate) fn type_name_of(&mut self, name: &TypeName) -> Res<(QType, Option<u64>)> {
        let spec = self.specs(&name.specs, false)?;
        let align = spec.attrs.align.or(spec.type_align);
        let ty = self.declarator(spec.ty, &name.declarator)?;
        let align = align.filter(|_| !matches!(self.types.get(ty.id), Type::Pointer(_) | Type::Function(_)));
        Ok((ty, if name.declarator.derived.is_empty() || align.is_some() { align } else { None }))
    }

    /// The type a declarator makes of the specified one.
    pub(crate) fn declarator(&mut self, base: QType, d: &Declarator) -> Res<QType> {
        self.derive(base, &d.derived, d.name, d.name_span)
    }

    pub(crate) fn derive(
        &mut self,
        base: QType,
        derived: &[Derived],
        name: Option<Symbol>,
        span: Span,
    ) -> Res<QType> {
        let mut ty = base;
        for step in derived.iter().rev() {
            ty = match step {
                Derived::Pointer { quals, attrs: _ } => self.qualified_pointer(ty, *quals),
                Derived::Array { size, .. } => self.array_type(ty, size, name, span)?,
                Derived::Function(params) => QType::plain(self.function_type(ty, params, name, span)?),
            };
        }
        Ok(ty)
    }

    fn qualified_pointer(&mut self, to: QType, quals: Quals) -> QType {
        let id = self.pointer_to(to);
        QType { id, is_const: quals.is_const, is_volatile: quals.is_volatile }
    }

    fn array_type(&mut self, elem: QType, size: &ArraySize, name: Option<Symbol>, span: Span) -> Res<QType> {
        let what = || name.map_or("unnamed array".to_string(), |n| format!("array '{n}'"));
        let bad = |kind: &str| {
            let who = name.map_or("type name".to_string(), |n| format!("'{n}'"));
            error(span, format!("declaration of {who} as array of {kind}"))
        };
        match self.types.get(elem.id) {
            Type::Function(_) => return bad("functions"),
            Type::Void => return bad("voids"),
            Type::Array { len: ArrayLen::Vla(_), .. } => {}
            _ if self.types.size_of(elem.id).is_none() && !self.is_variable_size(elem.id) => {
                let message = format!("array type has incomplete element type '{}'", self.type_name(elem));
                return error(span, message);
            }
            _ => {}
        }
        let len = match size {
            ArraySize::Unknown => ArrayLen::Unknown,
            ArraySize::Star => ArrayLen::Vla(self.types.new_vla()),
            ArraySize::Expr(e) => {
                let value = self.rvalue(e)?;
                if !self.is_integer(value.ty) {
                    return error(e.span, format!("size of {} has non-integer type", what()));
                }
                match self.eval_integer(&value) {
                    Some((_, true)) => return error(e.span, format!("size of {} is negative", what())),
                    Some((n, false)) => match u64::try_from(n) {
                        Ok(n) => ArrayLen::Fixed(n),
                        Err(_) => return error(e.span, format!("size of {} is too large", what())),
                    },
                    None if self.fun.is_none() && self.in_prototype == 0 => {
                        let who = name.map_or("type name".to_string(), |n| format!("'{n}'"));
                        return error(span, format!("variably modified {who} at file scope"));
                    }
                    None => {
                        let vla = self.types.new_vla();
                        if self.in_prototype == 0 {
                            let len = self.cast_to(value, self.common.size);
                            self.pending_vlas.push((vla, len));
                        }
                        ArrayLen::Vla(vla)
                    }
                }
            }
        };
        if let ArrayLen::Fixed(n) = len {
            let limit = if self.types.model == DataModel::Ilp32 { i32::MAX as u64 } else { i64::MAX as u64 };
            let total = self.types.size_of(elem.id).unwrap_or(0).checked_mul(n);
            if total.is_none_or(|t| t > limit) {
                return error(span, format!("size of {} is too large", what()));
            }
        }
        Ok(QType::plain(self.types.intern(Type::Array { elem, len })))
    }

    /// Is the size of the (complete) type known at run time only?
    pub(crate) fn is_variable_size(&self, id: TypeId) -> bool {
        match self.types.get(id) {
            Type::Array { len: ArrayLen::Vla(_), .. } => true,
            Type::Array { elem, len: ArrayLen::Fixed(_) } => self.is_variable_size(elem.id),
            Type::Record(r) => self.variable_records.contains_key(r),
            _ => false,
        }
    }

    fn function_type(
        &mut self,
        ret: QType,
        params: &Params,
        name: Option<Symbol>,
        span: Span,
    ) -> Res<TypeId> {
        self.check_return_type(ret, name, span)?;
        let (params, variadic, prototyped) = match params {
            Params::Knr(_) => (vec![], false, false),
            Params::Prototype { params, variadic } => {
                self.scopes.push();
                self.in_prototype += 1;
                let mark = self.pending_vlas.len();
                let types = self.prototype_params(params);
                self.pending_vlas.truncate(mark);
                self.in_prototype -= 1;
                self.scopes.pop();
                (types?, *variadic, true)
            }
        };
        Ok(self.types.intern(Type::Function(FuncType { ret, params, variadic, prototyped })))
    }

    pub(crate) fn check_return_type(&self, ret: QType, name: Option<Symbol>, span: Span) -> Res<()> {
        let who = || name.map_or("type name".to_string(), |n| format!("'{n}'"));
        match self.types.get(ret.id) {
            Type::Function(_) => error(span, format!("{} declared as function returning a function", who())),
            Type::Array { .. } => error(span, format!("{} declared as function returning an array", who())),
            _ => Ok(()),
        }
    }

    fn prototype_params(&mut self, params: &[Param]) -> Res<Vec<TypeId>> {
        let mut types = Vec::with_capacity(params.len());
        for param in params {
            let ty = self.param_type(param)?;
            if self.is_lone_void(params, ty) {
                break;
            }
            if let Some(name) = param.declarator.name {
                let span = param.declarator.name_span;
                self.scopes
                    .declare(name, Name { kind: NameKind::ProtoParam, ty, align: None, span, depth: 0 });
            }
            types.push(ty.id);
        }
        Ok(types)
    }

    /// `(void)` written with a typedef.
    pub(crate) fn is_lone_void(&self, params: &[Param], ty: QType) -> bool {
        ty.id == self.common.void && params.len() == 1 && params[0].declarator.name.is_none()
    }

    /// The adjusted type of a parameter. The outermost length of an array parameter is evaluated
    /// for its effects only.
    pub(crate) fn param_type(&mut self, param: &Param) -> Res<QType> {
        let spec = self.specs(&param.specs, false)?;
        let d = &param.declarator;
        let ty = match d.derived.split_first() {
            Some((Derived::Array { size, quals, .. }, rest)) => {
                let elem = self.derive(spec.ty, rest, d.name, d.name_span)?;
                // Checked as an array type, then adjusted.
                self.array_type(elem, &ArraySize::Unknown, d.name, d.name_span)?;
                if let ArraySize::Expr(e) = size {
                    let len = self.rvalue(e)?;
                    if self.in_prototype == 0 && crate::convert::has_effects(&len) {
                        let span = len.span;
                        if let Some(fun) = &mut self.fun {
                            fun.prologue.push(hir::Stmt { kind: hir::StmtKind::Expr(len), span });
                        }
                    }
                }
                self.qualified_pointer(elem, *quals)
            }
            _ => self.declarator(spec.ty, d)?,
        };
        let ty = match self.types.get(ty.id) {
            Type::Array { elem, .. } => {
                let elem = *elem;
                QType::plain(self.pointer_to(elem))
            }
            Type::Function(_) => QType::plain(self.pointer_to(ty)),
            _ => ty,
        };
        if d.attrs.is_empty() {
            Ok(ty)
        } else {
            let attrs = self.attrs(&[&d.attrs])?;
            self.apply_type_attrs(ty, &attrs, d.span)
        }
    }

    /// Reports a type that only declarations may mention.
    pub(crate) fn require_supported(&self, ty: TypeId, span: Span) -> Res<()> {
        match self.types.get(ty) {
            Type::Unsupported { what, .. } => unsupported(span, format!("'{what}' is not supported")),
            Type::Array { elem, .. } => self.require_supported(elem.id, span),
            _ => Ok(()),
        }
    }
}
