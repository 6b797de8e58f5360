//! `__sync_*` and `__atomic_*`: programs are sequential here, so each is the
//! plain operation it performs.

use cairn_base::{Span, Symbol};
use cairn_csyntax::ast;
use cairn_value::{BinOp, UnOp};

use crate::check::{Checker, Res, error, unsupported};
use crate::convert::{Into, Operand};
use crate::hir::{Expr, ExprKind, LValue, LValueKind, LocalId, Size, Stmt, StmtKind};
use crate::ops::{binary, unary};
use crate::types::{QType, TypeId};

/// A pointer held in a local, and the type it points to.
struct AtomicOperand {
    pointer: LocalId,
    pointer_ty: TypeId,
    to: QType,
}

impl Checker {
    /// A call of one of them; `None` if there is none of that name.
    pub(crate) fn atomic_builtin(
        &mut self,
        name: Symbol,
        args: &[ast::Expr],
        span: Span,
    ) -> Res<Option<Operand>> {
        let text = name.as_str();
        let result = match text {
            "__sync_synchronize" | "__atomic_thread_fence" | "__atomic_signal_fence" => {
                let zero = self.int_constant(0, span);
                Expr { kind: ExprKind::Cast(Box::new(zero)), ty: self.common.void, span }
            }
            "__atomic_always_lock_free" | "__atomic_is_lock_free" => self.constant(1, self.common.bool, span),
            "__atomic_load_n" => {
                let [p, ..] = args else { return self.wrong_count(name, span) };
                let place = self.atomic_place(p)?;
                let e = self.value(Operand::Place(place))?;
                Expr { span, ..e }
            }
            "__atomic_load" => {
                let [p, out, ..] = args else { return self.wrong_count(name, span) };
                let place = self.atomic_place(p)?;
                let value = self.value(Operand::Place(place))?;
                let dst = self.atomic_place(out)?;
                self.discard(assign(dst, value, span), span)
            }
            "__atomic_store_n" | "__sync_lock_release" | "__atomic_clear" => {
                let [p, rest @ ..] = args else { return self.wrong_count(name, span) };
                let dst = self.atomic_place(p)?;
                let value = match (text, rest) {
                    ("__atomic_store_n", [v, ..]) => self.rvalue(v)?,
                    ("__atomic_store_n", _) => return self.wrong_count(name, span),
                    _ => self.int_constant(0, span),
                };
                let dst = if text == "__atomic_clear" { self.as_byte(dst, span) } else { dst };
                let value = self.assign_to(value, dst.ty.id, Into::Argument(2, Some(name)))?;
                self.discard(assign(dst, value, span), span)
            }
            "__atomic_store" => {
                let [p, v, ..] = args else { return self.wrong_count(name, span) };
                let dst = self.atomic_place(p)?;
                let place = self.atomic_place(v)?;
                let value = self.value(Operand::Place(place))?;
                let value = self.assign_to(value, dst.ty.id, Into::Assign)?;
                self.discard(assign(dst, value, span), span)
            }
            "__atomic_exchange_n" | "__sync_lock_test_and_set" => {
                let [p, v, ..] = args else { return self.wrong_count(name, span) };
                self.exchange(p, v, span)?
            }
            "__atomic_test_and_set" => {
                let [p, ..] = args else { return self.wrong_count(name, span) };
                let place = self.atomic_place(p)?;
                let place = self.as_byte(place, span);
                let one = self.constant(1, place.ty.id, span);
                let old = self.exchange_place(place, one, span)?;
                self.cast_to(old, self.common.bool)
            }
            "__atomic_exchange" => {
                let [p, v, out, ..] = args else { return self.wrong_count(name, span) };
                let place = self.atomic_place(v)?;
                let value = self.value(Operand::Place(place))?;
                let place = self.atomic_place(p)?;
                let old = self.exchange_place(place, value, span)?;
                let dst = self.atomic_place(out)?;
                self.discard(assign(dst, old, span), span)
            }
            "__sync_bool_compare_and_swap" | "__sync_val_compare_and_swap" => {
                let [p, old, new, ..] = args else { return self.wrong_count(name, span) };
                self.compare_and_swap(text == "__sync_bool_compare_and_swap", p, old, new, span)?
            }
            "__atomic_compare_exchange_n" | "__atomic_compare_exchange" => {
                let [p, expected, desired, ..] = args else { return self.wrong_count(name, span) };
                let by_value = text == "__atomic_compare_exchange_n";
                self.compare_exchange(p, expected, desired, by_value, span)?
            }
            _ => match fetch_operation(text) {
                Some((op, gives_new)) => {
                    let [p, v, ..] = args else { return self.wrong_count(name, span) };
                    self.fetch(op, gives_new, p, v, span)?
                }
                None => return Ok(None),
            },
        };
        Ok(Some(Operand::Value(result)))
    }

    fn discard(&self, e: Expr, span: Span) -> Expr {
        Expr { kind: ExprKind::Cast(Box::new(e)), ty: self.common.void, span }
    }

    /// The place a pointer argument points to, without qualifiers.
    fn atomic_place(&mut self, p: &ast::Expr) -> Res<LValue> {
        let pointer = self.rvalue(p)?;
        let Some(to) = self.pointee(pointer.ty) else {
            return error(p.span, "argument of an atomic function is not a pointer");
        };
        let ty = QType::plain(to.id);
        Ok(LValue { kind: LValueKind::Deref(Box::new(pointer)), ty, span: p.span })
    }

    /// `__atomic_clear` and `__atomic_test_and_set` work on the first byte.
    fn as_byte(&mut self, place: LValue, span: Span) -> LValue {
        let byte = QType::plain(self.common.uchar);
        let ty = self.pointer_to(byte);
        match place.kind {
            LValueKind::Deref(p) => {
                LValue { kind: LValueKind::Deref(Box::new(self.cast_to(*p, ty))), ty: byte, span }
            }
            _ => place,
        }
    }

    fn hold_pointer(&mut self, place: LValue) -> Res<(AtomicOperand, Stmt)> {
        let LValueKind::Deref(pointer) = place.kind else { return error(place.span, "not a pointer") };
        let pointer_ty = pointer.ty;
        let (local, init) = self.hold(*pointer)?;
        Ok((AtomicOperand { pointer: local, pointer_ty, to: place.ty }, init))
    }

    fn target_place(&self, t: &AtomicOperand, span: Span) -> LValue {
        let pointer = self.read_local(t.pointer, t.pointer_ty, span);
        LValue { kind: LValueKind::Deref(Box::new(pointer)), ty: t.to, span }
    }

    fn target_value(&self, t: &AtomicOperand, span: Span) -> Expr {
        Expr { kind: ExprKind::Read(self.target_place(t, span)), ty: t.to.id, span }
    }

    fn exchange(&mut self, p: &ast::Expr, v: &ast::Expr, span: Span) -> Res<Expr> {
        let place = self.atomic_place(p)?;
        let value = self.rvalue(v)?;
        let value = self.assign_to(value, place.ty.id, Into::Assign)?;
        self.exchange_place(place, value, span)
    }

    fn exchange_place(&mut self, place: LValue, value: Expr, span: Span) -> Res<Expr> {
        let (t, init_p) = self.hold_pointer(place)?;
        let (v, init_v) = self.hold(value)?;
        let (old, init_old) = self.hold(self.target_value(&t, span))?;
        let store = assign(self.target_place(&t, span), self.read_local(v, t.to.id, span), span);
        let stmts = vec![init_p, init_v, init_old, statement(store)];
        Ok(self.with_statements(stmts, self.read_local(old, t.to.id, span)))
    }

    fn compare_and_swap(
        &mut self,
        gives_bool: bool,
        p: &ast::Expr,
        expected: &ast::Expr,
        new: &ast::Expr,
        span: Span,
    ) -> Res<Expr> {
        let place = self.atomic_place(p)?;
        let ty = place.ty.id;
        let expected = self.rvalue(expected)?;
        let expected = self.assign_to(expected, ty, Into::Assign)?;
        let new = self.rvalue(new)?;
        let new = self.assign_to(new, ty, Into::Assign)?;
        let (t, init_p) = self.hold_pointer(place)?;
        let (e, init_e) = self.hold(expected)?;
        let (n, init_n) = self.hold(new)?;
        let (old, init_old) = self.hold(self.target_value(&t, span))?;
        let same = || self.equal(self.read_local(old, ty, span), self.read_local(e, ty, span), span);
        let store = assign(self.target_place(&t, span), self.read_local(n, ty, span), span);
        let swap =
            Stmt { kind: StmtKind::If { cond: same(), then: Box::new(statement(store)), other: None }, span };
        let result =
            if gives_bool { self.cast_to(same(), self.common.bool) } else { self.read_local(old, ty, span) };
        Ok(self.with_statements(vec![init_p, init_e, init_n, init_old, swap], result))
    }

    fn equal(&self, a: Expr, b: Expr, span: Span) -> Expr {
        binary(BinOp::Eq, a, b, self.common.int, span)
    }

    fn compare_exchange(
        &mut self,
        p: &ast::Expr,
        expected: &ast::Expr,
        desired: &ast::Expr,
        by_value: bool,
        span: Span,
    ) -> Res<Expr> {
        let place = self.atomic_place(p)?;
        let ty = place.ty.id;
        if !self.is_scalar(ty) {
            return unsupported(span, "atomic comparison of values that are no scalars");
        }
        let expected = self.atomic_place(expected)?;
        let desired = if by_value {
            self.rvalue(desired)?
        } else {
            let place = self.atomic_place(desired)?;
            self.value(Operand::Place(place))?
        };
        let desired = self.assign_to(desired, ty, Into::Assign)?;
        let (t, init_p) = self.hold_pointer(place)?;
        let (e, init_e) = self.hold_pointer(expected)?;
        let (d, init_d) = self.hold(desired)?;
        let (old, init_old) = self.hold(self.target_value(&t, span))?;
        let wanted = self.cast_to(self.target_value(&e, span), ty);
        let (same, init_same) = self.hold(self.equal(self.read_local(old, ty, span), wanted, span))?;
        let is_same = || self.read_local(same, self.common.int, span);
        let store = assign(self.target_place(&t, span), self.read_local(d, ty, span), span);
        let seen = self.cast_to(self.read_local(old, ty, span), e.to.id);
        let tell = assign(self.target_place(&e, span), seen, span);
        let swap = StmtKind::If {
            cond: is_same(),
            then: Box::new(statement(store)),
            other: Some(Box::new(statement(tell))),
        };
        let result = self.cast_to(is_same(), self.common.bool);
        let stmts = vec![init_p, init_e, init_d, init_old, init_same, Stmt { kind: swap, span }];
        Ok(self.with_statements(stmts, result))
    }

    /// `old = *p; *p = old op v;` and the old or the new value.
    fn fetch(&mut self, op: Fetch, gives_new: bool, p: &ast::Expr, v: &ast::Expr, span: Span) -> Res<Expr> {
        let place = self.atomic_place(p)?;
        let ty = place.ty.id;
        let value = self.rvalue(v)?;
        let is_pointer = self.pointee(ty).is_some();
        if !self.is_integer(ty) && !is_pointer {
            return error(span, "operand of an atomic operation is neither integer nor pointer");
        }
        if is_pointer && !matches!(op, Fetch::Op(BinOp::Add | BinOp::Sub)) {
            return unsupported(span, "bitwise atomic operation on a pointer");
        }
        let value_ty = if is_pointer { self.common.ptrdiff } else { ty };
        let value = self.assign_to(value, value_ty, Into::Assign)?;
        let (t, init_p) = self.hold_pointer(place)?;
        let (v, init_v) = self.hold(value)?;
        let (old, init_old) = self.hold(self.target_value(&t, span))?;
        let (a, b) = (self.read_local(old, ty, span), self.read_local(v, value_ty, span));
        let computed = if is_pointer {
            // Counted in bytes.
            let negative = matches!(op, Fetch::Op(BinOp::Sub));
            let kind =
                ExprKind::PtrAdd { ptr: Box::new(a), index: Box::new(b), size: Size::Const(1), negative };
            Expr { kind, ty, span }
        } else {
            let compute = self.promoted(ty, None);
            let (a, b) = (self.cast_to(a, compute), self.cast_to(b, compute));
            let result = match op {
                Fetch::Op(op) => binary(op, a, b, compute, span),
                Fetch::Nand => unary(UnOp::BitNot, binary(BinOp::And, a, b, compute, span), span),
            };
            self.cast_to(result, ty)
        };
        let (new, init_new) = self.hold(computed)?;
        let store = assign(self.target_place(&t, span), self.read_local(new, ty, span), span);
        let result = self.read_local(if gives_new { new } else { old }, ty, span);
        Ok(self.with_statements(vec![init_p, init_v, init_old, init_new, statement(store)], result))
    }
}

#[derive(Copy, Clone)]
enum Fetch {
    Op(BinOp),
    Nand,
}

/// The operation of a fetch-and-modify function, and whether it yields the new value.
fn fetch_operation(name: &str) -> Option<(Fetch, bool)> {
    let (op, gives_new) = if let Some(rest) = name.strip_prefix("__sync_fetch_and_") {
        (rest, false)
    } else if let Some(rest) = name.strip_prefix("__atomic_fetch_") {
        (rest, false)
    } else {
        let rest = name.strip_prefix("__sync_").or_else(|| name.strip_prefix("__atomic_"))?;
        (rest.strip_suffix("_and_fetch").or_else(|| rest.strip_suffix("_fetch"))?, true)
    };
    let op = match op {
        "add" => Fetch::Op(BinOp::Add),
        "sub" => Fetch::Op(BinOp::Sub),
        "and" => Fetch::Op(BinOp::And),
        "or" => Fetch::Op(BinOp::Or),
        "xor" => Fetch::Op(BinOp::Xor),
        "nand" => Fetch::Nand,
        _ => return None,
    };
    Some((op, gives_new))
}

fn assign(dst: LValue, value: Expr, span: Span) -> Expr {
    let ty = dst.ty.id;
    Expr { kind: ExprKind::Assign { dst, value: Box::new(value) }, ty, span }
}

fn statement(e: Expr) -> Stmt {
    let span = e.span;
    Stmt { kind: StmtKind::Expr(e), span }
}
