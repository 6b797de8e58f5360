//! Expressions: names, literals, members, subscripts, casts, `sizeof` and the
//! like. Operators are in `ops`, calls in `call`, built-in functions in `builtin`.

use cairn_base::{Span, Symbol, sym};
use cairn_csyntax::ast::{
    self, CharPrefix, Designator, ExprKind as Ast, FloatLit, Initializer, IntLit, TypeName, UnaryOp,
};
use cairn_value::{BinOp, Bits, IntTy, Ty, float};

use crate::check::{Checker, Fail, Res, error, unsupported};
use crate::convert::Operand;
use crate::hir::{Expr, ExprKind, Global, GlobalId, GlobalInit, GlobalKind, LValue, LValueKind, Size};
use crate::link::Linked;
use crate::scope::NameKind;
use crate::types::{ArrayLen, BitField, FloatKind, IntKind, QType, Type, TypeId, VlaId};

impl Checker {
    pub(crate) fn expr(&mut self, e: &ast::Expr) -> Res<Operand> {
        match &e.kind {
            Ast::Ident(name) => self.ident(*name, e.span),
            Ast::Int(lit) => self.int_literal(lit, e.span),
            Ast::Float(lit) => self.float_literal(lit, e.span),
            Ast::Char { value, prefix } => Ok(Operand::Value(self.char_literal(*value, *prefix, e.span))),
            Ast::String { units, prefix } => {
                let id = self.string_literal(units, *prefix, e.span);
                Ok(self.global_place(id, e.span))
            }
            Ast::FuncName => self.function_name(e.span),
            Ast::Paren(inner) => Ok(self.expr(inner)?.with_span(e.span)),
            Ast::Call { callee, args } => self.call(callee, args, e.span),
            Ast::Member { base, arrow, name, name_span } => {
                self.member(base, *arrow, *name, *name_span, e.span)
            }
            Ast::Index { base, index } => self.index(base, index, e.span),
            Ast::Unary { op: UnaryOp::Extension, arg } => self.expr(arg),
            Ast::Unary { op, arg } => self.unary(*op, arg, e.span),
            Ast::Binary { op, lhs, rhs } => self.binary(*op, lhs, rhs, e.span).map(Operand::Value),
            Ast::Assign { op, lhs, rhs } => self.assign(*op, lhs, rhs, e.span).map(Operand::Value),
            Ast::Cond { cond, then, other } => {
                self.conditional(cond, then.as_deref(), other, e.span).map(Operand::Value)
            }
            Ast::Cast { ty, arg } => self.cast(ty, arg, e.span),
            Ast::CompoundLiteral { ty, init } => self.compound_literal(ty, init, e.span),
            Ast::SizeofExpr(arg) => self.sizeof_expr(arg, e.span),
            Ast::SizeofType(ty) => self.sizeof_type(ty, e.span),
            Ast::AlignofExpr(arg) => self.alignof_expr(arg, e.span, false),
            Ast::PreferredAlignofExpr(arg) => self.alignof_expr(arg, e.span, true),
            Ast::AlignofType(ty) => self.alignof_type(ty, e.span, false),
            Ast::PreferredAlignofType(ty) => self.alignof_type(ty, e.span, true),
            Ast::Generic { control, arms } => self.generic(control, arms, e.span),
            Ast::Comma(a, b) => self.comma(a, b, e.span),
            Ast::StmtExpr(block) => self.statement_expr(block, e.span),
            Ast::LabelAddr(name) => self.label_address(*name, e.span),
            Ast::ConvertVector { value, ty } => self.convert_vector(value, ty, e.span).map(Operand::Value),
            Ast::VaArg { list, ty } => self.va_arg(list, ty, e.span),
            Ast::Offsetof { ty, path } => self.offsetof(ty, path, e.span),
            Ast::TypesCompatible(a, b) => self.types_compatible(a, b, e.span),
            Ast::ChooseExpr { cond, then, other } => self.choose_expr(cond, then, other),
            Ast::ComplexPart { imag, arg } => self.complex_part(*imag, arg, e.span),
        }
    }

    fn ident(&mut self, name: Symbol, span: Span) -> Res<Operand> {
        let found = self.scopes.name(name).copied();
        if matches!(found.map(|f| f.kind), None | Some(NameKind::Func(_)))
            && let Some(library) = crate::library::builtin_target(name.as_str())
        {
            let (id, ty) = self.implicit_function(sym(library), span)?;
            return Ok(Operand::Func(id, ty.id, span));
        }
        let Some(found) = found else { return error(span, format!("'{name}' undeclared")) };
        match found.kind {
            NameKind::Local(l) => {
                self.require_supported(found.ty.id, span)?;
                if self.holds_variable_record(found.ty.id) {
                    return self.variable_place(l, found.ty, span);
                }
                Ok(Operand::Place(LValue { kind: LValueKind::Local(l), ty: found.ty, span }))
            }
            NameKind::Global(g) => {
                if let Some(conflict) = self.conflicts.get(&g) {
                    return Err(conflict.clone().into());
                }
                self.use_global(g);
                self.note_weak(Linked::Global(g), span);
                Ok(Operand::Place(LValue { kind: LValueKind::Global(g), ty: found.ty, span }))
            }
            NameKind::Func(f) => {
                self.note_weak(Linked::Func(f), span);
                Ok(Operand::Func(f, found.ty.id, span))
            }
            NameKind::Enumerator(bits) => Ok(Operand::Value(self.constant(bits, found.ty.id, span))),
            NameKind::ProtoParam => {
                let null = self.constant(0, self.common.void_ptr, span);
                Ok(Operand::Place(LValue { kind: LValueKind::Deref(Box::new(null)), ty: found.ty, span }))
            }
            NameKind::Typedef => error(span, format!("expected expression before '{name}'")),
            NameKind::Broken => Err(Fail::reported()),
        }
    }

    fn int_literal(&mut self, lit: &IntLit, span: Span) -> Res<Operand> {
        if lit.imaginary {
            return unsupported(span, "imaginary constants are not supported");
        }
        use IntKind::*;
        let candidates = [(Int, UInt), (Long, ULong), (LongLong, ULongLong), (Int128, UInt128)];
        let lp64 = self.types.model == cairn_base::DataModel::Lp64;
        for (rank, &(signed, unsigned)) in candidates.iter().enumerate().skip(usize::from(lit.longs)) {
            if rank == 3 && !lp64 {
                break;
            }
            let mask = self.types.int_ty(unsigned).mask();
            if !lit.unsigned && lit.value <= mask >> 1 {
                return Ok(Operand::Value(self.int_of(signed, lit.value, span)));
            }
            if (lit.unsigned || !lit.decimal) && lit.value <= mask {
                return Ok(Operand::Value(self.int_of(unsigned, lit.value, span)));
            }
        }
        let widest = if lp64 { UInt128 } else { ULongLong };
        let mask = self.types.int_ty(widest).mask();
        Ok(Operand::Value(self.int_of(widest, lit.value & mask, span)))
    }

    fn int_of(&mut self, kind: IntKind, bits: Bits, span: Span) -> Expr {
        let ty = self.types.intern(Type::Int(kind));
        self.constant(bits, ty, span)
    }

    fn float_literal(&mut self, lit: &FloatLit, span: Span) -> Res<Operand> {
        if lit.imaginary {
            return unsupported(span, "imaginary constants are not supported");
        }
        let kind = match lit.suffix.as_str() {
            "" | "d" => FloatKind::Double,
            "f" => FloatKind::Float,
            "l" | "w" => FloatKind::LongDouble,
            "f32" => FloatKind::Float32,
            "f64" => FloatKind::Float64,
            "f32x" => FloatKind::Float32x,
            "f64x" => FloatKind::Float64x,
            "f128" | "q" => FloatKind::Float128,
            other => return unsupported(span, format!("floating constant with suffix '{other}'")),
        };
        let Some(bits) = float::parse(self.types.float_ty(kind), &lit.text) else {
            return error(span, format!("invalid floating constant '{}'", lit.text));
        };
        let ty = self.types.intern(Type::Float(kind));
        Ok(Operand::Value(self.constant(bits, ty, span)))
    }

    fn char_literal(&mut self, value: i64, prefix: CharPrefix, span: Span) -> Expr {
        let c = &self.common;
        let ty = match prefix {
            CharPrefix::None => c.int,
            CharPrefix::Wide => c.wchar,
            CharPrefix::U16 => c.ushort,
            CharPrefix::U32 => c.uint,
            CharPrefix::Utf8 => c.uchar,
        };
        let int = self.types.integer_of(ty).unwrap_or(IntTy::I32);
        self.constant(int.wrap(i128::from(value)), ty, span)
    }

    pub(crate) fn string_element(&self, prefix: CharPrefix) -> TypeId {
        match prefix {
            CharPrefix::None | CharPrefix::Utf8 => self.common.char,
            CharPrefix::Wide => self.common.wchar,
            CharPrefix::U16 => self.common.ushort,
            CharPrefix::U32 => self.common.uint,
        }
    }

    /// The object a string literal stands for; equal literals share one, as in gcc's output.
    pub(crate) fn string_literal(&mut self, units: &[u32], prefix: CharPrefix, span: Span) -> GlobalId {
        let elem = self.string_element(prefix);
        let width = self.types.size_of(elem).unwrap_or(1);
        let key = (u64::from(elem.as_u32()), units.to_vec());
        if let Some(&id) = self.strings.get(&key) {
            return id;
        }
        let len = units.len() as u64 + 1;
        let ty = self.types.intern(Type::Array { elem: QType::plain(elem), len: ArrayLen::Fixed(len) });
        let mut builder = crate::static_data::StaticBuilder::default();
        let bytes: Vec<u8> =
            units.iter().flat_map(|u| u.to_le_bytes().into_iter().take(width as usize)).collect();
        builder.write(0, &bytes);
        let id = self.globals.push(Global {
            name: sym("<string>"),
            ty,
            is_const: false,
            size: len * width,
            align: width,
            init: GlobalInit::Data(builder.finish()),
            kind: GlobalKind::String,
            addr_taken: true,
            span,
        });
        self.strings.insert(key, id);
        id
    }

    fn global_place(&mut self, id: GlobalId, span: Span) -> Operand {
        self.use_global(id);
        let ty = QType::plain(self.globals[id].ty);
        Operand::Place(LValue { kind: LValueKind::Global(id), ty, span })
    }

    /// `__func__`: an array of `const char` with the function's name.
    pub(crate) fn function_name(&mut self, span: Span) -> Res<Operand> {
        let name = self.fun.as_ref().map_or(String::new(), |f| f.name.to_string());
        let units: Vec<u32> = name.bytes().map(u32::from).collect();
        let id = self.string_literal(&units, CharPrefix::None, span);
        let place = self.global_place(id, span);
        let Operand::Place(lv) = place else { return Err(Fail::reported()) };
        let ty = self.qualify(lv.ty, true, false);
        Ok(Operand::Place(LValue { ty, ..lv }))
    }

    fn member(
        &mut self,
        base: &ast::Expr,
        arrow: bool,
        name: Symbol,
        name_span: Span,
        span: Span,
    ) -> Res<Operand> {
        let operand = self.expr(base)?;
        let lv = if arrow {
            let pointer = self.value(operand)?;
            let Some(to) = self.pointee(pointer.ty) else {
                let have = self.plain_name(pointer.ty);
                return error(span, format!("invalid type argument of '->' (have '{have}')"));
            };
            LValue { kind: LValueKind::Deref(Box::new(pointer)), ty: to, span: base.span }
        } else {
            match operand {
                Operand::Place(lv) => lv,
                Operand::Value(e) => {
                    let (ty, span) = (QType::plain(e.ty), e.span);
                    LValue { kind: LValueKind::Temp(Box::new(e)), ty, span }
                }
                Operand::Func(..) => return self.no_member(name, name_span),
            }
        };
        let Type::Record(r) = *self.types.get(lv.ty.id) else {
            self.require_supported(lv.ty.id, lv.span)?;
            if arrow {
                let have = self.type_name(lv.ty);
                let message = format!(
                    "request for member '{name}' in something not a structure or union (have '{have}')"
                );
                return error(name_span, message);
            }
            return self.no_member(name, name_span);
        };
        if self.variable_records.contains_key(&r) {
            let what = self.plain_name(lv.ty.id);
            return match self.variable_member(lv, r, name, span)? {
                Some(member) => Ok(member),
                None => error(name_span, format!("'{what}' has no member named '{name}'")),
            };
        }
        if self.types.records[r].layout.is_none() {
            return error(span, format!("invalid use of undefined type '{}'", self.plain_name(lv.ty.id)));
        }
        let Some((offset, bits, ty)) = self.find_field(lv.ty.id, name) else {
            let message = format!("'{}' has no member named '{name}'", self.plain_name(lv.ty.id));
            return error(name_span, message);
        };
        let ty = self.qualify(ty, lv.ty.is_const, lv.ty.is_volatile);
        let kind = match lv.kind {
            LValueKind::Member { base, offset: outer, bits: None } => {
                LValueKind::Member { base, offset: outer + offset, bits }
            }
            _ => LValueKind::Member { base: Box::new(lv), offset, bits },
        };
        Ok(Operand::Place(LValue { kind, ty, span }))
    }

    fn no_member<T>(&self, name: Symbol, span: Span) -> Res<T> {
        error(span, format!("request for member '{name}' in something not a structure or union"))
    }

    /// A member, also of anonymous members.
    pub(crate) fn find_field(&self, ty: TypeId, name: Symbol) -> Option<(u64, Option<BitField>, QType)> {
        let Type::Record(r) = *self.types.get(ty) else { return None };
        let fields = &self.types.records[r].layout.as_ref()?.fields;
        for field in fields {
            match field.name {
                Some(n) if n == name => return Some((field.offset, field.bits, field.ty)),
                Some(_) => {}
                None => {
                    if let Some((offset, bits, mut ty)) = self.find_field(field.ty.id, name) {
                        ty.is_const |= field.ty.is_const;
                        ty.is_volatile |= field.ty.is_volatile;
                        return Some((field.offset + offset, bits, ty));
                    }
                }
            }
        }
        None
    }

    fn index(&mut self, base: &ast::Expr, index: &ast::Expr, span: Span) -> Res<Operand> {
        let operand = self.expr(base)?;
        if let Some(shape) = self.vector(self.operand_type(&operand).id) {
            let index = self.rvalue(index)?;
            if !self.is_integer(index.ty) {
                return error(index.span, "array subscript is not an integer");
            }
            return self.vector_index(operand, shape, index, span);
        }
        let (a, b) = (self.value(operand)?, self.rvalue(index)?);
        let (pointer, index) = if self.pointee(a.ty).is_some() { (a, b) } else { (b, a) };
        let Some(to) = self.pointee(pointer.ty) else {
            return error(span, "subscripted value is neither array nor pointer nor vector");
        };
        if !self.is_integer(index.ty) {
            return error(index.span, "array subscript is not an integer");
        }
        if matches!(self.types.get(to.id), Type::Function(_)) {
            return error(span, "subscripted value is pointer to function");
        }
        let sum = self.pointer_add(pointer, index, false, span)?;
        Ok(Operand::Place(LValue { kind: LValueKind::Deref(Box::new(sum)), ty: to, span }))
    }

    /// Wraps an expression in the evaluation of the variable lengths met since `mark`.
    pub(crate) fn with_vlas(&mut self, mark: usize, e: Expr) -> Expr {
        let mut e = e;
        while self.pending_vlas.len() > mark {
            let Some((vla, len)) = self.pending_vlas.pop() else { break };
            e = with_vla(vla, len, e);
        }
        e
    }

    fn cast(&mut self, ty: &TypeName, arg: &ast::Expr, span: Span) -> Res<Operand> {
        let mark = self.pending_vlas.len();
        let (ty, _) = self.type_name_of(ty)?;
        let value = self.rvalue(arg)?;
        let e = self.explicit_cast(value, ty.id, span)?;
        Ok(Operand::Value(self.with_vlas(mark, e)))
    }

    fn compound_literal(&mut self, ty: &TypeName, init: &Initializer, span: Span) -> Res<Operand> {
        let (ty, align) = self.type_name_of(ty)?;
        self.require_supported(ty.id, span)?;
        if self.is_variable_size(ty.id) {
            return error(span, "compound literal has variable size");
        }
        if matches!(self.types.get(ty.id), Type::Void | Type::Function(_)) {
            return error(span, "compound literal has a type that is no object type");
        }
        if self.fun.is_none() {
            return self.static_literal(ty, align, init, span);
        }
        let (init, ty) = self.local_initializer(ty, init, span)?;
        if self.types.size_of(ty.id).is_none() {
            return error(span, format!("compound literal of incomplete type '{}'", self.type_name(ty)));
        }
        let local = self.new_local(sym("<compound literal>"), ty, align, span)?;
        Ok(Operand::Place(LValue { kind: LValueKind::Compound { local, init }, ty, span }))
    }

    fn static_literal(
        &mut self,
        ty: QType,
        align: Option<u64>,
        init: &Initializer,
        span: Span,
    ) -> Res<Operand> {
        let done = self.static_initializer(ty, init, span)?;
        let id = self.globals.push(Global {
            name: sym("<compound literal>"),
            ty: done.ty.id,
            is_const: self.is_const_object(ty),
            size: done.size,
            align: align.unwrap_or(1),
            init: GlobalInit::Data(done.data),
            kind: GlobalKind::CompoundLiteral,
            addr_taken: true,
            span,
        });
        self.settle_size(id);
        Ok(Operand::Place(LValue { kind: LValueKind::Global(id), ty: done.ty, span }))
    }

    fn sizeof_expr(&mut self, arg: &ast::Expr, span: Span) -> Res<Operand> {
        // Operands of variable size are evaluated; all others are not.
        self.unevaluated += 1;
        let operand = self.expr(arg);
        self.unevaluated -= 1;
        let operand = operand?;
        if operand.bit_field().is_some() {
            return error(span, "'sizeof' applied to a bit-field");
        }
        if let Some(bytes) = operand.bit_field_bytes() {
            return Ok(Operand::Value(self.size_constant(bytes, span)));
        }
        let ty = self.operand_type(&operand);
        if self.is_variable_size(ty.id) {
            let operand = self.expr(arg)?;
            let size = self.sizeof(ty.id, span)?;
            let address = match operand {
                Operand::Place(_) => self.address_of(operand, span)?,
                _ => self.value(operand)?,
            };
            if !crate::convert::has_effects(&address) {
                return Ok(Operand::Value(size));
            }
            let (ty, first) =
                (size.ty, Expr { kind: ExprKind::Cast(Box::new(address)), ty: self.common.void, span });
            return Ok(Operand::Value(Expr {
                kind: ExprKind::Comma(Box::new(first), Box::new(size)),
                ty,
                span,
            }));
        }
        Ok(Operand::Value(self.sizeof(ty.id, span)?))
    }

    fn sizeof_type(&mut self, ty: &TypeName, span: Span) -> Res<Operand> {
        let mark = self.pending_vlas.len();
        let (ty, _) = self.type_name_of(ty)?;
        let size = self.sizeof(ty.id, span)?;
        Ok(Operand::Value(self.with_vlas(mark, size)))
    }

    fn sizeof(&mut self, ty: TypeId, span: Span) -> Res<Expr> {
        match self.types.get(ty) {
            Type::Void | Type::Function(_) => return Ok(self.size_constant(1, span)),
            _ if self.types.size_of(ty).is_none() && !self.is_variable_size(ty) => {
                let message =
                    format!("invalid application of 'sizeof' to incomplete type '{}'", self.plain_name(ty));
                return error(span, message);
            }
            _ => {}
        }
        Ok(match self.size_of_type(ty, span)? {
            Size::Const(n) => self.size_constant(n, span),
            Size::Dyn(e) => *e,
        })
    }

    fn alignof_type(&mut self, ty: &TypeName, span: Span, preferred: bool) -> Res<Operand> {
        // Lengths of arrays do not matter and are not evaluated, so they may be anything even outside of
        // functions.
        self.unevaluated += 1;
        self.in_prototype += 1;
        let named = self.type_name_of(ty);
        self.in_prototype -= 1;
        self.unevaluated -= 1;
        let (ty, align) = named?;
        self.alignof(ty, align, span, preferred)
    }

    fn alignof_expr(&mut self, arg: &ast::Expr, span: Span, preferred: bool) -> Res<Operand> {
        self.unevaluated += 1;
        let operand = self.expr(arg);
        self.unevaluated -= 1;
        let operand = operand?;
        if operand.bit_field().is_some() {
            return error(span, "alignof applied to a bit-field");
        }
        let own = match &operand {
            Operand::Place(LValue { kind: LValueKind::Local(l), .. }) => {
                self.fun.as_ref().map(|f| f.locals[*l].align)
            }
            Operand::Place(LValue { kind: LValueKind::Global(g), .. }) => Some(self.globals[*g].align),
            _ => None,
        };
        let ty = self.operand_type(&operand);
        // A declared alignment can only be larger than that of the type.
        let own = own.filter(|&a| a > self.types.align_of(ty.id).unwrap_or(1));
        self.alignof(ty, own, span, preferred)
    }

    fn alignof(&self, ty: QType, own: Option<u64>, span: Span, preferred: bool) -> Res<Operand> {
        let natural = match self.types.get(ty.id) {
            Type::Void | Type::Function(_) => Some(1),
            _ if preferred => self.types.align_of(ty.id),
            _ => self.types.member_align(ty.id),
        };
        match own.or(natural) {
            Some(align) => Ok(Operand::Value(self.size_constant(align, span))),
            None => error(
                span,
                format!("invalid application of '_Alignof' to incomplete type '{}'", self.type_name(ty)),
            ),
        }
    }

    fn generic(
        &mut self,
        control: &ast::Expr,
        arms: &[(Option<TypeName>, ast::Expr)],
        span: Span,
    ) -> Res<Operand> {
        self.unevaluated += 1;
        let value = self.rvalue(control);
        self.unevaluated -= 1;
        let control = value?.ty;
        let mut default = None;
        let mut chosen = None;
        for (ty, e) in arms {
            match ty {
                None => default = Some(e),
                Some(ty) => {
                    let mark = self.pending_vlas.len();
                    let (ty, _) = self.type_name_of(ty)?;
                    self.pending_vlas.truncate(mark);
                    if chosen.is_none()
                        && !ty.is_const
                        && !ty.is_volatile
                        && self.types.compatible(ty.id, control)
                    {
                        chosen = Some(e);
                    }
                }
            }
        }
        match chosen.or(default) {
            Some(e) => self.expr(e),
            None => {
                let have = self.plain_name(control);
                error(
                    span,
                    format!("'_Generic' selector of type '{have}' is not compatible with any association"),
                )
            }
        }
    }

    fn comma(&mut self, a: &ast::Expr, b: &ast::Expr, span: Span) -> Res<Operand> {
        let first = self.rvalue(a)?;
        let second = self.rvalue(b)?;
        let ty = second.ty;
        Ok(Operand::Value(Expr { kind: ExprKind::Comma(Box::new(first), Box::new(second)), ty, span }))
    }

    fn label_address(&mut self, name: Symbol, span: Span) -> Res<Operand> {
        let label = self.label(name, span)?;
        let fun = self.fun(span)?;
        fun.labels[label].addr_taken = true;
        Ok(Operand::Value(Expr { kind: ExprKind::LabelAddr(label), ty: self.common.void_ptr, span }))
    }

    /// A real number is its own real part, and its imaginary part is zero.
    fn complex_part(&mut self, imag: bool, arg: &ast::Expr, span: Span) -> Res<Operand> {
        let operand = self.expr(arg)?;
        let ty = self.operand_type(&operand).id;
        if !self.is_arithmetic(ty) {
            return unsupported(span, "complex numbers are not supported");
        }
        if !imag {
            return Ok(operand.with_span(span));
        }
        let value = self.value(operand)?;
        let zero = self.constant(0, ty, span);
        if !crate::convert::has_effects(&value) {
            return Ok(Operand::Value(zero));
        }
        Ok(Operand::Value(Expr { kind: ExprKind::Comma(Box::new(value), Box::new(zero)), ty, span }))
    }

    fn types_compatible(&mut self, a: &TypeName, b: &TypeName, span: Span) -> Res<Operand> {
        let mark = self.pending_vlas.len();
        let (a, b) = (self.type_name_of(a)?.0, self.type_name_of(b)?.0);
        self.pending_vlas.truncate(mark);
        let same = self.types.compatible(a.id, b.id);
        Ok(Operand::Value(self.int_constant(i32::from(same), span)))
    }

    fn choose_expr(&mut self, cond: &ast::Expr, then: &ast::Expr, other: &ast::Expr) -> Res<Operand> {
        let (value, _) =
            self.integer_constant(cond, "first argument to '__builtin_choose_expr' not a constant")?;
        self.expr(if value != 0 { then } else { other })
    }

    fn offsetof(&mut self, ty: &TypeName, path: &[Designator], span: Span) -> Res<Operand> {
        let mark = self.pending_vlas.len();
        let (ty, _) = self.type_name_of(ty)?;
        self.pending_vlas.truncate(mark);
        let mut ty = ty.id;
        let mut offset: u64 = 0;
        let mut dynamic: Option<Expr> = None;
        for step in path {
            match step {
                Designator::Field(name, name_span) => {
                    let Type::Record(r) = *self.types.get(ty) else {
                        return self.no_member(*name, *name_span);
                    };
                    if self.types.records[r].layout.is_none() {
                        return error(
                            span,
                            format!("invalid use of undefined type '{}'", self.plain_name(ty)),
                        );
                    }
                    let Some((at, bits, field)) = self.find_field(ty, *name) else {
                        return error(
                            *name_span,
                            format!("'{}' has no member named '{name}'", self.plain_name(ty)),
                        );
                    };
                    if bits.is_some() {
                        return error(*name_span, format!("attempt to take address of bit-field '{name}'"));
                    }
                    offset = offset.wrapping_add(at);
                    ty = field.id;
                }
                Designator::Index(e) => {
                    let Type::Array { elem, .. } = *self.types.get(ty) else {
                        return error(e.span, "subscripted value is not an array");
                    };
                    let Some(size) = self.types.size_of(elem.id) else {
                        return unsupported(e.span, "offsetof in an array of variable size");
                    };
                    let index = self.rvalue(e)?;
                    if !self.is_integer(index.ty) {
                        return error(e.span, "array subscript is not an integer");
                    }
                    match self.eval_integer(&index) {
                        Some((n, negative)) => {
                            let bytes = (n as u64).wrapping_mul(size);
                            offset = if negative {
                                offset.wrapping_sub(bytes)
                            } else {
                                offset.wrapping_add(bytes)
                            };
                        }
                        None => {
                            let index = self.cast_to(index, self.common.size);
                            let size = self.size_constant(size, span);
                            let part = self.size_binary(BinOp::Mul, index, size, span);
                            dynamic = Some(match dynamic {
                                None => part,
                                Some(sum) => self.size_binary(BinOp::Add, sum, part, span),
                            });
                        }
                    }
                    ty = elem.id;
                }
                Designator::Range(e, _) => return error(e.span, "range in offsetof"),
            }
        }
        let fixed = self.size_constant(offset, span);
        Ok(Operand::Value(match dynamic {
            None => fixed,
            Some(sum) => self.size_binary(BinOp::Add, sum, fixed, span),
        }))
    }

    fn size_binary(&self, op: BinOp, lhs: Expr, rhs: Expr, span: Span) -> Expr {
        let kind = ExprKind::Binary { op, lhs: Box::new(lhs), rhs: Box::new(rhs), swap: false };
        Expr { kind, ty: self.common.size, span }
    }

    pub(crate) fn float_of(&self, ty: TypeId) -> Option<cairn_value::FloatTy> {
        match self.types.scalar(ty) {
            Some(Ty::Float(f)) => Some(f),
            _ => None,
        }
    }
}

fn with_vla(vla: VlaId, len: Expr, value: Expr) -> Expr {
    let (ty, span) = (value.ty, value.span);
    Expr { kind: ExprKind::WithVla { vla, len: Box::new(len), value: Box::new(value) }, ty, span }
}
