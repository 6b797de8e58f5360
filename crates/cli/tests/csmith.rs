//! A fixed batch of csmith programs: the same checksum as gcc in both data
//! models. The long batch is `cargo run --release -p cairn-dev --bin csmith`.

use cairn_dev::cairn::Cairn;
use cairn_dev::csmith::{Comparison, check_installed, compare, generate};
use cairn_dev::{oracle, pool};

const PROGRAMS: u64 = 60;

#[test]
fn checksums_agree_with_gcc() {
    if std::env::var_os("CAIRN_NO_CSMITH").is_some() {
        eprintln!("CAIRN_NO_CSMITH is set: nothing is compared");
        return;
    }
    if let Err(message) = check_installed() {
        panic!("{message}; set CAIRN_NO_CSMITH=1 to go without this test");
    }
    let cairn = Cairn { exe: env!("CARGO_BIN_EXE_cairn").into() };
    let dir = tempfile::tempdir().expect("a temporary folder");
    let options = ["--max-steps", "5G", "--time", "120"].map(str::to_owned);
    let seeds: Vec<u64> = (1000..1000 + PROGRAMS).collect();
    let outcomes = pool::map(&seeds, 2, |&seed| {
        let program = dir.path().join(format!("{seed}.c"));
        generate(seed, &program).expect("csmith works");
        let models = oracle::MODELS.into_iter().filter(|m| oracle::available(*m));
        models
            .map(|model| {
                (seed, model, compare(&cairn, &program, model, &options, dir.path()).expect("gcc builds it"))
            })
            .collect::<Vec<_>>()
    });
    let outcomes = outcomes.concat();
    let compared = outcomes.iter().filter(|(_, _, c)| *c != Comparison::Skipped).count();
    let wrong: Vec<String> = outcomes
        .iter()
        .filter(|(_, _, c)| !matches!(c, Comparison::Match | Comparison::Skipped))
        .map(|(seed, model, c)| format!("csmith --seed {seed} in {model}: {c:?}"))
        .collect();
    assert!(wrong.is_empty(), "{} of {compared}:\n{}", wrong.len(), wrong.join("\n"));
    assert!(compared as u64 >= PROGRAMS, "only {compared} programs end within gcc's time limit");
}
