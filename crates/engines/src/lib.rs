//! The techniques that decide tasks, one module each.
//!
//! | module | what it does |
//! |---|---|
//! | [`bmc`] | follows all executions up to growing bounds |
//! | [`kinduction`] | proves loops by induction over their turns |
//! | [`contracts`] | the same for recursive functions and their calls |
//! | [`concrete`] | runs the program on a few inputs |
//! | [`gps`] | searches for errors, directed by summaries of the ways to them |
//! | [`symex`] | follows executions one by one, and learns from those that are done |

pub mod bmc;
pub mod concrete;
pub mod contracts;
pub mod gps;
pub mod kinduction;
mod query;
pub mod symex;
