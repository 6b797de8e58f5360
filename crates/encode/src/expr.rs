//! Pure expressions as terms: the third reading of the operations of
//! `cairn_value`. What is undefined there is reported as a condition here.
//!
//! Expressions are graphs with shared nodes, and read as trees they may be of
//! exponential size. So once an expression turns out to be large, what a node means is
//! remembered: its term, and its hazards relative to the node, to which the condition
//! under which it is evaluated is added wherever it occurs.

use std::rc::Rc;

use cairn_base::DataModel;
use cairn_ir::{BinOp, Expr, ExprId, FloatTy, IntTy, Program, Toward, Ty, UnOp, VarId};
use cairn_term::op::{Round, Rounded};
use cairn_term::sort::ieee_width;
use cairn_term::{Pool, SortId, TermId};
use cairn_value::Undefined;
use rustc_hash::FxHashMap;

use crate::float::Open;

/// The sort of values of a type. Pointers are in their register form in both data models. Floats are
/// bit patterns, because C copies, negates and looks at the sign and the payload of a NaN, of which
/// the sort of floats has only one; each operation reads them as floats (see [`crate::float`]).
pub fn sort(pool: &mut Pool, ty: Ty) -> SortId {
    match ty {
        Ty::Bool => SortId::BOOL,
        Ty::Int(i) => pool.bits_sort(i.bits),
        Ty::Float(f) => pool.bits_sort(f.bits()),
        Ty::Ptr => pool.bits_sort(64),
    }
}

/// Any value of a type, by name. The x87 patterns that are no values are not among them.
pub fn any(pool: &mut Pool, name: &str, ty: Ty) -> TermId {
    if ty == Ty::Float(FloatTy::X80) {
        let encoding = pool.bits_sort(ieee_width(FloatTy::X80));
        let encoding = pool.var(name, encoding);
        return pool.bits_of_ieee(FloatTy::X80, encoding);
    }
    let sort = sort(pool, ty);
    pool.var(name, sort)
}

fn mode(toward: Toward) -> Round {
    match toward {
        Toward::Zero => Round::ToZero,
        Toward::Down => Round::Down,
        Toward::Up => Round::Up,
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

    /// Two pointers compared (`Eq`, `Lt`, `Le`), or their difference in bytes (`PtrSub`).
    fn compare(&self, pool: &mut Pool, op: BinOp, a: TermId, b: TermId) -> TermId;
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
    under: TermId,
    /// What IEEE 754 and C leave open.
    open: &'a mut Open,
    visits: usize,
    known: FxHashMap<ExprId, Known>,
}

/// Visits of nodes after which an expression is large, and its nodes are remembered.
const LARGE: usize = 1000;
/// Hazards of a remembered node that are kept apart.
const APART: usize = 8;
/// Evaluations of a node that have a NaN of their own each. Another one each time it is evaluated
/// (see [`crate::float`]) is kept up for this many, because a shared node may occur 2^n times.
const AFRESH: u32 = 64;

/// What a node of a large expression means.
struct Known {
    term: TermId,
    /// Conditions under which it is not defined, where it is evaluated.
    hazards: Rc<[(Undefined, TermId)]>,
    /// How often it is still to be evaluated afresh, because something about it was left open.
    afresh: u32,
}

impl<'a, 'p> Translate<'a, 'p> {
    pub fn new(
        program: &'p Program,
        pool: &'a mut Pool,
        pointers: &'a dyn Addresses,
        open: &'a mut Open,
    ) -> Translate<'a, 'p> {
        let (hazards, known) = Default::default();
        Translate { program, pool, pointers, hazards, under: Pool::TRUE, open, visits: 0, known }
    }

    fn model(&self) -> DataModel {
        self.program.model
    }

    fn undefined(&mut self, why: Undefined, when: TermId) {
        let when = self.pool.and(&[self.under, when]);
        if self.pool.as_bool(when) != Some(false) {
            self.hazards.push((why, when));
        }
    }

    /// The term of an expression. Its hazards are added to the list.
    pub fn expr(&mut self, e: ExprId, env: &mut dyn Env) -> TermId {
        self.visits += 1;
        if self.visits <= LARGE { self.node(e, env) } else { self.remembered(e, env) }
    }

    fn remembered(&mut self, e: ExprId, env: &mut dyn Env) -> TermId {
        let mut afresh = AFRESH;
        if let Some(known) = self.known.get(&e) {
            if known.afresh == 0 {
                let (term, hazards) = (known.term, known.hazards.clone());
                for &(why, when) in hazards.iter() {
                    self.undefined(why, when);
                }
                return term;
            }
            afresh = known.afresh;
        }
        let under = std::mem::replace(&mut self.under, Pool::TRUE);
        let others = std::mem::take(&mut self.hazards);
        let draws = self.open.draws();
        let term = self.node(e, env);
        let hazards = std::mem::replace(&mut self.hazards, others);
        self.under = under;
        let hazards: Rc<[_]> = self.together(hazards).into();
        for &(why, when) in hazards.iter() {
            self.undefined(why, when);
        }
        let afresh = if self.open.draws() == draws { 0 } else { afresh - 1 };
        self.known.insert(e, Known { term, hazards, afresh });
        term
    }

    /// Few hazards that say the same: if there are many, one of each kind.
    fn together(&mut self, mut hazards: Vec<(Undefined, TermId)>) -> Vec<(Undefined, TermId)> {
        if hazards.len() <= APART {
            return hazards;
        }
        let mut found: Vec<(Undefined, Vec<TermId>)> = Vec::new();
        for (why, when) in hazards.drain(..) {
            match found.iter_mut().find(|(kind, _)| *kind == why) {
                Some((_, all)) => all.push(when),
                None => found.push((why, vec![when])),
            }
        }
        found.into_iter().map(|(why, all)| (why, self.pool.or(&all))).collect()
    }

    fn node(&mut self, e: ExprId, env: &mut dyn Env) -> TermId {
        match self.program.exprs.get(e) {
            Expr::Int(ty, bits) => self.pool.bits(ty.bits, bits),
            Expr::Bool(b) => self.pool.bool(b),
            Expr::Float(ty, bits) => self.pool.bits(ty.bits(), bits),
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
        if let Ty::Float(f) = ty {
            return self.float_unary(op, f, a);
        }
        let p = &mut *self.pool;
        match (op, ty) {
            (UnOp::Neg, _) => p.bv_neg(a),
            (UnOp::BitNot, _) => p.bv_not(a),
            (UnOp::Not, _) => p.not(a),
            (UnOp::Clz | UnOp::Ctz, _) => {
                let zero = p.bits(p.width(a), 0);
                let when = p.eq(a, zero);
                self.undefined(Undefined::CountOfZero, when);
                if op == UnOp::Clz { self.pool.bv_clz(a) } else { self.pool.bv_ctz(a) }
            }
            (UnOp::ConvertTo(to, toward), Ty::Int(i)) => {
                let op = if i.signed { Rounded::FromSbv(to) } else { Rounded::FromUbv(to) };
                let number = p.fp_directed(op, mode(toward), &[a]);
                self.open.computed(p, to, number, &[])
            }
            (UnOp::Popcount, _) => p.bv_popcount(a),
            (UnOp::Bswap, _) => p.bv_bswap(a),
            _ => unreachable!("{op:?} on {ty}: the verifier has rejected it"),
        }
    }

    fn float_unary(&mut self, op: UnOp, ty: FloatTy, a: TermId) -> TermId {
        let p = &mut *self.pool;
        // These act on the bits.
        match op {
            UnOp::Neg => return p.bits_neg(ty, a),
            UnOp::Fabs => return p.bits_abs(ty, a),
            UnOp::SignBit => return p.bit(a, ty.bits() - 1),
            _ => {}
        }
        let x = p.fp_from_bits(ty, a);
        let mode = match op {
            UnOp::IsNan => return p.fp_is_nan(x),
            UnOp::IsInf => return p.fp_is_inf(x),
            UnOp::SqrtTo(toward) => {
                let root = p.fp_directed(Rounded::Sqrt, mode(toward), &[x]);
                return self.open.computed(p, ty, root, &[a]);
            }
            UnOp::ConvertTo(to, toward) => {
                if ty == to {
                    return a;
                }
                let number = p.fp_directed(Rounded::ToFp(to), mode(toward), &[x]);
                let nan = p.bits_convert(ty, to, a);
                return self.open.computed(p, to, number, &[nan]);
            }
            UnOp::Sqrt => {
                let root = p.fp_sqrt(x);
                return self.open.computed(p, ty, root, &[a]);
            }
            UnOp::Floor => Round::Down,
            UnOp::Ceil => Round::Up,
            UnOp::Trunc => Round::ToZero,
            UnOp::RoundEven => Round::NearestEven,
            UnOp::RoundAway => Round::NearestAway,
            _ => unreachable!("{op:?} on {ty}: the verifier has rejected it"),
        };
        let whole = p.fp_round(mode, x);
        self.open.computed(p, ty, whole, &[a])
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
            (Shl | Shr | PtrAdd | PtrSub | Fmin | Fmax | CopySign, _)
            | (AddTo(_) | SubTo(_) | MulTo(_) | DivTo(_), _) => {
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
        if op == CopySign {
            let magnitude = p.bits_abs(ty, a);
            let negated = p.bits_neg(ty, magnitude);
            let negative = p.bit(b, ty.bits() - 1);
            return p.ite(negative, negated, magnitude);
        }
        let (x, y) = (p.fp_from_bits(ty, a), p.fp_from_bits(ty, b));
        let number = match op {
            Eq => return p.fp_eq(x, y),
            Ne => {
                let eq = p.fp_eq(x, y);
                return p.not(eq);
            }
            Lt => return p.fp_lt(x, y),
            Le => return p.fp_le(x, y),
            Rem => return self.open.fmod(p, ty, a, b),
            Fmin | Fmax => return self.open.extreme(p, ty, op == Fmin, a, b),
            Add => p.fp_add(x, y),
            Sub => p.fp_sub(x, y),
            Mul => p.fp_mul(x, y),
            Div => p.fp_div(x, y),
            AddTo(toward) => p.fp_directed(Rounded::Add, mode(toward), &[x, y]),
            SubTo(toward) => p.fp_directed(Rounded::Sub, mode(toward), &[x, y]),
            MulTo(toward) => p.fp_directed(Rounded::Mul, mode(toward), &[x, y]),
            DivTo(toward) => p.fp_directed(Rounded::Div, mode(toward), &[x, y]),
            _ => unreachable!("{op:?} on {ty}: the verifier has rejected it"),
        };
        self.open.computed(p, ty, number, &[a, b])
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
            Ne => {
                let equal = self.pointers.compare(p, Eq, a, b);
                p.not(equal)
            }
            Eq | PtrSub | Lt | Le => self.pointers.compare(p, op, a, b),
            _ => unreachable!("{op:?} on pointers: the verifier has rejected it"),
        }
    }

    pub fn cast(&mut self, from: Ty, to: Ty, a: TermId) -> TermId {
        let p = &mut *self.pool;
        match (from, to) {
            (Ty::Bool, Ty::Int(i)) => p.bool_to_bits(i.bits, a),
            (Ty::Int(s), Ty::Int(d)) => p.resize(d.bits, s.signed, a),
            (Ty::Int(s), Ty::Float(f)) => {
                let number = p.fp_from_int(f, s.signed, a);
                self.open.computed(p, f, number, &[])
            }
            (Ty::Float(f), Ty::Float(t)) if f == t => a,
            (Ty::Float(f), Ty::Float(t)) => {
                let x = p.fp_from_bits(f, a);
                let number = p.fp_to_fp(t, x);
                let nan = p.bits_convert(f, t, a);
                self.open.computed(p, t, number, &[nan])
            }
            (Ty::Float(f), Ty::Int(d)) => {
                let x = p.fp_from_bits(f, a);
                let fits = p.fp_fits_int(d, x);
                let when = p.not(fits);
                self.undefined(Undefined::FloatToInt, when);
                self.pool.fp_to_int(d, x)
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
