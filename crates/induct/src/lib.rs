//! Proof by induction over bits: a service for every engine that finds
//! candidate invariants.
//!
//! | module | what it is |
//! |---|---|
//! | [`prove`] | k-induction over the turns of loops, with candidates sifted by Houdini |
//! | [`contracts`] | the same for recursive functions and their calls |
//! | [`query`] | questions about an unrolled program, asked of one solver |

pub mod contracts;
pub mod prove;
pub mod query;

pub use prove::{Induction, Round, Summarised, prove, summarise};

use std::collections::BTreeMap;

use cairn_ir::{ExprId, LocId};

/// Conditions that probably hold whenever a loop head is visited.
pub type Candidates = BTreeMap<LocId, Vec<ExprId>>;
