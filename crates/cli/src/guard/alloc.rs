//! The allocator: mimalloc, and a small reserve from which the watchdog's threads are
//! served when there is nothing else, so that a failed allocation is not the end of
//! the report.

use std::alloc::{GlobalAlloc, Layout};
use std::ffi::{c_int, c_void};
use std::ptr::{self, null_mut};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use mimalloc::MiMalloc;

use super::word::is_guard;

/// Bytes of the reserve; pages are only paid for when touched.
const RESERVE: usize = 8 << 20;

#[repr(align(4096))]
struct Reserve(std::cell::UnsafeCell<[u8; RESERVE]>);

// SAFETY: each piece is handed out once.
unsafe impl Sync for Reserve {}

static SPARE: Reserve = Reserve(std::cell::UnsafeCell::new([0; RESERVE]));
static USED: AtomicUsize = AtomicUsize::new(0);
static FAILED: AtomicBool = AtomicBool::new(false);

/// Was an allocation refused, here or in a library?
pub fn has_failed() -> bool {
    FAILED.load(Ordering::SeqCst)
}

unsafe extern "C" {
    fn mi_register_error(handler: Option<extern "C" fn(c_int, *mut c_void)>, arg: *mut c_void);
    fn mi_collect(force: bool);
}

extern "C" fn on_error(error: c_int, _: *mut c_void) {
    if error == libc::ENOMEM {
        FAILED.store(true, Ordering::SeqCst);
    }
}

/// Gives memory that was freed back to the system, as far as that is possible.
pub fn give_back() {
    // SAFETY: it may be called at any time.
    unsafe { mi_collect(true) };
}

/// Learns of allocations that fail in C and C++.
pub fn listen() {
    // SAFETY: the handler only sets a flag.
    unsafe { mi_register_error(Some(on_error), null_mut()) };
}

/// Compiling makes very many small objects: a third less time than with the system's allocator.
pub struct Allocator;

fn is_spare(p: *mut u8) -> bool {
    let first = SPARE.0.get() as usize;
    (first..first + RESERVE).contains(&(p as usize))
}

/// A piece of the reserve, for those who must not fail.
#[cold]
fn refused(layout: Layout) -> *mut u8 {
    FAILED.store(true, Ordering::SeqCst);
    if !is_guard() {
        return null_mut();
    }
    let size = layout.size() + layout.align();
    let at = USED.fetch_add(size, Ordering::SeqCst);
    if at + size > RESERVE {
        return null_mut();
    }
    let first = SPARE.0.get() as usize + at;
    (first.next_multiple_of(layout.align())) as *mut u8
}

// SAFETY: mimalloc's answers are passed on; pieces of the reserve are disjoint, aligned, zero, and
// never given back.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let p = unsafe { MiMalloc.alloc(layout) };
        if p.is_null() { refused(layout) } else { p }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        let p = unsafe { MiMalloc.alloc_zeroed(layout) };
        if p.is_null() { refused(layout) } else { p }
    }

    unsafe fn dealloc(&self, p: *mut u8, layout: Layout) {
        if !is_spare(p) {
            unsafe { MiMalloc.dealloc(p, layout) };
        }
    }

    unsafe fn realloc(&self, p: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if !is_spare(p) {
            let new = unsafe { MiMalloc.realloc(p, layout, size) };
            if !new.is_null() {
                return new;
            }
        }
        let Ok(wanted) = Layout::from_size_align(size, layout.align()) else { return null_mut() };
        let new = refused(wanted);
        if !new.is_null() {
            unsafe { ptr::copy_nonoverlapping(p, new, layout.size().min(size)) };
        }
        new
    }
}
