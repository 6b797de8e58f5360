//! Constant expressions: integer, arithmetic and address constants.
//!
//! They are evaluated on the typed form, by the one definition of arithmetic in
//! `cairn_value`. What is undefined (`1 / 0`) is no constant. As gcc does, the
//! evaluator looks only at the operands that are evaluated (`1 || f()` is
//! constant), and initialisers may use the values of `const` objects.

use cairn_base::Span;
use cairn_csyntax::ast;
use cairn_value::{BinOp, Bits, IntTy, Ty, UnOp, eval};

use crate::check::{Checker, Res, error};
use crate::hir::{AddrTarget, Expr, ExprKind, Global, GlobalInit, GlobalKind, LValue, LValueKind, Size};
use crate::types::{BitField, TypeId};

/// The value of a constant expression.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Const {
    /// A bit pattern of the expression's scalar type.
    Num(Bits),
    /// An address known to the linker only; has pointer type or an integer type of that width.
    Addr { target: AddrTarget, addend: i64 },
}

impl Const {
    /// Addresses of objects and functions are not null.
    fn truth(self) -> bool {
        !matches!(self, Const::Num(0))
    }
}

/// What a constant may be made of.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Mode {
    /// An integer constant expression.
    Integer,
    /// The initialiser of a static object.
    Initializer,
}

impl Checker {
    /// The value of an integer constant expression as magnitude and sign; `message` if it is none.
    pub(crate) fn integer_constant(&mut self, e: &ast::Expr, message: &str) -> Res<(u128, bool)> {
        let value = self.rvalue(e)?;
        if !self.is_integer(value.ty) {
            return error(e.span, message);
        }
        match self.eval_integer(&value) {
            Some(v) => Ok(v),
            None => error(e.span, message),
        }
    }

    /// Magnitude and sign of a constant of integer type.
    pub(crate) fn eval_integer(&self, e: &Expr) -> Option<(u128, bool)> {
        let int = self.types.integer_of(e.ty)?;
        let Const::Num(bits) = self.eval(e, Mode::Integer)? else { return None };
        let negative = int.signed && int.number(bits) < 0;
        Some((if negative { int.number(bits).unsigned_abs() } else { bits }, negative))
    }

    pub(crate) fn eval_initializer(&self, e: &Expr) -> Option<Const> {
        self.eval(e, Mode::Initializer)
    }

    /// A constant of any scalar type without use of objects' values.
    pub(crate) fn eval_scalar(&self, e: &Expr) -> Option<Const> {
        self.eval(e, Mode::Integer)
    }

    fn eval(&self, e: &Expr, mode: Mode) -> Option<Const> {
        let model = self.types.model;
        match &e.kind {
            ExprKind::Const(bits) => Some(Const::Num(*bits)),
            ExprKind::Read(lv) if mode == Mode::Initializer => self.read_constant(lv),
            ExprKind::AddrOf(lv) => self.address(lv, mode),
            ExprKind::FuncAddr(f) => Some(Const::Addr { target: AddrTarget::Func(*f), addend: 0 }),
            ExprKind::LabelAddr(label) => {
                let func = self.fun.as_ref()?.id?;
                Some(Const::Addr { target: AddrTarget::Label(func, *label), addend: 0 })
            }
            ExprKind::Unary(op, a) => {
                let Const::Num(bits) = self.eval(a, mode)? else { return None };
                eval::unary(*op, self.types.scalar(a.ty)?, bits).ok().map(Const::Num)
            }
            ExprKind::LogNot(a) => Some(Const::Num(Bits::from(!self.truth(a, mode)?))),
            ExprKind::Binary { op, lhs, rhs, swap } => self.eval_binary(*op, lhs, rhs, *swap, mode),
            ExprKind::PtrAdd { ptr, index, size: Size::Const(size), negative } => {
                let base = self.eval(ptr, mode)?;
                let Const::Num(bits) = self.eval(index, mode)? else { return None };
                let index = self.types.integer_of(index.ty)?.number(bits);
                let bytes = index.wrapping_mul(i128::from(*size));
                Some(self.displace(base, if *negative { bytes.wrapping_neg() } else { bytes }))
            }
            ExprKind::PtrDiff { lhs, rhs, size: Size::Const(size) } => {
                let bytes = match (self.eval(lhs, mode)?, self.eval(rhs, mode)?) {
                    (Const::Num(a), Const::Num(b)) => IntTy::diff(model).number(a.wrapping_sub(b)),
                    (Const::Addr { target: s, addend: a }, Const::Addr { target: t, addend: b })
                        if s == t =>
                    {
                        i128::from(a) - i128::from(b)
                    }
                    _ => return None,
                };
                let size = i128::from(*size);
                (size != 0).then(|| Const::Num(IntTy::diff(model).wrap(bytes / size)))
            }
            ExprKind::LogAnd(a, b) => {
                let v = self.truth(a, mode)? && self.truth(b, mode)?;
                Some(Const::Num(Bits::from(v)))
            }
            ExprKind::LogOr(a, b) => {
                let v = self.truth(a, mode)? || self.truth(b, mode)?;
                Some(Const::Num(Bits::from(v)))
            }
            ExprKind::Cond { cond, then, other } => match (self.truth(cond, mode)?, then) {
                (true, Some(then)) => self.eval(then, mode),
                (true, None) => self.eval(cond, mode).and_then(|v| self.convert(v, cond.ty, e.ty)),
                (false, _) => self.eval(other, mode),
            },
            ExprKind::Cast(a) => {
                let value = self.eval(a, mode)?;
                self.convert(value, a.ty, e.ty)
            }
            ExprKind::Overflow { op, lhs, rhs, result: None, res_ty } => {
                self.eval_overflow(*op, lhs, rhs, *res_ty, mode).map(|v| Const::Num(Bits::from(v)))
            }
            _ => None,
        }
    }

    fn truth(&self, e: &Expr, mode: Mode) -> Option<bool> {
        match self.eval(e, mode)? {
            // Zero of either sign.
            Const::Num(bits) if self.is_float(e.ty) => {
                let ty = self.types.scalar(e.ty)?;
                let zero = eval::binary(BinOp::Eq, ty, ty, bits, 0, self.types.model).ok()?;
                Some(zero == 0)
            }
            value => Some(value.truth()),
        }
    }

    fn displace(&self, base: Const, bytes: i128) -> Const {
        match base {
            Const::Num(bits) => {
                let address = IntTy::size(self.types.model);
                Const::Num(address.wrap((bits as i128).wrapping_add(bytes)))
            }
            Const::Addr { target, addend } => {
                Const::Addr { target, addend: addend.wrapping_add(bytes as i64) }
            }
        }
    }

    fn eval_binary(&self, op: BinOp, lhs: &Expr, rhs: &Expr, swap: bool, mode: Mode) -> Option<Const> {
        let (mut a, mut b) = (self.eval(lhs, mode)?, self.eval(rhs, mode)?);
        let (mut ta, mut tb) = (self.types.scalar(lhs.ty)?, self.types.scalar(rhs.ty)?);
        if swap {
            std::mem::swap(&mut a, &mut b);
            std::mem::swap(&mut ta, &mut tb);
        }
        let is_eq = |v: bool| Some(Const::Num(Bits::from(v == (op == BinOp::Eq))));
        match (a, b) {
            (Const::Num(a), Const::Num(b)) => {
                let value = eval::binary(op, ta, tb, a, b, self.types.model).ok()?;
                Some(Const::Num(match op.result(ta, tb, self.types.model) {
                    // The NaN that gcc computes is positive, other than that of the processor.
                    Some(ty @ Ty::Float(_)) if eval::binary_is_open(op, ty, a, b, value) => {
                        eval::unary(UnOp::Fabs, ty, value).unwrap_or(value)
                    }
                    _ => value,
                }))
            }
            (Const::Addr { target: s, addend: x }, Const::Addr { target: t, addend: y }) => match op {
                BinOp::Eq | BinOp::Ne => is_eq(s == t && x == y),
                BinOp::Sub if s == t => Some(Const::Num(ta.int()?.wrap(i128::from(x) - i128::from(y)))),
                BinOp::Lt if s == t => Some(Const::Num(Bits::from(x < y))),
                BinOp::Le if s == t => Some(Const::Num(Bits::from(x <= y))),
                _ => None,
            },
            (Const::Addr { .. }, Const::Num(n)) => match op {
                BinOp::Eq | BinOp::Ne if n == 0 => is_eq(false),
                BinOp::Add => Some(self.displace(a, tb.int()?.number(n))),
                BinOp::Sub => Some(self.displace(a, tb.int()?.number(n).wrapping_neg())),
                _ => None,
            },
            (Const::Num(n), Const::Addr { .. }) => match op {
                BinOp::Eq | BinOp::Ne if n == 0 => is_eq(false),
                BinOp::Add => Some(self.displace(b, ta.int()?.number(n))),
                _ => None,
            },
        }
    }

    pub(crate) fn convert(&self, value: Const, from: TypeId, to: TypeId) -> Option<Const> {
        if from == to {
            return Some(value);
        }
        let (t, f) = (self.types.scalar(to)?, self.types.scalar(from)?);
        if to == self.common.bool {
            let truth = match (value, f) {
                (Const::Num(bits), Ty::Float(_)) => {
                    eval::binary(BinOp::Ne, f, f, bits, 0, self.types.model).ok()? != 0
                }
                _ => value.truth(),
            };
            return Some(Const::Num(Bits::from(truth)));
        }
        match value {
            Const::Num(bits) => eval::cast(f, t, bits, self.types.model).ok().map(Const::Num),
            Const::Addr { .. } => match t {
                Ty::Ptr => Some(value),
                Ty::Int(i) if i.bits >= self.types.model.ptr_bits() => Some(value),
                _ => None,
            },
        }
    }

    /// Does the exact result leave `res_ty`?
    fn eval_overflow(&self, op: BinOp, lhs: &Expr, rhs: &Expr, res_ty: TypeId, mode: Mode) -> Option<bool> {
        let number = |e: &Expr| {
            let Const::Num(bits) = self.eval(e, mode)? else { return None };
            let int = self.types.integer_of(e.ty)?;
            (int.bits <= 64).then(|| int.number(bits))
        };
        let (a, b) = (number(lhs)?, number(rhs)?);
        let exact = match op {
            BinOp::Add => a.checked_add(b),
            BinOp::Sub => a.checked_sub(b),
            _ => a.checked_mul(b),
        };
        let to = self.types.integer_of(res_ty)?;
        Some(exact.is_none_or(|v| to.number(to.wrap(v)) != v))
    }

    /// The address of a place.
    fn address(&self, lv: &LValue, mode: Mode) -> Option<Const> {
        match &lv.kind {
            LValueKind::Global(g) => Some(Const::Addr { target: AddrTarget::Global(*g), addend: 0 }),
            LValueKind::Deref(e) => self.eval(e, mode),
            LValueKind::Member { base, offset, bits: None } => {
                self.address(base, mode).map(|a| self.displace(a, i128::from(*offset)))
            }
            _ => None,
        }
    }

    /// The address of a place in an initialiser.
    pub(crate) fn constant_place(&self, lv: &LValue) -> Option<Const> {
        self.address(lv, Mode::Initializer)
    }

    /// The value a `const` object or a string literal holds.
    fn read_constant(&self, lv: &LValue) -> Option<Const> {
        if let LValueKind::Local(l) = lv.kind {
            return self.fun.as_ref()?.constants.get(&l).map(|&bits| Const::Num(bits));
        }
        let (place, bits) = match &lv.kind {
            LValueKind::Member { base, offset, bits } => {
                let base = self.address(base, Mode::Initializer)?;
                (self.displace(base, i128::from(*offset)), *bits)
            }
            _ => (self.address(lv, Mode::Initializer)?, None),
        };
        let Const::Addr { target: AddrTarget::Global(g), addend } = place else { return None };
        let global = &self.globals[g];
        let readable = (global.is_const && !lv.ty.is_volatile) || global.kind == GlobalKind::String;
        if !readable {
            return None;
        }
        self.read_data(global, u64::try_from(addend).ok()?, lv.ty.id, bits)
    }

    fn read_data(&self, global: &Global, offset: u64, ty: TypeId, bits: Option<BitField>) -> Option<Const> {
        let GlobalInit::Data(data) = &global.init else { return None };
        let scalar = self.types.scalar(ty)?;
        let bytes = match bits {
            Some(b) => u64::from(b.bit + b.width).div_ceil(8),
            None => scalar.bytes(self.types.model),
        };
        if offset.checked_add(bytes)? > global.size.max(self.types.size_of(global.ty).unwrap_or(0)) {
            return None;
        }
        for addr in &data.addresses {
            if addr.offset == offset && u64::from(addr.bytes) == bytes && bits.is_none() {
                return Some(Const::Addr { target: addr.target, addend: addr.addend });
            }
            if addr.offset < offset + bytes && offset < addr.offset + u64::from(addr.bytes) {
                return None;
            }
        }
        if bytes > 16 {
            return None;
        }
        let value = (0..bytes).fold(0, |v: Bits, i| v | Bits::from(data.byte(offset + i)) << (8 * i));
        match (bits, scalar) {
            (Some(b), Ty::Int(i)) => {
                let field = IntTy { bits: b.width, signed: i.signed && ty != self.common.bool };
                Some(Const::Num(i.wrap(field.number((value >> b.bit) & field.mask()))))
            }
            _ => Some(Const::Num(value)),
        }
    }

    /// An operator on a constant of the type.
    pub(crate) fn fold_unary(&self, op: UnOp, ty: TypeId, bits: Bits) -> Option<Bits> {
        eval::unary(op, self.types.scalar(ty)?, bits).ok()
    }

    /// What gcc leaves to the assembler and linker: a converted address that does not fit, the
    /// distance of two labels.
    pub(crate) fn is_link_time(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Cast(a) if matches!(a.kind, ExprKind::PtrDiff { .. }) => self.is_link_time(a),
            ExprKind::PtrDiff { lhs, rhs, .. } => {
                let label = |e: &Expr| {
                    matches!(
                        self.eval_initializer(e),
                        Some(Const::Addr { target: AddrTarget::Label(..), .. })
                    )
                };
                label(lhs) && label(rhs)
            }
            ExprKind::Cast(a) => {
                matches!(self.eval_initializer(a), Some(Const::Addr { .. })) && self.is_integer(e.ty)
            }
            _ => false,
        }
    }

    pub(crate) fn not_constant<T>(&self, span: Span) -> Res<T> {
        error(span, "initializer element is not constant")
    }
}
