//! Values of constants: numbers, characters and strings, with every prefix,
//! suffix and escape that gcc knows.

use crate::ast::{CharPrefix, ExprKind, FloatLit, IntLit};

/// The constant that a preprocessing number denotes, or why it denotes none.
pub fn number(text: &str) -> Result<ExprKind, String> {
    let lower = text.to_ascii_lowercase();
    let (radix, digits) = match lower.as_bytes() {
        [b'0', b'x', ..] => (16, &lower[2..]),
        [b'0', b'b', ..] => (2, &lower[2..]),
        _ => (10, &lower[..]),
    };
    let exponent = if radix == 16 { 'p' } else { 'e' };
    let is_float = radix != 2 && digits.contains(['.', exponent]);
    if is_float { float(text, &lower, radix) } else { int(text, digits, radix) }
}

fn int(text: &str, digits: &str, radix: u32) -> Result<ExprKind, String> {
    let end = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
    let (number, suffix) = digits.split_at(end);
    let bad_suffix = || {
        // The suffix as the user wrote it, in the user's case.
        format!("invalid suffix \"{}\" on integer constant", &text[text.len() - suffix.len()..])
    };
    if number.is_empty() {
        return Err(bad_suffix());
    }
    let octal = radix == 10 && number.len() > 1 && number.starts_with('0');
    let radix = if octal { 8 } else { radix };
    let mut value: u128 = 0;
    for digit in number.chars() {
        let digit =
            digit.to_digit(radix).ok_or_else(|| format!("invalid digit \"{digit}\" in octal constant"))?;
        // Like gcc, which keeps the low bits of what is too large (and warns).
        value = value.wrapping_mul(u128::from(radix)).wrapping_add(u128::from(digit));
    }
    let mut literal = IntLit { value, unsigned: false, longs: 0, decimal: radix == 10, imaginary: false };
    let written = &text[text.len() - suffix.len()..];
    if written.contains("lL") || written.contains("Ll") {
        return Err(bad_suffix());
    }
    let mut rest = suffix;
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix("ll").filter(|_| literal.longs == 0) {
            (literal.longs, rest) = (2, after);
        } else if let Some(after) = rest.strip_prefix('l').filter(|_| literal.longs == 0) {
            (literal.longs, rest) = (1, after);
        } else if let Some(after) = rest.strip_prefix('u').filter(|_| !literal.unsigned) {
            (literal.unsigned, rest) = (true, after);
        } else if let Some(after) = rest.strip_prefix(['i', 'j']).filter(|_| !literal.imaginary) {
            (literal.imaginary, rest) = (true, after);
        } else {
            return Err(bad_suffix());
        }
    }
    Ok(ExprKind::Int(literal))
}

fn float(text: &str, lower: &str, radix: u32) -> Result<ExprKind, String> {
    let bytes = lower.as_bytes();
    let mut at = if radix == 16 { 2 } else { 0 };
    let is_digit = |b: u8| char::from(b).is_digit(radix);
    let start = at;
    while at < bytes.len() && (is_digit(bytes[at]) || bytes[at] == b'.') {
        at += 1;
    }
    let mantissa = &lower[start..at];
    if mantissa.matches('.').count() > 1 {
        return Err("too many decimal points in number".into());
    }
    if !mantissa.bytes().any(is_digit) {
        return Err("no digits in floating constant".into());
    }
    let marker = if radix == 16 { b'p' } else { b'e' };
    if at < bytes.len() && bytes[at] == marker {
        at += 1;
        if at < bytes.len() && matches!(bytes[at], b'+' | b'-') {
            at += 1;
        }
        let digits = at;
        while at < bytes.len() && bytes[at].is_ascii_digit() {
            at += 1;
        }
        if digits == at {
            return Err("exponent has no digits".into());
        }
    } else if radix == 16 {
        return Err("hexadecimal floating constants require an exponent".into());
    }
    let (digits, mut suffix) = lower.split_at(at);
    let mut imaginary = false;
    if let Some(rest) = suffix.strip_suffix(['i', 'j']).or_else(|| suffix.strip_prefix(['i', 'j'])) {
        (suffix, imaginary) = (rest, true);
    }
    // `1.0d` is a double in gcc, and `w` is `__float80`, which is long double here.
    let suffix = match suffix {
        "d" => "",
        "w" => "l",
        "" | "f" | "l" | "q" | "f16" | "f32" | "f64" | "f128" | "f32x" | "f64x" | "bf16" | "df" | "dd"
        | "dl" => suffix,
        _ => return Err(format!("invalid suffix \"{}\" on floating constant", &text[at..])),
    };
    Ok(ExprKind::Float(FloatLit { text: digits.to_owned(), suffix: suffix.to_owned(), imaginary }))
}

/// Splits `u8"…"` into the prefix and what stands between the quotes.
pub fn unquote(text: &[u8]) -> (CharPrefix, &[u8]) {
    let open = text.iter().position(|b| matches!(b, b'"' | b'\'')).unwrap_or(0);
    let prefix = match &text[..open] {
        b"L" => CharPrefix::Wide,
        b"u" => CharPrefix::U16,
        b"U" => CharPrefix::U32,
        b"u8" => CharPrefix::Utf8,
        _ => CharPrefix::None,
    };
    (prefix, &text[open + 1..text.len() - 1])
}

/// Appends the code units of a literal's inner text, as units of `prefix`.
pub fn decode(mut inner: &[u8], prefix: CharPrefix, units: &mut Vec<u32>) -> Result<(), String> {
    let narrow = matches!(prefix, CharPrefix::None | CharPrefix::Utf8);
    while let [byte, rest @ ..] = inner {
        if *byte == b'\\' {
            inner = escape(rest, prefix, units)?;
        } else if narrow || byte.is_ascii() {
            units.push(u32::from(*byte));
            inner = rest;
        } else {
            let length = inner.len().min(4);
            let valid = (1..=length).find_map(|n| std::str::from_utf8(&inner[..n]).ok());
            let Some(c) = valid.and_then(|s| s.chars().next()) else {
                return Err("the literal is not valid UTF-8".into());
            };
            push_char(c, prefix, units);
            inner = &inner[c.len_utf8()..];
        }
    }
    Ok(())
}

fn push_char(c: char, prefix: CharPrefix, units: &mut Vec<u32>) {
    match prefix {
        CharPrefix::None | CharPrefix::Utf8 => {
            units.extend(c.encode_utf8(&mut [0; 4]).bytes().map(u32::from));
        }
        CharPrefix::U16 => units.extend(c.encode_utf16(&mut [0; 2]).iter().map(|&u| u32::from(u))),
        CharPrefix::Wide | CharPrefix::U32 => units.push(c.into()),
    }
}

/// One escape sequence after its backslash; gives back what follows it.
fn escape<'t>(text: &'t [u8], prefix: CharPrefix, units: &mut Vec<u32>) -> Result<&'t [u8], String> {
    let Some((&first, rest)) = text.split_first() else {
        return Err("a backslash ends the literal".into());
    };
    let simple = match first {
        b'n' => 10,
        b't' => 9,
        b'r' => 13,
        b'a' => 7,
        b'b' => 8,
        b'f' => 12,
        b'v' => 11,
        b'e' | b'E' => 27,
        b'0'..=b'7' => {
            let length = text.iter().take(3).take_while(|b| matches!(b, b'0'..=b'7')).count();
            let value = text[..length].iter().fold(0, |v, b| v * 8 + u32::from(b - b'0'));
            units.push(value & mask(prefix));
            return Ok(&text[length..]);
        }
        b'x' => {
            let length = rest.iter().take_while(|b| b.is_ascii_hexdigit()).count();
            if length == 0 {
                return Err("\\x used with no following hex digits".into());
            }
            let digit = |b: &u8| char::from(*b).to_digit(16).unwrap_or(0);
            let value = rest[..length].iter().fold(0u32, |v, b| v.wrapping_shl(4) | digit(b));
            units.push(value & mask(prefix));
            return Ok(&rest[length..]);
        }
        b'u' | b'U' => {
            let length = if first == b'u' { 4 } else { 8 };
            let hex = rest.get(..length).filter(|h| h.iter().all(u8::is_ascii_hexdigit));
            let value =
                hex.and_then(|h| std::str::from_utf8(h).ok()).and_then(|h| u32::from_str_radix(h, 16).ok());
            let Some(c) = value.and_then(char::from_u32) else {
                return Err("incomplete or invalid universal character name".into());
            };
            push_char(c, prefix, units);
            return Ok(&rest[length..]);
        }
        b'\n' => return Ok(rest),
        // Unknown escapes stand for their character, as in gcc (which warns).
        other => u32::from(other),
    };
    units.push(simple);
    Ok(rest)
}

fn mask(prefix: CharPrefix) -> u32 {
    match prefix {
        CharPrefix::None | CharPrefix::Utf8 => 0xff,
        CharPrefix::U16 => 0xffff,
        CharPrefix::Wide | CharPrefix::U32 => !0,
    }
}

/// The value of a character constant from its code units: gcc packs several
/// narrow characters into an `int` (the last four count) and takes the last of
/// several wide ones.
pub fn char_value(units: &[u32], prefix: CharPrefix) -> Result<i64, String> {
    let Some(&last) = units.last() else { return Err("empty character constant".into()) };
    Ok(match prefix {
        CharPrefix::None if units.len() == 1 => i64::from(last as u8 as i8),
        CharPrefix::None => {
            let packed = units.iter().fold(0u32, |v, unit| v.wrapping_shl(8) | (unit & 0xff));
            i64::from(packed as i32)
        }
        CharPrefix::Wide => i64::from(last as i32),
        CharPrefix::U16 | CharPrefix::U32 | CharPrefix::Utf8 => i64::from(last),
    })
}

/// The prefix of two adjacent string literals together.
pub fn join_prefix(a: CharPrefix, b: CharPrefix) -> Result<CharPrefix, String> {
    use CharPrefix::{None, Utf8};
    match (a, b) {
        _ if a == b => Ok(a),
        (None, other) | (other, None) => Ok(other),
        (Utf8, _) | (_, Utf8) | (_, _) => {
            Err("unsupported non-standard concatenation of string literals".into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int_of(text: &str) -> (u128, bool, u8, bool) {
        match number(text) {
            Ok(ExprKind::Int(l)) => (l.value, l.unsigned, l.longs, l.decimal),
            other => panic!("{text}: {other:?}"),
        }
    }

    fn float_of(text: &str) -> (String, String, bool) {
        match number(text) {
            Ok(ExprKind::Float(l)) => (l.text, l.suffix, l.imaginary),
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn integers() {
        assert_eq!(int_of("0"), (0, false, 0, true));
        assert_eq!(int_of("017"), (15, false, 0, false));
        assert_eq!(int_of("0b101u"), (5, true, 0, false));
        assert_eq!(int_of("0xFFuLL"), (255, true, 2, false));
        assert_eq!(int_of("12lu"), (12, true, 1, true));
        assert_eq!(int_of("18446744073709551616").0, 1 << 64);
        assert!(matches!(number("3i"), Ok(ExprKind::Int(IntLit { imaginary: true, .. }))));
        for bad in ["08", "1lL", "1ulul", "0x", "0b2", "1abc", "0bx", "1é"] {
            assert!(number(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn floats() {
        assert_eq!(float_of("1.5F"), ("1.5".into(), "f".into(), false));
        assert_eq!(float_of("1.d"), ("1.".into(), "".into(), false));
        assert_eq!(float_of("0x1.8p-3L"), ("0x1.8p-3".into(), "l".into(), false));
        assert_eq!(float_of("2e10f128"), ("2e10".into(), "f128".into(), false));
        assert_eq!(float_of(".5fi"), (".5".into(), "f".into(), true));
        assert_eq!(float_of("1.0if"), ("1.0".into(), "f".into(), true));
        assert_eq!(float_of("1.0F32x").1, "f32x");
        assert_eq!(float_of("09.5").0, "09.5");
        for bad in ["1.2.3", "1e", "1e+", "0x1.8", "1.0x", "0x.p1"] {
            assert!(number(bad).is_err(), "{bad}");
        }
    }

    fn units(text: &str) -> Vec<u32> {
        let (prefix, inner) = unquote(text.as_bytes());
        let mut units = vec![];
        decode(inner, prefix, &mut units).unwrap();
        units
    }

    fn value(text: &str) -> i64 {
        let (prefix, _) = unquote(text.as_bytes());
        char_value(&units(text), prefix).unwrap()
    }

    #[test]
    fn characters() {
        assert_eq!(value("'a'"), 97);
        assert_eq!(value(r"'\xff'"), -1);
        assert_eq!(value(r"'\377'"), -1);
        assert_eq!(value(r"'\e'"), 27);
        assert_eq!(value(r"'\q'"), 113);
        assert_eq!(value("'ab'"), 0x6162);
        assert_eq!(value("'abcde'"), 0x6263_6465);
        assert_eq!(value(r"L'\xffffffff'"), -1);
        assert_eq!(value(r"u'\xffff'"), 0xffff);
        assert_eq!(value("L'é'"), 0xe9);
        assert!(char_value(&[], CharPrefix::None).is_err());
    }

    #[test]
    fn strings() {
        assert_eq!(units(r#""\1234\x41g""#), [0o123, 0x34, 0x41, 0x67]);
        assert_eq!(units(r#""é""#), [0xc3, 0xa9]);
        assert_eq!(units(r#""\u00e9""#), [0xc3, 0xa9]);
        assert_eq!(units(r#"u"\U0001F600""#), [0xd83d, 0xde00]);
        assert_eq!(units(r#"L"😀""#), [0x1f600]);
        assert!(decode(b"\\", CharPrefix::None, &mut vec![]).is_err());
        assert!(decode(b"\xff", CharPrefix::Wide, &mut vec![]).is_err());
    }
}
