//! Pointers as terms. In its register form a pointer is 64 bits: the number of an
//! object instance above a 32-bit offset, as in the executor. In LP64 that is
//! the address; in ILP32 each instance has a 32-bit base, and integers and
//! bytes hold base plus offset.

use std::cell::RefCell;

use cairn_base::DataModel;
use cairn_term::{Op, Pool, TermId};
use rustc_hash::FxHashMap;

/// An instance of an object: one life of a local, one allocation, one static.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Instance(pub u32);

impl Instance {
    pub fn address(self, pool: &mut Pool) -> TermId {
        pool.bits(64, u128::from(self.0) << 32)
    }
}

/// One thing a pointer may point to.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub when: TermId,
    pub target: Target,
}

#[derive(Clone, Debug)]
pub enum Target {
    /// An instance, and the 64-bit distance from its start.
    At(Instance, TermId),
    /// No object: null, or a number.
    Nothing,
    /// The term does not tell.
    Unknown,
}

/// More candidates than this for one pointer are not told apart.
const MANY: usize = 4096;

/// Flat addresses of the instances (ILP32 only), and how pointers became integers.
pub struct Pointers {
    model: DataModel,
    bases: RefCell<Bases>,
}

#[derive(Default)]
struct Bases {
    /// The base of each instance.
    of: FxHashMap<Instance, u32>,
    next: u32,
    /// The pointer each flat term was made from, to find the way back.
    origin: FxHashMap<TermId, TermId>,
}

impl Pointers {
    pub fn new(model: DataModel) -> Pointers {
        Pointers { model, bases: RefCell::new(Bases { next: 0x1_0000, ..Bases::default() }) }
    }

    /// Gives a new instance its place in the flat address space.
    pub fn place(&self, instance: Instance, size: u64) {
        if self.model == DataModel::Ilp32 {
            let mut b = self.bases.borrow_mut();
            let base = b.next;
            b.of.insert(instance, base);
            let room = u32::try_from(size).unwrap_or(u32::MAX / 2).saturating_add(0x1000);
            b.next = b.next.saturating_add(room).next_multiple_of(16).max(0x1_0000);
        }
    }

    /// The address as an integer of the model's width.
    pub fn to_flat(&self, pool: &mut Pool, p: TermId) -> TermId {
        if self.model == DataModel::Lp64 {
            return p;
        }
        let mut flat = pool.extract(31, 0, p);
        for c in candidates(pool, p) {
            if let Target::At(i, offset) = c.target {
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
        if self.model == DataModel::Lp64 {
            return flat;
        }
        if let Some(&p) = self.bases.borrow().origin.get(&flat) {
            return p;
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
}

/// The instance a constant pointer belongs to: the nearest start, so that a pointer a little
/// before an object is that object's.
fn split(bits: u128) -> Option<Instance> {
    let id = (bits.wrapping_add(0x8000_0000) >> 32) as u64;
    (1..0x4000_0000).contains(&id).then_some(Instance(id as u32))
}

/// What a pointer may point to; the conditions exclude each other and cover everything.
pub fn candidates(pool: &mut Pool, p: TermId) -> Vec<Candidate> {
    let mut bases = Vec::new();
    let known = collect(pool, p, Pool::TRUE, &mut bases);
    if !known || bases.len() > MANY {
        return vec![Candidate { when: Pool::TRUE, target: Target::Unknown }];
    }
    // One entry for each target, with the disjunction of the conditions.
    let mut merged: Vec<(Option<Instance>, Vec<TermId>)> = Vec::new();
    for (base, when) in bases {
        match merged.iter_mut().find(|(b, _)| *b == base) {
            Some((_, conditions)) => conditions.push(when),
            None => merged.push((base, vec![when])),
        }
    }
    let mut out = Vec::with_capacity(merged.len());
    for (base, conditions) in merged {
        let when = pool.or(&conditions);
        if pool.as_bool(when) == Some(false) {
            continue;
        }
        let target = match base {
            Some(i) => {
                let start = i.address(pool);
                Target::At(i, pool.bv_sub(p, start))
            }
            None => Target::Nothing,
        };
        out.push(Candidate { when, target });
    }
    out
}

/// Collects the objects a pointer term is built on. `false`: the term does not tell.
fn collect(pool: &mut Pool, p: TermId, when: TermId, out: &mut Vec<(Option<Instance>, TermId)>) -> bool {
    if out.len() > MANY {
        return false;
    }
    match pool.op(p) {
        Op::Word(..) => {
            let bits = pool.as_bits(p).unwrap_or(0);
            out.push((split(bits), when));
            true
        }
        Op::Ite => {
            let (c, a, b) = (pool.arg(p, 0), pool.arg(p, 1), pool.arg(p, 2));
            let not = pool.not(c);
            let (left, right) = (pool.and(&[when, c]), pool.and(&[when, not]));
            (pool.as_bool(left) == Some(false) || collect(pool, a, left, out))
                && (pool.as_bool(right) == Some(false) || collect(pool, b, right, out))
        }
        Op::BvAdd => {
            // Exactly one summand is an address; the others are offsets.
            let args: Vec<TermId> = pool.args(p).to_vec();
            let bases: Vec<TermId> = args.into_iter().filter(|&a| is_address(pool, a, 0)).collect();
            match bases[..] {
                [base] => collect(pool, base, when, out),
                _ => false,
            }
        }
        _ => false,
    }
}

/// Is every leaf of the term the address of an object?
fn is_address(pool: &Pool, t: TermId, depth: u32) -> bool {
    if depth > 64 {
        return false;
    }
    match pool.op(t) {
        Op::Word(..) => pool.as_bits(t).is_some_and(|b| split(b).is_some()),
        Op::Ite => is_address(pool, pool.arg(t, 1), depth + 1) || is_address(pool, pool.arg(t, 2), depth + 1),
        Op::BvAdd => pool.args(t).iter().any(|&a| is_address(pool, a, depth + 1)),
        _ => false,
    }
}
