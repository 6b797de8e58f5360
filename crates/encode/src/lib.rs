//! The symbolic reading of the IR: programs as bit-precise formulas.
//!
//! [`unroll`] follows all executions of a program at once up to given loop
//! bounds. Where executions meet, their states are merged with `ite`, so that
//! the work is linear in the unrolled program and not in the number of paths
//! (the construction is that of CBMC's symbolic execution). What comes out are
//! [`Obligation`]s: conditions over the inputs under which an error is
//! reached, a bound does not suffice, something is undefined, or the reading
//! has a gap. A conclusion that ignores a satisfiable gap would be wrong.
//!
//! The pure operations are those of `cairn_value`, read as bit-vectors and floats
//! in [`expr`] and as mathematical integers in [`integer`]; memory is objects and
//! offsets as in the executor ([`object`], [`pointer`]).

pub mod birth;
pub mod brake;
pub mod expr;
pub mod float;
mod fmod;
pub mod guard;
pub mod integer;
pub mod layout;
pub mod object;
pub mod pointer;
mod returns;
pub mod state;
pub mod unroll;
pub mod wto;

pub use unroll::{
    BaseVar, BirthVar, Bounds, Induction, InputVar, Log, LoopRecord, Obligation, ObligationKind, Step,
    StepKind, Unrolled, Unroller, Visit,
};
