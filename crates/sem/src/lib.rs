//! The meaning of the IR, executed.
pub mod memory;
