//! Building a property into the program, so that every engine has one question
//! to answer: is a call of `Builtin::Error` or `Builtin::AssertFail` reached?
//!
//! Nothing that was in the program gets another id; checks are new locations
//! and edges in front of the edges they guard. A check of an overflow is
//! evaluated just where the operation would be: under the conditions of the
//! selections around it, after the checks of its operands.
//!
//! Locals that may be read before they are assigned become inputs at the entry
//! of their function, so that engines, executor and traces agree on them.

use cairn_base::{Place, Symbol};
use cairn_ir::graph::{Blocks, Graph};
use cairn_ir::{
    BinOp, Builtin, Callee, EdgeId, Expr, ExprId, FuncId, IntTy, LocId, Op, Program, Ty, UnOp, VarId, VarKind,
};
use cairn_sem::SignedOverflow;
use rustc_hash::FxHashSet;

use crate::entry;
use crate::property::Property;
use crate::target::Target;
use crate::task::{Options, TaskError};

/// Builds the property in. Gives what the reading takes for granted.
pub fn instrument(p: &mut Program, property: &Property, options: &Options) -> Result<Vec<String>, TaskError> {
    let mut notes = Vec::new();
    match property {
        Property::UnreachCall { functions, assertions } => unreach_call(p, functions, *assertions)?,
        Property::UnreachLabel(label) => {
            keep_errors(p, false, false);
            unreach_label(p, label)?;
        }
        Property::UnreachTargets(targets) => {
            keep_errors(p, false, false);
            targets.iter().for_each(|t| unreach_target(p, *t));
        }
        Property::NoOverflow => {
            keep_errors(p, false, false);
            guard_all(p, Guarded::Overflow, OnBad::Error);
        }
        Property::NoDivisionByZero => {
            keep_errors(p, false, false);
            guard_all(p, Guarded::DivisionByZero, OnBad::Error);
        }
        Property::Unsupported(name) => return Err(TaskError::Unsupported(name.clone())),
    }
    if options.signed_overflow == SignedOverflow::Undefined && *property != Property::NoOverflow {
        guard_all(p, Guarded::Overflow, OnBad::End);
    }
    notes.extend(indeterminate_locals(p));
    notes.extend(silent_returns(p));
    // Proofs speak of loops, and a loop has one head.
    cairn_ir::reducible::make_reducible(p);
    Ok(notes)
}

/// Calls of errors that the property does not mean end the program like `abort`.
fn keep_errors(p: &mut Program, error: bool, assertions: bool) {
    for edge in p.edges.values_mut() {
        if let Op::Call { callee, args, .. } = &mut edge.op
            && let Callee::Builtin(b) = callee
            && ((*b == Builtin::Error && !error) || (*b == Builtin::AssertFail && !assertions))
        {
            *b = Builtin::Abort;
            *args = Box::new([]);
        }
    }
}

fn unreach_call(p: &mut Program, functions: &[String], assertions: bool) -> Result<(), TaskError> {
    // Without a body of its own `reach_error` is `Builtin::Error` already.
    let builtin = functions.iter().any(|f| f == "reach_error" || f == "__VERIFIER_error");
    keep_errors(p, builtin, assertions);
    for name in functions {
        // One that is missing is declared and never called, or `Builtin::Error`.
        if let Some(f) = p.func_named(name) {
            make_error(p, f);
        }
    }
    Ok(())
}

/// Calling `f` is the error.
fn make_error(p: &mut Program, f: FuncId) {
    let place = p.funcs[f].place;
    if p.funcs[f].body.is_none() {
        let (entry, _) = p.new_body(f);
        p.new_params(f, place);
        p.new_step(entry, error(), place);
        return;
    }
    let entry = p.new_loc(f);
    p.new_step(entry, error(), place);
    p.enter_at(f, entry);
}

fn error() -> Op {
    Op::Call { dst: None, callee: Callee::Builtin(Builtin::Error), args: Box::new([]) }
}

fn unreach_label(p: &mut Program, label: &str) -> Result<(), TaskError> {
    let at: Vec<LocId> =
        p.locs.iter().filter(|(_, l)| l.labels.iter().any(|n| n.as_str() == label)).map(|(l, _)| l).collect();
    if at.is_empty() {
        return Err(TaskError::NoLabel(label.to_owned()));
    }
    for l in at {
        fail_at(p, l);
    }
    Ok(())
}

/// Coming to the location is the error. What went out of it goes out of nowhere now.
fn fail_at(p: &mut Program, l: LocId) {
    let place = p.locs[l].out.first().map_or(Place::NONE, |&e| p.edges[e].place);
    p.open(l);
    p.new_step(l, error(), place);
}

fn unreach_target(p: &mut Program, target: Target) {
    match target {
        Target::Loc(l) => fail_at(p, l),
        Target::Edge(e) => {
            // The edge leads to the error instead of where it led.
            let place = p.edges[e].place;
            let (found, _) = p.open_behind(e);
            p.new_step(found, error(), place);
        }
    }
}

#[derive(Copy, Clone, PartialEq, Eq)]
enum Guarded {
    Overflow,
    DivisionByZero,
}

#[derive(Copy, Clone, PartialEq, Eq)]
enum OnBad {
    Error,
    End,
}

fn guard_all(p: &mut Program, what: Guarded, on_bad: OnBad) {
    let locations: Vec<LocId> = p.locs.keys().collect();
    for l in locations {
        let func = &p.funcs[p.locs[l].func];
        // The models of the library may wrap on purpose.
        if func.is_model && what == Guarded::Overflow {
            continue;
        }
        let mut checks = Checks { p, what, under: Vec::new(), seen: FxHashSet::default(), bad: Vec::new() };
        let out: Vec<EdgeId> = checks.p.locs[l].out.to_vec();
        let mut place = Place::NONE;
        for e in out {
            place = checks.p.edges[e].place;
            let mut roots = Vec::new();
            checks.p.edges[e].op.each_expr(|x| roots.push(x));
            for x in roots {
                checks.expr(x);
            }
        }
        let bad = checks.bad;
        if bad.is_empty() {
            continue;
        }
        let f = p.locs[l].func;
        let rest = p.open(l);
        let mut at = l;
        for (n, &cond) in bad.iter().enumerate() {
            let next = if n + 1 == bad.len() { rest } else { p.new_loc(f) };
            match on_bad {
                OnBad::Error => {
                    let found = p.new_loc(f);
                    p.new_branch(at, cond, found, next, place, false);
                    p.new_step(found, error(), place);
                }
                OnBad::End => {
                    p.new_edge(at, next, Op::Assume { cond, holds: false }, place);
                }
            }
            at = next;
        }
    }
}

/// Collects the conditions under which the expressions of an operation go wrong, in the order of
/// evaluation.
struct Checks<'p> {
    p: &'p mut Program,
    what: Guarded,
    /// The selections around the expression at hand: condition and side, outermost first.
    under: Vec<(ExprId, bool)>,
    seen: FxHashSet<ExprId>,
    bad: Vec<ExprId>,
}

impl Checks<'_> {
    fn expr(&mut self, e: ExprId) {
        // A subexpression that was checked unconditionally needs no second check.
        if self.under.is_empty() && !self.seen.insert(e) {
            return;
        }
        match self.p.exprs.get(e) {
            Expr::Unary(op, a) => {
                self.expr(a);
                if self.what == Guarded::Overflow
                    && op == UnOp::Neg
                    && let Ty::Int(i @ IntTy { signed: true, .. }) = self.p.ty(a)
                {
                    let least = self.p.exprs.int(i, i.min());
                    let bad = self.p.exprs.binary(BinOp::Eq, a, least);
                    self.add(bad);
                }
            }
            Expr::Binary(op, a, b) => {
                self.expr(a);
                self.expr(b);
                if let Ty::Int(i) = self.p.ty(a) {
                    self.binary(op, i, a, b);
                }
            }
            Expr::Cast(_, a) => self.expr(a),
            Expr::Select(c, t, f) => {
                self.expr(c);
                for (side, x) in [(true, t), (false, f)] {
                    self.under.push((c, side));
                    self.expr(x);
                    self.under.pop();
                }
            }
            _ => {}
        }
    }

    fn binary(&mut self, op: BinOp, i: IntTy, a: ExprId, b: ExprId) {
        let x = &mut self.p.exprs;
        let bad = match (self.what, op) {
            (Guarded::DivisionByZero, BinOp::Div | BinOp::Rem) => {
                let zero = x.int(i, 0);
                x.binary(BinOp::Eq, b, zero)
            }
            (Guarded::Overflow, BinOp::Add) if i.signed => x.binary(BinOp::AddOvf, a, b),
            (Guarded::Overflow, BinOp::Sub) if i.signed => x.binary(BinOp::SubOvf, a, b),
            (Guarded::Overflow, BinOp::Mul) if i.signed => x.binary(BinOp::MulOvf, a, b),
            (Guarded::Overflow, BinOp::Div | BinOp::Rem) if i.signed => {
                let (least, minus) = (x.int(i, i.min()), x.int(i, -1));
                let (l, m) = (x.binary(BinOp::Eq, a, least), x.binary(BinOp::Eq, b, minus));
                x.binary(BinOp::And, l, m)
            }
            (Guarded::Overflow, BinOp::Shl) if i.signed => {
                // Shifting there and back changes the value; a bad count is undefined, not overflow.
                let Ty::Int(count) = x.ty(b) else { return };
                let width = x.int(IntTy { bits: 128, signed: false }, i.bits.into());
                let wide = x.cast(Ty::Int(IntTy { bits: 128, signed: false }), b);
                let fits = x.binary(BinOp::Lt, wide, width);
                let zero = x.int(count, 0);
                let safe = x.select(fits, b, zero);
                let there = x.binary(BinOp::Shl, a, safe);
                let back = x.binary(BinOp::Shr, there, safe);
                x.binary(BinOp::Ne, back, a)
            }
            _ => return,
        };
        self.add(bad);
    }

    fn add(&mut self, bad: ExprId) {
        let mut cond = bad;
        let no = self.p.exprs.bool(false);
        for &(c, side) in self.under.iter().rev() {
            cond = if side { self.p.exprs.select(c, cond, no) } else { self.p.exprs.select(c, no, cond) };
        }
        if self.p.exprs.const_bits(cond) != Some(0) && !self.bad.contains(&cond) {
            self.bad.push(cond);
        }
    }
}

/// Locals that may be read before they are assigned become inputs where their function begins.
fn indeterminate_locals(p: &mut Program) -> Vec<String> {
    let mut notes = Vec::new();
    let funcs: Vec<FuncId> = p.funcs.keys().collect();
    for f in funcs {
        let Some(graph) = Graph::new(p, f) else { continue };
        let blocks = Blocks::new(p, &graph);
        let reads = cairn_ir::assigned::unassigned_reads(p, &graph, &blocks);
        let mut vars: Vec<VarId> =
            reads.iter().map(|&(_, v)| v).filter(|&v| p.vars[v].kind == VarKind::Local).collect();
        vars.sort_unstable();
        vars.dedup();
        for v in vars.into_iter().rev() {
            let (name, place) = (p.vars[v].name, p.vars[v].place);
            if entry::is_bool(p, v) {
                let value = entry::truth_if_bool(p, v, v);
                p.insert_at_entry(f, Op::Assign { dst: v, value }, place);
            }
            let input = Symbol::from(format!("{name}?").as_str());
            p.insert_at_entry(f, Op::Input { dst: v, name: input }, place);
            notes.push(format!(
                "'{name}' of {} may be read before it is assigned; any value is considered",
                p.funcs[f].name
            ));
        }
    }
    notes
}

/// Functions that may return no value where a caller takes one return an input there.
fn silent_returns(p: &mut Program) -> Vec<String> {
    let mut notes: Vec<String> = Vec::new();
    let silent: Vec<EdgeId> =
        p.edges.iter().filter(|(_, e)| matches!(e.op, Op::Return { value: None })).map(|(e, _)| e).collect();
    for e in silent {
        let f = p.locs[p.edges[e].src].func;
        let Some(ty) = p.funcs[f].sig.ret else { continue };
        let sig = &p.funcs[f].sig;
        let taken = p.edges.values().any(|edge| match &edge.op {
            Op::Call { dst: Some(_), callee: Callee::Func(g), .. } => *g == f,
            Op::Call { dst: Some(_), callee: Callee::Ptr { sig: s, .. }, .. } => **s == *sig,
            _ => false,
        });
        if !taken {
            continue;
        }
        let (name, place) = (p.funcs[f].name, p.edges[e].place);
        let input = Symbol::from(format!("{name}?").as_str());
        let dst = p.new_temp(f, Symbol::from("returned"), ty, place);
        // The old edge takes the input, a new one returns it.
        let value = Some(p.exprs.var(dst));
        p.replace_by(e, [Op::Input { dst, name: input }, Op::Return { value }]);
        let note = format!("{name} may return no value where one is used; any value is considered");
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
    notes
}
