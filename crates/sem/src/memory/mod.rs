//! Memory as a table of objects.
//!
//! A pointer held in a register is 64 bits: the id of an object in the high
//! half, an offset in the low half; id 0 is no object (null and plain
//! numbers). The table has one 32-byte [`Entry`] per id, laid out for compiled
//! code: an access of `n` bytes at `p` is good if `p.id < len` and
//! `p.offset + n <= table[p.id].size` (`wsize` for a write), because a dead or
//! unreadable object has size 0. What reports need is kept aside in [`Cold`].
//!
//! * LP64: that 64-bit word *is* the address. Going below offset 0 borrows from
//!   the id and lands far outside the neighbour, since no neighbour of an
//!   object is larger than 2 GiB.
//! * ILP32: memory and integers hold flat 32-bit addresses, see `flat.rs`;
//!   arithmetic wraps in the low half and never leaves the object's id.
//!
//! Initialisation is tracked by one shadow byte per byte, a mask of its
//! initialised bits. A null shadow means that every bit is initialised.
//!
//! The id of a dead object rests in a queue and is used again only when
//! [`QUARANTINE`] other ids have died after it, so that a dangling pointer is
//! recognised unless that many objects died in between. Locals whose address
//! is never kept anywhere skip the queue: nothing can dangle.

mod blocks;
pub mod flat;
mod layout;

use std::collections::VecDeque;
use std::ptr;

use cairn_base::DataModel;
use cairn_ir::{EdgeId, FuncId, LabelId, ObjId};

pub use blocks::Content;
use blocks::{Blocks, capacity};
use flat::FlatSpace;
use layout::Layout;

/// Dead ids that wait before the first of them is used again.
pub const QUARANTINE: usize = 1 << 20;

/// The largest object. (Pointers have 32 bits of offset, and the end must be an offset too.)
pub const MAX_OBJECT: u64 = u32::MAX as u64;

/// Objects above this size leave the following id unused.
const MAX_NEIGHBOUR: u64 = 1 << 31;

/// What generated code sees of an object.
#[repr(C)]
#[derive(Copy, Clone, Debug)]
pub struct Entry {
    /// Host address of byte 0.
    pub base: *mut u8,
    /// Host address of the shadow of byte 0, or null if all of the object is initialised.
    pub shadow: *mut u8,
    /// Bytes that may be read: the size, or 0 if the object is dead or code.
    pub size: u32,
    /// Bytes that may be written: `size`, or 0 if the object is read-only.
    pub wsize: u32,
    /// [`LIVE`] and its kin.
    pub flags: u32,
    /// ILP32: the flat base, 0 while none is assigned.
    pub flat: u32,
}

/// The object is alive. (One of size 0 can be alive too.)
pub const LIVE: u32 = 1;
/// A function or a label.
pub const CODE: u32 = 2;
/// Made by `malloc` and its kin: may be freed.
pub const HEAP: u32 = 4;
/// A local whose address is kept nowhere: its id is used again at once.
pub const PRIVATE: u32 = 8;

/// The id of no object.
pub const NULL_ID: u32 = 0;
/// The id that stands for a private local outside its lifetime.
pub const GONE_ID: u32 = 1;

pub const fn pointer(id: u32, offset: u32) -> u64 {
    (id as u64) << 32 | offset as u64
}

pub const fn id_of(p: u64) -> u32 {
    (p >> 32) as u32
}

pub const fn offset_of(p: u64) -> u32 {
    p as u32
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// No object: null, plain numbers, guard ids.
    Nothing,
    /// A private local outside its lifetime.
    Gone,
    Static,
    Const,
    Local,
    Heap,
    Alloca,
    Vla,
    /// Strings and vectors of the program's arguments.
    Argument,
    Func(FuncId),
    Label(LabelId),
}

/// What only reports and deallocation need to know.
#[derive(Copy, Clone, Debug)]
pub struct Cold {
    pub kind: Kind,
    /// The object of the program this is an instance of.
    pub obj: Option<ObjId>,
    /// The edge that made it, and the one that ended it.
    pub born: Option<EdgeId>,
    pub died: Option<EdgeId>,
    /// The size while it lived.
    pub size: u32,
    /// Number of objects made before it; tells two uses of one id apart.
    pub serial: u64,
}

/// Why an access failed.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    Null,
    /// The id names no object that ever was.
    NoObject,
    Dead,
    OutOfBounds,
    ReadOnly,
    Code,
    /// The byte at this distance from the start of the access is not initialised.
    Uninit(u32),
}

/// The memory limit was hit.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct OutOfMemory;

pub struct Memory {
    pub model: DataModel,
    table: Vec<Entry>,
    cold: Vec<Cold>,
    dead: VecDeque<u32>,
    spare: Vec<u32>,
    blocks: Blocks,
    /// The block of all static objects and its size.
    statics: *mut u8,
    statics_size: usize,
    flat: Option<FlatSpace>,
    /// For programs that say where objects lie.
    layout: Option<Box<Layout>>,
    /// Bytes of live objects, and how many there may be.
    live: u64,
    limit: u64,
    births: u64,
}

const EMPTY: Entry =
    Entry { base: ptr::null_mut(), shadow: ptr::null_mut(), size: 0, wsize: 0, flags: 0, flat: 0 };
const NOTHING: Cold = Cold { kind: Kind::Nothing, obj: None, born: None, died: None, size: 0, serial: 0 };

impl Memory {
    /// `placed`: the program says where objects lie.
    pub fn new(model: DataModel, limit: u64, placed: bool) -> Memory {
        let flat = (model == DataModel::Ilp32 && !placed).then(FlatSpace::default);
        let layout = placed.then(|| Box::new(Layout::new(model)));
        Memory {
            model,
            table: vec![EMPTY, EMPTY],
            cold: vec![NOTHING, Cold { kind: Kind::Gone, ..NOTHING }],
            dead: VecDeque::new(),
            spare: Vec::new(),
            blocks: Blocks::default(),
            statics: ptr::null_mut(),
            statics_size: 0,
            flat,
            layout,
            live: 0,
            limit,
            births: 0,
        }
    }

    /// Does the program say where objects lie?
    pub fn is_placed(&self) -> bool {
        self.layout.is_some()
    }

    /// The table, for generated code. Moves when objects are made.
    pub fn table(&self) -> &[Entry] {
        &self.table
    }

    pub fn entry(&self, id: u32) -> Option<&Entry> {
        self.table.get(id as usize)
    }

    pub fn cold(&self, id: u32) -> Option<&Cold> {
        self.cold.get(id as usize)
    }

    /// Makes room for all static objects at once. Call before the first `add_static`.
    pub fn reserve_statics(&mut self, bytes: u64) -> Result<(), OutOfMemory> {
        if bytes > self.limit {
            return Err(OutOfMemory);
        }
        self.statics_size = bytes as usize;
        self.statics = self.blocks.take(self.statics_size, Content::Zero).ok_or(OutOfMemory)?;
        Ok(())
    }

    /// A static object at `at` in the reserved room, zero and initialised.
    pub fn add_static(&mut self, obj: ObjId, at: u64, size: u64, readonly: bool) -> Result<u32, OutOfMemory> {
        let size32 = u32::try_from(size).map_err(|_| OutOfMemory)?;
        assert!(at + size <= self.statics_size as u64);
        let id = self.fresh_id(size);
        self.live += size;
        self.births += 1;
        self.table[id as usize] = Entry {
            // SAFETY: within the reserved room, as asserted.
            base: unsafe { self.statics.add(at as usize) },
            size: size32,
            wsize: if readonly { 0 } else { size32 },
            flags: LIVE,
            ..EMPTY
        };
        let kind = if readonly { Kind::Const } else { Kind::Static };
        self.cold[id as usize] = Cold { kind, obj: Some(obj), size: size32, serial: self.births, ..NOTHING };
        Ok(id)
    }

    /// Sets bytes of a static object, read-only or not.
    pub fn poke(&mut self, id: u32, at: u64, data: &[u8]) {
        let e = &self.table[id as usize];
        let at = at.min(u64::from(e.size)) as usize;
        let n = data.len().min(e.size as usize - at);
        // SAFETY: clamped to the object.
        unsafe { ptr::copy_nonoverlapping(data.as_ptr(), e.base.add(at), n) }
    }

    /// A function or a label.
    pub fn add_code(&mut self, kind: Kind) -> u32 {
        let id = self.fresh_id(0);
        self.table[id as usize].flags = LIVE | CODE;
        self.cold[id as usize].kind = kind;
        id
    }

    /// A new object. `flags` may hold `HEAP` or `PRIVATE`.
    pub fn create(
        &mut self,
        kind: Kind,
        obj: Option<ObjId>,
        size: u64,
        content: Content,
        flags: u32,
        born: Option<EdgeId>,
    ) -> Result<u32, OutOfMemory> {
        if size > MAX_OBJECT || size > self.limit - self.live.min(self.limit) {
            return Err(OutOfMemory);
        }
        let bytes = size as usize;
        let base = self.blocks.take(bytes, content).ok_or(OutOfMemory)?;
        let id = if flags & PRIVATE != 0 && size <= MAX_NEIGHBOUR {
            match self.spare.pop() {
                Some(id) => id,
                None => self.fresh_id(size),
            }
        } else if self.dead.len() > QUARANTINE && size <= MAX_NEIGHBOUR {
            self.dead.pop_front().unwrap_or(NULL_ID)
        } else {
            self.fresh_id(size)
        };
        if let Some(layout) = &mut self.layout {
            layout.forget(id);
        }
        self.live += size;
        self.births += 1;
        let shadow = match content {
            // SAFETY: blocks have `capacity` bytes of shadow behind their bytes.
            Content::Uninit => unsafe { base.add(capacity(bytes)) },
            Content::Zero => ptr::null_mut(),
        };
        let size = size as u32;
        self.table[id as usize] = Entry { base, shadow, size, wsize: size, flags: flags | LIVE, flat: 0 };
        self.cold[id as usize] = Cold { kind, obj, born, died: None, size, serial: self.births };
        Ok(id)
    }

    /// Ends a live object made by `create`.
    pub fn kill(&mut self, id: u32, died: Option<EdgeId>) {
        let entry = &mut self.table[id as usize];
        debug_assert!(entry.flags & (LIVE | CODE) == LIVE);
        let cold = &mut self.cold[id as usize];
        cold.died = died;
        self.live -= u64::from(cold.size);
        self.blocks.give(entry.base, cold.size as usize);
        if entry.flat != 0
            && let Some(flat) = &mut self.flat
        {
            flat.release(entry.flat, cold.size);
        }
        if let Some(layout) = &mut self.layout {
            layout.release(id);
        }
        let (flat, private) = (entry.flat, entry.flags & PRIVATE != 0);
        *entry = Entry { flat, ..EMPTY };
        if private {
            self.spare.push(id);
        } else {
            self.dead.push_back(id);
        }
    }

    pub fn is_live(&self, id: u32) -> bool {
        self.entry(id).is_some_and(|e| e.flags & LIVE != 0)
    }

    fn fresh_id(&mut self, size: u64) -> u32 {
        let id = self.table.len() as u32;
        let ids = if size > MAX_NEIGHBOUR { 2 } else { 1 };
        self.table.resize(self.table.len() + ids, EMPTY);
        self.cold.resize(self.cold.len() + ids, NOTHING);
        id
    }

    /// All live heap objects, oldest first.
    pub fn live_heap(&self) -> Vec<u32> {
        let mut ids: Vec<u32> = (0..self.table.len() as u32)
            .filter(|&id| self.table[id as usize].flags & (LIVE | HEAP) == LIVE | HEAP)
            .collect();
        ids.sort_by_key(|&id| self.cold[id as usize].serial);
        ids
    }

    // Access.

    /// The host address of `n` readable bytes at `p`; null if the access is bad.
    #[inline(always)]
    pub fn readable(&self, p: u64, n: u32) -> *mut u8 {
        match self.table.get((p >> 32) as usize) {
            Some(e) if (p & 0xffff_ffff) + u64::from(n) <= u64::from(e.size) => {
                // SAFETY: in bounds of the object.
                unsafe { e.base.add(offset_of(p) as usize) }
            }
            _ => ptr::null_mut(),
        }
    }

    /// The entry and offset of `n` readable bytes.
    #[inline(always)]
    pub fn reading(&self, p: u64, n: u32) -> Option<&Entry> {
        self.table.get((p >> 32) as usize).filter(|e| (p & 0xffff_ffff) + u64::from(n) <= u64::from(e.size))
    }

    #[inline(always)]
    pub fn writing(&self, p: u64, n: u32) -> Option<&Entry> {
        self.table.get((p >> 32) as usize).filter(|e| (p & 0xffff_ffff) + u64::from(n) <= u64::from(e.wsize))
    }

    /// Why `n` bytes at `p` cannot be accessed (initialisation aside).
    pub fn diagnose(&self, p: u64, n: u64, write: bool) -> Option<Fault> {
        let id = id_of(p);
        // An offset that borrowed from the id belongs to the object above.
        if self.below(p).is_some() {
            return Some(Fault::OutOfBounds);
        }
        let Some(e) = self.entry(id) else { return Some(Fault::NoObject) };
        let end = u64::from(offset_of(p)) + n;
        if id == NULL_ID {
            return Some(if offset_of(p) < 1 << 16 { Fault::Null } else { Fault::NoObject });
        }
        match self.cold[id as usize].kind {
            Kind::Nothing => return Some(Fault::NoObject),
            Kind::Gone => return Some(Fault::Dead),
            _ => {}
        }
        if e.flags & CODE != 0 {
            return Some(Fault::Code);
        }
        if e.flags & LIVE == 0 {
            return Some(Fault::Dead);
        }
        if end > u64::from(e.size) {
            return Some(Fault::OutOfBounds);
        }
        (write && end > u64::from(e.wsize)).then_some(Fault::ReadOnly)
    }

    /// LP64: if `p` lies below the start of an object, that object and the (negative) offset.
    pub fn below(&self, p: u64) -> Option<(u32, i64)> {
        if self.model == DataModel::Ilp32 {
            return None;
        }
        let (id, offset) = (id_of(p), offset_of(p));
        let above = id.checked_add(1)?;
        let known = self.cold(above).is_some_and(|c| !matches!(c.kind, Kind::Nothing | Kind::Gone));
        let mine = self.cold(id).map_or(0, |c| c.size);
        (offset >= 1 << 31 && offset > mine && known).then(|| (above, i64::from(offset) - (1 << 32)))
    }

    /// `n` bytes that may be read, initialised or not.
    pub fn bytes(&self, p: u64, n: u32) -> Result<&[u8], Fault> {
        if n == 0 {
            return Ok(&[]);
        }
        match self.reading(p, n) {
            // SAFETY: in bounds of a live object; nothing else holds a reference into it.
            Some(e) => {
                Ok(unsafe { std::slice::from_raw_parts(e.base.add(offset_of(p) as usize), n as usize) })
            }
            None => Err(self.diagnose(p, n.into(), false).unwrap_or(Fault::OutOfBounds)),
        }
    }

    /// `n` initialised bytes.
    pub fn read(&self, p: u64, n: u32) -> Result<&[u8], Fault> {
        let bytes = self.bytes(p, n)?;
        match self.first_uninit(p, n) {
            Some(at) => Err(Fault::Uninit(at)),
            None => Ok(bytes),
        }
    }

    /// The first of `n` accessible bytes that is not wholly initialised.
    pub fn first_uninit(&self, p: u64, n: u32) -> Option<u32> {
        let shadow = self.shadow(p, n)?;
        shadow.iter().position(|&b| b != 0xff).map(|i| i as u32)
    }

    /// The shadow of `n` accessible bytes, if the object has one.
    pub fn shadow(&self, p: u64, n: u32) -> Option<&[u8]> {
        let e = self.reading(p, n)?;
        if e.shadow.is_null() || n == 0 {
            return None;
        }
        // SAFETY: the shadow is as long as the object.
        Some(unsafe { std::slice::from_raw_parts(e.shadow.add(offset_of(p) as usize), n as usize) })
    }

    /// Writes initialised bytes.
    pub fn write(&mut self, p: u64, data: &[u8]) -> Result<(), Fault> {
        if data.is_empty() {
            return Ok(());
        }
        let n = data.len() as u32;
        let Some(e) = self.writing(p, n) else {
            return Err(self.diagnose(p, n.into(), true).unwrap_or(Fault::OutOfBounds));
        };
        // SAFETY: in bounds of a live object.
        unsafe {
            ptr::copy_nonoverlapping(data.as_ptr(), e.base.add(offset_of(p) as usize), data.len());
            if !e.shadow.is_null() {
                ptr::write_bytes(e.shadow.add(offset_of(p) as usize), 0xff, data.len());
            }
        }
        Ok(())
    }

    /// Sets the shadow of one writable byte.
    pub fn set_shadow(&mut self, p: u64, mask: u8) {
        let id = id_of(p);
        if mask != 0xff {
            self.give_shadow(id);
        }
        let e = &self.table[id as usize];
        if !e.shadow.is_null() {
            // SAFETY: the caller has checked the bounds.
            unsafe { *e.shadow.add(offset_of(p) as usize) = mask }
        }
    }

    /// Gives an object that was wholly initialised a shadow of its own.
    fn give_shadow(&mut self, id: u32) {
        let e = &mut self.table[id as usize];
        if !e.shadow.is_null() {
            return;
        }
        let apart = match self.cold[id as usize].kind {
            Kind::Static | Kind::Const => capacity(self.statics_size),
            _ => capacity(e.size as usize),
        };
        // SAFETY: both kinds of room have a shadow part at that distance.
        unsafe {
            e.shadow = e.base.add(apart);
            ptr::write_bytes(e.shadow, 0xff, e.size as usize);
        }
    }

    /// Copies bytes and their shadow. The error says which side is at fault (`true`: `dst`).
    pub fn copy(&mut self, dst: u64, src: u64, n: u64) -> Result<(), (Fault, bool)> {
        if n == 0 {
            return Ok(());
        }
        let n32 = u32::try_from(n).unwrap_or(u32::MAX);
        let bad = |fault: Option<Fault>| fault.unwrap_or(Fault::OutOfBounds);
        let Some(from) = self.reading(src, n32).copied().filter(|_| n == u64::from(n32)) else {
            return Err((bad(self.diagnose(src, n, false)), false));
        };
        if self.writing(dst, n32).is_none() {
            return Err((bad(self.diagnose(dst, n, true)), true));
        }
        let (s, d, n) = (offset_of(src) as usize, offset_of(dst) as usize, n as usize);
        // SAFETY: both ranges are in bounds of live objects; `copy` allows overlap.
        unsafe {
            if !from.shadow.is_null() && self.table[id_of(dst) as usize].shadow.is_null() {
                let shadow = std::slice::from_raw_parts(from.shadow.add(s), n);
                if shadow.iter().any(|&b| b != 0xff) {
                    self.give_shadow(id_of(dst));
                }
            }
            let to = &self.table[id_of(dst) as usize];
            ptr::copy(from.base.add(s), to.base.add(d), n);
            if !to.shadow.is_null() {
                if from.shadow.is_null() {
                    ptr::write_bytes(to.shadow.add(d), 0xff, n);
                } else {
                    ptr::copy(from.shadow.add(s), to.shadow.add(d), n);
                }
            }
        }
        if let Some(layout) = &mut self.layout {
            layout.copy(dst, src, n as u64);
        }
        Ok(())
    }

    pub fn fill(&mut self, dst: u64, byte: u8, n: u64) -> Result<(), Fault> {
        if n == 0 {
            return Ok(());
        }
        let ok = u32::try_from(n).ok().and_then(|n| self.writing(dst, n));
        let Some(e) = ok else {
            return Err(self.diagnose(dst, n, true).unwrap_or(Fault::OutOfBounds));
        };
        // SAFETY: in bounds of a live object.
        unsafe {
            ptr::write_bytes(e.base.add(offset_of(dst) as usize), byte, n as usize);
            if !e.shadow.is_null() {
                ptr::write_bytes(e.shadow.add(offset_of(dst) as usize), 0xff, n as usize);
            }
        }
        Ok(())
    }

    // Addresses as numbers.

    /// The address of a pointer as a number of the model's width. ILP32 assigns a flat base to
    /// an object whose address is needed for the first time.
    pub fn address(&mut self, p: u64) -> Result<u64, OutOfMemory> {
        if self.layout.is_some() {
            return self.placed_address(p);
        }
        let Some(space) = &mut self.flat else { return Ok(p) };
        let id = id_of(p);
        if id == NULL_ID {
            return Ok(p);
        }
        let Some(e) = self.table.get_mut(id as usize) else { return Ok(u64::from(offset_of(p))) };
        if e.flat == 0 {
            let size = self.cold[id as usize].size;
            e.flat = space.assign(id, size).ok_or(OutOfMemory)?;
            if e.flags & LIVE == 0 {
                space.release(e.flat, size);
            }
        }
        Ok(u64::from(e.flat.wrapping_add(offset_of(p))))
    }

    fn placed_address(&mut self, p: u64) -> Result<u64, OutOfMemory> {
        let below = self.below(p);
        let Some(layout) = &mut self.layout else { return Ok(p) };
        if id_of(p) == NULL_ID && below.is_none() {
            return Ok(p);
        }
        if let Some(number) = layout.number_of(p) {
            return Ok(number);
        }
        let (id, offset) = match (below, self.model) {
            (Some(found), _) => found,
            (None, DataModel::Lp64) => (id_of(p), offset_of(p).into()),
            (None, DataModel::Ilp32) => (id_of(p), (offset_of(p) as i32).into()),
        };
        let base = match (layout.base(id), self.cold.get(id as usize)) {
            (Some(base), _) => base,
            (None, Some(cold)) => {
                let alive = self.table[id as usize].flags & LIVE != 0;
                layout.choose(id, cold.size.into(), alive).ok_or(OutOfMemory)?
            }
            (None, None) => return Ok(p),
        };
        let address = base.wrapping_add(offset as u64);
        Ok(if self.model == DataModel::Ilp32 { address & 0xffff_ffff } else { address })
    }

    /// Puts the object that `p` is the start of at an address. `false` if it cannot lie there.
    pub fn place(&mut self, p: u64, base: u64, align: u64) -> bool {
        let id = id_of(p);
        let (Some(layout), Some(cold)) = (&mut self.layout, self.cold.get(id as usize)) else { return true };
        // Where nothing is said, an address is chosen that suits every alignment in use.
        if base == 0 || id == NULL_ID {
            return true;
        }
        if align > 1 && !base.is_multiple_of(align) || !layout.place(id, cold.size.into(), base) {
            return false;
        }
        for (at, offset, bytes, target) in layout.relocs_of(id) {
            if let Ok(address) = self.address(target) {
                self.poke(at, offset, &address.to_le_bytes()[..usize::from(bytes.min(8))]);
            }
        }
        true
    }

    /// Does the object lie at a multiple of `align`? Unless that was said otherwise, it does.
    pub fn is_aligned(&self, p: u64, align: u64) -> bool {
        let base = self.layout.as_ref().and_then(|l| l.base(id_of(p)));
        base.is_none_or(|base| align == 0 || base.is_multiple_of(align))
    }

    /// An address in static data is that of `p`.
    pub fn relocate(&mut self, id: u32, at: u64, bytes: u8, p: u64) -> Result<(), OutOfMemory> {
        let address = self.address(p)?;
        self.poke(id, at, &address.to_le_bytes()[..usize::from(bytes.min(8))]);
        if let Some(layout) = &mut self.layout {
            layout.relocate(id, at, bytes, p);
        }
        Ok(())
    }

    /// The pointer `p` was stored at `at`.
    pub fn note_stored(&mut self, at: u64, p: u64) {
        if let Some(layout) = &mut self.layout {
            layout.store(at, id_of(p));
        }
    }

    /// The pointer whose address is stored at `at`.
    pub fn resolve_stored(&self, at: u64, address: u64) -> u64 {
        match &self.layout {
            Some(layout) => layout.load(at, address),
            None => self.resolve(address),
        }
    }

    /// ILP32: the pages of the address space, at an address that never changes.
    pub fn pages(&self) -> *const u32 {
        self.flat.as_ref().map_or(ptr::null(), |space| space.pages().as_ptr())
    }

    /// The pointer an address stands for.
    pub fn resolve(&self, address: u64) -> u64 {
        if let Some(layout) = &self.layout {
            return layout.resolve(address);
        }
        match &self.flat {
            None => address,
            Some(space) => {
                let address = address as u32;
                let id = space.resolve(address);
                pointer(id, address.wrapping_sub(self.table[id as usize].flat))
            }
        }
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // Blocks free what they keep; blocks beyond that size are freed one by one.
        for id in 0..self.table.len() {
            let (e, c) = (self.table[id], self.cold[id]);
            let own = !matches!(c.kind, Kind::Static | Kind::Const);
            if own && e.flags & (LIVE | CODE) == LIVE {
                self.blocks.give(e.base, c.size as usize);
            }
        }
        if !self.statics.is_null() {
            self.blocks.give(self.statics, self.statics_size);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heap(memory: &mut Memory, size: u64) -> u64 {
        pointer(memory.create(Kind::Heap, None, size, Content::Uninit, HEAP, None).unwrap(), 0)
    }

    #[test]
    fn faults_are_told_apart() {
        let mut m = Memory::new(DataModel::Lp64, 1 << 20, false);
        let p = heap(&mut m, 8);
        assert_eq!(m.read(p, 4), Err(Fault::Uninit(0)));
        m.write(p, &[1, 2, 3, 4]).unwrap();
        assert_eq!(m.read(p, 4), Ok(&[1, 2, 3, 4][..]));
        assert_eq!(m.read(p + 2, 4), Err(Fault::Uninit(2)));
        assert_eq!(m.read(p + 5, 4), Err(Fault::OutOfBounds));
        assert_eq!(m.read(p - 1, 1), Err(Fault::OutOfBounds));
        assert_eq!(m.below(p - 3), Some((id_of(p), -3)));
        assert_eq!(m.read(0, 1), Err(Fault::Null));
        assert_eq!(m.read(u64::MAX - 8, 1), Err(Fault::NoObject));
        m.kill(id_of(p), None);
        assert_eq!(m.write(p, &[1]), Err(Fault::Dead));
    }

    #[test]
    fn copies_carry_the_shadow() {
        let mut m = Memory::new(DataModel::Lp64, 1 << 20, false);
        let (p, q) = (heap(&mut m, 8), heap(&mut m, 8));
        m.write(p + 1, &[7]).unwrap();
        m.fill(q, 0, 8).unwrap();
        m.copy(q, p, 4).unwrap();
        assert_eq!(m.read(q, 1), Err(Fault::Uninit(0)));
        assert_eq!(m.read(q + 1, 1), Ok(&[7][..]));
        assert_eq!(m.read(q + 4, 4), Ok(&[0; 4][..]));
        let id = m.create(Kind::Heap, None, 8, Content::Zero, HEAP, None).unwrap();
        m.copy(pointer(id, 0), p, 2).unwrap();
        assert_eq!(m.read(pointer(id, 0), 1), Err(Fault::Uninit(0)));
        assert_eq!(m.read(pointer(id, 1), 7).unwrap()[0], 7);
    }

    #[test]
    fn the_limit_is_kept() {
        let mut m = Memory::new(DataModel::Lp64, 1000, false);
        let p = heap(&mut m, 600);
        assert!(m.create(Kind::Heap, None, 600, Content::Zero, HEAP, None).is_err());
        m.kill(id_of(p), None);
        assert!(m.create(Kind::Heap, None, 600, Content::Zero, HEAP, None).is_ok());
    }

    #[test]
    fn flat_addresses_go_there_and_back() {
        let mut m = Memory::new(DataModel::Ilp32, 1 << 20, false);
        let p = heap(&mut m, 8);
        let a = m.address(p + 8).unwrap();
        assert!(a <= u64::from(u32::MAX));
        assert_eq!(m.resolve(a), p + 8);
        assert_eq!(m.resolve(a - 8), p);
        assert_eq!(m.resolve(0), 0);
        assert_eq!(m.resolve(5), 5);
    }

    #[test]
    fn dead_ids_rest_before_they_are_used_again() {
        let mut m = Memory::new(DataModel::Lp64, 1 << 20, false);
        let first = heap(&mut m, 8);
        m.kill(id_of(first), None);
        for _ in 0..QUARANTINE {
            let p = heap(&mut m, 8);
            assert_ne!(id_of(p), id_of(first));
            m.kill(id_of(p), None);
        }
        assert_eq!(id_of(heap(&mut m, 8)), id_of(first));
    }
}
