//! What a search did, as a picture and a story: the tree with its labels, covers,
//! tests and dead ends, in the manner of Figure 8 of the paper.
//!
//! | module | what it does |
//! |---|---|
//! | `words` | formulas as C programmers write them |
//! | `outline` | which nodes of a large tree are drawn |
//! | `picture` | boxes and arrows |
//! | `narrate` | the journal in sentences |

mod narrate;
mod outline;
mod picture;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use cairn_base::Limit;
use cairn_core::Explanation;
use cairn_ir::{Op, Program};
use cairn_summary::Vertex;
use cairn_term::Pool;

use crate::art::{Art, NodeId};
use crate::journal::{Entry, Journal};
use crate::model::{Model, Reading};
use crate::search::{End, Statistics, Stop};
use outline::Outline;
use words::Words;

/// A search that is over.
pub struct Course<'a> {
    pub program: &'a Program,
    pub model: &'a Model,
    pub pool: &'a Pool,
    pub art: &'a Art,
    pub journal: &'a Journal,
    pub statistics: &'a Statistics,
    pub reading: Reading,
    pub end: &'a End,
}

impl Course<'_> {
    pub fn explain(&self) -> Explanation {
        let story = Story::new(self);
        let outline = Outline::new(self.art, &story.way);
        let numbers = match self.reading {
            Reading::Ideal => "over the integers",
            Reading::Exact => "with wrap-around",
        };
        let mut summary = vec![self.outcome()];
        let left_out = self.art.size() - outline.items.len();
        if left_out > 0 {
            summary.push(format!(
                "The picture has {} boxes for {} nodes: long stretches without a fork are one box, and a note \
                 says where nodes are missing.",
                outline.items.len(),
                self.art.size()
            ));
        }
        Explanation {
            title: format!("The tree of paths, read {numbers}"),
            picture: story.draw(&outline).svg(),
            steps: story.narrate(&outline),
            summary,
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
            End::Stopped(Stop::Limit(limit)) => format!("The search was stopped: {}.", limit_text(*limit)),
            End::Stopped(Stop::Solver(why)) => format!("The search was stopped: the solver gave up ({why})."),
            End::Stopped(Stop::Skipped) => {
                "The search was stopped: the error may be reached behind calls that were not followed.".to_owned()
            }
            End::Stopped(Stop::TooLarge) => "The search was stopped: the tree grew too large.".to_owned(),
        }
    }
}

fn limit_text(limit: Limit) -> String {
    cairn_core::Why::limit(limit).reason
}

/// What the picture and the sentences need to know.
struct Story<'a> {
    course: &'a Course<'a>,
    words: Words<'a>,
    heads: BTreeSet<Vertex>,
    /// The letters of the vertices of the tree, in the order in which they were met.
    letters: BTreeMap<Vertex, String>,
    /// The path to the error.
    way: Vec<NodeId>,
}

impl<'a> Story<'a> {
    fn new(course: &'a Course<'a>) -> Story<'a> {
        let mut letters = BTreeMap::new();
        for n in course.art.ids() {
            let v = course.art.get(n).vertex;
            let next = letters.len();
            letters.entry(v).or_insert_with(|| letter(next));
        }
        if let Some(name) = letters.get_mut(&course.model.target) {
            *name = "error".to_owned();
        }
        let reached = course.journal.entries.iter().rev().find_map(|e| match e {
            Entry::Test(test) => test.reached,
            _ => None,
        });
        let way = match reached {
            Some(n) => {
                let path = course.art.path(None, n).into_iter().map(|(n, _)| n);
                std::iter::once(Art::ROOT).chain(path).collect()
            }
            None => Vec::new(),
        };
        let words = Words::new(course.pool, course.program, course.model);
        Story { course, words, heads: course.model.heads(), letters, way }
    }

    /// A name of its box that no other picture of the page has.
    fn id(&self, n: NodeId) -> String {
        match self.course.reading {
            Reading::Ideal => n.to_string(),
            Reading::Exact => format!("exact-{n}"),
        }
    }

    fn letter(&self, n: NodeId) -> &str {
        &self.letters[&self.course.art.get(n).vertex]
    }

    /// `line 7`, and the function if it is not the first.
    fn place(&self, v: Vertex) -> String {
        let (program, model) = (self.course.program, self.course.model);
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

    /// What a step of the graph does, in the style of C.
    fn step(&self, s: usize) -> String {
        let program = self.course.program;
        let step = &self.course.model.steps[s];
        let texts = step.edges.iter().map(|&e| match program.edges[e].op {
            Op::Assume { cond, holds } => format!("[{}]", program.show_cond(cond, holds)),
            _ => program.show_edge(e),
        });
        let texts: Vec<String> = texts.filter(|t| !t.is_empty()).collect();
        let text = texts.join("; ").replace("__VERIFIER_", "");
        if step.exact { text } else { format!("≈ {text}") }
    }

    /// `1 test, 3 dead ends, …`
    fn figures(&self) -> String {
        let Statistics { tests, dead_ends, covers, uncovers, nodes, .. } = self.course.statistics;
        let mut text = [
            (*tests as usize, "test"),
            (*dead_ends as usize, "dead end"),
            (*covers as usize, "cover"),
            (*nodes, "node"),
        ]
        .map(|(n, what)| count(n, what))
        .join(", ");
        if *uncovers > 0 {
            text += &format!(" ({} undone)", count(*uncovers as usize, "cover"));
        }
        text
    }

    /// The values that a test chose for the last step of a path.
    fn choice(&self, n: NodeId, values: &[i128]) -> Vec<String> {
        let Some(s) = self.course.art.get(n).step else { return Vec::new() };
        let (model, step) = (self.course.model, &self.course.model.steps[s]);
        let mut shown = Vec::new();
        for (u, value) in step.weight.unknowns(self.course.pool, &model.space).into_iter().zip(values) {
            // The variable that gets it says more than the function that gave it.
            let receiver = step.weight.assign.iter().find(|(_, t)| **t == u).map(|(x, _)| *x);
            let input = step.inputs.iter().find(|i| i.term == Some(u));
            let name = match (receiver, input) {
                (Some(x), _) => self.words.name(x),
                (None, Some(input)) => {
                    let name = input.name.as_str();
                    Some(format!("{}()", name.strip_prefix("__VERIFIER_").unwrap_or(name)))
                }
                (None, None) => self.words.name(u),
            };
            shown.push(format!("{} = {value}", name.unwrap_or_default()));
        }
        shown
    }
}

/// `1 node`, `2 nodes`.
fn count(n: usize, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// A, B, …, Z, AA, AB, …
fn letter(n: usize) -> String {
    let last = char::from(b'A' + (n % 26) as u8);
    if n < 26 { last.to_string() } else { letter(n / 26 - 1) + &last.to_string() }
}

#[cfg(test)]
mod tests {
    #[test]
    fn letters() {
        let all: Vec<String> = [0, 25, 26, 27, 701, 702].into_iter().map(super::letter).collect();
        assert_eq!(all, ["A", "Z", "AA", "AB", "ZZ", "AAA"]);
    }
}
