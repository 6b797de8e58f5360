//! `benchmarks/gps-tables` on a small folder of the artifact's form.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use cairn_dev::oracle;
use cairn_dev::process::{Ran, Status, run};

const SAFE: &str = "extern void reach_error(void);
int main(void) { int i = 0; while (i < 10) i++; if (i != 10) reach_error(); }
";
const UNSAFE: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
int main(void) { if (__VERIFIER_nondet_int() == 7) reach_error(); }
";

fn artifact(dir: &Path) {
    let put = |name: &str, text: &str| {
        let path = dir.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a writable folder");
        fs::write(path, text).expect("a writable folder");
    };
    let property = fs::read_to_string(oracle::root().join("tests/properties/unreach-call.prp"));
    put("properties/unreach-call.prp", &property.expect("a property"));
    let task = |name: &str, text: &str, verdict: bool| {
        put(&format!("{name}.c"), text);
        let file = Path::new(name).file_name().expect("a name").to_string_lossy().into_owned();
        put(
            &format!("{name}.yml"),
            &format!(
                "format_version: '2.0'\ninput_files: '{file}.c'\nproperties:\n  - property_file: \
                 ../properties/unreach-call.prp\n    expected_verdict: {verdict}\noptions:\n  language: C\n  \
                 data_model: ILP32\n"
            ),
        );
    };
    task("suite1/good", SAFE, true);
    task("suite1/bad", UNSAFE, false);
    task("suite3b/key", UNSAFE, false);
    put("scripts/Suite1.set", "# a suite\n../suite1/*.yml\n");
    put("scripts/Suite3b.set", "../suite3b/*.yml\n");
    let head = "tool\tgps\tgps\nrun set\tx\tx\n";
    put(
        "scripts/results-sample/gps.1.csv",
        &format!("{head}../suite1/\tstatus\tcputime (s)\ngood.yml\ttrue\t1.5\nbad.yml\ttrue\t2.0\n"),
    );
    put(
        "scripts/results-sample/gps.2.csv",
        &format!("{head}../suite3b/\tstatus\tcputime (s)\nkey.yml\tTIMEOUT\t600.0\n"),
    );
}

fn tables(args: &[&str]) -> Ran {
    let mut command = Command::new("python3");
    command.arg(oracle::root().join("benchmarks/gps-tables")).args(args);
    command.args(["--cairn", env!("CARGO_BIN_EXE_cairn")]);
    run(&mut command, b"", Duration::from_secs(120)).expect("python3 is there")
}

#[test]
fn figures_stand_beside_those_that_were_recorded() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    artifact(dir.path());
    let (from, out) = (dir.path().display().to_string(), dir.path().join("out").display().to_string());
    let args = [&from[..], "--out", &out, "--configs", "gps,bmc", "--time", "20"];
    let ran = tables(&args);
    assert_eq!(ran.status, Status::Exit(0), "{}{}", ran.stdout_text(), ran.stderr_text());
    let text = fs::read_to_string(dir.path().join("out/tables.md")).expect("a table");
    let row = |name: &str| -> Vec<String> {
        let line =
            text.lines().find(|l| l.starts_with(&format!("| {name} |"))).unwrap_or_else(|| panic!("{text}"));
        line.trim_matches('|').split('|').map(|c| c.trim().to_owned()).collect()
    };
    // Tasks; solved by gps, by bmc, and by the original as recorded, with its seconds.
    let total = row("Total");
    assert_eq!([&total[1], &total[2], &total[4], &total[6], &total[7]], ["3", "3", "3", "1", "603.5"]);
    assert_eq!(row("– safe")[1..3], ["1", "1"]);
    assert_eq!(row("Failures (time/memory/unknown)")[6], "1/0/0");
    assert!(text.contains("Wrong verdicts: none") && text.contains("The paper's tables"));
    assert!(dir.path().join("out/tables.html").exists());
    // Nothing is run twice.
    let before = fs::read_to_string(dir.path().join("out/results.tsv")).expect("results");
    assert_eq!(tables(&args).status, Status::Exit(0));
    assert_eq!(fs::read_to_string(dir.path().join("out/results.tsv")).expect("results"), before);
}

#[test]
fn a_folder_of_something_else_is_refused() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let from = dir.path().display().to_string();
    let ran = tables(&[&from, "--out", &from]);
    assert_eq!(ran.status, Status::Exit(1));
    assert!(ran.stderr_text().contains("no task is found"), "{}", ran.stderr_text());
}
