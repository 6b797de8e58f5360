//! What depends on where objects lie is any value.
//!
//! A program that does not say where its objects lie (see `layout`) is read with
//! instances that have numbers, and a pointer is the number of its instance above an
//! offset. Those numbers are no addresses, and no proof may rest on them. So
//! whatever a layout of memory decides is left open here:
//!
//! * the order and the difference of pointers into different instances;
//! * the equality of pointers into different instances, unless both point to bytes of
//!   objects that are alive and do not share their bytes;
//! * a pointer as a number, or read from memory as something else.
//!
//! Each of these is one unknown for the same pointers. A proof that is accepted in this
//! reading holds for every layout. One that fails for a condition in which such an
//! unknown occurs may hold for none, or only for the numbers that an engine had in
//! mind: then the question is to be asked again with addresses that are inputs.
//!
//! # Why so
//!
//! *The checker's plain reading holds for every layout* (`checker::looks`). A program with casts of pointers
//! to integers has addresses as inputs from the start. In any other, whatever a layout decides is an unknown
//! to the checker: order and difference of pointers into different objects, equality of pointers that are not
//! both to bytes of live objects, pointers read as other bytes or stored where it does not know. So a proof
//! that has forgotten which object a pointer has assumes nothing about it; pointers that one function makes
//! from one another are known to be into one object by its text (`checker::related`). If a condition with
//! such an unknown fails, the question is asked again with addresses as inputs, in one place for all commands
//! (`cli::check::anywhere`). A program that does not look has the terms it always had.

use std::collections::BTreeSet;

use cairn_encode::expr::Addresses;
use cairn_ir::{BinOp, Expr, ExprId, Program};
use cairn_term::{Pool, SortId, TermId};
use imbl::OrdMap;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::address::{Denotes, Instance, Space};
use crate::state::{Info, Object};

/// Objects beyond which it is not looked for the one that a pointer points to.
const OBJECTS: usize = 200;

/// Offsets `rest`, `rest + stride`, …; a stride of 0 is one offset.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Offsets {
    stride: u64,
    rest: u64,
}

#[derive(Default)]
pub struct Looks {
    /// The program names addresses, so that its numbers may be mistaken for pointers.
    pub names_addresses: bool,
    /// The unknowns, and what each stands for.
    open: FxHashSet<TermId>,
    compared: FxHashMap<(BinOp, TermId, TermId), TermId>,
    addresses: FxHashMap<TermId, TermId>,
    /// Where pointers are stored, by instance.
    pointers: FxHashMap<Instance, BTreeSet<Offsets>>,
}

impl Looks {
    pub fn new(program: &Program) -> Looks {
        Looks { names_addresses: names_addresses(program), ..Looks::default() }
    }

    /// A pointer is stored.
    pub fn stored(&mut self, pool: &Pool, i: Instance, offset: TermId) {
        self.pointers.entry(i).or_default().insert(offsets(pool, offset));
    }

    /// May there be a part of a pointer in these bytes? `word`: bytes of a pointer.
    pub fn has_pointer(&self, pool: &Pool, i: Instance, offset: TermId, bytes: u64, word: u64) -> bool {
        let Some(marks) = self.pointers.get(&i) else { return false };
        let read = offsets(pool, offset);
        marks.iter().any(|&mark| meet(mark, word, read, bytes))
    }

    /// May the instance hold pointers?
    pub fn has_pointers(&self, i: Instance) -> bool {
        self.pointers.contains_key(&i)
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

    /// A number of so many bits that the layout decides.
    pub fn unknown(&mut self, pool: &mut Pool, bits: u8) -> TermId {
        let sort = pool.bits_sort(bits);
        let unknown = pool.fresh("layout", sort);
        self.open.insert(unknown);
        unknown
    }

    /// The unknown address of a pointer.
    fn address(&mut self, pool: &mut Pool, p: TermId, bits: u8) -> TermId {
        if let Some(&known) = self.addresses.get(&p) {
            return known;
        }
        let unknown = self.unknown(pool, bits);
        self.addresses.insert(p, unknown);
        unknown
    }

    /// The unknown result of comparing two pointers, of the sort of `like`.
    fn result(&mut self, pool: &mut Pool, op: BinOp, a: TermId, b: TermId, like: TermId) -> TermId {
        // Equality has no order.
        let key = if op == BinOp::Eq { (op, a.min(b), a.max(b)) } else { (op, a, b) };
        if let Some(&known) = self.compared.get(&key) {
            return known;
        }
        let sort = if op == BinOp::PtrSub { pool.bits_sort(pool.width(like)) } else { SortId::BOOL };
        let unknown = pool.fresh("layout", sort);
        self.open.insert(unknown);
        self.compared.insert(key, unknown);
        unknown
    }

    /// Does a condition depend on the layout of memory?
    pub fn decides(&self, pool: &Pool, condition: TermId) -> bool {
        !self.open.is_empty() && pool.free_vars(&[condition]).iter().any(|v| self.open.contains(v))
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
            let (factor, other) = match (constant(a), constant(b)) {
                (Some(n), _) => (n, b),
                (_, Some(n)) => (n, a),
                _ => return anywhere,
            };
            // A negative factor goes the other way by the same steps. Only powers of two divide what
            // wraps around.
            let size = (factor as i64).unsigned_abs().max(1);
            let narrow = match pool.op(other) {
                cairn_term::Op::ZeroExt(n) | cairn_term::Op::SignExt(n) => size < 1 << (n.min(62) / 2),
                _ => false,
            };
            Offsets { stride: if narrow { size } else { 1 << size.trailing_zeros() }, rest: 0 }
        }
        (cairn_term::Op::Concat, &[_, low]) if constant(low).is_some() => {
            Offsets { stride: 1 << pool.width(low).min(63), rest: constant(low).unwrap_or(0) }
        }
        (cairn_term::Op::Ite, &[_, a, b]) => {
            let (x, y) = (bounded(pool, a, depth - 1), bounded(pool, b, depth - 1));
            let between = x.rest.abs_diff(y.rest);
            Offsets { stride: gcd(gcd(x.stride, y.stride), between), rest: x.rest }
        }
        _ => anywhere,
    }
}

/// How expressions see pointers in a state.
pub struct Here<'x> {
    pub space: &'x Space,
    pub infos: &'x [Info],
    pub memory: OrdMap<Instance, Object>,
    /// The pointers that the expression compares are into one object, by the text of the program.
    pub related: bool,
}

impl Addresses for Here<'_> {
    fn flat(&self, pool: &mut Pool, p: TermId) -> TermId {
        let flat = self.space.flat(pool, p);
        let placed = self.space.located
            || self.space.denoted(pool, p).iter().all(|(_, what)| *what == Denotes::Nothing);
        if placed {
            return flat;
        }
        let bits = pool.width(flat);
        self.space.looks.borrow_mut().address(pool, p, bits)
    }

    fn pointer(&self, pool: &mut Pool, flat: TermId) -> TermId {
        self.space.pointer(pool, flat)
    }

    fn compare(&self, pool: &mut Pool, op: BinOp, a: TermId, b: TermId) -> TermId {
        let by_number = self.space.compare(pool, op, a, b);
        if self.space.located || self.related || a == b {
            return by_number;
        }
        let open = self.depends(pool, op, a, b);
        if pool.as_bool(open) == Some(false) {
            return by_number;
        }
        let any = self.space.looks.borrow_mut().result(pool, op, a, b, by_number);
        pool.ite(open, any, by_number)
    }
}

impl Here<'_> {
    /// The condition under which the result of a comparison depends on where objects lie.
    fn depends(&self, pool: &mut Pool, op: BinOp, a: TermId, b: TermId) -> TermId {
        let null = |t: TermId, pool: &Pool| pool.as_bits(t) == Some(0);
        // Nothing lies at or below null.
        if op != BinOp::PtrSub && (null(a, pool) || null(b, pool)) {
            return Pool::FALSE;
        }
        let (left, right) = (self.space.placed(pool, a), self.space.placed(pool, b));
        let mut open = Vec::new();
        for &(c, (l, x)) in &left {
            for &(d, (r, y)) in &right {
                let both = pool.and(&[c, d]);
                if pool.as_bool(both) == Some(false) {
                    continue;
                }
                let together = match (l, r) {
                    (Denotes::Nothing, Denotes::Nothing) => Pool::TRUE,
                    (Denotes::Anything, _) | (_, Denotes::Anything) => {
                        let (i, j) = (number(pool, l, a), number(pool, r, b));
                        pool.eq(i, j)
                    }
                    _ => pool.bool(l == r),
                };
                let mut good = vec![together];
                if op == BinOp::Eq {
                    good.extend([no_address(pool, a), no_address(pool, b)]);
                    good.push(self.distinct(pool, (l, a, x), (r, b, y)));
                }
                let fine = pool.or(&good);
                let not = pool.not(fine);
                open.push(pool.and(&[both, not]));
            }
        }
        pool.or(&open)
    }

    /// Both are addresses of bytes of objects that are alive and share no byte if they are two.
    fn distinct(
        &self,
        pool: &mut Pool,
        (l, a, x): (Denotes, TermId, TermId),
        (r, b, y): (Denotes, TermId, TermId),
    ) -> TermId {
        if let (Denotes::Object(i), Denotes::Object(j)) = (l, r)
            && self.may_share(i, j)
        {
            return Pool::FALSE;
        }
        let literals = [l, r].contains(&Denotes::Anything);
        let (x, y) = (self.inside(pool, l, a, x, literals), self.inside(pool, r, b, y, literals));
        pool.and(&[x, y])
    }

    fn may_share(&self, i: Instance, j: Instance) -> bool {
        let info = |i: Instance| self.infos.get(i as usize).and_then(|info| info.literal.as_ref());
        let (Some(a), Some(b)) = (info(i), info(j)) else { return false };
        a.ends_with(b) || b.ends_with(a)
    }

    /// Is it the address of a byte of an object that is alive? `but_literals`: and whose bytes are its own.
    fn inside(
        &self,
        pool: &mut Pool,
        what: Denotes,
        p: TermId,
        offset: TermId,
        but_literals: bool,
    ) -> TermId {
        match what {
            Denotes::Nothing => Pool::FALSE,
            Denotes::Object(i) => self.byte_of(pool, i, offset, but_literals),
            Denotes::Anything if self.memory.len() > OBJECTS => Pool::FALSE,
            Denotes::Anything => {
                let number = pool.extract(63, 32, p);
                let low = pool.extract(31, 0, p);
                let offset = pool.zero_ext(32, low);
                let mut any = Vec::new();
                for &i in self.memory.keys() {
                    let id = pool.bits(32, i.into());
                    let hit = pool.eq(number, id);
                    let there = self.byte_of(pool, i, offset, but_literals);
                    any.push(pool.and(&[hit, there]));
                }
                pool.or(&any)
            }
        }
    }

    fn byte_of(&self, pool: &mut Pool, i: Instance, offset: TermId, but_literals: bool) -> TermId {
        let Some(info) = self.infos.get(i as usize) else { return Pool::FALSE };
        if but_literals && info.literal.is_some() {
            return Pool::FALSE;
        }
        let zero = pool.bits(64, 0);
        if info.func.is_some() {
            return pool.eq(offset, zero);
        }
        let Some(object) = self.memory.get(&i) else { return Pool::FALSE };
        let below = pool.bv_ult(offset, info.size);
        // The address that malloc gives belongs to no other object, even if this one has no bytes.
        let start = if info.heap { pool.eq(offset, zero) } else { Pool::FALSE };
        let inside = pool.or(&[below, start]);
        pool.and(&[object.live, inside])
    }
}

/// The number of the instance that a pointer points to.
fn number(pool: &mut Pool, what: Denotes, p: TermId) -> TermId {
    match what {
        Denotes::Object(i) => pool.bits(32, i.into()),
        Denotes::Nothing | Denotes::Anything => pool.extract(63, 32, p),
    }
}

/// Null, or the last address: no object's.
fn no_address(pool: &mut Pool, p: TermId) -> TermId {
    let all = [0, u64::MAX, u32::MAX.into()].map(|n| pool.bits(64, n.into()));
    let any = all.map(|n| pool.eq(p, n));
    pool.or(&any)
}
