//! Room for deep recursion. Parsing, checking, lowering and dropping a tree all
//! recurse along its nesting, and real inputs (generated code, hostile files)
//! nest by the ten thousand; the limit on nesting that the parser enforces is
//! chosen so that every phase fits into the stack made here.

use std::thread;

/// Bytes of stack given to [`with_big_stack`]; pages are only paid for when touched.
pub const BIG_STACK: usize = 512 << 20;

/// Runs `f` on a thread with a very large stack and hands its result back. A
/// panic of `f` goes on in the caller.
pub fn with_big_stack<R: Send>(f: impl FnOnce() -> R + Send) -> R {
    thread::scope(|scope| {
        let worker = thread::Builder::new()
            .stack_size(BIG_STACK)
            .spawn_scoped(scope, f)
            .expect("the system refuses to start a thread");
        worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
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
