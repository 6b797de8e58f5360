//! Pure expressions over the mathematical integers: the reading that summaries
//! and interpolants in linear arithmetic want, with what has to be shown for it
//! to be the machine's.
//!
//! Every integer expression becomes a term of sort `Int` that stands for the
//! *number* its bit pattern means in its type (signed types by two's
//! complement), every `bool` a term of sort `Bool`. An operation that may leave
//! its type is read in one of two ways, chosen per operation by the engine:
//!
//! - [`Mode::Plain`]: the operation of the integers itself. It is right as long
//!   as its result lies in the type, which is an [`Obligation`].
//! - [`Mode::Exact`]: the result is `op - 2^w * q` with a wrap variable `q`,
//!   which a range constraint of the result determines. Always right.
//!
//! So an engine starts with plain readings, treats each obligation as one more
//! error to prove unreachable, and re-reads those exactly where it cannot.
//! Obligations that the types already discharge (`(int)byte + 1`) are not made.
//!
//! # What a reading promises
//!
//! Take any values of the variables within their types.
//!
//! 1. **Total**: there are values of the fresh variables that satisfy all of
//!    `side`, whether or not an obligation is violated: assuming `side` excludes
//!    no execution. The values of `definitions` together with the machine's
//!    values of opaque operations are such.
//! 2. **Right**: if no obligation is violated, then the evaluation is undefined
//!    exactly if one of the `hazards` of that kind holds; and if it is defined,
//!    `term` is the machine's value: for every choice of fresh values that
//!    satisfies `side` if nothing is opaque, otherwise for the machine's values of
//!    the opaque operations. With `Exact` everywhere there are no obligations.
//! 3. **No false alarm**: an obligation is violated only if that operation, or an
//!    earlier one read plainly, leaves its type in the machine's evaluation.
//!
//! Where an obligation is violated or a hazard holds, `term` says nothing.
//!
//! # What is read how
//!
//! | operation | reading |
//! |---|---|
//! | `+ - *`, negation, `<<`, narrowing and sign-changing casts | plain or exact |
//! | comparisons, the overflow predicates, `~`, selection, widening casts | exact |
//! | `/ %` by constants, `>>` by constants | exact: quotient variables |
//! | `& \| ^` with a constant | exact: sums of remainders by powers of two |
//! | `* / % >>` with variable right-hand sides | exact, but with a product of variables |
//! | `<<` by a variable | a case per count |
//! | count of leading zeroes | a case per bit |
//! | `& \| ^` of two variables | one opaque integer `a & b`, as `a \| b = a + b - (a & b)` |
//! | other counts, byte swap | opaque in the range of the result |
//! | what floats and pointers give (casts, comparisons, differences) | opaque in its type |
//!
//! Floats and pointers themselves have no reading: bits and not numbers are
//! their nature, and engines keep them in the bit-vector reading.

mod arithmetic;
mod bitwise;
mod quotient;
mod range;

use cairn_ir::{Expr, ExprId, Program, Ty, VarId};
use cairn_term::{Pool, SortId, TermId};
use cairn_value::Undefined;
use rustc_hash::{FxHashMap, FxHashSet};

pub use self::range::{Range, number};

/// How an operation that may leave its type is read.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Mode {
    /// As the operation of the integers, with an obligation.
    Plain,
    /// With a wrap variable.
    Exact,
}

/// An operation was read plainly: it must not leave its type.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Obligation {
    /// The operation, to be read exactly if the obligation cannot be shown.
    pub at: ExprId,
    /// It is evaluated and its result is no number of its type.
    pub violated: TermId,
}

/// A fresh variable and the one value that the side constraints allow it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Definition {
    pub var: TermId,
    /// In terms of variables that were made before; with `div`, where `side` is linear.
    pub value: TermId,
}

/// A fresh variable for what has no reading.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Opaque {
    /// The operation. If it is `&`, `|` or `^`, the variable stands for the conjunction of its
    /// operands, otherwise for its result.
    pub at: ExprId,
    pub var: TermId,
}

/// One expression over the integers. See the module's promises.
#[derive(Clone, Debug)]
pub struct IntegerReading {
    pub term: TermId,
    /// The ranges of the variables and what is known of the fresh ones.
    pub side: Vec<TermId>,
    /// The fresh variables that are determined, in an order in which they can be evaluated.
    pub definitions: Vec<Definition>,
    pub obligations: Vec<Obligation>,
    /// The fresh variables that are not determined: the reading is an over-approximation there.
    pub opaque: Vec<Opaque>,
    /// When the expression is undefined or a signed operation leaves its type, as in
    /// [`crate::expr::Translate`].
    pub hazards: Vec<(Undefined, TermId)>,
}

impl IntegerReading {
    /// Is the value of the term determined by the variables?
    pub fn exact(&self) -> bool {
        self.opaque.is_empty()
    }
}

/// An integer expression as read. The range is one of numbers of its type; the term lies in it
/// whenever it is right, and in any case if that is `sure`.
#[derive(Clone, Debug)]
struct Number {
    term: TermId,
    range: Range,
    sure: bool,
}

#[derive(Clone, Debug)]
enum Meaning {
    Bool(TermId),
    Number(Number),
    /// A float or a pointer.
    Outside,
}

/// What reading one operation adds.
#[derive(Clone, Default, Debug)]
struct Notes {
    side: Vec<TermId>,
    definitions: Vec<Definition>,
    /// The condition of its obligation.
    leaves: Option<TermId>,
    opaque: Option<TermId>,
    hazards: Vec<(Undefined, TermId)>,
}

struct Node {
    meaning: Meaning,
    notes: Notes,
}

/// The term of a variable of the program, of sort `Int` or `Bool`. Only variables of such types are asked for.
pub type Vars<'a> = dyn FnMut(&mut Pool, VarId) -> TermId + 'a;

/// The reading of each operation.
pub type Policy<'a> = dyn Fn(ExprId) -> Mode + 'a;

/// Reads expressions in one state, that is, for one meaning of the variables. Expressions that
/// share parts share the fresh variables of these.
pub struct Reader<'a> {
    program: &'a Program,
    pool: &'a mut Pool,
    vars: &'a mut Vars<'a>,
    policy: &'a Policy<'a>,
    nodes: FxHashMap<ExprId, Node>,
    quotients: quotient::Cache,
    /// Of the operation at hand.
    notes: Notes,
}

impl<'a> Reader<'a> {
    pub fn new(
        program: &'a Program,
        pool: &'a mut Pool,
        vars: &'a mut Vars<'a>,
        policy: &'a Policy<'a>,
    ) -> Reader<'a> {
        Reader {
            program,
            pool,
            vars,
            policy,
            nodes: FxHashMap::default(),
            quotients: FxHashMap::default(),
            notes: Notes::default(),
        }
    }

    /// The reading of an integer or `bool` expression; `None` for floats and pointers.
    pub fn read(&mut self, root: ExprId) -> Option<IntegerReading> {
        // Operands have smaller ids than what uses them.
        let parts = self.parts(root);
        for &e in &parts {
            if !self.nodes.contains_key(&e) {
                let meaning = self.meaning(e);
                let notes = std::mem::take(&mut self.notes);
                self.nodes.insert(e, Node { meaning, notes });
            }
        }
        let term = match &self.nodes[&root].meaning {
            Meaning::Bool(t) => *t,
            Meaning::Number(n) => n.term,
            Meaning::Outside => return None,
        };
        Some(self.collect(term, &parts))
    }

    /// The expressions that `root` is made of, ascending.
    fn parts(&self, root: ExprId) -> Vec<ExprId> {
        let mut seen = FxHashSet::from_iter([root]);
        let mut parts = vec![root];
        let mut at = 0;
        while at < parts.len() {
            for child in self.program.exprs.children(parts[at]) {
                if seen.insert(child) {
                    parts.push(child);
                }
            }
            at += 1;
        }
        parts.sort_unstable();
        parts
    }

    fn collect(&mut self, term: TermId, parts: &[ExprId]) -> IntegerReading {
        let mut reading = IntegerReading {
            term,
            side: Vec::new(),
            definitions: Vec::new(),
            obligations: Vec::new(),
            opaque: Vec::new(),
            hazards: Vec::new(),
        };
        let evaluated = self.evaluated(parts);
        let mut known = FxHashSet::default();
        for (&e, &under) in parts.iter().zip(&evaluated) {
            let notes = &self.nodes[&e].notes;
            reading.side.extend(notes.side.iter().copied().filter(|&t| t != Pool::TRUE && known.insert(t)));
            reading.definitions.extend(&notes.definitions);
            reading.opaque.extend(notes.opaque.map(|var| Opaque { at: e, var }));
            if let Some(leaves) = notes.leaves {
                let violated = self.pool.and(&[under, leaves]);
                if violated != Pool::FALSE {
                    reading.obligations.push(Obligation { at: e, violated });
                }
            }
            for &(hazard, when) in &notes.hazards {
                let when = self.pool.and(&[under, when]);
                if when != Pool::FALSE {
                    reading.hazards.push((hazard, when));
                }
            }
        }
        // A definition refers to older variables only.
        reading.definitions.sort_by_key(|d| d.var);
        reading.definitions.dedup();
        reading
    }

    /// For each part the condition under which the evaluation of the last one, the whole, comes to it.
    fn evaluated(&mut self, parts: &[ExprId]) -> Vec<TermId> {
        let place: FxHashMap<ExprId, usize> = parts.iter().enumerate().map(|(i, &e)| (e, i)).collect();
        let mut when = vec![Pool::FALSE; parts.len()];
        if let Some(root) = when.last_mut() {
            *root = Pool::TRUE;
        }
        for i in (0..parts.len()).rev() {
            let under = when[i];
            let mut reach = |pool: &mut Pool, e: ExprId, under: TermId| {
                let at = &mut when[place[&e]];
                *at = pool.or(&[*at, under]);
            };
            if let Expr::Select(c, t, f) = self.program.exprs.get(parts[i]) {
                let chosen = self.bool(c);
                let not = self.pool.not(chosen);
                let (then, other) = (self.pool.and(&[under, chosen]), self.pool.and(&[under, not]));
                reach(self.pool, c, under);
                reach(self.pool, t, then);
                reach(self.pool, f, other);
            } else {
                for child in self.program.exprs.children(parts[i]) {
                    reach(self.pool, child, under);
                }
            }
        }
        when
    }

    /// The meaning of an expression whose operands have been read.
    fn meaning(&mut self, e: ExprId) -> Meaning {
        let ty = self.program.ty(e);
        let Ty::Int(int) = ty else {
            // Floats and pointers have no reading, but their operands may.
            return if ty == Ty::Bool { Meaning::Bool(self.truth(e)) } else { Meaning::Outside };
        };
        let n = match self.program.exprs.get(e) {
            Expr::Int(ty, bits) => self.constant(number(ty, bits)),
            Expr::Var(v) => {
                let term = (self.vars)(self.pool, v);
                let range = Range::of(int);
                let bounded = self.within(term, &range);
                self.notes.side.push(bounded);
                Number { term, range, sure: true }
            }
            Expr::Unary(op, a) => self.unary(e, op, int, a),
            Expr::Binary(op, a, b) => self.binary(e, op, int, a, b),
            Expr::Cast(_, a) => self.cast(e, int, a),
            Expr::Select(c, t, f) => {
                let (c, t, f) = (self.bool(c), self.number(t), self.number(f));
                let term = self.pool.ite(c, t.term, f.term);
                Number { term, range: t.range.hull(&f.range), sure: t.sure && f.sure }
            }
            Expr::Bool(_)
            | Expr::Float(..)
            | Expr::Ptr(_)
            | Expr::Addr(_)
            | Expr::Func(_)
            | Expr::Label(_) => {
                unreachable!("no integer: the verifier has rejected it")
            }
        };
        debug_assert!(Range::of(int).contains(&n.range), "{:?} of {int}", n.range);
        Meaning::Number(n)
    }

    /// The reading of a `bool` that has been read.
    fn bool(&self, e: ExprId) -> TermId {
        match self.nodes[&e].meaning {
            Meaning::Bool(t) => t,
            _ => unreachable!("no bool: the verifier has rejected it"),
        }
    }

    /// The reading of an integer that has been read.
    fn number(&self, e: ExprId) -> Number {
        match &self.nodes[&e].meaning {
            Meaning::Number(n) => n.clone(),
            _ => unreachable!("no integer: the verifier has rejected it"),
        }
    }

    /// The constant an operand is.
    fn known(&self, n: &Number) -> Option<num_bigint::BigInt> {
        self.pool.as_int(n.term).cloned()
    }

    fn hazard(&mut self, why: Undefined, when: TermId) {
        self.notes.hazards.push((why, when));
    }

    fn opaque_bool(&mut self) -> TermId {
        let var = self.pool.fresh("opaque", SortId::BOOL);
        self.notes.opaque = Some(var);
        var
    }

    fn opaque(&mut self, range: Range) -> Number {
        let term = self.pool.fresh("opaque", SortId::INT);
        let bounded = self.within(term, &range);
        self.notes.side.push(bounded);
        self.notes.opaque = Some(term);
        Number { term, range, sure: true }
    }
}
