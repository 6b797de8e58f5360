//! Proofs by the sole execution: what the executor says of a run is accepted if and
//! only if there is no other, and it ends as it is said to.

use std::path::{Path, PathBuf};
use std::time::Duration;

use cairn_base::{Budget, DataModel};
use cairn_cfront::{Input, Options, compile};
use cairn_checker::{Checked, Rejection, check};
use cairn_core::replay;
use cairn_core::{Proof, Property, Sole, SoleEnd, Task, Trace};
use cairn_sem::{End, Executor, Outcome, Silent};

const PRELUDE: &str = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);\n\
    extern void *malloc(__SIZE_TYPE__); extern void free(void *); extern int printf(const char *, ...);\n\
    extern int snprintf(char *, __SIZE_TYPE__, const char *, ...); extern void exit(int); extern void abort(void);\n\
    extern double strtod(const char *, char **); extern double sin(double);\n\
    extern void *memcpy(void *, const void *, __SIZE_TYPE__); extern void __VERIFIER_assume(int);\n";

fn task(inputs: &[Input], model: DataModel) -> Option<Task> {
    let program = compile(inputs, &Options::with_model(model), None).ok()?.program;
    Task::new(program, Property::default(), cairn_core::Options::default()).ok()
}

fn execute(t: &Task) -> Outcome {
    let options = replay::options(t, &Trace::default());
    let budget = Budget { max_steps: 3_000_000, ..Budget::default() };
    Executor::new(&t.program, options, budget).run(&mut Silent)
}

/// What an engine would claim of a run.
fn claim(outcome: &Outcome) -> Option<Sole> {
    let end = match outcome.end {
        End::Exit(_) => SoleEnd::Exit,
        End::Abort(_) => SoleEnd::Abort,
        End::AssumptionFailed(_) => SoleEnd::Assumption,
        End::Undefined(_) => SoleEnd::Undefined,
        _ => return None,
    };
    Some(Sole { steps: outcome.steps, end })
}

fn checked(t: &Task, sole: Sole) -> Result<Checked, Rejection> {
    let proof = Proof::by_sole_execution(&t.program, sole);
    let budget = Budget::default().with_time(Duration::from_secs(60));
    check(&t.program, t.entry, &proof, &|| cairn_smt::standard(), &budget)
}

/// Both data models; the body of `main` may return early.
fn both(body: &str, see: impl Fn(&Task, Sole, Result<Checked, Rejection>)) {
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        let text = format!("{PRELUDE}{body}");
        let text = text
            .replace("__SIZE_TYPE__", if model == DataModel::Lp64 { "unsigned long" } else { "unsigned" });
        let t = task(&[Input::Text { name: "t.c".into(), text }], model).unwrap_or_else(|| panic!("{body}"));
        let outcome = execute(&t);
        let sole = claim(&outcome).unwrap_or(Sole { steps: outcome.steps, end: SoleEnd::Exit });
        see(&t, sole, checked(&t, sole));
    }
}

fn accepted(body: &str, end: SoleEnd) {
    both(body, |t, sole, found| {
        assert!(found.is_ok(), "{body}: {found:?}");
        assert_eq!(sole.end, end, "{body}");
        // Another number of steps, and another end.
        let other = if end == SoleEnd::Exit { SoleEnd::Abort } else { SoleEnd::Exit };
        for wrong in
            [Sole { steps: sole.steps + 1, ..sole }, Sole { steps: 0, ..sole }, Sole { end: other, ..sole }]
        {
            assert!(matches!(checked(t, wrong), Err(Rejection::Wrong { .. })), "{body}: {wrong:?}");
        }
    });
}

fn unknown(body: &str, part: &str) {
    both(body, |_, _, found| match found {
        Err(Rejection::Unknown(why)) => assert!(why.contains(part), "{body}: {why}"),
        other => panic!("{body}: {other:?}"),
    });
}

#[test]
fn executions_that_end() {
    accepted(
        "int main(void) { int s = 0; for (int i = 0; i < 1000; i++) s += i; if (s != 499500) reach_error(); return 0; }",
        SoleEnd::Exit,
    );
    accepted(
        "static int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); } int main(void) { if (f(15) != 610) reach_error(); exit(3); }",
        SoleEnd::Exit,
    );
    accepted("int main(void) { abort(); }", SoleEnd::Abort);
    accepted(
        "int main(void) { int x = 3; __VERIFIER_assume(x < 3); reach_error(); return 0; }",
        SoleEnd::Assumption,
    );
    accepted(
        "int main(void) { int a[3]; int i = 3; a[i] = 1; reach_error(); return 0; }",
        SoleEnd::Undefined,
    );
    accepted(
        "int main(void) { int z = 0; int r = 5 / z; if (r) reach_error(); return 0; }",
        SoleEnd::Undefined,
    );
    accepted(
        "int main(void) { char *p = malloc(2); free(p); p[0] = 1; reach_error(); return 0; }",
        SoleEnd::Undefined,
    );
}

#[test]
fn memory_of_all_kinds() {
    accepted(
        "struct s { unsigned a : 3; int b : 7; char c; struct s *next; double d; } g = { 1, -2, 'x', &g, 1.5 };\n\
         int main(void) { struct s l; l.a = 5; l.b = -3; l.next = &g; l.d = 2; l.c = 0; struct s m; memcpy(&m, &l, sizeof m);\n\
         if (m.a != 5 || m.b != -3 || m.next->next != &g || m.next->d + m.d != 3.5) reach_error();\n\
         struct s *h = malloc(3 * sizeof *h); h[1] = m; if (h[1].next != l.next || &h[1] - h != 1) reach_error(); free(h); return 0; }",
        SoleEnd::Exit,
    );
    accepted(
        "static int one(int x) { return x + 1; } static int two(int x) { return 2 * x; } static int (*table[])(int) = { one, two };\n\
         int main(void) { int s = 0; for (int i = 0; i < 2; i++) s = 10 * s + table[i](3); if (s != 46) reach_error(); return 0; }",
        SoleEnd::Exit,
    );
    accepted(
        "union u { unsigned w; unsigned char b[4]; }; int main(void) { union u x; x.w = 0x01020304; if (x.b[0] != 4 || x.b[3] != 1) reach_error(); return 0; }",
        SoleEnd::Exit,
    );
}

#[test]
fn texts_and_numbers() {
    accepted(
        "int main(void) { char t[40], *e; int n = 0; if (snprintf(t, 40, \"%d|%.2f|%s\", 7, 0.125, \"ab\") != 9) reach_error();\n\
         if (t[2] != '0' || t[5] != '2' && t[5] != '3') reach_error(); if (strtod(\"2.5x\", &e) != 2.5 || *e != 'x') reach_error();\n\
         printf(\"abc%n\\n\", &n); if (n != 3) reach_error(); return 0; }",
        SoleEnd::Exit,
    );
}

#[test]
fn what_others_could_have_otherwise_is_refused() {
    unknown(
        "int main(void) { unsigned char *p = malloc(4); if (p[1]) reach_error(); return 0; }",
        "was never written",
    );
    unknown("int main(void) { double z = 0, n = z / z; if (n == n) reach_error(); return 0; }", "NaN");
    unknown("int main(void) { if (sin(1.0) > 2) reach_error(); return 0; }", "no standard fixes");
    both(
        "int main(void) { int x, y, *p = &x, *q = &y; x = y = 0; if (p == q + 1) x = 1; return 0; }",
        |_, _, found| {
            assert_eq!(found, Err(Rejection::Layout));
        },
    );
    both("int main(void) { int *p = malloc(4), *q = malloc(4); return p < q; }", |_, _, found| {
        assert_eq!(found, Err(Rejection::Layout));
    });
    both(
        "int main(void) { int x, *p = &x; unsigned char b = *(unsigned char *)&p; return b; }",
        |_, _, found| {
            assert_eq!(found, Err(Rejection::Layout));
        },
    );
    both("int main(void) { if (__VERIFIER_nondet_int() == 77) reach_error(); return 0; }", |_, _, found| {
        assert!(
            matches!(found, Err(Rejection::Wrong { ref what, .. }) if what.contains("takes an input")),
            "{found:?}"
        );
    });
    both("int main(void) { reach_error(); return 0; }", |_, _, found| {
        assert!(
            matches!(found, Err(Rejection::Wrong { ref what, .. }) if what.contains("error")),
            "{found:?}"
        );
    });
}

fn files(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).expect("a folder of programs").flatten() {
        match entry.path() {
            path if path.is_dir() => files(&path, found),
            path if path.extension().is_some_and(|x| x == "c") => found.push(path),
            _ => {}
        }
    }
}

/// The two interpreters agree on every program of the tests that takes no inputs.
#[test]
fn programs_end_as_in_the_executor() {
    let mut all = Vec::new();
    files(
        &PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").expect("cargo says where the crate is"))
            .join("../../tests/programs"),
        &mut all,
    );
    all.sort();
    let mut agreed = 0;
    for (file, model) in all.iter().flat_map(|f| [(f, DataModel::Lp64), (f, DataModel::Ilp32)]) {
        let Some(t) = task(&[Input::File(file.clone())], model) else { continue };
        let outcome = execute(&t);
        if !outcome.inputs.is_empty() || !outcome.unmodelled.is_empty() {
            continue;
        }
        let Some(sole) = claim(&outcome) else { continue };
        match checked(&t, sole) {
            Ok(_) => agreed += 1,
            Err(Rejection::Wrong { what, .. }) => panic!("{} ({model}): {what}", file.display()),
            Err(_) => {}
        }
    }
    assert!(agreed > 250, "only {agreed} programs could be compared");
}
