//! What evaluating an expression may change. Operands are evaluated from left to
//! right; a tree built for an earlier operand is only read later, so its value
//! is saved first if a later operand may change a variable in it.

use cairn_base::Span;
use cairn_ctyped::hir::{Callee, Expr, ExprKind, LValue, LValueKind, Size};
use cairn_ir::{BinOp, ExprId, UnOp, VarId, VarKind};

use super::Storage;
use super::func::Fun;

/// Nodes looked at before giving up (and saving more than needed), so that the question stays
/// cheap however deep the tree is.
const FUEL: u32 = 64;

/// Nodes that a conditionally evaluated operand may have to stay part of a tree.
const CHEAP: u32 = 8;

#[derive(Default)]
pub(super) struct Effects {
    /// Anything may change.
    all: bool,
    /// A function is called: globals and memory may change.
    calls: bool,
    stores: bool,
    vars: Vec<VarId>,
    looked: u32,
}

impl Effects {
    pub fn change_memory(&self) -> bool {
        self.all || self.calls || self.stores
    }

    fn is_empty(&self) -> bool {
        !self.change_memory() && self.vars.is_empty()
    }
}

impl Fun<'_, '_> {
    pub fn effects(&self, e: &Expr) -> Effects {
        let mut out = Effects::default();
        self.collect(e, &mut out);
        out
    }

    /// Saves `value` now if evaluating what comes `next` may change it.
    pub fn protect(&mut self, value: ExprId, next: &Effects, span: Span) -> ExprId {
        if next.is_empty() || !self.may_change(value, next) {
            return value;
        }
        self.save(value, span)
    }

    fn may_change(&self, value: ExprId, next: &Effects) -> bool {
        let mut changes = false;
        self.cx.prog.exprs.each_var(value, &mut |v| {
            let kind = self.cx.prog.vars[v].kind;
            changes |= match kind {
                VarKind::Temp => false,
                VarKind::Global { .. } => next.all || next.calls || next.vars.contains(&v),
                VarKind::Param | VarKind::Local => next.all || next.vars.contains(&v),
            };
        });
        changes
    }

    fn collect(&self, e: &Expr, out: &mut Effects) {
        out.looked += 1;
        if out.all || out.looked > FUEL {
            out.all = true;
            return;
        }
        use ExprKind::*;
        match &e.kind {
            Const(_) | FuncAddr(_) | LabelAddr(_) | VlaLen(_) | Unreachable | Trap | Unknown | VaArgPack
            | VaArgPackLen => {}
            Read(lv) | AddrOf(lv) => self.collect_lvalue(lv, out),
            Unary(_, a) | LogNot(a) | Cast(a) => self.collect(a, out),
            Alloca(a) | VaEnd { list: a } => self.collect(a, out),
            Binary { lhs, rhs, .. } => {
                self.collect(lhs, out);
                self.collect(rhs, out);
            }
            PtrAdd { ptr: a, index: b, size, .. } | PtrDiff { lhs: a, rhs: b, size } => {
                self.collect(a, out);
                self.collect(b, out);
                if let Size::Dyn(s) = size {
                    self.collect(s, out);
                }
            }
            LogAnd(a, b) | LogOr(a, b) | Comma(a, b) => {
                self.collect(a, out);
                self.collect(b, out);
            }
            Cond { cond, then, other } => {
                self.collect(cond, out);
                if let Some(then) = then {
                    self.collect(then, out);
                }
                self.collect(other, out);
            }
            Assign { dst, value } => {
                self.collect(value, out);
                self.collect_write(dst, out);
            }
            AssignOp { dst, rhs, .. } => {
                self.collect(rhs, out);
                self.collect_write(dst, out);
            }
            AssignPtr { dst, index, .. } => {
                self.collect(index, out);
                self.collect_write(dst, out);
            }
            IncDec { dst, .. } => self.collect_write(dst, out),
            Call { callee, args } => {
                out.calls = true;
                if let Callee::Ptr(p) = callee {
                    self.collect(p, out);
                }
                for a in args {
                    self.collect(a, out);
                }
            }
            VaStart { list } | VaArg { list } => {
                out.stores = true;
                self.collect(list, out);
            }
            VaCopy { dst, src } => {
                out.stores = true;
                self.collect(dst, out);
                self.collect(src, out);
            }
            Overflow { lhs, rhs, result, .. } => {
                out.stores = true;
                self.collect(lhs, out);
                self.collect(rhs, out);
                if let Some(r) = result {
                    self.collect(r, out);
                }
            }
            StmtExpr { .. } | WithVla { .. } => out.all = true,
        }
    }

    fn collect_write(&self, lv: &LValue, out: &mut Effects) {
        match self.variable(lv) {
            Some(v) => out.vars.push(v),
            None => {
                out.stores = true;
                self.collect_lvalue(lv, out);
            }
        }
    }

    fn collect_lvalue(&self, lv: &LValue, out: &mut Effects) {
        match &lv.kind {
            LValueKind::Local(_) | LValueKind::Global(_) => {}
            LValueKind::Deref(p) => self.collect(p, out),
            LValueKind::Member { base, .. } => self.collect_lvalue(base, out),
            LValueKind::Temp(e) => self.collect(e, out),
            LValueKind::Compound { init, .. } => {
                out.stores = true;
                for item in &init.items {
                    self.collect(&item.value, out);
                }
            }
        }
    }

    /// The variable an lvalue names, if it is one.
    pub fn variable(&self, lv: &LValue) -> Option<VarId> {
        let storage = match lv.kind {
            LValueKind::Local(l) => self.locals[l],
            LValueKind::Global(g) => self.cx.known_global(g),
            _ => None,
        };
        match storage {
            Some(Storage::Var(v)) => Some(v),
            _ => None,
        }
    }

    /// May `e` be a side of a `Select`, rather than a way of its own?
    pub fn is_select(&self, e: &Expr) -> bool {
        let decisions = self.cx.keep_decisions && !self.cx.prog.funcs[self.id].is_model;
        !decisions && self.is_cheap(e)
    }

    /// Can `e` be evaluated without any edge, always defined, by few operations?
    fn is_cheap(&self, e: &Expr) -> bool {
        let mut fuel = CHEAP;
        self.cheap(e, &mut fuel)
    }

    fn cheap(&self, e: &Expr, fuel: &mut u32) -> bool {
        if *fuel == 0 {
            return false;
        }
        *fuel -= 1;
        use ExprKind::*;
        match &e.kind {
            Const(_) | FuncAddr(_) | LabelAddr(_) => true,
            Read(lv) => self.variable(lv).is_some(),
            AddrOf(lv) => self.is_static_place(lv),
            Unary(op, a) => !matches!(op, UnOp::Clz | UnOp::Ctz) && self.cheap(a, fuel),
            LogNot(a) => self.cheap(a, fuel),
            Cast(a) => {
                let (from, to) = (self.cx.types.scalar(a.ty), self.cx.types.scalar(e.ty));
                let to_bool = matches!(self.cx.types.get(e.ty), cairn_ctyped::types::Type::Bool);
                let partial =
                    matches!((from, to), (Some(cairn_ir::Ty::Float(_)), Some(cairn_ir::Ty::Int(_))));
                from.is_some() && to.is_some() && (to_bool || !partial) && self.cheap(a, fuel)
            }
            Binary { op, lhs, rhs, .. } => {
                let defined = match op {
                    BinOp::Div | BinOp::Rem | BinOp::Shl | BinOp::Shr => self.is_safe_right(*op, e, rhs),
                    _ => true,
                };
                defined && self.cheap(lhs, fuel) && self.cheap(rhs, fuel)
            }
            PtrAdd { ptr, index, size: Size::Const(_), .. } => {
                self.cheap(ptr, fuel) && self.cheap(index, fuel)
            }
            LogAnd(a, b) | LogOr(a, b) => self.cheap(a, fuel) && self.cheap(b, fuel),
            Cond { cond, then: Some(then), other } => {
                self.cheap(cond, fuel) && self.cheap(then, fuel) && self.cheap(other, fuel)
            }
            _ => false,
        }
    }

    /// Division by a constant other than 0 and -1, shift by a constant less than the width.
    fn is_safe_right(&self, op: BinOp, e: &Expr, rhs: &Expr) -> bool {
        let width = match self.cx.types.scalar(e.ty) {
            Some(cairn_ir::Ty::Int(i)) => i,
            Some(cairn_ir::Ty::Float(_)) => return true,
            _ => return false,
        };
        let ExprKind::Const(bits) = rhs.kind else { return false };
        match op {
            BinOp::Div | BinOp::Rem => bits != 0 && (!width.signed || bits != width.mask()),
            _ => bits < width.bits.into(),
        }
    }

    /// Is the address of the place a constant of the function's frame?
    pub fn is_static_place(&self, lv: &LValue) -> bool {
        match &lv.kind {
            LValueKind::Local(l) => matches!(self.locals[*l], Some(Storage::Object(_))),
            LValueKind::Global(_) => true,
            LValueKind::Member { base, .. } => self.is_static_place(base),
            _ => false,
        }
    }
}
