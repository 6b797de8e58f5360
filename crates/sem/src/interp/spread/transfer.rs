//! Uninitialised bits between slots, and between slots and memory.

use cairn_ir::{IntTy, Ty};

use super::super::scalars::{field_bytes, get, place_of, set};
use super::Origin;
use super::bits::{extended, whole};
use crate::code::{Aux, FuncCode, NO_SLOT, Slot, is_wide, slots_of};
use crate::machine::Machine;
use crate::stop::Stop;

impl Machine<'_> {
    /// The arguments of a call as the parameters of the frame that it opens.
    pub(super) fn pass(&mut self, code: *const FuncCode, s: *mut u64, args: Slot, params: u32) {
        // SAFETY: the next frame begins where the slots of this one end.
        let next = unsafe { s.add((*code).slots as usize) };
        for i in 0..params {
            // SAFETY: slots of both frames.
            let (from, to) = unsafe { (s.add((args + i) as usize), next.add(i as usize)) };
            let mark = self.spread.marks.get(&(from as usize)).copied();
            self.set_mark(to, mark.map_or(0, |k| k.bits), mark.map(|k| k.origin));
        }
    }

    /// A value of the type is set that is initialised.
    pub(super) fn clear(&mut self, d: Slot, ty: Ty, s: *mut u64) {
        for i in (0..slots_of(ty)).filter(|_| d != NO_SLOT) {
            // SAFETY: slots of the frame.
            self.set_mark(unsafe { s.add((d + i) as usize) }, 0, None);
        }
    }

    /// A value of the type is set that is not initialised at all.
    pub(super) fn unknown(&mut self, d: Slot, ty: Ty, from: Origin, s: *mut u64) {
        let (low, high) = whole(ty);
        // SAFETY: slots of the frame.
        unsafe {
            set(s, d, ty, 0);
            self.set_mark(s.add(d as usize), low, Some(from));
            if is_wide(ty) {
                self.set_mark(s.add(d as usize + 1), high, Some(from));
            }
        }
    }

    /// Loads a value of which some bits are not initialised.
    pub(super) fn spread_load(&mut self, ty: Ty, d: Slot, p: u64, s: *mut u64) -> Result<bool, Stop> {
        let n = ty.bytes(self.program.model) as u32;
        let mut unset = 0u128;
        for (i, &mask) in self.memory.shadow(p, n).unwrap_or(&[]).iter().take(16).enumerate() {
            unset |= u128::from(!mask) << (8 * i);
        }
        // Bytes of padding in the value count for nothing.
        unset &= u128::MAX >> (128 - u32::from(ty.bits(self.program.model)));
        if unset == 0 {
            self.clear(d, ty, s);
            // Padding is all that may be uninitialised, and other modes mind it.
            if self.memory.first_uninit(p, n).is_none() {
                return Ok(false);
            }
        }
        let Ok(bytes) = self.memory.bytes(p, n) else { return Ok(false) };
        let mut all = [0; 16];
        all[..bytes.len()].copy_from_slice(bytes);
        let bits = u128::from_le_bytes(all) & (u128::MAX >> (128 - u32::from(ty.bits(self.program.model))));
        let bits = if ty == Ty::Ptr { self.memory.resolve(bits as u64).into() } else { bits };
        let (low, high) = extended(ty, unset);
        let at = self.memory.first_uninit(p, n).unwrap_or(0);
        let from = Some(Origin::Memory { ptr: p, size: n, at });
        // SAFETY: slots of the frame.
        unsafe {
            set(s, d, ty, bits);
            self.set_mark(s.add(d as usize), low, from);
            if is_wide(ty) {
                self.set_mark(s.add(d as usize + 1), high, from);
            }
        }
        Ok(true)
    }

    /// Stores a value of which some bits are not initialised.
    pub(super) fn spread_store(&mut self, ty: Ty, b: Slot, p: u64, s: *mut u64) -> Result<bool, Stop> {
        // SAFETY: slots of the frame.
        let at = |i: u32| unsafe { s.add((b + i) as usize) };
        let mark = |m: &Self, i: u32| m.spread.marks.get(&(at(i) as usize)).map_or(0, |k| k.bits);
        let high = if is_wide(ty) { mark(self, 1) } else { 0 };
        let unset = u128::from(mark(self, 0)) | u128::from(high) << 64;
        let n = ty.bytes(self.program.model);
        if unset == 0 || self.memory.writing(p, n as u32).is_none() {
            return Ok(false);
        }
        // SAFETY: slots of the frame.
        let value = unsafe { get(s, b, ty) };
        self.write_value(p, ty, value)?;
        for i in 0..n.min(16) {
            let byte = (unset >> (8 * i)) as u8;
            if byte != 0 {
                self.memory.set_shadow(p + i, !byte);
            }
        }
        Ok(true)
    }

    /// Loads a bit-field of which some bits are not initialised.
    pub(super) fn spread_load_bits(&mut self, aux: &Aux, d: Slot, p: u64, s: *mut u64) -> Result<bool, Stop> {
        let Aux::Bits { bit, width, ty } = *aux else { return Ok(false) };
        let n = field_bytes(bit, width);
        let mut unset = 0u128;
        let mut first = None;
        if let Some(shadow) = self.memory.shadow(p, n) {
            for i in 0..u32::from(width) {
                let (byte, one) = place_of(bit, i);
                if shadow[byte] & one == 0 {
                    unset |= 1 << i;
                    first.get_or_insert(byte as u32);
                }
            }
        }
        let Some(at) = first else {
            self.clear(d, ty, s);
            return Ok(false);
        };
        let Ok(bytes) = self.memory.bytes(p, n) else { return Ok(false) };
        let mut value = 0u128;
        for i in 0..u32::from(width) {
            let (byte, one) = place_of(bit, i);
            if bytes[byte] & one != 0 {
                value |= 1 << i;
            }
        }
        let field = Ty::Int(IntTy { bits: width.max(1), signed: matches!(ty, Ty::Int(i) if i.signed) });
        if let (Ty::Int(i), Ty::Int(narrow)) = (ty, field) {
            value = narrow.number(value) as u128 & i.mask();
        }
        let (low, high) = {
            let (low, high) = extended(field, unset);
            // The sign of a field reaches to the end of the type.
            extended(ty, u128::from(low) | u128::from(if low >> 63 != 0 { u64::MAX } else { high }) << 64)
        };
        let from = Some(Origin::Memory { ptr: p, size: n, at });
        // SAFETY: slots of the frame.
        unsafe {
            set(s, d, ty, value);
            self.set_mark(s.add(d as usize), low, from);
            if is_wide(ty) {
                self.set_mark(s.add(d as usize + 1), high, from);
            }
        }
        Ok(true)
    }
}
