//! One model of a formula, for quick evaluation of many terms.
//!
//! Values are machine numbers, as almost all of them fit; a term whose value does
//! not fit, or that is no arithmetic of integers, has none.

use cairn_term::{Assignment, Op, Pool, TermId, Value};
use rustc_hash::FxHashMap;

#[derive(Clone, Debug)]
pub struct Sample {
    /// The variables.
    given: FxHashMap<TermId, i128>,
    /// What has been evaluated; a truth value is 0 or 1.
    known: FxHashMap<TermId, Option<i128>>,
}

impl Sample {
    pub fn new(model: &Assignment) -> Sample {
        let number = |value: &Value| match value {
            Value::Bool(b) => Some(i128::from(*b)),
            Value::Int(n) => i128::try_from(n).ok(),
            _ => None,
        };
        let given = model.iter().filter_map(|(&v, value)| Some((v, number(value)?))).collect();
        Sample { given, known: FxHashMap::default() }
    }

    pub fn get(&self, v: TermId) -> Option<i128> {
        self.given.get(&v).copied()
    }

    /// The same, with nothing evaluated yet.
    pub fn anew(&self) -> Sample {
        Sample { given: self.given.clone(), known: FxHashMap::default() }
    }

    /// The same with another value of a variable.
    pub fn with(&self, v: TermId, value: i128) -> Sample {
        let mut given = self.given.clone();
        given.insert(v, value);
        Sample { given, known: FxHashMap::default() }
    }

    /// Defines a variable.
    pub fn set(&mut self, v: TermId, value: i128) {
        self.given.insert(v, value);
    }

    pub fn holds(&mut self, pool: &Pool, t: TermId) -> bool {
        self.eval(pool, t) == Some(1)
    }

    pub fn eval(&mut self, pool: &Pool, root: TermId) -> Option<i128> {
        let mut stack = vec![root];
        while let Some(&t) = stack.last() {
            if self.known.contains_key(&t) {
                stack.pop();
                continue;
            }
            let pending = stack.len();
            stack.extend(pool.args(t).iter().filter(|a| !self.known.contains_key(a)));
            if stack.len() == pending {
                let value = self.step(pool, t);
                self.known.insert(t, value);
                stack.pop();
            }
        }
        self.known[&root]
    }

    fn step(&self, pool: &Pool, t: TermId) -> Option<i128> {
        let args = pool.args(t);
        let arg = |n: usize| self.known[&args[n]];
        let all = || args.iter().map(|a| self.known[a]);
        match pool.op(t) {
            Op::Var(_) => self.given.get(&t).copied(),
            Op::Bool(b) => Some(b.into()),
            Op::Number(_) => i128::try_from(pool.as_int(t)?).ok(),
            Op::Not => Some(1 - arg(0)?),
            Op::And if all().any(|a| a == Some(0)) => Some(0),
            Op::Or if all().any(|a| a == Some(1)) => Some(1),
            Op::And => all().all(|a| a.is_some()).then_some(1),
            Op::Or => all().all(|a| a.is_some()).then_some(0),
            Op::Eq => Some((arg(0)? == arg(1)?).into()),
            Op::Le => Some((arg(0)? <= arg(1)?).into()),
            Op::Ite => arg(if arg(0)? == 1 { 1 } else { 2 }),
            Op::Add => all().try_fold(0i128, |sum, a| sum.checked_add(a?)),
            Op::Mul => arg(0)?.checked_mul(arg(1)?),
            Op::Div | Op::Mod if arg(1)? == 0 => None,
            Op::Div => arg(0)?.checked_div_euclid(arg(1)?),
            Op::Mod => arg(0)?.checked_rem_euclid(arg(1)?),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cairn_term::Evaluator;
    use num_bigint::BigInt;

    #[test]
    fn values_are_those_of_the_reference() {
        let mut pool = Pool::new();
        let (x, y) = (pool.int_var("x"), pool.int_var("y"));
        let terms = [
            "(+ (* 3 x) (* (- 2) y) 7)",
            "(ite (<= x y) (div x 3) (mod y 5))",
            "(and (<= x y) (not (= x 4)))",
            "(or (= (div x (- 2)) y) (<= (mod x (- 3)) 1))",
            "(* x y)",
        ]
        .map(|t| cairn_term::parse::term(&mut pool, t).expect("a term"));
        for a in -7..8 {
            for b in -7..8 {
                let model = Assignment::from_iter([
                    (x, Value::Int(BigInt::from(a))),
                    (y, Value::Int(BigInt::from(b))),
                ]);
                let mut sample = Sample::new(&model);
                for t in terms {
                    let expected = match Evaluator::new(&pool, &model).eval(t) {
                        Value::Int(n) => i128::try_from(n).ok(),
                        Value::Bool(b) => Some(b.into()),
                        _ => None,
                    };
                    assert_eq!(sample.eval(&pool, t), expected, "{} at {a}, {b}", pool.text(t));
                }
            }
        }
    }

    #[test]
    fn what_does_not_fit_has_no_value() {
        let mut pool = Pool::new();
        let x = pool.int_var("x");
        let square = pool.int_mul(x, x);
        let zero = pool.int(0);
        let natural = pool.int_le(zero, square);
        let mut sample = Sample::new(&Assignment::default()).with(x, i128::MAX / 2);
        assert_eq!(sample.eval(&pool, natural), None);
        assert!(!sample.holds(&pool, natural));
    }
}
