//! Types as people read them, shared: one entry for each C type in use.

use cairn_ctyped::types::{ArrayLen, Type, TypeId};
use cairn_ir::program::DField;
use cairn_ir::{DType, DTypeId, sym};

use super::Cx;

impl Cx<'_> {
    /// The description of a type; `None` for what has no value (functions, `void`, open arrays).
    pub fn dtype(&mut self, ty: TypeId) -> Option<DTypeId> {
        if let Some(&known) = self.dtypes.get(&ty) {
            return known;
        }
        let described = self.describe(ty).map(|d| self.prog.dtypes.push(d));
        self.dtypes.insert(ty, described);
        described
    }

    fn describe(&mut self, ty: TypeId) -> Option<DType> {
        if let Some(scalar) = self.types.scalar(ty) {
            return Some(DType::Scalar { name: sym(&self.types.plain_name(ty)), ty: scalar });
        }
        match self.types.get(ty) {
            Type::Array { elem, len: ArrayLen::Fixed(len) } => {
                let elem = self.dtype(elem.id)?;
                Some(DType::Array { elem, len: *len })
            }
            Type::Record(id) => {
                let record = &self.types.records[*id];
                let layout = record.layout.as_ref()?;
                let mut fields = Vec::with_capacity(layout.fields.len());
                for field in &layout.fields {
                    if let Some(ty) = self.dtype(field.ty.id) {
                        let name = field.name.unwrap_or_else(|| sym(""));
                        let bits = field.bits.map(|b| (b.bit, b.width));
                        fields.push(DField { name, offset: field.offset, bits, ty });
                    }
                }
                let name = sym(&self.types.plain_name(ty));
                Some(DType::Record { name, size: layout.size, is_union: record.is_union, fields })
            }
            _ => None,
        }
    }
}
