//! Scalar types, values and the pure operations on them, each defined once.
//!
//! The constant evaluator of the front end, the folding in the IR, the concrete
//! executor and (as formulas) every solver encoding are readings of what stands
//! here. A value is a bit pattern (`u128`, zero above the type's width) whose
//! meaning its [`Ty`] gives; an operation either yields a value or says which
//! undefined behaviour it is.

pub mod eval;
pub mod float;
pub mod format;
pub mod ops;
pub mod scan;
pub mod ty;

pub use eval::{Undefined, binary, cast, unary};
pub use ops::{BinOp, Toward, UnOp};
pub use ty::{FloatTy, IntTy, Ty};

/// A bit pattern; bits above the type's width are zero. Booleans are 0 or 1.
/// A pointer is its address of `DataModel::ptr_bits` bits.
pub type Bits = u128;
