//! Bit-vectors as integers: for questions about sums, comparisons and divisions,
//! which bit-blasting turns into circuits that no SAT solver sees through.
//!
//! Every bit-vector becomes the unsigned number it stands for. An operation that
//! may leave the width gets an integer multiple of `2^w` taken off that brings it
//! back (so does cvc5's `solve-bv-as-int`: Zohar and others, "Bit-precise
//! reasoning via int-blasting", 2022). This is exact. Bitwise operations and
//! shifts are read by quotients and remainders if one operand is a constant;
//! products of variables, arrays and floats are left to others.

use cairn_base::Budget;
use cairn_term::value::signed;
use cairn_term::{Assignment, Op, Pool, Sort, SortId, TermId, Value};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use crate::stack::Stack;
use crate::z3::Z3;
use crate::{Answer, Solver, Why};

/// Terms that are worth the trouble.
const LARGEST: usize = 20_000;

#[derive(Default)]
pub struct IntBlast {
    stack: Stack,
    model: Assignment,
    core: Vec<TermId>,
}

impl IntBlast {
    fn ask(&mut self, pool: &Pool, assumptions: &[TermId], budget: &Budget) -> Result<Answer, Why> {
        let mut roots = self.stack.assertions().to_vec();
        roots.extend_from_slice(assumptions);
        let terms = pool.reachable(&roots);
        if terms.len() > LARGEST {
            return Err(Why::Unsupported("a formula of that size as integers".into()));
        }
        let mut blaster = Blaster { ints: Pool::new(), made: FxHashMap::default(), sides: Vec::new() };
        for &t in &terms {
            let made = blaster.term(pool, t)?;
            blaster.made.insert(t, made);
        }
        let Blaster { ints, made, sides } = blaster;
        let mut z3 = Z3::new();
        for side in sides.iter().chain(self.stack.assertions().iter().map(|t| &made[t])) {
            z3.assert(&ints, *side);
        }
        let wanted: Vec<TermId> = assumptions.iter().map(|t| made[t]).collect();
        let answer = z3.check(&ints, &wanted, budget);
        match &answer {
            Answer::Sat => {
                let vars: Vec<TermId> = terms.iter().copied().filter(|&t| pool.is_var(t)).collect();
                let images: Vec<TermId> = vars.iter().map(|v| made[v]).collect();
                let found = z3.model(&ints, &images)?;
                self.model = Assignment::default();
                for (&v, image) in vars.iter().zip(&images) {
                    let value = match (pool.sort(v), found.get(image)) {
                        (Sort::Bits(w), Some(Value::Int(n))) => {
                            Some(Value::bits(w, u128::try_from(n.clone()).unwrap_or(0)))
                        }
                        (_, value) => value.cloned(),
                    };
                    if let Some(value) = value {
                        self.model.insert(v, value);
                    }
                }
            }
            Answer::Unsat => {
                let used = z3.core();
                self.core = assumptions.iter().copied().filter(|t| used.contains(&made[t])).collect();
            }
            Answer::Unknown(_) => {}
        }
        Ok(answer)
    }
}

impl Solver for IntBlast {
    fn name(&self) -> &str {
        "intblast"
    }

    fn push(&mut self) {
        self.stack.push();
    }

    fn pop(&mut self) {
        self.stack.pop();
    }

    fn assert(&mut self, _: &Pool, t: TermId) {
        self.stack.assert(t);
    }

    fn check(&mut self, pool: &Pool, assumptions: &[TermId], budget: &Budget) -> Answer {
        self.core.clear();
        self.ask(pool, assumptions, budget).unwrap_or_else(Answer::Unknown)
    }

    fn model(&mut self, _: &Pool, _: &[TermId]) -> Result<Assignment, Why> {
        Ok(self.model.clone())
    }

    fn core(&self) -> &[TermId] {
        &self.core
    }
}

struct Blaster {
    ints: Pool,
    made: FxHashMap<TermId, TermId>,
    sides: Vec<TermId>,
}

fn power(bits: u8) -> BigInt {
    BigInt::from(1) << bits
}

fn unsupported(op: Op) -> Why {
    Why::Unsupported(format!("{op:?} as integers"))
}

impl Blaster {
    fn int(&mut self, n: impl Into<BigInt>) -> TermId {
        self.ints.int(n)
    }

    /// `0 <= t < 2^w`, from now on.
    fn bound(&mut self, t: TermId, w: u8) {
        let (zero, most) = (self.int(0), self.int(power(w) - 1));
        let (above, below) = (self.ints.int_le(zero, t), self.ints.int_le(t, most));
        self.sides.extend([above, below]);
    }

    /// The number in `0..2^w` that is congruent to `t`.
    fn wrap(&mut self, t: TermId, w: u8) -> TermId {
        if let Some(n) = self.ints.as_int(t) {
            let m = power(w);
            let rest = ((n % &m) + &m) % &m;
            return self.int(rest);
        }
        let q = self.ints.fresh("q", SortId::INT);
        let m = self.int(power(w));
        let off = self.ints.int_mul(m, q);
        let rest = self.ints.int_sub(t, off);
        self.bound(rest, w);
        rest
    }

    /// The signed number that an unsigned one of so many bits stands for.
    fn signed(&mut self, t: TermId, w: u8) -> TermId {
        let (half, all) = (self.int(power(w - 1)), self.int(power(w)));
        let natural = self.ints.int_lt(t, half);
        let below = self.ints.int_sub(t, all);
        self.ints.ite(natural, t, below)
    }

    /// Back from a signed number within the width.
    fn unsigned(&mut self, t: TermId, w: u8) -> TermId {
        let (zero, all) = (self.int(0), self.int(power(w)));
        let natural = self.ints.int_le(zero, t);
        let above = self.ints.int_add(t, all);
        self.ints.ite(natural, t, above)
    }

    /// `t & mask` of a constant mask: the runs of ones, each by a quotient and a remainder.
    fn masked(&mut self, t: TermId, mask: u128, w: u8) -> TermId {
        let mut parts = Vec::new();
        let mut at = 0u8;
        while at < w {
            if mask >> at & 1 == 0 {
                at += 1;
                continue;
            }
            let from = at;
            while at < w && mask >> at & 1 == 1 {
                at += 1;
            }
            let field = self.field(t, from, at, w);
            let weight = self.int(power(from));
            parts.push(self.ints.int_mul(field, weight));
        }
        self.ints.int_sum(&parts)
    }

    /// Bits `from` to below `to` of a number of `w` bits.
    fn field(&mut self, t: TermId, from: u8, to: u8, w: u8) -> TermId {
        let mut t = t;
        if from > 0 {
            let by = self.int(power(from));
            t = self.ints.int_div(t, by);
        }
        if to < w {
            let by = self.int(power(to - from));
            t = self.ints.int_mod(t, by);
        }
        t
    }

    /// A constant operand of an operation with two, and the other one.
    fn constant(&self, pool: &Pool, t: TermId) -> Option<(u128, TermId)> {
        let &[a, b] = pool.args(t) else { return None };
        match (pool.as_bits(a), pool.as_bits(b)) {
            (_, Some(c)) => Some((c, a)),
            (Some(c), None) => Some((c, b)),
            _ => None,
        }
    }

    fn term(&mut self, pool: &Pool, t: TermId) -> Result<TermId, Why> {
        let op = pool.op(t);
        let args: Vec<TermId> = pool.args(t).iter().map(|a| self.made[a]).collect();
        let w = match pool.sort(t) {
            Sort::Bits(w) => w,
            Sort::Bool | Sort::Int => pool.args(t).first().map_or(0, |&a| match pool.sort(a) {
                Sort::Bits(w) => w,
                _ => 0,
            }),
            _ => return Err(unsupported(op)),
        };
        Ok(match op {
            Op::Var(_) => {
                let sort = if pool.sort(t) == Sort::Bool { SortId::BOOL } else { SortId::INT };
                let v = self.ints.fresh("v", sort);
                if let Sort::Bits(w) = pool.sort(t) {
                    self.bound(v, w);
                }
                v
            }
            Op::Bool(b) => self.ints.bool(b),
            Op::Number(_) => {
                let n = pool.as_int(t).cloned().unwrap_or_default();
                self.int(n)
            }
            Op::Word(..) => {
                let n = pool.as_bits(t).unwrap_or(0);
                self.int(n)
            }
            Op::Not => self.ints.not(args[0]),
            Op::And => self.ints.and(&args),
            Op::Or => self.ints.or(&args),
            Op::Eq => self.ints.eq(args[0], args[1]),
            Op::Ite => self.ints.ite(args[0], args[1], args[2]),
            Op::Add => self.ints.int_sum(&args),
            Op::Le => self.ints.int_le(args[0], args[1]),
            Op::BitsToInt => args[0],
            Op::IntToBits(w) => self.wrap(args[0], w),
            Op::BvNot => {
                let most = self.int(power(w) - 1);
                self.ints.int_sub(most, args[0])
            }
            Op::BvNeg => {
                let minus = self.ints.int_neg(args[0]);
                self.wrap(minus, w)
            }
            Op::BvAdd => {
                let mut sum = Vec::new();
                for (&a, &made) in pool.args(t).iter().zip(&args) {
                    // Minus one rather than 2^w - 1 more.
                    sum.push(match pool.as_bits(a) {
                        Some(c) => self.int(signed(w, c)),
                        None => made,
                    });
                }
                let sum = self.ints.int_sum(&sum);
                self.wrap(sum, w)
            }
            Op::BvMul => {
                let (c, other) = self.constant(pool, t).ok_or_else(|| unsupported(op))?;
                let c = self.int(signed(w, c));
                let product = self.ints.int_mul(c, self.made[&other]);
                self.wrap(product, w)
            }
            Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem => self.division(pool, t, op, &args, w)?,
            Op::BvShl | Op::BvLshr | Op::BvAshr => {
                let count = pool.as_bits(pool.arg(t, 1)).ok_or_else(|| unsupported(op))?;
                let count = u8::try_from(count).unwrap_or(u8::MAX).min(w);
                let by = self.int(power(count));
                match op {
                    Op::BvShl => {
                        let product = self.ints.int_mul(args[0], by);
                        self.wrap(product, w)
                    }
                    Op::BvLshr => self.ints.int_div(args[0], by),
                    _ => {
                        let a = self.signed(args[0], w);
                        let quotient = self.ints.int_div(a, by);
                        self.unsigned(quotient, w)
                    }
                }
            }
            Op::BvAnd | Op::BvOr | Op::BvXor => {
                let (c, other) = self.constant(pool, t).ok_or_else(|| unsupported(op))?;
                let a = self.made[&other];
                let common = self.masked(a, c, w);
                if op == Op::BvAnd {
                    return Ok(common);
                }
                let (c, factor) = (self.int(c), self.int(if op == Op::BvOr { 1 } else { 2 }));
                let sum = self.ints.int_add(a, c);
                let twice = self.ints.int_mul(factor, common);
                self.ints.int_sub(sum, twice)
            }
            Op::BvUlt => self.ints.int_lt(args[0], args[1]),
            Op::BvSlt => {
                let (a, b) = (self.signed(args[0], w), self.signed(args[1], w));
                self.ints.int_lt(a, b)
            }
            Op::BvUmulO => {
                let (c, other) = self.constant(pool, t).ok_or_else(|| unsupported(op))?;
                let c = self.int(c);
                let product = self.ints.int_mul(c, self.made[&other]);
                let all = self.int(power(w));
                self.ints.int_le(all, product)
            }
            Op::BvSmulO => {
                let (c, other) = self.constant(pool, t).ok_or_else(|| unsupported(op))?;
                let a = self.signed(self.made[&other], w);
                let c = self.int(signed(w, c));
                let product = self.ints.int_mul(c, a);
                let (least, most) = (self.int(-power(w - 1)), self.int(power(w - 1) - 1));
                let (above, below) = (self.ints.int_le(least, product), self.ints.int_le(product, most));
                let fits = self.ints.and(&[above, below]);
                self.ints.not(fits)
            }
            Op::Concat => {
                let low = pool.width(pool.arg(t, 1));
                let weight = self.int(power(low));
                let high = self.ints.int_mul(args[0], weight);
                self.ints.int_add(high, args[1])
            }
            Op::Extract(hi, lo) => {
                let whole = pool.width(pool.arg(t, 0));
                self.field(args[0], lo, hi + 1, whole)
            }
            Op::ZeroExt(_) => args[0],
            Op::SignExt(n) => {
                let narrow = w - n;
                let a = self.signed(args[0], narrow);
                self.unsigned(a, w)
            }
            _ => return Err(unsupported(op)),
        })
    }

    /// Division by a constant that is not zero.
    fn division(&mut self, pool: &Pool, t: TermId, op: Op, args: &[TermId], w: u8) -> Result<TermId, Why> {
        let c = pool.as_bits(pool.arg(t, 1)).filter(|&c| c != 0).ok_or_else(|| unsupported(op))?;
        if matches!(op, Op::BvUdiv | Op::BvUrem) {
            let c = self.int(c);
            return Ok(if op == Op::BvUdiv {
                self.ints.int_div(args[0], c)
            } else {
                self.ints.int_mod(args[0], c)
            });
        }
        // Truncating: by magnitudes.
        let c = signed(w, c);
        let a = self.signed(args[0], w);
        let zero = self.int(0);
        let natural = self.ints.int_le(zero, a);
        let minus = self.ints.int_neg(a);
        let size = self.int(c.unsigned_abs());
        let (up, down) = (self.ints.int_div(a, size), self.ints.int_div(minus, size));
        let down = self.ints.int_neg(down);
        let mut quotient = self.ints.ite(natural, up, down);
        if op == Op::BvSrem {
            let whole = self.ints.int_mul(quotient, size);
            let rest = self.ints.int_sub(a, whole);
            return Ok(self.unsigned(rest, w));
        }
        if c < 0 {
            quotient = self.ints.int_neg(quotient);
        }
        // The least number by minus one leaves the type.
        Ok(self.wrap(quotient, w))
    }
}
