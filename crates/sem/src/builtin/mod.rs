//! What no C text can express: the world outside, formats, floats of libm.

mod math;

use cairn_base::Limit;
use cairn_ir::{Bits, Builtin, DataModel, FloatTy, IntTy, Ty};
use cairn_value::format::{Store, format};
use cairn_value::scan::leading_float;

use crate::code::{Aux, NO_SLOT, Slot, slots_of};
use crate::machine::Machine;
use crate::memory::{Fault, id_of, offset_of, pointer};
use crate::slot::{from_bits, to_bits};
use crate::stop::{Cause, Stop};

impl Machine<'_> {
    /// Calls a builtin: arguments in the slots from `args` on, result to `d`.
    ///
    /// # Safety
    /// The slots lie in the frame at `s`.
    pub(crate) unsafe fn call_builtin(
        &mut self,
        aux: &Aux,
        s: *mut u64,
        args: Slot,
        d: Slot,
    ) -> Result<(), Stop> {
        let Aux::Builtin { builtin, args: types } = aux else { return Ok(()) };
        let mut values = [0u128; 8];
        let mut at = args as usize;
        for (value, &ty) in values.iter_mut().zip(types) {
            // SAFETY: by contract.
            *value = unsafe { to_bits(ty, *s.add(at), if slots_of(ty) == 2 { *s.add(at + 1) } else { 0 }) };
            at += slots_of(ty) as usize;
        }
        let (ty, bits) = self.builtin(*builtin, &values)?;
        if d != NO_SLOT {
            let (low, high) = from_bits(ty, bits);
            // SAFETY: by contract.
            unsafe {
                *s.add(d as usize) = low;
                if slots_of(ty) == 2 {
                    *s.add(d as usize + 1) = high;
                }
            }
        }
        Ok(())
    }

    fn builtin(&mut self, builtin: Builtin, args: &[Bits; 8]) -> Result<(Ty, Bits), Stop> {
        let word = |i: usize| args[i] as u64;
        let int = |v: i32| (Ty::I32, Bits::from(v as u32));
        let size = Ty::Int(IntTy::size(self.program.model));
        Ok(match builtin {
            Builtin::Exit => return Err(Stop::Exit(word(0) as i32)),
            Builtin::Abort => return Err(Stop::Abort),
            Builtin::Error => return Err(Stop::Error("the error function was called".to_string())),
            Builtin::AssertFail => {
                let text = self.c_string(word(0), None).unwrap_or_default();
                return Err(Stop::Error(match String::from_utf8_lossy(&text) {
                    text if text.is_empty() => "an assertion failed".to_string(),
                    text => format!("assertion '{text}' failed"),
                }));
            }
            Builtin::Printf => {
                let text = self.formatted(word(1), word(2))?;
                match text {
                    Some(text) => {
                        self.output(word(0) as i32, &text);
                        int(i32::try_from(text.len()).unwrap_or(-1))
                    }
                    None => int(-1),
                }
            }
            Builtin::Snprintf => {
                let (buffer, room) = (word(0), word(1));
                let Some(text) = self.formatted(word(2), word(3))? else { return Ok(int(-1)) };
                if room > 0 {
                    let n = text.len().min(usize::try_from(room - 1).unwrap_or(usize::MAX));
                    let mut data = text[..n].to_vec();
                    data.push(0);
                    self.write_bytes(buffer, &data)?;
                }
                int(i32::try_from(text.len()).unwrap_or(-1))
            }
            Builtin::Write => {
                let n = u32::try_from(word(2)).unwrap_or(u32::MAX);
                let data = self.memory.read(word(1), n);
                match data {
                    // What goes to files is read, and that is all.
                    Ok(data) if matches!(word(0) as i32, 1 | 2) => self.io.write(word(0) as i32, data),
                    Ok(_) => {}
                    Err(fault) => return Err(access(fault, word(1), word(2), false)),
                }
                (size, args[2])
            }
            Builtin::ReadByte => int(self.io.read_byte().map_or(-1, i32::from)),
            Builtin::ObjectSize => {
                let p = word(0);
                let whole = self.memory.entry(id_of(p)).map_or(0, |e| e.size);
                (size, whole.saturating_sub(offset_of(p)).into())
            }
            Builtin::Place => {
                let (p, base, align) = (word(0), word(1), word(2));
                if !self.memory.place(p, base, align) || !self.memory.is_aligned(p, align) {
                    return Err(Stop::AssumptionFailed);
                }
                (size, 0)
            }
            Builtin::Strtod(ty) => {
                let (text, end) = (word(0), word(1));
                let bytes = self.c_string(text, None)?;
                let (bits, used) = leading_float(ty, &bytes);
                if end != 0 {
                    let rest = crate::statics::move_pointer(text, used as i64, self.program.model);
                    self.write_value(end, Ty::Ptr, rest.into())?;
                }
                (Ty::Float(ty), bits)
            }
            Builtin::Math(function, ty) => {
                if matches!(ty, FloatTy::X80 | FloatTy::F128) && !math::is_exact(function) {
                    self.notes.add(format!("{function:?} of {ty} is computed in double precision"));
                }
                (Ty::Float(ty), math::apply(function, ty, [args[0], args[1], args[2]]))
            }
        })
    }

    /// Only standard output and standard error are shown.
    fn output(&mut self, fd: i32, data: &[u8]) {
        if matches!(fd, 1 | 2) {
            self.io.write(fd, data);
        }
    }

    /// The text a format makes of the variable arguments in an area.
    fn formatted(&mut self, text: u64, area: u64) -> Result<Option<Vec<u8>>, Stop> {
        format(self, text, pointer(id_of(area), 0), offset_of(area).into())
    }

    /// The bytes of a string before its end, or before `most` of them.
    fn c_string(&self, p: u64, most: Option<usize>) -> Result<Vec<u8>, Stop> {
        let room = self.memory.entry(id_of(p)).map_or(0, |e| e.size).saturating_sub(offset_of(p));
        let most = most.unwrap_or(usize::MAX);
        let n = room.min(u32::try_from(most).unwrap_or(u32::MAX));
        if most == 0 {
            return Ok(Vec::new());
        }
        let bytes = match self.memory.bytes(p, n) {
            Ok(bytes) if n > 0 => bytes,
            _ => return Err(self.bad_access(p, 1, false).into()),
        };
        let end = bytes.iter().position(|&b| b == 0);
        let text = &bytes[..end.unwrap_or(bytes.len())];
        // The terminator, too, must be initialised; shorter strings may end at `most`.
        let seen = text.len() + usize::from(end.is_some());
        if let Some(at) = self.memory.first_uninit(p, seen as u32) {
            return Err(access(Fault::Uninit(0), p + u64::from(at), 1, false));
        }
        if end.is_none() && text.len() < most {
            return Err(access(Fault::OutOfBounds, p + text.len() as u64, 1, false));
        }
        Ok(text.to_vec())
    }

    fn write_bytes(&mut self, p: u64, data: &[u8]) -> Result<(), Stop> {
        self.memory.write(p, data).map_err(|fault| access(fault, p, data.len() as u64, true))
    }
}

fn access(fault: Fault, ptr: u64, size: u64, write: bool) -> Stop {
    Cause::Access { fault, ptr, size, write }.into()
}

impl Store for Machine<'_> {
    type Pointer = u64;
    type Stop = Stop;

    fn model(&self) -> DataModel {
        self.program.model
    }

    fn read(&mut self, p: u64, at: u64, ty: Ty) -> Result<Bits, Stop> {
        self.read_value(crate::statics::move_pointer(p, at as i64, self.program.model), ty)
    }

    fn pointer(&mut self, p: u64, at: u64) -> Result<u64, Stop> {
        self.read(p, at, Ty::Ptr).map(|bits| bits as u64)
    }

    fn string(&mut self, p: u64, most: Option<usize>) -> Result<Vec<u8>, Stop> {
        self.c_string(p, most)
    }

    fn address(&mut self, p: u64) -> Result<u64, Stop> {
        Ok(self.memory.address(p)?)
    }

    fn write(&mut self, p: u64, ty: Ty, bits: Bits) -> Result<(), Stop> {
        self.write_value(p, ty, bits)
    }

    fn misuse(&mut self, what: String) -> Stop {
        Cause::Library(what).into()
    }

    fn too_long(&mut self) -> Stop {
        Stop::Limit(Limit::Memory)
    }
}
