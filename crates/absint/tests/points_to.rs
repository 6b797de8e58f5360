//! What pointers point to and what code changes, on small C programs.

mod common;

use cairn_absint::{AbstractObject, Mods, PointsTo, Targets};
use cairn_base::Budget;
use cairn_ir::dom::Dominators;
use cairn_ir::graph::Graph;
use cairn_ir::loops::Loops;
use cairn_ir::{DataModel, EdgeId, LocId, Op, Program};
use common::{func, heads, object, program, var};

fn names(p: &Program, t: &Targets) -> Vec<String> {
    match t {
        Targets::Any => vec!["any".into()],
        Targets::Set(all) => {
            let name = |t: &AbstractObject| match t {
                AbstractObject::Object(o) => p.objects[*o].name.to_string(),
                AbstractObject::Alloc(_) => "allocated".into(),
                AbstractObject::Func(f) => p.funcs[*f].name.to_string(),
                AbstractObject::Label(l) => p.labels[*l].name.to_string(),
                AbstractObject::Arguments => "arguments".into(),
            };
            let mut all: Vec<String> = all.iter().map(name).collect();
            all.sort();
            all
        }
    }
}

/// The targets of the variable `p` of a program, in both models.
fn pointees(text: &str) -> Vec<String> {
    let of = |model| {
        let p = program(text, model);
        names(&p, &PointsTo::new(&p, &Budget::default()).var(var(&p, "p")))
    };
    let found = of(DataModel::Lp64);
    assert_eq!(found, of(DataModel::Ilp32), "{text}");
    found
}

#[test]
fn addresses_and_arithmetic() {
    assert_eq!(pointees("int a, b; int main(void) { int *p = &a; p = p + 1; return *p; }"), ["a"]);
    assert_eq!(pointees("int a, b; int main(int c) { int *p = c ? &a : &b; return *p; }"), ["a", "b"]);
    assert_eq!(pointees("int a[9]; int main(int c) { int *p = &a[c]; return *p; }"), ["a"]);
    assert!(pointees("int main(void) { int *p = 0; return p == 0; }").is_empty());
}

#[test]
fn through_memory() {
    let text = "int a, b; int *q; int **pp = &q; int main(void) { *pp = &a; int *p = q; return *p; }";
    assert_eq!(pointees(text), ["a"]);
    let text = "int a; int *t[2] = {&a, 0}; int main(int i) { int *p = t[i & 1]; return *p; }";
    assert_eq!(pointees(text), ["a"]);
    let text = "struct s { int n; int *q; }; int a;\n\
                int main(void) { struct s x, y; x.n = 1; x.q = &a; y = x; int *p = y.q; return *p; }";
    assert_eq!(pointees(text), ["a"]);
}

#[test]
fn bytes_carry_addresses() {
    let text = "int a; int main(void) { int *q = &a, *r; char *d = (char *)&r, *s = (char *)&q;\n\
                for (unsigned i = 0; i < sizeof q; i++) d[i] = s[i]; int *p = r; return *p; }";
    assert_eq!(pointees(text), ["a"]);
}

#[test]
fn integers_carry_addresses() {
    let text = "int a; int main(void) { unsigned long n = (unsigned long)&a; n = n ^ 5; n ^= 5;\n\
                int *p = (int *)n; return *p; }";
    assert_eq!(pointees(text), ["a"]);
    let text = "extern unsigned long __VERIFIER_nondet_ulong(void);\n\
                int a; int main(void) { int *p = (int *)__VERIFIER_nondet_ulong(); return *p + a; }";
    assert_eq!(pointees(text), ["any"]);
    // An index is no address.
    let text = "extern unsigned long __VERIFIER_nondet_ulong(void);\n\
                int a[9]; int main(void) { int *p = &a[__VERIFIER_nondet_ulong()]; return *p; }";
    assert_eq!(pointees(text), ["a"]);
}

#[test]
fn differences_lead_to_other_objects() {
    let text = "char a[4], b[4]; int main(void) { char *q = a, *r = b; long d = r - q;\n\
                char *p = a + d; return *p; }";
    assert_eq!(pointees(text), ["a", "b"]);
    let text = "char a[4], b[4]; int main(void) { char *q = a, *r = a + 1; long d = r - q;\n\
                char *p = b + d; return *p; }";
    assert_eq!(pointees(text), ["b"]);
}

#[test]
fn calls() {
    let text = "int a, b; int *f(int *x) { return x; } int *g(int *x) { return &b; }\n\
                int *(*h[2])(int *) = {f, g}; int main(int c) { int *p = h[c & 1](&a); return *p; }";
    assert_eq!(pointees(text), ["a", "b"]);
    let text = "int a, b; int *f(int *x) { return x; } int *g(int *x) { return &b; }\n\
                int main(int c) { int *(*h)(int *) = f; int *p = h(&a); return *p + (g != f); }";
    assert_eq!(pointees(text), ["a"]);
    assert_eq!(pointees("int *f(void); int main(void) { int *p = f(); return *p; }"), ["allocated"]);
    assert_eq!(pointees("int main(int c, char **v) { char *p = v[0]; return *p; }"), ["arguments"]);
}

#[test]
fn variable_arguments() {
    let text = "int a; int f(int n, ...) { __builtin_va_list l; __builtin_va_start(l, n);\n\
                int *p = __builtin_va_arg(l, int *); __builtin_va_end(l); return *p; } int main(void) { return f(1, &a); }";
    assert_eq!(pointees(text), ["a"]);
}

#[test]
fn allocations() {
    let text = "void *malloc(unsigned long); void free(void *);\nint main(void) { int *p = malloc(4); free(p); return 0; }";
    assert_eq!(pointees(text), ["allocated"]);
    let p = program(text, DataModel::Lp64);
    let points_to = PointsTo::new(&p, &Budget::default());
    let mods = Mods::new(&p, &points_to);
    let main = mods.function(func(&p, "main"));
    assert_eq!(names(&p, &main.freed), ["allocated"]);
    assert_eq!(main.allocated.len(), 1);
}

/// All locations of the loop with this head.
fn loop_locs(p: &Program, head: LocId) -> Vec<LocId> {
    let g = Graph::new(p, p.locs[head].func).expect("a body");
    let dom = Dominators::forward(&g);
    let loops = Loops::new(p, &g, &dom);
    let around = |l: &LocId| {
        let mut at = loops.innermost(&g, *l);
        while let Some(id) = at {
            if loops.loops[id].header == head {
                return true;
            }
            at = loops.loops[id].parent;
        }
        false
    };
    let func = p.locs[head].func;
    p.locs.iter().filter(|(_, l)| l.func == func).map(|(l, _)| l).filter(around).collect()
}

#[test]
fn what_loops_change() {
    let text = "int g, h; int a[9], b[9]; void set(int *p, int v) { *p = v; g++; }\n\
                int main(void) { int i, k = 0; b[0] = 1; for (i = 0; i < 9; i++) { int l = i; set(&a[i], l); }\n\
                while (k < 3) k++; h = 1; return b[1]; }";
    let p = program(text, DataModel::Lp64);
    let points_to = PointsTo::new(&p, &Budget::default());
    let mods = Mods::new(&p, &points_to);
    let heads = heads(&p, "main");
    let first = mods.region(&loop_locs(&p, heads[0]));
    assert!(first.vars.contains(&var(&p, "i")) && first.vars.contains(&var(&p, "g")));
    assert!(!first.vars.contains(&var(&p, "k")) && !first.vars.contains(&var(&p, "h")));
    assert_eq!(names(&p, &first.written), ["a"]);
    let second = mods.region(&loop_locs(&p, heads[1]));
    assert_eq!(second.vars.iter().copied().collect::<Vec<_>>(), [var(&p, "k")]);
    assert!(second.written.is_none());
    let main = mods.function(func(&p, "main"));
    assert_eq!(names(&p, &main.written), ["a", "b"]);
    assert!(main.written.may_be(AbstractObject::Object(object(&p, "a"))));
}

#[test]
fn recursion_shares_effects() {
    let text = "int x, y; void odd(int n); void even(int n) { x = n; if (n) odd(n - 1); }\n\
                void odd(int n) { y = n; if (n) even(n - 1); } int main(void) { even(4); return x + y; }";
    let p = program(text, DataModel::Lp64);
    let points_to = PointsTo::new(&p, &Budget::default());
    let mods = Mods::new(&p, &points_to);
    for f in ["even", "odd", "main"] {
        let vars = &mods.function(func(&p, f)).vars;
        assert!(vars.contains(&var(&p, "x")) && vars.contains(&var(&p, "y")), "{f}");
    }
}

/// Any program has an answer, and a store writes what its address points to.
#[test]
fn random_programs() {
    for seed in 0..300 {
        let p = cairn_ir::testing::random_program(seed, 12);
        let points_to = PointsTo::new(&p, &Budget::default());
        let mods = Mods::new(&p, &points_to);
        for (e, edge) in &p.edges {
            if let Op::Store { addr, .. } = edge.op
                && let cairn_ir::Expr::Addr(o) = p.exprs.get(addr)
                && p.objects[o].kind != cairn_ir::ObjKind::Const
            {
                assert!(written_by(&mods, e).may_be(AbstractObject::Object(o)), "seed {seed}");
            }
        }
    }
}

fn written_by(mods: &Mods<'_>, e: EdgeId) -> Targets {
    mods.edge(e).written
}
