//! Tests and what they cover.
//!
//! [`goals`] reads what is to be covered out of a program: outcomes of decisions,
//! of conditions, statements, calls of error functions, or the places that a user
//! names ([`Asked`]). [`Generator`] finds inputs:
//! random ones first, then those that symbolic execution says lead somewhere new.
//! [`Meter`] decides, whatever the search claims: a goal is covered if the executor came
//! to it on the values that the test case has on disk. [`suite`] writes the test
//! cases as they are found and drops those that add nothing in the end; [`lcov`] and
//! [`html`] show the result, and [`native`] asks gcc and gcov for theirs.

pub mod asked;
pub mod criterion;
pub mod generate;
pub mod goals;
pub mod html;
pub mod lcov;
pub mod meter;
pub mod native;
pub mod suite;
pub mod summary;

pub use asked::Asked;
pub use criterion::Criterion;
pub use generate::{Generator, TestCase};
pub use goals::{Goal, goals};
pub use meter::{Hits, Meter, Run};
pub use summary::{Coverage, Fate};
