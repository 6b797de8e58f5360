//! Pointers: the number of an object instance above a 32-bit offset, as in the
//! executor. In LP64 that word is the address; in ILP32 each instance has a
//! territory of the 32-bit address space, and integers and bytes hold addresses
//! in it. Programs that look at addresses say where their objects lie, see
//! `layout`.
//!
//! What a pointer denotes is read off its term as far as that is safe: a choice
//! between addresses, each with an offset added. Whatever else it is, the
//! pointer may denote any object, and its number decides.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::hash::Hash;

use cairn_base::DataModel;
use cairn_encode::expr::Addresses;
use cairn_ir::BinOp;
use cairn_term::{Op, Pool, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::layout::Lots;
use crate::looks::Looks;
use crate::state::Info;

/// An object instance: one life of a local, one allocation, one static, a function, a label.
pub type Instance = u32;

/// Instances have numbers below this.
const INSTANCES: u32 = 1 << 28;

/// Leaves of a pointer's term beyond which it is not taken apart.
const LEAVES: usize = 4096;

/// Offsets in one object beyond which they are not told apart.
const OFFSETS: usize = 40;

/// The start of an instance as a pointer.
pub fn start(pool: &mut Pool, i: Instance) -> TermId {
    pool.bits(64, u128::from(i) << 32)
}

/// What a pointer points to under some condition.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Denotes {
    /// This instance, within bounds or not.
    Object(Instance),
    /// No object: null, or a small number.
    Nothing,
    /// Whatever its number says.
    Anything,
}

pub struct Space {
    pub(crate) model: DataModel,
    /// The program turns pointers into numbers, so that any number may be an address.
    pub(crate) mixes: bool,
    /// The program says where its objects lie.
    pub(crate) located: bool,
    pub(crate) inner: RefCell<Inner>,
    pub(crate) looks: RefCell<Looks>,
}

#[derive(Default)]
pub(crate) struct Inner {
    pub(crate) lots: Lots,
    /// Territories of the instances, in ascending order.
    territories: Vec<(u32, u32, Instance)>,
    of: FxHashMap<Instance, u32>,
    /// Pointers by the flat terms made from them.
    pub(crate) origin: FxHashMap<TermId, TermId>,
    /// Variables that were made for numbers, not for pointers or bytes.
    numbers: FxHashSet<TermId>,
    /// There are instances of unknown size, which may be larger than their territories.
    open_ended: bool,
    /// An address was resolved by territories while there were such instances.
    blurred: bool,
}

/// The size of the territory of an instance of unknown size.
pub const ROOM: u64 = 1 << 24;

impl Space {
    pub fn new(model: DataModel, mixes: bool) -> Space {
        let (inner, looks) = (RefCell::default(), RefCell::default());
        Space { model, mixes, located: false, inner, looks }
    }

    /// For a program that says where its objects lie. Numbers are never pointers there.
    pub fn located(model: DataModel) -> Space {
        Space { located: true, ..Space::new(model, false) }
    }

    /// A variable that is a number of the program.
    pub fn note_number(&self, t: TermId) {
        if self.mixes {
            return;
        }
        self.inner.borrow_mut().numbers.insert(t);
    }

    /// Gives a new instance its territory. `false` if there is no room.
    pub fn place(&self, pool: &mut Pool, i: Instance, info: &Info) -> bool {
        let size = info.constant;
        if self.located {
            let mut inner = self.inner.borrow_mut();
            let upper = inner.lots.add(pool, self.model, i, info);
            inner.numbers.insert(upper);
            return i < INSTANCES;
        }
        if self.model == DataModel::Lp64 {
            return i < INSTANCES;
        }
        let mut inner = self.inner.borrow_mut();
        let base = inner.territories.last().map_or(0x1_0000, |t| t.1);
        inner.open_ended |= size.is_none();
        let room = size.unwrap_or(ROOM).saturating_add(0x2000) & !0xfff;
        let end = u64::from(base) + room;
        if end >= 0xffff_0000 || i >= INSTANCES {
            return false;
        }
        inner.territories.push((base, end as u32, i));
        inner.of.insert(i, base);
        true
    }

    /// Is it necessary that instances of unknown size fit their territories?
    pub fn needs_room(&self) -> bool {
        self.inner.borrow().blurred
    }

    /// The object and the offset in it of a pointer that is constant. Offsets below the start are none.
    pub fn constant(pool: &Pool, p: TermId) -> Option<(Instance, u64)> {
        let bits = pool.as_bits(p)? as u64;
        match of_constant(bits) {
            Denotes::Object(i) if i == (bits >> 32) as u32 => Some((i, bits & 0xffff_ffff)),
            _ => None,
        }
    }

    /// What a pointer denotes; the conditions exclude each other and cover everything.
    pub fn denoted(&self, pool: &mut Pool, p: TermId) -> Vec<(TermId, Denotes)> {
        let found = self.collect(pool, p);
        gather(pool, found.into_iter().map(|(when, what, _)| (when, what)).collect())
    }

    /// As [`Space::denoted`], with the offsets of objects. An object occurs once for each constant
    /// offset; with many of them, once with all.
    pub fn placed(&self, pool: &mut Pool, p: TermId) -> Vec<(TermId, (Denotes, TermId))> {
        let found = self.collect(pool, p);
        // How many leaves there are of each, and how many of them are at constant offsets.
        let mut offsets: FxHashMap<Denotes, (usize, usize)> = FxHashMap::default();
        for &(_, what, offset) in &found {
            let (all, constant) = offsets.entry(what).or_default();
            *all += 1;
            *constant += usize::from(pool.as_bits(offset).is_some());
        }
        let apart = |what: Denotes| {
            let (all, constant) = offsets[&what];
            all == 1 || (all == constant && all <= OFFSETS)
        };
        let mut all = Vec::with_capacity(found.len());
        for (when, what, offset) in found {
            let offset = match what {
                Denotes::Object(i) if !apart(what) => {
                    let first = start(pool, i);
                    pool.bv_sub(p, first)
                }
                Denotes::Object(_) => offset,
                // There is none.
                Denotes::Nothing | Denotes::Anything => p,
            };
            all.push((when, (what, offset)));
        }
        gather(pool, all)
    }

    /// The leaves of a pointer's term with their conditions, and the offset from the start of what
    /// they denote. Larger terms come first, so that all ways to a smaller one are known when it is
    /// looked at.
    fn collect(&self, pool: &mut Pool, p: TermId) -> Vec<(TermId, Denotes, TermId)> {
        let zero = pool.bits(64, 0);
        let mut out = Vec::new();
        let mut ways = BTreeMap::from([((p, zero), vec![Pool::TRUE])]);
        while let Some(((t, plus), conditions)) = ways.pop_last() {
            let when = pool.or(&conditions);
            if pool.as_bool(when) == Some(false) {
                continue;
            }
            let what = match pool.op(t) {
                Op::Word(..) => of_constant(pool.as_bits(t).unwrap_or(0) as u64),
                // In ILP32 that is the address of an object whose place is not known yet.
                Op::ZeroExt(n) if n >= 32 && (self.located || self.model == DataModel::Lp64) => {
                    Denotes::Nothing
                }
                Op::Ite if out.len() + ways.len() < LEAVES => {
                    let (c, a, b) = (pool.arg(t, 0), pool.arg(t, 1), pool.arg(t, 2));
                    let not = pool.not(c);
                    let (left, right) = (pool.and(&[when, c]), pool.and(&[when, not]));
                    ways.entry((a, plus)).or_default().push(left);
                    ways.entry((b, plus)).or_default().push(right);
                    continue;
                }
                Op::BvAdd => {
                    let args = pool.args(t).to_vec();
                    let (bases, others): (Vec<TermId>, Vec<TermId>) =
                        args.into_iter().partition(|&a| self.is_address(pool, a, 0));
                    match bases[..] {
                        [base] => {
                            let plus = others.into_iter().fold(plus, |sum, o| pool.bv_add(sum, o));
                            for (holds, plus) in alternatives(pool, plus) {
                                let when = pool.and(&[when, holds]);
                                ways.entry((base, plus)).or_default().push(when);
                            }
                            continue;
                        }
                        _ => Denotes::Anything,
                    }
                }
                _ => Denotes::Anything,
            };
            let offset = match what {
                Denotes::Object(i) => {
                    let first = start(pool, i);
                    let inside = pool.bv_sub(t, first);
                    pool.bv_add(inside, plus)
                }
                Denotes::Nothing | Denotes::Anything => zero,
            };
            out.push((when, what, offset));
        }
        out
    }

    /// May the value of this summand be an address (or the negation of one)?
    fn is_address(&self, pool: &Pool, t: TermId, depth: u32) -> bool {
        if depth > 200 {
            return true;
        }
        let any = |from: usize| pool.args(t)[from..].iter().any(|&a| self.is_address(pool, a, depth + 1));
        match pool.op(t) {
            Op::Word(..) => {
                let v = pool.as_bits(t).unwrap_or(0) as u64 as i64;
                !(-(1 << 31)..1 << 31).contains(&v)
            }
            Op::Var(_) => !self.inner.borrow().numbers.contains(&t),
            Op::Ite => any(1),
            Op::BvAdd | Op::BvNeg => any(0),
            Op::BvMul => {
                let minus = pool.args(t).iter().any(|&a| pool.as_bits(a) == Some(u64::MAX.into()));
                minus
                    && pool
                        .args(t)
                        .iter()
                        .any(|&a| pool.as_bits(a).is_none() && self.is_address(pool, a, depth + 1))
            }
            Op::Concat => pool.as_bits(pool.arg(t, 1)).is_none(),
            Op::Select => true,
            _ => false,
        }
    }
}

/// An offset that is built on a choice between two constants, as each of the two.
fn alternatives(pool: &mut Pool, offset: TermId) -> Vec<(TermId, TermId)> {
    let mut at = offset;
    while pool.op(at) != Op::Ite {
        let open: Vec<TermId> = pool.args(at).iter().copied().filter(|&a| !pool.is_constant(a)).collect();
        let linear = matches!(
            pool.op(at),
            Op::SignExt(_)
                | Op::ZeroExt(_)
                | Op::Extract(..)
                | Op::BvNeg
                | Op::Concat
                | Op::BvAdd
                | Op::BvMul
        );
        match open[..] {
            [one] if linear => at = one,
            _ => return vec![(Pool::TRUE, offset)],
        }
    }
    let (c, a, b) = (pool.arg(at, 0), pool.arg(at, 1), pool.arg(at, 2));
    if !pool.is_constant(a) || !pool.is_constant(b) {
        return vec![(Pool::TRUE, offset)];
    }
    let not = pool.not(c);
    [(c, a), (not, b)]
        .map(|(holds, value)| (holds, pool.substitute(offset, &FxHashMap::from_iter([(at, value)]))))
        .to_vec()
}

/// One entry for each thing, with the disjunction of its conditions.
fn gather<T: Copy + Eq + Hash>(pool: &mut Pool, found: Vec<(TermId, T)>) -> Vec<(TermId, T)> {
    let mut merged: Vec<(T, Vec<TermId>)> = Vec::new();
    let mut index: FxHashMap<T, usize> = FxHashMap::default();
    for (when, what) in found {
        let at = *index.entry(what).or_insert_with(|| {
            merged.push((what, Vec::new()));
            merged.len() - 1
        });
        merged[at].1.push(when);
    }
    let mut out = Vec::with_capacity(merged.len());
    for (what, conditions) in merged {
        let when = pool.or(&conditions);
        if pool.as_bool(when) != Some(false) {
            out.push((when, what));
        }
    }
    out
}

/// What a constant denotes. A little below the start of an object is that object's.
fn of_constant(bits: u64) -> Denotes {
    let (number, offset) = ((bits >> 32) as u32, bits as u32);
    let number = match offset {
        0..0x8000_0000 => number,
        0xfff0_0000.. => number.wrapping_add(1),
        _ => return Denotes::Anything,
    };
    match number {
        0 => Denotes::Nothing,
        n if n < INSTANCES => Denotes::Object(n),
        _ => Denotes::Anything,
    }
}

impl Addresses for Space {
    fn flat(&self, pool: &mut Pool, p: TermId) -> TermId {
        if self.located {
            return self.address_of(pool, p);
        }
        if self.model == DataModel::Lp64 {
            return p;
        }
        let low = pool.extract(31, 0, p);
        let mut flat = low;
        for (when, what) in self.denoted(pool, p) {
            let here = match what {
                Denotes::Nothing => low,
                Denotes::Object(i) => {
                    let base = self.inner.borrow().of.get(&i).copied().unwrap_or(0);
                    let base = pool.bits(32, base.into());
                    pool.bv_add(base, low)
                }
                Denotes::Anything => {
                    let number = pool.extract(63, 32, p);
                    let all: Vec<_> = self.inner.borrow().territories.clone();
                    let mut any = low;
                    for (base, _, i) in all {
                        let (base, i) = (pool.bits(32, base.into()), pool.bits(32, i.into()));
                        let hit = pool.eq(number, i);
                        let there = pool.bv_add(base, low);
                        any = pool.ite(hit, there, any);
                    }
                    any
                }
            };
            flat = pool.ite(when, here, flat);
        }
        self.inner.borrow_mut().origin.insert(flat, p);
        flat
    }

    fn compare(&self, pool: &mut Pool, op: BinOp, a: TermId, b: TermId) -> TermId {
        if self.located {
            return self.compare_placed(pool, op, a, b);
        }
        if op == BinOp::Eq {
            return pool.eq(a, b);
        }
        let (x, y) = (self.flat(pool, a), self.flat(pool, b));
        match op {
            BinOp::PtrSub => pool.bv_sub(x, y),
            BinOp::Lt => pool.bv_ult(x, y),
            _ => pool.bv_ule(x, y),
        }
    }

    fn pointer(&self, pool: &mut Pool, flat: TermId) -> TermId {
        if self.located {
            return self.pointer_at(pool, flat);
        }
        if self.model == DataModel::Lp64 {
            return flat;
        }
        if let Some(&p) = self.inner.borrow().origin.get(&flat) {
            return p;
        }
        if pool.op(flat) == Op::Ite {
            let (c, a, b) = (pool.arg(flat, 0), pool.arg(flat, 1), pool.arg(flat, 2));
            let (a, b) = (self.pointer(pool, a), self.pointer(pool, b));
            return pool.ite(c, a, b);
        }
        let mut p = pool.zero_ext(32, flat);
        let constant = pool.as_bits(flat).map(|b| b as u32);
        let all: Vec<_> = self.inner.borrow().territories.clone();
        let mut inner = self.inner.borrow_mut();
        inner.blurred |= inner.open_ended && constant.is_none_or(|c| c >= 0x1_0000);
        drop(inner);
        for (base, end, i) in all {
            if constant.is_some_and(|c| !(base..end).contains(&c)) {
                continue;
            }
            let (low, high) = (pool.bits(32, base.into()), pool.bits(32, end.into()));
            let (from, to) = (pool.bv_ule(low, flat), pool.bv_ult(flat, high));
            let inside = pool.and(&[from, to]);
            let offset = pool.bv_sub(flat, low);
            let offset = pool.zero_ext(32, offset);
            let first = start(pool, i);
            let there = pool.bv_add(first, offset);
            p = pool.ite(inside, there, p);
        }
        p
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_addresses_are_not_taken_apart() {
        let space = Space::new(DataModel::Lp64, false);
        let mut pool = Pool::new();
        let sort = pool.bits_sort(64);
        let (p, i) = (pool.var("p", sort), pool.var("i", sort));
        space.note_number(i);
        let (a, b) = (start(&mut pool, 5), start(&mut pool, 3));
        let indexed = pool.bv_add(a, i);
        assert_eq!(space.denoted(&mut pool, indexed), [(Pool::TRUE, Denotes::Object(5))]);
        let mixed = Space::new(DataModel::Lp64, true);
        mixed.note_number(i);
        assert_eq!(mixed.denoted(&mut pool, indexed), [(Pool::TRUE, Denotes::Anything)]);
        // b + (p - a), where p may well point into a.
        let distance = pool.bv_sub(p, a);
        let moved = pool.bv_add(b, distance);
        assert_eq!(space.denoted(&mut pool, moved), [(Pool::TRUE, Denotes::Anything)]);
        assert_eq!(space.denoted(&mut pool, p), [(Pool::TRUE, Denotes::Anything)]);
        let c = pool.var("c", cairn_term::SortId::BOOL);
        let four = pool.bits(64, 4);
        let q = pool.bv_add(a, four);
        let either = pool.ite(c, a, q);
        let distance = pool.bv_sub(either, a);
        let moved = pool.bv_add(b, distance);
        let found = space.denoted(&mut pool, moved);
        assert!(found.iter().all(|(_, d)| *d != Denotes::Object(5)), "{found:?}");
    }

    #[test]
    fn flat_addresses_come_back() {
        let space = Space::new(DataModel::Ilp32, false);
        let mut pool = Pool::new();
        let place = |pool: &mut Pool, i, size: u64| {
            let term = pool.bits(64, size.into());
            let info = Info { constant: Some(size), ..Info::plain(term) };
            space.place(pool, i, &info)
        };
        assert!(place(&mut pool, 1, 8) && place(&mut pool, 2, 100_000));
        for i in [1, 2] {
            let s = start(&mut pool, i);
            let four = pool.bits(64, 4);
            let p = pool.bv_add(s, four);
            let flat = space.flat(&mut pool, p);
            let bits = pool.as_bits(flat).unwrap();
            let again = pool.bits(32, bits);
            assert_eq!(space.pointer(&mut pool, again), p);
        }
        let null = pool.bits(32, 0);
        assert_eq!(space.pointer(&mut pool, null), pool.bits(64, 0));
        assert!(!place(&mut pool, 3, 0xffff_0000));
    }
}
