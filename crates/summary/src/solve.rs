//! Path summaries of a whole graph.
//!
//! *Paths to the target* are the solution of right-linear equations
//! `X_u = ⋁ w(e)·X_v` over the edges from `u` to `v`, with `X_target = true`:
//! nothing matters after the target, so that a formula over the state at `u` is
//! enough (Section 6.1 of the paper, which reverses the graph for Tarjan's
//! method; here the equations are solved along a weak topological order). For a
//! cycle with head `h` the paths from `h` back to it make one transition, the
//! star of which (see [`crate::star`]) is computed once, and
//! `X_h = Star·(paths that leave the cycle)`. *Paths from the entry* are the
//! forward counterpart.
//!
//! For every edge, `w(e)·X_v` implies `X_u` over the integers: stars are closed
//! under one more turn. So the complements of all `X_v` together are inductive.
//!
//! # Why so
//!
//! *The single-target pass is a system of right-linear equations.* Nothing matters behind the target, so a
//! summary of the ways to it is a formula over states, and the dualised pass of the GPS paper (Section 6.1)
//! is solved from the target backwards over a weak topological order (`summary::solve`), with one closure per
//! loop.

use std::collections::BTreeMap;

use cairn_base::{Budget, Limit};
use cairn_graph::{Digraph, Wto, wto};
use cairn_term::{Pool, TermId};
use rustc_hash::FxHashSet;

use crate::normal::normalise;
use crate::star::Stars;
use crate::{Edge, Graph, Transition, Vertex};

/// What to compute and how hard to try.
#[derive(Clone, Debug)]
pub struct Options {
    /// Off: nothing is computed, every path that the graph has is taken for possible.
    pub summaries: bool,
    /// Formulas whose atoms matter to the caller, besides those of the edges to the target: their
    /// directions are tried in loops.
    pub hints: Vec<TermId>,
    /// How many questions one loop may put to the solver.
    pub queries: u32,
    /// How many steps the solver may take for each. (A count and no time: what is found must not
    /// depend on how busy the machine is.)
    pub steps: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options { summaries: true, hints: Vec::new(), queries: 1000, steps: 100_000 }
    }
}

#[derive(Clone, Debug)]
pub struct Summaries {
    /// Per vertex, a formula over the variables of the space (and unknowns) that holds in all
    /// states from which some path reaches the target. Unknowns of the edges do not occur in it.
    pub to_target: Vec<TermId>,
    /// Per vertex, a transition that has all paths from the entry to it.
    pub from_entry: Vec<Transition>,
    /// Per head of a cycle, the transition of all paths from it to itself within the cycle.
    pub stars: BTreeMap<Vertex, Transition>,
    /// How many questions were put to the solver.
    pub queries: u64,
}

/// A larger formula of paths to the target gives way to `true`.
const LARGEST: usize = 20_000;

/// A transition of more terms gives way to one that may do anything to what it changes.
const LARGEST_STEP: usize = 8_000;

/// If a formula would grow by more than this at a vertex, edges share instead of copying.
const GROWTH: usize = 150;

/// A formula over the state at a vertex in which some variables have other names, so that all edges
/// to the vertex can share it.
struct Shared {
    /// What it is made from.
    formula: TermId,
    names: BTreeMap<TermId, TermId>,
    renamed: TermId,
}

/// The summaries of a graph.
///
/// # Errors
/// When the budget is used up. (What one loop may cost is limited by the options; beyond that its
/// summary is coarse but right.)
pub fn summarise(
    graph: &Graph,
    pool: &mut Pool,
    options: &Options,
    budget: &Budget,
) -> Result<Summaries, Limit> {
    if !options.summaries {
        return Ok(trivial(graph, pool));
    }
    let count = graph.vertices as usize;
    let mut out = vec![Vec::new(); count];
    let mut into = vec![Vec::new(); count];
    for (n, e) in graph.edges.iter().enumerate() {
        out[e.src as usize].push(n);
        into[e.dst as usize].push(n);
    }
    let ends: Vec<(Vertex, Vertex)> = graph.edges.iter().map(|e| (e.src, e.dst)).collect();
    let order =
        wto::order_from(&Digraph::new(count, &ends), std::iter::once(graph.entry).chain(0..graph.vertices));
    let mut hints = options.hints.clone();
    for e in graph.edges.iter().filter(|e| e.dst == graph.target) {
        hints.extend(normalise(pool, &graph.space, &e.weight).1);
    }
    let stars = Stars::new(&graph.space, options, hints, budget);
    let mut solver = Solver {
        graph,
        pool,
        out,
        into,
        stars,
        loops: BTreeMap::new(),
        shared: BTreeMap::new(),
        given_up: FxHashSet::default(),
        budget,
    };
    solver.close_all(&order)?;

    let mut from_entry = vec![Transition::never(); count];
    from_entry[graph.entry as usize] = Transition::identity();
    solver.forward(&order, &mut from_entry)?;

    let mut to_target = vec![Pool::FALSE; count];
    to_target[graph.target as usize] = Pool::TRUE;
    solver.backward(&order, &mut to_target)?;
    let Solver { stars, loops, .. } = solver;
    Ok(Summaries { to_target, from_entry, stars: loops, queries: stars.asked() })
}

struct Solver<'a> {
    graph: &'a Graph,
    pool: &'a mut Pool,
    /// Edges by their source and by their destination.
    out: Vec<Vec<usize>>,
    into: Vec<Vec<usize>>,
    stars: Stars<'a>,
    /// The stars, by head.
    loops: BTreeMap<Vertex, Transition>,
    shared: BTreeMap<Vertex, Shared>,
    /// Vertices whose formula had to give way to `true`.
    given_up: FxHashSet<Vertex>,
    budget: &'a Budget,
}

impl Solver<'_> {
    fn go_on(&self) -> Result<(), Limit> {
        self.budget.exceeded().map_or(Ok(()), Err)
    }

    /// Computes the stars, inner ones first.
    fn close_all(&mut self, elements: &[Wto<Vertex>]) -> Result<(), Limit> {
        for element in elements {
            if let Wto::Loop(head, rest) = element {
                self.close_all(rest)?;
                let body = self.turn(*head, rest)?;
                let star = self.stars.star(self.pool, &body);
                self.go_on()?;
                self.loops.insert(*head, star.renew(self.pool, &self.graph.space));
            }
        }
        Ok(())
    }

    /// All paths from the head of a cycle once around to it.
    fn turn(&mut self, head: Vertex, rest: &[Wto<Vertex>]) -> Result<Transition, Limit> {
        let mut from = vec![Transition::never(); self.graph.vertices as usize];
        from[head as usize] = Transition::identity();
        self.forward(rest, &mut from)?;
        Ok(self.incoming(head, &from))
    }

    /// The transition into a vertex over all its edges.
    fn incoming(&mut self, v: Vertex, from: &[Transition]) -> Transition {
        let mut sum = Transition::never();
        for &n in &self.into[v as usize] {
            let Edge { src, weight, .. } = &self.graph.edges[n];
            let path = from[*src as usize].then(weight, self.pool, &self.graph.space);
            sum = sum.or(&path, self.pool);
        }
        self.confine(sum)
    }

    fn confine(&mut self, mut step: Transition) -> Transition {
        let mut roots = vec![step.guard];
        roots.extend(step.assign.values());
        if self.pool.reachable(&roots).len() > LARGEST_STEP {
            step.guard = Pool::TRUE;
            for (&v, t) in &mut step.assign {
                let sort = self.pool.sort_id_of(v);
                *t = self.pool.fresh("u", sort);
            }
        }
        step
    }

    /// Completes `from`, which has the transitions to where the paths start.
    fn forward(&mut self, elements: &[Wto<Vertex>], from: &mut [Transition]) -> Result<(), Limit> {
        for element in elements {
            self.go_on()?;
            match element {
                Wto::Location(v) => self.enter(*v, from),
                Wto::Loop(head, rest) => {
                    self.beside(*head, rest, from)?;
                    self.enter(*head, from);
                    let star = self.loops[head].clone();
                    from[*head as usize] = from[*head as usize].then(&star, self.pool, &self.graph.space);
                    self.forward(rest, from)?;
                }
            }
        }
        Ok(())
    }

    fn enter(&mut self, v: Vertex, from: &mut [Transition]) {
        let paths = self.incoming(v, from);
        from[v as usize] = from[v as usize].or(&paths, self.pool);
    }

    /// A cycle with several entries: paths that come in beside the head, up to the head.
    fn beside(&mut self, head: Vertex, rest: &[Wto<Vertex>], from: &mut [Transition]) -> Result<(), Limit> {
        let mut inside = Vec::new();
        rest.iter().for_each(|e| e.each(&mut |v| inside.push(v)));
        let inside_set: FxHashSet<Vertex> = inside.iter().copied().chain([head]).collect();
        let entered = inside.iter().any(|&v| {
            let outside = |&n: &usize| {
                let src = self.graph.edges[n].src;
                !inside_set.contains(&src) && !from[src as usize].is_never()
            };
            self.into[v as usize].iter().any(outside)
        });
        if !entered {
            return Ok(());
        }
        let mut ahead = from.to_vec();
        ahead[head as usize] = Transition::never();
        self.forward(rest, &mut ahead)?;
        // What reaches the head from inside is what it starts with.
        let mut sum = std::mem::replace(&mut from[head as usize], Transition::never());
        for n in self.into[head as usize].clone() {
            let Edge { src, weight, .. } = &self.graph.edges[n];
            if inside_set.contains(src) && *src != head {
                let path = ahead[*src as usize].then(weight, self.pool, &self.graph.space);
                sum = sum.or(&path, self.pool);
            }
        }
        from[head as usize] = sum;
        Ok(())
    }

    /// Completes `to`, which is `false` but for the target and what comes later.
    fn backward(&mut self, elements: &[Wto<Vertex>], to: &mut [TermId]) -> Result<(), Limit> {
        for element in elements.iter().rev() {
            self.go_on()?;
            match element {
                Wto::Location(v) if *v == self.graph.target => {}
                Wto::Location(v) => to[*v as usize] = self.outgoing(*v, to),
                Wto::Loop(head, rest) => {
                    // First the paths that leave without coming back to the head.
                    to[*head as usize] = Pool::FALSE;
                    self.backward(rest, to)?;
                    let exits = self.outgoing(*head, to);
                    let star = self.loops[head].clone();
                    let all = self.precede(&star, exits);
                    to[*head as usize] = self.limited(*head, all);
                    self.backward(rest, to)?;
                    self.level(element, to);
                }
            }
        }
        Ok(())
    }

    /// If a formula of a cycle had to give way to `true`, all of them do: otherwise the others
    /// would no longer follow from it.
    fn level(&self, cycle: &Wto<Vertex>, to: &mut [TermId]) {
        let mut vertices = Vec::new();
        cycle.each(&mut |v| vertices.push(v));
        if vertices.iter().any(|v| self.given_up.contains(v)) {
            for v in vertices {
                if to[v as usize] != Pool::FALSE {
                    to[v as usize] = Pool::TRUE;
                }
            }
        }
    }

    /// From a vertex over all its edges.
    fn outgoing(&mut self, v: Vertex, to: &[TermId]) -> TermId {
        let edges = self.out[v as usize].clone();
        let along = |solver: &mut Self, step: &dyn Fn(&mut Self, &Edge, TermId) -> TermId| {
            let graph = solver.graph;
            let path = |&n: &usize| {
                let edge = &graph.edges[n];
                step(solver, edge, to[edge.dst as usize])
            };
            let paths: Vec<TermId> = edges.iter().map(path).collect();
            solver.pool.or(&paths)
        };
        let mut all = along(self, &|solver, edge, rest| solver.precede(&edge.weight, rest));
        let sizes = edges.iter().map(|&n| self.pool.size(to[self.graph.edges[n].dst as usize]));
        let before = sizes.max().unwrap_or(0);
        if self.pool.size(all) > before + GROWTH {
            let shared = along(self, &|solver, edge, rest| solver.join(edge, rest));
            if self.pool.size(shared) < self.pool.size(all) {
                all = shared;
            }
        }
        self.limited(v, all)
    }

    fn limited(&mut self, v: Vertex, formula: TermId) -> TermId {
        if self.pool.size(formula) > LARGEST {
            self.given_up.insert(v);
            return Pool::TRUE;
        }
        formula
    }

    /// As [`Solver::precede`] for an edge to a vertex with several. Each edge would have its own copy
    /// of the formula, with its values put in, and along a chain of choices the copies would
    /// double again and again. So the edges give their values to names.
    fn join(&mut self, edge: &Edge, formula: TermId) -> TermId {
        let (dst, step) = (edge.dst, &edge.weight);
        if formula == Pool::FALSE || step.is_never() {
            return Pool::FALSE;
        }
        if self.shared.get(&dst).is_none_or(|s| s.formula != formula) {
            let mut names = BTreeMap::new();
            for &n in &self.into[dst as usize] {
                for &v in self.graph.edges[n].weight.assign.keys() {
                    let sort = self.pool.sort_id_of(v);
                    names.entry(v).or_insert_with(|| self.pool.fresh("u", sort));
                }
            }
            let map = names.iter().map(|(&v, &t)| (v, t)).collect();
            let renamed = self.pool.substitute(formula, &map);
            self.shared.insert(dst, Shared { formula, names, renamed });
        }
        let shared = &self.shared[&dst];
        let (renamed, names) = (shared.renamed, shared.names.clone());
        let step = step.renew(self.pool, &self.graph.space);
        let mut parts = vec![step.guard, renamed];
        for (&v, &name) in &names {
            parts.push(self.pool.eq(name, step.after(v)));
        }
        self.pool.and(&parts)
    }

    /// `step·formula`, with unknowns of its own.
    fn precede(&mut self, step: &Transition, formula: TermId) -> TermId {
        if formula == Pool::FALSE || step.is_never() {
            return Pool::FALSE;
        }
        step.renew(self.pool, &self.graph.space).before(self.pool, formula)
    }
}

/// Every path of the graph may be possible and may do anything.
fn trivial(graph: &Graph, pool: &mut Pool) -> Summaries {
    let reach = |start: Vertex, forward: bool| {
        let mut seen = vec![false; graph.vertices as usize];
        seen[start as usize] = true;
        let mut work = vec![start];
        while let Some(v) = work.pop() {
            for e in &graph.edges {
                let (a, b) = if forward { (e.src, e.dst) } else { (e.dst, e.src) };
                if a == v && !std::mem::replace(&mut seen[b as usize], true) {
                    work.push(b);
                }
            }
        }
        seen
    };
    let to_target = reach(graph.target, false).into_iter().map(|yes| pool.bool(yes)).collect();
    let mut anything = Transition::identity();
    for &v in graph.space.vars() {
        let sort = pool.sort_id_of(v);
        anything.assign.insert(v, pool.fresh("u", sort));
    }
    let step = |yes| if yes { anything.clone() } else { Transition::never() };
    let from_entry = reach(graph.entry, true).into_iter().map(step).collect();
    Summaries { to_target, from_entry, stars: BTreeMap::new(), queries: 0 }
}
