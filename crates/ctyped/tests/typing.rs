//! What the checker knows about types: assertions inside of C text, so that gcc
//! can be asked the same questions. Every text here is also accepted by gcc.

mod common;

use std::io::Write;
use std::process::{Command, Stdio};

use cairn_base::DataModel;
use common::check;

/// The text must be accepted in both models; a failed `_Static_assert` is an error.
#[track_caller]
fn accept(text: &str) {
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        accept_in(text, model);
    }
}

#[track_caller]
fn accept_in(text: &str, model: DataModel) {
    gcc_accepts(text, model);
    match check(text, model) {
        Err(diagnostics) => panic!("{model}: {}\n{text}", diagnostics[0].message),
        Ok(program) => {
            let unsupported = program.funcs.values().find_map(|f| f.unsupported.as_ref());
            assert!(unsupported.is_none(), "{model}: {}\n{text}", unsupported.unwrap().message);
        }
    }
}

/// The texts must mean to gcc what they mean here.
#[track_caller]
fn gcc_accepts(text: &str, model: DataModel) {
    let width = if model == DataModel::Lp64 { "-m64" } else { "-m32" };
    let gcc = Command::new("gcc")
        .args([width, "-std=gnu11", "-w", "-fsyntax-only", "-x", "c", "-"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut gcc) = gcc else { return };
    gcc.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = gcc.wait_with_output().unwrap();
    assert!(output.status.success(), "{model}: gcc: {}", String::from_utf8_lossy(&output.stderr));
}

/// Checks types of expressions: each pair is put into `_Static_assert(_Generic(…))`.
#[track_caller]
fn types(declarations: &str, cases: &[(&str, &str)]) {
    let mut text = format!("{declarations}\nvoid test(void) {{\n");
    for (e, ty) in cases {
        text.push_str(&format!(
            "  _Static_assert(_Generic(({e}), {ty}: 1, default: 0), \"{}\");\n",
            e.replace('"', "'")
        ));
    }
    text.push_str("}\n");
    accept(&text);
}

#[test]
fn promotions_and_conversions() {
    types(
        "char c; unsigned char uc; short s; unsigned short us; _Bool b; float f; long double ld;
         unsigned u; long l; unsigned long ul; long long ll; unsigned long long ull; enum e { A, B } e; enum n { N = -1 } n;
         struct { unsigned a : 3; unsigned b : 32; int c : 5; unsigned long long d : 20; _Bool e : 1; signed long long f : 64; } bf;",
        &[
            ("c", "char"),
            ("+c", "int"),
            ("uc + uc", "int"),
            ("us << 1", "int"),
            ("s + u", "unsigned"),
            ("-b", "int"),
            ("!f", "int"),
            ("f + 1", "float"),
            ("f + 1.0", "double"),
            ("ld * f", "long double"),
            ("l + u", "typeof(__builtin_choose_expr(sizeof(long) > 4, 0l, 0ul))"),
            ("ul + ll", "typeof(__builtin_choose_expr(sizeof(long) > 4, 0ull, 0ll))"),
            ("ull + ll", "unsigned long long"),
            ("e", "unsigned"),
            ("e + 0", "unsigned"),
            ("A", "int"),
            ("n", "int"),
            ("bf.a + 0", "int"),
            ("bf.b + 0", "unsigned"),
            ("bf.c + 0u", "unsigned"),
            ("bf.d + 0", "int"),
            ("+bf.e", "int"),
            ("bf.f + 0", "long long"),
            ("1 ? c : c", "int"),
            ("1 ? 1 : 1u", "unsigned"),
            ("(c, s)", "short"),
            ("s += 1", "short"),
            ("s++", "short"),
            ("1 == 2.0", "int"),
            ("1 && ll", "int"),
            ("'a'", "int"),
            ("sizeof 1", "typeof(sizeof(int))"),
            ("1 << 1ll", "int"),
            ("0x80000000", "unsigned"),
            ("2147483648", "typeof(__builtin_choose_expr(sizeof(long) > 4, 0l, 0ll))"),
            ("1.0f", "float"),
            ("1.0L", "long double"),
        ],
    );
}

#[test]
fn pointers_arrays_functions() {
    types(
        "int a[3], *p; int m[2][5]; char *s; void *v; const int *cp; int f(int); int (*fp)(int); struct t { int x; } t, *tp;
         const struct t ct; volatile int vol;",
        &[
            ("a", "int *"),
            ("&a", "int (*)[3]"),
            ("*m", "int *"),
            ("m", "int (*)[5]"),
            ("m[1][2]", "int"),
            ("&m[1]", "int (*)[5]"),
            ("a + 1", "int *"),
            ("1 + a", "int *"),
            ("p - a", "typeof((char *)0 - (char *)0)"),
            ("2[a]", "int"),
            ("f", "int (*)(int)"),
            ("&f", "int (*)(int)"),
            ("*f", "int (*)(int)"),
            ("****fp", "int (*)(int)"),
            ("f(1)", "int"),
            ("(*fp)(1)", "int"),
            ("1 ? p : 0", "int *"),
            ("1 ? p : v", "void *"),
            ("1 ? p : (void *)0", "int *"),
            ("1 ? cp : p", "const int *"),
            ("1 ? v : (void *)0", "void *"),
            ("&t.x", "int *"),
            ("&tp->x", "int *"),
            ("&ct.x", "const int *"),
            ("&ct", "const struct t *"),
            ("vol", "int"),
            ("&vol", "volatile int *"),
            ("\"abc\"", "char *"),
            ("&\"abc\"", "char (*)[4]"),
            ("L\"abc\"[0]", "typeof(L'x')"),
            ("u\"a\"[0]", "unsigned short"),
            ("__func__", "const char *"),
            ("(int[]){1, 2}", "int *"),
            ("&(struct t){1}", "struct t *"),
            ("({ int q = 1; q; })", "int"),
            ("({ a; })", "int *"),
            ("*&t", "struct t"),
            ("p ?: 0", "int *"),
        ],
    );
}

#[test]
fn sizes_and_constants() {
    accept(
        "void sizes(void);
         enum { N = 3, M = N * 2, K = sizeof(int[M]), NEG = -1 };
         _Static_assert(K == 24 && NEG < 0 && (unsigned)NEG > 0u, \"\");
         int a[] = { 1, 2, [7] = 3, 4 }; _Static_assert(sizeof a == 9 * sizeof(int), \"\");
         char s[] = \"abc\"; _Static_assert(sizeof s == 4, \"\");
         char t[] = { \"abc\" }; _Static_assert(sizeof t == 4, \"\");
         char u[][4] = { \"abc\", \"d\" }; _Static_assert(sizeof u == 8, \"\");
         int m[][2] = { 1, 2, 3 }; _Static_assert(sizeof m == 4 * sizeof(int), \"\");
         int r[] = { [2 ... 5] = 1, 2 }; _Static_assert(sizeof r == 7 * sizeof(int), \"\");
         struct flex { int n; char data[]; } fx = { 1, { 1, 2, 3 } }; _Static_assert(sizeof fx == 4, \"\");
         struct empty {}; _Static_assert(sizeof(struct empty) == 0, \"\");
         union un { char c; int i; short s[3]; }; _Static_assert(sizeof(union un) == 8, \"\");
         _Static_assert(sizeof(void) == 1 && sizeof(sizes) == 1, \"\");
         _Static_assert(__builtin_offsetof(struct flex, data[2]) == 6, \"\");
         _Static_assert(__builtin_types_compatible_p(int[], int[5]) && !__builtin_types_compatible_p(int, long), \"\");
         _Static_assert(__builtin_choose_expr(1, 2, sizes) == 2, \"\");
         _Static_assert(__builtin_constant_p(3 + 4) && !__builtin_constant_p(a[0]), \"\");
         _Static_assert(__builtin_popcount(255) == 8 && __builtin_clz(1) == 31 && __builtin_ctz(8) == 3, \"\");
         _Static_assert(__builtin_ffs(0) == 0 && __builtin_ffs(-2) == 2 && __builtin_parity(7) == 1, \"\");
         _Static_assert(__builtin_clrsb(0) == 31 && __builtin_clrsb(-1) == 31 && __builtin_clrsb(1) == 30, \"\");
         _Static_assert(__builtin_bswap16(0x1234) == 0x3412 && __builtin_bswap32(1) == 1 << 24, \"\");
         _Static_assert(__builtin_add_overflow_p(2147483647, 1, 0) && !__builtin_add_overflow_p(1, 1, 0), \"\");
         _Static_assert((char)200 == -56 && (_Bool)0.5 == 1 && (int)-1.9 == -1, \"\");
         _Static_assert(-1 / 2 == 0 && -7 % 3 == -1 && -8 >> 1 == -4, \"\");
         _Static_assert(1.0f / 3 != 1.0 / 3, \"\");
        ",
    );
}

#[test]
fn alignment() {
    accept(
        "typedef int t16 __attribute__((aligned(16))); _Static_assert(_Alignof(t16) == 16, \"\");
         struct s { char c; t16 x; }; _Static_assert(sizeof(struct s) == 32, \"\");
         _Alignas(32) int v; _Static_assert(__alignof__(v) == 32, \"\");
         struct p { char c; int i; } __attribute__((packed)); _Static_assert(sizeof(struct p) == 5, \"\");
         struct __attribute__((aligned(16))) q { char c; }; _Static_assert(sizeof(struct q) == 16, \"\");
         typedef unsigned tm __attribute__((mode(DI))); _Static_assert(sizeof(tm) == 8 && (tm)-1 > 0, \"\");",
    );
    accept_in("_Static_assert(_Alignof(double) == 4 && __alignof__(double) == 8, \"\");", DataModel::Ilp32);
    accept_in(
        "_Static_assert(_Alignof(long long) == 8 && sizeof(long double) == 16, \"\");",
        DataModel::Lp64,
    );
    accept_in(
        "struct s { char c; long long l; }; _Static_assert(sizeof(struct s) == 12, \"\");",
        DataModel::Ilp32,
    );
}

#[test]
fn old_and_gnu_style() {
    accept(
        "f(x, y) char x; float y; { return x + y; }
         g() { return f(1, 2.0); }
         int h(); int h(int a, double b) { return h(1, 2); }
         void later(void) { undeclared(1, 2, 3); char *p = malloc(10); strcpy(p, \"x\"); }
         void labels(int n) { void *t[] = { &&a, &&b }; goto *t[n]; a: b: ; { __label__ c; goto c; c: ; } }
         int sw(int x) { switch (x) { case 1 ... 5: return 1; case 'a': default: { case 7: return 2; } } }
         void vla(int n, int m[n][n + 1]) { int a[n][2]; typedef int T[n]; T b; m[1][2] = sizeof a + sizeof b + sizeof(int[n]); }
         int stmt(void) { return ({ int i = 0; for (; i < 3; i++) ; i; }) ?: 4; }
         typedef int T; void shadow(void) { T T = 1; T++; { extern int shadowed; shadowed = T; } }
         inline int inl(int x) { return x; } static inline int use(void) { return inl(1); }
         int old(a, b) int (*a)(), b[]; { return a(1) + b[0]; }
         struct s { int a; union { int b; struct { int c, d; }; }; } x = { 1, .d = 4, .c = 3 }; int get(void) { return x.d; }
         __auto_type au = 1.5; _Static_assert(sizeof au == 8, \"\");
         __thread int tls; _Atomic int at; _Noreturn void die(void); int restrict_(int *restrict p) { return *p; }
         typedef int v4 __attribute__((vector_size(16))); v4 add(v4 a, v4 b) { a[0] = 1; return a + b * 2; }
         int cmp(void *p, int i) { return p == i || p > 0; } int ptr(int *p, char *q) { p = q; return p; }
         void ret(void) { return 1; } int noret(void) { return; }
         void var(int n) { struct { int a[n]; int b; } s; s.b = sizeof s; }
         int atomics(int *p) { return __sync_fetch_and_add(p, 1) + __atomic_load_n(p, 5) + __sync_bool_compare_and_swap(p, 1, 2); }",
    );
}

#[test]
fn wide_bit_fields_compute_in_their_width() {
    // gcc gives `b` a type of 40 bits, so that the shift loses the high bits.
    let text = "struct { unsigned long long b : 40; } s; _Static_assert(sizeof(s.b << 1) == 8, \"\");
                unsigned long long f(void) { return s.b << 10; }";
    let program = check(text, DataModel::Lp64).unwrap();
    let shown = format!("{:?}", program.funcs.values().find(|f| f.name.as_str() == "f").unwrap().body);
    assert!(shown.contains("Shl"), "{shown}");
    use cairn_ctyped::types::Type;
    let mut types = program.types.clone();
    let narrow = types.intern(Type::BitField { bits: 40, signed: false });
    assert!(shown.contains(&format!("ty: {narrow}")), "{shown}");
}
