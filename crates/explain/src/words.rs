//! Formulas of the search as a C programmer would write them. `div` and `mod`
//! are those of the integers, whose remainder is never negative.

use cairn_core::explain::Formulas;
use cairn_term::{Op, TermId};
use num_bigint::{BigInt, Sign};

/// What lies deeper is shown as dots.
const DEEPEST: usize = 40;
/// So is what comes after so many characters.
const LONGEST: usize = 1200;

pub struct Words<'a> {
    pub formulas: &'a Formulas,
}

/// How tightly what was written binds.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    Choice,
    Or,
    And,
    Comparison,
    Sum,
    Product,
    Atom,
}

impl Words<'_> {
    pub fn show(&self, t: TermId) -> String {
        self.level(t, Level::Choice, 0)
    }

    fn level(&self, t: TermId, least: Level, depth: usize) -> String {
        let (text, level) = self.write(t, depth);
        if level < least { format!("({text})") } else { text }
    }

    fn join(&self, args: &[TermId], with: &str, level: Level, depth: usize) -> (String, Level) {
        let mut text = String::new();
        for (i, &a) in args.iter().enumerate() {
            if text.len() > LONGEST {
                text += " …";
                break;
            }
            if i > 0 {
                text += with;
            }
            // The same operation needs no brackets inside itself, but its arguments are flat anyway.
            let tighter = if level == Level::Or { Level::And } else { Level::Comparison };
            text += &self.level(a, if level == Level::Product { Level::Atom } else { tighter }, depth + 1);
        }
        (text, level)
    }

    fn write(&self, t: TermId, depth: usize) -> (String, Level) {
        if depth > DEEPEST {
            return ("…".to_owned(), Level::Atom);
        }
        let pool = &self.formulas.pool;
        let args = pool.args(t);
        match (pool.op(t), args) {
            (Op::Bool(b), _) => (b.to_string(), Level::Atom),
            (Op::Number(_), _) => (pool.as_int(t).map_or_else(String::new, BigInt::to_string), Level::Atom),
            (Op::Var(_), _) => (self.formulas.name(t).unwrap_or_default(), Level::Atom),
            (Op::And, _) => self.join(args, " && ", Level::And, depth),
            (Op::Or, _) => self.join(args, " || ", Level::Or, depth),
            (Op::Le, &[a, b]) => (self.compare(a, b, Relation::AtMost, depth), Level::Comparison),
            (Op::Eq, &[a, b]) => (self.equal(a, b, true, depth), Level::Comparison),
            (Op::Not, &[inner]) => match (pool.op(inner), pool.args(inner)) {
                (Op::Le, &[a, b]) => (self.compare(b, a, Relation::Less, depth), Level::Comparison),
                (Op::Eq, &[a, b]) => (self.equal(a, b, false, depth), Level::Comparison),
                _ => (format!("!{}", self.level(inner, Level::Atom, depth + 1)), Level::Product),
            },
            (Op::Ite, &[c, a, b]) => {
                let part = |t: TermId| self.level(t, Level::Or, depth + 1);
                (format!("{} ? {} : {}", part(c), part(a), part(b)), Level::Choice)
            }
            (Op::Add, _) => {
                let linear = pool.linear(t);
                let terms: Vec<(TermId, BigInt)> = linear.terms.to_vec();
                (self.sum(&terms, &linear.constant, depth), Level::Sum)
            }
            (Op::Mul, _) => self.join(args, "*", Level::Product, depth),
            (Op::Div | Op::Mod, &[a, b]) => {
                let word = if pool.op(t) == Op::Div { "div" } else { "mod" };
                let part = |t: TermId| self.level(t, Level::Atom, depth + 1);
                (format!("{} {word} {}", part(a), part(b)), Level::Product)
            }
            (op, _) => (format!("{op:?}(…)").to_lowercase(), Level::Atom),
        }
    }

    fn equal(&self, a: TermId, b: TermId, is: bool, depth: usize) -> String {
        if self.formulas.pool.sort(a) == cairn_term::Sort::Int {
            return self.compare(a, b, if is { Relation::Equal } else { Relation::Unequal }, depth);
        }
        let part = |t: TermId| self.level(t, Level::Atom, depth + 1);
        format!("{} {} {}", part(a), if is { "==" } else { "!=" }, part(b))
    }

    /// A comparison with positive factors on both sides and the constant on the right, if it may.
    fn compare(&self, a: TermId, b: TermId, relation: Relation, depth: usize) -> String {
        let (a, b) = (self.formulas.pool.linear(a), self.formulas.pool.linear(b));
        let mut factors: Vec<(TermId, BigInt)> = a.terms.to_vec();
        for (t, k) in &b.terms {
            match factors.iter_mut().find(|(u, _)| u == t) {
                Some((_, sum)) => *sum -= k,
                None => factors.push((*t, -k)),
            }
        }
        // What is left of `a - b` is compared with `limit`.
        let mut limit = b.constant - a.constant;
        let mut relation = relation;
        let side = |positive: bool| -> Vec<(TermId, BigInt)> {
            let wanted = if positive { Sign::Plus } else { Sign::Minus };
            let picked = factors.iter().filter(|(_, k)| k.sign() == wanted);
            picked.map(|(t, k)| (*t, if positive { k.clone() } else { -k })).collect()
        };
        let (mut left, mut right) = (side(true), side(false));
        if left.is_empty() {
            std::mem::swap(&mut left, &mut right);
            limit = -limit;
            relation = relation.turned();
        }
        // Integers: `x < 5` is `x <= 4`, but `x + 1 <= y` is `x < y`.
        let one = BigInt::from(1);
        if right.is_empty() {
            (relation, limit) = match relation {
                Relation::Less => (Relation::AtMost, limit - one),
                Relation::More => (Relation::AtLeast, limit + one),
                other => (other, limit),
            };
        } else if relation == Relation::AtMost && limit == -&one {
            (relation, limit) = (Relation::Less, BigInt::from(0));
        } else if relation == Relation::AtLeast && limit == one {
            (relation, limit) = (Relation::More, BigInt::from(0));
        }
        let zero = BigInt::from(0);
        let (on_left, on_right) =
            if right.is_empty() || limit.sign() != Sign::Minus { (zero, limit) } else { (-limit, zero) };
        let (left, right) = (self.sum(&left, &on_left, depth), self.sum(&right, &on_right, depth));
        format!("{left} {} {right}", relation.sign())
    }

    fn sum(&self, terms: &[(TermId, BigInt)], constant: &BigInt, depth: usize) -> String {
        let mut text = String::new();
        for (t, k) in terms {
            if text.len() > LONGEST {
                return text + " …";
            }
            let minus = k.sign() == Sign::Minus;
            text += match (text.is_empty(), minus) {
                (true, true) => "-",
                (true, false) => "",
                (false, true) => " - ",
                (false, false) => " + ",
            };
            let size = k.magnitude();
            if *size != 1u32.into() {
                text += &format!("{size}*");
            }
            text += &self.level(*t, Level::Product, depth + 1);
        }
        match constant.sign() {
            Sign::NoSign if text.is_empty() => "0".to_owned(),
            Sign::NoSign => text,
            _ if text.is_empty() => constant.to_string(),
            Sign::Plus => text + &format!(" + {constant}"),
            Sign::Minus => text + &format!(" - {}", constant.magnitude()),
        }
    }
}

#[derive(Copy, Clone, PartialEq, Eq)]
enum Relation {
    AtMost,
    Less,
    AtLeast,
    More,
    Equal,
    Unequal,
}

impl Relation {
    fn turned(self) -> Relation {
        match self {
            Relation::AtMost => Relation::AtLeast,
            Relation::Less => Relation::More,
            Relation::AtLeast => Relation::AtMost,
            Relation::More => Relation::Less,
            same => same,
        }
    }

    fn sign(self) -> &'static str {
        match self {
            Relation::AtMost => "<=",
            Relation::Less => "<",
            Relation::AtLeast => ">=",
            Relation::More => ">",
            Relation::Equal => "==",
            Relation::Unequal => "!=",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_read_like_c() {
        let mut formulas = Formulas::default();
        for x in ["x", "y", "n"] {
            formulas.pool.int_var(x);
        }
        for (term, shown) in [
            ("(<= x 5)", "x <= 5"),
            ("(not (<= x 5))", "x >= 6"),
            ("(< x n)", "x < n"),
            ("(>= x 1)", "x >= 1"),
            ("(= (+ x y) (+ n 3))", "x + y == n + 3"),
            ("(not (= (* 2 x) y))", "2*x != y"),
            ("(<= (+ x (* (- 2) y)) (- 4))", "x + 4 <= 2*y"),
            ("(= (mod x 2) 0)", "x mod 2 == 0"),
            ("(or (and (<= x 1) (<= y 1)) (= n 0))", "x <= 1 && y <= 1 || n == 0"),
            ("(and (or (= x 1) (= y 1)) (= n 0))", "(x == 1 || y == 1) && n == 0"),
            ("(<= (ite (<= x 0) y n) 3)", "(x <= 0 ? y : n) <= 3"),
        ] {
            let t = cairn_term::parse::term(&mut formulas.pool, term).expect(term);
            let words = Words { formulas: &formulas };
            let text = words.show(t);
            // The pool orders arguments by age; both orders of a disjunction or conjunction are fine.
            let sorted = |s: &str| {
                let mut c: Vec<char> = s.chars().collect();
                c.sort_unstable();
                c
            };
            assert_eq!(sorted(&text), sorted(shown), "{term}: {text} instead of {shown}");
        }
    }
}
