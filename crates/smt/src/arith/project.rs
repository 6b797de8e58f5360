//! Model-based projection.
//!
//! The formula is followed where the model makes it true, which leaves a
//! conjunction of constraints (an implicant); the variables are then taken out of
//! those. Where a variable occurs in what is not linear it becomes its value.

use cairn_term::{Assignment, Evaluator, Op, Pool, Sort, TermId, Value};
use num_bigint::BigInt;
use num_integer::Integer;
use rustc_hash::{FxHashMap, FxHashSet};

use super::cube::{Cube, Form, Kind, Literal};
use crate::Why;

/// For a division by at most this the model decides the remainder, else the quotient.
const SMALL: u32 = 64;

/// Choices inside choices are followed this deep.
const DEPTH: usize = 1000;

/// Constraints without `vars` that the model satisfies and that together imply the formula for
/// some values of `vars`. The model must satisfy the formula; missing variables are zero.
pub fn project(
    pool: &mut Pool,
    model: &Assignment,
    vars: &[TermId],
    formula: TermId,
) -> Result<Vec<TermId>, Why> {
    let mut vars: FxHashSet<TermId> = vars.iter().copied().collect();
    let formula = ground(pool, model, &mut vars, formula);
    let mut implicant = Implicant::new(pool, model, &vars, formula)?;
    implicant.collect(formula)?;
    let Implicant { kept, literals, leaves, .. } = implicant;
    let mut cube = Cube::new(literals, leaves);
    let mut vars: Vec<TermId> = vars.into_iter().collect();
    vars.sort_unstable();
    cube.eliminate(&vars);
    let wrong = || Why::Failed("a projection contradicts its model".into());
    let mut all: Vec<TermId> =
        kept.into_iter().map(|(t, truth)| if truth { t } else { pool.not(t) }).collect();
    all.extend(cube.terms(pool).ok_or_else(wrong)?);
    all.retain(|&t| t != Pool::TRUE);
    all.sort_unstable();
    all.dedup();
    Ok(all)
}

/// Which terms have one of the variables in them.
fn marked(pool: &Pool, vars: &FxHashSet<TermId>, formula: TermId) -> FxHashSet<TermId> {
    let mut marked = FxHashSet::default();
    for t in pool.reachable(&[formula]) {
        if vars.contains(&t) || pool.args(t).iter().any(|a| marked.contains(a)) {
            marked.insert(t);
        }
    }
    marked
}

/// The formula with values for those variables that cannot be taken out of it in another way.
fn ground(pool: &mut Pool, model: &Assignment, vars: &mut FxHashSet<TermId>, mut formula: TermId) -> TermId {
    loop {
        let mut values = FxHashMap::default();
        for v in pool.free_vars(&not_linear(pool, vars, formula)) {
            if vars.remove(&v) {
                let default = || Value::default_of(pool, pool.sort_id_of(v));
                let value = model.get(&v).cloned().unwrap_or_else(default);
                values.insert(v, pool.value(&value));
            }
        }
        if values.is_empty() {
            return formula;
        }
        formula = pool.substitute(formula, &values);
    }
}

/// Parts that must become constants for the formula to be linear in the variables.
fn not_linear(pool: &Pool, vars: &FxHashSet<TermId>, formula: TermId) -> Vec<TermId> {
    let marked = marked(pool, vars, formula);
    let mut bad: Vec<TermId> = Vec::new();
    for t in pool.reachable(&[formula]) {
        if !marked.contains(&t) {
            continue;
        }
        let args = pool.args(t);
        let constant = |n: usize| pool.as_int(args[n]).is_some_and(|k| *k != BigInt::ZERO);
        match pool.op(t) {
            Op::Var(_) if pool.sort(t) != Sort::Int => bad.push(t),
            Op::Var(_) | Op::Not | Op::And | Op::Or | Op::Eq | Op::Ite | Op::Add | Op::Le => {}
            Op::Mod | Op::Div if constant(1) => {}
            Op::Mul if constant(0) || constant(1) => {}
            // One factor is enough if the other has no further variables.
            Op::Mul => bad.push(args[usize::from(marked.contains(&args[1]))]),
            _ => bad.push(t),
        }
    }
    bad
}

/// What makes a formula true in a model.
struct Implicant<'a> {
    pool: &'a Pool,
    marked: FxHashSet<TermId>,
    values: FxHashMap<TermId, Value>,
    todo: Vec<(TermId, bool)>,
    seen: FxHashSet<(TermId, bool)>,
    /// Without the variables: the term and its truth.
    kept: Vec<(TermId, bool)>,
    literals: Vec<Literal>,
    /// What the forms are made of.
    leaves: FxHashMap<TermId, BigInt>,
}

/// A form over a positive denominator; the quotient is an integer.
struct Fraction {
    form: Form,
    by: BigInt,
}

impl<'a> Implicant<'a> {
    fn new(
        pool: &'a Pool,
        model: &Assignment,
        vars: &FxHashSet<TermId>,
        formula: TermId,
    ) -> Result<Implicant<'a>, Why> {
        let mut evaluator = Evaluator::new(pool, model);
        let values = pool.reachable(&[formula]).into_iter().map(|t| (t, evaluator.eval(t))).collect();
        if !evaluator.holds(formula) {
            return Err(Why::Failed("the model to project violates the formula".into()));
        }
        Ok(Implicant {
            pool,
            marked: marked(pool, vars, formula),
            values,
            todo: Vec::new(),
            seen: FxHashSet::default(),
            kept: Vec::new(),
            literals: Vec::new(),
            leaves: FxHashMap::default(),
        })
    }

    fn truth(&self, t: TermId) -> bool {
        self.values.get(&t) == Some(&Value::Bool(true))
    }

    fn int(&self, t: TermId) -> BigInt {
        self.values.get(&t).and_then(Value::as_int).cloned().unwrap_or_default()
    }

    fn collect(&mut self, formula: TermId) -> Result<(), Why> {
        self.todo.push((formula, true));
        while let Some((t, truth)) = self.todo.pop() {
            if !self.seen.insert((t, truth)) {
                continue;
            }
            let pool = self.pool;
            let args = pool.args(t);
            let op = pool.op(t);
            match op {
                Op::Not => self.todo.push((args[0], !truth)),
                Op::And if truth => self.todo.extend(args.iter().map(|&a| (a, true))),
                Op::Or if !truth => self.todo.extend(args.iter().map(|&a| (a, false))),
                _ if !self.marked.contains(&t) => self.kept.push((t, truth)),
                Op::And | Op::Or => {
                    // One is enough; best one without the variables.
                    let mut fitting = args.iter().copied().filter(|&a| self.truth(a) == truth);
                    let free = fitting.clone().find(|a| !self.marked.contains(a));
                    let one = free.or_else(|| fitting.next());
                    self.todo.extend(one.map(|a| (a, truth)));
                }
                Op::Ite => {
                    let condition = self.truth(args[0]);
                    self.todo.extend([(args[0], condition), (args[if condition { 1 } else { 2 }], truth)]);
                }
                Op::Eq if pool.sort(args[0]) == Sort::Bool => {
                    self.todo.extend([args[0], args[1]].map(|a| (a, self.values[&a] == Value::Bool(true))));
                }
                Op::Eq | Op::Le if pool.sort(args[0]) == Sort::Int => {
                    self.compare(op, args[0], args[1], truth)?
                }
                _ => return Err(Why::Unsupported("projection of what is not linear".into())),
            }
        }
        Ok(())
    }

    fn compare(&mut self, op: Op, a: TermId, b: TermId, truth: bool) -> Result<(), Why> {
        let (left, right) = (self.fraction(a, 0)?, self.fraction(b, 0)?);
        // a - b, times both denominators.
        let mut form = left.form;
        form.scale(&right.by);
        form.add(&right.form, &-&left.by);
        let unit = left.by * right.by;
        let kind = match (op, truth) {
            (Op::Eq, true) => Kind::Eq,
            (Op::Le, true) => Kind::Le,
            (Op::Le, false) => {
                form.scale(&BigInt::from(-1));
                form.constant += unit;
                Kind::Le
            }
            _ => {
                if self.int(a) > self.int(b) {
                    form.scale(&BigInt::from(-1));
                }
                form.constant += unit;
                Kind::Le
            }
        };
        self.literals.push(Literal { kind, form });
        Ok(())
    }

    /// An integer term as the model has it.
    fn fraction(&mut self, t: TermId, depth: usize) -> Result<Fraction, Why> {
        if depth > DEPTH {
            return Err(Why::Unsupported("projection of a term so deep".into()));
        }
        let pool = self.pool;
        // Sums too long for a normal form are taken as they are.
        let linear = pool.linear(t);
        let parts: Vec<(TermId, BigInt)> = match linear.terms.as_slice() {
            [(only, _)] if *only == t && pool.op(t) == Op::Add => {
                pool.args(t).iter().map(|&a| (a, BigInt::from(1))).collect()
            }
            _ => linear.terms.into_vec(),
        };
        let mut sum = Fraction { form: Form::constant(linear.constant), by: BigInt::from(1) };
        for (part, factor) in parts {
            let part = self.part(part, depth)?;
            let by = sum.by.lcm(&part.by);
            sum.form.scale(&(&by / &sum.by));
            sum.form.add(&part.form, &(factor * &by / &part.by));
            sum.by = by;
        }
        Ok(sum)
    }

    fn part(&mut self, t: TermId, depth: usize) -> Result<Fraction, Why> {
        let one = BigInt::from(1);
        let pool = self.pool;
        let args = pool.args(t);
        let op = pool.op(t);
        if !self.marked.contains(&t) || matches!(op, Op::Var(_)) {
            let mut form = Form::default();
            match pool.as_int(t) {
                Some(n) => form.constant = n.clone(),
                None => {
                    form.add_term(t, one.clone());
                    self.leaves.insert(t, self.int(t));
                }
            }
            return Ok(Fraction { form, by: one });
        }
        match op {
            Op::Ite => {
                let condition = self.truth(args[0]);
                self.todo.push((args[0], condition));
                self.fraction(args[if condition { 1 } else { 2 }], depth + 1)
            }
            Op::Add | Op::Mul => self.fraction(t, depth + 1),
            Op::Div | Op::Mod => {
                let Some(k) = pool.as_int(args[1]).cloned() else {
                    return Err(Why::Unsupported("projection of a division by a variable".into()));
                };
                let whole = self.fraction(args[0], depth + 1)?;
                Ok(self.division(op, whole, &k, self.int(args[0])))
            }
            _ => Err(Why::Unsupported("projection of what is not linear".into())),
        }
    }

    /// Quotient or remainder of `whole` (which has the given value) by a constant.
    fn division(&mut self, op: Op, whole: Fraction, k: &BigInt, value: BigInt) -> Fraction {
        let one = BigInt::from(1);
        let size = BigInt::from(k.magnitude().clone());
        let rest = value.mod_floor(&size);
        let quotient = (&value - &rest) / k;
        if size <= BigInt::from(SMALL) {
            // whole = rest modulo k
            let Fraction { mut form, by } = whole;
            form.constant -= &rest * &by;
            self.literals.push(Literal { kind: Kind::Divides(&size * &by), form: form.clone() });
            if op == Op::Mod {
                return Fraction { form: Form::constant(rest), by: one };
            }
            if *k < BigInt::ZERO {
                form.scale(&BigInt::from(-1));
            }
            return Fraction { form, by: by * size };
        }
        // 0 <= whole - k * quotient < |k|
        let Fraction { form: mut rest, by } = whole;
        rest.constant -= k * &quotient * &by;
        let mut low = rest.clone();
        low.scale(&BigInt::from(-1));
        let mut high = rest.clone();
        high.constant -= (size - 1) * &by;
        self.literals.extend([low, high].map(|form| Literal { kind: Kind::Le, form }));
        match op {
            Op::Mod => Fraction { form: rest, by },
            _ => Fraction { form: Form::constant(quotient), by: one },
        }
    }
}
