//! Dominators and post-dominators.
//!
//! The algorithm is Semi-NCA (Georgiadis, "Linear-Time Algorithms for Dominators
//! and Related Problems", 2005): semidominators by path compression as Lengauer
//! and Tarjan have them, then nearest common ancestors in the growing dominator
//! tree. `petgraph` offers the iterative algorithm of Cooper, Harvey and
//! Kennedy, which walks the tree once per predecessor: quadratic for a long
//! function with many early returns, which is ordinary C.

use crate::Digraph;

/// The dominator tree of the nodes reachable from a root.
pub struct Dominators {
    /// Immediate dominator; the root's is itself, an unreachable node's is `u32::MAX`.
    idom: Vec<u32>,
    /// Entry and exit times of a walk over the tree, for constant-time queries.
    enter: Vec<u32>,
    leave: Vec<u32>,
    depth: Vec<u32>,
}

impl Dominators {
    /// Which nodes lie on every path from the root?
    pub fn forward(g: &Digraph, root: u32) -> Dominators {
        // Preorder of a depth-first search, with parents, all in preorder numbers from here on.
        let nodes = g.len();
        let mut number = vec![u32::MAX; nodes];
        let mut vertex = Vec::new();
        let mut parent = Vec::new();
        let mut stack = vec![(root, 0)];
        while let Some((x, from)) = stack.pop() {
            if number[x as usize] != u32::MAX {
                continue;
            }
            let i = vertex.len() as u32;
            number[x as usize] = i;
            vertex.push(x);
            parent.push(from);
            stack.extend(g.succs(x).iter().rev().map(|&y| (y, i)));
        }
        let n = vertex.len();
        let mut forest =
            Forest { ancestor: parent.clone(), label: (0..n as u32).collect(), path: Vec::new() };
        let mut semi: Vec<u32> = (0..n as u32).collect();
        for w in (1..n as u32).rev() {
            for &p in g.preds(vertex[w as usize]) {
                let v = number[p as usize];
                if v != u32::MAX {
                    let u = forest.eval(v, w + 1, &semi);
                    semi[w as usize] = semi[w as usize].min(semi[u as usize]);
                }
            }
        }
        let mut idom_number = parent;
        for w in 1..n {
            let mut d = idom_number[w];
            while d > semi[w] {
                d = idom_number[d as usize];
            }
            idom_number[w] = d;
        }
        let mut idom = vec![u32::MAX; nodes];
        for w in 0..n {
            idom[vertex[w] as usize] = vertex[idom_number[w] as usize];
        }
        Dominators::from_tree(idom, &vertex)
    }

    /// Which nodes lie on every path to the end? The root is one more node, numbered `g.len()`, that
    /// stands behind `exit`, behind every node without a way out, and behind one node of each cycle
    /// that is never left, so that every node has a post-dominator. Of such a cycle that is the node
    /// that comes last in reverse post-order from `entry`.
    pub fn backward(g: &Digraph, entry: u32, exit: u32) -> Dominators {
        let end = g.len() as u32;
        let mut ends: Vec<u32> = g.nodes().filter(|&x| x == exit || g.succs(x).is_empty()).collect();
        let mut seen = g.reaching(ends.iter().copied());
        let order = g.reverse_post_order(entry);
        let mut reached = vec![false; g.len()];
        order.iter().for_each(|&x| reached[x as usize] = true);
        let unreached = g.nodes().filter(|&x| !reached[x as usize]);
        let nodes: Vec<u32> = order.iter().copied().chain(unreached).collect();
        for &x in nodes.iter().rev() {
            if !seen.contains(x as usize) {
                ends.push(x);
                g.add_reaching(&mut seen, [x]);
            }
        }
        let mut edges: Vec<(u32, u32)> =
            g.nodes().flat_map(|n| g.succs(n).iter().map(move |&m| (m, n))).collect();
        edges.extend(ends.iter().map(|&x| (end, x)));
        Dominators::forward(&Digraph::new(g.len() + 1, &edges), end)
    }

    /// `order` has parents before children.
    fn from_tree(idom: Vec<u32>, order: &[u32]) -> Dominators {
        let n = idom.len();
        let mut size = vec![1u32; n];
        let mut depth = vec![0; n];
        for &x in order.iter().skip(1).rev() {
            size[idom[x as usize] as usize] += size[x as usize];
        }
        // Children get consecutive ranges of times inside their parent's range.
        let (mut enter, mut leave, mut next) = (vec![0; n], vec![0; n], vec![0; n]);
        for (i, &x) in order.iter().enumerate() {
            let x = x as usize;
            if i > 0 {
                let d = idom[x] as usize;
                enter[x] = next[d];
                next[d] += size[x];
                depth[x] = depth[d] + 1;
            }
            leave[x] = enter[x] + size[x];
            next[x] = enter[x] + 1;
        }
        Dominators { idom, enter, leave, depth }
    }

    /// The nearest other node that dominates `node`; `None` for the root and unreachable nodes.
    pub fn immediate(&self, node: u32) -> Option<u32> {
        let d = self.idom[node as usize];
        (d != u32::MAX && d != node).then_some(d)
    }

    /// Does `a` dominate `b` (or equal it)? False if either cannot be reached from the root.
    pub fn dominates(&self, a: u32, b: u32) -> bool {
        let (a, b) = (a as usize, b as usize);
        self.idom[a] != u32::MAX
            && self.idom[b] != u32::MAX
            && self.enter[a] <= self.enter[b]
            && self.enter[b] < self.leave[a]
    }

    /// Distance from the root in the tree.
    pub fn depth(&self, node: u32) -> u32 {
        self.depth[node as usize]
    }
}

/// Path compression over the depth-first tree, of which the nodes from `limit` on have their
/// semidominators: `eval` finds the node with the least one on the path from `v` up through them.
struct Forest {
    ancestor: Vec<u32>,
    label: Vec<u32>,
    path: Vec<u32>,
}

impl Forest {
    fn eval(&mut self, v: u32, limit: u32, semi: &[u32]) -> u32 {
        if v < limit {
            return v;
        }
        let mut x = v;
        self.path.clear();
        while self.ancestor[x as usize] >= limit {
            self.path.push(x);
            x = self.ancestor[x as usize];
        }
        while let Some(y) = self.path.pop() {
            let a = self.ancestor[y as usize];
            if semi[self.label[a as usize] as usize] < semi[self.label[y as usize] as usize] {
                self.label[y as usize] = self.label[a as usize];
            }
            self.ancestor[y as usize] = self.ancestor[a as usize];
        }
        self.label[v as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Dominance by its definition: `a` dominates `b` if `b` cannot be reached around `a`.
    fn by_definition(nodes: usize, edges: &[(u32, u32)], root: u32, a: u32, b: u32) -> bool {
        let reach = |avoid: Option<u32>| {
            let mut seen = vec![false; nodes];
            let mut work = if avoid == Some(root) { vec![] } else { vec![root] };
            while let Some(x) = work.pop() {
                if !std::mem::replace(&mut seen[x as usize], true) {
                    let next = edges.iter().filter(|e| e.0 == x && Some(e.1) != avoid).map(|e| e.1);
                    work.extend(next);
                }
            }
            seen
        };
        let all = reach(None);
        all[a as usize] && all[b as usize] && (a == b || !reach(Some(a))[b as usize])
    }

    #[test]
    fn agrees_with_the_definition_on_random_graphs() {
        let mut rng = fastrand::Rng::with_seed(7);
        for round in 0..300 {
            let (g, edges) = crate::testing::random(&mut rng, 12);
            let nodes = g.len();
            let dom = Dominators::forward(&g, 0);
            for a in 0..nodes as u32 {
                for b in 0..nodes as u32 {
                    let expected = by_definition(nodes, &edges, 0, a, b);
                    assert_eq!(dom.dominates(a, b), expected, "round {round}: {a} dom {b} in {edges:?}");
                }
            }
        }
    }
}
