//! `cairn check` as a user asks it: how signed overflow is read, where to start,
//! which engines race, what the ledger says, what comes out as JSON when there is
//! nothing to decide.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use cairn_dev::process::{Ran, Status, run};
use serde_json::Value;

struct Dir(tempfile::TempDir);

impl Dir {
    fn new(files: &[(&str, &str)]) -> Dir {
        let dir = tempfile::tempdir().expect("a temporary folder");
        for (name, text) in files {
            fs::write(dir.path().join(name), text).expect("a writable temporary folder");
        }
        Dir(dir)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Runs `cairn` in the folder with words split at blanks.
    fn cairn(&self, line: &str) -> Ran {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cairn"));
        command.args(line.split(' ')).current_dir(self.0.path());
        run(&mut command, b"", Duration::from_secs(120)).expect("cairn starts")
    }

    /// Expects an exit code and the last line of standard output; gives all of it.
    #[track_caller]
    fn expect(&self, line: &str, code: i32, last: &str) -> String {
        let ran = self.cairn(line);
        let text = ran.stdout_text();
        let found = text.lines().last().unwrap_or_default();
        assert!(
            ran.status == Status::Exit(code) && found == last,
            "cairn {line}: {:?}, expected {code} and `{last}`\n{text}{}",
            ran.status,
            ran.stderr_text()
        );
        text
    }

    #[track_caller]
    fn json(&self, line: &str, code: i32) -> Value {
        let ran = self.cairn(line);
        let text = ran.stdout_text();
        assert_eq!(ran.status, Status::Exit(code), "cairn {line}\n{text}{}", ran.stderr_text());
        serde_json::from_str(&text).unwrap_or_else(|e| panic!("cairn {line}: {e}\n{text}"))
    }
}

/// Wraps if the greatest number is given; an execution that overflows has no meaning otherwise.
const WRAPS: &str = "int __VERIFIER_nondet_int(void);\nvoid reach_error(void);\n\
    int main(void) {\n    int x = __VERIFIER_nondet_int();\n    if (x + 1 < x)\n        reach_error();\n    return 0;\n}\n";

/// Fails however overflow is read.
const FAILS: &str = "int __VERIFIER_nondet_int(void);\nvoid reach_error(void);\n\
    int main(void) {\n    int x = __VERIFIER_nondet_int();\n    if (x - 1 < x && x == 7)\n        reach_error();\n    return 0;\n}\n";

#[test]
fn signed_overflow_is_read_as_asked() {
    let task = "format_version: '2.0'\ninput_files: wraps.c\nproperties:\n  - property_file: p.prp\n\
                options: {language: C, data_model: LP64, signed_overflow: undefined}\nsigned_overflow: undefined\n";
    let dir = Dir::new(&[
        ("wraps.c", WRAPS),
        ("fails.c", FAILS),
        ("t.yml", task),
        ("p.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n"),
    ]);
    for engine in ["auto", "bmc", "kinduction"] {
        let option = format!("--engine {engine} --signed-overflow");
        dir.expect(&format!("check wraps.c {option} wrap"), 10, "Verdict: FALSE (unreach-call)");
        dir.expect(&format!("check wraps.c {option} undefined"), 0, "Verdict: TRUE");
        dir.expect(&format!("check fails.c {option} undefined"), 10, "Verdict: FALSE (unreach-call)");
    }
    let wrapping = dir.expect("check wraps.c", 10, "Verdict: FALSE (unreach-call)");
    assert!(wrapping.contains("signed arithmetic wraps around"), "{wrapping}");
    let ending = dir.expect("check wraps.c --signed-overflow undefined", 0, "Verdict: TRUE");
    assert!(ending.contains("executions end where signed arithmetic overflows"), "{ending}");
    // A task file is no place to change the meaning of programs.
    dir.expect("check t.yml", 10, "Verdict: FALSE (unreach-call)");
    dir.expect("check t.yml --signed-overflow undefined", 0, "Verdict: TRUE");
}

/// The operand that overflows is evaluated only where the selection says so, and the check of an
/// overflow comes before what is built on it.
#[test]
fn overflow_ends_executions_only_where_it_happens() {
    let text = "int __VERIFIER_nondet_int(void);\nvoid reach_error(void);\n\
        int main(void) {\n    int x = __VERIFIER_nondet_int();\n    int y = x > 0 ? 1 : -x;\n\
            if (y == 1 && x == 2147483647)\n        reach_error();\n    return 0;\n}\n";
    let dir = Dir::new(&[("t.c", text)]);
    dir.expect("check t.c --signed-overflow undefined", 10, "Verdict: FALSE (unreach-call)");
    let text = text.replace("x == 2147483647", "x == -2147483647 - 1").replace("y == 1", "y < 0");
    fs::write(dir.path("t.c"), text).expect("a file");
    dir.expect("check t.c --signed-overflow undefined", 0, "Verdict: TRUE");
    dir.expect("check t.c", 10, "Verdict: FALSE (unreach-call)");
}

#[test]
fn the_ledger_says_what_is_taken_for_granted() {
    let heap = "#include <stdlib.h>\n#include <assert.h>\n\
                int main(void) { char *p = malloc(3); assert(p); return 0; }\n";
    let float = "#include <math.h>\nint main(void) { double d = sin(0.5); return d > 2.0; }\n";
    let none = "int main(void) { unsigned u = 1; return u + 1 == 2; }\n";
    let dir = Dir::new(&[("heap.c", heap), ("float.c", float), ("none.c", none)]);
    let conventions = |line: &str| dir.json(line, 0)["conventions"].to_string();
    let heap = conventions("check heap.c --property assert --json --64");
    assert!(heap.contains("succeeds for sizes below 2^63 bytes") && !heap.contains("IEEE"), "{heap}");
    let heap = conventions("check heap.c --property assert --json --32");
    assert!(heap.contains("below 2^31 bytes"), "{heap}");
    let float = conventions("check float.c --json");
    assert!(float.contains("IEEE 754") && float.contains("any result of sin;"), "{float}");
    assert!(!float.contains("allocating"), "{float}");
    assert_eq!(conventions("check none.c --json"), "[]");
    let text = dir.expect("check heap.c --64", 0, "Verdict: TRUE");
    assert!(text.contains("Taken for granted: allocating memory succeeds"), "{text}");
    assert!(text.contains("Data model LP64"), "{text}");
}

/// What the ledger says of `malloc` is what executor, engines and checker do.
#[test]
fn absurd_sizes_give_a_null_pointer() {
    let text = "#include <stdlib.h>\n#include <assert.h>\nsize_t __VERIFIER_nondet_size_t(void);\n\
        int main(void) {\n    size_t n = __VERIFIER_nondet_size_t();\n    if (n < 100) assert(malloc(n));\n\
            if (n > (size_t)-1 / 2) assert(!malloc(n));\n    return 0;\n}\n";
    let dir = Dir::new(&[("t.c", text)]);
    for model in ["--32", "--64"] {
        dir.expect(&format!("check t.c --property assert {model}"), 0, "Verdict: TRUE");
        let size = if model == "--32" { "2147483648" } else { "0x8000000000000000" };
        let ran = dir.cairn(&format!("run t.c {model} --input {size}"));
        assert_eq!(ran.status, Status::Exit(0), "{}", ran.stderr_text());
    }
}

/// A function that fails for one pair of arguments and calls itself with others.
const ENTRY: &str = "#include <assert.h>\n#include <stdbool.h>\n\
    int nothing(void);\n\
    int sum(bool odd, short a, double d) {\n    if (a == 1234 && odd && d > 2.5 && d < 2.75)\n        assert(0);\n\
            return odd ? sum(0, a + 1, 0) : (int)a;\n}\n\
    int even(unsigned char c) { assert((c & 1) + (c >> 1) * 2 == c); return c; }\n\
    struct pair { int a, b; };\n\
    int first(struct pair p) { return p.a; }\n\
    int at(int *p) { return *p; }\n\
    struct pair make(int a) { struct pair p = {a, a}; return p; }\n\
    int many(int n, ...) { return n; }\n\
    int main(void) { assert(0); return 0; }\n";

#[test]
fn executions_may_start_in_any_function_of_numbers() {
    let dir = Dir::new(&[("t.c", ENTRY)]);
    let start = "--property assert --function";
    let text = dir.expect(
        &format!("check t.c {start} sum --engine bmc --harness h.c --test suite"),
        10,
        "Verdict: FALSE (assert)",
    );
    for part in ["  odd = ", "  a = 1234", "  d = 2."] {
        assert!(text.contains(part), "`{part}` is missing from:\n{text}");
    }
    let again = text.lines().find_map(|l| l.strip_prefix("To repeat: cairn ")).expect("a command");
    let result = dir.cairn(again);
    assert_eq!(result.status, Status::Exit(10), "{}", result.stderr_text());
    assert!(result.stdout_text().contains("the compiled program fails, too"), "{}", result.stdout_text());
    dir.expect(&format!("check t.c {start} even"), 0, "Verdict: TRUE");
    let replayed = dir.cairn(&format!("replay t.c {start} sum --test suite"));
    assert_eq!(replayed.status, Status::Exit(10), "{}", replayed.stderr_text());
}

#[test]
fn parameters_that_are_no_numbers_are_refused() {
    let dir = Dir::new(&[("t.c", ENTRY)]);
    for (function, parameter) in [("first", "p"), ("at", "p"), ("many", "")] {
        let line = format!("check t.c --property assert --function {function}");
        dir.expect(&line, 2, "Verdict: ERROR (entry)");
        let message = dir.cairn(&line).stderr_text();
        let wanted = format!("`{function}` cannot be started in: its parameter `{parameter}");
        assert!(message.contains(&wanted), "{message}");
        let json = dir.json(&format!("{line} --json"), 2);
        assert_eq!(json["verdict"], "ERROR", "{json}");
    }
}

#[test]
fn engines_race() {
    let dir = Dir::new(&[("wraps.c", WRAPS), ("fails.c", FAILS)]);
    let deep = "unsigned __VERIFIER_nondet_uint(void);\nvoid reach_error(void);\n\
        int main(void) {\n    unsigned n = __VERIFIER_nondet_uint(), i = 0;\n    while (i < n) i++;\n\
            if (i < n) reach_error();\n    return 0;\n}\n";
    fs::write(dir.path("deep.c"), deep).expect("a file");
    for (file, code, last) in [
        ("fails.c", 10, "Verdict: FALSE (unreach-call)"),
        ("wraps.c --signed-overflow undefined", 0, "Verdict: TRUE"),
        // Unrolling never ends here: who wins ends the other.
        ("deep.c", 0, "Verdict: TRUE"),
    ] {
        for engines in ["bmc,kinduction", "kinduction,bmc"] {
            dir.expect(&format!("check {file} --engine race:{engines} --time 60"), code, last);
        }
    }
    let won = dir.json("check deep.c --engine race:bmc,kinduction --json --time 60", 0);
    assert_eq!(won["engine"], "kinduction");
    // Both give up: the limit ends both.
    let lost = dir.cairn("check deep.c --engine race:bmc,concrete --time 1");
    assert_eq!(lost.status, Status::Exit(5), "{}", lost.stdout_text());
    for bad in ["race:bmc", "race:bmc,bmc", "bmc,kinduction", "race:bmc,nobody"] {
        let ran = dir.cairn(&format!("check deep.c --engine {bad}"));
        assert_eq!(ran.status, Status::Exit(1), "{bad}");
    }
}

#[test]
fn refusals_are_json_where_json_is_asked_for() {
    let dir =
        Dir::new(&[("t.c", "int main(void) { return 0; }\n"), ("bad.c", "int main( {\n"), ("w.yml", "x")]);
    for (line, code, verdict, word) in [
        ("check missing.yml --json", 2, "ERROR", "missing.yml"),
        ("check t.c --property nonsense --json", 2, "ERROR", "nonsense"),
        ("check t.c --property call:nobody --json", 2, "ERROR", "nobody"),
        ("check t.c --function nobody --json", 2, "ERROR", "nobody"),
        ("check t.c --property valid-memsafety --json", 5, "UNKNOWN", "not supported"),
        ("check bad.c --json", 2, "ERROR", "expected"),
        ("validate t.c --witness w.yml --json", 2, "UNKNOWN", ""),
    ] {
        let json = dir.json(line, code);
        assert_eq!(json["verdict"], verdict, "{line}: {json}");
        assert_eq!(json["exit_code"], code, "{line}: {json}");
        assert!(json["message"].as_str().unwrap_or_default().contains(word), "{line}: {json}");
    }
    let json = dir.json("replay t.c --function nobody --json", 2);
    assert_eq!(
        (&json["command"], &json["result"]),
        (&"replay".into(), &"rejected (no entry)".into()),
        "{json}"
    );
}

/// What harnesses for CBMC use: checks, inputs by any name, classification of floats, memory.
#[test]
fn primitives_of_cbmc() {
    let safe = "int nondet_int();\ntypedef __CPROVER_size_t word;\n\
        int half(int a) {\n    __CPROVER_precondition(a >= 0, \"a\");\n    int r = a / 2;\n\
            __CPROVER_postcondition(r <= a, \"r\");\n    return r;\n}\n\
        int main() {\n    int x = nondet_int();\n    __CPROVER_bool small = x > 0 && x < 100;\n\
            __CPROVER_assume(small);\n    __CPROVER_cover(x == 3);\n    half(x);\n\
            float f = x;\n    __CPROVER_assert(__CPROVER_isfinitef(f) && !__CPROVER_isnanf(f - f), \"f\");\n\
            __CPROVER_assert(__CPROVER_isinfd(1e308 * 10) && __CPROVER_isnormalf(f), \"inf\");\n\
            __CPROVER_assert(__CPROVER_signd(-0.0) && __CPROVER_fabs(-2.5) == 2.5, \"sign\");\n\
            char *p = __CPROVER_allocate(4, 1);\n    word n = 4;\n\
            __CPROVER_assert(__CPROVER_r_ok(p, n) && !__CPROVER_w_ok(p, 5) && !p[3], \"p\");\n\
            __CPROVER_assert(__CPROVER_rw_ok(p + 4, 0) && !__CPROVER_r_ok(p + 4, 1), \"end\");\n\
            __CPROVER_assert(!__CPROVER_r_ok((char *)0, 1), \"null\");\n\
            __CPROVER_havoc_slice(p, 2);\n    __CPROVER_assert(p[2] == 0, \"slice\");\n    return 0;\n}\n";
    let dir = Dir::new(&[("t.c", safe)]);
    let text = dir.expect("check t.c --property assert", 0, "Verdict: TRUE");
    assert!(!text.contains("No body and no model"), "{text}");
    for (from, to) in [
        ("x > 0", "x >= -5"),
        ("r <= a", "r < a - 1"),
        ("isfinitef(f)", "isinff(f)"),
        ("p[2] == 0, \"slice\"", "p[1] == 0, \"slice\""),
        ("havoc_slice(p, 2)", "havoc_slice(p + 3, 2)"),
        ("r_ok(p, n)", "r_ok(p + 1, n)"),
        ("rw_ok(p + 4, 0)", "rw_ok(p + 5, 0)"),
    ] {
        let text = safe.replace(from, to);
        assert_ne!(text, safe, "{from}");
        fs::write(dir.path("u.c"), text).expect("a file");
        let ran = dir.cairn("check u.c --property assert");
        assert_eq!(
            ran.status,
            Status::Exit(10),
            "{from} as {to}:\n{}{}",
            ran.stdout_text(),
            ran.stderr_text()
        );
    }
}

/// A primitive without a model changes what the program means: its absence is not passed over.
#[test]
fn unknown_primitives_of_cbmc_are_refused() {
    let text = "int main() { int i = 0; __CPROVER_array_copy(&i, &i); __CPROVER_assert(i == 0, \"\"); }\n";
    let dir = Dir::new(&[("t.c", text)]);
    dir.expect("check t.c --property assert", 2, "Verdict: UNKNOWN (unsupported)");
    let message = dir.cairn("check t.c --property assert").stderr_text();
    assert!(message.contains("CBMC's primitive `__CPROVER_array_copy` is not supported"), "{message}");
}

/// Whatever an uninitialised `_Bool` holds, it is 0 or 1.
#[test]
fn an_indeterminate_bool_is_a_truth_value() {
    let text =
        "#include <assert.h>\nint main(void) { _Bool c; int n = c ? 1 : 0; assert(n == c); return 0; }\n";
    let dir = Dir::new(&[("t.c", text), ("u.c", &text.replace("n == c", "!c || n == 0"))]);
    dir.expect("check t.c --property assert", 0, "Verdict: TRUE");
    dir.expect("check u.c --property assert", 10, "Verdict: FALSE (assert)");
}

/// The only thread ends: so does the program.
#[test]
fn the_end_of_the_only_thread() {
    let text = "void pthread_exit(void *);\nint nondet_int(void);\n#include <assert.h>\n\
        int main(void) { int i = nondet_int(); if (i == 100) pthread_exit(0); assert(i != 100); return 0; }\n";
    let dir = Dir::new(&[("t.c", text)]);
    dir.expect("check t.c --property assert", 0, "Verdict: TRUE");
}

/// `assert` means assertions and nothing else, and is answered by that name.
#[test]
fn assertions_are_a_property_of_their_own() {
    let call = "void reach_error(void);\nint main(void) { reach_error(); }\n";
    let assert = "#include <assert.h>\nint main(void) { assert(0); }\n";
    let dir = Dir::new(&[("call.c", call), ("assert.c", assert)]);
    dir.expect("check call.c --property assert", 0, "Verdict: TRUE");
    dir.expect("check assert.c --property assert", 10, "Verdict: FALSE (assert)");
    dir.expect("check call.c", 10, "Verdict: FALSE (unreach-call)");
    dir.expect("check assert.c", 10, "Verdict: FALSE (unreach-call)");
    assert_eq!(dir.json("check assert.c --property assert --json", 10)["property"], "assert");
}

/// A function that the property names and no unit declares is a mistake; one that is declared and never
/// called is not.
#[test]
fn properties_name_functions_of_the_program() {
    let prp = |name: &str| format!("CHECK( init(main()), LTL(G ! call({name}())) )\n");
    let dir = Dir::new(&[
        ("none.c", "int main(void) { return 0; }\n"),
        ("declared.c", "void reach_error(void); int main(void) { return 0; }\n"),
        ("defined.c", "static void oops(void) {} int main(int n) { if (n > 3) oops(); return 0; }\n"),
        ("reach.prp", &prp("reach_error")),
        ("oops.prp", &prp("oops")),
    ]);
    let meant =
        "Verdict: TRUE (if reach_error, which the program does not have, is the function that was meant)";
    dir.expect("check none.c --property reach.prp", 0, meant);
    dir.expect("check declared.c --property reach.prp", 0, "Verdict: TRUE");
    dir.expect("check declared.c --property oops.prp", 2, "Verdict: ERROR (property)");
    dir.expect("check declared.c --property call:reach_error", 0, "Verdict: TRUE");
    dir.expect("check defined.c --property oops.prp", 10, "Verdict: FALSE (unreach-call)");
    // Without a property file nothing is named: errors and assertions of any kind are meant.
    dir.expect("check none.c", 0, "Verdict: TRUE");
    let message = dir.cairn("check none.c --property oops.prp").stderr_text();
    assert!(message.contains("the program has no function `oops`"), "{message}");
}

/// Of several properties that a task file lists, the user says which one is meant.
#[test]
fn task_files_with_several_properties() {
    let task = |properties: &[&str]| {
        let lines: String = properties.iter().map(|p| format!("  - property_file: {p}.prp\n")).collect();
        format!(
            "format_version: '2.0'\ninput_files: t.c\nproperties:\n{lines}options: {{language: C, data_model: LP64}}\n"
        )
    };
    let dir = Dir::new(&[
        ("t.c", "void reach_error(void); int main(void) { int n = 2147483647; n = n + 1; reach_error(); }\n"),
        ("unreach-call.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n"),
        ("no-overflow.prp", "CHECK( init(main()), LTL(G ! overflow) )\n"),
        ("termination.prp", "CHECK( init(main()), LTL(F end) )\n"),
        ("two.yml", &task(&["unreach-call", "no-overflow", "termination"])),
        ("one.yml", &task(&["termination", "no-overflow"])),
    ]);
    dir.expect("check two.yml", 2, "Verdict: ERROR (input)");
    let message = dir.cairn("check two.yml").stderr_text();
    assert!(
        message.contains("unreach-call, no-overflow; say which one: --property unreach-call"),
        "{message}"
    );
    dir.expect("check two.yml --property unreach-call", 10, "Verdict: FALSE (unreach-call)");
    dir.expect("check two.yml --property no-overflow", 10, "Verdict: FALSE (no-overflow)");
    dir.expect("check two.yml --property no-overflow.prp", 10, "Verdict: FALSE (no-overflow)");
    dir.expect("check one.yml", 10, "Verdict: FALSE (no-overflow)");
}

/// What nobody reads in assembly is named in the verdict, an empty template is not.
#[test]
fn assembly_is_named_in_the_verdict() {
    let dir = Dir::new(&[
        (
            "a.c",
            "int main(void) {\n    int x = 1;\n    __asm__ volatile(\"cpuid\" : \"=a\"(x));\n    return x;\n}\n",
        ),
        (
            "b.c",
            "int main(void) {\n    int x = 1;\n    __asm__ volatile(\"\" : \"+r\"(x) : : \"memory\");\n    return x;\n}\n",
        ),
        ("f.c", "__asm__(\".globl x\");\nint main(void) { return 0; }\n"),
    ]);
    let line = "Verdict: TRUE (if the assembly at a.c:3 changes nothing but its outputs)";
    dir.expect("check a.c", 0, line);
    dir.expect("check b.c", 0, "Verdict: TRUE");
    dir.expect(
        "check f.c",
        0,
        "Verdict: TRUE (if the assembly at f.c:1 defines nothing that the program uses)",
    );
}
