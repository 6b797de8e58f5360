//! Primitives of the library on constants. Texts: what formats make of their arguments, and numbers at
//! the start of a text. What a conversion gives is the definition of `cairn_value`;
//! finding the bytes, and writing them, is done here. Of other texts nothing is
//! known, and executions that make them cannot be read.

use cairn_base::{DataModel, Place};
use cairn_ir::{Bits, Builtin, FloatTy, IntTy, MathFn, Ty};
use cairn_term::TermId;
use cairn_value::float::{Class, classify, fma};
use cairn_value::format::{Store, counts, format};
use cairn_value::scan::leading_float;

use crate::address::{Denotes, Space, start};
use crate::state::State;
use crate::walk::{Flow, Halt, Walk};

/// The longest text that is read or made.
const LONGEST: usize = 1 << 14;

const BYTE: Ty = Ty::Int(IntTy::U8);

/// Why a text is not made: executions end, or cannot be read.
enum Stop {
    Halt(Halt),
    Gap(&'static str),
}

struct Reader<'w, 'p> {
    walk: &'w mut Walk<'p>,
    state: &'w mut State,
    place: Place,
}

impl Reader<'_, '_> {
    fn load(&mut self, p: TermId, at: u64, ty: Ty) -> Result<TermId, Stop> {
        let at = self.walk.pool.bits(64, at.into());
        let p = self.walk.pool.bv_add(p, at);
        self.walk.load(p, ty, self.state, self.place).map_err(Stop::Halt)
    }
}

impl Store for Reader<'_, '_> {
    type Pointer = TermId;
    type Stop = Stop;

    fn model(&self) -> DataModel {
        self.walk.program.model
    }

    fn read(&mut self, p: TermId, at: u64, ty: Ty) -> Result<Bits, Stop> {
        let value = self.load(p, at, ty)?;
        self.walk.pool.as_bits(value).ok_or(Stop::Gap("a format with an argument that is not constant"))
    }

    fn pointer(&mut self, p: TermId, at: u64) -> Result<TermId, Stop> {
        self.load(p, at, Ty::Ptr)
    }

    fn string(&mut self, p: TermId, most: Option<usize>) -> Result<Vec<u8>, Stop> {
        let mut text = Vec::new();
        while most.is_none_or(|n| text.len() < n) {
            let byte = self.load(p, text.len() as u64, BYTE)?;
            let byte = self.walk.pool.as_bits(byte).filter(|_| text.len() < LONGEST);
            match byte.ok_or(Stop::Gap("a text that is not constant"))? {
                0 => break,
                byte => text.push(byte as u8),
            }
        }
        Ok(text)
    }

    fn address(&mut self, _: TermId) -> Result<u64, Stop> {
        Err(Stop::Gap("the digits of an address"))
    }

    /// What a loop changes is found without regard to this.
    fn write(&mut self, _: TermId, _: Ty, _: Bits) -> Result<(), Stop> {
        Err(Stop::Gap("`%n` among conversions that only the vocabulary knows"))
    }

    fn misuse(&mut self, _: String) -> Stop {
        Stop::Gap("a format that breaks the contract of the library")
    }

    fn too_long(&mut self) -> Stop {
        Stop::Gap("a text that is too long")
    }
}

impl Walk<'_> {
    fn made<T>(&mut self, text: Result<T, Stop>, s: &State, place: Place) -> Flow<T> {
        text.map_err(|stop| match stop {
            Stop::Halt(halt) => halt,
            Stop::Gap(what) => self.gap(&s.path, what, place),
        })
    }

    /// Output by a format changes no memory: it does not ask for the number of bytes so far (`%n`).
    pub fn changes_nothing(&mut self, format: TermId, s: &mut State, place: Place) -> Flow<()> {
        let mut texts = Vec::new();
        for (when, (what, offset)) in self.space.placed(&mut self.pool, format) {
            let known = match what {
                Denotes::Object(i) => {
                    let p = start(&mut self.pool, i);
                    let p = self.pool.bv_add(p, offset);
                    let mut reader = Reader { walk: self, state: &mut s.clone(), place };
                    Some(reader.string(p, None))
                }
                // Executions end there.
                Denotes::Nothing => None,
                Denotes::Anything => Some(Err(Stop::Gap("a format that is not known"))),
            };
            texts.extend(known.map(|text| (when, text)));
        }
        for (when, text) in texts {
            let fine = match text {
                Ok(text) => !counts(&text),
                Err(Stop::Halt(Halt::Dead)) => true,
                Err(Stop::Halt(stop)) => return Err(stop),
                Err(Stop::Gap(_)) => false,
            };
            if !fine {
                if let Some(path) = s.path.clone().and(&self.pool, when) {
                    self.gap(&path, "output by a format that is not known, or with `%n`", place);
                }
                let other = self.pool.not(when);
                self.assume(s, other)?;
            }
        }
        Ok(())
    }

    /// `snprintf` on constants; gives the length of the text.
    pub fn snprintf(&mut self, args: &[TermId], s: &mut State, place: Place) -> Flow<TermId> {
        // Variable arguments are aligned from the start of the area on.
        let (area, at) = match Space::constant(&self.pool, args[3]) {
            Some((i, offset)) => (start(&mut self.pool, i), offset),
            None => (args[3], 0),
        };
        let aligned = self.pool.as_bits(args[3]).is_some();
        let (Some(room), true) = (self.pool.as_bits(args[1]), aligned) else {
            return Err(self.gap(&s.path, "formatted text of unknown place or room", place));
        };
        let text = format(&mut Reader { walk: self, state: s, place }, args[2], area, at);
        let Some(text) = self.made(text, s, place)? else { return Ok(self.pool.bits(32, u32::MAX.into())) };
        if text.len() > LONGEST {
            return Err(self.gap(&s.path, "a text that is too long", place));
        }
        if room > 0 {
            let kept = text.len().min(usize::try_from(room - 1).unwrap_or(usize::MAX));
            for (at, byte) in text[..kept].iter().chain(&[0]).enumerate() {
                let at = self.pool.bits(64, at as u128);
                let p = self.pool.bv_add(args[0], at);
                let byte = self.pool.bits(8, (*byte).into());
                self.store(p, BYTE, byte, s, place)?;
            }
        }
        Ok(self.pool.bits(32, text.len() as u128))
    }

    /// A mathematical function of constants that has one result.
    pub fn exactly(&mut self, b: Builtin, args: &[TermId]) -> Option<TermId> {
        match (b, args) {
            (Builtin::Math(MathFn::Fma, ty), &[x, y, z]) => {
                let [x, y, z] = [x, y, z].map(|t| self.pool.as_bits(t));
                let bits = fma(ty, x?, y?, z?);
                (classify(ty, bits) != Class::Nan).then(|| self.pool.bits(ty.bits(), bits))
            }
            _ => None,
        }
    }

    /// `strtod` and its kin on a constant text; gives the number.
    pub fn strtod(&mut self, ty: FloatTy, args: &[TermId], s: &mut State, place: Place) -> Flow<TermId> {
        let text = Reader { walk: self, state: s, place }.string(args[0], None);
        let text = self.made(text, s, place)?;
        let (bits, used) = leading_float(ty, &text);
        let null = self.pool.bits(64, 0);
        let nowhere = self.pool.eq(args[1], null);
        match self.pool.as_bool(nowhere) {
            Some(true) => {}
            Some(false) => {
                let used = self.pool.bits(64, used as u128);
                let rest = self.pool.bv_add(args[0], used);
                self.store(args[1], Ty::Ptr, rest, s, place)?;
            }
            None => return Err(self.gap(&s.path, "a number whose end is perhaps stored", place)),
        }
        Ok(self.pool.bits(ty.bits(), bits))
    }
}
