//! From syntax to the typed program: C types and their layout, constant
//! expressions, the type checker, and linking of translation units.
//!
//! A [`Checker`] takes syntax trees one after the other and makes one
//! [`hir::Program`] of them, in which every name is resolved, every conversion
//! explicit and every layout computed. It accepts what `gcc -std=gnu11 -w`
//! accepts; what Cairn does not handle is reported at its place, for a function
//! body only with that function, so that the rest of the program stays usable.

mod asm;
mod atomic;
mod attrs;
mod builtin;
mod call;
mod check;
mod compat;
mod consteval;
mod convert;
mod decl;
mod expr;
mod func;
pub mod hir;
mod init;
pub mod layout;
mod library;
mod link;
mod nan;
mod object;
mod object_size;
mod ops;
mod print;
mod record;
mod scope;
mod startup;
mod static_data;
mod stmt;
pub mod types;
mod variable;
mod vector;

pub use check::Checker;
pub use library::is_reserved;
