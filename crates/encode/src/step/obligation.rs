//! What steps meet on their way: obligations, inputs and objects without a first value.

use cairn_base::{Place, Symbol};
use cairn_ir::{EdgeId, FuncId, LocId, Ty};
use cairn_term::TermId;

use crate::birth::BirthId;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ObligationKind {
    /// A target function is called, or an assertion fails.
    Error(String),
    /// A loop would go on beyond its bound.
    Unwind {
        head: LocId,
    },
    /// A recursion would.
    Recursion {
        func: FuncId,
    },
    /// A fact of an inductive loop does not hold where it should: its number, and whether that is
    /// so when the loop is entered (or after some turns of any execution).
    Fact {
        head: LocId,
        number: usize,
        entry: bool,
    },
    /// Undefined behaviour; the executions that meet it end there.
    Undefined(&'static str),
    DivisionByZero,
    /// An operation without a symbolic reading; executions end there.
    Gap(String),
}

/// Something that happens exactly if `when` holds.
#[derive(Clone, Debug)]
pub struct Obligation {
    pub kind: ObligationKind,
    pub when: TermId,
    pub edge: EdgeId,
    pub place: Place,
}

/// A nondeterministic input, in the order executions take them.
#[derive(Clone, Debug)]
pub struct InputVar {
    pub term: TermId,
    pub ty: Ty,
    pub name: Symbol,
    pub place: Place,
    /// Under which condition it is taken.
    pub when: TermId,
}

/// An object that comes to life and that nothing initialises, in the order in which that happens.
#[derive(Clone, Debug)]
pub struct BirthVar {
    pub id: BirthId,
    /// Under which condition.
    pub when: TermId,
    /// A 64-bit term.
    pub size: TermId,
}

/// The base of an instance of which the program says where it lies.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct BaseVar {
    /// The variable: the base without its low bits that are zero.
    pub upper: TermId,
    pub low: u8,
    /// The address that the program names.
    pub said: TermId,
}
