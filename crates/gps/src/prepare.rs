//! Making a model small before anything is computed on it: what cannot matter
//! goes, vertices that only pass control on are contracted, and assignments to
//! dead variables are dropped. Gas is added here, too.
//!
//! Contraction is not the walk over blocks (`cairn_encode::walk`, which `select` uses
//! on what is left): there all ways to a vertex are joined into one formula, while here
//! each step stays one path with its edges and inputs, because the search executes
//! steps, and follows their edges over bits. So steps are composed and never joined.
//!
//! # Why so
//!
//! *Summaries of loops start from ranges* (`gps::prepare::add_ranges`). A closure is computed from the loop
//! alone and knows nothing of how large its bound may be; the range analysis, which holds over bits, does.

use std::collections::{BTreeMap, BTreeSet};

use cairn_absint::Analysis;
use cairn_base::{Budget, Limit, Pace};
use cairn_graph::{Digraph, wto};
use cairn_ir::LocId;
use cairn_summary::{Edge, Graph, Space, Transition, Vertex};
use cairn_term::{Pool, SortId, TermId};
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::model::{Meaning, Model, Step};

/// Vertices or steps between two looks at the budget.
const STEPS_PER_BUDGET_CHECK: u32 = 16;
/// Edges that the contraction of one vertex may make.
const MOST_MADE: usize = 12;

impl Model {
    /// Everything that makes it smaller and changes no verdict. At a limit it is not to be used.
    pub fn shrink(&mut self, pool: &mut Pool, budget: &Budget) -> Result<(), Limit> {
        let mut pace = Pace::new(budget, STEPS_PER_BUDGET_CHECK);
        self.drop_useless();
        self.contract(pool, &mut pace)?;
        self.drop_dead(pool, &mut pace)?;
        self.drop_useless();
        self.renumber();
        Ok(())
    }

    /// The heads of loops, as [`cairn_graph::wto`] has them. Every cycle has one.
    pub fn heads(&self) -> BTreeSet<Vertex> {
        let ends: Vec<(Vertex, Vertex)> = self.steps.iter().map(|s| (s.src, s.dst)).collect();
        let heads = wto::heads(&Digraph::new(self.places.len(), &ends), self.entry);
        heads.ones().map(|v| v as Vertex).collect()
    }

    /// The numbers of the steps that leave each vertex, in order.
    pub fn outgoing(&self) -> Vec<Vec<usize>> {
        let mut out = vec![Vec::new(); self.places.len()];
        for (i, s) in self.steps.iter().enumerate() {
            out[s.src as usize].push(i);
        }
        out
    }

    /// Drops the steps that are not on a way from the entry to the target.
    fn drop_useless(&mut self) {
        let ends: Vec<(Vertex, Vertex)> = self.steps.iter().map(|s| (s.src, s.dst)).collect();
        let graph = Digraph::new(self.places.len(), &ends);
        let (from, to) = (graph.reachable([self.entry]), graph.reaching([self.target]));
        let has = |set: &FixedBitSet, v: Vertex| set.contains(v as usize);
        self.steps.retain(|s| has(&from, s.src) && has(&to, s.dst));
    }

    /// Removes vertices that have one way in or one way out, but for heads of loops, the entry and
    /// the target.
    fn contract(&mut self, pool: &mut Pool, pace: &mut Pace<'_>) -> Result<(), Limit> {
        let heads = self.heads();
        let n = self.places.len();
        let mut steps: Vec<Option<Step>> = std::mem::take(&mut self.steps).into_iter().map(Some).collect();
        let (mut out, mut inn): (Vec<BTreeSet<usize>>, Vec<BTreeSet<usize>>) =
            (vec![BTreeSet::new(); n], vec![BTreeSet::new(); n]);
        for (i, s) in steps.iter().enumerate() {
            let Some(s) = s else { continue };
            out[s.src as usize].insert(i);
            inn[s.dst as usize].insert(i);
        }
        let keeps = |v: Vertex| v == self.entry || v == self.target || heads.contains(&v);
        let mut work: Vec<Vertex> = (0..n as Vertex).rev().collect();
        while let Some(v) = work.pop() {
            pace.step()?;
            let (i, o) = (inn[v as usize].len(), out[v as usize].len());
            if keeps(v) || i == 0 || o == 0 || !(i == 1 || o == 1) || i * o > MOST_MADE {
                continue;
            }
            let (before, after) =
                (std::mem::take(&mut inn[v as usize]), std::mem::take(&mut out[v as usize]));
            let wrap = self.wraps[v as usize];
            for &a in &before {
                if let Some(first) = steps[a].as_ref().filter(|_| wrap != Pool::FALSE) {
                    let wrap = first.weight.then(&Transition::assume(wrap), pool, &self.space).guard;
                    let known = &mut self.wraps[first.src as usize];
                    *known = pool.or(&[*known, wrap]);
                }
                for &b in &after {
                    let (Some(first), Some(second)) = (&steps[a], &steps[b]) else { continue };
                    let weight = first.weight.then(&second.weight, pool, &self.space);
                    if weight.is_never() {
                        continue;
                    }
                    let joined = Step {
                        src: first.src,
                        dst: second.dst,
                        weight,
                        inputs: first.inputs.iter().chain(&second.inputs).cloned().collect(),
                        edges: first.edges.iter().chain(&second.edges).copied().collect(),
                        exact: first.exact && second.exact,
                        skips: first.skips || second.skips,
                    };
                    let id = steps.len();
                    out[joined.src as usize].insert(id);
                    inn[joined.dst as usize].insert(id);
                    steps.push(Some(joined));
                }
            }
            for e in before {
                if let Some(s) = steps[e].take() {
                    out[s.src as usize].remove(&e);
                    work.push(s.src);
                }
            }
            for e in after {
                if let Some(s) = steps[e].take() {
                    inn[s.dst as usize].remove(&e);
                    work.push(s.dst);
                }
            }
        }
        self.steps = steps.into_iter().flatten().collect();
        Ok(())
    }

    /// Drops assignments to variables that are dead afterwards, and variables that are never read.
    fn drop_dead(&mut self, pool: &Pool, pace: &mut Pace<'_>) -> Result<(), Limit> {
        let n = self.places.len();
        let mut live: Vec<FxHashSet<TermId>> = vec![FxHashSet::default(); n];
        let reads_guard: Vec<Vec<TermId>> = self
            .steps
            .iter()
            .map(|s| pool.free_vars(&[s.weight.guard]).into_iter().filter(|&v| self.space.has(v)).collect())
            .collect();
        let mut reads: Vec<BTreeMap<TermId, Vec<TermId>>> = Vec::with_capacity(self.steps.len());
        for s in &self.steps {
            pace.step()?;
            let of = |t: TermId| {
                pool.free_vars(&[t]).into_iter().filter(|&v| self.space.has(v)).collect::<Vec<_>>()
            };
            reads.push(s.weight.assign.iter().map(|(&v, &t)| (v, of(t))).collect());
        }
        let mut changed = true;
        while changed {
            changed = false;
            for (i, s) in self.steps.iter().enumerate().rev() {
                pace.step()?;
                let mut wanted: Vec<TermId> = reads_guard[i].clone();
                for &v in &live[s.dst as usize] {
                    match reads[i].get(&v) {
                        Some(vars) => wanted.extend(vars),
                        None => wanted.push(v),
                    }
                }
                for v in wanted {
                    changed |= live[s.src as usize].insert(v);
                }
            }
        }
        // What becomes of a variable that is not read does not matter.
        for (wrap, live) in self.wraps.iter_mut().zip(&live) {
            let dead = |x: &TermId| self.space.has(*x) && !live.contains(x);
            if pool.free_vars(&[*wrap]).iter().any(dead) {
                *wrap = Pool::FALSE;
            }
        }
        let mut used: FxHashSet<TermId> = FxHashSet::default();
        for s in &mut self.steps {
            let live = &live[s.dst as usize];
            s.weight.assign.retain(|v, _| live.contains(v));
        }
        for l in &live {
            used.extend(l);
        }
        for s in &self.steps {
            used.extend(s.weight.assign.keys());
        }
        let vars = self.space.vars().iter().copied().filter(|v| used.contains(v)).collect();
        self.space = Space::new(vars);
        self.meanings.retain(|v, _| used.contains(v));
        Ok(())
    }

    /// Numbers the vertices that are left in the order in which they are first met.
    fn renumber(&mut self) {
        let mut numbers: FxHashMap<Vertex, Vertex> = FxHashMap::default();
        let mut old = Vec::new();
        let mut number = |v: Vertex| {
            *numbers.entry(v).or_insert_with(|| {
                old.push(v as usize);
                old.len() as Vertex - 1
            })
        };
        self.entry = number(self.entry);
        self.target = number(self.target);
        for s in &mut self.steps {
            s.src = number(s.src);
            s.dst = number(s.dst);
        }
        self.places = old.iter().map(|&v| self.places[v]).collect();
        self.wraps = old.iter().map(|&v| self.wraps[v]).collect();
    }

    /// Steps that leave the head of a loop start only where a range analysis says that executions
    /// come: a summary of the loop alone does not know how large its bound may be.
    pub fn add_ranges(&mut self, pool: &mut Pool, analysis: &Analysis) {
        let heads = self.heads();
        for s in &mut self.steps {
            let Some((_, at)) = self.places[s.src as usize].filter(|_| heads.contains(&s.src)) else {
                continue;
            };
            let mut read = vec![s.weight.guard];
            read.extend(s.weight.assign.values());
            let ranges = ranges(pool, &self.meanings, analysis, at, &read);
            s.weight.guard = pool.and(&[s.weight.guard, ranges]);
        }
        for v in heads {
            let wrap = self.wraps[v as usize];
            if let Some((_, at)) = self.places[v as usize] {
                let ranges = ranges(pool, &self.meanings, analysis, at, &[wrap]);
                self.wraps[v as usize] = pool.and(&[wrap, ranges]);
            }
        }
    }

    /// Bounds every execution (Section 5.3): a number chosen at the start goes down whenever the head
    /// of a loop is left, and must not be negative there.
    pub fn add_gas(&mut self, pool: &mut Pool) {
        let heads = self.heads();
        if heads.is_empty() {
            return;
        }
        let gas = pool.fresh("gas", SortId::INT);
        let (zero, one) = (pool.int(0), pool.int(1));
        let enough = pool.int_le(zero, gas);
        let less = pool.int_sub(gas, one);
        let mut vars = self.space.vars().to_vec();
        vars.push(gas);
        self.space = Space::new(vars);
        self.meanings.insert(gas, Meaning::Gas);
        let spend = Transition { guard: enough, assign: BTreeMap::from([(gas, less)]) };
        for s in &mut self.steps {
            if heads.contains(&s.src) {
                s.weight = spend.then(&s.weight, pool, &self.space);
            }
            if s.src == self.entry {
                let any = pool.fresh("gas", SortId::INT);
                let some = pool.int_le(zero, any);
                let fill = Transition { guard: some, assign: BTreeMap::from([(gas, any)]) };
                s.weight = fill.then(&s.weight, pool, &self.space);
            }
        }
    }

    /// What summaries are computed from. Edges are the steps, in order.
    pub fn graph(&self) -> Graph {
        Graph {
            space: self.space.clone(),
            vertices: self.places.len() as u32,
            edges: self
                .steps
                .iter()
                .map(|s| Edge { src: s.src, dst: s.dst, weight: s.weight.clone() })
                .collect(),
            entry: self.entry,
            target: self.target,
        }
    }
}

/// The ranges at a location of the variables that occur in terms, as far as they say more than types.
fn ranges(
    pool: &mut Pool,
    meanings: &BTreeMap<TermId, Meaning>,
    analysis: &Analysis,
    at: LocId,
    terms: &[TermId],
) -> TermId {
    let mut all = Vec::new();
    for x in pool.free_vars(terms) {
        let Some(&Meaning::Var(_, v)) = meanings.get(&x) else { continue };
        let (Some(range), Some(any)) = (analysis.at(at, v), analysis.type_of(v)) else { continue };
        if range.lo > any.lo {
            let low = pool.int(range.lo);
            all.push(pool.int_le(low, x));
        }
        if range.hi < any.hi {
            let high = pool.int(range.hi);
            all.push(pool.int_le(x, high));
        }
    }
    pool.and(&all)
}
