//! Random expressions over floats at boundaries: the symbolic reading has the value that the executor
//! has, down to the bits of NaNs where what IEEE 754 leaves open is as on common machines.

use cairn_base::{DataModel, Place, sym};
use cairn_encode::expr::{Addresses, Env, Translate};
use cairn_encode::float::{Open, is_usual};
use cairn_ir::{BinOp, Expr, ExprId, FloatTy, IntTy, Program, Toward, Ty, UnOp, Var, VarId, VarKind};
use cairn_smt::{Answer, Solver};
use cairn_term::{Assignment, Evaluator, Pool, TermId, Value};
use cairn_value::{Bits, Undefined, eval, float};
use fastrand::Rng;
use rustc_hash::FxHashMap;

const MODEL: DataModel = DataModel::Lp64;
const FLOATS: [FloatTy; 4] = [FloatTy::F32, FloatTy::F64, FloatTy::X80, FloatTy::F128];
const INTS: [IntTy; 6] = [IntTy::I8, IntTy::U8, IntTy::I32, IntTy::U32, IntTy::I64, IntTy::U64];

/// Expressions have no pointers.
struct NoPointers;

impl Addresses for NoPointers {
    fn flat(&self, _: &mut Pool, _: TermId) -> TermId {
        unreachable!()
    }
    fn pointer(&self, _: &mut Pool, _: TermId) -> TermId {
        unreachable!()
    }
    fn compare(&self, _: &mut Pool, _: BinOp, _: TermId, _: TermId) -> TermId {
        unreachable!()
    }
}

struct Terms(FxHashMap<VarId, TermId>);

impl Env for Terms {
    fn var(&mut self, _: &mut Pool, v: VarId) -> TermId {
        self.0[&v]
    }
    fn object(&mut self, _: &mut Pool, _: cairn_ir::ObjId) -> TermId {
        unreachable!()
    }
    fn func(&mut self, _: &mut Pool, _: cairn_ir::FuncId) -> TermId {
        unreachable!()
    }
    fn label(&mut self, _: &mut Pool, _: cairn_ir::LabelId) -> TermId {
        unreachable!()
    }
}

/// A pattern at a boundary: zeroes, subnormals, the smallest and largest numbers, halves, whole numbers
/// around the limits of integers, infinities, NaNs with a payload.
fn boundary(rng: &mut Rng, ty: FloatTy) -> Bits {
    let sign = Bits::from(rng.bool()) << (ty.bits() - 1);
    let infinity = float::from_f64(ty, f64::INFINITY);
    let whole = |n: f64| float::from_f64(ty, n);
    let pattern = match rng.u32(0..12) {
        0 => 0,
        1 => 1 + Bits::from(rng.u32(0..3)),
        // The smallest normal number and its neighbours. (Integer bit of x87 numbers: only those.)
        2 if ty != FloatTy::X80 => {
            let normal = 1 << (ty.bits() - 1 - exponent_bits(ty));
            normal - 1 + Bits::from(rng.u32(0..3))
        }
        3 if ty != FloatTy::X80 => infinity - 1,
        3 => (0x7ffe << 64) | Bits::from(u64::MAX),
        4 => infinity,
        5 => quiet_nan(ty) | Bits::from(rng.u16(..)),
        6 => whole([0.5, 1.5, 2.5, 0.1, 1.0, 3.0][rng.usize(0..6)]),
        7 => whole([127.0, 128.0, 255.0, 256.0, -128.5][rng.usize(0..5)]),
        8 => whole([2147483647.0, 2147483648.0, 4294967295.0, 4294967296.0][rng.usize(0..4)]),
        9 => whole([9.223372036854775e18, 9.223372036854776e18, 1.8446744073709552e19][rng.usize(0..3)]),
        10 => whole([16777217.0, 9007199254740992.0, 1e-40, 5e-324, 1e300, 3.4028235e38][rng.usize(0..6)]),
        _ => whole(f64::from_bits(rng.u64(..)).abs().min(1e308)),
    };
    pattern ^ sign
}

fn exponent_bits(ty: FloatTy) -> u8 {
    match ty {
        FloatTy::F32 => 8,
        FloatTy::F64 => 11,
        FloatTy::X80 | FloatTy::F128 => 15,
    }
}

fn quiet_nan(ty: FloatTy) -> Bits {
    match ty {
        FloatTy::F32 => 0x7fc0_0000,
        FloatTy::F64 => 0x7ff8 << 48,
        FloatTy::X80 => 0x7fff_c000 << 48,
        FloatTy::F128 => 0x7fff_8000 << 96,
    }
}

fn integer(rng: &mut Rng, ty: IntTy) -> Bits {
    let top = 1 << (ty.bits - 1);
    ty.wrap([0, 1, -1, top, top - 1, top + 1, rng.i64(..).into()][rng.usize(0..7)])
}

/// Makes expressions over two variables of each type.
struct Maker<'a> {
    rng: &'a mut Rng,
    program: Program,
    vars: FxHashMap<Ty, [VarId; 2]>,
    /// Whether operations may be as expensive for a solver as division of wide numbers.
    cheap: bool,
}

impl Maker<'_> {
    fn new(rng: &mut Rng, cheap: bool) -> Maker<'_> {
        let mut program = Program::new(MODEL);
        let mut vars = FxHashMap::default();
        let types = FLOATS.map(Ty::Float).into_iter().chain(INTS.map(Ty::Int));
        for ty in types {
            let pair = [0, 1].map(|n| {
                let init = program.exprs.constant(ty, 0);
                program.new_var(Var {
                    name: sym(&format!("{ty}_{n}")),
                    ty,
                    owner: None,
                    kind: VarKind::Global { init },
                    place: Place::NONE,
                    scope: Place::NONE,
                    dtype: None,
                })
            });
            vars.insert(ty, pair);
        }
        Maker { rng, program, vars, cheap }
    }

    fn float_ty(&mut self) -> FloatTy {
        if self.cheap { FloatTy::F32 } else { FLOATS[self.rng.usize(0..4)] }
    }

    fn var(&mut self, ty: Ty) -> ExprId {
        let v = self.vars[&ty][self.rng.usize(0..2)];
        self.program.exprs.var(v)
    }

    fn float(&mut self, ty: FloatTy, depth: u32) -> ExprId {
        if depth == 0 {
            return self.var(Ty::Float(ty));
        }
        let toward = Toward::ALL[self.rng.usize(0..3)];
        match self.rng.u32(0..10) {
            0..=3 => {
                use BinOp::*;
                let (a, b) = (self.float(ty, depth - 1), self.float(ty, depth - 1));
                let mut ops = vec![Add, Sub, AddTo(toward), SubTo(toward), Fmin, Fmax, CopySign, Mul];
                if !self.cheap {
                    ops.extend([Div, MulTo(toward), DivTo(toward)]);
                }
                let op = ops[self.rng.usize(0..ops.len())];
                self.program.exprs.binary(op, a, b)
            }
            4 | 5 => {
                use UnOp::*;
                let a = self.float(ty, depth - 1);
                let mut ops = vec![Neg, Fabs, Floor, Ceil, Trunc, RoundEven, RoundAway];
                if !self.cheap {
                    ops.extend([Sqrt, SqrtTo(toward)]);
                }
                let op = ops[self.rng.usize(0..ops.len())];
                self.program.exprs.unary(op, a)
            }
            6 => {
                let from = self.float_ty();
                let a = self.float(from, depth - 1);
                self.convert(a, ty, toward)
            }
            7 => {
                let from = INTS[self.rng.usize(0..6)];
                let a = self.int(from, depth - 1);
                self.convert(a, ty, toward)
            }
            _ => {
                let c = self.bool(depth - 1);
                let (a, b) = (self.float(ty, depth - 1), self.float(ty, depth - 1));
                self.program.exprs.select(c, a, b)
            }
        }
    }

    fn convert(&mut self, a: ExprId, to: FloatTy, toward: Toward) -> ExprId {
        if self.rng.bool() {
            self.program.exprs.cast(Ty::Float(to), a)
        } else {
            self.program.exprs.unary(UnOp::ConvertTo(to, toward), a)
        }
    }

    fn int(&mut self, ty: IntTy, depth: u32) -> ExprId {
        if depth == 0 || self.rng.u32(0..3) == 0 {
            return self.var(Ty::Int(ty));
        }
        let from = self.float_ty();
        let a = self.float(from, depth - 1);
        self.program.exprs.cast(Ty::Int(ty), a)
    }

    fn bool(&mut self, depth: u32) -> ExprId {
        let ty = self.float_ty();
        let a = self.float(ty, depth);
        match self.rng.u32(0..7) {
            0 => self.program.exprs.unary(UnOp::IsNan, a),
            1 => self.program.exprs.unary(UnOp::IsInf, a),
            2 => self.program.exprs.unary(UnOp::SignBit, a),
            n => {
                let b = self.float(ty, depth);
                let op = [BinOp::Eq, BinOp::Ne, BinOp::Lt, BinOp::Le][n as usize - 3];
                self.program.exprs.binary(op, a, b)
            }
        }
    }

    fn any(&mut self, depth: u32) -> ExprId {
        match self.rng.u32(0..6) {
            0 => self.bool(depth),
            1 => {
                let ty = INTS[self.rng.usize(0..6)];
                self.int(ty, depth)
            }
            _ => {
                let ty = self.float_ty();
                self.float(ty, depth)
            }
        }
    }

    /// Values of all variables.
    fn values(&mut self) -> FxHashMap<VarId, Bits> {
        let mut pairs: Vec<(Ty, [VarId; 2])> = self.vars.iter().map(|(&ty, &pair)| (ty, pair)).collect();
        pairs.sort();
        let mut values = FxHashMap::default();
        for (ty, pair) in pairs {
            for v in pair {
                let bits = match ty {
                    Ty::Float(f) => boundary(self.rng, f),
                    Ty::Int(i) => integer(self.rng, i),
                    _ => unreachable!(),
                };
                values.insert(v, bits);
            }
        }
        values
    }
}

/// The value by the definition of the operations.
fn run(p: &Program, values: &FxHashMap<VarId, Bits>, e: ExprId) -> Result<Bits, Undefined> {
    match p.exprs.get(e) {
        Expr::Var(v) => Ok(values[&v]),
        Expr::Unary(op, a) => eval::unary(op, p.ty(a), run(p, values, a)?),
        Expr::Binary(op, a, b) => {
            let (x, y) = (run(p, values, a)?, run(p, values, b)?);
            eval::binary(op, p.ty(a), p.ty(b), x, y, MODEL)
        }
        Expr::Cast(to, a) => eval::cast(p.ty(a), to, run(p, values, a)?, MODEL),
        Expr::Select(c, a, b) => run(p, values, if run(p, values, c)? != 0 { a } else { b }),
        _ => Ok(p.exprs.const_bits(e).expect("a constant")),
    }
}

fn bits(value: &Value) -> Bits {
    match value {
        Value::Bool(b) => (*b).into(),
        value => value.as_bits().expect("a pattern"),
    }
}

fn is_nan(ty: Ty, pattern: Bits) -> bool {
    matches!(ty, Ty::Float(_)) && eval::unary(UnOp::IsNan, ty, pattern) == Ok(1)
}

/// An expression as a term over variables (or over constants, which are folded), and when it is undefined.
fn read(
    p: &Program,
    pool: &mut Pool,
    e: ExprId,
    values: &FxHashMap<VarId, Bits>,
    folded: bool,
) -> (TermId, TermId, Assignment) {
    let (mut terms, mut given) = (FxHashMap::default(), Assignment::default());
    for (&v, &value) in values {
        let ty = p.vars[v].ty;
        let constant = pool.bits(ty.bits(MODEL), value);
        let term = if folded { constant } else { pool.var(&p.vars[v].name, pool.sort_id_of(constant)) };
        given.insert(term, Value::Bits(ty.bits(MODEL), value));
        terms.insert(v, term);
    }
    let mut open = Open::default();
    let mut t = Translate::new(p, pool, &NoPointers, &mut open);
    let term = t.expr(e, &mut Terms(terms));
    let hazards: Vec<TermId> = t.hazards.iter().map(|h| h.1).collect();
    (term, pool.or(&hazards), given)
}

#[test]
fn the_symbolic_reading_has_the_executors_values() {
    let mut rng = Rng::with_seed(20_261_118);
    let (mut defined, mut nans) = (0, 0);
    for round in 0..4000 {
        let mut maker = Maker::new(&mut rng, false);
        let depth = 1 + round % 3;
        let e = maker.any(depth);
        let values = maker.values();
        let p = &maker.program;
        let (ty, wanted) = (p.ty(e), run(p, &values, e));
        for folded in [false, true] {
            let mut pool = Pool::new();
            let (term, undefined, mut given) = read(p, &mut pool, e, &values, folded);
            let vars = pool.free_vars(&[term, undefined]);
            // As on common machines.
            for &v in vars.iter().filter(|&&v| is_usual(&pool, v)) {
                given.insert(v, Value::Bool(true));
            }
            let mut eval = Evaluator::new(&pool, &given);
            let bad = eval.holds(undefined);
            assert_eq!(bad, wanted.is_err(), "round {round}, folded {folded}: {}", pool.text(term));
            let Ok(wanted) = wanted else { continue };
            let got = bits(&eval.eval(term));
            assert_eq!(
                got,
                wanted,
                "round {round}, folded {folded}: {got:x}, not {wanted:x}: {}",
                pool.text(term)
            );
            defined += 1;
            nans += u32::from(is_nan(ty, wanted));
            // Otherwise a NaN is any NaN, if it was computed.
            for &v in vars.iter().filter(|&&v| is_usual(&pool, v)) {
                given.insert(v, Value::Bool(false));
            }
            let other = bits(&Evaluator::new(&pool, &given).eval(term));
            let is_number =
                matches!(ty, Ty::Float(_)) && depth == 1 && other != wanted && !is_nan(ty, wanted);
            // Of two zeroes either may be the larger one; nothing else is open about numbers.
            let zero = |x: Bits| matches!(ty, Ty::Float(f) if x & !(1 << (f.bits() - 1)) == 0);
            assert!(!is_number || (zero(other) && zero(wanted)), "round {round}: {other:x}, not {wanted:x}");
        }
    }
    assert!(defined > 4000 && nans > 300, "{defined} {nans}");
}

#[test]
fn solvers_have_the_executors_values() {
    let mut rng = Rng::with_seed(7);
    let budget = cairn_base::Budget::default();
    let mut asked = 0;
    for round in 0..150 {
        let mut maker = Maker::new(&mut rng, true);
        let e = maker.any(1 + round % 2);
        let values = maker.values();
        let p = &maker.program;
        let Ok(wanted) = run(p, &values, e) else { continue };
        let mut pool = Pool::new();
        let (term, _, given) = read(p, &mut pool, e, &values, false);
        let mut assumed: Vec<TermId> = Vec::new();
        for v in pool.free_vars(&[term]) {
            match given.get(&v) {
                Some(Value::Bits(width, value)) => {
                    let constant = pool.bits(*width, *value);
                    assumed.push(pool.eq(v, constant));
                }
                _ if is_usual(&pool, v) => assumed.push(v),
                _ => {}
            }
        }
        let equal = match p.ty(e) {
            Ty::Bool if wanted == 0 => pool.not(term),
            Ty::Bool => term,
            ty => {
                let constant = pool.bits(ty.bits(MODEL), wanted);
                pool.eq(term, constant)
            }
        };
        let differs = pool.not(equal);
        for (question, answer) in [(equal, Answer::Sat), (differs, Answer::Unsat)] {
            let mut solver = cairn_smt::sat::Sat::new();
            for &t in &assumed {
                solver.assert(&pool, t);
            }
            assert_eq!(
                solver.check(&pool, &[question], &budget),
                answer,
                "round {round}: {}",
                pool.text(term)
            );
        }
        asked += 1;
    }
    assert!(asked > 100, "{asked}");
}

/// A sum of sums of itself: 2^60 occurrences of the first. Each of the first occurrences has a NaN of its
/// own; how many that are is a number and not the size of the tree.
#[test]
fn nans_of_shared_nodes_are_counted() {
    let mut rng = Rng::with_seed(1);
    let mut maker = Maker::new(&mut rng, false);
    let mut e = maker.var(Ty::Float(FloatTy::F64));
    for n in 0..60 {
        e = if n % 2 == 0 {
            maker.program.exprs.binary(BinOp::Add, e, e)
        } else {
            maker.program.exprs.binary(BinOp::CopySign, e, e)
        };
    }
    let values = maker.values();
    let p = &maker.program;
    let mut pool = Pool::new();
    let (term, _, _) = read(p, &mut pool, e, &values, false);
    let usual = pool.free_vars(&[term]).into_iter().filter(|&v| is_usual(&pool, v)).count();
    assert!(usual > 1 && pool.len() < 100_000, "{usual} {}", pool.len());
}
