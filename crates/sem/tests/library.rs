//! Builtins: formats against the host's C library, scanning, input and output, mathematics.

mod common;

use std::process::Command;

use cairn_base::Budget;
use cairn_ir::*;
use cairn_sem::{Captured, End, Executor, Options, UbKind};
use common::*;

#[derive(Clone, Debug)]
enum Arg {
    Int(i32),
    Long(i64),
    LongLong(i64),
    Double(f64),
    LongDouble(f64),
    Str(&'static str),
}
use Arg::*;

impl Arg {
    fn c_text(&self) -> String {
        match self {
            Int(v) => format!("(int){v}LL"),
            Long(v) => format!("(long){:#x}ULL", *v as u64),
            LongLong(v) => format!("(long long){:#x}ULL", *v as u64),
            Double(v) if v.is_finite() => format!("{v:?}"),
            Double(v) => format!("bits({:#x}ULL)", v.to_bits()),
            LongDouble(v) => format!("(long double){v:?} / 3"),
            Str(s) => format!("{s:?}"),
        }
    }

    fn ty(&self, model: DataModel) -> Ty {
        match self {
            Int(_) => I32,
            Long(_) => Ty::Int(IntTy::diff(model)),
            LongLong(_) => I64,
            Double(_) => F64,
            LongDouble(_) => X80,
            Str(_) => Ty::Ptr,
        }
    }

    fn bits(&self, model: DataModel) -> Bits {
        match self {
            Int(v) => IntTy::I32.wrap((*v).into()),
            Long(v) => IntTy::diff(model).wrap((*v).into()),
            LongLong(v) => IntTy::I64.wrap((*v).into()),
            Double(v) => v.to_bits().into(),
            LongDouble(v) => {
                let f = |v| cairn_value::float::from_f64(FloatTy::X80, v);
                cairn_value::eval::binary(BinOp::Div, X80, X80, f(*v), f(3.0), model).unwrap()
            }
            Str(_) => 0,
        }
    }
}

/// Stores arguments in an area as a caller of a variadic function does.
fn area(b: &mut Build, args: &[(Ty, ExprId)]) -> ExprId {
    let area = b.array("area", 256);
    let slot = b.p.model.ptr_bytes();
    let mut at = 0u64;
    for &(ty, value) in args {
        let (align, room) = match (b.p.model, ty) {
            (DataModel::Lp64, Ty::Float(FloatTy::X80)) => (16, 16),
            (DataModel::Ilp32, Ty::Float(FloatTy::X80)) => (4, 12),
            (model, ty) => (slot, ty.bytes(model).next_multiple_of(slot)),
        };
        at = at.next_multiple_of(align);
        let p = b.plus(area, at as i64);
        b.store(p, value);
        at += room;
    }
    area
}

fn values(b: &mut Build, args: &[Arg]) -> Vec<(Ty, ExprId)> {
    let model = b.p.model;
    args.iter()
        .map(|a| {
            let value = match a {
                Str(s) => b.string(s.as_bytes()),
                other => b.p.exprs.constant(other.ty(model), other.bits(model)),
            };
            (a.ty(model), value)
        })
        .collect()
}

fn cases() -> Vec<(String, Vec<Arg>)> {
    let mut cases: Vec<(String, Vec<Arg>)> = Vec::new();
    let mut add = |format: &str, args: &[Arg]| cases.push((format.to_string(), args.to_vec()));
    add("plain text, 100%%", &[]);
    add(
        "[%s|%10s|%-10s|%.2s|%*s|%-*.*s]",
        &[Str("abc"), Str("abc"), Str("abc"), Str("abc"), Int(6), Str("x"), Int(8), Int(2), Str("wide")],
    );
    add("[%c|%3c|%-3c]%c", &[Int(65), Int(66), Int(67 + 256), Int(0)]);
    add("%*d|%-*d|%.*d|%.*d", &[Int(-8), Int(5), Int(8), Int(5), Int(3), Int(5), Int(-3), Int(5)]);
    add("%2$d %1$s %2$5d %3$*4$d", &[Str("first"), Int(2), Int(3), Int(7)]);
    add("%m|%5%|%p", &[Long(0)]);
    for v in [0, 1, -1, 42, -42, 255, 123456789, i32::MAX, i32::MIN] {
        for f in [
            "%d", "%i", "%u", "%o", "%x", "%X", "%#x", "%#X", "%#o", "%5d", "%-5d|", "%05d", "%+d", "% d",
            "%+5d", "%.3d", "%8.3d", "%-8.3d|", "%08.3d", "%.0d", "%#.0x", "%#.0o", "%hd", "%hhd", "%hu",
            "%hhu", "%hhx", "%#010x", "%-#10x|", "%'d", "% 05d", "%+.0d",
        ] {
            add(f, &[Int(v)]);
        }
    }
    for v in [0, -1, 0x1234_5678_9abc_def0, i64::MIN, i64::MAX] {
        for f in ["%ld", "%lu", "%lx", "%zd", "%zu", "%td", "%20ld", "%-20lX|", "%lo"] {
            add(f, &[Long(v)]);
        }
        for f in ["%lld", "%llu", "%llx", "%jd", "%ju", "%#llo", "%025lld", "%qd"] {
            add(f, &[LongLong(v)]);
        }
    }
    let doubles = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.1,
        0.5,
        1.5,
        2.5,
        9.995,
        99.5,
        123456.789,
        1e-5,
        1.23e-10,
        1e15,
        1e16,
        1e21,
        1e100,
        1.7976931348623157e308,
        5e-324,
        2.2250738585072014e-308,
        0.0001,
        0.00001234,
        999999.5,
        1234567.0,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        -f64::NAN,
        4.35,
        0.045,
    ];
    for v in doubles {
        for f in [
            "%f", "%e", "%g", "%a", "%F", "%E", "%G", "%A", "%.0f", "%#.0f", "%.1f", "%.2f", "%.15f",
            "%.30f", "%.0e", "%#.0e", "%.3e", "%.17g", "%.1g", "%#g", "%#.3g", "%10.2f", "%-10.2f|",
            "%010.2f", "%+.2f", "% .2f", "%015e", "%-15g|", "%.0a", "%.3a", "%#a", "%20a", "%020a", "%+g",
            "%010f", "%lf", "%.25g",
        ] {
            // Here glibc 2.36 prints "1.e+06" and forgets the zeroes that '#' asks for.
            if (v, f) != (999999.5, "%#g") {
                add(f, &[Double(v)]);
            }
        }
    }
    for v in [0.0, 1.0, -2.0, 1e-300, 1e300, 3.0, 12345.678] {
        for f in ["%Lf", "%Le", "%Lg", "%La", "%.20Lf", "%.30Le", "%25.3Lf", "%.5La"] {
            add(f, &[LongDouble(v)]);
        }
    }
    add(
        "%d %f %s %Lf %ld %Le %c",
        &[Int(1), Double(2.5), Str("three"), LongDouble(4.0), Long(5), LongDouble(6.0), Int(55)],
    );
    cases
}

/// What the host's `printf` makes of all cases.
fn host_output(cases: &[(String, Vec<Arg>)], flag: &str) -> Option<Vec<Vec<u8>>> {
    let dir =
        std::env::temp_dir().join(format!("cairn-printf-{}-{}", std::process::id(), flag.trim_matches('-')));
    std::fs::create_dir_all(&dir).ok()?;
    let (source, binary) = (dir.join("t.c"), dir.join("t"));
    let mut text = String::from(
        "#include <stdio.h>\n#include <string.h>\n\
         static double bits(unsigned long long b) { double d; memcpy(&d, &b, 8); return d; }\n\
         static char buf[5000];\n\
         static void out(int n) { printf(\"%d:\", n); fwrite(buf, 1, n, stdout); }\n",
    );
    text.push_str("int main(void) {\n");
    for (format, args) in cases {
        let args: String = args.iter().map(|a| format!(", {}", a.c_text())).collect();
        text.push_str(&format!("out(snprintf(buf, sizeof buf, {format:?}{args}));\n"));
    }
    text.push_str("return 0; }\n");
    std::fs::write(&source, text).ok()?;
    let built = Command::new("gcc").args(["-w", "-O0", flag, "-o"]).args([&binary, &source]).status().ok()?;
    if !built.success() {
        return None;
    }
    let output = Command::new(&binary).output().ok()?;
    let _ = std::fs::remove_dir_all(&dir);
    let mut rest = &output.stdout[..];
    let mut results = Vec::new();
    while !rest.is_empty() {
        let colon = rest.iter().position(|&b| b == b':')?;
        let n: usize = std::str::from_utf8(&rest[..colon]).ok()?.parse().ok()?;
        results.push(rest[colon + 1..colon + 1 + n].to_vec());
        rest = &rest[colon + 1 + n..];
    }
    Some(results)
}

fn our_output(model: DataModel, format: &str, args: &[Arg]) -> Vec<u8> {
    let mut b = Build::new(model);
    let values = values(&mut b, args);
    let area = area(&mut b, &values);
    let (fd, format) = (b.int(1), b.string(format.as_bytes()));
    let n = b.builtin(Builtin::Printf, &[fd, format, area], Some(I32)).unwrap();
    b.ret(Some(n));
    let (outcome, io) = b.run_with(Options::default(), Budget::default());
    assert_eq!(outcome.end, End::Exit(io.out.len() as i32), "{args:?}");
    io.out
}

#[test]
fn printf_agrees_with_the_host() {
    let cases = cases();
    for (model, flag) in [(DataModel::Lp64, "-m64"), (DataModel::Ilp32, "-m32")] {
        let Some(host) = host_output(&cases, flag) else {
            assert_ne!(model, DataModel::HOST, "gcc must be there");
            continue;
        };
        assert_eq!(host.len(), cases.len());
        let mut wrong = Vec::new();
        for ((format, args), want) in cases.iter().zip(&host) {
            let got = our_output(model, format, args);
            if got != *want {
                let text = |b: &[u8]| String::from_utf8_lossy(b).into_owned();
                wrong.push(format!("{format} {args:?}: {:?}, not {:?}", text(&got), text(want)));
            }
        }
        assert!(wrong.is_empty(), "{model}: {} wrong:\n{}", wrong.len(), wrong.join("\n"));
    }
}

#[test]
fn printf_checks_its_arguments() {
    let run = |format: &'static [u8], args: &[Arg]| {
        let mut b = Build::new(DataModel::Lp64);
        let values = values(&mut b, args);
        let area = area(&mut b, &values);
        let (fd, format) = (b.int(1), b.string(format));
        b.builtin(Builtin::Printf, &[fd, format, area], None);
        b.ret_int(0);
        b
    };
    run(b"%d %d", &[Int(1)]).undefined_is(UbKind::Uninitialised, "object 'area'");
    run(b"%s", &[Long(0)]).undefined_is(UbKind::NullAccess, "null");
    run(b"%y", &[Int(1)]).undefined_is(UbKind::Library, "unknown conversion '%y'");
    run(b"%", &[]).undefined_is(UbKind::Library, "ends within");
}

#[test]
fn snprintf_truncates_and_n_counts() {
    let mut b = Build::new(DataModel::Lp64);
    let (buffer, count) = (b.array("buffer", 6), b.array("count", 4));
    let text = b.string(b"hello");
    let area = area(&mut b, &[(Ty::Ptr, text), (Ty::Ptr, count)]);
    let (six, format) = (b.size(6), b.string(b"<%s>%n!"));
    let n = b.builtin(Builtin::Snprintf, &[buffer, six, format, area], Some(I32)).unwrap();
    let eight = b.int(8);
    let same = b.bin(BinOp::Eq, n, eight);
    b.expect(same, 1);
    let counted = b.load(I32, count);
    let seven = b.int(7);
    let same = b.bin(BinOp::Eq, counted, seven);
    b.expect(same, 2);
    let fd = b.int(1);
    b.builtin(Builtin::Write, &[fd, buffer, six], None);
    b.ret_int(0);
    let (outcome, io) = b.run_with(Options::default(), Budget::default());
    assert_eq!(outcome.end, End::Exit(0));
    assert_eq!(io.out, b"<hell\0");
}

#[test]
fn strtod_finds_the_end() {
    let mut b = Build::new(DataModel::Lp64);
    let (text, end) = (b.string(b"  2.5rest"), b.array("end", 8));
    let x = b.builtin(Builtin::Strtod(FloatTy::F64), &[text, end], Some(F64)).unwrap();
    let want = b.p.exprs.float(FloatTy::F64, 2.5f64.to_bits().into());
    let same = b.bin(BinOp::Eq, x, want);
    b.expect(same, 1);
    let p = b.load(Ty::Ptr, end);
    let want = b.plus(text, 5);
    let same = b.bin(BinOp::Eq, p, want);
    b.expect(same, 2);
    b.ret_int(0);
    b.exits_with(0);
}

#[test]
fn bytes_come_from_standard_input() {
    let mut b = Build::new(DataModel::Lp64);
    let fd = b.int(0);
    let x = b.builtin(Builtin::ReadByte, &[fd], Some(I32)).unwrap();
    let y = b.builtin(Builtin::ReadByte, &[fd], Some(I32)).unwrap();
    let sum = b.bin(BinOp::Sub, x, y);
    b.ret(Some(sum));
    let mut io = Captured { input: b"A".iter().copied().collect(), ..Captured::default() };
    let outcome = Executor::new(&b.p, Options::default(), Budget::default()).run(&mut io);
    assert_eq!(outcome.end, End::Exit(66));
}

#[test]
fn sizes_of_objects_and_mathematics() {
    let mut b = Build::new(DataModel::Lp64);
    let a = b.array("a", 40);
    let p = b.plus(a, 10);
    let size_t = Ty::Int(IntTy::U64);
    let n = b.builtin(Builtin::ObjectSize, &[p], Some(size_t)).unwrap();
    let want = b.size(30);
    let same = b.bin(BinOp::Eq, n, want);
    b.expect(same, 1);
    let null = b.p.exprs.ptr(0);
    let n = b.builtin(Builtin::ObjectSize, &[null], Some(size_t)).unwrap();
    let want = b.size(0);
    let same = b.bin(BinOp::Eq, n, want);
    b.expect(same, 2);
    let two = b.p.exprs.float(FloatTy::F64, 2f64.to_bits().into());
    let x = b.builtin(Builtin::Math(MathFn::Pow, FloatTy::F64), &[two, two], Some(F64)).unwrap();
    let four = b.p.exprs.float(FloatTy::F64, 4f64.to_bits().into());
    let same = b.bin(BinOp::Eq, x, four);
    b.expect(same, 3);
    let zero = b.p.exprs.float(FloatTy::X80, 0);
    let one = b.p.exprs.float(FloatTy::X80, cairn_value::float::from_f64(FloatTy::X80, 1.0));
    let x = b.builtin(Builtin::Math(MathFn::Cos, FloatTy::X80), &[zero], Some(X80)).unwrap();
    let same = b.bin(BinOp::Eq, x, one);
    b.expect(same, 4);
    b.ret_int(0);
    let outcome = b.run();
    assert_eq!(outcome.end, End::Exit(0));
    assert_eq!(outcome.notes, ["Cos of x80 is computed in double precision"]);
}
