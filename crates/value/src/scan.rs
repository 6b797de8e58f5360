//! Numbers at the start of a text, as `strtod` finds them.

use crate::float::{from_f64, parse};
use crate::{Bits, FloatTy};

fn is_space(b: u8) -> bool {
    matches!(b, b' ' | b'\t'..=b'\r')
}

fn skip_space(text: &[u8]) -> usize {
    text.iter().take_while(|&&b| is_space(b)).count()
}

/// The float at the start of `text` (after white space), and how many bytes it took: 0 if there
/// is none.
pub fn leading_float(ty: FloatTy, text: &[u8]) -> (Bits, usize) {
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
}
