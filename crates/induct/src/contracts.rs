//! Contracts of recursive functions: procedure summaries that can be checked.
//!
//! A function that calls itself is summarised by facts about its parameters, its
//! result and global variables. Candidates come from a range analysis (what is
//! required), and from templates over the constants and conditions of the program
//! (what is ensured); those that do not hold by induction over the open calls are
//! dropped, one model after another (Houdini, as for the facts of loops). With
//! what remains recursion can be taken out of the program: [`Contracts::abstracted`].
//!
//! Only functions that leave memory alone, with all that they call, are summarised.
//!
//! # Why so
//!
//! *Recursion is proved by contracts* (`core::Contract`, `induct::contracts`). A recursive function that
//! leaves memory alone is summarised by facts about its parameters, its result and global variables:
//! candidates from ranges and templates, sifted by Houdini over bits, by induction over the open calls. With
//! them recursion is taken out of the program (calls become any values that keep the contract), and
//! `kinduction` and `gps` prove what is left as any program. The checker does not see that program: it reads
//! contracts by Hoare's rule, in its own words (`checker::contract`), and finds what a call may change
//! itself. Errors are still looked for in the program as it is.

use std::collections::{BTreeMap, BTreeSet};

use cairn_absint::Analysis;
use cairn_base::{Place, Symbol};
use cairn_core::Contract;
use cairn_ir::callgraph::CallGraph;
use cairn_ir::edit::Before;
use cairn_ir::verify::debug_verify;
use cairn_ir::visit::{self, Rename};
use cairn_ir::{
    BinOp, Callee, Expr, ExprId, ExprPool, FuncId, IntTy, LocId, Op, Program, Signature, Ty, UnOp, Var,
    VarId, VarKind,
};
use cairn_smt::houdini::drop_numbers;
use rustc_hash::FxHashMap;

/// Constants of the program that templates use, at most, and how large they may be.
const CONSTANTS: usize = 12;
const LARGE: i128 = 1 << 24;
/// Conditions of a function that templates use, at most.
const CONDITIONS: usize = 5;

/// A fact of a contract: of which function, whether it is ensured (or required), and its number.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Check {
    pub func: FuncId,
    pub ensured: bool,
    pub number: usize,
}

/// Contracts that are being looked for, or that are found.
#[derive(Clone, Debug)]
pub struct Contracts {
    pub of: BTreeMap<FuncId, Contract>,
    /// The program without the results.
    before: Before,
}

/// A program without recursion.
pub struct Abstracted {
    pub program: Program,
    /// Where executions start: where the program does, and with any call of a function that has a contract.
    pub entries: Vec<FuncId>,
    /// The names of inputs that are taken exactly where a fact of a contract does not hold.
    pub checks: FxHashMap<Symbol, Check>,
}

impl Contracts {
    /// All candidates. Their expressions, and variables for the results, are added to the program.
    /// `None` if nothing is recursive, or something that is touches memory.
    pub fn guess(p: &mut Program, entry: FuncId, analysis: &Analysis) -> Option<Contracts> {
        let calls = CallGraph::new(p);
        let recursive = recursive(p, &calls, entry);
        if recursive.is_empty() {
            return None;
        }
        let before = Before::of(p);
        let constants = constants(p, &calls.reachable(entry));
        let mut of = BTreeMap::new();
        for &f in &recursive {
            let func = &p.funcs[f];
            let (place, ret, body) = (func.place, func.sig.ret, func.body.as_ref()?);
            let (start, exit) = (body.entry, body.exit);
            let result = ret.map(|ty| {
                let (name, kind) = (Symbol::from("result"), VarKind::Temp);
                p.new_var(Var { name, ty, owner: Some(f), kind, place, scope: place, dtype: None })
            });
            let params = p.funcs[f].params.clone();
            let mut requires = analysis.facts(start, &mut p.exprs);
            requires.retain(|&e| {
                let mut seen = true;
                p.exprs.each_var(e, &mut |v| seen &= params.contains(&v) || p.vars[v].owner.is_none());
                seen
            });
            // What holds of global variables where it returns.
            let mut ensures = analysis.facts(exit, &mut p.exprs);
            ensures.retain(|&e| {
                let mut seen = true;
                p.exprs.each_var(e, &mut |v| seen &= p.vars[v].owner.is_none());
                seen
            });
            if let (Some(r), Some(Ty::Int(ty))) = (result, ret) {
                ensures.extend(promises(p, f, r, ty, &constants));
            }
            of.insert(f, Contract { result, requires, ensures });
        }
        Some(Contracts { of, before })
    }

    /// An expression of another pool, if it speaks of the program's own variables only.
    pub fn adopt(&self, from: &ExprPool, e: ExprId, to: &mut ExprPool) -> Option<ExprId> {
        let mut fine = true;
        from.each_var(e, &mut |v| fine &= self.before.has_var(v));
        fine.then(|| visit::copy(from, to, e))
    }

    /// Drops facts that are refuted; says how many there were.
    pub fn drop(&mut self, refuted: impl Fn(Check) -> bool) -> usize {
        let mut dropped = 0;
        for (&func, contract) in &mut self.of {
            for (ensured, facts) in [(false, &mut contract.requires), (true, &mut contract.ensures)] {
                dropped += drop_numbers(facts, |number| refuted(Check { func, ensured, number }));
            }
        }
        dropped
    }

    /// The program with calls by contract, as it starts. Locations and variables of the program mean
    /// the same there.
    pub fn applied(&self, program: &Program) -> Program {
        let mut p = program.clone();
        let globals = globals(&p);
        self.replace_calls(&mut p, |p, f, contract| stub(p, f, contract, &globals, None));
        debug_verify(&p, "Contracts::applied");
        p
    }

    /// The same, with inputs where a contract is broken.
    pub fn abstracted(&self, program: &Program, entry: FuncId) -> Abstracted {
        let mut p = program.clone();
        let mut checks = FxHashMap::default();
        let mut entries = vec![entry];
        let globals = globals(&p);
        self.replace_calls(&mut p, |p, f, contract| stub(p, f, contract, &globals, Some(&mut checks)));
        for (&f, contract) in &self.of {
            entries.push(any_call(&mut p, f, contract, &globals, &mut checks));
        }
        debug_verify(&p, "Contracts::abstracted");
        Abstracted { program: p, entries, checks }
    }

    fn replace_calls(
        &self,
        p: &mut Program,
        mut stub: impl FnMut(&mut Program, FuncId, &Contract) -> FuncId,
    ) {
        let stubs: BTreeMap<FuncId, FuncId> = self.of.iter().map(|(&f, c)| (f, stub(p, f, c))).collect();
        p.redirect_calls(|f| stubs.get(&f).map(|&stub| Callee::Func(stub)));
    }
}

fn globals(p: &Program) -> Vec<VarId> {
    p.vars.iter().filter(|(_, v)| v.owner.is_none()).map(|(v, _)| v).collect()
}

/// A function that asks for what `f` requires, changes what it may change, and returns what it ensures.
fn stub(
    p: &mut Program,
    f: FuncId,
    contract: &Contract,
    globals: &[VarId],
    checks: Option<&mut FxHashMap<Symbol, Check>>,
) -> FuncId {
    let sig = p.funcs[f].sig.clone();
    let mut w = Writer::new(p, f, sig);
    let mut names = FxHashMap::default();
    let own = w.p.new_params(w.func, w.place);
    names.extend(w.p.funcs[f].params.iter().copied().zip(own));
    if let Some(checks) = checks {
        w.check(&contract.requires, &names, |number| Check { func: f, ensured: false, number }, checks);
    }
    let changed = changed(w.p, f);
    for &g in globals.iter().filter(|g| changed.contains(g)) {
        w.input(g);
    }
    let mut value = None;
    if let Some(r) = contract.result {
        let result = w.temp(w.p.vars[r].ty);
        w.input(result);
        names.insert(r, result);
        value = Some(w.p.exprs.var(result));
    }
    for &e in &contract.ensures {
        w.assume(e, &names);
    }
    w.end(value)
}

/// A function that calls `f` with anything it may be called with, and looks at what it ensures.
fn any_call(
    p: &mut Program,
    f: FuncId,
    contract: &Contract,
    globals: &[VarId],
    checks: &mut FxHashMap<Symbol, Check>,
) -> FuncId {
    let mut w = Writer::new(p, f, Signature { params: vec![], ret: None, variadic: false });
    for &g in globals {
        w.input(g);
    }
    let mut names = FxHashMap::default();
    let mut args = Vec::new();
    for v in w.p.funcs[f].params.clone() {
        let argument = w.temp(w.p.vars[v].ty);
        w.input(argument);
        names.insert(v, argument);
        args.push(w.p.exprs.var(argument));
    }
    for &e in &contract.requires {
        w.assume(e, &names);
    }
    let dst = contract.result.map(|r| {
        let result = w.temp(w.p.vars[r].ty);
        names.insert(r, result);
        result
    });
    w.step(Op::Call { dst, callee: Callee::Func(f), args: args.into() });
    w.check(&contract.ensures, &names, |number| Check { func: f, ensured: true, number }, checks);
    w.end(None)
}

/// Writes the body of a new function, one operation after another.
struct Writer<'p> {
    p: &'p mut Program,
    func: FuncId,
    at: LocId,
    exit: LocId,
    place: Place,
    /// The expressions as they were when it began.
    exprs: ExprPool,
}

impl<'p> Writer<'p> {
    fn new(p: &'p mut Program, of: FuncId, sig: Signature) -> Writer<'p> {
        let place = p.funcs[of].place;
        let name = Symbol::from(format!("{} by contract", p.funcs[of].name).as_str());
        let func = p.new_function(name, sig, place);
        let (at, exit) = p.new_body(func);
        let exprs = p.exprs.clone();
        Writer { p, func, at, exit, place, exprs }
    }

    fn temp(&mut self, ty: Ty) -> VarId {
        self.p.new_temp(self.func, Symbol::from("any"), ty, self.place)
    }

    fn step(&mut self, op: Op) {
        self.at = self.p.new_step(self.at, op, self.place);
    }

    /// A fact of the contract, with the names it has here.
    fn renamed(&mut self, fact: ExprId, names: &FxHashMap<VarId, VarId>) -> ExprId {
        let mut rename = Rename::new(|v| names.get(&v).copied().unwrap_or(v), |o| o, |l| l);
        rename.expr(&self.exprs, &mut self.p.exprs, fact)
    }

    /// Executions for which the fact does not hold end.
    fn assume(&mut self, fact: ExprId, names: &FxHashMap<VarId, VarId>) {
        let cond = self.renamed(fact, names);
        self.step(Op::Assume { cond, holds: true });
    }

    fn input(&mut self, dst: VarId) {
        self.step(Op::Input { dst, name: Symbol::from("any") });
    }

    /// Where a fact does not hold an input is taken that says which, and executions go on: so one of them shows
    /// all the facts that do not hold in it.
    fn check(
        &mut self,
        facts: &[ExprId],
        names: &FxHashMap<VarId, VarId>,
        check: impl Fn(usize) -> Check,
        checks: &mut FxHashMap<Symbol, Check>,
    ) {
        for (number, &e) in facts.iter().enumerate() {
            let cond = self.renamed(e, names);
            let (next, bad) = (self.p.new_loc(self.func), self.p.new_loc(self.func));
            self.p.new_branch(self.at, cond, next, bad, self.place, false);
            let check = check(number);
            let side = if check.ensured { "ensures" } else { "requires" };
            let name = Symbol::from(format!("{} {side} {number}", check.func).as_str());
            let dst = self.temp(Ty::I32);
            self.p.new_edge(bad, next, Op::Input { dst, name }, self.place);
            checks.insert(name, check);
            self.at = next;
        }
    }

    fn end(self, value: Option<ExprId>) -> FuncId {
        self.p.new_edge(self.at, self.exit, Op::Return { value }, self.place);
        self.func
    }
}

/// Whether there is something to summarise.
pub fn apply(p: &Program, entry: FuncId) -> bool {
    !recursive(p, &CallGraph::new(p), entry).is_empty()
}

/// The recursive functions, if all of them can be summarised.
fn recursive(p: &Program, calls: &CallGraph, entry: FuncId) -> Vec<FuncId> {
    let reached = calls.reachable(entry).into_iter();
    let recursive: Vec<FuncId> = reached.filter(|&f| calls.is_recursive(f)).collect();
    let simple = |f: FuncId| {
        let all = calls.reachable(f);
        f != entry && !calls.address_taken.contains(&f) && all.iter().all(|&g| leaves_memory(p, g))
    };
    if recursive.iter().all(|&f| simple(f)) { recursive } else { Vec::new() }
}

/// Does the function neither read nor write memory?
fn leaves_memory(p: &Program, f: FuncId) -> bool {
    let Some(body) = &p.funcs[f].body else { return true };
    let edges = body.edges.iter().map(|&e| &p.edges[e].op);
    body.objects.is_empty()
        && edges.into_iter().all(|op| {
            matches!(
                op,
                Op::Nop
                    | Op::Assign { .. }
                    | Op::Assume { .. }
                    | Op::Input { .. }
                    | Op::Call { callee: Callee::Func(_) | Callee::Builtin(_), .. }
                    | Op::Return { .. }
                    | Op::Trap(_)
            )
        })
}

/// The global variables that a call may assign.
fn changed(p: &Program, f: FuncId) -> BTreeSet<VarId> {
    let reached = CallGraph::new(p).reachable(f);
    let edges = reached.iter().flat_map(|&g| p.funcs[g].body.iter().flat_map(|b| &b.edges));
    edges.filter_map(|&e| p.edges[e].op.def()).filter(|&v| p.vars[v].owner.is_none()).collect()
}

/// Numbers that occur in the functions, the smallest first, with their neighbours 0 and 1.
fn constants(p: &Program, functions: &[FuncId]) -> Vec<i128> {
    let mut found = BTreeSet::new();
    for &f in functions.iter().filter(|&&f| !p.funcs[f].is_model) {
        for &e in p.funcs[f].body.iter().flat_map(|b| &b.edges) {
            p.edges[e].op.each_expr(|x| {
                let mut work = vec![x];
                while let Some(x) = work.pop() {
                    if let Expr::Int(ty, bits) = p.exprs.get(x) {
                        found.insert(ty.number(bits).abs());
                    }
                    work.extend(p.exprs.children(x));
                }
            });
        }
    }
    found.extend([0, 1]);
    found.into_iter().filter(|c| *c <= LARGE).take(CONSTANTS).collect()
}

/// Conditions of the function over parameters that keep their values.
fn conditions(p: &Program, f: FuncId) -> Vec<ExprId> {
    let Some(body) = &p.funcs[f].body else { return Vec::new() };
    let assigned: BTreeSet<VarId> = body.edges.iter().filter_map(|&e| p.edges[e].op.def()).collect();
    let params = &p.funcs[f].params;
    let mut found = Vec::new();
    for &e in &body.edges {
        let Op::Assume { cond, holds: true } = p.edges[e].op else { continue };
        let mut fine = p.exprs.is_total(cond);
        p.exprs.each_var(cond, &mut |v| fine &= params.contains(&v) && !assigned.contains(&v));
        if fine && !found.contains(&cond) && found.len() < CONDITIONS {
            found.push(cond);
        }
    }
    found
}

/// What a function might ensure: its result compared with constants and parameters, under its own
/// conditions or always.
fn promises(p: &mut Program, f: FuncId, result: VarId, ty: IntTy, constants: &[i128]) -> Vec<ExprId> {
    let params: Vec<VarId> =
        p.funcs[f].params.iter().copied().filter(|&v| matches!(p.vars[v].ty, Ty::Int(_))).collect();
    let conditions = conditions(p, f);
    let x = &mut p.exprs;
    let r = x.var(result);
    let (mut equal, mut bounds, mut near) = (Vec::new(), Vec::new(), Vec::new());
    let params: Vec<ExprId> = params
        .into_iter()
        .map(|v| {
            let v = x.var(v);
            x.cast(Ty::Int(ty), v)
        })
        .collect();
    for &c in constants {
        for c in if c == 0 { vec![0] } else { vec![c, -c] } {
            let number = x.int(ty, c);
            equal.push(x.binary(BinOp::Eq, r, number));
            let sides = [x.binary(BinOp::Le, number, r), x.binary(BinOp::Le, r, number)];
            if c.abs() <= 1 { &mut near } else { &mut bounds }.extend(sides);
            for &v in &params {
                let sum = x.binary(BinOp::Add, v, number);
                equal.push(x.binary(BinOp::Eq, r, sum));
                let sides = [x.binary(BinOp::Le, sum, r), x.binary(BinOp::Le, r, sum)];
                if c.abs() <= 1 { &mut near } else { &mut bounds }.extend(sides);
            }
        }
    }
    let two = x.int(ty, 2);
    for (n, &v) in params.iter().enumerate() {
        let rest = x.binary(BinOp::Rem, v, two);
        equal.extend([x.binary(BinOp::Eq, r, rest), x.binary(BinOp::Ne, r, rest)]);
        for &w in &params[n + 1..] {
            for (op, a, b) in [(BinOp::Add, v, w), (BinOp::Sub, v, w), (BinOp::Sub, w, v), (BinOp::Mul, v, w)]
            {
                let both = x.binary(op, a, b);
                equal.push(x.binary(BinOp::Eq, r, both));
            }
        }
    }
    let mut all: Vec<ExprId> = [&equal[..], &near, &bounds].concat();
    for c in conditions {
        let not = x.unary(UnOp::Not, c);
        for guard in [c, not] {
            let otherwise = x.bool(true);
            for &fact in equal.iter().chain(&near) {
                all.push(x.select(guard, fact, otherwise));
            }
        }
    }
    all.sort_unstable();
    all.dedup();
    all.retain(|&e| !matches!(x.get(e), Expr::Bool(_)));
    all
}
