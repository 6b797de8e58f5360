//! What engines are asked and what they answer.
//!
//! A [`Task`] is a program with one property left to decide: can an error be
//! reached? [`instrument`] makes it so, whatever the property was. An
//! [`Engine`] gives a [`Verdict`] with evidence: inputs that lead to the error,
//! or invariants and bounds. The evidence is checked by code that no engine
//! uses: [`replay`] here, the proof checker in `cairn-checker`.

pub mod addresses;
pub mod arguments;
pub mod engine;
pub mod entry;
pub mod explain;
pub mod instrument;
pub mod ledger;
pub mod outside;
pub mod property;
pub mod replay;
pub mod target;
pub mod task;
pub mod verdict;

pub use arguments::Arguments;
pub use engine::{Cx, Engine, Event, Facts, Workshop};
pub use explain::Explanation;
pub use property::Property;
pub use target::Target;
pub use task::{Options, Task, TaskError};
pub use verdict::{
    Case, Contract, CutPoint, Cuts, InputValue, LoopProof, LoopReport, LoopStatus, Piece, Proof, Sole,
    SoleEnd, Trace, Verdict, Why, loop_place,
};
