//! Wrong readings: a program in which one operation means something else, with
//! the same locations, edges and variables.
//!
//! To engines and checker it is as if the operation were translated wrongly; the
//! executor has the program as it is.

use cairn_ir::{
    BinOp, Callee, Expr, ExprId, ExprPool, FloatTy, FuncId, Init, IntTy, ObjKind, Op, Program, Ty, UnOp,
};
use rustc_hash::FxHashMap;

/// A fault to plant.
#[derive(Copy, Clone)]
pub enum Fault {
    /// In all expressions: what takes the place of one whose parts are replaced already.
    Expr(fn(&mut ExprPool, Expr) -> Option<ExprId>),
    /// In all operations.
    Op(fn(&mut ExprPool, &mut Op)),
    /// In the expressions of a model of the library.
    Model(&'static str, fn(&mut ExprPool, Expr) -> Option<ExprId>),
    /// In what a model of the library returns.
    Result(&'static str, fn(&mut ExprPool, ExprId) -> ExprId),
    /// The bytes of initialised objects are in the wrong order.
    Initialisers,
}

/// The program as it is read with a fault.
pub fn misread(program: &Program, fault: Fault) -> Program {
    let mut p = program.clone();
    match fault {
        Fault::Expr(f) => rewrite(&mut p, f, |_, _| true),
        Fault::Model(name, f) => rewrite(&mut p, f, |p, func| is_model(p, func, name)),
        Fault::Op(f) => {
            for edge in p.edges.values_mut() {
                f(&mut p.exprs, &mut edge.op);
            }
        }
        Fault::Result(name, f) => {
            let edges: Vec<_> = p.edges.keys().collect();
            for e in edges {
                if is_model(&p, p.locs[p.edges[e].src].func, name)
                    && let Op::Return { value: Some(value) } = &mut p.edges[e].op
                {
                    *value = f(&mut p.exprs, *value);
                }
            }
        }
        Fault::Initialisers => {
            for object in p.objects.values_mut() {
                if object.kind != ObjKind::Local
                    && let Init::Static(data) = &mut object.init
                    && data.relocs.is_empty()
                {
                    data.bytes.iter_mut().for_each(|(_, run)| run.reverse());
                }
            }
        }
    }
    assert!(cairn_ir::verify(&p).is_ok(), "a wrong reading is a program, too");
    p
}

/// Is this the model of a function, by whichever of its names it was linked?
fn is_model(p: &Program, f: FuncId, name: &str) -> bool {
    let func = &p.funcs[f];
    func.is_model && func.name.as_str().trim_start_matches("__model_") == name
}

fn rewrite(
    p: &mut Program,
    f: fn(&mut ExprPool, Expr) -> Option<ExprId>,
    wanted: impl Fn(&Program, FuncId) -> bool,
) {
    let edges: Vec<_> = p.edges.keys().collect();
    let mut done = FxHashMap::default();
    for e in edges {
        if wanted(p, p.locs[p.edges[e].src].func) {
            let mut op = p.edges[e].op.clone();
            op.map_exprs(|x| replaced(&mut p.exprs, x, f, &mut done));
            p.edges[e].op = op;
        }
    }
}

fn replaced(
    x: &mut ExprPool,
    e: ExprId,
    f: fn(&mut ExprPool, Expr) -> Option<ExprId>,
    done: &mut FxHashMap<ExprId, ExprId>,
) -> ExprId {
    if let Some(&known) = done.get(&e) {
        return known;
    }
    let mut part = |x: &mut ExprPool, a| replaced(x, a, f, done);
    let expr = match x.get(e) {
        Expr::Unary(op, a) => Expr::Unary(op, part(x, a)),
        Expr::Binary(op, a, b) => Expr::Binary(op, part(x, a), part(x, b)),
        Expr::Cast(to, a) => Expr::Cast(to, part(x, a)),
        Expr::Select(c, a, b) => Expr::Select(part(x, c), part(x, a), part(x, b)),
        leaf => leaf,
    };
    let new = f(x, expr).or_else(|| x.raw(expr)).expect("well typed");
    done.insert(e, new);
    new
}

// What single operations are taken for.

/// The integer type of an expression.
fn int(x: &ExprPool, e: ExprId) -> Option<IntTy> {
    match x.ty(e) {
        Ty::Int(i) => Some(i),
        _ => None,
    }
}

fn float(x: &ExprPool, e: ExprId) -> Option<FloatTy> {
    match x.ty(e) {
        Ty::Float(f) => Some(f),
        _ => None,
    }
}

/// One operation on integers of a signedness, by another on those of the other: `as_other` casts.
fn in_other_sign(x: &mut ExprPool, op: BinOp, a: ExprId, b: ExprId, i: IntTy) -> ExprId {
    let other = Ty::Int(IntTy { signed: !i.signed, ..i });
    let (a, b) = (x.cast(other, a), x.cast(other, b));
    let r = x.binary(op, a, b);
    match x.ty(r) {
        Ty::Int(_) => x.cast(Ty::Int(i), r),
        _ => r,
    }
}

/// An operation of integers of that signedness is read with the other.
fn wrong_sign(x: &mut ExprPool, e: Expr, wanted: BinOp, signed: bool) -> Option<ExprId> {
    let Expr::Binary(op, a, b) = e else { return None };
    let i = int(x, a).filter(|i| op == wanted && i.signed == signed)?;
    Some(in_other_sign(x, op, a, b, i))
}

pub fn sdiv_floors(x: &mut ExprPool, e: Expr) -> Option<ExprId> {
    let Expr::Binary(BinOp::Div, a, b) = e else { return None };
    let i = int(x, a).filter(|i| i.signed)?;
    // One less if there is a remainder of the other sign.
    let (q, r) = (x.binary(BinOp::Div, a, b), x.binary(BinOp::Rem, a, b));
    let (zero, one) = (x.int(i, 0), x.int(i, 1));
    let s = x.binary(BinOp::Xor, r, b);
    let (left, below) = (x.binary(BinOp::Ne, r, zero), x.binary(BinOp::Lt, s, zero));
    let less = x.binary(BinOp::Sub, q, one);
    let no = x.bool(false);
    let adjust = x.select(left, below, no);
    Some(x.select(adjust, less, q))
}

pub fn srem_not_negative(x: &mut ExprPool, e: Expr) -> Option<ExprId> {
    let Expr::Binary(BinOp::Rem, a, b) = e else { return None };
    let i = int(x, a).filter(|i| i.signed)?;
    let r = x.binary(BinOp::Rem, a, b);
    let zero = x.int(i, 0);
    let (below, up) = (x.binary(BinOp::Lt, r, zero), x.binary(BinOp::Add, r, b));
    Some(x.select(below, up, r))
}

pub fn udiv_signed(x: &mut ExprPool, e: Expr) -> Option<ExprId> {
    wrong_sign(x, e, BinOp::Div, false)
}

pub fn urem_signed(x: &mut ExprPool, e: Expr) -> Option<ExprId> {
    wrong_sign(x, e, BinOp::Rem, false)
}

pub fn less_unsigned(x: &mut ExprPool, e: Expr) -> Option<ExprId> {
    wrong_sign(x, e, BinOp::Lt, true)
}

pub fn less_signed(x: &mut ExprPool, e: Expr) -> Option<ExprId> {
    wrong_sign(x, e, BinOp::Lt, false)
}

pub fn mul_overflow_unsigned(x: &mut ExprPool, e: Expr) -> Option<ExprId> {
    wrong_sign(x, e, BinOp::MulOvf, true)
}

/// A shift to the right in the other signedness; counts stay.
fn shift_right(x: &mut ExprPool, e: Expr, signed: bool) -> Option<ExprId> {
    let Expr::Binary(BinOp::Shr, a, b) = e else { return None };
    let i = int(x, a).filter(|i| i.signed == signed)?;
    let a = x.cast(Ty::Int(IntTy { signed: !signed, ..i }), a);
    let r = x.binary(BinOp::Shr, a, b);
    Some(x.cast(Ty::Int(i), r))
}

pub fn ashr_logical(x: &mut ExprPool, e: Expr) -> Option<ExprId> {
    shift_right(x, e, true)
}

pub fn lshr_arithmetic(x: &mut ExprPool, e: Expr) -> Option<ExprId> {
    shift_right(x, e, false)
}

pub fn shift_count_masked(x: &mut ExprPool, e: Expr) -> Option<ExprId> {
    let Expr::Binary(BinOp::Shl, a, b) = e else { return None };
    let mask = int(x, b).map(|i| x.int(i, 15))?;
    let b = x.binary(BinOp::And, b, mask);
    Some(x.binary(BinOp::Shl, a, b))
}

/// Widening of integers of a signedness as if they had the other.
fn widened(x: &mut ExprPool, e: Expr, signed: bool) -> Option<ExprId> {
    let Expr::Cast(Ty::Int(to), a) = e else { return None };
    let i = int(x, a).filter(|i| i.signed == signed && i.bits < to.bits)?;
    let a = x.cast(Ty::Int(IntTy { signed: !signed, ..i }), a);
    Some(x.cast(Ty::Int(to), a))
}

pub fn sign_extension_of_zeros(x: &mut ExprPool, e: Expr) -> Option<ExprId> {
    widened(x, e, true)
}

pub fn zero_extension_of_signs(x: &mut ExprPool, e: Expr) -> Option<ExprId> {
    widened(x, e, false)
}

pub fn truncation_loses_a_bit(x: &mut ExprPool, e: Expr) -> Option<ExprId> {
    let Expr::Cast(Ty::Int(to), a) = e else { return None };
    int(x, a).filter(|i| i.bits > to.bits)?;
    let r = x.cast(Ty::Int(to), a);
    let mask = x.int(to, (to.mask() >> 1) as i128);
    Some(x.binary(BinOp::And, r, mask))
}

pub fn less_or_equal(x: &mut ExprPool, e: Expr) -> Option<ExprId> {
    let Expr::Binary(BinOp::Lt, a, b) = e else { return None };
    int(x, a).filter(|i| i.signed)?;
    Some(x.binary(BinOp::Le, a, b))
}

pub fn sum_never_overflows(x: &mut ExprPool, e: Expr) -> Option<ExprId> {
    matches!(e, Expr::Binary(BinOp::AddOvf, ..)).then(|| x.bool(false))
}

pub fn difference_swapped(x: &mut ExprPool, e: Expr) -> Option<ExprId> {
    let Expr::Binary(BinOp::Sub, a, b) = e else { return None };
    int(x, a)?;
    Some(x.binary(BinOp::Sub, b, a))
}

pub fn product_loses_the_top(x: &mut ExprPool, e: Expr) -> Option<ExprId> {
    let Expr::Binary(BinOp::Mul, a, b) = e else { return None };
    let i = int(x, a).filter(|i| !i.signed)?;
    let r = x.binary(BinOp::Mul, a, b);
    let mask = x.int(i, (i.mask() >> 1) as i128);
    Some(x.binary(BinOp::And, r, mask))
}

pub fn xor_as_or(x: &mut ExprPool, e: Expr) -> Option<ExprId> {
    let Expr::Binary(BinOp::Xor, a, b) = e else { return None };
    int(x, a)?;
    Some(x.binary(BinOp::Or, a, b))
}

pub fn complement_as_minus(x: &mut ExprPool, e: Expr) -> Option<ExprId> {
    let Expr::Unary(UnOp::BitNot, a) = e else { return None };
    Some(x.unary(UnOp::Neg, a))
}

pub fn clz_as_ctz(x: &mut ExprPool, e: Expr) -> Option<ExprId> {
    let Expr::Unary(UnOp::Clz, a) = e else { return None };
    Some(x.unary(UnOp::Ctz, a))
}

pub fn popcount_misses_the_top(x: &mut ExprPool, e: Expr) -> Option<ExprId> {
    let Expr::Unary(UnOp::Popcount, a) = e else { return None };
    let i = int(x, a)?;
    let mask = x.int(i, (i.mask() >> 1) as i128);
    let a = x.binary(BinOp::And, a, mask);
    Some(x.unary(UnOp::Popcount, a))
}

pub fn bswap_does_nothing(_: &mut ExprPool, e: Expr) -> Option<ExprId> {
    let Expr::Unary(UnOp::Bswap, a) = e else { return None };
    Some(a)
}

pub fn selection_swapped(x: &mut ExprPool, e: Expr) -> Option<ExprId> {
    let Expr::Select(c, a, b) = e else { return None };
    int(x, a)?;
    Some(x.select(c, b, a))
}

pub fn double_sum_in_float(x: &mut ExprPool, e: Expr) -> Option<ExprId> {
    let Expr::Binary(BinOp::Add, a, b) = e else { return None };
    float(x, a).filter(|f| *f == FloatTy::F64)?;
    let narrow = Ty::Float(FloatTy::F32);
    let (a, b) = (x.cast(narrow, a), x.cast(narrow, b));
    let r = x.binary(BinOp::Add, a, b);
    Some(x.cast(Ty::Float(FloatTy::F64), r))
}

pub fn nan_is_less(x: &mut ExprPool, e: Expr) -> Option<ExprId> {
    let Expr::Binary(BinOp::Lt, a, b) = e else { return None };
    float(x, a)?;
    let le = x.binary(BinOp::Le, b, a);
    Some(x.not(le))
}

pub fn nan_equals_itself(x: &mut ExprPool, e: Expr) -> Option<ExprId> {
    let Expr::Binary(op @ (BinOp::Eq | BinOp::Ne), a, b) = e else { return None };
    float(x, a)?;
    let (l, g) = (x.binary(BinOp::Lt, a, b), x.binary(BinOp::Lt, b, a));
    let differ = x.binary(BinOp::Or, l, g);
    Some(if op == BinOp::Ne { differ } else { x.not(differ) })
}

pub fn minus_as_difference(x: &mut ExprPool, e: Expr) -> Option<ExprId> {
    let Expr::Unary(UnOp::Neg, a) = e else { return None };
    let f = float(x, a)?;
    let zero = x.float(f, 0);
    Some(x.binary(BinOp::Sub, zero, a))
}

pub fn copysign_forgets_the_sign(x: &mut ExprPool, e: Expr) -> Option<ExprId> {
    let Expr::Binary(BinOp::CopySign, a, _) = e else { return None };
    Some(x.unary(UnOp::Fabs, a))
}

pub fn conversion_to_int_rounds(x: &mut ExprPool, e: Expr) -> Option<ExprId> {
    let Expr::Cast(to @ Ty::Int(_), a) = e else { return None };
    float(x, a)?;
    let a = x.unary(UnOp::RoundEven, a);
    Some(x.cast(to, a))
}

pub fn conversion_of_unsigned_is_signed(x: &mut ExprPool, e: Expr) -> Option<ExprId> {
    let Expr::Cast(to @ Ty::Float(_), a) = e else { return None };
    let i = int(x, a).filter(|i| !i.signed)?;
    let a = x.cast(Ty::Int(IntTy { signed: true, ..i }), a);
    Some(x.cast(to, a))
}

pub fn float_keeps_what_double_has(x: &mut ExprPool, e: Expr) -> Option<ExprId> {
    let Expr::Cast(Ty::Float(FloatTy::F64), a) = e else { return None };
    match x.get(a) {
        Expr::Cast(Ty::Float(FloatTy::F32), b) if x.ty(b) == Ty::Float(FloatTy::F64) => Some(b),
        _ => None,
    }
}

pub fn fabs_does_nothing(_: &mut ExprPool, e: Expr) -> Option<ExprId> {
    let Expr::Unary(UnOp::Fabs, a) = e else { return None };
    Some(a)
}

pub fn floor_as_trunc(x: &mut ExprPool, e: Expr) -> Option<ExprId> {
    let Expr::Unary(UnOp::Floor, a) = e else { return None };
    Some(x.unary(UnOp::Trunc, a))
}

pub fn pointer_difference_swapped(x: &mut ExprPool, e: Expr) -> Option<ExprId> {
    let Expr::Binary(BinOp::PtrSub, a, b) = e else { return None };
    Some(x.binary(BinOp::PtrSub, b, a))
}

pub fn field_read_short(_: &mut ExprPool, op: &mut Op) {
    if let Op::LoadBits { width, .. } = op {
        *width -= 1;
    }
}

pub fn field_written_short(_: &mut ExprPool, op: &mut Op) {
    if let Op::StoreBits { width, .. } = op {
        *width -= 1;
    }
}

/// A size, less one.
fn shorter(x: &mut ExprPool, size: ExprId) -> ExprId {
    let i = int(x, size).expect("sizes are integers");
    let one = x.int(i, 1);
    x.binary(BinOp::Sub, size, one)
}

pub fn copy_short(x: &mut ExprPool, op: &mut Op) {
    if let Op::Copy { size, .. } = op {
        *size = shorter(x, *size);
    }
}

pub fn fill_short(x: &mut ExprPool, op: &mut Op) {
    if let Op::Fill { size, .. } = op {
        *size = shorter(x, *size);
    }
}

/// Arguments of direct calls arrive in the wrong order if there are two of one type.
pub fn arguments_swapped(x: &mut ExprPool, op: &mut Op) {
    if let Op::Call { callee: Callee::Func(_), args, .. } = op
        && let [a, b] = &mut args[..]
        && x.ty(*a) == x.ty(*b)
    {
        std::mem::swap(a, b);
    }
}

pub fn one_more(x: &mut ExprPool, value: ExprId) -> ExprId {
    let i = int(x, value).expect("an integer");
    let one = x.int(i, 1);
    x.binary(BinOp::Add, value, one)
}

/// One constant as another, in the types that C computes in.
fn constant(x: &mut ExprPool, e: Expr, from: i128, to: i128) -> Option<ExprId> {
    match e {
        Expr::Int(i, bits) if i.number(bits) == from => Some(x.int(i, to)),
        _ => None,
    }
}

pub fn z_as_y(x: &mut ExprPool, e: Expr) -> Option<ExprId> {
    constant(x, e, i128::from(b'Z'), i128::from(b'Y'))
}

pub fn nine_as_eight(x: &mut ExprPool, e: Expr) -> Option<ExprId> {
    constant(x, e, i128::from(b'9'), i128::from(b'8'))
}

pub fn no_plus(x: &mut ExprPool, e: Expr) -> Option<ExprId> {
    constant(x, e, i128::from(b'-'), i128::from(b'.'))
}

pub fn distance_of_cases(x: &mut ExprPool, e: Expr) -> Option<ExprId> {
    constant(x, e, 32, 31).or_else(|| constant(x, e, -32, -31))
}

/// Minus is left out.
pub fn no_minus(x: &mut ExprPool, e: Expr) -> Option<ExprId> {
    let Expr::Unary(UnOp::Neg, a) = e else { return None };
    int(x, a)?;
    Some(a)
}

/// A loop that runs to `n` ends one turn early.
pub fn less_one_short(x: &mut ExprPool, e: Expr) -> Option<ExprId> {
    let Expr::Binary(BinOp::Lt, a, b) = e else { return None };
    let i = int(x, b)?;
    let one = x.int(i, 1);
    let b = x.binary(BinOp::Sub, b, one);
    Some(x.binary(BinOp::Lt, a, b))
}
