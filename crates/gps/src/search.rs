//! The search of Figures 4, 5 and 6: a breadth-first queue of frontiers, from
//! each of which a test is generated and executed depth-first, directed by
//! summaries; dead ends refine the labels of the tree, and covers close loops.

use std::fmt;

use cairn_base::{Budget, Limit};
use cairn_core::Trace;
use cairn_core::explain::Entry;
use cairn_graph::waitlist::{BreadthFirst, Searcher};
use cairn_ir::EdgeId;
use cairn_path::Followed;
use cairn_summary::interpolant::{Checker, Outcome, Run};
use cairn_summary::{Summaries, Transition};
use cairn_term::{Assignment, Pool, TermId, Value};

use crate::art::{Art, NodeId};
use crate::code::{Code, Ran, State, word};
use crate::journal::Journal;
use crate::model::{Meaning, Model, Reading};
use crate::walker::Walker;

/// Steps a test may take before its rest is left to the queue.
const TEST_STEPS: usize = 100_000;
/// Questions a test may ask before its alternatives are left to the queue.
const TEST_QUERIES: usize = 400;
/// Questions of a test after which its inputs are no longer made simple, and how many of a step are.
const SIMPLE: usize = 24;
const INPUTS: usize = 4;
/// Prefixes that are tried as covers.
const TWINS: usize = 4;
/// Nodes a tree may have.
const MOST_NODES: usize = 2_000_000;
/// Steps in a row without inputs, after which the executor is asked to run a test to its end.
const STEPS_BEFORE_RUN: usize = 3_000;

/// What the search may use: the ablations of Table 2.
#[derive(Copy, Clone, Debug)]
pub struct Options {
    /// Dead ends teach labels, and labels cover (GPS); otherwise only summaries prune (GPSLite).
    pub refine: bool,
    /// Bound executions by gas.
    pub gas: bool,
    /// Summaries guide and prune; otherwise they say nothing.
    pub summaries: bool,
    /// Generate tests; otherwise nothing but the summary of the whole program is looked at (CRA).
    pub search: bool,
    /// Keep a journal, to be explained.
    pub journal: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { refine: true, gas: true, summaries: true, search: true, journal: false }
    }
}

/// What happened, to be told.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Statistics {
    pub tests: u32,
    pub dead_ends: u32,
    pub covers: u32,
    pub uncovers: u32,
    pub nodes: usize,
    pub queries: u64,
}

impl fmt::Display for Statistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Statistics { tests, dead_ends, covers, uncovers, nodes, queries } = self;
        write!(
            f,
            "{tests} tests, {dead_ends} dead ends, {covers} covers ({uncovers} undone), {nodes} nodes, \
             {queries} queries"
        )
    }
}

/// How the search ended.
#[derive(Clone, Debug)]
pub enum End {
    /// Every path is a dead end or covered.
    Safe,
    /// This path reaches the target, but no execution takes it.
    Spurious(Vec<Taken>),
    /// The program fails on the inputs of this path, as the executor found.
    Failed(Vec<Taken>),
    /// The same, and the inputs are others.
    Found(Vec<Taken>, Trace),
    /// Only the summary of the whole program was to be looked at, and it excludes nothing.
    Undecided,
    Stopped(Stop),
}

#[derive(Clone, Debug)]
pub enum Stop {
    Limit(Limit),
    Solver(String),
    /// The target is reached behind a call that was skipped: whether an execution does so is unknown.
    Skipped,
    TooLarge,
}

/// Tells what the program really does.
pub trait Runner {
    /// Does the program fail on the inputs of a path?
    fn fails(&mut self, path: &[Taken]) -> bool;
    /// Is a path of the program to an error one that some execution takes?
    fn follow(&mut self, edges: &[EdgeId]) -> Followed;
}

/// A step of a path, with the values of its unknowns.
#[derive(Clone, Debug)]
pub struct Taken {
    pub step: usize,
    pub values: Vec<(TermId, i128)>,
}

pub struct Search<'a> {
    pub model: &'a Model,
    pub pool: &'a mut Pool,
    pub summaries: &'a Summaries,
    pub art: Art,
    pub statistics: Statistics,
    pub journal: Option<Journal>,
    options: Options,
    budget: &'a Budget,
    queue: BreadthFirst,
    out: Vec<Vec<usize>>,
    codes: Vec<Option<Code>>,
    /// For each step: it can be taken, and the target may be reached behind it.
    ahead: Vec<TermId>,
    checker: Checker,
    walker: Walker,
    gas: Option<usize>,
    regs: Vec<i128>,
    /// Some path was given up because it skips a call.
    unsure: bool,
}

/// What is done about a path to the target.
enum Arrived {
    End(End),
    /// No execution takes it beyond this node.
    Blocked(NodeId),
}

/// A point of a test.
struct Point {
    node: NodeId,
    state: State,
    next: usize,
}

impl<'a> Search<'a> {
    pub fn new(
        model: &'a Model,
        pool: &'a mut Pool,
        summaries: &'a Summaries,
        options: Options,
        budget: &'a Budget,
    ) -> Search<'a> {
        let codes = model.steps.iter().map(|s| Code::new(pool, &model.space, &s.weight)).collect();
        let ahead =
            model.steps.iter().map(|s| s.weight.before(pool, summaries.to_target[s.dst as usize])).collect();
        let is_gas = |v: &TermId| model.meanings.get(v) == Some(&Meaning::Gas);
        Search {
            model,
            art: Art::new(model.entry),
            statistics: Statistics::default(),
            journal: options.journal.then(Journal::default),
            options,
            budget,
            queue: BreadthFirst::default(),
            out: model.outgoing(),
            codes,
            ahead,
            checker: Checker::new(&model.space),
            walker: Walker::default(),
            gas: model.space.vars().iter().position(is_gas),
            regs: Vec::new(),
            unsure: false,
            pool,
            summaries,
        }
    }

    pub fn run(&mut self, runner: &mut dyn Runner) -> End {
        let end = self.work(runner).unwrap_or_else(End::Stopped);
        self.statistics.nodes = self.art.size();
        end
    }

    /// A path is to be looked at, after those that wait.
    fn push(&mut self, n: NodeId) {
        Searcher::<Art>::push(&mut self.queue, n);
    }

    /// The main procedure: Figure 5, or Figure 4 without refinement.
    fn work(&mut self, runner: &mut dyn Runner) -> Result<End, Stop> {
        self.push(Art::ROOT);
        while let Some(n) = self.queue.pop(&self.art) {
            self.still()?;
            if self.options.refine && self.try_cover(n)? {
                continue;
            }
            let summary = self.summaries.to_target[self.art.get(n).vertex as usize];
            match self.check(Pool::TRUE, None, n, summary)? {
                Outcome::Unsat(interpolants) => {
                    self.statistics.dead_ends += 1;
                    self.art.get_mut(n).pruned = true;
                    self.note(Entry::DeadEnd { node: n, explained: self.options.refine });
                    if self.options.refine {
                        let path: Vec<NodeId> = self.art.path(None, n).into_iter().map(|(n, _)| n).collect();
                        self.refine(&path, &interpolants)?;
                    }
                }
                Outcome::Sat(run) => {
                    if !self.options.search {
                        return Ok(End::Undecided);
                    }
                    let run = self.frugal(n, summary, run)?;
                    self.statistics.tests += 1;
                    if let Some(journal) = &mut self.journal {
                        journal.test(n);
                    }
                    if let Some(end) = self.test(n, &run, runner)? {
                        return Ok(end);
                    }
                }
                // There is no such execution, but no interpolant says why.
                Outcome::Unknown(_) if self.feasible(n, summary)?.is_none() => {
                    self.statistics.dead_ends += 1;
                    self.give_up(n);
                }
                Outcome::Unknown(why) => return Err(Stop::Solver(why.to_string())),
            }
        }
        if self.unsure { Err(Stop::Skipped) } else { Ok(End::Safe) }
    }

    fn note(&mut self, entry: Entry) {
        if let Some(journal) = &mut self.journal {
            journal.add(entry);
        }
    }

    fn still(&self) -> Result<(), Stop> {
        match self.budget.exceeded() {
            Some(limit) => Err(Stop::Limit(limit)),
            None if self.art.size() > MOST_NODES => Err(Stop::TooLarge),
            None => Ok(()),
        }
    }

    /// `Check` of the path from a node (or the root) to another, followed by a formula.
    fn check(
        &mut self,
        initial: TermId,
        from: Option<NodeId>,
        to: NodeId,
        last: TermId,
    ) -> Result<Outcome, Stop> {
        self.statistics.queries += 1;
        let steps = self.art.path(from, to);
        let path: Vec<&Transition> = steps.iter().map(|&(_, s)| &self.model.steps[s].weight).collect();
        let outcome = self.checker.check(self.pool, initial, &path, last, self.budget);
        if let Outcome::Unknown(_) = outcome
            && let Some(limit) = self.budget.exceeded()
        {
            return Err(Stop::Limit(limit));
        }
        Ok(outcome)
    }

    /// With less gas, a test that fails ends sooner.
    fn frugal(&mut self, n: NodeId, summary: TermId, run: Run) -> Result<Run, Stop> {
        let Some(gas) = self.gas else { return Ok(run) };
        let var = self.model.space.vars()[gas];
        let Some(given) = run.end().get(gas).and_then(word) else { return Ok(run) };
        let mut enough = 1i128;
        while enough < given {
            let most = self.pool.int(enough);
            let little = self.pool.int_le(var, most);
            let last = self.pool.and(&[summary, little]);
            if let Some(run) = self.feasible(n, last)? {
                return Ok(run);
            }
            enough = enough.saturating_mul(8);
        }
        Ok(run)
    }

    /// An execution of the path to a node that ends in a state of a formula.
    fn feasible(&mut self, n: NodeId, last: TermId) -> Result<Option<Run>, Stop> {
        self.statistics.queries += 1;
        let steps = self.art.path(None, n);
        let path: Vec<&Transition> = steps.iter().map(|&(_, s)| &self.model.steps[s].weight).collect();
        let found = self.checker.feasible(self.pool, Pool::TRUE, &path, last, self.budget);
        found.map_err(|why| self.stop(&why))
    }

    fn stop(&self, why: &cairn_smt::Why) -> Stop {
        match self.budget.exceeded() {
            Some(limit) => Stop::Limit(limit),
            None => Stop::Solver(why.to_string()),
        }
    }

    /// Figure 6: labels along a path get stronger; covers that this breaks are undone.
    fn refine(&mut self, path: &[NodeId], formulas: &[TermId]) -> Result<(), Stop> {
        for (&n, &formula) in path.iter().zip(formulas) {
            if formula == Pool::TRUE || self.art.get(n).conjuncts.contains(&formula) {
                continue;
            }
            for covered in self.art.get(n).covers.clone() {
                let label = self.art.label(self.pool, covered);
                self.statistics.queries += 1;
                let kept = self.checker.entails(self.pool, label, formula, self.budget);
                if !kept.map_err(|why| self.stop(&why))? {
                    self.art.uncover(covered);
                    self.statistics.uncovers += 1;
                    self.note(Entry::Uncovered { node: covered, by: n });
                    self.push(covered);
                }
            }
            self.art.get_mut(n).conjuncts.push(formula);
            self.note(Entry::Refined { node: n, by: formula });
        }
        Ok(())
    }

    /// A path is a dead end, but the labels along it do not say so: they must cover nothing.
    fn stiffen(&mut self, n: NodeId) {
        let path = self.art.path(None, n);
        for node in path.into_iter().map(|(n, _)| n).chain([Art::ROOT]) {
            self.art.get_mut(node).stiff = true;
            for covered in self.art.uncover_all(node) {
                self.statistics.uncovers += 1;
                self.note(Entry::Uncovered { node: covered, by: node });
                self.push(covered);
            }
        }
    }

    /// Figure 6: is the label of a prefix at the same vertex kept by the way from there to here?
    fn try_cover(&mut self, n: NodeId) -> Result<bool, Stop> {
        let mut twins = self.art.twins(n);
        twins.retain(|&t| !self.art.get(t).stiff);
        for twin in twins.into_iter().take(TWINS) {
            let label = self.art.label(self.pool, twin);
            let broken = self.pool.not(label);
            let path: Vec<NodeId> = self.art.path(Some(twin), n).into_iter().map(|(n, _)| n).collect();
            if broken != Pool::FALSE {
                match self.check(label, Some(twin), n, broken)? {
                    Outcome::Unsat(formulas) => self.refine(&path, &formulas)?,
                    Outcome::Sat(_) | Outcome::Unknown(_) => continue,
                }
            }
            self.art.cover(n, twin);
            self.statistics.covers += 1;
            self.note(Entry::Covered { node: n, by: twin });
            return Ok(true);
        }
        Ok(false)
    }

    /// Executes a test (the procedure `Explore` of Figure 4) from the end of a path, in the state
    /// in which a run of it ends.
    fn test(&mut self, n: NodeId, run: &Run, runner: &mut dyn Runner) -> Result<Option<End>, Stop> {
        let Some(state) = self.adopt(n, run) else { return Err(Stop::TooLarge) };
        let number = self.statistics.tests;
        let mut stack = vec![Point { node: n, state, next: 0 }];
        let (mut steps, mut queries, mut alone) = (0, 0, 0usize);
        while let Some(top) = stack.last_mut() {
            let node = top.node;
            self.art.get_mut(node).test.get_or_insert(number);
            if self.art.get(node).vertex == self.model.target {
                match self.arrived(node, runner)? {
                    Arrived::End(end) => return Ok(Some(end)),
                    // Drop what lies behind the blocked node: no execution gets there.
                    Arrived::Blocked(n) => {
                        let depth = self.art.get(n).depth;
                        stack.retain(|p| self.art.get(p.node).depth < depth);
                        continue;
                    }
                }
            }
            self.expand(node);
            let Some(&child) = self.art.get(node).children.get(top.next) else {
                stack.pop();
                continue;
            };
            top.next += 1;
            steps += 1;
            if steps % 256 == 0 {
                self.still()?;
            }
            let Some(step) = self.art.get(child).step else { continue };
            let spent = steps > TEST_STEPS || queries > TEST_QUERIES;
            let state = &stack[stack.len() - 1].state;
            let next = if spent { None } else { self.successor(state, step, alone, &mut queries)? };
            match next {
                Some((state, values)) => {
                    alone = if values.is_empty() { alone + 1 } else { 0 };
                    if let Some(journal) = &mut self.journal {
                        journal.chose(child, &values);
                    }
                    self.art.get_mut(child).values = values;
                    stack.push(Point { node: child, state, next: 0 });
                    if alone == STEPS_BEFORE_RUN {
                        let path = self.values(child);
                        if runner.fails(&path) {
                            self.reached(child);
                            return Ok(Some(End::Failed(path)));
                        }
                    }
                }
                None => self.push(child),
            }
        }
        Ok(None)
    }

    /// The target is reached in the model: is it in the program?
    fn arrived(&mut self, node: NodeId, runner: &mut dyn Runner) -> Result<Arrived, Stop> {
        let path = self.values(node);
        if runner.fails(&path) {
            self.reached(node);
            return Ok(Arrived::End(End::Failed(path)));
        }
        let steps = self.art.path(None, node);
        if let Some(&(skip, _)) = steps.iter().find(|&&(_, s)| self.model.steps[s].skips) {
            // Perhaps there is an error elsewhere.
            self.unsure = true;
            self.give_up(skip);
            return Ok(Arrived::Blocked(skip));
        }
        let edges: Vec<EdgeId> =
            steps.iter().flat_map(|&(_, s)| self.model.steps[s].edges.iter().copied()).collect();
        let blocked = match runner.follow(&edges) {
            Followed::Error(trace) => {
                self.reached(node);
                return Ok(Arrived::End(End::Found(path, trace)));
            }
            // Of a model that is not the program's, nothing is to be learned from a single path.
            Followed::Blocked(_) if self.model.reading == Reading::Ideal => {
                return Ok(Arrived::End(End::Spurious(path)));
            }
            Followed::Blocked(edge) => edge,
            Followed::Lost(why) => return Err(Stop::Solver(why)),
        };
        let mut taken = 0;
        let dead = steps.iter().find(|&&(_, s)| {
            taken += self.model.steps[s].edges.len();
            taken > blocked
        });
        let dead = dead.map_or(node, |&(n, _)| n);
        self.statistics.dead_ends += 1;
        self.give_up(dead);
        Ok(Arrived::Blocked(dead))
    }

    /// Nothing more is looked for behind a path, for reasons that no label gives.
    fn give_up(&mut self, n: NodeId) {
        self.art.get_mut(n).pruned = true;
        self.note(Entry::DeadEnd { node: n, explained: false });
        self.stiffen(n);
    }

    fn reached(&mut self, node: NodeId) {
        if let Some(journal) = &mut self.journal {
            journal.reached(node);
        }
    }

    /// The state at the end of a run; the values of unknowns are kept at the nodes of its path.
    fn adopt(&mut self, n: NodeId, run: &Run) -> Option<State> {
        for ((node, step), values) in self.art.path(None, n).into_iter().zip(&run.unknowns) {
            let Some(code) = &self.codes[step] else { return None };
            let values =
                code.unknowns.iter().map(|u| number(values.get(u))).collect::<Option<Vec<i128>>>()?;
            if let Some(journal) = &mut self.journal {
                journal.chose(node, &values);
            }
            self.art.get_mut(node).values = values;
        }
        run.end().iter().map(word).collect()
    }

    fn expand(&mut self, n: NodeId) {
        if self.art.get(n).children.is_empty() {
            for s in self.out[self.art.get(n).vertex as usize].clone() {
                self.art.child(n, s, self.model.steps[s].dst);
            }
        }
    }

    /// A state behind a step from which the target may be reached, and the values of the unknowns
    /// that lead to it.
    fn successor(
        &mut self,
        state: &State,
        step: usize,
        alone: usize,
        queries: &mut usize,
    ) -> Result<Option<(State, Vec<i128>)>, Stop> {
        let code = self.codes[step].as_ref();
        if let Some(code) = code
            && code.unknowns.is_empty()
        {
            return Ok(match code.run(state, &[], &mut self.regs) {
                // Whether the target is still in reach is asked now and then.
                Ran::To(next) if alone.is_power_of_two() && alone.ilog2().is_multiple_of(2) => {
                    *queries += 1;
                    self.model_of(state, self.ahead[step])?.map(|_| (next, Vec::new()))
                }
                Ran::To(next) => Some((next, Vec::new())),
                Ran::Blocked | Ran::Lost => None,
            });
        }
        *queries += 1;
        let mut formula = self.ahead[step];
        let Some(mut model) = self.model_of(state, formula)? else { return Ok(None) };
        // Where a summary leaves the choice, 0 is as good as any, and people like it better.
        let inputs = self.model.steps[step].inputs.iter().filter_map(|i| i.term).take(INPUTS);
        for u in inputs {
            if *queries >= SIMPLE {
                break;
            }
            if number(model.get(&u)) == Some(0) {
                continue;
            }
            *queries += 1;
            let zero = self.pool.int(0);
            let is_zero = self.pool.eq(u, zero);
            let simple = self.pool.and(&[formula, is_zero]);
            if let Some(found) = self.model_of(state, simple)? {
                (model, formula) = (found, simple);
            }
        }
        let Some(code) = &self.codes[step] else { return Ok(None) };
        let values: Option<Vec<i128>> = code.unknowns.iter().map(|u| number(model.get(u))).collect();
        let Some(values) = values else { return Ok(None) };
        Ok(match code.run(state, &values, &mut self.regs) {
            Ran::To(next) => Some((next, values)),
            Ran::Blocked | Ran::Lost => None,
        })
    }

    /// Values of the unknowns that make a formula true in a state.
    fn model_of(&mut self, state: &State, formula: TermId) -> Result<Option<Assignment>, Stop> {
        self.statistics.queries += 1;
        let vars = self.model.space.vars();
        let found = self.walker.model(self.pool, vars, state, formula, self.budget);
        found.map_err(|why| self.stop(&why))
    }

    /// The steps of a path with the values of their unknowns.
    fn values(&self, n: NodeId) -> Vec<Taken> {
        let taken = |(n, step): (NodeId, usize)| {
            let unknowns = self.codes[step].as_ref().map_or(&[][..], |c| &c.unknowns);
            let values = unknowns.iter().copied().zip(self.art.get(n).values.iter().copied()).collect();
            Taken { step, values }
        };
        self.art.path(None, n).into_iter().map(taken).collect()
    }
}

/// A value of a model. Whatever the model does not mention may be anything.
fn number(value: Option<&Value>) -> Option<i128> {
    match value {
        None => Some(0),
        Some(Value::Bool(b)) => Some((*b).into()),
        Some(value) => value.as_int().and_then(word),
    }
}
