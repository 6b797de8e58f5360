//! Writing the text form.

use std::fmt::{self, Write};

use cairn_value::{BinOp, FloatTy, Ty};
use rustc_hash::FxHashMap;

use super::lex::{quote, quote_bytes};
use super::names::{self, show_name, word};
use crate::{
    Builtin, Callee, DType, DTypeId, EdgeId, Expr, ExprId, FuncId, Init, LabelId, ObjId, ObjKind, Op, Place,
    Program, RelocTarget, Signature, Site, VarId, VarKind,
};

/// The text of a program; see the module documentation of [`crate::text`].
pub fn print(p: &Program) -> String {
    let mut printer = Printer { p, out: String::new() };
    printer.program().expect("writing to a string");
    printer.out
}

/// A shared subexpression of fewer nodes than this is written out wherever it occurs.
const SMALL: u32 = 16;
/// Deeper nesting than this is broken up, so that neither reader nor writer needs a deep stack.
const DEEP: u32 = 48;

struct Printer<'p> {
    p: &'p Program,
    out: String,
}

/// Which subexpressions of a function (or of the initial values of the globals) get names.
#[derive(Default)]
struct Lets {
    shapes: FxHashMap<ExprId, LetCandidate>,
    numbers: FxHashMap<ExprId, u32>,
}

/// An expression that may get a name in a `let`.
#[derive(Copy, Clone, Default)]
struct LetCandidate {
    /// Occurrences as an operand or as a whole expression.
    uses: u32,
    /// Nodes and depth of the text of this expression, named operands counting 1.
    nodes: u32,
    depth: u32,
    named: bool,
}

impl Lets {
    fn new(p: &Program, roots: &[ExprId]) -> Lets {
        let mut lets = Lets::default();
        let order = post_order(p, roots, |_| false);
        for &e in &order {
            lets.shapes.insert(e, LetCandidate::default());
        }
        for &e in roots {
            lets.shapes.entry(e).or_default().uses += 1;
        }
        for &e in &order {
            for c in p.exprs.children(e) {
                lets.shapes.entry(c).or_default().uses += 1;
            }
        }
        for &e in &order {
            let mut shape = LetCandidate { nodes: 1, ..lets.shapes[&e] };
            for c in p.exprs.children(e) {
                let child = lets.shapes[&c];
                shape.nodes = shape.nodes.saturating_add(if child.named { 1 } else { child.nodes });
                shape.depth = shape.depth.max(if child.named { 1 } else { child.depth + 1 });
            }
            shape.named = (shape.uses > 1 && shape.nodes >= SMALL) || shape.depth >= DEEP;
            lets.shapes.insert(e, shape);
        }
        lets
    }
}

/// The subexpressions of `roots`, operands first, each once; those for which `skip` holds are
/// left out with all below them.
fn post_order(p: &Program, roots: &[ExprId], skip: impl Fn(ExprId) -> bool) -> Vec<ExprId> {
    let mut order = Vec::new();
    let mut seen = rustc_hash::FxHashSet::default();
    let mut work: Vec<(ExprId, bool)> = roots.iter().rev().map(|&e| (e, false)).collect();
    while let Some((e, done)) = work.pop() {
        if done {
            order.push(e);
        } else if !skip(e) && seen.insert(e) {
            work.push((e, true));
            work.extend(p.exprs.children(e).into_iter().rev().map(|c| (c, false)));
        }
    }
    order
}

impl Printer<'_> {
    fn program(&mut self) -> fmt::Result {
        let p = self.p;
        writeln!(self.out, "program {}", p.model)?;
        if let Some(entry) = p.entry {
            write!(self.out, "entry ")?;
            self.func_ref(entry)?;
            writeln!(self.out)?;
        }
        writeln!(self.out, "branches {}", p.branches)?;
        for a in &p.assumptions {
            match a.site {
                Site::Func(f) => {
                    write!(self.out, "assume in ")?;
                    self.func_ref(f)?;
                }
                Site::Edge(e) => write!(self.out, "assume at {e}")?,
            }
            writeln!(self.out, " {}", quote(&a.text))?;
        }
        for (id, name) in &p.files {
            writeln!(self.out, "file {} {}", id.as_u32(), quote(name))?;
        }
        for id in p.dtypes.keys() {
            self.dtype(id)?;
        }
        let globals: Vec<VarId> = p.vars.keys().filter(|&v| p.vars[v].owner.is_none()).collect();
        let inits = globals.iter().filter_map(|&v| match p.vars[v].kind {
            VarKind::Global { init } => Some(init),
            _ => None,
        });
        let mut lets = Lets::new(p, &inits.collect::<Vec<_>>());
        for v in globals {
            self.var(v, "", &mut lets)?;
        }
        for o in p.objects.keys().filter(|&o| p.objects[o].owner.is_none()) {
            self.object(o, "")?;
        }
        for (id, label) in &p.labels {
            write!(self.out, "label {}", declared(label.name.as_str(), id.as_u32()))?;
            write!(self.out, " at {} in ", label.loc)?;
            self.func_ref(label.func)?;
            writeln!(self.out)?;
        }
        p.funcs.keys().try_for_each(|f| self.func(f))
    }

    fn dtype(&mut self, id: DTypeId) -> fmt::Result {
        write!(self.out, "type {} ", id.as_u32())?;
        match &self.p.dtypes[id] {
            DType::Scalar { name, ty } => writeln!(self.out, "scalar {} {ty}", quote(name)),
            DType::Array { elem, len } => writeln!(self.out, "array {} x {len}", elem.as_u32()),
            DType::Record { name, size, is_union, fields } => {
                let kind = if *is_union { "union" } else { "struct" };
                write!(self.out, "{kind} {} size {size} {{", quote(name))?;
                for (i, f) in fields.iter().enumerate() {
                    let comma = if i == 0 { "" } else { "," };
                    write!(self.out, "{comma} {}: {} at {}", quote(&f.name), f.ty.as_u32(), f.offset)?;
                    if let Some((bit, width)) = f.bits {
                        write!(self.out, " bits {bit} {width}")?;
                    }
                }
                writeln!(self.out, " }}")
            }
        }
    }

    fn var(&mut self, v: VarId, indent: &str, lets: &mut Lets) -> fmt::Result {
        let var = &self.p.vars[v];
        if let VarKind::Global { init } = var.kind {
            self.lets(&[init], indent, lets)?;
        }
        let kind = match var.kind {
            VarKind::Global { .. } => "global",
            VarKind::Param => "param",
            VarKind::Local => "local",
            VarKind::Temp => "temp",
        };
        write!(self.out, "{indent}{kind} {}: {}", declared(var.name.as_str(), v.as_u32()), var.ty)?;
        if let VarKind::Global { init } = var.kind {
            write!(self.out, " = ")?;
            self.expr(init, lets)?;
        }
        self.debug_info(var.place, var.scope, var.dtype)
    }

    fn object(&mut self, o: ObjId, indent: &str) -> fmt::Result {
        let object = &self.p.objects[o];
        let kind = match object.kind {
            ObjKind::Global => "global",
            ObjKind::Const => "const",
            ObjKind::Local => "local",
        };
        let name = declared(object.name.as_str(), o.as_u32());
        write!(self.out, "{indent}object {name}: {kind} size {} align {}", object.size, object.align)?;
        match &object.init {
            Init::Uninit => write!(self.out, " uninit")?,
            Init::Unknown => write!(self.out, " unknown")?,
            Init::Static(data) => {
                write!(self.out, " static {{")?;
                let mut comma = "";
                for (offset, bytes) in &data.bytes {
                    write!(self.out, "{comma} {offset}: {}", quote_bytes(bytes))?;
                    comma = ",";
                }
                for r in &data.relocs {
                    write!(self.out, "{comma} {}: ", r.offset)?;
                    comma = ",";
                    match r.target {
                        RelocTarget::Object(o) => self.leaf(Expr::Addr(o))?,
                        RelocTarget::Func(f) => self.leaf(Expr::Func(f))?,
                        RelocTarget::Label(l) => self.leaf(Expr::Label(l))?,
                    }
                    let sign = if r.addend < 0 { '-' } else { '+' };
                    write!(self.out, " {sign} {} bytes {}", r.addend.unsigned_abs(), r.bytes)?;
                }
                write!(self.out, " }}")?;
            }
        }
        self.debug_info(object.place, object.scope, object.dtype)
    }

    fn debug_info(&mut self, place: Place, scope: Place, dtype: Option<DTypeId>) -> fmt::Result {
        self.place(" @", place)?;
        self.place(" scope ", scope)?;
        if let Some(t) = dtype {
            write!(self.out, " type {}", t.as_u32())?;
        }
        writeln!(self.out)
    }

    fn place(&mut self, lead: &str, p: Place) -> fmt::Result {
        if p == Place::NONE {
            return Ok(());
        }
        write!(self.out, "{lead}{}:{}:{}-{}:{}", p.file.as_u32(), p.line, p.col, p.end_line, p.end_col)
    }

    fn func(&mut self, f: FuncId) -> fmt::Result {
        let func = &self.p.funcs[f];
        write!(self.out, "func {} ", declared(func.name.as_str(), f.as_u32()))?;
        self.sig(&func.sig)?;
        self.out.push_str(if func.is_model { " model" } else { "" });
        self.out.push_str(if func.noreturn { " noreturn" } else { "" });
        self.place(" @", func.place)?;
        let Some(body) = &func.body else {
            return writeln!(self.out);
        };
        writeln!(self.out, " {{")?;
        writeln!(self.out, "  entry {} exit {}", body.entry, body.exit)?;
        if !func.params.is_empty() {
            write!(self.out, "  params")?;
            for &v in &func.params {
                write!(self.out, " ")?;
                self.var_ref(v)?;
            }
            writeln!(self.out)?;
        }
        let mut roots = Vec::new();
        for &v in &body.vars {
            if let VarKind::Global { init } = self.p.vars[v].kind {
                roots.push(init);
            }
        }
        for &l in &body.locs {
            for &e in &self.p.locs[l].out {
                self.p.edges[e].op.each_expr(|x| roots.push(x));
            }
        }
        let mut lets = Lets::new(self.p, &roots);
        for &v in &body.vars {
            self.var(v, "  ", &mut lets)?;
        }
        for &o in &body.objects {
            self.object(o, "  ")?;
        }
        for &l in &body.locs {
            let loc = &self.p.locs[l];
            write!(self.out, "  {l}:")?;
            if let Some(place) = loc.loop_stmt {
                write!(self.out, " loop")?;
                self.place(" @", place)?;
            }
            for label in &loc.labels {
                write!(self.out, " label {}", quote(label))?;
            }
            writeln!(self.out)?;
            for &e in &loc.out {
                self.edge(e, &mut lets)?;
            }
        }
        writeln!(self.out, "}}")
    }

    fn sig(&mut self, sig: &Signature) -> fmt::Result {
        let params: Vec<String> = sig.params.iter().map(Ty::to_string).collect();
        let dots = match (sig.variadic, params.is_empty()) {
            (false, _) => "",
            (true, true) => "...",
            (true, false) => ", ...",
        };
        write!(self.out, "({}{dots})", params.join(", "))?;
        match sig.ret {
            Some(ty) => write!(self.out, " -> {ty}"),
            None => Ok(()),
        }
    }

    fn edge(&mut self, e: EdgeId, lets: &mut Lets) -> fmt::Result {
        let edge = &self.p.edges[e];
        let mut roots = Vec::new();
        edge.op.each_expr(|x| roots.push(x));
        self.lets(&roots, "    ", lets)?;
        write!(self.out, "    {e} -> {}: ", edge.dst)?;
        self.op(&edge.op, lets)?;
        self.place(" @", edge.place)?;
        if let Some(b) = edge.branch {
            write!(self.out, " branch {} {}", b.id.as_u32(), b.taken)?;
        }
        writeln!(self.out)
    }

    /// Writes the `let` lines that the expressions in `roots` need and that are not yet there.
    fn lets(&mut self, roots: &[ExprId], indent: &str, lets: &mut Lets) -> fmt::Result {
        let new = post_order(self.p, roots, |e| lets.numbers.contains_key(&e));
        for e in new.into_iter().filter(|e| lets.shapes.get(e).is_some_and(|s| s.named)).collect::<Vec<_>>() {
            let number = lets.numbers.len() as u32;
            write!(self.out, "{indent}let ${number} = ")?;
            self.tree(e, lets)?;
            writeln!(self.out)?;
            lets.numbers.insert(e, number);
        }
        Ok(())
    }

    fn op(&mut self, op: &Op, lets: &Lets) -> fmt::Result {
        if let Some(dst) = op.def() {
            self.var_ref(dst)?;
            write!(self.out, " := ")?;
        }
        match op {
            Op::Nop => write!(self.out, "nop"),
            Op::Assign { value, .. } => self.expr(*value, lets),
            Op::Assume { cond, holds } => {
                write!(self.out, "{} ", if *holds { "when" } else { "unless" })?;
                self.expr(*cond, lets)
            }
            Op::Load { addr, .. } => {
                write!(self.out, "load ")?;
                self.expr(*addr, lets)
            }
            Op::Store { addr, value } => {
                write!(self.out, "store ")?;
                self.exprs(&[*addr, *value], lets)
            }
            Op::LoadBits { addr, bit, width, .. } => {
                write!(self.out, "loadbits {bit} {width}, ")?;
                self.expr(*addr, lets)
            }
            Op::StoreBits { addr, bit, width, value } => {
                write!(self.out, "storebits {bit} {width}, ")?;
                self.exprs(&[*addr, *value], lets)
            }
            Op::Copy { dst, src, size, may_overlap } => {
                write!(self.out, "{} ", if *may_overlap { "move" } else { "copy" })?;
                self.exprs(&[*dst, *src, *size], lets)
            }
            Op::Fill { dst, byte, size } => {
                write!(self.out, "fill ")?;
                self.exprs(&[*dst, *byte, *size], lets)
            }
            Op::Begin { obj } | Op::End { obj } => {
                write!(self.out, "{} ", if matches!(op, Op::Begin { .. }) { "begin" } else { "end" })?;
                self.obj_ref(*obj)
            }
            Op::Alloc { size, kind, zeroed, .. } => {
                let zeroed = if *zeroed { " zeroed" } else { "" };
                write!(self.out, "alloc {}{zeroed} ", word(names::ALLOCS, kind))?;
                self.expr(*size, lets)
            }
            Op::Free { ptr, kind } => {
                write!(self.out, "free {} ", word(names::ALLOCS, kind))?;
                self.expr(*ptr, lets)
            }
            Op::Input { name, .. } => write!(self.out, "input {}", quote(name)),
            Op::Call { callee, args, .. } => {
                write!(self.out, "call ")?;
                match callee {
                    Callee::Func(f) => self.func_ref(*f)?,
                    Callee::Ptr { target, sig } => {
                        write!(self.out, "[")?;
                        self.expr(*target, lets)?;
                        write!(self.out, "] ")?;
                        self.sig(sig)?;
                        write!(self.out, " with")?;
                    }
                    Callee::Builtin(Builtin::Math(f, ty)) => {
                        write!(self.out, "math {} {ty}", word(names::MATH, f))?;
                    }
                    Callee::Builtin(b) => write!(self.out, "builtin {}", word(names::BUILTINS, b))?,
                }
                write!(self.out, "(")?;
                self.exprs(args, lets)?;
                write!(self.out, ")")
            }
            Op::Return { value: None } => write!(self.out, "return"),
            Op::Return { value: Some(value) } => {
                write!(self.out, "return ")?;
                self.expr(*value, lets)
            }
            Op::Trap(trap) => write!(self.out, "trap {}", word(names::TRAPS, trap)),
        }
    }

    fn exprs(&mut self, es: &[ExprId], lets: &Lets) -> fmt::Result {
        for (i, &e) in es.iter().enumerate() {
            self.out.push_str(if i == 0 { "" } else { ", " });
            self.expr(e, lets)?;
        }
        Ok(())
    }

    /// An expression, or its name.
    fn expr(&mut self, e: ExprId, lets: &Lets) -> fmt::Result {
        match lets.numbers.get(&e) {
            Some(n) => write!(self.out, "${n}"),
            None => self.tree(e, lets),
        }
    }

    /// The expression itself; its operands may be names.
    fn tree(&mut self, e: ExprId, lets: &Lets) -> fmt::Result {
        match self.p.exprs.get(e) {
            Expr::Unary(op, a) if names::PREFIX.iter().any(|(x, _)| *x == op) => {
                write!(self.out, "{}", word(names::PREFIX, &op))?;
                // `-5i32` is a constant, `-(5i32)` an operation on one.
                let literal = self.p.exprs.const_bits(a).is_some();
                if literal { self.bracketed(a, lets) } else { self.operand(a, lets) }
            }
            Expr::Unary(op, a) => {
                write!(self.out, "{}", word(names::UNARY_CALLS, &op))?;
                self.bracketed(a, lets)
            }
            Expr::Binary(op, a, b) if is_infix(op) => {
                self.operand(a, lets)?;
                write!(self.out, " {} ", word(names::INFIX, &op))?;
                self.operand(b, lets)
            }
            Expr::Binary(op, a, b) => {
                write!(self.out, "{}(", word(names::BINARY_CALLS, &op))?;
                self.exprs(&[a, b], lets)?;
                write!(self.out, ")")
            }
            Expr::Cast(ty, a) => {
                write!(self.out, "{ty}")?;
                self.bracketed(a, lets)
            }
            Expr::Select(c, t, f) => {
                self.operand(c, lets)?;
                write!(self.out, " ? ")?;
                self.operand(t, lets)?;
                write!(self.out, " : ")?;
                self.operand(f, lets)
            }
            leaf => self.leaf(leaf),
        }
    }

    fn operand(&mut self, e: ExprId, lets: &Lets) -> fmt::Result {
        let bare = match self.p.exprs.get(e) {
            _ if lets.numbers.contains_key(&e) => true,
            Expr::Unary(op, _) => names::UNARY_CALLS.iter().any(|(x, _)| *x == op),
            Expr::Binary(op, ..) => !is_infix(op),
            Expr::Select(..) => false,
            _ => true,
        };
        if bare { self.expr(e, lets) } else { self.bracketed(e, lets) }
    }

    fn bracketed(&mut self, e: ExprId, lets: &Lets) -> fmt::Result {
        self.out.push('(');
        self.expr(e, lets)?;
        self.out.push(')');
        Ok(())
    }

    fn leaf(&mut self, e: Expr) -> fmt::Result {
        match e {
            Expr::Int(ty, bits) if ty.signed => write!(self.out, "{}{ty}", ty.number(bits)),
            Expr::Int(ty, bits) => write!(self.out, "{bits}{ty}"),
            Expr::Bool(b) => write!(self.out, "{b}"),
            Expr::Float(ty, bits) => match decimal(ty, bits) {
                Some(text) => write!(self.out, "{text}{ty}"),
                None => write!(self.out, "{ty}:{bits:#x}"),
            },
            Expr::Ptr(0) => write!(self.out, "null"),
            Expr::Ptr(address) => write!(self.out, "ptr:{address:#x}"),
            Expr::Var(v) => self.var_ref(v),
            Expr::Addr(o) => {
                write!(self.out, "&")?;
                self.obj_ref(o)
            }
            Expr::Func(f) => {
                write!(self.out, "fn ")?;
                self.func_ref(f)
            }
            Expr::Label(l) => {
                write!(self.out, "&&")?;
                self.label_ref(l)
            }
            Expr::Unary(..) | Expr::Binary(..) | Expr::Cast(..) | Expr::Select(..) => Ok(()),
        }
    }

    fn var_ref(&mut self, v: VarId) -> fmt::Result {
        let name = self.p.vars.get(v).map_or("", |x| x.name.as_str());
        write!(self.out, "{}.{}", show_name(name), v.as_u32())
    }

    fn obj_ref(&mut self, o: ObjId) -> fmt::Result {
        let name = self.p.objects.get(o).map_or("", |x| x.name.as_str());
        write!(self.out, "{}.{}", show_name(name), o.as_u32())
    }

    fn func_ref(&mut self, f: FuncId) -> fmt::Result {
        let name = self.p.funcs.get(f).map_or("", |x| x.name.as_str());
        write!(self.out, "{}.{}", show_name(name), f.as_u32())
    }

    fn label_ref(&mut self, l: LabelId) -> fmt::Result {
        let name = self.p.labels.get(l).map_or("", |x| x.name.as_str());
        write!(self.out, "{}.{}", show_name(name), l.as_u32())
    }
}

fn is_infix(op: BinOp) -> bool {
    names::INFIX.iter().any(|(x, _)| *x == op)
}

/// How a name is declared: with the exact name behind it where the shown one differs.
fn declared(name: &str, id: u32) -> String {
    let shown = show_name(name);
    if shown == name { format!("{shown}.{id}") } else { format!("{shown}.{id} {}", quote(name)) }
}

/// The shortest decimal that reads back as the same float, for finite floats of host precision.
fn decimal(ty: FloatTy, bits: u128) -> Option<String> {
    match ty {
        FloatTy::F32 => Some(f32::from_bits(u32::try_from(bits).ok()?))
            .filter(|x| x.is_finite())
            .map(|x| format!("{x:?}")),
        FloatTy::F64 => Some(f64::from_bits(u64::try_from(bits).ok()?))
            .filter(|x| x.is_finite())
            .map(|x| format!("{x:?}")),
        FloatTy::X80 | FloatTy::F128 => None,
    }
}
