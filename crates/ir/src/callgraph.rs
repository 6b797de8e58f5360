//! Who may call whom.
//!
//! A call through a pointer may reach every function whose address is taken
//! somewhere in the program and whose signature is the one the call expects
//! (calling any other is undefined behaviour).

use std::collections::BTreeSet;

use cairn_graph::Digraph;
use fixedbitset::FixedBitSet;
use rustc_hash::FxHashMap;

use crate::{Callee, EdgeId, Expr, ExprId, FuncId, Init, Op, Program, RelocTarget, Signature};

pub struct CallGraph {
    /// Functions whose address is used other than by calling it, ascending.
    pub address_taken: Vec<FuncId>,
    /// Per function: its calls to functions (not to builtins), in order of edges.
    calls: Vec<Vec<Call>>,
    /// Strongly connected components, callees before callers.
    pub components: Vec<Vec<FuncId>>,
    component: Vec<u32>,
    recursive: FixedBitSet,
}

#[derive(Clone, Debug)]
pub struct Call {
    pub edge: EdgeId,
    /// What it may enter: one function for a direct call. Ascending.
    pub targets: Vec<FuncId>,
    pub indirect: bool,
}

impl CallGraph {
    pub fn new(p: &Program) -> CallGraph {
        let address_taken: Vec<FuncId> = address_taken(p).into_iter().collect();
        let mut by_signature: FxHashMap<&Signature, Vec<FuncId>> = FxHashMap::default();
        for &f in &address_taken {
            by_signature.entry(&p.funcs[f].sig).or_default().push(f);
        }
        let mut calls = Vec::with_capacity(p.funcs.len());
        let mut edges = Vec::new();
        let mut recursive = FixedBitSet::with_capacity(p.funcs.len());
        for (f, func) in &p.funcs {
            let mut found = Vec::new();
            for &edge in func.body.iter().flat_map(|b| &b.edges) {
                let Op::Call { callee, .. } = &p.edges[edge].op else { continue };
                match callee {
                    Callee::Func(g) => found.push(Call { edge, targets: vec![*g], indirect: false }),
                    Callee::Ptr { target, sig } => {
                        let targets = match p.exprs.get(*target) {
                            Expr::Func(g) if p.funcs[g].sig == **sig => vec![g],
                            _ => by_signature.get(&**sig).cloned().unwrap_or_default(),
                        };
                        found.push(Call { edge, targets, indirect: true });
                    }
                    Callee::Builtin(_) => {}
                }
            }
            found.sort_by_key(|c| c.edge);
            let distinct: BTreeSet<FuncId> = found.iter().flat_map(|c| c.targets.iter().copied()).collect();
            for g in distinct {
                edges.push((f.as_u32(), g.as_u32()));
                if f == g {
                    recursive.insert(f.as_u32() as usize);
                }
            }
            calls.push(found);
        }
        let mut component = vec![0; p.funcs.len()];
        let mut components = Vec::new();
        for scc in Digraph::new(p.funcs.len(), &edges).components() {
            let mut members: Vec<FuncId> = scc.into_iter().map(FuncId::from_u32).collect();
            members.sort_unstable();
            for f in &members {
                component[f.as_u32() as usize] = components.len() as u32;
                if members.len() > 1 {
                    recursive.insert(f.as_u32() as usize);
                }
            }
            components.push(members);
        }
        CallGraph { address_taken, calls, components, component, recursive }
    }

    /// The calls that a function makes.
    pub fn calls(&self, f: FuncId) -> &[Call] {
        &self.calls[f.as_u32() as usize]
    }

    /// The functions that a function may call, ascending.
    pub fn callees(&self, f: FuncId) -> Vec<FuncId> {
        let all: BTreeSet<FuncId> = self.calls(f).iter().flat_map(|c| c.targets.iter().copied()).collect();
        all.into_iter().collect()
    }

    /// May a call of the function lead to another call of it before it returns?
    pub fn is_recursive(&self, f: FuncId) -> bool {
        self.recursive.contains(f.as_u32() as usize)
    }

    pub fn same_component(&self, f: FuncId, g: FuncId) -> bool {
        self.component[f.as_u32() as usize] == self.component[g.as_u32() as usize]
    }

    /// All functions, callees before callers except within a component.
    pub fn bottom_up(&self) -> impl Iterator<Item = FuncId> + '_ {
        self.components.iter().flatten().copied()
    }

    /// The functions that a run from `root` may enter, `root` among them, ascending.
    pub fn reachable(&self, root: FuncId) -> Vec<FuncId> {
        let mut seen = BTreeSet::from([root]);
        let mut work = vec![root];
        while let Some(f) = work.pop() {
            work.extend(self.callees(f).into_iter().filter(|&g| seen.insert(g)));
        }
        seen.into_iter().collect()
    }
}

/// Functions that occur as values: in an expression or in the data of an object.
fn address_taken(p: &Program) -> BTreeSet<FuncId> {
    let mut taken = BTreeSet::new();
    let mut seen = FixedBitSet::with_capacity(p.exprs.len());
    let mut work: Vec<ExprId> = Vec::new();
    p.each_root(|e| work.push(e));
    while let Some(e) = work.pop() {
        if seen.put(e.as_u32() as usize) {
            continue;
        }
        if let Expr::Func(f) = p.exprs.get(e) {
            taken.insert(f);
        }
        work.extend(p.exprs.children(e));
    }
    for object in p.objects.values() {
        let Init::Static(data) = &object.init else { continue };
        for r in &data.relocs {
            if let RelocTarget::Func(f) = r.target {
                taken.insert(f);
            }
        }
    }
    taken
}
