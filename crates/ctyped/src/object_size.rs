//! `__builtin_object_size`: how many bytes there are from a pointer to the end of the object it points
//! into, where that can be read off the pointer's expression.
//!
//! gcc answers the same at every level of optimisation where the expression names the object and
//! offsets are constants (`&s.a[3]`, `buf + 2`). What it finds out by following assignments when it
//! optimises is not known here, as it is not known to `gcc -O0`.

use crate::check::Checker;
use crate::consteval::Const;
use crate::hir::{Expr, ExprKind, LValue, LValueKind, Size};
use crate::types::Type;

/// The bytes that are left behind a pointer.
#[derive(Copy, Clone)]
pub(crate) struct Room {
    /// To the end of the declared object: modes 0 and 2.
    pub whole: u64,
    /// To the end of the member or array the pointer was made of: modes 1 and 3.
    pub part: u64,
}

impl Room {
    fn skip(self, bytes: u64) -> Room {
        Room { whole: self.whole.saturating_sub(bytes), part: self.part.saturating_sub(bytes) }
    }
}

impl Checker {
    pub(crate) fn room_behind(&self, pointer: &Expr) -> Option<Room> {
        match &pointer.kind {
            ExprKind::AddrOf(place) => self.room_of(place),
            ExprKind::Cast(inner) if matches!(self.types.get(inner.ty), Type::Pointer(_)) => {
                self.room_behind(inner)
            }
            ExprKind::StmtExpr { block, value: Some(value) } if block.stmts.is_empty() => {
                self.room_behind(value)
            }
            ExprKind::PtrAdd { ptr, index, size: Size::Const(size), negative: false } => {
                let Const::Num(bits) = self.eval_scalar(index)? else { return None };
                let index = u64::try_from(self.types.integer_of(index.ty)?.number(bits)).ok()?;
                let room = self.room_behind(ptr)?;
                // An index leads within the array that it is an index of.
                let part = match &ptr.kind {
                    ExprKind::AddrOf(array) if matches!(self.types.get(array.ty.id), Type::Array { .. }) => {
                        self.types.size_of(array.ty.id).unwrap_or(room.part)
                    }
                    _ => room.part,
                };
                Some(Room { part, ..room }.skip(index.checked_mul(*size)?))
            }
            _ => None,
        }
    }

    fn room_of(&self, place: &LValue) -> Option<Room> {
        match &place.kind {
            LValueKind::Local(_) | LValueKind::Global(_) => {
                let size = self.types.size_of(place.ty.id)?;
                Some(Room { whole: size, part: size })
            }
            LValueKind::Deref(pointer) => self.room_behind(pointer),
            LValueKind::Member { base, offset, bits: None } => {
                let whole = self.room_of(base)?.whole.saturating_sub(*offset);
                let part = self.types.size_of(place.ty.id).map_or(whole, |size| size.min(whole));
                Some(Room { whole, part })
            }
            _ => None,
        }
    }
}
