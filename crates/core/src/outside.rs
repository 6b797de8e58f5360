//! Inputs by where they come from, as people and harnesses want them: standard
//! input as a text, arguments as strings.

use cairn_ir::{DataModel, FloatTy, Place, Ty};
use cairn_sem::InputRecord;
use cairn_value::eval;

use crate::arguments::{COUNT, ENVIRONMENT, VECTOR};

/// Is it something that is read from standard input?
pub fn is_stdin(input: &InputRecord) -> bool {
    input.name.as_str() == "stdin" || input.name.starts_with("stdin_")
}

fn number(input: &InputRecord) -> i128 {
    match input.ty {
        Ty::Int(i) => i.number(input.bits),
        _ => input.bits as i128,
    }
}

/// The text that gives the program these inputs if it is its standard input; `None` if nothing is read.
pub fn stdin_text(inputs: &[InputRecord]) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    let (mut any, mut ended) = (false, false);
    for input in inputs.iter().filter(|i| is_stdin(i)) {
        any = true;
        let value = number(input);
        let byte = u8::try_from(value);
        match input.name.as_str() {
            "stdin" => text.extend(byte),
            "stdin_word" | "stdin_number" | "stdin_real" => {
                // White space in front of it is passed over.
                if let Ok(byte) = byte {
                    text.extend([b' ', byte]);
                }
            }
            "stdin_d" => text.extend(format!(" {}", value as i64).bytes()),
            "stdin_u" => text.extend(format!(" {}", value as u64).bytes()),
            _ => text.extend(format!(" {}", real(input)).bytes()),
        }
        let kind = matches!(input.name.as_str(), "stdin_number" | "stdin_real");
        ended |= match kind {
            true => !(0..=256).contains(&value),
            false => matches!(input.name.as_str(), "stdin" | "stdin_word") && byte.is_err(),
        };
    }
    if !ended && text.last().is_some_and(u8::is_ascii_digit) {
        text.push(b'\n');
    }
    any.then_some(text)
}

fn real(input: &InputRecord) -> String {
    let bits = match input.ty {
        Ty::Float(f) => eval::cast(Ty::Float(f), Ty::Float(FloatTy::F64), input.bits, DataModel::HOST).ok(),
        _ => None,
    };
    let value = f64::from_bits(bits.unwrap_or(0) as u64);
    if value.is_nan() { "nan".to_owned() } else { format!("{value:e}") }
}

/// The arguments that the program is called with, its name first; `None` if it does not look at them.
pub fn arguments(inputs: &[InputRecord]) -> Option<Vec<Vec<u8>>> {
    let strings = strings(inputs, VECTOR);
    let count = inputs.iter().find(|i| i.name.as_str() == COUNT).map(number)?;
    let count = usize::try_from(count).ok()?;
    match strings.is_empty() {
        // It looks at their number.
        true => (count < 1 << 12).then(|| vec![b"x".to_vec(); count]),
        false => Some(strings.into_iter().take(count).collect()),
    }
}

/// The environment, if the program looks at all of it.
pub fn environment(inputs: &[InputRecord]) -> Option<Vec<Vec<u8>>> {
    let count = inputs.iter().find(|i| i.name.as_str() == "envc").map(number)?;
    Some(strings(inputs, ENVIRONMENT).into_iter().take(usize::try_from(count).ok()?).collect())
}

fn strings(inputs: &[InputRecord], vector: &str) -> Vec<Vec<u8>> {
    let mut strings: Vec<(usize, Vec<u8>)> = Vec::new();
    for input in inputs {
        let Some(n) = indexed(input.name.as_str(), vector) else { continue };
        if strings.last().is_none_or(|(m, _)| *m != n) {
            strings.push((n, Vec::new()));
        }
        if let Some((_, string)) = strings.last_mut() {
            string.push(input.bits as u8);
        }
    }
    let cut = |s: Vec<u8>| s.into_iter().take_while(|&b| b != 0).collect();
    strings.into_iter().map(|(_, s)| cut(s)).collect()
}

/// `vector[5]` is 5.
fn indexed(name: &str, vector: &str) -> Option<usize> {
    name.strip_prefix(vector)?.strip_prefix('[')?.strip_suffix(']')?.parse().ok()
}

/// Is it part of what the program is called with?
pub fn is_argument(input: &InputRecord) -> bool {
    let name = input.name.as_str();
    name == COUNT || name == "envc" || [VECTOR, ENVIRONMENT].iter().any(|v| indexed(name, v).is_some())
}

/// An input as people read it: the call that gives it, or what it is.
pub fn called(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    match name.chars().all(plain) && !name.starts_with("stdin") && name != COUNT {
        true => format!("{name}()"),
        false => name.to_owned(),
    }
}

/// What comes from outside as a whole, to be shown: what it is, its value, where it is first read.
pub fn shown(inputs: &[InputRecord]) -> Vec<(String, String, Place)> {
    let mut all = Vec::new();
    let place =
        |wanted: fn(&InputRecord) -> bool| inputs.iter().find(|i| wanted(i)).map_or(Place::NONE, |i| i.place);
    for (n, argument) in arguments(inputs).into_iter().flatten().enumerate() {
        all.push((format!("{VECTOR}[{n}]"), quoted(&argument), place(is_argument)));
    }
    for (n, string) in environment(inputs).into_iter().flatten().enumerate() {
        all.push((format!("{ENVIRONMENT}[{n}]"), quoted(&string), place(is_argument)));
    }
    if let Some(text) = stdin_text(inputs) {
        all.push(("stdin".to_owned(), quoted(&text), place(is_stdin)));
    }
    all
}

/// Bytes as a C string.
pub fn quoted(bytes: &[u8]) -> String {
    let mut out = String::from("\"");
    for &b in bytes {
        match b {
            b'"' | b'\\' => out.extend(['\\', char::from(b)]),
            b'\n' => out.push_str("\\n"),
            b'\t' => out.push_str("\\t"),
            b' '..=b'~' => out.push(char::from(b)),
            // Three digits, so that none that follows belongs to it.
            _ => out.push_str(&format!("\\{b:03o}")),
        }
    }
    out + "\""
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn_ir::{IntTy, sym};

    fn record(name: &str, ty: Ty, value: i128) -> InputRecord {
        let bits = match ty {
            Ty::Int(i) => i.wrap(value),
            _ => value as u128,
        };
        InputRecord { name: sym(name), ty, bits, place: Place::NONE, given: true }
    }

    #[test]
    fn texts() {
        let (short, wide) = (Ty::Int(IntTy { bits: 16, signed: true }), Ty::Int(IntTy::I64));
        let byte = |c: u8| record("stdin", short, c.into());
        let inputs = [
            byte(b'a'),
            record("stdin_number", short, 256),
            record("stdin_d", wide, -5),
            record("x", Ty::I32, 3),
            record("stdin_number", short, b'q'.into()),
            byte(b'\n'),
            record("stdin_real", short, 256),
            record("stdin_f", Ty::Float(FloatTy::F64), 0.5f64.to_bits().into()),
        ];
        assert_eq!(stdin_text(&inputs).as_deref(), Some(&b"a -5 q\n 5e-1\n"[..]));
        assert_eq!(stdin_text(&inputs[3..4]), None);
        assert_eq!(stdin_text(&[byte(b'1'), record("stdin", short, -1)]).as_deref(), Some(&b"1"[..]));
    }

    #[test]
    fn calls() {
        let byte = |name: &str, c: u8| record(name, Ty::Int(IntTy::I8), c.into());
        let inputs = [
            record("argc", Ty::I32, 2),
            byte("argv[0]", 0),
            byte("argv[0]", 7),
            byte("argv[1]", b'-'),
            byte("argv[1]", b'"'),
            byte("argv[2]", b'z'),
            byte("argv[2]", b'z'),
        ];
        assert_eq!(arguments(&inputs), Some(vec![b"".to_vec(), b"-\"".to_vec()]));
        let shown: Vec<String> = shown(&inputs).into_iter().map(|(n, v, _)| format!("{n} = {v}")).collect();
        assert_eq!(shown, ["argv[0] = \"\"", "argv[1] = \"-\\\"\""]);
    }
}
