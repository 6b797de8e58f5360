//! Targets one by one, and tests as they are found.

mod common;

use std::collections::BTreeSet;
use std::time::Duration;

use cairn_base::Budget;
use cairn_symex::{Control, Ending, Fate, Goal, Limits, Options, explore, penetrate, targets};

const PROGRAM: &str = "
int __VERIFIER_nondet_int(void);
void reach_error(void);
static int twice(int x) { return 2 * x; }
static int never(int x) { return x + 1; }
int main(void) {
    int a = __VERIFIER_nondet_int();
    int b = twice(a);
    if (b == 14) goto fourteen;
    if (b == 15) {
        reach_error();          // an even number is not odd
        return never(b);
    }
    if (a > 100)
        if (a < 50) return 3;   // line 14
    return 0;
fourteen:
    return 1;
}
";

fn limits() -> Limits<'static> {
    Limits { budget: Budget::default().with_time(Duration::from_secs(30)), solver: &cairn_smt::standard }
}

#[test]
fn goals_are_decided() {
    let task = common::task(PROGRAM);
    let goals = [
        Goal::Label("fourteen".into()),
        Goal::Function("twice".into()),
        Goal::Function("never".into()),
        Goal::Asserts,
        Goal::Line { file: None, line: 14 },
    ];
    let (found, report) = penetrate(&task.program, task.entry, &goals, Options::default(), &limits());
    assert!(matches!(report.ending, Ending::Complete), "{report:?}");
    let fates: Vec<(&str, Option<u128>)> = found
        .iter()
        .map(|f| match &f.fate {
            Fate::Reachable(inputs) => (f.what.as_str(), Some(inputs.first().map_or(0, |i| i.bits))),
            Fate::Unreachable => (f.what.as_str(), None),
            Fate::Hard => panic!("{f:?}"),
        })
        .collect();
    assert_eq!(fates.len(), 5, "{fates:?}");
    let of = |what: &str| fates.iter().find(|(w, _)| *w == what).unwrap_or_else(|| panic!("{what}")).1;
    // 2 * a wraps around: there are two such numbers.
    assert_eq!(of("label fourteen").map(|a| a & 0x7fff_ffff), Some(7));
    assert!(of("function twice").is_some());
    assert_eq!(of("function never"), None);
    assert_eq!(of("error"), None);
    // The condition of the inner decision stands there, too: the line is reached.
    assert!(of("line 14").is_some_and(|a| a > 100));
}

#[test]
fn each_side_of_each_branch_gets_a_test() {
    let task = common::task(PROGRAM);
    let branches = targets(&task.program, &Goal::Branches);
    assert_eq!(branches.len(), 8);
    let wanted: BTreeSet<_> = branches.iter().flat_map(|f| f.targets.clone()).collect();
    let mut tests = 0;
    let report = explore(&task.program, task.entry, &wanted, Options::default(), &limits(), &mut |_| {
        tests += 1;
        Control::Continue
    });
    assert!(matches!(report.ending, Ending::Complete), "{report:?}");
    // b == 15 and a < 50 behind a > 100 are impossible.
    assert_eq!(report.left.len(), 2, "{report:?}");
    assert!(tests >= 6);
}

#[test]
fn blocks_that_are_dead_are_known() {
    let task = common::task(PROGRAM);
    let (found, _) = penetrate(&task.program, task.entry, &[Goal::Blocks], Options::default(), &limits());
    let dead = found.iter().filter(|f| matches!(f.fate, Fate::Unreachable)).count();
    let hard = found.iter().filter(|f| matches!(f.fate, Fate::Hard)).count();
    assert!(dead >= 2 && hard == 0, "{dead} dead, {hard} hard of {}", found.len());
}
