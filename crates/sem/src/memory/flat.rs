//! The 32-bit address space of ILP32 programs.
//!
//! In registers a pointer names its object; in memory and in integers it is a
//! flat 32-bit address. An object gets its flat base the first time its address
//! is needed as a number, and with it a *territory*: the object and a gap after
//! it, so that a small overrun still resolves to the object that was overrun.
//!
//! The space is divided into pages of 64 KiB. While the first half of it
//! lasts, a territory is a run of whole pages (at least twice the object).
//! After that, small objects share pages cut into equal slots, with a gap of at
//! least 16 bytes. The territory of a dead object keeps resolving to it, and is
//! handed out again, oldest first, only after [`QUARANTINE`] others of its kind
//! died, or when nothing else is left.

use std::collections::{BTreeMap, VecDeque};

/// log2 of the size of a page.
pub const PAGE: u32 = 16;
const PAGES: u32 = 1 << (32 - PAGE);
/// Pages handed out generously: up to here.
const GENEROUS: u32 = PAGES / 2;
/// The last page that is handed out, so that no object ends at the top.
const LAST: u32 = PAGES - 16;
const MIN_GAP: u32 = 16;
const MIN_SLOT: u32 = 5;
const QUARANTINE: usize = 1 << 12;
/// Set in a page's word if the page is cut into slots; the rest is the index of its slab.
pub const SLAB: u32 = 1 << 31;

pub struct FlatSpace {
    /// For each page the id of the object it belongs to (0: none), or `SLAB | index`.
    pages: Vec<u32>,
    slabs: Vec<Slab>,
    /// The next page never used.
    fresh: u32,
    /// Territories of dead objects: runs by number of pages, slots by log2 of size.
    dead_runs: BTreeMap<u32, VecDeque<u32>>,
    dead_slots: [VecDeque<u32>; PAGE as usize + 1],
    /// Slots never used, by log2 of size.
    open: [Option<(u32, u32)>; PAGE as usize + 1],
}

struct Slab {
    shift: u32,
    ids: Box<[u32]>,
}

impl Default for FlatSpace {
    fn default() -> FlatSpace {
        FlatSpace {
            pages: vec![0; PAGES as usize],
            slabs: Vec::new(),
            fresh: 1,
            dead_runs: BTreeMap::new(),
            dead_slots: [const { VecDeque::new() }; PAGE as usize + 1],
            open: [None; PAGE as usize + 1],
        }
    }
}

/// Pages of a generous territory.
fn run_of(size: u32) -> u32 {
    let twice = u64::from(size) * 2 + u64::from(MIN_GAP);
    u32::try_from(twice.div_ceil(1 << PAGE)).unwrap_or(u32::MAX)
}

/// Pages of the least territory.
fn tight_run_of(size: u32) -> u32 {
    (u64::from(size) + u64::from(MIN_GAP)).div_ceil(1 << PAGE) as u32
}

/// log2 of the slot for a small object, if it is small enough to share a page.
fn slot_of(size: u32) -> Option<u32> {
    let need = size.checked_add(MIN_GAP)?.next_power_of_two().trailing_zeros().max(MIN_SLOT);
    (need < PAGE).then_some(need)
}

impl FlatSpace {
    /// The object in whose territory an address lies; 0 if there is none.
    pub fn resolve(&self, address: u32) -> u32 {
        let page = self.pages[(address >> PAGE) as usize];
        if page & SLAB == 0 {
            return page;
        }
        let slab = &self.slabs[(page & !SLAB) as usize];
        slab.ids[((address & ((1 << PAGE) - 1)) >> slab.shift) as usize]
    }

    /// For each page the id of the object it belongs to (0: none), or `SLAB | index`. The slice
    /// never moves.
    pub fn pages(&self) -> &[u32] {
        &self.pages
    }

    /// A territory for object `id`; `None` if the address space is full.
    pub fn assign(&mut self, id: u32, size: u32) -> Option<u32> {
        let run = run_of(size);
        if self.fresh.checked_add(run).is_some_and(|end| end <= GENEROUS) {
            return Some(self.fresh_run(id, run));
        }
        if let Some(shift) = slot_of(size) {
            return self.slot(id, shift);
        }
        let tight = tight_run_of(size);
        let old_run = self.old_run(tight, QUARANTINE);
        if let Some(base) = old_run {
            self.mark(base, tight, id);
            return Some(base << PAGE);
        }
        if self.fresh.checked_add(tight).is_some_and(|end| end <= LAST) {
            return Some(self.fresh_run(id, tight));
        }
        let base = self.old_run(tight, 0)?;
        self.mark(base, tight, id);
        Some(base << PAGE)
    }

    /// The object with this territory died.
    pub fn release(&mut self, base: u32, size: u32) {
        let page = self.pages[(base >> PAGE) as usize];
        if page & SLAB == 0 {
            let id = page;
            let first = base >> PAGE;
            let mut run = tight_run_of(size);
            while self.pages.get((first + run) as usize) == Some(&id) {
                run += 1;
            }
            self.dead_runs.entry(run).or_default().push_back(first);
        } else {
            let shift = self.slabs[(page & !SLAB) as usize].shift;
            self.dead_slots[shift as usize].push_back(base);
        }
    }

    fn fresh_run(&mut self, id: u32, run: u32) -> u32 {
        let base = self.fresh;
        self.fresh += run;
        self.mark(base, run, id);
        base << PAGE
    }

    fn mark(&mut self, base: u32, run: u32, id: u32) {
        self.pages[base as usize..(base + run) as usize].fill(id);
    }

    /// Takes the oldest dead run of at least `run` pages if more than `keep` of its length wait.
    fn old_run(&mut self, run: u32, keep: usize) -> Option<u32> {
        let (&len, _) = self.dead_runs.range(run..).find(|(_, q)| q.len() > keep)?;
        let queue = self.dead_runs.get_mut(&len)?;
        let base = queue.pop_front()?;
        // What is left over belongs to no object any more.
        self.mark(base, len, 0);
        if len > run {
            self.dead_runs.entry(len - run).or_default().push_back(base + run);
        }
        Some(base)
    }

    fn slot(&mut self, id: u32, shift: u32) -> Option<u32> {
        let s = shift as usize;
        if self.dead_slots[s].len() > QUARANTINE {
            let base = self.dead_slots[s].pop_front()?;
            return Some(self.mark_slot(base, id));
        }
        if self.open[s].is_none() {
            self.open[s] = self.new_slab(shift);
        }
        let Some((page, index)) = self.open[s] else {
            let base = self.dead_slots[s].pop_front()?;
            return Some(self.mark_slot(base, id));
        };
        self.open[s] = (index + 1 < 1 << (PAGE - shift)).then_some((page, index + 1));
        Some(self.mark_slot((page << PAGE) + (index << shift), id))
    }

    fn new_slab(&mut self, shift: u32) -> Option<(u32, u32)> {
        let page = if self.fresh < LAST {
            self.fresh += 1;
            self.fresh - 1
        } else {
            self.old_run(1, 0)?
        };
        let index = self.slabs.len() as u32;
        self.slabs.push(Slab { shift, ids: vec![0; 1 << (PAGE - shift)].into() });
        self.pages[page as usize] = SLAB | index;
        Some((page, 0))
    }

    fn mark_slot(&mut self, base: u32, id: u32) -> u32 {
        let page = self.pages[(base >> PAGE) as usize];
        let slab = &mut self.slabs[(page & !SLAB) as usize];
        slab.ids[((base & ((1 << PAGE) - 1)) >> slab.shift) as usize] = id;
        base
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn territories_resolve_with_their_gaps() {
        let mut flat = FlatSpace::default();
        let a = flat.assign(7, 100).unwrap();
        let b = flat.assign(8, 100_000).unwrap();
        assert_eq!(flat.resolve(a), 7);
        assert_eq!(flat.resolve(a + 60_000), 7);
        assert_eq!(flat.resolve(b + 150_000), 8);
        assert_eq!(flat.resolve(0), 0);
        assert_eq!(flat.resolve(12), 0);
    }

    #[test]
    fn a_million_small_objects_fit() {
        let mut flat = FlatSpace::default();
        let bases: Vec<u32> = (1..=1_000_000).map(|id| flat.assign(id, 12).unwrap()).collect();
        for (i, base) in bases.iter().enumerate() {
            assert_eq!(flat.resolve(*base + 12), i as u32 + 1);
        }
    }

    #[test]
    fn dead_territory_is_reused_only_late() {
        let mut flat = FlatSpace::default();
        for id in 1..=2_000_000u32 {
            let base = flat.assign(id, 20).unwrap();
            assert_eq!(flat.resolve(base + 20), id);
            flat.release(base, 20);
            assert_eq!(flat.resolve(base), id, "a dangling address still names the dead object");
        }
        let base = flat.assign(3_000_000, 700 << 20).unwrap();
        assert_eq!(flat.resolve(base + (700 << 20)), 3_000_000);
    }
}
