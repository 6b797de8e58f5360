//! The front end as a whole: C files in, one program of control-flow automata out.
pub mod lower;
