//! Attributes: `__attribute__((…))`, `[[…]]`, and `_Alignas`.

use cairn_base::{Symbol, sym};

use super::{Parsed, Parser};
use crate::ast::{AlignSpec, Attr, AttrArg};
use crate::token::Tok;

impl Parser<'_> {
    #[inline]
    pub(super) fn at_attribute(&self) -> bool {
        match self.peek() {
            Tok::Attribute => true,
            Tok::LBracket => self.peek_at(1) == Tok::LBracket,
            _ => false,
        }
    }

    /// Any number of attributes, appended to `attrs`.
    pub(super) fn attributes(&mut self, attrs: &mut Vec<Attr>) -> Parsed<()> {
        loop {
            match self.peek() {
                Tok::Attribute => self.gnu_attribute(attrs)?,
                Tok::LBracket if self.peek_at(1) == Tok::LBracket => self.bracket_attribute(attrs)?,
                _ => return Ok(()),
            }
        }
    }

    fn gnu_attribute(&mut self, attrs: &mut Vec<Attr>) -> Parsed<()> {
        self.bump();
        self.expect(Tok::LParen, "'(('")?;
        self.expect(Tok::LParen, "'(('")?;
        while !self.eat(Tok::RParen) {
            if self.eat(Tok::Comma) {
                continue;
            }
            let start = self.here();
            let name = self.attribute_name()?;
            self.attribute_args(name, start, attrs)?;
            if !matches!(self.peek(), Tok::Comma | Tok::RParen) {
                return Err(self.expected("')'"));
            }
        }
        self.expect(Tok::RParen, "')'")?;
        Ok(())
    }

    /// `[[a, ns::b(args)]]`; the name space of gcc is dropped, others stay in the name.
    fn bracket_attribute(&mut self, attrs: &mut Vec<Attr>) -> Parsed<()> {
        self.bump();
        self.bump();
        while self.peek() != Tok::RBracket {
            if self.eat(Tok::Comma) {
                continue;
            }
            let start = self.here();
            let mut name = self.attribute_name()?;
            if self.peek() == Tok::Colon && self.peek_at(1) == Tok::Colon {
                self.bump();
                self.bump();
                let inner = self.attribute_name()?;
                name = if name == sym("gnu") { inner } else { sym(&format!("{name}::{inner}")) };
            }
            self.attribute_args(name, start, attrs)?;
        }
        self.expect(Tok::RBracket, "']'")?;
        self.expect(Tok::RBracket, "']'")?;
        Ok(())
    }

    /// Any word may name an attribute (`const` is one); `__x__` is `x`.
    fn attribute_name(&mut self) -> Parsed<Symbol> {
        let token = self.token();
        if token.name == 0 {
            return Err(self.expected("an attribute name"));
        }
        self.bump();
        let symbol = self.symbol(token);
        let plain = symbol.as_str().strip_prefix("__").and_then(|s| s.strip_suffix("__"));
        Ok(plain.filter(|s| !s.is_empty()).map_or(symbol, sym))
    }

    fn attribute_args(&mut self, name: Symbol, start: cairn_base::Span, attrs: &mut Vec<Attr>) -> Parsed<()> {
        let mut args = vec![];
        if self.eat(Tok::LParen) {
            while self.peek() != Tok::RParen {
                args.push(self.attribute_arg()?);
                if !self.eat(Tok::Comma) {
                    break;
                }
            }
            self.expect(Tok::RParen, "')'")?;
        }
        attrs.push(Attr { name, args, span: self.since(start) });
        Ok(())
    }

    fn attribute_arg(&mut self) -> Parsed<AttrArg> {
        if self.starts_type_name() {
            return Ok(AttrArg::Type(self.type_name()?));
        }
        Ok(AttrArg::Expr(self.assignment()?))
    }

    /// `_Alignas(type or expression)`.
    pub(super) fn alignas(&mut self) -> Parsed<AlignSpec> {
        self.bump();
        self.expect(Tok::LParen, "'('")?;
        let spec = if self.starts_type_name() {
            AlignSpec::Type(Box::new(self.type_name()?))
        } else {
            AlignSpec::Expr(Box::new(self.assignment()?))
        };
        self.expect(Tok::RParen, "')'")?;
        Ok(spec)
    }
}
