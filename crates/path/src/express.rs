//! Interpolants as conditions of the IR, where they speak only of variables that
//! are visible in the function they belong to. How terms are written is
//! [`cairn_encode::write`].

use cairn_base::PrimaryMap;
use cairn_encode::write::{Names, Writer};
use cairn_ir::{ExprPool, IntTy, Var, VarId};
use cairn_term::{Pool, TermId};
use rustc_hash::FxHashMap;

use crate::symbols::{Symbol, Symbols};

/// What an interpolant may mention.
pub struct Visible<'x> {
    symbols: &'x mut Symbols,
    /// Of the function whose variables may be mentioned.
    depth: u32,
    /// May those of its callers be mentioned as well? No function is open twice then.
    pub callers: bool,
    /// Variables that are names of pieces of memory.
    pub pieces: FxHashMap<TermId, VarId>,
}

impl Names for Visible<'_> {
    fn variable(&mut self, pool: &Pool, t: TermId) -> Option<VarId> {
        match self.symbols.meaning(pool, t)? {
            Symbol::Global(v) => Some(v),
            Symbol::Local(depth, v) if depth == self.depth || self.callers => Some(v),
            Symbol::Piece(_) => self.pieces.get(&t).copied(),
            _ => None,
        }
    }
}

/// Writes interpolants of a function at this depth of the call stack.
pub fn writer<'x>(
    vars: &'x PrimaryMap<VarId, Var>,
    exprs: &'x mut ExprPool,
    symbols: &'x mut Symbols,
    depth: u32,
) -> Writer<'x, Visible<'x>> {
    let names = Visible { symbols, depth, callers: false, pieces: FxHashMap::default() };
    // Interpolants are over bits: there are no integers to be computed in a wide type.
    Writer::new(vars, exprs, names, IntTy::I128)
}
