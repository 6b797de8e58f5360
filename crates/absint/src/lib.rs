//! Abstract interpretation of the IR: facts that hold in every execution, found
//! without a solver. They are sound for the exact machine: widths, wrapping,
//! signedness and casts are those of `cairn_value`.
//!
//! [`PointsTo`] says which objects pointers may point to, [`Mods`] what a
//! function or a loop may change, [`Analysis`] what values variables may have.

pub mod analysis;
mod env;
mod expr;
mod facts;
pub mod mods;
mod num;
pub mod points_to;

pub use analysis::{Analysis, Range};
pub use mods::{Effects, Mods};
pub use points_to::{AbstractObject, PointsTo, Targets};
