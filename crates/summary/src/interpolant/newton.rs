//! Interpolants from what a contradiction needs of a path.
//!
//! The method is Newton refinement (Dietsch, Heizmann, Musa, Nutz and
//! Podelski, "Craig vs. Newton in software model checking", 2017): every guard
//! and every assignment of the path is an assumption of one query; what its
//! core does not name is forgotten (guards are dropped, assignments leave any
//! value), and formulas are carried backwards over what remains.
//!
//! What is carried is generalised on the way, as in Spacer: a state that must
//! be excluded is projected to a conjunction over the variables of the state, and
//! only those parts of it are kept that already contradict the beginning of the
//! path. So a formula is a conjunction of short clauses, quantifiers need not be
//! eliminated as a whole, and both halves of the path have a say.

use std::collections::BTreeMap;

use cairn_base::Budget;
use cairn_base::effort::SECOND;
use cairn_smt::arith::{conjuncts, project};
use cairn_smt::z3::Z3;
use cairn_smt::{Answer, Solver, Why};
use cairn_term::{Op, Pool, Sort, SortId, TermId};
use num_bigint::BigInt;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{AFTER, Instances, OPEN, RENEW, settle, spacer};
use crate::{Space, Transition};

/// Conjunctions are minimised without asking for a core first up to this size.
const SMALL_CUBE: usize = 10;
/// How many states are excluded at one place of the path before the effort is given up.
const CLAUSES: usize = 60;
/// For all interpolants of a path.
const EFFORT: u64 = 3 * SECOND;
/// The price of a term, in units of effort.
const TERM: u64 = 1;
/// Steps of the solver for questions whose answer is only nice to have.
const MAX_OPTIONAL_STEPS: u64 = 50_000;

#[derive(Default)]
pub struct Newton {
    /// Holds the core of the beginning of the path.
    prefix: Z3,
    /// Holds one step.
    local: Z3,
    /// How many steps they have had to read.
    read: usize,
}

/// A piece of the path that may or may not be needed.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum PathPiece {
    /// Of the initial formula.
    Initial,
    /// A part of the guard of a step, in the step's own variables.
    Guard(usize, TermId),
    /// The assignment of a step to a variable, and its value.
    Assign(usize, TermId, TermId),
    /// A part of what follows the path, in its own variables.
    Last(TermId),
}

/// What guards of different steps have in common if the steps are of the same edge.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Source {
    Initial,
    Guard(TermId),
    Last(TermId),
}

impl PathPiece {
    fn source(self) -> Option<Source> {
        match self {
            PathPiece::Initial => Some(Source::Initial),
            PathPiece::Guard(_, t) => Some(Source::Guard(t)),
            PathPiece::Last(t) => Some(Source::Last(t)),
            PathPiece::Assign(..) => None,
        }
    }
}

/// A piece with the formula over the whole path that it stands for.
#[derive(Copy, Clone)]
pub struct Placed {
    pub piece: PathPiece,
    /// Every assignment makes a new variable.
    pub formula: TermId,
    /// Values of variables are terms over the initial state and the unknowns, so that most
    /// assignments are true.
    executed: TermId,
}

/// The path in pieces.
pub struct Unrolled {
    /// No formula occurs twice.
    pub pieces: Vec<Placed>,
}

impl Unrolled {
    pub fn new(
        pool: &mut Pool,
        space: &Space,
        instances: &mut Instances,
        initial: TermId,
        path: &[&Transition],
        last: TermId,
    ) -> Unrolled {
        let mut pieces: Vec<Placed> = conjuncts(pool, initial)
            .into_iter()
            .map(|t| Placed { piece: PathPiece::Initial, formula: t, executed: t })
            .collect();
        let mut names: FxHashMap<TermId, TermId> = FxHashMap::default();
        let mut values: FxHashMap<TermId, TermId> = FxHashMap::default();
        let end = Transition::assume(last);
        for (n, step) in path.iter().copied().chain([&end]).enumerate() {
            let place = if n == path.len() { AFTER } else { n };
            let (mut naming, mut executing) = (names.clone(), values.clone());
            for u in step.unknowns(pool, space) {
                let instance = instances.get(pool, place, u);
                naming.insert(u, instance);
                executing.insert(u, instance);
            }
            for part in conjuncts(pool, step.guard) {
                pieces.push(Placed {
                    piece: if place == AFTER { PathPiece::Last(part) } else { PathPiece::Guard(n, part) },
                    formula: pool.substitute_memo(part, &mut naming),
                    executed: pool.substitute_memo(part, &mut executing),
                });
            }
            for (&v, &t) in &step.assign {
                let name = instances.get(pool, n + 1, v);
                let value = pool.substitute_memo(t, &mut naming);
                let formula = pool.eq(name, value);
                names.insert(v, name);
                let value = pool.substitute_memo(t, &mut executing);
                let (value, equation) = settle(pool, instances, n, v, value);
                values.insert(v, value);
                let executed = equation.unwrap_or(Pool::TRUE);
                pieces.push(Placed { piece: PathPiece::Assign(n, v, t), formula, executed });
            }
        }
        let mut seen = FxHashSet::default();
        pieces.retain(|p| seen.insert(p.formula));
        Unrolled { pieces }
    }

    /// The sources of guards, first those that are best done without: guards that decide where to go
    /// before those that say what an input may be, rare ones before frequent ones.
    fn groups(&self, pool: &Pool, space: &Space) -> Vec<Source> {
        let mut count: BTreeMap<Source, usize> = BTreeMap::new();
        for placed in &self.pieces {
            if let Some(source) = placed.piece.source() {
                *count.entry(source).or_default() += 1;
            }
        }
        let mut groups: Vec<(Source, usize)> = count.into_iter().collect();
        groups.sort_by_key(|&(source, count)| match source {
            Source::Guard(t) | Source::Last(t) => {
                let input = pool.free_vars(&[t]).iter().any(|&v| !space.has(v));
                (if input { 1 } else { 0 }, rank(pool, t), count)
            }
            Source::Initial => (2, 0, count),
        });
        groups.into_iter().map(|(source, _)| source).collect()
    }
}

impl Newton {
    /// Formulas for the end of each step of a path that has no execution. They are meant to be
    /// right, but it is for the caller to check them.
    #[allow(clippy::too_many_arguments)]
    pub fn interpolants(
        &mut self,
        pool: &mut Pool,
        space: &Space,
        instances: &mut Instances,
        initial: TermId,
        path: &[&Transition],
        last: TermId,
        budget: &Budget,
    ) -> Result<Vec<TermId>, Why> {
        if self.read > RENEW {
            *self = Newton::default();
        }
        self.read += path.len() + 1;
        let unrolled = Unrolled::new(pool, space, instances, initial, path, last);
        let limited = budget.with_effort(EFFORT);
        let first = self.attempt(pool, space, instances, path, &unrolled, true, &limited);
        let gaps = match &first {
            Ok(found) => gaps(pool, found),
            Err(_) => {
                return spacer::interpolants(pool, instances, path, &unrolled.pieces, budget).or(first);
            }
        };
        if gaps > 0 {
            // Without some guard only remainders were left to argue with. Perhaps bounds will do.
            let second = self.attempt(pool, space, instances, path, &unrolled, false, &limited);
            if let Ok(found) = second
                && self::gaps(pool, &found) < gaps
            {
                return Ok(found);
            }
        }
        first
    }

    /// Interpolants from a core, from which groups of guards are taken first if so wished.
    #[allow(clippy::too_many_arguments)]
    fn attempt(
        &mut self,
        pool: &mut Pool,
        space: &Space,
        instances: &mut Instances,
        path: &[&Transition],
        unrolled: &Unrolled,
        by_groups: bool,
        budget: &Budget,
    ) -> Result<Vec<TermId>, Why> {
        let result = self
            .core(pool, space, unrolled, by_groups, budget)
            .and_then(|pieces| self.backwards(pool, space, instances, path, &pieces, budget));
        if result.is_err() {
            // Scopes may be open, and a solver that has failed is of no more use.
            *self = Newton::default();
        }
        result
    }

    /// Pieces that contradict each other.
    ///
    /// Pieces that are the same part of the same edge stay or go together, as long as that works:
    /// what is needed of a loop should be needed in every round, or the formulas of its rounds will
    /// have nothing in common.
    fn core(
        &mut self,
        pool: &mut Pool,
        space: &Space,
        unrolled: &Unrolled,
        by_groups: bool,
        budget: &Budget,
    ) -> Result<Vec<Placed>, Why> {
        let patient = || Budget { max_steps: MAX_OPTIONAL_STEPS, ..budget.clone() };
        let mut needed =
            if by_groups { self.groups(pool, space, unrolled, budget)? } else { unrolled.pieces.clone() };
        let solver = &mut self.prefix;
        // Then assignments, and what single rounds can do without.
        let formulas: Vec<TermId> = needed.iter().map(|p| p.formula).collect();
        solver.push();
        if solver.check(pool, &formulas, &patient()) == Answer::Unsat {
            let core: FxHashSet<TermId> = solver.core().iter().copied().collect();
            needed.retain(|p| core.contains(&p.formula));
        }
        solver.pop();
        Ok(needed)
    }

    /// Takes whole groups of guards out.
    fn groups(
        &mut self,
        pool: &mut Pool,
        space: &Space,
        unrolled: &Unrolled,
        budget: &Budget,
    ) -> Result<Vec<Placed>, Why> {
        let solver = &mut self.prefix;
        let patient = || Budget { max_steps: MAX_OPTIONAL_STEPS, ..budget.clone() };
        solver.push();
        // A switch for each group.
        let mut groups: Vec<(Source, TermId)> = Vec::new();
        for (n, source) in unrolled.groups(pool, space).into_iter().enumerate() {
            groups.push((source, pool.var(&format!("needed!{n}"), SortId::BOOL)));
        }
        let switch: FxHashMap<Source, TermId> = groups.iter().copied().collect();
        let mut bounds: FxHashSet<TermId> = FxHashSet::default();
        for placed in &unrolled.pieces {
            let Some(on) = placed.piece.source().map(|source| switch[&source]) else {
                solver.assert(pool, placed.executed);
                continue;
            };
            if !is_equation(pool, placed.formula) {
                bounds.insert(on);
            }
            let switched = pool.implies(on, placed.executed);
            solver.assert(pool, switched);
        }
        // Equations alone, if they suffice: they know of divisibility, which bounds forget.
        let all: Vec<TermId> = groups.iter().map(|g| g.1).collect();
        let mut on: Vec<TermId> = all.iter().copied().filter(|g| !bounds.contains(g)).collect();
        if solver.check(pool, &on, &patient()) != Answer::Unsat {
            on = all.clone();
            match solver.check(pool, &on, budget) {
                Answer::Unsat => {}
                Answer::Sat => return Err(Why::Failed("a path has executions after all".into())),
                Answer::Unknown(why) => return Err(why),
            }
        }
        for &group in &all {
            let without: Vec<TermId> = on.iter().copied().filter(|&g| g != group).collect();
            if without.len() < on.len() && solver.check(pool, &without, &patient()) == Answer::Unsat {
                on = without;
            }
        }
        solver.pop();
        let needed = |p: &&Placed| p.piece.source().is_none_or(|source| on.contains(&switch[&source]));
        Ok(unrolled.pieces.iter().filter(needed).copied().collect())
    }

    /// Carries formulas from the end of the path to its beginning.
    fn backwards(
        &mut self,
        pool: &mut Pool,
        space: &Space,
        instances: &mut Instances,
        path: &[&Transition],
        pieces: &[Placed],
        budget: &Budget,
    ) -> Result<Vec<TermId>, Why> {
        let mut steps: Vec<Transition> = vec![Transition::identity(); path.len()];
        let mut guards: Vec<Vec<TermId>> = vec![Vec::new(); path.len()];
        let mut bad: Vec<TermId> = Vec::new();
        self.prefix.push();
        for placed in pieces {
            match placed.piece {
                PathPiece::Initial => self.prefix.assert(pool, placed.formula),
                PathPiece::Guard(n, t) => guards[n].push(t),
                PathPiece::Assign(n, v, t) => drop(steps[n].assign.insert(v, t)),
                PathPiece::Last(t) => bad.push(t),
            }
        }
        // The core as a path: what is not needed of an assignment leaves the variable open. Its
        // states are terms over the initial state and the unknowns.
        let mut states: Vec<FxHashMap<TermId, TermId>> = vec![FxHashMap::default()];
        for (n, step) in steps.iter_mut().enumerate() {
            for &v in path[n].assign.keys() {
                step.assign.entry(v).or_insert_with(|| instances.get(pool, OPEN, v));
            }
            step.guard = pool.and(&guards[n]);
            let mut state = states[n].clone();
            let mut map = state.clone();
            for u in step.unknowns(pool, space) {
                map.insert(u, instances.get(pool, n, u));
            }
            self.prefix.push();
            let guard = pool.substitute_memo(step.guard, &mut map);
            self.prefix.assert(pool, guard);
            for (&v, &t) in &step.assign {
                let value = pool.substitute_memo(t, &mut map);
                let (value, equation) = settle(pool, instances, n, v, value);
                equation.into_iter().for_each(|e| self.prefix.assert(pool, e));
                state.insert(v, value);
            }
            states.push(state);
        }
        let mut clauses = self.exclude(pool, space, &states[path.len()], &bad, budget)?;
        let mut found = vec![pool.and(&clauses)];
        let mut charged = pool.len();
        for n in (1..path.len()).rev() {
            budget.effort.charge((pool.len() - charged) as u64 * TERM + 1);
            charged = pool.len();
            self.prefix.pop();
            let mut map = steps[n].assign.iter().map(|(&v, &t)| (v, t)).collect();
            let mut before: Vec<TermId> = Vec::new();
            for clause in clauses {
                let after = pool.substitute_memo(clause, &mut map);
                let open = pool.free_vars(&[after]).iter().any(|&v| !space.has(v));
                if guards[n].is_empty() && !open {
                    before.push(after);
                    continue;
                }
                let bad = [steps[n].guard, pool.not(after)];
                before.extend(self.exclude(pool, space, &states[n], &bad, budget)?);
            }
            before.retain(|&t| t != Pool::TRUE);
            before.sort_unstable();
            before.dedup();
            if before.contains(&Pool::FALSE) {
                before = vec![Pool::FALSE];
            }
            clauses = before;
            found.push(pool.and(&clauses));
        }
        if !path.is_empty() {
            self.prefix.pop();
        }
        self.prefix.pop();
        found.truncate(path.len());
        found.reverse();
        Ok(found)
    }

    /// Clauses over the state that hold at the end of the prefix and contradict `bad`, which may
    /// have unknowns. `state` has what the variables are at that place of the path.
    fn exclude(
        &mut self,
        pool: &mut Pool,
        space: &Space,
        state: &FxHashMap<TermId, TermId>,
        bad: &[TermId],
        budget: &Budget,
    ) -> Result<Vec<TermId>, Why> {
        let whole = pool.and(bad);
        let vars = pool.free_vars(&[whole]);
        let unknowns: Vec<TermId> = vars.iter().copied().filter(|&v| !space.has(v)).collect();
        let parts = conjuncts(pool, whole);
        if whole == Pool::FALSE {
            return Ok(Vec::new());
        }
        if unknowns.is_empty() && parts.iter().all(|&t| is_literal(pool, t)) {
            return Ok(vec![self.block(pool, state, parts, budget)?]);
        }
        let mut clauses: Vec<TermId> = Vec::new();
        self.local.push();
        self.local.assert(pool, whole);
        loop {
            match self.local.check(pool, &clauses, budget) {
                Answer::Unsat => break,
                Answer::Unknown(why) => return Err(why),
                Answer::Sat if clauses.len() >= CLAUSES => {
                    return Err(Why::Incomplete("too many cases for an interpolant".into()));
                }
                Answer::Sat => {}
            }
            let model = self.local.model(pool, &vars)?;
            let cube = project(pool, &model, &unknowns, whole)?;
            clauses.push(self.block(pool, state, cube, budget)?);
        }
        let core = self.local.core().to_vec();
        clauses.retain(|t| core.contains(t));
        self.local.pop();
        Ok(clauses)
    }

    /// The negation of those parts that contradict the prefix already.
    fn block(
        &mut self,
        pool: &mut Pool,
        state: &FxHashMap<TermId, TermId>,
        parts: Vec<TermId>,
        budget: &Budget,
    ) -> Result<TermId, Why> {
        let mut map = state.clone();
        let mut cube: Vec<(TermId, TermId)> =
            parts.into_iter().map(|t| (t, pool.substitute_memo(t, &mut map))).collect();
        let patient = || Budget { max_steps: MAX_OPTIONAL_STEPS, ..budget.clone() };
        let there = |cube: &[(TermId, TermId)]| cube.iter().map(|c| c.1).collect::<Vec<TermId>>();
        self.prefix.push();
        match self.prefix.check(pool, &there(&cube), budget) {
            Answer::Unsat => {}
            Answer::Sat => return Err(Why::Incomplete("a state to exclude is not excluded".into())),
            Answer::Unknown(why) => return Err(why),
        }
        if cube.len() > SMALL_CUBE {
            let core = self.prefix.core().to_vec();
            cube.retain(|c| core.contains(&c.1));
        }
        cube.sort_by_key(|c| (rank(pool, c.0), c.0));
        let mut at = 0;
        // (That the prefix alone is a contradiction would be known from the core.)
        while at < cube.len() && cube.len() > 1 {
            let mut without = cube.clone();
            without.remove(at);
            if self.prefix.check(pool, &there(&without), &patient()) == Answer::Unsat {
                cube = without;
            } else {
                at += 1;
            }
        }
        // Half an equation may do.
        for at in 0..cube.len() {
            for half in halves(pool, cube[at].0) {
                let mut weaker = cube.clone();
                weaker[at] = (half, pool.substitute_memo(half, &mut map));
                if self.prefix.check(pool, &there(&weaker), &patient()) == Answer::Unsat {
                    cube = weaker;
                    break;
                }
            }
        }
        self.prefix.pop();
        let clause: Vec<TermId> = cube.into_iter().map(|c| negation(pool, c.0)).collect();
        Ok(pool.or(&clause))
    }
}

/// How often the formulas say that something is not equal.
fn gaps(pool: &Pool, formulas: &[TermId]) -> usize {
    let terms = pool.reachable(formulas);
    terms.iter().filter(|&&t| pool.op(t) == Op::Not && is_equation(pool, pool.arg(t, 0))).count()
}

/// An atom or the negation of one.
fn is_literal(pool: &Pool, t: TermId) -> bool {
    let atom = if pool.op(t) == Op::Not { pool.arg(t, 0) } else { t };
    match pool.op(atom) {
        Op::Le => true,
        Op::Eq => pool.sort(pool.arg(atom, 0)) == Sort::Int && atom == t,
        _ => pool.is_var(atom),
    }
}

fn is_equation(pool: &Pool, t: TermId) -> bool {
    pool.op(t) == Op::Eq
}

/// What to do without first: large things, bounds, equations, divisibility.
fn rank(pool: &Pool, t: TermId) -> u8 {
    match (is_literal(pool, t), pool.op(t)) {
        (false, _) => 0,
        (true, Op::Eq) => {
            let periodic = pool.reachable(&[t]).iter().any(|&a| pool.op(a) == Op::Mod);
            if periodic { 3 } else { 2 }
        }
        _ => 1,
    }
}

/// The negation, of a bound as a bound, and of "odd" as "even".
fn negation(pool: &mut Pool, t: TermId) -> TermId {
    if let (Op::Le, &[a, b]) = (pool.op(t), pool.args(t)) {
        let one = pool.int(1);
        let beyond = pool.int_add(b, one);
        return pool.int_le(beyond, a);
    }
    if let (Op::Eq, &[a, b]) = (pool.op(t), pool.args(t)) {
        for (remainder, value) in [(a, b), (b, a)] {
            let by_two = pool.op(remainder) == Op::Mod
                && pool.as_int(pool.arg(remainder, 1)) == Some(&BigInt::from(2));
            if by_two && let Some(n) = pool.as_int(value).cloned() {
                let other = pool.int(BigInt::from(1) - n);
                return pool.eq(remainder, other);
            }
        }
    }
    pool.not(t)
}

/// The two inequalities that an equation of integers consists of; none for one about remainders.
fn halves(pool: &mut Pool, t: TermId) -> Vec<TermId> {
    if !is_equation(pool, t) || rank(pool, t) != 2 {
        return Vec::new();
    }
    let &[a, b] = pool.args(t) else { return Vec::new() };
    vec![pool.int_le(a, b), pool.int_le(b, a)]
}
