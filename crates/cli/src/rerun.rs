//! Running a task on values that a user, a test case or a witness gives.

use cairn_base::Budget;
use cairn_core::replay::{self, Confirmed};
use cairn_core::verdict::InputValue;
use cairn_core::{Task, Trace};
use cairn_native::Native;
use cairn_sem::{Birth, Captured, Executor, Given, InputRecord, Options, Outcome, Tier};
use cairn_witness::testcase::{self, TestValues};

/// Runs the program with the property built in. `births`: what memory holds that nobody has written.
pub fn execute(task: &Task, values: &[Given], births: &[Birth], budget: &Budget) -> Outcome {
    let trace = Trace { births: births.to_vec(), ..Trace::default() };
    let options = Options { inputs: values.to_vec(), ..replay::options(task, &trace) };
    let mut native = Native::new(&task.program);
    let tier = native.as_mut().map(|n| n as &mut dyn Tier);
    let mut io = Captured::default();
    Executor::new(&task.program, options, budget.clone()).run_with(&mut io, tier)
}

/// The values of all inputs, where those of the calls are known.
pub fn aligned(task: &Task, test: &TestValues, births: &[Birth], budget: &Budget) -> Vec<Given> {
    testcase::aligned(test, |values| execute(task, values, births, budget).inputs)
}

/// The inputs that a run took, and what memory held.
pub fn trace(inputs: &[InputRecord], births: &[Birth]) -> Trace {
    let value = |i: &InputRecord| InputValue { name: i.name, ty: i.ty, bits: i.bits, place: i.place };
    Trace { inputs: inputs.iter().map(value).collect(), births: births.to_vec() }
}

/// Does a run on these values violate the property? `Err` says how it ends instead.
pub fn violates(
    task: &Task,
    values: &[Given],
    births: &[Birth],
    budget: &Budget,
) -> Result<(Trace, Confirmed), String> {
    let trace = trace(&execute(task, values, births, budget).inputs, births);
    let mut native = Native::new(&task.program);
    let tier = native.as_mut().map(|n| n as &mut dyn Tier);
    replay::replay(task, &trace, budget, tier).map(|confirmed| (trace, confirmed))
}
