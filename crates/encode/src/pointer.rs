//! Pointers as terms. In its register form a pointer is 64 bits: the number of an
//! object instance above a 32-bit offset, as in the executor. In LP64 that is
//! the address; in ILP32 each instance has a 32-bit base, and integers and
//! bytes hold base plus offset. In a program that looks at addresses as numbers
//! bases are variables in both models, see `layout`.

use std::cell::RefCell;
use std::collections::BTreeMap;

use cairn_base::DataModel;
use cairn_ir::{BinOp, ObjId};
use cairn_term::{Op, Pool, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::layout::{Layout, Spot};
use crate::state::Info;

/// An instance of an object: one life of a local, one allocation, one static.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Instance(pub u32);

impl Instance {
    pub fn address(self, pool: &mut Pool) -> TermId {
        pool.bits(64, u128::from(self.0) << 32)
    }

    /// The place in its function's frame of what `alloca` gives: no object of the program, but its life
    /// ends like theirs.
    pub fn scoped(self) -> ObjId {
        ObjId::from_u32(u32::MAX - 1 - self.0)
    }

    /// Is that a place of what `alloca` gives?
    pub fn is_scoped(o: ObjId) -> bool {
        o.as_u32() > u32::MAX / 2
    }
}

/// One thing a pointer may point to.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub when: TermId,
    pub target: PointerTarget,
}

/// Where a pointer points to under the condition of a candidate.
#[derive(Clone, Debug)]
pub enum PointerTarget {
    /// An instance, and the 64-bit distance from its start.
    At(Instance, TermId),
    /// No object: null, or a number.
    Nothing,
    /// The term does not tell.
    Unknown,
}

/// More candidates than this for one pointer are not told apart.
const MANY: usize = 4096;

/// More offsets than this in one object are not.
const PLACES: u32 = 40;

/// Flat addresses of the instances, and how pointers became integers.
pub struct Pointers {
    model: DataModel,
    /// The program says where its objects lie (`Builtin::Place`): bases are variables.
    placed: bool,
    bases: RefCell<Bases>,
}

#[derive(Default)]
struct Bases {
    /// The base of each instance (ILP32).
    of: FxHashMap<Instance, u32>,
    next: u32,
    /// The pointer each flat term was made from, to find the way back.
    origin: FxHashMap<TermId, TermId>,
    layout: Layout,
}

impl Pointers {
    pub fn new(model: DataModel, placed: bool) -> Pointers {
        let bases = Bases { next: 0x1_0000, ..Bases::default() };
        Pointers { model, placed, bases: RefCell::new(bases) }
    }

    /// Are bases variables?
    pub fn placed(&self) -> bool {
        self.placed
    }

    /// Gives a new instance its place in the flat address space.
    pub fn place(&self, pool: &mut Pool, instance: Instance, info: &Info) {
        if self.placed {
            self.bases.borrow_mut().layout.add(pool, self.model, instance, info);
        } else if self.model == DataModel::Ilp32 {
            let mut b = self.bases.borrow_mut();
            let base = b.next;
            b.of.insert(instance, base);
            let size = info.constant_size.unwrap_or(1 << 20);
            let room = u32::try_from(size).unwrap_or(u32::MAX / 2).saturating_add(0x1000);
            b.next = b.next.saturating_add(room).next_multiple_of(16).max(0x1_0000);
        }
    }

    /// Where an instance lies, if bases are variables.
    pub fn spot(&self, i: Instance) -> Option<Spot> {
        self.bases.borrow().layout.spot(i)
    }

    /// Was one of two instances surely alive when the other was born?
    pub fn set_apart(&self, i: Instance, j: Instance, surely: bool) {
        self.bases.borrow_mut().layout.set_apart(i, j, surely);
    }

    /// The address as an integer of the model's width.
    pub fn to_flat(&self, pool: &mut Pool, p: TermId) -> TermId {
        if self.placed {
            let flat = self.bases.borrow().layout.flat(pool, self.model, p);
            self.bases.borrow_mut().origin.entry(flat).or_insert(p);
            return flat;
        }
        if self.model == DataModel::Lp64 {
            return p;
        }
        let mut flat = pool.extract(31, 0, p);
        for c in candidates(pool, p) {
            if let PointerTarget::At(i, offset) = c.target {
                let base = self.bases.borrow().of.get(&i).copied().unwrap_or(0);
                let base = pool.bits(32, base.into());
                let offset = pool.extract(31, 0, offset);
                let here = pool.bv_add(base, offset);
                flat = pool.ite(c.when, here, flat);
            }
        }
        self.bases.borrow_mut().origin.insert(flat, p);
        flat
    }

    /// The pointer that an integer of the model's width stands for.
    pub fn from_flat(&self, pool: &mut Pool, flat: TermId) -> TermId {
        if self.model == DataModel::Lp64 && !self.placed {
            return flat;
        }
        if let Some(&p) = self.bases.borrow().origin.get(&flat) {
            return p;
        }
        if self.placed {
            let b = self.bases.borrow();
            return b.layout.pointer(pool, flat, &b.origin);
        }
        let raw = pool.zero_ext(32, flat);
        if let Some(bits) = pool.as_bits(flat)
            && bits < 0x1_0000
        {
            return raw;
        }
        // The instance with the greatest base that is not above the address.
        let mut bases: Vec<(u32, Instance)> = self.bases.borrow().of.iter().map(|(&i, &b)| (b, i)).collect();
        bases.sort_unstable();
        let mut p = raw;
        for (base, i) in bases {
            let base_t = pool.bits(32, base.into());
            let below = pool.bv_ult(flat, base_t);
            let reaches = pool.not(below);
            let start = i.address(pool);
            let offset = pool.bv_sub(flat, base_t);
            let offset = pool.zero_ext(32, offset);
            let here = pool.bv_add(start, offset);
            p = pool.ite(reaches, here, p);
        }
        p
    }
}

impl crate::expr::Addresses for Pointers {
    fn flat(&self, pool: &mut Pool, p: TermId) -> TermId {
        Pointers::to_flat(self, pool, p)
    }

    fn pointer(&self, pool: &mut Pool, flat: TermId) -> TermId {
        Pointers::from_flat(self, pool, flat)
    }

    fn compare(&self, pool: &mut Pool, op: BinOp, a: TermId, b: TermId) -> TermId {
        if self.placed {
            return self.bases.borrow().layout.compare(pool, self.model, op, a, b);
        }
        match op {
            BinOp::Eq => pool.eq(a, b),
            _ => {
                let (x, y) = (self.to_flat(pool, a), self.to_flat(pool, b));
                relate(pool, op, x, y)
            }
        }
    }
}

/// Two addresses compared, or their difference.
pub(crate) fn relate(pool: &mut Pool, op: BinOp, x: TermId, y: TermId) -> TermId {
    match op {
        BinOp::Eq => pool.eq(x, y),
        BinOp::Lt => pool.bv_ult(x, y),
        BinOp::Le => pool.bv_ule(x, y),
        _ => pool.bv_sub(x, y),
    }
}

/// The instance a constant pointer belongs to: the nearest start, so that a pointer a little
/// before an object is that object's.
fn split(bits: u128) -> Option<Instance> {
    let id = (bits.wrapping_add(0x8000_0000) >> 32) as u64;
    (1..0x4000_0000).contains(&id).then_some(Instance(id as u32))
}

/// What a pointer may point to; the conditions exclude each other and cover everything. An object
/// occurs once for each constant offset, as long as these are not too many: accesses at constant
/// offsets are much simpler than those at offsets that are chosen by the same conditions again.
pub fn candidates(pool: &mut Pool, p: TermId) -> Vec<Candidate> {
    let Some(leaves) = leaves(pool, p) else {
        return vec![Candidate { when: Pool::TRUE, target: PointerTarget::Unknown }];
    };
    // How many leaves, and whether their offsets are constant.
    let mut places: FxHashMap<Instance, (u32, bool)> = FxHashMap::default();
    for leaf in &leaves {
        if let Some(i) = leaf.instance {
            let (count, constant) = places.entry(i).or_insert((0, true));
            *count += 1;
            *constant &= pool.as_bits(leaf.offset).is_some();
        }
    }
    let apart = |i: Instance| {
        let (count, constant) = places[&i];
        count == 1 || (constant && count <= PLACES)
    };
    // One entry for each target, with the disjunction of the conditions.
    let mut merged: Vec<(Option<Instance>, Option<TermId>, Vec<TermId>)> = Vec::new();
    for leaf in leaves {
        let offset = leaf.instance.filter(|&i| apart(i)).map(|_| leaf.offset);
        match merged.iter_mut().find(|(i, o, _)| *i == leaf.instance && *o == offset) {
            Some((_, _, conditions)) => conditions.push(leaf.when),
            None => merged.push((leaf.instance, offset, vec![leaf.when])),
        }
    }
    let mut out = Vec::with_capacity(merged.len());
    for (base, offset, conditions) in merged {
        let when = pool.or(&conditions);
        if pool.as_bool(when) == Some(false) {
            continue;
        }
        let target = match base {
            Some(i) => {
                let start = i.address(pool);
                PointerTarget::At(i, offset.unwrap_or_else(|| pool.bv_sub(p, start)))
            }
            None => PointerTarget::Nothing,
        };
        out.push(Candidate { when, target });
    }
    out
}

/// A constant that a pointer term is built on.
struct Leaf {
    instance: Option<Instance>,
    /// Its distance from the start of the instance, with what is added on the way.
    offset: TermId,
    when: TermId,
}

/// The constants a pointer term is built on. `None`: the term does not tell. Each term below it is
/// looked at once for each sum that is added to it: terms are greater than their arguments.
fn leaves(pool: &mut Pool, p: TermId) -> Option<Vec<Leaf>> {
    let zero = pool.bits(64, 0);
    let mut open: BTreeMap<(TermId, TermId), Vec<TermId>> = BTreeMap::new();
    open.insert((p, zero), vec![Pool::TRUE]);
    let mut out = Vec::new();
    while let Some(((t, added), conditions)) = open.pop_last() {
        if out.len() + open.len() > MANY {
            return None;
        }
        let when = pool.or(&conditions);
        if pool.as_bool(when) == Some(false) {
            continue;
        }
        match pool.op(t) {
            Op::Word(..) => {
                let instance = split(pool.as_bits(t).unwrap_or(0));
                let offset = match instance {
                    Some(i) => {
                        let start = i.address(pool);
                        let inside = pool.bv_sub(t, start);
                        pool.bv_add(inside, added)
                    }
                    None => zero,
                };
                out.push(Leaf { instance, offset, when });
            }
            Op::Ite => {
                let (c, a, b) = (pool.arg(t, 0), pool.arg(t, 1), pool.arg(t, 2));
                let not = pool.not(c);
                let (left, right) = (pool.and(&[when, c]), pool.and(&[when, not]));
                open.entry((a, added)).or_default().push(left);
                open.entry((b, added)).or_default().push(right);
            }
            Op::BvAdd => {
                // Exactly one summand is an address; the others are offsets.
                let mut seen = FxHashSet::default();
                let (bases, offsets): (Vec<TermId>, Vec<TermId>) =
                    pool.args(t).iter().partition(|&&a| is_address(pool, a, &mut seen));
                let [base] = bases[..] else { return None };
                let added = offsets.into_iter().fold(added, |sum, o| pool.bv_add(sum, o));
                match choice(pool, added) {
                    // As in `child[a < b]`: both offsets are constant.
                    Some(t) => {
                        let (c, a, b) = (pool.arg(t, 0), pool.arg(t, 1), pool.arg(t, 2));
                        let not = pool.not(c);
                        for (holds, value) in [(c, a), (not, b)] {
                            let added = pool.substitute(added, &FxHashMap::from_iter([(t, value)]));
                            let when = pool.and(&[when, holds]);
                            open.entry((base, added)).or_default().push(when);
                        }
                    }
                    None => open.entry((base, added)).or_default().push(when),
                }
            }
            _ => return None,
        }
    }
    Some(out)
}

/// The choice between two constants that is all that is open in an offset.
fn choice(pool: &Pool, offset: TermId) -> Option<TermId> {
    let mut t = offset;
    loop {
        t = match (pool.op(t), pool.args(t)) {
            (Op::Ite, &[_, a, b]) => {
                return (pool.is_constant(a) && pool.is_constant(b)).then_some(t);
            }
            (Op::SignExt(_) | Op::ZeroExt(_) | Op::Extract(..) | Op::BvNeg, &[a]) => a,
            (Op::Concat | Op::BvAdd | Op::BvMul, &[a, b]) if pool.is_constant(b) => a,
            (Op::Concat | Op::BvAdd | Op::BvMul, &[a, b]) if pool.is_constant(a) => b,
            _ => return None,
        }
    }
}

/// Is a leaf of the term the address of an object? What has been seen is none.
fn is_address(pool: &Pool, t: TermId, seen: &mut FxHashSet<TermId>) -> bool {
    let mut work = vec![t];
    while let Some(t) = work.pop() {
        if !seen.insert(t) {
            continue;
        }
        match pool.op(t) {
            Op::Word(..) if pool.as_bits(t).is_some_and(|b| split(b).is_some()) => {
                // Only what is no address may be remembered.
                seen.clear();
                return true;
            }
            Op::Ite => work.extend(&pool.args(t)[1..]),
            Op::BvAdd => work.extend(pool.args(t)),
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use cairn_term::SortId;

    use super::*;

    fn targets(pool: &mut Pool, p: TermId) -> Vec<(u32, u128)> {
        let mut out = Vec::new();
        for c in candidates(pool, p) {
            let PointerTarget::At(i, offset) = c.target else { panic!("{c:?}") };
            out.push((i.0, pool.as_bits(offset).unwrap_or(u128::MAX)));
        }
        out.sort_unstable();
        out
    }

    #[test]
    fn offsets_chosen_with_the_object_are_constant() {
        let mut pool = Pool::new();
        let [c, d] = ["c", "d"].map(|n| pool.var(n, SortId::BOOL));
        let [a, b] = [5, 7].map(|i| Instance(i).address(&mut pool));
        let four = pool.bits(64, 4);
        let inside = pool.bv_add(a, four);
        let either = pool.ite(c, inside, b);
        let next = pool.bv_add(either, four);
        assert_eq!(targets(&mut pool, next), [(5, 8), (7, 4)]);
        // `child[d]`, as the front end has it.
        let index = pool.bool_to_bits(32, d);
        let index = pool.sign_ext(32, index);
        let eight = pool.bits(64, 8);
        let scaled = pool.bv_mul(index, eight);
        let child = pool.bv_add(either, scaled);
        assert_eq!(targets(&mut pool, child), [(5, 4), (5, 12), (7, 0), (7, 8)]);
    }

    #[test]
    fn a_pointer_with_very_many_ways_to_few_places_is_quickly_resolved() {
        let mut pool = Pool::new();
        let [mut p, mut q] = [5, 7].map(|i| Instance(i).address(&mut pool));
        for n in 0..200 {
            let c = pool.var(&format!("c{n}"), SortId::BOOL);
            let d = pool.var(&format!("d{n}"), SortId::BOOL);
            (p, q) = (pool.ite(c, p, q), pool.ite(d, q, p));
        }
        assert_eq!(targets(&mut pool, p), [(5, 0), (7, 0)]);
    }
}
