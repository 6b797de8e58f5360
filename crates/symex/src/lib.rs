//! Symbolic execution with interpolation: TracerX (Jaffar, Maghareh, Godboley and
//! Ha, 2021) on the IR.
//!
//! Executions are followed one by one, bit-precisely, with inputs as unknowns;
//! where both sides of a branch are feasible the execution parts in two. When all
//! that lies below a state has been explored without an error, the reason is
//! generalised to an interpolant, a conjunction over the state from which no error
//! is reached; other states at the same place that imply it need not be explored.
//!
//! | module | what it is | in the paper |
//! |---|---|---|
//! | `cairn_path::{machine, path}` | states and how they move | Section 3 |
//! | `explore`, `tree` | the search | DSEI, Figure 5 |
//! | `search` | its order | Section 4, remark |
//! | `cairn_path::backprop` | interpolants backwards over steps | BACKPROP, Figure 6 |
//! | `cairn_path::abduce` | their generalisation | ABDUCTION, CORE, SEPARATE, Figure 7 |
//! | `cairn_path::symbols` | what interpolants are made of | Section 5.2 |
//! | `table` | where they are kept | Section 5.2 |
//! | `invariant`, `cuts` | interpolants as invariants of loops, and as proofs by cases | |
//! | `smt::chain`, `cairn_path::condition` | questions about path conditions | KLEE's |

mod cuts;
mod engine;
mod explore;
mod invariant;
mod penetrate;
mod search;
mod table;
mod tree;
mod verify;

pub use cairn_path::Interpolation;
pub use engine::Symex;
pub use explore::{Control, Ending, Stats};
pub use penetrate::{Limits, Report, Test, Unreachable, Why, explore};
pub use search::Strategy;
pub use verify::run;

#[derive(Copy, Clone, Debug)]
pub struct Options {
    pub interpolation: Interpolation,
    /// Leave out states that imply an interpolant.
    pub subsumption: bool,
    pub strategy: Strategy,
    /// Close loops by induction with interpolants as candidates.
    pub induction: bool,
    /// Leave out states from which no target can be reached, whatever their values.
    pub prune: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            interpolation: Interpolation::Full,
            subsumption: true,
            strategy: Strategy::default(),
            induction: true,
            prune: false,
        }
    }
}
