//! Terms to circuits, each term once.

use cairn_term::{Op, Pool, Sort, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::gates::{Gates, Lit};
use super::words::{Word, from_bits, not};

/// The circuits of all terms seen so far.
pub struct Blaster {
    pub gates: Gates,
    /// Where the wires of a term lie in `wires`, lowest bit first.
    words: FxHashMap<TermId, (u32, u32)>,
    wires: Vec<Lit>,
    divisions: FxHashMap<(Word, Word), (Word, Word)>,
}

impl Blaster {
    pub fn new() -> Blaster {
        Blaster {
            gates: Gates::new(),
            words: FxHashMap::default(),
            wires: Vec::new(),
            divisions: FxHashMap::default(),
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

    /// The wire of a boolean term, or what in it is no business of a SAT solver.
    pub fn boolean(&mut self, pool: &Pool, root: TermId) -> Result<Lit, String> {
        for t in self.unknown(pool, root) {
            let word = self.translate(pool, t)?;
            let first = self.wires.len() as u32;
            self.wires.extend_from_slice(&word);
            self.words.insert(t, (first, word.len() as u32));
        }
        Ok(self.bit(root))
    }

    /// What has to be translated, arguments first.
    fn unknown(&self, pool: &Pool, root: TermId) -> Vec<TermId> {
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
            let t = order[at];
            for &a in pool.args(t) {
                let needed = if pool.op(t) == Op::BvAdd { unnegated(pool, a) } else { a };
                visit(needed, &mut order);
            }
            at += 1;
        }
        order.sort_unstable();
        order
    }

    fn translate(&mut self, pool: &Pool, t: TermId) -> Result<Word, String> {
        let width = match pool.sort(t) {
            Sort::Bool => 1,
            Sort::Bits(w) => usize::from(w),
            sort => return Err(format!("terms of sort {sort}")),
        };
        let op = pool.op(t);
        let args = pool.args(t);
        let arg = |n: usize| Word::from_slice(self.word(args[n]));
        let one = |l: Lit| Word::from_slice(&[l]);
        Ok(match op {
            Op::Var(_) => self.gates.fresh_word(width),
            Op::Bool(b) => one(Lit::constant(b)),
            Op::Word(..) => from_bits(width, pool.as_bits(t).unwrap_or(0)),
            Op::Not => one(!self.bit(args[0])),
            Op::And | Op::Or => {
                let bits: Word = args.iter().map(|&a| self.bit(a)).collect();
                one(if op == Op::And { self.gates.all(&bits) } else { self.gates.any(&bits) })
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
            other => return Err(format!("{other:?}")),
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
