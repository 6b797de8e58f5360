//! What is known of the variables at one place: a [`Num`] for each, and bounds on
//! differences of chosen pairs (the zones of Miné 2001, without closure). What is
//! not mentioned is as large as its type; a difference that is not mentioned is
//! what the two ranges allow.

use std::collections::BTreeSet;

use cairn_ir::{Program, VarId};
use imbl::OrdMap;
use imbl::ordmap::DiffItem;

use crate::num::Num;

/// Bounds on the difference of two variables.
pub type Bounds = (i128, i128);

#[derive(Clone, Default)]
pub struct Env {
    /// Apart, so that calls can pass all globals on at once.
    globals: OrdMap<VarId, Num>,
    locals: OrdMap<VarId, Num>,
    /// `x - y` for `x < y`, only if it says more than the ranges of both.
    diffs: OrdMap<(VarId, VarId), Bounds>,
    /// The value that a function returned.
    pub result: Option<Num>,
}

impl Env {
    pub fn get(&self, p: &Program, v: VarId) -> Option<Num> {
        self.known_of(v).or_else(|| Num::of_type(p.vars[v].ty))
    }

    /// What is known of a variable beyond its type.
    pub fn known_of(&self, v: VarId) -> Option<Num> {
        self.locals.get(&v).or_else(|| self.globals.get(&v)).copied()
    }

    /// What is known beyond types, of globals and then of locals.
    pub fn known(&self) -> impl Iterator<Item = (VarId, Num)> + '_ {
        self.globals.iter().chain(&self.locals).map(|(&v, &n)| (v, n))
    }

    pub fn differences(&self) -> impl Iterator<Item = ((VarId, VarId), Bounds)> + '_ {
        self.diffs.iter().map(|(&k, &b)| (k, b))
    }

    pub fn set(&mut self, p: &Program, v: VarId, n: Option<Num>) {
        let nums = if p.vars[v].owner.is_none() { &mut self.globals } else { &mut self.locals };
        match n {
            Some(n) if Num::of_type(p.vars[v].ty).is_some_and(|all| n != all) => {
                if nums.get(&v) != Some(&n) {
                    nums.insert(v, n);
                }
            }
            _ => {
                if nums.contains_key(&v) {
                    nums.remove(&v);
                }
            }
        }
    }

    /// Restricts a variable, and those whose difference to it is known; `false` if nothing is left.
    pub fn meet(&mut self, p: &Program, v: VarId, with: Num) -> bool {
        let Some(old) = self.get(p, v) else { return true };
        let Some(n) = old.meet(with) else { return false };
        if n == old {
            return true;
        }
        self.set(p, v, Some(n));
        if (n.lo, n.hi) == (old.lo, old.hi) || self.diffs.is_empty() {
            return true;
        }
        // x - y in lo..=hi
        let mut follow = Vec::new();
        for (&(x, y), &(lo, hi)) in &self.diffs {
            if x == v {
                follow.push((y, n.lo - hi, n.hi - lo));
            } else if y == v {
                follow.push((x, n.lo + lo, n.hi + hi));
            }
        }
        follow.into_iter().all(|(w, lo, hi)| {
            let (Some(old), Some(by)) = (self.get(p, w), Num::between(lo, hi)) else { return true };
            match old.meet(by) {
                Some(n) => {
                    if n != old {
                        self.set(p, w, Some(n));
                    }
                    true
                }
                None => false,
            }
        })
    }

    fn by_ranges(&self, p: &Program, x: VarId, y: VarId) -> Option<Bounds> {
        let (a, b) = (self.get(p, x)?, self.get(p, y)?);
        Some((a.lo - b.hi, a.hi - b.lo))
    }

    /// Bounds on `x - y`.
    pub fn difference(&self, p: &Program, x: VarId, y: VarId) -> Option<Bounds> {
        if x == y {
            return Some((0, 0));
        }
        let (lo, hi) = self.by_ranges(p, x, y)?;
        let known = if x < y {
            self.diffs.get(&(x, y)).copied()
        } else {
            self.diffs.get(&(y, x)).map(|&(lo, hi)| (-hi, -lo))
        };
        Some(known.map_or((lo, hi), |(l, h)| (lo.max(l), hi.min(h))))
    }

    /// Sets the bounds on `x - y` (which are kept only if they say something).
    pub fn set_difference(&mut self, p: &Program, x: VarId, y: VarId, (lo, hi): Bounds) {
        let (x, y, lo, hi) = if x < y { (x, y, lo, hi) } else { (y, x, -hi, -lo) };
        match self.by_ranges(p, x, y) {
            Some((l, h)) if lo > l || hi < h => {
                self.diffs.insert((x, y), (lo.max(l), hi.min(h)));
            }
            _ => {
                self.diffs.remove(&(x, y));
            }
        }
    }

    /// Forgets what is known of `x` in relation to others.
    pub fn forget_differences(&mut self, x: VarId) {
        if self.diffs.is_empty() {
            return;
        }
        let gone: Vec<(VarId, VarId)> =
            self.diffs.keys().copied().filter(|&(a, b)| a == x || b == x).collect();
        for k in gone {
            self.diffs.remove(&k);
        }
    }

    /// Forgets what is known of changed global variables in relation to others.
    pub fn forget_globals(&mut self, p: &Program, changed: &BTreeSet<VarId>) {
        let is_gone = |v: &VarId| p.vars[*v].owner.is_none() && changed.contains(v);
        let gone: Vec<(VarId, VarId)> =
            self.diffs.keys().copied().filter(|(a, b)| is_gone(a) || is_gone(b)).collect();
        for k in gone {
            self.diffs.remove(&k);
        }
    }

    /// Only what is known of global variables, and the result.
    pub fn only_globals(&self) -> Env {
        let (locals, diffs) = (OrdMap::new(), OrdMap::new());
        Env { globals: self.globals.clone(), locals, diffs, result: self.result }
    }

    /// Both; `how` and `pair` join or widen. The differences of `pairs` are looked at even if only
    /// ranges give them so far.
    fn merge(
        &self,
        p: &Program,
        o: &Env,
        pairs: &[(VarId, VarId)],
        how: &dyn Fn(VarId, Num, Num) -> Num,
        pair: &dyn Fn(Bounds, Bounds) -> Bounds,
    ) -> Env {
        let mut out = self.clone();
        let changes = changed(&self.globals, &o.globals);
        for v in changes.into_iter().chain(changed(&self.locals, &o.locals)) {
            if let (Some(a), Some(b)) = (self.get(p, v), o.get(p, v)) {
                out.set(p, v, Some(how(v, a, b)));
            }
        }
        out.result = match (self.result, o.result) {
            (Some(a), Some(b)) => Some(a.join(b)),
            _ => None,
        };
        if !self.diffs.is_empty() || !o.diffs.is_empty() || !pairs.is_empty() {
            let keys: BTreeSet<(VarId, VarId)> =
                self.diffs.keys().chain(o.diffs.keys()).chain(pairs).copied().collect();
            out.diffs = OrdMap::new();
            for (x, y) in keys {
                if let (Some(a), Some(b)) = (self.difference(p, x, y), o.difference(p, x, y)) {
                    out.set_difference(p, x, y, pair(a, b));
                }
            }
        }
        out
    }

    pub fn join(&self, p: &Program, o: &Env) -> Env {
        self.join_with(p, o, &[])
    }

    /// The join, in which differences of `pairs` are kept.
    pub fn join_with(&self, p: &Program, o: &Env, pairs: &[(VarId, VarId)]) -> Env {
        self.merge(p, o, pairs, &|_, a, b| a.join(b), &|a, b| (a.0.min(b.0), a.1.max(b.1)))
    }

    /// Widens the variables of `only` (all of them without), joins the others.
    pub fn widen(
        &self,
        p: &Program,
        o: &Env,
        thresholds: &[i128],
        far: bool,
        only: Option<&BTreeSet<VarId>>,
    ) -> Env {
        let widen = |v: VarId, a: Num, b: Num| match Num::of_type(p.vars[v].ty) {
            Some(all) if only.is_none_or(|vars| vars.contains(&v)) => a.widen(b, thresholds, all, far),
            _ => a.join(b),
        };
        let pair = |a: Bounds, b: Bounds| {
            let lo = match b.0 {
                l if l >= a.0 => a.0,
                l if !far && l >= -1 => l.min(1),
                _ => -FAR,
            };
            let hi = match b.1 {
                h if h <= a.1 => a.1,
                h if !far && h <= 1 => h.max(-1),
                _ => FAR,
            };
            (lo, hi)
        };
        self.merge(p, o, &[], &widen, &pair)
    }

    pub fn same(&self, o: &Env) -> bool {
        self.result == o.result
            && changed(&self.globals, &o.globals).is_empty()
            && changed(&self.locals, &o.locals).is_empty()
            && (self.diffs.ptr_eq(&o.diffs) || self.diffs == o.diffs)
    }
}

/// Farther apart than any two values are.
const FAR: i128 = 1 << 80;

/// The variables of which the two know different things. What the maps share costs nothing.
fn changed(a: &OrdMap<VarId, Num>, b: &OrdMap<VarId, Num>) -> Vec<VarId> {
    if a.ptr_eq(b) {
        return Vec::new();
    }
    a.diff(b)
        .map(|d| match d {
            DiffItem::Add(&v, _) | DiffItem::Remove(&v, _) => v,
            DiffItem::Update { old: (&v, _), .. } => v,
        })
        .collect()
}
