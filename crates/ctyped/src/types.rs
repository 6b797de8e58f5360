//! C types, interned: equal types have equal ids (records and enums are equal
//! only to themselves). Layout follows gcc on x86 for both data models.

use cairn_base::{DataModel, PrimaryMap, Span, Symbol, entity_impl};
use cairn_value::{FloatTy, IntTy, Ty};
use rustc_hash::FxHashMap;

#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TypeId(u32);
entity_impl!(TypeId, "ty");

#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordId(u32);
entity_impl!(RecordId, "rec");

#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EnumId(u32);
entity_impl!(EnumId, "enum");

/// The size of one variable-length array type, evaluated where the type is declared.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VlaId(u32);
entity_impl!(VlaId, "vla");

/// A type with its qualifiers.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct QType {
    pub id: TypeId,
    pub is_const: bool,
    pub is_volatile: bool,
}

impl QType {
    pub fn plain(id: TypeId) -> QType {
        QType { id, is_const: false, is_volatile: false }
    }
}

#[rustfmt::skip]
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum IntKind {
    Char, SChar, UChar, Short, UShort, Int, UInt, Long, ULong, LongLong, ULongLong, Int128, UInt128,
}

#[rustfmt::skip]
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum FloatKind { Float, Double, LongDouble, Float32, Float64, Float32x, Float64x, Float128 }

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    Void,
    Bool,
    Int(IntKind),
    Float(FloatKind),
    Enum(EnumId),
    Pointer(QType),
    Array {
        elem: QType,
        len: ArrayLen,
    },
    Function(FuncType),
    Record(RecordId),
    /// The platform's `va_list`: in LP64 an array of one 24-byte struct (so it decays), in ILP32
    /// a pointer. `VaListElem` is that struct.
    VaListElem,
    /// The type gcc gives a bit-field at least as wide as `int` but narrower than its declared
    /// type: `long long b : 40` computes in 40 bits. Only values have it, objects hardly ever.
    BitField {
        bits: u8,
        signed: bool,
    },
    /// `_Complex`, vectors, decimal floats …: known by size only. No expression has such a type
    /// and no function that is defined uses it; headers may declare with it.
    Unsupported {
        what: Symbol,
        size: u64,
        align: u64,
    },
}

#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum ArrayLen {
    Fixed(u64),
    /// `[]`: incomplete, or a flexible array member (size 0).
    Unknown,
    /// Number of elements computed at run time, once.
    Vla(VlaId),
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FuncType {
    pub ret: QType,
    /// Adjusted (arrays and functions to pointers), unqualified.
    pub params: Vec<TypeId>,
    pub variadic: bool,
    /// `false`: declared with `()`, arguments are default-promoted and not checked.
    pub prototyped: bool,
}

#[derive(Clone, Debug)]
pub struct Record {
    pub is_union: bool,
    pub tag: Option<Symbol>,
    pub span: Span,
    /// `None` while incomplete.
    pub layout: Option<Layout>,
}

#[derive(Clone, Debug)]
pub struct Layout {
    pub size: u64,
    pub align: u64,
    /// In declaration order; unnamed bit-fields are left out, anonymous members are kept.
    pub fields: Vec<Field>,
    /// Ends in a flexible array member.
    pub flexible: bool,
}

#[derive(Clone, Debug)]
pub struct Field {
    /// `None`: an anonymous struct or union whose members are reached directly.
    pub name: Option<Symbol>,
    pub ty: QType,
    /// Byte offset; for a bit-field, of the byte its first bit lies in.
    pub offset: u64,
    pub bits: Option<BitField>,
}

/// A bit-field: `width` bits from bit `bit` (< 8) at the field's byte offset.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct BitField {
    pub bit: u8,
    pub width: u8,
}

#[derive(Clone, Debug)]
pub struct Enum {
    pub tag: Option<Symbol>,
    pub span: Span,
    /// The compatible integer type (gcc's choice); `None` while incomplete.
    pub repr: Option<IntKind>,
    pub enumerators: Vec<(Symbol, i128)>,
}

/// All types of a program.
#[derive(Clone, Debug)]
pub struct Types {
    pub model: DataModel,
    types: PrimaryMap<TypeId, Type>,
    ids: FxHashMap<Type, TypeId>,
    pub records: PrimaryMap<RecordId, Record>,
    pub enums: PrimaryMap<EnumId, Enum>,
    /// One entry for each variable-length array type; only the count matters here.
    pub vlas: u32,
}

impl Types {
    pub fn new(model: DataModel) -> Types {
        Types {
            model,
            types: PrimaryMap::new(),
            ids: FxHashMap::default(),
            records: PrimaryMap::new(),
            enums: PrimaryMap::new(),
            vlas: 0,
        }
    }

    pub fn intern(&mut self, ty: Type) -> TypeId {
        if let Some(&id) = self.ids.get(&ty) {
            return id;
        }
        let id = self.types.push(ty.clone());
        self.ids.insert(ty, id);
        id
    }

    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[id]
    }

    /// The id of a type, if it was made before.
    pub fn find(&self, ty: &Type) -> Option<TypeId> {
        self.ids.get(ty).copied()
    }

    pub fn new_vla(&mut self) -> VlaId {
        self.vlas += 1;
        VlaId::from_u32(self.vlas - 1)
    }

    pub fn int_ty(&self, kind: IntKind) -> IntTy {
        use IntKind::*;
        let long = self.model.ptr_bits();
        let (bits, signed) = match kind {
            Char | SChar => (8, true),
            UChar => (8, false),
            Short => (16, true),
            UShort => (16, false),
            Int => (32, true),
            UInt => (32, false),
            Long => (long, true),
            ULong => (long, false),
            LongLong => (64, true),
            ULongLong => (64, false),
            Int128 => (128, true),
            UInt128 => (128, false),
        };
        IntTy { bits, signed }
    }

    pub fn float_ty(&self, kind: FloatKind) -> FloatTy {
        use FloatKind::*;
        match kind {
            Float | Float32 => FloatTy::F32,
            Double | Float64 | Float32x => FloatTy::F64,
            LongDouble | Float64x => FloatTy::X80,
            Float128 => FloatTy::F128,
        }
    }

    /// The IR type of a scalar C type: integers, enums, floats, pointers. `_Bool` is `u8` holding
    /// 0 or 1. `None` for everything else.
    pub fn scalar(&self, id: TypeId) -> Option<Ty> {
        match self.get(id) {
            Type::Bool => Some(Ty::Int(IntTy::U8)),
            Type::Int(k) => Some(Ty::Int(self.int_ty(*k))),
            Type::Float(k) => Some(Ty::Float(self.float_ty(*k))),
            Type::Enum(e) => self.enums[*e].repr.map(|k| Ty::Int(self.int_ty(k))),
            Type::Pointer(_) => Some(Ty::Ptr),
            Type::BitField { bits, signed } => Some(Ty::Int(IntTy { bits: *bits, signed: *signed })),
            _ => None,
        }
    }
}
