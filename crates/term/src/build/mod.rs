//! Constructors that simplify.
//!
//! Each rule looks at a term and its arguments, rarely one level further, and
//! holds for all values; none makes a term larger than a constant factor, and
//! none recurses along both sides of a term, so building stays linear. What
//! the rules aim at is the shape of formulas that come from C: promoted small
//! integers are narrowed again, bytes glued together become what they were cut
//! from, comparisons of comparisons collapse, reads find their writes.

mod array;
mod bits;
mod boolean;
mod compare;
mod derived;
mod float;
mod int;
mod slice;

use smallvec::SmallVec;

use crate::{Op, Pool, TermId, Value, fold};

type Args = SmallVec<[TermId; 4]>;

impl Pool {
    /// Builds a term through the constructor of its operation. The arguments must fit it.
    pub fn apply(&mut self, op: Op, args: &[TermId]) -> TermId {
        match (op, args) {
            (Op::Not, &[a]) => self.not(a),
            (Op::And, _) => self.and(args),
            (Op::Or, _) => self.or(args),
            (Op::Eq, &[a, b]) => self.eq(a, b),
            (Op::Ite, &[c, a, b]) => self.ite(c, a, b),
            (Op::Add, _) => self.int_sum(args),
            (Op::Mul, &[a, b]) => self.int_mul(a, b),
            (Op::Div, &[a, b]) => self.int_div(a, b),
            (Op::Mod, &[a, b]) => self.int_mod(a, b),
            (Op::Le, &[a, b]) => self.int_le(a, b),
            (Op::BitsToInt, &[a]) => self.bits_to_int(a),
            (Op::IntToBits(w), &[a]) => self.int_to_bits(w, a),
            (Op::BvNot, &[a]) => self.bv_not(a),
            (Op::BvNeg, &[a]) => self.bv_neg(a),
            (Op::BvAdd, &[a, b]) => self.bv_add(a, b),
            (Op::BvMul, &[a, b]) => self.bv_mul(a, b),
            (Op::BvUdiv, &[a, b]) => self.bv_udiv(a, b),
            (Op::BvUrem, &[a, b]) => self.bv_urem(a, b),
            (Op::BvSdiv, &[a, b]) => self.bv_sdiv(a, b),
            (Op::BvSrem, &[a, b]) => self.bv_srem(a, b),
            (Op::BvShl, &[a, b]) => self.bv_shl(a, b),
            (Op::BvLshr, &[a, b]) => self.bv_lshr(a, b),
            (Op::BvAshr, &[a, b]) => self.bv_ashr(a, b),
            (Op::BvAnd, &[a, b]) => self.bv_and(a, b),
            (Op::BvOr, &[a, b]) => self.bv_or(a, b),
            (Op::BvXor, &[a, b]) => self.bv_xor(a, b),
            (Op::BvUlt, &[a, b]) => self.bv_ult(a, b),
            (Op::BvSlt, &[a, b]) => self.bv_slt(a, b),
            (Op::BvUmulO, &[a, b]) => self.bv_umulo(a, b),
            (Op::BvSmulO, &[a, b]) => self.bv_smulo(a, b),
            (Op::Concat, &[a, b]) => self.concat(a, b),
            (Op::Extract(hi, lo), &[a]) => self.extract(hi, lo, a),
            (Op::ZeroExt(n), &[a]) => self.zero_ext(n, a),
            (Op::SignExt(n), &[a]) => self.sign_ext(n, a),
            (Op::Select, &[a, i]) => self.select(a, i),
            (Op::Store, &[a, i, v]) => self.store(a, i, v),
            (Op::ConstArray(sort), &[v]) => self.const_array(sort, v),
            (Op::FpAdd | Op::FpSub | Op::FpMul | Op::FpDiv | Op::FpRem, &[a, b]) => {
                self.fp_arithmetic(op, a, b)
            }
            (Op::FpLt | Op::FpLe | Op::FpEq, &[a, b]) => self.fp_compare(op, a, b),
            (Op::FpNeg, &[a]) => self.fp_neg(a),
            (Op::FpAbs, &[a]) => self.fp_abs(a),
            (Op::FpIsNan, &[a]) => self.fp_is_nan(a),
            (Op::FpFromIeee(ty), &[a]) => self.fp_from_ieee(ty, a),
            (Op::FpToIeee, &[a]) => self.fp_to_ieee(a),
            (Op::FpToBits, &[a, nan]) => self.fp_to_bits(a, nan),
            (Op::FpToFp(ty), &[a]) => self.fp_to_fp(ty, a),
            _ => self.finish(op, args),
        }
    }

    /// As [`Pool::apply`], for arguments that may not fit.
    pub fn try_apply(&mut self, op: Op, args: &[TermId]) -> Result<TermId, String> {
        self.check(op, args)?;
        Ok(self.apply(op, args))
    }

    /// What every operation has in common once its own rules have had their turn: constants fold,
    /// a choice between constants moves outwards (`f(c ? 1 : 2, 3)` is `c ? f(1, 3) : f(2, 3)`),
    /// and the arguments of commutative operations are put in order.
    pub(crate) fn finish(&mut self, op: Op, args: &[TermId]) -> TermId {
        if let Some(t) = self.fold(op, args) {
            return t;
        }
        if let Some(t) = self.lift_choice(op, args) {
            return t;
        }
        match *args {
            [a, b] if op.is_commutative() => {
                let (a, b) = self.ordered(a, b);
                self.raw(op, &[a, b])
            }
            _ => self.raw(op, args),
        }
    }

    /// The constant an operation on constants is.
    pub(crate) fn fold(&mut self, op: Op, args: &[TermId]) -> Option<TermId> {
        if args.is_empty() || !args.iter().all(|&a| self.is_constant(a)) {
            return None;
        }
        let values: SmallVec<[Value; 4]> = args.iter().filter_map(|&a| self.as_value(a)).collect();
        let values: SmallVec<[&Value; 4]> = values.iter().collect();
        let value = fold::fold(op, &values)?;
        Some(self.value(&value))
    }

    fn lift_choice(&mut self, op: Op, args: &[TermId]) -> Option<TermId> {
        if matches!(op, Op::Ite | Op::Select | Op::Store | Op::ConstArray(_)) {
            return None;
        }
        let at = args.iter().position(|&a| !self.is_constant(a))?;
        if !args[at + 1..].iter().all(|&a| self.is_constant(a)) {
            return None;
        }
        let (cond, then, other) = self.as_ite(args[at])?;
        let mut chosen = Args::from_slice(args);
        chosen[at] = then;
        let then = self.fold(op, &chosen)?;
        chosen[at] = other;
        let other = self.fold(op, &chosen)?;
        Some(self.ite(cond, then, other))
    }

    /// Constants last, otherwise older terms first.
    pub(crate) fn ordered(&self, a: TermId, b: TermId) -> (TermId, TermId) {
        if (self.is_constant(a), a) <= (self.is_constant(b), b) { (a, b) } else { (b, a) }
    }

    pub(crate) fn as_ite(&self, t: TermId) -> Option<(TermId, TermId, TermId)> {
        match (self.op(t), self.args(t)) {
            (Op::Ite, &[c, a, b]) => Some((c, a, b)),
            _ => None,
        }
    }

    /// The arguments of a binary operation, if `t` is that operation.
    pub(crate) fn as_binary(&self, op: Op, t: TermId) -> Option<(TermId, TermId)> {
        match self.args(t) {
            &[a, b] if self.op(t) == op => Some((a, b)),
            _ => None,
        }
    }

    /// The argument of a unary operation, if `t` is that operation.
    pub(crate) fn as_unary(&self, op: Op, t: TermId) -> Option<TermId> {
        match self.args(t) {
            &[a] if self.op(t) == op => Some(a),
            _ => None,
        }
    }

    /// `t` as `x op constant`.
    pub(crate) fn with_constant(&self, op: Op, t: TermId) -> Option<(TermId, u128)> {
        let (x, c) = self.as_binary(op, t)?;
        Some((x, self.as_bits(c)?))
    }
}
