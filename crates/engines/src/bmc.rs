//! Bounded model checking (Biere et al. 1999; for C as CBMC does it, Clarke,
//! Kroening and Lerda 2004): all executions up to a bound are one formula.
//!
//! Bounds are per loop and grow only where an execution was cut off. When none
//! can be any more, the program has been followed completely, and the bounds
//! are the proof. Only what an obligation depends on reaches the solver.
//!
//! That there is no error within bounds that will grow anyway is not worth much:
//! the search for one may take a number of conflicts that grows with the bounds,
//! and is done in full when they are final. All rounds share their terms and
//! one solver, which remembers; nothing is ever asserted in it but what it has
//! itself found to hold for all inputs, so that the checker may go on with it.
//!
//! # Why so
//!
//! *Bounds first, errors last.* While bounds still grow, `bmc` looks for errors only for a number of
//! conflicts that grows with them; the full question is asked once, when no execution is cut off any more.

use cairn_base::Place;
use cairn_core::{
    Cx, Engine, Event, LoopProof, LoopReport, LoopStatus, Proof, Task, Verdict, Why, Workshop, loop_place,
};
use cairn_encode::{Bounds, Obligation, ObligationKind, Unrolled, Unroller};
use cairn_ir::LocId;
use rustc_hash::FxHashMap;

use cairn_induct::query::{self, Found};

/// Turns in the first round.
const FIRST: u32 = 2;
/// Conflicts for the search of errors in the first round, and by how much they grow.
const GLANCE: u64 = 300;
const GLANCE_GROWTH: u64 = 2;
/// Terms of one unrolling, at most; beyond it memory would run out first.
const TERMS: usize = 60_000_000;

pub struct Bmc {
    /// Follow loops so far and no farther.
    pub unwind: Option<u32>,
}

impl Engine for Bmc {
    fn name(&self) -> &'static str {
        "bmc"
    }

    fn run(&mut self, task: &Task, cx: &mut Cx<'_>) -> Verdict {
        let mut workshop = Workshop::new((cx.solver)());
        let verdict = self.unroll(task, cx, &mut workshop);
        match verdict {
            Verdict::Safe(_) => cx.workshop = Some(workshop),
            _ => cx.discard(workshop),
        }
        verdict
    }
}

impl Bmc {
    /// Unrolls farther and farther. It ends with a proof when no execution goes on where a bound cuts off.
    fn unroll(&self, task: &Task, cx: &Cx<'_>, workshop: &mut Workshop) -> Verdict {
        let first = self.unwind.unwrap_or(FIRST);
        let mut of: FxHashMap<LocId, u32> = FxHashMap::default();
        let mut recursion = self.unwind.map_or(FIRST, |u| u.max(1));
        let mut free = 64;
        let mut conflicts = GLANCE;
        let Workshop { pool, solver } = workshop;
        loop {
            let deepest = of.values().copied().max().unwrap_or(first);
            cx.status(format!("bmc: {deepest} turns"));
            let bounds = Bounds { of: of.clone(), recursion, free, terms: TERMS, ..Bounds::turns(first) };
            let unrolled = Unroller::new(&task.program, pool, bounds, cx.budget.clone()).run(task.entry);
            report_loops(task, cx, &unrolled);
            // Errors first: those of an unrolling that was stopped early are as good as others.
            let is_error = |o: &Obligation| matches!(o.kind, ObligationKind::Error(_));
            let glance = if unrolled.stopped {
                Some(query::ask(pool, &mut **solver, &unrolled, is_error, &cx.budget))
            } else {
                query::glance(pool, &mut **solver, &unrolled, is_error, conflicts, &cx.budget)
            };
            let no_error = glance.is_some();
            match glance {
                Some(Found::Execution(model)) => {
                    return Verdict::Unsafe(query::trace(pool, &unrolled, &model));
                }
                Some(Found::Unknown(why)) => {
                    return Verdict::Unknown(at_loop(task, &unrolled, query::why(&why)));
                }
                Some(Found::Nothing) | None => {}
            }
            if unrolled.stopped {
                let why = match cx.budget.exceeded() {
                    Some(limit) => Why::limit(limit),
                    None => Why::new("formula too large", "the unrolled program has too many terms"),
                };
                return Verdict::Unknown(at_loop(task, &unrolled, why));
            }
            let is_open = |o: &Obligation| {
                matches!(
                    o.kind,
                    ObligationKind::Unwind { .. } | ObligationKind::Recursion { .. } | ObligationKind::Gap(_)
                )
            };
            let open = query::ask(pool, &mut **solver, &unrolled, is_open, &cx.budget);
            let model = match open {
                Found::Nothing => {
                    if !no_error {
                        cx.near();
                        match query::ask(pool, &mut **solver, &unrolled, is_error, &cx.whole) {
                            Found::Execution(model) => {
                                return Verdict::Unsafe(query::trace(pool, &unrolled, &model));
                            }
                            Found::Unknown(why) => {
                                return Verdict::Unknown(at_loop(task, &unrolled, query::why(&why)));
                            }
                            Found::Nothing => {}
                        }
                    }
                    query::note_undefined(pool, &mut **solver, &unrolled, &task.program, cx);
                    return Verdict::Safe(proof(task, &unrolled));
                }
                Found::Unknown(why) => return Verdict::Unknown(at_loop(task, &unrolled, query::why(&why))),
                Found::Execution(model) => model,
            };
            let mut grew = false;
            let mut gap = None;
            let mut stuck = None;
            for o in query::met(pool, &unrolled, &model) {
                match &o.kind {
                    ObligationKind::Gap(what) => gap = Some((what.clone(), o.place)),
                    ObligationKind::Unwind { head } if self.unwind.is_none() => {
                        let bound = of.entry(*head).or_insert(first);
                        *bound = bound.saturating_mul(2);
                        grew = true;
                    }
                    ObligationKind::Recursion { .. } if self.unwind.is_none() => {
                        recursion = recursion.saturating_mul(2);
                        grew = true;
                    }
                    ObligationKind::Unwind { head } => {
                        stuck = Some(loop_place(&task.program, *head));
                    }
                    ObligationKind::Recursion { .. } => stuck = Some(o.place),
                    _ => {}
                }
            }
            if let Some((what, place)) = gap {
                return Verdict::Unknown(
                    Why::new("unsupported operation", format!("{what} has no symbolic reading"))
                        .at(place)
                        .advice("replace the call by a model of your own"),
                );
            }
            if !grew {
                let place = stuck.unwrap_or(Place::NONE);
                return Verdict::Unknown(
                    Why::new("bound reached", format!("executions go on beyond {first} turns of this loop"))
                        .at(place)
                        .advice("give a greater --unwind, or none: then the bound grows by itself"),
                );
            }
            free *= 2;
            conflicts *= GLANCE_GROWTH;
        }
    }
}

/// The loop that stands in the way: the one followed farthest of those that were cut off.
fn at_loop(task: &Task, unrolled: &Unrolled, why: Why) -> Why {
    let worst =
        unrolled.loops.iter().filter(|(_, r)| r.cut || unrolled.stopped).max_by_key(|(_, r)| r.visits);
    let Some((&head, record)) = worst else { return why };
    let place = loop_place(&task.program, head);
    let detail = format!("{}; this loop was followed for {} turns without an end", why.detail, record.visits);
    Why { detail, ..why }
        .at(place)
        .advice("bound the loop's input with an assumption, or try --engine kinduction or a longer --time")
}

fn report_loops(task: &Task, cx: &Cx<'_>, unrolled: &Unrolled) {
    for (&head, record) in &unrolled.loops {
        let status =
            if record.cut { LoopStatus::GaveUp(record.visits) } else { LoopStatus::Bounded(record.visits) };
        (cx.events)(Event::Loop(LoopReport::new(&task.program, head, status)));
    }
}

/// Nothing was cut off: the number of visits of each head is its bound.
fn proof(task: &Task, unrolled: &Unrolled) -> Proof {
    Proof {
        exprs: task.program.exprs.clone(),
        loops: unrolled.loops.iter().map(|(&head, r)| (head, LoopProof::Bound(r.visits))).collect(),
        recursion: unrolled.depths.iter().filter(|(_, d)| **d > 1).map(|(&f, &d)| (f, d)).collect(),
        contracts: Default::default(),
        cuts: Default::default(),
        sole: None,
    }
}
