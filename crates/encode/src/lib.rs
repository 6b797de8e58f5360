//! The symbolic reading of the IR: programs as bit-precise formulas.
//!
//! [`step`] is the meaning of one operation on a symbolic state. [`block`] follows all
//! executions from a location to the next cut points (a large block), and [`unroll`]
//! all executions of a program up to given loop bounds. Where executions meet, their
//! states are merged with `ite`, so that the work is linear in the unrolled program
//! and not in the number of paths (the construction is that of CBMC's symbolic
//! execution); the schedule of that is [`walk`]. What comes out are [`Obligation`]s:
//! conditions over the inputs under which an error is reached, a bound does not
//! suffice, something is undefined, or the reading
//! has a gap. A conclusion that ignores a satisfiable gap would be wrong.
//!
//! The pure operations are those of `cairn_value`, read as bit-vectors and floats
//! in [`expr`] and as mathematical integers in [`integer`]; memory is objects and
//! offsets as in the executor ([`object`], [`pointer`]).

pub mod birth;
pub mod block;
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
pub mod step;
pub mod unroll;
pub mod walk;
pub mod write;
pub mod wto;

pub use step::{BaseVar, BirthVar, Caller, InputVar, Obligation, ObligationKind, Stepper};
pub use unroll::{Bounds, Induction, Log, LoopRecord, Step, StepKind, Unrolled, Unroller, Visit};
