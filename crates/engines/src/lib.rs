//! The techniques that need no room of their own, one module each; summary-guided
//! search and symbolic execution are the crates `gps` and `symex`.
//!
//! | module | what it does |
//! |---|---|
//! | [`bmc`] | follows all executions up to growing bounds |
//! | [`kinduction`] | proves loops by induction over their turns |
//! | [`concrete`] | runs the program on a few inputs |

pub mod bmc;
pub mod concrete;
pub mod kinduction;
