//! Structs and unions with members of variable length, a GNU extension: their
//! size and the offsets behind such a member are computed where they are used,
//! from the lengths evaluated where the type was defined.

use cairn_base::{Span, Symbol};
use cairn_value::BinOp;

use crate::check::{Checker, Res, unsupported};
use crate::convert::Operand;
use crate::hir::{Expr, ExprKind, LValue, LValueKind, LocalId, Size, Stmt, StmtKind};
use crate::layout::{MemberDecl, RecordAttrs};
use crate::ops::binary;
use crate::types::{ArrayLen, QType, RecordId, Type, TypeId};

/// The members of a record of variable size; it has no fixed layout.
pub(crate) struct VariableRecord {
    is_union: bool,
    members: Vec<MemberDecl>,
}

impl Checker {
    pub(crate) fn define_variable_record(
        &mut self,
        id: RecordId,
        is_union: bool,
        members: Vec<MemberDecl>,
        attrs: RecordAttrs,
        span: Span,
    ) -> Res<()> {
        let plain = |m: &MemberDecl| {
            m.width.is_none() && m.align.is_none() && m.type_align.is_none() && !m.packed && m.name.is_some()
        };
        if attrs.packed || attrs.align.is_some() || attrs.pack.is_some() || !members.iter().all(plain) {
            return unsupported(span, "record with a member of variable length and bit-fields or attributes");
        }
        self.variable_records.insert(id, VariableRecord { is_union, members });
        Ok(())
    }

    /// Does an object of the type contain a record of variable size?
    pub(crate) fn holds_variable_record(&self, ty: TypeId) -> bool {
        match self.types.get(ty) {
            Type::Array { elem, .. } => self.holds_variable_record(elem.id),
            Type::Record(r) => self.variable_records.contains_key(r),
            _ => false,
        }
    }

    fn variable_align(&self, ty: TypeId) -> u64 {
        match self.types.get(ty) {
            Type::Array { elem, .. } => self.variable_align(elem.id),
            Type::Record(r) if self.variable_records.contains_key(r) => {
                let members = self.variable_records[r].members.iter();
                members.map(|m| self.variable_align(m.ty.id)).max().unwrap_or(1)
            }
            _ => self.types.member_align(ty).unwrap_or(1),
        }
    }

    pub(crate) fn variable_record_size(&mut self, r: RecordId, span: Span) -> Res<Size> {
        let Some(record) = self.variable_records.get(&r) else {
            return unsupported(span, "size of this type");
        };
        let is_union = record.is_union;
        let members: Vec<TypeId> = record.members.iter().map(|m| m.ty.id).collect();
        let align = members.iter().map(|&m| self.variable_align(m)).max().unwrap_or(1);
        let end = if is_union {
            let mut largest = Size::Const(0);
            for &member in &members {
                let sizes = [self.size_of_type(member, span)?, self.size_of_type(member, span)?];
                largest = self.larger(largest, sizes, span)?;
            }
            largest
        } else {
            self.extent(&members, span)?
        };
        Ok(self.round_up(end, align, span))
    }

    /// The end of a sequence of members.
    fn extent(&mut self, members: &[TypeId], span: Span) -> Res<Size> {
        let mut end = Size::Const(0);
        for &member in members {
            let start = self.round_up(end, self.variable_align(member), span);
            // A flexible array member takes no room.
            let flexible = matches!(self.types.get(member), Type::Array { len: ArrayLen::Unknown, .. });
            let size = if flexible { Size::Const(0) } else { self.size_of_type(member, span)? };
            end = match (start, size) {
                (Size::Const(a), Size::Const(b)) => Size::Const(a + b),
                (a, b) => {
                    let (a, b) = (self.size_expr(a, span), self.size_expr(b, span));
                    Size::Dyn(Box::new(binary(BinOp::Add, a, b, self.common.size, span)))
                }
            };
        }
        Ok(end)
    }

    /// The larger of two sizes; the second is given twice because it is used twice.
    fn larger(&mut self, a: Size, b: [Size; 2], span: Span) -> Res<Size> {
        let [b, again] = b;
        match (a, b) {
            (Size::Const(a), Size::Const(b)) => Ok(Size::Const(a.max(b))),
            (Size::Const(a), b) | (b, Size::Const(a)) => {
                let other = if let Size::Dyn(_) = again {
                    again
                } else {
                    return unsupported(span, "size of this union");
                };
                let (size, int) = (self.common.size, self.common.int);
                let (b, limit) = (self.size_expr(b, span), self.size_constant(a, span));
                let test = binary(BinOp::Lt, b, limit, int, span);
                let (then, other) = (self.size_constant(a, span), self.size_expr(other, span));
                let kind = ExprKind::Cond {
                    cond: Box::new(test),
                    then: Some(Box::new(then)),
                    other: Box::new(other),
                };
                Ok(Size::Dyn(Box::new(Expr { kind, ty: size, span })))
            }
            _ => unsupported(span, "union with several members of variable length"),
        }
    }

    fn size_expr(&self, size: Size, span: Span) -> Expr {
        match size {
            Size::Const(n) => self.size_constant(n, span),
            Size::Dyn(e) => *e,
        }
    }

    fn round_up(&self, size: Size, align: u64, span: Span) -> Size {
        match size {
            Size::Const(n) => Size::Const(n.next_multiple_of(align)),
            Size::Dyn(e) if align == 1 => Size::Dyn(e),
            Size::Dyn(e) => {
                let ty = self.common.size;
                let raised = binary(BinOp::Add, *e, self.size_constant(align - 1, span), ty, span);
                let mask = self.size_constant(align.wrapping_neg(), span);
                Size::Dyn(Box::new(binary(BinOp::And, raised, mask, ty, span)))
            }
        }
    }

    /// A member of a record of variable size. `None` if it has no such member.
    pub(crate) fn variable_member(
        &mut self,
        base: LValue,
        r: RecordId,
        name: Symbol,
        span: Span,
    ) -> Res<Option<Operand>> {
        let Some(record) = self.variable_records.get(&r) else { return Ok(None) };
        let Some(at) = record.members.iter().position(|m| m.name == Some(name)) else { return Ok(None) };
        let ty = record.members[at].ty;
        let is_union = record.is_union;
        let before: Vec<TypeId> = record.members[..at].iter().map(|m| m.ty.id).collect();
        let offset = if is_union { Size::Const(0) } else { self.extent(&before, span)? };
        let offset = self.round_up(offset, self.variable_align(ty.id), span);
        let ty = self.qualify(ty, base.ty.is_const, base.ty.is_volatile);
        let lv = match offset {
            Size::Const(offset) => {
                LValue { kind: LValueKind::Member { base: Box::new(base), offset, bits: None }, ty, span }
            }
            Size::Dyn(offset) => {
                let address = self.address_of(Operand::Place(base), span)?;
                let bytes = self.cast_to(address, self.common.char_ptr);
                let sum = self.pointer_add(bytes, *offset, false, span)?;
                let pointer = self.pointer_to(ty);
                LValue { kind: LValueKind::Deref(Box::new(self.cast_to(sum, pointer))), ty, span }
            }
        };
        Ok(Some(Operand::Place(lv)))
    }

    /// A local that contains a record of variable size is a variable-length array of bytes, read
    /// through a pointer of the declared type.
    pub(crate) fn variable_local(
        &mut self,
        name: Symbol,
        ty: QType,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Res<LocalId> {
        let size = self.size_of_type(ty.id, span)?;
        let len = self.size_expr(size, span);
        let vla = self.types.new_vla();
        out.push(Stmt { kind: StmtKind::SetVla { vla, len }, span });
        let elem = QType::plain(self.common.uchar);
        let bytes = self.types.intern(Type::Array { elem, len: ArrayLen::Vla(vla) });
        let align = self.variable_align(ty.id);
        self.new_local(name, QType::plain(bytes), Some(align), span)
    }

    /// The place such a local's name means.
    pub(crate) fn variable_place(&mut self, local: LocalId, ty: QType, span: Span) -> Res<Operand> {
        let Some(storage) = self.fun.as_ref().map(|f| f.locals[local].ty) else {
            return unsupported(span, "object of variable size");
        };
        let storage = LValue { kind: LValueKind::Local(local), ty: storage, span };
        let address = self.address_of(Operand::Place(storage), span)?;
        let pointer = self.pointer_to(ty);
        let pointer = self.cast_to(address, pointer);
        Ok(Operand::Place(LValue { kind: LValueKind::Deref(Box::new(pointer)), ty, span }))
    }
}
