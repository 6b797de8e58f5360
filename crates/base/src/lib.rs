//! What every layer shares: typed ids, interned names, source spans, the data
//! model, diagnostics and budgets. Nothing here does input or output.

pub mod budget;
pub mod diag;
pub mod effort;
pub mod model;
pub mod span;
pub mod stack;
pub mod turn;

/// Typed `u32` ids and the maps keyed by them (Cranelift's entity library).
pub use cranelift_entity as entity;
pub use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap, entity_impl};

/// An interned name. Comparing two symbols compares pointers; `as_str` gives
/// the text back. Symbols live as long as the process.
pub use ustr::Ustr as Symbol;
pub use ustr::ustr as sym;

pub use budget::{Budget, Cancel, Limit, Pace};
pub use diag::{Diagnostic, Kind};
pub use effort::Effort;
pub use model::DataModel;
pub use span::{FileId, Place, Span, SrcId};
pub use stack::with_big_stack;
