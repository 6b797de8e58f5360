//! Summary-guided search, with its proofs confirmed by induction over bits.

use cairn_base::Budget;
use cairn_base::effort::SECOND;
use cairn_core::{Cx, Engine, Proof, Task, Verdict, Workshop};
use cairn_gps::{Answer, Candidates, Followed, Options, Which};
use cairn_ir::{EdgeId, ExprPool};
use cairn_smt::Solver;
use cairn_symex as symex;

use crate::kinduction;

/// The greatest k with which the invariants of a search are tried.
const MOST: u32 = 3;

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
        let outer = cx;
        let cx = &*outer;
        // Recursive functions that have summaries need not be followed in a proof.
        let mut answer = None;
        let part = cx.budget.with_effort(SUMMARISED);
        let less = context(cx, part, cx.solver);
        if let Some(summarised) = kinduction::summarise(task, &less) {
            let found = search(&summarised.task, &less, self.options, &mut |candidates, exprs, which, cx| {
                summarised.prove(task, cx, candidates, exprs, most(which))
            });
            // An error may be one of the summaries only.
            answer = Some(found).filter(|a| matches!(a, Answer::Safe(_)));
        }
        let answer = answer.unwrap_or_else(|| {
            search(task, cx, self.options, &mut |candidates, exprs, which, cx| {
                kinduction::prove(task, cx, candidates, exprs, most(which))
            })
        });
        match answer {
            Answer::Unsafe(trace) => Verdict::Unsafe(trace),
            Answer::Safe(proof) => {
                outer.workshop = Some(Workshop::new(cairn_smt::for_sums()));
                Verdict::Safe(proof)
            }
            Answer::Unknown(why) => Verdict::Unknown(why),
        }
    }
}

/// A search whose proofs are confirmed by `prove`, each with limited effort.
fn search(
    task: &Task,
    cx: &Cx<'_>,
    options: Options,
    prove: &mut dyn FnMut(&Candidates, &ExprPool, Which, &Cx<'_>) -> Option<Proof>,
) -> Answer<Proof> {
    let mut certify = |candidates: &Candidates, exprs: &ExprPool, which| {
        let effort = match which {
            Which::Plain | Which::Simple => 4 * SECOND,
            Which::Proof => 8 * SECOND,
            Which::All => 30 * SECOND,
        };
        let budget = cx.budget.with_effort(effort);
        prove(candidates, exprs, which, &context(cx, budget, &cairn_smt::for_sums))
    };
    let mut follow =
        |edges: &[EdgeId]| match symex::follow(&task.program, task.entry, edges, cx.solver, &cx.budget) {
            symex::Followed::Error(trace) => Followed::Error(trace),
            symex::Followed::Blocked(at) => Followed::Blocked(at),
            symex::Followed::Lost(why) => Followed::Lost(why),
        };
    cairn_gps::run(task, cx, options, &mut certify, &mut follow)
}

/// The greatest k with which invariants of this kind are tried.
fn most(which: Which) -> u32 {
    match which {
        Which::Plain | Which::Simple | Which::Proof => 1,
        Which::All => MOST,
    }
}

/// The same with another budget and other solvers.
fn context<'a>(cx: &Cx<'a>, budget: Budget, solver: &'a (dyn Fn() -> Box<dyn Solver> + Sync)) -> Cx<'a> {
    Cx { budget, whole: cx.whole.clone(), facts: cx.facts.clone(), workshop: None, solver, events: cx.events }
}
