//! BACKPROP (Figure 6): from an interpolant behind some steps to one before them.
//!
//! The steps are executed once more from the generic state, in which each value is
//! a symbol. That turns the interpolant behind them into its weakest precondition
//! (rule 2b, for memory as well as for variables), branches that only one side could
//! take into requirements (rules 3b and 4b), and other conditions into guards. What
//! is required then holds in the state before the steps, given the guards. If it
//! holds without them it is kept as it is: nothing weaker would do. Else abduction
//! finds a reason (rule 5b), first among the constraints of the state; if these do
//! not suffice because they speak of inputs that the state no longer shows, the
//! implication itself is kept.
//!
//! Operations at addresses that are constant in the state are replayed at these
//! addresses, and the symbols that the address is made of are required to be as they
//! are: the interpolant speaks of just those cells.
//!
//! # Why so
//!
//! *Interpolants are computed by executing the steps once more* (`path::backprop`), from a state in which
//! every value is a symbol: one executor serves states and weakest preconditions, and memory needs no rules
//! of its own. What is required and holds in the state is kept as it is, which is weaker than the abduction
//! of the TracerX paper; that comes in where a guard is needed, with one correction: constraints connected
//! with the guard only through the conclusion are kept.

use std::rc::Rc;

use cairn_encode::pointer::{PointerTarget, candidates};
use cairn_ir::{Callee, EdgeId, Op};
use cairn_smt::arith::conjuncts;
use cairn_smt::ranges::{Arc, mask, read, tidy, write};
use cairn_term::{Op as TermOp, Pool, TermId};
use rustc_hash::FxHashMap;

use crate::Interpolation;
use crate::abduce::{abduction, core, separate};
use crate::machine::{Config, Machine};
use crate::path::{Hop, Path};
use crate::shape::deciding;
use crate::symbols::Symbols;
use cairn_smt::chain::{Chain, Found};

/// A conjunction over symbols such that no error is reached from any state that satisfies it.
pub type Interpolant = Rc<[TermId]>;

/// How steps end.
#[derive(Clone, Debug)]
pub enum End {
    /// In states for which there is an interpolant.
    At(Interpolant),
    /// No execution can take this step.
    Dead(Hop),
    /// Whatever the state, this is the end.
    Over,
}

/// Larger implications are not kept.
const LARGE: usize = 300;

pub struct Backprop<'x, 'a, 'p, 'c> {
    pub machine: &'x mut Machine<'a, 'p>,
    pub chain: &'x mut Chain<'c>,
    pub symbols: &'x mut Symbols,
    pub how: Interpolation,
}

/// A requirement, and how many of the guards are known to hold when it is due.
struct Need {
    holds: TermId,
    guards: usize,
}

#[derive(Default)]
struct Replay {
    guards: Vec<TermId>,
    needs: Vec<Need>,
}

impl Replay {
    fn need(&mut self, holds: TermId) {
        self.needs.push(Need { holds, guards: self.guards.len() });
    }
}

impl Backprop<'_, '_, '_, '_> {
    /// The interpolant in the state of a path, given steps from there and how they end. `None` if no
    /// conjunction was found.
    pub fn through(&mut self, path: &Path, hops: &[Hop], end: &End) -> Option<Vec<TermId>> {
        let replay = self.replay(path, hops, end);
        self.machine.stepper.unplace();
        self.machine.obligations();
        self.machine.ended.clear();
        let replay = replay?;
        let mut found = Vec::new();
        for need in &replay.needs {
            for part in conjuncts(self.machine.pool(), need.holds) {
                // A path may be very long, and an interpolant that comes too late is of no use.
                if self.chain.is_late() {
                    return None;
                }
                let reasons = self.reason(path, part, &replay.guards[..need.guards])?;
                if cfg!(debug_assertions) {
                    self.verify(path, part, &replay.guards[..need.guards], &reasons);
                }
                found.extend(reasons);
            }
        }
        tidy(self.machine.pool(), &found)
    }

    /// The other functions that a pointer might have pointed to: it does not.
    pub fn refused(&mut self, path: &Path, refused: &[Hop]) -> Option<Vec<TermId>> {
        let mut found = Vec::new();
        for hop in refused {
            let Hop::Enter { edge, func, .. } = *hop else { continue };
            let mut g = self.symbols.generic(self.machine, &path.config)?;
            let is = self.callee(&mut g, edge, func)?;
            let is_not = self.machine.pool().not(is);
            found.extend(self.reason(path, is_not, &[])?);
        }
        tidy(self.machine.pool(), &found)
    }

    fn replay(&mut self, path: &Path, hops: &[Hop], end: &End) -> Option<Replay> {
        let mut g = self.symbols.generic(self.machine, &path.config)?;
        let mut r = Replay::default();
        for hop in hops {
            let taken = self.hop(path, &mut g, hop, &mut r)?;
            self.guards(&mut g, &mut r);
            taken.then_some(())?;
        }
        match end {
            End::Over => {}
            End::At(interpolant) => {
                for &part in interpolant.iter() {
                    let before = self.symbols.at(self.machine, self.chain, part, &g)?;
                    r.need(before);
                }
            }
            End::Dead(hop) => {
                let known = r.guards.len();
                let taken = match *hop {
                    // The condition is undefined in every state.
                    Hop::Branch { edge, .. } => {
                        let Op::Assume { cond, .. } = self.machine.program.edges[edge].op else {
                            return None;
                        };
                        self.machine.stepper.value(cond, &mut g.state, edge).is_some()
                    }
                    _ => self.hop(path, &mut g, hop, &mut r)?,
                };
                self.guards(&mut g, &mut r);
                if taken {
                    let on = self.machine.pool().and(&r.guards[known..]);
                    let blocked = self.machine.pool().not(on);
                    r.guards.truncate(known);
                    r.need(blocked);
                }
            }
        }
        Some(r)
    }

    fn guards(&mut self, g: &mut Config, r: &mut Replay) {
        let literals = self.machine.take_guard(g);
        r.guards.extend(literals.into_iter().filter(|&t| t != Pool::TRUE));
    }

    /// Takes a step in the generic state; `Some(false)` if no execution can.
    fn hop(&mut self, path: &Path, g: &mut Config, hop: &Hop, r: &mut Replay) -> Option<bool> {
        Some(match hop {
            Hop::Leave => self.machine.leave(g).is_some(),
            Hop::Edge(e, fixed) => {
                let op = &self.machine.program.edges[*e].op;
                if let Op::Call { callee: Callee::Ptr { target, .. }, .. } = op {
                    // A pointer to no function.
                    let p = self.machine.stepper.value(*target, &mut g.state, *e)?;
                    let at = self.pin(path, p, fixed[0], r)?;
                    return (at == fixed[0]).then_some(false);
                }
                for (x, &real) in deciding(op).into_iter().zip(fixed) {
                    let mut scratch = g.state.clone();
                    let Some(t) = self.machine.stepper.value(x, &mut scratch, *e) else { break };
                    let at = self.pin(path, t, real, r)?;
                    if at != t {
                        self.machine.stepper.place(t, at);
                    }
                    let pointer = self.machine.program.ty(x) == cairn_ir::Ty::Ptr;
                    if pointer && self.is_unknown(at) {
                        return None;
                    }
                }
                let done = self.machine.execute(g, *e).is_some();
                self.machine.stepper.unplace();
                let gap =
                    |o: &cairn_encode::Obligation| matches!(o.kind, cairn_encode::ObligationKind::Gap(_));
                if self.machine.obligations().iter().any(gap) {
                    return None;
                }
                done
            }
            &Hop::Branch { edge, decided } => {
                let Op::Assume { cond, holds } = self.machine.program.edges[edge].op else { return None };
                let value = self.machine.stepper.value(cond, &mut g.state, edge);
                self.guards(g, r);
                let Some(value) = value else { return Some(false) };
                let literal = if holds { value } else { self.machine.pool().not(value) };
                if decided {
                    r.need(literal);
                }
                r.guards.push(literal);
                self.machine.go(g, edge);
                true
            }
            &Hop::Enter { edge, func, decided } => {
                let is = self.callee(g, edge, func)?;
                self.guards(g, r);
                if decided {
                    r.need(is);
                }
                r.guards.push(is);
                self.machine.enter(g, edge, func).is_some()
            }
        })
    }

    /// The condition that a call is one of this function.
    fn callee(&mut self, g: &mut Config, edge: EdgeId, func: cairn_ir::FuncId) -> Option<TermId> {
        match &self.machine.program.edges[edge].op {
            Op::Call { callee: Callee::Ptr { target, .. }, .. } => {
                let p = self.machine.stepper.value(*target, &mut g.state, edge)?;
                let f = self.machine.stepper.function_address(func);
                Some(self.machine.pool().eq(p, f))
            }
            _ => Some(Pool::TRUE),
        }
    }

    fn is_unknown(&mut self, p: TermId) -> bool {
        candidates(self.machine.pool(), p).iter().any(|c| matches!(c.target, PointerTarget::Unknown))
    }

    /// A deciding value in the generic state, made as constant as it was in the execution.
    fn pin(&mut self, path: &Path, t: TermId, real: TermId, r: &mut Replay) -> Option<TermId> {
        if self.machine.pool().is_constant(t) {
            return Some(t);
        }
        let values = self.symbols.values(self.machine, self.chain, t, &path.config)?;
        let constant = self.machine.pool().is_constant(real);
        let mut map = FxHashMap::default();
        for (symbol, value) in values {
            let program = self.machine.program;
            let pool = self.machine.stepper.pool();
            if pool.is_constant(value) && (constant || self.symbols.is_pointer(program, pool, symbol)) {
                map.insert(symbol, value);
                let is = pool.eq(symbol, value);
                r.need(is);
            }
        }
        let at = self.machine.pool().substitute(t, &map);
        if constant && at != real {
            if let Some(is) = self.known_by_guard(path, at, real, &r.guards) {
                r.need(is);
                r.guards.push(is);
                return Some(real);
            }
            let is = self.machine.pool().eq(at, real);
            r.need(is);
            r.guards.push(is);
            return Some(real);
        }
        Some(at)
    }

    /// A term with one variable is constant because a guard says that the variable is equal to something
    /// constant: that the variable is this constant.
    fn known_by_guard(&mut self, path: &Path, t: TermId, real: TermId, guards: &[TermId]) -> Option<TermId> {
        let vars = self.chain.vars(self.machine.pool(), t);
        let &[x] = &vars[..] else { return None };
        for &guard in guards {
            let pool = self.machine.pool();
            let other = match (pool.op(guard), pool.args(guard)) {
                (TermOp::Eq, &[a, b]) if a == x => b,
                (TermOp::Eq, &[a, b]) if b == x => a,
                _ => continue,
            };
            let Some(value) = self.symbols.at(self.machine, self.chain, other, &path.config) else {
                continue;
            };
            let pool = self.machine.pool();
            if pool.is_constant(value) && pool.substitute(t, &FxHashMap::from_iter([(x, value)])) == real {
                return Some(pool.eq(x, value));
            }
        }
        None
    }

    /// Conditions that hold in the state and, with the guards, imply the part.
    fn reason(&mut self, path: &Path, part: TermId, guards: &[TermId]) -> Option<Vec<TermId>> {
        if part == Pool::TRUE || guards.contains(&part) {
            return Some(Vec::new());
        }
        let inputs = self.symbols.speaks_of_inputs(self.machine.pool(), self.chain, part);
        if self.how == Interpolation::Full && !inputs && self.holds(path, part) {
            return Some(vec![part]);
        }
        // What is connected with the part.
        let mut vars = self.chain.vars(self.machine.pool(), part).iter().copied().collect();
        let (near, _) = separate(self.machine.stepper.pool(), self.chain, guards, &mut vars);
        if self.how == Interpolation::Full
            && !inputs
            && let Some(found) = self.range_reason(path, part, &near)
        {
            return Some(found);
        }
        let phi = self.constraints(path, part, &near)?;
        let pool = self.machine.stepper.pool();
        let found = if inputs {
            core(pool, self.chain, &phi, &near, &[part])
        } else {
            match self.how {
                Interpolation::Full => abduction(pool, self.chain, &phi, &near, &[part]),
                _ => core(pool, self.chain, &phi, &near, &[part]),
            }
        };
        if found.is_some() || self.how != Interpolation::Full {
            return found;
        }
        let guard = pool.and(&near);
        let implication = pool.implies(guard, part);
        let large = pool.size(implication) > LARGE;
        let inputs = self.symbols.speaks_of_inputs(self.machine.pool(), self.chain, implication);
        (!large && !inputs && self.holds(path, implication)).then(|| vec![implication])
    }

    /// The implication from the guards to the part, where it is again a range of a term: the part says
    /// in which range the term lies, and so do guards when symbols whose values are constant stand
    /// for these (`next != i` where `i` is 7). That is the weakest precondition of rule (4a), and no
    /// solver is needed.
    fn range_reason(&mut self, path: &Path, part: TermId, guards: &[TermId]) -> Option<Vec<TermId>> {
        let mut reasons = Vec::new();
        let (term, arc) = match read(self.machine.pool(), part) {
            Some(found) => found,
            None => {
                let (said, is) = self.with_constants(path, part, &[])?;
                reasons.extend(is);
                read(self.machine.pool(), said)?
            }
        };
        let m = mask(self.machine.pool().width(term));
        let own = self.chain.vars(self.machine.pool(), term);
        let mut allowed = Arc::full(m);
        for &guard in guards {
            let (said, is) = self.with_constants(path, guard, &own)?;
            let range = read(self.machine.pool(), said).filter(|(t, _)| *t == term);
            let Some((_, range)) = range else { continue };
            match allowed.meet(range, m) {
                Some(Some(met)) => allowed = met,
                // They cannot be satisfied.
                Some(None) => return None,
                None => continue,
            }
            reasons.extend(is);
        }
        let either = allowed.complement(m)?.join(arc, m)?;
        let mut ranges = Vec::new();
        write(self.machine.pool(), term, either, &mut ranges);
        for t in ranges {
            if !self.holds(path, t) {
                return None;
            }
            reasons.push(t);
        }
        Some(reasons)
    }

    /// A condition with symbols replaced whose values are constant in the state, except some; and that
    /// they have these values.
    fn with_constants(&mut self, path: &Path, t: TermId, except: &[TermId]) -> Option<(TermId, Vec<TermId>)> {
        let mut values = self.symbols.values(self.machine, self.chain, t, &path.config)?;
        let pool = self.machine.pool();
        values.retain(|(symbol, value)| pool.is_constant(*value) && !except.contains(symbol));
        let is = values.iter().map(|&(symbol, value)| pool.eq(symbol, value)).collect();
        Some((pool.substitute(t, &values.into_iter().collect()), is))
    }

    /// Does a condition over symbols hold in the state of a path?
    pub fn holds(&mut self, path: &Path, t: TermId) -> bool {
        let Some(t) = self.symbols.at(self.machine, self.chain, t, &path.config) else { return false };
        path.condition.implies(self.machine.pool(), self.chain, t)
    }

    /// What the state of a path says of the symbols in some terms: their values, and what the path
    /// condition says of inputs that are the values of symbols.
    fn constraints(&mut self, path: &Path, part: TermId, guards: &[TermId]) -> Option<Vec<TermId>> {
        let mut values = Vec::new();
        for &t in guards.iter().chain([&part]) {
            values.extend(self.symbols.values(self.machine, self.chain, t, &path.config)?);
        }
        values.sort_unstable();
        values.dedup();
        let pool = self.machine.stepper.pool();
        let mut shown: FxHashMap<TermId, TermId> = FxHashMap::default();
        let mut inputs = Vec::new();
        for &(symbol, value) in &values {
            inputs.extend(self.chain.vars(pool, value).iter());
            match (pool.op(value), pool.args(value)) {
                (TermOp::Var(_), _) => {
                    shown.entry(value).or_insert(symbol);
                }
                (TermOp::BvAdd, &[x, c]) if pool.is_var(x) && pool.is_constant(c) => {
                    let back = pool.bv_sub(symbol, c);
                    shown.entry(x).or_insert(back);
                }
                _ => {}
            }
        }
        let mut found = Vec::new();
        let mut add = |pool: &mut Pool, chain: &mut Chain<'_>, t: TermId, of: Option<TermId>| {
            if chain.vars(pool, t).iter().all(|v| shown.contains_key(v)) {
                let said = pool.substitute(t, &shown);
                let said = of.map_or(said, |symbol| pool.eq(symbol, said));
                if said != Pool::TRUE {
                    found.push(said);
                }
            }
        };
        for &(symbol, value) in &values {
            add(pool, self.chain, value, Some(symbol));
        }
        for literal in path.condition.slice(pool, self.chain, &inputs) {
            add(pool, self.chain, literal, None);
        }
        found.sort_unstable();
        found.dedup();
        Some(found)
    }

    /// The reasons with the guards imply the part, and hold: asked once more.
    fn verify(&mut self, path: &Path, part: TermId, guards: &[TermId], reasons: &[TermId]) {
        let fails = self.machine.pool().not(part);
        let query: Vec<TermId> = reasons.iter().chain(guards).copied().chain([fails]).collect();
        let found = self.chain.check(self.machine.stepper.pool(), &query);
        assert!(!matches!(found, Found::Sat(_)), "an interpolant does not imply what it should");
        for &t in reasons {
            let Some(t) = self.symbols.at(self.machine, self.chain, t, &path.config) else { continue };
            let fails = self.machine.pool().not(t);
            let query: Vec<TermId> = path.condition.literals().chain([fails]).collect();
            let found = self.chain.check(self.machine.stepper.pool(), &query);
            assert!(!matches!(found, Found::Sat(_)), "an interpolant does not hold in its own state");
        }
    }

    /// The state of a path implies the interpolant: asked once more, with all that is known of it.
    pub fn verify_subsumption(&mut self, path: &Path, interpolant: &Interpolant) {
        for &t in interpolant.iter() {
            let Some(t) = self.symbols.at(self.machine, self.chain, t, &path.config) else {
                unreachable!("a subsumed state shows everything its interpolant speaks of");
            };
            let fails = self.machine.pool().not(t);
            let query: Vec<TermId> = path.condition.literals().chain([fails]).collect();
            let found = self.chain.check(self.machine.stepper.pool(), &query);
            assert!(!matches!(found, Found::Sat(_)), "a state does not imply what subsumes it");
        }
    }
}
