//! The integer reading against the definition of the operations and against the
//! bit-vector reading: random expressions on boundary values, all operands at
//! small widths, and a solver's word for all inputs of eight bits.

mod machine;
mod maker;
mod shared;
mod solver;

use std::collections::BTreeSet;

use cairn_base::{DataModel, Place, sym};
use cairn_encode::expr::{Addresses, Env, Translate, sort};
use cairn_encode::integer::{IntegerReading, Mode, Reader, number};
use cairn_ir::{BinOp, Expr, ExprId, FloatTy, IntTy, Program, Ty, UnOp, Var, VarId, VarKind};
use cairn_term::{Assignment, Evaluator, Pool, SortId, TermId, Value};
use cairn_value::{Undefined, eval};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use crate::machine::{Machine, machine_value};
use crate::maker::Maker;

const MODEL: DataModel = DataModel::Lp64;

fn add_var(p: &mut Program, name: &str, ty: Ty) -> ExprId {
    let v = p.new_var(Var {
        name: sym(name),
        ty,
        owner: None,
        kind: VarKind::Temp,
        place: Place::NONE,
        scope: Place::NONE,
        dtype: None,
    });
    p.exprs.var(v)
}

// The readings.

/// The integer reading of an expression with the readings of the operands of what is opaque.
struct Read {
    reading: IntegerReading,
    operands: FxHashMap<ExprId, Vec<TermId>>,
}

fn variable(program: &Program, pool: &mut Pool, v: VarId) -> TermId {
    let sort = if program.vars[v].ty == Ty::Bool { SortId::BOOL } else { SortId::INT };
    pool.var(&format!("i{}", v.as_u32()), sort)
}

fn read(program: &Program, pool: &mut Pool, e: ExprId, policy: &dyn Fn(ExprId) -> Mode) -> Read {
    let mut vars = |pool: &mut Pool, v: VarId| variable(program, pool, v);
    let mut reader = Reader::new(program, pool, &mut vars, policy);
    let reading = reader.read(e).expect("an integer or bool");
    let mut operands = FxHashMap::default();
    for o in &reading.opaque {
        let terms = program.exprs.children(o.at).iter().map(|&c| reader.read(c).unwrap().term).collect();
        operands.insert(o.at, terms);
    }
    Read { reading, operands }
}

/// Values for everything in the reading: the variables as given, the fresh ones by their
/// definitions, the opaque ones as the machine has them. All side constraints must hold then.
fn assignment(
    program: &Program,
    pool: &Pool,
    e: ExprId,
    read: &Read,
    values: &FxHashMap<VarId, u128>,
) -> Assignment {
    let mut at = Assignment::default();
    for (&v, &bits) in values {
        if let Some(t) = pool.find_var(&format!("i{}", v.as_u32())) {
            at.insert(t, machine_value(program.vars[v].ty, bits));
        }
    }
    enum Fresh {
        Defined(TermId),
        Opaque(ExprId),
    }
    let mut fresh: Vec<(TermId, Fresh)> = Vec::new();
    fresh.extend(read.reading.definitions.iter().map(|d| (d.var, Fresh::Defined(d.value))));
    fresh.extend(read.reading.opaque.iter().map(|o| (o.var, Fresh::Opaque(o.at))));
    fresh.sort_by_key(|f| f.0);
    let side = &read.reading.side;
    let opaque_sides: Vec<(TermId, Vec<TermId>)> = if read.reading.opaque.is_empty() {
        Vec::new()
    } else {
        side.iter().map(|&s| (s, pool.free_vars(&[s]))).collect()
    };
    for (var, what) in fresh {
        match what {
            Fresh::Defined(value) => {
                let value = Evaluator::new(pool, &at).eval(value);
                at.insert(var, value);
            }
            Fresh::Opaque(e) => {
                let operands: Vec<BigInt> = read.operands[&e]
                    .iter()
                    .map(|&t| Evaluator::new(pool, &at).eval(t).as_int().unwrap().clone())
                    .collect();
                let value = opaque_value(program, e, &operands);
                at.insert(var, Value::Int(value));
                // An operand that no machine has there promises nothing about the result but its range.
                let mut eval = Evaluator::new(pool, &at);
                let fits = opaque_sides
                    .iter()
                    .filter(|(_, vars)| vars.contains(&var) && vars.iter().all(|v| at.contains_key(v)))
                    .all(|(s, _)| eval.holds(*s));
                if !fits {
                    at.insert(var, Value::Int(BigInt::ZERO));
                }
            }
        }
    }
    let mut eval = Evaluator::new(pool, &at);
    for &s in side {
        let shown = || format!("{}: {} with {values:?}", render(program, e), pool.text(s));
        assert!(eval.holds(s), "a side constraint excludes an execution of {}", shown());
    }
    at
}

fn opaque_value(program: &Program, e: ExprId, operands: &[BigInt]) -> BigInt {
    match program.exprs.get(e) {
        Expr::Binary(..) => &operands[0] & &operands[1],
        Expr::Unary(op, a) => {
            let Ty::Int(ty) = program.ty(a) else { panic!("no integer") };
            let modulus = BigInt::from(1) << ty.bits;
            let bits: BigInt = ((&operands[0] % &modulus) + &modulus) % &modulus;
            let bits = u128::try_from(bits).unwrap();
            eval::unary(op, Ty::Int(ty), bits).map_or(BigInt::ZERO, |v| number(ty, v))
        }
        other => panic!("{other:?} is opaque"),
    }
}

#[derive(Default, Debug)]
struct Tally {
    agreed: u32,
    violated: u32,
    undefined: u32,
    opaque: u32,
    wrong: u32,
}

fn undefined_hazard(eval: &mut Evaluator, reading: &IntegerReading, why: Undefined) -> bool {
    reading.hazards.iter().any(|&(h, t)| h == why && eval.holds(t))
}

/// Compares the reading with the machine on one input. The promises of the module, one by one.
fn compare(
    program: &Program,
    pool: &Pool,
    e: ExprId,
    read: &Read,
    values: &FxHashMap<VarId, u128>,
    policy: &dyn Fn(ExprId) -> Mode,
    tally: &mut Tally,
) {
    let reading = &read.reading;
    let mut machine = Machine { program, values, leaving: BTreeSet::new() };
    let result = machine.run(e);
    let plain: BTreeSet<ExprId> =
        machine.leaving.iter().copied().filter(|&x| policy(x) == Mode::Plain).collect();
    let at = assignment(program, pool, e, read, values);
    let mut eval = Evaluator::new(pool, &at);
    let violated: BTreeSet<ExprId> =
        reading.obligations.iter().filter(|o| eval.holds(o.violated)).map(|o| o.at).collect();
    tally.opaque += u32::from(!reading.exact());
    let shown = || format!("{:?} with {values:?}", render(program, e));
    match result {
        Err(why) => {
            tally.undefined += 1;
            let right = undefined_hazard(&mut eval, reading, why);
            assert!(right || !violated.is_empty(), "{why:?} is not a hazard: {}", shown());
        }
        Ok(bits) => {
            // An operation read plainly leaves its type exactly if some obligation says so, and the
            // first that does so says it itself.
            assert_eq!(violated.is_empty(), plain.is_empty(), "{violated:?}, but {plain:?}: {}", shown());
            if !violated.is_empty() {
                tally.violated += 1;
                assert!(violated.iter().any(|x| plain.contains(x)), "{}", shown());
                tally.wrong += u32::from(eval.eval(reading.term) != machine_value(program.ty(e), bits));
                return;
            }
            tally.agreed += 1;
            assert_eq!(eval.eval(reading.term), machine_value(program.ty(e), bits), "{}", shown());
            let hazards: Vec<Undefined> =
                reading.hazards.iter().filter(|h| eval.holds(h.1)).map(|h| h.0).collect();
            assert!(hazards.is_empty(), "{hazards:?}: {}", shown());
        }
    }
}

fn render(p: &Program, e: ExprId) -> String {
    match p.exprs.get(e) {
        Expr::Var(v) => format!("{}:{}", p.vars[v].name, p.ty(e)),
        Expr::Int(ty, bits) => format!("{}{ty}", number(ty, bits)),
        Expr::Unary(op, a) => format!("{op:?}({})", render(p, a)),
        Expr::Binary(op, a, b) => format!("{op:?}({}, {})", render(p, a), render(p, b)),
        Expr::Cast(to, a) => format!("({to})({})", render(p, a)),
        Expr::Select(c, t, f) => format!("({} ? {} : {})", render(p, c), render(p, t), render(p, f)),
        other => format!("{other:?}"),
    }
}

#[test]
fn random_expressions_agree_with_the_machine() {
    let mut tallies = [Tally::default(), Tally::default(), Tally::default()];
    for seed in 0..2000 {
        let mut maker = Maker::new(seed);
        let ty = if seed % 4 == 0 { Ty::Bool } else { Ty::Int(maker.any_int()) };
        let depth = 1 + (seed % 4) as u32;
        let e = maker.make(ty, depth);
        let inputs: Vec<_> = (0..10).map(|_| maker.inputs()).collect();
        let salt = seed as u32;
        let mixed = move |x: ExprId| {
            let hash = x.as_u32().wrapping_mul(0x9e37_79b1) ^ salt.wrapping_mul(0x85eb_ca6b);
            if hash >> 16 & 1 == 0 { Mode::Plain } else { Mode::Exact }
        };
        let policies: [&dyn Fn(ExprId) -> Mode; 3] = [&|_| Mode::Plain, &|_| Mode::Exact, &mixed];
        for (policy, tally) in policies.into_iter().zip(&mut tallies) {
            let mut pool = Pool::new();
            let read = read(&maker.program, &mut pool, e, policy);
            for values in &inputs {
                compare(&maker.program, &pool, e, &read, values, policy, tally);
            }
        }
    }
    let [plain, exact, mixed] = tallies;
    // The comparison was not an empty one.
    assert!(plain.agreed > 5000 && plain.violated > 3000 && plain.wrong > 1500, "{plain:?}");
    assert!(exact.agreed > 10_000 && exact.violated == 0 && exact.undefined > 1000, "{exact:?}");
    assert!(mixed.agreed > 5000 && mixed.violated > 2000 && mixed.opaque > 1000, "{mixed:?}");
}

// Against the bit-vector reading.

struct Bits<'a>(&'a Program);

impl Env for Bits<'_> {
    fn var(&mut self, pool: &mut Pool, v: VarId) -> TermId {
        let sort = sort(pool, self.0.vars[v].ty);
        pool.var(&format!("b{}", v.as_u32()), sort)
    }

    fn object(&mut self, _: &mut Pool, _: cairn_ir::ObjId) -> TermId {
        unreachable!("no pointers here")
    }

    fn func(&mut self, _: &mut Pool, _: cairn_ir::FuncId) -> TermId {
        unreachable!("no pointers here")
    }

    fn label(&mut self, _: &mut Pool, _: cairn_ir::LabelId) -> TermId {
        unreachable!("no pointers here")
    }
}

struct NoPointers;

impl Addresses for NoPointers {
    fn flat(&self, _: &mut Pool, _: TermId) -> TermId {
        unreachable!("no pointers here")
    }

    fn pointer(&self, _: &mut Pool, _: TermId) -> TermId {
        unreachable!("no pointers here")
    }

    fn compare(&self, _: &mut Pool, _: cairn_ir::BinOp, _: TermId, _: TermId) -> TermId {
        unreachable!("no pointers here")
    }
}

/// The bit-vector reading as a number or truth value, and when it is undefined.
fn bit_reading(program: &Program, pool: &mut Pool, e: ExprId) -> (TermId, TermId) {
    let mut open = Default::default();
    let mut translate = Translate::new(program, pool, &NoPointers, &mut open);
    let term = translate.expr(e, &mut Bits(program));
    let hazards = std::mem::take(&mut translate.hazards);
    let undefined: Vec<TermId> = hazards.into_iter().map(|h| h.1).collect();
    let undefined = pool.or(&undefined);
    (as_number(program.ty(e), pool, term), undefined)
}

fn as_number(ty: Ty, pool: &mut Pool, term: TermId) -> TermId {
    match ty {
        Ty::Int(IntTy { signed: true, .. }) => pool.signed_bits_to_int(term),
        Ty::Int(_) => pool.bits_to_int(term),
        _ => term,
    }
}

#[test]
fn random_expressions_agree_with_the_bit_vector_reading() {
    let mut compared = 0;
    for seed in 10_000..11_000 {
        let mut maker = Maker::new(seed);
        let ty = if seed % 4 == 0 { Ty::Bool } else { Ty::Int(maker.any_int()) };
        let e = maker.make(ty, 1 + (seed % 3) as u32);
        let inputs: Vec<_> = (0..8).map(|_| maker.inputs()).collect();
        let program = &maker.program;
        for mode in [Mode::Plain, Mode::Exact] {
            let mut pool = Pool::new();
            let read = read(program, &mut pool, e, &|_| mode);
            let (bits, undefined) = bit_reading(program, &mut pool, e);
            for values in &inputs {
                let mut at = assignment(program, &pool, e, &read, values);
                for (&v, &bits) in values {
                    if let Some(t) = pool.find_var(&format!("b{}", v.as_u32())) {
                        let value = match program.vars[v].ty {
                            Ty::Int(i) => Value::bits(i.bits, bits),
                            _ => Value::Bool(bits == 1),
                        };
                        at.insert(t, value);
                    }
                }
                let mut eval = Evaluator::new(&pool, &at);
                if read.reading.obligations.iter().any(|o| eval.holds(o.violated)) {
                    assert_eq!(mode, Mode::Plain);
                    continue;
                }
                let hazard = read.reading.hazards.iter().any(|&(_, t)| eval.holds(t));
                assert_eq!(hazard, eval.holds(undefined), "{}", render(program, e));
                if !hazard {
                    compared += 1;
                    assert_eq!(eval.eval(read.reading.term), eval.eval(bits), "{}", render(program, e));
                }
            }
        }
    }
    assert!(compared > 7000, "{compared}");
}

// All operands at small widths.

#[test]
fn every_operation_on_all_operands_of_three_bits() {
    use BinOp::*;
    let mut tally = Tally::default();
    for signed in [false, true] {
        let i = IntTy { bits: 3, signed };
        let mut p = Program::new(MODEL);
        let (x, y) = (add_var(&mut p, "x", Ty::Int(i)), add_var(&mut p, "y", Ty::Int(i)));
        let mut all = Vec::new();
        for op in [Add, Sub, Mul, Div, Rem, Shl, Shr, And, Or, Xor, Eq, Ne, Lt, Le, AddOvf, SubOvf, MulOvf] {
            all.push(p.exprs.binary(op, x, y));
            for bits in 0..8 {
                let c = p.exprs.constant(Ty::Int(i), bits);
                all.extend([p.exprs.binary(op, x, c), p.exprs.binary(op, c, x)]);
            }
        }
        for op in [UnOp::Neg, UnOp::BitNot, UnOp::Clz, UnOp::Ctz, UnOp::Popcount] {
            all.push(p.exprs.unary(op, x));
        }
        for bits in 1..=5 {
            for signed in [false, true] {
                all.push(p.exprs.cast(Ty::Int(IntTy { bits, signed }), x));
            }
        }
        // Operations on what may have left its type already.
        for n in 0..all.len() {
            if p.ty(all[n]) == Ty::Int(i) {
                let sum = p.exprs.binary(Add, all[n], y);
                all.extend([p.exprs.binary(Shr, sum, y), p.exprs.binary(Or, sum, x)]);
                all.push(p.exprs.binary(Rem, x, sum));
            }
        }
        // A mask that has left its type (unsigned constants are folded).
        let (three, two, one) = (p.exprs.int(i, 3), p.exprs.int(i, 2), p.exprs.int(i, 1));
        let mask = p.exprs.binary(Shl, three, two);
        let minus_four = p.exprs.int(i, -4);
        let other = p.exprs.binary(Or, minus_four, y);
        let masked = p.exprs.binary(And, mask, other);
        let either = p.exprs.binary(Or, masked, one);
        all.extend([masked, p.exprs.binary(Xor, either, y), p.exprs.binary(And, masked, y)]);
        for e in all {
            for mode in [Mode::Plain, Mode::Exact] {
                let mut pool = Pool::new();
                let policy = |_| mode;
                let read = read(&p, &mut pool, e, &policy);
                for (a, b) in (0..64u128).map(|n| (n % 8, n / 8)) {
                    let values = p.vars.keys().zip([a, b]).collect();
                    compare(&p, &pool, e, &read, &values, &policy, &mut tally);
                }
            }
        }
    }
    assert!(tally.agreed > 30_000 && tally.violated > 5_000, "{tally:?}");
}

// Floats and pointers.

#[test]
fn floats_and_pointers_are_refused_or_opaque() {
    let mut p = Program::new(MODEL);
    let (f, q) = (add_var(&mut p, "f", Ty::Float(FloatTy::F64)), add_var(&mut p, "p", Ty::Ptr));
    let x = add_var(&mut p, "x", Ty::I32);
    let null = p.exprs.ptr(0);
    let is_null = p.exprs.binary(BinOp::Eq, q, null);
    let cast = p.exprs.cast(Ty::I32, f);
    let sum = p.exprs.binary(BinOp::Add, cast, x);
    // An integer operation below a float one is still read: its hazard counts.
    let quotient = p.exprs.binary(BinOp::Div, x, x);
    let float = p.exprs.cast(Ty::Float(FloatTy::F64), quotient);
    let less = p.exprs.binary(BinOp::Lt, float, f);
    let mut pool = Pool::new();
    let program = &p;
    let mut vars = |pool: &mut Pool, v: VarId| {
        assert_eq!(program.vars[v].ty, Ty::I32, "asked for a variable without a number");
        variable(program, pool, v)
    };
    let mut reader = Reader::new(program, &mut pool, &mut vars, &|_| Mode::Plain);
    assert!(reader.read(f).is_none() && reader.read(q).is_none() && reader.read(float).is_none());
    let reading = reader.read(is_null).unwrap();
    assert_eq!(reading.opaque.iter().map(|o| o.at).collect::<Vec<_>>(), [is_null]);
    let reading = reader.read(sum).unwrap();
    assert_eq!(reading.opaque.iter().map(|o| o.at).collect::<Vec<_>>(), [cast]);
    assert_eq!(reading.obligations.iter().map(|o| o.at).collect::<Vec<_>>(), [sum]);
    assert!(reading.hazards.iter().any(|h| h.0 == Undefined::FloatToInt));
    // Twice the same is the same unknown.
    assert_eq!(reader.read(cast).unwrap().term, reading.opaque[0].var);
    let reading = reader.read(less).unwrap();
    assert!(!reading.exact());
    assert!(reading.hazards.iter().any(|h| h.0 == Undefined::DivisionByZero));
}

#[test]
fn types_discharge_obligations() {
    let mut p = Program::new(MODEL);
    let byte = add_var(&mut p, "b", Ty::Int(IntTy::U8));
    let x = add_var(&mut p, "x", Ty::I32);
    let wide = p.exprs.cast(Ty::I32, byte);
    let (one, low) = (p.exprs.int(IntTy::I32, 1), p.exprs.int(IntTy::I32, 0x7fff));
    let sum = p.exprs.binary(BinOp::Add, wide, one);
    let square = p.exprs.binary(BinOp::Mul, sum, sum);
    let masked = p.exprs.binary(BinOp::And, x, low);
    let product = p.exprs.binary(BinOp::Mul, masked, masked);
    let difference = p.exprs.binary(BinOp::Sub, square, product);
    let mut pool = Pool::new();
    let program = &p;
    let mut vars = |pool: &mut Pool, v: VarId| variable(program, pool, v);
    let mut reader = Reader::new(program, &mut pool, &mut vars, &|_| Mode::Plain);
    let reading = reader.read(difference).unwrap();
    assert!(reading.obligations.is_empty() && reading.hazards.is_empty() && reading.exact());
}
