//! The way from units to one program: linking, models, what is missing, what is rejected.

use cairn_base::{DataModel, Kind};
use cairn_cfront::{Compiled, Input, Options, Rejected, compile};
use cairn_ir::{Callee, Expr, FuncId, ObjKind, Op, Program, VarKind};

fn units(texts: &[&str]) -> Vec<Input> {
    let unit = |(i, t): (usize, &&str)| Input::Text { name: format!("unit{i}.c"), text: (*t).to_owned() };
    texts.iter().enumerate().map(unit).collect()
}

fn accepted(texts: &[&str]) -> Compiled {
    match compile(&units(texts), &Options::default(), None) {
        Ok(compiled) => compiled,
        Err(r) => panic!("rejected: {}", r.diagnostics[0].message),
    }
}

fn rejected(texts: &[&str]) -> Rejected {
    match compile(&units(texts), &Options::default(), None) {
        Ok(_) => panic!("accepted"),
        Err(r) => r,
    }
}

fn called(program: &Program, caller: &str) -> Vec<FuncId> {
    let body = program.funcs[program.func_named(caller).unwrap()].body.as_ref().unwrap();
    let direct = |e| match &program.edges[e].op {
        Op::Call { callee: Callee::Func(f), .. } => Some(*f),
        _ => None,
    };
    body.edges.iter().filter_map(|&e| direct(e)).collect()
}

#[test]
fn units_link_to_one_program() {
    let c = accepted(&[
        "extern int shared; static int f(void) { return shared; } int other(void); int main(void) { return f() + other(); }",
        "int shared = 4; static int f(void) { return 2; } int other(void) { return f(); }",
    ]);
    let p = &c.program;
    assert_eq!(p.entry, p.func_named("main"));
    assert_eq!(p.funcs.iter().filter(|(_, f)| f.name.as_str() == "f").count(), 2);
    let shared: Vec<_> = p.vars.values().filter(|v| v.name.as_str() == "shared").collect();
    assert_eq!(shared.len(), 1);
    let VarKind::Global { init } = shared[0].kind else { panic!("no global") };
    assert_eq!(p.exprs.const_bits(init), Some(4));
    // Each `f` is called in its own unit.
    assert_ne!(called(p, "main")[0], called(p, "other")[0]);
    assert!(c.unmodelled.is_empty() && c.warnings.is_empty());
}

#[test]
fn only_the_models_in_use_are_added() {
    let c = accepted(&["void *malloc(unsigned long); int main(void) { return malloc(3) == 0; }"]);
    let models: Vec<&str> =
        c.program.funcs.values().filter(|f| f.is_model).map(|f| f.name.as_str()).collect();
    assert_eq!(models, ["malloc"]);
    let file = c.program.funcs[c.program.func_named("malloc").unwrap()].place.file;
    assert_eq!(c.program.files[file], "<models>/alloc.c");
}

#[test]
fn a_definition_of_the_user_wins_and_does_not_reach_into_models() {
    let c = accepted(&["int puts(const char *); unsigned long strlen(const char *s) { return 77; } \
         int main(void) { puts(\"x\"); return strlen(\"\"); }"]);
    let p = &c.program;
    assert!(!p.funcs[p.func_named("strlen").unwrap()].is_model);
    let inside: Vec<&str> = called(p, "puts").iter().map(|&f| p.funcs[f].name.as_str()).collect();
    assert_eq!(inside, ["__model_strlen"]);
}

#[test]
fn objects_of_the_library_are_modelled_too() {
    let c = accepted(&[
        "struct _IO_FILE; extern struct _IO_FILE *stdout; int fputs(const char *, struct _IO_FILE *); \
         int main(void) { return fputs(\"x\", stdout); }",
    ]);
    assert!(c.unmodelled.is_empty());
    assert!(
        c.program.objects.values().any(|o| o.name.as_str() == "__cairn_files" && o.kind == ObjKind::Global)
    );
}

#[test]
fn what_is_missing_is_listed_at_its_first_use() {
    let c = accepted(&[
        "int mystery(int);\nextern int nowhere;\nint unused(void);\nint main(void) {\n  nowhere = mystery(1);\n  return mystery(2);\n}",
    ]);
    let listed: Vec<(&str, u32, bool)> =
        c.unmodelled.iter().map(|u| (u.name.as_str(), u.place.line, u.is_function)).collect();
    assert_eq!(listed, [("nowhere", 5, false), ("mystery", 5, true)]);
    assert!(c.program.func_named("unused").is_none());
}

#[test]
fn unsupported_code_matters_only_where_a_run_can_get() {
    let odd = "void odd(void) { _Decimal64 d = 1; d = d + 1; }\n";
    let c = accepted(&[&format!("{odd}int main(void) {{ return 0; }}")]);
    assert!(c.program.entry.is_some());
    for rest in [
        "int main(void) { odd(); return 0; }",
        "void (*p)(void) = odd; int main(void) { p(); return 0; }",
        // It is open where a run of this starts.
        "void library(void) { odd(); }",
    ] {
        let r = rejected(&[&format!("{odd}{rest}")]);
        assert_eq!(r.diagnostics[0].kind, Kind::Unsupported, "{rest}");
        assert!(r.diagnostics[0].span.is_some() && !r.internal);
    }
}

#[test]
fn errors_of_all_units_are_reported() {
    let r = rejected(&["int main(void) { return x; }", "int f(void) { return 1 +; }"]);
    assert!(!r.internal);
    assert_eq!(r.diagnostics.len(), 2);
    let places: Vec<_> = r.diagnostics.iter().map(|d| r.map.resolve(d.span.unwrap())).collect();
    assert_eq!(r.map.file_name(places[0].file), "unit0.c");
    assert_eq!(r.map.file_name(places[1].file), "unit1.c");
}

#[test]
fn a_missing_file_is_one_clear_error() {
    let r = compile(&[Input::File("no/such/file.c".into())], &Options::default(), None).err().unwrap();
    assert_eq!(r.diagnostics.len(), 1);
    assert!(r.diagnostics[0].message.contains("no such file"));
}

#[test]
fn no_entry_is_no_error() {
    let c = accepted(&["int f(void) { return 1; }"]);
    assert_eq!(c.program.entry, None);
    let options = Options { entry: "f".into(), ..Options::default() };
    let c = compile(&units(&["int f(void) { return 1; }"]), &options, None).ok().unwrap();
    assert_eq!(c.program.entry, c.program.func_named("f"));
}

#[test]
fn every_model_compiles_in_both_data_models() {
    let models = cairn_cfront::models::Models::new();
    assert!(models.names().count() > 350);
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        // What is internal to the models comes with those that use it.
        for name in models.names().filter(|n| !n.starts_with("__cairn_")) {
            let object = match name.as_str() {
                "stdin" | "stdout" | "stderr" => Some("struct _IO_FILE *"),
                "optind" | "opterr" | "optopt" => Some("int "),
                "optarg" => Some("char *"),
                _ => None,
            };
            let text = match object {
                Some(ty) => format!("extern {ty}{name}; int main(void) {{ return {name} != 0; }}"),
                None => format!("int {name}(); void *p = {name}; int main(void) {{ return p != 0; }}"),
            };
            let input = Input::Text { name: "use.c".into(), text };
            let c = match compile(&[input], &Options::with_model(model), None) {
                Ok(c) => c,
                Err(r) => panic!("{name} in {model}: {}", r.diagnostics[0].message),
            };
            assert!(c.unmodelled.is_empty(), "{name} in {model} needs {:?}", c.unmodelled);
        }
    }
}

#[test]
fn programs_that_use_atexit_run_the_handlers_when_main_ends() {
    let c = accepted(&["int atexit(void (*)(void)); void f(void) {} int main(void) { return atexit(f); }"]);
    let names: Vec<&str> =
        called(&c.program, "main").iter().map(|&f| c.program.funcs[f].name.as_str()).collect();
    assert_eq!(names, ["atexit", "__cairn_run_exit_handlers"]);
    let c = accepted(&["int main(void) { return 0; }"]);
    assert!(called(&c.program, "main").is_empty());
}

#[test]
fn lowering_is_deterministic() {
    let text = "int printf(const char *, ...); struct s { int a, b; } t; int f(int x) { switch (x) { case 1: \
                case 5: case 7: case 9: case 11: case 13: return printf(\"%d\", x); } return t.a && t.b; } \
                int main(void) { return f(3); }";
    let print = || cairn_ir::text::print(&accepted(&[text]).program);
    assert_eq!(print(), print());
}

#[test]
fn pointer_arithmetic_is_unsigned() {
    let c = accepted(&["int f(int *p, int i) { return p[i]; }"]);
    let p = &c.program;
    for (_, e) in p.exprs.iter() {
        if let Expr::Binary(cairn_ir::BinOp::Mul, a, _) = e {
            assert_eq!(p.ty(a), cairn_ir::Ty::Int(cairn_ir::IntTy::U64));
        }
    }
}
