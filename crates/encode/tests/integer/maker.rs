//! Random expressions and inputs, near the ends of the types.

use std::collections::BTreeSet;

use cairn_ir::{BinOp, ExprId, IntTy, Program, Ty, UnOp, VarId};
use fastrand::Rng;
use rustc_hash::FxHashMap;

use crate::{MODEL, add_var};

const WIDTHS: [u8; 12] = [1, 2, 3, 8, 8, 16, 32, 32, 33, 64, 127, 128];

pub struct Maker {
    pub program: Program,
    rng: Rng,
    types: Vec<IntTy>,
    vars: FxHashMap<Ty, Vec<ExprId>>,
}

impl Maker {
    pub fn new(seed: u64) -> Maker {
        let mut maker = Maker {
            program: Program::new(MODEL),
            rng: Rng::with_seed(seed),
            types: Vec::new(),
            vars: FxHashMap::default(),
        };
        for _ in 0..3 {
            let bits = WIDTHS[maker.rng.usize(..WIDTHS.len())];
            maker.types.push(IntTy { bits, signed: maker.rng.bool() });
        }
        let types: BTreeSet<Ty> = maker.types.iter().map(|&i| Ty::Int(i)).chain([Ty::Bool]).collect();
        for ty in types {
            let vars = (0..2).map(|n| add_var(&mut maker.program, &format!("v{n}"), ty)).collect();
            maker.vars.insert(ty, vars);
        }
        maker
    }

    pub fn any_int(&mut self) -> IntTy {
        self.types[self.rng.usize(..self.types.len())]
    }

    fn leaf(&mut self, ty: Ty) -> ExprId {
        match ty {
            Ty::Int(i) if self.rng.u8(..3) == 0 => {
                let bits = boundary(&mut self.rng, i);
                self.program.exprs.constant(ty, bits)
            }
            _ => self.vars[&ty][self.rng.usize(..2)],
        }
    }

    pub fn make(&mut self, ty: Ty, depth: u32) -> ExprId {
        if depth == 0 || self.rng.u8(..8) == 0 {
            return self.leaf(ty);
        }
        match ty {
            Ty::Int(i) => self.int(i, depth - 1),
            _ => self.bool(depth - 1),
        }
    }

    fn int(&mut self, i: IntTy, depth: u32) -> ExprId {
        use BinOp::*;
        let ty = Ty::Int(i);
        match self.rng.u8(..20) {
            0..=9 => {
                let op = [Add, Sub, Mul, Div, Rem, And, Or, Xor, Add, Sub][self.rng.usize(..10)];
                let a = self.make(ty, depth);
                let b = if self.rng.bool() { self.make(ty, depth) } else { self.leaf(ty) };
                self.program.exprs.binary(op, a, b)
            }
            10..=12 => {
                let op = if self.rng.bool() { Shl } else { Shr };
                let a = self.make(ty, depth);
                let count = self.any_int();
                let b = if self.rng.u8(..3) == 0 {
                    self.make(Ty::Int(count), depth.min(1))
                } else {
                    let n = self.rng.u8(..i.bits);
                    self.program.exprs.int(count, n.into())
                };
                self.program.exprs.binary(op, a, b)
            }
            13..=14 => {
                let from = if self.rng.u8(..5) == 0 { Ty::Bool } else { Ty::Int(self.any_int()) };
                let a = self.make(from, depth);
                self.program.exprs.cast(ty, a)
            }
            15..=17 => {
                use UnOp::*;
                let op = [Neg, Neg, BitNot, BitNot, Clz, Ctz, Popcount, Bswap][self.rng.usize(..8)];
                // Only whole bytes are swapped.
                let op = if op == Bswap && !i.bits.is_multiple_of(8) { Neg } else { op };
                let a = self.make(ty, depth);
                self.program.exprs.unary(op, a)
            }
            _ => self.select(ty, depth),
        }
    }

    fn select(&mut self, ty: Ty, depth: u32) -> ExprId {
        let (c, t, f) = (self.make(Ty::Bool, depth), self.make(ty, depth), self.make(ty, depth));
        self.program.exprs.select(c, t, f)
    }

    fn bool(&mut self, depth: u32) -> ExprId {
        use BinOp::*;
        match self.rng.u8(..8) {
            0 => {
                let a = self.make(Ty::Bool, depth);
                self.program.exprs.not(a)
            }
            1 => {
                let op = [And, Or, Xor, Eq, Ne][self.rng.usize(..5)];
                let (a, b) = (self.make(Ty::Bool, depth), self.make(Ty::Bool, depth));
                self.program.exprs.binary(op, a, b)
            }
            2 => self.select(Ty::Bool, depth),
            _ => {
                let op = [Eq, Ne, Lt, Le, AddOvf, SubOvf, MulOvf][self.rng.usize(..7)];
                let ty = Ty::Int(self.any_int());
                let (a, b) = (self.make(ty, depth), self.make(ty, depth));
                self.program.exprs.binary(op, a, b)
            }
        }
    }

    pub fn inputs(&mut self) -> FxHashMap<VarId, u128> {
        let mut values = FxHashMap::default();
        for (v, var) in self.program.vars.iter() {
            let bits = match var.ty {
                Ty::Int(i) => boundary(&mut self.rng, i),
                _ => self.rng.bool().into(),
            };
            values.insert(v, bits);
        }
        values
    }
}

/// A bit pattern near an end of the type, near zero, near a power of two, or any.
fn boundary(rng: &mut Rng, i: IntTy) -> u128 {
    let near = rng.i128(-2..=2);
    match rng.u8(..6) {
        0 => i.wrap(i.min().wrapping_add(near)),
        1 => i.wrap((i.max_bits() as i128).wrapping_add(near)),
        2 | 3 => i.wrap(near * rng.i128(1..=5)),
        4 => i.wrap((1i128 << rng.u8(..i.bits.min(127))).wrapping_add(near)),
        _ => rng.u128(..) & i.mask(),
    }
}
