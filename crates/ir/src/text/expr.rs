//! Reading expressions, which needs the declared names and types.

use cairn_value::{BinOp, FloatTy, IntTy, Ty, UnOp};

use super::lex::{Line, Token};
use super::names::{self, lookup};
use super::parse::Result;
use crate::{Expr, ExprId, ExprPool, FuncId, LabelId, ObjId, Symbol, VarId};

/// Brackets may nest this deep; the printer stays far below.
const MAX_DEPTH: u32 = 200;

/// What names stand for.
pub struct Names {
    pub vars: Vec<Symbol>,
    pub objects: Vec<Symbol>,
    pub funcs: Vec<Symbol>,
    pub labels: Vec<Symbol>,
    /// The `let`s of the function being read, and those outside functions.
    pub lets: Vec<ExprId>,
    pub global_lets: Vec<ExprId>,
}

fn reference(table: &[Symbol], what: &str, line: &mut Line) -> Result<u32> {
    let Token::Ref(shown, id) = line.peek else {
        return Err(line.error(format!("expected a {what}")));
    };
    match table.get(id as usize) {
        Some(name) if names::shows(name, shown) => {
            line.next()?;
            Ok(id)
        }
        Some(name) => Err(line.error(format!("{what} {id} is named {name}"))),
        None => Err(line.error(format!("no such {what}"))),
    }
}

impl Names {
    pub fn var(&self, line: &mut Line) -> Result<VarId> {
        reference(&self.vars, "variable", line).map(VarId::from_u32)
    }

    pub fn object(&self, line: &mut Line) -> Result<ObjId> {
        reference(&self.objects, "object", line).map(ObjId::from_u32)
    }

    pub fn func(&self, line: &mut Line) -> Result<FuncId> {
        reference(&self.funcs, "function", line).map(FuncId::from_u32)
    }

    pub fn label(&self, line: &mut Line) -> Result<LabelId> {
        reference(&self.labels, "label", line).map(LabelId::from_u32)
    }

    /// `a`, `a OP b` or `a ? b : c`.
    pub fn expr(&self, pool: &mut ExprPool, in_func: bool, line: &mut Line, depth: u32) -> Result<ExprId> {
        if depth > MAX_DEPTH {
            return Err(line.error("expression is nested too deeply (use `let`)"));
        }
        let a = self.operand(pool, in_func, line, depth)?;
        let at = line.error("ill-typed operation");
        let node = match line.peek {
            Token::Punct("?") => {
                line.next()?;
                let t = self.operand(pool, in_func, line, depth)?;
                line.punct(":")?;
                let f = self.operand(pool, in_func, line, depth)?;
                Expr::Select(a, t, f)
            }
            Token::Punct(p) => {
                let op = match (lookup(names::INFIX, p), pool.ty(a)) {
                    (Some(BinOp::Add), Ty::Ptr) => BinOp::PtrAdd,
                    (Some(BinOp::Sub), Ty::Ptr) => BinOp::PtrSub,
                    (Some(op), _) => op,
                    (None, _) => return Ok(a),
                };
                line.next()?;
                let b = self.operand(pool, in_func, line, depth)?;
                Expr::Binary(op, a, b)
            }
            _ => return Ok(a),
        };
        pool.raw(node).ok_or(at)
    }

    fn operand(&self, pool: &mut ExprPool, in_func: bool, line: &mut Line, depth: u32) -> Result<ExprId> {
        let at = line.error("ill-typed operation");
        let op = match line.peek {
            Token::Punct(p) => lookup(names::PREFIX, p),
            _ => None,
        };
        let Some(op) = op else {
            return self.primary(pool, in_func, line, depth);
        };
        line.next()?;
        if op == UnOp::Neg
            && let Token::Number(text) = line.peek
        {
            return number(pool, true, text, line);
        }
        let a = self.primary(pool, in_func, line, depth)?;
        pool.raw(Expr::Unary(op, a)).ok_or(at)
    }

    fn primary(&self, pool: &mut ExprPool, in_func: bool, line: &mut Line, depth: u32) -> Result<ExprId> {
        let at = line.error("ill-typed operation");
        let node = match line.peek {
            Token::Punct("(") => return self.bracketed(pool, in_func, line, depth),
            Token::Punct("$") => {
                line.next()?;
                let at = line.error("no such let");
                let n: u32 = line.number()?;
                let lets = if in_func { &self.lets } else { &self.global_lets };
                return lets.get(n as usize).copied().ok_or(at);
            }
            Token::Punct("&") => {
                line.next()?;
                Expr::Addr(self.object(line)?)
            }
            Token::Punct("&&") => {
                line.next()?;
                Expr::Label(self.label(line)?)
            }
            Token::Ref(..) => Expr::Var(self.var(line)?),
            Token::Number(text) => return number(pool, false, text, line),
            Token::Word(word) => {
                line.next()?;
                match word {
                    "true" => Expr::Bool(true),
                    "false" => Expr::Bool(false),
                    "null" => Expr::Ptr(0),
                    "fn" => Expr::Func(self.func(line)?),
                    _ => self.call_like(pool, in_func, word, line, depth)?,
                }
            }
            _ => return Err(line.error("expected an expression")),
        };
        pool.raw(node).ok_or(at)
    }

    fn bracketed(&self, pool: &mut ExprPool, in_func: bool, line: &mut Line, depth: u32) -> Result<ExprId> {
        line.punct("(")?;
        let e = self.expr(pool, in_func, line, depth + 1)?;
        line.punct(")")?;
        Ok(e)
    }

    /// `clz(a)`, `fmin(a, b)`, the cast `i64(a)`, or bits as in `f64:0x7ff8000000000000`.
    fn call_like(
        &self,
        pool: &mut ExprPool,
        in_func: bool,
        word: &str,
        line: &mut Line,
        depth: u32,
    ) -> Result<Expr> {
        if let Some(ty) = names::ty(word) {
            if line.eat(":")? {
                return bits(ty, line);
            }
            return Ok(Expr::Cast(ty, self.bracketed(pool, in_func, line, depth)?));
        }
        if let Some(op) = lookup(names::UNARY_CALLS, word) {
            return Ok(Expr::Unary(op, self.bracketed(pool, in_func, line, depth)?));
        }
        let Some(op) = lookup(names::BINARY_CALLS, word) else {
            return Err(line.error(format!("`{word}` is no expression")));
        };
        line.punct("(")?;
        let a = self.expr(pool, in_func, line, depth + 1)?;
        line.punct(",")?;
        let b = self.expr(pool, in_func, line, depth + 1)?;
        line.punct(")")?;
        Ok(Expr::Binary(op, a, b))
    }
}

fn bits(ty: Ty, line: &mut Line) -> Result<Expr> {
    let at = line.error("expected hexadecimal bits");
    let Token::Number(text) = line.next()? else { return Err(at) };
    let value = text.strip_prefix("0x").and_then(|hex| u128::from_str_radix(hex, 16).ok());
    match (ty, value) {
        (Ty::Float(f), Some(v)) => Ok(Expr::Float(f, v)),
        (Ty::Ptr, Some(v)) if v >> 64 == 0 => Ok(Expr::Ptr(v as u64)),
        _ => Err(at),
    }
}

/// A typed constant such as `5i32` or `1.5f64`, which `line` stands on.
fn number(pool: &mut ExprPool, negative: bool, text: &str, line: &mut Line) -> Result<ExprId> {
    let at = line.error("bad constant");
    line.next()?;
    let node = float(negative, text).or_else(|| int(negative, text)).ok_or(at.clone())?;
    pool.raw(node).ok_or(at)
}

fn float(negative: bool, text: &str) -> Option<Expr> {
    if text.starts_with("0x") {
        return None;
    }
    if let Some(digits) = text.strip_suffix("f32") {
        let x: f32 = digits.parse().ok()?;
        return Some(Expr::Float(FloatTy::F32, (if negative { -x } else { x }).to_bits().into()));
    }
    let x: f64 = text.strip_suffix("f64")?.parse().ok()?;
    Some(Expr::Float(FloatTy::F64, (if negative { -x } else { x }).to_bits().into()))
}

fn int(negative: bool, text: &str) -> Option<Expr> {
    let (digits, ty) = text.split_at(text.find(['i', 'u'])?);
    let ty: IntTy = names::ty(ty)?.int()?;
    let magnitude: u128 = digits.parse().ok()?;
    let limit = if negative { ty.min().unsigned_abs() } else { ty.max_bits() };
    let bits = if negative { ty.wrap((magnitude as i128).wrapping_neg()) } else { magnitude };
    (magnitude <= limit).then_some(Expr::Int(ty, bits))
}
