//! Looking through operations: what an operation reads, what it writes, and
//! renaming of everything in it. Every analysis and pass goes through here, so
//! that a new operation has one place to say what it touches.

use rustc_hash::FxHashMap;

use crate::{Callee, Expr, ExprId, ExprPool, LabelId, ObjId, Op, Program, VarId};

impl Op {
    /// The variable that the operation assigns.
    pub fn def(&self) -> Option<VarId> {
        match *self {
            Op::Assign { dst, .. }
            | Op::Load { dst, .. }
            | Op::LoadBits { dst, .. }
            | Op::Alloc { dst, .. }
            | Op::Input { dst, .. } => Some(dst),
            Op::Call { dst, .. } => dst,
            _ => None,
        }
    }

    /// Replaces the variable that the operation assigns.
    pub fn map_def(&mut self, mut f: impl FnMut(VarId) -> VarId) {
        match self {
            Op::Assign { dst, .. }
            | Op::Load { dst, .. }
            | Op::LoadBits { dst, .. }
            | Op::Alloc { dst, .. }
            | Op::Input { dst, .. } => *dst = f(*dst),
            Op::Call { dst: Some(dst), .. } => *dst = f(*dst),
            _ => {}
        }
    }

    /// Calls `f` on each expression that the operation evaluates, in the order it does.
    pub fn each_expr(&self, mut f: impl FnMut(ExprId)) {
        match self {
            Op::Nop | Op::Begin { .. } | Op::End { .. } | Op::Input { .. } | Op::Trap(_) => {}
            Op::Assign { value, .. } => f(*value),
            Op::Assume { cond, .. } => f(*cond),
            Op::Load { addr, .. } | Op::LoadBits { addr, .. } => f(*addr),
            Op::Store { addr, value } | Op::StoreBits { addr, value, .. } => {
                f(*addr);
                f(*value);
            }
            Op::Copy { dst, src, size, .. } => {
                f(*dst);
                f(*src);
                f(*size);
            }
            Op::Fill { dst, byte, size } => {
                f(*dst);
                f(*byte);
                f(*size);
            }
            Op::Alloc { size, .. } => f(*size),
            Op::Free { ptr, .. } => f(*ptr),
            Op::Call { callee, args, .. } => {
                if let Callee::Ptr { target, .. } = callee {
                    f(*target);
                }
                args.iter().copied().for_each(f);
            }
            Op::Return { value } => value.iter().copied().for_each(f),
        }
    }

    /// Replaces each expression of the operation.
    pub fn map_exprs(&mut self, mut f: impl FnMut(ExprId) -> ExprId) {
        match self {
            Op::Nop | Op::Begin { .. } | Op::End { .. } | Op::Input { .. } | Op::Trap(_) => {}
            Op::Assign { value, .. } => *value = f(*value),
            Op::Assume { cond, .. } => *cond = f(*cond),
            Op::Load { addr, .. } | Op::LoadBits { addr, .. } => *addr = f(*addr),
            Op::Store { addr, value } | Op::StoreBits { addr, value, .. } => {
                *addr = f(*addr);
                *value = f(*value);
            }
            Op::Copy { dst, src, size, .. } => {
                *dst = f(*dst);
                *src = f(*src);
                *size = f(*size);
            }
            Op::Fill { dst, byte, size } => {
                *dst = f(*dst);
                *byte = f(*byte);
                *size = f(*size);
            }
            Op::Alloc { size, .. } => *size = f(*size),
            Op::Free { ptr, .. } => *ptr = f(*ptr),
            Op::Call { callee, args, .. } => {
                if let Callee::Ptr { target, .. } = callee {
                    *target = f(*target);
                }
                args.iter_mut().for_each(|a| *a = f(*a));
            }
            Op::Return { value } => value.iter_mut().for_each(|v| *v = f(*v)),
        }
    }

    /// Can control come out of this operation at all?
    pub fn returns(&self) -> bool {
        match self {
            Op::Trap(_) => false,
            Op::Call { callee: Callee::Builtin(b), .. } => b.returns(),
            _ => true,
        }
    }
}

/// The variables that each expression reads, remembered for the whole program: the same
/// expression is asked for over and over, and shared subexpressions must be seen only once.
pub struct VarsOf<'p> {
    pool: &'p ExprPool,
    known: FxHashMap<ExprId, Box<[VarId]>>,
}

impl<'p> VarsOf<'p> {
    pub fn new(pool: &'p ExprPool) -> VarsOf<'p> {
        VarsOf { pool, known: FxHashMap::default() }
    }

    /// The distinct variables in `e`, ascending.
    pub fn expr(&mut self, e: ExprId) -> &[VarId] {
        let pool = self.pool;
        self.known.entry(e).or_insert_with(|| {
            let mut vars = Vec::new();
            pool.each_var(e, &mut |v| vars.push(v));
            vars.sort_unstable();
            vars.into()
        })
    }

    /// Calls `f` on the variables that `op` reads (a variable may come more than once).
    pub fn op(&mut self, op: &Op, mut f: impl FnMut(VarId)) {
        op.each_expr(|e| self.expr(e).iter().copied().for_each(&mut f));
    }
}

/// Rewrites expressions of one pool into another (or the same) under a renaming of the leaves,
/// keeping their shape. Iterative, so that depth costs no stack.
pub struct Rename<V, O, L> {
    pub var: V,
    pub obj: O,
    pub label: L,
    memo: FxHashMap<ExprId, ExprId>,
}

impl<V, O, L> Rename<V, O, L>
where
    V: FnMut(VarId) -> VarId,
    O: FnMut(ObjId) -> ObjId,
    L: FnMut(LabelId) -> LabelId,
{
    pub fn new(var: V, obj: O, label: L) -> Self {
        Rename { var, obj, label, memo: FxHashMap::default() }
    }

    /// The image of `e` of pool `from` in pool `to`, whose variables must have the same types.
    pub fn expr(&mut self, from: &ExprPool, to: &mut ExprPool, e: ExprId) -> ExprId {
        let mut work = vec![e];
        while let Some(&x) = work.last() {
            if self.memo.contains_key(&x) {
                work.pop();
                continue;
            }
            let before = work.len();
            work.extend(from.children(x).into_iter().filter(|c| !self.memo.contains_key(c)));
            if work.len() > before {
                continue;
            }
            work.pop();
            let new = |c: ExprId| self.memo[&c];
            let node = match from.get(x) {
                Expr::Var(v) => Expr::Var((self.var)(v)),
                Expr::Addr(o) => Expr::Addr((self.obj)(o)),
                Expr::Label(l) => Expr::Label((self.label)(l)),
                Expr::Unary(op, a) => Expr::Unary(op, new(a)),
                Expr::Binary(op, a, b) => Expr::Binary(op, new(a), new(b)),
                Expr::Cast(ty, a) => Expr::Cast(ty, new(a)),
                Expr::Select(c, t, f) => Expr::Select(new(c), new(t), new(f)),
                leaf @ (Expr::Int(..) | Expr::Bool(_) | Expr::Float(..) | Expr::Ptr(_) | Expr::Func(_)) => {
                    leaf
                }
            };
            let image = to.raw(node).expect("renaming keeps types");
            self.memo.insert(x, image);
        }
        self.memo[&e]
    }
}

/// An expression of one pool in another one of the same program.
pub fn copy(from: &ExprPool, to: &mut ExprPool, e: ExprId) -> ExprId {
    Rename::new(|v| v, |o| o, |l| l).expr(from, to, e)
}

impl Program {
    /// Every expression that the program refers to: initial values of globals, then operations.
    pub fn each_root(&self, mut f: impl FnMut(ExprId)) {
        for var in self.vars.values() {
            if let crate::VarKind::Global { init } = var.kind {
                f(init);
            }
        }
        for edge in self.edges.values() {
            edge.op.each_expr(&mut f);
        }
    }
}
