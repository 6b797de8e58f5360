//! Variable arguments. The caller stores them one after the other into an area, an
//! object of the call; a `va_list` holds the address of the next one. `Slots`
//! is the layout both sides follow.

use cairn_base::{DataModel, Span};
use cairn_ctyped::hir::Expr;
use cairn_ctyped::types::TypeId;
use cairn_ir::{ExprId, FloatTy, IntTy, ObjId, Op, Ty, sym};

use super::call::Arg;
use super::func::Fun;

/// Bytes in front of the arguments, in programs that count them.
const COUNT: u64 = 16;

/// Size and alignment of an argument in the area.
struct Slot {
    size: u64,
    align: u64,
}

impl super::Cx<'_> {
    /// The area's layout is the stack's of the i386 ABI, and in LP64 that of the memory part of
    /// the x86-64 ABI: words, with 16-byte values aligned.
    fn slot(&self, ty: TypeId) -> Slot {
        let model = self.prog.model;
        let word = model.ptr_bytes();
        let (size, align) = match self.types.scalar(ty) {
            Some(Ty::Float(FloatTy::X80)) => match model {
                DataModel::Lp64 => (16, 16),
                DataModel::Ilp32 => (12, 4),
            },
            Some(scalar) => {
                let bytes = scalar.bytes(model);
                (bytes, if bytes == 16 { 16 } else { word })
            }
            None => (self.size_of(ty), self.align_of(ty)),
        };
        Slot { size: size.next_multiple_of(word), align: align.max(word) }
    }
}

impl Fun<'_, '_> {
    /// Stores the variable arguments of a call: the object, and where they begin in it. Without any
    /// there is no area, unless somebody counts: their number lies in front of them then.
    pub fn fill_area(&mut self, args: &[(Arg, TypeId)], span: Span) -> Option<(ObjId, ExprId)> {
        if args.is_empty() && !self.cx.counted {
            return None;
        }
        let first = if self.cx.counted { COUNT } else { 0 };
        let mut offsets = Vec::with_capacity(args.len());
        let mut end = first;
        for (_, ty) in args {
            let slot = self.cx.slot(*ty);
            let start = end.next_multiple_of(slot.align);
            offsets.push(start);
            end = start + slot.size;
        }
        let obj = self.temp_object(end, 16, span);
        // A conversion without its argument is reported in terms of this object.
        self.cx.prog.objects[obj].name = sym("variable arguments");
        let base = self.cx.prog.exprs.addr(obj);
        if self.cx.counted {
            let value = self.cx.prog.exprs.int(IntTy::I32, args.len() as i128);
            self.emit(Op::Store { addr: base, value }, span);
        }
        for ((arg, ty), offset) in args.iter().zip(offsets) {
            let addr = self.offset(base, offset);
            match *arg {
                Arg::Scalar(value) => self.emit(Op::Store { addr, value }, span),
                Arg::Memory(src) => self.copy(addr, src, self.cx.size_of(*ty), false, span),
            }
        }
        let begin = if first > 0 { self.offset(base, first) } else { base };
        Some((obj, begin))
    }

    /// The number of variable arguments of the function in work.
    pub fn argument_count(&mut self, span: Span) -> ExprId {
        let area = self.own_area(span);
        let addr = self.offset(area, COUNT.wrapping_neg());
        let dst = self.temp(Ty::I32, span);
        self.emit(Op::Load { dst, addr }, span);
        self.cx.prog.exprs.var(dst)
    }

    pub fn va_start(&mut self, list: &Expr, span: Span) {
        let addr = self.value(list);
        let value = self.own_area(span);
        self.emit(Op::Store { addr, value }, span);
    }

    /// The area with the variable arguments of the function in work.
    pub fn own_area(&mut self, span: Span) -> ExprId {
        match self.area {
            Some(area) => self.cx.prog.exprs.var(area),
            None => self.refused(Ty::Ptr, span, "variable arguments of a function that has none"),
        }
    }

    pub fn va_copy(&mut self, dst: &Expr, src: &Expr, span: Span) {
        let (dst, src) = self.operands(dst, src);
        let next = self.load_pointer(src, span);
        self.emit(Op::Store { addr: dst, value: next }, span);
    }

    pub fn va_arg(&mut self, list: &Expr, ty: TypeId, span: Span) -> ExprId {
        let addr = self.next_argument(list, ty, span);
        let dst = self.cx.scalar(ty, span);
        let dst = self.temp(dst, span);
        self.emit(Op::Load { dst, addr }, span);
        self.cx.prog.exprs.var(dst)
    }

    /// The argument stays where it is; the area outlives the call's frame.
    pub fn va_arg_aggregate(&mut self, list: &Expr, ty: TypeId, span: Span) -> ExprId {
        self.next_argument(list, ty, span)
    }

    /// The address of the next argument; the list moves on.
    fn next_argument(&mut self, list: &Expr, ty: TypeId, span: Span) -> ExprId {
        let list = self.value(list);
        let list = self.atom(list, span);
        let slot = self.cx.slot(ty);
        let mut at = self.load_pointer(list, span);
        if slot.align > self.cx.prog.model.ptr_bytes() {
            at = self.align_up(at, slot.align);
            at = self.save(at, span);
        }
        let next = self.offset(at, slot.size);
        self.emit(Op::Store { addr: list, value: next }, span);
        at
    }

    pub fn load_pointer(&mut self, addr: ExprId, span: Span) -> ExprId {
        let dst = self.temp(Ty::Ptr, span);
        self.emit(Op::Load { dst, addr }, span);
        self.cx.prog.exprs.var(dst)
    }
}
