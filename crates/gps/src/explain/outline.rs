//! Which nodes of a tree are drawn. Small trees are drawn as they are; of large
//! ones the beginning, the way to the error, and long stretches without a fork
//! as one box.

use std::collections::{BTreeMap, VecDeque};

use crate::art::{Art, NodeId};

/// Trees up to this size are drawn as they are.
const SMALL: usize = 70;
/// Boxes that are drawn.
const MOST: usize = 90;
/// Stretches without a fork of at least this length are folded but for their ends.
const STRETCH: usize = 9;
const FIRST: usize = 3;
const LAST: usize = 2;
/// A way to the error that is longer is folded in the middle, forks or not.
const LONGEST_WAY: usize = 60;

/// Something that is drawn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    Node(NodeId),
    /// Nodes that follow each other, and what hangs on them.
    Fold(Vec<NodeId>),
}

pub struct Outline {
    /// With the number of the item above; every item comes after the one above it.
    pub items: Vec<(Item, Option<usize>)>,
    /// The item that shows a node or stands for it.
    pub of: BTreeMap<NodeId, usize>,
    /// For items whose children are not drawn: how many nodes are missing below.
    pub missing: BTreeMap<usize, usize>,
}

impl Outline {
    /// `way` is the path to the error, if there is one.
    pub fn new(art: &Art, way: &[NodeId]) -> Outline {
        let shape = Shape::new(art, way);
        let mut outline = Outline { items: Vec::new(), of: BTreeMap::new(), missing: BTreeMap::new() };
        if art.size() == 0 {
            return outline;
        }
        outline.add(Item::Node(Art::ROOT), None);
        // The way to the error is drawn whatever else is.
        for &n in way {
            outline.show(art, &shape, n);
        }
        let mut queue = VecDeque::from([Art::ROOT]);
        while let Some(n) = queue.pop_front() {
            let children = &art.get(n).children;
            if art.size() > SMALL && outline.items.len() + children.len() > MOST {
                let missing = children.iter().filter(|c| !outline.of.contains_key(c));
                let missing = missing.map(|c| shape.size[c.as_u32() as usize]).sum();
                if missing > 0 {
                    outline.missing.insert(outline.of[&n], missing);
                }
                queue.extend(children.iter().filter(|c| outline.of.contains_key(c)));
                continue;
            }
            for &child in children {
                outline.show(art, &shape, child);
                queue.push_back(child);
            }
        }
        outline
    }

    fn add(&mut self, item: Item, above: Option<usize>) -> usize {
        let nodes = match &item {
            Item::Node(n) => vec![*n],
            Item::Fold(nodes) => nodes.clone(),
        };
        self.items.push((item, above));
        let i = self.items.len() - 1;
        self.of.extend(nodes.into_iter().map(|n| (n, i)));
        i
    }

    /// Shows a node whose parent is shown.
    fn show(&mut self, art: &Art, shape: &Shape, n: NodeId) {
        if self.of.contains_key(&n) {
            return;
        }
        let Some(parent) = art.get(n).parent else { return };
        let above = self.of[&parent];
        let hidden = shape.folded[n.as_u32() as usize];
        if let Item::Fold(nodes) = &mut self.items[above].0
            && (hidden || !shape.goes_on(art, n))
        {
            nodes.push(n);
            self.of.insert(n, above);
            return;
        }
        let item = if hidden { Item::Fold(vec![n]) } else { Item::Node(n) };
        self.add(item, Some(above));
    }
}

struct Shape {
    /// Nodes of the subtree.
    size: Vec<usize>,
    folded: Vec<bool>,
    on_way: Vec<bool>,
}

impl Shape {
    fn new(art: &Art, way: &[NodeId]) -> Shape {
        let n = art.size();
        let mut shape = Shape { size: vec![1; n], folded: vec![false; n], on_way: vec![false; n] };
        for n in way {
            shape.on_way[n.as_u32() as usize] = true;
        }
        let ids: Vec<NodeId> = art.ids().collect();
        // A child is younger than its parent. How many nodes follow without a fork, from here on?
        let mut ahead = vec![1usize; n];
        let only = |shape: &Shape, n: NodeId| {
            let mut going = art.get(n).children.iter().copied().filter(|&c| shape.goes_on(art, c));
            going.next().filter(|_| going.next().is_none())
        };
        for &n in ids.iter().rev() {
            let i = n.as_u32() as usize;
            if let Some(parent) = art.get(n).parent {
                shape.size[parent.as_u32() as usize] += shape.size[i];
            }
            if let Some(next) = only(&shape, n) {
                ahead[i] = 1 + ahead[next.as_u32() as usize];
            }
        }
        if n <= SMALL {
            return shape;
        }
        let mut before = vec![0usize; n];
        for &n in &ids {
            let i = n.as_u32() as usize;
            if let Some(next) = only(&shape, n) {
                before[next.as_u32() as usize] = before[i] + 1;
            }
            let inside = before[i] >= FIRST && ahead[i] > LAST && before[i] + ahead[i] >= STRETCH;
            shape.folded[i] = inside && shape.goes_on(art, n);
        }
        let open: Vec<NodeId> = way.iter().copied().filter(|n| !shape.folded[n.as_u32() as usize]).collect();
        if open.len() > LONGEST_WAY {
            for n in &open[LONGEST_WAY / 2..open.len() - LONGEST_WAY / 2] {
                shape.folded[n.as_u32() as usize] = true;
            }
        }
        shape
    }

    fn goes_on(&self, art: &Art, n: NodeId) -> bool {
        !art.get(n).children.is_empty() || self.on_way[n.as_u32() as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A loop that was gone round many times, each time with a way out that nobody took.
    fn long(turns: usize) -> (Art, Vec<NodeId>) {
        let mut art = Art::new(0);
        let (mut at, mut way) = (Art::ROOT, vec![Art::ROOT]);
        for _ in 0..turns {
            art.child(at, 1, 7);
            at = art.child(at, 0, 1);
            way.push(at);
        }
        (art, way)
    }

    #[test]
    fn long_stretches_are_folded() {
        let (art, way) = long(1000);
        let outline = Outline::new(&art, &way);
        let folds: Vec<&Item> =
            outline.items.iter().map(|i| &i.0).filter(|i| matches!(i, Item::Fold(_))).collect();
        assert_eq!(folds.len(), 1);
        assert!(outline.items.len() < 16, "{}", outline.items.len());
        // Everything is shown or stood for.
        assert_eq!(outline.of.len(), art.size());
        assert!(outline.missing.is_empty());
    }

    #[test]
    fn small_trees_are_left_alone() {
        let (art, way) = long(30);
        let outline = Outline::new(&art, &way);
        assert_eq!(outline.items.len(), art.size());
    }

    #[test]
    fn wide_trees_are_cut_and_say_so() {
        let mut art = Art::new(0);
        let mut all = vec![Art::ROOT];
        for i in 0..2000 {
            let n = art.child(all[i / 3], i % 3, 1);
            all.push(n);
        }
        let last = *all.last().expect("nodes");
        let way: Vec<NodeId> = art.path(None, last).into_iter().map(|(n, _)| n).collect();
        let outline = Outline::new(&art, &way);
        assert!(outline.items.len() <= MOST, "{}", outline.items.len());
        assert!(way.iter().all(|n| outline.of.contains_key(n)));
        let missing: usize = outline.missing.values().sum();
        assert_eq!(outline.of.len() + missing, art.size());
        for (i, (_, above)) in outline.items.iter().enumerate() {
            assert!(above.is_none_or(|a| a < i));
        }
    }
}
