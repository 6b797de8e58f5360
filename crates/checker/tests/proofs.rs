//! Proofs written by hand, right ones and wrong ones.

use std::collections::BTreeMap;
use std::time::Duration;

use cairn_base::{Budget, DataModel};
use cairn_cfront::{Input, Options, compile};
use cairn_checker::{Checked, Rejection, check};
use cairn_core::{LoopProof, Proof, Property, Task};
use cairn_ir::dom::Dominators;
use cairn_ir::graph::Graph;
use cairn_ir::loops::Loops;
use cairn_ir::{BinOp, ExprId, ExprPool, LocId, Program, Ty, VarId};

const PRELUDE: &str = "extern void reach_error(void); extern int __VERIFIER_nondet_int(void);\n\
    extern unsigned __VERIFIER_nondet_uint(void); extern unsigned char __VERIFIER_nondet_uchar(void);\n\
    extern unsigned long __VERIFIER_nondet_ulong(void); extern void __cairn_invariant(int);\n\
    extern void *malloc(unsigned long); extern void free(void *);\n\
    #define assert(c) do { if (!(c)) reach_error(); } while (0)\n\
    #define assume(c) do { if (!(c)) return 0; } while (0)\n";

fn task(text: &str, model: DataModel) -> Task {
    // The prelude's macros are expanded here: preprocessed text has none.
    let mut out = String::new();
    for line in PRELUDE.lines().filter(|l| !l.starts_with('#')) {
        out.push_str(line);
        out.push('\n');
    }
    if model == DataModel::Ilp32 {
        out = out.replace("malloc(unsigned long)", "malloc(unsigned)");
    }
    out.push_str(&expand(text));
    let input = Input::Text { name: "t.c".into(), text: out.clone() };
    let program = match compile(&[input], &Options::with_model(model), None) {
        Ok(c) => c.program,
        Err(r) => {
            let all: Vec<String> = r.diagnostics.iter().map(|d| d.message.clone()).collect();
            panic!("{}\n{out}", all.join("; "))
        }
    };
    Task::new(program, Property::default(), cairn_core::Options::default()).expect("a task")
}

/// `assert(c);` and `assume(c);` as the macros they usually are.
fn expand(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("assert(").into_iter().chain(rest.find("assume(")).min() {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let is_assert = from.starts_with("assert");
        let inner = &from[7..];
        let mut depth = 1;
        let mut end = 0;
        for (i, c) in inner.char_indices() {
            match c {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                end = i;
                break;
            }
        }
        let action = if is_assert { "reach_error()" } else { "return 0" };
        out.push_str(&format!("{{ if (!({})) {action}; }}", &inner[..end]));
        rest = &inner[end + 1..];
    }
    out.push_str(rest);
    out
}

/// The loops of the program in the order of the source.
fn heads(p: &Program) -> Vec<LocId> {
    let mut found = Vec::new();
    for (f, func) in p.funcs.iter() {
        if func.is_model {
            continue;
        }
        let Some(g) = Graph::new(p, f) else { continue };
        let dom = Dominators::forward(&g);
        for l in Loops::new(p, &g, &dom).loops.values() {
            let place = p.locs[l.header].loop_stmt.map(|x| (x.line, x.col));
            found.push((place.unwrap_or((u32::MAX, 0)), l.header));
        }
    }
    found.sort();
    found.into_iter().map(|(_, h)| h).collect()
}

fn model_heads(p: &Program) -> Vec<LocId> {
    let mut found = Vec::new();
    for (f, _) in p.funcs.iter().filter(|(_, f)| f.is_model) {
        let Some(g) = Graph::new(p, f) else { continue };
        let dom = Dominators::forward(&g);
        found.extend(Loops::new(p, &g, &dom).loops.values().map(|l| l.header));
    }
    found
}

fn var(p: &Program, name: &str) -> VarId {
    let found: Vec<VarId> = p.vars.iter().filter(|(_, v)| v.name.as_str() == name).map(|(v, _)| v).collect();
    assert_eq!(found.len(), 1, "variables named {name}");
    found[0]
}

/// Builds facts.
struct Facts<'p> {
    p: &'p Program,
    x: ExprPool,
}

impl Facts<'_> {
    /// `a op b`, where each is a variable's name or a number of the other's type.
    fn cmp(&mut self, a: &str, op: BinOp, b: &str) -> ExprId {
        let number = |s: &str| s.parse::<i128>().ok();
        let (va, vb) = (number(a), number(b));
        let ty = |s: &Self, n: &str| s.p.vars[var(s.p, n)].ty;
        let t = if va.is_none() { ty(self, a) } else { ty(self, b) };
        let side = |s: &mut Self, name: &str, n: Option<i128>| match (n, t) {
            (Some(n), Ty::Int(i)) => s.x.int(i, n),
            (Some(n), _) => s.x.ptr(n as u64),
            (None, _) => {
                let v = var(s.p, name);
                s.x.var(v)
            }
        };
        let (l, r) = (side(self, a, va), side(self, b, vb));
        self.x.binary(op, l, r)
    }

    fn le(&mut self, a: &str, b: &str) -> ExprId {
        self.cmp(a, BinOp::Le, b)
    }

    fn eq(&mut self, a: &str, b: &str) -> ExprId {
        self.cmp(a, BinOp::Eq, b)
    }
}

fn run(
    t: &Task,
    exprs: ExprPool,
    loops: BTreeMap<LocId, LoopProof>,
    recursion: &[(&str, u32)],
) -> Result<Checked, Rejection> {
    let p = &t.program;
    let recursion = recursion.iter().map(|(n, d)| (p.func_named(n).expect("a function"), *d)).collect();
    let proof =
        Proof { exprs, loops, recursion, contracts: BTreeMap::new(), cuts: Default::default(), sole: None };
    let budget = Budget::default().with_time(Duration::from_secs(30));
    check(p, t.entry, &proof, &|| cairn_smt::standard(), &budget)
}

/// Checks with bounds, one for each loop in order.
fn bounded(text: &str, bounds: &[u32], model: DataModel) -> Result<Checked, Rejection> {
    bounded_with(text, bounds, &[], model)
}

fn bounded_with(
    text: &str,
    bounds: &[u32],
    recursion: &[(&str, u32)],
    model: DataModel,
) -> Result<Checked, Rejection> {
    let t = task(text, model);
    let mut loops: BTreeMap<LocId, LoopProof> =
        heads(&t.program).into_iter().zip(bounds).map(|(h, &n)| (h, LoopProof::Bound(n))).collect();
    loops.extend(model_heads(&t.program).into_iter().map(|h| (h, LoopProof::Bound(20))));
    run(&t, t.program.exprs.clone(), loops, recursion)
}

type Build<'b> = dyn Fn(&mut Facts<'_>) -> Vec<Vec<ExprId>> + 'b;

/// Checks with facts for each loop.
fn inductive(text: &str, k: u32, build: &Build<'_>, model: DataModel) -> Result<Checked, Rejection> {
    let t = task(text, model);
    let mut facts = Facts { p: &t.program, x: t.program.exprs.clone() };
    let per_loop = build(&mut facts);
    let loops = heads(&t.program)
        .into_iter()
        .zip(per_loop)
        .map(|(h, facts)| (h, LoopProof::Invariant { k, facts }))
        .collect();
    let exprs = facts.x;
    run(&t, exprs, loops, &[])
}

fn both(f: impl Fn(DataModel)) {
    f(DataModel::Lp64);
    f(DataModel::Ilp32);
}

#[track_caller]
fn accepted(r: Result<Checked, Rejection>) {
    match r {
        Ok(c) => assert!(c.terms > 0),
        Err(e) => panic!("rejected: {e:?}"),
    }
}

#[track_caller]
fn wrong(r: Result<Checked, Rejection>, part: &str) {
    match r {
        Err(Rejection::Wrong { what, .. }) => assert!(what.contains(part), "{what}"),
        other => panic!("not found wrong: {other:?}"),
    }
}

#[track_caller]
fn unknown(r: Result<Checked, Rejection>, part: &str) {
    match r {
        Err(Rejection::Unknown(what)) => assert!(what.contains(part), "{what}"),
        other => panic!("not unknown: {other:?}"),
    }
}

// Programs without loops.

#[test]
fn errors_are_found_and_their_absence_accepted() {
    both(|m| {
        accepted(bounded(
            "int main(void) { int x = __VERIFIER_nondet_int(); assert((x & 1) < 2); return 0; }",
            &[],
            m,
        ));
        wrong(
            bounded("int main(void) { int x = __VERIFIER_nondet_int(); assert(x < 7); return 0; }", &[], m),
            "error",
        );
        // What is undefined ends the execution silently.
        accepted(bounded(
            "int main(void) { int x = __VERIFIER_nondet_int(); int y = 1 / x; assert(x != 0); return y; }",
            &[],
            m,
        ));
        accepted(bounded("int main(void) { int *p = 0; *p = 1; assert(0); return 0; }", &[], m));
        wrong(
            bounded("int g; int main(void) { int *p = &g; *p = 1; assert(g != 1); return 0; }", &[], m),
            "error",
        );
    });
}

#[test]
fn arrays_structs_bit_fields_unions_and_strings() {
    both(|m| {
        let text = "struct s { int a : 5; unsigned b : 11; char c; struct { short d[3]; } e; } g = { -3, 9, 'x', {{1, 2, 3}} };\n\
            int main(void) { struct s l = g; l.b = l.b + 2040; l.e.d[1] += 5;\n\
            assert(l.a == -3 && l.b == 1 && l.c == 'x' && l.e.d[1] == 7 && g.b == 9); return 0; }";
        accepted(bounded(text, &[], m));
        wrong(bounded(&text.replace("l.b == 1 ", "l.b == 2 "), &[], m), "error");
        let text = "int main(void) { int a[6] = {0}; unsigned i = __VERIFIER_nondet_uint(), j = __VERIFIER_nondet_uint();\n\
            assume(i < 6 && j < 6 && i != j); a[i] = 4; a[j] = 5; assert(a[i] == 4); assert(a[j] == 5); return 0; }";
        accepted(bounded(text, &[], m));
        wrong(bounded(&text.replace(" && i != j", ""), &[], m), "error");
        let text = "union u { float f; unsigned n; unsigned char b[4]; };\n\
            int main(void) { union u x; x.f = 1.0f; assert(x.n == 0x3f800000u); assert(x.b[3] == 0x3f); x.b[2] = 0; assert(x.f == 0.5f); return 0; }";
        accepted(bounded(text, &[], m));
        wrong(bounded(&text.replace("0.5f", "0.25f"), &[], m), "error");
        let text = "int main(void) { const char *s = \"hello\"; char t[6]; unsigned i = __VERIFIER_nondet_uint(); assume(i < 6);\n\
            t[i] = s[i]; assert(i != 1 || t[i] == 'e'); assert(s[5] == 0); return 0; }";
        accepted(bounded(text, &[], m));
        wrong(bounded(&text.replace("'e'", "'f'"), &[], m), "error");
    });
}

#[test]
fn pointers_functions_and_floats() {
    both(|m| {
        let text = "int twice(int x) { return 2 * x; } int inc(int x) { return x + 1; }\n\
            int (*table[2])(int) = { twice, inc };\n\
            int main(void) { unsigned i = __VERIFIER_nondet_uint(); assume(i < 2); int r = table[i](5); assert(r == 10 || r == 6); return 0; }";
        accepted(bounded(text, &[], m));
        wrong(bounded(&text.replace("r == 6", "r == 7"), &[], m), "error");
        let text = "void swap(int **p, int **q) { int *t = *p; *p = *q; *q = t; }\n\
            int main(void) { int a = 1, b = 2; int *p = &a, *q = &b; if (__VERIFIER_nondet_int()) swap(&p, &q); *p += 10; assert(a + b == 13 && (a == 11 || b == 12)); return 0; }";
        accepted(bounded(text, &[], m));
        wrong(bounded(&text.replace("b == 12", "b == 13"), &[], m), "error");
        let text = "int main(void) { int x = __VERIFIER_nondet_int(); assume(x > -1000 && x < 1000); double d = x; d = d * 0.5; assert(d + d == x); float f = 0.1f; assert(f + 0.2 != 0.3); return 0; }";
        accepted(bounded(text, &[], m));
        wrong(bounded(&text.replace("d + d == x", "d + d == x + 1"), &[], m), "error");
        // A pointer through an integer and back.
        let text = "int main(void) { int a[2] = {1, 2}; unsigned long n = (unsigned long)&a[0]; n += sizeof(int); int *p = (int *)n; assert(*p == 2); return 0; }";
        accepted(bounded(text, &[], m));
        wrong(bounded(&text.replace("*p == 2", "*p == 1"), &[], m), "error");
    });
}

#[test]
fn heap() {
    both(|m| {
        let text = "struct n { struct n *next; int v; };\n\
            int main(void) { struct n *a = malloc(sizeof *a), *b = malloc(sizeof *b); if (!a || !b) return 0;\n\
            a->v = 1; b->v = 2; a->next = b; b->next = 0; struct n *p = __VERIFIER_nondet_int() ? a : b; p->v += 5;\n\
            int sum = 0; for (p = a; p; p = p->next) sum += p->v; assert(sum == 8); free(a); free(b); return 0; }";
        accepted(bounded(text, &[3], m));
        wrong(bounded(&text.replace("sum == 8", "sum == 7"), &[3], m), "error");
        wrong(bounded(text, &[2], m), "more than 2 times");
        // After free nothing can be read: the execution has ended.
        accepted(bounded(
            "int main(void) { int *p = malloc(4); if (!p) return 0; *p = 1; free(p); if (*p == 1) reach_error(); return 0; }",
            &[],
            m,
        ));
    });
}

// Bounds.

#[test]
fn bounds_too_small_by_one_are_wrong() {
    both(|m| {
        let text = "int main(void) { unsigned n = __VERIFIER_nondet_uint(); assume(n <= 5); unsigned i, s = 0;\n\
            for (i = 0; i < n; i++) { unsigned j; for (j = 0; j < i; j++) s++; }\n assert(s <= 10); return 0; }";
        accepted(bounded(text, &[6, 5], m));
        wrong(bounded(text, &[5, 5], m), "more than 5 times");
        wrong(bounded(text, &[6, 4], m), "more than 4 times");
        wrong(bounded(text, &[6], m), "does not mention");
        wrong(bounded(text, &[], m), "does not mention");
        wrong(bounded(&text.replace("s <= 10", "s <= 9"), &[6, 5], m), "error");
    });
}

#[test]
fn recursion_depths_too_small_are_wrong() {
    both(|m| {
        let text = "int f(int n) { int a[2]; a[0] = n; if (n <= 0) return 0; int r = f(n - 1); return a[0] + r; }\n\
            int main(void) { int n = __VERIFIER_nondet_int(); assume(n <= 4); assert(f(n) <= 10); return 0; }";
        accepted(bounded_with(text, &[], &[("f", 5)], m));
        wrong(bounded_with(text, &[], &[("f", 4)], m), "more than 4 times");
        wrong(bounded_with(text, &[], &[], m), "more than 1 times");
        wrong(bounded_with(&text.replace("<= 10", "< 10"), &[], &[("f", 5)], m), "error");
    });
}

// Induction.

const COUNT: &str = "int main(void) { unsigned n = __VERIFIER_nondet_uint(); unsigned i = 0, s = 0;\n\
    while (i < n) { i++; s += 2; }\n assert(s == 2 * n); return 0; }";

fn double(f: &mut Facts<'_>, factor: i128) -> ExprId {
    let (i, s) = (var(f.p, "i"), var(f.p, "s"));
    let (i, s) = (f.x.var(i), f.x.var(s));
    let Ty::Int(ty) = f.x.ty(i) else { panic!("an integer") };
    let factor = f.x.int(ty, factor);
    let product = f.x.binary(BinOp::Mul, factor, i);
    f.x.binary(BinOp::Eq, s, product)
}

#[test]
fn induction_and_its_mutants() {
    // Without the assertion only the facts can fail.
    let bare = COUNT.replace("assert(s == 2 * n);", "");
    assert_ne!(bare, COUNT);
    both(|m| {
        accepted(inductive(COUNT, 1, &|f| vec![vec![f.le("i", "n"), double(f, 2)]], m));
        // Without each of the facts, and with wrong ones.
        wrong(inductive(COUNT, 1, &|f| vec![vec![f.le("i", "n")]], m), "error");
        wrong(inductive(COUNT, 1, &|f| vec![vec![double(f, 2)]], m), "error");
        wrong(inductive(COUNT, 1, &|_| vec![vec![]], m), "error");
        wrong(inductive(&bare, 1, &|f| vec![vec![f.le("i", "n"), double(f, 3)]], m), "not kept");
        wrong(inductive(&bare, 1, &|f| vec![vec![f.le("1", "i"), double(f, 2)]], m), "when the loop begins");
        wrong(inductive(&bare, 1, &|f| vec![vec![f.le("i", "5"), double(f, 2)]], m), "not kept");
        wrong(inductive(COUNT, 0, &|f| vec![vec![f.le("i", "n"), double(f, 2)]], m), "k = 0");
        wrong(inductive(COUNT, 1, &|_| vec![], m), "does not mention");
        // The larger k does not make a wrong fact right.
        for k in 2..4 {
            accepted(inductive(COUNT, k, &|f| vec![vec![f.le("i", "n"), double(f, 2)]], m));
            wrong(inductive(&bare, k, &|f| vec![vec![f.le("i", "5"), double(f, 2)]], m), "not kept");
            // That i was below n one turn ago is known then without being said.
            accepted(inductive(COUNT, k, &|f| vec![vec![double(f, 2)]], m));
        }
    });
}

#[test]
fn some_facts_need_a_larger_k() {
    // 0, 1, 2, 0, 1, 2, …: that c is never 7 is kept for two turns only together.
    let text = "int main(void) { unsigned c = 0;\n while (__VERIFIER_nondet_int()) { if (c == 0) c = 1; else if (c == 1) c = 2; else if (c == 2) c = 0; else if (c < 7) c++; assert(c != 7); }\n return 0; }";
    both(|m| {
        wrong(inductive(text, 1, &|_| vec![vec![]], m), "error");
        wrong(inductive(text, 4, &|_| vec![vec![]], m), "error");
        accepted(inductive(text, 5, &|_| vec![vec![]], m));
        accepted(inductive(text, 1, &|f| vec![vec![f.le("c", "2")]], m));
        wrong(inductive(text, 1, &|f| vec![vec![f.le("c", "1")]], m), "not kept");
        // The first visits must be looked at as well.
        wrong(inductive(&text.replace("c = 0;\n", "c = 5;\n"), 5, &|_| vec![vec![]], m), "error");
        wrong(inductive(&text.replace("c = 0;\n", "c = 4;\n"), 5, &|_| vec![vec![]], m), "error");
    });
}

#[test]
fn what_the_loop_leaves_alone_stays_known() {
    both(|m| {
        let text = "int a[3] = {1, 2, 3}; int b[3]; int main(void) { int k = 4; int *p = b;\n\
            while (__VERIFIER_nondet_int()) { p[1] = p[1] + 1; }\n assert(a[1] == 2 && k == 4 && b[0] == 0); return 0; }";
        wrong(inductive(text, 1, &|_| vec![vec![]], m), "error");
        accepted(inductive(&text.replace(" && b[0] == 0", ""), 1, &|_| vec![vec![]], m));
    });
}

#[test]
fn whatever_a_loop_may_change_is_forgotten() {
    let main = |change: &str, pre: &str| {
        format!(
            "{pre} int g; int h[2]; int main(void) {{ int x = 0; int l[2] = {{0, 0}}; int *p = &l[0]; int **q = &p; struct {{ int *r; }} st = {{ &g }};\n\
            while (__VERIFIER_nondet_int()) {{ {change} }}\n assert(g == 0 && h[0] == 0 && h[1] == 0 && l[0] == 0 && l[1] == 0 && x == 0); return x + **q + *st.r; }}"
        )
    };
    both(|m| {
        accepted(inductive(&main("", ""), 1, &|_| vec![vec![]], m));
        accepted(inductive(&main("x = 0;", ""), 2, &|_| vec![vec![]], m));
        wrong(inductive(&main("x = 0;", ""), 1, &|_| vec![vec![]], m), "error");
        // Which bytes of an object are written is not looked at.
        wrong(inductive(&main("h[0] = 0;", ""), 2, &|_| vec![vec![]], m), "error");
        for (change, pre) in [
            ("x++;", ""),
            ("g++;", ""),
            ("h[1]++;", ""),
            ("(*p)++;", ""),
            ("p[1]++;", ""),
            ("*(*q + 1) = 5;", ""),
            ("*st.r = 1;", ""),
            ("int *s = p; s++; *s = 1;", ""),
            ("up();", "extern int g; void up(void) { g++; }"),
            ("up(&l[1]);", "void up(int *a) { *a += 1; }"),
            ("up(h, 2);", "void up(int *a, int n) { if (n > 0) up(a + 1, n - 1); else a[-1] = 1; }"),
            ("*id(&l[0]) = 7;", "int *id(int *a) { return a; }"),
            ("put(up, &g);", "void up(int *a) { *a += 1; } void put(void (*f)(int *), int *a) { f(a); }"),
            ("set(h);", "void set(int *a) { struct { int *i; } s; s.i = a; *s.i = 3; }"),
            ("__builtin_memset(h, 1, sizeof h);", ""),
            ("int t[2] = {1, 2}; __builtin_memcpy(l, t, sizeof t);", ""),
        ] {
            let text = main(change, pre);
            let r = inductive_deep(&text, m);
            match r {
                Err(Rejection::Wrong { .. }) => {}
                // A pointer of which the loop leaves nothing known is any number there: to follow it is
                // to look at addresses.
                Err(Rejection::Layout) if m == DataModel::Ilp32 => {}
                other => panic!("{change} in {m}: {other:?}"),
            }
        }
    });
}

/// Without facts, with room for recursion.
fn inductive_deep(text: &str, m: DataModel) -> Result<Checked, Rejection> {
    let t = task(text, m);
    let mut loops: BTreeMap<LocId, LoopProof> =
        heads(&t.program).into_iter().map(|h| (h, LoopProof::Invariant { k: 1, facts: vec![] })).collect();
    loops.extend(model_heads(&t.program).into_iter().map(|h| (h, LoopProof::Bound(20))));
    let recursion: Vec<(&str, u32)> =
        if t.program.func_named("up").is_some() { vec![("up", 4)] } else { vec![] };
    run(&t, t.program.exprs.clone(), loops, &recursion)
}

#[test]
fn lives_that_begin_or_end_in_a_cut_loop() {
    both(|m| {
        // The list of earlier turns is still there: its values are unknown, not absent.
        let list = "struct n { struct n *next; int v; };\n\
            int main(void) { struct n *h = 0;\n while (__VERIFIER_nondet_int()) { struct n *x = malloc(sizeof *x); if (!x) return 0; x->v = 1; x->next = h; h = x; }\n\
            if (h) { assert(h->v == 1); } return 0; }";
        wrong(inductive(list, 1, &|_| vec![vec![]], m), "error");
        let fine = list.replace("h->v == 1", "h->v * 0 == 0");
        accepted(inductive(&fine, 1, &|_| vec![vec![]], m));
        // Behind the loop the allocation can be freed.
        let freed = "int main(void) { int *p = malloc(4); if (!p) return 0; *p = 1;\n\
            while (__VERIFIER_nondet_int()) { free(p); p = malloc(4); if (!p) return 0; *p = 1; }\n assert(*p == 2); return 0; }";
        wrong(inductive(freed, 1, &|_| vec![vec![]], m), "error");
        // A local of the body whose address is kept is dead at the head, and its value is not kept.
        let local = "int main(void) { int *p = 0; int o = 3;\n while (__VERIFIER_nondet_int()) { int x = o; p = &x; *p = *p + 1; assert(x == 4); }\n\
            assert(o == 3); return p == 0; }";
        accepted(inductive(local, 1, &|_| vec![vec![]], m));
        wrong(inductive(&local.replace("x == 4", "x == 5"), 1, &|_| vec![vec![]], m), "error");
    });
}

#[test]
fn nested_loops_by_induction() {
    let text = "int main(void) { unsigned n = __VERIFIER_nondet_uint(); assume(n < 1000); unsigned i = 0, j, c = 0;\n\
        while (i < n) {\n j = 0;\n while (j < 3) { j++; c = c + 1; }\n i++; }\n assert(c == 3 * n); return 0; }";
    let times = |f: &mut Facts<'_>, inner: bool| {
        let names = ["c", "i", "j"].map(|n| var(f.p, n));
        let [c, i, j] = names.map(|v| f.x.var(v));
        let three = f.x.int(cairn_ir::IntTy::U32, 3);
        let mut sum = f.x.binary(BinOp::Mul, three, i);
        if inner {
            sum = f.x.binary(BinOp::Add, sum, j);
        }
        f.x.binary(BinOp::Eq, c, sum)
    };
    both(|m| {
        accepted(inductive(
            text,
            1,
            &|f| vec![vec![f.le("i", "n"), times(f, false)], vec![times(f, true), f.le("j", "3")]],
            m,
        ));
        wrong(
            inductive(text, 1, &|f| vec![vec![f.le("i", "n"), times(f, false)], vec![times(f, true)]], m),
            "not kept",
        );
        wrong(
            inductive(text, 1, &|f| vec![vec![f.le("i", "n"), times(f, false)], vec![f.le("j", "3")]], m),
            "not kept",
        );
        wrong(inductive(text, 1, &|f| vec![vec![f.le("i", "n"), times(f, false)]], m), "does not mention");
    });
}

#[test]
fn facts_must_be_defined_and_about_their_function() {
    let text = "int g; int other(int z) { return z; } int main(void) { int d = __VERIFIER_nondet_int(); int e = 0; int i = 0; other(e);\n while (i < 5) i++; return d + e; }";
    let division = |f: &mut Facts<'_>| {
        let (i, d) = (var(f.p, "i"), var(f.p, "d"));
        let (i, d) = (f.x.var(i), f.x.var(d));
        let q = f.x.binary(BinOp::Div, i, d);
        f.x.binary(BinOp::Eq, q, q)
    };
    both(|m| {
        wrong(inductive(text, 1, &|f| vec![vec![division(f)]], m), "undefined");
        wrong(inductive(text, 1, &|f| vec![vec![f.eq("z", "z")]], m), "no statement");
        wrong(
            inductive(
                text,
                1,
                &|f| {
                    let v = var(f.p, "i");
                    vec![vec![f.x.var(v)]]
                },
                m,
            ),
            "no statement",
        );
    });
}

// Facts in source form.

#[test]
fn marked_invariants() {
    let text = |fact: &str| {
        format!(
            "struct s {{ unsigned i, t; }}; int main(void) {{ unsigned n = __VERIFIER_nondet_uint(); struct s x = {{0, 0}}; struct s *p = &x;\n\
            while (__cairn_invariant({fact}), p->i < n) {{ p->i++; x.t += 2; }}\n assert(x.t == 2 * n); return 0; }}"
        )
    };
    let bare = |fact: &str| text(fact).replace("assert(x.t == 2 * n);", "");
    both(|m| {
        accepted(inductive(&text("x.i <= n && x.t == 2 * x.i && p == &x"), 1, &|_| vec![vec![]], m));
        accepted(inductive(&text("p->i <= n && p->t == 2 * p->i && p == &x"), 2, &|_| vec![vec![]], m));
        wrong(
            inductive(&bare("x.i <= n && x.t == 2 * x.i + 1 && p == &x"), 1, &|_| vec![vec![]], m),
            "marked",
        );
        wrong(inductive(&bare("x.i <= 7 && x.t == 2 * x.i && p == &x"), 1, &|_| vec![vec![]], m), "marked");
        wrong(inductive(&text("x.i <= n"), 1, &|_| vec![vec![]], m), "error");
        wrong(inductive(&text("1"), 1, &|_| vec![vec![]], m), "error");
        wrong(
            inductive(&bare("x.i <= n && x.t == 2 * x.i && 1 / (n - 1) >= 0"), 1, &|_| vec![vec![]], m),
            "undefined",
        );
        wrong(inductive(&bare("x.i <= 7"), 5, &|_| vec![vec![]], m), "marked");
    });
}

#[test]
fn marked_facts_elsewhere() {
    both(|m| {
        // In the body, not at the head: shown where it stands.
        let text = "int main(void) { unsigned i = 0; while (i < 10) { __cairn_invariant(i < 10); i++; }\n return 0; }";
        accepted(inductive(text, 1, &|_| vec![vec![]], m));
        wrong(
            inductive(&text.replace("invariant(i < 10)", "invariant(i < 9)"), 1, &|_| vec![vec![]], m),
            "marked",
        );
        wrong(
            inductive(&text.replace("invariant(i < 10)", "invariant(i < 9)"), 12, &|_| vec![vec![]], m),
            "marked",
        );
        // With bounds they are shown at each turn.
        accepted(bounded(text, &[11], m));
        wrong(bounded(&text.replace("invariant(i < 10)", "invariant(i != 9)"), &[11], m), "marked");
        let text = "int main(void) { int *p = 0; int x = __VERIFIER_nondet_int(); __cairn_invariant(*p == 1); return x; }";
        wrong(bounded(text, &[], m), "undefined");
        let do_while = "int main(void) { unsigned i = 0; do { __cairn_invariant(i % 2 == 0); i += 2; } while (i != 9 && __VERIFIER_nondet_int()); assert(i % 2 == 0); return 0; }";
        accepted(inductive(do_while, 1, &|_| vec![vec![]], m));
        wrong(
            inductive(
                &do_while.replace("i += 2", "i += 3").replace("assert(i % 2 == 0);", ""),
                1,
                &|_| vec![vec![]],
                m,
            ),
            "marked",
        );
    });
}

// What cannot be read.

#[test]
fn gaps_are_unknown_and_only_if_reached() {
    both(|m| {
        let text = |c: &str| {
            format!(
                "extern double strtod(const char *, char **); int main(void) {{ char *e, t[2] = {{ 0 }}; int x = __VERIFIER_nondet_int(); t[0] = (char)x; if ({c}) strtod(t, &e); return 0; }}"
            )
        };
        unknown(bounded(&text("x > 5"), &[], m), "not constant");
        accepted(bounded(&text("x > 5 && x < 5"), &[], m));
    });
}

/// A cycle with two entries is a loop with one in the task.
#[test]
fn jumps_into_a_loop() {
    both(|m| {
        let goto = "int main(void) { int i = __VERIFIER_nondet_int(); if (i) goto b; a: i--; b: if (i > 3) goto a; return 0; }";
        wrong(bounded(goto, &[5, 5], m), "visited more than 5 times");
        accepted(bounded(&goto.replace("if (i)", "if (i > 7) return 0; if (i)"), &[6, 6], m));
    });
}

#[test]
fn limits_are_unknown() {
    let t = task(COUNT, DataModel::Lp64);
    let loops = heads(&t.program).into_iter().map(|h| (h, LoopProof::Bound(1000))).collect();
    let proof = Proof {
        exprs: t.program.exprs.clone(),
        loops,
        recursion: BTreeMap::new(),
        contracts: BTreeMap::new(),
        cuts: Default::default(),
        sole: None,
    };
    let budget = Budget::default().with_time(Duration::ZERO);
    unknown(check(&t.program, t.entry, &proof, &|| cairn_smt::standard(), &budget), "limit");
}

#[test]
fn a_proof_of_another_program_is_wrong() {
    let (a, b) = (task(COUNT, DataModel::Lp64), task("int main(void) { return 3; }", DataModel::Lp64));
    wrong(run(&a, b.program.exprs.clone(), BTreeMap::new(), &[]), "another program");
}

#[test]
fn numbers_that_are_addresses() {
    // The pointer is moved from one array to the other by a difference of addresses.
    let text = "int a[4], b[4]; int main(void) { int *p = a; unsigned n = 0; char *q;\n\
        while (n < 3 && __VERIFIER_nondet_int()) { p++; n++; }\n\
        q = (char *)b + ((char *)p - (char *)a); *(int *)q = 1; assert(b[0] == 0 || a[0] == 1); return 0; }";
    both(|m| {
        wrong(inductive(text, 1, &|f| vec![vec![f.le("n", "3")]], m), "error");
        wrong(bounded(text, &[5], m), "error");
        let fine = text.replace("b[0] == 0 || a[0] == 1", "a[0] == 0");
        accepted(bounded(&fine, &[5], m));
        let number = "int a[4]; int main(void) { unsigned long u = (unsigned long)a; unsigned n = 0;\n\
            while (n < 3 && __VERIFIER_nondet_int()) { u += 4; n++; }\n\
            *(int *)u = 1; assert(a[0] == 0); return 0; }";
        wrong(inductive(number, 1, &|f| vec![vec![f.le("n", "3")]], m), "error");
        wrong(bounded(number, &[5], m), "error");
    });
}

#[test]
fn objects_of_unknown_size_and_large_ones() {
    both(|m| {
        let text = "char big[20000]; int main(void) { unsigned n = __VERIFIER_nondet_uint(), i = __VERIFIER_nondet_uint(), j = __VERIFIER_nondet_uint();\n\
            assume(n > 0 && n < 100000 && i < n && j < n && i != j); unsigned *v = malloc(n * sizeof *v); if (!v) return 0;\n\
            v[i] = 5; v[j] = 6; assume(i < 20000 && j < 20000); big[i] = 1; big[j] = 2; assert(v[i] == 5 && big[i] == 1); free(v); return 0; }";
        accepted(bounded(text, &[], m));
        wrong(bounded(&text.replace(" && i != j", ""), &[], m), "error");
    });
}
