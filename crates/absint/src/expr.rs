//! Expressions over an [`Env`]: what values they may have, and what follows for
//! the variables if a condition holds or not.
//!
//! Undefined operations end executions, so only defined results count.

use cairn_ir::{BinOp, Expr, ExprId, IntTy, Program, Ty, UnOp, VarId};

use crate::env::Env;
use crate::num::Num;

/// Subexpressions to look at for one question; the rest of a larger expression may be anything.
const FUEL: u32 = 3000;
/// Levels of operands to descend.
const DEPTH: u32 = 60;

pub struct Eval<'p> {
    p: &'p Program,
    fuel: u32,
}

impl<'p> Eval<'p> {
    pub fn new(p: &'p Program) -> Eval<'p> {
        Eval { p, fuel: FUEL }
    }

    /// What values an expression may have; `None` if its type is not tracked.
    pub fn value(&mut self, env: &Env, e: ExprId) -> Option<Num> {
        self.eval(env, e, 0)
    }

    fn eval(&mut self, env: &Env, e: ExprId, depth: u32) -> Option<Num> {
        let ty = self.p.ty(e);
        let all = Num::of_type(ty)?;
        if self.fuel == 0 || depth > DEPTH {
            return Some(all);
        }
        self.fuel -= 1;
        Some(self.known(env, e, ty, depth + 1).unwrap_or(all))
    }

    /// `None`: anything that the type allows.
    fn known(&mut self, env: &Env, e: ExprId, ty: Ty, depth: u32) -> Option<Num> {
        match self.p.exprs.get(e) {
            Expr::Int(i, bits) => Some(Num::constant(i.number(bits))),
            Expr::Bool(b) => Some(Num::bool(b)),
            Expr::Var(v) => env.get(self.p, v),
            Expr::Unary(op, a) => {
                let n = self.eval(env, a, depth)?;
                let i = match ty {
                    Ty::Bool => return (op == UnOp::Not).then(|| Num::constant(1).sub(n)).flatten(),
                    Ty::Int(i) => i,
                    _ => return None,
                };
                let count = |most: u8| Num::between(0, most.into());
                let exact = match op {
                    UnOp::Neg => Some(n.neg()),
                    UnOp::BitNot if i.signed => Num::constant(-1).sub(n),
                    UnOp::BitNot => Num::constant(i.mask() as i128).sub(n),
                    UnOp::Clz | UnOp::Ctz => count(i.bits - 1),
                    UnOp::Popcount => count(i.bits),
                    _ => None,
                };
                Some(exact?.wrapped(i))
            }
            Expr::Binary(op, a, b) => self.binary(env, op, a, b, ty, depth),
            Expr::Cast(_, a) => {
                let n = self.eval(env, a, depth)?;
                match ty {
                    Ty::Int(i) => Some(n.wrapped(i)),
                    _ => None,
                }
            }
            Expr::Select(c, t, f) => {
                let mut found: Option<Num> = None;
                for (side, x) in [(true, t), (false, f)] {
                    let mut here = env.clone();
                    if self.assume(&mut here, c, side, depth) {
                        let n = self.eval(&here, x, depth)?;
                        found = Some(found.map_or(n, |m| m.join(n)));
                    }
                }
                found
            }
            _ => None,
        }
    }

    fn binary(&mut self, env: &Env, op: BinOp, a: ExprId, b: ExprId, ty: Ty, depth: u32) -> Option<Num> {
        let of = self.p.ty(a);
        let (x, y) = (self.eval(env, a, depth)?, self.eval(env, b, depth)?);
        if of == Ty::Bool {
            return match op {
                BinOp::And => Num::between(x.lo.min(y.lo), x.hi.min(y.hi)),
                BinOp::Or => Num::between(x.lo.max(y.lo), x.hi.max(y.hi)),
                BinOp::Xor | BinOp::Ne => Some(Num::bool(x.is_constant()? != y.is_constant()?)),
                BinOp::Eq => Some(Num::bool(x.is_constant()? == y.is_constant()?)),
                _ => None,
            };
        }
        if ty == Ty::Bool {
            return self.compare(env, op, a, b, x, y);
        }
        let Ty::Int(i) = ty else { return None };
        let exact = match op {
            BinOp::Add => x.add(y),
            BinOp::Sub => x.sub(y),
            BinOp::Mul => x.mul(y),
            BinOp::Div => x.div(y),
            BinOp::Rem => x.rem(y),
            BinOp::Shl => x.mul(powers(i, y)?),
            BinOp::Shr => {
                let count = shift_count(i, y)?;
                let ends = [x.lo >> count.lo, x.lo >> count.hi, x.hi >> count.lo, x.hi >> count.hi];
                Num::between(*ends.iter().min()?, *ends.iter().max()?)
            }
            BinOp::And => and(x, y),
            BinOp::Or if x.lo >= 0 && y.lo >= 0 => Num::between(x.lo.max(y.lo), ones(x.hi.max(y.hi))),
            BinOp::Xor if x.lo >= 0 && y.lo >= 0 => Num::between(0, ones(x.hi.max(y.hi))),
            _ => None,
        };
        Some(exact?.wrapped(i))
    }

    /// Does the operation at the top of an expression stay in its type, before any wrapping?
    pub fn stays(&mut self, env: &Env, e: ExprId) -> bool {
        let Ty::Int(i) = self.p.ty(e) else { return true };
        if i.bits > 64 {
            return false;
        }
        let exact = match self.p.exprs.get(e) {
            Expr::Unary(UnOp::Neg, a) => self.value(env, a).map(Num::neg),
            Expr::Cast(_, a) => self.value(env, a),
            Expr::Binary(op @ (BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Shl), a, b) => {
                match (self.value(env, a), self.value(env, b)) {
                    (Some(x), Some(y)) => match op {
                        BinOp::Add => x.add(y),
                        BinOp::Sub => x.sub(y),
                        BinOp::Mul => x.mul(y),
                        _ => powers(i, y).and_then(|p| x.mul(p)),
                    },
                    _ => None,
                }
            }
            _ => return true,
        };
        let all = Num::of_int(i);
        exact.is_some_and(|n| all.lo <= n.lo && n.hi <= all.hi)
    }

    fn compare(&mut self, env: &Env, op: BinOp, a: ExprId, b: ExprId, x: Num, y: Num) -> Option<Num> {
        let Ty::Int(i) = self.p.ty(a) else { return None };
        let exact = match op {
            BinOp::AddOvf => x.add(y),
            BinOp::SubOvf => x.sub(y),
            BinOp::MulOvf => x.mul(y),
            _ => {
                // Bounds on the difference.
                let (mut lo, mut hi) = (x.lo - y.hi, x.hi - y.lo);
                if let (Some((v, c)), Some((w, d))) = (self.linear(env, a), self.linear(env, b))
                    && let Some((l, h)) = env.difference(self.p, v, w)
                {
                    (lo, hi) = (lo.max(l + c - d), hi.min(h + c - d));
                }
                let never_equal = hi < 0 || lo > 0 || x.meet(y).is_none();
                return match op {
                    BinOp::Lt if hi < 0 => Some(Num::bool(true)),
                    BinOp::Lt if lo >= 0 => Some(Num::bool(false)),
                    BinOp::Le if hi <= 0 => Some(Num::bool(true)),
                    BinOp::Le if lo > 0 => Some(Num::bool(false)),
                    BinOp::Eq | BinOp::Ne if never_equal => Some(Num::bool(op == BinOp::Ne)),
                    BinOp::Eq | BinOp::Ne if lo == 0 && hi == 0 => Some(Num::bool(op == BinOp::Eq)),
                    _ => None,
                };
            }
        }?;
        let all = Num::of_int(i);
        if all.lo <= exact.lo && exact.hi <= all.hi {
            return Some(Num::bool(false));
        }
        (exact.lo > all.hi || exact.hi < all.lo).then_some(Num::bool(true))
    }

    /// An expression as a variable plus a constant, if it surely has that value.
    pub fn linear(&mut self, env: &Env, e: ExprId) -> Option<(VarId, i128)> {
        self.linear_at(env, e, 0)
    }

    fn linear_at(&mut self, env: &Env, e: ExprId, depth: u32) -> Option<(VarId, i128)> {
        if self.fuel == 0 || depth > DEPTH {
            return None;
        }
        self.fuel -= 1;
        match self.p.exprs.get(e) {
            Expr::Var(v) => {
                env.get(self.p, v)?;
                Some((v, 0))
            }
            Expr::Cast(Ty::Int(i), a) if i.bits <= 64 => {
                let n = self.eval(env, a, depth)?;
                (n.wrapped(i) == n).then_some(())?;
                self.linear_at(env, a, depth + 1)
            }
            Expr::Binary(op @ (BinOp::Add | BinOp::Sub), a, b) => {
                let Ty::Int(i) = self.p.ty(e) else { return None };
                let (x, y) = (self.eval(env, a, depth)?, self.eval(env, b, depth)?);
                let (sum, by, base) = match (op, x.is_constant(), y.is_constant()) {
                    (BinOp::Add, _, Some(c)) => (x.add(y)?, c, a),
                    (BinOp::Sub, _, Some(c)) => (x.sub(y)?, -c, a),
                    (BinOp::Add, Some(c), _) => (x.add(y)?, c, b),
                    _ => return None,
                };
                let all = Num::of_int(i);
                (all.lo <= sum.lo && sum.hi <= all.hi).then_some(())?;
                let (v, c) = self.linear_at(env, base, depth + 1)?;
                Some((v, c + by))
            }
            _ => None,
        }
    }

    /// Restricts `env` to the executions in which `cond` is `holds`; `false` if there are none.
    pub fn refine(&mut self, env: &mut Env, cond: ExprId, holds: bool) -> bool {
        self.assume(env, cond, holds, 0)
    }

    fn assume(&mut self, env: &mut Env, cond: ExprId, holds: bool, depth: u32) -> bool {
        if self.fuel == 0 || depth > DEPTH {
            return true;
        }
        match self.eval(env, cond, depth).and_then(Num::is_constant) {
            Some(c) if (c != 0) != holds => return false,
            Some(_) => return true,
            None => {}
        }
        match self.p.exprs.get(cond) {
            Expr::Var(v) => env.meet(self.p, v, Num::bool(holds)),
            Expr::Unary(UnOp::Not, a) => self.assume(env, a, !holds, depth + 1),
            Expr::Binary(op @ (BinOp::And | BinOp::Or), a, b) => {
                // Both sides, or one of them.
                if (op == BinOp::And) == holds {
                    return self.assume(env, a, holds, depth + 1) && self.assume(env, b, holds, depth + 1);
                }
                let mut other = env.clone();
                let left = self.assume(env, a, holds, depth + 1);
                let right = self.assume(&mut other, b, holds, depth + 1);
                self.either(env, left, other, right)
            }
            Expr::Select(c, t, f) => {
                let mut other = env.clone();
                let left = self.assume(env, c, true, depth + 1) && self.assume(env, t, holds, depth + 1);
                let right = self.assume(&mut other, c, false, depth + 1)
                    && self.assume(&mut other, f, holds, depth + 1);
                self.either(env, left, other, right)
            }
            Expr::Binary(op, a, b) if matches!(self.p.ty(a), Ty::Int(i) if i.bits <= 64) => {
                match (op, holds) {
                    (BinOp::Eq, true) | (BinOp::Ne, false) => self.equal(env, a, b, depth),
                    (BinOp::Eq, false) | (BinOp::Ne, true) => self.differ(env, a, b, depth),
                    (BinOp::Lt, true) => self.less(env, a, b, 1, depth),
                    (BinOp::Lt, false) => self.less(env, b, a, 0, depth),
                    (BinOp::Le, true) => self.less(env, a, b, 0, depth),
                    (BinOp::Le, false) => self.less(env, b, a, 1, depth),
                    _ => true,
                }
            }
            _ => true,
        }
    }

    fn either(&self, env: &mut Env, left: bool, other: Env, right: bool) -> bool {
        match (left, right) {
            (true, true) => *env = env.join(self.p, &other),
            (false, true) => *env = other,
            _ => return left,
        }
        true
    }

    /// `a + gap <= b`
    fn less(&mut self, env: &mut Env, a: ExprId, b: ExprId, gap: i128, depth: u32) -> bool {
        let (Some(x), Some(y)) = (self.eval(env, a, depth), self.eval(env, b, depth)) else { return true };
        let (lines, lined) = (self.linear(env, a), self.linear(env, b));
        let (Some(low), Some(high)) =
            (Num::between(x.lo, x.hi.min(y.hi - gap)), Num::between(y.lo.max(x.lo + gap), y.hi))
        else {
            return false;
        };
        self.restrict(env, a, low, depth) && self.restrict(env, b, high, depth) && {
            if let (Some((v, c)), Some((w, d))) = (lines, lined)
                && v != w
                && let Some((lo, hi)) = env.difference(self.p, v, w)
            {
                // v + c + gap <= w + d
                let hi = hi.min(d - c - gap);
                if lo > hi {
                    return false;
                }
                env.set_difference(self.p, v, w, (lo, hi));
            }
            true
        }
    }

    fn equal(&mut self, env: &mut Env, a: ExprId, b: ExprId, depth: u32) -> bool {
        let (Some(x), Some(y)) = (self.eval(env, a, depth), self.eval(env, b, depth)) else { return true };
        let (lines, lined) = (self.linear(env, a), self.linear(env, b));
        let Some(both) = x.meet(y) else { return false };
        // What is in `meet` may keep only one congruence, so both are restricted to it.
        self.restrict(env, a, both, depth) && self.restrict(env, b, both, depth) && {
            if let (Some((v, c)), Some((w, d))) = (lines, lined)
                && v != w
                && let Some((lo, hi)) = env.difference(self.p, v, w)
            {
                let by = d - c;
                if by < lo || hi < by {
                    return false;
                }
                env.set_difference(self.p, v, w, (by, by));
            }
            true
        }
    }

    fn differ(&mut self, env: &mut Env, a: ExprId, b: ExprId, depth: u32) -> bool {
        for (e, other) in [(a, b), (b, a)] {
            let (Some(x), Some(c)) =
                (self.eval(env, e, depth), self.eval(env, other, depth).and_then(Num::is_constant))
            else {
                continue;
            };
            let (lo, hi) = (x.lo + i128::from(x.lo == c), x.hi - i128::from(x.hi == c));
            match Num::between(lo, hi) {
                Some(rest) if (lo, hi) != (x.lo, x.hi) => {
                    if !self.restrict(env, e, rest, depth) {
                        return false;
                    }
                }
                Some(_) => {}
                None => return false,
            }
        }
        // A bound of the difference that is 0 moves.
        if let (Some((v, c)), Some((w, d))) = (self.linear(env, a), self.linear(env, b))
            && v != w
            && let Some((lo, hi)) = env.difference(self.p, v, w)
        {
            let by = d - c;
            let (lo, hi) = (lo + i128::from(lo == by), hi - i128::from(hi == by));
            if lo > hi {
                return false;
            }
            env.set_difference(self.p, v, w, (lo, hi));
        }
        true
    }

    /// The expression has a value in `to`; `false` if that cannot be.
    fn restrict(&mut self, env: &mut Env, e: ExprId, to: Num, depth: u32) -> bool {
        if self.fuel == 0 || depth > DEPTH {
            return true;
        }
        self.fuel -= 1;
        match self.p.exprs.get(e) {
            Expr::Var(v) => env.meet(self.p, v, to),
            Expr::Cast(Ty::Int(i), a) if i.bits <= 64 => {
                let Some(n) = self.eval(env, a, depth) else { return true };
                if self.p.ty(a) == Ty::Bool {
                    return match to.is_constant() {
                        Some(c @ 0..=1) => self.assume(env, a, c == 1, depth + 1),
                        _ => true,
                    };
                }
                // The cast keeps the value.
                if n.wrapped(i) == n { self.restrict(env, a, to, depth + 1) } else { true }
            }
            Expr::Binary(op @ (BinOp::Add | BinOp::Sub), a, b) => {
                let Ty::Int(i) = self.p.ty(e) else { return true };
                let (Some(x), Some(y)) = (self.eval(env, a, depth), self.eval(env, b, depth)) else {
                    return true;
                };
                let sum = if op == BinOp::Add { x.add(y) } else { x.sub(y) };
                let all = Num::of_int(i);
                let Some(sum) = sum.filter(|s| all.lo <= s.lo && s.hi <= all.hi) else { return true };
                let Some(to) = sum.meet(to) else { return false };
                let (left, right) = match op {
                    BinOp::Add => (to.sub(y), to.sub(x)),
                    _ => (to.add(y), x.sub(to)),
                };
                left.is_none_or(|n| self.restrict(env, a, n, depth + 1))
                    && right.is_none_or(|n| self.restrict(env, b, n, depth + 1))
            }
            Expr::Binary(op @ (BinOp::Rem | BinOp::And), a, b) => {
                let (Some(x), Some(y)) = (self.eval(env, a, depth), self.eval(env, b, depth)) else {
                    return true;
                };
                let (Some(rest), Some(d)) = (to.is_constant(), y.is_constant()) else { return true };
                let modulus = match op {
                    BinOp::Rem if x.lo >= 0 || rest == 0 => d.unsigned_abs(),
                    BinOp::And if d > 0 && (d + 1).unsigned_abs().is_power_of_two() => (d + 1).unsigned_abs(),
                    _ => return true,
                };
                match u64::try_from(modulus) {
                    Ok(modulus) if modulus > 1 => {
                        let residue = rest.rem_euclid(i128::from(modulus));
                        match x.meet(Num { modulus, rest: residue, lo: x.lo, hi: x.hi }) {
                            Some(n) => self.restrict(env, a, n, depth + 1),
                            None => false,
                        }
                    }
                    _ => true,
                }
            }
            _ => true,
        }
    }
}

/// Counts for which a shift is defined.
fn shift_count(i: IntTy, y: Num) -> Option<Num> {
    Num::between(y.lo.max(0), y.hi.min(i128::from(i.bits) - 1))
}

/// The powers of two that shifting by `y` multiplies with.
fn powers(i: IntTy, y: Num) -> Option<Num> {
    let count = shift_count(i, y)?;
    match count.is_constant() {
        Some(c) => Some(Num::constant(1i128 << c)),
        None => Num::between(1i128 << count.lo, 1i128 << count.hi),
    }
}

/// The least number of the form 2^n - 1 that is not smaller.
fn ones(n: i128) -> i128 {
    let bits = 128 - (n as u128).leading_zeros();
    if bits >= 127 { i128::MAX } else { (1i128 << bits) - 1 }
}

fn and(x: Num, y: Num) -> Option<Num> {
    if let (Some(a), Some(b)) = (x.is_constant(), y.is_constant()) {
        return Some(Num::constant(a & b));
    }
    let out = match (x.lo >= 0, y.lo >= 0) {
        (true, true) => Num::between(0, x.hi.min(y.hi)),
        (true, false) => Num::between(0, x.hi),
        (false, true) => Num::between(0, y.hi),
        (false, false) => None,
    }?;
    // A mask 2^n - 1 keeps the remainder modulo 2^n.
    for (n, mask) in [(x, y), (y, x)] {
        if let Some(m) = mask.is_constant()
            && m > 0
            && (m + 1).unsigned_abs().is_power_of_two()
        {
            if n.lo >= 0 && n.hi <= m {
                return Some(n);
            }
            let kept = n.wrapped(IntTy { bits: (m + 1).trailing_zeros() as u8, signed: false });
            return kept.meet(out);
        }
    }
    Some(out)
}
