//! Lifetimes. Each block of the source is a scope whose in-memory locals live
//! from its entry, by whatever way, to its exit, by whatever way. The scopes of
//! a function form a tree, and a jump from one to another ends the lifetimes on
//! the way up to their common ancestor and begins those on the way down.

use cairn_base::{Place, Span};
use cairn_ctyped::hir::{self, LocalId};
use cairn_ctyped::types::{ArrayLen, Type, TypeId};
use cairn_ir::{AllocKind, Init, ObjId, ObjKind, Object, Op, Ty, Var, VarId, VarKind, sym};

use super::func::Fun;
use super::{Cx, Storage};

/// Index into the function's scopes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct ScopeId(usize);

impl ScopeId {
    /// The function's outermost block.
    pub const ROOT: ScopeId = ScopeId(0);
}

#[derive(Default)]
pub(super) struct Scope {
    parent: Option<ScopeId>,
    depth: usize,
    objects: Vec<(ObjId, Span)>,
    /// Variables that hold the address of a variable-length array, or null before its declaration.
    vlas: Vec<(VarId, Span)>,
}

impl Cx<'_> {
    /// Is this an array whose size, at any level, is only known at run time?
    pub fn is_vla(&self, ty: TypeId) -> bool {
        match self.types.get(ty) {
            Type::Array { len: ArrayLen::Vla(_), .. } => true,
            Type::Array { elem, .. } => self.is_vla(elem.id),
            _ => false,
        }
    }
}

impl Fun<'_, '_> {
    /// Enters a block: its locals come to life.
    pub fn enter(&mut self, locals: &[LocalId]) {
        let parent = self.scopes.get(self.scope.0).map(|_| self.scope);
        let depth = parent.map_or(0, |p| self.scopes[p.0].depth + 1);
        self.scopes.push(Scope { parent, depth, ..Scope::default() });
        self.scope = ScopeId(self.scopes.len() - 1);
        for &local in locals {
            self.declare(local);
        }
        self.begin_scope(self.scope);
    }

    /// Leaves the innermost block on its normal way out.
    pub fn leave(&mut self) {
        self.end_scope(self.scope);
        self.scope = self.scopes[self.scope.0].parent.unwrap_or(ScopeId::ROOT);
    }

    /// Gives a local its place: a variable, an object, or the address of a future allocation.
    pub fn declare(&mut self, local: LocalId) {
        let info = &self.body.locals[local];
        let storage = if !info.in_memory && self.cx.types.scalar(info.ty.id).is_some() {
            Storage::Var(self.local_var(local, VarKind::Local))
        } else if self.cx.is_vla(info.ty.id) {
            let var = self.hidden_local(info.name.as_str(), Ty::Ptr, info.span);
            self.scopes[self.scope.0].vlas.push((var, info.span));
            Storage::Vla(var)
        } else {
            let obj = self.local_object(local);
            self.scopes[self.scope.0].objects.push((obj, info.span));
            Storage::Object(obj)
        };
        self.locals[local] = Some(storage);
    }

    pub fn local_var(&mut self, local: LocalId, kind: VarKind) -> VarId {
        let info = &self.body.locals[local];
        let ty = self.cx.scalar(info.ty.id, info.span);
        let (place, scope) = (self.cx.place(info.span), self.cx.place(info.scope));
        let dtype = self.cx.dtype(info.ty.id);
        self.cx.prog.new_var(Var { name: info.name, ty, owner: Some(self.id), kind, place, scope, dtype })
    }

    /// A variable of the function that no name of the source means.
    pub fn hidden_local(&mut self, name: &str, ty: Ty, span: Span) -> VarId {
        let place = self.cx.place(span);
        self.cx.prog.new_var(Var {
            name: sym(name),
            ty,
            owner: Some(self.id),
            kind: VarKind::Local,
            place,
            scope: Place::NONE,
            dtype: None,
        })
    }

    fn local_object(&mut self, local: LocalId) -> ObjId {
        let info: &hir::Local = &self.body.locals[local];
        let (place, scope) = (self.cx.place(info.span), self.cx.place(info.scope));
        let dtype = self.cx.dtype(info.ty.id);
        self.cx.prog.new_object(Object {
            name: info.name,
            owner: Some(self.id),
            kind: ObjKind::Local,
            size: self.cx.size_of(info.ty.id),
            align: u32::try_from(info.align).unwrap_or(1 << 30),
            init: Init::Uninit,
            place,
            scope,
            dtype,
        })
    }

    /// An object for a value on its way. It lives until its site is passed again or the function
    /// returns; no pointer to it can be kept by a correct program.
    pub fn temp_object(&mut self, size: u64, align: u64, span: Span) -> ObjId {
        let place = self.cx.place(span);
        let obj = self.cx.prog.new_object(Object {
            name: self.cx.temp_name,
            owner: Some(self.id),
            kind: ObjKind::Local,
            size,
            align: u32::try_from(align.max(1)).unwrap_or(1 << 30),
            init: Init::Uninit,
            place,
            scope: Place::NONE,
            dtype: None,
        });
        self.emit(Op::Begin { obj }, span);
        obj
    }

    fn begin_scope(&mut self, scope: ScopeId) {
        for i in 0..self.scopes[scope.0].objects.len() {
            let (obj, span) = self.scopes[scope.0].objects[i];
            self.emit(Op::Begin { obj }, span);
        }
        for i in 0..self.scopes[scope.0].vlas.len() {
            let (dst, span) = self.scopes[scope.0].vlas[i];
            let value = self.cx.prog.exprs.ptr(0);
            self.emit(Op::Assign { dst, value }, span);
        }
    }

    fn end_scope(&mut self, scope: ScopeId) {
        self.free_vlas(scope);
        for i in (0..self.scopes[scope.0].objects.len()).rev() {
            let (obj, span) = self.scopes[scope.0].objects[i];
            self.emit(Op::End { obj }, span);
        }
    }

    fn free_vlas(&mut self, scope: ScopeId) {
        for i in (0..self.scopes[scope.0].vlas.len()).rev() {
            let (var, span) = self.scopes[scope.0].vlas[i];
            let ptr = self.cx.prog.exprs.var(var);
            self.emit(Op::Free { ptr, kind: AllocKind::Vla }, span);
        }
    }

    /// Is any variable-length array in scope?
    pub fn has_vlas(&self) -> bool {
        let mut scope = Some(self.scope);
        while let Some(s) = scope {
            if !self.scopes[s.0].vlas.is_empty() {
                return true;
            }
            scope = self.scopes[s.0].parent;
        }
        false
    }

    /// Before a return: the variable-length arrays end; the other locals end with the function.
    pub fn free_all_vlas(&mut self) {
        let mut scope = Some(self.scope);
        while let Some(s) = scope {
            self.free_vlas(s);
            scope = self.scopes[s.0].parent;
        }
    }

    /// The lifetimes that end and begin on a jump between two scopes.
    pub fn cross(&mut self, from: ScopeId, to: ScopeId) {
        let (mut up, mut down) = (from, to);
        let mut entered = Vec::new();
        while up != down {
            if self.scopes[up.0].depth >= self.scopes[down.0].depth {
                self.end_scope(up);
                up = self.scopes[up.0].parent.unwrap_or(ScopeId::ROOT);
            } else {
                entered.push(down);
                down = self.scopes[down.0].parent.unwrap_or(ScopeId::ROOT);
            }
        }
        for scope in entered.into_iter().rev() {
            self.begin_scope(scope);
        }
    }

    /// Does anything come to life on the way from `outer` down to `inner`?
    pub fn begins_between(&self, outer: ScopeId, inner: ScopeId) -> bool {
        let mut scope = inner;
        while scope != outer {
            let s = &self.scopes[scope.0];
            if !s.objects.is_empty() || !s.vlas.is_empty() {
                return true;
            }
            match s.parent {
                Some(parent) => scope = parent,
                None => return false,
            }
        }
        false
    }
}
