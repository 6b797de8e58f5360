//! Declarators, read inside out into the flat form of [`Declarator`].

use cairn_base::Span;

use super::{Parsed, Parser};
use crate::ast::{ArraySize, Attr, Declarator, Derived, Param, Params, Quals, TypeSpec};
use crate::token::Tok;

/// What kind of declarator the context wants.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Form {
    /// With a name.
    Named,
    /// Without (type names).
    Abstract,
    /// Either (parameters); `typed` says whether the specifiers had a type, so
    /// that a typedef name is the name being declared.
    Either { typed: bool },
}

/// A declarator under construction.
struct Draft {
    name: u32,
    name_span: Option<Span>,
    derived: Vec<Derived>,
    attrs: Vec<Attr>,
}

impl Parser<'_> {
    /// A declarator with a name; also gives the number of the name.
    pub(super) fn declarator(&mut self) -> Parsed<(Declarator, u32)> {
        self.complete(Form::Named)
    }

    /// A declarator without a name.
    pub(super) fn abstract_declarator(&mut self) -> Parsed<Declarator> {
        if !matches!(self.peek(), Tok::Star | Tok::LParen | Tok::LBracket) {
            return Ok(self.no_declarator());
        }
        Ok(self.complete(Form::Abstract)?.0)
    }

    fn complete(&mut self, form: Form) -> Parsed<(Declarator, u32)> {
        let start = self.here();
        let mut draft = Draft { name: 0, name_span: None, derived: vec![], attrs: vec![] };
        self.level(form, &mut draft)?;
        let span = self.since(start);
        let declarator = Declarator {
            name: (draft.name != 0).then(|| self.tokens.names[draft.name as usize]),
            name_span: draft.name_span.unwrap_or(Span { lo: span.hi, ..span }),
            derived: draft.derived,
            attrs: draft.attrs,
            asm_label: None,
            span,
        };
        Ok((declarator, draft.name))
    }

    /// Pointers, then the name or a nested declarator, then suffixes. What
    /// binds tighter to the name is appended first.
    fn level(&mut self, form: Form, draft: &mut Draft) -> Parsed<()> {
        self.enter()?;
        if self.at_attribute() {
            self.attributes(&mut draft.attrs)?;
        }
        let mut pointers = vec![];
        while self.eat(Tok::Star) {
            let (quals, attrs) = self.pointer_qualifiers()?;
            pointers.push(Derived::Pointer { quals, attrs });
        }
        let token = self.token();
        match token.kind {
            Tok::Ident if self.is_name(form) => {
                self.bump();
                draft.name = token.name;
                draft.name_span = Some(self.span_of(token));
                if self.peek() == Tok::LBracket && self.at_attribute() {
                    self.attributes(&mut draft.attrs)?;
                }
            }
            Tok::LParen if form == Form::Named || !self.paren_is_params() => {
                self.bump();
                self.level(form, draft)?;
                self.expect(Tok::RParen, "')'")?;
            }
            _ if form == Form::Named => {
                return Err(self.expected("an identifier or '('"));
            }
            _ => {}
        }
        self.suffixes(draft)?;
        draft.derived.extend(pointers.into_iter().rev());
        self.leave();
        Ok(())
    }

    /// Is the identifier at hand the declared name?
    fn is_name(&self, form: Form) -> bool {
        match form {
            Form::Named => true,
            Form::Abstract => false,
            Form::Either { typed } => typed || !self.at_typedef_name(),
        }
    }

    /// In a possibly nameless declarator, `(` opens a parameter list if a
    /// parameter or nothing follows, and a nested declarator otherwise.
    fn paren_is_params(&self) -> bool {
        match self.peek_at(1) {
            Tok::RParen | Tok::Ellipsis => true,
            // `(__attribute__((x)) *f)(…)` nests; `(__attribute__((x)) int)` does not.
            Tok::Attribute => match self.after_attributes(1) {
                at if matches!(self.peek_at(at), Tok::Star | Tok::LParen) => false,
                at => self.starts_specs(at),
            },
            _ => self.starts_specs(1),
        }
    }

    /// How far ahead the first token after a run of `__attribute__((…))` is.
    pub(super) fn after_attributes(&self, mut at: usize) -> usize {
        while self.peek_at(at) == Tok::Attribute {
            let mut open = 0u32;
            at += 1;
            loop {
                match self.peek_at(at) {
                    Tok::LParen => open += 1,
                    Tok::RParen => open = open.saturating_sub(1),
                    Tok::Eof => return at,
                    _ => {}
                }
                at += 1;
                if open == 0 {
                    break;
                }
            }
        }
        at
    }

    fn pointer_qualifiers(&mut self) -> Parsed<(Quals, Vec<Attr>)> {
        let (mut quals, mut attrs) = (Quals::default(), vec![]);
        loop {
            match self.peek() {
                Tok::Const | Tok::Volatile | Tok::Restrict | Tok::Atomic => self.qualifier(&mut quals),
                Tok::Attribute | Tok::LBracket if self.at_attribute() => self.attributes(&mut attrs)?,
                _ => return Ok((quals, attrs)),
            }
        }
    }

    fn suffixes(&mut self, draft: &mut Draft) -> Parsed<()> {
        loop {
            match self.peek() {
                Tok::LBracket if self.at_attribute() => self.attributes(&mut draft.attrs)?,
                Tok::LBracket => {
                    let array = self.array_suffix()?;
                    draft.derived.push(array);
                }
                Tok::LParen => {
                    let innermost = draft.derived.is_empty();
                    let params = self.params(innermost)?;
                    draft.derived.push(Derived::Function(params));
                }
                _ => return Ok(()),
            }
        }
    }

    fn array_suffix(&mut self) -> Parsed<Derived> {
        self.bump();
        self.enter()?;
        let mut quals = Quals::default();
        let mut is_static = false;
        loop {
            match self.peek() {
                Tok::Static => {
                    self.bump();
                    is_static = true;
                }
                Tok::Const | Tok::Volatile | Tok::Restrict | Tok::Atomic => self.qualifier(&mut quals),
                Tok::Attribute => self.attributes(&mut vec![])?,
                _ => break,
            }
        }
        let size = match self.peek() {
            Tok::RBracket => ArraySize::Unknown,
            Tok::Star if self.peek_at(1) == Tok::RBracket => {
                self.bump();
                ArraySize::Star
            }
            _ => ArraySize::Expr(Box::new(self.expr()?)),
        };
        self.expect(Tok::RBracket, "']'")?;
        self.leave();
        Ok(Derived::Array { size, quals, is_static })
    }

    /// A parameter list. The names that the innermost list of a declarator
    /// turns into something else are kept for the body of a definition.
    fn params(&mut self, innermost: bool) -> Parsed<Params> {
        let saved = std::mem::take(&mut self.param_names);
        self.bump();
        self.enter()?;
        self.open_scope();
        let params = self.param_list()?;
        self.expect(Tok::RParen, "')'")?;
        let from = self.scopes.last().copied().unwrap_or(0);
        let changed = |&(name, _): &(u32, bool)| (name, self.typedefs[name as usize]);
        self.param_names = if innermost { self.undo[from..].iter().map(changed).collect() } else { saved };
        self.close_scope();
        self.leave();
        Ok(params)
    }

    fn param_list(&mut self) -> Parsed<Params> {
        match self.peek() {
            Tok::RParen => return Ok(Params::Knr(vec![])),
            // `(void)`
            Tok::Void if self.peek_at(1) == Tok::RParen => {
                self.bump();
                return Ok(Params::Prototype { params: vec![], variadic: false });
            }
            Tok::Ident if !self.at_typedef_name() => return self.name_list(),
            _ => {}
        }
        let mut params = vec![];
        loop {
            if self.eat(Tok::Ellipsis) {
                return Ok(Params::Prototype { params, variadic: true });
            }
            params.push(self.param()?);
            // `int f(int n; int a[n])` declares parameters ahead.
            if self.peek() == Tok::Semi {
                return Err(self.unsupported(self.here(), "forward declarations of parameters"));
            }
            if !self.eat(Tok::Comma) {
                return Ok(Params::Prototype { params, variadic: false });
            }
        }
    }

    /// `(a, b)` of an old-style definition.
    fn name_list(&mut self) -> Parsed<Params> {
        let mut names = vec![];
        loop {
            if self.peek() == Tok::Ident && !matches!(self.peek_at(1), Tok::Comma | Tok::RParen) {
                return Err(self.unknown_type());
            }
            names.push(self.ident()?);
            if !self.eat(Tok::Comma) {
                return Ok(Params::Knr(names));
            }
        }
    }

    fn param(&mut self) -> Parsed<Param> {
        let mut attrs = vec![];
        self.attributes(&mut attrs)?;
        let specs = self.specs(attrs)?;
        let typed = !matches!(specs.ty, TypeSpec::Missing);
        if specs.span.lo == specs.span.hi {
            if self.peek() == Tok::Ident {
                return Err(self.unknown_type());
            }
            return Err(self.expected("a declaration specifier or '...'"));
        }
        let (mut declarator, name) = self.complete(Form::Either { typed })?;
        self.attributes(&mut declarator.attrs)?;
        if self.peek() == Tok::Asm {
            declarator.asm_label = Some(self.asm_label()?);
            self.attributes(&mut declarator.attrs)?;
        }
        if name != 0 {
            self.declare(name, false);
        }
        Ok(Param { specs, declarator })
    }

    /// The next token is a name where a type should stand.
    #[cold]
    pub(super) fn unknown_type(&self) -> Box<cairn_base::Diagnostic> {
        let token = self.token();
        self.error(self.span_of(token), format!("unknown type name '{}'", self.symbol(token)))
    }
}
