//! Questions about types for people: sizes, and which member lies at an offset.

use cairn_value::{FloatTy, Ty};

use crate::program::DField;
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
    /// the whole (`.pos[1].x`, or nothing for the whole itself), with its own type. Bit-fields are
    /// never found; of the members of a union the first that fits is.
    pub fn member_at(&self, t: DTypeId, offset: u64, ty: Ty) -> Option<(String, DTypeId)> {
        match &self.dtypes[t] {
            DType::Scalar { ty: own, .. } => {
                let same = *own == ty || (own.int().is_some() && own.bits(self.model) == ty.bits(self.model));
                (offset == 0 && same).then(|| (String::new(), t))
            }
            DType::Array { elem, len } => {
                let size = self.dtype_size(*elem);
                let index = offset.checked_div(size).filter(|i| i < len)?;
                let (path, found) = self.member_at(*elem, offset % size, ty)?;
                Some((format!("[{index}]{path}"), found))
            }
            DType::Record { fields, .. } => fields.iter().find_map(|f: &DField| {
                let inside = offset.checked_sub(f.offset).filter(|_| f.bits.is_none())?;
                if inside >= self.dtype_size(f.ty).max(1) {
                    return None;
                }
                let (path, found) = self.member_at(f.ty, inside, ty)?;
                // Members of an unnamed struct or union belong to the one around it.
                let own = if f.name.is_empty() { String::new() } else { format!(".{}", f.name) };
                Some((own + &path, found))
            }),
        }
    }
}
