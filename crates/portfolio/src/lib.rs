//! The portfolio: from a task to a verdict with checked evidence.
//!
//! | module | what it does |
//! |---|---|
//! | [`table`] | the table of engines: names, what they do, how they are made |
//! | [`strategy`] | which engines run, in which order, for how long: data |
//! | [`confirm`] | the gate of soundness: errors are replayed, proofs are checked and then attacked |
//! | [`attempt`] | one engine's attempt, its panics caught and its evidence confirmed |
//! | [`turns`] | several engines in turns on one processor, each resumed where it was |
//! | [`race`] | several engines at the same time, each in a thread of its own |
//! | [`decide`] | a strategy applied to a task |
//! | [`anywhere`] | asks again with addresses as inputs where an answer depends on the layout of memory |
//! | [`memory`] | memory that engines share |
//! | [`heard`] | what engines say on the way: loop reports, notes, explanations |
//! | [`fault`] | panics, caught and told with their place |
//!
//! Whatever an engine claims, a [`Decision`] other than unknown has passed the gate. Nothing
//! here prints.

pub mod anywhere;
pub mod attempt;
pub mod confirm;
pub mod decide;
pub mod fault;
pub mod heard;
pub mod memory;
pub mod race;
pub mod strategy;
pub mod table;
pub mod turns;

pub use attempt::{Attempt, Tries};
pub use confirm::{Decision, LAYOUT, UNCONFIRMED};
pub use decide::{Decided, Plan, decide, decide_by};
pub use heard::{Heard, Sofar};
pub use memory::Memory;
pub use table::{Maker, Settings};
