//! Nondeterministic values: those that were given, then random ones that
//! like the boundaries of their type. All are recorded, so that a run can be
//! repeated by giving them.

use cairn_ir::{Bits, DataModel, FloatTy, IntTy, Place, Symbol, Ty};
use cairn_value::eval;
use oorandom::Rand64;

use crate::outcome::{Given, InputRecord};

pub struct Inputs {
    given: std::collections::VecDeque<Given>,
    random: Rand64,
    pub records: Vec<InputRecord>,
}

impl Inputs {
    pub fn new(given: &[Given], seed: u64) -> Inputs {
        Inputs {
            given: given.iter().copied().collect(),
            random: Rand64::new(seed.into()),
            records: Vec::new(),
        }
    }

    /// The next value of type `ty`, and a remark if the given one did not fit.
    pub fn next(&mut self, name: Symbol, ty: Ty, place: Place, model: DataModel) -> (Bits, Option<String>) {
        let given = self.given.pop_front();
        let (bits, fits) = match given {
            Some(v) => convert(v, ty, model),
            // Where an object lies is left to the executor, see `Builtin::Place`.
            None if name.starts_with('&') => (0, true),
            None => (self.random_value(ty), true),
        };
        let number = self.records.len() + 1;
        self.records.push(InputRecord { name, ty, bits, place, given: given.is_some() });
        let remark = (!fits).then(|| format!("input {number} ({name}) does not fit {ty} and was wrapped"));
        (bits, remark)
    }

    fn random_value(&mut self, ty: Ty) -> Bits {
        match ty {
            Ty::Bool => (self.random.rand_u64() & 1).into(),
            Ty::Int(i) => self.random_int(i),
            Ty::Float(f) => self.random_float(f),
            // No object is known to an unknown pointer.
            Ty::Ptr => 0,
        }
    }

    fn random_int(&mut self, ty: IntTy) -> Bits {
        let wide = u128::from(self.random.rand_u64()) << 64 | u128::from(self.random.rand_u64());
        let near = self.random.rand_range(0..5) as i128 - 2;
        match self.random.rand_range(0..8) {
            0 | 1 => ty.wrap(self.random.rand_range(0..25) as i128 - 8),
            2 => ty.wrap(self.random.rand_range(0..257) as i128 - 128),
            3 => ty.wrap(ty.min().wrapping_add(near.max(0))),
            4 => ty.wrap((ty.max_bits() as i128).wrapping_sub(near.max(0))),
            5 => ty.wrap((1i128 << self.random.rand_range(0..u64::from(ty.bits))).wrapping_add(near)),
            _ => wide & ty.mask(),
        }
    }

    fn random_float(&mut self, ty: FloatTy) -> Bits {
        let small = self.random.rand_range(0..41) as f64 - 20.0;
        let v = match self.random.rand_range(0..8) {
            0 | 1 => small,
            2 => small / 8.0,
            3 => self.random.rand_float() * 2.0 - 1.0,
            4 => [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, f64::MAX, f64::MIN_POSITIVE, 0.1]
                [self.random.rand_range(0..8) as usize],
            5 => self.random.rand_u64() as i64 as f64,
            _ => f64::from_bits(self.random.rand_u64()),
        };
        let f64_ty = Ty::Float(FloatTy::F64);
        eval::cast(f64_ty, Ty::Float(ty), v.to_bits().into(), DataModel::HOST).unwrap_or(0)
    }
}

/// A given value in the type that is asked for, and whether it fitted.
fn convert(v: Given, ty: Ty, model: DataModel) -> (Bits, bool) {
    let width = u32::from(ty.bits(model));
    let mask = u128::MAX >> (128 - width);
    let real = |r: f64, f: FloatTy| {
        eval::cast(Ty::Float(FloatTy::F64), Ty::Float(f), r.to_bits().into(), model).unwrap_or(0)
    };
    match (v, ty) {
        (Given::Bits(b), _) => (b & mask, b & mask == b),
        (Given::Int(n), Ty::Bool) => ((n != 0).into(), n == 0 || n == 1),
        (Given::Int(n), Ty::Int(i)) => {
            let bits = i.wrap(n);
            (bits, i.number(bits) == n)
        }
        (Given::Int(n), Ty::Float(_)) => {
            (eval::cast(Ty::Int(IntTy::I128), ty, n as u128, model).unwrap_or(0), true)
        }
        (Given::Int(n), Ty::Ptr) => (n as u128 & mask, n as u128 & mask == n as u128),
        (Given::Real(r), Ty::Float(f)) => (real(r, f), true),
        (Given::Real(r), _) => {
            let (bits, fits) = convert(Given::Int(r as i128), ty, model);
            (bits, fits && r.fract() == 0.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn_ir::sym;

    #[test]
    fn given_values_come_first_and_wrap_with_a_remark() {
        let mut inputs = Inputs::new(&[Given::Int(300), Given::Int(-1)], 1);
        let u8_ty = Ty::Int(IntTy::U8);
        let (bits, remark) = inputs.next(sym("f"), u8_ty, Place::NONE, DataModel::Lp64);
        assert_eq!((bits, remark.is_some()), (44, true));
        let (bits, remark) = inputs.next(sym("f"), Ty::I32, Place::NONE, DataModel::Lp64);
        assert_eq!((bits, remark), (0xffff_ffff, None));
        inputs.next(sym("g"), Ty::I32, Place::NONE, DataModel::Lp64);
        assert_eq!(inputs.records.iter().map(|r| r.given).collect::<Vec<_>>(), [true, true, false]);
    }

    #[test]
    fn random_values_fit_and_repeat() {
        let draw = |seed| {
            let mut inputs = Inputs::new(&[], seed);
            let types = [IntTy::I8, IntTy::U64, IntTy::I128, IntTy { bits: 3, signed: true }];
            (0..400)
                .map(|i| {
                    let ty = types[i % 4];
                    let (bits, _) = inputs.next(sym("f"), Ty::Int(ty), Place::NONE, DataModel::Lp64);
                    assert_eq!(bits & !ty.mask(), 0);
                    bits
                })
                .collect::<Vec<_>>()
        };
        assert_eq!(draw(7), draw(7));
        assert_ne!(draw(7), draw(8));
        assert!(draw(7).contains(&0x7f), "boundaries are likely");
    }
}
