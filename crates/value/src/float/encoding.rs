//! How the four formats encode numbers, and the one rounding that all
//! conversions go through.

use crate::{Bits, FloatTy, Toward};

/// The parameters of a binary format.
pub(super) struct Format {
    /// Bits of the significand, the leading one included.
    pub precision: u32,
    pub exponent_bits: u32,
    /// The leading bit of the significand is stored (x87).
    pub explicit: bool,
}

pub(super) fn format_of(ty: FloatTy) -> Format {
    let (precision, exponent_bits, explicit) = match ty {
        FloatTy::F32 => (24, 8, false),
        FloatTy::F64 => (53, 11, false),
        FloatTy::X80 => (64, 15, true),
        FloatTy::F128 => (113, 15, false),
    };
    Format { precision, exponent_bits, explicit }
}

impl Format {
    /// Stored bits of the significand.
    pub fn fraction_bits(&self) -> u32 {
        if self.explicit { self.precision } else { self.precision - 1 }
    }

    pub fn sign_bit(&self) -> Bits {
        1 << (self.fraction_bits() + self.exponent_bits)
    }

    fn max_biased(&self) -> i32 {
        (1 << self.exponent_bits) - 1
    }

    fn bias(&self) -> i32 {
        self.max_biased() >> 1
    }

    /// The exponent of the last bit of subnormal numbers.
    pub fn min_quantum(&self) -> i32 {
        2 - self.bias() - self.precision as i32
    }

    /// The bit that tells quiet NaNs from signalling ones.
    fn quiet_bit(&self) -> Bits {
        1 << (self.precision - 2)
    }

    /// The stored leading bit, if the format stores it.
    fn leading(&self) -> Bits {
        if self.explicit { 1 << (self.precision - 1) } else { 0 }
    }

    fn with_max_exponent(&self, negative: bool, fraction: Bits) -> Bits {
        let sign = if negative { self.sign_bit() } else { 0 };
        sign | (self.max_biased() as u128) << self.fraction_bits() | self.leading() | fraction
    }
}

/// What a bit pattern stands for, apart from its sign.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Class {
    Zero,
    /// `significand * 2^exponent`, not zero.
    Finite {
        significand: u128,
        exponent: i32,
    },
    Infinite,
    Nan,
}

pub fn classify(ty: FloatTy, a: Bits) -> Class {
    let f = format_of(ty);
    let fraction = a & ((1 << f.fraction_bits()) - 1);
    let biased = (a >> f.fraction_bits()) as i32 & f.max_biased();
    let leading = 1u128 << (f.precision - 1);
    if f.explicit {
        // x87: a number whose exponent is not zero must have its leading bit set.
        if biased != 0 && fraction & leading == 0 {
            return Class::Nan;
        }
        if biased == f.max_biased() {
            return if fraction == leading { Class::Infinite } else { Class::Nan };
        }
    } else if biased == f.max_biased() {
        return if fraction == 0 { Class::Infinite } else { Class::Nan };
    }
    let significand = if biased == 0 { fraction } else { fraction | leading };
    if significand == 0 {
        return Class::Zero;
    }
    Class::Finite { significand, exponent: f.min_quantum() + biased.max(1) - 1 }
}

pub(super) fn is_nan(ty: FloatTy, a: Bits) -> bool {
    match ty {
        FloatTy::F32 => f32::from_bits(a as u32).is_nan(),
        FloatTy::F64 => f64::from_bits(a as u64).is_nan(),
        FloatTy::X80 | FloatTy::F128 => classify(ty, a) == Class::Nan,
    }
}

pub(super) fn zero(ty: FloatTy, negative: bool) -> Bits {
    if negative { format_of(ty).sign_bit() } else { 0 }
}

pub fn infinity(ty: FloatTy, negative: bool) -> Bits {
    format_of(ty).with_max_exponent(negative, 0)
}

/// The NaN that invalid operations yield on x86.
pub(super) fn default_nan(ty: FloatTy) -> Bits {
    let f = format_of(ty);
    f.with_max_exponent(true, f.quiet_bit())
}

/// A NaN made quiet; patterns that are no numbers at all become the default NaN.
pub(super) fn quiet(ty: FloatTy, nan: Bits) -> Bits {
    let f = format_of(ty);
    let proper = f.with_max_exponent(false, 0);
    if nan & proper == proper { nan | f.quiet_bit() } else { default_nan(ty) }
}

/// A NaN in another format.
pub(super) fn convert_nan(from: FloatTy, to: FloatTy, nan: Bits) -> Bits {
    let (f, t) = (format_of(from), format_of(to));
    let nan = quiet(from, nan);
    let payload = nan & ((1 << (f.precision - 1)) - 1);
    let payload = if t.precision >= f.precision {
        payload << (t.precision - f.precision)
    } else {
        payload >> (f.precision - t.precision)
    };
    t.with_max_exponent(nan & f.sign_bit() != 0, payload)
}

/// The float nearest to `significand * 2^exponent`, ties to even. If the
/// significand stands for something longer, its last bit must be set wherever
/// bits were dropped, and it must be two bits longer than the format's
/// precision (a sticky bit then rounds right, subnormals included).
pub fn round_pack(ty: FloatTy, negative: bool, significand: u128, exponent: i32) -> Bits {
    round_pack_to(ty, negative, significand, exponent, None)
}

/// The same, perhaps in a direction instead of to nearest.
pub(super) fn round_pack_to(
    ty: FloatTy,
    negative: bool,
    significand: u128,
    exponent: i32,
    toward: Option<Toward>,
) -> Bits {
    let f = format_of(ty);
    if significand == 0 {
        return zero(ty, negative);
    }
    // Far beyond the range of every format, and far from overflow of the sums below.
    let exponent = exponent.clamp(-1_000_000, 1_000_000);
    let length = (128 - significand.leading_zeros()) as i32;
    // The exponent of the last bit the result can hold.
    let mut quantum = (exponent + length - f.precision as i32).max(f.min_quantum());
    let shift = quantum - exponent;
    // In a direction: away from zero, or not.
    let away = toward.map(|t| t == if negative { Toward::Down } else { Toward::Up });
    let mut rounded = match away {
        _ if shift <= 0 => significand << -shift,
        None => shift_right_to_even(significand, shift as u32),
        Some(away) => {
            let kept = significand.checked_shr(shift as u32).unwrap_or(0);
            let exact = kept.checked_shl(shift as u32) == Some(significand);
            kept + u128::from(away && !exact)
        }
    };
    if rounded >> f.precision != 0 {
        rounded >>= 1;
        quantum += 1;
    }
    let leading = 1u128 << (f.precision - 1);
    let sign = zero(ty, negative);
    if rounded & leading == 0 {
        return sign | rounded;
    }
    let biased = quantum - f.min_quantum() + 1;
    if biased >= f.max_biased() && away == Some(false) {
        // The largest number.
        let ones = (1u128 << f.fraction_bits()) - 1;
        return zero(ty, negative) | (f.max_biased() as u128 - 1) << f.fraction_bits() | ones;
    }
    if biased >= f.max_biased() {
        return infinity(ty, negative);
    }
    let fraction = if f.explicit { rounded } else { rounded & !leading };
    sign | (biased as u128) << f.fraction_bits() | fraction
}

/// `v / 2^n` to the nearest integer, ties to even.
pub(super) fn shift_right_to_even(v: u128, n: u32) -> u128 {
    if n == 0 {
        return v;
    }
    if n > 128 {
        return 0;
    }
    let (kept, dropped) = if n == 128 { (0, v) } else { (v >> n, v & ((1u128 << n) - 1)) };
    let half = 1u128 << (n - 1);
    if dropped > half || dropped == half && kept & 1 == 1 { kept + 1 } else { kept }
}
