//! Random expressions at type boundaries: every value, size and signedness as
//! gcc has it, and every bit of floats, in both data models and both tiers.

use std::fs;
use std::time::Duration;

use cairn_base::DataModel;
use cairn_dev::cairn::{Cairn, Verdict, verdict};
use cairn_dev::process::Status;
use cairn_dev::{exprs, floats, oracle, pool};

/// Programs of a generator print the same with gcc and here; each at least so many lines.
fn agree(program: impl Fn(u64, DataModel) -> String + Sync, least: usize) {
    let cairn = Cairn { exe: env!("CARGO_BIN_EXE_cairn").into() };
    let dir = tempfile::tempdir().expect("a temporary folder");
    let cases: Vec<(u64, DataModel)> = (1..=6)
        .flat_map(|seed| oracle::MODELS.map(|m| (seed, m)))
        .filter(|(_, m)| oracle::available(*m))
        .collect();
    let failures = pool::map(&cases, 2, |&(seed, model)| {
        let text = program(seed, model);
        let file = dir.path().join(format!("{seed}-{model}.c"));
        fs::write(&file, &text).expect("a writable temporary folder");
        let exe = dir.path().join(format!("{seed}-{model}"));
        oracle::build(std::slice::from_ref(&file), model, &[], &exe).expect("gcc accepts the program");
        let limit = Duration::from_secs(60);
        let wanted = oracle::execute(&exe, &[], &[], b"", limit).expect("gcc's build runs");
        assert_eq!(wanted.status, Status::Exit(0), "seed {seed}");
        let mut problems = String::new();
        for tier in ["interp", "native"] {
            let options = ["--tier", tier].map(str::to_owned);
            let ours =
                cairn.run(std::slice::from_ref(&file), model, &options, b"", limit).expect("cairn runs");
            if verdict(&ours) != Verdict::Exit(0) {
                problems += &format!("seed {seed} {model} {tier}: {}\n", ours.stderr_text());
            }
            let (gcc, cairn) = (wanted.stdout_text(), ours.stdout_text());
            let differing = gcc.lines().zip(cairn.lines()).filter(|(a, b)| a != b);
            for (a, b) in differing.take(5) {
                problems += &format!("seed {seed} {model} {tier}: gcc {a} | cairn {b}\n");
            }
            if gcc.lines().count() != cairn.lines().count() {
                problems += &format!(
                    "seed {seed} {model} {tier}: {} of {} lines\n",
                    cairn.lines().count(),
                    gcc.lines().count()
                );
            }
            assert!(gcc.lines().count() > least);
        }
        problems
    });
    let failures = failures.concat();
    assert!(failures.is_empty(), "{failures}");
}

#[test]
fn random_expressions_agree_with_gcc() {
    agree(|seed, model| exprs::program(seed, 12, 40, model == DataModel::Lp64), 400);
}

#[test]
fn random_floats_agree_with_gcc() {
    agree(|seed, _| floats::program(seed, 12, 40), 479);
}
