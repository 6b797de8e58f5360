//! Scalar types. Aggregates exist only as memory; no value has such a type.

use std::fmt;

use cairn_base::DataModel;

/// A two's-complement integer type of 1 to 128 bits.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct IntTy {
    pub bits: u8,
    pub signed: bool,
}

#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FloatTy {
    F32,
    F64,
    /// x87 double extended: C's `long double`. 80 bits of value.
    X80,
    /// IEEE quadruple: `_Float128`.
    F128,
}

#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Ty {
    /// The result of a comparison. Never stored in memory.
    Bool,
    Int(IntTy),
    Float(FloatTy),
    Ptr,
}

impl IntTy {
    pub const I8: IntTy = IntTy { bits: 8, signed: true };
    pub const U8: IntTy = IntTy { bits: 8, signed: false };
    pub const I16: IntTy = IntTy { bits: 16, signed: true };
    pub const U16: IntTy = IntTy { bits: 16, signed: false };
    pub const I32: IntTy = IntTy { bits: 32, signed: true };
    pub const U32: IntTy = IntTy { bits: 32, signed: false };
    pub const I64: IntTy = IntTy { bits: 64, signed: true };
    pub const U64: IntTy = IntTy { bits: 64, signed: false };
    pub const I128: IntTy = IntTy { bits: 128, signed: true };
    pub const U128: IntTy = IntTy { bits: 128, signed: false };

    /// `size_t` of the model.
    pub fn size(model: DataModel) -> IntTy {
        IntTy { bits: model.ptr_bits(), signed: false }
    }

    /// `ptrdiff_t` of the model.
    pub fn diff(model: DataModel) -> IntTy {
        IntTy { bits: model.ptr_bits(), signed: true }
    }

    /// All ones in the width of the type.
    pub fn mask(self) -> u128 {
        if self.bits >= 128 { u128::MAX } else { (1u128 << self.bits) - 1 }
    }

    /// The bit pattern of `v` wrapped into the type.
    pub fn wrap(self, v: i128) -> u128 {
        v as u128 & self.mask()
    }

    /// The number a bit pattern of a type of at most 127 bits, or of `i128`, stands for. (For
    /// `u128` the result is the reinterpretation as `i128`.)
    pub fn number(self, bits: u128) -> i128 {
        if self.signed && self.bits < 128 {
            let shift = 128 - u32::from(self.bits);
            ((bits << shift) as i128) >> shift
        } else {
            bits as i128
        }
    }

    pub fn min(self) -> i128 {
        if self.signed { -1i128 << (self.bits - 1) } else { 0 }
    }

    /// The largest value (for `u128`, as a bit pattern it is `u128::MAX`).
    pub fn max_bits(self) -> u128 {
        if self.signed { self.mask() >> 1 } else { self.mask() }
    }

    pub fn as_unsigned(self) -> IntTy {
        IntTy { signed: false, ..self }
    }
}

impl FloatTy {
    /// Bits that carry the value.
    pub fn bits(self) -> u8 {
        match self {
            FloatTy::F32 => 32,
            FloatTy::F64 => 64,
            FloatTy::X80 => 80,
            FloatTy::F128 => 128,
        }
    }
}

impl Ty {
    pub const I32: Ty = Ty::Int(IntTy::I32);

    /// Bytes a load or store of the type touches (10 for x87 values).
    pub fn bytes(self, model: DataModel) -> u64 {
        u64::from(self.bits(model)).div_ceil(8)
    }

    /// Bits of the value.
    pub fn bits(self, model: DataModel) -> u8 {
        match self {
            Ty::Bool => 1,
            Ty::Int(i) => i.bits,
            Ty::Float(f) => f.bits(),
            Ty::Ptr => model.ptr_bits(),
        }
    }

    pub fn int(self) -> Option<IntTy> {
        match self {
            Ty::Int(i) => Some(i),
            _ => None,
        }
    }
}

impl fmt::Display for IntTy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.signed { 'i' } else { 'u' }, self.bits)
    }
}

impl fmt::Display for FloatTy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FloatTy::F32 => "f32",
            FloatTy::F64 => "f64",
            FloatTy::X80 => "x80",
            FloatTy::F128 => "f128",
        })
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ty::Bool => f.write_str("bool"),
            Ty::Int(i) => i.fmt(f),
            Ty::Float(x) => x.fmt(f),
            Ty::Ptr => f.write_str("ptr"),
        }
    }
}
