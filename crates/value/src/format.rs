//! Formatted text: `printf` formats with everything of C11 and what glibc adds
//! for the C locale (`%m`, `%b`, numbered arguments, the flag `'`).
//!
//! Defined once for all readings of programs: the executor, the engines and the
//! checker differ in what memory is, so it is theirs to bring ([`Store`]).

use cairn_base::DataModel;

use crate::float::{Conversion, print};
use crate::{Bits, FloatTy, IntTy, Ty};

/// No field may be wider.
const WIDEST: i64 = 1 << 28;

/// The memory of a reading, as far as formats need it. Each operation may end the execution.
pub trait Store {
    type Pointer: Copy;
    type Stop;

    fn model(&self) -> DataModel;

    /// The value of this type at a distance from a pointer; that of a pointer is its address.
    fn read(&mut self, p: Self::Pointer, at: u64, ty: Ty) -> Result<Bits, Self::Stop>;

    /// The pointer at a distance from a pointer.
    fn pointer(&mut self, p: Self::Pointer, at: u64) -> Result<Self::Pointer, Self::Stop>;

    /// The bytes of a string before its end, or before `most` of them.
    fn string(&mut self, p: Self::Pointer, most: Option<usize>) -> Result<Vec<u8>, Self::Stop>;

    /// The address of a pointer as a number.
    fn address(&mut self, p: Self::Pointer) -> Result<u64, Self::Stop>;

    fn write(&mut self, p: Self::Pointer, ty: Ty, bits: Bits) -> Result<(), Self::Stop>;

    /// The format or its arguments break the contract of the library.
    fn misuse(&mut self, what: String) -> Self::Stop;

    /// The text is too long to be made.
    fn too_long(&mut self) -> Self::Stop;
}

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

/// A part of a format: text that stands for itself, or a directive.
enum FormatPart {
    Text(Vec<u8>),
    Directive(Directive),
}

/// Does a format store how much was written (`%n`)? If it cannot be read, it is taken to.
pub fn counts(format: &[u8]) -> bool {
    parse(format).is_none_or(|pieces| {
        pieces.iter().any(|p| matches!(p, FormatPart::Directive(d) if d.conversion == b'n'))
    })
}

/// The text a format makes of the variable arguments that lie at `at` bytes from `area`; `None` if a
/// wide character cannot be encoded (the functions return -1).
pub fn format<S: Store>(
    store: &mut S,
    format: S::Pointer,
    area: S::Pointer,
    at: u64,
) -> Result<Option<Vec<u8>>, S::Stop> {
    let format = store.string(format, None)?;
    let Some(pieces) = parse(&format) else {
        return Err(store.misuse("a format that ends within a conversion".to_owned()));
    };
    let mut source = Source { area, at, numbered: None };
    source.read_numbered(store, &pieces)?;
    let mut out = Vec::new();
    for piece in pieces {
        match piece {
            FormatPart::Text(text) => out.extend_from_slice(&text),
            FormatPart::Directive(d) => match directive(store, d, &mut source, out.len())? {
                Some(text) => out.extend_from_slice(&text),
                None => return Ok(None),
            },
        }
        if out.len() as i64 > WIDEST {
            return Err(store.too_long());
        }
    }
    Ok(Some(out))
}

fn directive<S: Store>(
    store: &mut S,
    mut d: Directive,
    source: &mut Source<S::Pointer>,
    done: usize,
) -> Result<Option<Vec<u8>>, S::Stop> {
    let mut width = source.count(store, d.width)?.unwrap_or(0);
    if width < 0 {
        d.flags.left = true;
        width = width.checked_neg().unwrap_or(i64::MAX);
    }
    // A negative precision is taken as if it were missing.
    let precision = source.count(store, d.precision)?.filter(|&p| p >= 0);
    if width > WIDEST || precision.is_some_and(|p| p > WIDEST) {
        return Err(store.too_long());
    }
    let (width, precision) = (width as usize, precision.map(|p| p as usize));
    let model = store.model();
    let conversion = d.conversion;
    let Some(ty) = argument_type(&d, model) else {
        return match conversion {
            b'%' => Ok(Some(b"%".to_vec())),
            b'm' => Ok(Some(pad(&d.flags, width, b"Success".to_vec()))),
            c => Err(store.misuse(format!("unknown conversion '%{}' in a format", char::from(c)))),
        };
    };
    let place = source.place(model, d.number, ty);
    if ty == Ty::Ptr {
        let p = store.pointer(source.area, place)?;
        return of_pointer(store, &d, width, precision, p, done);
    }
    let value = store.read(source.area, place, ty)?;
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
        b'C' | b'c' if conversion == b'C' || d.length == b"l" => match wide_char(value as u32) {
            Some(byte) => pad(&d.flags, width, vec![byte]),
            None => return Ok(None),
        },
        b'c' => pad(&d.flags, width, vec![value as u8]),
        _ => float(&d, width, precision, ty, value),
    }))
}

/// A conversion whose argument is a pointer.
fn of_pointer<S: Store>(
    store: &mut S,
    d: &Directive,
    width: usize,
    precision: Option<usize>,
    p: S::Pointer,
    done: usize,
) -> Result<Option<Vec<u8>>, S::Stop> {
    Ok(Some(match d.conversion {
        b'S' | b's' if d.conversion == b'S' || d.length == b"l" => match wide_string(store, p, precision)? {
            Some(text) => pad(&d.flags, width, text),
            None => return Ok(None),
        },
        b's' => {
            let text = store.string(p, precision)?;
            pad(&d.flags, width, text)
        }
        b'p' => {
            let address = store.address(p)?;
            if address == 0 {
                pad(&d.flags, width, b"(nil)".to_vec())
            } else {
                let flags = Flags { alternate: true, ..d.flags.clone() };
                integer(&flags, width, precision, false, address.into(), b'x')
            }
        }
        _ => {
            let int = length_type(&d.length, true, store.model());
            store.write(p, Ty::Int(int), int.wrap(done as i128))?;
            Vec::new()
        }
    }))
}

/// A string of `wchar_t` in the C locale, where only ASCII can be encoded.
fn wide_string<S: Store>(
    store: &mut S,
    p: S::Pointer,
    most: Option<usize>,
) -> Result<Option<Vec<u8>>, S::Stop> {
    let mut text = Vec::new();
    while most.is_none_or(|n| text.len() < n) {
        let c = store.read(p, 4 * text.len() as u64, Ty::I32)? as u32;
        if c == 0 {
            break;
        }
        match wide_char(c) {
            Some(byte) => text.push(byte),
            None => return Ok(None),
        }
    }
    Ok(Some(text))
}

fn wide_char(c: u32) -> Option<u8> {
    u8::try_from(c).ok().filter(u8::is_ascii)
}

/// Where arguments lie: in the area in order, or as their numbers say.
struct Source<P> {
    area: P,
    /// Bytes up to the next argument.
    at: u64,
    numbered: Option<Vec<u64>>,
}

impl<P: Copy> Source<P> {
    /// If the format numbers its arguments, the places of all of them follow from their types.
    fn read_numbered<S: Store<Pointer = P>>(
        &mut self,
        store: &mut S,
        pieces: &[FormatPart],
    ) -> Result<(), S::Stop> {
        let model = store.model();
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
            let FormatPart::Directive(d) = piece else { continue };
            for count in [d.width, d.precision] {
                if let Count::Star(number) = count {
                    note(number, Some(Ty::I32));
                }
            }
            note(d.number, argument_type(d, model));
        }
        if types.is_empty() {
            return Ok(());
        }
        if plain || types.contains(&None) {
            return Err(store.misuse("a format that numbers only some of its arguments".to_owned()));
        }
        self.numbered = Some(types.into_iter().flatten().map(|ty| self.next(model, ty)).collect());
        Ok(())
    }

    /// The place of the next argument. Every argument takes whole slots of a pointer's size; wide floats
    /// and integers are aligned to 16 bytes in LP64.
    fn next(&mut self, model: DataModel, ty: Ty) -> u64 {
        let slot = model.ptr_bytes();
        let wide = ty.bytes(model) > 8;
        let (align, room) = match (model, wide) {
            (DataModel::Lp64, true) => (16, 16),
            (DataModel::Ilp32, true) if ty == Ty::Float(FloatTy::X80) => (4, 12),
            _ => (slot, ty.bytes(model).next_multiple_of(slot)),
        };
        let place = self.at.next_multiple_of(align);
        self.at = place + room;
        place
    }

    fn place(&mut self, model: DataModel, number: Option<usize>, ty: Ty) -> u64 {
        match (&self.numbered, number) {
            (Some(places), Some(n)) => places.get(n - 1).copied().unwrap_or(0),
            _ => self.next(model, ty),
        }
    }

    fn count<S: Store<Pointer = P>>(&mut self, store: &mut S, count: Count) -> Result<Option<i64>, S::Stop> {
        Ok(match count {
            Count::Absent => None,
            Count::Given(n) => Some(n),
            Count::Star(number) => {
                let place = self.place(store.model(), number, Ty::I32);
                Some(IntTy::I32.number(store.read(self.area, place, Ty::I32)?) as i64)
            }
        })
    }
}

/// The integer type that a length modifier names.
fn length_type(length: &[u8], signed: bool, model: DataModel) -> IntTy {
    let bits = match length {
        b"hh" => 8,
        b"h" => 16,
        b"l" | b"z" | b"t" | b"Z" => model.ptr_bits(),
        b"ll" | b"j" | b"q" | b"L" => 64,
        _ => 32,
    };
    IntTy { bits, signed }
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

/// `None`: the format ends within a conversion.
fn parse(format: &[u8]) -> Option<Vec<FormatPart>> {
    let mut pieces = Vec::new();
    let mut rest = format;
    while let Some(at) = rest.iter().position(|&b| b == b'%') {
        if at > 0 {
            pieces.push(FormatPart::Text(rest[..at].to_vec()));
        }
        rest = &rest[at + 1..];
        pieces.push(FormatPart::Directive(parse_directive(&mut rest)?));
    }
    if !rest.is_empty() {
        pieces.push(FormatPart::Text(rest.to_vec()));
    }
    Some(pieces)
}

fn parse_directive(rest: &mut &[u8]) -> Option<Directive> {
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
    let (&conversion, after) = rest.split_first()?;
    *rest = after;
    Some(Directive { number, flags, width, precision, length, conversion })
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
