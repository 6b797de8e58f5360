//! Correctness witnesses: do the invariants hold, and does the property?
//!
//! First the invariants are all the help there is: the checker assumes them at
//! the heads of their loops and shows that they are kept and that no error is
//! met. Where that is not enough, the engines work on the program in which a
//! broken invariant is an error, too, with the invariants as claims to begin
//! with; and loops without an invariant may be followed to their end.
//!
//! Undefined behaviour ends executions silently, and an invariant must not do
//! that to the program's: whatever the proof, the checker follows it once more
//! and lets no invariant pass whose evaluation may be undefined.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use cairn_base::{Budget, Place};
use cairn_checker::MARKER;
use cairn_core::engine::{Fact, Facts};
use cairn_core::{LoopProof, LoopReport, LoopStatus, Options, Proof, Task, Why};
use cairn_csyntax::render;
use cairn_ir::dom::Dominators;
use cairn_ir::graph::Graph;
use cairn_ir::loops::Loops;
use cairn_ir::verify::debug_verify;
use cairn_ir::{Builtin, Callee, LocId, Program};
use cairn_portfolio::anywhere::{LayoutBound, in_any_layout};
use cairn_portfolio::{Decision, LAYOUT, Plan, decide};
use cairn_sem::SignedOverflow;
use cairn_witness::validate::{self, BROKEN};
use cairn_witness::witness::Invariant;

use super::{Judged, Subject, in_the_original, inputs, rejected};
use crate::exit::Exit;
use crate::follow::{Unfit, recompile};
use crate::guard;
use crate::progress::Progress;

pub fn judge(subject: &Subject<'_>, invariants: &[Invariant], budget: &Budget) -> (Judged, Option<Task>) {
    let (task, facts) = match build(subject, invariants, subject.task.options.clone()) {
        Ok(both) => both,
        Err(unfit) => return (rejected(&unfit), None),
    };
    let again = |options| build(subject, invariants, options).ok().map(|both| both.0);
    let (judged, looking) =
        in_any_layout(&task, again, |task| judge_task(subject, task, facts.clone(), invariants, budget));
    // What is printed is about the program without invariants.
    (judged, looking.and_then(|task| subject.task.read_with(task.options.clone()).ok()))
}

impl LayoutBound for Judged {
    fn depends_on_layout(&self) -> bool {
        matches!(self, Judged::Unknown(why) if why.reason == LAYOUT)
    }
}

/// The judgement in one reading of the program.
fn judge_task(
    subject: &Subject<'_>,
    task: &Task,
    facts: Vec<Fact>,
    invariants: &[Invariant],
    budget: &Budget,
) -> Judged {
    let marked = with_markers(task.program.clone());
    let holds = |how: &str| Judged::Correct(format!("{}, {how}", plural(invariants.len())));
    let left = budget.deadline.map(|d| d.saturating_duration_since(Instant::now()));
    let quarter = left.map_or_else(|| budget.clone(), |time| budget.clone().within(time / 4));
    if accepted(task, &marked, &BTreeMap::new(), &quarter) {
        return holds("and they prove the property by induction");
    }
    let claims = Facts::default();
    let helped: BTreeSet<LocId> = facts.iter().map(|f| f.at).collect();
    facts.into_iter().for_each(|fact| claims.publish(fact, &task.program.exprs));
    // Invariants are made for induction.
    let progress = Progress::start("checking the witness");
    let status = |text: &str| progress.say(text);
    let plan =
        |engine| Plan { facts: claims.clone(), status: &status, memory: &guard::Shares, ..Plan::new(engine) };
    let mut decided = decide(&plan("kinduction"), task, quarter);
    if matches!(&decided.decision, Decision::Unknown(why) if !why.internal && why.reason != LAYOUT) {
        decided = decide(&plan("auto"), task, budget.clone());
    }
    progress.hide();
    match decided.decision {
        Decision::Safe(proof) if check(task, &marked, &proof, budget) => {
            holds("and with them the property was proved")
        }
        Decision::Safe(_) => Judged::Unknown(match budget.exceeded() {
            Some(limit) => Why::limit(limit),
            None => Why::new("invariants not checked", "an invariant may be undefined where it is evaluated"),
        }),
        // What fails where arithmetic wraps may be no execution at all.
        Decision::Unsafe(..) if task.options.signed_overflow != subject.task.options.signed_overflow => {
            Judged::Unknown(Why::new(
                "signed overflow",
                "the witness was tried with arithmetic that wraps, and does not hold there",
            ))
        }
        Decision::Unsafe(trace, confirmed) => {
            let original = subject.task.read_with(Options {
                looks_at_addresses: task.options.looks_at_addresses,
                ..subject.task.options.clone()
            });
            let fails = |original: &Task| in_the_original(original, task, &trace, &confirmed, budget).is_ok();
            let frames = &confirmed.report.stack;
            let broken = frames.iter().position(|f| f.function.as_str() == MARKER);
            let with = inputs(task, &confirmed);
            match broken {
                Some(at) => {
                    let place = frames.get(at + 1).map_or(Place::NONE, |f| f.place);
                    // Lines are where they were; columns are those of the witness's text.
                    let position = at_line(subject, place);
                    Judged::Rejected(format!("an invariant does not hold at {position}{with}"), Exit::Limit)
                }
                None if original.as_ref().is_ok_and(fails) => {
                    Judged::Rejected(format!("the program violates the property{with}"), Exit::Limit)
                }
                None => Judged::Rejected(format!("an invariant is undefined{with}"), Exit::Limit),
            }
        }
        Decision::Unknown(why) => {
            let bounds = bounds(&decided.loops, &helped);
            if !bounds.is_empty() && accepted(task, &marked, &bounds, budget) {
                return holds("and they prove the property by induction");
            }
            Judged::Unknown(why)
        }
    }
}

fn plural(count: usize) -> String {
    match count {
        0 => "there are no invariants to hold".to_owned(),
        1 => "the invariant holds".to_owned(),
        n => format!("all {n} invariants hold"),
    }
}

/// `file:line`.
fn at_line(subject: &Subject<'_>, place: Place) -> String {
    let position = render::position(&subject.compiled.map, place);
    match position.rsplit_once(':') {
        Some((line, column)) if column.bytes().all(|b| b.is_ascii_digit()) => line.to_owned(),
        _ => position,
    }
}

/// The task in which a broken invariant is an error, and the invariants as facts.
fn build(
    subject: &Subject<'_>,
    invariants: &[Invariant],
    options: Options,
) -> Result<(Task, Vec<Fact>), Unfit> {
    let inputs = validate::with_invariants(subject.sources, invariants)?;
    let mut program = recompile(subject.setup, &inputs)?.program;
    let facts = validate::facts(&mut program);
    let plain = subject.task;
    // Overflow in an invariant must not end an execution; where it wraps, there are only more.
    let options = Options { signed_overflow: SignedOverflow::Wrap, ..options };
    let mut task =
        Task::new(program, plain.property.clone(), options).map_err(|e| Unfit::Other(e.to_string()))?;
    let broken = task.program.func_named(BROKEN);
    let is_broken = |f| Some(f) == broken;
    task.program.redirect_calls(|f| is_broken(f).then_some(Callee::Builtin(Builtin::Error)));
    match cairn_ir::verify(&task.program) {
        Ok(()) => Ok((task, facts)),
        Err(v) => Err(Unfit::Other(v.first().map_or_else(String::new, ToString::to_string))),
    }
}

/// The same program, with the invariants as the checker reads them: calls of a function without a
/// body.
fn with_markers(mut program: Program) -> Program {
    if let Some(f) = program.func_named(MARKER) {
        let (name, sig, place) =
            (program.funcs[f].name, program.funcs[f].sig.clone(), program.funcs[f].place);
        let marker = program.new_function(name, sig, place);
        program.redirect_calls(|g| (g == f).then_some(Callee::Func(marker)));
        debug_verify(&program, "with_markers");
    }
    program
}

/// Does the checker accept the invariants as the proof?
fn accepted(task: &Task, marked: &Program, bounds: &BTreeMap<LocId, u32>, budget: &Budget) -> bool {
    let mut loops = BTreeMap::new();
    for f in marked.funcs.keys() {
        let Some(graph) = Graph::new(marked, f) else { continue };
        let dom = Dominators::forward(&graph);
        for l in Loops::new(marked, &graph, &dom).loops.values() {
            let how = match bounds.get(&l.header) {
                Some(n) => LoopProof::Bound(*n),
                None => LoopProof::Invariant { k: 1, facts: Vec::new() },
            };
            loops.insert(l.header, how);
        }
    }
    let proof = Proof {
        exprs: marked.exprs.clone(),
        loops,
        recursion: BTreeMap::new(),
        contracts: BTreeMap::new(),
        cuts: Default::default(),
        sole: None,
    };
    check(task, marked, &proof, budget)
}

fn check(task: &Task, marked: &Program, proof: &Proof, budget: &Budget) -> bool {
    cairn_checker::check(marked, task.entry, proof, &cairn_smt::standard, budget).is_ok()
}

/// How often the heads of loops are visited that no invariant speaks of.
fn bounds(loops: &[LoopReport], helped: &BTreeSet<LocId>) -> BTreeMap<LocId, u32> {
    let bound = |l: &LoopReport| match l.status {
        LoopStatus::Bounded(n) if !helped.contains(&l.head) => Some((l.head, n)),
        _ => None,
    };
    loops.iter().filter_map(bound).collect()
}
