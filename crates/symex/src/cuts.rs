//! A proof from the subsumption table: interpolants as cases at cut points (see
//! [`cairn_core::Cuts`]).
//!
//! From every state that satisfies an interpolant, executions take the ways of the
//! tree, and come to states that satisfy the interpolants of the nodes below, or of
//! what subsumed them. Cuts are needed where something was subsumed; what was
//! explored once is followed once more. An interpolant that cannot be said as
//! conditions of the IR is left out, which is no gap but more to follow.

use std::collections::{BTreeMap, BTreeSet};

use cairn_base::{Place, Symbol as Name};
use cairn_core::{Case, CutPoint, Cuts, Piece};
use cairn_encode::object::MemoryPiece;
use cairn_encode::pointer::Instance;
use cairn_ir::{Callee, ExprPool, FuncId, ObjId, Op, Program, Var, VarId, VarKind};
use cairn_term::TermId;
use rustc_hash::FxHashMap;

use crate::explore::{Explorer, Reused};
use cairn_path::express::writer;
use cairn_path::symbols::Symbol;

/// Names for pieces of memory, by the program's objects.
struct Names {
    program: Program,
    entry: FuncId,
    pieces: Vec<Piece>,
    known: FxHashMap<Piece, VarId>,
}

impl Names {
    fn name(&mut self, piece: Piece) -> VarId {
        if let Some(&v) = self.known.get(&piece) {
            return v;
        }
        let v = self.program.new_var(Var {
            name: Name::from("piece"),
            ty: piece.ty,
            owner: Some(self.entry),
            kind: VarKind::Temp,
            place: Place::NONE,
            scope: Place::NONE,
            dtype: None,
        });
        self.pieces.push(piece);
        self.known.insert(piece, v);
        v
    }
}

/// Are the calls that lead to a place direct ones, and is no function open twice?
fn is_plain(program: &Program, entry: FuncId, point: &CutPoint) -> bool {
    let mut open = vec![entry];
    for &e in &point.calls {
        match program.edges[e].op {
            Op::Call { callee: Callee::Func(f), .. } if !open.contains(&f) => open.push(f),
            _ => return false,
        }
    }
    true
}

/// The cuts of an exploration that is complete, with the expressions they are made of. `None` if it
/// leaves no cases.
pub fn cuts(explorer: &mut Explorer<'_, '_, '_>, entry: FuncId) -> Option<(Cuts, ExprPool)> {
    let program = explorer.machine.program;
    let statics: FxHashMap<Instance, ObjId> = program
        .objects
        .keys()
        .filter_map(|o| Some((explorer.machine.stepper.static_instance(o)?, o)))
        .collect();
    let mut names =
        Names { program: program.clone(), entry, pieces: Vec::new(), known: FxHashMap::default() };
    let mut cases: BTreeMap<CutPoint, Vec<Case>> = BTreeMap::new();
    for Reused { point, depth, own, interpolant } in explorer.reused() {
        if !is_plain(program, entry, &point) {
            continue;
        }
        let pool = explorer.machine.stepper.pool();
        // The pieces of memory it mentions get their names first.
        let mut pieces: FxHashMap<TermId, VarId> = FxHashMap::default();
        for &part in &interpolant {
            for &v in explorer.chain.vars(pool, part).iter() {
                let Some(Symbol::Piece(MemoryPiece::Cell { instance, at, ty })) =
                    explorer.symbols.meaning(pool, v)
                else {
                    continue;
                };
                let object = statics.get(&instance).or_else(|| own.get(&instance));
                if let Some(&object) = object {
                    pieces.insert(v, names.name(Piece { object, offset: at, ty }));
                }
            }
        }
        let (vars, exprs) = (&names.program.vars, &mut names.program.exprs);
        let mut say = writer(vars, exprs, &mut explorer.symbols, depth);
        (say.names.pieces, say.names.callers) = (pieces, true);
        let facts: Option<BTreeSet<_>> = interpolant.iter().map(|&t| say.condition(pool, t)).collect();
        let Some(facts) = facts else { continue };
        let case = Case { facts: facts.into_iter().collect() };
        let list = cases.entry(point).or_default();
        if list.last() != Some(&case) {
            list.push(case);
        }
    }
    let Names { program, pieces, .. } = names;
    (!cases.is_empty()).then_some((Cuts { pieces, cases }, program.exprs))
}
