//! GPS: software model checking by summary-guided search (Fang, Kincaid and
//! Reps, OOPSLA 2025), over the machine's integers.
//!
//! | module | what it does |
//! |---|---|
//! | `model` | the program as a weighted graph, calls expanded in place |
//! | `prepare` | makes it small; gas (Section 5.3) |
//! | `search`, `art` | GPSLite and GPS (Figures 4, 5 and 6) |
//! | `code` | steps to be executed by tests |
//! | `journal`, `course` | what the search did, recorded for people |
//! | `engine` | the engine: proofs confirmed by induction, recursion by contracts |
//! | `facts`, `select` | what the search found, as conditions of the program |
//!
//! # Integers for proof, bits for truth
//!
//! The search first reads arithmetic as that of the integers, as the paper does.
//! Nothing it says then is believed: an error is one if the executor meets it,
//! and a proof is one if the conditions it yields are inductive over bits, which
//! `cairn_induct` checks. If either fails, the search is repeated with
//! wrap-around wherever a range analysis does not exclude it, and what was said
//! of the program is confirmed in the same way.
//!
//! # Why so
//!
//! *Integers propose, bits dispose.* `gps` reads arithmetic as that of the integers first, without proving
//! each operation in range on the way: obligations as error edges of their own would send the search after
//! overflows that lie 2^31 turns away. Instead nothing it says in that reading is believed. An error counts
//! if the executor meets it, a proof if the conditions it yields are inductive over bits and the checker
//! accepts them; equations are offered modulo the width, too, where they survive wrap-around. If that fails,
//! the search is repeated with every operation read exactly that ranges do not keep in its type. No verdict
//! rests on the absence of overflow.
//!
//! *Paths are the program's, whatever the model says.* Memory, floats and calls through pointers are any
//! value in the graph. When a test reaches the error, the program is run on its inputs; if that does not
//! fail, its path is followed edge by edge over bits and with all of memory (`path::follow`), which gives
//! other inputs or the place where no execution goes on: a dead end. Calls are expanded as far as there is
//! room; beyond it a call is skipped, changes what its callee may change, and an error behind it proves
//! nothing.

pub mod art;
mod code;
mod course;
mod engine;
pub mod facts;
pub mod journal;
pub mod model;
mod prepare;
pub mod search;
mod select;
mod walker;

use cairn_absint::{Analysis, Mods, PointsTo};
use cairn_base::effort::SECOND;
use cairn_base::{Budget, Limit};
use cairn_core::verdict::InputValue;
use cairn_core::{Cx, Event, Task, Trace, Verdict, Why, replay};
use cairn_ir::{Bits, EdgeId, Ty};
use cairn_native::Native;
use cairn_path::{Followed, follow};
use cairn_sem::Tier;
use cairn_summary::summarise;
use cairn_term::Pool;

use crate::course::Course;
pub use crate::engine::{Gps, Prover};
use crate::facts::Which;
use crate::model::{Known, Model, Reading, build};
use crate::search::{End, Runner, Search, Stop};
pub use crate::search::{Options, Statistics};

/// The effort that the analysis of ranges is worth.
const RANGES: u64 = 2 * SECOND;
/// Steps of a test that is run to its end natively. To give up a test that reaches the error is to look
/// for another one as long.
const LONGEST_RUN: u64 = 40_000_000_000;

/// Searches for an error, or for a proof that there is none.
pub fn run(task: &Task, cx: &Cx<'_>, options: Options, prover: &Prover<'_>) -> Verdict {
    let program = &task.program;
    let pointers = PointsTo::new(program, &cx.budget);
    let effects = Mods::new(program, &pointers);
    let patience = cx.budget.with_effort(RANGES);
    let ranges = Analysis::with(program, task.entry, &patience, &pointers, &effects);
    if let Some(limit) = cx.budget.exceeded() {
        return Verdict::Unknown(Why::limit(limit));
    }
    let known = Known { ranges: &ranges, pointers: &pointers, effects: &effects };
    let mut reason = None;
    for reading in [Reading::Ideal, Reading::Exact] {
        let mut pool = Pool::new();
        let mut model = match build(program, task.entry, &mut pool, reading, &known, &cx.budget) {
            Ok(model) => model,
            Err(why) => return Verdict::Unknown(why),
        };
        if let Err(limit) = model.shrink(&mut pool, &cx.budget) {
            return Verdict::Unknown(Why::limit(limit));
        }
        model.add_ranges(&mut pool, &ranges);
        if options.gas {
            model.add_gas(&mut pool);
        }
        cx.status(format!(
            "gps: summaries of {} steps between {} places",
            model.steps.len(),
            model.places.len()
        ));
        let settings = cairn_summary::Options { summaries: options.summaries, ..Default::default() };
        let summaries = match summarise(&model.graph(), &mut pool, &settings, &cx.budget) {
            Ok(summaries) => summaries,
            Err(limit) => return Verdict::Unknown(Why::limit(limit)),
        };
        cx.status("gps: search");
        let mut search = Search::new(&model, &mut pool, &summaries, options, &cx.budget);
        let end = search.run(&mut Truth { task, model: &model, cx });
        let art = std::mem::take(&mut search.art);
        cx.status(format!("gps: {}", search.statistics));
        if let Some(journal) = search.journal.take() {
            let statistics = &search.statistics.clone();
            let (model, pool, art, end) = (&model, &pool, &art, &end);
            let course = Course { program, model, pool, art, statistics, end };
            (cx.events)(Event::Explained(Box::new(course.explain(journal))));
        }
        let why = match end {
            End::Failed(path) => return Verdict::Unsafe(trace(&model, &path)),
            End::Found(_, trace) => return Verdict::Unsafe(trace),
            End::Spurious(_) => {
                Why::new("spurious error", "the path that was found is not one of the program's")
            }
            End::Safe => {
                let mut source = facts::Source::new(&model, &summaries, &art, &cx.budget);
                // Those that may not do are asked about last.
                let mut doubtful = Vec::new();
                for which in [Which::Plain, Which::Simple, Which::Proof, Which::All] {
                    let mut exprs = program.exprs.clone();
                    let (candidates, sure) = source.candidates(program, &mut pool, &mut exprs, which);
                    if !sure {
                        // What is plain is also simple.
                        if which != Which::Plain {
                            doubtful.push((candidates, exprs, which));
                        }
                        continue;
                    }
                    cx.status("gps: confirming invariants");
                    if let Some(proof) = prover.prove(cx, &candidates, &exprs, which) {
                        return Verdict::Safe(proof);
                    }
                }
                for (candidates, exprs, which) in doubtful {
                    cx.status("gps: confirming invariants");
                    if let Some(proof) = prover.prove(cx, &candidates, &exprs, which) {
                        return Verdict::Safe(proof);
                    }
                }
                Why::new("not confirmed", "the invariants that were found do not hold over bits")
            }
            End::Undecided => {
                return Verdict::Unknown(Why::new(
                    "summary too weak",
                    "the summary of the whole program does not exclude the error",
                ));
            }
            End::Stopped(Stop::Limit(limit)) => return Verdict::Unknown(Why::limit(limit)),
            End::Stopped(Stop::Solver(why)) => Why::new("solver gave up", why),
            End::Stopped(Stop::Skipped) => {
                Why::new("calls too deep", "the error may be reached behind calls that were not followed")
            }
            End::Stopped(Stop::TooLarge) => Why::new("search too large", "the tree of paths grew too large"),
        };
        reason = Some(why);
        if let Some(limit) = cx.budget.exceeded() {
            return Verdict::Unknown(Why::limit(limit));
        }
    }
    Verdict::Unknown(reason.unwrap_or_else(|| Why::limit(Limit::Cancelled)))
}

/// The inputs along a path.
fn trace(model: &Model, path: &[search::Taken]) -> Trace {
    let mut inputs = Vec::new();
    for taken in path {
        for input in &model.steps[taken.step].inputs {
            let value = input.term.and_then(|t| taken.values.iter().find(|(u, _)| *u == t));
            let number = value.map_or(0, |&(_, n)| n);
            inputs.push(InputValue {
                name: input.name,
                ty: input.ty,
                bits: pattern(input.ty, number),
                place: input.place,
            });
        }
    }
    Trace { inputs, births: Vec::new() }
}

fn pattern(ty: Ty, number: i128) -> Bits {
    match ty {
        Ty::Int(i) => i.wrap(number),
        Ty::Bool => (number != 0).into(),
        _ => 0,
    }
}

/// The program, to be asked about paths of its model.
struct Truth<'a> {
    task: &'a Task,
    model: &'a Model,
    cx: &'a Cx<'a>,
}

impl Runner for Truth<'_> {
    fn fails(&mut self, path: &[search::Taken]) -> bool {
        let mut native = Native::new(&self.task.program);
        let budget = Budget { max_steps: LONGEST_RUN, ..self.cx.budget.clone() };
        let tier = native.as_mut().map(|n| n as &mut dyn Tier);
        replay::replay(self.task, &trace(self.model, path), &budget, tier).is_ok()
    }

    fn follow(&mut self, edges: &[EdgeId]) -> Followed {
        follow(&self.task.program, self.task.entry, edges, self.cx.solver, &self.cx.budget)
    }
}
