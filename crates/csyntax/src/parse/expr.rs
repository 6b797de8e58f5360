//! Expressions: comma, assignment, conditional, binary operators, casts,
//! unary operators and postfix chains.

use cairn_base::Span;

use super::{Parsed, Parser};
use crate::ast::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::token::Tok;

/// The operator and how tightly it binds (0: none).
fn binary_op(kind: Tok) -> Option<(BinaryOp, u8)> {
    Some(match kind {
        Tok::Star => (BinaryOp::Mul, 10),
        Tok::Slash => (BinaryOp::Div, 10),
        Tok::Percent => (BinaryOp::Rem, 10),
        Tok::Plus => (BinaryOp::Add, 9),
        Tok::Minus => (BinaryOp::Sub, 9),
        Tok::Shl => (BinaryOp::Shl, 8),
        Tok::Shr => (BinaryOp::Shr, 8),
        Tok::Lt => (BinaryOp::Lt, 7),
        Tok::Gt => (BinaryOp::Gt, 7),
        Tok::Le => (BinaryOp::Le, 7),
        Tok::Ge => (BinaryOp::Ge, 7),
        Tok::EqEq => (BinaryOp::Eq, 6),
        Tok::Ne => (BinaryOp::Ne, 6),
        Tok::Amp => (BinaryOp::BitAnd, 5),
        Tok::Caret => (BinaryOp::BitXor, 4),
        Tok::Pipe => (BinaryOp::BitOr, 3),
        Tok::AndAnd => (BinaryOp::LogAnd, 2),
        Tok::OrOr => (BinaryOp::LogOr, 1),
        _ => return None,
    })
}

fn assign_op(kind: Tok) -> Option<Option<BinaryOp>> {
    Some(match kind {
        Tok::Eq => None,
        Tok::PlusEq => Some(BinaryOp::Add),
        Tok::MinusEq => Some(BinaryOp::Sub),
        Tok::StarEq => Some(BinaryOp::Mul),
        Tok::SlashEq => Some(BinaryOp::Div),
        Tok::PercentEq => Some(BinaryOp::Rem),
        Tok::AmpEq => Some(BinaryOp::BitAnd),
        Tok::PipeEq => Some(BinaryOp::BitOr),
        Tok::CaretEq => Some(BinaryOp::BitXor),
        Tok::ShlEq => Some(BinaryOp::Shl),
        Tok::ShrEq => Some(BinaryOp::Shr),
        _ => return None,
    })
}

impl Parser<'_> {
    /// A full expression, with commas.
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        let mut expr = self.assignment()?;
        while self.peek() == Tok::Comma {
            self.bump();
            let left = self.height;
            let rhs = self.assignment()?;
            self.grow(left)?;
            let span = expr.span.to(rhs.span);
            expr = Expr { kind: ExprKind::Comma(Box::new(expr), Box::new(rhs)), span };
        }
        Ok(expr)
    }

    pub(super) fn assignment(&mut self) -> Parsed<Expr> {
        let lhs = self.conditional()?;
        match assign_op(self.peek()) {
            None => Ok(lhs),
            Some(op) => self.assign_rest(lhs, op),
        }
    }

    fn assign_rest(&mut self, lhs: Expr, op: Option<BinaryOp>) -> Parsed<Expr> {
        self.bump();
        self.enter()?;
        let left = self.height;
        let rhs = self.assignment()?;
        self.grow(left)?;
        self.leave();
        let span = lhs.span.to(rhs.span);
        Ok(Expr { kind: ExprKind::Assign { op, lhs: Box::new(lhs), rhs: Box::new(rhs) }, span })
    }

    /// A conditional expression (what constant expressions are).
    pub(super) fn conditional(&mut self) -> Parsed<Expr> {
        let cond = self.binary(1)?;
        if self.peek() == Tok::Question { self.conditional_rest(cond) } else { Ok(cond) }
    }

    fn conditional_rest(&mut self, cond: Expr) -> Parsed<Expr> {
        self.bump();
        self.enter()?;
        let mut height = self.height;
        let mut then = None;
        if self.peek() != Tok::Colon {
            then = Some(Box::new(self.expr()?));
            height = height.max(self.height);
        }
        self.expect(Tok::Colon, "':'")?;
        let other = Box::new(self.conditional()?);
        self.grow(height)?;
        self.leave();
        let span = cond.span.to(other.span);
        Ok(Expr { kind: ExprKind::Cond { cond: Box::new(cond), then, other }, span })
    }

    /// Operators that bind at least as tightly as `least`.
    fn binary(&mut self, least: u8) -> Parsed<Expr> {
        let mut lhs = self.cast()?;
        while let Some((op, level)) = binary_op(self.peek()) {
            if level < least {
                break;
            }
            self.bump();
            self.enter()?;
            let left = self.height;
            let rhs = self.binary(level + 1)?;
            self.grow(left)?;
            self.leave();
            let span = lhs.span.to(rhs.span);
            lhs = Expr { kind: ExprKind::Binary { op, lhs: Box::new(lhs), rhs: Box::new(rhs) }, span };
        }
        Ok(lhs)
    }

    /// `(type) operand`, a compound literal, or a unary expression.
    pub(super) fn cast(&mut self) -> Parsed<Expr> {
        if self.peek() == Tok::LParen && self.starts_type(1) {
            return self.paren_type(|parser, ty, start| {
                let arg = Box::new(parser.cast()?);
                parser.grow(0)?;
                let span = start.to(arg.span);
                Ok(Expr { kind: ExprKind::Cast { ty: Box::new(ty), arg }, span })
            });
        }
        self.unary()
    }

    /// `(type)`: a compound literal if a brace follows, otherwise what `then` makes of it.
    fn paren_type(
        &mut self,
        then: impl FnOnce(&mut Self, crate::ast::TypeName, Span) -> Parsed<Expr>,
    ) -> Parsed<Expr> {
        let start = self.here();
        self.bump();
        self.enter()?;
        let ty = self.measured(Self::type_name)?;
        self.expect(Tok::RParen, "')'")?;
        let expr = if self.peek() == Tok::LBrace {
            let height = self.height;
            let init = Box::new(self.measured(Self::initializer_list)?);
            self.grow(height)?;
            let kind = ExprKind::CompoundLiteral { ty: Box::new(ty), init };
            let literal = Expr { kind, span: self.since(start) };
            self.postfix(literal)?
        } else {
            then(self, ty, start)?
        };
        self.leave();
        Ok(expr)
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let op = match self.peek() {
            Tok::Ident | Tok::Number | Tok::LParen | Tok::Str | Tok::Char => {
                let primary = self.primary()?;
                return self.postfix(primary);
            }
            Tok::Minus => UnaryOp::Minus,
            Tok::Star => UnaryOp::Deref,
            Tok::Amp => UnaryOp::AddrOf,
            Tok::Bang => UnaryOp::Not,
            Tok::Tilde => UnaryOp::BitNot,
            Tok::Plus => UnaryOp::Plus,
            Tok::PlusPlus => UnaryOp::PreInc,
            Tok::MinusMinus => UnaryOp::PreDec,
            Tok::Extension => UnaryOp::Extension,
            Tok::Sizeof | Tok::Alignof | Tok::PreferredAlignof => return self.size_or_alignment(),
            Tok::AndAnd => {
                let start = self.here();
                self.bump();
                let (name, _) = self.ident()?;
                self.height = 1;
                return Ok(Expr { kind: ExprKind::LabelAddr(name), span: self.since(start) });
            }
            Tok::Real | Tok::Imag => {
                let (start, imag) = (self.here(), self.bump().kind == Tok::Imag);
                let arg = self.operand()?;
                let span = start.to(arg.span);
                return Ok(Expr { kind: ExprKind::ComplexPart { imag, arg }, span });
            }
            _ => {
                let primary = self.primary()?;
                return self.postfix(primary);
            }
        };
        let start = self.here();
        self.bump();
        let arg = self.operand()?;
        let span = start.to(arg.span);
        Ok(Expr { kind: ExprKind::Unary { op, arg }, span })
    }

    /// The operand of a unary operator, one level further down.
    fn operand(&mut self) -> Parsed<Box<Expr>> {
        self.enter()?;
        let arg = Box::new(self.cast()?);
        self.grow(0)?;
        self.leave();
        Ok(arg)
    }

    /// `sizeof` and the two alignment operators, of types and of expressions.
    fn size_or_alignment(&mut self) -> Parsed<Expr> {
        let start = self.here();
        let operator = self.bump().kind;
        self.enter()?;
        let mut of_type = None;
        let arg = if self.peek() == Tok::LParen && self.starts_type(1) {
            self.paren_type(|parser, ty, paren| {
                of_type = Some(ty);
                // Only its place is used.
                Ok(Expr { kind: ExprKind::FuncName, span: parser.since(paren) })
            })?
        } else {
            self.unary()?
        };
        self.grow(0)?;
        self.leave();
        let span = start.to(arg.span);
        let kind = match (operator, of_type) {
            (Tok::Sizeof, Some(ty)) => ExprKind::SizeofType(Box::new(ty)),
            (Tok::Sizeof, None) => ExprKind::SizeofExpr(Box::new(arg)),
            (Tok::Alignof, Some(ty)) => ExprKind::AlignofType(Box::new(ty)),
            (Tok::Alignof, None) => ExprKind::AlignofExpr(Box::new(arg)),
            (_, Some(ty)) => ExprKind::PreferredAlignofType(Box::new(ty)),
            (_, None) => ExprKind::PreferredAlignofExpr(Box::new(arg)),
        };
        Ok(Expr { kind, span })
    }

    /// Calls, subscripts, members and postfix increments after `expr`.
    pub(super) fn postfix(&mut self, mut expr: Expr) -> Parsed<Expr> {
        loop {
            let kind = match self.peek() {
                Tok::LParen => self.call()?,
                Tok::LBracket => {
                    self.bump();
                    self.enter()?;
                    let base = self.height;
                    let index = self.expr()?;
                    self.grow(base)?;
                    self.leave();
                    self.expect(Tok::RBracket, "']'")?;
                    Suffix::Index(index)
                }
                kind @ (Tok::Dot | Tok::Arrow) => {
                    self.bump();
                    let (name, name_span) = self.ident()?;
                    self.grow(0)?;
                    Suffix::Member { arrow: kind == Tok::Arrow, name, name_span }
                }
                kind @ (Tok::PlusPlus | Tok::MinusMinus) => {
                    self.bump();
                    self.grow(0)?;
                    Suffix::Step(if kind == Tok::PlusPlus { UnaryOp::PostInc } else { UnaryOp::PostDec })
                }
                _ => return Ok(expr),
            };
            let span = self.since(expr.span);
            let base = Box::new(expr);
            expr = Expr { kind: kind.attach(base), span };
        }
    }

    fn call(&mut self) -> Parsed<Suffix> {
        self.bump();
        self.enter()?;
        let mut height = self.height;
        let mut args = vec![];
        if self.peek() != Tok::RParen {
            loop {
                args.push(self.assignment()?);
                height = height.max(self.height);
                if !self.eat(Tok::Comma) {
                    break;
                }
            }
        }
        self.expect(Tok::RParen, "')'")?;
        self.grow(height)?;
        self.leave();
        Ok(Suffix::Call(args))
    }
}

/// A postfix operator without its operand.
enum Suffix {
    Call(Vec<Expr>),
    Index(Expr),
    Member { arrow: bool, name: cairn_base::Symbol, name_span: Span },
    Step(UnaryOp),
}

impl Suffix {
    fn attach(self, base: Box<Expr>) -> ExprKind {
        match self {
            Suffix::Call(args) => ExprKind::Call { callee: base, args },
            Suffix::Index(index) => ExprKind::Index { base, index: Box::new(index) },
            Suffix::Member { arrow, name, name_span } => ExprKind::Member { base, arrow, name, name_span },
            Suffix::Step(op) => ExprKind::Unary { op, arg: base },
        }
    }
}
