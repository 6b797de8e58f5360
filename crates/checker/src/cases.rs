//! Proofs by cases. The executions of the entry function are followed one by one,
//! from its beginning and from each case that is arrived in, up to the next cut
//! point where they are in a case again (see [`cairn_core::Cuts`]). So are calls
//! that lead to a cut point; others are followed as in other proofs, all
//! executions together.
//!
//! Values that a case makes constant are put in place of the variables, so that
//! conditions and indices fold; what comparisons with constants say of a term is
//! kept as a range. Most questions are answered by that. The others go to the
//! solver, each with the few conditions of its part.
//!
//! # Why so
//!
//! *A proof by cases is checked piece by piece* (`checker::cases`). From each case, any state in which its
//! facts hold, the checker follows the executions of the entry function one by one until they are in a case
//! again, so that no question is larger than a piece and constants fold: the shortest paths of the TracerX
//! paper's Figure 1 need no solver at all. A cut point may be any location. What the function or its callees
//! change is arbitrary in a case unless a fact says it, memory included; executions may pass a cut point, so
//! a case can be missing without harm, but a case that says too little leads to an error, and one that says
//! too much is not arrived in. Calls that lead to a cut point are followed one by one as well, with callers
//! whose variables a case may speak of; others as in other proofs, all executions together. Facts about few
//! pieces of memory are looked at first, because most cases of a cut point fail by the value of one variable.

use std::collections::BTreeMap;
use std::rc::Rc;

use cairn_base::Place;
use cairn_core::Case;
use cairn_ir::{BinOp, Callee, EdgeId, Expr, ExprId, FuncId, LocId, ObjId, Op as IrOp, VarId};
use cairn_smt::Solver;
use cairn_smt::chain::{Chain, Found};
use cairn_smt::ranges::{Arc, mask, read};
use cairn_term::{Op, Pool, TermId};
use imbl::{OrdMap, OrdSet};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::address::start;
use crate::exec::Caller;
use crate::state::State;
use crate::walk::{Flow, Halt, Named, TERMS, Walk};
use crate::{Rejection, discharge};

/// Cases that are tried one after the other, and together.
const ALONE: usize = 8;
const TOGETHER: usize = 64;

const NOWHERE: Place = Place::NONE;

/// Terms a solver was asked about before it is replaced by a new one.
const FULL: usize = 20_000;

/// The calls that are open, by number: a proof mentions few of them. None are 0.
type Stack = u32;

/// Executions that have taken the same way.
#[derive(Clone)]
struct Run {
    at: LocId,
    stack: Stack,
    /// Those who wait for the calls to return, the entry function first.
    callers: Vec<Caller>,
    state: State,
    /// Conditions of the path that have been looked at.
    seen: usize,
    /// The ranges in which they say terms lie.
    ranges: OrdMap<TermId, Arc>,
    /// Variables of sort Bool that they make constant.
    decided: OrdMap<TermId, bool>,
    /// Variables of conditions that are no ranges of variables.
    tangled: OrdSet<TermId>,
    /// Perhaps there are no such executions.
    doubtful: bool,
    /// So many conditions of the path are known to be satisfiable together.
    feasible: usize,
}

impl Run {
    fn new(at: LocId, Setting { stack, callers, state }: Setting) -> Run {
        Run {
            at,
            stack,
            callers,
            state,
            seen: 0,
            ranges: OrdMap::new(),
            decided: OrdMap::new(),
            tangled: OrdSet::new(),
            doubtful: false,
            feasible: 0,
        }
    }
}

/// Any state in which a function may be, with its callers.
#[derive(Clone)]
struct Setting {
    stack: Stack,
    callers: Vec<Caller>,
    state: State,
}

/// A call that leads to cut points.
struct Call {
    /// The calls around it.
    up: Stack,
    edge: EdgeId,
    func: FuncId,
}

/// The cases of a cut point.
struct Cut {
    cases: Vec<Case>,
    /// An expression that most cases make constant, and those that do, by the constant.
    key: Option<ExprId>,
    by_key: FxHashMap<u128, Vec<usize>>,
    others: Vec<usize>,
    /// Some execution is in the case.
    reached: Vec<bool>,
}

pub struct Cases<'w, 'a> {
    pub walk: &'w mut Walk<'a>,
    /// For conditions, and for questions on the way.
    solver: Box<dyn Solver>,
    chain: Chain<'static>,
    /// Terms the solver has been asked about.
    load: usize,
    entry: FuncId,
    cuts: FxHashMap<(Stack, LocId), Cut>,
    /// The calls that lead to cut points, the nth of them as the stack n + 1.
    calls: Vec<Call>,
    inner: FxHashMap<(Stack, EdgeId), Stack>,
    /// Any state at a stack.
    any: FxHashMap<Stack, Setting>,
    /// What an expression mentions: pieces of memory, and variables with their functions.
    mentions: FxHashMap<ExprId, Rc<Mentions>>,
    /// Cases that are to be followed.
    work: Vec<((Stack, LocId), usize)>,
    /// Conditions that were shown.
    pub shown: usize,
}

#[derive(Default)]
struct Mentions {
    pieces: Vec<usize>,
    vars: Vec<(FuncId, VarId)>,
}

/// Why a proof by cases is not accepted.
pub enum Failure {
    Halt(Halt),
    Rejected(Rejection),
}

impl From<Halt> for Failure {
    fn from(h: Halt) -> Failure {
        Failure::Halt(h)
    }
}

impl<'w, 'a> Cases<'w, 'a> {
    /// `first` is the first variable that is the name of a piece.
    pub fn new(
        walk: &'w mut Walk<'a>,
        entry: FuncId,
        solver: Box<dyn Solver>,
        first: VarId,
    ) -> Cases<'w, 'a> {
        let proof = walk.proof;
        let (mut calls, mut inner) = (Vec::new(), FxHashMap::default());
        let mut cuts = FxHashMap::default();
        for (point, cases) in &proof.cuts.cases {
            let mut stack: Stack = 0;
            for &edge in &point.calls {
                let IrOp::Call { callee: Callee::Func(func), .. } = walk.program.edges[edge].op else {
                    break;
                };
                stack = *inner.entry((stack, edge)).or_insert_with(|| {
                    calls.push(Call { up: stack, edge, func });
                    calls.len() as Stack
                });
            }
            cuts.insert((stack, point.at), index(walk, cases, first));
        }
        walk.named = Named { first, values: vec![None; proof.cuts.pieces.len()] };
        Cases {
            chain: Chain::new(&cairn_smt::standard, walk.budget.clone()),
            walk,
            solver,
            load: 0,
            entry,
            cuts,
            calls,
            inner,
            any: FxHashMap::default(),
            mentions: FxHashMap::default(),
            work: Vec::new(),
            shown: 0,
        }
    }

    /// Follows the entry function, from its beginning and from every case that is arrived in.
    pub fn run(&mut self, state: State) -> Result<(), Failure> {
        let program = self.walk.program;
        let Some(body) = &program.funcs[self.entry].body else { return Ok(()) };
        let first = Setting { stack: 0, callers: Vec::new(), state };
        let mut any = first.clone();
        self.walk.forget_all(self.entry, &mut any.state)?;
        self.any.insert(0, any);
        self.follow(Run::new(body.entry, first))?;
        while let Some(((stack, at), n)) = self.work.pop() {
            let mut run = Run::new(at, self.anywhere(stack)?);
            if self.suppose(&mut run, n)? {
                self.follow(run)?;
            }
        }
        self.open_only(0);
        Ok(())
    }

    /// Any state in which an execution may be while these calls are open.
    fn anywhere(&mut self, stack: Stack) -> Flow<Setting> {
        if let Some(known) = self.any.get(&stack) {
            return Ok(known.clone());
        }
        let (up, func) = (self.calls[stack as usize - 1].up, self.calls[stack as usize - 1].func);
        let Setting { mut callers, mut state, .. } = self.anywhere(up)?;
        let program = self.walk.program;
        let params = &program.funcs[func].params;
        let values: Vec<TermId> =
            params.iter().map(|&v| self.walk.unknown(program.vars[v].ty, "argument")).collect();
        callers.push(self.walk.open_call(func, &values, &mut state));
        self.walk.forget_all(func, &mut state)?;
        let place = Setting { stack, callers, state };
        self.any.insert(stack, place.clone());
        Ok(place)
    }

    fn function(&self, stack: Stack) -> FuncId {
        match stack {
            0 => self.entry,
            n => self.calls[n as usize - 1].func,
        }
    }

    /// From now on these calls are open, and no others.
    fn open_only(&mut self, stack: Stack) {
        self.walk.depth.clear();
        self.walk.depth.insert(self.entry, 1);
        self.walk.open = 1;
        let mut at = stack;
        while let Some(call) = (at as usize).checked_sub(1).map(|n| &self.calls[n]) {
            self.walk.depth.insert(call.func, 1);
            self.walk.open += 1;
            at = call.up;
        }
    }

    /// Follows executions until each has ended or is in a case.
    fn follow(&mut self, first: Run) -> Result<(), Failure> {
        let program = self.walk.program;
        let mut open = vec![first];
        let mut started = false;
        while let Some(mut run) = open.pop() {
            if let Some(limit) = self.walk.budget.exceeded() {
                return Err(Halt::Stop(format!("limit reached: {limit:?}")).into());
            }
            if self.walk.pool.len() > TERMS {
                return Err(Halt::Stop("the conditions are too large".into()).into());
            }
            let f = self.function(run.stack);
            if program.funcs[f].body.as_ref().is_some_and(|b| b.exit == run.at) {
                if self.leave(&mut run) {
                    open.push(run);
                }
                continue;
            }
            let Some(both) = self.walk.shape(f) else { continue };
            let (shape, evaluates) = (&both.0, &both.1);
            if std::mem::replace(&mut started, true) {
                let cut = self.cuts.contains_key(&(run.stack, run.at));
                if cut && self.is_covered(&mut run)? {
                    continue;
                }
                let asks = cut || shape.loops.contains_key(&run.at);
                if asks && run.doubtful && !self.is_feasible(&mut run)? {
                    continue;
                }
            }
            self.open_only(run.stack);
            self.walk.strict = evaluates.contains(&run.at);
            let out = &program.locs[run.at].out;
            let mut run = Some(run);
            for (n, &e) in out.iter().enumerate() {
                let here = if n + 1 == out.len() { run.take() } else { run.clone() };
                let Some(mut next) = here else { continue };
                match self.step(e, &mut next) {
                    Ok(()) => {
                        if self.learn(&mut next) {
                            open.push(next);
                        }
                    }
                    Err(Halt::Dead) => {}
                    Err(stop) => return Err(stop.into()),
                }
            }
            self.walk.strict = false;
        }
        let conditions = std::mem::take(&mut self.walk.conditions);
        self.shown += conditions.len();
        if conditions.is_empty() {
            return Ok(());
        }
        self.make_room(&conditions.iter().map(|c| c.when).collect::<Vec<_>>());
        discharge(&mut self.walk.pool, &conditions, &self.walk.space, &mut *self.solver, self.walk.budget)
            .map(|_| ())
            .map_err(Failure::Rejected)
    }

    /// Takes an edge; into a call, if that leads to cut points.
    fn step(&mut self, e: EdgeId, run: &mut Run) -> Flow<()> {
        let program = self.walk.program;
        let edge = &program.edges[e];
        if let Some(&stack) = self.inner.get(&(run.stack, e))
            && let IrOp::Call { args, .. } = &edge.op
        {
            let func = self.function(stack);
            let mut values = Vec::with_capacity(args.len());
            self.walk.at = Some(edge.src);
            for &a in args {
                values.push(self.walk.value(a, &mut run.state, edge.place)?);
            }
            run.callers.push(self.walk.open_call(func, &values, &mut run.state));
            run.stack = stack;
            run.at = program.funcs[func].body.as_ref().ok_or(Halt::Dead)?.entry;
            return Ok(());
        }
        run.state = self.walk.edge(e, std::mem::take(&mut run.state))?;
        run.at = edge.dst;
        Ok(())
    }

    /// Returns from a function. `false` if it is the entry function.
    fn leave(&mut self, run: &mut Run) -> bool {
        let Some(caller) = run.callers.pop() else { return false };
        let Call { up, edge, .. } = self.calls[run.stack as usize - 1];
        let edge = &self.walk.program.edges[edge];
        let IrOp::Call { dst, .. } = edge.op else { return false };
        self.walk.close_call(caller, dst, &mut run.state);
        (run.stack, run.at) = (up, edge.dst);
        true
    }

    fn vars(&mut self, t: TermId) -> Rc<[TermId]> {
        self.chain.vars(&self.walk.pool, t)
    }

    /// Looks at the new conditions of the path. `false` if they cannot be satisfied.
    fn learn(&mut self, run: &mut Run) -> bool {
        while let Some(&literal) = run.state.path.literals().get(run.seen) {
            run.seen += 1;
            let pool = &self.walk.pool;
            let (t, holds) = match pool.op(literal) {
                Op::Not => (pool.arg(literal, 0), false),
                _ => (literal, true),
            };
            if pool.is_var(t) {
                match run.decided.insert(t, holds) {
                    Some(before) if before != holds => return false,
                    _ => run.doubtful |= run.tangled.contains(&t),
                }
                continue;
            }
            if let Some((term, arc)) = read(pool, literal) {
                let m = mask(pool.width(term));
                let known = run.ranges.get(&term).copied().unwrap_or(Arc::full(m));
                match known.meet(arc, m) {
                    None => {}
                    Some(None) => return false,
                    Some(Some(met)) => {
                        run.ranges.insert(term, met);
                        if !pool.is_var(term) {
                            self.tangle(run, term);
                            continue;
                        }
                        run.doubtful |= run.tangled.contains(&term);
                        if let Some(value) = met.single() {
                            self.replace(run, term, value);
                        }
                        continue;
                    }
                }
            }
            self.tangle(run, literal);
        }
        true
    }

    fn tangle(&mut self, run: &mut Run, t: TermId) {
        run.doubtful = true;
        run.tangled.extend(self.vars(t).iter().copied());
    }

    /// A variable is known to be constant: so it is in the values of the program's variables.
    fn replace(&mut self, run: &mut Run, v: TermId, value: u128) {
        let width = self.walk.pool.width(v);
        let value = self.walk.pool.bits(width, value);
        let map = FxHashMap::from_iter([(v, value)]);
        let State { globals, locals, .. } = &mut run.state;
        for vars in [globals, locals].into_iter().chain(run.callers.iter_mut().map(|c| &mut c.locals)) {
            let all: Vec<(VarId, TermId)> = vars.iter().map(|(x, t)| (*x, *t)).collect();
            for (x, t) in all {
                if self.vars(t).contains(&v) {
                    vars.insert(x, self.walk.pool.substitute(t, &map));
                }
            }
        }
    }

    // Cases.

    /// What a fact mentions.
    fn mentioned(&mut self, fact: ExprId) -> Rc<Mentions> {
        if let Some(known) = self.mentions.get(&fact) {
            return known.clone();
        }
        let found = Rc::new(mentions(self.walk, fact, self.walk.named.first));
        self.mentions.insert(fact, found.clone());
        found
    }

    /// The value of a fact. Pieces of memory are read that were not yet read in this state; its path shows
    /// it if that does not always go well.
    fn fact(&mut self, fact: ExprId, run: &mut Run) -> Flow<TermId> {
        let mentioned = self.mentioned(fact);
        for &n in &mentioned.pieces {
            let walk = &mut *self.walk;
            if walk.named.values[n].is_some() {
                continue;
            }
            let piece = walk.proof.cuts.pieces[n];
            let base = base(walk, run, piece.object).ok_or(Halt::Dead)?;
            let offset = walk.pool.bits(64, piece.offset.into());
            let at = walk.pool.bv_add(base, offset);
            let value = walk.load(at, piece.ty, &mut run.state, NOWHERE)?;
            walk.named.values[n] = Some(value);
        }
        // No function is open twice, so that variables of callers can be added to those of the callee.
        for &(f, v) in &mentioned.vars {
            let Some(n) = self.waiting(run.stack, f) else { continue };
            let locals = &mut run.callers[n].locals;
            let value = match locals.get(&v) {
                Some(&value) => value,
                // Never assigned: any value, which it keeps.
                None => {
                    let value = self.walk.unknown(self.walk.program.vars[v].ty, "unset");
                    locals.insert(v, value);
                    value
                }
            };
            run.state.locals.insert(v, value);
        }
        // Variables of several functions.
        self.walk.at = None;
        self.walk.value(fact, &mut run.state, NOWHERE)
    }

    /// Which of the callers is this function?
    fn waiting(&self, stack: Stack, f: FuncId) -> Option<usize> {
        let mut depth = 0;
        let mut found = None;
        let mut at = stack;
        while at > 0 {
            at = self.calls[at as usize - 1].up;
            depth += 1;
            if self.function(at) == f {
                found = Some(depth);
            }
        }
        Some(depth - found?)
    }

    /// What was read belongs to one state.
    fn another_state(&mut self) {
        self.walk.named.values.fill(None);
    }

    /// Any state is made one in a case. `false` if there is none.
    fn suppose(&mut self, run: &mut Run, n: usize) -> Flow<bool> {
        let cut = self.cuts.get(&(run.stack, run.at));
        let Some(facts) = cut.map(|c| c.cases[n].facts.clone()) else { return Ok(false) };
        self.another_state();
        for &fact in facts.iter() {
            // An execution that arrived in the case had all of its objects.
            for &n in &self.mentioned(fact).pieces {
                let object = self.walk.proof.cuts.pieces[n].object;
                if base(self.walk, run, object).is_none() {
                    return Err(Halt::Stop("a case speaks of memory that is not there".into()));
                }
            }
            let supposed = self.fact(fact, run);
            match supposed.and_then(|value| self.walk.assume(&mut run.state, value)) {
                Ok(()) => {}
                Err(Halt::Dead) => return Ok(false),
                Err(stop) => return Err(stop),
            }
        }
        let possible = self.learn(run);
        (run.doubtful, run.feasible) = (false, run.state.path.literals().len());
        Ok(possible)
    }

    /// Are executions at a cut point in one of its cases?
    fn is_covered(&mut self, run: &mut Run) -> Flow<bool> {
        let at = (run.stack, run.at);
        let Some(cut) = self.cuts.get(&at) else { return Ok(false) };
        let mut candidates = cut.others.clone();
        match cut.key {
            None => {}
            Some(key) => {
                let value = self.fact(key, &mut run.clone())?;
                let cut = &self.cuts[&at];
                match self.walk.pool.as_bits(value) {
                    Some(bits) => candidates.extend(cut.by_key.get(&bits).into_iter().flatten()),
                    None => candidates = (0..cut.cases.len()).collect(),
                }
            }
        }
        let mut open: Vec<(usize, TermId)> = Vec::new();
        for n in candidates {
            let missing = match self.missing(run, n)? {
                Some(missing) => missing,
                None => continue,
            };
            if missing == Pool::FALSE {
                self.reach(at, n);
                return Ok(true);
            }
            open.push((n, missing));
        }
        if open.is_empty() || open.len() > TOGETHER {
            return Ok(false);
        }
        if open.len() <= ALONE {
            for &(n, missing) in &open {
                if self.refuted(run, &[missing])? {
                    self.reach(at, n);
                    return Ok(true);
                }
            }
        }
        let all: Vec<TermId> = open.iter().map(|(_, missing)| *missing).collect();
        if open.len() > 1 && self.refuted(run, &all)? {
            for (n, _) in open {
                self.reach(at, n);
            }
            return Ok(true);
        }
        Ok(false)
    }

    fn reach(&mut self, at: (Stack, LocId), n: usize) {
        if let Some(cut) = self.cuts.get_mut(&at)
            && !std::mem::replace(&mut cut.reached[n], true)
        {
            self.work.push((at, n));
        }
    }

    /// The condition that a state is not in a case; `None` if it surely is not.
    fn missing(&mut self, run: &Run, n: usize) -> Flow<Option<TermId>> {
        let facts = self.cuts[&(run.stack, run.at)].cases[n].facts.clone();
        let mut scratch = run.clone();
        let mut open = Vec::new();
        self.another_state();
        for &fact in facts.iter() {
            let goal = match self.fact(fact, &mut scratch) {
                Ok(goal) => goal,
                Err(Halt::Dead) => return Ok(None),
                Err(stop) => return Err(stop),
            };
            if !self.aim(run, goal, &mut open) {
                return Ok(None);
            }
        }
        // What must be so that its pieces can be read.
        let read = &scratch.state.path.literals()[run.state.path.literals().len()..];
        if !read.iter().all(|&goal| self.aim(run, goal, &mut open)) {
            return Ok(None);
        }
        let all = self.walk.pool.and(&open);
        Ok(Some(self.walk.pool.not(all)))
    }

    /// A condition that ought to hold is open unless ranges show that it does. `false` if it surely does not.
    fn aim(&self, run: &Run, goal: TermId, open: &mut Vec<TermId>) -> bool {
        let pool = &self.walk.pool;
        if let Some(known) = pool.as_bool(goal) {
            return known;
        }
        if let Some((term, arc)) = read(pool, goal)
            && let Some(range) = run.ranges.get(&term)
        {
            if arc.covers(*range, mask(pool.width(term))) {
                return true;
            }
            if pool.is_var(term) && !run.tangled.contains(&term) {
                return false;
            }
        }
        open.push(goal);
        true
    }

    // Questions.

    /// Does the path condition contradict all of these together? Only what is connected with them is asked:
    /// if that contradicts itself, the whole does.
    fn refuted(&mut self, run: &Run, conditions: &[TermId]) -> Flow<bool> {
        let pool = &self.walk.pool;
        let mut query = conditions.to_vec();
        let mut open: Vec<TermId> = run.state.path.literals().to_vec();
        let mut known: FxHashSet<TermId> = FxHashSet::default();
        let mut asked = 0;
        while let Some(&t) = query.get(asked) {
            asked += 1;
            let new: Vec<TermId> =
                self.chain.vars(pool, t).iter().copied().filter(|v| known.insert(*v)).collect();
            if new.is_empty() {
                continue;
            }
            open.retain(|&literal| {
                let apart = !self.chain.vars(pool, literal).iter().any(|v| known.contains(v));
                if !apart {
                    query.push(literal);
                }
                apart
            });
        }
        match self.chain.check(pool, &query) {
            Found::Unsat => Ok(true),
            Found::Sat(_) => Ok(false),
            Found::Unknown(why) => Err(Halt::Stop(why.to_string())),
        }
    }

    /// Conditions that were there when it was last asked can hold together.
    fn is_feasible(&mut self, run: &mut Run) -> Flow<bool> {
        run.doubtful = false;
        let new = run.state.path.literals()[run.feasible..].to_vec();
        run.feasible += new.len();
        Ok(!self.refuted(run, &new)?)
    }

    /// A solver decides all it has seen each time: now and then a new one starts.
    fn make_room(&mut self, query: &[TermId]) {
        let size = self.walk.pool.reachable(query).len();
        self.load += size;
        if self.load > FULL.max(4 * size) {
            self.solver = cairn_smt::standard();
            self.load = size;
        }
    }
}

/// The cases of a cut point, by the value of the expression that most of them make constant.
fn index(walk: &Walk<'_>, cases: &[Case], first: VarId) -> Cut {
    let mut cases = cases.to_vec();
    for case in &mut cases {
        // Facts that are told quickly come first.
        case.facts.sort_by_cached_key(|&fact| mentions(walk, fact, first).pieces.len());
    }
    let exprs = &walk.program.exprs;
    let pinned = |fact: ExprId| match exprs.get(fact) {
        Expr::Binary(BinOp::Eq, a, b) => match (exprs.const_bits(a), exprs.const_bits(b)) {
            (None, Some(c)) => Some((a, c)),
            (Some(c), None) => Some((b, c)),
            _ => None,
        },
        _ => None,
    };
    // Names of pieces have no values of their own.
    let plain = |e: ExprId| {
        let mut plain = true;
        exprs.each_var(e, &mut |v| plain &= v < first);
        plain
    };
    let mut counts: BTreeMap<ExprId, usize> = BTreeMap::new();
    for case in &cases {
        for (e, _) in case.facts.iter().filter_map(|&f| pinned(f)).filter(|(e, _)| plain(*e)) {
            *counts.entry(e).or_default() += 1;
        }
    }
    let key = counts.into_iter().max_by_key(|&(e, n)| (n, std::cmp::Reverse(e))).map(|(e, _)| e);
    let mut by_key: FxHashMap<u128, Vec<usize>> = FxHashMap::default();
    let mut others = Vec::new();
    for (n, case) in cases.iter().enumerate() {
        let value = case.facts.iter().filter_map(|&f| pinned(f)).find(|(e, _)| Some(*e) == key);
        match value {
            Some((_, c)) => by_key.entry(c).or_default().push(n),
            None => others.push(n),
        }
    }
    let reached = vec![false; cases.len()];
    Cut { cases, key, by_key, others, reached }
}

/// The address of an object: a static one, or one of a function that is open, if it has begun.
fn base(walk: &mut Walk<'_>, run: &Run, object: ObjId) -> Option<TermId> {
    let frames = run.callers.iter().map(|c| &c.frame).chain([&run.state.frame]);
    let own = frames.filter_map(|frame| frame.get(&object)).next().copied();
    own.or_else(|| walk.statics.get(&object).copied().map(|i| start(&mut walk.pool, i)))
}

/// What a fact mentions.
fn mentions(walk: &Walk<'_>, fact: ExprId, first: VarId) -> Mentions {
    let mut found = Mentions::default();
    walk.program.exprs.each_var(fact, &mut |v| {
        if v >= first {
            found.pieces.push((v.as_u32() - first.as_u32()) as usize);
        } else if let Some(f) = walk.program.vars[v].owner {
            found.vars.push((f, v));
        }
    });
    found
}
