//! Booleans and choices.

use smallvec::SmallVec;

use crate::{Op, Pool, Sort, TermId};

/// Conjunctions are merged with conjunctions below them up to this many arguments. Beyond it they
/// nest, or a path condition that grows by one would cost its whole length each time.
const FLAT: usize = 16;

type Set = SmallVec<[TermId; FLAT]>;

impl Pool {
    pub fn not(&mut self, a: TermId) -> TermId {
        match self.op(a) {
            Op::Bool(b) => self.bool(!b),
            Op::Not => self.arg(a, 0),
            _ => self.raw(Op::Not, &[a]),
        }
    }

    pub fn and(&mut self, args: &[TermId]) -> TermId {
        self.junction(Op::And, args)
    }

    pub fn or(&mut self, args: &[TermId]) -> TermId {
        self.junction(Op::Or, args)
    }

    pub fn implies(&mut self, a: TermId, b: TermId) -> TermId {
        let a = self.not(a);
        self.or(&[a, b])
    }

    pub fn xor(&mut self, a: TermId, b: TermId) -> TermId {
        let same = self.eq(a, b);
        self.not(same)
    }

    pub fn ne(&mut self, a: TermId, b: TermId) -> TermId {
        let same = self.eq(a, b);
        self.not(same)
    }

    /// The term without its negation, and whether it had one.
    fn literal(&self, t: TermId) -> (TermId, bool) {
        match self.op(t) {
            Op::Not => (self.arg(t, 0), true),
            _ => (t, false),
        }
    }

    fn opposite(&self, a: TermId, b: TermId) -> bool {
        let ((a, negated_a), (b, negated_b)) = (self.literal(a), self.literal(b));
        a == b && negated_a != negated_b
    }

    fn junction(&mut self, op: Op, args: &[TermId]) -> TermId {
        let unit = self.bool(op == Op::And);
        let zero = self.bool(op == Op::Or);
        let mut set = Set::new();
        for &a in args {
            if a == zero {
                return zero;
            } else if self.op(a) == op && set.len() + self.args(a).len() <= FLAT {
                set.extend_from_slice(self.args(a));
            } else if a != unit {
                set.push(a);
            }
        }
        set.sort_unstable();
        set.dedup();
        if set.iter().any(|&t| self.op(t) == Op::Not && set.binary_search(&self.arg(t, 0)).is_ok()) {
            return zero;
        }
        if let Some(reduced) = self.absorb(op, &set) {
            return reduced;
        }
        match set.as_slice() {
            [] => unit,
            &[only] => only,
            _ => self.raw(op, &set),
        }
    }

    /// `a & (a | b)` is `a`, and `a & (!a | b)` is `a & b`; also with the roles of `&` and `|` swapped.
    /// `None` if there is nothing of the kind.
    fn absorb(&mut self, op: Op, set: &Set) -> Option<TermId> {
        let dual = if op == Op::And { Op::Or } else { Op::And };
        if set.len() > FLAT {
            return None;
        }
        for (at, &t) in set.iter().enumerate() {
            if self.op(t) != dual || self.args(t).len() > FLAT {
                continue;
            }
            let inner = self.args(t);
            let mut rest = set.clone();
            rest.remove(at);
            if inner.iter().any(|c| rest.contains(c)) {
                return Some(self.junction(op, &rest));
            }
            let contradicted = |c: &TermId| rest.iter().any(|&r| self.opposite(r, *c));
            let kept: Set = inner.iter().copied().filter(|c| !contradicted(c)).collect();
            if kept.len() < inner.len() {
                rest.push(self.junction(dual, &kept));
                return Some(self.junction(op, &rest));
            }
        }
        None
    }

    /// `cond ? then : other`, of any sort.
    pub fn ite(&mut self, cond: TermId, then: TermId, other: TermId) -> TermId {
        let (cond, then, other) = match self.literal(cond) {
            (c, true) => (c, other, then),
            (c, false) => (c, then, other),
        };
        match self.as_bool(cond) {
            Some(true) => return then,
            Some(false) => return other,
            None => {}
        }
        // Below, the condition is known.
        let then = self.assuming(cond, then, true);
        let other = self.assuming(cond, other, false);
        if then == other {
            return then;
        }
        if self.sort(then) == Sort::Bool {
            return self.bool_ite(cond, then, other);
        }
        if let Some((c, a, b)) = self.as_ite(other) {
            if a == then {
                let either = self.or(&[cond, c]);
                return self.ite(either, then, b);
            }
            if b == then {
                let not_c = self.not(c);
                let either = self.or(&[cond, not_c]);
                return self.ite(either, then, a);
            }
        }
        if let Some((c, a, b)) = self.as_ite(then) {
            if b == other {
                let both = self.and(&[cond, c]);
                return self.ite(both, a, other);
            }
            if a == other {
                let not_c = self.not(c);
                let both = self.and(&[cond, not_c]);
                return self.ite(both, b, other);
            }
        }
        self.raw(Op::Ite, &[cond, then, other])
    }

    fn assuming(&self, cond: TermId, t: TermId, holds: bool) -> TermId {
        match self.as_ite(t) {
            Some((c, a, b)) if c == cond => {
                if holds {
                    a
                } else {
                    b
                }
            }
            _ => t,
        }
    }

    fn bool_ite(&mut self, cond: TermId, then: TermId, other: TermId) -> TermId {
        let not_cond = self.not(cond);
        if then == Pool::TRUE || then == cond {
            return self.or(&[cond, other]);
        }
        if then == Pool::FALSE || then == not_cond {
            return self.and(&[not_cond, other]);
        }
        if other == Pool::TRUE || other == not_cond {
            return self.or(&[not_cond, then]);
        }
        if other == Pool::FALSE || other == cond {
            return self.and(&[cond, then]);
        }
        if self.opposite(then, other) {
            return self.eq(cond, then);
        }
        self.raw(Op::Ite, &[cond, then, other])
    }

    /// Equality of booleans.
    pub(crate) fn iff(&mut self, a: TermId, b: TermId) -> TermId {
        let ((a, negated_a), (b, negated_b)) = (self.literal(a), self.literal(b));
        let differ = negated_a != negated_b;
        let same = if a == b {
            Pool::TRUE
        } else if let Some(b) = self.as_bool(b) {
            if b { a } else { self.not(a) }
        } else if let Some(a) = self.as_bool(a) {
            if a { b } else { self.not(b) }
        } else {
            let (a, b) = self.ordered(a, b);
            self.raw(Op::Eq, &[a, b])
        };
        if differ { self.not(same) } else { same }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SortId;

    #[test]
    fn conjunctions_find_their_contradictions() {
        let mut p = Pool::new();
        let [a, b, c] = ["a", "b", "c"].map(|n| p.var(n, SortId::BOOL));
        let ab = p.and(&[a, b]);
        let abc = p.and(&[ab, c]);
        assert_eq!(p.args(abc), [a, b, c]);
        let not_b = p.not(b);
        assert_eq!(p.and(&[abc, not_b]), Pool::FALSE);
        let either = p.or(&[not_b, c]);
        assert_eq!(p.and(&[either, b]), p.and(&[b, c]));
        assert_eq!(p.and(&[either, not_b]), not_b);
        assert_eq!(p.or(&[ab, a]), a);
        assert_eq!(p.or(&[]), Pool::FALSE);
    }

    #[test]
    fn choices_collapse() {
        let mut p = Pool::new();
        let [c, d] = ["c", "d"].map(|n| p.var(n, SortId::BOOL));
        let [x, y] = ["x", "y"].map(|n| p.var(n, SortId::INT));
        let inner = p.ite(d, x, y);
        let t = p.ite(c, x, inner);
        let either = p.or(&[c, d]);
        assert_eq!(t, p.ite(either, x, y));
        let not_c = p.not(c);
        assert_eq!(p.ite(not_c, x, y), p.ite(c, y, x));
        let nested = p.ite(c, y, x);
        assert_eq!(p.ite(c, nested, x), nested);
    }
}
