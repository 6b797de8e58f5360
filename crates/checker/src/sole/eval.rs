//! Expressions, evaluated as they stand.

use cairn_base::EntityRef;
use cairn_ir::{BinOp, Bits, Expr, ExprId, IntTy, Ty, VarId};
use cairn_value::float::{Class, classify};
use cairn_value::{UnOp, eval};

use super::memory::Pointer;
use super::{Flow, Stop, Value, Walk, layout, open, undefined};

/// Pointers this far from their object are not followed: what they mean depends on the width of addresses.
const FAR: u64 = 1 << 31;

impl Walk<'_> {
    pub fn value(&mut self, e: ExprId) -> Flow<Value> {
        let program = self.program;
        Ok(match program.exprs.get(e) {
            Expr::Int(_, bits) | Expr::Float(_, bits) => Value::Bits(bits),
            Expr::Bool(b) => Value::Bits(b.into()),
            Expr::Ptr(n) => Value::Pointer(Pointer::number(n)),
            Expr::Var(v) => self.variable(v),
            Expr::Addr(o) => {
                let i = match program.objects[o].owner {
                    None => Some(self.statics[o.index()]),
                    Some(_) => *self.object_slot(o)?,
                };
                let Some(i) = i else { return Err(open("the address of an object before its life")) };
                Value::Pointer(Pointer::to(i, 0))
            }
            Expr::Func(f) => Value::Pointer(Pointer::to(self.funcs[f.index()], 0)),
            Expr::Label(l) => Value::Pointer(Pointer::to(self.labels[l.index()], 0)),
            Expr::Unary(op, a) => {
                let (ty, x) = (program.ty(a), self.bits(a)?);
                Value::Bits(unary(op, ty, x)?)
            }
            Expr::Binary(op, a, b) => self.binary(op, a, b)?,
            Expr::Cast(to, a) => self.cast(to, a)?,
            Expr::Select(c, t, f) => {
                let side = if self.bits(c)? != 0 { t } else { f };
                self.value(side)?
            }
        })
    }

    fn variable(&self, v: VarId) -> Value {
        match (self.program.vars[v].owner, self.frames.last()) {
            (Some(owner), Some(frame)) if owner == frame.func => {
                self.locals[frame.vars + self.slots[v.index()] as usize]
            }
            (None, _) => self.globals[v.index()],
            _ => Value::Open,
        }
    }

    /// A value that is no pointer, and that matters.
    pub fn bits(&mut self, e: ExprId) -> Flow<Bits> {
        match self.value(e)? {
            Value::Bits(bits) => Ok(bits),
            Value::Pointer(_) => Err(open("a pointer where a number is expected")),
            Value::Open => Err(unassigned()),
        }
    }

    pub fn pointer(&mut self, e: ExprId) -> Flow<Pointer> {
        match self.value(e)? {
            Value::Pointer(p) => Ok(p),
            Value::Bits(_) => Err(open("a number where a pointer is expected")),
            Value::Open => Err(unassigned()),
        }
    }

    fn binary(&mut self, op: BinOp, a: ExprId, b: ExprId) -> Flow<Value> {
        let program = self.program;
        let (ta, tb) = (program.ty(a), program.ty(b));
        if ta != Ty::Ptr {
            let (x, y) = (self.bits(a)?, self.bits(b)?);
            let v = eval::binary(op, ta, tb, x, y, program.model).map_err(|_| undefined())?;
            if eval::binary_is_open(op, ta, x, y, v) {
                return Err(nan());
            }
            return Ok(Value::Bits(v));
        }
        let p = self.pointer(a)?;
        if op == BinOp::PtrAdd {
            let by = self.bits(b)?;
            let by = IntTy::diff(program.model).number(by);
            return Ok(Value::Pointer(self.moved(p, by)?));
        }
        let q = self.pointer(b)?;
        let bits = |holds: bool| Value::Bits(holds.into());
        Ok(match op {
            BinOp::Eq => bits(self.same(p, q)?),
            BinOp::Ne => bits(!self.same(p, q)?),
            BinOp::Lt | BinOp::Le | BinOp::PtrSub if p.object != q.object => return Err(layout()),
            BinOp::Lt if p.object == 0 => bits((p.offset as u64) < q.offset as u64),
            BinOp::Le if p.object == 0 => bits(p.offset as u64 <= q.offset as u64),
            BinOp::Lt => bits(p.offset < q.offset),
            BinOp::Le => bits(p.offset <= q.offset),
            BinOp::PtrSub => {
                let apart = i128::from(p.offset) - i128::from(q.offset);
                Value::Bits(IntTy::diff(program.model).wrap(apart))
            }
            _ => return Err(open("an operation on pointers")),
        })
    }

    fn moved(&self, p: Pointer, by: i128) -> Flow<Pointer> {
        if p.object == 0 {
            let n = i128::from(p.offset as u64) + by;
            return Ok(Pointer::number(IntTy::size(self.program.model).wrap(n) as u64));
        }
        let offset = i64::try_from(i128::from(p.offset) + by).ok().filter(|n| n.unsigned_abs() < FAR);
        offset.map(|offset| Pointer { offset, ..p }).ok_or_else(|| open("a pointer far from its object"))
    }

    /// Are two pointers equal, wherever objects lie?
    fn same(&self, p: Pointer, q: Pointer) -> Flow<bool> {
        // No object lies at null, nor ends at the last address.
        let marker = |p: Pointer| {
            let top = IntTy::size(self.program.model).mask() as u64;
            p.object == 0 && (p.offset == 0 || p.offset as u64 == top)
        };
        match (p.object, q.object) {
            (a, b) if a == b => Ok(p.offset == q.offset),
            (0, _) if marker(p) => Ok(false),
            (_, 0) if marker(q) => Ok(false),
            (0, _) | (_, 0) => Err(layout()),
            _ if self.memory.is_inside(p) && self.memory.is_inside(q) => Ok(false),
            _ => Err(layout()),
        }
    }

    fn cast(&mut self, to: Ty, a: ExprId) -> Flow<Value> {
        let model = self.program.model;
        let from = self.program.ty(a);
        let value = self.value(a)?;
        let bits = match (value, to) {
            (Value::Open, _) => return Err(unassigned()),
            (Value::Pointer(_), Ty::Ptr) => return Ok(value),
            (Value::Pointer(p), _) if p.object == 0 => p.offset as u64 as Bits,
            (Value::Pointer(_), _) => return Err(layout()),
            (Value::Bits(bits), _) => bits,
        };
        let v = eval::cast(from, to, bits, model).map_err(|_| undefined())?;
        match to {
            Ty::Ptr => Ok(Value::Pointer(Pointer::number(v as u64))),
            Ty::Float(f) if classify(f, v) == Class::Nan => Err(nan()),
            _ => Ok(Value::Bits(v)),
        }
    }
}

fn unary(op: UnOp, ty: Ty, x: Bits) -> Flow<Bits> {
    let v = eval::unary(op, ty, x).map_err(|_| undefined())?;
    let result = op.result(ty).unwrap_or(ty);
    if matches!(result, Ty::Float(_)) && eval::unary_is_open(op, result, v) {
        return Err(nan());
    }
    Ok(v)
}

fn unassigned() -> Stop {
    open("the value of something that was never assigned matters")
}

pub fn nan() -> Stop {
    open("a NaN is computed, whose bits no standard fixes")
}
