//! Contracts of recursive functions, right ones and wrong ones.

use std::collections::BTreeMap;
use std::time::Duration;

use cairn_base::Budget;
use cairn_cfront::{Input, Options, compile};
use cairn_checker::{Rejection, check};
use cairn_core::{Contract, Proof, Property, Task};
use cairn_ir::{BinOp, ExprId, ExprPool, FuncId, IntTy, Program, VarId};

/// `less(n)` is not negative and at most n, for n that is not negative.
const LESS: &str =
    "int count; int less(int n) { if (n <= 0) return 0; count = count + 1; return less(n - 1) + 1; }
    int main(void) { int n = __VERIFIER_nondet_int(); if (n < 0) return 0; int r = less(n); ";

struct Setup {
    task: Task,
    less: FuncId,
    n: VarId,
    count: VarId,
    result: VarId,
    exprs: ExprPool,
}

fn setup(check: &str) -> Setup {
    let declared = "void reach_error(void); int __VERIFIER_nondet_int(void);\n";
    let text = format!("{declared}{LESS}{check} }}");
    let compiled = compile(&[Input::Text { name: "t.c".into(), text }], &Options::default(), None);
    let program = compiled.unwrap_or_else(|r| panic!("{:?}", r.diagnostics)).program;
    let task = Task::new(program, Property::default(), Default::default()).expect("a task");
    let p: &Program = &task.program;
    let less = p.func_named("less").expect("the function");
    let global = |name: &str| p.vars.iter().find(|(_, v)| v.name.as_str() == name && v.owner.is_none());
    let count = global("count").expect("the counter").0;
    let (n, mut exprs) = (p.funcs[less].params[0], p.exprs.clone());
    let result = VarId::from_u32(p.vars.len() as u32);
    exprs.declare_var(result, p.vars[n].ty);
    Setup { less, n, count, result, exprs, task }
}

impl Setup {
    fn fact(&mut self, op: BinOp, a: VarId, b: VarId) -> ExprId {
        let (a, b) = (self.exprs.var(a), self.exprs.var(b));
        self.exprs.binary(op, a, b)
    }

    /// `c <= v`
    fn at_least(&mut self, v: VarId, c: i128) -> ExprId {
        let (c, v) = (self.exprs.int(IntTy { bits: 32, signed: true }, c), self.exprs.var(v));
        self.exprs.binary(BinOp::Le, c, v)
    }

    fn check(&self, requires: Vec<ExprId>, ensures: Vec<ExprId>) -> Result<(), String> {
        self.check_contract(Contract { result: Some(self.result), requires, ensures })
    }

    fn check_contract(&self, contract: Contract) -> Result<(), String> {
        let proof = Proof {
            exprs: self.exprs.clone(),
            loops: BTreeMap::new(),
            recursion: BTreeMap::new(),
            contracts: BTreeMap::from([(self.less, contract)]),
            cuts: Default::default(),
            sole: None,
        };
        let budget = Budget::default().with_time(Duration::from_secs(60));
        match check(&self.task.program, self.task.entry, &proof, &|| cairn_smt::standard(), &budget) {
            Ok(_) => Ok(()),
            Err(Rejection::Wrong { what, .. } | Rejection::Unknown(what)) => Err(what),
            Err(Rejection::Layout) => Err("the program looks at addresses".to_owned()),
        }
    }
}

#[test]
fn a_promise_is_enough_for_the_caller() {
    let mut s = setup("if (r < 0 || r > n) reach_error();");
    let requires = vec![s.at_least(s.n, 0)];
    let ensures = vec![s.at_least(s.result, 0), s.fact(BinOp::Le, s.result, s.n)];
    assert_eq!(s.check(requires, ensures), Ok(()));
}

#[test]
fn a_promise_that_is_too_little_does_not_help() {
    let mut s = setup("if (r < 0 || r > n) reach_error();");
    let (requires, ensures) = (vec![s.at_least(s.n, 0)], vec![s.fact(BinOp::Le, s.result, s.n)]);
    let why = s.check(requires, ensures).unwrap_err();
    assert!(why.contains("an error is reached"), "{why}");
}

#[test]
fn a_promise_that_is_not_kept_is_found() {
    let mut s = setup("if (r < 0) reach_error();");
    let requires = vec![s.at_least(s.n, 0)];
    let ensures = vec![s.at_least(s.result, 0), s.fact(BinOp::Lt, s.result, s.n)];
    let why = s.check(requires, ensures).unwrap_err();
    assert!(why.contains("is not kept by the function"), "{why}");
}

/// It holds for all calls that are made, but not because it holds for the calls they make.
#[test]
fn a_promise_that_is_not_inductive_is_refused() {
    let mut s = setup("if (r < 0) reach_error();");
    let ensures = vec![s.fact(BinOp::Le, s.result, s.n)];
    let why = s.check(vec![], ensures).unwrap_err();
    assert!(why.contains("is not kept by the function"), "{why}");
}

#[test]
fn what_is_required_is_asked_of_callers() {
    let mut s = setup("if (r < 0) reach_error();");
    let (requires, ensures) = (vec![s.at_least(s.n, 1)], vec![s.at_least(s.result, 0)]);
    let why = s.check(requires, ensures).unwrap_err();
    assert!(why.contains("does not hold for a call"), "{why}");
}

#[test]
fn what_is_changed_and_not_promised_is_forgotten() {
    let mut s = setup("if (count != 0) reach_error();");
    let (requires, ensures) = (vec![s.at_least(s.n, 0)], vec![s.fact(BinOp::Le, s.result, s.n)]);
    let why = s.check(requires, ensures).unwrap_err();
    assert!(why.contains("an error is reached"), "{why}");
    // That the counter did not go down cannot be said, for its old value has no name; a bound can
    // be required and promised.
    let mut s = setup("if (count < 0) reach_error();");
    let counter = s.at_least(s.count, 0);
    let requires = vec![s.at_least(s.n, 0), counter];
    let why = s.check(requires, vec![counter]).unwrap_err();
    assert!(why.contains("does not hold for a call"), "it may wrap around: {why}");
}

#[test]
fn a_result_without_a_name_is_any_value() {
    let s = setup("r = 7; r = less(n); if (r != 7) reach_error();");
    let why = s.check_contract(Contract::default()).unwrap_err();
    assert!(why.contains("an error is reached"), "{why}");
}

#[test]
fn a_contract_speaks_of_what_callers_see() {
    let mut s = setup("if (r < 0) reach_error();");
    let main = s.task.program.vars.iter().find(|(_, v)| v.name.as_str() == "r").expect("a variable").0;
    let foreign = s.at_least(main, 0);
    let why = s.check(vec![], vec![foreign]).unwrap_err();
    assert!(why.contains("what callers do not see"), "{why}");
    let about_result = s.at_least(s.result, 0);
    let why = s.check(vec![about_result], vec![]).unwrap_err();
    assert!(why.contains("what callers do not see"), "{why}");
    s.result = s.n;
    let why = s.check(vec![], vec![]).unwrap_err();
    assert!(why.contains("not what the function returns"), "{why}");
}
