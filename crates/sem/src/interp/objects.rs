//! Lifetimes of objects, and operations on stretches of memory.

use cairn_ir::{AllocKind, EdgeId, Init};

use crate::code::{Aux, FuncCode};
use crate::machine::Machine;
use crate::memory::{Content, GONE_ID, HEAP, Kind, LIVE, PRIVATE, id_of, offset_of, pointer};
use crate::stop::{BadFree, Cause, Stop};

impl Machine<'_> {
    /// The lifetime of a local begins; an instance that is still alive ends first.
    pub(super) unsafe fn begin(
        &mut self,
        code: *const FuncCode,
        s: *mut u64,
        o: u32,
        pc: u32,
    ) -> Result<(), Stop> {
        // SAFETY: code and slots of the running frame.
        unsafe {
            self.end(code, s, o, pc);
            let code = &*code;
            let local = &code.layout.objects[o as usize];
            let object = &self.program.objects[local.obj];
            let flags = if local.private { PRIVATE } else { 0 };
            let uninit = object.init == Init::Uninit;
            let content = if uninit { self.uninit() } else { Content::Zero };
            let born = Some(code.edge(pc));
            let id = self.memory.create(Kind::Local, Some(local.obj), object.size, content, flags, born)?;
            self.table_moved();
            if uninit {
                self.born(id, code.edge(pc));
            } else {
                self.statics.fill(self.program, &mut self.memory, local.obj, id)?;
            }
            *s.add(local.addr as usize) = pointer(id, 0);
            *s.add(local.alive as usize) = 1;
        }
        Ok(())
    }

    /// What an object holds at first that nothing initialises.
    fn uninit(&self) -> Content {
        if self.births.given { Content::Zero } else { Content::Uninit }
    }

    /// An object that nothing initialises has come to life.
    fn born(&mut self, id: u32, edge: EdgeId) {
        if let Some(bytes) = self.births.next(edge) {
            let size: u64 = self.memory.entry(id).map_or(0, |e| e.size).into();
            for (&at, &byte) in bytes.range(..size) {
                self.memory.poke(id, at, &[byte]);
            }
        }
    }

    pub(super) unsafe fn end(&mut self, code: *const FuncCode, s: *mut u64, o: u32, pc: u32) {
        // SAFETY: code and slots of the running frame.
        unsafe {
            let code = &*code;
            let local = &code.layout.objects[o as usize];
            let alive = s.add(local.alive as usize);
            if *alive != 0 {
                let addr = s.add(local.addr as usize);
                self.memory.kill(id_of(*addr), Some(code.edge(pc)));
                *alive = 0;
                if local.private {
                    *addr = pointer(GONE_ID, 0);
                }
            }
        }
    }

    pub(super) fn alloc(&mut self, aux: &Aux, size: u64, edge: EdgeId) -> Result<u64, Stop> {
        let Aux::Alloc { kind, zeroed } = *aux else { return Ok(0) };
        // As in glibc, no heap object is larger than the largest pointer difference.
        if kind == AllocKind::Heap && size >> (self.program.model.ptr_bits() - 1) != 0 {
            // It counts, though nothing comes to life.
            self.births.next(edge);
            return Ok(0);
        }
        let content = if zeroed { Content::Zero } else { self.uninit() };
        let (what, flags) = match kind {
            AllocKind::Heap => (Kind::Heap, HEAP),
            AllocKind::Alloca => (Kind::Alloca, 0),
            AllocKind::Vla => (Kind::Vla, 0),
        };
        let born = Some(self.user_edge(edge));
        let id = self.memory.create(what, None, size, content, flags, born)?;
        self.table_moved();
        if !zeroed {
            self.born(id, edge);
        }
        if kind != AllocKind::Heap {
            let serial = self.memory.cold(id).map_or(0, |c| c.serial);
            self.scoped.push((self.depth(), id, serial));
        }
        Ok(pointer(id, 0))
    }

    pub(super) fn free(&mut self, kind: AllocKind, p: u64, edge: EdgeId) -> Result<(), Stop> {
        if p == 0 {
            return Ok(());
        }
        let id = id_of(p);
        if kind != AllocKind::Heap {
            if self.memory.is_live(id)
                && let Some(i) = self.scoped.iter().rposition(|s| s.1 == id)
            {
                self.scoped.remove(i);
                self.memory.kill(id, Some(edge));
            }
            return Ok(());
        }
        let flags = self.memory.entry(id).map_or(0, |e| e.flags);
        let why = if flags & (LIVE | HEAP) == LIVE | HEAP {
            if offset_of(p) == 0 {
                let died = Some(self.user_edge(edge));
                self.memory.kill(id, died);
                return Ok(());
            }
            BadFree::Inside
        } else if flags & LIVE == 0 && self.memory.cold(id).is_some_and(|c| c.kind == Kind::Heap) {
            if offset_of(p) == 0 { BadFree::Twice } else { BadFree::Inside }
        } else {
            BadFree::NotHeap
        };
        Err(Cause::BadFree { ptr: p, why }.into())
    }

    pub(super) fn copy(&mut self, dst: u64, src: u64, size: u64, may_overlap: bool) -> Result<(), Stop> {
        if !may_overlap && dst != src && id_of(dst) == id_of(src) && size != 0 {
            let (d, s) = (u64::from(offset_of(dst)), u64::from(offset_of(src)));
            let apart = d.abs_diff(s) >= size;
            if !apart && self.memory.diagnose(dst, size, true).is_none() {
                return Err(Cause::Overlap { size }.into());
            }
        }
        self.memory.copy(dst, src, size).map_err(|(fault, is_dst)| {
            let ptr = if is_dst { dst } else { src };
            Cause::Access { fault, ptr, size, write: is_dst }.into()
        })
    }

    pub(super) fn fill(&mut self, dst: u64, byte: u8, size: u64) -> Result<(), Stop> {
        self.memory
            .fill(dst, byte, size)
            .map_err(|fault| Cause::Access { fault, ptr: dst, size, write: true }.into())
    }
}
