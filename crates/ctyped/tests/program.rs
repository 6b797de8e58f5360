//! The shape of typed programs: linking, static data, flags, switches.

mod common;

use cairn_base::DataModel;
use cairn_ctyped::Checker;
use cairn_ctyped::hir::{AddrTarget, Func, Global, GlobalInit, GlobalKind, Program, StaticData, StmtKind};
use common::{check, check_units};

fn lp64(text: &str) -> Program {
    check(text, DataModel::Lp64).unwrap_or_else(|d| panic!("{}\n{text}", d[0].message))
}

fn global<'a>(p: &'a Program, name: &str) -> &'a Global {
    p.globals.values().find(|g| g.name.as_str() == name).unwrap()
}

fn func<'a>(p: &'a Program, name: &str) -> &'a Func {
    p.funcs.values().find(|f| f.name.as_str() == name).unwrap()
}

fn data(g: &Global) -> &StaticData {
    match &g.init {
        GlobalInit::Data(data) => data,
        GlobalInit::Extern => panic!("{} is extern", g.name),
    }
}

fn bytes(g: &Global) -> Vec<u8> {
    (0..g.size).map(|i| data(g).byte(i)).collect()
}

#[test]
fn units_share_external_names_only() {
    let p = check_units(
        &[
            "static int s = 1; int x; extern int y[]; int f(void); int a(void) { return s + x + y[1] + f(); }",
            "static int s = 2; extern int x; int y[3] = { 1, 2, 3 }; int f(void) { return s + x; }",
        ],
        DataModel::Lp64,
    )
    .unwrap();
    assert_eq!(p.globals.values().filter(|g| g.name.as_str() == "s").count(), 2);
    assert_eq!(p.globals.values().filter(|g| g.name.as_str() == "x").count(), 1);
    assert_eq!(global(&p, "y").size, 12);
    assert_eq!(p.funcs.len(), 2);
    assert!(func(&p, "f").body.is_some());
}

#[test]
fn inline_and_weak_definitions_give_way() {
    let inline = "inline int f(void) { return 1; } int g(void) { return f(); }";
    let p = check_units(&[inline], DataModel::Lp64).unwrap();
    assert!(func(&p, "f").body.is_some());
    let p =
        check_units(&[inline, "int f(void) { static int strong; return strong; }"], DataModel::Lp64).unwrap();
    assert!(global(&p, "strong").kind == GlobalKind::StaticLocal(p.funcs.keys().next().unwrap()));
    let weak = "__attribute__((weak)) int w(void) { return 1; }";
    check_units(&[weak, "int w(void) { return 2; }"], DataModel::Lp64).unwrap();
    check_units(&["int w(void) { return 2; }", weak], DataModel::Lp64).unwrap();
}

#[test]
fn what_is_missing_is_listed() {
    let mut map = cairn_csyntax::SourceMap::new();
    let text = "extern int obj; int unused(void); int used(void); int unevaluated(void); char s[sizeof(unevaluated())];
                int main(void) { return used() + obj + __builtin_abs(-1); }";
    let src = map.add_unit("t.c", text.into(), Default::default()).unwrap();
    let unit = cairn_csyntax::parse(src, map.text(src), Default::default()).unwrap();
    let mut checker = Checker::new(DataModel::Lp64);
    checker.unit(&unit).unwrap();
    let names = |s: Vec<cairn_base::Symbol>| s.iter().map(|s| s.to_string()).collect::<Vec<_>>();
    assert_eq!(names(checker.undefined_functions()), ["used", "abs"]);
    assert_eq!(names(checker.undefined_objects()), ["obj"]);
}

#[test]
fn static_data() {
    let p = lp64(
        "struct b { int a : 4; unsigned b : 6; char c; } b = { -1, 33, 'x' };
         int order[4] = { [2] = 5, 6, [0] = 1 };
         struct in { int x, y; } over[2] = { { 1, 2 }, { 3, 4 }, [0] = { .y = 9 } };
         char text[6] = \"hi\"; union u { int i; char c; } u = { .i = 0x01020304, .c = 1 };
         double d = 1; float f = 1 + 1; long double ld = 1; _Bool t = 0.25;
         int *p = &order[2], *q = order + 1; void *self = &self; int (*fp)(void); long addr = (long)&order + 4;
         const int c = 7; int from_const = c + 1; int rep[6] = { [1 ... 3] = 2, 4 };
         struct s2 { int a[2]; int z; } elided = { 1, 2, 3 }; const char *str = \"hi\" + 1;",
    );
    assert_eq!(bytes(global(&p, "b")), [0x1f, 0x2, b'x', 0]);
    assert_eq!(bytes(global(&p, "order"))[8..], [5, 0, 0, 0, 6, 0, 0, 0]);
    assert_eq!(bytes(global(&p, "over")), [0, 0, 0, 0, 9, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0]);
    assert_eq!(bytes(global(&p, "text")), *b"hi\0\0\0\0");
    assert_eq!(bytes(global(&p, "u")), [1, 0, 0, 0]);
    assert_eq!(bytes(global(&p, "d")), 1f64.to_le_bytes());
    assert_eq!(bytes(global(&p, "f")), 2f32.to_le_bytes());
    assert_eq!(bytes(global(&p, "t")), [1]);
    assert_eq!(bytes(global(&p, "from_const")), [8, 0, 0, 0]);
    assert_eq!(bytes(global(&p, "rep")).iter().step_by(4).copied().collect::<Vec<_>>(), [0, 2, 2, 2, 4, 0]);
    assert_eq!(bytes(global(&p, "elided")), [1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0]);
    let address = |name: &str| {
        let [a] = data(global(&p, name)).addresses.as_slice() else { panic!("{name}") };
        let AddrTarget::Global(g) = a.target else { panic!("{name}") };
        (p.globals[g].name.to_string(), a.addend, a.offset, a.bytes)
    };
    assert_eq!(address("p"), ("order".into(), 8, 0, 8));
    assert_eq!(address("q"), ("order".into(), 4, 0, 8));
    assert_eq!(address("self"), ("self".into(), 0, 0, 8));
    assert_eq!(address("addr"), ("order".into(), 4, 0, 8));
    assert_eq!(address("str"), ("<string>".into(), 1, 0, 8));
    assert!(global(&p, "self").addr_taken && !global(&p, "d").addr_taken && global(&p, "order").addr_taken);
    assert!(global(&p, "c").is_const);
}

#[test]
fn locals_stay_out_of_memory_unless_their_address_is_taken() {
    let p = lp64(
        "int *g; void f(int a, int b) { int c, d[2]; struct { int x; } e; static int s; g = &b; c = a; e.x = c; d[0] = s;
         { int z = sizeof(&a); z++; } }",
    );
    let body = func(&p, "f").body.as_ref().unwrap();
    let in_memory: Vec<String> =
        body.locals.values().filter(|l| l.in_memory).map(|l| l.name.to_string()).collect();
    assert!(!in_memory.contains(&"c".to_string()) && !in_memory.contains(&"z".to_string()));
    assert!(["b", "d", "e"].iter().all(|n| in_memory.contains(&n.to_string())), "{in_memory:?}");
    assert_eq!(body.params.len(), 2);
}

#[test]
fn cases_are_sorted_and_numbered() {
    let p = lp64("void f(int x) { switch (x) { case 5: case -3: ; case 10 ... 12: ; { case 1: ; } } }");
    let body = func(&p, "f").body.as_ref().unwrap();
    let StmtKind::Switch { cases, body, has_default, .. } = &body.block.stmts[0].kind else { panic!() };
    let minus_three = u128::from((-3i32) as u32);
    assert_eq!(*cases, [(minus_three, minus_three), (1, 1), (5, 5), (10, 12)]);
    assert!(!has_default);
    let StmtKind::Block(block) = &body.kind else { panic!() };
    let numbers: Vec<u32> = block
        .stmts
        .iter()
        .filter_map(|s| match s.kind {
            StmtKind::Case(n) => Some(n),
            _ => None,
        })
        .collect();
    assert_eq!(numbers, [2, 0, 3]);
}

#[test]
fn old_style_parameters_arrive_promoted() {
    let p = lp64("int f(c, d) char c; float d; { return c; } int g(char); int g(c) char c; { return c; }");
    let passed = |name: &str| {
        let params = &func(&p, name).body.as_ref().unwrap().params;
        params.iter().map(|x| p.types.plain_name(x.passed_as)).collect::<Vec<_>>()
    };
    assert_eq!(passed("f"), ["int", "double"]);
    assert_eq!(passed("g"), ["char"]);
}

#[test]
fn constructors_run_at_the_start_of_main() {
    let p = lp64(
        "int x; __attribute__((constructor)) static void b(void) { x = 2; }
         __attribute__((constructor(200))) void a(void) { x = 1; } __attribute__((destructor)) void d(void) {}
         int main(void) { return x; }",
    );
    let stmts = &func(&p, "main").body.as_ref().unwrap().block.stmts;
    assert_eq!(stmts.len(), 4);
    let text = format!("{stmts:?}");
    let at = |name: &str| {
        let id = p.funcs.iter().find(|(_, f)| f.name.as_str() == name).unwrap().0;
        text.find(&format!("Func({id})")).unwrap_or_else(|| panic!("{name}: {text}"))
    };
    assert!(at("atexit") < at("a") && at("a") < at("b"));
}

#[test]
fn deep_nesting_fits_the_stack() {
    let deep = format!("int f(int x) {{ return {}x{}; }}", "(".repeat(5000), ")".repeat(5000));
    lp64(&deep);
    let sum = format!("int f(int x) {{ return {}x; }}", "x + ".repeat(5000));
    // Dropped on the big stack as well.
    cairn_base::with_big_stack(|| drop(lp64(&sum)));
}
