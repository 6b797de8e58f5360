//! A circuit of gates, each written to CaDiCaL as clauses when it is made.
//!
//! Gates are hashed, so that equal gates are one, and simplified on constants
//! and equal or opposite inputs. Besides `and` there are `xor`, `mux`, `majority`
//! and the three-input `xor`: a full adder as two gates with their own clauses
//! propagates better and is smaller than one made of `and`s (Eén and
//! Sörensson, "Translating pseudo-boolean constraints into SAT", 2006).

use cairn_term::Round;
use std::ops::Not;

use cadical_sys::CaDiCal;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A wire or its negation: a literal as CaDiCaL counts them.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Lit(i32);

impl Lit {
    /// The first variable is forced to be true.
    pub const TRUE: Lit = Lit(1);
    pub const FALSE: Lit = Lit(-1);

    pub fn constant(b: bool) -> Lit {
        if b { Lit::TRUE } else { Lit::FALSE }
    }

    pub fn as_constant(self) -> Option<bool> {
        match self {
            Lit::TRUE => Some(true),
            Lit::FALSE => Some(false),
            _ => None,
        }
    }

    pub fn number(self) -> i32 {
        self.0
    }

    fn negated_if(self, negate: bool) -> Lit {
        if negate { !self } else { self }
    }

    /// The positive literal, and whether this is the negative one.
    fn split(self) -> (Lit, bool) {
        (Lit(self.0.abs()), self.0 < 0)
    }
}

impl Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(-self.0)
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Gate {
    And(SmallVec<[Lit; 4]>),
    Xor(Lit, Lit),
    Xor3(Lit, Lit, Lit),
    /// `0 ? 1 : 2`
    Mux(Lit, Lit, Lit),
    Majority(Lit, Lit, Lit),
}

pub struct Gates {
    pub sat: CaDiCal,
    vars: i32,
    known: FxHashMap<Gate, Lit>,
    /// How float circuits round.
    pub rounding: Round,
}

impl Gates {
    pub fn new() -> Gates {
        let mut gates =
            Gates { sat: CaDiCal::new(), vars: 0, known: FxHashMap::default(), rounding: Round::NearestEven };
        let first = gates.fresh();
        debug_assert_eq!(first, Lit::TRUE);
        gates.clause(&[Lit::TRUE]);
        gates
    }

    pub fn fresh(&mut self) -> Lit {
        self.vars += 1;
        Lit(self.vars)
    }

    /// The value of a wire in the solver's last assignment, which must be there.
    pub fn holds(&mut self, wire: Lit) -> bool {
        wire.as_constant().unwrap_or_else(|| self.sat.val(wire.0) == wire.0)
    }

    /// Variables so far.
    pub fn len(&self) -> usize {
        self.vars as usize
    }

    pub fn clause(&mut self, lits: &[Lit]) {
        for lit in lits {
            self.sat.add(lit.0);
        }
        self.sat.add(0);
    }

    /// The gate's output, made with `clauses` if it is new.
    fn gate(&mut self, gate: Gate, clauses: impl FnOnce(&mut Gates, Lit)) -> Lit {
        if let Some(&out) = self.known.get(&gate) {
            return out;
        }
        let out = self.fresh();
        clauses(self, out);
        self.known.insert(gate, out);
        out
    }

    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        self.all(&[a, b])
    }

    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.all(&[!a, !b])
    }

    pub fn all(&mut self, lits: &[Lit]) -> Lit {
        let mut set: SmallVec<[Lit; 4]> = lits.iter().copied().filter(|&l| l != Lit::TRUE).collect();
        // Opposite literals become neighbours.
        set.sort_unstable_by_key(|l| (l.0.abs(), l.0));
        set.dedup();
        if set.contains(&Lit::FALSE) || set.windows(2).any(|w| w[0] == !w[1]) {
            return Lit::FALSE;
        }
        match *set.as_slice() {
            [] => Lit::TRUE,
            [only] => only,
            _ => self.gate(Gate::And(set.clone()), |g, out| {
                let mut long: SmallVec<[Lit; 5]> = SmallVec::from_slice(&[out]);
                for &l in &set {
                    g.clause(&[!out, l]);
                    long.push(!l);
                }
                g.clause(&long);
            }),
        }
    }

    pub fn any(&mut self, lits: &[Lit]) -> Lit {
        let negated: SmallVec<[Lit; 8]> = lits.iter().map(|&l| !l).collect();
        !self.all(&negated)
    }

    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let ((a, na), (b, nb)) = (a.split(), b.split());
        let negate = na != nb;
        let (a, b) = (a.min(b), a.max(b));
        let out = if a == Lit::TRUE {
            !b
        } else if a == b {
            Lit::FALSE
        } else {
            self.gate(Gate::Xor(a, b), |g, out| {
                g.clause(&[!out, a, b]);
                g.clause(&[!out, !a, !b]);
                g.clause(&[out, !a, b]);
                g.clause(&[out, a, !b]);
            })
        };
        // `TRUE` is the positive literal of the constant: `a` above has become `x xor true`.
        out.negated_if(negate)
    }

    pub fn xnor(&mut self, a: Lit, b: Lit) -> Lit {
        !self.xor(a, b)
    }

    pub fn xor3(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let ((a, na), (b, nb), (c, nc)) = (a.split(), b.split(), c.split());
        let negate = na ^ nb ^ nc;
        let mut sorted = [a, b, c];
        sorted.sort_unstable();
        let [a, b, c] = sorted;
        let out = if a == b {
            c
        } else if b == c {
            a
        } else if a == Lit::TRUE {
            self.xnor(b, c)
        } else {
            self.gate(Gate::Xor3(a, b, c), |g, out| {
                g.clause(&[!out, a, b, c]);
                g.clause(&[!out, a, !b, !c]);
                g.clause(&[!out, !a, b, !c]);
                g.clause(&[!out, !a, !b, c]);
                g.clause(&[out, !a, !b, !c]);
                g.clause(&[out, !a, b, c]);
                g.clause(&[out, a, !b, c]);
                g.clause(&[out, a, b, !c]);
            })
        };
        out.negated_if(negate)
    }

    pub fn mux(&mut self, c: Lit, then: Lit, other: Lit) -> Lit {
        let (c, then, other) = match c.split() {
            (c, true) => (c, other, then),
            (c, false) => (c, then, other),
        };
        if c == Lit::TRUE || then == other {
            return then;
        }
        if then == !other {
            return self.xnor(c, then);
        }
        if then == Lit::TRUE || then == c {
            return self.or(c, other);
        }
        if then == Lit::FALSE || then == !c {
            return self.and(!c, other);
        }
        if other == Lit::TRUE || other == !c {
            return self.or(!c, then);
        }
        if other == Lit::FALSE || other == c {
            return self.and(c, then);
        }
        // One of a choice and its negation is enough.
        let (_, negate) = then.split();
        let (then, other) = (then.negated_if(negate), other.negated_if(negate));
        let out = self.gate(Gate::Mux(c, then, other), |g, out| {
            g.clause(&[!c, !then, out]);
            g.clause(&[!c, then, !out]);
            g.clause(&[c, !other, out]);
            g.clause(&[c, other, !out]);
            // Implied, for propagation without the condition.
            g.clause(&[!then, !other, out]);
            g.clause(&[then, other, !out]);
        });
        out.negated_if(negate)
    }

    /// At least two of three: the carry of a full adder.
    pub fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut sorted = [a, b, c];
        sorted.sort_unstable_by_key(|l| (l.0.abs(), l.0));
        let [a, b, c] = sorted;
        if a == b || b == c {
            return b;
        }
        if a == !b {
            return c;
        }
        if b == !c {
            return a;
        }
        match a {
            Lit::TRUE => return self.or(b, c),
            Lit::FALSE => return self.and(b, c),
            _ => {}
        }
        let (_, negate) = a.split();
        let [a, b, c] = [a, b, c].map(|l| l.negated_if(negate));
        let out = self.gate(Gate::Majority(a, b, c), |g, out| {
            for (x, y) in [(a, b), (a, c), (b, c)] {
                g.clause(&[!x, !y, out]);
                g.clause(&[x, y, !out]);
            }
        });
        out.negated_if(negate)
    }
}
