//! `check --explain`, as a user sees it.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use cairn_dev::process::{Ran, Status, run};

const LIMIT: Duration = Duration::from_secs(60);

const UNSAFE: &str = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int n = __VERIFIER_nondet_int(), i = 0;
    while (i < n) i++;
    if (i == 40 && n > 30) reach_error();
}
";

const SAFE: &str = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
    int n = __VERIFIER_nondet_int(), x = 0, y = 0;
    while (n-- > 0) { x++; y++; }
    if (x != y) reach_error();
}
";

fn check(dir: &Path, args: &[&str]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cairn"));
    command.current_dir(dir).arg("check").args(args);
    run(&mut command, b"", LIMIT).expect("cairn runs")
}

fn read(dir: &Path, name: &str) -> String {
    fs::read_to_string(dir.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

#[test]
fn verdicts_are_explained() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let dir = dir.path();
    fs::write(dir.join("bad.c"), UNSAFE).expect("a writable folder");
    fs::write(dir.join("good.c"), SAFE).expect("a writable folder");
    let ran = check(dir, &["bad.c", "--engine", "gps", "--explain", "bad.html"]);
    assert_eq!(ran.status, Status::Exit(10), "{}", ran.stderr_text());
    let page = read(dir, "bad.html");
    for part in [
        "bad.c",
        "FALSE (unreach-call)",
        "<svg",
        "replayed by the executor",
        "test 1",
        "n = 40",
        "[i &lt; n]",
    ] {
        assert!(page.contains(part), "{part}");
    }
    assert!(
        page.contains("<span data-line=\"5\"><i>5</i>    while (i &lt; n) i++;</span>"),
        "the source is shown"
    );
    let ran = check(dir, &["good.c", "--engine", "gps", "--explain", "good.html"]);
    assert_eq!(ran.status, Status::Exit(0), "{}", ran.stderr_text());
    let page = read(dir, "good.html");
    for part in ["TRUE", "<svg", "independent checker", "proved by 1-induction with", "dead end"] {
        assert!(page.contains(part), "{part}");
    }
    let ran = check(dir, &["good.c", "--engine", "cra", "--explain", "good.svg"]);
    assert_eq!(ran.status, Status::Exit(0), "{}", ran.stderr_text());
    assert!(read(dir, "good.svg").starts_with("<svg"));
    // The default strategy comes to the search if nothing before it answers.
    let ran = check(dir, &["good.c", "--explain", "auto.html", "--quiet"]);
    assert_eq!(ran.status, Status::Exit(0), "{}", ran.stderr_text());
    let written = dir.join("auto.html").exists();
    assert!(written || ran.stderr_text().contains("no explanation is written"), "{}", ran.stderr_text());
}

#[test]
fn mistakes_are_named() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let dir = dir.path();
    fs::write(dir.join("bad.c"), UNSAFE).expect("a writable folder");
    for (args, part) in [
        (&["--engine", "bmc", "--explain", "x.html"][..], "`bmc` has nothing to draw"),
        (
            &["--engine", "race:bmc,kinduction", "--explain", "x.svg"],
            "nothing to draw; those that have are gps,",
        ),
        (&["--engine", "gps", "--explain", "x.pdf"], "must end in .html or .svg"),
        (&["--engine", "gps", "--explain", "no/such/folder/x.svg"], "cannot write no/such/folder/x.svg"),
    ] {
        let ran = check(dir, &[&["bad.c"], args].concat());
        assert_eq!(ran.status, Status::Exit(1), "{args:?}");
        assert!(ran.stderr_text().contains(part), "{args:?}: {}", ran.stderr_text());
    }
    // The verdict is printed whatever becomes of the file.
    let ran = check(dir, &["bad.c", "--engine", "gps", "--explain", "no/such/folder/x.svg"]);
    assert!(ran.stdout_text().contains("Verdict: FALSE"), "{}", ran.stdout_text());
}
