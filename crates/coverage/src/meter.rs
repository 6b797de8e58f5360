//! What an execution covers, seen by the executor itself.
//!
//! The executor tells which edges were executed. Edges without effect may be
//! missing, and so is the operation that ended the run: both follow from where
//! control was.

use cairn_base::{Budget, EntityRef};
use cairn_core::{Target, Task, Trace, replay};
use cairn_ir::{Bits, EdgeId, FuncId, LocId, Op, Program};
use cairn_sem::{
    End, Executor, Given, Indeterminate, InputRecord, Io, Observer, Options, View, Window, Written,
};
use fixedbitset::FixedBitSet;

/// What executions came to, and how often.
#[derive(Clone, Default, Debug)]
pub struct Hits {
    /// By edge.
    edges: Vec<u64>,
    /// By function.
    calls: Vec<u64>,
    locs: FixedBitSet,
}

impl Hits {
    pub fn reaches(&self, target: Target) -> bool {
        match target {
            Target::Edge(e) => self.count(e) > 0,
            Target::Loc(l) => self.locs.contains(l.index()),
        }
    }

    /// Executions of an edge.
    pub fn count(&self, e: EdgeId) -> u64 {
        self.edges.get(e.index()).copied().unwrap_or(0)
    }

    pub fn calls(&self, f: FuncId) -> u64 {
        self.calls.get(f.index()).copied().unwrap_or(0)
    }

    /// Executions that began an edge; where that is not known exactly, once.
    pub fn begun(&self, p: &Program, e: EdgeId) -> u64 {
        let src = p.edges[e].src;
        let out = &p.locs[src].out;
        let visited = self.locs.contains(src.index()) && out.len() == 1;
        let all: u64 = out.iter().map(|e| self.count(*e)).sum();
        all.max(u64::from(visited))
    }

    pub fn add(&mut self, other: &Hits) {
        let sum = |to: &mut Vec<u64>, from: &[u64]| {
            to.resize(to.len().max(from.len()), 0);
            to.iter_mut().zip(from).for_each(|(a, b)| *a = a.saturating_add(*b));
        };
        sum(&mut self.edges, &other.edges);
        sum(&mut self.calls, &other.calls);
        self.locs.union_with(&other.locs);
    }

    /// Where control was follows from what was executed.
    fn complete(&mut self, p: &Program) {
        let mut work: Vec<LocId> = Vec::new();
        for (e, edge) in p.edges.iter() {
            if self.count(e) > 0 {
                work.extend([edge.src, edge.dst]);
            }
        }
        for (f, func) in p.funcs.iter() {
            if let Some(body) = func.body.as_ref().filter(|_| self.calls(f) > 0) {
                work.push(body.entry);
            }
        }
        while let Some(l) = work.pop() {
            if self.locs.put(l.index()) {
                continue;
            }
            if let [e] = p.locs[l].out[..]
                && matches!(p.edges[e].op, Op::Nop | Op::Begin { .. } | Op::End { .. })
            {
                self.edges[e.index()] = self.edges[e.index()].max(1);
                work.push(p.edges[e].dst);
            }
        }
    }
}

/// One execution.
#[derive(Clone, Debug)]
pub struct Run {
    pub end: End,
    pub inputs: Vec<InputRecord>,
    pub steps: u64,
    pub hits: Hits,
    /// So many inputs had been read when it came to something new for the last time.
    pub needed: usize,
}

/// Runs a task's program and watches it.
pub struct Meter<'t> {
    task: &'t Task,
    /// The program, with the two sides of each branch apart.
    program: Program,
}

impl<'t> Meter<'t> {
    pub fn new(task: &'t Task) -> Meter<'t> {
        let mut program = task.program.clone();
        for l in task.program.locs.keys() {
            if let [a, b] = program.locs[l].out[..]
                && program.edges[a].dst == program.edges[b].dst
            {
                separate(&mut program, a);
                separate(&mut program, b);
            }
        }
        Meter { task, program }
    }

    /// Runs on given values; inputs beyond them are random.
    pub fn run(&self, values: &[Given], seed: u64, budget: &Budget) -> Run {
        let inputs = values.to_vec();
        // A test on disk cannot say what uninitialised memory holds.
        let indeterminate = Indeterminate::Undefined;
        let options =
            Options { inputs, seed, indeterminate, ..replay::options(self.task, &Trace::default()) };
        let p = &self.program;
        let hits = Hits {
            edges: vec![0; p.edges.len()],
            calls: vec![0; p.funcs.len()],
            locs: FixedBitSet::with_capacity(p.locs.len()),
        };
        let mut watcher = Watcher { hits, read: 0, needed: 0 };
        let mut io = Silent;
        let outcome =
            Executor::new(p, options, budget.clone()).run_observed(&mut io, Window::ALL, &mut watcher);
        let Watcher { mut hits, needed, .. } = watcher;
        hits.complete(p);
        Run {
            end: outcome.end,
            needed: needed.min(outcome.inputs.len()),
            inputs: outcome.inputs,
            steps: outcome.steps,
            hits,
        }
    }
}

/// Lets an edge lead to where it led through a location of its own.
fn separate(p: &mut Program, e: EdgeId) {
    p.insert_behind(e, Op::Nop);
}

/// Output is dropped, and there is no input to read.
struct Silent;

impl Io for Silent {
    fn write(&mut self, _: i32, _: &[u8]) {}

    fn read_byte(&mut self) -> Option<u8> {
        None
    }
}

struct Watcher {
    hits: Hits,
    read: usize,
    needed: usize,
}

impl Watcher {
    fn note(&mut self, e: EdgeId) {
        let count = &mut self.hits.edges[e.index()];
        *count += 1;
        if *count == 1 {
            self.needed = self.read;
        }
    }
}

impl Observer for Watcher {
    fn enter(&mut self, _: &View<'_, '_>, func: FuncId) {
        let count = &mut self.hits.calls[func.index()];
        *count += 1;
        if *count == 1 {
            self.needed = self.read;
        }
    }

    fn leave(&mut self, _: &View<'_, '_>, edge: EdgeId, _: Option<Bits>) {
        self.note(edge);
    }

    fn head(&mut self, _: &View<'_, '_>, _: LocId) {}

    fn edge(&mut self, view: &View<'_, '_>, edge: EdgeId, _: Option<Written>) {
        if matches!(view.program().edges[edge].op, Op::Input { .. }) {
            self.read += 1;
        }
        self.note(edge);
    }

    fn skipped(&mut self, _: &View<'_, '_>, _: u64) {}
}
