//! The intermediate representation: one control-flow automaton per function.
//!
//! Locations are program points, edges carry one operation each, operations use
//! pure typed expressions. This crate knows neither C nor any solver.

pub mod assigned;
pub mod assumption;
pub mod bitflow;
pub mod build;
pub mod callgraph;
pub mod compact;
pub mod distance;
pub mod dom;
mod dtype;
pub mod edit;
pub mod expr;
pub mod features;
pub mod graph;
pub mod liveness;
pub mod loops;
pub mod op;
pub mod pretty;
pub mod program;
pub mod promote;
pub mod reducible;
pub mod simplify;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod text;
pub mod verify;
pub mod visit;

pub use assumption::{Assumption, Site};
pub use cairn_base::{DataModel, FileId, Place, Symbol, sym};
pub use cairn_value::{BinOp, Bits, FloatTy, IntTy, Toward, Ty, UnOp};
pub use expr::{Expr, ExprId, ExprPool};
pub use op::{AllocKind, Builtin, Callee, MathFn, Op, Signature, Trap};
pub use program::{
    Body, Branch, BranchId, DType, DTypeId, Data, Edge, EdgeId, FuncId, Function, Init, LabelId, LabelInfo,
    LocId, Location, ObjId, ObjKind, Object, Program, Reloc, RelocTarget, Var, VarId, VarKind,
};
pub use promote::promote;
pub use simplify::simplify;
pub use verify::{Violation, verify};
