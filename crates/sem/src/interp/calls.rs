//! Calls that are more than opening a frame: through pointers, of functions
//! without a body, of error functions; and inputs.

use cairn_ir::{Bits, EdgeId, FuncId, Symbol, Ty};

use super::scalars;
use crate::code::{Aux, FuncCode, INIT, NO_SLOT, Slot};
use crate::machine::Machine;
use crate::memory::{Kind, id_of, offset_of};
use crate::outcome::Outside;
use crate::stop::{Cause, Stop};

impl Machine<'_> {
    /// The code that a call through a pointer enters, or `None` if it was dealt with here.
    pub(super) unsafe fn call_ptr(
        &mut self,
        aux: &Aux,
        s: *mut u64,
        d: Slot,
        edge: EdgeId,
    ) -> Result<Option<*mut FuncCode>, Stop> {
        let Aux::CallPtr { target, ref sig } = *aux else { return Ok(None) };
        // SAFETY: a slot of the frame.
        let p = unsafe { *s.add(target as usize) };
        let func = match self.memory.cold(id_of(p)).map(|c| c.kind) {
            Some(Kind::Func(f)) if offset_of(p) == 0 => f,
            _ => return Err(Cause::BadCallTarget(p).into()),
        };
        let callee = &self.program.funcs[func];
        if self.options.targets.contains(&callee.name) {
            return Err(self.error_called(func));
        }
        if callee.sig != *sig {
            return Err(Cause::WrongSignature(func).into());
        }
        if callee.body.is_none() {
            // SAFETY: slots of the frame.
            unsafe { self.call_unknown(func, s, d, edge)? };
            return Ok(None);
        }
        Ok(Some(self.code(func)))
    }

    pub(super) fn error_called(&self, func: FuncId) -> Stop {
        Stop::Error(format!("call of {}", self.program.funcs[func].name))
    }

    /// A function that has neither body nor model: its result is an input of its name.
    pub(super) unsafe fn call_unknown(
        &mut self,
        func: FuncId,
        s: *mut u64,
        d: Slot,
        edge: EdgeId,
    ) -> Result<(), Stop> {
        let callee = &self.program.funcs[func];
        let place = self.program.edges[self.user_edge(edge)].place;
        self.unmodelled.add(callee.name, place);
        if callee.noreturn {
            return Err(Stop::NoReturn(callee.name));
        }
        self.ctx.mask = INIT;
        if let Some(ty) = callee.sig.ret {
            let bits = self.next_input(callee.name, ty, edge);
            if d != NO_SLOT {
                // SAFETY: slots of the frame.
                unsafe { scalars::set(s, d, ty, bits) };
            }
        }
        Ok(())
    }

    pub(super) unsafe fn input(&mut self, aux: &Aux, s: *mut u64, d: Slot, edge: EdgeId) {
        let Aux::Input { name, ty } = *aux else { return };
        let bits = self.next_input(name, ty, edge);
        // SAFETY: slots of the frame.
        unsafe { scalars::set(s, d, ty, bits) };
    }

    fn next_input(&mut self, name: Symbol, ty: Ty, edge: EdgeId) -> Bits {
        if self.options.outside == Outside::World
            && let Some(bits) = self.world_value(name.as_str(), ty)
        {
            return bits;
        }
        let place = self.program.edges[self.user_edge(edge)].place;
        let (bits, remark) = self.inputs.next(name, ty, place, self.program.model);
        if let Some(remark) = remark {
            self.notes.add(remark);
        }
        if ty == Ty::Ptr { self.memory.resolve(bits as u64).into() } else { bits }
    }
}
