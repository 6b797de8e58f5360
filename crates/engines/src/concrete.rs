//! Runs of the program. Errors that most inputs reach need no search, however deep
//! they lie; and a program that takes no inputs is decided by its sole run.

use std::time::Duration;

use cairn_base::Budget;
use cairn_core::replay::{self, failure};
use cairn_core::verdict::InputValue;
use cairn_core::{Cx, Engine, Proof, Sole, SoleEnd, Task, Trace, Verdict, Why};
use cairn_ir::callgraph::CallGraph;
use cairn_ir::{Builtin, Callee, Op};
use cairn_native::Native;
use cairn_sem::{End, Executor, Options, Outcome, Silent, Tier, place_text};

/// Runs, and steps of all of them together.
const RUNS: u64 = 64;
const MAX_TOTAL_STEPS: u64 = 400_000;
/// Bytes: a step that fills all of the memory should still be short.
const MEMORY: u64 = 256 << 20;

/// Of the time that is left for the task, the part for a program whose text has no inputs: nothing else
/// decides it so well.
const SHARE: f64 = 0.3;

pub struct Concrete;

impl Engine for Concrete {
    fn name(&self) -> &'static str {
        "concrete"
    }

    fn run(&mut self, task: &Task, cx: &mut Cx<'_>) -> Verdict {
        let mut left = MAX_TOTAL_STEPS;
        for seed in 0..RUNS {
            if left == 0 || cx.budget.exceeded().is_some() {
                break;
            }
            let budget = Budget { max_steps: left, max_memory: MEMORY, ..cx.budget.clone() };
            let outcome = execute(task, seed, budget, None);
            left = left.saturating_sub(outcome.steps.max(1));
            if let Some(trace) = failing(task, &outcome) {
                return Verdict::Unsafe(trace);
            }
            // Without inputs every run is the same.
            if takes_nothing(&outcome) {
                return sole(task, outcome, cx);
            }
        }
        Verdict::Unknown(Why::new("no error in random runs", "random runs prove nothing"))
    }
}

fn execute(task: &Task, seed: u64, budget: Budget, mut native: Option<Native>) -> Outcome {
    let options = Options { seed, ..replay::options(task, &Trace::default()) };
    let executor = Executor::new(&task.program, options, budget);
    executor.run_with(&mut Silent, native.as_mut().map(|n| n as &mut dyn Tier))
}

/// The trace of a run that violates the property.
fn failing(task: &Task, outcome: &Outcome) -> Option<Trace> {
    failure(&task.property, &outcome.end)?;
    let value =
        |i: &cairn_sem::InputRecord| InputValue { name: i.name, ty: i.ty, bits: i.bits, place: i.place };
    Some(Trace { inputs: outcome.inputs.iter().map(value).collect(), births: Vec::new() })
}

fn takes_nothing(outcome: &Outcome) -> bool {
    outcome.inputs.is_empty() && outcome.unmodelled.is_empty()
}

/// Decides a program by the run that was begun, and that has taken no inputs so far.
fn sole(task: &Task, begun: Outcome, cx: &mut Cx<'_>) -> Verdict {
    let mut outcome = begun;
    if let End::Limit(..) = outcome.end {
        let budget = match has_inputs(task) {
            true => cx.budget.clone(),
            false => cx.whole.part(SHARE, Duration::MAX),
        };
        cx.status("concrete: a run without inputs");
        outcome = execute(task, 0, budget, Native::new(&task.program));
        if let Some(trace) = failing(task, &outcome) {
            return Verdict::Unsafe(trace);
        }
    }
    if !takes_nothing(&outcome) {
        return Verdict::Unknown(Why::new("no error in one run", "a run with inputs proves nothing"));
    }
    let end = match &outcome.end {
        End::Exit(_) => SoleEnd::Exit,
        End::Abort(_) => SoleEnd::Abort,
        End::AssumptionFailed(_) => SoleEnd::Assumption,
        End::Undefined(report) => {
            let at = place_text(&task.program, report.place);
            cx.note(format!(
                "{at}: {}; executions that meet undefined behaviour are not considered beyond it",
                report.message
            ));
            SoleEnd::Undefined
        }
        End::Limit(limit, _) => return Verdict::Unknown(Why::limit(*limit)),
        End::NoReturn(report) => return Verdict::Unknown(Why::new("outside", report.message.clone())),
        End::ErrorReached(report) => return Verdict::Unknown(Why::new("no verdict", report.message.clone())),
        End::NoEntry(why) => return Verdict::Unknown(Why::new("no entry", why.clone())),
    };
    Verdict::Safe(Proof::by_sole_execution(&task.program, Sole { steps: outcome.steps, end }))
}

/// Might an execution take something from outside, by the text of the program?
fn has_inputs(task: &Task) -> bool {
    let p = &task.program;
    let calls = CallGraph::new(p);
    let asks = |op: &Op| {
        matches!(op, Op::Input { .. } | Op::Call { callee: Callee::Builtin(Builtin::ReadByte), .. })
    };
    calls.reachable(task.entry).into_iter().any(|f| match &p.funcs[f].body {
        Some(body) => body.edges.iter().any(|&e| asks(&p.edges[e].op)),
        None => true,
    })
}
