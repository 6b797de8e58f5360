//! Questions about types for people: sizes, and which member lies at an offset.

use cairn_value::{FloatTy, Ty};

use crate::{DType, DTypeId, DataModel, Program};

impl Program {
    /// Bytes that a value of the type takes up in memory.
    pub fn dtype_size(&self, t: DTypeId) -> u64 {
        match &self.dtypes[t] {
            DType::Scalar { ty, .. } => match (ty, self.model) {
                (Ty::Float(FloatTy::X80), DataModel::Lp64) => 16,
                (Ty::Float(FloatTy::X80), DataModel::Ilp32) => 12,
                _ => ty.bytes(self.model),
            },
            DType::Array { elem, len } => self.dtype_size(*elem).saturating_mul(*len),
            DType::Record { size, .. } => *size,
        }
    }

    /// The scalar member of IR type `ty` at `offset` of a type, as C writes it behind the name of
    /// the whole (`.pos[1].x`, or nothing for the whole itself), with its own type. Of the members
    /// of a union the first that fits is found.
    pub fn member_at(&self, t: DTypeId, offset: u64, ty: Ty) -> Option<(String, DTypeId)> {
        self.find_member(t, offset, &|member| match member {
            Member::Scalar(own) => {
                own == ty || (own.int().is_some() && own.bits(self.model) == ty.bits(self.model))
            }
            Member::Bits(..) => false,
        })
    }

    /// As [`Program::member_at`], for whatever scalar starts at `offset`.
    pub fn scalar_at(&self, t: DTypeId, offset: u64) -> Option<String> {
        let scalar = |member| matches!(member, Member::Scalar(_));
        self.find_member(t, offset, &scalar).map(|(path, _)| path)
    }

    /// The bit-field that starts at bit `bit` of byte `offset`, written as by [`Program::member_at`].
    pub fn bit_field_at(&self, t: DTypeId, offset: u64, bit: u8, width: u8) -> Option<String> {
        let same = |member| matches!(member, Member::Bits(b, w) if (b, w) == (bit, width));
        self.find_member(t, offset, &same).map(|(path, _)| path)
    }

    /// The first member that starts at `offset` and is `wanted`.
    fn find_member(
        &self,
        t: DTypeId,
        offset: u64,
        wanted: &dyn Fn(Member) -> bool,
    ) -> Option<(String, DTypeId)> {
        match &self.dtypes[t] {
            DType::Scalar { ty, .. } => {
                (offset == 0 && wanted(Member::Scalar(*ty))).then(|| (String::new(), t))
            }
            DType::Array { elem, len } => {
                let size = self.dtype_size(*elem);
                let index = offset.checked_div(size).filter(|i| i < len)?;
                let (path, found) = self.find_member(*elem, offset % size, wanted)?;
                Some((format!("[{index}]{path}"), found))
            }
            DType::Record { fields, .. } => fields.iter().find_map(|f| {
                let inside = offset.checked_sub(f.offset)?;
                let (path, found) = match f.bits {
                    Some((bit, width)) => {
                        (inside == 0 && wanted(Member::Bits(bit, width))).then(|| (String::new(), f.ty))?
                    }
                    None if inside < self.dtype_size(f.ty) => self.find_member(f.ty, inside, wanted)?,
                    None => return None,
                };
                // Members of an unnamed struct or union belong to the one around it.
                Some((if f.name.is_empty() { path } else { format!(".{}{path}", f.name) }, found))
            }),
        }
    }
}

/// What lies at an offset.
#[derive(Copy, Clone)]
enum Member {
    Scalar(Ty),
    /// A bit-field: its first bit and its width.
    Bits(u8, u8),
}
