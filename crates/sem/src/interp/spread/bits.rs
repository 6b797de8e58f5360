//! Uninitialised bits of values: how far an operation carries them, and which comparisons they leave
//! decided.

use cairn_ir::{IntTy, Ty};

use crate::code::is_wide;

/// The operands of a comparison or an operation: a value and its uninitialised bits.
#[derive(Copy, Clone)]
pub(super) struct Operand {
    pub value: u64,
    pub bits: u64,
}

impl Operand {
    fn least(self, signed: bool) -> u64 {
        let top = if signed { self.bits & SIGN } else { 0 };
        (self.value & !self.bits) | top
    }

    fn greatest(self, signed: bool) -> u64 {
        let top = if signed { self.bits & SIGN } else { 0 };
        (self.value | self.bits) & !top
    }
}

const SIGN: u64 = 1 << 63;

#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Relation {
    Eq,
    LtS,
    LeS,
    LtU,
    LeU,
}

/// Is the outcome the same whatever the uninitialised bits are?
pub(super) fn is_decided(how: Relation, a: Operand, b: Operand) -> bool {
    let signed = matches!(how, Relation::LtS | Relation::LeS);
    let below = |x: u64, y: u64, or_equal: bool| match (signed, or_equal) {
        (true, true) => x as i64 <= y as i64,
        (true, false) => (x as i64) < y as i64,
        (false, true) => x <= y,
        (false, false) => x < y,
    };
    match how {
        Relation::Eq => (a.value ^ b.value) & !(a.bits | b.bits) != 0,
        _ => {
            let strict = matches!(how, Relation::LtS | Relation::LtU);
            below(a.greatest(signed), b.least(signed), !strict)
                || below(b.greatest(signed), a.least(signed), strict)
        }
    }
}

/// All bits from the lowest that is set on.
pub(super) fn upward(bits: u64) -> u64 {
    bits | bits.wrapping_neg()
}

/// All bits up to the highest that is set.
pub(super) fn downward(bits: u64) -> u64 {
    if bits == 0 { 0 } else { u64::MAX >> bits.leading_zeros() }
}

/// All bits of a value of the type, in its slots.
pub(super) fn whole(ty: Ty) -> (u64, u64) {
    match ty {
        Ty::Bool => (1, 0),
        Ty::Int(IntTy { bits, signed: false }) if bits < 64 => ((1 << bits) - 1, 0),
        Ty::Float(f) if f.bits() < 64 => ((1 << f.bits()) - 1, 0),
        _ => (u64::MAX, if is_wide(ty) { u64::MAX } else { 0 }),
    }
}

/// Uninitialised bits of memory as those of a value of the type, in its slots.
pub(super) fn extended(ty: Ty, bits: u128) -> (u64, u64) {
    let bits = match ty {
        Ty::Int(i) => {
            let own = bits & i.mask();
            let negative = i.signed && i.bits < 128 && own >> (i.bits - 1) & 1 != 0;
            if negative { own | u128::MAX << i.bits } else { own }
        }
        Ty::Bool => bits & 1,
        _ => bits,
    };
    (bits as u64, if is_wide(ty) { (bits >> 64) as u64 } else { 0 })
}
#[cfg(test)]
mod tests {
    use super::*;

    fn some(value: u64, bits: u64) -> Operand {
        Operand { value, bits }
    }

    #[test]
    fn comparisons_are_decided_by_what_is_known() {
        let any = some(0, u64::MAX);
        assert!(!is_decided(Relation::Eq, any, some(3, 0)));
        // A known bit differs.
        assert!(is_decided(Relation::Eq, some(0, 0xfe), some(1, 0)));
        assert!(!is_decided(Relation::Eq, some(0, 0xff), some(1, 0)));
        // A byte is less than 256 whatever it is.
        assert!(is_decided(Relation::LtU, some(0, 0xff), some(256, 0)));
        assert!(is_decided(Relation::LtS, some(0, 0xff), some(256, 0)));
        assert!(!is_decided(Relation::LtS, some(0, 0xff), some(255, 0)));
        assert!(is_decided(Relation::LeS, some(0, 0xff), some(255, 0)));
        // The sign alone decides.
        assert!(is_decided(Relation::LtS, some(SIGN, 0xff), some(0, 0)));
        assert!(!is_decided(Relation::LtS, some(0, SIGN), some(0, 0)));
    }

    #[test]
    fn bits_reach_as_far_as_carries_and_signs_do() {
        assert_eq!(upward(0b1000), !0b111);
        assert_eq!(upward(0), 0);
        assert_eq!(downward(0b100), 0b111);
        assert_eq!(extended(Ty::Int(IntTy::I8), 0x80), (!0x7f, 0));
        assert_eq!(extended(Ty::Int(IntTy::U8), 0x80), (0x80, 0));
        assert_eq!(whole(Ty::Int(IntTy::U32)), (0xffff_ffff, 0));
    }
}
