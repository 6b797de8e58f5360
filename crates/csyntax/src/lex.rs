//! The lexer: one pass over the bytes of a preprocessed unit.
//!
//! It yields all tokens at once, sixteen bytes each. Names are numbered while
//! lexing, so that the parser keeps its typedef table in a plain array. Lines
//! that start with `#` are markers for the source map or pragmas; only
//! `#pragma pack` means something to the parser and is kept in a side table,
//! because it may stand between any two tokens.

use std::collections::HashMap;

use cairn_base::{Diagnostic, Span, SrcId, Symbol, sym};
use rustc_hash::FxBuildHasher;

use crate::pragma::PackStack;
use crate::token::{Dialect, Tok, keyword};

#[derive(Copy, Clone, Debug)]
pub struct Token {
    pub kind: Tok,
    pub lo: u32,
    pub hi: u32,
    /// Index into [`Tokens::names`] of words; 0 otherwise.
    pub name: u32,
}

/// The token sequence of a unit, ended by [`Tok::Eof`].
#[derive(Debug)]
pub struct Tokens {
    pub list: Vec<Token>,
    pub names: Vec<Symbol>,
    /// From the token with this index on, `#pragma pack` has this value.
    pub packs: Vec<(u32, Option<u32>)>,
}

/// Splits `text` into tokens. What is no token becomes [`Tok::Bad`]; the only
/// errors are pragmas that would change the meaning of the program unseen.
pub fn lex(src: SrcId, text: &[u8], dialect: Dialect) -> Result<Tokens, Diagnostic> {
    let mut lexer = Lexer {
        src,
        text,
        pos: 0,
        dialect,
        words: HashMap::with_capacity_and_hasher(1024, FxBuildHasher),
        kinds: vec![Tok::Ident],
        names: vec![sym("")],
        list: Vec::with_capacity(text.len() / 5 + 16),
        pack: PackStack::default(),
        packs: vec![],
    };
    lexer.run()?;
    Ok(Tokens { list: lexer.list, names: lexer.names, packs: lexer.packs })
}

const IDENT: u8 = 1;
const DIGIT: u8 = 2;

/// Letters, `_`, `$` and bytes of UTF-8 sequences; digits.
const CLASS: [u8; 256] = {
    let mut table = [0u8; 256];
    let mut b = 0;
    while b < 256 {
        let c = b as u8;
        if c.is_ascii_alphabetic() || c == b'_' || c == b'$' || c >= 0x80 {
            table[b] = IDENT;
        } else if c.is_ascii_digit() {
            table[b] = DIGIT;
        }
        b += 1;
    }
    table
};

/// May `c` stand in a name? The ranges of C11 Annex D.
#[rustfmt::skip]
fn letter(c: char) -> bool {
    c.is_ascii() || matches!(u32::from(c),
        0xa8 | 0xaa | 0xad | 0xaf | 0xb2..=0xb5 | 0xb7..=0xba | 0xbc..=0xbe | 0xc0..=0xd6 | 0xd8..=0xf6 | 0xf8..=0x167f
        | 0x1681..=0x180d | 0x180f..=0x1fff | 0x200b..=0x200d | 0x202a..=0x202e | 0x203f..=0x2040 | 0x2054
        | 0x2060..=0x218f | 0x2460..=0x24ff | 0x2776..=0x2793 | 0x2c00..=0x2dff | 0x2e80..=0x2fff | 0x3004..=0x3007
        | 0x3021..=0x302f | 0x3031..=0xd7ff | 0xf900..=0xfd3d | 0xfd40..=0xfdcf | 0xfdf0..=0xfe44 | 0xfe47..=0xfffd
        | 0x10000..=0xefffd)
}

struct Lexer<'t> {
    src: SrcId,
    text: &'t [u8],
    pos: usize,
    dialect: Dialect,
    words: HashMap<&'t [u8], u32, FxBuildHasher>,
    kinds: Vec<Tok>,
    names: Vec<Symbol>,
    list: Vec<Token>,
    pack: PackStack,
    packs: Vec<(u32, Option<u32>)>,
}

impl<'t> Lexer<'t> {
    fn at(&self, ahead: usize) -> u8 {
        self.text.get(self.pos + ahead).copied().unwrap_or(0)
    }

    fn push(&mut self, kind: Tok, lo: usize) {
        self.list.push(Token { kind, lo: lo as u32, hi: self.pos as u32, name: 0 });
    }

    fn run(&mut self) -> Result<(), Diagnostic> {
        while self.pos < self.text.len() {
            let byte = self.text[self.pos];
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c => self.pos += 1,
                b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' | 0x80.. => self.word()?,
                b'0'..=b'9' => self.number(),
                b'"' => self.quoted(self.pos, b'"', Tok::Str),
                b'\'' => self.quoted(self.pos, b'\'', Tok::Char),
                b'.' if self.at(1).is_ascii_digit() => self.number(),
                b'/' if self.at(1) == b'/' => self.line_comment(),
                b'/' if self.at(1) == b'*' => self.block_comment(),
                b'#' if self.at_line_start() => self.directive()?,
                b'%' if self.at(1) == b':' && self.at_line_start() => self.directive()?,
                b'\\' => self.backslash()?,
                _ => self.punctuation(byte),
            }
        }
        self.push(Tok::Eof, self.text.len());
        Ok(())
    }

    /// A line splice between tokens is blank space; otherwise a universal
    /// character name may begin a word.
    fn backslash(&mut self) -> Result<(), Diagnostic> {
        let mut end = self.pos + 1;
        while matches!(self.text.get(end), Some(b' ' | b'\t' | b'\r')) {
            end += 1;
        }
        if self.text.get(end) == Some(&b'\n') {
            self.pos = end + 1;
            return Ok(());
        }
        if matches!(self.at(1), b'u' | b'U') {
            return self.word();
        }
        let lo = self.pos;
        self.pos += 1;
        self.push(Tok::Bad, lo);
        Ok(())
    }

    fn at_line_start(&self) -> bool {
        let before = &self.text[..self.pos];
        match before.iter().rposition(|b| !matches!(b, b' ' | b'\t' | b'\r' | 0x0b | 0x0c)) {
            None => true,
            Some(at) => before[at] == b'\n',
        }
    }

    fn line_comment(&mut self) {
        self.pos = memchr::memchr(b'\n', &self.text[self.pos..]).map_or(self.text.len(), |n| self.pos + n);
    }

    fn block_comment(&mut self) {
        let lo = self.pos;
        match memchr::memmem::find(&self.text[lo + 2..], b"*/") {
            Some(n) => self.pos = lo + 2 + n + 2,
            None => {
                self.pos = self.text.len();
                self.push(Tok::Bad, lo);
            }
        }
    }

    /// `# 12 "file"`, `#line`, `#pragma`, `#ident`: only `pack` matters here.
    fn directive(&mut self) -> Result<(), Diagnostic> {
        let lo = self.pos;
        self.line_comment();
        let line = &self.text[lo..self.pos];
        let body = line.strip_prefix(b"%:").unwrap_or(&line[1..]).trim_ascii();
        if let Some(pragma) = body.strip_prefix(b"pragma") {
            self.pragma(pragma, lo)?;
        }
        Ok(())
    }

    fn pragma(&mut self, body: &[u8], lo: usize) -> Result<(), Diagnostic> {
        let span = Span::new(self.src, lo as u32, self.pos as u32);
        let body = String::from_utf8_lossy(body);
        let body = body.trim();
        if body.starts_with("scalar_storage_order") {
            return Err(Diagnostic::unsupported(span, "#pragma scalar_storage_order"));
        }
        if let Some(args) = body.strip_prefix("pack")
            && self.pack.apply(args)
        {
            self.packs.push((self.list.len() as u32, self.pack.current()));
        }
        Ok(())
    }

    fn word(&mut self) -> Result<(), Diagnostic> {
        let lo = self.pos;
        let mut end = lo;
        while end < self.text.len() && CLASS[usize::from(self.text[end])] != 0 {
            end += 1;
        }
        self.pos = end;
        let text = self.text;
        match text.get(end) {
            Some(b'\\') if matches!(text.get(end + 1), Some(b'u' | b'U')) => return self.word_with_ucn(lo),
            Some(quote @ (b'"' | b'\'')) if matches!(&text[lo..end], b"L" | b"u" | b"U" | b"u8") => {
                let kind = if *quote == b'"' { Tok::Str } else { Tok::Char };
                self.quoted(lo, *quote, kind);
                return Ok(());
            }
            _ => {}
        }
        let word = &text[lo..end];
        let name = match self.words.get(word) {
            Some(&name) => name,
            None => {
                let spelled = std::str::from_utf8(word).ok().filter(|w| w.chars().all(letter));
                let Some(spelled) = spelled else {
                    self.push(Tok::Bad, lo);
                    return Ok(());
                };
                let name = self.new_name(keyword(word, self.dialect), sym(spelled));
                self.words.insert(word, name);
                name
            }
        };
        self.push_word(name, lo)
    }

    fn new_name(&mut self, kind: Tok, symbol: Symbol) -> u32 {
        self.kinds.push(kind);
        self.names.push(symbol);
        (self.names.len() - 1) as u32
    }

    fn push_word(&mut self, name: u32, lo: usize) -> Result<(), Diagnostic> {
        let kind = self.kinds[name as usize];
        if kind == Tok::PragmaOp && self.pragma_operator(lo)? {
            return Ok(());
        }
        self.list.push(Token { kind, lo: lo as u32, hi: self.pos as u32, name });
        Ok(())
    }

    /// `_Pragma("pack(1)")`, which only turns up in text that no preprocessor has seen.
    fn pragma_operator(&mut self, lo: usize) -> Result<bool, Diagnostic> {
        let rest = &self.text[self.pos..];
        let Some(open) = rest.iter().position(|b| !b.is_ascii_whitespace()) else { return Ok(false) };
        if rest[open] != b'(' {
            return Ok(false);
        }
        let Some(close) = memchr::memmem::find(rest, b"\")") else { return Ok(false) };
        let inner = rest[open + 1..close].trim_ascii_start();
        let Some(inner) = inner.strip_prefix(b"\"") else { return Ok(false) };
        let inner = inner.to_vec();
        self.pos += close + 2;
        self.pragma(&inner, lo)?;
        Ok(true)
    }

    /// A word in which universal character names stand for letters.
    fn word_with_ucn(&mut self, lo: usize) -> Result<(), Diagnostic> {
        let mut spelled = self.text[lo..self.pos].to_vec();
        loop {
            let byte = self.at(0);
            if byte != 0 && CLASS[usize::from(byte)] != 0 {
                spelled.push(byte);
                self.pos += 1;
                continue;
            }
            let digits = match (byte, self.at(1)) {
                (b'\\', b'u') => 4,
                (b'\\', b'U') => 8,
                _ => break,
            };
            let hex = self.text.get(self.pos + 2..self.pos + 2 + digits);
            let code = hex
                .filter(|h| h.iter().all(u8::is_ascii_hexdigit))
                .and_then(|h| std::str::from_utf8(h).ok())
                .and_then(|h| u32::from_str_radix(h, 16).ok())
                .and_then(char::from_u32);
            let Some(letter) = code else {
                self.pos += 1;
                self.push(Tok::Bad, lo);
                return Ok(());
            };
            spelled.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
            self.pos += 2 + digits;
        }
        let Ok(spelled) = String::from_utf8(spelled) else {
            self.push(Tok::Bad, lo);
            return Ok(());
        };
        let symbol = sym(&spelled);
        let word: &'static [u8] = symbol.as_str().as_bytes();
        let name = match self.words.get(word) {
            Some(&name) => name,
            None => {
                let name = self.new_name(Tok::Ident, symbol);
                self.words.insert(word, name);
                name
            }
        };
        self.push_word(name, lo)
    }

    /// A preprocessing number: digits, letters, dots and signed exponents.
    fn number(&mut self) {
        let lo = self.pos;
        let text = self.text;
        let mut end = lo + 1;
        while end < text.len() {
            let byte = text[end];
            let signed_exponent =
                matches!(byte, b'+' | b'-') && matches!(text[end - 1], b'e' | b'E' | b'p' | b'P');
            if CLASS[usize::from(byte)] == 0 && byte != b'.' && !signed_exponent {
                break;
            }
            end += 1;
        }
        self.pos = end;
        self.push(Tok::Number, lo);
    }

    /// A string or character literal; `lo` is where its prefix starts and
    /// `self.pos` is at the opening quote.
    fn quoted(&mut self, lo: usize, quote: u8, kind: Tok) {
        let text = self.text;
        let mut at = self.pos + 1;
        loop {
            match memchr::memchr3(quote, b'\\', b'\n', &text[at..]) {
                Some(n) if text[at + n] == quote => {
                    self.pos = at + n + 1;
                    self.push(kind, lo);
                    return;
                }
                Some(n) if text[at + n] == b'\\' && at + n + 1 < text.len() => at += n + 2,
                Some(n) => {
                    self.pos = at + n;
                    self.push(Tok::Bad, lo);
                    return;
                }
                None => {
                    self.pos = text.len();
                    self.push(Tok::Bad, lo);
                    return;
                }
            }
        }
    }

    fn punctuation(&mut self, byte: u8) {
        let (b1, b2) = (self.at(1), self.at(2));
        let (kind, length) = match byte {
            b'(' => (Tok::LParen, 1),
            b')' => (Tok::RParen, 1),
            b'{' => (Tok::LBrace, 1),
            b'}' => (Tok::RBrace, 1),
            b'[' => (Tok::LBracket, 1),
            b']' => (Tok::RBracket, 1),
            b';' => (Tok::Semi, 1),
            b',' => (Tok::Comma, 1),
            b'?' => (Tok::Question, 1),
            b'~' => (Tok::Tilde, 1),
            b'#' => (Tok::Hash, 1),
            b'.' if b1 == b'.' && b2 == b'.' => (Tok::Ellipsis, 3),
            b'.' => (Tok::Dot, 1),
            b':' if b1 == b'>' => (Tok::RBracket, 2),
            b':' => (Tok::Colon, 1),
            b'+' => match b1 {
                b'+' => (Tok::PlusPlus, 2),
                b'=' => (Tok::PlusEq, 2),
                _ => (Tok::Plus, 1),
            },
            b'-' => match b1 {
                b'-' => (Tok::MinusMinus, 2),
                b'=' => (Tok::MinusEq, 2),
                b'>' => (Tok::Arrow, 2),
                _ => (Tok::Minus, 1),
            },
            b'*' if b1 == b'=' => (Tok::StarEq, 2),
            b'*' => (Tok::Star, 1),
            b'/' if b1 == b'=' => (Tok::SlashEq, 2),
            b'/' => (Tok::Slash, 1),
            b'%' => match b1 {
                b'=' => (Tok::PercentEq, 2),
                b'>' => (Tok::RBrace, 2),
                b':' => (Tok::Hash, 2),
                _ => (Tok::Percent, 1),
            },
            b'^' if b1 == b'=' => (Tok::CaretEq, 2),
            b'^' => (Tok::Caret, 1),
            b'!' if b1 == b'=' => (Tok::Ne, 2),
            b'!' => (Tok::Bang, 1),
            b'=' if b1 == b'=' => (Tok::EqEq, 2),
            b'=' => (Tok::Eq, 1),
            b'&' => match b1 {
                b'&' => (Tok::AndAnd, 2),
                b'=' => (Tok::AmpEq, 2),
                _ => (Tok::Amp, 1),
            },
            b'|' => match b1 {
                b'|' => (Tok::OrOr, 2),
                b'=' => (Tok::PipeEq, 2),
                _ => (Tok::Pipe, 1),
            },
            b'<' => match (b1, b2) {
                (b'<', b'=') => (Tok::ShlEq, 3),
                (b'<', _) => (Tok::Shl, 2),
                (b'=', _) => (Tok::Le, 2),
                (b':', _) => (Tok::LBracket, 2),
                (b'%', _) => (Tok::LBrace, 2),
                _ => (Tok::Lt, 1),
            },
            b'>' => match (b1, b2) {
                (b'>', b'=') => (Tok::ShrEq, 3),
                (b'>', _) => (Tok::Shr, 2),
                (b'=', _) => (Tok::Ge, 2),
                _ => (Tok::Gt, 1),
            },
            _ => (Tok::Bad, 1),
        };
        let lo = self.pos;
        self.pos += length;
        self.push(kind, lo);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn_base::EntityRef;

    fn kinds(text: &str) -> Vec<Tok> {
        let tokens = lex(SrcId::new(0), text.as_bytes(), Dialect::default()).unwrap();
        let mut kinds: Vec<Tok> = tokens.list.iter().map(|t| t.kind).collect();
        assert_eq!(kinds.pop(), Some(Tok::Eof));
        kinds
    }

    fn words(text: &str) -> Vec<String> {
        let tokens = lex(SrcId::new(0), text.as_bytes(), Dialect::default()).unwrap();
        let words = tokens.list.iter().filter(|t| t.name != 0);
        words.map(|t| tokens.names[t.name as usize].to_string()).collect()
    }

    #[test]
    fn longest_match() {
        use Tok::*;
        assert_eq!(kinds("a+++b"), [Ident, PlusPlus, Plus, Ident]);
        assert_eq!(kinds("x<<=1>>=2"), [Ident, ShlEq, Number, ShrEq, Number]);
        assert_eq!(kinds("<: :> <% %> ..."), [LBracket, RBracket, LBrace, RBrace, Ellipsis]);
        assert_eq!(kinds(".5e+3 1.e-2f 0x1p-3 a.b"), [Number, Number, Number, Ident, Dot, Ident]);
    }

    #[test]
    fn names_of_every_alphabet() {
        assert_eq!(words(r"a$b \u00e9t\u00e9 été"), ["a$b", "été", "été"]);
        let tokens = lex(SrcId::new(0), r"\u00e9 é".as_bytes(), Dialect::default()).unwrap();
        assert_eq!(tokens.list[0].name, tokens.list[1].name);
    }

    #[test]
    fn blanks_comments_and_directives_vanish() {
        use Tok::*;
        let text = "# 1 \"f.c\" 2\r\r\nint/* * / */x;// y\n #pragma omp parallel\n#line 3\n\\\n;";
        assert_eq!(kinds(text), [Int, Ident, Semi, Semi]);
    }

    #[test]
    fn what_is_no_token_is_marked() {
        use Tok::*;
        assert_eq!(kinds("\"abc\n;"), [Bad, Semi]);
        assert_eq!(kinds("'a"), [Bad]);
        assert_eq!(kinds("/* x"), [Bad]);
        assert_eq!(kinds("@ `"), [Bad, Bad]);
        assert_eq!(kinds("\"a\\\"b\" 'x' L'\\'' u8\"z\""), [Str, Char, Char, Str]);
    }

    #[test]
    fn pack_is_known_at_each_token() {
        let text = "a\n#pragma pack(push, 2)\nb\n#pragma pack(pop)\nc _Pragma(\"pack(1)\") d";
        let tokens = lex(SrcId::new(0), text.as_bytes(), Dialect::default()).unwrap();
        assert_eq!(tokens.packs, [(1, Some(2)), (2, None), (3, Some(1))]);
        assert_eq!(tokens.list.len(), 5);
    }

    #[test]
    fn dialects_have_their_keywords() {
        let strict = Dialect::from_std("c11");
        assert_eq!(keyword(b"typeof", strict), Tok::Ident);
        assert_eq!(keyword(b"__typeof__", strict), Tok::Typeof);
        assert_eq!(keyword(b"inline", Dialect::from_std("c89")), Tok::Ident);
        assert_eq!(keyword(b"inline", Dialect::from_std("gnu89")), Tok::Inline);
        assert_eq!(keyword(b"restrict", Dialect::from_std("gnu89")), Tok::Ident);
        assert_eq!(Dialect::from_std("gnu11"), Dialect::default());
    }
}
