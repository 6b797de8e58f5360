//! Where a program decides whether there is an error.
//!
//! The check of an error is the nearest branch on the way to it: there an
//! execution is right or wrong. If there is none in the function, as in one that
//! only reports, the branches before its calls are.

use cairn_base::Place;
use cairn_ir::{Builtin, Callee, EdgeId, FuncId, LocId, Op, Program};
use rustc_hash::{FxHashMap, FxHashSet};

/// A check, as users see it.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Check {
    /// The branch.
    pub at: LocId,
    /// The call of the function it is in, if there are several of them, or the function belongs to
    /// the library: `assert_that(x > 0)` is a check, and so is each other call.
    pub call: Option<EdgeId>,
    pub place: Place,
}

pub struct Checks {
    /// In the order of their places.
    pub all: Vec<Check>,
    by_location: FxHashMap<LocId, Vec<usize>>,
}

impl Checks {
    /// The checks in functions that the entry may call.
    pub fn new(program: &Program, entry: FuncId) -> Checks {
        let calls = Calls::new(program, entry);
        let mut all: Vec<Check> = Vec::new();
        for (at, found) in branches(program, &calls) {
            let func = program.locs[at].func;
            let sites = calls.of.get(&func).map_or(&[][..], |c| c);
            if sites.len() > 1 || (program.funcs[func].is_model && !sites.is_empty()) {
                all.extend(sites.iter().map(|&call| Check {
                    at,
                    call: Some(call),
                    place: program.edges[call].place,
                }));
            } else {
                all.push(Check { at, call: None, place: found });
            }
        }
        all.sort_by_key(|c| (c.place.file, c.place.line, c.place.col, c.at, c.call));
        let mut by_location: FxHashMap<LocId, Vec<usize>> = FxHashMap::default();
        for (n, check) in all.iter().enumerate() {
            by_location.entry(check.at).or_default().push(n);
        }
        Checks { all, by_location }
    }

    /// Where to look out for executions.
    pub fn locations(&self) -> FxHashSet<LocId> {
        self.by_location.keys().copied().collect()
    }

    /// The check that a visit of a location, in a function entered by this call, is.
    pub fn find(&self, at: LocId, call: Option<EdgeId>) -> Option<usize> {
        let here = self.by_location.get(&at)?;
        here.iter().copied().find(|&n| self.all[n].call.is_none_or(|c| Some(c) == call))
    }
}

/// Who calls whom, as far as the entry leads.
struct Calls {
    /// The calls of each function.
    of: FxHashMap<FuncId, Vec<EdgeId>>,
    reached: Vec<FuncId>,
}

impl Calls {
    fn new(program: &Program, entry: FuncId) -> Calls {
        let mut of: FxHashMap<FuncId, Vec<EdgeId>> = FxHashMap::default();
        let mut reached = vec![entry];
        let mut indirect: Option<Vec<FuncId>> = None;
        let mut n = 0;
        while n < reached.len() {
            let Some(body) = &program.funcs[reached[n]].body else {
                n += 1;
                continue;
            };
            for &e in &body.edges {
                let Op::Call { callee, .. } = &program.edges[e].op else { continue };
                let targets = match callee {
                    Callee::Func(f) => vec![*f],
                    Callee::Ptr { .. } => {
                        indirect.get_or_insert_with(|| program.funcs.keys().collect()).clone()
                    }
                    Callee::Builtin(_) => continue,
                };
                for f in targets {
                    if let Callee::Ptr { sig, .. } = callee
                        && program.funcs[f].sig != **sig
                    {
                        continue;
                    }
                    of.entry(f).or_default().push(e);
                    if !reached.contains(&f) {
                        reached.push(f);
                    }
                }
            }
            n += 1;
        }
        Calls { of, reached }
    }
}

/// The branches that decide, each with the place of an error behind it.
fn branches(program: &Program, calls: &Calls) -> Vec<(LocId, Place)> {
    let mut found: Vec<(LocId, Place)> = Vec::new();
    let mut work: Vec<(LocId, Place)> = Vec::new();
    for &f in &calls.reached {
        let edges = program.funcs[f].body.iter().flat_map(|b| &b.edges);
        work.extend(edges.map(|&e| &program.edges[e]).filter_map(|edge| match &edge.op {
            Op::Call { callee: Callee::Builtin(Builtin::Error | Builtin::AssertFail), .. } => {
                Some((edge.src, edge.place))
            }
            _ => None,
        }));
    }
    let mut seen: FxHashSet<LocId> = work.iter().map(|w| w.0).collect();
    while let Some((at, error)) = work.pop() {
        let mut back = |from: LocId, place: Place| {
            if program.locs[from].out.len() > 1 {
                if !found.iter().any(|f| f.0 == from) {
                    found.push((from, place));
                }
            } else if seen.insert(from) {
                work.push((from, place));
            }
        };
        for &e in &program.locs[at].inn {
            back(program.edges[e].src, error);
        }
        let func = program.locs[at].func;
        if program.funcs[func].body.as_ref().is_some_and(|b| b.entry == at) {
            for &call in calls.of.get(&func).map_or(&[][..], |c| c) {
                back(program.edges[call].src, program.edges[call].place);
            }
        }
    }
    found
}
