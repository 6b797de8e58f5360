//! Verdicts with evidence, as a user sees them: `check` writes it, `replay`
//! repeats the failure with and without the executor, `validate` confirms what is
//! right and never what is wrong.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use cairn_dev::oracle;
use cairn_dev::process::{Ran, Status, run};
use serde_json::Value;

const LIMIT: Duration = Duration::from_secs(60);

/// A folder to work in.
struct Dir(tempfile::TempDir);

impl Dir {
    fn new() -> Dir {
        Dir(tempfile::tempdir().expect("a temporary folder"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("a writable folder");
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    /// Copies a verification program and its task file here.
    fn program(&self, name: &str) -> String {
        let from = oracle::root().join("tests/programs/verify");
        let text = fs::read_to_string(from.join(format!("{name}.c"))).expect("a test program");
        let property = oracle::root().join("tests/properties/unreach-call.prp");
        self.write(&format!("{name}.c"), &text);
        self.write(
            &format!("{name}.yml"),
            &format!(
                "format_version: '2.0'\ninput_files: {name}.c\nproperties:\n  - property_file: {}\n\
                 options: {{language: C, data_model: LP64}}\n",
                property.display()
            ),
        );
        format!("{name}.yml")
    }

    /// Runs `cairn` with words split at blanks.
    fn cairn(&self, line: &str) -> Ran {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cairn"));
        command.args(line.split(' ')).current_dir(self.0.path());
        run(&mut command, b"", LIMIT).expect("cairn starts")
    }

    /// Expects an exit code and the last line of standard output.
    #[track_caller]
    fn expect(&self, line: &str, code: i32, last: &str) -> String {
        let ran = self.cairn(line);
        let text = ran.stdout_text();
        let found = text.lines().last().unwrap_or_default();
        assert!(
            ran.status == Status::Exit(code) && found.contains(last),
            "cairn {line}: {:?}, expected {code} and `{last}`\n{text}{}",
            ran.status,
            ran.stderr_text()
        );
        text
    }
}

const ALL: &str = "--witness w.yml --graphml w.graphml --test suite --harness h.c --sarif l.sarif";

#[test]
fn failures_come_with_evidence_that_stands() {
    for name in [
        "count_up_unsafe",
        "svcomp_style_unsafe",
        "error_body_unsafe",
        "array_max_unsafe",
        "float_guard_unsafe",
    ] {
        let dir = Dir::new();
        let task = dir.program(name);
        let text = dir.expect(&format!("check {task} {ALL}"), 10, "Verdict: FALSE (unreach-call)");
        assert!(text.contains("(input)") && text.contains('^'), "no trace:\n{text}");
        // Everything leads back to the failure.
        let too = "the compiled program fails, too)";
        let again = text.lines().find_map(|l| l.strip_prefix("To repeat: cairn ")).expect("a command");
        dir.expect(again, 10, too);
        dir.expect(&format!("replay {task} --test suite"), 10, too);
        dir.expect(&format!("replay {task} --test suite/testcase-1.xml --no-native"), 10, "reproduced");
        for witness in ["w.yml", "w.graphml"] {
            let text =
                dir.expect(&format!("validate {task} --witness {witness}"), 10, "FALSE (unreach-call)");
            assert!(text.contains("Witness: confirmed"), "{text}");
        }
        let sarif: Value = serde_json::from_str(&dir.read("l.sarif")).expect("SARIF");
        let result = &sarif["runs"][0]["results"][0];
        assert_eq!(result["ruleId"], "unreach-call");
        assert!(
            result["codeFlows"][0]["threadFlows"][0]["locations"].as_array().is_some_and(|l| l.len() > 1)
        );
        assert!(dir.read("suite/metadata.xml").contains("<entryfunction>main</entryfunction>"));
        // The harness is enough, without Cairn.
        let build = format!("gcc -w -finstrument-functions {name}.c h.c -lm -o failing && ./failing");
        let mut shell = Command::new("sh");
        shell.args(["-c", &build]).current_dir(dir.0.path());
        assert_eq!(run(&mut shell, b"", LIMIT).expect("a shell").status, Status::Exit(107), "{name}");
    }
}

#[test]
fn other_properties() {
    let dir = Dir::new();
    dir.program("assertion_unsafe");
    dir.program("mid_overflow_unsafe");
    for (file, property, native) in [
        ("assertion_unsafe.c", "assert", true),
        ("mid_overflow_unsafe.c", "no-overflow", true),
        ("mid_overflow_unsafe.c", "call:reach_error", true),
    ] {
        let line = format!("{file} --property {property}");
        dir.expect(&format!("check {line} --witness w.yml --test t"), 10, "FALSE");
        let too = if native { "fails, too" } else { "reproduced" };
        dir.expect(&format!("replay {line} --test t"), 10, too);
        dir.expect(&format!("replay {line} --witness w.yml --no-native"), 10, "reproduced");
        dir.expect(&format!("validate {line} --witness w.yml"), 10, "FALSE");
    }
}

#[test]
fn json_has_the_trace_and_the_command() {
    let dir = Dir::new();
    let task = dir.program("count_up_unsafe");
    let json: Value =
        serde_json::from_slice(&dir.cairn(&format!("check {task} --json")).stdout).expect("JSON");
    let error = &json["error"];
    assert!(error["repeat"].as_str().is_some_and(|c| c.starts_with("cairn replay count_up_unsafe.c")));
    assert!(error["trace"]["entries"].as_array().is_some_and(|e| e.len() > 3), "{error}");
    let ran = dir.cairn("replay count_up_unsafe.c --input 7 --json");
    let json: Value = serde_json::from_slice(&ran.stdout).expect("JSON");
    assert_eq!(
        (json["status"].as_str(), json["native"]["result"].as_str()),
        (Some("reproduced"), Some("fails"))
    );
    dir.cairn(&format!("check {task} --witness w.yml"));
    let ran = dir.cairn(&format!("validate {task} --witness w.yml --json"));
    let json: Value = serde_json::from_slice(&ran.stdout).expect("JSON");
    assert_eq!((json["witness"].as_str(), json["verdict"].as_str()), (Some("confirmed"), Some("FALSE")));
    assert_eq!(json["inputs"].as_array().map(Vec::len), Some(1));
    let detail = |d: &str| dir.cairn(&format!("check {task} --trace {d}")).stdout_text().lines().count();
    assert!(detail("none") < detail("short") && detail("short") <= detail("full"));
}

const SAFE: [&str; 4] = ["even_odd_safe", "state_machine_safe", "protocol_safe", "svcomp_style_safe"];

#[test]
fn proofs_come_with_witnesses() {
    for name in SAFE {
        let dir = Dir::new();
        let task = dir.program(name);
        dir.expect(&format!("check {task} --engine kinduction --witness w.yml"), 0, "Verdict: TRUE");
        let text = dir.expect(&format!("validate {task} --witness w.yml"), 0, "Verdict: TRUE");
        assert!(text.contains("Witness: confirmed"), "{text}");
        assert!(dir.read("w.yml").contains("entry_type: invariant_set"));
    }
    let dir = Dir::new();
    let task = dir.program("even_odd_safe");
    let ran = dir.cairn(&format!("check {task} --engine kinduction {ALL}"));
    assert_eq!(ran.status, Status::Exit(0));
    let notes = ran.stderr_text();
    for word in ["no GraphML witness is written for TRUE", "no test is written", "no harness is written"] {
        assert!(notes.contains(word), "{notes}");
    }
    assert!(!dir.path("w.graphml").exists() && !dir.path("suite").exists() && !dir.path("h.c").exists());
    assert!(dir.read("w.yml").contains("loop_invariant"));
}

/// Validation with a changed witness; nothing but the change may matter.
#[track_caller]
fn changed(dir: &Dir, task: &str, from: &str, to: &str, code: i32, why: &str) {
    let text = dir.read("w.yml");
    let new = text.replace(from, to);
    assert_ne!(text, new, "nothing to change in\n{text}");
    dir.write("changed.yml", &new);
    let text =
        dir.expect(&format!("validate {task} --witness changed.yml --time 30"), code, "Verdict: UNKNOWN");
    assert!(!text.contains("confirmed") && text.contains(why), "`{why}` is missing from:\n{text}");
}

#[test]
fn wrong_violation_witnesses_are_not_confirmed() {
    let dir = Dir::new();
    let task = dir.program("count_up_unsafe");
    dir.expect(&format!("check {task} --engine bmc --witness w.yml"), 10, "FALSE");
    let text = dir.read("w.yml");
    let at = text.find("\\result == ").expect("an input") + "\\result == ".len();
    let number: String = text[at..].chars().take_while(char::is_ascii_digit).collect();
    let stated = format!("\\result == {number}");
    let n: u32 = number.parse().expect("a number");
    assert_eq!(n % 2, 1, "the error needs an odd input");
    let rejected = "Witness: REJECTED (no execution along the witness violates the property)";
    changed(&dir, &task, &stated, &format!("\\result == {}", n + 1), 5, rejected);
    changed(&dir, &task, &stated, "\\result == -1", 5, rejected);
    changed(&dir, &task, &stated, "\\result != \\result", 5, rejected);
    // Elsewhere.
    changed(&dir, &task, "line: 10", "line: 8", 5, rejected);
    changed(&dir, &task, "line: 10", "line: 11", 5, rejected);
    changed(&dir, &task, "line: 10", "line: 4", 5, "the program has no statement at");
    changed(&dir, &task, "line: 6", "line: 7", 5, "the program has no call at");
    changed(&dir, &task, &stated, "\\result == nobody", 5, "Witness: REJECTED");
    changed(&dir, &task, &stated, "\\result = 7", 2, "has a side effect");
    // Another valid input is another valid witness.
    dir.write("other.yml", &text.replace(&stated, &format!("\\result == {}", if n == 7 { 9 } else { 7 })));
    dir.expect(&format!("validate {task} --witness other.yml"), 10, "FALSE");
}

#[test]
fn wrong_invariants_are_not_confirmed() {
    let dir = Dir::new();
    let text = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {\n    \
                int x = 0;\n    while (__VERIFIER_nondet_int()) {\n        if (x < 10) x++;\n        else x = 0;\n    \
                }\n    if (x > 10) reach_error();\n    return 0;\n}\n";
    dir.write("t.c", text);
    dir.expect("check t.c --engine kinduction --witness w.yml", 0, "TRUE");
    dir.expect("validate t.c --witness w.yml", 0, "TRUE");
    let broken = "Witness: REJECTED (an invariant does not hold at t.c:5";
    changed(&dir, "t.c", "x <= 10", "x <= 9", 5, broken);
    changed(&dir, "t.c", "x <= 10", "x <= 0", 5, broken);
    changed(&dir, "t.c", "0 <= x", "1 <= x", 5, broken);
    changed(&dir, "t.c", "x <= 10", "0", 5, broken);
    // What is undefined does not hold, even if nobody gets past it.
    changed(&dir, "t.c", "x <= 10", "10 / x == 1", 5, "Verdict: UNKNOWN");
    changed(&dir, "t.c", "x <= 10", "1 == *(int *)0", 5, "Verdict: UNKNOWN");
    changed(&dir, "t.c", "x <= 10", "1 << (x + 40)", 5, "Verdict: UNKNOWN");
    changed(&dir, "t.c", "x <= 10", "y <= 10", 5, "Witness: REJECTED");
    changed(&dir, "t.c", "line: 5", "line: 4", 5, "the program has no loop at");
    changed(&dir, "t.c", "x <= 10", "x++ <= 10", 2, "has a side effect");
    // True, if not ours.
    dir.write("weak.yml", &dir.read("w.yml").replace("x <= 10", "x <= 11"));
    dir.expect("validate t.c --witness weak.yml", 0, "TRUE");
    // The same claims about a program that is wrong.
    let hash = |name: &str| {
        let ran = run(Command::new("sha256sum").arg(dir.path(name)), b"", LIMIT).expect("sha256sum");
        ran.stdout_text()[..64].to_owned()
    };
    dir.write("bad.c", &text.replace("x > 10)", "x > 9)"));
    dir.write("bad.yml", &dir.read("w.yml").replace(&hash("t.c"), &hash("bad.c")).replace("t.c", "bad.c"));
    let text = dir.expect("validate bad.c --witness bad.yml", 5, "Verdict: UNKNOWN (witness rejected)");
    assert!(text.contains("the program violates the property"), "{text}");
}

#[test]
fn foreign_and_malformed_witnesses() {
    let dir = Dir::new();
    let task = dir.program("count_up_unsafe");
    dir.expect(&format!("check {task} --witness w.yml --graphml w.graphml"), 10, "FALSE");
    changed(&dir, &task, "data_model: LP64", "data_model: ILP32", 2, "it is about the data model ILP32");
    changed(&dir, &task, "call(reach_error())", "call(other())", 2, "it is about another property");
    changed(&dir, &task, "violation_sequence", "violation_set", 2, "a witness entry of type");
    changed(&dir, &task, "action: follow", "action: fellow", 2, "an unknown action");
    // Another program.
    let source = dir.read("count_up_unsafe.c");
    dir.write("count_up_unsafe.c", &format!("{source}/* changed */\n"));
    for witness in ["w.yml", "w.graphml"] {
        let text = dir.expect(&format!("validate {task} --witness {witness}"), 2, "witness rejected");
        assert!(text.contains("SHA-256 differs"), "{text}");
        let ran = dir.cairn(&format!("replay {task} --witness {witness} --no-native"));
        assert_eq!(ran.status, Status::Exit(2), "{}", ran.stderr_text());
    }
    dir.write("count_up_unsafe.c", &source);
    // Cut off anywhere: never confirmed, never a crash.
    for witness in ["w.yml", "w.graphml"] {
        let whole = dir.read(witness);
        for tenths in [0, 1, 3, 5, 7, 9] {
            dir.write("cut", &whole[..whole.len() * tenths / 10]);
            let ran = dir.cairn(&format!("validate {task} --witness cut"));
            let text = ran.stdout_text();
            assert!(matches!(ran.status, Status::Exit(2 | 5)), "{tenths}: {:?}\n{text}", ran.status);
            assert!(!text.contains("confirmed") && text.contains("Verdict: "), "{text}");
        }
    }
    fs::write(dir.path("junk"), [0xff, 0, 1, 2]).expect("a file");
    for (file, why) in [("junk", "is not a text"), ("none", "cannot be read"), (".", "cannot be read")] {
        let text = dir.expect(&format!("validate {task} --witness {file}"), 2, "witness rejected");
        assert!(text.contains(why), "{text}");
    }
    let ran = dir.cairn(&format!("validate {task} --witness junk --json"));
    let json: Value = serde_json::from_slice(&ran.stdout).expect("JSON");
    assert_eq!((json["witness"].as_str(), json["exit_code"].as_i64()), (Some("rejected"), Some(2)));
}

#[test]
fn what_cannot_be_written_takes_nothing_else_away() {
    let dir = Dir::new();
    let task = dir.program("count_up_unsafe");
    dir.write("file", "");
    for (option, path) in [
        ("--witness", "no/such/folder/w.yml"),
        ("--sarif", "/dev/full"),
        ("--witness", "/dev/full"),
        ("--graphml", "."),
        ("--harness", "file/h.c"),
        ("--test", "file/suite"),
    ] {
        let others = if option == "--sarif" { "--harness other" } else { "--sarif other" };
        let ran = dir.cairn(&format!("check {task} {option} {path} {others}"));
        let (out, err) = (ran.stdout_text(), ran.stderr_text());
        assert_eq!(ran.status, Status::Exit(1), "{option} {path}: {err}");
        assert!(out.ends_with("Verdict: FALSE (unreach-call)\n"), "{out}");
        assert!(err.contains(path) && err.lines().count() == 1, "{err}");
        assert!(dir.read("other").len() > 100);
        fs::remove_file(dir.path("other")).expect("a file");
    }
}

#[test]
fn standard_output_is_for_one() {
    let dir = Dir::new();
    let task = dir.program("count_up_unsafe");
    let ran = dir.cairn(&format!("check {task} --sarif -"));
    serde_json::from_slice::<Value>(&ran.stdout).expect("nothing but SARIF");
    assert!(ran.stderr_text().ends_with("Verdict: FALSE (unreach-call)\n"));
    let ran = dir.cairn(&format!("check {task} --witness -"));
    dir.write("w.yml", &ran.stdout_text());
    dir.expect(&format!("validate {task} --witness w.yml"), 10, "FALSE");
    for line in ["--witness - --sarif -", "--json --harness -"] {
        let ran = dir.cairn(&format!("check {task} {line}"));
        assert_eq!((ran.status, ran.stdout.len()), (Status::Exit(1), 0));
    }
}

#[test]
fn replays_that_show_nothing() {
    let dir = Dir::new();
    let task = dir.program("count_up_unsafe");
    let text = dir.expect(&format!("replay {task} --input 8"), 0, "Result: not reproduced");
    assert!(text.contains("The compiled program does not show it"), "{text}");
    dir.expect(&format!("replay {task} --input 7,8 --no-native"), 10, "reproduced");
    dir.write("bad.xml", "<testcase><input>five</input></testcase>");
    for (line, code) in [
        ("--input 1,two", 1),
        ("--test bad.xml", 2),
        ("--test nowhere", 2),
        ("--test .", 2),
        ("--witness bad.xml", 2),
        ("--property nonsense", 2),
        ("--input 1 --test bad.xml", 1),
    ] {
        let ran = dir.cairn(&format!("replay {task} {line}"));
        assert_eq!(ran.status, Status::Exit(code), "{line}: {}", ran.stderr_text());
        assert!(!ran.stderr_text().contains("panicked"));
    }
    dir.write("spin.c", "int main(void) { for (;;) ; }\n");
    dir.expect("replay spin.c --time 0.3", 5, "Result: limit reached (time)");
    dir.write("wild.c", "int main(void) { int *p = 0; return *p; }\n");
    dir.expect("replay wild.c --no-native", 11, "Result: not reproduced (the run is undefined");
    dir.write("unset.c", "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);\n\
         int main(void) { int x; int n = __VERIFIER_nondet_int(); if (n == 5) x = n; if (n == 6 && x >= 0) reach_error(); return 0; }\n");
    dir.write("t.xml", "<testcase><input>6</input></testcase>");
    dir.expect("replay unset.c --test t.xml --no-native", 10, "Result: reproduced");
}

/// What no call reads is in the evidence, too: where objects lie and what memory held at first.
#[test]
fn addresses_and_uninitialised_memory_are_replayed() {
    for name in [
        "addresses_reuse_unsafe",
        "addresses_order_back_unsafe",
        "addresses_cast_unsafe",
        "addresses_alloca_unsafe",
        "addresses_memcpy_unsafe",
        "uninit_bytes_unsafe",
        "uninit_index_unsafe",
        "uninit_parts_unsafe",
    ] {
        let dir = Dir::new();
        let task = dir.program(name);
        let json = dir.expect(&format!("check {task} --json --test suite --witness w.yml"), 10, "}");
        dir.expect(&format!("replay {task} --test suite --no-native"), 10, "Result: reproduced");
        dir.expect(&format!("replay {task} --witness w.yml --no-native"), 10, "Result: reproduced");
        dir.expect(&format!("validate {task} --witness w.yml"), 10, "Verdict: FALSE");
        let json: Value = serde_json::from_str(&json).expect("JSON");
        let repeat = find(&json, "repeat").and_then(Value::as_str).expect("a command").to_owned();
        let (options, inputs) = repeat.split_once(" --input ").unwrap_or((&repeat, ""));
        dir.write("inputs.txt", inputs.trim_matches('\''));
        let options = options.strip_prefix("cairn ").expect("a command");
        let given = if inputs.is_empty() { "" } else { " --input inputs.txt" };
        dir.expect(&format!("{options}{given} --no-native"), 10, "Result: reproduced");
    }
}

/// Objects that a test case names are those of the program; their bytes decide.
#[test]
fn bytes_of_memory_are_those_of_the_test_case() {
    let dir = Dir::new();
    dir.write(
        "held.c",
        "extern void reach_error(void);\nint main(void) {\n    int a[4];\n    a[0] = 1;\n    \
         if (a[2] == 0x01020304)\n        reach_error();\n    return 0;\n}\n",
    );
    let test = |name: &str, bytes: &str| {
        let input = format!("<input variable=\"{name}\" type=\"memory\">{bytes}</input>");
        dir.write("t.xml", &format!("<testcase>{input}</testcase>"));
    };
    test("a@held.c:3:9/0+8", "04:03:02:01");
    dir.expect("replay held.c --test t.xml --no-native", 10, "Result: reproduced");
    test("a@held.c:3:9/0+8", "04:03:02:00");
    dir.expect("replay held.c --test t.xml --no-native", 0, "Result: not reproduced");
    test("b@held.c:3:9/0+8", "04:03:02:01");
    dir.expect("replay held.c --test t.xml --no-native", 2, "Result: rejected (input)");
    assert_eq!(dir.cairn("run held.c --input a@held.c:3:9/0+8=00").status, Status::Exit(1));
}

/// The value of a key, anywhere.
fn find<'j>(json: &'j Value, key: &str) -> Option<&'j Value> {
    match json {
        Value::Object(all) => all.get(key).or_else(|| all.values().find_map(|v| find(v, key))),
        Value::Array(all) => all.iter().find_map(|v| find(v, key)),
        _ => None,
    }
}

/// Two primes of 32 bits: nobody finds them in a second.
const HARD: &str = "extern unsigned long long __VERIFIER_nondet_ulonglong(void);\nextern void reach_error(void);\n\
     int main(void) {\n    unsigned long long a = __VERIFIER_nondet_ulonglong(), b = __VERIFIER_nondet_ulonglong();\n    \
     if (a < 2 || b < 2 || a > 4294967295u || b > 4294967295u) return 0;\n    \
     if (a * b == 9345208821757322069ull) reach_error();\n    return 0;\n}\n";

#[test]
fn limits_leave_a_whole_answer() {
    let dir = Dir::new();
    dir.write("hard.c", HARD);
    let exe = env!("CARGO_BIN_EXE_cairn");
    for (line, reason) in [
        (format!("timeout --preserve-status -s INT 1 {exe} check hard.c"), "interrupted"),
        (format!("timeout --preserve-status -s TERM 1 {exe} check hard.c"), "interrupted"),
        (format!("{exe} check hard.c --time 1"), "time limit"),
        (format!("{exe} check hard.c --cpu-time 1"), "time limit"),
        (format!("{exe} check hard.c --memory 16"), "memory limit"),
    ] {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("{line} --json --sarif l.sarif --witness w.yml")]);
        let ran = run(shell.current_dir(dir.0.path()), b"", LIMIT).expect("a shell");
        let json: Value = serde_json::from_slice(&ran.stdout)
            .unwrap_or_else(|e| panic!("{line}: {e}\n{}", ran.stderr_text()));
        assert_eq!((ran.status, json["verdict"].as_str()), (Status::Exit(5), Some("UNKNOWN")), "{line}");
        assert_eq!(json["unknown"]["reason"], reason, "{line}");
        let sarif: Value = serde_json::from_str(&dir.read("l.sarif")).expect("SARIF");
        let notes = &sarif["runs"][0]["invocations"][0]["toolExecutionNotifications"];
        assert_eq!(notes.as_array().map(Vec::len), Some(1), "{line}");
        assert!(!dir.path("w.yml").exists() && ran.stderr_text().contains("no witness is written"));
    }
    let ran = dir.cairn("check hard.c --time 1");
    assert!(ran.stdout_text().ends_with("Verdict: UNKNOWN (time limit)\n"), "{}", ran.stdout_text());
}
