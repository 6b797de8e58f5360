//! Initialisers and designators.

use super::{Parsed, Parser};
use crate::ast::{Designator, InitItem, Initializer};
use crate::token::Tok;

impl Parser<'_> {
    pub(super) fn initializer(&mut self) -> Parsed<Initializer> {
        if self.peek() == Tok::LBrace {
            self.initializer_list()
        } else {
            Ok(Initializer::Expr(self.assignment()?))
        }
    }

    /// `{ … }` with designators; may be empty and may end in a comma.
    pub(super) fn initializer_list(&mut self) -> Parsed<Initializer> {
        let start = self.here();
        self.expect(Tok::LBrace, "'{'")?;
        self.enter()?;
        let mut items = vec![];
        while self.peek() != Tok::RBrace {
            let designators = self.designation()?;
            let init = self.initializer()?;
            items.push(InitItem { designators, init });
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        if !self.eat(Tok::RBrace) {
            return Err(self.expected("'}'"));
        }
        self.leave();
        Ok(Initializer::List { items, span: self.since(start) })
    }

    fn designation(&mut self) -> Parsed<Vec<Designator>> {
        // The old form `name: value`.
        if self.peek() == Tok::Ident && self.peek_at(1) == Tok::Colon {
            let (name, span) = self.ident()?;
            self.bump();
            return Ok(vec![Designator::Field(name, span)]);
        }
        let mut designators = vec![];
        loop {
            match self.peek() {
                Tok::Dot => {
                    self.bump();
                    let (name, span) = self.ident()?;
                    designators.push(Designator::Field(name, span));
                }
                Tok::LBracket => {
                    self.bump();
                    let low = self.conditional()?;
                    designators.push(if self.eat(Tok::Ellipsis) {
                        Designator::Range(low, self.conditional()?)
                    } else {
                        Designator::Index(low)
                    });
                    self.expect(Tok::RBracket, "']'")?;
                }
                _ => break,
            }
        }
        // The old form `[index] value` has no `=`.
        let bare_index = matches!(designators[..], [Designator::Index(_) | Designator::Range(..)]);
        if !designators.is_empty() && !self.eat(Tok::Eq) && !bare_index {
            return Err(self.expected("'='"));
        }
        Ok(designators)
    }
}
