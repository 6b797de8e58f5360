//! Targets one by one, and tests as they are found.

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use cairn_base::Budget;
use cairn_core::Target;
use cairn_ir::{Builtin, Callee, Op};
use cairn_symex::{Control, Ending, Limits, Options, Report, Unreachable, Why, explore};

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
    Limits {
        budget: Budget::default().with_time(Duration::from_secs(30)),
        solver: &cairn_smt::standard,
        unreachable: Unreachable::default(),
    }
}

/// Explores for targets, and gives the first input of the test that reached each.
fn reached(wanted: &BTreeSet<Target>) -> (BTreeMap<Target, u128>, Report) {
    let task = common::task(PROGRAM);
    let mut found = BTreeMap::new();
    let report = explore(&task.program, task.entry, wanted, Options::default(), &limits(), &mut |test| {
        if let Why::Reaches(target) = test.why {
            found.insert(target, test.inputs.first().map_or(0, |i| i.bits));
        }
        Control::Continue
    });
    assert!(matches!(report.ending, Ending::Complete), "{report:?}");
    (found, report)
}

#[test]
fn targets_are_decided() {
    let p = common::task(PROGRAM).program;
    let entry = |name: &str| {
        let f = p.funcs.values().find(|f| f.name.as_str() == name).expect("a function");
        Target::Loc(f.body.as_ref().expect("a body").entry)
    };
    let label = |l: &cairn_ir::Location| l.labels.iter().any(|n| n.as_str() == "fourteen");
    let fourteen = p.locs.iter().find(|(_, l)| label(l)).map(|(l, _)| Target::Loc(l)).expect("a label");
    let error = |op: &Op| matches!(op, Op::Call { callee: Callee::Builtin(Builtin::Error), .. });
    let error = p.edges.iter().find(|(_, e)| error(&e.op)).map(|(e, _)| Target::Edge(e)).expect("an error");
    let (twice, never) = (entry("twice"), entry("never"));
    let (found, report) = reached(&BTreeSet::from([fourteen, error, twice, never]));
    // 2 * a wraps around: there are two such numbers.
    assert_eq!(found.get(&fourteen).map(|a| a & 0x7fff_ffff), Some(7));
    assert!(found.contains_key(&twice));
    assert_eq!(report.left, BTreeSet::from([error, never]));
}

#[test]
fn each_side_of_each_branch_gets_a_test() {
    let p = common::task(PROGRAM).program;
    let user = |e: &cairn_ir::Edge| !p.funcs[p.locs[e.src].func].is_model;
    let branches = p.edges.iter().filter(|(_, e)| e.branch.is_some() && user(e));
    let wanted: BTreeSet<Target> = branches.map(|(e, _)| Target::Edge(e)).collect();
    assert_eq!(wanted.len(), 8);
    let (found, report) = reached(&wanted);
    // b == 15 and a < 50 behind a > 100 are impossible.
    assert_eq!((found.len(), report.left.len()), (6, 2), "{report:?}");
}
