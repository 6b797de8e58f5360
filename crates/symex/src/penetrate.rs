//! Code penetration (Section 6 of the paper) and tests.
//!
//! [`explore`] hands out inputs as it finds them: whenever a target is reached for
//! the first time, and when executions end. [`penetrate`] decides goals: each is
//! reached, by inputs; or no execution reaches it; or the limits were too narrow to
//! tell, and it is hard.
//!
//! An interpolant speaks of all that a sub-tree reached while it was explored. What
//! was reached is no target any more, so a subsumed state can reach no target that
//! is left. States from which no way at all leads to a target are not explored.

use std::collections::BTreeSet;

use cairn_base::{Budget, Place};
use cairn_core::Target;
use cairn_core::verdict::InputValue;
use cairn_ir::graph::{Blocks, Graph};
use cairn_ir::{Builtin, Callee, EdgeId, FuncId, Op, Program};
use cairn_smt::Solver;
use cairn_term::Pool;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Options;
use crate::explore::{Control, Ending, Event, Explorer, Stats};

/// What an exploration may use.
pub struct Limits<'l> {
    pub budget: Budget,
    pub solver: &'l (dyn Fn() -> Box<dyn Solver> + Sync),
}

/// Why a test is worth having.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// It is the first to reach this.
    Reaches(Target),
    /// It is an execution unlike all others before.
    Path,
}

/// Inputs of an execution, in the order in which it takes them. What it takes beyond them is
/// arbitrary.
#[derive(Clone, Debug)]
pub struct Test {
    pub inputs: Vec<InputValue>,
    pub why: Why,
}

/// What an exploration came to.
#[derive(Clone, Debug)]
pub struct Report {
    /// If it is [`Ending::Complete`], no execution reaches what is left.
    pub ending: Ending,
    /// Targets that were not reached.
    pub left: BTreeSet<Target>,
    /// All edges that were executed.
    pub covered: BTreeSet<EdgeId>,
    pub stats: Stats,
}

/// Follows executions from `entry` and gives each test to `sink` as it is found, until all targets
/// are reached, or `sink` says so, or the limits do.
pub fn explore(
    program: &Program,
    entry: FuncId,
    targets: &BTreeSet<Target>,
    options: Options,
    limits: &Limits<'_>,
    sink: &mut dyn FnMut(Test) -> Control,
) -> Report {
    let mut pool = Pool::new();
    let wanted: FxHashSet<Target> = targets.iter().copied().collect();
    let (solver, budget) = (limits.solver, &limits.budget);
    let options = Options { prune: true, ..options };
    let Some(mut explorer) = Explorer::new(program, entry, &mut pool, solver, budget, options, wanted) else {
        let what = "the entry function has no body".to_owned();
        let place = program.funcs[entry].place;
        return Report {
            ending: Ending::Gap { what, place },
            left: targets.clone(),
            covered: BTreeSet::new(),
            stats: Stats::default(),
        };
    };
    let ending = explorer.run(&mut |event| match event {
        Event::Reached { target, trace } => {
            sink(Test { inputs: trace.inputs.clone(), why: Why::Reaches(target) })
        }
        Event::Finished { trace } => sink(Test { inputs: trace.inputs.clone(), why: Why::Path }),
        Event::Progress(_) => Control::Continue,
    });
    Report {
        ending,
        left: explorer.targets.iter().copied().collect(),
        covered: explorer.covered.iter().copied().collect(),
        stats: explorer.stats,
    }
}

/// What to reach.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Goal {
    /// Any operation of a line. The file may be given by the end of its name.
    Line { file: Option<String>, line: u32 },
    /// Wherever a C label of this name stands.
    Label(String),
    /// The body of a function.
    Function(String),
    /// Each failing assertion and each call of an error function, apart.
    Asserts,
    /// Each basic block of the user's functions, apart.
    Blocks,
    /// Each side of each decision of the source, apart.
    Branches,
}

/// One thing to be reached: any of the targets will do.
#[derive(Clone, Debug)]
pub struct Finding {
    pub what: String,
    pub place: Place,
    pub targets: Vec<Target>,
    pub fate: Fate,
}

#[derive(Clone, Debug)]
pub enum Fate {
    /// With these inputs.
    Reachable(Vec<InputValue>),
    /// Every execution was followed, and none came there.
    Unreachable,
    /// It was neither reached nor shown to be unreachable within the limits.
    Hard,
}

/// The things a goal asks for; none if the program has nothing of the kind.
pub fn targets(p: &Program, goal: &Goal) -> Vec<Finding> {
    let user = |f: FuncId| !p.funcs[f].is_model;
    let finding =
        |what: String, place: Place, targets: Vec<Target>| Finding { what, place, targets, fate: Fate::Hard };
    let mut found = Vec::new();
    match goal {
        Goal::Line { file, line } => {
            let here = |place: Place| {
                place.line == *line
                    && file.as_ref().is_none_or(|f| {
                        let named = |name: &String| {
                            let rest = name.strip_suffix(f.as_str());
                            rest.is_some_and(|r| r.is_empty() || r.ends_with('/'))
                        };
                        p.files.get(place.file).is_some_and(named)
                    })
            };
            let edges: Vec<EdgeId> = p
                .edges
                .iter()
                .filter(|(_, e)| here(e.place) && user(p.locs[e.src].func))
                .map(|(e, _)| e)
                .collect();
            if let Some(&first) = edges.first() {
                let targets = edges.iter().map(|&e| Target::Edge(e)).collect();
                found.push(finding(format!("line {line}"), p.edges[first].place, targets));
            }
        }
        Goal::Label(name) => {
            for (l, loc) in p.locs.iter().filter(|(_, l)| l.labels.iter().any(|n| n.as_str() == name)) {
                let place = loc.out.first().map_or(Place::NONE, |&e| p.edges[e].place);
                found.push(finding(format!("label {name}"), place, vec![Target::Loc(l)]));
            }
        }
        Goal::Function(name) => {
            for (_, f) in p.funcs.iter().filter(|(_, f)| f.name.as_str() == name) {
                if let Some(body) = &f.body {
                    found.push(finding(format!("function {name}"), f.place, vec![Target::Loc(body.entry)]));
                }
            }
        }
        Goal::Asserts => {
            for (e, edge) in p.edges.iter() {
                if let Op::Call {
                    callee: Callee::Builtin(b @ (Builtin::Error | Builtin::AssertFail)), ..
                } = &edge.op
                {
                    let what = if *b == Builtin::Error { "error" } else { "failing assertion" };
                    found.push(finding(what.to_owned(), edge.place, vec![Target::Edge(e)]));
                }
            }
        }
        Goal::Blocks => {
            for (f, func) in p.funcs.iter().filter(|(f, _)| user(*f)) {
                let Some(graph) = Graph::new(p, f) else { continue };
                for block in &Blocks::new(p, &graph).blocks {
                    let start = block.locs[0];
                    let place = p.locs[start].out.first().map_or(func.place, |&e| p.edges[e].place);
                    let what = format!("block of {}", func.name);
                    found.push(finding(what, place, vec![Target::Loc(start)]));
                }
            }
        }
        Goal::Branches => {
            for (e, edge) in p.edges.iter().filter(|(_, e)| user(p.locs[e.src].func)) {
                if let Some(branch) = edge.branch {
                    let side = if branch.taken { "true" } else { "false" };
                    found.push(finding(format!("branch {side}"), edge.place, vec![Target::Edge(e)]));
                }
            }
        }
    }
    found
}

/// Decides goals, all in one exploration.
pub fn penetrate(
    program: &Program,
    entry: FuncId,
    goals: &[Goal],
    options: Options,
    limits: &Limits<'_>,
) -> (Vec<Finding>, Report) {
    let mut findings: Vec<Finding> = goals.iter().flat_map(|g| targets(program, g)).collect();
    let mut of: FxHashMap<Target, Vec<usize>> = FxHashMap::default();
    for (n, finding) in findings.iter().enumerate() {
        for &t in &finding.targets {
            of.entry(t).or_default().push(n);
        }
    }
    let wanted: BTreeSet<Target> = of.keys().copied().collect();
    let start = program.funcs[entry].body.as_ref().map(|b| Target::Loc(b.entry));
    for &n in start.iter().filter_map(|t| of.get(t)).flatten() {
        findings[n].fate = Fate::Reachable(Vec::new());
    }
    let mut open = findings.iter().filter(|f| matches!(f.fate, Fate::Hard)).count();
    let report = if open == 0 {
        Report { ending: Ending::Complete, left: wanted, covered: BTreeSet::new(), stats: Stats::default() }
    } else {
        explore(program, entry, &wanted, options, limits, &mut |test| {
            if let Why::Reaches(target) = test.why {
                for &n in of.get(&target).into_iter().flatten() {
                    if matches!(findings[n].fate, Fate::Hard) {
                        findings[n].fate = Fate::Reachable(test.inputs.clone());
                        open -= 1;
                    }
                }
            }
            if open == 0 { Control::Stop } else { Control::Continue }
        })
    };
    if matches!(report.ending, Ending::Complete) {
        for finding in &mut findings {
            if matches!(finding.fate, Fate::Hard) {
                finding.fate = Fate::Unreachable;
            }
        }
    }
    (findings, report)
}
