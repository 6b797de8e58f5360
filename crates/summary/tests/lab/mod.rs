//! Hand-written loops and questions about their stars.
#![allow(dead_code)] // each test file uses its part

use std::collections::BTreeMap;

use cairn_base::Budget;
use cairn_smt::z3::Z3;
use cairn_smt::{Answer, Solver};
use cairn_summary::star::Stars;
use cairn_summary::{Edge, Graph, Options, Space, Summaries, Transition, Vertex, summarise};
use cairn_term::{Evaluator, Pool, TermId, Value};
use num_bigint::BigInt;

pub struct Lab {
    pub pool: Pool,
    pub space: Space,
    pub solver: Z3,
    pub options: Options,
}

pub type State = Vec<BigInt>;

impl Lab {
    /// With these variables, separated by blanks.
    pub fn new(vars: &str) -> Lab {
        let mut pool = Pool::new();
        let vars = vars.split_whitespace().map(|v| pool.int_var(v)).collect();
        Lab { pool, space: Space::new(vars), solver: Z3::new(), options: Options::default() }
    }

    pub fn term(&mut self, text: &str) -> TermId {
        for name in ["u", "w", "c", "d"] {
            self.pool.int_var(name);
        }
        cairn_term::parse::term(&mut self.pool, text).unwrap_or_else(|e| panic!("{text}: {e:?}"))
    }

    /// A transition from its guard and `x := t; ...`. The names `u`, `w`, `c`, `d` are unknowns if
    /// the space does not have them.
    pub fn step(&mut self, guard: &str, assign: &str) -> Transition {
        let guard = self.term(guard);
        let mut map = BTreeMap::new();
        for part in assign.split(';').map(str::trim).filter(|p| !p.is_empty()) {
            let (v, t) = part.split_once(":=").expect("an assignment");
            let v = self.pool.int_var(v.trim());
            assert!(self.space.has(v));
            let t = self.term(t.trim());
            map.insert(v, t);
        }
        Transition { guard, assign: map }
    }

    pub fn star(&mut self, body: &Transition) -> Transition {
        let budget = Budget::default();
        let mut stars = Stars::new(&self.space, &self.options, self.options.hints.clone(), &budget);
        stars.star(&mut self.pool, body)
    }

    pub fn summarise(
        &mut self,
        vertices: u32,
        edges: Vec<(Vertex, Vertex, Transition)>,
        target: Vertex,
    ) -> Summaries {
        let edges = edges.into_iter().map(|(src, dst, weight)| Edge { src, dst, weight }).collect();
        let graph = Graph { space: self.space.clone(), vertices, edges, entry: 0, target };
        summarise(&graph, &mut self.pool, &self.options, &Budget::default()).expect("no limit")
    }

    pub fn possible(&mut self, formula: TermId) -> bool {
        self.solver.push();
        self.solver.assert(&self.pool, formula);
        let answer = self.solver.check(&self.pool, &[], &Budget::default());
        self.solver.pop();
        match answer {
            Answer::Sat => true,
            Answer::Unsat => false,
            Answer::Unknown(why) => panic!("{why}"),
        }
    }

    /// A formula about the state before a step and, by primed names, the one after it.
    fn about(&mut self, step: &Transition, text: &str) -> TermId {
        for v in self.space.vars().to_vec() {
            let name = format!("{}'", self.pool.text(v));
            self.pool.int_var(&name);
        }
        let vars = self.space.vars().to_vec();
        let text = quote_primes(text);
        let formula = self.term(&text);
        let mut map = rustc_hash::FxHashMap::default();
        for v in vars {
            let name = format!("{}'", self.pool.text(v));
            let primed = self.pool.int_var(&name);
            map.insert(primed, step.after(v));
        }
        self.pool.substitute(formula, &map)
    }

    /// Can a step do this? (Primed names are about the state after it.)
    pub fn can(&mut self, step: &Transition, text: &str) -> bool {
        let formula = self.about(step, text);
        let both = self.pool.and(&[step.guard, formula]);
        self.possible(both)
    }

    /// Does every step do this?
    pub fn always(&mut self, step: &Transition, text: &str) -> bool {
        let formula = self.about(step, text);
        let not = self.pool.not(formula);
        let both = self.pool.and(&[step.guard, not]);
        !self.possible(both)
    }

    /// Can a step lead from one state to another?
    pub fn leads(&mut self, step: &Transition, from: &State, to: &State) -> bool {
        let mut parts = vec![step.guard];
        for (n, &v) in self.space.vars().to_vec().iter().enumerate() {
            let (a, b) = (self.pool.int(from[n].clone()), self.pool.int(to[n].clone()));
            parts.push(self.pool.eq(v, a));
            parts.push(self.pool.eq(step.after(v), b));
        }
        let all = self.pool.and(&parts);
        self.possible(all)
    }

    /// Some pairs of states that a step connects: each differs from the ones before in some
    /// variable after it.
    pub fn pairs(&mut self, step: &Transition, count: usize) -> Vec<(State, State)> {
        let mut out = Vec::new();
        let vars = self.space.vars().to_vec();
        let mut all = self.pool.free_vars(&[step.guard]);
        all.extend(self.pool.free_vars(&step.assign.values().copied().collect::<Vec<_>>()));
        all.extend(&vars);
        self.solver.push();
        self.solver.assert(&self.pool, step.guard);
        while out.len() < count && self.solver.check(&self.pool, &[], &Budget::default()) == Answer::Sat {
            let model = self.solver.model(&self.pool, &all).expect("a model");
            let mut e = Evaluator::new(&self.pool, &model);
            let mut value = |t: TermId| match e.eval(t) {
                Value::Int(n) => n,
                other => panic!("{other:?}"),
            };
            let before: State = vars.iter().map(|&v| value(v)).collect();
            let after: State = vars.iter().map(|&v| value(step.after(v))).collect();
            let mut differ = Vec::new();
            for (n, &v) in vars.iter().enumerate() {
                let (a, b) = (self.pool.int(before[n].clone()), self.pool.int(after[n].clone()));
                differ.push(self.pool.ne(v, a));
                differ.push(self.pool.ne(step.after(v), b));
            }
            let differ = self.pool.or(&differ);
            self.solver.assert(&self.pool, differ);
            out.push((before, after));
        }
        self.solver.pop();
        out
    }

    /// The conditions of soundness: identity, turns up to four, and closure under one more turn.
    pub fn check_sound(&mut self, body: &Transition, star: &Transition, what: &str) {
        let space = self.space.clone();
        let mut turns = Transition::identity();
        for n in 0..5 {
            for (a, b) in self.pairs(&turns, 4) {
                assert!(self.leads(star, &a, &b), "{what}: {n} turns lead from {a:?} to {b:?}");
            }
            turns = turns.then(body, &mut self.pool, &space);
        }
        for longer in [body.then(star, &mut self.pool, &space), star.then(body, &mut self.pool, &space)] {
            for (a, b) in self.pairs(&longer, 6) {
                assert!(self.leads(star, &a, &b), "{what}: not closed from {a:?} to {b:?}");
            }
        }
    }

    /// The star of a loop, checked.
    pub fn sound_star(&mut self, guard: &str, assign: &str) -> Transition {
        let body = self.step(guard, assign);
        let star = self.star(&body);
        self.check_sound(&body, &star, &format!("while ({guard}) {{ {assign} }}"));
        star
    }
}

/// Primes are no part of plain symbols.
fn quote_primes(text: &str) -> String {
    let mut out = String::new();
    let mut word = String::new();
    for c in text.chars().chain([' ']) {
        if c.is_alphanumeric() || c == '_' {
            word.push(c);
        } else if c == '\'' {
            out.push_str(&format!("|{}'|", std::mem::take(&mut word)));
        } else {
            out.push_str(&std::mem::take(&mut word));
            out.push(c);
        }
    }
    out
}
