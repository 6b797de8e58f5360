//! What there is to cover in a program. Only the user's own code counts, neither
//! models of the C library nor what system headers define.
//!
//! A goal is reached by any of its targets: the false outcome of `a && b` by the
//! false side of either branch, a `default` from any leaf of a binary search.

use std::collections::{BTreeMap, BTreeSet};

use cairn_base::{EntityRef, Place};
use cairn_cfront::{Branching, Outcome};
use cairn_core::Target;
use cairn_ir::graph::{Blocks, Graph};
use cairn_ir::{Builtin, Callee, EdgeId, FuncId, Op, Program};

use crate::criterion::Criterion;

/// Something to be covered, or to be reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Goal {
    /// In a few words: `condition true`, `case 3`, `block`, `call of reach_error`.
    pub what: String,
    pub place: Place,
    pub function: FuncId,
    /// Any of them will do.
    pub targets: Vec<Target>,
}

/// Is the function the user's?
pub fn is_users(p: &Program, f: FuncId) -> bool {
    let func = &p.funcs[f];
    let file = p.files.get(func.place.file);
    !func.is_model && func.body.is_some() && !file.is_some_and(|name| name.starts_with("/usr/"))
}

/// The edges of the user's functions.
pub fn users_edges(p: &Program) -> impl Iterator<Item = EdgeId> {
    let users = |f: FuncId| is_users(p, f);
    let bodies = p.funcs.iter().filter(move |(f, _)| users(*f)).filter_map(|(_, f)| f.body.as_ref());
    bodies.flat_map(|b| b.edges.iter().copied())
}

/// The goals of a criterion, in the order of the source.
pub fn goals(p: &Program, decisions: &[Branching], criterion: &Criterion) -> Vec<Goal> {
    let mut found = match criterion {
        Criterion::Branches => outcomes(p, decisions, |_| true),
        Criterion::Conditions => {
            let mut all = conditions(p, decisions);
            all.extend(outcomes(p, decisions, is_switch));
            all
        }
        Criterion::Statements => statements(p),
        Criterion::Error { functions, assertions } => errors(p, functions, *assertions),
    };
    found.sort_by(|a, b| key(a).cmp(&key(b)));
    found
}

fn key(g: &Goal) -> impl Ord + '_ {
    (g.place.file, g.place.line, g.place.col, &g.what, g.targets.first())
}

/// A branch of the source with the decision it is part of.
fn branch_of(p: &Program, decisions: &[Branching], e: EdgeId) -> Option<(Branching, bool)> {
    let branch = p.edges[e].branch?;
    decisions.get(branch.id.index()).map(|d| (*d, branch.taken))
}

fn is_switch(d: &Branching) -> bool {
    matches!(d.yes, Some(Outcome::Case(_)))
}

fn outcomes(p: &Program, decisions: &[Branching], wanted: impl Fn(&Branching) -> bool) -> Vec<Goal> {
    let mut found: BTreeMap<(u32, Outcome), Goal> = BTreeMap::new();
    for e in users_edges(p) {
        let Some((d, taken)) = branch_of(p, decisions, e).filter(|(d, _)| wanted(d)) else { continue };
        let Some(outcome) = (if taken { d.yes } else { d.no }) else { continue };
        let what = match outcome {
            Outcome::True => "condition true".to_owned(),
            Outcome::False => "condition false".to_owned(),
            Outcome::Case(n) => format!("case {n}"),
            Outcome::Default => "default".to_owned(),
        };
        let function = p.locs[p.edges[e].src].func;
        let goal = Goal { what, place: d.place, function, targets: Vec::new() };
        found.entry((d.decision, outcome)).or_insert(goal).targets.push(Target::Edge(e));
    }
    found.into_values().collect()
}

fn conditions(p: &Program, decisions: &[Branching]) -> Vec<Goal> {
    let mut found: BTreeMap<(usize, bool), Goal> = BTreeMap::new();
    for e in users_edges(p) {
        let (Some(branch), Some((d, taken))) = (p.edges[e].branch, branch_of(p, decisions, e)) else {
            continue;
        };
        if is_switch(&d) {
            continue;
        }
        let function = p.locs[p.edges[e].src].func;
        let goal = Goal {
            what: format!("condition {taken}"),
            place: p.edges[e].place,
            function,
            targets: Vec::new(),
        };
        found.entry((branch.id.index(), taken)).or_insert(goal).targets.push(Target::Edge(e));
    }
    found.into_values().collect()
}

/// Does the operation do something that the source says?
pub fn is_statement(op: &Op) -> bool {
    !matches!(op, Op::Nop | Op::Begin { .. } | Op::End { .. })
}

fn statements(p: &Program) -> Vec<Goal> {
    let mut found = Vec::new();
    for f in p.funcs.keys().filter(|f| is_users(p, *f)) {
        let Some(graph) = Graph::new(p, f) else { continue };
        for block in &Blocks::new(p, &graph).blocks {
            let edges = block.edges.iter().copied().chain(block.out.iter().map(|o| o.0));
            let mut edges = edges.map(|e| &p.edges[e]).filter(|e| is_statement(&e.op));
            let Some(first) = edges.find(|e| !e.place.is_none()) else { continue };
            let targets = vec![Target::Loc(block.locs[0])];
            found.push(Goal { what: "block".to_owned(), place: first.place, function: f, targets });
        }
    }
    found
}

fn errors(p: &Program, functions: &[String], assertions: bool) -> Vec<Goal> {
    let named = |f: FuncId| functions.iter().any(|n| n == p.funcs[f].name.as_str());
    let builtin = functions.iter().any(|f| f == "reach_error" || f == "__VERIFIER_error");
    let mut found = Vec::new();
    let mut called = BTreeSet::new();
    // Some assertions fail in the model that is called.
    for edge in p.edges.values() {
        let function = p.locs[edge.src].func;
        let Op::Call { callee, .. } = &edge.op else { continue };
        let what = match callee {
            Callee::Func(f) if named(*f) => {
                called.insert(*f);
                format!("call of {}", p.funcs[*f].name)
            }
            Callee::Builtin(Builtin::Error) if builtin => "call of an error function".to_owned(),
            // What an error function itself does is no error of its own, and what a model does that
            // always fails is its caller's.
            _ if !assertions || named(function) => continue,
            Callee::Func(f) if always_fails(p, *f) => "failing assertion".to_owned(),
            Callee::Builtin(Builtin::AssertFail) if !always_fails(p, function) => {
                "failing assertion".to_owned()
            }
            _ => continue,
        };
        found.push(Goal { what, place: edge.place, function, targets: vec![Target::Loc(edge.src)] });
    }
    // Functions that are called through pointers only.
    for (f, func) in p.funcs.iter().filter(|(f, _)| named(*f) && !called.contains(f)) {
        if let Some(body) = func.body.as_ref().filter(|_| is_users(p, f)) {
            let what = format!("call of {}", func.name);
            let targets = vec![Target::Loc(body.entry)];
            found.push(Goal { what, place: func.place, function: f, targets });
        }
    }
    found
}

/// Is it a model, such as that of `__assert_fail`, that is nothing but a failing assertion?
fn always_fails(p: &Program, f: FuncId) -> bool {
    let Some(body) = p.funcs[f].body.as_ref().filter(|_| p.funcs[f].is_model) else { return false };
    let mut at = body.entry;
    // A body has no more locations than this.
    for _ in 0..body.locs.len() {
        let [e] = p.locs[at].out[..] else { return false };
        if matches!(p.edges[e].op, Op::Call { callee: Callee::Builtin(Builtin::AssertFail), .. }) {
            return true;
        }
        at = p.edges[e].dst;
    }
    false
}
