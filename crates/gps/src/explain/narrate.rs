//! The journal in sentences.

use std::collections::BTreeMap;

use cairn_core::explain::Happened;
use cairn_term::TermId;

use super::outline::{Item, Outline};
use super::{Story, count};
use crate::art::{Art, NodeId};
use crate::journal::{Entry, Test};

/// Sentences that are shown: the first ones and the last ones.
const FIRST: usize = 160;
const LAST: usize = 40;
/// Values of inputs that are shown of a test.
const MOST_VALUES: usize = 24;
/// Turns of a path that are shown one by one.
const TURNS: usize = 3;

impl Story<'_> {
    pub fn narrate(&self, outline: &Outline) -> Vec<Happened> {
        let journal = self.course.journal;
        let mut told: Vec<(NodeId, &'static str, String)> = Vec::new();
        let ends = self.ends();
        let mut labels: BTreeMap<NodeId, Vec<TermId>> = BTreeMap::new();
        // The dead end that refinements belong to.
        let mut dead: Option<usize> = None;
        let mut tests = 0;
        for entry in &journal.entries {
            if let Entry::Refined { node, by } = *entry {
                labels.entry(node).or_default().push(by);
                if let Some(i) = dead {
                    let text = &mut told[i].2;
                    let learned = if text.contains("; labels: ") { ", " } else { "; labels: " };
                    *text += &format!("{learned}{} ⊢ {}", self.name(node), self.words.show(by));
                }
                continue;
            }
            if !matches!(entry, Entry::Uncovered { .. }) {
                dead = None;
            }
            match entry {
                Entry::Refined { .. } => {}
                Entry::Test(test) => {
                    tests += 1;
                    told.push((test.from, "test", self.test(tests, test, ends.get(&tests).copied())));
                }
                Entry::DeadEnd { node, explained } => {
                    let n = *node;
                    let why = if *explained { "" } else { " (by the summary alone)" };
                    let text = match n {
                        Art::ROOT => "the summary of the whole program excludes the error".to_owned(),
                        _ => format!("{} cannot reach the error{why}: {}", self.name(n), self.path(n)),
                    };
                    told.push((n, "dead end", text));
                    dead = Some(told.len() - 1);
                }
                Entry::Covered { node, by } => {
                    let label = labels.get(by).map_or(&[][..], Vec::as_slice);
                    let mut text = format!("{} by {}, whose label ", self.name(*node), self.name(*by));
                    text += &match label {
                        [] => "says nothing yet".to_owned(),
                        all => {
                            let all: Vec<String> = all.iter().map(|&t| self.words.show(t)).collect();
                            format!("{} is kept by the way round", all.join(" && "))
                        }
                    };
                    told.push((*node, "cover", text));
                }
                Entry::Uncovered { node, by } => {
                    let (node_name, by_name) = (self.name(*node), self.name(*by));
                    let text = format!("{node_name} is open again: the label of {by_name} got stronger");
                    told.push((*node, "uncover", text));
                }
            }
        }
        let total = told.len();
        let mut steps: Vec<Happened> = told
            .into_iter()
            .map(|(n, what, text)| {
                let at = outline.of.get(&n).map(|&i| match &outline.items[i].0 {
                    Item::Node(n) => self.id(*n),
                    Item::Fold(nodes) => self.id(nodes[0]),
                });
                Happened { what: what.to_owned(), text, at }
            })
            .collect();
        if total > FIRST + LAST {
            let dots =
                Happened { what: "…".to_owned(), text: format!("{} more", total - FIRST - LAST), at: None };
            steps.splice(FIRST..total - LAST, [dots]);
        }
        if journal.left_out > 0 {
            let text = format!("{} more, which are not recorded", journal.left_out);
            steps.push(Happened { what: "…".to_owned(), text, at: None });
        }
        steps
    }

    /// For each test the longest path that it was the first to take.
    fn ends(&self) -> BTreeMap<u32, NodeId> {
        let mut ends: BTreeMap<u32, NodeId> = BTreeMap::new();
        for n in self.course.art.ids() {
            let node = self.course.art.get(n);
            if let Some(number) = node.test {
                let end = ends.entry(number).or_insert(n);
                if self.course.art.get(*end).depth < node.depth {
                    *end = n;
                }
            }
        }
        ends
    }

    fn test(&self, number: u32, test: &Test, end: Option<NodeId>) -> String {
        let mut text = match test.from {
            Art::ROOT => format!("test {number} from the start"),
            n => format!("test {number} extends {}", self.name(n)),
        };
        let mut values: Vec<String> = Vec::new();
        for (n, chosen) in &test.choices {
            values.extend(self.choice(*n, chosen));
        }
        if !values.is_empty() {
            let more = values.len().saturating_sub(MOST_VALUES);
            values.truncate(MOST_VALUES);
            text += &format!(" with {}", values.join(", "));
            if more > 0 {
                text += &format!(" and {more} more values");
            }
        }
        let end = test.reached.or(end).unwrap_or(test.from);
        let steps = count(self.course.art.get(end).depth as usize, "step");
        text += &format!("; it goes {steps}: {}", self.path(end));
        text += if test.reached.is_some() { "; the error is reached" } else { "; no error" };
        text
    }

    /// `n4 (B)`.
    fn name(&self, n: NodeId) -> String {
        format!("{n} ({})", self.letter(n))
    }

    /// The letters along a path; repetitions are counted.
    fn path(&self, n: NodeId) -> String {
        let nodes = self.course.art.path(None, n).into_iter().map(|(n, _)| n);
        let letters: Vec<&str> = std::iter::once(Art::ROOT).chain(nodes).map(|n| self.letter(n)).collect();
        repetitions(&letters)
    }
}

/// A sequence with its repetitions of up to four letters counted: `A → (B → C)×17 → D`.
fn repetitions(letters: &[&str]) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut at = 0;
    while at < letters.len() {
        let turns = |period: usize| {
            let turn = &letters[at..(at + period).min(letters.len())];
            letters[at..].chunks_exact(period).take_while(|c| *c == turn).count()
        };
        let best = (1..=4).map(|p| (turns(p) * p, p)).max_by_key(|&(length, p)| (length, 4 - p));
        match best {
            Some((length, period)) if length / period > TURNS => {
                let turn = letters[at..at + period].join(" → ");
                let turn = if period > 1 { format!("({turn})") } else { turn };
                parts.push(format!("{turn}×{}", length / period));
                at += length;
            }
            _ => {
                parts.push(letters[at].to_owned());
                at += 1;
            }
        }
    }
    parts.join(" → ")
}

#[cfg(test)]
mod tests {
    #[test]
    fn repetitions_are_counted() {
        let show = |text: &str| {
            let letters: Vec<&str> = text.split("").filter(|l| !l.is_empty()).collect();
            super::repetitions(&letters)
        };
        assert_eq!(show("ABBC"), "A → B → B → C");
        assert_eq!(show("ABBBBBC"), "A → B×5 → C");
        assert_eq!(show("ABCBCBCBCD"), "A → (B → C)×4 → D");
        assert_eq!(show("A"), "A");
    }
}
