//! Terms to circuits, each term once.

use cairn_base::{Budget, Pace};
use cairn_term::sort::ieee_width;
use cairn_term::{Op, Pool, Round, Rounded, Sort, TermId};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::float::Format;
use super::gates::{Gates, Lit};
use super::words::{Word, from_bits, not};
use crate::Why;

/// Terms that are visited between two looks at the budget.
const VISITED: u32 = 1 << 14;
/// Gates that are made between two looks at the budget.
const MADE: usize = 1 << 14;

/// The circuits of all terms seen so far.
pub struct Blaster {
    pub gates: Gates,
    /// Where the wires of a term lie in `wires`, lowest bit first.
    words: FxHashMap<TermId, (u32, u32)>,
    wires: Vec<Lit>,
    divisions: FxHashMap<(Word, Word), (Word, Word)>,
    /// All reads of arrays.
    pub(super) reads: Vec<TermId>,
}

impl Blaster {
    pub fn new() -> Blaster {
        Blaster {
            gates: Gates::new(),
            words: FxHashMap::default(),
            wires: Vec::new(),
            divisions: FxHashMap::default(),
            reads: Vec::new(),
        }
    }

    /// The wires of a term, if it has been translated.
    pub fn known(&self, t: TermId) -> Option<&[Lit]> {
        let &(first, count) = self.words.get(&t)?;
        Some(&self.wires[first as usize..(first + count) as usize])
    }

    fn word(&self, t: TermId) -> &[Lit] {
        self.known(t).expect("arguments come first")
    }

    fn bit(&self, t: TermId) -> Lit {
        self.word(t)[0]
    }

    /// The wire of a boolean term, or what in it is no business of a SAT solver, or the limit that was
    /// reached on the way: what has been translated by then stays, and the next call goes on there.
    pub fn boolean(&mut self, pool: &Pool, root: TermId, budget: &Budget) -> Result<Lit, Why> {
        let mut asked_at = self.gates.len();
        for t in self.unknown(pool, root, budget)? {
            if self.gates.len() >= asked_at + MADE {
                asked_at = self.gates.len();
                if let Some(limit) = budget.exceeded() {
                    return Err(Why::Limit(limit));
                }
            }
            let word = self.translate(pool, t).map_err(Why::Unsupported)?;
            let first = self.wires.len() as u32;
            self.wires.extend_from_slice(&word);
            self.words.insert(t, (first, word.len() as u32));
        }
        Ok(self.bit(root))
    }

    /// What has to be translated, arguments first.
    fn unknown(&self, pool: &Pool, root: TermId, budget: &Budget) -> Result<Vec<TermId>, Why> {
        let mut pace = Pace::new(budget, VISITED);
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        let mut order = Vec::new();
        let mut visit = |t: TermId, order: &mut Vec<TermId>| {
            if !self.words.contains_key(&t) && seen.insert(t) {
                order.push(t);
            }
        };
        visit(root, &mut order);
        let mut at = 0;
        while at < order.len() {
            pace.step().map_err(Why::Limit)?;
            let t = order[at];
            for &a in pool.args(t) {
                let needed = if pool.op(t) == Op::BvAdd { unnegated(pool, a) } else { a };
                visit(needed, &mut order);
            }
            at += 1;
        }
        order.sort_unstable();
        Ok(order)
    }

    fn translate(&mut self, pool: &Pool, t: TermId) -> Result<Word, String> {
        let width = match pool.sort(t) {
            // Arrays have no wires: only their elements do.
            Sort::Array(index, element) => {
                wires(pool.sort_of(index)).and(wires(pool.sort_of(element)))?;
                0
            }
            sort => wires(sort)?,
        };
        let op = pool.op(t);
        let args = pool.args(t);
        let arg = |n: usize| Word::from_slice(self.word(args[n]));
        let one = |l: Lit| Word::from_slice(&[l]);
        Ok(match op {
            Op::Var(_) => self.fresh(pool, t, width),
            Op::Bool(b) => one(Lit::constant(b)),
            Op::Word(..) => from_bits(width, pool.as_bits(t).unwrap_or(0)),
            Op::Not => one(!self.bit(args[0])),
            Op::And | Op::Or => {
                let bits: Word = args.iter().map(|&a| self.bit(a)).collect();
                one(if op == Op::And { self.gates.all(&bits) } else { self.gates.any(&bits) })
            }
            Op::Store | Op::ConstArray(_) => Word::new(),
            Op::Select => {
                self.reads.push(t);
                self.fresh(pool, t, width)
            }
            Op::Eq if matches!(pool.sort(args[0]), Sort::Array(..)) => {
                return Err("equality of arrays".into());
            }
            Op::Eq => {
                let (a, b) = (arg(0), arg(1));
                one(self.gates.eq(&a, &b))
            }
            Op::Ite => {
                let (c, a, b) = (self.bit(args[0]), arg(1), arg(2));
                self.gates.mux_word(c, &a, &b)
            }
            Op::BvNot => not(&arg(0)),
            Op::BvNeg => {
                let a = arg(0);
                self.gates.neg(&a)
            }
            Op::BvAdd => self.add(pool, args[0], args[1]),
            Op::BvMul => {
                let (a, b) = (arg(0), arg(1));
                self.gates.mul(&a, &b)
            }
            Op::BvUdiv => {
                let (a, b) = (arg(0), arg(1));
                self.divide(&a, &b).0
            }
            Op::BvUrem => {
                let (a, b) = (arg(0), arg(1));
                self.divide(&a, &b).1
            }
            Op::BvSdiv | Op::BvSrem => {
                let (a, b) = (arg(0), arg(1));
                self.signed_divide(op, &a, &b)
            }
            Op::BvShl | Op::BvLshr | Op::BvAshr => {
                let (a, count) = (arg(0), arg(1));
                let fill = if op == Op::BvAshr { a[width - 1] } else { Lit::FALSE };
                self.gates.shift(&a, &count, op == Op::BvShl, fill)
            }
            Op::BvAnd => {
                let (a, b) = (arg(0), arg(1));
                self.gates.map2(&a, &b, Gates::and)
            }
            Op::BvOr => {
                let (a, b) = (arg(0), arg(1));
                self.gates.map2(&a, &b, Gates::or)
            }
            Op::BvXor => {
                let (a, b) = (arg(0), arg(1));
                self.gates.map2(&a, &b, Gates::xor)
            }
            Op::BvUlt | Op::BvSlt | Op::BvUmulO | Op::BvSmulO => {
                let (a, b) = (arg(0), arg(1));
                let g = &mut self.gates;
                one(match op {
                    Op::BvUlt => g.ult(&a, &b),
                    Op::BvSlt => g.slt(&a, &b),
                    Op::BvUmulO => g.umul_overflows(&a, &b),
                    _ => g.smul_overflows(&a, &b),
                })
            }
            Op::Concat => {
                let mut low = arg(1);
                low.extend_from_slice(self.word(args[0]));
                low
            }
            Op::Extract(hi, lo) => Word::from_slice(&self.word(args[0])[usize::from(lo)..=usize::from(hi)]),
            Op::ZeroExt(n) | Op::SignExt(n) => {
                let mut a = arg(0);
                let top = if op == Op::ZeroExt(n) { Lit::FALSE } else { a[a.len() - 1] };
                a.extend(std::iter::repeat_n(top, n.into()));
                a
            }
            Op::Float(..) => from_bits(width, pool.float_ieee_bits(t).unwrap_or(0)),
            _ => return self.translate_float(pool, t),
        })
    }

    /// Fresh wires for a term whose value is open.
    fn fresh(&mut self, pool: &Pool, t: TermId, width: usize) -> Word {
        let word = self.gates.fresh_word(width);
        match pool.sort(t) {
            Sort::Float(ty) => self.gates.float_from_ieee(Format::of(ty), &word),
            _ => word,
        }
    }

    fn translate_float(&mut self, pool: &Pool, t: TermId) -> Result<Word, String> {
        let op = pool.op(t);
        let args: SmallVec<[Word; 2]> =
            pool.args(t).iter().map(|&a| Word::from_slice(self.word(a))).collect();
        // The format of the first argument, if it is a float.
        let argument = pool.args(t).first().map(|&a| pool.sort(a));
        let f = match (op, argument) {
            (Op::FpFromIeee(ty) | Op::FpFromSbv(ty) | Op::FpFromUbv(ty), _) => Format::of(ty),
            (Op::FpDirected(Rounded::FromSbv(ty) | Rounded::FromUbv(ty), _), _) => Format::of(ty),
            (_, Some(Sort::Float(ty))) => Format::of(ty),
            _ => return Err(format!("{op:?}")),
        };
        let g = &mut self.gates;
        let one = |l: Lit| Word::from_slice(&[l]);
        Ok(match (op, args.as_slice()) {
            (Op::FpDirected(op, mode), args) => {
                g.rounding = mode;
                let word = match (op, args) {
                    (Rounded::Add, [a, b]) => g.float_add(f, a, b),
                    (Rounded::Sub, [a, b]) => g.float_sub(f, a, b),
                    (Rounded::Mul, [a, b]) => g.float_mul(f, a, b),
                    (Rounded::Div, [a, b]) => g.float_div(f, a, b),
                    (Rounded::Sqrt, [a]) => g.float_sqrt(f, a),
                    (Rounded::ToFp(to), [a]) => g.float_convert(f, Format::of(to), a),
                    (Rounded::FromSbv(_), [a]) => g.float_from_int(f, true, a),
                    (Rounded::FromUbv(_), [a]) => g.float_from_int(f, false, a),
                    _ => Word::new(),
                };
                g.rounding = Round::NearestEven;
                word
            }
            (Op::FpAdd, [a, b]) => g.float_add(f, a, b),
            (Op::FpSub, [a, b]) => g.float_sub(f, a, b),
            (Op::FpMul, [a, b]) => g.float_mul(f, a, b),
            (Op::FpDiv, [a, b]) => g.float_div(f, a, b),
            (Op::FpSqrt, [a]) => g.float_sqrt(f, a),
            (Op::FpNeg, [a]) => g.float_neg(f, a),
            (Op::FpAbs, [a]) => g.float_abs(f, a),
            (Op::FpRound(mode), [a]) => g.float_round(f, mode, a),
            (Op::FpLt, [a, b]) => one(g.float_lt(f, a, b)),
            (Op::FpLe, [a, b]) => one(g.float_le(f, a, b)),
            (Op::FpEq, [a, b]) => one(g.float_eq(f, a, b)),
            (Op::FpIsNan, [a]) => one(g.float_is_nan(f, a)),
            (Op::FpIsInf, [a]) => one(g.float_is_inf(f, a)),
            (Op::FpIsZero, [a]) => one(g.float_is_zero(f, a)),
            (Op::FpIsNormal, [a]) => one(g.float_is_normal(f, a)),
            (Op::FpIsSubnormal, [a]) => one(g.float_is_subnormal(f, a)),
            (Op::FpIsNegative, [a]) => one(g.float_is_negative(f, a)),
            (Op::FpFromIeee(_), [a]) => g.float_from_ieee(f, a),
            (Op::FpToIeee, [a]) => a.clone(),
            (Op::FpToBits, [a, nan]) => g.float_to_bits(f, a, nan),
            (Op::FpToFp(to), [a]) => g.float_convert(f, Format::of(to), a),
            (Op::FpFromSbv(_), [a]) => g.float_from_int(f, true, a),
            (Op::FpFromUbv(_), [a]) => g.float_from_int(f, false, a),
            (Op::FpToSbv(w) | Op::FpToUbv(w), [a]) => g.float_to_int(f, w.into(), a),
            _ => return Err(format!("{op:?}")),
        })
    }

    /// A sum. A negated operand is subtracted instead, so that its negation needs no circuit.
    fn add(&mut self, pool: &Pool, a: TermId, b: TermId) -> Word {
        let operand = |t: TermId| Word::from_slice(self.word(unnegated(pool, t)));
        let (x, y) = (operand(a), operand(b));
        let g = &mut self.gates;
        match (pool.op(a) == Op::BvNeg, pool.op(b) == Op::BvNeg) {
            (false, false) => g.add(&x, &y),
            (false, true) => g.sub(&x, &y),
            (true, false) => g.sub(&y, &x),
            (true, true) => {
                let sum = g.add(&x, &y);
                g.neg(&sum)
            }
        }
    }

    fn divide(&mut self, a: &Word, b: &Word) -> (Word, Word) {
        let key = (a.clone(), b.clone());
        if let Some(known) = self.divisions.get(&key) {
            return known.clone();
        }
        let result = self.gates.udivrem(a, b);
        self.divisions.insert(key, result.clone());
        result
    }

    fn signed_divide(&mut self, op: Op, a: &Word, b: &Word) -> Word {
        let (sign_a, sign_b) = (a[a.len() - 1], b[b.len() - 1]);
        let magnitude = |g: &mut Gates, w: &Word, sign: Lit| {
            let minus = g.neg(w);
            g.mux_word(sign, &minus, w)
        };
        let (x, y) = (magnitude(&mut self.gates, a, sign_a), magnitude(&mut self.gates, b, sign_b));
        let (quotient, remainder) = self.divide(&x, &y);
        let (result, negative) = match op {
            Op::BvSdiv => (quotient, self.gates.xor(sign_a, sign_b)),
            _ => (remainder, sign_a),
        };
        magnitude(&mut self.gates, &result, negative)
    }
}

/// What a negation negates, or the term itself.
fn unnegated(pool: &Pool, t: TermId) -> TermId {
    if pool.op(t) == Op::BvNeg { pool.arg(t, 0) } else { t }
}

/// How many wires a scalar has, or that it has none.
fn wires(sort: Sort) -> Result<usize, String> {
    match sort {
        Sort::Bool => Ok(1),
        Sort::Bits(w) => Ok(w.into()),
        Sort::Float(ty) => Ok(ieee_width(ty).into()),
        Sort::Int => Err("integers".into()),
        Sort::Array(..) => Err("arrays of arrays".into()),
    }
}
