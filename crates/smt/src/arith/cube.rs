//! Conjunctions of linear constraints, and taking variables out of them.

use std::collections::BTreeMap;

use cairn_term::{Pool, TermId};
use num_bigint::{BigInt, Sign};
use num_integer::Integer;
use rustc_hash::FxHashMap;

/// Bounds are combined pairwise, which loses nothing, if that makes at most this many more.
const SLACK: usize = 3;

/// `sum of factor * term, plus constant`. No factor is zero.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Form {
    pub terms: BTreeMap<TermId, BigInt>,
    pub constant: BigInt,
}

impl Form {
    pub fn constant(n: BigInt) -> Form {
        Form { terms: BTreeMap::new(), constant: n }
    }

    pub fn add(&mut self, other: &Form, factor: &BigInt) {
        self.constant += &other.constant * factor;
        for (&t, k) in &other.terms {
            self.add_term(t, k * factor);
        }
    }

    pub fn add_term(&mut self, t: TermId, factor: BigInt) {
        let sum = self.terms.entry(t).or_default();
        *sum += factor;
        if sum.sign() == Sign::NoSign {
            self.terms.remove(&t);
        }
    }

    pub fn scale(&mut self, by: &BigInt) {
        self.constant *= by;
        self.terms.values_mut().for_each(|k| *k *= by);
        self.terms.retain(|_, k| k.sign() != Sign::NoSign);
    }

    fn gcd(&self) -> BigInt {
        self.terms.values().fold(BigInt::ZERO, |g, k| g.gcd(k))
    }

    fn divide(&mut self, by: &BigInt) {
        self.terms.values_mut().for_each(|k| *k = &*k / by);
    }

    fn term(&self, pool: &mut Pool) -> TermId {
        let mut parts = vec![pool.int(self.constant.clone())];
        for (&t, k) in &self.terms {
            let k = pool.int(k.clone());
            parts.push(pool.int_mul(t, k));
        }
        pool.int_sum(&parts)
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The form is not positive.
    Le,
    /// The form is zero.
    Eq,
    /// A positive number divides the form.
    Divides(BigInt),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Literal {
    pub kind: Kind,
    pub form: Form,
}

impl Literal {
    fn factor(&self, x: TermId) -> Option<&BigInt> {
        self.form.terms.get(&x)
    }

    /// In lowest terms, or its truth if it has no variables.
    fn normal(mut self) -> Result<Literal, bool> {
        if let Kind::Divides(k) = &mut self.kind {
            let form = &mut self.form;
            form.terms.values_mut().for_each(|f| *f = f.mod_floor(k));
            form.terms.retain(|_, f| f.sign() != Sign::NoSign);
            form.constant = form.constant.mod_floor(k);
            if form.terms.is_empty() {
                return Err(form.constant.sign() == Sign::NoSign);
            }
            let gcd = form.gcd().gcd(k);
            if !form.constant.is_multiple_of(&gcd) {
                return Err(false);
            }
            form.divide(&gcd);
            form.constant = &form.constant / &gcd;
            *k = &*k / &gcd;
            return if *k == BigInt::from(1) { Err(true) } else { Ok(self) };
        }
        let gcd = self.form.gcd();
        if gcd.sign() == Sign::NoSign {
            return Err(match self.kind {
                Kind::Eq => self.form.constant.sign() == Sign::NoSign,
                _ => self.form.constant.sign() != Sign::Plus,
            });
        }
        if self.kind == Kind::Eq && !self.form.constant.is_multiple_of(&gcd) {
            return Err(false);
        }
        self.form.divide(&gcd);
        // g * s + k <= 0  iff  s <= floor(-k / g)
        self.form.constant = -(-&self.form.constant).div_floor(&gcd);
        Ok(self)
    }

    fn term(&self, pool: &mut Pool) -> TermId {
        let zero = pool.int(0);
        match &self.kind {
            Kind::Le => {
                let form = self.form.term(pool);
                pool.int_le(form, zero)
            }
            Kind::Eq => {
                let form = self.form.term(pool);
                pool.eq(form, zero)
            }
            // The remainder of what varies, so that neighbours look alike.
            Kind::Divides(k) => {
                let mut form = self.form.clone();
                let rest = pool.int((-std::mem::take(&mut form.constant)).mod_floor(k));
                let (form, k) = (form.term(pool), pool.int(k.clone()));
                let remainder = pool.int_mod(form, k);
                pool.eq(remainder, rest)
            }
        }
    }
}

/// Constraints that hold in a model, which decides between cases.
pub struct Cube {
    literals: Vec<Literal>,
    /// The values of all terms the forms are made of.
    values: FxHashMap<TermId, BigInt>,
    /// A constraint did not hold in the model after all.
    wrong: bool,
}

impl Cube {
    pub fn new(literals: Vec<Literal>, values: FxHashMap<TermId, BigInt>) -> Cube {
        let mut cube = Cube { literals: Vec::new(), values, wrong: false };
        for l in literals {
            cube.push(l);
        }
        cube
    }

    /// The constraints as terms, unless the model violates one.
    pub fn terms(&self, pool: &mut Pool) -> Option<Vec<TermId>> {
        (!self.wrong).then(|| self.literals.iter().map(|l| l.term(pool)).collect())
    }

    fn push(&mut self, literal: Literal) {
        match literal.normal() {
            Err(truth) => self.wrong |= !truth,
            Ok(literal) => {
                self.wrong |= !self.holds(&literal);
                if !self.literals.contains(&literal) {
                    self.literals.push(literal);
                }
            }
        }
    }

    fn value(&self, form: &Form) -> BigInt {
        let zero = BigInt::ZERO;
        let part = |(t, k): (&TermId, &BigInt)| self.values.get(t).unwrap_or(&zero) * k;
        form.terms.iter().map(part).sum::<BigInt>() + &form.constant
    }

    fn holds(&self, literal: &Literal) -> bool {
        let value = self.value(&literal.form);
        match &literal.kind {
            Kind::Le => value.sign() != Sign::Plus,
            Kind::Eq => value.sign() == Sign::NoSign,
            Kind::Divides(k) => value.is_multiple_of(k),
        }
    }

    /// Takes variables out, the cheap ones first.
    pub fn eliminate(&mut self, vars: &[TermId]) {
        let mut left = vars.to_vec();
        while !left.is_empty() && !self.wrong {
            let next = (0..left.len()).min_by_key(|&n| self.cost(left[n])).unwrap_or(0);
            let x = left.swap_remove(next);
            self.take_out(x);
        }
    }

    /// What is lost, roughly, by taking the variable out: nothing at first, then generality.
    fn cost(&self, x: TermId) -> (u8, usize) {
        let (mut lower, mut upper, mut unit, mut divides) = (0, 0, true, false);
        for literal in &self.literals {
            let Some(k) = literal.factor(x) else { continue };
            match literal.kind {
                Kind::Eq => return (if is_unit(k) { 0 } else { 2 }, k.bits() as usize),
                Kind::Divides(_) => divides = true,
                Kind::Le => {
                    unit &= is_unit(k);
                    if k.sign() == Sign::Minus {
                        lower += 1;
                    } else {
                        upper += 1;
                    }
                }
            }
        }
        let class = match (divides, unit) {
            _ if !divides && (lower == 0 || upper == 0) => 1,
            (false, true) => 3,
            _ => 4,
        };
        (class, lower * upper)
    }

    fn take_out(&mut self, x: TermId) {
        let (mine, rest) =
            std::mem::take(&mut self.literals).into_iter().partition(|l| l.factor(x).is_some());
        self.literals = rest;
        let mine: Vec<Literal> = mine;
        let equation = mine
            .iter()
            .filter(|l| l.kind == Kind::Eq)
            .filter_map(|l| Some((l, l.factor(x)?)))
            .min_by_key(|(_, k)| k.magnitude());
        if let Some((equation, _)) = equation {
            let equation = equation.clone();
            return self.by_equation(x, &equation, mine);
        }
        let has_lower = mine.iter().any(|l| is_bound(l, x, Sign::Minus));
        let has_upper = mine.iter().any(|l| is_bound(l, x, Sign::Plus));
        let divides = mine.iter().any(|l| l.kind != Kind::Le);
        if !(divides || has_lower && has_upper) {
            return;
        }
        if !divides && self.by_pairs(x, &mine) {
            return;
        }
        self.by_bound(x, mine);
    }

    /// `c * x = -rest`: what has `x` is multiplied by `c` and has `rest` instead.
    fn by_equation(&mut self, x: TermId, equation: &Literal, mine: Vec<Literal>) {
        let mut rest = equation.form.clone();
        let Some(c) = rest.terms.remove(&x) else { return };
        let size = BigInt::from(c.magnitude().clone());
        if !is_unit(&c) {
            self.push(Literal { kind: Kind::Divides(size.clone()), form: rest.clone() });
        }
        for mut literal in mine {
            if literal == *equation {
                continue;
            }
            let Some(a) = literal.form.terms.remove(&x) else { continue };
            literal.form.scale(&size);
            let a = if c.sign() == Sign::Minus { a } else { -a };
            literal.form.add(&rest, &a);
            if let Kind::Divides(k) = &mut literal.kind {
                *k *= &size;
            }
            self.push(literal);
        }
    }

    /// Every lower bound below every upper one (Fourier and Motzkin), if that is exact and short.
    fn by_pairs(&mut self, x: TermId, mine: &[Literal]) -> bool {
        let (lower, upper): (Vec<&Literal>, Vec<&Literal>) =
            mine.iter().partition(|l| is_bound(l, x, Sign::Minus));
        let units = |side: &[&Literal]| side.iter().all(|l| l.factor(x).is_some_and(is_unit));
        if !(units(&lower) || units(&upper)) || lower.len() * upper.len() > mine.len() + SLACK {
            return false;
        }
        for low in &lower {
            for high in &upper {
                let (Some(a), Some(b)) = (low.factor(x), high.factor(x)) else { continue };
                let mut form = low.form.clone();
                form.scale(b);
                form.add(&high.form, &-a);
                self.push(Literal { kind: Kind::Le, form });
            }
        }
        true
    }

    /// `x` becomes the bound that is tightest in the model, plus what divisibility asks for
    /// (Cooper, "Theorem proving in arithmetic without multiplication", 1972, with the model
    /// choosing the disjunct).
    fn by_bound(&mut self, x: TermId, mut mine: Vec<Literal>) {
        // First y = scale * x has factor 1 or -1 everywhere.
        let scale = mine.iter().filter_map(|l| l.factor(x)).fold(BigInt::from(1), |m, k| m.lcm(k));
        let mut period = scale.clone();
        for literal in &mut mine {
            let Some(a) = literal.factor(x).cloned() else { continue };
            let by = BigInt::from((&scale / &a).magnitude().clone());
            literal.form.terms.remove(&x);
            literal.form.scale(&by);
            let sign = if a.sign() == Sign::Minus { -1 } else { 1 };
            literal.form.terms.insert(x, sign.into());
            if let Kind::Divides(k) = &mut literal.kind {
                *k *= &by;
                period = period.lcm(k);
            }
        }
        let y_value = self.values.get(&x).cloned().unwrap_or_default() * &scale;
        if scale != BigInt::from(1) {
            let form = Form { terms: BTreeMap::from([(x, BigInt::from(1))]), constant: BigInt::ZERO };
            mine.push(Literal { kind: Kind::Divides(scale), form });
        }
        let side = |sign: Sign| -> Vec<Form> {
            let bound = |l: &Literal| {
                let mut form = l.form.clone();
                form.terms.remove(&x);
                if sign == Sign::Plus {
                    form.scale(&BigInt::from(-1));
                }
                form
            };
            mine.iter().filter(|l| is_bound(l, x, sign)).map(bound).collect()
        };
        let (lower, upper) = (side(Sign::Minus), side(Sign::Plus));
        let from_below = !lower.is_empty() && (upper.is_empty() || lower.len() <= upper.len());
        let tightest = if from_below {
            lower.into_iter().max_by_key(|f| self.value(f))
        } else {
            upper.into_iter().min_by_key(|f| self.value(f))
        };
        let mut y = tightest.unwrap_or_default();
        let gap = (&y_value - self.value(&y)).mod_floor(&period);
        // From above the gap is negative; without bounds any number of its class will do.
        let above = !from_below && gap.sign() != Sign::NoSign && mine.iter().any(|l| l.kind == Kind::Le);
        y.constant += if above { gap - &period } else { gap };
        for mut literal in mine {
            let Some(a) = literal.form.terms.remove(&x) else { continue };
            literal.form.add(&y, &a);
            self.push(literal);
        }
    }
}

fn is_unit(k: &BigInt) -> bool {
    *k.magnitude() == 1u32.into()
}

/// Does an inequality bound `x` from below (its factor is negative) or above?
fn is_bound(literal: &Literal, x: TermId, sign: Sign) -> bool {
    literal.kind == Kind::Le && literal.factor(x).is_some_and(|k| k.sign() == sign)
}
