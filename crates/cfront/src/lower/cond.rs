//! Truth: conditions as `bool` expressions where they are cheap, as branches
//! where they decide control flow or where their parts have effects.

use cairn_ctyped::hir::{Expr, ExprKind};
use cairn_ctyped::types::{Type, TypeId};
use cairn_ir::{BinOp, ExprId, Op, Ty, UnOp};

use super::cursor::Target;
use super::decision::Branching;
use super::func::Fun;

impl Fun<'_, '_> {
    /// Goes to `yes` or `no`, which is a decision; each atomic condition becomes a branch of its own.
    pub fn branch(&mut self, e: &Expr, yes: &mut Target, no: &mut Target) {
        let decision = self.cx.new_decision(e.span);
        self.branch_of(decision, e, yes, no);
    }

    /// The part of a decision that `e` makes.
    fn branch_of(&mut self, d: Branching, e: &Expr, yes: &mut Target, no: &mut Target) {
        match &e.kind {
            ExprKind::LogNot(a) => self.branch_of(d.negated(), a, no, yes),
            ExprKind::LogAnd(a, b) => {
                let mut rest = Target::default();
                self.branch_of(Branching { yes: None, ..d }, a, &mut rest, no);
                self.bind(rest);
                self.branch_of(d, b, yes, no);
            }
            ExprKind::LogOr(a, b) => {
                let mut rest = Target::default();
                self.branch_of(Branching { no: None, ..d }, a, yes, &mut rest);
                self.bind(rest);
                self.branch_of(d, b, yes, no);
            }
            ExprKind::Cond { cond, then: Some(then), other } => {
                let (mut left, mut right) = (Target::default(), Target::default());
                self.branch(cond, &mut left, &mut right);
                self.bind(left);
                self.branch_of(d, then, yes, no);
                self.bind(right);
                self.branch_of(d, other, yes, no);
            }
            ExprKind::Comma(a, b) => {
                self.effect(a);
                self.branch_of(d, b, yes, no);
            }
            _ => match self.same_truth(e) {
                Some((inner, true)) => self.branch_of(d, inner, yes, no),
                Some((inner, false)) => self.branch_of(d.negated(), inner, no, yes),
                None => {
                    let cond = self.truth(e);
                    self.split(cond, yes, no, e.span, Some(d));
                }
            },
        }
    }

    /// An operand that is true exactly when `e` is (or, with `false`, when it is not).
    fn same_truth<'e>(&self, e: &'e Expr) -> Option<(&'e Expr, bool)> {
        match &e.kind {
            ExprKind::Cast(a) if self.keeps_truth(a.ty, e.ty) => Some((a, true)),
            ExprKind::Binary { op: op @ (BinOp::Eq | BinOp::Ne), lhs, rhs, .. } if is_logical(lhs) => {
                matches!(rhs.kind, ExprKind::Const(0)).then_some((lhs, *op == BinOp::Ne))
            }
            _ => None,
        }
    }

    /// Does the conversion map zero, and only zero, to zero?
    fn keeps_truth(&self, from: TypeId, to: TypeId) -> bool {
        if self.cx.types.scalar(from).is_none() {
            return false;
        }
        if matches!(self.cx.types.get(to), Type::Bool) {
            return true;
        }
        match (self.cx.types.scalar(from), self.cx.types.scalar(to)) {
            (Some(Ty::Int(a)), Some(Ty::Int(b))) => b.bits >= a.bits,
            _ => false,
        }
    }

    /// The truth of a scalar expression, as a `bool`.
    pub fn truth(&mut self, e: &Expr) -> ExprId {
        match &e.kind {
            ExprKind::Binary { op: op @ (BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le), lhs, rhs, swap } => {
                if let Some((inner, holds)) = self.same_truth(e) {
                    let t = self.truth(inner);
                    return if holds { t } else { self.cx.prog.exprs.not(t) };
                }
                let (l, r) = self.operands(lhs, rhs);
                let (l, r) = if *swap { (r, l) } else { (l, r) };
                self.cx.prog.exprs.binary(*op, l, r)
            }
            ExprKind::LogNot(a) => {
                let t = self.truth(a);
                self.cx.prog.exprs.not(t)
            }
            ExprKind::LogAnd(a, b) if self.is_select(b) => {
                let (a, b) = (self.truth(a), self.truth(b));
                let no = self.cx.prog.exprs.bool(false);
                self.cx.prog.exprs.select(a, b, no)
            }
            ExprKind::LogOr(a, b) if self.is_select(b) => {
                let (a, b) = (self.truth(a), self.truth(b));
                let yes = self.cx.prog.exprs.bool(true);
                self.cx.prog.exprs.select(a, yes, b)
            }
            ExprKind::Cond { cond, then: Some(then), other }
                if self.is_select(then) && self.is_select(other) =>
            {
                let c = self.truth(cond);
                let (t, o) = (self.truth(then), self.truth(other));
                self.cx.prog.exprs.select(c, t, o)
            }
            ExprKind::LogAnd(..) | ExprKind::LogOr(..) => self.truth_by_branching(e),
            ExprKind::Unary(op @ (UnOp::IsNan | UnOp::IsInf | UnOp::SignBit), a) => {
                let a = self.value(a);
                self.cx.prog.exprs.unary(*op, a)
            }
            ExprKind::Overflow { op, lhs, rhs, result, res_ty } => {
                self.overflow(*op, lhs, rhs, result.as_deref(), *res_ty, e.span)
            }
            ExprKind::Comma(a, b) => {
                self.effect(a);
                self.truth(b)
            }
            ExprKind::Cast(a) if self.keeps_truth(a.ty, e.ty) => self.truth(a),
            _ => {
                let v = self.value(e);
                self.nonzero(v)
            }
        }
    }

    fn truth_by_branching(&mut self, e: &Expr) -> ExprId {
        let dst = self.temp(Ty::Bool, e.span);
        let (mut yes, mut no, mut end) = (Target::default(), Target::default(), Target::default());
        self.branch(e, &mut yes, &mut no);
        for (side, truth) in [(yes, true), (no, false)] {
            self.bind(side);
            let value = self.cx.prog.exprs.bool(truth);
            self.emit(Op::Assign { dst, value }, e.span);
            self.jump(&mut end);
        }
        self.bind(end);
        self.cx.prog.exprs.var(dst)
    }

    /// `v != 0` for a value of any type.
    pub fn nonzero(&mut self, v: ExprId) -> ExprId {
        let ty = self.cx.prog.ty(v);
        if ty == Ty::Bool {
            return v;
        }
        let zero = self.cx.prog.exprs.constant(ty, 0);
        self.cx.prog.exprs.binary(BinOp::Ne, v, zero)
    }
}

/// Is the expression 0 or 1 by its form?
fn is_logical(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::LogNot(_) | ExprKind::LogAnd(..) | ExprKind::LogOr(..) | ExprKind::Overflow { .. } => true,
        ExprKind::Binary { op, .. } => matches!(op, BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le),
        ExprKind::Cast(a) => is_logical(a),
        _ => false,
    }
}
