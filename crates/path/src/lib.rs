//! Paths of the program over bits: a service for every engine that follows
//! executions one by one, forwards by symbolic execution and backwards by
//! weakest preconditions.
//!
//! | module | what it is |
//! |---|---|
//! | [`machine`] | symbolic states: frames, memory, call and return, one step |
//! | [`path`] | a state with its path condition, and how it moves over edges |
//! | [`condition`] | path conditions: slices, models, implied facts |
//! | [`follow`] | what becomes of one given path: an error, or where it is blocked |
//! | [`symbols`] | names for what a state holds, which interpolants are made of |
//! | [`backprop`] | interpolants backwards over steps (BACKPROP, Figure 6 of the TracerX paper) |
//! | [`abduce`] | their generalisation (ABDUCTION, CORE, SEPARATE, Figure 7) |
//! | [`express`] | interpolants as expressions of the program |
//! | [`shape`] | what of the program's form the above need: loops, live variables |

pub mod abduce;
pub mod backprop;
pub mod condition;
pub mod express;
pub mod follow;
pub mod machine;
pub mod path;
pub mod shape;
pub mod symbols;

pub use follow::{Followed, follow};

/// How interpolants are made.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub enum Interpolation {
    /// By weakest preconditions and abduction.
    #[default]
    Full,
    /// From constraints of the state alone, those that an unsatisfiable core needs.
    Core,
    Off,
}
