//! What the tests and benchmarks share: gcc as the oracle, the expectation
//! files beside the test programs, and generators of C programs. Nothing here
//! is part of what users run; this crate knows Cairn only as a command.

pub mod cairn;
pub mod csmith;
pub mod exprs;
pub mod floats;
pub mod loops;
pub mod oracle;
pub mod pool;
pub mod process;
pub mod source;
pub mod task;
