//! The checker's state: the program built so far, the unit and the function in
//! work, and what has been reported.

use cairn_base::{DataModel, Diagnostic, Kind, PrimaryMap, SecondaryMap, Span, Symbol};
use cairn_csyntax::ast;
use rustc_hash::FxHashMap;

use crate::hir::{self, Func, FuncId, Global, GlobalId, Label, LabelId, Local, LocalId};
use crate::link::{FuncLink, GlobalLink, Linked, UnitName};
use crate::scope::Scopes;
use crate::types::{ArrayLen, FloatKind, IntKind, QType, Type, TypeId, Types, VlaId};

/// Errors after which a unit is given up.
const MAX_ERRORS: usize = 20;

/// Why a construct has no typed form: a message not yet shown, or nothing if it has been.
pub(crate) struct Fail(Option<Box<Diagnostic>>);

pub(crate) type Res<T> = Result<T, Fail>;

impl Fail {
    pub fn reported() -> Fail {
        Fail(None)
    }
}

impl From<Diagnostic> for Fail {
    fn from(d: Diagnostic) -> Fail {
        Fail(Some(Box::new(d)))
    }
}

pub(crate) fn error<T>(span: Span, message: impl Into<String>) -> Res<T> {
    Err(Diagnostic::error(span, message).into())
}

pub(crate) fn unsupported<T>(span: Span, message: impl Into<String>) -> Res<T> {
    Err(Diagnostic::unsupported(span, message).into())
}

/// Ids of the types the rules of C name.
#[derive(Copy, Clone)]
pub(crate) struct Common {
    pub void: TypeId,
    pub bool: TypeId,
    pub char: TypeId,
    pub uchar: TypeId,
    pub ushort: TypeId,
    pub int: TypeId,
    pub uint: TypeId,
    pub long: TypeId,
    pub ulong: TypeId,
    pub llong: TypeId,
    pub ullong: TypeId,
    pub float: TypeId,
    pub double: TypeId,
    pub ldouble: TypeId,
    pub size: TypeId,
    pub ptrdiff: TypeId,
    pub wchar: TypeId,
    pub void_ptr: TypeId,
    pub char_ptr: TypeId,
    pub va_list: TypeId,
}

impl Common {
    fn new(t: &mut Types) -> Common {
        let mut int = |k| t.intern(Type::Int(k));
        let (char, uchar, ushort) = (int(IntKind::Char), int(IntKind::UChar), int(IntKind::UShort));
        let (i, uint) = (int(IntKind::Int), int(IntKind::UInt));
        let (long, ulong) = (int(IntKind::Long), int(IntKind::ULong));
        let (llong, ullong) = (int(IntKind::LongLong), int(IntKind::ULongLong));
        let mut float = |k| t.intern(Type::Float(k));
        let (f, double, ldouble) =
            (float(FloatKind::Float), float(FloatKind::Double), float(FloatKind::LongDouble));
        let void = t.intern(Type::Void);
        let bool = t.intern(Type::Bool);
        let void_ptr = t.intern(Type::Pointer(QType::plain(void)));
        let char_ptr = t.intern(Type::Pointer(QType::plain(char)));
        let (size, ptrdiff, wchar, va_list) = match t.model {
            DataModel::Lp64 => {
                let elem = QType::plain(t.intern(Type::VaListElem));
                (ulong, long, i, t.intern(Type::Array { elem, len: ArrayLen::Fixed(1) }))
            }
            DataModel::Ilp32 => (uint, i, long, char_ptr),
        };
        Common {
            void,
            bool,
            char,
            uchar,
            ushort,
            int: i,
            uint,
            long,
            ulong,
            llong,
            ullong,
            float: f,
            double,
            ldouble,
            size,
            ptrdiff,
            wchar,
            void_ptr,
            char_ptr,
            va_list,
        }
    }
}

/// The type checker and linker. Units are added one after the other; the result is one program.
pub struct Checker {
    pub(crate) types: Types,
    pub(crate) common: Common,
    pub(crate) globals: PrimaryMap<GlobalId, Global>,
    pub(crate) funcs: PrimaryMap<FuncId, Func>,
    pub(crate) global_links: SecondaryMap<GlobalId, GlobalLink>,
    pub(crate) func_links: SecondaryMap<FuncId, FuncLink>,
    /// External names of the program.
    pub(crate) externs: FxHashMap<Symbol, Linked>,
    /// String literals by element size and content.
    pub(crate) strings: FxHashMap<(u64, Vec<u32>), GlobalId>,
    pub(crate) warnings: Vec<Diagnostic>,

    // The unit in work.
    pub(crate) scopes: Scopes,
    /// Names with linkage of this unit, by the name the unit uses.
    pub(crate) unit_names: FxHashMap<Symbol, UnitName>,
    pub(crate) errors: Vec<Diagnostic>,
    pub(crate) vectors: Vec<(crate::vector::VectorShape, crate::types::RecordId)>,
    pub(crate) variable_records: FxHashMap<crate::types::RecordId, crate::variable::VariableRecord>,
    /// Assembly outside of functions.
    pub(crate) file_asm: Vec<Span>,
    /// Objects that some unit declares differently from another one; a use of one is an error.
    pub(crate) conflicts: FxHashMap<GlobalId, Diagnostic>,
    /// Functions and initialisers (`None`) that mention a weak name.
    pub(crate) weak_uses: Vec<(Option<FuncId>, Linked, Span)>,
    /// Unions whose arguments may be given as one of their members.
    pub(crate) transparent: Vec<crate::types::RecordId>,

    // The function or declaration in work.
    pub(crate) fun: Option<Box<FnState>>,
    /// Sizes of variable-length types met and not yet put into statements.
    pub(crate) pending_vlas: Vec<(VlaId, hir::Expr)>,
    /// Inside of `sizeof`, `typeof`, …: nothing here is executed.
    pub(crate) unevaluated: u32,
    /// Inside of a parameter list that is no definition's: array sizes are only types.
    pub(crate) in_prototype: u32,
}

/// The function whose body is being checked.
pub(crate) struct FnState {
    pub id: Option<FuncId>,
    pub name: Symbol,
    pub ret: QType,
    pub variadic: bool,
    pub counts_arguments: bool,
    pub locals: PrimaryMap<LocalId, Local>,
    pub labels: PrimaryMap<LabelId, Label>,
    pub label_state: Vec<LabelState>,
    /// Function-wide labels and, innermost last, those of `__label__`.
    pub label_scopes: Vec<FxHashMap<Symbol, LabelId>>,
    pub switches: Vec<SwitchState>,
    /// Loops and switches around, for `break`; loops, for `continue`.
    pub breakable: u32,
    pub loops: u32,
    /// The locals of each open block.
    pub blocks: Vec<OpenBlock>,
    /// Values of `const` locals whose initialiser is constant; gcc lets initialisers use them.
    pub constants: FxHashMap<LocalId, cairn_value::Bits>,
    pub unsupported: Option<Diagnostic>,
    /// Lengths and side effects in parameter declarations.
    pub prologue: Vec<hir::Stmt>,
}

pub(crate) struct LabelState {
    pub defined: bool,
    pub used: Option<Span>,
}

pub(crate) struct OpenBlock {
    pub locals: Vec<LocalId>,
    /// Where the block ends in the source.
    pub end: u32,
}

pub(crate) struct SwitchState {
    pub ty: TypeId,
    pub cases: Vec<(cairn_value::Bits, cairn_value::Bits, Span)>,
    pub default: Option<Span>,
}

impl Checker {
    pub fn new(model: DataModel) -> Checker {
        let mut types = Types::new(model);
        let common = Common::new(&mut types);
        Checker {
            types,
            common,
            globals: PrimaryMap::new(),
            funcs: PrimaryMap::new(),
            global_links: SecondaryMap::new(),
            func_links: SecondaryMap::new(),
            externs: FxHashMap::default(),
            strings: FxHashMap::default(),
            warnings: Vec::new(),
            scopes: Scopes::default(),
            unit_names: FxHashMap::default(),
            errors: Vec::new(),
            vectors: Vec::new(),
            variable_records: FxHashMap::default(),
            conflicts: FxHashMap::default(),
            file_asm: Vec::new(),
            weak_uses: Vec::new(),
            transparent: Vec::new(),
            fun: None,
            pending_vlas: Vec::new(),
            unevaluated: 0,
            in_prototype: 0,
        }
    }

    /// Checks one translation unit and links it to what is there. After an error the program is
    /// not fit for use. Function bodies that use unsupported constructs are no error: they are
    /// marked in the program ([`Func::unsupported`]).
    pub fn unit(&mut self, unit: &ast::Unit) -> Result<(), Vec<Diagnostic>> {
        self.scopes = Scopes::default();
        self.unit_names.clear();
        self.errors.clear();
        self.pending_vlas.clear();
        self.unevaluated = 0;
        self.in_prototype = 0;
        for item in &unit.items {
            let result = match item {
                ast::Item::Function(def) => self.function(def),
                ast::Item::Decl(decl) => self.file_declaration(decl),
                ast::Item::StaticAssert(assert) => self.static_assert(assert),
                ast::Item::Asm(asm) => {
                    if !asm.template.trim().is_empty() {
                        self.file_asm.push(asm.span);
                    }
                    Ok(())
                }
            };
            if let Err(fail) = result {
                self.report(fail);
            }
            if self.errors.len() >= MAX_ERRORS {
                break;
            }
        }
        self.end_of_unit();
        if self.errors.is_empty() { Ok(()) } else { Err(std::mem::take(&mut self.errors)) }
    }

    /// Records a failure: unsupported constructs with the function in work, all else with the unit.
    pub(crate) fn report(&mut self, fail: Fail) {
        let Some(diagnostic) = fail.0 else { return };
        match (&mut self.fun, diagnostic.kind) {
            (Some(fun), Kind::Unsupported) => {
                fun.unsupported.get_or_insert(*diagnostic);
            }
            // After an unsupported construct other messages may only be its consequences.
            (Some(fun), _) if fun.unsupported.is_some() => {}
            (_, Kind::Error) if self.errors.iter().any(|d| d.kind == Kind::Unsupported) => {}
            _ if self.errors.len() < MAX_ERRORS => self.errors.push(*diagnostic),
            _ => {}
        }
    }

    pub(crate) fn give_up(&self) -> bool {
        self.errors.len() >= MAX_ERRORS
    }

    pub(crate) fn static_assert(&mut self, assert: &ast::StaticAssert) -> Res<()> {
        let value = self.integer_constant(&assert.cond, "expression in static assertion is not constant")?;
        if value.0 != 0 {
            return Ok(());
        }
        match &assert.message {
            Some(m) => error(assert.span, format!("static assertion failed: \"{m}\"")),
            None => error(assert.span, "static assertion failed"),
        }
    }

    /// The function in work. Callers know that they are inside of one.
    pub(crate) fn fun(&mut self, span: Span) -> Res<&mut FnState> {
        match &mut self.fun {
            Some(fun) => Ok(fun),
            None => error(span, "this construct is allowed only inside a function"),
        }
    }

    pub(crate) fn pointer_to(&mut self, to: QType) -> TypeId {
        self.types.intern(Type::Pointer(to))
    }

    pub(crate) fn type_name(&self, ty: QType) -> String {
        self.types.type_name(ty)
    }

    pub(crate) fn plain_name(&self, id: TypeId) -> String {
        self.types.plain_name(id)
    }
}
