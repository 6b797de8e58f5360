//! Interpolants as conditions of the IR, where they speak only of variables that
//! are visible in the function they belong to.
//!
//! Terms are bit patterns: every number is read as an unsigned one of its width
//! and converted where an operation reads it otherwise.

use cairn_base::PrimaryMap;
use cairn_ir::{BinOp, ExprId, ExprPool, IntTy, Ty, UnOp, Var, VarId};
use cairn_term::{Op, Pool, Sort, TermId};
use rustc_hash::FxHashMap;

use crate::symbols::{Symbol, Symbols};

pub struct Express<'x> {
    vars: &'x PrimaryMap<VarId, Var>,
    pub exprs: &'x mut ExprPool,
    pub symbols: &'x mut Symbols,
    /// Of the function whose variables may be mentioned.
    pub depth: u32,
    /// May those of its callers be mentioned as well? No function is open twice then.
    pub callers: bool,
    /// Variables that are names of pieces of memory.
    pub pieces: FxHashMap<TermId, VarId>,
    done: FxHashMap<TermId, Option<ExprId>>,
}

fn unsigned(bits: u8) -> Ty {
    Ty::Int(IntTy { bits, signed: false })
}

fn signed(bits: u8) -> Ty {
    Ty::Int(IntTy { bits, signed: true })
}

impl<'x> Express<'x> {
    pub fn new(
        vars: &'x PrimaryMap<VarId, Var>,
        exprs: &'x mut ExprPool,
        symbols: &'x mut Symbols,
        depth: u32,
    ) -> Express<'x> {
        let (pieces, done) = Default::default();
        Express { vars, exprs, symbols, depth, callers: false, pieces, done }
    }

    /// The condition, if it can be said.
    pub fn condition(&mut self, pool: &Pool, t: TermId) -> Option<ExprId> {
        for t in pool.reachable(&[t]) {
            let said = self.term(pool, t);
            self.done.insert(t, said);
        }
        self.done[&t].filter(|&e| self.exprs.ty(e) == Ty::Bool)
    }

    /// The arguments have been said before.
    fn term(&mut self, pool: &Pool, t: TermId) -> Option<ExprId> {
        let mut args = Vec::new();
        for a in pool.args(t) {
            args.push(self.done[a]?);
        }
        let width = match pool.sort(t) {
            Sort::Bits(w) => w,
            Sort::Bool => 0,
            _ => return None,
        };
        let x = &mut *self.exprs;
        let binary = |x: &mut ExprPool, op: BinOp| x.binary(op, args[0], args[1]);
        Some(match pool.op(t) {
            Op::Bool(b) => x.bool(b),
            Op::Word(..) => x.constant(unsigned(width), pool.as_bits(t)?),
            Op::Var(_) => {
                let v = match self.symbols.meaning(pool, t)? {
                    Symbol::Global(v) => v,
                    Symbol::Local(depth, v) if depth == self.depth || self.callers => v,
                    Symbol::Piece(_) => *self.pieces.get(&t)?,
                    _ => return None,
                };
                let e = x.var(v);
                match self.vars[v].ty {
                    Ty::Bool => e,
                    Ty::Int(i) => x.cast(unsigned(i.bits), e),
                    _ => return None,
                }
            }
            Op::Not => x.not(args[0]),
            Op::And => args[1..].iter().fold(args[0], |a, &b| x.binary(BinOp::And, a, b)),
            Op::Or => args[1..].iter().fold(args[0], |a, &b| x.binary(BinOp::Or, a, b)),
            Op::Eq => binary(x, BinOp::Eq),
            Op::Ite => x.select(args[0], args[1], args[2]),
            Op::BvNot => x.unary(UnOp::BitNot, args[0]),
            Op::BvNeg => x.unary(UnOp::Neg, args[0]),
            Op::BvAdd => binary(x, BinOp::Add),
            Op::BvMul => binary(x, BinOp::Mul),
            Op::BvAnd => binary(x, BinOp::And),
            Op::BvOr => binary(x, BinOp::Or),
            Op::BvXor => binary(x, BinOp::Xor),
            Op::BvUlt => binary(x, BinOp::Lt),
            // Where the divisor is not zero.
            Op::BvUdiv if pool.as_bits(pool.arg(t, 1)).is_some_and(|c| c != 0) => binary(x, BinOp::Div),
            Op::BvUrem if pool.as_bits(pool.arg(t, 1)).is_some_and(|c| c != 0) => binary(x, BinOp::Rem),
            Op::BvSdiv | Op::BvSrem => {
                let c = pool.as_bits(pool.arg(t, 1))?;
                if c == 0 || c == (IntTy { bits: width, signed: false }).mask() {
                    return None;
                }
                let op = if pool.op(t) == Op::BvSdiv { BinOp::Div } else { BinOp::Rem };
                let (a, b) = (x.cast(signed(width), args[0]), x.cast(signed(width), args[1]));
                let e = x.binary(op, a, b);
                x.cast(unsigned(width), e)
            }
            Op::BvSlt => {
                let width = pool.width(pool.arg(t, 0));
                let (a, b) = (x.cast(signed(width), args[0]), x.cast(signed(width), args[1]));
                x.binary(BinOp::Lt, a, b)
            }
            Op::BvShl | Op::BvLshr | Op::BvAshr => {
                // Counts that shift everything out are undefined in the IR.
                let count = pool.as_bits(pool.arg(t, 1))?;
                if count >= u128::from(width) {
                    return None;
                }
                match pool.op(t) {
                    Op::BvShl => binary(x, BinOp::Shl),
                    Op::BvLshr => binary(x, BinOp::Shr),
                    _ => {
                        let a = x.cast(signed(width), args[0]);
                        let e = x.binary(BinOp::Shr, a, args[1]);
                        x.cast(unsigned(width), e)
                    }
                }
            }
            Op::ZeroExt(_) => x.cast(unsigned(width), args[0]),
            Op::SignExt(_) => {
                let a = x.cast(signed(pool.width(pool.arg(t, 0))), args[0]);
                let e = x.cast(signed(width), a);
                x.cast(unsigned(width), e)
            }
            Op::Extract(_, low) => {
                let whole = pool.width(pool.arg(t, 0));
                let mut e = args[0];
                if low > 0 {
                    let count = x.constant(unsigned(whole), low.into());
                    e = x.binary(BinOp::Shr, e, count);
                }
                x.cast(unsigned(width), e)
            }
            Op::Concat => {
                let low = pool.width(pool.arg(t, 1));
                let (a, b) = (x.cast(unsigned(width), args[0]), x.cast(unsigned(width), args[1]));
                let count = x.constant(unsigned(width), low.into());
                let a = x.binary(BinOp::Shl, a, count);
                x.binary(BinOp::Or, a, b)
            }
            _ => return None,
        })
    }
}
