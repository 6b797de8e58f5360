//! Random terms and values, for tests of everything that reads terms.
//!
//! Constants and small widths are chosen often, and values lie near the ends
//! of their ranges, where mistakes live.

use cairn_value::{Bits, FloatTy, float};
use fastrand::Rng;
use num_bigint::BigInt;

use crate::sort::ieee_width;
use crate::value::{mask, nan};
use crate::{Assignment, Op, Pool, Round, Sort, SortId, TermId, Value};

/// Which sorts terms may be made of.
#[derive(Copy, Clone, Debug)]
pub struct Flavour {
    pub ints: bool,
    pub arrays: bool,
    /// Equations between arrays.
    pub array_equations: bool,
    pub floats: bool,
    /// Multiplication, division and remainder of bit-vectors.
    pub hard_bits: bool,
}

impl Flavour {
    pub const BITS: Flavour =
        Flavour { ints: false, arrays: false, array_equations: false, floats: false, hard_bits: true };
    pub const ALL: Flavour =
        Flavour { ints: true, arrays: true, array_equations: true, floats: true, hard_bits: true };
}

/// Makes terms. With `simplify`, through the constructors; otherwise exactly as drawn.
pub struct Maker<'a> {
    pub pool: &'a mut Pool,
    pub rng: Rng,
    pub flavour: Flavour,
    pub simplify: bool,
    pub widths: &'a [u8],
    pub formats: &'a [FloatTy],
}

impl Maker<'_> {
    fn op(&mut self, op: Op, args: &[TermId]) -> TermId {
        if self.simplify { self.pool.apply(op, args) } else { self.pool.raw(op, args) }
    }

    fn width(&mut self) -> u8 {
        self.widths[self.rng.usize(..self.widths.len())]
    }

    fn format(&mut self) -> FloatTy {
        self.formats[self.rng.usize(..self.formats.len())]
    }

    fn var(&mut self, prefix: &str, sort: SortId) -> TermId {
        let name = format!("{prefix}{}", self.rng.u8(..3));
        self.pool.var(&name, sort)
    }

    pub fn boolean(&mut self, depth: u32) -> TermId {
        if depth == 0 {
            return match self.rng.u8(..8) {
                0 => self.pool.bool(self.rng.clone().bool()),
                _ => self.var("p", SortId::BOOL),
            };
        }
        let d = depth - 1;
        loop {
            return match self.rng.u8(..14) {
                0 => {
                    let a = self.boolean(d);
                    self.op(Op::Not, &[a])
                }
                n @ (1 | 2) => {
                    let args: Vec<TermId> = (0..self.rng.usize(2..5)).map(|_| self.boolean(d)).collect();
                    self.op(if n == 1 { Op::And } else { Op::Or }, &args)
                }
                3 => {
                    let (c, a, b) = (self.boolean(d), self.boolean(d), self.boolean(d));
                    self.op(Op::Ite, &[c, a, b])
                }
                4 => {
                    let (a, b) = (self.boolean(d), self.boolean(d));
                    self.op(Op::Eq, &[a, b])
                }
                n @ 5..=9 => {
                    let w = self.width();
                    let (a, b) = (self.bits(w, d), self.bits(w, d));
                    let hard = self.flavour.hard_bits && self.rng.bool();
                    let op = match (n, hard) {
                        (5, _) => Op::BvUlt,
                        (6, _) => Op::BvSlt,
                        (7, true) => Op::BvUmulO,
                        (8, true) => Op::BvSmulO,
                        _ => Op::Eq,
                    };
                    self.op(op, &[a, b])
                }
                n @ (10 | 11) if self.flavour.ints => {
                    let (a, b) = (self.int(d), self.int(d));
                    self.op(if n == 10 { Op::Le } else { Op::Eq }, &[a, b])
                }
                12 if self.flavour.floats => self.float_predicate(d),
                13 if self.flavour.array_equations => {
                    let (a, b) = (self.array(d), self.array(d));
                    self.op(Op::Eq, &[a, b])
                }
                _ => continue,
            };
        }
    }

    fn float_predicate(&mut self, d: u32) -> TermId {
        let ty = self.format();
        let a = self.float(ty, d);
        let unary =
            [Op::FpIsNan, Op::FpIsInf, Op::FpIsZero, Op::FpIsNormal, Op::FpIsSubnormal, Op::FpIsNegative];
        let binary = [Op::FpLt, Op::FpLe, Op::FpEq, Op::Eq];
        if self.rng.bool() {
            let op = unary[self.rng.usize(..unary.len())];
            return self.op(op, &[a]);
        }
        let b = self.float(ty, d);
        let op = binary[self.rng.usize(..binary.len())];
        self.op(op, &[a, b])
    }

    pub fn bits(&mut self, width: u8, depth: u32) -> TermId {
        if depth == 0 {
            return if self.rng.u8(..3) == 0 {
                let v = interesting(&mut self.rng, width);
                self.pool.bits(width, v)
            } else {
                let sort = self.pool.bits_sort(width);
                self.var(&format!("x{width}_"), sort)
            };
        }
        let d = depth - 1;
        loop {
            return match self.rng.u8(..24) {
                0 => self.same_width(Op::BvNot, width, 1, d),
                1 => self.same_width(Op::BvNeg, width, 1, d),
                2 | 3 => self.same_width(Op::BvAdd, width, 2, d),
                4 => self.same_width(Op::BvAnd, width, 2, d),
                5 => self.same_width(Op::BvOr, width, 2, d),
                6 => self.same_width(Op::BvXor, width, 2, d),
                7 => self.same_width(Op::BvShl, width, 2, d),
                8 => self.same_width(Op::BvLshr, width, 2, d),
                9 => self.same_width(Op::BvAshr, width, 2, d),
                n @ 10..=14 if self.flavour.hard_bits => {
                    let ops = [Op::BvMul, Op::BvUdiv, Op::BvUrem, Op::BvSdiv, Op::BvSrem];
                    self.same_width(ops[usize::from(n) - 10], width, 2, d)
                }
                15 | 16 => {
                    let (c, a, b) = (self.boolean(d), self.bits(width, d), self.bits(width, d));
                    self.op(Op::Ite, &[c, a, b])
                }
                17 if width > 1 => {
                    let low = self.rng.u8(1..width);
                    let (a, b) = (self.bits(width - low, d), self.bits(low, d));
                    self.op(Op::Concat, &[a, b])
                }
                18 if width < 100 => {
                    let above = self.rng.u8(0..8);
                    let below = self.rng.u8(0..8);
                    let a = self.bits(width + above + below, d);
                    self.op(Op::Extract(width + below - 1, below), &[a])
                }
                n @ (19 | 20) if width > 1 => {
                    let by = self.rng.u8(1..width);
                    let a = self.bits(width - by, d);
                    self.op(if n == 19 { Op::ZeroExt(by) } else { Op::SignExt(by) }, &[a])
                }
                21..=23 if self.flavour.arrays && width == 8 && self.rng.bool() => {
                    let (a, i) = (self.array(d), self.bits(4, d));
                    self.op(Op::Select, &[a, i])
                }
                22 if self.flavour.ints => {
                    let a = self.int(d);
                    self.op(Op::IntToBits(width), &[a])
                }
                23 if self.flavour.floats => {
                    let ty = self.format();
                    if width == ty.bits() && self.rng.bool() {
                        let (a, nan) = (self.float(ty, d), self.bits(width, d));
                        self.op(Op::FpToBits, &[a, nan])
                    } else if width == ieee_width(ty) {
                        let a = self.float(ty, d);
                        self.op(Op::FpToIeee, &[a])
                    } else {
                        let a = self.float(ty, d);
                        let to = cairn_value::IntTy { bits: width, signed: self.rng.bool() };
                        self.pool.fp_to_int(to, a)
                    }
                }
                _ => continue,
            };
        }
    }

    fn same_width(&mut self, op: Op, width: u8, count: usize, d: u32) -> TermId {
        let args: Vec<TermId> = (0..count).map(|_| self.bits(width, d)).collect();
        self.op(op, &args)
    }

    pub fn int(&mut self, depth: u32) -> TermId {
        if depth == 0 {
            return if self.rng.u8(..3) == 0 {
                let n = self.rng.i32(-9..10);
                self.pool.int(n)
            } else {
                self.var("n", SortId::INT)
            };
        }
        let d = depth - 1;
        match self.rng.u8(..7) {
            0 | 1 => {
                let args: Vec<TermId> = (0..self.rng.usize(2..4)).map(|_| self.int(d)).collect();
                self.op(Op::Add, &args)
            }
            2 => {
                let n = self.rng.i32(-4..5);
                let (a, k) = (self.int(d), self.pool.int(n));
                self.op(Op::Mul, &[a, k])
            }
            n @ (3 | 4) => {
                let k = self.rng.i32(1..5) * if self.rng.bool() { 1 } else { -1 };
                let (a, k) = (self.int(d), self.pool.int(k));
                self.op(if n == 3 { Op::Div } else { Op::Mod }, &[a, k])
            }
            5 => {
                let (c, a, b) = (self.boolean(d), self.int(d), self.int(d));
                self.op(Op::Ite, &[c, a, b])
            }
            _ => {
                let w = self.width();
                let a = self.bits(w, d);
                self.op(Op::BitsToInt, &[a])
            }
        }
    }

    /// Arrays of bytes over four-bit indices.
    pub fn array(&mut self, depth: u32) -> TermId {
        let (index, element) = (self.pool.bits_sort(4), self.pool.bits_sort(8));
        let sort = self.pool.array_sort(index, element);
        if depth == 0 {
            return self.var("m", sort);
        }
        let d = depth - 1;
        match self.rng.u8(..5) {
            0..=2 => {
                let (a, i, v) = (self.array(d), self.bits(4, d), self.bits(8, d));
                self.op(Op::Store, &[a, i, v])
            }
            3 => {
                let (c, a, b) = (self.boolean(d), self.array(d), self.array(d));
                self.op(Op::Ite, &[c, a, b])
            }
            _ => {
                let v = self.bits(8, d);
                self.op(Op::ConstArray(sort), &[v])
            }
        }
    }

    pub fn float(&mut self, ty: FloatTy, depth: u32) -> TermId {
        if depth == 0 {
            return if self.rng.u8(..3) == 0 {
                let v = interesting_float(&mut self.rng, ty);
                self.pool.float(ty, v)
            } else {
                let sort = self.pool.float_sort(ty);
                self.var(&format!("f{ty}_"), sort)
            };
        }
        let d = depth - 1;
        match self.rng.u8(..11) {
            n @ 0..=3 => {
                let ops = [Op::FpAdd, Op::FpSub, Op::FpMul, Op::FpDiv];
                let (a, b) = (self.float(ty, d), self.float(ty, d));
                self.op(ops[usize::from(n)], &[a, b])
            }
            4 => {
                let a = self.float(ty, d);
                self.op(if self.rng.clone().bool() { Op::FpNeg } else { Op::FpAbs }, &[a])
            }
            5 => {
                let modes = [Round::NearestEven, Round::NearestAway, Round::Up, Round::Down, Round::ToZero];
                let a = self.float(ty, d);
                let mode = modes[self.rng.usize(..modes.len())];
                self.op(Op::FpRound(mode), &[a])
            }
            6 => {
                let (c, a, b) = (self.boolean(d), self.float(ty, d), self.float(ty, d));
                self.op(Op::Ite, &[c, a, b])
            }
            7 => {
                let from = self.format();
                let a = self.float(from, d);
                self.op(Op::FpToFp(ty), &[a])
            }
            8 => {
                let a = self.bits(ieee_width(ty), d);
                self.op(Op::FpFromIeee(ty), &[a])
            }
            9 => {
                let w = self.width();
                let a = self.bits(w, d);
                self.op(if self.rng.clone().bool() { Op::FpFromSbv(ty) } else { Op::FpFromUbv(ty) }, &[a])
            }
            _ => {
                let a = self.float(ty, d);
                self.op(Op::FpSqrt, &[a])
            }
        }
    }
}

/// A bit pattern near an end of its range, small, or anything.
pub fn interesting(rng: &mut Rng, width: u8) -> Bits {
    let bits = match rng.u8(..6) {
        0 => Bits::from(rng.u8(..4)),
        1 => Bits::from(rng.u8(..4)).wrapping_neg(),
        2 => (1 << (width - 1)) + Bits::from(rng.u8(..3)) - 1,
        3 => 1 << rng.u8(..width),
        4 => mask(1 + rng.u8(..width)),
        _ => rng.u128(..),
    };
    bits & mask(width)
}

pub fn interesting_float(rng: &mut Rng, ty: FloatTy) -> Bits {
    let sign = Bits::from(rng.bool()) << (ty.bits() - 1);
    match rng.u8(..12) {
        0 => nan(ty),
        1 => float::infinity(ty, false) | sign,
        2 => sign,
        3 => float::from_f64(ty, f64::from(rng.i32(-20..20)) / 4.0),
        4 => 1 | sign,
        5 => float::from_f64(ty, 2f64.powi(rng.i32(-70..70)) * f64::from(rng.i32(-9..9))),
        // Near one another, with few or many digits: sums round, cancel and tie.
        6..=9 => {
            let digits = (rng.u128(..) >> rng.u8(..128)).max(1);
            let length = 128 - digits.leading_zeros() as i32;
            float::round_pack(ty, sign != 0, digits, rng.i32(-3..4) - length)
        }
        _ => rng.u128(..) & mask(ty.bits()),
    }
}

/// Values for the free variables of some terms.
pub fn assignment(rng: &mut Rng, pool: &Pool, roots: &[TermId]) -> Assignment {
    let mut assignment = Assignment::default();
    for v in pool.free_vars(roots) {
        let value = value(rng, pool, pool.sort_id_of(v));
        assignment.insert(v, value);
    }
    assignment
}

pub fn value(rng: &mut Rng, pool: &Pool, sort: SortId) -> Value {
    match pool.sort_of(sort) {
        Sort::Bool => Value::Bool(rng.bool()),
        Sort::Int => Value::Int(BigInt::from(rng.i32(-300..300))),
        Sort::Bits(w) => Value::bits(w, interesting(rng, w)),
        Sort::Float(ty) => Value::float(ty, interesting_float(rng, ty)),
        Sort::Array(index, element) => {
            let default = value(rng, pool, element);
            let mut array = crate::ArrayValue::constant(pool, sort, default);
            for _ in 0..rng.u8(..5) {
                let (i, v) = (value(rng, pool, index), value(rng, pool, element));
                array.set(i, v);
            }
            Value::Array(Box::new(array))
        }
    }
}
