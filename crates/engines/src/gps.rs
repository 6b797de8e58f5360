//! Summary-guided search, with its proofs confirmed by induction over bits.

use std::time::Duration;

use cairn_core::{Cx, Engine, Task, Trace, Verdict, Workshop};
use cairn_gps::{Answer, Candidates, Followed, Options, Which};
use cairn_ir::{EdgeId, ExprPool};
use cairn_symex as symex;

use crate::kinduction;

/// The greatest k with which the invariants of a search are tried.
const MOST: u32 = 3;

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
        let mut certify = |candidates: &Candidates, exprs: &ExprPool, which| {
            let (most, seconds) = match which {
                Which::Simple => (1, 4),
                Which::Proof => (1, 8),
                Which::All => (MOST, 30),
            };
            let budget = cx.budget.clone().within(Duration::from_secs(seconds));
            let cx = Cx {
                budget,
                whole: cx.whole.clone(),
                facts: cx.facts.clone(),
                workshop: None,
                solver: &cairn_smt::for_sums,
                ..*cx
            };
            kinduction::prove(task, &cx, candidates, exprs, most)
        };
        let mut follow =
            |edges: &[EdgeId]| match symex::follow(&task.program, task.entry, edges, cx.solver, &cx.budget) {
                symex::Followed::Error(inputs) => Followed::Error(Trace { inputs }),
                symex::Followed::Blocked(at) => Followed::Blocked(at),
                symex::Followed::Lost(why) => Followed::Lost(why),
            };
        let answer = cairn_gps::run(task, cx, self.options, &mut certify, &mut follow);
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
