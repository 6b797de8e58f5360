//! `switch`. The body is lowered first, with its cases as plain locations in it;
//! then the head gets its dispatch: a chain of comparisons in source order when
//! there are few cases, a binary search over the sorted ranges when there are many.

use cairn_base::Span;
use cairn_ctyped::hir::{Expr, Stmt};
use cairn_ir::{BinOp, Bits, ExprId, IntTy, LocId, Ty};

use super::cursor::{Cursor, Target};
use super::decision::{Branching, Outcome};
use super::func::{Exit, Fun};
use super::scope::ScopeId;

/// Up to this many cases are compared one after the other.
const CHAIN: usize = 4;

/// A `switch` whose body is being lowered.
pub(super) struct Switch {
    /// The scope of the head.
    scope: ScopeId,
    cases: Vec<Option<(LocId, ScopeId)>>,
    default: Option<(LocId, ScopeId)>,
}

/// A case ready for dispatch.
#[derive(Copy, Clone)]
struct Arm {
    low: Bits,
    high: Bits,
    entry: Target,
    /// What hitting it settles.
    decision: Branching,
}

impl Fun<'_, '_> {
    pub fn switch(
        &mut self,
        value: &Expr,
        cases: &[(Bits, Bits)],
        has_default: bool,
        body: &Stmt,
        span: Span,
    ) {
        let x = self.value(value);
        let x = self.atom(x, value.span);
        let Ty::Int(ty) = self.cx.prog.ty(x) else {
            return self.cx.unsupported(span, "a `switch` on this type");
        };
        let head = std::mem::take(&mut self.cursor);
        self.switches.push(Switch { scope: self.scope, cases: vec![None; cases.len()], default: None });
        self.exits.breaks.push(Exit { target: Target::default(), scope: self.scope });
        self.stmt(body);
        let mut end = self.exits.breaks.pop().map_or_else(Target::default, |e| e.target);
        self.jump(&mut end);
        let Some(switch) = self.switches.pop() else { return };

        let decision = self.cx.new_decision(value.span);
        let mut arms = Vec::with_capacity(cases.len());
        for (&(low, high), entry) in cases.iter().zip(&switch.cases) {
            if let Some(entry) = *entry {
                let entry = self.case_entry(entry, switch.scope);
                let decision = Branching { yes: Some(Outcome::Case(ty.number(low))), no: None, ..decision };
                arms.push(Arm { low, high, entry, decision });
            }
        }
        let mut default = match switch.default {
            Some(entry) if has_default => self.case_entry(entry, switch.scope),
            _ => end,
        };
        self.cursor = head;
        if arms.len() > CHAIN {
            arms.sort_by_key(|a| key(ty, a.low));
        }
        self.dispatch(x, ty, &mut arms, &mut default, span);
        self.cursor = Cursor::Dead;
        if switch.default.is_none() || !has_default {
            end = default;
        }
        self.bind(end);
    }

    pub fn case(&mut self, n: u32, span: Span) {
        let entry = (self.shared_here(), self.scope);
        match self.switches.last_mut().and_then(|s| s.cases.get_mut(n as usize)) {
            Some(slot) => *slot = Some(entry),
            None => self.cx.unsupported(span, "a case label outside of its `switch`"),
        }
    }

    pub fn default(&mut self, span: Span) {
        let entry = (self.shared_here(), self.scope);
        match self.switches.last_mut() {
            Some(switch) => switch.default = Some(entry),
            None => self.cx.unsupported(span, "a default label outside of its `switch`"),
        }
    }

    /// Where the dispatch enters a case: the case itself, or a path that begins the lifetimes of
    /// the blocks it lies in.
    fn case_entry(&mut self, (loc, scope): (LocId, ScopeId), head: ScopeId) -> Target {
        if !self.begins_between(head, scope) {
            return Target::at(loc);
        }
        let start = self.new_loc();
        self.cursor = Cursor::At(start);
        self.cross(head, scope);
        self.jump(&mut Target::at(loc));
        Target::at(start)
    }

    fn dispatch(&mut self, x: ExprId, ty: IntTy, arms: &mut [Arm], default: &mut Target, span: Span) {
        if arms.len() <= CHAIN {
            let Some((last, before)) = arms.split_last_mut() else { return self.jump(default) };
            for arm in before {
                let hit = self.in_range(x, ty, arm.low, arm.high);
                let mut next = Target::default();
                self.split(hit, &mut arm.entry, &mut next, span, Some(arm.decision));
                self.bind(next);
            }
            let hit = self.in_range(x, ty, last.low, last.high);
            let decision = Branching { no: Some(Outcome::Default), ..last.decision };
            return self.split(hit, &mut last.entry, default, span, Some(decision));
        }
        let (left, right) = arms.split_at_mut(arms.len() / 2);
        let pivot = self.cx.prog.exprs.constant(Ty::Int(ty), right[0].low);
        let below = self.cx.prog.exprs.binary(BinOp::Lt, x, pivot);
        let (mut yes, mut no) = (Target::default(), Target::default());
        self.split(below, &mut yes, &mut no, span, None);
        self.bind(yes);
        self.dispatch(x, ty, left, default, span);
        self.bind(no);
        self.dispatch(x, ty, right, default, span);
    }

    fn in_range(&mut self, x: ExprId, ty: IntTy, low: Bits, high: Bits) -> ExprId {
        let pool = &mut self.cx.prog.exprs;
        let low_x = pool.constant(Ty::Int(ty), low);
        if low == high {
            return pool.binary(BinOp::Eq, x, low_x);
        }
        let high_x = pool.constant(Ty::Int(ty), high);
        let above = pool.binary(BinOp::Le, low_x, x);
        let below = pool.binary(BinOp::Le, x, high_x);
        pool.binary(BinOp::And, above, below)
    }
}

/// Orders bit patterns by the numbers they stand for.
fn key(ty: IntTy, bits: Bits) -> u128 {
    if ty.signed { (ty.number(bits) as u128) ^ (1 << 127) } else { bits }
}
