//! Deciding a task: is an error reached?
//!
//! # Why so
//!
//! *An exploration that is complete is a proof three times*: by the bounds of all loops; by trends,
//! invariants of which the interpolants of a loop head are instances; and by cases (`core::Cuts`), the
//! interpolants themselves at the places where something was subsumed. Bounds are taken where the tree is
//! small, because they leave the checker no room; trends where there are some, because they say most; cases
//! else. Interpolants of loops that do not end are offered to induction.

use std::collections::BTreeMap;

use cairn_base::effort::SECOND;
use cairn_core::engine::Fact;
use cairn_core::{Cx, Facts, LoopProof, Proof, Target, Task, Verdict, Why};
use cairn_encode::ObligationKind;
use cairn_induct::{Candidates, prove};
use cairn_ir::{Builtin, Callee, ExprPool, FuncId, Init, LocId, Op, Program};
use cairn_term::Pool;
use rustc_hash::FxHashSet;

use crate::Options;
use crate::cuts;
use crate::explore::{Control, Ending, Event, Explorer, Stats};
use crate::invariant;

/// Nodes between two reports.
const NODES_PER_REPORT: usize = 500;

/// The errors of a program.
pub fn errors(p: &Program) -> FxHashSet<Target> {
    let is_error = |op: &Op| {
        matches!(op, Op::Call { callee: Callee::Builtin(Builtin::Error | Builtin::AssertFail), .. })
    };
    p.edges.iter().filter(|(_, e)| is_error(&e.op)).map(|(e, _)| Target::Edge(e)).collect()
}

fn what(kind: &ObligationKind) -> &'static str {
    match kind {
        ObligationKind::Undefined(what) => what,
        ObligationKind::DivisionByZero => "division by zero",
        _ => "undefined behaviour",
    }
}

/// Nodes after which guesses are tried for the first time, and by how much that grows.
const FIRST: usize = 40;
const GROWTH: usize = 5;
/// The effort that a guess is worth: so much, and this part of the effort so far. While one of so many
/// nodes or more is subsumed, the search is on a good way, and nothing is guessed.
const GUESS: u64 = 2 * SECOND;
const SHARE: u64 = 3;
const PROGRESS: u64 = 16;
/// With loops that are followed for so many turns, or trees of so many nodes, a proof that repeats the
/// search without what was subsumed is the second choice.
const LONG: u32 = 12;
const LARGE: usize = 200;
/// With more interpolants no trends are looked for.
const MANY: usize = 20_000;
/// Bytes of data in one object that make induction, which follows all executions together, hopeless.
const TABLE: usize = 1 << 13;

/// Explores the program, and proves or refutes the task.
pub fn run(task: &Task, cx: &Cx<'_>, options: Options) -> (Verdict, Stats) {
    // No limit, but what is done is counted.
    let budget = cx.budget.with_effort(u64::MAX);
    let mut pool = Pool::new();
    let program = &task.program;
    let targets = errors(program);
    let tables = has_tables(program);
    let explorer = Explorer::new(program, task.entry, &mut pool, cx.solver, &budget, options, targets);
    let Some(mut explorer) = explorer else {
        return (Verdict::Unknown(Why::new("no body", "the entry function has no body")), Stats::default());
    };
    let mut error = None;
    let (mut told, mut next, mut subsumed) = (0, FIRST, 0);
    let ending = loop {
        let ending = explorer.run(&mut |event| match event {
            Event::Reached { trace, .. } => {
                error = Some(trace.clone());
                Control::Stop
            }
            Event::Progress(stats) => {
                if stats.nodes >= told + NODES_PER_REPORT {
                    told = stats.nodes;
                    let (n, p, s) = (stats.nodes, stats.paths, stats.subsumed);
                    cx.status(format!("symex: {n} nodes, {p} paths, {s} subsumed"));
                }
                if stats.nodes >= next { Control::Stop } else { Control::Continue }
            }
            Event::Finished { .. } => Control::Continue,
        });
        if error.is_some() || !matches!(ending, Ending::Stopped) {
            break ending;
        }
        // The search goes on and on: perhaps loops can be closed.
        let stats = explorer.stats;
        let rate = (stats.subsumed - subsumed) * PROGRESS;
        next *= GROWTH;
        subsumed = stats.subsumed;
        if rate >= stats.nodes as u64 || tables {
            continue;
        }
        let mut exprs = program.exprs.clone();
        let candidates = invariant::parts(&mut explorer, &mut exprs);
        if candidates.values().any(|facts| !facts.is_empty()) {
            cx.status("symex: invariants from interpolants");
            let effort = GUESS + budget.effort.spent() / SHARE;
            if let Some(proof) = closed(task, cx, options, &candidates, &exprs, effort) {
                return (Verdict::Safe(proof), explorer.stats);
            }
            publish(&cx.facts, &candidates, &exprs);
        }
    };
    if let Some(trace) = error {
        return (Verdict::Unsafe(trace), explorer.stats);
    }
    let answer = match ending {
        Ending::Complete => match complete(task, cx, &mut explorer, options) {
            Some(proof) => Verdict::Safe(proof),
            None => Verdict::Unknown(Why::new(
                "no proof",
                "no execution reaches an error, but loops without end are left without an invariant",
            )),
        },
        Ending::Stopped => Verdict::Unknown(Why::new("stopped", "the exploration was stopped")),
        Ending::Limit(limit) => {
            let mut why = Why::limit(limit);
            let Stats { paths, subsumed, .. } = explorer.stats;
            why.detail = format!("{}; {paths} paths were explored, {subsumed} states subsumed", why.detail);
            Verdict::Unknown(why)
        }
        Ending::Gap { what, place } => Verdict::Unknown(
            Why::new("unsupported operation", format!("{what} has no symbolic reading"))
                .at(place)
                .advice("replace the call by a model of your own"),
        ),
    };
    (answer, explorer.stats)
}

/// A proof by induction with these conditions at the heads of loops, if there is one with so much effort.
/// The expressions are those of the pool, which extends the program's.
fn closed(
    task: &Task,
    cx: &Cx<'_>,
    options: Options,
    candidates: &Candidates,
    exprs: &ExprPool,
    effort: u64,
) -> Option<Proof> {
    if !options.induction {
        return None;
    }
    let budget = cx.budget.with_effort(effort);
    let cx = Cx { budget, whole: cx.whole.clone(), facts: cx.facts.clone(), workshop: None, ..*cx };
    prove(task, &cx, candidates, exprs, 1)
}

/// Publishes candidates that did not make a proof here: with other facts, or more effort, they may
/// make one in another engine.
fn publish(facts: &Facts, candidates: &Candidates, exprs: &ExprPool) {
    for (&at, list) in candidates {
        for &holds in list {
            facts.publish(Fact { at, holds, by: "symex" }, exprs);
        }
    }
}

/// Has the program large tables? Where many executions read them at once, each element counts.
fn has_tables(program: &Program) -> bool {
    program.objects.values().any(|o| match &o.init {
        Init::Static(data) => data.bytes.iter().map(|(_, b)| b.len()).sum::<usize>() > TABLE,
        _ => false,
    })
}

/// The proof of an exploration that left nothing out. `None` if none was found for loops without end.
fn complete(
    task: &Task,
    cx: &Cx<'_>,
    explorer: &mut Explorer<'_, '_, '_>,
    options: Options,
) -> Option<Proof> {
    let program = &task.program;
    for (&edge, o) in explorer.remarks.iter().take(1) {
        let at = cairn_sem::place_text(program, program.edges[edge].place);
        cx.note(format!(
            "{at}: {} is possible; executions that meet undefined behaviour are not considered beyond it",
            what(&o.kind)
        ));
    }
    let longest = explorer.bounds.values().copied().max().unwrap_or(0);
    let reused = explorer.stats.subsumed > 0;
    let inductive = !has_tables(program) && explorer.stats.interpolants <= MANY;
    // Where nothing was subsumed, the bounds are all there is to say.
    if inductive && (longest > LONG && reused || explorer.cyclic) {
        let effort = u64::from(longest) * (SECOND / 10) + 5 * SECOND;
        let mut exprs = program.exprs.clone();
        let trends = invariant::trends(explorer, &mut exprs);
        if trends.values().any(|facts| !facts.is_empty())
            && let Some(proof) = closed(task, cx, options, &trends, &exprs, GUESS)
        {
            return Some(proof);
        }
        if explorer.cyclic
            && let Some(cases) = invariant::cases(explorer, &mut exprs)
            && !cases.is_empty()
            && let Some(proof) = closed(task, cx, options, &cases, &exprs, effort)
        {
            return Some(proof);
        }
    }
    if explorer.cyclic {
        return None;
    }
    let loops: BTreeMap<LocId, LoopProof> =
        explorer.bounds.iter().map(|(&h, &n)| (h, LoopProof::Bound(n))).collect();
    let recursion: BTreeMap<FuncId, u32> =
        explorer.depths.iter().filter(|(_, d)| **d > 1).map(|(&f, &d)| (f, d)).collect();
    let contracts = BTreeMap::new();
    if reused
        && (longest > LONG || explorer.stats.nodes > LARGE)
        && let Some((cuts, exprs)) = cuts::cuts(explorer, task.entry)
    {
        return Some(Proof { exprs, loops, recursion, contracts, cuts, sole: None });
    }
    Some(Proof {
        exprs: program.exprs.clone(),
        loops,
        recursion,
        contracts,
        cuts: Default::default(),
        sole: None,
    })
}
