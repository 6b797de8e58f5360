//! Declarations of typedefs, objects and functions, at file scope and in blocks.

use cairn_base::{Diagnostic, Span, Symbol, sym};
use cairn_csyntax::ast::{
    Attr, DeclSpecs, Declaration, Declarator, Derived, InitDeclarator, Initializer, Storage,
};

use crate::attrs::Attrs;
use crate::check::{Checker, Fail, Res, error, unsupported};
use crate::decl::Spec;
use crate::hir::{self, Global, GlobalInit, GlobalKind, InitItem, Local, LocalId, LocalInit, StmtKind};
use crate::link::FuncDecl;
use crate::scope::{Name, NameKind};
use crate::types::{ArrayLen, QType, Type};

impl Checker {
    pub(crate) fn file_declaration(&mut self, decl: &Declaration) -> Res<()> {
        let spec = self.specs(&decl.specs, decl.declarators.is_empty());
        let spec = self.or_break(spec, &decl.declarators)?;
        for d in &decl.declarators {
            if let Err(fail) = self.file_declarator(&decl.specs, &spec, d) {
                self.report(fail);
                self.break_name(&d.declarator);
            }
            self.pending_vlas.clear();
        }
        Ok(())
    }

    /// Marks what a wrong declaration would have declared, so that uses of it are not reported.
    fn or_break<T>(&mut self, result: Res<T>, declarators: &[InitDeclarator]) -> Res<T> {
        if result.is_err() {
            for d in declarators {
                self.break_name(&d.declarator);
            }
        }
        result
    }

    pub(crate) fn break_name(&mut self, d: &Declarator) {
        if let Some(name) = d.name
            && self.scopes.name_here(name).is_none()
        {
            let ty = QType::plain(self.common.int);
            self.scopes
                .declare(name, Name { kind: NameKind::Broken, ty, align: None, span: d.name_span, depth: 0 });
        }
    }

    /// Attributes of one declarator together with those of the specifiers.
    fn declared_attrs(&mut self, specs: &DeclSpecs, spec: &Spec, d: &Declarator) -> Res<Attrs> {
        let mut attrs = if specs.attrs.is_empty() && d.attrs.is_empty() {
            Attrs::default()
        } else {
            self.attrs(&[&specs.attrs, &d.attrs])?
        };
        // `int (__attribute__((aligned(16))) *p)` aligns what `p` points to.
        let on_target = |a: &&Attr| a.name.as_str() == "aligned" && a.span.lo < d.name_span.lo;
        if let (Some(Derived::Pointer { .. }), Some(attr)) =
            (d.derived.first(), d.attrs.iter().find(on_target))
        {
            return unsupported(attr.span, "alignment of the target of a pointer");
        }
        // `_Alignas` stands with the specifiers only.
        attrs.align = match (attrs.align, spec.attrs.align) {
            (Some(a), Some(b)) => Some(a.max(b)),
            (a, b) => a.or(b),
        };
        Ok(attrs)
    }

    /// The declared type, after attributes on the declarator.
    fn declared_type(&mut self, spec: &Spec, d: &Declarator) -> Res<QType> {
        let ty = self.declarator(spec.ty, d)?;
        if d.attrs.is_empty() {
            return Ok(ty);
        }
        let own = self.attrs(&[&d.attrs])?;
        self.apply_type_attrs(ty, &own, d.span)
    }

    fn file_declarator(&mut self, specs: &DeclSpecs, spec: &Spec, d: &InitDeclarator) -> Res<()> {
        let declarator = &d.declarator;
        let Some(name) = declarator.name else { return Ok(()) };
        let span = declarator.name_span;
        if spec.is_auto {
            return self.file_auto(specs, spec, d, name);
        }
        let ty = self.declared_type(spec, declarator)?;
        let mut attrs = self.declared_attrs(specs, spec, declarator)?;
        if specs.storage == Some(Storage::Typedef) {
            return self.typedef(name, span, ty, spec, &attrs, declarator);
        }
        if let Some((what, span)) = attrs.unsupported {
            return unsupported(span, format!("attribute '{what}' is not supported"));
        }
        if matches!(self.types.get(ty.id), Type::Function(_)) {
            return self.function_declarator(specs, ty, &attrs, d, name);
        }
        match specs.storage {
            Some(Storage::Auto) => {
                return error(span, format!("file-scope declaration of '{name}' specifies 'auto'"));
            }
            Some(Storage::Register) => {
                return unsupported(span, format!("global register variable '{name}'"));
            }
            _ => {}
        }
        if ty.id == self.common.void && (specs.storage != Some(Storage::Extern) || d.init.is_some()) {
            return error(span, format!("variable or field '{name}' declared void"));
        }
        self.object_align(spec, declarator, &mut attrs);
        let asm = declarator.asm_label.as_deref();
        let (id, ty) = self.declare_object(name, span, ty, specs.storage, &attrs, asm)?;
        match &d.init {
            None if specs.storage == Some(Storage::Extern) || attrs.alias.is_some() => Ok(()),
            None => {
                self.require_supported(ty.id, span)?;
                self.define_tentatively(name, id, ty, span);
                Ok(())
            }
            Some(init) => {
                self.require_supported(ty.id, span)?;
                let done = self.static_initializer(ty, init, span)?;
                self.scopes.retype(name, done.ty);
                if let Some(known) = self.unit_names.get_mut(&name) {
                    known.ty = done.ty;
                }
                self.globals[id].size = self.globals[id].size.max(done.size);
                self.define_object(id, done.ty, span, done.data, name)
            }
        }
    }

    fn file_auto(&mut self, specs: &DeclSpecs, spec: &Spec, d: &InitDeclarator, name: Symbol) -> Res<()> {
        let ty = self.auto_type(spec, d, name)?;
        let spec = Spec { ty, type_align: None, attrs: Attrs::default(), is_auto: false };
        self.file_declarator(specs, &spec, d)
    }

    fn auto_type(&mut self, spec: &Spec, d: &InitDeclarator, name: Symbol) -> Res<QType> {
        let span = d.declarator.name_span;
        let Some(Initializer::Expr(e)) = &d.init else {
            return error(
                span,
                format!("'__auto_type' declaration of '{name}' needs an initializer expression"),
            );
        };
        self.unevaluated += 1;
        let value = self.rvalue(e);
        self.unevaluated -= 1;
        Ok(QType { id: value?.ty, ..spec.ty })
    }

    fn object_align(&self, spec: &Spec, d: &Declarator, attrs: &mut Attrs) {
        if let Some(align) = spec.type_align
            && d.derived.iter().all(|x| matches!(x, Derived::Array { .. }))
        {
            attrs.align = Some(attrs.align.unwrap_or(1).max(align));
        }
    }

    fn function_declarator(
        &mut self,
        specs: &DeclSpecs,
        ty: QType,
        attrs: &Attrs,
        d: &InitDeclarator,
        name: Symbol,
    ) -> Res<()> {
        let span = d.declarator.name_span;
        if d.init.is_some() {
            return error(span, format!("function '{name}' is initialized like a variable"));
        }
        self.declare_function(FuncDecl {
            name,
            span,
            ty: ty.id,
            storage: specs.storage,
            noreturn: specs.noreturn,
            attrs,
            asm_label: d.declarator.asm_label.as_deref(),
            in_file: false,
        })?;
        Ok(())
    }

    fn typedef(
        &mut self,
        name: Symbol,
        span: Span,
        ty: QType,
        spec: &Spec,
        attrs: &Attrs,
        d: &Declarator,
    ) -> Res<()> {
        let mut ty = ty;
        if let Some(old) = self.scopes.name_here(name) {
            match old.kind {
                NameKind::Typedef if self.types.compatible_q(old.ty, ty) => {
                    ty.id = self.types.composite(old.ty.id, ty.id);
                }
                NameKind::Broken => {}
                NameKind::Typedef => {
                    let message = format!("conflicting types for '{name}'; have '{}'", self.type_name(ty));
                    let note = format!("previous declaration with type '{}'", self.type_name(old.ty));
                    return Err(Diagnostic::error(span, message).note(note, Some(old.span)).into());
                }
                _ => {
                    let message = format!("'{name}' redeclared as different kind of symbol");
                    let note = "previous declaration is here";
                    return Err(Diagnostic::error(span, message).note(note, Some(old.span)).into());
                }
            }
        }
        let inherited =
            spec.type_align.filter(|_| d.derived.iter().all(|x| matches!(x, Derived::Array { .. })));
        let align = attrs.align.or(inherited);
        if attrs.transparent_union
            && let Type::Record(r) = *self.types.get(ty.id)
        {
            self.transparent.push(r);
        }
        self.scopes.declare(name, Name { kind: NameKind::Typedef, ty, align, span, depth: 0 });
        Ok(())
    }

    /// A declaration in a block: what is executed goes to `out`.
    pub(crate) fn local_declaration(&mut self, decl: &Declaration, out: &mut Vec<hir::Stmt>) -> Res<()> {
        let spec = self.specs(&decl.specs, decl.declarators.is_empty());
        let spec = self.or_break(spec, &decl.declarators)?;
        self.flush_vlas(decl.span, out);
        for d in &decl.declarators {
            if let Err(fail) = self.local_declarator(&decl.specs, &spec, d, decl.span, out) {
                self.report(fail);
                self.break_name(&d.declarator);
                self.pending_vlas.clear();
            }
        }
        Ok(())
    }

    /// Evaluates the lengths of variable-length types here.
    pub(crate) fn flush_vlas(&mut self, span: Span, out: &mut Vec<hir::Stmt>) {
        for (vla, len) in self.pending_vlas.drain(..) {
            out.push(hir::Stmt { kind: StmtKind::SetVla { vla, len }, span });
        }
    }

    fn local_declarator(
        &mut self,
        specs: &DeclSpecs,
        spec: &Spec,
        d: &InitDeclarator,
        decl_span: Span,
        out: &mut Vec<hir::Stmt>,
    ) -> Res<()> {
        let declarator = &d.declarator;
        let Some(name) = declarator.name else { return Ok(()) };
        let span = declarator.name_span;
        if spec.is_auto && specs.storage.is_none() {
            return self.auto_typed_local(spec, d, name, decl_span, out);
        }
        if spec.is_auto {
            let ty = self.auto_type(spec, d, name)?;
            let spec = Spec { ty, type_align: None, attrs: Attrs::default(), is_auto: false };
            return self.local_declarator(specs, &spec, d, decl_span, out);
        }
        let ty = self.declared_type(spec, declarator)?;
        self.flush_vlas(decl_span, out);
        let mut attrs = self.declared_attrs(specs, spec, declarator)?;
        if specs.storage == Some(Storage::Typedef) {
            return self.typedef(name, span, ty, spec, &attrs, declarator);
        }
        if let Some((what, span)) = attrs.unsupported {
            return unsupported(span, format!("attribute '{what}' is not supported"));
        }
        if matches!(self.types.get(ty.id), Type::Function(_)) {
            return self.function_declarator(specs, ty, &attrs, d, name);
        }
        if ty.id == self.common.void {
            return error(span, format!("variable or field '{name}' declared void"));
        }
        self.object_align(spec, declarator, &mut attrs);
        match specs.storage {
            Some(Storage::Extern) => {
                if d.init.is_some() {
                    return error(span, format!("'{name}' has both 'extern' and initializer"));
                }
                let asm = declarator.asm_label.as_deref();
                self.declare_object(name, span, ty, specs.storage, &attrs, asm)?;
                Ok(())
            }
            Some(Storage::Static) => self.static_local(name, span, ty, &attrs, d.init.as_ref()),
            _ => self.auto_local(name, ty, &attrs, d, decl_span, out),
        }
    }

    /// `__auto_type x = e;`: the initialiser is checked once, before `x` is in scope.
    fn auto_typed_local(
        &mut self,
        spec: &Spec,
        d: &InitDeclarator,
        name: Symbol,
        decl_span: Span,
        out: &mut Vec<hir::Stmt>,
    ) -> Res<()> {
        let span = d.declarator.name_span;
        let Some(Initializer::Expr(e)) = &d.init else {
            return error(
                span,
                format!("'__auto_type' declaration of '{name}' needs an initializer expression"),
            );
        };
        let value = self.rvalue(e)?;
        if value.ty == self.common.void {
            return error(e.span, "void value not ignored as it ought to be");
        }
        self.check_redeclared(name, span)?;
        let ty = QType { id: value.ty, ..spec.ty };
        let local = self.new_local(name, ty, None, span)?;
        self.scopes.declare(name, Name { kind: NameKind::Local(local), ty, align: None, span, depth: 0 });
        let len = self.types.size_of(ty.id).unwrap_or(0);
        let init =
            LocalInit { zero_fill: false, items: vec![InitItem { offset: 0, bits: None, value, len }] };
        out.push(hir::Stmt { kind: StmtKind::Decl { local, init: Some(init) }, span: decl_span });
        Ok(())
    }

    fn check_redeclared(&self, name: Symbol, span: Span) -> Res<()> {
        match self.scopes.name_here(name) {
            Some(old) if old.kind != NameKind::Broken => {
                let message = match old.kind {
                    NameKind::Local(_) | NameKind::Global(_) => {
                        format!("redeclaration of '{name}' with no linkage")
                    }
                    _ => format!("'{name}' redeclared as different kind of symbol"),
                };
                let note = "previous declaration is here";
                Err(Diagnostic::error(span, message).note(note, Some(old.span)).into())
            }
            _ => Ok(()),
        }
    }

    fn static_local(
        &mut self,
        name: Symbol,
        span: Span,
        ty: QType,
        attrs: &Attrs,
        init: Option<&Initializer>,
    ) -> Res<()> {
        self.check_redeclared(name, span)?;
        self.require_supported(ty.id, span)?;
        if self.is_variable_size(ty.id) {
            return error(span, format!("storage size of '{name}' isn't constant"));
        }
        let Some(func) = self.fun.as_ref().and_then(|f| f.id) else {
            return error(span, "static object outside of a function body");
        };
        let id = self.globals.push(Global {
            name,
            ty: ty.id,
            is_const: self.is_const_object(ty),
            size: 0,
            align: attrs.align.unwrap_or(1),
            init: GlobalInit::Data(hir::StaticData::default()),
            kind: GlobalKind::StaticLocal(func),
            addr_taken: false,
            span,
        });
        self.scopes.declare(name, Name { kind: NameKind::Global(id), ty, align: None, span, depth: 0 });
        if let Some(init) = init {
            let done = self.static_initializer(ty, init, span)?;
            self.scopes.retype(name, done.ty);
            self.globals[id].ty = done.ty.id;
            self.globals[id].size = done.size;
            self.globals[id].init = GlobalInit::Data(done.data);
        }
        if self.types.size_of(self.globals[id].ty).is_none() {
            return self.incomplete_object(name, span);
        }
        self.settle_size(id);
        Ok(())
    }

    fn auto_local(
        &mut self,
        name: Symbol,
        ty: QType,
        attrs: &Attrs,
        d: &InitDeclarator,
        decl_span: Span,
        out: &mut Vec<hir::Stmt>,
    ) -> Res<()> {
        let span = d.declarator.name_span;
        self.check_redeclared(name, span)?;
        self.require_supported(ty.id, span)?;
        let variable = self.is_variable_size(ty.id);
        if variable && d.init.is_some() {
            return error(span, "variable-sized object may not be initialized");
        }
        let may_complete =
            d.init.is_some() && matches!(self.types.get(ty.id), Type::Array { len: ArrayLen::Unknown, .. });
        if !variable && !may_complete && self.types.size_of(ty.id).is_none() {
            return self.incomplete_object(name, span);
        }
        let local = if self.holds_variable_record(ty.id) {
            self.variable_local(name, ty, span, out)?
        } else {
            self.new_local(name, ty, attrs.align, span)?
        };
        self.scopes.declare(name, Name { kind: NameKind::Local(local), ty, align: None, span, depth: 0 });
        let init = match &d.init {
            None => None,
            Some(init) => {
                let (init, done) = self.local_initializer(ty, init, span)?;
                if done.id != ty.id {
                    self.scopes.retype(name, done);
                    let align = self.types.align_of(done.id).unwrap_or(1);
                    let fun = self.fun(span)?;
                    fun.locals[local].ty = done;
                    fun.locals[local].align = fun.locals[local].align.max(align);
                }
                self.remember_constant(local, ty, &init);
                Some(init)
            }
        };
        out.push(hir::Stmt { kind: StmtKind::Decl { local, init }, span: decl_span });
        Ok(())
    }

    /// gcc lets initialisers of statics use `const` scalars with a constant initialiser.
    fn remember_constant(&mut self, local: LocalId, ty: QType, init: &LocalInit) {
        if ty.is_const
            && !ty.is_volatile
            && let [item] = init.items.as_slice()
            && self.types.scalar(ty.id).is_some()
            && let Some(crate::consteval::Const::Num(bits)) = self.eval_initializer(&item.value)
            && let Some(fun) = &mut self.fun
        {
            fun.constants.insert(local, bits);
        }
    }

    /// A new local of the innermost open block.
    pub(crate) fn new_local(
        &mut self,
        name: Symbol,
        ty: QType,
        align: Option<u64>,
        span: Span,
    ) -> Res<LocalId> {
        let natural = self.types.align_of(ty.id).unwrap_or(1);
        let in_memory = self.types.scalar(ty.id).is_none();
        let fun = self.fun(span)?;
        let Some(block) = fun.blocks.last_mut() else { return Err(Fail::reported()) };
        let scope = Span { lo: span.hi, hi: block.end.max(span.hi), ..span };
        let align = align.unwrap_or(1).max(natural);
        let local = fun.locals.push(Local { name, ty, align, in_memory, span, scope });
        block.locals.push(local);
        Ok(local)
    }

    /// A local that no name of the program means.
    pub(crate) fn temp(&mut self, ty: crate::types::TypeId, span: Span) -> Res<LocalId> {
        self.new_local(sym("<temporary>"), QType::plain(ty), None, span)
    }
}
