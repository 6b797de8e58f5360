//! The schedule of a walk over a graph, whatever flows along its edges: a vertex is
//! visited once all that leads to it has been, and what arrived there is joined
//! before it goes on, so that the work is linear in the graph and not in its paths.
//!
//! Cycles are the client's business. Between *cut points* (a set of vertices that
//! leaves no cycle) there are none, and [`between`] gives the order; a client that
//! follows loops visits vertices in a weak topological order and a loop as often as
//! it likes. States are symbolic states ([`crate::block`]), or transition
//! formulas over integers (`gps::select`).

use std::collections::BTreeSet;
use std::hash::Hash;

use rustc_hash::FxHashMap;

/// A graph and what its edges do to states.
pub trait Walk {
    type Vertex: Copy + Ord + Hash;
    type Edge: Copy;
    type State: Clone;

    /// The edge with this number among those that leave a vertex, and where it leads.
    fn out(&self, v: Self::Vertex, number: usize) -> Option<(Self::Edge, Self::Vertex)>;

    /// The state behind an edge, if there is one.
    fn edge(&mut self, e: Self::Edge, s: Self::State) -> Option<Self::State>;

    /// One state for all that arrived at a vertex, in the order in which they did. Nothing goes on
    /// if there is none.
    fn join(&mut self, at: Self::Vertex, states: Vec<Self::State>) -> Option<Self::State>;
}

/// What has arrived at vertices and has not gone on yet.
pub type Pending<V, S> = FxHashMap<V, Vec<S>>;

/// Where a walk ends, ascending, and in which state.
pub type Ends<W> = Vec<(<W as Walk>::Vertex, <W as Walk>::State)>;

/// A cycle without a cut point goes through this vertex.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Cycle<V>(pub V);

/// Visits a vertex: what arrived there goes on along each edge. At a vertex that no edge leaves it stays.
pub fn visit<W: Walk>(w: &mut W, v: W::Vertex, pending: &mut Pending<W::Vertex, W::State>) {
    if w.out(v, 0).is_none() {
        return;
    }
    let Some(states) = pending.remove(&v) else { return };
    let mut state = w.join(v, states);
    let mut number = 0;
    while let Some((e, dst)) = w.out(v, number) {
        number += 1;
        let last = w.out(v, number).is_none();
        let Some(s) = (if last { state.take() } else { state.clone() }) else { return };
        if let Some(next) = w.edge(e, s) {
            pending.entry(dst).or_default().push(next);
        }
    }
}

/// The vertices on ways from one, which is visited first, to the next cut points, each after those
/// that lead to it. Cut points are not among them, but for the first if it is one.
pub fn between<W: Walk>(
    w: &W,
    from: W::Vertex,
    is_cut: &dyn Fn(W::Vertex) -> bool,
) -> Result<Vec<W::Vertex>, Cycle<W::Vertex>> {
    let mut done = Vec::new();
    let mut seen = BTreeSet::from([from]);
    let mut open = BTreeSet::from([from]);
    let mut stack = vec![(from, 0)];
    while let Some((v, number)) = stack.last_mut() {
        match w.out(*v, *number) {
            Some((_, next)) => {
                *number += 1;
                if is_cut(next) {
                    continue;
                }
                if open.contains(&next) {
                    return Err(Cycle(next));
                }
                if seen.insert(next) {
                    open.insert(next);
                    stack.push((next, 0));
                }
            }
            None => {
                open.remove(v);
                done.push(*v);
                stack.pop();
            }
        }
    }
    done.reverse();
    Ok(done)
}

/// Walks from a vertex to the next cut points: the state at each that is reached, joined. Vertices that
/// no edge leaves are among them.
pub fn walk<W: Walk>(
    w: &mut W,
    from: W::Vertex,
    start: W::State,
    is_cut: &dyn Fn(W::Vertex) -> bool,
) -> Result<Ends<W>, Cycle<W::Vertex>> {
    let order = between(w, from, is_cut)?;
    let mut pending = Pending::<W::Vertex, W::State>::default();
    pending.insert(from, vec![start]);
    for v in order {
        visit(w, v, &mut pending);
    }
    let mut ends: Vec<_> = pending.into_iter().collect();
    ends.sort_by_key(|(v, _)| *v);
    Ok(ends.into_iter().filter_map(|(v, states)| Some((v, w.join(v, states)?))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts the paths to each vertex, and the visits.
    struct Paths {
        edges: Vec<(u32, u32)>,
        visits: usize,
    }

    impl Walk for Paths {
        type Vertex = u32;
        type Edge = (u32, u32);
        type State = u64;

        fn out(&self, v: u32, number: usize) -> Option<((u32, u32), u32)> {
            self.edges.iter().filter(|e| e.0 == v).nth(number).map(|&e| (e, e.1))
        }

        fn edge(&mut self, _: (u32, u32), paths: u64) -> Option<u64> {
            Some(paths)
        }

        fn join(&mut self, _: u32, states: Vec<u64>) -> Option<u64> {
            self.visits += 1;
            Some(states.into_iter().sum())
        }
    }

    #[test]
    fn a_vertex_is_visited_once_however_many_paths_lead_to_it() {
        let diamonds = (0..40u32).flat_map(|n| [(n, n + 1), (n, n + 1)]).collect();
        let mut paths = Paths { edges: diamonds, visits: 0 };
        assert_eq!(walk(&mut paths, 0, 1, &|_| false), Ok(vec![(40, 1 << 40)]));
        assert_eq!(paths.visits, 41);
    }

    #[test]
    fn it_ends_at_cut_points_and_says_where_one_is_missing() {
        // A loop 1 → 2 → 1 with a way past it, and one out of it.
        let mut paths = Paths { edges: vec![(0, 1), (0, 3), (1, 2), (2, 1), (1, 3), (3, 4)], visits: 0 };
        assert_eq!(walk(&mut paths, 0, 1, &|v| v == 1), Ok(vec![(1, 1), (4, 1)]));
        assert_eq!(walk(&mut paths, 1, 1, &|v| v == 1), Ok(vec![(1, 1), (4, 1)]));
        assert_eq!(walk(&mut paths, 0, 1, &|v| v == 2), Ok(vec![(2, 1), (4, 2)]));
        assert_eq!(walk(&mut paths, 0, 1, &|_| false), Err(Cycle(1)));
    }
}
