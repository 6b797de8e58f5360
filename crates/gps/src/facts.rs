//! From what the search knows at the heads of loops to conditions of the program.
//!
//! A complete tree is a proof over the integers. At the head of a loop its
//! invariant is the disjunction of the labels there, or that the summary
//! excludes the target (the complement of a backward summary is inductive, since
//! going round once more is part of every closure). Gas is chosen as large as one
//! likes, so the invariant without it holds for all amounts of it. What an
//! independent check over bits needs are conditions of the IR, and these are
//! made here: sums in a type in which they cannot wrap, and equations also in the
//! variables' own type, where they survive wrap-around.

use std::collections::{BTreeMap, BTreeSet};

use cairn_base::Budget;
use cairn_encode::write::Writer;
use cairn_induct::Candidates;
use cairn_ir::{BinOp, ExprId, ExprPool, IntTy, LocId, Program, Ty, VarId};
use cairn_smt::arith::{conjuncts, eliminate};
use cairn_smt::z3::Z3;
use cairn_summary::hull::{Part, hull};
use cairn_summary::{Summaries, Vertex};
use cairn_term::{Op, Pool, Sort, TermId};
use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use crate::art::Art;
use crate::model::{Context, Meaning, Model};
use crate::select::{Conditions, Selected, select};

/// Conditions a head may have.
const MOST_FACTS: usize = 60;
/// Terms a condition may be made of.
const LARGEST: usize = 400;

/// Variables that are looked at together, and questions about them.
const VARIABLES: usize = 12;
const QUESTIONS: u64 = 300;

/// Which of all that is known. The simple things are tried first, because bits like them.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Which {
    /// Equations and bounds of single variables that follow from the ways from the entry.
    Plain,
    /// Also bounds of sums and differences.
    Simple,
    /// What the tree and the summaries say of the ways to the target: it should be a proof.
    Proof,
    All,
}

pub struct Source<'a> {
    model: &'a Model,
    summaries: &'a Summaries,
    art: &'a Art,
    budget: &'a Budget,
    /// What was found already: equations and bounds, by part, and what excludes the target.
    hulls: BTreeMap<(Vertex, bool), Vec<TermId>>,
    backwards: BTreeMap<Vertex, Vec<TermId>>,
}

impl<'a> Source<'a> {
    pub fn new(model: &'a Model, summaries: &'a Summaries, art: &'a Art, budget: &'a Budget) -> Source<'a> {
        Source { model, summaries, art, budget, hulls: BTreeMap::new(), backwards: BTreeMap::new() }
    }

    /// What probably holds at the heads of loops, and whether that is all a proof should need. The
    /// expressions are added to `exprs`.
    pub fn candidates(
        &mut self,
        program: &Program,
        pool: &mut Pool,
        exprs: &mut ExprPool,
        which: Which,
    ) -> (Candidates, bool) {
        let mut found = Candidates::new();
        let heads = self.model.heads();
        let mut by_loc: BTreeMap<LocId, Vec<(Context, Vertex)>> = BTreeMap::new();
        for &v in &heads {
            if let Some((context, at)) = self.model.places[v as usize] {
                by_loc.entry(at).or_default().push((context, v));
            }
        }
        let mut conditions = Conditions::new();
        for &(context, v) in by_loc.values().filter(|places| places.len() == 1).flatten() {
            conditions.insert(v, self.at(pool, program, context, v, which));
        }
        // What is a proof over the integers needs no company.
        let mut sure = false;
        if let Some(proof) = select(self.model, pool, conditions.clone(), which == Which::All, self.budget) {
            Selected { conditions, sure } = proof;
        }
        for (at, places) in by_loc {
            let mut facts = Vec::new();
            if let [(context, v)] = places[..] {
                for &formula in conditions.get(&v).into_iter().flatten() {
                    self.translate(program, pool, exprs, context, formula, &mut facts);
                }
            }
            facts.truncate(MOST_FACTS);
            found.insert(at, facts);
        }
        (found, sure)
    }

    /// Formulas that hold at a vertex, over variables that are visible there.
    fn at(
        &mut self,
        pool: &mut Pool,
        program: &Program,
        context: Context,
        v: Vertex,
        which: Which,
    ) -> Vec<TermId> {
        let mut found = match which {
            Which::Plain => return self.simple(pool, program, context, v, &[Part::Single]),
            Which::Simple => return self.simple(pool, program, context, v, &[Part::Single, Part::Pairs]),
            Which::Proof => return self.backward(pool, program, context, v),
            Which::All => self.simple(pool, program, context, v, &[Part::Single, Part::Pairs]),
        };
        found.extend(self.backward(pool, program, context, v));
        found.extend(self.forward(pool, program, context, v));
        for n in self.art.ids() {
            if self.art.get(n).vertex == v {
                found.extend(&self.art.get(n).conjuncts);
            }
        }
        let mut seen = BTreeSet::new();
        found.retain(|t| seen.insert(*t));
        found
    }

    fn visible(&self, program: &Program, context: Context, x: TermId) -> bool {
        match self.model.meanings.get(&x) {
            Some(&Meaning::Var(c, v)) => c == context || program.vars[v].owner.is_none(),
            _ => false,
        }
    }

    /// Not on the way to the target: neither by a label nor by the summary.
    fn backward(&mut self, pool: &mut Pool, program: &Program, context: Context, v: Vertex) -> Vec<TermId> {
        if let Some(known) = self.backwards.get(&v) {
            return known.clone();
        }
        let mut parts = vec![self.summaries.to_target[v as usize]];
        for n in self.art.ids() {
            let node = self.art.get(n);
            if node.vertex == v && !node.pruned && (!node.children.is_empty() || node.cover.is_some()) {
                let label = self.art.label(pool, n);
                parts.push(pool.not(label));
            }
        }
        for (&x, meaning) in &self.model.meanings {
            if *meaning == Meaning::Gas {
                let zero = pool.int(0);
                parts.push(pool.int_le(zero, x));
            }
        }
        let bad = pool.and(&parts);
        let hidden: Vec<TermId> =
            pool.free_vars(&[bad]).into_iter().filter(|&x| !self.visible(program, context, x)).collect();
        // Gas and unknowns are quantified; so are, against the proof's favour, variables of other
        // activations: the result is then merely a guess that the check will drop.
        let found = match eliminate(pool, &mut Z3::new(), &hidden, bad, self.budget) {
            Ok(bad) => {
                let good = pool.not(bad);
                conjuncts(pool, good)
            }
            Err(_) => Vec::new(),
        };
        self.backwards.insert(v, found.clone());
        found
    }

    /// What the summary of the ways from the entry says in simple words, and the label if there is
    /// but one.
    fn simple(
        &mut self,
        pool: &mut Pool,
        program: &Program,
        context: Context,
        v: Vertex,
        parts: &[Part],
    ) -> Vec<TermId> {
        let mut found = Vec::new();
        for &part in parts {
            let key = (v, part == Part::Pairs);
            if !self.hulls.contains_key(&key) {
                let hull = self.hull(pool, program, context, v, part);
                self.hulls.insert(key, hull);
            }
            found.extend(&self.hulls[&key]);
        }
        let mut here = self.art.ids().filter(|&n| {
            let node = self.art.get(n);
            node.vertex == v && !node.pruned
        });
        if let (Some(n), None) = (here.next(), here.next()) {
            found.extend(&self.art.get(n).conjuncts);
        }
        found
    }

    fn hull(
        &self,
        pool: &mut Pool,
        program: &Program,
        context: Context,
        v: Vertex,
        part: Part,
    ) -> Vec<TermId> {
        let vars: Vec<TermId> = self
            .model
            .space
            .vars()
            .iter()
            .copied()
            .filter(|&x| self.visible(program, context, x))
            .take(VARIABLES)
            .collect();
        let hints: Vec<TermId> = self.model.steps.iter().map(|s| s.weight.guard).collect();
        let way = &self.summaries.from_entry[v as usize];
        hull(pool, way, &vars, &hints, part, QUESTIONS, self.budget)
    }

    /// What the summary of the ways from the entry says.
    fn forward(&self, pool: &mut Pool, program: &Program, context: Context, v: Vertex) -> Vec<TermId> {
        let way = &self.summaries.from_entry[v as usize];
        if way.is_never() {
            return Vec::new();
        }
        let mut parts = vec![way.guard];
        let mut back = FxHashMap::default();
        for &x in self.model.space.vars() {
            if self.visible(program, context, x) {
                let sort = pool.sort_id_of(x);
                let now = pool.fresh("now", sort);
                let value = way.after(x);
                parts.push(pool.eq(now, value));
                back.insert(now, x);
            }
        }
        let reached = pool.and(&parts);
        let hidden: Vec<TermId> =
            pool.free_vars(&[reached]).into_iter().filter(|x| !back.contains_key(x)).collect();
        match eliminate(pool, &mut Z3::new(), &hidden, reached, self.budget) {
            Ok(reached) => {
                let reached = pool.substitute(reached, &back);
                conjuncts(pool, reached)
            }
            Err(_) => Vec::new(),
        }
    }

    fn translate(
        &self,
        program: &Program,
        pool: &mut Pool,
        exprs: &mut ExprPool,
        context: Context,
        formula: TermId,
        facts: &mut Vec<ExprId>,
    ) {
        if pool.is_constant(formula) || pool.size(formula) > LARGEST {
            return;
        }
        let mut vars = FxHashMap::default();
        for x in pool.free_vars(&[formula]) {
            match self.model.meanings.get(&x) {
                Some(&Meaning::Var(_, v)) if self.visible(program, context, x) => vars.insert(x, v),
                _ => return,
            };
        }
        let mut equation = Equation { program, exprs, vars: &vars };
        let wide = equation.width(pool, formula);
        let mut made: Vec<ExprId> = equation.wrapping(pool, formula).into_iter().collect();
        made.extend(Writer::new(&program.vars, exprs, &vars, wide).condition(pool, formula));
        for fact in made {
            if exprs.const_bits(fact).is_none() && !facts.contains(&fact) {
                facts.push(fact);
            }
        }
    }
}

/// A formula over integers that is to be computed in types of the IR.
struct Equation<'a> {
    program: &'a Program,
    exprs: &'a mut ExprPool,
    vars: &'a FxHashMap<TermId, VarId>,
}

impl Equation<'_> {
    /// A type in which no sum of the formula wraps.
    fn width(&self, pool: &Pool, formula: TermId) -> IntTy {
        let mut most = BigInt::from(0);
        for t in pool.reachable(&[formula]) {
            if pool.sort(t) == Sort::Int {
                let linear = pool.linear(t);
                let mut sum = BigInt::from(linear.constant.magnitude().clone());
                for (x, factor) in &linear.terms {
                    let bits = self.vars.get(x).map_or(64, |v| match self.program.vars[*v].ty {
                        Ty::Int(i) => i.bits,
                        _ => 1,
                    });
                    sum += BigInt::from(factor.magnitude().clone()) << bits;
                }
                most = most.max(sum);
            }
        }
        if most.bits() < 62 { IntTy::I64 } else { IntTy::I128 }
    }

    fn integer(&self, x: TermId) -> Option<(VarId, IntTy)> {
        let &v = self.vars.get(&x)?;
        match self.program.vars[v].ty {
            Ty::Int(i) => Some((v, i)),
            _ => None,
        }
    }

    /// An equation between variables of one width, modulo that width: it holds also if sums wrap.
    fn wrapping(&mut self, pool: &Pool, t: TermId) -> Option<ExprId> {
        if pool.op(t) != Op::Eq || pool.sort(pool.arg(t, 0)) != Sort::Int {
            return None;
        }
        let vars = pool.free_vars(&[t]);
        let bits = self.integer(*vars.first()?)?.1.bits;
        if vars.len() < 2 || !vars.iter().all(|&x| self.integer(x).is_some_and(|(_, i)| i.bits == bits)) {
            return None;
        }
        let ty = IntTy { bits, signed: false };
        let mut sides = Vec::new();
        for &side in pool.args(t) {
            let linear = pool.linear(side);
            let constant = modulo(&linear.constant, bits);
            let mut sum = self.exprs.constant(Ty::Int(ty), constant);
            for (x, factor) in &linear.terms {
                let (v, _) = self.integer(*x)?;
                let x = self.exprs.var(v);
                let x = self.exprs.cast(Ty::Int(ty), x);
                let factor = self.exprs.constant(Ty::Int(ty), modulo(factor, bits));
                let product = self.exprs.binary(BinOp::Mul, x, factor);
                sum = self.exprs.binary(BinOp::Add, sum, product);
            }
            sides.push(sum);
        }
        Some(self.exprs.binary(BinOp::Eq, sides[0], sides[1]))
    }
}

/// A number as a pattern of so many bits.
fn modulo(n: &BigInt, bits: u8) -> u128 {
    let m = BigInt::from(1) << bits;
    let rest = ((n % &m) + &m) % &m;
    u128::try_from(rest).unwrap_or(0)
}
