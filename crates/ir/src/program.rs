//! The program: all tables, in one id space each, so that an id needs no context.

use cairn_base::{DataModel, FileId, Place, PrimaryMap, Symbol, entity_impl};
use cairn_value::Ty;
use smallvec::SmallVec;

use crate::{Assumption, Builtin, Callee, ExprId, ExprPool, Op, Signature};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident = $text:literal;)*) => {$(
        $(#[$doc])*
        #[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);
        entity_impl!($name, $text);
    )*};
}

ids! {
    /// A scalar variable: global, parameter, local or temporary.
    VarId = "v";
    /// A memory object with a static site: global, string, local.
    ObjId = "o";
    FuncId = "f";
    LocId = "l";
    EdgeId = "e";
    /// A C label whose address is taken.
    LabelId = "lab";
    /// A two-way decision of the source, for coverage.
    BranchId = "b";
    /// A type for people to read, not for semantics.
    DTypeId = "t";
}

#[derive(Clone, Debug)]
pub struct Program {
    pub model: DataModel,
    pub files: PrimaryMap<FileId, String>,
    pub vars: PrimaryMap<VarId, Var>,
    pub objects: PrimaryMap<ObjId, Object>,
    pub funcs: PrimaryMap<FuncId, Function>,
    pub locs: PrimaryMap<LocId, Location>,
    pub edges: PrimaryMap<EdgeId, Edge>,
    pub labels: PrimaryMap<LabelId, LabelInfo>,
    pub dtypes: PrimaryMap<DTypeId, DType>,
    pub exprs: ExprPool,
    /// Number of source decisions (`BranchId`s are `0..branches`).
    pub branches: u32,
    /// The function a run starts in.
    pub entry: Option<FuncId>,
    /// What its reading supposes about the world outside.
    pub assumptions: Vec<Assumption>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Var {
    pub name: Symbol,
    pub ty: Ty,
    /// The function it belongs to; `None` for globals.
    pub owner: Option<FuncId>,
    pub kind: VarKind,
    /// Where it is declared, and the region in which its name means it.
    pub place: Place,
    pub scope: Place,
    pub dtype: Option<DTypeId>,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum VarKind {
    /// Starts with the value of this constant expression.
    Global {
        init: ExprId,
    },
    Param,
    /// A local of the source. Starts indeterminate.
    Local,
    /// Made by lowering. Assigned before every use.
    Temp,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Object {
    pub name: Symbol,
    /// The function it belongs to; `None` for objects that live for the whole run.
    pub owner: Option<FuncId>,
    pub kind: ObjKind,
    pub size: u64,
    pub align: u32,
    pub init: Init,
    pub place: Place,
    pub scope: Place,
    pub dtype: Option<DTypeId>,
}

impl Object {
    /// The bytes of a string literal. The standard lets literals share bytes: `"bc"` may be the end of
    /// `"abc"`.
    pub fn literal(&self) -> Option<Vec<u8>> {
        let Init::Static(data) = &self.init else { return None };
        // No name of C has such letters.
        if self.kind != ObjKind::Const || !self.name.starts_with('<') {
            return None;
        }
        let mut all = vec![0; usize::try_from(self.size).ok()?];
        for (at, bytes) in &data.bytes {
            all.get_mut(*at as usize..)?.get_mut(..bytes.len())?.copy_from_slice(bytes);
        }
        Some(all)
    }
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum ObjKind {
    /// Static storage duration.
    Global,
    /// Static and read-only: string literals, `const` objects. Writing is undefined.
    Const,
    /// Lives from `Begin` to `End` (or the function's return).
    Local,
}

/// Contents of an object when it comes to life.
#[derive(Clone, PartialEq, Debug)]
pub enum Init {
    /// Indeterminate (locals).
    Uninit,
    /// Zero but for the given data (statics).
    Static(Data),
    /// An `extern` object that no unit defines: unknown contents, listed in the ledger.
    Unknown,
}

/// Sparse static data: chunks of bytes, and addresses, over zeroes. Sorted by offset, disjoint.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Data {
    pub bytes: Vec<(u64, Box<[u8]>)>,
    pub relocs: Vec<Reloc>,
}

/// An address stored at `offset`, pointer-wide (or `bytes` wide for an address cast to an
/// integer): target plus addend.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Reloc {
    pub offset: u64,
    pub bytes: u8,
    pub target: RelocTarget,
    pub addend: i64,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum RelocTarget {
    Object(ObjId),
    Func(FuncId),
    Label(LabelId),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    pub name: Symbol,
    pub sig: Signature,
    /// One variable for each entry of `sig.params` (empty if there is no body).
    pub params: Vec<VarId>,
    /// `None`: declared only. A call yields an unknown value and is listed in the ledger.
    pub body: Option<Body>,
    pub place: Place,
    /// A model of a library function rather than the user's code.
    pub is_model: bool,
    /// Declared `_Noreturn`/`noreturn`.
    pub noreturn: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Body {
    pub entry: LocId,
    pub exit: LocId,
    pub locs: Vec<LocId>,
    pub edges: Vec<EdgeId>,
    /// Locals, parameters and temporaries.
    pub vars: Vec<VarId>,
    pub objects: Vec<ObjId>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Location {
    pub func: FuncId,
    pub out: SmallVec<[EdgeId; 2]>,
    pub inn: SmallVec<[EdgeId; 2]>,
    /// Set on the head of a source loop: the `for`/`while`/`do` keyword's statement.
    pub loop_stmt: Option<Place>,
    /// C labels that stand here.
    pub labels: Vec<Symbol>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Edge {
    pub src: LocId,
    pub dst: LocId,
    pub op: Op,
    pub place: Place,
    /// Set on the two `Assume` edges of a decision of the source.
    pub branch: Option<Branch>,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Branch {
    pub id: BranchId,
    pub taken: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub struct LabelInfo {
    pub name: Symbol,
    pub func: FuncId,
    pub loc: LocId,
}

/// Types as the source has them, to print values and find members by name.
#[derive(Clone, PartialEq, Debug)]
pub enum DType {
    /// A scalar, with the C spelling (`unsigned char`, `enum color`, `struct s *`).
    Scalar {
        name: Symbol,
        ty: Ty,
    },
    Array {
        elem: DTypeId,
        len: u64,
    },
    /// A struct or union: members with byte offset and, for bit-fields, (bit, width).
    Record {
        name: Symbol,
        size: u64,
        is_union: bool,
        fields: Vec<DField>,
    },
}

#[derive(Clone, PartialEq, Debug)]
pub struct DField {
    pub name: Symbol,
    pub offset: u64,
    pub bits: Option<(u8, u8)>,
    pub ty: DTypeId,
}

impl Program {
    pub fn new(model: DataModel) -> Program {
        Program {
            model,
            files: PrimaryMap::new(),
            vars: PrimaryMap::new(),
            objects: PrimaryMap::new(),
            funcs: PrimaryMap::new(),
            locs: PrimaryMap::new(),
            edges: PrimaryMap::new(),
            labels: PrimaryMap::new(),
            dtypes: PrimaryMap::new(),
            exprs: ExprPool::new(model),
            branches: 0,
            entry: None,
            assumptions: Vec::new(),
        }
    }

    /// The type of an expression.
    pub fn ty(&self, e: ExprId) -> Ty {
        self.exprs.ty(e)
    }

    /// Are addresses of objects said by the program, by calls of [`Builtin::Place`], rather than
    /// chosen by each client?
    pub fn places_objects(&self) -> bool {
        self.edges.values().any(|e| match &e.op {
            Op::Call { callee: Callee::Builtin(Builtin::Place), args, .. } => {
                args.get(1).is_some_and(|&base| self.exprs.const_bits(base).is_none())
            }
            _ => false,
        })
    }

    pub fn func_named(&self, name: &str) -> Option<FuncId> {
        self.funcs.iter().find(|(_, f)| f.name.as_str() == name).map(|(id, _)| id)
    }
}
