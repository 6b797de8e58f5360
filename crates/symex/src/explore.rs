//! DSEI (Figure 5): the tree is explored leaf by leaf, in any order; when a sub-tree
//! is done, its interpolant is computed from those of its children and kept; a
//! state that implies one kept for its place is not explored.
//!
//! The algorithm of the paper is recursive and so depth first. Here a node counts
//! the children that are not done, and when the last one is done the parent
//! is finished, so that the order does not matter.

use std::collections::BTreeMap;
use std::rc::Rc;

use cairn_base::{Budget, Limit, Place};
use cairn_core::Trace;
use cairn_core::{CutPoint, Target};
use cairn_encode::Obligation;
use cairn_encode::object::Content;
use cairn_encode::pointer::Instance;
use cairn_ir::distance::{Distances, Supergraph};
use cairn_ir::{EdgeId, FuncId, LocId, ObjId, Program, VarId};
use cairn_smt::{Solver, Why};
use cairn_term::{Pool, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::invariant::Known;
use crate::penetrate::Unreachable;
use crate::search::{LeafSearcher, View};
use crate::table::{Entry, PlaceKey, Table};
use crate::tree::{NodeId, Status, Tree, Visit};
use crate::{Interpolation, Options};
use cairn_path::backprop::{Backprop, End, Interpolant};
use cairn_path::machine::{Config, Frame, Machine, StackId, Stay};
use cairn_path::path::{Hop, Moved, Path, Way};
use cairn_path::symbols::Symbols;
use cairn_smt::chain::Chain;

/// The price of a term, in units of effort.
const TERM: u64 = 1;
/// Steps between questions to the clock.
const STEPS_PER_CLOCK_CHECK: u32 = 64;
/// Heads of one loop that are looked at for guesses, and how far below them.
const LATEST: usize = 4;
const BELOW: u32 = 40;
/// Steps that may be replayed once for each way on behind them; behind more there is a node.
const SHORT: usize = 24;
/// Interpolants with more parts are of no use.
const LARGE: usize = 200;

/// What is worth telling while the tree is explored.
pub enum Event<'e> {
    /// A target is reached for the first time, with these inputs.
    Reached { target: Target, trace: &'e Trace },
    /// An execution has come to its end.
    Finished { trace: &'e Trace },
    /// Some leaves have been executed.
    Progress(&'e Stats),
}

/// Whether to go on.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Control {
    Continue,
    Stop,
    /// What was reached does not count: the inputs do not lead there. (The execution reads memory
    /// that was never written, which is undefined, and anything at all to the search.)
    Doubt,
}

#[derive(Copy, Clone, Default, Debug)]
pub struct Stats {
    pub nodes: usize,
    /// Executions that came to an end, and states that were subsumed.
    pub paths: u64,
    pub subsumed: u64,
    /// Interpolants that were kept, and sub-trees for which none was found.
    pub interpolants: usize,
    pub opaque: u64,
    /// Questions about conditions, and those that reached the solver.
    pub asked: u64,
    pub solved: u64,
}

/// How an exploration ended.
#[derive(Clone, Debug)]
pub enum Ending {
    /// Every execution was followed, or is like one that was.
    Complete,
    /// The client said so.
    Stopped,
    Limit(Limit),
    /// Some executions could not be followed.
    Gap {
        what: String,
        place: Place,
    },
}

/// What is known of a sub-tree that is done.
#[derive(Clone)]
struct Finished {
    interpolant: Option<Interpolant>,
    /// Of the loops around: visits of the head so far, and at most below.
    stays: Vec<Stay>,
    peaks: Vec<Stay>,
}

/// An interpolant that subsumed some state.
pub struct Reused {
    pub point: CutPoint,
    /// Callers on the stack.
    pub depth: u32,
    /// The objects of the functions that are open there.
    pub own: FxHashMap<Instance, ObjId>,
    pub interpolant: Vec<TermId>,
}

/// A state in which all that may still be read is constant.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Exact {
    globals: Vec<(VarId, TermId)>,
    locals: Vec<(VarId, TermId)>,
    callers: Vec<Vec<(VarId, TermId)>>,
    result: Option<TermId>,
    memory: Vec<(Instance, u64, TermId)>,
    /// Callers on the stack.
    depth: u32,
}

pub struct Explorer<'a, 'p, 'c> {
    pub machine: Machine<'a, 'p>,
    pub chain: Chain<'c>,
    pub symbols: Symbols,
    options: Options,
    budget: Budget,
    tree: Tree,
    table: Table,
    searcher: Box<LeafSearcher>,
    supergraph: Supergraph,
    /// The leaf that was added last, if it was compared with the table just then.
    fresh: Option<NodeId>,
    /// Objects before this one are static.
    first: Instance,
    /// What is still to be reached.
    pub targets: FxHashSet<Target>,
    /// What need not be, as others find out.
    pub unreachable: Unreachable,
    /// Where executions may still come to a target, and for how many targets that was found out.
    hopeful: Option<(usize, Distances)>,
    pub covered: FxHashSet<EdgeId>,
    /// Visits of heads of loops in one stay, and activations of functions, at most.
    pub bounds: BTreeMap<LocId, u32>,
    pub depths: BTreeMap<FuncId, u32>,
    /// Some executions come back to a state they were in.
    pub cyclic: bool,
    /// States of nodes in which all that matters is constant.
    visited: FxHashMap<PlaceKey, FxHashMap<Exact, NodeId>>,
    /// What became of these nodes.
    finished: FxHashMap<NodeId, Finished>,
    /// Undefined behaviour that executions may meet, once for each edge.
    pub remarks: BTreeMap<EdgeId, Obligation>,
    gap: Option<(String, Place)>,
    /// Terms that were charged for.
    charged: usize,
    pub stats: Stats,
}

impl<'a, 'p, 'c> Explorer<'a, 'p, 'c> {
    /// `None` if the function has no body.
    pub fn new(
        program: &'p Program,
        entry: FuncId,
        pool: &'a mut Pool,
        solver: &'c (dyn Fn() -> Box<dyn Solver> + Sync),
        budget: &Budget,
        options: Options,
        targets: FxHashSet<Target>,
    ) -> Option<Explorer<'a, 'p, 'c>> {
        let mut machine = Machine::new(program, pool);
        let start = machine.start(entry)?;
        let symbols = Symbols::new(&mut machine, &start, budget);
        let first = Instance(start.state.memory.get_max().map_or(1, |(i, _)| i.0 + 1));
        let mut explorer = Explorer {
            machine,
            chain: Chain::new(solver, budget.clone()),
            symbols,
            options,
            budget: budget.clone(),
            tree: Tree::default(),
            table: Table::default(),
            searcher: options.strategy.searcher(),
            supergraph: Supergraph::new(program),
            fresh: None,
            first,
            targets,
            unreachable: Unreachable::default(),
            hopeful: None,
            covered: FxHashSet::default(),
            bounds: BTreeMap::new(),
            depths: BTreeMap::from([(entry, 1)]),
            cyclic: false,
            visited: FxHashMap::default(),
            finished: FxHashMap::default(),
            remarks: BTreeMap::new(),
            gap: None,
            charged: 0,
            stats: Stats::default(),
        };
        explorer.note_visit(&start);
        explorer.targets.remove(&Target::Loc(start.at));
        let root = explorer.leaf(None, Path::new(start), Vec::new(), None, true);
        explorer.searcher.push(root);
        Some(explorer)
    }

    pub fn run(&mut self, tell: &mut dyn FnMut(Event<'_>) -> Control) -> Ending {
        loop {
            let terms = self.machine.pool().len();
            self.budget.effort.charge((terms - self.charged) as u64 * TERM + 1);
            self.charged = terms;
            if let Some(limit) = self.budget.exceeded() {
                return Ending::Limit(limit);
            }
            for target in self.unreachable.take() {
                self.targets.remove(&target);
            }
            self.stats.nodes = self.tree.len();
            (self.stats.asked, self.stats.solved) = (self.chain.stats.asked, self.chain.stats.solved);
            if tell(Event::Progress(&self.stats)) == Control::Stop {
                return Ending::Stopped;
            }
            let view = View {
                program: self.machine.program,
                supergraph: &self.supergraph,
                tree: &self.tree,
                covered: &self.covered,
                targets: &self.targets,
                subsumed: self.stats.subsumed,
            };
            let Some(n) = self.searcher.pop(&view) else { break };
            match self.execute(n, tell) {
                Ok(Control::Stop) => return Ending::Stopped,
                Ok(_) => {}
                Err(limit) => return Ending::Limit(limit),
            }
        }
        match self.gap.clone() {
            Some((what, place)) => Ending::Gap { what, place },
            None => Ending::Complete,
        }
    }

    /// What is kept of heads of loops.
    pub fn known(&mut self) -> Vec<Known> {
        let head = |l: LocId| self.machine.shape.is_head(l);
        let mut found = Vec::new();
        for (key, entry) in self.table.all() {
            if head(key.at) {
                let interpolant = entry.interpolant.to_vec();
                found.push(Known { at: key.at, depth: entry.depth, interpolant });
            }
        }
        if !self.cyclic {
            return found;
        }
        // Where executions go round and round there are no interpolants, but the states themselves.
        let mut states: Vec<(NodeId, LocId, Exact)> = Vec::new();
        for (key, exact) in self.visited.iter().filter(|(key, _)| head(key.at)) {
            states.extend(exact.iter().map(|(e, n)| (*n, key.at, e.clone())));
        }
        states.sort_by_key(|s| s.0);
        for (_, at, exact) in states {
            let func = self.machine.program.locs[at].func;
            let mut interpolant = Vec::new();
            for &(v, value) in exact.globals.iter().chain(&exact.locals) {
                if let Some(symbol) = self.symbols.variable(&mut self.machine, func, exact.depth, v) {
                    interpolant.push(self.machine.pool().eq(symbol, value));
                }
            }
            found.push(Known { at, depth: exact.depth, interpolant });
        }
        found
    }

    /// The interpolants of places that subsumed some state.
    pub fn reused(&mut self) -> Vec<Reused> {
        let used = self.table.all().into_iter().filter(|(_, e)| e.used.get());
        let mut calls: FxHashMap<StackId, Vec<EdgeId>> = FxHashMap::default();
        let mut reused = Vec::new();
        for (key, e) in used {
            let calls = calls.entry(key.stack).or_insert_with(|| self.machine.calls(key.stack));
            reused.push(Reused {
                point: CutPoint { calls: calls.clone(), at: key.at },
                depth: e.depth,
                own: key.own(self.machine.stepper.pool()),
                interpolant: e.interpolant.to_vec(),
            });
        }
        reused
    }

    /// What is known of heads of loops below which not everything is explored yet, as far as it is:
    /// the latest of each head.
    pub fn partial(&mut self) -> Vec<Known> {
        if self.options.interpolation == Interpolation::Off {
            return Vec::new();
        }
        let mut by_head: BTreeMap<LocId, Vec<NodeId>> = BTreeMap::new();
        for n in self.tree.ids() {
            if self.is_open_head(n) && self.tree.get(n).status == Status::Inner {
                by_head.entry(self.tree.get(n).at).or_default().push(n);
            }
        }
        let mut found = Vec::new();
        for (at, nodes) in by_head {
            for &n in nodes.iter().rev().take(LATEST) {
                let Some(path) = self.tree.get(n).path.clone() else { continue };
                let interpolant = self.partial_at(n, 0);
                found.push(Known { at, depth: path.config.depth, interpolant });
            }
        }
        found
    }

    fn is_open_head(&self, n: NodeId) -> bool {
        let node = self.tree.get(n);
        node.status != Status::Done && node.key.is_some() && self.machine.shape.is_head(node.at)
    }

    fn partial_at(&mut self, n: NodeId, below: u32) -> Vec<TermId> {
        let mut parts = self.tree.get(n).parts.clone().unwrap_or_default();
        let Some(path) = self.tree.get(n).path.clone() else { return parts };
        let children = self.tree.get(n).children.clone();
        for c in children {
            if self.tree.get(c).status == Status::Done {
                continue;
            }
            let there = if below < BELOW && !self.is_open_head(c) {
                self.partial_at(c, below + 1)
            } else {
                Vec::new()
            };
            let hops = self.tree.get(c).hops.clone();
            if let Some(found) = self.backprop().through(&path, &hops, &End::At(there.into())) {
                parts.extend(found);
            }
        }
        parts.sort_unstable();
        parts.dedup();
        parts
    }

    fn leaf(
        &mut self,
        parent: Option<NodeId>,
        path: Path,
        hops: Vec<Hop>,
        key: Option<PlaceKey>,
        turned: bool,
    ) -> NodeId {
        let stays = self.stays(&path.config);
        let interpolating = self.options.interpolation != Interpolation::Off;
        let visit = Visit {
            status: Status::Leaf,
            open: 0,
            at: path.config.at,
            hops,
            ended: std::mem::take(&mut self.machine.ended),
            parts: interpolating.then(Vec::new),
            peaks: stays.clone(),
            stays,
            turned,
            key,
            exact: false,
            path: Some(Rc::new(path)),
        };
        self.tree.add(parent, visit)
    }

    /// The loops around a state, with the visits of their heads.
    fn stays(&self, c: &Config) -> Vec<Stay> {
        let mut stays = Vec::new();
        let shape = &self.machine.shape;
        let mut add = |depth: u32, at: LocId, visits: &imbl::OrdMap<LocId, u32>| {
            for head in shape.around(at) {
                stays.push((depth, *head, visits.get(head).copied().unwrap_or(0)));
            }
        };
        add(c.depth, c.at, &c.visits);
        for (depth, frame) in c.frames() {
            add(depth, self.machine.program.edges[frame.call].src, &frame.visits);
        }
        stays
    }

    fn note_visit(&mut self, c: &Config) {
        if let Some(&n) = c.visits.get(&c.at) {
            let bound = self.bounds.entry(c.at).or_insert(0);
            *bound = (*bound).max(n);
        }
    }

    /// Executes a leaf up to where ways part or meet, or to the end.
    fn execute(&mut self, n: NodeId, tell: &mut dyn FnMut(Event<'_>) -> Control) -> Result<Control, Limit> {
        let Some(state) = self.tree.get(n).path.clone() else { return Ok(Control::Continue) };
        self.tree.get_mut(n).status = Status::Inner;
        if self.options.prune && !self.is_hopeful(&state.config) {
            self.conclude(n, &[], &End::Over);
            return Ok(Control::Continue);
        }
        if self.tree.get(n).key.is_some() && self.is_subsumed(n, &state, &[]) {
            return Ok(Control::Continue);
        }
        let mut path = (*state).clone();
        let mut hops = Vec::new();
        self.machine.ended.clear();
        // At the place of a join there is nothing to be found again.
        let mut parted = self.tree.get(n).key.is_none();
        let turned = self.tree.get(n).turned;
        let mut steps = 0;
        loop {
            steps += 1;
            if steps % STEPS_PER_CLOCK_CHECK == 0
                && let Some(limit) = self.budget.exceeded()
            {
                return Err(limit);
            }
            let c = &path.config;
            let parts = self.machine.program.locs[c.at].out.len() > 1 || self.is_pointer_call(c.at);
            let before = parts.then(|| path.clone());
            let mut remarks = Vec::new();
            let (next, moved) = path.advance(&mut self.machine, &mut self.chain, &mut remarks);
            for o in remarks {
                self.remarks.entry(o.edge).or_insert(o);
            }
            match (next, moved) {
                (Some(next), Moved::On(hop)) => {
                    path = next;
                    let control = self.moved(&path, &hop, tell);
                    hops.push(hop);
                    if control == Control::Stop {
                        return Ok(Control::Stop);
                    }
                    let at = path.config.at;
                    let turns = turned && self.machine.shape.is_head(at);
                    let meets = turns || parted && self.meets(at);
                    if meets && self.options.interpolation != Interpolation::Off {
                        parted = false;
                        if self.join(n, &path, &mut hops, turned && !turns) {
                            return Ok(Control::Continue);
                        }
                    }
                }
                (_, Moved::Fork(ways, refused)) => {
                    let before = before.unwrap_or_else(|| (*state).clone());
                    return Ok(self.fork(n, before, hops, ways, &refused, tell));
                }
                (next, moved) => {
                    let Some(path) = next else {
                        if let Moved::Unknown(why) = moved {
                            self.unknown(why, *state_place(&self.machine, &state))?;
                        }
                        self.finish(n, None);
                        return Ok(Control::Continue);
                    };
                    return self.ended(n, &path, hops, moved, tell);
                }
            }
        }
    }

    fn unknown(&mut self, why: Why, place: Place) -> Result<(), Limit> {
        if let Why::Limit(limit) = why {
            return Err(limit);
        }
        self.gap.get_or_insert((why.to_string(), place));
        Ok(())
    }

    fn is_pointer_call(&self, l: LocId) -> bool {
        use cairn_ir::{Callee, Op};
        let program = self.machine.program;
        let out = program.locs[l].out.first();
        out.is_some_and(|&e| matches!(program.edges[e].op, Op::Call { callee: Callee::Ptr { .. }, .. }))
    }

    /// Do several ways meet at the location?
    fn meets(&self, l: LocId) -> bool {
        self.machine.program.locs[l].inn.len() > 1
    }

    /// Notes a step that was taken.
    fn moved(&mut self, path: &Path, hop: &Hop, tell: &mut dyn FnMut(Event<'_>) -> Control) -> Control {
        let c = &path.config;
        self.note_visit(c);
        let edge = match hop {
            Hop::Edge(e, _) => *e,
            Hop::Branch { edge, .. } => *edge,
            Hop::Enter { edge, func, .. } => {
                let depth = c.activations(*func);
                let most = self.depths.entry(*func).or_insert(0);
                *most = (*most).max(depth);
                *edge
            }
            Hop::Leave => return self.reach(Target::Loc(path.config.at), path, tell),
        };
        self.covered.insert(edge);
        match self.reach(Target::Edge(edge), path, tell) {
            Control::Stop => Control::Stop,
            _ => self.reach(Target::Loc(path.config.at), path, tell),
        }
    }

    fn reach(&mut self, target: Target, path: &Path, tell: &mut dyn FnMut(Event<'_>) -> Control) -> Control {
        if !self.targets.remove(&target) {
            return Control::Continue;
        }
        let trace = path.trace(&mut self.machine);
        let control = tell(Event::Reached { target, trace: &trace });
        if control == Control::Doubt {
            self.targets.insert(target);
            let place = *state_place(&self.machine, path);
            self.gap.get_or_insert(("memory that was never written".to_owned(), place));
        }
        control
    }

    /// May an execution from here, or from where its callers go on, come to a target?
    fn is_hopeful(&mut self, c: &Config) -> bool {
        let left = self.targets.len();
        if self.hopeful.as_ref().is_none_or(|(n, _)| *n != left) {
            let program = self.machine.program;
            let wanted = |e: EdgeId| is_wanted(program, &self.targets, &e);
            self.hopeful = Some((left, self.supergraph.to_nearest(program, wanted, |_| 1)));
        }
        let Some((_, reach)) = &self.hopeful else { return true };
        let returns = |frame: &Frame| self.machine.program.edges[frame.call].dst;
        reach.at(c.at).is_some() || c.frames().any(|(_, frame)| reach.at(returns(frame)).is_some())
    }

    /// The execution of a leaf has come to an end.
    fn ended(
        &mut self,
        n: NodeId,
        path: &Path,
        hops: Vec<Hop>,
        moved: Moved,
        tell: &mut dyn FnMut(Event<'_>) -> Control,
    ) -> Result<Control, Limit> {
        let place = *state_place(&self.machine, path);
        let mut control = Control::Continue;
        let end = match moved {
            Moved::Dead(hop) => End::Dead(hop),
            Moved::Error(e) => {
                self.covered.insert(e);
                control = self.reach(Target::Edge(e), path, tell);
                if control == Control::Doubt {
                    self.finish(n, None);
                    return Ok(Control::Continue);
                }
                End::Over
            }
            Moved::Gap(what, e) => {
                self.gap.get_or_insert((what, self.machine.program.edges[e].place));
                self.finish(n, None);
                return Ok(Control::Continue);
            }
            Moved::Unknown(why) => {
                self.unknown(why, place)?;
                self.finish(n, None);
                return Ok(Control::Continue);
            }
            Moved::Over | Moved::On(_) | Moved::Fork(..) => End::Over,
        };
        if control == Control::Continue {
            self.stats.paths += 1;
            let trace = path.trace(&mut self.machine);
            control = tell(Event::Finished { trace: &trace });
        }
        let last = self.stays(&path.config);
        let ended = std::mem::take(&mut self.machine.ended);
        self.raise(n, &ended, &last);
        self.conclude(n, &hops, &end);
        Ok(control)
    }

    /// Ways meet: is the state subsumed? If not, it is a node of its own from here on.
    fn join(&mut self, n: NodeId, path: &Path, hops: &mut Vec<Hop>, turned: bool) -> bool {
        let Some(key) = PlaceKey::new(&path.config, self.first) else { return false };
        if self.subsume(n, &key, path, hops) {
            return true;
        }
        let exact = if self.options.subsumption { self.exact(&path.config) } else { None };
        if let Some(exact) = &exact
            && self.cover(n, &key, path, hops, exact)
        {
            return true;
        }
        let mut hops = std::mem::take(hops);
        let mut parent = n;
        if self.is_passage(n, hops.len()) {
            // The node drops out: what is to come hangs on its parent.
            parent = self.tree.get(n).parent.unwrap_or(n);
            let node = self.tree.get_mut(n);
            node.status = Status::Done;
            (node.path, node.parts) = (None, None);
            hops.splice(0..0, std::mem::take(&mut node.hops));
            self.machine.ended.splice(0..0, std::mem::take(&mut node.ended));
            self.tree.get_mut(parent).open -= 1;
        }
        let child = self.leaf(Some(parent), path.clone(), hops, Some(key.clone()), turned);
        if let Some(exact) = exact {
            self.tree.get_mut(child).exact = true;
            self.visited.entry(key).or_default().insert(exact, child);
        }
        self.fresh = Some(child);
        self.searcher.push(child);
        true
    }

    /// The values of what may still be read, if they are all constant.
    fn exact(&mut self, c: &Config) -> Option<Exact> {
        let shape = self.machine.shape.clone();
        let program = self.machine.program;
        let pool = self.machine.stepper.pool();
        let constants = |vars: &imbl::OrdMap<VarId, TermId>, live: Option<LocId>| {
            let live = live.map(|l| shape.live(l));
            let vars = vars.iter().filter(|(v, _)| live.is_none_or(|l| l.binary_search(v).is_ok()));
            vars.map(|(v, t)| pool.is_constant(*t).then_some((*v, *t))).collect::<Option<Vec<_>>>()
        };
        let globals = constants(&c.state.globals, None)?;
        let locals = constants(&c.state.locals, Some(c.at))?;
        let mut callers = Vec::new();
        for (_, frame) in c.frames() {
            callers.push(constants(&frame.caller.locals, Some(program.edges[frame.call].dst))?);
        }
        if c.state.result.is_some_and(|t| !pool.is_constant(t)) {
            return None;
        }
        let mut memory = Vec::new();
        for (i, object) in &c.state.memory {
            let Content::Cells { cells, .. } = &object.content else { return None };
            for (at, cell) in cells {
                if !pool.is_constant(cell.value) {
                    return None;
                }
                memory.push((*i, *at, cell.value));
            }
        }
        Some(Exact { globals, locals, callers, result: c.state.result, memory, depth: c.depth })
    }

    /// Is the very same state done, or above? Nothing new can come of it. If it is above, executions
    /// need not end, and visits of heads have no bound.
    fn cover(&mut self, n: NodeId, key: &PlaceKey, path: &Path, hops: &[Hop], exact: &Exact) -> bool {
        let Some(&same) = self.visited.get(key).and_then(|v| v.get(exact)) else { return false };
        if let Some(done) = self.finished.get(&same).cloned() {
            self.as_below(n, path, &done);
            match &done.interpolant {
                Some(i) => self.conclude(n, hops, &End::At(i.clone())),
                None => self.finish(n, None),
            }
            return true;
        }
        if !self.tree.is_above(same, n) {
            return false;
        }
        self.cyclic = true;
        self.stats.subsumed += 1;
        self.machine.ended.clear();
        self.finish(n, None);
        true
    }

    /// A state, some steps behind a node, is like one whose sub-tree is done: it makes as many more
    /// visits of heads.
    fn as_below(&mut self, n: NodeId, path: &Path, done: &Finished) {
        self.stats.subsumed += 1;
        let mut last = self.stays(&path.config);
        for (depth, head, visits) in &mut last {
            let of = |stays: &[Stay]| stays.iter().find(|s| s.0 == *depth && s.1 == *head).map_or(0, |s| s.2);
            *visits += of(&done.peaks) - of(&done.stays);
            let bound = self.bounds.entry(*head).or_insert(0);
            *bound = (*bound).max(*visits);
        }
        let ended = std::mem::take(&mut self.machine.ended);
        self.raise(n, &ended, &last);
    }

    /// A leaf may have become subsumed while it waited.
    fn is_subsumed(&mut self, n: NodeId, path: &Path, hops: &[Hop]) -> bool {
        if self.fresh.take() == Some(n) {
            return false;
        }
        let Some(key) = self.tree.get(n).key.clone() else { return false };
        self.subsume(n, &key, path, hops)
    }

    /// Is the state of a path, some steps behind a node, subsumed? Then the node is done.
    fn subsume(&mut self, n: NodeId, key: &PlaceKey, path: &Path, hops: &[Hop]) -> bool {
        if !self.options.subsumption {
            return false;
        }
        let mut b = Backprop {
            machine: &mut self.machine,
            chain: &mut self.chain,
            symbols: &mut self.symbols,
            how: self.options.interpolation,
        };
        let Some(entry) = self.table.find(key, path, &mut b) else { return false };
        if cfg!(debug_assertions) {
            b.verify_subsumption(path, &entry.interpolant);
        }
        let done = Finished {
            interpolant: Some(entry.interpolant.clone()),
            stays: entry.stays.clone(),
            peaks: entry.peaks.clone(),
        };
        self.as_below(n, path, &done);
        self.conclude(n, hops, &End::At(entry.interpolant.clone()));
        true
    }

    fn fork(
        &mut self,
        n: NodeId,
        before: Path,
        hops: Vec<Hop>,
        ways: Vec<Way>,
        refused: &[Hop],
        tell: &mut dyn FnMut(Event<'_>) -> Control,
    ) -> Control {
        let (at, depth) = (before.config.at, before.config.depth);
        let mut fork = n;
        let (mut hops, mut since) = (hops, std::mem::take(&mut self.machine.ended));
        if hops.len() > SHORT || !refused.is_empty() && !hops.is_empty() {
            let turned = self.tree.get(n).turned;
            self.machine.ended = std::mem::take(&mut since);
            fork = self.leaf(Some(n), before, std::mem::take(&mut hops), None, turned);
            self.tree.get_mut(fork).status = Status::Inner;
        }
        if !refused.is_empty() {
            let path = self.tree.get(fork).path.clone();
            if let (Some(path), Some(_)) = (path, &self.tree.get(fork).parts) {
                let found = self.backprop().refused(&path, refused);
                self.add_parts(fork, found);
            }
        }
        let mut leaves = Vec::new();
        for Way { hop, path, ended } in ways {
            let control = self.moved(&path, &hop, tell);
            if control == Control::Stop {
                return Control::Stop;
            }
            self.machine.ended = since.iter().copied().chain(ended).collect();
            let innermost = self.machine.shape.around(at).first();
            let c = &path.config;
            let leaves_loop =
                c.depth == depth && innermost.is_some_and(|&h| !self.machine.shape.is_in(c.at, h));
            let way = hops.iter().cloned().chain([hop]).collect();
            let leaf = self.leaf(Some(fork), path, way, None, true);
            leaves.push((leaves_loop, leaf));
        }
        // Paths that leave the loop come first (what is pushed last is popped first): sub-trees
        // that end make interpolants.
        leaves.reverse();
        leaves.sort_by_key(|(leaves_loop, _)| *leaves_loop);
        for (_, leaf) in leaves {
            self.searcher.push(leaf);
        }
        Control::Continue
    }

    fn backprop(&mut self) -> Backprop<'_, 'a, 'p, 'c> {
        Backprop {
            machine: &mut self.machine,
            chain: &mut self.chain,
            symbols: &mut self.symbols,
            how: self.options.interpolation,
        }
    }

    /// Raises what is known of the visits in the stays of a node, by a way on which some stays ended
    /// and others go on at most up to `last`.
    fn raise(&mut self, n: NodeId, ended: &[Stay], last: &[Stay]) {
        for peak in &mut self.tree.get_mut(n).peaks {
            let same = |s: &&Stay| s.0 == peak.0 && s.1 == peak.1;
            // If the stay has ended, later ones are others.
            if let Some(stay) = ended.iter().find(same).or_else(|| last.iter().find(same)) {
                peak.2 = peak.2.max(stay.2);
            }
        }
    }

    fn add_parts(&mut self, n: NodeId, found: Option<Vec<TermId>>) {
        let parts = self.tree.get_mut(n).parts.take();
        let parts = match (parts, found) {
            (Some(mut parts), Some(found)) => {
                parts.extend(found);
                cairn_smt::ranges::tidy(self.machine.pool(), &parts).filter(|parts| parts.len() <= LARGE)
            }
            _ => None,
        };
        self.tree.get_mut(n).parts = parts;
    }

    /// The only way on from a node has ended.
    fn conclude(&mut self, n: NodeId, hops: &[Hop], end: &End) {
        if self.is_passage(n, hops.len()) {
            let way: Vec<Hop> = self.tree.get(n).hops.iter().chain(hops).cloned().collect();
            return self.close(n, Some((way, end.clone())));
        }
        let path = self.tree.get(n).path.clone();
        let found = match (path, &self.tree.get(n).parts) {
            (Some(path), Some(_)) => self.backprop().through(&path, hops, end),
            _ => None,
        };
        self.finish(n, found);
    }

    /// Is it a node with one way on from it, whose interpolant is not kept in the table? Then its parent's
    /// may as well be computed at once from that of whatever comes some steps behind it.
    fn is_passage(&self, n: NodeId, steps: usize) -> bool {
        let node = self.tree.get(n);
        let plain = node.key.is_none() && node.children.is_empty() && node.parent.is_some();
        plain && node.parts.is_some() && node.hops.len() + steps <= SHORT
    }

    /// The sub-tree of a node is done, with this interpolant; perhaps that of its parent is, too.
    fn finish(&mut self, n: NodeId, found: Option<Vec<TermId>>) {
        self.add_parts(n, found);
        self.close(n, None);
    }

    /// The sub-tree of a node is done. If it is a passage, `passage` is the whole way from its parent,
    /// and how it ends.
    fn close(&mut self, n: NodeId, mut passage: Option<(Vec<Hop>, End)>) {
        let mut n = n;
        loop {
            let depth = self.tree.get(n).path.as_ref().map_or(0, |p| p.config.depth);
            let parent = self.tree.get(n).parent;
            let node = self.tree.get_mut(n);
            node.status = Status::Done;
            node.path = None;
            let hops = std::mem::take(&mut node.hops);
            let ended = std::mem::take(&mut node.ended);
            let interpolant: Option<Rc<[TermId]>> = node.parts.take().map(Into::into);
            let (stays, peaks) = (std::mem::take(&mut node.stays), std::mem::take(&mut node.peaks));
            let key = node.key.take();
            self.stats.opaque += u64::from(interpolant.is_none());
            if std::mem::take(&mut self.tree.get_mut(n).exact) {
                let done =
                    Finished { interpolant: interpolant.clone(), stays: stays.clone(), peaks: peaks.clone() };
                self.finished.insert(n, done);
            }
            if let (Some(interpolant), Some(key)) = (&interpolant, key) {
                let entry = Entry {
                    interpolant: interpolant.clone(),
                    stays,
                    peaks: peaks.clone(),
                    depth,
                    number: self.table.size,
                    used: false.into(),
                };
                self.table.add(self.machine.pool(), key, entry);
                self.stats.interpolants = self.table.size;
            }
            let Some(p) = parent else { return };
            self.raise(p, &ended, &peaks);
            let path = self.tree.get(p).path.clone();
            // When time is up, no more interpolants are computed for the nodes above: none would be used.
            let late = self.budget.exceeded().is_some();
            let way = passage.take().or_else(|| Some((hops, End::At(interpolant?))));
            let found = match (path, &self.tree.get(p).parts, way) {
                (Some(path), Some(_), Some((hops, end))) if !late => {
                    self.backprop().through(&path, &hops, &end)
                }
                _ => None,
            };
            self.add_parts(p, found);
            let parent = self.tree.get_mut(p);
            parent.open -= 1;
            if parent.open > 0 {
                return;
            }
            n = p;
        }
    }
}

/// Is an edge, or where it begins, a target?
pub fn is_wanted(program: &Program, targets: &FxHashSet<Target>, e: &EdgeId) -> bool {
    targets.contains(&Target::Edge(*e)) || targets.contains(&Target::Loc(program.edges[*e].src))
}

/// Where a state stands in the source.
fn state_place<'p>(m: &Machine<'_, 'p>, path: &Path) -> &'p Place {
    match m.program.locs[path.config.at].out.first() {
        Some(&e) => &m.program.edges[e].place,
        None => &Place::NONE,
    }
}
