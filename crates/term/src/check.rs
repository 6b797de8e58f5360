//! Which arguments fit which operation, and the sort of the result.

use crate::op::Rounded;
use crate::sort::{MAX_WIDTH, ieee_width};
use crate::{Op, Pool, Sort, SortId, TermId};

impl Pool {
    /// The sort of the operation applied to the arguments, or what is wrong with them.
    pub fn check(&mut self, op: Op, args: &[TermId]) -> Result<SortId, String> {
        let sorts: smallvec::SmallVec<[Sort; 4]> = args.iter().map(|&a| self.sort(a)).collect();
        let result = match result(op, &sorts) {
            Some(sort) => Ok(self.sort_id(sort)),
            None => match op {
                // A leaf's own data say its sort.
                Op::Var(_) | Op::Bool(_) | Op::Number(_) | Op::Word(..) | Op::Float(..) => {
                    return Err(format!("{op:?} is a leaf and takes no arguments"));
                }
                Op::ConstArray(sort) => self.check_const_array(sort, args),
                Op::Select => self.check_select(args),
                Op::Store => self.check_store(args),
                _ => Err(()),
            },
        };
        result.map_err(|()| {
            let sorts: Vec<String> = sorts.iter().map(Sort::to_string).collect();
            format!("{op:?} does not apply to ({})", sorts.join(", "))
        })
    }

    fn check_const_array(&self, sort: SortId, args: &[TermId]) -> Result<SortId, ()> {
        match (self.sort_of(sort), args) {
            (Sort::Array(_, element), [v]) if self.sort_id_of(*v) == element => Ok(sort),
            _ => Err(()),
        }
    }

    fn check_select(&self, args: &[TermId]) -> Result<SortId, ()> {
        let [array, index] = args else { return Err(()) };
        match self.sort(*array) {
            Sort::Array(i, element) if i == self.sort_id_of(*index) => Ok(element),
            _ => Err(()),
        }
    }

    fn check_store(&self, args: &[TermId]) -> Result<SortId, ()> {
        let [array, index, value] = args else { return Err(()) };
        let element = self.check_select(&[*array, *index])?;
        if element == self.sort_id_of(*value) { Ok(self.sort_id_of(*array)) } else { Err(()) }
    }
}

/// The result's sort for everything whose arguments and result are scalar. (`Eq` and `Ite` take
/// arrays too.)
fn result(op: Op, args: &[Sort]) -> Option<Sort> {
    use Op::*;
    use Sort::{Bits, Bool, Float, Int};
    let width = |w: u32| (1..=u32::from(MAX_WIDTH)).contains(&w).then_some(Bits(w as u8));
    match (op, args) {
        (Not, [Bool]) => Some(Bool),
        (And | Or, [Bool, Bool, ..]) if args.iter().all(|&s| s == Bool) => Some(Bool),
        (Eq, [a, b]) if a == b => Some(Bool),
        (Ite, [Bool, a, b]) if a == b => Some(*a),
        (Add, [Int, Int, ..]) if args.iter().all(|&s| s == Int) => Some(Int),
        (Mul | Div | Mod, [Int, Int]) => Some(Int),
        (Le, [Int, Int]) => Some(Bool),
        (BitsToInt, [Bits(_)]) => Some(Int),
        (IntToBits(w), [Int]) => width(w.into()),
        (BvNot | BvNeg, [Bits(w)]) => Some(Bits(*w)),
        (
            BvAdd | BvMul | BvUdiv | BvUrem | BvSdiv | BvSrem | BvShl | BvLshr | BvAshr | BvAnd | BvOr
            | BvXor,
            [Bits(v), Bits(w)],
        ) if v == w => Some(Bits(*w)),
        (BvUlt | BvSlt | BvUmulO | BvSmulO, [Bits(v), Bits(w)]) if v == w => Some(Bool),
        (Concat, [Bits(v), Bits(w)]) => width(u32::from(*v) + u32::from(*w)),
        (Extract(hi, lo), [Bits(w)]) if lo <= hi && hi < *w => Some(Bits(hi - lo + 1)),
        (ZeroExt(n) | SignExt(n), [Bits(w)]) => width(u32::from(n) + u32::from(*w)),
        (FpAdd | FpSub | FpMul | FpDiv | FpRem, [Float(a), Float(b)]) if a == b => Some(Float(*a)),
        (FpSqrt | FpNeg | FpAbs | FpRound(_), [Float(a)]) => Some(Float(*a)),
        (FpLt | FpLe | FpEq, [Float(a), Float(b)]) if a == b => Some(Bool),
        (FpIsNan | FpIsInf | FpIsZero | FpIsNormal | FpIsSubnormal | FpIsNegative, [Float(_)]) => Some(Bool),
        (FpFromIeee(ty), [Bits(w)]) if *w == ieee_width(ty) => Some(Float(ty)),
        (FpToBits, [Float(ty), Bits(w)]) if *w == ty.bits() => Some(Bits(*w)),
        (FpToIeee, [Float(ty)]) => Some(Bits(ieee_width(*ty))),
        (FpToFp(ty), [Float(_)]) => Some(Float(ty)),
        (FpFromSbv(ty) | FpFromUbv(ty), [Bits(_)]) => Some(Float(ty)),
        (FpDirected(Rounded::Add | Rounded::Sub | Rounded::Mul | Rounded::Div, _), [Float(a), Float(b)])
            if a == b =>
        {
            Some(Float(*a))
        }
        (FpDirected(Rounded::Sqrt, _), [Float(a)]) => Some(Float(*a)),
        (FpDirected(Rounded::ToFp(ty), _), [Float(_)]) => Some(Float(ty)),
        (FpDirected(Rounded::FromSbv(ty) | Rounded::FromUbv(ty), _), [Bits(_)]) => Some(Float(ty)),
        (FpToSbv(w) | FpToUbv(w), [Float(_)]) => width(w.into()),
        _ => None,
    }
}
