//! Expressions of the IR as C: the same value for all values of the variables,
//! or nothing. Signed arithmetic that may wrap is written in unsigned arithmetic
//! and cast back, so that the text has a meaning wherever the IR has one.

use cairn_base::Place;
use cairn_ir::{BinOp, DataModel, Expr, ExprId, ExprPool, LocId, Program, Ty, UnOp, VarId, VarKind};
use cairn_value::IntTy;

use crate::value::{c_constant, c_type};

/// Longer expressions are not worth writing.
const MAX_LENGTH: usize = 2000;
const MAX_DEPTH: u32 = 200;

/// `expr` as a C expression that may stand at the loop whose head is `at`. `header` is the region
/// from the loop's keyword to its body: what is declared there is in scope too. `None` if there is
/// none: a temporary occurs, a name is not visible or hidden, an operation C does not have.
pub fn c_expression(
    program: &Program,
    exprs: &ExprPool,
    expr: ExprId,
    at: LocId,
    header: Option<Place>,
) -> Option<String> {
    let place = program.locs[at].loop_stmt?;
    if !exprs.is_total(expr) || exprs.ty(expr) != Ty::Bool {
        return None;
    }
    let mut printer = Printer { program, exprs, at, place, header, room: MAX_LENGTH };
    let text = printer.expr(expr, 0)?;
    Some(strip(text))
}

/// Without the parentheses around all of it.
fn strip(text: String) -> String {
    let inner = match text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) {
        Some(inner) => inner,
        None => return text,
    };
    let mut depth = 0i32;
    for b in inner.bytes() {
        depth += i32::from(b == b'(') - i32::from(b == b')');
        if depth < 0 {
            return text;
        }
    }
    inner.to_owned()
}

struct Printer<'a> {
    program: &'a Program,
    exprs: &'a ExprPool,
    at: LocId,
    place: Place,
    header: Option<Place>,
    /// Characters that may still be written (counted where they are made).
    room: usize,
}

impl Printer<'_> {
    fn expr(&mut self, e: ExprId, depth: u32) -> Option<String> {
        if depth > MAX_DEPTH {
            return None;
        }
        let text = self.node(e, depth + 1)?;
        self.room = self.room.checked_sub(4)?;
        (text.len() <= MAX_LENGTH).then_some(text)
    }

    fn node(&mut self, e: ExprId, depth: u32) -> Option<String> {
        let ty = self.exprs.ty(e);
        match self.exprs.get(e) {
            Expr::Int(i, bits) => c_constant(Ty::Int(i), bits),
            Expr::Bool(b) => c_constant(Ty::Bool, b.into()),
            Expr::Float(f, bits) => c_constant(Ty::Float(f), bits),
            Expr::Ptr(0) => Some("0".into()),
            Expr::Var(v) => self.var(v),
            Expr::Ptr(_) | Expr::Addr(_) | Expr::Func(_) | Expr::Label(_) => None,
            Expr::Unary(op, a) => {
                let t = self.expr(a, depth)?;
                match (op, ty) {
                    (UnOp::Not, _) => Some(format!("!{t}")),
                    (UnOp::BitNot, Ty::Int(i)) => self.fit(i, format!("(~{t})")),
                    (UnOp::Neg, Ty::Int(i)) => self.wrapping(i, "-", "0", &t),
                    (UnOp::Neg, Ty::Float(_)) => Some(format!("(-{t})")),
                    (UnOp::IsNan, _) => Some(format!("({t} != {t})")),
                    _ => None,
                }
            }
            Expr::Binary(op, a, b) => {
                let (x, y) = (self.expr(a, depth)?, self.expr(b, depth)?);
                self.binary(op, self.exprs.ty(a), &x, &y)
            }
            Expr::Cast(to, a) => {
                let t = self.expr(a, depth)?;
                match (self.exprs.ty(a), to) {
                    (Ty::Bool | Ty::Int(_), Ty::Int(_)) | (Ty::Int(_) | Ty::Float(_), Ty::Float(_)) => {
                        Some(format!("(({}){t})", c_type(to, self.program.model)?))
                    }
                    _ => None,
                }
            }
            Expr::Select(c, t, f) => {
                let (c, t, f) = (self.expr(c, depth)?, self.expr(t, depth)?, self.expr(f, depth)?);
                Some(format!("({c} ? {t} : {f})"))
            }
        }
    }

    fn binary(&self, op: BinOp, ty: Ty, x: &str, y: &str) -> Option<String> {
        use BinOp::*;
        let infix = |sign: &str| format!("({x} {sign} {y})");
        match (op, ty) {
            (Eq, Ty::Ptr) | (Ne, Ty::Ptr) => {
                Some(format!("((void *){x} {} (void *){y})", if op == Eq { "==" } else { "!=" }))
            }
            (_, Ty::Ptr) => None,
            (Eq, _) => Some(infix("==")),
            (Ne, _) => Some(infix("!=")),
            (Lt, Ty::Int(_) | Ty::Float(_)) => Some(infix("<")),
            (Le, Ty::Int(_) | Ty::Float(_)) => Some(infix("<=")),
            (And, Ty::Bool) => Some(infix("&&")),
            (Or, Ty::Bool) => Some(infix("||")),
            (Xor, Ty::Bool) => Some(infix("!=")),
            (And, Ty::Int(_)) => Some(infix("&")),
            (Or, Ty::Int(_)) => Some(infix("|")),
            (Xor, Ty::Int(_)) => Some(infix("^")),
            (Add, Ty::Int(i)) => self.wrapping(i, "+", x, y),
            (Sub, Ty::Int(i)) => self.wrapping(i, "-", x, y),
            (Mul, Ty::Int(i)) => self.wrapping(i, "*", x, y),
            (Shl, Ty::Int(i)) => {
                let wide = Ty::Int(IntTy { bits: i.bits.max(32), signed: false });
                let shifted = format!("(({}){x} << {y})", c_type(wide, self.program.model)?);
                self.cast(i, shifted)
            }
            (Div, Ty::Int(i)) => self.fit(i, infix("/")),
            (Rem, Ty::Int(i)) => self.fit(i, infix("%")),
            (Shr, Ty::Int(i)) => self.fit(i, infix(">>")),
            (Add | Sub | Mul | Div, Ty::Float(_)) => {
                let sign = match op {
                    Add => "+",
                    Sub => "-",
                    Mul => "*",
                    _ => "/",
                };
                Some(format!("(({}){})", c_type(ty, self.program.model)?, infix(sign)))
            }
            _ => None,
        }
    }

    /// Modular arithmetic in the width of `i`.
    fn wrapping(&self, i: IntTy, sign: &str, x: &str, y: &str) -> Option<String> {
        if !i.signed && i.bits >= 32 {
            return Some(format!("({x} {sign} {y})"));
        }
        let wide = c_type(Ty::Int(IntTy { bits: i.bits.max(32), signed: false }), self.program.model)?;
        self.cast(i, format!("(({wide}){x} {sign} ({wide}){y})"))
    }

    /// The result of an operation on promoted operands, brought back into `i`.
    fn fit(&self, i: IntTy, text: String) -> Option<String> {
        if i.bits >= 32 { Some(text) } else { self.cast(i, text) }
    }

    fn cast(&self, i: IntTy, text: String) -> Option<String> {
        if i.bits >= 32 && !i.signed {
            return Some(text);
        }
        Some(format!("(({}){text})", c_type(Ty::Int(i), self.program.model)?))
    }

    /// The name of a variable, if it means the variable here.
    fn var(&mut self, v: VarId) -> Option<String> {
        let p = self.program;
        let var = &p.vars[v];
        let name = var.name.as_str();
        if !is_identifier(name) || var.ty.int().is_some_and(|i| odd_width(i, p.model)) {
            return None;
        }
        let f = p.locs[self.at].func;
        // Everything of this name that is visible here; the innermost is what the name means.
        let locals = p.vars.values().filter(|x| x.owner == Some(f) && x.name == var.name).map(|x| x.scope);
        let objects =
            p.objects.values().filter(|x| x.owner == Some(f) && x.name == var.name).map(|x| x.scope);
        let innermost = locals.chain(objects).filter(|&s| self.visible(s)).max_by_key(|s| (s.line, s.col));
        match var.kind {
            VarKind::Temp => None,
            VarKind::Global { .. } => {
                let globals = p.vars.values().filter(|x| x.owner.is_none() && x.name == var.name).count()
                    + p.objects.values().filter(|x| x.owner.is_none() && x.name == var.name).count();
                let declared_above =
                    var.place.file == self.place.file && start(var.place) < start(self.place);
                (innermost.is_none() && globals == 1 && declared_above && !self.inside_a_function(var.place))
                    .then(|| name.to_owned())
            }
            VarKind::Param | VarKind::Local => {
                (var.owner == Some(f) && !var.scope.is_none() && innermost == Some(var.scope))
                    .then(|| name.to_owned())
            }
        }
    }

    /// Does a scope reach the head of the loop?
    fn visible(&self, scope: Place) -> bool {
        if scope.is_none() || scope.file != self.place.file {
            return false;
        }
        let ends_after = (scope.end_line, scope.end_col) > start(self.place);
        let in_header =
            self.header.is_some_and(|h| start(scope) >= start(h) && start(scope) <= (h.end_line, h.end_col));
        ends_after && (start(scope) <= start(self.place) || in_header)
    }

    /// Static locals are globals whose names mean nothing elsewhere.
    fn inside_a_function(&self, place: Place) -> bool {
        let p = self.program;
        p.funcs.values().any(|f| {
            let Some(body) = &f.body else { return false };
            let within = |q: Place| q.file == place.file && !q.is_none();
            let ends = body.edges.iter().map(|&e| p.edges[e].place).filter(|&q| within(q));
            let last = ends.map(|q| (q.end_line, q.end_col)).max();
            within(f.place) && start(f.place) < start(place) && last.is_some_and(|l| start(place) < l)
        })
    }
}

fn start(p: Place) -> (u32, u32) {
    (p.line, p.col)
}

fn odd_width(i: IntTy, model: DataModel) -> bool {
    c_type(Ty::Int(i), model).is_none()
}

fn is_identifier(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}
