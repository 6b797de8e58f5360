//! Layouts and constant expressions compared with gcc, on random input from a
//! fixed seed, in both data models. All cases of a model go into one program
//! for gcc, which prints what it thinks.

mod common;

use std::fmt::Write;
use std::process::Command;

use cairn_base::DataModel;
use cairn_ctyped::hir::{GlobalInit, Program};
use cairn_ctyped::types::{QType, Type};
use common::check;

const MODELS: [DataModel; 2] = [DataModel::Lp64, DataModel::Ilp32];

/// A small generator; the same numbers on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len() as u64) as usize]
    }
}

/// Compiles and runs a program with gcc and gives its output; `None` if this machine cannot.
fn run_gcc(name: &str, source: &str, model: DataModel) -> Option<String> {
    let dir = std::env::temp_dir().join(format!("cairn-ctyped-{name}-{model}-{}", std::process::id()));
    std::fs::create_dir_all(&dir).ok()?;
    let (c, exe) = (dir.join("t.c"), dir.join("t"));
    std::fs::write(&c, source).ok()?;
    let width = if model == DataModel::Lp64 { "-m64" } else { "-m32" };
    let compiled =
        Command::new("gcc").args([width, "-std=gnu11", "-w", "-O0", "-o"]).arg(&exe).arg(&c).output().ok()?;
    let output = Command::new(&exe).output();
    if !compiled.status.success() {
        let message = String::from_utf8_lossy(&compiled.stderr);
        assert!(message.contains("cannot find") || message.contains("no such file"), "gcc: {message}");
        std::fs::remove_dir_all(&dir).ok();
        return None;
    }
    std::fs::remove_dir_all(&dir).ok();
    Some(String::from_utf8_lossy(&output.ok()?.stdout).into_owned())
}

const SCALARS: [&str; 16] = [
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "_Bool",
    "float",
    "double",
    "long double",
    "void *",
];

const BITS: [(&str, u64); 13] = [
    ("char", 8),
    ("signed char", 8),
    ("unsigned char", 8),
    ("short", 16),
    ("unsigned short", 16),
    ("int", 32),
    ("unsigned", 32),
    ("long long", 64),
    ("unsigned long long", 64),
    ("_Bool", 1),
    ("enum color", 32),
    ("int", 32),
    ("unsigned", 32),
];

/// A random struct or union and the names of its members (`true`: a bit-field).
fn random_record(r: &mut Random, n: usize) -> (String, Vec<(String, bool)>) {
    let keyword = if r.chance(20) { "union" } else { "struct" };
    let mut text = String::new();
    let mut members = Vec::new();
    let pack = r.chance(25).then(|| r.pick(&["1", "2", "4", "8", "16"]));
    if let Some(pack) = pack {
        writeln!(text, "#pragma pack(push, {pack})").unwrap();
    }
    let attrs = |r: &mut Random, chance: u64| {
        let mut a = Vec::new();
        if r.chance(chance) {
            a.push("packed".to_string());
        }
        if r.chance(chance) {
            a.push(format!("aligned({})", r.pick(&["1", "2", "4", "8", "16", "32"])));
        }
        if a.is_empty() { String::new() } else { format!(" __attribute__(({}))", a.join(", ")) }
    };
    writeln!(text, "{keyword} s{n} {{").unwrap();
    for i in 0..1 + r.below(8) {
        let name = format!("m{i}");
        match r.below(10) {
            0..=4 => {
                let (ty, max) = BITS[r.below(BITS.len() as u64) as usize];
                let width = 1 + if r.chance(30) { r.below(max.min(3)) } else { r.below(max) };
                if r.chance(12) {
                    writeln!(text, "  {ty} : {};", if r.chance(50) { 0 } else { width }).unwrap();
                } else {
                    let a = attrs(r, 6);
                    writeln!(text, "  {ty} {name} : {width}{a};").unwrap();
                    members.push((name, true));
                }
            }
            5 if n > 0 && r.chance(50) => {
                let inner = r.below(n as u64);
                writeln!(text, "  T{inner} {name}{};", attrs(r, 8)).unwrap();
                members.push((name, false));
            }
            6 => {
                let ty = r.pick(&["ai2", "ad16", "al1", "aint", "all4"]);
                writeln!(text, "  {ty} {name}{};", attrs(r, 8)).unwrap();
                members.push((name, false));
            }
            k => {
                let ty = SCALARS[r.below(16) as usize];
                let array = if k == 7 { ["[3]", "[0]", "[1][2]"][r.below(3) as usize] } else { "" };
                writeln!(text, "  {ty} {name}{array}{};", attrs(r, 8)).unwrap();
                members.push((name, false));
            }
        }
    }
    let after = attrs(r, 12);
    writeln!(text, "}}{after};").unwrap();
    if pack.is_some() {
        writeln!(text, "#pragma pack(pop)").unwrap();
    }
    writeln!(text, "typedef {keyword} s{n} T{n};").unwrap();
    (text, members)
}

const PREAMBLE: &str = "
enum color { RED, GREEN, BLUE };
typedef short ai2 __attribute__((aligned(2)));
typedef double ad16 __attribute__((aligned(16)));
typedef long al1 __attribute__((aligned(1)));
typedef int aint __attribute__((aligned(8)));
typedef long long all4 __attribute__((aligned(4)));
";

/// What the checker thinks of a record, in the words of the generated program.
fn our_layout(program: &Program, tag: &str) -> String {
    let record = program.types.records.values().find(|r| r.tag.is_some_and(|t| t.as_str() == tag)).unwrap();
    let layout = record.layout.as_ref().unwrap();
    let mut out = format!("{tag} {} {}", layout.size, layout.align);
    for f in &layout.fields {
        match f.bits {
            Some(b) => {
                write!(out, " {}={}:{}", f.name.unwrap(), f.offset * 8 + u64::from(b.bit), b.width).unwrap()
            }
            None => write!(out, " {}={}", f.name.unwrap(), f.offset).unwrap(),
        }
    }
    out
}

#[test]
fn layouts_agree_with_gcc() {
    for model in MODELS {
        let mut r = Random(2024);
        let mut types = PREAMBLE.to_string();
        let mut main = String::new();
        let count = 1500;
        for n in 0..count {
            let (text, members) = random_record(&mut r, n);
            types.push_str(&text);
            writeln!(
                main,
                "{{ static T{n} x; printf(\"s{n} %u %u\", (unsigned)sizeof(T{n}), (unsigned)_Alignof(T{n}));"
            )
            .unwrap();
            for (m, is_bits) in members {
                if is_bits {
                    writeln!(main, "memset(&x, 0, sizeof x); x.{m} = -1; bits(\"{m}\", &x, sizeof x);")
                        .unwrap();
                } else {
                    writeln!(main, "printf(\" {m}=%u\", (unsigned)__builtin_offsetof(T{n}, {m}));").unwrap();
                }
            }
            writeln!(main, "printf(\"\\n\"); }}").unwrap();
        }
        let program = check(&types, model).unwrap();
        // The packing pragmas must take effect where they stand, so gcc sees the types alone first.
        let source = format!(
            "int printf(const char *, ...); void *memset(void *, int, __SIZE_TYPE__);\n{types}\n\
             static void bits(const char *m, void *p, unsigned n) {{ unsigned char *b = p; int first = -1, count = 0;\n\
             for (unsigned i = 0; i < n * 8; i++) if (b[i / 8] >> i % 8 & 1) {{ if (first < 0) first = i; count++; }}\n\
             printf(\" %s=%d:%d\", m, first, count); }}\nint main(void) {{\n{main}return 0; }}\n"
        );
        let Some(expected) = run_gcc("layout", &source, model) else { continue };
        assert_eq!(expected.lines().count(), count);
        let mut wrong = Vec::new();
        for (n, line) in expected.lines().enumerate() {
            let ours = our_layout(&program, &format!("s{n}"));
            if ours != line {
                let at = types.find(&format!(" s{n} {{")).unwrap();
                let start = types[..at].rfind('\n').unwrap_or(0).saturating_sub(30);
                let end = at + types[at..].find("typedef").unwrap();
                wrong.push(format!("{}\n  gcc  {line}\n  ours {ours}", &types[start..end]));
            }
        }
        assert!(
            wrong.is_empty(),
            "{model}: {} of {count} differ:\n{}",
            wrong.len(),
            wrong[..wrong.len().min(5)].join("\n")
        );
    }
}

/// A random constant expression without undefined behaviour.
fn random_expr(r: &mut Random, depth: u32) -> String {
    if depth == 0 || r.chance(15) {
        return match r.below(9) {
            0 => r.pick(&["0", "1", "7", "127", "128", "255", "32767", "65535"]).into(),
            1 => r
                .pick(&["2147483647", "2147483648", "4294967295", "0x7fffffff", "0x80000000", "0xffffffff"])
                .into(),
            2 => r
                .pick(&[
                    "9223372036854775807",
                    "0x8000000000000000",
                    "0xffffffffffffffff",
                    "017",
                    "1l",
                    "1ul",
                ])
                .into(),
            3 => r
                .pick(&["1u", "4294967295u", "1ll", "1ull", "2147483648l", "0xffffffffl", "4294967296"])
                .into(),
            4 => r.pick(&["'a'", "'\\377'", "'\\0'", "L'x'", "sizeof(int)", "sizeof(long double)"]).into(),
            5 => r.pick(&["NEG", "POS", "BIG", "HUGE"]).into(),
            6 => r.pick(&["1.5", "2.25f", "1e10", "0.1L", "3.0", "-0.0"]).into(),
            7 => r
                .pick(&[
                    "(signed char)-1",
                    "(unsigned char)200",
                    "(short)-30000",
                    "(_Bool)5",
                    "(unsigned short)65535",
                ])
                .into(),
            _ => format!("{}", r.below(1000)),
        };
    }
    let sub = |r: &mut Random| random_expr(r, depth - 1);
    // An operand of integer type, as some operators need.
    let int = |r: &mut Random| {
        let e = random_expr(r, depth - 1);
        format!(
            "(({e}) > 100 ? 100 : {})",
            r.pick(&["(signed char)3", "5u", "7ll", "9ul", "-4", "-8l", "(short)6"])
        )
    };
    match r.below(14) {
        0 => format!("(-({}))", sub(r)),
        1 => format!("(~{})", int(r)),
        2 => format!("(!({}))", sub(r)),
        3..=5 => format!("({} {} {})", sub(r), r.pick(&["+", "-", "*"]), sub(r)),
        6 => format!("({} {} {})", int(r), r.pick(&["/", "%"]), r.pick(&["3", "7u", "11l", "13ull", "-5"])),
        7 => format!("({} {} {})", sub(r), r.pick(&["<", ">", "<=", ">=", "==", "!="]), sub(r)),
        8 => format!("({} {} {})", int(r), r.pick(&["&", "|", "^"]), int(r)),
        9 => format!("({} {} {})", int(r), r.pick(&["<<", ">>"]), r.below(31)),
        10 => format!("(({}) ? {} : {})", sub(r), sub(r), sub(r)),
        11 => format!("({} {} {})", sub(r), r.pick(&["&&", "||"]), sub(r)),
        12 => {
            let ty = r.pick(&[
                "char",
                "unsigned char",
                "short",
                "int",
                "unsigned",
                "long",
                "unsigned long long",
                "_Bool",
                "double",
            ]);
            format!("(({ty}){})", int(r))
        }
        _ => format!("((double)({}) * 0.5)", sub(r)),
    }
}

const CONSTANTS: &str = "
enum small { NEG = -5, POS = 5 };
enum large { BIG = 3000000000u };
enum huge { HUGE = 0x123456789abcll };
";

const TYPE_NAMES: [&str; 15] = [
    "_Bool",
    "char",
    "signed char",
    "unsigned char",
    "short int",
    "short unsigned int",
    "int",
    "unsigned int",
    "long int",
    "long unsigned int",
    "long long int",
    "long long unsigned int",
    "float",
    "double",
    "long double",
];

#[test]
fn constants_agree_with_gcc() {
    for model in MODELS {
        let mut r = Random(5);
        let mut decls = CONSTANTS.to_string();
        let mut main = String::new();
        let count = 2000;
        for n in 0..count {
            let e = random_expr(&mut r, 4);
            writeln!(decls, "__typeof__({e}) g{n} = {e};").unwrap();
            writeln!(main, "show({n}, NAME(g{n}), &g{n}, sizeof g{n});").unwrap();
        }
        let program = check(&decls, model).unwrap();
        let mut name = "#define NAME(e) _Generic((e)".to_string();
        for ty in TYPE_NAMES {
            write!(name, ", {ty}: \"{ty}\"").unwrap();
        }
        let source = format!(
            "int printf(const char *, ...);\n{name}, default: \"other\")\n{decls}\n\
             static void show(int n, const char *t, void *p, unsigned size) {{ unsigned char *b = p;\n\
             if (t[0] == 'l' && t[5] == 'd') size = 10;\n\
             printf(\"%d %s \", n, t); for (unsigned i = 0; i < size; i++) printf(\"%02x\", b[i]); printf(\"\\n\"); }}\n\
             int main(void) {{ {main} return 0; }}\n"
        );
        let Some(expected) = run_gcc("constants", &source, model) else { continue };
        let mut lines = expected.lines();
        let mut wrong = Vec::new();
        for n in 0..count {
            let line = lines.next().unwrap();
            let global = program.globals.values().find(|g| g.name.as_str() == format!("g{n}")).unwrap();
            let mut ty = QType::plain(global.ty);
            // gcc shows an enum by its compatible type.
            if let Type::Enum(e) = program.types.get(ty.id) {
                let repr = program.types.enums[*e].repr.unwrap();
                let mut types = program.types.clone();
                ty.id = types.intern(Type::Int(repr));
            }
            let name = program.types.type_name(ty);
            let size = program.types.scalar(ty.id).unwrap().bytes(model);
            let GlobalInit::Data(data) = &global.init else { panic!() };
            let bytes: String = (0..size).map(|i| format!("{:02x}", data.byte(i))).collect();
            let ours = format!("{n} {name} {bytes}");
            if ours != line {
                let text = decls.lines().find(|l| l.contains(&format!(" g{n} ="))).unwrap();
                wrong.push(format!("{text}\n  gcc  {line}\n  ours {ours}"));
            }
        }
        assert!(
            wrong.is_empty(),
            "{model}: {} of {count} differ:\n{}",
            wrong.len(),
            wrong[..wrong.len().min(5)].join("\n")
        );
    }
}
