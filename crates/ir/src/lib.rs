//! The intermediate representation: one control-flow automaton per function.
//!
//! Locations are program points, edges carry one operation each, operations use
//! pure typed expressions. This crate knows neither C nor any solver.

pub mod build;
pub mod expr;
pub mod op;
pub mod program;

pub use cairn_base::{DataModel, FileId, Place, Symbol, sym};
pub use cairn_value::{BinOp, Bits, FloatTy, IntTy, Ty, UnOp};
pub use expr::{Expr, ExprId, ExprPool};
pub use op::{AllocKind, Builtin, Callee, MathFn, Op, Signature, Trap};
pub use program::{
    Body, Branch, BranchId, DType, DTypeId, Data, Edge, EdgeId, FuncId, Function, Init, LabelId, LabelInfo,
    Location, LocId, ObjId, ObjKind, Object, Program, Reloc, RelocTarget, Var, VarId, VarKind,
};
