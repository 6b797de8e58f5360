//! What runs outside of `main`: functions marked `constructor` are called when
//! `main` starts, those marked `destructor` are handed to `atexit` before that,
//! so that they run last.

use cairn_base::{Diagnostic, Span, sym};

use crate::attrs::Attrs;
use crate::check::Checker;
use crate::hir::{Callee, Expr, ExprKind, FuncId, Stmt, StmtKind};
use crate::link::{Def, FuncDecl, Linked};
use crate::types::{FuncType, QType, Type};

impl Checker {
    /// A unit with destructors needs `atexit`.
    pub(crate) fn require_atexit(&mut self) {
        if self.func_links.values().any(|l| l.destructor.is_some() && l.def != Def::None) {
            self.atexit();
        }
    }

    /// `int atexit(void (*)(void))`, declared if it is not.
    fn atexit(&mut self) -> Option<FuncId> {
        let name = sym("atexit");
        let id = match self.externs.get(&name) {
            Some(&Linked::Func(id)) => Some(id),
            Some(Linked::Global(_)) => None,
            None => {
                let void = QType::plain(self.common.void);
                let handler = FuncType { ret: void, params: vec![], variadic: false, prototyped: true };
                let handler = QType::plain(self.types.intern(Type::Function(handler)));
                let param = self.pointer_to(handler);
                let ret = QType::plain(self.common.int);
                let ty = FuncType { ret, params: vec![param], variadic: false, prototyped: true };
                let ty = self.types.intern(Type::Function(ty));
                let span = Span::new(cairn_base::EntityRef::new(0), 0, 0);
                let attrs = Attrs::default();
                let decl = FuncDecl {
                    name,
                    span,
                    ty,
                    storage: None,
                    noreturn: false,
                    attrs: &attrs,
                    asm_label: None,
                    in_file: true,
                };
                self.declare_function(decl).ok()
            }
        }?;
        self.func_links[id].used = true;
        Some(id)
    }

    /// Puts the calls at the start of `main`.
    pub(crate) fn call_constructors(&mut self) {
        let Some(&Linked::Func(main)) = self.externs.get(&sym("main")) else { return };
        // Definitions of one priority run in order, destructors in the opposite one; `atexit`
        // turns its order around by itself.
        let ordered = |this: &Checker, priority: fn(&crate::link::FuncLink) -> Option<u32>| {
            let mut found: Vec<(u32, FuncId)> = this
                .funcs
                .keys()
                .filter(|&f| this.func_links[f].def != Def::None)
                .filter_map(|f| priority(&this.func_links[f]).map(|p| (p, f)))
                .collect();
            found.sort_by_key(|&(p, f)| (p, this.funcs[f].span.src, this.funcs[f].span.lo));
            found.into_iter().map(|(_, f)| f).collect::<Vec<FuncId>>()
        };
        let constructors = ordered(self, |l| l.constructor);
        let destructors = ordered(self, |l| l.destructor);
        if constructors.is_empty() && destructors.is_empty() {
            return;
        }
        let span = self.funcs[main].span;
        if self.func_links[main].used {
            let message = "'main' is called in a program with constructors or destructors";
            return self.make_unsupported(main, Diagnostic::unsupported(span, message));
        }
        let mut calls = Vec::new();
        if !destructors.is_empty()
            && let Some(atexit) = self.atexit()
        {
            for f in destructors {
                let ty = self.pointer_to(QType::plain(self.funcs[f].ty));
                let handler = Expr { kind: ExprKind::FuncAddr(f), ty, span };
                calls.push(call(atexit, vec![handler], self.common.int, span));
            }
        }
        for f in constructors {
            let Type::Function(ty) = self.types.get(self.funcs[f].ty) else { continue };
            if !ty.params.is_empty() {
                let at = self.funcs[f].span;
                let message = "constructor with parameters";
                return self.make_unsupported(main, Diagnostic::unsupported(at, message));
            }
            let ret = ty.ret.id;
            calls.push(call(f, vec![], ret, span));
        }
        if let Some(body) = &mut self.funcs[main].body {
            calls.append(&mut body.block.stmts);
            body.block.stmts = calls;
        }
    }
}

fn call(f: FuncId, args: Vec<Expr>, ty: crate::types::TypeId, span: Span) -> Stmt {
    let call = Expr { kind: ExprKind::Call { callee: Callee::Func(f), args }, ty, span };
    Stmt { kind: StmtKind::Expr(call), span }
}
