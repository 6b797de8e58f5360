//! Cycles that are entered in several places, made into loops.
//!
//! One of the entries becomes the head; control that comes in elsewhere goes through
//! a copy of the cycle, which leads to the head instead of round (node splitting,
//! as in Hecht and Ullman, 1972). Executions are the same. Copies cost, so there is
//! a limit, beyond which a cycle stays as it is.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::dom::Dominators;
use crate::graph::Graph;
use crate::loops::{Loops, Region};
use crate::{Edge, EdgeId, FuncId, LocId, Program};

/// Locations that the copies in one function may have.
const MOST_COPIES: usize = 20_000;

/// Makes the cycles of all functions into loops with one head, as far as the limit allows.
pub fn make_reducible(p: &mut Program) {
    let funcs: Vec<FuncId> = p.funcs.keys().collect();
    for f in funcs {
        let mut copied = 0;
        while let Some(n) = split_one(p, f, MOST_COPIES - copied) {
            copied += n;
        }
    }
}

/// Splits a cycle with several entries, if there is one; says how many locations that copied.
fn split_one(p: &mut Program, f: FuncId, most: usize) -> Option<usize> {
    let g = Graph::new(p, f)?;
    let loops = Loops::new(p, &g, &Dominators::forward(&g));
    let region = loops.irreducible.first()?;
    let cycle = whole_cycle(&g, &loops, region)?;
    let start = p.funcs[f].body.as_ref()?.entry;
    let outside = |e: &EdgeId| {
        let src = p.edges[*e].src;
        !cycle.contains(&src) && g.is_reachable(g.node(src))
    };
    let mut entries: Vec<LocId> =
        cycle.iter().copied().filter(|&l| l == start || p.locs[l].inn.iter().any(outside)).collect();
    entries.sort_unstable();
    let head =
        entries.iter().copied().find(|&l| p.locs[l].loop_stmt.is_some()).or(entries.first().copied())?;
    if entries.len() < 2 || cycle.len() > most {
        return None;
    }
    let mut from_outside: Vec<EdgeId> = Vec::new();
    for &l in entries.iter().filter(|&&l| l != head) {
        from_outside.extend(p.locs[l].inn.iter().copied().filter(outside));
    }
    let mut members: Vec<LocId> = cycle.iter().copied().filter(|&l| l != head).collect();
    members.sort_unstable();
    let mut copy: FxHashMap<LocId, LocId> = FxHashMap::default();
    for &l in &members {
        let new = p.new_loc(f);
        p.locs[new].loop_stmt = p.locs[l].loop_stmt;
        copy.insert(l, new);
    }
    for &l in &members {
        for e in p.locs[l].out.clone() {
            let Edge { dst, op, place, branch, .. } = p.edges[e].clone();
            let dst = copy.get(&dst).copied().unwrap_or(dst);
            p.push_edge(Edge { src: copy[&l], dst, op, place, branch });
        }
    }
    for e in from_outside {
        p.redirect(e, copy[&p.edges[e].dst]);
    }
    if let Some(&new) = copy.get(&start) {
        p.enter_at(f, new);
    }
    Some(members.len())
}

/// The strongly connected part around a region, within the loop that it lies in.
fn whole_cycle(g: &Graph, loops: &Loops, region: &Region) -> Option<FxHashSet<LocId>> {
    let &first = region.locs.first()?;
    let around = loops.around(g, first).find(|&l| !region.locs.contains(&loops.loops[l].header));
    let within = |n: u32| {
        let l = g.loc(n);
        g.is_reachable(n)
            && around.is_none_or(|a| l != loops.loops[a].header && loops.around(g, l).any(|b| a == b))
    };
    let within: Vec<bool> = g.flow.nodes().map(within).collect();
    let inside = g.flow.filtered(|a, b| within[a as usize] && within[b as usize]);
    let part = inside.components().into_iter().find(|part| part.contains(&g.node(first)))?;
    Some(part.into_iter().map(|n| g.loc(n)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::random_program;

    fn irreducible(p: &Program) -> usize {
        let of = |f: FuncId| {
            let g = Graph::new(p, f)?;
            Some(Loops::new(p, &g, &Dominators::forward(&g)).irreducible.len())
        };
        p.funcs.keys().filter_map(of).sum()
    }

    #[test]
    fn random_programs_have_loops_only() {
        let mut before = 0;
        for seed in 0..200 {
            let mut p = random_program(seed, 25);
            before += irreducible(&p);
            make_reducible(&mut p);
            assert_eq!(irreducible(&p), 0, "seed {seed}");
            assert!(crate::verify(&p).is_ok(), "seed {seed}");
        }
        assert!(before > 20, "{before} cycles with several entries");
    }
}
