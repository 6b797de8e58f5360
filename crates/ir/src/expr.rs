//! Pure typed expressions, hash-consed for the whole program.
//!
//! Building an expression folds constants through the one definition in
//! `cairn_value`, but only where the operation is defined: an undefined
//! `1 / 0` stays in the program to be met when it is executed. For the same
//! reason no simplification drops a subexpression that may be undefined.

use cairn_base::{DataModel, entity_impl};
use cairn_value::{BinOp, Bits, FloatTy, IntTy, Ty, UnOp, eval, ops};
use rustc_hash::FxHashMap;

use crate::{FuncId, LabelId, ObjId, VarId};

#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExprId(u32);
entity_impl!(ExprId, "x");

#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Expr {
    /// A constant of an integer type, as a bit pattern.
    Int(IntTy, Bits),
    Bool(bool),
    Float(FloatTy, Bits),
    /// An address given as a number; 0 is the null pointer.
    Ptr(u64),
    Var(VarId),
    /// The address of an object (of the running instance of its function, for a local).
    Addr(ObjId),
    Func(FuncId),
    Label(LabelId),
    Unary(UnOp, ExprId),
    Binary(BinOp, ExprId, ExprId),
    Cast(Ty, ExprId),
    /// `cond ? then : else`. Only the chosen side is evaluated.
    Select(ExprId, ExprId, ExprId),
}

/// All expressions of a program. Equal expressions have equal ids.
#[derive(Clone, Debug)]
pub struct ExprPool {
    model: DataModel,
    nodes: Vec<(Expr, Node)>,
    ids: FxHashMap<Expr, ExprId>,
    /// Types of the variables, which the pool cannot know otherwise.
    vars: Vec<Ty>,
}

#[derive(Copy, Clone, Debug)]
struct Node {
    ty: Ty,
    /// Evaluation is defined whatever the variables hold (if they are initialised).
    total: bool,
}

impl ExprPool {
    pub fn new(model: DataModel) -> ExprPool {
        ExprPool { model, nodes: Vec::new(), ids: FxHashMap::default(), vars: Vec::new() }
    }

    pub fn get(&self, e: ExprId) -> Expr {
        self.nodes[e.0 as usize].0
    }

    pub fn ty(&self, e: ExprId) -> Ty {
        self.nodes[e.0 as usize].1.ty
    }

    /// Is evaluation defined for all values of the variables?
    pub fn is_total(&self, e: ExprId) -> bool {
        self.nodes[e.0 as usize].1.total
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = (ExprId, Expr)> + '_ {
        self.nodes.iter().enumerate().map(|(i, n)| (ExprId(i as u32), n.0))
    }

    fn intern(&mut self, e: Expr, ty: Ty, total: bool) -> ExprId {
        if let Some(&id) = self.ids.get(&e) {
            return id;
        }
        let id = ExprId(self.nodes.len() as u32);
        self.nodes.push((e, Node { ty, total }));
        self.ids.insert(e, id);
        id
    }

    pub fn int(&mut self, ty: IntTy, v: i128) -> ExprId {
        self.intern(Expr::Int(ty, ty.wrap(v)), Ty::Int(ty), true)
    }

    pub fn bool(&mut self, v: bool) -> ExprId {
        self.intern(Expr::Bool(v), Ty::Bool, true)
    }

    pub fn float(&mut self, ty: FloatTy, bits: Bits) -> ExprId {
        self.intern(Expr::Float(ty, bits), Ty::Float(ty), true)
    }

    pub fn ptr(&mut self, address: u64) -> ExprId {
        self.intern(Expr::Ptr(address), Ty::Ptr, true)
    }

    /// A constant of any type from its bit pattern.
    pub fn constant(&mut self, ty: Ty, bits: Bits) -> ExprId {
        match ty {
            Ty::Bool => self.bool(bits != 0),
            Ty::Int(i) => self.intern(Expr::Int(i, bits & i.mask()), ty, true),
            Ty::Float(f) => self.float(f, bits),
            Ty::Ptr => self.ptr(bits as u64),
        }
    }

    /// The variable must have been made by [`crate::Program::new_var`], which records its type.
    pub fn var(&mut self, v: VarId) -> ExprId {
        let ty = self.vars[v.as_u32() as usize];
        self.intern(Expr::Var(v), ty, true)
    }

    pub fn declare_var(&mut self, v: VarId, ty: Ty) {
        debug_assert_eq!(v.as_u32() as usize, self.vars.len());
        self.vars.push(ty);
    }

    pub fn addr(&mut self, o: ObjId) -> ExprId {
        self.intern(Expr::Addr(o), Ty::Ptr, true)
    }

    pub fn func(&mut self, f: FuncId) -> ExprId {
        self.intern(Expr::Func(f), Ty::Ptr, true)
    }

    pub fn label(&mut self, l: LabelId) -> ExprId {
        self.intern(Expr::Label(l), Ty::Ptr, true)
    }

    /// The bit pattern if `e` is a constant of a scalar type (addresses of objects are not).
    pub fn const_bits(&self, e: ExprId) -> Option<Bits> {
        match self.get(e) {
            Expr::Int(_, b) | Expr::Float(_, b) => Some(b),
            Expr::Bool(b) => Some(b.into()),
            Expr::Ptr(p) => Some(p.into()),
            _ => None,
        }
    }

    pub fn unary(&mut self, op: UnOp, a: ExprId) -> ExprId {
        let ta = self.ty(a);
        let ty = op.result(ta).unwrap_or_else(|| panic!("{op:?} of {ta}"));
        if let Some(x) = self.const_bits(a)
            && let Ok(v) = eval::unary(op, ta, x)
            && !eval::unary_is_open(op, ty, v)
        {
            return self.constant(ty, v);
        }
        match (op, self.get(a)) {
            (UnOp::Not, Expr::Unary(UnOp::Not, x)) => return x,
            (UnOp::Not, Expr::Binary(BinOp::Eq, x, y)) => return self.binary(BinOp::Ne, x, y),
            (UnOp::Not, Expr::Binary(BinOp::Ne, x, y)) => return self.binary(BinOp::Eq, x, y),
            (UnOp::Not, Expr::Binary(cmp @ (BinOp::Lt | BinOp::Le), x, y))
                if !matches!(self.ty(x), Ty::Float(_)) =>
            {
                let dual = if cmp == BinOp::Lt { BinOp::Le } else { BinOp::Lt };
                return self.binary(dual, y, x);
            }
            _ => {}
        }
        let total = self.unary_is_total(op, a);
        self.intern(Expr::Unary(op, a), ty, total)
    }

    fn unary_is_total(&self, op: UnOp, a: ExprId) -> bool {
        self.is_total(a) && !matches!(op, UnOp::Clz | UnOp::Ctz)
    }

    pub fn not(&mut self, a: ExprId) -> ExprId {
        self.unary(UnOp::Not, a)
    }

    pub fn binary(&mut self, op: BinOp, a: ExprId, b: ExprId) -> ExprId {
        let (ta, tb) = (self.ty(a), self.ty(b));
        let ty = op.result(ta, tb, self.model).unwrap_or_else(|| panic!("{op:?} of {ta} and {tb}"));
        let (ca, cb) = (self.const_bits(a), self.const_bits(b));
        if let (Some(x), Some(y)) = (ca, cb)
            && !(matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Shl)
                && eval::overflows(op, ta, x, y))
            && let Ok(v) = eval::binary(op, ta, tb, x, y, self.model)
            && !eval::binary_is_open(op, ty, x, y, v)
        {
            return self.constant(ty, v);
        }
        if let Some(e) = self.simplify(op, a, b, ca, cb) {
            return e;
        }
        let total = self.binary_is_total(op, a, b);
        self.intern(Expr::Binary(op, a, b), ty, total)
    }

    fn binary_is_total(&self, op: BinOp, a: ExprId, b: ExprId) -> bool {
        let divisor = self.const_bits(b);
        let defined = match (op, self.ty(a), self.ty(b)) {
            (BinOp::Div | BinOp::Rem, _, Ty::Int(i)) => {
                divisor.is_some_and(|y| y != 0 && (!i.signed || y != i.mask()))
            }
            (BinOp::Shl | BinOp::Shr, Ty::Int(l), Ty::Int(r)) => {
                divisor.is_some_and(|y| (0..i128::from(l.bits)).contains(&r.number(y)))
            }
            _ => true,
        };
        defined && self.is_total(a) && self.is_total(b)
    }

    /// Interns a node as it stands, without folding or simplifying; `None` if it is ill-typed, a
    /// constant exceeds its type, or it refers to a variable or an operand that does not exist.
    /// For readers of stored programs and for passes that rename.
    pub fn raw(&mut self, e: Expr) -> Option<ExprId> {
        let known = |x: ExprId| (x.0 as usize) < self.nodes.len();
        let (ty, total) = match e {
            Expr::Int(i, bits) => {
                let fits = (1..=128).contains(&i.bits) && bits & !i.mask() == 0;
                (fits.then_some(Ty::Int(i))?, true)
            }
            Expr::Bool(_) => (Ty::Bool, true),
            Expr::Float(f, bits) => {
                let fits = f.bits() == 128 || bits >> f.bits() == 0;
                (fits.then_some(Ty::Float(f))?, true)
            }
            Expr::Ptr(p) => {
                let fits = self.model.ptr_bits() == 64 || p >> self.model.ptr_bits() == 0;
                (fits.then_some(Ty::Ptr)?, true)
            }
            Expr::Var(v) => (*self.vars.get(v.as_u32() as usize)?, true),
            Expr::Addr(_) | Expr::Func(_) | Expr::Label(_) => (Ty::Ptr, true),
            Expr::Unary(op, a) => {
                let ty = op.result(known(a).then(|| self.ty(a))?)?;
                (ty, self.unary_is_total(op, a))
            }
            Expr::Binary(op, a, b) => {
                let (ta, tb) = (known(a).then(|| self.ty(a))?, known(b).then(|| self.ty(b))?);
                (op.result(ta, tb, self.model)?, self.binary_is_total(op, a, b))
            }
            Expr::Cast(to, a) => {
                let from = known(a).then(|| self.ty(a))?;
                (ops::can_cast(from, to).then_some(to)?, self.cast_is_total(to, a))
            }
            Expr::Select(c, t, f) => {
                let ok =
                    known(c) && known(t) && known(f) && self.ty(c) == Ty::Bool && self.ty(t) == self.ty(f);
                let ty = ok.then(|| self.ty(t))?;
                (ty, self.is_total(c) && self.is_total(t) && self.is_total(f))
            }
        };
        Some(self.intern(e, ty, total))
    }

    /// Identities that lose no undefined behaviour.
    fn simplify(
        &mut self,
        op: BinOp,
        a: ExprId,
        b: ExprId,
        ca: Option<Bits>,
        cb: Option<Bits>,
    ) -> Option<ExprId> {
        use BinOp::*;
        let is_int = matches!(self.ty(a), Ty::Int(_));
        match op {
            Add if is_int && cb == Some(0) => Some(a),
            Add if is_int && ca == Some(0) => Some(b),
            Sub | Shl | Shr | Or | Xor if is_int && cb == Some(0) => Some(a),
            Or | Xor if is_int && ca == Some(0) => Some(b),
            Mul | Div if is_int && cb == Some(1) => Some(a),
            Mul if is_int && ca == Some(1) => Some(b),
            PtrAdd if cb == Some(0) => Some(a),
            // (p + c1) + c2 = p + (c1 + c2)
            PtrAdd => match (self.get(a), cb) {
                (Expr::Binary(PtrAdd, p, c1), Some(c2)) if self.const_bits(c1).is_some() => {
                    let ty = IntTy::diff(self.model);
                    let sum = ty.number(self.const_bits(c1)?).wrapping_add(ty.number(c2));
                    let sum = self.int(ty, sum);
                    Some(self.binary(PtrAdd, p, sum))
                }
                _ => None,
            },
            And if self.ty(a) == Ty::Bool => match (ca, cb) {
                (Some(1), _) => Some(b),
                (_, Some(1)) => Some(a),
                _ => None,
            },
            Or if self.ty(a) == Ty::Bool => match (ca, cb) {
                (Some(0), _) => Some(b),
                (_, Some(0)) => Some(a),
                _ => None,
            },
            // (int)bool compared with 0 or 1 is the bool or its negation.
            Eq | Ne if is_int => match (self.get(a), cb) {
                (Expr::Cast(_, x), Some(c)) if self.ty(x) == Ty::Bool && c <= 1 => {
                    Some(if (op == Ne) == (c == 0) { x } else { self.not(x) })
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Converts to `to`; the identity if `e` has that type already.
    pub fn cast(&mut self, to: Ty, a: ExprId) -> ExprId {
        let from = self.ty(a);
        if from == to {
            return a;
        }
        assert!(ops::can_cast(from, to), "cast of {from} to {to}");
        if let Some(x) = self.const_bits(a)
            && let Ok(v) = eval::cast(from, to, x, self.model)
        {
            return self.constant(to, v);
        }
        // A widening that is undone, or followed by another conversion, needs only one step.
        if let Expr::Cast(Ty::Int(mid), x) = self.get(a)
            && let (Ty::Int(src), Ty::Int(dst)) = (self.ty(x), to)
            && mid.bits >= src.bits
            && (dst.bits <= src.bits || mid.signed == src.signed || (!src.signed && mid.bits > src.bits))
        {
            return self.cast(Ty::Int(dst), x);
        }
        if let Expr::Cast(Ty::Int(_), x) = self.get(a)
            && self.ty(x) == Ty::Bool
            && let Ty::Int(dst) = to
            && dst.bits > 1
        {
            return self.cast(to, x);
        }
        let total = self.cast_is_total(to, a);
        self.intern(Expr::Cast(to, a), to, total)
    }

    fn cast_is_total(&self, to: Ty, a: ExprId) -> bool {
        self.is_total(a) && !matches!((self.ty(a), to), (Ty::Float(_), Ty::Int(_)))
    }

    pub fn select(&mut self, c: ExprId, t: ExprId, e: ExprId) -> ExprId {
        assert_eq!(self.ty(c), Ty::Bool);
        assert_eq!(self.ty(t), self.ty(e));
        match self.get(c) {
            Expr::Bool(true) => return t,
            Expr::Bool(false) => return e,
            _ => {}
        }
        let ty = self.ty(t);
        if ty == Ty::Bool && self.get(t) == Expr::Bool(true) && self.get(e) == Expr::Bool(false) {
            return c;
        }
        let total = self.is_total(c) && self.is_total(t) && self.is_total(e);
        self.intern(Expr::Select(c, t, e), ty, total)
    }

    /// The direct operands, in order.
    pub fn children(&self, e: ExprId) -> smallvec::SmallVec<[ExprId; 3]> {
        match self.get(e) {
            Expr::Unary(_, a) | Expr::Cast(_, a) => smallvec::smallvec![a],
            Expr::Binary(_, a, b) => smallvec::smallvec![a, b],
            Expr::Select(a, b, c) => smallvec::smallvec![a, b, c],
            _ => smallvec::smallvec![],
        }
    }

    /// Calls `f` on every variable that occurs in `e` (once per distinct subexpression).
    pub fn each_var(&self, e: ExprId, f: &mut dyn FnMut(VarId)) {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut work = vec![e];
        while let Some(x) = work.pop() {
            if !seen.insert(x) {
                continue;
            }
            if let Expr::Var(v) = self.get(x) {
                f(v);
            }
            work.extend(self.children(x));
        }
    }
}
