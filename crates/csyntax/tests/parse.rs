//! The parser against fixtures: what must be accepted (gcc agrees), what must
//! be rejected where and why, and the shape of trees.

mod common;

use std::process::Command;

use cairn_base::{Kind, with_big_stack};
use cairn_csyntax::source::Naming;
use cairn_csyntax::{Dialect, SourceMap, parse};
use common::{fixtures, parsed, shape};

#[test]
fn accepted() {
    for file in fixtures("accept") {
        let text = std::fs::read_to_string(&file).unwrap();
        if let Err(error) = parsed(&text) {
            let lo = error.span.map_or(0, |s| s.lo as usize);
            panic!("{}: {} at {:?}", file.display(), error.message, &text[lo..text.len().min(lo + 40)]);
        }
    }
}

/// The fixtures are what they claim to be, if there is a gcc to ask.
#[test]
fn gcc_agrees_with_the_fixtures() {
    for file in fixtures("accept") {
        let Ok(output) = Command::new("gcc").args(["-std=gnu11", "-fsyntax-only", "-w"]).arg(&file).output()
        else {
            return;
        };
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}

/// The first line of a rejected fixture says `// line:col: message`.
#[test]
fn rejected() {
    let mut wrong = vec![];
    for file in fixtures("reject") {
        let text = std::fs::read_to_string(&file).unwrap();
        let expected = text.lines().next().unwrap().strip_prefix("// ").unwrap().to_owned();
        let mut map = SourceMap::new();
        let src = map.add_unit("f.c", text.clone().into_bytes(), Naming::default()).unwrap();
        let error = match parse(src, map.text(src), Dialect::default()) {
            Ok(_) => panic!("{}: accepted", file.display()),
            Err(error) => error,
        };
        let place = map.resolve(error.span.unwrap());
        let kind = if error.kind == Kind::Unsupported { "unsupported: " } else { "" };
        let found = format!("{}:{}: {kind}{}", place.line, place.col, error.message);
        if found != expected {
            wrong.push(format!("{}:\n  {found}\n  {expected} expected", file.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn expr_shape(text: &str) -> String {
    let unit = parsed(&format!("typedef int T; int x = {text};"))
        .unwrap_or_else(|e| panic!("{text}: {}", e.message));
    let all = shape::unit(&unit);
    all.split_once(" = ").unwrap().1.to_owned()
}

#[test]
fn operators_bind_as_in_c() {
    for (text, expected) in [
        ("a + b * c - d", "(Sub (Add a (Mul b c)) d)"),
        ("a = b = c", "(= a (= b c))"),
        ("a || b && c | d ^ e & f", "(LogOr a (LogAnd b (BitOr c (BitXor d (BitAnd e f)))))"),
        ("a == b < c << d + e", "(Eq a (Lt b (Shl c (Add d e))))"),
        ("a ? b : c ? d : e", "(? a b (? c d e))"),
        ("a ?: b", "(? a _ b)"),
        ("a ? (b, c) : d = e", "(= (? a (, b c) d) e)"),
        ("-a++ + *b[1].c->d", "(Add (Minus (PostInc a)) (Deref b[1].c->d))"),
        ("(T)-1 - (a)-1", "(Sub (Sub (cast T, (Minus 1)) a) 1)"),
        ("(T)(a)[0]", "(cast T, a[0])"),
        ("sizeof(T) * 2", "(Mul (sizeof type T) 2)"),
        ("sizeof(T){1}.x", "(sizeof (literal T {1}).x)"),
        ("sizeof (a)[1]", "(sizeof a[1])"),
        ("sizeof a++ + 1", "(Add (sizeof (PostInc a)) 1)"),
        ("&*&a", "(AddrOf (Deref (AddrOf a)))"),
        ("!a == b", "(Eq (Not a) b)"),
        ("a <<= b >> 1", "(Shl= a (Shr b 1))"),
        ("__alignof__(T) + _Alignof(T)", "(Add (preferred type T) (alignof type T))"),
        ("(T[2]){[1] = 3}", "(literal array 2 of T {[1] = 3})"),
        ("__extension__ ({ T y = 1; y; })", "(Extension ({[y: T = 1] y;}))"),
        ("_Generic(a, T: 1, T *: 2, default: 3)", "(generic a T: 1, pointer to T: 2, default: 3)"),
        ("__builtin_offsetof(T, a.b[2])", "(offsetof T .a.b[2])"),
        ("__builtin_va_arg(ap, T *)", "(va_arg ap pointer to T)"),
        ("__builtin_choose_expr(1, a, b)", "(choose 1 a b)"),
        ("__builtin_types_compatible_p(T, T (*)(void))", "(compatible T pointer to function() returning T)"),
        ("__real__ a + __imag__ b", "(Add (real a) (imag b))"),
        ("&&lab", "&&lab"),
        ("f(a, (b, c))(d)", "f(a, (, b c))(d)"),
        ("\"a\" \"b\" L\"c\"", "[97, 98, 99]Wide"),
        ("'\\xff' + 1ul + 0x1fi", "(Add (Add '-1'None 1ul) 31i)"),
        ("__func__ + 1.5F", "(Add __func__ 1.5f)"),
    ] {
        assert_eq!(expr_shape(text), expected, "{text}");
    }
}

#[test]
fn declarators_read_inside_out() {
    for (text, expected) in [
        ("int *a[3];", "a: array 3 of pointer to Int"),
        ("int (*a)[3];", "a: pointer to array 3 of Int"),
        (
            "char *(*(*f)(int x))[5];",
            "f: pointer to function(x: Int) returning pointer to array 5 of pointer to Char",
        ),
        ("int *const *volatile p;", "p: volatile pointer to const pointer to Int"),
        (
            "void f(), g(void), h(a, b);",
            "f: knr() returning Void; g: function() returning Void; h: knr(a, b) returning Void",
        ),
        ("int f(int, ...);", "f: function(_: Int, ...) returning Int"),
        (
            "int f(int a[static 3], int [const *]);",
            "f: function(a: static array 3 of Int, _: const array * of Int) returning Int",
        ),
        ("unsigned long long int x, *y;", "x: ULongLong; y: pointer to ULongLong"),
        ("static const x;", "x: static const missing"),
        ("extern _Thread_local int t asm(\"u\") __attribute__((weak));", "t: extern thread Int @weak asm(u)"),
        ("_Alignas(8) _Atomic(int) _Atomic *p;", "p: pointer to alignas(8) atomic atomic(Int)"),
        ("int *__attribute__((aligned(4))) p;", "p: pointer @aligned(4) to Int"),
        ("int (__attribute__((x)) *p)(void);", "p: pointer to function() returning Int @x"),
        ("int [[gnu::packed, a::b(1)]] x;", "x: Int @packed @a::b(1)"),
        ("__attribute__((__mode__(__DI__))) int x;", "x: Int @mode(__DI__)"),
        ("int a, __attribute__((u)) b;", "a: Int; b: Int @u"),
        ("__builtin_va_list ap;", "ap: va_list"),
        ("__typeof__(1) a; typeof(int *) b;", "a: typeof(1)\nb: typeof(pointer to Int)"),
        ("enum e { A, B = 2, } x;", "x: enum e {A, B = 2}"),
        (
            "struct s { int a : 3, : 0; struct { int b; }; } __attribute__((packed));",
            "struct s {a: Int width 3; _: Int width 0; struct {b: Int}} @packed",
        ),
        ("struct __attribute__((aligned(16))) s { char c; };", "struct s {c: Char} @aligned(16)"),
        (
            "#pragma pack(push, 1)\nstruct a { int x;\n#pragma pack(4)\n}; union b {\n#pragma pack(pop)\n};",
            "struct a {x: Int} pack 4\nunion b {}",
        ),
        (
            "int x[] = { [0 ... 2] = 1, [3] 4 }; struct s y = { a: 1, .b.c[2] = { 3 } };",
            "x: array of Int = {[0...2] = 1, [3] = 4}\ny: struct s = {.a = 1, .b.c[2] = {3}}",
        ),
        ("__int128_t a; unsigned __int128 b; __float80 c;", "a: Int128\nb: UInt128\nc: LongDouble"),
        (
            "_Complex double a; _Complex b; long _Complex double c;",
            "a: Complex Double\nb: Complex Double\nc: Complex LongDouble",
        ),
        ("_Static_assert(1, \"m\"); asm(\"a\" \"b\");", "assert 1 m\nasm(ab);"),
    ] {
        let unit = parsed(text).unwrap_or_else(|e| panic!("{text}: {}", e.message));
        assert_eq!(shape::unit(&unit), expected, "{text}");
    }
}

#[test]
fn statements_nest_as_written() {
    for (text, expected) in [
        ("if (a) if (b) c; else d;", "if a if b c; else d;"),
        ("a: b: ;", "a: b: ;"),
        (
            "switch (x) { case 1: case 2 ... 4: a; default: b; }",
            "switch x {case 1: case 2...4: a; default: b;}",
        ),
        ("for (int i = 0; i < 1; i++) ;", "for ([i: Int = 0] (Lt i 1) (PostInc i)) ;"),
        ("for (;;) { continue; }", "for (; _ _) {continue;}"),
        ("do a; while (b); return;", "do a; while b return _;"),
        ("l: int x; goto l;", "l: ; [x: Int] goto l;"),
        ("{ __label__ a, b; a: ; }", "{local a local b a: ;}"),
        ("goto *p;", "goto *p;"),
        ("T * x; T: x = 1;", "[x: pointer to T] T: (= x 1);"),
        ("int T; T * x;", "[T: Int] (Mul T x);"),
        ("{ enum { T }; T * x; } T * x;", "{[enum {T}] (Mul T x);} [x: pointer to T]"),
        ("for (int T = 1; T * x; ) ; T * x;", "for ([T: Int = 1] (Mul T x) _) ; [x: pointer to T]"),
        ("int f(int T) { T * x; } T y;", "define f: function(T: Int) returning Int {(Mul T x);} [y: T]"),
        ("__attribute__((fallthrough)); [[x]]; x: __attribute__((unused)) y;", "; ; x: y;"),
        (
            "asm volatile(\"n\" : \"=r\"(a) : : \"cc\"); asm goto(\"j\" :: \"r\"(b) :: l);",
            "asm(n outputs); asm(j inputs labels);",
        ),
    ] {
        let text = format!("typedef int T; void f(void) {{ {text} }}");
        let unit = parsed(&text).unwrap_or_else(|e| panic!("{text}: {}", e.message));
        let all = shape::unit(&unit);
        let body = all.split_once("returning Void {").unwrap().1;
        assert_eq!(body.strip_suffix('}').unwrap(), expected, "{text}");
    }
}

#[test]
fn function_definitions() {
    for (text, expected) in [
        (
            "int f(a, b) int a; char *b; { }",
            "define f: knr(a, b) returning Int [a: Int] [b: pointer to Char] {}",
        ),
        ("main() { }", "define main: knr() returning missing {}"),
        (
            "void (*f(int a))(int b) { }",
            "define f: function(a: Int) returning pointer to function(b: Int) returning Void {}",
        ),
        (
            "typedef int T; void f(int T, int (*g)(char T)) { T = 1; }",
            "T: typedef Int\ndefine f: function(T: Int, g: pointer to function(T: Char) returning Int) returning Void {(= T 1);}",
        ),
        (
            "static inline _Noreturn void f(void) { }",
            "define f: function() returning static inline noreturn Void {}",
        ),
    ] {
        let unit = parsed(text).unwrap_or_else(|e| panic!("{text}: {}", e.message));
        assert_eq!(shape::unit(&unit), expected, "{text}");
    }
}

#[test]
fn spans_cover_what_they_stand_for() {
    let text = "int x = (a + b) * f(c);";
    let unit = parsed(text).unwrap();
    let cairn_csyntax::ast::Item::Decl(decl) = &unit.items[0] else { panic!() };
    let slice = |s: cairn_base::Span| &text[s.lo as usize..s.hi as usize];
    assert_eq!(slice(decl.span), text);
    assert_eq!(slice(decl.declarators[0].declarator.name_span), "x");
    let Some(cairn_csyntax::ast::Initializer::Expr(init)) = &decl.declarators[0].init else { panic!() };
    assert_eq!(slice(init.span), "(a + b) * f(c)");
    let cairn_csyntax::ast::ExprKind::Binary { lhs, rhs, .. } = &init.kind else { panic!() };
    assert_eq!((slice(lhs.span), slice(rhs.span)), ("(a + b)", "f(c)"));
}

#[test]
fn an_empty_unit_is_a_unit() {
    for text in ["", "\n", "// nothing\n", ";;", "# 1 \"x.c\"\n"] {
        assert!(parsed(text).unwrap().items.is_empty());
    }
}

/// What nests: each gives a program of the asked depth.
fn deep(n: usize) -> Vec<(&'static str, String)> {
    let r = |s: &str| s.repeat(n);
    vec![
        ("parentheses", format!("int x = {}1{};", r("("), r(")"))),
        ("blocks", format!("void f(void) {}{}", r("{"), r("}"))),
        ("else-if", format!("void f(int a) {{ {} ; }}", r("if (a) ; else "))),
        ("sum", format!("int x = 1{};", r("+1"))),
        ("comma", format!("void f(void) {{ a{}; }}", r(",a"))),
        ("assignment", format!("void f(void) {{ {}1; }}", r("a="))),
        ("conditional", format!("int x = {}1;", r("a?a:"))),
        ("unary", format!("int x = {}1;", r("! "))),
        ("cast", format!("int x = {}1;", r("(int)"))),
        ("calls", format!("void f(void) {{ f{}; }}", r("()"))),
        ("subscripts", format!("void f(void) {{ {}1{}; }}", r("a["), r("]"))),
        ("members", format!("void f(void) {{ a{}; }}", r(".b"))),
        ("declarator", format!("int {}x{};", r("("), r(")"))),
        ("parameters", format!("int {}x{};", r("f(int "), r(")"))),
        ("initialiser", format!("int x = {}1{};", r("{"), r("}"))),
        ("struct", format!("{}int x;{}", r("struct {"), r("} a;"))),
        ("labels", format!("void f(void) {{ {} ; }}", r("a:"))),
        ("statement expression", format!("int x = {}1{};", r("({"), r(";})"))),
        ("typeof", format!("{}1{} x;", r("typeof("), r(")"))),
        ("sizeof", format!("int x = {}1;", r("sizeof "))),
        ("generic", format!("int x = {}1{};", r("_Generic("), r(", default: 1)"))),
        ("while", format!("void f(void) {{ {} ; }}", r("while (1) "))),
        ("nested functions", format!("{}{}", r("void f(void) {"), r("}"))),
        ("attribute", format!("int x {}{};", r("__attribute__((a(sizeof(int "), r("))))"))),
    ]
}

#[test]
fn ten_thousand_levels_are_fine() {
    with_big_stack(|| {
        for (name, text) in deep(10_000) {
            if let Err(error) = parsed(&text) {
                panic!("{name}: {}", error.message);
            }
        }
    });
}

#[test]
fn deeper_than_the_limit_is_unsupported() {
    with_big_stack(|| {
        for (name, text) in deep(60_000) {
            let error = parsed(&text).err().unwrap_or_else(|| panic!("{name}: accepted"));
            assert_eq!(error.kind, Kind::Unsupported, "{name}: {}", error.message);
        }
    });
}

/// Left-deep chains inside left-deep chains: only the sum is too deep.
#[test]
fn heights_add_up() {
    with_big_stack(|| {
        let mut text = "1".to_owned();
        for _ in 0..3 {
            text = format!("(({{ {text}; }})){}", "+1".repeat(20_000));
        }
        let error = parsed(&format!("int x = {text};")).unwrap_err();
        assert_eq!(error.kind, Kind::Unsupported);
    });
}

#[test]
fn a_line_of_ten_megabytes() {
    let text = format!("void f(void) {{ {} }}", "a=b+1;".repeat(10_000_000 / 6));
    assert!(parsed(&text).is_ok());
    let text = format!("char *s = \"{}\";", "x".repeat(10_000_000));
    assert!(parsed(&text).is_ok());
    let error = parsed(&"x".repeat(10_000_000)).unwrap_err();
    assert!(error.message.len() < 200, "{}", error.message);
}
