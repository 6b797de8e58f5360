//! What an edge does to a state, but for calls of functions with a body.

use cairn_ir::{Callee, EdgeId, Op, Trap, Ty};

use super::{ObligationKind, Stepper};
use crate::state::State;

impl Stepper<'_, '_> {
    /// Executes an edge; `None` if no execution gets past it. Calls of functions with a body, and
    /// through pointers, are control: clients follow them by [`Stepper::enter`] and
    /// [`Stepper::leave`], and here they are a gap.
    pub fn step(&mut self, e: EdgeId, mut s: State) -> Option<State> {
        let program = self.program;
        match &program.edges[e].op {
            Op::Nop => {}
            Op::Assign { dst, value } => {
                let v = self.value(*value, &mut s, e)?;
                self.assign(*dst, v, &mut s);
            }
            Op::Assume { cond, holds } => {
                let c = self.value(*cond, &mut s, e)?;
                let c = if *holds { c } else { self.pool.not(c) };
                s.guard = s.guard.and(self.pool, c)?;
            }
            Op::Load { dst, addr } => {
                let p = self.address(*addr, &mut s, e)?;
                let ty = program.vars[*dst].ty;
                let v = self.load(p, ty, &mut s, e)?;
                self.assign(*dst, v, &mut s);
            }
            Op::Store { addr, value } => {
                let p = self.address(*addr, &mut s, e)?;
                let v = self.value(*value, &mut s, e)?;
                self.store(p, program.ty(*value), v, &mut s, e)?;
            }
            Op::LoadBits { dst, addr, bit, width } => {
                let p = self.address(*addr, &mut s, e)?;
                let ty = field_ty(*bit, *width);
                let bits = self.load(p, ty, &mut s, e)?;
                let field = self.pool.extract(bit + width - 1, *bit, bits);
                let Ty::Int(i) = program.vars[*dst].ty else { unreachable!("bit-fields are integers") };
                let v = self.pool.resize(i.bits, i.signed, field);
                self.assign(*dst, v, &mut s);
            }
            Op::StoreBits { addr, bit, width, value } => {
                let p = self.address(*addr, &mut s, e)?;
                let v = self.value(*value, &mut s, e)?;
                let ty = field_ty(*bit, *width);
                let old = self.load(p, ty, &mut s, e)?;
                let whole = self.pool.width(old);
                let mut new = self.pool.extract(width - 1, 0, v);
                if *bit > 0 {
                    let low = self.pool.extract(bit - 1, 0, old);
                    new = self.pool.concat(new, low);
                }
                if bit + width < whole {
                    let high = self.pool.extract(whole - 1, bit + width, old);
                    new = self.pool.concat(high, new);
                }
                self.store(p, ty, new, &mut s, e)?;
            }
            Op::Copy { dst, src, size, .. } => {
                let (d, r) = (self.address(*dst, &mut s, e)?, self.address(*src, &mut s, e)?);
                let n = self.address(*size, &mut s, e)?;
                return self.copy(d, r, n, s, e);
            }
            Op::Fill { dst, byte, size } => {
                let d = self.address(*dst, &mut s, e)?;
                let b = self.value(*byte, &mut s, e)?;
                let n = self.address(*size, &mut s, e)?;
                return self.fill(d, b, n, s, e);
            }
            Op::Begin { obj } => {
                let i = self.local(*obj);
                let first = self.birth(e, self.infos[i.0 as usize].size, &s);
                self.begin(*obj, i, first, &mut s);
            }
            Op::End { obj } => self.end(*obj, &mut s),
            Op::Alloc { dst, size, kind, zeroed } => {
                let n = self.value(*size, &mut s, e)?;
                let n = self.pool.resize(64, false, n);
                let i = self.allocation(n, *kind, program.edges[e].place);
                let first = if *zeroed { None } else { Some(self.birth(e, n, &s)) };
                self.allocate(*dst, i, *kind, first, &mut s);
            }
            Op::Free { ptr, kind } => {
                let p = self.address(*ptr, &mut s, e)?;
                self.free(p, *kind, &mut s, e)?;
            }
            Op::Input { dst, name } => {
                let ty = program.vars[*dst].ty;
                let v = self.input(*name, ty, &s, e);
                self.assign(*dst, v, &mut s);
            }
            Op::Call { dst, callee, .. } => {
                let values = self.arguments(e, &mut s)?;
                return match callee {
                    Callee::Builtin(b) => self.builtin(*b, *dst, &values, s, e),
                    Callee::Func(f) if program.funcs[*f].body.is_none() => Some(self.outside(*f, e, s)),
                    _ => self.gap("a call that is not followed", &s, e),
                };
            }
            Op::Return { value } => {
                s.result = match value {
                    Some(v) => Some(self.value(*v, &mut s, e)?),
                    None => None,
                };
            }
            Op::Trap(t) => {
                let why = match t {
                    Trap::Unreachable => "reaching what was declared unreachable",
                    Trap::BadGoto => "a jump to no label",
                    Trap::BadVla => "an array of no positive size",
                    Trap::NoReturnValue => "using the value of a function that returned none",
                };
                self.oblige(ObligationKind::Undefined(why), &s.guard, e);
                return None;
            }
        }
        Some(s)
    }
}

/// The whole bytes that a bit-field lies in.
fn field_ty(bit: u8, width: u8) -> Ty {
    Ty::Int(cairn_ir::IntTy { bits: (bit + width).div_ceil(8) * 8, signed: false })
}
