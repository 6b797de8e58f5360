//! Following the program as the proof says. All executions that arrive at a
//! location in one turn of the loops around it are merged there; calls are
//! executed in place; loops are unwound to their bound, or cut: shown to keep
//! their facts and then entered in any state in which the facts hold.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use cairn_base::{Budget, Place};
use cairn_core::{LoopProof, Proof};
use cairn_ir::callgraph::CallGraph;
use cairn_ir::graph::{Blocks, Graph};
use cairn_ir::{EdgeId, Expr, ExprId, FuncId, LabelId, LocId, ObjId, Program, Ty, VarId};
use cairn_term::{Pool, SortId, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::address::{Denotes, Instance, Space, start};
use crate::bytes::{Bytes, SINGLE, SINGLE_BY_CASES};
use crate::havoc::{Effects, Source, effects};
use crate::looks::Looks;
use crate::path::Path;
use crate::related::Related;
use crate::shape::LoopStructure;
use crate::state::{Elsewhere, Info, Object, State, merge, unknown};

/// Terms a check may build.
pub const TERMS: usize = 30_000_000;

/// Calls that may be open at once.
pub const CALLS: u32 = 3000;

/// What the facts of loops are called.
const LOOP: &str = "fact of the loop, number";

/// Something that must not happen.
#[derive(Clone, Debug)]
pub struct Condition {
    pub when: TermId,
    pub what: String,
    pub place: Place,
    /// It is not an error, but beyond what is read here.
    pub gap: bool,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Mode {
    /// Errors, bounds and facts are to be shown.
    Assert,
    /// They were shown elsewhere: executions that break them are left out.
    Assume,
}

/// Why an operation has no state behind it.
#[derive(Debug)]
pub enum Halt {
    /// No execution gets there.
    Dead,
    /// A limit.
    Stop(String),
}

pub type Flow<T> = Result<T, Halt>;

pub struct Walk<'a> {
    pub program: &'a Program,
    pub proof: &'a Proof,
    pub budget: &'a Budget,
    pub calls: CallGraph,
    pub pool: Pool,
    pub space: Space,
    pub bytes: Bytes,
    /// By instance; the first is no object.
    pub infos: Vec<Info>,
    pub statics: FxHashMap<ObjId, Instance>,
    pub funcs: FxHashMap<FuncId, Instance>,
    pub labels: FxHashMap<LabelId, Instance>,
    pub conditions: Vec<Condition>,
    /// That objects of unknown size are larger than their territories. These count only if an
    /// address was resolved by territories.
    pub oversize: Vec<Condition>,
    pub mode: Mode,
    /// A fact is being evaluated that must hold: that must be defined.
    pub strict: bool,
    /// Inputs taken so far, by edge.
    pub inputs: FxHashMap<EdgeId, u32>,
    /// What IEEE 754 leaves open, as far as it was asked for.
    pub leeway: cairn_encode::float::Open,
    pub depth: FxHashMap<FuncId, u32>,
    pub open: u32,
    shapes: FxHashMap<FuncId, Rc<(LoopStructure, FxHashSet<LocId>)>>,
    effects: FxHashMap<LocId, Rc<Effects>>,
    /// The same of functions that are called by contract.
    pub called: FxHashMap<FuncId, Rc<Effects>>,
    /// Variables that may be read before they are assigned.
    exposed: FxHashSet<VarId>,
    pub named: Named,
    /// Where expressions are evaluated, if that is a location of the running function.
    pub at: Option<LocId>,
    pub related: Related,
}

/// Variables of a proof by cases that are names of pieces of memory, with their values in the state at
/// hand as far as these were read.
pub struct Named {
    pub first: VarId,
    pub values: Vec<Option<TermId>>,
}

impl Named {
    pub fn value(&self, v: VarId) -> Option<TermId> {
        let n = v.as_u32().checked_sub(self.first.as_u32())?;
        *self.values.get(n as usize)?
    }
}

/// What comes out of a turn of a loop.
#[derive(Default)]
struct Turn {
    back: Option<State>,
    exits: Vec<(LocId, State)>,
}

/// Which part of a function to follow.
#[derive(Copy, Clone)]
struct Region<'r> {
    f: FuncId,
    shape: &'r LoopStructure,
    evaluates: &'r FxHashSet<LocId>,
    /// The loop of which one turn is followed.
    head: Option<LocId>,
    /// The facts that belong to the head are assumed and not shown.
    assume_zone: bool,
    /// Nothing beyond these locations.
    within: Option<&'r FxHashSet<LocId>>,
}

/// A loop that is cut, and how.
struct Cut<'r> {
    /// One turn of it.
    turn: Region<'r>,
    head: LocId,
    k: u32,
    facts: &'r [ExprId],
    place: Place,
}

impl<'a> Walk<'a> {
    pub fn new(program: &'a Program, proof: &'a Proof, mut pool: Pool, budget: &'a Budget) -> Walk<'a> {
        let size = pool.bits(64, 0);
        let nothing = Info { constant: Some(0), ..Info::plain(size) };
        Walk {
            program,
            proof,
            budget,
            calls: CallGraph::new(program),
            pool,
            space: space(program),
            bytes: Bytes::new(if proof.cuts.cases.is_empty() { SINGLE } else { SINGLE_BY_CASES }),
            infos: vec![nothing],
            statics: FxHashMap::default(),
            funcs: FxHashMap::default(),
            labels: FxHashMap::default(),
            conditions: Vec::new(),
            oversize: Vec::new(),
            mode: Mode::Assert,
            strict: false,
            inputs: FxHashMap::default(),
            leeway: Default::default(),
            depth: FxHashMap::default(),
            open: 0,
            shapes: FxHashMap::default(),
            effects: FxHashMap::default(),
            called: FxHashMap::default(),
            exposed: exposed(program),
            named: Named { first: VarId::from_u32(u32::MAX - 1), values: Vec::new() },
            at: None,
            related: Related::default(),
        }
    }

    /// Does the program name addresses, and does not say where its objects lie?
    pub fn names_addresses(&self) -> bool {
        !self.space.located && self.space.looks.borrow().names_addresses
    }

    // Conditions.

    /// Where `bad` holds in addition, something is wrong. Does not change the path.
    pub fn must_not(&mut self, path: &Path, bad: TermId, what: impl Into<String>, place: Place) {
        if self.mode == Mode::Assert {
            self.condition(path, bad, what.into(), place, false);
        }
    }

    /// Executions that arrive here cannot be read. That holds also where others are left out.
    pub fn gap(&mut self, path: &Path, what: impl Into<String>, place: Place) -> Halt {
        self.condition(path, Pool::TRUE, what.into(), place, true);
        Halt::Dead
    }

    fn condition(&mut self, path: &Path, bad: TermId, what: String, place: Place, gap: bool) {
        let path = path.term(&mut self.pool);
        let when = self.pool.and(&[path, bad]);
        if self.pool.as_bool(when) != Some(false) {
            self.conditions.push(Condition { when, what, place, gap });
        }
    }

    /// Goes on only where `good` holds.
    pub fn assume(&mut self, s: &mut State, good: TermId) -> Flow<()> {
        let path = std::mem::take(&mut s.path);
        s.path = path.and(&self.pool, good).ok_or(Halt::Dead)?;
        Ok(())
    }

    /// Undefined behaviour: executions end, unless a fact is being evaluated.
    pub fn undefined(&mut self, s: &mut State, bad: TermId, what: &str, place: Place) -> Flow<()> {
        if self.pool.as_bool(bad) == Some(false) {
            return Ok(());
        }
        if self.strict {
            let path = s.path.clone();
            self.must_not(&path, bad, format!("a fact is undefined: {what}"), place);
        }
        let good = self.pool.not(bad);
        self.assume(s, good)
    }

    pub fn unknown(&mut self, ty: Ty, hint: &str) -> TermId {
        unknown(&mut self.pool, &self.space, ty, hint)
    }

    pub fn merge_all(&mut self, states: Vec<State>) -> Option<State> {
        // From the last back: those that leave a loop late have most in common.
        let mut states = states.into_iter().rev();
        let first = states.next()?;
        Some(states.fold(first, |a, b| merge(self.program, &mut self.pool, &self.space, a, b)))
    }

    // Control.

    pub fn shape(&mut self, f: FuncId) -> Option<Rc<(LoopStructure, FxHashSet<LocId>)>> {
        if let Some(s) = self.shapes.get(&f) {
            return Some(s.clone());
        }
        let shape = LoopStructure::new(self.program, f)?;
        let evaluates = shape.evaluates(self.program);
        let both = Rc::new((shape, evaluates));
        self.shapes.insert(f, both.clone());
        Some(both)
    }

    /// Follows the program from its entry function.
    pub fn start(&mut self, entry: FuncId, state: State) -> Flow<()> {
        self.depth.insert(entry, 1);
        self.open = 1;
        self.function(entry, state).map(|_| ())
    }

    /// Follows a function from its entry; the state at its exit.
    pub fn function(&mut self, f: FuncId, state: State) -> Flow<State> {
        let program = self.program;
        let (Some(body), Some(both)) = (&program.funcs[f].body, self.shape(f)) else {
            return Err(Halt::Dead);
        };
        let (shape, evaluates) = (&both.0, &both.1);
        if let Some(l) = shape.irreducible {
            let place = program.locs[l].out.first().map_or(Place::NONE, |&e| program.edges[e].place);
            return Err(self.gap(&state.path, "a loop with several entries", place));
        }
        let region = Region { f, shape, evaluates, head: None, assume_zone: false, within: None };
        let turn = self.region(region, body.entry, state)?;
        turn.back.ok_or(Halt::Dead)
    }

    /// Follows one turn of a loop, or a function, from a state at its first location. What comes
    /// back to the head of the loop, or to the exit of the function, is `back`.
    fn region(&mut self, r: Region<'_>, first: LocId, state: State) -> Flow<Turn> {
        let program = self.program;
        let exit = program.funcs[r.f].body.as_ref().map(|b| b.exit);
        let body = r.head.and_then(|h| r.shape.loops.get(&h));
        let (outer_mode, mut pending) = (self.mode, BTreeMap::<(u32, LocId), Vec<State>>::new());
        let position = |l: LocId| (r.shape.order.get(&l).copied().unwrap_or(u32::MAX), l);
        pending.insert(position(first), vec![state]);
        let (mut back, mut exits) = (Vec::new(), Vec::new());
        let mut started = false;
        while let Some(((_, l), states)) = pending.pop_first() {
            if let Some(limit) = self.budget.exceeded() {
                return Err(Halt::Stop(format!("limit reached: {limit:?}")));
            }
            if self.pool.len() > TERMS {
                return Err(Halt::Stop("the conditions are too large".into()));
            }
            let Some(state) = self.merge_all(states) else { continue };
            if r.head.is_none() && Some(l) == exit {
                back.push(state);
                continue;
            }
            let starts = !std::mem::replace(&mut started, true) && r.head == Some(l);
            let mut next: Vec<(LocId, State)> = Vec::new();
            if r.shape.loops.contains_key(&l) && !starts {
                next = self.cycle(r, l, state)?;
            } else {
                let in_zone = r.assume_zone && body.is_some_and(|c| c.zone.contains(&l));
                self.mode = if in_zone { Mode::Assume } else { outer_mode };
                let out = &program.locs[l].out;
                for &e in out {
                    self.strict = self.mode == Mode::Assert && r.evaluates.contains(&l);
                    match self.edge(e, state.clone()) {
                        Ok(s) => next.push((program.edges[e].dst, s)),
                        Err(Halt::Dead) => {}
                        Err(stop) => return Err(stop),
                    }
                }
                self.strict = false;
                self.mode = outer_mode;
            }
            for (to, s) in next {
                if Some(to) == r.head {
                    back.push(s);
                } else if body.is_some_and(|c| !c.body.contains(&to)) {
                    exits.push((to, s));
                } else if r.within.is_none_or(|w| w.contains(&to)) {
                    pending.entry(position(to)).or_default().push(s);
                }
            }
        }
        Ok(Turn { back: self.merge_all(back), exits })
    }

    /// A loop from a state at its head; the states behind it.
    fn cycle(&mut self, r: Region<'_>, head: LocId, state: State) -> Flow<Vec<(LocId, State)>> {
        let program = self.program;
        let place = program.locs[head].loop_stmt.unwrap_or_else(|| {
            program.locs[head].out.first().map_or(Place::NONE, |&e| program.edges[e].place)
        });
        let turn = Region { head: Some(head), assume_zone: false, within: None, ..r };
        let mut exits = Vec::new();
        match self.proof.loops.get(&head) {
            None => {
                self.must_not(
                    &state.path,
                    Pool::TRUE,
                    "a loop is entered that the proof does not mention",
                    place,
                );
            }
            Some(LoopProof::Bound(n)) => {
                let mut at = Some(state);
                for _ in 0..*n {
                    let Some(s) = at.take() else { break };
                    let out = self.region(turn, head, s)?;
                    exits.extend(out.exits);
                    at = out.back;
                }
                if let Some(s) = at {
                    let what = format!("the head of a loop is visited more than {n} times");
                    self.must_not(&s.path, Pool::TRUE, what, place);
                }
            }
            Some(LoopProof::Invariant { k: 0, .. }) => {
                self.must_not(&state.path, Pool::TRUE, "induction with k = 0", place);
            }
            Some(LoopProof::Invariant { k, facts }) => {
                let cut = Cut { turn, head, k: *k, facts, place };
                // Each execution leaves the loop in one of its first turns or later: it chooses.
                let later = self.pool.fresh("later", SortId::BOOL);
                let early = self.pool.not(later);
                let mut any = state.clone();
                let mut first = state;
                if self.assume(&mut first, early).is_ok() {
                    self.base(&cut, first, &mut exits)?;
                }
                if self.assume(&mut any, later).is_ok() {
                    self.havoc(r, head, &mut any)?;
                    self.step(&cut, any, &mut exits)?;
                }
            }
        }
        Ok(exits)
    }

    /// The facts hold at the first `k` visits, with no error in between.
    fn base(&mut self, cut: &Cut<'_>, state: State, exits: &mut Vec<(LocId, State)>) -> Flow<()> {
        let &Cut { turn, head, k, facts, place } = cut;
        let mut at = Some(state);
        for visit in 1..=k {
            let Some(mut s) = at.take() else { return Ok(()) };
            self.at = Some(head);
            if !self.facts(facts, &mut s, place, LOOP, "does not hold when the loop begins")? {
                return Ok(());
            }
            if visit == k {
                return self.marked(turn, head, s);
            }
            let out = self.region(turn, head, s)?;
            exits.extend(out.exits);
            at = out.back;
        }
        Ok(())
    }

    /// From `k` visits with the facts and no error in between follow the facts at the next one, and
    /// no error on the way to it.
    fn step(&mut self, cut: &Cut<'_>, state: State, exits: &mut Vec<(LocId, State)>) -> Flow<()> {
        let &Cut { turn, head, k, facts, place } = cut;
        let mode = self.mode;
        let mut at = Some(state);
        for visit in 1..=k {
            let Some(mut s) = at.take() else { return Ok(()) };
            self.mode = Mode::Assume;
            self.at = Some(head);
            let goes_on = self.facts(facts, &mut s, place, LOOP, "");
            if visit == k {
                self.mode = mode;
            }
            let out = match goes_on {
                Ok(true) => self.region(Region { assume_zone: visit == k, ..turn }, head, s),
                Ok(false) => Ok(Turn::default()),
                Err(stop) => Err(stop),
            };
            self.mode = mode;
            let out = out?;
            if visit == k {
                exits.extend(out.exits);
            }
            at = out.back;
        }
        let Some(mut s) = at else { return Ok(()) };
        self.at = Some(head);
        if self.facts(facts, &mut s, place, LOOP, "is not kept by the loop")? {
            self.marked(turn, head, s)?;
        }
        Ok(())
    }

    /// The marked facts that belong to the head hold now.
    fn marked(&mut self, turn: Region<'_>, head: LocId, s: State) -> Flow<()> {
        let Some(cycle) = turn.shape.loops.get(&head) else { return Ok(()) };
        if cycle.zone.is_empty() || self.mode == Mode::Assume {
            return Ok(());
        }
        // Behind an operation of the zone that does not return there is nothing to follow.
        self.region(Region { within: Some(&cycle.zone), ..turn }, head, s).map(|_| ())
    }

    /// Shows (or only assumes) facts. `false` if no execution goes on.
    pub fn facts(
        &mut self,
        facts: &[ExprId],
        s: &mut State,
        place: Place,
        what: &str,
        fails: &str,
    ) -> Flow<bool> {
        for (n, &fact) in facts.iter().enumerate() {
            self.strict = self.mode == Mode::Assert;
            let value = self.value(fact, s, place);
            self.strict = false;
            let held = value.and_then(|t| {
                let broken = self.pool.not(t);
                let path = s.path.clone();
                self.must_not(&path, broken, format!("{what} {} {fails}", n + 1), place);
                self.assume(s, t)
            });
            match held {
                Ok(()) => {}
                Err(Halt::Dead) => return Ok(false),
                Err(stop) => return Err(stop),
            }
        }
        Ok(true)
    }

    // Cutting.

    /// Forgets everything that the loop may change.
    fn havoc(&mut self, r: Region<'_>, head: LocId, s: &mut State) -> Flow<()> {
        let effects = match self.effects.get(&head) {
            Some(e) => e.clone(),
            None => {
                let Some(cycle) = r.shape.loops.get(&head) else { return Ok(()) };
                let e = Rc::new(effects(self.program, &self.calls, r.f, &cycle.body));
                self.effects.insert(head, e.clone());
                e
            }
        };
        self.forget(&effects, s)
    }

    /// Turns the state at a function's entry into any state in which an execution of the function may
    /// be later on: forgets everything that it may change.
    pub fn forget_all(&mut self, f: FuncId, s: &mut State) -> Flow<()> {
        let Some(body) = &self.program.funcs[f].body else { return Ok(()) };
        let all = body.locs.iter().copied().collect();
        let effects = effects(self.program, &self.calls, f, &all);
        self.forget(&effects, s)
    }

    /// `s` is the state in which the code with these effects is entered.
    pub fn forget(&mut self, effects: &Effects, s: &mut State) -> Flow<()> {
        // Sources first: they are about that state.
        let mut written = self.instances(&effects.writes, s);
        let freed = self.instances(&effects.frees, s);
        for &o in &effects.lives {
            // The object of the last turn, if it lives; or that of before the loop.
            let old = s.frame.get(&o).copied();
            let gone = old.map(|a| self.space.denoted(&mut self.pool, a)).unwrap_or_default();
            self.may_end(gone, s);
            let i = self.begin(o, s)?;
            let live = self.pool.fresh("alive", SortId::BOOL);
            if let Some(object) = s.memory.get_mut(&i) {
                object.live = live;
            }
            if let Some(w) = &mut written {
                w.insert(i);
            }
            let new = start(&mut self.pool, i);
            let address = match old {
                Some(old) => {
                    let which = self.pool.fresh("which", SortId::BOOL);
                    self.pool.ite(which, new, old)
                }
                None => new,
            };
            s.frame.insert(o, address);
        }
        let all: Vec<Instance> = s.memory.keys().copied().collect();
        for &i in &all {
            let info = self.infos[i as usize].clone();
            let Some(mut object) = s.memory.get(&i).cloned() else { continue };
            if info.writable && written.as_ref().is_none_or(|w| w.contains(&i)) {
                object.content = self.bytes.unknown(&mut self.pool, info.constant, "mem");
            }
            if freed.as_ref().is_none_or(|w| w.contains(&i)) {
                let still = self.pool.fresh("alive", SortId::BOOL);
                object.live = self.pool.and(&[object.live, still]);
            }
            s.memory.insert(i, object);
        }
        if effects.allocates {
            s.elsewhere = Elsewhere(Pool::TRUE);
        }
        for &v in &effects.vars {
            let var = &self.program.vars[v];
            let value = self.unknown(var.ty, "any");
            let map = if var.owner.is_none() { &mut s.globals } else { &mut s.locals };
            map.insert(v, value);
        }
        Ok(())
    }

    fn may_end(&mut self, what: Vec<(TermId, Denotes)>, s: &mut State) {
        for (_, d) in what {
            if let Denotes::Object(i) = d
                && let Some(Object { live, content }) = s.memory.get(&i).cloned()
            {
                let still = self.pool.fresh("alive", SortId::BOOL);
                let live = self.pool.and(&[live, still]);
                s.memory.insert(i, Object { live, content });
            }
        }
    }

    /// The instances of a state that pointers of these sources may point to; `None`: all.
    fn instances(
        &mut self,
        sources: &std::collections::BTreeSet<Source>,
        s: &State,
    ) -> Option<FxHashSet<Instance>> {
        let mut out = FxHashSet::default();
        for &source in sources {
            let term = match source {
                Source::Any => return None,
                Source::Object(o) => match (self.statics.get(&o), s.frame.get(&o)) {
                    (Some(&i), _) => {
                        out.insert(i);
                        continue;
                    }
                    (None, Some(&address)) => address,
                    // It has not begun, or belongs to a function that is called.
                    (None, None) => continue,
                },
                Source::Entry(v) => {
                    let map = if self.program.vars[v].owner.is_none() { &s.globals } else { &s.locals };
                    match map.get(&v) {
                        Some(&t) => t,
                        None if self.exposed.contains(&v) => return None,
                        // Assigned before it is used, within the loop.
                        None => continue,
                    }
                }
            };
            for (_, d) in self.space.denoted(&mut self.pool, term) {
                match d {
                    Denotes::Object(i) => {
                        out.insert(i);
                    }
                    Denotes::Nothing => {}
                    Denotes::Anything => return None,
                }
            }
        }
        Some(out)
    }
}

fn space(p: &Program) -> Space {
    if p.places_objects() {
        return Space::located(p.model);
    }
    Space { looks: RefCell::new(Looks::new(p)), ..Space::new(p.model, mixes(p)) }
}

/// Does the program turn pointers into numbers of their width?
fn mixes(p: &Program) -> bool {
    let wide = |ty: Ty| ty.int().is_some_and(|i| i.bits >= p.model.ptr_bits());
    p.exprs.iter().any(|(_, e)| matches!(e, Expr::Cast(to, a) if wide(to) && p.ty(a) == Ty::Ptr))
}

fn exposed(p: &Program) -> FxHashSet<VarId> {
    let graphs = p.funcs.keys().filter_map(|f| Graph::new(p, f));
    graphs
        .flat_map(|g| {
            let blocks = Blocks::new(p, &g);
            cairn_ir::assigned::unassigned_reads(p, &g, &blocks)
        })
        .map(|(_, v)| v)
        .collect()
}
