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

use std::time::Duration;

use cairn_base::Budget;
use cairn_smt::arith::{conjuncts, project};
use cairn_smt::z3::Z3;
use cairn_smt::{Answer, Solver, Why};
use cairn_term::{Op, Pool, Sort, TermId};
use num_bigint::BigInt;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{AFTER, Instances, OPEN};
use crate::{Space, Transition};

/// Cores are minimised one by one up to this size.
const SMALL_CORE: usize = 60;
/// Conjunctions are minimised without asking for a core first up to this size.
const SMALL_CUBE: usize = 10;
/// How many states are excluded at one place of the path before the effort is given up.
const CLAUSES: usize = 60;
/// For questions whose answer is only nice to have.
const PATIENCE: Duration = Duration::from_millis(200);

#[derive(Default)]
pub struct Newton {
    /// Holds the core of the beginning of the path.
    prefix: Z3,
    /// Holds one step.
    local: Z3,
}

/// A piece of the path that may or may not be needed.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Piece {
    /// Of the initial formula.
    Initial,
    /// A part of the guard of a step, in the step's own variables.
    Guard(usize, TermId),
    /// The assignment of a step to a variable.
    Assign(usize, TermId),
    /// A part of what follows the path, in its own variables.
    Last(TermId),
}

/// The path in single assignments.
struct Unrolled {
    /// With the formula over the whole path that a piece stands for; no formula occurs twice.
    pieces: Vec<(Piece, TermId)>,
    /// For each place between steps, what the variables are that have changed so far.
    names: Vec<FxHashMap<TermId, TermId>>,
}

impl Unrolled {
    fn new(
        pool: &mut Pool,
        space: &Space,
        instances: &mut Instances,
        initial: TermId,
        path: &[&Transition],
        last: TermId,
    ) -> Unrolled {
        let mut pieces: Vec<(Piece, TermId)> =
            conjuncts(pool, initial).into_iter().map(|t| (Piece::Initial, t)).collect();
        let mut names = vec![FxHashMap::default()];
        let mut now: FxHashMap<TermId, TermId> = FxHashMap::default();
        for (n, step) in path.iter().enumerate() {
            let mut map = now.clone();
            for u in step.unknowns(pool, space) {
                map.insert(u, instances.get(pool, n, u));
            }
            for part in conjuncts(pool, step.guard) {
                pieces.push((Piece::Guard(n, part), pool.substitute_memo(part, &mut map)));
            }
            for (&v, &t) in &step.assign {
                let new = instances.get(pool, n + 1, v);
                let value = pool.substitute_memo(t, &mut map);
                pieces.push((Piece::Assign(n, v), pool.eq(new, value)));
                now.insert(v, new);
            }
            names.push(now.clone());
        }
        let mut map = now;
        for u in Transition::assume(last).unknowns(pool, space) {
            map.insert(u, instances.get(pool, AFTER, u));
        }
        for part in conjuncts(pool, last) {
            pieces.push((Piece::Last(part), pool.substitute_memo(part, &mut map)));
        }
        let mut seen = FxHashSet::default();
        pieces.retain(|&(_, t)| seen.insert(t));
        Unrolled { pieces, names }
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
        let mut unrolled = Unrolled::new(pool, space, instances, initial, path, last);
        let result = self
            .core(pool, &mut unrolled, budget)
            .and_then(|()| self.backwards(pool, space, instances, path, &unrolled, budget));
        if result.is_err() {
            // Scopes may be open, and a solver that has failed is of no more use.
            *self = Newton::default();
        }
        result
    }

    /// Leaves only pieces that contradict each other.
    fn core(&mut self, pool: &mut Pool, unrolled: &mut Unrolled, budget: &Budget) -> Result<(), Why> {
        let solver = &mut self.prefix;
        solver.push();
        // Equations alone, if they suffice: they know of divisibility, which bounds forget.
        let equations: Vec<TermId> =
            unrolled.pieces.iter().map(|p| p.1).filter(|&t| is_equation(pool, t)).collect();
        let all: Vec<TermId> = unrolled.pieces.iter().map(|p| p.1).collect();
        let patient = budget.clone().within(PATIENCE);
        let mut core = match solver.check(pool, &equations, &patient) {
            Answer::Unsat => solver.core().to_vec(),
            _ => match solver.check(pool, &all, budget) {
                Answer::Unsat => solver.core().to_vec(),
                Answer::Sat => return Err(Why::Failed("a path has executions after all".into())),
                Answer::Unknown(why) => return Err(why),
            },
        };
        loop {
            let size = core.len();
            if solver.check(pool, &core, &patient) == Answer::Unsat {
                core = solver.core().to_vec();
            }
            if core.len() >= size {
                break;
            }
        }
        if core.len() <= SMALL_CORE {
            // What makes for clumsy formulas goes first, if it can.
            let mut order = core.clone();
            let kind: FxHashMap<TermId, bool> =
                unrolled.pieces.iter().map(|&(p, t)| (t, matches!(p, Piece::Assign(..)))).collect();
            order.sort_by_key(|&t| (kind[&t], rank(pool, t)));
            for t in order {
                let without: Vec<TermId> = core.iter().copied().filter(|&c| c != t).collect();
                if without.len() < core.len() && solver.check(pool, &without, &patient) == Answer::Unsat {
                    core = solver.core().to_vec();
                }
            }
        }
        solver.pop();
        let core: FxHashSet<TermId> = core.into_iter().collect();
        unrolled.pieces.retain(|(_, t)| core.contains(t));
        Ok(())
    }

    /// Carries formulas from the end of the path to its beginning.
    fn backwards(
        &mut self,
        pool: &mut Pool,
        space: &Space,
        instances: &mut Instances,
        path: &[&Transition],
        unrolled: &Unrolled,
        budget: &Budget,
    ) -> Result<Vec<TermId>, Why> {
        let of_step = |n: usize| {
            unrolled.pieces.iter().filter(move |(p, _)| match *p {
                Piece::Guard(step, _) | Piece::Assign(step, _) => step == n,
                _ => false,
            })
        };
        let initial = unrolled.pieces.iter().filter(|(p, _)| *p == Piece::Initial);
        self.prefix.push();
        initial.for_each(|&(_, t)| self.prefix.assert(pool, t));
        for n in 0..path.len() {
            self.prefix.push();
            of_step(n).for_each(|&(_, t)| self.prefix.assert(pool, t));
        }
        let mut bad: Vec<TermId> = Vec::new();
        for &(piece, _) in &unrolled.pieces {
            if let Piece::Last(t) = piece {
                bad.push(t);
            }
        }
        let end = &unrolled.names[path.len()];
        let mut clauses = self.exclude(pool, space, end, &bad, budget)?;
        let mut found = vec![pool.and(&clauses)];
        for n in (1..path.len()).rev() {
            self.prefix.pop();
            let mut map: FxHashMap<TermId, TermId> = FxHashMap::default();
            let needed: FxHashSet<TermId> = of_step(n)
                .filter_map(|(p, _)| match *p {
                    Piece::Assign(_, v) => Some(v),
                    _ => None,
                })
                .collect();
            for (&v, &t) in &path[n].assign {
                map.insert(v, if needed.contains(&v) { t } else { instances.get(pool, OPEN, v) });
            }
            let guards: Vec<TermId> = of_step(n)
                .filter_map(|(p, _)| match *p {
                    Piece::Guard(_, t) => Some(t),
                    _ => None,
                })
                .collect();
            let mut before: Vec<TermId> = Vec::new();
            for clause in clauses {
                let after = pool.substitute_memo(clause, &mut map);
                let open = pool.free_vars(&[after]).iter().any(|&v| !space.has(v));
                if guards.is_empty() && !open {
                    before.push(after);
                    continue;
                }
                let mut bad = guards.clone();
                bad.push(pool.not(after));
                before.extend(self.exclude(pool, space, &unrolled.names[n], &bad, budget)?);
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
    /// have unknowns. `names` says what the variables are at that place of the path.
    fn exclude(
        &mut self,
        pool: &mut Pool,
        space: &Space,
        names: &FxHashMap<TermId, TermId>,
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
            return Ok(vec![self.block(pool, names, parts, budget)?]);
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
            clauses.push(self.block(pool, names, cube, budget)?);
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
        names: &FxHashMap<TermId, TermId>,
        parts: Vec<TermId>,
        budget: &Budget,
    ) -> Result<TermId, Why> {
        let mut map = names.clone();
        let mut cube: Vec<(TermId, TermId)> =
            parts.into_iter().map(|t| (t, pool.substitute_memo(t, &mut map))).collect();
        let patient = budget.clone().within(PATIENCE);
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
        while at < cube.len() {
            let mut without = cube.clone();
            without.remove(at);
            if self.prefix.check(pool, &there(&without), &patient) == Answer::Unsat {
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
                if self.prefix.check(pool, &there(&weaker), &patient) == Answer::Unsat {
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
