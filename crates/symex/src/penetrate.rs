//! Code penetration (Section 6 of the paper) and tests.
//!
//! [`explore`] hands out inputs as it finds them: whenever a target is reached for
//! the first time, and when executions end. What a complete exploration has not
//! reached, no execution reaches.
//!
//! An interpolant speaks of all that a sub-tree reached while it was explored. What
//! was reached is no target any more, so a subsumed state can reach no target that
//! is left. States from which no way at all leads to a target are not explored.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use cairn_base::Budget;
use cairn_core::Target;
use cairn_core::verdict::InputValue;
use cairn_ir::{EdgeId, FuncId, Program};
use cairn_smt::Solver;
use cairn_term::Pool;
use rustc_hash::FxHashSet;

use crate::Options;
use crate::explore::{Control, Ending, Event, Explorer, Stats};

/// What an exploration may use.
pub struct Limits<'l> {
    pub budget: Budget,
    pub solver: &'l (dyn Fn() -> Box<dyn Solver> + Sync),
    /// What is found out elsewhere meanwhile.
    pub unreachable: Unreachable,
}

/// Targets that others have proved unreachable while an exploration was parked: it looks for them
/// no more.
#[derive(Clone, Default, Debug)]
pub struct Unreachable(Arc<Mutex<Vec<Target>>>);

impl Unreachable {
    pub fn add(&self, targets: impl IntoIterator<Item = Target>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend(targets);
    }

    /// What was added since the last time.
    pub(crate) fn take(&self) -> Vec<Target> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Why a test is worth having.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// It is the first to reach this.
    Reaches(Target),
    /// It is an execution unlike all others before.
    Path,
}

/// Inputs of an execution, in the order in which it takes them. What it takes beyond them is
/// arbitrary.
#[derive(Clone, Debug)]
pub struct Test {
    pub inputs: Vec<InputValue>,
    pub why: Why,
}

/// What an exploration came to.
#[derive(Clone, Debug)]
pub struct Report {
    /// If it is [`Ending::Complete`], no execution reaches what is left.
    pub ending: Ending,
    /// Targets that were not reached.
    pub left: BTreeSet<Target>,
    /// All edges that were executed.
    pub covered: BTreeSet<EdgeId>,
    pub stats: Stats,
}

/// Follows executions from `entry` and gives each test to `sink` as it is found, until all targets
/// are reached, or `sink` says so, or the limits do.
pub fn explore(
    program: &Program,
    entry: FuncId,
    targets: &BTreeSet<Target>,
    options: Options,
    limits: &Limits<'_>,
    sink: &mut dyn FnMut(Test) -> Control,
) -> Report {
    let mut pool = Pool::new();
    let wanted: FxHashSet<Target> = targets.iter().copied().collect();
    let (solver, budget) = (limits.solver, &limits.budget);
    let options = Options { prune: true, ..options };
    let Some(mut explorer) = Explorer::new(program, entry, &mut pool, solver, budget, options, wanted) else {
        let what = "the entry function has no body".to_owned();
        let place = program.funcs[entry].place;
        return Report {
            ending: Ending::Gap { what, place },
            left: targets.clone(),
            covered: BTreeSet::new(),
            stats: Stats::default(),
        };
    };
    explorer.unreachable = limits.unreachable.clone();
    let ending = explorer.run(&mut |event| match event {
        Event::Reached { target, trace } => {
            sink(Test { inputs: trace.inputs.clone(), why: Why::Reaches(target) })
        }
        Event::Finished { trace } => sink(Test { inputs: trace.inputs.clone(), why: Why::Path }),
        Event::Progress(_) => Control::Continue,
    });
    Report {
        ending,
        left: explorer.targets.iter().copied().collect(),
        covered: explorer.covered.iter().copied().collect(),
        stats: explorer.stats,
    }
}
