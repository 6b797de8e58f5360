//! Structures, unions and enumerations.

use cairn_base::Symbol;

use super::{Parsed, Parser};
use crate::ast::{EnumSpec, Enumerator, FieldDeclarator, Member, RecordSpec, TypeSpec};
use crate::token::Tok;

impl Parser<'_> {
    pub(super) fn record(&mut self) -> Parsed<RecordSpec> {
        let start = self.here();
        let is_union = self.bump().kind == Tok::Union;
        let mut attrs = vec![];
        self.attributes(&mut attrs)?;
        let tag = self.tag()?;
        let mut members = None;
        let mut pack = None;
        if self.peek() == Tok::LBrace {
            self.bump();
            self.enter()?;
            members = Some(self.members()?);
            // gcc lays the record out at its closing brace.
            pack = self.pack_in_force();
            self.expect(Tok::RBrace, "'}'")?;
            self.leave();
            self.attributes(&mut attrs)?;
        } else if tag.is_none() {
            return Err(self.expected("'{'"));
        }
        Ok(RecordSpec { is_union, tag, members, attrs, pack, span: self.since(start) })
    }

    fn tag(&mut self) -> Parsed<Option<Symbol>> {
        if self.peek() != Tok::Ident {
            return Ok(None);
        }
        Ok(Some(self.ident()?.0))
    }

    fn pack_in_force(&self) -> Option<u32> {
        let packs = &self.tokens.packs;
        let after = packs.partition_point(|&(token, _)| token as usize <= self.pos);
        after.checked_sub(1).and_then(|at| packs[at].1)
    }

    fn members(&mut self) -> Parsed<Vec<Member>> {
        let mut members = vec![];
        loop {
            match self.peek() {
                Tok::RBrace => return Ok(members),
                Tok::Semi => {
                    self.bump();
                }
                Tok::StaticAssert => members.push(Member::StaticAssert(self.static_assert()?)),
                _ => members.push(self.member()?),
            }
        }
    }

    fn member(&mut self) -> Parsed<Member> {
        let start = self.here();
        let mut attrs = vec![];
        self.attributes(&mut attrs)?;
        let specs = self.specs(attrs)?;
        if matches!(specs.ty, TypeSpec::Missing) {
            let bare = specs.span.lo == specs.span.hi;
            if self.peek() == Tok::Ident && (bare || self.name_is_type()) {
                return Err(self.unknown_type());
            }
            if bare {
                return Err(self.expected("a specifier-qualifier-list"));
            }
        }
        let mut declarators = vec![];
        if !matches!(self.peek(), Tok::Semi | Tok::RBrace) {
            loop {
                declarators.push(self.field()?);
                if !self.eat(Tok::Comma) {
                    break;
                }
            }
        }
        // The last `;` may be left out (gcc warns).
        if self.peek() != Tok::RBrace && !self.eat(Tok::Semi) {
            return Err(self.expected("':', ',', ';', '}' or '__attribute__'"));
        }
        Ok(Member::Fields { specs, declarators, span: self.since(start) })
    }

    fn field(&mut self) -> Parsed<FieldDeclarator> {
        let mut attrs = vec![];
        self.attributes(&mut attrs)?;
        let mut declarator = match self.peek() {
            Tok::Colon => self.no_declarator(),
            _ => self.declarator()?.0,
        };
        let width = if self.eat(Tok::Colon) { Some(self.conditional()?) } else { None };
        declarator.attrs.append(&mut attrs);
        self.attributes(&mut declarator.attrs)?;
        Ok(FieldDeclarator { declarator, width })
    }

    pub(super) fn enumeration(&mut self) -> Parsed<EnumSpec> {
        let start = self.here();
        self.bump();
        let mut attrs = vec![];
        self.attributes(&mut attrs)?;
        let tag = self.tag()?;
        let mut enumerators = None;
        if self.eat(Tok::LBrace) {
            enumerators = Some(self.enumerators()?);
            self.attributes(&mut attrs)?;
        } else if tag.is_none() {
            return Err(self.expected("'{'"));
        }
        Ok(EnumSpec { tag, enumerators, attrs, span: self.since(start) })
    }

    fn enumerators(&mut self) -> Parsed<Vec<Enumerator>> {
        let mut list = vec![];
        loop {
            let token = self.expect(Tok::Ident, "an identifier")?;
            let span = self.span_of(token);
            self.attributes(&mut vec![])?;
            let value = if self.eat(Tok::Eq) { Some(self.conditional()?) } else { None };
            self.declare(token.name, false);
            list.push(Enumerator { name: self.symbol(token), value, span });
            let more = self.eat(Tok::Comma);
            if self.eat(Tok::RBrace) {
                return Ok(list);
            }
            if !more {
                return Err(self.expected("',' or '}'"));
            }
        }
    }
}
