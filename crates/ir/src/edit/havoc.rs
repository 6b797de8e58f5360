//! Havoc: something becomes any value (`havoc` of Boogie, Barnett et al. 2005).
//!
//! No operation of its own, because two that there are say it. A variable takes an input. Memory is
//! overwritten with a copy of an object that has just come to life and that nothing has written to:
//! what such an object holds is an input, too (`sem::Birth`), which the executor takes from the
//! trace, engines and checker leave open, and the native tier gives back to the interpreter. So havoc costs two
//! operations in every reading, however large the object is, and needs no rule in any of them.
//!
//! A pointer may become any pointer. The first word of the new object is an input, so that the points-to
//! analysis, which takes what nothing has written to for no address, sees that.

use cairn_base::{Place, Symbol};
use cairn_value::{IntTy, Ty};

use crate::{
    AllocKind, BinOp, Builtin, Callee, ExprId, Init, LocId, ObjId, ObjKind, Object, Op, Program, VarId, sym,
};

/// What becomes any value.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Havoc {
    Var(VarId),
    /// All bytes of an object that may be written to.
    Object(ObjId),
    /// What a pointer refers to, up to the end of the object; nothing if there is none alive.
    Behind(ExprId),
}

impl Program {
    /// At `at`, the thing becomes any value, by inputs that bear the name. Gives where the program goes on.
    pub fn havoc(&mut self, at: LocId, what: Havoc, name: &str, place: Place) -> LocId {
        let name = sym(name);
        match what {
            Havoc::Var(dst) => self.new_step(at, Op::Input { dst, name }, place),
            Havoc::Object(o) => self.havoc_object(at, o, name, place),
            Havoc::Behind(pointer) => self.havoc_behind(at, pointer, name, place),
        }
    }

    fn havoc_object(&mut self, at: LocId, o: ObjId, name: Symbol, place: Place) -> LocId {
        let Object { size, align, kind, .. } = self.objects[o];
        if size == 0 || kind == ObjKind::Const {
            return at;
        }
        let owner = Some(self.locs[at].func);
        let obj = self.new_object(Object {
            name,
            owner,
            kind: ObjKind::Local,
            size,
            align,
            init: Init::Uninit,
            place,
            scope: Place::NONE,
            dtype: None,
        });
        let at = self.new_step(at, Op::Begin { obj }, place);
        let (dst, src) = (self.exprs.addr(o), self.exprs.addr(obj));
        let at = if size >= self.model.ptr_bytes() { self.any_word(at, src, name, place) } else { at };
        let size = self.exprs.int(IntTy::size(self.model), size.into());
        let at = self.new_step(at, Op::Copy { dst, src, size, may_overlap: false }, place);
        self.new_step(at, Op::End { obj }, place)
    }

    fn havoc_behind(&mut self, at: LocId, dst: ExprId, name: Symbol, place: Place) -> LocId {
        let func = self.locs[at].func;
        let ty = IntTy::size(self.model);
        let size = self.new_temp(func, sym("tmp"), Ty::Int(ty), place);
        let callee = Callee::Builtin(Builtin::ObjectSize);
        let at = self.new_step(at, Op::Call { dst: Some(size), callee, args: Box::new([dst]) }, place);
        let behind = self.new_loc(func);
        // Less than a word is copied without one.
        let (size, word) = (self.exprs.var(size), self.exprs.int(ty, self.model.ptr_bytes().into()));
        let none = self.exprs.int(ty, 0);
        let (empty, some) = (self.exprs.binary(BinOp::Eq, size, none), self.new_loc(func));
        self.new_branch(at, empty, behind, some, place, false);
        let source = self.new_temp(func, sym("tmp"), Ty::Ptr, place);
        let kind = AllocKind::Vla;
        let at = self.new_step(some, Op::Alloc { dst: source, size, kind, zeroed: false }, place);
        let src = self.exprs.var(source);
        let (long, filled) = (self.new_loc(func), self.new_loc(func));
        let fits = self.exprs.binary(BinOp::Le, word, size);
        self.new_branch(at, fits, long, filled, place, false);
        let at = self.any_word(long, src, name, place);
        self.new_edge(at, filled, Op::Nop, place);
        let at = self.new_step(filled, Op::Copy { dst, src, size, may_overlap: false }, place);
        self.new_edge(at, behind, Op::Free { ptr: src, kind }, place);
        behind
    }

    /// Any pointer into the first word of new memory.
    fn any_word(&mut self, at: LocId, addr: ExprId, name: Symbol, place: Place) -> LocId {
        let (value, at) = self.new_input(at, name, Ty::Ptr, place);
        self.new_step(at, Op::Store { addr, value }, place)
    }
}
