//! Tokens of the text form, cut from one line at a time.

use super::ParseError;

#[derive(Clone, PartialEq, Debug)]
pub enum Token<'t> {
    Word(&'t str),
    /// `name.id`
    Ref(&'t str, u32),
    /// Starts with a digit; may have a type suffix.
    Number(&'t str),
    Str(String),
    Bytes(Vec<u8>),
    Punct(&'static str),
    End,
}

const PUNCTS: &[&str] = &[
    "...", ":=", "->", "==", "!=", "<=", "<<", ">>", "&&", "+", "-", "*", "/", "%", "<", ">", "&", "|", "^",
    "!", "~", "?", ":", "(", ")", "{", "}", "[", "]", ",", "=", "@", "$",
];

/// A line and a position in it. `peek` always holds the token at the position.
pub struct Line<'t> {
    text: &'t str,
    number: u32,
    /// Where `peek` starts, and where the rest of the line starts.
    start: usize,
    rest: usize,
    pub peek: Token<'t>,
}

impl<'t> Line<'t> {
    pub fn new(text: &'t str, number: u32) -> Result<Line<'t>, ParseError> {
        let mut line = Line { text, number, start: 0, rest: 0, peek: Token::End };
        line.next()?;
        Ok(line)
    }

    /// An error at the token in `peek`.
    pub fn error(&self, message: impl Into<String>) -> ParseError {
        ParseError { line: self.number, col: self.start as u32 + 1, message: message.into() }
    }

    /// Takes the token in `peek` and looks at the next one.
    pub fn next(&mut self) -> Result<Token<'t>, ParseError> {
        let bytes = self.text.as_bytes();
        while bytes.get(self.rest).is_some_and(|c| c.is_ascii_whitespace()) {
            self.rest += 1;
        }
        self.start = self.rest;
        let token = match bytes.get(self.rest).copied() {
            None | Some(b';') => Token::End,
            Some(b'b') if bytes.get(self.rest + 1) == Some(&b'"') => {
                self.rest += 1;
                let text = self.quoted()?;
                // Characters above 0xff cannot come from the escapes of a byte string.
                let bytes = text.chars().map(|c| u8::try_from(c).ok());
                let bytes = bytes.collect::<Option<_>>();
                Token::Bytes(bytes.ok_or_else(|| self.error("a character that is no byte"))?)
            }
            Some(b'"') => Token::Str(self.quoted()?),
            Some(c) if c.is_ascii_digit() => Token::Number(self.cut_number()),
            Some(c) if c.is_ascii_alphabetic() || c == b'_' => self.cut_word()?,
            Some(_) => {
                let rest = &self.text[self.rest..];
                match PUNCTS.iter().find(|p| rest.starts_with(**p)) {
                    Some(p) => {
                        self.rest += p.len();
                        Token::Punct(p)
                    }
                    None => return Err(self.error("unexpected character")),
                }
            }
        };
        Ok(std::mem::replace(&mut self.peek, token))
    }

    fn take_while(&mut self, f: impl Fn(u8) -> bool) -> &'t str {
        let from = self.rest;
        while self.text.as_bytes().get(self.rest).is_some_and(|&c| f(c)) {
            self.rest += 1;
        }
        &self.text[from..self.rest]
    }

    fn cut_word(&mut self) -> Result<Token<'t>, ParseError> {
        let word = self.take_while(|c| c.is_ascii_alphanumeric() || c == b'_');
        let rest = &self.text.as_bytes()[self.rest..];
        if rest.first() != Some(&b'.') || !rest.get(1).is_some_and(u8::is_ascii_digit) {
            return Ok(Token::Word(word));
        }
        self.rest += 1;
        let digits = self.take_while(|c| c.is_ascii_digit());
        match digits.parse() {
            Ok(id) => Ok(Token::Ref(word, id)),
            Err(_) => Err(self.error("id is too large")),
        }
    }

    /// Digits, letters and dots; the sign of a decimal exponent belongs to it too.
    fn cut_number(&mut self) -> &'t str {
        let from = self.rest;
        loop {
            self.take_while(|c| c.is_ascii_alphanumeric() || c == b'.');
            let so_far = &self.text[from..self.rest];
            let rest = &self.text.as_bytes()[self.rest..];
            let exponent = so_far.ends_with('e') && !so_far.starts_with("0x");
            if exponent && rest.first() == Some(&b'-') && rest.get(1).is_some_and(u8::is_ascii_digit) {
                self.rest += 1;
            } else {
                return so_far;
            }
        }
    }

    fn quoted(&mut self) -> Result<String, ParseError> {
        let mut out = String::new();
        let mut chars = self.text[self.rest + 1..].char_indices();
        let base = self.rest + 1;
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    self.rest = base + at + 1;
                    return Ok(out);
                }
                '\\' => {
                    let escaped = match chars.next().map(|(_, c)| c) {
                        Some('n') => Some('\n'),
                        Some(c @ ('"' | '\\')) => Some(c),
                        Some('x') => {
                            let mut digit = || chars.next().and_then(|(_, c)| c.to_digit(16));
                            digit().zip(digit()).map(|(a, b)| char::from((a * 16 + b) as u8))
                        }
                        Some('u') => {
                            let hex: String = chars
                                .by_ref()
                                .map(|(_, c)| c)
                                .skip(1)
                                .take_while(|&c| c != '}')
                                .take(8)
                                .collect();
                            u32::from_str_radix(&hex, 16).ok().and_then(char::from_u32)
                        }
                        _ => None,
                    };
                    out.push(escaped.ok_or_else(|| self.error("bad escape in string"))?);
                }
                c => out.push(c),
            }
        }
        Err(self.error("string without end"))
    }
}

/// `text` as a string token.
pub fn quote(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => out.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// `bytes` as a byte-string token.
pub fn quote_bytes(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len() + 3);
    out.push_str("b\"");
    for &c in bytes {
        match c {
            b'"' | b'\\' => out.extend(['\\', char::from(c)]),
            b'\n' => out.push_str("\\n"),
            b' '..=b'~' => out.push(char::from(c)),
            c => out.push_str(&format!("\\x{c:02x}")),
        }
    }
    out.push('"');
    out
}
