//! Why execution cannot go on. Raised where it happens, in terms of the
//! machine; [`crate::report`] turns it into words for people.

use cairn_base::Limit;
use cairn_ir::{FuncId, Symbol, Trap, VarId};

use crate::memory::{Fault, OutOfMemory};

#[derive(Clone, PartialEq, Debug)]
pub enum Stop {
    Exit(i32),
    Abort,
    /// An error function was called, or an assertion failed.
    Error(String),
    AssumptionFailed,
    /// A function without a body that is declared never to return was called.
    NoReturn(Symbol),
    Limit(Limit),
    Undefined(Cause),
}

/// The undefined behaviour that was met.
#[derive(Clone, PartialEq, Debug)]
pub enum Cause {
    /// A bad access to `size` bytes at `ptr`.
    Access {
        fault: Fault,
        ptr: u64,
        size: u64,
        write: bool,
    },
    /// An uninitialised variable was used.
    UninitVar(VarId),
    Value(cairn_value::Undefined),
    SignedOverflow(&'static str),
    /// Pointer arithmetic that leaves the object by gigabytes.
    FarPointer {
        ptr: u64,
        by: i64,
    },
    BadFree {
        ptr: u64,
        why: BadFree,
    },
    Overlap {
        size: u64,
    },
    /// A call through a pointer that is not a function, or is of another type.
    BadCallTarget(u64),
    WrongSignature(FuncId),
    WrongArguments(FuncId),
    NoReturnValue,
    Trap(Trap),
    /// A function that must not return did.
    Returned,
    /// A format, its argument, or a result of a library function is outside of what C defines.
    Library(String),
    Leak {
        objects: Vec<u32>,
    },
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum BadFree {
    NotHeap,
    Inside,
    Twice,
}

impl From<OutOfMemory> for Stop {
    fn from(_: OutOfMemory) -> Stop {
        Stop::Limit(Limit::Memory)
    }
}

impl From<Cause> for Stop {
    fn from(cause: Cause) -> Stop {
        Stop::Undefined(cause)
    }
}

impl From<cairn_value::Undefined> for Stop {
    fn from(u: cairn_value::Undefined) -> Stop {
        Stop::Undefined(Cause::Value(u))
    }
}
