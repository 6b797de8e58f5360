//! What a function, or a part of one, may change: variables, and the contents and
//! lives of abstract objects; calls included.

use std::collections::BTreeSet;

use cairn_base::EntityRef;
use cairn_graph::Digraph;
use cairn_ir::{EdgeId, FuncId, LocId, ObjId, Op, Program, VarId};
use rustc_hash::FxHashSet;

use crate::points_to::{PointsTo, Targets};

/// What may change, and on which variables it depends.
#[derive(Clone, PartialEq, Debug)]
pub struct Effects {
    /// Variables assigned: global ones, and the locals of the function in question.
    pub vars: BTreeSet<VarId>,
    /// Variables read, likewise.
    pub read: BTreeSet<VarId>,
    /// Objects written to.
    pub written: Targets,
    /// Local objects whose life may begin or end. (The locals of a function end with its return.)
    pub begun: BTreeSet<ObjId>,
    pub ended: BTreeSet<ObjId>,
    /// `Alloc` edges that may be executed.
    pub allocated: BTreeSet<EdgeId>,
    /// Allocated objects that may be freed.
    pub freed: Targets,
    /// An input may be taken, or output made.
    pub inputs: bool,
}

impl Default for Effects {
    fn default() -> Effects {
        Effects {
            vars: BTreeSet::new(),
            read: BTreeSet::new(),
            written: Targets::NONE,
            begun: BTreeSet::new(),
            ended: BTreeSet::new(),
            allocated: BTreeSet::new(),
            freed: Targets::NONE,
            inputs: false,
        }
    }
}

impl Effects {
    /// Adds what a callee does, of which its own variables do not matter to the caller.
    fn add_callee(&mut self, p: &Program, other: &Effects) {
        let is_global = |v: &VarId| p.vars[*v].owner.is_none();
        self.vars.extend(other.vars.iter().copied().filter(is_global));
        self.read.extend(other.read.iter().copied().filter(is_global));
        self.written.add(&other.written);
        self.begun.extend(&other.begun);
        self.ended.extend(&other.ended);
        self.allocated.extend(&other.allocated);
        self.freed.add(&other.freed);
        self.inputs |= other.inputs;
    }

    /// Adds what the operation of an edge itself does.
    fn add_edge(&mut self, p: &Program, points_to: &PointsTo, e: EdgeId) {
        let op = &p.edges[e].op;
        self.vars.extend(op.def());
        op.each_expr(|x| {
            p.exprs.each_var(x, &mut |v| {
                self.read.insert(v);
            });
        });
        self.written.add(&points_to.written(p, e));
        self.freed.add(&points_to.freed(p, e));
        match op {
            Op::Begin { obj } => {
                self.ended.insert(*obj);
                self.begun.insert(*obj);
            }
            Op::End { obj } => {
                self.ended.insert(*obj);
            }
            Op::Alloc { .. } => {
                self.allocated.insert(e);
            }
            Op::Input { .. } => self.inputs = true,
            Op::Call { callee: cairn_ir::Callee::Builtin(b), .. } => {
                use cairn_ir::Builtin::*;
                self.inputs |= matches!(b, ReadByte | Printf | Write);
            }
            _ => {}
        }
    }
}

pub struct Mods<'a> {
    p: &'a Program,
    points_to: &'a PointsTo,
    functions: Vec<Effects>,
}

impl<'a> Mods<'a> {
    pub fn new(p: &'a Program, points_to: &'a PointsTo) -> Mods<'a> {
        let mut calls = Vec::new();
        let mut seen: FxHashSet<(FuncId, FuncId)> = FxHashSet::default();
        for (f, func) in &p.funcs {
            for &e in func.body.iter().flat_map(|b| &b.edges) {
                for g in points_to.callees(p, e) {
                    if seen.insert((f, g)) {
                        calls.push((f.as_u32(), g.as_u32()));
                    }
                }
            }
        }
        let mut mods = Mods { p, points_to, functions: vec![Effects::default(); p.funcs.len()] };
        let calls = Digraph::new(p.funcs.len(), &calls);
        // Callees come first.
        for component in calls.components() {
            let mut shared = Effects::default();
            let mut own = Vec::new();
            let members: FxHashSet<u32> = component.iter().copied().collect();
            for &n in &component {
                let f = FuncId::from_u32(n);
                let mut here = Effects::default();
                let func = &p.funcs[f];
                here.inputs = func.body.is_none() && func.sig.ret.is_some();
                for &e in func.body.iter().flat_map(|b| &b.edges) {
                    here.add_edge(p, points_to, e);
                }
                here.ended.extend(func.body.iter().flat_map(|b| &b.objects));
                for &g in calls.succs(n) {
                    if !members.contains(&g) {
                        here.add_callee(p, &mods.functions[g as usize]);
                    }
                }
                shared.add_callee(p, &here);
                own.push((f, here));
            }
            for (f, mut here) in own {
                if component.len() > 1 {
                    here.add_callee(p, &shared);
                }
                mods.functions[f.index()] = here;
            }
        }
        mods
    }

    /// What a call of the function may change.
    pub fn function(&self, f: FuncId) -> &Effects {
        &self.functions[f.index()]
    }

    /// What the operation of one edge may change, with what it calls.
    pub fn edge(&self, e: EdgeId) -> Effects {
        let mut all = Effects::default();
        self.add(&mut all, e);
        all
    }

    /// What the edges between the given locations of one function may change: for the locations
    /// of a loop, what a turn of it may.
    pub fn region(&self, locs: &[LocId]) -> Effects {
        let inside: FxHashSet<LocId> = locs.iter().copied().collect();
        let mut all = Effects::default();
        let mut called = BTreeSet::new();
        for &l in locs {
            for &e in &self.p.locs[l].out {
                if inside.contains(&self.p.edges[e].dst) {
                    all.add_edge(self.p, self.points_to, e);
                    called.extend(self.points_to.callees(self.p, e));
                }
            }
        }
        for f in called {
            all.add_callee(self.p, self.function(f));
        }
        all
    }

    fn add(&self, all: &mut Effects, e: EdgeId) {
        all.add_edge(self.p, self.points_to, e);
        for f in self.points_to.callees(self.p, e) {
            all.add_callee(self.p, self.function(f));
        }
    }
}
