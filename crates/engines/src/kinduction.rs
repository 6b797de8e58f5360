//! k-induction (Sheeran, Singh and Stålmarck 2000) over the turns of loops, with
//! facts that make it succeed more often (as Beyer, Dangl and Wendler 2015).
//!
//! Candidate facts at loop heads come from whoever offers some; those that are
//! not inductive together are dropped one by one (Houdini, Flanagan and Leino
//! 2001). What remains is assumed; if no error is left, the facts are the proof.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use cairn_absint::Analysis;
use cairn_base::Budget;
use cairn_core::{Cx, Engine, Event, LoopProof, LoopStatus, Proof, Task, Trace, Verdict, Why};
use cairn_encode::{Bounds, Induction, ObligationKind, Unrolled, Unroller};
use cairn_ir::{ExprId, ExprPool, LocId, Program};
use cairn_term::Pool;
use rustc_hash::FxHashSet;

use crate::query::{self, Found};

/// The greatest k without being told.
pub const MOST: u32 = 16;
/// The analysis of ranges takes no longer.
const PATIENCE: Duration = Duration::from_secs(5);
/// Loops whose end constants decide within so many turns are followed, not proved.
const SHORT: u32 = 20;
/// In search of errors, loops that just compute are followed for longer.
const COMPUTED: u32 = 1_000;
const TERMS: usize = 20_000_000;
/// Terms for a first look at how long loops are, where facts are at hand.
const GLANCE: usize = 20_000;

pub struct KInduction {
    /// The greatest k to try.
    pub most: u32,
}

impl Engine for KInduction {
    fn name(&self) -> &'static str {
        "kinduction"
    }

    fn run(&mut self, task: &Task, cx: &mut Cx<'_>) -> Verdict {
        let mut search = Search::new(task, cx);
        for head in long_loops(task, &cx.budget, TERMS) {
            search.add(head);
        }
        let mut k = 1;
        loop {
            cx.status(format!("kinduction: k = {k}"));
            if let Some(trace) = search.base(cx, k) {
                return Verdict::Unsafe(trace);
            }
            match search.round(cx, k) {
                Round::Proved(proof) => return Verdict::Safe(proof),
                Round::Refuted if k < self.most => k += k.div_ceil(2),
                Round::Refuted => {
                    return Verdict::Unknown(search.give_up(k));
                }
                Round::Unknown(why) => return Verdict::Unknown(why),
            }
        }
    }
}

/// A proof by induction with `k` up to `most`, helped by facts that probably hold at the heads of
/// loops. Their expressions are those of `exprs`, which extend the program's.
pub fn prove(
    task: &Task,
    cx: &Cx<'_>,
    facts: &BTreeMap<LocId, Vec<ExprId>>,
    exprs: &ExprPool,
    most: u32,
) -> Option<Proof> {
    let mut search = Search::new(task, cx);
    search.program.exprs = exprs.clone();
    for head in long_loops(task, &cx.budget, GLANCE) {
        search.add(head);
    }
    for (&head, facts) in facts {
        search.candidates.entry(head).or_default().extend(facts);
    }
    (1..=most).find_map(|k| match search.round(cx, k) {
        Round::Proved(proof) => Some(proof),
        Round::Refuted | Round::Unknown(_) => None,
    })
}

enum Round {
    Proved(Proof),
    /// Not inductive with this k.
    Refuted,
    Unknown(Why),
}

struct Search<'t> {
    task: &'t Task,
    /// The program, with the expressions of the facts.
    program: Program,
    candidates: BTreeMap<LocId, Vec<ExprId>>,
    analysis: Analysis,
    /// The loops that induction deals with.
    heads: Vec<LocId>,
    /// Where the last attempt failed.
    blocked: Option<LocId>,
}

impl<'t> Search<'t> {
    fn new(task: &'t Task, cx: &Cx<'_>) -> Search<'t> {
        let program = task.program.clone();
        let mut candidates: BTreeMap<LocId, Vec<ExprId>> = BTreeMap::new();
        for fact in cx.facts.all() {
            candidates.entry(fact.at).or_default().push(fact.holds);
        }
        cx.status("kinduction: ranges of variables");
        let analysis = Analysis::run(&task.program, task.entry, &cx.budget.clone().within(PATIENCE));
        Search { task, program, candidates, analysis, heads: Vec::new(), blocked: None }
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

    /// An error within `k` turns of each loop.
    fn base(&self, cx: &Cx<'_>, k: u32) -> Option<Trace> {
        let bounds = Bounds { computed: COMPUTED, ..bounds(k, 4 * SHORT, k.max(2), TERMS) };
        let mut pool = Pool::new();
        let none = FxHashSet::default();
        let unrolled = Unroller::new(&self.task.program, &mut pool, none, bounds, cx.budget.clone())
            .run(self.task.entry);
        let is_error = |k: &ObligationKind| matches!(k, ObligationKind::Error(_));
        match query::ask(&mut pool, &mut *(cx.solver)(), &unrolled, is_error, &cx.budget) {
            Found::Execution(model) => Some(query::trace(&pool, &unrolled, &model)),
            _ => None,
        }
    }

    fn round(&mut self, cx: &Cx<'_>, k: u32) -> Round {
        let mut facts: BTreeMap<LocId, Vec<ExprId>> =
            self.heads.iter().map(|h| (*h, self.candidates.get(h).cloned().unwrap_or_default())).collect();
        loop {
            let mut bounds = bounds(SHORT, 4 * SHORT, 2, TERMS);
            for (&head, facts) in &facts {
                bounds.inductive.insert(head, Induction { k, facts: facts.clone() });
            }
            let mut pool = Pool::new();
            let none = FxHashSet::default();
            let unrolled =
                Unroller::new(&self.program, &mut pool, none, bounds, cx.budget.clone()).run(self.task.entry);
            if unrolled.stopped {
                return Round::Unknown(match cx.budget.exceeded() {
                    Some(limit) => Why::limit(limit),
                    None => Why::new("formula too large", "the unrolled program has too many terms"),
                });
            }
            if let Some((&head, _)) = unrolled.loops.iter().find(|(_, r)| r.refused) {
                let place = query::loop_report(&self.program, head, LoopStatus::GaveUp(k)).place;
                return Round::Unknown(
                    Why::new(
                        "objects in a loop",
                        "turns of this loop begin or end the life of objects that stay",
                    )
                    .at(place)
                    .advice("try --engine bmc"),
                );
            }
            let mut solver = (cx.solver)();
            // Houdini: facts that fail somewhere are dropped until none does.
            let is_fact = |k: &ObligationKind| matches!(k, ObligationKind::Fact { .. });
            match query::ask(&mut pool, &mut *solver, &unrolled, is_fact, &cx.budget) {
                Found::Execution(model) => {
                    let failing: FxHashSet<(LocId, usize)> = query::met(&pool, &unrolled, &model)
                        .filter_map(|o| match o.kind {
                            ObligationKind::Fact { head, number, .. } => Some((head, number)),
                            _ => None,
                        })
                        .collect();
                    if failing.is_empty() {
                        return Round::Unknown(
                            Why::new("solver failed", "its model meets no obligation").internal(),
                        );
                    }
                    for (&head, list) in &mut facts {
                        let mut number = 0..;
                        list.retain(|_| number.next().is_some_and(|n| !failing.contains(&(head, n))));
                    }
                    continue;
                }
                Found::Unknown(why) => return Round::Unknown(query::why(&why)),
                Found::Nothing => {}
            }
            return self.decide(cx, k, &facts, &mut pool, &unrolled, &mut *solver);
        }
    }

    fn decide(
        &mut self,
        cx: &Cx<'_>,
        k: u32,
        facts: &BTreeMap<LocId, Vec<ExprId>>,
        pool: &mut Pool,
        unrolled: &Unrolled,
        solver: &mut dyn cairn_smt::Solver,
    ) -> Round {
        let open = |k: &ObligationKind| {
            matches!(
                k,
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
                    let status = match &how {
                        LoopProof::Bound(n) => LoopStatus::Bounded(*n),
                        LoopProof::Invariant { k, facts } => LoopStatus::Invariant {
                            k: *k,
                            facts: facts.iter().map(|f| self.program.show_expr(*f)).collect(),
                        },
                    };
                    (cx.events)(Event::Loop(query::loop_report(&self.program, head, status)));
                    loops.insert(head, how);
                }
                let recursion =
                    unrolled.depths.iter().filter(|(_, d)| **d > 1).map(|(&f, &d)| (f, d)).collect();
                Round::Proved(Proof { exprs: self.program.exprs.clone(), loops, recursion })
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
                self.blocked = unrolled.loops.iter().find(|(_, r)| r.inductive).map(|(&h, _)| h);
                for (&head, record) in &unrolled.loops {
                    if record.inductive {
                        (cx.events)(Event::Loop(query::loop_report(
                            &self.program,
                            head,
                            LoopStatus::GaveUp(k),
                        )));
                    }
                }
                Round::Refuted
            }
        }
    }

    fn give_up(&self, k: u32) -> Why {
        let why = Why::new(
            "not inductive",
            format!("the property is not k-inductive up to k = {k} with the facts that are known"),
        )
        .advice("strengthen the loop with an assertion that relates its variables, or try --engine bmc");
        match self.blocked {
            Some(head) => why.at(query::loop_report(&self.program, head, LoopStatus::GaveUp(k)).place),
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
        bounds.inductive = found.iter().map(|&h| (h, Induction { k: 1, facts: Vec::new() })).collect();
        let none = FxHashSet::default();
        let unrolled = Unroller::new(&task.program, &mut pool, none, bounds, budget.clone()).run(task.entry);
        let before = found.len();
        let long = unrolled.loops.iter().filter(|(_, r)| r.cut || r.visits > SHORT);
        found.extend(long.map(|(&h, _)| h));
        if found.len() == before || unrolled.stopped {
            return found.into_iter().collect();
        }
    }
}
