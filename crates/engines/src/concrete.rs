//! A few runs on random inputs. Errors that most inputs reach need no search,
//! however deep they lie.

use cairn_base::Budget;
use cairn_core::replay::{self, failure};
use cairn_core::verdict::InputValue;
use cairn_core::{Cx, Engine, Task, Trace, Verdict, Why};
use cairn_sem::{Captured, Executor, Options};

/// Runs, and steps of all of them together.
const RUNS: u64 = 64;
const STEPS: u64 = 400_000;
/// Bytes: a step that fills all of the memory should still be short.
const MEMORY: u64 = 256 << 20;

pub struct Concrete;

impl Engine for Concrete {
    fn name(&self) -> &'static str {
        "concrete"
    }

    fn run(&mut self, task: &Task, cx: &mut Cx<'_>) -> Verdict {
        let mut left = STEPS;
        for seed in 0..RUNS {
            if left == 0 || cx.budget.exceeded().is_some() {
                break;
            }
            let options = Options { seed, ..replay::options(task, &Trace::default()) };
            let budget = Budget { max_steps: left, max_memory: MEMORY, ..cx.budget.clone() };
            let outcome = Executor::new(&task.program, options, budget).run(&mut Captured::default());
            left = left.saturating_sub(outcome.steps.max(1));
            if failure(&task.property, &outcome.end).is_some() {
                let value = |i: cairn_sem::InputRecord| InputValue {
                    name: i.name,
                    ty: i.ty,
                    bits: i.bits,
                    place: i.place,
                };
                let inputs = outcome.inputs.into_iter().map(value).collect();
                return Verdict::Unsafe(Trace { inputs, births: Vec::new() });
            }
            // Without inputs every run is the same.
            if outcome.inputs.is_empty() {
                break;
            }
        }
        Verdict::Unknown(Why::new("no error in random runs", "random runs prove nothing"))
    }
}
