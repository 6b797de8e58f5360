//! Declarations and function definitions, at file scope and in blocks.

use super::{Parsed, Parser};
use crate::ast::{
    Attr, BlockItem, DeclSpecs, Declaration, Declarator, Derived, FunctionDef, InitDeclarator, Item, Params,
    StaticAssert, Storage, TypeSpec,
};
use crate::token::Tok;

/// What a declaration turned out to be.
pub(super) enum Declared {
    Declaration(Declaration),
    Function(Box<FunctionDef>),
}

impl Parser<'_> {
    /// One external declaration (or a stray `;`).
    pub(super) fn external(&mut self, items: &mut Vec<Item>) -> Parsed<()> {
        let mut attrs = vec![];
        match self.peek() {
            Tok::Semi => {
                self.bump();
                return Ok(());
            }
            Tok::Asm => {
                let asm = self.asm()?;
                self.expect(Tok::Semi, "';'")?;
                items.push(Item::Asm(asm));
                return Ok(());
            }
            Tok::StaticAssert => {
                items.push(Item::StaticAssert(self.static_assert()?));
                return Ok(());
            }
            Tok::Extension => {
                self.bump();
                return Ok(());
            }
            Tok::Attribute | Tok::LBracket if self.at_attribute() => {
                self.attributes(&mut attrs)?;
                // `[[attribute]];` declares nothing.
                if self.eat(Tok::Semi) {
                    return Ok(());
                }
            }
            _ => {}
        }
        let plausible = matches!(self.peek(), Tok::Ident | Tok::Star | Tok::LParen | Tok::Extension);
        if !plausible && !self.starts_declaration() {
            return Err(self.expected("a declaration"));
        }
        items.push(match self.declaration(attrs)? {
            Declared::Declaration(declaration) => Item::Decl(declaration),
            Declared::Function(function) => Item::Function(function),
        });
        Ok(())
    }

    /// A declaration in a block.
    pub(super) fn block_declaration(&mut self, attrs: Vec<Attr>) -> Parsed<BlockItem> {
        Ok(match self.declaration(attrs)? {
            Declared::Declaration(declaration) => BlockItem::Decl(declaration),
            Declared::Function(function) => BlockItem::Function(function),
        })
    }

    pub(super) fn declaration(&mut self, attrs: Vec<Attr>) -> Parsed<Declared> {
        let start = attrs.first().map_or(self.here(), |a| a.span);
        let specs = self.specs(attrs)?;
        let missing = matches!(specs.ty, TypeSpec::Missing);
        let is_typedef = specs.storage == Some(Storage::Typedef);
        if missing && self.peek() == Tok::Ident && self.name_is_type() {
            return Err(self.unknown_type());
        }
        let mut declarators = vec![];
        if self.peek() == Tok::Semi && specs.span.lo != specs.span.hi {
            self.bump();
            let span = self.since(start);
            return Ok(Declared::Declaration(Declaration { specs, declarators, span }));
        }
        loop {
            let mut attrs = vec![];
            self.attributes(&mut attrs)?;
            let (mut declarator, name) = self.declarator()?;
            declarator.attrs.append(&mut attrs);
            if declarators.is_empty() && !is_typedef && self.at_function_body(&declarator) {
                self.declare(name, false);
                return self.function(specs, declarator, start);
            }
            self.label_and_attributes(&mut declarator)?;
            if declarators.is_empty() && self.peek() == Tok::LBrace && is_function(&declarator) {
                self.declare(name, false);
                return self.function(specs, declarator, start);
            }
            self.declare(name, is_typedef);
            let init = if self.eat(Tok::Eq) { Some(self.initializer()?) } else { None };
            declarators.push(InitDeclarator { declarator, init });
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        if !self.eat(Tok::Semi) {
            return Err(self.after_declarator(&declarators));
        }
        Ok(Declared::Declaration(Declaration { specs, declarators, span: self.since(start) }))
    }

    /// `asm("label")` and attributes after a declarator, in any order.
    fn label_and_attributes(&mut self, declarator: &mut Declarator) -> Parsed<()> {
        loop {
            match self.peek() {
                Tok::Asm => declarator.asm_label = Some(self.asm_label()?),
                Tok::Attribute => self.attributes(&mut declarator.attrs)?,
                _ => return Ok(()),
            }
        }
    }

    /// `foo x` or `foo * x` at a place where only a declaration can stand.
    pub(super) fn name_is_type(&self) -> bool {
        let mut at = 1;
        while matches!(self.peek_at(at), Tok::Star | Tok::Const | Tok::Volatile | Tok::Restrict) {
            at += 1;
        }
        self.peek_at(at) == Tok::Ident
    }

    /// The error where neither `,` nor `;` follows a declarator.
    #[cold]
    fn after_declarator(&self, declarators: &[InitDeclarator]) -> Box<cairn_base::Diagnostic> {
        match declarators.last() {
            _ if self.on_new_line() => self.expected("';'"),
            Some(InitDeclarator { init: None, .. }) => {
                self.expected("'=', ',', ';', 'asm' or '__attribute__'")
            }
            _ => self.expected("',' or ';'"),
        }
    }

    /// Does a function body, or a K&R declaration list and then one, follow?
    fn at_function_body(&self, declarator: &Declarator) -> bool {
        if !is_function(declarator) {
            return false;
        }
        match self.peek() {
            Tok::LBrace => true,
            Tok::Attribute => false,
            Tok::Extension => true,
            _ => self.starts_declaration(),
        }
    }

    fn function(
        &mut self,
        specs: DeclSpecs,
        declarator: Declarator,
        start: cairn_base::Span,
    ) -> Parsed<Declared> {
        let names = std::mem::take(&mut self.param_names);
        self.enter()?;
        self.open_scope();
        for (name, is_typedef) in names {
            self.declare(name, is_typedef);
        }
        let mut knr = vec![];
        while self.peek() != Tok::LBrace {
            if !self.starts_declaration() && self.peek() != Tok::Extension {
                return Err(self.expected("'{'"));
            }
            match self.declaration(vec![])? {
                Declared::Declaration(declaration) => knr.push(declaration),
                Declared::Function(function) => {
                    return Err(
                        self.error(function.declarator.span, "a function is defined among parameters")
                    );
                }
            }
        }
        let body = self.function_body()?;
        self.close_scope();
        self.leave();
        let span = self.since(start);
        Ok(Declared::Function(Box::new(FunctionDef { specs, declarator, knr, body, span })))
    }

    pub(super) fn static_assert(&mut self) -> Parsed<StaticAssert> {
        let start = self.here();
        self.bump();
        self.expect(Tok::LParen, "'('")?;
        let cond = self.assignment()?;
        let message = if self.eat(Tok::Comma) { Some(self.string_text()?) } else { None };
        self.expect(Tok::RParen, "')'")?;
        let span = self.since(start);
        if self.peek() != Tok::RBrace {
            self.expect(Tok::Semi, "';'")?;
        }
        Ok(StaticAssert { cond, message, span })
    }
}

fn is_function(declarator: &Declarator) -> bool {
    matches!(declarator.derived.first(), Some(Derived::Function(Params::Prototype { .. } | Params::Knr(_))))
}
