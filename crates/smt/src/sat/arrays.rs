//! Arrays by lemmas on demand.
//!
//! A read is a fresh word at first. When the SAT solver has found values, every
//! read is followed through the stores and choices of its array under those
//! values; where it ends at a write or a constant with another value, or meets
//! another read of the same element with another value, the instance of the
//! array axioms that is violated becomes a clause, and the solver goes on
//! (Brummayer and Biere, "Lemmas on demand for the extensional theory of
//! arrays", 2009; without equality of arrays, which is left to others). Reads
//! that do not matter cost nothing but the walk.

use cairn_term::{ArrayValue, Op, Pool, Sort, TermId, Value};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::blast::Blaster;
use super::gates::Lit;
use super::words::Word;

/// What a read found on its way.
#[derive(Copy, Clone, Debug)]
enum Step {
    /// The index is the other one, or is not.
    Index(TermId, TermId, bool),
    Condition(TermId, bool),
}

type Path = SmallVec<[Step; 8]>;

/// Where a read ends.
enum End {
    /// At a term that has the value: written by a store, or everywhere in a constant array.
    Value(TermId),
    Variable(TermId),
}

/// `path` implies that two words are equal.
struct Lemma {
    path: Path,
    left: TermId,
    right: TermId,
}

impl Blaster {
    /// Adds the axioms that the solver's values violate; says whether there were any.
    pub fn refine(&mut self, pool: &Pool) -> bool {
        let lemmas = self.violated(pool);
        for lemma in &lemmas {
            self.add_lemma(lemma);
        }
        !lemmas.is_empty()
    }

    fn violated(&mut self, pool: &Pool) -> Vec<Lemma> {
        let mut lemmas = Vec::new();
        let mut values = FxHashMap::default();
        // The first read of each element of each array variable, and how it got there.
        let mut elements: FxHashMap<(TermId, u128), (TermId, Path)> = FxHashMap::default();
        for read in self.reads.clone() {
            let (mut path, end) = self.follow(pool, read, &mut values);
            let value = self.model_value(read, &mut values);
            match end {
                End::Value(t) => {
                    if self.model_value(t, &mut values) != value {
                        lemmas.push(Lemma { path, left: read, right: t });
                    }
                }
                End::Variable(array) => {
                    let index = pool.arg(read, 1);
                    let place = self.model_value(index, &mut values);
                    match elements.get(&(array, place)) {
                        None => {
                            elements.insert((array, place), (read, path));
                        }
                        Some((other, other_path)) => {
                            if self.model_value(*other, &mut values) != value {
                                path.extend_from_slice(other_path);
                                path.push(Step::Index(index, pool.arg(*other, 1), true));
                                lemmas.push(Lemma { path, left: read, right: *other });
                            }
                        }
                    }
                }
            }
        }
        lemmas
    }

    /// Follows a read to where its value comes from under the solver's values.
    fn follow(&mut self, pool: &Pool, read: TermId, values: &mut FxHashMap<TermId, u128>) -> (Path, End) {
        let (mut array, index) = (pool.arg(read, 0), pool.arg(read, 1));
        let mut path = Path::new();
        loop {
            match (pool.op(array), pool.args(array)) {
                (Op::Store, &[below, place, value]) => {
                    let same = self.model_value(place, values) == self.model_value(index, values);
                    path.push(Step::Index(index, place, same));
                    if same {
                        return (path, End::Value(value));
                    }
                    array = below;
                }
                (Op::Ite, &[condition, then, other]) => {
                    let holds = self.model_value(condition, values) == 1;
                    path.push(Step::Condition(condition, holds));
                    array = if holds { then } else { other };
                }
                (Op::ConstArray(_), &[value]) => return (path, End::Value(value)),
                _ => return (path, End::Variable(array)),
            }
        }
    }

    fn add_lemma(&mut self, lemma: &Lemma) {
        let mut clause: SmallVec<[Lit; 16]> = SmallVec::new();
        for &step in &lemma.path {
            clause.push(match step {
                Step::Index(a, b, same) => {
                    let equal = self.equal(a, b);
                    if same { !equal } else { equal }
                }
                Step::Condition(c, holds) => {
                    let wire = self.wires_of(c)[0];
                    if holds { !wire } else { wire }
                }
            });
        }
        clause.push(self.equal(lemma.left, lemma.right));
        // Steps between constants are settled.
        clause.retain(|&mut l| l != Lit::FALSE);
        self.gates.clause(&clause);
    }

    fn equal(&mut self, a: TermId, b: TermId) -> Lit {
        let (a, b) = (self.wires_of(a), self.wires_of(b));
        self.gates.eq(&a, &b)
    }

    fn wires_of(&self, t: TermId) -> Word {
        Word::from_slice(self.known(t).expect("reads and all they meet are translated"))
    }

    fn model_value(&mut self, t: TermId, values: &mut FxHashMap<TermId, u128>) -> u128 {
        if let Some(&value) = values.get(&t) {
            return value;
        }
        let value = self.bits_in_model(t).expect("reads and all they meet are translated");
        values.insert(t, value);
        value
    }

    /// The word of a translated term in the solver's last assignment.
    pub fn bits_in_model(&mut self, t: TermId) -> Option<u128> {
        let wires = Word::from_slice(self.known(t)?);
        let mut bits = 0;
        for (n, wire) in wires.iter().enumerate() {
            bits |= u128::from(self.gates.holds(*wire)) << n;
        }
        Some(bits)
    }

    /// The elements of array variables that are read, and zeroes elsewhere.
    pub fn array_in_model(&mut self, pool: &Pool, var: TermId) -> Value {
        let sort = pool.sort_id_of(var);
        let Value::Array(mut array) = Value::default_of(pool, sort) else {
            unreachable!("{var} is an array");
        };
        let mut values = FxHashMap::default();
        for read in self.reads.clone() {
            if let (_, End::Variable(end)) = self.follow(pool, read, &mut values)
                && end == var
            {
                let place = self.scalar_in_model(pool, pool.arg(read, 1));
                let value = self.scalar_in_model(pool, read);
                set(&mut array, place, value);
            }
        }
        Value::Array(array)
    }

    fn scalar_in_model(&mut self, pool: &Pool, t: TermId) -> Option<Value> {
        let bits = self.bits_in_model(t)?;
        Some(match pool.sort(t) {
            Sort::Bool => Value::Bool(bits == 1),
            Sort::Bits(w) => Value::bits(w, bits),
            Sort::Float(ty) => Value::from_ieee(ty, bits),
            Sort::Int | Sort::Array(..) => return None,
        })
    }

    /// The value of a variable of any sort we have, if it is in any circuit.
    pub fn value_in_model(&mut self, pool: &Pool, var: TermId) -> Option<Value> {
        self.known(var)?;
        match pool.sort(var) {
            Sort::Array(..) => Some(self.array_in_model(pool, var)),
            _ => self.scalar_in_model(pool, var),
        }
    }
}

fn set(array: &mut ArrayValue, place: Option<Value>, value: Option<Value>) {
    if let (Some(place), Some(value)) = (place, value) {
        array.set(place, value);
    }
}
