//! The syntax tree of one translation unit, as written: no types computed, no
//! names resolved beyond telling typedef names from others while parsing.

use cairn_base::{Span, Symbol};

#[derive(Debug, Default)]
pub struct Unit {
    pub items: Vec<Item>,
}

#[derive(Debug)]
pub enum Item {
    Function(Box<FunctionDef>),
    Decl(Declaration),
    StaticAssert(StaticAssert),
    /// `asm("…");` at file scope.
    Asm(Asm),
}

#[derive(Debug)]
pub struct FunctionDef {
    pub specs: DeclSpecs,
    pub declarator: Declarator,
    /// Declarations between the parameter list and the body of a K&R definition.
    pub knr: Vec<Declaration>,
    /// Always a `StmtKind::Compound`.
    pub body: Stmt,
    pub span: Span,
}

/// `specs declarator = init, …;` (no declarators: `struct s {…};`).
#[derive(Debug)]
pub struct Declaration {
    pub specs: DeclSpecs,
    pub declarators: Vec<InitDeclarator>,
    pub span: Span,
}

#[derive(Debug)]
pub struct InitDeclarator {
    pub declarator: Declarator,
    pub init: Option<Initializer>,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Storage {
    Typedef,
    Extern,
    Static,
    Auto,
    Register,
}

#[derive(Debug)]
pub struct DeclSpecs {
    pub storage: Option<Storage>,
    pub thread_local: bool,
    pub inline: bool,
    pub noreturn: bool,
    pub quals: Quals,
    pub ty: TypeSpec,
    pub align: Vec<AlignSpec>,
    pub attrs: Vec<Attr>,
    pub span: Span,
}

#[derive(Copy, Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Quals {
    pub is_const: bool,
    pub is_volatile: bool,
    pub is_restrict: bool,
    pub is_atomic: bool,
}

#[derive(Debug)]
pub enum AlignSpec {
    Expr(Box<Expr>),
    Type(Box<TypeName>),
}

#[derive(Debug)]
pub enum TypeSpec {
    Basic(Basic),
    /// `_Complex` of a basic type.
    Complex(Basic),
    Record(Box<RecordSpec>),
    Enum(Box<EnumSpec>),
    Typedef(Symbol),
    TypeofExpr(Box<Expr>),
    TypeofType(Box<TypeName>),
    /// `__auto_type`.
    Auto,
    /// `_Atomic(type)`.
    Atomic(Box<TypeName>),
    /// `__builtin_va_list`.
    VaList,
    /// `__CPROVER_size_t`: what `sizeof` gives.
    Size,
    /// `__CPROVER_ssize_t`: the difference of pointers.
    SignedSize,
    /// No type specifier at all (implicit `int`).
    Missing,
}

#[rustfmt::skip]
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Basic {
    Void, Bool, Char, SChar, UChar, Short, UShort, Int, UInt, Long, ULong, LongLong, ULongLong,
    Int128, UInt128, Float, Double, LongDouble,
    Float16, Float32, Float64, Float128, Float32x, Float64x, Bf16, Decimal32, Decimal64, Decimal128,
}

#[derive(Debug)]
pub struct RecordSpec {
    pub is_union: bool,
    pub tag: Option<Symbol>,
    /// `None` for `struct s` without a body.
    pub members: Option<Vec<Member>>,
    pub attrs: Vec<Attr>,
    /// The `#pragma pack` in force, in bytes.
    pub pack: Option<u32>,
    pub span: Span,
}

#[derive(Debug)]
pub enum Member {
    /// `specs d1 : w1, d2;` — no declarators: an anonymous struct or union member.
    Fields {
        specs: DeclSpecs,
        declarators: Vec<FieldDeclarator>,
        span: Span,
    },
    StaticAssert(StaticAssert),
}

#[derive(Debug)]
pub struct FieldDeclarator {
    /// Nameless for unnamed bit-fields.
    pub declarator: Declarator,
    pub width: Option<Expr>,
}

#[derive(Debug)]
pub struct EnumSpec {
    pub tag: Option<Symbol>,
    pub enumerators: Option<Vec<Enumerator>>,
    pub attrs: Vec<Attr>,
    pub span: Span,
}

#[derive(Debug)]
pub struct Enumerator {
    pub name: Symbol,
    pub value: Option<Expr>,
    pub span: Span,
}

/// A declarator turned inside out: `derived[0]` applies to the name itself, the last entry is
/// next to the specifiers. `int *a[3]` is `[Array(3), Pointer]`: array of 3 pointers to int.
#[derive(Debug)]
pub struct Declarator {
    pub name: Option<Symbol>,
    /// The name's span, or where it would stand.
    pub name_span: Span,
    pub derived: Vec<Derived>,
    pub attrs: Vec<Attr>,
    /// `asm("name")` after the declarator.
    pub asm_label: Option<String>,
    pub span: Span,
}

#[derive(Debug)]
pub enum Derived {
    Pointer { quals: Quals, attrs: Vec<Attr> },
    Array { size: ArraySize, quals: Quals, is_static: bool },
    Function(Params),
}

#[derive(Debug)]
pub enum ArraySize {
    /// `[]`
    Unknown,
    /// `[*]`
    Star,
    Expr(Box<Expr>),
}

#[derive(Debug)]
pub enum Params {
    /// `(void)` gives an empty list.
    Prototype { params: Vec<Param>, variadic: bool },
    /// `()` or `(a, b)`.
    Knr(Vec<(Symbol, Span)>),
}

#[derive(Debug)]
pub struct Param {
    pub specs: DeclSpecs,
    pub declarator: Declarator,
}

/// `specs abstract-declarator`, as in casts and `sizeof`.
#[derive(Debug)]
pub struct TypeName {
    pub specs: DeclSpecs,
    pub declarator: Declarator,
    pub span: Span,
}

#[derive(Debug)]
pub enum Initializer {
    Expr(Expr),
    List { items: Vec<InitItem>, span: Span },
}

#[derive(Debug)]
pub struct InitItem {
    pub designators: Vec<Designator>,
    pub init: Initializer,
}

#[derive(Debug)]
pub enum Designator {
    /// `.name` or the old `name:`.
    Field(Symbol, Span),
    /// `[index]`
    Index(Expr),
    /// `[low ... high]`
    Range(Expr, Expr),
}

/// `__attribute__((name(args)))`; `name` without surrounding underscores.
#[derive(Debug)]
pub struct Attr {
    pub name: Symbol,
    pub args: Vec<AttrArg>,
    pub span: Span,
}

#[derive(Debug)]
pub enum AttrArg {
    /// Any expression; a lone identifier is `ExprKind::Ident`.
    Expr(Expr),
    Type(TypeName),
}

#[derive(Debug)]
pub struct StaticAssert {
    pub cond: Expr,
    pub message: Option<String>,
    pub span: Span,
}

/// `asm(template : outputs : inputs : clobbers : labels)`.
#[derive(Debug)]
pub struct Asm {
    /// Concatenated template text.
    pub template: String,
    pub outputs: Vec<AsmOperand>,
    pub inputs: Vec<AsmOperand>,
    /// Where `asm goto` may go besides on.
    pub labels: Vec<(Symbol, Span)>,
    pub span: Span,
}

/// `[name] "constraint" (value)`.
#[derive(Debug)]
pub struct AsmOperand {
    pub name: Option<Symbol>,
    pub constraint: String,
    pub value: Expr,
}

#[derive(Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Debug)]
pub enum StmtKind {
    /// `;` — with attributes: `__attribute__((fallthrough));`
    Empty,
    Expr(Expr),
    Compound(Block),
    If {
        cond: Expr,
        then: Box<Stmt>,
        other: Option<Box<Stmt>>,
    },
    Switch {
        value: Expr,
        body: Box<Stmt>,
    },
    While {
        cond: Expr,
        body: Box<Stmt>,
    },
    Do {
        body: Box<Stmt>,
        cond: Expr,
    },
    For {
        init: Option<Box<BlockItem>>,
        cond: Option<Expr>,
        step: Option<Expr>,
        body: Box<Stmt>,
    },
    Goto(Symbol, Span),
    /// `goto *expr;`
    GotoPtr(Expr),
    Continue,
    Break,
    Return(Option<Expr>),
    /// `name: stmt`
    Label {
        name: Symbol,
        stmt: Box<Stmt>,
    },
    /// `case low [... high]: stmt`
    Case {
        low: Expr,
        high: Option<Expr>,
        stmt: Box<Stmt>,
    },
    Default {
        stmt: Box<Stmt>,
    },
    Asm(Asm),
}

#[derive(Debug)]
pub struct Block {
    pub items: Vec<BlockItem>,
    /// `__label__` names.
    pub local_labels: Vec<Symbol>,
    pub span: Span,
}

#[derive(Debug)]
pub enum BlockItem {
    Decl(Declaration),
    Stmt(Stmt),
    StaticAssert(StaticAssert),
    /// A GNU nested function: parsed so that it can be reported as unsupported.
    Function(Box<FunctionDef>),
}

#[derive(Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Debug)]
pub enum ExprKind {
    Ident(Symbol),
    Int(IntLit),
    Float(FloatLit),
    /// A character constant with its value as the type's number (`'\xff'` is -1).
    Char {
        value: i64,
        prefix: CharPrefix,
    },
    /// Adjacent literals concatenated; code units without the terminating zero.
    String {
        units: Vec<u32>,
        prefix: CharPrefix,
    },
    /// `__func__`, `__FUNCTION__`, `__PRETTY_FUNCTION__`.
    FuncName,
    /// Kept so that spans and `sizeof (…)` stay exact; has no meaning of its own.
    Paren(Box<Expr>),
    Call {
        callee: Box<Expr>,
        args: Vec<Expr>,
    },
    Member {
        base: Box<Expr>,
        arrow: bool,
        name: Symbol,
        name_span: Span,
    },
    Index {
        base: Box<Expr>,
        index: Box<Expr>,
    },
    Unary {
        op: UnaryOp,
        arg: Box<Expr>,
    },
    Binary {
        op: BinaryOp,
        lhs: Box<Expr>,
        rhs: Box<Expr>,
    },
    /// `=` (op `None`) or `op=`.
    Assign {
        op: Option<BinaryOp>,
        lhs: Box<Expr>,
        rhs: Box<Expr>,
    },
    /// `then` is missing in the GNU form `a ?: b`.
    Cond {
        cond: Box<Expr>,
        then: Option<Box<Expr>>,
        other: Box<Expr>,
    },
    Cast {
        ty: Box<TypeName>,
        arg: Box<Expr>,
    },
    CompoundLiteral {
        ty: Box<TypeName>,
        init: Box<Initializer>,
    },
    SizeofExpr(Box<Expr>),
    SizeofType(Box<TypeName>),
    AlignofExpr(Box<Expr>),
    AlignofType(Box<TypeName>),
    /// `__alignof__`, the preferred alignment: differs from `_Alignof` for 8-byte scalars in ILP32.
    PreferredAlignofExpr(Box<Expr>),
    PreferredAlignofType(Box<TypeName>),
    Generic {
        control: Box<Expr>,
        arms: Vec<(Option<TypeName>, Expr)>,
    },
    Comma(Box<Expr>, Box<Expr>),
    StmtExpr(Box<Block>),
    /// `&&label`
    LabelAddr(Symbol),
    VaArg {
        list: Box<Expr>,
        ty: Box<TypeName>,
    },
    /// `__builtin_convertvector(value, type)`.
    ConvertVector {
        value: Box<Expr>,
        ty: Box<TypeName>,
    },
    /// `__builtin_offsetof(type, path)`.
    Offsetof {
        ty: Box<TypeName>,
        path: Vec<Designator>,
    },
    /// `__builtin_types_compatible_p(t1, t2)`.
    TypesCompatible(Box<TypeName>, Box<TypeName>),
    ChooseExpr {
        cond: Box<Expr>,
        then: Box<Expr>,
        other: Box<Expr>,
    },
    /// `__real__ e` / `__imag__ e`.
    ComplexPart {
        imag: bool,
        arg: Box<Expr>,
    },
}

#[derive(Clone, PartialEq, Debug)]
pub struct IntLit {
    pub value: u128,
    pub unsigned: bool,
    /// Number of `l` in the suffix (0, 1, 2).
    pub longs: u8,
    pub decimal: bool,
    pub imaginary: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub struct FloatLit {
    /// The digits without suffix (decimal or hexadecimal).
    pub text: String,
    /// The suffix in lower case: "", "f", "l", "f32", "f64", "f128", "q", "df" …
    pub suffix: String,
    pub imaginary: bool,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum CharPrefix {
    None,
    /// `L`
    Wide,
    /// `u`
    U16,
    /// `U`
    U32,
    /// `u8`
    Utf8,
}

#[rustfmt::skip]
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum UnaryOp { Plus, Minus, BitNot, Not, Deref, AddrOf, PreInc, PreDec, PostInc, PostDec, Extension }

#[rustfmt::skip]
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum BinaryOp { Add, Sub, Mul, Div, Rem, Shl, Shr, BitAnd, BitOr, BitXor, LogAnd, LogOr, Eq, Ne, Lt, Gt, Le, Ge }
