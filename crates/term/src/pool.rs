//! The arena of terms.

use std::hash::{Hash, Hasher};

use cairn_base::{PrimaryMap, Symbol, entity_impl, sym};
use cairn_value::{Bits, FloatTy};
use hashbrown::HashTable;
use num_bigint::BigInt;
use rustc_hash::{FxHashMap, FxHasher};

use crate::op::{NumberId, WordId};
use crate::value::{canonical_float, mask};
use crate::{Op, Sort, SortId, Value, VarId};

/// A term of a [`Pool`]. Terms are numbered as they are made, arguments before what uses them.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TermId(u32);
entity_impl!(TermId, "t");

#[derive(Copy, Clone, Debug)]
struct Node {
    op: Op,
    sort: SortId,
    /// Where the arguments lie in `Pool::args`.
    first: u32,
    count: u32,
}

#[derive(Clone, Debug)]
struct Var {
    name: Symbol,
    term: TermId,
}

/// All terms of one undertaking. Nothing is ever freed before the pool.
#[derive(Clone, Debug)]
pub struct Pool {
    nodes: PrimaryMap<TermId, Node>,
    args: Vec<TermId>,
    /// The terms by content. Content is compared in `nodes`, so that nothing is stored twice.
    ids: HashTable<TermId>,
    vars: PrimaryMap<VarId, Var>,
    names: FxHashMap<Symbol, VarId>,
    fresh: u32,
    words: PrimaryMap<WordId, Bits>,
    word_ids: FxHashMap<Bits, WordId>,
    /// Bit-vector constants, which are asked for very often.
    constants: FxHashMap<(u8, Bits), TermId>,
    /// Choices between patterns of floats, each with the choice between the floats if there is a
    /// reason to read it so.
    pub(crate) float_choices: FxHashMap<TermId, Option<TermId>>,
    numbers: PrimaryMap<NumberId, BigInt>,
    number_ids: FxHashMap<BigInt, NumberId>,
    sorts: PrimaryMap<SortId, Sort>,
    sort_ids: FxHashMap<Sort, SortId>,
}

impl Default for Pool {
    fn default() -> Pool {
        Pool::new()
    }
}

impl Pool {
    pub const FALSE: TermId = TermId(0);
    pub const TRUE: TermId = TermId(1);

    pub fn new() -> Pool {
        let mut pool = Pool {
            nodes: PrimaryMap::new(),
            args: Vec::new(),
            ids: HashTable::new(),
            vars: PrimaryMap::new(),
            names: FxHashMap::default(),
            fresh: 0,
            words: PrimaryMap::new(),
            word_ids: FxHashMap::default(),
            constants: FxHashMap::default(),
            float_choices: FxHashMap::default(),
            numbers: PrimaryMap::new(),
            number_ids: FxHashMap::default(),
            sorts: PrimaryMap::new(),
            sort_ids: FxHashMap::default(),
        };
        pool.sort_id(Sort::Bool);
        pool.sort_id(Sort::Int);
        pool.intern(Op::Bool(false), SortId::BOOL, &[]);
        pool.intern(Op::Bool(true), SortId::BOOL, &[]);
        pool
    }

    pub fn op(&self, t: TermId) -> Op {
        self.nodes[t].op
    }

    pub fn args(&self, t: TermId) -> &[TermId] {
        let node = &self.nodes[t];
        &self.args[node.first as usize..(node.first + node.count) as usize]
    }

    /// The argument at a position that the operation is known to have.
    pub fn arg(&self, t: TermId, n: usize) -> TermId {
        self.args(t)[n]
    }

    pub fn sort(&self, t: TermId) -> Sort {
        self.sorts[self.nodes[t].sort]
    }

    pub fn sort_id_of(&self, t: TermId) -> SortId {
        self.nodes[t].sort
    }

    /// The width of a bit-vector.
    ///
    /// # Panics
    /// If the term is none.
    pub fn width(&self, t: TermId) -> u8 {
        match self.sort(t) {
            Sort::Bits(w) => w,
            other => panic!("{t} is no bit-vector but {other}"),
        }
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: true and false are always there.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    // Sorts.

    pub fn sort_of(&self, s: SortId) -> Sort {
        self.sorts[s]
    }

    pub fn sort_id(&mut self, sort: Sort) -> SortId {
        *self.sort_ids.entry(sort).or_insert_with(|| self.sorts.push(sort))
    }

    pub fn bits_sort(&mut self, width: u8) -> SortId {
        self.sort_id(Sort::Bits(width))
    }

    pub fn float_sort(&mut self, ty: FloatTy) -> SortId {
        self.sort_id(Sort::Float(ty))
    }

    pub fn array_sort(&mut self, index: SortId, element: SortId) -> SortId {
        self.sort_id(Sort::Array(index, element))
    }

    // Variables.

    /// The uninterpreted constant of this name, made if there is none yet.
    ///
    /// # Panics
    /// If the name is already one of another sort.
    pub fn var(&mut self, name: &str, sort: SortId) -> TermId {
        let name = sym(name);
        if let Some(&v) = self.names.get(&name) {
            let term = self.vars[v].term;
            assert!(self.nodes[term].sort == sort, "{name} is already of another sort");
            return term;
        }
        let id = self.vars.next_key();
        let term = self.intern(Op::Var(id), sort, &[]);
        self.vars.push(Var { name, term });
        self.names.insert(name, id);
        term
    }

    /// A new constant; its name is the hint and a number.
    pub fn fresh(&mut self, hint: &str, sort: SortId) -> TermId {
        loop {
            let name = format!("{hint}!{}", self.fresh);
            self.fresh += 1;
            if !self.names.contains_key(&sym(&name)) {
                return self.var(&name, sort);
            }
        }
    }

    /// The constant of this name, if there is one.
    pub fn find_var(&self, name: &str) -> Option<TermId> {
        self.names.get(&sym(name)).map(|&v| self.vars[v].term)
    }

    pub fn var_name(&self, v: VarId) -> Symbol {
        self.vars[v].name
    }

    pub fn is_var(&self, t: TermId) -> bool {
        matches!(self.op(t), Op::Var(_))
    }

    // Constants.

    pub fn bool(&self, b: bool) -> TermId {
        if b { Pool::TRUE } else { Pool::FALSE }
    }

    /// A bit-vector; bits above the width are dropped.
    pub fn bits(&mut self, width: u8, bits: Bits) -> TermId {
        let bits = bits & mask(width);
        if let Some(&known) = self.constants.get(&(width, bits)) {
            return known;
        }
        let word = self.word(bits);
        let sort = self.bits_sort(width);
        let term = self.intern(Op::Word(word, width), sort, &[]);
        self.constants.insert((width, bits), term);
        term
    }

    /// A float from the bit pattern of [`cairn_value`].
    pub fn float(&mut self, ty: FloatTy, bits: Bits) -> TermId {
        let word = self.word(canonical_float(ty, bits));
        let sort = self.float_sort(ty);
        self.intern(Op::Float(word, ty), sort, &[])
    }

    pub fn int(&mut self, n: impl Into<BigInt>) -> TermId {
        let n = n.into();
        let id = match self.number_ids.get(&n) {
            Some(&id) => id,
            None => {
                let id = self.numbers.push(n.clone());
                self.number_ids.insert(n, id);
                id
            }
        };
        self.intern(Op::Number(id), SortId::INT, &[])
    }

    /// Any value as a constant term (an array as stores into a constant array).
    pub fn value(&mut self, value: &Value) -> TermId {
        match value {
            Value::Bool(b) => self.bool(*b),
            Value::Int(n) => self.int(n.clone()),
            Value::Bits(w, b) => self.bits(*w, *b),
            Value::Float(ty, b) => self.float(*ty, *b),
            Value::Array(array) => {
                let default = self.value(array.default_value());
                let mut term = self.const_array(array.sort, default);
                for (index, element) in array.entries() {
                    let (index, element) = (self.value(index), self.value(element));
                    term = self.store(term, index, element);
                }
                term
            }
        }
    }

    fn word(&mut self, bits: Bits) -> WordId {
        *self.word_ids.entry(bits).or_insert_with(|| self.words.push(bits))
    }

    pub fn is_constant(&self, t: TermId) -> bool {
        self.op(t).is_constant()
    }

    pub fn as_bool(&self, t: TermId) -> Option<bool> {
        match self.op(t) {
            Op::Bool(b) => Some(b),
            _ => None,
        }
    }

    /// The pattern of a bit-vector constant.
    pub fn as_bits(&self, t: TermId) -> Option<Bits> {
        match self.op(t) {
            Op::Word(w, _) => Some(self.words[w]),
            _ => None,
        }
    }

    /// The pattern of a float constant.
    pub fn as_float(&self, t: TermId) -> Option<Bits> {
        match self.op(t) {
            Op::Float(w, _) => Some(self.words[w]),
            _ => None,
        }
    }

    pub fn as_int(&self, t: TermId) -> Option<&BigInt> {
        match self.op(t) {
            Op::Number(n) => Some(&self.numbers[n]),
            _ => None,
        }
    }

    /// The value of a scalar constant.
    pub fn as_value(&self, t: TermId) -> Option<Value> {
        Some(match self.op(t) {
            Op::Bool(b) => Value::Bool(b),
            Op::Number(n) => Value::Int(self.numbers[n].clone()),
            Op::Word(w, width) => Value::Bits(width, self.words[w]),
            Op::Float(w, ty) => Value::Float(ty, self.words[w]),
            _ => return None,
        })
    }

    // Terms.

    /// The term with exactly this operation and these arguments, not simplified at all. Everything
    /// else should use the constructors, or [`Pool::apply`].
    ///
    /// # Panics
    /// If the arguments do not fit the operation.
    pub fn raw(&mut self, op: Op, args: &[TermId]) -> TermId {
        match self.check(op, args) {
            Ok(sort) => self.intern(op, sort, args),
            Err(e) => panic!("{e}"),
        }
    }

    pub(crate) fn intern(&mut self, op: Op, sort: SortId, args: &[TermId]) -> TermId {
        let hash = hash(op, sort, args);
        let (nodes, pool_args) = (&self.nodes, &self.args);
        let same = |&t: &TermId| {
            let n = &nodes[t];
            n.op == op && n.sort == sort && pool_args[n.first as usize..(n.first + n.count) as usize] == *args
        };
        if let Some(&t) = self.ids.find(hash, same) {
            return t;
        }
        let first = self.args.len();
        assert!(first + args.len() <= u32::MAX as usize, "the pool of terms is full");
        self.args.extend_from_slice(args);
        let t = self.nodes.push(Node { op, sort, first: first as u32, count: args.len() as u32 });
        let (nodes, pool_args) = (&self.nodes, &self.args);
        self.ids.insert_unique(hash, t, |&t| {
            let n = &nodes[t];
            self::hash(n.op, n.sort, &pool_args[n.first as usize..(n.first + n.count) as usize])
        });
        t
    }
}

fn hash(op: Op, sort: SortId, args: &[TermId]) -> u64 {
    let mut h = FxHasher::default();
    op.hash(&mut h);
    sort.hash(&mut h);
    for a in args {
        a.hash(&mut h);
    }
    h.finish()
}
