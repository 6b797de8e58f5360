//! Does a program look at where its objects lie?
//!
//! A proof for a program that does not say where objects lie (see `layout`) is
//! read with instances in the order of their numbers. That is right as long as
//! nothing depends on it. What could is noticed here while the proof is followed:
//! the order of pointers into different objects, the equality of pointers that
//! need not be inside their objects, an address compared with a number, bytes of
//! a pointer read as something else. Then the proof is worth nothing, and the
//! question is asked again with addresses that are inputs.

use std::cell::RefCell;
use std::collections::BTreeSet;

use cairn_ir::{BinOp, Expr, ExprId, Op, Program, Ty, VarId};
use cairn_term::{Pool, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::address::{Denotes, Instance, Space};

/// Offsets `rest`, `rest + stride`, …; a stride of 0 is one offset.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Offsets {
    stride: u64,
    rest: u64,
}

#[derive(Default)]
pub struct Looks {
    /// Something was seen that depends on where objects lie.
    seen: bool,
    sizes: FxHashMap<Instance, u64>,
    /// Instances whose lives have ended somewhere.
    ended: FxHashSet<Instance>,
    /// Where pointers are stored, and where other things are read, by instance.
    pointers: FxHashMap<Instance, BTreeSet<Offsets>>,
    reads: FxHashMap<Instance, BTreeSet<(Offsets, u64)>>,
    /// There are comparisons of pointers that the text does not show to point into one object.
    pub orders: bool,
    pub equals: bool,
}

impl Looks {
    pub fn new(program: &Program) -> Looks {
        let (orders, equals) = Relations::of(program).unrelated(program);
        Looks { orders, equals, seen: names_addresses(program), ..Looks::default() }
    }

    pub fn born(&mut self, i: Instance, size: Option<u64>) {
        self.sizes.extend(size.map(|n| (i, n)));
    }

    pub fn ended(&mut self, i: Instance) {
        self.ended.insert(i);
    }

    /// A pointer is stored.
    pub fn stored(&mut self, pool: &Pool, i: Instance, offset: TermId) {
        self.pointers.entry(i).or_default().insert(offsets(pool, offset));
    }

    /// Something else than a pointer, of so many bytes, is read.
    pub fn read(&mut self, pool: &Pool, i: Instance, offset: TermId, bytes: u64) {
        self.reads.entry(i).or_default().insert((offsets(pool, offset), bytes));
    }

    /// Memory is copied, and pointers with it.
    pub fn copied(&mut self, pool: &Pool, from: (Instance, TermId), to: (Instance, TermId)) {
        let Some(marks) = self.pointers.get(&from.0).cloned() else { return };
        let (start, end) = (offsets(pool, from.1), offsets(pool, to.1));
        for mark in marks {
            let stride = gcd(gcd(mark.stride, start.stride), end.stride);
            let rest = mark.rest.wrapping_sub(start.rest).wrapping_add(end.rest);
            self.pointers.entry(to.0).or_default().insert(Offsets { stride, rest });
        }
    }

    /// Did anything depend on where objects lie? `word`: bytes of a pointer.
    pub fn any(&self, word: u64) -> bool {
        self.seen
            || self.reads.iter().any(|(i, reads)| {
                let Some(marks) = self.pointers.get(i) else { return false };
                reads.iter().any(|&(r, n)| marks.iter().any(|&m| meet(m, word, r, n)))
            })
    }
}

/// Does the program name addresses that could be those of objects, or look like it here?
fn names_addresses(p: &Program) -> bool {
    let (small, top) = match p.model {
        cairn_base::DataModel::Lp64 => (1 << 31, u64::MAX),
        cairn_base::DataModel::Ilp32 => (1 << 16, u32::MAX.into()),
    };
    let used = |x: ExprId| matches!(p.exprs.get(x), Expr::Ptr(n) if n >= small && n != top);
    let mut work = Vec::new();
    p.edges.values().for_each(|e| e.op.each_expr(|x| work.push(x)));
    let mut seen = FxHashSet::default();
    while let Some(x) = work.pop() {
        if used(x) {
            return true;
        }
        if seen.insert(x) {
            work.extend(p.exprs.children(x));
        }
    }
    false
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// May two accesses share a byte?
fn meet(a: Offsets, m: u64, b: Offsets, n: u64) -> bool {
    let g = gcd(a.stride, b.stride);
    let apart = b.rest.wrapping_sub(a.rest) as i64;
    if g == 0 {
        return apart < m as i64 && apart > -(n as i64);
    }
    let apart = apart.rem_euclid(g as i64) as u64;
    apart < m || g - apart < n
}

/// The offsets that a term may be.
fn offsets(pool: &Pool, t: TermId) -> Offsets {
    bounded(pool, t, 6)
}

fn bounded(pool: &Pool, t: TermId, depth: u32) -> Offsets {
    let anywhere = Offsets { stride: 1, rest: 0 };
    if let Some(bits) = pool.as_bits(t) {
        return Offsets { stride: 0, rest: bits as u64 };
    }
    if depth == 0 {
        return anywhere;
    }
    let args = pool.args(t);
    let constant = |a: TermId| pool.as_bits(a).map(|b| b as u64);
    match (pool.op(t), args) {
        (cairn_term::Op::BvAdd, _) => {
            args.iter().map(|&a| bounded(pool, a, depth - 1)).fold(Offsets { stride: 0, rest: 0 }, |x, y| {
                Offsets { stride: gcd(x.stride, y.stride), rest: x.rest.wrapping_add(y.rest) }
            })
        }
        (cairn_term::Op::BvMul, &[a, b]) => {
            let factor = constant(a).or(constant(b)).unwrap_or(1);
            // A negative factor goes the other way by the same steps.
            Offsets { stride: (factor as i64).unsigned_abs().max(1), rest: 0 }
        }
        (cairn_term::Op::Concat, &[_, low]) if constant(low).is_some() => {
            Offsets { stride: 1 << pool.width(low).min(63), rest: constant(low).unwrap_or(0) }
        }
        (cairn_term::Op::Ite, &[_, a, b]) => {
            let (x, y) = (bounded(pool, a, depth - 1), bounded(pool, b, depth - 1));
            let between = x.rest.abs_diff(y.rest);
            Offsets { stride: gcd(gcd(x.stride, y.stride), between), rest: x.rest }
        }
        (cairn_term::Op::ZeroExt(_) | cairn_term::Op::SignExt(_), &[a]) => bounded(pool, a, depth - 1),
        _ => anywhere,
    }
}

impl Space {
    /// Looks at a comparison of two pointers before it is made.
    pub(crate) fn watch(&self, pool: &mut Pool, op: BinOp, a: TermId, b: TermId) {
        let looks: &RefCell<Looks> = &self.looks;
        if looks.borrow().seen || a == b {
            return;
        }
        let null = |t: TermId| pool.as_bits(t) == Some(0);
        if op == BinOp::Eq && (null(a) || null(b)) {
            return;
        }
        let (left, right) = (self.placed(pool, a), self.placed(pool, b));
        let mut looks = looks.borrow_mut();
        for &(c, (l, x)) in &left {
            for &(d, (r, y)) in &right {
                let both = pool.and(&[c, d]);
                if pool.as_bool(both) == Some(false) {
                    continue;
                }
                looks.seen |= match (l, r) {
                    (Denotes::Nothing, Denotes::Nothing) => false,
                    (Denotes::Object(i), Denotes::Object(j)) if i == j => false,
                    (Denotes::Object(i), Denotes::Object(j)) => {
                        op != BinOp::Eq || !looks.inside(pool, i, x) || !looks.inside(pool, j, y)
                    }
                    // With a number. Nothing ends at the last address, and null is nobody's.
                    (Denotes::Nothing, Denotes::Object(_)) => op != BinOp::Eq || !is_marker(pool, a),
                    (Denotes::Object(_), Denotes::Nothing) => op != BinOp::Eq || !is_marker(pool, b),
                    (Denotes::Anything, _) | (_, Denotes::Anything) => match op {
                        BinOp::Eq => looks.equals,
                        BinOp::PtrSub => false,
                        _ => looks.orders,
                    },
                };
            }
        }
    }
}

/// A number that no object's address can be: null, or all ones. Under a condition it may be something
/// else, which then is a number of its own.
fn is_marker(pool: &Pool, t: TermId) -> bool {
    let mut work = vec![t];
    let mut seen = FxHashSet::default();
    while let Some(t) = work.pop() {
        if !seen.insert(t) {
            continue;
        }
        match pool.op(t) {
            cairn_term::Op::Ite => work.extend(&pool.args(t)[1..]),
            cairn_term::Op::Word(..) => {
                let bits = pool.as_bits(t).unwrap_or(0) as u64;
                let number = bits >> 32 == 0 || bits >> 32 == 0xffff_ffff;
                if number && bits != 0 && bits != u64::MAX && bits != 0xffff_ffff {
                    return false;
                }
            }
            _ => {}
        }
    }
    true
}

impl Looks {
    /// Is it surely the address of a byte of an instance that is still there?
    fn inside(&self, pool: &Pool, i: Instance, offset: TermId) -> bool {
        let Some(at) = pool.as_bits(offset).map(|b| b as u64) else { return false };
        let size = self.sizes.get(&i).copied();
        !self.ended.contains(&i) && (at == 0 || size.is_some_and(|n| at < n))
    }
}

/// Which pointer variables of a function are made from one another, by the text.
struct Relations {
    /// The representative of each variable.
    class: FxHashMap<VarId, VarId>,
    /// Where the values of a class come from: expressions that are no variables of it.
    sources: FxHashMap<VarId, FxHashSet<Source>>,
    /// Classes with members that were moved by more than a constant.
    moved: FxHashSet<VarId>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum Source {
    Root(ExprId),
    Edge(u32),
}

impl Relations {
    fn of(p: &Program) -> Relations {
        let mut r = Relations {
            class: FxHashMap::default(),
            sources: FxHashMap::default(),
            moved: FxHashSet::default(),
        };
        let pointer = |v: VarId| p.vars[v].ty == Ty::Ptr;
        let mut from: Vec<(VarId, ExprId)> = Vec::new();
        for edge in p.edges.values() {
            if let Op::Assign { dst, value } = edge.op
                && pointer(dst)
            {
                from.push((dst, value));
                for (root, _) in roots(p, value) {
                    if let Expr::Var(v) = p.exprs.get(root) {
                        r.union(dst, v);
                    }
                }
            }
        }
        for (dst, value) in from {
            let class = r.find(dst);
            for (root, moved) in roots(p, value) {
                if moved {
                    r.moved.insert(class);
                }
                if !matches!(p.exprs.get(root), Expr::Var(_)) {
                    r.sources.entry(class).or_default().insert(Source::Root(root));
                }
            }
        }
        for (e, edge) in p.edges.iter() {
            let dst = match &edge.op {
                Op::Load { dst, .. } | Op::Alloc { dst, .. } | Op::Input { dst, .. } => Some(*dst),
                Op::Call { dst, .. } => *dst,
                _ => None,
            };
            if let Some(dst) = dst.filter(|&v| pointer(v)) {
                let class = r.find(dst);
                r.sources.entry(class).or_default().insert(Source::Edge(e.as_u32()));
            }
        }
        for f in p.funcs.values() {
            for &v in f.params.iter().filter(|&&v| pointer(v)) {
                let class = r.find(v);
                // What a caller gives is one thing.
                r.sources.entry(class).or_default().insert(Source::Edge(u32::MAX - v.as_u32()));
            }
        }
        r
    }

    fn find(&mut self, v: VarId) -> VarId {
        let mut at = v;
        while let Some(&up) = self.class.get(&at) {
            at = up;
        }
        if at != v {
            self.class.insert(v, at);
        }
        at
    }

    fn union(&mut self, a: VarId, b: VarId) {
        let (a, b) = (self.find(a), self.find(b));
        if a != b {
            self.class.insert(a, b);
        }
    }

    /// Where a pointer comes from, if that is one thing; and whether it may have been moved.
    fn origin(&mut self, p: &Program, x: ExprId) -> (Option<Source>, bool) {
        let mut all = FxHashSet::default();
        let mut wanders = false;
        for (root, moved) in roots(p, x) {
            wanders |= moved;
            match p.exprs.get(root) {
                Expr::Var(v) => {
                    let class = self.find(v);
                    wanders |= self.moved.contains(&class);
                    match self.sources.get(&class) {
                        Some(s) => all.extend(s.iter().cloned()),
                        // A global, or never assigned.
                        None => drop(all.insert(Source::Root(root))),
                    }
                    if p.vars[v].owner.is_none() {
                        // Assigned by anyone; callers in between.
                        all.insert(Source::Root(root));
                    }
                }
                _ => drop(all.insert(Source::Root(root))),
            }
        }
        let one = if all.len() == 1 { all.into_iter().next() } else { None };
        (one, wanders)
    }

    /// Are there orders, or equalities with a pointer that was moved, of pointers that the text does
    /// not show to come from one?
    fn unrelated(mut self, p: &Program) -> (bool, bool) {
        let (mut orders, mut equals) = (false, false);
        let mut work = Vec::new();
        p.edges.values().for_each(|e| e.op.each_expr(|x| work.push(x)));
        let mut seen = FxHashSet::default();
        while let Some(x) = work.pop() {
            if !seen.insert(x) {
                continue;
            }
            work.extend(p.exprs.children(x));
            let Expr::Binary(op, a, b) = p.exprs.get(x) else { continue };
            if p.ty(a) != Ty::Ptr {
                continue;
            }
            let constant = p.exprs.const_bits(a) == Some(0) || p.exprs.const_bits(b) == Some(0);
            let ((l, moved), (r, other)) = (self.origin(p, a), self.origin(p, b));
            let related = l.is_some() && l == r;
            match op {
                BinOp::Lt | BinOp::Le => orders |= !related,
                BinOp::Eq | BinOp::Ne => equals |= !related && !constant && (moved || other),
                _ => {}
            }
        }
        (orders, equals)
    }
}

/// What a pointer expression is built on, and whether it was moved away from there by more than
/// a constant that is not visibly inside.
fn roots(p: &Program, x: ExprId) -> Vec<(ExprId, bool)> {
    match p.exprs.get(x) {
        Expr::Binary(BinOp::PtrAdd, base, offset) => {
            let by = p.exprs.const_bits(offset);
            let moves = |root: ExprId| match (by, p.exprs.get(root)) {
                (Some(k), Expr::Addr(o)) => k as u64 >= p.objects[o].size.max(1),
                (Some(_), _) => false,
                (None, _) => true,
            };
            roots(p, base).into_iter().map(|(root, moved)| (root, moved || moves(root))).collect()
        }
        Expr::Select(_, a, b) => {
            let mut all = roots(p, a);
            all.extend(roots(p, b));
            all
        }
        _ => vec![(x, false)],
    }
}
