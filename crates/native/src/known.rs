//! Pointers whose object is known: those computed, within one block, from the
//! address of a static object or of a local. Their accesses need no look at the
//! object's id and size, only a comparison of the offset with a constant.

use cairn_ir::{ObjKind, Program};
use cairn_sem::code::{FuncCode, Slot};
use cairn_sem::statics::Statics;
use cranelift_codegen::ir::Value;
use rustc_hash::FxHashMap;

/// The object that a pointer points into (or past), and the distance from its start.
#[derive(Copy, Clone, Debug)]
pub(crate) struct KnownPointer {
    pub object: KnownObject,
    /// 64 bits; as an unsigned number it exceeds every size if the pointer is below the object.
    pub offset: Value,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum KnownObject {
    /// It lives for the whole run.
    Static { id: u32, size: u64, readonly: bool },
    /// The slots of its address and of whether it is alive.
    Local { addr: Slot, alive: Slot, size: u64 },
}

impl KnownObject {
    pub fn size(self) -> u64 {
        match self {
            KnownObject::Static { size, .. } | KnownObject::Local { size, .. } => size,
        }
    }

    pub fn is_readonly(self) -> bool {
        matches!(self, KnownObject::Static { readonly: true, .. })
    }
}

pub(crate) struct Known {
    statics: FxHashMap<u32, KnownObject>,
    locals: FxHashMap<Slot, KnownObject>,
    targets: FxHashMap<Slot, KnownPointer>,
}

impl Known {
    pub fn new(program: &Program, statics: &Statics, code: &FuncCode) -> Known {
        let lasting = program.objects.iter().filter(|(_, o)| o.owner.is_none()).map(|(obj, o)| {
            let id = statics.objects[obj];
            (id, KnownObject::Static { id, size: o.size, readonly: o.kind == ObjKind::Const })
        });
        let locals = code.layout.objects.iter().map(|l| {
            let size = program.objects[l.obj].size;
            (l.addr, KnownObject::Local { addr: l.addr, alive: l.alive, size })
        });
        Known { statics: lasting.collect(), locals: locals.collect(), targets: FxHashMap::default() }
    }

    pub fn static_object(&self, id: u32) -> Option<KnownObject> {
        self.statics.get(&id).copied()
    }

    /// The local object whose address is kept in `s`.
    pub fn local_object(&self, s: Slot) -> Option<KnownObject> {
        self.locals.get(&s).copied()
    }

    /// What the pointer in `s` points into.
    pub fn get(&self, s: Slot) -> Option<KnownPointer> {
        self.targets.get(&s).copied()
    }

    pub fn note(&mut self, s: Slot, target: Option<KnownPointer>) {
        if let Some(target) = target {
            self.targets.insert(s, target);
        }
    }

    /// `s` has a new value.
    pub fn forget(&mut self, s: Slot) {
        self.targets.remove(&s);
        if let Some(&object) = self.locals.get(&s) {
            self.targets.retain(|_, target| target.object != object);
        }
    }

    /// A new block begins, which other ways may lead to.
    pub fn clear(&mut self) {
        self.targets.clear();
    }
}
