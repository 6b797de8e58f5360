//! Sets of integers as an interval together with a congruence (Granger 1989).
//!
//! Numbers are mathematical: the value of a bit pattern by the signedness of its
//! type. Operations are first exact, then [`Num::wrapped`] into the type. Types of
//! more than 64 bits are not tracked, so that nothing here overflows unnoticed.

use cairn_ir::{IntTy, Ty};

/// The numbers `lo..=hi` that are `rest` modulo `modulus`. Never empty. A constant has modulus 0.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Num {
    pub lo: i128,
    pub hi: i128,
    pub modulus: u64,
    pub rest: i128,
}

/// Exact results beyond this are given up.
const HUGE: i128 = 1 << 100;

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Num {
    pub fn constant(c: i128) -> Num {
        Num { lo: c, hi: c, modulus: 0, rest: c }
    }

    /// The numbers between two bounds, `None` if there are none.
    pub fn between(lo: i128, hi: i128) -> Option<Num> {
        Num { lo, hi, modulus: 1, rest: 0 }.tight()
    }

    pub fn bool(b: bool) -> Num {
        Num::constant(b.into())
    }

    pub const ANY_BOOL: Num = Num { lo: 0, hi: 1, modulus: 1, rest: 0 };

    /// All values of a type, if the type is tracked.
    pub fn of_type(ty: Ty) -> Option<Num> {
        match ty {
            Ty::Bool => Some(Num::ANY_BOOL),
            Ty::Int(i) if i.bits <= 64 => Some(Num::of_int(i)),
            _ => None,
        }
    }

    pub fn of_int(i: IntTy) -> Num {
        Num { lo: i.min(), hi: i.max_bits() as i128, modulus: 1, rest: 0 }
    }

    pub fn is_constant(self) -> Option<i128> {
        (self.lo == self.hi).then_some(self.lo)
    }

    pub fn contains(self, v: i128) -> bool {
        let fits = match self.modulus {
            0 => v == self.rest,
            m => (v - self.rest).rem_euclid(m.into()) == 0,
        };
        self.lo <= v && v <= self.hi && fits
    }

    fn is_within(self, o: Num) -> bool {
        o.lo <= self.lo && self.hi <= o.hi
    }

    /// Moves the bounds to members; `None` if there are none.
    fn tight(self) -> Option<Num> {
        let Num { mut lo, mut hi, modulus, rest } = self;
        if modulus == 0 {
            return (lo <= rest && rest <= hi).then(|| Num::constant(rest));
        }
        let m = i128::from(modulus);
        lo += (rest - lo).rem_euclid(m);
        hi -= (hi - rest).rem_euclid(m);
        match lo.cmp(&hi) {
            std::cmp::Ordering::Less => Some(Num { lo, hi, modulus, rest: rest.rem_euclid(m) }),
            std::cmp::Ordering::Equal => Some(Num::constant(lo)),
            std::cmp::Ordering::Greater => None,
        }
    }

    /// The least set with both.
    pub fn join(self, o: Num) -> Num {
        if self == o {
            return self;
        }
        let apart = (self.rest - o.rest).unsigned_abs();
        let modulus = gcd(gcd(self.modulus.into(), o.modulus.into()), apart);
        let (lo, hi) = (self.lo.min(o.lo), self.hi.max(o.hi));
        let Ok(modulus) = u64::try_from(modulus) else { return Num { lo, hi, modulus: 1, rest: 0 } };
        Num { lo, hi, modulus, rest: self.rest }.tight().unwrap_or(Num { lo, hi, modulus: 1, rest: 0 })
    }

    /// The numbers in both; `None` if there are none.
    pub fn meet(self, o: Num) -> Option<Num> {
        let (lo, hi) = (self.lo.max(o.lo), self.hi.min(o.hi));
        // Of two congruences the stronger one is kept if it implies the other.
        let (a, b) = (self.modulus, o.modulus);
        let (modulus, rest) = match (a, b) {
            (0, _) => return o.contains(self.rest).then_some(self),
            (_, 0) => return self.contains(o.rest).then_some(o),
            _ if a % b == 0 => {
                if (self.rest - o.rest).rem_euclid(b.into()) != 0 {
                    return None;
                }
                (a, self.rest)
            }
            _ if b % a == 0 => {
                if (self.rest - o.rest).rem_euclid(a.into()) != 0 {
                    return None;
                }
                (b, o.rest)
            }
            _ if a >= b => (a, self.rest),
            _ => (b, o.rest),
        };
        Num { lo, hi, modulus, rest }.tight()
    }

    /// Widens a set that has grown: unstable bounds move to the next threshold, or with `far` to
    /// the end of `all`.
    pub fn widen(self, new: Num, thresholds: &[i128], all: Num, far: bool) -> Num {
        let joined = self.join(new);
        let mut out = joined;
        if joined.lo < self.lo {
            let t = thresholds.iter().rev().find(|&&t| t <= joined.lo).copied();
            out.lo = t.filter(|_| !far).unwrap_or(all.lo).max(all.lo);
        }
        if joined.hi > self.hi {
            let t = thresholds.iter().find(|&&t| t >= joined.hi).copied();
            out.hi = t.filter(|_| !far).unwrap_or(all.hi).min(all.hi);
        }
        out.tight().unwrap_or(joined)
    }

    fn exact(lo: Option<i128>, hi: Option<i128>, modulus: u128, rest: Option<i128>) -> Option<Num> {
        let (lo, hi) = (lo?, hi?);
        if lo < -HUGE || hi > HUGE {
            return None;
        }
        if lo == hi {
            return Some(Num::constant(lo));
        }
        match (u64::try_from(modulus), rest) {
            (Ok(modulus), Some(rest)) if modulus != 0 && (-HUGE..HUGE).contains(&rest) => {
                Num { lo, hi, modulus, rest }.tight()
            }
            _ => Num { lo, hi, modulus: 1, rest: 0 }.tight(),
        }
    }

    /// `None`: nothing is known (the numbers are too large).
    pub fn add(self, o: Num) -> Option<Num> {
        let modulus = gcd(self.modulus.into(), o.modulus.into());
        Num::exact(
            self.lo.checked_add(o.lo),
            self.hi.checked_add(o.hi),
            modulus,
            self.rest.checked_add(o.rest),
        )
    }

    pub fn neg(self) -> Num {
        let out = Num { lo: -self.hi, hi: -self.lo, modulus: self.modulus, rest: -self.rest };
        out.tight().unwrap_or(out)
    }

    pub fn sub(self, o: Num) -> Option<Num> {
        self.add(o.neg())
    }

    pub fn mul(self, o: Num) -> Option<Num> {
        let mut ends = Vec::with_capacity(4);
        for a in [self.lo, self.hi] {
            for b in [o.lo, o.hi] {
                ends.push(a.checked_mul(b)?);
            }
        }
        // (m x + r)(n y + s) = mn xy + ms x + nr y + rs
        let (m, n) = (u128::from(self.modulus), u128::from(o.modulus));
        let modulus = match (m.checked_mul(n), m.checked_mul(o.rest.unsigned_abs())) {
            (Some(a), Some(b)) => n.checked_mul(self.rest.unsigned_abs()).map(|c| gcd(gcd(a, b), c)),
            _ => None,
        };
        Num::exact(
            ends.iter().min().copied(),
            ends.iter().max().copied(),
            modulus.unwrap_or(1),
            self.rest.checked_mul(o.rest),
        )
    }

    /// Division that truncates; divisor 0 does not happen.
    pub fn div(self, o: Num) -> Option<Num> {
        let most = self.lo.abs().max(self.hi.abs());
        if o.hi < 1 {
            return Num::between(-most, most);
        }
        if o.lo < 0 {
            return Num::between(-most, most);
        }
        let low = o.lo.max(1);
        let ends = [self.lo / low, self.lo / o.hi, self.hi / low, self.hi / o.hi];
        Num::between(*ends.iter().min()?, *ends.iter().max()?)
    }

    /// Remainder with the sign of the dividend.
    pub fn rem(self, o: Num) -> Option<Num> {
        let most = o.lo.abs().max(o.hi.abs()) - 1;
        if most < 0 {
            return None;
        }
        // A smaller dividend is its own remainder.
        if let Some(d) = o.is_constant()
            && self.lo > -d.abs()
            && self.hi < d.abs()
        {
            return Some(self);
        }
        let lo = if self.lo >= 0 { 0 } else { self.lo.max(-most) };
        let hi = if self.hi <= 0 { 0 } else { self.hi.min(most) };
        let modulus = gcd(self.modulus.into(), gcd(o.modulus.into(), o.rest.unsigned_abs()));
        Num::exact(Some(lo), Some(hi), modulus, Some(self.rest))
    }

    /// The value as one of type `ty`, wrapped around.
    pub fn wrapped(self, ty: IntTy) -> Num {
        let all = Num::of_int(ty);
        if self.is_within(all) {
            return self;
        }
        let size = 1i128 << ty.bits;
        let (first, last) = ((self.lo - all.lo).div_euclid(size), (self.hi - all.lo).div_euclid(size));
        if first == last {
            let by = first * size;
            let out = Num { lo: self.lo - by, hi: self.hi - by, modulus: self.modulus, rest: self.rest - by };
            return out.tight().unwrap_or(all);
        }
        let modulus = gcd(self.modulus.into(), size.unsigned_abs());
        match u64::try_from(modulus) {
            Ok(modulus) if modulus > 1 => {
                Num { lo: all.lo, hi: all.hi, modulus, rest: self.rest }.tight().unwrap_or(all)
            }
            _ => all,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples() -> Vec<Num> {
        let mut all = Vec::new();
        for (lo, hi) in [(0, 0), (-3, 5), (2, 9), (-9, -2), (0, 7), (-128, 127), (250, 262), (6, 6)] {
            for (modulus, rest) in [(1, 0), (2, 1), (3, 2), (4, 0)] {
                all.extend(Num { lo, hi, modulus, rest }.tight());
            }
        }
        all
    }

    fn members(n: Num) -> impl Iterator<Item = i128> {
        (n.lo..=n.hi).filter(move |&v| n.contains(v))
    }

    /// Whatever the members do, the sets follow.
    #[test]
    fn operations_contain_what_members_give() {
        type Exact = fn(i128, i128) -> Option<i128>;
        type Sets = fn(Num, Num) -> Option<Num>;
        let ops: [(Exact, Sets); 5] = [
            (|a, b| Some(a + b), Num::add),
            (|a, b| Some(a - b), Num::sub),
            (|a, b| Some(a * b), Num::mul),
            (|a, b| a.checked_div(b), Num::div),
            (|a, b| a.checked_rem(b), Num::rem),
        ];
        for a in samples() {
            for b in samples() {
                for (n, (exact, sets)) in ops.iter().enumerate() {
                    let out = sets(a, b);
                    for x in members(a) {
                        for y in members(b) {
                            if let (Some(v), Some(out)) = (exact(x, y), out) {
                                assert!(out.contains(v), "operation {n}: {x} {y} {a:?} {b:?} {out:?}");
                            }
                        }
                    }
                }
                let joined = a.join(b);
                assert!(members(a).chain(members(b)).all(|v| joined.contains(v)));
                let meet = a.meet(b);
                for v in members(a).filter(|&v| b.contains(v)) {
                    assert!(meet.is_some_and(|m| m.contains(v)), "{v} in {a:?} and {b:?}");
                }
                let wide = a.widen(b, &[-10, 0, 100], Num::of_int(IntTy::I16), false);
                assert!(members(a).chain(members(b)).all(|v| wide.contains(v)));
            }
            for ty in [IntTy::I8, IntTy::U8, IntTy { bits: 4, signed: true }] {
                let w = a.wrapped(ty);
                assert!(members(a).all(|v| w.contains(ty.number(ty.wrap(v)))), "{a:?} {ty} {w:?}");
            }
        }
    }

    #[test]
    fn parity_survives_wrapping() {
        let even = Num { lo: 0, hi: 254, modulus: 2, rest: 0 };
        let next = even.add(Num::constant(2)).expect("small").wrapped(IntTy::U8);
        assert_eq!(next, even);
    }
}
