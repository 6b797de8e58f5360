//! Operations: what an edge does.
//!
//! Expressions inside an operation are pure (no memory access, no input) but
//! may be undefined (division by zero, a bad shift); `sem` says what follows.

use cairn_base::{DataModel, Symbol};
use cairn_value::{FloatTy, IntTy, Ty};

use crate::{ExprId, FuncId, ObjId, VarId};

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// Nothing.
    Nop,
    /// `dst := value`, of one type.
    Assign {
        dst: VarId,
        value: ExprId,
    },
    /// Go on only if `cond` evaluates to `holds`. A location has either one such edge (an
    /// assumption: other executions end silently) or two with opposite `holds` (a branch).
    Assume {
        cond: ExprId,
        holds: bool,
    },
    /// `dst := *addr`, as many bytes as `dst`'s type has.
    Load {
        dst: VarId,
        addr: ExprId,
    },
    /// `*addr := value`, as many bytes as the value's type has.
    Store {
        addr: ExprId,
        value: ExprId,
    },
    /// A bit-field: `width` bits from bit `bit` (< 8) of the little-endian bytes at `addr`,
    /// extended to `dst`'s integer type by its signedness.
    LoadBits {
        dst: VarId,
        addr: ExprId,
        bit: u8,
        width: u8,
    },
    /// The low `width` bits of `value` into that place; the other bits stay.
    StoreBits {
        addr: ExprId,
        bit: u8,
        width: u8,
        value: ExprId,
    },
    /// Copies `size` (a `size_t`) bytes, initialised or not. Overlap is undefined unless
    /// `may_overlap` or both addresses are equal.
    Copy {
        dst: ExprId,
        src: ExprId,
        size: ExprId,
        may_overlap: bool,
    },
    /// Sets `size` bytes to the low byte of `byte` (an integer).
    Fill {
        dst: ExprId,
        byte: ExprId,
        size: ExprId,
    },
    /// The lifetime of a local object begins (fresh and uninitialised) or ends. `Begin` of a
    /// live object ends the old instance first; `End` of a dead one does nothing.
    Begin {
        obj: ObjId,
    },
    End {
        obj: ObjId,
    },
    /// A fresh object of `size` (a `size_t`) bytes; `dst` is a `ptr`.
    Alloc {
        dst: VarId,
        size: ExprId,
        kind: AllocKind,
        zeroed: bool,
    },
    /// Ends an allocated object: `free` (null does nothing, anything but the start of a live
    /// heap object is undefined), or the end of a VLA's scope (`Vla`).
    Free {
        ptr: ExprId,
        kind: AllocKind,
    },
    /// A nondeterministic value of `dst`'s type; `name` is the C function that stands for it
    /// (`__VERIFIER_nondet_int`).
    Input {
        dst: VarId,
        name: Symbol,
    },
    /// A call. `dst` gets the result; a missing `dst` discards it.
    Call {
        dst: Option<VarId>,
        callee: Callee,
        args: Box<[ExprId]>,
    },
    /// Leads to the function's exit location. `None` where a value was due returns an
    /// indeterminate one.
    Return {
        value: Option<ExprId>,
    },
    /// Reaching this edge is undefined behaviour.
    Trap(Trap),
}

#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum AllocKind {
    Heap,
    /// Freed when the function returns.
    Alloca,
    /// Freed when its scope is left.
    Vla,
}

#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Trap {
    /// `__builtin_unreachable()`.
    Unreachable,
    /// `goto *p` with a `p` that is no label of the function.
    BadGoto,
    /// A VLA of size zero or less.
    BadVla,
    /// The value of a function that ended without one was used.
    NoReturnValue,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Callee {
    Func(FuncId),
    /// Through a pointer. Calling a function whose signature differs from `sig` is undefined.
    Ptr {
        target: ExprId,
        sig: Box<Signature>,
    },
    Builtin(Builtin),
}

/// How a function is called. Aggregates are passed as pointers which the callee copies from;
/// an aggregate result is written through a leading hidden `ptr` parameter; a variadic function
/// has a trailing hidden `ptr` parameter: the area the caller stored the variable arguments in.
/// All these are counted in `params`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Signature {
    pub params: Vec<Ty>,
    pub ret: Option<Ty>,
    pub variadic: bool,
}

/// What no C text can express. The models of the C library are written in C over these.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Builtin {
    /// `exit(i32)`: ends the program. Never returns.
    Exit,
    /// `abort()`. Never returns.
    Abort,
    /// `(ptr text, ptr file, u32 line, ptr function)`: a failed `assert`. Never returns.
    AssertFail,
    /// `reach_error()`/`__VERIFIER_error()` without a body. Never returns.
    Error,
    /// `(i32 fd, ptr format, ptr area) -> i32`: formatted output of the variable arguments
    /// stored in `area`.
    Printf,
    /// `(ptr buf, size_t n, ptr format, ptr area) -> i32` as `vsnprintf`.
    Snprintf,
    /// `(i32 fd, ptr data, size_t n)`: plain output.
    Write,
    /// `(i32 fd) -> i32`: the next byte of standard input, or -1.
    ReadByte,
    /// `(ptr) -> size_t`: bytes from `ptr` to the end of its object, 0 if there is none alive.
    ObjectSize,
    /// `(ptr, size_t base, size_t align)`: the object that `ptr` is the start of lies at the address
    /// `base`, a multiple of `align`. Executions in which it cannot lie there end silently. A base
    /// that is the constant 0 says nothing; 0 as a value leaves the choice to the executor.
    Place,
    /// `(ptr text, ptr end) -> float`: `strtod` and its kin; `*end` (if not null) gets the rest.
    Strtod(FloatTy),
    /// A function of the host's libm at the given precision: floats in, float out.
    Math(MathFn, FloatTy),
}

impl Builtin {
    pub fn returns(self) -> bool {
        !matches!(self, Builtin::Exit | Builtin::Abort | Builtin::AssertFail | Builtin::Error)
    }

    /// The types it takes and gives.
    pub fn signature(self, model: DataModel) -> Signature {
        let size = Ty::Int(IntTy::size(model));
        let (params, ret) = match self {
            Builtin::Exit => (vec![Ty::I32], None),
            Builtin::Abort | Builtin::Error => (vec![], None),
            Builtin::AssertFail => (vec![Ty::Ptr, Ty::Ptr, Ty::Int(IntTy::U32), Ty::Ptr], None),
            Builtin::Printf => (vec![Ty::I32, Ty::Ptr, Ty::Ptr], Some(Ty::I32)),
            Builtin::Snprintf => (vec![Ty::Ptr, size, Ty::Ptr, Ty::Ptr], Some(Ty::I32)),
            Builtin::Write => (vec![Ty::I32, Ty::Ptr, size], None),
            Builtin::ReadByte => (vec![Ty::I32], Some(Ty::I32)),
            Builtin::ObjectSize => (vec![Ty::Ptr], Some(size)),
            Builtin::Place => (vec![Ty::Ptr, size, size], None),
            Builtin::Strtod(ty) => (vec![Ty::Ptr, Ty::Ptr], Some(Ty::Float(ty))),
            Builtin::Math(f, ty) => (vec![Ty::Float(ty); f.arity()], Some(Ty::Float(ty))),
        };
        Signature { params, ret, variadic: false }
    }
}

impl MathFn {
    /// The number of operands.
    pub fn arity(self) -> usize {
        use MathFn::*;
        match self {
            Fma => 3,
            Atan2 | Pow | Hypot | Remainder | Fdim | NextAfter => 2,
            _ => 1,
        }
    }
}

/// Functions whose result IEEE 754 does not fix; the executor uses the host's libm.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[rustfmt::skip]
pub enum MathFn {
    Sin, Cos, Tan, Asin, Acos, Atan, Atan2, Sinh, Cosh, Tanh, Asinh, Acosh, Atanh,
    Exp, Exp2, Expm1, Log, Log2, Log10, Log1p, Pow, Cbrt, Hypot, Remainder, Fdim, Fma,
    Erf, Erfc, Tgamma, Lgamma, NextAfter,
}
