//! What the analysis knows at a location, as conditions of the IR.
//!
//! Comparisons are typed by their operands, so bounds are compared in the type of
//! the variable, and differences in a type wide enough for no sum to wrap.

use cairn_base::EntityRef;
use cairn_ir::{BinOp, ExprId, ExprPool, IntTy, LocId, Ty, VarId, VarKind};

use crate::analysis::Analysis;
use crate::num::Num;

/// A difference larger than this is of no interest.
const FAR_APART: i128 = 1 << 20;

impl Analysis {
    /// The facts at a location, one condition each: bounds, remainders and differences of the
    /// variables, as far as they say more than the types. At the head of a loop only variables
    /// that the loop mentions or changes are considered, elsewhere all but temporaries.
    pub fn facts(&self, l: LocId, pool: &mut ExprPool) -> Vec<ExprId> {
        let Some(env) = self.state(l) else { return Vec::new() };
        let relevant = self.relevant.get(&l);
        let wanted = |v: VarId| match relevant {
            Some(vars) => vars.contains(&v),
            None => self.vars[v.index()].1 != VarKind::Temp,
        };
        let mut facts = Vec::new();
        for (v, n) in env.known().filter(|&(v, _)| wanted(v)) {
            match self.vars[v.index()].0 {
                Ty::Int(i) => number(pool, v, i, n, &mut facts),
                Ty::Bool => {
                    let x = pool.var(v);
                    match n.is_constant() {
                        Some(0) => facts.push(pool.not(x)),
                        Some(_) => facts.push(x),
                        None => {}
                    }
                }
                _ => {}
            }
        }
        for ((x, y), (lo, hi)) in env.differences().filter(|&((x, y), _)| wanted(x) && wanted(y)) {
            let (Some(a), Some(b)) = (self.at(l, x), self.at(l, y)) else { continue };
            if a.is_constant().is_some() || b.is_constant().is_some() {
                continue;
            }
            let types = (self.vars[x.index()].0, self.vars[y.index()].0);
            if let (Ty::Int(i), Ty::Int(j)) = types {
                let bounds = ((lo > a.lo - b.hi).then_some(lo), (hi < a.hi - b.lo).then_some(hi));
                difference(pool, (x, i), (y, j), bounds, &mut facts);
            }
        }
        facts
    }
}

fn number(pool: &mut ExprPool, v: VarId, i: IntTy, n: Num, facts: &mut Vec<ExprId>) {
    let x = pool.var(v);
    let all = Num::of_int(i);
    if let Some(c) = n.is_constant() {
        let c = pool.int(i, c);
        facts.push(pool.binary(BinOp::Eq, x, c));
        return;
    }
    // A bound that follows from the remainder says nothing.
    let step = i128::from(n.modulus).max(1);
    if n.lo - all.lo >= step {
        let lo = pool.int(i, n.lo);
        facts.push(pool.binary(BinOp::Le, lo, x));
    }
    if all.hi - n.hi >= step {
        let hi = pool.int(i, n.hi);
        facts.push(pool.binary(BinOp::Le, x, hi));
    }
    let m = i128::from(n.modulus);
    if m > 1 && m <= all.hi {
        let rest = n.rest.rem_euclid(m);
        let wanted = pool.int(i, rest);
        // The remainder of a negative number is negative; its low bits are not.
        let found = if n.modulus.is_power_of_two() {
            let mask = pool.int(i, m - 1);
            pool.binary(BinOp::And, x, mask)
        } else if n.lo >= 0 || rest == 0 {
            let m = pool.int(i, m);
            pool.binary(BinOp::Rem, x, m)
        } else {
            return;
        };
        facts.push(pool.binary(BinOp::Eq, found, wanted));
    }
}

/// `lo <= x - y` and `x - y <= hi`
fn difference(
    pool: &mut ExprPool,
    (x, i): (VarId, IntTy),
    (y, j): (VarId, IntTy),
    (lo, hi): (Option<i128>, Option<i128>),
    facts: &mut Vec<ExprId>,
) {
    let (x, y) = (pool.var(x), pool.var(y));
    if lo.is_some() && lo == hi {
        let by = lo.unwrap_or(0);
        if i == j {
            // Equal numbers are equal modulo the width, too.
            let by = pool.int(i, by);
            let sum = pool.binary(BinOp::Add, y, by);
            facts.push(pool.binary(BinOp::Eq, x, sum));
            return;
        }
    }
    let wide = IntTy { bits: if i.bits.max(j.bits) <= 32 { 64 } else { 128 }, signed: true };
    // a <= b + by
    let mut at_most = |pool: &mut ExprPool, a: ExprId, b: ExprId, by: i128| {
        if by.abs() > FAR_APART {
            return;
        }
        if i == j && (by == 0 || by == -1) {
            let op = if by == 0 { BinOp::Le } else { BinOp::Lt };
            facts.push(pool.binary(op, a, b));
            return;
        }
        let (a, b) = (pool.cast(Ty::Int(wide), a), pool.cast(Ty::Int(wide), b));
        let by = pool.int(wide, by);
        let sum = pool.binary(BinOp::Add, b, by);
        facts.push(pool.binary(BinOp::Le, a, sum));
    };
    if let Some(hi) = hi {
        at_most(pool, x, y, hi);
    }
    if let Some(lo) = lo {
        at_most(pool, y, x, -lo);
    }
}
