//! Long stretches of memory, filled or copied at once.
//!
//! Piece by piece a million bytes are a million terms. But most such operations
//! are on a whole object, or nearly so: then what the object holds is taken from
//! elsewhere as a whole (one byte everywhere, or the content of the source), and
//! only the rest of the object, which stays as it was, is put back piece by piece.
//!
//! # Why so
//!
//! *Long stretches of memory are replaced at once* (`encode::step::bulk`, and again in `checker::memory`):
//! filling or copying most of an object takes what the object holds from elsewhere, and puts back the few
//! bytes around.

use cairn_term::TermId;

use super::Stepper;
use super::memory::{FEW_BYTES, MAX_BYTES};
use crate::object::{Content, Ground};
use crate::pointer::{Instance, PointerTarget, candidates};
use crate::state::{Object, State};

/// A stretch of an object from a constant offset on, and the parts of the object before and behind it.
struct Stretch {
    instance: Instance,
    start: u64,
    rest: Vec<(u64, u64)>,
}

impl Stepper<'_, '_> {
    /// Fills `n` bytes of memory that are there; `false` if that cannot be done at once, or is better done
    /// byte by byte: contents on one ground are easily merged.
    pub(super) fn fill_at_once(&mut self, d: TermId, byte: TermId, n: TermId, s: &mut State) -> bool {
        let (Some(byte), Some(to)) = (self.pool.as_bits(byte), self.stretch(d, n, s)) else { return false };
        let few = self.pool.as_bits(n).is_some_and(|n| n <= FEW_BYTES.into());
        if few && !(byte == 0 && to.rest.is_empty()) {
            return false;
        }
        let ground = if byte == 0 { Ground::Zero } else { Ground::Byte(byte as u8) };
        self.replace(&to, Content::new(ground), s);
        true
    }

    /// Copies `n` bytes between objects where both are there; `None` if that cannot be done at once, or
    /// would not be the same content: what is indeterminate gets its value where it is read.
    pub(super) fn copy_at_once(&mut self, d: TermId, r: TermId, n: TermId, s: &mut State) -> Option<()> {
        let to = self.stretch(d, n, s)?;
        let (from, start) = self.spot(r)?;
        let content = s.memory.get(&from)?.content.clone();
        let open = matches!(content, Content::Cells { ground: Ground::Indeterminate, .. });
        if open || start != to.start || from == to.instance {
            return None;
        }
        self.replace(&to, content, s);
        Some(())
    }

    /// The one place where a pointer points.
    fn spot(&mut self, p: TermId) -> Option<(Instance, u64)> {
        let found = candidates(self.pool, p);
        let [only] = &found[..] else { return None };
        let PointerTarget::At(i, offset) = only.target else { return None };
        Some((i, self.pool.as_bits(offset)? as u64))
    }

    /// The `n` bytes at a pointer, if few bytes of their object are not among them.
    fn stretch(&mut self, p: TermId, n: TermId, s: &State) -> Option<Stretch> {
        let (instance, start) = self.spot(p)?;
        s.memory.get(&instance)?;
        let n = self.pool.resize(64, false, n);
        let info = &self.infos[instance.0 as usize];
        if start == 0 && info.size == n {
            return Some(Stretch { instance, start, rest: Vec::new() });
        }
        let (n, size) = (self.pool.as_bits(n)? as u64, info.constant_size?);
        let end = start.checked_add(n).filter(|&end| end <= size)?;
        let few = size - n <= MAX_BYTES && size - n < n;
        few.then(|| Stretch { instance, start, rest: vec![(0, start), (end, size)] })
    }

    /// Gives an object new content, but for its rest.
    fn replace(&mut self, to: &Stretch, mut content: Content, s: &mut State) {
        let start = to.instance.address(self.pool);
        for &(from, end) in &to.rest {
            let p = self.advance(start, from);
            let n = self.pool.bits(64, (end - from).into());
            for (at, ty) in self.pieces(p, end - from, n, s) {
                let offset = self.pool.bits(64, (from + at).into());
                self.with_content(s, to.instance, |a, old| {
                    let value = a.read(old, offset, ty);
                    a.write(&mut content, offset, ty, value);
                });
            }
        }
        if let Some(live) = s.memory.get(&to.instance).map(|o| o.live) {
            s.memory.insert(to.instance, Object { live, content });
        }
    }
}
