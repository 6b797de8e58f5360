//! Bad input of every kind: one clear message, the documented exit code, no
//! panic, no crash.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use cairn_dev::process::{Ran, Status, run};

const LIMIT: Duration = Duration::from_secs(60);

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Place {
        Place(tempfile::tempdir().expect("a temporary folder"))
    }

    fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.path().join(name);
        fs::write(&path, content).expect("a writable temporary folder");
        path
    }

    fn path(&self) -> &Path {
        self.0.path()
    }
}

fn cairn<S: AsRef<std::ffi::OsStr>>(args: &[S]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cairn"));
    run(command.args(args), b"", LIMIT).expect("cairn starts")
}

/// Runs `cairn run FILE` and expects an exit code and words in the report.
#[track_caller]
fn expect(file: &Path, code: i32, words: &[&str]) -> String {
    let ran = cairn(&["run".as_ref(), file.as_os_str()]);
    check(&ran, code, words)
}

#[track_caller]
fn check(ran: &Ran, code: i32, words: &[&str]) -> String {
    let stderr = ran.stderr_text();
    let shown: String = stderr.chars().take(2000).collect();
    assert_eq!(ran.status, Status::Exit(code), "{shown}");
    for word in words {
        assert!(stderr.contains(word), "`{word}` is missing from:\n{shown}");
    }
    assert!(!stderr.contains("panicked") && !stderr.contains("internal error"), "{shown}");
    let errors = stderr.lines().filter(|l| l.starts_with("error")).count();
    assert!(errors <= 1, "more than one error:\n{shown}");
    assert!(stderr.len() < 5000, "a report of {} bytes:\n{shown}", stderr.len());
    stderr
}

#[test]
fn missing_file() {
    let place = Place::new();
    expect(&place.path().join("nowhere.c"), 2, &["nowhere.c: no such file", "Result: rejected"]);
}

#[test]
fn directory_as_input() {
    let place = Place::new();
    expect(place.path(), 2, &["is a directory"]);
}

#[test]
fn unreadable_file() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    let file = place.file("secret.c", "int main(void) { return 0; }\n");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o000)).expect("permissions");
    if fs::read(&file).is_ok() {
        return; // the administrator may read everything
    }
    expect(&file, 2, &["permission denied"]);
}

#[test]
fn empty_file() {
    let place = Place::new();
    for (name, content) in [("empty.c", ""), ("blank.c", "\n\n  \n"), ("comment.c", "/* nothing */\n")] {
        expect(&place.file(name, content), 2, &["no function `main`"]);
    }
}

#[test]
fn binary_junk() {
    let place = Place::new();
    let junk: Vec<u8> = (0..200_000u32).map(|i| (i.wrapping_mul(2654435761) >> 13) as u8).collect();
    expect(&place.file("junk.c", &junk), 2, &["Result: rejected"]);
    let no_zero: Vec<u8> = junk.iter().map(|b| b | 0x80).collect();
    expect(&place.file("high.c", no_zero), 2, &["Result: rejected"]);
    expect(&place.file("junk.i", junk), 2, &["Result: rejected"]);
    let exe = fs::read("/bin/sh").expect("a shell");
    expect(&place.file("sh.c", exe), 2, &["Result: rejected"]);
}

#[test]
fn ten_megabytes_in_one_line() {
    let place = Place::new();
    expect(&place.file("word.c", "x".repeat(10 << 20)), 2, &["Result: rejected"]);
    expect(&place.file("number.c", format!("int x = {};", "7".repeat(10 << 20))), 2, &["Result: rejected"]);
    let mut valid: String = (0..560_000).map(|i| format!("extern int a{i:06};")).collect();
    assert!(valid.len() >= 10 << 20);
    valid.push_str("int main(void) { return 3; }");
    expect(&place.file("valid.c", valid), 0, &["Result: exit 3"]);
    let sum = |terms| format!("int main(void) {{ return 0{}; }}", "+1".repeat(terms));
    expect(&place.file("sum.c", sum(40_000)), 0, &["Result: exit 40000"]);
    expect(&place.file("long_sum.c", sum(5 << 20)), 2, &["nesting", "Result: rejected (unsupported)"]);
}

/// Deep nesting either works or is refused in words.
#[test]
fn deep_nesting() {
    let place = Place::new();
    let n = 10_000;
    let deep = |open: &str, inner: &str, close: &str| format!("{}{inner}{}", open.repeat(n), close.repeat(n));
    let main = |body: String| format!("int main(void) {{ int x = 0; int a[1] = {{0}}; {body} return x; }}");
    let programs = [
        ("parentheses", main(format!("x = {};", deep("(", "5", ")")))),
        ("minus", main(format!("x = {};", deep("- ", "5", "")))),
        ("not", main(format!("x = {};", deep("!", "5", "")))),
        ("casts", main(format!("x = {};", deep("(int)", "5", "")))),
        ("conditional", main(format!("x = {};", deep("1 ? ", "5", " : 0")))),
        ("right_conditional", main(format!("x = {};", deep("0 ? 0 : ", "5", "")))),
        ("subscripts", main(format!("x = {};", deep("a[", "0", "]")))),
        ("blocks", main(deep("{", "x = 5;", "}"))),
        ("ifs", main(deep("if (1) ", "x = 5;", ""))),
        ("else_ifs", main(deep("if (0) ; else ", "x = 5;", ""))),
        ("loops", main(deep("while (x == 0) ", "x = 5;", ""))),
        ("switches", main(deep("switch (0) case 0: ", "x = 5;", ""))),
        ("labels", main(format!("{} x = 5;", (0..n).map(|i| format!("l{i}: ")).collect::<String>()))),
        ("pointers", format!("int {}p; int main(void) {{ return 0; }}", "*".repeat(n))),
        ("arrays", format!("extern int p{}; int main(void) {{ return 0; }}", "[1]".repeat(n))),
        ("declarators", format!("int {}; int main(void) {{ return 0; }}", deep("(", "p", ")"))),
        (
            "functions",
            format!("int {}p{}; int main(void) {{ return 0; }}", "(*".repeat(n), ")(void)".repeat(n)),
        ),
        (
            "structs",
            format!("{} int x; {} int main(void) {{ return 0; }}", "struct {".repeat(n), "} s;".repeat(n)),
        ),
        ("initialisers", format!("int main(void) {{ int x = {}; return x; }}", deep("{", "5", "}"))),
        ("statement_expressions", main(format!("x = {};", deep("({", "5", "; })")))),
        ("calls", format!("int f(int x) {{ return x; }} {}", main(format!("x = {};", deep("f(", "5", ")"))))),
        ("sizeof", main(format!("x = {};", deep("sizeof ", "5", "")))),
        ("typeof", main(format!("{} y = 5; x = y;", deep("typeof(", "int", ")")))),
        ("comma", main(format!("x = ({}5);", "0, ".repeat(n)))),
        ("assignments", main(format!("{} 5;", "x = ".repeat(n)))),
        ("open_only", format!("int main(void) {{ return {}", "(".repeat(n))),
        ("braces_only", "{".repeat(n)),
    ];
    for (name, text) in programs {
        let ran = cairn(&["run".as_ref(), place.file(&format!("{name}.c"), text).as_os_str()]);
        let code = match ran.status {
            Status::Exit(code @ (0 | 2)) => code,
            other => panic!("{name}: {other:?}: {}", ran.stderr_text()),
        };
        check(&ran, code, &["Result: "]);
    }
    let parentheses = main(format!("x = {};", deep("(", "5", ")")));
    expect(&place.file("must.c", parentheses), 0, &["Result: exit 5"]);
}

#[test]
fn missing_header() {
    let place = Place::new();
    let file = place.file("a.c", "int x;\n#include <no/such/header.h>\nint main(void) { return x; }\n");
    expect(&file, 2, &["a.c:2:10", "no/such/header.h"]);
}

#[test]
fn errors_show_the_source() {
    let place = Place::new();
    let cases = [
        ("int main(void) { return y; }\n", "t.c:1:25", "y"),
        ("int main(void) {\n    int x = 1\n    return x;\n}\n", "t.c:2:14", "int x = 1"),
        ("struct s; struct s v;\nint main(void) { return 0; }\n", "t.c:1:", "struct s v"),
        ("int main(void) { int x; x.y = 1; return 0; }\n", "t.c:1:", "x.y"),
        ("int main(void) { return 0; }\nint main(void) { return 1; }\n", "t.c:2:", "main"),
    ];
    for (text, position, excerpt) in cases {
        expect(&place.file("t.c", text), 2, &[position, excerpt, "^"]);
    }
}

#[test]
fn unsupported_is_said_at_its_place() {
    let place = Place::new();
    let file =
        place.file("t.c", "int main(void) {\n    int x;\n    x = (int)(_Decimal64)1;\n    return x;\n}\n");
    let text = expect(&file, 2, &["t.c:3:", "Result: rejected (unsupported)"]);
    assert!(text.contains("nsupported"), "{text}");
}

#[test]
fn wrong_usage() {
    let place = Place::new();
    let file = place.file("ok.c", "int main(void) { return 0; }\n");
    let file = file.to_str().expect("a plain path");
    let cases: &[&[&str]] = &[
        &[],
        &["run"],
        &["walk", file],
        &["run", file, "--no-such-option"],
        &["run", file, "--32", "--64"],
        &["run", file, "--time", "-3"],
        &["run", file, "--time", "soon"],
        &["run", file, "--max-steps", "many"],
        &["run", file, "--memory", "0"],
        &["run", file, "--tier", "warp"],
        &["run", file, "--input", "1,two,3"],
        &["run", file, "--input", "99999999999999999999999999999999999999999999"],
        &["run", file, "--seed", "-1"],
        &["run", file, "--data-model", "LLP64"],
        &["cfg", file, "--dot", "/no/such/folder/x.dot"],
        &["cfg", file, "--svg", "/no/such/folder/x.svg"],
        &["cfg", file, "--function", "nobody"],
    ];
    for args in cases {
        let ran = cairn(args);
        assert_eq!(ran.status, Status::Exit(1), "{args:?}: {}", ran.stderr_text());
        assert!(!ran.stderr.is_empty() && !ran.stderr_text().contains("panicked"), "{args:?}");
    }
}

#[test]
fn help_and_version() {
    for args in [&["--help"][..], &["run", "--help"], &["cfg", "--help"]] {
        let ran = cairn(args);
        assert_eq!(ran.status, Status::Exit(0));
        let text = ran.stdout_text();
        assert!(text.contains("Exit codes:") && text.contains("10  an error location was reached"), "{text}");
    }
    assert!(cairn(&["run", "--help"]).stdout_text().contains("Examples:"));
    let version = cairn(&["--version"]).stdout_text();
    assert_eq!(version.trim(), format!("cairn {}", env!("CARGO_PKG_VERSION")));
}

#[test]
fn a_closed_pipe_is_no_crash() {
    let place = Place::new();
    let file = place
        .file("t.c", "int printf(const char *, ...);\nint main(void) { for (;;) printf(\"line\\n\"); }\n");
    let line = format!(
        "{} run {} 2>{}/err | head -2",
        env!("CARGO_BIN_EXE_cairn"),
        file.display(),
        place.path().display()
    );
    let ran = run(Command::new("sh").args(["-c", &line]), b"", LIMIT).expect("a shell");
    assert_eq!((ran.status, ran.stdout_text().as_str()), (Status::Exit(0), "line\nline\n"));
    let err = fs::read_to_string(place.path().join("err")).expect("the report");
    assert!(err.contains("Result: limit reached") && !err.contains("panicked"), "{err}");
}

#[test]
fn an_interrupt_keeps_what_is_known() {
    let place = Place::new();
    let file = place.file("t.c", "int __VERIFIER_nondet_int(void);\nint main(void) { int x = __VERIFIER_nondet_int(); for (;;) x++; }\n");
    for tier in ["interp", "native"] {
        let line = format!(
            "timeout -s INT 1 {} run --tier {tier} {} --input 5",
            env!("CARGO_BIN_EXE_cairn"),
            file.display()
        );
        let ran = run(Command::new("sh").args(["-c", &line]), b"", LIMIT).expect("a shell");
        let text = ran.stderr_text();
        assert!(
            text.contains("Result: limit reached (interrupted)") && text.contains("nondet_int() = 5"),
            "{text}"
        );
    }
}

#[test]
fn limits_end_a_run() {
    let place = Place::new();
    let spin = place.file("spin.c", "int main(void) { for (;;) ; }\n");
    let eat = place.file("eat.c", "#include <stdlib.h>\nint main(void) { for (;;) { char *p = malloc(1 << 20); if (!p) return 9; p[5] = 1; } }\n");
    let deep =
        place.file("deep.c", "int f(int n) { return f(n + 1) + 1; }\nint main(void) { return f(0); }\n");
    let cases: [(&Path, &[&str], &str); 5] = [
        (&spin, &["--max-steps", "1M", "--tier", "interp"], "steps"),
        (&spin, &["--max-steps", "1M", "--tier", "native"], "steps"),
        (&spin, &["--time", "0.3"], "time"),
        (&eat, &["--memory", "100"], "memory"),
        (&deep, &["--time", "20"], "call depth"),
    ];
    for (file, options, name) in cases {
        let mut args = vec!["run".as_ref(), file.as_os_str()];
        args.extend(options.iter().map(std::ffi::OsStr::new));
        let ran = cairn(&args);
        check(&ran, 5, &[&format!("Result: limit reached ({name})")]);
    }
}

#[test]
fn json_is_one_object() {
    let place = Place::new();
    let ok = place
        .file("ok.c", "int printf(const char *, ...);\nint main(void) { printf(\"hi\\n\"); return 4; }\n");
    let bad = place.file("bad.c", "int main(void) { return x; }\n");
    let ran = cairn(&["run".as_ref(), ok.as_os_str(), "--json".as_ref()]);
    let json: serde_json::Value = serde_json::from_slice(&ran.stdout).expect("JSON");
    assert_eq!(
        (json["status"].as_str(), json["exit_value"].as_i64(), json["stdout"].as_str()),
        (Some("exit"), Some(4), Some("hi\n"))
    );
    let ran = cairn(&["run".as_ref(), bad.as_os_str(), "--json".as_ref()]);
    assert_eq!(ran.status, Status::Exit(2));
    let json: serde_json::Value = serde_json::from_slice(&ran.stdout).expect("JSON");
    assert_eq!(
        (json["status"].as_str(), json["diagnostics"][0]["place"]["column"].as_i64()),
        (Some("rejected"), Some(25))
    );
}
