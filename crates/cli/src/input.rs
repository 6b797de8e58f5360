//! Reading the values of `--input`.

use std::path::Path;

use cairn_sem::spelled::Spelled;
use cairn_sem::{Given, InputRecord};
use cairn_witness::testcase::is_address;

/// One value the user gave.
#[derive(Clone, PartialEq, Debug)]
pub struct Value {
    /// The input function the user expects to read it.
    pub name: Option<String>,
    pub given: Given,
}

impl Value {
    /// Whether the function that read the value is the one the user named, in full or as `int`
    /// for `__VERIFIER_nondet_int`.
    pub fn is_for(&self, function: &str) -> bool {
        let short = function.strip_prefix("__VERIFIER_nondet_");
        let function = function.trim_end_matches('?');
        self.name.as_deref().is_none_or(|name| name == function || Some(name) == short)
    }
}

/// What the user should know about how the values were used.
pub fn remarks(values: &[Value], used: &[InputRecord]) -> Vec<String> {
    let mut remarks = Vec::new();
    for (index, (value, record)) in values.iter().zip(used).enumerate() {
        if !value.is_for(record.name.as_str()) {
            let name = value.name.as_deref().unwrap_or_default();
            remarks.push(format!("input {} was given for {name} but read by {}", index + 1, record.name));
        }
    }
    remarks.extend(unused(values.len(), used));
    remarks
}

/// A remark if more values were given than used.
pub fn unused(given: usize, used: &[InputRecord]) -> Option<String> {
    (given > used.len()).then(|| format!("{} of the given inputs were not used", given - used.len()))
}

/// What the user gave.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Stated {
    pub values: Vec<Value>,
    /// What memory held that nobody had written.
    pub memory: Vec<Spelled>,
}

impl Stated {
    /// Does it say where objects lie (`&x=4096`)?
    pub fn has_addresses(&self) -> bool {
        self.values.iter().any(|v| v.name.as_deref().is_some_and(is_address))
    }
}

/// Reads the argument of `--input`: a list of values, or else the name of a file of them.
pub fn read(text: &str) -> Result<Stated, String> {
    let listed = parse_list(text);
    let Err(why) = listed else { return listed };
    let path = Path::new(text);
    if !path.exists() {
        return Err(format!("--input: {why}, and there is no file `{text}`"));
    }
    let content = std::fs::read_to_string(path).map_err(|e| format!("--input: cannot read `{text}`: {e}"))?;
    parse_file(&content).map_err(|why| format!("--input: {text}:{why}"))
}

fn parse_list(text: &str) -> Result<Stated, String> {
    let mut stated = Stated::default();
    if text.trim().is_empty() {
        return Ok(stated);
    }
    for item in split_values(text) {
        let memory = item.trim().split_once('=').and_then(|(name, bytes)| Spelled::new(name, bytes));
        match memory {
            Some(spelled) => stated.memory.push(spelled),
            None => stated.values.push(value(item)?),
        }
    }
    Ok(stated)
}

/// One value per line (or several with commas between them); `#` starts a comment.
fn parse_file(content: &str) -> Result<Stated, String> {
    let mut stated = Stated::default();
    for (index, line) in content.lines().enumerate() {
        let line = without_comment(line).trim();
        if line.is_empty() {
            continue;
        }
        let found = parse_list(line.trim_end_matches(',')).map_err(|why| format!("{}: {why}", index + 1))?;
        stated.values.extend(found.values);
        stated.memory.extend(found.memory);
    }
    Ok(stated)
}

fn without_comment(line: &str) -> &str {
    find_unquoted(line, '#').map_or(line, |at| &line[..at])
}

fn split_values(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let line = rest?;
        match find_unquoted(line, ',') {
            Some(at) => {
                rest = Some(&line[at + 1..]);
                Some(&line[..at])
            }
            None => rest.take(),
        }
    })
}

/// The first `wanted` that is not part of a character value such as `','`.
fn find_unquoted(text: &str, wanted: char) -> Option<usize> {
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        if c == wanted {
            return Some(at);
        }
        if c == '\'' {
            // The character, or a backslash and what it escapes, then on to the closing quote.
            if let Some((_, '\\')) = chars.next() {
                chars.next();
            }
            chars.find(|(_, c)| *c == '\'');
        }
    }
    None
}

fn value(text: &str) -> Result<Value, String> {
    let text = text.trim();
    let (name, number) = match text.split_once('=') {
        Some((name, number)) if !text.starts_with('\'') => (Some(name.trim()), number.trim()),
        _ => (None, text),
    };
    // `&x` is where an object lies.
    if let Some(name) = name.filter(|n| !is_address(n))
        && !(name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'))
    {
        return Err(format!("`{name}` is not the name of an input function"));
    }
    Ok(Value { name: name.map(str::to_owned), given: given(number)? })
}

fn given(text: &str) -> Result<Given, String> {
    if text.is_empty() {
        return Err("an empty value".to_owned());
    }
    if let Some(inner) = text.strip_prefix('\'').and_then(|t| t.strip_suffix('\'')) {
        let byte = character(inner).ok_or_else(|| format!("{text} is not a character"))?;
        // A plain `char` is signed in both data models.
        return Ok(Given::Int((byte as i8).into()));
    }
    let (negative, digits) = match text.strip_prefix(['-', '+']) {
        Some(digits) => (text.starts_with('-'), digits),
        None => (false, text),
    };
    if let Some(magnitude) = magnitude(digits) {
        return match (negative, i128::try_from(magnitude)) {
            (false, Ok(n)) => Ok(Given::Int(n)),
            (true, Ok(n)) => Ok(Given::Int(-n)),
            (false, Err(_)) => Ok(Given::Bits(magnitude)),
            (true, Err(_)) if magnitude == 1 << 127 => Ok(Given::Int(i128::MIN)),
            (true, Err(_)) => Err(format!("{text} does not fit in any integer type")),
        };
    }
    if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err(format!("{text} does not fit in any integer type"));
    }
    let looks_like_float = digits.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        || ["nan", "inf", "infinity"].contains(&digits.to_ascii_lowercase().as_str());
    match text.parse::<f64>() {
        Ok(real) if looks_like_float => Ok(Given::Real(real)),
        _ => Err(format!("`{}` is not a value", shown(text))),
    }
}

/// The integer that unsigned decimal, hexadecimal, octal or binary digits stand for; C suffixes
/// are allowed.
fn magnitude(digits: &str) -> Option<u128> {
    let plain = |text: &str| text.trim_end_matches(['u', 'U', 'l', 'L']).to_owned();
    let lower = digits.to_ascii_lowercase();
    let (text, radix) = if let Some(hex) = lower.strip_prefix("0x") {
        (plain(hex), 16)
    } else if let Some(binary) = lower.strip_prefix("0b") {
        (plain(binary), 2)
    } else {
        let text = plain(&lower);
        let octal = text.len() > 1 && text.starts_with('0') && text.bytes().all(|b| b.is_ascii_digit());
        (text, if octal { 8 } else { 10 })
    };
    // `from_str_radix` would take a second sign.
    if !text.starts_with(|c: char| c.is_ascii_alphanumeric()) {
        return None;
    }
    u128::from_str_radix(&text, radix).ok()
}

/// The byte a character value stands for.
fn character(inner: &str) -> Option<u8> {
    let escape = match inner.strip_prefix('\\') {
        None => return (inner.len() == 1).then(|| inner.as_bytes()[0]),
        Some(escape) => escape,
    };
    match escape {
        "n" => Some(b'\n'),
        "t" => Some(b'\t'),
        "r" => Some(b'\r'),
        "0" => Some(0),
        "a" => Some(7),
        "b" => Some(8),
        "f" => Some(12),
        "v" => Some(11),
        "\\" | "'" | "\"" => Some(escape.as_bytes()[0]),
        _ => {
            let hex = escape.strip_prefix('x')?;
            u8::from_str_radix(hex, 16).ok()
        }
    }
}

/// Long junk is not repeated in full.
fn shown(text: &str) -> String {
    if text.chars().count() <= 40 { text.to_owned() } else { text.chars().take(40).chain(['…']).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(text: &str) -> Vec<Given> {
        parse_list(text).expect(text).values.into_iter().map(|v| v.given).collect()
    }

    #[test]
    fn lists() {
        assert_eq!(values("1, -2,0x10 ,010,0b11,7u,8LL"), [1, -2, 16, 8, 3, 7, 8].map(Given::Int));
        assert_eq!(values("'a',',','\\n','\\xff'"), [97, 44, 10, -1].map(Given::Int));
        assert_eq!(values("1.5,-2e3,inf"), [1.5, -2e3, f64::INFINITY].map(Given::Real));
        assert_eq!(values(""), []);
        assert_eq!(values("0xffffffffffffffffffffffffffffffff"), [Given::Bits(u128::MAX)]);
        assert_eq!(values("-0x80000000000000000000000000000000"), [Given::Int(i128::MIN)]);
    }

    #[test]
    fn names() {
        let named = parse_list("int=5,__VERIFIER_nondet_char='x',6").unwrap().values;
        assert_eq!(named[0].given, Given::Int(5));
        assert_eq!(named[1].given, Given::Int(120));
        assert!(named[0].is_for("__VERIFIER_nondet_int") && !named[0].is_for("__VERIFIER_nondet_char"));
        assert!(named[1].is_for("__VERIFIER_nondet_char"));
        assert!(named[2].is_for("anything"));
        let stated = parse_list("&x=4096,x@a.c:1:2/0+4=0a:ff").unwrap();
        assert!(stated.has_addresses() && stated.values[0].is_for("&x?"));
        assert_eq!(stated.memory[0].bytes, [10, 255]);
    }

    #[test]
    fn files() {
        let text = "# a test\n5\n\nint = -3 # why\n'#'\n1,2,\n";
        let found: Vec<Given> = parse_file(text).unwrap().values.into_iter().map(|v| v.given).collect();
        assert_eq!(found, [5, -3, 35, 1, 2].map(Given::Int));
        assert_eq!(parse_file("1\n2\nx\n").unwrap_err(), "3: `x` is not a value");
    }

    #[test]
    fn absurd_values() {
        for bad in ["1,,2", "abc", "0x", "--5", "-+5", "1=2", "=3", "'ab'", "''", "1 2", "5x", "0b2", "e5"] {
            assert!(parse_list(bad).is_err(), "{bad}");
        }
        let huge = "9".repeat(60);
        assert_eq!(given(&huge).unwrap_err(), format!("{huge} does not fit in any integer type"));
        assert!(given(&"z".repeat(1000)).unwrap_err().len() < 100);
    }
}
