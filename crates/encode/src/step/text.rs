//! Primitives of the library on constants: formats, numbers in texts, floats. What
//! they give is defined as for the executor (`cairn_value`); if a text is not
//! constant, there is no reading.

use cairn_ir::{Builtin, DataModel, EdgeId, FloatTy, IntTy, MathFn, Ty, VarId};
use cairn_term::{Pool, TermId};
use cairn_value::Bits;
use cairn_value::float::{Class, classify, fma};
use cairn_value::format::{Store, counts, format};
use cairn_value::scan::leading_float;

use super::Stepper;
use crate::pointer::{PointerTarget, candidates};
use crate::state::State;

/// The longest text that is read or made.
const LONGEST: usize = 1 << 14;

const BYTE: Ty = Ty::Int(IntTy::U8);

/// Why a text cannot be made.
enum Stop {
    /// No execution goes on.
    Dead,
    /// It is not constant, or otherwise beyond this reading.
    Open(&'static str),
}

/// Memory of a state, for formats.
struct Reader<'a, 'u, 'p> {
    stepper: &'a mut Stepper<'u, 'p>,
    state: &'a mut State,
    edge: EdgeId,
}

impl Reader<'_, '_, '_> {
    fn load(&mut self, p: TermId, at: u64, ty: Ty) -> Result<TermId, Stop> {
        let p = self.stepper.advance(p, at);
        self.stepper.load(p, ty, self.state, self.edge).ok_or(Stop::Dead)
    }
}

impl Store for Reader<'_, '_, '_> {
    type Pointer = TermId;
    type Stop = Stop;

    fn model(&self) -> DataModel {
        self.stepper.program.model
    }

    fn read(&mut self, p: TermId, at: u64, ty: Ty) -> Result<Bits, Stop> {
        let value = self.load(p, at, ty)?;
        self.stepper.pool.as_bits(value).ok_or(Stop::Open("an argument that is not constant"))
    }

    fn pointer(&mut self, p: TermId, at: u64) -> Result<TermId, Stop> {
        self.load(p, at, Ty::Ptr)
    }

    fn string(&mut self, p: TermId, most: Option<usize>) -> Result<Vec<u8>, Stop> {
        let mut text = Vec::new();
        while most.is_none_or(|most| text.len() < most) {
            let byte = self.load(p, text.len() as u64, BYTE)?;
            match self.stepper.pool.as_bits(byte) {
                Some(0) => break,
                Some(byte) if text.len() < LONGEST => text.push(byte as u8),
                _ => return Err(Stop::Open("a text that is not constant")),
            }
        }
        Ok(text)
    }

    fn address(&mut self, _: TermId) -> Result<u64, Stop> {
        Err(Stop::Open("the digits of an address"))
    }

    fn write(&mut self, _: TermId, _: Ty, _: Bits) -> Result<(), Stop> {
        Err(Stop::Open("`%n` among conversions that only the vocabulary knows"))
    }

    fn misuse(&mut self, _: String) -> Stop {
        Stop::Open("a format that breaks the contract of the library")
    }

    fn too_long(&mut self) -> Stop {
        Stop::Open("a text that is too long")
    }
}

impl Stepper<'_, '_> {
    /// Formatted output. It has no effect on the program but for the number it returns, if the format
    /// does not ask for more (`%n`).
    pub(super) fn printf(
        &mut self,
        dst: Option<VarId>,
        args: &[TermId],
        mut s: State,
        e: EdgeId,
    ) -> Option<State> {
        if !self.counts_nothing(args[1], &mut s, e) {
            return self.gap("output by a format that is not known, or with `%n`,", &s, e);
        }
        if let Some(dst) = dst {
            let sort = crate::expr::sort(self.pool, self.program.vars[dst].ty);
            let v = self.pool.fresh("library", sort);
            self.assign(dst, v, &mut s);
        }
        Some(s)
    }

    /// Surely a format without `%n`, whichever of its values the pointer has?
    fn counts_nothing(&mut self, p: TermId, s: &mut State, e: EdgeId) -> bool {
        candidates(self.pool, p).into_iter().all(|c| {
            let PointerTarget::At(i, offset) = c.target else { return false };
            if s.memory.get(&i).is_none_or(|o| o.live != Pool::TRUE) {
                return false;
            }
            // Beyond the end of the object executions end anyway.
            let mut state = s.clone();
            let start = i.address(self.pool);
            let p = self.pool.bv_add(start, offset);
            let mut reader = Reader { stepper: self, state: &mut state, edge: e };
            reader.string(p, None).is_ok_and(|format| !counts(&format))
        })
    }

    /// `snprintf(args)`, see `Builtin::Snprintf`.
    pub(super) fn snprintf(
        &mut self,
        dst: Option<VarId>,
        args: &[TermId],
        mut s: State,
        e: EdgeId,
    ) -> Option<State> {
        let made = self.formatted(args, &mut s, e);
        let text = match made {
            Ok(text) => text,
            Err(Stop::Dead) => return None,
            Err(Stop::Open(what)) => return self.gap(format!("formatting {what}"), &s, e),
        };
        let length = match text {
            Some((text, room)) => {
                let kept = text.len().min(room.saturating_sub(1));
                let end = (room > 0).then_some(&0);
                for (at, &byte) in text[..kept].iter().chain(end).enumerate() {
                    let p = self.advance(args[0], at as u64);
                    let byte = self.pool.bits(8, byte.into());
                    self.store(p, BYTE, byte, &mut s, e)?;
                }
                text.len() as u128
            }
            None => u32::MAX.into(),
        };
        if let Some(dst) = dst {
            let v = self.pool.bits(32, length);
            self.assign(dst, v, &mut s);
        }
        Some(s)
    }

    /// The text, and the room for it; `None` if it cannot be encoded.
    fn formatted(
        &mut self,
        args: &[TermId],
        s: &mut State,
        e: EdgeId,
    ) -> Result<Option<(Vec<u8>, usize)>, Stop> {
        let open = Stop::Open("variable arguments that lie in several places");
        let room = self.pool.as_bits(args[1]).ok_or(Stop::Open("into room of unknown size"))?;
        let area = candidates(self.pool, args[3]);
        let (area, at) = match &area[..] {
            [only] => match only.target {
                PointerTarget::At(i, offset) => {
                    let at = self.pool.as_bits(offset).ok_or(open)?;
                    (i.address(self.pool), at as u64)
                }
                _ => (args[3], 0),
            },
            _ => return Err(open),
        };
        let mut reader = Reader { stepper: self, state: s, edge: e };
        let text = format(&mut reader, args[2], area, at)?;
        match text {
            Some(text) if text.len() > LONGEST => Err(Stop::Open("a text that is too long")),
            text => Ok(text.map(|text| (text, room.min(1 << 31) as usize))),
        }
    }

    /// The result of a mathematical function on constants, if there is but one.
    pub(super) fn exactly(&mut self, b: Builtin, args: &[TermId]) -> Option<TermId> {
        let Builtin::Math(MathFn::Fma, ty) = b else { return None };
        let &[x, y, z] = args else { return None };
        let bits = |t: TermId| self.pool.as_bits(t);
        let result = fma(ty, bits(x)?, bits(y)?, bits(z)?);
        (classify(ty, result) != Class::Nan).then(|| self.pool.bits(ty.bits(), result))
    }

    /// The float at the start of a text, see `Builtin::Strtod`.
    pub(super) fn strtod(
        &mut self,
        ty: FloatTy,
        dst: Option<VarId>,
        args: &[TermId],
        mut s: State,
        e: EdgeId,
    ) -> Option<State> {
        let mut reader = Reader { stepper: self, state: &mut s, edge: e };
        let text = match reader.string(args[0], None) {
            Ok(text) => text,
            Err(Stop::Dead) => return None,
            Err(Stop::Open(what)) => return self.gap(format!("a number from {what}"), &s, e),
        };
        let (bits, used) = leading_float(ty, &text);
        let null = self.pool.bits(64, 0);
        let nowhere = self.pool.eq(args[1], null);
        match self.pool.as_bool(nowhere) {
            Some(true) => {}
            Some(false) => {
                let rest = self.advance(args[0], used as u64);
                self.store(args[1], Ty::Ptr, rest, &mut s, e)?;
            }
            None => return self.gap("a number whose end is perhaps stored", &s, e),
        }
        if let Some(dst) = dst {
            let v = self.pool.bits(ty.bits(), bits);
            self.assign(dst, v, &mut s);
        }
        Some(s)
    }
}
