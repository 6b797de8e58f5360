//! The values of variables at every location, across functions.
//!
//! Each function is analysed in the join of the contexts it is called in, and
//! gives one summary of how it returns. Callees are analysed when a call of them
//! is met whose arguments are new; widening of entries and exits ends recursion.
//! Within a function the locations are iterated in reverse post-order, widened at
//! the cut points of the loops, then narrowed. When all is stable, every function
//! is analysed again, callers first, in just the contexts that remain. (Cousot
//! and Cousot 1977; any state computed from sound states is sound, so descending
//! may stop anywhere.)

use std::collections::{BTreeMap, BTreeSet};

use cairn_base::{Budget, EntityRef};
use cairn_ir::callgraph::CallGraph;
use cairn_ir::dom::Dominators;
use cairn_ir::graph::Graph;
use cairn_ir::loops::Loops;
use cairn_ir::{
    BinOp, Builtin, Callee, EdgeId, Expr, ExprId, FuncId, IntTy, LocId, Op, Program, Ty, VarId, VarKind,
};
use rustc_hash::FxHashMap;

use crate::env::Env;
use crate::expr::Eval;
use crate::mods::Mods;
use crate::num::Num;
use crate::points_to::PointsTo;

/// Visits of a cut point that only join, and those after which widening goes to the end.
const PATIENT_VISITS: u32 = 2;
const LAST_VISITS: u32 = 8;
/// The same for changes of an entry or exit.
const PATIENT_CHANGES: u32 = 2;
const LAST_CHANGES: u32 = 5;
/// Calls that are followed at once; deeper ones wait for their turn.
const NESTING: u32 = 300;
const NARROWINGS: u32 = 2;
const DESCENTS: u32 = 2;
/// Visits between two questions to the budget, and the price of a visit in units of effort.
const VISITS_PER_BUDGET_CHECK: u64 = 256;
const VISIT: u64 = 10;
/// Counters of one function whose differences are tracked.
const COUNTERS: usize = 10;
/// Constants up to which all functions share their thresholds.
const COMMON: usize = 120;
/// Differences tracked at once.
const DIFFERENCES: usize = 80;

/// What is known of a variable: `lo <= value <= hi` and `value = rest` modulo `modulus` (1 if
/// nothing is known, 0 for a constant).
pub type Range = Num;

/// Facts about every execution from the entry.
pub struct Analysis {
    pub(crate) vars: Vec<(Ty, VarKind)>,
    /// By number of the location; `None` where no execution comes.
    states: Vec<Option<Env>>,
    /// For cut points of loops: the variables that occur in the loop or that it changes.
    pub(crate) relevant: FxHashMap<LocId, BTreeSet<VarId>>,
    gave_up: bool,
}

impl Analysis {
    /// Analyses the executions that start in `entry` with the globals' initial values. When the
    /// budget ends it early, nothing is known.
    pub fn run(p: &Program, entry: FuncId, budget: &Budget) -> Analysis {
        let points_to = PointsTo::new(p, budget);
        let mods = Mods::new(p, &points_to);
        Analysis::with(p, entry, budget, &points_to, &mods)
    }

    /// The same with what is known of pointers already.
    pub fn with(
        p: &Program,
        entry: FuncId,
        budget: &Budget,
        points_to: &PointsTo,
        mods: &Mods<'_>,
    ) -> Analysis {
        let vars = p.vars.values().map(|v| (v.ty, v.kind)).collect();
        let mut w = Work::new(p, budget, points_to, mods);
        if p.funcs[entry].body.is_some() {
            cairn_base::with_big_stack(|| w.all(entry));
        }
        let relevant = w.relevant();
        Analysis { vars, states: w.states, relevant, gave_up: w.gave_up }
    }

    /// May an execution come to the location?
    pub fn reachable(&self, l: LocId) -> bool {
        self.gave_up || self.states.get(l.index()).is_none_or(Option::is_some)
    }

    /// Did the budget end the analysis? Then nothing is known.
    pub fn gave_up(&self) -> bool {
        self.gave_up
    }

    /// The values a variable of the location's function, or a global one, may have there.
    /// `None` if it is no integer of at most 64 bits.
    pub fn at(&self, l: LocId, v: VarId) -> Option<Range> {
        let all = self.type_of(v)?;
        let known = self.state(l).and_then(|env| env.known_of(v));
        Some(known.unwrap_or(all))
    }

    /// The values that the type of a variable has; `None` as above.
    pub fn type_of(&self, v: VarId) -> Option<Range> {
        Num::of_type(self.vars.get(v.index())?.0)
    }

    /// Does the operation at the top of an expression stay in its type in every execution that
    /// evaluates it at the location? (If not, it may wrap, or nothing is known.)
    pub fn stays(&self, p: &Program, l: LocId, e: ExprId) -> bool {
        self.state(l).is_some_and(|env| Eval::new(p).stays(env, e))
    }

    pub(crate) fn state(&self, l: LocId) -> Option<&Env> {
        if self.gave_up { None } else { self.states.get(l.index())?.as_ref() }
    }
}

/// What the analysis knows of a function before it begins: its graph, cut points, thresholds for widening.
struct FunctionShape {
    graph: Graph,
    cuts: BTreeSet<LocId>,
    thresholds: Vec<i128>,
    /// The variables that the loop with this head changes.
    changed: FxHashMap<LocId, BTreeSet<VarId>>,
    /// Variables that count, whose differences are worth watching.
    counters: Vec<VarId>,
    /// All pairs of them, ordered.
    pairs: Vec<(VarId, VarId)>,
}

#[derive(Default)]
struct Summary {
    entry: Option<Env>,
    exit: Option<Env>,
    entry_changes: u32,
    exit_changes: u32,
    callers: BTreeSet<FuncId>,
    open: bool,
}

struct Work<'a> {
    p: &'a Program,
    budget: &'a Budget,
    points_to: &'a PointsTo,
    mods: &'a Mods<'a>,
    shapes: Vec<Option<std::sync::Arc<FunctionShape>>>,
    summaries: Vec<Summary>,
    states: Vec<Option<Env>>,
    queue: BTreeSet<FuncId>,
    /// The arguments (and globals) that each call gives to each callee.
    contexts: BTreeMap<(FuncId, EdgeId), Env>,
    callees: FxHashMap<EdgeId, std::sync::Arc<[FuncId]>>,
    /// Constants of all functions of the user, if they are few.
    common: BTreeSet<i128>,
    /// Calls bring new contexts to their callees.
    ascending: bool,
    nesting: u32,
    steps: u64,
    gave_up: bool,
}

impl<'a> Work<'a> {
    fn new(p: &'a Program, budget: &'a Budget, points_to: &'a PointsTo, mods: &'a Mods<'a>) -> Work<'a> {
        Work {
            p,
            budget,
            points_to,
            mods,
            shapes: p.funcs.keys().map(|_| None).collect(),
            summaries: p.funcs.keys().map(|_| Summary::default()).collect(),
            states: p.locs.keys().map(|_| None).collect(),
            queue: BTreeSet::new(),
            contexts: BTreeMap::new(),
            callees: FxHashMap::default(),
            common: BTreeSet::new(),
            ascending: true,
            nesting: 0,
            steps: 0,
            gave_up: false,
        }
    }

    fn all(&mut self, entry: FuncId) {
        for (f, func) in &self.p.funcs {
            if !func.is_model && self.common.len() <= COMMON {
                let (constants, _) = self.hints(f);
                self.common.extend(constants);
            }
        }
        let mut start = Env::default();
        for (v, var) in &self.p.vars {
            if let VarKind::Global { init } = var.kind {
                let n = Eval::new(self.p).value(&start, init);
                start.set(self.p, v, n);
            }
        }
        self.summaries[entry.index()].entry = Some(start.clone());
        self.queue.insert(entry);
        while let Some(f) = self.queue.pop_first() {
            if self.gave_up {
                return;
            }
            self.function(f);
        }
        self.ascending = false;
        let order: Vec<FuncId> = CallGraph::new(self.p).bottom_up().collect();
        for _ in 0..DESCENTS {
            for &f in order.iter().rev() {
                if self.gave_up {
                    return;
                }
                self.descend(f, (f == entry).then(|| start.clone()));
            }
        }
    }

    /// Analyses a function once more in the contexts that callers give it now.
    fn descend(&mut self, f: FuncId, start: Option<Env>) {
        let first = self.p.edges.keys().next();
        let Some(first) = first else { return };
        let mut entry = start;
        for (_, context) in self.contexts.range((f, first)..).take_while(|((g, _), _)| *g == f) {
            entry = Some(match entry {
                Some(e) => e.join(self.p, context),
                None => context.clone(),
            });
        }
        let known = self.summaries[f.index()].entry.is_some();
        if !known || self.p.funcs[f].body.is_none() {
            return;
        }
        self.summaries[f.index()].entry = entry;
        let exit = self.run(f);
        if !self.gave_up {
            self.summaries[f.index()].exit = exit;
        }
    }

    /// Analyses a function for its current entry; those that depend on its exit are queued.
    fn function(&mut self, f: FuncId) {
        self.queue.remove(&f);
        self.summaries[f.index()].open = true;
        self.nesting += 1;
        let exit = self.run(f);
        self.nesting -= 1;
        let p = self.p;
        let thresholds = self.shape(f).map(|s| s.thresholds.clone()).unwrap_or_default();
        let s = &mut self.summaries[f.index()];
        s.open = false;
        let Some(new) = exit else { return };
        let merged = match &s.exit {
            None => new,
            Some(old) if s.exit_changes < PATIENT_CHANGES => old.join(p, &new),
            Some(old) => {
                let far = s.exit_changes > LAST_CHANGES;
                let mut wide = old.widen(p, &new, &thresholds, far, None);
                let all = p.funcs[f].sig.ret.and_then(Num::of_type);
                wide.result = match (old.result, wide.result, all) {
                    (Some(a), Some(b), Some(all)) => Some(a.widen(b, &thresholds, all, far)),
                    _ => None,
                };
                wide
            }
        };
        if s.exit.as_ref().is_none_or(|old| !old.same(&merged)) {
            s.exit = Some(merged);
            s.exit_changes += 1;
            self.queue.extend(self.summaries[f.index()].callers.iter().copied());
        }
    }

    fn shape(&mut self, f: FuncId) -> Option<std::sync::Arc<FunctionShape>> {
        if let Some(s) = &self.shapes[f.index()] {
            return Some(s.clone());
        }
        let graph = Graph::new(self.p, f)?;
        let dom = Dominators::forward(&graph);
        let loops = Loops::new(self.p, &graph, &dom);
        let cuts = graph.heads().into_iter().collect();
        let changed = self.changed(&loops);
        let (mut thresholds, counters) = self.hints(f);
        if self.common.len() <= COMMON {
            thresholds.extend(&self.common);
        }
        let thresholds = thresholds.into_iter().collect();
        let pairs = counters
            .iter()
            .flat_map(|&x| counters.iter().map(move |&y| (x, y)))
            .filter(|(x, y)| x < y)
            .collect();
        let shape = std::sync::Arc::new(FunctionShape { graph, cuts, thresholds, changed, counters, pairs });
        self.shapes[f.index()] = Some(shape.clone());
        Some(shape)
    }

    /// The variables that each loop changes, with the loops inside it and what it calls.
    fn changed(&mut self, loops: &Loops) -> FxHashMap<LocId, BTreeSet<VarId>> {
        let p = self.p;
        let mut found: FxHashMap<LocId, BTreeSet<VarId>> = FxHashMap::default();
        // Inner loops come first.
        for l in loops.loops.values() {
            let mut vars = found.remove(&l.header).unwrap_or_default();
            for &at in &l.own {
                for &e in &p.locs[at].out {
                    vars.extend(p.edges[e].op.def());
                    for &callee in self.callees(e).iter() {
                        let changed = &self.mods.function(callee).vars;
                        vars.extend(changed.iter().filter(|&&v| p.vars[v].owner.is_none()));
                    }
                }
            }
            if let Some(around) = l.parent {
                found.entry(loops.loops[around].header).or_default().extend(&vars);
            }
            found.insert(l.header, vars);
        }
        found
    }

    /// Constants to widen to, and variables that count.
    fn hints(&self, f: FuncId) -> (BTreeSet<i128>, Vec<VarId>) {
        let p = self.p;
        let mut thresholds = BTreeSet::from([-1, 0, 1]);
        let mut counters = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        for &e in p.funcs[f].body.iter().flat_map(|b| &b.edges) {
            let mut work: Vec<ExprId> = Vec::new();
            p.edges[e].op.each_expr(|x| work.push(x));
            while let Some(x) = work.pop() {
                if !seen.insert(x) {
                    continue;
                }
                if let Expr::Int(i, bits) = p.exprs.get(x)
                    && i.bits <= 64
                {
                    let c = i.number(bits);
                    thresholds.extend([c - 1, c, c + 1]);
                }
                work.extend(p.exprs.children(x));
            }
            if let Op::Assign { dst, value } = p.edges[e].op
                && counters.len() < COUNTERS
                && !counters.contains(&dst)
                && Num::of_type(p.vars[dst].ty).is_some()
                && self.counts(dst, value)
            {
                counters.push(dst);
            }
        }
        (thresholds, counters)
    }

    /// Is the value the variable plus or minus something, under casts?
    fn counts(&self, dst: VarId, value: ExprId) -> bool {
        match self.p.exprs.get(value) {
            Expr::Cast(Ty::Int(_), a) => self.counts(dst, a),
            Expr::Binary(BinOp::Add | BinOp::Sub, a, b) => [a, b].into_iter().any(|x| self.is_var(dst, x)),
            _ => false,
        }
    }

    fn is_var(&self, v: VarId, e: ExprId) -> bool {
        match self.p.exprs.get(e) {
            Expr::Var(w) => v == w,
            Expr::Cast(Ty::Int(_), a) => self.is_var(v, a),
            _ => false,
        }
    }

    /// Iterates a function from its entry; its states are kept, and the state at its exit given.
    fn run(&mut self, f: FuncId) -> Option<Env> {
        let p = self.p;
        let shape = self.shape(f)?;
        let g = &shape.graph;
        let entry = self.summaries[f.index()].entry.clone();
        let order = g.reverse_post_order();
        let mut position = vec![u32::MAX; g.len()];
        for (i, &n) in order.iter().enumerate() {
            position[n as usize] = i as u32;
        }
        let mut states: Vec<Option<Env>> = vec![None; g.len()];
        let mut visits = vec![0u32; g.len()];
        let mut work: BTreeSet<u32> = BTreeSet::new();
        if let Some(env) = &entry {
            states[g.entry as usize] = Some(env.clone());
            work.insert(position[g.entry as usize]);
        }
        while let Some(at) = work.pop_first() {
            self.steps += 1;
            if self.steps.is_multiple_of(VISITS_PER_BUDGET_CHECK) {
                self.budget.effort.charge(VISITS_PER_BUDGET_CHECK * VISIT);
                self.gave_up |= self.budget.exceeded().is_some();
            }
            if self.gave_up {
                return None;
            }
            let n = order[at as usize];
            for &e in &p.locs[g.loc(n)].out {
                let Some(env) = states[n as usize].clone() else { break };
                let Some(out) = self.edge(f, &shape, e, env, self.ascending) else { continue };
                let dst = p.edges[e].dst;
                let m = g.node(dst) as usize;
                let new = match &states[m] {
                    None => out,
                    Some(old) => {
                        let joined = old.join_with(p, &out, &shape.pairs);
                        if joined.same(old) {
                            continue;
                        }
                        visits[m] += 1;
                        let widens = shape.cuts.contains(&dst) && visits[m] > PATIENT_VISITS;
                        if widens || visits[m] > 4 * LAST_VISITS {
                            // What the loop does not change is for the loops around it to widen.
                            let only = if widens && visits[m] <= 4 * LAST_VISITS {
                                shape.changed.get(&dst)
                            } else {
                                None
                            };
                            old.widen(p, &joined, &shape.thresholds, visits[m] > LAST_VISITS, only)
                        } else {
                            joined
                        }
                    }
                };
                states[m] = Some(new);
                work.insert(position[m]);
            }
        }
        for _ in 0..NARROWINGS {
            for &n in order {
                let mut now = (n == g.entry).then(|| entry.clone()).flatten();
                for &e in &p.locs[g.loc(n)].inn {
                    let from = states[g.node(p.edges[e].src) as usize].clone();
                    if let Some(out) = from.and_then(|env| self.edge(f, &shape, e, env, false)) {
                        now = Some(match now {
                            Some(env) => env.join_with(p, &out, &shape.pairs),
                            None => out,
                        });
                    }
                }
                states[n as usize] = now;
            }
        }
        self.record(f, g, &states);
        let exit = states[g.exit as usize].as_ref().map(|env| env.only_globals());
        for (n, env) in states.into_iter().enumerate() {
            self.states[g.loc(n as u32).index()] = env;
        }
        exit
    }

    /// Notes the contexts that a function's calls give their callees.
    fn record(&mut self, f: FuncId, g: &Graph, states: &[Option<Env>]) {
        let p = self.p;
        for &e in p.funcs[f].body.iter().flat_map(|b| &b.edges) {
            let Op::Call { args, .. } = &p.edges[e].op else { continue };
            for &callee in self.callees(e).iter() {
                match &states[g.node(p.edges[e].src) as usize] {
                    Some(env) => {
                        let context = self.context(env, callee, args);
                        self.contexts.insert((callee, e), context);
                    }
                    None => {
                        self.contexts.remove(&(callee, e));
                    }
                }
            }
        }
    }

    fn callees(&mut self, e: EdgeId) -> std::sync::Arc<[FuncId]> {
        let (p, points_to) = (self.p, self.points_to);
        self.callees.entry(e).or_insert_with(|| points_to.callees(p, e).into()).clone()
    }

    /// The state in which a callee starts.
    fn context(&self, env: &Env, callee: FuncId, args: &[ExprId]) -> Env {
        // Globals that the callee has nothing to do with must not bring it new contexts.
        let mut start = Env::default();
        let effects = self.mods.function(callee);
        for &v in effects.vars.iter().chain(&effects.read) {
            if self.p.vars[v].owner.is_none() {
                start.set(self.p, v, env.known_of(v));
            }
        }
        for (&v, &a) in self.p.funcs[callee].params.iter().zip(args) {
            let n = Eval::new(self.p).value(env, a);
            start.set(self.p, v, n);
        }
        start
    }

    /// The state behind an edge; `None` if no execution gets there.
    fn edge(
        &mut self,
        f: FuncId,
        shape: &FunctionShape,
        e: EdgeId,
        mut env: Env,
        bring: bool,
    ) -> Option<Env> {
        let p = self.p;
        match &p.edges[e].op {
            Op::Assume { cond, holds } => {
                return Eval::new(p).refine(&mut env, *cond, *holds).then_some(env);
            }
            Op::Assign { dst, value } => assign(p, shape, &mut env, *dst, *value),
            Op::LoadBits { dst, width, .. } => {
                let field = match p.vars[*dst].ty {
                    Ty::Int(i) if *width < i.bits.min(64) => {
                        Some(Num::of_int(IntTy { bits: *width, signed: i.signed }))
                    }
                    _ => None,
                };
                set(p, &mut env, *dst, field);
            }
            Op::Load { dst, .. } | Op::Input { dst, .. } | Op::Alloc { dst, .. } => {
                set(p, &mut env, *dst, None);
            }
            Op::Call { dst, callee, args } => return self.call(f, e, env, *dst, callee, args, bring),
            Op::Return { value } => env.result = value.and_then(|v| Eval::new(p).value(&env, v)),
            Op::Trap(_) => return None,
            Op::Nop
            | Op::Store { .. }
            | Op::StoreBits { .. }
            | Op::Copy { .. }
            | Op::Fill { .. }
            | Op::Begin { .. }
            | Op::End { .. }
            | Op::Free { .. } => {}
        }
        Some(env)
    }

    #[allow(clippy::too_many_arguments)]
    fn call(
        &mut self,
        f: FuncId,
        e: EdgeId,
        env: Env,
        dst: Option<VarId>,
        callee: &Callee,
        args: &[ExprId],
        bring: bool,
    ) -> Option<Env> {
        let p = self.p;
        if let Callee::Builtin(b) = callee {
            return self.builtin(env, dst, *b);
        }
        let callees = self.callees(e);
        let mut behind: Option<Env> = None;
        // A pointer of which nothing is known that could be called: any effect.
        if callees.is_empty() {
            let mut after = env.clone();
            for (v, var) in &p.vars {
                if var.owner.is_none() {
                    set(p, &mut after, v, None);
                }
            }
            behind = Some(after);
        }
        for &g in callees.iter() {
            let after = if p.funcs[g].body.is_none() {
                env.clone()
            } else {
                if bring {
                    self.bring(f, g, &env, args);
                }
                let Some(exit) = self.summaries[g.index()].exit.clone() else { continue };
                let mut after = env.clone();
                // What the callee does not change is as it was, whatever other callers had.
                let changed = &self.mods.function(g).vars;
                for &v in changed.iter().filter(|&&v| p.vars[v].owner.is_none()) {
                    after.set(p, v, exit.known_of(v));
                }
                after.forget_globals(p, changed);
                after.result = exit.result;
                after
            };
            let after = finish(p, after, p.funcs[g].body.is_some(), dst);
            behind = Some(match behind {
                Some(b) => b.join(p, &after),
                None => after,
            });
        }
        if callees.is_empty() {
            behind = behind.map(|b| finish(p, b, false, dst));
        }
        // What the caller returned is not its callee's business.
        behind.map(|mut b| {
            b.result = env.result;
            b
        })
    }

    fn builtin(&mut self, mut env: Env, dst: Option<VarId>, b: Builtin) -> Option<Env> {
        if !b.returns() {
            return None;
        }
        if let Some(dst) = dst {
            let n = match b {
                Builtin::ReadByte => Num::between(-1, 255),
                _ => None,
            };
            set(self.p, &mut env, dst, n);
        }
        Some(env)
    }

    /// A call enters `g`: the context is added to its entry, and it is analysed if that is new.
    fn bring(&mut self, f: FuncId, g: FuncId, env: &Env, args: &[ExprId]) {
        let p = self.p;
        let context = self.context(env, g, args);
        self.summaries[g.index()].callers.insert(f);
        let thresholds = self.shape(g).map(|s| s.thresholds.clone()).unwrap_or_default();
        let s = &mut self.summaries[g.index()];
        let merged = match &s.entry {
            None => context,
            Some(old) => {
                let joined = old.join(p, &context);
                if joined.same(old) {
                    return;
                }
                if s.entry_changes < PATIENT_CHANGES {
                    joined
                } else {
                    old.widen(p, &joined, &thresholds, s.entry_changes > LAST_CHANGES, None)
                }
            }
        };
        s.entry = Some(merged);
        s.entry_changes += 1;
        if s.open || self.nesting > NESTING {
            self.queue.insert(g);
        } else {
            self.function(g);
        }
    }

    /// The variables of interest at the cut points of loops.
    fn relevant(&mut self) -> FxHashMap<LocId, BTreeSet<VarId>> {
        let p = self.p;
        let mut found: FxHashMap<LocId, BTreeSet<VarId>> = FxHashMap::default();
        for f in p.funcs.keys() {
            let Some(shape) = self.shapes[f.index()].clone() else { continue };
            let g = &shape.graph;
            let dom = Dominators::forward(g);
            let loops = Loops::new(p, g, &dom);
            for (id, l) in &loops.loops {
                // Inner loops come first: their variables are the outer one's too.
                let mut vars = found.remove(&l.header).unwrap_or_default();
                for &at in &l.own {
                    for &e in &p.locs[at].out {
                        p.edges[e].op.each_expr(|x| {
                            p.exprs.each_var(x, &mut |v| {
                                vars.insert(v);
                            })
                        });
                        vars.extend(p.edges[e].op.def());
                        for &callee in self.callees(e).iter() {
                            let changed = &self.mods.function(callee).vars;
                            vars.extend(changed.iter().filter(|&&v| p.vars[v].owner.is_none()));
                        }
                    }
                }
                let inner = loops.loops.iter().filter(|(_, k)| k.parent == Some(id));
                for (_, k) in inner {
                    vars.extend(found.get(&k.header).into_iter().flatten());
                }
                found.insert(l.header, vars);
            }
        }
        found
    }
}

/// Assigns what is known of the variable, and forgets its relations.
fn set(p: &Program, env: &mut Env, v: VarId, n: Option<Num>) {
    env.forget_differences(v);
    env.set(p, v, n);
}

/// The result of a call goes to its destination.
fn finish(p: &Program, mut env: Env, has_body: bool, dst: Option<VarId>) -> Env {
    let result = env.result.take().filter(|_| has_body);
    if let Some(dst) = dst {
        set(p, &mut env, dst, result);
    }
    env
}

/// `dst := value`, with what it means for differences.
fn assign(p: &Program, shape: &FunctionShape, env: &mut Env, dst: VarId, value: ExprId) {
    let mut eval = Eval::new(p);
    let n = eval.value(env, value);
    let linear = eval.linear(env, value);
    let mut moved = Vec::new();
    if let Some((from, by)) = linear {
        let mut others: BTreeSet<VarId> = BTreeSet::new();
        for ((x, y), _) in env.differences() {
            if x == from {
                others.insert(y);
            } else if y == from {
                others.insert(x);
            }
        }
        if shape.counters.contains(&dst) {
            others.extend(&shape.counters);
        }
        if from != dst {
            others.insert(from);
        }
        others.remove(&dst);
        if env.differences().count() < DIFFERENCES {
            for z in others {
                if let Some((lo, hi)) = env.difference(p, from, z) {
                    moved.push((z, (lo + by, hi + by)));
                }
            }
        }
    }
    set(p, env, dst, n);
    for (z, bounds) in moved {
        env.set_difference(p, dst, z, bounds);
    }
}
