//! Terms as SMT-LIB 2 text, linear in the number of different subterms.
//!
//! A single term is printed with `let` for what it shares. A [`Script`] writes
//! whole queries: it declares what is free, and gives what is shared a name by
//! `define-fun`, once, so that a long dialogue repeats nothing.

use std::fmt::Write;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::op::{Op, Rounded};
use crate::sort::{float_format, ieee_width};
use crate::value::{nan, to_ieee};
use crate::{Pool, Round, Sort, SortId, TermId};
use cairn_value::FloatTy;
use cairn_value::float::infinity;

/// What is nested deeper gets a name, so that no reader needs a deep stack.
const HEIGHT: u32 = 40;

impl Pool {
    /// A sort in SMT-LIB syntax.
    pub fn sort_text(&self, sort: SortId) -> String {
        match self.sort_of(sort) {
            Sort::Array(index, element) => {
                format!("(Array {} {})", self.sort_text(index), self.sort_text(element))
            }
            other => other.to_string(),
        }
    }

    /// A term in SMT-LIB syntax.
    pub fn text(&self, t: TermId) -> String {
        let order = self.reachable(&[t]);
        let named = shared(self, &order, &[t]);
        let mut names = FxHashMap::default();
        let mut out = String::new();
        let mut lets = 0;
        for s in order {
            if named.contains(&s) && s != t {
                let name = shared_name(s);
                let _ = write!(out, "(let (({name} ");
                write_term(&mut out, self, s, &names);
                out.push_str(")) ");
                names.insert(s, name);
                lets += 1;
            }
        }
        write_term(&mut out, self, t, &names);
        out.extend(std::iter::repeat_n(')', lets));
        out
    }
}

/// Terms worth a name: used more than once, or high.
fn shared(pool: &Pool, order: &[TermId], roots: &[TermId]) -> FxHashSet<TermId> {
    let mut uses: FxHashMap<TermId, u32> = FxHashMap::default();
    let mut height: FxHashMap<TermId, u32> = FxHashMap::default();
    let mut named = FxHashSet::default();
    for t in roots {
        *uses.entry(*t).or_default() += 1;
    }
    for &t in order {
        let mut h = 0;
        for a in pool.args(t) {
            *uses.entry(*a).or_default() += 1;
            // What has a name already is not in the order and has no height.
            h = h.max(height.get(a).map_or(0, |h| h + 1));
        }
        if h >= HEIGHT {
            named.insert(t);
            h = 0;
        }
        height.insert(t, h);
    }
    named.extend(order.iter().filter(|t| uses[t] > 1));
    named.retain(|&t| !pool.op(t).is_leaf());
    named
}

fn shared_name(t: TermId) -> String {
    format!("${}", t.as_u32())
}

/// The name of a variable as a symbol. Names of shared terms start with `$`; no variable's does.
pub fn symbol(name: &str) -> String {
    let simple = |c: char| c.is_ascii_alphanumeric() || "~!@%^&*_-+=<>.?/".contains(c);
    let plain = !name.is_empty()
        && name.chars().all(simple)
        && !name.starts_with(|c: char| c.is_ascii_digit() || c == '@' || c == '.')
        && !RESERVED.contains(&name);
    if plain {
        return name.to_owned();
    }
    // Bars and backslashes cannot be written at all.
    let quotable: String = name.chars().map(|c| if matches!(c, '|' | '\\') { '\u{a6}' } else { c }).collect();
    if name.starts_with('$') { format!("|var {quotable}|") } else { format!("|{quotable}|") }
}

/// Words that are no names, or are names of something else.
const RESERVED: [&str; 31] = [
    "let", "forall", "exists", "match", "par", "as", "_", "!", "true", "false", "not", "and", "or", "xor",
    "ite", "distinct", "select", "store", "div", "mod", "abs", "concat", "extract", "RNE", "RNA", "RTP",
    "RTN", "RTZ", "fp", "to_fp", "BINARY",
];

enum Item {
    Term(TermId),
    Text(&'static str),
}

fn write_term(out: &mut String, pool: &Pool, root: TermId, names: &FxHashMap<TermId, String>) {
    let mut stack = vec![Item::Term(root)];
    while let Some(item) = stack.pop() {
        let t = match item {
            Item::Text(text) => {
                out.push_str(text);
                continue;
            }
            Item::Term(t) => t,
        };
        if let Some(name) = names.get(&t) {
            out.push_str(name);
        } else if pool.op(t).is_leaf() {
            write_leaf(out, pool, t);
        } else {
            out.push('(');
            write_head(out, pool, t);
            stack.push(Item::Text(")"));
            for &a in pool.args(t).iter().rev() {
                stack.push(Item::Term(a));
                stack.push(Item::Text(" "));
            }
        }
    }
}

fn write_leaf(out: &mut String, pool: &Pool, t: TermId) {
    let _ = match pool.op(t) {
        Op::Var(v) => write!(out, "{}", symbol(&pool.var_name(v))),
        Op::Bool(b) => write!(out, "{b}"),
        Op::Number(_) => {
            let n = pool.as_int(t).expect("a number");
            if n.sign() == num_bigint::Sign::Minus {
                write!(out, "(- {})", n.magnitude())
            } else {
                write!(out, "{n}")
            }
        }
        Op::Word(_, width) => {
            let bits = pool.as_bits(t).expect("a bit-vector");
            if width % 4 == 0 {
                write!(out, "#x{bits:0n$x}", n = usize::from(width / 4))
            } else {
                write!(out, "#b{bits:0n$b}", n = usize::from(width))
            }
        }
        Op::Float(_, ty) => {
            let bits = pool.as_float(t).expect("a float");
            let (e, s) = float_format(ty);
            if bits == nan(ty) {
                write!(out, "(_ NaN {e} {s})")
            } else {
                let ieee = to_ieee(ty, bits);
                let (fraction, width) = (s - 1, ieee_width(ty));
                let exponent = ieee >> fraction & ((1 << e) - 1);
                let rest = ieee & ((1 << fraction) - 1);
                let (e, fraction) = (e as usize, fraction as usize);
                write!(out, "(fp #b{} #b{exponent:0e$b} #b{rest:0fraction$b})", ieee >> (width - 1) & 1)
            }
        }
        other => unreachable!("{other:?} is no leaf"),
    };
}

fn write_head(out: &mut String, pool: &Pool, t: TermId) {
    let fixed = match pool.op(t) {
        Op::Not => "not",
        Op::And => "and",
        Op::Or => "or",
        Op::Eq => "=",
        Op::Ite => "ite",
        Op::Add => "+",
        Op::Mul => "*",
        Op::Div => "div",
        Op::Mod => "mod",
        Op::Le => "<=",
        Op::BitsToInt => "bv2nat",
        Op::BvNot => "bvnot",
        Op::BvNeg => "bvneg",
        Op::BvAdd => "bvadd",
        Op::BvMul => "bvmul",
        Op::BvUdiv => "bvudiv",
        Op::BvUrem => "bvurem",
        Op::BvSdiv => "bvsdiv",
        Op::BvSrem => "bvsrem",
        Op::BvShl => "bvshl",
        Op::BvLshr => "bvlshr",
        Op::BvAshr => "bvashr",
        Op::BvAnd => "bvand",
        Op::BvOr => "bvor",
        Op::BvXor => "bvxor",
        Op::BvUlt => "bvult",
        Op::BvSlt => "bvslt",
        Op::BvUmulO => "bvumulo",
        Op::BvSmulO => "bvsmulo",
        Op::Concat => "concat",
        Op::Select => "select",
        Op::Store => "store",
        Op::FpAdd => "fp.add RNE",
        Op::FpSub => "fp.sub RNE",
        Op::FpMul => "fp.mul RNE",
        Op::FpDiv => "fp.div RNE",
        Op::FpRem => "fp.rem",
        Op::FpSqrt => "fp.sqrt RNE",
        Op::FpNeg => "fp.neg",
        Op::FpAbs => "fp.abs",
        Op::FpRound(Round::NearestEven) => "fp.roundToIntegral RNE",
        Op::FpRound(Round::NearestAway) => "fp.roundToIntegral RNA",
        Op::FpRound(Round::Up) => "fp.roundToIntegral RTP",
        Op::FpRound(Round::Down) => "fp.roundToIntegral RTN",
        Op::FpRound(Round::ToZero) => "fp.roundToIntegral RTZ",
        Op::FpLt => "fp.lt",
        Op::FpLe => "fp.leq",
        Op::FpEq => "fp.eq",
        Op::FpIsNan => "fp.isNaN",
        Op::FpIsInf => "fp.isInfinite",
        Op::FpIsZero => "fp.isZero",
        Op::FpIsNormal => "fp.isNormal",
        Op::FpIsSubnormal => "fp.isSubnormal",
        Op::FpIsNegative => "fp.isNegative",
        Op::FpToIeee => "fp.to_ieee_bv",
        Op::FpToBits => "fp.to_bits",
        _ => "",
    };
    out.push_str(fixed);
    let to_fp = |out: &mut String, ty, name: &str, mode: &str| {
        let (e, s) = float_format(ty);
        write!(out, "(_ {name} {e} {s}){mode}")
    };
    let _ = match pool.op(t) {
        Op::IntToBits(w) => write!(out, "(_ int2bv {w})"),
        Op::Extract(hi, lo) => write!(out, "(_ extract {hi} {lo})"),
        Op::ZeroExt(n) => write!(out, "(_ zero_extend {n})"),
        Op::SignExt(n) => write!(out, "(_ sign_extend {n})"),
        Op::ConstArray(sort) => write!(out, "(as const {})", pool.sort_text(sort)),
        Op::FpFromIeee(ty) => to_fp(out, ty, "to_fp", ""),
        Op::FpToFp(ty) | Op::FpFromSbv(ty) => to_fp(out, ty, "to_fp", " RNE"),
        Op::FpFromUbv(ty) => to_fp(out, ty, "to_fp_unsigned", " RNE"),
        Op::FpDirected(op, mode) => {
            let mode = match mode {
                Round::NearestEven => " RNE",
                Round::NearestAway => " RNA",
                Round::Up => " RTP",
                Round::Down => " RTN",
                Round::ToZero => " RTZ",
            };
            match op {
                Rounded::Add => write!(out, "fp.add{mode}"),
                Rounded::Sub => write!(out, "fp.sub{mode}"),
                Rounded::Mul => write!(out, "fp.mul{mode}"),
                Rounded::Div => write!(out, "fp.div{mode}"),
                Rounded::Sqrt => write!(out, "fp.sqrt{mode}"),
                Rounded::ToFp(ty) | Rounded::FromSbv(ty) => to_fp(out, ty, "to_fp", mode),
                Rounded::FromUbv(ty) => to_fp(out, ty, "to_fp_unsigned", mode),
            }
        }
        Op::FpToSbv(w) => write!(out, "(_ fp.to_sbv {w}) RTZ"),
        Op::FpToUbv(w) => write!(out, "(_ fp.to_ubv {w}) RTZ"),
        _ => Ok(()),
    };
}

/// Writes the commands of a dialogue with a solver, scopes included.
///
/// There is no standard function for the encoding of a float as bits. A script therefore gives such
/// a term a new constant and asserts what it must be; the assertion belongs to the same scope.
#[derive(Default, Debug)]
pub struct Script {
    names: FxHashMap<TermId, String>,
    /// Names of assumptions that are no literals by themselves.
    literals: FxHashMap<TermId, String>,
    /// What got its name in which scope; the outermost scope is not in it.
    scopes: Vec<Scope>,
}

#[derive(Default, Debug)]
struct Scope {
    names: Vec<TermId>,
    literals: Vec<TermId>,
}

impl Script {
    pub fn new() -> Script {
        Script::default()
    }

    pub fn push(&mut self, out: &mut String) {
        self.scopes.push(Scope::default());
        out.push_str("(push 1)\n");
    }

    /// Names given in the scope are gone.
    pub fn pop(&mut self, out: &mut String) {
        let scope = self.scopes.pop().unwrap_or_default();
        for t in scope.names {
            self.names.remove(&t);
        }
        for t in scope.literals {
            self.literals.remove(&t);
        }
        out.push_str("(pop 1)\n");
    }

    /// The symbol of a variable that has been declared.
    pub fn declared(&self, var: TermId) -> Option<&str> {
        self.names.get(&var).map(String::as_str)
    }

    pub fn assert(&mut self, out: &mut String, pool: &Pool, t: TermId) {
        let text = self.term(out, pool, t);
        let _ = writeln!(out, "(assert {text})");
    }

    /// The text of a term, after the declarations and definitions it needs.
    pub fn term(&mut self, out: &mut String, pool: &Pool, t: TermId) -> String {
        let order = self.unnamed(pool, t);
        let named = shared(pool, &order, &[t]);
        for s in order {
            match pool.op(s) {
                Op::Var(v) => {
                    let name = symbol(&pool.var_name(v));
                    let _ = writeln!(out, "(declare-const {name} {})", pool.sort_text(pool.sort_id_of(s)));
                    self.name(s, name);
                }
                Op::FpToIeee => self.encoding(out, pool, s),
                Op::FpToBits => self.pattern(out, pool, s),
                _ if named.contains(&s) => {
                    let (name, sort) = (shared_name(s), pool.sort_text(pool.sort_id_of(s)));
                    let _ = write!(out, "(define-fun {name} () {sort} ");
                    write_term(out, pool, s, &self.names);
                    out.push_str(")\n");
                    self.name(s, name);
                }
                _ => {}
            }
        }
        let mut text = String::new();
        write_term(&mut text, pool, t, &self.names);
        text
    }

    /// A boolean term as a literal, which is all that solvers take as an assumption.
    pub fn literal(&mut self, out: &mut String, pool: &Pool, t: TermId) -> String {
        if let Some(name) = self.literals.get(&t) {
            return name.clone();
        }
        let text = self.term(out, pool, t);
        let atom = pool.as_unary(Op::Not, t).unwrap_or(t);
        if pool.is_var(atom) {
            return text;
        }
        let name = format!("$a{}", t.as_u32());
        let _ = writeln!(out, "(declare-const {name} Bool)\n(assert (= {name} {text}))");
        self.literals.insert(t, name.clone());
        if let Some(scope) = self.scopes.last_mut() {
            scope.literals.push(t);
        }
        name
    }

    fn encoding(&mut self, out: &mut String, pool: &Pool, t: TermId) {
        let float = pool.arg(t, 0);
        let ty = pool.float_ty(float);
        let (e, s) = float_format(ty);
        let name = format!("$bits{}", t.as_u32());
        let mut of = String::new();
        write_term(&mut of, pool, float, &self.names);
        let width = ieee_width(ty);
        let _ = writeln!(out, "(declare-const {name} (_ BitVec {width}))");
        let _ = writeln!(out, "(assert (= ((_ to_fp {e} {s}) {name}) {of}))");
        let one_nan = to_ieee(ty, nan(ty));
        let _ = writeln!(
            out,
            "(assert (=> (fp.isNaN {of}) (= {name} #b{one_nan:0w$b})))",
            w = usize::from(width)
        );
        self.name(t, name);
    }

    /// The pattern of C. The encoding is a constant that is the float when it is read as one, and
    /// the second argument, made a NaN, if the float is a NaN.
    fn pattern(&mut self, out: &mut String, pool: &Pool, t: TermId) {
        let (float, nan_bits) = (pool.arg(t, 0), pool.arg(t, 1));
        let ty = pool.float_ty(float);
        let (e, s) = float_format(ty);
        let (mut of, mut bits) = (String::new(), String::new());
        write_term(&mut of, pool, float, &self.names);
        write_term(&mut bits, pool, nan_bits, &self.names);
        let (name, width) = (format!("$bits{}", t.as_u32()), ieee_width(ty));
        let x87 = ty == FloatTy::X80;
        if x87 {
            // The leading bit of the significand is not encoded.
            bits = format!("(concat ((_ extract 79 64) {bits}) ((_ extract 62 0) {bits}))");
        }
        let w = usize::from(width);
        let (infinite, one_nan) = (to_ieee(ty, infinity(ty, false)), to_ieee(ty, nan(ty)));
        let fraction = s - 2;
        let zero = format!("(_ bv0 {})", s - 1);
        let _ = writeln!(out, "(declare-const {name} (_ BitVec {width}))");
        let _ = writeln!(out, "(assert (= ((_ to_fp {e} {s}) {name}) {of}))");
        let _ = writeln!(
            out,
            "(assert (=> (fp.isNaN {of}) (= {name} (bvor {bits} (ite (= ((_ extract {fraction} 0) {bits}) \
             {zero}) #b{one_nan:0w$b} #b{infinite:0w$b})))))",
        );
        if !x87 {
            return self.name(t, name);
        }
        let whole = format!("$pattern{}", t.as_u32());
        let _ = writeln!(
            out,
            "(define-fun {whole} () (_ BitVec 80) (concat ((_ extract 78 63) {name}) (concat (ite (= \
             ((_ extract 77 63) {name}) (_ bv0 15)) #b0 #b1) ((_ extract 62 0) {name}))))"
        );
        self.name(t, whole);
    }

    fn name(&mut self, t: TermId, name: String) {
        self.names.insert(t, name);
        if let Some(scope) = self.scopes.last_mut() {
            scope.names.push(t);
        }
    }

    /// What the term is made of, but not below what has a name already.
    fn unnamed(&self, pool: &Pool, t: TermId) -> Vec<TermId> {
        let mut seen = FxHashSet::from_iter([t]);
        let mut order = vec![t];
        let mut at = 0;
        while at < order.len() {
            let s = order[at];
            at += 1;
            if self.names.contains_key(&s) {
                continue;
            }
            order.extend(pool.args(s).iter().copied().filter(|&a| seen.insert(a)));
        }
        order.sort_unstable();
        order.retain(|s| !self.names.contains_key(s));
        order
    }
}
