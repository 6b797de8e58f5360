//! A search that is over, as the plain data that is shown to people
//! ([`cairn_core::Explanation`]): the tree in terms of the program.

use std::collections::BTreeMap;

use cairn_core::explain::{self, Explanation, Figures, Formulas, Numbers};
use cairn_graph::reach::Node;
use cairn_ir::{Op, Program};
use cairn_summary::Vertex;
use cairn_term::{Pool, TermId};
use rustc_hash::FxHashMap;

use crate::art::{Art, Prefix};
use crate::journal::Journal;
use crate::model::{Context, Meaning, Model, Reading};
use crate::search::{End, Statistics, Stop};

/// A search that is over.
pub struct Course<'a> {
    pub program: &'a Program,
    pub model: &'a Model,
    pub pool: &'a Pool,
    pub art: &'a Art,
    pub statistics: &'a Statistics,
    pub end: &'a End,
}

impl Course<'_> {
    pub fn explain(&self, journal: Journal) -> Explanation {
        let Statistics { tests, dead_ends, covers, uncovers, .. } = *self.statistics;
        let formulas = Formulas { pool: self.pool.clone(), names: self.names() };
        let mut steps = BTreeMap::new();
        for n in self.art.ids() {
            if let Some(s) = self.art.get(n).step {
                steps.entry(s).or_insert_with(|| self.step(&formulas, s));
            }
        }
        let heads = self.model.heads();
        let vertices = (0..self.model.places.len() as Vertex).map(|v| explain::Vertex {
            place: self.place(v),
            is_head: heads.contains(&v),
            is_target: v == self.model.target,
        });
        Explanation {
            numbers: match self.model.reading {
                Reading::Ideal => Numbers::Integers,
                Reading::Exact => Numbers::WrapAround,
            },
            nodes: self.art.ids().map(|n| node(self.art.get(n))).collect(),
            vertices: vertices.collect(),
            steps,
            entries: journal.entries,
            left_out: journal.left_out,
            figures: Figures { tests, dead_ends, covers, uncovers },
            outcome: self.outcome(),
            formulas,
        }
    }

    fn outcome(&self) -> String {
        match self.end {
            End::Safe => "Every path is a dead end or covered: in this reading there is no way to the error. The \
                          labels at the heads of loops are candidates for invariants, which are confirmed over bits."
                .to_owned(),
            End::Failed(_) => {
                "The program was run on the inputs of the last test, and reached the error.".to_owned()
            }
            End::Found(..) => "The last test reached the error along a way that other inputs take in the program \
                               itself, memory included."
                .to_owned(),
            End::Spurious(_) => {
                "The last test reached the error, but no execution of the program takes that way.".to_owned()
            }
            End::Undecided => "The summary of the whole program does not exclude the error.".to_owned(),
            End::Stopped(Stop::Limit(limit)) => {
                format!("The search was stopped: {}.", cairn_core::Why::limit(*limit).reason)
            }
            End::Stopped(Stop::Solver(why)) => format!("The search was stopped: the solver gave up ({why})."),
            End::Stopped(Stop::Skipped) => {
                "The search was stopped: the error may be reached behind calls that were not followed.".to_owned()
            }
            End::Stopped(Stop::TooLarge) => "The search was stopped: the tree grew too large.".to_owned(),
        }
    }

    /// How the variables of the search are shown: by their names in the program, with the activation
    /// where several have the same.
    fn names(&self) -> FxHashMap<TermId, String> {
        let program = self.program;
        let plain = |meaning: &Meaning| match *meaning {
            Meaning::Var(context, v) => {
                (program.show_var(v), program.vars[v].owner.map_or(Context(0), |_| context))
            }
            Meaning::Result(context) => ("result".to_owned(), context),
            Meaning::Gas => ("gas".to_owned(), Context(0)),
        };
        let mut uses: FxHashMap<String, usize> = FxHashMap::default();
        for meaning in self.model.meanings.values() {
            *uses.entry(plain(meaning).0).or_default() += 1;
        }
        let name = |meaning: &Meaning| match plain(meaning) {
            (name, Context(n)) if n > 0 && uses[&name] > 1 => format!("{name}@{n}"),
            (name, _) => name,
        };
        self.model.meanings.iter().map(|(&x, meaning)| (x, name(meaning))).collect()
    }

    /// `line 7`, and the function if it is not the first.
    fn place(&self, v: Vertex) -> String {
        let (program, model) = (self.program, self.model);
        let Some((context, at)) = model.places[v as usize] else {
            return if v == model.target { String::new() } else { "start".to_owned() };
        };
        let location = &program.locs[at];
        let edges = location.out.iter().chain(&location.inn).map(|&e| program.edges[e].place);
        let line = location.loop_stmt.into_iter().chain(edges).find(|p| !p.is_none()).map(|p| p.line);
        let mut text = line.map_or_else(|| at.to_string(), |n| format!("line {n}"));
        if context.0 > 0 {
            text += &format!(" in {}", program.funcs[location.func].name);
        }
        text
    }

    /// What a step of the graph does, in the style of C, and what its unknowns are called.
    fn step(&self, formulas: &Formulas, s: usize) -> explain::Step {
        let (program, step) = (self.program, &self.model.steps[s]);
        let texts = step.edges.iter().map(|&e| match program.edges[e].op {
            Op::Assume { cond, holds } => format!("[{}]", program.show_cond(cond, holds)),
            _ => program.show_edge(e),
        });
        let texts: Vec<String> = texts.filter(|t| !t.is_empty()).collect();
        let text = texts.join("; ").replace("__VERIFIER_", "");
        let unknown = |u: TermId| {
            // The variable that gets it says more than the function that gave it.
            let receiver = step.weight.assign.iter().find(|(_, t)| **t == u).map(|(x, _)| *x);
            let input = step.inputs.iter().find(|i| i.term == Some(u));
            match (receiver, input) {
                (None, Some(input)) => {
                    let name = input.name.as_str();
                    format!("{}()", name.strip_prefix("__VERIFIER_").unwrap_or(name))
                }
                (x, _) => formulas.name(x.unwrap_or(u)).unwrap_or_default(),
            }
        };
        let unknowns = step.weight.unknowns(self.pool, &self.model.space);
        explain::Step {
            text: if step.exact { text } else { format!("≈ {text}") },
            unknowns: unknowns.into_iter().map(unknown).collect(),
        }
    }
}

fn node(node: &Node<Prefix>) -> explain::Node {
    explain::Node {
        parent: node.parent.zip(node.step),
        vertex: node.vertex,
        depth: node.depth,
        children: node.children.clone(),
        label: node.conjuncts.clone(),
        cover: node.cover,
        is_dead_end: node.pruned,
        test: node.test,
    }
}
