//! Any value into memory, by the type of what is there.

use cairn_ctyped::types::{ArrayLen, QType, Type, TypeId};
use cairn_ir::{BinOp, ExprId, IntTy, Op, Ty};

use super::{DEPTH, Maker};

/// Arrays of more elements are filled by a loop.
const UNROLLED: u64 = 64;

impl Maker<'_, '_> {
    /// Any value of the type at `base + offset`. `name` is that of the inputs, without the offset.
    pub(super) fn fill(&mut self, base: ExprId, ty: TypeId, name: &str, offset: u64, depth: u8) {
        if let Some(scalar) = self.cx.types.scalar(ty) {
            return match *self.cx.types.get(ty) {
                Type::Pointer(to) => {
                    let addr = self.at_offset(base, offset);
                    self.fill_pointer(addr, to, &placed(name, offset), depth)
                }
                _ => {
                    let value = self.input(scalar, &placed(name, offset));
                    let value = self.truth_if_bool(ty, value);
                    let addr = self.at_offset(base, offset);
                    self.step(Op::Store { addr, value });
                }
            };
        }
        match self.cx.types.get(ty).clone() {
            Type::Array { elem, len: ArrayLen::Fixed(n) } => {
                self.fill_elements(base, elem.id, n, name, offset, depth);
            }
            Type::Record(id) => {
                let record = &self.cx.types.records[id];
                let (is_union, layout) = (record.is_union, record.layout.clone());
                let Some(layout) = layout else { return };
                if is_union {
                    if layout.fields.iter().any(|f| self.holds_pointers(f.ty.id)) {
                        self.suppose("stores no pointers in unions");
                    }
                    return self.fill_bytes(base, layout.size, name, offset);
                }
                for field in &layout.fields {
                    match (field.bits, self.cx.types.scalar(field.ty.id)) {
                        (Some(bits), Some(scalar)) => {
                            let value = self.input(scalar, &placed(name, offset + field.offset));
                            let addr = self.at_offset(base, offset + field.offset);
                            self.step(Op::StoreBits { addr, bit: bits.bit, width: bits.width, value });
                        }
                        (Some(_), None) => {}
                        (None, _) => self.fill(base, field.ty.id, name, offset + field.offset, depth),
                    }
                }
            }
            Type::Void => {
                self.suppose("stores no pointers behind a void *");
                self.fill_bytes(base, 1, name, offset);
            }
            _ => {
                let size = self.cx.types.size_of(ty).unwrap_or(0);
                self.fill_bytes(base, size, name, offset);
            }
        }
    }

    /// So many elements at `base + offset`.
    pub(super) fn fill_elements(
        &mut self,
        base: ExprId,
        elem: TypeId,
        n: u64,
        name: &str,
        offset: u64,
        depth: u8,
    ) {
        let size = self.cx.types.size_of(elem).unwrap_or(0);
        if n <= UNROLLED {
            for i in 0..n {
                self.fill(base, elem, name, offset + i * size, depth);
            }
            return;
        }
        let start = self.at_offset(base, offset);
        let bytes = self.cx.prog.exprs.int(IntTy::size(self.cx.prog.model), (n * size).into());
        // The offset is in the name up to where the array begins; its elements follow in order.
        let name = format!("{}[{size}]", placed(name, offset));
        self.each(bytes, size, &mut |m, at| {
            let here = m.cx.prog.exprs.binary(BinOp::PtrAdd, start, at);
            m.fill(here, elem, &name, 0, depth);
        });
    }

    /// Any bytes, in pieces as large as they come.
    fn fill_bytes(&mut self, base: ExprId, size: u64, name: &str, offset: u64) {
        let mut at = 0;
        while at < size {
            let piece = [8, 4, 2, 1].into_iter().find(|p| at + p <= size).unwrap_or(1);
            let ty = Ty::Int(IntTy { bits: (8 * piece) as u8, signed: false });
            let value = self.input(ty, &placed(name, offset + at));
            let addr = self.at_offset(base, offset + at);
            self.step(Op::Store { addr, value });
            at += piece;
        }
    }

    /// A pointer in memory.
    fn fill_pointer(&mut self, addr: ExprId, to: QType, name: &str, depth: u8) {
        // It is looked at only where it is followed: it need not have a value yet.
        let mut old = |m: &mut Self| {
            let dst = m.temp(Ty::Ptr);
            m.step(Op::Load { dst, addr });
            m.cx.prog.exprs.var(dst)
        };
        let mut store = |m: &mut Self, value| m.step(Op::Store { addr, value });
        self.change_pointer(&mut old, to, name, depth, &mut store);
    }

    /// A pointer stays, becomes null or points to new memory; or it stays and what is behind it changes.
    pub(super) fn change_pointer(
        &mut self,
        old: &mut dyn FnMut(&mut Self) -> ExprId,
        to: QType,
        name: &str,
        depth: u8,
        store: &mut dyn FnMut(&mut Self, ExprId),
    ) {
        if matches!(self.cx.types.get(to.id), Type::Function(_)) {
            return self.suppose("stores no functions, and calls none back");
        }
        self.suppose("stores no pointers but null and new ones");
        let kind = self.input(Ty::Int(IntTy::U8), &format!("{name}*"));
        let inner = format!("{name}->");
        if depth == 0 {
            self.suppose(&format!("changes nothing that is more than {DEPTH} pointers away"));
            let mut clear = |m: &mut Self| {
                let null = m.cx.prog.exprs.ptr(0);
                store(m, null);
            };
            return self.choose(kind, &mut [&mut |_| {}, &mut clear]);
        }
        let store = std::cell::RefCell::new(store);
        let mut clear = |m: &mut Self| {
            let null = m.cx.prog.exprs.ptr(0);
            (store.borrow_mut())(m, null);
        };
        let mut renew = |m: &mut Self| {
            let value = m.new_memory(to, &inner, depth - 1);
            (store.borrow_mut())(m, value);
        };
        let mut follow = |m: &mut Self| {
            let old = old(m);
            m.fill_behind(old, to, &inner, depth - 1);
        };
        if to.is_const {
            self.choose(kind, &mut [&mut |_| {}, &mut clear, &mut renew]);
        } else {
            self.choose(kind, &mut [&mut |_| {}, &mut clear, &mut renew, &mut follow]);
        }
    }

    fn at_offset(&mut self, base: ExprId, offset: u64) -> ExprId {
        if offset == 0 {
            return base;
        }
        let x = &mut self.cx.prog.exprs;
        let offset = x.int(IntTy::diff(self.cx.prog.model), offset.into());
        x.binary(BinOp::PtrAdd, base, offset)
    }

    fn holds_pointers(&self, ty: TypeId) -> bool {
        match self.cx.types.get(ty) {
            Type::Pointer(_) => true,
            Type::Array { elem, .. } => self.holds_pointers(elem.id),
            Type::Record(id) => self.cx.types.records[*id]
                .layout
                .as_ref()
                .is_some_and(|l| l.fields.iter().any(|f| self.holds_pointers(f.ty.id))),
            _ => false,
        }
    }
}

/// The name of an input with the place it is for.
fn placed(name: &str, offset: u64) -> String {
    // Of scalars alone there is one place.
    match (offset, name.ends_with(']')) {
        (0, false) => name.to_owned(),
        _ => format!("{name}+{offset}"),
    }
}
