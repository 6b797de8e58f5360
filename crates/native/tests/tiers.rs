//! Every test program, run in the interpreter alone and with every function
//! compiled at its first visit: the end, the report, the output, the inputs and
//! the number of steps must be the same, whatever the step limit.

use std::path::{Path, PathBuf};

use cairn_base::{Budget, DataModel};
use cairn_cfront::{Compiled, Input, Options as Front, compile};
use cairn_native::Native;
use cairn_sem::{Captured, Executor, Options, SignedOverflow, Tier};

const MODELS: [DataModel; 2] = [DataModel::Lp64, DataModel::Ilp32];

/// What a run shows.
#[derive(PartialEq, Debug)]
struct Seen {
    end: String,
    steps: u64,
    inputs: String,
    out: String,
    err: String,
}

/// How the native tier is set up.
#[derive(Copy, Clone, Debug)]
struct Setup {
    threshold: u32,
    in_memory: bool,
}

const AT_ONCE: Setup = Setup { threshold: 1, in_memory: false };
const IN_MEMORY: Setup = Setup { threshold: 1, in_memory: true };
const LATER: Setup = Setup { threshold: 7, in_memory: false };

fn run(compiled: &Compiled, options: &Options, max_steps: u64, setup: Option<Setup>) -> Seen {
    let program = &compiled.program;
    let budget = Budget { max_steps, max_memory: 1 << 30, ..Budget::default() };
    let mut tier = setup.map(|setup| {
        let native = Native::new(program).expect("a code generator").with_threshold(setup.threshold);
        if setup.in_memory { native.with_slots_in_memory() } else { native }
    });
    let mut io = Captured::default();
    let executor = Executor::new(program, options.clone(), budget);
    let outcome = executor.run_with(&mut io, tier.as_mut().map(|t| t as &mut dyn Tier));
    Seen {
        end: format!("{:?}", outcome.end),
        steps: outcome.steps,
        inputs: format!("{:?}", outcome.inputs),
        out: String::from_utf8_lossy(&io.out).into_owned(),
        err: String::from_utf8_lossy(&io.err).into_owned(),
    }
}

/// Compares the tiers; returns the number of steps.
fn compare(name: &str, compiled: &Compiled, options: &Options, max_steps: u64, setups: &[Setup]) -> u64 {
    let expected = run(compiled, options, max_steps, None);
    for &setup in setups {
        let seen = run(compiled, options, max_steps, Some(setup));
        assert_eq!(seen, expected, "{name} with {setup:?} and {max_steps} steps");
    }
    expected.steps
}

fn check(name: &str, compiled: &Compiled, tight: impl Fn(u64) -> Vec<u64>) {
    let wrap = (SignedOverflow::Wrap, &[AT_ONCE, IN_MEMORY, LATER][..]);
    for (signed_overflow, setups) in [wrap, (SignedOverflow::Undefined, &[AT_ONCE])] {
        let options = Options { signed_overflow, seed: 5, ..Options::default() };
        let steps = compare(name, compiled, &options, 500_000, setups);
        for limit in tight(steps) {
            compare(name, compiled, &options, limit, &[AT_ONCE]);
        }
    }
}

fn programs(dir: &Path, found: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            programs(&path, found);
        } else if path.extension().is_some_and(|e| e == "c") {
            found.push(path);
        }
    }
}

#[test]
fn all_test_programs() {
    let mut files = Vec::new();
    programs(
        &Path::new(&std::env::var("CARGO_MANIFEST_DIR").expect("cargo says where the crate is"))
            .join("../../tests/programs"),
        &mut files,
    );
    let mut compared = 0;
    for file in files {
        for model in MODELS {
            let name = format!("{} in {model}", file.display());
            // Programs that are there to be rejected, or that need flags, are not for this test.
            let Ok(compiled) = compile(&[Input::File(file.clone())], &Front::with_model(model), None) else {
                continue;
            };
            check(&name, &compiled, |steps| vec![steps / 2]);
            compared += 1;
        }
    }
    assert!(compared > 100, "only {compared} programs were compared");
}

fn text(source: &str, model: DataModel) -> Compiled {
    let input = Input::Text { name: "test.i".to_owned(), text: source.to_owned() };
    match compile(&[input], &Front::with_model(model), None) {
        Ok(compiled) => compiled,
        Err(rejected) => panic!("{:?}", rejected.diagnostics),
    }
}

fn sources(list: &[&str]) {
    for source in list {
        for model in MODELS {
            let compiled = text(source, model);
            check(source, &compiled, |steps| vec![steps / 2, steps.saturating_sub(1), 100, 101, 102]);
        }
    }
}

#[test]
fn one_tier_for_several_runs() {
    let fib = "int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); } int main(void) { return fib(15) % 251; }";
    let compiled = text(fib, DataModel::Lp64);
    let mut tier = Native::new(&compiled.program).expect("a code generator").with_threshold(1);
    let executor = Executor::new(&compiled.program, Options::default(), Budget::default());
    let ends: Vec<String> = (0..3)
        .map(|_| format!("{:?}", executor.run_with(&mut Captured::default(), Some(&mut tier)).end))
        .collect();
    assert_eq!(ends, ["Exit(108)"; 3]);
}

#[test]
fn errors_inside_hot_loops() {
    sources(&[
        "int a[100]; int main(void) { int s = 0; for (int i = 0; i <= 100; i++) s += a[i]; return s; }",
        "int main(void) { int a[50]; for (int i = 0; i < 50; i += 2) a[i] = i; int s = 0;
         for (int i = 0; i < 50; i++) s += a[i]; return s; }",
        "int main(void) { int s = 100; for (int i = 200; i >= 0; i--) s += 1000 / i; return s; }",
        "int main(void) { int s = 0; for (int i = 0; i < 100; i++) s += 1 << i; return s; }",
        "int main(void) { int s = 1; for (int i = 0; i < 100; i++) s = s * 3 + i; return s & 1; }",
        "int f(int *p, int n) { return n == 0 ? *p : f(p, n - 1) + 1; }
         int main(void) { int x = 1; int s = 0; for (int i = 0; i < 60; i++) s += f(i == 50 ? 0 : &x, 20); return s; }",
        "int *keep; void f(int i) { int x = i; if (i == 70) keep = &x; }
         int main(void) { int s = 0; keep = &s; for (int i = 0; i < 100; i++) { f(i); s += *keep; } return s; }",
        "void *malloc(__SIZE_TYPE__); void free(void *); int *get(int i) { int *p = malloc(4); *p = i; return p; }
         int use(int i) { int *p = get(i); int v = *p; free(p); if (i == 40) v = *p; return v; }
         int main(void) { int s = 0; for (int i = 0; i < 50; i++) s += use(i); return s & 127; }",
        "void *malloc(__SIZE_TYPE__); void free(void *); void drop(int *p, int i) { if (i != 33) free(p); else free(p + 1); }
         int main(void) { for (int i = 0; i < 50; i++) { int *p = malloc(8); p[i & 1] = i; drop(p, i); } return 0; }",
        "double x = 1e300; int main(void) { int s = 0; for (int i = 0; i < 100; i++) { x = x * 0.5; s += (int)x; } return s; }",
        "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);
         int main(void) { unsigned s = 0; for (int i = 0; i < 1000; i++) { s = s * 31 + __VERIFIER_nondet_int();
         if (s % 257 == 3) reach_error(); } return 0; }",
    ]);
}

#[test]
fn loop_nests_and_arrays() {
    sources(&[
        "int main(void) { int s = 0; for (int i = 0; i < 200; i++) for (int j = 0; j < 300; j++) s += i ^ j; return s & 127; }",
        "int a[3000]; int main(void) { int s = 0, n = 3000; for (int r = 0; r < 3; r++) { for (int i = 0; i < n; i++) a[i] = 1;
         for (int i = 2; i < n; i++) if (a[i]) { s++; for (int j = i + i; j < n; j += i) a[j] = 0; } } return s & 127; }",
        "int main(void) { int m[12][12], t = 0; for (int r = 0; r < 40; r++) { for (int i = 0; i < 12; i++) for (int j = 0; j < 12; j++)
         m[i][j] = i * j + r; for (int i = 0; i < 12; i++) t += m[i][11 - i]; } return t & 127; }",
        "void *malloc(__SIZE_TYPE__); void free(void *); struct n { int v; struct n *next; };
         int main(void) { struct n *h = 0; int s = 0; for (int i = 0; i < 200; i++) { struct n *x = malloc(sizeof *x); x->v = i; x->next = h; h = x; }
         for (int r = 0; r < 20; r++) for (struct n *p = h; p; p = p->next) s += p->v; while (h) { struct n *x = h->next; free(h); h = x; } return s & 127; }",
    ]);
}

#[test]
fn calls_and_depth() {
    sources(&[
        "int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); } int main(void) { return fib(20) % 251; }",
        "int odd(int); int even(int n) { return n == 0 ? 1 : odd(n - 1); } int odd(int n) { return n == 0 ? 0 : even(n - 1); }
         int main(void) { return even(20000) + odd(3001); }",
        "long sum(long n) { int a[4] = {1, 2, 3, 4}; return n == 0 ? 0 : a[n & 3] + sum(n - 1); }
         int main(void) { return sum(5000) & 127; }",
        "int f(int n) { return f(n + 1) + 1; } int main(void) { return f(0); }",
        "int sq(int x) { return x * x; } int neg(int x) { return -x; }
         int main(void) { int (*f[2])(int) = { sq, neg }; int s = 0; for (int i = 0; i < 500; i++) s += f[i & 1](i); return s & 63; }",
        "struct s { int a; char b; long c; }; struct s make(int i) { struct s r = { i, i, i * 2 }; return r; }
         int main(void) { long t = 0; for (int i = 0; i < 300; i++) { struct s x = make(i); t += x.a + x.b + x.c; } return t & 63; }",
    ]);
}

#[test]
fn values_of_all_types() {
    sources(&[
        "int main(void) { signed char c = 0; unsigned short u = 0; unsigned long long w = 1; long long s = 0;
         for (int i = 0; i < 2000; i++) { c += 7; u -= 13; w = w * 6364136223846793005ULL + 1442695040888963407ULL;
         s += c * u + (long long)(w >> 33) % 1000 - (int)(w % 77u) / 3; s ^= (s << 5) ^ (s >> 3) & 255; } return (int)(s & 127); }",
        "int main(void) { double d = 0; float f = 1; long n = 0; for (int i = 1; i < 2000; i++) { d += 1.0 / i; f = f * 1.01f - (float)d;
         n += (long)(d * 1000) + (unsigned)(f > 0 ? f : -f) % 7 + (f < d) + (f == 3.0f); if (f > 1e6f || f < -1e6f) f = 0; } return n & 127; }",
        "int main(void) { double z = 0, nan = z / z; int s = 0; for (int i = 0; i < 200; i++) { double x = i % 3 ? (double)i : nan;
         s += (x == x) + (x < 5) * 2 + (x != x) * 4; x = x + 1; if (x > 150) s++; } return s & 127; }",
        "int main(void) { long double x = 1; int s = 0; for (int i = 1; i < 300; i++) { x = x * 1.5L - i; if (x > 1e30L) x = 1; s += x > i; } return s & 127; }",
        "struct b { unsigned x : 5; int y : 7; unsigned z : 20; } g; int main(void) { int s = 0; for (int i = 0; i < 500; i++) {
         g.x += i; g.y = g.y + g.x - 3; g.z ^= i * 77; s += g.x + g.y + (int)g.z; } return s & 127; }",
        "char buf[64]; int main(void) { int s = 0; for (int i = 0; i < 300; i++) { char *p = buf, *q = buf + 63; int n = i % 60;
         for (int j = 0; j < n; j++) p[j] = (char)(i + j); while (p < q && *p) { s += *p++; } s += (int)(q - p); } return s & 127; }",
    ]);
}
