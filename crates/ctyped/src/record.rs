//! Definitions of structs, unions and enums.

use cairn_base::{DataModel, Diagnostic, Span, Symbol};
use cairn_csyntax::ast::{EnumSpec, FieldDeclarator, Member, RecordSpec};
use cairn_value::Bits;
use rustc_hash::FxHashSet;

use crate::attrs::Attrs;
use crate::check::{Checker, Fail, Res, error, unsupported};
use crate::decl::Spec;
use crate::layout::{MemberDecl, RecordAttrs};
use crate::scope::{Name, NameKind, TagKind};
use crate::types::{ArrayLen, Enum, EnumId, IntKind, QType, Record, RecordId, Type, TypeId};

impl Checker {
    pub(crate) fn record_spec(&mut self, spec: &RecordSpec, standalone: bool) -> Res<TypeId> {
        let id = self.record_of(spec, standalone)?;
        if let Some(members) = &spec.members {
            self.define_record(id, spec, members)?;
        }
        Ok(self.types.intern(Type::Record(id)))
    }

    fn record_of(&mut self, spec: &RecordSpec, standalone: bool) -> Res<RecordId> {
        let Some(tag) = spec.tag else { return Ok(self.new_record(spec)) };
        let known = if spec.members.is_some() || standalone {
            self.scopes.tag_here(tag)
        } else {
            self.scopes.tag(tag)
        };
        if let Some(known) = known {
            let TagKind::Record(id) = known.kind else { return self.wrong_tag(tag, spec.span, known.span) };
            if self.types.records[id].is_union != spec.is_union {
                return self.wrong_tag(tag, spec.span, known.span);
            }
            let defined = self.types.records[id].layout.is_some() || self.variable_records.contains_key(&id);
            if spec.members.is_some() && defined {
                let keyword = if spec.is_union { "union" } else { "struct" };
                let message = format!("redefinition of '{keyword} {tag}'");
                let note = "originally defined here";
                return Err(Diagnostic::error(spec.span, message).note(note, Some(known.span)).into());
            }
            return Ok(id);
        }
        let id = self.new_record(spec);
        self.scopes.declare_tag(tag, TagKind::Record(id), spec.span);
        Ok(id)
    }

    fn wrong_tag<T>(&self, tag: Symbol, span: Span, other: Span) -> Res<T> {
        let message = format!("'{tag}' defined as wrong kind of tag");
        Err(Diagnostic::error(span, message).note("previous definition is here", Some(other)).into())
    }

    fn new_record(&mut self, spec: &RecordSpec) -> RecordId {
        self.types.records.push(Record {
            is_union: spec.is_union,
            tag: spec.tag,
            span: spec.span,
            layout: None,
        })
    }

    fn define_record(&mut self, id: RecordId, spec: &RecordSpec, members: &[Member]) -> Res<()> {
        let attrs = self.attrs(&[&spec.attrs])?;
        let mut decls: Vec<MemberDecl> = Vec::with_capacity(members.len());
        let mut names = FxHashSet::default();
        for member in members {
            match member {
                Member::StaticAssert(assert) => self.static_assert(assert)?,
                Member::Fields { specs, declarators, span } => {
                    let field_spec = self.specs(specs, declarators.is_empty())?;
                    if declarators.is_empty() {
                        self.anonymous_member(&field_spec, *span, &mut decls, &mut names)?;
                    }
                    for d in declarators {
                        let decl = self.field(&field_spec, d, &mut names)?;
                        if let Some(last) = decls.last()
                            && last.width.is_none()
                            && !spec.is_union
                            && matches!(
                                self.types.get(last.ty.id),
                                Type::Array { len: ArrayLen::Unknown, .. }
                            )
                        {
                            return error(*span, "flexible array member not at end of struct");
                        }
                        decls.push(decl);
                    }
                }
            }
        }
        let record_attrs = RecordAttrs {
            packed: attrs.packed,
            align: attrs.align,
            pack: spec.pack.map(u64::from).filter(|&p| p > 0),
        };
        if let Some((what, span)) = attrs.unsupported {
            return unsupported(span, format!("attribute '{what}' is not supported"));
        }
        if decls.iter().any(|d| self.is_variable_size(d.ty.id)) {
            return self.define_variable_record(id, spec.is_union, decls, record_attrs, spec.span);
        }
        let Some(layout) = self.types.lay_out(spec.is_union, &decls, record_attrs) else {
            return error(spec.span, "type is too large");
        };
        if self.types.records[id].layout.is_some() {
            // Its own definition was nested in it.
            return error(spec.span, "nested redefinition");
        }
        self.types.records[id].layout = Some(layout);
        if attrs.transparent_union {
            self.transparent.push(id);
        }
        Ok(())
    }

    fn anonymous_member(
        &mut self,
        spec: &Spec,
        span: Span,
        decls: &mut Vec<MemberDecl>,
        names: &mut FxHashSet<Symbol>,
    ) -> Res<()> {
        let Type::Record(r) = *self.types.get(spec.ty.id) else { return Ok(()) };
        if self.types.records[r].tag.is_some() {
            // `struct s {…};` inside of a struct declares the tag only.
            return Ok(());
        }
        if self.types.records[r].layout.is_none() {
            return Err(Fail::reported());
        }
        self.member_names(r, span, names)?;
        decls.push(MemberDecl {
            name: None,
            ty: spec.ty,
            type_align: spec.type_align,
            align: spec.attrs.align,
            packed: spec.attrs.packed,
            width: None,
        });
        Ok(())
    }

    fn member_names(&self, r: RecordId, span: Span, names: &mut FxHashSet<Symbol>) -> Res<()> {
        let Some(layout) = &self.types.records[r].layout else { return Ok(()) };
        for field in &layout.fields {
            match (field.name, self.types.get(field.ty.id)) {
                (Some(name), _) if !names.insert(name) => {
                    return error(span, format!("duplicate member '{name}'"));
                }
                (None, Type::Record(inner)) => self.member_names(*inner, span, names)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn field(&mut self, spec: &Spec, d: &FieldDeclarator, names: &mut FxHashSet<Symbol>) -> Res<MemberDecl> {
        let name = d.declarator.name;
        let span = d.declarator.name_span;
        let shown = || name.map_or("<anonymous>".to_string(), |n| n.to_string());
        if let Some(name) = name
            && !names.insert(name)
        {
            return error(span, format!("duplicate member '{name}'"));
        }
        let ty = self.declarator(spec.ty, &d.declarator)?;
        let attrs = if d.declarator.attrs.is_empty() {
            Attrs::default()
        } else {
            self.attrs(&[&d.declarator.attrs])?
        };
        let ty = self.apply_type_attrs(ty, &attrs, span)?;
        match self.types.get(ty.id) {
            Type::Function(_) => return error(span, format!("field '{}' declared as a function", shown())),
            Type::Void => return error(span, format!("variable or field '{}' declared void", shown())),
            Type::Array { len: ArrayLen::Unknown, .. } => {}
            _ if self.types.size_of(ty.id).is_none() && !self.is_variable_size(ty.id) => {
                return error(span, format!("field '{}' has incomplete type", shown()));
            }
            _ => {}
        }
        let width = match &d.width {
            None => None,
            Some(e) => {
                let bits = match self.types.get(ty.id) {
                    Type::Bool => 1,
                    Type::Int(kind) => self.types.int_ty(*kind).bits,
                    Type::Enum(e) => self.types.enums[*e].repr.map_or(32, |k| self.types.int_ty(k).bits),
                    _ => return error(span, format!("bit-field '{}' has invalid type", shown())),
                };
                let message = format!("bit-field '{}' width not an integer constant", shown());
                match self.integer_constant(e, &message)? {
                    (_, true) => return error(span, format!("negative width in bit-field '{}'", shown())),
                    (0, _) if name.is_some() => {
                        return error(span, format!("zero width for bit-field '{}'", shown()));
                    }
                    (w, _) if w > Bits::from(bits) => {
                        return error(span, format!("width of '{}' exceeds its type", shown()));
                    }
                    (w, _) => Some(w as u8),
                }
            }
        };
        let array_or_plain =
            d.declarator.derived.iter().all(|x| matches!(x, cairn_csyntax::ast::Derived::Array { .. }));
        Ok(MemberDecl {
            name,
            ty,
            type_align: spec.type_align.filter(|_| array_or_plain),
            align: match (spec.attrs.align, attrs.align) {
                (Some(a), Some(b)) => Some(a.max(b)),
                (a, b) => a.or(b),
            },
            packed: spec.attrs.packed || attrs.packed,
            width,
        })
    }

    pub(crate) fn enum_spec(&mut self, spec: &EnumSpec, standalone: bool) -> Res<TypeId> {
        let id = self.enum_of(spec, standalone)?;
        let ty = self.types.intern(Type::Enum(id));
        if let Some(enumerators) = &spec.enumerators {
            let attrs = self.attrs(&[&spec.attrs])?;
            let mut values: Vec<(Symbol, i128, Span)> = Vec::with_capacity(enumerators.len());
            let mut next: Option<i128> = Some(0);
            for e in enumerators {
                let value = match &e.value {
                    Some(expr) => {
                        let message = format!("enumerator value for '{}' is not an integer constant", e.name);
                        let (bits, negative) = self.integer_constant(expr, &message)?;
                        // The exact number: of a negative value, the constant evaluator gives the magnitude.
                        let number = i128::try_from(bits).unwrap_or(i128::MAX);
                        if negative { -number } else { number }
                    }
                    None => match next {
                        Some(n) => n,
                        None => return error(e.span, "overflow in enumeration values"),
                    },
                };
                // The next value must have the type of this one.
                let last =
                    [i32::MAX as i128, u32::MAX as i128, i64::MAX as i128, u64::MAX as i128, i128::MAX];
                next = if last.contains(&value) { None } else { Some(value + 1) };
                if let Some(old) = self.scopes.name_here(e.name)
                    && old.kind != NameKind::Broken
                {
                    let message = format!("redeclaration of enumerator '{}'", e.name);
                    let note = "previous definition is here";
                    return Err(Diagnostic::error(e.span, message).note(note, Some(old.span)).into());
                }
                self.declare_enumerator(e.name, value, None, e.span);
                values.push((e.name, value, e.span));
            }
            let repr = match attrs.mode {
                Some((mode, span)) => self.enum_mode(mode, &values, span)?,
                None => self.enum_repr(&values, attrs.packed),
            };
            self.types.enums[id].repr = Some(repr);
            for &(name, value, span) in &values {
                if i32::try_from(value).is_err() {
                    self.declare_enumerator(name, value, Some(ty), span);
                }
            }
            self.types.enums[id].enumerators = values.into_iter().map(|(n, v, _)| (n, v)).collect();
        }
        Ok(ty)
    }

    fn enum_of(&mut self, spec: &EnumSpec, standalone: bool) -> Res<EnumId> {
        let new = |this: &mut Checker| {
            this.types.enums.push(Enum { tag: spec.tag, span: spec.span, repr: None, enumerators: vec![] })
        };
        let Some(tag) = spec.tag else { return Ok(new(self)) };
        let known = if spec.enumerators.is_some() || standalone {
            self.scopes.tag_here(tag)
        } else {
            self.scopes.tag(tag)
        };
        if let Some(known) = known {
            let TagKind::Enum(id) = known.kind else { return self.wrong_tag(tag, spec.span, known.span) };
            if spec.enumerators.is_some() && self.types.enums[id].repr.is_some() {
                let message = format!("redeclaration of 'enum {tag}'");
                let note = "originally defined here";
                return Err(Diagnostic::error(spec.span, message).note(note, Some(known.span)).into());
            }
            return Ok(id);
        }
        let id = new(self);
        self.scopes.declare_tag(tag, TagKind::Enum(id), spec.span);
        Ok(id)
    }

    /// An enumerator is an `int` if its value is one; else of the enum's type, and before that
    /// is known, of the first wider type that holds it.
    fn declare_enumerator(&mut self, name: Symbol, value: i128, enum_ty: Option<TypeId>, span: Span) {
        let c = &self.common;
        let ty = match enum_ty {
            Some(ty) => ty,
            None if i32::try_from(value).is_ok() => c.int,
            None if u32::try_from(value).is_ok() => c.uint,
            None if i64::try_from(value).is_ok() => c.llong,
            None => c.ullong,
        };
        let bits = match self.types.scalar(ty) {
            Some(cairn_value::Ty::Int(i)) => i.wrap(value),
            _ => 0,
        };
        let kind = NameKind::Enumerator(bits);
        self.scopes.declare(name, Name { kind, ty: QType::plain(ty), align: None, span, depth: 0 });
    }

    /// The integer type a machine mode gives an enum.
    fn enum_mode(&mut self, mode: Symbol, values: &[(Symbol, i128, Span)], span: Span) -> Res<IntKind> {
        let base = if values.iter().any(|v| v.1 < 0) { self.common.int } else { self.common.uint };
        let ty = self.mode_type(QType::plain(base), mode.as_str().trim_matches('_'), span)?;
        match self.types.get(ty) {
            Type::Int(kind) => Ok(*kind),
            _ => error(span, "mode of an enum is no integer mode"),
        }
    }

    /// gcc's choice: `unsigned int`, or `int` if a value is negative, or the smallest wider type.
    fn enum_repr(&self, values: &[(Symbol, i128, Span)], packed: bool) -> IntKind {
        let min = values.iter().map(|v| v.1).min().unwrap_or(0).min(0);
        let max = values.iter().map(|v| v.1).max().unwrap_or(0).max(0);
        let signed = min < 0;
        let fits = |bits: u32| {
            if signed {
                min >= -(1i128 << (bits - 1)) && max < 1i128 << (bits - 1)
            } else {
                max < 1i128 << bits
            }
        };
        let (for_signed, for_unsigned) = match () {
            () if packed && fits(8) => (IntKind::SChar, IntKind::UChar),
            () if packed && fits(16) => (IntKind::Short, IntKind::UShort),
            () if fits(32) => (IntKind::Int, IntKind::UInt),
            () if self.types.model == DataModel::Lp64 => (IntKind::Long, IntKind::ULong),
            () => (IntKind::LongLong, IntKind::ULongLong),
        };
        if signed { for_signed } else { for_unsigned }
    }
}
