//! The user's program as text and syntax trees, with all the places that
//! witnesses speak of: statements, loops, decisions, calls.
//!
//! A unit is preprocessed exactly as the front end does it. Places are found in
//! the tree, whose spans point into the preprocessed text; the source map tells
//! which line and column of the user's file they are. Text is inserted into the
//! preprocessed text only, so macros and comments never get in the way.

use cairn_base::{Place, Span, Symbol, with_big_stack};
use cairn_cfront::{Input, Options};
use cairn_csyntax::ast::{
    Block, BlockItem, Declaration, Derived, Expr, ExprKind, FunctionDef, Initializer, Item, Params, Stmt,
    StmtKind, Storage, TypeSpec, Unit,
};
use cairn_csyntax::compile_db::CompileDb;
use cairn_csyntax::preprocess::{Loaded, load};
use cairn_csyntax::source::Naming;
use cairn_csyntax::{Dialect, SourceMap, parse, render};
use std::collections::BTreeSet;

use crate::error::WitnessError;
use crate::task::base_name;
use crate::witness::Position;

/// A byte range of a unit's preprocessed text.
pub type Range = (u32, u32);

pub struct Sources {
    pub map: SourceMap,
    pub units: Vec<(String, cairn_base::SrcId)>,
    pub sites: Vec<Site>,
    /// The names that are declared, with unit and the range in which each is visible.
    names: Vec<(Symbol, usize, Range)>,
}

/// A part of the program that a witness can name.
#[derive(Debug)]
pub struct Site {
    /// Index into [`Sources::units`].
    pub unit: usize,
    pub range: Range,
    /// What a witness must name: the first character of a statement, the `)` of a call.
    pub place: Place,
    pub function: Symbol,
    pub kind: SiteKind,
}

#[derive(Debug)]
pub enum SiteKind {
    /// A statement or declaration. `in_block`: others may stand directly before and after it.
    Statement {
        in_block: bool,
        simple: bool,
    },
    Loop(Loop),
    Branch(Branch),
    Call {
        callee: Option<Symbol>,
        args: Vec<Range>,
        nested: bool,
        void: bool,
    },
}

#[derive(Debug)]
pub enum Loop {
    /// `while` and `for`: the condition, or the empty place of one.
    Head {
        cond: Range,
        body: u32,
    },
    Do {
        body: Range,
    },
}

#[derive(Debug)]
pub enum Branch {
    /// The condition; empty for `for (;;)`.
    Cond(Range),
    /// The value and the labels.
    Switch { value: Range, cases: Vec<(Range, Option<Range>)> },
}

impl Sources {
    pub fn load(
        inputs: &[Input],
        options: &Options,
        db: Option<&CompileDb>,
    ) -> Result<Sources, WitnessError> {
        with_big_stack(|| {
            let mut sources =
                Sources { map: SourceMap::new(), units: Vec::new(), sites: Vec::new(), names: Vec::new() };
            for input in inputs {
                sources.add(input, options, db)?;
            }
            Ok(sources)
        })
    }

    fn add(&mut self, input: &Input, options: &Options, db: Option<&CompileDb>) -> Result<(), WitnessError> {
        let loaded = match input {
            Input::Text { name, text } => {
                let dialect = Dialect::from_std(&options.cpp.std);
                let src = self.map.add_unit(name, text.clone().into_bytes(), Naming::default());
                src.map(|src| (name.clone(), Loaded { src, dialect }))
            }
            Input::File(path) => {
                let mut cpp = match db.and_then(|db| db.lookup(path)) {
                    Some(entry) => entry.options(&options.cpp),
                    None => options.cpp.clone(),
                };
                cpp.model = options.cpp.model;
                load(&mut self.map, path, &cpp).map(|l| (path.to_string_lossy().into_owned(), l))
            }
        };
        let parsed = loaded.and_then(|(name, l)| {
            let unit = parse(l.src, self.map.text(l.src), l.dialect)?;
            Ok((name, l.src, unit))
        });
        let (name, src, unit) = parsed
            .map_err(|d| WitnessError::Program(render::render(&self.map, &d, false).trim_end().to_owned()))?;
        let number = self.units.len();
        self.units.push((name, src));
        let text = self.map.text(src);
        let mut walk = Walk {
            map: &self.map,
            text,
            unit: number,
            function: Symbol::from(""),
            void: void_functions(&unit),
            sites: Vec::new(),
            names: Vec::new(),
        };
        for item in &unit.items {
            match item {
                Item::Function(f) => walk.function(f),
                Item::Decl(d) => walk.declare(d, u32::MAX),
                Item::StaticAssert(_) | Item::Asm(_) => {}
            }
        }
        let Walk { sites, names, .. } = walk;
        self.sites.extend(sites);
        self.names.extend(names);
        Ok(())
    }

    pub fn text(&self, unit: usize) -> &[u8] {
        self.map.text(self.units[unit].1)
    }

    /// A place as a witness names it.
    pub fn position(&self, site: &Site) -> Position {
        Position {
            file: self.map.file_name(site.place.file).to_owned(),
            line: site.place.line,
            column: Some(site.place.col),
            function: Some(site.function.to_string()),
        }
    }

    /// The sites that `wanted` accepts at a position: those at its column if there are any, else
    /// (columns differ between tools) the first one of its line. Without a column, all of its line.
    pub fn at(&self, position: &Position, wanted: impl Fn(&Site) -> bool) -> Vec<usize> {
        let single = self.units.len() == 1;
        let same_file = |s: &Site| {
            let name = self.map.file_name(s.place.file);
            position.file.is_empty()
                || name == position.file
                || base_name(name) == base_name(&position.file)
                || (single && name == self.units[0].0)
        };
        let here: Vec<usize> = (0..self.sites.len())
            .filter(|&i| {
                let s = &self.sites[i];
                s.place.line == position.line && same_file(s) && wanted(s)
            })
            .collect();
        if let Some(column) = position.column {
            let exact: Vec<usize> =
                here.iter().copied().filter(|&i| self.sites[i].place.col == column).collect();
            if !exact.is_empty() {
                return exact;
            }
        }
        let count = if position.column.is_some() { 1 } else { usize::MAX };
        here.into_iter().take(count).collect()
    }

    /// Is a variable or function of this name declared where `offset` is?
    pub fn is_visible(&self, name: &str, unit: usize, offset: u32) -> bool {
        self.names
            .iter()
            .any(|&(n, u, (lo, hi))| u == unit && lo <= offset && offset < hi && n.as_str() == name)
    }

    /// The region of a loop from its keyword to its body.
    pub fn loop_header(&self, file: &str, place: Place) -> Option<Place> {
        let site = self.sites.iter().find(|s| {
            matches!(s.kind, SiteKind::Loop(_))
                && (s.place.line, s.place.col) == (place.line, place.col)
                && self.map.file_name(s.place.file) == file
        })?;
        let SiteKind::Loop(Loop::Head { body, .. }) = site.kind else { return None };
        let src = self.units[site.unit].1;
        Some(self.map.resolve(Span::new(src, site.range.0, body)))
    }

    /// The innermost statement that covers a place of the program.
    pub fn statement_around(&self, file: &str, place: Place) -> Option<&Site> {
        let covers = |s: &&Site| {
            matches!(s.kind, SiteKind::Statement { .. })
                && self.map.file_name(s.place.file) == file
                && (s.place.line, s.place.col) <= (place.line, place.col)
                && (s.place.end_line, s.place.end_col) >= (place.end_line, place.end_col)
        };
        self.sites.iter().filter(covers).max_by_key(|s| (s.place.line, s.place.col))
    }
}

/// Functions that are declared to give nothing.
fn void_functions(unit: &Unit) -> BTreeSet<Symbol> {
    let mut names = BTreeSet::new();
    let mut look = |specs: &cairn_csyntax::ast::DeclSpecs, d: &cairn_csyntax::ast::Declarator| {
        let is_void = matches!(specs.ty, TypeSpec::Basic(cairn_csyntax::ast::Basic::Void));
        if let (true, Some(name), [Derived::Function(_)]) = (is_void, d.name, d.derived.as_slice()) {
            names.insert(name);
        }
    };
    for item in &unit.items {
        match item {
            Item::Function(f) => look(&f.specs, &f.declarator),
            Item::Decl(d) => d.declarators.iter().for_each(|i| look(&d.specs, &i.declarator)),
            _ => {}
        }
    }
    names
}

struct Walk<'a> {
    map: &'a SourceMap,
    text: &'a [u8],
    unit: usize,
    function: Symbol,
    void: BTreeSet<Symbol>,
    sites: Vec<Site>,
    names: Vec<(Symbol, usize, Range)>,
}

fn range(span: Span) -> Range {
    (span.lo, span.hi)
}

impl Walk<'_> {
    fn function(&mut self, f: &FunctionDef) {
        self.function = f.declarator.name.unwrap_or_else(|| Symbol::from(""));
        self.names.push((self.function, self.unit, (f.span.lo, u32::MAX)));
        if let Some(Derived::Function(params)) = f.declarator.derived.first() {
            let names: Vec<Symbol> = match params {
                Params::Prototype { params, .. } => params.iter().filter_map(|p| p.declarator.name).collect(),
                Params::Knr(names) => names.iter().map(|n| n.0).collect(),
            };
            self.names.extend(names.into_iter().map(|n| (n, self.unit, range(f.body.span))));
        }
        if let StmtKind::Compound(block) = &f.body.kind {
            self.block(block);
        }
    }

    /// The names of a declaration are visible from its end to `end`.
    fn declare(&mut self, d: &Declaration, end: u32) {
        if d.specs.storage == Some(Storage::Typedef) {
            return;
        }
        let names = d.declarators.iter().filter_map(|i| i.declarator.name);
        self.names.extend(names.map(|n| (n, self.unit, (d.span.hi, end))));
    }

    fn push(&mut self, span: Span, at: Span, kind: SiteKind) {
        let place = self.map.resolve(at);
        self.sites.push(Site { unit: self.unit, range: range(span), place, function: self.function, kind });
    }

    fn block(&mut self, block: &Block) {
        for item in &block.items {
            match item {
                BlockItem::Stmt(s) => self.stmt(s, true),
                BlockItem::Decl(d) => {
                    self.declare(d, block.span.hi);
                    self.push(d.span, d.span, SiteKind::Statement { in_block: true, simple: true });
                    self.declaration(d);
                }
                BlockItem::StaticAssert(_) | BlockItem::Function(_) => {}
            }
        }
    }

    fn declaration(&mut self, d: &Declaration) {
        if matches!(d.specs.storage, Some(Storage::Static | Storage::Typedef)) {
            return;
        }
        for init in d.declarators.iter().filter_map(|i| i.init.as_ref()) {
            self.initializer(init);
        }
    }

    fn initializer(&mut self, init: &Initializer) {
        match init {
            Initializer::Expr(e) => self.expr(e),
            Initializer::List { items, .. } => items.iter().for_each(|i| self.initializer(&i.init)),
        }
    }

    fn stmt(&mut self, s: &Stmt, in_block: bool) {
        let inner = match &s.kind {
            StmtKind::Label { stmt, .. } | StmtKind::Default { stmt } => Some(stmt),
            StmtKind::Case { stmt, .. } => Some(stmt),
            _ => None,
        };
        if let Some(inner) = inner {
            // What stands behind the label is reached by every way; it is no block item of its own.
            return self.stmt(inner, false);
        }
        if s.span.hi > s.span.lo {
            let simple = matches!(s.kind, StmtKind::Expr(_) | StmtKind::Empty);
            self.push(s.span, s.span, SiteKind::Statement { in_block, simple });
        }
        match &s.kind {
            StmtKind::Expr(e) | StmtKind::Return(Some(e)) | StmtKind::GotoPtr(e) => self.expr(e),
            StmtKind::Compound(block) => self.block(block),
            StmtKind::If { cond, then, other } => {
                self.push(s.span, s.span, SiteKind::Branch(Branch::Cond(range(cond.span))));
                self.expr(cond);
                self.stmt(then, false);
                if let Some(other) = other {
                    self.stmt(other, false);
                }
            }
            StmtKind::Switch { value, body } => {
                let mut cases = Vec::new();
                labels(body, &mut cases);
                let kind = Branch::Switch { value: range(value.span), cases };
                self.push(s.span, s.span, SiteKind::Branch(kind));
                self.expr(value);
                self.stmt(body, false);
            }
            StmtKind::While { cond, body } => {
                self.head(s, range(cond.span), body);
                self.expr(cond);
                self.stmt(body, false);
            }
            StmtKind::Do { body, cond } => {
                self.push(s.span, s.span, SiteKind::Loop(Loop::Do { body: range(body.span) }));
                self.push(s.span, s.span, SiteKind::Branch(Branch::Cond(range(cond.span))));
                self.stmt(body, false);
                self.expr(cond);
            }
            StmtKind::For { init, cond, step, body } => {
                let place = match (cond, init) {
                    (Some(c), _) => Some(range(c.span)),
                    (None, Some(init)) => {
                        // A declaration ends in its semicolon, an expression before it.
                        let end = match &**init {
                            BlockItem::Decl(d) => d.span.hi - 1,
                            BlockItem::Stmt(x) => x.span.hi,
                            BlockItem::StaticAssert(a) => a.span.hi - 1,
                            BlockItem::Function(f) => f.span.hi,
                        };
                        self.find(end, b';').and_then(|first| self.find(first + 1, b';')).map(|at| (at, at))
                    }
                    (None, None) => self
                        .find(s.span.lo, b';')
                        .and_then(|first| self.find(first + 1, b';'))
                        .map(|at| (at, at)),
                };
                if let Some(place) = place {
                    self.head(s, place, body);
                }
                match init.as_deref() {
                    Some(BlockItem::Decl(d)) => {
                        self.declare(d, s.span.hi);
                        self.declaration(d);
                    }
                    Some(BlockItem::Stmt(Stmt { kind: StmtKind::Expr(e), .. })) => self.expr(e),
                    _ => {}
                }
                for e in [cond, step].into_iter().flatten() {
                    self.expr(e);
                }
                self.stmt(body, false);
            }
            _ => {}
        }
    }

    fn head(&mut self, s: &Stmt, cond: Range, body: &Stmt) {
        self.push(s.span, s.span, SiteKind::Loop(Loop::Head { cond, body: body.span.lo }));
        self.push(s.span, s.span, SiteKind::Branch(Branch::Cond(cond)));
    }

    /// The next byte of this value outside of comments.
    fn find(&self, from: u32, byte: u8) -> Option<u32> {
        let mut at = from as usize;
        while at < self.text.len() {
            let rest = &self.text[at..];
            if rest.starts_with(b"/*") {
                at += 2 + rest[2..].windows(2).position(|w| w == b"*/")? + 2;
            } else if rest.starts_with(b"//") {
                at += rest.iter().position(|&b| b == b'\n')?;
            } else if rest[0] == byte {
                return Some(at as u32);
            } else {
                at += 1;
            }
        }
        None
    }

    fn expr(&mut self, e: &Expr) {
        if let ExprKind::Call { callee, args } = &e.kind {
            let name = match &callee.kind {
                ExprKind::Ident(name) => Some(*name),
                _ => None,
            };
            let before = self.sites.len();
            for a in args {
                self.expr(a);
            }
            let nested = self.sites.len() > before;
            self.expr(callee);
            let close = Span { lo: e.span.hi - 1, ..e.span };
            let void = name.is_some_and(|n| self.void.contains(&n));
            let args = args.iter().map(|a| range(a.span)).collect();
            self.push(e.span, close, SiteKind::Call { callee: name, args, nested, void });
            return;
        }
        match &e.kind {
            // Not evaluated.
            ExprKind::SizeofExpr(_) | ExprKind::AlignofExpr(_) | ExprKind::PreferredAlignofExpr(_) => {}
            ExprKind::Paren(a)
            | ExprKind::Member { base: a, .. }
            | ExprKind::Unary { arg: a, .. }
            | ExprKind::Cast { arg: a, .. }
            | ExprKind::VaArg { list: a, .. }
            | ExprKind::ConvertVector { value: a, .. }
            | ExprKind::ComplexPart { arg: a, .. } => self.expr(a),
            ExprKind::Index { base: a, index: b }
            | ExprKind::Binary { lhs: a, rhs: b, .. }
            | ExprKind::Assign { lhs: a, rhs: b, .. } => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Comma(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Cond { cond, then, other } => {
                if let Some(question) = self.find(cond.span.hi, b'?') {
                    let at = Span { lo: question, hi: question + 1, ..e.span };
                    if then.is_some() {
                        self.push(e.span, at, SiteKind::Branch(Branch::Cond(range(cond.span))));
                    }
                }
                self.expr(cond);
                if let Some(then) = then {
                    self.expr(then);
                }
                self.expr(other);
            }
            ExprKind::CompoundLiteral { init, .. } => self.initializer(init),
            ExprKind::StmtExpr(block) => self.block(block),
            _ => {}
        }
    }
}

/// The labels of a switch, not those of switches within.
fn labels(s: &Stmt, out: &mut Vec<(Range, Option<Range>)>) {
    match &s.kind {
        StmtKind::Case { low, high, stmt } => {
            out.push((range(low.span), high.as_ref().map(|h| range(h.span))));
            labels(stmt, out);
        }
        StmtKind::Default { stmt } | StmtKind::Label { stmt, .. } => labels(stmt, out),
        StmtKind::Compound(block) => {
            for item in &block.items {
                if let BlockItem::Stmt(s) = item {
                    labels(s, out);
                }
            }
        }
        StmtKind::If { then, other, .. } => {
            labels(then, out);
            if let Some(other) = other {
                labels(other, out);
            }
        }
        StmtKind::While { body, .. } | StmtKind::Do { body, .. } | StmtKind::For { body, .. } => {
            labels(body, out)
        }
        _ => {}
    }
}
