//! Transition formulas: a guard and an assignment.
//!
//! A transition says how the variables of a [`Space`] may change: the guard holds
//! before, and afterwards each assigned variable has the value of its term *in the
//! state before*; the others keep theirs. Variables of guard and terms that are
//! not of the space are *unknowns*: some value of each makes the step (they are
//! existentially quantified, as the Skolem constants of duet).

use std::collections::BTreeMap;

use cairn_term::{Pool, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The variables of a state, all of sort `Int`, in a fixed order.
#[derive(Clone, Default, Debug)]
pub struct Space {
    vars: Vec<TermId>,
    set: FxHashSet<TermId>,
}

impl Space {
    pub fn new(vars: Vec<TermId>) -> Space {
        let set = vars.iter().copied().collect();
        Space { vars, set }
    }

    pub fn vars(&self) -> &[TermId] {
        &self.vars
    }

    pub fn has(&self, v: TermId) -> bool {
        self.set.contains(&v)
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Transition {
    pub guard: TermId,
    /// What changes. Keys are variables of the space.
    pub assign: BTreeMap<TermId, TermId>,
}

impl Transition {
    /// No step at all: `0`.
    pub fn never() -> Transition {
        Transition { guard: Pool::FALSE, assign: BTreeMap::new() }
    }

    /// The step that changes nothing: `1`.
    pub fn identity() -> Transition {
        Transition::assume(Pool::TRUE)
    }

    pub fn assume(guard: TermId) -> Transition {
        Transition { guard, assign: BTreeMap::new() }
    }

    pub fn is_never(&self) -> bool {
        self.guard == Pool::FALSE
    }

    /// The value of a variable after the step.
    pub fn after(&self, v: TermId) -> TermId {
        self.assign.get(&v).copied().unwrap_or(v)
    }

    /// The unknowns, in a fixed order.
    pub fn unknowns(&self, pool: &Pool, space: &Space) -> Vec<TermId> {
        let mut roots = vec![self.guard];
        roots.extend(self.assign.values());
        pool.free_vars(&roots).into_iter().filter(|&v| !space.has(v)).collect()
    }

    /// The same transition with other unknowns.
    pub fn renew(&self, pool: &mut Pool, space: &Space) -> Transition {
        let mut map = FxHashMap::default();
        for u in self.unknowns(pool, space) {
            let sort = pool.sort_id_of(u);
            map.insert(u, pool.fresh("u", sort));
        }
        self.substitute(pool, &mut map)
    }

    /// Every term with its variables replaced; the map also remembers what was done.
    fn substitute(&self, pool: &mut Pool, map: &mut FxHashMap<TermId, TermId>) -> Transition {
        let guard = pool.substitute_memo(self.guard, map);
        let assign = self.assign.iter().map(|(&v, &t)| (v, pool.substitute_memo(t, map))).collect();
        Transition { guard, assign }
    }

    /// A formula over the state after this step, as one over the state before it. The two must
    /// not share unknowns.
    pub fn before(&self, pool: &mut Pool, formula: TermId) -> TermId {
        let map: FxHashMap<TermId, TermId> = self.assign.iter().map(|(&v, &t)| (v, t)).collect();
        let later = pool.substitute(formula, &map);
        pool.and(&[self.guard, later])
    }

    /// First this, then `next`: `·`. Unknowns that both have are renamed in `next`.
    pub fn then(&self, next: &Transition, pool: &mut Pool, space: &Space) -> Transition {
        if self.is_never() || next.is_never() {
            return Transition::never();
        }
        let mine: FxHashSet<TermId> = self.unknowns(pool, space).into_iter().collect();
        let mut map: FxHashMap<TermId, TermId> = self.assign.iter().map(|(&v, &t)| (v, t)).collect();
        for u in next.unknowns(pool, space) {
            if mine.contains(&u) {
                let sort = pool.sort_id_of(u);
                map.insert(u, pool.fresh("u", sort));
            }
        }
        let later = next.substitute(pool, &mut map);
        let guard = pool.and(&[self.guard, later.guard]);
        let mut assign = self.assign.clone();
        for (v, t) in later.assign {
            if t == v {
                assign.remove(&v);
            } else {
                assign.insert(v, t);
            }
        }
        Transition { guard, assign }
    }

    /// This or `other`: `+`. A variable that they change differently gets an unknown value which
    /// each side's guard fixes.
    pub fn or(&self, other: &Transition, pool: &mut Pool) -> Transition {
        if self.is_never() || self == other {
            return other.clone();
        }
        if other.is_never() {
            return self.clone();
        }
        let mut sides = [vec![self.guard], vec![other.guard]];
        let mut assign = BTreeMap::new();
        let keys: Vec<TermId> = self.assign.keys().chain(other.assign.keys()).copied().collect();
        for v in keys {
            let [a, b] = [self.after(v), other.after(v)];
            if assign.contains_key(&v) {
                continue;
            }
            if a == b {
                assign.insert(v, a);
                continue;
            }
            let sort = pool.sort_id_of(v);
            let u = pool.fresh("u", sort);
            for (side, t) in sides.iter_mut().zip([a, b]) {
                side.push(pool.eq(u, t));
            }
            assign.insert(v, u);
        }
        let [a, b] = sides.map(|parts| pool.and(&parts));
        Transition { guard: pool.or(&[a, b]), assign }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(pool: &mut Pool, v: TermId, text: &str) -> Transition {
        let t = cairn_term::parse::term(pool, text).expect("a term");
        Transition { guard: Pool::TRUE, assign: BTreeMap::from([(v, t)]) }
    }

    #[test]
    fn a_sequence_reads_the_state_in_between() {
        let mut pool = Pool::new();
        let (x, y) = (pool.int_var("x"), pool.int_var("y"));
        let space = Space::new(vec![x, y]);
        let first = set(&mut pool, x, "(+ x 1)");
        let second = set(&mut pool, y, "(* 2 x)");
        let both = first.then(&second, &mut pool, &space);
        let expected = cairn_term::parse::term(&mut pool, "(* 2 (+ x 1))").expect("a term");
        assert_eq!(both.after(y), expected);
        assert_eq!(both.after(x), first.after(x));
    }

    #[test]
    fn what_is_undone_is_not_assigned() {
        let mut pool = Pool::new();
        let x = pool.int_var("x");
        let space = Space::new(vec![x]);
        let up = set(&mut pool, x, "(+ x 1)");
        let down = set(&mut pool, x, "(+ x (- 1))");
        assert_eq!(up.then(&down, &mut pool, &space), Transition::identity());
    }

    #[test]
    fn unknowns_of_two_steps_differ() {
        let mut pool = Pool::new();
        let (x, u) = (pool.int_var("x"), pool.int_var("input"));
        let space = Space::new(vec![x]);
        let step = Transition { guard: Pool::TRUE, assign: BTreeMap::from([(x, pool.int_add(x, u))]) };
        let two = step.then(&step, &mut pool, &space);
        assert_eq!(two.unknowns(&pool, &space).len(), 2);
    }

    #[test]
    fn a_choice_keeps_what_both_agree_on() {
        let mut pool = Pool::new();
        let (x, y) = (pool.int_var("x"), pool.int_var("y"));
        let a = set(&mut pool, x, "7");
        let mut b = a.clone();
        b.assign.insert(y, x);
        let c = a.or(&b, &mut pool);
        assert_eq!(c.after(x), a.after(x));
        assert_ne!(c.after(y), y);
        assert_eq!(a.or(&Transition::never(), &mut pool), a);
    }
}
