//! Which objects a pointer may point to, whatever the order of execution.
//!
//! Inclusion-based as Andersen's analysis, one set for each variable and one for
//! the contents of each abstract object. Integers carry addresses like pointers
//! do, since a cast, a copy byte by byte or a union may turn one into the other.
//!
//! What it takes for granted is what C says of pointers: arithmetic on a pointer
//! stays in its object. Only differences between pointers that may belong to
//! different objects are tracked on their way to another addition. No address is
//! made out of numbers that do not come from one, except that an unknown value
//! (an input) that becomes a pointer may point anywhere.

mod constraints;
mod solver;

use cairn_base::Budget;
use cairn_ir::{
    BinOp, Callee, EdgeId, Expr, ExprId, FuncId, LabelId, ObjId, ObjKind, Op, Program, Ty, UnOp, VarId,
};
use rustc_hash::FxHashMap;

use constraints::Generator;
use solver::{Node, Solver, Token};

/// The token of an address of which nothing is known.
pub(crate) const UNKNOWN: Token = 0;

/// An abstract object: all instances with one origin.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AbstractObject {
    Object(ObjId),
    /// What an `Alloc` edge made.
    Alloc(EdgeId),
    Func(FuncId),
    Label(LabelId),
    /// What the entry's pointer parameters lead to.
    Arguments,
}

/// What a pointer may point to. Null and other addresses of nothing are not mentioned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Targets {
    /// Any object and any function.
    Any,
    /// Ascending.
    Set(Vec<AbstractObject>),
}

impl Targets {
    pub const NONE: Targets = Targets::Set(Vec::new());

    pub fn may_be(&self, t: AbstractObject) -> bool {
        match self {
            Targets::Any => true,
            Targets::Set(s) => s.binary_search(&t).is_ok(),
        }
    }

    /// The only target, if there is just one.
    pub fn only(&self) -> Option<AbstractObject> {
        match self {
            Targets::Set(s) if s.len() == 1 => Some(s[0]),
            _ => None,
        }
    }

    pub fn is_none(&self) -> bool {
        matches!(self, Targets::Set(s) if s.is_empty())
    }

    pub fn add(&mut self, more: &Targets) {
        match (&mut *self, more) {
            (Targets::Any, _) => {}
            (_, Targets::Any) => *self = Targets::Any,
            (Targets::Set(a), Targets::Set(b)) => {
                a.extend_from_slice(b);
                a.sort_unstable();
                a.dedup();
            }
        }
    }
}

/// The addresses that a value may carry: those it may be, those whose differences it may be, and
/// whether it may be an unknown number.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
struct Carried {
    address: Option<Node>,
    difference: Option<Node>,
    unknown: Option<Node>,
}

pub struct PointsTo {
    /// Tokens from 1 on.
    targets: Vec<AbstractObject>,
    numbers: FxHashMap<AbstractObject, Token>,
    solver: Solver,
    /// By number of the expression.
    exprs: Vec<Carried>,
    vars: Vec<Carried>,
    contents: Vec<[Node; 2]>,
    /// The work was too much: everything may point anywhere.
    gave_up: bool,
}

impl PointsTo {
    /// If the budget ends it early, everything may point anywhere.
    pub fn new(p: &Program, budget: &Budget) -> PointsTo {
        Generator::new(p).run(budget)
    }

    fn read(&self, n: Option<Node>) -> Targets {
        let Some(n) = n else { return Targets::NONE };
        let set = self.solver.set(n);
        if self.gave_up || set.first() == Some(&UNKNOWN) {
            return Targets::Any;
        }
        let mut all: Vec<AbstractObject> = set.iter().map(|&t| self.targets[t as usize - 1]).collect();
        all.sort_unstable();
        Targets::Set(all)
    }

    /// What the value of an expression may point to; for an integer, if it were cast to a pointer.
    /// The expression may be younger than the analysis.
    pub fn pointees(&self, p: &Program, e: ExprId) -> Targets {
        if self.gave_up {
            return Targets::Any;
        }
        if let Some(c) = self.exprs.get(e.as_u32() as usize) {
            return self.all(*c);
        }
        let mut found = Targets::NONE;
        match p.exprs.get(e) {
            Expr::Var(v) => return self.var(v),
            Expr::Addr(o) => return Targets::Set(vec![AbstractObject::Object(o)]),
            Expr::Func(f) => return Targets::Set(vec![AbstractObject::Func(f)]),
            Expr::Label(l) => return Targets::Set(vec![AbstractObject::Label(l)]),
            Expr::Ptr(n) if !constraints::is_no_address(p, n) => return Targets::Any,
            Expr::Unary(op, a) if !matches!(op, UnOp::Not | UnOp::IsNan | UnOp::IsInf | UnOp::SignBit) => {
                found.add(&self.pointees(p, a));
            }
            Expr::Binary(BinOp::PtrAdd, a, b) => {
                found.add(&self.pointees(p, a));
                match self.exprs.get(b.as_u32() as usize) {
                    Some(c) => found.add(&self.read(c.difference)),
                    None => p.exprs.each_var(b, &mut |v| {
                        let c = self.vars.get(v.as_u32() as usize).copied().unwrap_or_default();
                        found.add(&self.read(c.difference));
                        if p.vars[v].ty == Ty::Ptr {
                            found.add(&self.read(c.address));
                        }
                    }),
                }
            }
            Expr::Binary(_, a, b) if p.ty(e) != Ty::Bool => {
                found.add(&self.pointees(p, a));
                found.add(&self.pointees(p, b));
            }
            Expr::Cast(_, a) => found.add(&self.pointees(p, a)),
            Expr::Select(_, a, b) => {
                found.add(&self.pointees(p, a));
                found.add(&self.pointees(p, b));
            }
            _ => {}
        }
        found
    }

    fn all(&self, c: Carried) -> Targets {
        let mut found = self.read(c.address);
        found.add(&self.read(c.difference));
        found.add(&self.read(c.unknown));
        found
    }

    /// What the value of a variable may point to.
    pub fn var(&self, v: VarId) -> Targets {
        match self.vars.get(v.as_u32() as usize) {
            Some(c) if !self.gave_up => self.all(*c),
            _ => Targets::Any,
        }
    }

    /// What pointers stored in an object may point to.
    pub fn contents(&self, t: AbstractObject) -> Targets {
        match self.numbers.get(&t) {
            Some(&n) if !self.gave_up => {
                let [address, difference] = self.contents[n as usize];
                let mut found = self.read(Some(address));
                found.add(&self.read(Some(difference)));
                found
            }
            _ => Targets::Any,
        }
    }

    /// The objects that the operation of an edge may write to (not those that a callee writes
    /// to). Constant objects and code cannot be written.
    pub fn written(&self, p: &Program, e: EdgeId) -> Targets {
        let found = match &p.edges[e].op {
            Op::Store { addr, .. } | Op::StoreBits { addr, .. } => self.pointees(p, *addr),
            Op::Copy { dst, .. } | Op::Fill { dst, .. } => self.pointees(p, *dst),
            Op::Call { callee: Callee::Builtin(b), args, .. } => {
                use cairn_ir::Builtin::*;
                match (b, &args[..]) {
                    (Snprintf, [buf, ..]) => self.pointees(p, *buf),
                    (Strtod(_), [_, end]) => self.pointees(p, *end),
                    _ => Targets::NONE,
                }
            }
            _ => Targets::NONE,
        };
        match found {
            Targets::Any => Targets::Any,
            Targets::Set(mut all) => {
                all.retain(|t| match t {
                    AbstractObject::Object(o) => p.objects[*o].kind != ObjKind::Const,
                    AbstractObject::Alloc(_) | AbstractObject::Arguments => true,
                    AbstractObject::Func(_) | AbstractObject::Label(_) => false,
                });
                Targets::Set(all)
            }
        }
    }

    /// The allocated objects that the operation of an edge may end.
    pub fn freed(&self, p: &Program, e: EdgeId) -> Targets {
        let Op::Free { ptr, .. } = &p.edges[e].op else { return Targets::NONE };
        match self.pointees(p, *ptr) {
            Targets::Any => Targets::Any,
            Targets::Set(mut all) => {
                all.retain(|t| matches!(t, AbstractObject::Alloc(_)));
                Targets::Set(all)
            }
        }
    }

    /// The functions that a call may enter (those without a body among them), ascending.
    pub fn callees(&self, p: &Program, e: EdgeId) -> Vec<FuncId> {
        match &p.edges[e].op {
            Op::Call { callee: Callee::Func(f), .. } => vec![*f],
            Op::Call { callee: Callee::Ptr { target, sig }, .. } => match self.pointees(p, *target) {
                Targets::Any => p.funcs.iter().filter(|(_, f)| f.sig == **sig).map(|(f, _)| f).collect(),
                Targets::Set(all) => all
                    .into_iter()
                    .filter_map(|t| match t {
                        AbstractObject::Func(f) if p.funcs[f].sig == **sig => Some(f),
                        _ => None,
                    })
                    .collect(),
            },
            _ => Vec::new(),
        }
    }
}
