//! Walks over terms. None of them recurses: formulas of unrolled loops are
//! deeper than any stack.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::{Pool, TermId};

impl Pool {
    /// Everything the roots are made of, arguments before what uses them, each once.
    pub fn reachable(&self, roots: &[TermId]) -> Vec<TermId> {
        let mut seen: FxHashSet<TermId> = roots.iter().copied().collect();
        let mut order: Vec<TermId> = seen.iter().copied().collect();
        let mut at = 0;
        while at < order.len() {
            let t = order[at];
            at += 1;
            for &a in self.args(t) {
                if seen.insert(a) {
                    order.push(a);
                }
            }
        }
        // Arguments have smaller ids.
        order.sort_unstable();
        order
    }

    /// The uninterpreted constants of the roots, in the order of their making.
    pub fn free_vars(&self, roots: &[TermId]) -> Vec<TermId> {
        let mut terms = self.reachable(roots);
        terms.retain(|&t| self.is_var(t));
        terms
    }

    /// How many different terms a term is made of.
    pub fn size(&self, t: TermId) -> usize {
        self.reachable(&[t]).len()
    }

    /// `t` with terms replaced (all at once; what is put in is not searched again), simplified anew.
    pub fn substitute(&mut self, t: TermId, map: &FxHashMap<TermId, TermId>) -> TermId {
        let mut done = map.clone();
        self.substitute_memo(t, &mut done)
    }

    /// As [`Pool::substitute`] for many terms under one map, which grows by what has been done.
    pub fn substitute_memo(&mut self, root: TermId, done: &mut FxHashMap<TermId, TermId>) -> TermId {
        let mut stack = vec![root];
        let mut new_args: SmallVec<[TermId; 8]> = SmallVec::new();
        while let Some(&t) = stack.last() {
            if done.contains_key(&t) {
                stack.pop();
                continue;
            }
            let pending = stack.len();
            stack.extend(self.args(t).iter().filter(|a| !done.contains_key(a)));
            if stack.len() > pending {
                continue;
            }
            stack.pop();
            new_args.clear();
            new_args.extend(self.args(t).iter().map(|a| done[a]));
            let new = if new_args.as_slice() == self.args(t) { t } else { self.apply(self.op(t), &new_args) };
            done.insert(t, new);
        }
        done[&root]
    }

    /// The term built again through the constructors, from the leaves up.
    pub fn simplify(&mut self, root: TermId) -> TermId {
        let mut done: FxHashMap<TermId, TermId> = FxHashMap::default();
        for t in self.reachable(&[root]) {
            let args: SmallVec<[TermId; 8]> = self.args(t).iter().map(|a| done[a]).collect();
            let new = if args.is_empty() { t } else { self.apply(self.op(t), &args) };
            done.insert(t, new);
        }
        done[&root]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SortId;

    #[test]
    fn substitution_is_simultaneous() {
        let mut p = Pool::new();
        let [x, y, z] = ["x", "y", "z"].map(|n| p.var(n, SortId::INT));
        let sum = p.int_sub(x, y);
        let swapped = p.substitute(sum, &FxHashMap::from_iter([(x, y), (y, x)]));
        assert_eq!(swapped, p.int_sub(y, x));
        let gone = p.substitute(sum, &FxHashMap::from_iter([(x, z), (y, z)]));
        assert_eq!(gone, p.int(0));
        assert_eq!(p.free_vars(&[sum, z]), [x, y, z]);
    }

    #[test]
    fn deep_terms_do_not_exhaust_the_stack() {
        let mut p = Pool::new();
        let s = p.bits_sort(32);
        let (x, y) = (p.var("x", s), p.var("y", s));
        let mut t = x;
        for _ in 0..200_000 {
            t = p.bv_mul(t, y);
            t = p.bv_xor(t, x);
        }
        let one = p.bits(32, 1);
        let new = p.substitute(t, &FxHashMap::from_iter([(y, one)]));
        assert_eq!(new, x);
        assert!(p.size(t) > 200_000);
    }
}
