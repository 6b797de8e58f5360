//! Function definitions.

use cairn_base::{PrimaryMap, Span, Symbol, sym};
use cairn_csyntax::ast::{Declaration, Derived, FunctionDef, Params, StmtKind, Storage};
use rustc_hash::FxHashMap;

use crate::check::{Checker, Fail, FnState, OpenBlock, Res, error, unsupported};
use crate::hir::{FuncBody, FuncId, FuncParam, LocalId};
use crate::link::{Def, FuncDecl};
use crate::scope::{Name, NameKind};
use crate::types::{FuncType, QType, Type, TypeId};

/// A parameter of the definition in work.
struct Declared {
    ty: QType,
    span: Span,
    local: LocalId,
}

impl Checker {
    pub(crate) fn function(&mut self, def: &FunctionDef) -> Res<()> {
        let Some(name) = def.declarator.name else { return error(def.span, "function without a name") };
        let spec = self.specs(&def.specs, false)?;
        let Some((Derived::Function(params), rest)) = def.declarator.derived.split_first() else {
            return error(def.declarator.span, format!("'{name}' is defined like a function but is none"));
        };
        let ret = self.derive(spec.ty, rest, Some(name), def.declarator.name_span)?;
        self.check_return_type(ret, Some(name), def.declarator.name_span)?;
        self.fun = Some(Box::new(FnState {
            id: None,
            name,
            ret,
            variadic: false,
            counts_arguments: false,
            locals: PrimaryMap::new(),
            labels: PrimaryMap::new(),
            label_state: Vec::new(),
            label_scopes: vec![FxHashMap::default()],
            switches: Vec::new(),
            breakable: 0,
            loops: 0,
            blocks: vec![OpenBlock { locals: Vec::new(), end: def.span.hi }],
            constants: FxHashMap::default(),
            unsupported: None,
            prologue: Vec::new(),
        }));
        self.scopes.push();
        let result = self.function_in_scope(def, name, ret, params);
        self.scopes.pop();
        self.pending_vlas.clear();
        self.unevaluated = 0;
        self.in_prototype = 0;
        let result = match (result, self.fun.take()) {
            (Err(fail), Some(fun)) if fun.unsupported.is_some() => {
                // Reported with the function if it could be declared, else with the unit.
                if fun.id.is_none() { Err(fun.unsupported.map_or(fail, Fail::from)) } else { Err(fail) }
            }
            (result, _) => result,
        };
        if result.is_err() && self.scopes.name(name).is_none() {
            self.break_name(&def.declarator);
        }
        result
    }

    fn function_in_scope(&mut self, def: &FunctionDef, name: Symbol, ret: QType, params: &Params) -> Res<()> {
        let span = def.declarator.name_span;
        let (declared, func_type) = match params {
            Params::Prototype { params, variadic } => {
                let declared = self.definition_params(params)?;
                let types = declared.iter().map(|p| p.ty.id).collect();
                (declared, FuncType { ret, params: types, variadic: *variadic, prototyped: true })
            }
            Params::Knr(names) => {
                let declared = self.knr_params(names, &def.knr)?;
                (declared, FuncType { ret, params: vec![], variadic: false, prototyped: false })
            }
        };
        let variadic = func_type.variadic;
        let knr = !func_type.prototyped;
        let ty = self.types.intern(Type::Function(func_type));
        let attrs = self.attrs(&[&def.specs.attrs, &def.declarator.attrs])?;
        if let Some((what, span)) = attrs.unsupported {
            // Runs outside of main's control, so no program with it is understood.
            self.errors.push(cairn_base::Diagnostic::unsupported(
                span,
                format!("attribute '{what}' is not supported"),
            ));
        }
        // A K&R definition says nothing about parameter types that calls could be checked by;
        // an earlier prototype does.
        if knr {
            self.check_knr_against_prototype(name, &declared, span)?;
        }
        let known = if knr && self.unit_names.contains_key(&name) { self.prior_type(name, ty) } else { ty };
        let id = self.declare_function(FuncDecl {
            name,
            span,
            ty: known,
            storage: def.specs.storage,
            noreturn: def.specs.noreturn,
            attrs: &attrs,
            asm_label: def.declarator.asm_label.as_deref(),
            in_file: true,
        })?;
        let is_static = self.unit_names.get(&name).is_some_and(|n| n.is_static);
        let inline_only = def.specs.inline
            && !is_static
            && if attrs.gnu_inline {
                def.specs.storage == Some(Storage::Extern)
            } else {
                def.specs.storage != Some(Storage::Extern)
            };
        let strength = match () {
            () if self.is_weak_here(name) => Def::Weak,
            () if inline_only => Def::Inline,
            () => Def::Strong,
        };
        let wanted = self.may_define_function(id, strength, span)?;
        if let Some(fun) = &mut self.fun {
            fun.id = Some(id);
            fun.variadic = variadic;
        }
        if name.as_str() == "main" && !is_static {
            let types: Vec<TypeId> = declared.iter().map(|p| p.ty.id).collect();
            if variadic || !self.startup_supplies(&types) {
                let span = declared.first().map_or(span, |p| p.span);
                let what =
                    "the parameters of 'main' are not '(int, char **, char **)', or the first of these";
                if let Err(fail) = unsupported::<()>(span, what) {
                    self.report(fail);
                }
            }
        }
        for param in &declared {
            if let Err(fail) = self.require_supported(param.ty.id, param.span) {
                self.report(fail);
            }
            if self.types.size_of(param.ty.id).is_none() {
                return error(param.span, "parameter has incomplete type");
            }
        }
        if let Err(fail) = self.require_supported(ret.id, span) {
            self.report(fail);
        }
        if ret.id != self.common.void && self.types.size_of(ret.id).is_none() {
            return error(span, "return type is an incomplete type");
        }
        let final_ty = self.unit_names.get(&name).map_or(ty, |n| n.ty.id);
        let body = self.body(def, &declared, final_ty, knr)?;
        let Some(fun) = &mut self.fun else { return Err(Fail::reported()) };
        let body = match fun.unsupported.take() {
            Some(diagnostic) => Err(diagnostic),
            None => Ok(body),
        };
        if wanted {
            let final_ty = if knr { self.with_definition_params(final_ty, &declared) } else { final_ty };
            self.define_function(id, strength, span, final_ty, body);
        }
        Ok(())
    }

    /// Does the code that calls `main` give it arguments for such parameters? A count (of any type of the
    /// size of `int`) and up to two arrays of strings.
    fn startup_supplies(&self, params: &[TypeId]) -> bool {
        let is_count = |ty: TypeId| self.types.integer_of(ty).is_some_and(|int| int.bits == 32);
        let is_strings = |ty: TypeId| {
            let string = self.pointee(ty).and_then(|to| self.pointee(to.id));
            string.is_some_and(|c| self.types.integer_of(c.id).is_some_and(|int| int.bits == 8))
        };
        match params {
            [] => true,
            [count, strings @ ..] => {
                is_count(*count) && strings.len() <= 2 && strings.iter().all(|&s| is_strings(s))
            }
        }
    }

    /// The type of an earlier declaration if it has a prototype, else the definition's own.
    fn prior_type(&self, name: Symbol, own: TypeId) -> TypeId {
        match self.unit_names.get(&name) {
            Some(n) if matches!(self.types.get(n.ty.id), Type::Function(f) if f.prototyped) => n.ty.id,
            _ => own,
        }
    }

    /// gcc accepts a prototype that gives the declared or the promoted types of a K&R definition.
    fn check_knr_against_prototype(&self, name: Symbol, declared: &[Declared], span: Span) -> Res<()> {
        let Some(prior) = self.unit_names.get(&name) else { return Ok(()) };
        let Type::Function(f) = self.types.get(prior.ty.id) else { return Ok(()) };
        if !f.prototyped {
            return Ok(());
        }
        let fits = f.params.len() == declared.len()
            && f.params.iter().zip(declared).all(|(&p, d)| {
                self.types.compatible(p, d.ty.id) || self.types.compatible(p, self.default_promoted(d.ty.id))
            });
        if fits { Ok(()) } else { error(span, format!("conflicting types for '{name}'")) }
    }

    /// A K&R function's type as callers need it: what is passed, but unchecked.
    fn with_definition_params(&mut self, ty: TypeId, declared: &[Declared]) -> TypeId {
        match self.types.get(ty).clone() {
            Type::Function(f) if !f.prototyped => {
                let params = declared.iter().map(|p| self.default_promoted(p.ty.id)).collect();
                self.types.intern(Type::Function(FuncType { params, ..f }))
            }
            _ => ty,
        }
    }

    /// Declares the parameters as locals while their types are made: later ones may use earlier ones.
    fn definition_params(&mut self, params: &[cairn_csyntax::ast::Param]) -> Res<Vec<Declared>> {
        let mut out = Vec::with_capacity(params.len());
        for param in params {
            let ty = self.param_type(param)?;
            if self.is_lone_void(params, ty) {
                break;
            }
            let span = param.declarator.name_span;
            if ty.id == self.common.void {
                return error(span, "parameter has incomplete type");
            }
            self.flush_param_vlas(span);
            let name = param.declarator.name.unwrap_or_else(|| sym("<unnamed>"));
            let local = self.new_param(name, ty, span, param.declarator.name.is_some())?;
            out.push(Declared { ty, span, local });
        }
        Ok(out)
    }

    fn flush_param_vlas(&mut self, span: Span) {
        let mut lengths = Vec::new();
        self.flush_vlas(span, &mut lengths);
        if let Some(fun) = &mut self.fun {
            fun.prologue.append(&mut lengths);
        }
    }

    fn new_param(&mut self, name: Symbol, ty: QType, span: Span, named: bool) -> Res<LocalId> {
        if named && self.scopes.name_here(name).is_some() {
            return error(span, format!("redefinition of parameter '{name}'"));
        }
        let local = self.new_local(name, ty, None, span)?;
        if named {
            self.scopes.declare(name, Name { kind: NameKind::Local(local), ty, align: None, span, depth: 0 });
        }
        Ok(local)
    }

    fn knr_params(&mut self, names: &[(Symbol, Span)], decls: &[Declaration]) -> Res<Vec<Declared>> {
        let mut types: FxHashMap<Symbol, QType> = FxHashMap::default();
        for decl in decls {
            for d in &decl.declarators {
                let Some(name) = d.declarator.name else { continue };
                if !names.iter().any(|(n, _)| *n == name) {
                    let message = format!("declaration for parameter '{name}' but no such parameter");
                    return error(d.declarator.name_span, message);
                }
            }
        }
        for decl in decls {
            let spec = self.specs(&decl.specs, decl.declarators.is_empty())?;
            for d in &decl.declarators {
                let Some(name) = d.declarator.name else { continue };
                let ty = self.adjusted(spec.ty, &d.declarator)?;
                self.flush_param_vlas(decl.span);
                types.insert(name, ty);
            }
        }
        let int = QType::plain(self.common.int);
        let mut out = Vec::with_capacity(names.len());
        for &(name, span) in names {
            let ty = types.get(&name).copied().unwrap_or(int);
            let local = self.new_param(name, ty, span, true)?;
            out.push(Declared { ty, span, local });
        }
        Ok(out)
    }

    fn adjusted(&mut self, base: QType, d: &cairn_csyntax::ast::Declarator) -> Res<QType> {
        let ty = self.declarator(base, d)?;
        Ok(match *self.types.get(ty.id) {
            Type::Array { elem, .. } => QType::plain(self.pointer_to(elem)),
            Type::Function(_) => QType::plain(self.pointer_to(ty)),
            _ => ty,
        })
    }

    fn body(&mut self, def: &FunctionDef, declared: &[Declared], ty: TypeId, knr: bool) -> Res<FuncBody> {
        let StmtKind::Compound(block) = &def.body.kind else {
            return error(def.body.span, "expected a function body");
        };
        let mut stmts = std::mem::take(&mut self.fun(def.span)?.prologue);
        self.block_items(block, &mut stmts);
        let prototype: Option<Vec<TypeId>> = match self.types.get(ty) {
            Type::Function(f) if f.prototyped => Some(f.params.clone()),
            _ => None,
        };
        let params: Vec<FuncParam> = declared
            .iter()
            .enumerate()
            .map(|(i, d)| {
                let passed_as = match &prototype {
                    Some(p) if knr => p.get(i).copied().unwrap_or(d.ty.id),
                    Some(_) => d.ty.id,
                    None => self.default_promoted(d.ty.id),
                };
                FuncParam { local: d.local, passed_as }
            })
            .collect();
        self.finish_labels();
        let fun = self.fun(def.span)?;
        let mut own = fun.blocks.pop().map(|b| b.locals).unwrap_or_default();
        own.retain(|l| params.iter().all(|p| p.local != *l));
        Ok(FuncBody {
            params,
            locals: std::mem::take(&mut fun.locals),
            labels: std::mem::take(&mut fun.labels),
            block: crate::hir::Block { locals: own, stmts },
            counts_arguments: fun.counts_arguments,
            span: def.span,
        })
    }

    /// Every label a `goto` names must be there.
    fn finish_labels(&mut self) {
        let Some(fun) = &self.fun else { return };
        let mut missing = Vec::new();
        for (id, label) in fun.labels.iter() {
            let state = &fun.label_state[cairn_base::EntityRef::index(id)];
            if let (false, Some(span)) = (state.defined, state.used) {
                missing.push((label.name, span));
            }
        }
        for (name, span) in missing {
            if let Err(fail) = error::<()>(span, format!("label '{name}' used but not defined")) {
                self.report(fail);
            }
        }
    }

    pub(crate) fn nested_function(&mut self, def: &FunctionDef) -> Res<FuncId> {
        unsupported(def.span, "nested functions are not supported")
    }
}
