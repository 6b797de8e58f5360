//! From syntax to the typed program: C types and their layout, constant
//! expressions, the type checker, and linking of translation units.

pub mod hir;
pub mod types;
