//! Inline assembly: the template as text, its operands as expressions.

use cairn_base::{Span, Symbol};

use super::{Parsed, Parser};
use crate::ast::{Asm, AsmOperand};
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
            outputs: Vec::new(),
            inputs: Vec::new(),
            labels: Vec::new(),
            span: start,
        };
        for section in 0.. {
            if !self.eat(Tok::Colon) {
                break;
            }
            match section {
                0 => asm.outputs = self.asm_operands()?,
                1 => asm.inputs = self.asm_operands()?,
                2 => self.asm_clobbers()?,
                _ => asm.labels = self.asm_labels()?,
            }
        }
        self.expect(Tok::RParen, "')'")?;
        asm.span = self.since(start);
        Ok(asm)
    }

    fn asm_operands(&mut self) -> Parsed<Vec<AsmOperand>> {
        let mut operands = Vec::new();
        if matches!(self.peek(), Tok::Colon | Tok::RParen) {
            return Ok(operands);
        }
        loop {
            let mut name = None;
            if self.eat(Tok::LBracket) {
                name = Some(self.ident()?.0);
                self.expect(Tok::RBracket, "']'")?;
            }
            let constraint = self.string_text()?;
            self.expect(Tok::LParen, "'('")?;
            let value = self.expr()?;
            self.expect(Tok::RParen, "')'")?;
            operands.push(AsmOperand { name, constraint, value });
            if !self.eat(Tok::Comma) {
                return Ok(operands);
            }
        }
    }

    /// Registers, flags and `memory`: what the template changes besides its outputs.
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

    fn asm_labels(&mut self) -> Parsed<Vec<(Symbol, Span)>> {
        let mut labels = Vec::new();
        if self.peek() == Tok::Ident {
            labels.push(self.ident()?);
            while self.eat(Tok::Comma) {
                labels.push(self.ident()?);
            }
        }
        Ok(labels)
    }
}
