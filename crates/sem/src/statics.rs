//! What exists before the first step: static objects with their contents,
//! functions and labels as objects of code, global variables.

use cairn_base::SecondaryMap;
use cairn_ir::{
    BinOp, DataModel, Expr, ExprId, FuncId, Init, LabelId, ObjId, ObjKind, Op, Program, RelocTarget, Ty,
    VarId, VarKind,
};
use cairn_value::eval;

use crate::code::slots_of;
use crate::memory::{Kind, Memory, OutOfMemory, offset_of, pointer};
use crate::outcome::Notes;
use crate::slot::from_bits;

/// Ids and slots that never change during a run.
#[derive(Clone, Debug, Default)]
pub struct Statics {
    /// Ids of static objects (0 for locals), functions and labels.
    pub objects: SecondaryMap<ObjId, u32>,
    pub funcs: SecondaryMap<FuncId, u32>,
    pub labels: SecondaryMap<LabelId, u32>,
    /// First slot of every global variable.
    pub globals: SecondaryMap<VarId, u32>,
    /// Some function may return without a value where one is due.
    pub silent_returns: SecondaryMap<FuncId, bool>,
    pub any_silent_return: bool,
    /// The register form of a pointer is not its address.
    pub flat: bool,
}

impl Statics {
    /// Puts everything in place; also gives the slots of the global variables.
    pub(crate) fn build(
        program: &Program,
        memory: &mut Memory,
        notes: &mut Notes,
    ) -> Result<(Statics, Vec<u64>), OutOfMemory> {
        let flat = program.model == DataModel::Ilp32 || memory.is_placed();
        let mut statics = Statics { flat, ..Statics::default() };
        let mut room = 0u64;
        let mut places = Vec::new();
        for (obj, o) in program.objects.iter().filter(|(_, o)| o.owner.is_none()) {
            // Alignment is a matter of addresses, which have nothing to do with the room.
            let at = room.next_multiple_of(16);
            places.push((obj, at));
            room = at.checked_add(o.size).ok_or(OutOfMemory)?;
        }
        memory.reserve_statics(room)?;
        for &(obj, at) in &places {
            let o = &program.objects[obj];
            statics.objects[obj] = memory.add_static(obj, at, o.size, o.kind == ObjKind::Const)?;
            if o.init == Init::Unknown {
                notes.add(format!(
                    "'{}' is declared but never defined; its contents are taken as zero",
                    o.name
                ));
            }
        }
        for func in program.funcs.keys() {
            statics.funcs[func] = memory.add_code(Kind::Func(func));
        }
        for label in program.labels.keys() {
            statics.labels[label] = memory.add_code(Kind::Label(label));
        }
        for (obj, _) in places {
            let id = statics.objects[obj];
            statics.fill(program, memory, obj, id)?;
        }
        let globals = statics.globals(program, memory)?;
        for (func, f) in &program.funcs {
            let silent = f.sig.ret.is_some()
                && f.body.as_ref().is_some_and(|b| {
                    b.edges.iter().any(|&e| matches!(program.edges[e].op, Op::Return { value: None }))
                });
            statics.silent_returns[func] = silent;
            statics.any_silent_return |= silent;
        }
        Ok((statics, globals))
    }

    fn target(&self, target: RelocTarget) -> u32 {
        match target {
            RelocTarget::Object(o) => self.objects[o],
            RelocTarget::Func(f) => self.funcs[f],
            RelocTarget::Label(l) => self.labels[l],
        }
    }

    /// Puts the initial contents of `obj` into its zeroed instance `id`.
    pub fn fill(
        &self,
        program: &Program,
        memory: &mut Memory,
        obj: ObjId,
        id: u32,
    ) -> Result<(), OutOfMemory> {
        let Init::Static(data) = &program.objects[obj].init else { return Ok(()) };
        for (at, bytes) in &data.bytes {
            memory.poke(id, *at, bytes);
        }
        for reloc in &data.relocs {
            let p = move_pointer(pointer(self.target(reloc.target), 0), reloc.addend, program.model);
            memory.relocate(id, reloc.offset, reloc.bytes, p)?;
        }
        Ok(())
    }

    fn globals(&mut self, program: &Program, memory: &mut Memory) -> Result<Vec<u64>, OutOfMemory> {
        let mut slots = Vec::new();
        for (var, v) in &program.vars {
            let VarKind::Global { init } = v.kind else { continue };
            self.globals[var] = slots.len() as u32;
            let bits = self.constant(program, memory, init)?;
            let (low, high) = from_bits(v.ty, bits);
            slots.push(low);
            if slots_of(v.ty) == 2 {
                slots.push(high);
            }
        }
        Ok(slots)
    }

    /// The value of a constant expression, a pointer in its register form. What is undefined
    /// (a division by zero in an initialiser, which C rejects) counts as zero.
    fn constant(&self, program: &Program, memory: &mut Memory, e: ExprId) -> Result<u128, OutOfMemory> {
        let model = program.model;
        let ty = |e| program.exprs.ty(e);
        Ok(match program.exprs.get(e) {
            Expr::Int(_, b) | Expr::Float(_, b) => b,
            Expr::Bool(b) => b.into(),
            Expr::Ptr(p) => memory.resolve(p).into(),
            Expr::Addr(o) => pointer(self.objects[o], 0).into(),
            Expr::Func(f) => pointer(self.funcs[f], 0).into(),
            Expr::Label(l) => pointer(self.labels[l], 0).into(),
            Expr::Var(_) => 0,
            Expr::Unary(op, a) => {
                let a_bits = self.constant(program, memory, a)?;
                eval::unary(op, ty(a), a_bits).unwrap_or(0)
            }
            Expr::Binary(BinOp::PtrAdd, a, b) => {
                let (p, n) = (self.constant(program, memory, a)?, self.constant(program, memory, b)?);
                let n = ty(b).int().map_or(0, |i| i.number(n)) as i64;
                move_pointer(p as u64, n, model).into()
            }
            Expr::Binary(op, a, b) => {
                let mut x = self.constant(program, memory, a)?;
                let mut y = self.constant(program, memory, b)?;
                if ty(a) == Ty::Ptr {
                    x = memory.address(x as u64)?.into();
                    y = memory.address(y as u64)?.into();
                }
                eval::binary(op, ty(a), ty(b), x, y, model).unwrap_or(0)
            }
            Expr::Cast(to, a) => {
                let from = ty(a);
                let mut x = self.constant(program, memory, a)?;
                if from == Ty::Ptr {
                    x = memory.address(x as u64)?.into();
                }
                let bits = eval::cast(from, to, x, model).unwrap_or(0);
                if to == Ty::Ptr { memory.resolve(bits as u64).into() } else { bits }
            }
            Expr::Select(c, t, f) => {
                let chosen = if self.constant(program, memory, c)? != 0 { t } else { f };
                self.constant(program, memory, chosen)?
            }
        })
    }
}

/// Pointer arithmetic: see [`crate::memory`].
#[inline(always)]
pub fn move_pointer(p: u64, by: i64, model: DataModel) -> u64 {
    let moved = p.wrapping_add(by as u64);
    match model {
        DataModel::Lp64 => moved,
        DataModel::Ilp32 => (p & !0xffff_ffff) | u64::from(offset_of(moved)),
    }
}
