//! Primary expressions: names, constants, parentheses, statement expressions
//! and the built-in operators that take types.

use super::{Parsed, Parser};
use crate::ast::{CharPrefix, Designator, Expr, ExprKind, IntLit};
use crate::literal;
use crate::token::Tok;

impl Parser<'_> {
    pub(super) fn primary(&mut self) -> Parsed<Expr> {
        let token = self.token();
        self.height = 1;
        let kind = match token.kind {
            Tok::Ident => {
                // A type where an expression should stand, unless it is all we know it as.
                if self.at_typedef_name() {
                    let message = format!("expected an expression before '{}'", self.symbol(token));
                    return Err(self.error(self.span_of(token), message));
                }
                self.bump();
                ExprKind::Ident(self.symbol(token))
            }
            Tok::Number => {
                self.bump();
                let text = String::from_utf8_lossy(self.text_of(token));
                literal::number(&text).map_err(|why| self.error(self.span_of(token), why))?
            }
            Tok::Char => {
                self.bump();
                let (prefix, inner) = literal::unquote(self.text_of(token));
                let mut units = vec![];
                let value = literal::decode(inner, prefix, &mut units)
                    .and_then(|()| literal::char_value(&units, prefix))
                    .map_err(|why| self.error(self.span_of(token), why))?;
                ExprKind::Char { value, prefix }
            }
            Tok::Str => {
                let (units, prefix) = self.strings()?;
                ExprKind::String { units, prefix }
            }
            Tok::FuncName => {
                self.bump();
                ExprKind::FuncName
            }
            Tok::LParen => self.parenthesised()?,
            Tok::Generic => self.generic()?,
            Tok::VaArg | Tok::ConvertVector | Tok::Offsetof | Tok::TypesCompatible | Tok::ChooseExpr => {
                self.type_builtin()?
            }
            Tok::OddBuiltin => {
                let message = format!("'{}'", self.symbol(token));
                return Err(self.unsupported(self.span_of(token), message));
            }
            _ => return Err(self.expected("an expression")),
        };
        Ok(Expr { kind, span: self.since(self.span_of(token)) })
    }

    fn parenthesised(&mut self) -> Parsed<ExprKind> {
        self.bump();
        self.enter()?;
        let kind = if self.peek() == Tok::LBrace {
            ExprKind::StmtExpr(Box::new(self.measured(Self::block)?))
        } else {
            ExprKind::Paren(Box::new(self.expr()?))
        };
        self.grow(0)?;
        self.leave();
        self.expect(Tok::RParen, "')'")?;
        Ok(kind)
    }

    /// Adjacent string literals as one.
    fn strings(&mut self) -> Parsed<(Vec<u32>, CharPrefix)> {
        let first = self.pos;
        let mut prefix = CharPrefix::None;
        while self.peek() == Tok::Str {
            let token = self.bump();
            let (next, _) = literal::unquote(self.text_of(token));
            prefix =
                literal::join_prefix(prefix, next).map_err(|why| self.error(self.span_of(token), why))?;
        }
        let mut units = vec![];
        for &token in &self.list[first..self.pos] {
            let (_, inner) = literal::unquote(self.text_of(token));
            literal::decode(inner, prefix, &mut units).map_err(|why| self.error(self.span_of(token), why))?;
        }
        Ok((units, prefix))
    }

    /// A string literal whose text is meant for us (asm, messages).
    pub(super) fn string_text(&mut self) -> Parsed<String> {
        if self.peek() != Tok::Str {
            return Err(self.expected("a string literal"));
        }
        let (units, prefix) = self.strings()?;
        Ok(match prefix {
            CharPrefix::None | CharPrefix::Utf8 => {
                let bytes: Vec<u8> = units.iter().map(|&u| u as u8).collect();
                String::from_utf8_lossy(&bytes).into_owned()
            }
            CharPrefix::U16 => char::decode_utf16(units.iter().map(|&u| u as u16))
                .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
                .collect(),
            CharPrefix::Wide | CharPrefix::U32 => {
                units.iter().map(|&u| char::from_u32(u).unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
            }
        })
    }

    fn generic(&mut self) -> Parsed<ExprKind> {
        self.bump();
        self.expect(Tok::LParen, "'('")?;
        self.enter()?;
        let control = Box::new(self.assignment()?);
        let mut height = self.height;
        let mut arms = vec![];
        while self.eat(Tok::Comma) {
            let ty = if self.eat(Tok::Default) { None } else { Some(self.measured(Self::type_name)?) };
            height = height.max(self.height);
            self.expect(Tok::Colon, "':'")?;
            arms.push((ty, self.assignment()?));
            height = height.max(self.height);
        }
        self.grow(height)?;
        self.leave();
        self.expect(Tok::RParen, "')'")?;
        Ok(ExprKind::Generic { control, arms })
    }

    /// `__builtin_va_arg`, `convertvector`, `offsetof`, `types_compatible_p`, `choose_expr`.
    fn type_builtin(&mut self) -> Parsed<ExprKind> {
        let builtin = self.bump().kind;
        self.expect(Tok::LParen, "'('")?;
        self.enter()?;
        let kind = self.measured(|p| match builtin {
            Tok::VaArg => {
                let list = Box::new(p.assignment()?);
                p.expect(Tok::Comma, "','")?;
                Ok(ExprKind::VaArg { list, ty: Box::new(p.type_name()?) })
            }
            Tok::ConvertVector => {
                let value = Box::new(p.assignment()?);
                p.expect(Tok::Comma, "','")?;
                Ok(ExprKind::ConvertVector { value, ty: Box::new(p.type_name()?) })
            }
            Tok::Offsetof => {
                let ty = Box::new(p.type_name()?);
                p.expect(Tok::Comma, "','")?;
                Ok(ExprKind::Offsetof { ty, path: p.offset_path()? })
            }
            Tok::TypesCompatible => {
                let first = Box::new(p.type_name()?);
                p.expect(Tok::Comma, "','")?;
                Ok(ExprKind::TypesCompatible(first, Box::new(p.type_name()?)))
            }
            _ => {
                let cond = Box::new(p.assignment()?);
                p.expect(Tok::Comma, "','")?;
                let then = Box::new(p.assignment()?);
                p.expect(Tok::Comma, "','")?;
                Ok(ExprKind::ChooseExpr { cond, then, other: Box::new(p.assignment()?) })
            }
        })?;
        self.grow(0)?;
        self.leave();
        self.expect(Tok::RParen, "')'")?;
        Ok(kind)
    }

    /// `member`, `.member`, `->member` and `[index]` after the type of `offsetof`.
    fn offset_path(&mut self) -> Parsed<Vec<Designator>> {
        let (name, span) = self.ident()?;
        let mut path = vec![Designator::Field(name, span)];
        loop {
            match self.peek() {
                Tok::Dot => {
                    self.bump();
                }
                Tok::Arrow => {
                    // `a->b` is `a[0].b`.
                    let span = self.here();
                    self.bump();
                    let zero =
                        IntLit { value: 0, unsigned: false, longs: 0, decimal: true, imaginary: false };
                    path.push(Designator::Index(Expr { kind: ExprKind::Int(zero), span }));
                }
                Tok::LBracket => {
                    self.bump();
                    path.push(Designator::Index(self.expr()?));
                    self.expect(Tok::RBracket, "']'")?;
                    continue;
                }
                _ => return Ok(path),
            }
            let (name, span) = self.ident()?;
            path.push(Designator::Field(name, span));
        }
    }
}
