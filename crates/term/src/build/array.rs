//! Arrays: a read finds the write it reads, if the indices tell.

use crate::{Op, Pool, Sort, SortId, TermId};

/// How many stores a read looks through.
const FAR: usize = 4096;

/// How many choices between arrays a read moves into.
const DEEP: usize = 64;

impl Pool {
    pub fn const_array(&mut self, sort: SortId, value: TermId) -> TermId {
        self.raw(Op::ConstArray(sort), &[value])
    }

    pub fn select(&mut self, array: TermId, index: TermId) -> TermId {
        self.select_within(array, index, DEEP)
    }

    fn select_within(&mut self, array: TermId, index: TermId, deep: usize) -> TermId {
        let mut from = array;
        for _ in 0..FAR {
            match (self.op(from), self.args(from)) {
                (Op::Store, &[_, i, v]) if i == index => return v,
                (Op::Store, &[below, i, _]) if self.surely_differ(i, index) => from = below,
                (Op::ConstArray(_), &[v]) => return v,
                // One side is known at once, so that this does not branch.
                (Op::Ite, &[c, a, b])
                    if deep > 0 && (self.reads_through(a, index) || self.reads_through(b, index)) =>
                {
                    let a = self.select_within(a, index, deep - 1);
                    let b = self.select_within(b, index, deep - 1);
                    return self.ite(c, a, b);
                }
                _ => break,
            }
        }
        self.raw(Op::Select, &[from, index])
    }

    /// Is the element known without looking further down? Only then is a read worth being moved
    /// into a choice between arrays.
    fn reads_through(&self, array: TermId, index: TermId) -> bool {
        match (self.op(array), self.args(array)) {
            (Op::Store, &[_, i, _]) => i == index,
            (Op::ConstArray(_), _) => true,
            _ => false,
        }
    }

    pub fn store(&mut self, array: TermId, index: TermId, value: TermId) -> TermId {
        // Written back what was there.
        if self.op(value) == Op::Select && self.args(value) == [array, index] {
            return array;
        }
        match (self.op(array), self.args(array)) {
            // Overwritten at once.
            (Op::Store, &[below, i, _]) if i == index => self.store(below, index, value),
            (Op::ConstArray(_), &[v]) if v == value => array,
            _ => self.raw(Op::Store, &[array, index, value]),
        }
    }

    /// Two indices that differ whatever the variables are: different constants, or one term with
    /// different constants added.
    pub fn surely_differ(&self, a: TermId, b: TermId) -> bool {
        if self.is_constant(a) && self.is_constant(b) {
            return a != b;
        }
        match self.sort(a) {
            Sort::Bits(_) => {
                let split = |t| self.with_constant(Op::BvAdd, t).unwrap_or((t, 0));
                let ((x, c), (y, d)) = (split(a), split(b));
                x == y && c != d
            }
            Sort::Int => self.int_constant_difference(a, b).is_some_and(|d| d != num_bigint::BigInt::ZERO),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_find_their_writes() {
        let mut p = Pool::new();
        let (idx, elem) = (p.bits_sort(32), p.bits_sort(8));
        let sort = p.array_sort(idx, elem);
        let (a, i) = (p.var("a", sort), p.var("i", idx));
        let (v, w) = (p.var("v", elem), p.var("w", elem));
        let (one, two) = (p.bits(32, 1), p.bits(32, 2));
        let (i1, i2) = (p.bv_add(i, one), p.bv_add(i, two));
        let b = p.store(a, i1, v);
        let b = p.store(b, i2, w);
        assert_eq!(p.select(b, i1), v);
        assert_eq!(p.select(b, i), p.select(a, i));
        let c = p.store(b, one, w);
        let read = p.select(c, i1);
        assert_eq!(p.op(read), Op::Select, "1 may be i + 1");
        assert_eq!(p.args(read), [c, i1]);
        let back = p.select(a, i);
        assert_eq!(p.store(a, i, back), a);
    }
}
