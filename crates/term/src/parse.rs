//! Terms, sorts and values from SMT-LIB 2 text: what solvers print in models,
//! and everything [`crate::print`] writes.

use rustc_hash::FxHashMap;

use cairn_value::FloatTy;
use num_bigint::BigInt;

use crate::op::Rounded;
use crate::sexp::{Malformed, Node, Tree};
use crate::sort::{MAX_WIDTH, float_of_format};
use crate::value::nan;
use crate::{Assignment, Evaluator, Op, Pool, Round, Sort, SortId, TermId, Value};

type Result<T> = std::result::Result<T, Malformed>;

fn malformed<T>(what: impl Into<String>) -> Result<T> {
    Err(Malformed(what.into()))
}

/// Names besides the pool's variables: parameters and definitions of the text at hand.
pub type Names = FxHashMap<String, TermId>;

/// The term a text with one expression stands for.
pub fn term(pool: &mut Pool, text: &str) -> Result<TermId> {
    let tree = Tree::parse(text)?;
    match *tree.roots() {
        [root] => read_term(pool, &tree, root, &Names::default()),
        _ => malformed("one expression expected"),
    }
}

/// The value an expression without variables stands for.
pub fn read_value(pool: &mut Pool, tree: &Tree, node: Node) -> Result<Value> {
    let t = read_term(pool, tree, node, &Names::default())?;
    if !pool.free_vars(&[t]).is_empty() {
        return malformed("a value without variables expected");
    }
    Ok(Evaluator::new(pool, &Assignment::default()).eval(t))
}

pub fn read_sort(pool: &mut Pool, tree: &Tree, node: Node) -> Result<SortId> {
    let sort = match (tree.atom(node), tree.list(node)) {
        (Some("Bool"), _) => Sort::Bool,
        (Some("Int"), _) => Sort::Int,
        (Some("Float32"), _) => Sort::Float(FloatTy::F32),
        (Some("Float64"), _) => Sort::Float(FloatTy::F64),
        (Some("Float128"), _) => Sort::Float(FloatTy::F128),
        (_, Some(&[head, index, element])) if tree.atom(head) == Some("Array") => {
            Sort::Array(read_sort(pool, tree, index)?, read_sort(pool, tree, element)?)
        }
        (_, Some(_)) => match tree.atoms(node).as_deref() {
            Some(["_", "BitVec", w]) => match number::<u8>(w)? {
                w @ 1..=MAX_WIDTH => Sort::Bits(w),
                w => return malformed(format!("bit-vectors of width {w} are not supported")),
            },
            Some(["_", "FloatingPoint", e, s]) => Sort::Float(format(e, s)?),
            _ => return malformed("unknown sort"),
        },
        _ => return malformed("unknown sort"),
    };
    Ok(pool.sort_id(sort))
}

fn number<N: std::str::FromStr>(text: &str) -> Result<N> {
    text.parse().or_else(|_| malformed(format!("`{text}` is no number that fits here")))
}

fn format(exponent: &str, significand: &str) -> Result<FloatTy> {
    let (e, s) = (number(exponent)?, number(significand)?);
    float_of_format(e, s).map_or_else(|| malformed(format!("no float format {e} {s}")), Ok)
}

enum Task {
    Read(Node),
    /// Apply the head of this list to its arguments, which are on the stack.
    Build(Node),
    Bind(Node),
    Unbind(Node),
}

/// The term of an expression. Free names are those given, then the pool's variables.
pub fn read_term(pool: &mut Pool, tree: &Tree, root: Node, names: &Names) -> Result<TermId> {
    let mut tasks = vec![Task::Read(root)];
    let mut stack: Vec<TermId> = Vec::new();
    let mut bound: FxHashMap<&str, Vec<TermId>> = FxHashMap::default();
    while let Some(task) = tasks.pop() {
        match task {
            Task::Read(node) => {
                if let Some(atom) = tree.atom(node) {
                    let local = bound.get(atom).and_then(|b| b.last()).or_else(|| names.get(atom));
                    stack.push(match local {
                        Some(&t) => t,
                        None => read_atom(pool, atom)?,
                    });
                } else if let Some(t) = read_literal(pool, tree, node)? {
                    stack.push(t);
                } else if let Some(body) = let_parts(tree, node) {
                    let (bindings, body) = body?;
                    tasks.extend([Task::Unbind(node), Task::Read(body), Task::Bind(node)]);
                    tasks.extend(bindings.iter().rev().map(|&(_, value)| Task::Read(value)));
                } else {
                    let list = tree.list(node).unwrap_or_default();
                    let Some((head, args)) = list.split_first() else { return malformed("empty list") };
                    if tree.atom(*head) == Some("!") {
                        // An annotated term.
                        let Some(inner) = args.first() else { return malformed("empty annotation") };
                        tasks.push(Task::Read(*inner));
                        continue;
                    }
                    tasks.push(Task::Build(node));
                    let terms = args.iter().filter(|&&a| rounding(tree, a).is_none());
                    tasks.extend(terms.rev().map(|&a| Task::Read(a)));
                }
            }
            Task::Build(node) => {
                let list = tree.list(node).unwrap_or_default();
                let mode = list[1..].iter().find_map(|&a| rounding(tree, a));
                let count = list[1..].iter().filter(|&&a| rounding(tree, a).is_none()).count();
                let args = stack.split_off(stack.len() - count);
                stack.push(build(pool, tree, list[0], mode, &args)?);
            }
            Task::Bind(node) => {
                let (bindings, _) = let_parts(tree, node).expect("checked when it was read")?;
                let values = stack.split_off(stack.len() - bindings.len());
                for ((name, _), value) in bindings.into_iter().zip(values) {
                    bound.entry(name).or_default().push(value);
                }
            }
            Task::Unbind(node) => {
                let (bindings, _) = let_parts(tree, node).expect("checked when it was read")?;
                for (name, _) in bindings {
                    bound.entry(name).or_default().pop();
                }
            }
        }
    }
    stack.pop().ok_or_else(|| Malformed("an expression expected".into()))
}

type LetParts<'a> = (Vec<(&'a str, Node)>, Node);

fn let_parts(tree: &Tree, node: Node) -> Option<Result<LetParts<'_>>> {
    let &[head, bindings, body] = tree.list(node)? else { return None };
    if tree.atom(head) != Some("let") {
        return None;
    }
    let pair = |&n: &Node| match tree.list(n) {
        Some(&[name, value]) => tree.atom(name).map(|name| (name, value)),
        _ => None,
    };
    let bindings: Option<Vec<_>> = tree.list(bindings).and_then(|l| l.iter().map(pair).collect());
    Some(bindings.map_or_else(|| malformed("malformed let"), |b| Ok((b, body))))
}

fn rounding(tree: &Tree, node: Node) -> Option<Round> {
    Some(match tree.atom(node)? {
        "RNE" | "roundNearestTiesToEven" => Round::NearestEven,
        "RNA" | "roundNearestTiesToAway" => Round::NearestAway,
        "RTP" | "roundTowardPositive" => Round::Up,
        "RTN" | "roundTowardNegative" => Round::Down,
        "RTZ" | "roundTowardZero" => Round::ToZero,
        _ => return None,
    })
}

fn read_atom(pool: &mut Pool, atom: &str) -> Result<TermId> {
    if let Some(t) = pool.find_var(atom) {
        return Ok(t);
    }
    match atom {
        "true" => return Ok(Pool::TRUE),
        "false" => return Ok(Pool::FALSE),
        _ => {}
    }
    let (radix, digits) = match (atom.strip_prefix("#x"), atom.strip_prefix("#b")) {
        (Some(hex), _) => (16, hex),
        (_, Some(binary)) => (2, binary),
        _ => {
            return match atom.parse::<BigInt>() {
                Ok(n) if atom.starts_with(|c: char| c.is_ascii_digit()) => Ok(pool.int(n)),
                _ => malformed(format!("unknown name `{atom}`")),
            };
        }
    };
    let width = digits.len() * if radix == 16 { 4 } else { 1 };
    match u128::from_str_radix(digits, radix) {
        Ok(bits) if (1..=usize::from(MAX_WIDTH)).contains(&width) => Ok(pool.bits(width as u8, bits)),
        _ => malformed(format!("`{atom}` is no bit-vector of at most {MAX_WIDTH} bits")),
    }
}

/// Constants that are lists: `(_ bv3 8)`, `(_ NaN 8 24)`, `(fp #b0 #b.. #b..)`.
fn read_literal(pool: &mut Pool, tree: &Tree, node: Node) -> Result<Option<TermId>> {
    let Some(atoms) = tree.atoms(node) else { return Ok(None) };
    let special = |pool: &mut Pool, e, s, bits: fn(FloatTy) -> u128| -> Result<Option<TermId>> {
        let ty = format(e, s)?;
        Ok(Some(pool.float(ty, bits(ty))))
    };
    use cairn_value::float::infinity;
    match *atoms.as_slice() {
        ["_", "NaN", e, s] => special(pool, e, s, nan),
        ["_", "+oo", e, s] => special(pool, e, s, |ty| infinity(ty, false)),
        ["_", "-oo", e, s] => special(pool, e, s, |ty| infinity(ty, true)),
        ["_", "+zero", e, s] => special(pool, e, s, |_| 0),
        ["_", "-zero", e, s] => special(pool, e, s, |ty| 1 << (ty.bits() - 1)),
        ["_", bv, width] if bv.starts_with("bv") && bv[2..].starts_with(|c: char| c.is_ascii_digit()) => {
            let (value, width) = (number::<u128>(&bv[2..])?, number::<u8>(width)?);
            if !(1..=MAX_WIDTH).contains(&width) {
                return malformed(format!("bit-vectors of width {width} are not supported"));
            }
            Ok(Some(pool.bits(width, value)))
        }
        _ => Ok(None),
    }
}

/// Applies a head, which may be indexed or qualified, to arguments.
fn build(pool: &mut Pool, tree: &Tree, head: Node, mode: Option<Round>, args: &[TermId]) -> Result<TermId> {
    if let Some(name) = tree.atom(head) {
        return build_named(pool, name, mode, args);
    }
    if let Some(&[as_word, constant, sort]) = tree.list(head)
        && (tree.atom(as_word), tree.atom(constant)) == (Some("as"), Some("const"))
    {
        let sort = read_sort(pool, tree, sort)?;
        return apply(pool, Op::ConstArray(sort), args);
    }
    let Some(atoms) = tree.atoms(head) else { return malformed("unknown operation") };
    let op = match *atoms.as_slice() {
        ["_", "extract", hi, lo] => Op::Extract(number(hi)?, number(lo)?),
        ["_", "zero_extend", "0"] | ["_", "sign_extend", "0"] => return one(args),
        ["_", "zero_extend", n] => Op::ZeroExt(number(n)?),
        ["_", "sign_extend", n] => Op::SignExt(number(n)?),
        ["_", "int2bv" | "int_to_bv", w] => Op::IntToBits(number(w)?),
        ["_", "fp.to_sbv", w] if mode == Some(Round::ToZero) => Op::FpToSbv(number(w)?),
        ["_", "fp.to_ubv", w] if mode == Some(Round::ToZero) => Op::FpToUbv(number(w)?),
        ["_", "to_fp_unsigned", e, s] if mode == Some(Round::NearestEven) => Op::FpFromUbv(format(e, s)?),
        ["_", "to_fp_unsigned", e, s] => match mode {
            Some(mode @ (Round::Up | Round::Down | Round::ToZero)) => {
                Op::FpDirected(Rounded::FromUbv(format(e, s)?), mode)
            }
            _ => return malformed("this to_fp_unsigned is not supported"),
        },
        ["_", "to_fp", e, s] => {
            let ty = format(e, s)?;
            match (mode, args.first().map(|&a| pool.sort(a))) {
                (Some(mode @ (Round::Up | Round::Down | Round::ToZero)), Some(Sort::Bits(_))) => {
                    Op::FpDirected(Rounded::FromSbv(ty), mode)
                }
                (Some(mode @ (Round::Up | Round::Down | Round::ToZero)), Some(Sort::Float(_))) => {
                    Op::FpDirected(Rounded::ToFp(ty), mode)
                }
                (None, Some(Sort::Bits(_))) => Op::FpFromIeee(ty),
                (Some(Round::NearestEven), Some(Sort::Bits(_))) => Op::FpFromSbv(ty),
                (Some(Round::NearestEven), Some(Sort::Float(_))) => Op::FpToFp(ty),
                _ => return malformed("this to_fp is not supported"),
            }
        }
        ["_", "rotate_left", n] => return rotate(pool, args, number::<u32>(n)?, true),
        ["_", "rotate_right", n] => return rotate(pool, args, number::<u32>(n)?, false),
        ["_", "repeat", n] => {
            let a = one(args)?;
            let copies = vec![a; number::<u8>(n)?.into()];
            return if copies.len() == 1 { Ok(a) } else { fold_left(pool, Op::Concat, &copies) };
        }
        _ => return malformed(format!("unknown operation `{}`", atoms.join(" "))),
    };
    apply(pool, op, args)
}

fn apply(pool: &mut Pool, op: Op, args: &[TermId]) -> Result<TermId> {
    pool.try_apply(op, args).map_err(Malformed)
}

fn one(args: &[TermId]) -> Result<TermId> {
    match *args {
        [a] => Ok(a),
        _ => malformed("one argument expected"),
    }
}

fn rotate(pool: &mut Pool, args: &[TermId], n: u32, left: bool) -> Result<TermId> {
    let a = one(args)?;
    let Sort::Bits(width) = pool.sort(a) else { return malformed("a bit-vector expected") };
    let n = (n % u32::from(width)) as u8;
    let n = if left { n } else { (width - n) % width };
    if n == 0 {
        return Ok(a);
    }
    let (low, high) = (pool.extract(width - n - 1, 0, a), pool.extract(width - 1, width - n, a));
    Ok(pool.concat(low, high))
}

fn fold_left(pool: &mut Pool, op: Op, args: &[TermId]) -> Result<TermId> {
    let (&[first, _, ..], [_, rest @ ..]) = (args, args) else { return malformed("two arguments expected") };
    let mut t = first;
    for &a in rest {
        t = apply(pool, op, &[t, a])?;
    }
    Ok(t)
}

/// `a < b < c` and the like: each neighbouring pair.
fn chain(
    pool: &mut Pool,
    args: &[TermId],
    mut pair: impl FnMut(&mut Pool, TermId, TermId) -> Result<TermId>,
) -> Result<TermId> {
    if args.len() < 2 {
        return malformed("two arguments expected");
    }
    let mut parts = Vec::new();
    for w in args.windows(2) {
        parts.push(pair(pool, w[0], w[1])?);
    }
    Ok(pool.and(&parts))
}

fn build_named(pool: &mut Pool, name: &str, mode: Option<Round>, args: &[TermId]) -> Result<TermId> {
    let simple = match name {
        "not" => Op::Not,
        "ite" => Op::Ite,
        "div" => Op::Div,
        "mod" => Op::Mod,
        "bv2nat" | "bv2int" | "ubv_to_int" => Op::BitsToInt,
        "bvnot" => Op::BvNot,
        "bvneg" => Op::BvNeg,
        "bvudiv" => Op::BvUdiv,
        "bvurem" => Op::BvUrem,
        "bvsdiv" => Op::BvSdiv,
        "bvsrem" => Op::BvSrem,
        "bvshl" => Op::BvShl,
        "bvlshr" => Op::BvLshr,
        "bvashr" => Op::BvAshr,
        "bvult" => Op::BvUlt,
        "bvslt" => Op::BvSlt,
        "bvumulo" => Op::BvUmulO,
        "bvsmulo" => Op::BvSmulO,
        "select" => Op::Select,
        "store" => Op::Store,
        "fp.rem" => Op::FpRem,
        "fp.neg" => Op::FpNeg,
        "fp.abs" => Op::FpAbs,
        "fp.isNaN" => Op::FpIsNan,
        "fp.isInfinite" => Op::FpIsInf,
        "fp.isZero" => Op::FpIsZero,
        "fp.isNormal" => Op::FpIsNormal,
        "fp.isSubnormal" => Op::FpIsSubnormal,
        "fp.isNegative" => Op::FpIsNegative,
        "fp.to_ieee_bv" => Op::FpToIeee,
        "fp.to_bits" => Op::FpToBits,
        _ => return build_variadic(pool, name, mode, args),
    };
    apply(pool, simple, args)
}

fn build_variadic(pool: &mut Pool, name: &str, mode: Option<Round>, args: &[TermId]) -> Result<TermId> {
    let swapped = |op| move |p: &mut Pool, a, b| apply(p, op, &[b, a]);
    let straight = |op| move |p: &mut Pool, a, b| apply(p, op, &[a, b]);
    let not = |p: &mut Pool, t: Result<TermId>| t.map(|t| p.not(t));
    match (name, args) {
        ("and" | "or" | "+", &[a]) => Ok(a),
        ("and", _) => apply(pool, Op::And, args),
        ("or", _) => apply(pool, Op::Or, args),
        ("=>", &[a, b]) => {
            let not_a = apply(pool, Op::Not, &[a])?;
            apply(pool, Op::Or, &[not_a, b])
        }
        ("xor", &[a, b]) => {
            let t = apply(pool, Op::Eq, &[a, b]);
            not(pool, t)
        }
        ("=", _) => chain(pool, args, straight(Op::Eq)),
        ("distinct", _) => {
            let mut parts = Vec::new();
            for (n, &a) in args.iter().enumerate() {
                for &b in &args[n + 1..] {
                    let t = apply(pool, Op::Eq, &[a, b]);
                    parts.push(not(pool, t)?);
                }
            }
            Ok(pool.and(&parts))
        }
        ("+", _) => apply(pool, Op::Add, args),
        ("*", _) => fold_left(pool, Op::Mul, args),
        ("-", &[a]) => {
            let minus_one = pool.int(-1);
            apply(pool, Op::Mul, &[a, minus_one])
        }
        ("-", &[first, ref rest @ ..]) => {
            let minus_one = pool.int(-1);
            let mut parts = vec![first];
            for &a in rest {
                parts.push(apply(pool, Op::Mul, &[a, minus_one])?);
            }
            apply(pool, Op::Add, &parts)
        }
        ("abs", &[a]) => {
            let zero = pool.int(0);
            let minus_one = pool.int(-1);
            let (minus, below) = (apply(pool, Op::Mul, &[a, minus_one])?, apply(pool, Op::Le, &[zero, a])?);
            Ok(pool.ite(below, a, minus))
        }
        ("<=", _) => chain(pool, args, straight(Op::Le)),
        (">=", _) => chain(pool, args, swapped(Op::Le)),
        ("<", _) => chain(pool, args, |p, a, b| {
            let t = apply(p, Op::Le, &[b, a]);
            not(p, t)
        }),
        (">", _) => chain(pool, args, |p, a, b| {
            let t = apply(p, Op::Le, &[a, b]);
            not(p, t)
        }),
        ("bvadd", _) => fold_left(pool, Op::BvAdd, args),
        ("bvmul", _) => fold_left(pool, Op::BvMul, args),
        ("bvand", _) => fold_left(pool, Op::BvAnd, args),
        ("bvor", _) => fold_left(pool, Op::BvOr, args),
        ("bvxor", _) => fold_left(pool, Op::BvXor, args),
        ("concat", _) => fold_left(pool, Op::Concat, args),
        ("bvsub", &[a, b]) => {
            let b = apply(pool, Op::BvNeg, &[b])?;
            apply(pool, Op::BvAdd, &[a, b])
        }
        ("bvnand" | "bvnor" | "bvxnor", _) => {
            let op = match name {
                "bvnand" => Op::BvAnd,
                "bvnor" => Op::BvOr,
                _ => Op::BvXor,
            };
            let t = apply(pool, op, args)?;
            apply(pool, Op::BvNot, &[t])
        }
        ("bvcomp", _) => {
            let same = apply(pool, Op::Eq, args)?;
            Ok(pool.bool_to_bits(1, same))
        }
        ("bvugt" | "bvsgt", &[a, b]) => apply(pool, ordering(name), &[b, a]),
        ("bvule" | "bvsle", &[a, b]) => {
            let t = apply(pool, ordering(name), &[b, a]);
            not(pool, t)
        }
        ("bvuge" | "bvsge", &[a, b]) => {
            let t = apply(pool, ordering(name), &[a, b]);
            not(pool, t)
        }
        ("fp", &[sign, exponent, fraction]) => {
            let rest = apply(pool, Op::Concat, &[exponent, fraction])?;
            let bits = apply(pool, Op::Concat, &[sign, rest])?;
            let (Sort::Bits(e), Sort::Bits(f)) = (pool.sort(exponent), pool.sort(fraction)) else {
                return malformed("bit-vectors expected");
            };
            let Some(ty) = float_of_format(e.into(), u32::from(f) + 1) else {
                return malformed(format!("no float format {e} {}", u32::from(f) + 1));
            };
            apply(pool, Op::FpFromIeee(ty), &[bits])
        }
        ("fp.lt", _) => chain(pool, args, straight(Op::FpLt)),
        ("fp.leq", _) => chain(pool, args, straight(Op::FpLe)),
        ("fp.gt", _) => chain(pool, args, swapped(Op::FpLt)),
        ("fp.geq", _) => chain(pool, args, swapped(Op::FpLe)),
        ("fp.eq", _) => chain(pool, args, straight(Op::FpEq)),
        ("fp.isPositive", &[a]) => {
            let nan = apply(pool, Op::FpIsNan, &[a])?;
            let negative = apply(pool, Op::FpIsNegative, &[a])?;
            let either = pool.or(&[nan, negative]);
            Ok(pool.not(either))
        }
        ("fp.roundToIntegral", _) => match mode {
            Some(mode) => apply(pool, Op::FpRound(mode), args),
            None => malformed("a rounding mode expected"),
        },
        ("fp.add" | "fp.sub" | "fp.mul" | "fp.div" | "fp.sqrt", _) => {
            let op = match (mode, name) {
                (Some(mode @ (Round::Up | Round::Down | Round::ToZero)), _) => {
                    let op = match name {
                        "fp.add" => Rounded::Add,
                        "fp.sub" => Rounded::Sub,
                        "fp.mul" => Rounded::Mul,
                        "fp.div" => Rounded::Div,
                        _ => Rounded::Sqrt,
                    };
                    return apply(pool, Op::FpDirected(op, mode), args);
                }
                (Some(Round::NearestEven), name) => name,
                _ => return malformed("rounding ties away from zero is not supported"),
            };
            let op = match op {
                "fp.add" => Op::FpAdd,
                "fp.sub" => Op::FpSub,
                "fp.mul" => Op::FpMul,
                "fp.div" => Op::FpDiv,
                _ => Op::FpSqrt,
            };
            apply(pool, op, args)
        }
        _ => malformed(format!("unknown operation `{name}`")),
    }
}

fn ordering(name: &str) -> Op {
    if name.starts_with("bvu") { Op::BvUlt } else { Op::BvSlt }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_as_solvers_print_them() {
        let mut p = Pool::new();
        let cases = [
            ("(- 12)", Value::Int((-12).into())),
            ("#x0f", Value::Bits(8, 15)),
            ("(_ bv10 32)", Value::Bits(32, 10)),
            ("(fp #b0 #x7f #b00000000000000000000000)", Value::float(FloatTy::F32, 0x3f80_0000)),
            ("(_ -zero 11 53)", Value::float(FloatTy::F64, 1 << 63)),
            ("(_ +oo 8 24)", Value::float(FloatTy::F32, 0x7f80_0000)),
            ("(let ((a!1 (not true))) (or a!1 false))", Value::Bool(false)),
        ];
        for (text, expected) in cases {
            let tree = Tree::parse(text).unwrap();
            assert_eq!(read_value(&mut p, &tree, tree.roots()[0]), Ok(expected), "{text}");
        }
        let text = "(store ((as const (Array (_ BitVec 8) Bool)) true) #x01 false)";
        let tree = Tree::parse(text).unwrap();
        let Ok(Value::Array(a)) = read_value(&mut p, &tree, tree.roots()[0]) else { panic!() };
        assert_eq!(a.get(&Value::Bits(8, 1)), &Value::Bool(false));
        assert_eq!(a.get(&Value::Bits(8, 2)), &Value::Bool(true));
    }

    #[test]
    fn nonsense_is_an_error_not_a_panic() {
        let mut p = Pool::new();
        for text in [
            "",
            "x",
            "()",
            "(bvadd #x1)",
            "(bvadd #x1 #b1)",
            "((_ extract 0 9) #x0)",
            "(let x 1)",
            "#xg",
            "(_ bv1 0)",
            "(_ bv1 999)",
            "(store 1 2 3)",
            "(ite 1 2 3)",
            "((_ zero_extend 200) #x0)",
            "(and)",
            "(fp.add RTZ 1 2)",
            "(= 1)",
            "(distinct 1 #x0)",
            "((as const Int) 1)",
            "-",
            "(let ((x)) x)",
            "(!)",
            "(_ NaN 1 1)",
            "(fp #b0 #b0 #b0)",
            "((_ rotate_left 1) 1)",
            "((_ repeat 0) #x0)",
            "(abs true)",
            "(let ((x 1)) (let ((x true)) (+ x 1)))",
        ] {
            assert!(term(&mut p, text).is_err(), "{text}");
        }
    }
}
