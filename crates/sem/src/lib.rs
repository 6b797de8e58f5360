//! The meaning of the IR, executed: exact memory, values and library calls.
//!
//! [`Executor`] runs a program with given or random inputs and says how it
//! ended. Functions are turned into compact code at their first call
//! ([`compile`]) which [`interp`] executes; a faster tier can take over hot
//! loops through [`machine::Tier`] without changing what a program means.

mod births;
mod builtin;
pub mod code;
pub mod compile;
mod executor;
mod inputs;
pub mod interp;
pub mod machine;
pub mod memory;
pub mod observe;
mod outcome;
mod report;
pub mod slot;
pub mod spelled;
pub mod statics;
pub mod stop;
mod world;

pub use births::{Birth, Indeterminate, Site};
pub use executor::Executor;
pub use machine::{Context, Frame, Machine, NativeEntry, Tier};
pub use observe::{Observer, Pointee, View, Window, Written};
pub use outcome::{
    Captured, End, Given, InputRecord, Io, Options, Outcome, Outside, SignedOverflow, Silent, UnmodelledCall,
};
pub use report::{Report, StackFrame, UbKind, place_text};
