//! Host memory for objects.
//!
//! A block holds the bytes of one object and, behind them, one shadow byte per
//! byte. Small blocks are cut from chunks and kept in free lists by size class,
//! so that the birth and death of a local in every loop iteration costs a few
//! instructions. The largest come straight from the system, which clears a page
//! when the program first touches it: an allocator would clear what it gives out
//! again, gigabytes of it.

use std::alloc::{Layout, alloc, alloc_zeroed, dealloc};
use std::collections::BTreeMap;
use std::ptr;

/// Blocks up to this many bytes are cut from chunks.
const SMALL: usize = 64 << 10;
/// Blocks up to this many bytes are kept for reuse when they die.
const KEPT: usize = 16 << 20;
const CHUNK: usize = 1 << 20;
const ALIGN: usize = 16;
const CLASSES: usize = KEPT.trailing_zeros() as usize + 1;

/// What a new block must contain.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Content {
    /// Anything, with a shadow that says so.
    Uninit,
    /// Zeroes; the shadow is left alone.
    Zero,
}

pub struct Blocks {
    free: [Vec<*mut u8>; CLASSES],
    /// The unused rest of the last chunk.
    next: *mut u8,
    left: usize,
    owned: Vec<(*mut u8, Layout)>,
    /// The blocks that are not kept, by address.
    huge: BTreeMap<usize, memmap2::MmapMut>,
}

/// Distance from a byte of a block to its shadow byte.
pub fn capacity(size: usize) -> usize {
    match class(size) {
        Some(c) => 1 << c,
        None => size.next_multiple_of(ALIGN),
    }
}

fn class(size: usize) -> Option<usize> {
    (size <= KEPT).then(|| size.max(ALIGN).next_power_of_two().trailing_zeros() as usize)
}

fn large_layout(size: usize) -> Option<Layout> {
    Layout::from_size_align(capacity(size).checked_mul(2)?, ALIGN).ok()
}

impl Default for Blocks {
    fn default() -> Blocks {
        let free = [const { Vec::new() }; CLASSES];
        Blocks { free, next: ptr::null_mut(), left: 0, owned: Vec::new(), huge: BTreeMap::new() }
    }
}

impl Blocks {
    /// A block for `size` bytes, or `None` if the host has no memory left.
    pub fn take(&mut self, size: usize, content: Content) -> Option<*mut u8> {
        let Some(class) = class(size) else {
            let len = large_layout(size)?.size();
            let mut pages = memmap2::MmapOptions::new().len(len).no_reserve_swap().map_anon().ok()?;
            let block = pages.as_mut_ptr();
            self.huge.insert(block.addr(), pages);
            return Some(block);
        };
        let cap = 1usize << class;
        let (block, zeroed) = match self.free[class].pop() {
            Some(block) => (block, false),
            None if cap <= SMALL => (self.cut(2 * cap)?, false),
            None => {
                let layout = large_layout(size)?;
                // SAFETY: the layout is not empty.
                let block = unsafe { alloc_zeroed(layout) };
                if block.is_null() {
                    return None;
                }
                self.owned.push((block, layout));
                (block, true)
            }
        };
        if !zeroed {
            // SAFETY: the block has `2 * cap` bytes and `size <= cap`.
            unsafe {
                match content {
                    Content::Uninit => ptr::write_bytes(block.add(cap), 0, size),
                    Content::Zero => ptr::write_bytes(block, 0, size),
                }
            }
        }
        Some(block)
    }

    /// Gives a block of `take(size, _)` back.
    pub fn give(&mut self, block: *mut u8, size: usize) {
        match class(size) {
            Some(class) => self.free[class].push(block),
            None => drop(self.huge.remove(&block.addr())),
        }
    }

    fn cut(&mut self, bytes: usize) -> Option<*mut u8> {
        if self.left < bytes {
            let layout = Layout::from_size_align(CHUNK, ALIGN).ok()?;
            // SAFETY: the layout is not empty.
            let chunk = unsafe { alloc(layout) };
            if chunk.is_null() {
                return None;
            }
            self.owned.push((chunk, layout));
            (self.next, self.left) = (chunk, CHUNK);
        }
        let block = self.next;
        // SAFETY: `bytes <= left`, so the result is in the chunk or one past it.
        self.next = unsafe { block.add(bytes) };
        self.left -= bytes;
        Some(block)
    }
}

impl Drop for Blocks {
    fn drop(&mut self) {
        for &(block, layout) in &self.owned {
            // SAFETY: allocated with this layout and never freed elsewhere.
            unsafe { dealloc(block, layout) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_reused_and_their_shadow_is_cleared() {
        let mut blocks = Blocks::default();
        let a = blocks.take(40, Content::Uninit).unwrap();
        unsafe { ptr::write_bytes(a.add(capacity(40)), 0xff, 40) };
        blocks.give(a, 40);
        let b = blocks.take(50, Content::Uninit).unwrap();
        assert_eq!(a, b, "both sizes belong to the class of 64 bytes");
        for i in 0..50 {
            assert_eq!(unsafe { *b.add(capacity(50) + i) }, 0);
        }
    }

    #[test]
    fn a_huge_zero_block_is_cheap() {
        let mut blocks = Blocks::default();
        let size = 3usize << 30;
        let a = blocks.take(size, Content::Zero).unwrap();
        assert_eq!(unsafe { *a.add(size - 1) }, 0);
        blocks.give(a, size);
    }

    /// An array of a random length took seconds in a run that had milliseconds.
    #[test]
    fn huge_blocks_are_cheap_again_and_again() {
        let mut blocks = Blocks::default();
        let (size, begin) = (3usize << 30, std::time::Instant::now());
        for _ in 0..200 {
            let a = blocks.take(size, Content::Uninit).unwrap();
            unsafe { *a.add(size / 2) = 1 };
            blocks.give(a, size);
        }
        assert!(blocks.huge.is_empty());
        assert!(begin.elapsed() < std::time::Duration::from_secs(10), "{:?}", begin.elapsed());
    }
}
