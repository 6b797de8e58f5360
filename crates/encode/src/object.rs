//! The contents of one object instance.
//!
//! As long as all accesses are at constant offsets the contents are cells, terms
//! at offsets over a known or indeterminate ground. A small array stays in
//! cells also when it is indexed by a term (each element is then chosen by
//! `ite`); a large one becomes a term of array sort.

use cairn_base::DataModel;
use cairn_ir::{FloatTy, IntTy, Program, RelocTarget, Ty};
use cairn_term::{Op, Pool, TermId};
use imbl::OrdMap;

use crate::birth::{BirthId, Births};
use crate::brake::Brake;
use crate::pointer::{Instance, Pointers};

/// Elements up to which a symbolic index is resolved by comparing.
const SMALL: u64 = 40;

/// And among the members of a structure.
const FEW: usize = 4;

/// What lies beneath the cells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ground {
    Zero,
    /// This byte, everywhere.
    Byte(u8),
    /// Anything: what is read has the value it is found with from then on, in that state.
    Indeterminate,
    /// What the object had when it came to life.
    Born(BirthId),
    /// That content itself, which is cut into constants as it is read.
    First(BirthId),
    /// The static data of this object of the program.
    Data(cairn_ir::ObjId),
    /// Whatever the instance holds: each piece is a constant of its own, see [`MemoryPiece`].
    Named(Instance),
}

/// What an instance holds in one place, or in all, as a constant that means it in every state.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MemoryPiece {
    Cell { instance: Instance, at: u64, ty: Ty },
    Whole { instance: Instance, elem: Ty },
}

impl MemoryPiece {
    /// The constant.
    pub fn term(self, pool: &mut Pool) -> TermId {
        match self {
            MemoryPiece::Cell { instance: Instance(i), at, ty } => {
                let sort = crate::expr::sort(pool, ty);
                pool.var(&format!("cell {i} {at} {}", code(ty)), sort)
            }
            MemoryPiece::Whole { instance: Instance(i), elem } => {
                let (index, element) = (pool.bits_sort(32), crate::expr::sort(pool, elem));
                let sort = pool.array_sort(index, element);
                pool.var(&format!("object {i} {}", code(elem)), sort)
            }
        }
    }

    /// The piece that a constant of this name means.
    pub fn named(name: &str) -> Option<MemoryPiece> {
        let words: Vec<&str> = name.split(' ').collect();
        let instance = |w: &str| w.parse().ok().map(Instance);
        match words[..] {
            ["cell", i, at, ty] => {
                Some(MemoryPiece::Cell { instance: instance(i)?, at: at.parse().ok()?, ty: decode(ty)? })
            }
            ["object", i, elem] => Some(MemoryPiece::Whole { instance: instance(i)?, elem: decode(elem)? }),
            _ => None,
        }
    }
}

pub(crate) fn code(ty: Ty) -> String {
    match ty {
        Ty::Bool => "b".into(),
        Ty::Ptr => "p".into(),
        Ty::Int(IntTy { bits, signed }) => format!("{}{bits}", if signed { 'i' } else { 'u' }),
        Ty::Float(f) => match f {
            FloatTy::F32 => "f32",
            FloatTy::F64 => "f64",
            FloatTy::X80 => "f80",
            FloatTy::F128 => "f128",
        }
        .into(),
    }
}

fn decode(code: &str) -> Option<Ty> {
    Some(match code {
        "b" => Ty::Bool,
        "p" => Ty::Ptr,
        "f32" => Ty::Float(FloatTy::F32),
        "f64" => Ty::Float(FloatTy::F64),
        "f80" => Ty::Float(FloatTy::X80),
        "f128" => Ty::Float(FloatTy::F128),
        _ => {
            let bits = code.get(1..)?.parse().ok()?;
            Ty::Int(IntTy { bits, signed: code.starts_with('i') })
        }
    })
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cell {
    /// A value of the type `ty` (pointers in register form).
    pub value: TermId,
    pub ty: Ty,
}

#[derive(Clone, Debug)]
pub enum Content {
    Cells {
        cells: OrdMap<u64, Cell>,
        ground: Ground,
    },
    /// A map from 32-bit element numbers to elements of `elem`'s sort.
    Array {
        elem: Ty,
        array: TermId,
    },
}

/// What an access needs to know besides the content.
pub struct Access<'a, 'p> {
    pub program: &'p Program,
    pub pool: &'a mut Pool,
    pub pointers: &'a Pointers,
    pub births: &'a mut Births,
    /// Addresses of the static instances, for data that refers to them.
    pub statics: &'a dyn Fn(RelocTarget) -> Instance,
    /// Size of the instance if it is constant.
    pub size: Option<u64>,
    pub brake: &'a Brake,
}

/// What is found where a value lies, without reading it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Found {
    /// A cell of that very type.
    Value(TermId),
    /// Nothing but the ground.
    Ground,
    /// Cells of another kind, or no cells at all.
    Other,
}

impl Content {
    pub fn new(ground: Ground) -> Content {
        Content::Cells { cells: OrdMap::new(), ground }
    }

    /// Looks where a value of a type lies.
    pub fn find(&self, at: u64, ty: Ty, model: DataModel) -> Found {
        let Content::Cells { cells, .. } = self else { return Found::Other };
        match cells.get(&at) {
            Some(cell) if cell.ty == ty => Found::Value(cell.value),
            Some(_) => Found::Other,
            None if overlaps(cells, at, ty.bytes(model), model).next().is_none() => Found::Ground,
            None => Found::Other,
        }
    }
}

impl Access<'_, '_> {
    fn model(&self) -> DataModel {
        self.program.model
    }

    fn bytes(&self, ty: Ty) -> u64 {
        ty.bytes(self.model())
    }

    /// Reads a value at a 64-bit offset that lies within bounds.
    pub fn read(&mut self, content: &mut Content, offset: TermId, ty: Ty) -> TermId {
        if let Some(at) = self.constant(offset)
            && matches!(content, Content::Cells { .. })
        {
            return self.read_at(content, at, ty);
        }
        if let Some(spots) = self.small(content, offset, ty) {
            let last = spots.last().map_or(0, |s| s.0);
            let mut value = self.read_at(content, last, ty);
            for &(at, hit) in spots.iter().rev().skip(1) {
                let element = self.read_at(content, at, ty);
                value = self.pool.ite(hit, element, value);
            }
            return value;
        }
        self.make_array(content, ty);
        let Content::Array { elem, array } = content else { unreachable!("just made") };
        let (elem, array) = (*elem, *array);
        match self.index(offset, self.bytes(elem)) {
            Some(index) if self.bytes(elem) == self.bytes(ty) => {
                let value = self.pool.select(array, index);
                self.reread(value, elem, ty)
            }
            _ => {
                let mut value = self.array_byte(elem, array, offset, 0);
                for i in 1..self.bytes(ty) {
                    let next = self.array_byte(elem, array, offset, i);
                    value = self.pool.concat(next, value);
                }
                self.from_bits(value, ty)
            }
        }
    }

    /// Writes a value at a 64-bit offset that lies within bounds.
    pub fn write(&mut self, content: &mut Content, offset: TermId, ty: Ty, value: TermId) {
        if let Some(at) = self.constant(offset)
            && matches!(content, Content::Cells { .. })
        {
            return self.write_at(content, at, ty, value);
        }
        if let Some(spots) = self.small(content, offset, ty) {
            for (at, hit) in spots {
                let old = self.read_at(content, at, ty);
                let new = self.pool.ite(hit, value, old);
                self.write_at(content, at, ty, new);
            }
            return;
        }
        self.make_array(content, ty);
        let Content::Array { elem, array } = content else { unreachable!("just made") };
        let elem = *elem;
        match self.index(offset, self.bytes(elem)) {
            Some(index) if self.bytes(elem) == self.bytes(ty) => {
                let stored = self.reread(value, ty, elem);
                *array = self.pool.store(*array, index, stored);
            }
            _ => {
                let bits = self.to_bits(value, ty);
                for i in 0..self.bytes(ty) {
                    let low = (8 * i) as u8;
                    let byte = self.pool.extract(low + 7, low, bits);
                    *array = self.set_array_byte(elem, *array, offset, i, byte);
                }
            }
        }
    }

    fn constant(&self, offset: TermId) -> Option<u64> {
        self.pool.as_bits(offset).map(|b| b as u64)
    }

    /// Where a value may lie, each with the condition that it does, if there are few such places:
    /// the object is a small array of such values, or the offset leaves little to choose, and is
    /// surely a multiple of their size. The list is not empty.
    fn small(&mut self, content: &Content, offset: TermId, ty: Ty) -> Option<Vec<(u64, TermId)>> {
        let (Content::Cells { cells, .. }, Some(size)) = (content, self.size) else { return None };
        let step = self.bytes(ty);
        let n = size / step;
        if !(1..=SMALL).contains(&n) || self.index(offset, step).is_none() {
            return None;
        }
        let uniform =
            size % step == 0 && cells.iter().all(|(&at, c)| at % step == 0 && self.bytes(c.ty) == step);
        let mut spots = Vec::new();
        for at in (0..n).map(|i| i * step) {
            let here = self.pool.bits(64, at.into());
            let hit = self.pool.eq(offset, here);
            if self.pool.as_bool(hit) != Some(false) {
                spots.push((at, hit));
            }
        }
        (!spots.is_empty() && (uniform || spots.len() <= FEW)).then_some(spots)
    }

    /// The element number of an offset that is surely a multiple of `step`.
    fn index(&mut self, offset: TermId, step: u64) -> Option<TermId> {
        divide(self.pool, offset, step)
    }

    /// Turns cells into an array of elements of `ty`.
    pub(crate) fn make_array(&mut self, content: &mut Content, ty: Ty) {
        let Content::Cells { cells, ground } = content else { return };
        let elem = match ty {
            Ty::Ptr => Ty::Ptr,
            _ => Ty::Int(IntTy { bits: (8 * self.bytes(ty)) as u8, signed: false }),
        };
        let (index, element) = (self.pool.bits_sort(32), crate::expr::sort(self.pool, elem));
        let sort = self.pool.array_sort(index, element);
        let mut elem = elem;
        let step = self.bytes(elem);
        let mut array = match ground {
            Ground::Indeterminate => self.pool.fresh("memory", sort),
            Ground::First(birth) => {
                let name = self.births.get(*birth).whole_name(elem);
                let array = self.pool.var(&name, sort);
                self.births.get_mut(*birth).set_whole(array, step);
                array
            }
            Ground::Born(birth) => {
                let whole = self.first(*birth, |a, first| {
                    a.make_array(first, ty);
                    match first {
                        Content::Array { elem, array } => (*elem, *array),
                        Content::Cells { .. } => unreachable!("just made"),
                    }
                });
                elem = whole.0;
                whole.1
            }
            Ground::Named(instance) => MemoryPiece::Whole { instance: *instance, elem }.term(self.pool),
            Ground::Zero | Ground::Data(_) => {
                let zero = self.pool.bits(self.pool_width(elem), 0);
                self.pool.const_array(sort, zero)
            }
            Ground::Byte(byte) => {
                let (width, byte) = (8 * step as u8, *byte);
                let bits = self.pool.bits(width, repeated(byte, step));
                let element = self.from_bits(bits, elem);
                self.pool.const_array(sort, element)
            }
        };
        if let Ground::Data(o) = *ground {
            let mut at = Vec::new();
            if let cairn_ir::Init::Static(data) = &self.program.objects[o].init {
                for (start, bytes) in &data.bytes {
                    at.extend((*start / step..=(start + bytes.len() as u64 - 1) / step).map(|i| i * step));
                }
                at.extend(data.relocs.iter().map(|r| r.offset / step * step));
            }
            at.sort_unstable();
            at.dedup();
            let mut source = Content::Cells { cells: OrdMap::new(), ground: ground.clone() };
            for offset in at {
                if self.brake.pulled() {
                    break;
                }
                let value = self.read_at(&mut source, offset, elem);
                let i = self.pool.bits(32, u128::from(offset / step));
                array = self.pool.store(array, i, value);
            }
        }
        let old = cells.clone();
        *content = Content::Array { elem, array };
        for (at, cell) in old {
            if self.brake.pulled() {
                break;
            }
            let offset = self.pool.bits(64, at.into());
            self.write(content, offset, cell.ty, cell.value);
        }
    }

    fn pool_width(&self, elem: Ty) -> u8 {
        match elem {
            Ty::Ptr => 64,
            other => other.bits(self.model()),
        }
    }

    /// Byte `n` behind `offset` of an array.
    fn array_byte(&mut self, elem: Ty, array: TermId, offset: TermId, n: u64) -> TermId {
        let (index, shift, _) = self.locate(elem, offset, n);
        let element = self.pool.select(array, index);
        let bits = self.to_bits(element, elem);
        let shifted = self.pool.bv_lshr(bits, shift);
        self.pool.extract(7, 0, shifted)
    }

    fn set_array_byte(&mut self, elem: Ty, array: TermId, offset: TermId, n: u64, byte: TermId) -> TermId {
        let (index, shift, width) = self.locate(elem, offset, n);
        let element = self.pool.select(array, index);
        let bits = self.to_bits(element, elem);
        let hole = self.pool.bits(width, 0xff);
        let hole = self.pool.bv_shl(hole, shift);
        let keep = self.pool.bv_not(hole);
        let kept = self.pool.bv_and(bits, keep);
        let byte = self.pool.resize(width, false, byte);
        let byte = self.pool.bv_shl(byte, shift);
        let new = self.pool.bv_or(kept, byte);
        let new = self.from_bits(new, elem);
        self.pool.store(array, index, new)
    }

    /// Element number, shift within the element, and width of the element in bits.
    fn locate(&mut self, elem: Ty, offset: TermId, n: u64) -> (TermId, TermId, u8) {
        let step = self.bytes(elem);
        let width = (8 * step) as u8;
        let n = self.pool.bits(64, n.into());
        let at = self.pool.bv_add(offset, n);
        let step = self.pool.bits(64, step.into());
        let index = self.pool.bv_udiv(at, step);
        let index = self.pool.extract(31, 0, index);
        let rest = self.pool.bv_urem(at, step);
        let eight = self.pool.bits(64, 8);
        let shift = self.pool.bv_mul(rest, eight);
        (index, self.pool.resize(width, false, shift), width)
    }

    /// A value of type `ty` as the bits memory holds.
    pub fn to_bits(&mut self, value: TermId, ty: Ty) -> TermId {
        match ty {
            Ty::Bool => self.pool.bool_to_bits(8, value),
            Ty::Int(i) => {
                let bytes = self.bytes(ty) as u8;
                self.pool.resize(8 * bytes, i.signed, value)
            }
            Ty::Float(_) => {
                let bytes = self.bytes(ty) as u8;
                self.pool.resize(8 * bytes, false, value)
            }
            Ty::Ptr => self.pointers.to_flat(self.pool, value),
        }
    }

    pub fn from_bits(&mut self, bits: TermId, ty: Ty) -> TermId {
        match ty {
            Ty::Bool => self.pool.bit(bits, 0),
            Ty::Int(i) => self.pool.extract(i.bits - 1, 0, bits),
            // Memory may have room for more bits than the type has.
            Ty::Float(f) => self.pool.extract(f.bits() - 1, 0, bits),
            Ty::Ptr => self.pointers.from_flat(self.pool, bits),
        }
    }

    /// A value of one type as the bytes of it read in another of the same length.
    fn reread(&mut self, value: TermId, ty: Ty, elem: Ty) -> TermId {
        if ty == elem {
            return value;
        }
        let bits = self.to_bits(value, ty);
        self.from_bits(bits, elem)
    }

    // Cells.

    /// Reads at a constant offset. What was indeterminate keeps the value it is found with.
    pub fn read_at(&mut self, content: &mut Content, at: u64, ty: Ty) -> TermId {
        let Content::Cells { cells, ground } = content else { unreachable!("cells are wanted") };
        let len = self.bytes(ty);
        if let Some(cell) = cells.get(&at)
            && self.bytes(cell.ty) == len
        {
            let (value, from) = (cell.value, cell.ty);
            return self.reread(value, from, ty);
        }
        if overlaps(cells, at, len, self.model()).next().is_none() {
            if let Some(value) = self.ground_value(ground, at, ty) {
                return value;
            }
            let cell = self.unknown(ground, at, ty);
            cells.insert(at, cell.clone());
            return self.reread(cell.value, cell.ty, ty);
        }
        let mut value: Option<TermId> = None;
        for i in 0..len {
            let byte = self.byte_at(content, at + i);
            value = Some(match value {
                None => byte,
                Some(low) => self.pool.concat(byte, low),
            });
        }
        let bits = value.unwrap_or_else(|| self.pool.bits(8, 0));
        self.from_bits(bits, ty)
    }

    fn byte_at(&mut self, content: &mut Content, at: u64) -> TermId {
        let Content::Cells { cells, ground } = content else { unreachable!("cells are wanted") };
        let model = self.model();
        match overlaps(cells, at, 1, model).last() {
            Some(start) => {
                let cell = cells[&start].clone();
                let bits = self.to_bits(cell.value, cell.ty);
                let low = (8 * (at - start)) as u8;
                self.pool.extract(low + 7, low, bits)
            }
            None => {
                let byte = Ty::Int(IntTy::U8);
                match self.ground_value(ground, at, byte) {
                    Some(value) => value,
                    None => {
                        let cell = self.unknown(ground, at, byte);
                        cells.insert(at, cell.clone());
                        cell.value
                    }
                }
            }
        }
    }

    /// A new constant for what lies beneath the cells and is not known.
    fn unknown(&mut self, ground: &Ground, at: u64, ty: Ty) -> Cell {
        let Ground::First(birth) = *ground else {
            let sort = crate::expr::sort(self.pool, ty);
            return Cell { value: self.pool.fresh("indeterminate", sort), ty };
        };
        // Memory holds bits, also where they are read as something that forgets some of them.
        let len = self.bytes(ty);
        let ty = match ty {
            Ty::Ptr => ty,
            Ty::Int(i) if u64::from(i.bits) == 8 * len => ty,
            _ => Ty::Int(IntTy { bits: (8 * len) as u8, signed: false }),
        };
        let sort = crate::expr::sort(self.pool, ty);
        let value = self.pool.var(&self.births.get(birth).name(at, ty), sort);
        let bits = self.to_bits(value, ty);
        self.births.get_mut(birth).add_cell(at, len, bits);
        Cell { value, ty }
    }

    /// Does something with the first content of an object.
    fn first<R>(&mut self, birth: BirthId, what: impl FnOnce(&mut Self, &mut Content) -> R) -> R {
        let nothing = Content::new(Ground::Zero);
        let mut content = std::mem::replace(&mut self.births.get_mut(birth).content, nothing);
        let result = what(self, &mut content);
        self.births.get_mut(birth).content = content;
        result
    }

    /// What lies beneath the cells; `None` if it is indeterminate.
    fn ground_value(&mut self, ground: &Ground, at: u64, ty: Ty) -> Option<TermId> {
        let len = self.bytes(ty);
        let mut bits = 0u128;
        match ground {
            Ground::Indeterminate | Ground::First(_) => return None,
            Ground::Born(birth) => {
                let offset = self.pool.bits(64, at.into());
                return Some(self.first(*birth, |a, first| a.read(first, offset, ty)));
            }
            Ground::Named(instance) => {
                return Some(MemoryPiece::Cell { instance: *instance, at, ty }.term(self.pool));
            }
            Ground::Zero => {}
            Ground::Byte(byte) => bits = repeated(*byte, len),
            Ground::Data(o) => {
                let cairn_ir::Init::Static(data) = &self.program.objects[*o].init else { return None };
                // Both are sorted and disjoint.
                let first = data.relocs.partition_point(|r| r.offset + u64::from(r.bytes) <= at);
                if let Some(r) = data.relocs.get(first).filter(|r| r.offset < at + len) {
                    let start = (self.statics)(r.target).address(self.pool);
                    let addend = self.pool.bits(64, r.addend as u64 as u128);
                    let pointer = self.pool.bv_add(start, addend);
                    if r.offset == at && ty == Ty::Ptr {
                        return Some(pointer);
                    }
                    let flat = self.pointers.to_flat(self.pool, pointer);
                    if r.offset == at && u64::from(r.bytes) == len {
                        return Some(self.from_bits(flat, ty));
                    }
                    // A piece of an address: by bytes.
                    let mut value: Option<TermId> = None;
                    for i in at..at + len {
                        let byte = if (r.offset..r.offset + u64::from(r.bytes)).contains(&i) {
                            let low = (8 * (i - r.offset)) as u8;
                            self.pool.extract(low + 7, low, flat)
                        } else {
                            self.ground_value(ground, i, Ty::Int(IntTy::U8))?
                        };
                        value = Some(match value {
                            None => byte,
                            Some(low) => self.pool.concat(byte, low),
                        });
                    }
                    return value.map(|v| self.from_bits(v, ty));
                }
                let first = data.bytes.partition_point(|(start, bytes)| start + bytes.len() as u64 <= at);
                for (start, bytes) in data.bytes[first..].iter().take_while(|(start, _)| *start < at + len) {
                    for i in 0..len {
                        let at = at + i;
                        if at >= *start && at - start < bytes.len() as u64 {
                            bits |= u128::from(bytes[(at - start) as usize]) << (8 * i);
                        }
                    }
                }
            }
        }
        Some(match ty {
            Ty::Ptr => {
                let flat = self.pool.bits(self.model().ptr_bits(), bits);
                self.pointers.from_flat(self.pool, flat)
            }
            Ty::Int(i) => self.pool.bits(i.bits, bits & i.mask()),
            Ty::Float(f) => self.pool.bits(f.bits(), bits & float_mask(f)),
            Ty::Bool => self.pool.bool(bits & 1 != 0),
        })
    }

    pub fn write_at(&mut self, content: &mut Content, at: u64, ty: Ty, value: TermId) {
        let model = self.model();
        let len = self.bytes(ty);
        let Content::Cells { cells, .. } = content else { unreachable!("cells are wanted") };
        let mut pieces = Vec::new();
        for start in overlaps(cells, at, len, model).collect::<Vec<_>>() {
            let cell = cells[&start].clone();
            cells.remove(&start);
            let end = start + cell.ty.bytes(model);
            if start < at || end > at + len {
                pieces.push((start, end, cell));
            }
        }
        for (start, end, cell) in pieces {
            let bits = self.to_bits(cell.value, cell.ty);
            for i in (start..end).filter(|i| *i < at || *i >= at + len) {
                let low = (8 * (i - start)) as u8;
                let byte = self.pool.extract(low + 7, low, bits);
                cells.insert(i, Cell { value: byte, ty: Ty::Int(IntTy::U8) });
            }
        }
        cells.insert(at, Cell { value, ty });
    }

    /// The content that is `a` if `cond` holds and `b` otherwise.
    pub fn merge(&mut self, cond: TermId, a: &Content, b: &Content) -> Content {
        match (a, b) {
            (Content::Cells { cells: x, ground: g }, Content::Cells { cells: y, ground: h }) if g == h => {
                if x.ptr_eq(y) {
                    return a.clone();
                }
                let differing: Vec<(u64, Ty)> = x
                    .diff(y)
                    .map(|d| match d {
                        imbl::ordmap::DiffItem::Add(at, c) | imbl::ordmap::DiffItem::Remove(at, c) => {
                            (*at, c.ty)
                        }
                        imbl::ordmap::DiffItem::Update { old: (at, c), .. } => (*at, c.ty),
                    })
                    .collect();
                let (mut left, mut right, mut out) = (a.clone(), b.clone(), b.clone());
                for (at, ty) in differing {
                    if self.brake.pulled() {
                        break;
                    }
                    let (p, q) = (self.read_at(&mut left, at, ty), self.read_at(&mut right, at, ty));
                    let value = self.pool.ite(cond, p, q);
                    self.write_at(&mut out, at, ty, value);
                }
                out
            }
            _ => {
                let elem = match (a, b) {
                    (Content::Array { elem, .. }, _) | (_, Content::Array { elem, .. }) => *elem,
                    _ => Ty::Int(IntTy::U8),
                };
                let (mut left, mut right) = (a.clone(), b.clone());
                self.make_array(&mut left, elem);
                self.make_array(&mut right, elem);
                match (left, right) {
                    (Content::Array { elem: e, array: p }, Content::Array { elem: f, array: q })
                        if e == f =>
                    {
                        Content::Array { elem: e, array: self.pool.ite(cond, p, q) }
                    }
                    // Arrays of different elements: both by bytes.
                    (left, right) => {
                        let p = self.as_bytes(&left);
                        let q = self.as_bytes(&right);
                        Content::Array { elem: Ty::Int(IntTy::U8), array: self.pool.ite(cond, p, q) }
                    }
                }
            }
        }
    }

    /// An array of bytes with the same content. Only for objects of known, moderate size; others
    /// become unknown where they differ from what was written, which loses precision but no truth.
    fn as_bytes(&mut self, content: &Content) -> TermId {
        let (index, element) = (self.pool.bits_sort(32), self.pool.bits_sort(8));
        let sort = self.pool.array_sort(index, element);
        let mut out = self.pool.fresh("bytes", sort);
        let mut source = content.clone();
        for at in 0..self.size.unwrap_or(0).min(4096) {
            if self.brake.pulled() {
                break;
            }
            let offset = self.pool.bits(64, at.into());
            let byte = self.read(&mut source, offset, Ty::Int(IntTy::U8));
            let i = self.pool.bits(32, at.into());
            out = self.pool.store(out, i, byte);
        }
        out
    }
}

/// A byte, so many times.
fn repeated(byte: u8, times: u64) -> u128 {
    (0..times).fold(0, |word, _| word << 8 | u128::from(byte))
}

fn float_mask(f: FloatTy) -> u128 {
    if f.bits() == 128 { u128::MAX } else { (1 << f.bits()) - 1 }
}

/// The offsets of the cells that share a byte with `at..at + len`, ascending.
fn overlaps(
    cells: &OrdMap<u64, Cell>,
    at: u64,
    len: u64,
    model: DataModel,
) -> impl Iterator<Item = u64> + '_ {
    // No cell is longer than 16 bytes.
    let near = cells.range(at.saturating_sub(16)..at + len);
    near.filter(move |(start, c)| **start + c.ty.bytes(model) > at).map(|(start, _)| *start)
}

/// The number of the element at `offset`, modulo 2^32, if the offset is surely a multiple of
/// `step` whenever it lies within an object (of less than 2 GiB).
fn divide(pool: &mut Pool, offset: TermId, step: u64) -> Option<TermId> {
    if step.is_power_of_two() {
        let zeroes = step.trailing_zeros() as u8;
        if zeroes > 0 {
            let low = pool.extract(zeroes - 1, 0, offset);
            if pool.as_bits(low) != Some(0) {
                return None;
            }
        }
        return Some(pool.extract(31 + zeroes, zeroes, offset));
    }
    let quotient = quotient(pool, offset, step)?;
    Some(pool.extract(31, 0, quotient))
}

/// `offset / step` for a term that is a multiple of `step` by its form and does not wrap.
fn quotient(pool: &mut Pool, offset: TermId, step: u64) -> Option<TermId> {
    if let Some(bits) = pool.as_bits(offset) {
        let value = bits as u64 as i64;
        return (value % step as i64 == 0).then(|| pool.bits(64, (value / step as i64) as u64 as u128));
    }
    let args: Vec<TermId> = pool.args(offset).to_vec();
    match (pool.op(offset), &args[..]) {
        (Op::BvAdd, _) => {
            let mut sum = pool.bits(64, 0);
            for a in args {
                let part = quotient(pool, a, step)?;
                sum = pool.bv_add(sum, part);
            }
            Some(sum)
        }
        (Op::BvMul, &[a, b]) => {
            let (factor, other) = if pool.as_bits(a).is_some() { (a, b) } else { (b, a) };
            let factor = pool.as_bits(factor)?;
            let narrow = matches!(pool.op(other), Op::SignExt(n) | Op::ZeroExt(n) if n >= 32);
            let fits = factor % u128::from(step) == 0 && factor < 1 << 30 && narrow;
            fits.then(|| {
                let scale = pool.bits(64, factor / u128::from(step));
                pool.bv_mul(scale, other)
            })
        }
        (Op::Ite, &[c, a, b]) => {
            let (a, b) = (quotient(pool, a, step)?, quotient(pool, b, step)?);
            Some(pool.ite(c, a, b))
        }
        (Op::BvNeg, &[a]) => {
            let a = quotient(pool, a, step)?;
            Some(pool.bv_neg(a))
        }
        _ => None,
    }
}
