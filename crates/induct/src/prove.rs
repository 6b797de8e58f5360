//! k-induction (Sheeran, Singh and Stålmarck 2000) over the turns of loops, with
//! facts that make it succeed more often (as Beyer, Dangl and Wendler 2015).
//!
//! Candidate facts at loop heads come from the client; those that are
//! not inductive together are dropped one by one (Houdini, Flanagan and Leino
//! 2001). What remains is assumed; if no error is left, the facts are the proof.
//! Recursion is dealt with in the same way, by contracts: see [`crate::contracts`].

use std::collections::{BTreeMap, BTreeSet};

use cairn_absint::Analysis;
use cairn_base::Budget;
use cairn_base::effort::SECOND;
use cairn_core::{Cx, Event, LoopProof, LoopReport, LoopStatus, Proof, Task, Trace, Why, loop_place};
use cairn_encode::{Bounds, Induction as Step, Obligation, ObligationKind, Unrolled, Unroller};
use cairn_ir::{ExprId, ExprPool, LocId, Program};
use cairn_smt::houdini::{self, Failure, Reply, drop_numbers};
use cairn_term::{Evaluator, Pool, TermId};

use crate::Candidates;
use crate::contracts::{self, Abstracted, Check, Contracts};
use crate::query::{self, Found};

/// The effort that the analysis of ranges is worth.
const RANGES: u64 = 5 * SECOND;
/// Loops whose end constants decide within so many turns are followed, not proved.
const SHORT: u32 = 20;
/// In search of errors, loops that just compute are followed for longer.
const COMPUTED: u32 = 1_000;
const TERMS: usize = 20_000_000;
/// Terms for a first look at how long loops are, where facts are at hand.
const GLANCE: usize = 20_000;

/// A proof by induction with `k` up to `most`, helped by facts that probably hold at the heads of
/// loops. Their expressions are those of `exprs`, which extend the program's.
pub fn prove(task: &Task, cx: &Cx<'_>, facts: &Candidates, exprs: &ExprPool, most: u32) -> Option<Proof> {
    let program = Program { exprs: exprs.clone(), ..task.program.clone() };
    let mut search = Induction::new(task, cx, program);
    for head in long_loops(task, &cx.budget, GLANCE) {
        search.add(head);
    }
    for (&head, facts) in facts {
        search.candidates.entry(head).or_default().extend(facts);
    }
    search.prove(cx, most)
}

/// A task whose recursive functions are summarised, by contracts that hold.
pub struct Summarised {
    pub task: Task,
    contracts: Contracts,
    /// The program, with the results and the expressions of the contracts.
    program: Program,
}

/// Finds contracts of recursive functions, if there are such functions.
pub fn summarise(task: &Task, cx: &Cx<'_>) -> Option<Summarised> {
    if !contracts::apply(&task.program, task.entry) {
        return None;
    }
    let mut search = Induction::new(task, cx, task.program.clone());
    search.make_contracts();
    for head in long_loops(task, &cx.budget, GLANCE) {
        search.add(head);
    }
    search.settle(cx, 1).ok()?;
    let (contracts, program) = (search.contracts?, search.program);
    Some(Summarised { task: task.about(contracts.applied(&program)), contracts, program })
}

impl Summarised {
    /// As [`prove`], with the contracts, for the program as it was; facts and expressions are those of
    /// the summarised one.
    pub fn prove(
        &self,
        task: &Task,
        cx: &Cx<'_>,
        facts: &Candidates,
        exprs: &ExprPool,
        most: u32,
    ) -> Option<Proof> {
        let mut search = Induction::new(task, cx, self.program.clone());
        search.contracts = Some(self.contracts.clone());
        for head in long_loops(task, &cx.budget, GLANCE) {
            search.add(head);
        }
        for (&head, facts) in facts {
            let to = &mut search.program.exprs;
            let adopted = facts.iter().filter_map(|&fact| self.contracts.adopt(exprs, fact, to));
            search.candidates.entry(head).or_default().extend(adopted);
        }
        search.prove(cx, most)
    }
}

impl Induction<'_> {
    fn prove(mut self, cx: &Cx<'_>, most: u32) -> Option<Proof> {
        let mut k = 1;
        while k <= most {
            match self.round(cx, k) {
                Round::Proved(proof) => return Some(proof),
                Round::Recursion if self.make_contracts() => {}
                Round::Refuted | Round::Recursion | Round::Unknown(_) => k += 1,
            }
        }
        None
    }
}

/// What came of an attempt with one k.
pub enum Round {
    Proved(Proof),
    /// Not inductive with this k.
    Refuted,
    /// Some recursion is deeper than it is followed.
    Recursion,
    Unknown(Why),
}

/// Facts that hold, and the program followed with them.
struct Settled {
    facts: BTreeMap<LocId, Vec<ExprId>>,
    pool: Pool,
    unrolled: Unrolled,
    solver: Box<dyn cairn_smt::Solver>,
}

/// What is assumed to hold, until it is refuted.
struct Kept {
    /// At the heads of loops.
    facts: BTreeMap<LocId, Vec<ExprId>>,
    contracts: Option<Contracts>,
}

/// A candidate: a fact at the head of a loop, by its number, or one of a contract.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Candidate {
    Fact(LocId, usize),
    Contract(Check),
}

impl houdini::Candidates for Kept {
    type Id = Candidate;

    fn drop_refuted(&mut self, refuted: &BTreeSet<Candidate>) -> usize {
        let is = |c: Candidate| refuted.contains(&c);
        let lists = self.facts.iter_mut();
        let facts: usize =
            lists.map(|(&head, list)| drop_numbers(list, |n| is(Candidate::Fact(head, n)))).sum();
        facts + self.contracts.as_mut().map_or(0, |all| all.drop(|check| is(Candidate::Contract(check))))
    }
}

/// The program followed under the assumption of candidates.
type Followed = (Pool, Unrolled, Box<dyn cairn_smt::Solver>);

/// An attempt to prove a task by induction.
pub struct Induction<'t> {
    task: &'t Task,
    /// The program, with the expressions of the facts.
    program: Program,
    candidates: BTreeMap<LocId, Vec<ExprId>>,
    analysis: Analysis,
    /// Of recursive functions, if there are some and they have been asked for.
    contracts: Option<Contracts>,
    /// The loops that induction deals with.
    heads: Vec<LocId>,
    /// Where the last attempt failed.
    blocked: Option<LocId>,
}

impl<'t> Induction<'t> {
    /// The program is the task's, perhaps with more expressions.
    pub fn new(task: &'t Task, cx: &Cx<'_>, mut program: Program) -> Induction<'t> {
        let mut candidates: BTreeMap<LocId, Vec<ExprId>> = BTreeMap::new();
        for fact in cx.facts.all(&mut program.exprs) {
            candidates.entry(fact.at).or_default().push(fact.holds);
        }
        cx.status("kinduction: ranges of variables");
        let analysis = Analysis::run(&task.program, task.entry, &cx.budget.with_effort(RANGES));
        Induction { task, program, candidates, analysis, contracts: None, heads: Vec::new(), blocked: None }
    }

    /// Deals with a loop by induction from now on.
    fn add(&mut self, head: LocId) {
        self.heads.push(head);
        let facts = self.analysis.facts(head, &mut self.program.exprs);
        let known = self.candidates.entry(head).or_default();
        for fact in facts {
            if !known.contains(&fact) {
                known.push(fact);
            }
        }
    }

    /// Deals with all loops by induction that constants do not end within a few turns.
    pub fn add_long_loops(&mut self, cx: &Cx<'_>) {
        for head in long_loops(self.task, &cx.budget, TERMS) {
            self.add(head);
        }
    }

    /// Deals with recursion by contracts from now on. `false` if that is done already, or cannot be done.
    pub fn make_contracts(&mut self) -> bool {
        if self.contracts.is_none() {
            self.contracts = Contracts::guess(&mut self.program, self.task.entry, &self.analysis);
            return self.contracts.is_some();
        }
        false
    }

    /// The program as it is followed, and from where.
    fn followed(&self, contracts: Option<&Contracts>) -> Abstracted {
        match contracts {
            Some(contracts) => contracts.abstracted(&self.program, self.task.entry),
            None => Abstracted {
                program: self.program.clone(),
                entries: vec![self.task.entry],
                checks: Default::default(),
            },
        }
    }

    /// An error within `k` turns of each loop.
    pub fn base(&self, cx: &Cx<'_>, k: u32) -> Option<Trace> {
        let bounds = Bounds { computed: COMPUTED, ..bounds(k, 4 * SHORT, k.max(2), TERMS) };
        let mut pool = Pool::new();
        let unrolled =
            Unroller::new(&self.task.program, &mut pool, bounds, cx.budget.clone()).run(self.task.entry);
        let is_error = |o: &Obligation| matches!(o.kind, ObligationKind::Error(_));
        match query::ask(&mut pool, &mut *(cx.solver)(), &unrolled, is_error, &cx.budget) {
            Found::Execution(model) => Some(query::trace(&pool, &unrolled, &model)),
            _ => None,
        }
    }

    pub fn round(&mut self, cx: &Cx<'_>, k: u32) -> Round {
        match self.settle(cx, k) {
            Ok(settled) => self.decide(cx, k, settled),
            Err(why) => Round::Unknown(why),
        }
    }

    /// Drops what does not hold, until all that is left does.
    fn settle(&mut self, cx: &Cx<'_>, k: u32) -> Result<Settled, Why> {
        let facts =
            self.heads.iter().map(|h| (*h, self.candidates.get(h).cloned().unwrap_or_default())).collect();
        let mut kept = Kept { facts, contracts: self.contracts.take() };
        let result = houdini::sift(&mut kept, |kept| self.ask(cx, k, kept));
        self.contracts = kept.contracts;
        match result {
            Ok((pool, unrolled, solver)) => Ok(Settled { facts: kept.facts, pool, unrolled, solver }),
            Err(Failure::Question(why)) => Err(why),
            Err(Failure::Idle) => Err(Why::new("solver failed", "its model meets no obligation").internal()),
        }
    }

    /// Do all facts hold by `k`-induction, and all of contracts? If so, with the program as it was followed.
    fn ask(&self, cx: &Cx<'_>, k: u32, kept: &Kept) -> Result<Reply<Candidate, Followed>, Why> {
        let mut bounds = bounds(SHORT, 4 * SHORT, 2, TERMS);
        for (&head, facts) in &kept.facts {
            bounds.inductive.insert(head, Step { k, facts: facts.clone() });
        }
        let mut pool = Pool::new();
        let Abstracted { program, entries, checks } = self.followed(kept.contracts.as_ref());
        let unrolled = Unroller::new(&program, &mut pool, bounds, cx.budget.clone()).run_all(&entries);
        if unrolled.stopped {
            return Err(match cx.budget.exceeded() {
                Some(limit) => Why::limit(limit),
                None => Why::new("formula too large", "the unrolled program has too many terms"),
            });
        }
        if let Some((&head, _)) = unrolled.loops.iter().find(|(_, r)| r.refused) {
            let place = loop_place(&self.program, head);
            return Err(Why::new(
                "objects in a loop",
                "turns of this loop begin or end the life of objects that stay",
            )
            .at(place)
            .advice("try --engine bmc"));
        }
        let mut solver = (cx.solver)();
        let fact = |o: &Obligation| match o.kind {
            ObligationKind::Fact { head, number, .. } => Some(Candidate::Fact(head, number)),
            _ => None,
        };
        // Facts of loops come first: what is dropped of contracts only adds executions.
        let asked = |o: &Obligation| fact(o).is_some();
        match query::ask(&mut pool, &mut *solver, &unrolled, asked, &cx.budget) {
            Found::Nothing => {}
            Found::Unknown(why) => return Err(query::why(&why)),
            Found::Execution(model) => {
                let met = query::met(&pool, &unrolled, &model);
                return Ok(Reply::Refuted(met.filter_map(fact).collect()));
            }
        }
        let broken: Vec<(Check, TermId)> =
            unrolled.inputs.iter().filter_map(|i| Some((*checks.get(&i.name)?, i.when))).collect();
        let terms: Vec<TermId> = broken.iter().map(|b| b.1).collect();
        match query::ask_terms(&mut pool, &mut *solver, &unrolled, &terms, &cx.budget) {
            Found::Nothing => {}
            Found::Unknown(why) => return Err(query::why(&why)),
            Found::Execution(model) => {
                let mut eval = Evaluator::new(&pool, &model);
                let failing = broken.iter().filter(|b| eval.holds(b.1));
                return Ok(Reply::Refuted(failing.map(|b| Candidate::Contract(b.0)).collect()));
            }
        }
        Ok(Reply::Hold((pool, unrolled, solver)))
    }

    fn decide(&mut self, cx: &Cx<'_>, k: u32, settled: Settled) -> Round {
        let Settled { facts, mut pool, unrolled, mut solver } = settled;
        let (pool, unrolled, solver) = (&mut pool, &unrolled, &mut *solver);
        let open = |o: &Obligation| {
            matches!(
                o.kind,
                ObligationKind::Error(_)
                    | ObligationKind::Unwind { .. }
                    | ObligationKind::Recursion { .. }
                    | ObligationKind::Gap(_)
            )
        };
        match query::ask(pool, solver, unrolled, open, &cx.budget) {
            Found::Unknown(why) => Round::Unknown(query::why(&why)),
            Found::Nothing => {
                query::note_undefined(pool, solver, unrolled, &self.program, cx);
                let mut loops = BTreeMap::new();
                for (&head, record) in &unrolled.loops {
                    let how = match facts.get(&head) {
                        Some(facts) if record.inductive => LoopProof::Invariant { k, facts: facts.clone() },
                        _ => LoopProof::Bound(record.visits),
                    };
                    loops.insert(head, how);
                }
                let recursion =
                    unrolled.depths.iter().filter(|(_, d)| **d > 1).map(|(&f, &d)| (f, d)).collect();
                let contracts = self.contracts.as_ref().map(|c| c.of.clone()).unwrap_or_default();
                Round::Proved(Proof {
                    exprs: self.program.exprs.clone(),
                    loops,
                    recursion,
                    contracts,
                    cuts: Default::default(),
                    sole: None,
                })
            }
            Found::Execution(model) => {
                let gap = query::met(pool, unrolled, &model).find_map(|o| match &o.kind {
                    ObligationKind::Gap(what) => Some((what.clone(), o.place)),
                    _ => None,
                });
                if let Some((what, place)) = gap {
                    return Round::Unknown(
                        Why::new("unsupported operation", format!("{what} has no symbolic reading"))
                            .at(place),
                    );
                }
                // Loops that turned out not to be short are dealt with by induction, too.
                let mut more = false;
                for o in query::met(pool, unrolled, &model) {
                    if let ObligationKind::Unwind { head } = o.kind
                        && !self.heads.contains(&head)
                    {
                        self.add(head);
                        more = true;
                    }
                }
                if more {
                    return self.round(cx, k);
                }
                let deep = |o: &Obligation| matches!(o.kind, ObligationKind::Recursion { .. });
                if query::met(pool, unrolled, &model).any(deep) {
                    return Round::Recursion;
                }
                self.blocked = unrolled.loops.iter().find(|(_, r)| r.inductive).map(|(&h, _)| h);
                for (&head, record) in &unrolled.loops {
                    if record.inductive {
                        (cx.events)(Event::Loop(LoopReport::new(&self.program, head, LoopStatus::GaveUp(k))));
                    }
                }
                Round::Refuted
            }
        }
    }

    pub fn give_up(&self, k: u32) -> Why {
        let why = Why::new(
            "not inductive",
            format!("the property is not k-inductive up to k = {k} with the facts that are known"),
        )
        .advice("strengthen the loop with an assertion that relates its variables, or try --engine bmc");
        match self.blocked {
            Some(head) => why.at(loop_place(&self.program, head)),
            None => why,
        }
    }
}

/// How far loops are followed of which no facts are known.
fn bounds(turns: u32, free: u32, recursion: u32, terms: usize) -> Bounds {
    Bounds { free, computed: free, recursion, terms, ..Bounds::turns(turns) }
}

/// The loops whose end is not decided by constants within a few turns. Behind a loop that is cut
/// off nothing is seen, so those that are known are left at any time, and it is looked again.
fn long_loops(task: &Task, budget: &Budget, terms: usize) -> Vec<LocId> {
    let mut found: BTreeSet<LocId> = BTreeSet::new();
    loop {
        let mut pool = Pool::new();
        let mut bounds = bounds(1, SHORT, 2, terms);
        bounds.inductive = found.iter().map(|&h| (h, Step { k: 1, facts: Vec::new() })).collect();
        let unrolled = Unroller::new(&task.program, &mut pool, bounds, budget.clone()).run(task.entry);
        let before = found.len();
        let long = unrolled.loops.iter().filter(|(_, r)| r.cut || r.visits > SHORT);
        found.extend(long.map(|(&h, _)| h));
        if found.len() == before || unrolled.stopped {
            return found.into_iter().collect();
        }
    }
}
