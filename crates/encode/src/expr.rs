//! Pure expressions as terms: the third reading of the operations of
//! `cairn_value`. What is undefined there is reported as a condition here.

use cairn_base::DataModel;
use cairn_ir::{BinOp, Expr, ExprId, FloatTy, IntTy, Program, Ty, UnOp, VarId};
use cairn_term::op::Round;
use cairn_term::{Pool, SortId, TermId};
use cairn_value::Undefined;

/// The sort of values of a type. Pointers are in their register form in both data models.
pub fn sort(pool: &mut Pool, ty: Ty) -> SortId {
    match ty {
        Ty::Bool => SortId::BOOL,
        Ty::Int(i) => pool.bits_sort(i.bits),
        Ty::Float(f) => pool.float_sort(f),
        Ty::Ptr => pool.bits_sort(64),
    }
}

/// What expressions refer to.
pub trait Env {
    fn var(&mut self, pool: &mut Pool, v: VarId) -> TermId;
    fn object(&mut self, pool: &mut Pool, o: cairn_ir::ObjId) -> TermId;
    fn func(&mut self, pool: &mut Pool, f: cairn_ir::FuncId) -> TermId;
    fn label(&mut self, pool: &mut Pool, l: cairn_ir::LabelId) -> TermId;
}

/// How pointers and numbers stand for each other.
pub trait Addresses {
    /// The address of a pointer in register form, as an integer of the model's width.
    fn flat(&self, pool: &mut Pool, p: TermId) -> TermId;

    /// The pointer that an integer of the model's width stands for.
    fn pointer(&self, pool: &mut Pool, flat: TermId) -> TermId;
}

/// Translates expressions of a program. Signed arithmetic wraps: where that is not wanted,
/// `core::instrument` has made it a check of the program.
pub struct Translate<'a, 'p> {
    pub program: &'p Program,
    pub pool: &'a mut Pool,
    pub pointers: &'a dyn Addresses,
    /// Conditions under which the expression is not defined.
    pub hazards: Vec<(Undefined, TermId)>,
    /// The condition under which the subexpression at hand is evaluated.
    pub under: TermId,
}

impl Translate<'_, '_> {
    fn model(&self) -> DataModel {
        self.program.model
    }

    fn undefined(&mut self, why: Undefined, when: TermId) {
        let when = self.pool.and(&[self.under, when]);
        if self.pool.as_bool(when) != Some(false) {
            self.hazards.push((why, when));
        }
    }

    pub fn expr(&mut self, e: ExprId, env: &mut dyn Env) -> TermId {
        match self.program.exprs.get(e) {
            Expr::Int(ty, bits) => self.pool.bits(ty.bits, bits),
            Expr::Bool(b) => self.pool.bool(b),
            Expr::Float(ty, bits) => self.pool.float(ty, bits),
            Expr::Ptr(address) => {
                let flat = self.pool.bits(self.model().ptr_bits(), address.into());
                self.pointers.pointer(self.pool, flat)
            }
            Expr::Var(v) => env.var(self.pool, v),
            Expr::Addr(o) => env.object(self.pool, o),
            Expr::Func(f) => env.func(self.pool, f),
            Expr::Label(l) => env.label(self.pool, l),
            Expr::Unary(op, a) => {
                let ty = self.program.ty(a);
                let a = self.expr(a, env);
                self.unary(op, ty, a)
            }
            Expr::Binary(op, a, b) => {
                let (ta, tb) = (self.program.ty(a), self.program.ty(b));
                let (a, b) = (self.expr(a, env), self.expr(b, env));
                self.binary(op, ta, tb, a, b)
            }
            Expr::Cast(to, a) => {
                let from = self.program.ty(a);
                let a = self.expr(a, env);
                self.cast(from, to, a)
            }
            Expr::Select(c, t, f) => {
                let c = self.expr(c, env);
                let under = self.under;
                self.under = self.pool.and(&[under, c]);
                let t = self.expr(t, env);
                let not = self.pool.not(c);
                self.under = self.pool.and(&[under, not]);
                let f = self.expr(f, env);
                self.under = under;
                self.pool.ite(c, t, f)
            }
        }
    }

    fn unary(&mut self, op: UnOp, ty: Ty, a: TermId) -> TermId {
        let p = &mut *self.pool;
        match (op, ty) {
            (UnOp::Neg, Ty::Float(_)) => p.fp_neg(a),
            (UnOp::Neg, _) => p.bv_neg(a),
            (UnOp::BitNot, _) => p.bv_not(a),
            (UnOp::Not, _) => p.not(a),
            (UnOp::Clz | UnOp::Ctz, _) => {
                let zero = p.bits(p.width(a), 0);
                let when = p.eq(a, zero);
                self.undefined(Undefined::CountOfZero, when);
                if op == UnOp::Clz { self.pool.bv_clz(a) } else { self.pool.bv_ctz(a) }
            }
            (UnOp::Popcount, _) => p.bv_popcount(a),
            (UnOp::Bswap, _) => p.bv_bswap(a),
            (UnOp::Fabs, _) => p.fp_abs(a),
            (UnOp::Sqrt, _) => p.fp_sqrt(a),
            (UnOp::Floor, _) => p.fp_round(Round::Down, a),
            (UnOp::Ceil, _) => p.fp_round(Round::Up, a),
            (UnOp::Trunc, _) => p.fp_round(Round::ToZero, a),
            (UnOp::RoundEven, _) => p.fp_round(Round::NearestEven, a),
            (UnOp::RoundAway, _) => p.fp_round(Round::NearestAway, a),
            (UnOp::IsNan, _) => p.fp_is_nan(a),
            (UnOp::IsInf, _) => p.fp_is_inf(a),
            // The sign of a NaN is not kept in the sort; it reads as positive.
            (UnOp::SignBit, _) => p.fp_is_negative(a),
        }
    }

    fn binary(&mut self, op: BinOp, ta: Ty, tb: Ty, a: TermId, b: TermId) -> TermId {
        match (ta, op) {
            (Ty::Float(f), _) => self.float_binary(op, f, a, b),
            (Ty::Ptr, _) => self.pointer_binary(op, tb, a, b),
            (Ty::Bool, _) => self.bool_binary(op, a, b),
            (Ty::Int(i), BinOp::Shl | BinOp::Shr) => self.shift(op, i, tb, a, b),
            (Ty::Int(i), _) => self.int_binary(op, i, a, b),
        }
    }

    fn bool_binary(&mut self, op: BinOp, a: TermId, b: TermId) -> TermId {
        let p = &mut *self.pool;
        match op {
            BinOp::And => p.and(&[a, b]),
            BinOp::Or => p.or(&[a, b]),
            BinOp::Eq => p.eq(a, b),
            _ => p.xor(a, b),
        }
    }

    fn int_binary(&mut self, op: BinOp, ty: IntTy, a: TermId, b: TermId) -> TermId {
        use BinOp::*;
        if matches!(op, Div | Rem) {
            let zero = self.pool.bits(ty.bits, 0);
            let when = self.pool.eq(b, zero);
            self.undefined(Undefined::DivisionByZero, when);
            if ty.signed {
                let when = self.pool.bv_sdivo(a, b);
                self.undefined(Undefined::DivisionOverflow, when);
            }
        }
        let p = &mut *self.pool;
        match (op, ty.signed) {
            (Add, _) => p.bv_add(a, b),
            (Sub, _) => p.bv_sub(a, b),
            (Mul, _) => p.bv_mul(a, b),
            (Div, true) => p.bv_sdiv(a, b),
            (Div, false) => p.bv_udiv(a, b),
            (Rem, true) => p.bv_srem(a, b),
            (Rem, false) => p.bv_urem(a, b),
            (And, _) => p.bv_and(a, b),
            (Or, _) => p.bv_or(a, b),
            (Xor, _) => p.bv_xor(a, b),
            (Eq, _) => p.eq(a, b),
            (Ne, _) => p.ne(a, b),
            (Lt, true) => p.bv_slt(a, b),
            (Lt, false) => p.bv_ult(a, b),
            (Le, true) => p.bv_sle(a, b),
            (Le, false) => p.bv_ule(a, b),
            (AddOvf, true) => p.bv_saddo(a, b),
            (AddOvf, false) => p.bv_uaddo(a, b),
            (SubOvf, true) => p.bv_ssubo(a, b),
            (SubOvf, false) => p.bv_usubo(a, b),
            (MulOvf, true) => p.bv_smulo(a, b),
            (MulOvf, false) => p.bv_umulo(a, b),
            (Shl | Shr | PtrAdd | PtrSub | Fmin | Fmax | CopySign, _) => {
                unreachable!("{op:?} on integers: the verifier has rejected it")
            }
        }
    }

    fn shift(&mut self, op: BinOp, ty: IntTy, tb: Ty, a: TermId, b: TermId) -> TermId {
        let Ty::Int(count) = tb else { unreachable!("a shift by no integer") };
        let p = &mut *self.pool;
        // Any count outside 0..width is undefined, so that it may be cut or extended to a's width
        // once that is ruled out. Counts of narrow types may all be less than the width, and
        // negative ones may look so.
        let below_width = |bits: u8| bits < 32 && (1u32 << bits) <= u32::from(ty.bits);
        let too_big = if below_width(count.bits) {
            Pool::FALSE
        } else {
            let limit = p.bits(count.bits, ty.bits.into());
            let in_range = p.bv_ult(b, limit);
            p.not(in_range)
        };
        let negative =
            if count.signed && below_width(count.bits - 1) { p.is_negative(b) } else { Pool::FALSE };
        let bad = p.or(&[too_big, negative]);
        self.undefined(Undefined::BadShift, bad);
        let p = &mut *self.pool;
        let b = p.resize(ty.bits, false, b);
        match (op, ty.signed) {
            (BinOp::Shl, _) => p.bv_shl(a, b),
            (_, true) => p.bv_ashr(a, b),
            (_, false) => p.bv_lshr(a, b),
        }
    }

    fn float_binary(&mut self, op: BinOp, ty: FloatTy, a: TermId, b: TermId) -> TermId {
        use BinOp::*;
        let p = &mut *self.pool;
        match op {
            Add => p.fp_add(a, b),
            Sub => p.fp_sub(a, b),
            Mul => p.fp_mul(a, b),
            Div => p.fp_div(a, b),
            Rem => p.fp_fmod(a, b),
            Eq => p.fp_eq(a, b),
            Ne => {
                let eq = p.fp_eq(a, b);
                p.not(eq)
            }
            Lt => p.fp_lt(a, b),
            Le => p.fp_le(a, b),
            Fmin => p.fp_min(a, b),
            Fmax => p.fp_max(a, b),
            CopySign => {
                let magnitude = p.fp_abs(a);
                let negated = p.fp_neg(magnitude);
                let negative = p.fp_is_negative(b);
                p.ite(negative, negated, magnitude)
            }
            _ => unreachable!("{op:?} on {ty}: the verifier has rejected it"),
        }
    }

    fn pointer_binary(&mut self, op: BinOp, tb: Ty, a: TermId, b: TermId) -> TermId {
        use BinOp::*;
        let p = &mut *self.pool;
        match op {
            PtrAdd => {
                let Ty::Int(_) = tb else { unreachable!("an offset that is no integer") };
                let offset = p.resize(64, true, b);
                p.bv_add(a, offset)
            }
            Eq => p.eq(a, b),
            Ne => p.ne(a, b),
            PtrSub | Lt | Le => {
                let (x, y) = (self.pointers.flat(p, a), self.pointers.flat(p, b));
                match op {
                    PtrSub => p.bv_sub(x, y),
                    Lt => p.bv_ult(x, y),
                    _ => p.bv_ule(x, y),
                }
            }
            _ => unreachable!("{op:?} on pointers: the verifier has rejected it"),
        }
    }

    pub fn cast(&mut self, from: Ty, to: Ty, a: TermId) -> TermId {
        let p = &mut *self.pool;
        match (from, to) {
            (Ty::Bool, Ty::Int(i)) => p.bool_to_bits(i.bits, a),
            (Ty::Int(s), Ty::Int(d)) => p.resize(d.bits, s.signed, a),
            (Ty::Int(s), Ty::Float(f)) => p.fp_from_int(f, s.signed, a),
            (Ty::Float(_), Ty::Float(f)) => p.fp_to_fp(f, a),
            (Ty::Float(_), Ty::Int(d)) => {
                let fits = p.fp_fits_int(d, a);
                let when = p.not(fits);
                self.undefined(Undefined::FloatToInt, when);
                self.pool.fp_to_int(d, a)
            }
            (Ty::Ptr, Ty::Int(d)) => {
                let flat = self.pointers.flat(p, a);
                p.resize(d.bits, false, flat)
            }
            (Ty::Int(s), Ty::Ptr) => {
                let flat = p.resize(self.program.model.ptr_bits(), s.signed, a);
                self.pointers.pointer(p, flat)
            }
            (Ty::Ptr, Ty::Ptr) => a,
            _ => unreachable!("cast of {from} to {to}: the verifier has rejected it"),
        }
    }
}
