//! k-induction (Sheeran, Singh and Stålmarck 2000) as an engine: errors within k
//! turns, then the induction step, for growing k. The proof itself is the service
//! `cairn_induct`.

use cairn_core::{Cx, Engine, Task, Verdict};
use cairn_induct::{Induction, Round};

/// The greatest k without being told.
pub const MOST: u32 = 16;

pub struct KInduction {
    /// The greatest k to try.
    pub most: u32,
}

impl Engine for KInduction {
    fn name(&self) -> &'static str {
        "kinduction"
    }

    fn run(&mut self, task: &Task, cx: &mut Cx<'_>) -> Verdict {
        let mut search = Induction::new(task, cx, task.program.clone());
        search.add_long_loops(cx);
        let mut k = 1;
        loop {
            cx.status(format!("kinduction: k = {k}"));
            if let Some(trace) = search.base(cx, k) {
                return Verdict::Unsafe(trace);
            }
            match search.round(cx, k) {
                Round::Proved(proof) => return Verdict::Safe(proof),
                Round::Refuted if k < self.most => k += k.div_ceil(2),
                // Without contracts recursion is followed for a few calls only.
                Round::Recursion if search.make_contracts() => {}
                Round::Recursion if k < self.most => k += k.div_ceil(2),
                Round::Refuted | Round::Recursion => {
                    return Verdict::Unknown(search.give_up(k));
                }
                Round::Unknown(why) => return Verdict::Unknown(why),
            }
        }
    }
}
