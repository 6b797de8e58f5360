//! What engines say of random programs with loops, beside the run of all their
//! executions. The long batch is `cargo run --release -p cairn-dev --bin loops`.

use std::time::Duration;

use cairn_dev::cairn::Cairn;
use cairn_dev::loops::{Outcome, Said, Truth, compare};
use cairn_dev::pool;

const PROGRAMS: u64 = 60;
const ENGINES: [&str; 4] = ["gps", "gps-lite", "kinduction", "bmc"];
const TIME: Duration = Duration::from_millis(500);

#[test]
fn no_engine_contradicts_the_executions() {
    let cairn = Cairn { exe: env!("CARGO_BIN_EXE_cairn").into() };
    let dir = tempfile::tempdir().expect("a temporary folder");
    let seeds: Vec<u64> = (1..=PROGRAMS).collect();
    let outcomes: Vec<Outcome> = pool::map(&seeds, 2, |&seed| {
        compare(&cairn, seed, &ENGINES, TIME, dir.path()).unwrap_or_else(|message| panic!("{message}"))
    });
    let wrong: Vec<String> = outcomes
        .iter()
        .flat_map(|o| o.wrong().into_iter().map(move |w| format!("seed {}: {w}\n{}", o.seed, o.text)))
        .collect();
    assert!(wrong.is_empty(), "{} disagreements:\n{}", wrong.len(), wrong.join("\n"));
    // The programs are of both kinds, and engines decide many of them.
    for truth in [Truth::Safe, Truth::Unsafe] {
        let count = outcomes.iter().filter(|o| o.truth == truth).count();
        assert!(count >= PROGRAMS as usize / 6, "only {count} are {truth:?}");
    }
    let decided = |o: &&Outcome| o.said.iter().any(|(_, said, _)| matches!(said, Said::True | Said::False));
    let decided = outcomes.iter().filter(decided).count();
    assert!(decided >= PROGRAMS as usize / 3, "only {decided} are decided");
}
