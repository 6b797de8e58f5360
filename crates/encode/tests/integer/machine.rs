//! Expressions evaluated by the definition of the operations.

use std::collections::BTreeSet;

use cairn_encode::integer::{Range, number};
use cairn_ir::{BinOp, Expr, ExprId, IntTy, Program, Ty, UnOp, VarId};
use cairn_term::Value;
use cairn_value::{Undefined, eval};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use crate::MODEL;

/// An evaluation, with what happened on the way.
pub struct Machine<'a> {
    pub program: &'a Program,
    pub values: &'a FxHashMap<VarId, u128>,
    /// Evaluated operations whose result is no number of their type.
    pub leaving: BTreeSet<ExprId>,
}

impl Machine<'_> {
    pub fn run(&mut self, e: ExprId) -> Result<u128, Undefined> {
        let p = self.program;
        match p.exprs.get(e) {
            Expr::Var(v) => Ok(self.values[&v]),
            Expr::Unary(op, a) => {
                let (ty, x) = (p.ty(a), self.run(a)?);
                if let (UnOp::Neg, Ty::Int(i)) = (op, ty) {
                    self.note(e, i, -number(i, x));
                }
                eval::unary(op, ty, x)
            }
            Expr::Binary(op, a, b) => {
                let (ta, tb) = (p.ty(a), p.ty(b));
                let (x, y) = (self.run(a)?, self.run(b)?);
                let result = eval::binary(op, ta, tb, x, y, MODEL)?;
                if let (Ty::Int(i), Ty::Int(j)) = (ta, tb) {
                    let (m, n) = (number(i, x), number(j, y));
                    let exact = match op {
                        BinOp::Add => Some(m + n),
                        BinOp::Sub => Some(m - n),
                        BinOp::Mul => Some(m * n),
                        BinOp::Shl => Some(m << u32::try_from(n).unwrap()),
                        _ => None,
                    };
                    if let Some(exact) = exact {
                        let leaves = self.note(e, i, exact);
                        assert!(!i.signed || leaves == eval::overflows(op, ta, x, y));
                    }
                }
                Ok(result)
            }
            Expr::Cast(to, a) => {
                let (from, x) = (p.ty(a), self.run(a)?);
                if let (Ty::Int(f), Ty::Int(t)) = (from, to) {
                    self.note(e, t, number(f, x));
                }
                eval::cast(from, to, x, MODEL)
            }
            Expr::Select(c, t, f) => {
                if self.run(c)? == 1 {
                    self.run(t)
                } else {
                    self.run(f)
                }
            }
            _ => Ok(p.exprs.const_bits(e).expect("a constant")),
        }
    }

    fn note(&mut self, e: ExprId, ty: IntTy, exact: BigInt) -> bool {
        let leaves = !Range::of(ty).has(&exact);
        if leaves {
            self.leaving.insert(e);
        }
        leaves
    }
}

pub fn machine_value(ty: Ty, bits: u128) -> Value {
    match ty {
        Ty::Int(i) => Value::Int(number(i, bits)),
        _ => Value::Bool(bits == 1),
    }
}
