//! Inline assembly: read completely, kept only as far as others must know
//! that it is there.

use super::{Parsed, Parser};
use crate::ast::Asm;
use crate::token::Tok;

impl Parser<'_> {
    /// `asm("label")` after a declarator.
    pub(super) fn asm_label(&mut self) -> Parsed<String> {
        self.bump();
        self.expect(Tok::LParen, "'('")?;
        let label = self.string_text()?;
        self.expect(Tok::RParen, "')'")?;
        Ok(label)
    }

    /// `asm qualifiers (template : outputs : inputs : clobbers : labels)`.
    pub(super) fn asm(&mut self) -> Parsed<Asm> {
        let start = self.here();
        self.bump();
        while matches!(self.peek(), Tok::Volatile | Tok::Const | Tok::Inline | Tok::Goto) {
            self.bump();
        }
        self.expect(Tok::LParen, "'('")?;
        let mut asm = Asm {
            template: self.string_text()?,
            has_outputs: false,
            has_inputs: false,
            has_labels: false,
            span: start,
        };
        for section in 0.. {
            if !self.eat(Tok::Colon) {
                break;
            }
            match section {
                0 => asm.has_outputs = self.asm_operands()?,
                1 => asm.has_inputs = self.asm_operands()?,
                2 => self.asm_clobbers()?,
                _ => asm.has_labels = self.asm_labels()?,
            }
        }
        self.expect(Tok::RParen, "')'")?;
        asm.span = self.since(start);
        Ok(asm)
    }

    /// `[name] "constraint" (expression), …`; were there any?
    fn asm_operands(&mut self) -> Parsed<bool> {
        if matches!(self.peek(), Tok::Colon | Tok::RParen) {
            return Ok(false);
        }
        loop {
            if self.eat(Tok::LBracket) {
                self.ident()?;
                self.expect(Tok::RBracket, "']'")?;
            }
            self.string_text()?;
            self.expect(Tok::LParen, "'('")?;
            self.expr()?;
            self.expect(Tok::RParen, "')'")?;
            if !self.eat(Tok::Comma) {
                return Ok(true);
            }
        }
    }

    fn asm_clobbers(&mut self) -> Parsed<()> {
        if self.peek() != Tok::Str {
            return Ok(());
        }
        self.string_text()?;
        while self.eat(Tok::Comma) {
            self.string_text()?;
        }
        Ok(())
    }

    fn asm_labels(&mut self) -> Parsed<bool> {
        if self.peek() != Tok::Ident {
            return Ok(false);
        }
        self.ident()?;
        while self.eat(Tok::Comma) {
            self.ident()?;
        }
        Ok(true)
    }
}
