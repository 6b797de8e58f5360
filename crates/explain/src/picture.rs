//! The tree as boxes and arrows.

use std::collections::{BTreeMap, BTreeSet};

use cairn_core::explain::{Entry, NodeId};
use cairn_draw::{Arrow, ArrowLook, DrawnBox, Look, Picture};

use super::outline::{Item, Outline};
use super::{Story, count};

/// Conjuncts of a label that are shown.
const MOST_LINES: usize = 6;
/// More covers are named, but not drawn.
const MOST_COVERS: usize = 12;

impl Story<'_> {
    pub fn draw(&self, outline: &Outline) -> Picture {
        let nodes = &self.course.nodes;
        let choices = self.first_choices(outline);
        let way: BTreeSet<NodeId> = self.way.iter().copied().collect();
        let mut boxes = Vec::new();
        let mut arrows = Vec::new();
        for (i, (item, above)) in outline.items.iter().enumerate() {
            let (mut shape, first) = match item {
                Item::Node(n) => (self.node(*n, choices.get(n)), *n),
                Item::Fold(nodes) => (self.fold(nodes), nodes[0]),
            };
            if let Some(missing) = outline.missing.get(&i) {
                shape.notes.push(format!("… {} below not drawn", count(*missing, "node")));
            }
            boxes.push(shape);
            if let (Some(from), Some((_, step))) = (above, nodes[first].parent) {
                let look = if way.contains(&first) {
                    ArrowLook::Fatal
                } else if nodes[first].test.is_some() {
                    ArrowLook::Walked
                } else {
                    ArrowLook::Plain
                };
                arrows.push(Arrow {
                    from: *from,
                    to: i,
                    label: self.course.steps[&step].text.clone(),
                    look,
                    back: false,
                });
            }
        }
        arrows = balanced(arrows);
        // Covers inside of what is folded are not drawn, and many covers would hide everything else.
        let covers: Vec<(usize, usize)> = outline
            .of
            .iter()
            .filter_map(|(&n, &from)| Some((from, *outline.of.get(&nodes[n].cover?)?)))
            .filter(|(from, to)| from != to)
            .collect();
        let drawn = covers.len() <= MOST_COVERS;
        for (from, to) in covers.into_iter().filter(|_| drawn) {
            arrows.push(Arrow { from, to, label: String::new(), look: ArrowLook::Cover, back: true });
        }
        let covered =
            if drawn { "covered: dashed arrow to what covers it" } else { "covered by what it names" };
        let legend = [
            (Look::Visited, "visited by a test"),
            (Look::Closed, "dead end"),
            (Look::Covered, covered),
            (Look::Plain, "open"),
            (Look::Error, "the error"),
        ];
        Picture {
            title: format!("Abstract reachability tree: {}", self.figures()),
            legend: legend.into_iter().map(|(look, text)| (look, text.to_owned())).collect(),
            boxes,
            arrows,
        }
    }

    /// The values that were first chosen for the last step to a node that is drawn.
    fn first_choices(&self, outline: &Outline) -> BTreeMap<NodeId, Vec<String>> {
        let drawn = |n: &NodeId| outline.of.get(n).is_some_and(|&i| outline.items[i].0 == Item::Node(*n));
        let mut found = BTreeMap::new();
        for entry in &self.course.entries {
            let Entry::Test(test) = entry else { continue };
            for (n, values) in test.choices.iter().filter(|(n, _)| drawn(n)) {
                found.entry(*n).or_insert_with(|| self.choice(*n, values));
            }
        }
        found
    }

    fn node(&self, n: NodeId, choice: Option<&Vec<String>>) -> DrawnBox {
        let node = &self.course.nodes[n];
        let vertex = &self.course.vertices[node.vertex as usize];
        let mut head = format!("{n}  {}", self.letter(n));
        for part in [vertex.place.as_str(), if vertex.is_head { "loop" } else { "" }] {
            if !part.is_empty() {
                head += &format!("  {part}");
            }
        }
        let mut lines: Vec<String> = node.label.iter().map(|&t| self.words.show(t)).collect();
        if lines.len() > MOST_LINES {
            let more = lines.len() - MOST_LINES + 1;
            lines.truncate(MOST_LINES - 1);
            lines.push(format!("… {more} more"));
        }
        let mut notes = Vec::new();
        if let Some(number) = node.test {
            let chosen = choice.filter(|c| !c.is_empty()).map(|c| format!(": {}", c.join(", ")));
            notes.push(format!("test {number}{}", chosen.unwrap_or_default()));
        }
        let look = if vertex.is_target && node.test.is_some() {
            notes.push("the error is reached".to_owned());
            Look::Error
        } else if node.is_dead_end {
            notes.push("dead end".to_owned());
            Look::Closed
        } else if let Some(by) = node.cover {
            notes.push(format!("covered by {by}"));
            Look::Covered
        } else if node.test.is_some() {
            Look::Visited
        } else {
            notes.push("open".to_owned());
            Look::Plain
        };
        DrawnBox { id: self.id(n), head, lines, notes, look }
    }

    fn fold(&self, nodes: &[NodeId]) -> DrawnBox {
        let tree = &self.course.nodes;
        let of = |wanted: &dyn Fn(NodeId) -> bool| nodes.iter().filter(|n| wanted(**n)).count();
        let parts = [
            (of(&|n| !tree[n].children.is_empty()), "step", "further"),
            (of(&|n| tree[n].is_dead_end), "dead end", "on the way"),
            (of(&|n| tree[n].cover.is_some()), "covered node", "on the way"),
            (of(&|n| tree[n].is_frontier()), "open node", "on the way"),
        ];
        let parts =
            parts.into_iter().filter(|p| p.0 > 0).map(|(n, what, rest)| format!("{} {rest}", count(n, what)));
        let (head, notes) = ("⋮".to_owned(), parts.collect());
        DrawnBox { id: self.id(nodes[0]), head, lines: Vec::new(), notes, look: Look::Folded }
    }
}

/// Puts what goes on between what does not, so that long ways lead down and not aside.
fn balanced(arrows: Vec<Arrow>) -> Vec<Arrow> {
    let inner: BTreeSet<usize> = arrows.iter().map(|a| a.from).collect();
    let mut by_parent: BTreeMap<usize, Vec<Arrow>> = BTreeMap::new();
    arrows.into_iter().for_each(|a| by_parent.entry(a.from).or_default().push(a));
    let mut all = Vec::new();
    for children in by_parent.into_values() {
        let (goes_on, mut ends): (Vec<Arrow>, Vec<Arrow>) =
            children.into_iter().partition(|a| inner.contains(&a.to));
        let right = ends.split_off(ends.len() / 2);
        all.extend(ends.into_iter().chain(goes_on).chain(right));
    }
    all
}
