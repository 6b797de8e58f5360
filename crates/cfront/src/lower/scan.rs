//! `scanf` with a format that is known: a row of conversions instead of a walk
//! over the format, which would cost every engine a loop over characters and over
//! the list of arguments. What is not simple (`%[`, `%*d`, `%n`, widths of
//! numbers) is left to the model that reads formats.

use cairn_ctyped::hir::{self, Expr, ExprKind, GlobalInit, GlobalKind, LValueKind};
use cairn_ir::{BinOp, Callee, ExprId, FuncId, IntTy, Op, Ty};

use super::call::Dest;
use super::cursor::Target;
use super::func::Fun;

/// The functions with this format; they read standard input.
const SCANF: [&str; 3] = ["scanf", "__isoc99_scanf", "__isoc23_scanf"];

/// The models that a known format is made of.
pub const SCANNERS: [&str; 6] = [
    "__cairn_scan_space",
    "__cairn_scan_byte",
    "__cairn_scan_c",
    "__cairn_scan_s",
    "__cairn_scan_d",
    "__cairn_scan_f",
];

/// Does a call of the function read standard input by a format?
pub fn reads_format(name: &str) -> bool {
    SCANF.contains(&name)
}

/// A part of a format: the model that reads it, and what it is told besides where to store.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Part {
    Space,
    Byte(u8),
    Stored(&'static str, Vec<i128>),
}

/// The parts of a format, if all are simple.
fn parts(format: &[u8]) -> Option<Vec<Part>> {
    let mut parts = Vec::new();
    let mut rest = format.iter().copied().take_while(|&c| c != 0).peekable();
    while let Some(c) = rest.next() {
        if c.is_ascii_whitespace() || c == 11 {
            if parts.last() != Some(&Part::Space) {
                parts.push(Part::Space);
            }
            continue;
        }
        if c != b'%' {
            parts.push(Part::Byte(c));
            continue;
        }
        let mut width = 0i128;
        while let Some(d) = rest.next_if(u8::is_ascii_digit) {
            width = (width * 10 + i128::from(d - b'0')).min(1 << 30);
        }
        let mut size = 0;
        while let Some(c) = rest.next_if(|c| b"hlqjzt".contains(c)) {
            size = match c {
                b'h' => size - 1,
                b'l' => size + 1,
                b'z' | b't' => 1,
                _ => 2,
            };
        }
        let part = match rest.next()? {
            c @ (b'd' | b'u') if width == 0 && (-2..=2).contains(&size) => {
                Part::Stored("__cairn_scan_d", vec![size, i128::from(c == b'd')])
            }
            b'f' | b'e' | b'g' if width == 0 && (0..=1).contains(&size) => {
                Part::Stored("__cairn_scan_f", vec![size])
            }
            b'c' if width <= 1 && size == 0 => Part::Stored("__cairn_scan_c", vec![]),
            b's' if size == 0 => Part::Stored("__cairn_scan_s", vec![width]),
            b'%' if width == 0 && size == 0 => {
                parts.push(Part::Space);
                Part::Byte(b'%')
            }
            _ => return None,
        };
        // These pass over white space anyway.
        let skips = matches!(part, Part::Stored(name, _) if name != "__cairn_scan_c");
        parts.pop_if(|last| skips && *last == Part::Space);
        parts.push(part);
    }
    Some(parts)
}

impl Fun<'_, '_> {
    /// The bytes of a string literal.
    pub fn literal(&self, e: &Expr) -> Option<Vec<u8>> {
        let place = match &e.kind {
            ExprKind::Cast(inner) => return self.literal(inner),
            ExprKind::AddrOf(place) => place,
            _ => return None,
        };
        let LValueKind::Global(id) = place.kind else { return None };
        let global = &self.cx.hir.globals[id];
        let GlobalInit::Data(data) = &global.init else { return None };
        if global.kind != GlobalKind::String || self.cx.types.size_of(global.ty)? != global.size {
            return None;
        }
        let mut bytes = vec![0; usize::try_from(global.size).ok()?];
        for (at, chunk) in &data.bytes {
            let at = usize::try_from(*at).ok()?;
            bytes.get_mut(at..at + chunk.len())?.copy_from_slice(chunk);
        }
        Some(bytes.into_iter().take_while(|&b| b != 0).collect())
    }

    /// A call of `scanf` as a row of conversions, if its format is known and simple: what is stored where.
    /// `None` if it is to be called.
    pub fn scan(&mut self, f: hir::FuncId, args: &[Expr], e: &Expr, dest: Dest) -> Option<Option<ExprId>> {
        let func = &self.cx.hir.funcs[f];
        if !reads_format(func.name.as_str())
            || func.body.is_none()
            || !self.cx.places.is_model(func.span.src)
            || self.cx.places.is_model(e.span.src)
        {
            return None;
        }
        let parts = parts(&self.literal(args.first()?)?)?;
        let wanted = parts.iter().filter(|p| matches!(p, Part::Stored(..))).count();
        let pointers = &args[1..];
        if pointers.len() != wanted || pointers.iter().any(|a| self.cx.types.scalar(a.ty) != Some(Ty::Ptr)) {
            return None;
        }
        let scanners: Vec<FuncId> =
            SCANNERS.iter().map(|n| self.cx.prog.func_named(n)).collect::<Option<Vec<_>>>()?;
        let scanner = |name: &str| SCANNERS.iter().position(|n| *n == name).map(|i| scanners[i]);
        let pointers = self.scalar_arguments(pointers);
        let (span, int) = (e.span, IntTy::I32);
        let out = self.temp(Ty::I32, span);
        let mut end = Target::default();
        let mut stored = 0usize;
        for part in &parts {
            let (callee, given) = match part {
                Part::Space => {
                    let callee = Callee::Func(scanner("__cairn_scan_space")?);
                    self.emit(Op::Call { dst: None, callee, args: Box::new([]) }, span);
                    continue;
                }
                Part::Byte(c) => {
                    (scanner("__cairn_scan_byte")?, vec![self.cx.prog.exprs.int(int, (*c).into())])
                }
                Part::Stored(name, rest) => {
                    let mut given = vec![pointers[stored]];
                    given.extend(rest.iter().map(|&n| self.cx.prog.exprs.int(int, n)));
                    (scanner(name)?, given)
                }
            };
            let read = self.temp(Ty::I32, span);
            let callee = Callee::Func(callee);
            self.emit(Op::Call { dst: Some(read), callee, args: given.into() }, span);
            let x = &mut self.cx.prog.exprs;
            let (read, one, zero, minus) = (x.var(read), x.int(int, 1), x.int(int, 0), x.int(int, -1));
            let fine = x.binary(BinOp::Eq, read, one);
            let (mut yes, mut no) = (Target::default(), Target::default());
            self.split(fine, &mut yes, &mut no, span, None);
            self.bind(no);
            let x = &mut self.cx.prog.exprs;
            let value = match stored {
                0 => {
                    let at_end = x.binary(BinOp::Lt, read, zero);
                    x.select(at_end, minus, zero)
                }
                n => x.int(int, n as i128),
            };
            self.emit(Op::Assign { dst: out, value }, span);
            self.jump(&mut end);
            self.bind(yes);
            stored += usize::from(matches!(part, Part::Stored(..)));
        }
        let value = self.cx.prog.exprs.int(int, stored as i128);
        self.emit(Op::Assign { dst: out, value }, span);
        self.jump(&mut end);
        self.bind(end);
        let value = self.cx.prog.exprs.var(out);
        Some(self.place_result(value, e, dest))
    }
}

#[cfg(test)]
mod tests {
    use super::{Part, parts};

    #[test]
    fn simple_formats() {
        let d = |size| Part::Stored("__cairn_scan_d", vec![size, 1]);
        assert_eq!(parts(b"%d"), Some(vec![d(0)]));
        assert_eq!(parts(b" %lld,%hhd\n "), Some(vec![d(2), Part::Byte(b','), d(-2), Part::Space]));
        assert_eq!(parts(b"%10s"), Some(vec![Part::Stored("__cairn_scan_s", vec![10])]));
        for other in [&b"%*d"[..], b"%n", b"%[abc]", b"%5d", b"%x", b"%", b"%Lf", b"%ls", b"%i"] {
            assert_eq!(parts(other), None, "{}", String::from_utf8_lossy(other));
        }
    }
}
