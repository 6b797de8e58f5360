//! The primitives of the library. Output goes nowhere.

use cairn_base::DataModel;
use cairn_core::SoleEnd;
use cairn_ir::{Bits, Builtin, FloatTy, MathFn, Ty};
use cairn_value::float::{Class, classify, fma};
use cairn_value::format::{Store, format};
use cairn_value::scan::leading_float;

use super::eval::nan;
use super::memory::Pointer;
use super::{Flow, Stop, Value, Walk, layout, open};
use crate::Rejection;

/// What a function returns that cannot do its work.
const FAILED: Bits = u32::MAX as Bits;

impl Walk<'_> {
    pub fn builtin(&mut self, b: Builtin, args: &[Value]) -> Flow<Value> {
        let unknown = || open("an argument of the library that was never assigned");
        let bits = |n: usize| match args.get(n) {
            Some(Value::Bits(bits)) => Ok(*bits),
            _ => Err(unknown()),
        };
        let pointer = |n: usize| match args.get(n) {
            Some(Value::Pointer(p)) => Ok(*p),
            _ => Err(unknown()),
        };
        Ok(Value::Bits(match b {
            Builtin::Exit => return Err(Stop::End(SoleEnd::Exit)),
            Builtin::Abort => return Err(Stop::End(SoleEnd::Abort)),
            Builtin::Error | Builtin::AssertFail => {
                let what = "an error is reached".to_owned();
                return Err(Stop::Refused(Rejection::Wrong { what, place: cairn_base::Place::NONE }));
            }
            Builtin::Printf => return self.printf(pointer(1)?, pointer(2)?),
            Builtin::Snprintf => {
                let (buffer, room) = (pointer(0)?, bits(1)?);
                let Some(mut text) = self.formatted(pointer(2)?, pointer(3)?)? else {
                    return Ok(Value::Bits(FAILED));
                };
                let length = text.len();
                if room > 0 {
                    text.truncate(usize::try_from(room - 1).unwrap_or(usize::MAX));
                    text.push(0);
                    self.memory.write(buffer, &text)?;
                }
                length as Bits
            }
            Builtin::Write => {
                self.memory.readable(pointer(1)?, bits(2)? as u64)?;
                bits(2)?
            }
            Builtin::ReadByte => {
                let what = "the execution reads from outside".to_owned();
                return Err(Stop::Refused(Rejection::Wrong { what, place: cairn_base::Place::NONE }));
            }
            Builtin::ObjectSize => self.memory.room(pointer(0)?).into(),
            Builtin::Place => return Err(layout()),
            Builtin::Strtod(ty) => {
                let (text, end) = (pointer(0)?, pointer(1)?);
                let (bits, used) = leading_float(ty, &self.memory.string(text, None)?);
                if end != Pointer::NULL {
                    let rest = Pointer { offset: text.offset + used as i64, ..text };
                    self.memory.write_pointer(end, rest)?;
                }
                known(ty, bits)?
            }
            Builtin::Math(MathFn::Fma, ty) => known(ty, fma(ty, bits(0)?, bits(1)?, bits(2)?))?,
            Builtin::Math(..) => {
                return Err(open("a mathematical function whose results no standard fixes"));
            }
        }))
    }

    /// Formatted output. Its length is open if addresses are shown.
    fn printf(&mut self, text: Pointer, area: Pointer) -> Flow<Value> {
        self.shown = Some(false);
        let text = self.formatted(text, area);
        let addresses = self.shown.take() == Some(true);
        let text = text?;
        Ok(if addresses { Value::Open } else { Value::Bits(text.map_or(FAILED, |t| t.len() as Bits)) })
    }

    fn formatted(&mut self, text: Pointer, area: Pointer) -> Flow<Option<Vec<u8>>> {
        format(self, text, Pointer { offset: 0, ..area }, area.offset as u64)
    }
}

/// A float with bits that are the same everywhere.
fn known(ty: FloatTy, bits: Bits) -> Flow<Bits> {
    if classify(ty, bits) == Class::Nan { Err(nan()) } else { Ok(bits) }
}

impl Store for Walk<'_> {
    type Pointer = Pointer;
    type Stop = Stop;

    fn model(&self) -> DataModel {
        self.program.model
    }

    fn read(&mut self, p: Pointer, at: u64, ty: Ty) -> Flow<Bits> {
        let p = Pointer { offset: p.offset + at as i64, ..p };
        match self.load(p, ty)? {
            Value::Bits(bits) => Ok(bits),
            _ => Err(open("a pointer where a number is expected")),
        }
    }

    fn pointer(&mut self, p: Pointer, at: u64) -> Flow<Pointer> {
        self.memory.read_pointer(Pointer { offset: p.offset + at as i64, ..p })
    }

    fn string(&mut self, p: Pointer, most: Option<usize>) -> Flow<Vec<u8>> {
        self.memory.string(p, most)
    }

    fn address(&mut self, p: Pointer) -> Flow<u64> {
        match &mut self.shown {
            _ if p.object == 0 => Ok(p.offset as u64),
            Some(addresses) => {
                *addresses = true;
                Ok(u64::MAX)
            }
            None => Err(layout()),
        }
    }

    fn write(&mut self, p: Pointer, ty: Ty, bits: Bits) -> Flow<()> {
        // How much was written before is open.
        if self.shown == Some(true) {
            return Err(layout());
        }
        self.store(p, ty, Value::Bits(bits))
    }

    fn misuse(&mut self, _: String) -> Stop {
        Stop::End(SoleEnd::Undefined)
    }

    fn too_long(&mut self) -> Stop {
        open("a text that is too long")
    }
}
