//! Reading the text form.
//!
//! Two passes over the lines: the first collects what is declared (so that
//! expressions can be typed wherever a declaration stands), the second builds.
//! Every error has a position; nothing here panics, whatever the text.

use std::fmt;

use cairn_base::{EntityRef, PrimaryMap};
use cairn_value::Ty;

use super::expr::Names;
use super::lex::{Line, Token};
use super::names::{self, lookup};
use crate::program::DField;
use crate::{
    AllocKind, Assumption, Body, Branch, BranchId, Builtin, Callee, DType, DTypeId, Data, DataModel, Edge,
    EdgeId, FileId, FuncId, Function, Init, LabelInfo, LocId, Location, ObjId, ObjKind, Object, Op, Place,
    Program, Reloc, RelocTarget, Signature, Site, Symbol, Var, VarId, VarKind, sym,
};

/// What is wrong with a text, and where (line and column count from 1, columns in bytes).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError {
    pub line: u32,
    pub col: u32,
    pub message: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.col, self.message)
    }
}

impl std::error::Error for ParseError {}

pub(super) type Result<T> = std::result::Result<T, ParseError>;

/// Reads a program. It is well-typed expression by expression, but for the rest of the rules
/// call [`crate::verify`].
pub fn parse(text: &str) -> Result<Program> {
    let declared = declarations(text)?;
    let mut parser = Parser::new(declared)?;
    for (number, line) in lines(text) {
        let mut line = Line::new(line, number)?;
        if line.peek != Token::End {
            parser.item(&mut line)?;
            line.end()?;
        }
    }
    parser.finish(text.lines().count() as u32 + 1)
}

fn lines(text: &str) -> impl Iterator<Item = (u32, &str)> {
    text.lines().enumerate().map(|(i, line)| (i as u32 + 1, line))
}

/// The declared names of one kind of thing, by id.
type Declared<T> = Vec<(u32, T, ParseError)>;

#[derive(Default)]
struct Declarations {
    model: Option<DataModel>,
    vars: Declared<(Symbol, Ty)>,
    objects: Declared<Symbol>,
    funcs: Declared<Symbol>,
    labels: Declared<Symbol>,
    locs: Declared<()>,
    edges: Declared<()>,
    types: Declared<()>,
    files: Declared<()>,
}

fn declarations(text: &str) -> Result<Declarations> {
    let mut d = Declarations::default();
    for (number, line) in lines(text) {
        let mut line = Line::new(line, number)?;
        let at = line.error("this id is declared twice, or ids are missing before it");
        let Token::Word(word) = line.peek else { continue };
        line.next()?;
        match word {
            "program" => d.model = Some(line.model()?),
            "global" | "param" | "local" | "temp" => {
                let (id, name) = line.declared()?;
                line.punct(":")?;
                d.vars.push((id, (name, line.ty()?), at));
            }
            "object" | "func" | "label" => {
                let (id, name) = line.declared()?;
                match word {
                    "object" => d.objects.push((id, name, at)),
                    "func" => d.funcs.push((id, name, at)),
                    _ => d.labels.push((id, name, at)),
                }
            }
            "type" => d.types.push((line.number()?, (), at)),
            "file" => d.files.push((line.number()?, (), at)),
            _ => match (numbered(word, "l"), numbered(word, "e"), &line.peek) {
                (Some(l), _, Token::Punct(":")) => d.locs.push((l, (), at)),
                (_, Some(e), Token::Punct("->")) => d.edges.push((e, (), at)),
                _ => {}
            },
        }
    }
    Ok(d)
}

/// The things in order of their ids, which must be 0, 1, 2 ...
fn dense<T>(mut declared: Declared<T>) -> Result<Vec<T>> {
    declared.sort_by_key(|d| d.0);
    let check =
        |(i, (id, x, at)): (usize, (u32, T, ParseError))| if id as usize == i { Ok(x) } else { Err(at) };
    declared.into_iter().enumerate().map(check).collect()
}

/// `prefix5` is 5.
fn numbered(word: &str, prefix: &str) -> Option<u32> {
    word.strip_prefix(prefix).filter(|d| d.bytes().all(|c| c.is_ascii_digit()))?.parse().ok()
}

/// A function whose `}` is still to come.
struct Open {
    id: FuncId,
    func: Function,
    /// Entry and exit.
    ends: Option<(LocId, LocId)>,
}

struct Parser {
    program: Program,
    names: Names,
    vars: Vec<Option<Var>>,
    objects: Vec<Option<Object>>,
    funcs: Vec<Option<Function>>,
    locs: Vec<Option<Location>>,
    edges: Vec<Option<Edge>>,
    labels: Vec<Option<LabelInfo>>,
    types: Vec<Option<DType>>,
    files: Vec<Option<String>>,
    /// The function whose body is being read, and the location in it.
    func: Option<Open>,
    loc: Option<LocId>,
}

impl Parser {
    fn new(d: Declarations) -> Result<Parser> {
        let start =
            || ParseError { line: 1, col: 1, message: "expected `program ILP32` or `program LP64`".into() };
        let vars = dense(d.vars)?;
        let mut program = Program::new(d.model.ok_or_else(start)?);
        for (i, &(_, ty)) in vars.iter().enumerate() {
            program.exprs.declare_var(VarId::new(i), ty);
        }
        let names = Names {
            vars: vars.into_iter().map(|(name, _)| name).collect(),
            objects: dense(d.objects)?,
            funcs: dense(d.funcs)?,
            labels: dense(d.labels)?,
            lets: Vec::new(),
            global_lets: Vec::new(),
        };
        Ok(Parser {
            program,
            vars: vec![None; names.vars.len()],
            objects: vec![None; names.objects.len()],
            funcs: vec![None; names.funcs.len()],
            labels: vec![None; names.labels.len()],
            locs: vec![None; dense(d.locs)?.len()],
            edges: vec![None; dense(d.edges)?.len()],
            types: vec![None; dense(d.types)?.len()],
            files: vec![None; dense(d.files)?.len()],
            names,
            func: None,
            loc: None,
        })
    }

    fn finish(mut self, last_line: u32) -> Result<Program> {
        let at_end = |message: &str| ParseError { line: last_line, col: 1, message: message.into() };
        if self.func.is_some() {
            return Err(at_end("expected `}`"));
        }
        // The first pass has seen every declaration, and the second has filled each one in.
        fn table<K: EntityRef, T>(rows: Vec<Option<T>>) -> Option<PrimaryMap<K, T>> {
            rows.into_iter().collect::<Option<Vec<T>>>().map(|v| v.into_iter().collect())
        }
        let missing = || at_end("something is declared but not given");
        let p = &mut self.program;
        p.vars = table(self.vars).ok_or_else(missing)?;
        p.objects = table(self.objects).ok_or_else(missing)?;
        p.funcs = table(self.funcs).ok_or_else(missing)?;
        p.labels = table(self.labels).ok_or_else(missing)?;
        p.dtypes = table(self.types).ok_or_else(missing)?;
        p.files = table(self.files).ok_or_else(missing)?;
        p.locs = table(self.locs).ok_or_else(missing)?;
        p.edges = table(self.edges).ok_or_else(missing)?;
        for (e, edge) in &p.edges {
            p.locs[edge.dst].inn.push(e);
            if let Some(body) = p.funcs[p.locs[edge.src].func].body.as_mut() {
                body.edges.push(e);
            }
        }
        Ok(self.program)
    }

    fn item(&mut self, line: &mut Line) -> Result<()> {
        if line.eat("}")? {
            let Some(Open { id, mut func, ends }) = self.func.take() else {
                return Err(line.error("`}` without a function"));
            };
            let Some((entry, exit)) = ends else {
                return Err(line.error("function without `entry`"));
            };
            if let Some(body) = func.body.as_mut() {
                (body.entry, body.exit) = (entry, exit);
            }
            self.funcs[id.index()] = Some(func);
            self.names.lets.clear();
            self.loc = None;
            return Ok(());
        }
        let Token::Word(word) = line.peek else {
            return Err(line.error("expected an item"));
        };
        let at = line.error(format!("`{word}` does not belong here"));
        line.next()?;
        match (word, self.func.is_some()) {
            ("program", false) => line.model().map(drop),
            ("entry", false) => {
                self.program.entry = Some(self.names.func(line)?);
                Ok(())
            }
            ("branches", false) => {
                self.program.branches = line.number()?;
                Ok(())
            }
            ("assume", false) => self.assumption(line),
            ("file", false) => {
                let id: u32 = line.number()?;
                self.files[id as usize] = Some(line.string()?);
                Ok(())
            }
            ("type", false) => self.dtype(line),
            ("label", false) => self.label(line),
            ("func", false) => self.function(line),
            ("global" | "param" | "local" | "temp", _) => self.var(word, line),
            ("object", _) => self.object(line),
            ("let", _) => self.let_line(line),
            ("entry", true) => {
                let entry = self.loc(line)?;
                line.word("exit")?;
                let exit = self.loc(line)?;
                if let Some(open) = self.func.as_mut() {
                    open.ends = Some((entry, exit));
                }
                Ok(())
            }
            ("params", true) => {
                while line.peek != Token::End {
                    let v = self.names.var(line)?;
                    if let Some(open) = self.func.as_mut() {
                        open.func.params.push(v);
                    }
                }
                Ok(())
            }
            (_, true) => match (numbered(word, "l"), numbered(word, "e")) {
                (Some(l), _) => self.location(LocId::from_u32(l), line),
                (_, Some(e)) => self.edge(EdgeId::from_u32(e), line),
                _ => Err(at),
            },
            _ => Err(at),
        }
    }

    fn assumption(&mut self, line: &mut Line) -> Result<()> {
        let site = match line.any_word()? {
            "in" => Site::Func(self.names.func(line)?),
            "at" => {
                let at = line.error("expected an edge");
                let edge = numbered(line.any_word()?, "e").filter(|&e| (e as usize) < self.edges.len());
                Site::Edge(EdgeId::from_u32(edge.ok_or(at)?))
            }
            _ => return Err(line.error("expected `in` or `at`")),
        };
        self.program.assumptions.push(Assumption { site, text: line.string()? });
        Ok(())
    }

    fn body(&mut self) -> Option<&mut Body> {
        self.func.as_mut().and_then(|open| open.func.body.as_mut())
    }

    fn owner(&self) -> Option<FuncId> {
        self.func.as_ref().map(|open| open.id)
    }

    fn dtype(&mut self, line: &mut Line) -> Result<()> {
        let id: u32 = line.number()?;
        let kind = line.any_word()?;
        let ty = match kind {
            "scalar" => DType::Scalar { name: sym(&line.string()?), ty: line.ty()? },
            "array" => {
                let elem = self.dtype_ref(line)?;
                line.word("x")?;
                DType::Array { elem, len: line.number()? }
            }
            "struct" | "union" => {
                let name = sym(&line.string()?);
                line.word("size")?;
                let size = line.number()?;
                line.punct("{")?;
                let mut fields = Vec::new();
                while !line.eat("}")? {
                    if !fields.is_empty() {
                        line.punct(",")?;
                    }
                    let name = sym(&line.string()?);
                    line.punct(":")?;
                    let ty = self.dtype_ref(line)?;
                    line.word("at")?;
                    let offset = line.number()?;
                    let bits =
                        if line.eat_word("bits")? { Some((line.number()?, line.number()?)) } else { None };
                    fields.push(DField { name, offset, bits, ty });
                }
                DType::Record { name, size, is_union: kind == "union", fields }
            }
            _ => return Err(line.error("expected scalar, array, struct or union")),
        };
        self.types[id as usize] = Some(ty);
        Ok(())
    }

    fn dtype_ref(&self, line: &mut Line) -> Result<DTypeId> {
        let at = line.error("no such type");
        let id: u32 = line.number()?;
        if (id as usize) < self.types.len() { Ok(DTypeId::from_u32(id)) } else { Err(at) }
    }

    fn label(&mut self, line: &mut Line) -> Result<()> {
        let (id, name) = line.declared()?;
        line.word("at")?;
        let loc = self.loc(line)?;
        line.word("in")?;
        let func = self.names.func(line)?;
        self.labels[id as usize] = Some(LabelInfo { name, func, loc });
        Ok(())
    }

    fn function(&mut self, line: &mut Line) -> Result<()> {
        let (id, name) = line.declared()?;
        let sig = line.sig()?;
        let is_model = line.eat_word("model")?;
        let noreturn = line.eat_word("noreturn")?;
        let place = self.at(line)?;
        let mut func = Function { name, sig, params: Vec::new(), body: None, place, is_model, noreturn };
        if line.eat("{")? {
            func.body = Some(Body {
                entry: LocId::from_u32(0),
                exit: LocId::from_u32(0),
                locs: Vec::new(),
                edges: Vec::new(),
                vars: Vec::new(),
                objects: Vec::new(),
            });
            self.func = Some(Open { id: FuncId::from_u32(id), func, ends: None });
        } else {
            self.funcs[id as usize] = Some(func);
        }
        Ok(())
    }

    fn var(&mut self, kind: &str, line: &mut Line) -> Result<()> {
        let (id, name) = line.declared()?;
        line.punct(":")?;
        let ty = line.ty()?;
        let kind = match kind {
            "param" => VarKind::Param,
            "local" => VarKind::Local,
            "temp" => VarKind::Temp,
            _ => {
                line.punct("=")?;
                VarKind::Global { init: self.expr(line)? }
            }
        };
        let (place, scope, dtype) = self.debug_info(line)?;
        let owner = self.owner();
        self.vars[id as usize] = Some(Var { name, ty, owner, kind, place, scope, dtype });
        if let Some(body) = self.body() {
            body.vars.push(VarId::from_u32(id));
        }
        Ok(())
    }

    fn object(&mut self, line: &mut Line) -> Result<()> {
        let (id, name) = line.declared()?;
        line.punct(":")?;
        let kind = match line.any_word()? {
            "global" => ObjKind::Global,
            "const" => ObjKind::Const,
            "local" => ObjKind::Local,
            _ => return Err(line.error("expected global, const or local before this")),
        };
        line.word("size")?;
        let size = line.number()?;
        line.word("align")?;
        let align = line.number()?;
        let init = match line.any_word()? {
            "uninit" => Init::Uninit,
            "unknown" => Init::Unknown,
            "static" => Init::Static(self.data(line)?),
            _ => return Err(line.error("expected uninit, unknown or static before this")),
        };
        let (place, scope, dtype) = self.debug_info(line)?;
        let owner = self.owner();
        let object = Object { name, owner, kind, size, align, init, place, scope, dtype };
        self.objects[id as usize] = Some(object);
        if let Some(body) = self.body() {
            body.objects.push(ObjId::from_u32(id));
        }
        Ok(())
    }

    fn data(&mut self, line: &mut Line) -> Result<Data> {
        let mut data = Data::default();
        line.punct("{")?;
        while !line.eat("}")? {
            if !(data.bytes.is_empty() && data.relocs.is_empty()) {
                line.punct(",")?;
            }
            let offset = line.number()?;
            line.punct(":")?;
            let target = match line.peek {
                Token::Punct("&") => {
                    line.next()?;
                    RelocTarget::Object(self.names.object(line)?)
                }
                Token::Punct("&&") => {
                    line.next()?;
                    RelocTarget::Label(self.names.label(line)?)
                }
                Token::Word("fn") => {
                    line.next()?;
                    RelocTarget::Func(self.names.func(line)?)
                }
                _ => {
                    let Token::Bytes(bytes) = line.next()? else {
                        return Err(line.error("expected bytes or an address before this"));
                    };
                    data.bytes.push((offset, bytes.into()));
                    continue;
                }
            };
            let negative = line.eat("-")?;
            if !negative {
                line.punct("+")?;
            }
            let at = line.error("offset is too large");
            let size: u64 = line.number()?;
            let addend = if negative { 0i64.checked_sub_unsigned(size) } else { i64::try_from(size).ok() };
            line.word("bytes")?;
            data.relocs.push(Reloc { offset, bytes: line.number()?, target, addend: addend.ok_or(at)? });
        }
        Ok(data)
    }

    fn debug_info(&mut self, line: &mut Line) -> Result<(Place, Place, Option<DTypeId>)> {
        let place = self.at(line)?;
        let scope = if line.eat_word("scope")? { line.place()? } else { Place::NONE };
        let dtype = if line.eat_word("type")? { Some(self.dtype_ref(line)?) } else { None };
        Ok((place, scope, dtype))
    }

    fn at(&self, line: &mut Line) -> Result<Place> {
        if line.eat("@")? { line.place() } else { Ok(Place::NONE) }
    }

    fn loc(&self, line: &mut Line) -> Result<LocId> {
        let at = line.error("expected a location such as l0");
        let id = match line.peek {
            Token::Word(word) => numbered(word, "l"),
            _ => None,
        };
        let id = id.filter(|&id| (id as usize) < self.locs.len()).ok_or(at)?;
        line.next()?;
        Ok(LocId::from_u32(id))
    }

    fn let_line(&mut self, line: &mut Line) -> Result<()> {
        line.punct("$")?;
        let at = line.error("lets are numbered 0, 1, 2 ... in a function");
        let number: u32 = line.number()?;
        line.punct("=")?;
        let e = self.expr(line)?;
        let lets = if self.func.is_some() { &mut self.names.lets } else { &mut self.names.global_lets };
        if number as usize != lets.len() {
            return Err(at);
        }
        lets.push(e);
        Ok(())
    }

    fn expr(&mut self, line: &mut Line) -> Result<crate::ExprId> {
        self.names.expr(&mut self.program.exprs, self.func.is_some(), line, 0)
    }

    fn location(&mut self, id: LocId, line: &mut Line) -> Result<()> {
        line.punct(":")?;
        let loop_stmt = if line.eat_word("loop")? { Some(self.at(line)?) } else { None };
        let mut labels = Vec::new();
        while line.eat_word("label")? {
            labels.push(sym(&line.string()?));
        }
        let Some(func) = self.owner() else { return Ok(()) };
        let loc = Location { func, out: Default::default(), inn: Default::default(), loop_stmt, labels };
        self.locs[id.index()] = Some(loc);
        self.loc = Some(id);
        if let Some(body) = self.body() {
            body.locs.push(id);
        }
        Ok(())
    }

    fn edge(&mut self, id: EdgeId, line: &mut Line) -> Result<()> {
        let Some(src) = self.loc else {
            return Err(line.error("edge without a location"));
        };
        line.punct("->")?;
        let dst = self.loc(line)?;
        line.punct(":")?;
        let op = self.op(line)?;
        let place = self.at(line)?;
        let branch = if line.eat_word("branch")? {
            let id: u32 = line.number()?;
            if id >= self.program.branches {
                return Err(line.error("`branches` says that there are fewer"));
            }
            let id = BranchId::from_u32(id);
            let at = line.error("expected true or false");
            match line.any_word()? {
                "true" => Some(Branch { id, taken: true }),
                "false" => Some(Branch { id, taken: false }),
                _ => return Err(at),
            }
        } else {
            None
        };
        self.edges[id.index()] = Some(Edge { src, dst, op, place, branch });
        if let Some(loc) = self.locs[src.index()].as_mut() {
            loc.out.push(id);
        }
        Ok(())
    }

    fn op(&mut self, line: &mut Line) -> Result<Op> {
        if let Token::Ref(..) = line.peek {
            let dst = self.names.var(line)?;
            line.punct(":=")?;
            return self.op_with_result(dst, line);
        }
        let at = line.error("expected an operation");
        Ok(match line.any_word()? {
            "nop" => Op::Nop,
            "when" => Op::Assume { cond: self.expr(line)?, holds: true },
            "unless" => Op::Assume { cond: self.expr(line)?, holds: false },
            "store" => {
                let addr = self.expr(line)?;
                line.punct(",")?;
                Op::Store { addr, value: self.expr(line)? }
            }
            "storebits" => {
                let (bit, width) = (line.number()?, line.number()?);
                line.punct(",")?;
                let addr = self.expr(line)?;
                line.punct(",")?;
                Op::StoreBits { addr, bit, width, value: self.expr(line)? }
            }
            kind @ ("copy" | "move" | "fill") => {
                let dst = self.expr(line)?;
                line.punct(",")?;
                let what = self.expr(line)?;
                line.punct(",")?;
                let size = self.expr(line)?;
                match kind {
                    "fill" => Op::Fill { dst, byte: what, size },
                    _ => Op::Copy { dst, src: what, size, may_overlap: kind == "move" },
                }
            }
            "begin" => Op::Begin { obj: self.names.object(line)? },
            "end" => Op::End { obj: self.names.object(line)? },
            "free" => Op::Free { kind: alloc_kind(line)?, ptr: self.expr(line)? },
            "call" => self.call(None, line)?,
            "return" => match line.peek {
                Token::End | Token::Punct("@") => Op::Return { value: None },
                _ => Op::Return { value: Some(self.expr(line)?) },
            },
            "trap" => {
                let at = line.error("no such trap");
                Op::Trap(lookup(names::TRAPS, line.any_word()?).ok_or(at)?)
            }
            _ => return Err(at),
        })
    }

    fn op_with_result(&mut self, dst: VarId, line: &mut Line) -> Result<Op> {
        if line.eat_word("load")? {
            return Ok(Op::Load { dst, addr: self.expr(line)? });
        }
        if line.eat_word("loadbits")? {
            let (bit, width) = (line.number()?, line.number()?);
            line.punct(",")?;
            return Ok(Op::LoadBits { dst, addr: self.expr(line)?, bit, width });
        }
        if line.eat_word("alloc")? {
            let kind = alloc_kind(line)?;
            let zeroed = line.eat_word("zeroed")?;
            return Ok(Op::Alloc { dst, size: self.expr(line)?, kind, zeroed });
        }
        if line.eat_word("input")? {
            return Ok(Op::Input { dst, name: sym(&line.string()?) });
        }
        if line.eat_word("call")? {
            return self.call(Some(dst), line);
        }
        Ok(Op::Assign { dst, value: self.expr(line)? })
    }

    fn call(&mut self, dst: Option<VarId>, line: &mut Line) -> Result<Op> {
        let callee = if line.eat("[")? {
            let target = self.expr(line)?;
            line.punct("]")?;
            let sig = Box::new(line.sig()?);
            line.word("with")?;
            Callee::Ptr { target, sig }
        } else if line.eat_word("builtin")? {
            let at = line.error("no such builtin");
            Callee::Builtin(lookup(names::BUILTINS, line.any_word()?).ok_or(at)?)
        } else if line.eat_word("math")? {
            let at = line.error("no such function");
            let f = lookup(names::MATH, line.any_word()?).ok_or(at)?;
            let at = line.error("expected a floating type");
            match line.ty()? {
                Ty::Float(ty) => Callee::Builtin(Builtin::Math(f, ty)),
                _ => return Err(at),
            }
        } else {
            Callee::Func(self.names.func(line)?)
        };
        line.punct("(")?;
        let mut args = Vec::new();
        while !line.eat(")")? {
            if !args.is_empty() {
                line.punct(",")?;
            }
            args.push(self.expr(line)?);
        }
        Ok(Op::Call { dst, callee, args: args.into() })
    }
}

fn alloc_kind(line: &mut Line) -> Result<AllocKind> {
    let at = line.error("expected heap, alloca or vla");
    lookup(names::ALLOCS, line.any_word()?).ok_or(at)
}

/// The small parts that items are made of.
impl<'t> Line<'t> {
    pub fn end(&self) -> Result<()> {
        if self.peek == Token::End { Ok(()) } else { Err(self.error("expected the end of the line")) }
    }

    pub fn eat(&mut self, punct: &str) -> Result<bool> {
        let here = matches!(self.peek, Token::Punct(p) if p == punct);
        if here {
            self.next()?;
        }
        Ok(here)
    }

    pub fn eat_word(&mut self, word: &str) -> Result<bool> {
        let here = self.peek == Token::Word(word);
        if here {
            self.next()?;
        }
        Ok(here)
    }

    pub fn punct(&mut self, punct: &str) -> Result<()> {
        if self.eat(punct)? { Ok(()) } else { Err(self.error(format!("expected `{punct}`"))) }
    }

    pub fn word(&mut self, word: &str) -> Result<()> {
        if self.eat_word(word)? { Ok(()) } else { Err(self.error(format!("expected `{word}`"))) }
    }

    pub fn any_word(&mut self) -> Result<&'t str> {
        let Token::Word(word) = self.peek else {
            return Err(self.error("expected a word"));
        };
        self.next()?;
        Ok(word)
    }

    pub fn string(&mut self) -> Result<String> {
        let at = self.error("expected a string");
        match self.next()? {
            Token::Str(s) => Ok(s),
            _ => Err(at),
        }
    }

    pub fn number<N: std::str::FromStr>(&mut self) -> Result<N> {
        let value = match self.peek {
            Token::Number(digits) => digits.parse().ok(),
            _ => None,
        };
        let value = value.ok_or_else(|| self.error("expected a number in range"))?;
        self.next()?;
        Ok(value)
    }

    pub fn ty(&mut self) -> Result<Ty> {
        let at = self.error("expected a type");
        names::ty(self.any_word()?).ok_or(at)
    }

    fn model(&mut self) -> Result<DataModel> {
        let at = self.error("expected ILP32 or LP64");
        match self.any_word()? {
            "ILP32" => Ok(DataModel::Ilp32),
            "LP64" => Ok(DataModel::Lp64),
            _ => Err(at),
        }
    }

    /// `name.id`, with the exact name behind it if it is no plain word.
    fn declared(&mut self) -> Result<(u32, Symbol)> {
        let Token::Ref(shown, id) = self.peek else {
            return Err(self.error("expected a name and id such as x.0"));
        };
        self.next()?;
        if let Token::Str(exact) = &self.peek {
            let name = sym(exact);
            if !names::shows(&name, shown) {
                return Err(self.error("the names differ"));
            }
            self.next()?;
            return Ok((id, name));
        }
        Ok((id, sym(shown)))
    }

    fn place(&mut self) -> Result<Place> {
        let file: u32 = self.number()?;
        self.punct(":")?;
        let line = self.number()?;
        self.punct(":")?;
        let col = self.number()?;
        self.punct("-")?;
        let end_line = self.number()?;
        self.punct(":")?;
        let end_col = self.number()?;
        if file == u32::MAX {
            return Err(self.error("no such file"));
        }
        Ok(Place { file: FileId::from_u32(file), line, col, end_line, end_col })
    }

    fn sig(&mut self) -> Result<Signature> {
        self.punct("(")?;
        let mut sig = Signature { params: Vec::new(), ret: None, variadic: false };
        while !self.eat(")")? {
            if !sig.params.is_empty() {
                self.punct(",")?;
            }
            if self.eat("...")? {
                sig.variadic = true;
                self.punct(")")?;
                break;
            }
            sig.params.push(self.ty()?);
        }
        if self.eat("->")? {
            sig.ret = Some(self.ty()?);
        }
        Ok(sig)
    }
}
