//! From the typed program to control-flow automata.
//!
//! Scalars whose address is never taken become variables, everything else
//! becomes memory. Expressions stay the trees the source has; only what reads
//! or changes the state (memory, calls, inputs) gets an edge of its own.
//!
//! | module | job |
//! |---|---|
//! | [`cursor`] | where the next edge goes; jumps without superfluous locations |
//! | `globals`, `func`, `scope` | the program's tables, one function, lifetimes of its locals |
//! | `stmt`, `switch` | control flow |
//! | `expr`, `assign`, `cond`, `effects` | scalar values, truth, and the order of side effects |
//! | `lvalue`, `aggregate`, `init` | memory |
//! | `call`, `scan`, `variadic`, `intrinsic` | calls, and the names lowering itself gives meaning to |
//! | `external` | what functions and objects from outside do |
//! | `debug`, `decision` | types as people read them, decisions as they count them |

mod aggregate;
mod assign;
mod call;
mod cond;
mod cursor;
mod debug;
mod decision;
mod effects;
mod expr;
mod external;
mod func;
mod globals;
mod init;
mod intrinsic;
mod lvalue;

mod print;
mod rounding;
mod scan;
mod scope;
mod stmt;
mod switch;
mod variadic;

use cairn_base::{Diagnostic, Place, SecondaryMap, Span, SrcId, Symbol};
use cairn_ctyped::hir;
use cairn_ctyped::types::{TypeId, Types};
use cairn_ir as ir;
use rustc_hash::{FxHashMap, FxHashSet};

pub use decision::{Branching, Outcome};
pub use external::{Externals, begin_with};
pub use print::counting;
pub use scan::{SCANNERS, reads_format};

/// Who knows the user's files: turns spans into places.
pub trait Places {
    fn place(&self, span: Span) -> Place;
    /// Was this unit supplied by Cairn (a model of the library) rather than by the user?
    fn is_model(&self, src: SrcId) -> bool;
}

/// A function or object that the program uses and nobody defines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unmodelled {
    pub name: Symbol,
    /// The first use.
    pub place: Place,
    pub is_function: bool,
}

pub struct Lowered {
    pub program: ir::Program,
    /// By the number of the branch.
    pub decisions: Vec<Branching>,
    /// The function that gives objects from outside their values; to be called first.
    pub external_objects: Option<ir::FuncId>,
    /// In order of their first use.
    pub unmodelled: Vec<Unmodelled>,
    /// Functions without a body because their definition uses what is not supported. The program
    /// is fit for use only if no run enters them.
    pub unsupported: Vec<(ir::FuncId, Diagnostic)>,
    /// What could not be expressed; the program is not to be used if there is any.
    pub diagnostics: Vec<Diagnostic>,
    /// What is supposed wherever a run starts.
    pub conditions: Vec<String>,
}

/// The model that runs what `atexit` was given; it comes with `atexit` only. A program that has it
/// calls it when `main` ends.
pub const EXIT_HANDLERS: &str = "__cairn_run_exit_handlers";

/// Lowers a whole program. `entry` is left open. `files` are the names behind the places' files.
/// With `keep_decisions` no `?:`, `&&` or `||` of the user's becomes a value without branches.
pub fn lower<'n>(
    hir: &hir::Program,
    places: &dyn Places,
    files: impl Iterator<Item = &'n str>,
    keep_decisions: bool,
    externals: Externals,
) -> Lowered {
    let mut cx = Cx {
        hir,
        types: &hir.types,
        places,
        prog: ir::Program::new(hir.types.model),
        globals: SecondaryMap::new(),
        funcs: SecondaryMap::new(),
        open_signatures: FxHashSet::default(),
        labels: FxHashMap::default(),
        dtypes: FxHashMap::default(),
        unmodelled: Vec::new(),
        unmodelled_names: FxHashSet::default(),
        unsupported: Vec::new(),
        diagnostics: Vec::new(),
        temp_name: ir::sym("tmp"),
        keep_decisions,
        decisions: Vec::new(),
        next_decision: 0,
        last_place: None,
        rounding: None,
        counted: hir.funcs.values().any(|f| f.body.as_ref().is_some_and(|b| b.counts_arguments)),
    };
    for name in files {
        cx.prog.files.push(name.to_owned());
    }
    cx.declare_functions();
    cx.define_globals();
    cx.find_rounding();
    for (id, func) in hir.funcs.iter() {
        if let Some(body) = &func.body {
            func::lower_body(&mut cx, id, body);
        }
    }
    let mut conditions = Vec::new();
    for &span in &hir.file_asm {
        let place = cx.place(span);
        conditions
            .push(format!("the assembly at {} defines nothing that the program uses", at(&cx.prog, place)));
    }
    let external_objects = cx.external_world(externals);
    Lowered {
        conditions,
        program: cx.prog,
        external_objects,
        decisions: cx.decisions,
        unmodelled: cx.unmodelled,
        unsupported: cx.unsupported,
        diagnostics: cx.diagnostics,
    }
}

/// A place as conditions name it: `file.c:12`.
fn at(prog: &ir::Program, place: Place) -> String {
    let file = prog.files.get(place.file).map_or("?", String::as_str);
    let name = file.rsplit('/').next().unwrap_or(file);
    format!("{name}:{}", place.line)
}

/// Where a variable of the source lives.
#[derive(Copy, Clone, Debug)]
enum Storage {
    Var(ir::VarId),
    Object(ir::ObjId),
    /// A variable-length array: the variable holds its address.
    Vla(ir::VarId),
}

/// What lowering knows about the whole program.
struct Cx<'a> {
    hir: &'a hir::Program,
    types: &'a Types,
    places: &'a dyn Places,
    prog: ir::Program,
    /// Undefined `extern` objects and functions without body get an id at their first use, so
    /// that a program does not carry all declarations of its headers.
    globals: SecondaryMap<hir::GlobalId, Option<Storage>>,
    funcs: SecondaryMap<hir::FuncId, Option<ir::FuncId>>,
    /// Functions declared `()` and defined nowhere: the first call fixes their signature.
    open_signatures: FxHashSet<ir::FuncId>,
    labels: FxHashMap<(hir::FuncId, hir::LabelId), ir::LabelId>,
    dtypes: FxHashMap<TypeId, Option<ir::DTypeId>>,
    unmodelled: Vec<Unmodelled>,
    unmodelled_names: FxHashSet<Symbol>,
    unsupported: Vec<(ir::FuncId, Diagnostic)>,
    diagnostics: Vec<Diagnostic>,
    temp_name: Symbol,
    keep_decisions: bool,
    /// One for each branch that is part of a decision.
    decisions: Vec<Branching>,
    next_decision: u32,
    /// Consecutive edges mostly share their span.
    last_place: Option<(Span, Place)>,
    /// The variable with the rounding mode, in programs that may change it.
    rounding: Option<ir::VarId>,
    /// A function asks how many variable arguments it has: calls tell.
    counted: bool,
}

impl Cx<'_> {
    fn place(&mut self, span: Span) -> Place {
        if let Some((s, p)) = self.last_place
            && s == span
        {
            return p;
        }
        let place = self.places.place(span);
        self.last_place = Some((span, place));
        place
    }

    /// Begins a decision of the source.
    fn new_decision(&mut self, span: Span) -> Branching {
        self.next_decision += 1;
        Branching::whole(self.next_decision - 1, self.place(span))
    }

    fn unsupported(&mut self, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::unsupported(span, message));
    }

    /// The IR type of a scalar.
    fn scalar(&mut self, ty: TypeId, span: Span) -> ir::Ty {
        match self.types.scalar(ty) {
            Some(ty) => ty,
            None => {
                self.unsupported(span, "a value of a type that is no scalar is needed here");
                ir::Ty::I32
            }
        }
    }

    fn note_unmodelled(&mut self, name: Symbol, span: Span, is_function: bool) {
        if self.unmodelled_names.insert(name) {
            let place = self.place(span);
            self.unmodelled.push(Unmodelled { name, place, is_function });
        }
    }
}
