//! Running a task on values that a user, a test case or a witness gives.

use cairn_base::Budget;
use cairn_core::replay::{self, Confirmed};
use cairn_core::verdict::InputValue;
use cairn_core::{Task, Trace};
use cairn_native::Native;
use cairn_sem::{Captured, Executor, Given, InputRecord, Options, Outcome, Tier};
use cairn_witness::testcase::is_call;

/// Tries to give every value to the call that it is for.
const TRIES: usize = 100;

/// Runs the program with the property built in.
pub fn execute(task: &Task, values: &[Given], budget: &Budget) -> Outcome {
    let options = Options { inputs: values.to_vec(), ..replay::options(task, &Trace::default()) };
    let mut native = Native::new(&task.program);
    let tier = native.as_mut().map(|n| n as &mut dyn Tier);
    let mut io = Captured::default();
    Executor::new(&task.program, options, budget.clone()).run_with(&mut io, tier)
}

/// The values of all inputs, where those of the calls are known: variables that may be read before
/// they are assigned, which nobody but Cairn counts among the inputs, are zero.
pub fn aligned(task: &Task, calls: &[Given], budget: &Budget) -> Vec<Given> {
    let mut values = calls.to_vec();
    for _ in 0..TRIES {
        let mut rest = calls.iter();
        let mut next = Vec::with_capacity(values.len());
        for input in &execute(task, &values, budget).inputs {
            match is_call(input) {
                false => next.push(Given::Bits(0)),
                true => match rest.next() {
                    Some(value) => next.push(*value),
                    None => break,
                },
            }
        }
        next.extend(rest);
        // No number equals NaN: the text does.
        if format!("{next:?}") == format!("{values:?}") {
            break;
        }
        values = next;
    }
    values
}

/// The inputs that a run took.
pub fn trace(inputs: &[InputRecord]) -> Trace {
    let value = |i: &InputRecord| InputValue { name: i.name, ty: i.ty, bits: i.bits, place: i.place };
    Trace { inputs: inputs.iter().map(value).collect() }
}

/// Does a run on these values violate the property? `Err` says how it ends instead.
pub fn violates(task: &Task, values: &[Given], budget: &Budget) -> Result<(Trace, Confirmed), String> {
    let trace = trace(&execute(task, values, budget).inputs);
    let mut native = Native::new(&task.program);
    let tier = native.as_mut().map(|n| n as &mut dyn Tier);
    replay::replay(task, &trace, budget, tier).map(|confirmed| (trace, confirmed))
}
