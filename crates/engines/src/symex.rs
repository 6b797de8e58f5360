//! Symbolic execution with interpolation, with loops closed by induction over bits.

use cairn_core::{Cx, Engine, Task, Verdict, Workshop};
use cairn_symex::{Answer, Options};

use crate::kinduction;

pub struct Symex {
    pub name: &'static str,
    pub options: Options,
}

impl Engine for Symex {
    fn name(&self) -> &'static str {
        self.name
    }

    fn run(&mut self, task: &Task, cx: &mut Cx<'_>) -> Verdict {
        let outer = cx;
        let cx = &*outer;
        let (answer, stats) = cairn_symex::run(task, cx, self.options, &mut |candidates, exprs, effort| {
            let budget = cx.budget.with_effort(effort);
            let cx = Cx { budget, whole: cx.whole.clone(), facts: cx.facts.clone(), workshop: None, ..*cx };
            kinduction::prove(task, &cx, candidates, exprs, 1)
        });
        cx.status(format!(
            "symex: {} nodes, {} paths, {} subsumed, {} queries",
            stats.nodes, stats.paths, stats.subsumed, stats.solved
        ));
        match answer {
            Answer::Unsafe(trace) => Verdict::Unsafe(trace),
            Answer::Safe(proof) => {
                outer.workshop = Some(Workshop::new((outer.solver)()));
                Verdict::Safe(proof)
            }
            Answer::Unknown(why) => Verdict::Unknown(why),
        }
    }
}
