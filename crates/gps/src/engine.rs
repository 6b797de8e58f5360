//! Summary-guided search as an engine: the search of [`crate::run`], with proofs
//! confirmed by induction over bits and recursive functions summarised by contracts.

use cairn_base::Budget;
use cairn_base::effort::SECOND;
use cairn_core::{Cx, Engine, Proof, Task, Verdict, Workshop};
use cairn_induct::{Candidates, Summarised, prove, summarise};
use cairn_ir::ExprPool;
use cairn_smt::Solver;

use crate::facts::Which;
use crate::search::Options;

/// The greatest k with which the invariants of a search are tried.
const MAX_K: u32 = 3;

/// The effort that a proof with summaries of recursive functions is worth.
const SUMMARISED: u64 = 20 * SECOND;

pub struct Gps {
    pub name: &'static str,
    pub options: Options,
}

impl Engine for Gps {
    fn name(&self) -> &'static str {
        self.name
    }

    fn run(&mut self, task: &Task, cx: &mut Cx<'_>) -> Verdict {
        // Recursive functions that have summaries need not be followed in a proof.
        let part = cx.budget.with_effort(SUMMARISED);
        let less = context(cx, part, cx.solver);
        let summarised = summarise(task, &less).and_then(|summarised| {
            let prover = Prover { task, summarised: Some(&summarised) };
            // An error may be one of the summaries only.
            Some(crate::run(&summarised.task, &less, self.options, &prover))
                .filter(|verdict| matches!(verdict, Verdict::Safe(_)))
        });
        let plain = Prover { task, summarised: None };
        let verdict = summarised.unwrap_or_else(|| crate::run(task, cx, self.options, &plain));
        if let Verdict::Safe(_) = verdict {
            cx.workshop = Some(Workshop::new(cairn_smt::for_sums()));
        }
        verdict
    }
}

/// Makes proofs of candidate invariants, by induction over bits.
pub struct Prover<'a> {
    /// The task as it was asked.
    pub task: &'a Task,
    /// The task that was searched, if it is another one.
    pub summarised: Option<&'a Summarised>,
}

impl Prover<'_> {
    /// A proof, if the candidates are one; `which` says what they are.
    pub fn prove(
        &self,
        cx: &Cx<'_>,
        candidates: &Candidates,
        exprs: &ExprPool,
        which: Which,
    ) -> Option<Proof> {
        let (effort, most) = match which {
            Which::Plain | Which::Simple => (4 * SECOND, 1),
            Which::Proof => (8 * SECOND, 1),
            Which::All => (30 * SECOND, MAX_K),
        };
        let budget = cx.budget.with_effort(effort);
        let cx = &context(cx, budget, &cairn_smt::for_sums);
        match self.summarised {
            Some(summarised) => summarised.prove(self.task, cx, candidates, exprs, most),
            None => prove(self.task, cx, candidates, exprs, most),
        }
    }
}

/// The same with another budget and other solvers.
fn context<'a>(cx: &Cx<'a>, budget: Budget, solver: &'a (dyn Fn() -> Box<dyn Solver> + Sync)) -> Cx<'a> {
    Cx { budget, whole: cx.whole.clone(), facts: cx.facts.clone(), workshop: None, solver, events: cx.events }
}
