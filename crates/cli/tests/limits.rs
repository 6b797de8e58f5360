//! Limits hold: time, memory, requests to end, a small address space. Whatever ends
//! the work, there is a verdict line, the documented exit code, and no crash.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use cairn_dev::process::{Ran, Status, run};

/// What a busy machine may need for what takes a second or two.
const PATIENCE: Duration = Duration::from_secs(20);

/// What a limit is answered in, at most: a second, and what other tests take of the machine meanwhile.
const ANSWER: Duration = Duration::from_secs(4);

/// Functions of which [`large`] makes 8,000 lines.
const LARGE: usize = 720;

/// A program of this many functions, each with a loop over products, quotients and an array, all of
/// them called again and again: more than any engine can do in a second.
fn large(folder: &Path, functions: usize) -> PathBuf {
    let mut text = String::from(
        "extern unsigned __VERIFIER_nondet_uint(void);\nvoid reach_error(void);\nunsigned a[256];\n",
    );
    for n in 0..functions {
        text += &format!(
            "unsigned f{n}(unsigned x) {{\n  unsigned s = {n};\n  for (unsigned i = 0; i < x % 19; i++) {{\n    \
             s = s * (x ^ a[(s + i) % 256]) + {n};\n    a[s % 256] += s / (x | 1);\n    \
             if (s % 7 == {})\n      s += a[(x * i) % 256];\n  }}\n  return s;\n}}\n",
            n % 7
        );
    }
    text += "int main(void) {\n  unsigned x = __VERIFIER_nondet_uint(), s = 0;\n  for (;;) {\n";
    for n in 0..functions {
        text += &format!("    s += f{n}(s + x);\n");
    }
    text += "    if (s == 0x12345)\n      reach_error();\n  }\n}\n";
    let path = folder.join("large.c");
    fs::write(&path, text).expect("a writable temporary folder");
    path
}

fn cairn(args: &[&str]) -> Ran {
    run(Command::new(env!("CARGO_BIN_EXE_cairn")).args(args), b"", PATIENCE).expect("cairn starts")
}

/// The same in a shell that sets a limit first.
fn limited(limit: &str, args: &[&str]) -> Ran {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit {limit} && exec \"$@\""), "sh", env!("CARGO_BIN_EXE_cairn")]);
    run(command.args(args), b"", PATIENCE).expect("a shell")
}

#[track_caller]
fn is_unknown(ran: &Ran, reason: &str) {
    let shown = format!("{:?} after {:?}\n{}{}", ran.status, ran.time, ran.stdout_text(), ran.stderr_text());
    assert_eq!(ran.status, Status::Exit(5), "{shown}");
    let last = ran.stdout_text().lines().last().unwrap_or_default().to_owned();
    assert_eq!(last, format!("Verdict: UNKNOWN ({reason})"), "{shown}");
    assert_eq!(ran.stdout_text().matches("Verdict:").count(), 1, "{shown}");
}

#[test]
fn time_ends_every_engine() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = large(folder.path(), LARGE);
    for engine in ["bmc", "kinduction", "gps", "symex", "auto", "race:bmc,gps"] {
        let ran = cairn(&["check", &file.to_string_lossy(), "--engine", engine, "--time", "3"]);
        is_unknown(&ran, "time limit");
        assert!(ran.time < Duration::from_secs(3) + ANSWER, "{engine} took {:?}", ran.time);
        assert!(ran.stdout_text().contains("property unreach-call, engine"), "{}", ran.stdout_text());
    }
}

/// Long before an engine has something to do, the front end reads.
#[test]
fn time_ends_the_front_end() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = large(folder.path(), 60_000);
    for (command, last) in [
        ("check", "Verdict: UNKNOWN (time limit)"),
        ("run", "Result: limit reached (time)"),
        ("reach", "Result: limit reached (time)"),
    ] {
        let mut args = vec![command, file.to_str().expect("text"), "--time", "0.5"];
        args.extend(if command == "reach" { &["--target", "asserts"][..] } else { &[] });
        let ran = cairn(&args);
        let said = ran.stdout_text() + &ran.stderr_text();
        assert_eq!(ran.status, Status::Exit(5), "{command}: {said}");
        assert!(said.lines().any(|l| l == last), "{command}: {said}");
        assert!(ran.time < Duration::from_millis(500) + ANSWER, "{command} took {:?}", ran.time);
    }
}

/// The bits of two doubles make circuits that no solver sees through.
#[test]
fn time_ends_what_solvers_cannot_do() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("fmod.c");
    let text = "#include <math.h>\nextern double __VERIFIER_nondet_double(void);\nvoid reach_error(void);\n\
                int main(void) {\n  double x = __VERIFIER_nondet_double(), y = __VERIFIER_nondet_double();\n  \
                if (fmod(x, y) * 3.0 == fmod(y, x) + 1.0e-7)\n    reach_error();\n  return 0;\n}\n";
    fs::write(&file, text).expect("a file");
    for engine in ["bmc", "kinduction", "symex", "auto"] {
        let ran = cairn(&["check", &file.to_string_lossy(), "--engine", engine, "--time", "2"]);
        let said = ran.stdout_text();
        assert!(said.lines().any(|l| l.starts_with("Verdict: ")), "{engine}: {:?} {said}", ran.status);
        assert!(ran.time < Duration::from_secs(2) + ANSWER, "{engine} took {:?}", ran.time);
    }
}

/// Calls are followed in place, each by a recursion of the engine's own.
#[test]
fn a_stack_that_is_too_small_is_a_limit() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("deep.c");
    let mut text = String::from(
        "extern int __VERIFIER_nondet_int(void);\nvoid reach_error(void);\n\
         int f0(int x) { if (x == 77) reach_error(); return x; }\n",
    );
    const DEEP: usize = 20_000;
    for n in 1..DEEP {
        text += &format!("int f{n}(int x) {{ return f{}(x + 1); }}\n", n - 1);
    }
    text += &format!("int main(void) {{ return f{}(__VERIFIER_nondet_int()); }}\n", DEEP - 1);
    fs::write(&file, &text).expect("a file");
    // The second engine has a thread of its own.
    for engine in ["bmc", "race:bmc,concrete"] {
        let file = file.to_string_lossy();
        let ran = limited("-v 600000", &["check", &file, "--engine", engine, "--time", "15"]);
        is_unknown(&ran, "stack limit");
    }
    // In the front end, too.
    let (open, close) = ("(".repeat(6000), "+ 1)".repeat(6000));
    fs::write(&file, format!("int main(int x, char **y) {{ return {open}x{close}; }}\n")).expect("a file");
    let ran = limited("-v 300000", &["check", &file.to_string_lossy(), "--engine", "bmc"]);
    is_unknown(&ran, "stack limit");
}

/// With a limit beyond what the system gives, allocations fail: in Rust, in CaDiCaL, in Z3. (C++ aborts
/// then.) Which of them it is depends on the size.
#[test]
fn a_failed_allocation_is_a_limit() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = large(folder.path(), LARGE);
    let file = file.to_string_lossy();
    let mut of_rust = 0;
    let rooms = ["-v 350000", "-v 400000", "-v 500000", "-v 650000"];
    for room in rooms {
        let args = ["check", &file, "--engine", "bmc", "--memory", "100000", "--time", "18"];
        let ran = limited(room, &args);
        is_unknown(&ran, "memory limit");
        assert!(
            ran.stdout_text().contains("the system refused to give more memory"),
            "{}",
            ran.stdout_text()
        );
        of_rust += usize::from(ran.stderr_text().contains("memory allocation of"));
    }
    assert!(of_rust < rooms.len(), "no allocation of a library failed");
}

#[test]
fn cpu_time_and_memory_end_it_and_the_report_says_which() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = large(folder.path(), 600);
    let file = file.to_string_lossy();
    let ran = cairn(&["check", &file, "--engine", "bmc", "--cpu-time", "1"]);
    is_unknown(&ran, "time limit");
    let ran = cairn(&["check", &file, "--engine", "bmc", "--memory", "60", "--time", "15"]);
    is_unknown(&ran, "memory limit");
    let said = ran.stdout_text();
    assert!(said.contains("the limit on main memory is 60 MB, given with --memory"), "{said}");
}

#[test]
fn json_is_complete_at_a_limit() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = large(folder.path(), 600);
    for time in ["0.01", "1"] {
        let ran = cairn(&["check", &file.to_string_lossy(), "--engine", "bmc", "--json", "--time", time]);
        let json: serde_json::Value = serde_json::from_slice(&ran.stdout).expect("one JSON object");
        assert_eq!(ran.status, Status::Exit(5));
        assert_eq!((&json["verdict"], &json["exit_code"]), (&"UNKNOWN".into(), &5.into()), "{json}");
        assert_eq!(json["result"], "UNKNOWN (time limit)", "{json}");
    }
}

#[test]
fn tests_found_before_a_limit_are_kept() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = large(folder.path(), 30);
    let suite = folder.path().join("suite");
    let (file, suite) = (file.to_string_lossy(), suite.to_string_lossy());
    let ran = cairn(&["test", &file, "--suite", &suite, "--time", "3", "--json"]);
    assert_eq!(ran.status, Status::Exit(5), "{}", ran.stderr_text());
    let json: serde_json::Value = serde_json::from_slice(&ran.stdout).expect("one JSON object");
    for test in json["tests"].as_array().into_iter().flatten() {
        let name = test["file"].as_str().expect("a name");
        assert!(Path::new(&*suite).join(name).is_file(), "{name} is reported and missing");
    }
}

#[test]
fn a_program_that_waits_for_input_is_ended() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("waits.c");
    fs::write(&file, "#include <stdio.h>\nint main(void) { return getchar(); }\n").expect("a file");
    let mut command = Command::new(env!("CARGO_BIN_EXE_cairn"));
    command.arg("run").arg(&file).args(["--time", "1"]);
    let mut child = command.stdin(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("cairn starts");
    let ended = wait(&mut child);
    let mut said = String::new();
    child.stderr.take().expect("a pipe").read_to_string(&mut said).expect("text");
    assert_eq!(ended, Some(5), "{said}");
    assert!(said.ends_with("Result: limit reached (time)\n"), "{said}");
}

/// The exit code, or nothing if it does not end in good time.
fn wait(child: &mut std::process::Child) -> Option<i32> {
    let begin = Instant::now();
    while begin.elapsed() < PATIENCE {
        if let Some(status) = child.try_wait().expect("a child") {
            return status.code();
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().expect("a child");
    None
}

#[test]
fn a_request_to_end_is_answered() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = large(folder.path(), 600);
    // At different times different things are done: compiling, unrolling, bit-blasting.
    for (signal, engine, after) in
        [("TERM", "bmc", 300), ("TERM", "bmc", 2500), ("INT", "bmc", 1500), ("INT", "gps", 1500)]
    {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cairn"));
        command.arg("check").arg(&file).args(["--engine", engine]);
        let mut child = command.stdout(Stdio::piped()).spawn().expect("cairn starts");
        std::thread::sleep(Duration::from_millis(after));
        let kill = format!("kill -{signal} {}", child.id());
        assert!(Command::new("sh").args(["-c", &kill]).status().expect("a shell").success());
        let begin = Instant::now();
        let ended = wait(&mut child);
        assert!(begin.elapsed() < ANSWER, "{signal} {engine}: {:?}", begin.elapsed());
        let mut said = String::new();
        child.stdout.take().expect("a pipe").read_to_string(&mut said).expect("text");
        assert_eq!(ended, Some(5), "{signal}: {said}");
        assert!(said.ends_with("Verdict: UNKNOWN (interrupted)\n"), "{signal}: {said}");
    }
}

#[test]
fn a_small_address_space_is_a_limit_and_no_crash() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = large(folder.path(), 600);
    let file = file.to_string_lossy();
    for room in ["-v 400000", "-v 1000000", "-d 300000"] {
        for engine in ["bmc", "symex", "gps"] {
            let ran = limited(room, &["check", &file, "--engine", engine, "--time", "6"]);
            let (said, told) = (ran.stdout_text(), ran.stderr_text());
            assert_eq!(ran.status, Status::Exit(5), "{room} {engine}: {said}{told}");
            let line = said.lines().last().unwrap_or_default();
            let known = ["Verdict: UNKNOWN (time limit)", "Verdict: UNKNOWN (memory limit)"];
            assert!(known.contains(&line), "{room} {engine}: {said}{told}");
        }
    }
}

#[test]
fn a_small_program_is_decided_in_a_small_address_space() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("small.c");
    let text = "extern int __VERIFIER_nondet_int(void);\nvoid reach_error(void);\nint main(void) {\n  \
                int x = __VERIFIER_nondet_int();\n  if (x > 3 && x < 2)\n    reach_error();\n  return 0;\n}\n";
    fs::write(&file, text).expect("a file");
    let ran = limited("-v 400000", &["check", &file.to_string_lossy(), "--engine", "bmc"]);
    assert_eq!(ran.status, Status::Exit(0), "{}{}", ran.stdout_text(), ran.stderr_text());
    // An error needs a run, and a run needs room for its stack.
    fs::write(&file, text.replace("x < 2", "x < 5")).expect("a file");
    let ran = limited("-v 300000", &["check", &file.to_string_lossy(), "--engine", "bmc"]);
    assert_eq!(ran.status, Status::Exit(10), "{}{}", ran.stdout_text(), ran.stderr_text());
}
