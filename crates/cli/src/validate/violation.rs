//! Violation witnesses: is there a violation along the way that the witness
//! describes?

use cairn_base::Budget;
use cairn_core::Why;
use cairn_core::replay::Confirmed;
use cairn_core::story::tell;
use cairn_witness::witness::Segment;

use super::{Judged, Subject, in_the_original, rejected};
use crate::progress::Progress;
use crate::{follow, rerun};
use cairn_portfolio::{Decision, Plan, decide};

pub fn judge(subject: &Subject<'_>, segments: &[Segment], budget: &Budget) -> Judged {
    let plain = subject.task;
    let task = match follow::task(subject.setup, subject.sources, segments, &plain.property, &plain.options) {
        Ok(task) => task,
        Err(unfit) => return rejected(&unfit),
    };
    // Most witnesses state the inputs.
    let stated = rerun::aligned(&task, &follow::inputs(segments), budget);
    if let Ok((_, confirmed)) = rerun::violates(&task, &stated, budget) {
        return confirm(subject, &confirmed, budget);
    }
    let progress = Progress::start("looking for a violation along the witness");
    let status = |text: &str| progress.say(text);
    match decide(&Plan { status: &status, ..Plan::new("auto") }, &task, budget.clone()).decision {
        Decision::Unsafe(_, confirmed) => confirm(subject, &confirmed, budget),
        Decision::Safe(_) => {
            let why = "no execution along the witness violates the property";
            Judged::Rejected(why.to_owned(), crate::exit::Exit::Limit)
        }
        Decision::Unknown(why) => Judged::Unknown(why),
    }
}

fn confirm(subject: &Subject<'_>, confirmed: &Confirmed, budget: &Budget) -> Judged {
    match in_the_original(subject.task, confirmed, budget) {
        Ok((trace, confirmed)) => {
            let story = tell(subject.task, &trace, &confirmed, budget);
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
