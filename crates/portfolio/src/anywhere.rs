//! Answers for every layout of memory.
//!
//! A question is asked of the program as it is. If the answer would depend on where
//! objects lie (see `cairn_core::addresses`), it is asked once more with their addresses as
//! inputs. Commands that decide a task, or judge a witness, ask here.

use cairn_core::{Options, Task};

use crate::confirm::{Decision, LAYOUT, UNCONFIRMED};
use crate::decide::Decided;

/// An answer that may have to be given for other layouts of memory, too.
pub trait LayoutBound {
    fn depends_on_layout(&self) -> bool;
}

impl LayoutBound for Decision {
    fn depends_on_layout(&self) -> bool {
        matches!(self, Decision::Unknown(why) if why.reason == LAYOUT)
    }
}

impl LayoutBound for Decided {
    fn depends_on_layout(&self) -> bool {
        let unconfirmed = matches!(&self.decision, Decision::Unknown(why) if why.reason == UNCONFIRMED);
        unconfirmed || self.decision.depends_on_layout()
    }
}

/// Asks about a task; and about its reading with addresses as inputs, which `again` makes, if the answer
/// depends on the layout. The second task is the one that the answer is about, if there is one.
pub fn in_any_layout<A: LayoutBound>(
    task: &Task,
    again: impl FnOnce(Options) -> Option<Task>,
    mut ask: impl FnMut(&Task) -> A,
) -> (A, Option<Task>) {
    let first = ask(task);
    if !first.depends_on_layout() || task.options.looks_at_addresses {
        return (first, None);
    }
    let options = Options { looks_at_addresses: true, ..task.options.clone() };
    match again(options) {
        None => (first, None),
        Some(looking) => (ask(&looking), Some(looking)),
    }
}
