//! Weak topological order (Bourdoncle 1993) of a weighted graph: its vertices as
//! a nested sequence in which each cycle is a component with a head, such that
//! every edge goes forward in the sequence or to the head of a component around
//! it. Irreducible graphs have one too; a loop with two entries gets one of them
//! as its head.

use petgraph::algo::kosaraju_scc;
use petgraph::graphmap::DiGraphMap;
use petgraph::visit::Dfs;
use rustc_hash::{FxBuildHasher, FxHashSet};

use crate::{Graph, Vertex};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Element {
    Vertex(Vertex),
    /// A cycle: its head, then what else lies in it.
    Loop(Vertex, Vec<Element>),
}

impl Element {
    /// All its vertices.
    pub fn vertices(&self, out: &mut Vec<Vertex>) {
        match self {
            Element::Vertex(v) => out.push(*v),
            Element::Loop(head, body) => {
                out.push(*head);
                body.iter().for_each(|e| e.vertices(out));
            }
        }
    }
}

type Plain = DiGraphMap<Vertex, (), FxBuildHasher>;

/// The order of all vertices.
pub fn order(graph: &Graph) -> Vec<Element> {
    let mut plain = Plain::default();
    for v in 0..graph.vertices {
        plain.add_node(v);
    }
    for e in &graph.edges {
        plain.add_edge(e.src, e.dst, ());
    }
    let mut rank = vec![u32::MAX; graph.vertices as usize];
    let mut visit = Dfs::new(&plain, graph.entry);
    let mut next = 0;
    while let Some(v) = visit.next(&plain) {
        rank[v as usize] = next;
        next += 1;
    }
    nest(&plain, &rank)
}

/// The components are the strongly connected ones; what is left of each without its head is
/// ordered in the same way.
fn nest(graph: &Plain, rank: &[u32]) -> Vec<Element> {
    let mut out = Vec::new();
    // The function yields them last ones first.
    for component in kosaraju_scc(graph).into_iter().rev() {
        let &[only] = component.as_slice() else {
            out.push(cycle(graph, &component, rank));
            continue;
        };
        if graph.contains_edge(only, only) {
            out.push(Element::Loop(only, Vec::new()));
        } else {
            out.push(Element::Vertex(only));
        }
    }
    out
}

/// The head of a cycle is where it is entered; of several such vertices, or if it is entered from
/// nowhere, the first one of a search from the program's entry.
fn cycle(graph: &Plain, component: &[Vertex], rank: &[u32]) -> Element {
    let inside: FxHashSet<Vertex> = component.iter().copied().collect();
    let key = |v: Vertex| {
        let entered = graph.neighbors_directed(v, petgraph::Incoming).any(|u| !inside.contains(&u));
        (!entered && rank[v as usize] != 0, rank[v as usize], v)
    };
    let head = component.iter().copied().min_by_key(|&v| key(v)).unwrap_or(component[0]);
    let mut rest = Plain::default();
    for &v in component.iter().filter(|&&v| v != head) {
        rest.add_node(v);
        for w in graph.neighbors(v).filter(|w| *w != head && inside.contains(w)) {
            rest.add_edge(v, w, ());
        }
    }
    Element::Loop(head, nest(&rest, rank))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Edge, Space, Transition};

    fn graph(vertices: u32, edges: &[(Vertex, Vertex)]) -> Graph {
        let edges =
            edges.iter().map(|&(src, dst)| Edge { src, dst, weight: Transition::identity() }).collect();
        Graph { space: Space::default(), vertices, edges, entry: 0, target: vertices - 1 }
    }

    #[test]
    fn nested_loops_nest() {
        let g = graph(5, &[(0, 1), (1, 2), (2, 3), (3, 2), (3, 1), (1, 4)]);
        let inner = Element::Loop(2, vec![Element::Vertex(3)]);
        let expected = [Element::Vertex(0), Element::Loop(1, vec![inner]), Element::Vertex(4)];
        assert_eq!(order(&g), expected);
    }

    #[test]
    fn a_loop_with_two_entries_has_one_head() {
        let g = graph(4, &[(0, 1), (0, 2), (1, 2), (2, 1), (2, 3)]);
        let order = order(&g);
        assert_eq!(order.len(), 3);
        assert!(matches!(&order[1], Element::Loop(_, rest) if rest.len() == 1));
    }
}
