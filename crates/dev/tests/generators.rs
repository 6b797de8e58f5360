//! gcc accepts what the generators make, and its builds end normally.

use std::fs;
use std::time::Duration;

use cairn_base::DataModel;
use cairn_dev::process::Status;
use cairn_dev::{exprs, oracle, source};

fn accepted(name: &str, text: &str, model: DataModel) {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let file = dir.path().join(name);
    fs::write(&file, text).expect("a writable temporary folder");
    let exe = oracle::build(&[file], model, &[], &dir.path().join("exe")).expect("gcc accepts it");
    let ran = oracle::execute(&exe, &[], &[], b"", Duration::from_secs(20)).expect("it runs");
    assert_eq!(ran.status, Status::Exit(0));
    assert!(!ran.stdout.is_empty());
}

#[test]
fn large_sources() {
    accepted("large.i", &source::large(3000), DataModel::Lp64);
}

#[test]
fn expressions() {
    for model in oracle::MODELS.into_iter().filter(|m| oracle::available(*m)) {
        accepted("exprs.c", &exprs::program(3, 5, 30, model == DataModel::Lp64), model);
    }
}
