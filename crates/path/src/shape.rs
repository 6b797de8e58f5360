//! What the text of the program fixes: its loops, where paths meet, and which objects
//! do not escape.

use cairn_ir::dom::Dominators;
use cairn_ir::graph::{Blocks, Graph};
use cairn_ir::liveness::Liveness;
use cairn_ir::loops::Loops;
use cairn_ir::{BinOp, Expr, ExprId, LocId, ObjId, Op, Program, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

/// What the text of a program says of its locations and objects.
pub struct ProgramShape {
    /// The loops around a location, by their heads, innermost first.
    around: FxHashMap<LocId, Vec<LocId>>,
    /// The variables of the function that may still be read, ascending.
    live: FxHashMap<LocId, Vec<VarId>>,
    /// Objects whose address goes anywhere but straight into an access.
    escaping: FxHashSet<ObjId>,
}

impl ProgramShape {
    pub fn new(p: &Program) -> ProgramShape {
        let (mut around, mut live) = (FxHashMap::default(), FxHashMap::default());
        for (f, _) in p.funcs.iter() {
            let Some(graph) = Graph::new(p, f) else { continue };
            let dom = Dominators::forward(&graph);
            let loops = Loops::new(p, &graph, &dom);
            let Some(body) = &p.funcs[f].body else { continue };
            let blocks = Blocks::new(p, &graph);
            Liveness::new(p, &graph, &blocks).each(|l, vars| {
                let mut vars: Vec<VarId> = vars.iter().copied().collect();
                vars.sort_unstable();
                live.insert(l, vars);
            });
            for &l in &body.locs {
                let heads: Vec<LocId> = loops.around(&graph, l).map(|id| loops.loops[id].header).collect();
                if !heads.is_empty() {
                    around.insert(l, heads);
                }
            }
        }
        ProgramShape { around, live, escaping: escaping(p) }
    }

    /// The heads of the loops around a location, innermost first; a head is in its own loop.
    pub fn around(&self, l: LocId) -> &[LocId] {
        self.around.get(&l).map_or(&[], Vec::as_slice)
    }

    /// The variables of the function that may still be read, ascending.
    pub fn live(&self, l: LocId) -> &[VarId] {
        self.live.get(&l).map_or(&[], Vec::as_slice)
    }

    pub fn is_head(&self, l: LocId) -> bool {
        self.around(l).first() == Some(&l)
    }

    /// Is the location in the loop with this head?
    pub fn is_in(&self, l: LocId, head: LocId) -> bool {
        self.around(l).contains(&head)
    }

    pub fn escapes(&self, o: ObjId) -> bool {
        self.escaping.contains(&o)
    }
}

/// The expressions at which an operation accesses memory.
pub fn addresses(op: &Op) -> Vec<ExprId> {
    match op {
        Op::Load { addr, .. }
        | Op::Store { addr, .. }
        | Op::LoadBits { addr, .. }
        | Op::StoreBits { addr, .. } => vec![*addr],
        Op::Copy { dst, src, .. } => vec![*dst, *src],
        Op::Fill { dst, .. } => vec![*dst],
        Op::Free { ptr, .. } => vec![*ptr],
        _ => Vec::new(),
    }
}

/// The expressions of an operation whose values decide what it does where: addresses and sizes.
pub fn deciding(op: &Op) -> Vec<ExprId> {
    let mut found = addresses(op);
    match op {
        Op::Copy { size, .. } | Op::Fill { size, .. } | Op::Alloc { size, .. } => found.push(*size),
        _ => {}
    }
    found
}

fn escaping(p: &Program) -> FxHashSet<ObjId> {
    let mut found = FxHashSet::default();
    for (_, edge) in p.edges.iter() {
        let mut accessed = addresses(&edge.op);
        edge.op.each_expr(|e| {
            let mut at = e;
            if let Some(n) = accessed.iter().position(|&a| a == e) {
                accessed.swap_remove(n);
                // The object itself may stand at the base.
                while let Expr::Binary(BinOp::PtrAdd, base, offset) = p.exprs.get(at) {
                    mentioned(p, offset, &mut found);
                    at = base;
                }
                if matches!(p.exprs.get(at), Expr::Addr(_)) {
                    return;
                }
            }
            mentioned(p, at, &mut found);
        });
    }
    found
}

fn mentioned(p: &Program, e: ExprId, found: &mut FxHashSet<ObjId>) {
    let mut work = vec![e];
    while let Some(e) = work.pop() {
        if let Expr::Addr(o) = p.exprs.get(e) {
            found.insert(o);
        }
        work.extend(p.exprs.children(e));
    }
}
