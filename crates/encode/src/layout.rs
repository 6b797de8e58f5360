//! Where instances lie, in programs that look at addresses as numbers.
//!
//! The base of an instance is a variable, of which no more is known than what
//! `Builtin::Place` says: it is aligned as its type asks, the object does not
//! wrap around the end of the address space, and it is disjoint from whatever is
//! alive when it is born. Pointers keep their register form, so that accesses
//! are as easy as ever; what becomes more difficult is to look.
//!
//! A number is made a pointer by the way it came: the base it is built on, with
//! what was added and with the low bits that alignment leaves free. Only a number
//! that does not show that is compared with where the objects lie.

use cairn_base::DataModel;
use cairn_ir::BinOp;
use cairn_term::{Op, Pool, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::pointer::{Instance, PointerTarget, candidates, relate};
use crate::state::Info;

/// Pairs of candidates beyond which two pointers are compared by their addresses.
const PAIRS: usize = 64;

/// Low bits of a base that may be known.
const LOW: u8 = 24;

/// The place of one instance. All terms have the width of addresses.
#[derive(Copy, Clone, Debug)]
pub struct Spot {
    pub base: TermId,
    /// Its size, but at least 1: no two things have one address.
    pub room: TermId,
    /// The low bits of the base that are zero.
    pub low: u8,
    size: Option<u64>,
}

#[derive(Default)]
pub struct Layout {
    spots: FxHashMap<Instance, Spot>,
    /// In the order in which they were made.
    order: Vec<Instance>,
    /// Instances by their bases.
    by_base: FxHashMap<TermId, Instance>,
    /// Pairs of which one was surely alive when the other was born, or not; the smaller number first.
    /// (Executions that are followed one by one give one instance several births.)
    apart: FxHashMap<(Instance, Instance), bool>,
}

impl Layout {
    pub fn add(&mut self, pool: &mut Pool, model: DataModel, i: Instance, info: &Info) {
        let width = model.ptr_bits();
        let low = (info.align.max(1).ilog2() as u8).min(LOW);
        let sort = pool.bits_sort(width - low);
        let mut base = pool.var(&format!("base {}", i.0), sort);
        if low > 0 {
            let zeroes = pool.bits(low, 0);
            base = pool.concat(base, zeroes);
        }
        let size = pool.resize(width, false, info.size);
        let (zero, one) = (pool.bits(width, 0), pool.bits(width, 1));
        let empty = pool.eq(size, zero);
        let room = pool.ite(empty, one, size);
        self.by_base.insert(base, i);
        self.order.push(i);
        self.spots.insert(i, Spot { base, room, low, size: info.constant_size });
    }

    pub fn spot(&self, i: Instance) -> Option<Spot> {
        self.spots.get(&i).copied()
    }

    pub fn set_apart(&mut self, i: Instance, j: Instance, surely: bool) {
        *self.apart.entry((i.min(j), i.max(j))).or_insert(true) &= surely;
    }

    /// The address of a pointer.
    pub fn flat(&self, pool: &mut Pool, model: DataModel, p: TermId) -> TermId {
        let width = model.ptr_bits();
        let mut flat = pool.resize(width, false, p);
        let mut found = candidates(pool, p);
        if found.iter().any(|c| matches!(c.target, PointerTarget::Unknown)) {
            let number = pool.extract(63, 32, p);
            found.clear();
            for &i in &self.order {
                let id = pool.bits(32, i.0.into());
                let when = pool.eq(number, id);
                let start = i.address(pool);
                let offset = pool.bv_sub(p, start);
                found.push(crate::pointer::Candidate { when, target: PointerTarget::At(i, offset) });
            }
        }
        for c in found {
            if let PointerTarget::At(i, offset) = c.target {
                let here = self.at(pool, width, i, offset);
                flat = pool.ite(c.when, here, flat);
            }
        }
        flat
    }

    fn at(&self, pool: &mut Pool, width: u8, i: Instance, offset: TermId) -> TermId {
        let offset = pool.resize(width, false, offset);
        match self.spots.get(&i) {
            Some(s) => pool.bv_add(s.base, offset),
            None => offset,
        }
    }

    /// The pointer that an address stands for. `origin` knows addresses that were made from pointers.
    pub fn pointer(&self, pool: &mut Pool, flat: TermId, origin: &FxHashMap<TermId, TermId>) -> TermId {
        if let Some(&p) = origin.get(&flat) {
            return p;
        }
        if let Some(bits) = pool.as_bits(flat) {
            // What looks like an instance, or a little below one, is none.
            let raw = pool.resize(64, true, flat);
            let clash = (1 << 31..1 << 60).contains(&pool.as_bits(raw).unwrap_or(0));
            return if clash { pool.bits(64, bits | 1 << 63) } else { raw };
        }
        let raw = pool.resize(64, false, flat);
        if let Some((i, offset)) = self.built_on(pool, flat) {
            let start = i.address(pool);
            let offset = pool.resize(64, true, offset);
            return pool.bv_add(start, offset);
        }
        if pool.op(flat) == Op::Ite {
            let (c, a, b) = (pool.arg(flat, 0), pool.arg(flat, 1), pool.arg(flat, 2));
            let (a, b) = (self.pointer(pool, a, origin), self.pointer(pool, b, origin));
            return pool.ite(c, a, b);
        }
        // What was born later may lie where others were before.
        let mut p = raw;
        for past in [true, false] {
            for i in &self.order {
                let s = self.spots[i];
                let offset = pool.bv_sub(flat, s.base);
                let here = if past { pool.eq(offset, s.room) } else { pool.bv_ult(offset, s.room) };
                let start = i.address(pool);
                let offset = pool.resize(64, false, offset);
                let there = pool.bv_add(start, offset);
                p = pool.ite(here, there, p);
            }
        }
        p
    }

    /// The instance whose base an address is visibly built on, and what was added.
    fn built_on(&self, pool: &mut Pool, flat: TermId) -> Option<(Instance, TermId)> {
        let width = pool.width(flat);
        if let Some(&i) = self.by_base.get(&flat) {
            return Some((i, pool.bits(width, 0)));
        }
        let args = pool.args(flat).to_vec();
        match pool.op(flat) {
            Op::BvAdd => {
                let mut found = None;
                let mut rest = pool.bits(width, 0);
                for a in args {
                    match self.built_on(pool, a) {
                        Some(_) if found.is_some() => return None,
                        Some((i, more)) => {
                            found = Some(i);
                            rest = pool.bv_add(rest, more);
                        }
                        None => rest = pool.bv_add(rest, a),
                    }
                }
                // A sum that has the negation of another address in it is no offset.
                let clean = !self.mentions_base(pool, rest);
                found.filter(|_| clean).map(|i| (i, rest))
            }
            // Marks in the bits that alignment leaves free.
            Op::BvOr => {
                let &[a, c] = &args[..] else { return None };
                let &i = self.by_base.get(&a)?;
                let bits = pool.as_bits(c)?;
                (bits >> self.spots[&i].low == 0).then_some((i, c))
            }
            Op::Concat => {
                let &[_, low] = &args[..] else { return None };
                let bits = pool.as_bits(low)?;
                let zeroes = pool.bits(pool.width(low), 0);
                let base = pool.concat(args[0], zeroes);
                let &i = self.by_base.get(&base)?;
                Some((i, pool.bits(width, bits)))
            }
            _ => None,
        }
    }

    fn mentions_base(&self, pool: &Pool, t: TermId) -> bool {
        let mut seen = FxHashSet::default();
        let mut work = vec![t];
        while let Some(t) = work.pop() {
            if self.by_base.contains_key(&t) {
                return true;
            }
            if seen.insert(t) {
                work.extend(pool.args(t));
            }
        }
        false
    }

    /// Two pointers compared, or their difference. Within one object offsets say it.
    pub fn compare(&self, pool: &mut Pool, model: DataModel, op: BinOp, a: TermId, b: TermId) -> TermId {
        let width = model.ptr_bits();
        let (left, right) = (candidates(pool, a), candidates(pool, b));
        let unknown = left.iter().chain(&right).any(|c| matches!(c.target, PointerTarget::Unknown));
        if unknown && op == BinOp::Eq && a == b {
            return Pool::TRUE;
        }
        if unknown || left.len() * right.len() > PAIRS {
            let (x, y) = (self.flat(pool, model, a), self.flat(pool, model, b));
            return relate(pool, op, x, y);
        }
        let mut result: Option<TermId> = None;
        for l in &left {
            for r in &right {
                let when = pool.and(&[l.when, r.when]);
                if pool.as_bool(when) == Some(false) {
                    continue;
                }
                let here = match (&l.target, &r.target) {
                    (&PointerTarget::At(i, x), &PointerTarget::At(j, y)) if i == j => {
                        let (x, y) = (pool.resize(width, false, x), pool.resize(width, false, y));
                        relate(pool, op, x, y)
                    }
                    (&PointerTarget::At(i, x), &PointerTarget::At(j, y)) => {
                        let known = self.apart.get(&(i.min(j), i.max(j))) == Some(&true)
                            && self.inside(pool, i, x, 0)
                            && self.inside(pool, j, y, 0);
                        if known && op == BinOp::Eq {
                            Pool::FALSE
                        } else {
                            let (x, y) = (self.at(pool, width, i, x), self.at(pool, width, j, y));
                            relate(pool, op, x, y)
                        }
                    }
                    (&PointerTarget::At(i, x), _) => {
                        let null = pool.as_bits(b) == Some(0) && self.inside(pool, i, x, 1);
                        let x = self.at(pool, width, i, x);
                        let y = pool.resize(width, false, b);
                        if null && op == BinOp::Eq { Pool::FALSE } else { relate(pool, op, x, y) }
                    }
                    (_, &PointerTarget::At(j, y)) => {
                        let null = pool.as_bits(a) == Some(0) && self.inside(pool, j, y, 1);
                        let x = pool.resize(width, false, a);
                        let y = self.at(pool, width, j, y);
                        if null && op == BinOp::Eq { Pool::FALSE } else { relate(pool, op, x, y) }
                    }
                    _ => {
                        let (x, y) = (pool.resize(width, false, a), pool.resize(width, false, b));
                        relate(pool, op, x, y)
                    }
                };
                result = Some(match result {
                    None => here,
                    Some(other) => pool.ite(when, here, other),
                });
            }
        }
        result.unwrap_or_else(|| {
            let (x, y) = (pool.resize(width, false, a), pool.resize(width, false, b));
            relate(pool, op, x, y)
        })
    }

    /// Does a constant offset lie in the instance, or (`past`) at most there behind it?
    fn inside(&self, pool: &Pool, i: Instance, offset: TermId, past: u64) -> bool {
        let size = self.spots.get(&i).and_then(|s| s.size);
        match (pool.as_bits(offset), size) {
            (Some(at), Some(size)) => (at as u64) < size.max(1 - past) + past,
            // The start of anything is in it.
            (Some(0), None) => true,
            _ => false,
        }
    }
}
