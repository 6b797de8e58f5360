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
//! | `machine`, `path` | states and how they move | Section 3 |
//! | `explore`, `tree` | the search | DSEI, Figure 5 |
//! | `search` | its order | Section 4, remark |
//! | `backprop` | interpolants backwards over steps | BACKPROP, Figure 6 |
//! | `abduce` | their generalisation | ABDUCTION, CORE, SEPARATE, Figure 7 |
//! | `symbols` | what interpolants are made of | Section 5.2 |
//! | `table` | where they are kept | Section 5.2 |
//! | `invariant`, `cuts`, `express` | interpolants as invariants of loops, and as proofs by cases | |
//! | `smt::chain`, `condition` | questions about path conditions | KLEE's |
//! | `follow` | a single path, for others | |

mod abduce;
mod backprop;
mod condition;
mod cuts;
mod explore;
mod express;
mod follow;
mod invariant;
mod machine;
mod path;
mod penetrate;
mod search;
mod shape;
mod symbols;
mod table;
mod tree;
mod verify;

pub use explore::{Control, Ending, Stats};
pub use follow::{Followed, follow};
pub use invariant::Candidates;
pub use penetrate::{Fate, Finding, Goal, Limits, Report, Test, Why, explore, penetrate, targets};
pub use search::Strategy;
pub use verify::{Answer, Prove, run};

/// How interpolants are made.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub enum Interpolation {
    /// By weakest preconditions and abduction.
    #[default]
    Full,
    /// From constraints of the state alone, those that an unsatisfiable core needs.
    Core,
    Off,
}

#[derive(Copy, Clone, Debug)]
pub struct Options {
    pub interpolation: Interpolation,
    /// Leave out states that imply an interpolant.
    pub subsumption: bool,
    pub strategy: Strategy,
    /// Leave out states from which no target can be reached, whatever their values.
    pub prune: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            interpolation: Interpolation::Full,
            subsumption: true,
            strategy: Strategy::default(),
            prune: false,
        }
    }
}
