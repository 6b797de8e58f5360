//! Where objects lie, in programs that look at addresses as numbers.
//!
//! Such a program says of each object where it lies (`Builtin::Place`). The base
//! of an instance is a variable; all that is known of it is what is said there.
//! A pointer stays the number of its instance above an offset, and becomes an
//! address where it is looked at or stored. An address becomes a pointer again
//! by what it is visibly built on; otherwise it is a pointer of which only the
//! address is known, and an access through it goes to the live object that lies
//! there.

use cairn_base::DataModel;
use cairn_ir::BinOp;
use cairn_term::{Op, Pool, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::address::{Denotes, Instance, Space, start};
use crate::state::Info;

/// Pairs beyond which pointers are compared by their addresses.
const PAIRS: usize = 64;

/// The place of an instance, in terms as wide as addresses.
#[derive(Copy, Clone, Debug)]
pub struct Lot {
    pub base: TermId,
    /// The bytes it takes: at least one.
    pub room: TermId,
    /// So many low bits of the base are zero.
    zeroes: u8,
    size: Option<u64>,
}

#[derive(Default)]
pub struct Lots {
    of: FxHashMap<Instance, Lot>,
    numbers: Vec<Instance>,
    by_base: FxHashMap<TermId, Instance>,
    /// Pointers of which only the address is known, with it.
    addressed: FxHashMap<TermId, TermId>,
    /// Addresses by pointer.
    flat: FxHashMap<TermId, TermId>,
    /// Instances of which the program has said where they lie.
    pub located: FxHashSet<Instance>,
    /// Pairs of instances of which one was surely alive when the other was born.
    pub apart: FxHashSet<(Instance, Instance)>,
}

impl Lots {
    pub fn add(&mut self, pool: &mut Pool, model: DataModel, i: Instance, info: &Info) -> TermId {
        let width = model.ptr_bits();
        let zeroes = info.align.max(1).ilog2().min(20) as u8;
        let sort = pool.bits_sort(width - zeroes);
        let upper = pool.var(&format!("spot {i}"), sort);
        let base = match zeroes {
            0 => upper,
            n => {
                let low = pool.bits(n, 0);
                pool.concat(upper, low)
            }
        };
        let size = pool.resize(width, false, info.size);
        let (zero, one) = (pool.bits(width, 0), pool.bits(width, 1));
        let none = pool.eq(size, zero);
        let room = pool.ite(none, one, size);
        self.of.insert(i, Lot { base, room, zeroes, size: info.constant });
        self.numbers.push(i);
        self.by_base.insert(base, i);
        upper
    }

    pub fn lot(&self, i: Instance) -> Option<Lot> {
        self.of.get(&i).copied()
    }

    /// Is it a constant offset in the instance (`past`: or one behind it)?
    fn within(&self, pool: &Pool, i: Instance, offset: TermId, past: bool) -> bool {
        let Some(at) = pool.as_bits(offset).map(|b| b as u64) else { return false };
        match self.of.get(&i).and_then(|l| l.size) {
            Some(size) if past => at <= size,
            Some(size) => at < size.max(1),
            None => at == 0,
        }
    }

    /// The instance whose base an address is a sum with, or marks in its free bits are; and the rest.
    fn foundation(&self, pool: &mut Pool, t: TermId) -> Option<(Instance, TermId)> {
        let width = pool.width(t);
        let zero = pool.bits(width, 0);
        if let Some(&i) = self.by_base.get(&t) {
            return Some((i, zero));
        }
        let args = pool.args(t).to_vec();
        match (pool.op(t), &args[..]) {
            (Op::BvAdd, _) => {
                let mut base = None;
                let mut rest = zero;
                for a in args {
                    let (more, i) = match self.foundation(pool, a) {
                        Some((i, more)) => (more, Some(i)),
                        None => (a, None),
                    };
                    if base.is_some() && i.is_some() {
                        return None;
                    }
                    base = base.or(i);
                    rest = pool.bv_add(rest, more);
                }
                let base = base?;
                (!self.occurs(pool, rest)).then_some((base, rest))
            }
            (Op::BvOr, &[a, marks]) => {
                let &i = self.by_base.get(&a)?;
                let bits = pool.as_bits(marks)?;
                (bits >> self.of[&i].zeroes == 0).then_some((i, marks))
            }
            (Op::Concat, &[upper, low]) => {
                let bits = pool.as_bits(low)?;
                let none = pool.bits(pool.width(low), 0);
                let base = pool.concat(upper, none);
                let &i = self.by_base.get(&base)?;
                Some((i, pool.bits(width, bits)))
            }
            _ => None,
        }
    }

    /// Is some base part of the term?
    fn occurs(&self, pool: &Pool, t: TermId) -> bool {
        let mut work = vec![t];
        let mut seen = FxHashSet::default();
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
}

impl Space {
    /// Is only the address of the pointer known, at least under some condition?
    pub fn is_addressed(&self, pool: &Pool, p: TermId) -> bool {
        let inner = self.inner.borrow();
        if inner.lots.addressed.is_empty() {
            return false;
        }
        let mut work = vec![p];
        let mut seen = FxHashSet::default();
        while let Some(t) = work.pop() {
            if inner.lots.addressed.contains_key(&t) {
                return true;
            }
            if seen.insert(t) && matches!(pool.op(t), Op::Ite | Op::BvAdd) {
                work.extend(pool.args(t));
            }
        }
        false
    }

    /// The address of a pointer.
    pub(crate) fn address_of(&self, pool: &mut Pool, p: TermId) -> TermId {
        let known = {
            let inner = self.inner.borrow();
            inner.lots.flat.get(&p).or_else(|| inner.lots.addressed.get(&p)).copied()
        };
        if let Some(flat) = known {
            return flat;
        }
        let flat = self.work_out(pool, p);
        let mut inner = self.inner.borrow_mut();
        inner.lots.flat.insert(p, flat);
        inner.origin.entry(flat).or_insert(p);
        flat
    }

    fn work_out(&self, pool: &mut Pool, p: TermId) -> TermId {
        let width = self.model.ptr_bits();
        match pool.op(p) {
            Op::Ite => {
                let (c, a, b) = (pool.arg(p, 0), pool.arg(p, 1), pool.arg(p, 2));
                let (a, b) = (self.address_of(pool, a), self.address_of(pool, b));
                return pool.ite(c, a, b);
            }
            Op::BvAdd if self.is_addressed(pool, p) => {
                let (from, others): (Vec<TermId>, Vec<TermId>) =
                    pool.args(p).to_vec().into_iter().partition(|&a| self.is_addressed(pool, a));
                if let [base] = from[..] {
                    let mut sum = self.address_of(pool, base);
                    for o in others {
                        let o = pool.resize(width, false, o);
                        sum = pool.bv_add(sum, o);
                    }
                    return sum;
                }
            }
            _ => {}
        }
        let raw = pool.resize(width, false, p);
        let mut flat: Option<TermId> = None;
        for (when, (what, offset)) in self.placed(pool, p) {
            let here = match what {
                Denotes::Nothing => raw,
                Denotes::Object(i) => self.address_in(pool, i, offset),
                Denotes::Anything => self.by_number(pool, p),
            };
            flat = Some(match flat {
                None => here,
                Some(other) => pool.ite(when, here, other),
            });
        }
        flat.unwrap_or(raw)
    }

    fn address_in(&self, pool: &mut Pool, i: Instance, offset: TermId) -> TermId {
        let offset = pool.resize(self.model.ptr_bits(), false, offset);
        match self.inner.borrow().lots.lot(i) {
            Some(lot) => pool.bv_add(lot.base, offset),
            None => offset,
        }
    }

    /// The address of a pointer that may be any. That of an unknown object is any, too.
    fn by_number(&self, pool: &mut Pool, p: TermId) -> TermId {
        let width = self.model.ptr_bits();
        let sort = pool.bits_sort(width);
        let mut flat = pool.fresh("address", sort);
        let number = pool.extract(63, 32, p);
        let none = pool.bits(32, 0);
        let plain = pool.eq(number, none);
        let raw = pool.resize(width, false, p);
        flat = pool.ite(plain, raw, flat);
        let all = self.inner.borrow().lots.numbers.clone();
        for i in all {
            let id = pool.bits(32, i.into());
            let hit = pool.eq(number, id);
            let first = start(pool, i);
            let offset = pool.bv_sub(p, first);
            let there = self.address_in(pool, i, offset);
            flat = pool.ite(hit, there, flat);
        }
        flat
    }

    /// The pointer that an address is that of.
    pub(crate) fn pointer_at(&self, pool: &mut Pool, flat: TermId) -> TermId {
        if let Some(&p) = self.inner.borrow().origin.get(&flat) {
            return p;
        }
        if let Some(bits) = pool.as_bits(flat) {
            let top = bits == u128::MAX >> (128 - u32::from(self.model.ptr_bits()));
            // Other numbers would look like pointers.
            if bits >> 31 == 0 || top {
                return pool.resize(64, true, flat);
            }
        }
        let found = self.inner.borrow().lots.foundation(pool, flat);
        if let Some((i, rest)) = found {
            let first = start(pool, i);
            let rest = pool.resize(64, true, rest);
            return pool.bv_add(first, rest);
        }
        if pool.op(flat) == Op::Ite {
            let (c, a, b) = (pool.arg(flat, 0), pool.arg(flat, 1), pool.arg(flat, 2));
            let (a, b) = (self.pointer_at(pool, a), self.pointer_at(pool, b));
            return pool.ite(c, a, b);
        }
        let sort = pool.bits_sort(64);
        let p = pool.fresh("pointer", sort);
        let mut inner = self.inner.borrow_mut();
        inner.lots.addressed.insert(p, flat);
        inner.origin.insert(flat, p);
        p
    }

    /// Two pointers compared, or their difference: by offsets within one object, by addresses else.
    pub(crate) fn compare_placed(&self, pool: &mut Pool, op: BinOp, a: TermId, b: TermId) -> TermId {
        if op == BinOp::Eq && a == b {
            return Pool::TRUE;
        }
        let (left, right) = (self.placed(pool, a), self.placed(pool, b));
        let open = |side: &[(TermId, (Denotes, TermId))]| side.iter().any(|x| x.1.0 == Denotes::Anything);
        let (x, y) = (self.address_of(pool, a), self.address_of(pool, b));
        let by_address = relation(pool, op, x, y);
        if open(&left) || open(&right) || left.len() * right.len() > PAIRS {
            return by_address;
        }
        let width = self.model.ptr_bits();
        let mut result = by_address;
        for &(c, (l, x)) in &left {
            for &(d, (r, y)) in &right {
                let when = pool.and(&[c, d]);
                if pool.as_bool(when) == Some(false) {
                    continue;
                }
                let null = |t: TermId, pool: &Pool| pool.as_bits(t) == Some(0);
                let inner = self.inner.borrow();
                let lots = &inner.lots;
                let here = match (l, r) {
                    (Denotes::Object(i), Denotes::Object(j)) if i == j => {
                        let (x, y) = (pool.resize(width, false, x), pool.resize(width, false, y));
                        relation(pool, op, x, y)
                    }
                    (Denotes::Object(i), Denotes::Object(j))
                        if op == BinOp::Eq
                            && lots.apart.contains(&(i.min(j), i.max(j)))
                            && lots.within(pool, i, x, false)
                            && lots.within(pool, j, y, false) =>
                    {
                        Pool::FALSE
                    }
                    (Denotes::Object(i), Denotes::Nothing)
                        if op == BinOp::Eq && null(b, pool) && lots.within(pool, i, x, true) =>
                    {
                        Pool::FALSE
                    }
                    (Denotes::Nothing, Denotes::Object(j))
                        if op == BinOp::Eq && null(a, pool) && lots.within(pool, j, y, true) =>
                    {
                        Pool::FALSE
                    }
                    _ => continue,
                };
                drop(inner);
                result = pool.ite(when, here, result);
            }
        }
        result
    }
}

fn relation(pool: &mut Pool, op: BinOp, x: TermId, y: TermId) -> TermId {
    match op {
        BinOp::Eq => pool.eq(x, y),
        BinOp::Lt => pool.bv_ult(x, y),
        BinOp::Le => pool.bv_ule(x, y),
        _ => pool.bv_sub(x, y),
    }
}
