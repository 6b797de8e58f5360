//! Statements.

use cairn_base::{Diagnostic, EntityRef, Span, Symbol};
use cairn_csyntax::ast::{self, BlockItem, StmtKind as Ast};
use cairn_value::{Bits, IntTy};
use rustc_hash::FxHashMap;

use crate::check::{Checker, LabelState, OpenBlock, Res, SwitchState, error};
use crate::convert::{Into, Operand};
use crate::hir::{Block, Expr, ExprKind, Label, LabelId, Stmt, StmtKind};

impl Checker {
    /// The items of a block whose scope is open. Errors are reported item by item.
    pub(crate) fn block_items(&mut self, block: &ast::Block, out: &mut Vec<Stmt>) {
        self.local_labels(block);
        for item in &block.items {
            if self.give_up() {
                break;
            }
            if let Err(fail) = self.block_item(item, out) {
                self.report(fail);
                self.pending_vlas.clear();
            }
        }
        self.end_local_labels(block);
    }

    fn block_item(&mut self, item: &BlockItem, out: &mut Vec<Stmt>) -> Res<()> {
        match item {
            BlockItem::Decl(decl) => self.local_declaration(decl, out),
            BlockItem::Stmt(stmt) => self.stmt(stmt, out),
            BlockItem::StaticAssert(assert) => self.static_assert(assert),
            BlockItem::Function(def) => {
                self.break_name(&def.declarator);
                self.nested_function(def).map(|_| ())
            }
        }
    }

    fn local_labels(&mut self, block: &ast::Block) {
        if block.local_labels.is_empty() {
            return;
        }
        let Some(fun) = &mut self.fun else { return };
        let mut scope = FxHashMap::default();
        for &name in &block.local_labels {
            let id = fun.labels.push(Label { name, span: block.span, addr_taken: false });
            fun.label_state.push(LabelState { defined: false, used: None });
            scope.insert(name, id);
        }
        fun.label_scopes.push(scope);
    }

    fn end_local_labels(&mut self, block: &ast::Block) {
        if let Some(fun) = &mut self.fun
            && !block.local_labels.is_empty()
        {
            fun.label_scopes.pop();
        }
    }

    /// The label a name means here; a use may come before the definition.
    pub(crate) fn label(&mut self, name: Symbol, span: Span) -> Res<LabelId> {
        let fun = self.fun(span)?;
        let known = fun.label_scopes.iter().rev().find_map(|s| s.get(&name).copied());
        let id = match known {
            Some(id) => id,
            None => {
                let id = fun.labels.push(Label { name, span, addr_taken: false });
                fun.label_state.push(LabelState { defined: false, used: None });
                fun.label_scopes[0].insert(name, id);
                id
            }
        };
        fun.label_state[id.index()].used.get_or_insert(span);
        Ok(id)
    }

    fn define_label(&mut self, name: Symbol, span: Span) -> Res<LabelId> {
        let id = self.label(name, span)?;
        let fun = self.fun(span)?;
        let state = &mut fun.label_state[id.index()];
        if state.defined {
            let other = fun.labels[id].span;
            let message = format!("duplicate label '{name}'");
            return Err(Diagnostic::error(span, message)
                .note("previous definition is here", Some(other))
                .into());
        }
        state.defined = true;
        fun.labels[id].span = span;
        Ok(id)
    }

    /// Opens a scope and a block that ends where `span` does.
    fn open(&mut self, span: Span) {
        self.scopes.push();
        if let Some(fun) = &mut self.fun {
            fun.blocks.push(OpenBlock { locals: Vec::new(), end: span.hi });
        }
    }

    fn close(&mut self, stmts: Vec<Stmt>) -> Block {
        self.scopes.pop();
        let locals = self.fun.as_mut().and_then(|f| f.blocks.pop()).map_or(vec![], |b| b.locals);
        Block { locals, stmts }
    }

    pub(crate) fn stmt(&mut self, s: &ast::Stmt, out: &mut Vec<Stmt>) -> Res<()> {
        let span = s.span;
        let kind = match &s.kind {
            Ast::Empty => return Ok(()),
            Ast::Expr(e) => StmtKind::Expr(self.rvalue(e)?),
            Ast::Compound(block) => {
                self.open(span);
                let mut stmts = Vec::with_capacity(block.items.len());
                self.block_items(block, &mut stmts);
                StmtKind::Block(self.close(stmts))
            }
            Ast::If { cond, then, other } => self.if_stmt(cond, then, other.as_deref())?,
            Ast::Switch { value, body } => return self.switch(value, body, span, out),
            Ast::While { cond, body } => {
                let cond = self.scalar(cond)?;
                let body = self.loop_body(body);
                StmtKind::While { cond: Some(cond), step: None, body: Box::new(body) }
            }
            Ast::Do { body, cond } => {
                let body = self.loop_body(body);
                StmtKind::Do { body: Box::new(body), cond: self.scalar(cond)? }
            }
            Ast::For { init, cond, step, body } => {
                return self.for_stmt(init.as_deref(), cond.as_ref(), step.as_ref(), body, span, out);
            }
            Ast::Goto(name, name_span) => StmtKind::Goto(self.label(*name, *name_span)?),
            Ast::GotoPtr(e) => {
                let e = self.rvalue(e)?;
                let e = self.assign_to(e, self.common.void_ptr, Into::Assign)?;
                StmtKind::GotoPtr(e)
            }
            Ast::Continue => {
                if self.fun(span)?.loops == 0 {
                    return error(span, "continue statement not within a loop");
                }
                StmtKind::Continue
            }
            Ast::Break => {
                if self.fun(span)?.breakable == 0 {
                    return error(span, "break statement not within loop or switch");
                }
                StmtKind::Break
            }
            Ast::Return(value) => return self.return_stmt(value.as_ref(), span, out),
            Ast::Label { name, stmt } => {
                let label_span = Span { hi: span.lo + name.len() as u32, ..span };
                let label = self.define_label(*name, label_span)?;
                out.push(Stmt { kind: StmtKind::Label(label), span: label_span });
                return self.stmt(stmt, out);
            }
            Ast::Case { low, high, stmt } => {
                self.case(low, high.as_ref(), span, out)?;
                return self.stmt(stmt, out);
            }
            Ast::Default { stmt } => {
                let Some(switch) = self.fun(span)?.switches.last_mut() else {
                    return error(span, "'default' label not within a switch statement");
                };
                if let Some(other) = switch.default.replace(span) {
                    let message = "multiple default labels in one switch";
                    return Err(Diagnostic::error(span, message)
                        .note("this is the first default label", Some(other))
                        .into());
                }
                out.push(Stmt { kind: StmtKind::Default, span });
                return self.stmt(stmt, out);
            }
            Ast::Asm(asm) => return self.asm(asm, out),
        };
        out.push(Stmt { kind, span });
        Ok(())
    }

    /// A controlling expression.
    fn scalar(&mut self, e: &ast::Expr) -> Res<Expr> {
        let value = self.rvalue(e)?;
        self.condition(value)
    }

    /// A statement that is a block of its own. Errors are reported here.
    fn substatement(&mut self, s: &ast::Stmt) -> Stmt {
        if let Ast::Compound(_) = s.kind {
            let mut out = Vec::with_capacity(1);
            if let Err(fail) = self.stmt(s, &mut out) {
                self.report(fail);
            }
            return out.pop().unwrap_or(Stmt { kind: StmtKind::Nop, span: s.span });
        }
        self.open(s.span);
        let mut stmts = Vec::with_capacity(1);
        if let Err(fail) = self.stmt(s, &mut stmts) {
            self.report(fail);
            self.pending_vlas.clear();
        }
        let block = self.close(stmts);
        single(block, s.span)
    }

    fn loop_body(&mut self, body: &ast::Stmt) -> Stmt {
        if let Some(fun) = &mut self.fun {
            fun.loops += 1;
            fun.breakable += 1;
        }
        let stmt = self.substatement(body);
        if let Some(fun) = &mut self.fun {
            fun.loops -= 1;
            fun.breakable -= 1;
        }
        stmt
    }

    fn if_stmt(&mut self, cond: &ast::Expr, then: &ast::Stmt, other: Option<&ast::Stmt>) -> Res<StmtKind> {
        let cond = self.scalar(cond);
        let then = Box::new(self.substatement(then));
        let other = other.map(|s| Box::new(self.substatement(s)));
        Ok(StmtKind::If { cond: cond?, then, other })
    }

    fn for_stmt(
        &mut self,
        init: Option<&BlockItem>,
        cond: Option<&ast::Expr>,
        step: Option<&ast::Expr>,
        body: &ast::Stmt,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Res<()> {
        self.open(span);
        let mut stmts = Vec::with_capacity(2);
        let result = self.for_parts(init, cond, step, body, span, &mut stmts);
        let block = self.close(stmts);
        result?;
        if block.locals.is_empty() {
            out.extend(block.stmts);
        } else {
            out.push(Stmt { kind: StmtKind::Block(block), span });
        }
        Ok(())
    }

    fn for_parts(
        &mut self,
        init: Option<&BlockItem>,
        cond: Option<&ast::Expr>,
        step: Option<&ast::Expr>,
        body: &ast::Stmt,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Res<()> {
        if let Some(init) = init {
            self.block_item(init, out)?;
        }
        let cond = match cond {
            Some(e) => Some(self.scalar(e)?),
            None => None,
        };
        let step = match step {
            Some(e) => Some(self.rvalue(e)?),
            None => None,
        };
        let body = Box::new(self.loop_body(body));
        out.push(Stmt { kind: StmtKind::While { cond, step, body }, span });
        Ok(())
    }

    fn switch(&mut self, value: &ast::Expr, body: &ast::Stmt, span: Span, out: &mut Vec<Stmt>) -> Res<()> {
        let value = self.rvalue(value)?;
        if !self.is_integer(value.ty) {
            return error(value.span, "switch quantity not an integer");
        }
        let value = self.promote(value);
        let fun = self.fun(span)?;
        fun.switches.push(SwitchState { ty: value.ty, cases: Vec::new(), default: None });
        fun.breakable += 1;
        let mut body = self.substatement(body);
        let fun = self.fun(span)?;
        fun.breakable -= 1;
        let Some(state) = fun.switches.pop() else { return Ok(()) };
        let int = self.types.integer_of(value.ty).unwrap_or(IntTy::I32);
        let order = |a: Bits| if int.signed { (int.number(a) as u128) ^ (1 << 127) } else { a };
        let mut sorted: Vec<usize> = (0..state.cases.len()).collect();
        sorted.sort_by_key(|&i| order(state.cases[i].0));
        for pair in sorted.windows(2) {
            let (a, b) = (&state.cases[pair[0]], &state.cases[pair[1]]);
            if order(a.1) >= order(b.0) {
                let (first, second) = if pair[0] < pair[1] { (a, b) } else { (b, a) };
                let duplicate = Diagnostic::error(second.2, "duplicate case value");
                return Err(duplicate.note("previously used here", Some(first.2)).into());
            }
        }
        let mut number = vec![0; sorted.len()];
        for (new, &old) in sorted.iter().enumerate() {
            number[old] = new as u32;
        }
        if sorted.iter().enumerate().any(|(new, &old)| new != old) {
            renumber(&mut body, &number);
        }
        let cases = sorted.iter().map(|&i| (state.cases[i].0, state.cases[i].1)).collect();
        let kind =
            StmtKind::Switch { value, cases, has_default: state.default.is_some(), body: Box::new(body) };
        out.push(Stmt { kind, span });
        Ok(())
    }

    fn case(
        &mut self,
        low: &ast::Expr,
        high: Option<&ast::Expr>,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Res<()> {
        let Some(switch) = self.fun(span)?.switches.last() else {
            return error(span, "case label not within a switch statement");
        };
        let ty = switch.ty;
        let first = self.case_value(low, ty)?;
        let last = match high {
            Some(e) => self.case_value(e, ty)?,
            None => first,
        };
        let int = self.types.integer_of(ty).unwrap_or(IntTy::I32);
        let empty = if int.signed { int.number(first) > int.number(last) } else { first > last };
        // An empty range is no case at all.
        if !empty && let Some(switch) = self.fun(span)?.switches.last_mut() {
            switch.cases.push((first, last, low.span));
            let n = switch.cases.len() as u32 - 1;
            out.push(Stmt { kind: StmtKind::Case(n), span: low.span });
        }
        Ok(())
    }

    fn case_value(&mut self, e: &ast::Expr, ty: crate::types::TypeId) -> Res<Bits> {
        let value = self.rvalue(e)?;
        let message = "case label does not reduce to an integer constant";
        if !self.is_integer(value.ty) {
            return error(e.span, message);
        }
        match self.eval_scalar(&value).and_then(|v| self.convert(v, value.ty, ty)) {
            Some(crate::consteval::Const::Num(bits)) => Ok(bits),
            _ => error(e.span, message),
        }
    }

    fn return_stmt(&mut self, value: Option<&ast::Expr>, span: Span, out: &mut Vec<Stmt>) -> Res<()> {
        let ret = self.fun(span)?.ret;
        let result = match value {
            None => None,
            Some(e) => {
                let value = self.rvalue(e)?;
                if ret.id == self.common.void {
                    // gcc evaluates what a void function is said to return.
                    out.push(Stmt { kind: StmtKind::Expr(value), span });
                    None
                } else {
                    Some(self.assign_to(value, ret.id, Into::Return)?)
                }
            }
        };
        out.push(Stmt { kind: StmtKind::Return(result), span });
        Ok(())
    }

    /// `({ … })`: the value is that of the last statement if it is an expression.
    pub(crate) fn statement_expr(&mut self, block: &ast::Block, span: Span) -> Res<Operand> {
        if self.fun.is_none() {
            return error(span, "braced-group within expression allowed only inside a function");
        }
        self.open(span);
        let outer_vlas = std::mem::take(&mut self.pending_vlas);
        let mut stmts = Vec::with_capacity(block.items.len());
        self.local_labels(block);
        let mut value = None;
        let mut failed = None;
        for (i, item) in block.items.iter().enumerate() {
            let last = i + 1 == block.items.len();
            let result = match item {
                BlockItem::Stmt(s) if last => self.last_statement(s, &mut stmts, &mut value),
                _ => self.block_item(item, &mut stmts),
            };
            if let Err(fail) = result {
                failed = Some(fail);
                break;
            }
        }
        self.end_local_labels(block);
        let block = self.close(stmts);
        self.pending_vlas = outer_vlas;
        if let Some(fail) = failed {
            return Err(fail);
        }
        let ty = value.as_ref().map_or(self.common.void, |v: &Expr| v.ty);
        let value = value.map(Box::new);
        Ok(Operand::Value(Expr { kind: ExprKind::StmtExpr { block, value }, ty, span }))
    }

    fn last_statement(&mut self, s: &ast::Stmt, out: &mut Vec<Stmt>, value: &mut Option<Expr>) -> Res<()> {
        match &s.kind {
            Ast::Expr(e) => {
                let e = self.rvalue(e)?;
                if e.ty == self.common.void {
                    out.push(Stmt { kind: StmtKind::Expr(e), span: s.span });
                } else {
                    *value = Some(e);
                }
                Ok(())
            }
            Ast::Label { name, stmt } => {
                let label_span = Span { hi: s.span.lo + name.len() as u32, ..s.span };
                let label = self.define_label(*name, label_span)?;
                out.push(Stmt { kind: StmtKind::Label(label), span: label_span });
                self.last_statement(stmt, out, value)
            }
            _ => self.stmt(s, out),
        }
    }
}

fn single(mut block: Block, span: Span) -> Stmt {
    if block.locals.is_empty()
        && block.stmts.len() == 1
        && let Some(stmt) = block.stmts.pop()
    {
        return stmt;
    }
    if block.locals.is_empty() && block.stmts.is_empty() {
        return Stmt { kind: StmtKind::Nop, span };
    }
    Stmt { kind: StmtKind::Block(block), span }
}

/// Gives the cases of one switch their final numbers.
fn renumber(s: &mut Stmt, number: &[u32]) {
    match &mut s.kind {
        StmtKind::Case(n) => *n = number[*n as usize],
        StmtKind::Block(block) => block.stmts.iter_mut().for_each(|s| renumber(s, number)),
        StmtKind::If { then, other, .. } => {
            renumber(then, number);
            if let Some(other) = other {
                renumber(other, number);
            }
        }
        StmtKind::While { body, .. } | StmtKind::Do { body, .. } => renumber(body, number),
        _ => {}
    }
}
