//! Values in slots: see [`crate::code`] for the representation.

use cairn_ir::{Bits, Ty};

use crate::code::is_wide;

/// The bit pattern of a value in slots. (Of a pointer, its register form.)
pub fn to_bits(ty: Ty, low: u64, high: u64) -> Bits {
    let both = u128::from(low) | u128::from(high) << 64;
    match ty {
        Ty::Bool | Ty::Ptr => low.into(),
        Ty::Int(i) => (if is_wide(ty) { both } else { low.into() }) & i.mask(),
        Ty::Float(f) if is_wide(ty) => both & (u128::MAX >> (128 - u32::from(f.bits()))),
        Ty::Float(_) => low.into(),
    }
}

/// The slots of a bit pattern.
pub fn from_bits(ty: Ty, bits: Bits) -> (u64, u64) {
    let v = match ty {
        Ty::Int(i) => i.number(bits) as u128,
        _ => bits,
    };
    (v as u64, (v >> 64) as u64)
}

/// The slot of a constant of at most 64 bits.
pub fn narrow(ty: Ty, bits: Bits) -> u64 {
    from_bits(ty, bits).0
}

/// A value of a signed type of `w` bits (1 to 64) from the low bits of `v`.
#[inline(always)]
pub fn ext_s(v: u64, w: u16) -> u64 {
    let shift = 64 - u32::from(w);
    (((v << shift) as i64) >> shift) as u64
}

#[inline(always)]
pub fn ext_u(v: u64, w: u16) -> u64 {
    let shift = 64 - u32::from(w);
    (v << shift) >> shift
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn_ir::IntTy;

    #[test]
    fn slots_are_extended_by_signedness() {
        assert_eq!(from_bits(Ty::Int(IntTy::I8), 0xff).0, u64::MAX);
        assert_eq!(from_bits(Ty::Int(IntTy::U8), 0xff).0, 0xff);
        assert_eq!(from_bits(Ty::Int(IntTy::I128), u128::MAX), (u64::MAX, u64::MAX));
        for ty in [IntTy::I8, IntTy::U16, IntTy::I64, IntTy::I128, IntTy { bits: 65, signed: true }] {
            for bits in [0, 1, ty.mask(), ty.mask() >> 1] {
                let (low, high) = from_bits(Ty::Int(ty), bits);
                assert_eq!(to_bits(Ty::Int(ty), low, high), bits);
            }
        }
        assert_eq!(ext_s(0x180, 8), (-128i64) as u64);
        assert_eq!(ext_u(0x180, 8), 0x80);
        assert_eq!(ext_s(5, 64), 5);
    }
}
