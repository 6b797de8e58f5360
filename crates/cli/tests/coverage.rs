//! `cairn test` and `cairn reach`: the coverage that the expectation files state, suites that gcc and
//! gcov confirm, reports in the right form, and words for every kind of bad input.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use cairn_dev::process::{Ran, Status, run};
use cairn_dev::{cairn, oracle, pool, task};
use serde_json::Value;

fn start(args: &[&str], dir: &Path) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cairn"));
    command.args(args).current_dir(dir);
    run(&mut command, b"", Duration::from_secs(300)).expect("cairn starts")
}

#[track_caller]
fn json(args: &[&str], dir: &Path, code: i32) -> Value {
    let ran = start(&[args, &["--json"]].concat(), dir);
    let text = ran.stdout_text();
    assert_eq!(ran.status, Status::Exit(code), "cairn {args:?}\n{text}{}", ran.stderr_text());
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("cairn {args:?}: {e}\n{text}"))
}

fn temporary() -> tempfile::TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// Every program with a section `coverage`.
#[test]
fn coverage_is_as_expected_and_gcov_agrees() {
    let all = task::all(&oracle::root().join("tests/programs")).expect("readable expectations");
    let tasks: Vec<task::Task> = all.into_iter().filter(|t| !t.cairn.coverage.is_empty()).collect();
    assert!(tasks.len() >= 6, "programs with a section `coverage`");
    let failures: Vec<String> = pool::map(&tasks, 2, failures).concat();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn failures(task: &task::Task) -> Vec<String> {
    let mut failures = Vec::new();
    let program = task.files()[0].display().to_string();
    for (criterion, wanted) in &task.cairn.coverage {
        let dir = temporary();
        let found = json(
            &["test", &program, "--cover", criterion, "--suite", "s", "--time", "100", "--64"],
            dir.path(),
            0,
        );
        let c = &found["coverage"];
        let all = ["goals", "covered", "unreachable_proved", "unreachable_explored", "left"];
        let all = all.map(|key| c[key].as_u64().unwrap_or(u64::MAX) as usize);
        // What is unreachable in these programs can be proved.
        let expected = [wanted.goals, wanted.covered, wanted.unreachable, 0, 0];
        if all != expected {
            let open = found["goals"].as_array().into_iter().flatten();
            let open: Vec<String> =
                open.filter(|g| g["status"] != "covered").map(|g| g.to_string()).collect();
            let of = cairn::shown(&task.path);
            failures.push(format!("{of}, {criterion}: {all:?}, expected {expected:?}\n{}", open.join("\n")));
        }
        let native = json(&["test", &program, "--run", "s", "--64"], dir.path(), 0);
        let lines = |v: &Value, key: &str| v["lines"][key].as_u64().unwrap_or(0);
        let executed = lines(&native, "covered");
        // Lines differ a little: gcc has some for closing braces, and none for declarations.
        if criterion != "error" && (executed == 0 || executed + 4 < lines(&found, "executed")) {
            failures.push(format!("{}, {criterion}: gcov has {}", cairn::shown(&task.path), native["lines"]));
        }
        let (taken, branches) = (&native["branches"]["covered"], &native["branches"]["all"]);
        if (wanted.unreachable, criterion.as_str()) == (0, "conditions") && taken != branches {
            failures.push(format!("{}: gcov has {taken} of {branches} branches", cairn::shown(&task.path)));
        }
    }
    failures
}

fn program(name: &str) -> String {
    oracle::root().join("tests/programs/coverage").join(name).display().to_string()
}

fn test_files(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).expect("a suite");
    let named = |p: &PathBuf| p.file_name().is_some_and(|n| n.to_string_lossy().starts_with("testcase-"));
    entries.flatten().map(|e| e.path()).filter(named).collect()
}

#[test]
fn suites_are_minimal_and_valid() {
    let dir = temporary();
    let property = dir.path().join("p.prp");
    fs::write(&property, "COVER( init(main()), FQL(COVER EDGES(@CALL(reach_error))) )\n").expect("written");
    let found = json(&["test", &program("ends.c"), "--property", "p.prp", "--suite", "s"], dir.path(), 0);
    assert_eq!(
        (found["criterion"].as_str(), found["coverage"]["covered"].as_u64()),
        (Some("error"), Some(1))
    );
    let tests = test_files(&dir.path().join("s"));
    assert_eq!(tests.len(), 1, "{tests:?}");
    let text = fs::read_to_string(&tests[0]).expect("a test case");
    assert!(
        text.contains("coversError=\"true\"") && text.contains("<input type=\"int\">4</input>"),
        "{text}"
    );
    let metadata = fs::read_to_string(dir.path().join("s/metadata.xml")).expect("metadata");
    assert!(metadata.contains("@CALL(reach_error)"), "{metadata}");
    // The failure is one for `replay`, too.
    let ran = start(&["replay", &program("ends.c"), "--test", "s"], dir.path());
    assert_eq!(ran.status, Status::Exit(10), "{}", ran.stdout_text());
}

#[test]
fn tests_that_crash_or_hang_are_counted_with_their_coverage() {
    let dir = temporary();
    let suite = dir.path().join("s");
    fs::create_dir(&suite).expect("a folder");
    for (n, value) in ["0", "1", "2", "3", "4", "5"].iter().enumerate() {
        // As other tools write them.
        let text = format!(
            "<?xml version=\"1.0\"?>\n<testcase>\n<input variable=\"x\" type=\"int\">{value}</input></testcase>"
        );
        fs::write(suite.join(format!("test_{n}.xml")), text).expect("written");
    }
    fs::write(suite.join("test_none.xml"), "<testcase></testcase>").expect("written");
    let found = json(&["test", &program("ends.c"), "--run", "s"], dir.path(), 0);
    let ends: Vec<(&str, u64)> = found["ends"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|e| (e["how"].as_str().unwrap_or(""), e["tests"].as_u64().unwrap_or(0)))
        .collect();
    let expected = [
        ("ended normally", 2),
        ("reached an error", 1),
        ("aborted", 2),
        ("crashed", 1),
        ("used up their inputs", 1),
    ];
    assert_eq!(ends, expected);
    // All that ends early has left its traces. (The null pointer keeps `return 1` from being reached.)
    assert_eq!(found["lines"]["all"].as_u64(), found["lines"]["covered"].as_u64().map(|n| n + 1), "{found}");

    let hang = "int main(void) {\n    volatile int i = 0;\n    while (i >= 0)\n        i = (i + 1) & 7;\n    return 1;\n}\n";
    fs::write(dir.path().join("hang.c"), hang).expect("written");
    let found = json(&["test", "hang.c", "--run", "s/test_none.xml", "--test-time", "0.3"], dir.path(), 0);
    assert_eq!(found["ends"][0]["how"], "timed out");
    assert!(found["lines"]["covered"].as_u64() > Some(0), "{found}");
}

#[test]
fn reports_have_their_form() {
    let dir = temporary();
    let args = ["test", &program("dead_code.c"), "--suite", "s", "--lcov", "c.info", "--html", "c.html"];
    let ran = start(&args, dir.path());
    let text = ran.stdout_text();
    assert_eq!(ran.status, Status::Exit(0), "{text}{}", ran.stderr_text());
    let last = text.lines().last().unwrap_or_default();
    assert_eq!(last, "Result: 5 of 12 outcomes of decisions covered (41.7 %), 7 unreachable, 0 left");
    assert!(
        text.contains("Dead code (no execution comes here; proved, and the proof was checked):"),
        "{text}"
    );

    let info = fs::read_to_string(dir.path().join("c.info")).expect("a tracefile");
    lcov_is_sound(&info);
    assert!(info.contains("FNDA:0,unused\n") && info.contains("FNDA:2,main\n"), "{info}");

    let page = fs::read_to_string(dir.path().join("c.html")).expect("a page");
    for part in ["5 of 12 outcomes", "class=\"dead\"", "unreachable, proved", "x &amp; 15", "href=\"#f"] {
        assert!(page.contains(part), "{part}: {page}");
    }
    for link in page.split("href=\"#").skip(1).filter_map(|rest| rest.split('"').next()) {
        assert!(page.contains(&format!("id=\"{link}\"")), "{link} leads nowhere");
    }
}

/// The rules of geninfo(1): records in order, and sums that are right.
fn lcov_is_sound(info: &str) {
    let mut lines = info.lines();
    assert!(lines.next().is_some_and(|l| l.starts_with("TN:")));
    let (mut da, mut da_hit, mut br, mut br_hit, mut fns, mut fn_hit) = (0, 0, 0, 0, 0, 0);
    let (mut open, mut records) = (false, 0);
    for line in lines {
        let (key, value) = line.split_once(':').unwrap_or((line, ""));
        let fields: Vec<&str> = value.split(',').collect();
        match key {
            "SF" => {
                assert!(!open && value.starts_with('/'), "{line}");
                open = true;
            }
            "FN" => fns += 1,
            "FNDA" => fn_hit += usize::from(fields[0] != "0"),
            "FNF" => assert_eq!(value, fns.to_string()),
            "FNH" => assert_eq!(value, fn_hit.to_string()),
            "BRDA" => {
                assert_eq!(fields.len(), 4, "{line}");
                br += 1;
                br_hit += usize::from(fields[3] != "-" && fields[3] != "0");
            }
            "BRF" => assert_eq!(value, br.to_string()),
            "BRH" => assert_eq!(value, br_hit.to_string()),
            "DA" => {
                assert!(fields.len() == 2 && fields.iter().all(|f| f.parse::<u64>().is_ok()), "{line}");
                da += 1;
                da_hit += usize::from(fields[1] != "0");
            }
            "LF" => assert_eq!(value, da.to_string()),
            "LH" => assert_eq!(value, da_hit.to_string()),
            "end_of_record" => {
                assert!(open);
                open = false;
                records += 1;
            }
            _ => panic!("{line}"),
        }
    }
    assert!(!open && records == 1 && da_hit > 0 && br_hit > 0);
}

const TARGETS: &str = "int __VERIFIER_nondet_int(void);
#include <assert.h>
static int even(int x) { return 2 * x; }
static int never(int x) { return x + 1; }
int main(void) {
    int a = __VERIFIER_nondet_int();
    if (even(a) == 14) goto fourteen;
    if (even(a) == 15)
        return never(a);
    assert(a != 321);
    assert(even(a) != 1);
    return 0;
fourteen:
    return 1;
}
";

#[test]
fn targets_are_reached_or_proved_unreachable() {
    let dir = temporary();
    fs::write(dir.path().join("t.c"), TARGETS).expect("written");
    let line = "reach t.c --target 9 --target t.c:12 --target label:fourteen --target func:never --target asserts \
                --suite s";
    let found = json(&line.split(' ').collect::<Vec<_>>(), dir.path(), 0);
    let targets: Vec<(&str, u64, &str)> = found["targets"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|t| {
            let text = |key: &str| t[key].as_str().unwrap_or("");
            (text("what"), t["place"]["line"].as_u64().unwrap_or(0), text("status"))
        })
        .collect();
    let expected = [
        ("line 9", 9, "unreachable"),
        ("line 12", 12, "reachable"),
        ("label fourteen", 14, "reachable"),
        ("function never", 4, "unreachable"),
        ("failing assertion", 10, "reachable"),
        ("failing assertion", 11, "unreachable"),
    ];
    assert_eq!(targets, expected);
    assert_eq!(found["targets"][4]["inputs"][0]["value"], "321");
    let test = found["targets"][4]["test"].as_str().expect("a test");
    let text = fs::read_to_string(dir.path().join("s").join(test)).expect("the test case");
    assert!(text.contains(">321<"), "{text}");

    let ran = start(&["reach", "t.c"], dir.path());
    let text = ran.stdout_text();
    assert_eq!(ran.status, Status::Exit(0), "{text}");
    assert!(text.contains("Dead code (unreachable; proved"), "{text}");
}

#[test]
fn arguments_of_a_function_are_inputs_of_its_tests() {
    let dir = temporary();
    let text = "int f(short a, double b) { if (a == -300 && b > 2.5 && b < 2.6) return 1; return 0; }\n\
                int main(void) { return f(1, 2); }\n";
    fs::write(dir.path().join("f.c"), text).expect("written");
    let found = json(&["test", "f.c", "--function", "f", "--suite", "s"], dir.path(), 0);
    assert_eq!(found["coverage"]["covered"], 2);
    let native = json(&["test", "f.c", "--function", "f", "--run", "s"], dir.path(), 0);
    assert_eq!(native["branches"]["covered"], native["branches"]["all"], "{native}");
}

#[test]
fn time_is_kept_and_what_was_found_stays() {
    let dir = temporary();
    // Cubes without end: nobody decides that in a second.
    let text = "unsigned __VERIFIER_nondet_uint(void);\nint main(void) {\n    for (;;) {\n        unsigned long a = \
                __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint(), c = __VERIFIER_nondet_uint();\n        if \
                (a > 1 && b > 1 && c > 1 && a * a * a + b * b * b == c * c * c + 1000003)\n            return 1;\n    }\n}\n";
    fs::write(dir.path().join("cubes.c"), text).expect("written");
    let began = std::time::Instant::now();
    let found = json(&["test", "cubes.c", "--suite", "s", "--time", "8"], dir.path(), 5);
    assert!(began.elapsed() < Duration::from_secs(60), "{:?}", began.elapsed());
    assert!(found["coverage"]["left"].as_u64() > Some(0), "{found}");
    assert!(!test_files(&dir.path().join("s")).is_empty());
    let native = json(&["test", "cubes.c", "--run", "s"], dir.path(), 0);
    assert!(native["branches"]["covered"].as_u64() > Some(0), "{native}");
}

#[test]
fn bad_input_has_a_word_and_a_code() {
    let dir = temporary();
    fs::write(dir.path().join("a.c"), "int main(void) { return 0; }\n").expect("written");
    fs::write(dir.path().join("bad.prp"), "CHECK( init(main()), LTL(G ! overflow) )\n").expect("written");
    fs::write(dir.path().join("file"), "").expect("written");
    fs::create_dir_all(dir.path().join("empty")).expect("a folder");
    fs::create_dir_all(dir.path().join("broken")).expect("a folder");
    fs::write(dir.path().join("broken/t.xml"), "<testcase><input>x</input></testcase>").expect("written");
    for (line, code, word) in [
        ("test missing.c", 2, "missing.c"),
        ("test a.c --cover lines", 2, "no criterion"),
        ("test a.c --property missing.prp", 2, "neither a criterion nor a file"),
        ("test a.c --property bad.prp", 2, "not a coverage property"),
        ("test a.c --suite file/x", 1, "cannot make the folder"),
        ("test a.c --suite s --html no/such/x.html", 1, "cannot write"),
        ("test a.c --function f", 2, "no function `f`"),
        ("test a.c --run missing", 2, "no suite"),
        ("test a.c --run empty", 2, "no test case"),
        ("test a.c --run broken", 2, "not a value"),
        ("test a.c --cover branches --property bad.prp", 1, "cannot be used with"),
        ("test a.c --suite broken", 1, "another producer"),
        ("reach a.c --target nonsense", 1, "no target"),
        ("reach a.c --target 77", 2, "no code on line 77"),
        ("reach a.c --target label:L", 2, "no label `L`"),
        ("reach a.c --target func:g", 2, "no function `g`"),
        ("reach a.c --target asserts", 2, "no assertion"),
        ("reach missing.yml", 2, "missing.yml"),
    ] {
        let ran = start(&line.split(' ').collect::<Vec<_>>(), dir.path());
        let text = ran.stdout_text() + &ran.stderr_text();
        assert!(
            ran.status == Status::Exit(code) && text.contains(word),
            "cairn {line}: {:?}, expected {code} and `{word}`\n{text}",
            ran.status
        );
    }
}
