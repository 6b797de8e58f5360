//! Values as text: what a test case and a C file say for a bit pattern, and back.

use cairn_base::DataModel;
use cairn_sem::Given;
use cairn_value::{Bits, FloatTy, IntTy, Ty, float};

/// A value as a test case has it: decimal, or `nan`, `inf`, `-inf`. Reading it back gives the same
/// value (long doubles beyond the precision of a double are rounded).
pub fn text(ty: Ty, bits: Bits) -> String {
    match ty {
        Ty::Bool => u8::from(bits != 0).to_string(),
        Ty::Int(IntTy { bits: 128, signed: false }) => bits.to_string(),
        Ty::Int(i) => i.number(bits & i.mask()).to_string(),
        Ty::Ptr => bits.to_string(),
        Ty::Float(f) => real(float::to_f64(f, bits)),
    }
}

fn real(x: f64) -> String {
    if x.is_nan() {
        "nan".into()
    } else if x.is_infinite() {
        if x > 0.0 { "inf".into() } else { "-inf".into() }
    } else {
        format!("{x:?}")
    }
}

/// What [`text`] wrote, or another tool: integers in C's notations (suffixes too), characters,
/// floats in decimal or hexadecimal.
pub fn read(text: &str) -> Option<Given> {
    let text = text.trim();
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest.trim_start()),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    if let [b'\'', c, b'\''] = digits.as_bytes() {
        return Some(Given::Int(i128::from(*c as i8)));
    }
    match digits {
        "true" => return Some(Given::Int(1)),
        "false" => return Some(Given::Int(0)),
        _ => {}
    }
    let word = digits.to_ascii_lowercase();
    let plain = word.trim_end_matches(['u', 'l']);
    let integer = if let Some(hex) = plain.strip_prefix("0x") {
        u128::from_str_radix(hex, 16).ok()
    } else if let Some(binary) = plain.strip_prefix("0b") {
        u128::from_str_radix(binary, 2).ok()
    } else if plain.len() > 1 && plain.starts_with('0') && plain.bytes().all(|b| b.is_ascii_digit()) {
        u128::from_str_radix(plain, 8).ok()
    } else {
        plain.parse::<u128>().ok()
    };
    if let Some(n) = integer {
        return Some(match (negative, i128::try_from(n)) {
            (false, Ok(n)) => Given::Int(n),
            (true, Ok(n)) => Given::Int(-n),
            (true, Err(_)) if n == 1 << 127 => Given::Int(i128::MIN),
            (true, Err(_)) => return None,
            (false, Err(_)) => Given::Bits(n),
        });
    }
    let x = if word.starts_with("0x") { hex_real(&word)? } else { decimal_real(&word)? };
    Some(Given::Real(if negative { -x } else { x }))
}

fn decimal_real(word: &str) -> Option<f64> {
    match word {
        "nan" | "inf" | "infinity" => word.parse().ok(),
        _ if word.starts_with(|c: char| c.is_ascii_digit() || c == '.') => {
            word.trim_end_matches(['f', 'l']).parse().ok()
        }
        _ => None,
    }
}

/// `0x1.8p3`.
fn hex_real(word: &str) -> Option<f64> {
    let (mantissa, exponent) = word.strip_prefix("0x")?.split_once('p')?;
    let mut exponent: i32 = exponent.trim_end_matches(['f', 'l']).parse().ok()?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.len() + fraction.len() > 26 || whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let digits = u128::from_str_radix(&format!("{whole}{fraction}"), 16).ok()?;
    exponent = exponent.checked_sub(4 * fraction.len() as i32)?;
    // Two steps, so that subnormal results are not lost on the way.
    let half = exponent / 2;
    Some(digits as f64 * 2f64.powi(half) * 2f64.powi(exponent - half))
}

/// The C type that is passed and returned as a value of `ty` is.
pub fn c_type(ty: Ty, model: DataModel) -> Option<&'static str> {
    Some(match ty {
        Ty::Bool => "_Bool",
        Ty::Int(i) => match (i.bits, i.signed) {
            (8, true) => "signed char",
            (8, false) => "unsigned char",
            (16, true) => "short",
            (16, false) => "unsigned short",
            (32, true) => "int",
            (32, false) => "unsigned int",
            (64, true) => "long long",
            (64, false) => "unsigned long long",
            (128, true) if model == DataModel::Lp64 => "__int128",
            (128, false) if model == DataModel::Lp64 => "unsigned __int128",
            _ => return None,
        },
        Ty::Float(FloatTy::F32) => "float",
        Ty::Float(FloatTy::F64) => "double",
        Ty::Float(FloatTy::X80) => "long double",
        Ty::Float(FloatTy::F128) => "_Float128",
        Ty::Ptr => "void *",
    })
}

/// A constant expression of C with this value and (for 32 bits and more) exactly this type;
/// narrower integers are written as they are promoted.
pub fn c_constant(ty: Ty, bits: Bits) -> Option<String> {
    match ty {
        Ty::Bool => Some(u8::from(bits != 0).to_string()),
        Ty::Int(i) => {
            let n = i.number(bits & i.mask());
            let suffix = match (i.bits, i.signed) {
                (..32, _) | (32, true) => "",
                (32, false) => "U",
                (64, true) => "LL",
                (64, false) => "ULL",
                _ => return None,
            };
            Some(match n {
                _ if i.signed && i.bits >= 32 && n == i.min() => format!("(-{}{suffix} - 1)", -(n + 1)),
                ..0 => format!("(-{}{suffix})", -n),
                _ => format!("{n}{suffix}"),
            })
        }
        Ty::Float(f @ (FloatTy::F32 | FloatTy::F64)) => {
            let x = float::to_f64(f, bits);
            let suffix = if f == FloatTy::F32 { "f" } else { "" };
            match x {
                _ if x.is_nan() => None,
                f64::INFINITY => Some(format!("(1.0{suffix} / 0.0{suffix})")),
                f64::NEG_INFINITY => Some(format!("(-1.0{suffix} / 0.0{suffix})")),
                _ if x.is_sign_negative() => Some(format!("(-{:?}{suffix})", -x)),
                _ => Some(format!("{x:?}{suffix}")),
            }
        }
        Ty::Float(_) => None,
        Ty::Ptr => (bits == 0).then(|| "0".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back() {
        for x in [0.1, -0.0, 1e300, 5e-324, f64::INFINITY] {
            let bits = x.to_bits().into();
            let Some(Given::Real(back)) = read(&text(Ty::Float(FloatTy::F64), bits)) else { panic!("{x}") };
            assert_eq!(back.to_bits(), x.to_bits());
        }
        let nan = text(Ty::Float(FloatTy::F32), u128::from(f32::NAN.to_bits()));
        assert!(matches!(read(&nan), Some(Given::Real(x)) if x.is_nan()));
        assert_eq!(text(Ty::Int(IntTy::I8), 0xff), "-1");
        assert_eq!(text(Ty::Int(IntTy::U128), u128::MAX), u128::MAX.to_string());
    }

    #[test]
    fn the_notations_of_others() {
        let ints =
            [("42", 42), ("-0x10", -16), ("017", 15), ("5UL", 5), ("'a'", 97), ("0b11", 3), ("false", 0)];
        for (word, n) in ints {
            assert_eq!(read(word), Some(Given::Int(n)), "{word}");
        }
        assert_eq!(read("0x1.8p1"), Some(Given::Real(3.0)));
        assert_eq!(read("1.5f"), Some(Given::Real(1.5)));
        assert_eq!(read("1e3"), Some(Given::Real(1000.0)));
        for bad in ["", "-", "x", "0x", "1 2", "0xp", "--1", "nanx"] {
            assert_eq!(read(bad), None, "{bad}");
        }
    }

    #[test]
    fn constants_of_c() {
        let c = |i: IntTy, n: i128| c_constant(Ty::Int(i), i.wrap(n)).unwrap();
        assert_eq!(c(IntTy::I32, -5), "(-5)");
        assert_eq!(c(IntTy::I32, i128::from(i32::MIN)), "(-2147483647 - 1)");
        assert_eq!(c(IntTy::U64, 7), "7ULL");
        assert_eq!(c(IntTy::I8, -128), "(-128)");
        assert_eq!(c_constant(Ty::Float(FloatTy::F32), 0.5f32.to_bits().into()).unwrap(), "0.5f");
    }
}
