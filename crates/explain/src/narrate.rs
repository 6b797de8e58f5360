//! The journal in sentences.

use std::collections::BTreeMap;

use cairn_core::Explanation;
use cairn_core::explain::{Entry, NodeId, Test};
use cairn_term::TermId;

use super::outline::{Item, Outline};
use super::{Happened, Story, count};

/// Sentences that are shown: the first ones and the last ones.
const FIRST: usize = 160;
const LAST: usize = 40;
/// Values of inputs that are shown of a test.
const MOST_VALUES: usize = 24;
/// Turns of a path that are shown one by one.
const TURNS: usize = 3;
/// Parts of a path that are shown at its beginning and at its end.
const MOST_PARTS: usize = 20;

/// An entry with what belongs to it.
struct Line<'a> {
    entry: &'a Entry,
    /// The number of the test, of those that came before in other cases.
    test: u32,
    /// The labels that a dead end taught; of a cover, the label that is kept.
    labels: Vec<(NodeId, TermId)>,
}

impl Story<'_> {
    pub fn narrate(&self, outline: &Outline) -> Vec<Happened> {
        let lines = self.lines();
        let (total, ends) = (lines.len(), self.ends());
        let mut steps = Vec::new();
        for (i, line) in lines.iter().enumerate() {
            // Of what is not shown no sentence is made: that takes long.
            let shown = total <= FIRST + LAST || i < FIRST || i >= total - LAST;
            if shown {
                steps.push(self.sentence(line, &ends, outline));
            } else if i == FIRST {
                let text = format!("{} more", total - FIRST - LAST);
                steps.push(Happened { what: "…".to_owned(), text, at: None });
            }
        }
        if self.course.left_out > 0 {
            let text = format!("{} more, which are not recorded", self.course.left_out);
            steps.push(Happened { what: "…".to_owned(), text, at: None });
        }
        steps
    }

    fn lines(&self) -> Vec<Line<'_>> {
        let mut lines: Vec<Line<'_>> = Vec::new();
        let mut all: BTreeMap<NodeId, Vec<TermId>> = BTreeMap::new();
        // The dead end that refinements belong to.
        let mut dead: Option<usize> = None;
        let mut test = 0;
        for entry in &self.course.entries {
            let mut labels = Vec::new();
            match *entry {
                Entry::Refined { node, by } => {
                    all.entry(node).or_default().push(by);
                    if let Some(i) = dead {
                        lines[i].labels.push((node, by));
                    }
                    continue;
                }
                Entry::Uncovered { .. } => {}
                Entry::DeadEnd { .. } => dead = Some(lines.len()),
                Entry::Test(_) => {
                    dead = None;
                    test += 1;
                }
                Entry::Covered { by, .. } => {
                    dead = None;
                    labels.extend(all.get(&by).into_iter().flatten().map(|&t| (by, t)));
                }
            }
            lines.push(Line { entry, test, labels });
        }
        lines
    }

    fn sentence(&self, line: &Line<'_>, ends: &BTreeMap<u32, NodeId>, outline: &Outline) -> Happened {
        let (node, what, text) = match line.entry {
            Entry::Test(test) => {
                (test.from, "test", self.test(line.test, test, ends.get(&line.test).copied()))
            }
            Entry::DeadEnd { node, explained } => {
                let why = if *explained { "" } else { " (by the summary alone)" };
                let mut text = match *node {
                    Explanation::ROOT => "the summary of the whole program excludes the error".to_owned(),
                    n => format!("{} cannot reach the error{why}: {}", self.name(n), self.path(n)),
                };
                let learned =
                    line.labels.iter().map(|&(n, t)| format!("{} ⊢ {}", self.name(n), self.words.show(t)));
                let learned: Vec<String> = learned.collect();
                if !learned.is_empty() {
                    text += &format!("; labels: {}", learned.join(", "));
                }
                (*node, "dead end", text)
            }
            Entry::Covered { node, by } => {
                let label: Vec<String> = line.labels.iter().map(|&(_, t)| self.words.show(t)).collect();
                let kept = match &label[..] {
                    [] => "says nothing yet".to_owned(),
                    all => format!("{} is kept by the way round", all.join(" && ")),
                };
                (*node, "cover", format!("{} by {}, whose label {kept}", self.name(*node), self.name(*by)))
            }
            Entry::Uncovered { node, by } => {
                let (node_name, by_name) = (self.name(*node), self.name(*by));
                (*node, "uncover", format!("{node_name} is open again: the label of {by_name} got stronger"))
            }
            // These are told with what they belong to.
            Entry::Refined { node, by } => (*node, "label", self.words.show(*by)),
        };
        let at = outline.of.get(&node).map(|&i| match &outline.items[i].0 {
            Item::Node(n) => self.id(*n),
            Item::Fold(nodes) => self.id(nodes[0]),
        });
        Happened { what: what.to_owned(), text, at }
    }

    /// For each test the longest path that it was the first to take.
    fn ends(&self) -> BTreeMap<u32, NodeId> {
        let mut ends: BTreeMap<u32, NodeId> = BTreeMap::new();
        for (n, node) in self.course.nodes.iter() {
            if let Some(number) = node.test {
                let end = ends.entry(number).or_insert(n);
                if self.course.nodes[*end].depth < node.depth {
                    *end = n;
                }
            }
        }
        ends
    }

    fn test(&self, number: u32, test: &Test, end: Option<NodeId>) -> String {
        let mut text = match test.from {
            Explanation::ROOT => format!("test {number} from the start"),
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
        let steps = count(self.course.nodes[end].depth as usize, "step");
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
        let letters: Vec<&str> = self.course.path(n).into_iter().map(|n| self.letter(n)).collect();
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
    if parts.len() > 2 * MOST_PARTS {
        let dots = format!("… {} more …", parts.len() - 2 * MOST_PARTS);
        parts.splice(MOST_PARTS..parts.len() - MOST_PARTS, [dots]);
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
