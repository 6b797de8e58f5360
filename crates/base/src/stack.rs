//! Room for deep recursion. Parsing, checking, lowering and dropping a tree all
//! recurse along its nesting, and real inputs (generated code, hostile files)
//! nest by the ten thousand; the limit on nesting that the parser enforces is
//! chosen so that every phase fits into the stack made here.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{self, Scope, ScopedJoinHandle};

/// Bytes of stack given to [`with_big_stack`]; pages are only paid for when touched.
pub const BIG_STACK: usize = 512 << 20;
/// No stack is made smaller than this.
const LEAST: usize = 4 << 20;

/// What a stack may take of the address space.
static ROOM: AtomicUsize = AtomicUsize::new(BIG_STACK);

/// Makes stacks no larger than this from now on: for a process whose address space is limited.
pub fn set_room(bytes: usize) {
    ROOM.store(bytes.clamp(LEAST, BIG_STACK), Ordering::Relaxed);
}

/// Starts a thread with a very large stack, or one as large as is to be had. Where the system
/// starts none at all, the function is given back.
pub fn spawn_big<'s, 'e, R, F>(scope: &'s Scope<'s, 'e>, f: F) -> Result<ScopedJoinHandle<'s, R>, F>
where
    R: Send + 's,
    F: FnOnce() -> R + Send + 's,
{
    // A thread that is not started takes the function with it, unless it lies elsewhere.
    let slot = std::sync::Arc::new(Mutex::new(Some(f)));
    let mut size = ROOM.load(Ordering::Relaxed);
    loop {
        let own = slot.clone();
        let take = move || own.lock().unwrap_or_else(PoisonError::into_inner).take();
        let run = move || take().expect("only one thread is started")();
        match thread::Builder::new().stack_size(size).spawn_scoped(scope, run) {
            Ok(worker) => return Ok(worker),
            Err(_) if size > LEAST => size /= 2,
            Err(_) => break,
        }
    }
    let left = slot.lock().unwrap_or_else(PoisonError::into_inner).take();
    Err(left.expect("no thread was started"))
}

/// Runs `f` on a thread with a very large stack and hands its result back. A
/// panic of `f` goes on in the caller.
pub fn with_big_stack<R: Send>(f: impl FnOnce() -> R + Send) -> R {
    thread::scope(|scope| match spawn_big(scope, f) {
        Ok(worker) => worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
        Err(f) => f(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recursion_far_beyond_a_normal_stack() {
        fn down(n: u64) -> u64 {
            let frame = std::hint::black_box([n; 64]);
            if n == 0 { 0 } else { down(n - 1) + frame[63] / n }
        }
        assert_eq!(with_big_stack(|| down(100_000)), 100_000);
    }
}
