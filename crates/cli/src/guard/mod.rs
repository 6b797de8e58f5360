//! Limits that hold, and a last word in any case.
//!
//! Long steps ask their budget and end by themselves; that is the rule, and what is
//! known then is printed by the command. But a solver in C++ may not listen, a
//! structure of gigabytes takes its time to be dropped, an allocation may fail and a
//! recursion may be too deep. Therefore every command says, whenever it knows more,
//! how it would report if it had to end now ([`word::prepare`]), and two threads stand
//! by: one looks at clocks, memory and signals ([`watch`]), the other prints that report
//! ([`word::speak`]) a moment after a limit that the command has not answered. If even
//! that does not succeed, the first one writes a verdict line that needs no memory.
//!
//! Memory has parts like time: where several engines take turns, each but the last is asked to end
//! when it has used its share ([`watch::share`]), so that a greedy one does not end them all.
//!
//! | module | what it is |
//! |---|---|
//! | [`word`] | who prints the result: the command, or else the watchdog |
//! | [`watch`] | the thread that watches limits |
//! | [`memory`] | how much memory there is to use |
//! | [`alloc`] | the allocator, with a reserve for the last word |
//! | [`crash`] | signals that would end the process without a word |
//!
//! Panics are caught by `cairn_portfolio::fault`.

mod alloc;
mod crash;
mod memory;
mod watch;
pub mod word;

use cairn_base::{Cancel, stack};
use cairn_portfolio::{Memory, fault};

pub use alloc::Allocator;
pub use memory::words as memory_words;
pub use watch::{Limits, arm, deadline_of};
pub use word::{Stop, Voice};

/// The memory of this process, for engines that share it.
pub struct Shares;

impl Memory for Shares {
    fn watch(&self, engine: &Cancel) {
        watch::share(engine);
    }

    fn give_back(&self) {
        alloc::give_back();
    }
}

/// Puts everything in place. Whatever the system refuses is done without.
pub fn start(cancel: &Cancel) {
    if let Some(room) = memory::address_space() {
        stack::set_room(room / 16);
    }
    fault::listen();
    alloc::listen();
    crash::listen();
    watch::start(cancel);
}
