//! What the analysis finds in small C programs, and that random executions agree.

mod common;

use std::collections::{HashMap, HashSet};

use cairn_absint::Analysis;
use cairn_base::Budget;
use cairn_ir::graph::{Blocks, Graph};
use cairn_ir::liveness::Liveness;
use cairn_ir::testing::random_program;
use cairn_ir::{Callee, DataModel, EdgeId, Expr, ExprId, FuncId, IntTy, LocId, Op, Program, Ty, VarId};
use cairn_sem::{Captured, End, Executor, Observer, UbKind, View, Window, Written};
use cairn_value::eval;
use common::{heads, program, var};

fn analyse(p: &Program) -> Analysis {
    Analysis::run(p, p.entry.expect("an entry"), &Budget::default())
}

/// The facts at the first loop of `main`, as text.
fn facts(text: &str) -> Vec<String> {
    let mut p = program(&format!("{NONDET}{text}"), DataModel::Lp64);
    facts_at(&mut p, 0)
}

fn facts_at(p: &mut Program, nth: usize) -> Vec<String> {
    let a = analyse(p);
    let head = heads(p, "main")[nth];
    let mut pool = p.exprs.clone();
    let found = a.facts(head, &mut pool);
    p.exprs = pool;
    let mut text: Vec<String> = found.iter().map(|&e| p.show_expr(e)).collect();
    text.sort();
    text
}

const NONDET: &str =
    "extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);\n";

/// The range of a variable at the first loop of `main`.
fn range(text: &str, name: &str) -> (i128, i128) {
    let p = program(&format!("{NONDET}{text}"), DataModel::Lp64);
    let r = analyse(&p).at(heads(&p, "main")[0], var(&p, name)).expect("an integer");
    (r.lo, r.hi)
}

const MAX: i128 = i32::MAX as i128;

#[test]
fn counters() {
    assert_eq!(range("int main(void) { int i; for (i = 0; i < 10; i++); return i; }", "i"), (0, 10));
    assert_eq!(range("int main(void) { int i = 10; while (i > 0) i--; return i; }", "i"), (0, 10));
    assert_eq!(range("int main(void) { int i = 0; while (i != 10) i++; return i; }", "i"), (0, 10));
    assert_eq!(range("int main(void) { unsigned i = 5; while (i >= 1) i--; return i; }", "i"), (0, 5));
    // The steps may jump over the bound, and the counter wraps.
    let wraps = "int main(void) { unsigned char i = 0; while (i != 255) i += 2; return i; }";
    assert_eq!(range(wraps, "i"), (0, 254));
    let down =
        "int main(void) { unsigned i = 3; for (;;) { i--; if (!__VERIFIER_nondet_int()) break; } return i; }";
    assert_eq!(range(down, "i"), (0, u32::MAX.into()));
}

#[test]
fn narrow_types() {
    let text = "int main(void) { signed char c = 0; while (c < 100) c++; return c; }";
    assert_eq!(range(text, "c"), (0, 100));
    let text = "int main(void) { short s = 0; while (__VERIFIER_nondet_int()) s++; return s; }";
    assert_eq!(range(text, "s"), (-32768, 32767));
    let text = "int main(void) { unsigned char c = 0; int n = 0; while (n < 1000) { c = (unsigned char)n; n++; } return c; }";
    assert_eq!(range(text, "n"), (0, 1000));
}

#[test]
fn nested_loops() {
    let text = "int main(void) { int i, j, s = 0; for (i = 0; i < 8; i++) for (j = 0; j < i; j++) s ^= 1; return s; }";
    assert_eq!(range(text, "i"), (0, 8));
    let mut p = program(text, DataModel::Lp64);
    let inner = facts_at(&mut p, 1);
    let a = analyse(&p);
    let head = heads(&p, "main")[1];
    let of = |name| a.at(head, var(&p, name)).map(|r| (r.lo, r.hi));
    assert_eq!(of("i"), Some((0, 7)));
    assert_eq!(of("j"), Some((0, 7)));
    assert!(inner.iter().any(|f| f.contains('i') && f.contains('j')), "{inner:?}");
}

/// The inner loop must not lose what the outer one knows, however often it is visited.
#[test]
fn triangular_loops() {
    let text = "int main(void) { for (int i = 0; i < 7; i++) for (int j = 0; j < 7 - i; j++); return 0; }";
    assert_eq!(range(text, "i"), (0, 7));
}

#[test]
fn remainders() {
    let text = "int main(void) { int x = 0; while (__VERIFIER_nondet_int()) x += 2; return x; }";
    let found = facts(text);
    assert_eq!(found.len(), 1, "{found:?}");
    let text = "int main(void) { int x = 1, i = 0; while (i < 50) { x += 3; i++; } return x; }";
    let p = program(text, DataModel::Lp64);
    let r = analyse(&p).at(heads(&p, "main")[0], var(&p, "i")).expect("an integer");
    assert_eq!((r.lo, r.hi), (0, 50));
}

#[test]
fn together() {
    let text = "int main(void) { int x = 0, y = 0, n = __VERIFIER_nondet_int();\n\
                while (x < n) { x++; y++; } return y; }";
    let p = program(&format!("{NONDET}{text}"), DataModel::Lp64);
    let a = analyse(&p);
    let r = a.at(heads(&p, "main")[0], var(&p, "x")).expect("an integer");
    assert_eq!((r.lo, r.hi), (0, MAX));
    let found = facts(text);
    assert!(found.iter().any(|f| f.contains('x') && f.contains('y')), "{found:?}");
}

#[test]
fn bounded_by_another() {
    let text = "int main(void) { int i = 0, n = __VERIFIER_nondet_int(); if (n < 0) return 0;\n\
                while (i < n) i++; return i; }";
    let found = facts(text);
    assert!(found.iter().any(|f| f.contains('i') && f.contains('n')), "{found:?}");
    assert_eq!(range(text, "i"), (0, MAX));
}

#[test]
fn functions_and_globals() {
    let text = "int g = 3; int twice(int x) { return 2 * x; } void step(void) { if (g < 7) g++; }\n\
                int main(void) { int i = 0; while (i < twice(4)) { step(); i++; } return g; }";
    assert_eq!(range(text, "g"), (3, 7));
    assert_eq!(range(text, "i"), (0, 8));
}

#[test]
fn recursion() {
    let text = "int down(int n) { if (n <= 0) return 0; return down(n - 1); }\n\
                int main(void) { int i = down(9); while (i < 5) i++; return i; }";
    assert_eq!(range(text, "i"), (0, 5));
    let text = "int f(int n) { return n > 100 ? n - 10 : f(f(n + 11)); } int main(void) { int i = 0; while (i < 3) i++; return f(i); }";
    assert_eq!(range(text, "i"), (0, 3));
}

#[test]
fn dead_code() {
    let text = "int main(void) { int i; for (i = 0; i < 4; i++); if (i != 4) { while (1); } return 0; }";
    let p = program(text, DataModel::Lp64);
    let a = analyse(&p);
    let heads = heads(&p, "main");
    assert!(a.reachable(heads[0]));
    assert!(!a.reachable(heads[1]));
}

#[test]
fn without_time_nothing_is_known() {
    let p = program("int main(void) { int i = 0; while (i < 9) i++; return i; }", DataModel::Lp64);
    let budget = Budget::default();
    budget.cancel.raise();
    let a = Analysis::run(&p, p.entry.expect("an entry"), &budget);
    for l in p.locs.keys() {
        assert!(a.reachable(l));
    }
}

/// The variables of a function that may still be read, by location.
fn live_in(p: &Program, f: FuncId) -> HashMap<LocId, HashSet<VarId>> {
    let mut found = HashMap::new();
    if let Some(graph) = Graph::new(p, f) {
        let blocks = Blocks::new(p, &graph);
        Liveness::new(p, &graph, &blocks).each(|l, live| {
            found.insert(l, live.iter().copied().collect());
        });
    }
    found
}

/// Compares every state of a run with the analysis.
struct Check<'a> {
    p: &'a Program,
    a: &'a Analysis,
    name: String,
    checked: u64,
    /// The variables of functions that may still be read: a slot that is dead holds anything.
    live: HashMap<FuncId, HashMap<LocId, HashSet<VarId>>>,
    /// What was wrong at the last step. It counts unless the run ends there by a use of something
    /// uninitialised: a step that divides by it is announced before it turns out to be undefined.
    pending: Option<String>,
}

impl Check<'_> {
    fn at(&mut self, view: &View<'_, '_>, l: LocId) {
        if let Some(failure) = self.pending.take() {
            panic!("{failure}");
        }
        if !self.a.reachable(l) {
            self.pending = Some(format!("{}: {l} is reached", self.name));
            return;
        }
        // Analyses are of programs in which such things are inputs.
        if view.met_uninitialised() {
            return;
        }
        let f = self.p.locs[l].func;
        let body = self.p.funcs[f].body.as_ref().expect("it runs");
        let live = self.live.entry(f).or_insert_with(|| live_in(self.p, f)).get(&l);
        let globals = self.p.vars.iter().filter(|(_, v)| v.owner.is_none()).map(|(v, _)| v);
        let locals = body.vars.iter().copied().filter(|v| live.is_some_and(|live| live.contains(v)));
        for v in locals.chain(globals) {
            let (Some(r), Some(bits)) = (self.a.at(l, v), view.var(v)) else { continue };
            let n = number(self.p, v, bits);
            self.checked += 1;
            if !r.contains(n) {
                self.pending = Some(format!("{}: {v} = {n} at {l}, not in {r:?}", self.name));
            }
        }
    }
}

fn number(p: &Program, v: VarId, bits: u128) -> i128 {
    match p.vars[v].ty {
        Ty::Int(i) => i.number(bits),
        _ => IntTy::U64.number(bits),
    }
}

/// The value of one of the expressions that facts are made of.
fn value(p: &Program, view: &View<'_, '_>, e: ExprId) -> Option<u128> {
    match p.exprs.get(e) {
        Expr::Var(v) => view.var(v),
        Expr::Unary(op, a) => eval::unary(op, p.ty(a), value(p, view, a)?).ok(),
        Expr::Binary(op, a, b) => {
            let (x, y) = (value(p, view, a)?, value(p, view, b)?);
            eval::binary(op, p.ty(a), p.ty(b), x, y, p.model).ok()
        }
        Expr::Cast(to, a) => eval::cast(p.ty(a), to, value(p, view, a)?, p.model).ok(),
        _ => p.exprs.const_bits(e),
    }
}

impl Observer for Check<'_> {
    fn enter(&mut self, view: &View<'_, '_>, func: FuncId) {
        let entry = self.p.funcs[func].body.as_ref().expect("it runs").entry;
        self.at(view, entry);
    }
    fn leave(&mut self, _: &View<'_, '_>, _: EdgeId, _: Option<u128>) {}
    fn head(&mut self, view: &View<'_, '_>, loc: LocId) {
        self.at(view, loc);
        let mut p = self.p.clone();
        for fact in self.a.facts(loc, &mut p.exprs) {
            // A variable without a value is in no fact that is asked for here.
            if let Some(holds) = value(&p, view, fact) {
                assert_eq!(holds, 1, "{}: {} at {loc}", self.name, p.show_expr(fact));
            }
        }
    }
    fn edge(&mut self, view: &View<'_, '_>, edge: EdgeId, _: Option<Written>) {
        // A call whose arguments are uninitialised is announced before its callee is entered: what lies
        // behind it is looked at with the next step.
        let call = matches!(&self.p.edges[edge].op, Op::Call { callee, .. } if !matches!(callee, Callee::Builtin(_)));
        if !call && !matches!(self.p.edges[edge].op, Op::Return { .. }) {
            self.at(view, self.p.edges[edge].dst);
        }
    }
    fn skipped(&mut self, _: &View<'_, '_>, _: u64) {}
}

fn check(p: &Program, name: &str, runs: u64) -> u64 {
    let a = analyse(p);
    let mut checked = 0;
    for seed in 0..runs {
        let options = cairn_sem::Options { seed, ..Default::default() };
        let budget = Budget { max_steps: 3000, max_memory: 1 << 26, ..Budget::default() };
        let mut observer = Check {
            p,
            a: &a,
            name: format!("{name}, run {seed}"),
            checked: 0,
            live: HashMap::new(),
            pending: None,
        };
        let executor = Executor::new(p, options, budget);
        let outcome = executor.run_observed(&mut Captured::default(), Window::ALL, &mut observer);
        let uninitialised =
            matches!(&outcome.end, End::Undefined(r) if r.kind == Some(UbKind::Uninitialised));
        if let (Some(failure), false) = (&observer.pending, uninitialised) {
            panic!("{failure}");
        }
        checked += observer.checked;
    }
    checked
}

#[test]
fn executions_of_random_programs() {
    let mut checked = 0;
    for seed in 0..600 {
        let p = random_program(seed, 10);
        checked += check(&p, &format!("seed {seed}"), 3);
    }
    assert!(checked > 10_000, "only {checked} values were checked");
}

/// Random loops over a few integers of mixed types, in C.
#[test]
fn executions_of_random_loops() {
    let mut checked = 0;
    for seed in 0..250 {
        let text = loops(seed);
        let p = program(&format!("{NONDET}{text}"), DataModel::Lp64);
        checked += check(&p, &text, 4);
    }
    assert!(checked > 100_000, "only {checked} values were checked");
}

fn loops(seed: u64) -> String {
    let mut rng = cairn_ir::testing::Rng::new(seed);
    let types = [
        "int",
        "unsigned",
        "signed char",
        "unsigned char",
        "short",
        "unsigned short",
        "long",
        "unsigned long",
    ];
    let names = ["a", "b", "c", "d"];
    let mut out = String::from("int g = 1; unsigned h;\n");
    for (i, f) in ["f", "k"].iter().enumerate() {
        let t = rng.pick(&types);
        out += &format!("{t} {f}({} x, int n) {{ ", rng.pick(&types));
        if i == 1 {
            out += "if (n > 0) return k(x + 1, n - 1); ";
        }
        out += &format!(
            "g = g {} 3; {t} y = x {} {}; return y; }}\n",
            rng.pick(&["+", "-", "%", "&"]),
            rng.pick(&["+", "-", "*", "%", ">>", "<<"]),
            1 + rng.below(6)
        );
    }
    out += "int main(void) {\n";
    for n in names {
        let v = match rng.below(3) {
            0 => "__VERIFIER_nondet_int()".to_string(),
            _ => (rng.below(40) as i64 - 10).to_string(),
        };
        out += &format!("{} {n} = {v};\n", rng.pick(&types));
    }
    for _ in 0..3 {
        out += &format!("while ({}) {{\n", cond(&mut rng));
        for _ in 0..1 + rng.below(5) {
            let x = rng.pick(&["a", "b", "c", "d", "g", "h"]);
            match rng.below(8) {
                0 | 1 => out += &format!("{x} {}= {};\n", rng.pick(&["+", "-"]), 1 + rng.below(3)),
                2 => out += &format!("if ({}) {x} = {};\n", cond(&mut rng), term(&mut rng)),
                3 => {
                    out +=
                        &format!("{x} = {}({}, {});\n", rng.pick(&["f", "k"]), term(&mut rng), rng.below(4))
                }
                4 => out += &format!("if ({}) break;\n", cond(&mut rng)),
                5 => out += &format!("{x} = {} ? {} : {};\n", cond(&mut rng), term(&mut rng), term(&mut rng)),
                _ => out += &format!("{x} = {};\n", term(&mut rng)),
            }
        }
        out += &format!("{}++;\n}}\n", rng.pick(&names));
    }
    out + "return a + b + c + d; }\n"
}

fn term(rng: &mut cairn_ir::testing::Rng) -> String {
    let x = rng.pick(&["a", "b", "c", "d", "g", "h"]);
    let y = rng.pick(&["a", "b", "c", "d", "1", "2", "7", "100", "255", "-1", "65536"]);
    match rng.below(10) {
        0 => x.to_string(),
        1 => format!("({x} >> {})", rng.below(9)),
        2 => format!("({x} << {})", rng.below(9)),
        3 => format!("-{x}"),
        4 => format!("~{x}"),
        5 => format!("({y} / {})", 1 + rng.below(5)),
        _ => format!("({x} {} {y})", rng.pick(&["+", "-", "*", "&", "|", "^", "%", "/", "+", "-"])),
    }
}

fn cond(rng: &mut cairn_ir::testing::Rng) -> String {
    let op = rng.pick(&["<", "<=", ">", ">=", "==", "!="]);
    let one = format!("{} {op} {}", rng.pick(&["a", "b", "c", "d", "g", "h"]), term(rng));
    match rng.below(6) {
        0 => format!("{one} && {} % 3 == 1", rng.pick(&["a", "b", "c"])),
        1 => format!("{one} || ({} & 3) == 2", rng.pick(&["a", "b", "c"])),
        2 => format!("!({one})"),
        _ => one,
    }
}

/// The programs that stand for verification tasks, executed with random inputs.
#[test]
fn executions_of_verification_tasks() {
    let folder =
        std::path::Path::new(&std::env::var("CARGO_MANIFEST_DIR").expect("cargo says where the crate is"))
            .join("../../tests/programs/verify");
    let mut checked = 0;
    let mut files: Vec<_> =
        std::fs::read_dir(folder).expect("the folder").flatten().map(|f| f.path()).collect();
    files.sort();
    for file in files.iter().filter(|f| f.extension().is_some_and(|x| x == "c")) {
        for model in [DataModel::Lp64, DataModel::Ilp32] {
            let options = cairn_cfront::Options::with_model(model);
            let Ok(c) = cairn_cfront::compile(&[cairn_cfront::Input::File(file.clone())], &options, None)
            else {
                panic!("{} does not compile", file.display());
            };
            checked += check(&c.program, &file.display().to_string(), 3);
        }
    }
    assert!(checked > 10_000, "only {checked} values were checked");
}

/// A program of twenty thousand lines takes seconds.
#[test]
fn large_programs() {
    let mut text =
        String::from("struct node { struct node *next; int *data; int n; }; int state; int table[64];\n");
    for i in 0..1000 {
        let callee = if i == 0 { "0".to_string() } else { format!("f{}(x - 1, q)", i * 7 / 8) };
        text += &format!(
            "static int v{i}; static struct node n{i};\n\
             int f{i}(int x, struct node *p) {{\n  int s = 0;\n  struct node *q = p ? p->next : &n{i};\n\
             \x20 for (int k = 0; k < {}; k++) {{\n    if (k % 3 == 0) s += k;\n    else v{i}++;\n    table[k & 63] = s;\n  }}\n\
             \x20 if (x > 3) {{\n    n{i}.next = q;\n    n{i}.data = &table[x & 7];\n    s += {callee};\n  }}\n\
             \x20 while (q && s < 100) {{\n    q = q->next;\n    s++;\n  }}\n  state = s;\n  return s;\n}}\n",
            i % 50 + 2
        );
    }
    text += "int main(int argc, char **argv) { int s = 0;\n";
    for i in 0..1000 {
        text += &format!("s ^= f{i}(argc, &n{i});\n");
    }
    text += "return s; }\n";
    let p = program(&text, DataModel::Lp64);
    let start = std::time::Instant::now();
    let points_to = cairn_absint::PointsTo::new(&p, &Budget::default());
    let pointed = start.elapsed();
    let mods = cairn_absint::Mods::new(&p, &points_to);
    let modified = start.elapsed();
    let a = Analysis::with(&p, p.entry.expect("an entry"), &Budget::default(), &points_to, &mods);
    let all = start.elapsed();
    println!("{} lines: {pointed:?}, {modified:?}, {all:?}", text.lines().count());
    assert!(!a.gave_up());
    assert!(all.as_secs() < 60, "{pointed:?}, {modified:?}, {all:?}");
}
