//! What a loop may change, with everything it calls: the ground of every
//! induction step. The sets are supersets, found without regard to the order
//! of operations; through which pointers a loop writes is followed through
//! variables, parameters and results, and unknown as soon as a pointer comes
//! out of memory.

use std::collections::{BTreeMap, BTreeSet};

use cairn_ir::callgraph::CallGraph;
use cairn_ir::{
    AllocKind, BinOp, Builtin, Callee, EdgeId, Expr, ExprId, FuncId, LocId, ObjId, Op, Program, Ty, VarId,
};
use rustc_hash::FxHashSet;

/// Where a pointer of the loop comes from.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Source {
    /// The address of an object of the program.
    Object(ObjId),
    /// The value a variable had when the loop was entered.
    Entry(VarId),
    /// Memory, input, or a number.
    Any,
}

#[derive(Clone, Debug, Default)]
pub struct Effects {
    /// Globals, and variables of the loop's function.
    pub vars: BTreeSet<VarId>,
    /// What pointers that are written through come from.
    pub writes: BTreeSet<Source>,
    /// What pointers that are freed come from.
    pub frees: BTreeSet<Source>,
    /// Something is allocated.
    pub allocates: bool,
    /// Objects of the loop's function whose lives the loop begins or ends.
    pub lives: BTreeSet<ObjId>,
}

/// The effects of the edges within `body`, locations of `f`.
pub fn effects(p: &Program, calls: &CallGraph, f: FuncId, body: &FxHashSet<LocId>) -> Effects {
    let mut own: Vec<EdgeId> = body.iter().flat_map(|&l| p.locs[l].out.iter().copied()).collect();
    own.sort_unstable();
    let mut entered: BTreeSet<FuncId> = BTreeSet::new();
    for c in calls.calls(f).iter().filter(|c| body.contains(&p.edges[c.edge].src)) {
        for &g in &c.targets {
            entered.extend(calls.reachable(g));
        }
    }
    let mut all: Vec<(FuncId, EdgeId)> = own.iter().map(|&e| (f, e)).collect();
    for &g in &entered {
        all.extend(p.funcs[g].body.iter().flat_map(|b| &b.edges).map(|&e| (g, e)));
    }
    let mut flow = Flow { p, calls, f, points: BTreeMap::new(), changed: true };
    while flow.changed {
        flow.changed = false;
        for &(g, e) in &all {
            flow.edge(g, e);
        }
    }
    let mut out = Effects::default();
    for &(_, e) in &all {
        let op = &p.edges[e].op;
        if let Some(v) = op.def()
            && p.vars[v].owner.is_none_or(|o| o == f)
        {
            out.vars.insert(v);
        }
        match op {
            Op::Store { addr, .. } | Op::StoreBits { addr, .. } => out.writes.extend(flow.roots(*addr)),
            Op::Copy { dst, .. } | Op::Fill { dst, .. } => out.writes.extend(flow.roots(*dst)),
            Op::Call { callee: Callee::Builtin(Builtin::Snprintf), args, .. } => {
                out.writes.extend(flow.roots(args[0]));
            }
            Op::Call { callee: Callee::Builtin(Builtin::Strtod(_)), args, .. } => {
                out.writes.extend(flow.roots(args[1]));
            }
            Op::Alloc { .. } => out.allocates = true,
            Op::Free { ptr, kind: AllocKind::Heap | AllocKind::Vla | AllocKind::Alloca } => {
                out.frees.extend(flow.roots(*ptr));
            }
            _ => {}
        }
    }
    for &e in &own {
        if let Op::Begin { obj } | Op::End { obj } = p.edges[e].op {
            out.lives.insert(obj);
        }
    }
    out
}

struct Flow<'p> {
    p: &'p Program,
    calls: &'p CallGraph,
    f: FuncId,
    points: BTreeMap<VarId, BTreeSet<Source>>,
    changed: bool,
}

impl Flow<'_> {
    fn add(&mut self, v: VarId, sources: BTreeSet<Source>) {
        if self.p.vars[v].ty != Ty::Ptr {
            return;
        }
        let known = self.points.entry(v).or_default();
        let before = known.len();
        known.extend(sources);
        self.changed |= known.len() > before;
    }

    fn edge(&mut self, g: FuncId, e: EdgeId) {
        match &self.p.edges[e].op {
            Op::Assign { dst, value } => {
                let sources = self.roots(*value);
                self.add(*dst, sources);
            }
            Op::Load { dst, .. } | Op::LoadBits { dst, .. } | Op::Input { dst, .. } => {
                self.add(*dst, BTreeSet::from([Source::Any]));
            }
            Op::Call { dst, callee, args } => {
                let targets = match callee {
                    Callee::Func(t) => vec![*t],
                    Callee::Ptr { .. } => {
                        let call = self.calls.calls(g).iter().find(|c| c.edge == e);
                        call.map(|c| c.targets.clone()).unwrap_or_default()
                    }
                    Callee::Builtin(_) => vec![],
                };
                let mut result = BTreeSet::new();
                if matches!(callee, Callee::Builtin(_)) {
                    result.insert(Source::Any);
                }
                for t in targets {
                    let params = self.p.funcs[t].params.clone();
                    for (v, &a) in params.into_iter().zip(args.iter()) {
                        let sources = self.roots(a);
                        self.add(v, sources);
                    }
                    match &self.p.funcs[t].body {
                        None => {
                            result.insert(Source::Any);
                        }
                        Some(b) => {
                            for &r in &b.edges {
                                match self.p.edges[r].op {
                                    Op::Return { value: Some(v) } => result.extend(self.roots(v)),
                                    Op::Return { value: None } => {
                                        result.insert(Source::Any);
                                    }
                                    _ => {}
                                }
                            }
                        }
                    }
                }
                if let Some(dst) = dst {
                    self.add(*dst, result);
                }
            }
            _ => {}
        }
    }

    fn roots(&self, e: ExprId) -> BTreeSet<Source> {
        let mut out = BTreeSet::new();
        let mut work = vec![e];
        let mut seen = FxHashSet::default();
        while let Some(x) = work.pop() {
            if !seen.insert(x) {
                continue;
            }
            if self.p.ty(x) != Ty::Ptr {
                out.insert(Source::Any);
                continue;
            }
            match self.p.exprs.get(x) {
                Expr::Addr(o) => {
                    out.insert(Source::Object(o));
                }
                Expr::Var(v) => {
                    if self.p.vars[v].owner.is_none_or(|o| o == self.f) {
                        out.insert(Source::Entry(v));
                    }
                    out.extend(self.points.get(&v).into_iter().flatten().copied());
                }
                Expr::Binary(BinOp::PtrAdd, a, _) | Expr::Cast(_, a) => work.push(a),
                Expr::Select(_, t, f) => work.extend([t, f]),
                Expr::Ptr(0) | Expr::Func(_) | Expr::Label(_) => {}
                _ => {
                    out.insert(Source::Any);
                }
            }
        }
        out
    }
}
