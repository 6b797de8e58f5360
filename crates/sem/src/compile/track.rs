//! Which variables may hold uninitialised data, and which locals are private.
//!
//! A variable that is assigned before every read, from values that are
//! initialised, needs no shadow. Uninitialised data enters a variable when it is
//! read before it is assigned, when a call returns no value where one is due,
//! and when a byte is loaded in order to be stored elsewhere (copying padding
//! byte by byte is allowed); from there it flows only through plain copies,
//! since every other use is checked.

use cairn_ir::assigned::unassigned_reads;
use cairn_ir::graph::{Blocks, Graph};
use cairn_ir::{BinOp, Callee, Expr, ExprId, ObjId, Op, Program, Ty, VarId, VarKind};
use rustc_hash::FxHashSet;

use crate::statics::Statics;

/// The variable that `e` is a plain copy of: `v` itself, or `v` of 8 bits under casts that keep
/// the width.
pub fn plain_source(program: &Program, mut e: ExprId) -> Option<VarId> {
    loop {
        match program.exprs.get(e) {
            Expr::Var(v) => return Some(v),
            Expr::Cast(to, a) if is_byte(to) && is_byte(program.ty(a)) => e = a,
            _ => return None,
        }
    }
}

pub fn is_byte(ty: Ty) -> bool {
    matches!(ty, Ty::Int(i) if i.bits == 8)
}

/// The variables of a function that need a shadow.
pub fn tracked(program: &Program, statics: &Statics, graph: &Graph, blocks: &Blocks) -> FxHashSet<VarId> {
    let local = |v: VarId| program.vars[v].owner.is_some();
    let edges =
        || blocks.blocks.iter().flat_map(cairn_ir::bitflow::block_edges).map(|e| &program.edges[e].op);
    // Plain copies between variables, as (from, to).
    let mut copies = Vec::new();
    // Variables whose byte goes into memory unchanged, directly or through copies.
    let mut carriers = FxHashSet::default();
    for op in edges() {
        match *op {
            Op::Assign { dst, value } if local(dst) => {
                copies.extend(plain_source(program, value).map(|v| (v, dst)));
            }
            Op::Store { value, .. } if is_byte(program.ty(value)) => {
                carriers.extend(plain_source(program, value));
            }
            _ => {}
        }
    }
    close(&mut carriers, copies.iter().map(|&(from, to)| (to, from)));
    let mut tracked: FxHashSet<VarId> = unassigned_reads(program, graph, blocks)
        .into_iter()
        .map(|(_, v)| v)
        .filter(|&v| matches!(program.vars[v].kind, VarKind::Local | VarKind::Temp))
        .collect();
    for op in edges() {
        match op {
            Op::Load { dst, .. } if carriers.contains(dst) && is_byte(program.vars[*dst].ty) => {
                tracked.insert(*dst);
            }
            Op::Call { dst: Some(dst), callee, .. } if local(*dst) && may_be_silent(statics, callee) => {
                tracked.insert(*dst);
            }
            _ => {}
        }
    }
    close(&mut tracked, copies.into_iter());
    tracked.retain(|&v| local(v));
    tracked
}

/// May the call return no value where one is due?
pub fn may_be_silent(statics: &Statics, callee: &Callee) -> bool {
    match callee {
        Callee::Func(f) => statics.silent_returns[*f],
        Callee::Ptr { .. } => statics.any_silent_return,
        Callee::Builtin(_) => false,
    }
}

/// Closes a set under a relation.
fn close(set: &mut FxHashSet<VarId>, pairs: impl Iterator<Item = (VarId, VarId)> + Clone) {
    loop {
        let before = set.len();
        for (from, to) in pairs.clone() {
            if set.contains(&from) {
                set.insert(to);
            }
        }
        if set.len() == before {
            return;
        }
    }
}

/// The locals whose address appears only as the base of direct accesses: no pointer to them can
/// outlive them.
pub fn private_objects(program: &Program, blocks: &Blocks) -> FxHashSet<ObjId> {
    let mut seen = FxHashSet::default();
    let mut escaped = FxHashSet::default();
    let mut used = FxHashSet::default();
    let mut escape = |root: ExprId| {
        let mut work = vec![root];
        while let Some(e) = work.pop() {
            if !seen.insert(e) {
                continue;
            }
            if let Expr::Addr(o) = program.exprs.get(e) {
                escaped.insert(o);
            }
            work.extend(program.exprs.children(e));
        }
    };
    let mut access = |mut e: ExprId, escape: &mut dyn FnMut(ExprId)| {
        loop {
            match program.exprs.get(e) {
                Expr::Binary(BinOp::PtrAdd, p, n) => {
                    escape(n);
                    e = p;
                }
                Expr::Addr(o) => {
                    used.insert(o);
                    return;
                }
                _ => return escape(e),
            }
        }
    };
    for e in blocks.blocks.iter().flat_map(cairn_ir::bitflow::block_edges) {
        match &program.edges[e].op {
            Op::Load { addr, .. } | Op::LoadBits { addr, .. } => access(*addr, &mut escape),
            Op::Store { addr, value } | Op::StoreBits { addr, value, .. } => {
                access(*addr, &mut escape);
                escape(*value);
            }
            Op::Copy { dst, src, size, .. } => {
                access(*dst, &mut escape);
                access(*src, &mut escape);
                escape(*size);
            }
            Op::Fill { dst, byte, size } => {
                access(*dst, &mut escape);
                escape(*byte);
                escape(*size);
            }
            op => op.each_expr(&mut escape),
        }
    }
    used.retain(|o| !escaped.contains(o));
    used
}
