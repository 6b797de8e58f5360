//! Which objects are only accessed at constant places, and in which cells.

use std::collections::BTreeMap;

use cairn_base::EntityRef;
use cairn_value::{BinOp, Bits, IntTy, Ty};
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashSet;

use super::Groups;
use crate::{Data, Expr, ExprId, Init, ObjId, ObjKind, Op, Program, RelocTarget, VarKind};

/// More cells than this and an object stays in memory: it is an array, not a bundle of scalars.
const MAX_CELLS: usize = 256;

/// A place in an object.
pub type At = (ObjId, u64);

/// What an operation does to candidates.
#[derive(Copy, Clone, Debug)]
pub enum Access {
    Load(At, Ty),
    Store(At, Ty),
    /// `size` bytes become `byte`.
    Fill {
        at: At,
        size: u64,
        byte: u8,
    },
    Copy {
        dst: At,
        src: At,
        size: u64,
    },
    Begin(ObjId),
    End(ObjId),
}

pub struct Candidates {
    /// Per object, its cells by offset; `None` for objects that stay in memory.
    cells: Vec<Option<BTreeMap<u64, Ty>>>,
    /// Objects tied together by copies.
    groups: Groups,
}

/// The constant place that an address names.
fn place(p: &Program, mut e: ExprId) -> Option<At> {
    let diff = IntTy::diff(p.model);
    let mut offset: i128 = 0;
    loop {
        match p.exprs.get(e) {
            Expr::Addr(o) => return Some((o, u64::try_from(offset).ok()?)),
            Expr::Binary(BinOp::PtrAdd, base, by) => {
                offset = offset.checked_add(diff.number(p.exprs.const_bits(by)?))?;
                e = base;
            }
            _ => return None,
        }
    }
}

/// The access that an operation is, if all of its addresses are constant places.
pub fn access(p: &Program, op: &Op) -> Option<Access> {
    let constant = |e: ExprId| p.exprs.const_bits(e);
    Some(match *op {
        Op::Load { dst, addr } => Access::Load(place(p, addr)?, p.vars[dst].ty),
        Op::Store { addr, value } => Access::Store(place(p, addr)?, p.ty(value)),
        Op::Fill { dst, byte, size } => {
            let size = u64::try_from(constant(size)?).ok()?;
            Access::Fill { at: place(p, dst)?, size, byte: constant(byte)? as u8 }
        }
        Op::Copy { dst, src, size, .. } => {
            let size = u64::try_from(constant(size)?).ok()?;
            Access::Copy { dst: place(p, dst)?, src: place(p, src)?, size }
        }
        Op::Begin { obj } => Access::Begin(obj),
        Op::End { obj } => Access::End(obj),
        _ => return None,
    })
}

impl Candidates {
    pub fn collect(p: &Program) -> Candidates {
        let fits = |o| match &p.objects[o].init {
            Init::Uninit => p.objects[o].kind == ObjKind::Local,
            Init::Static(_) => true,
            Init::Unknown => false,
        };
        let cells = p.objects.keys().map(|o| fits(o).then(BTreeMap::new)).collect();
        let mut c = Candidates { cells, groups: Groups::new(p.objects.len()) };
        c.reject_escaping(p);
        let accesses: Vec<Access> = p.edges.values().filter_map(|e| access(p, &e.op)).collect();
        let mut copies = Vec::new();
        for a in &accesses {
            match *a {
                Access::Load(at, ty) => c.add(p, at, ty),
                Access::Store(at, ty) => c.write(p, at, ty),
                Access::Fill { at, size, .. } => {
                    if p.objects[at.0].kind == ObjKind::Const || !inside(p, at, size) {
                        c.cells[at.0.index()] = None;
                    }
                }
                Access::Copy { dst, src, size } => {
                    let fine = dst.0 != src.0 && inside(p, dst, size) && inside(p, src, size);
                    if !fine || p.objects[dst.0].kind == ObjKind::Const {
                        c.cells[dst.0.index()] = None;
                        c.cells[src.0.index()] = None;
                    }
                    c.groups.join(dst.0, src.0);
                    copies.push((dst, src, size));
                }
                Access::Begin(_) | Access::End(_) => {}
            }
        }
        c.spread(p, &copies);
        c.reject(FxHashSet::default());
        c.reject_clashes(p, &accesses);
        c
    }

    /// Objects whose address is used for anything else.
    fn reject_escaping(&mut self, p: &Program) {
        let mut seen = FixedBitSet::with_capacity(p.exprs.len());
        let mut work: Vec<ExprId> = Vec::new();
        for var in p.vars.values() {
            if let VarKind::Global { init } = var.kind {
                work.push(init);
            }
        }
        for edge in p.edges.values() {
            match (&edge.op, access(p, &edge.op)) {
                (Op::Store { value, .. }, Some(_)) => work.push(*value),
                (_, Some(_)) => {}
                (op, None) => op.each_expr(|e| work.push(e)),
            }
        }
        while let Some(e) = work.pop() {
            if seen.put(e.index()) {
                continue;
            }
            if let Expr::Addr(o) = p.exprs.get(e) {
                self.cells[o.index()] = None;
            }
            work.extend(p.exprs.children(e));
        }
        for object in p.objects.values() {
            let Init::Static(data) = &object.init else { continue };
            for r in &data.relocs {
                if let RelocTarget::Object(o) = r.target {
                    self.cells[o.index()] = None;
                }
            }
        }
    }

    fn write(&mut self, p: &Program, at: At, ty: Ty) {
        if p.objects[at.0].kind == ObjKind::Const {
            self.cells[at.0.index()] = None;
        }
        self.add(p, at, ty);
    }

    fn add(&mut self, p: &Program, at: At, ty: Ty) {
        let slot = &mut self.cells[at.0.index()];
        let Some(cells) = slot else { return };
        let known = *cells.entry(at.1).or_insert(ty);
        if !inside(p, at, ty.bytes(p.model)) || !same_bits(known, ty) || cells.len() > MAX_CELLS {
            *slot = None;
        }
    }

    /// Both sides of a copy get the cells of each other, until nothing changes.
    fn spread(&mut self, p: &Program, copies: &[(At, At, u64)]) {
        let mut changed = true;
        while changed {
            changed = false;
            for &(dst, src, size) in copies {
                for (from, to) in [(dst, src), (src, dst)] {
                    for (offset, ty) in self.cells_in(from, size) {
                        let before = self.cells[to.0.index()].as_ref().map(BTreeMap::len);
                        self.add(p, (to.0, to.1 + (offset - from.1)), ty);
                        changed |= self.cells[to.0.index()].as_ref().map(BTreeMap::len) != before;
                    }
                }
            }
        }
    }

    /// Rejects objects whose cells overlap, are cut by a fill or copy, differ between the sides of
    /// a copy, or have no value at the start.
    fn reject_clashes(&mut self, p: &Program, accesses: &[Access]) {
        let mut bad = FxHashSet::default();
        for o in p.objects.keys() {
            let Some(cells) = self.of(o) else { continue };
            let mut end = 0;
            for (&offset, ty) in cells {
                if offset < end {
                    bad.insert(o);
                }
                end = offset + ty.bytes(p.model);
            }
            if let Init::Static(data) = &p.objects[o].init
                && !cells.iter().all(|(&offset, &ty)| initial(p, data, offset, ty).is_some())
            {
                bad.insert(o);
            }
        }
        for a in accesses {
            match *a {
                Access::Fill { at, size, .. } if self.cuts(p, at, size) => {
                    bad.insert(at.0);
                }
                Access::Copy { dst, src, size } => {
                    let shape = |at: At| -> Vec<(u64, Ty)> {
                        self.cells_in(at, size).into_iter().map(|(offset, ty)| (offset - at.1, ty)).collect()
                    };
                    let (a, b) = (shape(dst), shape(src));
                    let alike = a.len() == b.len()
                        && a.iter().zip(&b).all(|(x, y)| x.0 == y.0 && same_bits(x.1, y.1));
                    if self.cuts(p, dst, size) || self.cuts(p, src, size) || !alike {
                        bad.insert(dst.0);
                    }
                }
                _ => {}
            }
        }
        self.reject(bad);
    }

    /// Does a range of bytes contain part of a cell but not all of it?
    fn cuts(&self, p: &Program, at: At, size: u64) -> bool {
        let end = at.1.saturating_add(size);
        self.of(at.0).is_some_and(|cells| {
            cells.iter().any(|(&offset, ty)| {
                let cell_end = offset + ty.bytes(p.model);
                let apart = cell_end <= at.1 || end <= offset;
                let within = at.1 <= offset && cell_end <= end;
                !apart && !within
            })
        })
    }

    /// The cells of an object that is still a candidate.
    pub fn of(&self, o: ObjId) -> Option<&BTreeMap<u64, Ty>> {
        self.cells[o.index()].as_ref()
    }

    /// The cells that start in a range of bytes.
    pub fn cells_in(&self, at: At, size: u64) -> Vec<(u64, Ty)> {
        let all = self.of(at.0).into_iter();
        all.flat_map(|c| c.range(at.1..at.1 + size)).map(|(&offset, &ty)| (offset, ty)).collect()
    }

    /// Rejects the given objects, and all objects that are tied to rejected ones.
    pub fn reject(&mut self, mut objects: FxHashSet<ObjId>) {
        objects.extend((0..self.cells.len()).map(ObjId::new).filter(|&o| self.of(o).is_none()));
        for o in self.groups.with_members(&objects) {
            self.cells[o.index()] = None;
        }
    }

    pub fn promotable(&self) -> Vec<ObjId> {
        (0..self.cells.len()).map(ObjId::new).filter(|&o| self.of(o).is_some()).collect()
    }
}

fn inside(p: &Program, at: At, size: u64) -> bool {
    at.1.checked_add(size).is_some_and(|end| end <= p.objects[at.0].size)
}

/// May one variable serve accesses of both types? Integers of one width are read as each other.
fn same_bits(a: Ty, b: Ty) -> bool {
    match (a, b) {
        (Ty::Int(x), Ty::Int(y)) => x.bits == y.bits,
        _ => a == b,
    }
}

/// What a cell of a static object holds at the start.
pub enum Initial {
    Bits(Bits),
    Address(RelocTarget, i64),
}

pub fn initial(p: &Program, data: &Data, offset: u64, ty: Ty) -> Option<Initial> {
    let size = ty.bytes(p.model);
    let end = offset + size;
    for r in &data.relocs {
        if r.offset < end && offset < r.offset + u64::from(r.bytes) {
            let whole = r.offset == offset && u64::from(r.bytes) == size && ty == Ty::Ptr;
            return whole.then_some(Initial::Address(r.target, r.addend));
        }
    }
    let mut bits = 0;
    for (at, bytes) in &data.bytes {
        for i in offset.max(*at)..end.min(at + bytes.len() as u64) {
            bits |= Bits::from(bytes[(i - at) as usize]) << (8 * (i - offset));
        }
    }
    // A type of odd width has more bits in memory than in its values.
    (ty.bits(p.model) == 128 || bits >> ty.bits(p.model) == 0).then_some(Initial::Bits(bits))
}
