//! One function: parameters, body, and the jumps that can only be resolved when
//! all of its labels have been seen.

use cairn_base::{Place, SecondaryMap, Span};
use cairn_ctyped::hir::{self, FuncBody, LabelId, LocalId};
use cairn_ctyped::types::{Type, VlaId};
use cairn_ir::{self as ir, LocId, Op, Ty, Var, VarId, VarKind};
use rustc_hash::FxHashMap;

use super::cursor::{Cursor, Target};
use super::scope::{Scope, ScopeId};
use super::switch::Switch;
use super::{Cx, EXIT_HANDLERS, Storage};

/// A way out of a statement: where `break` or `continue` goes, and the scope it lies in.
pub(super) struct Exit {
    pub target: Target,
    pub scope: ScopeId,
}

/// The ways out of the statements around, innermost last.
#[derive(Default)]
pub(super) struct Exits {
    pub breaks: Vec<Exit>,
    pub continues: Vec<Exit>,
}

/// A jump to a label: where it comes from, with the scope it leaves.
struct Goto {
    from: Cursor,
    scope: ScopeId,
    label: LabelId,
    span: Span,
}

pub(super) struct Fun<'c, 'a> {
    pub cx: &'c mut Cx<'a>,
    pub id: ir::FuncId,
    pub hir_id: hir::FuncId,
    pub body: &'a FuncBody,
    pub entry: LocId,
    pub exit: LocId,
    pub cursor: Cursor,
    /// Where operations that never end lead.
    pub sink: Option<LocId>,
    pub last_place: Place,
    pub locals: SecondaryMap<LocalId, Option<Storage>>,
    pub vlas: FxHashMap<VlaId, VarId>,
    pub scopes: Vec<Scope>,
    pub scope: ScopeId,
    pub exits: Exits,
    pub switches: Vec<Switch>,
    gotos: Vec<Goto>,
    labels: SecondaryMap<LabelId, Option<(LocId, ScopeId)>>,
    /// The hidden parameters: where an aggregate result goes, and the variable arguments.
    pub result: Option<VarId>,
    pub area: Option<VarId>,
    /// In `main`: what runs at the end of the program.
    exit_handlers: Option<ir::FuncId>,
}

pub(super) fn lower_body<'a>(cx: &mut Cx<'a>, hir_id: hir::FuncId, body: &'a FuncBody) {
    let id = cx.func(hir_id);
    let Some((entry, exit)) = cx.prog.funcs[id].body.as_ref().map(|b| (b.entry, b.exit)) else { return };
    let last_place = cx.prog.funcs[id].place;
    let exit_handlers = match cx.prog.funcs[id].name.as_str() {
        "main" => cx.prog.func_named(EXIT_HANDLERS),
        _ => None,
    };
    let mut fun = Fun {
        cx,
        id,
        hir_id,
        body,
        entry,
        exit,
        cursor: Cursor::At(entry),
        sink: None,
        last_place,
        locals: SecondaryMap::new(),
        vlas: FxHashMap::default(),
        scopes: Vec::new(),
        scope: ScopeId::ROOT,
        exits: Exits::default(),
        switches: Vec::new(),
        gotos: Vec::new(),
        labels: SecondaryMap::new(),
        result: None,
        area: None,
        exit_handlers,
    };
    fun.run();
}

impl Fun<'_, '_> {
    fn run(&mut self) {
        let body = self.body;
        self.enter(&[]);
        self.params();
        self.enter(&body.block.locals);
        for stmt in &body.block.stmts {
            self.stmt(stmt);
        }
        let end = Span { lo: body.span.hi.saturating_sub(1), ..body.span };
        let value = self.fall_through_value();
        self.return_value(value, end);
        self.resolve_gotos();
    }

    /// What a function gives that ends without `return`: nothing, but `main` gives 0.
    fn fall_through_value(&mut self) -> Option<ir::ExprId> {
        let func = &self.cx.prog.funcs[self.id];
        match func.sig.ret {
            Some(Ty::Int(i)) if func.name.as_str() == "main" => Some(self.cx.prog.exprs.int(i, 0)),
            _ => None,
        }
    }

    /// Returns. Where `main` ends, the program does: what `atexit` was given runs.
    pub fn return_value(&mut self, value: Option<ir::ExprId>, span: Span) {
        let mut value = value;
        if self.has_vlas() {
            value = value.map(|v| self.atom(v, span));
            self.free_all_vlas();
        }
        if let Some(handlers) = self.exit_handlers {
            value = value.map(|v| self.atom(v, span));
            let callee = ir::Callee::Func(handlers);
            self.emit(Op::Call { dst: None, callee, args: Box::new([]) }, span);
        }
        self.emit_return(value, span);
    }

    /// Makes the parameters in the order of the signature, then moves those that live in memory,
    /// or in another type than they arrive in, to where the body expects them.
    fn params(&mut self) {
        let body = self.body;
        let sig = self.cx.prog.funcs[self.id].sig.clone();
        let ret = self.cx.func_type(self.cx.hir.funcs[self.hir_id].ty).ret.id;
        let mut params = Vec::with_capacity(sig.params.len());
        if self.cx.is_aggregate(ret) {
            self.result = Some(self.hidden_param("result", body.span));
            params.extend(self.result);
        }
        for param in &body.params {
            let info = &body.locals[param.local];
            let direct = !info.in_memory && self.cx.types.scalar(info.ty.id).is_some() && {
                self.cx.types.scalar(param.passed_as) == self.cx.types.scalar(info.ty.id)
                    && !matches!(self.cx.types.get(info.ty.id), Type::Bool)
                    || param.passed_as == info.ty.id
            };
            let var = if direct {
                let var = self.local_var(param.local, VarKind::Param);
                self.locals[param.local] = Some(Storage::Var(var));
                var
            } else {
                let ty = self.cx.types.scalar(param.passed_as).unwrap_or(Ty::Ptr);
                let place = self.cx.place(info.span);
                self.cx.prog.new_var(Var {
                    name: info.name,
                    ty,
                    owner: Some(self.id),
                    kind: VarKind::Param,
                    place,
                    scope: Place::NONE,
                    dtype: None,
                })
            };
            params.push(var);
        }
        if sig.variadic {
            self.area = Some(self.hidden_param("arguments", body.span));
            params.extend(self.area);
        }
        let first = usize::from(self.result.is_some());
        for (i, param) in body.params.iter().enumerate() {
            if self.locals[param.local].is_none() {
                self.receive(param.local, params[first + i]);
            }
        }
        self.cx.prog.funcs[self.id].params = params;
    }

    fn hidden_param(&mut self, name: &str, span: Span) -> VarId {
        let place = self.cx.place(span);
        self.cx.prog.new_var(Var {
            name: ir::sym(name),
            ty: Ty::Ptr,
            owner: Some(self.id),
            kind: VarKind::Param,
            place,
            scope: Place::NONE,
            dtype: None,
        })
    }

    fn receive(&mut self, local: LocalId, arrived: VarId) {
        let info = &self.body.locals[local];
        self.declare(local);
        let value = self.cx.prog.exprs.var(arrived);
        match self.locals[local] {
            Some(Storage::Var(dst)) => {
                let value = self.convert(value, info.ty.id, info.span);
                self.emit(Op::Assign { dst, value }, info.span);
            }
            Some(Storage::Object(obj)) => {
                self.emit(Op::Begin { obj }, info.span);
                let addr = self.cx.prog.exprs.addr(obj);
                if self.cx.types.scalar(info.ty.id).is_some() {
                    let value = self.convert(value, info.ty.id, info.span);
                    self.emit(Op::Store { addr, value }, info.span);
                } else {
                    let size = self.cx.size_of(info.ty.id);
                    self.copy(addr, value, size, false, info.span);
                }
            }
            Some(Storage::Vla(_)) | None => self.cx.unsupported(info.span, "a parameter of this type"),
        }
    }

    /// A label of the source: a location of its own, that nothing else shares.
    pub fn label(&mut self, label: LabelId) {
        let loc = self.fresh_here();
        self.cx.prog.label_here(loc, self.body.labels[label].name);
        self.labels[label] = Some((loc, self.scope));
        if let Some(&id) = self.cx.labels.get(&(self.hir_id, label)) {
            self.cx.prog.labels[id].loc = loc;
        }
    }

    pub fn goto(&mut self, label: LabelId, span: Span) {
        if !self.is_dead() {
            let from = std::mem::take(&mut self.cursor);
            self.gotos.push(Goto { from, scope: self.scope, label, span });
        }
    }

    fn resolve_gotos(&mut self) {
        for Goto { from, scope, label, span } in std::mem::take(&mut self.gotos) {
            let Some((loc, label_scope)) = self.labels[label] else {
                self.cx.unsupported(span, "a jump into a statement expression");
                continue;
            };
            self.last_place = self.cx.place(span);
            self.cursor = from;
            self.cross(scope, label_scope);
            self.jump(&mut Target::at(loc));
        }
    }
}
