//! The check of safe verdicts.
//!
//! A [`Proof`] says of each loop how often it goes round, or what holds whenever
//! its head is visited. Following the program with that help leads to
//! finitely many verification conditions; [`check`] generates them (as Floyd and
//! Hoare, Dijkstra, and every verifier with loop invariants since) and lets a
//! solver refute that any of them fails.
//!
//! No engine uses this reading of programs. It shares with them the program, what
//! pure operations mean, and the solvers; how control is followed, what memory is,
//! how pointers are resolved and what a loop may change is written here once more
//! and as plainly as possible, so that a fault there does not pass unseen.
//!
//! | module | what it does |
//! |---|---|
//! | `walk` | follows functions and loops |
//! | `exec` | operations and calls |
//! | `contract` | calls of functions that have a contract |
//! | `memory`, `bytes`, `address` | objects, what they hold, and pointers to them |
//! | `layout`, `looks` | where objects lie: as the program says, or anywhere |
//! | `related` | pointers that are into one object by the text |
//! | `cases` | follows executions one by one, in proofs by cases |
//! | `text` | formats and numbers in texts, where they are constant |
//! | `havoc` | what a loop may change |
//! | `shape` | loops, and which marked invariants belong to them |
//! | `state`, `path` | executions at one place |
//! | `sole` | the one execution of a program that takes nothing from outside |

mod address;
mod bytes;
mod cases;
mod contract;
mod exec;
mod havoc;
mod layout;
mod looks;
mod memory;
mod path;
mod related;
mod shape;
mod sole;
mod state;
mod text;
mod walk;

use std::time::Duration;

use cairn_base::stack::with_big_stack;
use cairn_base::{Budget, Place, Symbol};
use cairn_core::{CutPoint, LoopProof, Proof, Workshop};
use cairn_ir::{Callee, Expr, ExprId, FuncId, LocId, Op, Program, Ty, Var, VarId, VarKind};
use cairn_smt::{Answer, Solver};
use cairn_term::{Evaluator, Pool};
use rustc_hash::FxHashSet;

pub use shape::{MARKER, loop_heads};

use crate::address::Space;
use crate::cases::{Cases, Failure};
use crate::shape::is_marker;
use crate::state::State;
use crate::walk::{Condition, Halt, Walk};

/// Of the time that is left, the part in which a sole execution is followed once more. It may be long, and
/// others may have other proofs.
const SOLE_SHARE: f64 = 0.4;

/// A proof that holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checked {
    /// Conditions that were shown.
    pub conditions: usize,
    /// Terms that were built for them.
    pub terms: usize,
}

/// A proof that is not accepted.
#[derive(Clone, PartialEq, Debug)]
pub enum Rejection {
    /// A condition fails.
    Wrong { what: String, place: Place },
    /// A condition fails that depends on where objects lie, and the program does not say that: the proof
    /// may hold for some layouts of memory only.
    Layout,
    /// A limit was reached, or there is something the checker cannot read.
    Unknown(String),
}

/// Checks that no execution of an instrumented program from `entry` reaches an error, by a proof.
pub fn check(
    program: &Program,
    entry: FuncId,
    proof: &Proof,
    solver: &(dyn Fn() -> Box<dyn Solver> + Sync),
    budget: &Budget,
) -> Result<Checked, Rejection> {
    check_in(Workshop::new(solver()), program, entry, proof, budget)
}

/// As [`check`], with terms and a solver that an engine has worked with. The conditions are
/// generated and asked for all the same; but what the solver has learned about terms that happen to
/// be equal it need not learn again.
pub fn check_in(
    workshop: Workshop,
    given: &Program,
    entry: FuncId,
    proof: &Proof,
    budget: &Budget,
) -> Result<Checked, Rejection> {
    if let Some(sole) = &proof.sole {
        return sole::check(given, entry, sole, &budget.part(SOLE_SHARE, Duration::MAX));
    }
    let given = &with_results(given, proof)?;
    let first = VarId::from_u32(given.vars.len() as u32);
    // The program, with the expressions of the proof and its names for pieces of memory.
    let mut program = Program { exprs: proof.exprs.clone(), ..given.clone() };
    for piece in &proof.cuts.pieces {
        program.vars.push(Var {
            name: Symbol::from("piece"),
            ty: piece.ty,
            owner: given.objects.get(piece.object).and_then(|o| o.owner),
            kind: VarKind::Temp,
            place: Place::NONE,
            scope: Place::NONE,
            dtype: None,
        });
    }
    well_formed(given, &program, entry, proof)?;
    let program = &program;
    let Workshop { pool, mut solver } = workshop;
    if !proof.cuts.cases.is_empty() {
        return with_big_stack(move || by_cases(program, entry, proof, pool, first, budget));
    }
    let (space, mut pool, conditions) = with_big_stack(move || {
        let mut walk = Walk::new(program, proof, pool, budget);
        if walk.names_addresses() {
            return Err(Rejection::Layout);
        }
        match follow(&mut walk, entry) {
            Ok(()) | Err(Halt::Dead) => {}
            Err(Halt::Stop(why)) => return Err(Rejection::Unknown(why)),
        }
        if walk.space.needs_room() {
            walk.conditions.append(&mut walk.oversize);
        }
        Ok((walk.space, walk.pool, walk.conditions))
    })?;
    discharge(&mut pool, &conditions, &space, &mut *solver, budget)
}

fn by_cases(
    program: &Program,
    entry: FuncId,
    proof: &Proof,
    pool: Pool,
    first: VarId,
    budget: &Budget,
) -> Result<Checked, Rejection> {
    let mut walk = Walk::new(program, proof, pool, budget);
    if walk.names_addresses() {
        return Err(Rejection::Layout);
    }
    let (statics, state) = match begin(&mut walk, entry) {
        Ok(both) => both,
        Err(Halt::Stop(why)) => return Err(Rejection::Unknown(why)),
        Err(Halt::Dead) => return Err(Rejection::Unknown("the program does not begin".into())),
    };
    let mut cases = Cases::new(&mut walk, entry, cairn_smt::standard(), first);
    let followed = cases.run(state);
    let shown = cases.shown;
    match followed {
        Ok(()) => {}
        Err(Failure::Halt(Halt::Stop(why))) => return Err(Rejection::Unknown(why)),
        // Executions that end are dropped one by one: here all work would have been.
        Err(Failure::Halt(Halt::Dead)) => return Err(Rejection::Unknown("a case cannot be read".into())),
        Err(Failure::Rejected(why)) => return Err(why),
    }
    match walk.contracts(&statics) {
        Ok(()) | Err(Halt::Dead) => {}
        Err(Halt::Stop(why)) => return Err(Rejection::Unknown(why)),
    }
    let mut rest = std::mem::take(&mut walk.conditions);
    if walk.space.needs_room() {
        rest.append(&mut walk.oversize);
    }
    let shown = shown + rest.len();
    discharge(&mut walk.pool, &rest, &walk.space, &mut *cairn_smt::standard(), budget)?;
    Ok(Checked { conditions: shown, terms: walk.pool.len() })
}

fn follow(walk: &mut Walk<'_>, entry: FuncId) -> Result<(), Halt> {
    let (statics, state) = begin(walk, entry)?;
    match walk.start(entry, state) {
        Ok(()) | Err(Halt::Dead) => {}
        stop => return stop,
    }
    walk.contracts(&statics)
}

/// The state in which the program's data is all there is, and that in which executions begin.
fn begin(walk: &mut Walk<'_>, entry: FuncId) -> Result<(State, State), Halt> {
    if walk.program.funcs[entry].body.is_none() {
        return Err(Halt::Stop("the entry function has no body".into()));
    }
    let mut state = State::default();
    let ready = walk.statics(&mut state);
    let statics = state.clone();
    match ready.and_then(|()| walk.arguments(entry, &mut state)) {
        Ok(()) => Ok((statics, state)),
        Err(Halt::Dead) => Err(Halt::Stop("the program's data is undefined".into())),
        Err(stop) => Err(stop),
    }
}

/// The program, with a variable for the result of each contract.
fn with_results(p: &Program, proof: &Proof) -> Result<Program, Rejection> {
    let mut p = p.clone();
    for (&f, contract) in &proof.contracts {
        let wrong = |what: &str, place| Err(Rejection::Wrong { what: what.to_owned(), place });
        let Some(func) = p.funcs.get(f).filter(|func| func.body.is_some()) else {
            return wrong("a contract is about a function that is not there", Place::NONE);
        };
        let (place, ret) = (func.place, func.sig.ret);
        match (contract.result, ret) {
            (None, _) => {}
            (Some(v), Some(ty)) if v.as_u32() as usize == p.vars.len() => {
                let (name, kind) = (Symbol::from("result"), VarKind::Temp);
                p.vars.push(Var { name, ty, owner: Some(f), kind, place, scope: place, dtype: None });
            }
            _ => return wrong("the result of a contract is not what the function returns", place),
        }
    }
    Ok(p)
}

/// The proof speaks of this program and its facts make sense where they stand.
fn well_formed(given: &Program, p: &Program, entry: FuncId, proof: &Proof) -> Result<(), Rejection> {
    let wrong = |what: &str, place| Err(Rejection::Wrong { what: what.to_owned(), place });
    let exprs = &given.exprs;
    let extends = exprs.len() <= proof.exprs.len()
        && exprs.iter().all(|(e, x)| proof.exprs.get(e) == x && proof.exprs.ty(e) == exprs.ty(e));
    if !extends {
        return wrong("the proof is about the expressions of another program", Place::NONE);
    }
    for piece in &proof.cuts.pieces {
        let fine = p.objects.get(piece.object).is_some_and(|o| {
            let end = piece.offset.checked_add(piece.ty.bytes(p.model));
            end.is_some_and(|end| end <= o.size)
        });
        if !fine {
            return wrong("the proof names a piece of memory that is not there", Place::NONE);
        }
    }
    for (point, cases) in &proof.cuts.cases {
        let Some(open) = open_at(p, entry, proof, point) else {
            return wrong("the proof has cases where no execution comes by such calls", Place::NONE);
        };
        for &fact in cases.iter().flat_map(|c| &c.facts) {
            if !makes_sense(p, proof, &open, fact) || !proof.exprs.is_total(fact) {
                return wrong("a fact of a case is no statement about its location", Place::NONE);
            }
        }
    }
    let heads: FxHashSet<LocId> = p.locs.keys().collect();
    for (&head, l) in &proof.loops {
        if !heads.contains(&head) {
            return wrong("the proof is about a location that is not there", Place::NONE);
        }
        let LoopProof::Invariant { facts, .. } = l else { continue };
        let first = given.vars.len() as u32;
        let mut own = true;
        facts.iter().for_each(|&fact| proof.exprs.each_var(fact, &mut |v| own &= v.as_u32() < first));
        if !own {
            return wrong("the proof of a loop speaks of a piece of memory", Place::NONE);
        }
        let place = p.locs[head].loop_stmt.unwrap_or(Place::NONE);
        if !facts.iter().all(|&fact| makes_sense(p, proof, &[p.locs[head].func], fact)) {
            return wrong("a fact of the proof is no statement about its loop", place);
        }
    }
    for (&f, contract) in &proof.contracts {
        let params = &p.funcs[f].params;
        // Of a function's own variables, callers know its parameters and its result.
        let seen_outside = |e: ExprId, result: Option<VarId>| {
            let mut fine = makes_sense(p, proof, &[f], e);
            if fine {
                proof.exprs.each_var(e, &mut |v| {
                    fine &= p.vars[v].owner.is_none() || params.contains(&v) || result == Some(v);
                });
            }
            fine
        };
        let fine = contract.requires.iter().all(|&e| seen_outside(e, None))
            && contract.ensures.iter().all(|&e| seen_outside(e, contract.result));
        if !fine {
            return wrong("a contract speaks of what callers do not see", p.funcs[f].place);
        }
    }
    Ok(())
}

/// The functions that are open at a cut point, the entry function first. `None` if there is no such point.
fn open_at(p: &Program, entry: FuncId, proof: &Proof, point: &CutPoint) -> Option<Vec<FuncId>> {
    let mut open = vec![entry];
    for &e in &point.calls {
        let edge = p.edges.get(e)?;
        let Op::Call { callee: Callee::Func(f), .. } = edge.op else { return None };
        let here = p.locs[edge.src].func == *open.last()?;
        let fine = p.funcs[f].body.is_some() && !proof.contracts.contains_key(&f) && !is_marker(p, e);
        if !here || !fine || open.contains(&f) {
            return None;
        }
        open.push(f);
    }
    (p.locs.get(point.at)?.func == *open.last()?).then_some(open)
}

/// Is it a condition over what is visible in these functions?
fn makes_sense(p: &Program, proof: &Proof, open: &[FuncId], fact: ExprId) -> bool {
    let exprs = &proof.exprs;
    if fact.as_u32() as usize >= exprs.len() || exprs.ty(fact) != Ty::Bool {
        return false;
    }
    let mut seen = FxHashSet::default();
    let mut work = vec![fact];
    while let Some(e) = work.pop() {
        if !seen.insert(e) {
            continue;
        }
        let fine = match exprs.get(e) {
            Expr::Var(v) => p
                .vars
                .get(v)
                .is_some_and(|var| var.ty == exprs.ty(e) && var.owner.is_none_or(|o| open.contains(&o))),
            Expr::Addr(o) => {
                p.objects.get(o).is_some_and(|x| x.owner.is_none_or(|o| open.last() == Some(&o)))
            }
            Expr::Func(g) => p.funcs.get(g).is_some(),
            Expr::Label(l) => p.labels.get(l).is_some(),
            _ => true,
        };
        if !fine {
            return false;
        }
        work.extend(exprs.children(e));
    }
    true
}

/// All conditions at once; which one fails is asked only if one does.
fn discharge(
    pool: &mut Pool,
    conditions: &[Condition],
    space: &Space,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Checked, Rejection> {
    let checked = Checked { conditions: conditions.len(), terms: pool.len() };
    let all: Vec<_> = conditions.iter().map(|c| c.when).collect();
    let any = pool.or(&all);
    if pool.as_bool(any) == Some(false) {
        return Ok(checked);
    }
    match solver.check(pool, &[any], budget) {
        Answer::Unsat => return Ok(checked),
        Answer::Unknown(why) => return Err(Rejection::Unknown(why.to_string())),
        Answer::Sat => {}
    }
    let vars = pool.free_vars(&all);
    let model = match solver.model(pool, &vars) {
        Ok(m) => m,
        Err(why) => return Err(Rejection::Unknown(why.to_string())),
    };
    let mut eval = Evaluator::new(pool, &model);
    let failed: Vec<&Condition> = conditions.iter().filter(|c| eval.holds(c.when)).collect();
    let looks = space.looks.borrow();
    match failed.iter().find(|c| !c.gap).or(failed.first()) {
        Some(c) if !c.gap && looks.decides(pool, c.when) => Err(Rejection::Layout),
        Some(c) if !c.gap => Err(Rejection::Wrong { what: c.what.clone(), place: c.place }),
        Some(c) => Err(Rejection::Unknown(c.what.clone())),
        None => Err(Rejection::Unknown("the solver's model breaks no condition".into())),
    }
}
