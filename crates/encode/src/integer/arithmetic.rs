//! Sums, products, shifts, casts and comparisons.

use cairn_ir::{BinOp, Expr, ExprId, IntTy, Ty, UnOp};
use cairn_term::{SortId, TermId};
use cairn_value::Undefined;
use num_bigint::BigInt;

use super::{Mode, Number, Range, Reader};

impl Reader<'_> {
    /// A result that may have left its type.
    fn returned(&mut self, e: ExprId, ty: IntTy, n: Number) -> Number {
        let range = Range::of(ty);
        if range.contains(&n.range) {
            return n;
        }
        match (self.policy)(e) {
            Mode::Exact => self.wrapped(&n, ty),
            Mode::Plain => {
                self.notes.leaves = Some(self.without(n.term, &range));
                Number { term: n.term, range: range.clip(&n.range), sure: false }
            }
        }
    }

    fn sum(&mut self, a: &Number, b: &Number) -> Number {
        let term = self.pool.int_add(a.term, b.term);
        Number { term, range: a.range.add(&b.range), sure: a.sure && b.sure }
    }

    fn difference(&mut self, a: &Number, b: &Number) -> Number {
        let term = self.pool.int_sub(a.term, b.term);
        Number { term, range: a.range.sub(&b.range), sure: a.sure && b.sure }
    }

    fn product(&mut self, a: &Number, b: &Number) -> Number {
        let term = self.pool.int_mul(a.term, b.term);
        Number { term, range: a.range.mul(&b.range), sure: a.sure && b.sure }
    }

    pub(super) fn unary(&mut self, e: ExprId, op: UnOp, ty: IntTy, a: ExprId) -> Number {
        let a = self.number(a);
        match op {
            UnOp::Neg => {
                let zero = self.constant(BigInt::ZERO);
                let n = self.difference(&zero, &a);
                self.returned(e, ty, n)
            }
            UnOp::BitNot => {
                // All ones are -1 or the greatest number.
                let ones = self.constant(if ty.signed { (-1).into() } else { ty.mask().into() });
                self.difference(&ones, &a)
            }
            UnOp::Clz | UnOp::Ctz => {
                let zero = self.int(0);
                let when = self.pool.eq(a.term, zero);
                self.hazard(Undefined::CountOfZero, when);
                if op == UnOp::Clz {
                    self.leading_zeroes(ty, &a)
                } else {
                    self.opaque(Range::new(0, ty.bits - 1))
                }
            }
            UnOp::Popcount => {
                // The count wraps in signed types of one and two bits.
                let counts = Range::new(0, ty.bits);
                let all = Range::of(ty);
                self.opaque(if all.contains(&counts) { counts } else { all })
            }
            UnOp::Bswap => self.opaque(Range::of(ty)),
            UnOp::Not
            | UnOp::Fabs
            | UnOp::Sqrt
            | UnOp::Floor
            | UnOp::Ceil
            | UnOp::Trunc
            | UnOp::RoundEven
            | UnOp::RoundAway
            | UnOp::IsNan
            | UnOp::IsInf
            | UnOp::SignBit
            | UnOp::SqrtTo(_)
            | UnOp::ConvertTo(..) => unreachable!("{op:?} gives no integer: the verifier has rejected it"),
        }
    }

    pub(super) fn binary(&mut self, e: ExprId, op: BinOp, ty: IntTy, a: ExprId, b: ExprId) -> Number {
        if op == BinOp::PtrSub {
            return self.opaque(Range::of(ty));
        }
        let (a, b) = (self.number(a), self.number(b));
        match op {
            BinOp::Add | BinOp::Sub | BinOp::Mul => {
                let n = self.combined(op, &a, &b);
                self.returned(e, ty, n)
            }
            BinOp::Div | BinOp::Rem => self.divided(op, ty, &a, &b),
            BinOp::Shl | BinOp::Shr => self.shift(e, op, ty, &a, &b),
            BinOp::And | BinOp::Or | BinOp::Xor => self.bitwise(op, ty, &a, &b),
            _ => unreachable!("{op:?} gives no integer: the verifier has rejected it"),
        }
    }

    /// The sum, difference or product in the integers.
    fn combined(&mut self, op: BinOp, a: &Number, b: &Number) -> Number {
        match op {
            BinOp::Add | BinOp::AddOvf => self.sum(a, b),
            BinOp::Sub | BinOp::SubOvf => self.difference(a, b),
            _ => self.product(a, b),
        }
    }

    fn shift(&mut self, e: ExprId, op: BinOp, ty: IntTy, a: &Number, count: &Number) -> Number {
        let counts = Range::new(0, ty.bits - 1);
        if !counts.contains(&count.range) {
            let when = self.without(count.term, &counts);
            self.hazard(Undefined::BadShift, when);
        }
        if count.range.hi < counts.lo || counts.hi < count.range.lo {
            // Never defined.
            return self.constant(BigInt::ZERO);
        }
        let counts = counts.clip(&count.range);
        let least = u32::try_from(&counts.lo).unwrap_or(0);
        let most = u32::try_from(&counts.hi).unwrap_or(0);
        if op == BinOp::Shl {
            let term = self.by_count(count.term, least, most, |k| BigInt::from(1) << k);
            let range = Range::new(BigInt::from(1) << least, BigInt::from(1) << most);
            let n = self.product(a, &Number { term, range, sure: true });
            return self.returned(e, ty, n);
        }
        if least == most {
            return self.shifted_down(a, least);
        }
        if let Some(c) = self.known(a) {
            let term = self.by_count(count.term, least, most, |k| &c >> k);
            return Number { term, range: a.range.shr(least).hull(&a.range.shr(most)), sure: a.sure };
        }
        let power = self.by_count(count.term, least, most, |k| BigInt::from(1) << k);
        self.divided_down(a, power)
    }

    /// The number for the count, one case for each.
    fn by_count(&mut self, count: TermId, least: u32, most: u32, f: impl Fn(u32) -> BigInt) -> TermId {
        let mut term = self.int(f(most));
        for k in (least..most).rev() {
            let (this, result) = (self.int(k), self.int(f(k)));
            let holds = self.pool.eq(count, this);
            term = self.pool.ite(holds, result, term);
        }
        term
    }

    fn leading_zeroes(&mut self, ty: IntTy, a: &Number) -> Number {
        let most = u32::from(ty.bits) - 1;
        let mut term = self.int(most);
        // From the lowest bit to the highest, which decides first.
        for bit in 1..u32::from(ty.bits) {
            let (power, zeroes) = (self.int(BigInt::from(1) << bit), self.int(most - bit));
            let reaches = self.pool.int_le(power, a.term);
            term = self.pool.ite(reaches, zeroes, term);
        }
        if ty.signed {
            let natural = self.is_natural(a);
            let none = self.int(0);
            term = self.pool.ite(natural, term, none);
        }
        Number { term, range: Range::new(0, most), sure: true }
    }

    pub(super) fn cast(&mut self, e: ExprId, to: IntTy, a: ExprId) -> Number {
        match self.program.ty(a) {
            Ty::Bool => {
                // One bit of a signed type is -1.
                let (yes, no) = (self.constant(super::number(to, 1)), self.constant(BigInt::ZERO));
                let c = self.bool(a);
                let term = self.pool.ite(c, yes.term, no.term);
                Number { term, range: yes.range.hull(&no.range), sure: true }
            }
            Ty::Int(_) => {
                let n = self.number(a);
                self.returned(e, to, n)
            }
            Ty::Float(_) => {
                let n = self.opaque(Range::of(to));
                // Whether the float fits is as unknown as its value.
                let unfit = self.pool.fresh("unfit", SortId::BOOL);
                self.hazard(Undefined::FloatToInt, unfit);
                n
            }
            Ty::Ptr => self.opaque(Range::of(to)),
        }
    }

    /// The reading of a `bool` expression.
    pub(super) fn truth(&mut self, e: ExprId) -> TermId {
        match self.program.exprs.get(e) {
            Expr::Bool(b) => self.pool.bool(b),
            Expr::Var(v) => (self.vars)(self.pool, v),
            Expr::Unary(UnOp::Not, a) => {
                let a = self.bool(a);
                self.pool.not(a)
            }
            // Of floats.
            Expr::Unary(..) => self.opaque_bool(),
            Expr::Binary(op, a, b) => match self.program.ty(a) {
                Ty::Bool => {
                    let (a, b) = (self.bool(a), self.bool(b));
                    match op {
                        BinOp::And => self.pool.and(&[a, b]),
                        BinOp::Or => self.pool.or(&[a, b]),
                        BinOp::Eq => self.pool.eq(a, b),
                        _ => self.pool.xor(a, b),
                    }
                }
                Ty::Int(ty) => {
                    let (a, b) = (self.number(a), self.number(b));
                    self.compare(op, ty, &a, &b)
                }
                Ty::Float(_) | Ty::Ptr => self.opaque_bool(),
            },
            Expr::Select(c, t, f) => {
                let (c, t, f) = (self.bool(c), self.bool(t), self.bool(f));
                self.pool.ite(c, t, f)
            }
            _ => unreachable!("no bool: the verifier has rejected it"),
        }
    }

    fn compare(&mut self, op: BinOp, ty: IntTy, a: &Number, b: &Number) -> TermId {
        match op {
            BinOp::Eq => self.pool.eq(a.term, b.term),
            BinOp::Ne => self.pool.ne(a.term, b.term),
            BinOp::Lt => self.pool.int_lt(a.term, b.term),
            BinOp::Le => self.pool.int_le(a.term, b.term),
            _ => {
                let n = self.combined(op, a, b);
                self.without(n.term, &Range::of(ty))
            }
        }
    }
}
