//! `sscanf`, and numbers at the start of a text as `strtod` finds them.

use cairn_ir::{Bits, FloatTy, IntTy, Ty};
use cairn_value::float::{from_f64, parse};

use super::{Arguments, length_type, library};
use crate::machine::Machine;
use crate::stop::Stop;

fn is_space(b: u8) -> bool {
    matches!(b, b' ' | b'\t'..=b'\r')
}

fn skip_space(text: &[u8]) -> usize {
    text.iter().take_while(|&&b| is_space(b)).count()
}

/// The float at the start of `text` (after white space), and how many bytes it took: 0 if there
/// is none.
pub(crate) fn leading_float(ty: FloatTy, text: &[u8]) -> (Bits, usize) {
    let space = skip_space(text);
    match float_here(ty, &text[space..]) {
        Some((bits, used)) => (bits, space + used),
        None => (0, 0),
    }
}

fn float_here(ty: FloatTy, text: &[u8]) -> Option<(Bits, usize)> {
    let (negative, signs) = match text.first() {
        Some(b'-') => (true, 1),
        Some(b'+') => (false, 1),
        _ => (false, 0),
    };
    let body = &text[signs..];
    let starts = |word: &[u8]| body.len() >= word.len() && body[..word.len()].eq_ignore_ascii_case(word);
    let (magnitude, used) = if starts(b"infinity") {
        (from_f64(ty, f64::INFINITY), 8)
    } else if starts(b"inf") {
        (from_f64(ty, f64::INFINITY), 3)
    } else if starts(b"nan") {
        let tail = body[3..].iter().skip(1).take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
        let closed = body.get(3) == Some(&b'(') && body.get(4 + tail) == Some(&b')');
        let nan = from_f64(ty, f64::NAN) & !(1 << (ty.bits() - 1));
        (nan, if closed { 5 + tail } else { 3 })
    } else {
        let n = number_length(body)?;
        let digits = std::str::from_utf8(&body[..n]).ok()?;
        (parse(ty, digits)?, n)
    };
    let sign = if negative { 1 << (ty.bits() - 1) } else { 0 };
    Some((magnitude ^ sign, signs + used))
}

/// How many bytes at the start form a decimal or hexadecimal floating constant.
fn number_length(text: &[u8]) -> Option<usize> {
    let hex = text.len() > 2 && text[0] == b'0' && text[1] | 32 == b'x' && {
        let after = &text[2..];
        after[0].is_ascii_hexdigit() || after[0] == b'.' && after.get(1).is_some_and(u8::is_ascii_hexdigit)
    };
    let is_digit = |b: u8| if hex { b.is_ascii_hexdigit() } else { b.is_ascii_digit() };
    let mut at = if hex { 2 } else { 0 };
    let run = |from: usize| text[from.min(text.len())..].iter().take_while(|&&b| is_digit(b)).count();
    let before = run(at);
    at += before;
    let mut after = 0;
    if text.get(at) == Some(&b'.') {
        after = run(at + 1);
        if before + after > 0 {
            at += 1 + after;
        }
    }
    if before + after == 0 {
        return None;
    }
    let marker = if hex { b'p' } else { b'e' };
    if text.get(at).is_some_and(|b| b | 32 == marker) {
        let sign = usize::from(matches!(text.get(at + 1), Some(b'+' | b'-')));
        let digits =
            text[(at + 1 + sign).min(text.len())..].iter().take_while(|b| b.is_ascii_digit()).count();
        if digits > 0 {
            at += 1 + sign + digits;
        }
    }
    Some(at)
}

/// An integer in `base` (0: as in C) at the start of `text`: its value modulo 2^64 with sign,
/// clamped as `strtoull`/`strtoll` do, and its length.
fn integer_here(text: &[u8], base: u32, signed: bool) -> Option<(i128, usize)> {
    let (negative, mut at) = match text.first() {
        Some(b'-') => (true, 1),
        Some(b'+') => (false, 1),
        _ => (false, 0),
    };
    let mut base = base;
    let zero_x = text.get(at) == Some(&b'0')
        && text.get(at + 1).is_some_and(|b| b | 32 == b'x')
        && text.get(at + 2).is_some_and(u8::is_ascii_hexdigit);
    if zero_x && (base == 0 || base == 16) {
        at += 2;
        base = 16;
    } else if base == 0 {
        base = if text.get(at) == Some(&b'0') { 8 } else { 10 };
    }
    let digits: Vec<u32> = text[at..].iter().map_while(|&b| char::from(b).to_digit(base)).collect();
    if digits.is_empty() {
        return None;
    }
    let v = digits.iter().fold(0i128, |v, &d| (v * i128::from(base) + i128::from(d)).min(1 << 100));
    let v = if negative { -v } else { v };
    let v = if signed {
        v.clamp(i64::MIN.into(), i64::MAX.into())
    } else if v.abs() > u64::MAX.into() {
        u64::MAX.into()
    } else {
        v
    };
    Some((v, at + digits.len()))
}

/// One conversion of a `scanf` format.
struct Conversion {
    suppress: bool,
    width: usize,
    length: Vec<u8>,
    kind: u8,
    /// For `%[`: the bytes that match.
    set: Option<Box<[bool; 256]>>,
}

impl Machine<'_> {
    /// `vsscanf`.
    pub(super) fn scan(&mut self, text: u64, format: u64, area: u64) -> Result<i32, Stop> {
        let text = self.c_string(text, None)?;
        let format = self.c_string(format, None)?;
        let mut arguments = Arguments::new(area, self.program.model);
        let (mut at, mut rest, mut done) = (0usize, &format[..], 0i32);
        while let Some((&c, after)) = rest.split_first() {
            rest = after;
            if is_space(c) {
                at += skip_space(&text[at..]);
            } else if c != b'%' {
                match text.get(at) {
                    Some(&b) if b == c => at += 1,
                    Some(_) => return Ok(done),
                    None => return Ok(if done == 0 { -1 } else { done }),
                }
            } else {
                let conversion = parse_conversion(&mut rest)?;
                match self.convert(&conversion, &text, &mut at, &mut arguments)? {
                    Matched::Yes(counts) => done += i32::from(counts),
                    Matched::No => return Ok(done),
                    Matched::End => return Ok(if done == 0 { -1 } else { done }),
                }
            }
        }
        Ok(done)
    }

    fn convert(
        &mut self,
        c: &Conversion,
        text: &[u8],
        at: &mut usize,
        arguments: &mut Arguments,
    ) -> Result<Matched, Stop> {
        if c.kind == b'n' {
            if !c.suppress {
                let int = length_type(&c.length, true, self.program.model);
                let p = arguments.next(self, Ty::Ptr)? as u64;
                self.write_value(p, Ty::Int(int), int.wrap(*at as i128))?;
            }
            return Ok(Matched::Yes(false));
        }
        if !matches!(c.kind, b'c' | b'[') {
            *at += skip_space(&text[*at..]);
        }
        let input = &text[*at..];
        if input.is_empty() {
            return Ok(Matched::End);
        }
        let window = &input[..input.len().min(c.width)];
        if c.kind == b'%' {
            return Ok(if input[0] == b'%' {
                *at += 1;
                Matched::Yes(false)
            } else {
                Matched::No
            });
        }
        let used = match c.kind {
            b'd' | b'i' | b'u' | b'o' | b'x' | b'X' | b'p' => {
                let (base, signed) = match c.kind {
                    b'd' => (10, true),
                    b'i' => (0, true),
                    b'u' => (10, false),
                    b'o' => (8, false),
                    _ => (16, false),
                };
                if c.kind == b'p' && window.starts_with(b"(nil)") {
                    self.store_pointer(c, arguments, 0)?;
                    *at += 5;
                    return Ok(Matched::Yes(!c.suppress));
                }
                let Some((v, used)) = integer_here(window, base, signed) else { return Ok(Matched::No) };
                if c.kind == b'p' {
                    let p = self.memory.resolve(v as u64);
                    self.store_pointer(c, arguments, p)?;
                } else {
                    let int = length_type(&c.length, signed, self.program.model);
                    self.store_scanned(c, arguments, Ty::Int(int), int.wrap(v))?;
                }
                used
            }
            b'f' | b'e' | b'g' | b'a' | b'F' | b'E' | b'G' | b'A' => {
                let ty = match &c.length[..] {
                    b"L" => FloatTy::X80,
                    b"l" => FloatTy::F64,
                    _ => FloatTy::F32,
                };
                let Some((bits, used)) = float_here(ty, window) else { return Ok(Matched::No) };
                self.store_scanned(c, arguments, Ty::Float(ty), bits)?;
                used
            }
            b'c' | b's' | b'[' => {
                let n = match (c.kind, &c.set) {
                    (b'c', _) => window.len(),
                    (_, Some(set)) => window.iter().take_while(|&&b| set[usize::from(b)]).count(),
                    _ => window.iter().take_while(|&&b| !is_space(b)).count(),
                };
                if n == 0 {
                    return Ok(Matched::No);
                }
                if c.kind == b'c' && n < c.width {
                    return Ok(Matched::End);
                }
                self.store_text(c, arguments, &window[..n])?;
                n
            }
            other => {
                return Err(library(format!(
                    "unknown conversion '%{}' in a scanf format",
                    char::from(other)
                )));
            }
        };
        *at += used;
        Ok(Matched::Yes(!c.suppress))
    }

    fn store_scanned(
        &mut self,
        c: &Conversion,
        arguments: &mut Arguments,
        ty: Ty,
        bits: Bits,
    ) -> Result<(), Stop> {
        if c.suppress {
            return Ok(());
        }
        let p = arguments.next(self, Ty::Ptr)? as u64;
        self.write_value(p, ty, bits)
    }

    fn store_pointer(&mut self, c: &Conversion, arguments: &mut Arguments, v: u64) -> Result<(), Stop> {
        self.store_scanned(c, arguments, Ty::Ptr, v.into())
    }

    fn store_text(&mut self, c: &Conversion, arguments: &mut Arguments, text: &[u8]) -> Result<(), Stop> {
        if c.suppress {
            return Ok(());
        }
        let p = arguments.next(self, Ty::Ptr)? as u64;
        let end: &[u8] = if c.kind == b'c' { &[] } else { &[0] };
        if c.length == b"l" {
            let int = IntTy::I32;
            for (i, &b) in text.iter().chain(end).enumerate() {
                let q = crate::statics::move_pointer(p, 4 * i as i64, self.program.model);
                self.write_value(q, Ty::Int(int), b.into())?;
            }
            return Ok(());
        }
        self.write_bytes(p, &[text, end].concat())
    }
}

enum Matched {
    /// Matched; does it count?
    Yes(bool),
    No,
    /// The input ended first.
    End,
}

fn parse_conversion(rest: &mut &[u8]) -> Result<Conversion, Stop> {
    let mut c = Conversion { suppress: false, width: usize::MAX, length: Vec::new(), kind: 0, set: None };
    let peek = |rest: &&[u8]| rest.first().copied();
    if peek(rest) == Some(b'*') {
        c.suppress = true;
        *rest = &rest[1..];
    }
    let mut width = 0usize;
    while let Some(d @ b'0'..=b'9') = peek(rest) {
        width = width.saturating_mul(10).saturating_add(usize::from(d - b'0'));
        *rest = &rest[1..];
    }
    if width > 0 {
        c.width = width;
    }
    while let Some(l) = peek(rest)
        && b"hlLjztq".contains(&l)
        && c.length.len() < 2
    {
        c.length.push(l);
        *rest = &rest[1..];
    }
    let Some((&kind, after)) = rest.split_first() else {
        return Err(library("a scanf format that ends within a conversion"));
    };
    *rest = after;
    c.kind = kind;
    if kind == b'c' && width == 0 {
        c.width = 1;
    }
    if kind == b'[' {
        c.set = Some(parse_set(rest)?);
    }
    Ok(c)
}

fn parse_set(rest: &mut &[u8]) -> Result<Box<[bool; 256]>, Stop> {
    let mut bytes = *rest;
    let negated = bytes.first() == Some(&b'^');
    if negated {
        bytes = &bytes[1..];
    }
    // A bracket that comes first is a member.
    let from = usize::from(bytes.first() == Some(&b']'));
    let Some(len) = bytes[from..].iter().position(|&b| b == b']').map(|n| n + from) else {
        return Err(library("a scanf format with a '%[' that does not end"));
    };
    let mut set = Box::new([negated; 256]);
    let members = &bytes[..len];
    let mut i = 0;
    while i < members.len() {
        let low = members[i];
        let range = i + 2 < members.len() && members[i + 1] == b'-' && members[i + 2] >= low;
        let high = if range { members[i + 2] } else { low };
        for b in low..=high {
            set[usize::from(b)] = !negated;
        }
        i += if range { 3 } else { 1 };
    }
    *rest = &bytes[len + 1..];
    Ok(set)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn double(text: &str) -> (f64, usize) {
        let (bits, used) = leading_float(FloatTy::F64, text.as_bytes());
        (f64::from_bits(bits as u64), used)
    }

    #[test]
    fn floats_at_the_start() {
        assert_eq!(double("  1.5e3x"), (1500.0, 7));
        assert_eq!(double("-.25"), (-0.25, 4));
        assert_eq!(double("1e"), (1.0, 1));
        assert_eq!(double("1e+"), (1.0, 1));
        assert_eq!(double("0x1.8p1;"), (3.0, 7));
        assert_eq!(double("0xg"), (0.0, 1));
        assert_eq!(double("-infinityx"), (f64::NEG_INFINITY, 9));
        assert_eq!(double("abc"), (0.0, 0));
        assert_eq!(double("."), (0.0, 0));
        assert!(double("nan(12)x").0.is_nan());
        assert_eq!(double("nan(12)x").1, 7);
        assert_eq!(double("5."), (5.0, 2));
    }

    #[test]
    fn integers_at_the_start() {
        assert_eq!(integer_here(b"0x1fz", 0, true), Some((31, 4)));
        assert_eq!(integer_here(b"017", 0, true), Some((15, 3)));
        assert_eq!(integer_here(b"-12", 10, true), Some((-12, 3)));
        assert_eq!(integer_here(b"x", 10, true), None);
        assert_eq!(integer_here(b"99999999999999999999", 10, true), Some((i64::MAX.into(), 20)));
    }
}
