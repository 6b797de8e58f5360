//! Initialisers of automatic objects.

use cairn_base::{Place, Span};
use cairn_ctyped::hir::{ExprKind, InitItem, LocalId, LocalInit};
use cairn_ctyped::types::Type;
use cairn_ir::{Data, ExprId, Init, IntTy, ObjKind, Object, Op, VarId, sym};

use super::func::Fun;

/// From this many constants on, a constant object is copied instead of storing each.
const MANY: usize = 8;

impl Fun<'_, '_> {
    /// Initialises a scalar that is a variable.
    pub fn init_var(&mut self, dst: VarId, local: LocalId, init: &LocalInit, span: Span) {
        match init.items.as_slice() {
            [] => {
                let ty = self.cx.prog.vars[dst].ty;
                let value = self.cx.prog.exprs.constant(ty, 0);
                self.emit(Op::Assign { dst, value }, span);
            }
            [before @ .., last] => {
                for item in before {
                    self.effect(&item.value);
                }
                debug_assert!(self.cx.types.scalar(self.body.locals[local].ty.id).is_some());
                self.value_into(dst, &last.value, span);
            }
        }
    }

    /// Initialises `size` bytes of memory at `addr`.
    pub fn init_memory(&mut self, addr: ExprId, size: u64, init: &LocalInit, span: Span) {
        if self.init_from_constant(addr, size, init, span) {
            return;
        }
        let filled = init.zero_fill && !self.covers(init, size) && size > 0;
        if filled {
            let x = &mut self.cx.prog.exprs;
            let byte = x.int(IntTy::I32, 0);
            let size = x.int(IntTy::size(self.cx.prog.model), i128::from(size));
            self.emit(Op::Fill { dst: addr, byte, size }, span);
        }
        // Zeroes need no store of their own as long as no earlier item can lie beneath.
        let mut end = 0;
        for item in &init.items {
            let fresh = item.offset >= end;
            end = end.max(item.offset + self.item_len(item));
            if filled && fresh && matches!(item.value.kind, ExprKind::Const(0)) && item.bits.is_none() {
                continue;
            }
            self.init_item(addr, item, span);
        }
    }

    fn init_item(&mut self, base: ExprId, item: &InitItem, span: Span) {
        let dst = self.offset(base, item.offset);
        match &item.value.kind {
            // The text of a string literal; it may be longer than what is wanted of it.
            ExprKind::Read(lv) if matches!(self.cx.types.get(item.value.ty), Type::Array { .. }) => {
                let src = self.address(lv);
                self.copy(dst, src, item.len, false, span);
            }
            _ if self.cx.is_aggregate(item.value.ty) => self.aggregate_into(&item.value, dst),
            _ => {
                let value = self.value(&item.value);
                match item.bits {
                    None => self.emit(Op::Store { addr: dst, value }, span),
                    Some(b) => {
                        self.emit(Op::StoreBits { addr: dst, bit: b.bit, width: b.width, value }, span)
                    }
                }
            }
        }
    }

    /// Bytes an item sets for sure.
    fn item_len(&self, item: &InitItem) -> u64 {
        match self.cx.types.scalar(item.value.ty) {
            Some(ty) => ty.bytes(self.cx.prog.model),
            None => item.len,
        }
    }

    /// Do the items set every byte?
    fn covers(&self, init: &LocalInit, size: u64) -> bool {
        let mut end = 0;
        for item in init.items.iter().filter(|i| i.bits.is_none()) {
            if item.offset > end {
                return false;
            }
            end = end.max(item.offset + self.item_len(item));
        }
        end >= size
    }

    /// Long lists of constants are laid out once, as static data, and copied.
    fn init_from_constant(&mut self, addr: ExprId, size: u64, init: &LocalInit, span: Span) -> bool {
        let constant = |i: &InitItem| matches!(i.value.kind, ExprKind::Const(_)) && i.bits.is_none();
        let stores = init.items.iter().filter(|i| !matches!(i.value.kind, ExprKind::Const(0))).count();
        if !init.zero_fill || stores < MANY || !init.items.iter().all(constant) {
            return false;
        }
        let model = self.cx.prog.model;
        let mut bytes: Vec<(u64, Vec<u8>)> = Vec::new();
        let mut end = 0;
        for item in &init.items {
            let (ExprKind::Const(bits), Some(ty)) = (&item.value.kind, self.cx.types.scalar(item.value.ty))
            else {
                return false;
            };
            if item.offset < end {
                return false;
            }
            let len = ty.bytes(model);
            end = item.offset + len;
            let item_bytes = &bits.to_le_bytes()[..len as usize];
            match bytes.last_mut() {
                Some((start, run)) if *start + run.len() as u64 == item.offset => {
                    run.extend_from_slice(item_bytes)
                }
                _ if *bits == 0 => {}
                _ => bytes.push((item.offset, item_bytes.to_vec())),
            }
        }
        let bytes = bytes.into_iter().map(|(at, run)| (at, run.into_boxed_slice())).collect();
        let place = self.cx.place(span);
        let obj = self.cx.prog.new_object(Object {
            name: sym("initialiser"),
            owner: None,
            kind: ObjKind::Const,
            size,
            align: 16,
            init: Init::Static(Data { bytes, relocs: Vec::new() }),
            place,
            scope: Place::NONE,
            dtype: None,
        });
        let src = self.cx.prog.exprs.addr(obj);
        self.copy(addr, src, size, false, span);
        true
    }
}
