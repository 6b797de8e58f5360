//! How far it is from each location to some operations, calls included.
//!
//! The *supergraph* (Reps, Horwitz and Sagiv 1995) has the edges of all functions,
//! and for each direct call one more into the function called and one from its exit
//! to where the call returns. A function so returns wherever it may be called,
//! which makes distances too short at worst.

use cairn_graph::{Digraph, distance};

use crate::{Callee, EdgeId, LocId, Op, Program};

pub struct Supergraph {
    /// Nodes are locations.
    flow: Digraph,
    /// The edge of the program behind each edge: itself, or the call.
    edges: Vec<EdgeId>,
}

/// The distances to some operations.
#[derive(Clone, Debug)]
pub struct Distances(Vec<u64>);

impl Distances {
    /// The distance of a location; `None` if there is no way.
    pub fn at(&self, l: LocId) -> Option<u64> {
        Some(self.0[l.as_u32() as usize]).filter(|&d| d != distance::NONE)
    }
}

impl Supergraph {
    pub fn new(p: &Program) -> Supergraph {
        let (mut ends, mut edges) = (Vec::new(), Vec::new());
        let mut add = |from: LocId, to: LocId, e: EdgeId| {
            ends.push((from.as_u32(), to.as_u32()));
            edges.push(e);
        };
        for (e, edge) in p.edges.iter() {
            add(edge.src, edge.dst, e);
            if let Op::Call { callee: Callee::Func(f), .. } = &edge.op
                && let Some(body) = &p.funcs[*f].body
            {
                add(edge.src, body.entry, e);
                add(body.exit, edge.dst, e);
            }
        }
        Supergraph { flow: Digraph::new(p.locs.len(), &ends), edges }
    }

    /// For each location the least sum of weights on a way to the beginning of an edge that is wanted.
    pub fn to_nearest(
        &self,
        p: &Program,
        wanted: impl Fn(EdgeId) -> bool,
        weight: impl Fn(EdgeId) -> u64,
    ) -> Distances {
        let targets = p.edges.iter().filter(|(e, _)| wanted(*e)).map(|(_, edge)| (edge.src.as_u32(), 0));
        Distances(distance::to_nearest(&self.flow, targets, |n| weight(self.edges[n as usize])))
    }
}
