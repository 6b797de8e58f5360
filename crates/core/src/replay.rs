//! The check of an unsafe verdict: the inputs are run through the executor,
//! which shares nothing with the engines but the meaning of operations.

use std::sync::PoisonError;

use cairn_base::Budget;
use cairn_ir::{Bits, Symbol};
use cairn_sem::{
    Birth, Captured, End, Executor, Given, Indeterminate, InputRecord, Options, Report, SignedOverflow, Tier,
    UbKind,
};

use crate::property::Property;
use crate::task::Task;
use crate::verdict::Trace;

/// What the executor saw.
#[derive(Clone, Debug)]
pub struct Confirmed {
    pub report: Report,
    /// The inputs in the order in which they were read.
    pub inputs: Vec<InputRecord>,
    pub steps: u64,
}

/// What makes a trace: the patterns of its inputs and what memory holds that nobody has written.
pub(crate) type Claim = (Vec<Bits>, Vec<Birth>);

/// What the executor is asked to repeat a trace.
pub fn options(task: &Task, trace: &Trace) -> Options {
    let mut options = Options {
        inputs: trace.inputs.iter().map(|i| Given::Bits(i.bits)).collect(),
        // Errors are built into the program.
        targets: Vec::<Symbol>::new(),
        indeterminate: Indeterminate::Given(trace.births.clone()),
        ..Options::default()
    };
    // Overflow and division are judged by the executor itself. (Indeterminate locals are inputs in
    // the instrumented program only, so that is the one to run.)
    if task.property == Property::NoOverflow {
        options.signed_overflow = SignedOverflow::Undefined;
    }
    options
}

/// Runs a trace. `Err` says how the run ended instead. The last run that was confirmed is not
/// repeated: an engine may have wanted to know before it claims an error, and runs can be long.
pub fn replay(
    task: &Task,
    trace: &Trace,
    budget: &Budget,
    tier: Option<&mut dyn Tier>,
) -> Result<Confirmed, String> {
    let claim: Claim = (trace.inputs.iter().map(|i| i.bits).collect(), trace.births.clone());
    let known = || task.confirmed.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((of, confirmed)) = &*known()
        && *of == claim
    {
        return Ok(confirmed.clone());
    }
    let confirmed = run(task, trace, budget, tier)?;
    *known() = Some((claim, confirmed.clone()));
    Ok(confirmed)
}

fn run(
    task: &Task,
    trace: &Trace,
    budget: &Budget,
    mut tier: Option<&mut dyn Tier>,
) -> Result<Confirmed, String> {
    let program = &task.program;
    let mut io = Captured::default();
    let executor = Executor::new(program, options(task, trace), budget.clone());
    let outcome = executor.run_with(&mut io, tier.as_mut().map(|t| &mut **t as &mut dyn Tier));
    if let Some(report) = failure(&task.property, &outcome.end) {
        return Ok(Confirmed { report: report.clone(), inputs: outcome.inputs, steps: outcome.steps });
    }
    Err(match outcome.end {
        End::ErrorReached(r) | End::Undefined(r) => format!("the run is undefined: {}", r.message),
        End::Exit(code) => format!("the run ends with exit code {code}"),
        End::Abort(r) | End::AssumptionFailed(r) | End::NoReturn(r) => r.message,
        End::Limit(limit, _) => format!("the run reaches a limit ({limit:?})"),
        End::NoEntry(why) => why,
    })
}

/// The report of a run that violates the property, if it does.
pub fn failure<'r>(property: &Property, end: &'r End) -> Option<&'r Report> {
    match end {
        End::ErrorReached(report) => Some(report),
        End::Undefined(report) => match (property, report.kind) {
            (Property::NoOverflow, Some(UbKind::SignedOverflow | UbKind::DivisionOverflow))
            | (Property::NoDivisionByZero, Some(UbKind::DivisionByZero)) => Some(report),
            _ => None,
        },
        _ => None,
    }
}
