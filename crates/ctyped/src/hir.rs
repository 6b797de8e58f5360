//! The typed program: every name resolved, every conversion explicit, every
//! layout computed, all units linked. What lowering needs and nothing else.
//!
//! Conventions: an [`Expr`] is a value (after lvalue conversion, promotion and
//! decay), an [`LValue`] is a place in memory. Operands of arithmetic have been
//! converted to one type. Evaluation order is left to right where C leaves it
//! open, so that a run is deterministic.

use cairn_base::{Diagnostic, PrimaryMap, Span, Symbol, entity_impl};
use cairn_value::{BinOp, Bits, UnOp};

use crate::types::{BitField, QType, TypeId, Types, VlaId};

#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GlobalId(u32);
entity_impl!(GlobalId, "global");

#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FuncId(u32);
entity_impl!(FuncId, "func");

/// A local of one function.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocalId(u32);
entity_impl!(LocalId, "local");

/// A label of one function (`__label__` may give several the same name).
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LabelId(u32);
entity_impl!(LabelId, "label");

#[derive(Debug)]
pub struct Program {
    pub types: Types,
    /// All objects with static storage: globals, `static` locals, string literals, compound
    /// literals at file scope. Linked: one entry per object.
    pub globals: PrimaryMap<GlobalId, Global>,
    pub funcs: PrimaryMap<FuncId, Func>,
    /// Where there is assembly outside of functions.
    pub file_asm: Vec<Span>,
    /// The objects with external linkage: those that other units can name. Ascending.
    pub exported: Vec<GlobalId>,
    /// The functions with external linkage that have a body: those that other units can call. Ascending.
    pub callable: Vec<FuncId>,
}

#[derive(Debug)]
pub struct Global {
    pub name: Symbol,
    pub ty: TypeId,
    pub is_const: bool,
    /// Bytes to reserve: the type's size, or more with an initialised flexible array member.
    pub size: u64,
    pub align: u64,
    pub init: GlobalInit,
    pub kind: GlobalKind,
    /// Its address is taken somewhere (always true unless it is a scalar).
    pub addr_taken: bool,
    pub span: Span,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum GlobalKind {
    /// With linkage or file scope.
    Named,
    /// `static` inside this function.
    StaticLocal(FuncId),
    String,
    CompoundLiteral,
}

#[derive(Debug)]
pub enum GlobalInit {
    /// Declared `extern`, defined nowhere.
    Extern,
    /// Zero but for the data (tentative definitions: no data).
    Data(StaticData),
}

/// Sorted by offset, disjoint.
#[derive(Default, Debug)]
pub struct StaticData {
    pub bytes: Vec<(u64, Vec<u8>)>,
    pub addresses: Vec<StaticAddr>,
}

/// An address constant stored at `offset` in `bytes` bytes.
#[derive(Debug)]
pub struct StaticAddr {
    pub offset: u64,
    pub bytes: u8,
    pub target: AddrTarget,
    pub addend: i64,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum AddrTarget {
    Global(GlobalId),
    Func(FuncId),
    /// `&&label` of that function.
    Label(FuncId, LabelId),
}

#[derive(Debug)]
pub struct Func {
    pub name: Symbol,
    /// A `Type::Function`.
    pub ty: TypeId,
    /// `None`: only declared (or an `inline` definition that provides none).
    pub body: Option<FuncBody>,
    /// The definition uses what Cairn does not handle (then there is no `body`); only a program
    /// that can reach the function is affected.
    pub unsupported: Option<Diagnostic>,
    pub noreturn: bool,
    /// Declared to have no effects (`__attribute__((pure))` or `const`).
    pub pure: bool,
    pub span: Span,
}

#[derive(Debug)]
pub struct FuncBody {
    pub params: Vec<FuncParam>,
    /// Parameters, locals and block-scope compound literals. (Static locals are globals.)
    pub locals: PrimaryMap<LocalId, Local>,
    pub labels: PrimaryMap<LabelId, Label>,
    pub block: Block,
    /// It asks how many variable arguments it has.
    pub counts_arguments: bool,
    /// From the first character of the definition to its closing brace.
    pub span: Span,
}

#[derive(Debug)]
pub struct FuncParam {
    pub local: LocalId,
    /// The type in which the argument arrives: the parameter's own, or for K&R definitions the
    /// promoted one, to be converted to the local's type.
    pub passed_as: TypeId,
}

#[derive(Debug)]
pub struct Local {
    pub name: Symbol,
    pub ty: QType,
    pub align: u64,
    /// Not a scalar, or `&` is applied to it.
    pub in_memory: bool,
    pub span: Span,
    /// The rest of the block in which its name is visible.
    pub scope: Span,
}

#[derive(Debug)]
pub struct Label {
    pub name: Symbol,
    pub span: Span,
    /// `&&label` occurs.
    pub addr_taken: bool,
}

/// A scope. Its locals live from its entry (by whatever way) to its exit.
#[derive(Debug, Default)]
pub struct Block {
    pub locals: Vec<LocalId>,
    pub stmts: Vec<Stmt>,
}

#[derive(Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Debug)]
pub enum StmtKind {
    /// The value, if any, is discarded.
    Expr(Expr),
    /// A declaration is reached: the object becomes indeterminate, then gets its initialiser. VLA
    /// objects are allocated here, from the sizes set before.
    Decl {
        local: LocalId,
        init: Option<LocalInit>,
    },
    /// The size expression of a variable-length array type is evaluated (number of elements,
    /// converted to `size_t`; not positive is undefined).
    SetVla {
        vla: VlaId,
        len: Expr,
    },
    Block(Block),
    If {
        cond: Expr,
        then: Box<Stmt>,
        other: Option<Box<Stmt>>,
    },
    /// `cond` is missing in `for (;;)`; `span` starts at the keyword.
    While {
        cond: Option<Expr>,
        step: Option<Expr>,
        body: Box<Stmt>,
    },
    Do {
        body: Box<Stmt>,
        cond: Expr,
    },
    /// `cases` are the labels inside `body`, as inclusive ranges of bit patterns of the promoted
    /// type of `value`, ordered by its signedness and disjoint; `StmtKind::Case(n)` marks where
    /// case `n` enters. `default` tells whether a `Default` occurs.
    Switch {
        value: Expr,
        cases: Vec<(Bits, Bits)>,
        has_default: bool,
        body: Box<Stmt>,
    },
    /// Entry point of case `n` of the innermost switch; control also falls through.
    Case(u32),
    Default,
    Label(LabelId),
    Goto(LabelId),
    GotoPtr(Expr),
    Break,
    Continue,
    Return(Option<Expr>),
    Nop,
    /// Here stands assembly, which is not interpreted; it is supposed to change nothing but its outputs.
    Asm,
}

/// Initialiser of a local, flattened.
#[derive(Debug)]
pub struct LocalInit {
    /// Everything that no item sets becomes zero (a brace-enclosed or string initialiser).
    pub zero_fill: bool,
    /// In order of evaluation; a later item overrides an earlier one at the same place.
    pub items: Vec<InitItem>,
}

#[derive(Debug)]
pub struct InitItem {
    pub offset: u64,
    pub bits: Option<BitField>,
    /// A scalar or record of the member's type; or an array-typed `Read` of a string literal's
    /// global, of which `len` bytes are copied.
    pub value: Expr,
    /// Bytes to copy, for records and strings.
    pub len: u64,
}

#[derive(Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: TypeId,
    pub span: Span,
}

/// Element sizes in pointer arithmetic.
#[derive(Debug)]
pub enum Size {
    Const(u64),
    /// An expression of type `size_t` (pointers to variable-length arrays).
    Dyn(Box<Expr>),
}

#[derive(Debug)]
pub enum ExprKind {
    /// A constant of the (scalar) type.
    Const(Bits),
    /// The value stored in an lvalue: a scalar, a bit-field (of its declared type; promotion is
    /// a separate `Cast`) or a whole record.
    Read(LValue),
    /// The address of an lvalue (also array decay).
    AddrOf(LValue),
    FuncAddr(FuncId),
    LabelAddr(LabelId),
    /// `Neg`, `BitNot`, and the bit-counting and float operations that builtins map to
    /// (`Clz`, `Fabs`, …). Result type = operand type, except that predicates (`IsNan`, `IsInf`,
    /// `SignBit`) yield `int`.
    Unary(UnOp, Box<Expr>),
    /// `!e` as an `int`; `e` is any scalar.
    LogNot(Box<Expr>),
    /// `Add … Xor` on operands of the result type (`Shl`/`Shr`: right operand of its own type);
    /// `Fmin`, `Fmax`, `CopySign`; comparisons `Eq Ne Lt Le` on operands of one type yield `int`
    /// (`>` and `>=` are swapped by setting `swap`, the operands stay in evaluation order).
    Binary {
        op: BinOp,
        lhs: Box<Expr>,
        rhs: Box<Expr>,
        swap: bool,
    },
    /// `ptr + index * size` (or minus). `index` has any integer type.
    PtrAdd {
        ptr: Box<Expr>,
        index: Box<Expr>,
        size: Size,
        negative: bool,
    },
    /// `(lhs - rhs) / size` as `ptrdiff_t`.
    PtrDiff {
        lhs: Box<Expr>,
        rhs: Box<Expr>,
        size: Size,
    },
    LogAnd(Box<Expr>, Box<Expr>),
    LogOr(Box<Expr>, Box<Expr>),
    /// `then` missing: GNU `cond ?: other`, the value of `cond` (converted to the result type).
    Cond {
        cond: Box<Expr>,
        then: Option<Box<Expr>>,
        other: Box<Expr>,
    },
    /// Conversion to the node's type: scalar to scalar (to `_Bool`: compare with zero), anything
    /// to `void`, or a record to itself.
    Cast(Box<Expr>),
    /// Value of the node: what was stored (for bit-fields, as read back).
    Assign {
        dst: LValue,
        value: Box<Expr>,
    },
    /// `dst = (type of dst)((compute)dst op rhs)`; `rhs` has been converted to `compute` (not for
    /// shifts, whose right side keeps its own type).
    AssignOp {
        dst: LValue,
        op: BinOp,
        rhs: Box<Expr>,
        compute: TypeId,
    },
    /// `dst += index` on pointers.
    AssignPtr {
        dst: LValue,
        index: Box<Expr>,
        size: Size,
        negative: bool,
    },
    /// `++`/`--` on any scalar (`size` for pointers); computed in `compute` for arithmetic types.
    IncDec {
        dst: LValue,
        decrement: bool,
        postfix: bool,
        size: Option<Size>,
        compute: TypeId,
    },
    /// Arguments have been converted to the parameter types or promoted.
    Call {
        callee: Callee,
        args: Vec<Expr>,
    },
    Comma(Box<Expr>, Box<Expr>),
    /// `({ … })`: the block, then the value (`None`: void).
    StmtExpr {
        block: Block,
        value: Option<Box<Expr>>,
    },
    /// All variable arguments of the function, handed on: the last argument of a call.
    VaArgPack,
    /// How many these are.
    VaArgPackLen,
    /// `__builtin_va_*`; `list` is an rvalue pointer to the `va_list` object's storage.
    VaStart {
        list: Box<Expr>,
    },
    VaArg {
        list: Box<Expr>,
    },
    VaCopy {
        dst: Box<Expr>,
        src: Box<Expr>,
    },
    VaEnd {
        list: Box<Expr>,
    },
    /// Number of elements of a VLA type, as `size_t`, from the last `SetVla`.
    VlaLen(VlaId),
    /// A `SetVla` in an expression (`sizeof(int[n])`, casts to VLA pointers), then the value.
    WithVla {
        vla: VlaId,
        len: Box<Expr>,
        value: Box<Expr>,
    },
    /// `__builtin_{add,sub,mul}_overflow(a, b, p)` computed exactly, stored wrapped to the
    /// pointee of `result` (`None`: the `_p` form, whose third operand only gives `res_ty`).
    /// Operands keep their own integer types. The node's value is `_Bool`.
    Overflow {
        op: BinOp,
        lhs: Box<Expr>,
        rhs: Box<Expr>,
        result: Option<Box<Expr>>,
        res_ty: TypeId,
    },
    /// Any value of the (scalar) type: an output of inline assembly.
    Unknown,
    /// `__builtin_unreachable()`.
    Unreachable,
    /// `__builtin_trap()`.
    Trap,
    /// `alloca(size)`.
    Alloca(Box<Expr>),
}

#[derive(Debug)]
pub enum Callee {
    Func(FuncId),
    /// A pointer to a function; its type tells the signature.
    Ptr(Box<Expr>),
}

#[derive(Debug)]
pub struct LValue {
    pub kind: LValueKind,
    pub ty: QType,
    pub span: Span,
}

#[derive(Debug)]
pub enum LValueKind {
    Local(LocalId),
    Global(GlobalId),
    Deref(Box<Expr>),
    /// A member at a constant offset of another lvalue.
    Member {
        base: Box<LValue>,
        offset: u64,
        bits: Option<BitField>,
    },
    /// A record value that is no lvalue in C (`f().x`): put into a temporary first.
    Temp(Box<Expr>),
    /// A block-scope compound literal: initialised each time it is evaluated.
    Compound {
        local: LocalId,
        init: LocalInit,
    },
}
