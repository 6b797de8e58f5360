//! Searches explained to people ([`cairn_core::Explanation`]): the tree with its
//! labels, covers, tests and dead ends as a picture, in the manner of Figure 8 of
//! the GPS paper, and what happened as sentences.
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

use std::collections::BTreeMap;

use cairn_core::Explanation;
use cairn_core::explain::{Entry, Figures, NodeId, Numbers};

use outline::Outline;
use words::Words;

/// A search as it is shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shown {
    /// What the picture shows, in a few words.
    pub title: String,
    /// SVG.
    pub picture: String,
    /// What happened, in order.
    pub steps: Vec<Happened>,
    /// How it ended, in figures and words, and what is not shown.
    pub summary: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Happened {
    /// In a word or two, the same for all of a kind (`dead end`).
    pub what: String,
    pub text: String,
    /// The name of the box of the picture at which it happened.
    pub at: Option<String>,
}

/// The picture and the sentences of a search.
pub fn show(course: &Explanation) -> Shown {
    let story = Story::new(course);
    let outline = Outline::new(&course.nodes, &story.way);
    let numbers = match course.numbers {
        Numbers::Integers => "over the integers",
        Numbers::WrapAround => "with wrap-around",
    };
    let mut summary = vec![course.outcome.clone()];
    let (boxes, nodes) = (outline.items.len(), course.nodes.len());
    if nodes > boxes {
        summary.push(format!(
            "The picture has {boxes} boxes for {nodes} nodes: long stretches without a fork are one box, and a \
             note says where nodes are missing."
        ));
    }
    Shown {
        title: format!("The tree of paths, read {numbers}"),
        picture: story.draw(&outline).svg(),
        steps: story.narrate(&outline),
        summary,
    }
}

/// What the picture and the sentences need to know.
struct Story<'a> {
    course: &'a Explanation,
    words: Words<'a>,
    /// The letters of the vertices of the tree, in the order in which they were met.
    letters: BTreeMap<u32, String>,
    /// The path to the error.
    way: Vec<NodeId>,
}

impl<'a> Story<'a> {
    fn new(course: &'a Explanation) -> Story<'a> {
        let mut letters = BTreeMap::new();
        for node in course.nodes.values() {
            let next = letters.len();
            letters.entry(node.vertex).or_insert_with(|| letter(next));
        }
        for (&v, name) in &mut letters {
            if course.vertices[v as usize].is_target {
                *name = "error".to_owned();
            }
        }
        let reached = course.entries.iter().rev().find_map(|e| match e {
            Entry::Test(test) => test.reached,
            _ => None,
        });
        let way = reached.map_or_else(Vec::new, |n| course.path(n));
        let words = Words { formulas: &course.formulas };
        Story { course, words, letters, way }
    }

    /// A name of its box that no other picture of the page has.
    fn id(&self, n: NodeId) -> String {
        match self.course.numbers {
            Numbers::Integers => n.to_string(),
            Numbers::WrapAround => format!("exact-{n}"),
        }
    }

    fn letter(&self, n: NodeId) -> &str {
        &self.letters[&self.course.nodes[n].vertex]
    }

    /// `1 test, 3 dead ends, …`
    fn figures(&self) -> String {
        let Figures { tests, dead_ends, covers, uncovers } = self.course.figures;
        let mut text = [
            (tests as usize, "test"),
            (dead_ends as usize, "dead end"),
            (covers as usize, "cover"),
            (self.course.nodes.len(), "node"),
        ]
        .map(|(n, what)| count(n, what))
        .join(", ");
        if uncovers > 0 {
            text += &format!(" ({} undone)", count(uncovers as usize, "cover"));
        }
        text
    }

    /// The values that a test chose for the last step of a path.
    fn choice(&self, n: NodeId, values: &[i128]) -> Vec<String> {
        let step = self.course.nodes[n].parent.and_then(|(_, s)| self.course.steps.get(&s));
        let names = step.map_or(&[][..], |s| &s.unknowns[..]);
        names.iter().zip(values).map(|(name, value)| format!("{name} = {value}")).collect()
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
