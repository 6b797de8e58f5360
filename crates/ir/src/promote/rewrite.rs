//! Putting variables in the place of objects.

use cairn_base::EntityRef;
use cairn_value::{BinOp, IntTy, Ty};
use rustc_hash::FxHashMap;

use super::cells::{Access, At, Candidates, Initial, access, initial};
use crate::compact::{Drops, compact};
use crate::{ExprId, Init, ObjId, Op, Program, RelocTarget, Var, VarId, VarKind, sym};

pub fn rewrite(p: &mut Program, candidates: &Candidates) {
    let mut vars: FxHashMap<At, VarId> = FxHashMap::default();
    for o in candidates.promotable() {
        for (&offset, &ty) in candidates.of(o).into_iter().flatten() {
            let var = cell_var(p, o, offset, ty);
            vars.insert((o, offset), p.new_var(var));
        }
    }
    for e in p.edges.keys().collect::<Vec<_>>() {
        let Some(access) = access(p, &p.edges[e].op) else { continue };
        let gone = |o: ObjId| candidates.of(o).is_some();
        match access {
            Access::Begin(o) | Access::End(o) if gone(o) => p.edges[e].op = Op::Nop,
            Access::Load(at, ty) if gone(at.0) => {
                let Op::Load { dst, .. } = p.edges[e].op else { continue };
                let value = p.exprs.var(vars[&at]);
                let value = p.exprs.cast(ty, value);
                p.edges[e].op = Op::Assign { dst, value };
            }
            Access::Store(at, _) if gone(at.0) => {
                let Op::Store { value, .. } = p.edges[e].op else { continue };
                p.edges[e].op = assign(p, vars[&at], value);
            }
            Access::Fill { at, size, byte } if gone(at.0) => {
                let cells = candidates.cells_in(at, size);
                let ops = cells.into_iter().map(|(offset, ty)| {
                    let value = filled(p, ty, byte);
                    assign(p, vars[&(at.0, offset)], value)
                });
                let ops: Vec<Op> = ops.collect();
                p.replace_by(e, ops);
            }
            Access::Copy { dst, src, size } if gone(dst.0) => {
                let cells = candidates.cells_in(dst, size);
                let ops = cells.into_iter().map(|(offset, _)| {
                    let value = p.exprs.var(vars[&(src.0, src.1 + (offset - dst.1))]);
                    assign(p, vars[&(dst.0, offset)], value)
                });
                let ops: Vec<Op> = ops.collect();
                p.replace_by(e, ops);
            }
            _ => {}
        }
    }
    let mut drops = Drops::none(p);
    candidates.promotable().iter().for_each(|o| drops.objects.insert(o.index()));
    compact(p, &drops);
}

/// `dst := value`, reinterpreting an integer of the other signedness.
fn assign(p: &mut Program, dst: VarId, value: ExprId) -> Op {
    let value = p.exprs.cast(p.vars[dst].ty, value);
    Op::Assign { dst, value }
}

/// The variable for a cell, named as C would write it (`pos.x`, `a[2]`) where the type is known.
fn cell_var(p: &mut Program, o: ObjId, offset: u64, ty: Ty) -> Var {
    let object = p.objects[o].clone();
    let member = object.dtype.and_then(|t| p.member_at(t, offset, ty));
    let (name, dtype) = match member {
        Some((path, t)) => (sym(&format!("{}{path}", object.name)), Some(t)),
        None if offset == 0 && object.size == ty.bytes(p.model) => (object.name, None),
        None => (sym(&format!("{}@{offset}", object.name)), None),
    };
    let kind = match &object.init {
        Init::Static(data) => VarKind::Global { init: initial_value(p, initial(p, data, offset, ty), ty) },
        _ => VarKind::Local,
    };
    Var { name, ty, owner: object.owner, kind, place: object.place, scope: object.scope, dtype }
}

fn initial_value(p: &mut Program, initial: Option<Initial>, ty: Ty) -> ExprId {
    match initial {
        Some(Initial::Bits(bits)) => p.exprs.constant(ty, bits),
        Some(Initial::Address(target, addend)) => {
            let base = match target {
                RelocTarget::Object(o) => p.exprs.addr(o),
                RelocTarget::Func(f) => p.exprs.func(f),
                RelocTarget::Label(l) => p.exprs.label(l),
            };
            let by = p.exprs.int(IntTy::diff(p.model), addend.into());
            p.exprs.binary(BinOp::PtrAdd, base, by)
        }
        None => unreachable!("cells without an initial value were rejected"),
    }
}

/// The constant whose every byte is `byte`.
fn filled(p: &mut Program, ty: Ty, byte: u8) -> ExprId {
    let bits = u128::from_le_bytes([byte; 16]) & IntTy { bits: ty.bits(p.model), signed: false }.mask();
    p.exprs.constant(ty, bits)
}
