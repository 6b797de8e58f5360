//! Values for inputs: the boundaries of their types, small numbers, the constants
//! of the program and their neighbours, and anything.

use std::collections::BTreeSet;

use cairn_base::DataModel;
use cairn_ir::{Bits, Expr, FloatTy, IntTy, Program, Ty};
use cairn_term::Value;
use cairn_value::eval;
use oorandom::Rand64;

/// More constants than these are a table, and tell nothing.
const CONSTANTS: usize = 200;

/// Addresses for objects, one after another.
pub struct Layout {
    next: u64,
    step: u64,
    down: bool,
}

impl Layout {
    /// The next address, as an integer of a type.
    pub fn next(&mut self, ty: Ty) -> Value {
        let here = self.next;
        self.next = match self.down {
            true => here.saturating_sub(self.step).max(0x1000),
            false => here.saturating_add(self.step),
        };
        as_value(ty, here.into())
    }
}

pub struct Picker {
    random: Rand64,
    /// Integer constants of the program, as numbers.
    integers: Vec<i128>,
    floats: Vec<(FloatTy, Bits)>,
}

impl Picker {
    pub fn new(program: &Program) -> Picker {
        let (mut integers, mut floats) = (BTreeSet::new(), BTreeSet::new());
        for (_, e) in program.exprs.iter() {
            match e {
                Expr::Int(ty, bits) if integers.len() < CONSTANTS => {
                    integers.insert(ty.number(bits));
                }
                Expr::Float(ty, bits) if floats.len() < CONSTANTS => {
                    floats.insert((ty.bits(), bits));
                }
                _ => {}
            }
        }
        let float = |width| {
            [FloatTy::F32, FloatTy::F64, FloatTy::X80, FloatTy::F128].into_iter().find(|f| f.bits() == width)
        };
        let floats = floats.into_iter().filter_map(|(w, bits)| Some((float(w)?, bits))).collect();
        Picker { random: Rand64::new(0xca14), integers: integers.into_iter().collect(), floats }
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        self.random.rand_range(0..n.max(1) as u64) as usize
    }

    /// A layout of memory: somewhere low or high, upwards or downwards, densely or with room.
    pub fn layout(&mut self) -> Layout {
        let first = [0x1_0000, 0x40_0000, 0x0805_0000, 0x6000_0000, 0x7fff_0000][self.below(5)];
        let odd = 16 * self.below(0x1000) as u64 * (self.below(4) > 0) as u64;
        let step = [0x40, 0x1000, 0x2_0000][self.below(3)];
        Layout { next: first + odd, step, down: self.below(2) == 1 }
    }

    /// A value of a type, by its pattern.
    pub fn bits(&mut self, ty: Ty) -> Bits {
        match ty {
            Ty::Bool => (self.random.rand_u64() & 1).into(),
            Ty::Int(i) => self.integer(i),
            Ty::Float(f) => self.float(f),
            // An unknown pointer points to nothing.
            Ty::Ptr => 0,
        }
    }

    /// The same as a value of a term.
    pub fn value(&mut self, ty: Ty) -> Value {
        let bits = self.bits(ty);
        as_value(ty, bits)
    }

    fn integer(&mut self, ty: IntTy) -> Bits {
        let near = self.random.rand_range(0..5) as i128 - 2;
        match self.random.rand_range(0..12) {
            0..3 => ty.wrap(self.random.rand_range(0..25) as i128 - 8),
            3 => ty.wrap(self.random.rand_range(0..257) as i128 - 128),
            4 => ty.wrap(ty.min().wrapping_add(near.max(0))),
            5 => ty.wrap((ty.max_bits() as i128).wrapping_sub(near.max(0))),
            6 => ty.wrap((1i128 << self.random.rand_range(0..u64::from(ty.bits))).wrapping_add(near)),
            7..10 if !self.integers.is_empty() => {
                let n = self.below(self.integers.len());
                ty.wrap(self.integers[n].wrapping_add(near.clamp(-1, 1)))
            }
            _ => {
                let wide = u128::from(self.random.rand_u64()) << 64 | u128::from(self.random.rand_u64());
                wide & ty.mask()
            }
        }
    }

    fn float(&mut self, ty: FloatTy) -> Bits {
        let convert = |from: FloatTy, bits: Bits| {
            eval::cast(Ty::Float(from), Ty::Float(ty), bits, DataModel::HOST).unwrap_or(0)
        };
        if self.random.rand_range(0..4) == 0 && !self.floats.is_empty() {
            let n = self.below(self.floats.len());
            let (from, bits) = self.floats[n];
            return convert(from, bits);
        }
        let small = self.random.rand_range(0..41) as f64 - 20.0;
        const SPECIAL: [f64; 10] = [
            0.0,
            -0.0,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            -f64::NAN,
            f64::MAX,
            f64::MIN_POSITIVE,
            0.1,
            16_777_217.0,
        ];
        let v = match self.random.rand_range(0..8) {
            0 | 1 => small,
            2 => small / 8.0,
            3 | 4 => SPECIAL[self.below(SPECIAL.len())],
            5 => self.random.rand_u64() as i32 as f64,
            6 => self.random.rand_u64() as i64 as f64,
            _ => f64::from_bits(self.random.rand_u64()),
        };
        convert(FloatTy::F64, v.to_bits().into())
    }
}

/// A pattern as the value of a term.
pub fn as_value(ty: Ty, bits: Bits) -> Value {
    match ty {
        Ty::Bool => Value::Bool(bits & 1 == 1),
        Ty::Int(i) => Value::bits(i.bits, bits),
        // Floats are patterns in states.
        Ty::Float(f) => Value::bits(f.bits(), bits),
        Ty::Ptr => Value::bits(64, bits),
    }
}
