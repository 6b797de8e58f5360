//! Conjunctions of comparisons with constants, put in order.
//!
//! A comparison of a term plus a constant with a constant, signed or unsigned or
//! for equality, says of the term that it lies on an arc of the circle of
//! numbers modulo 2^w. Arcs of one term are intersected. That is exact for
//! machine arithmetic, and it keeps interpolants from growing: what two branches
//! say of a sum (`-9 <= s <= 11` and `-11 <= s <= 9`) becomes one statement about it.
//!
//! # Why so
//!
//! *Arcs instead of inequations.* A comparison of a sum with a constant is an arc of the numbers modulo 2^w
//! (`smt::ranges`); arcs of one term are intersected exactly, so that interpolants stay small without
//! assuming that nothing wraps, and questions about one variable need no solver.
//!
//! *Ranges come before solvers* (`smt::ranges`) in the search and in the check: what guards and a requirement
//! say of one term, given the constants of the state, is again a range of it, and then the weakest
//! precondition is exact.

use std::collections::BTreeMap;

use cairn_term::{Op, Pool, TermId, Value};

/// The numbers from `lo` on, `len + 1` of them, modulo 2^w.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Arc {
    lo: u128,
    len: u128,
}

/// The greatest number of a width.
pub fn mask(width: u8) -> u128 {
    if width == 128 { u128::MAX } else { (1 << width) - 1 }
}

impl Arc {
    /// All numbers.
    pub fn full(m: u128) -> Arc {
        Arc { lo: 0, len: m }
    }

    fn from_to(lo: u128, hi: u128, m: u128) -> Arc {
        Arc { lo: lo & m, len: hi.wrapping_sub(lo) & m }
    }

    fn hi(self, m: u128) -> u128 {
        self.lo.wrapping_add(self.len) & m
    }

    pub fn has(self, x: u128, m: u128) -> bool {
        (x.wrapping_sub(self.lo) & m) <= self.len
    }

    /// The other numbers, if there are any.
    pub fn complement(self, m: u128) -> Option<Arc> {
        (self.len != m).then(|| Arc::from_to(self.hi(m).wrapping_add(1), self.lo.wrapping_sub(1), m))
    }

    /// The numbers on both arcs, if these are one arc (or none: `Some(None)`).
    pub fn meet(self, other: Arc, m: u128) -> Option<Option<Arc>> {
        let (a, b) = (self, other);
        if a.len == m {
            return Some(Some(b));
        }
        if b.len == m {
            return Some(Some(a));
        }
        match (a.has(b.lo, m), b.has(a.lo, m)) {
            (false, false) => Some(None),
            // b begins in a: it ends with whichever ends first, unless it comes round to a's begin.
            (true, false) => {
                let hi = if a.has(b.hi(m), m) { b.hi(m) } else { a.hi(m) };
                Some(Some(Arc::from_to(b.lo, hi, m)))
            }
            (false, true) => b.meet(a, m),
            (true, true) if a.lo == b.lo => Some(Some(if a.len < b.len { a } else { b })),
            // Both begin in the other: two pieces.
            (true, true) => None,
        }
    }
}

impl Arc {
    /// The numbers on either arc, if these are one arc.
    pub fn join(self, other: Arc, m: u128) -> Option<Arc> {
        let (Some(a), Some(b)) = (self.complement(m), other.complement(m)) else {
            return Some(Arc::full(m));
        };
        match a.meet(b, m)? {
            None => Some(Arc::full(m)),
            Some(neither) => neither.complement(m),
        }
    }

    /// Are all numbers of the other arc on this one?
    pub fn covers(self, other: Arc, m: u128) -> bool {
        other.meet(self, m) == Some(Some(other)) || self.len == m
    }

    /// Some number on it.
    pub fn some(self) -> u128 {
        self.lo
    }

    /// The only number on it.
    pub fn single(self) -> Option<u128> {
        (self.len == 0).then_some(self.lo)
    }
}

/// The term, without a constant summand, and the arc on which a literal says it lies.
pub fn read(pool: &Pool, literal: TermId) -> Option<(TermId, Arc)> {
    let (t, negated) = match pool.op(literal) {
        Op::Not => (pool.arg(literal, 0), true),
        _ => (literal, false),
    };
    let &[a, b] = pool.args(t) else { return None };
    if !matches!(pool.op(t), Op::Eq | Op::BvUlt | Op::BvSlt) {
        return None;
    }
    let cairn_term::Sort::Bits(width) = pool.sort(a) else { return None };
    let m = mask(width);
    let (min, max) = (1u128 << (width - 1), m >> 1);
    let (term, arc) = match (pool.op(t), pool.as_bits(a), pool.as_bits(b)) {
        (Op::Eq, None, Some(c)) => (a, Arc { lo: c, len: 0 }),
        (Op::Eq, Some(c), None) => (b, Arc { lo: c, len: 0 }),
        (Op::BvUlt, None, Some(c)) if c != 0 => (a, Arc::from_to(0, c - 1, m)),
        (Op::BvUlt, Some(c), None) if c != m => (b, Arc::from_to(c + 1, m, m)),
        (Op::BvSlt, None, Some(c)) if c != min => (a, Arc::from_to(min, c.wrapping_sub(1), m)),
        (Op::BvSlt, Some(c), None) if c != max => (b, Arc::from_to(c.wrapping_add(1), max, m)),
        _ => return None,
    };
    let arc = if negated { arc.complement(m)? } else { arc };
    // x + d on the arc: x on the arc moved back.
    if let (Op::BvAdd, &[x, d]) = (pool.op(term), pool.args(term))
        && let Some(d) = pool.as_bits(d)
    {
        return Some((x, Arc { lo: arc.lo.wrapping_sub(d) & m, ..arc }));
    }
    Some((term, arc))
}

/// The bounds of variables in a conjunction, read as signed numbers.
pub fn signed_bounds(pool: &Pool, literals: &[TermId]) -> BTreeMap<TermId, (i128, i128)> {
    let mut arcs: BTreeMap<TermId, Arc> = BTreeMap::new();
    for (term, arc) in literals.iter().filter_map(|&t| read(pool, t)).filter(|(t, _)| pool.is_var(*t)) {
        let m = mask(pool.width(term));
        let known = arcs.get(&term).copied().unwrap_or(Arc { lo: 0, len: m });
        if let Some(Some(met)) = known.meet(arc, m) {
            arcs.insert(term, met);
        }
    }
    let signed = |width: u8, x: u128| cairn_term::value::signed(width, x);
    let bounds = |(t, a): (TermId, Arc)| {
        let width = pool.width(t);
        let (lo, hi) = (signed(width, a.lo), signed(width, a.hi(mask(width))));
        (lo <= hi).then_some((t, (lo, hi)))
    };
    arcs.into_iter().filter_map(bounds).collect()
}

/// What comparisons of a single variable with constants come to.
pub enum Decided {
    /// They contradict each other.
    No,
    /// This value satisfies them.
    Value(TermId, Value),
}

/// Decides literals that all bound one and the same variable. `None` if they do not.
pub fn decide(pool: &Pool, literals: &[TermId]) -> Option<Decided> {
    let (&first, rest) = literals.split_first()?;
    let (term, mut arc) = read(pool, first)?;
    if !pool.is_var(term) {
        return None;
    }
    let width = pool.width(term);
    for &literal in rest {
        let (other, next) = read(pool, literal)?;
        if other != term {
            return None;
        }
        match arc.meet(next, mask(width))? {
            Some(met) => arc = met,
            None => return Some(Decided::No),
        }
    }
    Some(Decided::Value(term, Value::Bits(width, arc.lo)))
}

/// Literals that say that a term lies on an arc.
pub fn write(pool: &mut Pool, term: TermId, arc: Arc, out: &mut Vec<TermId>) {
    let width = pool.width(term);
    let m = mask(width);
    let (min, max) = (1u128 << (width - 1), m >> 1);
    if arc.len == m {
        return;
    }
    let (lo, hi) = (arc.lo, arc.hi(m));
    if arc.len == 0 {
        let c = pool.bits(width, lo);
        return out.push(pool.eq(term, c));
    }
    if let Some(hole) = arc.complement(m)
        && hole.len == 0
    {
        let c = pool.bits(width, hole.lo);
        return out.push(pool.ne(term, c));
    }
    let signed = |x: u128| (x ^ min) & m;
    let (low, high) = (pool.bits(width, lo), pool.bits(width, hi));
    if signed(lo) <= signed(hi) {
        if lo != min {
            out.push(pool.bv_sle(low, term));
        }
        if hi != max {
            out.push(pool.bv_sle(term, high));
        }
    } else if lo <= hi {
        if lo != 0 {
            out.push(pool.bv_ule(low, term));
        }
        if hi != m {
            out.push(pool.bv_ule(term, high));
        }
    } else {
        let from = pool.bv_sub(term, low);
        let len = pool.bits(width, arc.len);
        out.push(pool.bv_ule(from, len));
    }
}

/// The same conjunction with one statement per term where that is possible, sorted. `None` if it is
/// contradictory.
pub fn tidy(pool: &mut Pool, literals: &[TermId]) -> Option<Vec<TermId>> {
    let mut arcs: BTreeMap<TermId, Vec<Arc>> = BTreeMap::new();
    let mut out = Vec::new();
    for &literal in literals {
        match pool.as_bool(literal) {
            Some(true) => continue,
            Some(false) => return None,
            None => {}
        }
        let Some((term, mut arc)) = read(pool, literal) else {
            out.push(literal);
            continue;
        };
        let m = mask(pool.width(term));
        let known = arcs.entry(term).or_default();
        // An arc that met another may meet a third.
        while let Some((n, met)) = known.iter().enumerate().find_map(|(n, a)| Some((n, a.meet(arc, m)?))) {
            known.remove(n);
            arc = met?;
        }
        known.push(arc);
    }
    for (term, arcs) in arcs {
        for arc in arcs {
            write(pool, term, arc, &mut out);
        }
    }
    out.sort_unstable();
    out.dedup();
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn_term::{Assignment, Evaluator};

    /// All comparisons of a 4-bit number: what is put in order means what it meant before.
    #[test]
    fn meaning_is_kept() {
        let mut pool = Pool::new();
        let sort = pool.bits_sort(4);
        let x = pool.var("x", sort);
        let mut all = Vec::new();
        for c in 0..16 {
            let c = pool.bits(4, c);
            for d in [0, 3] {
                let d = pool.bits(4, d);
                let t = pool.bv_add(x, d);
                all.push(pool.bv_slt(t, c));
                all.push(pool.bv_ule(c, t));
                all.push(pool.ne(t, c));
            }
        }
        for (n, &a) in all.iter().enumerate() {
            for &b in &all[n..] {
                for &c in &all[n..(n + 5).min(all.len())] {
                    let tidied = tidy(&mut pool, &[a, b, c]);
                    let possible = |v: u128| {
                        let model: Assignment = [(x, Value::Bits(4, v))].into_iter().collect();
                        let mut eval = Evaluator::new(&pool, &model);
                        [a, b, c].iter().all(|&t| eval.holds(t))
                    };
                    match decide(&pool, &[a, b, c]) {
                        Some(Decided::No) => assert!(!(0..16).any(possible)),
                        Some(Decided::Value(_, Value::Bits(_, v))) => assert!(possible(v)),
                        _ => {}
                    }
                    for v in 0..16 {
                        let model: Assignment = [(x, Value::Bits(4, v))].into_iter().collect();
                        let mut eval = Evaluator::new(&pool, &model);
                        let before = [a, b, c].iter().all(|&t| eval.holds(t));
                        let after = tidied.as_ref().is_some_and(|all| all.iter().all(|&t| eval.holds(t)));
                        assert_eq!(before, after, "{v}: {tidied:?}");
                    }
                }
            }
        }
    }

    /// All pairs of arcs of 3-bit numbers.
    #[test]
    fn arcs_are_sets() {
        let m = mask(3);
        let all: Vec<Arc> = (0..=m).flat_map(|lo| (0..=m).map(move |len| Arc { lo, len })).collect();
        let set = |a: Arc| (0..=m).filter(|&x| a.has(x, m)).fold(0u8, |s, x| s | 1 << x);
        for &a in &all {
            assert_eq!(a.complement(m).map_or(0, set), !set(a));
            for &b in &all {
                if let Some(both) = a.meet(b, m) {
                    assert_eq!(both.map_or(0, set), set(a) & set(b));
                }
                if let Some(either) = a.join(b, m) {
                    assert_eq!(set(either), set(a) | set(b));
                }
                assert!(!a.covers(b, m) || set(b) & !set(a) == 0);
            }
        }
    }

    #[test]
    fn ranges_of_a_sum_become_one() {
        let mut pool = Pool::new();
        let sort = pool.bits_sort(32);
        let x = pool.var("x", sort);
        let number = |p: &mut Pool, n: i32| p.bits(32, u128::from(n as u32));
        let mut literals = Vec::new();
        for d in [1, -1] {
            let d = number(&mut pool, d);
            let t = pool.bv_add(x, d);
            let (lo, hi) = (number(&mut pool, -10), number(&mut pool, 10));
            literals.push(pool.bv_sle(lo, t));
            literals.push(pool.bv_sle(t, hi));
        }
        let (lo, hi) = (number(&mut pool, -9), number(&mut pool, 9));
        let mut expected = [pool.bv_sle(lo, x), pool.bv_sle(x, hi)];
        expected.sort_unstable();
        assert_eq!(tidy(&mut pool, &literals).unwrap(), expected);
    }
}
