//! From terms back to expressions of the IR: the inverse of [`crate::expr`] for bits,
//! and of [`crate::integer`] for integers.
//!
//! Bit patterns are read as unsigned numbers of their width and converted where an
//! operation reads them otherwise. Integers are computed in a type that the client
//! chooses so that no sum wraps in it; a comparison of variables of one type, or
//! with a number of that type, is left in that type. A term is said once,
//! however often it occurs.

use cairn_base::PrimaryMap;
use cairn_ir::{BinOp, ExprId, ExprPool, IntTy, Ty, UnOp, Var, VarId};
use cairn_term::{Op, Pool, Sort, TermId};
use rustc_hash::FxHashMap;

/// Which constants of terms are variables of the program.
pub trait Names {
    fn variable(&mut self, pool: &Pool, t: TermId) -> Option<VarId>;
}

impl Names for &FxHashMap<TermId, VarId> {
    fn variable(&mut self, _: &Pool, t: TermId) -> Option<VarId> {
        self.get(&t).copied()
    }
}

/// Writes terms as expressions.
pub struct Writer<'x, N> {
    vars: &'x PrimaryMap<VarId, Var>,
    exprs: &'x mut ExprPool,
    pub names: N,
    /// The type in which integers are computed.
    wide: IntTy,
    done: FxHashMap<TermId, Option<ExprId>>,
}

fn unsigned(bits: u8) -> Ty {
    Ty::Int(IntTy { bits, signed: false })
}

fn signed(bits: u8) -> Ty {
    Ty::Int(IntTy { bits, signed: true })
}

impl<'x, N: Names> Writer<'x, N> {
    pub fn new(
        vars: &'x PrimaryMap<VarId, Var>,
        exprs: &'x mut ExprPool,
        names: N,
        wide: IntTy,
    ) -> Writer<'x, N> {
        Writer { vars, exprs, names, wide, done: FxHashMap::default() }
    }

    /// The condition, if it can be said.
    pub fn condition(&mut self, pool: &Pool, t: TermId) -> Option<ExprId> {
        for t in pool.reachable(&[t]) {
            if !self.done.contains_key(&t) {
                let said = self.term(pool, t);
                self.done.insert(t, said);
            }
        }
        self.done[&t].filter(|&e| self.exprs.ty(e) == Ty::Bool)
    }

    /// The arguments have been said before.
    fn term(&mut self, pool: &Pool, t: TermId) -> Option<ExprId> {
        if let (Op::Eq | Op::Le, &[a, b]) = (pool.op(t), pool.args(t))
            && let Some(e) = self.narrow(pool, pool.op(t), a, b)
        {
            return Some(e);
        }
        let mut args = Vec::new();
        for a in pool.args(t) {
            args.push(self.done[a]?);
        }
        match pool.sort(t) {
            Sort::Bits(w) => self.bits(pool, t, w, &args),
            Sort::Bool => self.bool(pool, t, &args),
            Sort::Int => self.number(pool, t, &args),
            _ => None,
        }
    }

    fn variable(&mut self, pool: &Pool, t: TermId) -> Option<(ExprId, Ty)> {
        let v = self.names.variable(pool, t)?;
        Some((self.exprs.var(v), self.vars[v].ty))
    }

    fn all(&mut self, op: BinOp, args: &[ExprId]) -> Option<ExprId> {
        args.iter().copied().reduce(|a, b| self.exprs.binary(op, a, b))
    }

    fn bool(&mut self, pool: &Pool, t: TermId, args: &[ExprId]) -> Option<ExprId> {
        let x = &mut *self.exprs;
        Some(match pool.op(t) {
            Op::Bool(b) => x.bool(b),
            Op::Var(_) => self.variable(pool, t).filter(|(_, ty)| *ty == Ty::Bool)?.0,
            Op::Not => x.not(args[0]),
            Op::And => self.all(BinOp::And, args)?,
            Op::Or => self.all(BinOp::Or, args)?,
            Op::Eq => x.binary(BinOp::Eq, args[0], args[1]),
            Op::Ite => x.select(args[0], args[1], args[2]),
            Op::Le => x.binary(BinOp::Le, args[0], args[1]),
            Op::BvUlt => x.binary(BinOp::Lt, args[0], args[1]),
            Op::BvSlt => {
                let width = pool.width(pool.arg(t, 0));
                let (a, b) = (x.cast(signed(width), args[0]), x.cast(signed(width), args[1]));
                x.binary(BinOp::Lt, a, b)
            }
            _ => return None,
        })
    }

    fn bits(&mut self, pool: &Pool, t: TermId, width: u8, args: &[ExprId]) -> Option<ExprId> {
        let x = &mut *self.exprs;
        let binary = |x: &mut ExprPool, op: BinOp| x.binary(op, args[0], args[1]);
        Some(match pool.op(t) {
            Op::Word(..) => x.constant(unsigned(width), pool.as_bits(t)?),
            Op::Var(_) => {
                let (e, Ty::Int(i)) = self.variable(pool, t)? else { return None };
                self.exprs.cast(unsigned(i.bits), e)
            }
            Op::Ite => x.select(args[0], args[1], args[2]),
            Op::BvNot => x.unary(UnOp::BitNot, args[0]),
            Op::BvNeg => x.unary(UnOp::Neg, args[0]),
            Op::BvAdd => binary(x, BinOp::Add),
            Op::BvMul => binary(x, BinOp::Mul),
            Op::BvAnd => binary(x, BinOp::And),
            Op::BvOr => binary(x, BinOp::Or),
            Op::BvXor => binary(x, BinOp::Xor),
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

    /// An integer in the wide type.
    fn number(&mut self, pool: &Pool, t: TermId, args: &[ExprId]) -> Option<ExprId> {
        if let Some(n) = pool.as_int(t) {
            return Some(self.exprs.int(self.wide, i128::try_from(n).ok()?));
        }
        Some(match pool.op(t) {
            Op::Var(_) => {
                let (e, _) = self.variable(pool, t)?;
                self.exprs.cast(Ty::Int(self.wide), e)
            }
            Op::Add => self.all(BinOp::Add, args)?,
            Op::Mul => self.all(BinOp::Mul, args)?,
            op @ (Op::Mod | Op::Div) => {
                let m = i128::try_from(pool.as_int(pool.arg(t, 1))?).ok().filter(|&m| m > 0)?;
                let rest = self.remainder(args[0], m);
                if op == Op::Mod {
                    return Some(rest);
                }
                let whole = self.exprs.binary(BinOp::Sub, args[0], rest);
                self.exprs.binary(BinOp::Div, whole, args[1])
            }
            Op::Ite => self.exprs.select(args[0], args[1], args[2]),
            _ => return None,
        })
    }

    /// The remainder in `0..m`, as the integers have it.
    fn remainder(&mut self, a: ExprId, m: i128) -> ExprId {
        if m.count_ones() == 1 {
            let mask = self.exprs.int(self.wide, m - 1);
            return self.exprs.binary(BinOp::And, a, mask);
        }
        let m = self.exprs.int(self.wide, m);
        let rest = self.exprs.binary(BinOp::Rem, a, m);
        let up = self.exprs.binary(BinOp::Add, rest, m);
        self.exprs.binary(BinOp::Rem, up, m)
    }

    /// The variable of an integer type that an integer stands for.
    fn integer(&mut self, pool: &Pool, t: TermId) -> Option<(VarId, IntTy)> {
        if pool.sort(t) != Sort::Int || !pool.is_var(t) {
            return None;
        }
        let v = self.names.variable(pool, t)?;
        match self.vars[v].ty {
            Ty::Int(i) => Some((v, i)),
            _ => None,
        }
    }

    /// A comparison of two variables of one type, or of one with a number of its type.
    fn narrow(&mut self, pool: &Pool, op: Op, a: TermId, b: TermId) -> Option<ExprId> {
        let like = self.integer(pool, a).or_else(|| self.integer(pool, b))?.1;
        let mut side = |t: TermId| -> Option<ExprId> {
            if let Some(n) = pool.as_int(t) {
                let n = i128::try_from(n).ok()?;
                let fits = like.min() <= n && (n < 0 || n as u128 <= like.max_bits());
                return fits.then(|| self.exprs.int(like, n));
            }
            let (v, i) = self.integer(pool, t)?;
            (i == like).then(|| self.exprs.var(v))
        };
        let (a, b) = (side(a)?, side(b)?);
        let op = if op == Op::Eq { BinOp::Eq } else { BinOp::Le };
        Some(self.exprs.binary(op, a, b))
    }
}

#[cfg(test)]
mod tests {
    use cairn_base::{DataModel, Place, sym};
    use cairn_ir::{Expr, Program, VarKind};
    use cairn_term::{Assignment, Evaluator, SortId, Value};
    use cairn_value::eval;

    use super::*;

    fn program() -> (Program, VarId) {
        let mut p = Program::new(DataModel::Lp64);
        let v = p.new_var(Var {
            name: sym("x"),
            ty: Ty::I32,
            owner: None,
            kind: VarKind::Temp,
            place: Place::NONE,
            scope: Place::NONE,
            dtype: None,
        });
        (p, v)
    }

    /// The value of an expression with one variable; each node is evaluated once.
    fn value(p: &Program, root: ExprId, x: u128) -> u128 {
        let mut values: FxHashMap<ExprId, u128> = FxHashMap::default();
        for (e, node) in p.exprs.iter() {
            let at = |e: ExprId| values[&e];
            let value = match node {
                Expr::Var(_) => Ok(x),
                Expr::Unary(op, a) => eval::unary(op, p.ty(a), at(a)),
                Expr::Binary(op, a, b) => eval::binary(op, p.ty(a), p.ty(b), at(a), at(b), p.model),
                Expr::Cast(to, a) => eval::cast(p.ty(a), to, at(a), p.model),
                Expr::Select(c, a, b) => Ok(if at(c) == 1 { at(a) } else { at(b) }),
                _ => Ok(p.exprs.const_bits(e).expect("a constant")),
            };
            values.insert(e, value.expect("defined"));
        }
        values[&root]
    }

    /// Writes a condition in which `layer` is repeated, and compares it with the term.
    fn check(bits: bool, depth: u32, layer: &dyn Fn(&mut Pool, TermId, u32) -> TermId) -> usize {
        let (mut p, v) = program();
        let mut pool = Pool::new();
        let sort = if bits { pool.bits_sort(32) } else { SortId::INT };
        let x = pool.var("x", sort);
        let mut t = x;
        for n in 0..depth {
            t = layer(&mut pool, t, n);
        }
        let condition = match pool.sort(t) {
            Sort::Int => {
                let two = pool.int(2);
                pool.int_le(t, two)
            }
            _ => {
                let two = pool.bits(32, 2);
                pool.bv_ult(t, two)
            }
        };
        let names = FxHashMap::from_iter([(x, v)]);
        let mut exprs = p.exprs.clone();
        let said = Writer::new(&p.vars, &mut exprs, &names, IntTy::I64).condition(&pool, condition);
        p.exprs = exprs;
        let said = said.expect("it can be said");
        for n in [0, 1, 2, 7, 100, 0x7fff_ffff, -1, -2, -100] {
            let given = match pool.sort(x) {
                Sort::Int => Value::Int(n.into()),
                _ => Value::bits(32, (n as u32).into()),
            };
            let at = Assignment::from_iter([(x, given)]);
            let wanted = Evaluator::new(&pool, &at).holds(condition);
            assert_eq!(value(&p, said, (n as u32).into()) == 1, wanted, "depth {depth}, x = {n}");
        }
        p.exprs.len()
    }

    #[test]
    fn a_shared_term_is_said_once() {
        let integers = |pool: &mut Pool, t: TermId, n: u32| {
            let [three, five, seven] = [3, 5, 7 + n].map(|n| pool.int(n));
            let (rest, half) = (pool.int_mod(t, seven), pool.int_div(t, three));
            let small = pool.int_le(rest, five);
            let sum = pool.int_add(rest, half);
            pool.ite(small, sum, half)
        };
        let bits = |pool: &mut Pool, t: TermId, n: u32| {
            let [a, b] = [3 + n, 77 * n].map(|n| pool.bits(32, n.into()));
            let (product, other) = (pool.bv_mul(t, a), pool.bv_xor(t, b));
            let less = pool.bv_slt(t, other);
            let sum = pool.bv_add(product, other);
            pool.ite(less, sum, product)
        };
        let int = |depth| check(false, depth, &integers);
        let word = |depth| check(true, depth, &bits);
        for of_depth in [&int as &dyn Fn(u32) -> usize, &word] {
            for depth in 1..8 {
                of_depth(depth);
            }
            let (thirty, sixty) = (of_depth(30), of_depth(60));
            assert!(sixty < 3 * thirty && sixty < 2000, "{thirty} {sixty}");
        }
    }
}
