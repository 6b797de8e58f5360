//! The layout of memory as the program is told it.
//!
//! A program that looks at addresses as numbers says of each object where it lies
//! (`Builtin::Place`), and this keeps the book: which address belongs to which
//! object, alive or dead. Addresses of objects that were not placed are chosen
//! here, far from everything else, the first time they are needed.
//!
//! Objects may touch each other, and a new one may lie where a dead one was. So
//! an address alone does not always say which object a pointer in memory was
//! made from; where a pointer was stored, that is remembered.

use std::cell::RefCell;
use std::collections::BTreeMap;

use cairn_base::DataModel;
use rustc_hash::FxHashMap;

/// Set in the id of a pointer that is no object's: a number above 32 bits. The rest, but for the
/// lowest bit, is where its upper half is kept.
const NUMBER: u32 = 1 << 31;

/// Addresses that the program does not say are multiples of this, at least.
const APART: u64 = 1 << 16;

/// Where an object lies.
#[derive(Copy, Clone, Debug)]
struct Spot {
    base: u64,
    /// Bytes it occupies: at least one, so that no two things have one address.
    room: u64,
}

pub struct Layout {
    /// The greatest address.
    last: u64,
    /// Objects by base address.
    live: BTreeMap<u64, u32>,
    dead: BTreeMap<u64, u32>,
    spots: FxHashMap<u32, Spot>,
    /// Where the next object that was not placed may lie.
    next: u64,
    /// The objects that pointers in memory were made from, by where they are stored.
    stored: BTreeMap<u64, u32>,
    /// Upper halves of numbers that are no addresses of objects.
    numbers: RefCell<Vec<u32>>,
    /// Addresses in static data: the object and offset they are stored at, bytes, and the pointer.
    relocs: Vec<(u32, u64, u8, u64)>,
}

impl Layout {
    pub fn new(model: DataModel) -> Layout {
        let (last, next) = match model {
            DataModel::Lp64 => (u64::MAX, 0x7a3f_0000_0000),
            DataModel::Ilp32 => (u32::MAX.into(), 0xb000_0000),
        };
        Layout {
            last,
            live: BTreeMap::new(),
            dead: BTreeMap::new(),
            spots: FxHashMap::default(),
            next,
            stored: BTreeMap::new(),
            numbers: RefCell::default(),
            relocs: Vec::new(),
        }
    }

    /// The base of an object, if it has one.
    pub fn base(&self, id: u32) -> Option<u64> {
        self.spots.get(&id).map(|s| s.base)
    }

    /// Puts a live object at an address. `false` if it cannot lie there.
    pub fn place(&mut self, id: u32, size: u64, base: u64) -> bool {
        let room = size.max(1);
        // One past the end is an address, too.
        let fits = base != 0 && size.max(1) <= self.last - base;
        if !fits || self.clash(base, room).is_some_and(|other| other != id) {
            return false;
        }
        self.forget(id);
        self.live.insert(base, id);
        self.spots.insert(id, Spot { base, room });
        true
    }

    /// A live object that occupies one of these bytes.
    fn clash(&self, base: u64, room: u64) -> Option<u32> {
        let (&at, &id) = self.live.range(..base + room).next_back()?;
        (self.spots[&id].room > base.saturating_sub(at) || at >= base).then_some(id)
    }

    /// Chooses an address for an object. `None` if there is no room.
    pub fn choose(&mut self, id: u32, size: u64, alive: bool) -> Option<u64> {
        let room = size.max(1);
        let mut base = self.next;
        loop {
            if room > self.last.checked_sub(base)? {
                return None;
            }
            match self.clash(base, room) {
                None => break,
                Some(other) => {
                    let s = self.spots[&other];
                    base = (s.base + s.room).checked_next_multiple_of(APART)?;
                }
            }
        }
        self.next = (base + room + APART / 2).checked_next_multiple_of(APART)?;
        self.spots.insert(id, Spot { base, room });
        if alive {
            self.live.insert(base, id)
        } else {
            self.dead.insert(base, id)
        };
        Some(base)
    }

    /// The object died; its address may be used again.
    pub fn release(&mut self, id: u32) {
        if let Some(s) = self.spots.get(&id)
            && self.live.get(&s.base) == Some(&id)
        {
            self.live.remove(&s.base);
            self.dead.insert(s.base, id);
        }
    }

    /// The id is that of another object from now on, or of one that lies elsewhere.
    pub fn forget(&mut self, id: u32) {
        if let Some(s) = self.spots.remove(&id) {
            for map in [&mut self.live, &mut self.dead] {
                if map.get(&s.base) == Some(&id) {
                    map.remove(&s.base);
                }
            }
        }
    }

    /// The object an address belongs to and the offset there: one that is alive, one that was, one
    /// that ends there.
    fn object(&self, address: u64) -> Option<(u32, u64)> {
        let mut past = None;
        for map in [&self.live, &self.dead] {
            let Some((&base, &id)) = map.range(..=address).next_back() else { continue };
            let offset = address - base;
            match offset.cmp(&self.spots[&id].room) {
                std::cmp::Ordering::Less => return Some((id, offset)),
                std::cmp::Ordering::Equal => past = past.or(Some((id, offset))),
                std::cmp::Ordering::Greater => {}
            }
        }
        past
    }

    /// The pointer an address stands for, in register form.
    pub fn resolve(&self, address: u64) -> u64 {
        let address = address & self.last;
        match self.object(address) {
            Some((id, offset)) => super::pointer(id, offset as u32),
            None => self.number(address),
        }
    }

    /// A number that is the address of no object.
    fn number(&self, address: u64) -> u64 {
        let high = (address >> 32) as u32;
        if high == 0 {
            return address;
        }
        let mut numbers = self.numbers.borrow_mut();
        let at = numbers.iter().position(|&n| n == high).unwrap_or_else(|| {
            numbers.push(high);
            numbers.len() - 1
        });
        super::pointer(NUMBER | (2 * at as u32 + 1), address as u32)
    }

    /// The number that a pointer to no object is.
    pub fn number_of(&self, p: u64) -> Option<u64> {
        let id = super::id_of(p);
        if id & NUMBER == 0 {
            return None;
        }
        // Going below the start has borrowed from the id.
        let borrowed = u64::from(id & 1 == 0);
        let at = ((id & !NUMBER) as u64 + borrowed) / 2;
        let high = u64::from(*self.numbers.borrow().get(at as usize)?);
        Some((high.wrapping_sub(borrowed) << 32) | (p & 0xffff_ffff))
    }

    /// A pointer made from object `id` is stored at `at`.
    pub fn store(&mut self, at: u64, id: u32) {
        self.stored.insert(at, id);
    }

    /// The pointer whose address is stored at `at`.
    pub fn load(&self, at: u64, address: u64) -> u64 {
        if let Some(&id) = self.stored.get(&at)
            && let Some(s) = self.spots.get(&id)
            && (s.base..=s.base + s.room).contains(&address)
        {
            return super::pointer(id, (address - s.base) as u32);
        }
        self.resolve(address)
    }

    /// What is known of stored pointers is copied with them.
    pub fn copy(&mut self, dst: u64, src: u64, n: u64) {
        let known: Vec<(u64, u32)> =
            self.stored.range(src..src.saturating_add(n)).map(|(&at, &id)| (at - src, id)).collect();
        for (at, id) in known {
            self.stored.insert(dst + at, id);
        }
    }

    /// An address in static data.
    pub fn relocate(&mut self, id: u32, at: u64, bytes: u8, pointer: u64) {
        self.store(super::pointer(id, at as u32), super::id_of(pointer));
        self.relocs.push((id, at, bytes, pointer));
    }

    /// The addresses in static data that are those of an object.
    pub fn relocs_of(&self, id: u32) -> Vec<(u32, u64, u8, u64)> {
        self.relocs.iter().filter(|r| super::id_of(r.3) == id).copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::pointer;

    #[test]
    fn objects_may_touch_but_not_overlap() {
        let mut layout = Layout::new(DataModel::Lp64);
        assert!(layout.place(2, 16, 0x1000));
        assert!(!layout.place(3, 16, 0x100f));
        assert!(!layout.place(3, 0x2000, 0x800));
        assert!(layout.place(3, 16, 0x1010));
        assert!(layout.place(4, 16, 0xff0));
        assert!(!layout.place(5, 16, 0) && !layout.place(5, 16, u64::MAX - 15));
        assert_eq!(layout.resolve(0x1010), pointer(3, 0));
        assert_eq!(layout.resolve(0x1020), pointer(3, 16));
        // A pointer one past the end that is stored is still that of its object.
        layout.store(pointer(9, 0), 2);
        assert_eq!(layout.load(pointer(9, 0), 0x1010), pointer(2, 16));
    }

    #[test]
    fn the_address_of_the_dead_is_used_again() {
        let mut layout = Layout::new(DataModel::Ilp32);
        assert!(layout.place(2, 16, 0x1000));
        layout.release(2);
        assert_eq!(layout.resolve(0x1004), pointer(2, 4));
        assert!(layout.place(3, 8, 0x1000));
        assert_eq!(layout.resolve(0x1004), pointer(3, 4));
        assert_eq!(layout.base(2), Some(0x1000));
    }

    #[test]
    fn numbers_come_back() {
        let layout = Layout::new(DataModel::Lp64);
        for n in [0, 5, 0xffff_ffff, 0x1_0000_0000, 0xdead_beef_0000_0001, u64::MAX] {
            let p = layout.resolve(n);
            assert_eq!(layout.number_of(p).unwrap_or(p), n);
        }
        let p = layout.resolve(0x5_0000_0000);
        assert_eq!(layout.number_of(p - 1), Some(0x4_ffff_ffff));
    }

    #[test]
    fn chosen_addresses_avoid_placed_ones() {
        let mut layout = Layout::new(DataModel::Ilp32);
        assert!(layout.place(2, 0x2_0000, 0xafff_ffff));
        let base = layout.choose(3, 100, true).unwrap();
        assert!(base >= 0xb001_ffff);
        assert_ne!(layout.choose(4, 100, true), Some(base));
    }
}
