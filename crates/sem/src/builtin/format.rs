//! `printf` formats: everything of C11 and what glibc adds for the C locale
//! (`%m`, `%b`, numbered arguments, the flag `'`).

use cairn_base::Limit;
use cairn_ir::{Bits, DataModel, FloatTy, IntTy, Ty};
use cairn_value::float::{Conversion, print};

use super::{Arguments, length_type, library};
use crate::machine::Machine;
use crate::stop::Stop;

/// No field may be wider.
const WIDEST: i64 = 1 << 28;

#[derive(Clone, Default, Debug)]
struct Flags {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
}

/// A width or precision.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Count {
    Absent,
    Given(i64),
    /// From an argument: the next, or the one with this number.
    Star(Option<usize>),
}

#[derive(Clone, Debug)]
struct Directive {
    /// The number of the argument, if the format numbers them.
    number: Option<usize>,
    flags: Flags,
    width: Count,
    precision: Count,
    length: Vec<u8>,
    conversion: u8,
}

enum Piece {
    Text(Vec<u8>),
    Directive(Directive),
}

impl Machine<'_> {
    /// The text a format makes of the arguments in `area`; `None` if a wide character cannot be
    /// encoded (the functions return -1).
    pub(super) fn format(&mut self, format: u64, area: u64) -> Result<Option<Vec<u8>>, Stop> {
        let model = self.program.model;
        let format = self.c_string(format, None)?;
        let pieces = parse(&format)?;
        let mut source = Source { arguments: Arguments::new(area, model), numbered: None };
        source.read_numbered(self, &pieces)?;
        let mut out = Vec::new();
        for piece in pieces {
            match piece {
                Piece::Text(text) => out.extend_from_slice(&text),
                Piece::Directive(d) => match self.directive(d, &mut source, out.len())? {
                    Some(text) => out.extend_from_slice(&text),
                    None => return Ok(None),
                },
            }
            if out.len() as i64 > WIDEST {
                return Err(Stop::Limit(Limit::Memory));
            }
        }
        Ok(Some(out))
    }

    fn directive(
        &mut self,
        mut d: Directive,
        source: &mut Source,
        done: usize,
    ) -> Result<Option<Vec<u8>>, Stop> {
        let mut width = source.count(self, d.width)?.unwrap_or(0);
        if width < 0 {
            d.flags.left = true;
            width = width.checked_neg().unwrap_or(i64::MAX);
        }
        // A negative precision is taken as if it were missing.
        let precision = source.count(self, d.precision)?.filter(|&p| p >= 0);
        if width > WIDEST || precision.is_some_and(|p| p > WIDEST) {
            return Err(Stop::Limit(Limit::Memory));
        }
        let (width, precision) = (width as usize, precision.map(|p| p as usize));
        let model = self.program.model;
        let conversion = d.conversion;
        let Some(ty) = argument_type(&d, model) else {
            return match conversion {
                b'%' => Ok(Some(b"%".to_vec())),
                b'm' => Ok(Some(pad(&d.flags, width, b"Success".to_vec()))),
                c => Err(library(format!("unknown conversion '%{}' in a format", char::from(c)))),
            };
        };
        let value = source.value(self, d.number, ty)?;
        Ok(Some(match conversion {
            b'd' | b'i' => {
                let int = length_type(&d.length, true, model);
                let v = int.number(value & int.mask());
                integer(&d.flags, width, precision, v < 0, v.unsigned_abs(), b'd')
            }
            b'u' | b'o' | b'x' | b'X' | b'b' | b'B' => {
                let v = value & length_type(&d.length, false, model).mask();
                let flags = Flags { plus: false, space: false, ..d.flags };
                integer(&flags, width, precision, false, v, conversion)
            }
            b'c' if d.length == b"l" => match wide_char(value as u32) {
                Some(byte) => pad(&d.flags, width, vec![byte]),
                None => return Ok(None),
            },
            b'C' => match wide_char(value as u32) {
                Some(byte) => pad(&d.flags, width, vec![byte]),
                None => return Ok(None),
            },
            b'c' => pad(&d.flags, width, vec![value as u8]),
            b's' if d.length == b"l" => match self.wide_string(value as u64, precision)? {
                Some(text) => pad(&d.flags, width, text),
                None => return Ok(None),
            },
            b'S' => match self.wide_string(value as u64, precision)? {
                Some(text) => pad(&d.flags, width, text),
                None => return Ok(None),
            },
            b's' => {
                let text = self.c_string(value as u64, precision)?;
                pad(&d.flags, width, text)
            }
            b'p' => {
                let address = self.memory.address(value as u64)?;
                if address == 0 {
                    pad(&d.flags, width, b"(nil)".to_vec())
                } else {
                    let flags = Flags { alternate: true, ..d.flags };
                    integer(&flags, width, precision, false, address.into(), b'x')
                }
            }
            b'n' => {
                let int = length_type(&d.length, true, model);
                self.write_value(value as u64, Ty::Int(int), int.wrap(done as i128))?;
                Vec::new()
            }
            _ => float(&d, width, precision, ty, value),
        }))
    }

    /// A string of `wchar_t` in the C locale, where only ASCII can be encoded.
    fn wide_string(&mut self, p: u64, most: Option<usize>) -> Result<Option<Vec<u8>>, Stop> {
        let mut text = Vec::new();
        let mut at = p;
        while most.is_none_or(|n| text.len() < n) {
            let c = self.read_value(at, Ty::I32)? as u32;
            if c == 0 {
                break;
            }
            match wide_char(c) {
                Some(byte) => text.push(byte),
                None => return Ok(None),
            }
            at = crate::statics::move_pointer(at, 4, self.program.model);
        }
        Ok(Some(text))
    }
}

fn wide_char(c: u32) -> Option<u8> {
    u8::try_from(c).ok().filter(u8::is_ascii)
}

/// Where arguments come from: the area in order, or numbered ones that were read beforehand.
struct Source {
    arguments: Arguments,
    numbered: Option<Vec<Bits>>,
}

impl Source {
    /// If the format numbers its arguments, all of them are read in their order first.
    fn read_numbered(&mut self, machine: &Machine<'_>, pieces: &[Piece]) -> Result<(), Stop> {
        let mut types: Vec<Option<Ty>> = Vec::new();
        let mut plain = false;
        let mut note = |number: Option<usize>, ty: Option<Ty>| match (number, ty) {
            (Some(n), Some(ty)) => {
                types.resize(types.len().max(n), None);
                types[n - 1] = Some(ty);
            }
            (None, Some(_)) => plain = true,
            _ => {}
        };
        for piece in pieces {
            let Piece::Directive(d) = piece else { continue };
            for count in [d.width, d.precision] {
                if let Count::Star(number) = count {
                    note(number, Some(Ty::I32));
                }
            }
            note(d.number, argument_type(d, machine.program.model));
        }
        if types.is_empty() {
            return Ok(());
        }
        if plain || types.contains(&None) {
            return Err(library("a format that numbers only some of its arguments"));
        }
        let values = types.into_iter().flatten().map(|ty| self.arguments.next(machine, ty));
        self.numbered = Some(values.collect::<Result<_, _>>()?);
        Ok(())
    }

    fn value(&mut self, machine: &Machine<'_>, number: Option<usize>, ty: Ty) -> Result<Bits, Stop> {
        match (&self.numbered, number) {
            (Some(values), Some(n)) => Ok(values.get(n - 1).copied().unwrap_or(0)),
            _ => self.arguments.next(machine, ty),
        }
    }

    fn count(&mut self, machine: &Machine<'_>, count: Count) -> Result<Option<i64>, Stop> {
        Ok(match count {
            Count::Absent => None,
            Count::Given(n) => Some(n),
            Count::Star(number) => Some(IntTy::I32.number(self.value(machine, number, Ty::I32)?) as i64),
        })
    }
}

/// The type of the argument that a directive takes; `None` if it takes none.
fn argument_type(d: &Directive, model: DataModel) -> Option<Ty> {
    Some(match d.conversion {
        b'd' | b'i' | b'u' | b'o' | b'x' | b'X' | b'b' | b'B' => {
            let signed = matches!(d.conversion, b'd' | b'i');
            let int = length_type(&d.length, signed, model);
            // Narrow arguments were promoted.
            Ty::Int(if int.bits < 32 { IntTy { bits: 32, ..int } } else { int })
        }
        b'c' | b'C' => Ty::I32,
        b's' | b'S' | b'p' | b'n' => Ty::Ptr,
        b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
            Ty::Float(if d.length == b"L" { FloatTy::X80 } else { FloatTy::F64 })
        }
        _ => return None,
    })
}

fn parse(format: &[u8]) -> Result<Vec<Piece>, Stop> {
    let mut pieces = Vec::new();
    let mut rest = format;
    while let Some(at) = rest.iter().position(|&b| b == b'%') {
        if at > 0 {
            pieces.push(Piece::Text(rest[..at].to_vec()));
        }
        rest = &rest[at + 1..];
        pieces.push(Piece::Directive(parse_directive(&mut rest)?));
    }
    if !rest.is_empty() {
        pieces.push(Piece::Text(rest.to_vec()));
    }
    Ok(pieces)
}

fn parse_directive(rest: &mut &[u8]) -> Result<Directive, Stop> {
    let number = parse_position(rest);
    let mut flags = Flags::default();
    while let Some(&c) = rest.first() {
        match c {
            b'-' => flags.left = true,
            b'+' => flags.plus = true,
            b' ' => flags.space = true,
            b'#' => flags.alternate = true,
            b'0' => flags.zero = true,
            b'\'' | b'I' => {}
            _ => break,
        }
        *rest = &rest[1..];
    }
    let width = parse_count(rest);
    let mut precision = Count::Absent;
    if rest.first() == Some(&b'.') {
        *rest = &rest[1..];
        precision = match parse_count(rest) {
            Count::Absent => Count::Given(0),
            given => given,
        };
    }
    let mut length = Vec::new();
    while let Some(&c) = rest.first()
        && b"hlLjztqZ".contains(&c)
        && length.len() < 2
    {
        length.push(c);
        *rest = &rest[1..];
    }
    let Some((&conversion, after)) = rest.split_first() else {
        return Err(library("a format that ends within a conversion"));
    };
    *rest = after;
    Ok(Directive { number, flags, width, precision, length, conversion })
}

/// `12$`, if it stands there.
fn parse_position(rest: &mut &[u8]) -> Option<usize> {
    let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    if digits == 0 || digits > 4 || rest.get(digits) != Some(&b'$') {
        return None;
    }
    let n = number(&rest[..digits]) as usize;
    if n == 0 {
        return None;
    }
    *rest = &rest[digits + 1..];
    Some(n)
}

fn parse_count(rest: &mut &[u8]) -> Count {
    if rest.first() == Some(&b'*') {
        *rest = &rest[1..];
        return Count::Star(parse_position(rest));
    }
    let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
    if digits == 0 {
        return Count::Absent;
    }
    let n = number(&rest[..digits]);
    *rest = &rest[digits..];
    Count::Given(n)
}

fn number(digits: &[u8]) -> i64 {
    digits.iter().fold(0i64, |n, &d| n.saturating_mul(10).saturating_add(i64::from(d - b'0')))
}

/// Spaces on the side where they belong.
fn pad(flags: &Flags, width: usize, text: Vec<u8>) -> Vec<u8> {
    let missing = width.saturating_sub(text.len());
    let mut out = Vec::with_capacity(text.len() + missing);
    if !flags.left {
        out.resize(missing, b' ');
    }
    out.extend_from_slice(&text);
    if flags.left {
        out.resize(out.len() + missing, b' ');
    }
    out
}

/// Sign or base, zeroes up to the width if asked for, digits.
fn pad_number(flags: &Flags, width: usize, prefix: &[u8], digits: &[u8], zeroes: bool) -> Vec<u8> {
    let mut text = prefix.to_vec();
    if zeroes && flags.zero && !flags.left {
        let missing = width.saturating_sub(prefix.len() + digits.len());
        text.resize(text.len() + missing, b'0');
    }
    text.extend_from_slice(digits);
    pad(flags, width, text)
}

fn sign(flags: &Flags, negative: bool) -> &'static [u8] {
    match (negative, flags.plus, flags.space) {
        (true, ..) => b"-",
        (false, true, _) => b"+",
        (false, false, true) => b" ",
        _ => b"",
    }
}

fn integer(
    flags: &Flags,
    width: usize,
    precision: Option<usize>,
    negative: bool,
    v: u128,
    conversion: u8,
) -> Vec<u8> {
    let mut digits = match conversion {
        b'o' => format!("{v:o}"),
        b'x' => format!("{v:x}"),
        b'X' => format!("{v:X}"),
        b'b' | b'B' => format!("{v:b}"),
        _ => v.to_string(),
    };
    if v == 0 && precision == Some(0) {
        digits.clear();
    }
    if let Some(least) = precision
        && digits.len() < least
    {
        digits = "0".repeat(least - digits.len()) + &digits;
    }
    if conversion == b'o' && flags.alternate && !digits.starts_with('0') {
        digits.insert(0, '0');
    }
    let mut prefix = sign(flags, negative).to_vec();
    if flags.alternate && v != 0 && b"xXbB".contains(&conversion) {
        prefix.extend_from_slice(&[b'0', conversion]);
    }
    pad_number(flags, width, &prefix, digits.as_bytes(), precision.is_none())
}

fn float(d: &Directive, width: usize, precision: Option<usize>, ty: Ty, value: Bits) -> Vec<u8> {
    let Ty::Float(ty) = ty else { return Vec::new() };
    let conversion = match d.conversion.to_ascii_lowercase() {
        b'f' => Conversion::Fixed,
        b'e' => Conversion::Exponent,
        b'g' => Conversion::General,
        _ => Conversion::Hex,
    };
    let mut text = print(ty, value, conversion, precision, d.flags.alternate);
    let finite = !text.ends_with('f') && !text.ends_with('n') || text.starts_with("0x");
    if d.conversion.is_ascii_uppercase() {
        text.make_ascii_uppercase();
    }
    let negative = value >> (ty.bits() - 1) & 1 != 0;
    let mut prefix = sign(&d.flags, negative).to_vec();
    let mut digits = text.as_bytes();
    if conversion == Conversion::Hex && finite {
        prefix.extend_from_slice(&digits[..2]);
        digits = &digits[2..];
    }
    pad_number(&d.flags, width, &prefix, digits, finite)
}
