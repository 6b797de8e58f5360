//! The commands as a user calls them: options that reach the preprocessor,
//! inputs and seeds, the report, the pictures.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use cairn_dev::process::{Ran, Status, run};

struct Dir(tempfile::TempDir);

impl Dir {
    fn new(files: &[(&str, &str)]) -> Dir {
        let dir = tempfile::tempdir().expect("a temporary folder");
        for (name, text) in files {
            fs::write(dir.path().join(name), text).expect("a writable temporary folder");
        }
        Dir(dir)
    }

    /// Runs `cairn` in the folder with words split at blanks.
    fn cairn(&self, line: &str) -> Ran {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cairn"));
        command.args(line.split(' ')).current_dir(self.0.path());
        run(&mut command, b"", Duration::from_secs(60)).expect("cairn starts")
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The result line of a run.
    #[track_caller]
    fn result(&self, line: &str) -> String {
        let stderr = self.cairn(line).stderr_text();
        let last = stderr.lines().last().unwrap_or_default();
        last.strip_prefix("Result: ").unwrap_or_else(|| panic!("no result in:\n{stderr}")).to_owned()
    }
}

#[test]
fn preprocessor_options() {
    let main = "#ifdef GONE\n#error gone\n#endif\n#include \"part.h\"\nint main(void) { return VALUE + PART + FROM; }\n";
    let dir = Dir::new(&[("t.c", main), ("pre.h", "#define FROM 100\n"), ("other.h", "#define PART 7\n")]);
    fs::create_dir(dir.path("inc")).expect("a folder");
    fs::write(dir.path("inc/part.h"), "#define PART 20\n").expect("a header");
    let line = "run t.c -Iinc -DVALUE=3 -D GONE -U GONE -include pre.h";
    assert_eq!(dir.result(line), "exit 123");
    assert_eq!(dir.result("run t.c -isystem inc -DVALUE=4 --include pre.h -std=gnu99"), "exit 124");
}

#[test]
fn compilation_database() {
    let dir = Dir::new(&[
        ("a.c", "int f(void); int main(void) { return f() + A; }\n"),
        ("b.c", "int f(void) { return B; }\n"),
    ]);
    let here = dir.path("").display().to_string();
    let entry = |file: &str, flag: &str| serde_json::json!({"directory": here, "file": file, "arguments": ["cc", "-c", flag, "-O2", file]});
    let database = serde_json::json!([entry("a.c", "-DA=40"), entry("b.c", "-DB=2")]);
    fs::write(dir.path("compile_commands.json"), database.to_string()).expect("a database");
    assert_eq!(dir.result("run --compile-commands compile_commands.json"), "exit 42");
    assert_eq!(dir.result("run a.c b.c --compile-commands compile_commands.json"), "exit 42");
    fs::write(dir.path("bad.json"), "{").expect("a file");
    assert_eq!(dir.cairn("run --compile-commands bad.json").status, Status::Exit(2));
    assert_eq!(dir.cairn("run --compile-commands none.json").status, Status::Exit(2));
}

#[test]
fn entry_function() {
    let dir = Dir::new(&[("t.c", "int helper(void) { return 5; }\nint two(int a, char *b) { return a; }\n")]);
    assert_eq!(dir.result("run t.c --function helper"), "exit 5");
    assert_eq!(dir.result("run t.c"), "rejected (no entry)");
    assert_eq!(dir.cairn("run t.c --function nobody").status, Status::Exit(2));
}

#[test]
fn inputs_and_seeds() {
    let text = "int __VERIFIER_nondet_int(void); char __VERIFIER_nondet_char(void); int printf(const char *, ...);\n\
                int main(void) { int x = __VERIFIER_nondet_int(); int c = __VERIFIER_nondet_char(); printf(\"%d %d\\n\", x, c); return 0; }\n";
    let dir = Dir::new(&[("t.c", text), ("in.txt", "# two values\nint = -7\n'a'  # a letter\n")]);
    let out = |line: &str| dir.cairn(line).stdout_text();
    assert_eq!(out("run t.c --input 0x10,-1"), "16 -1\n");
    assert_eq!(out("run t.c --input in.txt"), "-7 97\n");
    assert_eq!(out("run t.c --seed 5"), out("run t.c --seed 5"));
    assert!((0..20).any(|seed| out(&format!("run t.c --seed {seed}")) != out("run t.c")));
    // The report names a command that repeats the run.
    let first = dir.cairn("run t.c --seed 9");
    let report = first.stderr_text();
    let again = report.lines().find_map(|l| l.strip_prefix("To repeat: cairn ")).expect("a command");
    assert_eq!(out(again), first.stdout_text());
    let labelled = dir.cairn("run t.c --input char=1,char=2,3").stderr_text();
    assert!(labelled.contains("input 1 was given for char but read by __VERIFIER_nondet_int"), "{labelled}");
    assert!(labelled.contains("1 of the given inputs were not used"), "{labelled}");
}

#[test]
fn the_report_names_what_is_not_known() {
    let dir = Dir::new(&[(
        "t.c",
        "int outside(int);\nint main(void) {\n    outside(1);\n    outside(2);\n    return 0;\n}\n",
    )]);
    let report = dir.cairn("run t.c --32").stderr_text();
    assert!(
        report.contains("outside at t.c:3:5, 2 calls") && report.contains("Data model ILP32"),
        "{report}"
    );
    let quiet = dir.cairn("run t.c --quiet").stderr_text();
    assert_eq!(quiet, "Result: exit 0\n");
}

#[test]
fn the_report_shows_source_and_stack() {
    let text = "static int get(int *p) {\n    return *p;\n}\nint main(void) {\n    return get(0);\n}\n";
    let dir = Dir::new(&[("t.c", text)]);
    let ran = dir.cairn("run t.c");
    let report = ran.stderr_text();
    assert_eq!(ran.status, Status::Exit(11));
    for wanted in ["t.c:2:12", "return *p;", "^", "get at t.c:2:12", "main at t.c:5:12", "null-access"] {
        assert!(report.contains(wanted), "`{wanted}` is missing from:\n{report}");
    }
    assert!(!report.contains('\u{1b}'), "no colours in a pipe");
}

#[test]
fn pictures_and_text() {
    let text =
        "int f(int n) { int s = 0; while (n > 0) s += n--; return s; }\nint main(void) { return f(4); }\n";
    let dir = Dir::new(&[("t.c", text)]);
    let dot = dir.cairn("cfg t.c").stdout_text();
    assert!(dot.starts_with("digraph") && dot.contains("main") && dot.trim_end().ends_with('}'), "{dot}");
    let one = dir.cairn("cfg t.c --function f").stdout_text();
    assert!(!one.contains("main"), "{one}");
    assert_eq!(dir.cairn("cfg t.c --svg f.svg --dot f.dot --function f").status, Status::Exit(0));
    let svg = fs::read_to_string(dir.path("f.svg")).expect("a picture");
    assert!(svg.trim_start().starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{svg}");
    assert_eq!(fs::read_to_string(dir.path("f.dot")).expect("a graph"), one);
    let features = dir.cairn("cfg t.c --features").stdout_text();
    assert!(features.contains("loops                1"), "{features}");
    for line in ["cfg t.c --text", "cfg t.c --text --no-simplify", "cfg t.c --text --32"] {
        let text = dir.cairn(line).stdout_text();
        let program = cairn_ir::text::parse(&text).expect("the text form can be read back");
        assert_eq!(cairn_ir::text::print(&program), text);
        cairn_ir::verify(&program).expect("and is well formed");
    }
}
