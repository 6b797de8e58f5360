//! Floats from and to text, exactly: literals are rounded correctly, and
//! printing starts from the exact decimal expansion, which every binary float
//! has, so that any precision comes out as the C library would print it.

use num_bigint::BigUint;

use super::encoding::{Class, classify, format_of, infinity, round_pack, shift_right_to_even};
use crate::{Bits, FloatTy};

/// More significant decimal digits than any point half-way between two floats
/// of any format has. What follows them matters only in being zero or not.
const DECISIVE_DIGITS: usize = 12_000;

/// The float nearest to a decimal or hexadecimal C literal without sign and
/// suffix (`1.5e3`, `.5`, `0x1.8p3`; the exponent of a hexadecimal one may be
/// missing, as for `strtod`). `None` if the text is none.
pub fn parse(ty: FloatTy, text: &str) -> Option<Bits> {
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(hex) => parse_hex(ty, hex),
        None => parse_decimal(ty, text),
    }
}

/// A literal taken apart: all digits, how many of them follow the point, and the exponent.
struct Literal {
    digits: Vec<u8>,
    fraction: i64,
    exponent: i64,
}

fn take_apart(text: &str, radix: u32, marker: u8) -> Option<Literal> {
    let bytes = text.as_bytes();
    let mut literal = Literal { digits: Vec::new(), fraction: 0, exponent: 0 };
    let mut point = false;
    let mut at = 0;
    let mut any = false;
    while let Some(&c) = bytes.get(at) {
        if let Some(d) = (c as char).to_digit(radix) {
            any = true;
            literal.fraction += i64::from(point);
            if d != 0 || !literal.digits.is_empty() {
                literal.digits.push(d as u8);
            }
        } else if c == b'.' && !point {
            point = true;
        } else {
            break;
        }
        at += 1;
    }
    if !any {
        return None;
    }
    if at < bytes.len() {
        if bytes[at].to_ascii_lowercase() != marker {
            return None;
        }
        literal.exponent = parse_exponent(&bytes[at + 1..])?;
    }
    Some(literal)
}

/// A signed decimal number, saturated where no float can tell the difference.
fn parse_exponent(bytes: &[u8]) -> Option<i64> {
    let (negative, digits) = match bytes.first()? {
        b'+' => (false, &bytes[1..]),
        b'-' => (true, &bytes[1..]),
        _ => (false, bytes),
    };
    if digits.is_empty() {
        return None;
    }
    let mut value = 0i64;
    for &c in digits {
        let d = (c as char).to_digit(10)?;
        value = (value * 10 + i64::from(d)).min(1 << 40);
    }
    Some(if negative { -value } else { value })
}

fn parse_hex(ty: FloatTy, text: &str) -> Option<Bits> {
    let literal = take_apart(text, 16, b'p')?;
    // 31 digits fit, and exceed every precision by more than two bits.
    let kept = literal.digits.len().min(31);
    let mut significand = literal.digits[..kept].iter().fold(0u128, |v, &d| v << 4 | u128::from(d));
    significand |= u128::from(literal.digits[kept..].iter().any(|&d| d != 0));
    let dropped = (literal.digits.len() - kept) as i64;
    let exponent = literal.exponent + 4 * (dropped - literal.fraction);
    Some(round_pack(ty, false, significand, exponent.clamp(-1_000_000, 1_000_000) as i32))
}

fn parse_decimal(ty: FloatTy, text: &str) -> Option<Bits> {
    let mut literal = take_apart(text, 10, b'e')?;
    match ty {
        FloatTy::F32 => return Some(u128::from(text.parse::<f32>().ok()?.to_bits())),
        FloatTy::F64 => return Some(u128::from(text.parse::<f64>().ok()?.to_bits())),
        FloatTy::X80 | FloatTy::F128 => {}
    }
    let mut scale = literal.exponent - literal.fraction;
    if literal.digits.len() > DECISIVE_DIGITS {
        let rest = literal.digits.split_off(DECISIVE_DIGITS);
        scale += rest.len() as i64;
        if rest.iter().any(|&d| d != 0) {
            literal.digits.push(1);
            scale -= 1;
        }
    }
    // The value lies in 10^(magnitude-1) .. 10^magnitude.
    let magnitude = literal.digits.len() as i64 + scale;
    if literal.digits.is_empty() || magnitude < -5_000 {
        return Some(0);
    }
    if magnitude > 5_000 {
        return Some(infinity(ty, false));
    }
    let digits = BigUint::from_radix_be(&literal.digits, 10)?;
    let power = BigUint::from(10u32).pow(scale.unsigned_abs() as u32);
    let (value, exponent, exact) = if scale >= 0 {
        (digits * power, 0, true)
    } else {
        // A quotient of at least 128 bits.
        let shift = (128 + power.bits()).saturating_sub(digits.bits());
        let numerator = digits << shift;
        let quotient = &numerator / &power;
        let exact = &quotient * &power == numerator;
        (quotient, -(shift as i32), exact)
    };
    let surplus = value.bits().saturating_sub(126);
    let top = &value >> surplus;
    let exact = exact && &top << surplus == value;
    let significand = u128::try_from(top).ok()? << 1 | u128::from(!exact);
    Some(round_pack(ty, false, significand, exponent + surplus as i32 - 1))
}

/// The exact value of a finite float: `0.d1 d2 d3 … * 10^point`, no leading zero
/// digit. Zero has no digits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decimal {
    pub digits: Vec<u8>,
    pub point: i64,
}

/// The exact decimal expansion of the magnitude; `None` for infinities and NaNs.
pub fn to_decimal(ty: FloatTy, a: Bits) -> Option<Decimal> {
    let (significand, exponent) = match classify(ty, a) {
        Class::Zero => return Some(Decimal { digits: Vec::new(), point: 0 }),
        Class::Finite { significand, exponent } => (BigUint::from(significand), exponent),
        Class::Infinite | Class::Nan => return None,
    };
    // 2^-n = 5^n / 10^n
    let (integer, scale) = if exponent >= 0 {
        (significand << exponent, 0)
    } else {
        let n = exponent.unsigned_abs();
        (significand * BigUint::from(5u32).pow(n), i64::from(n))
    };
    let mut digits = integer.to_radix_be(10);
    let point = digits.len() as i64 - scale;
    while digits.last() == Some(&0) {
        digits.pop();
    }
    Some(Decimal { digits, point })
}

impl Decimal {
    /// The digit with weight `10^(point - 1 - at)`.
    fn digit(&self, at: i64) -> char {
        let d = usize::try_from(at).ok().and_then(|i| self.digits.get(i)).copied().unwrap_or(0);
        char::from(b'0' + d)
    }

    /// Rounded to its first `keep` digits, ties to even.
    fn rounded(&self, keep: i64) -> Decimal {
        let Ok(keep) = usize::try_from(keep) else { return Decimal { digits: Vec::new(), point: 0 } };
        if keep >= self.digits.len() {
            return self.clone();
        }
        let (kept, rest) = self.digits.split_at(keep);
        let odd = kept.last().is_some_and(|d| d % 2 == 1);
        let up = rest[0] > 5 || rest[0] == 5 && (odd || rest[1..].iter().any(|&d| d != 0));
        let (mut digits, mut point) = (kept.to_vec(), self.point);
        if up {
            while digits.last() == Some(&9) {
                digits.pop();
            }
            match digits.last_mut() {
                Some(last) => *last += 1,
                None => {
                    digits.push(1);
                    point += 1;
                }
            }
        }
        Decimal { digits, point }
    }
}

/// The conversions of `printf` (`f`, `e`, `g`, `a`).
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Conversion {
    Fixed,
    Exponent,
    General,
    Hex,
}

/// The magnitude of a float as `printf` prints it, in lower case and without
/// padding. `alternate` is the flag `#`.
pub fn print(
    ty: FloatTy,
    a: Bits,
    conversion: Conversion,
    precision: Option<usize>,
    alternate: bool,
) -> String {
    let Some(value) = to_decimal(ty, a) else {
        return if classify(ty, a) == Class::Infinite { "inf" } else { "nan" }.to_owned();
    };
    let digits = precision.unwrap_or(6) as i64;
    match conversion {
        Conversion::Fixed => print_fixed(&value, digits, alternate),
        Conversion::Exponent => print_exponent(&value, digits, alternate),
        Conversion::General => print_general(&value, digits, alternate),
        Conversion::Hex => print_hex(ty, a, precision, alternate),
    }
}

fn print_fixed(value: &Decimal, precision: i64, alternate: bool) -> String {
    let value = value.rounded(value.point.saturating_add(precision));
    let mut text = String::new();
    if value.digits.is_empty() || value.point <= 0 {
        text.push('0');
    } else {
        text.extend((0..value.point).map(|i| value.digit(i)));
    }
    if precision > 0 || alternate {
        text.push('.');
    }
    text.extend((value.point..value.point.saturating_add(precision)).map(|i| value.digit(i)));
    text
}

fn print_exponent(value: &Decimal, precision: i64, alternate: bool) -> String {
    let value = value.rounded(precision.saturating_add(1));
    let mut text = String::from(value.digit(0));
    if precision > 0 || alternate {
        text.push('.');
    }
    text.extend((1..=precision).map(|i| value.digit(i)));
    let exponent = if value.digits.is_empty() { 0 } else { value.point - 1 };
    let sign = if exponent < 0 { '-' } else { '+' };
    text.push_str(&format!("e{sign}{:02}", exponent.abs()));
    text
}

fn print_general(value: &Decimal, precision: i64, alternate: bool) -> String {
    let precision = precision.max(1);
    let rounded = value.rounded(precision);
    let exponent = if rounded.digits.is_empty() { 0 } else { rounded.point - 1 };
    let fixed = -4 <= exponent && exponent < precision;
    let mut text = if fixed {
        print_fixed(value, precision - 1 - exponent, alternate)
    } else {
        print_exponent(value, precision - 1, alternate)
    };
    if !alternate && text.contains('.') {
        let end = text.find('e').unwrap_or(text.len());
        let tail = text.split_off(end);
        let kept = text.trim_end_matches('0').trim_end_matches('.').len();
        text.truncate(kept);
        text.push_str(&tail);
    }
    text
}

/// As the GNU C library does it: one bit before the point for the IEEE formats,
/// four for the x87 format; subnormals keep the smallest exponent.
fn print_hex(ty: FloatTy, a: Bits, precision: Option<usize>, alternate: bool) -> String {
    if ty == FloatTy::F32 {
        return print_hex(FloatTy::F64, super::convert(ty, FloatTy::F64, a), precision, alternate);
    }
    let all = ((format_of(ty).precision - 1) / 4) as usize;
    let (mut significand, mut exponent) = match classify(ty, a) {
        Class::Finite { significand, exponent } => (significand, exponent + 4 * all as i32),
        _ => (0, 0),
    };
    let mut shown = all;
    match precision {
        Some(p) if p < all => {
            significand = shift_right_to_even(significand, 4 * (all - p) as u32);
            shown = p;
        }
        Some(_) => {}
        None => {
            while shown > 0 && significand & 0xf == 0 {
                significand >>= 4;
                shown -= 1;
            }
        }
    }
    let mut leading = significand >> (4 * shown);
    if leading > 0xf {
        leading = 1;
        exponent += 4;
    }
    let mut text = format!("0x{leading:x}");
    let wanted = precision.unwrap_or(shown);
    if wanted > 0 || alternate {
        text.push('.');
    }
    if shown > 0 {
        let fraction = significand & ((1 << (4 * shown)) - 1);
        text.push_str(&format!("{fraction:0shown$x}"));
    }
    text.extend(std::iter::repeat_n('0', wanted.saturating_sub(shown)));
    text.push_str(&format!("p{exponent:+}"));
    text
}
