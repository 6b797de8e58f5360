//! The shape of a function: the order in which its locations are followed, its
//! loops, and which marked invariants belong to which loop head.
//!
//! A *marker* is a call of the function `__cairn_invariant`, which has no body:
//! its argument is a fact. The code that evaluates a fact consists of quiet
//! operations only: it reads, computes temporaries and branches. A marker belongs
//! to a loop head if every way from the head comes to it, through quiet
//! operations and other markers and not through another loop head.
//!
//! Loops are found here by the checker's own code, from their definition: a loop head
//! is a location to which an edge leads back in a depth-first order; the loop is
//! all that reaches such an edge without passing the head; and no edge leads into
//! it but to the head. Where that last condition fails the function is refused.
//! [`cairn_core::LoopProof`] says what engines mean by a head, and
//! `tests/heads.rs` compares.

use cairn_ir::{Callee, EdgeId, FuncId, LocId, Op, Program, VarKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// The name of the function whose calls mark facts.
pub const MARKER: &str = "__cairn_invariant";

/// The control flow of a function: its loops, and an order of its locations.
pub struct LoopStructure {
    /// Positions in an order in which every edge but those back to loop heads leads forward.
    pub order: FxHashMap<LocId, u32>,
    pub loops: FxHashMap<LocId, Cycle>,
    /// Set if there is a cycle with several entries.
    pub irreducible: Option<LocId>,
}

/// A loop.
#[derive(Default)]
pub struct Cycle {
    /// All locations in it.
    pub body: FxHashSet<LocId>,
    /// The locations whose operations evaluate and state the facts that belong to the head.
    pub zone: FxHashSet<LocId>,
}

impl LoopStructure {
    pub fn new(p: &Program, f: FuncId) -> Option<LoopStructure> {
        let entry = p.funcs[f].body.as_ref()?.entry;
        let order: FxHashMap<LocId, u32> = depth_first(p, entry).into_iter().zip(0..).collect();
        let mut loops: FxHashMap<LocId, Cycle> = FxHashMap::default();
        let mut irreducible: Option<LocId> = None;
        for &head in order.keys() {
            let Some(body) = loop_of(p, &order, head) else { continue };
            // No way in but through the head.
            let enters = |l: LocId| l == entry || before(p, &order, l).any(|from| !body.contains(&from));
            let beside = body.iter().copied().filter(|&l| l != head && enters(l)).min();
            irreducible = beside.into_iter().chain(irreducible).min();
            loops.insert(head, Cycle { body, zone: FxHashSet::default() });
        }
        let mut shape = LoopStructure { order, loops, irreducible };
        let heads: Vec<LocId> = shape.loops.keys().copied().collect();
        for h in heads {
            let zone = shape.zone_of(p, h);
            if let Some(c) = shape.loops.get_mut(&h) {
                c.zone = zone;
            }
        }
        Some(shape)
    }

    /// The locations between a head and the last marker that belongs to it.
    fn zone_of(&self, p: &Program, head: LocId) -> FxHashSet<LocId> {
        let quiet = self.quiet_from(p, head, None).0;
        let markers: Vec<LocId> = quiet
            .iter()
            .copied()
            .filter(|&l| p.locs[l].out.iter().any(|&e| is_marker(p, e)))
            .filter(|&l| self.quiet_from(p, head, Some(l)).1)
            .collect();
        if markers.is_empty() {
            return FxHashSet::default();
        }
        // What lies before the last of them: what cannot be reached once it is passed.
        let last = markers.iter().copied().max_by_key(|l| self.order.get(l).copied().unwrap_or(0));
        let Some(last) = last else { return FxHashSet::default() };
        let mut zone = self.quiet_from(p, head, Some(last)).0;
        zone.insert(last);
        zone
    }

    /// The locations reached from a head through quiet operations and markers, without passing
    /// `wall`; and whether nothing else is reached without passing it.
    fn quiet_from(&self, p: &Program, head: LocId, wall: Option<LocId>) -> (FxHashSet<LocId>, bool) {
        let mut seen = FxHashSet::from_iter([head]);
        let mut work = vec![head];
        let mut closed = true;
        while let Some(l) = work.pop() {
            if Some(l) == wall {
                continue;
            }
            for &e in &p.locs[l].out {
                let edge = &p.edges[e];
                if !edge.op.returns() {
                    continue;
                }
                let inside = self.loops[&head].body.contains(&edge.dst)
                    && edge.dst != head
                    && !self.loops.contains_key(&edge.dst);
                if !inside || !(is_quiet(&edge.op) || is_marker(p, e)) {
                    closed = false;
                } else if seen.insert(edge.dst) {
                    work.push(edge.dst);
                }
            }
        }
        (seen, closed)
    }

    /// The locations whose operations do nothing but evaluate the fact of some marker: from there
    /// every way leads to a marker, through operations that assign temporaries only.
    pub fn evaluates(&self, p: &Program) -> FxHashSet<LocId> {
        let mut found = FxHashSet::default();
        let mut locs: Vec<(u32, LocId)> = self.order.iter().map(|(&l, &n)| (n, l)).collect();
        locs.sort_unstable();
        for &(_, l) in locs.iter().rev() {
            let out = &p.locs[l].out;
            let fine = |&e: &EdgeId| {
                let edge = &p.edges[e];
                let temporary = edge.op.def().is_none_or(|v| matches!(p.vars[v].kind, VarKind::Temp));
                is_marker(p, e)
                    || !edge.op.returns()
                    || (is_quiet(&edge.op) && temporary && found.contains(&edge.dst))
            };
            let leads = |&e: &EdgeId| is_marker(p, e) || found.contains(&p.edges[e].dst);
            if !out.is_empty() && out.iter().all(fine) && out.iter().any(leads) {
                found.insert(l);
            }
        }
        found
    }
}

/// The heads of the loops of a function with a body, ascending, as the checker finds them. If the
/// function has a cycle that is entered beside its head, the check refuses it: a location of such a cycle.
pub fn loop_heads(p: &Program, f: FuncId) -> Option<Result<Vec<LocId>, LocId>> {
    let shape = LoopStructure::new(p, f)?;
    let mut heads: Vec<LocId> = shape.loops.keys().copied().collect();
    heads.sort_unstable();
    Some(shape.irreducible.map_or(Ok(heads), Err))
}

/// The locations reachable from the entry, in an order (reverse post-order of a depth-first search) in
/// which each comes before those behind its edges, but for edges that lead back.
fn depth_first(p: &Program, entry: LocId) -> Vec<LocId> {
    let mut finished = Vec::new();
    let mut seen = FxHashSet::from_iter([entry]);
    let mut open = vec![(entry, 0)];
    while let Some((l, next)) = open.last_mut() {
        match p.locs[*l].out.get(*next) {
            Some(&e) => {
                *next += 1;
                let to = p.edges[e].dst;
                if seen.insert(to) {
                    open.push((to, 0));
                }
            }
            None => {
                finished.push(*l);
                open.pop();
            }
        }
    }
    finished.reverse();
    finished
}

/// The reachable locations from which an edge leads to one.
fn before<'p>(
    p: &'p Program,
    order: &'p FxHashMap<LocId, u32>,
    l: LocId,
) -> impl Iterator<Item = LocId> + 'p {
    p.locs[l].inn.iter().map(|&e| p.edges[e].src).filter(|from| order.contains_key(from))
}

/// All that reaches an edge back to a location without passing it, and the location; `None` if no edge
/// leads back to it.
fn loop_of(p: &Program, order: &FxHashMap<LocId, u32>, head: LocId) -> Option<FxHashSet<LocId>> {
    let mut work: Vec<LocId> = before(p, order, head).filter(|from| order[from] >= order[&head]).collect();
    if work.is_empty() {
        return None;
    }
    let mut body = FxHashSet::from_iter([head]);
    while let Some(l) = work.pop() {
        if body.insert(l) {
            work.extend(before(p, order, l));
        }
    }
    Some(body)
}

pub fn is_marker(p: &Program, e: EdgeId) -> bool {
    match &p.edges[e].op {
        Op::Call { callee: Callee::Func(f), args, .. } => {
            p.funcs[*f].body.is_none() && p.funcs[*f].name.as_str() == MARKER && args.len() == 1
        }
        _ => false,
    }
}

/// Does the operation only read, compute and branch?
fn is_quiet(op: &Op) -> bool {
    matches!(op, Op::Nop | Op::Assign { .. } | Op::Assume { .. } | Op::Load { .. } | Op::LoadBits { .. })
}
