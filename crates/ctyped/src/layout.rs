//! Sizes, alignments and the layout of structs and unions, as gcc computes them
//! on x86 for both data models.
//!
//! The rules for bit-fields are those of the System V ABI in the form gcc
//! applies them (a bit-field may not span more units of alignment of its type
//! than the type itself does), together with what gcc makes of `packed`,
//! `aligned` and `#pragma pack`, which no ABI document describes. They are
//! checked against gcc on random structs.

use cairn_base::{DataModel, Symbol};

use crate::types::{ArrayLen, BitField, Field, FloatKind, IntKind, Layout, QType, Type, TypeId, Types};

/// One member as declared, ready to be placed.
pub struct MemberDecl {
    /// `None`: an unnamed bit-field, or an anonymous record.
    pub name: Option<Symbol>,
    pub ty: QType,
    /// Alignment of the type where a typedef changes it (`typedef int t __attribute__((aligned(16)))`).
    pub type_align: Option<u64>,
    /// `aligned(n)` or `_Alignas` on the member itself.
    pub align: Option<u64>,
    /// `packed` on the member itself.
    pub packed: bool,
    pub width: Option<u8>,
}

/// What is said about a whole struct or union.
#[derive(Copy, Clone, Default)]
pub struct RecordAttrs {
    pub packed: bool,
    pub align: Option<u64>,
    /// `#pragma pack`.
    pub pack: Option<u64>,
}

impl Types {
    /// Bytes of an object of the type; `None` for functions, `void`, incomplete and
    /// variable-length types.
    pub fn size_of(&self, id: TypeId) -> Option<u64> {
        self.size_align(id).map(|(size, _)| size)
    }

    /// The alignment of objects of the type (gcc's `__alignof__`).
    pub fn align_of(&self, id: TypeId) -> Option<u64> {
        match self.get(id) {
            Type::Array { elem, .. } => self.align_of(elem.id),
            _ => self.size_align(id).map(|(_, align)| align),
        }
    }

    /// The alignment a member of the type gets by itself (C's `_Alignof`): on i386, eight-byte
    /// scalars are aligned to four bytes inside of records.
    pub fn member_align(&self, id: TypeId) -> Option<u64> {
        self.align_of(id).map(|align| self.limit_member_align(id, align))
    }

    fn limit_member_align(&self, id: TypeId, align: u64) -> u64 {
        if self.model == DataModel::Lp64 {
            return align;
        }
        let mut id = id;
        while let Type::Array { elem, .. } = self.get(id) {
            id = elem.id;
        }
        match self.get(id) {
            Type::Int(_)
            | Type::Enum(_)
            | Type::Float(FloatKind::Double | FloatKind::Float64 | FloatKind::Float32x) => align.min(4),
            _ => align,
        }
    }

    fn size_align(&self, id: TypeId) -> Option<(u64, u64)> {
        let ptr = self.model.ptr_bytes();
        Some(match self.get(id) {
            Type::Void | Type::Function(_) => return None,
            Type::Bool => (1, 1),
            Type::Int(kind) => self.int_size(*kind),
            Type::Float(kind) => match kind {
                FloatKind::Float | FloatKind::Float32 => (4, 4),
                FloatKind::Double | FloatKind::Float64 | FloatKind::Float32x => (8, 8),
                FloatKind::LongDouble | FloatKind::Float64x if ptr == 4 => (12, 4),
                FloatKind::LongDouble | FloatKind::Float64x | FloatKind::Float128 => (16, 16),
            },
            Type::Enum(e) => self.int_size(self.enums[*e].repr?),
            Type::Pointer(_) => (ptr, ptr),
            Type::Array { elem, len: ArrayLen::Fixed(n) } => {
                let (size, align) = self.size_align(elem.id)?;
                (size.checked_mul(*n)?, align)
            }
            Type::Array { .. } => return None,
            Type::Record(r) => {
                let layout = self.records[*r].layout.as_ref()?;
                (layout.size, layout.align)
            }
            Type::VaListElem => (24, 8),
            Type::BitField { bits, .. } => {
                let bytes = u64::from(*bits).div_ceil(8).next_power_of_two();
                (bytes, bytes)
            }
            Type::Unsupported { size, align, .. } => (*size, *align),
        })
    }

    fn int_size(&self, kind: IntKind) -> (u64, u64) {
        let bytes = u64::from(self.int_ty(kind).bits / 8);
        (bytes, bytes)
    }

    /// Lays out a record. All member types are complete, but for a flexible array at the end.
    /// `None` if it is too large.
    pub fn lay_out(&self, is_union: bool, members: &[MemberDecl], attrs: RecordAttrs) -> Option<Layout> {
        let mut placer = Placer {
            types: self,
            attrs,
            is_union,
            bit: 0,
            align: attrs.align.unwrap_or(1),
            fields: Vec::with_capacity(members.len()),
            flexible: false,
        };
        for member in members {
            placer.place(member)?;
        }
        let size = u64::try_from(placer.bit.div_ceil(8)).ok()?.checked_next_multiple_of(placer.align)?;
        let limit = if self.model == DataModel::Ilp32 { i32::MAX as u64 } else { i64::MAX as u64 };
        (size <= limit).then_some(Layout {
            size,
            align: placer.align,
            fields: placer.fields,
            flexible: placer.flexible,
        })
    }
}

struct Placer<'a> {
    types: &'a Types,
    attrs: RecordAttrs,
    is_union: bool,
    /// Struct: first bit after what has been placed. Union: bits of the largest member.
    bit: u128,
    /// Of the record so far, in bytes.
    align: u64,
    fields: Vec<Field>,
    flexible: bool,
}

impl Placer<'_> {
    fn place(&mut self, m: &MemberDecl) -> Option<()> {
        let natural = m.type_align.or_else(|| self.types.align_of(m.ty.id)).unwrap_or(1);
        // Whether a user fixed the type's alignment, so that i386 does not lower it.
        let own_align = |align: u64| {
            if m.type_align.is_some() { align } else { self.types.limit_member_align(m.ty.id, align) }
        };
        match m.width {
            Some(width) => self.place_bits(m, width, own_align(natural)),
            None => {
                let packed = m.packed || self.attrs.packed;
                let align = if packed && natural > 1 {
                    m.align.unwrap_or(1)
                } else {
                    match m.align {
                        // An explicit alignment can only raise that of the type.
                        Some(a) if a >= natural => a,
                        _ => own_align(natural),
                    }
                };
                let align = self.attrs.pack.map_or(align, |pack| align.min(pack));
                let bytes = match self.types.get(m.ty.id) {
                    Type::Array { len: ArrayLen::Unknown, .. } => {
                        self.flexible = true;
                        0
                    }
                    Type::Record(r) => {
                        self.flexible |= self.types.records[*r].layout.as_ref().is_some_and(|l| l.flexible);
                        self.types.size_of(m.ty.id)?
                    }
                    _ => self.types.size_of(m.ty.id)?,
                };
                self.align = self.align.max(align);
                let bits = u128::from(bytes) * 8;
                let start = self.start(align * 8)?;
                self.take(start, bits)?;
                self.fields.push(Field {
                    name: m.name,
                    ty: m.ty,
                    offset: u64::try_from(start / 8).ok()?,
                    bits: None,
                });
                Some(())
            }
        }
    }

    /// `type_align` is that of the declared type, already lowered as i386 does for members.
    fn place_bits(&mut self, m: &MemberDecl, width: u8, type_align: u64) -> Option<()> {
        if width == 0 {
            // Moves on to the next boundary of its type, whatever the packing.
            let boundary = type_align.max(m.align.unwrap_or(1));
            let start = self.start(boundary * 8)?;
            return self.take(start, 0);
        }
        let packed = m.packed || self.attrs.packed;
        let pack = self.attrs.pack;
        // In bits; 1 if the member itself asks for nothing.
        let wanted = m.align.map_or(1, |a| pack.map_or(a, |p| a.min(p)) * 8);
        if m.name.is_some() {
            let from_type = match pack {
                Some(pack) => type_align.min(pack),
                None if packed => 1,
                None => type_align,
            };
            self.align = self.align.max(from_type).max(wanted.div_ceil(8));
        }
        let mut start = self.start(wanted)?;
        let bits = u128::from(width);
        if !packed && pack.is_none() && !self.is_union {
            let unit = u128::from(type_align) * 8;
            let size = u128::from(self.types.size_of(m.ty.id)?) * 8;
            if (start % unit + bits).div_ceil(unit) > size / unit {
                start = start.checked_next_multiple_of(unit)?;
            }
        }
        self.take(start, bits)?;
        if m.name.is_some() {
            let place = BitField { bit: (start % 8) as u8, width };
            self.fields.push(Field {
                name: m.name,
                ty: m.ty,
                offset: u64::try_from(start / 8).ok()?,
                bits: Some(place),
            });
        }
        Some(())
    }

    fn start(&self, align_bits: u64) -> Option<u128> {
        if self.is_union { Some(0) } else { self.bit.checked_next_multiple_of(u128::from(align_bits)) }
    }

    fn take(&mut self, start: u128, bits: u128) -> Option<()> {
        let end = start.checked_add(bits)?;
        self.bit = if self.is_union { self.bit.max(end) } else { end };
        Some(())
    }
}
