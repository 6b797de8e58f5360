//! Which nodes of a tree are drawn. Small trees are drawn as they are; of large
//! ones the beginning, the way to the error, and long stretches without a fork
//! as one box.

use std::collections::{BTreeMap, VecDeque};

use cairn_base::{PrimaryMap, SecondaryMap};
use cairn_core::Explanation;
use cairn_core::explain::{Node, NodeId};

type Tree = PrimaryMap<NodeId, Node>;

/// Trees up to this size are drawn as they are.
const SMALL: usize = 70;
/// Boxes that are drawn.
const MAX_BOXES: usize = 90;
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
    pub fn new(tree: &Tree, way: &[NodeId]) -> Outline {
        let shape = Folding::new(tree, way);
        let mut outline = Outline { items: Vec::new(), of: BTreeMap::new(), missing: BTreeMap::new() };
        if tree.is_empty() {
            return outline;
        }
        outline.add(Item::Node(Explanation::ROOT), None);
        // The way to the error is drawn whatever else is.
        for &n in way {
            outline.show(tree, &shape, n);
        }
        let mut queue = VecDeque::from([Explanation::ROOT]);
        while let Some(n) = queue.pop_front() {
            let children = &tree[n].children;
            if tree.len() > SMALL && outline.items.len() + children.len() > MAX_BOXES {
                let missing = children.iter().filter(|c| !outline.of.contains_key(c));
                let missing = missing.map(|c| shape.size[*c]).sum();
                if missing > 0 {
                    outline.missing.insert(outline.of[&n], missing);
                }
                queue.extend(children.iter().filter(|c| outline.of.contains_key(c)));
                continue;
            }
            for &child in children {
                outline.show(tree, &shape, child);
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
    fn show(&mut self, tree: &Tree, shape: &Folding, n: NodeId) {
        if self.of.contains_key(&n) {
            return;
        }
        let Some((parent, _)) = tree[n].parent else { return };
        let above = self.of[&parent];
        let hidden = shape.folded[n];
        if let Item::Fold(nodes) = &mut self.items[above].0
            && (hidden || !shape.goes_on(tree, n))
        {
            nodes.push(n);
            self.of.insert(n, above);
            return;
        }
        let item = if hidden { Item::Fold(vec![n]) } else { Item::Node(n) };
        self.add(item, Some(above));
    }
}

/// Which nodes of the tree are folded into one box.
struct Folding {
    /// Nodes of the subtree.
    size: SecondaryMap<NodeId, usize>,
    folded: SecondaryMap<NodeId, bool>,
    on_way: SecondaryMap<NodeId, bool>,
}

impl Folding {
    fn new(tree: &Tree, way: &[NodeId]) -> Folding {
        let (size, no) = (SecondaryMap::with_default(1), SecondaryMap::new());
        let mut shape = Folding { size, folded: no.clone(), on_way: no };
        for &n in way {
            shape.on_way[n] = true;
        }
        // A child is younger than its parent. How many nodes follow without a fork, from here on?
        let mut ahead: SecondaryMap<NodeId, usize> = SecondaryMap::with_default(1);
        let only = |shape: &Folding, n: NodeId| {
            let mut going = tree[n].children.iter().copied().filter(|&c| shape.goes_on(tree, c));
            going.next().filter(|_| going.next().is_none())
        };
        for n in tree.keys().rev() {
            if let Some((parent, _)) = tree[n].parent {
                shape.size[parent] += shape.size[n];
            }
            if let Some(next) = only(&shape, n) {
                ahead[n] = 1 + ahead[next];
            }
        }
        if tree.len() <= SMALL {
            return shape;
        }
        let mut before: SecondaryMap<NodeId, usize> = SecondaryMap::new();
        for n in tree.keys() {
            if let Some(next) = only(&shape, n) {
                before[next] = before[n] + 1;
            }
            let inside = before[n] >= FIRST && ahead[n] > LAST && before[n] + ahead[n] >= STRETCH;
            shape.folded[n] = inside && shape.goes_on(tree, n);
        }
        let open: Vec<NodeId> = way.iter().copied().filter(|&n| !shape.folded[n]).collect();
        if open.len() > LONGEST_WAY {
            for &n in &open[LONGEST_WAY / 2..open.len() - LONGEST_WAY / 2] {
                shape.folded[n] = true;
            }
        }
        shape
    }

    fn goes_on(&self, tree: &Tree, n: NodeId) -> bool {
        !tree[n].children.is_empty() || self.on_way[n]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add(tree: &mut Tree, parent: Option<NodeId>) -> NodeId {
        let n = tree.push(Node {
            parent: parent.map(|p| (p, 0)),
            vertex: 0,
            depth: parent.map_or(0, |p| tree[p].depth + 1),
            children: Vec::new(),
            label: Vec::new(),
            cover: None,
            is_dead_end: false,
            test: None,
        });
        if let Some(parent) = parent {
            tree[parent].children.push(n);
        }
        n
    }

    /// A loop that was gone round many times, each time with a way out that was not taken.
    fn long(turns: usize) -> (Tree, Vec<NodeId>) {
        let mut tree = Tree::new();
        let mut at = add(&mut tree, None);
        let mut way = vec![at];
        for _ in 0..turns {
            add(&mut tree, Some(at));
            at = add(&mut tree, Some(at));
            way.push(at);
        }
        (tree, way)
    }

    #[test]
    fn long_stretches_are_folded() {
        let (tree, way) = long(1000);
        let outline = Outline::new(&tree, &way);
        let folds: Vec<&Item> =
            outline.items.iter().map(|i| &i.0).filter(|i| matches!(i, Item::Fold(_))).collect();
        assert_eq!(folds.len(), 1);
        assert!(outline.items.len() < 16, "{}", outline.items.len());
        // Everything is shown or stood for.
        assert_eq!(outline.of.len(), tree.len());
        assert!(outline.missing.is_empty());
    }

    #[test]
    fn small_trees_are_left_alone() {
        let (tree, way) = long(30);
        let outline = Outline::new(&tree, &way);
        assert_eq!(outline.items.len(), tree.len());
    }

    #[test]
    fn wide_trees_are_cut_and_say_so() {
        let mut tree = Tree::new();
        let mut all = vec![add(&mut tree, None)];
        for i in 0..2000 {
            let n = add(&mut tree, Some(all[i / 3]));
            all.push(n);
        }
        let mut way = vec![*all.last().expect("nodes")];
        while let Some((parent, _)) = tree[way[0]].parent {
            way.insert(0, parent);
        }
        let outline = Outline::new(&tree, &way);
        assert!(outline.items.len() <= MAX_BOXES, "{}", outline.items.len());
        assert!(way.iter().all(|n| outline.of.contains_key(n)));
        let missing: usize = outline.missing.values().sum();
        assert_eq!(outline.of.len() + missing, tree.len());
        for (i, (_, above)) in outline.items.iter().enumerate() {
            assert!(above.is_none_or(|a| a < i));
        }
    }
}
