//! Statements and blocks.

use cairn_base::Span;

use super::{Parsed, Parser};
use crate::ast::{Block, BlockItem, Expr, Stmt, StmtKind};
use crate::token::Tok;

impl Parser<'_> {
    /// The body of a function; its parameters' scope is open already.
    pub(super) fn function_body(&mut self) -> Parsed<Stmt> {
        let start = self.here();
        let block = self.block_in_scope()?;
        Ok(Stmt { kind: StmtKind::Compound(block), span: self.since(start) })
    }

    /// `{ … }` with its own scope.
    pub(super) fn block(&mut self) -> Parsed<Block> {
        self.open_scope();
        let block = self.block_in_scope()?;
        self.close_scope();
        Ok(block)
    }

    fn block_in_scope(&mut self) -> Parsed<Block> {
        let start = self.here();
        self.expect(Tok::LBrace, "'{'")?;
        let mut local_labels = vec![];
        while self.eat(Tok::LabelDecl) {
            loop {
                local_labels.push(self.ident()?.0);
                if !self.eat(Tok::Comma) {
                    break;
                }
            }
            self.expect(Tok::Semi, "';'")?;
        }
        let mut items = vec![];
        loop {
            match self.peek() {
                Tok::RBrace => break,
                Tok::Eof => return Err(self.expected("a declaration or statement")),
                _ => items.push(self.block_item()?),
            }
        }
        self.bump();
        Ok(Block { items, local_labels, span: self.since(start) })
    }

    fn block_item(&mut self) -> Parsed<BlockItem> {
        match self.peek() {
            Tok::Ident => {
                let next = self.peek_at(1);
                if next == Tok::Colon {
                    return Ok(BlockItem::Stmt(self.stmt(true)?));
                }
                if self.at_typedef_name() {
                    return self.block_declaration(vec![]);
                }
                if next == Tok::Ident {
                    return Err(self.unknown_type());
                }
                Ok(BlockItem::Stmt(self.stmt(true)?))
            }
            Tok::StaticAssert => Ok(BlockItem::StaticAssert(self.static_assert()?)),
            Tok::Attribute | Tok::LBracket if self.at_attribute() => self.attributed_item(),
            Tok::Extension if self.extension_declares() => self.block_declaration(vec![]),
            _ if self.starts_declaration() => self.block_declaration(vec![]),
            _ => Ok(BlockItem::Stmt(self.stmt(true)?)),
        }
    }

    /// `__extension__` before a declaration (and not before an expression).
    fn extension_declares(&self) -> bool {
        let mut at = 1;
        while self.peek_at(at) == Tok::Extension {
            at += 1;
        }
        self.starts_specs(at)
    }

    fn attributed_item(&mut self) -> Parsed<BlockItem> {
        let start = self.here();
        let mut attrs = vec![];
        self.attributes(&mut attrs)?;
        if self.peek() == Tok::Semi {
            self.bump();
            return Ok(BlockItem::Stmt(Stmt { kind: StmtKind::Empty, span: self.since(start) }));
        }
        let label = self.peek() == Tok::Ident && self.peek_at(1) == Tok::Colon;
        if !label && (self.starts_declaration() || self.peek() == Tok::Extension && self.extension_declares())
        {
            return self.block_declaration(attrs);
        }
        Ok(BlockItem::Stmt(self.stmt(true)?))
    }

    /// One statement. Directly in a block (`in_block`) a label may stand before a
    /// declaration or the closing brace, as gcc and C23 allow.
    fn stmt(&mut self, in_block: bool) -> Parsed<Stmt> {
        self.enter()?;
        let start = self.here();
        let kind = match self.peek() {
            Tok::LBrace => StmtKind::Compound(self.block()?),
            Tok::Semi => {
                self.bump();
                StmtKind::Empty
            }
            Tok::If => self.if_stmt()?,
            Tok::While => {
                self.bump();
                let cond = self.condition()?;
                StmtKind::While { cond, body: self.sub_stmt()? }
            }
            Tok::Switch => {
                self.bump();
                let value = self.condition()?;
                StmtKind::Switch { value, body: self.sub_stmt()? }
            }
            Tok::Do => self.do_stmt()?,
            Tok::For => self.for_stmt()?,
            Tok::Case | Tok::Default => self.case_stmt(in_block)?,
            Tok::Ident if self.peek_at(1) == Tok::Colon => {
                let (name, _) = self.ident()?;
                self.bump();
                StmtKind::Label { name, stmt: self.labelled(in_block)? }
            }
            Tok::Goto | Tok::Continue | Tok::Break | Tok::Return => self.jump()?,
            Tok::Asm => {
                let asm = self.asm()?;
                self.expect(Tok::Semi, "';'")?;
                StmtKind::Asm(asm)
            }
            Tok::Attribute | Tok::LBracket if self.at_attribute() => {
                self.attributes(&mut vec![])?;
                self.stmt(in_block)?.kind
            }
            Tok::Else => {
                return Err(self.error(start, "'else' without a previous 'if'"));
            }
            _ => {
                let expr = self.expr()?;
                self.expect(Tok::Semi, "';'")?;
                StmtKind::Expr(expr)
            }
        };
        self.leave();
        Ok(Stmt { kind, span: self.since(start) })
    }

    fn sub_stmt(&mut self) -> Parsed<Box<Stmt>> {
        Ok(Box::new(self.stmt(false)?))
    }

    /// `( expression )` of a controlling expression.
    fn condition(&mut self) -> Parsed<Expr> {
        self.expect(Tok::LParen, "'('")?;
        let cond = self.expr()?;
        self.expect(Tok::RParen, "')'")?;
        Ok(cond)
    }

    fn if_stmt(&mut self) -> Parsed<StmtKind> {
        self.bump();
        let cond = self.condition()?;
        let then = self.sub_stmt()?;
        let other = if self.eat(Tok::Else) { Some(self.sub_stmt()?) } else { None };
        Ok(StmtKind::If { cond, then, other })
    }

    fn do_stmt(&mut self) -> Parsed<StmtKind> {
        self.bump();
        let body = self.sub_stmt()?;
        self.expect(Tok::While, "'while'")?;
        let cond = self.condition()?;
        self.expect(Tok::Semi, "';'")?;
        Ok(StmtKind::Do { body, cond })
    }

    fn for_stmt(&mut self) -> Parsed<StmtKind> {
        self.bump();
        self.expect(Tok::LParen, "'('")?;
        self.open_scope();
        let init = match self.peek() {
            Tok::Semi => {
                self.bump();
                None
            }
            Tok::StaticAssert => Some(Box::new(BlockItem::StaticAssert(self.static_assert()?))),
            Tok::Extension if self.extension_declares() => Some(Box::new(self.block_declaration(vec![])?)),
            _ if self.starts_declaration() => Some(Box::new(self.block_declaration(vec![])?)),
            Tok::Ident if self.peek_at(1) == Tok::Ident => return Err(self.unknown_type()),
            _ => {
                let start = self.here();
                let expr = self.expr()?;
                let span = self.since(start);
                self.expect(Tok::Semi, "';'")?;
                Some(Box::new(BlockItem::Stmt(Stmt { kind: StmtKind::Expr(expr), span })))
            }
        };
        let cond = if self.peek() == Tok::Semi { None } else { Some(self.expr()?) };
        self.expect(Tok::Semi, "';'")?;
        let step = if self.peek() == Tok::RParen { None } else { Some(self.expr()?) };
        self.expect(Tok::RParen, "')'")?;
        let body = self.sub_stmt()?;
        self.close_scope();
        Ok(StmtKind::For { init, cond, step, body })
    }

    fn case_stmt(&mut self, in_block: bool) -> Parsed<StmtKind> {
        if self.bump().kind == Tok::Default {
            self.expect(Tok::Colon, "':'")?;
            return Ok(StmtKind::Default { stmt: self.labelled(in_block)? });
        }
        let low = self.conditional()?;
        let high = if self.eat(Tok::Ellipsis) { Some(self.conditional()?) } else { None };
        self.expect(Tok::Colon, "':' or '...'")?;
        Ok(StmtKind::Case { low, high, stmt: self.labelled(in_block)? })
    }

    /// What a label, `case` or `default` stands before.
    fn labelled(&mut self, in_block: bool) -> Parsed<Box<Stmt>> {
        let here = self.here();
        let nothing = Span { hi: here.lo, ..here };
        if self.at_attribute() {
            // Attributes of the label, unless a declaration follows that they begin.
            let after = self.after_attributes(0);
            if !(in_block && self.starts_specs(after)) {
                self.attributes(&mut vec![])?;
            }
        }
        let declares = match self.peek() {
            Tok::Ident => self.at_typedef_name() && self.peek_at(1) != Tok::Colon,
            Tok::Extension => self.extension_declares(),
            Tok::StaticAssert => true,
            _ => self.starts_declaration(),
        };
        if self.peek() == Tok::RBrace || in_block && declares {
            return Ok(Box::new(Stmt { kind: StmtKind::Empty, span: nothing }));
        }
        Ok(Box::new(self.stmt(in_block)?))
    }

    fn jump(&mut self) -> Parsed<StmtKind> {
        let kind = match self.bump().kind {
            Tok::Continue => StmtKind::Continue,
            Tok::Break => StmtKind::Break,
            Tok::Return if self.peek() == Tok::Semi => StmtKind::Return(None),
            Tok::Return => StmtKind::Return(Some(self.expr()?)),
            _ if self.eat(Tok::Star) => StmtKind::GotoPtr(self.expr()?),
            _ => {
                let (name, span) = self.ident()?;
                StmtKind::Goto(name, span)
            }
        };
        self.expect(Tok::Semi, "';'")?;
        Ok(kind)
    }
}
