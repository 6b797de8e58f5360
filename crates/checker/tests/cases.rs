//! Proofs by cases written by hand: right ones, and what becomes of them when
//! something is missing or wrong.

use std::collections::BTreeMap;
use std::time::Duration;

use cairn_base::{Budget, Place, Symbol};
use cairn_cfront::{Input, Options, compile};
use cairn_checker::{Checked, Rejection, check};
use cairn_core::{Case, CutPoint, Cuts, Piece, Proof, Property, Task};
use cairn_ir::dom::Dominators;
use cairn_ir::graph::Graph;
use cairn_ir::loops::Loops;
use cairn_ir::{BinOp, Callee, ExprId, IntTy, LocId, Op, Program, Ty, Var, VarId, VarKind};

const INT: IntTy = IntTy { bits: 32, signed: true };

struct Subject {
    task: Task,
    /// The program with the names of pieces.
    extended: Program,
    cuts: Cuts,
}

impl Subject {
    fn new(text: &str) -> Subject {
        let text = format!("void reach_error(void); int __VERIFIER_nondet_int(void);\n{text}");
        let input = Input::Text { name: "t.c".into(), text };
        let program =
            compile(&[input], &Options::default(), None).unwrap_or_else(|_| panic!("rejected")).program;
        let task = Task::new(program, Property::default(), cairn_core::Options::default()).expect("a task");
        let extended = task.program.clone();
        Subject { task, extended, cuts: Cuts::default() }
    }

    /// The head of the first loop of the entry function.
    fn head(&self) -> LocId {
        let graph = Graph::new(&self.task.program, self.task.entry).expect("a body");
        let dom = Dominators::forward(&graph);
        let loops = Loops::new(&self.task.program, &graph, &dom);
        loops.loops.values().map(|l| l.header).min().expect("a loop")
    }

    /// Where ways meet, in order.
    fn meetings(&self) -> Vec<LocId> {
        let p = &self.task.program;
        let body = p.funcs[self.task.entry].body.as_ref().expect("a body");
        let mut all: Vec<LocId> = body.locs.iter().copied().filter(|&l| p.locs[l].inn.len() > 1).collect();
        all.retain(|&l| l != body.exit);
        all
    }

    fn compare(&mut self, v: VarId, op: BinOp, n: i128) -> ExprId {
        let x = &mut self.extended.exprs;
        let (v, n) = (x.var(v), x.int(INT, n));
        x.binary(op, v, n)
    }

    /// A fact about a variable or, as `name[i]`, an element of an array.
    fn fact(&mut self, (name, op, n): (&str, BinOp, i128)) -> ExprId {
        let p = &self.task.program;
        let v = match name.split_once('[') {
            None => p.vars.iter().find(|(_, v)| v.name.as_str() == name).expect("a variable").0,
            Some((array, i)) => {
                let object = p.objects.iter().find(|(_, o)| o.name.as_str() == array).expect("an array").0;
                let offset = 4 * i.trim_end_matches(']').parse::<u64>().expect("a number");
                let ty = Ty::Int(INT);
                self.cuts.pieces.push(Piece { object, offset, ty });
                self.extended.new_var(Var {
                    name: Symbol::from("piece"),
                    ty,
                    owner: Some(self.task.entry),
                    kind: VarKind::Temp,
                    place: Place::NONE,
                    scope: Place::NONE,
                    dtype: None,
                })
            }
        };
        self.compare(v, op, n)
    }

    fn case(&mut self, at: LocId, facts: &[(&str, BinOp, i128)]) {
        self.case_at(at.into(), facts);
    }

    fn case_at(&mut self, point: CutPoint, facts: &[(&str, BinOp, i128)]) {
        let facts = facts.iter().map(|&f| self.fact(f)).collect();
        self.cuts.cases.entry(point).or_default().push(Case { facts });
    }

    fn check(self) -> Result<Checked, Rejection> {
        let proof = Proof {
            exprs: self.extended.exprs,
            loops: BTreeMap::new(),
            recursion: BTreeMap::new(),
            contracts: BTreeMap::new(),
            cuts: self.cuts,
            sole: None,
        };
        let budget = Budget::default().with_time(Duration::from_secs(3));
        check(&self.task.program, self.task.entry, &proof, &cairn_smt::standard, &budget)
    }
}

/// Cases at the head of the first loop.
fn at_head(text: &str, cases: &[&[(&str, BinOp, i128)]]) -> Result<Checked, Rejection> {
    let mut s = Subject::new(text);
    let head = s.head();
    cases.iter().for_each(|facts| s.case(head, facts));
    s.check()
}

fn is_wrong(found: &Result<Checked, Rejection>) -> bool {
    matches!(found, Err(Rejection::Wrong { .. }))
}

const MACHINE: &str = "int main(void) {
    int s = 0, x = 0;
    while (1) {
        int in = __VERIFIER_nondet_int();
        if (s == 0) { x = 5; s = 1; }
        else if (s == 1) { if (x != 5) reach_error(); if (in) s = 2; }
        else { x = in; s = 0; }
    }
}";

use BinOp::{Eq, Le, Ne};

#[test]
fn the_states_of_a_machine_are_cases() {
    assert!(at_head(MACHINE, &[&[("s", Eq, 0)], &[("s", Eq, 1), ("x", Eq, 5)], &[("s", Eq, 2)]]).is_ok());
}

/// A case that is not needed may be missing: executions are followed to the next one.
#[test]
fn a_cut_point_may_be_passed() {
    assert!(at_head(MACHINE, &[&[("s", Eq, 0)], &[("s", Eq, 1), ("x", Eq, 5)]]).is_ok());
}

#[test]
fn a_case_that_says_too_little_is_refuted() {
    let found = at_head(MACHINE, &[&[("s", Eq, 0)], &[("s", Eq, 1)], &[("s", Eq, 2)]]);
    assert!(is_wrong(&found), "{found:?}");
    let found = at_head(MACHINE, &[&[("s", Le, 2)]]);
    assert!(is_wrong(&found), "{found:?}");
}

/// Executions that are in no case are followed, and never come to an end.
#[test]
fn a_missing_case_or_a_wrong_constant_is_not_accepted() {
    for cases in [
        &[&[("s", Eq, 0)][..], &[("s", Eq, 2)]][..],
        &[&[("s", Eq, 0)], &[("s", Eq, 1), ("x", Eq, 6)], &[("s", Eq, 2)]],
        &[&[("s", Eq, 7)]],
    ] {
        let found = at_head(MACHINE, cases);
        assert!(found.is_err(), "{cases:?}");
    }
}

/// An error below a case counts, wherever it is.
#[test]
fn an_error_is_found() {
    let text = MACHINE.replace("x != 5", "x == 5");
    let found = at_head(&text, &[&[("s", Eq, 0)], &[("s", Eq, 1), ("x", Eq, 5)], &[("s", Eq, 2)]]);
    assert!(is_wrong(&found), "{found:?}");
}

const ARRAY: &str = "int a[3];
int main(void) {
    int n = 0;
    a[1] = 7;
    while (1) {
        if (a[1] != 7) reach_error();
        a[2] = __VERIFIER_nondet_int();
        n = a[2];
    }
}";

/// Whatever memory holds that the function writes is arbitrary in a case, unless the case says it.
#[test]
fn memory_is_known_by_facts_alone() {
    assert!(at_head(ARRAY, &[&[("a[1]", Eq, 7)]]).is_ok());
    let found = at_head(ARRAY, &[&[("n", Le, 2_000_000_000)], &[("n", Ne, 0)]]);
    assert!(is_wrong(&found), "{found:?}");
    let found = at_head(ARRAY, &[&[("a[0]", Eq, 0)]]);
    assert!(is_wrong(&found), "{found:?}");
    assert!(at_head(ARRAY, &[&[("a[1]", Eq, 8)]]).is_err());
}

/// So is what callees change.
#[test]
fn what_callees_change_is_arbitrary() {
    let text = "int g; void set(int v) { g = v; }
        int main(void) {
            int n = 0;
            set(3);
            while (1) { n = __VERIFIER_nondet_int(); if (g != 3) reach_error(); }
        }";
    assert!(at_head(text, &[&[("g", Eq, 3)]]).is_ok());
    let found = at_head(text, &[&[("n", Le, 2_000_000_000)], &[("n", Ne, 0)]]);
    assert!(is_wrong(&found), "{found:?}");
}

#[test]
fn cuts_need_not_be_heads_of_loops() {
    let text = "int main(void) {
        int b = 0, c = 0;
        if (__VERIFIER_nondet_int()) b = 1; else b = -1;
        if (__VERIFIER_nondet_int()) c = b; else c = -b;
        if (c == 0) reach_error();
    }";
    for (facts, good) in [
        (&[&[("b", Eq, 1)][..], &[("b", Eq, -1)]][..], true),
        (&[&[("b", Ne, 0)]], true),
        (&[&[("b", Eq, 1)]], true),
        (&[&[("b", Le, 1)]], false),
        (&[&[("b", Ne, 1)]], false),
    ] {
        let mut s = Subject::new(text);
        let first = s.meetings()[0];
        facts.iter().for_each(|facts| s.case(first, facts));
        let found = s.check();
        assert_eq!(found.is_ok(), good, "{facts:?}: {found:?}");
        assert!(good || is_wrong(&found));
    }
}

const STEP: &str = "int s;
void step(int in) {
    int t = 0;
    if (in) t = 1; else t = 2;
    if (t == 0) reach_error();
    s = t;
}
int main(void) {
    int n = 0;
    while (1) {
        n = 1 - n;
        step(__VERIFIER_nondet_int());
        if (n > 1) reach_error();
    }
}";

/// The meeting point of `step`, and the call of it.
fn in_step(s: &Subject) -> CutPoint {
    let p = &s.task.program;
    let step = p.func_named("step").expect("a function");
    let is_call = |op: &Op| matches!(op, Op::Call { callee: Callee::Func(f), .. } if *f == step);
    let call = p.edges.iter().find(|(_, e)| is_call(&e.op)).expect("a call").0;
    let body = p.funcs[step].body.as_ref().expect("a body");
    let at = body.locs.iter().copied().find(|&l| l != body.exit && p.locs[l].inn.len() > 1);
    CutPoint { calls: vec![call], at: at.expect("a meeting point") }
}

/// A case in a function that is called knows of its callers what it says, and no more.
#[test]
fn cuts_in_callees() {
    for (facts, good) in [
        (&[&[("t", Ne, 0), ("n", Eq, 0)][..], &[("t", Ne, 0), ("n", Eq, 1)]][..], true),
        (&[&[("t", Ne, 0), ("n", Eq, 0)]], true),
        (&[&[("t", Ne, 0), ("n", Eq, 2)]], false),
        (&[&[("t", Ne, 0)]], false),
        (&[&[("n", Eq, 0)], &[("n", Eq, 1)]], false),
        (&[&[("t", Eq, 1), ("n", Eq, 0)], &[("t", Eq, 2), ("n", Eq, 1)]], false),
    ] {
        let mut s = Subject::new(STEP);
        let point = in_step(&s);
        facts.iter().for_each(|facts| s.case_at(point.clone(), facts));
        let found = s.check();
        assert_eq!(found.is_ok(), good, "{facts:?}: {found:?}");
    }
}

#[test]
fn cut_points_must_be_there() {
    let mut s = Subject::new(STEP);
    let CutPoint { calls, at } = in_step(&s);
    s.case_at(at.into(), &[("t", Ne, 0)]);
    assert!(is_wrong(&s.check()), "in the entry function");
    let mut s = Subject::new(STEP);
    s.case_at(CutPoint { calls: [&calls[..], &calls].concat(), at }, &[("t", Ne, 0)]);
    assert!(is_wrong(&s.check()), "a call from where it is not");
    let mut s = Subject::new(STEP);
    let head = s.head();
    s.case_at(CutPoint { calls, at: head }, &[("n", Eq, 0)]);
    assert!(is_wrong(&s.check()), "not in the function that is called");
}

#[test]
fn facts_must_make_sense() {
    let text = "int main(void) { int a[2], i = 0; while (1) { a[1] = i; i = 1; } }";
    // Beyond the end of the array.
    let found = at_head(text, &[&[("a[2]", Eq, 1)]]);
    assert!(is_wrong(&found), "{found:?}");
    // Not defined everywhere.
    let mut s = Subject::new(text);
    let head = s.head();
    let i = s.task.program.vars.iter().find(|(_, v)| v.name.as_str() == "i").expect("i").0;
    let x = &mut s.extended.exprs;
    let (i, two, zero) = (x.var(i), x.int(INT, 2), x.int(INT, 0));
    let quotient = x.binary(BinOp::Div, two, i);
    let fact = x.binary(Eq, quotient, zero);
    s.cuts.cases.insert(head.into(), vec![Case { facts: vec![fact] }]);
    assert!(is_wrong(&s.check()));
}

/// A table with a million bytes, and a hundred states.
#[test]
fn large_tables_are_read_at_known_places() {
    let rows: Vec<String> =
        (0..200).map(|i| format!("{{{}}}", vec![(i + 1).to_string(); 100].join(","))).collect();
    let text = format!(
        "int t[200][100] = {{{}}};
         int main(void) {{
             int s = 0, x = 0;
             while (1) {{
                 x = t[s][s];
                 if (x != s + 1) reach_error();
                 s = (s + 1) % 50;
             }}
         }}",
        rows.join(",")
    );
    let facts: Vec<[(&str, BinOp, i128); 1]> = (0..50).map(|s| [("s", Eq, s)]).collect();
    let cases: Vec<&[(&str, BinOp, i128)]> = facts.iter().map(|f| &f[..]).collect();
    let found = at_head(&text, &cases);
    assert!(found.is_ok(), "{found:?}");
}
