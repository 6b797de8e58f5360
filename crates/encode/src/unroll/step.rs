//! Single operations, for engines that follow executions one by one: they keep
//! control, calls and the lives of objects in their own hands, and have here what
//! each operation does to a state.
//!
//! The guard of a state is what was assumed since it was last emptied.

use cairn_base::Place;
use cairn_ir::{AllocKind, Callee, EdgeId, ExprId, FuncId, ObjId, Op, Program, Signature, VarId};
use cairn_term::{Pool, TermId};

use super::{Obligation, Unroller};
use crate::birth::{BirthId, Births};
use crate::object::{Content, Found, Ground, Piece};
use crate::pointer::{Instance, Target};
use crate::state::{Info, Object, State};

impl<'p> Unroller<'_, 'p> {
    pub fn pool(&mut self) -> &mut Pool {
        self.pool
    }

    pub fn terms(&self) -> &Pool {
        self.pool
    }

    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// What the operations since the last time met.
    pub fn take_obligations(&mut self) -> Vec<Obligation> {
        std::mem::take(&mut self.out.obligations)
    }

    /// Executes an edge. Not for calls of functions, which would be followed to their end.
    pub fn step(&mut self, e: EdgeId, s: State) -> Option<State> {
        debug_assert!(!matches!(
            &self.program.edges[e].op,
            Op::Call { callee: Callee::Func(_) | Callee::Ptr { .. }, .. }
        ));
        self.edge(e, s)
    }

    /// The value of an expression at an edge; executions for which it is undefined end.
    pub fn evaluate(&mut self, x: ExprId, s: &mut State, e: EdgeId) -> Option<TermId> {
        self.value(x, s, e)
    }

    pub fn set(&mut self, v: VarId, value: TermId, s: &mut State) {
        self.assign(v, value, s);
    }

    /// From now on an access at the first address is one at the second: they are known to be equal
    /// where it matters.
    pub fn place(&mut self, address: TermId, known: TermId) {
        self.placed.insert(address, known);
    }

    /// What is known of an address or a size.
    pub fn fixed(&self, t: TermId) -> TermId {
        self.placed.get(&t).copied().unwrap_or(t)
    }

    /// What was said by [`Unroller::place`] is no longer so.
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
        let constant_size = self.pool.as_bits(size).map(|b| b as u64);
        self.instance(Info {
            name: "allocated memory".into(),
            place,
            size,
            constant_size,
            align: super::ALLOCATED,
            is_heap: kind == AllocKind::Heap,
            writable: true,
            is_code: false,
        })
    }

    /// What an object holds at first that comes to life at an edge; `number` tells it apart from
    /// others there.
    pub fn new_birth(&mut self, e: EdgeId, number: u32) -> BirthId {
        self.births.add(e, number)
    }

    pub fn births(&self) -> &Births {
        &self.births
    }

    /// The life of an instance begins, with such a content or with zeroes.
    pub fn revive(&mut self, i: Instance, first: Option<BirthId>, s: &mut State) -> TermId {
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

    /// Whatever the running function has in its frame ends.
    pub fn leave(&mut self, s: &mut State) {
        let objects: Vec<ObjId> = s.frame.keys().copied().collect();
        for o in objects {
            self.end(o, s);
        }
    }

    /// The functions of this signature that a pointer may point to, each with the condition.
    pub fn callees(&mut self, p: TermId, sig: &Signature, s: &State) -> Vec<(TermId, FuncId)> {
        let mut found = Vec::new();
        for c in self.resolve(p, s, true) {
            let Target::At(i, offset) = c.target else { continue };
            let Some((&f, _)) = self.funcs.iter().find(|(_, x)| **x == i) else { continue };
            if self.program.funcs[f].sig == *sig {
                let zero = self.pool.bits(64, 0);
                let exact = self.pool.eq(offset, zero);
                found.push((self.pool.and(&[c.when, exact]), f));
            }
        }
        found.sort_by_key(|(_, f)| *f);
        found
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
    pub fn piece(&mut self, piece: Piece, s: &State) -> Option<TermId> {
        let (Piece::Cell { instance, .. } | Piece::Whole { instance, .. }) = piece;
        let object = s.memory.get(&instance)?;
        if let Piece::Cell { at, ty, .. } = piece
            && let Found::Value(value) = object.content.find(at, ty, self.program.model)
        {
            return Some(value);
        }
        // What is read for the first time is kept; a state that is only looked at keeps nothing.
        let mut scratch = s.clone();
        self.with_content(&mut scratch, instance, |access, content| match piece {
            Piece::Cell { at, ty, .. } => {
                let offset = access.pool.bits(64, at.into());
                Some(access.read(content, offset, ty))
            }
            Piece::Whole { elem, .. } => {
                access.make_array(content, elem);
                match content {
                    Content::Array { elem: found, array } if *found == elem => Some(*array),
                    _ => None,
                }
            }
        })
    }
}
