//! Concrete values of every sort.

use std::collections::BTreeMap;

use cairn_value::{Bits, FloatTy, IntTy, float};
use num_bigint::BigInt;

use crate::sort::{float_format, ieee_width};
use crate::{Pool, Sort, SortId};

/// A value. Equal values compare equal: bits above the width are zero, the NaN has one pattern and
/// arrays are kept in a normal form.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Value {
    Bool(bool),
    Int(BigInt),
    Bits(u8, Bits),
    /// As a bit pattern of [`cairn_value`]; see [`Value::float`].
    Float(FloatTy, Bits),
    Array(Box<ArrayValue>),
}

/// A map that differs from `default` at finitely many indices.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ArrayValue {
    pub sort: SortId,
    default: Value,
    /// No entry equals the default.
    entries: BTreeMap<Value, Value>,
    /// How many indices there are, if the index sort is finite and small enough to matter.
    domain: Option<u128>,
}

impl Value {
    /// A float in normal form: any pattern of a NaN becomes the one NaN, and an x87 pattern with a
    /// denormal exponent and a set leading bit becomes the normal number it is.
    pub fn float(ty: FloatTy, bits: Bits) -> Value {
        Value::Float(ty, canonical_float(ty, bits))
    }

    /// The float with an IEEE encoding.
    pub fn from_ieee(ty: FloatTy, ieee: Bits) -> Value {
        Value::float(ty, from_ieee(ty, ieee))
    }

    pub fn bits(width: u8, bits: Bits) -> Value {
        Value::Bits(width, bits & mask(width))
    }

    /// The value of a variable that is not assigned: false, zero, zeroes everywhere.
    pub fn default_of(pool: &Pool, sort: SortId) -> Value {
        match pool.sort_of(sort) {
            Sort::Bool => Value::Bool(false),
            Sort::Int => Value::Int(BigInt::ZERO),
            Sort::Bits(w) => Value::Bits(w, 0),
            Sort::Float(ty) => Value::Float(ty, 0),
            Sort::Array(_, element) => {
                let default = Value::default_of(pool, element);
                Value::Array(Box::new(ArrayValue::constant(pool, sort, default)))
            }
        }
    }

    /// The value as one of a sort of this pool, if it is one. (Sorts of arrays are ids, so that an
    /// array read with another pool has to be made anew.)
    pub fn adopt(&self, pool: &Pool, sort: SortId) -> Option<Value> {
        match (self, pool.sort_of(sort)) {
            (Value::Bool(_), Sort::Bool) | (Value::Int(_), Sort::Int) => Some(self.clone()),
            (Value::Bits(v, _), Sort::Bits(w)) if *v == w => Some(self.clone()),
            (Value::Float(a, _), Sort::Float(b)) if *a == b => Some(self.clone()),
            (Value::Array(array), Sort::Array(index, element)) => {
                let default = array.default.adopt(pool, element)?;
                let mut new = ArrayValue::constant(pool, sort, default);
                for (i, v) in array.entries() {
                    new.set(i.adopt(pool, index)?, v.adopt(pool, element)?);
                }
                Some(Value::Array(Box::new(new)))
            }
            _ => None,
        }
    }

    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(b) => Some(*b),
            _ => None,
        }
    }

    /// The bit pattern of a bit-vector or float, or 0 or 1 for a boolean.
    pub fn as_bits(&self) -> Option<Bits> {
        match self {
            Value::Bool(b) => Some(u128::from(*b)),
            Value::Bits(_, b) | Value::Float(_, b) => Some(*b),
            _ => None,
        }
    }

    pub fn as_int(&self) -> Option<&BigInt> {
        match self {
            Value::Int(n) => Some(n),
            _ => None,
        }
    }

    pub fn as_array(&self) -> Option<&ArrayValue> {
        match self {
            Value::Array(a) => Some(a),
            _ => None,
        }
    }
}

impl ArrayValue {
    pub fn constant(pool: &Pool, sort: SortId, default: Value) -> ArrayValue {
        let domain = match pool.sort_of(sort) {
            Sort::Array(index, _) => match pool.sort_of(index) {
                Sort::Bool => Some(2),
                Sort::Bits(w) if w < 32 => Some(1u128 << w),
                _ => None,
            },
            _ => None,
        };
        ArrayValue { sort, default, entries: BTreeMap::new(), domain }
    }

    pub fn get(&self, index: &Value) -> &Value {
        self.entries.get(index).unwrap_or(&self.default)
    }

    pub fn set(&mut self, index: Value, value: Value) {
        if value == self.default {
            self.entries.remove(&index);
        } else {
            self.entries.insert(index, value);
        }
        if self.domain == Some(self.entries.len() as u128) {
            // The default is not the value of any index: take the one at the first index instead.
            let first = self.entries.values().next().expect("a domain is not empty").clone();
            self.entries.retain(|_, v| *v != first);
            self.default = first;
        }
    }

    pub fn default_value(&self) -> &Value {
        &self.default
    }

    /// Indices and values that differ from the default, in order.
    pub fn entries(&self) -> impl Iterator<Item = (&Value, &Value)> {
        self.entries.iter()
    }
}

pub(crate) fn mask(width: u8) -> Bits {
    IntTy { bits: width, signed: false }.mask()
}

/// The number a bit-vector stands for when read as signed.
pub fn signed(width: u8, bits: Bits) -> i128 {
    IntTy { bits: width, signed: true }.number(bits)
}

pub(crate) fn canonical_float(ty: FloatTy, bits: Bits) -> Bits {
    match float::classify(ty, bits) {
        float::Class::Nan => nan(ty),
        _ if ty == FloatTy::X80 => {
            let bits = bits & mask(80);
            let (pseudo_denormal, leading) = (bits >> 64 & 0x7fff == 0, bits >> 63 & 1 == 1);
            if pseudo_denormal && leading { bits | 1 << 64 } else { bits }
        }
        _ => bits & mask(ty.bits()),
    }
}

/// The one NaN: positive, quiet, without payload.
pub(crate) fn nan(ty: FloatTy) -> Bits {
    let (_, significand) = float_format(ty);
    float::infinity(ty, false) | 1 << (significand - 2)
}

/// The pattern with the exponent of a NaN, and the quiet bit if it would be an infinity.
pub(crate) fn made_nan(ty: FloatTy, pattern: Bits) -> Bits {
    let exponent = float::infinity(ty, false);
    let quiet = nan(ty) & !exponent;
    let fraction = (quiet << 1) - 1;
    pattern | exponent | if pattern & fraction == 0 { quiet } else { 0 }
}

/// From [`cairn_value`]'s pattern to the IEEE encoding.
pub(crate) fn to_ieee(ty: FloatTy, bits: Bits) -> Bits {
    match ty {
        FloatTy::X80 => (bits >> 64) << 63 | bits & mask(63),
        _ => bits,
    }
}

/// From the IEEE encoding to [`cairn_value`]'s pattern.
pub(crate) fn from_ieee(ty: FloatTy, ieee: Bits) -> Bits {
    let ieee = ieee & mask(ieee_width(ty));
    match ty {
        FloatTy::X80 => {
            let leading = u128::from(ieee >> 63 & 0x7fff != 0);
            (ieee >> 63) << 64 | leading << 63 | ieee & mask(63)
        }
        _ => ieee,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ieee_encoding_of_x87_values_round_trips() {
        for ty in [FloatTy::F32, FloatTy::F64, FloatTy::X80, FloatTy::F128] {
            for text in ["0", "1", "1.5", "3.4e38", "1e-300", "1e-4940", "3.6e-4951"] {
                let bits = float::parse(ty, text).unwrap();
                assert_eq!(from_ieee(ty, to_ieee(ty, bits)), bits, "{text} of {ty}");
            }
            assert_eq!(from_ieee(ty, to_ieee(ty, nan(ty))), nan(ty));
            assert_eq!(float::classify(ty, nan(ty)), float::Class::Nan);
        }
    }

    #[test]
    fn full_arrays_are_equal_whatever_their_default() {
        let mut pool = Pool::new();
        let bit = pool.bits_sort(1);
        let sort = pool.array_sort(bit, SortId::BOOL);
        let mut a = ArrayValue::constant(&pool, sort, Value::Bool(false));
        a.set(Value::Bits(1, 0), Value::Bool(true));
        a.set(Value::Bits(1, 1), Value::Bool(true));
        assert_eq!(a, ArrayValue::constant(&pool, sort, Value::Bool(true)));
    }
}
