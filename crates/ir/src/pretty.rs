//! Expressions and operations as a C programmer would write them, for people:
//! drawings, reports, traces. As few brackets as C needs, source names, casts as
//! C types, members and elements by name where the types tell. Not meant to be
//! read back; that is what [`crate::text`] is for.

use std::cell::Cell;

use cairn_value::{BinOp, FloatTy, IntTy, Ty, UnOp};

use crate::text::{math_name, unary_name};
use crate::{
    AllocKind, Builtin, Callee, DType, DataModel, EdgeId, Expr, ExprId, FuncId, Init, ObjId, ObjKind, Op,
    Program, Trap, VarId, VarKind,
};

/// Expressions are graphs that may stand for enormous trees; what lies deeper is shown as `...`.
const MAX_DEPTH: u32 = 24;
/// So is what comes after this many nodes.
const MAX_NODES: u32 = 500;

/// How tightly an expression binds, as in C's grammar.
#[derive(Copy, Clone, PartialEq, PartialOrd)]
enum Level {
    Select,
    LogicalOr,
    LogicalAnd,
    Or,
    Xor,
    And,
    Equal,
    Less,
    Shift,
    Sum,
    Product,
    Prefix,
    Primary,
}

impl Program {
    /// An expression in the style of C.
    pub fn show_expr(&self, e: ExprId) -> String {
        Pretty::new(self).top(e)
    }

    /// A condition, or its opposite, in the style of C.
    pub fn show_cond(&self, cond: ExprId, holds: bool) -> String {
        let pretty = Pretty::new(self);
        if holds { pretty.top(cond) } else { pretty.opposite(cond) }
    }

    /// An operation in the style of C, without a final semicolon.
    pub fn show_op(&self, op: &Op) -> String {
        Pretty::new(self).op(op)
    }

    /// The operation of an edge.
    pub fn show_edge(&self, e: EdgeId) -> String {
        self.show_op(&self.edges[e].op)
    }

    /// The name of a variable in the source, or `t5` for a temporary.
    pub fn show_var(&self, v: VarId) -> String {
        let var = &self.vars[v];
        match (var.kind, var.name.as_str()) {
            (VarKind::Temp, _) | (_, "") => format!("t{}", v.as_u32()),
            (_, name) => name.to_string(),
        }
    }

    /// The C name of a type.
    pub fn show_ty(&self, ty: Ty) -> String {
        c_type(ty, self.model)
    }
}

fn c_type(ty: Ty, model: DataModel) -> String {
    let int = |i: IntTy| {
        let name = match (i.bits, model) {
            (8, _) => "char",
            (16, _) => "short",
            (32, _) => "int",
            (64, DataModel::Lp64) => "long",
            (64, DataModel::Ilp32) => "long long",
            (128, _) => "__int128",
            (bits, _) => return format!("{}_BitInt({bits})", if i.signed { "" } else { "unsigned " }),
        };
        let sign = match (i.bits, i.signed) {
            (8, true) => "signed ",
            (_, true) => "",
            (_, false) => "unsigned ",
        };
        format!("{sign}{name}")
    };
    match ty {
        Ty::Bool => "_Bool".into(),
        Ty::Int(i) => int(i),
        Ty::Float(FloatTy::F32) => "float".into(),
        Ty::Float(FloatTy::F64) => "double".into(),
        Ty::Float(FloatTy::X80) => "long double".into(),
        Ty::Float(FloatTy::F128) => "_Float128".into(),
        Ty::Ptr => "void *".into(),
    }
}

struct Pretty<'p> {
    p: &'p Program,
    /// How many more nodes are shown.
    left: Cell<u32>,
}

impl<'p> Pretty<'p> {
    fn new(p: &'p Program) -> Pretty<'p> {
        Pretty { p, left: Cell::new(MAX_NODES) }
    }
}

/// A piece of text and how tightly it binds.
type LevelledText = (String, Level);

fn bracket((text, level): LevelledText, at_least: Level) -> String {
    if level >= at_least { text } else { format!("({text})") }
}

impl Pretty<'_> {
    fn top(&self, e: ExprId) -> String {
        self.expr(e, 0).0
    }

    /// The negation of a condition, by turning its comparison round where that is the same.
    fn opposite(&self, e: ExprId) -> String {
        match self.p.exprs.get(e) {
            Expr::Unary(UnOp::Not, a) => self.top(a),
            Expr::Bool(b) => (!b).to_string(),
            Expr::Binary(op @ (BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le), a, b) => {
                let float = matches!(self.p.ty(a), Ty::Float(_));
                let word = match op {
                    BinOp::Eq => "!=",
                    BinOp::Ne => "==",
                    BinOp::Lt if !float => ">=",
                    BinOp::Le if !float => ">",
                    _ => return format!("!{}", bracket(self.expr(e, 0), Level::Prefix)),
                };
                let level = if matches!(op, BinOp::Eq | BinOp::Ne) { Level::Equal } else { Level::Less };
                self.compare(word, level, a, b, 0).0
            }
            _ => format!("!{}", bracket(self.expr(e, 0), Level::Prefix)),
        }
    }

    fn expr(&self, e: ExprId, depth: u32) -> LevelledText {
        let left = self.left.get();
        if depth > MAX_DEPTH || left == 0 {
            return ("...".into(), Level::Primary);
        }
        self.left.set(left - 1);
        match self.p.exprs.get(e) {
            Expr::Int(ty, bits) => int(ty, bits),
            Expr::Bool(b) => (b.to_string(), Level::Primary),
            Expr::Float(ty, bits) => float(ty, bits),
            Expr::Ptr(0) => ("NULL".into(), Level::Primary),
            Expr::Ptr(at) => (format!("(void *){at:#x}"), Level::Prefix),
            Expr::Var(v) => (self.p.show_var(v), Level::Primary),
            Expr::Addr(o) => self.address(o),
            Expr::Func(f) => (self.func(f), Level::Primary),
            Expr::Label(l) => (format!("&&{}", self.p.labels[l].name), Level::Prefix),
            Expr::Unary(op, a) => self.unary(op, a, depth),
            Expr::Binary(op, a, b) => self.binary(e, op, a, b, depth),
            Expr::Cast(ty, a) => {
                let inner = bracket(self.expr(a, depth + 1), Level::Prefix);
                (format!("({}){inner}", self.p.show_ty(ty)), Level::Prefix)
            }
            Expr::Select(c, t, f) => {
                let c = bracket(self.expr(c, depth + 1), Level::LogicalOr);
                let t = self.expr(t, depth + 1).0;
                let f = bracket(self.expr(f, depth + 1), Level::Select);
                (format!("{c} ? {t} : {f}"), Level::Select)
            }
        }
    }

    fn unary(&self, op: UnOp, a: ExprId, depth: u32) -> LevelledText {
        let sign = match op {
            UnOp::Neg => "-",
            UnOp::BitNot => "~",
            UnOp::Not => "!",
            _ => {
                let a = self.expr(a, depth + 1).0;
                return (format!("{}({a})", unary_name(op)), Level::Primary);
            }
        };
        let mut a = bracket(self.expr(a, depth + 1), Level::Prefix);
        if a.starts_with(sign) {
            a = format!("({a})");
        }
        (format!("{sign}{a}"), Level::Prefix)
    }

    fn binary(&self, e: ExprId, op: BinOp, a: ExprId, b: ExprId, depth: u32) -> LevelledText {
        use BinOp::*;
        let bool = self.p.ty(a) == Ty::Bool;
        let (word, level) = match op {
            Add => ("+", Level::Sum),
            Sub | PtrSub => ("-", Level::Sum),
            Mul => ("*", Level::Product),
            Div => ("/", Level::Product),
            Rem if matches!(self.p.ty(a), Ty::Float(_)) => return self.call("fmod", a, b, depth),
            Rem => ("%", Level::Product),
            Shl => ("<<", Level::Shift),
            Shr => (">>", Level::Shift),
            And if bool => ("&&", Level::LogicalAnd),
            Or if bool => ("||", Level::LogicalOr),
            Xor if bool => ("!=", Level::Equal),
            And => ("&", Level::And),
            Or => ("|", Level::Or),
            Xor => ("^", Level::Xor),
            Eq => return self.compare("==", Level::Equal, a, b, depth),
            Ne => return self.compare("!=", Level::Equal, a, b, depth),
            Lt => return self.compare("<", Level::Less, a, b, depth),
            Le => return self.compare("<=", Level::Less, a, b, depth),
            PtrAdd => match self.member(e, None, depth) {
                Some(member) => return (format!("&{member}"), Level::Prefix),
                None => return self.pointer_sum(a, b, depth),
            },
            AddOvf => return self.call("__builtin_add_overflow_p", a, b, depth),
            SubOvf => return self.call("__builtin_sub_overflow_p", a, b, depth),
            MulOvf => return self.call("__builtin_mul_overflow_p", a, b, depth),
            Fmin => return self.call("fmin", a, b, depth),
            Fmax => return self.call("fmax", a, b, depth),
            CopySign => return self.call("copysign", a, b, depth),
            AddTo(_) | SubTo(_) | MulTo(_) | DivTo(_) => {
                return self.call(crate::text::binary_name(op), a, b, depth);
            }
        };
        self.infix(word, level, a, b, depth)
    }

    /// People put the constant last.
    fn compare(&self, word: &str, level: Level, a: ExprId, b: ExprId, depth: u32) -> LevelledText {
        let constant = |e| self.p.exprs.const_bits(e).is_some();
        if !constant(a) || constant(b) {
            return self.infix(word, level, a, b, depth);
        }
        let turned = match word {
            "<" => ">",
            "<=" => ">=",
            ">" => "<",
            ">=" => "<=",
            same => same,
        };
        self.infix(turned, level, b, a, depth)
    }

    /// The right operand of operators of equal rank needs brackets. Mixtures that C reads
    /// correctly and people do not (`a & b == c`) get them too.
    fn infix(&self, word: &str, level: Level, a: ExprId, b: ExprId, depth: u32) -> LevelledText {
        let bitwise = matches!(level, Level::And | Level::Or | Level::Xor);
        let side = |piece: LevelledText, right: bool| {
            let same = piece.1 == level;
            let tight = piece.1 >= Level::Prefix;
            let needs = piece.1 < level || (right && same) || (bitwise && !same && !tight);
            if needs { format!("({})", piece.0) } else { piece.0 }
        };
        let a = side(self.expr(a, depth + 1), false);
        let b = side(self.expr(b, depth + 1), true);
        (format!("{a} {word} {b}"), level)
    }

    /// Bytes are what IR pointers count, so a `char *` is what C would add to.
    fn pointer_sum(&self, a: ExprId, b: ExprId, depth: u32) -> LevelledText {
        let a = bracket(self.expr(a, depth + 1), Level::Sum);
        if let Expr::Int(ty, bits) = self.p.exprs.get(b)
            && ty.number(bits) < 0
        {
            return (format!("{a} - {}", ty.number(bits).unsigned_abs()), Level::Sum);
        }
        let b = bracket(self.expr(b, depth + 1), Level::Product);
        (format!("{a} + {b}"), Level::Sum)
    }

    fn call(&self, name: &str, a: ExprId, b: ExprId, depth: u32) -> LevelledText {
        let (a, b) = (self.expr(a, depth + 1).0, self.expr(b, depth + 1).0);
        (format!("{name}({a}, {b})"), Level::Primary)
    }

    fn func(&self, f: FuncId) -> String {
        self.p.funcs[f].name.to_string()
    }

    fn object(&self, o: ObjId) -> String {
        match self.p.objects[o].name.as_str() {
            "" => format!("o{}", o.as_u32()),
            name => name.to_string(),
        }
    }

    /// Arrays decay to their address, string literals are shown as such.
    fn address(&self, o: ObjId) -> LevelledText {
        let object = &self.p.objects[o];
        if let Some(text) = self.string(o) {
            return (text, Level::Primary);
        }
        match object.dtype.map(|t| &self.p.dtypes[t]) {
            Some(DType::Array { .. }) => (self.object(o), Level::Primary),
            _ => (format!("&{}", self.object(o)), Level::Prefix),
        }
    }

    /// The text of a string literal: a constant without a name of its own that ends in its only NUL.
    fn string(&self, o: ObjId) -> Option<String> {
        let object = &self.p.objects[o];
        let named = object.name.chars().all(|c| c.is_alphanumeric() || c == '_') && !object.name.is_empty();
        let Init::Static(data) = &object.init else { return None };
        let text: &[u8] = match &data.bytes[..] {
            [] => &[],
            [(0, bytes)] => bytes,
            _ => return None,
        };
        let text = text.strip_suffix(&[0]).unwrap_or(text);
        let plain = text.iter().all(|&c| c == b'\n' || c == b'\t' || (b' '..=b'~').contains(&c));
        let whole = object.size == text.len() as u64 + 1;
        let fits = object.kind == ObjKind::Const && !named && data.relocs.is_empty() && plain && whole;
        fits.then(|| {
            let text = String::from_utf8_lossy(text);
            let mut shown: String = text.chars().take(40).flat_map(char::escape_default).collect();
            if text.len() > 40 {
                shown += "...";
            }
            format!("\"{}\"", shown.replace("\\'", "'"))
        })
    }

    /// `a[i].x` for an address in an object of known type; with `ty`, the member of that type
    /// there, without it any scalar.
    fn member(&self, addr: ExprId, ty: Option<Ty>, depth: u32) -> Option<String> {
        let (base, by) = match self.p.exprs.get(addr) {
            Expr::Addr(_) => (addr, None),
            Expr::Binary(BinOp::PtrAdd, a, b) => (a, Some(b)),
            _ => return None,
        };
        let constant = |e: ExprId| match self.p.exprs.get(e) {
            Expr::Int(ty, bits) => u64::try_from(ty.number(bits)).ok(),
            _ => None,
        };
        // `&a[i] + 4`: an element and a place in it.
        if let Expr::Binary(BinOp::PtrAdd, object, index) = self.p.exprs.get(base) {
            return self.element(object, index, constant(by?)?, ty, depth);
        }
        let Expr::Addr(o) = self.p.exprs.get(base) else { return None };
        let offset = match by {
            None => 0,
            Some(by) => match constant(by) {
                Some(offset) => offset,
                None => return self.element(base, by, 0, ty, depth),
            },
        };
        let t = self.p.objects[o].dtype?;
        let path = match ty {
            Some(ty) => self.p.member_at(t, offset, ty)?.0,
            None => self.p.scalar_at(t, offset)?,
        };
        Some(self.object(o) + &path)
    }

    /// `a[i].x` where the offset is `i` times the size of an element of the array `a`.
    fn element(&self, base: ExprId, by: ExprId, offset: u64, ty: Option<Ty>, depth: u32) -> Option<String> {
        let Expr::Addr(o) = self.p.exprs.get(base) else { return None };
        let DType::Array { elem, .. } = self.p.dtypes[self.p.objects[o].dtype?] else { return None };
        let size = self.p.dtype_size(elem);
        let by = self.peel(by);
        let index = match self.p.exprs.get(by) {
            Expr::Binary(BinOp::Mul, i, n) if self.p.exprs.const_bits(n) == Some(size.into()) => i,
            Expr::Binary(BinOp::Mul, n, i) if self.p.exprs.const_bits(n) == Some(size.into()) => i,
            _ if size == 1 => by,
            _ => return None,
        };
        let index = self.peel(index);
        let (more, offset) = (offset.checked_div(size)?, offset.checked_rem(size)?);
        let path = match ty {
            Some(ty) => self.p.member_at(elem, offset, ty)?.0,
            None => self.p.scalar_at(elem, offset)?,
        };
        let index = match more {
            0 => self.expr(index, depth + 1).0,
            _ => format!("{} + {more}", bracket(self.expr(index, depth + 1), Level::Sum)),
        };
        Some(format!("{}[{index}]{path}", self.object(o)))
    }

    /// Without conversions between integers that keep all bits: in an index they are no news.
    fn peel(&self, mut e: ExprId) -> ExprId {
        while let Expr::Cast(Ty::Int(to), a) = self.p.exprs.get(e)
            && self.p.ty(a).int().is_some_and(|from| from.bits <= to.bits)
        {
            e = a;
        }
        e
    }

    /// What a load or store of type `ty` at an address reaches.
    fn lvalue(&self, addr: ExprId, ty: Ty) -> String {
        if let Some(member) = self.member(addr, Some(ty), 0) {
            return member;
        }
        if let Expr::Addr(o) = self.p.exprs.get(addr)
            && self.p.objects[o].size == ty.bytes(self.p.model)
        {
            return self.object(o);
        }
        let star = if ty == Ty::Ptr { "" } else { " " };
        format!("*({}{star}*){}", self.p.show_ty(ty), bracket(self.expr(addr, 0), Level::Prefix))
    }

    fn bits(&self, addr: ExprId, bit: u8, width: u8) -> String {
        let (base, offset) = match self.p.exprs.get(addr) {
            Expr::Binary(BinOp::PtrAdd, a, b) => (a, self.p.exprs.const_bits(b).map(|b| b as u64)),
            _ => (addr, Some(0)),
        };
        if let Expr::Addr(o) = self.p.exprs.get(base)
            && let Some((t, offset)) = self.p.objects[o].dtype.zip(offset)
            && let Some(path) = self.p.bit_field_at(t, offset, bit, width)
        {
            return self.object(o) + &path;
        }
        format!("bits({}, {bit}, {width})", self.top(addr))
    }

    fn op(&self, op: &Op) -> String {
        let dst = |v: VarId| format!("{} = ", self.p.show_var(v));
        match op {
            Op::Nop => String::new(),
            Op::Assign { dst: v, value } => dst(*v) + &self.top(*value),
            Op::Assume { cond, holds } => format!("assume({})", self.p.show_cond(*cond, *holds)),
            Op::Load { dst: v, addr } => dst(*v) + &self.lvalue(*addr, self.p.vars[*v].ty),
            Op::Store { addr, value } => {
                format!("{} = {}", self.lvalue(*addr, self.p.ty(*value)), self.top(*value))
            }
            Op::LoadBits { dst: v, addr, bit, width } => dst(*v) + &self.bits(*addr, *bit, *width),
            Op::StoreBits { addr, bit, width, value } => {
                format!("{} = {}", self.bits(*addr, *bit, *width), self.top(*value))
            }
            Op::Copy { dst, src, size, may_overlap } => {
                let name = if *may_overlap { "memmove" } else { "memcpy" };
                self.named_call(name, &[*dst, *src, *size])
            }
            Op::Fill { dst, byte, size } => self.named_call("memset", &[*dst, *byte, *size]),
            Op::Begin { obj } => format!("begin {}", self.object(*obj)),
            Op::End { obj } => format!("end {}", self.object(*obj)),
            Op::Alloc { dst: v, size, kind, zeroed } => {
                let name = match kind {
                    AllocKind::Heap if *zeroed => {
                        return format!("{}calloc(1, {})", dst(*v), self.top(*size));
                    }
                    AllocKind::Heap => "malloc",
                    AllocKind::Alloca => "alloca",
                    AllocKind::Vla => "begin_vla",
                };
                dst(*v) + &self.named_call(name, &[*size])
            }
            Op::Free { ptr, kind } => {
                let name = if *kind == AllocKind::Vla { "end_vla" } else { "free" };
                self.named_call(name, &[*ptr])
            }
            Op::Input { dst: v, name } => format!("{}{name}()", dst(*v)),
            Op::Call { dst: v, callee, args } => {
                let name = match callee {
                    Callee::Func(f) => self.func(*f),
                    Callee::Ptr { target, .. } => {
                        format!("(*{})", bracket(self.expr(*target, 0), Level::Prefix))
                    }
                    Callee::Builtin(b) => builtin_name(*b),
                };
                v.map_or(String::new(), dst) + &self.named_call(&name, args)
            }
            Op::Return { value: None } => "return".into(),
            Op::Return { value: Some(value) } => format!("return {}", self.top(*value)),
            Op::Trap(trap) => match trap {
                Trap::Unreachable => "__builtin_unreachable()".into(),
                Trap::BadGoto => "undefined: goto to no label".into(),
                Trap::BadVla => "undefined: size of an array".into(),
                Trap::NoReturnValue => "undefined: no value was returned".into(),
            },
        }
    }

    fn named_call(&self, name: &str, args: &[ExprId]) -> String {
        let args: Vec<String> = args.iter().map(|&a| self.top(a)).collect();
        format!("{name}({})", args.join(", "))
    }
}

fn builtin_name(b: Builtin) -> String {
    match b {
        Builtin::Exit => "exit".into(),
        Builtin::Abort => "abort".into(),
        Builtin::AssertFail => "__assert_fail".into(),
        Builtin::Error => "reach_error".into(),
        Builtin::Printf => "vdprintf".into(),
        Builtin::Snprintf => "vsnprintf".into(),
        Builtin::Write => "write".into(),
        Builtin::ReadByte => "read_byte".into(),
        Builtin::ObjectSize => "object_size".into(),
        Builtin::Place => "place".into(),
        Builtin::Strtod(ty) => match ty {
            FloatTy::F64 => "strtod".into(),
            ty => format!("strto{}", if ty == FloatTy::X80 { "ld" } else { suffix(ty) }),
        },
        Builtin::Math(f, ty) => format!("{}{}", math_name(f), suffix(ty)),
    }
}

/// What the library puts behind the name of a function for floats.
fn suffix(ty: FloatTy) -> &'static str {
    match ty {
        FloatTy::F32 => "f",
        FloatTy::F64 => "",
        FloatTy::X80 => "l",
        FloatTy::F128 => "f128",
    }
}

fn int(ty: IntTy, bits: u128) -> LevelledText {
    if ty.signed {
        let n = ty.number(bits);
        return (n.to_string(), if n < 0 { Level::Prefix } else { Level::Primary });
    }
    let suffix = if ty.bits >= 32 { "u" } else { "" };
    (format!("{bits}{suffix}"), Level::Primary)
}

fn float(ty: FloatTy, bits: u128) -> LevelledText {
    let suffix = match ty {
        FloatTy::F32 => "f",
        FloatTy::F64 => "",
        FloatTy::X80 => "L",
        FloatTy::F128 => "F128",
    };
    let x = cairn_value::float::to_f64(ty, bits);
    let text = match ty {
        FloatTy::F32 => format!("{:?}", x as f32),
        _ => format!("{x:?}"),
    };
    let level = if text.starts_with('-') { Level::Prefix } else { Level::Primary };
    (if x.is_finite() { text + suffix } else { text.to_uppercase() }, level)
}

#[cfg(test)]
mod tests {
    use crate::text::parse;

    /// What the operation looks like in a function with variables of several types.
    fn show(op: &str) -> String {
        let text = format!(
            "program LP64\nbranches 0\n\
             type 0 scalar \"int\" i32\n\
             type 1 struct \"struct s\" size 12 {{ \"x\": 0 at 0, \"y\": 0 at 4, \"f\": 0 at 8 bits 2 3 }}\n\
             type 2 array 1 x 5\n\
             object s.0: global size 12 align 4 static {{ }} type 1\n\
             object a.1: global size 60 align 4 static {{ }} type 2\n\
             object _1.2 \".1\": const size 4 align 1 static {{ 0: b\"hi\\n\" }}\n\
             func f.0 (i32, i32, u32, ptr, f64, bool, i64) {{\n  entry l0 exit l1\n\
             params a.0 b.1 u.2 p.3 d.4 c.5 n.6\n\
             param a.0: i32\nparam b.1: i32\nparam u.2: u32\nparam p.3: ptr\nparam d.4: f64\nparam c.5: bool\n\
             param n.6: i64\ntemp t.7: i32\n\
             l0:\ne0 -> l2: {op}\nl1:\nl2:\ne1 -> l1: return\n}}\n"
        );
        let p = parse(&text).unwrap_or_else(|e| panic!("{e}\n{text}"));
        p.show_edge(crate::EdgeId::from_u32(0))
    }

    #[test]
    fn written_as_in_c() {
        let cases = [
            ("a.0 := (a.0 + b.1) * 2i32", "a = (a + b) * 2"),
            ("a.0 := a.0 + (b.1 * 2i32)", "a = a + b * 2"),
            ("a.0 := (a.0 - b.1) - 1i32", "a = a - b - 1"),
            ("a.0 := a.0 - (b.1 - 1i32)", "a = a - (b - 1)"),
            ("a.0 := -(a.0 + b.1)", "a = -(a + b)"),
            ("a.0 := -(-a.0)", "a = -(-a)"),
            ("a.0 := a.0 * (-3i32)", "a = a * -3"),
            ("a.0 := (a.0 & b.1) | 1i32", "a = (a & b) | 1"),
            ("a.0 := a.0 << (b.1 + 1i32)", "a = a << b + 1"),
            ("u.2 := u32(a.0 + 1i32) / 3u32", "u = (unsigned int)(a + 1) / 3u"),
            ("a.0 := c.5 ? a.0 : (c.5 ? 1i32 : 2i32)", "a = c ? a : c ? 1 : 2"),
            ("a.0 := i32(clz(u.2))", "a = (int)clz(u)"),
            ("c.5 := (a.0 < b.1) & (!c.5)", "c = a < b && !c"),
            ("when a.0 <= b.1", "assume(a <= b)"),
            ("unless a.0 <= b.1", "assume(a > b)"),
            ("when 3i32 < a.0", "assume(a > 3)"),
            ("unless 3i32 < a.0", "assume(a <= 3)"),
            ("t.7 := load &a.1 + i64(u64(a.0) * 12u64)", "t7 = a[a].x"),
            ("unless d.4 <= 1.5f64", "assume(!(d <= 1.5))"),
            ("unless !(a.0 == 0i32)", "assume(a == 0)"),
            ("t.7 := load &s.0 + 4i64", "t7 = s.y"),
            ("t.7 := load &a.1 + (i64(a.0) * 12i64)", "t7 = a[a].x"),
            ("t.7 := load (&a.1 + (n.6 * 12i64)) + 4i64", "t7 = a[n].y"),
            ("t.7 := load (&a.1 + (n.6 * 12i64)) + 28i64", "t7 = a[n + 2].y"),
            ("t.7 := load &a.1 + 28i64", "t7 = a[2].y"),
            ("store p.3 + 8i64, u.2", "*(unsigned int *)(p + 8) = u"),
            ("store p.3 + -8i64, p.3", "*(void **)(p - 8) = p"),
            ("p.3 := &a.1 + 28i64", "p = &a[2].y"),
            ("p.3 := &_1.2", "p = \"hi\\n\""),
            ("a.0 := loadbits 2 3, &s.0 + 8i64", "a = s.f"),
            ("storebits 1 3, p.3, a.0", "bits(p, 1, 3) = a"),
            ("copy p.3, &s.0, 12u64", "memcpy(p, &s, 12u)"),
            ("p.3 := alloc heap zeroed 4u64", "p = calloc(1, 4u)"),
            ("a.0 := input \"nondet_int\"", "a = nondet_int()"),
            ("call builtin error()", "reach_error()"),
            ("d.4 := call math pow f64(d.4, 2.0f64)", "d = pow(d, 2.0)"),
            ("call [p.3] (i32) with(a.0)", "(*p)(a)"),
            ("trap unreachable", "__builtin_unreachable()"),
            ("p.3 := null", "p = NULL"),
        ];
        for (op, expected) in cases {
            assert_eq!(show(op), expected);
        }
    }

    #[test]
    fn enormous_trees_are_cut() {
        let mut e = "a.0".to_string();
        for _ in 0..40 {
            e = format!("({e} + b.1)");
        }
        assert!(show(&format!("a.0 := {e}")).contains("..."));
    }
}
