//! Signals that would end the process without a word: a stack that is too small for
//! a recursion, a library in C++ that aborts because it gets no memory, a fault. The
//! thread they come to stands still, and the watchdog prints what is known.

use std::mem::{MaybeUninit, zeroed};
use std::ptr::null_mut;
use std::sync::atomic::{AtomicI32, Ordering};

use libc::{SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, c_int, c_void, siginfo_t};

use super::alloc;
use super::word::{self, Stop};
use cairn_base::Limit;

/// An access so near to the top of the stack is one beyond its end.
const NEAR: usize = 1 << 20;
/// Stands for a stack that is too small, among the numbers of signals.
const STACK: c_int = 1000;

static CRASH: AtomicI32 = AtomicI32::new(0);

/// What came, if anything did.
pub fn stop() -> Option<Stop> {
    match CRASH.load(Ordering::SeqCst) {
        0 => None,
        SIGABRT if alloc::has_failed() => Some(Stop::Limit(Limit::Memory)),
        STACK => Some(Stop::Stack),
        SIGABRT => Some(Stop::Fault("a library ended the process (abort)".to_owned())),
        SIGFPE => Some(Stop::Fault("a crash (arithmetic)".to_owned())),
        SIGILL => Some(Stop::Fault("a crash (illegal instruction)".to_owned())),
        _ => Some(Stop::Fault("a crash (invalid access to memory)".to_owned())),
    }
}

/// Handles the signals, on the stacks for signals that threads have anyway.
pub fn listen() {
    for signal in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT] {
        // SAFETY: an all-zero action is a valid one; the handler does only what a handler may do.
        unsafe {
            let mut action: libc::sigaction = zeroed();
            action.sa_sigaction = on_signal as *const () as usize;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            libc::sigemptyset(&mut action.sa_mask);
            libc::sigaction(signal, &action, null_mut());
        }
    }
}

extern "C" fn on_signal(signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
    let is_access = signal == SIGSEGV || signal == SIGBUS;
    // SAFETY: the system hands both over.
    let what = match is_access && unsafe { is_beyond_stack(info, context) } {
        true => STACK,
        false => signal,
    };
    let _ = CRASH.compare_exchange(0, what, Ordering::SeqCst, Ordering::SeqCst);
    if word::is_guard() {
        // Nobody else is there to speak; what says nothing of the cause needs no memory.
        word::say_least(&if what == STACK { Stop::Stack } else { Stop::Limit(Limit::Memory) });
    }
    loop {
        // SAFETY: it waits.
        unsafe { libc::pause() };
    }
}

/// Was the access near the top of the thread's stack?
unsafe fn is_beyond_stack(info: *mut siginfo_t, context: *mut c_void) -> bool {
    let mut copy = MaybeUninit::<libc::ucontext_t>::uninit();
    unsafe { std::ptr::copy_nonoverlapping(context.cast::<libc::ucontext_t>(), copy.as_mut_ptr(), 1) };
    let address = unsafe { (*info).si_addr() } as usize;
    let machine = unsafe { copy.assume_init_ref() };
    stack_pointer(machine).is_some_and(|top| top.abs_diff(address) < NEAR)
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
fn stack_pointer(context: &libc::ucontext_t) -> Option<usize> {
    usize::try_from(context.uc_mcontext.gregs[libc::REG_RSP as usize]).ok()
}

#[cfg(all(target_os = "linux", target_arch = "aarch64"))]
fn stack_pointer(context: &libc::ucontext_t) -> Option<usize> {
    usize::try_from(context.uc_mcontext.sp).ok()
}

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
fn stack_pointer(_: &libc::ucontext_t) -> Option<usize> {
    None
}
