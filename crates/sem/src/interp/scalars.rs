//! Values and accesses that have no instruction of their own: all of them go
//! through the one definition in `cairn_value`.

use cairn_ir::{BinOp, Bits, Ty};
use cairn_value::eval;

use crate::code::{Aux, Slot, is_wide};
use crate::machine::Machine;
use crate::memory::{Fault, id_of};
use crate::slot::{from_bits, to_bits};
use crate::stop::{Cause, Stop};

/// Reads a value of type `ty` from the slots at `at`.
///
/// # Safety
/// The slots lie in the frame at `s`.
pub(super) unsafe fn get(s: *const u64, at: Slot, ty: Ty) -> Bits {
    // SAFETY: by contract.
    unsafe {
        let at = s.add(at as usize);
        to_bits(ty, *at, if is_wide(ty) { *at.add(1) } else { 0 })
    }
}

/// Writes a value of type `ty` to the slots at `at`.
///
/// # Safety
/// The slots lie in the frame at `s`.
pub(super) unsafe fn set(s: *mut u64, at: Slot, ty: Ty, bits: Bits) {
    let (low, high) = from_bits(ty, bits);
    // SAFETY: by contract.
    unsafe {
        *s.add(at as usize) = low;
        if is_wide(ty) {
            *s.add(at as usize + 1) = high;
        }
    }
}

impl Machine<'_> {
    pub(super) unsafe fn unary(&self, aux: &Aux, s: *mut u64, d: Slot, a: Slot) -> Result<(), Stop> {
        let Aux::Unary(op, ty) = *aux else { return Ok(()) };
        // SAFETY: slots of the frame.
        unsafe {
            let v = eval::unary(op, ty, get(s, a, ty))?;
            if let Some(to) = op.result(ty) {
                set(s, d, to, v);
            }
        }
        Ok(())
    }

    pub(super) unsafe fn binary(
        &self,
        aux: &Aux,
        s: *mut u64,
        d: Slot,
        a: Slot,
        b: Slot,
        checked: bool,
    ) -> Result<(), Stop> {
        let Aux::Binary(op, ta, tb) = *aux else { return Ok(()) };
        // SAFETY: slots of the frame.
        unsafe {
            let (x, y) = (get(s, a, ta), get(s, b, tb));
            let v = eval::binary(op, ta, tb, x, y, self.program.model)?;
            if checked && eval::overflows(op, ta, x, y) {
                return Err(Cause::SignedOverflow(operation_name(op)).into());
            }
            if let Some(to) = op.result(ta, tb, self.program.model) {
                set(s, d, to, v);
            }
        }
        Ok(())
    }

    /// A left shift by a count that is in range, undefined if it overflows.
    pub(super) fn shl_checked(&self, w: u16, a: u64, n: u64) -> Result<u64, Stop> {
        let ty = Ty::Int(cairn_ir::IntTy { bits: w as u8, signed: true });
        let x = to_bits(ty, a, 0);
        if eval::overflows(BinOp::Shl, ty, x, n.into()) {
            return Err(Cause::SignedOverflow(operation_name(BinOp::Shl)).into());
        }
        Ok(crate::slot::ext_s(a << n, w))
    }

    pub(super) unsafe fn cast(&self, aux: &Aux, s: *mut u64, d: Slot, a: Slot) -> Result<(), Stop> {
        let Aux::Cast(from, to) = *aux else { return Ok(()) };
        // SAFETY: slots of the frame.
        unsafe {
            let v = eval::cast(from, to, get(s, a, from), self.program.model)?;
            set(s, d, to, v);
        }
        Ok(())
    }

    /// Two pointers as numbers, where these are not their register forms. Within one object their offsets compare the same way
    /// only through the flat base, so both are converted unless they are the same.
    pub(super) fn addresses(&mut self, x: u64, y: u64) -> Result<(u64, u64), Stop> {
        if id_of(x) == 0 && id_of(y) == 0 {
            return Ok((x, y));
        }
        Ok((self.memory.address(x)?, self.memory.address(y)?))
    }

    /// Reads a value from memory. Pointers come back in register form.
    pub(crate) fn read_value(&self, p: u64, ty: Ty) -> Result<Bits, Stop> {
        let n = ty.bytes(self.program.model) as u32;
        let bytes = self.memory.read(p, n).map_err(|fault| Cause::Access {
            fault,
            ptr: p,
            size: n.into(),
            write: false,
        })?;
        let mut all = [0; 16];
        all[..bytes.len()].copy_from_slice(bytes);
        let bits = u128::from_le_bytes(all) & (u128::MAX >> (128 - u32::from(ty.bits(self.program.model))));
        Ok(if ty == Ty::Ptr { self.memory.resolve_stored(p, bits as u64).into() } else { bits })
    }

    pub(crate) fn write_value(&mut self, p: u64, ty: Ty, bits: Bits) -> Result<(), Stop> {
        let n = ty.bytes(self.program.model) as usize;
        let word = if ty == Ty::Ptr { self.memory.address(bits as u64)?.into() } else { bits };
        self.memory.write(p, &word.to_le_bytes()[..n]).map_err(|fault| Cause::Access {
            fault,
            ptr: p,
            size: n as u64,
            write: true,
        })?;
        if ty == Ty::Ptr {
            self.memory.note_stored(p, bits as u64);
        }
        Ok(())
    }

    pub(super) unsafe fn load_any(&mut self, aux: &Aux, s: *mut u64, d: Slot, p: u64) -> Result<(), Stop> {
        let Aux::Type(ty) = *aux else { return Ok(()) };
        let bits = self.read_value(p, ty)?;
        // SAFETY: slots of the frame.
        unsafe { set(s, d, ty, bits) };
        Ok(())
    }

    pub(super) unsafe fn store_any(&mut self, aux: &Aux, s: *mut u64, b: Slot, p: u64) -> Result<(), Stop> {
        let Aux::Type(ty) = *aux else { return Ok(()) };
        // SAFETY: slots of the frame.
        let bits = unsafe { get(s, b, ty) };
        self.write_value(p, ty, bits)
    }

    pub(super) unsafe fn load_bits(&mut self, aux: &Aux, s: *mut u64, d: Slot, p: u64) -> Result<(), Stop> {
        let Aux::Bits { bit, width, ty } = *aux else { return Ok(()) };
        let n = field_bytes(bit, width);
        let access = |fault| Cause::Access { fault, ptr: p, size: n.into(), write: false };
        let bytes = self.memory.bytes(p, n).map_err(access)?;
        let mut value = 0u128;
        for i in 0..u32::from(width) {
            let (byte, mask) = place_of(bit, i);
            if bytes[byte] & mask != 0 {
                value |= 1 << i;
            }
        }
        if let Some(shadow) = self.memory.shadow(p, n) {
            for i in 0..u32::from(width) {
                let (byte, mask) = place_of(bit, i);
                if shadow[byte] & mask == 0 {
                    return Err(access(Fault::Uninit(byte as u32)).into());
                }
            }
        }
        if let Ty::Int(i) = ty
            && i.signed
            && width > 0
            && width < 128
            && value >> (width - 1) & 1 != 0
        {
            value = (value | u128::MAX << width) & i.mask();
        }
        // SAFETY: slots of the frame.
        unsafe { set(s, d, ty, value) };
        Ok(())
    }

    pub(super) unsafe fn store_bits(&mut self, aux: &Aux, s: *mut u64, b: Slot, p: u64) -> Result<(), Stop> {
        let Aux::Bits { bit, width, ty } = *aux else { return Ok(()) };
        // SAFETY: slots of the frame.
        let value = unsafe { get(s, b, ty) };
        let n = field_bytes(bit, width);
        if self.memory.writing(p, n).is_none() {
            return Err(self.bad_access(p, n.into(), true).into());
        }
        let mut bytes = [0u8; 17];
        let mut masks = [0xffu8; 17];
        let len = n as usize;
        let old = self.memory.bytes(p, n).map_err(|fault| Cause::Access {
            fault,
            ptr: p,
            size: n.into(),
            write: true,
        })?;
        bytes[..len].copy_from_slice(old);
        if let Some(shadow) = self.memory.shadow(p, n) {
            masks[..len].copy_from_slice(shadow);
        }
        for i in 0..u32::from(width) {
            let (byte, mask) = place_of(bit, i);
            if value >> i & 1 != 0 {
                bytes[byte] |= mask;
            } else {
                bytes[byte] &= !mask;
            }
            masks[byte] |= mask;
        }
        self.memory.write(p, &bytes[..len]).map_err(|fault| Cause::Access {
            fault,
            ptr: p,
            size: n.into(),
            write: true,
        })?;
        for (i, &mask) in masks[..len].iter().enumerate() {
            self.memory.set_shadow(p + i as u64, mask);
        }
        Ok(())
    }
}

/// Bytes that a bit-field touches.
pub(super) fn field_bytes(bit: u8, width: u8) -> u32 {
    (u32::from(bit) + u32::from(width)).div_ceil(8)
}

/// Byte and mask of bit `i` of a field that starts at `bit`.
pub(super) fn place_of(bit: u8, i: u32) -> (usize, u8) {
    let at = u32::from(bit) + i;
    ((at / 8) as usize, 1 << (at % 8))
}

fn operation_name(op: BinOp) -> &'static str {
    match op {
        BinOp::Add => "an addition",
        BinOp::Sub => "a subtraction",
        BinOp::Mul => "a multiplication",
        BinOp::Shl => "a left shift",
        _ => "an operation",
    }
}
