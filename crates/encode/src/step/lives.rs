//! Births, instances and pieces of memory. Clients that follow executions one by one
//! name instances and births themselves, after where and when on its way an execution
//! makes them; others leave that to [`Stepper::step`].
//!
//! The guard of a state is what was assumed since it was last emptied.

use cairn_base::Place;
use cairn_ir::{AllocKind, EdgeId, FuncId, ObjId, VarId};
use cairn_term::{Pool, TermId};

use super::Stepper;
use crate::birth::{BirthId, Births};
use crate::object::{Content, Found, Ground, MemoryPiece};
use crate::pointer::Instance;
use crate::state::{Info, Object, State};

impl Stepper<'_, '_> {
    /// From now on an access at the first address is one at the second: they are known to be equal
    /// where it matters.
    pub fn place(&mut self, address: TermId, known: TermId) {
        self.placed.insert(address, known);
    }

    /// What is known of an address or a size.
    pub fn fixed(&self, t: TermId) -> TermId {
        self.placed.get(&t).copied().unwrap_or(t)
    }

    /// What was said by [`Stepper::place`] is no longer so.
    pub fn unplace(&mut self) {
        self.placed.clear();
    }

    /// A new instance of a local object.
    pub fn local(&mut self, o: ObjId) -> Instance {
        let info = self.info_of(o);
        self.instance(info)
    }

    /// A new instance of allocated memory; its size is a 64-bit term.
    pub fn allocation(&mut self, size: TermId, kind: AllocKind, place: Place) -> Instance {
        let is_heap = kind == AllocKind::Heap;
        let info = Info::memory(self.pool, "allocated memory", place, size, is_heap);
        self.instance(info)
    }

    /// What an object holds at first that comes to life at an edge; `number` tells it apart from
    /// others there.
    pub fn new_birth(&mut self, e: EdgeId, number: u32) -> BirthId {
        self.births.add(e, number)
    }

    /// The same, named after how often that happened at the edge before, and kept in the list of all
    /// that has come to life.
    pub(super) fn birth(&mut self, e: EdgeId, size: TermId, s: &State) -> BirthId {
        let count = self.taken.entry(e).or_default();
        let id = self.births.add(e, *count);
        *count += 1;
        self.born.push((id, s.guard.clone(), size));
        id
    }

    pub fn births(&self) -> &Births {
        &self.births
    }

    /// The life of an instance begins, with such a content or with zeroes; its address.
    fn revive(&mut self, i: Instance, first: Option<BirthId>, s: &mut State) -> TermId {
        let ground = first.map_or(Ground::Zero, Ground::Born);
        s.memory.insert(i, Object { live: Pool::TRUE, content: Content::new(ground) });
        i.address(self.pool)
    }

    /// The life of a local object begins, as this instance.
    pub fn begin(&mut self, o: ObjId, i: Instance, first: BirthId, s: &mut State) {
        self.end(o, s);
        let address = self.revive(i, Some(first), s);
        s.frame.insert(o, address);
    }

    /// The life of allocated memory begins, as this instance, with such a content or with zeroes.
    pub fn allocate(
        &mut self,
        dst: VarId,
        i: Instance,
        kind: AllocKind,
        first: Option<BirthId>,
        s: &mut State,
    ) {
        let address = self.revive(i, first, s);
        if kind != AllocKind::Heap {
            s.frame.insert(i.scoped(), address);
        }
        self.assign(dst, address, s);
    }

    /// The instance of a static object.
    pub fn static_instance(&self, o: ObjId) -> Option<Instance> {
        self.objects.get(&o).copied()
    }

    /// The address of a function.
    pub fn function_address(&mut self, f: FuncId) -> TermId {
        self.funcs[&f].address(self.pool)
    }

    /// What a state holds in place of a piece of memory. `None` if it has no such object, or one
    /// that is kept as an array of something else.
    pub fn piece(&mut self, piece: MemoryPiece, s: &State) -> Option<TermId> {
        let (MemoryPiece::Cell { instance, .. } | MemoryPiece::Whole { instance, .. }) = piece;
        let object = s.memory.get(&instance)?;
        if let MemoryPiece::Cell { at, ty, .. } = piece
            && let Found::Value(value) = object.content.find(at, ty, self.program.model)
        {
            return Some(value);
        }
        // What is read for the first time is kept; a state that is only looked at keeps nothing.
        let mut scratch = s.clone();
        self.with_content(&mut scratch, instance, |access, content| match piece {
            MemoryPiece::Cell { at, ty, .. } => {
                let offset = access.pool.bits(64, at.into());
                Some(access.read(content, offset, ty))
            }
            MemoryPiece::Whole { elem, .. } => {
                access.make_array(content, elem);
                match content {
                    Content::Array { elem: found, array } if *found == elem => Some(*array),
                    _ => None,
                }
            }
        })
    }
}
