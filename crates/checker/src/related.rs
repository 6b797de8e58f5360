//! Pointers that surely point to one object, by the text of a function.
//!
//! A loop over an array compares a pointer that moves with one that does not, and
//! where the loop is cut neither is known any more. That they are into one object
//! is seen here: a partition of the pointer variables of a function (and of the
//! objects whose addresses it takes) into classes that were made from one pointer,
//! at each of its locations. An assignment moves a variable to another class,
//! whatever else gives it a value puts it into one of its own, and where ways meet only
//! what is together on all of them stays together (the partitions of Kildall's
//! global value numbering, with "same object" for "same value").

use std::collections::BTreeMap;

use cairn_ir::{BinOp, EdgeId, Expr, ExprId, FuncId, LocId, ObjId, Op, Program, Ty, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Member {
    Var(VarId),
    Object(ObjId),
}

/// Members that are not mentioned are alone.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Partition(BTreeMap<Member, u32>);

/// What a pointer belongs to.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Class {
    Shared(u32),
    Alone(Member),
}

impl Partition {
    fn class(&self, m: Member) -> Class {
        self.0.get(&m).map_or(Class::Alone(m), |&n| Class::Shared(n))
    }

    /// The class of a pointer expression, if that is one.
    fn of(&self, p: &Program, x: ExprId) -> Option<Class> {
        match p.exprs.get(x) {
            Expr::Var(v) => Some(self.class(Member::Var(v))),
            Expr::Addr(o) => Some(self.class(Member::Object(o))),
            Expr::Binary(BinOp::PtrAdd, a, _) => self.of(p, a),
            Expr::Cast(Ty::Ptr, a) if p.ty(a) == Ty::Ptr => self.of(p, a),
            Expr::Select(_, a, b) => {
                let (a, b) = (self.of(p, a)?, self.of(p, b)?);
                (a == b).then_some(a)
            }
            _ => None,
        }
    }

    fn leave(&mut self, m: Member) {
        self.0.remove(&m);
    }

    fn join(&mut self, m: Member, class: Option<Class>) {
        match class {
            None => self.leave(m),
            Some(Class::Alone(other)) if other == m => {}
            Some(Class::Shared(n)) => drop(self.0.insert(m, n)),
            Some(Class::Alone(other)) => {
                let new = self.0.values().max().map_or(0, |n| n + 1);
                self.0.insert(m, new);
                self.0.insert(other, new);
            }
        }
    }

    /// What is together in both.
    fn meet(&self, other: &Partition) -> Partition {
        let mut groups: BTreeMap<(u32, u32), Vec<Member>> = BTreeMap::new();
        for (&m, &a) in &self.0 {
            if let Some(&b) = other.0.get(&m) {
                groups.entry((a, b)).or_default().push(m);
            }
        }
        Partition::numbered(groups.into_values())
    }

    /// Classes have the number of their least member among classes, so that equal partitions are equal.
    fn numbered(groups: impl Iterator<Item = Vec<Member>>) -> Partition {
        let mut groups: Vec<Vec<Member>> = groups.filter(|g| g.len() > 1).collect();
        groups.sort();
        let numbered = (0..).zip(groups).flat_map(|(n, g)| g.into_iter().map(move |m| (m, n)));
        Partition(numbered.collect())
    }

    fn canonical(&self) -> Partition {
        let mut groups: BTreeMap<u32, Vec<Member>> = BTreeMap::new();
        self.0.iter().for_each(|(&m, &n)| groups.entry(n).or_default().push(m));
        Partition::numbered(groups.into_values())
    }

    fn step(&mut self, p: &Program, e: EdgeId) {
        let op = &p.edges[e].op;
        match op {
            Op::Assign { dst, value } if p.vars[*dst].ty == Ty::Ptr => {
                let class = self.of(p, *value);
                self.join(Member::Var(*dst), class);
            }
            // The pointers to its last life stay where they are.
            Op::Begin { obj } => self.leave(Member::Object(*obj)),
            Op::Call { .. } => {
                self.0.retain(|m, _| !matches!(m, Member::Var(v) if p.vars[*v].owner.is_none()));
            }
            _ => {}
        }
        if !matches!(op, Op::Assign { .. })
            && let Some(v) = op.def()
        {
            self.leave(Member::Var(v));
        }
    }
}

/// The partitions of the functions that were asked for.
#[derive(Default)]
pub struct Related {
    at: FxHashMap<LocId, Partition>,
    done: FxHashSet<FuncId>,
}

impl Related {
    /// Does every comparison of pointers in an expression compare pointers into one object, when it is
    /// evaluated at this location?
    pub fn all(&mut self, p: &Program, at: LocId, x: ExprId) -> bool {
        let mut compared = Vec::new();
        let mut work = vec![x];
        let mut seen = FxHashSet::default();
        while let Some(x) = work.pop() {
            if !seen.insert(x) {
                continue;
            }
            if let Expr::Binary(BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::PtrSub, a, b) =
                p.exprs.get(x)
                && p.ty(a) == Ty::Ptr
            {
                compared.push((a, b));
            }
            work.extend(p.exprs.children(x));
        }
        if compared.is_empty() {
            return true;
        }
        let f = p.locs[at].func;
        if self.done.insert(f) {
            self.analyse(p, f);
        }
        let Some(here) = self.at.get(&at) else { return false };
        compared.into_iter().all(|(a, b)| here.of(p, a).is_some_and(|class| here.of(p, b) == Some(class)))
    }

    fn analyse(&mut self, p: &Program, f: FuncId) {
        let Some(body) = &p.funcs[f].body else { return };
        self.at.insert(body.entry, Partition::default());
        let mut work = vec![body.entry];
        while let Some(l) = work.pop() {
            for &e in &p.locs[l].out {
                let mut after = self.at[&l].clone();
                after.step(p, e);
                let to = p.edges[e].dst;
                let new = match self.at.get(&to) {
                    Some(old) => old.meet(&after),
                    None => after.canonical(),
                };
                if self.at.get(&to) != Some(&new) {
                    self.at.insert(to, new);
                    work.push(to);
                }
            }
        }
    }
}
