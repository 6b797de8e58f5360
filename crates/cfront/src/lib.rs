//! The front end as a whole: C files in, one program of control-flow automata out.
//!
//! [`compile`] is all that most callers need. [`lower`] turns a typed program into
//! automata; [`models`] holds the C library, written in C over a small vocabulary
//! that lowering understands.

mod driver;
mod effects;
pub mod lower;
pub mod models;

pub use driver::{Compiled, Input, Options, Rejected, compile};
pub use lower::{Branching, Externals, Outcome, Unmodelled};
