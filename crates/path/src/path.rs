//! One symbolic execution: a configuration over inputs, the path condition, and
//! how both move forward.

use cairn_base::{Place, Symbol};
use cairn_core::Trace;
use cairn_core::verdict::InputValue;
use cairn_encode::birth::BirthId;
use cairn_encode::state::State;
use cairn_encode::{Obligation, ObligationKind};
use cairn_ir::{Callee, EdgeId, FuncId, Op, Ty};
use cairn_sem::{Birth, Site};
use cairn_smt::Why;
use cairn_term::{Assignment, Evaluator, Op as TermOp, Pool, TermId, Value};
use imbl::{OrdMap, Vector};
use rustc_hash::FxHashMap;

use crate::condition::{Condition, Feasible};
use crate::machine::{Config, Machine, Stay};
use crate::shape::deciding;
use cairn_smt::chain::Chain;

/// A step that was taken, with all that is needed to take it again from another state.
#[derive(Clone, PartialEq, Debug)]
pub enum Hop {
    /// An edge, with the values of the expressions that decide what it does where.
    Edge(EdgeId, Vec<TermId>),
    /// One side of a branch; `decided` if the path condition excludes the other one.
    Branch { edge: EdgeId, decided: bool },
    /// Into a function, perhaps through a pointer, and then perhaps the only one.
    Enter { edge: EdgeId, func: FuncId, decided: bool },
    /// Back from it.
    Leave,
}

/// An input that an execution has taken.
#[derive(Copy, Clone, Debug)]
pub struct Taken {
    pub term: TermId,
    pub ty: Ty,
    pub name: Symbol,
    pub place: Place,
}

#[derive(Clone, Debug)]
pub struct Path {
    pub config: Config,
    pub condition: Condition,
    pub inputs: Vector<Taken>,
    /// Objects that have come to life and that nothing initialises, and their sizes.
    born: Vector<(BirthId, TermId)>,
    /// Variables that the condition makes constant.
    known: OrdMap<TermId, TermId>,
}

/// One way on from where several part.
pub struct Way {
    pub hop: Hop,
    pub path: Path,
    /// The stays in loops that end with the step.
    pub ended: Vec<Stay>,
}

/// What became of an execution.
pub enum Moved {
    /// It went on by this step.
    On(Hop),
    /// It went on in several ways; the path condition excludes the steps given last.
    Fork(Vec<Way>, Vec<Hop>),
    /// It has ended.
    Over,
    /// No execution can take the step.
    Dead(Hop),
    /// An error, by the edge that calls it.
    Error(EdgeId),
    /// Something has no symbolic reading.
    Gap(String, EdgeId),
    Unknown(Why),
}

impl Path {
    pub fn new(config: Config) -> Path {
        Path {
            config,
            condition: Condition::default(),
            inputs: Vector::new(),
            born: Vector::new(),
            known: OrdMap::new(),
        }
    }

    /// An execution that takes the path.
    pub fn trace(&self, m: &mut Machine<'_, '_>) -> Trace {
        Trace { inputs: self.values(m.pool()), births: self.births(m) }
    }

    /// The contents of uninitialised memory, where they matter.
    fn births(&self, m: &mut Machine<'_, '_>) -> Vec<Birth> {
        let mut found = Vec::new();
        for &(id, size) in &self.born {
            let terms: Vec<TermId> = m.stepper.births().get(id).terms().chain([size]).collect();
            if terms.len() == 1 {
                continue;
            }
            let vars = m.pool().free_vars(&terms);
            let model = self.condition.model();
            let values: Assignment =
                vars.into_iter().filter_map(|v| Some((v, model.get(&v)?.clone()))).collect();
            let size = Evaluator::new(m.pool(), &values).eval(size).as_bits().unwrap_or(0) as u64;
            let birth = m.stepper.births().get(id);
            let bytes = birth.bytes(m.stepper.terms(), &values, size);
            if !bytes.is_empty() {
                found.push(Birth { site: Site::Edge(birth.edge, birth.number), bytes });
            }
        }
        found
    }

    /// The values of the inputs, in the order in which they are taken.
    fn values(&self, pool: &Pool) -> Vec<InputValue> {
        let value = |i: &Taken| {
            let model = self.condition.model();
            let vars = pool.free_vars(&[i.term]);
            let chosen: Assignment =
                vars.into_iter().filter_map(|v| Some((v, model.get(&v)?.clone()))).collect();
            let bits = Evaluator::new(pool, &chosen).eval(i.term).as_bits().unwrap_or(0);
            InputValue { name: i.name, ty: i.ty, bits, place: i.place }
        };
        self.inputs.iter().map(value).collect()
    }

    /// The term with the variables replaced that are known to be constant.
    fn simplify(&self, pool: &mut Pool, chain: &mut Chain<'_>, t: TermId) -> TermId {
        if self.known.is_empty() || pool.is_constant(t) {
            return t;
        }
        let vars = chain.vars(pool, t);
        let map: FxHashMap<TermId, TermId> =
            vars.iter().filter_map(|v| self.known.get(v).map(|c| (*v, *c))).collect();
        if map.is_empty() { t } else { pool.substitute(t, &map) }
    }

    /// Adds a literal; says whether the execution can go on.
    pub fn assume(
        &mut self,
        m: &mut Machine<'_, '_>,
        chain: &mut Chain<'_>,
        literal: TermId,
    ) -> Result<bool, Why> {
        let literal = self.simplify(m.pool(), chain, literal);
        match m.pool().as_bool(literal) {
            Some(holds) => return Ok(holds),
            None => match self.condition.feasible(m.pool(), chain, literal) {
                Feasible::Yes(values) => self.add(m, chain, literal, values),
                Feasible::No => return Ok(false),
                Feasible::Unknown(why) => return Err(why),
            },
        }
        Ok(true)
    }

    fn add(
        &mut self,
        m: &mut Machine<'_, '_>,
        chain: &mut Chain<'_>,
        literal: TermId,
        values: Vec<(TermId, Value)>,
    ) {
        self.condition.add(m.pool(), chain, literal, values);
        if let Some((v, constant)) = defines(m.pool(), literal) {
            self.known.insert(v, constant);
            let known = FxHashMap::from_iter([(v, constant)]);
            let State { globals, locals, .. } = &mut self.config.state;
            for vars in [globals, locals] {
                let uses: Vec<_> = vars
                    .iter()
                    .filter(|(_, t)| chain.vars(m.pool(), **t).contains(&v))
                    .map(|(x, t)| (*x, *t))
                    .collect();
                for (x, t) in uses {
                    let t = m.pool().substitute(t, &known);
                    vars.insert(x, t);
                }
            }
        }
    }

    /// Adds what was assumed by the last operation.
    fn absorb(&mut self, m: &mut Machine<'_, '_>, chain: &mut Chain<'_>) -> Result<bool, Why> {
        for literal in m.take_guard(&mut self.config) {
            if !self.assume(m, chain, literal)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Takes a step. What was undefined on the way is added to `remarks`.
    pub fn advance(
        mut self,
        m: &mut Machine<'_, '_>,
        chain: &mut Chain<'_>,
        remarks: &mut Vec<Obligation>,
    ) -> (Option<Path>, Moved) {
        let program = m.program;
        if m.at_exit(&self.config) {
            return match m.leave(&mut self.config) {
                Some(()) => (Some(self), Moved::On(Hop::Leave)),
                None => (Some(self), Moved::Over),
            };
        }
        let out = &program.locs[self.config.at].out;
        match (out.first(), &out[..]) {
            (None, _) => (Some(self), Moved::Over),
            (Some(&e), [_]) => match &program.edges[e].op {
                Op::Call { callee: Callee::Func(f), .. } if program.funcs[*f].body.is_some() => {
                    let hop = Hop::Enter { edge: e, func: *f, decided: true };
                    let entered = m.enter(&mut self.config, e, *f);
                    self.after(m, chain, remarks, entered, hop)
                }
                Op::Call { callee: Callee::Ptr { .. }, .. } => self.through_pointer(m, chain, remarks, e),
                _ => {
                    let fixed = self.fix(m, chain, e);
                    let done = m.execute(&mut self.config, e);
                    m.stepper.unplace();
                    self.born.extend(m.born.take());
                    if done.is_some()
                        && let Some(dst) = m.taken(e)
                    {
                        let name = match &program.edges[e].op {
                            Op::Input { name, .. } => *name,
                            Op::Call { callee: Callee::Func(f), .. } => program.funcs[*f].name,
                            _ => unreachable!("only these take inputs"),
                        };
                        let var = &program.vars[dst];
                        let map = if var.owner.is_none() {
                            &self.config.state.globals
                        } else {
                            &self.config.state.locals
                        };
                        let term = map[&dst];
                        let place = program.edges[e].place;
                        self.inputs.push_back(Taken { term, ty: var.ty, name, place });
                    }
                    self.after(m, chain, remarks, done, Hop::Edge(e, fixed))
                }
            },
            (Some(_), edges) => {
                let edges = edges.to_vec();
                self.branch(m, chain, remarks, &edges)
            }
        }
    }

    /// The values of the deciding expressions, as far as they are constant; where the condition
    /// makes one constant that is told to the machine.
    fn fix(&mut self, m: &mut Machine<'_, '_>, chain: &mut Chain<'_>, e: EdgeId) -> Vec<TermId> {
        let mut fixed = Vec::new();
        for x in deciding(&m.program.edges[e].op) {
            let mut scratch = self.config.state.clone();
            let Some(t) = m.stepper.value(x, &mut scratch, e) else { break };
            m.obligations();
            let known = self.simplify(m.pool(), chain, t);
            let known = self.unique(m.pool(), chain, known);
            if known != t {
                m.stepper.place(t, known);
            }
            fixed.push(known);
        }
        fixed
    }

    /// The constant that the condition makes of a term, if it is one.
    fn unique(&self, pool: &mut Pool, chain: &mut Chain<'_>, t: TermId) -> TermId {
        if pool.is_constant(t) {
            return t;
        }
        let vars = chain.vars(pool, t);
        if self.condition.slice(pool, chain, &vars).is_empty() {
            return t;
        }
        let model = self.condition.model();
        let values = vars.iter().filter_map(|v| Some((*v, model.get(v)?.clone()))).collect();
        let value = Evaluator::new(pool, &values).eval(t);
        let value = pool.value(&value);
        let other = pool.ne(t, value);
        match self.condition.ask(pool, chain, other) {
            Feasible::No => value,
            _ => t,
        }
    }

    /// Looks at what an operation met and assumed.
    fn after(
        mut self,
        m: &mut Machine<'_, '_>,
        chain: &mut Chain<'_>,
        remarks: &mut Vec<Obligation>,
        done: Option<()>,
        hop: Hop,
    ) -> (Option<Path>, Moved) {
        let mut ends = done.is_none();
        let obligations = m.obligations();
        for o in obligations {
            match o.kind {
                ObligationKind::Error(_) => return (Some(self), Moved::Error(o.edge)),
                ObligationKind::Gap(what) => return (Some(self), Moved::Gap(what, o.edge)),
                _ => remarks.push(o),
            }
        }
        if let Hop::Edge(e, _) = hop
            && !m.program.edges[e].op.returns()
        {
            return (Some(self), Moved::Over);
        }
        if !ends {
            match self.absorb(m, chain) {
                Ok(on) => ends = !on,
                Err(why) => return (None, Moved::Unknown(why)),
            }
        }
        if ends { (Some(self), Moved::Dead(hop)) } else { (Some(self), Moved::On(hop)) }
    }

    fn branch(
        mut self,
        m: &mut Machine<'_, '_>,
        chain: &mut Chain<'_>,
        remarks: &mut Vec<Obligation>,
        edges: &[EdgeId],
    ) -> (Option<Path>, Moved) {
        let program = m.program;
        let side = |wanted: bool| {
            edges
                .iter()
                .copied()
                .find(|&e| matches!(program.edges[e].op, Op::Assume { holds, .. } if holds == wanted))
        };
        let (Some(yes), Some(no)) = (side(true), side(false)) else {
            return (Some(self), Moved::Gap("a location with edges that are no branch".into(), edges[0]));
        };
        let Op::Assume { cond, .. } = program.edges[yes].op else { unreachable!("just found") };
        let value = m.stepper.value(cond, &mut self.config.state, yes);
        remarks.extend(m.obligations());
        let hop = |edge, decided| Hop::Branch { edge, decided };
        let Some(value) = value else { return (Some(self), Moved::Dead(hop(yes, true))) };
        match self.absorb(m, chain) {
            Ok(true) => {}
            Ok(false) => return (Some(self), Moved::Dead(hop(yes, true))),
            Err(why) => return (None, Moved::Unknown(why)),
        }
        let value = self.simplify(m.pool(), chain, value);
        if let Some(known) = m.pool().as_bool(value) {
            let edge = if known { yes } else { no };
            m.go(&mut self.config, edge);
            return (Some(self), Moved::On(hop(edge, true)));
        }
        // The model at hand satisfies one side; only the other one is a question.
        let negated = m.pool().not(value);
        let holds = self.condition.holds_in_model(m.pool(), chain, value);
        let (sure, sure_edge, open, open_edge) =
            if holds { (value, yes, negated, no) } else { (negated, no, value, yes) };
        match self.condition.ask(m.pool(), chain, open) {
            Feasible::No => {
                // What follows from the condition need not be added, unless it is worth knowing.
                if defines(m.pool(), sure).is_some() {
                    self.add(m, chain, sure, Vec::new());
                }
                m.go(&mut self.config, sure_edge);
                (Some(self), Moved::On(hop(sure_edge, true)))
            }
            Feasible::Unknown(why) => (None, Moved::Unknown(why)),
            Feasible::Yes(values) => {
                let mut other = self.clone();
                self.add(m, chain, sure, Vec::new());
                other.add(m, chain, open, values);
                let mut way = |mut path: Path, edge| {
                    let known = m.ended.len();
                    m.go(&mut path.config, edge);
                    Way { hop: hop(edge, false), path, ended: m.ended.split_off(known) }
                };
                let mut ways = vec![way(self, sure_edge), way(other, open_edge)];
                if !holds {
                    ways.reverse();
                }
                (None, Moved::Fork(ways, Vec::new()))
            }
        }
    }

    fn through_pointer(
        mut self,
        m: &mut Machine<'_, '_>,
        chain: &mut Chain<'_>,
        remarks: &mut Vec<Obligation>,
        e: EdgeId,
    ) -> (Option<Path>, Moved) {
        let Op::Call { callee: Callee::Ptr { target, sig }, .. } = &m.program.edges[e].op else {
            return (Some(self), Moved::Over);
        };
        let p = m.stepper.value(*target, &mut self.config.state, e);
        remarks.extend(m.obligations());
        match self.absorb(m, chain) {
            Ok(true) => {}
            Ok(false) => return (Some(self), Moved::Over),
            Err(why) => return (None, Moved::Unknown(why)),
        }
        let Some(p) = p else { return (Some(self), Moved::Over) };
        let p = self.simplify(m.pool(), chain, p);
        let callees = m.stepper.callees(p, sig, &self.config.state);
        let (mut ways, mut refused) = (Vec::new(), Vec::new());
        for (when, f) in callees {
            if m.program.funcs[f].body.is_none() {
                let what = format!("a call of {} through a pointer", m.program.funcs[f].name);
                return (Some(self), Moved::Gap(what, e));
            }
            let hop = |decided| Hop::Enter { edge: e, func: f, decided };
            let mut way = self.clone();
            match way.assume(m, chain, when) {
                Ok(true) => match m.enter(&mut way.config, e, f) {
                    Some(()) => match way.after(m, chain, remarks, Some(()), hop(false)) {
                        (Some(path), Moved::On(hop)) => ways.push(Way { hop, path, ended: Vec::new() }),
                        (_, Moved::Unknown(why)) => return (None, Moved::Unknown(why)),
                        _ => return (Some(self), Moved::Gap("arguments that are undefined".into(), e)),
                    },
                    None => return (Some(self), Moved::Gap("arguments that are undefined".into(), e)),
                },
                Ok(false) => refused.push(hop(true)),
                Err(why) => return (None, Moved::Unknown(why)),
            }
        }
        match (ways.len(), m.pool().is_constant(p)) {
            (0, _) => (Some(self), Moved::Dead(Hop::Edge(e, vec![p]))),
            (1, true) => {
                let path = ways.remove(0).path;
                let func = path.config.func;
                (Some(path), Moved::On(Hop::Enter { edge: e, func, decided: true }))
            }
            _ => (None, Moved::Fork(ways, refused)),
        }
    }
}

/// The variable that a literal makes constant, and the constant.
pub fn defines(pool: &Pool, literal: TermId) -> Option<(TermId, TermId)> {
    match (pool.op(literal), pool.args(literal)) {
        (TermOp::Eq, &[a, b]) if pool.is_var(a) && pool.is_constant(b) => Some((a, b)),
        (TermOp::Eq, &[a, b]) if pool.is_var(b) && pool.is_constant(a) => Some((b, a)),
        _ => None,
    }
}
