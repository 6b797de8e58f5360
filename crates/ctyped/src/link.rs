//! Linking: which declarations mean the same object or function, inside of a
//! unit and across units, and which of them defines it.

use cairn_base::{Diagnostic, Span, Symbol, sym};
use cairn_csyntax::ast::Storage;
use rustc_hash::FxHashSet;

use crate::attrs::Attrs;
use crate::check::{Checker, Res, error, unsupported};
use crate::hir::{
    self, AddrTarget, Func, FuncBody, FuncId, Global, GlobalId, GlobalInit, GlobalKind, StaticData,
};
use crate::scope::{Name, NameKind};
use crate::types::{ArrayLen, QType, Type, TypeId};

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Linked {
    Global(GlobalId),
    Func(FuncId),
}

/// How strongly something is defined; a stronger definition replaces a weaker one.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub(crate) enum Def {
    #[default]
    None,
    /// An object declared without initialiser and without `extern`, in the unit at hand.
    Tentative,
    /// An inline definition, which serves if there is no external one.
    Inline,
    Weak,
    /// What was tentative to the end of its unit: zero, unless another unit has an initialiser.
    Common,
    Strong,
}

#[derive(Clone, Default)]
pub(crate) struct GlobalLink {
    pub def: Def,
    pub def_span: Option<Span>,
    pub used: bool,
    pub weak: bool,
}

#[derive(Clone, Default)]
pub(crate) struct FuncLink {
    pub def: Def,
    pub def_span: Option<Span>,
    pub used: bool,
    pub weak: bool,
    /// Runs before `main`, after it; with priority and place among the definitions.
    pub constructor: Option<u32>,
    pub destructor: Option<u32>,
}

/// A name with linkage as one unit knows it.
#[derive(Clone)]
pub(crate) struct UnitName {
    pub what: Linked,
    pub ty: QType,
    pub is_static: bool,
    /// Declared by being called.
    pub implicit: bool,
    /// Declared `weak` in this unit.
    pub weak: bool,
    pub span: Span,
}

/// What a declaration of a function says besides its type.
pub(crate) struct FuncDecl<'a> {
    pub name: Symbol,
    pub span: Span,
    pub ty: TypeId,
    pub storage: Option<Storage>,
    pub noreturn: bool,
    pub attrs: &'a Attrs,
    pub asm_label: Option<&'a str>,
    /// Declared at file scope though inner scopes are open (a definition).
    pub in_file: bool,
}

impl Checker {
    /// Names of functions that are used and have neither a body nor an unsupported definition.
    pub fn undefined_functions(&self) -> Vec<Symbol> {
        let missing = |(id, f): &(FuncId, &Func)| {
            self.func_links[*id].used && f.body.is_none() && f.unsupported.is_none()
        };
        self.funcs.iter().filter(missing).map(|(_, f)| f.name).collect()
    }

    /// Names of all functions that the units so far declare.
    pub fn function_names(&self) -> FxHashSet<Symbol> {
        self.funcs.values().map(|f| f.name).collect()
    }

    /// The bytes of all string literals.
    pub fn string_literals(&self) -> impl Iterator<Item = Vec<u8>> + '_ {
        self.globals.values().filter(|g| g.kind == GlobalKind::String).filter_map(|g| match &g.init {
            GlobalInit::Data(data) => Some(data.bytes.iter().flat_map(|(_, b)| b.iter().copied()).collect()),
            _ => None,
        })
    }

    /// Names of objects that are used and declared `extern` only.
    pub fn undefined_objects(&self) -> Vec<Symbol> {
        let missing = |(id, g): &(GlobalId, &Global)| {
            self.global_links[*id].used && matches!(g.init, GlobalInit::Extern)
        };
        self.globals.iter().filter(missing).map(|(_, g)| g.name).collect()
    }

    /// The linked program, and what is doubtful about it.
    pub fn finish(mut self) -> (hir::Program, Vec<Diagnostic>) {
        self.reject_undefined_weak();
        self.call_constructors();
        let mut exported: Vec<GlobalId> = self
            .externs
            .values()
            .filter_map(|linked| match linked {
                Linked::Global(id) => Some(*id),
                Linked::Func(_) => None,
            })
            .collect();
        exported.sort_unstable();
        let mut callable: Vec<FuncId> = self
            .externs
            .values()
            .filter_map(|linked| match linked {
                Linked::Func(id) => self.funcs[*id].body.as_ref().map(|_| *id),
                Linked::Global(_) => None,
            })
            .collect();
        callable.sort_unstable();
        let program = hir::Program {
            types: self.types,
            globals: self.globals,
            funcs: self.funcs,
            file_asm: self.file_asm,
            exported,
            callable,
        };
        (program, self.warnings)
    }

    /// Remembers who mentions a weak name: without a definition it would be null.
    pub(crate) fn note_weak(&mut self, what: Linked, span: Span) {
        let weak = match what {
            Linked::Func(f) => self.func_links[f].weak,
            Linked::Global(g) => self.global_links[g].weak,
        };
        if weak && self.unevaluated == 0 {
            let user = self.fun.as_ref().and_then(|f| f.id);
            self.weak_uses.push((user, what, span));
        }
    }

    fn reject_undefined_weak(&mut self) {
        for (user, what, span) in std::mem::take(&mut self.weak_uses) {
            let (name, defined) = match what {
                Linked::Func(f) => (self.funcs[f].name, self.func_links[f].def != Def::None),
                Linked::Global(g) => (self.globals[g].name, self.global_links[g].def != Def::None),
            };
            if defined {
                continue;
            }
            let diagnostic = Diagnostic::unsupported(span, format!("weak symbol '{name}' has no definition"));
            match user {
                Some(user) => self.make_unsupported(user, diagnostic),
                None => self.warnings.push(diagnostic),
            }
        }
    }

    pub(crate) fn make_unsupported(&mut self, id: FuncId, diagnostic: Diagnostic) {
        let func = &mut self.funcs[id];
        func.body = None;
        func.unsupported.get_or_insert(diagnostic);
    }

    pub(crate) fn use_func(&mut self, id: FuncId) {
        if self.unevaluated == 0 {
            self.func_links[id].used = true;
        }
    }

    pub(crate) fn use_global(&mut self, id: GlobalId) {
        if self.unevaluated == 0 {
            self.global_links[id].used = true;
        }
    }

    /// An address constant keeps its target in memory.
    pub(crate) fn take_address(&mut self, target: AddrTarget) {
        match target {
            AddrTarget::Global(g) => self.globals[g].addr_taken = true,
            AddrTarget::Func(_) => {}
            AddrTarget::Label(_, label) => {
                if let Some(fun) = &mut self.fun {
                    fun.labels[label].addr_taken = true;
                }
            }
        }
    }

    /// Has the unit seen a definition of the function?
    pub(crate) fn is_defined(&self, name: Symbol) -> bool {
        match self.unit_names.get(&name).map(|n| n.what) {
            Some(Linked::Func(f)) => self.func_links[f].def != Def::None,
            _ => false,
        }
    }

    /// Enters a declaration of a function and gives the function it means.
    pub(crate) fn declare_function(&mut self, d: FuncDecl<'_>) -> Res<FuncId> {
        let FuncDecl { name, span, .. } = d;
        let prior = self.unit_names.get(&name).cloned();
        let wants_static = d.storage == Some(Storage::Static);
        let mut ty = d.ty;
        let id = match &prior {
            Some(prior) => {
                let Linked::Func(id) = prior.what else {
                    return self.different_kind(name, span, prior.span);
                };
                if !self.types.compatible(prior.ty.id, ty) {
                    if !(prior.implicit && self.may_replace_implicit(name, ty)) {
                        let message =
                            format!("conflicting types for '{name}'; have '{}'", self.plain_name(ty));
                        let note = format!("previous declaration with type '{}'", self.type_name(prior.ty));
                        return Err(Diagnostic::error(span, message).note(note, Some(prior.span)).into());
                    }
                } else {
                    ty = self.types.composite(prior.ty.id, ty);
                }
                if wants_static && !prior.is_static {
                    let message = format!("static declaration of '{name}' follows non-static declaration");
                    let note = "previous declaration is here";
                    return Err(Diagnostic::error(span, message).note(note, Some(prior.span)).into());
                }
                id
            }
            None if wants_static => self.new_func(name, ty, span),
            None => {
                let link = d.asm_label.map_or(name, link_name);
                match self.externs.get(&link) {
                    Some(&Linked::Func(id)) => id,
                    Some(&Linked::Global(g)) => {
                        let other = self.globals[g].span;
                        return self.different_kind(name, span, other);
                    }
                    None => {
                        let id = self.new_func(link, ty, span);
                        self.externs.insert(link, Linked::Func(id));
                        id
                    }
                }
            }
        };
        let is_static = prior.as_ref().map_or(wants_static, |p| p.is_static);
        let func = &mut self.funcs[id];
        func.noreturn |= d.noreturn || d.attrs.noreturn;
        func.pure |= d.attrs.pure;
        if self.func_links[id].def == Def::None {
            func.ty = ty;
        }
        let link = &mut self.func_links[id];
        link.weak |= d.attrs.weak;
        link.constructor = d.attrs.constructor.or(link.constructor);
        link.destructor = d.attrs.destructor.or(link.destructor);
        let weak = d.attrs.weak || prior.is_some_and(|p| p.weak);
        let ty = QType::plain(ty);
        let unit_name = UnitName { what: Linked::Func(id), ty, is_static, implicit: false, weak, span };
        self.unit_names.insert(name, unit_name);
        let entry = Name { kind: NameKind::Func(id), ty, align: None, span, depth: 0 };
        if d.in_file {
            self.scopes.declare_in_file(name, entry);
        } else {
            if let Some(here) = self.scopes.name_here(name)
                && !matches!(here.kind, NameKind::Func(_) | NameKind::Broken)
            {
                return self.different_kind(name, span, here.span);
            }
            self.scopes.declare(name, entry);
        }
        if let Some(target) = &d.attrs.alias {
            self.alias(name, sym(target), span)?;
        }
        Ok(id)
    }

    fn different_kind<T>(&self, name: Symbol, span: Span, other: Span) -> Res<T> {
        let message = format!("'{name}' redeclared as different kind of symbol");
        Err(Diagnostic::error(span, message).note("previous declaration is here", Some(other)).into())
    }

    /// A called and so implicitly declared function may turn out to return `void`; the implied
    /// type of a library function gives way to any declaration.
    fn may_replace_implicit(&self, name: Symbol, ty: TypeId) -> bool {
        let returns_void = match self.types.get(ty) {
            Type::Function(f) => f.ret.id == self.common.void,
            _ => false,
        };
        returns_void || crate::library::signature(name.as_str()).is_some()
    }

    fn new_func(&mut self, name: Symbol, ty: TypeId, span: Span) -> FuncId {
        self.funcs.push(Func { name, ty, body: None, unsupported: None, noreturn: false, pure: false, span })
    }

    /// The function a call of an undeclared name declares: a library function with the type gcc
    /// knows for it, or `int name()`.
    pub(crate) fn implicit_function(&mut self, name: Symbol, span: Span) -> Res<(FuncId, QType)> {
        if let Some(known) = self.unit_names.get(&name)
            && let Linked::Func(id) = known.what
        {
            return Ok((id, known.ty));
        }
        let ty = match crate::library::signature(name.as_str()) {
            Some(signature) => self.library_type(signature),
            None => {
                let ret = QType::plain(self.common.int);
                let f = crate::types::FuncType { ret, params: vec![], variadic: false, prototyped: false };
                self.types.intern(Type::Function(f))
            }
        };
        let attrs = Attrs::default();
        let id = self.declare_function(FuncDecl {
            name,
            span,
            ty,
            storage: None,
            noreturn: false,
            attrs: &attrs,
            asm_label: None,
            in_file: false,
        })?;
        if let Some(known) = self.unit_names.get_mut(&name) {
            known.implicit = true;
        }
        Ok((id, QType::plain(ty)))
    }

    /// May a definition of this strength be given? Reports a second one.
    pub(crate) fn may_define_function(&mut self, id: FuncId, def: Def, span: Span) -> Res<bool> {
        let link = &self.func_links[id];
        if def == Def::Strong && link.def == Def::Strong {
            let message = format!("redefinition of '{}'", self.funcs[id].name);
            let note = "previous definition is here";
            return Err(Diagnostic::error(span, message).note(note, link.def_span).into());
        }
        Ok(def > link.def)
    }

    pub(crate) fn define_function(
        &mut self,
        id: FuncId,
        def: Def,
        span: Span,
        ty: TypeId,
        body: Result<FuncBody, Diagnostic>,
    ) {
        let func = &mut self.funcs[id];
        func.span = span;
        func.ty = ty;
        (func.body, func.unsupported) = match body {
            Ok(body) => (Some(body), None),
            Err(diagnostic) => (None, Some(diagnostic)),
        };
        let link = &mut self.func_links[id];
        link.def = def;
        link.def_span = Some(span);
    }

    /// Enters a declaration of an object with linkage, at file scope or `extern` in a block.
    pub(crate) fn declare_object(
        &mut self,
        name: Symbol,
        span: Span,
        ty: QType,
        storage: Option<Storage>,
        attrs: &Attrs,
        asm_label: Option<&str>,
    ) -> Res<(GlobalId, QType)> {
        let prior = self.unit_names.get(&name).cloned();
        let here = self.scopes.name_here(name);
        if let Some(here) = here
            && !matches!(here.kind, NameKind::Global(_) | NameKind::Broken)
        {
            return self.different_kind(name, span, here.span);
        }
        let wants_static = storage == Some(Storage::Static);
        let mut ty = ty;
        let id = match &prior {
            Some(prior) => {
                let Linked::Global(id) = prior.what else {
                    return self.different_kind(name, span, prior.span);
                };
                if !self.types.compatible_q(prior.ty, ty) {
                    let message = format!("conflicting types for '{name}'; have '{}'", self.type_name(ty));
                    let note = format!("previous declaration with type '{}'", self.type_name(prior.ty));
                    return Err(Diagnostic::error(span, message).note(note, Some(prior.span)).into());
                }
                ty.id = self.types.composite(prior.ty.id, ty.id);
                if wants_static != prior.is_static && storage != Some(Storage::Extern) {
                    let (new, old) =
                        if wants_static { ("static", "non-static") } else { ("non-static", "static") };
                    let message = format!("{new} declaration of '{name}' follows {old} declaration");
                    let note = "previous declaration is here";
                    return Err(Diagnostic::error(span, message).note(note, Some(prior.span)).into());
                }
                id
            }
            None if wants_static => self.new_global(name, ty, span),
            None => {
                let link = asm_label.map_or(name, link_name);
                match self.externs.get(&link) {
                    Some(&Linked::Global(id)) => match self.link_objects(id, ty, span) {
                        Ok(()) => id,
                        // A declaration without a use does no harm.
                        Err(conflict) if self.only_declared(id) => {
                            self.conflicts.insert(id, conflict);
                            let id = self.new_global(link, ty, span);
                            self.externs.insert(link, Linked::Global(id));
                            id
                        }
                        Err(conflict) if storage == Some(Storage::Extern) => {
                            let id = self.new_global(link, ty, span);
                            self.conflicts.insert(id, conflict);
                            id
                        }
                        Err(conflict) => return Err(conflict.into()),
                    },
                    Some(&Linked::Func(f)) => {
                        let other = self.funcs[f].span;
                        return self.different_kind(name, span, other);
                    }
                    None => {
                        let id = self.new_global(link, ty, span);
                        self.externs.insert(link, Linked::Global(id));
                        id
                    }
                }
            }
        };
        let is_static = prior.as_ref().map_or(wants_static, |p| p.is_static);
        let global = &mut self.globals[id];
        if self.types.size_of(global.ty).is_none() || self.types.compatible(global.ty, ty.id) {
            global.ty = ty.id;
        }
        global.align = global.align.max(attrs.align.unwrap_or(1));
        self.global_links[id].weak |= attrs.weak;
        let weak = attrs.weak || prior.is_some_and(|p| p.weak);
        let unit_name = UnitName { what: Linked::Global(id), ty, is_static, implicit: false, weak, span };
        self.unit_names.insert(name, unit_name);
        self.scopes.declare(name, Name { kind: NameKind::Global(id), ty, align: None, span, depth: 0 });
        self.settle_size(id);
        if let Some(target) = &attrs.alias {
            self.alias(name, sym(target), span)?;
        }
        Ok((id, ty))
    }

    /// Is the object declared only, in all units so far, and not used?
    fn only_declared(&self, id: GlobalId) -> bool {
        self.global_links[id].def == Def::None && !self.global_links[id].used
    }

    /// Two units declare one object: their ideas of its size must agree.
    fn link_objects(&mut self, id: GlobalId, ty: QType, span: Span) -> Result<(), Diagnostic> {
        let global = &self.globals[id];
        let (name, old_span, old_ty) = (global.name, global.span, global.ty);
        if let (Some(a), Some(b)) = (self.types.size_of(old_ty), self.types.size_of(ty.id))
            && a != b
        {
            let message = format!(
                "'{name}' is declared as '{}' here and as '{}' in another unit",
                self.type_name(ty),
                self.plain_name(old_ty)
            );
            return Err(Diagnostic::error(span, message).note("the other declaration", Some(old_span)));
        }
        if self.types.scalar(old_ty) != self.types.scalar(ty.id) {
            let message = format!(
                "'{name}' has type '{}' here and '{}' in another unit",
                self.type_name(ty),
                self.plain_name(old_ty)
            );
            let warning = Diagnostic::warning(span, message).note("the other declaration", Some(old_span));
            self.warnings.push(warning);
        }
        Ok(())
    }

    fn new_global(&mut self, name: Symbol, ty: QType, span: Span) -> GlobalId {
        self.globals.push(Global {
            name,
            ty: ty.id,
            is_const: false,
            size: 0,
            align: 1,
            init: GlobalInit::Extern,
            kind: GlobalKind::Named,
            addr_taken: false,
            span,
        })
    }

    /// Updates what follows from the type of a global.
    pub(crate) fn settle_size(&mut self, id: GlobalId) {
        let global = &mut self.globals[id];
        if let Some(size) = self.types.size_of(global.ty) {
            global.size = global.size.max(size);
        }
        if let Some(align) = self.types.align_of(global.ty) {
            global.align = global.align.max(align);
        }
        global.addr_taken |= self.types.scalar(global.ty).is_none();
    }

    /// A declaration without `extern` and without initialiser.
    pub(crate) fn define_tentatively(&mut self, name: Symbol, id: GlobalId, ty: QType, span: Span) {
        let def = self.global_links[id].def;
        // A weak definition of another unit gives way.
        let foreign = def == Def::Weak && !self.is_weak_here(name);
        if def == Def::None || foreign {
            self.globals[id].init = GlobalInit::Data(StaticData::default());
            self.globals[id].is_const = self.is_const_object(ty);
            self.globals[id].span = span;
            self.global_links[id].def = Def::Tentative;
            self.global_links[id].def_span = Some(span);
        }
    }

    /// Does the unit at hand declare the name `weak`? Then what it defines under it is weak.
    pub(crate) fn is_weak_here(&self, name: Symbol) -> bool {
        self.unit_names.get(&name).is_some_and(|n| n.weak)
    }

    pub(crate) fn define_object(
        &mut self,
        id: GlobalId,
        ty: QType,
        span: Span,
        data: StaticData,
        name: Symbol,
    ) -> Res<()> {
        let def = if self.is_weak_here(name) { Def::Weak } else { Def::Strong };
        let link = &self.global_links[id];
        if def == Def::Strong && link.def == Def::Strong {
            let message = format!("redefinition of '{}'", self.globals[id].name);
            let note = "previous definition is here";
            return Err(Diagnostic::error(span, message).note(note, link.def_span).into());
        }
        if def > link.def {
            let is_const = self.is_const_object(ty);
            let global = &mut self.globals[id];
            global.ty = ty.id;
            global.init = GlobalInit::Data(data);
            global.is_const = is_const;
            global.span = span;
            let link = &mut self.global_links[id];
            link.def = def;
            link.def_span = Some(span);
        }
        self.settle_size(id);
        Ok(())
    }

    /// `const`, or an array whose elements are.
    pub(crate) fn is_const_object(&self, ty: QType) -> bool {
        let mut ty = ty;
        while let Type::Array { elem, .. } = self.types.get(ty.id) {
            ty = *elem;
        }
        ty.is_const
    }

    /// `alias("target")`: the name means the target from here on.
    fn alias(&mut self, name: Symbol, target: Symbol, span: Span) -> Res<()> {
        let Some(known) = self.unit_names.get(&target).cloned() else {
            return unsupported(span, format!("alias to '{target}', which is not declared before"));
        };
        let Some(own) = self.unit_names.get_mut(&name) else { return Ok(()) };
        let old = own.what;
        let used = match old {
            Linked::Func(f) => self.func_links[f].used,
            Linked::Global(g) => self.global_links[g].used,
        };
        if used {
            return unsupported(span, format!("'{name}' is used before it is made an alias"));
        }
        own.what = known.what;
        let (kind, ty) = match known.what {
            Linked::Func(f) => (NameKind::Func(f), own.ty),
            Linked::Global(g) => (NameKind::Global(g), own.ty),
        };
        self.scopes.declare(name, Name { kind, ty, align: None, span, depth: 0 });
        if !own.is_static {
            for linked in self.externs.values_mut() {
                if *linked == old {
                    *linked = known.what;
                }
            }
        }
        Ok(())
    }

    /// A function declared `static` and called, but not defined in its unit: gcc refers to the symbol of
    /// that name, which may be a function of the library.
    fn undefined_statics(&mut self) {
        let mut open: Vec<(Symbol, FuncId, Span)> = Vec::new();
        for (&name, known) in &self.unit_names {
            if let Linked::Func(f) = known.what
                && known.is_static
                && self.func_links[f].used
                && self.func_links[f].def == Def::None
                && self.funcs[f].unsupported.is_none()
            {
                open.push((name, f, known.span));
            }
        }
        open.sort_by_key(|&(_, f, _)| f);
        for (name, f, span) in open {
            let taken = self.externs.contains_key(&name);
            if taken {
                let message = format!("'{name}' is declared 'static' but never defined");
                self.make_unsupported(f, Diagnostic::unsupported(span, message));
            } else {
                self.externs.insert(name, Linked::Func(f));
            }
        }
    }

    /// Tentative definitions are complete now or never.
    pub(crate) fn end_of_unit(&mut self) {
        self.require_atexit();
        self.undefined_statics();
        let mut tentative: Vec<(GlobalId, bool)> = Vec::new();
        for known in self.unit_names.values() {
            if let Linked::Global(g) = known.what
                && self.global_links[g].def == Def::Tentative
            {
                tentative.push((g, known.weak));
            }
        }
        tentative.sort();
        tentative.dedup_by_key(|(id, _)| *id);
        for (id, weak) in tentative {
            self.global_links[id].def = if weak { Def::Weak } else { Def::Common };
            if let Type::Array { elem, len: ArrayLen::Unknown } = *self.types.get(self.globals[id].ty) {
                self.globals[id].ty = self.types.intern(Type::Array { elem, len: ArrayLen::Fixed(1) });
            }
            self.settle_size(id);
            let global = &self.globals[id];
            if self.types.size_of(global.ty).is_none() && !self.give_up() {
                let message = format!("storage size of '{}' isn't known", global.name);
                self.errors.push(Diagnostic::error(global.span, message));
            }
        }
        let mut all: Vec<GlobalId> = self
            .unit_names
            .values()
            .filter_map(|n| match n.what {
                Linked::Global(g) => Some(g),
                Linked::Func(_) => None,
            })
            .collect();
        all.sort();
        for id in all {
            self.settle_size(id);
        }
    }

    pub(crate) fn incomplete_object<T>(&self, name: Symbol, span: Span) -> Res<T> {
        error(span, format!("storage size of '{name}' isn't known"))
    }
}

/// The name the linker sees. glibc's headers rename some functions to versions of the same
/// function for newer standards; for us they are the function itself.
fn link_name(label: &str) -> Symbol {
    let name = label.trim_start_matches('*');
    sym(name.strip_prefix("__isoc99_").or_else(|| name.strip_prefix("__isoc23_")).unwrap_or(name))
}
