//! Statements.

use cairn_base::Span;
use cairn_ctyped::hir::{Block, Expr, ExprKind, LocalId, LocalInit, Stmt, StmtKind};
use cairn_ctyped::types::VlaId;
use cairn_ir::{AllocKind, BinOp, IntTy, LocId, Op, Site, Trap, Ty};

use super::cursor::{Cursor, Target};
use super::func::{Exit, Exits, Fun};
use super::{Storage, at};

impl Fun<'_, '_> {
    pub fn stmt(&mut self, stmt: &Stmt) {
        if self.is_dead() && !has_entry(stmt) {
            return;
        }
        match &stmt.kind {
            StmtKind::Expr(e) => self.effect(e),
            StmtKind::Decl { local, init } => self.decl(*local, init.as_ref(), stmt.span),
            StmtKind::SetVla { vla, len } => self.set_vla(*vla, len),
            StmtKind::Block(block) => {
                self.block(block);
                self.leave();
            }
            StmtKind::If { cond, then, other } => self.if_stmt(cond, then, other.as_deref()),
            StmtKind::While { cond, step, body } => {
                self.while_stmt(cond.as_ref(), step.as_ref(), body, stmt.span);
            }
            StmtKind::Do { body, cond } => self.do_stmt(body, cond, stmt.span),
            StmtKind::Switch { value, cases, has_default, body } => {
                self.switch(value, cases, *has_default, body, stmt.span);
            }
            StmtKind::Case(n) => self.case(*n, stmt.span),
            StmtKind::Default => self.default(stmt.span),
            StmtKind::Label(label) => self.label(*label),
            StmtKind::Goto(label) => self.goto(*label, stmt.span),
            StmtKind::GotoPtr(target) => self.goto_ptr(target, stmt.span),
            StmtKind::Break => self.exit_to(innermost_break, "break", stmt.span),
            StmtKind::Continue => self.exit_to(innermost_continue, "continue", stmt.span),
            StmtKind::Return(value) => self.return_stmt(value.as_ref(), stmt.span),
            StmtKind::Nop => {}
            StmtKind::Asm => {
                let place = self.cx.place(stmt.span);
                let at = at(&self.cx.prog, place);
                let text = format!("the assembly at {at} changes nothing but its outputs");
                self.cx.prog.suppose(Site::Func(self.id), text);
            }
        }
    }

    /// A block without its end: the caller calls `leave`.
    pub fn block(&mut self, block: &Block) {
        self.enter(&block.locals);
        for stmt in &block.stmts {
            self.stmt(stmt);
        }
    }

    fn if_stmt(&mut self, cond: &Expr, then: &Stmt, other: Option<&Stmt>) {
        let (mut yes, mut no) = (Target::default(), Target::default());
        if let Some(exit) = self.plain_exit(then) {
            // `if (c) break;`: the condition itself leads out.
            yes = exit(&mut self.exits).map_or(yes, |e| e.target);
            self.branch(cond, &mut yes, &mut no);
            if let Some(e) = exit(&mut self.exits) {
                e.target = yes;
            }
        } else {
            self.branch(cond, &mut yes, &mut no);
            self.bind(yes);
            self.stmt(then);
        }
        if let Some(other) = other {
            let mut end = Target::default();
            self.jump(&mut end);
            self.bind(no);
            self.stmt(other);
            no = end;
        }
        self.jump(&mut no);
        self.bind(no);
    }

    /// The location a loop comes back to.
    fn loop_head(&mut self, span: Span) -> LocId {
        let head = self.shared_here();
        let place = self.cx.place(span);
        self.cx.prog.locs[head].loop_stmt = Some(place);
        head
    }

    fn while_stmt(&mut self, cond: Option<&Expr>, step: Option<&Expr>, body: &Stmt, span: Span) {
        let head = self.loop_head(span);
        let (mut yes, mut no) = (Target::default(), Target::default());
        match cond.filter(|c| !self.is_always_true(c)) {
            Some(cond) => self.branch(cond, &mut yes, &mut no),
            // The head is the body's first location.
            None => yes = Target::at(head),
        }
        self.cursor = Cursor::Dead;
        self.bind(yes);
        let next = if step.is_some() { Target::default() } else { Target::at(head) };
        self.exits.breaks.push(Exit { target: no, scope: self.scope });
        self.exits.continues.push(Exit { target: next, scope: self.scope });
        self.stmt(body);
        let mut next = self.exits.continues.pop().map_or(next, |e| e.target);
        let end = self.exits.breaks.pop().map_or(no, |e| e.target);
        if let Some(step) = step {
            self.jump(&mut next);
            self.bind(next);
            self.effect(step);
        }
        self.jump(&mut Target::at(head));
        self.bind(end);
    }

    fn is_always_true(&self, cond: &Expr) -> bool {
        let is_int = matches!(self.cx.types.scalar(cond.ty), Some(Ty::Int(_)));
        is_int && matches!(cond.kind, ExprKind::Const(bits) if bits != 0)
    }

    fn do_stmt(&mut self, body: &Stmt, cond: &Expr, span: Span) {
        let head = self.loop_head(span);
        self.exits.breaks.push(Exit { target: Target::default(), scope: self.scope });
        self.exits.continues.push(Exit { target: Target::default(), scope: self.scope });
        self.stmt(body);
        let mut next = self.exits.continues.pop().map_or_else(Target::default, |e| e.target);
        let mut end = self.exits.breaks.pop().map_or_else(Target::default, |e| e.target);
        self.jump(&mut next);
        self.bind(next);
        self.branch(cond, &mut Target::at(head), &mut end);
        self.bind(end);
    }

    /// The exit that a statement consists of, if no lifetime ends on the way.
    fn plain_exit(&mut self, stmt: &Stmt) -> Option<FindExit> {
        let exit: FindExit = match &stmt.kind {
            StmtKind::Break => innermost_break,
            StmtKind::Continue => innermost_continue,
            StmtKind::Block(b) if b.locals.is_empty() && b.stmts.len() == 1 => {
                return self.plain_exit(&b.stmts[0]);
            }
            _ => return None,
        };
        let scope = exit(&mut self.exits)?.scope;
        (!self.begins_between(scope, self.scope)).then_some(exit)
    }

    /// `break` and `continue`.
    fn exit_to(&mut self, exit: FindExit, what: &str, span: Span) {
        let Some((scope, mut target)) = exit(&mut self.exits).map(|e| (e.scope, e.target)) else {
            return self.cx.unsupported(span, format!("`{what}` outside of any loop"));
        };
        self.last_place = self.cx.place(span);
        self.cross(self.scope, scope);
        self.jump(&mut target);
        if let Some(e) = exit(&mut self.exits) {
            e.target = target;
        }
    }

    fn return_stmt(&mut self, value: Option<&Expr>, span: Span) {
        let result = match value {
            None => None,
            Some(e) if self.cx.is_aggregate(e.ty) => {
                let src = self.aggregate(e);
                if let Some(result) = self.result {
                    let dst = self.cx.prog.exprs.var(result);
                    let size = self.cx.size_of(e.ty);
                    // The result may go into the very object it is computed from.
                    self.copy(dst, src, size, true, span);
                }
                None
            }
            // `return f();` in a function without result
            Some(e) if self.cx.prog.funcs[self.id].sig.ret.is_none() => {
                self.effect(e);
                None
            }
            Some(e) => Some(self.value(e)),
        };
        self.return_value(result, span);
    }

    /// `goto *target`: compared with every label of the function whose address is taken.
    fn goto_ptr(&mut self, target: &Expr, span: Span) {
        let value = self.value(target);
        let value = self.atom(value, span);
        let body = self.body;
        for (label, _) in body.labels.iter().filter(|(_, l)| l.addr_taken) {
            let Some(&id) = self.cx.labels.get(&(self.hir_id, label)) else { continue };
            let here = self.cx.prog.exprs.label(id);
            let same = self.cx.prog.exprs.binary(BinOp::Eq, value, here);
            let (mut yes, mut no) = (Target::default(), Target::default());
            self.split(same, &mut yes, &mut no, span, None);
            self.bind(yes);
            self.goto(label, span);
            self.bind(no);
        }
        self.emit_end(Op::Trap(Trap::BadGoto), span);
    }

    /// A declaration is reached. One without initialiser keeps what the variable held: an older
    /// value of the same block, where C has an indeterminate one.
    fn decl(&mut self, local: LocalId, init: Option<&LocalInit>, span: Span) {
        match self.locals[local] {
            Some(Storage::Var(dst)) => match init {
                None => {}
                Some(init) => self.init_var(dst, local, init, span),
            },
            Some(Storage::Object(obj)) => {
                if let Some(init) = init {
                    let addr = self.cx.prog.exprs.addr(obj);
                    let size = self.cx.size_of(self.body.locals[local].ty.id);
                    self.init_memory(addr, size, init, span);
                }
            }
            Some(Storage::Vla(dst)) => {
                if !self.body.labels.is_empty() {
                    // Jumping back over the declaration ends the array of the first pass.
                    let ptr = self.cx.prog.exprs.var(dst);
                    self.emit(Op::Free { ptr, kind: AllocKind::Vla }, span);
                }
                let size = self.dynamic_size(self.body.locals[local].ty.id, span);
                self.emit(Op::Alloc { dst, size, kind: AllocKind::Vla, zeroed: false }, span);
                if let Some(init) = init {
                    // Only the empty initialiser is allowed, which zeroes.
                    let addr = self.cx.prog.exprs.var(dst);
                    if init.zero_fill {
                        let byte = self.cx.prog.exprs.int(IntTy::I32, 0);
                        self.emit(Op::Fill { dst: addr, byte, size }, span);
                    }
                    if !init.items.is_empty() {
                        self.cx.unsupported(span, "an initialiser of a variable-length array");
                    }
                }
            }
            None => self.cx.unsupported(span, "a declaration outside of its block"),
        }
    }

    /// Sets the length of a variable-length array type.
    pub fn set_vla(&mut self, vla: VlaId, len: &Expr) {
        let span = len.span;
        let value = self.value(len);
        let size = Ty::Int(IntTy::size(self.cx.prog.model));
        let diff = IntTy::diff(self.cx.prog.model);
        let value = self.cx.prog.exprs.cast(size, value);
        let dst = self.vla_len(vla, span);
        self.emit(Op::Assign { dst, value }, span);
        let x = &mut self.cx.prog.exprs;
        let signed = x.var(dst);
        let signed = x.cast(Ty::Int(diff), signed);
        let zero = x.int(diff, 0);
        let positive = x.binary(BinOp::Lt, zero, signed);
        let (mut good, mut bad) = (Target::default(), Target::default());
        self.split(positive, &mut good, &mut bad, span, None);
        self.bind(bad);
        self.emit_end(Op::Trap(Trap::BadVla), span);
        self.bind(good);
    }
}

type FindExit = fn(&mut Exits) -> Option<&mut Exit>;

fn innermost_break(exits: &mut Exits) -> Option<&mut Exit> {
    exits.breaks.last_mut()
}

fn innermost_continue(exits: &mut Exits) -> Option<&mut Exit> {
    exits.continues.last_mut()
}

/// Can control enter the statement other than at its start? (Nothing may jump into a statement
/// expression, so expressions need no look.)
fn has_entry(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Label(_) | StmtKind::Case(_) | StmtKind::Default => true,
        StmtKind::Block(block) => block.stmts.iter().any(has_entry),
        StmtKind::If { then, other, .. } => has_entry(then) || other.as_deref().is_some_and(has_entry),
        StmtKind::While { body, .. } | StmtKind::Do { body, .. } => has_entry(body),
        // Its own cases can be entered only through its head, which is dead here as well.
        StmtKind::Switch { body, .. } => has_label(body),
        _ => false,
    }
}

fn has_label(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Label(_) => true,
        StmtKind::Block(block) => block.stmts.iter().any(has_label),
        StmtKind::If { then, other, .. } => has_label(then) || other.as_deref().is_some_and(has_label),
        StmtKind::While { body, .. } | StmtKind::Do { body, .. } | StmtKind::Switch { body, .. } => {
            has_label(body)
        }
        _ => false,
    }
}
