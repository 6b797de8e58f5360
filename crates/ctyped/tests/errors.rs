//! Wrong programs: one clear message each, in gcc's words where it has some, at
//! the right place. `^` in a case marks where the message must point.

mod common;

use cairn_base::{DataModel, Kind};
use common::{check, check_units};

/// Checks the text without its `^`, which stands before the character the first message points to.
#[track_caller]
fn rejects(marked: &str, message: &str) {
    let at = marked.find('^').expect("a mark");
    let text = marked.replacen('^', "", 1);
    let diagnostics = check(&text, DataModel::Lp64).expect_err(&text);
    let first = &diagnostics[0];
    assert_eq!(first.kind, Kind::Error, "{text}");
    assert_eq!(first.message, message, "{text}");
    assert_eq!(first.span.expect("a place").lo as usize, at, "{text}: {:?}", first.span);
}

#[test]
fn expressions() {
    rejects("int f(void) { return ^x; }", "'x' undeclared");
    rejects(
        "struct s { int a; } s; void f(int x) { x = ^s; }",
        "incompatible types when assigning to type 'int' from type 'struct s'",
    );
    rejects(
        "void f(void) { int *p = ^1.5; }",
        "incompatible types when initializing type 'int *' using type 'double'",
    );
    rejects(
        "struct s { int a; } s; int f(void) { return ^s; }",
        "incompatible types when returning type 'struct s' but 'int' was expected",
    );
    rejects("struct s { int a; } s; void f(void) { s.^b; }", "'struct s' has no member named 'b'");
    rejects("void f(int x) { x.^b; }", "request for member 'b' in something not a structure or union");
    rejects("struct s; void f(struct s *p) { ^p->x; }", "invalid use of undefined type 'struct s'");
    rejects("void f(int x) { ^*x; }", "invalid type argument of unary '*' (have 'int')");
    rejects("void f(int x) { ^1 = x; }", "lvalue required as left operand of assignment");
    rejects("void f(void) { ^&1; }", "lvalue required as unary '&' operand");
    rejects("void f(int x) { int a[2]; ^a = 0; }", "assignment to expression with array type");
    rejects("void f(void) { const int y = 1; ^y = 2; }", "assignment of read-only variable 'y'");
    rejects(
        "struct s { int a; } s; void f(void) { if (^s) ; }",
        "used struct type value where scalar is required",
    );
    rejects(
        "struct s { int a; } s; void f(void) { ^s + 1; }",
        "invalid operands to binary + (have 'struct s' and 'int')",
    );
    rejects("int f(void); void g(void) { ^f(1); }", "too many arguments to function 'f'");
    rejects("int f(int); void g(void) { ^f(); }", "too few arguments to function 'f'");
    rejects("void f(int x) { ^x(1); }", "called object is not a function or function pointer");
    rejects("void v(void); void f(int x) { x = ^v(); }", "void value not ignored as it ought to be");
    rejects("struct s { int b : 3; } s; void f(void) { ^&s.b; }", "cannot take address of bit-field");
    rejects("struct s { int b : 3; } s; int x = ^sizeof(s.b);", "'sizeof' applied to a bit-field");
    rejects(
        "extern int a[]; int x = ^sizeof a;",
        "invalid application of 'sizeof' to incomplete type 'int[]'",
    );
    rejects("void f(double d) { ^d % 2; }", "invalid operands to binary % (have 'double' and 'int')");
    rejects("void f(double d) { switch (^d) ; }", "switch quantity not an integer");
    rejects(
        "struct a { int x; } *p; struct b { int x; } *q; long f(void) { return ^p - q; }",
        "invalid operands to binary - (have 'struct a *' and 'struct b *')",
    );
}

#[test]
fn declarations() {
    rejects("int f(int); int ^f(long x) { return 0; }", "conflicting types for 'f'; have 'int(long int)'");
    rejects("int x; char ^x;", "conflicting types for 'x'; have 'char'");
    rejects("int x; static int ^x;", "static declaration of 'x' follows non-static declaration");
    rejects("int x = 1; int ^x = 2;", "redefinition of 'x'");
    rejects("int f(void) { return 1; } int ^f(void) { return 2; }", "redefinition of 'f'");
    rejects("void f(void) { int x; int ^x; }", "redeclaration of 'x' with no linkage");
    rejects("int x; int ^x(void);", "'x' redeclared as different kind of symbol");
    rejects("struct s { int a; }; ^struct s { int b; };", "redefinition of 'struct s'");
    rejects("struct s; ^union s x;", "'s' defined as wrong kind of tag");
    rejects("struct s { int a; int ^a; };", "duplicate member 'a'");
    rejects("struct s { int ^a : 33; };", "width of 'a' exceeds its type");
    rejects("struct s { float ^a : 3; };", "bit-field 'a' has invalid type");
    rejects("struct s { int ^a : 0; };", "zero width for bit-field 'a'");
    rejects("struct s { struct t ^x; };", "field 'x' has incomplete type");
    rejects("int a[^-1];", "size of array 'a' is negative");
    rejects("int n; int ^a[n];", "variably modified 'a' at file scope");
    rejects("void ^x;", "variable or field 'x' declared void");
    rejects("struct s ^x;", "storage size of 'x' isn't known");
    rejects("enum { A, ^A };", "redeclaration of enumerator 'A'");
    rejects("enum { A = 2147483647, ^B };", "overflow in enumeration values");
    rejects("int n; int x = ^n;", "initializer element is not constant");
    rejects("int x = ^1 / 0;", "initializer element is not constant");
    rejects("struct s { int a; } s = { .^b = 1 };", "'struct s' has no member named 'b'");
    rejects("int a[2] = { [^2] = 1 };", "array index in initializer exceeds array bounds");
    rejects("^_Static_assert(1 > 2, \"no\");", "static assertion failed: \"no\"");
    rejects("void f(int n) { int ^a[n] = { 1 }; }", "variable-sized object may not be initialized");
    rejects(
        "int f(int ^a, int ^a) { return a; }".replacen('^', "", 1).as_str(),
        "redefinition of parameter 'a'",
    );
}

#[test]
fn statements() {
    rejects("void f(void) { goto ^l; }", "label 'l' used but not defined");
    rejects("void f(void) { l: ; ^l: ; }", "duplicate label 'l'");
    rejects("void f(void) { ^break; }", "break statement not within loop or switch");
    rejects("void f(void) { ^continue; }", "continue statement not within a loop");
    rejects("void f(int x) { switch (x) { case 1: case ^1: ; } }", "duplicate case value");
    rejects("void f(int x) { switch (x) { case 1 ... 5: case ^3: ; } }", "duplicate case value");
    rejects(
        "void f(int x) { const int n = 1; switch (x) { case ^n: ; } }",
        "case label does not reduce to an integer constant",
    );
    rejects("void f(void) { ^case 1: ; }", "case label not within a switch statement");
    rejects(
        "void f(int x) { switch (x) { default: ; ^default: ; } }",
        "multiple default labels in one switch",
    );
}

#[test]
fn several_errors_are_reported_and_no_follow_ups() {
    let text =
        "int f(void) { return x; } int g(void) { y = 1; return z; } unknown a; int h(void) { return a; }";
    let text = text.replace("unknown a", "struct u a[2]");
    let diagnostics = check(&text, DataModel::Lp64).unwrap_err();
    let messages: Vec<&str> = diagnostics.iter().map(|d| d.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "'x' undeclared",
            "'y' undeclared",
            "'z' undeclared",
            "array type has incomplete element type 'struct u'"
        ]
    );
    let many: String = (0..100).map(|i| format!("int f{i}(void) {{ return x{i}; }}\n")).collect();
    assert_eq!(check(&many, DataModel::Lp64).unwrap_err().len(), 20);
}

#[test]
fn unsupported_constructs_spoil_only_their_function() {
    let cases = [
        (
            "void f(void) { struct { char c[999]; } s; ^asm(\"nop\" : \"=m\"(s)); }",
            "inline assembly with an output of this size",
        ),
        ("int f(void) { ^int g(void) { return 1; } return g(); }", "nested functions are not supported"),
        ("double f(void) { _Complex double ^z; return 1; }", "'_Complex double' is not supported"),
        (
            "void f(void) { ^__builtin_return_address(0); }",
            "built-in function '__builtin_return_address' is not supported",
        ),
        (
            "extern int w __attribute__((weak)); int f(void) { return ^w; }",
            "weak symbol 'w' has no definition",
        ),
    ];
    for (marked, message) in cases {
        let at = marked.find('^').unwrap();
        let text = format!(
            "{}\nint ok(void) {{ return 1; }}\n_Complex float declared(_Complex double);\n",
            marked.replacen('^', "", 1)
        );
        let program = check(&text, DataModel::Lp64).unwrap();
        let find = |name: &str| program.funcs.values().find(|f| f.name.as_str() == name).unwrap();
        let diagnostic = find("f").unsupported.as_ref().expect(marked);
        assert_eq!(diagnostic.message, message);
        assert_eq!(diagnostic.kind, Kind::Unsupported);
        assert_eq!(diagnostic.span.unwrap().lo as usize, at, "{marked}");
        assert!(find("f").body.is_none() && find("ok").body.is_some());
    }
    let global = check("_Complex double z;", DataModel::Lp64).unwrap_err();
    assert_eq!(global[0].kind, Kind::Unsupported);
}

#[test]
fn linking() {
    let twice = check_units(&["int x = 1;", "int x = 2;"], DataModel::Lp64).unwrap_err();
    assert_eq!(twice[0].message, "redefinition of 'x'");
    assert_eq!(twice[0].notes.len(), 1);
    // A unit that declares an object differently must not use it.
    assert!(check_units(&["int x;", "extern char x;"], DataModel::Lp64).is_ok());
    assert!(check_units(&["extern char x;", "int x; int f(void) { return x; }"], DataModel::Lp64).is_ok());
    let used = ["int x;", "extern char x; int f(void) { return x; }"];
    let sizes = check_units(&used, DataModel::Lp64).unwrap_err();
    assert!(
        sizes[0].message.starts_with("'x' is declared as 'char' here and as 'int'"),
        "{}",
        sizes[0].message
    );
    let kinds = check_units(&["int x;", "int x(void) { return 1; }"], DataModel::Lp64).unwrap_err();
    assert_eq!(kinds[0].message, "'x' redeclared as different kind of symbol");
}
