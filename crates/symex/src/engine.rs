//! Symbolic execution with interpolation as an engine.

use cairn_core::{Cx, Engine, Task, Verdict, Workshop};

use crate::{Options, run};

pub struct Symex {
    pub name: &'static str,
    pub options: Options,
}

impl Engine for Symex {
    fn name(&self) -> &'static str {
        self.name
    }

    fn run(&mut self, task: &Task, cx: &mut Cx<'_>) -> Verdict {
        let (verdict, stats) = run(task, cx, self.options);
        cx.status(format!(
            "symex: {} nodes, {} paths, {} subsumed, {} queries",
            stats.nodes, stats.paths, stats.subsumed, stats.solved
        ));
        if let Verdict::Safe(_) = verdict {
            cx.workshop = Some(Workshop::new((cx.solver)()));
        }
        verdict
    }
}
