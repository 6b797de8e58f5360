//! Violation witnesses: is there a violation along the way that the witness
//! describes?

use cairn_base::Budget;
use cairn_core::replay::Confirmed;
use cairn_core::{Task, Trace, Why};
use cairn_portfolio::anywhere::in_any_layout;
use cairn_portfolio::{Decision, Plan, decide};
use cairn_story::tell;
use cairn_witness::testcase::TestValues;
use cairn_witness::witness::Segment;

use super::{Judged, Subject, in_the_original, rejected};
use crate::guard;
use crate::progress::Progress;
use crate::{follow, rerun};

/// The second part is the program's reading with addresses as inputs, if the judgement is about that.
pub fn judge(subject: &Subject<'_>, segments: &[Segment], budget: &Budget) -> (Judged, Option<Task>) {
    let build =
        |options| follow::task(subject.setup, subject.sources, segments, &subject.task.property, &options);
    let task = match build(subject.task.options.clone()) {
        Ok(task) => task,
        Err(unfit) => return (rejected(&unfit), None),
    };
    // Most witnesses state the inputs.
    let test = TestValues::of(&follow::inputs(segments));
    let stated = rerun::aligned(&task, &test, &[], budget);
    if let Ok((trace, confirmed)) = rerun::violates(&task, &stated, &[], budget) {
        return (confirm(subject.task, &task, &trace, &confirmed, budget), None);
    }
    let progress = Progress::start("looking for a violation along the witness");
    let status = |text: &str| progress.say(text);
    let plan = Plan { status: &status, memory: &guard::Shares, ..Plan::new("auto") };
    let ask = |task: &Task| decide(&plan, task, budget.clone());
    let (decided, looking) = in_any_layout(&task, |options| build(options).ok(), ask);
    progress.hide();
    let plain = match &looking {
        Some(followed) => subject.task.read_with(followed.options.clone()).ok(),
        None => None,
    };
    let judged = match decided.decision {
        Decision::Unsafe(trace, confirmed) => {
            let (original, followed) = (plain.as_ref().unwrap_or(subject.task), looking.as_ref());
            confirm(original, followed.unwrap_or(&task), &trace, &confirmed, budget)
        }
        Decision::Safe(_) => {
            let why = "no execution along the witness violates the property";
            Judged::Rejected(why.to_owned(), crate::exit::Exit::Limit)
        }
        Decision::Unknown(why) => Judged::Unknown(why),
    };
    (judged, plain)
}

/// Shows a failure of the program with the witness built in (`followed`) in the program itself.
fn confirm(task: &Task, followed: &Task, trace: &Trace, confirmed: &Confirmed, budget: &Budget) -> Judged {
    match in_the_original(task, followed, trace, confirmed, budget) {
        Ok((trace, confirmed)) => {
            let story = tell(task, &trace, &confirmed, budget);
            Judged::Violated(Box::new(confirmed), story.map(Box::new))
        }
        Err(how) => Judged::Unknown(match budget.exceeded() {
            Some(limit) => Why::limit(limit),
            None => Why::new(
                "unconfirmed error",
                format!("an execution along the witness fails, the program itself does not: {how}"),
            )
            .internal(),
        }),
    }
}
