//! The value of a term under an assignment.
//!
//! This is the reference reading: simplification, the bit-blaster and Z3 are
//! all tested against it. Arrays are looked up through their stores rather
//! than built, so that long chains of stores stay cheap.

use rustc_hash::FxHashMap;

use crate::{ArrayValue, Op, Pool, Sort, TermId, Value, fold};

/// Values of variables. What is not in it has [`Value::default_of`] its sort.
pub type Assignment = FxHashMap<TermId, Value>;

/// Evaluates terms of one pool under one assignment and remembers what it has found.
pub struct Evaluator<'a> {
    pool: &'a Pool,
    assignment: &'a Assignment,
    memo: FxHashMap<TermId, Value>,
}

impl<'a> Evaluator<'a> {
    pub fn new(pool: &'a Pool, assignment: &'a Assignment) -> Evaluator<'a> {
        Evaluator { pool, assignment, memo: FxHashMap::default() }
    }

    pub fn eval(&mut self, root: TermId) -> Value {
        let mut stack = vec![root];
        while let Some(&t) = stack.last() {
            if self.memo.contains_key(&t) {
                stack.pop();
                continue;
            }
            let pending = stack.len();
            let value = self.step(t, &mut stack);
            if stack.len() == pending {
                stack.pop();
                self.memo.insert(t, value.expect("nothing is pending"));
            }
        }
        self.memo[&root].clone()
    }

    /// Is a boolean term true?
    pub fn holds(&mut self, t: TermId) -> bool {
        self.eval(t) == Value::Bool(true)
    }

    /// The value of `t`, or else pushes what must be known first.
    fn step(&self, t: TermId, stack: &mut Vec<TermId>) -> Option<Value> {
        let op = self.pool.op(t);
        let args = self.pool.args(t);
        match op {
            Op::Var(_) => {
                let default = || Value::default_of(self.pool, self.pool.sort_id_of(t));
                Some(self.assignment.get(&t).cloned().unwrap_or_else(default))
            }
            Op::Select => self.lookup(args[0], args[1], stack),
            // Only the chosen side matters.
            Op::Ite => match self.get(args[0], stack)? {
                Value::Bool(true) => self.get(args[1], stack).cloned(),
                _ => self.get(args[2], stack).cloned(),
            },
            Op::ConstArray(sort) => {
                let default = self.get(args[0], stack)?.clone();
                Some(Value::Array(Box::new(ArrayValue::constant(self.pool, sort, default))))
            }
            Op::Store => {
                // Arguments from the last on: the chain below, which may be long, comes last.
                let (value, index) = (self.get(args[2], stack), self.get(args[1], stack));
                let Value::Array(array) = self.get(args[0], stack)? else { return None };
                let mut array = array.clone();
                array.set(index?.clone(), value?.clone());
                Some(Value::Array(array))
            }
            _ => {
                if let Some(value) = self.pool.as_value(t) {
                    return Some(value);
                }
                let before = stack.len();
                let values: smallvec::SmallVec<[&Value; 4]> =
                    args.iter().filter_map(|&a| self.get(a, stack)).collect();
                if stack.len() > before {
                    return None;
                }
                Some(fold::fold(op, &values).expect("terms are well sorted"))
            }
        }
    }

    fn get(&self, t: TermId, stack: &mut Vec<TermId>) -> Option<&Value> {
        let value = self.memo.get(&t);
        if value.is_none() {
            stack.push(t);
        }
        value
    }

    fn lookup(&self, mut array: TermId, index: TermId, stack: &mut Vec<TermId>) -> Option<Value> {
        let index = self.get(index, stack)?;
        loop {
            if let Some(Value::Array(known)) = self.memo.get(&array) {
                return Some(known.get(index).clone());
            }
            let args = self.pool.args(array);
            match self.pool.op(array) {
                Op::Store if self.get(args[1], stack)? == index => return self.get(args[2], stack).cloned(),
                Op::Store => array = args[0],
                Op::Ite => {
                    let then = *self.get(args[0], stack)? == Value::Bool(true);
                    array = args[if then { 1 } else { 2 }];
                }
                Op::ConstArray(_) => return self.get(args[0], stack).cloned(),
                _ => {
                    debug_assert!(matches!(self.pool.sort(array), Sort::Array(..)));
                    let Value::Array(known) = self.get(array, stack)? else { return None };
                    return Some(known.get(index).clone());
                }
            }
        }
    }
}
