//! Editing programs. Passes, instrumentation, stand-ins and slices change automata through here,
//! and rows are added by [`crate::build`] only, so that the rules of [`crate::verify`] have one
//! keeper.
//!
//! **Ids are stable.** An edit adds rows and leads edges elsewhere, but no row changes its number: a
//! proof or a trace of the edited program names the locations, edges, variables and expressions of
//! the original. What is removed stays in its table as a *hole*: code that nothing leads to, whose
//! operations are forgotten ([`Program::forget_unreachable`]), so that call graph, points-to analysis
//! and engines do not see it. [`Before`] tells old rows from new ones. Only
//! [`crate::compact::compact`] renumbers, and gives a [`crate::compact::Map`] back.
//!
//! | to change | by |
//! |---|---|
//! | where an edge leads, or starts | [`Program::redirect`], [`Program::move_source`], [`Program::move_out`] |
//! | what happens at, before or behind a place | [`Program::insert_at`], [`Program::insert_before`], [`Program::insert_behind`], [`Program::insert_at_entry`], [`Program::replace_by`] |
//! | whom calls enter | [`Program::redirect_calls`] |
//! | what is executed at all | [`Program::remove_edge`], [`Program::skip`], [`Program::replace_body`] |
//! | what is known of a value | [`Program::havoc`] |
//!
//! A step need not leave a program that verifies; an edit as a whole has to, which
//! [`crate::verify::debug_verify`] at its end shows in builds with assertions.

mod havoc;
#[cfg(test)]
mod tests;

use cairn_base::{EntityRef, Place};
use rustc_hash::FxHashSet;

use crate::{Callee, Edge, EdgeId, ExprId, FuncId, LocId, ObjId, Op, Program, Trap, VarId};

pub use havoc::Havoc;

/// The sizes of a program's tables before an edit: which rows are the original's.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Before {
    funcs: usize,
    locs: usize,
    edges: usize,
    vars: usize,
    objects: usize,
}

impl Before {
    pub fn of(p: &Program) -> Before {
        Before {
            funcs: p.funcs.len(),
            locs: p.locs.len(),
            edges: p.edges.len(),
            vars: p.vars.len(),
            objects: p.objects.len(),
        }
    }

    pub fn has_func(&self, f: FuncId) -> bool {
        f.index() < self.funcs
    }

    pub fn has_loc(&self, l: LocId) -> bool {
        l.index() < self.locs
    }

    pub fn has_edge(&self, e: EdgeId) -> bool {
        e.index() < self.edges
    }

    pub fn has_var(&self, v: VarId) -> bool {
        v.index() < self.vars
    }

    pub fn has_object(&self, o: ObjId) -> bool {
        o.index() < self.objects
    }
}

impl Program {
    /// The edge leads to `to` instead of where it led.
    pub fn redirect(&mut self, e: EdgeId, to: LocId) {
        let old = std::mem::replace(&mut self.edges[e].dst, to);
        self.locs[old].inn.retain(|x| *x != e);
        self.locs[to].inn.push(e);
    }

    /// The edge leaves `from` instead of the location that it left.
    pub fn move_source(&mut self, e: EdgeId, from: LocId) {
        let old = std::mem::replace(&mut self.edges[e].src, from);
        self.locs[old].out.retain(|x| *x != e);
        self.locs[from].out.push(e);
    }

    /// All edges out of `from` leave `to` instead, behind those that do already.
    pub fn move_out(&mut self, from: LocId, to: LocId) {
        for e in std::mem::take(&mut self.locs[from].out) {
            self.edges[e].src = to;
            self.locs[to].out.push(e);
        }
    }

    /// All edges into `from` lead to `to` instead.
    pub fn move_in(&mut self, from: LocId, to: LocId) {
        for e in std::mem::take(&mut self.locs[from].inn) {
            self.edges[e].dst = to;
            self.locs[to].inn.push(e);
        }
    }

    /// Takes an edge out of the lists of its ends, before [`crate::compact::compact`] drops it.
    pub(crate) fn unlink(&mut self, e: EdgeId) {
        let Edge { src, dst, .. } = self.edges[e];
        self.locs[src].out.retain(|x| *x != e);
        self.locs[dst].inn.retain(|x| *x != e);
    }

    /// A new location behind `l`, which all that left `l` leaves now. The location itself, with its labels, is
    /// still where it was, and nothing leaves it yet.
    pub fn open(&mut self, l: LocId) -> LocId {
        let rest = self.new_loc(self.locs[l].func);
        self.move_out(l, rest);
        rest
    }

    /// A new location that the edge leads to now; and the one it led to.
    pub fn open_behind(&mut self, e: EdgeId) -> (LocId, LocId) {
        let dst = self.edges[e].dst;
        let between = self.new_loc(self.locs[dst].func);
        self.redirect(e, between);
        (between, dst)
    }

    /// Executions that come to the location do this first.
    pub fn insert_at(&mut self, l: LocId, op: Op, place: Place) -> EdgeId {
        let rest = self.open(l);
        self.new_edge(l, rest, op, place)
    }

    /// Executions that take the edge do this first. The edge is no side of a branch: use
    /// [`Program::insert_at`] there, the condition might change.
    pub fn insert_before(&mut self, e: EdgeId, op: Op) -> EdgeId {
        let Edge { src, place, .. } = self.edges[e];
        debug_assert!(self.locs[src].out.len() == 1, "{e} is a side of a branch");
        self.insert_at(src, op, place)
    }

    /// Executions that have taken the edge do this next. The edge is no `Return`.
    pub fn insert_behind(&mut self, e: EdgeId, op: Op) -> EdgeId {
        let place = self.edges[e].place;
        let (between, dst) = self.open_behind(e);
        self.new_edge(between, dst, op, place)
    }

    /// Calls of the function do this first, but jumps back to where it began do not.
    pub fn insert_at_entry(&mut self, f: FuncId, op: Op, place: Place) {
        let start = self.new_loc(f);
        if let Some(old) = self.enter_at(f, start) {
            self.new_edge(start, old, op, place);
        }
    }

    /// Calls of the function begin at `start`. Gives where they began, if the function has a body.
    pub fn enter_at(&mut self, f: FuncId, start: LocId) -> Option<LocId> {
        self.funcs[f].body.as_mut().map(|b| std::mem::replace(&mut b.entry, start))
    }

    /// A sequence of operations in the place of one.
    pub fn replace_by(&mut self, e: EdgeId, ops: impl IntoIterator<Item = Op>) {
        let mut ops = ops.into_iter();
        self.edges[e].op = ops.next().unwrap_or(Op::Nop);
        let mut last = e;
        for op in ops {
            last = self.insert_behind(last, op);
        }
    }

    /// Calls enter other functions, of the same signature: those that `to` gives.
    pub fn redirect_calls(&mut self, to: impl Fn(FuncId) -> Option<Callee>) {
        for edge in self.edges.values_mut() {
            if let Op::Call { callee, .. } = &mut edge.op
                && let Callee::Func(f) = *callee
                && let Some(other) = to(f)
            {
                *callee = other;
            }
        }
    }

    /// No execution takes the edge any more. Of a branch the other side stays, as an assumption; what had no
    /// other edge has to get one.
    pub fn remove_edge(&mut self, e: EdgeId) {
        let src = self.edges[e].src;
        let nowhere = self.new_loc(self.locs[src].func);
        self.move_source(e, nowhere);
        self.edges[e].branch = None;
        for &other in &self.locs[src].out {
            self.edges[other].branch = None;
        }
    }

    /// Executions that come to `from` go on at `to`, with any values for some things: what lies between is left
    /// out. Follow it by [`Program::forget_unreachable`].
    pub fn skip(&mut self, from: LocId, to: LocId, any: &[Havoc], name: &str, place: Place) {
        self.open(from);
        let mut at = from;
        for what in any {
            at = self.havoc(at, *what, name, place);
        }
        self.new_edge(at, to, Op::Nop, place);
    }

    /// Instead of executing its body, a call of the function gives any result, and any values to some things.
    ///
    /// With nothing in `any` it is a stand-in that is neither sound nor complete. With everything that
    /// the function and its callees may change it is an over-approximation: the program has all
    /// executions that it had, in which the function returns, and more.
    pub fn replace_body(&mut self, f: FuncId, any: &[Havoc]) {
        let Some(body) = &self.funcs[f].body else { return };
        let exit = body.exit;
        let (name, place) = (self.funcs[f].name, self.funcs[f].place);
        let mut at = self.new_loc(f);
        self.enter_at(f, at);
        for what in any {
            at = self.havoc(at, *what, &format!("{name}:"), place);
        }
        let value = self.funcs[f].sig.ret.map(|ty| {
            let value: ExprId;
            (value, at) = self.new_input(at, name, ty, place);
            value
        });
        self.new_edge(at, exit, Op::Return { value }, place);
        self.forget_unreachable(f);
    }

    /// Where control may come to from some locations, within a function. It comes out of no trap and of no call
    /// that never returns.
    pub fn reached(&self, from: impl IntoIterator<Item = LocId>) -> FxHashSet<LocId> {
        let mut seen = FxHashSet::default();
        let mut work: Vec<LocId> = from.into_iter().collect();
        while let Some(l) = work.pop() {
            if seen.insert(l) {
                let out = self.locs[l].out.iter().map(|&e| &self.edges[e]);
                work.extend(out.filter(|e| e.op.returns()).map(|e| e.dst));
            }
        }
        seen
    }

    /// Makes holes of the code of a function that no call comes to: its operations are forgotten.
    pub fn forget_unreachable(&mut self, f: FuncId) {
        let Some(body) = &self.funcs[f].body else { return };
        let (exit, edges) = (body.exit, body.edges.clone());
        let reached = self.reached([body.entry]);
        let truth = self.exprs.bool(true);
        for e in edges {
            let Edge { src, dst, .. } = self.edges[e];
            if reached.contains(&src) {
                continue;
            }
            let ends = dst != exit && self.locs[dst].out.is_empty();
            let op = match &self.edges[e].op {
                Op::Return { .. } => Op::Return { value: None },
                Op::Assume { holds, .. } => Op::Assume { cond: truth, holds: *holds },
                // Where nothing goes on, only traps and calls may lead (rule 13).
                _ if ends => Op::Trap(Trap::Unreachable),
                _ => Op::Nop,
            };
            self.edges[e].op = op;
        }
    }
}
