//! Which of many candidates are a proof: over the integers, where questions are
//! cheap, before bits are asked.
//!
//! Candidates that are not inductive together are dropped (Houdini). If what
//! remains excludes the target, only what that needs is kept, by unsatisfiable
//! cores, backwards from the target: the fewer conditions the
//! better for the check over bits.
//!
//! # Why so
//!
//! *What proves a loop over the integers is sifted there* (`gps::select`): Houdini and unsatisfiable cores in
//! linear arithmetic take milliseconds, and what they leave is small enough for bits. That no operation
//! leaves its type is one more thing the selection has to prove where it can, so that what keeps sums small
//! is not sifted out as idle; only what proves both is taken to bits at once.

use std::collections::{BTreeMap, BTreeSet};

use cairn_base::Budget;
use cairn_encode::walk::{self, Walk};
use cairn_smt::houdini::{self, Reply};
use cairn_smt::z3::Z3;
use cairn_smt::{Answer, Solver};
use cairn_summary::{Transition, Vertex};
use cairn_term::{Evaluator, Pool, TermId};
use rustc_hash::FxHashMap;

use crate::model::Model;

/// Conditions at the heads of loops.
pub type Conditions = BTreeMap<Vertex, Vec<TermId>>;

/// All ways from a cut point to the next.
struct Way {
    from: Vertex,
    to: Vertex,
    all: Transition,
}

/// Candidates that are to be confirmed over bits.
pub struct Selected {
    pub conditions: Conditions,
    /// They are a proof over the integers, and that no operation leaves its type is part of it.
    pub sure: bool,
}

/// The part of the candidates that is a proof over the integers, if there is one. What keeps
/// operations in their types is part of a proof, where that is known. Where it is not, all is kept
/// that holds, or what little the integers need, as asked.
pub fn select(
    model: &Model,
    pool: &mut Pool,
    candidates: Conditions,
    all: bool,
    budget: &Budget,
) -> Option<Selected> {
    let ways = ways(model, pool);
    let mut solver = Z3::new();
    let kept = houdini(&ways, pool, &mut solver, candidates, budget)?;
    if let Some(proof) = needed(&[model.target, WRAPPED], &ways, pool, &mut solver, &kept, budget) {
        return Some(Selected { conditions: proof, sure: true });
    }
    let proof = needed(&[model.target], &ways, pool, &mut solver, &kept, budget)?;
    Some(Selected { conditions: if all { kept } else { proof }, sure: false })
}

/// Stands for that an operation left its type.
const WRAPPED: Vertex = Vertex::MAX;

/// The walk from cut point to cut point: what flows along the steps is the transition from the first.
struct Between<'x> {
    model: &'x Model,
    out: &'x [Vec<usize>],
    pool: &'x mut Pool,
    /// Where the walk ends.
    ends: &'x dyn Fn(Vertex) -> bool,
    /// That an operation leaves its type at one of the vertices on the way.
    wraps: Vec<TermId>,
}

impl Walk for Between<'_> {
    type Vertex = Vertex;
    type Edge = usize;
    /// `None` is no step at all: where the walk starts.
    type State = Option<Transition>;

    fn out(&self, v: Vertex, number: usize) -> Option<(usize, Vertex)> {
        let &s = self.out[v as usize].get(number)?;
        Some((s, self.model.steps[s].dst))
    }

    fn edge(&mut self, s: usize, here: Self::State) -> Option<Self::State> {
        let weight = &self.model.steps[s].weight;
        let here = here.unwrap_or_else(Transition::identity);
        Some(Some(here.then(weight, self.pool, &self.model.space)))
    }

    fn join(&mut self, v: Vertex, ways: Vec<Self::State>) -> Option<Self::State> {
        let all = ways.into_iter().flatten().reduce(|all, way| all.or(&way, self.pool));
        if all.is_none() || !(self.ends)(v) {
            let wrap = Transition::assume(self.model.wraps[v as usize]);
            let here = all.clone().unwrap_or_else(Transition::identity);
            self.wraps.push(here.then(&wrap, self.pool, &self.model.space).guard);
        }
        Some(all)
    }
}

/// The ways between cut points: from the entry and the heads of loops to heads and the target.
fn ways(model: &Model, pool: &mut Pool) -> Vec<Way> {
    let heads = model.heads();
    let out = model.outgoing();
    let ends = |v: Vertex| heads.contains(&v) || v == model.target;
    let mut ways = Vec::new();
    for &from in heads.iter().chain([&model.entry]) {
        let mut between = Between { model, out: &out, pool, ends: &ends, wraps: vec![Pool::FALSE] };
        let reached = match walk::walk(&mut between, from, None, &ends) {
            Ok(reached) => reached,
            Err(walk::Cycle(v)) => unreachable!("a cycle through {v} without a head"),
        };
        let wraps = std::mem::take(&mut between.wraps);
        let wraps = Transition::assume(pool.or(&wraps));
        ways.push(Way { from, to: WRAPPED, all: wraps });
        for (to, all) in reached.into_iter().filter(|(v, _)| ends(*v)) {
            ways.extend(all.map(|all| Way { from, to, all }));
        }
    }
    ways
}

fn at(conditions: &Conditions, v: Vertex) -> &[TermId] {
    conditions.get(&v).map_or(&[], Vec::as_slice)
}

/// A condition behind a way, in terms of the state before it.
fn behind(pool: &mut Pool, way: &Way, condition: TermId) -> TermId {
    let map: FxHashMap<TermId, TermId> = way.all.assign.iter().map(|(&v, &t)| (v, t)).collect();
    pool.substitute(condition, &map)
}

/// The candidates that are inductive together.
fn houdini(
    ways: &[Way],
    pool: &mut Pool,
    solver: &mut Z3,
    mut kept: Conditions,
    budget: &Budget,
) -> Option<Conditions> {
    // Ways that were asked about since candidates were dropped.
    let mut stable = 0;
    let mut turn = ways.iter().cycle();
    let result = houdini::sift(&mut kept, |kept| {
        while stable < ways.len() {
            let way = turn.next().ok_or(())?;
            let later: Vec<TermId> = at(kept, way.to).iter().map(|&c| behind(pool, way, c)).collect();
            let all = pool.and(&later);
            let broken = pool.not(all);
            solver.push();
            for &c in at(kept, way.from).iter().chain([&way.all.guard, &broken]) {
                solver.assert(pool, c);
            }
            let answer = solver.check(pool, &[], budget);
            let model = match answer {
                Answer::Unsat => None,
                Answer::Sat => Some(solver.model(pool, &pool.free_vars(&[all, way.all.guard]))),
                Answer::Unknown(_) => return Err(()),
            };
            solver.pop();
            let Some(model) = model else {
                stable += 1;
                continue;
            };
            let model = model.map_err(|_| ())?;
            stable = 0;
            let mut eval = Evaluator::new(pool, &model);
            let refuted = later.iter().enumerate().filter(|&(_, &c)| !eval.holds(c));
            return Ok(Reply::Refuted(refuted.map(|(n, _)| (way.to, n)).collect()));
        }
        Ok(Reply::Hold(()))
    });
    result.ok().map(|()| kept)
}

/// What excludes some vertices, and what is needed to keep that.
fn needed(
    excluded: &[Vertex],
    ways: &[Way],
    pool: &mut Pool,
    solver: &mut Z3,
    kept: &Conditions,
    budget: &Budget,
) -> Option<Conditions> {
    let mut wanted: BTreeMap<Vertex, BTreeSet<TermId>> = BTreeMap::new();
    let mut work: Vec<(Vertex, TermId)> = excluded.iter().map(|&v| (v, Pool::FALSE)).collect();
    while let Some((v, condition)) = work.pop() {
        for way in ways.iter().filter(|w| w.to == v) {
            let later = behind(pool, way, condition);
            let broken = pool.not(later);
            solver.push();
            solver.assert(pool, way.all.guard);
            solver.assert(pool, broken);
            let core = core(pool, solver, at(kept, way.from), budget);
            solver.pop();
            let core = core?;
            for c in core {
                if wanted.entry(way.from).or_default().insert(c) {
                    work.push((way.from, c));
                }
            }
        }
    }
    Some(wanted.into_iter().map(|(v, set)| (v, set.into_iter().collect())).collect())
}

/// Some of the conditions that contradict what is asserted, large ones only where they are needed.
fn core(pool: &Pool, solver: &mut Z3, conditions: &[TermId], budget: &Budget) -> Option<Vec<TermId>> {
    if solver.check(pool, conditions, budget) != Answer::Unsat {
        return None;
    }
    let mut core = solver.core().to_vec();
    let mut doubtful = core.clone();
    doubtful.sort_by_key(|&c| (std::cmp::Reverse(pool.size(c)), c));
    for c in doubtful {
        if !core.contains(&c) {
            continue;
        }
        // Others may stand in for it that are smaller.
        let size = pool.size(c);
        let rest = |&o: &TermId| o != c && (core.contains(&o) || pool.size(o) < size);
        let rest: Vec<TermId> = conditions.iter().copied().filter(rest).collect();
        if solver.check(pool, &rest, budget) == Answer::Unsat {
            core = solver.core().to_vec();
        }
    }
    Some(core)
}
