//! The parser: recursive descent, with precedence climbing for operators.
//!
//! C cannot be parsed without knowing which names are typedefs, so the parser
//! keeps just that much of the scopes. Names are numbered by the lexer; one
//! flag per name says what it is now, and an undo log restores the flags when a
//! scope ends, so a declaration that shadows nothing costs one comparison.
//!
//! Nesting is counted, because later phases recurse over the tree: deeper than
//! [`MAX_DEPTH`] is reported as unsupported. `depth` counts the recursion that
//! is open; `height` is the height of the last expression read, which also
//! covers the left-deep chains (`a + b + …`, `f(x)(y)…`) that are read by loops.

mod asm;
mod attr;
mod declaration;
mod declarator;
mod expr;
mod init;
mod primary;
mod record;
mod specs;
mod stmt;

use cairn_base::{Diagnostic, Span, SrcId, Symbol};

use self::specs::BuiltinType;
use crate::ast::{Item, Unit};
use crate::lex::{Token, Tokens, lex};
use crate::token::{Dialect, Tok};

/// The deepest nesting that is read.
pub const MAX_DEPTH: u32 = 50_000;

/// Parses a preprocessed translation unit. Deep input recurses deeply: call it
/// (and drop the result) inside [`cairn_base::with_big_stack`].
pub fn parse(src: SrcId, text: &[u8], dialect: Dialect) -> Result<Unit, Diagnostic> {
    let tokens = lex(src, text, dialect)?;
    Parser::new(src, text, &tokens).unit().map_err(|error| *error)
}

/// Errors are rare and large: kept in a box so that results stay small.
type Parsed<T> = Result<T, Box<Diagnostic>>;

struct Parser<'t> {
    src: SrcId,
    text: &'t [u8],
    tokens: &'t Tokens,
    list: &'t [Token],
    pos: usize,
    /// By name: is it a typedef name at this point?
    typedefs: Vec<bool>,
    builtin_types: Vec<(u32, BuiltinType)>,
    /// What to restore when scopes end, and where the open scopes begin in it.
    undo: Vec<(u32, bool)>,
    scopes: Vec<usize>,
    /// Names that the parameters of the last declarator made something else.
    param_names: Vec<(u32, bool)>,
    depth: u32,
    height: u32,
    /// The greatest height since someone last asked.
    tallest: u32,
}

impl<'t> Parser<'t> {
    fn new(src: SrcId, text: &'t [u8], tokens: &'t Tokens) -> Parser<'t> {
        let builtin = |(at, name): (usize, &Symbol)| Some((at as u32, BuiltinType::named(name.as_str())?));
        let builtin_types: Vec<_> = tokens.names.iter().enumerate().filter_map(builtin).collect();
        let mut typedefs = vec![false; tokens.names.len()];
        for (name, _) in &builtin_types {
            typedefs[*name as usize] = true;
        }
        Parser {
            src,
            text,
            tokens,
            list: &tokens.list,
            pos: 0,
            typedefs,
            builtin_types,
            undo: vec![],
            scopes: vec![],
            param_names: vec![],
            depth: 0,
            height: 0,
            tallest: 0,
        }
    }

    fn unit(&mut self) -> Parsed<Unit> {
        let mut items: Vec<Item> = vec![];
        while self.peek() != Tok::Eof {
            self.external(&mut items)?;
        }
        Ok(Unit { items })
    }

    // ---- tokens

    fn token(&self) -> Token {
        self.list[self.pos]
    }

    #[inline]
    fn peek(&self) -> Tok {
        self.list[self.pos].kind
    }

    /// The kind of the token `ahead` places further; the end repeats itself.
    fn peek_at(&self, ahead: usize) -> Tok {
        self.list.get(self.pos + ahead).map_or(Tok::Eof, |t| t.kind)
    }

    #[inline]
    fn bump(&mut self) -> Token {
        let token = self.list[self.pos];
        if token.kind != Tok::Eof {
            self.pos += 1;
        }
        token
    }

    #[inline]
    fn eat(&mut self, kind: Tok) -> bool {
        let found = self.peek() == kind;
        if found {
            self.bump();
        }
        found
    }

    #[inline]
    fn expect(&mut self, kind: Tok, what: &str) -> Parsed<Token> {
        if self.peek() == kind { Ok(self.bump()) } else { Err(self.expected(what)) }
    }

    fn span_of(&self, token: Token) -> Span {
        Span::new(self.src, token.lo, token.hi)
    }

    /// The span of the next token.
    fn here(&self) -> Span {
        self.span_of(self.token())
    }

    /// From `start` to the end of the last token read.
    fn since(&self, start: Span) -> Span {
        let hi = if self.pos == 0 { start.hi } else { self.list[self.pos - 1].hi };
        Span::new(self.src, start.lo, hi.max(start.lo))
    }

    fn text_of(&self, token: Token) -> &'t [u8] {
        &self.text[token.lo as usize..token.hi as usize]
    }

    fn symbol(&self, token: Token) -> Symbol {
        self.tokens.names[token.name as usize]
    }

    /// A name, whatever it means.
    fn ident(&mut self) -> Parsed<(Symbol, Span)> {
        let token = self.expect(Tok::Ident, "an identifier")?;
        Ok((self.symbol(token), self.span_of(token)))
    }

    // ---- typedef names

    /// Is the next token a typedef name?
    #[inline]
    fn at_typedef_name(&self) -> bool {
        self.is_typedef_name(self.token())
    }

    #[inline]
    fn is_typedef_name(&self, token: Token) -> bool {
        token.kind == Tok::Ident && self.typedefs[token.name as usize]
    }

    fn open_scope(&mut self) {
        self.scopes.push(self.undo.len());
    }

    fn close_scope(&mut self) {
        let from = self.scopes.pop().unwrap_or(0);
        for (name, was) in self.undo.drain(from..).rev() {
            self.typedefs[name as usize] = was;
        }
    }

    /// The name of `token` is declared in the innermost scope.
    fn declare(&mut self, name: u32, is_typedef: bool) {
        let flag = &mut self.typedefs[name as usize];
        if *flag != is_typedef {
            if !self.scopes.is_empty() {
                self.undo.push((name, *flag));
            }
            *flag = is_typedef;
        }
    }

    // ---- nesting

    #[inline]
    fn enter(&mut self) -> Parsed<()> {
        self.depth += 1;
        if self.depth > MAX_DEPTH { Err(self.too_deep()) } else { Ok(()) }
    }

    #[inline]
    fn leave(&mut self) {
        self.depth -= 1;
    }

    /// The expression just read stands one above the higher of two others.
    #[inline]
    fn grow(&mut self, other: u32) -> Parsed<()> {
        self.height = self.height.max(other) + 1;
        self.tallest = self.tallest.max(self.height);
        if self.height > MAX_DEPTH { Err(self.too_deep()) } else { Ok(()) }
    }

    /// Reads something that is no expression but may contain some; afterwards
    /// `height` is that of the highest inside.
    fn measured<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let before = std::mem::take(&mut self.tallest);
        let result = read(self)?;
        self.height = self.tallest;
        self.tallest = self.tallest.max(before);
        Ok(result)
    }

    #[cold]
    fn too_deep(&self) -> Box<Diagnostic> {
        let message = format!("nesting deeper than {MAX_DEPTH} levels");
        Box::new(Diagnostic::unsupported(self.here(), message))
    }

    // ---- errors

    #[cold]
    fn error(&self, span: Span, message: impl Into<String>) -> Box<Diagnostic> {
        Box::new(Diagnostic::error(span, message))
    }

    #[cold]
    fn unsupported(&self, span: Span, message: impl Into<String>) -> Box<Diagnostic> {
        Box::new(Diagnostic::unsupported(span, message))
    }

    /// `expected WHAT before 'x'`. Where something is missing at the end of a
    /// line, the place shown is that end and not the next line.
    #[cold]
    fn expected(&self, what: &str) -> Box<Diagnostic> {
        let token = self.token();
        if token.kind == Tok::Bad {
            return self.bad_token(token);
        }
        let mut span = self.here();
        if (self.on_new_line() || token.kind == Tok::Eof) && self.pos > 0 {
            let end = self.list[self.pos - 1].hi;
            span = Span::new(self.src, end, end);
        }
        let message = match token.kind {
            Tok::Eof => format!("expected {what} at end of input"),
            _ => format!("expected {what} before '{}'", shorten(self.text_of(token))),
        };
        self.error(span, message)
    }

    /// Does the next token stand on another line than the last one?
    fn on_new_line(&self) -> bool {
        let Some(previous) = self.pos.checked_sub(1).map(|at| self.list[at]) else { return false };
        self.text[previous.hi as usize..self.token().lo as usize].contains(&b'\n')
    }

    fn bad_token(&self, token: Token) -> Box<Diagnostic> {
        let text = self.text_of(token);
        let first = text.iter().find(|b| !b.is_ascii_alphanumeric()).copied();
        let message = match (text.first(), first) {
            (Some(b'/'), _) => "unterminated comment".to_owned(),
            (Some(b'\\'), _) if text.len() > 1 => "invalid universal character name".to_owned(),
            (_, Some(b'"')) => "missing terminating \" character".to_owned(),
            (_, Some(b'\'')) => "missing terminating ' character".to_owned(),
            _ => match std::str::from_utf8(text) {
                Ok(text) => format!("stray '{}' in program", text.escape_default()),
                Err(_) => format!("stray '\\{:o}' in program", first.unwrap_or(0)),
            },
        };
        self.error(self.span_of(token), message)
    }
}

/// A token's text for a message; long strings are cut.
fn shorten(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    match text.char_indices().nth(40) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.into_owned(),
    }
}
