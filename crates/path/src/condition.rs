//! Path conditions: literals that hold on the way to a state, and values of the
//! inputs that satisfy them all.
//!
//! A question about some variables concerns only the literals that are connected
//! with them (constraint independence): the values of the others stay as they are.

use cairn_term::{Assignment, Evaluator, Pool, TermId, Value};
use imbl::{OrdMap, OrdSet, Vector};

use cairn_smt::chain::{Chain, Found};
use cairn_smt::ranges::{Arc, mask, read, tidy, write};

#[derive(Clone, Default, Debug)]
pub struct Condition {
    literals: OrdSet<TermId>,
    /// The literals by the variables in them.
    uses: OrdMap<TermId, Vector<TermId>>,
    /// The literals that bound a term, in few words.
    bounds: OrdMap<TermId, Vec<TermId>>,
    /// For variables of which nothing else is said, what these come to if it is one range.
    ranges: OrdMap<TermId, Arc>,
    /// Values that satisfy them all; for variables that are not there any value will do.
    model: OrdMap<TermId, Value>,
}

/// Whether something can hold as well.
pub enum Feasible {
    /// With these values for the variables concerned.
    Yes(Vec<(TermId, Value)>),
    No,
    Unknown(cairn_smt::Why),
}

impl Condition {
    pub fn literals(&self) -> impl Iterator<Item = TermId> + '_ {
        self.literals.iter().copied()
    }

    pub fn model(&self) -> &OrdMap<TermId, Value> {
        &self.model
    }

    /// Adds a literal that holds with some values, see [`Condition::feasible`]. Of literals that bound
    /// the same term only what they say together is kept: a loop that asks `i < n` in each turn
    /// leaves one.
    pub fn add(
        &mut self,
        pool: &mut Pool,
        chain: &mut Chain<'_>,
        literal: TermId,
        values: Vec<(TermId, Value)>,
    ) {
        for (v, value) in values {
            self.model.insert(v, value);
        }
        if self.literals.contains(&literal) {
            return;
        }
        let Some((term, arc)) = read(pool, literal) else { return self.insert(pool, chain, literal) };
        let m = mask(pool.width(term));
        let range = match self.range(pool, term) {
            Some(known) => known.meet(arc, m).flatten(),
            None => None,
        };
        let old = self.bounds.get(&term).cloned().unwrap_or_default();
        let together = match range {
            Some(range) => {
                let mut said = Vec::new();
                write(pool, term, range, &mut said);
                said
            }
            None => {
                let all: Vec<TermId> = old.iter().copied().chain([literal]).collect();
                tidy(pool, &all).unwrap_or(all)
            }
        };
        for &t in old.iter().filter(|t| !together.contains(t)) {
            self.remove(pool, chain, t);
        }
        for &t in together.iter().filter(|t| !old.contains(t)) {
            self.insert(pool, chain, t);
        }
        self.bounds.insert(term, together);
        if let Some(range) = range {
            self.ranges.insert(term, range);
        }
    }

    /// The range of a variable, if that is all that is said of it.
    fn range(&self, pool: &Pool, v: TermId) -> Option<Arc> {
        if !pool.is_var(v) {
            return None;
        }
        match self.uses.get(&v) {
            None => Some(Arc::full(mask(pool.width(v)))),
            Some(uses) if uses.is_empty() => Some(Arc::full(mask(pool.width(v)))),
            Some(_) => self.ranges.get(&v).copied(),
        }
    }

    fn insert(&mut self, pool: &Pool, chain: &mut Chain<'_>, literal: TermId) {
        if self.literals.insert(literal).is_none() {
            for &v in chain.vars(pool, literal).iter() {
                self.ranges.remove(&v);
                self.uses.entry(v).or_default().push_back(literal);
            }
        }
    }

    fn remove(&mut self, pool: &Pool, chain: &mut Chain<'_>, literal: TermId) {
        self.literals.remove(&literal);
        for v in chain.vars(pool, literal).iter() {
            if let Some(list) = self.uses.get_mut(v) {
                list.retain(|t| *t != literal);
            }
        }
    }

    /// The literals that are connected with these variables.
    pub fn slice(&self, pool: &Pool, chain: &mut Chain<'_>, vars: &[TermId]) -> Vec<TermId> {
        let mut found = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        let mut known: rustc_hash::FxHashSet<TermId> = vars.iter().copied().collect();
        let mut work = vars.to_vec();
        while let Some(v) = work.pop() {
            for &literal in self.uses.get(&v).into_iter().flatten() {
                if seen.insert(literal) {
                    found.push(literal);
                    work.extend(chain.vars(pool, literal).iter().filter(|v| known.insert(**v)));
                }
            }
        }
        found
    }

    /// Does the term hold for the values at hand?
    pub fn holds_in_model(&self, pool: &Pool, chain: &mut Chain<'_>, t: TermId) -> bool {
        if let Some((v, arc)) = read(pool, t)
            && pool.is_var(v)
        {
            let value = match self.model.get(&v) {
                Some(Value::Bits(_, bits)) => *bits,
                _ => 0,
            };
            return arc.has(value, mask(pool.width(v)));
        }
        let vars = chain.vars(pool, t);
        let values: Assignment =
            vars.iter().filter_map(|v| self.model.get(v).map(|value| (*v, value.clone()))).collect();
        Evaluator::new(pool, &values).holds(t)
    }

    /// Can the term hold as well?
    pub fn feasible(&self, pool: &Pool, chain: &mut Chain<'_>, t: TermId) -> Feasible {
        if self.holds_in_model(pool, chain, t) {
            return Feasible::Yes(Vec::new());
        }
        self.ask(pool, chain, t)
    }

    /// The same, if it is known not to hold for the values at hand.
    pub fn ask(&self, pool: &Pool, chain: &mut Chain<'_>, t: TermId) -> Feasible {
        if let Some((v, arc)) = read(pool, t)
            && let Some(known) = self.range(pool, v)
        {
            let width = pool.width(v);
            match known.meet(arc, mask(width)) {
                Some(Some(met)) => return Feasible::Yes(vec![(v, Value::Bits(width, met.some()))]),
                Some(None) => return Feasible::No,
                None => {}
            }
        }
        let vars = chain.vars(pool, t);
        let mut query = self.slice(pool, chain, &vars);
        query.push(t);
        match chain.check(pool, &query) {
            Found::Sat(model) => Feasible::Yes(model.to_vec()),
            Found::Unsat => Feasible::No,
            Found::Unknown(why) => Feasible::Unknown(why),
        }
    }

    /// Does the condition imply the term?
    pub fn implies(&self, pool: &mut Pool, chain: &mut Chain<'_>, t: TermId) -> bool {
        if let Some(known) = pool.as_bool(t) {
            return known;
        }
        if self.literals.contains(&t) {
            return true;
        }
        let not = pool.not(t);
        if self.holds_in_model(pool, chain, not) {
            return false;
        }
        matches!(self.ask(pool, chain, not), Feasible::No)
    }
}
