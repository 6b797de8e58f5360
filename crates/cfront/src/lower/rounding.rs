//! Arithmetic in a program that may change the rounding mode.
//!
//! The mode is a variable of the program, which the model of `fesetround` defines and
//! assigns. A program that has it gets, for each operation on floats that rounds, a choice by that
//! variable among the operation to nearest and those in the three directions; other programs have
//! the plain operation. What is constant is computed to nearest, as compilers do.

use cairn_base::Span;
use cairn_ir::{BinOp, ExprId, FloatTy, IntTy, Toward, Ty, UnOp, VarId};

use super::func::Fun;
use super::{Cx, Storage};

/// The variable, as the models call it; its values are those of <fenv.h> on x86.
const MODE: &str = "__cairn_rounding";
const DOWN: i128 = 0x400;
const UP: i128 = 0x800;

impl Cx<'_> {
    /// Looks for the variable, once all globals are there.
    pub fn find_rounding(&mut self) {
        let found = self.hir.globals.iter().find(|(_, g)| g.name.as_str() == MODE);
        self.rounding = found.and_then(|(id, _)| match self.globals[id] {
            Some(Storage::Var(v)) => Some(v),
            _ => None,
        });
    }
}

impl Fun<'_, '_> {
    /// `op` of two values.
    pub fn binary_rounded(&mut self, op: BinOp, a: ExprId, b: ExprId, span: Span) -> ExprId {
        let Some(mode) = self.rounds(a) else { return self.cx.prog.exprs.binary(op, a, b) };
        let directed = match op {
            BinOp::Add => BinOp::AddTo,
            BinOp::Sub => BinOp::SubTo,
            BinOp::Mul => BinOp::MulTo,
            BinOp::Div => BinOp::DivTo,
            _ => return self.cx.prog.exprs.binary(op, a, b),
        };
        let (a, b) = (self.atom(a, span), self.atom(b, span));
        let nearest = self.cx.prog.exprs.binary(op, a, b);
        self.chosen(mode, nearest, span, |f, toward| f.cx.prog.exprs.binary(directed(toward), a, b))
    }

    /// `op` of a value.
    pub fn unary_rounded(&mut self, op: UnOp, a: ExprId, span: Span) -> ExprId {
        let Some(mode) = self.rounds(a) else { return self.cx.prog.exprs.unary(op, a) };
        let directed = match op {
            UnOp::Sqrt => UnOp::SqrtTo,
            UnOp::RoundEven => |toward| match toward {
                Toward::Zero => UnOp::Trunc,
                Toward::Down => UnOp::Floor,
                Toward::Up => UnOp::Ceil,
            },
            _ => return self.cx.prog.exprs.unary(op, a),
        };
        let a = self.atom(a, span);
        let nearest = self.cx.prog.exprs.unary(op, a);
        self.chosen(mode, nearest, span, |f, toward| f.cx.prog.exprs.unary(directed(toward), a))
    }

    /// The value in another type, which there is a conversion to.
    pub fn cast_rounded(&mut self, v: ExprId, ty: Ty, span: Span) -> ExprId {
        let from = self.cx.prog.ty(v);
        let (Some(mode), Ty::Float(to)) = (self.cx.rounding, ty) else {
            return self.cx.prog.exprs.cast(ty, v);
        };
        let exact = match from {
            Ty::Float(from) => precision(from) <= precision(to),
            Ty::Int(i) => u32::from(i.bits) <= precision(to),
            _ => true,
        };
        if exact || self.cx.prog.exprs.const_bits(v).is_some() {
            return self.cx.prog.exprs.cast(ty, v);
        }
        let v = self.atom(v, span);
        let nearest = self.cx.prog.exprs.cast(ty, v);
        self.chosen(mode, nearest, span, |f, toward| f.cx.prog.exprs.unary(UnOp::ConvertTo(to, toward), v))
    }

    /// The mode, if the value is a float that an operation of this program may round.
    fn rounds(&self, a: ExprId) -> Option<VarId> {
        self.cx.rounding.filter(|_| matches!(self.cx.prog.ty(a), Ty::Float(_)))
    }

    fn chosen(
        &mut self,
        mode: VarId,
        nearest: ExprId,
        span: Span,
        mut directed: impl FnMut(&mut Self, Toward) -> ExprId,
    ) -> ExprId {
        if self.cx.prog.exprs.const_bits(nearest).is_some() {
            return nearest;
        }
        let [zero, down, up] = Toward::ALL.map(|t| directed(self, t));
        let x = &mut self.cx.prog.exprs;
        let mode = x.var(mode);
        let mut value = zero;
        for (number, choice) in [(UP, up), (DOWN, down), (0, nearest)] {
            let number = x.int(IntTy::I32, number);
            let is = x.binary(BinOp::Eq, mode, number);
            value = x.select(is, choice, value);
        }
        self.save(value, span)
    }
}

fn precision(ty: FloatTy) -> u32 {
    match ty {
        FloatTy::F32 => 24,
        FloatTy::F64 => 53,
        FloatTy::X80 => 64,
        FloatTy::F128 => 113,
    }
}
